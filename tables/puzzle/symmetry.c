// Finds the symmetries of a permutation puzzle.
#include "puzzle/symmetry.h"

#include <stdlib.h>
#include <string.h>

// Limits the search to some milliseconds. The limit is part of the file format, because fewer
// symmetries make more wildcard classes.
enum { STEPS_MOST = 1 << 18 };

// The symmetries are a group, so only some have to be searched for (the chain of stabilizers of C.
// C. Sims, "Computational methods in the study of permutation groups", 1970). The search goes from
// the last cell to the first. At cell c:
//   1. It knows all symmetries that keep cells 0 … c in place.
//   2. For each later cell, it looks for one symmetry that takes c there and keeps cells 0 … c-1.
//   3. It adds all products of a known symmetry followed by a new one. It then knows all symmetries
//      that keep cells 0 … c-1 in place.
//
// Backtracking finds a symmetry: it chooses the images of cells c+1, c+2 … in turn. For each pair
// of cells, a symmetry keeps the number of moves that take a piece from one to the other. This
// prunes the choices. At the end keeps_moves proves the symmetry.
struct symmetry_search {
    unsigned cells;
    unsigned move_count;
    // The moves, or one of each pair of inverses if every inverse is a move: a symmetry that keeps
    // a move keeps its inverse.
    uint64_t *to_prove;
    unsigned to_prove_count;
    // Every move as a number, a nibble for each cell; sorted.
    uint64_t *moves;
    // At [i][j]: the number of moves that take cell j's piece to cell i.
    uint16_t brings[RANK_LONGEST][RANK_LONGEST];
    struct symmetry *found;
    unsigned found_count;
    unsigned steps;
    bool no_memory;
};

static int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool is_move(const struct symmetry_search *search, uint64_t number)
{
    return bsearch(&number, search->moves, search->move_count, sizeof number, compare_numbers);
}

// Is the conjugate s·m·s⁻¹ a move, for every move m?
static bool keeps_moves(const struct symmetry_search *search, const uint8_t *to)
{
    for (unsigned m = 0; m < search->to_prove_count; m++) {
        uint64_t conjugate = 0;
        for (unsigned i = 0; i < search->cells; i++) {
            unsigned from = (unsigned)(search->to_prove[m] >> (4 * i)) & 15u;
            conjugate |= (uint64_t)to[from] << (4 * to[i]);
        }
        if (!is_move(search, conjugate)) {
            return false;
        }
    }
    return true;
}

static bool may_go_to(const struct symmetry_search *search, const uint8_t *to, unsigned cell,
                      unsigned image)
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

// Makes room for `count` more symmetries.
static bool make_symmetry_room(struct symmetry_search *search, unsigned count)
{
    struct symmetry *larger =
        realloc(search->found, (search->found_count + count) * sizeof *search->found);
    if (!larger) {
        search->no_memory = true;
        return false;
    }
    search->found = larger;
    return true;
}

// Call make_symmetry_room first.
static void keep_symmetry(struct symmetry_search *search, const uint8_t *to)
{
    struct symmetry *symmetry = &search->found[search->found_count++];
    memcpy(symmetry->to, to, search->cells);
    for (unsigned i = 0; i < search->cells; i++) {
        symmetry->from[to[i]] = (uint8_t)i;
    }
}

// Looks for a symmetry that takes the first `cell` cells to the images in `to`. Returns false if
// that takes too long.
static bool complete_symmetry(struct symmetry_search *search, uint8_t *to, unsigned cell,
                              unsigned taken, bool *found)
{
    if (cell == search->cells) {
        *found = keeps_moves(search, to);
        return true;
    }
    for (unsigned image = 0; image < search->cells && !*found; image++) {
        if (search->steps++ == STEPS_MOST) {
            return false;
        }
        if (!(taken >> image & 1) && may_go_to(search, to, cell, image)) {
            to[cell] = (uint8_t)image;
            if (!complete_symmetry(search, to, cell + 1, taken | 1u << image, found)) {
                return false;
            }
        }
    }
    return true;
}

// Keeps each of the first `count` symmetries followed by `to`. Returns false if there are too many,
// or if memory runs out.
static bool keep_followed(struct symmetry_search *search, unsigned count, const uint8_t *to)
{
    uint8_t product[RANK_LONGEST];
    if (count > SYMMETRIES_MOST - search->found_count || !make_symmetry_room(search, count)) {
        return false;
    }
    for (unsigned s = 0; s < count; s++) {
        for (unsigned i = 0; i < search->cells; i++) {
            product[i] = to[search->found[s].to[i]];
        }
        keep_symmetry(search, product);
    }
    return true;
}

// `to` is the identity at first. Returns false if memory runs out, if there are too many
// symmetries, or if finding them takes too long.
static bool find_all(struct symmetry_search *search, uint8_t *to)
{
    for (unsigned cell = search->cells; cell-- > 0;) {
        unsigned keeping = search->found_count;
        for (unsigned image = cell + 1; image < search->cells; image++) {
            bool found = false; // a symmetry that takes `cell` to `image`
            if (!may_go_to(search, to, cell, image)) {
                continue;
            }
            to[cell] = (uint8_t)image;
            if (!complete_symmetry(search, to, cell + 1, ((1u << cell) - 1) | 1u << image,
                                   &found) ||
                (found && !keep_followed(search, keeping, to))) {
                return false;
            }
        }
    }
    return true;
}

static void number_moves(struct symmetry_search *search, const struct puzzle *puzzle)
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

bool symmetries_find(const struct puzzle *puzzle, struct symmetry **symmetries, unsigned *count,
                     struct fewest_error *error)
{
    struct symmetry_search search = {.cells = puzzle->cell_count, .move_count = puzzle->move_count};
    uint8_t to[RANK_LONGEST] = {0};
    search.moves = malloc((puzzle->move_count + 1) * sizeof *search.moves);
    search.to_prove = malloc((puzzle->move_count + 1) * sizeof *search.to_prove);
    if (search.moves && search.to_prove && make_symmetry_room(&search, 1)) {
        number_moves(&search, puzzle);
        for (unsigned i = 0; i < search.cells; i++) {
            to[i] = (uint8_t)i;
        }
        keep_symmetry(&search, to);
        if (!find_all(&search, to)) {
            search.found_count = 1; // the identity
        }
    } else {
        search.no_memory = true;
    }
    free(search.moves);
    free(search.to_prove);
    if (search.no_memory) {
        free(search.found);
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the symmetries");
    }
    *symmetries = search.found;
    *count = search.found_count;
    return true;
}
