// The nodes of searches with projections, and their lower bounds (bounds.h).
//
// The children of a node are made together. The look-ups of all of them in a few views begin before
// the first one is read: they wait for the memory at the same time.
#include "bounds.h"
#include "ida_star.h"

#include <string.h>

enum {
    VIEWS_FIRST = 2, // these drop most children
    VIEWS_AT_ONCE = 8,
    CHILDREN_AT_ONCE = 64,
};

// Children of one node that may lie on a path, by the moves that lead to them.
struct candidates {
    unsigned count;
    unsigned moves[CHILDREN_AT_ONCE];
};

// The child by a move, in the memory for children.
static struct bound_node *child_at(const struct bounds *bounds, const struct children *children,
                                   unsigned move)
{
    return (struct bound_node *)(void *)(children->nodes + move * bounds->node_bytes);
}

static size_t find_node_bytes(const void *bounds)
{
    return ((const struct bounds *)bounds)->node_bytes;
}

// Returns the lower bound that an entry of a view's database gives, or DEAD_END if it says that no
// path leads from there. So does INDEX_NONE, which is no entry. Unpacks the block of the entry
// if that is not there. If this fails, it stops the search.
static unsigned find_bound(struct searcher *searcher, const struct view *view, uint64_t index)
{
    const struct bounds *bounds = searcher->bounds;
    const struct database *database = &bounds->databases[view->database];
    if (index >= database->entries) {
        return DEAD_END;
    }
    if (!database_need(database, index, &searcher->error)) {
        searcher->stopped = true;
        return DEAD_END;
    }
    unsigned entry = database_get(database, index);
    return entry == database_unreachable(database) ? DEAD_END : entry;
}

// Do the first `count` moves of the searcher lead from its start to the solved state? This is asked
// when all bounds are 0. They can be 0 in other states, too, because pieces that no database names
// look alike to them.
static bool is_solved(const struct searcher *searcher, unsigned count)
{
    const struct puzzle *puzzle = ((const struct bounds *)searcher->bounds)->puzzle;
    uint8_t state[2][CELLS_MOST]; // each move takes one to the other
    memcpy(state[0], searcher->from->state, puzzle->cell_count);
    for (unsigned i = 0; i < count; i++) {
        if (!puzzle_apply(puzzle, searcher->moves[i], state[i % 2], state[(i + 1) % 2])) {
            return false;
        }
    }
    return memcmp(state[count % 2], puzzle->goals[0], puzzle->cell_count) == 0;
}

// The state of the pruning automaton after a move, or MOVE_PRUNED. Always 0 if the puzzle has none.
static uint32_t automaton_state_after(const struct pruning_automaton *automaton,
                                      const struct bound_node *node, unsigned move)
{
    return automaton->state_count > 0
               ? automaton->next[(size_t)node->state * automaton->move_count + move]
               : 0;
}

// Lists the moves that the automaton does not prune, out of the CHILDREN_AT_ONCE moves from `first`
// on, or of as many as are left.
static void list_candidates(const struct searcher *searcher, const struct bound_node *node,
                            unsigned first, struct candidates *candidates)
{
    const struct bounds *bounds = searcher->bounds;
    unsigned moves = bounds->puzzle->move_count;
    candidates->count = 0;
    for (unsigned m = first; m < moves && m < first + CHILDREN_AT_ONCE; m++) {
        if (automaton_state_after(&bounds->automaton, node, m) != MOVE_PRUNED) {
            candidates->moves[candidates->count++] = m;
        }
    }
}

// Makes the children of the candidates, and drops the candidates whose moves can't be made.
static void make_children(const struct searcher *searcher, const struct bound_node *node,
                          const struct children *children, struct candidates *candidates)
{
    const struct bounds *bounds = searcher->bounds;
    unsigned made = 0;
    for (unsigned c = 0; c < candidates->count; c++) {
        unsigned move = candidates->moves[c];
        struct bound_node *child = child_at(bounds, children, move);
        if (bounds_move(bounds, node, move, child)) {
            child->state = automaton_state_after(&bounds->automaton, node, move);
            candidates->moves[made++] = move;
        }
    }
    candidates->count = made;
}

