// Lists the rotations of the whole puzzle.
#include "whole_rotations.h"

#include "tables/families/permutation/permutation.h"

#include <string.h>

enum {
    ROTATIONS_MOST = 1 << 16,
    CLOSED_MOST = 1 << 12, // if some are no symmetries, so that products must be listed
};

static bool refuse(const struct puzzle *puzzle, const char *why, struct fewest_error *error)
{
    return error_set(error, FEWEST_BEYOND,
                     "%s %s, so its positions can't be counted; leave out --rotations",
                     puzzle->name, why);
}

static bool refuse_memory(struct fewest_error *error)
{
    return error_no_memory(error, "for the rotations");
}

// ---- Symmetries ---------------------------------------------------------------------------------

// Is this permutation of the slots' points an element of the group of the moves? The chain tells
// about the points, and the cells tell whether an arrangement is even, which a chain may leave out.
static bool is_element(const struct puzzle *puzzle, const chain_point *row)
{
    const struct permutation *permutation = permutation_of(puzzle);
    const struct point_view *view = &permutation->view;
    unsigned count = view->image_of[permutation->chain.digit_count];
    chain_point images[2 * POINTS_MOST];
    uint8_t cells[CELLS_MOST];
    chain_point firsts[POINTS_MOST];
    for (unsigned i = 0; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        firsts[i] = row[slot->first];
        for (unsigned t = 1; t < slot->turns; t++) { // a mirror turns pieces the other way round
            if (row[slot->first + t] != point_view_turn(view, firsts[i], t)) {
                return false;
            }
        }
    }
    for (unsigned i = 0; i < count; i++) {
        images[i] = row[view->thing_points[i]];
    }
    point_view_write(view, firsts, cells);
    return chain_includes(&permutation->chain, images, count) &&
           permutation_is_state(puzzle, cells);
}

// Adds the symmetries of the moves that are elements of their group. The first one is the identity.
static bool add_symmetries(struct row_set *rows, const struct puzzle *puzzle,
                           struct fewest_error *error)
{
    const struct point_view *view = permutation_view(puzzle);
    struct point_symmetries found = {.degree = 0};
    bool done = point_view_find_symmetries(view, SYMMETRIES_ALL, ROTATIONS_MOST, &found);
    bool complete = found.complete;
    for (uint32_t s = 0; s < found.count && done && complete; s++) {
        const chain_point *row = point_symmetries_row(&found, s);
        done = !is_element(puzzle, row) || row_set_add(rows, row) != ROW_NONE;
    }
    point_symmetries_free(&found);
    if (!done) {
        return refuse_memory(error);
    }
    return complete || refuse(puzzle, "has too many symmetries", error);
}

// ---- Declared rotations -------------------------------------------------------------------------

// Fills in where a declared rotation takes each point. Returns false if the solved state, turned
// like this, is no state that moves reach.
static bool read_declared(const struct puzzle *puzzle, const struct listed_move *declared,
                          chain_point *row)
{
    const struct point_view *view = permutation_view(puzzle);
    const uint8_t *solved = puzzle->goals[0];
    uint8_t turned[CELLS_MOST];
    uint8_t relative[CELLS_MOST];
    chain_point label[POINTS_MOST];
    struct fewest_error ignored;
    unsigned root;
    if (!permutation_apply_rows(puzzle, &declared->rows, solved, turned, &ignored) ||
        !permutation_find_relative(puzzle, solved, turned, &root, relative, &ignored) ||
        !permutation_is_state(puzzle, relative)) {
        return false;
    }
    point_view_read_labels(view, relative, label);
    for (unsigned x = 0; x < view->slot_points; x++) {
        row[label[x]] = (chain_point)x;
    }
    return true;
}

// Step number `step` of row_set_close_under: multiplies a row by a row of `context`, from the left.
static void multiply(const void *context, unsigned step, const uint16_t *from, uint16_t *to)
{
    const struct row_set *generators = context;
    const uint16_t *by = row_set_row(generators, step);
    for (unsigned x = 0; x < generators->length; x++) {
        to[x] = by[from[x]];
    }
}

