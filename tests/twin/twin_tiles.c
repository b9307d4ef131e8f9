// The twin of the sliding boards that have a table.
#include "twin_tiles.h"

#include "twin_misuse.h"

#include <string.h>

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

void twin_tiles_list_moves(struct twin_tiles *tiles)
{
    const int sizes[] = {tiles->layers,  tiles->layers,  tiles->rows,
                         tiles->columns, tiles->columns, tiles->rows};
    tiles->move_count = 0;
    for (int d = 0; d < 6; d++) {
        for (int length = 1; length < sizes[d] && (tiles->multi || length == 1); length++) {
            if (tiles->move_count == TWIN_TILES_MOVES) {
                die("too many moves of tiles");
            }
            char *name = tiles->names[tiles->move_count++];
            snprintf(name, TWIN_TILES_NAME, "%c%d", "abdlru"[d], length % 100);
            name[length == 1 ? 1 : 7] = '\0';
        }
    }
    qsort(tiles->names, (size_t)tiles->move_count, TWIN_TILES_NAME, compare_names);
}

// Takes the blank one cell. `at` is its column, row and layer.
static bool move_once(const struct twin_tiles *tiles, char way, uint8_t *board, int at[3])
{
    int next[3] = {at[0] + (way == 'r') - (way == 'l'), at[1] + (way == 'd') - (way == 'u'),
                   at[2] + (way == 'b') - (way == 'a')};
    if (next[0] < 0 || next[1] < 0 || next[2] < 0 || next[0] == tiles->columns ||
        next[1] == tiles->rows || next[2] == tiles->layers) {
        return false;
    }
    int from = (at[2] * tiles->rows + at[1]) * tiles->columns + at[0];
    int to = (next[2] * tiles->rows + next[1]) * tiles->columns + next[0];
    board[from] = board[to];
    board[to] = 0;
    memcpy(at, next, sizeof next);
    return true;
}

bool twin_tiles_move(const struct twin_tiles *tiles, const char *name, const uint8_t *from,
                     uint8_t *to)
{
    int cells = tiles->columns * tiles->rows * tiles->layers;
    const uint8_t *blank = memchr(from, 0, (size_t)cells);
    int times = name[1] ? atoi(name + 1) : 1;
    if (!blank) {
        die("a board without a blank");
    }
    int cell = (int)(blank - from);
    int at[3] = {cell % tiles->columns, cell / tiles->columns % tiles->rows,
                 cell / tiles->columns / tiles->rows};
    memcpy(to, from, (size_t)cells);
    for (int i = 0; i < times; i++) {
        if (!move_once(tiles, name[0], to, at)) {
            return false;
        }
    }
    return true;
}

static bool apply(const void *puzzle, unsigned move, const uint8_t *from, uint8_t *to)
{
    const struct twin_tiles *tiles = puzzle;
    return twin_tiles_move(tiles, tiles->names[move], from, to);
}

struct twin_states *twin_tiles_search(const struct twin_tiles *tiles, const uint8_t *root,
                                      size_t most)
{
    const struct twin_rules rules = {
        .puzzle = tiles,
        .row_bytes = (size_t)(tiles->columns * tiles->rows * tiles->layers),
        .move_count = (unsigned)tiles->move_count,
        .apply = apply,
    };
    return twin_search(&rules, root, most);
}
