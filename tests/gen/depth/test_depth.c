// Compares searches by depth with a naive search of random puzzles, with tables, and with published
// counts.
#include "gen/depth/depth.h"
#include "tables/families/compile.h"
#include "tests/tools/draw_puzzle.h"
#include "tests/tools/support.h"
#include "tests/twin/twin_slide.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TWO_THREADS = 2,
    NAIVE_STATES = 6000, // limit of a naive search
    NAIVE_SLOTS = 1 << 16,
    GOALS = 3,
    DEPTH = 253,
    PUZZLES_A_KIND = 40,
};

static const struct search_options OPTIONS = {.threads = TWO_THREADS};

// Counts by depth. Aborts on an error.
static struct depth_counts count(const struct puzzle *puzzle, unsigned depth, bool use_symmetries)
{
    struct depth_counts counts;
    struct fewest_error error;
    struct depth_limits limits = {.depth = depth, .use_symmetries = use_symmetries};
    bool done = depth_count(puzzle, &limits, &OPTIONS, &counts, &error);
    cr_assert(done, "%s", error.text);
    cr_assert_not(counts.lacked_memory);
    return counts;
}

// ---- A naive search -----------------------------------------------------------------------------

// The states of a puzzle in the order of their distances to the nearest goal, as far as there is
// room for them.
struct naive {
    struct sets_puzzle puzzle;
    struct sets_view view;
    struct sets_move moves[SETS_TWIN_POWERS]; // undone
    unsigned move_count;
    uint8_t goals[GOALS][SETS_TWIN_ROW];
    unsigned goal_count;
    char text[SETS_TWIN_TEXT];
    unsigned row_bytes;
    uint8_t rows[NAIVE_STATES][SETS_TWIN_ROW];
    unsigned distances[NAIVE_STATES];
    unsigned count;
    int table[NAIVE_SLOTS]; // a hash table of row numbers + 1
};

// Adds a row, unless it is there. Returns false if there is no room.
static bool add_row(struct naive *naive, const uint8_t *row, unsigned distance)
{
    unsigned slot = 0;
    for (unsigned i = 0; i < naive->row_bytes; i++) {
        slot = (slot * 31 + row[i] + 7) % NAIVE_SLOTS;
    }
    while (naive->table[slot] > 0) {
        if (memcmp(naive->rows[naive->table[slot] - 1], row, naive->row_bytes) == 0) {
            return true;
        }
        slot = (slot + 1) % NAIVE_SLOTS;
    }
    if (naive->count == NAIVE_STATES) {
        return false;
    }
    memcpy(naive->rows[naive->count], row, naive->row_bytes);
    naive->distances[naive->count++] = distance;
    naive->table[slot] = (int)naive->count;
    return true;
}

// Searches from the goals. Returns the number of layers that are complete; *whole becomes true if
// they are all.
static unsigned search_naively(struct naive *naive, bool *whole)
{
    uint8_t before[SETS_TWIN_ROW];
    naive->row_bytes = 2 * naive->puzzle.slot_count;
    naive->count = 0;
    memset(naive->table, 0, sizeof naive->table);
    for (unsigned g = 0; g < naive->goal_count; g++) {
        cr_assert(add_row(naive, naive->goals[g], 0));
    }
    *whole = false;
    for (unsigned i = 0; i < naive->count; i++) {
        for (unsigned m = 0; m < naive->move_count; m++) {
            sets_apply(&naive->view, &naive->moves[m], naive->rows[i], before);
            if (sets_is_legal(&naive->view, before) &&
                !add_row(naive, before, naive->distances[i] + 1)) {
                return naive->distances[i] + 1; // layers up to that of row i
            }
        }
    }
    *whole = true;
    return naive->distances[naive->count - 1] + 1;
}

// Forbids up to three pieces in slots of each set that moves permute, but not in the solved state.
static void forbid_pieces(struct sets_puzzle *puzzle)
{
    struct sets_view view;
    sets_look(&view, puzzle);
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        for (unsigned n = support_random_below(4); n > 0; n--) {
            unsigned slot = set->first + support_random_below(set->size);
            unsigned piece = puzzle->piece[set->first + support_random_below(set->size)];
            if (view.shows_pieces[s] && piece != puzzle->piece[slot]) {
                puzzle->illegal[slot][piece] = true;
            }
        }
    }
}

// Does a row hold everything that `Solved` tells? Then it can be written as a `Goal`.
static bool shows_all(const struct naive *naive)
{
    unsigned slots = naive->puzzle.slot_count;
    return memcmp(naive->view.solved, naive->puzzle.piece, slots) == 0 &&
           memcmp(naive->view.solved + slots, naive->puzzle.orientation, slots) == 0;
}

