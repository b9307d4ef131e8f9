// The rules of a puzzle: moves, and the functions that a family gives for states and moves.
#ifndef FEWEST_TABLES_RULES_H
#define FEWEST_TABLES_RULES_H

#include "tables/base/errors.h"
#include "tables/base/large_number.h"
#include "tables/definition/definition.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CELLS_MOST = 2 * PIECES_MOST,
    MOVES_MOST = 4096,
    MOVE_NAME_LONGEST = NAME_LONGEST + 8, // room for the power
    REASON_SIZE = 160,                    // bytes of a reason for parity
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
    unsigned line;      // of the definition, for messages
    unsigned generator; // the number of the one of which it is a power
    // By cell; NULL in families that do not use them.
    uint16_t *from;
    uint8_t *add;
};

struct puzzle;

// Which states may occur, if not all may. The others have numbers, and steps lead from and to them,
// but they have no distance.
struct filter {
    // May a state occur? With `rows`: may it after this product of moves? Only without `rows` may
    // it have wildcards.
    bool (*permits)(const struct puzzle *puzzle, const struct rows *rows, const uint8_t *state);

    // Writes why a state may not occur; false if it may. `name` is START or TARGET.
    bool (*explain)(const struct puzzle *puzzle, const char *name, const uint8_t *state,
                    char *reason, size_t size);
};

// The rules of a family: one table of functions.
struct rules {
    // The keyword that begins its definitions. NULL: they have `Set` and `Move`.
    const struct board_keyword *board;

    // Fills a puzzle that holds only its name, metric, definition and rules. It must make at least
    // one move, sort the moves by name, and refuse a definition that it can't use, such as one with
    // a `Goal` that `find_relative` (numbering.h) does not accept. On failure the caller frees what
    // is there.
    bool (*compile)(struct puzzle *puzzle, struct fewest_error *error);

    // Frees puzzle->own, unless it is NULL.
    void (*free_own)(void *own);

    // Multiplies a number by that of the states of one component, of those that a goal can be
    // reached from. If puzzle->is_unfinished, there may be more.
    void (*count_states)(const struct puzzle *puzzle, struct large *number);

    // See puzzle_apply (puzzle.h).
    bool (*apply)(const struct puzzle *puzzle, unsigned move, const uint8_t *from, uint8_t *to);

    // Tell users why `apply` fails: always, or for a move that can't be made. NULL if it does not.
    const char *never_applies_reason;
    const char *cannot_be_made_reason;

    // Applies a product of listed moves and rotations. Fails if the result can't be written in
    // cells. NULL for a family without `Move`.
    bool (*apply_rows)(const struct puzzle *puzzle, const struct rows *rows, const uint8_t *from,
                       uint8_t *to, struct fewest_error *error);

    // Fills in the state that has these rows. Fails if they differ from `Solved` in what no move
    // changes. NULL for a family without `Move`: the cells are rows->piece.
    bool (*read_rows)(const struct puzzle *puzzle, const struct rows *rows, uint8_t *state);

    // Tells without a table whether the target can be reached, and why. `reason` has room for
    // REASON_SIZE bytes. NULL if only a table can tell.
    bool (*decide_parity)(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                          char *reason);

    // Tells the same for a puzzle with pattern databases, whose number of states does not matter.
    // The start and the target are a pair that `find_relative` (numbering.h) accepts. If
    // puzzle->is_unfinished, it may say yes of a target that is not reachable. NULL if
    // `decide_parity` tells it.
    bool (*is_reachable)(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target);

    // Writes why the target, which may have wildcards, can't be reached. False if the family knows
    // no reason. NULL if it never does.
    bool (*explain_unreachable)(const struct puzzle *puzzle, const uint8_t *start,
                                const uint8_t *target, char *reason, size_t size);
};

#endif
