// Counts positions up to rotations of the whole, and compares them with a naive twin, with states
// of a puzzle that is held in one corner, and with a count without a table.
#include "gen/fewest_gen.h"
#include "tests/tools/draw_symmetric.h"
#include "tests/tools/support.h"
#include "tests/twin/twin_count.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TWIN_STATES_MOST = 4000,    // of a random puzzle
    TWIN_LOOKUPS_MOST = 400000, // of its twin: states × symmetries
    DISTANCES = 254,            // of the twin and of fewest_gen
};

_Static_assert((int)COUNT_TWIN_DISTANCES == DISTANCES && (int)FEWEST_GEN_DISTANCES == DISTANCES,
               "one limit of distances");

static struct fewest_positions count_positions(struct fewest *table, unsigned threads)
{
    struct fewest_positions positions;
    struct fewest_error error;
    support_set(table, (struct fewest_options){.threads = threads});
    cr_assert(fewest_count_positions(table, &positions, &error), "%s", error.text);
    return positions;
}

// ---- Random puzzles -----------------------------------------------------------------------------

static struct fewest *open_table(const struct sets_puzzle *puzzle, char *text)
{
    sets_write(puzzle, text);
    bool quarter = puzzle->powers == SETS_POWERS_QUARTER;
    return support_own(
        support_generate(text, strlen(text), quarter ? METRIC_QUARTER : METRIC_POWERS));
}

// Compares all counts, and the distance of the farthest state.
static void expect_twin(const struct count_world *world, const struct count_result *twin,
                        const struct fewest_positions *positions, const char *text)
{
    cr_assert_arr_eq(positions->count, twin->states, sizeof twin->states, "%s", text);
    cr_assert_arr_eq(positions->classes, twin->classes, sizeof twin->classes, "%s", text);
    cr_assert_eq(positions->positions, twin->total, "%s", text);
    cr_assert_eq(positions->largest, twin->largest, "%s", text);
    cr_assert_float_eq(positions->mean, twin->mean, 1e-9, "%s", text);
    cr_assert_eq(positions->rotations, world->rotation_count, "%u, not %u rotations of\n%s",
                 positions->rotations, world->rotation_count, text);
    cr_assert_eq(positions->symmetries, world->symmetry_count, "%u, not %u symmetries of\n%s",
                 positions->symmetries, world->symmetry_count, text);
    size_t number = count_find(world, positions->farthest);
    cr_assert_lt(number, world->states->count, "%s", text);
    cr_assert_eq(world->distance[number], twin->largest, "%s", text);
}

struct tally {
    unsigned compared;
    unsigned rotated; // with rotations of the whole
    unsigned one_way; // of these: some move has no inverse
    unsigned refused; // with too many symmetries
};

static void compare(struct count_world *world, const struct sets_puzzle *puzzle,
                    struct tally *tally)
{
    static char text[SETS_TWIN_TEXT];
    struct fewest *table = open_table(puzzle, text);
    struct fewest_positions positions;
    struct fewest_error error;
    struct count_result twin;
    support_set(table, (struct fewest_options){.threads = 1});
    if (fewest_count_positions(table, &positions, &error)) {
        count_all(world, true, &twin);
        expect_twin(world, &twin, &positions, text);
        positions = count_positions(table, 3);
        expect_twin(world, &twin, &positions, text);
        tally->compared++;
        tally->rotated += world->rotation_count > 1;
        tally->one_way += world->rotation_count > 1 && puzzle->powers == SETS_POWERS_NONE;
    } else {
        cr_assert_eq(error.status, FEWEST_BEYOND, "%s", error.text);
        cr_assert(strstr(error.text, "symmetries"), "%s", error.text);
        tally->refused++;
    }
    support_close(table);
}

static void compare_random(enum symmetric_kind kind, unsigned puzzles, struct tally *tally)
{
    struct sets_puzzle *puzzle = malloc(sizeof *puzzle);
    struct count_world *world = malloc(sizeof *world);
    unsigned end = tally->compared + puzzles;
    cr_assert(puzzle && world);
    while (tally->compared < end) {
        draw_symmetric(kind, puzzle);
        if (!count_explore(world, puzzle, TWIN_STATES_MOST)) {
            continue;
        }
        if (world->rotation_count > 0 && // the states are a group
            world->states->count * world->symmetry_count <= TWIN_LOOKUPS_MOST) {
            compare(world, puzzle, tally);
        }
        count_free(world);
    }
    free(world);
    free(puzzle);
}

