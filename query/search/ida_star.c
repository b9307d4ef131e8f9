// Iterative-deepening A* in one thread or in several.
#include "ida_star.h"

#include "query/table/table.h"
#include "tables/base/clock.h"
#include "tables/base/parallel.h"

#include <stdlib.h>
#include <string.h>

enum {
    NODES_PER_WATCH = 1 << 14, // a few milliseconds
    ITEMS_A_THREAD = 32,       // at least, if the tree has as many nodes at ITEM_DEPTH_MOST
    ITEM_DEPTH_MOST = 8,       // moves to an item
};

// A bound is searched in several threads if the last one had so many nodes.
static const uint64_t THREADS_FROM = 1 << 17;

// A search that several threads share. Its items are nodes, in the order in which one thread would
// enter them. The threads search the trees below the items. The first item with a path wins, so the
// path is the same as in one thread.
struct shared_search {
    pthread_mutex_t lock;        // for what is neither constant nor atomic, and for the watcher
    const struct searcher *main; // that of the whole search, which waits meanwhile
    unsigned depth;              // of the items
    const uint8_t *nodes;        // of the items, one after the other
    const uint16_t *paths;       // of each item: its `depth` moves
    unsigned item_count;
    _Atomic unsigned best;        // the first item known to have a path, or the number of items
    _Atomic bool stopped;         // by the watcher, or by an error
    unsigned path[DISTANCE_MOST]; // of the best item
    uint64_t generated;           // nodes, as far as the threads have told
    double share;                 // of the tree, likewise
    unsigned over;                // the least of all items' (struct searcher)
    struct fewest_error error;    // why it stopped
};

// ---- One thread ---------------------------------------------------------------------------------

// Tells the watcher how far the search of this bound is. Returns false with an error if the watcher
// stops it, or if its time is over.
static bool tell_watcher(const struct searcher *searcher, uint64_t nodes, double share,
                         struct fewest_error *error)
{
    const struct fewest *table = searcher->table;
    const struct fewest_progress progress = {.bound = (int)searcher->bound,
                                             .nodes = nodes,
                                             .share = share < 1 ? share : 1,
                                             .forecast = searcher->forecast};
    if (!table_watch(table, &progress)) {
        error_write(error, FEWEST_STOPPED, "at least %u moves; stopped", searcher->bound);
    } else if (searcher->deadline > 0 && clock_seconds() >= searcher->deadline) {
        error_write(error, FEWEST_LIMITED, "at least %u moves; stopped after %g s", searcher->bound,
                    table->options.seconds);
    } else {
        return true;
    }
    error->at_least = searcher->bound;
    return false;
}

// Adds a searcher's new nodes and share to the shared search. The caller holds the lock.
static void tell_shared(struct searcher *searcher)
{
    struct shared_search *shared = searcher->shared;
    shared->generated += searcher->nodes - searcher->told_nodes;
    shared->share += searcher->share - searcher->told_share;
    searcher->told_nodes = searcher->nodes;
    searcher->told_share = searcher->share;
}

// The searcher's `watch`: after every NODES_PER_WATCH nodes, sets searcher->stopped if the search
// is to end. In one thread, the watcher tells that. In several threads, another thread may have
// stopped all, or an earlier item may have a path, so that this one is not needed.
static void watch_search(struct searcher *searcher)
{
    struct shared_search *shared = searcher->shared;
    if (searcher->nodes < searcher->watch_at) {
        return;
    }
    searcher->watch_at = searcher->nodes + NODES_PER_WATCH;
    if (!shared) {
        searcher->stopped = !tell_watcher(searcher, searcher->nodes - searcher->told_nodes,
                                          searcher->share, &searcher->error);
        return;
    }
    if (shared->stopped || shared->best < searcher->item) {
        searcher->stopped = true;
        return;
    }
    // One thread at a time calls the watcher. The others go on.
    if (pthread_mutex_trylock(&shared->lock) == 0) {
        tell_shared(searcher);
        if (!shared->stopped &&
            !tell_watcher(searcher, shared->generated, shared->share, &shared->error)) {
            shared->stopped = true; // this thread sees that the next time
        }
        pthread_mutex_unlock(&shared->lock);
    }
}

