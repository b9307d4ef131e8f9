#include "invariant.h"

#include "rank.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Parity -------------------------------------------------------------------------------------------------------

static bool is_odd_part(const struct segment *segment, const uint8_t *cells)
{
    return arrangement_is_odd(segment->length, cells + segment->first);
}

// Which segments of different pieces a move permutes oddly, a bit each.
static uint64_t odd_segments(const struct puzzle *puzzle, const struct move *move)
{
    uint64_t odd = 0;
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        if (puzzle->segments[s].kind == SEGMENT_ARRANGEMENT && is_odd_part(&puzzle->segments[s], move->from)) {
            odd |= UINT64_C(1) << s;
        }
    }
    return odd;
}

// Adds a row of bits to a reduced basis over the field of two elements: each row has a pivot, its lowest bit, that no
// other row has.
static void add_bits(uint64_t *rows, unsigned *count, uint64_t bits)
{
    for (unsigned r = 0; r < *count; r++) {
        bits = bits & rows[r] & -rows[r] ? bits ^ rows[r] : bits;
    }
    if (bits == 0) {
        return;
    }
    for (unsigned r = 0; r < *count; r++) {
        rows[r] = rows[r] & bits & -bits ? rows[r] ^ bits : rows[r];
    }
    rows[(*count)++] = bits;
}

// A segment that is no pivot follows from those pivots whose rows have it.
static void find_parities(struct puzzle *puzzle)
{
    uint64_t rows[2 * SETS_MOST];
    unsigned count = 0;
    uint64_t pivots = 0;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        add_bits(rows, &count, odd_segments(puzzle, &puzzle->moves[m]));
    }
    for (unsigned r = 0; r < count; r++) {
        pivots |= rows[r] & -rows[r];
    }
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        struct segment *segment = &puzzle->segments[s];
        if (segment->kind != SEGMENT_ARRANGEMENT || segment->length < 2 || pivots >> s & 1) {
            continue;
        }
        segment->implied = IMPLIED_PARITY;
        segment->kept = segment->count / 2;
        segment->parity_with = UINT64_C(1) << s;
        for (unsigned r = 0; r < count; r++) {
            segment->parity_with |= rows[r] >> s & 1 ? rows[r] & -rows[r] : 0;
        }
        for (unsigned t = 0; t < puzzle->segment_count; t++) {
            if (segment->parity_with >> t & 1) {
                segment->parity_of_root ^= is_odd_part(&puzzle->segments[t], puzzle->roots[0].question);
                puzzle->segments[t].parity_counts = true;
            }
        }
    }
}

// ---- Sums and spans -----------------------------------------------------------------------------------------------

static unsigned sum_of(const struct segment *segment, const uint8_t *cells)
{
    unsigned sum = 0;
    for (unsigned i = segment->first; i < segment->first + segment->length; i++) {
        sum += cells[i];
    }
    return sum % segment->symbols;
}

static bool ignores_any(const struct segment *segment)
{
    for (unsigned i = 0; i < PIECES_MOST; i++) {
        if (segment->ignored[i]) {
            return true;
        }
    }
    return false;
}

static void find_sum(struct puzzle *puzzle, struct segment *segment)
{
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        if (sum_of(segment, puzzle->moves[m].add) != 0) {
            return;
        }
    }
    segment->implied = IMPLIED_SUM;
    segment->kept = segment->count / segment->symbols;
    segment->sum = sum_of(segment, puzzle->roots[0].question);
}

static bool is_prime(unsigned number)
{
    for (unsigned d = 2; d * d <= number; d++) {
        if (number % d == 0) {
            return false;
        }
    }
    return number >= 2;
}

static unsigned inverse_modulo(unsigned number, unsigned prime)
{
    unsigned inverse = 1;
    while (inverse * number % prime != 1) {
        inverse++;
    }
    return inverse;
}

// row += times × other
static void add_times(uint8_t *row, const uint8_t *other, unsigned times, unsigned length, unsigned prime)
{
    for (unsigned i = 0; i < length; i++) {
        row[i] = (uint8_t)((row[i] + times * other[i]) % prime);
    }
}

// Adds a vector to a reduced basis, whose rows have 1 at their own pivot and 0 at the others'.
static void add_vector(struct span *span, const uint8_t *vector, unsigned length, unsigned prime)
{
    uint8_t row[PIECES_MOST];
    unsigned pivot = 0;
    memcpy(row, vector, length);
    for (unsigned r = 0; r < span->rank; r++) {
        add_times(row, span->basis[r], prime - row[span->pivot[r]], length, prime);
    }
    while (pivot < length && row[pivot] == 0) {
        pivot++;
    }
    if (pivot == length) {
        return;
    }
    add_times(row, row, inverse_modulo(row[pivot], prime) - 1, length, prime);
    for (unsigned r = 0; r < span->rank; r++) {
        add_times(span->basis[r], row, prime - span->basis[r][pivot], length, prime);
    }
    span->pivot[span->rank] = (uint8_t)pivot;
    memcpy(span->basis[span->rank++], row, length);
}