// Adds a goal that random moves lead to from the solved state, and its line to the definition.
static void add_goal(struct naive *naive)
{
    struct sets_view *view = &naive->view;
    uint8_t row[SETS_TWIN_ROW];
    uint8_t before[SETS_TWIN_ROW];
    bool open[SETS_TWIN_SLOTS] = {false};
    memcpy(row, naive->goals[0], sizeof row);
    for (unsigned n = 0; n < 20; n++) {
        sets_apply(view, &naive->moves[support_random_below(naive->move_count)], row, before);
        if (sets_is_legal(view, before)) {
            memcpy(row, before, sizeof row);
        }
    }
    memcpy(naive->goals[naive->goal_count++], row, sizeof row);
    strcat(naive->text, "Goal\n");
    sets_append_state(&naive->puzzle, row, row + naive->puzzle.slot_count, open, naive->text);
}

// Writes the definition of a drawn puzzle, and prepares its naive search.
static void prepare(struct naive *naive)
{
    sets_look(&naive->view, &naive->puzzle);
    sets_write(&naive->puzzle, naive->text);
    naive->move_count = sets_list_moves(&naive->view, true, naive->moves);
    naive->goal_count = 1;
    memcpy(naive->goals[0], naive->view.solved, sizeof naive->goals[0]);
}

// Compares the counts of a prepared puzzle, with and without symmetries. Returns the number of
// symmetries.
static unsigned compare(struct naive *naive)
{
    bool whole;
    struct puzzle puzzle = support_compile(naive->text, METRIC_POWERS);
    unsigned layers = search_naively(naive, &whole);
    struct depth_counts with = count(&puzzle, whole ? DEPTH : layers - 1, true);
    struct depth_counts without = count(&puzzle, whole ? DEPTH : layers - 1, false);
    cr_assert_eq(with.layers, layers, "%s", naive->text);
    cr_assert_eq(without.layers, layers);
    cr_assert_eq(with.has_all, whole);
    for (unsigned d = 0; d < layers; d++) {
        uint64_t expected = 0;
        for (unsigned i = 0; i < naive->count; i++) {
            expected += naive->distances[i] == d;
        }
        cr_assert_eq(without.states[d], expected, "distance %u of\n%s", d, naive->text);
        cr_assert_eq(with.states[d], expected, "distance %u of\n%s", d, naive->text);
        cr_assert_eq(without.classes[d], expected);
        cr_assert_leq(with.classes[d], expected);
    }
    puzzle_free(&puzzle);
    return with.symmetries;
}

Test(depth, random_puzzles_have_as_many_states_as_a_naive_search_finds, .timeout = 200)
{
    struct naive *naive = calloc(1, sizeof *naive);
    cr_assert(naive);
    for (enum puzzle_kind kind = 0; kind < KIND_COUNT; kind++) {
        for (unsigned n = 0; n < PUZZLES_A_KIND; n++) {
            draw_puzzle(kind, &naive->puzzle);
            bool forbids = support_happens(2);
            if (forbids) {
                forbid_pieces(&naive->puzzle);
            }
            prepare(naive);
            bool adds = !forbids && shows_all(naive);
            for (unsigned goals = support_random_below(GOALS); goals > 0 && adds; goals--) {
                add_goal(naive);
            }
            compare(naive);
        }
    }
    free(naive);
}

// ---- Symmetries ---------------------------------------------------------------------------------

