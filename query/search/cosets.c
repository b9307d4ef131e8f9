// Makes the tables by which a search finds lower bounds.
#include "cosets.h"

#include "query/table/table.h"
#include "tables/base/array.h"
#include "tables/base/row_set.h"
#include "tables/file/storage.h"

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
static void project_state(const struct coset_space *space, const uint8_t *state, uint8_t *projected)
{
    const struct puzzle *projection = space->projection;
    for (unsigned s = 0; s < projection->segment_count; s++) {
        const struct segment *to = &projection->segments[s];
        const struct segment *from =
            find_segment(space->puzzle, to->set, to->kind == SEGMENT_ORIENTATION);
        if (!from) {
            project_unturned(space->puzzle, projection, to, state, projected);
            continue;
        }
        for (unsigned i = 0; i < to->length; i++) {
            uint8_t value = state[from->first + i];
            projected[to->first + i] = to->tracked ? to->colour_of[value] : value;
        }
    }
    puzzle_forget_ignored(projection, projected);
}

// Writes the relative target of a projected state from the solved one. False if there is none.
static bool relate(const struct puzzle *projection, const uint8_t *projected, uint8_t *relative)
{
    struct fewest_error error;
    unsigned root;
    if (projection->numbering.answers != ANSWERS_ALL) { // a state is its own relative target
        memcpy(relative, projected, projection->cell_count);
        return true;
    }
    return puzzle_find_relative(projection, projection->goals[0], projected, &root, relative,
                                &error);
}

// The point of the pages for a point of the projection, which may be that of a slot alone.
static chain_point own_point(const struct coset_space *space, const struct point_view *view,
                             chain_point point)
{
    unsigned x = point < view->slot_points ? point : view->slot_points + view->slot_of[point];
    return space->made.number_of[x];
}

// The point of the pages that stands for a slot of the projection alone.
static chain_point own_place(const struct coset_space *space, const struct point_view *view,
                             unsigned slot)
{
    return space->made.number_of[view->slot_points + slot];
}

// Fills in where the points of a thing are, and its slots. `found` has the images of the points. If
// they tell orientations, all points of its slots follow: a symmetry may take the thing to the same
// slots in another orientation.
static void place_thing(const struct coset_space *space, const struct point_view *view, unsigned t,
                        const chain_point *found, chain_point *images)
{
    const struct view_thing *thing = &view->things[t];
    for (unsigned j = 0; j < thing->size; j++) {
        unsigned home = view->thing_slots[thing->first_slot + j];
        unsigned at = view->slot_of[found[j]];
        unsigned turns = thing->turned ? view->slots[home].turns : 0;
        images[own_point(space, view, view->chain_things[t].points[j])] =
            own_point(space, view, found[j]);
        images[own_place(space, view, home)] = own_place(space, view, at);
        for (unsigned k = 0; k < turns; k++) {
            chain_point point = (chain_point)(view->slots[home].first + k);
            unsigned turn = (found[j] - view->slots[at].first + k) % turns;
            images[own_point(space, view, point)] =
                own_point(space, view, (chain_point)(view->slots[at].first + turn));
        }
    }
}

bool coset_find_relative(const struct coset_space *space, const uint8_t *relative,
                         struct coset_place *place)
{
    const struct point_view *view = permutation_view(space->projection);
    chain_point found[2 * CELLS_MOST];
    chain_point images[2 * POINTS_MOST] = {0};
    chain_point room[2 * POINTS_MOST];
    struct symmetric_place at;
    if (!point_view_read(view, relative, found)) {
        return false;
    }
    for (unsigned t = 0; t < view->thing_count; t++) {
        place_thing(space, view, t, found + view->image_of[t], images);
    }
    if (!symmetric_pages_find(space->pages, images, room, &at)) {
        return false;
    }
    *place = (struct coset_place){at.row, at.offset, space->inverse_of[at.symmetry]};
    return true;
}

bool coset_find(const struct coset_space *space, const uint8_t *state, struct coset_place *place)
{
    uint8_t projected[CELLS_MOST];
    uint8_t relative[CELLS_MOST];
    project_state(space, state, projected);
    return relate(space->projection, projected, relative) &&
           coset_find_relative(space, relative, place);
}

