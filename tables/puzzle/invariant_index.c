// Numbers states without what the invariants imply.
#include "index/rank.h"
#include "puzzle/invariant.h"

#include <string.h>

// The offset of the states from the span: the root's row, to which the moves add.
static uint64_t rank_span(const struct part *part, const uint8_t *root, const uint8_t *cells)
{
    const struct span *span = part->span;
    uint8_t vector[PIECES_MOST] = {0};
    uint8_t sum[PIECES_MOST] = {0};
    uint64_t rank = 0;
    for (unsigned i = 0; i < part->length; i++) {
        vector[i] = (uint8_t)((cells[i] + part->symbols - root[i]) % part->symbols);
    }
    for (unsigned r = 0; r < span->rank; r++) {
        unsigned digit = vector[span->pivot[r]];
        rank = rank * part->symbols + digit;
        span_add_times(sum, span->basis[r], digit, part->length, part->symbols);
    }
    return memcmp(sum, vector, part->length) == 0 ? rank : INDEX_NONE;
}

static void unrank_span(const struct part *part, const uint8_t *root, uint64_t rank, uint8_t *cells)
{
    memcpy(cells, root, part->length);
    for (unsigned r = part->span->rank; r-- > 0;) {
        span_add_times(cells, part->span->basis[r], (unsigned)(rank % part->symbols), part->length,
                       part->symbols);
        rank /= part->symbols;
    }
}

static uint64_t rank_pieces(const struct part *part, const uint8_t *relative)
{
    uint8_t row[PIECES_MOST];
    uint8_t left[PIECES_MOST];
    memcpy(left, part->amount, sizeof left);
    // No moves bring another piece here, nor another one of a kind.
    for (unsigned i = 0; i < part->length; i++) {
        row[i] = part->number[relative[part->cell[i]]];
        if (row[i] == NO_NUMBER || left[row[i]]-- == 0) {
            return INDEX_NONE;
        }
    }
    return part->kind == SEGMENT_ARRANGEMENT
               ? arrangement_rank(part->symbols, part->length, row)
               : multiset_rank(part->length, part->symbols, part->amount, row);
}

static void unrank_pieces(const struct part *part, uint64_t rank, uint8_t *relative)
{
    uint8_t row[PIECES_MOST] = {0};
    if (part->kind == SEGMENT_ARRANGEMENT) {
        arrangement_unrank(part->symbols, part->length, rank, row);
    } else {
        multiset_unrank(part->length, part->symbols, part->amount, rank, row);
    }
    for (unsigned i = 0; i < part->length; i++) {
        relative[part->cell[i]] = part->value[row[i]];
    }
}

// By slot, those that count; the last is left out where it follows.
static uint64_t rank_orientations(const struct puzzle *puzzle, const struct part *part,
                                  const uint8_t *relative)
{
    const struct segment *segment = &puzzle->segments[part->segment];
    uint64_t rank = 0;
    if (part->implied == IMPLIED_SPAN) {
        return rank_span(part, puzzle->numbering.roots[0].target + part->cell[0],
                         relative + part->cell[0]);
    }
    if (part->implied == IMPLIED_SUM && part_sum(part, relative) != part->sum) {
        return INDEX_NONE;
    }
    for (unsigned i = 0; i < part->length - (part->implied == IMPLIED_SUM); i++) {
        if (segment_counts_at(segment, relative, part->cell[i] - segment->first)) {
            rank = rank * part->symbols + relative[part->cell[i]];
        }
    }
    return rank;
}

