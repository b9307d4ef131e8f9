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

// The sum of the bits modulo 2.
static unsigned add_bits(uint64_t bits)
{
    return (unsigned)__builtin_parityll(bits);
}

// The index of a state, whose cells are 0 or 1: the exclusive or of what each lit lamp flips. Not
// all rows of lamps are states. If the index shows other lamps, it is INDEX_NONE. No branches,
// because lamps are unpredictable.
static uint64_t rank_lamps(const struct puzzle *puzzle, unsigned root, const uint8_t *relative)
{
    (void)root;
    const struct lamps *lamps = lamps_of(puzzle);
    uint64_t index = 0;
    unsigned wrong = 0; // 1 as soon as a lamp differs
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        index ^= lamps->flips[i] & -(uint64_t)relative[i]; // all bits of -1 are set
    }
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        wrong |= add_bits(lamps->bits_of[i] & index) ^ relative[i];
    }
    return wrong == 0 ? index : INDEX_NONE;
}

static void unrank_lamps(const struct puzzle *puzzle, unsigned root, uint64_t index,
                         uint8_t *relative)
{
    (void)root;
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        relative[i] = (uint8_t)add_bits(lamps_of(puzzle)->bits_of[i] & index);
    }
}

static void find_neighbours(const struct puzzle *puzzle, unsigned root, uint64_t index,
                            uint64_t *found)
{
    (void)root;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        found[m] = index ^ lamps_of(puzzle)->moves[m];
    }
}

// ---- Matching indices ---------------------------------------------------------------------------

// An equation modulo 2 for the bits of an index: those in `bits` add up to `sum`. Up to 64 systems
// can be solved at once, if they differ only in their sums; then bit k of `sum` belongs to system
// k.
struct equation {
    uint64_t bits;
    uint64_t sum;
};

// Equations in reduced form: each has a *pivot*, its lowest bit, which no other equation has.
struct equations {
    struct equation by_pivot[BITS_MOST]; // entry b is the equation with pivot b, if there is one
    uint64_t pivots;                     // the pivots of all equations
};

static unsigned lowest_bit(uint64_t bits)
{
    return (unsigned)__builtin_ctzll(bits);
}

// Adds an equation, and keeps all in reduced form (Gauss and Jordan). It may follow from the
// others; then nothing changes. False if it contradicts them.
static bool add_equation(struct equations *equations, struct equation equation)
{
    for (uint64_t rest = equation.bits & equations->pivots; rest != 0; rest &= rest - 1) {
        const struct equation *other = &equations->by_pivot[lowest_bit(rest)];
        equation.bits ^= other->bits;
        equation.sum ^= other->sum;
    }
    if (equation.bits == 0) {
        return equation.sum == 0;
    }
    unsigned pivot = lowest_bit(equation.bits);
    for (uint64_t rest = equations->pivots; rest != 0; rest &= rest - 1) {
        struct equation *other = &equations->by_pivot[lowest_bit(rest)];
        if (other->bits >> pivot & 1) {
            other->bits ^= equation.bits;
            other->sum ^= equation.sum;
        }
    }
    equations->by_pivot[pivot] = equation;
    equations->pivots |= UINT64_C(1) << pivot;
    return true;
}

// The bits that change together with free bit b, in every solution: b itself, and the pivots of the
// equations that have it.
static uint64_t find_change(const struct equations *equations, unsigned b)
{
    uint64_t change = UINT64_C(1) << b;
    for (uint64_t rest = equations->pivots; rest != 0; rest &= rest - 1) {
        unsigned pivot = lowest_bit(rest);
        change |= (equations->by_pivot[pivot].bits >> b & 1) << pivot;
    }
    return change;
}

// Adjacent bits of an index: `length` bits from number `first` on.
struct bit_run {
    unsigned first;
    unsigned length;
};

// The longest run of ones among these bits, up to the length that an index_visitor takes at once.
static struct bit_run find_longest_run(uint64_t bits)
{
    struct bit_run longest = {0, 0};
    for (unsigned first = 0; bits >> first != 0; first++) {
        unsigned length = 0;
        while (1u << length < INDEX_RUN_MOST && bits >> (first + length) & 1) {
            length++;
        }
        if (length > longest.length) {
            longest = (struct bit_run){first, length};
        }
    }
    return longest;
}

