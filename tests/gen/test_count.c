// Counts states, positions and classes without a table, and compares them with a naive twin, with
// tables of the same puzzles and with published counts.
#include "gen/fewest_gen.h"
#include "tests/tools/draw_puzzle.h"
#include "tests/tools/draw_symmetric.h"
#include "tests/tools/support.h"
#include "tests/twin/twin_count.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TWIN_STATES_MOST = 4000,    // of a random puzzle
    TWIN_LOOKUPS_MOST = 400000, // of its twin: states × symmetries
};

_Static_assert((int)COUNT_TWIN_DISTANCES == (int)FEWEST_GEN_DISTANCES, "one limit of distances");

// ---- Counts and what they should be -------------------------------------------------------------

struct expectation {
    const struct count_result *result;
    unsigned symmetries;
    unsigned rotations;
    // The search of all states need not look for symmetries. Then each class is one state.
    bool may_lack_symmetries;
    bool without_antipodes;
    bool complete;
};

static bool count(const char *text, const struct fewest_gen_options *options,
                  struct fewest_gen_counts *counts, struct fewest_error *error)
{
    return fewest_gen_count(text, strlen(text), options, counts, error);
}

static unsigned long long wide(uint64_t number)
{
    return number;
}

static const char *find_difference_of_antipodes(const struct fewest_gen_counts *counts,
                                                uint64_t classes)
{
    static char difference[200];
    unsigned most = classes < FEWEST_GEN_ANTIPODES ? (unsigned)classes : FEWEST_GEN_ANTIPODES;
    if (counts->antipode_count != most) {
        snprintf(difference, sizeof difference, "%u antipodes, not %u", counts->antipode_count,
                 most);
        return difference;
    }
    for (unsigned i = 0; i < FEWEST_GEN_ANTIPODES; i++) {
        if ((counts->antipodes[i] != NULL) != (i < most)) {
            return "an antipode is missing or too many";
        }
    }
    return NULL;
}

// Returns a sentence about the first difference, or NULL. It is valid until the next call.
static const char *find_difference(const struct fewest_gen_counts *counts,
                                   const struct expectation *expected)
{
    static char difference[200];
    const struct count_result *result = expected->result;
    bool lacks = expected->may_lack_symmetries && counts->symmetries == 1;
    const uint64_t *classes = lacks ? result->states : result->classes;
    for (unsigned d = 0; d < FEWEST_GEN_DISTANCES; d++) {
        if (counts->states[d] != result->states[d] || counts->classes[d] != classes[d]) {
            snprintf(difference, sizeof difference,
                     "%llu states and %llu classes at distance %u, not %llu and %llu",
                     wide(counts->states[d]), wide(counts->classes[d]), d, wide(result->states[d]),
                     wide(classes[d]));
            return difference;
        }
    }
    if (counts->symmetries != (lacks ? 1 : expected->symmetries) ||
        counts->rotations != expected->rotations) {
        snprintf(difference, sizeof difference, "%u symmetries and %u rotations, not %u and %u",
                 counts->symmetries, counts->rotations, expected->symmetries, expected->rotations);
        return difference;
    }
    if (counts->total != result->total || counts->largest != result->largest ||
        fabs(counts->mean - result->mean) > 1e-9) {
        snprintf(difference, sizeof difference,
                 "%llu states, mean %.10g, largest %u, not %llu, %.10g, %u", wide(counts->total),
                 counts->mean, counts->largest, wide(result->total), result->mean, result->largest);
        return difference;
    }
    if (counts->complete != expected->complete || counts->fault != FEWEST_GEN_OTHER) {
        return expected->complete ? "the counts are not complete" : "the counts seem complete";
    }
    if (expected->without_antipodes) {
        return counts->antipode_count > 0 ? "there are antipodes" : NULL;
    }
    return find_difference_of_antipodes(counts, classes[result->largest]);
}

// The counts of the states up to a distance.
static struct count_result cut_result(const struct count_result *whole, unsigned depth)
{
    struct count_result result = {.largest = depth};
    for (unsigned d = 0; d <= depth; d++) {
        result.states[d] = whole->states[d];
        result.classes[d] = whole->classes[d];
        result.total += whole->states[d];
        result.mean += (double)d * (double)whole->states[d];
    }
    result.mean /= (double)result.total;
    return result;
}

// The counts that a list of layers gives, which 0 ends.
static struct count_result read_layers(const uint64_t *states, const uint64_t *classes)
{
    struct count_result whole = {.total = 0};
    unsigned depth = 0;
    for (; states[depth] > 0; depth++) {
        whole.states[depth] = states[depth];
        whole.classes[depth] = classes[depth];
    }
    return cut_result(&whole, depth - 1);
}

