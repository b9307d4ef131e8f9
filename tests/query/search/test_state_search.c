// Compares the search of puzzles with `Database` with the table of all states of the same puzzle.
// test_numbers.c and test_permutation.c compare such tables with naive twins.
#include "query/table/table.h"
#include "tables/families/compile.h"
#include "tables/families/symmetry/stripes.h"
#include "tests/tools/draw_puzzle.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STATES_HERE = 100 * 1000, // of a puzzle that is searched here
    TEXT = SETS_TWIN_TEXT + 4096,
    PATHS_MOST = 2000, // that are compared
};

static unsigned several_paths; // queries that have more than one

// Appends a random `Database` line with at least one piece. In half of the lines, pieces stand in
// groups.
static void add_database(const struct sets_puzzle *puzzle, char *text)
{
    bool seen[256] = {false};
    unsigned set = support_random_below(puzzle->set_count);
    const struct sets_set *from = &puzzle->sets[set];
    unsigned count = 0;
    bool in_groups = support_random_below(2);
    char *end = text + strlen(text);
    end += sprintf(end, "Database %c", 'A' + (int)set);
    while (count == 0) {
        for (unsigned i = from->first; i < from->first + from->size; i++) {
            if (!seen[puzzle->piece[i]] && support_random_below(2)) {
                seen[puzzle->piece[i]] = true;
                bool ends = in_groups && support_random_below(3) == 0;
                end += sprintf(end, " %u%s", puzzle->piece[i] + 1u, ends ? " |" : "");
                count++;
            }
        }
    }
    strcpy(end, "\n");
}

// Compiles a definition. Returns its number of states, or 0 if it is refused or too large.
static uint64_t count_states(const char *text, enum metric metric)
{
    struct puzzle puzzle;
    struct fewest_error error;
    if (!puzzle_compile(&puzzle, text, strlen(text), metric, &error)) {
        return 0;
    }
    uint64_t count = puzzle.reachable_count;
    for (unsigned d = 0; d < puzzle.projection_count; d++) {
        cr_assert_leq(puzzle.projections[d].numbering.state_count, count);
    }
    puzzle_free(&puzzle);
    return count;
}

// Follows a path and returns whether it ends in the target.
static bool leads_to(const struct fewest *table, const uint8_t *start, const unsigned *moves,
                     int steps, const uint8_t *target)
{
    uint8_t state[FEWEST_CELLS_MOST];
    struct fewest_error error;
    unsigned cells = fewest_info(table)->cell_count;
    memcpy(state, start, cells);
    for (int i = 0; i < steps; i++) {
        if (!fewest_apply(table, moves[i], state, state, &error)) {
            return false;
        }
    }
    return memcmp(state, target, cells) == 0;
}

static void pick(struct fewest *table, uint8_t *state)
{
    struct fewest_error error;
    uint64_t most = support_random_below(2) ? fewest_info(table)->state_count : 0;
    if (most > 0) {
        cr_assert(fewest_pick(table, support_random() % most, state, &error));
    } else {
        most = fewest_info(table)->arrangement_count;
        cr_assert(fewest_unrank(table, support_random() % most, state, &error));
    }
}

// The paths of a query, as far as they go.
struct listed_paths {
    unsigned moves[PATHS_MOST][FEWEST_PATH_MOST];
    unsigned length;
    unsigned count;
};

static bool list_path(void *context, const unsigned *moves, unsigned count)
{
    struct listed_paths *listed = context;
    memcpy(listed->moves[listed->count++], moves, count * sizeof *moves);
    listed->length = count;
    return listed->count < PATHS_MOST;
}

// Do both tables have the same shortest paths, in the same order, and as many? What the full table
// visits is compared with a twin in test_paths.c.
static bool have_same_paths(struct fewest *full, struct fewest *searched, const struct query *query)
{
    static struct listed_paths expected;
    static struct listed_paths found;
    const struct fewest_paths paths = {query->start, query->target, 0};
    struct fewest_path_count counts[2];
    struct fewest_error error;
    bool same = true;
    expected.count = 0;
    found.count = 0;
    cr_assert(fewest_each_path(full, &paths, list_path, &expected, &error), "%s", error.text);
    cr_assert(fewest_each_path(searched, &paths, list_path, &found, &error), "%s", error.text);
    cr_assert(fewest_count_paths(full, query->start, query->target, &counts[0], &error));
    cr_assert(fewest_count_paths(searched, query->start, query->target, &counts[1], &error));
    several_paths += found.count > 1;
    for (unsigned i = 0; i < expected.count && i < found.count; i++) {
        same &= memcmp(expected.moves[i], found.moves[i], found.length * sizeof(unsigned)) == 0;
    }
    return same && expected.count == found.count && expected.length == found.length &&
           counts[0].steps == counts[1].steps && counts[0].paths.low == counts[1].paths.low;
}

