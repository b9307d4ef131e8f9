// What a page can't pass to the two libraries: functions that they call back. All other functions
// are called from JavaScript as they stand in fewest.h and fewest_gen.h.
#include "gen/fewest_gen.h"
#include "gen/import/foreign.h"
#include "query/fewest.h"
#include "tables/base/spelling.h"

#include <string.h>

// Functions of the page. `watch` and `watch_run` return false to stop.
#define IMPORT(name) __attribute__((import_module("page"), import_name(#name)))
#define EXPORT(name) __attribute__((export_name(#name)))

IMPORT(watch) int page_watch(const char *what, double done, double all, int bound);
IMPORT(watch_run)
int page_watch_run(int event, const char *text, double done, double all, unsigned layer);
IMPORT(random) double page_random(double bound); // a whole number, 0 to bound - 1

static bool watch(void *context, const struct fewest_progress *progress)
{
    (void)context;
    return page_watch(progress->what, (double)progress->done, (double)progress->all,
                      progress->bound);
}

// Has a table's long work tell the page how far it is. `limit` is the option of that name.
EXPORT(page_watch_table)
bool page_watch_table(struct fewest *table, unsigned limit, struct fewest_error *error)
{
    const struct fewest_options options = {.watch = watch, .limit = limit};
    return fewest_set_options(table, &options, error);
}

static uint64_t random_below(void *context, uint64_t bound)
{
    (void)context;
    return (uint64_t)page_random((double)bound);
}

EXPORT(page_draw) void page_draw(const struct fewest *table, uint8_t *state)
{
    fewest_draw(table, random_below, NULL, state);
}

// Is the text that can't be read as a state one that must not be read as moves?
EXPORT(page_is_facelets) bool page_is_facelets(const char *text, size_t length)
{
    return looks_like_facelets(text, length);
}

// The selected state that is visited after `left` others.
struct wanted {
    uint8_t *state;
    unsigned cells;
    double left;
    bool found;
};

static bool take_wanted(void *context, const uint8_t *state, int distance)
{
    struct wanted *wanted = context;
    (void)distance;
    wanted->found = wanted->left-- <= 0;
    if (wanted->found) {
        memcpy(wanted->state, state, wanted->cells);
    }
    return !wanted->found;
}

// Fills in the state `number` of those at a distance that match; NULL stands for all. Returns 1, 0
// if there is none, or -1 with an error.
EXPORT(page_select)
int page_select(struct fewest *table, const uint8_t *matching, int distance, double number,
                uint8_t *state, struct fewest_error *error)
{
    const struct fewest_selection selection = {.matching = matching, .distance = distance};
    struct wanted wanted = {
        .state = state, .cells = fewest_info(table)->cell_count, .left = number};
    return fewest_visit(table, &selection, take_wanted, &wanted, error) ? wanted.found : -1;
}

// The shortest path that comes after another one.
struct next_way {
    struct fewest_path *path;
    struct fewest_path first;
    bool is_next; // the other path was visited
    bool found;
};

static bool take_next(void *context, const unsigned *moves, unsigned count)
{
    struct next_way *way = context;
    struct fewest_path visited = {.steps = (int)count};
    size_t bytes = count * sizeof *moves;
    memcpy(visited.moves, moves, bytes);
    if (way->is_next) {
        *way->path = visited;
        way->found = true;
    }
    if (way->first.steps < 0) {
        way->first = visited;
    }
    way->is_next = memcmp(moves, way->path->moves, bytes) == 0;
    return !way->found;
}

// Changes a shortest path to the next one in byte order; the last becomes the first.
EXPORT(page_next_way)
bool page_next_way(struct fewest *table, const uint8_t *start, const uint8_t *target,
                   struct fewest_path *path, struct fewest_error *error)
{
    const struct fewest_paths paths = {.start = start, .target = target};
    struct next_way way = {.path = path, .first = {.steps = FEWEST_UNREACHABLE}};
    if (!fewest_each_path(table, &paths, take_next, &way, error)) {
        return false;
    }
    if (!way.found) {
        *path = way.first;
    }
    return true;
}

static bool watch_run(void *context, const struct fewest_gen_progress *progress)
{
    (void)context;
    switch (progress->event) {
    case FEWEST_GEN_PLANNED:
        return page_watch_run(progress->event, progress->states, (double)progress->memory,
                              (double)progress->disk, 0);
    case FEWEST_GEN_LAYER:
        return page_watch_run(progress->event, progress->search, (double)progress->reached,
                              (double)progress->entries, progress->layer);
    case FEWEST_GEN_PACKED:
        return page_watch_run(progress->event, NULL, (double)progress->packed,
                              (double)progress->blocks, 0);
    case FEWEST_GEN_GOING:
    case FEWEST_GEN_NOTE:
    case FEWEST_GEN_WARNING:
        break;
    }
    return page_watch_run(progress->event, progress->text, 0, 0, 0);
}

// Makes a table in memory, for which `memory` bytes may be used. If the definition is a file of
// another program, the error says so.
EXPORT(page_make)
bool page_make(const char *definition, size_t length, enum fewest_gen_metric metric, double memory,
               struct fewest_gen_result *result, struct fewest_error *error)
{
    const struct fewest_gen_options options = {
        .metric = metric, .threads = 1, .memory = (uint64_t)memory, .watch = watch_run};
    return fewest_gen_make(definition, length, &options, result, error) ||
           (result->fault == FEWEST_GEN_DEFINITION && foreign_explain(definition, length, error));
}
