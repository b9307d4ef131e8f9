// Numbers states by a chain of cosets, and compares with a plain search of random groups.
#include "tables/algebra/chain_pages.h"
#include "tables/families/compile.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Random groups ------------------------------------------------------------------------------

enum { POINTS = 11, MOVES = 3 };

struct drawn {
    unsigned degree;
    unsigned width; // points of all things
    chain_point move[MOVES][POINTS];
    const chain_point *moves[MOVES];
    chain_point point[POINTS]; // the points 0, 1, 2, …, which the things share out
    struct chain_thing things[POINTS];
    struct chain_plan plan;
};

static void draw_group(struct drawn *drawn)
{
    unsigned used = 0;
    *drawn = (struct drawn){.degree = 2 + support_random_below(POINTS - 1)};
    for (unsigned x = 0; x < drawn->degree; x++) {
        drawn->point[x] = (chain_point)x;
    }
    drawn->plan = (struct chain_plan){.degree = drawn->degree,
                                      .moves = drawn->moves,
                                      .move_count = 1 + support_random_below(MOVES),
                                      .things = drawn->things,
                                      .others = drawn->point,
                                      .other_count = drawn->degree};
    for (unsigned m = 0; m < drawn->plan.move_count; m++) {
        chain_point *move = drawn->move[m];
        memcpy(move, drawn->point, sizeof drawn->point);
        for (unsigned swaps = 1 + support_random_below(2 * drawn->degree); swaps > 0; swaps--) {
            unsigned a = support_random_below(drawn->degree);
            unsigned b = support_random_below(drawn->degree);
            chain_point moved = move[a];
            move[a] = move[b];
            move[b] = moved;
        }
        drawn->moves[m] = move;
    }
    while (used < drawn->degree && (used == 0 || support_random_below(8) > 0)) {
        unsigned size = 1 + support_random_below(1 + support_random_below(drawn->degree - used));
        drawn->things[drawn->plan.thing_count++] = (struct chain_thing){size, drawn->point + used};
        used += size;
    }
    drawn->width = used;
}

// Sorts the points of each thing.
static void sort_images(const struct drawn *drawn, chain_point *images)
{
    for (unsigned t = 0; t < drawn->plan.thing_count; t++) {
        unsigned size = drawn->things[t].size;
        for (unsigned i = 1; i < size; i++) {
            for (unsigned j = i; j > 0 && images[j - 1] > images[j]; j--) {
                chain_point moved = images[j];
                images[j] = images[j - 1];
                images[j - 1] = moved;
            }
        }
        images += size;
    }
}

static bool is_known(const chain_point *states, unsigned count, unsigned width,
                     const chain_point *state)
{
    unsigned i = 0;
    while (i < count && memcmp(states + (size_t)i * width, state, width * sizeof *state) != 0) {
        i++;
    }
    return i < count;
}

// Lists all states, the root first. Returns their number, or 0 if there are more than `most`.
static unsigned list_states(const struct drawn *drawn, chain_point *states, unsigned most)
{
    unsigned width = drawn->width;
    unsigned count = 1;
    memcpy(states, drawn->point, width * sizeof *states);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned m = 0; m < drawn->plan.move_count; m++) {
            chain_point *next = states + (size_t)count * width; // room for one more
            for (unsigned j = 0; j < width; j++) {
                next[j] = drawn->move[m][states[(size_t)i * width + j]];
            }
            sort_images(drawn, next);
            count += !is_known(states, count, width, next);
            if (count > most) {
                return 0;
            }
        }
    }
    return count;
}

// The number of the state with these images of all things' points, which are overwritten.
static uint64_t rank_images(const struct chain *chain, chain_point *images)
{
    unsigned count = 0;
    for (unsigned d = 0; d < chain->digit_count; d++) {
        count += chain->digits[d].thing->size;
    }
    return chain_divide(chain, 0, chain->digit_count, images, count);
}

Test(chain, each_state_of_a_random_group_has_a_number, .timeout = 120)
{
    enum { ROUNDS = 1500, MOST = 800 };
    static chain_point states[(MOST + 2) * POINTS];
    unsigned kinds[CHAIN_IMPLICIT + 1] = {0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct drawn drawn;
        struct chain chain;
        struct fewest_error error;
        bool seen[MOST] = {false};
        draw_group(&drawn);
        unsigned count = list_states(&drawn, states, MOST);
        cr_assert(chain_make(&chain, &drawn.plan, &error), "%s", error.text);
        cr_assert(chain_finish(&chain, &error), "%s", error.text);
        cr_assert(count == 0 ? chain.count > MOST : chain.count == count);
        for (unsigned i = 0; i < count; i++) {
            chain_point images[POINTS];
            chain_point element[POINTS];
            memcpy(images, states + (size_t)i * drawn.width, drawn.width * sizeof *images);
            uint64_t number = rank_images(&chain, images);
            cr_assert(number < count && !seen[number]);
            cr_assert(i > 0 || number == 0, "the root is state 0");
            seen[number] = true;
            chain_unrank_element(&chain, number, element);
            for (unsigned j = 0; j < drawn.width; j++) {
                images[j] = element[drawn.point[j]];
            }
            sort_images(&drawn, images);
            cr_assert(memcmp(images, states + (size_t)i * drawn.width,
                             drawn.width * sizeof *images) == 0);
        }
        for (unsigned d = 0; d < chain.digit_count; d++) {
            kinds[chain.digits[d].kind] += chain.digits[d].length > 1;
        }
        chain_free(&chain);
    }
    cr_expect(kinds[CHAIN_LEVEL] > 100 && kinds[CHAIN_LISTED] > 100 && kinds[CHAIN_IMPLICIT] > 100);
}

