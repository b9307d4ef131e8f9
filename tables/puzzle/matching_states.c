// Counts and visits the states that match a wildcard target.
#include "matching_states.h"

#include <string.h>

// The open cells of a target, and the pieces left to fill them.
struct matching {
    const struct puzzle *puzzle;
    matching_state_visitor *visit;
    void *context;
    uint8_t state[CELLS_MOST];
    // In a segment of pieces: how many pieces with value v are left, at its first cell plus v.
    uint8_t left[CELLS_MOST];
};

static void count_left(const struct segment *segment, const uint8_t *target, uint8_t *left)
{
    memcpy(left, segment->amount, segment->symbols);
    for (unsigned i = segment->first; i < segment->first + segment->length; i++) {
        if (target[i] != WILD) {
            left[target[i]]--;
        }
    }
}

// UINT64_MAX if the product is larger.
static uint64_t multiply_capped(uint64_t a, uint64_t b)
{
    return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static uint64_t raise_to_power(unsigned base, unsigned exponent)
{
    uint64_t result = 1;
    for (unsigned i = 0; i < exponent; i++) {
        result = multiply_capped(result, base);
    }
    return result;
}

static uint64_t count_segment(const struct segment *segment, const uint8_t *target, unsigned open)
{
    uint8_t left[PIECES_OF_SET_MOST];
    uint64_t count = 1;
    switch (segment->kind) {
    case SEGMENT_ORIENTATION:
        // If some do not count, `segment->count` may be less.
        count = raise_to_power(segment->symbols, open);
        return segment->count > 0 && segment->count < count ? segment->count : count;
    case SEGMENT_TOPS:
        count_left(segment, target, left);
        return left[0] == 0 ? raise_to_power(segment->symbols - 1, open)
                            : multiply_capped(open, raise_to_power(segment->symbols - 1, open - 1));
    case SEGMENT_ARRANGEMENT:
    case SEGMENT_MULTISET:
        count_left(segment, target, left);
        multiset_count(open, segment->symbols, left, &count);
    }
    return count;
}

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

static bool visit_state(const struct matching *matching)
{
    const struct puzzle *puzzle = matching->puzzle;
    uint8_t state[CELLS_MOST];
    memcpy(state, matching->state, puzzle->cell_count);
    puzzle_forget_ignored(puzzle, state);
    return matching->visit(matching->context, state);
}

static bool fill_from(struct matching *matching, unsigned s, unsigned cell);

// The values that an open cell can hold, as far as those that are left do not matter.
static void find_values(const struct segment *segment, const uint8_t *state, unsigned cell,
                        unsigned *least, unsigned *end)
{
    *least = segment->kind == SEGMENT_TOPS ? 1 : 0; // the blank is placed
    *end = segment->symbols;
    if (segment->kind == SEGMENT_ORIENTATION && segment->ignores &&
        !segment_counts_at(segment, state, cell - segment->first)) {
        *end = 1;
    }
}

// Fills one open cell with each value that is left, and goes on with the cells after it.
static bool fill_cell(struct matching *matching, unsigned s, unsigned cell)
{
    const struct segment *segment = &matching->puzzle->segments[s];
    bool pieces = segment->kind == SEGMENT_ARRANGEMENT || segment->kind == SEGMENT_MULTISET;
    bool go_on = true;
    unsigned value;
    unsigned end;
    for (find_values(segment, matching->state, cell, &value, &end); value < end && go_on; value++) {
        uint8_t *left = pieces ? &matching->left[segment->first + value] : NULL;
        if (left && *left == 0) {
            continue;
        }
        matching->state[cell] = (uint8_t)value;
        if (left) {
            --*left;
        }
        go_on = fill_from(matching, s, cell + 1);
        if (left) {
            ++*left;
        }
    }
    matching->state[cell] = WILD;
    return go_on;
}

// Is the cell of this value a digit of the segment's rank, before the other cells (rank.h,
// segment.c)?
static bool is_placed_first(const struct segment *segment, unsigned value)
{
    return (segment->kind == SEGMENT_MULTISET && segment->amount[value] == 1) ||
           (segment->kind == SEGMENT_TOPS && value == 0);
}

// Places these values, from `value` on, in the open cells of a segment. Then fills the other cells.
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

// Fills the open cells of a segment, from `cell` on, and of the segments after it.
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
    return s + 1 < matching->puzzle->segment_count ? fill_segment(matching, s + 1, 0)
                                                   : visit_state(matching);
}

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

// Visits the indices of the last dial in runs.
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

static bool turn_dials(const struct dials *dials, unsigned d, uint64_t index)
{
    if (d == dials->count) {
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

// Adds a dial. If it goes on where the last one ends, they become one.
static void add_dial(struct dials *dials, struct dial dial)
{
    struct dial *last = dials->count > 0 ? &dials->dial[dials->count - 1] : NULL;
    if (last && last->term * last->turns == dial.term) {
        last->turns *= dial.turns;
    } else {
        dials->dial[dials->count++] = dial;
    }
}

// Puts the dial last whose turns make the runs. Adjacent entries are read fastest. So this is the
// first dial, if its term is 1 and it has enough turns, and otherwise the one with the most turns.
static void put_runs_last(struct dials *dials)
{
    enum { ENOUGH = 16 };
    unsigned runs = 0;
    bool adjacent = dials->count > 0 && dials->dial[0].term == 1 && dials->dial[0].turns >= ENOUGH;
    for (unsigned d = 1; d < dials->count && !adjacent; d++) {
        runs = dials->dial[d].turns > dials->dial[runs].turns ? d : runs;
    }
    if (dials->count > 0) {
        struct dial last = dials->dial[dials->count - 1];
        dials->dial[dials->count - 1] = dials->dial[runs];
        dials->dial[runs] = last;
    }
}

// Adds the cells of a target to the dials. `least` is their lowest value. `skip` is a cell that has
// no term.
static void set_dials(struct dials *dials, const struct segment *segment, const uint8_t *target,
                      unsigned least, unsigned skip)
{
    uint64_t term = 1;
    dials->count = 0;
    for (unsigned i = segment->length; i-- > 0;) {
        if (i == skip) {
            continue;
        }
        if (target[i] == WILD) {
            add_dial(dials, (struct dial){term, segment->symbols - least});
        } else {
            dials->base += term * (target[i] - least);
        }
        term *= segment->symbols - least;
    }
    put_runs_last(dials);
}

static bool turn_tops(struct dials *dials, const struct segment *segment, const uint8_t *target,
                      unsigned blank)
{
    dials->base = blank * (segment->count / segment->length);
    set_dials(dials, segment, target, 1, blank);
    return turn_dials(dials, 0, dials->base);
}

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
    const uint8_t *given = memchr(relative, 0, segment->length);
    if (given) {
        turn_tops(&dials, segment, relative, (unsigned)(given - relative));
        return;
    }
    for (unsigned blank = 0; blank < segment->length; blank++) {
        if (relative[blank] == WILD && !turn_tops(&dials, segment, relative, blank)) {
            return;
        }
    }
}
