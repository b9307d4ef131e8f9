// Numbers states by a chain of cosets, and compares: with a plain search of random groups, and with
// the numbering of random puzzles.
#include "chain_view.h"
#include "draw_puzzle.h"
#include "puzzle/compile.h"
#include "support.h"

#include <criterion/criterion.h>
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
            uint64_t number = chain_rank_images(&chain, images);
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

// ---- Random puzzles -----------------------------------------------------------------------------

// Compares the number of states, and that each has a number of its own. Returns whether it did the
// latter: the puzzle has few states.
static bool compare(const struct puzzle *puzzle, const char *text)
{
    enum { FEW = 20000 };
    struct view view;
    struct chain chain;
    struct fewest_error error;
    cr_assert(view_make(&view, puzzle, -1, false, &error), "%s", error.text);
    cr_assert(chain_make(&chain, &view.plan, &error), "%s", error.text);
    cr_assert_eq(chain.count, puzzle->reachable_count, "%s", text);
    bool is_small = chain.count <= FEW && puzzle->numbering.state_count == chain.count;
    bool *seen = calloc(FEW, sizeof *seen);
    cr_assert(seen && chain_finish(&chain, &error));
    for (uint64_t i = 0; i < chain.count && is_small; i++) {
        uint8_t cells[CELLS_MOST];
        chain_point images[CELLS_MOST];
        puzzle_unrank(puzzle, 0, i, cells);
        view_read(&view, cells, images);
        uint64_t number = chain_rank_images(&chain, images);
        cr_assert(number < chain.count && !seen[number], "%s", text);
        seen[number] = true;
    }
    free(seen);
    chain_free(&chain);
    view_free(&view);
    return is_small;
}

Test(chain, each_state_of_a_random_puzzle_has_a_number, .timeout = 120)
{
    enum { ROUNDS = 60 * KIND_COUNT };
    static char text[1 << 16];
    unsigned small = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct sets_puzzle drawn;
        struct puzzle puzzle;
        struct fewest_error error;
        draw_puzzle(round % KIND_COUNT, &drawn);
        sets_write(&drawn, text);
        cr_assert(puzzle_compile(&puzzle, text, strlen(text), METRIC_POWERS, &error), "%s",
                  error.text);
        small += compare(&puzzle, text);
        puzzle_free(&puzzle);
    }
    cr_expect_gt(small, ROUNDS / 2);
}

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
