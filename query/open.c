// Opens, describes and closes tables. fewest.h says what the public functions do.
#include "table.h"

#include "query/search/ida_star.h"
#include "tables/file/sections.h"
#include "tables/puzzle/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)FEWEST_CELLS_MOST == (int)CELLS_MOST, "the public header tells the truth");
_Static_assert((int)FEWEST_PATH_MOST > (int)DISTANCE_MOST, "a path fits");

const char *fewest_version(void)
{
    return FEWEST_VERSION;
}

// The definition comes from the file, so it is compiled under the same bounds as any other.
static bool compile_definition(struct fewest *table, struct fewest_error *error)
{
    struct header *header = &table->header;
    if (!puzzle_compile(&table->puzzle, header->definition, header->definition_length,
                        header->metric, error)) {
        error->status = error->status == FEWEST_SYSTEM ? FEWEST_SYSTEM : FEWEST_DAMAGED;
        return error_prefix(error, "the definition in the table");
    }
    if (puzzle_is_too_large(&table->puzzle)) {
        return error_set(error, FEWEST_DAMAGED,
                         "the definition in the table: %s has too many states for a table",
                         table->puzzle.name);
    }
    if (!sections_check(header, &table->puzzle, false, error)) {
        return false;
    }
    if (!table->puzzle.forbids_states || fewest_is_uncounted(table)) {
        return true;
    }
    table->puzzle.reachable_count = section_count_reachable(&header->sections[0]);
    return table->puzzle.reachable_count > 0 ||
           error_set(error, FEWEST_DAMAGED,
                     "the table holds wrong distances: no state is reachable, not even a goal");
}

// Uses the symmetries in the table. A root without a section gets numbers, too, so that
// sections_check misses the section.
static bool number_wildcards(struct fewest *table, struct fewest_error *error)
{
    for (unsigned r = 0; r < table->puzzle.numbering.root_count; r++) {
        const struct section *section = table->wildcards[r].section;
        const struct symmetry *symmetries = section ? section->symmetries : &SYMMETRY_IDENTITY;
        unsigned count = section ? section->symmetry_count : 1;
        if (!puzzle_number_wildcards(&table->puzzle, r, symmetries, count, error)) {
            return false;
        }
    }
    return sections_check(&table->header, &table->puzzle, true, error);
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

static bool open_bytes(struct fewest *table, struct fewest_error *error)
{
    bool opened = header_decode(&table->header, &table->storage, error) &&
                  compile_definition(table, error) && table_reserve(table, FEWEST_CACHE, error);
    if (opened) {
        alphabet_find(&table->puzzle, &table->alphabet);
    }
    return opened;
}

// Takes over the storage, also on failure.
static struct fewest *open_storage(struct storage storage, const char *path,
                                   struct fewest_error *error)
{
    struct fewest *table = calloc(1, sizeof *table);
    if (!table) {
        storage_close(&storage);
        error_write(error, FEWEST_SYSTEM, "not enough memory to open the table");
        return NULL;
    }
    table->storage = storage;
    table->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    table->bounds_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    for (unsigned i = 0; i < PLACE_LOCKS; i++) {
        table->place_locks[i] = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    }
    table->threads = 1;
    table->path = path ? strdup(path) : NULL;
    if (path && !table->path) {
        error_write(error, FEWEST_SYSTEM, "not enough memory to open the table");
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

bool fewest_is_mapped(const void *address)
{
    return storage_is_mapped(address);
}

void fewest_close(struct fewest *table)
{
    if (!table) {
        return;
    }
    table_release(table);
    ida_star_free(table);
    for (unsigned cell = 0; cell < BOARD_CELLS_MOST; cell++) {
        free((void *)table->first_steps[cell]);
    }
    for (unsigned root = 0; root < ROOTS_MOST; root++) {
        free(table->reachable_before[root]);
    }
    puzzle_free(&table->puzzle);
    header_free(&table->header);
    storage_close(&table->storage);
    free(table->path);
    pthread_mutex_destroy(&table->lock);
    pthread_mutex_destroy(&table->bounds_lock);
    for (unsigned i = 0; i < PLACE_LOCKS; i++) {
        pthread_mutex_destroy(&table->place_locks[i]);
    }
    free(table);
}

// The searches of ida_star.c call the watcher, which can stop them.
void fewest_watch(struct fewest *table, fewest_watcher *watch, void *context)
{
    table->watch = watch;
    table->watch_context = context;
}

// Those of stats.c and check.c call this one.
void fewest_watch_work(struct fewest *table, fewest_work_watcher *watch, void *context)
{
    table->watch_work = watch;
    table->watch_work_context = context;
}

void fewest_set_threads(struct fewest *table, unsigned threads)
{
    table->threads = threads > 1 ? threads : 1;
}

void fewest_set_limit(struct fewest *table, unsigned moves)
{
    table->limit = moves < DISTANCE_MOST ? moves : DISTANCE_MOST;
}

const char *fewest_name(const struct fewest *table)
{
    return table->puzzle.name;
}

const char *fewest_definition(const struct fewest *table)
{
    return table->header.definition;
}

unsigned fewest_cell_count(const struct fewest *table)
{
    return table->puzzle.cell_count;
}

uint64_t fewest_state_count(const struct fewest *table)
{
    return table->puzzle.reachable_count;
}

bool fewest_is_uncounted(const struct fewest *table)
{
    return table->puzzle.forbids_states && puzzle_is_searched(&table->puzzle);
}

_Static_assert((int)FEWEST_TEXT_SIZE >= (int)STATE_COUNT_SIZE + (int)sizeof "at most ",
               "a number and its factors fit");

char *fewest_write_state_count(const struct fewest *table, char text[FEWEST_TEXT_SIZE])
{
    if (!table->puzzle.forbids_states) {
        return puzzle_write_state_count(&table->puzzle, text);
    }
    if (fewest_is_uncounted(table)) {
        puzzle_write_state_count(&table->puzzle, text + sprintf(text, "at most "));
    } else {
        sprintf(text, "%llu", (unsigned long long)table->puzzle.reachable_count);
    }
    return text;
}

unsigned fewest_database_count(const struct fewest *table)
{
    return table->puzzle.definition->database_count;
}

_Static_assert((int)FEWEST_ERROR_SIZE >= (int)SHARING_SIZE, "the text about a database fits");

bool fewest_write_sharing(const struct fewest *table, unsigned database,
                          char text[FEWEST_ERROR_SIZE])
{
    return puzzle_write_sharing(&table->puzzle, database, text);
}

uint64_t fewest_arrangement_count(const struct fewest *table)
{
    return table->puzzle.arrangement_count;
}

unsigned fewest_goal_count(const struct fewest *table)
{
    return table->puzzle.goal_count;
}

unsigned fewest_move_count(const struct fewest *table)
{
    return table->puzzle.move_count;
}

const char *fewest_move_name(const struct fewest *table, unsigned move)
{
    return table->puzzle.moves[move].name;
}
