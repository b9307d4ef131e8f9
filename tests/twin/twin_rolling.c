/* The naive twin of the rolling cubes. */
#include "twin_rolling.h"

#include "twin_misuse.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * One breadth-first search from the start tries moves in byte order.  Every
 * query is answered from the queue that it leaves.
 *
 * The queue holds the states of each distance in byte order of their first
 * shortest paths.  This is true for the start.  If it is true for one distance,
 * then states of the next are appended in the order of their parent's path,
 * then of the move.  That is the byte order of paths of that length, and a
 * state is appended when its first path is met.
 *
 * So the path through the parents of a state is its first shortest path.  The
 * first state in the queue that matches a target has the first of all shortest
 * paths to such states.
 */

enum { LIES = 6, EMPTY = LIES, MOVES = 4, FIRST_ROOM = 1024 };

/* Opposite faces look the same, so three faces tell everything. */
struct cube {
    char top;
    char front;
    char right;
};

/* All the ways a cube can lie; at the start, every cube lies in the first way. */
static const struct cube lies[LIES] = {
    {'W', 'R', 'B'}, {'W', 'B', 'R'}, {'R', 'W', 'B'},
    {'R', 'B', 'W'}, {'B', 'W', 'R'}, {'B', 'R', 'W'},
};

/* In byte order of the names. down and right are the step of the empty cell. */
static const struct move {
    char name;
    int down;
    int right;
} moves[MOVES] = {
    {'d', 1, 0},
    {'l', 0, -1},
    {'r', 0, 1},
    {'u', -1, 0},
};

struct state {
    uint32_t parent; /* number of the state it was first met from; the start is its own parent */
    uint8_t distance;
    char move;                         /* that led here from the parent */
    uint8_t cells[TWIN_ROLLING_CELLS]; /* in reading order, a way to lie or EMPTY */
};

struct twin_rolling {
    int rows;
    int columns;
    struct state *states;
    size_t count;
    size_t room;
};

static int cell_count(const struct twin_rolling *world)
{
    return world->rows * world->columns;
}

static const struct state *state_at(const struct twin_rolling *world, size_t i)
{
    if (i >= world->count)
        die("state past the last");
    return &world->states[i];
}

static uint8_t lie_of(struct cube cube)
{
    for (uint8_t i = 0; i < LIES; i++) {
        if (lies[i].top == cube.top && lies[i].front == cube.front && lies[i].right == cube.right)
            return i;
    }
    die("a cube lies in no known way");
}

static uint8_t roll_along_column(uint8_t lie)
{
    struct cube old = lies[lie];
    struct cube rolled = {.top = old.front, .front = old.top, .right = old.right};

    return lie_of(rolled);
}

static uint8_t roll_along_row(uint8_t lie)
{
    struct cube old = lies[lie];
    struct cube rolled = {.top = old.right, .front = old.front, .right = old.top};

    return lie_of(rolled);
}

static int empty_cell(const struct twin_rolling *world, const struct state *state)
{
    for (int cell = 0; cell < cell_count(world); cell++) {
        if (state->cells[cell] == EMPTY)
            return cell;
    }
    die("a state without an empty cell");
}

/* Returns false and does not change the state if the empty cell would leave the board. */
static bool make_move(const struct twin_rolling *world, const struct move *move,
                      struct state *state)
{
    int empty = empty_cell(world, state);
    int row = empty / world->columns + move->down;
    int column = empty % world->columns + move->right;

    if (row < 0 || row >= world->rows || column < 0 || column >= world->columns)
        return false;

    int from = row * world->columns + column;
    bool along_column = move->down != 0;

    state->cells[empty] =
        along_column ? roll_along_column(state->cells[from]) : roll_along_row(state->cells[from]);
    state->cells[from] = EMPTY;
    return true;
}

/* The number of states with any empty cell and every cube lying in any way, reachable or not. */
static size_t conceivable_count(const struct twin_rolling *world)
{
    size_t count = (size_t)cell_count(world);

    for (int cube = 0; cube < cell_count(world) - 1; cube++)
        count *= LIES;
    return count;
}

/* The number of a state among the conceivable ones: the empty cell, then one digit in base 6 for
 * each cube. */