// The number of edges that may lead from a node.
static unsigned count_edges(const struct searcher *searcher)
{
    return searcher->family->edge_count ? searcher->family->edge_count(searcher->bounds)
                                        : searcher->table->puzzle.move_count;
}

// The number of nodes that are expanded together. Each has a part of the look-ups that wait for the
// memory at the same time.
static unsigned count_at_once(const struct searcher *searcher)
{
    enum { EDGES_AT_ONCE = 2048 };
    unsigned nodes = EDGES_AT_ONCE / count_edges(searcher);
    return nodes == 0 ? 1 : nodes < NODES_AT_ONCE ? nodes : NODES_AT_ONCE;
}

// Allocates room for `count` nodes. Without memory, stops the search and returns false. The caller
// frees the list in any case.
static bool make_list(struct searcher *searcher, struct node_list *list, size_t count)
{
    *list = (struct node_list){.nodes = malloc(count * searcher->node_bytes + 1), // +1: not NULL
                               .links = malloc(count * sizeof *list->links + 1)};
    if (!list->nodes || !list->links) {
        (void)error_no_memory(&searcher->error, "for the search");
        searcher->stopped = true;
    }
    return !searcher->stopped;
}

static void free_list(struct node_list *list)
{
    free(list->nodes);
    free(list->links);
}

static void free_room(struct searcher *searcher)
{
    for (unsigned d = 0; d <= DISTANCE_MOST; d++) {
        free_list(&searcher->levels[d]);
    }
    free(searcher->remembered);
}

// Is a node solved, whose lower bound is 0? If not, it takes at least one more move.
static bool is_node_solved(struct searcher *searcher, const struct node_list *list, unsigned number)
{
    const struct node_family *family = searcher->family;
    bool solved = !family->is_solved ||
                  family->is_solved(searcher, list->nodes + number * searcher->node_bytes);
    searcher->over = solved ? searcher->over : 1;
    return solved;
}

// Looks for the first solved node of a list. Returns its number, or list->count.
static unsigned find_solved(struct searcher *searcher, const struct node_list *list)
{
    unsigned c = 0;
    while (c < list->count && !is_node_solved(searcher, list, c)) {
        c++;
    }
    return c;
}

// Hands the paths to all solved nodes at the ends of the search's moves to the collection.
static void collect_paths(struct searcher *searcher, unsigned depth)
{
    const struct node_list *ends = &searcher->levels[depth];
    const unsigned first = searcher->shared ? searcher->shared->depth : 0; // where it begins
    for (unsigned c = 0; c < ends->count && !searcher->stopped; c++) {
        unsigned moves[DISTANCE_MOST];
        unsigned at = c;
        if (!is_node_solved(searcher, ends, c)) {
            continue;
        }
        memcpy(moves, searcher->moves, first * sizeof *moves);
        for (unsigned d = depth + 1; d > first; d--) {
            const struct node_list *level = &searcher->levels[d - 1];
            moves[d - 1] = level->links[at].move;
            at = level->begin + level->links[at].parent;
        }
        if (searcher->family->write_path) {
            searcher->family->write_path(searcher->bounds, moves, depth + 1);
        }
        pthread_mutex_lock(&searcher->collection->lock);
        searcher->stopped |=
            !searcher->collection->take(searcher->collection->context, moves, depth + 1);
        searcher->collection->count++;
        if (searcher->stopped && searcher->shared) {
            searcher->shared->stopped = true;
        }
        pthread_mutex_unlock(&searcher->collection->lock);
    }
}

