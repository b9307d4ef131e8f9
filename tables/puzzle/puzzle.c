// Code that all families share: the dense index of a state, and the wildcards of a target.
#include "puzzle/puzzle.h"

#include <assert.h>

uint64_t puzzle_rank_state(const struct puzzle *puzzle, const uint8_t *state)
{
    uint64_t index = 0;
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        index = index * segment->count + segment_rank(segment, state);
    }
    return index;
}

void puzzle_unrank_state(const struct puzzle *puzzle, uint64_t index, uint8_t *state)
{
    uint64_t rank[2 * SETS_MOST];
    assert(index < puzzle->arrangement_count);
    for (unsigned s = puzzle->segment_count; s-- > 0;) {
        rank[s] = index % puzzle->segments[s].count;
        index /= puzzle->segments[s].count;
    }
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        segment_unrank(&puzzle->segments[s], rank[s], state);
    }
}

uint64_t puzzle_rank_dense(const struct puzzle *puzzle, unsigned root, const uint8_t *relative)
{
    (void)root;
    return puzzle_rank_state(puzzle, relative);
}

void puzzle_unrank_dense(const struct puzzle *puzzle, unsigned root, uint64_t index,
                         uint8_t *relative)
{
    (void)root;
    puzzle_unrank_state(puzzle, index, relative);
}

void puzzle_forget_ignored(const struct puzzle *puzzle, uint8_t *state)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        if (puzzle->segments[s].ignores) {
            segment_forget_ignored(&puzzle->segments[s], state);
        }
    }
}

unsigned puzzle_wild_count(const struct puzzle *puzzle, const uint8_t *target)
{
    unsigned count = 0;
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        count += target[i] == WILD;
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
            if (target[(unsigned)segment->pieces + i] == WILD &&
                target[segment->first + i] != WILD) {
                return false;
            }
        }
    }
    return true;
}
