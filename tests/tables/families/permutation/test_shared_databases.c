// Compares puzzles whose `Database` lines share pattern databases with naive breadth-first
// searches: which lines share, what the database says for each line, and what the search answers.
#include "query/search/bounds.h"
#include "query/search/ida_star.h"
#include "query/table/table.h"
#include "tables/algebra/symmetries.h"
#include "tables/families/compile.h"
#include "tables/families/permutation/point_view.h"
#include "tests/tools/support.h"
#include "tests/twin/twin_sets.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT = SETS_TWIN_TEXT + 4096,
    STATES_MOST_HERE = 20000,
    FAR_AWAY = 255,
    RING_SLOTS = 6,
};

// A puzzle, all its states, and its definition with some `Database` lines. A line is a set of
// pieces: a bit for each home, counted over all sets.
struct example {
    struct sets_puzzle puzzle;
    struct sets_world world;
    char text[TEXT];
};

// ---- Puzzles ------------------------------------------------------------------------------------

static void exchange_slots(struct sets_move *move, unsigned a, unsigned b)
{
    move->from[a] = (uint8_t)b;
    move->from[b] = (uint8_t)a;
}

// A ring of six beads, which one move turns. Another one exchanges 1 with 2. A reflection is a
// symmetry. Databases are looked up by points. One more piece never moves.
static void make_ring(struct sets_puzzle *puzzle)
{
    sets_begin(puzzle);
    sets_add(puzzle, RING_SLOTS, 1);
    sets_add(puzzle, 1, 1);
    for (unsigned i = 0; i < RING_SLOTS; i++) {
        puzzle->moves[0].from[i] = (uint8_t)((i + RING_SLOTS - 1) % RING_SLOTS);
    }
    exchange_slots(&puzzle->moves[1], 0, 1);
    puzzle->move_count = 2;
}

// Three corners and three edges. Each move exchanges two of both. Rotations are symmetries.
// Databases are looked up by pages and by cells. One more piece never moves.
static void make_triangle(struct sets_puzzle *puzzle)
{
    sets_begin(puzzle);
    sets_add(puzzle, 3, 3);
    sets_add(puzzle, 3, 2);
    sets_add(puzzle, 1, 1);
    for (unsigned m = 0; m < 3; m++) {
        struct sets_move *move = &puzzle->moves[m];
        unsigned next = (m + 1) % 3;
        exchange_slots(move, m, next);
        exchange_slots(move, 3 + m, 3 + next);
        move->turn[m] = 1;
        move->turn[3 + m] = 1;
    }
    puzzle->move_count = 3;
}

static void add_line(const struct example *example, unsigned line, char *text)
{
    text += strlen(text);
    text += sprintf(text, "Database");
    for (unsigned s = 0; s < example->puzzle.set_count; s++) {
        const struct sets_set *set = &example->puzzle.sets[s];
        bool named = false;
        for (unsigned i = 0; i < set->size; i++) {
            if (line >> (set->first + i) & 1) {
                text += named ? 0 : sprintf(text, " %c", 'A' + (int)s);
                text += sprintf(text, " %u", i + 1);
                named = true;
            }
        }
    }
    strcpy(text, "\n");
}

static void write_lines(struct example *example, const unsigned *lines, unsigned count)
{
    sets_write(&example->puzzle, example->text);
    for (unsigned l = 0; l < count; l++) {
        add_line(example, lines[l], example->text);
    }
}

static struct example *make_example(void (*make)(struct sets_puzzle *puzzle))
{
    struct example *example = calloc(1, sizeof *example);
    cr_assert(example);
    make(&example->puzzle);
    cr_assert(sets_explore(&example->world, &example->puzzle, STATES_MOST_HERE));
    return example;
}

static void free_example(struct example *example)
{
    sets_free(&example->world);
    free(example);
}