// Draws a puzzle of one or two sets with a symmetry that exchanges some slots.
static void draw_symmetric(struct sets_puzzle *puzzle)
{
    uint8_t image[SETS_TWIN_SLOTS];
    sets_begin(puzzle);
    puzzle->powers = support_happens(2) ? SETS_POWERS_ALL : SETS_POWERS_NONE;
    puzzle->move_count = 2;
    strcpy(puzzle->moves[0].name, "A");
    strcpy(puzzle->moves[1].name, "B");
    for (unsigned s = 0; s < 1 + support_random_below(2); s++) {
        unsigned set = sets_add(puzzle, 2 + support_random_below(4), 1 + support_random_below(3));
        unsigned first = puzzle->sets[set].first;
        unsigned size = puzzle->sets[set].size;
        bool alike = support_happens(2);
        bool ignored = support_happens(3);
        for (unsigned i = 0; i < size; i++) {
            bool has_partner = i % 2 == 1 || i + 1 < size;
            image[first + i] = (uint8_t)(first + (has_partner ? i ^ 1 : i));
            puzzle->piece[first + i] = (uint8_t)(alike ? i / 2 : i);
            puzzle->ignored[first + i] = ignored && puzzle->sets[set].turns > 1 && i < 2;
        }
        support_shuffle(puzzle->moves[0].from + first, size);
        for (unsigned i = first; i < first + size; i++) {
            puzzle->moves[0].turn[i] = (uint8_t)support_random_below(puzzle->sets[set].turns);
        }
        for (unsigned i = first; i < first + size; i++) {
            puzzle->moves[1].from[image[i]] = image[puzzle->moves[0].from[i]];
            puzzle->moves[1].turn[image[i]] = puzzle->moves[0].turn[i];
        }
        for (unsigned n = support_random_below(3); n > 0; n--) {
            unsigned slot = first + support_random_below(size);
            unsigned home = first + support_random_below(size);
            if (puzzle->piece[slot] != puzzle->piece[home] && support_happens(2)) {
                puzzle->illegal[slot][puzzle->piece[home]] = true;
                puzzle->illegal[image[slot]][puzzle->piece[image[home]]] = true;
            }
        }
    }
}

// Are the classes as many as a table of the puzzle has? It counts them by other sums. Some puzzles
// have too many symmetries for it.
static void compare_classes(const struct naive *naive)
{
    struct fewest *table = support_open_text(naive->text);
    struct puzzle puzzle = support_compile(naive->text, METRIC_POWERS);
    struct depth_counts counts = count(&puzzle, DEPTH, true);
    struct fewest_classes classes;
    struct fewest_error error;
    bool counted = fewest_count_classes(table, &classes, &error);
    cr_assert(counted || error.status == FEWEST_BEYOND, "%s", error.text);
    for (unsigned d = 0; d < counts.layers && counted; d++) {
        cr_assert_eq(counts.classes[d], classes.symmetric[d], "distance %u of\n%s", d, naive->text);
    }
    puzzle_free(&puzzle);
    support_close(table);
}

Test(depth, puzzles_with_symmetries_have_as_many_classes_as_their_tables, .timeout = 200)
{
    enum { PUZZLES = 200, TABLE_STATES = 50000 };
    struct naive *naive = calloc(1, sizeof *naive);
    unsigned symmetric = 0;
    cr_assert(naive);
    for (unsigned n = 0; n < PUZZLES; n++) {
        struct puzzle puzzle;
        struct fewest_error error;
        draw_symmetric(&naive->puzzle);
        prepare(naive);
        if (!puzzle_compile(&puzzle, naive->text, strlen(naive->text), METRIC_POWERS, &error)) {
            continue; // no move changes anything
        }
        symmetric += compare(naive) > 1;
        if (puzzle.reachable_count <= TABLE_STATES) {
            compare_classes(naive);
        }
        puzzle_free(&puzzle);
    }
    cr_expect_gt(symmetric, PUZZLES / 3);
    free(naive);
}

// ---- Known puzzles ------------------------------------------------------------------------------

// Compiles a file of the source tree.
static struct puzzle compile_file(const char *path)
{
    char *text = support_read(path, NULL);
    struct puzzle puzzle = support_compile(text, METRIC_POWERS);
    free(text);
    return puzzle;
}

static void expect_layers(const struct depth_counts *counts, const uint64_t *expected,
                          unsigned layers)
{
    cr_assert_eq(counts->layers, layers);
    for (unsigned d = 0; d < layers; d++) {
        cr_expect_eq(counts->states[d], expected[d], "distance %u: %llu", d,
                     (unsigned long long)counts->states[d]);
    }
}

// The counts are those of Rokicki, "God's number is 20", and its classes those of Kociemba.
Test(depth, the_cube_has_the_published_counts, .timeout = 200)
{
    static const uint64_t STATES[] = {1, 18, 243, 3240, 43239, 574908, 7618438};
    static const uint64_t CLASSES[] = {1, 2, 9, 75, 934, 12077, 159131};
    struct puzzle puzzle = compile_file("tables/puzzles/cube.puzzle");
    struct depth_counts counts = count(&puzzle, 6, true);
    cr_expect_eq(counts.symmetries, 48);
    expect_layers(&counts, STATES, 7);
    for (unsigned d = 0; d < 7; d++) {
        cr_expect_eq(counts.classes[d], CLASSES[d], "distance %u: %llu", d,
                     (unsigned long long)counts.classes[d]);
    }
    counts = count(&puzzle, 5, false);
    expect_layers(&counts, STATES, 6);
    puzzle_free(&puzzle);
}

