// Compares boards with look-alike tiles, and boards whose rows move at once, with a twin that goes
// from board to board.
#include "tests/tools/support.h"
#include "tests/twin/twin_tiles.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DISTANCES = 256,
    ANY = 0xFF,
    ALL_ROOTS_MOST = 10,
    GOALS = 4,
    TEXT = 4000,
    BOARDS_MOST = 2000000,
    TYPED = 4 * TWIN_TILES_CELLS
};

// A board and its definition.
struct world {
    struct twin_tiles tiles;
    unsigned cells;
    uint8_t goals[GOALS][TWIN_TILES_CELLS]; // as the table shows them
    unsigned goal_count;
    bool has_dots; // number `dot` is written as `.`
    uint8_t dot;
    char text[TEXT];                 // of the definition
    struct twin_states *from[GOALS]; // from each goal
    struct fewest *table;
};

static void append(struct world *world, const char *text)
{
    cr_assert_lt(strlen(world->text) + strlen(text), TEXT);
    strcat(world->text, text);
}

// Writes a board as it is typed.
static void write_board(const struct world *world, const uint8_t *board, char *text)
{
    size_t used = 0;
    for (unsigned i = 0; i < world->cells; i++) {
        char cell[8];
        snprintf(cell, sizeof cell, "%u", board[i]);
        bool is_dot = world->has_dots && board[i] == world->dot;
        used += (size_t)sprintf(text + used, "%s ", is_dot ? "." : board[i] == ANY ? "*" : cell);
    }
}

static void append_block(struct world *world, const char *keyword, const uint8_t *cells)
{
    char number[8];
    append(world, keyword);
    append(world, "\nTILES\n");
    for (unsigned i = 0; i < world->cells; i++) {
        snprintf(number, sizeof number, "%u ", cells[i]);
        append(world, number);
    }
    append(world, "\nEnd\n");
}

static void begin_world(struct world *world, int rows, int columns, int layers, bool multi)
{
    *world = (struct world){
        .tiles = {.columns = columns, .rows = rows, .layers = layers, .multi = multi},
        .cells = (unsigned)(rows * columns * layers)};
    twin_tiles_list_moves(&world->tiles);
    snprintf(world->text, sizeof world->text, "Name board\nSlide %d %d %d%s\n", rows, columns,
             layers, multi ? " multi" : "");
}

static void explore(struct world *world)
{
    for (unsigned g = 0; g < world->goal_count; g++) {
        world->from[g] = twin_tiles_search(&world->tiles, world->goals[g], BOARDS_MOST);
        cr_assert(world->from[g]);
    }
    world->table = support_open_text(world->text);
}

static void release(struct world *world)
{
    for (unsigned g = 0; g < world->goal_count; g++) {
        twin_free(world->from[g]);
    }
    support_close(world->table);
}

// The distance of a board to the nearest goal; FEWEST_UNREACHABLE if there is none.
static int find_distance(const struct world *world, const uint8_t *board)
{
    int least = FEWEST_UNREACHABLE;
    for (unsigned g = 0; g < world->goal_count; g++) {
        int steps = twin_steps(world->from[g], twin_find(world->from[g], board));
        if (steps >= 0 && (least == FEWEST_UNREACHABLE || steps < least)) {
            least = steps;
        }
    }
    return least;
}

// Follows a path from a board to a goal. In each board, the move is the first one that leads
// nearer.
static void replay(const struct world *world, const uint8_t *start, const struct fewest_path *path)
{
    uint8_t board[TWIN_TILES_CELLS];
    uint8_t next[TWIN_TILES_CELLS];
    memcpy(board, start, world->cells);
    for (int i = 0; i < path->steps; i++) {
        int move = 0;
        while (!twin_tiles_move(&world->tiles, world->tiles.names[move], board, next) ||
               find_distance(world, next) != path->steps - i - 1) {
            move++;
            cr_assert_lt(move, world->tiles.move_count);
        }
        cr_assert_str_eq(fewest_move_name(world->table, path->moves[i]), world->tiles.names[move],
                         "%s", world->text);
        memcpy(board, next, world->cells);
    }
    cr_assert_eq(find_distance(world, board), 0, "%s", world->text);
}

