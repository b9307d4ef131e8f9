// Iterative-deepening A* in one thread or in several.
#include "ida_star.h"

#include "query/table.h"
#include "tables/base/parallel.h"

#include <stdlib.h>
#include <string.h>

enum {
    NODES_PER_WATCH = 1 << 14, // a few milliseconds
    ITEMS_A_THREAD = 32,
    ITEM_DEPTH_MOST = 8,
};

static const uint64_t THREADS_FROM = 1 << 17; // nodes in the last bound

// A search that several threads share. Its items are nodes, in the order in which one thread would
// enter them. The threads search the trees below the items. The first item with a path wins, so the
// path is the same as in one thread.
struct shared_search {
    pthread_mutex_t lock;
    const struct searcher *main; // its moves are those of the path in the end
    unsigned depth;              // of the items
    const uint8_t *nodes;
    const uint16_t *paths;        // of each item: its moves
    _Atomic unsigned best;        // the first item known to have a path, or item_count
    _Atomic bool stopped;         // by the watcher, or by an error
    unsigned path[DISTANCE_MOST]; // of the best item
    uint64_t generated;
    unsigned over;
    struct fewest_error error;
};

// ---- One thread ---------------------------------------------------------------------------------

static bool is_watched_on(const struct searcher *searcher)
{
    const struct fewest *table = searcher->table;
    return table_watch(table, &(struct fewest_progress){.bound = (int)searcher->bound});
}

static void watch(struct searcher *searcher)
{
    struct shared_search *shared = searcher->shared;
    if (searcher->nodes < searcher->watch_at) {
        return;
    }
    searcher->watch_at = searcher->nodes + NODES_PER_WATCH;
    if (!shared) {
        if (!is_watched_on(searcher)) {
            error_write(&searcher->error, FEWEST_STOPPED,
                        "stopped while searching for a path of %u moves", searcher->bound);
            searcher->stopped = true;
        }
        return;
    }
    if (shared->stopped || shared->best < searcher->item) {
        searcher->stopped = true;
        return;
    }
    // One thread at a time calls the watcher. The others go on.
    if (pthread_mutex_trylock(&shared->lock) == 0) {
        if (!shared->stopped && !is_watched_on(searcher)) {
            error_write(&shared->error, FEWEST_STOPPED,
                        "stopped while searching for a path of %u moves", searcher->bound);
            shared->stopped = true;
        }
        pthread_mutex_unlock(&shared->lock);
    }
}

static bool make_room(struct searcher *searcher, unsigned depth)
{
    struct children *level = &searcher->levels[depth];
    unsigned moves = searcher->table->puzzle.move_count;
    if (level->nodes) {
        return true;
    }
    level->nodes = malloc(moves * searcher->node_bytes);
    level->moves = malloc(moves * sizeof *level->moves);
    if (!level->nodes || !level->moves) {
        error_write(&searcher->error, FEWEST_SYSTEM, "not enough memory for the search");
        searcher->stopped = true;
        return false;
    }
    return true;
}

static void free_room(struct searcher *searcher)
{
    for (unsigned d = 0; d <= DISTANCE_MOST; d++) {
        free(searcher->levels[d].nodes);
        free(searcher->levels[d].moves);
    }
}

// Searches the tree below a node by expanding one node after the other. Returns true if it finds a
// path of searcher->bound moves.
static bool search_nodes(struct searcher *searcher, const void *node, unsigned depth)
{
    const struct node_family *family = searcher->family;
    const struct children *level = &searcher->levels[depth];
    unsigned left = searcher->bound - depth - 1; // after the move
    if (!level->nodes && !make_room(searcher, depth)) {
        return false;
    }
    watch(searcher);
    unsigned count = searcher->stopped ? 0 : family->expand(searcher, node, left, level);
    for (unsigned c = 0; c < count && !searcher->stopped; c++) {
        searcher->moves[depth] = level->moves[c];
        if (left > 0) {
            if (search_nodes(searcher, level->nodes + level->moves[c] * searcher->node_bytes,
                             depth + 1)) {
                return true;
            }
        } else if (!family->is_solved || family->is_solved(searcher, depth + 1)) {
            return true;
        } else {
            searcher->over = 1;
        }
    }
    return false;
}

// Does the same in the family's own way, if it has one.
static bool search_tree(struct searcher *searcher, const void *node, unsigned depth)
{
    return searcher->family->search ? searcher->family->search(searcher, node, depth)
                                    : search_nodes(searcher, node, depth);
}

// ---- Several threads ----------------------------------------------------------------------------

struct items {
    unsigned count;
    unsigned depth;
    uint8_t *nodes;
    uint16_t *paths;
};

static void free_items(struct items *items)
{
    free(items->nodes);
    free(items->paths);
}