// Counts, and compares. With `counts`, the caller frees them.
static void expect_counts(const char *text, const struct fewest_gen_options *options,
                          const struct expectation *expected, struct fewest_gen_counts *counts)
{
    struct fewest_gen_counts room;
    struct fewest_gen_counts *all = counts ? counts : &room;
    struct fewest_error error;
    cr_assert(count(text, options, all, &error), "%s, with\n%s", error.text, text);
    const char *difference = find_difference(all, expected);
    cr_assert_null(difference, "%s, with threads %u, metric %d, depth %u%s%s%s, of\n%s", difference,
                   options->threads, (int)options->metric, options->depth,
                   options->rotations ? ", rotations" : "",
                   options->no_symmetry ? ", no symmetry" : "", options->verify ? ", verify" : "",
                   text);
    if (!counts) {
        fewest_gen_free_counts(all);
        cr_assert_null(all->antipodes[0], "they are freed, and can be freed again");
        fewest_gen_free_counts(all);
    }
}

// ---- Random puzzles -----------------------------------------------------------------------------

// A puzzle with its twin, definition and table.
struct counted_puzzle {
    struct sets_puzzle puzzle;
    struct count_world world;
    struct count_result states;
    enum fewest_gen_metric metric;
    char text[SETS_TWIN_TEXT];
    struct fewest *table;
    struct fewest_classes classes;
    bool has_classes; // else the moves have too many symmetries for the table
};

// False if the puzzle is too large for the twin. Then there is nothing to free.
static bool explore(struct counted_puzzle *counted)
{
    struct count_world *world = &counted->world;
    if (!count_explore(world, &counted->puzzle, TWIN_STATES_MOST)) {
        return false;
    }
    if (world->states->count * world->symmetry_count > TWIN_LOOKUPS_MOST) {
        count_free(world);
        return false;
    }
    bool quarter = counted->puzzle.powers == SETS_POWERS_QUARTER;
    counted->metric = quarter ? FEWEST_GEN_QUARTER : FEWEST_GEN_POWERS;
    sets_write(&counted->puzzle, counted->text);
    return true;
}

static void open_table(struct counted_puzzle *counted)
{
    enum metric metric = counted->metric == FEWEST_GEN_QUARTER ? METRIC_QUARTER : METRIC_POWERS;
    counted->table = support_own(support_generate(counted->text, strlen(counted->text), metric));
}

// Counts the classes of the table. That can fail in one way: slots that no move changes have many
// symmetries.
static void count_classes_of_table(struct counted_puzzle *counted)
{
    struct fewest_error error;
    counted->has_classes = fewest_count_classes(counted->table, &counted->classes, &error);
    if (!counted->has_classes) {
        cr_assert_eq(error.status, FEWEST_BEYOND, "%s", error.text);
    }
}

// The antipodes are states at the largest distance, of different classes.
static void check_antipodes(const struct counted_puzzle *counted,
                            const struct fewest_gen_counts *counts)
{
    size_t classes[FEWEST_GEN_ANTIPODES];
    const struct count_world *world = &counted->world;
    for (unsigned i = 0; i < counts->antipode_count; i++) {
        const char *text = counts->antipodes[i];
        uint8_t state[FEWEST_CELLS_MOST];
        struct fewest_error error;
        cr_assert(fewest_read_state(counted->table, "antipode", text, strlen(text), state, &error),
                  "%s", error.text);
        size_t number = count_find(world, state);
        cr_assert_lt(number, world->states->count, "%s is no state of\n%s", text, counted->text);
        cr_assert_eq(world->distance[number], counts->largest, "%s of\n%s", text, counted->text);
        classes[i] = world->class_of[number];
        for (unsigned j = 0; j < i; j++) {
            cr_assert_neq(classes[i], classes[j], "%s and %s are alike in\n%s", text,
                          counts->antipodes[j], counted->text);
        }
    }
}

// The table counts the same states and classes, and knows how far the antipodes are.
static void compare_with_table(const struct counted_puzzle *counted,
                               const struct fewest_gen_counts *counts)
{
    struct fewest *table = counted->table;
    struct fewest_stats stats = support_count(table);
    struct fewest_error error;
    cr_assert_arr_eq(stats.count, counts->states, sizeof counts->states, "%s", counted->text);
    if (counted->has_classes) {
        cr_assert_eq(counted->classes.symmetries, counts->symmetries, "%s", counted->text);
        cr_assert_arr_eq(counted->classes.symmetric, counts->classes, sizeof counts->classes, "%s",
                         counted->text);
    }
    for (unsigned i = 0; i < counts->antipode_count; i++) {
        struct query asked = {.target = {FEWEST_GOALS}};
        const char *text = counts->antipodes[i];
        cr_assert(fewest_read_state(table, "antipode", text, strlen(text), asked.start, &error),
                  "%s", error.text);
        cr_assert_eq(support_ask(table, &asked), (int)counts->largest, "%s", counted->text);
    }
}