// ---- Symmetries and moves -----------------------------------------------------------------------

static const chain_point *symmetry_at(const struct coset_space *space, const chain_point *rows,
                                      unsigned number)
{
    return rows + (size_t)number * space->pages->plan->chain.degree;
}

// Adds a move of the pages' points to a set, or finds it there (`adds` is false). Moves are
// compared at the points of slots with an orientation, because slots alone follow these. Returns
// ROW_NONE if it is not there, or if memory runs out.
static uint32_t look_up_move(const struct coset_space *space, struct row_set *set,
                             const chain_point *move, bool adds)
{
    unsigned points = permutation_view(space->projection)->slot_points;
    chain_point row[POINTS_MOST];
    for (unsigned x = 0; x < points; x++) {
        row[x] = move[space->made.number_of[x]];
    }
    return adds ? row_set_add(set, row) : row_set_find(set, row);
}

// Fills in what each symmetry makes of each column: by symmetry and column. Returns false if memory
// runs out.
static bool find_images(const struct coset_space *space, uint16_t *images)
{
    const struct symmetric_plan *plan = space->pages->plan;
    unsigned degree = plan->chain.degree;
    chain_point row[2 * POINTS_MOST];
    uint16_t columns[2 * MOVES_MOST]; // by number in the set
    struct row_set set;
    bool done = true;
    row_set_open(&set, permutation_view(space->projection)->slot_points);
    for (unsigned c = 0; c < space->columns && done; c++) {
        uint32_t before = set.count;
        uint32_t number = look_up_move(space, &set, plan->chain.moves[c], true);
        done = number != ROW_NONE;
        if (number == before) { // of equal moves, the first one stands for all
            columns[number] = (uint16_t)c;
        }
    }
    for (unsigned y = 0; y < plan->symmetry_count && done; y++) {
        const chain_point *left = symmetry_at(space, plan->left, y);
        const chain_point *inverse = symmetry_at(space, plan->left_inverse, y);
        for (unsigned c = 0; c < space->columns && done; c++) {
            for (unsigned x = 0; x < degree; x++) {
                row[x] = left[plan->chain.moves[c][inverse[x]]];
            }
            uint32_t number = look_up_move(space, &set, row, false);
            done = number != ROW_NONE;
            images[(size_t)y * space->columns + c] = done ? columns[number] : 0;
        }
    }
    row_set_close(&set);
    return done;
}

// Fills in `after` and `inverse_of`. Symmetries are equal if they do the same to all moves: then
// they do the same to all states. Returns false if memory runs out.
static bool multiply_symmetries(struct coset_space *space, const uint16_t *images)
{
    unsigned count = space->pages->plan->symmetry_count;
    unsigned columns = space->columns;
    uint16_t undone[2 * MOVES_MOST]; // of a symmetry
    uint16_t row[2 * MOVES_MOST];
    struct row_set set;
    bool done = true;
    row_set_open(&set, columns);
    for (unsigned y = 0; y < count && done; y++) {
        done = row_set_add(&set, images + (size_t)y * columns) == y;
    }
    for (unsigned s = 0; s < count && done; s++) {
        for (unsigned c = columns; c-- > 0;) {
            undone[images[(size_t)s * columns + c]] = images[c]; // symmetry 0 is the identity
        }
        for (unsigned y = 0; y < count && done; y++) {
            for (unsigned c = 0; c < columns; c++) {
                row[c] = undone[images[(size_t)y * columns + c]];
            }
            uint32_t product = row_set_find(&set, row);
            done = product != ROW_NONE;
            space->after[(size_t)s * count + y] = (uint16_t)product;
        }
        space->inverse_of[s] = space->after[(size_t)s * count];
    }
    row_set_close(&set);
    return done;
}

// The column that does what move m of the puzzle does. The plan has the moves undone, and behind
// them the moves themselves unless the inverse of each move is a move.
static unsigned find_column(const struct coset_space *space, unsigned m)
{
    const struct chain_plan *plan = &space->pages->plan->chain;
    unsigned column = m + space->move_count;
    if (column < space->columns) {
        return column;
    }
    for (column = 0; column < space->columns; column++) {
        bool is_inverse = true;
        for (unsigned x = 0; x < plan->degree && is_inverse; x++) {
            is_inverse = plan->moves[column][plan->moves[m][x]] == x;
        }
        if (is_inverse) {
            break;
        }
    }
    return column;
}