// Compares both tables for some pairs of states.
static unsigned compare_pairs(struct fewest *full, struct fewest *searched, const char *text,
                              unsigned pairs)
{
    struct query query;
    struct fewest_error error;
    struct fewest_path path;
    unsigned differences = 0;
    bool group = searched->puzzle.numbering.answers == ANSWERS_ALL;
    cr_assert(fewest_info(searched)->is_searched, "%s", text);
    for (unsigned i = 0; i < pairs; i++) {
        bool has_target = group && support_random_below(2);
        pick(full, query.start);
        pick(full, query.target);
        if (!has_target) {
            query.target[0] = FEWEST_GOALS;
        }
        int expected = support_ask(full, &query);
        if (!fewest_path(searched, query.start, query.target, &path, &error)) {
            fprintf(stderr, "%s\n", error.text);
            differences++;
            continue;
        }
        differences += path.steps != expected;
        const uint8_t *target = has_target ? query.target : full->puzzle.goals[0];
        // With `Database`, moves that do the same to look-alikes are different moves.
        if (path.steps > 0 && full->puzzle.move_count == searched->puzzle.move_count) {
            support_set(searched, (struct fewest_options){.threads = 1 + i % 2});
            differences += !have_same_paths(full, searched, &query);
        }
        if (path.steps != FEWEST_UNREACHABLE) {
            cr_assert(leads_to(searched, query.start, path.moves, path.steps, target), "%s", text);
        }
    }
    return differences;
}

static struct fewest *open_text(const char *text, enum metric metric)
{
    return support_own(support_generate(text, strlen(text), metric));
}

// Does a search without any bound make few nodes?
static bool is_quick(struct fewest *full, double nodes_most)
{
    double nodes = 1;
    struct fewest_stats stats = support_count(full);
    for (unsigned d = 0; d < stats.largest; d++) {
        nodes *= fewest_info(full)->move_count;
    }
    return nodes < nodes_most;
}

static bool compare_puzzle(const char *plain, const char *with_databases, enum metric metric,
                           unsigned pairs)
{
    uint64_t states = count_states(plain, metric);
    if (states < 2 || states > STATES_HERE || count_states(with_databases, metric) != states) {
        return false;
    }
    struct fewest *full = open_text(plain, metric);
    struct fewest *searched = open_text(with_databases, metric);
    pairs = is_quick(full, pairs < 100 ? 2e6 : 1e9) ? pairs : 0;
    cr_expect_eq(compare_pairs(full, searched, with_databases, pairs), 0, "%s", with_databases);
    cr_expect(support_is_sound(searched), "%s", with_databases);
    support_close(full);
    support_close(searched);
    return pairs > 0;
}

static void compare_kind(enum puzzle_kind kind, unsigned puzzles)
{
    static char plain[TEXT];
    static char with_databases[TEXT];
    unsigned compared = 0;
    for (unsigned tries = 0; tries < 4000 && compared < puzzles; tries++) {
        struct sets_puzzle puzzle;
        draw_puzzle(kind, &puzzle);
        sets_write(&puzzle, plain);
        strcpy(with_databases, plain);
        for (unsigned d = support_random_below(3); d < 3; d++) {
            add_database(&puzzle, with_databases);
        }
        enum metric metric = (enum metric)support_random_below(METRIC_COUNT);
        compared += compare_puzzle(plain, with_databases, metric, 30);
    }
    cr_expect_geq(compared, 4, "only %u puzzles were small enough", compared);
}

Test(search, finds_the_distances_of_random_puzzles, .timeout = 280)
{
    for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
        compare_kind((enum puzzle_kind)kind, 12);
    }
    cr_expect_gt(several_paths, 500, "only %u queries have several paths", several_paths);
}

Test(search, one_colour_may_be_in_turned_and_unturned_orbits_of_a_set, .timeout = 280)
{
    compare_kind(KIND_MIXED, 200);
}

// A and Z do the same. Pairs of moves with equal products lead through different states, one of
// which may be illegal.
#define TWICE                                                                                      \
    "Name twice\nSet S 4 1\nSolved\nS\n1 2 3 4\nEnd\nMove A\nS\n2 1 3 4\nEnd\n"                    \
    "Move Z\nS\n2 1 3 4\nEnd\nMove B\nS\n1 3 2 4\nEnd\nMove C\nS\n3 2 1 4\nEnd\n"                  \
    "Move D\nS\n1 2 4 3\nEnd\nIllegal S 2 3\n"

