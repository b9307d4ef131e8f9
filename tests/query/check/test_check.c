// Tests of `check --deep`: a true table passes, and every lie in a forged table is found.
#include "gen/write/verify.h"
#include "query/check/check.h"
#include "tables/families/board/tile_databases.h"
#include "tables/families/compile.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An unpacked table. A test changes an entry, packs the table and changes the entry back. All
// states of the game can be reached.
struct lie {
    struct table_content content;
    uint8_t *states;
    uint8_t *wildcards;
};

static struct lie take_game(void)
{
    struct lie lie = {.content = support_take(support_generate_game())};
    lie.states = support_entries(&lie.content, 0);
    lie.wildcards = support_entries(&lie.content, 1);
    return lie;
}

// Returns a random state that is not the root.
static uint64_t reachable(const struct lie *lie)
{
    uint64_t index;
    do {
        index = support_random() % lie->content.sections[0].entries;
    } while (lie->states[index] == 0);
    return index;
}

// The ring never changes the order of its beads, because the lock forbids to exchange two. Bead 5
// is too thick for slot 1. So most states have an entry but can't be reached: 72 are illegal, and
// the others have beads in another order.
static const char GATE[] = "Name gate\nSet BEAD 5 1\nSet LOCK 2 1\nSolved\nEnd\n"
                           "Illegal BEAD 1 5\nIllegal LOCK 1 2\n"
                           "Move turn\nBEAD\n2 3 4 5 1\nEnd\n"
                           "Move swap\nBEAD\n2 1 3 4 5\nLOCK\n2 1\nEnd\n";
enum { GATE_ENTRIES = 120, GATE_STATES = 4 };

static struct table_content take(const char *definition)
{
    struct table_content content =
        support_take(support_generate(definition, strlen(definition), METRIC_POWERS));
    return content;
}

static void count(void *context, const char *text)
{
    (void)text;
    ++*(unsigned *)context;
}

Test(check, the_true_table_passes_and_a_wrong_entry_is_found_by_the_deep_check_alone)
{
    struct lie lie = take_game();
    cr_assert(support_passes(&lie.content, true));
    uint64_t index = reachable(&lie);
    lie.states[index]--;
    cr_assert(support_passes(&lie.content, false),
              "the checksums and counts of a forged table are right");
    cr_assert_not(support_passes(&lie.content, true));
    support_free_content(&lie.content);
}

Test(check, one_state_off_by_one_is_found_either_way)
{
    struct lie lie = take_game();
    for (unsigned round = 0; round < 6; round++) {
        uint64_t index = reachable(&lie);
        uint8_t true_distance = lie.states[index];
        lie.states[index] = (uint8_t)(true_distance + (round % 2 ? 1 : -1));
        cr_expect_not(support_passes(&lie.content, true), "state %llu", (unsigned long long)index);
        lie.states[index] = true_distance;
    }
    cr_assert(support_passes(&lie.content, true));
    support_free_content(&lie.content);
}

Test(check, reachable_and_unreachable_are_not_taken_for_each_other)
{
    struct table_content gate = take(GATE);
    uint64_t entries = gate.sections[0].entries;
    uint8_t *states = support_entries(&gate, 0);
    unsigned reached = 0;
    cr_assert_eq(entries, GATE_ENTRIES);
    cr_assert(support_passes(&gate, true));
    for (uint64_t i = 0; i < entries; i++) {
        uint8_t kept = states[i];
        reached += kept != UINT8_MAX;
        states[i] = kept == UINT8_MAX ? (uint8_t)(i % GATE_STATES) : UINT8_MAX;
        cr_expect_not(support_passes(&gate, true), "state %llu", (unsigned long long)i);
        states[i] = kept;
    }
    cr_assert_eq(reached, GATE_STATES);
    cr_assert(support_passes(&gate, true));
    support_free_content(&gate);
}

Test(check, a_state_of_a_full_table_is_not_taken_for_unreachable)
{
    struct lie lie = take_game();
    uint64_t index = reachable(&lie);
    uint8_t true_distance = lie.states[index];
    lie.states[index] = UINT8_MAX;
    cr_expect_not(support_passes(&lie.content, true));
    lie.states[index] = true_distance;
    cr_assert(support_passes(&lie.content, true));
    support_free_content(&lie.content);
}

Test(check, two_states_exchanged_are_found)
{
    struct lie lie = take_game();
    uint64_t a = reachable(&lie);
    uint64_t b = reachable(&lie);
    while (lie.states[a] == lie.states[b]) {
        b = reachable(&lie);
    }
    uint8_t kept = lie.states[a];
    lie.states[a] = lie.states[b];
    lie.states[b] = kept;
    cr_assert_not(support_passes(&lie.content, true));
    support_free_content(&lie.content);
}