// Visits all solutions, which have bit_count bits, until the visitor returns false. The bits that
// are no pivot are free. In the first solution all free bits are 0. Free bits that are adjacent and
// change no pivot make a run of solutions; this takes a ninth of the time on a 4×4 board with few
// lamps given (2026-11). Of the other free bits, one changes from one run to the next, as in a Gray
// code.
static void visit_solutions(const struct equations *equations, unsigned bit_count,
                            index_visitor *visit, void *context)
{
    uint64_t change[BITS_MOST];
    unsigned change_count = 0;
    uint64_t free_bits = ~equations->pivots & ((UINT64_C(1) << bit_count) - 1);
    uint64_t alone = 0; // free bits that change no pivot
    uint64_t index = 0;
    for (uint64_t rest = equations->pivots; rest != 0; rest &= rest - 1) {
        unsigned pivot = lowest_bit(rest);
        index |= equations->by_pivot[pivot].sum << pivot;
    }
    for (uint64_t rest = free_bits; rest != 0; rest &= rest - 1) {
        unsigned b = lowest_bit(rest);
        change[b] = find_change(equations, b);
        alone |= change[b] & (change[b] - 1) ? 0 : change[b];
    }
    struct bit_run run = find_longest_run(alone);
    uint64_t step = UINT64_C(1) << run.first;
    free_bits &= ~(step * ((UINT64_C(1) << run.length) - 1));
    for (uint64_t rest = free_bits; rest != 0; rest &= rest - 1) {
        change[change_count++] = change[lowest_bit(rest)];
    }
    // The first run, and then 2^change_count - 1 more: run i changes bit lowest_bit(i).
    for (uint64_t i = 1; visit(context, index, step, 1u << run.length) && i >> change_count == 0;
         i++) {
        index ^= change[lowest_bit(i)];
    }
}

// Each cell that the target gives is an equation: the bits that add up to its lamp have this sum.
// If two contradict each other, no state matches.
static void visit_indices(const struct puzzle *puzzle, unsigned root, const uint8_t *relative,
                          index_visitor *visit, void *context)
{
    (void)root;
    const struct lamps *lamps = lamps_of(puzzle);
    struct equations equations = {.pivots = 0};
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        if (relative[i] != WILD &&
            !add_equation(&equations, (struct equation){lamps->bits_of[i], relative[i]})) {
            return;
        }
    }
    visit_solutions(&equations, lamps->bit_count, visit, context);
}

// ---- Finding ------------------------------------------------------------------------------------

// Are the states those of lamps: orientations modulo 2 of pieces that stay at home, which all
// count?
static bool has_only_lamps(const struct puzzle *puzzle)
{
    const struct segment *segment = &puzzle->segments[0];
    return permutation_of(puzzle)->group && puzzle->segment_count == 1 &&
           segment->kind == SEGMENT_ORIENTATION && segment->pieces < 0 && segment->symbols == 2;
}

// Fills in bit_count, the number of bits of an index, and bits_of[i] for each lamp i:
//
//     lamp i of an index = the sum modulo 2 of the bits of (index & bits_of[i])
//
// The lamps are linear over the exclusive or: lamp i of (a ^ b) is (lamp i of a) ^ (lamp i of b).
// So the states of the indices 1, 2, 4, … tell all lamps: bit b belongs to bits_of[i] if lamp i is
// lit in the state of index 1 << b. The number of states is a power of 2.
static void find_bits(const struct puzzle *puzzle, struct lamps *lamps)
{
    const unsigned root = 0; // a permutation puzzle has only this one
    uint8_t state[CELLS_MOST];
    lamps->bit_count = (unsigned)__builtin_ctzll(puzzle->numbering.state_count);
    for (unsigned b = 0; b < lamps->bit_count; b++) {
        puzzle_unrank(puzzle, root, UINT64_C(1) << b, state);
        for (unsigned i = 0; i < puzzle->cell_count; i++) {
            lamps->bits_of[i] |= (uint64_t)state[i] << b;
        }
    }
}

// Fills in `flips`: the inverse of `bits_of`. Takes the equations of bit_count cells that determine
// the index, and solves them for each of their lamps at once: system k is the one where only the
// lamp of cells[k] is lit. The lamps of the other cells follow from these, and flip nothing.
static void find_flips(const struct puzzle *puzzle, struct lamps *lamps)
{
    struct equations equations = {.pivots = 0};
    unsigned cells[BITS_MOST];
    unsigned count = 0;
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        uint64_t before = equations.pivots;
        add_equation(&equations, (struct equation){lamps->bits_of[i], UINT64_C(1) << count});
        if (equations.pivots != before) { // the equation does not follow from the others
            cells[count++] = i;
        }
    }
    // Now every bit is a pivot, and by_pivot[b].sum has the lamps that flip bit b.
    for (unsigned b = 0; b < lamps->bit_count; b++) {
        for (uint64_t rest = equations.by_pivot[b].sum; rest != 0; rest &= rest - 1) {
            lamps->flips[cells[lowest_bit(rest)]] |= UINT64_C(1) << b;
        }
    }
}

// Replaces the numbering's functions by the faster ones of this file. They give the same indices,
// so the bits are read from the states that the chain unranks. The lamps are freed with the puzzle.
bool permutation_find_lamps(struct puzzle *puzzle, struct fewest_error *error)
{
    uint8_t moved[CELLS_MOST];
    if (!puzzle->numbering.roots[0].chain || !has_only_lamps(puzzle)) {
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
        lamps->moves[m] = rank_lamps(puzzle, 0, moved); // the root has index 0
    }
    lamps->functions = *puzzle->numbering.functions;
    lamps->functions.rank = rank_lamps;
    lamps->functions.unrank = unrank_lamps;
    lamps->functions.neighbours = find_neighbours;
    lamps->functions.predecessors = find_neighbours; // a move undoes itself
    lamps->functions.visit_indices = visit_indices;
    puzzle->numbering.functions = &lamps->functions;
    puzzle->numbering.by_chain = false;
    return true;
}