Test(positions, random_puzzles_have_the_positions_and_classes_of_the_twin, .timeout = 300)
{
    struct tally tally = {.compared = 0};
    compare_random(SYMMETRIC_ONE_SET, 70, &tally);
    compare_random(SYMMETRIC_TWO_SETS, 60, &tally);
    compare_random(SYMMETRIC_TOGGLES, 20, &tally);
    cr_expect_gt(tally.rotated, 50);
    cr_expect_gt(tally.one_way, 5);
    cr_expect_lt(tally.refused, 50);
}

// ---- Other puzzles, compared with a count without a table ---------------------------------------

// The positions of the count by other code are those of published counts (tests/gen/test_count.c).
static void compare_with_count(const char *text, enum metric metric, unsigned rotations)
{
    struct fewest *table = support_own(support_generate(text, strlen(text), metric));
    struct fewest_gen_options options = {
        .threads = 2, .rotations = true, .metric = (enum fewest_gen_metric)metric};
    struct fewest_gen_counts counts;
    struct fewest_error error;
    cr_assert(fewest_gen_count(text, strlen(text), &options, &counts, &error), "%s", error.text);
    struct fewest_positions positions = count_positions(table, 2);
    cr_expect_eq(positions.rotations, rotations, "%u rotations", positions.rotations);
    cr_expect_eq(counts.rotations, rotations);
    cr_expect_eq(counts.symmetries, positions.symmetries);
    cr_expect_eq(counts.total, positions.positions);
    cr_expect_eq(counts.largest, positions.largest);
    cr_expect_arr_eq(counts.states, positions.count, sizeof counts.states);
    cr_expect_arr_eq(counts.classes, positions.classes, sizeof counts.classes);
    fewest_gen_free_counts(&counts);
    support_close(table);
}

static void compare_file(const char *path, enum metric metric, unsigned rotations)
{
    char *text = support_read(path, NULL);
    compare_with_count(text, metric, rotations);
    free(text);
}

Test(positions, puzzles_have_the_positions_that_are_counted_without_a_table, .timeout = 300)
{
    // The corners of a cube that only make half turns.
    static const char HALF_TURNS[] =
        "Name half\nSet CORNERS 8 1\nSolved\nCORNERS\n1 2 3 4 5 6 7 8\nEnd\n"
        "Move U\nCORNERS\n(1 3)(2 4)\nEnd\nMove D\nCORNERS\n(5 7)(6 8)\nEnd\n"
        "Move R\nCORNERS\n(1 8)(4 5)\nEnd\nMove L\nCORNERS\n(2 7)(3 6)\nEnd\n"
        "Move F\nCORNERS\n(1 6)(2 5)\nEnd\nMove B\nCORNERS\n(3 8)(4 7)\nEnd\n";
    compare_with_count(HALF_TURNS, METRIC_POWERS, 24);
    compare_file("tests/data/topspin.tws", METRIC_POWERS, 2);
    compare_file("tests/data/pyraminx.tws", METRIC_POWERS, 162);
    compare_file("tests/data/2x2x2-held.tws", METRIC_QUARTER, 3);
}

// ---- Declared rotations -------------------------------------------------------------------------

// Four pieces in a square, and exchanges of neighbours: all 24 states. The rotation z turns the
// square by a quarter, and each turn and mirror of the square is a rotation of the whole.
#define SQUARE                                                                                     \
    "Name square\nSet X 4 1\nSolved\nX\n1 2 3 4\nEnd\nMove A\nX\n(1 2)\nEnd\nMove B\nX\n(2 3)\n"   \
    "End\nMove C\nX\n(3 4)\nEnd\nMove D\nX\n(4 1)\nEnd\n"
#define QUARTER_TURN "Move z\nX\n(1 2 3 4)\nEnd\nRotation z\n"

// The sequence is a move, and z takes it to none. Its mirror in the slots 1 and 3 is its inverse.
#define SEQUENCE "MoveSequence S A B\n"

// Counts the positions of a puzzle of four pieces, up to the rotations of a list of rows: entry p
// is the slot of piece p. The rows are a group.
struct four {
    const uint8_t (*rotations)[4];
    unsigned rotation_count;
    int distance[256]; // by state: two bits for the slot of each piece
    uint64_t count[256];
};

