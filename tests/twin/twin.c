/* The naive twin of the Game and of permutation puzzles. */
#include "twin.h"

#include "twin_misuse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Part 1: the Game.
 *
 * One breadth-first search from 123456789 gives the distance of every board
 * from there.  The distance between two boards follows by renaming tiles.  A
 * move acts on places, so renaming the tiles of both boards in the same way
 * changes no path.  Rename them so that start becomes 123456789, and look the
 * distance up.  For a target with stars, try every board that fits.
 *
 * The first shortest path needs no search of its own: at each board take the
 * first name in byte order that brings the target one step nearer.
 */

enum { GAME_BOARDS = 362880, GAME_MOVES = 12, GAME_PATH = 64 };

static const char game_solved[] = "123456789";

const char *const twin_game_moves[12] = {
    "C1", "C1'", "C2", "C2'", "C3", "C3'", "R1", "R1'", "R2", "R2'", "R3", "R3'",
};

static void rotate_row_right(int row, const char from[9], char to[9])
{
    to[3 * row + 0] = from[3 * row + 2];
    to[3 * row + 1] = from[3 * row + 0];
    to[3 * row + 2] = from[3 * row + 1];
}

static void rotate_row_left(int row, const char from[9], char to[9])
{
    to[3 * row + 0] = from[3 * row + 1];
    to[3 * row + 1] = from[3 * row + 2];
    to[3 * row + 2] = from[3 * row + 0];
}

static void rotate_column_down(int column, const char from[9], char to[9])
{
    to[0 + column] = from[6 + column];
    to[3 + column] = from[0 + column];
    to[6 + column] = from[3 + column];
}

static void rotate_column_up(int column, const char from[9], char to[9])
{
    to[0 + column] = from[3 + column];
    to[3 + column] = from[6 + column];
    to[6 + column] = from[0 + column];
}

static bool is_game_move(const char *name)
{
    for (int i = 0; i < GAME_MOVES; i++) {
        if (strcmp(name, twin_game_moves[i]) == 0)
            return true;
    }
    return false;
}

void twin_game_move(const char *name, const char from[9], char to[9])
{
    char old[9];

    if (!is_game_move(name))
        die("unknown move of the Game");

    bool is_row = name[0] == 'R';
    int line = name[1] - '1';
    bool is_back = name[2] == '\'';

    /* The copy lets from and to be the same board. */
    memcpy(old, from, 9);
    memcpy(to, old, 9);
    if (is_row && !is_back)
        rotate_row_right(line, old, to);
    else if (is_row)
        rotate_row_left(line, old, to);
    else if (!is_back)
        rotate_column_down(line, old, to);
    else
        rotate_column_up(line, old, to);
}

static unsigned factorial(unsigned n)
{
    unsigned product = 1;

    for (unsigned i = 2; i <= n; i++)
        product *= i;
    return product;
}

unsigned twin_game_rank(const char board[9])
{
    unsigned rank = 0;

    /* Boards with a smaller tile here come earlier: for each such tile, all orders of the rest. */
    for (unsigned i = 0; i < 9; i++) {
        for (unsigned j = i + 1; j < 9; j++) {
            if (board[j] < board[i])
                rank += factorial(8 - i);
        }
    }
    return rank;
}

void twin_game_unrank(unsigned rank, char board[9])
{
    bool used[9] = {false};

    if (rank >= GAME_BOARDS)
        die("rank past the last board of the Game");

    /* For each tile that is too small to be here, skip all boards that have it here. */
    for (unsigned i = 0; i < 9; i++) {
        for (int tile = 0; tile < 9; tile++) {
            if (used[tile])
                continue;
            if (rank < factorial(8 - i)) {
                board[i] = (char)('1' + tile);
                used[tile] = true;
                break;
            }
            rank -= factorial(8 - i);
        }
    }
}

struct game_board {
    char tiles[9];
};

