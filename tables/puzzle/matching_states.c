// Counts and visits the states that match a wildcard target.
#include "matching_states.h"

#include <string.h>

// A pass through the states that match a target. An *open* cell has a wildcard in the target.
struct matching {
    const struct puzzle *puzzle;
    matching_state_taker *take;
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
        // The blank is in one open cell, and each other one has a top.
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
    return matching->take(matching->context, state);
}

static bool fill_from(struct matching *matching, unsigned s, unsigned cell);

// Fills in the values that an open cell can hold, *least … *end-1, whether or not such pieces are
// left. An orientation that does not count can only be 0.
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

// Fills one open cell of segment s with each value that is left, and each time visits all ways to
// fill the cells after it. False if the visitor ended the pass. The cell is WILD again in the end.
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

// Must this value be placed before all others, so that states are visited in the order of their
// ranks? The rank of a segment begins with the cells of some values: of the pieces that appear
// once, if others look alike (rank.h), and of the blank among tops.
static bool is_placed_first(const struct segment *segment, unsigned value)
{
    return (segment->kind == SEGMENT_MULTISET && segment->amount[value] == 1) ||
           (segment->kind == SEGMENT_TOPS && value == 0);
}

// Visits all ways to fill segment s and the segments after it. Places the next value from `value`
// on that is_placed_first in each open cell, and goes on with the values after it. When no such
// value is left, fills the other cells. False if the visitor ended the pass.
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

// Visits all ways to fill the open cells of segment s, from `cell` on, and of the segments after
// it. When no cell is left open, visits the state. False if the visitor ended the pass.
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
                           matching_state_taker *take, void *context)
{
    struct matching matching; // only as many cells as there are get a value
    matching.puzzle = puzzle;
    matching.take = take;
    matching.context = context;
    memcpy(matching.state, target, puzzle->cell_count);
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        if (segment->kind != SEGMENT_ORIENTATION) {
            count_left(segment, target, matching.left + segment->first);
        }
    }
    fill_segment(&matching, 0, 0); // from segment 0 and value 0 on
}
