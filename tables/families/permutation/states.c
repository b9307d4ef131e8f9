// Applies moves to the states of a permutation puzzle, and relates a start to a target.
#include "permutation.h"

#include <assert.h>
#include <string.h>

// Writes the state after a move to `to`. Each cell i gets the value of cell m->from[i], and an
// orientation also turns by m->add[i]. Value and turn are below the modulus, so one subtraction is
// enough. Orientations that do not count become 0.
static void move_cells(const struct puzzle *puzzle, unsigned move, const uint8_t *from, uint8_t *to)
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
        if (segment->ignores) {
            segment_forget_ignored(segment, to);
        }
    }
}

// A move is impossible if the state before or after it is forbidden.
bool permutation_apply(const struct puzzle *puzzle, unsigned move, const uint8_t *from, uint8_t *to)
{
    if (!puzzle_permits(puzzle, from)) {
        return false;
    }
    move_cells(puzzle, move, from, to);
    return puzzle_permits(puzzle, to);
}

// Renames the pieces of one segment: the piece that `start` has in slot i becomes piece i, and WILD
// stays. All pieces differ.
static void rename_segment(unsigned length, const uint8_t *restrict start,
                           const uint8_t *restrict target, uint8_t *restrict relative)
{
    uint8_t slot_of[WILD + 1]; // by piece: its slot in `start`, within the segment
    slot_of[WILD] = WILD;
    for (unsigned i = 0; i < length; i++) {
        slot_of[start[i]] = (uint8_t)i;
    }
    for (unsigned i = 0; i < length; i++) {
        relative[i] = slot_of[target[i]];
    }
}

// Fills in the relative target: renames the pieces so that `start` becomes the identity. The piece
// that the start holds in slot i becomes piece i, and its orientation is counted from the one that
// it has there. The states must be a group.
static void rename_pieces(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                          uint8_t *relative)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        unsigned first = segment->first;
        if (segment->kind != SEGMENT_ORIENTATION) {
            rename_segment(segment->length, start + first, target + first, relative + first);
            continue;
        }
        for (unsigned i = 0; i < segment->length; i++) {
            if (target[first + i] == WILD) {
                relative[first + i] = WILD;
                continue;
            }
            unsigned start_slot = i; // of the piece in slot i of the target
            if (segment->pieces >= 0) {
                start_slot = relative[(unsigned)segment->pieces + i]; // renamed already
            }
            assert(start_slot != WILD); // see puzzle_accepts_wildcards
            unsigned turned = target[first + i] + segment->symbols - start[first + start_slot];
            relative[first + i] = (uint8_t)(turned % segment->symbols);
        }
    }
}

// Undoes find_relative. If the states are a group, this undoes rename_pieces.
void permutation_restore_target(const struct puzzle *puzzle, const uint8_t *start,
                                const uint8_t *relative, uint8_t *target)
{
    if (!permutation_of(puzzle)->group) { // `start` is the solved state
        memcpy(target, relative, puzzle->cell_count);
        return;
    }
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        unsigned first = segment->first;
        for (unsigned i = 0; i < segment->length; i++) {
            if (segment->kind != SEGMENT_ORIENTATION) {
                target[first + i] = start[first + relative[first + i]];
                continue;
            }
            unsigned start_slot = i; // of the piece in slot i of the target
            if (segment->pieces >= 0) {
                start_slot = relative[(unsigned)segment->pieces + i];
            }
            unsigned turned = relative[first + i] + start[first + start_slot];
            target[first + i] = (uint8_t)(turned % segment->symbols);
        }
    }
}

// Fills in the relative target. If the states are a group, renames the pieces.
bool permutation_find_relative(const struct puzzle *puzzle, const uint8_t *start,
                               const uint8_t *target, unsigned *root, uint8_t *relative,
                               struct fewest_error *error)
{
    *root = 0;
    if (permutation_of(puzzle)->group) {
        rename_pieces(puzzle, start, target, relative);
        return true;
    }
    return puzzle_relate_to_goals(puzzle, start, target, relative, error);
}
