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
// Many sequences may lead to one state. So a search also remembers states: it does not expand one
// again with as many moves left or fewer.
//
// A search for all paths remembers none. It still leaves out pairs: all paths follow from those
// that it finds, by replacing pairs of moves by others with the same product. The proof above holds
// for each set of sequences that such replacements make of one.
//
// The children of several nodes are made together, in stages. Each stage prefetches what the next
// one reads, so that the look-ups of all children wait for the memory at the same time.
#include "cosets.h"
#include "ida_star.h"

#include "tables/base/array.h"
#include "tables/base/row_set.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    CHILDREN_AT_ONCE = 256,
    SIDES = 2,
    VIEWS_MOST = 24,
    SYMMETRIES_VIEWED = 1024, // if there are more symmetries, only the identity makes views
    NO_MOVE = UINT16_MAX,
    MOVES_COMPARED = 512, // if there are more, every move may follow every other
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
    unsigned words;      // of a set of moves
    uint64_t *followers; // by last move, or move_count if there is none: the moves that may follow
    uint16_t *kinds;     // likewise: the first one with the same followers
    uint8_t *forward;    // by move and point: where it takes the point
    uint8_t *backward;   // and from where it comes
    struct coset_space spaces[DATABASES_MOST];
    struct coset_view views[VIEWS_MOST];
};

