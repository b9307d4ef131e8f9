// Compares the puzzle of an old table with that of a new one.
#include "replace.h"

#include "tables/definition/rows.h"
#include "tables/families/compile.h"
#include "tables/file/format.h"

#include <string.h>
#include <sys/stat.h>

#define USE_FORCE "; use another name, or --force to replace it"

bool is_same_file(const char *a, const char *b)
{
    struct stat status_a;
    struct stat status_b;
    if (!a || !b) {
        return false;
    }
    if (strcmp(a, b) == 0) {
        return true;
    }
    return stat(a, &status_a) == 0 && stat(b, &status_b) == 0 &&
           status_a.st_dev == status_b.st_dev && status_a.st_ino == status_b.st_ino;
}

// Have both the same sets and the same board?
static bool has_same_sets(const struct definition *a, const struct definition *b)
{
    bool same = a->set_count == b->set_count && a->board == b->board && a->rows == b->rows &&
                a->columns == b->columns && a->layers == b->layers &&
                a->moves_rows == b->moves_rows;
    for (unsigned s = 0; s < a->set_count && same; s++) {
        same = strcmp(a->sets[s].name, b->sets[s].name) == 0 &&
               a->sets[s].pieces == b->sets[s].pieces &&
               a->sets[s].orientations == b->sets[s].orientations;
    }
    return same;
}

// Have both the same solved state? Their sets are the same. `Track` makes pieces look alike, and so
// changes the solved state. So with `Track` in either definition, the answer is always yes.
static bool has_same_solved(const struct definition *a, const struct definition *b)
{
    bool has_track = a->projection.line > 0 || b->projection.line > 0;
    if (has_track) {
        return true;
    }
    return rows_are_equal(a, &a->solved, &b->solved) &&
           memcmp(a->orientation_ignored, b->orientation_ignored,
                  a->piece_count * sizeof *a->orientation_ignored) == 0;
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

// Fails if the old table's definition is that of another puzzle, and says what differs.
static bool check_same_puzzle(const struct definition *old, const struct definition *definition,
                              struct fewest_error *error)
{
    const char *difference = NULL;
    if (!has_same_sets(old, definition)) {
        difference = "other sets";
    } else if (!has_same_solved(old, definition)) {
        difference = "another solved state";
    } else if (!has_same_moves(old, definition)) {
        difference = "other moves";
    }
    if (difference) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "this is the table of another puzzle, %s, with %s" USE_FORCE, old->name,
                         difference);
    }
    return true;
}

// Fails if the file is no table, or the table of another puzzle. A table whose header or definition
// can't be read may be replaced.
static bool check_old_table(const struct storage *table, const struct definition *definition,
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
    bool may_replace = true;
    if (puzzle_read_definition(&old, header.definition, header.definition_length, &unread)) {
        may_replace = check_same_puzzle(&old, definition, error);
        definition_free(&old);
    }
    header_free(&header);
    return may_replace;
}

bool replace_check(const char *path, const struct definition *definition,
                   struct fewest_error *error)
{
    struct stat status;
    struct storage table;
    if (stat(path, &status) != 0 || status.st_size == 0) {
        return true; // there is no file, or nothing in it
    }
    if (!storage_open(&table, path, error)) {
        return error_prefix(error, path);
    }
    bool may_replace = check_old_table(&table, definition, error);
    storage_close(&table);
    return may_replace || error_prefix(error, path);
}
