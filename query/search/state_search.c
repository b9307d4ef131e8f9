// The nodes of searches with projections. cosets.h explains their lower bounds.
//
// A node knows the place of its state in each space. If the states are a group and moves can be
// undone, it also knows those of the inverse. Then each node goes on from one of two *sides*: a
// move changes the state from the left, or its inverse, which changes the state from the right.
// The search takes the side with fewer moves. A move that keeps the coset of the solved state does
// not change the coset of the other side. So if the other side's bound leaves no move to spare, all
// such moves can be skipped.
//
// Which sequences of moves are left out: after a move a, a move b with the product of a shorter
// sequence, or of a pair that comes before (a, b) in the order of the moves. Say that some sequence
// of the least length exists. On each side, take the first move of the first one; that is never
// left out. So one is found, whatever sides the nodes take.
//
// If the states are no group, many sequences lead to one state. Then a search also remembers
// states: it does not expand one again with as many moves left or fewer.
//
// The children of a node are made together, in stages. Each stage prefetches what the next one
// reads, so that the look-ups of all children wait for the memory at the same time.
#include "cosets.h"
#include "ida_star.h"

#include "tables/base/array.h"
#include "tables/base/row_set.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    CHILDREN_AT_ONCE = 32,
    SIDES = 2,
    VIEWS_MOST = 24,
    SYMMETRIES_VIEWED = 1024, // if there are more symmetries, only the identity makes views
    NO_MOVE = UINT16_MAX,
};

// The moves that may come after a move.
struct followers {
    const uint16_t *moves; // rising
    unsigned count;
    unsigned kind; // the first move that has the same followers
};

struct state_bounds {
    const struct puzzle *puzzle;
    const struct point_view *view;
    unsigned space_count;
    unsigned view_count;
    unsigned sides;
    unsigned move_count;
    size_t points;    // of a list in a node
    size_t places_at; // in the data of a node, and so on
    size_t bounds_at;
    size_t lists_at;
    size_t node_bytes;
    uint16_t *follower_moves;    // of all
    struct followers *followers; // by move, and then without one
    uint8_t *forward;            // by move and point: where it takes the point
    uint8_t *backward;           // and from where it comes
    struct coset_space spaces[DATABASES_MOST];
    struct coset_view views[VIEWS_MOST];
};

// A node. `data` holds, one after the other: by view and side, the places; by view and side,
// lower bounds; by side, the images of all points under the state and its inverse or, if the states
// are no group, the cells.
struct state_node {
    uint16_t last[SIDES]; // moves, or NO_MOVE
    uint8_t data[];
};

static struct coset_place *places_of(const struct state_bounds *bounds,
                                     const struct state_node *node, unsigned view)
{
    return (struct coset_place *)(void *)(uintptr_t)(node->data + bounds->places_at) +
           (size_t)view * SIDES;
}

static uint8_t *bounds_of(const struct state_bounds *bounds, const struct state_node *node,
                          unsigned view)
{
    return (uint8_t *)(uintptr_t)(node->data + bounds->bounds_at) + (size_t)view * SIDES;
}

static uint8_t *list_of(const struct state_bounds *bounds, const struct state_node *node,
                        unsigned side)
{
    return (uint8_t *)(uintptr_t)(node->data + bounds->lists_at) + side * bounds->points;
}

// ---- Followers ----------------------------------------------------------------------------------

// Adds the product of two moves, b after a, to the set. NO_MOVE is the identity. Returns the number
// of the product, or ROW_NONE if memory runs out.
static uint32_t add_product(const struct state_bounds *bounds, struct row_set *set, unsigned a,
                            unsigned b)
{
    chain_point row[POINTS_MOST] = {0};
    for (unsigned x = 0; x < bounds->view->slot_points; x++) {
        unsigned y = a == NO_MOVE ? x : bounds->forward[a * (size_t)bounds->view->slot_points + x];
        row[x] = b == NO_MOVE ? (chain_point)y
                              : bounds->forward[b * (size_t)bounds->view->slot_points + y];
    }
    return row_set_add(set, row);
}

