// Finds the views of a searched puzzle, and the indices of their entries.
#include "bounds.h"

#include "point_automaton.h"
#include "tables/algebra/chain_pages.h"
#include "tables/families/permutation/point_view.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---- Projecting a state -------------------------------------------------------------------------

// Returns the segment of a set's pieces or orientations, or NULL if the puzzle has none.
static const struct segment *find_segment(const struct puzzle *puzzle, unsigned set,
                                          bool orientation)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        if (segment->set == set && (segment->kind == SEGMENT_ORIENTATION) == orientation) {
            return segment;
        }
    }
    return NULL;
}

// Fills in a segment `to` of a projection: the orientations of pieces that no move of the puzzle
// turns. The puzzle has no cells for them, but the projection has, because its pieces look alike.
// Each piece keeps the orientation that it has in the solved state.
static void project_unturned(const struct puzzle *puzzle, const struct puzzle *projection,
                             const struct segment *to, const uint8_t *state, uint8_t *projected)
{
    int pieces = (int)find_segment(puzzle, to->set, false)->first;
    const struct point_view *view = permutation_view(puzzle);
    for (unsigned i = 0; i < view->all_slots; i++) {
        const struct view_slot *slot = &view->slots[i];
        unsigned home = i;
        if (slot->set != to->set) {
            continue;
        }
        for (unsigned j = 0; j < view->all_slots; j++) {
            if (view->slots[j].orbit == slot->orbit &&
                puzzle->goals[0][view->slots[j].piece] == state[slot->piece]) {
                home = j;
                break;
            }
        }
        projected[(int)to->first + slot->piece - pieces] =
            projection->goals[0][(int)to->first + view->slots[home].piece - pieces];
    }
}

// Writes the state of the projection that a state of the puzzle shows: pieces that the projection
// does not tell apart become the same.
static void project_state(const struct puzzle *puzzle, const struct puzzle *projection,
                          const uint8_t *state, uint8_t *projected)
{
    for (unsigned s = 0; s < projection->segment_count; s++) {
        const struct segment *to = &projection->segments[s];
        const struct segment *from = find_segment(puzzle, to->set, to->kind == SEGMENT_ORIENTATION);
        if (!from) {
            project_unturned(puzzle, projection, to, state, projected);
            continue;
        }
        for (unsigned i = 0; i < to->length; i++) {
            uint8_t value = state[from->first + i];
            projected[to->first + i] = to->tracked ? to->colour_of[value] : value;
        }
    }
    puzzle_forget_ignored(projection, projected);
}

// Returns the index of a state in a projection, or INDEX_NONE. The index is that of the goal as a
// target from the state. If the states of the projection are a group and moves can be undone, it is
// that of the state as a target from the goal instead: that is as far, and each move changes its
// digits in one way.
static uint64_t rank_projected(const struct puzzle *puzzle, const struct puzzle *projection,
                               const uint8_t *state)
{
    uint8_t projected[CELLS_MOST];
    uint8_t relative[CELLS_MOST];
    struct fewest_error error;
    unsigned root;
    const uint8_t *goal = projection->goals[0];
    project_state(puzzle, projection, state, projected);
    const uint8_t *from = projected;
    const uint8_t *to = goal;
    if (projection->numbering.answers == ANSWERS_ALL && puzzle->reversible) {
        from = goal;
        to = projected;
    }
    if (!puzzle_find_relative(projection, from, to, &root, relative, &error)) {
        return INDEX_NONE;
    }
    return puzzle_rank(projection, root, relative);
}

// ---- Views by pages -----------------------------------------------------------------------------

enum { PAGE_WANTED = 4000 }; // states of a page, about

static const uint64_t STEPS_MOST = UINT64_C(1) << 22; // entries of view.steps
static const uint64_t MAP_ENTRIES_MOST = UINT64_C(1) << 24;

