// Compares twisty puzzles from .tws files with counts from the literature, and with the naive twin.
#include "tables/families/compile.h"
#include "tables/families/permutation/point_view.h"
#include "tables/text/notation.h"
#include "tests/tools/support.h"
#include "tests/twin/twin_tws.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Generates the table of a definition file, with a line added if `line` is not NULL.
static struct generated generate(const char *name, const char *line, enum metric metric)
{
    char *text = support_read(name, NULL);
    if (line) {
        strcat(text, line);
    }
    struct generated generated = support_generate(text, strlen(text), metric);
    free(text);
    return generated;
}

static void expect_counts(struct fewest *table, const unsigned long long *counts, size_t count,
                          const char *name)
{
    struct fewest_stats stats = support_count(table);
    cr_expect_eq(stats.largest + 1, count, "%s: %u", name, stats.largest);
    for (size_t d = 0; d < count && d < 256; d++) {
        cr_expect_eq(stats.count[d], counts[d], "%s: %llu at distance %zu, not %llu", name,
                     (unsigned long long)stats.count[d], d, counts[d]);
    }
}

static void read_twin(const char *name, const char *line, struct sets_puzzle *twin)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", SOURCE_FOLDER, name);
    twin_read_tws(path, line, twin);
}

// Compares the counts of a table with those of the twin. The caller frees the twin's states.
static struct twin_states *expect_counts_of_twin(struct fewest *table, const struct sets_view *view,
                                                 const char *name)
{
    unsigned long long counts[DISTANCE_MOST + 1];
    struct twin_states *states = sets_measure(view, view->solved, false);
    size_t count = twin_histogram(states, counts, DISTANCE_MOST + 1);
    expect_counts(table, counts, count, name);
    return states;
}

static void expect_sound(struct fewest *table, const char *name)
{
    cr_expect(support_is_sound(table), "%s", name);
}

static const struct {
    char name[32];
    enum metric metric;
    unsigned long long counts[16];
} LITERATURE[] = {
    {"tests/data/2x2x2.tws",
     METRIC_POWERS,
     {1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644}},
    {"tests/data/2x2x2-new.tws",
     METRIC_POWERS,
     {1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644}},
    {"tests/data/2x2x2-held.tws",
     METRIC_POWERS,
     {1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644}},
    {"tests/data/2x2x2.tws",
     METRIC_QUARTER,
     {1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536, 90280, 276}},
    {"tests/data/pyraminx.tws",
     METRIC_POWERS,
     {1, 8, 48, 288, 1728, 9896, 51808, 220111, 480467, 166276, 2457, 32}},
    {"tests/data/skewb.tws",
     METRIC_POWERS,
     {1, 8, 48, 288, 1728, 10248, 59304, 315198, 1225483, 1455856, 81028, 90}},
    {"tests/data/lights55.tws",
     METRIC_POWERS,
     {1, 25, 300, 2300, 12650, 53130, 176176, 467104, 982335, 1596279, 1935294, 1684446, 1004934,
      383670, 82614, 7350}},
};

Test(twisty, counts_are_those_of_the_literature, .timeout = 280)
{
    for (size_t i = 0; i < sizeof LITERATURE / sizeof *LITERATURE; i++) {
        struct fewest *table =
            support_own(generate(LITERATURE[i].name, NULL, LITERATURE[i].metric));
        size_t count = 0;
        while (count < 16 && LITERATURE[i].counts[count] > 0) {
            count++;
        }
        expect_counts(table, LITERATURE[i].counts, count, LITERATURE[i].name);
        support_close(table);
    }
}