static unsigned number_four(const uint8_t *slot_of)
{
    unsigned number = 0;
    for (unsigned piece = 4; piece-- > 0;) {
        number = number << 2 | slot_of[piece];
    }
    return number;
}

static bool note_four(void *context, const uint8_t *state, int distance)
{
    struct four *four = context;
    uint8_t slot_of[4];
    for (uint8_t slot = 0; slot < 4; slot++) {
        slot_of[state[slot]] = slot;
    }
    four->distance[number_four(slot_of)] = distance;
    return true;
}

static bool count_four(void *context, const uint8_t *state, int distance)
{
    struct four *four = context;
    uint8_t slot_of[4];
    for (uint8_t slot = 0; slot < 4; slot++) {
        slot_of[state[slot]] = slot;
    }
    for (unsigned r = 0; r < four->rotation_count; r++) {
        uint8_t turned[4];
        for (unsigned p = 0; p < 4; p++) {
            turned[p] = slot_of[four->rotations[r][p]];
        }
        int other = four->distance[number_four(turned)];
        distance = other < distance ? other : distance;
    }
    four->count[distance]++;
    return true;
}

// Compares the positions of a table with those of a list of rotations, and with a count without a
// table.
static struct fewest_positions compare_four(const char *text, const uint8_t (*rotations)[4],
                                            unsigned rotation_count)
{
    struct fewest *table = support_open_text(text);
    struct four four = {.rotations = rotations, .rotation_count = rotation_count};
    struct fewest_gen_options options = {.threads = 1, .rotations = true};
    struct fewest_gen_counts counts;
    struct fewest_error error;
    cr_assert(fewest_visit(table, NULL, note_four, &four, &error), "%s", error.text);
    cr_assert(fewest_visit(table, NULL, count_four, &four, &error), "%s", error.text);
    struct fewest_positions positions = count_positions(table, 1);
    cr_expect_eq(positions.rotations, rotation_count, "%u", positions.rotations);
    cr_expect_eq(positions.positions, 24 / rotation_count);
    for (unsigned d = 0; d < 256; d++) {
        cr_expect_eq(positions.count[d] * rotation_count, four.count[d], "distance %u", d);
    }
    cr_assert(fewest_gen_count(text, strlen(text), &options, &counts, &error), "%s", error.text);
    cr_expect_eq(counts.rotations, rotation_count);
    cr_expect_arr_eq(counts.states, positions.count, sizeof counts.states);
    if (counts.symmetries > 1) {
        cr_expect_eq(counts.symmetries, positions.symmetries);
        cr_expect_arr_eq(counts.classes, positions.classes, sizeof counts.classes);
    }
    fewest_gen_free_counts(&counts);
    support_close(table);
    return positions;
}

static const uint8_t TURNS[][4] = {{0, 1, 2, 3}, {1, 2, 3, 0}, {2, 3, 0, 1}, {3, 0, 1, 2},
                                   {2, 1, 0, 3}, {0, 3, 2, 1}, {1, 0, 3, 2}, {3, 2, 1, 0}};
static const uint8_t MIRROR[][4] = {{0, 1, 2, 3}, {2, 1, 0, 3}};

// The first four of TURNS are turns, the others mirrors. Only a turn is declared.
Test(positions, declared_rotations_replace_those_found)
{
    struct fewest_positions found = compare_four(SQUARE, TURNS, 8);
    struct fewest_positions declared = compare_four(SQUARE QUARTER_TURN, TURNS, 4);
    cr_expect_eq(found.symmetries, 8);
    cr_expect_eq(declared.symmetries, 8);
}

// With the sequence, only one mirror is a symmetry, and no turn is.
Test(positions, a_declared_rotation_need_not_be_a_symmetry)
{
    struct fewest_positions found = compare_four(SQUARE SEQUENCE, MIRROR, 2);
    struct fewest_positions declared = compare_four(SQUARE SEQUENCE QUARTER_TURN, TURNS, 4);
    cr_expect_eq(found.symmetries, 2);
    cr_expect_eq(declared.symmetries, 2);
}