Test(search, moves_that_do_the_same_leave_out_no_legal_path)
{
    struct fewest *full = open_text(TWICE, METRIC_POWERS);
    struct fewest *searched = open_text(TWICE "Database S 1 2\nDatabase S 3\n", METRIC_POWERS);
    cr_expect_eq(compare_pairs(full, searched, TWICE, 300), 0);
    support_close(full);
    support_close(searched);
}

// A ring of six beads, and a piece of a twisty puzzle. Both have symmetries.
#define RING                                                                                       \
    "Name ring\nSet A 6 1\nSolved\nA\n1 2 3 4 5 6\nEnd\nMove T\nA\n6 1 2 3 4 5\nEnd\n"             \
    "Move F\nA\n2 1 4 3 5 6\nEnd\n"
#define TIPS                                                                                       \
    "Name tips\nSet C 3 3\nSet E 3 2\nSolved\nC\n3 1 2\n1 2 0\nE\n2 1 3\n1 0 1\nEnd\n"             \
    "Move L\nC\n2 1 3\n1 1 1\nE\n2 1 3\n1 1 0\nEnd\n"                                              \
    "Move R\nC\n1 3 2\n0 2 2\nE\n1 3 2\n0 0 1\nEnd\n"
// Five beads go round. Piece 2 stays in slot 3.
#define STILL                                                                                      \
    "Name still\nSet A 6 1\nSolved\nA\n6 1 2 5 4 3\nEnd\nMove T\nA\n6 1 3 2 4 5\nEnd\n"            \
    "Move F\nA\n2 1 3 4 5 6\nEnd\n"

// Its rotations are symmetries. The solved state is not the identity.
#define TRIANGLE                                                                                   \
    "Name triangle\nSet C 3 3\nSet E 3 2\nSolved\nC\n3 1 2\n1 2 0\nE\n2 1 3\n1 0 1\nEnd\n"         \
    "Move L\nC\n2 1 3\n1 0 0\nE\n2 1 3\n1 0 0\nEnd\n"                                              \
    "Move R\nC\n1 3 2\n0 1 0\nE\n1 3 2\n0 1 0\nEnd\n"                                              \
    "Move B\nC\n3 2 1\n0 0 1\nE\n3 2 1\n0 0 1\nEnd\n"
#define TRIANGLE_LINES                                                                             \
    "Database C 3 E 2\nDatabase C 1 E 1\nDatabase C 2 E 3\nDatabase C 3 1 E 2\n"                   \
    "Database C 1 2 E 1\nDatabase C 2 3 E 3\nDatabase C 3 1\nDatabase C 1 2\n"

Test(search, finds_the_distances_of_symmetric_puzzles, .timeout = 120)
{
    cr_expect(compare_puzzle(RING, RING "Database 1 2 3\n", METRIC_POWERS, 100));
    cr_expect(compare_puzzle(RING, RING "Database 1 2\nDatabase 4 5 6\n", METRIC_QUARTER, 100));
    cr_expect(compare_puzzle(RING, RING "Database 1 2 3 4 5 6\n", METRIC_LISTED, 100));
    cr_expect(
        compare_puzzle(TIPS, TIPS "Database C 1 2 E 3\nDatabase E 1 2\n", METRIC_POWERS, 300));
    cr_expect(compare_puzzle(TIPS, TIPS "Database C 1 3\n", METRIC_LISTED, 100));
    cr_expect(compare_puzzle(TIPS, TIPS "Database C 1 2 3\nDatabase E 2\n", METRIC_QUARTER, 100));
    cr_expect(compare_puzzle(TRIANGLE, TRIANGLE TRIANGLE_LINES, METRIC_QUARTER, 100));
    cr_expect(compare_puzzle(TRIANGLE, TRIANGLE TRIANGLE_LINES, METRIC_POWERS, 100));
    cr_expect(compare_puzzle(TRIANGLE, TRIANGLE TRIANGLE_LINES, METRIC_LISTED, 100));
}

Test(search, finds_the_distances_with_groups_of_pieces)
{
    cr_expect(compare_puzzle(RING, RING "Database 1 2 | 3\n", METRIC_POWERS, 100));
    cr_expect(compare_puzzle(RING, RING "Database 1 2 |\nDatabase 4 5 |\n", METRIC_QUARTER, 100));
    cr_expect(compare_puzzle(TIPS, TIPS "Database C 1 2 | E place 1 3 |\n", METRIC_POWERS, 300));
    cr_expect(compare_puzzle(TRIANGLE,
                             TRIANGLE "Database C 1 2 | E 3\nDatabase C 2 3 | E 1\n"
                                      "Database C place 3 1 | 2 E 2\n",
                             METRIC_POWERS, 100));
}