// Does the pair have a product that no shorter sequence and no earlier pair has? If some states are
// illegal, an earlier pair may lead through one of them, so it does not count. *failed tells
// whether memory has run out.
static bool is_first(const struct state_bounds *bounds, struct row_set *set, unsigned a, unsigned b,
                     bool *failed)
{
    uint32_t before = set->count;
    uint32_t number = add_product(bounds, set, a, b);
    *failed |= number == ROW_NONE;
    bool is_shorter = number <= bounds->move_count; // the identity and the moves come first
    return number == before || (bounds->puzzle->filter && !is_shorter);
}

// Fills in the kind of the followers of a move.
static void find_kind(const struct state_bounds *bounds, unsigned move)
{
    struct followers *own = &bounds->followers[move];
    for (own->kind = 0; own->kind < move; own->kind++) {
        const struct followers *other = &bounds->followers[own->kind];
        if (other->count == own->count &&
            memcmp(other->moves, own->moves, own->count * sizeof *own->moves) == 0) {
            return;
        }
    }
}

// Are there few enough points for lists of them?
static bool has_points(const struct state_bounds *bounds)
{
    return bounds->view->slot_points <= POINTS_MOST;
}

// Lists the followers of all moves. If there are very many moves or points, every move follows
// every other.
// Returns false if memory runs out.
static bool list_followers(struct state_bounds *bounds)
{
    enum { MOVES_COMPARED = 512 };
    unsigned count = bounds->move_count;
    uint16_t *next = array_make((count + UINT64_C(1)) * count, sizeof *next);
    struct row_set set;
    bool failed = !next;
    bounds->follower_moves = next;
    bounds->followers = array_make(count, sizeof *bounds->followers);
    bool compares = has_points(bounds) && count <= MOVES_COMPARED;
    row_set_open(&set, POINTS_MOST);
    failed |=
        !bounds->followers || (compares && add_product(bounds, &set, NO_MOVE, NO_MOVE) == ROW_NONE);
    for (unsigned m = 0; m < count && compares && !failed; m++) {
        failed = add_product(bounds, &set, m, NO_MOVE) == ROW_NONE;
    }
    for (unsigned a = 0; a <= count && !failed; a++) {
        bounds->followers[a].moves = next;
        for (unsigned b = 0; b < count && !failed; b++) {
            if (a == count || !compares || is_first(bounds, &set, a, b, &failed)) {
                *next++ = (uint16_t)b;
            }
        }
        bounds->followers[a].count = (unsigned)(next - bounds->followers[a].moves);
        find_kind(bounds, a);
    }
    row_set_close(&set);
    return !failed;
}

static struct followers followers_of(const struct state_bounds *bounds,
                                     const struct state_node *node, unsigned side)
{
    unsigned last = node->last[side];
    return bounds->followers[last == NO_MOVE ? bounds->move_count : last];
}

// ---- Making -------------------------------------------------------------------------------------

// Fills in where moves take the points. Returns false if memory runs out.
static bool make_moves(struct state_bounds *bounds)
{
    const struct point_view *view = bounds->view;
    size_t points = view->slot_points;
    bounds->forward = array_make(bounds->move_count * points, 1);
    bounds->backward = array_make(bounds->move_count * points, 1);
    for (unsigned m = 0; m < bounds->move_count && bounds->forward && bounds->backward; m++) {
        const chain_point *to = view->moves + (size_t)m * view->degree;
        for (unsigned x = 0; x < points; x++) {
            bounds->forward[m * points + x] = (uint8_t)to[x];
            bounds->backward[m * points + to[x]] = (uint8_t)x;
        }
    }
    return bounds->forward && bounds->backward;
}

