// Compares sliding boards with a search over boards of characters that has no roots or ranks.
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_LONGEST = 9, PATH_LONGEST = 40 };

// ---- The twin: a search over boards of characters -----------------------------------------------

struct board {
    char cells[CELLS_LONGEST + 1]; // '0' is the blank
    char path[PATH_LONGEST];
};

struct world {
    unsigned rows;
    unsigned columns;
    unsigned layers;
    struct board *boards;
    unsigned count;
    // By the digits of a board without the last, in base 9: its place in `boards`, or -1.
    int32_t *number_of;
};

static unsigned digits_of(const char *cells)
{
    unsigned number = 0;
    for (; cells[1]; cells++) { // the last follows from the others
        number = number * 9 + (unsigned)(*cells - '0');
    }
    return number;
}

static bool slide(const struct world *world, const char *from, char move, char *to)
{
    unsigned blank = (unsigned)(strchr(from, '0') - from);
    unsigned column = blank % world->columns;
    unsigned row = blank / world->columns % world->rows;
    unsigned layer = blank / world->columns / world->rows;
    if ((move == 'l' && column-- == 0) || (move == 'r' && ++column == world->columns) ||
        (move == 'u' && row-- == 0) || (move == 'd' && ++row == world->rows) ||
        (move == 'a' && layer-- == 0) || (move == 'b' && ++layer == world->layers)) {
        return false;
    }
    unsigned there = (layer * world->rows + row) * world->columns + column;
    strcpy(to, from);
    to[blank] = from[there];
    to[there] = '0';
    return true;
}

// A breadth-first search with the moves in byte order. So the first path that meets a board is the
// first of the shortest.
static void explore(struct world *world, const char *root)
{
    size_t numbers = 1;
    for (const char *c = root; c[1]; c++) {
        numbers *= 9;
    }
    world->boards = calloc(400000, sizeof *world->boards);
    world->number_of = malloc(numbers * sizeof *world->number_of);
    memset(world->number_of, 0xFF, numbers * sizeof *world->number_of);
    strcpy(world->boards[0].cells, root);
    world->number_of[digits_of(root)] = 0;
    world->count = 1;
    for (unsigned i = 0; i < world->count; i++) {
        for (const char *move = "abdlru"; *move; move++) {
            char cells[CELLS_LONGEST + 1];
            if (slide(world, world->boards[i].cells, *move, cells) &&
                world->number_of[digits_of(cells)] < 0) {
                struct board *board = &world->boards[world->count];
                world->number_of[digits_of(cells)] = (int32_t)world->count++;
                strcpy(board->cells, cells);
                strcpy(board->path, world->boards[i].path);
                board->path[strlen(board->path)] = *move; // the rest is 0
            }
        }
    }
}

static void release(struct world *world)
{
    free(world->boards);
    free(world->number_of);
}

// ---- The library --------------------------------------------------------------------------------

static struct fewest *open_board(unsigned rows, unsigned columns, unsigned layers)
{
    char text[64];
    snprintf(text, sizeof text, "Name board\nSlide %u %u %u\n", rows, columns, layers);
    return support_open_text(text);
}

static void path_between(struct fewest *table, const char *start, const char *target, char *names)
{
    char text[2 * CELLS_LONGEST + 2];
    snprintf(text, sizeof text, "%s %s", start, target);
    struct query query = support_query(table, text);
    struct fewest_path path = support_path(table, &query);
    cr_assert_neq(path.steps, FEWEST_UNREACHABLE);
    for (int i = 0; i < path.steps; i++) {
        names[i] = fewest_move_name(table, path.moves[i])[0];
    }
    names[path.steps] = '\0';
}

// Compares the paths from `root` to every board that can be reached.
static void compare_all(unsigned rows, unsigned columns, unsigned layers, const char *root,
                        unsigned expected)
{
    struct world world = {.rows = rows, .columns = columns, .layers = layers};
    struct fewest *table = open_board(rows, columns, layers);
    explore(&world, root);
    cr_assert_eq(world.count, expected);
    for (unsigned i = 0; i < world.count; i++) {
        char path[FEWEST_PATH_MOST];
        path_between(table, root, world.boards[i].cells, path);
        cr_assert_str_eq(path, world.boards[i].path, "%s to %s", root, world.boards[i].cells);
    }
    release(&world);
    support_close(table);
}

Test(slides, every_path_of_the_eight_puzzle_from_a_corner_is_the_first_of_the_shortest,
     .timeout = 120)
{
    compare_all(3, 3, 1, "123456780", 181440);
}

