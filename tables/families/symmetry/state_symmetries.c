// Finds the symmetries of a puzzle that keep its solved state, and counts those that keep a state.
#include "state_symmetries.h"

#include "tables/base/row_set.h"
#include "tables/families/board/board.h"
#include "tables/families/permutation/point_view.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Limit of the symmetries of the moves.
enum { SYMMETRIES_OF_STATES_MOST = 1 << 16 };

// Where symmetry `number` of the list takes each point.
static chain_point *to_row(const struct state_symmetries *symmetries, unsigned number)
{
    return symmetries->to + (size_t)number * symmetries->width;
}

// What symmetry `number` of the list makes of each label.
static chain_point *label_row(const struct state_symmetries *symmetries, unsigned number)
{
    return symmetries->label + (size_t)number * POINTS_MOST;
}

// Allocates room for `most` symmetries. state_symmetries_free frees it, also after a failure.
static bool make_room(struct state_symmetries *symmetries, size_t most)
{
    symmetries->to = malloc(most * symmetries->width * sizeof *symmetries->to);
    symmetries->label = malloc(most * POINTS_MOST * sizeof *symmetries->label);
    symmetries->members = calloc(most, sizeof *symmetries->members);
    return symmetries->to && symmetries->label && symmetries->members;
}

static bool refuse_memory(struct fewest_error *error)
{
    return error_no_memory(error, "for the symmetries");
}

// ---- Labels -------------------------------------------------------------------------------------

// Fills in the labels of a state of a board: the label of a tile is its cell in the solved state,
// or the first cell of the tiles that look like it.
static void read_board(const struct puzzle *puzzle, const uint8_t *state, chain_point *label)
{
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        label[i] = (chain_point)board_find_cell(puzzle->goals[0], state[i]);
    }
}

void state_symmetries_read(const struct puzzle *puzzle, const uint8_t *state,
                           chain_point label[POINTS_MOST])
{
    if (puzzle->board) {
        read_board(puzzle, state, label);
    } else {
        point_view_read_labels(permutation_view(puzzle), state, label);
    }
}

// ---- Symmetries that keep the solved state ------------------------------------------------------

// Fills in what a symmetry of the moves makes of each label. `solved` has the labels of the solved
// state, and to[x] is where the symmetry takes point x. Returns false if it does not keep the
// solved state: it takes equal labels to different ones, or different labels to equal ones.
static bool rename_labels(const struct state_symmetries *symmetries, const chain_point *solved,
                          const chain_point *to, chain_point *renamed)
{
    bool is_known[POINTS_MOST] = {false};
    bool is_taken[POINTS_MOST] = {false};
    memset(renamed, 0, POINTS_MOST * sizeof *renamed);
    for (unsigned x = 0; x < symmetries->width; x++) {
        chain_point from = solved[x];
        chain_point image = solved[to[x]];
        if (is_known[from]) {
            if (renamed[from] != image) {
                return false;
            }
            continue;
        }
        if (is_taken[image]) {
            return false;
        }
        is_known[from] = true;
        is_taken[image] = true;
        renamed[from] = image;
    }
    return true;
}

// Does a symmetry take permitted states to permitted states? For each point and label, it must take
// what the filter forbids to what it forbids.
static bool keeps_permitted(const struct state_symmetries *symmetries, const struct puzzle *puzzle,
                            const chain_point *solved, const chain_point *to,
                            const chain_point *renamed)
{
    const struct point_view *view = permutation_view(puzzle);
    if (!puzzle->filter) {
        return true;
    }
    for (unsigned x = 0; x < symmetries->width; x++) {
        for (unsigned y = 0; y < symmetries->width; y++) {
            if (point_view_forbids(view, puzzle, x, solved[y]) !=
                point_view_forbids(view, puzzle, to[x], renamed[solved[y]])) {
                return false;
            }
        }
    }
    return true;
}

