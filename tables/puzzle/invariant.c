// Finds what no move of a permutation puzzle changes.
#include "puzzle/invariant.h"

#include "index/rank.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Parts --------------------------------------------------------------------------------------

static bool is_prime(unsigned number)
{
    for (unsigned d = 2; d * d <= number; d++) {
        if (number % d == 0) {
            return false;
        }
    }
    return number >= 2;
}

// The first slot of the orbit of each slot: the least slot that moves connect with it. Orientations
// have the orbits of their pieces; where these stay at home, all are one, or, where the modulus is
// no prime, each is its own.
static void find_orbits(const struct puzzle *puzzle, const struct segment *segment, uint8_t *orbit)
{
    unsigned first = segment->kind == SEGMENT_ORIENTATION && segment->pieces >= 0
                         ? (unsigned)segment->pieces
                         : segment->first;
    bool at_home = segment->kind == SEGMENT_ORIENTATION && segment->pieces < 0;
    for (unsigned i = 0; i < segment->length; i++) {
        orbit[i] =
            (uint8_t)(puzzle_is_plain(puzzle) || (at_home && is_prime(segment->symbols)) ? 0 : i);
    }
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        for (unsigned i = 0; i < segment->length; i++) {
            uint8_t a = orbit[i];
            uint8_t b = orbit[puzzle->moves[m].from[first + i] - first];
            for (unsigned k = 0; k < segment->length && a != b; k++) {
                orbit[k] = orbit[k] == a || orbit[k] == b ? (a < b ? a : b) : orbit[k];
            }
        }
    }
}

// The numbers of the values that the root has in the cells, and how often each stands.
static void number_values(const struct puzzle *puzzle, const struct segment *segment,
                          struct part *part)
{
    uint8_t amount[PIECES_MOST] = {0};
    memset(part->number, NO_NUMBER, sizeof part->number);
    for (unsigned i = 0; i < part->length; i++) {
        amount[puzzle->numbering.roots[0].target[part->cell[i]]]++;
    }
    part->kind = SEGMENT_ARRANGEMENT;
    for (unsigned value = 0; value < segment->symbols; value++) {
        if (amount[value] > 0) {
            part->number[value] = (uint8_t)part->symbols;
            part->value[part->symbols] = (uint8_t)value;
            part->amount[part->symbols++] = amount[value];
            part->kind = amount[value] > 1 ? SEGMENT_MULTISET : part->kind;
        }
    }
    // At most the segment's.
    multiset_count(part->length, part->symbols, part->amount, &part->count);
}

static void count_orientations(const struct puzzle *puzzle, const struct segment *segment,
                               struct part *part)
{
    part->kind = SEGMENT_ORIENTATION;
    part->symbols = segment->symbols;
    part->count = 1;
    for (unsigned i = 0; i < part->length; i++) {
        bool counts = segment_counts_at(segment, puzzle->numbering.roots[0].target,
                                        part->cell[i] - segment->first);
        part->count *= counts ? part->symbols : 1;
        part->ignores |= !counts;
    }
}

static void add_parts(struct puzzle *puzzle, unsigned s)
{
    const struct segment *segment = &puzzle->segments[s];
    uint8_t orbit[PIECES_MOST];
    find_orbits(puzzle, segment, orbit);
    for (unsigned o = 0; o < segment->length; o++) {
        struct part *part = &permutation_of(puzzle)->parts[permutation_of(puzzle)->part_count];
        *part = (struct part){.segment = s};
        for (unsigned i = o; i < segment->length; i++) {
            if (orbit[i] == o) {
                part->cell[part->length++] = (uint8_t)(segment->first + i);
            }
        }
        if (part->length > 0) {
            (segment->kind == SEGMENT_ORIENTATION ? count_orientations
                                                  : number_values)(puzzle, segment, part);
            part->kept = part->count;
            permutation_of(puzzle)->part_count++;
        }
    }
}

// Pieces come before orientations: what belongs to the lowest digits of an index should not depend
// on the others.
static bool find_parts(struct puzzle *puzzle, struct fewest_error *error)
{
    // One is made before it is known.
    permutation_of(puzzle)->parts =
        calloc((size_t)puzzle->cell_count + 1, sizeof *permutation_of(puzzle)->parts);
    if (!permutation_of(puzzle)->parts) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the puzzle");
    }
    for (unsigned orientations = 0; orientations < (puzzle_is_plain(puzzle) ? 1 : 2);
         orientations++) {
        for (unsigned s = 0; s < puzzle->segment_count; s++) {
            if (puzzle_is_plain(puzzle) ||
                (puzzle->segments[s].kind == SEGMENT_ORIENTATION) == orientations) {
                add_parts(puzzle, s);
            }
        }
    }
    return true;
}