static bool find_span(struct puzzle *puzzle, struct segment *segment, struct fault *fault)
{
    segment->span = calloc(1, sizeof *segment->span);
    if (!segment->span) {
        return fault_set(fault, FAULT_SYSTEM, "not enough memory for the puzzle");
    }
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        add_vector(segment->span, puzzle->moves[m].add + segment->first, segment->length, segment->symbols);
    }
    segment->implied = IMPLIED_SPAN;
    segment->kept = 1;
    for (unsigned r = 0; r < segment->span->rank; r++) {
        segment->kept *= segment->symbols; // at most segment->count
    }
    return true;
}

// ---- All of them --------------------------------------------------------------------------------------------------

// Pieces come before orientations: what belongs to the lowest digits of an index should not depend on the others.
static void order_segments(struct puzzle *puzzle)
{
    unsigned count = 0;
    for (unsigned orientations = 0; orientations < 2; orientations++) {
        for (unsigned s = 0; s < puzzle->segment_count; s++) {
            if ((puzzle->segments[s].kind == SEGMENT_ORIENTATION) == orientations) {
                puzzle->index_order[count++] = (uint8_t)s;
            }
        }
    }
}

bool invariants_find(struct puzzle *puzzle, struct fault *fault)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        puzzle->segments[s].kept = puzzle->segments[s].count;
        puzzle->index_order[s] = (uint8_t)s;
    }
    puzzle->state_count = puzzle->arrangement_count;
    if (puzzle->arrangement_count <= INDEX_PLAIN_MOST) {
        return true;
    }
    find_parities(puzzle);
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        struct segment *segment = &puzzle->segments[s];
        if (segment->kind != SEGMENT_ORIENTATION || ignores_any(segment)) {
            continue;
        }
        if (segment->pieces >= 0 || !is_prime(segment->symbols)) {
            find_sum(puzzle, segment);
        } else if (!find_span(puzzle, segment, fault)) {
            return false;
        }
    }
    order_segments(puzzle);
    puzzle->state_count = 1;
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        puzzle->state_count *= puzzle->segments[s].kept; // at most arrangement_count
    }
    return true;
}

// ---- The index ----------------------------------------------------------------------------------------------------

// The offset of the states from the span: the root's row, to which the moves add.
static uint64_t rank_span(const struct segment *segment, const uint8_t *root, const uint8_t *cells)
{
    const struct span *span = segment->span;
    uint8_t vector[PIECES_MOST] = {0};
    uint8_t sum[PIECES_MOST] = {0};
    uint64_t rank = 0;
    for (unsigned i = 0; i < segment->length; i++) {
        vector[i] = (uint8_t)((cells[i] + segment->symbols - root[i]) % segment->symbols);
    }
    for (unsigned r = 0; r < span->rank; r++) {
        unsigned digit = vector[span->pivot[r]];
        rank = rank * segment->symbols + digit;
        add_times(sum, span->basis[r], digit, segment->length, segment->symbols);
    }
    return memcmp(sum, vector, segment->length) == 0 ? rank : INDEX_NONE;
}

static void unrank_span(const struct segment *segment, const uint8_t *root, uint64_t rank, uint8_t *cells)
{
    memcpy(cells, root, segment->length);
    for (unsigned r = segment->span->rank; r-- > 0;) {
        add_times(cells, segment->span->basis[r], (unsigned)(rank % segment->symbols), segment->length,
                  segment->symbols);
        rank /= segment->symbols;
    }
}

static uint64_t rank_segment(const struct puzzle *puzzle, const struct segment *segment, const uint8_t *question)
{
    switch (segment->implied) {
    case IMPLIED_PARITY:
        return segment_rank(segment, question) / 2;
    case IMPLIED_SUM:
        return sum_of(segment, question) == segment->sum ? segment_rank(segment, question) / segment->symbols
                                                         : INDEX_NONE;
    case IMPLIED_SPAN:
        return rank_span(segment, puzzle->roots[0].question + segment->first, question + segment->first);
    case IMPLIED_NOTHING:
        break;
    }
    return segment_rank(segment, question);
}

static uint64_t odd_parts(const struct puzzle *puzzle, const uint8_t *question)
{
    uint64_t odd = 0;
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        if (puzzle->segments[s].parity_counts && is_odd_part(&puzzle->segments[s], question)) {
            odd |= UINT64_C(1) << s;
        }
    }
    return odd;
}

