#include "puzzle.h"

#include "permutation.h"
#include "sliding.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool puzzle_compile(struct puzzle *puzzle, const char *text, size_t length, enum metric metric, struct fault *fault)
{
    struct definition definition;
    if (!definition_read(&definition, text, length, fault)) {
        return false;
    }
    *puzzle = (struct puzzle){.metric = metric, .kind = definition.kind};
    memcpy(puzzle->name, definition.name, sizeof puzzle->name);
    bool compiled = (definition.kind == KIND_SLIDE ? sliding_compile : permutation_compile)(puzzle, &definition, fault);
    definition_free(&definition);
    if (!compiled) {
        puzzle_free(puzzle);
    }
    return compiled;
}

void puzzle_free(struct puzzle *puzzle)
{
    for (unsigned r = 0; r < puzzle->root_count; r++) {
        pattern_space_free(&puzzle->roots[r].patterns);
    }
    free(puzzle->segments);
    free(puzzle->moves);
    free(puzzle->board);
    *puzzle = (struct puzzle){0};
}

static uint64_t segment_rank(const struct segment *segment, const uint8_t *cells)
{
    uint64_t rank = 0;
    switch (segment->kind) {
    case SEGMENT_ARRANGEMENT:
        return arrangement_rank(segment->symbols, segment->length, cells);
    case SEGMENT_COLOURING:
        return colouring_rank(segment->length, segment->symbols, segment->amount, cells);
    case SEGMENT_ORIENTATION:
        for (unsigned i = 0; i < segment->length; i++) {
            rank = rank * segment->symbols + cells[i];
        }
    }
    return rank;
}

static void segment_unrank(const struct segment *segment, uint64_t rank, uint8_t *cells)
{
    switch (segment->kind) {
    case SEGMENT_ARRANGEMENT:
        arrangement_unrank(segment->symbols, segment->length, rank, cells);
        return;
    case SEGMENT_COLOURING:
        colouring_unrank(segment->length, segment->symbols, segment->amount, rank, cells);
        return;
    case SEGMENT_ORIENTATION:
        for (unsigned i = segment->length; i-- > 0;) {
            cells[i] = (uint8_t)(rank % segment->symbols);
            rank /= segment->symbols;
        }
    }
}

uint64_t puzzle_rank_state(const struct puzzle *puzzle, const uint8_t *state)
{
    uint64_t index = 0;
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        index = index * segment->count + segment_rank(segment, state + segment->first);
    }
    return index;
}

void puzzle_unrank_state(const struct puzzle *puzzle, uint64_t index, uint8_t *state)
{
    assert(index < puzzle->arrangement_count);
    for (unsigned s = puzzle->segment_count; s-- > 0;) {
        const struct segment *segment = &puzzle->segments[s];
        segment_unrank(segment, index % segment->count, state + segment->first);
        index /= segment->count;
    }
}

void puzzle_forget_ignored(const struct segment *segment, uint8_t *state)
{
    for (unsigned i = 0; i < segment->length; i++) {
        unsigned piece = segment->pieces < 0 ? i : state[(unsigned)segment->pieces + i];
        if (segment->ignored[piece]) {
            state[segment->first + i] = 0;
        }
    }
}

unsigned puzzle_wild_count(const struct puzzle *puzzle, const uint8_t *pattern)
{
    unsigned count = 0;
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        count += pattern[i] == WILD;
    }
    return count;
}

bool puzzle_relates_wildcards(const struct puzzle *puzzle, const uint8_t *target)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        if (segment->kind != SEGMENT_ORIENTATION || segment->pieces < 0) {
            continue;
        }
        for (unsigned i = 0; i < segment->length; i++) {
            if (target[(unsigned)segment->pieces + i] == WILD && target[segment->first + i] != WILD) {
                return false;
            }
        }
    }
    return true;
}

// The cells that a pattern leaves open, and what may still stand in them.
struct completion {
    const struct puzzle *puzzle;
    puzzle_visitor *visit;
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

uint64_t puzzle_completions(const struct puzzle *puzzle, const uint8_t *pattern)
{
    uint64_t total = 1;
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        unsigned open = 0;
        for (unsigned i = segment->first; i < segment->first + segment->length; i++) {
            open += pattern[i] == WILD;
        }
        uint64_t count = 1;
        if (segment->kind == SEGMENT_ORIENTATION) {
            for (unsigned i = 0; i < open; i++) {
                count *= segment->symbols; // at most segment->count in the end
            }
        } else {
            uint8_t left[PIECES_MOST];
            count_left(segment, pattern, left);
            colouring_count(open, segment->symbols, left, &count);
        }
        total *= count; // at most arrangement_count in the end
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

void puzzle_complete(const struct puzzle *puzzle, const uint8_t *pattern, puzzle_visitor *visit, void *context)
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