Test(check, a_table_of_zeros_and_a_constant_one_are_found)
{
    struct lie lie = take_game();
    memset(lie.states, 0, lie.content.sections[0].entries);
    memset(lie.wildcards, 0, lie.content.sections[1].entries);
    cr_expect_not(support_passes(&lie.content, true));
    memset(lie.states, 3, lie.content.sections[0].entries);
    memset(lie.wildcards, 3, lie.content.sections[1].entries);
    cr_expect_not(support_passes(&lie.content, true));
    memset(lie.states, UINT8_MAX, lie.content.sections[0].entries);
    cr_expect_not(support_passes(&lie.content, true));
    support_free_content(&lie.content);
}

Test(check, another_root_is_found)
{
    // The table in reverse order: its distances are those of a search from the last state.
    struct lie lie = take_game();
    uint64_t entries = lie.content.sections[0].entries;
    uint8_t *shifted = malloc(entries);
    for (uint64_t i = 0; i < entries; i++) {
        shifted[i] = lie.states[entries - 1 - i];
    }
    memcpy(lie.states, shifted, entries);
    cr_assert_not(support_passes(&lie.content, true));
    free(shifted);
    support_free_content(&lie.content);
}

Test(check, one_wildcard_target_off_by_one_is_found_either_way)
{
    struct lie lie = take_game();
    for (unsigned round = 0; round < 6; round++) {
        uint64_t number = support_random() % lie.content.sections[1].entries;
        uint8_t true_distance = lie.wildcards[number];
        lie.wildcards[number] =
            (uint8_t)(true_distance + (round % 2 || true_distance == 0 ? 1 : -1));
        cr_expect_not(support_passes(&lie.content, true), "target %llu",
                      (unsigned long long)number);
        lie.wildcards[number] = true_distance;
    }
    support_free_content(&lie.content);
}

// The distances are right, and no wildcard target needs the permutation.
Test(check, a_stored_permutation_that_is_no_symmetry_is_found_by_any_check)
{
    static const char *const TEXTS[] = {"tables/puzzles/game.puzzle",
                                        "tables/puzzles/eight.puzzle"};
    for (unsigned i = 0; i < 2; i++) {
        char *text = support_read(TEXTS[i], NULL);
        struct table_content content = take(text);
        struct section *section = &content.sections[1];
        cr_assert_eq(section->kind, SECTION_WILDCARDS);
        unsigned last = section->symmetry_count++;
        section->symmetries =
            realloc(section->symmetries, section->symmetry_count * sizeof *section->symmetries);
        section->symmetries[last] = section->symmetries[0];
        cr_expect(support_passes(&content, false), "%s: the identity twice", TEXTS[i]);
        section->symmetries[last].to[0] = 1;
        section->symmetries[last].to[1] = 0;
        cr_expect_not(support_passes(&content, false), "%s", TEXTS[i]);
        cr_expect_not(support_passes(&content, true), "%s", TEXTS[i]);
        support_free_content(&content);
        free(text);
    }
}

Test(check, another_puzzles_distances_are_found)
{
    // The definition is the Game's, but the distances are those of the Game without its move C3.
    struct lie lie = take_game();
    char *text = support_read("tables/puzzles/game.puzzle", NULL);
    char *last = strstr(text, "Move C3");
    struct table_content content =
        support_take(support_generate(text, (size_t)(last - text), METRIC_POWERS));
    cr_assert_eq(content.sections[0].entries, lie.content.sections[0].entries);
    memcpy(lie.states, support_entries(&content, 0), content.sections[0].entries);
    cr_assert_not(support_passes(&lie.content, true));
    support_free_content(&content);
    support_free_content(&lie.content);
    free(text);
}

// Verifies a table as the generator does, from a file.
static bool verifies(const struct generated *table)
{
    struct fewest_error error;
    FILE *file = tmpfile();
    cr_assert(file && fwrite(table->bytes, 1, table->length, file) == table->length &&
              fflush(file) == 0);
    bool sound = verify_table(fileno(file), 2, &error);
    fclose(file);
    return sound;
}