static bool has_parity(const struct segment *segment, uint64_t odd)
{
    return count_bits(odd & segment->parity_with) % 2 == segment->parity_of_root;
}

uint64_t invariant_rank(const struct puzzle *puzzle, unsigned root, const uint8_t *question)
{
    uint64_t index = 0;
    uint64_t odd = odd_parts(puzzle, question);
    (void)root;
    for (unsigned k = 0; k < puzzle->segment_count; k++) {
        const struct segment *segment = &puzzle->segments[puzzle->index_order[k]];
        uint64_t rank = rank_segment(puzzle, segment, question);
        if (rank == INDEX_NONE || (segment->implied == IMPLIED_PARITY && !has_parity(segment, odd))) {
            return INDEX_NONE;
        }
        index = index * segment->kept + rank;
    }
    return index;
}

static void unrank_segment(const struct puzzle *puzzle, const struct segment *segment, uint64_t rank, uint8_t *question)
{
    uint8_t *last = question + segment->first + segment->length - 1;
    switch (segment->implied) {
    case IMPLIED_PARITY:
        segment_unrank(segment, 2 * rank, question);
        break;
    case IMPLIED_SUM:
        segment_unrank(segment, rank * segment->symbols, question);
        *last = (uint8_t)((segment->sum + segment->symbols - sum_of(segment, question)) % segment->symbols);
        break;
    case IMPLIED_SPAN:
        unrank_span(segment, puzzle->roots[0].question + segment->first, rank, question + segment->first);
        break;
    case IMPLIED_NOTHING:
        segment_unrank(segment, rank, question);
        break;
    }
}

static void set_parities(const struct puzzle *puzzle, uint8_t *question)
{
    uint64_t odd = odd_parts(puzzle, question);
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        if (segment->implied == IMPLIED_PARITY && !has_parity(segment, odd)) {
            uint8_t *end = question + segment->first + segment->length;
            uint8_t last = end[-1];
            end[-1] = end[-2];
            end[-2] = last;
        }
    }
}

void invariant_unrank(const struct puzzle *puzzle, unsigned root, uint64_t index, uint8_t *question)
{
    uint64_t rank[2 * SETS_MOST];
    (void)root;
    for (unsigned k = puzzle->segment_count; k-- > 0;) {
        unsigned s = puzzle->index_order[k];
        rank[s] = index % puzzle->segments[s].kept;
        index /= puzzle->segments[s].kept;
    }
    // The pieces first, all of them right: which orientations count depends on where they are.
    for (unsigned orientations = 0; orientations < 2; orientations++) {
        for (unsigned s = 0; s < puzzle->segment_count; s++) {
            if ((puzzle->segments[s].kind == SEGMENT_ORIENTATION) == orientations) {
                unrank_segment(puzzle, &puzzle->segments[s], rank[s], question);
            }
        }
        if (orientations == 0) {
            set_parities(puzzle, question);
        }
    }
}

// ---- In words -----------------------------------------------------------------------------------------------------

static const char *name_of(const struct puzzle *puzzle, unsigned segment)
{
    return puzzle->definition->sets[puzzle->segments[segment].set].name;
}

static void tell_parity(const struct puzzle *puzzle, unsigned s, char *text, size_t size)
{
    uint64_t others = puzzle->segments[s].parity_with & ~(UINT64_C(1) << s);
    int used = snprintf(text, size, "parity: every move permutes %s", name_of(puzzle, s));
    for (unsigned t = 0; t < puzzle->segment_count; t++) {
        if (others >> t & 1 && used >= 0 && (size_t)used < size) {
            used += snprintf(text + used, size - (size_t)used, "%s%s", others & (others - 1) ? ", " : " and ",
                             name_of(puzzle, t));
        }
    }
    if (used >= 0 && (size_t)used < size) {
        snprintf(text + used, size - (size_t)used, others ? ", an even number of them oddly" : " evenly");
    }
}

void invariants_tell(const struct puzzle *puzzle, void (*tell)(void *context, const char *text), void *context)
{
    char text[FAULT_TEXT];
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        switch (segment->implied) {
        case IMPLIED_NOTHING:
            continue;
        case IMPLIED_PARITY:
            tell_parity(puzzle, s, text, sizeof text);
            break;
        case IMPLIED_SUM:
            snprintf(text, sizeof text, "sum: the orientations of %s always add up to %u, modulo %u",
                     name_of(puzzle, s), segment->sum, segment->symbols);
            break;
        case IMPLIED_SPAN:
            if (segment->span->rank == segment->length) {
                continue;
            }
            snprintf(text, sizeof text, "span: %u of the %u orientations of %s follow from the others",
                     segment->length - segment->span->rank, segment->length, name_of(puzzle, s));
            break;
        }
        tell(context, text);
    }
}