Test(slides, and_from_an_edge, .timeout = 120)
{
    compare_all(3, 3, 1, "123405678", 181440);
}

Test(slides, and_from_the_centre, .timeout = 120)
{
    compare_all(3, 3, 1, "812703654", 181440);
}

Test(slides, boards_of_other_sizes_need_nothing_but_a_definition)
{
    compare_all(2, 3, 1, "123450", 360);
    compare_all(2, 3, 1, "102345", 360);
    compare_all(3, 2, 1, "120345", 360);
    compare_all(2, 2, 2, "12345670", 20160);
    compare_all(2, 2, 2, "01234567", 20160);
    compare_all(2, 4, 1, "01234567", 20160);
    compare_all(2, 4, 1, "12034567", 20160);
    compare_all(4, 2, 1, "12345607", 20160);
    compare_all(2, 2, 1, "3021", 12);
    compare_all(1, 2, 1, "10", 2);
    compare_all(2, 1, 1, "01", 2);
    compare_all(1, 6, 1, "120345", 6);
    compare_all(1, 1, 5, "12034", 5);
    compare_all(1, 3, 2, "123450", 360);
}

// ---- Wildcards ----------------------------------------------------------------------------------

// Returns the path to the first board met that agrees with the target, the nearest. NULL for none.
static const char *nearest_path(const struct world *world, const char *target)
{
    for (unsigned i = 0; i < world->count; i++) {
        bool agrees = true;
        for (unsigned c = 0; target[c]; c++) {
            agrees &= target[c] == '*' || target[c] == world->boards[i].cells[c];
        }
        if (agrees) {
            return world->boards[i].path;
        }
    }
    return NULL;
}

static void compare_wildcards(unsigned rows, unsigned columns, const char *root, unsigned rounds)
{
    struct world world = {.rows = rows, .columns = columns, .layers = 1};
    struct fewest *table = open_board(rows, columns, 1);
    explore(&world, root);
    for (unsigned round = 0; round < rounds; round++) {
        char text[2 * CELLS_LONGEST + 2];
        char target[CELLS_LONGEST + 1];
        char grid[16];
        struct fewest_parity parity;
        struct fewest_parity without_table;
        struct fewest_error error;
        unsigned cells = (unsigned)strlen(root);
        unsigned given = support_random_below(cells + 1);
        strcpy(target, world.boards[support_random_below(world.count)].cells);
        if (round % 5 == 0) { // often unreachable, unless wildcards allow it
            char kept = target[0];
            target[0] = target[1];
            target[1] = kept;
        }
        for (unsigned left = cells; left > given;) {
            unsigned c = support_random_below(cells);
            left -= target[c] != '*';
            target[c] = '*';
        }
        snprintf(text, sizeof text, "%s %s", root, target);
        const char *nearest = nearest_path(&world, target);
        int expected = nearest ? (int)strlen(nearest) : FEWEST_UNREACHABLE;
        cr_assert_eq(support_steps(table, text), expected, "%s", text);
        if (nearest) {
            char path[FEWEST_PATH_MOST];
            path_between(table, root, target, path);
            cr_assert_str_eq(path, nearest, "%s", text);
        }
        snprintf(grid, sizeof grid, "%ux%u", rows, columns);
        struct fewest_grid_query grid_query = {grid, text, strlen(text), NULL, 0};
        cr_assert(fewest_grid_parity(&grid_query, &without_table, &error), "%s", error.text);
        cr_assert_eq(without_table.reachable, expected != FEWEST_UNREACHABLE, "%s", text);
        struct query query = support_query(table, text);
        cr_assert(fewest_parity(table, query.start, query.target, &parity, &error));
        cr_assert_eq(parity.reachable, expected != FEWEST_UNREACHABLE, "%s", text);
        cr_assert_str_eq(parity.reason, without_table.reason);
    }
    release(&world);
    support_close(table);
}

Test(slides, a_target_with_wildcards_is_as_near_as_its_nearest_board)
{
    compare_wildcards(3, 3, "123456780", 300);
    compare_wildcards(3, 3, "123406785", 300);
    compare_wildcards(3, 3, "123456708", 300);
    compare_wildcards(2, 4, "01234567", 500);
    compare_wildcards(2, 4, "10234567", 500);
    compare_wildcards(2, 3, "123045", 500);
    compare_wildcards(2, 2, "1203", 500);
    compare_wildcards(1, 6, "103254", 1000);
    compare_wildcards(5, 1, "10324", 1000);
}
