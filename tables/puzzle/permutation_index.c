// Numbers the states of a permutation puzzle.
#include "index/rank.h"
#include "puzzle/permutation_own.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- The index ----------------------------------------------------------------------------------

static bool is_dense(const struct puzzle *puzzle)
{
    return puzzle->numbering.dense;
}

// Do the cells that no move changes hold what the root has there?
static bool still_cells_agree(const struct puzzle *puzzle, const uint8_t *relative)
{
    const struct permutation *permutation = permutation_of(puzzle);
    const uint8_t *root = puzzle->numbering.roots[0].target;
    for (unsigned i = 0; i < permutation->still_count; i++) {
        unsigned cell = permutation->still[i];
        if (relative[cell] != root[cell]) {
            return false;
        }
    }
    return true;
}

// Half the rank of a permutation, INDEX_NONE if it is odd. The digits of its rank add up to the
// number of its inversions.
static uint64_t rank_even(const struct puzzle *puzzle, const uint8_t *relative)
{
    struct lehmer code = lehmer_start();
    unsigned inversions = 0;
    uint64_t rank = 0;
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        unsigned digit = lehmer_digit(&code, relative[i]);
        inversions += digit;
        rank = rank * (puzzle->cell_count - i) + digit;
    }
    return inversions % 2 ? INDEX_NONE : rank / 2;
}

static void unrank_even(const struct puzzle *puzzle, uint64_t index, uint8_t *relative)
{
    unsigned last = puzzle->cell_count - 1;
    arrangement_unrank(puzzle->cell_count, puzzle->cell_count, 2 * index, relative);
    if (arrangement_is_odd(puzzle->cell_count, relative)) {
        uint8_t piece = relative[last];
        relative[last] = relative[last - 1];
        relative[last - 1] = piece;
    }
}

static uint64_t rank_by_orbits(const struct puzzle *puzzle, const uint8_t *relative)
{
    const struct orbits *orbits = &permutation_of(puzzle)->orbits;
    uint16_t tuple[SLOTS_MOST];
    uint16_t row[SLOTS_MOST];
    unsigned classes = 0;
    uint64_t index = 0;
    if (!still_cells_agree(puzzle, relative)) {
        return INDEX_NONE;
    }
    for (unsigned o = 0; o < orbits->count; o++) {
        const struct orbit *orbit = &orbits->orbits[o];
        if (!orbit_read(orbits, orbit, relative, row)) {
            return INDEX_NONE;
        }
        uint32_t class = orbit_class(orbit, row);
        uint64_t rank = class == ROW_NONE ? INDEX_NONE : orbit_rank(orbit, class, row);
        if (rank == INDEX_NONE) {
            return INDEX_NONE;
        }
        if (orbit->classes > 1) {
            tuple[classes++] = (uint16_t) class;
        }
        index = index * orbit->rows + rank;
    }
    uint32_t number = classes > 0 ? row_set_find(&orbits->tuples, tuple) : 0;
    return number == ROW_NONE ? INDEX_NONE : number * orbits->inner + index;
}

uint64_t permutation_rank(const struct puzzle *puzzle, unsigned root, const uint8_t *relative)
{
    (void)root;
    if (is_dense(puzzle)) {
        return puzzle_rank_state(puzzle, relative);
    }
    return permutation_of(puzzle)->alternating ? rank_even(puzzle, relative)
                                               : rank_by_orbits(puzzle, relative);
}

// Is this relative target that of a state, whatever the number of states?
static bool is_state(const struct puzzle *puzzle, const uint8_t *relative)
{
    const struct orbits *orbits = &permutation_of(puzzle)->orbits;
    uint16_t tuple[SLOTS_MOST];
    uint16_t row[SLOTS_MOST];
    unsigned classes = 0;
    if (!still_cells_agree(puzzle, relative)) {
        return false;
    }
    for (unsigned o = 0; o < orbits->count; o++) {
        const struct orbit *orbit = &orbits->orbits[o];
        uint32_t class = ROW_NONE;
        if (orbit_read(orbits, orbit, relative, row)) {
            class = orbit_class(orbit, row);
        }
        if (class == ROW_NONE ||
            (orbit->kind == ORBIT_CHAIN && orbit_rank(orbit, class, row) == INDEX_NONE)) {
            return false;
        }
        if (orbit->classes > 1) {
            tuple[classes++] = (uint16_t) class;
        }
    }
    // If the tuples are not listed, it is not known which ones occur.
    return classes == 0 || orbits->length_count > 0 ||
           row_set_find(&orbits->tuples, tuple) != ROW_NONE;
}

