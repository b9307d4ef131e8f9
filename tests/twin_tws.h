/*
 * The naive twin of puzzles in the language of twsearch's .tws files: a second
 * derivation of their distances, kept slow and obvious so that the fast code
 * can be compared with it.  It shares nothing with the code under test: no
 * tables, no ranks, no parsers.
 *
 * Of the language it knows Name, Set, Solved, StartState, Move and
 * MoveTransformation; MoveAlias, MoveSequence, Board, Letters and For are
 * skipped, whole lines that do not change which states there are.
 *
 * Misuse (a file that cannot be read or says anything else, a piece that is
 * not there, no memory) ends the program with a message: a twin that guesses
 * would be worth nothing.
 */
#ifndef TWIN_TWS_H
#define TWIN_TWS_H

#include <stdbool.h>
#include <stddef.h>

enum { TWIN_TWS_DISTANCES = 256 };

/* Opaque: a puzzle and, once they were counted, its states. */
struct twin_tws;

struct twin_tws *twin_tws_read(const char *path);
void twin_tws_free(struct twin_tws *tws);

/*
 * A move of order n stands for its powers 1 .. n - 1, each one move; with
 * quarter only for 1 and n - 1.  The order is that of its action on different
 * pieces with no orientation ignored.  Forgets the states.
 */
void twin_tws_set_quarter(struct twin_tws *tws, bool quarter);

/*
 * Of the first set only these pieces, numbered from 1, stay distinct; all
 * others become one more kind, whose orientations count as before.  A count
 * of 0 undoes it.  Forgets the states.
 */
void twin_tws_track(struct twin_tws *tws, const int *pieces, int count);

/*
 * Finds every state that moves make of the solved one.  counts[d] is how many
 * are d moves away from it, 0 past the farthest; returns how many distances
 * there are, which is the farthest and one.
 */
size_t twin_tws_histogram(const struct twin_tws *tws,
                          unsigned long long counts[TWIN_TWS_DISTANCES]);

/*
 * Fewest moves from solved to the state, after twin_tws_histogram; -1 if none
 * lead there.  By slot, all sets one after the other: pieces from 1 within
 * each set, as the file numbers them even if some are not tracked, and
 * orientations from 0, of which those that are ignored may be any number.
 */
int twin_tws_distance(const struct twin_tws *tws, const int *pieces, const int *orientations);

/* How many slots all sets have together. */
int twin_tws_slots(const struct twin_tws *tws);

#endif
