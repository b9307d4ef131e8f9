// Compiles a definition of any family into a puzzle.
#ifndef FEWEST_TABLES_COMPILE_H
#define FEWEST_TABLES_COMPILE_H

#include "puzzle/puzzle.h"

// Compiles the text of a definition. The caller frees with puzzle_free; on failure nothing is left
// to free.
bool puzzle_compile(struct puzzle *puzzle, const char *text, size_t length, enum metric metric,
                    struct fewest_error *error);
void puzzle_free(struct puzzle *puzzle);

#endif
