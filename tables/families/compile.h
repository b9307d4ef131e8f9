// Compiles a definition of any family into a puzzle.
#ifndef FEWEST_TABLES_FAMILIES_COMPILE_H
#define FEWEST_TABLES_FAMILIES_COMPILE_H

#include "tables/puzzle/puzzle.h"

// Reads a definition with the keywords of all families, as definition_read does.
bool puzzle_read_definition(struct definition *definition, const char *text, size_t length,
                            struct fewest_error *error);

// Compiles the text of a definition. The caller frees with puzzle_free; on failure nothing is left
// to free.
bool puzzle_compile(struct puzzle *puzzle, const char *text, size_t length, enum metric metric,
                    struct fewest_error *error);
void puzzle_free(struct puzzle *puzzle);

#endif