// Lists the found symmetries that keep the solved state, and take permitted states to permitted
// ones. Of those with the same effect on every move, only lists the first. Row i of `effects`,
// which is empty before, becomes what listed symmetry i makes of the moves. There is room for all.
// Returns false if memory runs out.
static bool keep_symmetries(struct state_symmetries *symmetries, const struct puzzle *puzzle,
                            const struct point_symmetries *found, struct row_set *effects)
{
    chain_point solved[POINTS_MOST] = {0};
    state_symmetries_read(puzzle, puzzle->numbering.roots[0].target, solved);
    for (uint32_t s = 0; s < found->count; s++) {
        const chain_point *to = point_symmetries_row(found, s);
        chain_point *renamed = label_row(symmetries, symmetries->count);
        if (!rename_labels(symmetries, solved, to, renamed) ||
            !keeps_permitted(symmetries, puzzle, solved, to, renamed)) {
            continue;
        }
        if (row_set_add(effects, point_symmetries_moves(found, s)) == ROW_NONE) {
            return false;
        }
        if (effects->count == symmetries->count) {
            continue; // an earlier one has the same effect on every move
        }
        memcpy(to_row(symmetries, symmetries->count), to, symmetries->width * sizeof *to);
        symmetries->members[symmetries->count++] = 1;
    }
    symmetries->order = symmetries->count;
    return true;
}

// Step number `step` of row_set_close_under: conjugates a symmetry by another one, which is chosen
// at random, but always the same in this step. Both are given by what they make of the moves. Equal
// moves have different numbers; row 0, the identity, takes each move to the first one that is
// equal.
static void conjugate_effect(const void *context, unsigned step, const uint16_t *from, uint16_t *to)
{
    static const uint64_t SPREAD = UINT64_C(0x9E3779B97F4A7C15); // 2^64 / golden ratio
    const struct row_set *effects = context;
    const uint16_t *first = row_set_row(effects, 0);
    uint64_t random = (step + 1) * SPREAD >> 32;
    const uint16_t *by = row_set_row(effects, (uint32_t)(random % effects->count));
    for (unsigned m = 0; m < effects->length; m++) {
        to[by[m]] = by[from[m]];
    }
    for (unsigned m = 0; m < effects->length; m++) {
        to[m] = to[first[m]];
    }
}

// Shortens the list to one symmetry of each conjugacy class, with the number of members of the
// class. Meanwhile `members` is 0 for each symmetry whose class is done. Conjugates with a few
// symmetries, which almost surely generate all. If they do not, a class falls into several, and the
// sums (state_symmetries.h) are still right. Returns false if memory runs out.
static bool keep_classes(struct state_symmetries *symmetries, const struct row_set *effects)
{
    enum { CONJUGATORS = 32 };
    bool done = true;
    symmetries->count = 0;
    for (uint32_t s = 0; s < effects->count && done; s++) {
        struct row_set class;
        if (symmetries->members[s] == 0) {
            continue;
        }
        row_set_open(&class, effects->length);
        done = row_set_add(&class, row_set_row(effects, s)) != ROW_NONE &&
               row_set_close_under(&class, CONJUGATORS, effects->count, conjugate_effect, effects);
        for (uint32_t i = 1; i < class.count; i++) { // row 0 is the symmetry that is kept
            symmetries->members[row_set_find(effects, row_set_row(&class, i))] = 0;
        }
        memmove(to_row(symmetries, symmetries->count), to_row(symmetries, s),
                symmetries->width * sizeof *symmetries->to);
        memmove(label_row(symmetries, symmetries->count), label_row(symmetries, s),
                POINTS_MOST * sizeof *symmetries->label);
        symmetries->members[symmetries->count++] = class.count;
        row_set_close(&class);
    }
    return done;
}

// Sets the error for more than `most` of `what`. Returns false.
static bool refuse_many(const struct puzzle *puzzle, int most, const char *what,
                        struct fewest_error *error)
{
    return error_set(error, FEWEST_BEYOND,
                     "%s has more than %d %s, too many to count classes of states", puzzle->name,
                     most, what);
}

// Finds the symmetries of a permutation puzzle: of each class one, or all. The caller frees *found,
// also after a failure.
static bool find_of_points(struct state_symmetries *symmetries, const struct puzzle *puzzle,
                           enum state_symmetry_choice classes, struct point_symmetries *found,
                           struct fewest_error *error)
{
    const struct point_view *view = permutation_view(puzzle);
    // If the states are no group, only some of the symmetries with the same effect may keep the
    // solved state.
    enum symmetry_choice choice = symmetries->group ? SYMMETRIES_BY_MOVES : SYMMETRIES_ALL;
    if (!point_view_find_symmetries(view, choice, SYMMETRIES_OF_STATES_MOST, found)) {
        return refuse_memory(error);
    }
    if (!found->complete) {
        return refuse_many(puzzle, SYMMETRIES_OF_STATES_MOST, "symmetries", error);
    }
    struct row_set effects;
    row_set_open(&effects, view->move_count);
    bool done = make_room(symmetries, found->count) &&
                keep_symmetries(symmetries, puzzle, found, &effects) &&
                (classes == STATE_SYMMETRIES_ALL || keep_classes(symmetries, &effects));
    row_set_close(&effects);
    return done || refuse_memory(error);
}