// ---- Pages --------------------------------------------------------------------------------------

// Numbers the maps of all pages.
static void number_maps(struct chain_pages *pages)
{
    static struct chain_step steps[MOVES_MOST];
    for (uint64_t page = 0; page < pages->page_count; page++) {
        cr_assert(chain_pages_step(pages, page, steps));
    }
}

// Fills in all maps and their inverses, and checks that these lead back.
static void fill_maps(struct chain_pages *pages)
{
    cr_assert(chain_pages_invert(pages));
    cr_assert(chain_pages_fill(pages));
    for (uint32_t map = 0; map < pages->keys.count; map++) {
        const uint16_t *there = chain_pages_map(pages, map);
        const uint16_t *back = chain_pages_map(pages, pages->inverse_of[map]);
        for (unsigned offset = 0; offset < pages->page_size; offset++) {
            cr_assert_eq(back[there[offset]], offset);
        }
    }
}

// Tries all steps of all states. Returns how many the pages get wrong.
static unsigned count_wrong_steps(const struct drawn *drawn, struct chain_pages *pages,
                                  const chain_point *states, unsigned count)
{
    struct chain_step steps[MOVES];
    unsigned wrong = 0;
    for (unsigned i = 0; i < count; i++) {
        chain_point images[POINTS];
        memcpy(images, states + (size_t)i * drawn->width, drawn->width * sizeof *images);
        uint64_t number = rank_images(pages->chain, images);
        cr_assert(chain_pages_step(pages, number / pages->page_size, steps));
        for (unsigned m = 0; m < drawn->plan.move_count; m++) {
            for (unsigned j = 0; j < drawn->width; j++) {
                images[j] = drawn->move[m][states[(size_t)i * drawn->width + j]];
            }
            wrong += chain_pages_go(pages, steps[m], number) != rank_images(pages->chain, images);
        }
    }
    return wrong;
}

Test(chain, each_step_of_a_random_group_follows_from_its_pages, .timeout = 120)
{
    enum { ROUNDS = 1500, MOST = 800 };
    static chain_point states[(MOST + 2) * POINTS];
    unsigned cuts = 0;
    unsigned shared = 0; // steps that use the map of another
    unsigned spoiled = 0;
    unsigned noticed = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct drawn drawn;
        struct chain chain;
        struct chain_pages pages;
        struct fewest_error error;
        draw_group(&drawn);
        unsigned count = list_states(&drawn, states, MOST);
        if (count == 0) {
            continue;
        }
        cr_assert(chain_make(&chain, &drawn.plan, &error), "%s", error.text);
        cr_assert(chain_finish(&chain, &error), "%s", error.text);
        unsigned wanted = 1 + support_random_below(60);
        cr_assert(chain_pages_make(&pages, &chain, wanted));
        cr_assert_eq(pages.page_count * pages.page_size, count);
        number_maps(&pages);
        cuts += pages.page_count > 1 && pages.page_size > 1;
        uint64_t steps = pages.page_count * drawn.plan.move_count;
        cr_assert(pages.keys.count <= steps);
        shared += pages.keys.count < steps;
        uint32_t map_count = pages.keys.count; // without inverses that no step needs
        fill_maps(&pages);
        cr_assert_eq(count_wrong_steps(&drawn, &pages, states, count), 0);
        // A wrong entry is noticed, so the comparison can fail.
        if (pages.page_size > 1) {
            uint32_t map = support_random_below(map_count);
            unsigned offset = support_random_below((unsigned)pages.page_size);
            uint16_t *entry = &pages.maps[(size_t)map * pages.page_size + offset];
            *entry = (uint16_t)((*entry + 1u) % pages.page_size);
            noticed += count_wrong_steps(&drawn, &pages, states, count) > 0;
            spoiled++;
        }
        chain_pages_free(&pages);
        chain_free(&chain);
    }
    cr_expect(cuts > 200 && shared > 200 && spoiled > 200, "%u %u %u", cuts, shared, spoiled);
    cr_expect_eq(noticed, spoiled);
}

// ---- Negative control ---------------------------------------------------------------------------