// Replaces the items by their children.
static bool expand_items(struct searcher *searcher, struct items *items)
{
    size_t bytes = searcher->node_bytes;
    unsigned depth = items->depth;
    unsigned room = items->count * searcher->table->puzzle.move_count;
    const struct children *level = &searcher->levels[0];
    struct items next = {.depth = depth + 1};
    next.nodes = malloc(room * bytes + 1);
    next.paths = malloc((size_t)room * (depth + 1) * sizeof *next.paths + 1);
    bool done = next.nodes && next.paths && make_room(searcher, 0);
    for (unsigned i = 0; i < items->count && done; i++) {
        unsigned count = searcher->family->expand(searcher, items->nodes + i * bytes,
                                                  searcher->bound - depth - 1, level);
        for (unsigned c = 0; c < count; c++, next.count++) {
            uint16_t *path = next.paths + (size_t)next.count * (depth + 1);
            memcpy(next.nodes + next.count * bytes, level->nodes + level->moves[c] * bytes, bytes);
            memcpy(path, items->paths + (size_t)i * depth, depth * sizeof *path);
            path[depth] = level->moves[c];
        }
        done = !searcher->stopped;
    }
    free_items(items);
    *items = next;
    if (!done && !searcher->stopped) {
        error_write(&searcher->error, FEWEST_SYSTEM, "not enough memory for the search");
        searcher->stopped = true;
    }
    return done;
}

static void take_result(struct shared_search *shared, const struct searcher *searcher, bool found)
{
    pthread_mutex_lock(&shared->lock);
    shared->generated += searcher->nodes;
    shared->over = searcher->over < shared->over ? searcher->over : shared->over;
    if (found && searcher->item < shared->best) {
        shared->best = searcher->item;
        memcpy(shared->path, searcher->moves, searcher->bound * sizeof *searcher->moves);
    }
    if (searcher->error.status != FEWEST_OK && !shared->stopped) {
        shared->error = searcher->error;
        shared->stopped = true;
    }
    pthread_mutex_unlock(&shared->lock);
}

static void search_items(void *context, uint64_t begin, uint64_t end)
{
    struct shared_search *shared = context;
    for (uint64_t i = begin; i < end && i < shared->best && !shared->stopped; i++) {
        struct searcher searcher = {.table = shared->main->table,
                                    .family = shared->main->family,
                                    .bounds = shared->main->bounds,
                                    .stage = shared->main->stage,
                                    .node_bytes = shared->main->node_bytes,
                                    .from = shared->main->from,
                                    .bound = shared->main->bound,
                                    .over = shared->main->over,
                                    .watch = watch,
                                    .watch_at = NODES_PER_WATCH,
                                    .shared = shared,
                                    .item = (unsigned)i};
        for (unsigned d = 0; d < shared->depth; d++) {
            searcher.moves[d] = shared->paths[i * shared->depth + d];
        }
        bool found = search_tree(&searcher, shared->nodes + i * searcher.node_bytes, shared->depth);
        take_result(shared, &searcher, found);
        free_room(&searcher);
    }
}

static bool search_in_threads(struct searcher *searcher, const void *first)
{
    unsigned threads = searcher->table->options.threads;
    size_t bytes = searcher->node_bytes;
    struct items items = {.count = 1, .nodes = malloc(bytes), .paths = malloc(1)};
    bool done = items.nodes && items.paths;
    if (done) {
        memcpy(items.nodes, first, bytes);
    }
    while (done && items.count > 0 && items.count < threads * ITEMS_A_THREAD &&
           items.depth < ITEM_DEPTH_MOST && items.depth + 1 < searcher->bound) {
        done = expand_items(searcher, &items);
    }
    struct shared_search shared = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                   .main = searcher,
                                   .depth = items.depth,
                                   .nodes = items.nodes,
                                   .paths = items.paths,
                                   .best = items.count,
                                   .over = searcher->over};
    if (done) {
        parallel_for(threads, items.count, 1, search_items, &shared);
        searcher->nodes += shared.generated;
        searcher->over = shared.over;
        memcpy(searcher->moves, shared.path, sizeof shared.path);
        if (shared.stopped) {
            searcher->error = shared.error;
            searcher->stopped = true;
        }
    }
    free_items(&items);
    pthread_mutex_destroy(&shared.lock);
    return done && !searcher->stopped && shared.best < items.count;
}

// ---- Rising bounds ------------------------------------------------------------------------------

static const struct node_family *family_of(const struct puzzle *puzzle)
{
    return puzzle->projection_count > 0 ? &STATE_NODES : &BOARD_NODES;
}

static bool choose_stage(struct searcher *searcher, uint64_t nodes)
{
    searcher->over = DEAD_END;
    return !searcher->family->choose || searcher->family->choose(searcher, nodes);
}

