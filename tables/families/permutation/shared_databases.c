// Compares the pieces of `Database` lines under the symmetries of the moves.
#include "shared_databases.h"

#include "point_view.h"

#include <stdlib.h>
#include <string.h>

// By slot of the view: what a line keeps of the piece whose home it is, an enum kept: nothing, its
// place, its orientation, or all of it.
struct homes {
    uint8_t kept[POINTS_MOST];
};

// The number of pieces of a set of which a line keeps exactly `kept`.
static unsigned count_kept(const struct projection *line, const struct piece_set *set,
                           enum kept kept)
{
    unsigned count = 0;
    for (unsigned i = set->first; i < set->first + set->pieces; i++) {
        count += line->piece[i] == kept;
    }
    return count;
}

// Does a line put pieces of this set in groups?
static bool has_group(const struct projection *line, const struct piece_set *set)
{
    bool found = false;
    for (unsigned i = set->first; i < set->first + set->pieces; i++) {
        found |= line->group[i] > 0;
    }
    return found;
}

// Can lines a and b share a database at all? Both must keep the same of equally many pieces of each
// set. A symmetry may turn the pieces of which only the orientation is kept, each by another angle.
// So lines with such pieces share none. Nor do lines with groups.
static bool can_share(const struct definition *definition, unsigned a, unsigned b)
{
    const struct projection *lines = definition->databases;
    for (unsigned s = 0; s < definition->set_count; s++) {
        const struct piece_set *set = &definition->sets[s];
        for (enum kept kept = KEPT_WHOLE; kept <= KEPT_ORIENTATION; kept++) {
            unsigned count = count_kept(&lines[a], set, kept);
            if (count != count_kept(&lines[b], set, kept) || has_group(&lines[a], set) ||
                has_group(&lines[b], set) || (count > 0 && kept == KEPT_ORIENTATION)) {
                return false;
            }
        }
    }
    return true;
}

// Finds the symmetries of the moves. Leaves none if the states are no group, or if they are too
// many. Returns false if memory runs out.
static bool find_symmetries(struct database_sharing *sharing, const struct puzzle *puzzle)
{
    const struct point_view *view = permutation_view(puzzle);
    sharing->is_known = true;
    if (puzzle->numbering.answers != ANSWERS_ALL || view->slot_points > POINTS_MOST) {
        return true;
    }
    bool done = point_view_find_symmetries(view, SYMMETRIES_BY_MOVES, SHARING_SYMMETRIES_MOST,
                                           &sharing->symmetries);
    if (!sharing->symmetries.complete) {
        sharing->symmetries.count = 0;
    }
    return done;
}

// Fills in what line `number` keeps of the piece of each slot.
static void find_homes(const struct point_view *view, const struct puzzle *puzzle, unsigned number,
                       struct homes *homes)
{
    const struct definition *definition = puzzle->definition;
    const uint8_t *kept = definition->databases[number].piece;
    for (unsigned i = 0; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        unsigned first = definition->sets[slot->set].first;
        homes->kept[i] = kept[first + definition->solved.piece[slot->in_rows]];
    }
}

// Does a symmetry take each slot of `from` to a slot of `to` with the same `kept`? symmetry[x] is
// where it takes point x. It takes the slot of x to another slot if symmetry[x] is the first point
// of that one. x may be any point of its slot, because moves that fix one point of a slot fix all
// of them.
static bool takes_homes(const struct point_view *view, const chain_point *symmetry,
                        const struct homes *from, const struct homes *to)
{
    struct homes found = {{KEPT_NOTHING}};
    for (unsigned x = 0; x < view->slot_points; x++) {
        unsigned slot = view->slot_of[symmetry[x]];
        if (to->kept[slot] != KEPT_NOTHING && view->slots[slot].first == symmetry[x]) {
            found.kept[view->slot_of[x]] = to->kept[slot];
        }
    }
    return memcmp(&found, from, sizeof found) == 0;
}

// Sets *found to the number of the first symmetry that takes the pieces of line `number` to those
// of line `earlier`. Returns false if there is none.
static bool find_symmetry(const struct database_sharing *sharing, const struct puzzle *puzzle,
                          unsigned number, unsigned earlier, uint32_t *found)
{
    const struct point_symmetries *symmetries = &sharing->symmetries;
    const struct point_view *view = permutation_view(puzzle);
    struct homes from = {{KEPT_NOTHING}};
    struct homes to = {{KEPT_NOTHING}};
    if (symmetries->count == 0) {
        return false;
    }
    find_homes(view, puzzle, number, &from);
    find_homes(view, puzzle, earlier, &to);
    for (uint32_t s = 0; s < symmetries->count; s++) {
        if (takes_homes(view, point_symmetries_row(symmetries, s), &from, &to)) {
            *found = s;
            return true;
        }
    }
    return false;
}

// Copies a symmetry and what it makes of the moves to a line. They are freed with the puzzle.
// Returns false if memory runs out.
static bool copy_symmetry(const struct point_symmetries *symmetries, uint32_t number,
                          struct database_line *line)
{
    size_t points = symmetries->degree * sizeof *line->symmetry;
    size_t moves = symmetries->move_count * sizeof *line->move_images;
    line->symmetry = malloc(points);
    line->move_images = malloc(moves);
    if (!line->symmetry || !line->move_images) {
        return false;
    }
    memcpy(line->symmetry, point_symmetries_row(symmetries, number), points);
    memcpy(line->move_images, point_symmetries_moves(symmetries, number), moves);
    return true;
}

// Looks for an earlier line whose pattern database also answers for line `number`: one that names
// the same pieces, or pieces to which a symmetry of the moves takes these. If there is one, line
// `number` uses its projection. Fills in which, and the symmetry if the pieces differ.
//
// *line is a line of the puzzle, so what is filled in before a failure is freed with the puzzle.
bool sharing_find_line(struct database_sharing *sharing, const struct puzzle *puzzle,
                       unsigned number, struct database_line *line, bool *found)
{
    const struct definition *definition = puzzle->definition;
    const struct projection *pieces = definition->databases;
    *found = false;
    for (unsigned earlier = 0; earlier < number && !*found; earlier++) {
        if (puzzle->lines[earlier].shares || !can_share(definition, number, earlier)) {
            continue; // only a line with a database of its own comes into question
        }
        if (memcmp(pieces[number].piece, pieces[earlier].piece, definition->piece_count) == 0) {
            *found = true; // the same pieces, so no symmetry is needed
        } else {
            uint32_t symmetry = 0;
            if (!sharing->is_known && !find_symmetries(sharing, puzzle)) {
                return false;
            }
            *found = find_symmetry(sharing, puzzle, number, earlier, &symmetry);
            if (*found && !copy_symmetry(&sharing->symmetries, symmetry, line)) {
                return false;
            }
        }
        if (*found) {
            line->projection = puzzle->lines[earlier].projection;
        }
    }
    line->shares = *found;
    return true;
}

void sharing_free(struct database_sharing *sharing)
{
    point_symmetries_free(&sharing->symmetries);
}