static struct expectation expect_whole(const struct counted_puzzle *counted,
                                       const struct count_result *result, unsigned rotations)
{
    return (struct expectation){.result = result,
                                .symmetries = counted->world.symmetry_count,
                                .rotations = rotations,
                                .may_lack_symmetries = !counted->has_classes,
                                .complete = true};
}

static void compare_states(struct counted_puzzle *counted)
{
    struct expectation expected = expect_whole(counted, &counted->states, 1);
    struct fewest_gen_options options = {.metric = counted->metric, .threads = 1};
    struct fewest_gen_counts counts;
    count_all(&counted->world, false, &counted->states);
    expect_counts(counted->text, &options, &expected, &counts);
    compare_with_table(counted, &counts);
    if (counted->has_classes) {
        check_antipodes(counted, &counts);
    }
    fewest_gen_free_counts(&counts);
    options.threads = 4;
    expect_counts(counted->text, &options, &expected, NULL);
    options.verify = true;
    expect_counts(counted->text, &options, &expected, NULL);
    options.verify = false;
    options.no_symmetry = true;
    expected.may_lack_symmetries = true;
    expect_counts(counted->text, &options, &expected, NULL);
}

static void compare_depth(const struct counted_puzzle *counted)
{
    unsigned largest = counted->states.largest;
    unsigned depth = 1 + support_random_below(largest + 1);
    struct count_result cut = cut_result(&counted->states, depth);
    struct expectation expected = expect_whole(counted, &counted->states, 1);
    struct fewest_gen_options options = {
        .metric = counted->metric, .threads = 1, .depth = largest + 1};
    expected.without_antipodes = true;
    expect_counts(counted->text, &options, &expected, NULL);
    if (depth < largest) {
        options.depth = depth;
        options.no_symmetry = support_random_below(3) == 0;
        expected.may_lack_symmetries |= options.no_symmetry;
        expected.result = &cut;
        expected.complete = false;
        expect_counts(counted->text, &options, &expected, NULL);
    }
}

static void compare_positions(struct counted_puzzle *counted)
{
    struct count_result positions;
    struct expectation expected = expect_whole(counted, &positions, counted->world.rotation_count);
    struct fewest_gen_options options = {
        .metric = counted->metric, .threads = 1, .rotations = true};
    struct fewest_gen_counts counts;
    struct fewest_error error;
    count_all(&counted->world, true, &positions);
    if (!count(counted->text, &options, &counts, &error)) { // too many symmetries
        cr_assert_eq(error.status, FEWEST_BEYOND, "%s", error.text);
        return;
    }
    fewest_gen_free_counts(&counts);
    expect_counts(counted->text, &options, &expected, &counts);
    if (counted->has_classes) {
        check_antipodes(counted, &counts);
    }
    fewest_gen_free_counts(&counts);
    options.threads = 4;
    options.verify = true;
    expect_counts(counted->text, &options, &expected, NULL);
    options.verify = false;
    options.no_symmetry = true;
    expected.may_lack_symmetries = true;
    expect_counts(counted->text, &options, &expected, NULL);
}

// How many puzzles have been compared.
struct tally {
    unsigned compared;
    unsigned symmetric; // with symmetries
    unsigned rotated;   // with rotations of the whole
    unsigned one_way;   // of which some move has no inverse
};

static void compare(struct counted_puzzle *counted, struct tally *tally)
{
    open_table(counted);
    count_classes_of_table(counted);
    compare_states(counted);
    if (getenv("WITH_DEPTH"))
        compare_depth(counted);
    if (counted->world.rotation_count > 0) {
        compare_positions(counted);
    }
    tally->compared++;
    tally->symmetric += counted->world.symmetry_count > 1;
    tally->rotated += counted->world.rotation_count > 1;
    tally->one_way += counted->puzzle.powers == SETS_POWERS_NONE;
    support_close(counted->table);
    count_free(&counted->world);
}

static struct tally compare_symmetric(enum symmetric_kind kind, unsigned puzzles)
{
    struct counted_puzzle *counted = malloc(sizeof *counted);
    struct tally tally = {.compared = 0};
    cr_assert(counted);
    while (tally.compared < puzzles) {
        draw_symmetric(kind, &counted->puzzle);
        if (explore(counted)) {
            compare(counted, &tally);
        }
    }
    free(counted);
    return tally;
}

