// Searches for shortest paths by iterative-deepening A*, with bounds from projections (bounds.h).
//
// The children of a node are made together, and the first look-ups of all of them begin before the
// first one is read: they wait for the memory at the same time.
#include "search/state_search.h"

#include "search/bounds.h"

#include <stdlib.h>
#include <string.h>

enum {
    NODES_PER_WATCH = 1 << 16,
    AHEAD_MOST = 4, // views whose look-ups begin early
    CHILDREN_AT_ONCE = 64,
};

struct state_search {
    const struct bounds *bounds;
    const struct fewest *table;
    const uint8_t *start; // the path from here ends at the solved state
    unsigned ahead;
    unsigned moves[DISTANCE_MOST + 1];
    uint8_t *children[DISTANCE_MOST + 1]; // by depth: room for the nodes after each move
    unsigned over; // the least number of moves by which a lower bound exceeded the bound
    uint64_t nodes;
    uint64_t watch_at; // the number of nodes at which the watcher is called
    unsigned bound;
    bool stopped;
    bool no_memory;
};

static struct bound_node *child_at(const struct state_search *search, unsigned depth, unsigned c)
{
    return (struct bound_node *)(void *)(search->children[depth] + c * search->bounds->node_bytes);
}

static unsigned find_bound(const struct state_search *search, unsigned view, uint64_t index)
{
    const struct view *at = &search->bounds->views[view];
    return index < search->table->databases[at->database].section->entries ? bounds_entry(at, index)
                                                                           : UINT8_MAX;
}

static void call_watcher(struct state_search *search)
{
    search->watch_at = search->nodes + NODES_PER_WATCH;
    search->stopped = search->table->watch &&
                      !search->table->watch(search->table->watch_context, (int)search->bound);
}

// Does the path so far lead to the solved state? The bounds can be 0 in other states, too: pieces
// that no database names look alike to them.
static bool is_solved(const struct state_search *search, unsigned depth)
{
    const struct puzzle *puzzle = search->bounds->puzzle;
    uint8_t state[2][CELLS_MOST];
    memcpy(state[0], search->start, puzzle->cell_count);
    for (unsigned i = 0; i < depth; i++) {
        if (!puzzle_apply(puzzle, search->moves[i], state[i % 2], state[(i + 1) % 2])) {
            return false;
        }
    }
    return memcmp(state[depth % 2], puzzle->goals[0], puzzle->cell_count) == 0;
}

static bool make_room(struct state_search *search, unsigned depth)
{
    if (!search->children[depth]) {
        search->children[depth] =
            malloc(search->bounds->puzzle->move_count * search->bounds->node_bytes);
        search->no_memory |= !search->children[depth];
        search->stopped |= search->no_memory;
    }
    return search->children[depth];
}

// Returns the number of moves by which a lower bound exceeds the moves that are left, or 0.
static unsigned count_moves_over(const struct state_search *search, const struct bound_node *child,
                                 const uint64_t *index, unsigned left)
{
    for (unsigned v = 0; v < search->bounds->view_count; v++) {
        uint64_t entry = v < search->ahead
                             ? index[v]
                             : bounds_index(search->bounds, &search->bounds->views[v], child);
        unsigned bound = find_bound(search, v, entry);
        if (bound > left) {
            return bound - left;
        }
    }
    return 0;
}

static uint32_t state_after(const struct bounds *bounds, const struct bound_node *node,
                            unsigned move)
{
    const struct pruning_automaton *automaton = &bounds->automaton;
    return automaton->state_count > 0
               ? automaton->next[(size_t)node->state * automaton->move_count + move]
               : 0;
}

// Lists the moves from `first` on that the automaton allows, out of at most CHILDREN_AT_ONCE.
static unsigned allow_moves(const struct state_search *search, const struct bound_node *node,
                            unsigned first, unsigned *move)
{
    unsigned moves = search->bounds->puzzle->move_count;
    unsigned count = 0;
    for (unsigned m = first; m < moves && m < first + CHILDREN_AT_ONCE; m++) {
        if (state_after(search->bounds, node, m) != MOVE_PRUNED) {
            move[count++] = m;
        }
    }
    return count;
}

