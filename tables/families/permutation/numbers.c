// Numbers the states of a permutation puzzle by its chain (algebra/chain/).
//
// The chain needs no case for puzzles of any kind, but one kind is so common that it has a faster
// way to the same number: all rows of at most RANK_LONGEST different pieces, or the even ones. Then
// the digits are the Lehmer code of the slots of the pieces. The two last slots of an even row
// follow from the others, so the chain leaves these pieces out, and may exchange them.
#include "group_bound.h"
#include "permutation.h"
#include "tables/algebra/rank.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { IMAGES_MOST = 2 * CELLS_MOST };

// The index of a row of different pieces: piece row[i] is in slot i. INDEX_NONE if it is odd and
// only even rows have an index.
static uint64_t rank_row(const struct permutation *permutation, const uint8_t *row)
{
    uint8_t slot_of[RANK_LONGEST] = {0}; // by piece
    bool odd = false;
    for (unsigned i = 0; i < permutation->row_length; i++) {
        slot_of[row[i]] = (uint8_t)i;
    }
    uint64_t rank = arrangement_rank_odd(permutation->row_length, slot_of, &odd);
    if (!permutation->only_even) {
        return rank;
    }
    return odd ? INDEX_NONE : rank / 2;
}

// Returns the index of a relative target: the rank of its row, if the puzzle is all rows of
// different pieces, and otherwise the first rank_digits digits of the chain as a number.
static uint64_t rank_state(const struct puzzle *puzzle, unsigned root, const uint8_t *relative)
{
    (void)root;
    const struct permutation *permutation = permutation_of(puzzle);
    chain_point images[IMAGES_MOST];
    if (permutation->row_length > 0) {
        return rank_row(permutation, relative);
    }
    const struct point_view *view = &permutation->view;
    unsigned digits = permutation->rank_digits;
    if (!point_view_read(view, relative, images)) {
        return INDEX_NONE;
    }
    unsigned count = view->image_of[digits]; // images of the things of these digits
    return chain_divide(&permutation->chain, 0, digits, images, count);
}

// Reads the images of the things, which fails if a piece is in an orbit where it can't be. Then
// asks the chain whether the moves reach them; for a row of different pieces, its rank tells.
bool permutation_is_state(const struct puzzle *puzzle, const uint8_t *relative)
{
    const struct permutation *permutation = permutation_of(puzzle);
    const struct point_view *view = &permutation->view;
    chain_point images[IMAGES_MOST];
    if (!point_view_read(view, relative, images)) {
        return false;
    }
    if (puzzle->is_unfinished) {
        return true;
    }
    return permutation->row_length > 0
               ? rank_row(permutation, relative) != INDEX_NONE
               : chain_includes(&permutation->chain, images, view->image_of[view->thing_count]);
}

// Can START reach TARGET? The chain tells, without a table (rules.h).
bool permutation_is_reachable(const struct puzzle *puzzle, const uint8_t *start,
                              const uint8_t *target)
{
    uint8_t relative[CELLS_MOST];
    struct fewest_error error;
    unsigned root;
    return puzzle_find_relative(puzzle, start, target, &root, relative, &error) &&
           permutation_is_state(puzzle, relative) && puzzle_permits(puzzle, relative);
}

static bool read_images(const struct puzzle *puzzle, unsigned root, const uint8_t *relative,
                        chain_point *images)
{
    (void)root;
    return point_view_read(&permutation_of(puzzle)->view, relative, images);
}

// Fills in the cells of a state from the images of its things (point_view.h). First finds where the
// first point of each slot is. A thing of slots alone tells only the slots. If the orientation
// counts, the next thing has the same slots, and overwrites the entries with the right points.
static void write_images(const struct puzzle *puzzle, unsigned root, const chain_point *images,
                         uint8_t *relative)
{
    (void)root;
    const struct permutation *permutation = permutation_of(puzzle);
    const struct point_view *view = &permutation->view;
    chain_point firsts[CELLS_MOST]; // by home slot: where its first point is
    for (unsigned t = 0; t < view->thing_count; t++) {
        const struct view_thing *thing = &view->things[t];
        for (unsigned j = 0; j < thing->size; j++) {
            chain_point image = images[view->image_of[t] + j];
            firsts[view->thing_slots[thing->first_slot + j]] =
                thing->alone ? view->slots[view->slot_of[image]].first : image;
        }
    }
    point_view_write(view, firsts, relative);
}

// Undoes rank_row: fills in the slot of each piece.
static void unrank_row(const struct permutation *permutation, uint64_t index, uint8_t *slot_of)
{
    unsigned length = permutation->row_length;
    if (permutation->only_even) {
        arrangement_unrank_half(length, index, false, slot_of);
    } else {
        arrangement_unrank(length, length, index, slot_of);
    }
}

