// Compiles a definition: reads it and hands it to its family. Only this file lists the families.
#include "puzzle/compile.h"

#include "puzzle/permutation.h"
#include "puzzle/rolling.h"
#include "puzzle/sliding.h"

#include <stdlib.h>
#include <string.h>

// The first is the family without a keyword.
static const struct rules *const FAMILIES[] = {&PERMUTATION_RULES, &SLIDING_RULES, &ROLLING_RULES};

enum { FAMILY_COUNT = sizeof FAMILIES / sizeof(void *) };

static bool read_definition(struct puzzle *puzzle, const char *text, size_t length,
                            struct fewest_error *error)
{
    const struct board_keyword *boards[FAMILY_COUNT + 1] = {NULL};
    unsigned count = 0;
    for (unsigned f = 0; f < FAMILY_COUNT; f++) {
        if (FAMILIES[f]->board) {
            boards[count++] = FAMILIES[f]->board;
        }
    }
    return definition_read(puzzle->definition, boards, text, length, error);
}

// The definition has one of the keywords of the families.
static const struct rules *find_family(const struct definition *definition)
{
    for (unsigned f = 1; f < FAMILY_COUNT; f++) {
        if (FAMILIES[f]->board == definition->board) {
            return FAMILIES[f];
        }
    }
    return FAMILIES[0];
}

bool puzzle_compile(struct puzzle *puzzle, const char *text, size_t length, enum metric metric,
                    struct fewest_error *error)
{
    *puzzle = (struct puzzle){.metric = metric, .definition = malloc(sizeof *puzzle->definition)};
    if (!puzzle->definition) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the definition");
    }
    if (!read_definition(puzzle, text, length, error)) {
        puzzle_free(puzzle);
        return false;
    }
    puzzle->rules = find_family(puzzle->definition);
    memcpy(puzzle->name, puzzle->definition->name, sizeof puzzle->name);
    if (!puzzle->rules->compile(puzzle, error) || !puzzle_find_classes(puzzle, error)) {
        puzzle_free(puzzle);
        return false;
    }
    return true;
}

void puzzle_free(struct puzzle *puzzle)
{
    for (unsigned r = 0; r < puzzle->numbering.root_count; r++) {
        wildcard_index_free(&puzzle->numbering.roots[r].wildcards);
    }
    if (puzzle->own) {
        puzzle->rules->free_own(puzzle->own);
    }
    if (puzzle->definition) {
        definition_free(puzzle->definition);
    }
    free(puzzle->definition);
    free(puzzle->segments);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        free(puzzle->moves[m].from);
    }
    free(puzzle->moves);
    free(puzzle->goals[0]);
    free(puzzle->board);
    *puzzle = (struct puzzle){0};
}