Test(count, puzzles_of_one_set_have_the_counts_of_the_twin, .timeout = 300)
{
    struct tally tally = compare_symmetric(SYMMETRIC_ONE_SET, 80);
    cr_expect_gt(tally.symmetric, 40);
    cr_expect_gt(tally.rotated, 30);
    cr_expect_gt(tally.one_way, 9);
}

Test(count, puzzles_of_two_sets_have_the_counts_of_the_twin, .timeout = 300)
{
    struct tally tally = compare_symmetric(SYMMETRIC_TWO_SETS, 80);
    cr_expect_gt(tally.symmetric, 40);
    cr_expect_gt(tally.rotated, 30);
    cr_expect_gt(tally.one_way, 9);
}

Test(count, puzzles_whose_pieces_look_alike_have_the_counts_of_the_twin, .timeout = 300)
{
    struct tally tally = compare_symmetric(SYMMETRIC_ALIKE, 80);
    cr_expect_gt(tally.symmetric, 20);
    cr_expect_gt(tally.one_way, 9);
}

Test(count, lamps_have_the_counts_of_the_twin, .timeout = 300)
{
    struct tally tally = compare_symmetric(SYMMETRIC_TOGGLES, 30);
    cr_expect_gt(tally.symmetric, 20);
    cr_expect_gt(tally.rotated, 20);
}

// Most of these have no symmetries. Coordinates follow from others.
Test(count, locked_puzzles_have_the_counts_of_the_twin, .timeout = 300)
{
    struct counted_puzzle *counted = malloc(sizeof *counted);
    struct tally tally = {.compared = 0};
    cr_assert(counted);
    while (tally.compared < 30) {
        draw_puzzle((enum puzzle_kind)support_random_below(KIND_COUNT), &counted->puzzle);
        if (explore(counted)) {
            compare(counted, &tally);
        }
    }
    free(counted);
    cr_expect_gt(tally.one_way, 2);
}

// Forbids a few pieces in some slots, but not in the solved state.
static void forbid_some(struct sets_puzzle *puzzle)
{
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        for (unsigned n = 1 + support_random_below(3); n > 0; n--) {
            unsigned slot = set->first + support_random_below(set->size);
            unsigned piece = puzzle->piece[set->first + support_random_below(set->size)];
            puzzle->illegal[slot][piece] = puzzle->piece[slot] != piece;
        }
    }
}

Test(count, illegal_states_do_not_count, .timeout = 300)
{
    struct counted_puzzle *counted = malloc(sizeof *counted);
    struct tally tally = {.compared = 0};
    cr_assert(counted);
    while (tally.compared < 40) {
        draw_symmetric((enum symmetric_kind)support_random_below(SYMMETRIC_TOGGLES),
                       &counted->puzzle);
        forbid_some(&counted->puzzle);
        if (explore(counted)) {
            compare(counted, &tally);
        }
    }
    free(counted);
    cr_expect_gt(tally.symmetric, 4);
}

// ---- Other puzzles, compared with their tables --------------------------------------------------

// Pieces that look alike, and two goals.
static const char GOALS[] = "Name goals\nSet A 7 1\nSolved\nA\n1 1 1 2 2 3 3\nEnd\n"
                            "Move R\nA\n2 3 4 5 6 7 1\nEnd\nMove S\nA\n2 1 3 4 5 6 7\nEnd\n"
                            "Goal\nA\n3 3 2 2 1 1 1\nEnd\n";

Test(count, with_several_goals_the_distance_of_a_state_is_that_of_the_nearest)
{
    struct fewest *table = support_open_text(GOALS);
    struct fewest_stats stats = support_count(table);
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct fewest_gen_options options = {.threads = threads};
        struct fewest_gen_counts counts;
        struct fewest_error error;
        cr_assert(count(GOALS, &options, &counts, &error), "%s", error.text);
        cr_expect_arr_eq(counts.states, stats.count, sizeof counts.states);
        cr_expect_eq(counts.states[0], 2);
        cr_expect_eq(counts.total, stats.states);
        fewest_gen_free_counts(&counts);
    }
    support_close(table);
}

Test(count, several_goals_of_different_pieces_are_refused)
{
    static const char TEXT[] = "Name goals\nSet A 3 1\nSolved\nA\n1 2 3\nEnd\n"
                               "Move R\nA\n2 3 1\nEnd\nGoal\nA\n2 3 1\nEnd\n";
    struct fewest_gen_counts counts;
    struct fewest_error error;
    cr_assert_not(count(TEXT, &(struct fewest_gen_options){.threads = 1}, &counts, &error));
    cr_expect_eq(error.status, FEWEST_BEYOND);
    cr_expect_not_null(strstr(error.text, "goals"), "%s", error.text);
    fewest_gen_free_counts(&counts);
}