// Decides where the data of a node stand.
static void lay_out_nodes(struct state_bounds *bounds)
{
    size_t align = _Alignof(struct coset_place);
    size_t used = offsetof(struct state_node, data);
    used = (used + align - 1) / align * align;
    bounds->places_at = used - offsetof(struct state_node, data);
    bounds->bounds_at =
        bounds->places_at + bounds->view_count * (size_t)SIDES * sizeof(struct coset_place);
    bounds->lists_at = bounds->bounds_at + bounds->view_count * (size_t)SIDES;
    bounds->points =
        bounds->sides == SIDES ? bounds->view->slot_points : bounds->puzzle->cell_count;
    used = offsetof(struct state_node, data) + bounds->lists_at + bounds->sides * bounds->points;
    bounds->node_bytes = (used + align - 1) / align * align;
}

static void free_bounds(void *made)
{
    struct state_bounds *bounds = made;
    for (unsigned v = 0; v < bounds->view_count; v++) {
        coset_view_free(&bounds->views[v]);
    }
    for (unsigned d = 0; d < bounds->space_count; d++) {
        coset_space_free(&bounds->spaces[d]);
    }
    free(bounds->follower_moves);
    free(bounds->followers);
    free(bounds->forward);
    free(bounds->backward);
    free(bounds);
}

// Makes the first view of each space, that of the identity. Returns false if memory runs out.
static bool make_first_views(struct state_bounds *bounds)
{
    chain_point points[POINTS_MOST];
    uint16_t moves[MOVES_MOST];
    const struct coset_symmetry identity = {points, moves};
    bool done = true;
    for (unsigned x = 0; x < POINTS_MOST; x++) {
        points[x] = (chain_point)x;
    }
    for (unsigned m = 0; m < bounds->move_count; m++) {
        moves[m] = (uint16_t)m;
    }
    while (bounds->view_count < bounds->space_count && done) {
        unsigned v = bounds->view_count++;
        done = coset_view_make(&bounds->views[v], &bounds->spaces[v], &identity,
                               bounds->sides == SIDES);
    }
    return done;
}

// Does a symmetry keep the points of each slot together?
static bool keeps_slots(const struct point_view *view, const chain_point *symmetry)
{
    for (unsigned x = 0; x < view->slot_points; x++) {
        unsigned first = view->slots[view->slot_of[x]].first;
        if (view->slot_of[symmetry[x]] != view->slot_of[symmetry[first]]) {
            return false;
        }
    }
    return true;
}

// Adds the view of a symmetry to a space, if none of `keys` is its key. Returns false if memory
// runs out.
static bool add_view(struct state_bounds *bounds, unsigned s, struct row_set *keys,
                     const struct coset_symmetry *symmetry)
{
    uint16_t key[MOVES_MOST];
    uint32_t before = keys->count;
    coset_view_key(&bounds->spaces[s], symmetry->moves, key);
    uint32_t number = row_set_add(keys, key);
    if (number != before || before == 0 || bounds->view_count == VIEWS_MOST) {
        return number != ROW_NONE; // the first key is that of the identity, which has a view
    }
    return coset_view_make(&bounds->views[bounds->view_count++], &bounds->spaces[s], symmetry,
                           true);
}

// Makes the views of all symmetries of the moves, as long as there is room. Returns false if memory
// runs out.
static bool make_more_views(struct state_bounds *bounds)
{
    struct point_symmetries symmetries = {.count = 0};
    struct row_set keys[DATABASES_MOST];
    bool done = point_view_find_symmetries(bounds->view, SYMMETRIES_BY_MOVES, SYMMETRIES_VIEWED,
                                           &symmetries);
    for (unsigned s = 0; s < bounds->space_count; s++) {
        row_set_open(&keys[s], bounds->move_count);
    }
    for (uint32_t n = 0; n < symmetries.count && symmetries.complete && done; n++) {
        const struct coset_symmetry symmetry = {point_symmetries_row(&symmetries, n),
                                                point_symmetries_moves(&symmetries, n)};
        for (unsigned s = 0; s < bounds->space_count && done; s++) {
            done = !keeps_slots(bounds->view, symmetry.points) ||
                   add_view(bounds, s, &keys[s], &symmetry);
        }
    }
    for (unsigned s = 0; s < bounds->space_count; s++) {
        row_set_close(&keys[s]);
    }
    point_symmetries_free(&symmetries);
    return done;
}