static const struct {
    char name[32];
    char line[40];
} TWINNED[] = {
    {"tests/data/topspin.tws", ""},
    {"tests/data/identical.tws", ""},
    {"tests/data/rotations.tws", ""},
    {"tests/data/bandaged.tws", ""},
    {"tests/data/gates.tws", ""},
    {"tests/data/topspin.tws", "Generators T (L.T.L')"},
    {"tests/data/pyraminx.tws", "Generators R' (L.B.L')"},
    {"tests/data/2x2x2.tws", "Generators U2 (R.F2.R')"},
    {"tests/data/2x2x2.tws", "Generators F2 (R.U.R')"},
    {"tests/data/2x2x2.tws", "Generators U F"},
    {"tests/data/2x2x2.tws", "Generators (F2.U) (R.U.R')"},
    {"tests/data/2x2x2.tws", "Generators (R.U)3 (R.U)5'"}, // neither is a power of the other
    {"tests/data/rotations.tws", "Generators U2 x"},
    {"tests/data/rotations.tws", "Generators (x.U.x') D2 R"},
    {"tests/data/bandaged.tws", "Generators U2 S"},
    {"tests/data/gates.tws", "Generators L2 R"},
};

Test(twisty, counts_are_those_of_the_twin_in_both_metrics, .timeout = 280)
{
    for (size_t i = 0; i < sizeof TWINNED / sizeof *TWINNED; i++) {
        struct sets_puzzle twin;
        struct sets_view view;
        read_twin(TWINNED[i].name, TWINNED[i].line, &twin);
        for (unsigned quarter = 0; quarter < 2; quarter++) {
            char line[64];
            snprintf(line, sizeof line, "\n%s\n", TWINNED[i].line);
            struct fewest *table = support_own(
                generate(TWINNED[i].name, line, quarter ? METRIC_QUARTER : METRIC_POWERS));
            twin.powers = quarter ? SETS_POWERS_QUARTER : SETS_POWERS_ALL;
            sets_look(&view, &twin);
            twin_free(expect_counts_of_twin(table, &view, TWINNED[i].name));
            expect_sound(table, TWINNED[i].name);
            support_close(table);
        }
    }
}

// Writes the names of up to 19 random moves.
static void random_moves(const struct fewest *table, char moves[256])
{
    moves[0] = '\0';
    for (unsigned i = support_random_below(20); i > 0; i--) {
        strcat(moves,
               fewest_move_name(table, support_random_below(fewest_info(table)->move_count)));
        strcat(moves, " ");
    }
}

// The distance of typed cells, as the twin says.
static int ask_twin(const struct twin_states *states, const struct sets_view *view,
                    const uint8_t *cells)
{
    uint8_t row[SETS_TWIN_ROW];
    sets_cells_to_row(view, cells, row);
    sets_forget_ignored(view, row);
    return twin_steps(states, twin_find(states, row));
}

Test(twisty, a_state_made_by_moves_is_as_far_as_the_twin_says, .timeout = 280)
{
    struct fewest *table = support_open_file("tests/data/topspin.tws");
    struct sets_puzzle twin;
    struct sets_view view;
    read_twin("tests/data/topspin.tws", NULL, &twin);
    sets_look(&view, &twin);
    struct twin_states *states = expect_counts_of_twin(table, &view, "topspin");
    for (unsigned round = 0; round < 1000; round++) {
        char moves[256];
        struct query query = {.target = {FEWEST_GOALS}};
        struct fewest_error error;
        random_moves(table, moves);
        cr_assert(fewest_read_moves(table, NULL, moves, strlen(moves), query.start, &error), "%s",
                  error.text);
        cr_assert_eq(support_ask(table, &query), ask_twin(states, &view, query.start), "%s", moves);
    }
    twin_free(states);
    support_close(table);
}

