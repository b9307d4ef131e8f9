// Compares the entries of pattern databases with tables of the same states, whose numbering, search
// and file have nothing in common with them: each state of a table is looked up in the database.
#include "query/search/cosets.h"
#include "query/search/ida_star.h"
#include "query/table/table.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 8192 };

#define RING                                                                                       \
    "Name ring\nSet A 9 1\nSolved\nA\n1 2 3 4 5 6 7 8 9\nEnd\n"                                    \
    "Move T\nA\n9 1 2 3 4 5 6 7 8\nEnd\nMove F\nA\n2 1 4 3 5 6 7 8 9\nEnd\n"
#define TURNED                                                                                     \
    "Name turned\nSet C 6 3\nSet E 5 2\nSolved\nC\n1 2 3 4 5 6\nE\n1 2 3 4 5\nEnd\n"               \
    "Move L\nC\n2 3 1 4 5 6\n1 2 0 0 0 0\nE\n2 1 3 4 5\n1 1 0 0 0\nEnd\n"                          \
    "Move R\nC\n1 2 4 5 6 3\n0 0 1 0 2 0\nE\n1 3 4 5 2\n0 0 1 0 1\nEnd\n"
// No move undoes S.
#define ONE_WAY                                                                                    \
    "Name way\nSet A 8 2\nSolved\nA\n1 2 3 4 5 6 7 8\nEnd\nMove S\nA\n2 3 4 5 6 7 8 1\n"           \
    "1 0 0 0 0 0 0 0\nEnd\nMove T\nA\n2 1 3 4 5 6 7 8\n0 1 0 0 0 0 0 0\nEnd\n"

// A database in memory: its table, and the space of its states.
struct searched {
    struct fewest *table;
    struct database databases[DATABASES_MOST];
    struct coset_space space;
};

static struct searched open_searched(const char *definition, const char *pieces, enum metric metric)
{
    char text[TEXT];
    struct searched searched;
    struct fewest_error error;
    snprintf(text, sizeof text, "%sDatabase %s\n", definition, pieces);
    searched.table = support_own(support_generate(text, strlen(text), metric));
    table_list_databases(searched.table, searched.databases);
    cr_assert(
        coset_space_make(&searched.space, &searched.table->puzzle, 0, searched.databases, &error),
        "%s", error.text);
    for (uint64_t slot = 0; slot < searched.databases->entries; slot++) {
        cr_assert(database_need(searched.databases, slot, &error), "%s", error.text);
    }
    return searched;
}

static void close_searched(struct searched *searched)
{
    coset_space_free(&searched->space);
    support_close(searched->table);
}

// Is an entry right for a distance? A zero says that it is at most the base; its stripe has a lower
// bound, which is at least 0 and at most the distance.
static bool is_right(const struct searched *searched, uint64_t slot, unsigned distance)
{
    unsigned base = searched->space.database.base;
    unsigned value = stripe_get(searched->databases->bytes, slot);
    unsigned bound = stripe_bound(searched->databases->bytes, slot, base);
    unsigned expected = distance <= base ? 0 : distance - base;
    return value == (expected < ENTRY_BEYOND ? expected : ENTRY_BEYOND) && bound <= distance;
}

// Looks up all states of the puzzle's table, whose distances are those of the database's states:
// the database tells the same pieces apart as `Track` does in the table. Returns the number of
// wrong entries. *zeros becomes the number of states whose entry must be 0.
static unsigned count_wrong(struct searched *searched, struct fewest *full, unsigned *zeros)
{
    const struct puzzle *projection = searched->space.projection;
    const struct section *section = &full->header.sections[0];
    unsigned wrong = 0;
    uint8_t relative[CELLS_MOST];
    *zeros = 0;
    for (uint64_t index = 0; index < section->entries; index++) {
        struct coset_place place;
        struct fewest_error error;
        int distance;
        cr_assert(table_entry(full, table_unpacked(full, section), index, &distance, &error));
        if (distance == FEWEST_UNREACHABLE) {
            continue;
        }
        puzzle_unrank(&full->puzzle, 0, index, relative);
        cr_assert(coset_find_relative(&searched->space, relative, &place));
        uint64_t slot = coset_slot(&searched->space, place);
        wrong += !is_right(searched, slot, (unsigned)distance);
        *zeros += (unsigned)distance <= searched->space.database.base;
    }
    cr_assert_eq(projection->cell_count, full->puzzle.cell_count);
    return wrong;
}

// Compares a database with the table of the same pieces.
static void compare(const char *definition, const char *pieces, enum metric metric)
{
    char text[TEXT];
    unsigned zeros;
    struct searched searched = open_searched(definition, pieces, metric);
    snprintf(text, sizeof text, "%sTrack %s\n", definition, pieces);
    struct fewest *full = support_own(support_generate(text, strlen(text), metric));
    cr_expect_eq(count_wrong(&searched, full, &zeros), 0, "%s", text);
    cr_expect_gt(zeros, 0);
    cr_expect(support_is_sound(searched.table), "%s", text);
    // A comparison that finds nothing wrong must be able to.
    ((uint8_t *)(uintptr_t)searched.databases->bytes)[0] ^= 3;
    cr_expect_gt(count_wrong(&searched, full, &zeros), 0);
    cr_expect_not(support_is_sound(searched.table));
    support_close(full);
    close_searched(&searched);
}