// Fills in, for each page and move, the page where the move leads and the number of the first entry
// of its map. Under a symmetry, a move does what its image in `move_images` does; NULL: what it
// does itself. If the chain's steps undo moves, the steps are turned round. *fits becomes false if
// there are too many maps. Returns false if memory runs out.
static bool fill_steps(const struct puzzle *projection, struct chain_pages *pages,
                       const uint16_t *move_images, struct view *view, bool *fits)
{
    struct chain_step found[MOVES_MOST];
    size_t moves = projection->move_count;
    bool undone = projection->numbering.answers != ANSWERS_ALL;
    view->steps = malloc(pages->page_count * moves * sizeof *view->steps);
    for (uint32_t page = 0; page < pages->page_count && *fits && view->steps; page++) {
        if (!chain_pages_step(pages, page, found)) {
            return false;
        }
        for (unsigned m = 0; m < moves; m++) {
            struct chain_step step = found[move_images ? move_images[m] : m];
            uint32_t from = page;
            uint32_t to = step.page;
            if (undone) {
                from = step.page;
                to = page;
            }
            view->steps[from * moves + m] = (struct page_step){to, step.map * view->page_size};
        }
        *fits = pages->keys.count <= MAP_ENTRIES_MOST / pages->page_size;
    }
    return view->steps;
}

// Copies the maps of the pages to the table `maps` of a view. If the steps were turned round
// (`undone`), the maps are inverted. Returns false if memory runs out.
static bool copy_maps(const struct chain_pages *pages, bool undone, struct view *view)
{
    size_t size = pages->page_size;
    view->maps = malloc(pages->keys.count * size * sizeof *view->maps);
    for (uint32_t map = 0; map < pages->keys.count && view->maps; map++) {
        const uint16_t *entries = chain_pages_map(pages, map);
        uint16_t *row = view->maps + map * size;
        for (size_t i = 0; i < size; i++) {
            if (undone) {
                row[entries[i]] = (uint16_t)i;
            } else {
                row[i] = entries[i];
            }
        }
    }
    return view->maps;
}

// Frees the tables of a view by pages. There may be none.
static void free_pages(struct view *view)
{
    free(view->steps);
    free(view->maps);
    view->steps = NULL;
    view->maps = NULL;
}

// Makes the tables of a view from pages of about *wanted states. *fits tells whether it has made
// them. If not, they would be too large, and *wanted becomes the next size to try, or 0 if no
// smaller one is left. Returns false if memory runs out.
static bool try_pages(const struct puzzle *projection, unsigned *wanted,
                      const uint16_t *move_images, struct view *view, bool *fits)
{
    struct chain_pages pages;
    bool done = chain_pages_make(&pages, projection->numbering.roots[0].chain, *wanted);
    *fits = pages.page_size > 0 && !pages.masks &&
            pages.page_count <= STEPS_MOST / projection->move_count;
    *wanted = *fits && pages.page_size <= *wanted ? (unsigned)pages.page_size - 1 : 0;
    if (*fits && done) {
        view->page_size = (uint32_t)pages.page_size;
        done = fill_steps(projection, &pages, move_images, view, fits);
    }
    if (*fits && done) {
        done = chain_pages_fill(&pages) &&
               copy_maps(&pages, projection->numbering.answers != ANSWERS_ALL, view);
    }
    chain_pages_free(&pages);
    return done;
}

// Makes the tables of a view by pages: with the largest pages whose tables are small enough. *fits
// tells whether that is possible. Returns false if memory runs out. If there are no tables, nothing
// is left to free.
static bool make_pages(struct bounds *bounds, const struct puzzle *projection,
                       const uint16_t *move_images, struct view *view, bool *fits)
{
    bool group = projection->numbering.answers == ANSWERS_ALL;
    unsigned wanted = PAGE_WANTED;
    bool done = true;
    *fits = false;
    if (group && !bounds->puzzle->reversible) {
        return true;
    }
    while (wanted > 0 && done && !*fits) {
        free_pages(view);
        done = try_pages(projection, &wanted, move_images, view, fits);
    }
    if (!done || !*fits) {
        free_pages(view);
    }
    return done;
}

// ---- Views by points ----------------------------------------------------------------------------
// The chain of a projection may be one of rows: its digits are the images of some pieces of one
// orbit, of n slots with t orientations. Digit i has (n-i) t images, so all slots that are left are
// possible, in all orientations. Its canonical elements keep the order of the other slots, and
// their orientations. Then a digit is the Lehmer code of the slot, times t, plus the orientation.
//
// But if the group keeps the sum of all orientations, a canonical element turns what comes to the
// last slot that is left by the opposite of the digit's orientation. So a later piece in this slot
// has, as the orientation of its digit, the sum of those of all pieces up to it.
//
// And if the group has only even permutations, a canonical element exchanges the two last slots
// that are left if the Lehmer digit is odd.

enum { TURNS_MOST = 16 };

