/* The naive twin of the sliding boards that are too large for a table. */
#include "twin_slide.h"

#include "twin_misuse.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOVES = 4 };

/* In byte order of the names. Moves i and 3 - i undo each other. down and right are the step of the
 * blank. */
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

/* The cell that the blank goes to; -1 if it would leave the board. */
static int cell_after(int rows, int columns, int blank, const struct move *move)
{
    int row = blank / columns + move->down;
    int column = blank % columns + move->right;

    if (row < 0 || row >= rows || column < 0 || column >= columns)
        return -1;
    return row * columns + column;
}

static int cell_of(int cells, const int *board, int tile)
{
    for (int cell = 0; cell < cells; cell++) {
        if (board[cell] == tile)
            return cell;
    }
    die("a board without a tile that belongs there");
}

static int manhattan_distance(int columns, int a, int b)
{
    return abs(a / columns - b / columns) + abs(a % columns - b % columns);
}

static void check_size(int rows, int columns, int most_cells)
{
    if (rows < 1 || rows > most_cells || columns < 1 || columns > most_cells ||
        rows * columns > most_cells)
        die("impossible board");
}

static void check_board(int cells, const int *board)
{
    for (int tile = 0; tile < cells; tile++)
        cell_of(cells, board, tile); /* if all tiles are there, none is there twice */
}

/*
 * Part 1: one board to another.
 *
 * Number the tiles by their places in the goal, without the blank.  A move
 * along a row does not change the order of the tiles.  A move along a column
 * takes one tile past columns - 1 others.  Each of these exchanges makes one
 * inversion more or less, and the goal has no inversions.  So if columns is
 * odd, the start needs an even number of inversions.  If columns is even, the
 * number must be even or odd like the number of rows that the blank has to go.
 * That is enough unless the board is a single line, where the tiles keep their
 * order.
 */

static int count_inversions(int cells, const int *start, const int *goal)
{
    int inversions = 0;

    for (int a = 0; a < cells; a++) {
        for (int b = a + 1; b < cells; b++) {
            if (start[a] != 0 && start[b] != 0 &&
                cell_of(cells, goal, start[a]) > cell_of(cells, goal, start[b]))
                inversions++;
        }
    }
    return inversions;
}

static bool can_be_reached(int rows, int columns, const int *start, const int *goal)
{
    int cells = rows * columns;
    int inversions = count_inversions(cells, start, goal);
    int blank_rows = abs(cell_of(cells, start, 0) / columns - cell_of(cells, goal, 0) / columns);

    if (rows == 1 || columns == 1)
        return inversions == 0;
    return (inversions + (columns - 1) * blank_rows) % 2 == 0;
}

/*
 * Iterative deepening tries all paths of a bounded length in byte order, except
 * those that undo a move at once.  The bound grows until a path leads to the
 * goal.  A path is given up when the Manhattan distances of all tiles add up to
 * more than the moves left.
 */

enum result { NOT_FOUND, FOUND, GAVE_UP };

struct search {
    int rows;
    int columns;
    int bound;
    int board[TWIN_SLIDE_CELLS];
    int goal_cell[TWIN_SLIDE_CELLS]; /* by tile */
    long long nodes;
    long long most_nodes;
    char *path;
};

static enum result search(struct search *s, int depth, int blank, int last, int away)
{
    if (++s->nodes > s->most_nodes)
        return GAVE_UP;
    if (away == 0) {
        s->path[depth] = '\0';
        return FOUND;
    }

    for (int m = 0; m < MOVES; m++) {
        int next = cell_after(s->rows, s->columns, blank, &moves[m]);

        if (next < 0 || m == MOVES - 1 - last)
            continue;

        int tile = s->board[next];
        int home = s->goal_cell[tile];
        int next_away = away - manhattan_distance(s->columns, next, home) +
                        manhattan_distance(s->columns, blank, home);

        if (depth + 1 + next_away > s->bound)
            continue;

        s->path[depth] = moves[m].name;
        s->board[blank] = tile;
        s->board[next] = 0;

        enum result result = search(s, depth + 1, next, m, next_away);

        s->board[next] = tile;
        s->board[blank] = 0;
        if (result != NOT_FOUND)
            return result;
    }
    return NOT_FOUND;
}

