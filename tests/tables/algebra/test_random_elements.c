// Compares random elements and sets of rows with naive twins, which list all elements.
#include "tables/algebra/chain/random_elements.h"
#include "tables/base/row_set.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEGREE_MOST = 12,
    GENERATORS_MOST = 4,
    ORDER_MOST = 7920, // of a group that the twin lists
};

struct generators {
    const char *name;
    unsigned degree;
    unsigned count;
    uint16_t rows[GENERATORS_MOST][DEGREE_MOST];
};

// ---- The twin -----------------------------------------------------------------------------------

// All elements of a group, in the order in which they are found.
struct twin_group {
    unsigned degree;
    unsigned count;
    uint16_t (*rows)[DEGREE_MOST];
};

static bool twin_has(const struct twin_group *twin, const uint16_t *row)
{
    for (unsigned e = 0; e < twin->count; e++) {
        if (memcmp(twin->rows[e], row, twin->degree * sizeof *row) == 0) {
            return true;
        }
    }
    return false;
}

// Multiplies each element by each generator, until there are no new ones.
static struct twin_group twin_make(const struct generators *generators)
{
    struct twin_group twin = {.degree = generators->degree,
                              .count = 1,
                              .rows = calloc(ORDER_MOST + 1, sizeof *twin.rows)};
    for (unsigned x = 0; x < twin.degree; x++) {
        twin.rows[0][x] = (uint16_t)x;
    }
    for (unsigned e = 0; e < twin.count; e++) {
        for (unsigned g = 0; g < generators->count; g++) {
            uint16_t *product = twin.rows[twin.count];
            for (unsigned x = 0; x < twin.degree; x++) {
                product[x] = generators->rows[g][twin.rows[e][x]];
            }
            twin.count += !twin_has(&twin, product);
            cr_assert_leq(twin.count, ORDER_MOST);
        }
    }
    return twin;
}

static void twin_free(struct twin_group *twin)
{
    free(twin->rows);
}

Test(group, random_elements_are_elements_and_always_the_same)
{
    static const unsigned FEW = 1000;
    static const struct generators A6 = {"A6", 6, 2, {{1, 2, 0, 3, 4, 5}, {0, 2, 3, 4, 5, 1}}};
    const uint16_t *rows[] = {A6.rows[0], A6.rows[1]};
    struct twin_group twin = twin_make(&A6);
    struct twin_group met = {.degree = 6, .rows = calloc(FEW, sizeof *met.rows)};
    struct random_elements *some = random_elements_open(6, rows, 2);
    struct random_elements *same = random_elements_open(6, rows, 2);
    cr_assert(some && same);
    for (unsigned i = 0; i < FEW; i++) {
        const uint16_t *element = random_elements_next(some);
        cr_assert(twin_has(&twin, element));
        cr_assert_arr_eq(random_elements_next(same), element, 6 * sizeof *element);
        if (!twin_has(&met, element)) {
            memcpy(met.rows[met.count++], element, 6 * sizeof *element);
        }
    }
    cr_expect_gt(met.count, 300, "%u of 360 elements", met.count);
    random_elements_close(some);
    random_elements_close(same);
    twin_free(&met);
    twin_free(&twin);
}

// ---- Sets of rows -------------------------------------------------------------------------------

enum { ROWS_MOST = 3000, LENGTH_MOST = 5 };

// A list of different rows, in the order in which they came.
struct list {
    unsigned length;
    uint32_t count;
    uint16_t rows[ROWS_MOST][LENGTH_MOST];
};

static uint32_t list_find(const struct list *list, const uint16_t *row)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (memcmp(list->rows[i], row, list->length * sizeof *row) == 0) {
            return i;
        }
    }
    return ROW_NONE;
}

static uint32_t list_add(struct list *list, const uint16_t *row)
{
    uint32_t number = list_find(list, row);
    if (number == ROW_NONE) {
        number = list->count++;
        memcpy(list->rows[number], row, list->length * sizeof *row);
    }
    return number;
}

static bool comes_before(const struct list *list, const uint16_t *a, const uint16_t *b)
{
    for (unsigned i = 0; i < list->length; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i];
        }
    }
    return false;
}

// Sorts by insertion.
static void list_sort(struct list *list)
{
    for (uint32_t i = 1; i < list->count; i++) {
        uint16_t row[LENGTH_MOST];
        uint32_t at = i;
        memcpy(row, list->rows[i], sizeof row);
        for (; at > 0 && comes_before(list, row, list->rows[at - 1]); at--) {
            memcpy(list->rows[at], list->rows[at - 1], sizeof row);
        }
        memcpy(list->rows[at], row, sizeof row);
    }
}

// Returns what is wrong with a set, or NULL.
static const char *compare_set(const struct row_set *set, const struct list *list)
{
    if (set->count != list->count) {
        return "another count";
    }
    for (uint32_t i = 0; i < list->count; i++) {
        if (memcmp(row_set_row(set, i), list->rows[i], list->length * sizeof **list->rows) != 0) {
            return "another row";
        }
        if (row_set_find(set, list->rows[i]) != i) {
            return "another number";
        }
    }
    return NULL;
}

// Draws a row: few values if `wide` is false, so that rows come again and again.
static void draw_values(unsigned length, bool wide, uint16_t *row)
{
    for (unsigned i = 0; i < length; i++) {
        row[i] = (uint16_t)support_random_below(wide ? 65536 : 5);
    }
}