Test(stripes, have_the_distances_of_tables, .timeout = 120)
{
    compare(RING, "1 2 3 4 5", METRIC_POWERS);
    compare(RING, "1 2 3 | 4 5 6 7", METRIC_QUARTER);
    compare(TURNED, "C 1 2 3 E 1", METRIC_POWERS);
    compare(TURNED, "C 1 2 | E 1-3 |", METRIC_LISTED);
    compare(TURNED, "C orientation E place 1 2 | 3", METRIC_POWERS);
}

Test(stripes, of_moves_that_cannot_be_undone_have_the_distances_of_tables)
{
    compare(ONE_WAY, "1 2 3", METRIC_LISTED);
    compare(ONE_WAY, "1 2 3 | orientation 4 5", METRIC_LISTED);
}

// Millions of states.
Test(stripes, of_the_cube_have_the_distances_of_tables, .timeout = 100)
{
    char *cube = support_read("tables/puzzles/cube.puzzle", NULL);
    *strstr(cube, "Database CORNERS") = '\0';
    compare(cube, "EDGES 1 2 3 4", METRIC_POWERS);
    compare(cube, "CORNERS 1 3 6 8 | 2 4 5 7 EDGES place 9 |", METRIC_QUARTER);
    compare(cube, "CORNERS place 1 3 6 8 | EDGES 9 10 | place 1 3 |", METRIC_QUARTER);
    free(cube);
}

// Exchanges two entries with different values, so that the header still counts them rightly. The
// deep check must find each such pair.
Test(stripes, are_proved_entry_by_entry, .timeout = 120)
{
    enum { ROUNDS = 40 };
    static const char TEXT_OF_TURNED[] = TURNED "Database C 1 2 3 E 1\n";
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct table_content content =
            support_take(support_generate(TEXT_OF_TURNED, strlen(TEXT_OF_TURNED), METRIC_POWERS));
        uint8_t *slots = support_entries(&content, 0);
        uint64_t count = content.sections[0].entries;
        uint64_t a = support_random_below((unsigned)count);
        uint64_t b = support_random_below((unsigned)count);
        while (slots[a] == slots[b]) {
            b = support_random_below((unsigned)count);
        }
        uint8_t value = slots[a];
        slots[a] = slots[b];
        slots[b] = value;
        struct fewest *table = support_own(support_pack(&content));
        cr_expect_not(support_is_sound(table), "slots %llu and %llu", (unsigned long long)a,
                      (unsigned long long)b);
        support_close(table);
        support_free_content(&content);
    }
}

// The number of nodes that a search generates in one thread, for states some moves away.
static uint64_t count_nodes(struct fewest *table, const char *moves, int *steps)
{
    uint8_t start[FEWEST_CELLS_MOST];
    struct fewest_error error;
    struct counted_path path = {.moves = NULL};
    cr_assert(fewest_read_moves(table, NULL, moves, strlen(moves), start, &error), "%s",
              error.text);
    cr_assert(ida_star_count_nodes(table, start, table->puzzle.goals[0], &path, &error), "%s",
              error.text);
    *steps = path.steps;
    return path.nodes;
}

// A search that gives the right lengths may still look at too many nodes. If a change of the search
// means to change these numbers, write the new ones here.
Test(stripes, a_search_of_the_cube_takes_as_many_nodes_as_it_did, .timeout = 200)
{
    static const struct {
        const char *moves;
        int steps;
        uint64_t nodes;
    } CASES[] = {
        {"R U F2 L D B' R U F L2", 10, 230},
        {"R2 B2 U' D2 B R U L2 B L' D' F L'", 13, 112587},
        {"D2 R' B2 L2 F2 R2 F B2 U2 L2 D' U2 F'", 12, 140778},
    };
    struct fewest *table = support_open_file("tables/puzzles/cube.puzzle");
    support_set(table, (struct fewest_options){.threads = 1});
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int steps;
        uint64_t nodes = count_nodes(table, CASES[i].moves, &steps);
        cr_expect_eq(steps, CASES[i].steps, "%s: %d", CASES[i].moves, steps);
        cr_expect_eq(nodes, CASES[i].nodes, "%s: %llu", CASES[i].moves, (unsigned long long)nodes);
    }
    support_close(table);
}

// A section whose numbers do not fit the definition is refused before anything is looked up.
Test(stripes, of_another_size_or_base_are_refused)
{
    static const char WITH[] = RING "Database 1 2 3\n";
    for (unsigned forged = 0; forged < 2; forged++) {
        struct query query = {.target = {FEWEST_GOALS}};
        struct fewest_error error;
        struct fewest_path path;
        struct table_content content =
            support_take(support_generate(WITH, strlen(WITH), METRIC_POWERS));
        if (forged == 0) {
            content.sections[0].root = BASE_MOST + 1;
        } else {
            content.sections[0].entries -= STRIPE_SLOTS;
        }
        struct fewest *table = support_own(support_pack(&content));
        cr_assert(fewest_read_moves(table, NULL, "T F", 3, query.start, &error));
        cr_expect_not(fewest_path(table, query.start, query.target, &path, &error));
        cr_expect_eq(error.status, FEWEST_DAMAGED, "%s", error.text);
        cr_expect(strstr(error.text, "`Database`"), "%s", error.text);
        cr_expect_not(support_is_sound(table));
        support_close(table);
        support_free_content(&content);
    }
}