// The pieces of a projection whose index is a rank of points.
struct tracked {
    const struct point_view *view; // of the projection
    struct view shape;             // pieces, slots, turns and laws
    bool is_ranked;                // if not, the projection has no view by points
    bool alone;                    // the points are those of slots alone
    unsigned slot[RANK_LONGEST];   // of the orbit, in the order of their points
};

// The first point of slot number `number` of struct tracked, as the chain of the projection numbers
// points: those of slots in each orientation, or those of slots alone.
static unsigned first_point_of(const struct tracked *tracked, unsigned number)
{
    const struct view_slot *slot = &tracked->view->slots[tracked->slot[number]];
    return tracked->alone ? slot->alone : slot->first;
}

// Lists the slots of an orbit in the order of their points, by insertion. Returns false if there
// are more than RANK_LONGEST, too many for a view by points.
static bool find_orbit(struct tracked *tracked, unsigned orbit)
{
    unsigned count = 0;
    for (unsigned i = 0; i < tracked->view->slot_count; i++) {
        if (tracked->view->slots[i].orbit != orbit) {
            continue;
        }
        if (count == RANK_LONGEST) {
            return false;
        }
        unsigned place = count++;
        tracked->slot[place] = i;
        unsigned point = first_point_of(tracked, place);
        while (place > 0 &&
               first_point_of(tracked, place - 1) > point) { // exchanges it with the one before
            tracked->slot[place] = tracked->slot[place - 1];
            place--;
            tracked->slot[place] = i;
        }
    }
    tracked->shape.slots = count;
    return true;
}

// Is `row` the canonical element that the comment above describes, for the digit of piece `first`:
// does it take this piece to slot first + `slot` with the orientation `turn`, and do all later
// slots keep their order, but for the two laws?
static bool is_canonical(const struct tracked *tracked, const chain_point *row, unsigned first,
                         unsigned slot, unsigned turn)
{
    const struct view *shape = &tracked->shape;
    unsigned last = shape->slots - 1;
    bool exchanged = shape->keeps_even && slot % 2 == 1;
    for (unsigned i = first; i <= last; i++) {
        unsigned from = i; // the slot whose content would come here without an exchange
        if (exchanged && i + 1 >= last) {
            from = 2 * last - 1 - i; // the other one of the two last slots
        }
        unsigned to = from;
        if (from == first) {
            to = first + slot;
        } else if (from <= first + slot) {
            to = from - 1;
        }
        unsigned by = 0; // the orientation
        if (i == first) {
            by = turn;
        } else if (i == last && shape->keeps_sum) {
            by = shape->turns - turn;
        }
        if (row[first_point_of(tracked, i)] != first_point_of(tracked, to) + by % shape->turns) {
            return false;
        }
    }
    return true;
}

// Finds out which laws the group has (keeps_sum, keeps_even), and checks that each canonical
// element is as these laws say. digit[j] is the number of the digit of piece j in the chain. The
// laws are read off one element each: that which turns the first piece once, and that which takes
// it one slot on. `room` is for an element and its inverse. Returns false if an element differs.
static bool check_digits(const struct chain *chain, const unsigned *digit, struct tracked *tracked,
                         chain_point *room)
{
    struct view *shape = &tracked->shape;
    unsigned last = shape->slots - 1;
    const chain_point *row = chain_row(chain, digit[0], shape->turns > 1, room);
    shape->keeps_sum =
        shape->turns > 1 && row[first_point_of(tracked, last)] != first_point_of(tracked, last);
    if (last > 1) {
        row = chain_row(chain, digit[0], shape->turns, room);
        shape->keeps_even = row[first_point_of(tracked, last)] != first_point_of(tracked, last);
    }
    for (unsigned j = 0; j < shape->pieces; j++) {
        for (unsigned number = 0; number < (shape->slots - j) * shape->turns; number++) {
            row = chain_row(chain, digit[j], number, room);
            if (!is_canonical(tracked, row, j, number / shape->turns, number % shape->turns)) {
                return false;
            }
        }
    }
    return true;
}