// Compares the number of boards at each distance.
static void compare_counts(const struct world *world)
{
    unsigned long long expected[DISTANCES] = {0};
    struct fewest_stats stats = support_count(world->table);
    for (size_t i = 0; i < world->from[0]->count; i++) {
        expected[find_distance(world, twin_row(world->from[0], i))]++;
    }
    for (unsigned d = 0; d < DISTANCES; d++) {
        cr_assert_eq(stats.count[d], expected[d], "distance %u of\n%s", d, world->text);
    }
}

// Compares the distances of some boards, with a path each.
static void compare_paths(const struct world *world, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char text[TYPED];
        size_t number = support_random() % world->from[0]->count;
        const uint8_t *board = twin_row(world->from[0], number);
        write_board(world, board, text);
        struct query query = support_query(world->table, text);
        struct fewest_path path = support_path(world->table, &query);
        cr_assert_eq(path.steps, find_distance(world, board), "%s of\n%s", text, world->text);
        cr_assert_eq(support_steps(world->table, text), path.steps);
        replay(world, board, &path);
    }
}

// A target, which may have ANY.
struct wanted {
    const uint8_t *target;
    unsigned cells;
};

static bool matches(const void *context, const uint8_t *row)
{
    const struct wanted *wanted = context;
    for (unsigned i = 0; i < wanted->cells; i++) {
        if (wanted->target[i] != ANY && wanted->target[i] != row[i]) {
            return false;
        }
    }
    return true;
}

// Compares distances between two boards, neither of which need be solved. Every second target has
// wildcards.
static void compare_pairs(const struct world *world, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char text[2 * TYPED];
        uint8_t target[TWIN_TILES_CELLS];
        const uint8_t *start = twin_row(world->from[0], support_random() % world->from[0]->count);
        struct twin_states *around = twin_tiles_search(&world->tiles, start, BOARDS_MOST);
        memcpy(target, twin_row(around, support_random() % around->count), world->cells);
        for (unsigned c = 0; c < world->cells; c++) {
            target[c] = i % 2 == 1 && support_happens(3) ? ANY : target[c];
        }
        write_board(world, start, text);
        write_board(world, target, text + strlen(text));
        struct wanted wanted = {target, world->cells};
        int expected = twin_steps(around, twin_find_match(around, matches, &wanted));
        cr_assert_eq(support_steps(world->table, text), expected, "%s of\n%s", text, world->text);
        twin_free(around);
    }
}

// ---- Rows of tiles ------------------------------------------------------------------------------

static void compare_multi(int rows, int columns, int layers, int largest, uint64_t farthest)
{
    struct world world;
    begin_world(&world, rows, columns, layers, true);
    world.goal_count = 1;
    for (unsigned i = 0; i < world.cells; i++) {
        world.goals[0][i] = (uint8_t)((i + 1) % world.cells);
    }
    explore(&world);
    compare_counts(&world);
    compare_paths(&world, 100);
    compare_pairs(&world, world.cells <= ALL_ROOTS_MOST ? 4 : 0);
    struct fewest_stats stats = support_count(world.table);
    cr_assert_eq(stats.count[largest], farthest);
    cr_assert_eq(stats.count[largest + 1], 0);
    cr_assert(support_is_sound(world.table));
    release(&world);
}

Test(tiles, rows_of_tiles_move_at_once_on_boards_of_all_shapes, .timeout = 200)
{
    compare_multi(2, 2, 1, 6, 1);
    compare_multi(2, 3, 1, 20, 1);
    compare_multi(3, 2, 1, 20, 1);
    compare_multi(3, 3, 1, 24, 1);
    compare_multi(2, 4, 1, 25, 8);
    compare_multi(1, 7, 1, 1, 6);
    compare_multi(1, 12, 1, 1, 11);
    compare_multi(2, 2, 2, 19, 18);
}