// Searches the tree below a node. Returns true if it reaches the goal.
static bool search_below(struct state_search *search, const struct bound_node *node, unsigned depth)
{
    const struct bounds *bounds = search->bounds;
    unsigned moves = bounds->puzzle->move_count;
    unsigned left = search->bound - depth - 1; // after this move
    uint64_t index[CHILDREN_AT_ONCE][AHEAD_MOST];
    if (!make_room(search, depth)) {
        return false;
    }
    if (search->nodes >= search->watch_at) {
        call_watcher(search);
    }
    for (unsigned first = 0; first < moves && !search->stopped; first += CHILDREN_AT_ONCE) {
        unsigned move[CHILDREN_AT_ONCE];
        unsigned count = allow_moves(search, node, first, move);
        search->nodes += count;
        for (unsigned c = 0; c < count; c++) {
            struct bound_node *child = child_at(search, depth, move[c]);
            bounds_move(bounds, node, move[c], child);
            child->state = state_after(bounds, node, move[c]);
            for (unsigned v = 0; v < search->ahead; v++) {
                const struct view *view = &bounds->views[v];
                index[c][v] = bounds_index(bounds, view, child);
                if (index[c][v] != INDEX_NONE) {
                    __builtin_prefetch(&view->entries[index[c][v] * view->bits / 8]);
                }
            }
        }
        for (unsigned c = 0; c < count && !search->stopped; c++) {
            struct bound_node *child = child_at(search, depth, move[c]);
            unsigned over = count_moves_over(search, child, index[c], left);
            search->moves[depth] = move[c];
            if (over == 0 && left == 0) {
                if (is_solved(search, depth + 1)) {
                    return true;
                }
                over = 1;
            }
            if (over > 0) {
                search->over = over < search->over ? over : search->over;
            } else if (search_below(search, child, depth + 1)) {
                return true;
            }
        }
    }
    return false;
}

static bool deepen_search(struct state_search *search, const struct bound_node *root, int *steps,
                          struct fewest_error *error)
{
    const struct bounds *bounds = search->bounds;
    unsigned bound = 0;
    for (unsigned v = 0; v < bounds->view_count; v++) {
        unsigned found = find_bound(search, v, bounds_index(bounds, &bounds->views[v], root));
        bound = found > bound ? found : bound;
    }
    *steps = 0;
    if (is_solved(search, 0)) {
        return true;
    }
    for (search->bound = bound > 0 ? bound : 1; search->bound <= DISTANCE_MOST;) {
        search->over = DISTANCE_MOST;
        if (!table_keeps_limit(search->table, (int)search->bound, error)) {
            return false;
        }
        call_watcher(search);
        if (!search->stopped && search_below(search, root, 0)) {
            *steps = (int)search->bound;
            return true;
        }
        if (search->no_memory) {
            return error_set(error, FEWEST_SYSTEM, "not enough memory for the search");
        }
        if (search->stopped) {
            return error_set(error, FEWEST_STOPPED,
                             "stopped while searching for a path of %u moves", search->bound);
        }
        search->bound += search->over;
    }
    return error_set(error, FEWEST_DAMAGED,
                     "the table holds wrong distances: no path of %d moves or fewer solves this",
                     DISTANCE_MOST);
}

// A renaming of the pieces turns the target into the solved state. Applies it to the start.
static bool relabel_start(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                          uint8_t *state, struct fewest_error *error)
{
    uint8_t relative[CELLS_MOST];
    unsigned root;
    if (puzzle->numbering.answers != ANSWERS_ALL) {
        memcpy(state, start, puzzle->cell_count);
        return memcmp(target, puzzle->goals[0], puzzle->cell_count) == 0 ||
               error_set(error, FEWEST_BEYOND,
                         "%s is solved by a search and has pieces that look alike or orientations "
                         "that do not count, so TARGET must be the solved state",
                         puzzle->name);
    }
    if (!puzzle_relate(puzzle, target, start, &root, relative, error)) {
        return false;
    }
    puzzle_unrelate(puzzle, puzzle->goals[0], relative, state);
    return true;
}

bool state_search_find_path(struct fewest *table, const uint8_t *start, const uint8_t *target,
                            unsigned *moves, int *steps, uint64_t *nodes,
                            struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    uint8_t state[CELLS_MOST];
    *nodes = 0;
    *steps = FEWEST_UNREACHABLE;
    if (!relabel_start(puzzle, start, target, state, error)) {
        return false;
    }
    if (!puzzle->rules->is_reachable(puzzle, state, puzzle->goals[0])) {
        return true;
    }
    struct state_search search = {.table = table, .start = state};
    if (!bounds_prepare(table, error)) {
        return false;
    }
    search.bounds = table->bounds;
    search.ahead = search.bounds->view_count < AHEAD_MOST ? search.bounds->view_count : AHEAD_MOST;
    struct bound_node *root = malloc(search.bounds->node_bytes);
    bool done = root || error_set(error, FEWEST_SYSTEM, "not enough memory for the search");
    if (done) {
        bounds_set(search.bounds, state, root);
        done = deepen_search(&search, root, steps, error);
    }
    *nodes = search.nodes;
    for (int i = 0; done && i < *steps && moves; i++) {
        moves[i] = search.moves[i];
    }
    for (unsigned d = 0; d <= DISTANCE_MOST; d++) {
        free(search.children[d]);
    }
    free(root);
    return done;
}
