// Counts the states of random puzzles, and compares with a plain search from the root.
#include "tables/puzzle/compile.h"
#include "tables/puzzle/count/state_count.h"
#include "tables/puzzle/rules.h"
#include "tests/tools/draw_puzzle.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- A plain search -----------------------------------------------------------------------------

enum { FEW = 20000, SLOTS = 1 << 16 };

struct found {
    unsigned width;
    unsigned count;
    uint8_t *states;
    unsigned slot[SLOTS]; // a hash table: the number of a state plus 1, or 0
};

// The slot of a state in the hash table, or the one where it belongs.
static unsigned *find_slot(struct found *found, const uint8_t *state)
{
    uint32_t hash = 2166136261;
    for (unsigned i = 0; i < found->width; i++) {
        hash = (hash ^ state[i]) * 16777619;
    }
    unsigned at = (hash ^ hash >> 16) % SLOTS;
    while (found->slot[at] && memcmp(found->states + (found->slot[at] - 1) * (size_t)found->width,
                                     state, found->width) != 0) {
        at = (at + 1) % SLOTS;
    }
    return &found->slot[at];
}

// Returns false if there are more than FEW states.
static bool search_all(const struct puzzle *puzzle, struct found *found)
{
    uint8_t moved[CELLS_MOST];
    unsigned width = puzzle->cell_count;
    *found =
        (struct found){.width = width, .count = 1, .states = malloc((FEW + 1) * (size_t)width)};
    cr_assert(found->states);
    memcpy(found->states, puzzle->numbering.roots[0].target, width);
    *find_slot(found, found->states) = 1;
    for (unsigned i = 0; i < found->count && found->count <= FEW; i++) {
        for (unsigned m = 0; m < puzzle->move_count && found->count <= FEW; m++) {
            cr_assert(puzzle_apply(puzzle, m, found->states + i * (size_t)width, moved));
            unsigned *slot = find_slot(found, moved);
            if (*slot == 0) {
                memcpy(found->states + found->count * (size_t)width, moved, width);
                *slot = ++found->count;
            }
        }
    }
    return found->count <= FEW;
}

// ---- Comparison ---------------------------------------------------------------------------------

// Spoils one or two cells of a state, or leaves it as it is.
static void draw_row(const struct puzzle *puzzle, const struct found *found, uint8_t *row)
{
    memcpy(row, found->states + support_random_below(found->count) * (size_t)found->width,
           found->width);
    for (unsigned changes = support_random_below(3); changes > 0; changes--) {
        const struct segment *segment =
            &puzzle->segments[support_random_below(puzzle->segment_count)];
        uint8_t *a = row + segment->first + support_random_below(segment->length);
        uint8_t *b = row + segment->first + support_random_below(segment->length);
        uint8_t kept = *a;
        *a = support_random_below(8) == 0 && segment->kind == SEGMENT_ORIENTATION
                 ? (uint8_t)((*a + 1u) % segment->symbols)
                 : *b;
        *b = support_random_below(8) == 0 ? *b : kept; // or a piece is there twice
    }
    puzzle_forget_ignored(puzzle, row);
}

struct tally {
    unsigned puzzles;
    unsigned giants;
    unsigned others;
    unsigned states; // of the rows that were drawn
    unsigned rows;
    unsigned spoiled; // counts without the last move
    unsigned noticed; // of these: wrong ones
};

static void compare_rows(const struct puzzle *puzzle, const struct state_count *count,
                         struct found *found, struct tally *tally)
{
    for (unsigned i = 0; i < 60; i++) {
        uint8_t row[CELLS_MOST];
        draw_row(puzzle, found, row);
        bool is_state = *find_slot(found, row) > 0;
        cr_assert_eq(state_count_includes(count, row), is_state);
        tally->states += is_state;
        tally->rows++;
    }
}

// A wrong group is noticed, so the comparison can fail.
static void spoil(struct point_view *view, unsigned states, struct tally *tally)
{
    struct state_count count;
    struct fewest_error error;
    view->move_count--;
    cr_assert(state_count_make(&count, view, &error), "%s", error.text);
    tally->noticed += count.states != states;
    tally->spoiled++;
    state_count_free(&count);
}

