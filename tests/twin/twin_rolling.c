// The twin of the rolling cubes.
#include "twin_rolling.h"

#include "twin_misuse.h"
#include "twin_slide.h"

#include <string.h>

enum { LIES = 6, EMPTY = LIES };

// Opposite faces look the same, so three faces tell everything.
struct cube {
    char top;
    char front;
    char right;
};

// All the ways a cube can lie; at the start, every cube lies in the first way. A row has for each
// cell the number of its cube's way, or EMPTY.
static const struct cube WAYS[LIES] = {
    {'W', 'R', 'B'}, {'W', 'B', 'R'}, {'R', 'W', 'B'},
    {'R', 'B', 'W'}, {'B', 'W', 'R'}, {'B', 'R', 'W'},
};

static uint8_t find_way(struct cube cube)
{
    for (uint8_t i = 0; i < LIES; i++) {
        if (WAYS[i].top == cube.top && WAYS[i].front == cube.front && WAYS[i].right == cube.right) {
            return i;
        }
    }
    die("a cube lies in no known way");
}

static uint8_t roll_along_column(uint8_t way)
{
    struct cube old = WAYS[way];
    return find_way((struct cube){.top = old.front, .front = old.top, .right = old.right});
}

static uint8_t roll_along_row(uint8_t way)
{
    struct cube old = WAYS[way];
    return find_way((struct cube){.top = old.right, .front = old.front, .right = old.top});
}

static bool apply(const void *puzzle, unsigned m, const uint8_t *from, uint8_t *to)
{
    const struct twin_rolling *world = puzzle;
    char move = TWIN_SLIDE_MOVES[m];
    size_t cells = (size_t)(world->rows * world->columns);
    const uint8_t *found = memchr(from, EMPTY, cells);
    if (!found) {
        die("a state without an empty cell");
    }
    int empty = (int)(found - from);
    int next = twin_slide_cell(world->rows, world->columns, empty, move);
    if (next < 0) {
        return false;
    }
    bool along_column = move == 'd' || move == 'u';
    memcpy(to, from, cells);
    to[empty] = along_column ? roll_along_column(from[next]) : roll_along_row(from[next]);
    to[next] = EMPTY;
    return true;
}

// The ways of the cubes are digits in base 6, and the empty cell is the last digit.
static size_t number_row(const void *puzzle, const uint8_t *row)
{
    const struct twin_rolling *world = puzzle;
    size_t number = 0;
    size_t empty = 0;
    for (int cell = 0; cell < world->rows * world->columns; cell++) {
        if (row[cell] == EMPTY) {
            empty = (size_t)cell;
        } else {
            number = number * LIES + row[cell];
        }
    }
    return number * TWIN_ROLLING_CELLS + empty;
}

struct twin_rolling *twin_rolling_explore(int rows, int columns, int empty)
{
    uint8_t start[TWIN_ROLLING_CELLS] = {0}; // way 0 for every cube
    if (rows < 1 || columns < 1 || rows * columns > TWIN_ROLLING_CELLS) {
        die("impossible board");
    }
    if (empty < 0 || empty >= rows * columns) {
        die("the empty cell is not on the board");
    }
    start[empty] = EMPTY;
    struct twin_rolling *world = must_allocate(1, sizeof *world);
    world->rows = rows;
    world->columns = columns;
    struct twin_rules rules = {.puzzle = world,
                               .row_bytes = (size_t)(rows * columns),
                               .move_count = (unsigned)strlen(TWIN_SLIDE_MOVES),
                               .apply = apply,
                               .number_row = number_row,
                               .row_numbers = TWIN_ROLLING_CELLS};
    for (int cube = 1; cube < rows * columns; cube++) {
        rules.row_numbers *= LIES;
    }
    world->states = twin_search(&rules, start, SIZE_MAX);
    return world;
}

void twin_rolling_free(struct twin_rolling *world)
{
    twin_free(world->states);
    free(world);
}

static char top_of(uint8_t cell)
{
    return cell == EMPTY ? 'E' : WAYS[cell].top;
}

void twin_rolling_tops(const struct twin_rolling *world, size_t number,
                       char out[TWIN_ROLLING_CELLS + 1])
{
    const uint8_t *row = twin_row(world->states, number);
    int cells = world->rows * world->columns;
    for (int cell = 0; cell < cells; cell++) {
        out[cell] = top_of(row[cell]);
    }
    out[cells] = '\0';
}

static bool matches(const void *target, const uint8_t *row)
{
    const char *tops = target;
    for (int cell = 0; tops[cell]; cell++) {
        if (tops[cell] != '*' && tops[cell] != top_of(row[cell])) {
            return false;
        }
    }
    return true;
}

int twin_rolling_steps(const struct twin_rolling *world, const char *target)
{
    size_t length = strspn(target, "WRBE*");
    if (target[length] || length != world->states->row_bytes) {
        die("a target of the wrong length, or with a letter other than W R B E *");
    }
    return twin_steps(world->states, twin_find_match(world->states, matches, target));
}

void twin_rolling_path_to(const struct twin_rolling *world, size_t number,
                          char out[TWIN_ROLLING_PATH])
{
    unsigned moves[TWIN_ROLLING_PATH];
    int steps = twin_path(world->states, number, moves, TWIN_ROLLING_PATH - 1);
    for (int i = 0; i < steps; i++) {
        out[i] = TWIN_SLIDE_MOVES[moves[i]];
    }
    out[steps] = '\0';
}
