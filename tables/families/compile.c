// Compiles a definition: reads it and hands it to its family. Only this file lists the families.
#include "compile.h"

#include "tables/families/board/sliding.h"
#include "tables/families/permutation/permutation.h"
#include "tables/families/rolling/rolling.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// The first is the family without a keyword.
static const struct rules *const FAMILIES[] = {&PERMUTATION_RULES, &SLIDING_RULES, &ROLLING_RULES};

enum { FAMILY_COUNT = sizeof FAMILIES / sizeof(void *) };

// In place of the number of a `Database` line: the definition itself is compiled, no projection.
enum { AS_IT_STANDS = -1 };

// The keywords are those of the families that have one; a list that ends with NULL.
bool puzzle_read_definition(struct definition *definition, const char *text, size_t length,
                            struct fewest_error *error)
{
    const struct board_keyword *boards[FAMILY_COUNT + 1] = {NULL};
    unsigned count = 0;
    for (unsigned f = 0; f < FAMILY_COUNT; f++) {
        if (FAMILIES[f]->board) {
            boards[count++] = FAMILIES[f]->board;
        }
    }
    return definition_read(definition, boards, text, length, error);
}

// The family whose keyword the definition begins with; the first one if it begins with none.
static const struct rules *find_family(const struct definition *definition)
{
    for (unsigned f = 1; f < FAMILY_COUNT; f++) {
        if (FAMILIES[f]->board == definition->board) {
            return FAMILIES[f];
        }
    }
    return FAMILIES[0];
}

// Finds the signs around typed cells, and which pieces are written as `.`. A letter is no sign.
static void find_signs(struct puzzle *puzzle)
{
    const struct definition *definition = puzzle->definition;
    bool has_dot = false; // as a letter
    signs_begin(&puzzle->signs);
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        signs_leave_out(&puzzle->signs, puzzle->segments[s].letters);
        has_dot |= strchr(puzzle->segments[s].letters, '.') != NULL;
    }
    for (unsigned s = 0; s < puzzle->segment_count && !has_dot; s++) {
        struct segment *segment = &puzzle->segments[s];
        if (segment->tracked) {
            segment_find_others(segment, definition->projection.piece +
                                             definition->sets[segment->set].first);
        }
    }
}

// Compiles one puzzle: the definition of a text, or the projection of its `Database` line number
// `database`. Only puzzle->work must be set. Leaves nothing to free on failure. It does not compile
// the projections of the puzzle.
static bool compile_text(struct puzzle *puzzle, const char *text, size_t length, enum metric metric,
                         int database, struct fewest_error *error)
{
    *puzzle = (struct puzzle){
        .metric = metric, .definition = malloc(sizeof *puzzle->definition), .work = puzzle->work};
    if (!puzzle->definition) {
        return error_no_memory(error, "for the definition");
    }
    if (!puzzle_read_definition(puzzle->definition, text, length, error)) {
        free(puzzle->definition);
        puzzle->definition = NULL;
        return false;
    }
    if (database != AS_IT_STANDS) {
        definition_project(puzzle->definition, (unsigned)database);
    }
    puzzle->rules = find_family(puzzle->definition);
    memcpy(puzzle->name, puzzle->definition->name, sizeof puzzle->name);
    if (!puzzle->rules->compile(puzzle, error) || !puzzle_find_components(puzzle, error)) {
        puzzle_free(puzzle);
        return false;
    }
    find_signs(puzzle);
    return true;
}

// Compiles the projection of a `Database` line, and adds it to puzzle->projections, which has room
// for one of each line. On failure the caller frees the puzzle. The text is the puzzle's own.
static bool compile_projection(struct puzzle *puzzle, unsigned line, const char *text,
                               size_t length, struct fewest_error *error)
{
    struct puzzle *projection = &puzzle->projections[puzzle->projection_count];
    projection->work = puzzle->work;
    if (!compile_text(projection, text, length, puzzle->metric, (int)line, error)) {
        return false;
    }
    puzzle->work = projection->work;
    puzzle->projection_count++;
    if (projection->is_unfinished) {
        return error_set_line(error, FEWEST_BEYOND, puzzle->definition->databases[line].line,
                              "the entries of this pattern database and of those before it would "
                              "take too long to number; name fewer pieces");
    }
    return !puzzle_is_too_large(projection) ||
           error_set_line(error, FEWEST_BEYOND, puzzle->definition->databases[line].line,
                          "this pattern database has too many entries (at most %llu); name fewer "
                          "pieces",
                          (unsigned long long)STATES_MOST);
}

// Compiles the projections of all `Database` lines, one after the other.
static bool compile_lines(struct puzzle *puzzle, const char *text, size_t length,
                          struct fewest_error *error)
{
    bool done = true;
    for (unsigned line = 0; line < puzzle->definition->database_count && done; line++) {
        done = compile_projection(puzzle, line, text, length, error);
    }
    return done;
}

bool puzzle_compile(struct puzzle *puzzle, const char *text, size_t length, enum metric metric,
                    struct fewest_error *error)
{
    puzzle->work = 0;
    if (!compile_text(puzzle, text, length, metric, AS_IT_STANDS, error)) {
        return false;
    }
    unsigned count = puzzle->definition->database_count;
    if (count == 0 || puzzle->partition) {
        return true; // no databases, or those of a board, which are no projections
    }
    assert(puzzle->projection_count == 0); // or puzzle_free would look for projections
    puzzle->projections = calloc(count, sizeof *puzzle->projections);
    bool done = puzzle->projections || error_no_memory(error, "for the pattern databases");
    if (!done || !compile_lines(puzzle, text, length, error)) {
        puzzle_free(puzzle);
        return false;
    }
    return true;
}

// A puzzle that is compiled only in part can be freed, because what is missing is 0 or NULL.
void puzzle_free(struct puzzle *puzzle)
{
    for (unsigned d = 0; d < puzzle->projection_count; d++) {
        puzzle_free(&puzzle->projections[d]);
    }
    free(puzzle->projections);
    puzzle_forget_wildcards(puzzle);
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
    free(puzzle->partition);
    *puzzle = (struct puzzle){0};
}
