// Finds the views of a searched puzzle, and the indices of their entries.
#include "search/bounds.h"

#include "index/symmetries.h"
#include "search/point_automaton.h"

#include <stdlib.h>
#include <string.h>

// ---- Projecting a state -------------------------------------------------------------------------

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

// Fills in the orientations of pieces that no move turns: each keeps that of the solved state. The
// puzzle has no cells for them, but the projection has, because its pieces look alike.
static void project_unturned(const struct puzzle *puzzle, const struct puzzle *projection,
                             const struct segment *to, const uint8_t *state, uint8_t *projected)
{
    unsigned pieces = find_segment(puzzle, to->set, false)->first;
    for (unsigned i = 0; i < to->length; i++) {
        unsigned home = 0;
        while (puzzle->goals[0][pieces + home] != state[pieces + i]) {
            home++;
        }
        projected[to->first + i] = projection->goals[0][to->first + home];
    }
}

static void project(const struct puzzle *puzzle, const struct puzzle *projection,
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

// The index of a state in a projection. If the states of the projection are a group, and moves can
// be undone, this is the index of the way back: it is as far, and moves change its digits.
static uint64_t rank_projected(const struct puzzle *puzzle, const struct puzzle *projection,
                               const uint8_t *state)
{
    uint8_t projected[CELLS_MOST];
    uint8_t relative[CELLS_MOST];
    struct fewest_error error;
    unsigned root;
    const uint8_t *goal = projection->goals[0];
    project(puzzle, projection, state, projected);
    bool back = projection->numbering.answers == ANSWERS_ALL && puzzle->reversible;
    if (!puzzle_relate(projection, back ? goal : projected, back ? projected : goal, &root,
                       relative, &error)) {
        return INDEX_NONE;
    }
    return puzzle_rank(projection, root, relative);
}

// ---- Views by digits ----------------------------------------------------------------------------

static const uint64_t DIGIT_ENTRIES_MOST = UINT64_C(1) << 22; // of a table

struct cut {
    unsigned count;
    uint64_t values[VIEW_DIGITS_MOST];
};

// The digits of an index, the lowest first. Fails if a table of one would be too large. The highest
// digit and the outer value make one digit.
static bool cut_index(const struct puzzle *projection, struct cut *cut)
{
    const struct numbering *numbering = &projection->numbering;
    struct free_digit digits[CELLS_MOST];
    uint64_t most = DIGIT_ENTRIES_MOST / projection->move_count;
    *cut = (struct cut){1, {numbering->state_count}};
    if (numbering->state_count <= most) {
        return true;
    }
    if (numbering->dense || !numbering->functions->find_free_digits) {
        return false;
    }
    unsigned count = numbering->functions->find_free_digits(projection, digits);
    if (count == 0 || count > VIEW_DIGITS_MOST) {
        return false;
    }
    cut->count = count;
    uint64_t product = 1;
    for (unsigned d = 0; d < count; d++) {
        cut->values[d] = digits[d].count;
        product *= digits[d].count;
    }
    if (product == 0 || numbering->state_count / product != numbering->outer_count) {
        return false;
    }
    cut->values[count - 1] *= numbering->outer_count;
    for (unsigned d = 0; d < count; d++) {
        if (cut->values[d] > most) {
            return false;
        }
    }
    return true;
}

// Fills in the index of a view after each move from the state with this index.
static void find_steps(const struct puzzle *projection, uint64_t index, uint64_t *steps)
{
    if (projection->numbering.answers == ANSWERS_ALL) {
        puzzle_neighbours(projection, 0, index, steps);
    } else {
        puzzle_predecessors(projection, 0, index, steps);
    }
}

// Does every move change a digit in the same way for all outer values?
static bool is_free(const struct puzzle *projection, const struct cut *cut, unsigned digit,
                    uint64_t weight)
{
    uint64_t outer_count = projection->numbering.outer_count;
    uint64_t outer_weight = projection->numbering.state_count / outer_count;
    uint64_t expected[MOVES_MOST];
    uint64_t steps[MOVES_MOST];
    for (uint64_t value = 0; value < cut->values[digit]; value++) {
        find_steps(projection, value * weight, expected);
        for (uint64_t outer = 1; outer < outer_count; outer++) {
            find_steps(projection, value * weight + outer * outer_weight, steps);
            for (unsigned m = 0; m < projection->move_count; m++) {
                if (steps[m] / weight % cut->values[digit] !=
                    expected[m] / weight % cut->values[digit]) {
                    return false;
                }
            }
        }
    }
    return true;
}

// Only the highest digit knows the outer value. Do the digits below it change in one way, whatever
// the outer value is?
static bool is_independent(const struct puzzle *projection, const struct cut *cut)
{
    uint64_t most = DIGIT_ENTRIES_MOST / projection->move_count / projection->numbering.outer_count;
    uint64_t weight = 1;
    bool one = true;
    for (unsigned d = 0; d + 1 < cut->count && one; d++) {
        one = cut->values[d] <= most && is_free(projection, cut, d, weight);
        weight *= cut->values[d];
    }
    return one;
}

// Under a symmetry, a move changes the digit as its image does.
static bool fill_digit(const struct puzzle *projection, const struct cut *cut, unsigned digit,
                       const uint16_t *move_images, struct view *view)
{
    uint64_t steps[MOVES_MOST];
    unsigned moves = projection->move_count;
    uint64_t weight = view->weight[digit];
    uint32_t *to = malloc(cut->values[digit] * moves * sizeof *to);
    view->digit_to[digit] = to;
    for (uint64_t value = 0; value < cut->values[digit] && to; value++) {
        // A step from the identity is a move; a step from the solved state is a move undone. If
        // the step is not possible in the projection, neither is the move in the puzzle.
        find_steps(projection, value * weight, steps);
        for (unsigned m = 0; m < moves; m++) {
            uint64_t step = steps[move_images ? move_images[m] : m];
            to[value * moves + m] = (uint32_t)(step / weight % cut->values[digit]);
        }
    }
    return to;
}

// Makes a view by digits. *fits tells whether the index has such digits. False without memory.
static bool make_digits(struct bounds *bounds, const struct puzzle *projection,
                        const uint16_t *move_images, struct view *view, bool *fits)
{
    struct cut cut;
    bool group = projection->numbering.answers == ANSWERS_ALL;
    *fits = bounds->digit_count + VIEW_DIGITS_MOST <= 2 * VIEW_DIGITS_MOST &&
            (!group || bounds->puzzle->reversible) && cut_index(projection, &cut) &&
            is_independent(projection, &cut);
    if (!*fits) {
        return true;
    }
    view->way = VIEW_DIGITS;
    view->digits = cut.count;
    view->first_digit = bounds->digit_count;
    bounds->digit_count += cut.count;
    uint64_t weight = 1;
    for (unsigned d = 0; d < cut.count; d++) {
        view->weight[d] = weight;
        weight *= cut.values[d];
        if (!fill_digit(projection, &cut, d, move_images, view)) {
            return false;
        }
    }
    return true;
}

// ---- Views by points ----------------------------------------------------------------------------

// The pieces of a projection whose index is a rank of points.
struct tracked {
    struct point_row row;
    unsigned home[VIEW_PIECES_MOST]; // by piece of the row: the slot where the solved state has it
    unsigned turn[VIEW_PIECES_MOST]; // and its orientation there
    uint8_t row_point[POINTS_MOST];  // by slot: its point in the row, or NOT_THERE
};

enum { NOT_THERE = 0xFF };

// The number of slots in the row where the solved state has a lower colour.
static unsigned count_lower(const struct bounds *bounds, const struct tracked *tracked,
                            const struct segment *to, unsigned colour)
{
    unsigned lower = 0;
    for (unsigned i = 0; i < bounds->points.slot_count; i++) {
        lower += tracked->row_point[i] != NOT_THERE &&
                 to->colour_of[bounds->puzzle->goals[0][bounds->points.slots[i].piece]] < colour;
    }
    return lower;
}

static bool find_tracked(const struct bounds *bounds, const struct puzzle *projection,
                         struct tracked *tracked)
{
    const struct puzzle *puzzle = bounds->puzzle;
    const struct points *points = &bounds->points;
    struct point_row *row = &tracked->row;
    *row = (struct point_row){.outer = 0};
    if (projection->numbering.answers == ANSWERS_ALL || !bounds->group ||
        !projection->numbering.functions->find_points ||
        !projection->numbering.functions->find_points(projection, row) || row->outer != 1 ||
        row->points > RANK_LONGEST || row->turns > TURNS_MOST) {
        return false;
    }
    const struct segment *to = NULL;
    for (unsigned s = 0; s < projection->segment_count; s++) {
        const struct segment *segment = &projection->segments[s];
        if (segment->kind != SEGMENT_ORIENTATION && row->cell[0] >= segment->first &&
            row->cell[0] < segment->first + segment->length) {
            to = segment;
        }
    }
    const struct segment *from = to ? find_segment(puzzle, to->set, false) : NULL;
    if (!from) {
        return false;
    }
    memset(tracked->row_point, NOT_THERE, sizeof tracked->row_point);
    for (unsigned i = 0; i < points->slot_count; i++) {
        const struct point_slot *slot = &points->slots[i];
        if (slot->piece < (int)from->first || slot->piece >= (int)(from->first + from->length)) {
            continue;
        }
        for (unsigned p = 0; p < row->points; p++) {
            if (row->cell[p] - to->first == (unsigned)slot->piece - from->first) {
                tracked->row_point[i] = (uint8_t)p;
            }
        }
    }
    // The colours of pieces outside the row are skipped. All pieces without a number share the last
    // colour. If two slots get one number, pieces before the last colour look alike: only their
    // orientations are kept.
    bool found[VIEW_PIECES_MOST] = {false};
    for (unsigned i = 0; i < points->slot_count; i++) {
        const struct point_slot *slot = &points->slots[i];
        if (tracked->row_point[i] == NOT_THERE) {
            continue;
        }
        unsigned colour = to->colour_of[puzzle->goals[0][slot->piece]];
        unsigned piece = count_lower(bounds, tracked, to, colour);
        if (piece < row->length && found[piece]) {
            return false;
        }
        if (piece < row->length) {
            found[piece] = true;
            tracked->home[piece] = i;
            tracked->turn[piece] =
                slot->turn >= 0 && row->turns > 1 ? puzzle->goals[0][slot->turn] : 0;
        }
    }
    return true;
}

static unsigned invert_at(const group_point *symmetry, unsigned points, unsigned x)
{
    unsigned y = 0;
    while (y < points && symmetry[y] != x) {
        y++;
    }
    return y;
}

// The view of a database's pieces under a symmetry.
static void make_points_view(const struct bounds *bounds, const struct tracked *tracked,
                             const group_point *symmetry, bool inverse, struct view *view)
{
    const struct points *points = &bounds->points;
    view->way = VIEW_POINTS;
    view->inverse = inverse;
    view->pieces = tracked->row.length;
    view->row_points = tracked->row.points;
    view->row_turns = tracked->row.turns;
    for (unsigned j = 0; j < view->pieces; j++) {
        unsigned before = invert_at(symmetry, points->count, points->slots[tracked->home[j]].first);
        unsigned slot = points->slot_of[before];
        unsigned turn = before - points->slots[slot].first;
        view->source[j] = (uint8_t)slot;
        for (unsigned x = 0; x < points->count; x++) {
            unsigned to = symmetry[points->turned[turn][x]];
            unsigned to_slot = points->slot_of[to];
            unsigned to_turn = to - points->slots[to_slot].first + tracked->turn[j];
            view->map[j][x] =
                (uint8_t)((tracked->row_point[to_slot] & 15u) | to_turn % tracked->row.turns << 4);
        }
    }
}

// Do two views look at the same pieces?
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

// Adds a view unless there is one that looks at the same pieces, or too many.
static void keep_view(struct bounds *bounds, const struct view *view)
{
    for (unsigned v = 0; v < bounds->view_count; v++) {
        if (is_same_view(&bounds->views[v], view)) {
            return;
        }
    }
    if (bounds->view_count < VIEWS_MOST) {
        bounds->views[bounds->view_count++] = *view;
        bool has_points = view->way == VIEW_POINTS || (view->way == VIEW_CELLS && view->symmetry);
        bounds->has_piece_points |= has_points && !view->inverse;
        bounds->has_slot_contents |= has_points && view->inverse;
        bounds->has_cells |= view->way == VIEW_CELLS && !view->symmetry;
    }
}

// ---- Making them --------------------------------------------------------------------------------

static struct view new_view(const struct database_line *line)
{
    return (struct view){.database = line->projection, .symmetry = line->symmetry};
}

// Adds the views of a line's database under a symmetry. If the line shares its database, its own
// symmetry comes after this one.
static void add_points_views(struct bounds *bounds, const struct database_line *line,
                             const group_point *symmetry)
{
    struct tracked tracked;
    group_point both[POINTS_MOST];
    if (!find_tracked(bounds, &bounds->puzzle->projections[line->projection], &tracked)) {
        return;
    }
    for (unsigned x = 0; x < bounds->points.count; x++) {
        both[x] = line->symmetry ? line->symmetry[symmetry[x]] : symmetry[x];
    }
    for (unsigned inverse = 0; inverse < (bounds->puzzle->reversible ? 2 : 1); inverse++) {
        struct view view = new_view(line);
        make_points_view(bounds, &tracked, both, inverse, &view);
        keep_view(bounds, &view);
    }
}

// Adds the one view of a line whose database has an index that is no rank of points.
static bool add_other_view(struct bounds *bounds, const struct database_line *line)
{
    const struct puzzle *projection = &bounds->puzzle->projections[line->projection];
    struct tracked tracked;
    struct view view = new_view(line);
    bool fits = false;
    if (find_tracked(bounds, projection, &tracked) || (line->shares && !line->symmetry)) {
        return true;
    }
    if (!make_digits(bounds, projection, line->move_images, &view, &fits)) {
        return false;
    }
    view.way = fits ? VIEW_DIGITS : VIEW_CELLS;
    keep_view(bounds, &view);
    return true;
}

static bool add_views(struct bounds *bounds)
{
    const struct puzzle *puzzle = bounds->puzzle;
    struct point_symmetries symmetries = {.count = 0};
    const group_point **rows = malloc(puzzle->move_count * sizeof *rows);
    bool done = rows;
    for (unsigned m = 0; m < puzzle->move_count && done; m++) {
        rows[m] = bounds->points.rows + (size_t)m * bounds->points.count;
    }
    if (done && bounds->group) {
        struct point_moves moves = {bounds->points.count, puzzle->move_count, rows};
        done = point_symmetries_find(&moves, SYMMETRIES_BY_MOVES, VIEWS_MOST * 4, &symmetries);
    }
    for (unsigned l = 0; l < puzzle->line_count && done; l++) {
        done = add_other_view(bounds, &puzzle->lines[l]);
    }
    // The identity is the first symmetry, so each line has its own views.
    for (uint32_t s = 0; s < symmetries.count && done; s++) {
        for (unsigned l = 0; l < puzzle->line_count; l++) {
            add_points_views(bounds, &puzzle->lines[l], point_symmetries_row(&symmetries, s));
        }
    }
    point_symmetries_free(&symmetries);
    free(rows);
    return done;
}

static bool add_moves(struct bounds *bounds)
{
    const struct points *points = &bounds->points;
    unsigned moves = bounds->puzzle->move_count;
    bounds->forward = calloc((size_t)moves * points->count + 1, 1);
    bounds->from_slot = calloc((size_t)moves * points->slot_count + 1, 1);
    bounds->from_turn = calloc((size_t)moves * points->slot_count + 1, 1);
    if (!bounds->forward || !bounds->from_slot || !bounds->from_turn) {
        return false;
    }
    for (unsigned m = 0; m < moves && points->count > 0; m++) {
        const group_point *row = points->rows + (size_t)m * points->count;
        for (unsigned x = 0; x < points->count; x++) {
            unsigned to = points->slot_of[row[x]];
            bounds->forward[(size_t)m * points->count + x] = (uint8_t)row[x];
            if (points->slots[to].first == row[x]) {
                unsigned from = points->slot_of[x];
                bounds->from_slot[(size_t)m * points->slot_count + to] = (uint8_t)from;
                bounds->from_turn[(size_t)m * points->slot_count + to] =
                    (uint8_t)(x - points->slots[from].first);
            }
        }
    }
    return true;
}

static void lay_out_nodes(struct bounds *bounds)
{
    unsigned used = 0;
    bounds->piece_points_at = used;
    used += bounds->has_piece_points ? bounds->points.slot_count : 0;
    bounds->slot_contents_at = used;
    used += bounds->has_slot_contents ? bounds->points.slot_count : 0;
    bounds->cells = used;
    used += bounds->has_cells ? bounds->puzzle->cell_count : 0;
    size_t align = _Alignof(struct bound_node);
    bounds->node_bytes = (sizeof(struct bound_node) + used + align - 1) / align * align;
}

void *bounds_make(struct fewest *table, struct fewest_error *error)
{
    struct bounds *made = calloc(1, sizeof *made);
    const struct puzzle *puzzle = &table->puzzle;
    bool fits = false;
    if (made) {
        made->puzzle = puzzle;
        if (points_make(&made->points, puzzle, &fits)) {
            made->points.count = fits ? made->points.count : 0;
            made->group = fits && puzzle->numbering.answers == ANSWERS_ALL;
            made->has_cells = puzzle->forbids_states; // they decide which moves are possible
            if (add_views(made) && add_moves(made) &&
                (!fits || point_automaton_build(&made->automaton, puzzle, &made->points, error))) {
                lay_out_nodes(made);
                return made;
            }
        }
        bounds_free(made);
    }
    error_write(error, FEWEST_SYSTEM, "not enough memory for the search");
    return NULL;
}

void bounds_free(void *made)
{
    struct bounds *bounds = made;
    for (unsigned v = 0; v < bounds->view_count; v++) {
        for (unsigned d = 0; d < VIEW_DIGITS_MOST; d++) {
            free(bounds->views[v].digit_to[d]);
        }
    }
    pruning_automaton_free(&bounds->automaton);
    points_free(&bounds->points);
    free(bounds->forward);
    free(bounds->from_slot);
    free(bounds->from_turn);
    free(bounds);
}

// ---- Nodes --------------------------------------------------------------------------------------

// Fills in the state s∘g∘s⁻¹ of a symmetry s. The points of the pieces, by home, tell the state g.
static void conjugate_state(const struct bounds *bounds, const group_point *symmetry,
                            const uint8_t *at, uint8_t *state)
{
    const struct points *points = &bounds->points;
    uint8_t relative[CELLS_MOST];
    for (unsigned x = 0; x < points->count; x++) {
        unsigned home = points->slot_of[symmetry[x]];
        if (points->slots[home].first != symmetry[x]) {
            continue; // the first point of a home tells where its piece is
        }
        unsigned slot = points->slot_of[x];
        unsigned turn = x - points->slots[slot].first;
        unsigned to = symmetry[points->turned[turn][at[slot]]];
        const struct point_slot *to_slot = &points->slots[points->slot_of[to]];
        if (to_slot->piece >= 0) {
            relative[to_slot->piece] = (uint8_t)(home - to_slot->home_first);
        }
        if (to_slot->turn >= 0) {
            relative[to_slot->turn] = (uint8_t)(to - to_slot->first);
        }
    }
    puzzle_unrelate(bounds->puzzle, bounds->puzzle->goals[0], relative, state);
}

// The index of a state in the projection of a view. A symmetry needs the points of its pieces.
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

void bounds_set(const struct bounds *bounds, const uint8_t *state, struct bound_node *node)
{
    const struct puzzle *puzzle = bounds->puzzle;
    uint8_t at[POINTS_MOST] = {0};
    uint8_t has[POINTS_MOST];
    memset(node, 0, bounds->node_bytes);
    if (bounds->group) {
        uint8_t relative[CELLS_MOST];
        struct fewest_error error;
        unsigned root;
        puzzle_relate(puzzle, puzzle->goals[0], state, &root, relative, &error);
        points_read(&bounds->points, relative, at, has);
        memcpy(node->data + bounds->piece_points_at, at,
               bounds->has_piece_points ? bounds->points.slot_count : 0);
        memcpy(node->data + bounds->slot_contents_at, has,
               bounds->has_slot_contents ? bounds->points.slot_count : 0);
    }
    memcpy(node->data + bounds->cells, state, bounds->has_cells ? puzzle->cell_count : 0);
    for (unsigned v = 0; v < bounds->view_count; v++) {
        const struct view *view = &bounds->views[v];
        if (view->way == VIEW_DIGITS) {
            uint64_t index = rank_view(bounds, view, state, at);
            for (unsigned d = 0; d < view->digits; d++) {
                uint64_t above = d + 1 < view->digits ? view->weight[d + 1] : UINT64_MAX;
                node->digit[view->first_digit + d] = (uint32_t)(index % above / view->weight[d]);
            }
        }
    }
}

bool bounds_move(const struct bounds *bounds, const struct bound_node *node, unsigned move,
                 struct bound_node *child)
{
    unsigned slots = bounds->points.slot_count;
    unsigned moves = bounds->puzzle->move_count;
    if (bounds->has_cells && !puzzle_apply(bounds->puzzle, move, node->data + bounds->cells,
                                           child->data + bounds->cells)) {
        return false;
    }
    if (bounds->has_piece_points) {
        const uint8_t *forward = bounds->forward + (size_t)move * bounds->points.count;
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
                bounds->points.turned[turn[i]][node->data[bounds->slot_contents_at + from[i]]];
        }
    }
    for (unsigned v = 0; v < bounds->view_count && bounds->digit_count > 0; v++) {
        const struct view *view = &bounds->views[v];
        for (unsigned d = 0; d < view->digits; d++) {
            unsigned place = view->first_digit + d;
            child->digit[place] = view->digit_to[d][(size_t)node->digit[place] * moves + move];
        }
    }
    return true;
}

static uint64_t rank_points(const struct view *view, const uint8_t *data)
{
    struct lehmer code = lehmer_start();
    uint64_t rank = 0;
    for (unsigned j = 0; j < view->pieces; j++) {
        unsigned found = view->map[j][data[view->source[j]]];
        rank = rank * (view->row_points - j) + lehmer_digit(&code, found & 15u);
        if (view->row_turns > 1) {
            rank = rank * view->row_turns + (found >> 4);
        }
    }
    return rank;
}

uint64_t bounds_index(const struct bounds *bounds, const struct view *view,
                      const struct bound_node *node)
{
    uint64_t index = 0;
    switch (view->way) {
    case VIEW_POINTS:
        return rank_points(view, node->data + (view->inverse ? bounds->slot_contents_at
                                                             : bounds->piece_points_at));
    case VIEW_DIGITS:
        for (unsigned d = 0; d < view->digits; d++) {
            index += node->digit[view->first_digit + d] * view->weight[d];
        }
        return index;
    case VIEW_CELLS:
        break;
    }
    return rank_view(bounds, view, node->data + bounds->cells,
                     node->data + bounds->piece_points_at);
}
