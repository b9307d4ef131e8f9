#include "symmetry.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_MOST = 1 << 18 }; // of the search: some milliseconds

// A backtracking search for the images of cells 0, 1, 2 … in turn. What prunes it: a symmetry keeps, for each pair of
// cells, the number of moves that bring one to the other. What is left at the end is proved against the moves.
struct search {
    unsigned cells;
    unsigned move_count;
    uint64_t *to_prove; // where every inverse is a move, one of the two: what carries it carries its inverse along
    unsigned to_prove_count;
    uint64_t *moves;                             // every move as a number, a nibble for each cell; sorted
    uint16_t brings[RANK_LONGEST][RANK_LONGEST]; // how many moves take cell j's piece to cell i
    struct symmetry *found;
    unsigned found_count;
    unsigned steps;
};

static int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool is_move(const struct search *search, uint64_t number)
{
    return bsearch(&number, search->moves, search->move_count, sizeof number, compare_numbers);
}

// Is the carried move, s·m·s⁻¹, a move, for every move m?
static bool keeps_moves(const struct search *search, const uint8_t *to)
{
    for (unsigned m = 0; m < search->to_prove_count; m++) {
        uint64_t carried = 0;
        for (unsigned i = 0; i < search->cells; i++) {
            unsigned from = (unsigned)(search->to_prove[m] >> (4 * i)) & 15u;
            carried |= (uint64_t)to[from] << (4 * to[i]);
        }
        if (!is_move(search, carried)) {
            return false;
        }
    }
    return true;
}

static bool may_go_to(const struct search *search, const uint8_t *to, unsigned cell, unsigned image)
{
    if (search->brings[cell][cell] != search->brings[image][image]) {
        return false;
    }
    for (unsigned i = 0; i < cell; i++) {
        if (search->brings[cell][i] != search->brings[image][to[i]] ||
            search->brings[i][cell] != search->brings[to[i]][image]) {
            return false;
        }
    }
    return true;
}

static void keep(struct search *search, const uint8_t *to)
{
    struct symmetry *symmetry = &search->found[search->found_count++];
    memcpy(symmetry->to, to, search->cells);
    for (unsigned i = 0; i < search->cells; i++) {
        symmetry->from[to[i]] = (uint8_t)i;
    }
}

// Returns false once it is clear that there are too many.
static bool search_from(struct search *search, uint8_t *to, unsigned cell, unsigned taken)
{
    if (cell == search->cells) {
        if (keeps_moves(search, to)) {
            if (search->found_count == SYMMETRIES_MOST) {
                return false;
            }
            keep(search, to);
        }
        return true;
    }
    for (unsigned image = 0; image < search->cells; image++) {
        if (search->steps++ == STEPS_MOST) {
            return false;
        }
        if (!(taken >> image & 1) && may_go_to(search, to, cell, image)) {
            to[cell] = (uint8_t)image;
            if (!search_from(search, to, cell + 1, taken | 1u << image)) {
                return false;
            }
        }
    }
    return true;
}

static void number_moves(struct search *search, const struct puzzle *puzzle)
{
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        search->moves[m] = 0;
        for (unsigned i = 0; i < search->cells; i++) {
            unsigned from = puzzle->moves[m].from[i];
            search->moves[m] |= (uint64_t)from << (4 * i);
            search->brings[i][from]++;
        }
    }
    qsort(search->moves, search->move_count, sizeof *search->moves, compare_numbers);
    for (unsigned m = 0; m < search->move_count; m++) {
        uint64_t inverse = 0;
        for (unsigned i = 0; i < search->cells; i++) {
            inverse |= (uint64_t)i << (4 * (search->moves[m] >> (4 * i) & 15u));
        }
        if (!puzzle->reversible || inverse >= search->moves[m]) {
            search->to_prove[search->to_prove_count++] = search->moves[m];
        }
    }
}

bool symmetries_find(const struct puzzle *puzzle, struct symmetry **symmetries, unsigned *count, struct fault *fault)
{
    struct search search = {.cells = puzzle->cell_count, .move_count = puzzle->move_count};
    uint8_t to[RANK_LONGEST];
    search.moves = malloc((puzzle->move_count + 1) * sizeof *search.moves);
    search.to_prove = malloc((puzzle->move_count + 1) * sizeof *search.to_prove);
    search.found = malloc(SYMMETRIES_MOST * sizeof *search.found);
    if (!search.moves || !search.to_prove || !search.found) {
        free(search.moves);
        free(search.to_prove);
        free(search.found);
        return fault_set(fault, FAULT_SYSTEM, "not enough memory for the symmetries");
    }
    number_moves(&search, puzzle);
    if (!search_from(&search, to, 0, 0)) {
        for (unsigned i = 0; i < search.cells; i++) {
            to[i] = (uint8_t)i;
        }
        search.found_count = 0;
        keep(&search, to);
    }
    free(search.moves);
    free(search.to_prove);
    *symmetries = search.found;
    *count = search.found_count;
    return true;
}