void invariants_free(struct permutation *permutation)
{
    for (unsigned p = 0; p < permutation->part_count; p++) {
        free(permutation->parts[p].span);
    }
    free(permutation->parts);
}

// ---- Parity -------------------------------------------------------------------------------------

// Which parts of different pieces a row permutes oddly, a bit each. Only the first 64 parts have
// one.
static bool has_parity_bit(const struct puzzle *puzzle, unsigned p)
{
    return p < 64 && permutation_of(puzzle)->parts[p].kind == SEGMENT_ARRANGEMENT &&
           permutation_of(puzzle)->parts[p].length >= 2;
}

static uint64_t odd_parts_of_move(const struct puzzle *puzzle, const struct move *move)
{
    uint64_t odd = 0;
    for (unsigned p = 0; p < permutation_of(puzzle)->part_count; p++) {
        if (has_parity_bit(puzzle, p) &&
            part_is_odd(&permutation_of(puzzle)->parts[p], move->from)) {
            odd |= UINT64_C(1) << p;
        }
    }
    return odd;
}

// Adds a row of bits to a reduced basis over the field of two elements: each row has a pivot, its
// lowest bit, that no other row has.
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

// A part that is no pivot follows from those pivots whose rows have it.
static void find_parities(struct puzzle *puzzle)
{
    uint64_t rows[64];
    unsigned count = 0;
    uint64_t pivots = 0;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        add_bits(rows, &count, odd_parts_of_move(puzzle, &puzzle->moves[m]));
    }
    for (unsigned r = 0; r < count; r++) {
        pivots |= rows[r] & -rows[r];
    }
    for (unsigned p = 0; p < permutation_of(puzzle)->part_count; p++) {
        struct part *part = &permutation_of(puzzle)->parts[p];
        if (!has_parity_bit(puzzle, p) || pivots >> p & 1) {
            continue;
        }
        part->implied = IMPLIED_PARITY;
        part->kept = part->count / 2;
        part->parity_with = UINT64_C(1) << p;
        for (unsigned r = 0; r < count; r++) {
            part->parity_with |= rows[r] >> p & 1 ? rows[r] & -rows[r] : 0;
        }
        for (unsigned q = 0; q < permutation_of(puzzle)->part_count && q < 64; q++) {
            if (part->parity_with >> q & 1) {
                part->parity_of_root ^= part_is_odd(&permutation_of(puzzle)->parts[q],
                                                    puzzle->numbering.roots[0].target);
                permutation_of(puzzle)->parts[q].parity_counts = true;
            }
        }
    }
}

// ---- Sums and spans -----------------------------------------------------------------------------

static void find_sum(struct puzzle *puzzle, struct part *part)
{
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        if (part_sum(part, puzzle->moves[m].add) != 0) {
            return;
        }
    }
    part->implied = IMPLIED_SUM;
    part->kept = part->count / part->symbols;
    part->sum = part_sum(part, puzzle->numbering.roots[0].target);
}

static unsigned inverse_modulo(unsigned number, unsigned prime)
{
    unsigned inverse = 1;
    while (inverse * number % prime != 1) {
        inverse++;
    }
    return inverse;
}

// Adds a vector to a reduced basis, whose rows have 1 at their own pivot and 0 at the others'.
static void add_vector(struct span *span, const uint8_t *vector, unsigned length, unsigned prime)
{
    uint8_t row[PIECES_MOST];
    unsigned pivot = 0;
    memcpy(row, vector, length);
    for (unsigned r = 0; r < span->rank; r++) {
        span_add_times(row, span->basis[r], prime - row[span->pivot[r]], length, prime);
    }
    while (pivot < length && row[pivot] == 0) {
        pivot++;
    }
    if (pivot == length) {
        return;
    }
    span_add_times(row, row, inverse_modulo(row[pivot], prime) - 1, length, prime);
    for (unsigned r = 0; r < span->rank; r++) {
        span_add_times(span->basis[r], row, prime - span->basis[r][pivot], length, prime);
    }
    span->pivot[span->rank] = (uint8_t)pivot;
    memcpy(span->basis[span->rank++], row, length);
}

static bool find_span(struct puzzle *puzzle, struct part *part, struct fewest_error *error)
{
    part->span = calloc(1, sizeof *part->span);
    if (!part->span) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the puzzle");
    }
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        add_vector(part->span, puzzle->moves[m].add + part->cell[0], part->length, part->symbols);
    }
    part->implied = IMPLIED_SPAN;
    part->kept = 1;
    for (unsigned r = 0; r < part->span->rank; r++) {
        part->kept *= part->symbols; // at most part->count
    }
    return true;
}