// Finds the first node's lower bound. It is 0 in the solved state, and may be 0 in others.
static bool begin_search(struct searcher *searcher, void *first, bool *solved)
{
    const struct node_family *family = searcher->family;
    if (!choose_stage(searcher, 0)) {
        return false;
    }
    searcher->bound = family->make_first_node(searcher, first);
    *solved = searcher->bound == 0 && (!family->is_solved || family->is_solved(searcher, 0));
    searcher->bound += searcher->bound == 0;
    return !searcher->stopped;
}

// Searches with one bound after the other.
static bool deepen_search(struct searcher *searcher, void *first, int *steps)
{
    bool found = false;
    uint64_t last = 0; // nodes of the last bound
    *steps = 0;
    if (!begin_search(searcher, first, &found) || found) {
        return found;
    }
    while (!found && searcher->bound <= DISTANCE_MOST) {
        uint64_t before = searcher->nodes;
        searcher->watch_at = before; // tells the watcher of the bound
        if (!table_keeps_limit(searcher->table, (int)searcher->bound, &searcher->error) ||
            !choose_stage(searcher, last)) {
            return false;
        }
        searcher->family->make_first_node(searcher, first);
        found = searcher->table->options.threads > 1 && last >= THREADS_FROM
                    ? search_in_threads(searcher, first)
                    : search_tree(searcher, first, 0);
        if (searcher->stopped) {
            return false;
        }
        *steps = (int)searcher->bound;
        last = searcher->nodes - before;
        searcher->bound += searcher->over;
    }
    if (!found && searcher->bound >= DEAD_END && searcher->table->puzzle.forbids_states) {
        *steps = FEWEST_UNREACHABLE; // all states that the start leads to were tried
        return true;
    }
    return found ||
           error_set(&searcher->error, FEWEST_DAMAGED,
                     "the table holds wrong distances: no path of %d moves or fewer solves this",
                     DISTANCE_MOST);
}

// ---- From start to target -----------------------------------------------------------------------

bool search_accepts(const struct puzzle *puzzle, const uint8_t *target, struct fewest_error *error)
{
    return !puzzle_has_wildcard(puzzle, target) ||
           error_set(error, FEWEST_BEYOND,
                     "%s is solved by a search, which does not support wildcards", puzzle->name);
}

// Makes the bounds, once. Any number of threads may call this.
static void *find_bounds(const struct node_family *family, struct fewest *table,
                         struct fewest_error *error)
{
    if (!table->bounds) {
        struct database databases[DATABASES_MOST];
        pthread_mutex_lock(&table->bounds_lock); // one thread makes them, the others wait
        if (!table->bounds) {
            table_list_databases(table, databases);
            table->bounds = family->make_bounds(&table->puzzle, databases, error);
        }
        pthread_mutex_unlock(&table->bounds_lock);
    }
    return table->bounds;
}

void ida_star_free(struct fewest *table)
{
    if (table->bounds) {
        family_of(&table->puzzle)->free_bounds(table->bounds);
    }
}

bool ida_star_find_path(struct fewest *table, const uint8_t *start, const uint8_t *target,
                        unsigned *moves, int *steps, struct fewest_error *error)
{
    struct counted_path path = {.moves = moves};
    bool found = ida_star_count_nodes(table, start, target, &path, error);
    *steps = path.steps;
    return found;
}

bool ida_star_count_nodes(struct fewest *table, const uint8_t *start, const uint8_t *target,
                          struct counted_path *path, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    const struct node_family *family = family_of(puzzle);
    struct search_start from = {.symmetry = NULL};
    bool reachable;
    path->steps = FEWEST_UNREACHABLE;
    path->nodes = 0;
    if (!search_accepts(puzzle, target, error) ||
        !family->relate(puzzle, start, target, &from, &reachable, error)) {
        return false;
    }
    if (!reachable) {
        return true;
    }
    void *bounds = find_bounds(family, table, error);
    if (!bounds) {
        return false;
    }
    struct searcher searcher = {.table = table,
                                .watch = watch,
                                .family = family,
                                .bounds = bounds,
                                .node_bytes = family->node_bytes(bounds),
                                .from = &from};
    void *node = malloc(searcher.node_bytes);
    bool found =
        node ? deepen_search(&searcher, node, &path->steps)
             : error_set(&searcher.error, FEWEST_SYSTEM, "not enough memory for the search");
    for (int i = 0; found && i < path->steps && path->moves; i++) {
        path->moves[i] = family->query_move ? family->query_move(puzzle, &from, searcher.moves[i])
                                            : searcher.moves[i];
    }
    if (!found) {
        *error = searcher.error;
    }
    path->nodes = searcher.nodes;
    free_room(&searcher);
    free(node);
    return found;
}