static void compare_text(const char *text)
{
    struct fewest *table = support_open_text(text);
    struct fewest_stats stats = support_count(table);
    struct fewest_classes classes;
    struct fewest_error error;
    struct count_result whole = {.total = 0};
    cr_assert(fewest_count_classes(table, &classes, &error), "%s", error.text);
    memcpy(whole.states, stats.count, sizeof whole.states);
    memcpy(whole.classes, classes.symmetric, sizeof whole.classes);
    struct count_result result = cut_result(&whole, stats.largest);
    struct expectation expected = {.result = &result,
                                   .symmetries = classes.symmetries,
                                   .rotations = 1,
                                   .may_lack_symmetries = true, // boards are counted without
                                   .complete = true};
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        struct fewest_gen_options options = {.threads = threads, .verify = threads > 1};
        expect_counts(text, &options, &expected, NULL);
    }
    support_close(table);
}

Test(count, sliding_boards_have_the_counts_of_their_tables, .timeout = 300)
{
    compare_text("Name five\nSlide 2 3\n");
    compare_text("Name eight\nSlide 3 3\n");
    compare_text("Name first\nSlide 2 3\nSolved\nTILES\n0 1 2 3 4 5\nEnd\n");
}

// ---- Published counts ---------------------------------------------------------------------------

// The 2x2x2 cube with all six faces: the corners of the 3x3x3 cube.
static const char SIX_FACES[] = "Name six-faces\nSet CORNERS 8 3\n"
                                "Solved\nCORNERS\n1 2 3 4 5 6 7 8\nEnd\n"
                                "MoveTransformation U\nCORNERS\n3 0 1 2 4 5 6 7\nEnd\n"
                                "MoveTransformation R\nCORNERS\n4 1 2 0 7 5 6 3\n"
                                "2 0 0 1 1 0 0 2\nEnd\n"
                                "MoveTransformation F\nCORNERS\n1 5 2 3 0 4 6 7\n"
                                "1 2 0 0 2 1 0 0\nEnd\n"
                                "MoveTransformation D\nCORNERS\n0 1 2 3 5 6 7 4\nEnd\n"
                                "MoveTransformation L\nCORNERS\n0 2 6 3 4 1 5 7\n"
                                "0 1 2 0 0 2 1 0\nEnd\n"
                                "MoveTransformation B\nCORNERS\n0 1 3 7 4 5 2 6\n"
                                "0 0 1 2 0 0 2 1\nEnd\n";

static const uint64_t POSITIONS[] = {1,      9,      54,      321,    1847, 9992, 50136,
                                     227536, 870072, 1887748, 623800, 2644, 0};
static const uint64_t QUARTERS[] = {1,      6,      27,     120,     534,    2256,  8969, 33058,
                                    114149, 360508, 930588, 1350852, 782536, 90280, 276,  0};

// Jaap Scherphuis's page on the Mini Cube has the positions, in both metrics. The classes add up to
// 77,802.
Test(count, the_2x2x2_cube_with_six_faces_has_as_many_positions_as_with_three, .timeout = 300)
{
    static const uint64_t CLASSES[] = {1,    2,     5,     19,    68, 271, 1148,
                                       4915, 18364, 39707, 13225, 77, 0};
    struct count_result result = read_layers(POSITIONS, CLASSES);
    struct expectation expected = {
        .result = &result, .symmetries = 48, .rotations = 24, .complete = true};
    struct fewest_gen_options options = {.threads = 2, .rotations = true};
    expect_counts(SIX_FACES, &options, &expected, NULL);
    options.verify = true;
    expect_counts(SIX_FACES, &options, &expected, NULL);
    struct fewest_gen_counts counts;
    struct fewest_error error;
    options.metric = FEWEST_GEN_QUARTER;
    cr_assert(count(SIX_FACES, &options, &counts, &error), "%s", error.text);
    cr_expect_arr_eq(counts.states, QUARTERS, sizeof QUARTERS);
    fewest_gen_free_counts(&counts);
}

// TWISTY.md has these numbers, from a table.
Test(count, the_corners_of_the_cube_have_the_states_and_classes_of_their_table, .timeout = 300)
{
    struct fewest_gen_options options = {.threads = 2};
    struct fewest_gen_counts counts;
    struct fewest_error error;
    uint64_t classes = 0;
    cr_assert(count(SIX_FACES, &options, &counts, &error), "%s", error.text);
    for (unsigned d = 0; d < FEWEST_GEN_DISTANCES; d++) {
        classes += counts.classes[d];
    }
    cr_expect_eq(counts.total, 88179840);
    cr_expect_eq(classes, 1841970);
    cr_expect_eq(counts.symmetries, 48);
    cr_expect_eq(counts.rotations, 1);
    cr_expect(counts.complete);
    fewest_gen_free_counts(&counts);
}