// Fills in the relative target of an index. In general, the chain takes the first point of each
// slot to its image, and from these images point_view_write makes the cells.
static void unrank_state(const struct puzzle *puzzle, unsigned root, uint64_t index,
                         uint8_t *relative)
{
    (void)root;
    const struct permutation *permutation = permutation_of(puzzle);
    const struct point_view *view = &permutation->view;
    chain_point images[CELLS_MOST];
    uint8_t slot_of[RANK_LONGEST];
    if (permutation->row_length > 0) {
        unrank_row(permutation, index, slot_of);
        for (unsigned piece = 0; piece < permutation->row_length; piece++) {
            relative[slot_of[piece]] = (uint8_t)piece;
        }
        return;
    }
    memcpy(images, view->others, view->slot_count * sizeof *images);
    chain_unrank_images(&permutation->chain, index, images, view->slot_count);
    point_view_write(view, images, relative);
}

// Does what take_steps does, for a row of different pieces. Ranks each moved row without storing it
// (rank.h). If only even rows have an index, the plan lacks the two last pieces, and the rank of
// the others is half that of the row.
static void step_row(const struct permutation *permutation, uint64_t index, bool undone,
                     uint64_t *found)
{
    const struct point_view *view = &permutation->view;
    // The rows of the inverses follow those of the moves.
    const chain_point *row = view->moves + (undone ? view->move_count * view->degree : 0);
    unsigned count = view->plan.thing_count;
    unsigned length = permutation->row_length;
    unsigned moves = view->move_count;
    unsigned degree = view->degree;
    uint8_t slot_of[RANK_LONGEST];
    unrank_row(permutation, index, slot_of);
    for (unsigned m = 0; m < moves; m++, row += degree) {
        struct lehmer code = lehmer_start();
        uint64_t rank = 0;
        for (unsigned i = 0; i < count; i++) {
            rank = rank * (length - i) + lehmer_digit(&code, row[slot_of[i]]);
        }
        found[m] = rank;
    }
}

// Fills in the index after each move or, if `undone`, after the inverse of each. The digits after
// step_digits have one value, and steps lead from states to states, so these digits are left out.
static void take_steps(const struct puzzle *puzzle, uint64_t index, bool undone, uint64_t *found)
{
    const struct permutation *permutation = permutation_of(puzzle);
    const struct point_view *view = &permutation->view;
    chain_point images[IMAGES_MOST];
    chain_point moved[IMAGES_MOST];
    if (permutation->row_length > 0) {
        step_row(permutation, index, undone, found);
        return;
    }
    unsigned count = view->image_of[permutation->step_digits];
    memcpy(images, view->thing_points, count * sizeof *images);
    chain_unrank_images(&permutation->chain, index, images, count);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        const chain_point *row =
            view->moves + (m + (undone ? puzzle->move_count : 0)) * (size_t)view->degree;
        for (unsigned i = 0; i < count; i++) {
            moved[i] = row[images[i]];
        }
        found[m] = chain_divide(&permutation->chain, 0, permutation->step_digits, moved, count);
    }
}

// If the states are a group, a step away from the root is a move. Otherwise distances are counted
// to the goal, so the step undoes a move.
static void find_neighbours(const struct puzzle *puzzle, unsigned root, uint64_t index,
                            uint64_t *found)
{
    (void)root;
    take_steps(puzzle, index, !permutation_of(puzzle)->group, found);
}

static void find_predecessors(const struct puzzle *puzzle, unsigned root, uint64_t index,
                              uint64_t *before)
{
    (void)root;
    take_steps(puzzle, index, permutation_of(puzzle)->group, before);
}

const struct numbering_functions PERMUTATION_NUMBERING = {
    .rank = rank_state,
    .unrank = unrank_state,
    .neighbours = find_neighbours,
    .predecessors = find_predecessors,
    .write_images = write_images,
    .read_images = read_images,
    .find_relative = permutation_find_relative,
    .restore_target = permutation_restore_target,
    .answers_target = puzzle_is_counted_goal,
};

// ---- Making the chain ---------------------------------------------------------------------------

// Sets row_length and only_even if the states are all rows of a few different pieces, or all even
// ones. Even rows must have at least three pieces, because two are left out of the plan.
static void find_rows(const struct puzzle *puzzle, struct permutation *permutation)
{
    const struct segment *segment = &puzzle->segments[0];
    uint64_t states = permutation->chain.count;
    if (puzzle->segment_count == 1 && segment->kind == SEGMENT_ARRANGEMENT && permutation->group &&
        segment->length <= RANK_LONGEST &&
        (states == segment->count || (states == segment->count / 2 && segment->length > 2))) {
        permutation->row_length = segment->length;
        permutation->only_even = states < segment->count;
    }
}