// What is kept of each piece: see sets_keep.
static const struct {
    char name[40];
    enum metric metric;
    char line[64];
    char kept[20];
} KEPT[] = {
    {"tables/puzzles/loopover44.puzzle", METRIC_POWERS, "\nTrack 1 6\n", "woooowoooooooooo"},
    {"tables/puzzles/loopover44.puzzle", METRIC_QUARTER, "\nTrack 1 2 3\n", "wwwooooooooooooo"},
    {"tables/puzzles/loopover44.puzzle", METRIC_POWERS, "\nTrack 4 3 2 1\n", "wwwwoooooooooooo"},
    {"tests/data/2x2x2.tws", METRIC_QUARTER, "\nTrack 2-4\n", "-www---"},
    {"tests/data/2x2x2.tws", METRIC_QUARTER, "\nTrack CORNERS place\n", "ppppppp"},
    {"tests/data/2x2x2.tws", METRIC_QUARTER, "\nTrack orientation\n", "ooooooo"},
    {"tests/data/2x2x2.tws", METRIC_QUARTER, "\nTrack orientation 1-3 7\n", "ooo---o"},
    {"tests/data/2x2x2.tws", METRIC_QUARTER, "\nTrack place 1 5-7 orientation 2-4\n", "poooppp"},
    {"tests/data/2x2x2.tws", METRIC_QUARTER, "\nTrack 7 orientation 4-5 place 1-2\n", "pp-oo-w"},
    {"tests/data/2x2x2.tws", METRIC_QUARTER, "\nTrack 1 2 | 3-5 | 6 7\n", "AABBBCC"},
    {"tests/data/2x2x2.tws", METRIC_QUARTER, "\nTrack place 7 4 | 1 |\n", "b--a--a"},
    {"tests/data/2x2x2.tws", METRIC_QUARTER, "\nTrack 2 | 1 5 place 7 3 | CORNERS 4 6\n",
     "ABawAwa"},
    {"tables/puzzles/loopover44.puzzle", METRIC_POWERS, "\nTrack 1 2 5 6 | 11 12\n",
     "AA--AA----BB----"},
};

// Draws a state of the first set, reachable or not, and writes it as typed. All pieces are typed
// with their numbers, whatever is kept of them.
static void draw_typed(const struct sets_set *set, uint8_t *row, char *text)
{
    for (unsigned i = 0; i < set->size; i++) {
        unsigned k = support_random_below(i + 1);
        row[i] = row[k];
        row[k] = (uint8_t)i;
        row[set->size + i] = (uint8_t)support_random_below(set->turns);
    }
    text[0] = '\0';
    for (unsigned i = 0; i < set->size; i++) {
        sprintf(text + strlen(text), "%u ", row[i] + 1u);
    }
    for (unsigned i = 0; i < set->size && set->turns > 1; i++) {
        sprintf(text + strlen(text), "%u ", (unsigned)row[set->size + i]);
    }
}

static void compare_kept(struct fewest *table, const struct sets_puzzle *twin, const char *kept)
{
    const struct sets_set *set = &twin->sets[0];
    struct sets_view view;
    sets_look(&view, twin);
    struct twin_states *states = expect_counts_of_twin(table, &view, kept);
    for (unsigned round = 0; round < 300; round++) {
        uint8_t row[SETS_TWIN_ROW];
        char text[128];
        draw_typed(set, row, text);
        for (unsigned i = 0; i < set->size; i++) {
            row[i] = sets_kept_piece(kept, row[i]);
            row[set->size + i] = view.shows_orientations[0] ? row[set->size + i] : 0;
            row[i] = view.shows_pieces[0] ? row[i] : view.solved[i];
        }
        sets_forget_ignored(&view, row);
        cr_assert_eq(support_steps(table, text), twin_steps(states, twin_find(states, row)),
                     "%s: %s", kept, text);
    }
    twin_free(states);
}

Test(twisty, what_is_kept_of_pieces_is_as_far_as_the_twin_says, .timeout = 280)
{
    for (size_t k = 0; k < sizeof KEPT / sizeof *KEPT; k++) {
        struct fewest *table = support_own(generate(KEPT[k].name, KEPT[k].line, KEPT[k].metric));
        struct sets_puzzle twin;
        read_twin(KEPT[k].name, NULL, &twin);
        twin.powers = KEPT[k].metric == METRIC_QUARTER ? SETS_POWERS_QUARTER : SETS_POWERS_ALL;
        sets_keep(&twin, KEPT[k].kept);
        compare_kept(table, &twin, KEPT[k].kept);
        expect_sound(table, KEPT[k].line);
        support_close(table);
    }
}