static struct fewest *open_lines(struct example *example, const unsigned *lines, unsigned count)
{
    write_lines(example, lines, count);
    return support_own(support_generate(example->text, strlen(example->text), METRIC_QUARTER));
}

// ---- The twin -----------------------------------------------------------------------------------

// Are these pieces at home, and turned as there?
static bool is_at_home(const struct sets_world *world, size_t state, unsigned line)
{
    const uint8_t *row = twin_row(world->states, state);
    unsigned slots = world->view.puzzle->slot_count;
    for (unsigned i = 0; i < slots; i++) {
        if (line >> i & 1 && (row[i] != world->view.root[i] || row[slots + i] != 0)) {
            return false;
        }
    }
    return true;
}

static bool reach(const struct sets_world *world, const uint8_t *row, uint8_t *distance,
                  unsigned next)
{
    size_t state = twin_find(world->states, row);
    cr_assert(state < world->states->count);
    if (distance[state] != FAR_AWAY) {
        return false;
    }
    distance[state] = (uint8_t)next;
    return true;
}

// By state: the least number of moves that bring the pieces of a line home. All pieces are ~0.
static uint8_t *find_distances(const struct sets_world *world, unsigned line)
{
    uint8_t *distance = malloc(world->states->count);
    bool found = true;
    for (size_t i = 0; i < world->states->count; i++) {
        distance[i] = is_at_home(world, i, line) ? 0 : FAR_AWAY;
    }
    for (unsigned d = 0; found; d++) {
        found = false;
        for (size_t i = 0; i < world->states->count; i++) {
            for (unsigned m = 0; m < world->view.puzzle->move_count && distance[i] == d; m++) {
                uint8_t row[SETS_TWIN_ROW] = {0};
                sets_apply(&world->view, &world->view.puzzle->moves[m], twin_row(world->states, i),
                           row);
                found |= reach(world, row, distance, d + 1);
                sets_undo(&world->view, &world->view.puzzle->moves[m], twin_row(world->states, i),
                          row);
                found |= reach(world, row, distance, d + 1);
            }
        }
    }
    return distance;
}

// Does a permutation of the ring turn each move into a move or an inverse?
static bool keeps_ring(const struct sets_puzzle *puzzle, const unsigned *s)
{
    for (unsigned m = 0; m < 2; m++) {
        unsigned kept = 0;
        for (unsigned other = 0; other < 4; other++) { // the last two are the inverses
            const uint8_t *from = puzzle->moves[m].from;
            const uint8_t *to = puzzle->moves[other % 2].from;
            bool same = true;
            for (unsigned i = 0; i < RING_SLOTS; i++) {
                same &= other < 2 ? s[from[i]] == to[s[i]] : s[i] == to[s[from[i]]];
            }
            kept += same;
        }
        if (kept == 0) {
            return false;
        }
    }
    return true;
}

// Does some symmetry of the ring take one line to another? Tries all permutations.
static bool is_image(const struct sets_puzzle *puzzle, unsigned *s, unsigned known, unsigned from,
                     unsigned to)
{
    if (known == RING_SLOTS) {
        unsigned image = 0;
        for (unsigned i = 0; i < RING_SLOTS; i++) {
            image |= (from >> i & 1) << s[i];
        }
        return image == to && keeps_ring(puzzle, s);
    }
    for (unsigned value = 0; value < RING_SLOTS; value++) {
        bool is_new = true;
        for (unsigned i = 0; i < known; i++) {
            is_new &= s[i] != value;
        }
        s[known] = value;
        if (is_new && is_image(puzzle, s, known + 1, from, to)) {
            return true;
        }
    }
    return false;
}

// ---- Which lines share --------------------------------------------------------------------------

static bool compile(struct puzzle *puzzle, const char *text)
{
    struct fewest_error error;
    return puzzle_compile(puzzle, text, strlen(text), METRIC_QUARTER, &error);
}