// Fills in the pieces of a projection whose index is a rank of points. Returns false if it is not:
// then the projection has no view by points.
static bool find_tracked(const struct bounds *bounds, const struct puzzle *projection,
                         struct tracked *tracked)
{
    const struct chain *chain = projection->numbering.roots[0].chain;
    const struct view_thing *thing = NULL;
    struct view *shape = &tracked->shape;
    unsigned digits[VIEW_PIECES_MOST];
    chain_point room[2 * CHAIN_DEGREE_MOST];
    *tracked = (struct tracked){.view = permutation_view(projection)};
    if (!chain || !bounds->group ||
        (projection->numbering.answers == ANSWERS_ALL && !bounds->puzzle->reversible)) {
        return false;
    }
    for (unsigned d = 0; d < chain->digit_count; d++) {
        const struct chain_digit *digit = &chain->digits[d];
        if (digit->length == 1) {
            continue;
        }
        if (!thing) {
            thing = &tracked->view->things[d];
            tracked->alone = thing->alone;
            if (!find_orbit(tracked, thing->orbit)) {
                return false;
            }
            assert(shape->slots > 0);
            shape->turns = (unsigned)(digit->length / shape->slots);
        }
        unsigned left = shape->slots - shape->pieces;
        if (digit->kind != CHAIN_LEVEL || tracked->view->things[d].orbit != thing->orbit ||
            digit->length != (uint64_t)left * shape->turns || shape->turns > TURNS_MOST ||
            digit->thing->points[0] != first_point_of(tracked, shape->pieces)) {
            return false;
        }
        digits[shape->pieces++] = d;
    }
    return thing && check_digits(chain, digits, tracked, room);
}

// Returns the slot of the puzzle for a slot of a projection: the one with the same place in rows.
// There is one.
static unsigned find_slot(const struct point_view *view, unsigned in_rows)
{
    unsigned slot = 0;
    while (view->slots[slot].in_rows != in_rows) {
        slot++;
    }
    return slot;
}

// Returns the point that a permutation takes to x, or `points` if none does.
static unsigned find_preimage(const chain_point *symmetry, unsigned points, unsigned x)
{
    unsigned y = 0;
    while (y < points && symmetry[y] != x) {
        y++;
    }
    return y;
}

// Fills in the view of a database's pieces under a symmetry of the points, of a state or of its
// inverse. Piece j of the database is then the piece in slot source[j] of the state, and map[j]
// tells from its point what the database has for it: its slot in the orbit, and its orientation.
static void make_points_view(const struct bounds *bounds, const struct tracked *tracked,
                             const chain_point *symmetry, bool inverse, struct view *view)
{
    const struct point_view *points = bounds->points;
    uint8_t number[POINTS_MOST] = {0}; // by slot of the puzzle: its number in the orbit
    unsigned root[POINTS_MOST] = {0};  // and its orientation in the projection's root
    for (unsigned i = 0; i < tracked->shape.slots; i++) {
        const struct view_slot *slot = &tracked->view->slots[tracked->slot[i]];
        unsigned same = find_slot(points, slot->in_rows);
        number[same] = (uint8_t)i;
        root[same] = slot->root;
    }
    view->way = VIEW_POINTS;
    view->inverse = inverse;
    view->pieces = tracked->shape.pieces;
    view->slots = tracked->shape.slots;
    view->turns = tracked->shape.turns;
    view->keeps_sum = tracked->shape.keeps_sum;
    view->keeps_even = tracked->shape.keeps_even;
    for (unsigned j = 0; j < view->pieces; j++) {
        unsigned home = find_slot(points, tracked->view->slots[tracked->slot[j]].in_rows);
        unsigned before = find_preimage(symmetry, points->slot_points, points->slots[home].first);
        unsigned slot = points->slot_of[before];
        unsigned turn = before - points->slots[slot].first;
        view->source[j] = (uint8_t)slot;
        for (unsigned x = 0; x < points->slot_points; x++) {
            unsigned to = symmetry[point_view_turn(points, x, turn)];
            unsigned to_slot = points->slot_of[to];
            unsigned to_turn = to - points->slots[to_slot].first + root[home] +
                               view->turns * POINTS_MOST - root[to_slot];
            view->map[j][x] = (uint8_t)(number[to_slot] | to_turn % view->turns << 4);
        }
    }
}

// Do two views by points look at the same pieces in the same database? Then they give the same
// bound.
static bool is_same_view(const struct view *a, const struct view *b)
{
    bool seen[POINTS_MOST] = {false};
    if (a->way != VIEW_POINTS || b->way != VIEW_POINTS || a->database != b->database ||
        a->inverse != b->inverse) {
        return false;
    }
    for (unsigned j = 0; j < a->pieces; j++) {
        seen[a->source[j]] = true;
    }
    for (unsigned j = 0; j < b->pieces; j++) {
        if (!seen[b->source[j]]) {
            return false;
        }
    }
    return true;
}

