// Compiles a definition: reads it and hands it to its family.
#include "puzzle/compile.h"

#include "puzzle/invariant.h"
#include "puzzle/pattern_databases.h"
#include "puzzle/permutation.h"
#include "puzzle/rolling.h"
#include "puzzle/sliding.h"

#include <stdlib.h>
#include <string.h>

typedef bool compile_family(struct puzzle *puzzle, const struct definition *definition, struct fewest_error *error);

static bool compile_slide(struct puzzle *puzzle, const struct definition *definition, struct fewest_error *error)
{
    if (definition->sets[0].letters_line) {
        return error_set_line(error, FEWEST_BAD_INPUT, definition->sets[0].letters_line,
                              "`Letters` can't be used with `Slide`, whose tiles are numbers");
    }
    return definition->track_count > 0 ? pattern_databases_compile(puzzle, definition, error)
                                       : sliding_compile(puzzle, definition, error);
}

static compile_family *const FAMILIES[] = {
    [KIND_PERMUTATION] = permutation_compile,
    [KIND_SLIDE] = compile_slide,
    [KIND_ROLL] = rolling_compile,
};

bool puzzle_compile(struct puzzle *puzzle, const char *text, size_t length, enum metric metric,
                    struct fewest_error *error)
{
    *puzzle = (struct puzzle){.metric = metric, .definition = malloc(sizeof *puzzle->definition)};
    struct definition *definition = puzzle->definition;
    if (!definition) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the definition");
    }
    if (!definition_read(definition, text, length, error)) {
        puzzle_free(puzzle);
        return false;
    }
    puzzle->kind = definition->kind;
    memcpy(puzzle->name, definition->name, sizeof puzzle->name);
    if (!FAMILIES[definition->kind](puzzle, definition, error)) {
        puzzle_free(puzzle);
        return false;
    }
    return true;
}

void puzzle_free(struct puzzle *puzzle)
{
    for (unsigned r = 0; r < puzzle->root_count; r++) {
        wildcard_index_free(&puzzle->roots[r].wildcards);
    }
    invariants_free(puzzle);
    if (puzzle->definition) {
        definition_free(puzzle->definition);
    }
    free(puzzle->definition);
    free(puzzle->segments);
    free(puzzle->moves);
    free(puzzle->board);
    free(puzzle->rolling);
    free(puzzle->partition);
    *puzzle = (struct puzzle){0};
}