Test(sharing, two_lines_share_exactly_if_a_symmetry_takes_one_to_the_other)
{
    struct example *ring = make_example(make_ring);
    unsigned shared = 0;
    unsigned apart = 0;
    for (unsigned a = 1; a < 1 << RING_SLOTS; a++) {
        for (unsigned b = 1; b < 1 << RING_SLOTS; b++) {
            unsigned s[RING_SLOTS];
            struct puzzle puzzle;
            if (__builtin_popcount(a) != __builtin_popcount(b) || __builtin_popcount(a) > 2) {
                continue;
            }
            write_lines(ring, (unsigned[]){a, b}, 2);
            cr_assert(compile(&puzzle, ring->text));
            bool expected = is_image(&ring->puzzle, s, 0, b, a);
            cr_expect_eq(puzzle.lines[1].shares, expected, "%s", ring->text);
            cr_expect_eq(puzzle.projection_count, expected ? 1 : 2);
            cr_expect_eq(puzzle.lines[1].projection, expected ? 0 : 1);
            shared += expected;
            apart += !expected;
            puzzle_free(&puzzle);
        }
    }
    cr_expect_gt(shared, 30);
    cr_expect_gt(apart, 100);
    free_example(ring);
}

Test(sharing, lines_of_the_same_pieces_share_in_any_puzzle)
{
    static const char ALIKE[] = "Set A 6 1\nSolved\nA\n1 2 3 3 4 4\nEnd\nMove T\nA\n6 1 2 3 4 5\n"
                                "End\nDatabase 1 3\nDatabase 2 3\nDatabase 3 1\n";
    struct puzzle puzzle;
    cr_assert(compile(&puzzle, ALIKE));
    cr_expect_eq(puzzle.projection_count, 2);
    cr_expect_not(puzzle.lines[1].shares);
    cr_expect(puzzle.lines[2].shares);
    cr_expect_eq(puzzle.lines[2].projection, 0);
    puzzle_free(&puzzle);
}

Test(sharing, symmetric_lines_make_one_section_and_others_two)
{
    static const unsigned SYMMETRIC[] = {1 | 4 | 8, 2 | 32 | 16};
    static const unsigned DIFFERENT[] = {1 | 4 | 8, 2 | 32 | 8};
    struct example *ring = make_example(make_ring);
    struct fewest *shared = open_lines(ring, SYMMETRIC, 2);
    struct fewest *apart = open_lines(ring, DIFFERENT, 2);
    const char *const *sharing = fewest_info(shared)->sharing;
    cr_expect_eq(shared->header.section_count, 1);
    cr_expect_eq(apart->header.section_count, 2);
    cr_expect_lt(fewest_info(shared)->file_bytes + 36, fewest_info(apart)->file_bytes);
    cr_expect_eq(fewest_info(shared)->database_count, 2);
    cr_expect_null(sharing[0]);
    cr_expect_str_eq(sharing[1],
                     "database 2 is database 1 under a symmetry and is stored once, as pieces-1");
    cr_expect_null(fewest_info(apart)->sharing[1]);
    cr_expect(support_is_sound(shared));
    cr_expect(support_is_sound(apart));
    support_close(shared);
    support_close(apart);
    free_example(ring);
}

Test(sharing, a_table_that_stores_both_is_refused)
{
    static const unsigned LINES[] = {1 | 4 | 8, 2 | 32 | 16};
    struct example *ring = make_example(make_ring);
    struct fewest_error error;
    write_lines(ring, LINES, 2);
    struct table_content content =
        support_take(support_generate(ring->text, strlen(ring->text), METRIC_QUARTER));
    content.sections[1] = content.sections[0];
    strcpy(content.sections[1].name, "pieces-2");
    content.distances[1] = content.distances[0];
    content.section_count = 2;
    struct generated both = support_pack(&content);
    content.section_count = 1;
    cr_expect_null(fewest_open_buffer(both.bytes, both.length, &error));
    cr_expect_eq(error.status, FEWEST_DAMAGED);
    cr_expect_str_eq(error.text, "the header does not match the definition of random; generate the "
                                 "table again with fewest-gen");
    support_free_content(&content);
    free(both.bytes);
    free_example(ring);
}