// Searches the trees below nodes of one depth, which is less than the bound. Expands some of them
// together, and searches below their children before it goes on. All paths have searcher->bound
// moves, so their ends come in the same order as in a search that expands one node at a time.
// Returns true if it finds a path; then *which is the number of the node that it goes through, and
// the searcher's moves behind it are set. Returns false if there is none, or if the search stopped.
// `share` is the part that these trees have of the whole one. Adds it to searcher->share.
static bool search_nodes(struct searcher *searcher, const uint8_t *nodes, unsigned count,
                         unsigned depth, double share, unsigned *which)
{
    struct node_list *level = &searcher->levels[depth];
    unsigned left = searcher->bound - depth - 1; // after the move
    unsigned at_once = count_at_once(searcher);
    if (!level->nodes && !make_list(searcher, level, (size_t)at_once * count_edges(searcher))) {
        return false;
    }
    for (unsigned begin = 0; begin < count; begin += at_once) {
        unsigned end = count - begin < at_once ? count : begin + at_once;
        unsigned c = 0;
        watch_search(searcher);
        level->count = 0;
        level->begin = begin;
        if (!searcher->stopped) {
            searcher->family->expand(searcher, nodes + begin * searcher->node_bytes, end - begin,
                                     left, level);
        }
        if (searcher->stopped) {
            return false;
        }
        double part = share * (end - begin) / count;
        bool is_end = left == 0 || level->count == 0;
        if (is_end && searcher->collection) {
            collect_paths(searcher, depth);
        } else if (is_end
                       ? (c = find_solved(searcher, level)) < level->count
                       : search_nodes(searcher, level->nodes, level->count, depth + 1, part, &c)) {
            searcher->moves[depth] = level->links[c].move;
            *which = begin + level->links[c].parent;
            return true;
        }
        searcher->share += is_end ? part : 0;
    }
    return false;
}

// Searches the tree below a node as search_nodes does, or in the family's own way if it has one.
// `share` is the part that the tree has of the whole one.
static bool search_tree(struct searcher *searcher, const void *node, unsigned depth, double share)
{
    double before = searcher->share;
    unsigned which;
    bool found = searcher->family->search ? searcher->family->search(searcher, node, depth)
                                          : search_nodes(searcher, node, 1, depth, share, &which);
    searcher->share = before + share;
    return found;
}

// ---- Several threads ----------------------------------------------------------------------------

// All nodes at one depth that may lie on a path.
struct items {
    struct node_list list;
    unsigned depth;
    uint16_t *paths; // of each item: the `depth` moves to it
};

static void free_items(struct items *items)
{
    free_list(&items->list);
    free(items->paths);
}

// Replaces the items by their children. Returns false if the search stopped, as it also does if
// there is not enough memory. The depth is less than the bound - 1, so children have moves left.
static bool expand_items(struct searcher *searcher, struct items *items)
{
    unsigned depth = items->depth;
    struct items next = {.depth = depth + 1};
    bool done = make_list(searcher, &next.list, (size_t)items->list.count * count_edges(searcher));
    for (unsigned i = 0; i < items->list.count && done; i++) {
        unsigned before = next.list.count;
        searcher->family->expand(searcher, items->list.nodes + i * searcher->node_bytes, 1,
                                 searcher->bound - depth - 1, &next.list);
        for (unsigned c = before; c < next.list.count; c++) {
            next.list.links[c].parent = (uint16_t)i;
        }
        done = !searcher->stopped;
    }
    next.paths = malloc((size_t)next.list.count * (depth + 1) * sizeof *next.paths + 1);
    for (unsigned c = 0; c < next.list.count && next.paths; c++) {
        uint16_t *path = next.paths + (size_t)c * (depth + 1);
        const struct node_link *link = &next.list.links[c];
        for (unsigned d = 0; d < depth; d++) {
            path[d] = items->paths[(size_t)link->parent * depth + d];
        }
        path[depth] = link->move;
    }
    free_items(items);
    *items = next;
    if (!next.paths && !searcher->stopped) {
        (void)error_no_memory(&searcher->error, "for the search");
        searcher->stopped = true;
    }
    return !searcher->stopped;
}