static void expect_same(struct fewest *table, const char *a, const char *b)
{
    uint8_t first[FEWEST_CELLS_MOST];
    uint8_t second[FEWEST_CELLS_MOST];
    struct fewest_error error;
    cr_assert(fewest_read_moves(table, NULL, a, strlen(a), first, &error), "%s: %s", a, error.text);
    cr_assert(fewest_read_moves(table, NULL, b, strlen(b), second, &error), "%s: %s", b,
              error.text);
    cr_expect_arr_eq(first, second, fewest_info(table)->cell_count, "%s and %s", a, b);
}

// Reads `after` from the state that `before` leads to. The result must be the same as for both at
// once, also if they are refused. Are they accepted?
static bool expect_continued(struct fewest *table, const char *before, const char *after)
{
    char whole[64];
    uint8_t state[FEWEST_CELLS_MOST];
    uint8_t left[FEWEST_CELLS_MOST];
    uint8_t expected[FEWEST_CELLS_MOST];
    struct fewest_error error;
    const uint8_t *solved = fewest_info(table)->goals; // given, so rotations are not undone
    snprintf(whole, sizeof whole, "%s %s", before, after);
    cr_assert(fewest_read_moves(table, solved, before, strlen(before), left, &error), "%s: %s",
              before, error.text);
    bool made = fewest_read_moves(table, solved, whole, strlen(whole), expected, &error);
    cr_expect_eq(fewest_read_moves(table, left, after, strlen(after), state, &error), made,
                 "%s, %s", before, after);
    cr_expect_eq(fewest_read_moves(table, left, after, strlen(after), left, &error), made, "%s, %s",
                 before, after);
    if (made) {
        cr_expect_arr_eq(state, expected, fewest_info(table)->cell_count, "%s, %s", before, after);
        cr_expect_arr_eq(left, expected, fewest_info(table)->cell_count, "%s, %s in place", before,
                         after);
    }
    return made;
}

static void expect_no_moves(struct fewest *table, const char *moves, const char *expected)
{
    uint8_t state[FEWEST_CELLS_MOST];
    struct fewest_error error;
    cr_assert_not(fewest_read_moves(table, NULL, moves, strlen(moves), state, &error), "%s", moves);
    cr_expect_eq(error.status, FEWEST_BAD_INPUT);
    cr_expect_str_eq(error.text, expected);
}

Test(twisty, moves_are_read_with_powers_and_rotations)
{
    struct fewest *table = support_own(generate("tests/data/rotations.tws", NULL, METRIC_POWERS));
    expect_same(table, "R U,U' R'", "");
    expect_same(table, "R2", "R R");
    expect_same(table, "R3'", "R");
    expect_same(table, "R10", "R2");
    expect_same(table, "RUF", "R U F"); // every listed name is a letter
    expect_same(table, "x2 U x2", "D");
    expect_same(table, "Fv R Fv'", "U");
    cr_expect(expect_continued(table, "R U F", "B R2 U'"));
    cr_expect(expect_continued(table, "R U2 F", "x2 B R2 U' x2"));
    cr_expect(expect_continued(table, "", "F R' D"));
    expect_no_moves(table, "R Q",
                    "unknown move 'Q'; the moves of rotations are B B' B2 D D' D2 F F' F2 L L' L2 "
                    "R R' R2 U U' U2");
    expect_no_moves(table, "R2000",
                    "unknown move 'R2000'; the moves of rotations are B B' B2 D D' D2 F F' F2 L L' "
                    "L2 R R' R2 U U' U2");
    for (unsigned m = 0; m < fewest_info(table)->move_count; m++) {
        cr_expect(strchr("xyF", fewest_move_name(table, m)[0]) == NULL ||
                      fewest_move_name(table, m)[1] != 'v',
                  "a rotation counts as a move");
    }
    support_close(table);
}