// ---- What they say ------------------------------------------------------------------------------

static unsigned read_view(struct fewest *table, const struct bounds *bounds,
                          const struct view *view, const struct bound_node *node)
{
    struct fewest_error error;
    uint64_t index = bounds_index(bounds, view, node);
    int distance = FAR_AWAY;
    if (index != INDEX_NONE) {
        cr_assert(table_entry(table, &table->sections[SECTION_DATABASE][view->database], index,
                              &distance, &error));
    }
    return (unsigned)distance;
}

// Counts nodes where no view holds the distance of a line.
static unsigned count_missing(struct fewest *table, const struct bounds *bounds,
                              const struct bound_node *node, const uint8_t *const *distance,
                              unsigned count, size_t state)
{
    unsigned missing = 0;
    for (unsigned l = 0; l < count; l++) {
        bool found = false;
        for (unsigned v = 0; v < bounds->view_count && !found; v++) {
            found = read_view(table, bounds, &bounds->views[v], node) == distance[l][state];
        }
        missing += !found;
    }
    return missing;
}

// Walks at random through the states, by moves of the nodes, and compares the views with the twin.
static unsigned compare_views(const struct example *example, struct fewest *table,
                              const unsigned *lines, unsigned count)
{
    const struct sets_world *world = &example->world;
    uint8_t *distance[DATABASES_MOST];
    uint8_t cells[2][FEWEST_CELLS_MOST];
    struct fewest_error error;
    unsigned missing = 0;
    struct database databases[DATABASES_MOST];
    table_list_databases(table, databases);
    struct bounds *bounds = bounds_make(&table->puzzle, databases, &error);
    cr_assert(bounds, "%s", error.text);
    struct bound_node *node[2] = {malloc(bounds->node_bytes), malloc(bounds->node_bytes)};
    for (unsigned l = 0; l < count; l++) {
        distance[l] = find_distances(world, lines[l]);
    }
    memcpy(cells[0], table->puzzle.goals[0], table->puzzle.cell_count);
    bounds_set(bounds, cells[0], node[0]);
    for (unsigned i = 0; i < 2000; i++) {
        uint8_t row[SETS_TWIN_ROW] = {0};
        unsigned move = support_random_below(fewest_info(table)->move_count);
        cr_assert(fewest_apply(table, move, cells[i % 2], cells[(i + 1) % 2], &error));
        memset(node[(i + 1) % 2], 0, bounds->node_bytes);
        bounds_move(bounds, node[i % 2], move, node[(i + 1) % 2]);
        sets_cells_to_row(&world->view, cells[(i + 1) % 2], row);
        missing += count_missing(table, bounds, node[(i + 1) % 2], (const uint8_t *const *)distance,
                                 count, twin_find(world->states, row));
    }
    for (unsigned l = 0; l < count; l++) {
        free(distance[l]);
    }
    free(node[0]);
    free(node[1]);
    bounds_free(bounds);
    return missing;
}

// Compares the answers for random states with the twin.
static void compare_answers(const struct example *example, struct fewest *table)
{
    const struct sets_world *world = &example->world;
    uint8_t *distance = find_distances(world, ~0u);
    for (unsigned i = 0; i < 200; i++) {
        struct query query = {.target = {FEWEST_GOALS}};
        size_t state = support_random_below((unsigned)world->states->count);
        sets_row_to_cells(&world->view, twin_row(world->states, state), query.start);
        int steps = support_ask(table, &query);
        cr_expect_eq(steps, distance[state]);
    }
    free(distance);
}