Test(check, a_header_that_counts_otherwise_than_its_blocks_is_found_without_deep)
{
    struct generated game = support_generate_game();
    struct header header;
    struct fewest_error error;
    unsigned findings = 0;
    cr_assert(support_decode(&header, game.bytes, game.length, &error));
    cr_assert(verifies(&game));
    header.sections[0].histogram[3]--;
    header.sections[0].histogram[4]++;
    header_encode(&header, game.bytes);
    struct fewest *table = fewest_open_buffer(game.bytes, game.length, &error);
    cr_assert(table, "%s", error.text);
    cr_assert_not(fewest_check(table, false, count, &findings, &(struct fewest_error){0}));
    cr_assert_eq(findings, 2);
    cr_assert_not(verifies(&game), "the generator would not put it in place");
    fewest_close(table);
    header_free(&header);
    free(game.bytes);
}

Test(check, statistics_of_a_table_that_reaches_nothing_are_an_error)
{
    struct lie lie = take_game();
    struct fewest_stats stats;
    struct fewest_error error;
    memset(lie.states, UINT8_MAX, lie.content.sections[0].entries);
    struct fewest *table = support_own(support_pack(&lie.content));
    cr_assert_not(fewest_count(table, NULL, &stats, &error));
    cr_assert_eq(error.status, FEWEST_DAMAGED);
    support_close(table);
    support_free_content(&lie.content);
}

Test(check, moves_without_inverses_are_proved_too)
{
    // A move without an inverse may lower the distance by more than one. So only undoing a move
    // finds the predecessor.
    static const char TEXT[] =
        "Name ring\nPowers none\nSet X 5 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 1\nEnd\n"
        "Move B\nX\n2 1 3 4 5\nEnd\n";
    struct generated ring = support_generate(TEXT, sizeof TEXT - 1, METRIC_POWERS);
    struct table_content content = support_take_apart(&ring);
    uint8_t *states = support_entries(&content, 0);
    cr_assert(support_passes(&content, true));
    for (uint64_t i = 1; i < content.sections[0].entries; i++) {
        states[i]++;
        cr_expect_not(support_passes(&content, true), "state %llu one farther",
                      (unsigned long long)i);
        states[i] = (uint8_t)(states[i] - 2);
        cr_expect_not(support_passes(&content, true), "state %llu one nearer",
                      (unsigned long long)i);
        states[i]++;
    }
    support_free_content(&content);
    free(ring.bytes);
}

// ---- Each rule by its number --------------------------------------------------------------------
// If possible, each test makes a lie that only one rule finds.

enum {
    RULE_1 = 1 << 1,
    RULE_2 = 1 << 2,
    RULE_3 = 1 << 3,
    RULE_4 = 1 << 4,
    RULE_5 = 1 << 5,
    RULE_6 = 1 << 6,
    RULE_7 = 1 << 7,
    RULE_8 = 1 << 8,
    RULE_9 = 1 << 9,
    RULE_10 = 1 << 10
};

Test(check, rule_1_alone_finds_a_second_root)
{
    // The beads turn in the same way, whatever their order.
    struct table_content gate = take(GATE);
    uint8_t *states = support_entries(&gate, 0);
    struct puzzle puzzle = support_compile(GATE, METRIC_POWERS);
    for (uint64_t i = 0; i < GATE_ENTRIES; i++) {
        uint8_t beads[CELLS_MOST];
        puzzle_unrank(&puzzle, 0, i, beads);
        for (unsigned slot = 0; slot < 5; slot++) {
            beads[slot] ^= beads[slot] < 4; // exchanges beads 1 and 2, and beads 3 and 4
        }
        uint8_t *other = &states[puzzle_rank(&puzzle, 0, beads)];
        *other = states[i] < GATE_STATES ? states[i] : *other;
    }
    puzzle_free(&puzzle);
    cr_assert_eq(support_broken_rules(&gate, true) & ~(unsigned)RULE_4, RULE_1);
    support_free_content(&gate);
}

// The distances of a ring of beads in the table of one with other goals.
static unsigned find_with_goals(const char *goals, const char *other_goals)
{
    static const char RING[] = "Set X 6 1\nSolved\nX\n1 1 1 2 2 2\nEnd\n%s"
                               "Move A\nX\n2 3 4 5 6 1\nEnd\nMove B\nX\n2 1 3 4 5 6\nEnd\n";
    char text[512];
    snprintf(text, sizeof text, RING, goals);
    struct table_content content = take(text);
    snprintf(text, sizeof text, RING, other_goals);
    struct table_content other = take(text);
    memcpy(support_entries(&content, 0), support_entries(&other, 0), content.sections[0].entries);
    unsigned rules = support_broken_rules(&content, true);
    support_free_content(&content);
    support_free_content(&other);
    return rules;
}

