// The commands of `fewest`, each a function of what was asked on the command line.
#ifndef FEWEST_QUERY_COMMANDS_H
#define FEWEST_QUERY_COMMANDS_H

#include "fewest.h"
#include "input.h"
#include "program/command_line.h"

#include <stdio.h>

#define PROGRAM "fewest"

enum { OPERANDS_MOST = 64 };

struct request {
    const char *folder; // --tables
    const char *operands[OPERANDS_MOST];
    int operand_count;
    unsigned threads;  // of batch, 1 by default
    const char *table; // of judge: the name of the table, or NULL
    uint64_t cache;    // bytes, or 0
    const char *moves; // that make START, or NULL
    const char *from;  // of this state; NULL: of the solved one
    bool tsv;
    bool json;
    bool bars;
    bool show;
    const char *svg;   // of stats: a file, or NULL
    uint64_t count;    // of sample, 1 by default
    uint64_t distance; // if has_distance
    uint64_t seed;     // if has_seed
    bool has_distance;
    bool has_seed;
    const char *root; // of stats, or NULL
    bool path;
    bool parity;
    bool deep;
    bool list;
};

enum exit_status command_steps(const struct request *request);
enum exit_status command_path(const struct request *request);
enum exit_status command_parity(const struct request *request);
enum exit_status command_batch(const struct request *request); // batch.c
enum exit_status command_judge(const struct request *request); // judge.c
enum exit_status command_stats(const struct request *request); // whole.c
enum exit_status command_check(const struct request *request);
enum exit_status command_list(const struct request *request);
enum exit_status command_export(const struct request *request); // number.c
enum exit_status command_rank(const struct request *request);
enum exit_status command_unrank(const struct request *request);
enum exit_status command_sample(const struct request *request);
enum exit_status command_show(const struct request *request);

// Prints the answer of steps, path or parity to one query in one line on `out`. Tells whether the
// target can be reached.
typedef bool print_answer(struct fewest *table, const struct fewest_query *query, FILE *out,
                          bool *reachable, struct fewest_error *error);
print_answer print_steps;
print_answer print_moves;
print_answer print_parity;
void print_parity_line(bool reachable, const char *reason, FILE *out);

typedef void print_state(const struct fewest *table, const uint8_t *state, FILE *out);

// How to answer each line of a file. The function answers a line into `out`, or returns false with
// the error.
struct asked;
typedef bool answer_line_function(const struct asked *asked, const char *line, size_t length,
                                  FILE *out, struct fewest_error *error);
struct asked {
    answer_line_function *answer;
    struct fewest *table;
    print_answer *print;      // of queries
    print_state *print_state; // of states
    const char *grid;         // of parity without a table
};

// Answers each line of a file, or of stdin (NULL, "-"). For a line that can't be answered it prints
// `error`. batch.c.
enum exit_status batch_answer_file(const struct asked *asked, const char *path, unsigned threads);

// Answers an input whose table is open: each line of it, as batch does; or as a judge problem. The
// names of the problems and of their puzzles, by number; NULL where there are no more.
// batch.c.
enum exit_status batch_answer(struct fewest *table, print_answer *print, struct input *input);
// judge.c.
enum exit_status judge_answer(const char *problem, struct fewest *table, struct input *input);
const char *judge_problem(unsigned number, const char **puzzle);

// Reads the texts of START and, if it is given, TARGET: themselves, or what `-` and `@FILE` name.
// The caller frees read[0] and read[1], which must be NULL before.
enum exit_status operand_texts(const struct request *request, const char *text[2], size_t length[2],
                               char *read[2]);

// Makes the state of --moves, or says why not.
enum exit_status make_moves(const struct fewest *table, const struct request *request,
                            uint8_t *state);

// Is PUZZLE a path, with a slash or the end ".dtab", and not a name?
bool is_path(const char *puzzle);

// Is PUZZLE a bare grid such as 4x4?
bool is_grid(const char *puzzle);

// Opens the table of a PUZZLE, a path or a name, as the options say.
struct fewest *open_table(const struct request *request, const char *puzzle,
                          struct fewest_error *error);

// Opens it for one answer, and closes it.
enum exit_status with_table(const struct request *request,
                            enum exit_status (*answer)(const struct request *, struct fewest *));

// Lets Ctrl-C stop the searches of a table, and a terminal show them. After a stop, main ends with
// the signal.
void watch_searches(struct fewest *table);
bool was_interrupted(void);

// Takes the line that shows a search away from the terminal, before its answer.
void hide_search(void);

// For a table that could not be opened: says what else there is, or may have been meant.
enum exit_status complain_table(const struct request *request, const char *puzzle,
                                const struct fewest_error *error);

// Prints "fewest: …" on stderr and returns the error's exit status.
enum exit_status complain_error(const struct fewest_error *error);

// The same about the argument of an option: "fewest: OPTION: …".
enum exit_status complain_option(const char *option, const struct fewest_error *error);

// The same for a state that can't be read; adds what a state looks like.
enum exit_status complain_state(const struct fewest *table, const struct fewest_error *error);

// About what was typed: "fewest: …" and where to find help. Returns STATUS_USAGE.
#define complain_usage(...) command_complain_usage(PROGRAM, __VA_ARGS__)

// For input: "fewest: NAME:LINE: …". Returns STATUS_USAGE.
enum exit_status complain_input(const struct input *input, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// For a file that can't be opened or read, with errno.
enum exit_status complain_system(const char *name);

// Says where --tables names no folder that can be read: then STATUS_TABLE. Others are looked in all
// the same.
enum exit_status complain_folder(const struct request *request);

// For input that stopped short: because it could not be read, or because its answers could not be
// written (what main reports).
enum exit_status complain_failed(const struct input *input);

#endif