// A check that finds nothing wrong must be able to: without a move, there are fewer states.
Test(chain, without_a_move_there_are_fewer_states)
{
    static const chain_point MOVES_OF_5[2][5] = {{1, 2, 3, 4, 0}, {1, 0, 2, 3, 4}};
    static const chain_point *const ROWS[] = {MOVES_OF_5[0], MOVES_OF_5[1]};
    static const chain_point ALL[] = {0, 1, 2, 3, 4};
    static const struct chain_thing THINGS[] = {{2, ALL}, {1, ALL + 2}, {2, ALL + 3}};
    struct chain_plan plan = {.degree = 5,
                              .moves = ROWS,
                              .things = THINGS,
                              .thing_count = 3,
                              .others = ALL,
                              .other_count = 5};
    static const uint64_t EXPECTED[] = {1, 5, 30};
    for (plan.move_count = 0; plan.move_count <= 2; plan.move_count++) {
        struct chain chain;
        struct fewest_error error;
        cr_assert(chain_make(&chain, &plan, &error), "%s", error.text);
        cr_expect_eq(chain.count, EXPECTED[plan.move_count]);
        chain_free(&chain);
    }
}

// ---- Work ---------------------------------------------------------------------------------------

// Rings of beads in two colours whose groups keep blocks, and the Mathieu group M24. Their images
// are too many for a list that is kept sorted by moving, and too few to have numbers without one.
static const struct {
    uint64_t states;
    const char *definition;
} LISTED[] = {
    {262144,
     "Set A 36 1\nSolved\nA\n1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 "
     "2\nEnd\nMove t\nA\n(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 "
     "28 29 30 31 32 33 34 35 36)\nEnd\nMove s\nA\n(1 19)\nEnd\n"},
    {1020096,
     "Set A 24 1\nSolved\nA\n1 1 1 1 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 2 2 2 2\nEnd\nMove a\nA\n"
     "(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23)\nEnd\nMove b\nA\n"
     "(3 17 10 7 9)(4 13 14 19 5)(8 18 11 12 23)(15 20 22 21 16)\nEnd\nMove c\nA\n"
     "(1 24)(2 23)(3 12)(4 16)(5 18)(6 10)(7 20)(8 14)(9 21)(11 17)(13 22)(15 19)\nEnd\n"},
};

// A definition is opened by each command on its table, so its chain must take little of the work
// that is allowed.
Test(chain, images_of_look_alikes_are_listed_with_little_work)
{
    for (unsigned i = 0; i < sizeof LISTED / sizeof *LISTED; i++) {
        const char *text = LISTED[i].definition;
        struct puzzle puzzle = support_compile(text, METRIC_POWERS);
        cr_expect_eq(puzzle.reachable_count, LISTED[i].states);
        cr_expect_lt(puzzle.work, CHAIN_WORK_MOST / 2, "%g", (double)puzzle.work);
        puzzle_free(&puzzle);
    }
}

// The work of a puzzle and of all its pattern databases counts together. So a definition with more
// `Database` lines may not take more work.
Test(chain, the_work_of_pattern_databases_is_added_up)
{
    static const char PUZZLE[] =
        "Set A 9 1\nSolved\nA\n1 2 3 4 5 6 7 8 9\nEnd\nMove r\nA\n(1 2 3 4 5 6 7 8 9)\nEnd\n"
        "Move s\nA\n(1 2)\nEnd\nDatabase 1 2 3\n";
    static const char MORE[] = "Database 2 5 7\nDatabase 4 6 9\n";
    uint64_t work[sizeof MORE] = {0};
    unsigned count = 0;
    for (size_t length = 0; length < sizeof MORE; length++) {
        if (length > 0 && MORE[length - 1] != '\n') {
            continue;
        }
        char text[sizeof PUZZLE + sizeof MORE];
        int size = snprintf(text, sizeof text, "%s%.*s", PUZZLE, (int)length, MORE);
        struct puzzle puzzle;
        struct fewest_error error;
        cr_assert(puzzle_compile(&puzzle, text, (size_t)size, METRIC_POWERS, &error), "%s",
                  error.text);
        work[count++] = puzzle.work;
        puzzle_free(&puzzle);
    }
    cr_assert_eq(count, 3);
    cr_expect_gt(work[0], 0);
    cr_expect_gt(work[1], work[0]);
    cr_expect_gt(work[2], work[1]);
}

Test(chain, no_chain_is_made_when_the_work_is_used_up)
{
    static const chain_point TURN[] = {1, 2, 3, 4, 0};
    static const chain_point *const ROWS[] = {TURN};
    static const chain_point ALL[] = {0, 1, 2, 3, 4};
    static const struct chain_thing THINGS[] = {{2, ALL}, {1, ALL + 2}, {2, ALL + 3}};
    struct chain_plan plan = {.degree = 5,
                              .moves = ROWS,
                              .move_count = 1,
                              .things = THINGS,
                              .thing_count = 3,
                              .others = ALL,
                              .other_count = 5};
    for (unsigned used_up = 0; used_up < 2; used_up++) {
        struct chain chain;
        struct fewest_error error;
        plan.work = used_up ? CHAIN_WORK_MOST : 0;
        cr_expect_eq(chain_make(&chain, &plan, &error), !used_up);
        cr_expect(!used_up || error.status == FEWEST_BEYOND);
        chain_free(&chain);
    }
}