static void *make_bounds(const struct puzzle *puzzle, const struct database *databases,
                         struct fewest_error *error)
{
    struct state_bounds *bounds = calloc(1, sizeof *bounds);
    if (!bounds) {
        (void)error_no_memory(error, "for the search");
        return NULL;
    }
    bounds->puzzle = puzzle;
    bounds->view = permutation_view(puzzle);
    bool group =
        puzzle->numbering.answers == ANSWERS_ALL && puzzle->reversible && has_points(bounds);
    bounds->move_count = puzzle->move_count;
    bounds->sides = group ? SIDES : 1;
    bool done = ((!has_points(bounds) || make_moves(bounds)) && list_followers(bounds)) ||
                error_no_memory(error, "for the search");
    while (bounds->space_count < puzzle->projection_count && done) {
        unsigned d = bounds->space_count++;
        done = coset_space_make(&bounds->spaces[d], puzzle, d, &databases[d], error);
    }
    done = done && ((make_first_views(bounds) && (!group || make_more_views(bounds))) ||
                    error_no_memory(error, "for the search"));
    if (!done) {
        free_bounds(bounds);
        return NULL;
    }
    lay_out_nodes(bounds);
    return bounds;
}

static size_t find_node_bytes(const void *bounds)
{
    return ((const struct state_bounds *)bounds)->node_bytes;
}

// A move on either side is an edge.
static unsigned count_edges(const void *made)
{
    const struct state_bounds *bounds = made;
    return bounds->move_count * bounds->sides;
}

// ---- Paths --------------------------------------------------------------------------------------

// The inverse of a move. The puzzle has it.
static unsigned find_inverse(const struct state_bounds *bounds, unsigned move)
{
    size_t points = bounds->view->slot_points;
    unsigned inverse = 0;
    while (memcmp(bounds->forward + inverse * points, bounds->backward + move * points, points) !=
           0) {
        inverse++;
    }
    return inverse;
}

// Replaces edges by the moves of the path. Those of the state come first. The moves of the inverse
// follow, undone, the last one first.
static void write_path(const void *made, unsigned *edges, unsigned count)
{
    const struct state_bounds *bounds = made;
    unsigned moves[DISTANCE_MOST];
    unsigned first = 0;
    unsigned end = count;
    for (unsigned i = 0; i < count; i++) {
        if (edges[i] < bounds->move_count) {
            moves[first++] = edges[i];
        } else {
            moves[--end] = find_inverse(bounds, edges[i] - bounds->move_count);
        }
    }
    memcpy(edges, moves, count * sizeof *edges);
}

// Do the first `count` edges of the searcher lead from its start to the solved state? This is asked
// when all bounds are 0. They can be 0 in other states, too.
static bool is_solved(const struct searcher *searcher, unsigned count)
{
    const struct state_bounds *bounds = searcher->bounds;
    const struct puzzle *puzzle = bounds->puzzle;
    unsigned path[DISTANCE_MOST + 1];
    uint8_t state[2][CELLS_MOST]; // each move takes one to the other
    memcpy(path, searcher->moves, count * sizeof *path);
    write_path(bounds, path, count);
    memcpy(state[0], searcher->from->state, puzzle->cell_count);
    for (unsigned i = 0; i < count; i++) {
        if (!puzzle_apply(puzzle, path[i], state[i % 2], state[(i + 1) % 2])) {
            return false;
        }
    }
    return memcmp(state[count % 2], puzzle->goals[0], puzzle->cell_count) == 0;
}

// ---- Remembered states --------------------------------------------------------------------------