// Adds a view, and notes what nodes must hold for it. Leaves it out if there is one that looks at
// the same pieces, or if there are VIEWS_MOST.
static void add_view(struct bounds *bounds, const struct view *view)
{
    for (unsigned v = 0; v < bounds->view_count; v++) {
        if (is_same_view(&bounds->views[v], view)) {
            return;
        }
    }
    if (bounds->view_count == VIEWS_MOST) {
        return;
    }
    unsigned v = bounds->view_count++;
    bounds->views[v] = *view;
    bounds->views[v].paged = bounds->paged_count;
    if (view->way == VIEW_PAGES) {
        bounds->paged[bounds->paged_count++] = v;
    }
    bool has_points = view->way == VIEW_POINTS || (view->way == VIEW_CELLS && view->symmetry);
    bounds->has_piece_points |= has_points && !view->inverse;
    bounds->has_slot_contents |= has_points && view->inverse;
    bounds->has_cells |= view->way == VIEW_CELLS && !view->symmetry;
}

// ---- Making them --------------------------------------------------------------------------------

// Begins a view of the database that a `Database` line names or shares.
static struct view begin_view(const struct database_line *line)
{
    return (struct view){.database = line->projection, .symmetry = line->symmetry};
}

// Adds the views by points of a line's database under a symmetry: of the state and, if the inverse
// of every move is a move, of its inverse. If the line shares its database, its own symmetry comes
// after this one. If the states of the projection are a group, inverses and, in most puzzles,
// symmetries bring nothing. Adds none if the index is no rank of points.
static void add_points_views(struct bounds *bounds, const struct database_line *line,
                             const struct tracked *tracked, const chain_point *symmetry,
                             bool is_identity)
{
    const struct puzzle *projection = &bounds->puzzle->projections[line->projection];
    bool group = projection->numbering.answers == ANSWERS_ALL;
    chain_point both[POINTS_MOST];
    if ((group && !is_identity) || !tracked->is_ranked) {
        return;
    }
    for (unsigned x = 0; x < bounds->points->slot_points; x++) {
        both[x] = line->symmetry ? line->symmetry[symmetry[x]] : symmetry[x];
    }
    bool has_inverse = bounds->puzzle->reversible && !group;
    for (unsigned inverse = 0; inverse < (has_inverse ? 2 : 1); inverse++) {
        struct view view = begin_view(line);
        make_points_view(bounds, tracked, both, inverse, &view);
        add_view(bounds, &view);
    }
}

// Adds the one view, by pages or by cells, of a line whose database has an index that is no rank of
// points. A line that shares a database without a symmetry needs none. Returns false if
// memory runs out.
static bool add_other_view(struct bounds *bounds, const struct database_line *line)
{
    const struct puzzle *projection = &bounds->puzzle->projections[line->projection];
    struct view view = begin_view(line);
    bool fits = false;
    if (line->shares && !line->symmetry) {
        return true;
    }
    if (!make_pages(bounds, projection, line->move_images, &view, &fits)) {
        return false;
    }
    view.way = fits ? VIEW_PAGES : VIEW_CELLS;
    add_view(bounds, &view);
    return true;
}

// Adds the views of all `Database` lines. Returns false if memory runs out.
static bool add_views(struct bounds *bounds)
{
    const struct puzzle *puzzle = bounds->puzzle;
    struct point_symmetries symmetries = {.count = 0};
    struct tracked tracked[DATABASES_MOST];
    bool done = true;
    if (bounds->group) {
        done = point_view_find_symmetries(bounds->points, SYMMETRIES_BY_MOVES, VIEWS_MOST * 4,
                                          &symmetries);
    }
    for (unsigned l = 0; l < puzzle->line_count && done; l++) {
        const struct database_line *line = &puzzle->lines[l];
        tracked[l].is_ranked =
            find_tracked(bounds, &puzzle->projections[line->projection], &tracked[l]);
        done = tracked[l].is_ranked || add_other_view(bounds, line);
    }
    // The identity is the first symmetry, so each line has its own views.
    for (uint32_t s = 0; s < symmetries.count && done; s++) {
        for (unsigned l = 0; l < puzzle->line_count; l++) {
            add_points_views(bounds, &puzzle->lines[l], &tracked[l],
                             point_symmetries_row(&symmetries, s), s == 0);
        }
    }
    point_symmetries_free(&symmetries);
    return done;
}