// Drops the candidates whose lower bound in one of the views first … end-1 exceeds `left`, the
// moves that are left, and lowers searcher->over to the least excess. All look-ups begin before the
// first entry is read, so that they wait for the memory at the same time. There are at most
// VIEWS_AT_ONCE views.
static void try_views(struct searcher *searcher, const struct children *children,
                      struct candidates *candidates, unsigned first, unsigned end, unsigned left)
{
    const struct bounds *bounds = searcher->bounds;
    uint64_t index[CHILDREN_AT_ONCE][VIEWS_AT_ONCE]; // of the entries
    unsigned *moves = candidates->moves;
    unsigned count = candidates->count;
    unsigned kept = 0;
    for (unsigned c = 0; c < count; c++) {
        for (unsigned v = first; v < end; v++) {
            const struct view *view = &bounds->views[v];
            uint64_t found = bounds_index(bounds, view, child_at(bounds, children, moves[c]));
            index[c][v - first] = found;
            if (found != INDEX_NONE) {
                __builtin_prefetch(database_at(&bounds->databases[view->database], found));
            }
        }
    }
    for (unsigned c = 0; c < count; c++) {
        unsigned bound = 0;
        for (unsigned v = first; v < end && bound <= left; v++) {
            bound = find_bound(searcher, &bounds->views[v], index[c][v - first]);
        }
        unsigned over = 0; // by how much the bound exceeds the moves that are left
        if (bound == DEAD_END) {
            over = DEAD_END;
        } else if (bound > left) {
            over = bound - left;
        }
        if (over == 0) {
            moves[kept++] = moves[c];
        } else if (over < searcher->over) {
            searcher->over = over;
        }
    }
    candidates->count = kept;
}

// Makes the children of a node that can be solved in `left` moves, as far as all views tell. Lists
// their moves in rising order, and returns their number.
static unsigned expand_state(struct searcher *searcher, const void *node, unsigned left,
                             const struct children *children)
{
    const struct bounds *bounds = searcher->bounds;
    unsigned moves = bounds->puzzle->move_count;
    unsigned kept = 0;
    for (unsigned first = 0; first < moves; first += CHILDREN_AT_ONCE) {
        struct candidates candidates;
        list_candidates(searcher, node, first, &candidates);
        searcher->nodes += candidates.count;
        make_children(searcher, node, children, &candidates);
        unsigned end;
        for (unsigned v = 0; v < bounds->view_count; v = end) {
            end = v + (v == 0 ? VIEWS_FIRST : VIEWS_AT_ONCE);
            end = end < bounds->view_count ? end : bounds->view_count;
            try_views(searcher, children, &candidates, v, end, left);
        }
        for (unsigned c = 0; c < candidates.count; c++) {
            children->moves[kept++] = (uint16_t)candidates.moves[c];
        }
    }
    return kept;
}

// Makes the node of the state that the search begins with. Returns its lower bound, the largest of
// all views, or DEAD_END. If a block can't be unpacked, it stops the search.
static unsigned make_first_node(struct searcher *searcher, void *node)
{
    const struct bounds *bounds = searcher->bounds;
    unsigned most = 0;
    bounds_set(bounds, searcher->from->state, node);
    for (unsigned v = 0; v < bounds->view_count; v++) {
        const struct view *view = &bounds->views[v];
        unsigned bound = find_bound(searcher, view, bounds_index(bounds, view, node));
        most = bound > most ? bound : most;
    }
    return most;
}

// Writes the state that the search begins with: the start after the renaming of the pieces that
// turns the target into the solved state. Without such a renaming, the target must be the solved
// state, or it fails with FEWEST_BEYOND.
static bool relabel_start(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                          uint8_t *state, struct fewest_error *error)
{
    uint8_t relative[CELLS_MOST];
    unsigned root;
    if (puzzle->numbering.answers != ANSWERS_ALL) {
        if (memcmp(target, puzzle->goals[0], puzzle->cell_count) != 0) {
            return error_set(
                error, FEWEST_BEYOND,
                "%s is solved by a search and has %s, so TARGET must be the solved state",
                puzzle->name,
                puzzle->filter ? "illegal states"
                               : "pieces that look alike or orientations that do not count");
        }
        memcpy(state, start, puzzle->cell_count);
        return true;
    }
    // The start, as seen from the target, is then seen from the solved state.
    if (!puzzle_find_relative(puzzle, target, start, &root, relative, error)) {
        return false;
    }
    puzzle_restore_target(puzzle, puzzle->goals[0], relative, state);
    return true;
}

// The family's `find_relative`: writes the state that the search begins with, and whether moves
// lead from there to the solved state, as far as the orbits of the pieces tell.
static bool relate_states(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                          struct search_start *from, bool *reachable, struct fewest_error *error)
{
    if (!relabel_start(puzzle, start, target, from->state, error)) {
        return false;
    }
    *reachable = puzzle->rules->is_reachable(puzzle, from->state, puzzle->goals[0]);
    return true;
}

const struct node_family STATE_NODES = {
    .make_bounds = bounds_make,
    .free_bounds = bounds_free,
    .relate = relate_states,
    .node_bytes = find_node_bytes,
    .make_first_node = make_first_node,
    .expand = expand_state,
    .is_solved = is_solved,
};
