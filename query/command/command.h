// A request of the user, and the commands that answer it.
#ifndef FEWEST_QUERY_COMMAND_COMMAND_H
#define FEWEST_QUERY_COMMAND_COMMAND_H

#include "tables/program/command_line.h"

#include <stdbool.h>
#include <stdint.h>

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
    const char *output;    // for page: a file, or NULL
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
enum exit_status command_stats(const struct request *request); // tables.c
enum exit_status command_check(const struct request *request);
enum exit_status command_list(const struct request *request);
enum exit_status command_page(const struct request *request);
enum exit_status command_export(const struct request *request); // states.c
enum exit_status command_rank(const struct request *request);
enum exit_status command_unrank(const struct request *request);
enum exit_status command_sample(const struct request *request);
enum exit_status command_show(const struct request *request);

#endif
