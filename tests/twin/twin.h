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

/* Position of the board among all 9! boards in dictionary order, from 0. */
unsigned twin_game_rank(const char board[9]);
void twin_game_unrank(unsigned rank, char board[9]);

/*
 * The distance of every board from 123456789, by rank: 9! bytes.  It is
 * TWIN_GAME_UNREACHABLE if no moves lead to the board.  The first call computes
 * the array, which is never freed.
 */
const unsigned char *twin_game_distances(void);

/*
 * Fewest moves from start to any board that fits target, in which '*' stands
 * for any tile.  -1 if no such board can be reached, or if start is not a
 * board.
 */
int twin_game_steps(const char start[9], const char target[9]);

/*
 * Writes the shortest path whose sequence of names comes first in byte order,
 * with single spaces between the names.  It is empty if start already fits.
 * Returns false, with out empty, if there is no path.
 */
bool twin_game_path(const char start[9], const char target[9], char out[64]);

/*
 * Part 2: permutation puzzles in general.
 *
 * A puzzle has up to four sets of pieces.  For each slot, a state gives the
 * piece and its orientation (0 .. orientations - 1).  Pieces have numbers from
 * 1 within each set; indistinct pieces have the same number.  All arrays hold
 * the slots of one set after the other.  Entries past the last slot mean
 * nothing.
 *
 * For each slot, a move gives the slot of the same set from which the new piece
 * comes (from 1 within the set).  An orientation of a move belongs to the slot
 * that a piece leaves:
 *
 *     new.piece[i] = old.piece[p[i]]
 *     new.orientation[i] = (old.orientation[p[i]] + o[p[i]]) mod orientations
 *
 * Two states are equal if they have the same pieces in the same slots, turned
 * the same way.  The orientation of a piece is not compared if the solved state
 * has a piece of that set and number in a slot flagged as ignored.  All other
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
    bool ignored[TWIN_PIECES]; /* by slot of solved: is its piece's orientation ignored? */
    /* By slot and piece number: a state with this piece there is illegal. */
    bool illegal[TWIN_PIECES][TWIN_PIECES + 1];
};

/* Opaque: the states reachable from a root, with their distances from it. */
struct twin_world;

/*
 * Writes the effective moves, with powers expanded and named, sorted by name in
 * byte order.  Returns their number.  If that exceeds room, out holds only room
 * of them, so call with room 0 first to learn the number.
 *
 * The order of a move is that of its action on distinct pieces with no
 * orientation ignored.
 */
size_t twin_all_moves(const struct twin_puzzle *puzzle, struct twin_move *out, size_t room);

/* from and to may be the same state. */
void twin_apply(const struct twin_puzzle *puzzle, const struct twin_move *move,
                const struct twin_state *from, struct twin_state *to);

bool twin_is_legal(const struct twin_puzzle *puzzle, const struct twin_state *state);

/*
 * Fewest effective moves from one state to a state that equals the other; -1 if
 * none lead there.  No move leads from or to an illegal state.
 */
int twin_distance(const struct twin_puzzle *puzzle, const struct twin_state *from,
                  const struct twin_state *to);

/*
 * Finds every state reachable from root, once each.  If states are equal, it
 * keeps the first one that it meets.  Distances count moves away from root.
 * The way back may have another length if powers is false and a listed move
 * has no listed inverse.
 */
struct twin_world *twin_explore(const struct twin_puzzle *puzzle, const struct twin_state *root);

/* -1 if the state was not reached. */
int twin_world_distance(const struct twin_world *world, const struct twin_state *state);

size_t twin_world_count(const struct twin_world *world);

/* States by increasing distance, root first; valid until the world is freed. */
const struct twin_state *twin_world_state(const struct twin_world *world, size_t i);

void twin_world_free(struct twin_world *world);

#endif
