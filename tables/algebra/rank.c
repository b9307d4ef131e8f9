// Ranks permutations, arrangements of some pieces, and multiset permutations.
#include "rank.h"

#include <assert.h>
#include <string.h>

// Limit for a count, so that its product with the number of a colour's cells does not wrap.
static const uint64_t MULTISETS_MOST = UINT64_MAX / RANK_CELLS_MOST;

uint64_t arrangement_count(unsigned symbols, unsigned length)
{
    uint64_t count = 1;
    assert(length <= symbols);
    for (unsigned i = 0; i < length; i++) {
        if (count > UINT64_MAX / (symbols - i)) {
            return 0;
        }
        count *= symbols - i;
    }
    return count;
}

// The same as lehmer_digit, for more symbols than that has nibbles.
static unsigned digit_of(const uint8_t *arrangement, unsigned i)
{
    unsigned digit = arrangement[i];
    for (unsigned j = 0; j < i; j++) {
        digit -= arrangement[j] < arrangement[i];
    }
    return digit;
}

uint64_t arrangement_rank(unsigned symbols, unsigned length, const uint8_t *arrangement)
{
    struct lehmer code = lehmer_start();
    uint64_t rank = 0;
    for (unsigned i = 0; i < length; i++) {
        unsigned digit = symbols <= RANK_LONGEST ? lehmer_digit(&code, arrangement[i])
                                                 : digit_of(arrangement, i);
        rank = rank * (symbols - i) + digit;
    }
    return rank;
}

// Replaces digits by symbols: from the last one on, each later symbol makes room for the one before
// it.
static void digits_to_symbols(unsigned length, uint8_t *arrangement)
{
    for (unsigned i = length; i-- > 0;) {
        for (unsigned j = i + 1; j < length; j++) {
            arrangement[j] = (uint8_t)(arrangement[j] + (arrangement[j] >= arrangement[i]));
        }
    }
}

void arrangement_unrank(unsigned symbols, unsigned length, uint64_t rank, uint8_t *arrangement)
{
    for (unsigned i = length; i-- > 0;) {
        arrangement[i] = (uint8_t)(rank % (symbols - i));
        rank /= symbols - i;
    }
    if (symbols > RANK_LONGEST) {
        digits_to_symbols(length, arrangement);
        return;
    }
    // The unused symbols in rising order, a nibble each: the digit says which to take out.
    uint64_t unused = 0xFEDCBA9876543210u;
    for (unsigned i = 0; i < length; i++) {
        unsigned shift = 4u * arrangement[i];
        arrangement[i] = (uint8_t)(unused >> shift & 15u);
        uint64_t below = ((uint64_t)1 << shift) - 1;
        unused = (unused & below) | (unused >> 4 & ~below);
    }
}

void arrangement_next(unsigned symbols, unsigned length, uint8_t *arrangement)
{
    unsigned unused = (1u << symbols) - 1;
    for (unsigned i = 0; i < length; i++) {
        unused &= ~(1u << arrangement[i]);
    }
    unsigned kept = length; // symbols that stay
    unsigned larger = 0;    // unused symbols above the last one that stays
    while (kept > 0 && larger == 0) {
        unsigned symbol = arrangement[--kept];
        larger = unused & ~((2u << symbol) - 1);
        unused |= 1u << symbol;
    }
    for (unsigned i = kept; i < length; i++) {
        unsigned from = i == kept && larger ? larger : unused;
        arrangement[i] = (uint8_t)__builtin_ctz(from);
        unused &= ~(1u << arrangement[i]);
    }
}

bool arrangement_is_odd(unsigned length, const uint8_t *arrangement)
{
    unsigned inversions = 0;
    for (unsigned i = 0; i < length; i++) {
        for (unsigned j = 0; j < i; j++) {
            inversions += arrangement[j] > arrangement[i];
        }
    }
    return inversions % 2 == 1;
}

uint64_t arrangement_rank_odd(unsigned length, const uint8_t *arrangement, bool *odd)
{
    struct lehmer code = lehmer_start();
    unsigned inversions = 0;
    uint64_t rank = 0;
    for (unsigned i = 0; i < length; i++) {
        unsigned digit = lehmer_digit(&code, arrangement[i]);
        inversions += digit;
        rank = rank * (length - i) + digit;
    }
    *odd = inversions % 2 == 1;
    return rank;
}

void arrangement_unrank_half(unsigned length, uint64_t h, bool odd, uint8_t *arrangement)
{
    arrangement_unrank(length, length, 2 * h, arrangement);
    if (arrangement_is_odd(length, arrangement) != odd) {
        uint8_t last = arrangement[length - 1];
        arrangement[length - 1] = arrangement[length - 2];
        arrangement[length - 2] = last;
    }
}