Test(tiles, a_move_of_one_tile_is_another_metric)
{
    struct fewest *single = support_open_text("Name board\nSlide 3 3\n");
    struct fewest *multi = support_open_text("Name board\nSlide 3 3 multi\n");
    struct fewest_stats by_one = support_count(single);
    struct fewest_stats by_row = support_count(multi);
    cr_assert_eq(by_one.count[31], 2);
    cr_assert_eq(by_row.count[31], 0);
    cr_assert_eq(fewest_info(single)->move_count, 4);
    cr_assert_eq(fewest_info(multi)->move_count, 8);
    support_close(single);
    support_close(multi);
}

// ---- Tiles that look alike ----------------------------------------------------------------------

// Shuffles a row by moves, so that moves lead back.
static void scramble(const struct world *world, uint8_t *board)
{
    for (unsigned i = 0; i < 200; i++) {
        uint8_t next[TWIN_TILES_CELLS];
        unsigned move = support_random_below((unsigned)world->tiles.move_count);
        if (twin_tiles_move(&world->tiles, world->tiles.names[move], board, next)) {
            memcpy(board, next, world->cells);
        }
    }
}

// Makes a board whose tiles have few colours, in any order, and up to three goals more.
static void make_coloured(struct world *world)
{
    unsigned colours = 1 + support_random_below(3);
    for (unsigned i = 0; i < world->cells; i++) {
        unsigned colour = i <= colours ? i : 1 + support_random_below(colours);
        world->goals[0][i] = (uint8_t)colour;
    }
    support_shuffle(world->goals[0], world->cells);
    append_block(world, "Solved", world->goals[0]);
    world->goal_count = 1 + support_random_below(GOALS);
    for (unsigned g = 1; g < world->goal_count; g++) {
        memcpy(world->goals[g], world->goals[0], world->cells);
        scramble(world, world->goals[g]);
        append_block(world, "Goal", world->goals[g]);
    }
}

// Makes a board of which `Track` names a few tiles, with holes, alone or in two groups.
static void make_tracked(struct world *world)
{
    uint8_t solved[TWIN_TILES_CELLS];
    uint8_t shown[TWIN_TILES_CELLS] = {0}; // by tile; a group is shown as its lowest one
    char number[16];
    unsigned tiles = world->cells - 1;
    unsigned first = 1 + support_random_below(tiles - 1);
    unsigned second = first + 1 + support_random_below(tiles - first);
    unsigned third = second + 1 < tiles && support_happens(2) ? second + 2 : 0;
    bool is_group = support_happens(2);
    for (unsigned i = 0; i < world->cells; i++) {
        solved[i] = (uint8_t)i;
    }
    support_shuffle(solved, world->cells);
    append_block(world, "Solved", solved);
    append(world, "Track");
    snprintf(number, sizeof number, " %u", second);
    append(world, number);
    snprintf(number, sizeof number, " %u", first);
    append(world, number);
    if (third > 0) {
        snprintf(number, sizeof number, "%s %u", is_group ? " |" : "", third);
        append(world, number);
    }
    append(world, "\n");
    for (unsigned tile = tiles; tile > 0; tile--) {
        if (tile != first && tile != second && tile != third) {
            world->dot = (uint8_t)tile; // in the end, the first tile that is not named
        }
    }
    world->has_dots = tiles > 2u + (third > 0);
    for (unsigned tile = 1; tile <= tiles; tile++) {
        bool is_named = tile == first || tile == second || tile == third;
        shown[tile] = is_named ? (uint8_t)tile : world->dot;
    }
    if (is_group && third > 0) {
        shown[second] = (uint8_t)first;
    }
    for (unsigned i = 0; i < world->cells; i++) {
        world->goals[0][i] = shown[solved[i]];
    }
    world->goal_count = 1;
}

Test(tiles, forty_boards_with_look_alikes_agree_with_the_twin, .timeout = 280)
{
    static const int SIZES[][3] = {{2, 3, 1}, {3, 2, 1}, {2, 2, 2}, {3, 3, 1}, {2, 4, 1},
                                   {1, 6, 1}, {2, 5, 1}, {1, 1, 5}, {4, 3, 1}, {3, 4, 1}};
    for (unsigned i = 0; i < 40; i++) {
        struct world world;
        const int *size = SIZES[i % 10];
        begin_world(&world, size[0], size[1], size[2], support_happens(3));
        if (i / 10 % 2 == 0) {
            make_coloured(&world);
        } else {
            make_tracked(&world);
        }
        explore(&world);
        compare_counts(&world);
        compare_paths(&world, 50);
        compare_pairs(&world, 2);
        cr_assert(support_is_sound(world.table), "%s", world.text);
        release(&world);
    }
}