// Only the exchanges of the pieces 1 and 2, and 3 and 4: no move makes a turn of the square, but
// all four states are rotations.
Test(positions, a_declared_rotation_that_no_moves_make_changes_nothing)
{
    static const char PAIRS[] = "Name pairs\nSet X 4 1\nSolved\nX\n1 2 3 4\nEnd\nMove A\nX\n(1 2)\n"
                                "End\nMove C\nX\n(3 4)\nEnd\n"
                                "Move y\nX\n(1 3)(2 4)\nEnd\nRotation y\n";
    struct fewest *table = support_open_text(PAIRS);
    struct fewest_positions positions = count_positions(table, 1);
    cr_expect_eq(positions.rotations, 4);
    cr_expect_eq(positions.positions, 1);
    cr_expect_eq(positions.symmetries, 2);
    support_close(table);
}

// ---- Errors -------------------------------------------------------------------------------------

static void expect_refused(struct fewest *table, enum fewest_status status, const char *text)
{
    struct fewest_positions positions;
    struct fewest_error error;
    cr_assert_not(fewest_count_positions(table, &positions, &error));
    cr_expect_eq(error.status, status, "%d: %s", (int)error.status, error.text);
    cr_expect_str_eq(error.text, text);
    support_close(table);
}

static void refuse_text(const char *definition, const char *text)
{
    expect_refused(support_open_text(definition), FEWEST_BEYOND, text);
}

Test(positions, puzzles_without_positions_are_refused)
{
    refuse_text("Name five\nSlide 2 3\n",
                "five is a board, so its positions can't be counted; leave out --rotations");
    refuse_text("Name alike\nSet X 3 1\nSolved\nX\n1 1 2\nEnd\nMove A\nX\n(1 2 3)\nEnd\n",
                "alike has pieces that look alike or orientations that do not count, so its "
                "positions can't be counted; leave out --rotations");
    refuse_text("Name illegal\nSet X 3 1\nSolved\nX\n1 2 3\nEnd\nIllegal X 1 3\n"
                "Move A\nX\n(1 2 3)\nEnd\nMove B\nX\n(1 2)\nEnd\n",
                "illegal has illegal states, so its positions can't be counted; leave out "
                "--rotations");
    refuse_text("Name goals\nSet A 3 1\nSolved\nA\n1 2 3\nEnd\nMove R\nA\n2 3 1\nEnd\n"
                "Goal\nA\n2 3 1\nEnd\n",
                "goals has several goals; positions need one solved state");
}

Test(positions, one_way_moves_and_a_rotation_that_is_no_symmetry_are_refused)
{
    static const char TEXT[] = SQUARE SEQUENCE QUARTER_TURN;
    struct fewest_gen_options options = {
        .threads = 1, .rotations = true, .metric = FEWEST_GEN_LISTED};
    struct fewest_gen_counts counts;
    struct fewest_error error;
    expect_refused(support_own(support_generate(TEXT, strlen(TEXT), METRIC_LISTED)), FEWEST_BEYOND,
                   "square declares a rotation that takes some move to none, and some move can't "
                   "be undone, so its positions can't be counted; leave out --rotations");
    cr_expect_not(fewest_gen_count(TEXT, strlen(TEXT), &options, &counts, &error));
    cr_expect_eq(error.status, FEWEST_BEYOND);
    fewest_gen_free_counts(&counts);
}

// ---- Negative controls --------------------------------------------------------------------------

static struct fewest *open_damaged(uint64_t index, uint8_t distance)
{
    static const char TEXT[] = SQUARE;
    struct table_content content =
        support_take(support_generate(TEXT, strlen(TEXT), METRIC_POWERS));
    support_entries(&content, 0)[index] = distance;
    struct fewest *table = support_own(support_pack(&content));
    support_free_content(&content);
    return table;
}

// Every state is the turn of a nearer one or stands for its position, so one wrong entry that is
// less than the others of its position makes the classes wrong.
Test(positions, distances_that_are_not_symmetric_are_an_error)
{
    unsigned noticed = 0;
    for (uint64_t index = 1; index < 24; index++) {
        struct fewest *table = open_damaged(index, 0);
        struct fewest_positions positions;
        struct fewest_error error;
        bool counted = fewest_count_positions(table, &positions, &error);
        cr_expect(counted || error.status == FEWEST_DAMAGED, "%s", error.text);
        noticed += !counted;
        support_close(table);
    }
    cr_expect_gt(noticed, 0);
}