struct remembered {
    XXH128_hash_t hash; // of the cells: no two states with one hash are known
    uint16_t bound;
    uint16_t left;
    uint16_t kinds[SIDES]; // of followers
};

// Has the search expanded this state with as many moves left or more? If not, it remembers it.
// Without memory, it remembers nothing.
static bool was_expanded(struct searcher *searcher, const struct state_node *node, unsigned left)
{
    enum { STATES_LOG2 = 16 };
    const struct state_bounds *bounds = searcher->bounds;
    if (!searcher->remembered) {
        searcher->remembered = calloc(1, sizeof(struct remembered) << STATES_LOG2);
    }
    if (!searcher->remembered) {
        return false;
    }
    XXH128_hash_t hash = XXH3_128bits(list_of(bounds, node, 0), bounds->points);
    uint16_t kinds[SIDES] = {0};
    for (unsigned side = 0; side < bounds->sides && bounds->sides == SIDES; side++) {
        kinds[side] = (uint16_t)followers_of(bounds, node, side).kind;
    }
    uint64_t at = hash.low64 + kinds[0] * UINT64_C(0x9E3779B97F4A7C15) +
                  kinds[1] * UINT64_C(0xD6E8FEB86659FD93);
    struct remembered *state =
        (struct remembered *)searcher->remembered + (at >> (64 - STATES_LOG2));
    if (state->bound == searcher->bound && state->left >= left &&
        memcmp(state->kinds, kinds, sizeof kinds) == 0 && XXH128_isEqual(state->hash, hash)) {
        return true;
    }
    *state =
        (struct remembered){hash, (uint16_t)searcher->bound, (uint16_t)left, {kinds[0], kinds[1]}};
    return false;
}

// ---- Children -----------------------------------------------------------------------------------

// A child that may lie on a path.
struct candidate {
    uint16_t move;
    uint32_t map;  // of the next symmetry
    uint64_t slot; // of the place that is tried
    struct coset_place places[VIEWS_MOST][SIDES];
    uint8_t bounds[VIEWS_MOST][SIDES];
};

// Some children of a node, on one side of it.
struct candidates {
    struct searcher *searcher;
    const struct state_node *node;
    unsigned side;
    unsigned left; // moves, after the one to the child
    unsigned count;
    uint8_t order[CHILDREN_AT_ONCE]; // the numbers of those that are left in the list
    struct candidate list[CHILDREN_AT_ONCE];
};

// The candidate that is number c among those that are left.
static struct candidate *candidate_at(struct candidates *candidates, unsigned c)
{
    return &candidates->list[candidates->order[c]];
}

// Notes that a child's bound exceeds the moves that are left.
static void note_excess(struct searcher *searcher, unsigned excess)
{
    searcher->over = excess < searcher->over ? excess : searcher->over;
}

// Begins to load the slot of a place.
static void prefetch_slot(const struct coset_space *space, struct candidate *child,
                          struct coset_place place)
{
    child->slot = coset_slot(space, place);
    __builtin_prefetch(database_at(&space->database, child->slot));
}

// Reads the bounds of the slots of all candidates, for one side, and drops those that exceed the
// moves that are left.
static void read_bounds(struct candidates *candidates, unsigned s, unsigned side)
{
    struct searcher *searcher = candidates->searcher;
    const struct state_bounds *bounds = searcher->bounds;
    const struct coset_space *space = bounds->views[s].space;
    unsigned kept = 0;
    for (unsigned c = 0; c < candidates->count; c++) {
        struct candidate *child = candidate_at(candidates, c);
        if (!database_need(&space->database, child->slot, &searcher->error)) {
            searcher->stopped = true;
            candidates->count = 0;
            return;
        }
        unsigned bound = stripe_bound(space->database.bytes, child->slot, space->database.base);
        if (bound > candidates->left) {
            note_excess(searcher, bound - candidates->left);
            continue;
        }
        child->bounds[s][side] = (uint8_t)bound;
        candidates->order[kept++] = candidates->order[c];
    }
    candidates->count = kept;
}