int twin_slide_solve(int rows, int columns, const int *start, const int *goal, long long most_nodes,
                     char path[TWIN_SLIDE_PATH])
{
    check_size(rows, columns, TWIN_SLIDE_CELLS);

    int cells = rows * columns;
    int away = 0;

    check_board(cells, start);
    check_board(cells, goal);
    path[0] = '\0';
    if (!can_be_reached(rows, columns, start, goal))
        return TWIN_SLIDE_UNREACHABLE;

    struct search s = {.rows = rows, .columns = columns, .most_nodes = most_nodes, .path = path};

    for (int cell = 0; cell < cells; cell++) {
        int tile = start[cell];

        s.board[cell] = tile;
        s.goal_cell[tile] = cell_of(cells, goal, tile);
        if (tile != 0)
            away += manhattan_distance(columns, cell, s.goal_cell[tile]);
    }

    /* A move changes the sum of the distances by 1: all paths have even lengths, or all odd. */
    for (s.bound = away; s.bound < TWIN_SLIDE_PATH; s.bound += 2) {
        switch (search(&s, 0, cell_of(cells, start, 0), MOVES, away)) {
        case FOUND:
            return (int)strlen(path);
        case GAVE_UP:
            path[0] = '\0';
            return TWIN_SLIDE_GAVE_UP;
        case NOT_FOUND:
            break;
        }
    }
    die("a path too long for its buffer");
}

static const struct move *move_named(char name)
{
    for (int m = 0; m < MOVES; m++) {
        if (moves[m].name == tolower((unsigned char)name))
            return &moves[m];
    }
    die("a move other than d l r u");
}

bool twin_slide_replay(int rows, int columns, int *board, const char *path)
{
    if (rows < 1 || columns < 1 || rows > INT32_MAX / columns)
        die("impossible board");

    int blank = cell_of(rows * columns, board, 0);

    for (; *path; path++) {
        int next = cell_after(rows, columns, blank, move_named(*path));

        if (next < 0)
            return false;
        board[blank] = board[next];
        board[next] = 0;
        blank = next;
    }
    return true;
}

/*
 * Part 2: a pattern database.
 *
 * A state is the cells of the blank and of the database's tiles.  These cells
 * are the digits of its number.  A move costs 1 if it moves one of these tiles,
 * else 0.  Breadth-first search works with such costs if its queue is open at
 * both ends.  A state that was reached at no cost comes next, and one that was
 * reached at cost 1 comes last.  So distances in the queue never fall, and
 * differ by at most 1.
 */

enum { UNREACHED = UINT8_MAX };

struct twin_database {
    int rows;
    int columns;
    int tile_count;
    size_t states;
    uint8_t *distance; /* by the number of a state */
};

struct pattern {
    int blank;
    int tiles[TWIN_DATABASE_TILES];
};

/* A queue that is open at both ends, as a ring. */
struct deque {
    uint32_t *states;
    size_t room;
    size_t first;
    size_t count;
};

static void push_back(struct deque *deque, size_t state)
{
    if (deque->count == deque->room)
        die("a queue too long");
    deque->states[(deque->first + deque->count++) % deque->room] = (uint32_t)state;
}

static void push_front(struct deque *deque, size_t state)
{
    if (deque->count == deque->room)
        die("a queue too long");
    deque->first = (deque->first + deque->room - 1) % deque->room;
    deque->states[deque->first] = (uint32_t)state;
    deque->count++;
}

static size_t pop_front(struct deque *deque)
{
    size_t state = deque->states[deque->first];

    deque->first = (deque->first + 1) % deque->room;
    deque->count--;
    return state;
}

static size_t number_of(const struct twin_database *database, const struct pattern *pattern)
{
    size_t cells = (size_t)database->rows * (size_t)database->columns;
    size_t number = (size_t)pattern->blank;

    for (int t = 0; t < database->tile_count; t++)
        number = number * cells + (size_t)pattern->tiles[t];
    return number;
}

static struct pattern pattern_of(const struct twin_database *database, size_t number)
{
    size_t cells = (size_t)database->rows * (size_t)database->columns;
    struct pattern pattern = {0};