// Does a state of the pages have the coset of the solved state?
static bool keeps_coset(const struct coset_space *space, const chain_point *images)
{
    chain_point room[2 * POINTS_MOST];
    struct symmetric_place place;
    return symmetric_pages_find(space->pages, images, room, &place) && place.row == 0 &&
           place.offset == 0 && place.symmetry == 0;
}

// Makes what the symmetries do to each other and to the moves. Returns false if memory runs out.
static bool make_symmetries(struct coset_space *space)
{
    uint64_t count = space->pages->plan->symmetry_count;
    space->images = array_make(count * space->columns, sizeof *space->images);
    space->after = array_make(count * count, sizeof *space->after);
    space->inverse_of = array_make(count, sizeof *space->inverse_of);
    space->column_of_move = array_make(space->move_count, sizeof *space->column_of_move);
    bool done = space->images && space->after && space->inverse_of && space->column_of_move &&
                find_images(space, space->images) && multiply_symmetries(space, space->images);
    for (unsigned m = 0; m < space->move_count && done; m++) {
        space->column_of_move[m] = (uint16_t)find_column(space, m);
    }
    return done;
}

void coset_view_key(const struct coset_space *space, const uint16_t *move_images, uint16_t *key)
{
    for (unsigned y = 0; y < space->pages->plan->symmetry_count; y++) {
        const uint16_t *images = space->images + (size_t)y * space->columns;
        unsigned m = 0;
        while (m < space->move_count && y > 0 &&
               images[space->column_of_move[move_images[m]]] == key[m]) {
            m++;
        }
        if (m < space->move_count &&
            (y == 0 || images[space->column_of_move[move_images[m]]] < key[m])) {
            for (m = 0; m < space->move_count; m++) {
                key[m] = images[space->column_of_move[move_images[m]]];
            }
        }
    }
}

// ---- Views --------------------------------------------------------------------------------------

// Finds the slot of the projection for one of the puzzle. NULL: it always shows the same there.
static const struct view_slot *find_slot(const struct point_view *view,
                                         const struct view_slot *slot)
{
    for (unsigned i = 0; i < view->slot_count; i++) {
        if (view->slots[i].set == slot->set && view->slots[i].in_rows == slot->in_rows) {
            return &view->slots[i];
        }
    }
    return NULL;
}

// Fills in `stands_for`, and the sources of all points of the pages.
static void relate_points(struct coset_view *view, const chain_point *symmetry,
                          struct coset_source *sources)
{
    const struct coset_space *space = view->space;
    const struct point_view *points = permutation_view(space->puzzle);
    const struct point_view *projected = permutation_view(space->projection);
    chain_point undone[POINTS_MOST]; // the symmetry
    for (unsigned x = 0; x < points->slot_points; x++) {
        undone[symmetry[x]] = (chain_point)x;
    }
    for (unsigned i = 0; i < points->slot_count; i++) {
        const struct view_slot *from = &points->slots[i];
        const struct view_slot *to = find_slot(projected, from);
        if (!to) {
            continue;
        }
        chain_point place = own_place(space, projected, (unsigned)(to - projected->slots));
        sources[place] =
            (struct coset_source){(uint8_t)undone[from->first], (uint16_t)points->slot_points};
        for (unsigned t = 0; t < from->turns; t++) {
            unsigned turn = (from->root + t + to->turns - to->root) % to->turns;
            chain_point point = own_point(space, projected, (chain_point)(to->first + turn));
            unsigned x = undone[from->first + t];
            view->stands_for[x] = point;
            view->stands_for[points->slot_points + x] = place;
            sources[point] = (struct coset_source){(uint8_t)x, 0};
        }
    }
}

