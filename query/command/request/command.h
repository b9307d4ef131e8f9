// A request of the user, and the commands that answer it.
#ifndef FEWEST_QUERY_COMMAND_COMMAND_H
#define FEWEST_QUERY_COMMAND_COMMAND_H

#include "tables/program/command_line.h"

#include <stdbool.h>
#include <stdint.h>

#define PROGRAM "fewest"

enum { OPERANDS_MOST = 64, RANDOM_MOVES_MOST = 1000 };

// The options of all commands. There are three kinds of --moves, two of --all, --count and
// --how-many. A command takes at most one kind of each, but --moves may have two: with an argument
// and without. OPTION_ALL_THREADS is never read: it is the help of OPTION_THREADS for commands that
// use all processors by default.
enum query_option {
    OPTION_TABLES,
    OPTION_TABLE,
    OPTION_THREADS,
    OPTION_ALL_THREADS,
    OPTION_MOVES,
    OPTION_FROM,
    OPTION_SCRAMBLES,
    OPTION_AS_MOVES,
    OPTION_LIMIT,
    OPTION_TIME,
    OPTION_CACHE,
    OPTION_PATH,
    OPTION_PARITY,
    OPTION_HOW_MANY,
    OPTION_HOW_MANY_ALL,
    OPTION_WITHIN,
    OPTION_SHOW,
    OPTION_TSV,
    OPTION_JSON,
    OPTION_BARS,
    OPTION_SVG,
    OPTION_LOG,
    OPTION_SYMMETRY,
    OPTION_ROTATIONS,
    OPTION_ROOT,
    OPTION_COUNT,
    OPTION_FIRST,
    OPTION_DISTANCE,
    OPTION_SEED,
    OPTION_RANDOM_MOVES,
    OPTION_ALL,
    OPTION_EACH,
    OPTION_MATCHING,
    OPTION_DEEP,
    OPTION_LIST,
    OPTION_OUTPUT,
    OPTION_HELP,
    OPTION_VERSION,
};

struct request {
    uint64_t options;   // a bit for each that was given
    const char *folder; // --tables
    const char *operands[OPERANDS_MOST];
    int operand_count;
    unsigned threads;      // by default 1, or all processors if the command has OPTION_ALL_THREADS
    const char *table;     // for judge: the name of the table, or NULL
    uint64_t cache;        // bytes; 0: the default
    uint64_t limit;        // of moves; 0: none
    double seconds;        // --time; 0: none
    const char *moves;     // that lead to START or STATE, or NULL
    const char *from;      // the state before the moves; NULL: the solved state
    const char *svg;       // for stats: a file, or NULL
    const char *output;    // for page: a file, or NULL
    uint64_t count;        // for sample: number of states, 1 by default; else: of paths
    uint64_t within;       // of moves more than the least number
    uint64_t distance;     // if the option was given
    uint64_t seed;         // likewise
    uint64_t random_moves; // for sample: of each state; 0: none
    const char *matching;  // a state with wildcards, or NULL
    const char *root;      // for stats: START, or NULL
};

// Was this option given?
static inline bool has_option(const struct request *request, enum query_option option)
{
    return request->options & OPTION_BIT(option);
}

// Does the request ask for all paths of a query?
static inline bool wants_all_paths(const struct request *request)
{
    return has_option(request, OPTION_EACH) || has_option(request, OPTION_WITHIN);
}

// The number of paths to print of each query.
static inline uint64_t wanted_paths(const struct request *request)
{
    return has_option(request, OPTION_FIRST) ? request->count : UINT64_MAX;
}

enum exit_status command_steps(const struct request *request);
enum exit_status command_path(const struct request *request);
enum exit_status command_parity(const struct request *request);
enum exit_status command_batch(const struct request *request); // batch.c
enum exit_status command_judge(const struct request *request); // judge.c
enum exit_status command_stats(const struct request *request); // tables.c
enum exit_status command_check(const struct request *request);
enum exit_status command_list(const struct request *request);
enum exit_status command_page(const struct request *request);
enum exit_status command_export(const struct request *request); // states.c
enum exit_status command_rank(const struct request *request);
enum exit_status command_unrank(const struct request *request);
enum exit_status command_show(const struct request *request);
enum exit_status command_sample(const struct request *request); // sample.c

#endif