bool permutation_is_reachable(const struct puzzle *puzzle, const uint8_t *start,
                              const uint8_t *target)
{
    uint8_t relative[CELLS_MOST];
    struct fewest_error error;
    unsigned root;
    return puzzle_relate(puzzle, start, target, &root, relative, &error) &&
           is_state(puzzle, relative) && !permutation_find_illegal(puzzle, relative);
}

void permutation_unrank(const struct puzzle *puzzle, unsigned root, uint64_t index,
                        uint8_t *relative)
{
    (void)root;
    if (is_dense(puzzle)) {
        puzzle_unrank_state(puzzle, index, relative);
        return;
    }
    if (permutation_of(puzzle)->alternating) {
        unrank_even(puzzle, index, relative);
        return;
    }
    const struct orbits *orbits = &permutation_of(puzzle)->orbits;
    uint16_t row[SLOTS_MOST];
    const uint16_t *tuple = row_set_row(&orbits->tuples, (uint32_t)(index / orbits->inner));
    unsigned classes = orbits->tuples.length;
    memcpy(relative, puzzle->numbering.roots[0].target, puzzle->cell_count);
    index %= orbits->inner;
    for (unsigned o = orbits->count; o-- > 0;) {
        const struct orbit *orbit = &orbits->orbits[o];
        orbit_unrank(orbit, orbit->classes > 1 ? tuple[--classes] : 0, index % orbit->rows, row);
        orbit_write(orbits, orbit, row, relative);
        index /= orbit->rows;
    }
}

// ---- The number of states -----------------------------------------------------------------------

static void tell_power(struct state_counter *counter, unsigned base, unsigned exponent)
{
    for (unsigned i = 0; i < exponent; i++) {
        state_counter_times(counter, base);
    }
}

static void tell_factorial(struct state_counter *counter, unsigned n, bool over)
{
    for (unsigned i = 2; i <= n; i++) {
        (over ? state_counter_over : state_counter_times)(counter, i);
    }
}