static size_t conceivable_index(const struct twin_rolling *world, const struct state *state)
{
    size_t index = (size_t)empty_cell(world, state);

    for (int cell = 0; cell < cell_count(world); cell++) {
        if (state->cells[cell] != EMPTY)
            index = index * LIES + state->cells[cell];
    }
    return index;
}

static void append(struct twin_rolling *world, const struct state *state)
{
    if (world->count == world->room) {
        size_t room = world->room ? 2 * world->room : FIRST_ROOM;
        struct state *states = realloc(world->states, room * sizeof *states);

        if (!states)
            die("out of memory");
        world->states = states;
        world->room = room;
    }
    world->states[world->count++] = *state;
}

struct twin_rolling *twin_rolling_explore(int rows, int columns, int empty)
{
    if (rows < 1 || rows > TWIN_ROLLING_CELLS || columns < 1 || columns > TWIN_ROLLING_CELLS ||
        rows * columns > TWIN_ROLLING_CELLS)
        die("impossible board");
    if (empty < 0 || empty >= rows * columns)
        die("the empty cell is not on the board");

    struct twin_rolling *world = must_allocate(1, sizeof *world);

    world->rows = rows;
    world->columns = columns;

    bool *seen = must_allocate(conceivable_count(world), sizeof *seen);
    struct state start = {0}; /* way 0 for every cube */

    start.cells[empty] = EMPTY;
    append(world, &start);
    seen[conceivable_index(world, &start)] = true;

    /* The states from i on are the queue. */
    for (size_t i = 0; i < world->count; i++) {
        for (int m = 0; m < MOVES; m++) {
            struct state next = world->states[i];

            if (!make_move(world, &moves[m], &next))
                continue;

            size_t index = conceivable_index(world, &next);

            if (seen[index])
                continue;
            seen[index] = true;
            if (next.distance == UINT8_MAX)
                die("a distance is too large to be stored");
            next.distance++;
            next.parent = (uint32_t)i;
            next.move = moves[m].name;
            append(world, &next);
        }
    }

    free(seen);
    return world;
}

void twin_rolling_free(struct twin_rolling *world)
{
    if (!world)
        return;
    free(world->states);
    free(world);
}

size_t twin_rolling_count(const struct twin_rolling *world)
{
    return world->count;
}

static char top_of(uint8_t cell)
{
    return cell == EMPTY ? 'E' : lies[cell].top;
}

void twin_rolling_tops(const struct twin_rolling *world, size_t i, char out[TWIN_ROLLING_CELLS + 1])
{
    const struct state *state = state_at(world, i);

    for (int cell = 0; cell < cell_count(world); cell++)
        out[cell] = top_of(state->cells[cell]);
    out[cell_count(world)] = '\0';
}

int twin_rolling_distance(const struct twin_rolling *world, size_t i)
{
    return state_at(world, i)->distance;
}

static bool matches_target(const struct twin_rolling *world, const struct state *state,
                           const char *target)
{
    for (int cell = 0; cell < cell_count(world); cell++) {
        if (target[cell] != '*' && target[cell] != top_of(state->cells[cell]))
            return false;
    }
    return true;
}

/* The number of the first state in the queue that matches the target; the count of states if none
 * does. */
static size_t first_match(const struct twin_rolling *world, const char *target)
{
    size_t i = 0;

    if (strlen(target) != (size_t)cell_count(world))
        die("a target of the wrong length");
    if (strspn(target, "WRBE*") != strlen(target))
        die("a target with a letter other than W R B E *");

    while (i < world->count && !matches_target(world, &world->states[i], target))
        i++;
    return i;
}

int twin_rolling_steps(const struct twin_rolling *world, const char *target)
{
    size_t i = first_match(world, target);

    return i < world->count ? world->states[i].distance : -1;
}

void twin_rolling_path_to(const struct twin_rolling *world, size_t i, char out[TWIN_ROLLING_PATH])
{
    const struct state *state = state_at(world, i);

    if (state->distance >= TWIN_ROLLING_PATH)
        die("a path too long for its buffer");

    /* The parents lead backwards, so the path is written from its end. */
    out[state->distance] = '\0';
    while (state->distance > 0) {
        out[state->distance - 1] = state->move;
        state = &world->states[state->parent];
    }
}
