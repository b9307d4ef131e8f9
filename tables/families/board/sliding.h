// The family of sliding puzzles: tiles and a blank on a board of rows, columns and layers.
#ifndef FEWEST_TABLES_FAMILIES_BOARD_SLIDING_H
#define FEWEST_TABLES_FAMILIES_BOARD_SLIDING_H

#include "board_chain.h"
#include "tables/puzzle/puzzle.h"

extern const struct rules SLIDING_RULES;

// puzzle->own: the board and the chain of each root. If tiles look alike, there is one root.
struct sliding {
    struct board_chain boards[ROOTS_MOST];
    struct chain chains[ROOTS_MOST];
    uint8_t first_point[BOARD_CELLS_MOST]; // by number of look-alikes: the first of their points
    unsigned step_digits; // how many digits there are up to the last one with several values
};

// The numbering of the states if all tiles differ, in sliding_numbers.c.
extern const struct numbering_functions SLIDING_NUMBERING;

// Makes puzzle->own, the chains of the roots. The cells of the roots must be there.
bool sliding_make_chains(struct puzzle *puzzle, struct fewest_error *error);
void sliding_free(void *own);

// Makes the numbering of the states if some tiles look alike (alike_numbers.c): puzzle->own and the
// only root. The goals must be there. If there are too many states for a table, only counts them.
bool alike_make_chain(struct puzzle *puzzle, struct fewest_error *error);

#endif