// Leaves the two last pieces, the last two points, out of the plan, because their slots follow from
// those of the others. Adds their exchange to the moves, so that either order of them is in the
// group; this doubles its order. The steps stay the puzzle's own moves. Returns false if
// memory runs out; the rows are freed with the puzzle.
static bool leave_out_last_two(struct permutation *permutation)
{
    struct point_view *view = &permutation->view;
    struct chain_plan *plan = &view->plan;
    unsigned degree = plan->degree;
    chain_point *exchange = malloc(degree * sizeof *exchange);
    const chain_point **rows = malloc((plan->move_count + 1u) * sizeof *rows);
    permutation->exchange = exchange;
    permutation->rows = rows;
    if (!exchange || !rows) {
        return false;
    }
    memcpy(rows, plan->moves, plan->move_count * sizeof *rows);
    for (unsigned x = 0; x < degree; x++) {
        exchange[x] = (chain_point)x;
    }
    exchange[degree - 2] = (chain_point)(degree - 1);
    exchange[degree - 1] = (chain_point)(degree - 2);
    rows[plan->move_count] = exchange;
    plan->steps = plan->moves;
    plan->step_count = plan->move_count;
    plan->moves = rows;
    plan->move_count++;
    plan->thing_count -= 2;
    plan->bound *= 2;
    return true;
}

// Do the images of the things after step_digits follow from those of the things before? They do if
// each is the only one of its orbit, so that it has the slots that the others leave, and if it is a
// thing of slots alone, so that orientations do not matter.
static bool rest_follows(const struct permutation *permutation)
{
    const struct point_view *view = &permutation->view;
    for (unsigned t = permutation->step_digits; t < view->thing_count; t++) {
        bool is_last = view->things[t].alone;
        for (unsigned u = permutation->step_digits; u < t; u++) {
            is_last = is_last && view->things[u].orbit != view->things[t].orbit;
        }
        if (!is_last) {
            return false;
        }
    }
    return true;
}

// Sets step_digits and rank_digits. Dividing by a digit whose elements are not kept takes
// microseconds, so digits of one value are left out where they tell nothing: 2.5 × for a search of
// Square-1, 2026-11.
static void choose_digits(struct permutation *permutation)
{
    const struct chain *chain = &permutation->chain;
    for (unsigned d = 0; d < chain->digit_count; d++) {
        if (chain->digits[d].length > 1) {
            permutation->step_digits = d + 1;
        }
    }
    permutation->rank_digits = chain->digit_count;
    if (rest_follows(permutation)) {
        permutation->rank_digits = permutation->step_digits;
    }
}

// Makes the chain that counts, and all that numbers need unless there are too many states or a
// search answers. Fails as chain_make does. On few points, the proof takes less time than the bound
// that would save it: without the bound, a query of the game takes 0.6 × the time (2026-11).
static bool make_chain(struct puzzle *puzzle, struct permutation *permutation,
                       struct fewest_error *error)
{
    enum { POINTS_OF_SHORT_PROOF = 64 };
    struct chain *chain = &permutation->chain;
    struct chain_plan *plan = &permutation->view.plan;
    bool is_short = permutation->view.degree <= POINTS_OF_SHORT_PROOF;
    if ((!is_short && !group_bound_find(&permutation->view, error)) ||
        !chain_make(chain, plan, error)) {
        return false;
    }
    puzzle->numbering.state_count = chain->count;
    find_rows(puzzle, permutation);
    if (puzzle_is_too_large(puzzle) || puzzle->definition->database_count > 0) {
        return true;
    }
    if (permutation->only_even) {
        plan->bound = chain->order;
        plan->work = chain->work;
        chain_free(chain);
        if (!leave_out_last_two(permutation)) {
            return error_no_memory(error, "for the numbers of the states");
        }
        if (!chain_make(chain, plan, error)) {
            return false;
        }
    }
    if (!chain_finish(chain, error)) {
        return false;
    }
    choose_digits(permutation);
    puzzle->numbering.roots[0].chain = chain;
    puzzle->numbering.by_chain = permutation->row_length == 0;
    return true;
}

// If a search answers, the chain only counts, and half of the work that is allowed stays reserved
// for the pattern databases. The chain is freed with the puzzle.
bool permutation_make_chain(struct puzzle *puzzle, struct fewest_error *error)
{
    struct permutation *permutation = permutation_of(puzzle);
    uint64_t reserved = puzzle->definition->database_count > 0 ? CHAIN_WORK_MOST / 2 : 0;
    permutation->view.plan.work = puzzle->work + reserved;
    bool done = make_chain(puzzle, permutation, error);
    if (!done && error->status == FEWEST_BEYOND) {
        puzzle->is_unfinished = true;
        puzzle->numbering.state_count = 0;
        puzzle->work = CHAIN_WORK_MOST - reserved;
        return true;
    }
    puzzle->work = permutation->chain.work - reserved;
    return done;
}