static void expect_states_of_file(const char *path, enum fewest_gen_metric metric,
                                  const uint64_t *states, size_t bytes)
{
    char *text = support_read(path, NULL);
    struct fewest_gen_options options = {.threads = 2, .metric = metric};
    struct fewest_gen_counts counts;
    struct fewest_error error;
    cr_assert(count(text, &options, &counts, &error), "%s: %s", path, error.text);
    cr_expect_arr_eq(counts.states, states, bytes, "%s", path);
    cr_expect(counts.complete);
    fewest_gen_free_counts(&counts);
    free(text);
}

Test(count, the_2x2x2_cube_and_the_pyraminx_have_their_published_counts, .timeout = 300)
{
    static const uint64_t PYRAMINX[] = {1,      8,      48,     288,  1728, 9896, 51808,
                                        220111, 480467, 166276, 2457, 32,   0};
    expect_states_of_file("tests/data/2x2x2.tws", FEWEST_GEN_POWERS, POSITIONS, sizeof POSITIONS);
    expect_states_of_file("tests/data/2x2x2.tws", FEWEST_GEN_QUARTER, QUARTERS, sizeof QUARTERS);
    expect_states_of_file("tests/data/2x2x2-held.tws", FEWEST_GEN_POWERS, POSITIONS,
                          sizeof POSITIONS);
    expect_states_of_file("tests/data/pyraminx.tws", FEWEST_GEN_POWERS, PYRAMINX, sizeof PYRAMINX);
}

Test(count, the_game_has_its_published_counts)
{
    static const uint64_t STATES[] = {1, 12, 96, 736, 5208, 28674, 89497, 54741, 2475, 0};
    static const uint64_t CLASSES[] = {1, 1, 3, 12, 74, 405, 1260, 785, 43, 0};
    struct count_result result = read_layers(STATES, CLASSES);
    struct expectation expected = {
        .result = &result, .symmetries = 72, .rotations = 1, .complete = true};
    char *text = support_read("tables/puzzles/game.puzzle", NULL);
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        struct fewest_gen_options options = {.threads = threads, .verify = threads > 1};
        expect_counts(text, &options, &expected, NULL);
    }
    free(text);
}

// The first layers of the 3x3x3 cube, and their classes under its 48 symmetries (Rokicki and
// others, cube20.org). Its table would be far too large.
Test(count, the_first_layers_of_the_3x3x3_cube_are_counted_without_a_table, .timeout = 300)
{
    static const uint64_t STATES[] = {1, 18, 243, 3240, 43239, 0};
    static const uint64_t CLASSES[] = {1, 2, 9, 75, 934, 0};
    struct count_result result = read_layers(STATES, CLASSES);
    struct expectation expected = {
        .result = &result, .symmetries = 48, .rotations = 1, .without_antipodes = true};
    char *text = support_read("tables/puzzles/cube.puzzle", NULL);
    char *databases = strstr(text, "\nDatabase");
    cr_assert(databases);
    databases[1] = '\0'; // they come last
    struct fewest_gen_options options = {.threads = 2, .depth = 4};
    expect_counts(text, &options, &expected, NULL);
    options.no_symmetry = true;
    expected.may_lack_symmetries = true;
    expect_counts(text, &options, &expected, NULL);
    free(text);
}

// ---- Wrong calls --------------------------------------------------------------------------------

// 12! · 12^12 / 2 states.
static const char BRAID[] = "Name braid\nSet X 12 12\nSolved\nEnd\n"
                            "Move A\nX\n2 3 4 5 6 7 8 9 10 11 12 1\n"
                            "1 0 0 0 0 0 0 0 0 0 0 0\nEnd\n"
                            "Move B\nX\n2 1 3 4 5 6 7 8 9 10 11 12\nEnd\n";

static void refuse(const char *text, const struct fewest_gen_options *options,
                   enum fewest_status status, enum fewest_gen_fault fault)
{
    struct fewest_gen_counts counts;
    struct fewest_error error;
    memset(&counts, 0xFF, sizeof counts);
    cr_assert_not(count(text, options, &counts, &error), "%s", text);
    cr_expect_eq(error.status, status, "%d: %s", (int)error.status, error.text);
    cr_expect_eq(counts.fault, fault, "%s", error.text);
    cr_expect_gt(strlen(error.text), 0);
    fewest_gen_free_counts(&counts);
}

