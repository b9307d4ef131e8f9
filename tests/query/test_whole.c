// The functions of the whole table: each does what fewest.h says, also when it is called wrongly.
#include "opened.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 9, STATES = 181440 };

static const uint8_t SOLVED[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
static const uint8_t ONE[] = {2, 0, 1, 3, 4, 5, 6, 7, 8};
static const uint8_t CENTRE[] = {255, 255, 255, 255, 0, 255, 255, 255, 255};
static const uint8_t TWICE[] = {0, 1, 2, 3, 4, 5, 6, 7, 7};
static const uint8_t GOALS[CELLS] = {FEWEST_GOALS};

static const char SEARCHED[] = "Name slide\nSlide 3 3\nDatabase 1 2 3 4\nDatabase 5 6 7 8\n";

// Searched, and nobody knows the number of states.
static const char UNCOUNTED[] =
    "Name trap\nSet X 4 1\nSolved\nX\n1 2 3 4\nEnd\nIllegal X 1 3 4\nIllegal X 3 1\n"
    "Move A\nX\n2 1 3 4\nEnd\nMove B\nX\n3 2 1 4\nEnd\nMove C\nX\n1 2 4 3\nEnd\nDatabase 1\n";

struct tally {
    uint64_t states;
    uint64_t most; // the visitor stops after so many
    uint64_t counts[256];
};

static bool tally_state(void *context, const uint8_t *state, int distance)
{
    struct tally *tally = context;
    (void)state;
    tally->counts[distance]++;
    return ++tally->states < tally->most;
}

static bool tally_arrangement(void *context, const uint8_t *state)
{
    struct tally *tally = context;
    (void)state;
    return ++tally->states < tally->most;
}

static bool stop(void *context, const struct fewest_progress *progress)
{
    (void)context;
    cr_expect_str_neq(progress->what, "");
    cr_expect_leq(progress->done, progress->all);
    return false;
}

// Rows that no selection may have.
static const struct fewest_selection WRONG[] = {
    {.start = TWICE, .distance = FEWEST_ANY},    {.start = CENTRE, .distance = FEWEST_ANY},
    {.start = GOALS, .distance = FEWEST_ANY},    {.matching = TWICE, .distance = FEWEST_ANY},
    {.matching = GOALS, .distance = FEWEST_ANY}, {.start = TWICE, .matching = CENTRE},
};
enum { WRONG_COUNT = sizeof WRONG / sizeof *WRONG };

GAME_SUITE(fewest_visit);
GAME_SUITE(fewest_count);
GAME_SUITE(fewest_pick);
GAME_SUITE(fewest_count_classes);
GAME_SUITE(fewest_count_positions);
GAME_SUITE(fewest_visit_arrangements);
GAME_SUITE(fewest_check);

Test(fewest_visit, visits_the_selected_states)
{
    struct tally all = {.most = UINT64_MAX};
    struct tally from = {.most = UINT64_MAX};
    struct tally some = {.most = UINT64_MAX};
    struct tally few = {.most = 10};
    cr_assert(fewest_visit(table, NULL, tally_state, &all, &error), "%s", error.text);
    cr_expect_eq(all.states, STATES);
    cr_expect(all.counts[0] == 1 && all.counts[1] == 12);
    cr_assert(fewest_visit(table, &(struct fewest_selection){ONE, NULL, FEWEST_ANY}, tally_state,
                           &from, &error));
    cr_expect_arr_eq(from.counts, all.counts, sizeof all.counts);
    cr_assert(fewest_visit(table, &(struct fewest_selection){NULL, CENTRE, 2}, tally_state, &some,
                           &error));
    cr_expect(some.states > 0 && some.states == some.counts[2]);
    cr_expect(
        fewest_visit(table, NULL, tally_state, &few, &error)); // it stops, and that is no failure
    cr_expect_eq(few.states, 10);
    for (unsigned i = 0; i < WRONG_COUNT; i++) {
        expect_status(fewest_visit(table, &WRONG[i], tally_state, &few, &error), FEWEST_BAD_INPUT);
    }
    support_set(table, (struct fewest_options){.watch = stop});
    expect_status(fewest_visit(table, NULL, tally_state, &all, &error), FEWEST_STOPPED);
}

Test(fewest_visit, selects_nothing_at_distances_that_do_not_exist)
{
    static const int DISTANCES[] = {FEWEST_UNREACHABLE, -3, INT_MIN, INT_MAX, 100, 254, 255, 256};
    static const char *const FILES[] = {GAME, "tables/puzzles/flip.puzzle",
                                        "tables/puzzles/cubic.puzzle"};
    for (size_t f = 0; f < sizeof FILES / sizeof *FILES; f++) {
        reopen(support_open_file(FILES[f]));
        for (size_t i = 0; i < sizeof DISTANCES / sizeof *DISTANCES; i++) {
            const struct fewest_selection at = {.distance = DISTANCES[i]};
            struct tally tally = {.most = UINT64_MAX};
            struct fewest_stats stats;
            cr_expect(fewest_visit(table, &at, tally_state, &tally, &error), "%s", error.text);
            cr_expect_eq(tally.states, 0, "%d", DISTANCES[i]);
            cr_expect(fewest_count(table, &at, &stats, &error), "%s", error.text);
            cr_expect(stats.states == 0 && stats.largest == 0 && stats.mean == 0);
        }
    }
}

Test(fewest_count, counts_what_fewest_visit_visits)
{
    static const struct fewest_selection SELECTIONS[] = {
        {NULL, NULL, FEWEST_ANY}, {ONE, NULL, FEWEST_ANY}, {NULL, CENTRE, FEWEST_ANY},
        {ONE, CENTRE, 3},         {NULL, NULL, 0},         {NULL, SOLVED, FEWEST_ANY},
    };
    struct fewest_stats stats;
    for (size_t i = 0; i < sizeof SELECTIONS / sizeof *SELECTIONS; i++) {
        struct tally tally = {.most = UINT64_MAX};
        double sum = 0;
        cr_assert(fewest_count(table, &SELECTIONS[i], &stats, &error), "%s", error.text);
        cr_assert(fewest_visit(table, &SELECTIONS[i], tally_state, &tally, &error));
        cr_expect_eq(stats.states, tally.states);
        cr_expect_arr_eq(stats.count, tally.counts, sizeof tally.counts);
        cr_expect_gt(stats.count[stats.largest], 0);
        for (unsigned d = 0; d < 256; d++) {
            sum += (double)d * (double)tally.counts[d];
        }
        cr_expect_float_eq(stats.mean, sum / (double)tally.states, 1e-9);
    }
    stats = support_count(table);
    cr_expect(stats.states == STATES && stats.largest == 8);
    for (unsigned i = 0; i < WRONG_COUNT; i++) {
        expect_status(fewest_count(table, &WRONG[i], &stats, &error), FEWEST_BAD_INPUT);
    }
}

// The states that are visited first and last.
struct ends {
    uint8_t first[9];
    uint8_t last[9];
    uint64_t count;
};

static bool take_ends(void *context, const uint8_t *state, int distance)
{
    struct ends *ends = context;
    (void)distance;
    memcpy(ends->count++ == 0 ? ends->first : ends->last, state, sizeof ends->last);
    return true;
}

Test(fewest_pick, picks_what_fewest_visit_visits)
{
    struct ends ends = {.count = 0};
    uint8_t state[FEWEST_CELLS_MOST];
    cr_assert(fewest_visit(table, NULL, take_ends, &ends, &error), "%s", error.text);
    cr_expect_eq(ends.count, STATES);
    cr_expect(fewest_pick(table, 0, state, &error), "%s", error.text);
    cr_expect_arr_eq(state, ends.first, sizeof ends.first);
    cr_expect(fewest_pick(table, STATES - 1, state, &error), "%s", error.text);
    cr_expect_arr_eq(state, ends.last, sizeof ends.last);
    expect_status(fewest_pick(table, STATES, state, &error), FEWEST_BAD_INPUT);
    expect_status(fewest_pick(table, UINT64_MAX, state, &error), FEWEST_BAD_INPUT);
}

Test(fewest_count_classes, counts_states_up_to_symmetry)
{
    struct fewest_classes classes;
    uint64_t sum = 0;
    cr_assert(fewest_count_classes(table, &classes, &error), "%s", error.text);
    cr_expect(classes.counts_inverses);
    cr_expect(classes.symmetric[0] == 1 && classes.or_inverse[0] == 1);
    cr_expect_eq(classes.symmetric[1] * classes.symmetries % 12, 0);
    for (unsigned d = 0; d < 256; d++) {
        sum += classes.symmetric[d];
        cr_expect_leq(classes.or_inverse[d], classes.symmetric[d]);
    }
    cr_expect(sum >= STATES / classes.symmetries && sum < STATES);
    support_set(table, (struct fewest_options){.watch = stop});
    expect_status(fewest_count_classes(table, &classes, &error), FEWEST_STOPPED);
    static const char *const FILES[] = {"tables/puzzles/flip.puzzle",
                                        "tables/puzzles/cubic.puzzle"};
    for (unsigned f = 0; f < 2; f++) { // several goals, and rolling cubes
        reopen(support_open_file(FILES[f]));
        expect_status(fewest_count_classes(table, &classes, &error), FEWEST_BEYOND);
    }
}

Test(fewest_count_positions, counts_states_up_to_rotations)
{
    struct fewest_positions positions;
    uint64_t sum = 0;
    int steps;
    cr_assert(fewest_count_positions(table, &positions, &error), "%s", error.text);
    cr_expect_eq(positions.positions * positions.rotations, STATES);
    cr_expect_eq(positions.symmetries, 72);
    for (unsigned d = 0; d < 256; d++) {
        sum += positions.count[d];
        cr_expect_leq(positions.classes[d], positions.count[d]);
        cr_expect_leq(positions.count[d], positions.classes[d] * positions.symmetries);
    }
    cr_expect_eq(sum, positions.positions);
    cr_assert(fewest_steps(table, positions.farthest, NULL, &steps, &error), "%s", error.text);
    cr_expect_geq(steps, (int)positions.largest);
    support_set(table, (struct fewest_options){.watch = stop});
    expect_status(fewest_count_positions(table, &positions, &error), FEWEST_STOPPED);
    support_set(table, (struct fewest_options){.cache = 1});
    expect_status(fewest_count_positions(table, &positions, &error), FEWEST_BEYOND);
    static const char *const FILES[] = {"tables/puzzles/flip.puzzle", "tables/puzzles/cubic.puzzle",
                                        "tables/puzzles/eight.puzzle"};
    for (unsigned f = 0; f < 3; f++) { // several goals, rolling cubes and a board
        reopen(support_open_file(FILES[f]));
        expect_status(fewest_count_positions(table, &positions, &error), FEWEST_BEYOND);
    }
}

Test(fewest_visit_arrangements, visits_all_that_match)
{
    struct tally tally = {.most = UINT64_MAX};
    cr_assert(fewest_visit_arrangements(table, NULL, tally_arrangement, &tally, &error));
    cr_expect_eq(tally.states, 362880);
    tally.states = 0;
    cr_assert(fewest_visit_arrangements(table, CENTRE, tally_arrangement, &tally, &error));
    cr_expect_eq(tally.states, 40320);
    tally.states = 0;
    cr_assert(fewest_visit_arrangements(table, SOLVED, tally_arrangement, &tally, &error));
    cr_expect_eq(tally.states, 1);
    tally = (struct tally){.most = 5};
    cr_assert(fewest_visit_arrangements(table, NULL, tally_arrangement, &tally, &error));
    cr_expect_eq(tally.states, 5);
    expect_status(fewest_visit_arrangements(table, TWICE, tally_arrangement, &tally, &error),
                  FEWEST_BAD_INPUT);
    expect_status(fewest_visit_arrangements(table, GOALS, tally_arrangement, &tally, &error),
                  FEWEST_BAD_INPUT);
    support_set(table, (struct fewest_options){.watch = stop});
    expect_status(fewest_visit_arrangements(table, NULL, tally_arrangement, &tally, &error),
                  FEWEST_STOPPED);
}

// Whatever they are asked for.
static void expect_all_beyond(const char *text)
{
    struct tally tally = {.most = 5};
    struct fewest_stats stats;
    struct fewest_classes classes;
    struct fewest_positions positions;
    uint8_t state[FEWEST_CELLS_MOST];
    reopen(support_open_text(text));
    cr_assert(fewest_info(table)->is_searched);
    cr_assert(fewest_read_moves(table, NULL, "", 0, state, &error));
    const struct fewest_selection from = {state, NULL, FEWEST_ANY};
    const struct fewest_selection near = {NULL, state, 0};
    const struct fewest_selection *const selections[] = {NULL, &from, &near};
    for (unsigned i = 0; i < 3; i++) {
        expect_status(fewest_visit(table, selections[i], tally_state, &tally, &error),
                      FEWEST_BEYOND);
        expect_status(fewest_count(table, selections[i], &stats, &error), FEWEST_BEYOND);
    }
    expect_status(fewest_count_classes(table, &classes, &error), FEWEST_BEYOND);
    expect_status(fewest_count_positions(table, &positions, &error), FEWEST_BEYOND);
    for (unsigned i = 0; i < 2; i++) {
        expect_status(fewest_pick(table, i ? UINT64_MAX : 0, state, &error), FEWEST_BEYOND);
    }
    cr_expect(fewest_visit_arrangements(table, NULL, tally_arrangement, &tally, &error), "%s",
              error.text);
    cr_expect(fewest_check(table, true, NULL, NULL, &error), "%s", error.text);
}

Test(fewest_visit, and_the_other_functions_need_a_table_of_all_distances)
{
    expect_all_beyond(SEARCHED);
    expect_all_beyond(UNCOUNTED);
}

static void note_finding(void *context, const char *finding)
{
    cr_expect_neq(finding[0], '\0');
    ++*(unsigned *)context;
}

Test(fewest_check, proves_a_sound_table_and_reports_what_is_wrong)
{
    struct generated game = support_generate_game();
    unsigned findings = 0;
    cr_expect(fewest_check(table, false, note_finding, &findings, &error), "%s", error.text);
    cr_expect(fewest_check(table, true, NULL, NULL, &error), "%s", error.text);
    cr_expect_eq(findings, 0);
    game.bytes[game.length - 20] ^= 1; // in the last block
    reopen(support_own(game));
    expect_status(fewest_check(table, false, note_finding, &findings, &error), FEWEST_DAMAGED);
    cr_expect_gt(findings, 0);
    expect_status(fewest_check(table, true, NULL, NULL, &error), FEWEST_DAMAGED);
    support_set(table, (struct fewest_options){.watch = stop});
    cr_expect_not(fewest_check(table, true, NULL, NULL, &error));
}
