// The rows of a definition as transformations: their products and inverses, and the notation for
// sequences of moves.
#ifndef FEWEST_TABLES_ROWS_H
#define FEWEST_TABLES_ROWS_H

#include "definition/definition.h"

void rows_set_identity(const struct definition *definition, struct rows *rows);

// First a, then b. `product` is neither of them.
void rows_multiply(const struct definition *definition, const struct rows *a, const struct rows *b,
                   struct rows *product);
void rows_invert(const struct definition *definition, const struct rows *rows,
                 struct rows *inverse);
bool rows_are_identity(const struct definition *definition, const struct rows *rows);

// Takes the next word of a sequence of moves, which blanks and commas separate. False where there
// is none.
bool rows_next_move(const char **next, const char *end, const char **word, size_t *length);

// The move, rotation, alias or sequence of a name, or NULL.
const struct listed_move *rows_find_name(const struct definition *definition, const char *name,
                                         size_t length);

// A word in a sequence of moves: the name of a move, rotation, alias or sequence, a number of times
// (`R2`), and a mark that undoes it (`R'`). `move` is NULL if nothing has the name.
struct move_word {
    const struct listed_move *move;
    unsigned times;
    bool inverse;
};

struct move_word rows_find_move(const struct definition *definition, const char *word,
                                size_t length);

// Multiplies out what such a word does.
void rows_of_move(const struct definition *definition, const struct move_word *named,
                  struct rows *rows);

#endif
