// Tells fast whether a row of cells can be a state or a target, by one sum over its cells.
#include "row_sums.h"

// Returns the bits of a counter of the pieces in `length` cells. The highest bit alone is at least
// `length`. So the counter does not overflow, not even with the bias of find_addends.
static unsigned counter_bits(unsigned length)
{
    unsigned bits = 1;
    while (UINT64_C(1) << (bits - 1) < length) {
        bits++;
    }
    return bits;
}

// Returns the bits that each piece takes in the sum: those of a counter, or 1 if an arrangement has
// too many pieces for counters, or 0 if pieces are not counted.
static unsigned find_piece_bits(const struct segment *segment)
{
    unsigned bits = counter_bits(segment->length);
    switch (segment->kind) {
    case SEGMENT_ARRANGEMENT:
        return segment->symbols * bits <= SUM_WILD ? bits : 1;
    case SEGMENT_MULTISET:
        return bits;
    case SEGMENT_ORIENTATION:
    case SEGMENT_TOPS: // the blank alone, from bit 0
        break;
    }
    return 0;
}

// Fills in what each value adds, the bias, and `excess`. A piece has `bits` bits, as
// find_piece_bits says. Its counter plus its bias reaches `half`, the counter's bit of `excess`, if
// and only if the piece appears more often than amount[value].
static void find_addends(const struct segment *segment, unsigned bits, struct row_sums *sums)
{
    for (unsigned value = 0; value < segment->symbols; value++) {
        bool is_counted = bits > 0 || (segment->kind == SEGMENT_TOPS && value == 0);
        sums->addend[value] = UINT64_C(1) << SUM_POSSIBLE;
        if (is_counted) {
            sums->addend[value] |= UINT64_C(1) << value * bits;
        }
        if (bits > 1) {
            uint64_t half = UINT64_C(1) << (bits - 1);
            sums->bias |= (half - 1 - segment->amount[value]) << value * bits;
            sums->excess |= half << value * bits;
        }
    }
    sums->addend[WILD] = UINT64_C(1) << SUM_POSSIBLE | UINT64_C(1) << SUM_WILD;
}

void row_sums_find(const struct puzzle *puzzle, struct row_sums *sums)
{
    enum { CELLS_OF_SUM_MOST = 255 };
    const struct segment *segment = &puzzle->segments[0];
    unsigned bits = find_piece_bits(segment);
    *sums = (struct row_sums){.kind = segment->kind, .cells = segment->length};
    sums->is_there = puzzle->segment_count == 1 && segment->length <= CELLS_OF_SUM_MOST &&
                     !segment->ignores && segment->symbols * bits <= SUM_WILD;
    if (sums->is_there) {
        find_addends(segment, bits, sums);
    }
}
