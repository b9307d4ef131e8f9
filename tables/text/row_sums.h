// Tells fast whether a row of cells can be a state or a target, by one sum over its cells.
//
// Each value adds a number that depends on the value alone. The sum holds the number of cells with
// a possible value, the number of wildcards, and a counter for each piece. If different pieces are
// too many for counters, it holds a bit for each: a sum of n powers of two has n bits if and only
// if they all differ.
#ifndef FEWEST_TABLES_TEXT_ROW_SUMS_H
#define FEWEST_TABLES_TEXT_ROW_SUMS_H

#include "tables/puzzle/puzzle.h"

// The parts of a sum: from bit 0 the pieces, from SUM_WILD the wildcards, from SUM_POSSIBLE the
// possible values.
enum { SUM_WILD = 48, SUM_POSSIBLE = 56 };

struct row_sums {
    bool is_there; // the cells of the puzzle are of one kind, and the sum has room
    enum segment_kind kind;
    unsigned cells;
    uint64_t addend[256]; // by value: what a cell with it adds to the sum
    // `excess` is the highest bit of each counter, or 0 if there are no counters. A counter that is
    // too large has this bit when `bias` is added to the sum.
    uint64_t bias;
    uint64_t excess;
};

// Fills in what the values of a puzzle add. If there are no sums, only `is_there` is right, which
// is false.
void row_sums_find(const struct puzzle *puzzle, struct row_sums *sums);

// Does a sum of all cells belong to a possible row? `wild`: may it have wildcards, as a target may?
static inline bool row_sums_allow(const struct row_sums *sums, uint64_t sum, bool wild)
{
    uint64_t pieces = sum & ((UINT64_C(1) << SUM_WILD) - 1);
    unsigned open = sum >> SUM_WILD & 0xFF; // wildcards
    if (sum >> SUM_POSSIBLE != sums->cells || (open > 0 && !wild)) {
        return false;
    }
    if (sums->excess) { // is no counter too large?
        return !((pieces + sums->bias) & sums->excess);
    }
    switch (sums->kind) {
    case SEGMENT_ARRANGEMENT: // do all pieces differ?
        return (unsigned)__builtin_popcountll(pieces) + open == sums->cells;
    case SEGMENT_TOPS: // the blank, or a wildcard that may be the blank
        return pieces == 1 || (pieces == 0 && open > 0);
    case SEGMENT_MULTISET: // has counters
    case SEGMENT_ORIENTATION:
        break;
    }
    return true;
}

// Is a row of sums->cells cells a possible state or, with `wild`, a possible target?
static inline bool row_sums_allow_row(const struct row_sums *sums, const uint8_t *cells, bool wild)
{
    uint64_t sum = 0;
#pragma GCC unroll 4
    for (unsigned i = 0; i < sums->cells; i++) {
        sum += sums->addend[cells[i]];
    }
    return row_sums_allow(sums, sum, wild);
}

#endif
