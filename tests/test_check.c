// `check --deep` and its negative controls: every lie of a forged table is found.
#include "support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

// A table of which one thing can be changed and changed back.
struct lie {
    struct table_content content;
    uint8_t *states;
    uint8_t *patterns;
};

static struct lie take_game(void)
{
    struct generated game = support_generate_game();
    struct lie lie = {.content = support_take_apart(&game)};
    lie.states = support_entries(&lie.content, 0);
    lie.patterns = support_entries(&lie.content, 1);
    free(game.bytes);
    return lie;
}

// Of the reachable states, one at random.
static uint64_t reachable(const struct lie *lie)
{
    uint64_t index;
    do {
        index = support_random() % lie->content.sections[0].entries;
    } while (lie->states[index] == UINT8_MAX || lie->states[index] == 0);
    return index;
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
    cr_assert(support_passes(&lie.content, false), "the checksums and counts of a forged table are right");
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
    struct lie lie = take_game();
    lie.states[1] = 8; // the odd neighbour of the root
    cr_expect_not(support_passes(&lie.content, true));
    lie.states[1] = UINT8_MAX;
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
    memset(lie.patterns, 0, lie.content.sections[1].entries);
    cr_expect_not(support_passes(&lie.content, true));
    memset(lie.states, 3, lie.content.sections[0].entries);
    memset(lie.patterns, 3, lie.content.sections[1].entries);
    cr_expect_not(support_passes(&lie.content, true));
    memset(lie.states, UINT8_MAX, lie.content.sections[0].entries);
    cr_expect_not(support_passes(&lie.content, true));
    support_free_content(&lie.content);
}

Test(check, another_root_is_found)
{
    // The mirror image of the table: the distances are those of a search from the last state.
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

Test(check, one_pattern_off_by_one_is_found_either_way)
{
    struct lie lie = take_game();
    for (unsigned round = 0; round < 6; round++) {
        uint64_t number = support_random() % lie.content.sections[1].entries;
        uint8_t true_distance = lie.patterns[number];
        lie.patterns[number] = (uint8_t)(true_distance + (round % 2 || true_distance == 0 ? 1 : -1));
        cr_expect_not(support_passes(&lie.content, true), "pattern %llu", (unsigned long long)number);
        lie.patterns[number] = true_distance;
    }
    support_free_content(&lie.content);
}

Test(check, another_puzzles_distances_are_found)
{
    // The Game without one of its moves, under the definition of the whole Game.
    struct lie lie = take_game();
    size_t length;
    char *text = support_read("tables/game.puzzle", &length);
    char *last = strstr(text, "Move C3");
    struct generated other = support_generate(text, (size_t)(last - text), METRIC_POWERS);
    struct table_content content = support_take_apart(&other);
    memcpy(lie.states, support_entries(&content, 0), content.sections[0].entries);
    cr_assert_not(support_passes(&lie.content, true));
    support_free_content(&content);
    support_free_content(&lie.content);
    free(other.bytes);
    free(text);
}

Test(check, a_header_that_counts_otherwise_than_its_blocks_is_found_without_deep)
{
    struct generated game = support_generate_game();
    struct header header;
    struct fault fault;
    struct fewest_error error;
    unsigned findings = 0;
    cr_assert(header_decode(&header, game.bytes, game.length, &fault));
    header.sections[0].histogram[3]--;
    header.sections[0].histogram[4]++;
    header_encode(&header, game.bytes);
    struct fewest *table = fewest_open_buffer(game.bytes, game.length, &error);
    cr_assert(table, "%s", error.text);
    cr_assert_not(fewest_check(table, false, count, &findings));
    cr_assert_eq(findings, 2);
    fewest_close(table);
    header_free(&header);
    free(game.bytes);
}

Test(check, moves_without_inverses_are_proved_too)
{
    // Of a directed cycle one move may bring the distance down by three: undoing is what finds the predecessor.
    static const char TEXT[] = "Name ring\nPowers none\nSet X 5 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 1\nEnd\n"
                               "Move B\nX\n2 1 3 4 5\nEnd\n";
    struct generated ring = support_generate(TEXT, sizeof TEXT - 1, METRIC_POWERS);
    struct table_content content = support_take_apart(&ring);
    uint8_t *states = support_entries(&content, 0);
    cr_assert(support_passes(&content, true));
    for (uint64_t i = 1; i < content.sections[0].entries; i++) {
        states[i]++;
        cr_expect_not(support_passes(&content, true), "state %llu one farther", (unsigned long long)i);
        states[i] = (uint8_t)(states[i] - 2);
        cr_expect_not(support_passes(&content, true), "state %llu one nearer", (unsigned long long)i);
        states[i]++;
    }
    support_free_content(&content);
    free(ring.bytes);
}