// Fills in what depends on the symmetries of the space.
static void fill_seen(struct coset_view *view, const struct coset_source *sources)
{
    const struct coset_space *space = view->space;
    const struct symmetric_pages *pages = space->pages;
    const struct symmetric_plan *plan = pages->plan;
    unsigned images = 2 * permutation_view(space->puzzle)->slot_points;
    for (unsigned i = 0; i < pages->page_points; i++) {
        view->page_sources[i] = sources[pages->points[i]];
    }
    for (unsigned s = 0; s < plan->symmetry_count; s++) {
        const chain_point *left = symmetry_at(space, plan->left_inverse, s);
        const chain_point *right = symmetry_at(space, plan->right, s);
        for (unsigned i = 0; i < pages->later_points; i++) {
            view->later_sources[(size_t)s * pages->later_points + i] =
                sources[right[pages->points[pages->page_points + i]]];
        }
        for (unsigned x = 0; x < images; x++) {
            view->seen[(size_t)s * images + x] = left[view->stands_for[x]];
        }
    }
}

// Makes the finders of a space, unless they are there. Returns false if memory runs out.
static bool make_finders(struct coset_space *space)
{
    const struct symmetric_pages *pages = space->pages;
    return space->offset_finder.chain ||
           (finder_make(&space->page_finder, &pages->chain, 0, pages->plan->page_things) &&
            finder_make(&space->offset_finder, &pages->chain, pages->high.first, pages->low.end));
}

// Makes what coset_find_points needs. Returns false if memory runs out.
static bool make_points(struct coset_view *view, struct coset_space *space,
                        const chain_point *symmetry)
{
    const struct symmetric_pages *pages = space->pages;
    const struct symmetric_plan *plan = pages->plan;
    uint64_t count = plan->symmetry_count;
    uint64_t images = 2 * (uint64_t)permutation_view(space->puzzle)->slot_points;
    struct coset_source *sources = array_make(plan->chain.degree, sizeof *sources);
    view->stands_for = array_make(images, sizeof *view->stands_for);
    view->page_sources = array_make(pages->page_points, sizeof *view->page_sources);
    view->later_sources = array_make(count * pages->later_points, sizeof *view->later_sources);
    view->seen = array_make(count * images, sizeof *view->seen);
    bool done = sources && view->stands_for && view->page_sources && view->later_sources &&
                view->seen && make_finders(space);
    if (done) {
        relate_points(view, symmetry, sources);
        fill_seen(view, sources);
    }
    free(sources);
    return done;
}

bool coset_view_make(struct coset_view *view, struct coset_space *space,
                     const struct coset_symmetry *symmetry, bool by_points)
{
    const struct symmetric_plan *plan = space->pages->plan;
    uint64_t count = plan->symmetry_count;
    unsigned moves = space->move_count;
    *view = (struct coset_view){.space = space,
                                .column_of = array_make(count * moves, sizeof *view->column_of),
                                .keeps = array_make(move_set_words(moves), sizeof *view->keeps)};
    bool done = view->column_of && view->keeps;
    for (unsigned m = 0; m < moves && done; m++) {
        unsigned image = symmetry->moves[m];
        if (keeps_coset(space, plan->chain.moves[image])) { // as its inverse does
            move_set_add(view->keeps, m);
        }
        for (unsigned y = 0; y < count; y++) {
            view->column_of[(size_t)y * moves + m] =
                space->images[(size_t)y * space->columns + space->column_of_move[image]];
        }
    }
    return done && (!by_points || make_points(view, space, symmetry->points));
}

void coset_view_free(struct coset_view *view)
{
    free(view->column_of);
    free(view->keeps);
    free(view->stands_for);
    free(view->page_sources);
    free(view->later_sources);
    free(view->seen);
}

// The first stage: begins to look for the page.
static void begin_search(const struct coset_view *view, struct coset_search *search)
{
    const struct symmetric_pages *pages = view->space->pages;
    chain_point found[2 * POINTS_MOST];
    for (unsigned i = 0; i < pages->page_points; i++) {
        struct coset_source source = view->page_sources[i];
        found[i] = view->stands_for[source.half + search->images[search->first[source.point]]];
    }
    assert(view->space->page_finder.count == pages->page_points);
    search->sum = finder_sum(&view->space->page_finder, found);
}