Test(twisty, the_orientation_that_does_not_count_goes_with_its_piece)
{
    static const char TEXT[] =
        "Name ring\nSet A 5 2\nSolved\nA\n1 2 3 4 5\n0 0 0 ? 0\nEnd\nMove S\nA\n(1 2 3)\nEnd\n"
        "Rotation x y z\nMove x\nA\n()\n0 0 0 1 0\nEnd\nMove y\nA\n()\n0 0 0 0 1\nEnd\n"
        "Move z\nA\n(4 5)\nEnd\n";
    struct fewest *table = support_open_text(TEXT);
    cr_expect(expect_continued(table, "", "x"));      // turns the piece with the `?`
    cr_expect_not(expect_continued(table, "z", "x")); // turns another piece
    cr_expect(expect_continued(table, "z", "y"));
    cr_expect(expect_continued(table, "z S", "z x"));
    cr_expect_not(expect_continued(table, "S", "y"));
    support_close(table);
}

Test(twisty, what_only_a_rotation_turns_must_be_back_in_a_given_state)
{
    static const char TEXT[] =
        "Name frame\nSet A 2 1\nSet FRAME 2 1\nSolved\nEnd\nMove S\nA\n2 1\nEnd\n"
        "Move x\nA\n2 1\nFRAME\n2 1\nEnd\nRotation x\n";
    struct fewest *table = support_open_text(TEXT);
    uint8_t state[FEWEST_CELLS_MOST];
    struct fewest_error error;
    const uint8_t *solved = fewest_info(table)->goals;
    expect_same(table, "x S x", "S");
    expect_same(table, "x S", "S");
    cr_expect(fewest_read_moves(table, solved, "x S x", 5, state, &error));
    cr_expect_not(fewest_read_moves(table, solved, "x S", 3, state, &error));
    cr_expect_eq(error.status, FEWEST_BAD_INPUT);
    cr_expect_str_eq(error.text, "these moves leave set FRAME rotated; add the rotation that turns "
                                 "it back");
    support_close(table);
}

Test(twisty, a_sequence_may_name_what_stands_below_and_a_rotation_may_turn_what_looks_alike)
{
    static const char TEXT[] =
        "Name rot\nSet CENTER 2 4\nSet A 3 1\nSolved\nCENTER\n1 1\n? ?\nEnd\n"
        "MoveSequence all T R x\nMoveAlias T R2\nMove R\nA\n2 3 1\nEnd\n"
        "Move x\nCENTER\n2 1\n1 1\nA\n2 1 3\nEnd\n";
    struct fewest *table = support_open_text(TEXT);
    expect_same(table, "all", "R2 R x");
    expect_same(table, "all'", "x");
    expect_same(table, "x x", "");
    expect_same(table, "x R x", "R'");
    support_close(table);
}

// The counts of a definition, as one text.
static char *write_counts(const char *definition, enum metric metric)
{
    char *text = malloc(4096);
    size_t used = 0;
    struct fewest *table = support_own(support_generate(definition, strlen(definition), metric));
    struct fewest_stats stats = support_count(table);
    for (unsigned d = 0; d <= stats.largest; d++) {
        used += (size_t)sprintf(text + used, "%llu ", (unsigned long long)stats.count[d]);
    }
    support_close(table);
    return text;
}

#define FIVE "Name five\nSet A 5 1\nSolved\nA\n1 2 3 4 5\nEnd\nMove R\nA\n2 3 4 5 1\nEnd\n"
#define TURN "Move Fv\nA\n5 4 3 2 1\nEnd\n"
#define SWAP "Move S\nA\n2 1 3 4 5\nEnd\n"