// Fills in the tables that tell what moves and turns make of points and slots (struct bounds).
static void fill_moves(struct bounds *bounds)
{
    const struct point_view *points = bounds->points;
    size_t count = points->slot_points;
    for (unsigned m = 0; m < points->move_count; m++) {
        const chain_point *to = points->moves + (size_t)m * points->degree;
        const chain_point *from = to + (size_t)points->move_count * points->degree;
        for (unsigned x = 0; x < count; x++) {
            bounds->forward[m * count + x] = (uint8_t)to[x];
        }
        for (unsigned i = 0; i < points->slot_count; i++) {
            unsigned x = from[points->slots[i].first];
            unsigned slot = points->slot_of[x];
            bounds->from_slot[m * (size_t)points->slot_count + i] = (uint8_t)slot;
            bounds->from_turn[m * (size_t)points->slot_count + i] =
                (uint8_t)(x - points->slots[slot].first);
        }
    }
    for (unsigned t = 0; t < ORIENTATIONS_MOST; t++) {
        for (unsigned x = 0; x < count; x++) {
            bounds->turned[t * count + x] = (uint8_t)point_view_turn(points, x, t);
        }
    }
}

// Allocates these tables and, if there may be views by points, fills them in. Returns false if
// memory runs out.
static bool make_move_tables(struct bounds *bounds)
{
    const struct point_view *points = bounds->points;
    bounds->forward = calloc((size_t)points->move_count * points->slot_points + 1, 1);
    bounds->from_slot = calloc((size_t)points->move_count * points->slot_count + 1, 1);
    bounds->from_turn = calloc((size_t)points->move_count * points->slot_count + 1, 1);
    bounds->turned = calloc((size_t)ORIENTATIONS_MOST * points->slot_points + 1, 1);
    if (!bounds->forward || !bounds->from_slot || !bounds->from_turn || !bounds->turned) {
        return false;
    }
    if (bounds->group) {
        fill_moves(bounds);
    }
    return true;
}

// Decides where the data of a node stand, as far as the views need them, and how large a node is.
static void lay_out_nodes(struct bounds *bounds)
{
    unsigned used = bounds->paged_count * (unsigned)sizeof(struct paged_state);
    bounds->piece_points_at = used;
    used += bounds->has_piece_points ? bounds->points->slot_count : 0;
    bounds->slot_contents_at = used;
    used += bounds->has_slot_contents ? bounds->points->slot_count : 0;
    bounds->cells = used;
    used += bounds->has_cells ? bounds->puzzle->cell_count : 0;
    size_t align = _Alignof(struct bound_node);
    bounds->node_bytes = (sizeof(struct bound_node) + used + align - 1) / align * align;
}

void *bounds_make(const struct puzzle *puzzle, const struct database *databases,
                  struct fewest_error *error)
{
    struct bounds *made = calloc(1, sizeof *made);
    if (made) {
        made->puzzle = puzzle;
        memcpy(made->databases, databases, puzzle->projection_count * sizeof *databases);
        made->points = permutation_view(puzzle);
        bool fits = made->points->slot_points <= POINTS_MOST;
        made->group = fits && puzzle->numbering.answers == ANSWERS_ALL;
        made->has_cells = puzzle->filter; // they decide which moves are possible
        if (add_views(made) && make_move_tables(made) &&
            (!fits || point_automaton_build(&made->automaton, puzzle, error))) {
            lay_out_nodes(made);
            return made;
        }
        bounds_free(made);
    }
    (void)error_no_memory(error, "for the search");
    return NULL;
}

void bounds_free(void *made)
{
    struct bounds *bounds = made;
    for (unsigned v = 0; v < bounds->view_count; v++) {
        free_pages(&bounds->views[v]);
    }
    pruning_automaton_free(&bounds->automaton);
    free(bounds->forward);
    free(bounds->from_slot);
    free(bounds->from_turn);
    free(bounds->turned);
    free(bounds);
}

// ---- Nodes --------------------------------------------------------------------------------------

// The states of a node in its views by pages.
static struct paged_state *paged_states(const struct bound_node *node)
{
    return (struct paged_state *)(void *)node->data;
}