// Adds all products of the rotations, which now generate them.
static bool add_products(struct row_set *rows, const struct puzzle *puzzle,
                         struct fewest_error *error)
{
    struct row_set generators;
    bool done = rows->count <= CLOSED_MOST;
    row_set_open(&generators, rows->length);
    for (uint32_t i = 0; i < rows->count && done; i++) {
        done = row_set_add(&generators, row_set_row(rows, i)) != ROW_NONE;
    }
    bool few = rows->count <= CLOSED_MOST;
    done = done && row_set_close_under(rows, generators.count, CLOSED_MOST, multiply, &generators);
    row_set_close(&generators);
    if (few && !done) {
        return refuse_memory(error);
    }
    return (few && rows->count <= CLOSED_MOST) || refuse(puzzle, "has too many rotations", error);
}

// Adds the identity, and the declared rotations that are elements of the group.
static bool add_declared(struct row_set *rows, const struct puzzle *puzzle,
                         struct fewest_error *error)
{
    const struct move_list *others = &puzzle->definition->others;
    chain_point row[POINTS_MOST];
    for (unsigned x = 0; x < rows->length; x++) {
        row[x] = (chain_point)x;
    }
    bool done = row_set_add(rows, row) != ROW_NONE;
    for (unsigned i = 0; i < others->count && done; i++) {
        const struct listed_move *other = &others->listed[i];
        if (other->is_rotation && other->rotation_line > 0 && read_declared(puzzle, other, row)) {
            done = row_set_add(rows, row) != ROW_NONE;
        }
    }
    return done || refuse_memory(error);
}

// Is each row of `rows` a row of `others`?
static bool has_all(const struct row_set *others, const struct row_set *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        if (row_set_find(others, row_set_row(rows, i)) == ROW_NONE) {
            return false;
        }
    }
    return true;
}

// Takes the declared rotations and their products or, if there are none, the symmetries.
static bool choose_rotations(struct whole_rotations *rotations, struct row_set *symmetries,
                             const struct puzzle *puzzle, struct fewest_error *error)
{
    struct row_set *rows = &rotations->rows;
    if (!add_declared(rows, puzzle, error)) {
        return false;
    }
    if (rows->count == 1) { // only the identity
        struct row_set identity = *rows;
        *rows = *symmetries;
        *symmetries = identity;
        return true;
    }
    rotations->are_symmetries = has_all(symmetries, rows);
    if (!rotations->are_symmetries && !puzzle->reversible) {
        return refuse(puzzle,
                      "declares a rotation that takes some move to none, and some move can't be "
                      "undone",
                      error);
    }
    bool added = add_products(rows, puzzle, error);
    rotations->are_symmetries &= rows->count == symmetries->count;
    return added;
}

// ---- All ----------------------------------------------------------------------------------------

bool whole_rotations_list(struct whole_rotations *rotations, const struct puzzle *puzzle,
                          struct fewest_error *error)
{
    const struct point_view *view = permutation_view(puzzle);
    *rotations = (struct whole_rotations){.are_symmetries = true};
    if (!view) {
        return refuse(puzzle, "is a board", error);
    }
    if (!permutation_of(puzzle)->group) {
        return refuse(puzzle,
                      puzzle->filter ? "has illegal states"
                                     : "has pieces that look alike or orientations that do not "
                                       "count",
                      error);
    }
    if (view->slot_points > POINTS_MOST) {
        return refuse(puzzle, "has more than 256 orientations of its pieces", error);
    }
    struct row_set symmetries;
    row_set_open(&symmetries, view->slot_points);
    row_set_open(&rotations->rows, view->slot_points);
    bool done = add_symmetries(&symmetries, puzzle, error) &&
                choose_rotations(rotations, &symmetries, puzzle, error);
    row_set_close(&symmetries);
    return done;
}

void whole_rotations_free(struct whole_rotations *rotations)
{
    row_set_close(&rotations->rows);
    *rotations = (struct whole_rotations){.are_symmetries = true};
}

bool whole_rotations_are_kept(const struct whole_rotations *rotations, const uint16_t *to)
{
    const struct row_set *rows = &rotations->rows;
    chain_point image[POINTS_MOST];
    for (uint32_t r = 0; r < rows->count && !rotations->are_symmetries; r++) {
        const chain_point *row = row_set_row(rows, r);
        for (unsigned x = 0; x < rows->length; x++) {
            image[to[x]] = to[row[x]];
        }
        if (row_set_find(rows, image) == ROW_NONE) {
            return false;
        }
    }
    return true;
}