// T = Fv S Fv exchanges the last two pieces, and U = R S brings three to other slots.
Test(twisty, a_sequence_counts_as_one_move)
{
    static const char SEQUENCES[] = FIVE "MoveSequence U R S\nMoveSequence T Fv S Fv\n" SWAP TURN;
    static const char WRITTEN_OUT[] = FIVE SWAP "Move U\nA\n3 2 4 5 1\nEnd\n"
                                                "Move T\nA\n1 2 3 5 4\nEnd\n";
    for (unsigned metric = 0; metric < METRIC_COUNT; metric++) {
        char *sequences = write_counts(SEQUENCES, metric);
        char *written_out = write_counts(WRITTEN_OUT, metric);
        char *without = write_counts(FIVE SWAP, metric);
        cr_expect_str_eq(sequences, written_out);
        cr_expect_str_neq(sequences, without);
        free(sequences);
        free(written_out);
        free(without);
    }
}

Test(twisty, an_orientation_without_a_cell_goes_with_its_piece)
{
    static const char TEXT[] =
        "Name gone\nSet A 4 3\nSolved\nA\n4 2 1 3\n2 0 0 0\nEnd\nMove F\nA\n3 1 4 2\nEnd\n";
    struct fewest *table = support_open_text(TEXT);
    expect_same(table, "F'", "F3");
    support_close(table);
}

// The sum of the orientations shows that no moves lead to most of the matching states.
Test(twisty, a_path_from_the_solved_state_to_a_wildcard_of_a_large_space)
{
    static const char TEXT[] = "Name lay\nSet A 8 3\nSolved\nA\n1 1 2 2 3 3 4 4\nEnd\n"
                               "Move a\nA\n2 3 4 1 5 6 7 8\n1 2 1 2 0 0 0 0\nEnd\n"
                               "Move b\nA\n1 2 3 5 6 7 8 4\n0 0 0 1 2 0 0 0\nEnd\n";
    struct fewest *table = support_open_text(TEXT);
    struct query query;
    struct fewest_error error;
    cr_assert(fewest_read_state(table, "START", "1122334400000000", 16, query.start, &error));
    cr_assert(fewest_read_moves(table, NULL, "a b a'", 6, query.target, &error));
    query.target[15] = FEWEST_WILD;
    struct fewest_path path = support_path(table, &query);
    cr_assert_eq(path.steps, 3);
    for (int i = 0; i < path.steps; i++) {
        cr_assert(fewest_apply(table, path.moves[i], query.start, query.start, &error));
    }
    cr_expect_arr_eq(query.start, query.target, 15);
    support_close(table);
}

Test(permutation, the_ring_of_beads_in_point_view_h_has_these_points_and_things)
{
    static const char RING[] = "Set BEAD 3 2\nSolved\nBEAD\n1 2 2\nEnd\n"
                               "Move t\nBEAD\n(1 2 3)\n1 0 0\nEnd\n";
    static const chain_point MOVE[] = {3, 2, 4, 5, 0, 1, 7, 8, 6};
    static const chain_point THINGS[] = {0, 7, 8, 2, 4};
    static const chain_point AFTER[] = {3, 6, 8, 0, 4};
    uint8_t state[6];
    chain_point images[5];
    struct puzzle puzzle = support_compile(RING, METRIC_POWERS);
    const struct point_view *view = permutation_view(&puzzle);
    cr_assert_eq(view->degree, 9);
    cr_assert_eq(view->slot_points, 6);
    cr_assert_eq(view->thing_count, 3);
    cr_assert_eq(view->image_of[view->thing_count], 5);
    cr_assert_arr_eq(view->moves, MOVE, sizeof MOVE);
    for (unsigned t = 0; t < view->thing_count; t++) {
        cr_assert_arr_eq(view->chain_things[t].points, THINGS + view->image_of[t],
                         view->chain_things[t].size * sizeof *THINGS);
    }
    cr_assert_str_eq(puzzle.moves[0].name, "t");
    cr_assert(puzzle_apply(&puzzle, 0, puzzle.goals[0], state));
    cr_assert(point_view_read(view, state, images));
    cr_assert_arr_eq(images, AFTER, sizeof AFTER);
    cr_assert_eq(puzzle.numbering.state_count, 6);
    puzzle_free(&puzzle);
}