// Adds what the search of one item has found to the shared search: its path, if no earlier item has
// one, its number of nodes, and its error.
static void add_result(struct shared_search *shared, struct searcher *searcher, bool found)
{
    pthread_mutex_lock(&shared->lock);
    tell_shared(searcher);
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

// Searches the trees below the items begin … end-1, each with a searcher of its own. Leaves out
// items after one that has a path.
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
                                    .deadline = shared->main->deadline,
                                    .forecast = shared->main->forecast,
                                    .watch = watch_search,
                                    .watch_at = NODES_PER_WATCH,
                                    .shared = shared,
                                    .collection = shared->main->collection,
                                    .item = (unsigned)i};
        for (unsigned d = 0; d < shared->depth; d++) {
            searcher.moves[d] = shared->paths[i * shared->depth + d];
        }
        bool found = search_tree(&searcher, shared->nodes + i * searcher.node_bytes, shared->depth,
                                 1.0 / shared->item_count);
        add_result(shared, &searcher, found);
        free_room(&searcher);
    }
}

// Searches the whole tree below the first node in the threads of the table's options. Expands nodes
// until there are enough items for all threads, and shares out the items. Returns true, with
// searcher->moves, if there is a path of searcher->bound moves.
static bool search_in_threads(struct searcher *searcher, const void *first)
{
    unsigned threads = searcher->table->options.threads;
    struct items items = {.depth = 0};
    bool done = make_list(searcher, &items.list, 1);
    if (done) {
        memcpy(items.list.nodes, first, searcher->node_bytes);
        items.list.count = 1;
    }
    while (done && items.list.count > 0 && items.list.count < threads * ITEMS_A_THREAD &&
           items.depth < ITEM_DEPTH_MOST && items.depth + 1 < searcher->bound) {
        done = expand_items(searcher, &items);
    }
    struct shared_search shared = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                   .main = searcher,
                                   .depth = items.depth,
                                   .nodes = items.list.nodes,
                                   .paths = items.paths,
                                   .item_count = items.list.count,
                                   .best = items.list.count,
                                   .over = searcher->over};
    if (done) {
        parallel_for(threads, items.list.count, 1, search_items, &shared);
        searcher->nodes += shared.generated;
        searcher->over = shared.over;
        memcpy(searcher->moves, shared.path, sizeof shared.path);
        if (shared.stopped) {
            searcher->error = shared.error;
            searcher->stopped = true;
        }
    }
    bool found = done && !searcher->stopped && shared.best < items.list.count;
    free_items(&items);
    pthread_mutex_destroy(&shared.lock);
    return found;
}

// ---- Rising bounds ------------------------------------------------------------------------------

// Returns the node family for a searched puzzle.
static const struct node_family *choose_family(const struct puzzle *puzzle)
{
    return puzzle->projection_count > 0 ? &STATE_NODES : &BOARD_NODES;
}

// Prepares for the search with the next bound; `nodes` is the number of nodes of the last one.
static bool choose_stage(struct searcher *searcher, uint64_t nodes)
{
    searcher->over = DEAD_END;
    return !searcher->family->choose || searcher->family->choose(searcher, nodes);
}

// Makes the first node, and takes its lower bound as the first bound of the search. That is 0 in
// the solved state, and then there is nothing to search: *solved becomes true. It may be 0 in other
// states, too, which take at least one move. Returns false after an error.
static bool begin_search(struct searcher *searcher, void *first, bool *solved)
{
    const struct node_family *family = searcher->family;
    if (!choose_stage(searcher, 0)) {
        return false;
    }
    searcher->bound = family->make_first_node(searcher, first);
    *solved = false;
    if (searcher->bound == 0) {
        *solved = !family->is_solved || family->is_solved(searcher, first);
        searcher->bound = 1;
    }
    return !searcher->stopped;
}