Test(check, rule_1_alone_finds_a_goal_too_many_or_too_few)
{
    static const char TWO[] = "Goal\nX\n2 2 2 1 1 1\nEnd\nGoal\nX\n1 2 1 2 1 2\nEnd\n";
    static const char ONE[] = "Goal\nX\n2 2 2 1 1 1\nEnd\n";
    cr_assert_eq(find_with_goals(TWO, TWO), 0);
    cr_assert_eq(find_with_goals(TWO, ONE), RULE_1);
    cr_assert_eq(find_with_goals(ONE, TWO), RULE_1);
    cr_assert_eq(find_with_goals(ONE, ""), RULE_1);
    cr_assert_eq(find_with_goals("", ONE), RULE_1);
}

Test(check, rule_2_finds_a_far_state_that_is_called_unreachable)
{
    struct lie lie = take_game();
    uint64_t farthest = 0;
    while (lie.states[farthest] != 8) {
        farthest++;
    }
    lie.states[farthest] = UINT8_MAX;
    cr_assert_eq(support_broken_rules(&lie.content, true) & ~(unsigned)RULE_4, RULE_2);
    support_free_content(&lie.content);
}

Test(check, rule_3_finds_distances_that_hang_in_the_air)
{
    struct table_content gate = take(GATE);
    uint8_t *states = support_entries(&gate, 0);
    for (uint64_t i = 0; i < gate.sections[0].entries; i++) {
        states[i] = states[i] == UINT8_MAX ? 5 : states[i];
    }
    cr_assert_eq(support_broken_rules(&gate, true) & ~(unsigned)RULE_4, RULE_3);
    support_free_content(&gate);
}

// Returns a state at distance 8 from which each move leads to distance 7.
static uint64_t find_peak(const struct lie *lie)
{
    struct puzzle puzzle;
    struct fewest_error error;
    uint64_t peak = UINT64_MAX;
    cr_assert(puzzle_compile(&puzzle, lie->content.definition, lie->content.definition_length,
                             METRIC_POWERS, &error));
    for (uint64_t i = 0; i < lie->content.sections[0].entries && peak == UINT64_MAX; i++) {
        uint64_t after[MOVES_MOST];
        unsigned lower = 0;
        puzzle_neighbours(&puzzle, 0, i, after);
        for (unsigned m = 0; m < puzzle.move_count; m++) {
            lower += lie->states[i] == 8 && lie->states[after[m]] == 7;
        }
        peak = lower == puzzle.move_count ? i : peak;
    }
    puzzle_free(&puzzle);
    cr_assert_neq(peak, UINT64_MAX);
    return peak;
}

Test(check, rule_3_finds_a_state_that_is_called_two_moves_nearer)
{
    struct lie lie = take_game();
    lie.states[find_peak(&lie)] = 6; // no step gains more than one, but none leads there from 5
    cr_assert_eq(support_broken_rules(&lie.content, true) & ~(unsigned)RULE_4, RULE_3);
    support_free_content(&lie.content);
}

Test(check, rule_4_alone_finds_a_wildcard_target)
{
    struct lie lie = take_game();
    uint64_t number = lie.content.sections[1].entries / 2;
    lie.wildcards[number]++;
    cr_assert_eq(support_broken_rules(&lie.content, true), RULE_4);
    support_free_content(&lie.content);
}

// Without a report, the first finding is the text of the error.
static void expect_finding(struct table_content *content, const char *expected)
{
    struct fewest_error error;
    struct fewest *table = support_own(support_pack(content));
    if (fewest_check(table, true, NULL, NULL, &error)) {
        strcpy(error.text, "nothing");
    } else {
        cr_expect_eq(error.status, FEWEST_DAMAGED);
    }
    cr_expect_str_eq(error.text, expected);
    support_close(table);
}

Test(check, a_finding_names_the_rule_the_state_and_what_was_expected)
{
    struct table_content content =
        take("Name beads\nSet X 2 1\nSolved\nEnd\nMove A\nX\n2 1\nEnd\n");
    uint8_t *states = support_entries(&content, 0);
    expect_finding(&content, "nothing");
    states[0] = UINT8_MAX;
    expect_finding(&content, "rule 1: the root, state 0, is unreachable, not at distance 0");
    states[0] = 0;
    states[1] ^= 1;
    expect_finding(&content, "rule 1: state 1 is at distance 0, but is not the root");
    states[1] = UINT8_MAX;
    expect_finding(
        &content,
        "rule 2: state 0 is at distance 0, but a step by A leads to state 1, which is unreachable");
    states[1] = 2;
    expect_finding(&content, "rule 2: state 0 is at distance 0, but a step by A leads to state 1, "
                             "which is at distance 2");
    support_free_content(&content);
}