// ---- All of them --------------------------------------------------------------------------------

static bool find_orientations(struct puzzle *puzzle, struct part *part, struct fewest_error *error)
{
    if (part->kind != SEGMENT_ORIENTATION || part->ignores) {
        return true;
    }
    if (puzzle->segments[part->segment].pieces < 0 && is_prime(part->symbols)) {
        return find_span(puzzle, part, error);
    }
    find_sum(puzzle, part);
    return true;
}

bool invariants_find(struct puzzle *puzzle, struct fewest_error *error)
{
    if (!find_parts(puzzle, error)) {
        return false;
    }
    puzzle->numbering.state_count = puzzle->arrangement_count;
    if (puzzle_is_plain(puzzle)) {
        return true;
    }
    find_parities(puzzle);
    puzzle->numbering.state_count = 1;
    for (unsigned p = 0; p < permutation_of(puzzle)->part_count; p++) {
        if (!find_orientations(puzzle, &permutation_of(puzzle)->parts[p], error)) {
            return false;
        }
        // At most arrangement_count.
        puzzle->numbering.state_count *= permutation_of(puzzle)->parts[p].kept;
    }
    return true;
}

// ---- In words -----------------------------------------------------------------------------------

static const char *name_of(const struct puzzle *puzzle, const struct part *part)
{
    return puzzle->definition->sets[puzzle->segments[part->segment].set].name;
}

// How many parts the pieces of a segment fall into, and how many of its slots nothing ever leaves.
static void tell_orbits(const struct puzzle *puzzle, unsigned s,
                        void (*tell)(void *context, const char *text), void *context)
{
    char text[FEWEST_ERROR_SIZE];
    unsigned orbits = 0;
    unsigned held = 0;
    const char *name = "";
    for (unsigned p = 0; p < permutation_of(puzzle)->part_count; p++) {
        const struct part *part = &permutation_of(puzzle)->parts[p];
        if (part->segment == s && part->kind != SEGMENT_ORIENTATION) {
            name = name_of(puzzle, part);
            held += part->length == 1;
            orbits += part->length > 1;
        }
    }
    if (held > 0) {
        snprintf(text, sizeof text, "orbits: in %u slot%s of %s the piece never changes", held,
                 held == 1 ? "" : "s", name);
        tell(context, text);
    }
    if (orbits > 1) {
        snprintf(text, sizeof text,
                 "orbits: the slots of %s form %u orbits; no piece moves from one to another", name,
                 orbits);
        tell(context, text);
    }
}

static void tell_parity(const struct puzzle *puzzle, unsigned p, char *text, size_t size)
{
    uint64_t others = permutation_of(puzzle)->parts[p].parity_with & ~(UINT64_C(1) << p);
    int used = snprintf(text, size, "parity: every move is an %s permutation of %s%s",
                        others ? "odd" : "even", others ? "an even number of these: " : "",
                        name_of(puzzle, &permutation_of(puzzle)->parts[p]));
    for (unsigned q = 0; q < permutation_of(puzzle)->part_count && q < 64; q++) {
        if (others >> q & 1 && used >= 0 && (size_t)used < size) {
            used += snprintf(text + used, size - (size_t)used, ", %s",
                             name_of(puzzle, &permutation_of(puzzle)->parts[q]));
        }
    }
}

void invariants_tell(const struct puzzle *puzzle, void (*tell)(void *context, const char *text),
                     void *context)
{
    char text[FEWEST_ERROR_SIZE];
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        tell_orbits(puzzle, s, tell, context);
    }
    for (unsigned p = 0; p < permutation_of(puzzle)->part_count; p++) {
        const struct part *part = &permutation_of(puzzle)->parts[p];
        if (part->implied == IMPLIED_NOTHING ||
            (part->length == 1 && part->implied == IMPLIED_SUM) ||
            (part->implied == IMPLIED_SPAN && part->span->rank == part->length)) {
            continue;
        }
        if (part->implied == IMPLIED_PARITY) {
            tell_parity(puzzle, p, text, sizeof text);
        } else if (part->implied == IMPLIED_SUM) {
            snprintf(text, sizeof text,
                     "sum: the orientations of %s always add up to %u, modulo %u",
                     name_of(puzzle, part), part->sum, part->symbols);
        } else {
            unsigned implied = part->length - part->span->rank;
            snprintf(text, sizeof text,
                     "span: %u of the %u orientations of %s follow%s from the others", implied,
                     part->length, name_of(puzzle, part), implied == 1 ? "s" : "");
        }
        tell(context, text);
    }
}
