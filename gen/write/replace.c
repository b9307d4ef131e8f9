// Compares the puzzle of an old table with that of a new one.
#include "replace.h"

#include "tables/definition/rows.h"
#include "tables/file/format.h"
#include "tables/puzzle/compile.h"

#include <string.h>
#include <sys/stat.h>

#define USE_FORCE "; use another name, or --force to replace it"

bool is_same_file(const char *a, const char *b)
{
    struct stat of_a;
    struct stat of_b;
    return a && b &&
           (strcmp(a, b) == 0 || (stat(a, &of_a) == 0 && stat(b, &of_b) == 0 &&
                                  of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino));
}

static bool has_same_sets(const struct definition *a, const struct definition *b)
{
    bool same = a->set_count == b->set_count && a->board == b->board && a->rows == b->rows &&
                a->columns == b->columns && a->layers == b->layers;
    for (unsigned s = 0; s < a->set_count && same; s++) {
        same = strcmp(a->sets[s].name, b->sets[s].name) == 0 &&
               a->sets[s].pieces == b->sets[s].pieces &&
               a->sets[s].orientations == b->sets[s].orientations;
    }
    return same;
}

// `Track` changes the rows of the solved state, so these can't be compared then.
static bool has_same_solved(const struct definition *a, const struct definition *b)
{
    return a->projection.line > 0 || b->projection.line > 0 ||
           (rows_are_equal(a, &a->solved, &b->solved) &&
            memcmp(a->orientation_ignored, b->orientation_ignored,
                   a->piece_count * sizeof *a->orientation_ignored) == 0);
}

static bool has_same_moves(const struct definition *a, const struct definition *b)
{
    bool same = a->moves.count == b->moves.count;
    for (unsigned m = 0; m < a->moves.count && same; m++) {
        same = strcmp(a->moves.listed[m].name, b->moves.listed[m].name) == 0 &&
               rows_are_equal(a, &a->moves.listed[m].rows, &b->moves.listed[m].rows);
    }
    return same;
}

static bool check_puzzle(const struct definition *old, const struct definition *definition,
                         struct fewest_error *error)
{
    const char *other = !has_same_sets(old, definition)     ? "other sets"
                        : !has_same_solved(old, definition) ? "another solved state"
                        : !has_same_moves(old, definition)  ? "other moves"
                                                            : NULL;
    return !other || error_set(error, FEWEST_BAD_INPUT,
                               "this is the table of another puzzle, %s, with %s" USE_FORCE,
                               old->name, other);
}

static bool check_table(const struct storage *table, const struct definition *definition,
                        struct fewest_error *error)
{
    struct header header;
    struct definition old;
    struct fewest_error unread; // of a table that can't be read
    if (!format_is_table(table->bytes, table->length)) {
        return error_set(error, FEWEST_BAD_INPUT, "this file is not a table" USE_FORCE);
    }
    if (!header_decode(&header, table, &unread)) {
        return true;
    }
    bool may = true;
    if (puzzle_read_definition(&old, header.definition, header.definition_length, &unread)) {
        may = check_puzzle(&old, definition, error);
        definition_free(&old);
    }
    header_free(&header);
    return may;
}

bool replace_check(const char *path, const struct definition *definition,
                   struct fewest_error *error)
{
    struct stat status;
    struct storage table;
    if (stat(path, &status) != 0 || status.st_size == 0) {
        return true;
    }
    if (!storage_open(&table, path, error)) {
        return error_prefix(error, path);
    }
    bool may = check_table(&table, definition, error);
    storage_close(&table);
    return may || error_prefix(error, path);
}