static void unrank_orientations(const struct puzzle *puzzle, const struct part *part, uint64_t rank,
                                uint8_t *relative)
{
    const struct segment *segment = &puzzle->segments[part->segment];
    if (part->implied == IMPLIED_SPAN) {
        unrank_span(part, puzzle->numbering.roots[0].target + part->cell[0], rank,
                    relative + part->cell[0]);
        return;
    }
    uint8_t *last = &relative[part->cell[part->length - 1]];
    *last = 0;
    for (unsigned i = part->length - (part->implied == IMPLIED_SUM); i-- > 0;) {
        relative[part->cell[i]] = 0;
        if (segment_counts_at(segment, relative, part->cell[i] - segment->first)) {
            relative[part->cell[i]] = (uint8_t)(rank % part->symbols);
            rank /= part->symbols;
        }
    }
    if (part->implied == IMPLIED_SUM) {
        *last = (uint8_t)((part->sum + part->symbols - part_sum(part, relative)) % part->symbols);
    }
}

static uint64_t odd_parts(const struct puzzle *puzzle, const uint8_t *relative)
{
    uint64_t odd = 0;
    for (unsigned p = 0; p < permutation_of(puzzle)->part_count; p++) {
        if (permutation_of(puzzle)->parts[p].parity_counts &&
            part_is_odd(&permutation_of(puzzle)->parts[p], relative)) {
            odd |= UINT64_C(1) << p;
        }
    }
    return odd;
}

static bool has_parity(const struct part *part, uint64_t odd)
{
    return count_bits(odd & part->parity_with) % 2 == part->parity_of_root;
}

uint64_t invariant_rank(const struct puzzle *puzzle, unsigned root, const uint8_t *relative)
{
    uint64_t index = 0;
    (void)root;
    if (puzzle_is_plain(puzzle)) {
        return puzzle_rank_state(puzzle, relative);
    }
    uint64_t odd = odd_parts(puzzle, relative);
    for (unsigned p = 0; p < permutation_of(puzzle)->part_count; p++) {
        const struct part *part = &permutation_of(puzzle)->parts[p];
        uint64_t rank = part->kind == SEGMENT_ORIENTATION
                            ? rank_orientations(puzzle, part, relative)
                            : rank_pieces(part, relative);
        if (rank == INDEX_NONE || (part->implied == IMPLIED_PARITY && !has_parity(part, odd))) {
            return INDEX_NONE;
        }
        index = index * part->kept + (part->implied == IMPLIED_PARITY ? rank / 2 : rank);
    }
    return index;
}

static void set_parities(const struct puzzle *puzzle, uint8_t *relative)
{
    uint64_t odd = odd_parts(puzzle, relative);
    for (unsigned p = 0; p < permutation_of(puzzle)->part_count; p++) {
        const struct part *part = &permutation_of(puzzle)->parts[p];
        if (part->implied == IMPLIED_PARITY && !has_parity(part, odd)) {
            uint8_t *last = &relative[part->cell[part->length - 1]];
            uint8_t *before = &relative[part->cell[part->length - 2]];
            uint8_t value = *last;
            *last = *before;
            *before = value;
        }
    }
}

// The pieces first, all of them right: which orientations count depends on where they are.
void invariant_unrank(const struct puzzle *puzzle, unsigned root, uint64_t index, uint8_t *relative)
{
    (void)root;
    if (puzzle_is_plain(puzzle)) {
        puzzle_unrank_state(puzzle, index, relative);
        return;
    }
    uint64_t rank[CELLS_MOST];
    for (unsigned p = permutation_of(puzzle)->part_count; p-- > 0;) {
        rank[p] = index % permutation_of(puzzle)->parts[p].kept;
        index /= permutation_of(puzzle)->parts[p].kept;
    }
    unsigned p = 0;
    for (; p < permutation_of(puzzle)->part_count &&
           permutation_of(puzzle)->parts[p].kind != SEGMENT_ORIENTATION;
         p++) {
        unrank_pieces(&permutation_of(puzzle)->parts[p],
                      permutation_of(puzzle)->parts[p].implied == IMPLIED_PARITY ? 2 * rank[p]
                                                                                 : rank[p],
                      relative);
    }
    set_parities(puzzle, relative);
    for (; p < permutation_of(puzzle)->part_count; p++) {
        unrank_orientations(puzzle, &permutation_of(puzzle)->parts[p], rank[p], relative);
    }
}