struct factor {
    char text[FEWEST_ERROR_SIZE];
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void append(struct factor *factor, const char *format,
                                                         ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t left = sizeof factor->text - factor->used;
    int length = vsnprintf(factor->text + factor->used, left, format, arguments);
    va_end(arguments);
    factor->used += length > 0 && (size_t)length < left ? (size_t)length : 0;
}

// Appends what the pieces that look alike divide by: /4!^3 or /(6!·2!^3), or nothing. `times` says
// how many symbols have each amount.
static void append_alike(struct factor *factor, const unsigned times[PIECES_OF_SET_MOST + 1])
{
    unsigned kinds = 0;
    unsigned written = 0;
    for (unsigned amount = 2; amount <= PIECES_OF_SET_MOST; amount++) {
        kinds += times[amount] > 0;
    }
    for (unsigned amount = PIECES_OF_SET_MOST; amount > 1; amount--) {
        if (times[amount] > 0) {
            append(factor, "%s%u!", written++ > 0 ? "·" : kinds > 1 ? "/(" : "/", amount);
        }
        if (times[amount] > 1) {
            append(factor, "^%u", times[amount]);
        }
    }
    append(factor, "%s", kinds > 1 ? ")" : "");
}

// For example 8!·3^7/2, 24!/4!^6, or 3^7 if all pieces look alike.
static void tell_giant(struct state_counter *counter, const struct orbit *orbit)
{
    struct factor factor = {.used = 0};
    unsigned times[PIECES_OF_SET_MOST + 1] = {0};
    bool differ = orbit->symbol_count == orbit->length;
    unsigned turned = orbit->counting - (orbit->turns > 1 && orbit->counting == orbit->length);
    tell_factorial(counter, orbit->length, false);
    if (differ) {
        state_counter_over(counter, 2);
    }
    for (unsigned s = 0; s < orbit->symbol_count; s++) {
        tell_factorial(counter, orbit->symbols[s].amount, true);
        times[orbit->symbols[s].amount]++;
    }
    tell_power(counter, orbit->turns, turned);
    if (orbit->symbol_count > 1) {
        append(&factor, "%u!", orbit->length);
        append_alike(&factor, times);
    }
    if (turned > 0) {
        append(&factor, "%s%u^%u", orbit->symbol_count > 1 ? "·" : "", orbit->turns, turned);
    }
    append(&factor, "%s", differ ? "/2" : "");
    if (factor.used > 0) {
        state_counter_name(counter, factor.text);
    }
}

static void tell_number(struct state_counter *counter, uint64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    state_counter_name(counter, text);
}

static void tell_orbit(struct state_counter *counter, const struct orbit *orbit)
{
    if (orbit->kind == ORBIT_GIANT) {
        tell_giant(counter, orbit);
        return;
    }
    if (orbit->kind == ORBIT_LISTED) {
        state_counter_times(counter, (uint32_t)orbit->rows);
    }
    for (unsigned l = 0; l < orbit->level_count; l++) {
        state_counter_times(counter, orbit->levels[l].length);
    }
    if (orbit->rows != 1) {
        // A product that exceeds 63 bits has no short name.
        if (orbit->rows > 0) {
            tell_number(counter, orbit->rows);
        } else {
            state_counter_name(counter, "…");
        }
    }
}

static void tell_tuples(struct state_counter *counter, const struct orbits *orbits)
{
    if (!orbits->lengths) {
        state_counter_times(counter, orbits->tuples.count);
        if (orbits->tuples.count > 1) {
            tell_number(counter, orbits->tuples.count);
        }
        return;
    }
    for (unsigned l = 0; l < orbits->length_count; l++) {
        state_counter_times(counter, orbits->lengths[l]);
    }
    for (unsigned o = 0; o < orbits->count; o++) {
        const struct orbit *orbit = &orbits->orbits[o];
        for (unsigned l = 0; l < orbit->level_count && orbit->classes > 1; l++) {
            state_counter_over(counter, orbit->levels[l].length);
        }
    }
    state_counter_name(counter, "…");
}

// The arrangements of a segment of pieces, such as 24!/8!.
static void tell_pieces(struct state_counter *counter, const struct segment *segment)
{
    struct factor factor = {.used = 0};
    unsigned times[PIECES_OF_SET_MOST + 1] = {0};
    tell_factorial(counter, segment->length, false);
    append(&factor, "%u!", segment->length);
    for (unsigned s = 0; s < segment->symbols; s++) {
        tell_factorial(counter, segment->amount[s], true);
        times[segment->amount[s]]++;
    }
    append_alike(&factor, times);
    state_counter_name(counter, factor.text);
}

// The orientations of a segment, such as 3^8.
static void tell_orientations(struct state_counter *counter, const struct puzzle *puzzle,
                              const struct segment *segment)
{
    struct factor factor = {.used = 0};
    unsigned counting = 0;
    for (unsigned i = 0; i < segment->length; i++) {
        counting += segment_counts_at(segment, puzzle->goals[0], i);
    }
    tell_power(counter, segment->symbols, counting);
    append(&factor, "%u", segment->symbols);
    if (counting > 1) {
        append(&factor, "^%u", counting);
    }
    if (counting > 0) {
        state_counter_name(counter, factor.text);
    }
}

static void tell_arrangements(struct state_counter *counter, const struct puzzle *puzzle)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        if (segment->kind == SEGMENT_ORIENTATION) {
            tell_orientations(counter, puzzle, segment);
        } else {
            tell_pieces(counter, segment);
        }
    }
}

void permutation_count_states(const struct puzzle *puzzle, struct state_counter *counter)
{
    if (puzzle->forbids_states && puzzle_is_numbered(puzzle)) {
        tell_arrangements(counter, puzzle);
        return;
    }
    const struct orbits *orbits = &permutation_of(puzzle)->orbits;
    tell_tuples(counter, orbits);
    for (unsigned o = 0; o < orbits->count; o++) {
        tell_orbit(counter, &orbits->orbits[o]);
    }
}
