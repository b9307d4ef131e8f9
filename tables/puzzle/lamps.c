// Numbers the states of boards of lamps: the only cells are orientations modulo 2 of pieces that
// stay at home.
//
// The index is then a row of bits, the digits of the chain. It is linear: the lamps are sums modulo
// 2 of these bits, because two elements of the group make one by adding them. A move flips the same
// bits of every index. A target with wildcards is a system of linear equations, one
// for each cell that it gives, whose solutions are the matching indices.
#include "puzzle/permutation_family.h"

#include <stdlib.h>

enum { BITS_MOST = 64 };

static void neighbours(const struct puzzle *puzzle, unsigned root, uint64_t index, uint64_t *found)
{
    (void)root;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        found[m] = index ^ permutation_of(puzzle)->flips[m];
    }
}

// ---- Matching indices ---------------------------------------------------------------------------

struct equation {
    uint64_t bits; // those that add up to `sum`
    unsigned sum;
};

struct equations {
    unsigned bit_count;            // of an index
    uint64_t bits_of[CELLS_MOST];  // by cell
    struct equation of[BITS_MOST]; // by the lowest bit, which no other equation has
    uint64_t lowest;               // the lowest bits of the equations
};

static void find_bits(const struct puzzle *puzzle, struct equations *equations)
{
    uint8_t state[CELLS_MOST];
    equations->bit_count = (unsigned)__builtin_ctzll(puzzle->numbering.state_count);
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        equations->bits_of[i] = 0;
    }
    for (unsigned b = 0; b < equations->bit_count; b++) {
        permutation_unrank(puzzle, 0, UINT64_C(1) << b, state);
        for (unsigned i = 0; i < puzzle->cell_count; i++) {
            equations->bits_of[i] |= (uint64_t)state[i] << b;
        }
    }
}

// Adds an equation. False if it contradicts the others.
static bool add_equation(struct equations *equations, struct equation equation)
{
    for (uint64_t rest = equation.bits & equations->lowest; rest != 0; rest &= rest - 1) {
        const struct equation *other = &equations->of[__builtin_ctzll(rest)];
        equation.bits ^= other->bits;
        equation.sum ^= other->sum;
    }
    if (equation.bits == 0) {
        return equation.sum == 0;
    }
    unsigned lowest = (unsigned)__builtin_ctzll(equation.bits);
    for (uint64_t rest = equations->lowest; rest != 0; rest &= rest - 1) {
        struct equation *other = &equations->of[__builtin_ctzll(rest)];
        if (other->bits >> lowest & 1) {
            other->bits ^= equation.bits;
            other->sum ^= equation.sum;
        }
    }
    equations->of[lowest] = equation;
    equations->lowest |= UINT64_C(1) << lowest;
    return true;
}

// Visits all solutions. The bits that are no lowest bit are free. From one solution to the next,
// one of them changes, as in a Gray code, and with it the lowest bits of the equations that have
// it.
static void visit_solutions(const struct equations *equations, index_visitor *visit, void *context)
{
    uint64_t change[BITS_MOST];
    unsigned free_count = 0;
    uint64_t index = 0;
    for (uint64_t rest = equations->lowest; rest != 0; rest &= rest - 1) {
        unsigned b = (unsigned)__builtin_ctzll(rest);
        index |= (uint64_t)equations->of[b].sum << b;
    }
    for (unsigned b = 0; b < equations->bit_count; b++) {
        if (equations->lowest >> b & 1) {
            continue;
        }
        uint64_t bits = UINT64_C(1) << b;
        for (uint64_t rest = equations->lowest; rest != 0; rest &= rest - 1) {
            unsigned lowest = (unsigned)__builtin_ctzll(rest);
            bits |= (equations->of[lowest].bits >> b & 1) << lowest;
        }
        change[free_count++] = bits;
    }
    for (uint64_t i = 1; visit(context, index, 0, 1) && i >> free_count == 0; i++) {
        index ^= change[__builtin_ctzll(i)];
    }
}

static void visit_indices(const struct puzzle *puzzle, unsigned root, const uint8_t *relative,
                          index_visitor *visit, void *context)
{
    (void)root;
    struct equations equations; // only as many cells as there are get a value
    equations.lowest = 0;
    find_bits(puzzle, &equations);
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        if (relative[i] != WILD &&
            !add_equation(&equations, (struct equation){equations.bits_of[i], relative[i]})) {
            return;
        }
    }
    visit_solutions(&equations, visit, context);
}

// ---- Finding ------------------------------------------------------------------------------------

static bool is_row_of_bits(const struct puzzle *puzzle)
{
    const struct segment *segment = &puzzle->segments[0];
    return permutation_of(puzzle)->group && puzzle->segment_count == 1 &&
           segment->kind == SEGMENT_ORIENTATION && segment->pieces < 0 && segment->symbols == 2;
}

bool permutation_find_lamps(struct puzzle *puzzle, struct fewest_error *error)
{
    struct permutation *permutation = permutation_of(puzzle);
    uint8_t moved[CELLS_MOST];
    if (!puzzle->numbering.roots[0].chain || !is_row_of_bits(puzzle)) {
        return true;
    }
    uint64_t *flips = calloc(puzzle->move_count, sizeof *flips);
    if (!flips) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the moves");
    }
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        permutation_apply(puzzle, m, puzzle->numbering.roots[0].target, moved);
        flips[m] = permutation_rank(puzzle, 0, moved);
    }
    permutation->flips = flips;
    permutation->lamps_numbering = *puzzle->numbering.functions;
    permutation->lamps_numbering.neighbours = neighbours;
    permutation->lamps_numbering.predecessors = neighbours; // a move undoes itself
    // A dense index has a way of its own (matching_states.c).
    permutation->lamps_numbering.visit_indices = puzzle->numbering.dense ? NULL : visit_indices;
    puzzle->numbering.functions = &permutation->lamps_numbering;
    puzzle->numbering.self_inverse = true;
    return true;
}