Test(depth, shipped_puzzles_have_the_counts_of_their_tables, .timeout = 200)
{
    static const char *const PATHS[] = {
        "tables/puzzles/eight.puzzle", "tables/puzzles/flip.puzzle",
        "tables/puzzles/game.puzzle",  "tables/puzzles/seven.puzzle",
        "tables/puzzles/magic.puzzle", "tables/puzzles/slide222.puzzle",
        "tests/data/bandaged.tws",     "tests/data/gates.tws",
        "tests/data/pyraminx.tws",     "tests/data/identical.tws"};
    for (unsigned p = 0; p < sizeof PATHS / sizeof *PATHS; p++) {
        struct puzzle puzzle = compile_file(PATHS[p]);
        struct fewest *table = support_open_file(PATHS[p]);
        struct fewest_stats stats = support_count(table);
        struct depth_counts counts = count(&puzzle, DEPTH, true);
        cr_expect(counts.has_all);
        expect_layers(&counts, stats.count, stats.largest + 1);
        support_close(table);
        puzzle_free(&puzzle);
    }
}

// ---- Limits -------------------------------------------------------------------------------------

Test(depth, rolling_cubes_are_refused)
{
    struct puzzle puzzle = compile_file("tables/puzzles/cubic.puzzle");
    struct depth_counts counts;
    struct fewest_error error;
    cr_expect_not(
        depth_count(&puzzle, &(struct depth_limits){.depth = 3}, &OPTIONS, &counts, &error));
    cr_expect_eq(error.status, FEWEST_BEYOND);
    puzzle_free(&puzzle);
}

// A million states of 16 bytes do not fit in 16 MB, but the layers before them do.
Test(depth, a_search_ends_with_the_layers_that_fit_in_the_memory, .timeout = 100)
{
    static const uint64_t STATES[] = {1, 18, 243, 3240, 43239, 574908};
    struct puzzle puzzle = compile_file("tables/puzzles/cube.puzzle");
    struct depth_counts counts;
    struct fewest_error error;
    struct depth_limits limits = {.depth = 20, .memory = 16 << 20};
    cr_assert(depth_count(&puzzle, &limits, &OPTIONS, &counts, &error));
    cr_expect(counts.lacked_memory);
    cr_expect_not(counts.has_all);
    expect_layers(&counts, STATES, counts.layers);
    cr_expect_gt(counts.layers, 4);
    limits.memory = 1;
    cr_assert(depth_count(&puzzle, &limits, &OPTIONS, &counts, &error));
    cr_expect(counts.lacked_memory);
    expect_layers(&counts, STATES, 1);
    puzzle_free(&puzzle);
}

// Two sets of three slots whose pieces the goal exchanges: no moves connect it with `Solved`.
Test(depth, goals_can_have_other_pieces_in_an_orbit)
{
    static const char TEXT[] = "Name exchange\nSet A 6 1\nSolved\nA\n1 2 3 4 5 6\nEnd\n"
                               "Goal\nA\n4 5 6 1 2 3\nEnd\nMove x\nA\n2 3 1 4 5 6\nEnd\n"
                               "Move y\nA\n1 2 3 5 6 4\nEnd\n";
    static const uint64_t STATES[] = {2, 8, 8};
    struct puzzle puzzle = support_compile(TEXT, METRIC_POWERS);
    struct depth_counts counts = count(&puzzle, DEPTH, true);
    expect_layers(&counts, STATES, 3);
    puzzle_free(&puzzle);
}

// A watcher that stops the run in the layer after layer 5.
static bool stop_after_layer(void *context, const struct fewest_gen_progress *progress)
{
    _Atomic bool *has_layer = context;
    if (progress->event == FEWEST_GEN_LAYER && progress->layer == 5) {
        *has_layer = true;
    }
    return !*has_layer;
}

Test(depth, a_watcher_stops_a_search, .timeout = 100)
{
    struct puzzle puzzle = compile_file("tables/puzzles/cube.puzzle");
    _Atomic bool has_layer = false;
    struct search_options options = {
        .threads = TWO_THREADS, .watch = stop_after_layer, .context = &has_layer};
    struct depth_counts counts;
    struct fewest_error error;
    struct depth_limits limits = {.depth = 20, .use_symmetries = true};
    cr_expect_not(depth_count(&puzzle, &limits, &options, &counts, &error));
    cr_expect_eq(error.status, FEWEST_STOPPED);
    cr_expect_str_eq(error.text, "stopped while searching layer 6");
    puzzle_free(&puzzle);
}
