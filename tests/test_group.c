// Compares stabilizer chains and sets of rows with naive twins, which list all elements.
#include "index/group.h"
#include "index/row_set.h"
#include "support.h"

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
    group_point rows[GENERATORS_MOST][DEGREE_MOST];
};

// ---- The twin -----------------------------------------------------------------------------------

// All elements of a group, in the order in which they are found.
struct twin_group {
    unsigned degree;
    unsigned count;
    group_point (*rows)[DEGREE_MOST];
};

static bool twin_has(const struct twin_group *twin, const group_point *row)
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
        twin.rows[0][x] = (group_point)x;
    }
    for (unsigned e = 0; e < twin.count; e++) {
        for (unsigned g = 0; g < generators->count; g++) {
            group_point *product = twin.rows[twin.count];
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

// The points where the elements that fix the first `fixed` points of the base take a point.
static unsigned twin_orbit(const struct twin_group *twin, const group_point *base, unsigned fixed,
                           group_point point)
{
    unsigned orbit = 0;
    for (unsigned e = 0; e < twin->count; e++) {
        bool fixes = true;
        for (unsigned i = 0; i < fixed; i++) {
            fixes &= twin->rows[e][base[i]] == base[i];
        }
        orbit |= fixes ? 1u << twin->rows[e][point] : 0;
    }
    return orbit;
}

// ---- The chain against the twin -----------------------------------------------------------------

static void draw_row(unsigned degree, group_point *row)
{
    for (unsigned x = 0; x < degree; x++) {
        unsigned other = support_random_below(x + 1);
        row[x] = row[other];
        row[other] = (group_point)x;
    }
}

// `order` is the order if it is known, else 0.
static struct group make_group(const struct generators *generators, const group_point *base,
                               double order)
{
    struct group group;
    const group_point *rows[GENERATORS_MOST];
    for (unsigned g = 0; g < generators->count; g++) {
        rows[g] = generators->rows[g];
    }
    cr_assert(group_make(&group, generators->degree, rows, generators->count, base,
                         generators->degree, order));
    return group;
}

static uint64_t order_of(const struct group *group)
{
    uint64_t order = 1;
    for (unsigned l = 0; l < group->level_count; l++) {
        order *= group->levels[l].length;
    }
    return order;
}

// Divides a permutation by an element of each level. Nothing is left of it if the group has it.
static bool chain_has(const struct group *group, const group_point *row)
{
    group_point rest[DEGREE_MOST];
    memcpy(rest, row, group->degree * sizeof *row);
    for (unsigned l = 0; l < group->level_count; l++) {
        const struct group_level *level = &group->levels[l];
        const group_point *divisor = level->transversal[rest[level->base]];
        if (!divisor) {
            return false;
        }
        for (unsigned x = 0; x < group->degree; x++) {
            unsigned image = 0;
            while (divisor[image] != rest[x]) {
                image++;
            }
            rest[x] = (group_point)image;
        }
    }
    for (unsigned x = 0; x < group->degree; x++) {
        if (rest[x] != x) {
            return false;
        }
    }
    return true;
}

// Returns what is wrong with a level, or NULL.
static const char *compare_level(const struct group *group, unsigned l,
                                 const struct twin_group *twin, const group_point *base)
{
    const struct group_level *level = &group->levels[l];
    unsigned orbit = 0;
    if (level->base != base[l]) {
        return "another base";
    }
    for (unsigned i = 0; i < level->length; i++) {
        if (i > 0 && level->orbit[i] <= level->orbit[i - 1]) {
            return "an orbit does not rise";
        }
        orbit |= 1u << level->orbit[i];
    }
    if (orbit != twin_orbit(twin, base, l, base[l])) {
        return "another orbit";
    }
    for (unsigned x = 0; x < group->degree; x++) {
        const group_point *element = level->transversal[x];
        if (!element != !(orbit >> x & 1)) {
            return "a transversal outside the orbit, or none in it";
        }
        if (element && (element[base[l]] != x || !twin_has(twin, element))) {
            return "a transversal of another point, or outside the group";
        }
        for (unsigned y = 0; y < group->degree && element; y++) {
            if (!level->inverse[x] || level->inverse[x][element[y]] != y) {
                return "an inverse that is none";
            }
        }
        for (unsigned i = 0; i < l && element; i++) {
            if (element[base[i]] != base[i]) {
                return "a transversal does not fix the base before it";
            }
        }
    }
    return NULL;
}

// Returns what is wrong with a strong generator, or NULL.
static const char *compare_generator(const struct group *group, unsigned g,
                                     const struct twin_group *twin, const group_point *base)
{
    unsigned fixed = 0;
    while (fixed < group->degree && group->generators[g][base[fixed]] == base[fixed]) {
        fixed++;
    }
    if (!twin_has(twin, group->generators[g])) {
        return "a strong generator outside the group";
    }
    return group->fixed[g] == fixed ? NULL : "a strong generator that fixes other points";
}

// Returns what is wrong with a chain, or NULL.
static const char *compare(const struct group *group, const struct twin_group *twin,
                           const group_point *base)
{
    enum { DRAWN = 50 };
    const char *fault = NULL;
    if (group->degree != twin->degree || group->level_count != twin->degree) {
        return "another degree";
    }
    if (order_of(group) != twin->count || group->order != twin->count) {
        return "another order";
    }
    for (unsigned l = 0; l < group->level_count && !fault; l++) {
        fault = compare_level(group, l, twin, base);
    }
    for (unsigned g = 0; g < group->generator_count && !fault; g++) {
        fault = compare_generator(group, g, twin, base);
    }
    for (unsigned e = 0; e < twin->count && !fault; e++) {
        fault = chain_has(group, twin->rows[e]) ? NULL : "it lacks an element";
    }
    for (unsigned i = 0; i < DRAWN && !fault; i++) {
        group_point row[DEGREE_MOST];
        draw_row(group->degree, row);
        fault = chain_has(group, row) == twin_has(twin, row) ? NULL : "it has a stranger";
    }
    return fault;
}

// Every other chain is made with the known order.
static void check_group(const struct generators *generators, const struct twin_group *twin,
                        unsigned rounds)
{
    for (unsigned round = 0; round < rounds; round++) {
        group_point base[DEGREE_MOST];
        draw_row(generators->degree, base);
        struct group group = make_group(generators, base, round % 2 * twin->count);
        const char *fault = compare(&group, twin, base);
        cr_expect(!fault, "%s, degree %u, order %u: %s", generators->name, generators->degree,
                  twin->count, fault);
        group_free(&group);
    }
}

Test(group, random_generators_give_the_group_that_their_products_are)
{
    unsigned orders[5041] = {0};
    unsigned different = 0;
    for (unsigned round = 0; round < 400; round++) {
        struct generators generators = {.name = "random",
                                        .degree = 1 + support_random_below(7),
                                        .count = support_random_below(GENERATORS_MOST)};
        for (unsigned g = 0; g < generators.count; g++) {
            group_point by[DEGREE_MOST];
            draw_row(generators.degree, generators.rows[g]);
            // Powers and involutions give small groups, too.
            for (unsigned power = support_random_below(4); power > 0; power--) {
                memcpy(by, generators.rows[g], sizeof by);
                for (unsigned x = 0; x < generators.degree; x++) {
                    generators.rows[g][x] = by[by[x]];
                }
            }
        }
        struct twin_group twin = twin_make(&generators);
        check_group(&generators, &twin, 4);
        different += orders[twin.count]++ == 0;
        twin_free(&twin);
    }
    cr_expect_geq(different, 12, "only %u orders", different);
    cr_expect_gt(orders[5040], 0, "no symmetric group of seven points");
}

// ---- Groups that are known ----------------------------------------------------------------------

static const struct known {
    struct generators generators;
    uint64_t order;
} KNOWN[] = {
    {{"the trivial group", 5, 0, {{0}}}, 1},
    {{"an identity", 3, 1, {{0, 1, 2}}}, 1},
    {{"S5", 5, 2, {{1, 0, 2, 3, 4}, {1, 2, 3, 4, 0}}}, 120},
    {{"S7", 7, 2, {{1, 0, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 0}}}, 5040},
    {{"A6", 6, 2, {{1, 2, 0, 3, 4, 5}, {0, 2, 3, 4, 5, 1}}}, 360},
    {{"A7", 7, 2, {{1, 2, 0, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 0}}}, 2520},
    {{"the cyclic group of 12", 12, 1, {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0}}}, 12},
    {{"two cycles, 5 and 7", 12, 1, {{1, 2, 3, 4, 0, 6, 7, 8, 9, 10, 11, 5}}}, 35},
    {{"the dihedral group of a nonagon",
      9,
      2,
      {{1, 2, 3, 4, 5, 6, 7, 8, 0}, {0, 8, 7, 6, 5, 4, 3, 2, 1}}},
     18},
    {{"PSL(2,7)", 7, 2, {{1, 2, 3, 4, 5, 6, 0}, {0, 1, 4, 3, 2, 6, 5}}}, 168},
    {{"M11", 11, 2, {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0}, {0, 1, 6, 9, 5, 3, 10, 2, 8, 4, 7}}},
     7920},
};