// Tries the places of the side that moves in one view.
static void try_moved_side(struct candidates *candidates, unsigned s)
{
    const struct state_bounds *bounds = candidates->searcher->bounds;
    const struct coset_view *view = &bounds->views[s];
    const struct coset_space *space = view->space;
    const struct symmetric_pages *pages = space->pages;
    unsigned side = candidates->side;
    const struct coset_place from = places_of(bounds, candidates->node, s)[side];
    const uint16_t *columns = view->column_of + (size_t)from.symmetry * space->move_count;
    const struct chain_step *steps = symmetric_pages_steps(pages, from.row);
    const struct symmetric_view *views = symmetric_pages_views(pages, from.row);
    for (unsigned c = 0; c < candidates->count; c++) {
        struct candidate *child = candidate_at(candidates, c);
        unsigned column = columns[child->move];
        struct chain_step step = steps[column];
        struct symmetric_view seen = views[column];
        uint32_t offset = symmetric_pages_go(pages, step.map, from.offset);
        child->map = seen.map;
        symmetric_pages_prefetch(pages, seen.map, offset);
        child->places[s][side] = (struct coset_place){
            step.page, offset,
            space->after[seen.symmetry * (size_t)pages->plan->symmetry_count + from.symmetry]};
    }
    for (unsigned c = 0; c < candidates->count; c++) {
        struct candidate *child = candidate_at(candidates, c);
        struct coset_place *place = &child->places[s][side];
        place->offset = symmetric_pages_go(pages, child->map, place->offset);
        prefetch_slot(space, child, *place);
    }
    read_bounds(candidates, s, side);
}

// Tries the places of the other side in one view. A move that keeps the coset of the solved state
// does not change its place.
static void try_other_side(struct candidates *candidates, unsigned s)
{
    const struct state_bounds *bounds = candidates->searcher->bounds;
    const struct coset_view *view = &bounds->views[s];
    const struct coset_space *space = view->space;
    unsigned other = !candidates->side;
    const struct coset_place from = places_of(bounds, candidates->node, s)[other];
    const uint8_t *images = list_of(bounds, candidates->node, other);
    struct coset_search searches[CHILDREN_AT_ONCE];
    unsigned count = 0;
    for (unsigned c = 0; c < candidates->count; c++) {
        unsigned move = candidate_at(candidates, c)->move;
        if (!view->keeps[move]) {
            searches[count].images = images;
            searches[count++].first = bounds->backward + move * bounds->points;
        }
    }
    coset_find_points(view, searches, count);
    count = 0;
    for (unsigned c = 0; c < candidates->count; c++) {
        struct candidate *child = candidate_at(candidates, c);
        child->places[s][other] = view->keeps[child->move] ? from : searches[count++].place;
        prefetch_slot(space, child, child->places[s][other]);
    }
    read_bounds(candidates, s, other);
}

// Makes the node of a child. Returns false if the move can't be made.
static bool make_child(const struct candidates *candidates, const struct candidate *child,
                       struct state_node *made)
{
    const struct state_bounds *bounds = candidates->searcher->bounds;
    const struct state_node *node = candidates->node;
    unsigned side = candidates->side;
    size_t points = bounds->points;
    if (bounds->sides == 1 && !puzzle_apply(bounds->puzzle, child->move, list_of(bounds, node, 0),
                                            list_of(bounds, made, 0))) {
        return false;
    }
    if (bounds->sides == SIDES) {
        const uint8_t *forward = bounds->forward + child->move * points;
        const uint8_t *backward = bounds->backward + child->move * points;
        const uint8_t *from = list_of(bounds, node, side);
        const uint8_t *other = list_of(bounds, node, !side);
        uint8_t *to = list_of(bounds, made, side);
        uint8_t *other_to = list_of(bounds, made, !side);
        for (size_t x = 0; x < points; x++) {
            to[x] = forward[from[x]];
            other_to[x] = other[backward[x]];
        }
    }
    made->last[side] = child->move;
    made->last[!side] = node->last[!side];
    for (unsigned s = 0; s < bounds->view_count; s++) {
        memcpy(places_of(bounds, made, s), child->places[s], sizeof child->places[s]);
        memcpy(bounds_of(bounds, made, s), child->bounds[s], sizeof child->bounds[s]);
    }
    for (unsigned either = 0; either < bounds->sides; either++) {
        coset_prefetch(bounds->views[0].space, child->places[0][either].row);
    }
    return true;
}

