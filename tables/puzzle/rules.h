// The rules of a puzzle: moves, and the functions that a family gives for states and moves.
#ifndef FEWEST_TABLES_RULES_H
#define FEWEST_TABLES_RULES_H

#include "base/errors.h"
#include "definition/definition.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CELLS_MOST = 2 * PIECES_MOST,
    MOVES_MOST = 4096,
    MOVE_NAME_LONGEST = NAME_LONGEST + 8, // room for the power
};

// The metric: what counts as one move.
enum metric {
    METRIC_POWERS,  // every power of a listed move
    METRIC_QUARTER, // a listed move and its inverse
    METRIC_LISTED,  // listed moves alone, as `Powers none` has it in any metric
    METRIC_COUNT,
};

struct move {
    char name[MOVE_NAME_LONGEST + 1];
    unsigned line; // of the definition, for messages
    uint8_t from[CELLS_MOST];
    uint8_t add[CELLS_MOST];
};

struct puzzle;

// What a family knows of its states and moves. The functions say below what they do. NULL where
// "or NULL" stands.
struct rules {
    const struct board_keyword *board; // the keyword of its definitions; NULL: `Set`

    // Fills a puzzle that holds only its name, metric, definition and rules. On failure the caller
    // frees what is there.
    bool (*compile)(struct puzzle *puzzle, struct fewest_error *error);
    void (*free_own)(void *own); // frees puzzle->own

    bool (*apply)(const struct puzzle *puzzle, unsigned move, const uint8_t *from, uint8_t *to);
    const char *never_applies; // why `apply` always fails, or NULL

    // For definitions with `Move`, or NULL: applies any product of listed moves and rotations.
    bool (*apply_rows)(const struct puzzle *puzzle, const struct rows *rows, const uint8_t *from,
                       uint8_t *to, struct fewest_error *error);

    // Tells without a table whether the target can be reached, and why in GRID_REASON bytes; or
    // NULL.
    bool (*decide_parity)(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                          bool *reachable, char *reason, struct fewest_error *error);

    // Tells from the parity why a target is reachable or not, which a table has found out; or NULL.
    // False if the parity does not matter.
    bool (*explain_parity)(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                           bool reachable, char *reason, size_t size);
};

#endif
