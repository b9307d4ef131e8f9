// The rows of a definition as transformations: their products and inverses, and the notation for
// sequences of moves.
#ifndef FEWEST_TABLES_ROWS_H
#define FEWEST_TABLES_ROWS_H

#include "definition.h"

enum { ROWS_BYTES_MOST = 2 * PIECES_MOST };

// Allocates rows of zeros, which the caller frees with rows_free. Returns false if memory runs out.
bool rows_make(const struct definition *definition, struct rows *rows);
void rows_free(struct rows *rows);

// Returns the rows with this number, counted from 0, in an array. Rows of few pieces lie close
// together, so they touch few pages of the stack.
static inline struct rows rows_in(const struct definition *definition, uint8_t *bytes,
                                  unsigned number)
{
    uint8_t *first = bytes + (size_t)number * 2 * definition->piece_count;
    return (struct rows){first, first + definition->piece_count};
}

void rows_copy(const struct definition *definition, const struct rows *from, struct rows *to);
void rows_set_identity(const struct definition *definition, struct rows *rows);

// Computes the product: first a, then b. `product` must be neither of them. All three have room, as
// rows_make or rows_in give.
void rows_multiply(const struct definition *definition, const struct rows *a, const struct rows *b,
                   struct rows *product);
void rows_invert(const struct definition *definition, const struct rows *rows,
                 struct rows *inverse);
bool rows_are_equal(const struct definition *definition, const struct rows *a,
                    const struct rows *b);

// Do the rows change nothing? With `shown`, only what a state shows counts: not orientations that
// are all ignored in their set, nor the places of pieces that then all look alike. If the
// definition has `Database` lines, all counts, so that a projection has the moves of its puzzle.
bool rows_are_identity(const struct definition *definition, const struct rows *rows, bool shown);

// Finds the move, rotation, alias or sequence with this name, or returns NULL.
const struct listed_move *rows_find_name(const struct definition *definition, const char *name,
                                         size_t length);

// Is the move, which rows_find_name has found, one of this list?
bool rows_is_listed(const struct move_list *list, const struct listed_move *move);

// Takes a word in a sequence of moves apart. `move` is NULL if the word names none.
struct move_word rows_find_move(const struct definition *definition, const char *word,
                                size_t length);

// Reads what may follow a name in a word: up to three digits that say how often, the mark of the
// inverse, or both in any order. Without digits, the move is made once. Fills in all but `move`.
// Returns false if it is anything else.
bool rows_read_power(const char *suffix, size_t length, struct move_word *word);

// Takes a word such as R2' or R'2 apart: into the longest name of at most `most` bytes, and what
// rows_read_power reads after it. `move` is NULL if the word is no power of a name.
struct move_word rows_find_power(const struct definition *definition, const char *word,
                                 size_t length, size_t most);

// Takes the next word of a sequence of moves, from *next on: sets *word and *length, and moves
// *next behind it. Returns false if there is none before `end`. White space and commas separate
// words, but not commas in parentheses or in the name of a move.
bool rows_next_move(const struct definition *definition, const char **next, const char *end,
                    const char **word, size_t *length);

// Do two words mean the same transformation?
bool rows_are_alike(const struct definition *definition, const struct move_word *a,
                    const struct move_word *b);

// Computes the transformation of a word, whose `move` is not NULL.
void rows_of_move(const struct definition *definition, const struct move_word *named,
                  struct rows *rows);

// Computes the product of the rotations in a word. Returns false if it has none.
bool rows_of_turn(const struct definition *definition, const struct move_word *named,
                  struct rows *rows);

#endif