// Searches with one bound after the other, until there is a path. Then *steps is its length, and
// searcher->moves are its moves. If all states that the start leads to have been tried, which only
// happens if nobody has counted the states, *steps becomes FEWEST_UNREACHABLE. `first` has room for
// a node. Returns false with searcher->error if the search stops or the table is damaged.
static bool deepen_search(struct searcher *searcher, void *first, int *steps)
{
    bool found = false;
    uint64_t last = 0; // nodes of the last bound
    uint64_t last_but_one = 0;
    *steps = 0;
    if (!begin_search(searcher, first, &found) || found) {
        return found;
    }
    while (!found && searcher->bound <= DISTANCE_MOST) {
        uint64_t before = searcher->nodes;
        searcher->watch_at = before; // tells the watcher of the bound
        searcher->told_nodes = before;
        searcher->share = 0;
        searcher->forecast =
            last_but_one > 0 ? (double)last * (double)last / (double)last_but_one : 0;
        if (!table_keeps_limit(searcher->table, (int)searcher->bound, &searcher->error) ||
            !choose_stage(searcher, last)) {
            return false;
        }
        searcher->family->make_first_node(searcher, first); // for this bound
        if (searcher->table->options.threads > 1 && last >= THREADS_FROM) {
            found = search_in_threads(searcher, first);
        } else {
            found = search_tree(searcher, first, 0, 1);
        }
        found |= searcher->collection && searcher->collection->count > 0;
        if (searcher->stopped) {
            return false;
        }
        *steps = (int)searcher->bound;
        last_but_one = last;
        last = searcher->nodes - before;
        searcher->bound += searcher->over; // DEAD_END if no node exceeded it: there is no path
    }
    if (!found && searcher->bound >= DEAD_END && searcher->table->info.is_uncounted) {
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

// Returns what lower bounds need. The first call makes it, and the table keeps it until it is
// closed. Any number of threads may call this. Returns NULL after an error.
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

// Fills in the moves of a path from those of the search, which a symmetry may have exchanged.
static void copy_moves(const struct searcher *searcher, struct counted_path *path)
{
    const struct puzzle *puzzle = &searcher->table->puzzle;
    unsigned count = path->steps > 0 ? (unsigned)path->steps : 0;
    memcpy(path->moves, searcher->moves, count * sizeof *path->moves);
    if (searcher->family->write_path) {
        searcher->family->write_path(searcher->bounds, path->moves, count);
    }
    for (unsigned i = 0; i < count; i++) {
        if (searcher->family->query_move) {
            path->moves[i] = searcher->family->query_move(puzzle, searcher->from, path->moves[i]);
        }
    }
}

void ida_star_free(struct fewest *table)
{
    if (table->bounds) {
        choose_family(&table->puzzle)->free_bounds(table->bounds);
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

// Runs a search, which fills in a path or, with a collection, hands it several.
static bool run_search(struct fewest *table, const uint8_t *start, const uint8_t *target,
                       struct counted_path *path, struct path_collection *collection,
                       struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    const struct node_family *family = choose_family(puzzle);
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
                                .watch = watch_search,
                                .family = family,
                                .bounds = bounds,
                                .node_bytes = family->node_bytes(bounds),
                                .from = &from,
                                .collection = collection};
    if (table->options.seconds > 0) {
        searcher.deadline = clock_seconds() + table->options.seconds;
    }
    void *node = malloc(searcher.node_bytes);
    bool done = false;
    if (!node) {
        (void)error_no_memory(&searcher.error, "for the search");
    } else {
        done = deepen_search(&searcher, node, &path->steps);
    }
    if (!done) {
        *error = searcher.error;
    } else if (path->moves) {
        copy_moves(&searcher, path);
    }
    path->nodes = searcher.nodes;
    free_room(&searcher);
    free(node);
    return done;
}

bool ida_star_count_nodes(struct fewest *table, const uint8_t *start, const uint8_t *target,
                          struct counted_path *path, struct fewest_error *error)
{
    return run_search(table, start, target, path, NULL, error);
}

bool ida_star_collects(const struct fewest *table)
{
    const struct puzzle *puzzle = &table->puzzle;
    const struct node_family *family = choose_family(puzzle);
    return puzzle_is_searched(puzzle) && family->collects && family->collects(puzzle);
}

bool ida_star_collect_paths(struct fewest *table, const uint8_t *start, const uint8_t *target,
                            struct path_collection *collection, int *steps,
                            struct fewest_error *error)
{
    struct counted_path path = {.moves = NULL};
    if (pthread_mutex_init(&collection->lock, NULL) != 0) {
        return error_no_memory(error, "for a lock");
    }
    bool done = run_search(table, start, target, &path, collection, error);
    pthread_mutex_destroy(&collection->lock);
    *steps = path.steps;
    return done;
}
