// Opens and closes tables, and sets their options. fewest.h says what the public functions do.
#include "query/table/table.h"

#include "query/search/ida_star.h"
#include "tables/base/parallel.h"
#include "tables/families/compile.h"
#include "tables/file/sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)FEWEST_CELLS_MOST == (int)CELLS_MOST, "the public header tells the truth");
_Static_assert((int)FEWEST_PATH_MOST > (int)DISTANCE_MOST, "a path fits");

enum { CACHE_DEFAULT = 64 << 20 }; // bytes

const char *fewest_version(void)
{
    return FEWEST_VERSION;
}

// Compiles the definition in the header, and checks that the sections are those that it needs. The
// file may be forged, so the definition is compiled under the same limits as any other, and any
// failure but lack of memory is FEWEST_DAMAGED. If states are forbidden, only the table knows how
// many can be reached, so that number is taken from it.
static bool compile_definition(struct fewest *table, struct fewest_error *error)
{
    struct header *header = &table->header;
    if (!puzzle_compile(&table->puzzle, header->definition, header->definition_length,
                        header->metric, error)) {
        if (error->status != FEWEST_SYSTEM) {
            error->status = FEWEST_DAMAGED;
        }
        return error_prefix(error, "the definition in the table");
    }
    if (puzzle_is_too_large(&table->puzzle)) {
        return error_set(error, FEWEST_DAMAGED,
                         "the definition in the table: %s has too many states for a table",
                         table->puzzle.name);
    }
    if (!sections_check(header, &table->puzzle, false, error)) { // those of wildcards come later
        return false;
    }
    if (!table->puzzle.filter || puzzle_is_searched(&table->puzzle)) {
        return true;
    }
    table->puzzle.reachable_count = section_count_reachable(&header->sections[0]);
    return table->puzzle.reachable_count > 0 ||
           error_set(error, FEWEST_DAMAGED,
                     "the table holds wrong distances: no state is reachable, not even a goal");
}

// Numbers the wildcard targets of all roots, by the symmetries that their sections store. Then
// checks the sections of these targets. A root without such a section also gets numbers: if its
// targets need a section, sections_check then reports that it is missing.
static bool number_wildcards(struct fewest *table, struct fewest_error *error)
{
    for (unsigned r = 0; r < table->puzzle.numbering.root_count; r++) {
        const struct section *section = table->sections[SECTION_WILDCARDS][r].section;
        const struct symmetry *symmetries = section ? section->symmetries : &SYMMETRY_IDENTITY;
        unsigned count = section ? section->symmetry_count : 1;
        if (!puzzle_number_wildcards(&table->puzzle, r, symmetries, count, error)) {
            return false;
        }
    }
    return sections_check(&table->header, &table->puzzle, true, error); // true: those of wildcards
}

bool table_number_wildcards(struct fewest *table, struct fewest_error *error)
{
    pthread_mutex_lock(&table->lock);
    bool done = table->wildcards_numbered || number_wildcards(table, error);
    if (!done) {
        puzzle_forget_wildcards(&table->puzzle);
    }
    atomic_store_explicit(&table->wildcards_numbered, done, memory_order_release);
    pthread_mutex_unlock(&table->lock);
    return done;
}

// Reads the header of a table whose storage is open, and makes all that queries need. On failure,
// fewest_close frees what is there.
static bool open_bytes(struct fewest *table, struct fewest_error *error)
{
    if (!header_decode(&table->header, &table->storage, error) ||
        !compile_definition(table, error)) {
        return false;
    }
    if (!info_make(table, error) || !fewest_set_options(table, NULL, error)) {
        return false;
    }
    alphabet_find(&table->puzzle, &table->alphabet);
    return true;
}

// Makes a table of the file or the bytes in `storage`, or returns NULL with an error. The table
// owns the storage; on failure, it is closed. `path` is the file's, or NULL.
static struct fewest *open_storage(struct storage storage, const char *path,
                                   struct fewest_error *error)
{
    struct fewest *table = calloc(1, sizeof *table);
    if (!table) {
        storage_close(&storage);
        (void)error_no_memory(error, "to open the table");
        return NULL;
    }
    table->storage = storage;
    table->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    table->bounds_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    for (unsigned i = 0; i < BLOCK_LOCKS; i++) {
        table->block_locks[i] = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    }
    table->path = path ? strdup(path) : NULL;
    if (path && !table->path) {
        (void)error_no_memory(error, "to open the table");
    } else if (open_bytes(table, error)) {
        return table;
    }
    fewest_close(table);
    return NULL;
}

struct fewest *fewest_open_buffer(const void *bytes, size_t length, struct fewest_error *error)
{
    return open_storage(storage_of_bytes(bytes, length), NULL, error);
}

struct fewest *fewest_open(const char *path, struct fewest_error *error)
{
    struct storage storage;
    struct fewest *table =
        storage_open(&storage, path, error) ? open_storage(storage, path, error) : NULL;
    if (!table) {
        error_prefix_path(error, path);
    }
    return table;
}

void fewest_close(struct fewest *table)
{
    if (!table) {
        return;
    }
    table_release(table);
    ida_star_free(table);
    for (unsigned root = 0; root < ROOTS_MOST; root++) {
        free(table->reachable_before[root]);
    }
    info_free(table);
    puzzle_free(&table->puzzle);
    header_free(&table->header);
    storage_close(&table->storage);
    free(table->path);
    pthread_mutex_destroy(&table->lock);
    pthread_mutex_destroy(&table->bounds_lock);
    for (unsigned i = 0; i < BLOCK_LOCKS; i++) {
        pthread_mutex_destroy(&table->block_locks[i]);
    }
    free(table);
}

bool fewest_set_options(struct fewest *table, const struct fewest_options *options,
                        struct fewest_error *error)
{
    static const struct fewest_options DEFAULTS;
    const struct fewest_options *wanted = options ? options : &DEFAULTS;
    uint64_t cache = wanted->cache > 0 ? wanted->cache : CACHE_DEFAULT;
    if (cache != table->options.cache && !table_reserve(table, cache, error)) {
        return false;
    }
    table->options = *wanted;
    table->options.cache = cache;
    if (wanted->threads == 0) {
        table->options.threads = 1;
    } else if (wanted->threads > PARALLEL_THREADS_MOST) {
        table->options.threads = PARALLEL_THREADS_MOST;
    }
    if (wanted->limit > DISTANCE_MOST) {
        table->options.limit = DISTANCE_MOST;
    }
    return true;
}