// Finds the symmetries of a sliding board. One keeps the solved state if it keeps the cell of the
// blank there, and takes tiles that look alike to tiles that look alike. Each is a class of its own
// here.
static bool find_of_board(struct state_symmetries *symmetries, const struct puzzle *puzzle,
                          struct fewest_error *error)
{
    const struct board *board = puzzle->board;
    unsigned blank = board_find_cell(puzzle->goals[0], 0);
    chain_point solved[POINTS_MOST];
    symmetries->width = puzzle->cell_count;
    if (!make_room(symmetries, board->symmetry_count)) {
        return refuse_memory(error);
    }
    read_board(puzzle, puzzle->goals[0], solved);
    for (unsigned s = 0; s < board->symmetry_count; s++) {
        chain_point *to = to_row(symmetries, symmetries->count);
        for (unsigned i = 0; i < symmetries->width; i++) {
            to[i] = board->symmetries[s].to[i];
        }
        if (to[blank] == blank &&
            rename_labels(symmetries, solved, to, label_row(symmetries, symmetries->count))) {
            symmetries->members[symmetries->count++] = 1;
        }
    }
    symmetries->order = symmetries->count;
    return true;
}

// Rolling cubes are the boards that show tops.
bool state_symmetries_find(struct state_symmetries *symmetries, const struct puzzle *puzzle,
                           enum state_symmetry_choice classes, struct fewest_error *error)
{
    struct point_symmetries found = {.degree = 0};
    *symmetries = (struct state_symmetries){.group = !puzzle->board &&
                                                     puzzle->numbering.answers == ANSWERS_ALL};
    if (puzzle->board && puzzle->segments[0].kind == SEGMENT_TOPS) {
        return error_set(error, FEWEST_BEYOND,
                         "%s has rolling cubes; classes of their states can't be counted",
                         puzzle->name);
    }
    if (puzzle->board) {
        return find_of_board(symmetries, puzzle, error);
    }
    symmetries->width = permutation_view(puzzle)->slot_points;
    if (symmetries->width > POINTS_MOST) {
        return refuse_many(puzzle, POINTS_MOST, "orientations of its pieces", error);
    }
    bool done = find_of_points(symmetries, puzzle, classes, &found, error);
    point_symmetries_free(&found);
    return done;
}

void state_symmetries_free(struct state_symmetries *symmetries)
{
    free(symmetries->to);
    free(symmetries->label);
    free(symmetries->members);
    *symmetries = (struct state_symmetries){.count = 0};
}

// ---- Symmetries that keep a state ---------------------------------------------------------------

// A symmetry takes a state to itself if point to[x] has the renamed label of point x, for each x.
unsigned state_symmetries_count_keeping(const struct state_symmetries *symmetries,
                                        const chain_point *label)
{
    unsigned keeping = 0;
    for (unsigned s = 0; s < symmetries->count; s++) {
        const chain_point *to = to_row(symmetries, s);
        const chain_point *renamed = label_row(symmetries, s);
        unsigned x = 0;
        while (x < symmetries->width && label[to[x]] == renamed[label[x]]) {
            x++;
        }
        if (x == symmetries->width) { // all labels agree
            keeping += symmetries->members[s];
        }
    }
    return keeping;
}

// A symmetry s takes a state g to its inverse h if s∘g∘s⁻¹ = h, which means s = h∘s∘h. The labels
// are h.
unsigned state_symmetries_count_inverting(const struct state_symmetries *symmetries,
                                          const chain_point *label)
{
    unsigned inverting = 0;
    assert(symmetries->group);
    for (unsigned s = 0; s < symmetries->count; s++) {
        const chain_point *to = to_row(symmetries, s);
        unsigned x = 0;
        while (x < symmetries->width && label[to[label[x]]] == to[x]) {
            x++;
        }
        if (x == symmetries->width) {
            inverting += symmetries->members[s];
        }
    }
    return inverting;
}