Test(search, databases_may_name_pieces_that_never_move)
{
    cr_expect(compare_puzzle(STILL, STILL "Database 1 2 3\n", METRIC_POWERS, 100));
    cr_expect(compare_puzzle(STILL, STILL "Database 4 2 1\nDatabase 2 6\n", METRIC_QUARTER, 100));
}

// No move turns a piece, but two pieces are turned in the solved state.
#define UNTURNED                                                                                   \
    "Name unturned\nSet A 4 2\nSolved\nA\n1 2 3 4\n0 0 1 1\nEnd\nMove R\nA\n2 3 1 4\nEnd\n"        \
    "Move T\nA\n1 2 4 3\nEnd\n"

// Piece 2 is in both orbits, and begins turned in one of them.
#define TWO_ORBITS                                                                                 \
    "Name two\nSet A 4 2\nSolved\nA\n1 2 2 3\n0 1 0 1\nEnd\nMove R\nA\n2 1 3 4\nEnd\n"             \
    "Move T\nA\n1 2 4 3\nEnd\n"

Test(search, databases_may_keep_orientations_that_no_move_turns)
{
    cr_expect(compare_puzzle(UNTURNED, UNTURNED "Database A orientation\n", METRIC_POWERS, 100));
    cr_expect(compare_puzzle(UNTURNED, UNTURNED "Database A place 1 orientation 2-3\n",
                             METRIC_QUARTER, 100));
    cr_expect(
        compare_puzzle(TWO_ORBITS, TWO_ORBITS "Database A orientation\n", METRIC_POWERS, 100));
}

// Changes all stripes of the databases. Entries that are too large make wrong lengths.
enum { LONGEST = 15 }; // a search with wrong bounds may take long to give up

static unsigned differences_after(const char *plain, const char *with_databases,
                                  void (*change)(uint8_t *slots))
{
    struct fewest *full = open_text(plain, METRIC_POWERS);
    struct table_content content =
        support_take(support_generate(with_databases, strlen(with_databases), METRIC_POWERS));
    for (unsigned s = 0; s < content.section_count; s++) {
        uint8_t *entries = support_entries(&content, s);
        for (uint64_t i = 0; i < content.sections[s].entries; i += STRIPE_SLOTS) {
            change(&entries[i]);
        }
    }
    struct fewest *searched = support_own(support_pack(&content));
    struct fewest_error error;
    cr_assert(fewest_set_options(searched, &(struct fewest_options){.limit = LONGEST}, &error));
    unsigned differences = compare_pairs(full, searched, with_databases, 40);
    support_close(full);
    support_close(searched);
    support_free_content(&content);
    return differences;
}

// The slots of a stripe. The last two say that nothing is known of the zeros.
static void make_zero(uint8_t *slots)
{
    memset(slots, 0, STRIPE_ENTRIES);
    memset(slots + STRIPE_ENTRIES, UINT8_MAX, STRIPE_SLOTS - STRIPE_ENTRIES);
}

static void raise_one(uint8_t *slots)
{
    for (unsigned i = 0; i < STRIPE_ENTRIES; i++) {
        slots[i] = slots[i] == 1 ? 2 : (slots[i] == 2 ? UINT8_MAX : slots[i]);
    }
}

Test(search, databases_of_zeros_give_the_same_lengths, .timeout = 120)
{
    static const char WITH[] = RING "Database 1 2 3\n";
    cr_expect_eq(differences_after(RING, WITH, make_zero), 0);
    cr_expect_gt(differences_after(RING, WITH, raise_one), 0, "wrong bounds are not noticed");
}

// A database of so many look-alikes that a search has masks in place of pages. A query has neither.
Test(search, a_database_of_a_large_set_of_look_alikes_is_looked_up)
{
    static const char BEADS[] =
        "Name beads\nSet X 20 1\nSolved\nX\n1 2 3 4 5 6 7 8 9 10 11 12 13 13 13 13 13 13 13 "
        "13\nEnd\n"
        "Move A\nX\n2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 1\nEnd\n"
        "Move B\nX\n2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20\nEnd\nDatabase 13\n";
    struct fewest *table = open_text(BEADS, METRIC_POWERS);
    struct query query = {.target = {FEWEST_GOALS}};
    struct fewest_error error;
    cr_assert(fewest_read_moves(table, NULL, "A2 B A", 6, query.start, &error), "%s", error.text);
    int steps = support_ask(table, &query);
    cr_expect_eq(steps, 3);
    support_close(table);
}