// The second stage finds the page.
static void find_page(const struct coset_space *space, struct coset_search *search)
{
    uint32_t page = finder_number(&space->page_finder, search->sum);
    search->place.row = page;
    __builtin_prefetch(&space->pages->row_of[page]);
    __builtin_prefetch(&space->pages->taken_by[page]);
}

// The third stage finds the row.
static void find_row(const struct coset_space *space, struct coset_search *search)
{
    enum { POINTS_A_LINE = 64 / sizeof(chain_point) };
    const struct symmetric_pages *pages = space->pages;
    unsigned degree = pages->plan->chain.degree;
    uint32_t page = search->place.row;
    search->place.row = pages->row_of[page];
    search->place.symmetry = pages->taken_by[page];
    const chain_point *inverse = pages->inverses + (size_t)search->place.row * degree;
    for (unsigned x = 0; x < degree; x += POINTS_A_LINE) {
        __builtin_prefetch(inverse + x);
    }
}

// The fourth stage: begins to look for the offset.
static void begin_offset(const struct coset_view *view, struct coset_search *search)
{
    const struct symmetric_pages *pages = view->space->pages;
    size_t points = permutation_view(view->space->puzzle)->slot_points;
    size_t symmetry = search->place.symmetry;
    const struct coset_source *sources = view->later_sources + symmetry * pages->later_points;
    const chain_point *seen = view->seen + symmetry * 2 * points;
    const chain_point *inverse =
        pages->inverses + (size_t)search->place.row * pages->plan->chain.degree;
    chain_point found[2 * POINTS_MOST];
    for (unsigned i = 0; i < pages->later_points; i++) {
        uint8_t image = search->images[search->first[sources[i].point]];
        found[i] = inverse[seen[sources[i].half + image]];
    }
    assert(view->space->offset_finder.count == pages->later_points);
    search->sum = finder_sum(&view->space->offset_finder, found);
}

void coset_find_points(const struct coset_view *view, struct coset_search *searches, unsigned count)
{
    const struct coset_space *space = view->space;
    for (unsigned i = 0; i < count; i++) {
        begin_search(view, &searches[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        find_page(space, &searches[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        find_row(space, &searches[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        begin_offset(view, &searches[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        struct coset_place *place = &searches[i].place;
        place->offset = finder_number(&space->offset_finder, searches[i].sum);
        place->symmetry = space->inverse_of[place->symmetry];
    }
}

// ---- All ----------------------------------------------------------------------------------------

// Does the database have the stripes of these pages?
static bool check_database(const struct coset_space *space, struct fewest_error *error)
{
    uint64_t slots = space->pages->row_count * space->row_slots;
    return (space->database.entries == slots && space->database.base <= BASE_MOST &&
            1u << space->database.bits_log2 == ENTRY_BITS) ||
           error_set(error, FEWEST_DAMAGED,
                     "a pattern database of %s does not match its `Database` line" TABLE_AGAIN,
                     space->puzzle->name);
}

bool coset_space_make(struct coset_space *space, const struct puzzle *puzzle, unsigned number,
                      const struct database *database, struct fewest_error *error)
{
    unsigned threads = database->table->options.threads;
    const struct puzzle *projection = &puzzle->projections[number];
    *space = (struct coset_space){.puzzle = puzzle,
                                  .projection = projection,
                                  .database = *database,
                                  .move_count = puzzle->move_count};
    if (stripes_make_pages(&space->made, projection, NULL, NULL, error) != SYMMETRIC_MADE ||
        !symmetric_pages_fill(&space->made.pages, threads, error)) {
        return false;
    }
    space->pages = &space->made.pages;
    space->row_slots = stripes_of_row(space->pages->page_size) * STRIPE_SLOTS;
    space->columns = space->pages->plan->chain.move_count;
    return check_database(space, error) &&
           (make_symmetries(space) || error_no_memory(error, "for the search"));
}

void coset_space_free(struct coset_space *space)
{
    finder_free(&space->page_finder);
    finder_free(&space->offset_finder);
    count_pages_free(&space->made);
    free(space->column_of_move);
    free(space->images);
    free(space->after);
    free(space->inverse_of);
}
