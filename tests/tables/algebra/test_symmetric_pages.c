// Offsets that have a high and a low part, against elements multiplied point by point. The tests of
// counts and of pattern databases compare whole searches, whose offsets have one part.
#include "tables/algebra/symmetric_pages.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <string.h>

enum { POINTS = 9, EXCHANGES = POINTS * (POINTS - 1) / 2 };

// All permutations of nine points, by exchanges of two points. Any permutation of the points is a
// symmetry: it takes exchanges to exchanges.
struct exchanges {
    chain_point rows[EXCHANGES][POINTS];
    const chain_point *moves[EXCHANGES];
    chain_point points[POINTS];
    struct chain_thing things[POINTS];
    chain_point symmetries[2][POINTS]; // the identity, and one that is its own inverse
    struct symmetric_plan plan;
};

static void exchange(chain_point *row, unsigned a, unsigned b)
{
    for (unsigned x = 0; x < POINTS; x++) {
        row[x] = (chain_point)(x == a ? b : x == b ? a : x);
    }
}

// Fills in a plan without a page: an offset has all 9! states. The symmetry exchanges two points.
static void make_plan(struct exchanges *all, unsigned a, unsigned b)
{
    unsigned count = 0;
    memset(all, 0, sizeof *all);
    for (unsigned x = 0; x < POINTS; x++) {
        all->points[x] = (chain_point)x;
        all->things[x] = (struct chain_thing){1, &all->points[x]};
        for (unsigned y = 0; y < x; y++, count++) {
            exchange(all->rows[count], x, y);
            all->moves[count] = all->rows[count];
        }
    }
    exchange(all->symmetries[0], 0, 0);
    exchange(all->symmetries[1], a, b);
    all->plan = (struct symmetric_plan){.chain = {.moves = all->moves,
                                                  .things = all->things,
                                                  .others = all->points,
                                                  .degree = POINTS,
                                                  .move_count = EXCHANGES,
                                                  .thing_count = POINTS},
                                        .symmetry_count = 2,
                                        .left = all->symmetries[0],
                                        .right = all->symmetries[0],
                                        .left_inverse = all->symmetries[0],
                                        .right_inverse = all->symmetries[0],
                                        .most_bytes = 1 << 28,
                                        .most_listed = 1 << 20};
}

// The number of the element with this row.
static uint32_t number_of(const struct symmetric_pages *pages, const chain_point *row)
{
    chain_point images[POINTS];
    memcpy(images, row, sizeof images);
    return (uint32_t)chain_divide(&pages->chain, 0, POINTS, images, POINTS);
}

Test(symmetric_pages, maps_of_offsets_in_two_parts_do_what_elements_do)
{
    struct exchanges all;
    struct symmetric_pages pages;
    struct fewest_error error;
    make_plan(&all, 7, 8);
    cr_assert_eq(symmetric_pages_make(&pages, &all.plan, &error), SYMMETRIC_MADE);
    cr_assert(symmetric_pages_fill(&pages, 3, &error), "%s", error.text);
    cr_assert_eq(pages.page_size, 362880);
    cr_assert_gt(pages.low.size, 1);
    cr_assert_eq(pages.keeper_count, 1);
    for (uint32_t offset = 0; offset < pages.page_size; offset += 7) {
        chain_point element[POINTS];
        chain_point moved[POINTS];
        chain_unrank_element(&pages.chain, offset, element);
        for (unsigned m = 0; m < EXCHANGES; m++) {
            for (unsigned x = 0; x < POINTS; x++) {
                moved[x] = all.moves[m][element[x]];
            }
            struct chain_step step = symmetric_pages_steps(&pages, 0)[m];
            struct symmetric_view view = symmetric_pages_views(&pages, 0)[m];
            uint32_t to = symmetric_pages_go(&pages, step.map, offset);
            cr_assert_eq(to, number_of(&pages, moved), "offset %u, move %u", offset, m);
            cr_assert_eq(symmetric_pages_go(&pages, view.map, to), to, "symmetry 0");
        }
        for (unsigned x = 0; x < POINTS; x++) { // the symmetry is its own inverse
            moved[x] = all.symmetries[1][element[all.symmetries[1][x]]];
        }
        cr_assert_eq(symmetric_pages_go(&pages, pages.keepers[0], offset), number_of(&pages, moved),
                     "offset %u", offset);
    }
    symmetric_pages_free(&pages);
}

Test(symmetric_pages, a_symmetry_that_mixes_the_two_parts_is_refused)
{
    struct exchanges all;
    struct symmetric_pages pages;
    struct fewest_error error;
    make_plan(&all, 0, 8);
    cr_expect_eq(symmetric_pages_make(&pages, &all.plan, &error), SYMMETRIC_UNFIT);
    symmetric_pages_free(&pages);
}