// Tries the candidates in all views, makes those that are left, and appends their edges.
static unsigned expand_candidates(struct candidates *candidates, const struct children *children,
                                  unsigned kept)
{
    struct searcher *searcher = candidates->searcher;
    const struct state_bounds *bounds = searcher->bounds;
    for (unsigned s = 0; s < bounds->view_count && candidates->count > 0; s++) {
        try_moved_side(candidates, s);
    }
    for (unsigned s = 0; s < bounds->view_count && bounds->sides == SIDES && candidates->count > 0;
         s++) {
        try_other_side(candidates, s);
    }
    for (unsigned c = 0; c < candidates->count; c++) {
        const struct candidate *child = candidate_at(candidates, c);
        unsigned edge = child->move + candidates->side * bounds->move_count;
        void *made = children->nodes + edge * bounds->node_bytes;
        if (make_child(candidates, child, made)) {
            children->moves[kept++] = (uint16_t)edge;
        }
    }
    return kept;
}

// Can a move be skipped on this side? It can if it keeps the coset of the other side, whose bound
// exceeds the moves that are then left. *excess becomes by how many.
static bool is_skipped(const struct state_bounds *bounds, const struct state_node *node,
                       unsigned side, unsigned move, unsigned left, unsigned *excess)
{
    for (unsigned s = 0; s < bounds->view_count && bounds->sides == SIDES; s++) {
        unsigned bound = bounds_of(bounds, node, s)[!side];
        if (bound > left && bounds->views[s].keeps[move]) {
            *excess = bound - left;
            return true;
        }
    }
    return false;
}

// Can moves be skipped on this side at all?
static bool may_skip(const struct state_bounds *bounds, const struct state_node *node,
                     unsigned side, unsigned left)
{
    bool may = false;
    for (unsigned s = 0; s < bounds->view_count; s++) {
        may |= bounds_of(bounds, node, s)[!side] > left;
    }
    return may;
}

// The number of moves that are not skipped on a side.
static unsigned count_moves(const struct state_bounds *bounds, const struct state_node *node,
                            unsigned side, unsigned left)
{
    struct followers followers = followers_of(bounds, node, side);
    unsigned count = 0;
    unsigned excess;
    if (!may_skip(bounds, node, side, left)) {
        return followers.count;
    }
    for (unsigned i = 0; i < followers.count; i++) {
        count += !is_skipped(bounds, node, side, followers.moves[i], left, &excess);
    }
    return count;
}

static unsigned choose_side(const struct state_bounds *bounds, const struct state_node *node,
                            unsigned left)
{
    return bounds->sides == SIDES &&
           count_moves(bounds, node, 1, left) < count_moves(bounds, node, 0, left);
}

// Makes the children of a node that can be solved in `left` moves, as far as the bounds tell. Lists
// their edges in rising order, and returns their number.
static unsigned expand_state(struct searcher *searcher, const void *from, unsigned left,
                             const struct children *children)
{
    const struct state_bounds *bounds = searcher->bounds;
    const struct state_node *node = from;
    struct candidates candidates; // not cleared, which would take long
    unsigned kept = 0;
    unsigned excess;
    if (was_expanded(searcher, node, left)) {
        return 0;
    }
    candidates.searcher = searcher;
    candidates.node = node;
    candidates.left = left;
    candidates.side = choose_side(bounds, node, left);
    struct followers followers = followers_of(bounds, node, candidates.side);
    for (unsigned i = 0; i < followers.count && !searcher->stopped;) {
        candidates.count = 0;
        for (; i < followers.count && candidates.count < CHILDREN_AT_ONCE; i++) {
            if (is_skipped(bounds, node, candidates.side, followers.moves[i], left, &excess)) {
                note_excess(searcher, excess);
            } else {
                candidates.order[candidates.count] = (uint8_t)candidates.count;
                candidates.list[candidates.count++].move = followers.moves[i];
            }
        }
        searcher->nodes += candidates.count;
        kept = expand_candidates(&candidates, children, kept);
    }
    return kept;
}

