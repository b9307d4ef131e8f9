// Compares ranking and unranking with slow and simple twins, exhaustively.
#include "tables/algebra/rank.h"
#include "tables/algebra/set_masks.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

// Finds the next arrangement in lexicographic order. Counts through all rows of symbols.
static bool next_arrangement(unsigned symbols, unsigned length, uint8_t *row)
{
    for (;;) {
        unsigned i = length;
        while (i > 0 && row[i - 1] + 1u == symbols) {
            row[--i] = 0;
        }
        if (i == 0) {
            return false;
        }
        row[i - 1]++;
        bool different = true;
        for (unsigned a = 0; a < length; a++) {
            for (unsigned b = 0; b < a; b++) {
                different &= row[a] != row[b];
            }
        }
        if (different) {
            return true;
        }
    }
}

Test(rank, the_next_arrangement_has_the_next_rank_and_the_first_one_follows_the_last)
{
    for (unsigned symbols = 1; symbols <= 7; symbols++) {
        for (unsigned length = 0; length <= symbols; length++) {
            uint64_t count = arrangement_count(symbols, length);
            uint8_t arrangement[RANK_LONGEST];
            arrangement_unrank(symbols, length, 0, arrangement);
            for (uint64_t rank = 0; rank < count; rank++) {
                cr_assert_eq(arrangement_rank(symbols, length, arrangement), rank);
                arrangement_next(symbols, length, arrangement);
            }
            cr_assert_eq(arrangement_rank(symbols, length, arrangement), 0);
        }
    }
}

static void check_arrangements(unsigned symbols, unsigned length)
{
    uint8_t row[RANK_LONGEST] = {0};
    uint8_t back[RANK_LONGEST];
    uint64_t expected = 0;
    bool first = length == 1; // 0 alone is an arrangement; 0 0 is not
    while (first || next_arrangement(symbols, length, row)) {
        first = false;
        cr_assert_eq(arrangement_rank(symbols, length, row), expected);
        arrangement_unrank(symbols, length, expected, back);
        cr_assert_arr_eq(back, row, length);
        expected++;
    }
    cr_assert_eq(arrangement_count(symbols, length), expected);
}

Test(rank, every_arrangement_has_its_lexicographic_place_and_comes_back_from_it)
{
    for (unsigned symbols = 1; symbols <= 7; symbols++) {
        for (unsigned length = 1; length <= symbols; length++) {
            check_arrangements(symbols, length);
        }
    }
    // Some of more symbols than a word has nibbles.
    for (unsigned length = 1; length <= 3; length++) {
        check_arrangements(17, length);
        check_arrangements(20, length);
    }
}

// Sorts a copy by exchanges, and counts them.
static bool is_odd(unsigned length, const uint8_t *arrangement)
{
    uint8_t row[RANK_LONGEST];
    bool odd = false;
    memcpy(row, arrangement, length);
    for (unsigned i = 0; i < length;) {
        uint8_t home = row[i];
        if (home == i) {
            i++;
            continue;
        }
        row[i] = row[home];
        row[home] = home;
        odd = !odd;
    }
    return odd;
}

Test(rank, half_a_rank_and_the_parity_give_the_arrangement_back)
{
    for (unsigned length = 2; length <= 7; length++) {
        uint8_t row[RANK_LONGEST] = {0};
        while (next_arrangement(length, length, row)) {
            uint8_t back[RANK_LONGEST];
            bool odd;
            uint64_t rank = arrangement_rank_odd(length, row, &odd);
            cr_assert_eq(rank, arrangement_rank(length, length, row));
            cr_assert_eq(odd, is_odd(length, row));
            arrangement_unrank_half(length, rank / 2, odd, back);
            cr_assert_arr_eq(back, row, length);
        }
    }
}

Test(rank, sixteen_symbols_still_fit_their_nibbles)
{
    uint8_t row[RANK_LONGEST];
    uint8_t back[RANK_LONGEST];
    for (unsigned i = 0; i < 16; i++) {
        row[i] = (uint8_t)(15 - i);
    }
    uint64_t last = arrangement_count(16, 10) - 1;
    cr_assert_eq(arrangement_rank(16, 10, row), last);
    arrangement_unrank(16, 10, last, back);
    cr_assert_arr_eq(back, row, 10);
    arrangement_unrank(16, 10, 0, back);
    for (unsigned i = 0; i < 10; i++) {
        cr_assert_eq(back[i], i);
    }
}