Test(group, known_groups_have_their_order_and_elements)
{
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        struct twin_group twin = twin_make(&KNOWN[i].generators);
        cr_expect_eq(twin.count, KNOWN[i].order, "%s: the twin has %u", KNOWN[i].generators.name,
                     twin.count);
        check_group(&KNOWN[i].generators, &twin, twin.count > 1000 ? 2 : 10);
        twin_free(&twin);
    }
}

// The order of a group does not depend on the base. These are too large for the twin.
Test(group, large_groups_have_their_order_for_any_base)
{
    static const struct known LARGE[] = {
        {{"S12",
          12,
          2,
          {{1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0}}},
         479001600},
        {{"A12",
          12,
          2,
          {{1, 2, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1}}},
         239500800},
        {{"M12",
          12,
          3,
          {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 11},
           {0, 1, 6, 9, 5, 3, 10, 2, 8, 4, 7, 11},
           {11, 10, 5, 7, 8, 2, 9, 3, 4, 6, 1, 0}}},
         95040},
        {{"two sextets that are exchanged",
          12,
          3,
          {{1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
           {1, 2, 3, 4, 5, 0, 6, 7, 8, 9, 10, 11},
           {6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5}}},
         1036800}, // 6!^2 * 2
    };
    for (size_t i = 0; i < sizeof LARGE / sizeof *LARGE; i++) {
        for (unsigned round = 0; round < 20; round++) {
            group_point base[DEGREE_MOST];
            draw_row(12, base);
            struct group group =
                make_group(&LARGE[i].generators, base, round % 2 ? (double)LARGE[i].order : 0);
            cr_expect(group.order == (double)LARGE[i].order);
            cr_expect_eq(order_of(&group), LARGE[i].order, "%s: %llu", LARGE[i].generators.name,
                         (unsigned long long)order_of(&group));
            group_free(&group);
        }
    }
}