// ---- The first node -----------------------------------------------------------------------------

// Fills in the images of all points under a state that is relative to the solved one, and under its
// inverse. A label tells from where a point came.
static void read_points(const struct state_bounds *bounds, const uint8_t *state, uint8_t *images,
                        uint8_t *inverse)
{
    uint8_t relative[CELLS_MOST];
    chain_point labels[POINTS_MOST];
    struct fewest_error error;
    unsigned root;
    puzzle_find_relative(bounds->puzzle, bounds->puzzle->goals[0], state, &root, relative, &error);
    point_view_read_labels(bounds->view, relative, labels);
    for (unsigned x = 0; x < bounds->view->slot_points; x++) {
        inverse[x] = (uint8_t)labels[x];
        images[labels[x]] = (uint8_t)x;
    }
}

// Fills in the bound of a place. Returns false if its block can't be unpacked.
static bool read_bound(struct searcher *searcher, const struct coset_space *space,
                       struct coset_place place, uint8_t *bound)
{
    uint64_t slot = coset_slot(space, place);
    if (!database_need(&space->database, slot, &searcher->error)) {
        searcher->stopped = true;
        return false;
    }
    *bound = (uint8_t)stripe_bound(space->database.bytes, slot, space->database.base);
    return true;
}

// Makes the node of the state that the search begins with. Returns its lower bound, or DEAD_END if
// no moves lead from there to the solved state.
static unsigned make_first_node(struct searcher *searcher, void *made)
{
    const struct state_bounds *bounds = searcher->bounds;
    const uint8_t *state = searcher->from->state;
    struct state_node *node = made;
    uint8_t identity[POINTS_MOST];
    unsigned most = 0;
    memset(node, 0, bounds->node_bytes);
    node->last[0] = node->last[1] = NO_MOVE;
    if (bounds->sides == SIDES) {
        read_points(bounds, state, list_of(bounds, node, 0), list_of(bounds, node, 1));
    } else {
        memcpy(list_of(bounds, node, 0), state, bounds->points);
    }
    for (unsigned x = 0; x < POINTS_MOST; x++) {
        identity[x] = (uint8_t)x;
    }
    for (unsigned s = 0; s < bounds->view_count; s++) {
        const struct coset_view *view = &bounds->views[s];
        const struct coset_space *space = view->space;
        struct coset_place *places = places_of(bounds, node, s);
        uint8_t *found = bounds_of(bounds, node, s);
        if (s < bounds->space_count && !coset_find(space, state, &places[0])) {
            return DEAD_END;
        }
        for (unsigned side = 0; side < bounds->sides; side++) {
            if (side == 1 || s >= bounds->space_count) {
                struct coset_search search = {.images = list_of(bounds, node, side),
                                              .first = identity};
                coset_find_points(view, &search, 1);
                places[side] = search.place;
            }
            if (!read_bound(searcher, space, places[side], &found[side])) {
                return DEAD_END;
            }
            most = found[side] > most ? found[side] : most;
        }
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
    .make_bounds = make_bounds,
    .free_bounds = free_bounds,
    .relate = relate_states,
    .edge_count = count_edges,
    .write_path = write_path,
    .node_bytes = find_node_bytes,
    .make_first_node = make_first_node,
    .expand = expand_state,
    .is_solved = is_solved,
};
