// Proves that steps of points (algebra/chain/) are steps of the rules: rule 11a of check.c.
//
// Rules, cells and points work slot by slot. What a slot holds after a step depends only on one
// slot before the step and, on a board, on the cell of the blank. So it is enough to try each step
// on some states. Among them, each point of home must come to every place where steps can take it;
// on a board, with the blank in each cell.
#include "points.h"

#include "tables/families/board/board.h"

#include <stdlib.h>
#include <string.h>

// The elements on which steps are tried. Each is a row: where it takes the points of home.
struct trials {
    const struct puzzle *puzzle;
    unsigned root;
    const struct chain_plan *plan;
    const struct home_points *home;
    chain_point *images; // by element and point of home
    size_t count;
    size_t room;
    bool *seen; // by point of home and its image; on a board, first by image of the first point
};

bool home_points_list(struct home_points *home, const struct chain_plan *plan)
{
    unsigned degree = plan->degree;
    bool *taken = calloc(degree + 1u, sizeof *taken);
    *home = (struct home_points){.points = malloc((degree + 1u) * sizeof *home->points),
                                 .things = malloc((degree + 1u) * sizeof *home->things)};
    bool done = taken && home->points && home->things;
    for (unsigned t = 0; t < plan->thing_count && done; t++) {
        for (unsigned j = 0; j < plan->things[t].size; j++) {
            chain_point point = plan->things[t].points[j];
            home->points[home->count] = point;
            home->things[home->count++] = (uint16_t)t;
            taken[point] = true;
        }
    }
    home->in_things = home->count;
    // Only a plan with `steps` (chain.h) leaves out points that cells show.
    for (unsigned x = 0; x < degree && done && plan->steps; x++) {
        if (!taken[x]) {
            home->points[home->count] = (chain_point)x;
            home->things[home->count++] = CHAIN_NONE;
        }
    }
    free(taken);
    return done;
}

void home_points_free(struct home_points *home)
{
    free(home->points);
    free(home->things);
    *home = (struct home_points){.count = 0};
}

bool home_points_label(const struct home_points *home, const chain_point *images, unsigned degree,
                       uint16_t *labels)
{
    memset(labels, 0xFF, degree * sizeof *labels); // CHAIN_NONE
    for (unsigned i = 0; i < home->in_things; i++) {
        if (labels[images[i]] != CHAIN_NONE) {
            return false;
        }
        labels[images[i]] = home->things[i];
    }
    return true;
}

bool is_permutation(const chain_point *row, unsigned degree)
{
    bool taken[degree + 1];
    memset(taken, false, sizeof taken);
    for (unsigned x = 0; x < degree; x++) {
        if (row[x] >= degree || taken[row[x]]) {
            return false;
        }
        taken[row[x]] = true;
    }
    return true;
}

const chain_point *chain_step_row(const struct chain_plan *plan, unsigned step, chain_point first)
{
    unsigned blank = 0; // the number of the list with the steps from this cell of the blank
    if (!plan->steps) {
        return plan->moves[step];
    }
    if (plan->first_elements) {
        while (plan->first_elements[blank][plan->things[0].points[0]] != first) {
            blank++;
        }
    }
    return plan->steps[blank * plan->step_count + step];
}

// ---- The elements -------------------------------------------------------------------------------

// Adds an element to those that are tried, if it takes some point of home where no element before
// has taken that point. On a board, only elements with the blank in the same cell count. Returns
// false if memory runs out.
static bool add_element(struct trials *trials, const chain_point *images)
{
    enum { ROOM_LEAST = 16 };
    unsigned count = trials->home->count;
    size_t degree = trials->plan->degree;
    bool *seen = trials->seen; // by point of home and its image
    bool is_new = false;
    if (trials->plan->first_elements) {
        seen += (size_t)images[0] * count * degree; // images[0] tells the cell of the blank
    }
    for (unsigned i = 0; i < count; i++) {
        bool *seen_image = &seen[i * degree + images[i]];
        if (!*seen_image) {
            is_new = true;
            *seen_image = true;
        }
    }
    if (!is_new) {
        return true;
    }
    if (trials->count == trials->room) {
        size_t room = 2 * trials->room + ROOM_LEAST;
        chain_point *grown = realloc(trials->images, room * count * sizeof *grown);
        if (!grown) {
            return false;
        }
        trials->images = grown;
        trials->room = room;
    }
    memcpy(trials->images + trials->count * count, images, count * sizeof *images);
    trials->count++;
    return true;
}

// ---- Cells --------------------------------------------------------------------------------------

// Writes the cells of an element, as the rules know them. A board's relative target calls the blank
// by the number of its root's cell, and the rules call it 0. So on a board these two symbols are
// exchanged, unless a state is its own relative target.
static void write_state(const struct trials *trials, const chain_point *images, uint8_t *state)
{
    const struct puzzle *puzzle = trials->puzzle;
    unsigned blank = puzzle->numbering.roots[trials->root].cell;
    puzzle->numbering.functions->write_images(puzzle, trials->root, images, state);
    if (!puzzle->board || puzzle->numbering.counts_to_goals) {
        return;
    }
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        if (state[i] == blank) {
            state[i] = 0;
        } else if (state[i] == 0) {
            state[i] = (uint8_t)blank;
        }
    }
}