// Writes the image of a state under a symmetry s: if g is the state as a permutation of points,
// that of s∘g∘s⁻¹. at[i] is the point where g takes the first point of slot i.
static void conjugate_state(const struct bounds *bounds, const chain_point *symmetry,
                            const uint8_t *at, uint8_t *state)
{
    const struct point_view *points = bounds->points;
    uint8_t relative[CELLS_MOST];
    chain_point images[POINTS_MOST];
    for (unsigned x = 0; x < points->slot_points; x++) {
        unsigned home = points->slot_of[symmetry[x]];
        if (points->slots[home].first == symmetry[x]) { // it tells where the piece of the home is
            unsigned slot = points->slot_of[x];
            unsigned turn = x - points->slots[slot].first;
            images[home] = symmetry[point_view_turn(points, at[slot], turn)];
        }
    }
    point_view_write(points, images, relative);
    puzzle_restore_target(bounds->puzzle, bounds->puzzle->goals[0], relative, state);
}

// Returns the index of a state in the projection of a view. If the view has a symmetry, it uses
// `at`, the points of the state's pieces (conjugate_state), else the cells.
static uint64_t rank_view(const struct bounds *bounds, const struct view *view,
                          const uint8_t *state, const uint8_t *at)
{
    const struct puzzle *projection = &bounds->puzzle->projections[view->database];
    uint8_t image[CELLS_MOST];
    if (!view->symmetry) {
        return rank_projected(bounds->puzzle, projection, state);
    }
    conjugate_state(bounds, view->symmetry, at, image);
    return rank_projected(bounds->puzzle, projection, image);
}

// Fills in two lists by slot: at[i] is the point where the piece of slot i is in a state, has[i]
// the home point of what is in slot i.
static void read_points(const struct bounds *bounds, const uint8_t *state, uint8_t *at,
                        uint8_t *has)
{
    const struct puzzle *puzzle = bounds->puzzle;
    const struct point_view *points = bounds->points;
    uint8_t relative[CELLS_MOST];
    chain_point labels[POINTS_MOST];
    struct fewest_error error;
    unsigned root;
    puzzle_find_relative(puzzle, puzzle->goals[0], state, &root, relative, &error);
    point_view_read_labels(points, relative, labels);
    for (unsigned i = 0; i < points->slot_count; i++) {
        const struct view_slot *slot = &points->slots[i];
        unsigned home = points->slot_of[labels[slot->first]];
        unsigned turns = slot->turns - (labels[slot->first] - points->slots[home].first);
        has[i] = (uint8_t)labels[slot->first];
        at[home] = (uint8_t)point_view_turn(points, slot->first, turns);
    }
}

void bounds_set(const struct bounds *bounds, const uint8_t *state, struct bound_node *node)
{
    uint8_t at[POINTS_MOST] = {0};
    uint8_t has[POINTS_MOST];
    memset(node, 0, bounds->node_bytes);
    if (bounds->group) {
        unsigned slots = bounds->points->slot_count;
        read_points(bounds, state, at, has);
        memcpy(node->data + bounds->piece_points_at, at, bounds->has_piece_points ? slots : 0);
        memcpy(node->data + bounds->slot_contents_at, has, bounds->has_slot_contents ? slots : 0);
    }
    memcpy(node->data + bounds->cells, state, bounds->has_cells ? bounds->puzzle->cell_count : 0);
    for (unsigned p = 0; p < bounds->paged_count; p++) {
        const struct view *view = &bounds->views[bounds->paged[p]];
        uint64_t index = rank_view(bounds, view, state, at);
        paged_states(node)[p] = (struct paged_state){(uint32_t)(index / view->page_size),
                                                     (uint32_t)(index % view->page_size)};
    }
}