Test(count, a_bad_definition_is_refused)
{
    refuse("", NULL, FEWEST_BAD_INPUT, FEWEST_GEN_DEFINITION);
    refuse("Name x\nSlide 2 3 4 5\n", NULL, FEWEST_BAD_INPUT, FEWEST_GEN_DEFINITION);
    refuse("Name x\nSet X 3 1\nSolved\nEnd\n", NULL, FEWEST_BAD_INPUT, FEWEST_GEN_DEFINITION);
    refuse("Name x\nSlide 2 3\n", &(struct fewest_gen_options){.metric = (enum fewest_gen_metric)3},
           FEWEST_BAD_INPUT, FEWEST_GEN_OTHER);
}

Test(count, a_puzzle_of_too_many_states_is_refused)
{
    refuse(BRAID, NULL, FEWEST_BEYOND, FEWEST_GEN_SIZE);
}

Test(count, more_memory_than_allowed_is_refused)
{
    char *text = support_read("tests/data/2x2x2.tws", NULL);
    refuse(text, &(struct fewest_gen_options){.memory = 1, .threads = 1}, FEWEST_BEYOND,
           FEWEST_GEN_MEMORY);
    refuse(text, &(struct fewest_gen_options){.memory = 1 << 14, .threads = 1}, FEWEST_BEYOND,
           FEWEST_GEN_MEMORY);
    free(text);
}

struct stopper {
    unsigned left; // calls until it stops the run
    unsigned calls;
    bool stopped;
};

static bool stop(void *context, const struct fewest_gen_progress *progress)
{
    struct stopper *stopper = context;
    (void)progress;
    cr_expect_not(stopper->stopped, "a call after the end");
    stopper->calls++;
    stopper->stopped = stopper->left > 0 && stopper->calls == stopper->left;
    return !stopper->stopped;
}

// The last run is not stopped, and counts all.
Test(count, a_watcher_can_stop_the_count_at_any_call, .timeout = 120)
{
    char *text = support_read("tables/puzzles/game.puzzle", NULL);
    unsigned stops = 0;
    for (unsigned left = 1;; left++) {
        struct stopper stopper = {.left = left};
        struct fewest_gen_options options = {
            .threads = 1 + left % 3, .watch = stop, .context = &stopper};
        struct fewest_gen_counts counts;
        struct fewest_error error;
        bool counted = count(text, &options, &counts, &error);
        cr_assert_eq(counted, !stopper.stopped);
        if (counted) {
            cr_expect_eq(counts.total, 181440);
            fewest_gen_free_counts(&counts);
            break;
        }
        cr_assert_eq(error.status, FEWEST_STOPPED, "%s", error.text);
        fewest_gen_free_counts(&counts);
        stops++;
    }
    cr_expect_geq(stops, 1);
    free(text);
}

// Stops the run at the last layer of game.puzzle.
static bool stop_at_the_end(void *context, const struct fewest_gen_progress *progress)
{
    (void)context;
    return progress->event != FEWEST_GEN_LAYER || progress->layer < 8;
}

Test(count, a_count_that_is_stopped_after_its_last_layer_is_complete)
{
    char *text = support_read("tables/puzzles/game.puzzle", NULL);
    struct fewest_gen_options options = {.watch = stop_at_the_end};
    struct fewest_gen_counts counts;
    struct fewest_error error;
    cr_assert_not(count(text, &options, &counts, &error));
    cr_expect_eq(error.status, FEWEST_STOPPED, "%s", error.text);
    cr_expect(counts.complete);
    cr_expect_eq(counts.total, 181440);
    fewest_gen_free_counts(&counts);
    free(text);
}

// ---- Negative controls --------------------------------------------------------------------------

// Counts that agree with an expectation. The antipodes are not read.
static struct fewest_gen_counts agree(const struct expectation *expected)
{
    static char antipode[] = "123";
    const struct count_result *result = expected->result;
    struct fewest_gen_counts counts = {.total = result->total,
                                       .mean = result->mean,
                                       .largest = result->largest,
                                       .symmetries = expected->symmetries,
                                       .rotations = expected->rotations,
                                       .complete = expected->complete};
    memcpy(counts.states, result->states, sizeof counts.states);
    memcpy(counts.classes, result->classes, sizeof counts.classes);
    uint64_t classes = result->classes[result->largest];
    while (counts.antipode_count < classes && counts.antipode_count < FEWEST_GEN_ANTIPODES) {
        counts.antipodes[counts.antipode_count++] = antipode;
    }
    return counts;
}