static void search_game(unsigned char *distances)
{
    struct game_board *queue = must_allocate(GAME_BOARDS, sizeof(*queue));
    size_t head = 0;
    size_t tail = 0;

    memset(distances, TWIN_GAME_UNREACHABLE, GAME_BOARDS);
    memcpy(queue[tail++].tiles, game_solved, 9);
    distances[twin_game_rank(game_solved)] = 0;

    while (head < tail) {
        struct game_board board = queue[head++];
        unsigned distance = distances[twin_game_rank(board.tiles)];

        for (int i = 0; i < GAME_MOVES; i++) {
            struct game_board next;
            unsigned rank;

            twin_game_move(twin_game_moves[i], board.tiles, next.tiles);
            rank = twin_game_rank(next.tiles);
            if (distances[rank] != TWIN_GAME_UNREACHABLE)
                continue;
            distances[rank] = (unsigned char)(distance + 1);
            queue[tail++] = next;
        }
    }
    free(queue);
}

const unsigned char *twin_game_distances(void)
{
    static unsigned char *distances;

    if (!distances) {
        distances = must_allocate(GAME_BOARDS, sizeof(*distances));
        search_game(distances);
    }
    return distances;
}

static bool has_tile(const char board[9], char tile)
{
    for (int i = 0; i < 9; i++) {
        if (board[i] == tile)
            return true;
    }
    return false;
}

static bool is_board(const char board[9])
{
    for (char tile = '1'; tile <= '9'; tile++) {
        if (!has_tile(board, tile))
            return false;
    }
    return true;
}

/* Distance between two full boards, after renaming the tiles so that start becomes 123456789. */
static int steps_between(const char start[9], const char target[9])
{
    char renamed[9] = {0};
    int steps;

    for (int cell = 0; cell < 9; cell++) {
        for (int i = 0; i < 9; i++) {
            if (start[i] == target[cell])
                renamed[cell] = (char)('1' + i);
        }
    }
    steps = twin_game_distances()[twin_game_rank(renamed)];
    return steps == TWIN_GAME_UNREACHABLE ? -1 : steps;
}

/* Fills the first star with each tile that the target lacks; the recursion fills the others. */
static int steps_to_nearest(const char start[9], const char target[9])
{
    const char *star = memchr(target, '*', 9);
    int nearest = -1;

    if (!star)
        return is_board(target) ? steps_between(start, target) : -1;

    for (char tile = '1'; tile <= '9'; tile++) {
        char filled[9];
        int steps;

        if (has_tile(target, tile))
            continue;
        memcpy(filled, target, 9);
        filled[star - target] = tile;
        steps = steps_to_nearest(start, filled);
        if (steps >= 0 && (nearest < 0 || steps < nearest))
            nearest = steps;
    }
    return nearest;
}

int twin_game_steps(const char start[9], const char target[9])
{
    if (!is_board(start))
        return -1;
    return steps_to_nearest(start, target);
}

/* Appends a name, after a space unless it is the first. */
static void append_name(char out[GAME_PATH], const char *name)
{
    const char *space = out[0] ? " " : "";

    if (strlen(out) + strlen(space) + strlen(name) >= GAME_PATH)
        die("path of the Game too long");
    strcat(out, space);
    strcat(out, name);
}

bool twin_game_path(const char start[9], const char target[9], char out[64])
{
    char board[9];
    int steps = twin_game_steps(start, target);

    out[0] = '\0';
    if (steps < 0)
        return false;

    memcpy(board, start, 9);
    while (steps > 0) {
        int i;

        for (i = 0; i < GAME_MOVES; i++) {
            char next[9];

            twin_game_move(twin_game_moves[i], board, next);
            if (twin_game_steps(next, target) == steps - 1) {
                append_name(out, twin_game_moves[i]);
                memcpy(board, next, 9);
                break;
            }
        }
        if (i == GAME_MOVES)
            die("no move of the Game brings the target nearer");
        steps--;
    }
    return true;
}
