/*
 * The naive twin: a second derivation of puzzle distances, kept slow and
 * obvious so that the fast code can be compared with it.  It shares nothing
 * with the code under test: no tables, no ranks, no parsers.
 *
 * Misuse (an unknown move name, a row that is no permutation, no memory) ends
 * the program with a message: a twin that guesses would be worth nothing.
 */
#ifndef TWIN_H
#define TWIN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Part 1: the Game.
 *
 * A board is nine tiles '1'..'9' in reading order, as nine chars without a
 * terminator.  A move rotates one row or one column by one place: R1 R2 R3
 * rotate that row to the right, C1 C2 C3 rotate that column down, and a
 * trailing ' means the other way.  The solved board is 123456789.
 */

enum { TWIN_GAME_UNREACHABLE = 255 };

/* The twelve names, in byte order. */
extern const char *const twin_game_moves[12];

/* from and to may be the same board. */
void twin_game_move(const char *name, const char from[9], char to[9]);

/* Place of the board among all 9! boards in dictionary order, from 0. */
unsigned twin_game_rank(const char board[9]);
void twin_game_unrank(unsigned rank, char board[9]);

/*
 * Distance of every board from 123456789, by rank; 9! bytes, with
 * TWIN_GAME_UNREACHABLE for boards no moves lead to.  Computed by the first
 * call, never freed.
 */
const unsigned char *twin_game_distances(void);

/*
 * Fewest moves from start to any board that fits target, in which '*' stands
 * for any tile.  -1 if no such board can be reached, or if start is no board.
 */
int twin_game_steps(const char start[9], const char target[9]);

/*
 * The shortest path whose sequence of names comes first in byte order, names
 * separated by single spaces; empty if start already fits.  False, and out
 * empty, if there is no path.
 */
bool twin_game_path(const char start[9], const char target[9], char out[64]);

/*
 * Part 2: permutation puzzles in general.
 *
 * A puzzle has up to four sets of pieces.  A state tells for each slot which
 * piece is there (numbers from 1 within each set; indistinct pieces have the
 * same number) and how it is turned (0 .. orientations - 1).  All arrays hold
 * the slots of all sets one set after the other; entries past the last slot
 * mean nothing.
 *
 * A move says for each slot from which slot of the same set (from 1 within the
 * set) its new piece comes; its orientation row belongs to the slot a piece
 * leaves:
 *
 *     new.piece[i] = old.piece[p[i]]
 *     new.orientation[i] = (old.orientation[p[i]] + o[p[i]]) mod orientations
 *
 * Two states are equal if they have the same pieces in the same slots, turned
 * the same way; the turning is not compared for a piece whose number the
 * solved state holds, in the same set, in any slot flagged as ignored.  Other
 * orientations, and all piece numbers, must be in range in every state given.
 */

enum { TWIN_PIECES = 32, TWIN_SETS = 4, TWIN_MOVES = 8 };

struct twin_set {
    int pieces;
    int orientations;
};

struct twin_move {
    char name[16];
    int piece[TWIN_PIECES];
    int orientation[TWIN_PIECES];
};

struct twin_state {
    int piece[TWIN_PIECES];
    int orientation[TWIN_PIECES];
};

struct twin_puzzle {
    int set_count;
    struct twin_set sets[TWIN_SETS];
    int move_count;
    struct twin_move moves[TWIN_MOVES];
    bool powers; /* each power 1 .. n - 1 of a move of order n is one move; otherwise only the
                    listed moves */
    struct twin_state solved;
    bool ignored[TWIN_PIECES]; /* by slot of solved: the orientation of the piece solved has there
                                  is ignored */
};

/* Opaque: the states reachable from a root, with their distances from it. */
struct twin_world;

/*
 * Writes the effective moves, powers expanded and named, sorted by name as
 * bytes, and returns how many there are.  If that exceeds room then out holds
 * only room of them, so ask with room 0 first to learn the size.
 *
 * The order of a move is that of its action on distinct pieces with no
 * orientation ignored.
 */
size_t twin_all_moves(const struct twin_puzzle *puzzle, struct twin_move *out, size_t room);

/* from and to may be the same state. */
void twin_apply(const struct twin_puzzle *puzzle, const struct twin_move *move,
                const struct twin_state *from, struct twin_state *to);

/* Fewest effective moves that lead from one state to one equal to the other; -1 if none do. */
int twin_distance(const struct twin_puzzle *puzzle, const struct twin_state *from,
                  const struct twin_state *to);

/*
 * Every state reachable from root, once each: of equal states the first one
 * met is kept, as the moves made it.  Distances count moves away from root,
 * which is not the way back if powers is false and a listed move has no
 * listed inverse.
 */
struct twin_world *twin_explore(const struct twin_puzzle *puzzle, const struct twin_state *root);

/* -1 if the state is not among those reached. */
int twin_world_distance(const struct twin_world *world, const struct twin_state *state);

size_t twin_world_count(const struct twin_world *world);

/* States by increasing distance, root first; valid until the world is freed. */
const struct twin_state *twin_world_state(const struct twin_world *world, size_t i);

void twin_world_free(struct twin_world *world);

#endif
