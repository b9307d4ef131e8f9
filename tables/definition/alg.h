// Reads sequences of moves ("algs") as people write them: `R2' U`, groups `(R U)3`, conjugates
// `[x: U]`, commutators `[R, U]`, `// comments`, `# comments`, numbered lines, pauses (`.`) and
// lengths at the ends of lines (`(21f)`).
//
// White space and commas separate words. The name of a move may hold any of these characters: the
// longest text that is a move comes first.
#ifndef FEWEST_TABLES_ALG_H
#define FEWEST_TABLES_ALG_H

#include "tables/base/errors.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    ALG_MOVES_MOST = 4351, // of one group; as many as a `MoveSequence` lists
    ALG_NESTING_MOST = 64, // groups, conjugates and commutators in each other
    ALG_WORD_LONGEST = 72, // bytes of a word that is a move
};

// Whether a word is a move.
enum alg_word {
    ALG_NO,
    ALG_NAME,      // the name of a move
    ALG_POWER,     // a name, then how often, the mark of the inverse, or both
    ALG_AMBIGUOUS, // two names with such an ending fit; the error tells them
};

// The moves that words can name.
struct alg_names {
    const void *context;
    // Tells whether a word of `length` bytes, at least 1, is a move.
    enum alg_word (*find)(const void *context, const char *word, size_t length,
                          struct fewest_error *error);
    // Fills in the error for a word that is no move. If it is not NULL, a person typed the text:
    // then a word may be a row of names of one character, and a length may end a line.
    void (*refuse)(const void *context, const char *word, size_t length,
                   struct fewest_error *error);
};

struct alg_move {
    const char *word; // in the alg's text, until alg_end
    size_t length;
    bool inverse; // the inverse of what the word says
};

struct alg {
    struct alg_move *moves; // in a row, without groups
    size_t count;
    // Only the reader knows what follows.
    size_t room;
    const struct alg_names *names;
    char *text; // a copy with ASCII marks
    size_t length;
    size_t next; // the byte to read
    unsigned nesting;
    bool comma_ends; // a comma ends the first half of a commutator
    struct fewest_error *error;
};

// Begins to read a copy of a text. False if memory runs out. Call alg_end in any case.
bool alg_begin(struct alg *alg, const struct alg_names *names, const char *text, size_t length,
               struct fewest_error *error);

// Has everything been read?
bool alg_at_end(struct alg *alg);

// Appends the moves of the next word or group to alg->moves. Each is a word that names->find knows.
// Returns false after an error, whose text begins with "character N: " unless it tells about a
// word.
bool alg_next(struct alg *alg);
void alg_end(struct alg *alg);

#endif