enum fault {
    LAYERS_EXCHANGED,
    STATE_MORE,
    CLASS_MORE,
    CLASS_FEWER,
    STATE_PAST_THE_LAST,
    SYMMETRIES_DOUBLED,
    SYMMETRIES_FORGOTTEN,
    ROTATION_MORE,
    TOTAL_MORE,
    MEAN_OFF,
    LARGEST_MORE,
    INCOMPLETE,
    ANTIPODE_FEWER,
    ANTIPODE_LOST,
    FAULT_COUNT,
};

static void damage(struct fewest_gen_counts *counts, enum fault fault)
{
    unsigned last = counts->largest;
    uint64_t before = counts->states[last];
    switch (fault) {
    case LAYERS_EXCHANGED:
        counts->states[last] = counts->states[last - 1];
        counts->states[last - 1] = before;
        break;
    case STATE_MORE:
        counts->states[last]++;
        break;
    case CLASS_MORE:
        counts->classes[last]++;
        break;
    case CLASS_FEWER:
        counts->classes[1]--;
        break;
    case STATE_PAST_THE_LAST:
        counts->states[FEWEST_GEN_DISTANCES - 1]++;
        break;
    case SYMMETRIES_DOUBLED:
        counts->symmetries *= 2;
        break;
    case SYMMETRIES_FORGOTTEN:
        counts->symmetries = 1;
        break;
    case ROTATION_MORE:
        counts->rotations++;
        break;
    case TOTAL_MORE:
        counts->total++;
        break;
    case MEAN_OFF:
        counts->mean += 1e-6;
        break;
    case LARGEST_MORE:
        counts->largest++;
        break;
    case INCOMPLETE:
        counts->complete = false;
        break;
    case ANTIPODE_FEWER:
        counts->antipodes[--counts->antipode_count] = NULL;
        break;
    case ANTIPODE_LOST:
        counts->antipodes[0] = NULL;
        break;
    case FAULT_COUNT:
        break;
    }
}

// Three switches, each with a lamp of its own: 1 3 3 1 states, and a class at each distance.
static void make_three_lamps(struct sets_puzzle *puzzle)
{
    sets_begin(puzzle);
    sets_add(puzzle, 3, 2);
    puzzle->move_count = 3;
    for (unsigned m = 0; m < 3; m++) {
        puzzle->moves[m].turn[m] = 1;
    }
}

Test(count, the_twin_notices_each_wrong_count)
{
    struct counted_puzzle *counted = malloc(sizeof *counted);
    cr_assert(counted);
    make_three_lamps(&counted->puzzle);
    cr_assert(explore(counted));
    count_all(&counted->world, false, &counted->states);
    counted->has_classes = true;
    struct expectation expected = expect_whole(counted, &counted->states, 1);
    cr_expect_eq(expected.symmetries, 6);
    struct fewest_gen_counts counts = agree(&expected);
    cr_expect_null(find_difference(&counts, &expected));
    for (unsigned fault = 0; fault < FAULT_COUNT; fault++) {
        counts = agree(&expected);
        damage(&counts, (enum fault)fault);
        cr_expect(find_difference(&counts, &expected), "fault %u", fault);
    }
    count_free(&counted->world);
    free(counted);
}

// Hand-made: all eight states of three lamps are rotations, because each commutes with each switch.
// The six exchanges of two of four pieces generate 24 states, and each turns exchanges into
// exchanges.
Test(count, the_twin_knows_positions_that_can_be_counted_by_hand)
{
    struct counted_puzzle *counted = malloc(sizeof *counted);
    struct count_result positions;
    cr_assert(counted);
    make_three_lamps(&counted->puzzle);
    cr_assert(explore(counted));
    cr_expect_eq(counted->world.rotation_count, 8);
    count_all(&counted->world, true, &positions);
    cr_expect_eq(positions.total, 1);
    cr_expect_eq(positions.largest, 0);
    count_free(&counted->world);

    sets_begin(&counted->puzzle);
    sets_add(&counted->puzzle, 4, 1);
    for (uint8_t a = 0; a < 4; a++) {
        for (uint8_t b = 0; b < a; b++) {
            uint8_t *from = counted->puzzle.moves[counted->puzzle.move_count++].from;
            support_swap(&from[a], &from[b]);
        }
    }
    cr_assert(explore(counted));
    count_all(&counted->world, false, &counted->states);
    static const uint64_t STATES[] = {1, 6, 11, 6, 0};
    static const uint64_t CLASSES[] = {1, 1, 2, 1, 0};
    cr_expect_arr_eq(counted->states.states, STATES, sizeof STATES);
    cr_expect_arr_eq(counted->states.classes, CLASSES, sizeof CLASSES);
    cr_expect_eq(counted->world.symmetry_count, 24);
    cr_expect_eq(counted->world.rotation_count, 24);
    count_free(&counted->world);
    free(counted);
}
