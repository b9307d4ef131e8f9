// The rows of a definition as transformations: their products and inverses, and the notation for sequences of moves.
#ifndef FEWEST_TABLES_ROWS_H
#define FEWEST_TABLES_ROWS_H

#include "definition.h"

void rows_set_identity(const struct definition *definition, struct rows *rows);

// First a, then b. `product` is neither of them.
void rows_multiply(const struct definition *definition, const struct rows *a, const struct rows *b,
                   struct rows *product);
void rows_invert(const struct definition *definition, const struct rows *rows, struct rows *inverse);
bool rows_are_identity(const struct definition *definition, const struct rows *rows);

// Takes the next word of a sequence of moves, which blanks and commas separate. False where there is none.
bool rows_next_move(const char **next, const char *end, const char **word, size_t *length);

// What one such word does: a move, a rotation, an alias or a sequence by its name, and behind it how often (`R2`) and
// whether it is undone (`R'`). False where nothing has the name.
bool rows_of_move(const struct definition *definition, const char *word, size_t length, struct rows *rows);

#endif
