// The twin of the sliding boards that are too large for a table.
#include "twin_slide.h"

#include "twin_misuse.h"
#include "twin_search.h"

#include <string.h>

int twin_slide_cell(int rows, int columns, int blank, char move)
{
    int row = blank / columns + (move == 'd') - (move == 'u');
    int column = blank % columns + (move == 'r') - (move == 'l');
    if (!strchr(TWIN_SLIDE_MOVES, move)) {
        die("a move other than d l r u");
    }
    if (row < 0 || row >= rows || column < 0 || column >= columns) {
        return -1;
    }
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
        cell_of(cells, board, tile); // if all tiles are there, none is there twice
}

// ---- One board to another -----------------------------------------------------------------------

// Number the tiles by their places in the goal, without the blank. A move
// along a row does not change the order of the tiles. A move along a column
// takes one tile past columns - 1 others. Each of these exchanges makes one
// inversion more or less, and the goal has no inversions. So if columns is
// odd, the start needs an even number of inversions. If columns is even, the
// number must be even or odd like the number of rows that the blank has to go.
// That is enough unless the board is a single line, where the tiles keep their
// order.

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

// Iterative deepening tries all paths of a bounded length in byte order, except
// those that undo a move at once. The bound grows until a path leads to the
// goal. A path is given up when the Manhattan distances of all tiles add up to
// more than the moves left.

static char opposite_of(char move)
{
    return "urld"[strchr(TWIN_SLIDE_MOVES, move) - TWIN_SLIDE_MOVES];
}

enum result { NOT_FOUND, FOUND, GAVE_UP };

struct search {
    int rows;
    int columns;
    int bound;
    int board[TWIN_SLIDE_CELLS];
    int goal_cell[TWIN_SLIDE_CELLS]; // by tile
    long long nodes;
    long long most_nodes;
    char *path;
};

static enum result search(struct search *s, int depth, int blank, char undo, int away)
{
    if (++s->nodes > s->most_nodes)
        return GAVE_UP;
    if (away == 0) {
        s->path[depth] = '\0';
        return FOUND;
    }

    for (const char *move = TWIN_SLIDE_MOVES; *move; move++) {
        int next = twin_slide_cell(s->rows, s->columns, blank, *move);

        if (next < 0 || *move == undo)
            continue;

        int tile = s->board[next];
        int home = s->goal_cell[tile];
        int next_away = away - manhattan_distance(s->columns, next, home) +
                        manhattan_distance(s->columns, blank, home);

        if (depth + 1 + next_away > s->bound)
            continue;

        s->path[depth] = *move;
        s->board[blank] = tile;
        s->board[next] = 0;

        enum result result = search(s, depth + 1, next, opposite_of(*move), next_away);

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

    // A move changes the sum of the distances by 1: all paths have even lengths, or all odd.
    for (s.bound = away; s.bound < TWIN_SLIDE_PATH; s.bound += 2) {
        switch (search(&s, 0, cell_of(cells, start, 0), ' ', away)) {
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

bool twin_slide_replay(int rows, int columns, int *board, const char *path)
{
    if (rows < 1 || columns < 1 || rows > INT32_MAX / columns)
        die("impossible board");

    int blank = cell_of(rows * columns, board, 0);

    for (; *path; path++) {
        int next = twin_slide_cell(rows, columns, blank, *path);

        if (next < 0)
            return false;
        board[blank] = board[next];
        board[next] = 0;
        blank = next;
    }
    return true;
}

// ---- A pattern database -------------------------------------------------------------------------

// Only moves of the database's tiles count. So a state is the cells of these tiles and where the
// blank can go without moving them: its region, named by its first cell. A move takes a tile to a
// neighbour in the region.

struct twin_database {
    int rows;
    int columns;
    int tile_count;
    struct twin_states *states; // the name of the region, then the cells of the tiles
};

// Marks the cells that the blank can go to.
static void spread(const struct twin_database *database, const uint8_t *tiles, int blank,
                   bool region[TWIN_DATABASE_CELLS])
{
    region[blank] = true;
    for (const char *move = TWIN_SLIDE_MOVES; *move; move++) {
        int next = twin_slide_cell(database->rows, database->columns, blank, *move);
        if (next >= 0 && !region[next] && !memchr(tiles, next, (size_t)database->tile_count)) {
            spread(database, tiles, next, region);
        }
    }
}

static uint8_t name_region(const struct twin_database *database, const uint8_t *tiles, int blank)
{
    bool region[TWIN_DATABASE_CELLS] = {false};
    uint8_t first = 0;
    spread(database, tiles, blank, region);
    while (!region[first]) {
        first++;
    }
    return first;
}

// There is a move for each tile and each way it can go.
static bool apply(const void *puzzle, unsigned m, const uint8_t *from, uint8_t *to)
{
    const struct twin_database *database = puzzle;
    const uint8_t *tile = &from[1 + m / 4];
    int next = twin_slide_cell(database->rows, database->columns, *tile, TWIN_SLIDE_MOVES[m % 4]);
    bool region[TWIN_DATABASE_CELLS] = {false};
    spread(database, from + 1, from[0], region);
    if (next < 0 || !region[next]) {
        return false;
    }
    memcpy(to, from, 1 + (size_t)database->tile_count);
    to[1 + m / 4] = (uint8_t)next;
    to[0] = name_region(database, to + 1, *tile);
    return true;
}

struct twin_database *twin_database_make(int rows, int columns, const int *goal, const int *tiles,
                                         int tile_count)
{
    int cells = rows * columns;
    uint8_t solved[1 + TWIN_DATABASE_TILES];
    check_size(rows, columns, TWIN_DATABASE_CELLS);
    check_board(cells, goal);
    if (tile_count < 0 || tile_count > TWIN_DATABASE_TILES) {
        die("too many tiles");
    }
    for (int t = 0; t < tile_count; t++) {
        solved[1 + t] = (uint8_t)cell_of(cells, goal, tiles[t]);
        if (tiles[t] == 0 || memchr(solved + 1, solved[1 + t], (size_t)t)) {
            die("a tile that is the blank, or one twice");
        }
    }
    struct twin_database *database = must_allocate(1, sizeof *database);
    *database = (struct twin_database){rows, columns, tile_count, NULL};
    solved[0] = name_region(database, solved + 1, cell_of(cells, goal, 0));
    struct twin_rules rules = {.puzzle = database,
                               .row_bytes = 1 + (size_t)tile_count,
                               .move_count = 4 * (unsigned)tile_count,
                               .apply = apply};
    database->states = twin_search(&rules, solved, SIZE_MAX);
    return database;
}

int twin_database_distance(const struct twin_database *database, const int *cells_of_tiles)
{
    int cells = database->rows * database->columns;
    int least = -1;
    uint8_t row[1 + TWIN_DATABASE_TILES];
    for (int t = 0; t < database->tile_count; t++) {
        if (cells_of_tiles[t] < 0 || cells_of_tiles[t] >= cells) {
            die("a cell that is not on the board");
        }
        row[1 + t] = (uint8_t)cells_of_tiles[t];
    }
    // A cell that is not the first of a region is in no state.
    for (int first = 0; first < cells; first++) {
        row[0] = (uint8_t)first;
        int distance = twin_steps(database->states, twin_find(database->states, row));
        if (distance >= 0 && (least < 0 || distance < least)) {
            least = distance;
        }
    }
    return least;
}

void twin_database_free(struct twin_database *database)
{
    twin_free(database->states);
    free(database);
}