Test(check, rules_5_and_6_find_a_wrong_distance_and_a_wrong_bit_mod_4_of_rolling_cubes)
{
    struct table_content content = take("Name rolls\nRoll 2 3\nLetters CUBES E W R B\n");
    cr_assert_eq(support_broken_rules(&content, true), 0);
    unsigned mod4 = 0;
    while (content.sections[mod4].kind != SECTION_MOD4) {
        mod4++;
    }
    uint8_t *queries = support_entries(&content, 0);
    queries[content.sections[0].entries / 2] ^= 1;
    cr_assert_eq(support_broken_rules(&content, true), RULE_5);
    queries[content.sections[0].entries / 2] ^= 1;
    uint8_t *bit = support_entries(&content, mod4) + content.sections[mod4].entries / 3;
    uint8_t kept = *bit;
    *bit = kept == 0 ? UINT8_MAX : 0;
    cr_assert_eq(support_broken_rules(&content, true), RULE_6);
    *bit = 1; // neither 0 nor `unreachable`
    cr_assert_eq(support_broken_rules(&content, true), RULE_6);
    *bit = kept;
    cr_assert_eq(support_broken_rules(&content, true), 0);
    support_free_content(&content);
}

// Two databases: one of two tiles (6*5 arrangements) and one of three (6*5*4).
static const char TRACKED[] = "Name track\nSlide 2 3\nDatabase 1 2\nDatabase 3 4 5\n";

Test(check, rule_10_finds_an_entry_of_a_database_either_way)
{
    struct table_content content = take(TRACKED);
    cr_assert_eq(support_broken_rules(&content, true), 0);
    for (unsigned s = 0; s < content.section_count; s++) {
        uint8_t *entries = support_entries(&content, s);
        for (uint64_t i = 0; i < content.sections[s].entries; i++) {
            uint8_t kept = entries[i];
            entries[i] = kept == UINT8_MAX ? 1 : kept + 1;
            cr_expect_eq(support_broken_rules(&content, true), RULE_10, "section %u entry %llu", s,
                         (unsigned long long)i);
            entries[i] = kept == 0 ? UINT8_MAX : kept - 1;
            cr_expect_eq(support_broken_rules(&content, true), RULE_10, "section %u entry %llu", s,
                         (unsigned long long)i);
            entries[i] = kept;
        }
    }
    support_free_content(&content);
}

// Spoils what the check's own search found, and returns the rules that notice it.
static unsigned broken_by(void (*spoil)(uint8_t *distances))
{
    unsigned rules = 0;
    struct fewest *table = support_open_text(TRACKED);
    struct fewest_error error;
    struct checker checker = {.table = table,
                              .puzzle = &table->puzzle,
                              .report = support_add_rule,
                              .context = &rules,
                              .error = &error,
                              .sound = true};
    cr_assert(fewest_check(table, false, support_add_rule, &rules, &error)); // unpacks every block
    for (unsigned d = 0; d < table->puzzle.partition->count; d++) {
        checker.section = table->sections[SECTION_DATABASE][d].section;
        check_database(&checker, d, spoil);
    }
    support_close(table);
    return rules;
}

// Indices are arrangement * cells + the blank's cell. In the first database, the first arrangement
// has tile 1 in cell 0 and tile 2 in cell 1. It is solved, and the blank may be in cells 2 to 5.
enum { CELLS = 6 };

static void spoil_one_cell(uint8_t *distances)
{
    distances[4]++;
}

static void spoil_home(uint8_t *distances)
{
    memset(distances + 2, 2, CELLS - 2);
}

static void lift(uint8_t *distances)
{
    // Every distance above 0 grows by 2. So a step leads from distance 0 to distance 3.
    for (unsigned i = 0; i < 30 * CELLS; i++) {
        distances[i] = (uint8_t)(distances[i] == 0 || distances[i] == UINT8_MAX ? distances[i]
                                                                                : distances[i] + 2);
    }
}

static void lower(uint8_t *distances)
{
    // Every distance above 1 shrinks by 1. So at distance 1 some regions have no step to 0.
    for (unsigned i = 0; i < 30 * CELLS; i++) {
        distances[i] = (uint8_t)(distances[i] < 2 || distances[i] == UINT8_MAX ? distances[i]
                                                                               : distances[i] - 1);
    }
}

Test(check, rules_7_to_9_find_what_a_wrong_search_would)
{
    cr_expect_eq(broken_by(NULL), 0);
    cr_expect(broken_by(spoil_one_cell) & RULE_7);
    cr_expect(broken_by(spoil_home) & RULE_7);
    cr_expect(broken_by(lift) & RULE_8);
    cr_expect(broken_by(lower) & RULE_9);
}
