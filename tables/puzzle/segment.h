// A segment: cells of a state that hold values of one kind, such as the pieces of a set.
#ifndef FEWEST_TABLES_SEGMENT_H
#define FEWEST_TABLES_SEGMENT_H

#include "tables/algebra/wildcard.h"
#include "tables/base/errors.h"
#include "tables/definition/definition.h"

#include <stdbool.h>
#include <stdint.h>

enum segment_kind {
    SEGMENT_ARRANGEMENT, // different pieces
    SEGMENT_MULTISET,    // pieces of which some look alike
    SEGMENT_ORIENTATION, // in each cell any of the values, such as orientations or lamps
    SEGMENT_TOPS,        // one blank, 0, and in every other cell any of the other values
};

struct segment {
    enum segment_kind kind;
    unsigned set;   // number in the definition
    unsigned first; // cells first … first+length-1
    unsigned length;
    unsigned symbols;                     // values 0 … symbols-1; of an orientation, its modulus
    bool blank;                           // value 0 may be typed as x, X, _ or `.` as well
    unsigned base;                        // the number that value 0 is typed as
    char letters[PIECES_OF_SET_MOST + 1]; // the letters that values are typed as; empty: numbers
    // With `Track`: the user types a piece, and the cell holds its colour.
    bool tracked;
    unsigned typed; // the number of different pieces that the user may type
    uint8_t colour_of[PIECES_OF_SET_MOST];
    bool has_others;                    // the pieces that `Track` does not name are written as `.`
    uint8_t others;                     // their colour
    uint64_t count;                     // number of ranks
    uint8_t amount[PIECES_OF_SET_MOST]; // of pieces: how often each value appears
    // For orientations: the first cell of their pieces, or -1 if these stay at home.
    int pieces;
    bool ignores;           // does some piece's orientation not count?
    bool ignored[WILD + 1]; // by piece: its orientation is 0, as it does not count; false for WILD
};

// The number of values that may be typed in one of its cells.
static inline unsigned segment_typed_count(const struct segment *segment)
{
    return segment->tracked ? segment->typed : segment->symbols;
}

// Reads a number, a letter or `.` as a value. Returns false if it is not one. length > 0. A piece
// that `Track` does not name may also be typed as any such piece.
bool segment_read_value(const struct segment *segment, const char *text, size_t length,
                        uint8_t *value);

// Writes a value as it is typed, with a closing NUL. Returns the length.
size_t segment_write_value(const struct segment *segment, unsigned value, char *out, size_t size);

// The rank of a segment of a state, 0 … count-1, and back. The pieces in `state` must be filled in
// before their orientations are unranked.
uint64_t segment_rank(const struct segment *segment, const uint8_t *state);
void segment_unrank(const struct segment *segment, uint64_t rank, uint8_t *state);

// Does the orientation in cell i of a segment count? The pieces of the state say whose it is; a
// wildcard's counts. If they stay at home, it is that of piece i.
static inline bool segment_counts_at(const struct segment *segment, const uint8_t *state,
                                     unsigned i)
{
    unsigned piece = segment->pieces < 0 ? i : state[(unsigned)segment->pieces + i];
    return !segment->ignored[piece];
}

// Is each value of a segment possible, no piece more frequent than in the puzzle, and each
// orientation that does not count 0? Only with `wild` may cells be WILD. The segments before it
// must be allowed.
bool segment_allows(const struct segment *segment, const uint8_t *state, bool wild);

// Sets the orientations of a segment that do not count to 0.
void segment_forget_ignored(const struct segment *segment, uint8_t *state);

// Makes a segment, without its base, from the pieces of a set: whether they all differ, how many
// arrangements there are (a count of 0 exceeds 64 bits), and what `Track` makes of them. `solved`
// has the set's pieces.
void segment_make_pieces(struct segment *segment, const struct piece_set *set,
                         const uint8_t *solved);

// With `Track`: fills in the colour of the pieces that it does not name, if there are any
// (`others`). kept[p] says what it keeps of piece p (enum kept). The amounts must be there.
void segment_find_others(struct segment *segment, const uint8_t *kept);

// Sets the letters that the values of a segment are typed as. Fails if their number is wrong.
bool segment_set_letters(struct segment *segment, const struct piece_set *set,
                         struct fewest_error *error);

#endif
