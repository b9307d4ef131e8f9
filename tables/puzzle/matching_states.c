// Counts and visits the states that match a wildcard target.
#include "matching_states.h"

#include <string.h>

// A pass through the states that match a target. An *open* cell has a wildcard in the target.
struct matching {
    const struct puzzle *puzzle;
    matching_state_visitor *visit;
    void *context;
    uint8_t state[CELLS_MOST]; // the target, whose open cells hold a value or still WILD
    // For a segment of pieces, entry first + v: how many pieces of value v are left for open cells.
    uint8_t left[CELLS_MOST];
};

// Sets left[v] to the number of pieces of value v that the target does not give. `left` has room
// for segment->symbols numbers. The target gives no piece more often than the puzzle has it.
static void count_left(const struct segment *segment, const uint8_t *target, uint8_t *left)
{
    memcpy(left, segment->amount, segment->symbols);
    for (unsigned i = segment->first; i < segment->first + segment->length; i++) {
        if (target[i] != WILD) {
            left[target[i]]--;
        }
    }
}

// The product of two numbers, or UINT64_MAX if it is larger.
static uint64_t multiply_capped(uint64_t a, uint64_t b)
{
    return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

// A power, or UINT64_MAX if it is larger.
static uint64_t raise_to_power(unsigned base, unsigned exponent)
{
    uint64_t result = 1;
    for (unsigned i = 0; i < exponent; i++) {
        result = multiply_capped(result, base);
    }
    return result;
}

// The number of ways to fill the `open` wildcards of a segment of the target, or UINT64_MAX if
// there are too many to count.
static uint64_t count_segment(const struct segment *segment, const uint8_t *target, unsigned open)
{
    uint8_t left[PIECES_OF_SET_MOST];
    uint64_t count = 1;
    switch (segment->kind) {
    case SEGMENT_ORIENTATION:
        // If some orientations do not count, all states may be fewer than this product.
        count = raise_to_power(segment->symbols, open);
        if (segment->count > 0 && segment->count < count) { // 0: they exceed 64 bits
            count = segment->count;
        }
        return count;
    case SEGMENT_TOPS:
        count_left(segment, target, left);
        if (left[0] == 0) { // the blank is given
            return raise_to_power(segment->symbols - 1, open);
        }
        return multiply_capped(open, raise_to_power(segment->symbols - 1, open - 1));
    case SEGMENT_ARRANGEMENT:
    case SEGMENT_MULTISET:
        count_left(segment, target, left);
        if (!multiset_count(open, segment->symbols, left, &count)) {
            return UINT64_MAX;
        }
    }
    return count;
}

// A cell matches if the target has a wildcard there or the same value, or if it is an orientation
// that does not count.
bool state_matches(const struct puzzle *puzzle, const uint8_t *state, const uint8_t *target)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        for (unsigned i = 0; i < segment->length; i++) {
            unsigned cell = segment->first + i;
            if (target[cell] != WILD && target[cell] != state[cell] &&
                (!segment->ignores || segment_counts_at(segment, state, i))) {
                return false;
            }
        }
    }
    return true;
}

// Segments are filled independently, so the counts are multiplied.
uint64_t count_matching_states(const struct puzzle *puzzle, const uint8_t *target)
{
    uint64_t total = 1;
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        unsigned open = 0;
        for (unsigned i = segment->first; i < segment->first + segment->length; i++) {
            open += target[i] == WILD;
        }
        total = multiply_capped(total, count_segment(segment, target, open));
    }
    return total;
}

// Hands the filled state to the visitor, as a copy with ignored orientations at 0. Returns what the
// visitor returns: false ends the pass.
static bool visit_state(const struct matching *matching)
{
    const struct puzzle *puzzle = matching->puzzle;
    uint8_t state[CELLS_MOST];
    memcpy(state, matching->state, puzzle->cell_count);
    puzzle_forget_ignored(puzzle, state);
    return matching->visit(matching->context, state);
}

static bool fill_from(struct matching *matching, unsigned s, unsigned cell);

// The values that an open cell can hold, *least … *end-1, whether or not such pieces are left. An
// orientation that does not count is 0.
static void find_values(const struct segment *segment, const uint8_t *state, unsigned cell,
                        unsigned *least, unsigned *end)
{
    *least = segment->kind == SEGMENT_TOPS ? 1 : 0; // fill_segment has placed the blank, 0
    *end = segment->symbols;
    if (segment->kind == SEGMENT_ORIENTATION && segment->ignores &&
        !segment_counts_at(segment, state, cell - segment->first)) {
        *end = 1;
    }
}

