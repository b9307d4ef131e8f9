/*
 * The naive twin of puzzles in the language of twsearch's .tws files: a second
 * derivation of their distances, kept slow and obvious so that the fast code
 * can be compared with it.  It shares nothing with the code under test: no
 * tables, no ranks, no parsers.
 *
 * It reads Set, Solved, StartState, Move, MoveTransformation, Generators (after
 * all moves) and Illegal.  It
 * skips the lines of Name, MoveAlias, MoveSequence, Board, Letters and For, which do not
 * change the states.
 *
 * Misuse (a file that cannot be read or has other words, a piece that is not
 * there, no memory) ends the program with a message: a twin that guesses would
 * be worth nothing.
 */
#ifndef TWIN_TWS_H
#define TWIN_TWS_H

#include <stdbool.h>
#include <stddef.h>

enum { TWIN_TWS_DISTANCES = 256 };

/* Opaque: a puzzle and, after twin_tws_histogram, its states. */
struct twin_tws;

struct twin_tws *twin_tws_read(const char *path);
void twin_tws_free(struct twin_tws *tws);

/*
 * A move of order n stands for its powers 1 .. n - 1, each of them one move.
 * With quarter, it stands only for the powers 1 and n - 1.  The order is that
 * of its action on distinct pieces with no orientation ignored.  Forgets the
 * states.
 */
void twin_tws_set_quarter(struct twin_tws *tws, bool quarter);

/*
 * Keeps only these pieces of the first set distinct (numbers from 1).  All its
 * others become one more kind, whose orientations count as before.  A count of
 * 0 makes all pieces distinct again.  Forgets the states.  The puzzle must not
 * have Illegal.
 */
void twin_tws_track(struct twin_tws *tws, const int *pieces, int count);

/*
 * Keeps of each piece of the first set what its letter says: w the whole
 * piece, p its place without its orientation, o its orientation (it looks like
 * all others of this letter), - nothing.  Forgets the states.  The puzzle must
 * not have Illegal.
 */
void twin_tws_keep(struct twin_tws *tws, const char *kept);

/*
 * Finds every state that moves lead to from the solved one.  counts[d] is the
 * number of states at distance d.  Returns the number of distances, which is
 * the largest one plus 1.
 */
size_t twin_tws_histogram(const struct twin_tws *tws,
                          unsigned long long counts[TWIN_TWS_DISTANCES]);

/*
 * Fewest moves from solved to the state; -1 if none lead there.  Call
 * twin_tws_histogram first.  Both arrays are by slot, one set after the other.
 * Pieces have numbers from 1 within each set, even if they look alike.
 * Orientations count from 0; those that are ignored may be any number.
 */
int twin_tws_distance(const struct twin_tws *tws, const int *pieces, const int *orientations);

/* The number of slots of all sets together. */
int twin_tws_slots(const struct twin_tws *tws);

#endif
