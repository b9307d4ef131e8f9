// Numbers the states of boards of lamps: the only cells are orientations modulo 2 of pieces that
// stay at home.
//
// The index is then a row of bits, the digits of the chain. It is linear: the lamps are sums modulo
// 2 of these bits, because two elements of the group make one by adding them. So each lamp that is
// lit flips some bits of the index, and so does each move. A target with wildcards is a system of
// linear equations, one for each cell that it gives, whose solutions are the matching indices.
#include "permutation.h"

#include <stdlib.h>

enum { BITS_MOST = 64 };

struct lamps {
    struct numbering_functions functions;
    unsigned bit_count;           // of an index
    uint64_t bits_of[CELLS_MOST]; // by cell: the bits of the index that add up to its lamp
    uint64_t flips[CELLS_MOST];   // by cell: the bits of the index that its lamp flips
    uint64_t moves[MOVES_MOST];   // by move: the bits of the index that it flips
};

static const struct lamps *lamps_of(const struct puzzle *puzzle)
{
    return permutation_of(puzzle)->lamps;
}

static unsigned add_bits(uint64_t bits)
{
    return (unsigned)__builtin_parityll(bits);
}

static uint64_t rank(const struct puzzle *puzzle, unsigned root, const uint8_t *relative)
{
    (void)root;
    const struct lamps *lamps = lamps_of(puzzle);
    uint64_t index = 0;
    unsigned wrong = 0;
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        index ^= lamps->flips[i] & -(uint64_t)relative[i];
    }
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        wrong |= add_bits(lamps->bits_of[i] & index) ^ relative[i];
    }
    return wrong == 0 ? index : INDEX_NONE;
}

static void unrank(const struct puzzle *puzzle, unsigned root, uint64_t index, uint8_t *relative)
{
    (void)root;
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        relative[i] = (uint8_t)add_bits(lamps_of(puzzle)->bits_of[i] & index);
    }
}

static void neighbours(const struct puzzle *puzzle, unsigned root, uint64_t index, uint64_t *found)
{
    (void)root;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        found[m] = index ^ lamps_of(puzzle)->moves[m];
    }
}

// ---- Matching indices ---------------------------------------------------------------------------

struct equation {
    uint64_t bits; // of an index, which add up to `sum`
    uint64_t sum;  // a bit for each system
};

// Systems that differ only in their sums.
struct equations {
    struct equation of[BITS_MOST]; // by the lowest bit, which no other equation has
    uint64_t lowest;               // the lowest bits of the equations
};

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
static void visit_solutions(const struct equations *equations, unsigned bit_count,
                            index_visitor *visit, void *context)
{
    uint64_t change[BITS_MOST];
    unsigned free_count = 0;
    uint64_t index = 0;
    for (uint64_t rest = equations->lowest; rest != 0; rest &= rest - 1) {
        unsigned b = (unsigned)__builtin_ctzll(rest);
        index |= equations->of[b].sum << b;
    }
    for (unsigned b = 0; b < bit_count; b++) {
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
    const struct lamps *lamps = lamps_of(puzzle);
    struct equations equations = {.lowest = 0};
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        if (relative[i] != WILD &&
            !add_equation(&equations, (struct equation){lamps->bits_of[i], relative[i]})) {
            return;
        }
    }
    visit_solutions(&equations, lamps->bit_count, visit, context);
}

// ---- Finding ------------------------------------------------------------------------------------

static bool is_row_of_bits(const struct puzzle *puzzle)
{
    const struct segment *segment = &puzzle->segments[0];
    return permutation_of(puzzle)->group && puzzle->segment_count == 1 &&
           segment->kind == SEGMENT_ORIENTATION && segment->pieces < 0 && segment->symbols == 2;
}

static void find_bits(const struct puzzle *puzzle, struct lamps *lamps)
{
    uint8_t state[CELLS_MOST];
    lamps->bit_count = (unsigned)__builtin_ctzll(puzzle->numbering.state_count);
    for (unsigned b = 0; b < lamps->bit_count; b++) {
        permutation_unrank(puzzle, 0, UINT64_C(1) << b, state);
        for (unsigned i = 0; i < puzzle->cell_count; i++) {
            lamps->bits_of[i] |= (uint64_t)state[i] << b;
        }
    }
}

// Solves the equations of enough cells for all their lamps at once: each has a bit of the sums. The
// lamps of the other cells follow, and flip nothing.
static void find_flips(const struct puzzle *puzzle, struct lamps *lamps)
{
    struct equations equations = {.lowest = 0};
    unsigned cells[BITS_MOST];
    unsigned count = 0;
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        uint64_t before = equations.lowest;
        add_equation(&equations, (struct equation){lamps->bits_of[i], UINT64_C(1) << count});
        if (equations.lowest != before) {
            cells[count++] = i;
        }
    }
    for (unsigned b = 0; b < lamps->bit_count; b++) {
        for (uint64_t rest = equations.of[b].sum; rest != 0; rest &= rest - 1) {
            lamps->flips[cells[__builtin_ctzll(rest)]] |= UINT64_C(1) << b;
        }
    }
}

bool permutation_find_lamps(struct puzzle *puzzle, struct fewest_error *error)
{
    uint8_t moved[CELLS_MOST];
    if (!puzzle->numbering.roots[0].chain || !is_row_of_bits(puzzle)) {
        return true;
    }
    struct lamps *lamps = calloc(1, sizeof *lamps);
    permutation_of(puzzle)->lamps = lamps;
    if (!lamps) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the moves");
    }
    find_bits(puzzle, lamps);
    find_flips(puzzle, lamps);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        permutation_apply(puzzle, m, puzzle->numbering.roots[0].target, moved);
        lamps->moves[m] = rank(puzzle, 0, moved);
    }
    lamps->functions = *puzzle->numbering.functions;
    lamps->functions.rank = rank;
    lamps->functions.unrank = unrank;
    lamps->functions.neighbours = neighbours;
    lamps->functions.predecessors = neighbours; // a move undoes itself
    // A dense index has a way of its own (matching_states.c).
    lamps->functions.visit_indices = puzzle->numbering.dense ? NULL : visit_indices;
    puzzle->numbering.functions = &lamps->functions;
    puzzle->numbering.by_chain = false;
    return true;
}