bool bounds_move(const struct bounds *bounds, const struct bound_node *node, unsigned move,
                 struct bound_node *child)
{
    unsigned slots = bounds->points->slot_count;
    size_t points = bounds->points->slot_points;
    size_t moves = bounds->puzzle->move_count;
    if (bounds->has_cells && !puzzle_apply(bounds->puzzle, move, node->data + bounds->cells,
                                           child->data + bounds->cells)) {
        return false;
    }
    if (bounds->has_piece_points) {
        const uint8_t *forward = bounds->forward + move * points;
        for (unsigned i = 0; i < slots; i++) {
            child->data[bounds->piece_points_at + i] =
                forward[node->data[bounds->piece_points_at + i]];
        }
    }
    if (bounds->has_slot_contents) {
        const uint8_t *from = bounds->from_slot + (size_t)move * slots;
        const uint8_t *turn = bounds->from_turn + (size_t)move * slots;
        for (unsigned i = 0; i < slots; i++) {
            child->data[bounds->slot_contents_at + i] =
                bounds->turned[turn[i] * points + node->data[bounds->slot_contents_at + from[i]]];
        }
    }
    for (unsigned p = 0; p < bounds->paged_count; p++) {
        const struct view *view = &bounds->views[bounds->paged[p]];
        const struct paged_state *at = &paged_states(node)[p];
        struct page_step step = view->steps[at->page * moves + move];
        paged_states(child)[p] = (struct paged_state){step.to, view->maps[step.map + at->offset]};
    }
    return true;
}

// If the group has only even permutations, a canonical element that would be odd also exchanges the
// two last slots that are left. It turns one of them back, too, if the group keeps the sum of
// orientations. This is what the elements of the pieces so far have done to these two slots.
struct last_two {
    bool exchanged;
    unsigned turns[2]; // how far each one was turned back
};

// Turns the Lehmer digit and the orientation of the next piece into those of the chain's digit, if
// the piece is in one of the two last slots: undoes there what the elements so far have done. Then
// adds what the element of this digit does. The slots that are left are numbered from 0, and `last`
// is the number of the last one.
static void pass_last_two(struct last_two *two, const struct view *view, unsigned last,
                          unsigned *digit, unsigned *turn)
{
    bool is_odd = *digit & 1;
    if (*digit + 1 >= last) {
        unsigned which = *digit + 1 - last;
        *turn = (*turn + two->turns[which]) % view->turns;
        *digit = last - (which == two->exchanged);
        two->turns[1] = two->turns[1 - which];
        two->turns[0] = 0;
        two->exchanged = false; // the other one of the two comes after a slot that is as it was
        is_odd = *digit & 1;
    }
    two->exchanged ^= is_odd;
    two->turns[!two->exchanged] += view->keeps_sum ? *turn : 0;
}

// Returns the rank of the points of a view's pieces: a digit for each piece, its Lehmer digit times
// `turns` plus its orientation, but for the laws of the group (see "Views by points"). `data` has,
// by slot, the points that the view is found from. The callers pass constants for the last three
// arguments, which are those of the view: that leaves the branches out (1.2 × on the cube,
// 2026-11).
static inline uint64_t rank_points(const struct view *view, const uint8_t *data, bool is_turned,
                                   bool keeps_sum, bool keeps_even)
{
    struct lehmer code = lehmer_start();
    uint64_t rank = 0;
    unsigned last = view->slots;
    unsigned turns = 0;
    struct last_two two = {false, {0, 0}};
    for (unsigned j = 0; j < view->pieces; j++) {
        unsigned found = view->map[j][data[view->source[j]]];
        unsigned digit = lehmer_digit(&code, found & 15u);
        unsigned turn = found >> 4;
        last--;
        if (keeps_even) {
            pass_last_two(&two, view, last, &digit, &turn);
        } else if (keeps_sum) {
            turns += turn;
            turns -= turns >= view->turns ? view->turns : 0;
            turn = digit == last ? turns : turn;
        }
        rank = rank * (last + 1) + digit;
        rank = is_turned ? rank * view->turns + turn : rank;
    }
    return rank;
}

uint64_t bounds_index(const struct bounds *bounds, const struct view *view,
                      const struct bound_node *node)
{
    const struct paged_state *at = &paged_states(node)[view->paged];
    const uint8_t *data;
    switch (view->way) {
    case VIEW_POINTS:
        data = node->data + (view->inverse ? bounds->slot_contents_at : bounds->piece_points_at);
        // is_turned, keeps_sum, keeps_even: constants, so that each call is compiled alone
        if (view->keeps_even) {
            return rank_points(view, data, view->turns > 1, false, true);
        }
        if (view->keeps_sum) {
            return rank_points(view, data, true, true, false);
        }
        if (view->turns > 1) {
            return rank_points(view, data, true, false, false);
        }
        return rank_points(view, data, false, false, false);
    case VIEW_PAGES:
        return (uint64_t)at->page * view->page_size + at->offset;
    case VIEW_CELLS:
        break;
    }
    return rank_view(bounds, view, node->data + bounds->cells,
                     node->data + bounds->piece_points_at);
}
