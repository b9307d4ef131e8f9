#include "puzzle.h"

#include "permutation.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool puzzle_compile(struct puzzle *puzzle, const char *text, size_t length, enum metric metric, struct fault *fault)
{
    struct definition definition;
    if (!definition_read(&definition, text, length, fault)) {
        return false;
    }
    *puzzle = (struct puzzle){.metric = metric};
    memcpy(puzzle->name, definition.name, sizeof puzzle->name);
    bool compiled = permutation_compile(puzzle, &definition, fault);
    definition_free(&definition);
    if (!compiled) {
        puzzle_free(puzzle);
    }
    return compiled;
}

void puzzle_free(struct puzzle *puzzle)
{
    pattern_space_free(&puzzle->patterns);
    free(puzzle->segments);
    free(puzzle->moves);
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

uint64_t puzzle_rank(const struct puzzle *puzzle, const uint8_t *state)
{
    uint64_t index = 0;
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        index = index * segment->count + segment_rank(segment, state + segment->first);
    }
    return index;
}

void puzzle_unrank(const struct puzzle *puzzle, uint64_t index, uint8_t *state)
{
    assert(index < puzzle->state_count);
    for (unsigned s = puzzle->segment_count; s-- > 0;) {
        const struct segment *segment = &puzzle->segments[s];
        segment_unrank(segment, index % segment->count, state + segment->first);
        index /= segment->count;
    }
}

// Sets the orientations that do not count to 0.
static void forget_ignored(const struct segment *segment, uint8_t *state)
{
    for (unsigned i = 0; i < segment->length; i++) {
        unsigned piece = segment->pieces < 0 ? i : state[(unsigned)segment->pieces + i];
        if (segment->ignored[piece]) {
            state[segment->first + i] = 0;
        }
    }
}

void puzzle_apply(const struct puzzle *puzzle, unsigned move, const uint8_t *from, uint8_t *to)
{
    const struct move *m = &puzzle->moves[move];
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        to[i] = from[m->from[i]];
    }
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        if (segment->kind != SEGMENT_ORIENTATION) {
            continue;
        }
        for (unsigned i = segment->first; i < segment->first + segment->length; i++) {
            unsigned turned = (unsigned)to[i] + m->add[i];
            to[i] = (uint8_t)(turned < segment->symbols ? turned : turned - segment->symbols);
        }
        if (!puzzle->group) {
            forget_ignored(segment, to);
        }
    }
}

void puzzle_undo(const struct puzzle *puzzle, unsigned move, const uint8_t *after, uint8_t *before)
{
    const struct move *m = &puzzle->moves[move];
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        before[m->from[i]] = after[i];
    }
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        if (segment->kind != SEGMENT_ORIENTATION) {
            continue;
        }
        for (unsigned i = segment->first; i < segment->first + segment->length; i++) {
            unsigned turned = before[m->from[i]] + segment->symbols - m->add[i];
            before[m->from[i]] = (uint8_t)(turned < segment->symbols ? turned : turned - segment->symbols);
        }
        if (!puzzle->group) {
            forget_ignored(segment, before);
        }
    }
}

void puzzle_step(const struct puzzle *puzzle, unsigned move, const uint8_t *from, uint8_t *to)
{
    (puzzle->group ? puzzle_apply : puzzle_undo)(puzzle, move, from, to);
}

// One segment of different pieces, the commonest case by far, ranks the moved state without writing it down.
static void arrangement_neighbours(const struct puzzle *puzzle, uint64_t index, uint64_t *neighbours)
{
    unsigned cells = puzzle->cell_count;
    uint8_t state[RANK_LONGEST];
    arrangement_unrank(cells, cells, index, state);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        const uint8_t *from = puzzle->moves[m].from;
        struct lehmer code = lehmer_start();
        uint64_t rank = 0;
        for (unsigned i = 0; i < cells; i++) {
            rank = rank * (cells - i) + lehmer_digit(&code, state[from[i]]);
        }
        neighbours[m] = rank;
    }
}

void puzzle_neighbours(const struct puzzle *puzzle, uint64_t index, uint64_t *neighbours)
{
    if (puzzle->segment_count == 1 && puzzle->segments[0].kind == SEGMENT_ARRANGEMENT) {
        arrangement_neighbours(puzzle, index, neighbours);
        return;
    }
    uint8_t state[CELLS_MOST];
    uint8_t moved[CELLS_MOST];
    puzzle_unrank(puzzle, index, state);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        puzzle_step(puzzle, m, state, moved);
        neighbours[m] = puzzle_rank(puzzle, moved);
    }
}

void puzzle_predecessors(const struct puzzle *puzzle, uint64_t index, uint64_t *before)
{
    uint8_t state[CELLS_MOST] = {0};
    uint8_t moved[CELLS_MOST];
    puzzle_unrank(puzzle, index, state);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        (puzzle->group ? puzzle_undo : puzzle_apply)(puzzle, m, state, moved);
        before[m] = puzzle_rank(puzzle, moved);
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

// In a group: names the pieces so that `start` becomes the identity. The piece that start holds at slot i becomes
// piece i, and its orientation is counted from the one that it has there.
static void relabel(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target, uint8_t *question)
{
    uint8_t slot_of[CELLS_MOST]; // the slot where `start` holds a piece, within the segment
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        unsigned first = segment->first;
        if (segment->kind != SEGMENT_ORIENTATION) {
            for (unsigned i = 0; i < segment->length; i++) {
                slot_of[first + start[first + i]] = (uint8_t)i;
            }
            for (unsigned i = first; i < first + segment->length; i++) {
                question[i] = target[i] == WILD ? WILD : slot_of[first + target[i]];
            }
            continue;
        }
        for (unsigned i = 0; i < segment->length; i++) {
            unsigned piece_at = segment->pieces < 0 ? i : question[(unsigned)segment->pieces + i];
            if (target[first + i] == WILD) {
                question[first + i] = WILD;
                continue;
            }
            assert(piece_at != WILD);
            unsigned turned = target[first + i] + segment->symbols - start[first + piece_at];
            question[first + i] = (uint8_t)(turned % segment->symbols);
        }
    }
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

bool puzzle_relate(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target, uint8_t *question,
                   struct fault *fault)
{
    if (puzzle->group) {
        relabel(puzzle, start, target, question);
        return true;
    }
    if (memcmp(target, puzzle->goals[0], puzzle->cell_count) == 0) {
        memcpy(question, start, puzzle->cell_count);
        return true;
    }
    if (puzzle->reversible && memcmp(start, puzzle->goals[0], puzzle->cell_count) == 0) {
        memcpy(question, target, puzzle->cell_count);
        return true;
    }
    return fault_set(fault, FAULT_BOUND,
                     "%s has pieces that look alike or orientations that do not count, so its table answers only to "
                     "its solved state%s",
                     puzzle->name, puzzle->reversible ? ", or from it" : "");
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
        total *= count; // at most state_count in the end
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
            forget_ignored(&puzzle->segments[s], state);
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