// Fills one open cell of segment s with each value that is left, and each time goes on with the
// cells after it. False if the visitor ended the pass. The cell is WILD again in the end.
static bool fill_cell(struct matching *matching, unsigned s, unsigned cell)
{
    const struct segment *segment = &matching->puzzle->segments[s];
    // Pieces are used up. Orientations and tops can repeat.
    bool has_amounts = segment->kind == SEGMENT_ARRANGEMENT || segment->kind == SEGMENT_MULTISET;
    uint8_t *left = matching->left + segment->first;
    bool go_on = true;
    unsigned least;
    unsigned end;
    find_values(segment, matching->state, cell, &least, &end);
    for (unsigned value = least; value < end && go_on; value++) {
        matching->state[cell] = (uint8_t)value;
        if (!has_amounts) {
            go_on = fill_from(matching, s, cell + 1);
        } else if (left[value] > 0) {
            left[value]--;
            go_on = fill_from(matching, s, cell + 1);
            left[value]++;
        }
    }
    matching->state[cell] = WILD;
    return go_on;
}

// The states are visited in the order of their ranks. The rank of a segment begins with the cells
// of some values: of the pieces that appear once, if others look alike, and of the blank among
// tops. Is this such a value?
static bool is_placed_first(const struct segment *segment, unsigned value)
{
    return (segment->kind == SEGMENT_MULTISET && segment->amount[value] == 1) ||
           (segment->kind == SEGMENT_TOPS && value == 0);
}

// Fills segment s: first places each value from `value` on that is_placed_first, in each open cell.
// So the states come in the order of their ranks. Then fills the other cells, and the segments
// after this one. False if the visitor ended the pass.
static bool fill_segment(struct matching *matching, unsigned s, unsigned value)
{
    const struct segment *segment = &matching->puzzle->segments[s];
    uint8_t *left = matching->left + segment->first;
    bool go_on = true;
    while (value < segment->symbols && !(is_placed_first(segment, value) && left[value] > 0)) {
        value++;
    }
    if (value == segment->symbols) {
        return fill_from(matching, s, segment->first);
    }
    left[value]--;
    for (unsigned i = segment->first; i < segment->first + segment->length && go_on; i++) {
        if (matching->state[i] == WILD) {
            matching->state[i] = (uint8_t)value;
            go_on = fill_segment(matching, s, value + 1);
            matching->state[i] = WILD;
        }
    }
    left[value]++;
    return go_on;
}

// Fills the open cells of segment s, from `cell` on, and of the segments after it, in every way. At
// the end it visits the state. False if the visitor ended the pass.
static bool fill_from(struct matching *matching, unsigned s, unsigned cell)
{
    const struct segment *segment = &matching->puzzle->segments[s];
    unsigned stop = segment->first + segment->length;
    while (cell < stop && matching->state[cell] != WILD) {
        cell++;
    }
    if (cell < stop) {
        return fill_cell(matching, s, cell);
    }
    if (s + 1 < matching->puzzle->segment_count) {
        return fill_segment(matching, s + 1, 0);
    }
    return visit_state(matching);
}

// Fills the segments one after the other, beginning with the first (fill_segment).
void visit_matching_states(const struct puzzle *puzzle, const uint8_t *target,
                           matching_state_visitor *visit, void *context)
{
    struct matching matching; // only as many cells as there are get a value
    matching.puzzle = puzzle;
    matching.visit = visit;
    matching.context = context;
    memcpy(matching.state, target, puzzle->cell_count);
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        if (segment->kind != SEGMENT_ORIENTATION) {
            count_left(segment, target, matching.left + segment->first);
        }
    }
    fill_segment(&matching, 0, 0);
}

// ---- By index -----------------------------------------------------------------------------------

// An open cell whose value adds to the index: a multiple of `term`, from 0 to turns-1 times. Two
// dials can be one if they make a run together (add_dial).
struct dial {
    uint64_t term; // what one turn adds to the index
    unsigned turns;
};

struct dials {
    struct dial dial[PIECES_OF_SET_MOST];
    unsigned count;
    uint64_t base; // the terms of the cells that are given
    index_visitor *visit;
    void *context;
};

// Visits `index` plus each multiple of the last dial's term, in runs of at most INDEX_RUN_MOST.
// False if the visitor ended the pass.
static bool turn_last_dial(const struct dials *dials, const struct dial *dial, uint64_t index)
{
    bool go_on = true;
    for (unsigned turn = 0; turn < dial->turns && go_on; turn += INDEX_RUN_MOST) {
        unsigned left = dial->turns - turn;
        go_on = dials->visit(dials->context, index + turn * dial->term, dial->term,
                             left < INDEX_RUN_MOST ? left : INDEX_RUN_MOST);
    }
    return go_on;
}