// Do the cells of an element depend only on where each thing as a whole goes, and do they tell
// that?
//   - If the images of the points of one thing are exchanged, the cells must stay the same.
//   - No two things may have a point in common.
//   - If the index is that of the images in the chain, the cells must give back the set of the
//     images of each thing's points.
static bool tells_things(const struct trials *trials, const chain_point *images)
{
    const struct puzzle *puzzle = trials->puzzle;
    const struct home_points *home = trials->home;
    unsigned degree = trials->plan->degree;
    uint8_t state[CELLS_MOST];
    uint8_t again[CELLS_MOST];
    uint16_t labels[degree + 1];
    chain_point others[2 * CELLS_MOST] = {0};
    memcpy(others, images, home->count * sizeof *others);
    for (unsigned i = 1; i < home->in_things; i++) {
        if (home->things[i] == home->things[i - 1]) { // in the end, each thing's points are rotated
            chain_point kept = others[i];
            others[i] = others[i - 1];
            others[i - 1] = kept;
        }
    }
    write_state(trials, images, state);
    write_state(trials, others, again);
    if (memcmp(state, again, puzzle->cell_count) != 0 ||
        !home_points_label(home, images, degree, labels)) {
        return false;
    }
    if (!puzzle->numbering.by_chain) {
        return true;
    }
    if (!puzzle->numbering.functions->read_images(puzzle, trials->root, state, others)) {
        return false;
    }
    for (unsigned i = 0; i < home->in_things; i++) {
        if (labels[others[i]] != home->things[i]) {
            return false;
        }
        labels[others[i]] = CHAIN_NONE; // no other point may have the same image
    }
    return true;
}

// Do the rules agree about step m from a state? `next` has the images of the element after the
// step: move m must lead from the state to the cells of that element. If `next` is NULL, there is
// no step, and the move must be impossible. Without inverses, a step undoes a move, so the move
// must lead back.
static bool is_move(const struct trials *trials, unsigned m, const uint8_t *state,
                    const chain_point *next)
{
    const struct puzzle *puzzle = trials->puzzle;
    uint8_t after[CELLS_MOST];
    uint8_t moved[CELLS_MOST];
    if (!next) {
        return !puzzle_apply(puzzle, m, state, moved);
    }
    write_state(trials, next, after);
    const uint8_t *from = state;
    const uint8_t *to = after;
    if (!puzzle->board && puzzle->numbering.answers != ANSWERS_ALL) { // a step undoes a move
        from = after;
        to = state;
    }
    return puzzle_apply(puzzle, m, from, moved) && memcmp(moved, to, puzzle->cell_count) == 0;
}

// ---- All ----------------------------------------------------------------------------------------

// Checks an element of the list: its cells, and that each step leads where the move of the rules
// does. Adds the elements after the steps to the list. Returns false if memory runs out.
static bool try_element(struct checker *checker, struct trials *trials, size_t number)
{
    const struct puzzle *puzzle = trials->puzzle;
    unsigned count = trials->home->count;
    chain_point images[2 * CELLS_MOST] = {0};
    chain_point next[2 * CELLS_MOST];
    uint8_t state[CELLS_MOST];
    bool has_room = true;
    memcpy(images, trials->images + number * count, count * sizeof *images);
    write_state(trials, images, state);
    if (!tells_things(trials, images)) {
        check_report(checker, 11, "the cells do not tell the points of the pieces");
    }
    for (unsigned m = 0; m < puzzle->move_count && has_room; m++) {
        const chain_point *row = chain_step_row(trials->plan, m, images[0]);
        for (unsigned i = 0; i < count && row; i++) {
            next[i] = row[images[i]];
        }
        if ((row && !is_permutation(row, trials->plan->degree)) ||
            !is_move(trials, m, state, row ? next : NULL)) {
            check_report(checker, 11, "the points and the cells disagree about a step by %s",
                         puzzle->moves[m].name);
            continue;
        }
        has_room = !row || add_element(trials, next);
    }
    return has_room;
}

// Does the element that leaves all points at home have the cells of the root?
static bool starts_at_root(const struct trials *trials)
{
    uint8_t state[CELLS_MOST];
    const struct puzzle *puzzle = trials->puzzle;
    puzzle->numbering.functions->write_images(puzzle, trials->root, trials->home->points, state);
    return memcmp(state, puzzle->numbering.roots[trials->root].target, puzzle->cell_count) == 0;
}

bool check_points(struct checker *checker, const struct home_points *home)
{
    const struct chain_plan *plan = checker->puzzle->numbering.roots[checker->root].chain->plan;
    size_t blanks = plan->first_elements ? plan->degree : 1;
    struct puzzle lawless = *checker->puzzle; // forbidden states also have numbers and steps
    lawless.filter = NULL;
    struct trials trials = {.puzzle = &lawless,
                            .root = checker->root,
                            .plan = plan,
                            .home = home,
                            .seen = calloc(blanks * home->count * plan->degree + 1, sizeof(bool))};
    bool has_room = trials.seen && add_element(&trials, home->points);
    if (has_room && !starts_at_root(&trials)) {
        check_report(checker, 11, "the points at home do not show the root");
    }
    // The list grows on the way.
    for (size_t i = 0; i < trials.count && has_room && check_goes_on(checker, 11, i, trials.count);
         i++) {
        has_room = try_element(checker, &trials, i);
    }
    free(trials.images);
    free(trials.seen);
    return has_room;
}
