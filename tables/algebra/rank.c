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

// Returns digit i of the Lehmer code: how many symbols below arrangement[i] do not stand before it.
// Unlike lehmer_digit, it works for more than RANK_LONGEST symbols.
static unsigned count_smaller_unused(const uint8_t *arrangement, unsigned i)
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
                                                 : count_smaller_unused(arrangement, i);
        rank = rank * (symbols - i) + digit;
    }
    return rank;
}

// Replaces the digits of a Lehmer code by the symbols, in place, from the last digit to the first.
// Digit i numbers the symbols that do not stand before it. The later symbols were numbered without
// this symbol. So those that are not below it grow by 1.
static void digits_to_symbols(unsigned length, uint8_t *arrangement)
{
    for (unsigned i = length; i-- > 0;) {
        for (unsigned j = i + 1; j < length; j++) {
            arrangement[j] = (uint8_t)(arrangement[j] + (arrangement[j] >= arrangement[i]));
        }
    }
}

// Writes the digits of the Lehmer code, from the last one on, and then replaces them by symbols.
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
    // The unused symbols in rising order, a nibble each. The digit is the place of the one to take;
    // those above it move down by a nibble.
    uint64_t unused = 0xFEDCBA9876543210u;
    for (unsigned i = 0; i < length; i++) {
        unsigned shift = 4u * arrangement[i];
        arrangement[i] = (uint8_t)(unused >> shift & 15u);
        uint64_t below = ((uint64_t)1 << shift) - 1;
        unused = (unused & below) | (unused >> 4 & ~below);
    }
}

// Keeps as many symbols at the start as it can. The others become the least possible ones.
void arrangement_next(unsigned symbols, unsigned length, uint8_t *arrangement)
{
    unsigned unused = (1u << symbols) - 1; // a bit for each symbol
    for (unsigned i = 0; i < length; i++) {
        unused &= ~(1u << arrangement[i]);
    }
    // Take symbols away from the end, until a larger unused one can take the place of the last.
    unsigned kept = length; // the symbols before this place stay
    unsigned larger = 0;    // unused symbols above the one at place `kept`; 0: wrap around
    while (kept > 0 && larger == 0) {
        unsigned symbol = arrangement[--kept];
        larger = unused & ~((2u << symbol) - 1); // without the bits up to this symbol
        unused |= 1u << symbol;
    }
    // That place gets the least larger symbol, and each later one the least unused symbol.
    for (unsigned i = kept; i < length; i++) {
        unsigned choice = i == kept && larger ? larger : unused;
        arrangement[i] = (uint8_t)__builtin_ctz(choice);
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
    if (arrangement_is_odd(length, arrangement) != odd) { // exchange the two last symbols
        uint8_t last = arrangement[length - 1];
        arrangement[length - 1] = arrangement[length - 2];
        arrangement[length - 2] = last;
    }
}

// Multiplies C(placed, amount) for all colours, where `placed` counts the cells up to this
// colour's. *count × placed / k has no remainder, because each partial product is a binomial
// coefficient times an integer. It does not wrap: see MULTISETS_MOST.
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

// What the last cells hold, while cells are ranked from left to right: colours that appear several
// times.
struct rest {
    uint8_t amount[RANK_CELLS_MOST]; // by colour: how often it appears in these cells
    uint64_t count;                  // of the multiset permutations of these cells
    unsigned cells;
};

// Returns the rest before the first cell. The colours that appear once do not belong to it. `cells`
// is the sum of the other amounts.
static struct rest start_rest(unsigned colours, const uint8_t *amount, unsigned cells)
{
    struct rest rest = {.cells = cells};
    for (unsigned c = 0; c < colours; c++) {
        rest.amount[c] = amount[c] == 1 ? 0 : amount[c];
    }
    multiset_count(cells, colours, rest.amount, &rest.count);
    return rest;
}

// Returns how many multiset permutations of the rest begin with a colour. Their share of
// rest->count is the colour's share of the cells, so there is no remainder. The product can't wrap:
// see MULTISETS_MOST.
static uint64_t count_beginning_with(const struct rest *rest, unsigned colour)
{
    assert(rest->cells > 0);
    return rest->count * rest->amount[colour] / rest->cells;
}

// Removes the first cell of the rest, which has a colour.
static void remove_first_cell(struct rest *rest, unsigned colour)
{
    rest->count = count_beginning_with(rest, colour);
    rest->amount[colour]--;
    rest->cells--;
}

// Lists the colours that appear once, in rising order. Returns how many they are.
static unsigned list_singles(unsigned colours, const uint8_t *amount,
                             uint8_t singles[RANK_CELLS_MOST])
{
    unsigned count = 0;
    for (unsigned c = 0; c < colours; c++) {
        if (amount[c] == 1) {
            singles[count++] = (uint8_t)c;
        }
    }
    return count;
}

// Ranks the cells of the colours that appear once, and then the rest. The rank of the rest adds up,
// for each of its cells, how many multiset permutations have a lower colour there.
uint64_t multiset_rank(unsigned length, unsigned colours, const uint8_t *amount,
                       const uint8_t *multiset)
{
    uint8_t singles[RANK_CELLS_MOST];
    uint8_t cell_of[RANK_CELLS_MOST] = {0}; // by colour that appears once
    uint8_t cells[RANK_CELLS_MOST] = {0};   // of the colours in `singles`
    unsigned count = list_singles(colours, amount, singles);
    for (unsigned i = 0; i < length; i++) {
        cell_of[multiset[i]] = (uint8_t)i;
    }
    for (unsigned i = 0; i < count; i++) {
        cells[i] = cell_of[singles[i]];
    }
    struct rest rest = start_rest(colours, amount, length - count);
    uint64_t rank = arrangement_rank(length, count, cells) * rest.count;
    for (unsigned i = 0; i < length && rest.count > 1; i++) {
        unsigned colour = multiset[i];
        if (amount[colour] == 1) {
            continue;
        }
        for (unsigned c = 0; c < colour; c++) {
            rank += count_beginning_with(&rest, c);
        }
        remove_first_cell(&rest, colour);
    }
    return rank;
}

void multiset_unrank(unsigned length, unsigned colours, const uint8_t *amount, uint64_t rank,
                     uint8_t *multiset)
{
    uint8_t singles[RANK_CELLS_MOST];
    uint8_t cells[RANK_CELLS_MOST] = {0}; // of the colours in `singles`
    bool taken[RANK_CELLS_MOST] = {false};
    unsigned count = list_singles(colours, amount, singles);
    struct rest rest = start_rest(colours, amount, length - count);
    assert(rest.count > 0);
    uint64_t rest_rank = rank % rest.count;
    arrangement_unrank(length, count, rank / rest.count, cells);
    for (unsigned i = 0; i < count; i++) {
        multiset[cells[i]] = singles[i];
        taken[cells[i]] = true;
    }
    for (unsigned i = 0; i < length; i++) {
        unsigned c = 0;
        if (taken[i]) {
            continue;
        }
        while (rest_rank >= count_beginning_with(&rest, c)) { // the cell has a higher colour than c
            rest_rank -= count_beginning_with(&rest, c++);
        }
        multiset[i] = (uint8_t)c;
        remove_first_cell(&rest, c);
    }
}