static void compare(const struct puzzle *puzzle, const char *text, struct tally *tally)
{
    static struct found found;
    struct point_view view;
    struct state_count count;
    struct fewest_error error;
    cr_assert(point_view_make(&view, puzzle, false, &error), "%s", error.text);
    cr_assert(state_count_make(&count, &view, &error), "%s", error.text);
    if (search_all(puzzle, &found)) {
        cr_assert_eq(count.states, found.count, "%s", text);
        compare_rows(puzzle, &count, &found, tally);
        tally->puzzles++;
        for (unsigned b = 0; b < count.orbit_count; b++) {
            tally->giants += count.orbits[b].is_giant;
            tally->others += !count.orbits[b].is_giant;
        }
        state_count_free(&count);
        spoil(&view, found.count, tally);
    } else {
        cr_assert(count.states == 0 || count.states > FEW, "%s", text);
        state_count_free(&count);
    }
    free(found.states);
    point_view_free(&view);
}

Test(state_count, agrees_with_a_search_of_random_puzzles, .timeout = 240)
{
    enum { ROUNDS = 60 * KIND_COUNT };
    static char text[1 << 16];
    struct tally tally = {0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct sets_puzzle drawn;
        struct puzzle puzzle;
        struct fewest_error error;
        draw_puzzle(round % KIND_COUNT, &drawn);
        sets_write(&drawn, text);
        cr_assert(puzzle_compile(&puzzle, text, strlen(text), METRIC_POWERS, &error), "%s",
                  error.text);
        compare(&puzzle, text, &tally);
        puzzle_free(&puzzle);
    }
    // All kinds occur, so the comparison can fail.
    cr_expect_gt(tally.puzzles, ROUNDS / 4, "%u", tally.puzzles);
    cr_expect(tally.giants > 10 && tally.others > 100, "%u %u", tally.giants, tally.others);
    cr_expect(tally.states > tally.rows / 5 && tally.states < tally.rows * 4 / 5, "%u of %u",
              tally.states, tally.rows);
    cr_expect_gt(tally.noticed, tally.spoiled / 20, "%u of %u", tally.noticed, tally.spoiled);
}

// ---- Large puzzles ------------------------------------------------------------------------------

static void check_text(const char *text, const char *expected)
{
    static char number[STATE_COUNT_SIZE];
    struct puzzle puzzle;
    struct fewest_error error;
    cr_assert(puzzle_compile(&puzzle, text, strlen(text), METRIC_POWERS, &error), "%s", error.text);
    cr_expect_str_eq(puzzle_write_state_count(&puzzle, number), expected);
    puzzle_free(&puzzle);
}

// In the first puzzle, the sign of one orbit follows from the other. In the second, the same
// permutation acts on both, so no orbit is a giant. In the last, the pieces of one orbit look
// alike, and the moves permute two orbits in different ways.
Test(state_count, factors_tell_which_orbits_depend_on_each_other)
{
    check_text("Name t\nSet A 8 1\nSet B 9 1\nSolved\nEnd\n"
               "Move M\nA\n2 3 4 5 6 7 8 1\nB\n2 1 3 4 5 6 7 8 9\nEnd\n"
               "Move N\nB\n2 3 4 5 6 7 8 9 1\nEnd\n"
               "Move P\nA\n2 1 3 4 5 6 7 8\nB\n2 1 3 4 5 6 7 8 9\nEnd\n",
               "7315660800 (2 · 9!/2 · 8!/2)");
    check_text("Name t\nSet A 8 1\nSet B 8 1\nSolved\nEnd\n"
               "Move M\nA\n2 3 4 5 6 7 8 1\nB\n2 3 4 5 6 7 8 1\nEnd\n"
               "Move P\nA\n2 1 3 4 5 6 7 8\nB\n2 1 3 4 5 6 7 8\nEnd\n",
               "40320");
    check_text("Name t\nSet A 8 1\nSet B 8 1\nSolved\nA\n1 1 1 1 2 2 2 2\nEnd\n"
               "Move M\nA\n2 3 4 5 6 7 8 1\nB\n1 3 4 5 6 7 8 2\nEnd\n"
               "Move P\nA\n2 1 3 4 5 6 7 8\nB\n2 1 3 4 5 6 7 8\nEnd\n",
               "2822400 (2 · 8!/2 · 8!/4!^2)");
}
