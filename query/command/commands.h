// The commands of `fewest`, and the functions that they share.
#ifndef FEWEST_QUERY_COMMANDS_H
#define FEWEST_QUERY_COMMANDS_H

#include "fewest.h"
#include "input.h"
#include "program/command_line.h"

#include <stdio.h>

#define PROGRAM "fewest"

enum { OPERANDS_MOST = 64, RANDOM_MOVES_MOST = 1000 };

struct request {
    const char *folder; // --tables
    const char *operands[OPERANDS_MOST];
    int operand_count;
    unsigned threads; // 1 by default
    bool has_threads;
    const char *table; // for judge: the name of the table, or NULL
    uint64_t cache;    // bytes; 0: the default
    uint64_t limit;    // of moves; 0: none
    const char *moves; // that lead to START or STATE, or NULL
    const char *from;  // the state before the moves; NULL: the solved state
    bool scrambles;    // for batch: each line has moves
    bool as_moves;     // print the moves that make a state
    bool tsv;
    bool json;
    bool bars;
    bool show;
    const char *svg;       // for stats: a file, or NULL
    bool log;              // for --svg
    bool symmetry;         // for stats: count classes, too
    uint64_t count;        // for sample: number of states, 1 by default
    uint64_t distance;     // if has_distance
    uint64_t seed;         // if has_seed
    uint64_t random_moves; // for sample: of each state; 0: none
    bool has_count;
    bool has_distance;
    bool has_seed;
    bool all;             // for sample: every state
    const char *matching; // a state with wildcards, or NULL
    const char *root;     // for stats: START, or NULL
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

// Prints the answer of steps, path or parity to one query on `out`. Fills in whether the target can
// be reached.
typedef bool print_answer(struct fewest *table, const struct fewest_query *query, FILE *out,
                          bool *reachable, struct fewest_error *error);
print_answer print_steps;
print_answer print_moves;
print_answer print_parity;
print_answer print_scramble; // a shortest sequence that makes the start of the query
void print_parity_line(bool reachable, const char *reason, FILE *out);

// Prints moves on one line, with spaces unless all names have one letter.
void print_path(const struct fewest *table, const unsigned *moves, int steps, FILE *out);

// Gives stdout a larger buffer, unless it is a terminal. Call this before anything is printed. In
// messages.c.
void enlarge_output_buffer(void);

// These are in messages.c. They are faster than fprintf and fputs, which matters in a batch. No
// other thread may write to `out`.
enum { DISTANCES_MOST = 16 };
void print_text(const char *text, FILE *out);
void print_number(uint64_t number, FILE *out);
// Prints up to DISTANCES_MOST distances, each on a line. FEWEST_UNREACHABLE becomes `unreachable`.
void print_distances(const int *steps, size_t count, FILE *out);
// Prints the names of moves on one line, with spaces between them if `spaced`.
void print_names(const struct fewest *table, const unsigned *moves, int count, bool spaced,
                 FILE *out);
// Did any of these calls lose a character? A file of open_memstream may lose some without memory,
// and then take more.
bool output_was_lost(void);

// How to answer each line of a file: `read` reads a query and `print` prints its answer.
struct line_answerer;
typedef bool read_line_function(const struct line_answerer *answerer, const char *line,
                                size_t length, struct fewest_query *query,
                                struct fewest_error *error);
struct line_answerer {
    read_line_function *read;
    bool (*skips)(const char *line, size_t length); // gets a line no answer? NULL: each gets one
    struct fewest *table;
    print_answer *print; // of a query, or of a state: the start of a query
    const char *grid;    // for parity without a table: then no other field is used
    uint64_t limit;      // of moves; 0: none
};

// Answers each line of a file, or of stdin (NULL or "-"). For a line that can't be answered it
// prints `error`. In batch.c.
enum exit_status batch_answer_file(const struct line_answerer *answerer, const char *path,
                                   unsigned threads);

// Answers each line of an open input, as batch does, perhaps with --moves. In batch.c.
enum exit_status batch_answer(struct fewest *table, print_answer *print, bool moves,
                              struct input *input);
// Answers an open input as a judge problem. judge_problem returns the name of a problem by its
// number, and fills in its puzzle; NULL after the last problem. In judge.c.
enum exit_status judge_answer(const char *problem, struct fewest *table, struct input *input);
const char *judge_problem(unsigned number, const char **puzzle);

// Reads the texts of START and, if it is given, TARGET. Each is the operand itself, or the text
// that `-` or `@FILE` names. read[0] and read[1] must be NULL before; the caller frees them.
enum exit_status operand_texts(const struct request *request, const char *text[2], size_t length[2],
                               char *read[2]);

// Fills in the state that --moves lead to, or prints why it can't.
enum exit_status make_moves(const struct fewest *table, const struct request *request,
                            uint8_t *state);

// Fills in the state with wildcards that --matching names, and sets *matching to it; or to NULL
// without --matching. Or prints why it can't.
enum exit_status read_matching(const struct fewest *table, const struct request *request,
                               uint8_t *state, const uint8_t **matching);

// Reports that no state matches --matching.
enum exit_status complain_no_match(const struct fewest *table);

// Fills in the error of a table whose header counts states that are not there. Returns false. In
// number.c.
bool set_header_error(struct fewest_error *error);

// Is PUZZLE a path and not a name? A path has a slash or ends in ".dtab".
bool is_path(const char *puzzle);

// Is PUZZLE a bare grid such as 4x4?
bool is_grid(const char *puzzle);

// Opens the table of PUZZLE, a path or a name, with the options of the request.
struct fewest *open_table(const struct request *request, const char *puzzle,
                          struct fewest_error *error);

// Opens the table that the first operand names, answers, and closes the table.
enum exit_status with_table(const struct request *request,
                            enum exit_status (*answer)(const struct request *, struct fewest *));

// From now on, if a table is cut short while it is open, the program prints what is answered and a
// message that names this puzzle, and ends with STATUS_TABLE.
void expect_cut(const char *puzzle);
void before_cut(void (*print)(void)); // is called first, in the thread that noticed

// Lets Ctrl-C stop the searches of a table, and shows long searches on a terminal. After Ctrl-C,
// main ends the program with the signal.
void watch_searches(struct fewest *table);
bool was_interrupted(void);

// The watcher that watch_searches sets: after about a second, it shows on a terminal how long a
// path the search looks for. Returns false after Ctrl-C.
bool watch_search(void *context, int bound);

// Long work that is shown on a terminal.
struct work {
    double next;   // when it may be shown
    double begin;  // of the present part
    uint64_t done; // of this part
};

// Lets Ctrl-C stop work on all states of a table, and shows the work on a terminal after a second.
// *work must live as long as the table.
void watch_work(struct fewest *table, struct work *work);

// Is it the time *next or later, in seconds? Then *next becomes a tenth of a second from now.
bool is_due(double *next);

// Shows work of the command's own in the same way. Returns false after Ctrl-C.
bool show_work(void *work, const char *what, uint64_t done, uint64_t all);

// Clears the line that shows a search or work on the terminal. Call it before the answer is
// printed.
void hide_search(void);

// Reports a table that could not be opened, and suggests what to type instead.
enum exit_status complain_table(const struct request *request, const char *puzzle,
                                const struct fewest_error *error);

// Prints "fewest: …" on stderr and returns the error's exit status.
enum exit_status complain_error(const struct fewest_error *error);

// The same for the argument of an option: "fewest: OPTION: …".
enum exit_status complain_option(const char *option, const struct fewest_error *error);

// The same for a state that can't be read. Adds the solved state as an example or, if moves were
// typed, names --moves.
enum exit_status complain_state(const struct fewest *table, const char *typed, size_t length,
                                const struct fewest_error *error);

// Prints "fewest: …" about wrong usage, and how to get help. Returns STATUS_USAGE.
#define complain_usage(...) command_complain_usage(PROGRAM, __VA_ARGS__)

// Prints "fewest: NAME:LINE: …" about a line of input. Returns STATUS_USAGE.
enum exit_status complain_input(const char *name, uint64_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Reports a file that can't be opened or read, with the reason in errno. Returns STATUS_SYSTEM.
enum exit_status complain_system(const char *name);

// If the folder of --tables can't be read, reports that and returns STATUS_TABLE; else
// STATUS_ANSWERED. The other folders are searched in any case.
enum exit_status complain_folder(const struct request *request);

// Reports input that could not be read to its end. Prints nothing after a failed output or
// Ctrl-C, which main deals with. Returns STATUS_SYSTEM.
enum exit_status complain_failed(const struct input *input);

#endif