// A base need not name all points, if only the identity fixes those that it names.
Test(group, a_short_base_gives_the_same_order)
{
    const struct generators *m11 = &KNOWN[sizeof KNOWN / sizeof *KNOWN - 1].generators;
    const group_point *rows[] = {m11->rows[0], m11->rows[1]};
    static const group_point BASE[] = {3, 9, 0, 7}; // M11 is sharply 4-transitive
    struct group group;
    cr_assert(group_make(&group, 11, rows, 2, BASE, 4, 0));
    cr_expect_eq(group.level_count, 4);
    for (unsigned l = 0; l < 4; l++) {
        cr_expect_eq(group.levels[l].length, 11 - l);
    }
    group_free(&group);
}

Test(group, random_elements_are_elements_and_always_the_same)
{
    static const unsigned FEW = 1000;
    const struct generators *a6 = &KNOWN[4].generators;
    const group_point *rows[] = {a6->rows[0], a6->rows[1]};
    struct twin_group twin = twin_make(a6);
    struct twin_group met = {.degree = 6, .rows = calloc(FEW, sizeof *met.rows)};
    struct random_elements *some = random_elements_open(6, rows, 2);
    struct random_elements *same = random_elements_open(6, rows, 2);
    cr_assert(some && same);
    for (unsigned i = 0; i < FEW; i++) {
        const group_point *element = random_elements_next(some);
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

// ---- The comparison finds faults ----------------------------------------------------------------

static void expect_fault(const struct group *group, const struct twin_group *twin,
                         const group_point *base, const char *expected)
{
    const char *fault = compare(group, twin, base);
    cr_expect(fault && strcmp(fault, expected) == 0, "%s instead of %s", fault ? fault : "nothing",
              expected);
}

Test(comparison, finds_every_planted_fault)
{
    const struct generators *s5 = &KNOWN[2].generators;
    static const group_point BASE[] = {2, 0, 4, 1, 3};
    static const group_point OTHER[] = {2, 4, 0, 1, 3};
    static const struct generators A5 = {"A5", 5, 2, {{1, 2, 0, 3, 4}, {1, 2, 3, 4, 0}}};
    static const struct generators AFFINE = {"AGL(1,5)", 5, 2, {{1, 2, 3, 4, 0}, {0, 2, 4, 1, 3}}};
    static const struct generators HEXAGON = {
        "a hexagon", 6, 2, {{1, 2, 3, 4, 5, 0}, {0, 5, 4, 3, 2, 1}}};
    static const struct generators TWELVE = {
        "S3 x C2", 6, 3, {{1, 0, 2, 3, 4, 5}, {1, 2, 0, 3, 4, 5}, {0, 1, 2, 4, 3, 5}}};
    static const group_point RISING[] = {0, 1, 2, 3, 4, 5};
    struct group group = make_group(s5, BASE, 0);
    struct twin_group twin = twin_make(s5);
    struct twin_group smaller = twin_make(&A5);
    cr_assert(!compare(&group, &twin, BASE));
    expect_fault(&group, &smaller, BASE, "another order");
    expect_fault(&group, &twin, OTHER, "another base");
    group.order = 60;
    expect_fault(&group, &twin, BASE, "another order");
    group.order = 120;
    struct group_level *level = &group.levels[1];
    group_point *kept = level->transversal[3];
    group_point *inverse = level->inverse[3];
    level->inverse[3] = level->inverse[1];
    expect_fault(&group, &twin, BASE, "an inverse that is none");
    level->inverse[3] = inverse;
    level->transversal[3] = NULL;
    expect_fault(&group, &twin, BASE, "a transversal outside the orbit, or none in it");
    level->transversal[3] = level->transversal[1];
    expect_fault(&group, &twin, BASE, "a transversal of another point, or outside the group");
    group_point shifted[] = {3, 2, 1, 0, 4}; // takes the base's 0 to 3, but moves the 2 before it
    level->transversal[3] = shifted;
    level->inverse[3] = (group_point[]){3, 2, 1, 0, 4}; // it is its own inverse
    expect_fault(&group, &twin, BASE, "a transversal does not fix the base before it");
    level->transversal[3] = kept;
    level->inverse[3] = inverse;
    group_point first = level->orbit[0];
    level->orbit[0] = level->orbit[1];
    level->orbit[1] = first;
    expect_fault(&group, &twin, BASE, "an orbit does not rise");
    level->orbit[1] = level->orbit[0];
    level->orbit[0] = first;
    group.fixed[0]++;
    expect_fault(&group, &twin, BASE, "a strong generator that fixes other points");
    group.fixed[0]--;
    cr_assert(!compare(&group, &twin, BASE));
    group_free(&group);
    twin_free(&twin);
    group = make_group(&HEXAGON, RISING, 0);
    twin = twin_make(&HEXAGON);
    cr_assert(!compare(&group, &twin, RISING));
    group_point *generator = group.generators[0];
    group.generators[0] = (group_point[]){1, 0, 2, 3, 4, 5};
    expect_fault(&group, &twin, RISING, "a strong generator outside the group");
    group.generators[0] = generator;
    twin_free(&twin);
    twin = twin_make(&TWELVE);
    cr_assert_eq(twin.count, 12); // the same order, but other orbits
    expect_fault(&group, &twin, RISING, "another orbit");
    group_free(&group);
    // A permutation outside the group does not reduce to the identity.
    group = make_group(&AFFINE, BASE, 0);
    cr_expect(chain_has(&group, AFFINE.rows[1]));
    cr_expect_not(chain_has(&group, s5->rows[0]));
    group_free(&group);
    twin_free(&twin);
    twin_free(&smaller);
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
    cr_assert(row_set_sort(&set));
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
    cr_assert(row_set_sort(&set));
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
    cr_assert(row_set_sort(&set));
    cr_assert(!compare_set(&set, &list));
    uint64_t *place = set.table;
    while ((uint32_t)*place != 51) {
        place++;
    }
    (*place)++;
    cr_expect_str_eq(compare_set(&set, &list), "another number");
    row_set_close(&set);
}