// The lines come in groups of images. `stored` of them are stored.
static void expect_sharing(void (*make)(struct sets_puzzle *puzzle), const unsigned *lines,
                           unsigned count, unsigned stored)
{
    struct example *example = make_example(make);
    struct fewest *table = open_lines(example, lines, count);
    cr_expect_eq(table->header.section_count, stored, "%s", example->text);
    cr_expect_eq(compare_views(example, table, lines, count), 0, "%s", example->text);
    compare_answers(example, table);
    cr_expect(support_is_sound(table));
    support_close(table);
    free_example(example);
}

static const unsigned RING_LINES[] = {1 | 4 | 8, 2 | 32 | 16, 4 | 8, 32 | 16, 1 | 4 | 8, 1 | 16};
static const unsigned TRIANGLE_LINES[] = {1 | 8,      2 | 16,     4 | 32, 1 | 2 | 8,
                                          2 | 4 | 16, 4 | 1 | 32, 1 | 8,  4 | 32 | 16};

Test(sharing, each_line_has_its_own_bound, .timeout = 120)
{
    expect_sharing(make_ring, RING_LINES, 6, 3);
    expect_sharing(make_triangle, TRIANGLE_LINES, 8, 3);
}

// Replaces the symmetry of a line by the identity, with the identity of its moves.
static void spoil_symmetry(struct puzzle *puzzle, unsigned number)
{
    struct database_line *line = &puzzle->lines[number];
    cr_assert(line->symmetry);
    for (unsigned x = 0; x < permutation_view(puzzle)->slot_points; x++) {
        line->symmetry[x] = (chain_point)x;
    }
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        line->move_images[m] = (uint16_t)m;
    }
}

Test(sharing, a_wrong_symmetry_is_noticed)
{
    for (unsigned number = 1; number < 6; number += number == 2 ? 2 : 1) {
        struct example *triangle = make_example(make_triangle);
        struct fewest *table = open_lines(triangle, TRIANGLE_LINES, 8);
        spoil_symmetry(&table->puzzle, number);
        cr_expect_gt(compare_views(triangle, table, TRIANGLE_LINES, 8), 0, "line %u", number);
        support_close(table);
        free_example(triangle);
    }
}

// ---- Nodes --------------------------------------------------------------------------------------

static uint64_t count_nodes(const struct example *example, struct fewest *table, size_t state)
{
    uint8_t start[FEWEST_CELLS_MOST];
    struct counted_path path = {.moves = NULL};
    struct fewest_error error;
    sets_row_to_cells(&example->world.view, twin_row(example->world.states, state), start);
    cr_assert(ida_star_count_nodes(table, start, table->puzzle.goals[0], &path, &error));
    return path.nodes;
}

// Sums up the nodes with the lines as they are, and with lines that are kept apart by a piece that
// never moves.
static void compare_nodes(void (*make)(struct sets_puzzle *puzzle), const unsigned *lines,
                          unsigned count, unsigned still)
{
    struct example *example = make_example(make);
    unsigned apart[DATABASES_MOST];
    uint64_t nodes[2] = {0, 0};
    for (unsigned l = 0; l < count; l++) {
        apart[l] = lines[l] | (l == 1 ? 1u << still : 0);
    }
    struct fewest *table[2] = {open_lines(example, lines, count),
                               open_lines(example, apart, count)};
    cr_expect_eq(table[0]->header.section_count + 1, table[1]->header.section_count);
    for (size_t state = 0; state < example->world.states->count; state += 7) {
        nodes[0] += count_nodes(example, table[0], state);
        nodes[1] += count_nodes(example, table[1], state);
    }
    cr_expect_leq(nodes[0], nodes[1]);
    support_close(table[0]);
    support_close(table[1]);
    free_example(example);
}

Test(sharing, a_shared_database_costs_no_nodes, .timeout = 120)
{
    compare_nodes(make_ring, RING_LINES, 2, 6);
    compare_nodes(make_triangle, TRIANGLE_LINES, 2, 6);
    compare_nodes(make_triangle, TRIANGLE_LINES + 3, 2, 6);
}
