// Goes through all states that match a wildcard target.
#include "puzzle/completion.h"

#include "puzzle/invariant.h"

#include <string.h>

// The cells that a pattern leaves open, and what may still stand in them.
struct completion {
    const struct puzzle *puzzle;
    completion_visitor *visit;
    void *context;
    uint8_t state[CELLS_MOST];
    uint8_t left[CELLS_MOST]; // of pieces: how often each value may still stand, at the segment's first cell
};

static void count_left(const struct segment *segment, const uint8_t *pattern, uint8_t *left)
{
    memcpy(left, segment->amount, segment->symbols);
    for (unsigned i = segment->first; i < segment->first + segment->length; i++) {
        if (pattern[i] != WILD) {
            left[pattern[i]]--;
        }
    }
}

static uint64_t times(uint64_t a, uint64_t b)
{
    return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static uint64_t power(unsigned base, unsigned exponent)
{
    uint64_t result = 1;
    for (unsigned i = 0; i < exponent; i++) {
        result = times(result, base);
    }
    return result;
}

static uint64_t count_segment(const struct segment *segment, const uint8_t *pattern, unsigned open)
{
    uint8_t left[PIECES_MOST];
    uint64_t count = 1;
    switch (segment->kind) {
    case SEGMENT_ORIENTATION:
        return power(segment->symbols, open);
    case SEGMENT_TOPS:
        count_left(segment, pattern, left);
        return left[0] == 0 ? power(segment->symbols - 1, open) : times(open, power(segment->symbols - 1, open - 1));
    case SEGMENT_ARRANGEMENT:
    case SEGMENT_MULTISET:
        count_left(segment, pattern, left);
        multiset_count(open, segment->symbols, left, &count);
    }
    return count;
}

uint64_t completion_count(const struct puzzle *puzzle, const uint8_t *pattern)
{
    uint64_t total = 1;
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        unsigned open = 0;
        for (unsigned i = segment->first; i < segment->first + segment->length; i++) {
            open += pattern[i] == WILD;
        }
        total = times(total, count_segment(segment, pattern, open));
    }
    return total;
}

static bool visit_state(const struct completion *completion)
{
    const struct puzzle *puzzle = completion->puzzle;
    uint8_t state[CELLS_MOST];
    if (puzzle->group) {
        return completion->visit(completion->context, completion->state);
    }
    memcpy(state, completion->state, puzzle->cell_count);
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        if (puzzle->segments[s].kind == SEGMENT_ORIENTATION) {
            puzzle_forget_ignored(&puzzle->segments[s], state);
        }
    }
    return completion->visit(completion->context, state);
}

static bool complete_from(struct completion *completion, unsigned s, unsigned cell);

// Fills one open cell in every way that is left, and goes on with the cells after it.
static bool complete_cell(struct completion *completion, unsigned s, unsigned cell)
{
    const struct segment *segment = &completion->puzzle->segments[s];
    bool pieces = segment->kind != SEGMENT_ORIENTATION;
    bool go_on = true;
    for (unsigned value = 0; value < segment->symbols && go_on; value++) {
        uint8_t *left = pieces ? &completion->left[segment->first + value] : NULL;
        if (left && *left == 0) {
            continue;
        }
        completion->state[cell] = (uint8_t)value;
        if (left) {
            --*left;
        }
        go_on = complete_from(completion, s, cell + 1);
        if (left) {
            ++*left;
        }
    }
    completion->state[cell] = WILD;
    return go_on;
}

static bool complete_from(struct completion *completion, unsigned s, unsigned cell)
{
    const struct puzzle *puzzle = completion->puzzle;
    while (s < puzzle->segment_count) {
        const struct segment *segment = &puzzle->segments[s];
        unsigned stop = segment->first + segment->length;
        while (cell < stop && completion->state[cell] != WILD) {
            cell++;
        }
        if (cell == stop) {
            s++;
            continue;
        }
        return complete_cell(completion, s, cell);
    }
    return visit_state(completion);
}

void completion_each(const struct puzzle *puzzle, const uint8_t *pattern, completion_visitor *visit, void *context)
{
    struct completion completion = {.puzzle = puzzle, .visit = visit, .context = context};
    memcpy(completion.state, pattern, puzzle->cell_count);
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        if (segment->kind != SEGMENT_ORIENTATION) {
            count_left(segment, pattern, completion.left + segment->first);
        }
    }
    complete_from(&completion, 0, 0);
}

// ---- By index -----------------------------------------------------------------------------------------------------

struct dial {
    uint64_t term; // of one turn
    unsigned turns;
};

struct dials {
    struct dial dial[CELLS_MOST];
    unsigned count;
    uint64_t base; // the terms of the cells that are given
    completion_run_visitor *visit;
    void *context;
};

static bool turn_dials(const struct dials *dials, unsigned d, uint64_t index)
{
    if (d == dials->count) {
        return dials->visit(dials->context, index, 0, 1);
    }
    const struct dial *dial = &dials->dial[d];
    if (d + 1 == dials->count) {
        return dials->visit(dials->context, index, dial->term, dial->turns);
    }
    for (unsigned turn = 0; turn < dial->turns; turn++) {
        if (!turn_dials(dials, d + 1, index + turn * dial->term)) {
            return false;
        }
    }
    return true;
}

// Adds the cells of a pattern to the dials, `least` being their lowest value. `skip` is a cell that has no term.
static void set_dials(struct dials *dials, const struct segment *segment, const uint8_t *pattern, unsigned least,
                      unsigned skip)
{
    uint64_t term = 1;
    dials->count = 0;
    for (unsigned i = segment->length; i-- > 0;) {
        if (i == skip) {
            continue;
        }
        if (pattern[i] == WILD) {
            dials->dial[dials->count++] = (struct dial){term, segment->symbols - least};
        } else {
            dials->base += term * (pattern[i] - least);
        }
        term *= segment->symbols - least;
    }
}

static bool turn_tops(struct dials *dials, const struct segment *segment, const uint8_t *pattern, unsigned blank)
{
    dials->base = blank * (segment->count / segment->length);
    set_dials(dials, segment, pattern, 1, blank);
    return turn_dials(dials, 0, dials->base);
}

bool completion_is_by_index(const struct puzzle *puzzle)
{
    enum segment_kind kind = puzzle->segments[0].kind;
    return puzzle->segment_count == 1 &&
           (kind == SEGMENT_TOPS || (puzzle->group && kind == SEGMENT_ORIENTATION && puzzle_is_plain(puzzle)));
}

void completion_each_run(const struct puzzle *puzzle, const uint8_t *pattern, completion_run_visitor *visit,
                         void *context)
{
    const struct segment *segment = &puzzle->segments[0];
    struct dials dials = {.visit = visit, .context = context};
    if (segment->kind == SEGMENT_ORIENTATION) {
        set_dials(&dials, segment, pattern, 0, segment->length);
        turn_dials(&dials, 0, dials.base);
        return;
    }
    const uint8_t *given = memchr(pattern, 0, segment->length);
    if (given) {
        turn_tops(&dials, segment, pattern, (unsigned)(given - pattern));
        return;
    }
    for (unsigned blank = 0; blank < segment->length; blank++) {
        if (pattern[blank] == WILD && !turn_tops(&dials, segment, pattern, blank)) {
            return;
        }
    }
}