static void check_set(unsigned length, bool wide, uint32_t rounds)
{
    static struct list list;
    struct row_set set;
    uint16_t row[LENGTH_MOST] = {0};
    list.length = length;
    list.count = 0;
    row_set_open(&set, length);
    cr_expect_eq(row_set_find(&set, row), ROW_NONE);
    for (uint32_t i = 0; i < rounds; i++) {
        draw_values(length, wide, row);
        cr_assert_eq(row_set_find(&set, row), list_find(&list, row));
        cr_assert_eq(row_set_add(&set, row), list_add(&list, row));
    }
    const char *fault = compare_set(&set, &list);
    cr_expect(!fault, "length %u: %s", length, fault);
    cr_assert(row_set_sort(&set, NULL));
    list_sort(&list);
    fault = compare_set(&set, &list);
    cr_expect(!fault, "length %u, sorted: %s", length, fault);
    for (uint32_t i = 0; i < rounds; i++) { // a sorted set takes in more rows
        draw_values(length, wide, row);
        cr_assert_eq(row_set_find(&set, row), list_find(&list, row));
        cr_assert_eq(row_set_add(&set, row), list_add(&list, row));
    }
    fault = compare_set(&set, &list);
    cr_expect(!fault, "length %u, added to: %s", length, fault);
    row_set_close(&set);
}

Test(rows, are_numbered_as_they_come_and_sorted_like_a_list)
{
    for (unsigned length = 0; length <= LENGTH_MOST; length++) {
        check_set(length, false, ROWS_MOST / 2);
        check_set(length, true, ROWS_MOST / 2);
        check_set(length, true, 16); // the room that a set begins with
        check_set(length, true, 17);
    }
}

// Step 0 adds 1 to the first value, step 1 turns the row round. Values count modulo 7.
static void step_seven(const void *context, unsigned step, const uint16_t *from, uint16_t *to)
{
    const unsigned *length = context;
    for (unsigned i = 0; i < *length; i++) {
        to[i] = step == 0 ? from[i] : from[(i + 1) % *length];
    }
    to[0] = (uint16_t)(step == 0 ? (to[0] + 1) % 7 : to[0]);
}

Test(rows, are_closed_under_steps)
{
    unsigned length = 3;
    uint16_t row[3] = {2, 2, 2};
    struct row_set set;
    row_set_open(&set, length);
    row_set_add(&set, row);
    cr_assert(row_set_close_under(&set, 2, 1000, step_seven, &length));
    cr_expect_eq(set.count, 343); // 7^3
    cr_assert(row_set_sort(&set, NULL));
    for (uint32_t i = 0; i < 343; i++) {
        const uint16_t expected[3] = {(uint16_t)(i / 49), (uint16_t)(i / 7 % 7), (uint16_t)(i % 7)};
        cr_assert_arr_eq(row_set_row(&set, i), expected, sizeof expected);
    }
    row_set_close(&set);
    row_set_add(&set, row); // a set can be used again
    cr_expect_eq(set.count, 1);
    cr_assert(row_set_close_under(&set, 1, 1000, step_seven, &length));
    cr_expect_eq(set.count, 7, "step 0 alone changes one value");
    row_set_close(&set);
    row_set_add(&set, row);
    cr_assert(row_set_close_under(&set, 2, 100, step_seven, &length));
    cr_expect_eq(set.count, 101, "it stops at the first row that is too many");
    row_set_close(&set);
    row_set_add(&set, row);
    cr_assert(row_set_close_under(&set, 2, 343, step_seven, &length));
    cr_expect_eq(set.count, 343, "as many as there may be");
    row_set_close(&set);
}

Test(comparison, finds_every_planted_fault_of_a_set)
{
    static struct list list = {.length = 2};
    struct row_set set;
    row_set_open(&set, 2);
    for (uint16_t i = 0; i < 100; i++) {
        const uint16_t row[LENGTH_MOST] = {(uint16_t)(i * 7 % 100), i};
        row_set_add(&set, row);
        list_add(&list, row);
    }
    cr_assert(!compare_set(&set, &list));
    list.count--;
    cr_expect_str_eq(compare_set(&set, &list), "another count");
    list.count++;
    list.rows[50][1]++;
    cr_expect_str_eq(compare_set(&set, &list), "another row");
    list.rows[50][1]--;
    list_sort(&list);
    cr_expect_str_eq(compare_set(&set, &list), "another row", "the set is not sorted");
    cr_assert(row_set_sort(&set, NULL));
    cr_assert(!compare_set(&set, &list));
    uint64_t *place = set.table;
    while ((uint32_t)*place != 51) {
        place++;
    }
    (*place)++;
    cr_expect_str_eq(compare_set(&set, &list), "another number");
    row_set_close(&set);
}

Test(rows, are_gone_when_a_set_is_cleared_and_can_be_added_again)
{
    struct row_set set;
    uint16_t row[5] = {1, 2, 3, 4, 5};
    row_set_open(&set, 5);
    row_set_clear(&set); // there is nothing yet
    for (uint16_t round = 0; round < 3; round++) {
        for (uint16_t i = 0; i < 100; i++) {
            row[round] = i;
            cr_assert_eq(row_set_find(&set, row), ROW_NONE);
            cr_assert_eq(row_set_add(&set, row), i);
        }
        cr_assert_eq(row_set_find(&set, row), 99);
        row_set_clear(&set);
        cr_assert_eq(set.count, 0);
        cr_assert_eq(row_set_find(&set, row), ROW_NONE);
    }
    row_set_close(&set);
}