// A node. `data` holds, one after the other: by view and side, the places; by view and side,
// lower bounds; by side, the images of all points under the state and its inverse or, if the states
// are no group, the cells.
struct state_node {
    uint16_t last[SIDES]; // moves, or the number of moves if there was none
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
static bool is_first(const struct state_bounds *bounds, struct row_set *set, uint32_t singles,
                     const unsigned pair[2], bool *failed)
{
    uint32_t before = set->count;
    uint32_t number = add_product(bounds, set, pair[0], pair[1]);
    *failed |= number == ROW_NONE;
    bool is_shorter = number < singles; // the identity and the moves come first
    return number == before || (bounds->puzzle->filter && !is_shorter);
}

// The set of the moves that may follow a move, or move_count if there is none yet.
static uint64_t *followers_of(const struct state_bounds *bounds, unsigned move)
{
    return bounds->followers + (size_t)move * bounds->words;
}

// Fills in the kind of the followers of a move.
static void find_kind(const struct state_bounds *bounds, unsigned move)
{
    unsigned kind = 0;
    while (memcmp(followers_of(bounds, kind), followers_of(bounds, move),
                  bounds->words * sizeof *bounds->followers) != 0) {
        kind++;
    }
    bounds->kinds[move] = (uint16_t)kind;
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
    unsigned count = bounds->move_count;
    struct row_set set;
    bounds->words = move_set_words(count);
    bounds->followers =
        array_make((count + UINT64_C(1)) * bounds->words, sizeof *bounds->followers);
    bounds->kinds = array_make(count + UINT64_C(1), sizeof *bounds->kinds);
    bool failed = !bounds->followers || !bounds->kinds;
    bool compares = has_points(bounds) && count <= MOVES_COMPARED;
    row_set_open(&set, POINTS_MOST);
    failed |= compares && add_product(bounds, &set, NO_MOVE, NO_MOVE) == ROW_NONE;
    for (unsigned m = 0; m < count && compares && !failed; m++) {
        failed = add_product(bounds, &set, m, NO_MOVE) == ROW_NONE;
    }
    const uint32_t singles = set.count; // without repetitions
    for (unsigned a = 0; a <= count && !failed; a++) {
        for (unsigned b = 0; b < count && !failed; b++) {
            if (a == count || !compares ||
                is_first(bounds, &set, singles, (unsigned[]){a, b}, &failed)) {
                move_set_add(followers_of(bounds, a), b);
            }
        }
        find_kind(bounds, a);
    }
    row_set_close(&set);
    return !failed;
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
    free(bounds->followers);
    free(bounds->kinds);
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

static bool is_group(const struct puzzle *puzzle)
{
    return puzzle->numbering.answers == ANSWERS_ALL && puzzle->reversible;
}

// The family's `collects`: the states must be a group, and pairs of moves must have been compared.
static bool collects_paths(const struct puzzle *puzzle)
{
    return is_group(puzzle) && permutation_view(puzzle)->slot_points <= POINTS_MOST &&
           puzzle->move_count <= MOVES_COMPARED && !puzzle->filter;
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
    bool group = is_group(puzzle) && has_points(bounds);
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

// Is a node's state the solved one? This is asked when all bounds are 0. They can be 0 in other
// states, too.
static bool is_solved(const struct searcher *searcher, const void *node)
{
    const struct state_bounds *bounds = searcher->bounds;
    const uint8_t *list = list_of(bounds, node, 0);
    bool solved =
        bounds->sides == SIDES || memcmp(list, bounds->puzzle->goals[0], bounds->points) == 0;
    for (size_t x = 0; x < bounds->points && bounds->sides == SIDES && solved; x++) {
        solved = list[x] == x;
    }
    return solved;
}

// ---- Remembered states --------------------------------------------------------------------------

struct remembered {
    XXH128_hash_t hash; // of the cells: no two states with one hash are known
    uint16_t bound;
    uint16_t left;
    uint16_t kinds[SIDES]; // of followers
};

// The name of a node among the remembered states, and where it is remembered.
struct state_name {
    XXH128_hash_t hash;
    uint16_t kinds[SIDES];
    struct remembered *at;
};

// Names a node, and prefetches where it is remembered: NULL if memory has run out.
static void name_state(struct searcher *searcher, const struct state_node *node,
                       struct state_name *name)
{
    enum { STATES_LOG2 = 16 };
    const struct state_bounds *bounds = searcher->bounds;
    if (!searcher->remembered) {
        searcher->remembered = calloc(1, sizeof(struct remembered) << STATES_LOG2);
    }
    *name = (struct state_name){XXH3_128bits(list_of(bounds, node, 0), bounds->points), {0}, NULL};
    for (unsigned side = 0; side < bounds->sides && bounds->sides == SIDES; side++) {
        name->kinds[side] = bounds->kinds[node->last[side]];
    }
    if (searcher->remembered) {
        uint64_t at = name->hash.low64 + name->kinds[0] * UINT64_C(0x9E3779B97F4A7C15) +
                      name->kinds[1] * UINT64_C(0xD6E8FEB86659FD93);
        name->at = (struct remembered *)searcher->remembered + (at >> (64 - STATES_LOG2));
        __builtin_prefetch(name->at);
    }
}

// Has the search expanded this state with as many moves left or more? If not, it remembers it.
static bool was_expanded(const struct searcher *searcher, const struct state_name *name,
                         unsigned left)
{
    struct remembered *state = name->at;
    if (!state) {
        return false;
    }
    if (state->bound == searcher->bound && state->left >= left &&
        memcmp(state->kinds, name->kinds, sizeof state->kinds) == 0 &&
        XXH128_isEqual(state->hash, name->hash)) {
        return true;
    }
    *state = (struct remembered){
        name->hash, (uint16_t)searcher->bound, (uint16_t)left, {name->kinds[0], name->kinds[1]}};
    return false;
}

// ---- Children -----------------------------------------------------------------------------------

// A child that may lie on a path.
struct candidate {
    const struct state_node *node; // that it is a child of
    struct state_node *made;
    uint64_t slot;            // of the place that is tried
    struct coset_place place; // that is tried
    uint32_t map;             // of the move
    uint32_t next_map;        // of the symmetry after it
    struct node_link link;
    uint16_t move;
    uint8_t side;
};

// Children of several nodes, which are tried together.
struct candidates {
    struct searcher *searcher;
    unsigned left; // moves, after the one to the child
    unsigned count;
    struct candidate list[CHILDREN_AT_ONCE];
};

// Notes that a child's bound exceeds the moves that are left.
static void note_excess(struct searcher *searcher, unsigned excess)
{
    searcher->over = excess < searcher->over ? excess : searcher->over;
}

// Begins to load the slot of the place that is tried.
static void prefetch_slot(const struct coset_space *space, struct candidate *child)
{
    child->slot = coset_slot(space, child->place);
    __builtin_prefetch(database_at(&space->database, child->slot));
}

// Reads the bounds of the slots of all candidates, for the side that moves or the other one, and
// drops those that exceed the moves that are left.
static void read_bounds(struct candidates *candidates, unsigned s, bool other)
{
    struct searcher *searcher = candidates->searcher;
    const struct state_bounds *bounds = searcher->bounds;
    const struct coset_space *space = bounds->views[s].space;
    unsigned kept = 0;
    for (unsigned c = 0; c < candidates->count; c++) {
        struct candidate *child = &candidates->list[c];
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
        places_of(bounds, child->made, s)[child->side ^ other] = child->place;
        bounds_of(bounds, child->made, s)[child->side ^ other] = (uint8_t)bound;
        candidates->list[kept++] = *child;
    }
    candidates->count = kept;
}

// Tries the places of the sides that move in one view.
static void try_moved_sides(struct candidates *candidates, unsigned s)
{
    const struct state_bounds *bounds = candidates->searcher->bounds;
    const struct coset_view *view = &bounds->views[s];
    const struct coset_space *space = view->space;
    const struct symmetric_pages *pages = space->pages;
    size_t symmetries = pages->plan->symmetry_count;
    for (unsigned c = 0; c < candidates->count; c++) {
        struct candidate *child = &candidates->list[c];
        const struct coset_place from = places_of(bounds, child->node, s)[child->side];
        unsigned column = view->column_of[(size_t)from.symmetry * space->move_count + child->move];
        struct chain_step step = symmetric_pages_steps(pages, from.row)[column];
        struct symmetric_view seen = symmetric_pages_views(pages, from.row)[column];
        symmetric_pages_prefetch(pages, step.map, from.offset);
        child->map = step.map;
        child->next_map = seen.map;
        child->place = (struct coset_place){
            step.page, from.offset, space->after[seen.symmetry * symmetries + from.symmetry]};
    }
    for (unsigned c = 0; c < candidates->count; c++) {
        struct candidate *child = &candidates->list[c];
        child->place.offset = symmetric_pages_go(pages, child->map, child->place.offset);
        symmetric_pages_prefetch(pages, child->next_map, child->place.offset);
    }
    for (unsigned c = 0; c < candidates->count; c++) {
        struct candidate *child = &candidates->list[c];
        child->place.offset = symmetric_pages_go(pages, child->next_map, child->place.offset);
        prefetch_slot(space, child);
    }
    read_bounds(candidates, s, false);
}

// Tries the places of the other sides in one view. A move that keeps the coset of the solved state
// does not change its place.
static void try_other_sides(struct candidates *candidates, unsigned s)
{
    const struct state_bounds *bounds = candidates->searcher->bounds;
    const struct coset_view *view = &bounds->views[s];
    struct coset_search searches[CHILDREN_AT_ONCE];
    unsigned count = 0;
    for (unsigned c = 0; c < candidates->count; c++) {
        const struct candidate *child = &candidates->list[c];
        if (!move_set_has(view->keeps, child->move)) {
            searches[count].images = list_of(bounds, child->node, !child->side);
            searches[count++].first = bounds->backward + child->move * bounds->points;
        }
    }
    coset_find_points(view, searches, count);
    count = 0;
    for (unsigned c = 0; c < candidates->count; c++) {
        struct candidate *child = &candidates->list[c];
        child->place = move_set_has(view->keeps, child->move)
                           ? places_of(bounds, child->node, s)[!child->side]
                           : searches[count++].place;
        prefetch_slot(view->space, child);
    }
    read_bounds(candidates, s, true);
}

// Makes the lists of a child's node. Returns false if the move can't be made.
static bool make_lists(const struct state_bounds *bounds, const struct candidate *child)
{
    size_t points = bounds->points;
    if (bounds->sides == 1) {
        return puzzle_apply(bounds->puzzle, child->move, list_of(bounds, child->node, 0),
                            list_of(bounds, child->made, 0));
    }
    const uint8_t *forward = bounds->forward + child->move * points;
    const uint8_t *backward = bounds->backward + child->move * points;
    const uint8_t *from = list_of(bounds, child->node, child->side);
    const uint8_t *other = list_of(bounds, child->node, !child->side);
    uint8_t *restrict to = list_of(bounds, child->made, child->side);
    uint8_t *restrict other_to = list_of(bounds, child->made, !child->side);
    for (size_t x = 0; x < points; x++) {
        to[x] = forward[from[x]];
        other_to[x] = other[backward[x]];
    }
    return true;
}

// Tries the candidates in all views, and appends those that pass to the list. Their nodes are
// behind its end already, in the same order.
static void keep_candidates(struct candidates *candidates, struct node_list *children)
{
    const struct state_bounds *bounds = candidates->searcher->bounds;
    for (unsigned s = 0; s < bounds->view_count && candidates->count > 0; s++) {
        try_moved_sides(candidates, s);
    }
    for (unsigned s = 0; s < bounds->view_count && bounds->sides == SIDES && candidates->count > 0;
         s++) {
        try_other_sides(candidates, s);
    }
    for (unsigned c = 0; c < candidates->count; c++) {
        const struct candidate *child = &candidates->list[c];
        if (make_lists(bounds, child)) {
            child->made->last[child->side] = child->move;
            child->made->last[!child->side] = child->node->last[!child->side];
            memmove(children->nodes + children->count * bounds->node_bytes, child->made,
                    bounds->node_bytes);
            children->links[children->count++] = child->link;
        }
    }
    candidates->count = 0;
}

// Finds the set of a node's moves on a side. Skips those that keep the coset of the other side in a
// view, if the bound there exceeds the moves that are then left. Lowers *excess to the least number
// by which one does. Returns the number of moves in the set.
static unsigned find_moves(const struct state_bounds *bounds, const struct state_node *node,
                           unsigned side, unsigned left, uint64_t *set, unsigned *excess)
{
    const uint64_t *followers = followers_of(bounds, node->last[side]);
    unsigned count = 0;
    for (unsigned w = 0; w < bounds->words; w++) {
        uint64_t word = followers[w];
        for (unsigned s = 0; s < bounds->view_count && bounds->sides == SIDES; s++) {
            unsigned bound = bounds_of(bounds, node, s)[!side];
            uint64_t skipped = bound > left ? word & bounds->views[s].keeps[w] : 0;
            if (skipped != 0) {
                *excess = bound - left < *excess ? bound - left : *excess;
                word ^= skipped;
            }
        }
        set[w] = word;
        count += (unsigned)__builtin_popcountll(word);
    }
    return count;
}

// Adds a move of a node to the candidates. Tries them if there is room for no more.
static void add_candidate(struct candidates *candidates, const struct candidate *child,
                          struct node_list *children)
{
    const struct state_bounds *bounds = candidates->searcher->bounds;
    size_t made = children->count + candidates->count;
    struct candidate *added = &candidates->list[candidates->count++];
    *added = *child;
    added->made = (void *)(children->nodes + made * bounds->node_bytes);
    added->link.move = (uint16_t)(child->move + child->side * bounds->move_count);
    candidates->searcher->nodes++;
    if (candidates->count == CHILDREN_AT_ONCE) {
        keep_candidates(candidates, children);
    }
}

// Adds the moves of one node to the candidates.
static void add_candidates(struct candidates *candidates, const struct state_node *node,
                           unsigned number, struct node_list *children)
{
    struct searcher *searcher = candidates->searcher;
    const struct state_bounds *bounds = searcher->bounds;
    uint64_t sets[SIDES][MOVES_MOST / 64];
    unsigned excess[SIDES] = {DEAD_END, DEAD_END};
    unsigned counts[SIDES] = {0};
    for (unsigned side = 0; side < bounds->sides; side++) {
        counts[side] = find_moves(bounds, node, side, candidates->left, sets[side], &excess[side]);
    }
    bool side = bounds->sides == SIDES && counts[1] < counts[0];
    struct candidate child = {.node = node, .link.parent = (uint16_t)number, .side = side};
    note_excess(searcher, excess[side]);
    for (unsigned w = 0; w < bounds->words; w++) {
        for (uint64_t word = sets[side][w]; word != 0 && !searcher->stopped; word &= word - 1) {
            child.move = (uint16_t)(64 * w + (unsigned)__builtin_ctzll(word));
            add_candidate(candidates, &child, children);
        }
    }
}

// The family's `expand`.
static void expand_states(struct searcher *searcher, const void *nodes, unsigned count,
                          unsigned left, struct node_list *children)
{
    const struct state_bounds *bounds = searcher->bounds;
    const uint8_t *from = nodes;
    struct state_name names[NODES_AT_ONCE];
    struct candidates candidates; // not cleared, which would take long
    candidates.searcher = searcher;
    candidates.left = left;
    candidates.count = 0;
    for (unsigned n = 0; n < count; n++) {
        name_state(searcher, (const void *)(from + n * bounds->node_bytes), &names[n]);
    }
    for (unsigned n = 0; n < count && !searcher->stopped; n++) {
        if (searcher->collection || !was_expanded(searcher, &names[n], left)) {
            add_candidates(&candidates, (const void *)(from + n * bounds->node_bytes), n, children);
        }
    }
    keep_candidates(&candidates, children);
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
    node->last[0] = node->last[1] = (uint16_t)bounds->move_count;
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
    .expand = expand_states,
    .collects = collects_paths,
    .is_solved = is_solved,
};