    for (int t = database->tile_count - 1; t >= 0; t--) {
        pattern.tiles[t] = (int)(number % cells);
        number /= cells;
    }
    pattern.blank = (int)number;
    return pattern;
}

/* Returns false and does not change the pattern if the blank would leave the board. */
static bool make_move(const struct twin_database *database, const struct move *move,
                      struct pattern *pattern, int *cost)
{
    int next = cell_after(database->rows, database->columns, pattern->blank, move);

    if (next < 0)
        return false;
    *cost = 0;
    for (int t = 0; t < database->tile_count; t++) {
        if (pattern->tiles[t] == next) {
            pattern->tiles[t] = pattern->blank;
            *cost = 1;
        }
    }
    pattern->blank = next;
    return true;
}

struct twin_database *twin_database_make(int rows, int columns, const int *goal, const int *tiles,
                                         int tile_count)
{
    check_size(rows, columns, TWIN_DATABASE_CELLS);

    int cells = rows * columns;

    check_board(cells, goal);
    if (tile_count < 0 || tile_count > TWIN_DATABASE_TILES)
        die("too many tiles");

    struct twin_database *database = must_allocate(1, sizeof *database);
    struct pattern solved = {.blank = cell_of(cells, goal, 0)};

    database->rows = rows;
    database->columns = columns;
    database->tile_count = tile_count;
    database->states = (size_t)cells;
    for (int t = 0; t < tile_count; t++) {
        if (tiles[t] <= 0 || tiles[t] >= cells)
            die("a tile that is not on the board");
        for (int other = 0; other < t; other++) {
            if (tiles[other] == tiles[t])
                die("a tile twice");
        }
        solved.tiles[t] = cell_of(cells, goal, tiles[t]);
        database->states *= (size_t)cells;
    }
    if (database->states > TWIN_DATABASE_STATES)
        die("too many tiles for this board");

    database->distance = must_allocate(database->states, sizeof *database->distance);
    memset(database->distance, UNREACHED, database->states * sizeof *database->distance);

    /* A state is appended when it is first met, and again if it is then met at a lower cost. */
    struct deque deque = {.room = 2 * database->states};

    deque.states = must_allocate(deque.room, sizeof *deque.states);
    database->distance[number_of(database, &solved)] = 0;
    push_back(&deque, number_of(database, &solved));

    while (deque.count > 0) {
        size_t from = pop_front(&deque);

        for (int m = 0; m < MOVES; m++) {
            struct pattern pattern = pattern_of(database, from);
            int cost;

            if (!make_move(database, &moves[m], &pattern, &cost))
                continue;

            size_t to = number_of(database, &pattern);
            int distance = database->distance[from] + cost;

            if (distance >= database->distance[to]) {
                if (database->distance[to] == UNREACHED)
                    die("a distance is too large to be stored");
                continue;
            }
            database->distance[to] = (uint8_t)distance;
            if (cost == 0)
                push_front(&deque, to);
            else
                push_back(&deque, to);
        }
    }

    free(deque.states);
    return database;
}

int twin_database_distance(const struct twin_database *database, const int *cells_of_tiles)
{
    int cells = database->rows * database->columns;
    int least = UNREACHED;
    struct pattern pattern = {0};

    for (int t = 0; t < database->tile_count; t++) {
        if (cells_of_tiles[t] < 0 || cells_of_tiles[t] >= cells)
            die("a cell that is not on the board");
        for (int other = 0; other < t; other++) {
            if (cells_of_tiles[other] == cells_of_tiles[t])
                die("two tiles in one cell");
        }
        pattern.tiles[t] = cells_of_tiles[t];
    }

    /* No state was reached in which the blank is in the cell of a tile. */
    for (pattern.blank = 0; pattern.blank < cells; pattern.blank++) {
        int distance = database->distance[number_of(database, &pattern)];

        if (distance < least)
            least = distance;
    }
    return least == UNREACHED ? -1 : least;
}

void twin_database_free(struct twin_database *database)
{
    if (!database)
        return;
    free(database->distance);
    free(database);
}