// Each partial product is a binomial coefficient times an integer, so every division is exact.
bool multiset_count(unsigned length, unsigned colours, const uint8_t *amount, uint64_t *count)
{
    unsigned placed = 0;
    *count = 1;
    for (unsigned c = 0; c < colours; c++) {
        for (unsigned k = 1; k <= amount[c]; k++) {
            placed++;
            if (*count > MULTISETS_MOST / placed) {
                return false;
            }
            *count = *count * placed / k;
        }
    }
    assert(placed == length);
    (void)length;
    return true;
}

// The colours that appear once take their cells first, one after the other. The others take the
// cells that are left.
struct free_cells {
    bool taken[RANK_CELLS_MOST];
    unsigned count;
};

// Takes a cell, and returns its number among the free cells.
static unsigned take_free_cell(struct free_cells *cells, unsigned cell)
{
    unsigned number = cell;
    for (unsigned i = 0; i < cell; i++) {
        number -= cells->taken[i];
    }
    cells->taken[cell] = true;
    cells->count--;
    return number;
}

static unsigned nth_free(const struct free_cells *cells, unsigned n)
{
    unsigned cell = 0;
    while (cells->taken[cell] || n-- > 0) {
        cell++;
    }
    return cell;
}

// The amount of each colour that is left for the free cells, and the number of multiset
// permutations of these. The share of them that begin with a colour is that colour's share of the
// cells.
struct rest {
    uint8_t amount[RANK_CELLS_MOST];
    uint64_t count;
    unsigned cells;
};

static struct rest start_rest(unsigned colours, const uint8_t *amount, unsigned cells)
{
    struct rest rest = {.cells = cells};
    for (unsigned c = 0; c < colours; c++) {
        rest.amount[c] = amount[c] == 1 ? 0 : amount[c];
    }
    multiset_count(cells, colours, rest.amount, &rest.count);
    return rest;
}

static uint64_t count_share(const struct rest *rest, unsigned colour)
{
    assert(rest->cells > 0);
    return rest->count * rest->amount[colour] / rest->cells;
}

static void spend_colour(struct rest *rest, unsigned colour)
{
    rest->count = count_share(rest, colour);
    rest->amount[colour]--;
    rest->cells--;
}

uint64_t multiset_rank(unsigned length, unsigned colours, const uint8_t *amount,
                       const uint8_t *multiset)
{
    struct free_cells cells = {.count = length};
    uint8_t cell_of[RANK_CELLS_MOST] = {0}; // by colour that appears once
    uint64_t rank = 0;
    for (unsigned i = 0; i < length; i++) {
        cell_of[multiset[i]] = (uint8_t)i;
    }
    for (unsigned c = 0; c < colours; c++) {
        if (amount[c] == 1) {
            unsigned radix = cells.count;
            rank = rank * radix + take_free_cell(&cells, cell_of[c]);
        }
    }
    struct rest rest = start_rest(colours, amount, cells.count);
    rank *= rest.count;
    for (unsigned i = 0; i < length && rest.count > 1; i++) {
        unsigned colour = multiset[i];
        if (cells.taken[i]) {
            continue;
        }
        for (unsigned c = 0; c < colour; c++) {
            rank += count_share(&rest, c);
        }
        spend_colour(&rest, colour);
    }
    return rank;
}

void multiset_unrank(unsigned length, unsigned colours, const uint8_t *amount, uint64_t rank,
                     uint8_t *multiset)
{
    struct free_cells cells = {.count = length};
    unsigned singles = 0;
    uint8_t digit[RANK_CELLS_MOST] = {0};
    for (unsigned c = 0; c < colours; c++) {
        singles += amount[c] == 1;
    }
    struct rest rest = start_rest(colours, amount, length - singles);
    assert(rest.count > 0);
    uint64_t rest_rank = rank % rest.count;
    rank /= rest.count;
    for (unsigned i = singles; i-- > 0;) {
        digit[i] = (uint8_t)(rank % (length - i));
        rank /= length - i;
    }
    for (unsigned c = 0, i = 0; c < colours; c++) {
        if (amount[c] == 1) {
            unsigned cell = nth_free(&cells, digit[i++]);
            multiset[cell] = (uint8_t)c;
            take_free_cell(&cells, cell);
        }
    }
    for (unsigned i = 0; i < length; i++) {
        unsigned c = 0;
        if (cells.taken[i]) {
            continue;
        }
        while (rest_rank >= count_share(&rest, c)) {
            rest_rank -= count_share(&rest, c++);
        }
        multiset[i] = (uint8_t)c;
        spend_colour(&rest, c);
    }
}