// The last digit has 92,378 values, so offsets are masks (algebra/set_masks.h).
Test(tiles, large_sets_of_two_colours_are_searched_by_masks, .timeout = 100)
{
    struct world world;
    begin_world(&world, 4, 5, 1, true);
    for (unsigned i = 0; i < world.cells; i++) {
        world.goals[0][i] = i + 1 == world.cells ? 0 : 1 + (i >= 10);
    }
    append_block(&world, "Solved", world.goals[0]);
    world.goal_count = 1;
    explore(&world);
    cr_assert_eq(world.from[0]->count, 20 * 92378);
    compare_counts(&world);
    compare_paths(&world, 20);
    cr_assert(support_is_sound(world.table));
    release(&world);
}

// `*` in `Solved` means the same as `Track`.
Test(tiles, a_star_in_the_solved_state_is_a_tile_that_does_not_count)
{
    struct fewest *star = support_open_text("Name board\nSlide 3 3\nSolved\nTILES\n1 * 3\n* 0 *\n"
                                            "6 * *\nEnd\nGoal\nTILES\n* 1 3 * 0 * * 6 *\nEnd\n");
    struct fewest *alike = support_open_text("Name board\nSlide 3 3\nSolved\nTILES\n1 4 2\n4 0 4\n"
                                             "3 4 4\nEnd\nGoal\nTILES\n4 1 2 4 0 4 4 3 4\nEnd\n");
    struct fewest_stats first = support_count(star);
    struct fewest_stats second = support_count(alike);
    cr_assert_arr_eq(first.count, second.count, sizeof first.count);
    cr_assert_eq(support_steps(star, "3 . 1 . . 0 . 6 ."), support_steps(alike, "241440434"));
    cr_assert_eq(support_steps(star, "3 2 1 4 5 0 7 6 8"), support_steps(alike, "241440434"));
    support_close(star);
    support_close(alike);
}

// Without a 0, the blank may be wherever a `*` is.
Test(tiles, a_solved_state_without_a_blank_has_it_in_each_star)
{
    struct fewest *star = support_open_text("Name board\nSlide 2 3\nSolved\nTILES\n1 2 *\n* 3 *\n"
                                            "End\n");
    struct fewest *goals = support_open_text("Name board\nSlide 2 3\nSolved\nTILES\n1 2 4\n4 3 0\n"
                                             "End\nGoal\nTILES\n1 2 0\n4 3 4\nEnd\n"
                                             "Goal\nTILES\n1 2 4\n0 3 4\nEnd\n");
    struct fewest_stats first = support_count(star);
    struct fewest_stats second = support_count(goals);
    cr_assert_eq(first.count[0], 3);
    cr_assert_arr_eq(first.count, second.count, sizeof first.count);
    cr_assert_eq(support_steps(star, "120.3."), 0);
    cr_assert_eq(support_steps(star, "102.3."), support_steps(goals, "102434"));
    support_close(star);
    support_close(goals);
}

Test(tiles, twenty_five_cells_fit_if_few_tiles_are_told_apart, .timeout = 100)
{
    struct world world;
    begin_world(&world, 5, 5, 1, false);
    append(&world, "Track 1 7\n");
    world.has_dots = true;
    world.dot = 2;
    for (unsigned i = 0; i < world.cells; i++) {
        unsigned tile = (i + 1) % world.cells;
        world.goals[0][i] = (uint8_t)(tile == 0 || tile == 1 || tile == 7 ? tile : 2);
    }
    world.goal_count = 1;
    explore(&world);
    cr_assert_eq(world.from[0]->count, 25 * 24 * 23);
    compare_counts(&world);
    compare_paths(&world, 30);
    cr_assert(support_is_sound(world.table));
    release(&world);
}