enum { ROWS_MOST = 1260 };

// Finds all rows with the right amount of each colour, by trying every row.
static unsigned find_rows(unsigned length, unsigned colours, const uint8_t *amount,
                          uint8_t rows[ROWS_MOST][8])
{
    uint8_t row[8] = {0};
    unsigned count = 0;
    for (;;) {
        uint8_t seen[8] = {0};
        for (unsigned i = 0; i < length; i++) {
            seen[row[i]]++;
        }
        if (memcmp(seen, amount, colours) == 0) {
            memcpy(rows[count++], row, sizeof row);
        }
        unsigned i = length;
        while (i > 0 && row[i - 1] + 1u == colours) {
            row[--i] = 0;
        }
        if (i == 0) {
            return count;
        }
        row[i - 1]++;
    }
}

// Writes the key that orders multiset permutations: the cells of the colours that occur once, then
// the colours of the other cells.
static void write_key(unsigned length, unsigned colours, const uint8_t *amount, const uint8_t *row,
                      uint8_t key[16])
{
    memset(key, 0, 16);
    for (unsigned c = 0; c < colours; c++) {
        for (unsigned i = 0; i < length && amount[c] == 1; i++) {
            if (row[i] == c) {
                *key++ = (uint8_t)i;
            }
        }
    }
    for (unsigned i = 0; i < length; i++) {
        if (amount[row[i]] != 1) {
            *key++ = row[i];
        }
    }
}

static void check_multisets(unsigned length, unsigned colours, const uint8_t *amount)
{
    static uint8_t rows[ROWS_MOST][8];
    uint64_t number;
    unsigned count = find_rows(length, colours, amount, rows);
    cr_assert(multiset_count(length, colours, amount, &number));
    cr_assert_eq(number, count);
    for (unsigned r = 0; r < count; r++) {
        uint8_t key[16];
        uint8_t back[8];
        uint64_t before = 0;
        write_key(length, colours, amount, rows[r], key);
        for (unsigned other = 0; other < count; other++) {
            uint8_t its[16];
            write_key(length, colours, amount, rows[other], its);
            before += memcmp(its, key, sizeof key) < 0;
        }
        cr_assert_eq(multiset_rank(length, colours, amount, rows[r]), before);
        multiset_unrank(length, colours, amount, before, back);
        cr_assert_arr_eq(back, rows[r], length);
    }
}

Test(rank, every_multiset_permutation_has_its_place_and_comes_back_from_it)
{
    for (unsigned a = 0; a <= 4; a++) {
        for (unsigned b = 0; b <= 3; b++) {
            check_multisets(a + b + 1, 3, (uint8_t[]){(uint8_t)a, (uint8_t)b, 1});
            check_multisets(a / 2 + b + 2, 4, (uint8_t[]){(uint8_t)(a / 2), 1, (uint8_t)b, 1});
        }
    }
    check_multisets(7, 1, (uint8_t[]){7});
    check_multisets(6, 6, (uint8_t[]){1, 1, 1, 1, 1, 1});
}

Test(rank, a_number_of_multiset_permutations_that_does_not_fit_is_refused)
{
    uint8_t amount[64];
    uint64_t count;
    memset(amount, 1, sizeof amount);
    cr_assert_not(multiset_count(64, 64, amount, &count));
    cr_assert(multiset_count(12, 12, amount, &count));
    cr_assert_eq(count, 479001600);
}

// Counts through all masks.
Test(rank, every_set_has_its_place_among_the_masks_and_comes_back_from_it)
{
    for (unsigned slots = 1; slots <= 9; slots++) {
        for (unsigned size = 0; size <= slots; size++) {
            struct set_masks masks;
            uint64_t number = 0;
            cr_assert(set_masks_make(&masks, slots, size));
            for (uint64_t mask = 0; mask >> slots == 0; mask++) {
                uint64_t back;
                uint32_t offset = 1;
                if (__builtin_popcountll(mask) == (int)size) {
                    cr_assert_eq(set_masks_number(&masks, mask), number);
                    set_masks_list(&masks, number - 1, &offset, 1, &back);
                    cr_assert_eq(back, mask);
                    number++;
                }
            }
            cr_assert_eq(masks.count, number);
            set_masks_free(&masks);
        }
    }
}