// Visits all indices that dial d and those after it make of `index`, each once. False if the
// visitor ended the pass.
static bool turn_dials(const struct dials *dials, unsigned d, uint64_t index)
{
    if (d == dials->count) { // only if there are no dials
        return dials->visit(dials->context, index, 0, 1);
    }
    const struct dial *dial = &dials->dial[d];
    if (d + 1 == dials->count) {
        return turn_last_dial(dials, dial, index);
    }
    for (unsigned turn = 0; turn < dial->turns; turn++) {
        if (!turn_dials(dials, d + 1, index + turn * dial->term)) {
            return false;
        }
    }
    return true;
}

// Adds a dial. If its term follows the multiples of the last dial's, they become one dial, which
// makes all sums of the two.
static void add_dial(struct dials *dials, struct dial dial)
{
    struct dial *last = dials->count > 0 ? &dials->dial[dials->count - 1] : NULL;
    if (last && last->term * last->turns == dial.term) {
        last->turns *= dial.turns;
    } else {
        dials->dial[dials->count++] = dial;
    }
}

// Chooses the dial whose turns make the runs, and exchanges it with the last one. Adjacent entries
// are read fastest. So it is the first dial, if its term is 1 and it has enough turns, and
// otherwise the one with the most turns.
static void put_runs_last(struct dials *dials)
{
    enum { ENOUGH = 16 };
    if (dials->count == 0) {
        return;
    }
    unsigned chosen = 0;
    if (dials->dial[0].term != 1 || dials->dial[0].turns < ENOUGH) {
        for (unsigned d = 1; d < dials->count; d++) {
            if (dials->dial[d].turns > dials->dial[chosen].turns) {
                chosen = d;
            }
        }
    }
    struct dial last = dials->dial[dials->count - 1];
    dials->dial[dials->count - 1] = dials->dial[chosen];
    dials->dial[chosen] = last;
}

// Reads a target of one segment, whose index is a number to the base symbols - least with the last
// cell as its lowest digit. Makes a dial of each open cell, and adds the terms of the others to
// dials->base. `least` is the lowest value of a cell. Cell `skip` has no digit; there is none if it
// is segment->length.
static void set_dials(struct dials *dials, const struct segment *segment, const uint8_t *target,
                      unsigned least, unsigned skip)
{
    unsigned radix = segment->symbols - least;
    uint64_t term = 1;
    dials->count = 0;
    for (unsigned i = segment->length; i-- > 0;) {
        if (i == skip) {
            continue;
        }
        if (target[i] == WILD) {
            add_dial(dials, (struct dial){term, radix});
        } else {
            dials->base += term * (target[i] - least);
        }
        term *= radix;
    }
    put_runs_last(dials);
}

// Visits the indices of all rows of tops that match a target and have the blank in cell `blank`.
// False if the visitor ended the pass.
static bool visit_tops(struct dials *dials, const struct segment *segment, const uint8_t *target,
                       unsigned blank)
{
    dials->base = blank * (segment->count / segment->length);
    set_dials(dials, segment, target, 1, blank);
    return turn_dials(dials, 0, dials->base);
}

// The index must be the dense index of a single segment whose digits do not depend on each other.
bool has_matching_indices(const struct puzzle *puzzle)
{
    const struct segment *segment = &puzzle->segments[0];
    if (puzzle->numbering.functions->visit_indices) {
        return true;
    }
    return puzzle->numbering.dense && puzzle->segment_count == 1 &&
           (segment->kind == SEGMENT_TOPS ||
            (segment->kind == SEGMENT_ORIENTATION && !segment->ignores));
}

// The blank of a row of tops is given, or it can be in each open cell. Then there is a pass for
// each.
void visit_matching_indices(const struct puzzle *puzzle, unsigned root, const uint8_t *relative,
                            index_visitor *visit, void *context)
{
    const struct segment *segment = &puzzle->segments[0];
    struct dials dials = {.visit = visit, .context = context};
    if (puzzle->numbering.functions->visit_indices) {
        puzzle->numbering.functions->visit_indices(puzzle, root, relative, visit, context);
        return;
    }
    if (segment->kind == SEGMENT_ORIENTATION) {
        set_dials(&dials, segment, relative, 0, segment->length);
        turn_dials(&dials, 0, dials.base);
        return;
    }
    const uint8_t *given_blank = memchr(relative, 0, segment->length);
    if (given_blank) {
        visit_tops(&dials, segment, relative, (unsigned)(given_blank - relative));
        return;
    }
    for (unsigned blank = 0; blank < segment->length; blank++) {
        if (relative[blank] == WILD && !visit_tops(&dials, segment, relative, blank)) {
            return;
        }
    }
}
