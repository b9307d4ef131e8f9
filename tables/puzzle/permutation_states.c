// Applies moves to the states of a permutation puzzle, and makes the relative target of a start and
// a target.
#include "puzzle/invariant.h"
#include "puzzle/permutation.h"

#include <assert.h>
#include <string.h>

static bool apply(const struct puzzle *puzzle, unsigned move, const uint8_t *from, uint8_t *to)
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
            puzzle_forget_ignored(segment, to);
        }
    }
    return true;
}

static bool undo(const struct puzzle *puzzle, unsigned move, const uint8_t *after, uint8_t *before)
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
            puzzle_forget_ignored(segment, before);
        }
    }
    return true;
}

// One segment of different pieces, the commonest case by far, ranks the moved state without writing it down.
static void arrangement_neighbours(const struct puzzle *puzzle, uint64_t index, uint64_t *found)
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
        found[m] = rank;
    }
}

// One step away from the root: a move in a group; elsewhere a move undone, for distances to the goal.
static void neighbours(const struct puzzle *puzzle, unsigned root, uint64_t index, uint64_t *found)
{
    (void)root;
    if (puzzle->segment_count == 1 && puzzle->segments[0].kind == SEGMENT_ARRANGEMENT && puzzle->group &&
        puzzle->state_count == puzzle->arrangement_count) {
        arrangement_neighbours(puzzle, index, found);
        return;
    }
    if (puzzle->toggle) {
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            found[m] = index ^ puzzle->moves[m].flips;
        }
        return;
    }
    uint8_t state[CELLS_MOST];
    uint8_t moved[CELLS_MOST];
    invariant_unrank(puzzle, 0, index, state);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        (puzzle->group ? apply : undo)(puzzle, m, state, moved);
        found[m] = invariant_rank(puzzle, 0, moved);
    }
}

static void predecessors(const struct puzzle *puzzle, unsigned root, uint64_t index, uint64_t *before)
{
    if (puzzle->toggle) { // a move undoes itself
        neighbours(puzzle, root, index, before);
        return;
    }
    uint8_t state[CELLS_MOST] = {0};
    uint8_t moved[CELLS_MOST];
    invariant_unrank(puzzle, 0, index, state);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        (puzzle->group ? undo : apply)(puzzle, m, state, moved);
        before[m] = invariant_rank(puzzle, 0, moved);
    }
}

// In a group: names the pieces so that `start` becomes the identity. The piece that start holds at slot i becomes
// piece i, and its orientation is counted from the one that it has there.
static void relabel(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target, uint8_t *relative)
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
                relative[i] = target[i] == WILD ? WILD : slot_of[first + target[i]];
            }
            continue;
        }
        for (unsigned i = 0; i < segment->length; i++) {
            unsigned piece_at = segment->pieces < 0 ? i : relative[(unsigned)segment->pieces + i];
            if (target[first + i] == WILD) {
                relative[first + i] = WILD;
                continue;
            }
            assert(piece_at != WILD);
            unsigned turned = target[first + i] + segment->symbols - start[first + piece_at];
            relative[first + i] = (uint8_t)(turned % segment->symbols);
        }
    }
}

static bool relate(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target, unsigned *root,
                   uint8_t *relative, struct fewest_error *error)
{
    *root = 0;
    if (puzzle->group) {
        relabel(puzzle, start, target, relative);
        return true;
    }
    if (memcmp(target, puzzle->goals[0], puzzle->cell_count) == 0) {
        memcpy(relative, start, puzzle->cell_count);
        return true;
    }
    if (puzzle->reversible && memcmp(start, puzzle->goals[0], puzzle->cell_count) == 0) {
        memcpy(relative, target, puzzle->cell_count);
        return true;
    }
    return error_set(error, FEWEST_BEYOND,
                     "the puzzle %s has pieces that look alike or orientations that do not count, so %sTARGET must be "
                     "the solved state",
                     puzzle->name, puzzle->reversible ? "START or " : "");
}

static bool counts_to(const struct puzzle *puzzle, const uint8_t *target)
{
    return memcmp(target, puzzle->goals[0], puzzle->cell_count) == 0;
}

const struct family PERMUTATION_FAMILY = {invariant_rank, invariant_unrank, neighbours, predecessors,
                                          apply,          relate,           counts_to};
