// The twin of the Game.
//
// One search from 123456789 answers every query. A move acts on places, so renaming the tiles of
// start and target in the same way changes no path. Rename them so that start becomes 123456789.
#include "twin_game.h"

#include "twin_misuse.h"

#include <string.h>

enum { BOARDS = 362880, MOVES = 12 };

// In byte order.
static const char NAMES[MOVES][4] = {
    "C1", "C1'", "C2", "C2'", "C3", "C3'", "R1", "R1'", "R2", "R2'", "R3", "R3'",
};

// The cell with this place in a row or a column.
static int cell_of(bool is_row, int line, int place)
{
    return is_row ? 3 * line + place : 3 * place + line;
}

static bool apply(const void *unused, unsigned move, const uint8_t *from, uint8_t *to)
{
    bool is_row = NAMES[move][0] == 'R';
    int line = NAMES[move][1] - '1';
    bool is_back = NAMES[move][2] == '\'';
    (void)unused;
    memcpy(to, from, TWIN_GAME_CELLS);
    for (int place = 0; place < 3; place++) {
        int next = (place + (is_back ? 2 : 1)) % 3;
        to[cell_of(is_row, line, next)] = from[cell_of(is_row, line, place)];
    }
    return true;
}

const struct twin_states *twin_game_states(void)
{
    static const struct twin_rules RULES = {
        .row_bytes = TWIN_GAME_CELLS, .move_count = MOVES, .apply = apply};
    static struct twin_states *states;
    if (!states) {
        states = twin_search(&RULES, (const uint8_t *)"123456789", BOARDS);
    }
    return states;
}

static bool fits(const void *target, const uint8_t *board)
{
    const char *wanted = target;
    for (int cell = 0; cell < TWIN_GAME_CELLS; cell++) {
        if (wanted[cell] != '*' && wanted[cell] != board[cell]) {
            return false;
        }
    }
    return true;
}

static bool is_board(const char *board)
{
    for (char tile = '1'; tile <= '9'; tile++) {
        if (!memchr(board, tile, TWIN_GAME_CELLS)) {
            return false;
        }
    }
    return true;
}

// The number of the nearest board that fits, after the renaming. The count of states if none does.
static size_t find_nearest(const char *start, const char *target)
{
    char renamed[TWIN_GAME_CELLS];
    if (!is_board(start)) {
        return twin_game_states()->count;
    }
    for (int cell = 0; cell < TWIN_GAME_CELLS; cell++) {
        const char *home = memchr(start, target[cell], TWIN_GAME_CELLS);
        renamed[cell] = home ? (char)('1' + (home - start)) : target[cell];
    }
    return twin_find_match(twin_game_states(), fits, renamed);
}

int twin_game_steps(const char *start, const char *target)
{
    return twin_steps(twin_game_states(), find_nearest(start, target));
}

bool twin_game_path(const char *start, const char *target, char out[TWIN_GAME_PATH])
{
    enum { MOST = TWIN_GAME_PATH / 4 };
    unsigned moves[MOST];
    size_t number = find_nearest(start, target);
    out[0] = '\0';
    if (number == twin_game_states()->count) {
        return false;
    }
    int steps = twin_path(twin_game_states(), number, moves, MOST);
    for (int i = 0; i < steps; i++) {
        strcat(out, i > 0 ? " " : "");
        strcat(out, NAMES[moves[i]]);
    }
    return true;
}
