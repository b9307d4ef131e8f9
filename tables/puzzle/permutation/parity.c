// Says why no moves lead from START to TARGET: which law of the moves they break.
//
// A reason is a theorem about what the user typed. So a law is read off the moves, START and TARGET
// alone, whatever the numbering joins or leaves out. `Illegal` only takes moves away, so it breaks
// no law.
//
// The laws are looked for in the orbits of the view (point_view.h), also in those that always show
// the same. An orbit has the number of its first slot.
#include "permutation.h"
#include "tables/algebra/rank.h"

#include <stdarg.h>
#include <stdio.h>

enum { NAME_SIZE = 160 }; // of an orbit's name

// A start and a target, and room for the reason.
struct laws {
    const struct puzzle *puzzle;
    const struct point_view *view;
    const uint8_t *start;
    const uint8_t *target;
    char *text; // the reason
    size_t size;
};

// Writes the reason; cuts it off if there is no room. Returns true, for functions that return
// whether they have found one.
static bool write_reason(const struct laws *laws, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool write_reason(const struct laws *laws, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(laws->text, laws->size, format, arguments);
    va_end(arguments);
    return true;
}

static const struct piece_set *set_of(const struct laws *laws, const struct view_slot *slot)
{
    return &laws->puzzle->definition->sets[slot->set];
}

// The number of a slot for people: within its set, from 1.
static unsigned number_of(const struct laws *laws, const struct view_slot *slot)
{
    return slot->in_rows - set_of(laws, slot)->first + 1;
}

// ---- Names --------------------------------------------------------------------------------------

// Writes the slots of an orbit as runs such as "1-3, 5". Sets *whole: are they all of their set?
// False if there is no room.
static bool list_slots(const struct laws *laws, unsigned orbit, bool *whole, char *list,
                       size_t size)
{
    const struct view_slot *slots = laws->view->slots;
    unsigned pieces = set_of(laws, &slots[orbit])->pieces;
    bool is_in[PIECES_OF_SET_MOST + 2] = {false}; // by number
    size_t used = 0;
    *whole = true;
    for (unsigned s = orbit; s < laws->view->all_slots; s++) {
        if (slots[s].orbit == orbit) {
            is_in[number_of(laws, &slots[s])] = true;
        }
    }
    for (unsigned n = 1; n <= pieces && used < size; n++) {
        if (!is_in[n]) {
            *whole = false;
        } else if (!is_in[n - 1]) { // a run begins
            used += (size_t)snprintf(list + used, size - used, "%s%u", used > 0 ? ", " : "", n);
        } else if (!is_in[n + 1]) {
            used += (size_t)snprintf(list + used, size - used, "-%u", n);
        }
    }
    return used < size;
}

// Writes a name for an orbit: its set and, unless they are all, its slots. If these are too many to
// list, names only the first one. Returns `name`.
static const char *name_orbit(const struct laws *laws, unsigned orbit, char name[NAME_SIZE])
{
    const struct view_slot *slot = &laws->view->slots[orbit];
    const char *set = set_of(laws, slot)->name;
    char list[NAME_SIZE / 2];
    bool whole;
    bool listed = list_slots(laws, orbit, &whole, list, sizeof list);
    if (listed && whole) {
        snprintf(name, NAME_SIZE, "%s", set);
    } else if (listed) {
        snprintf(name, NAME_SIZE, "slots %s of %s", list, set);
    } else {
        snprintf(name, NAME_SIZE, "the slots of %s that moves connect with slot %u", set,
                 number_of(laws, slot));
    }
    return name;
}

// ---- Laws ---------------------------------------------------------------------------------------

// A slot may lack a cell: then `cell` is -1, and START and TARGET do not differ there.
static bool differs(const struct laws *laws, int cell)
{
    return cell >= 0 && laws->start[cell] != laws->target[cell];
}

// Does some move change the piece or the orientation in a slot?
static bool is_changed(const struct laws *laws, const struct view_slot *slot)
{
    for (unsigned m = 0; m < laws->puzzle->move_count; m++) {
        const struct move *move = &laws->puzzle->moves[m];
        if ((slot->piece >= 0 && move->from[slot->piece] != slot->piece) ||
            (slot->turn >= 0 && move->add[slot->turn] != 0)) {
            return true;
        }
    }
    return false;
}

// Has START the piece that TARGET has in slot s, somewhere in the orbit of s?
static bool has_piece(const struct laws *laws, unsigned s)
{
    const struct view_slot *slots = laws->view->slots;
    for (unsigned t = slots[s].orbit; t < laws->view->all_slots; t++) {
        if (slots[t].orbit == slots[s].orbit &&
            laws->start[slots[t].piece] == laws->target[slots[s].piece]) {
            return true;
        }
    }
    return false;
}

// Looks for a slot that no move changes, but where START and TARGET differ. Else for one that no
// moves bring the piece to which TARGET has there. Writes the reason if it finds one, else returns
// false.
static bool is_broken_by_slot(const struct laws *laws)
{
    for (unsigned s = 0; s < laws->view->all_slots; s++) {
        const struct view_slot *slot = &laws->view->slots[s];
        if ((differs(laws, slot->piece) || differs(laws, slot->turn)) && !is_changed(laws, slot)) {
            return write_reason(laws,
                                "no move changes slot %u of %s, where START and TARGET differ",
                                number_of(laws, slot), set_of(laws, slot)->name);
        }
    }
    for (unsigned s = 0; s < laws->view->all_slots; s++) {
        const struct view_slot *slot = &laws->view->slots[s];
        char piece[16];
        if (slot->piece >= 0 && !has_piece(laws, s)) {
            segment_write_value(puzzle_find_segment(laws->puzzle, (unsigned)slot->piece),
                                laws->target[slot->piece], piece, sizeof piece);
            return write_reason(laws, "no moves from START bring piece %s to slot %u of %s", piece,
                                number_of(laws, slot), set_of(laws, slot)->name);
        }
    }
    return false;
}

// The number of orientations of the slots of an orbit, which have some.
static unsigned count_turns(const struct laws *laws, unsigned orbit)
{
    return puzzle_find_segment(laws->puzzle, (unsigned)laws->view->slots[orbit].turn)->symbols;
}

// The sum of the orientations of an orbit in a state, modulo their number.
static unsigned sum_orientations(const struct laws *laws, unsigned orbit, const uint8_t *state)
{
    unsigned sum = 0;
    for (unsigned s = orbit; s < laws->view->all_slots; s++) {
        if (laws->view->slots[s].orbit == orbit) {
            sum += state[laws->view->slots[s].turn];
        }
    }
    return sum % count_turns(laws, orbit);
}

// Lists the pieces of an orbit in a state, in the order of its slots. Returns their number.
static unsigned list_pieces(const struct laws *laws, unsigned orbit, const uint8_t *state,
                            uint8_t pieces[PIECES_OF_SET_MOST])
{
    unsigned count = 0;
    for (unsigned s = orbit; s < laws->view->all_slots; s++) {
        if (laws->view->slots[s].orbit == orbit) {
            pieces[count++] = state[laws->view->slots[s].piece];
        }
    }
    return count;
}

// Is the order of an orbit's pieces odd in a state? The pieces differ.
static bool is_odd(const struct laws *laws, unsigned orbit, const uint8_t *state)
{
    uint8_t pieces[PIECES_OF_SET_MOST];
    unsigned count = list_pieces(laws, orbit, state, pieces);
    return arrangement_is_odd(count, pieces);
}

// The kinds of values that every move may keep.
enum law {
    LAW_SUM,           // the sum of an orbit's orientations
    LAW_PARITY,        // the parity of an orbit's permutation
    LAW_COMMON_PARITY, // whether those of two orbits are the same
};

// The value of a law in a state, for orbit a. Only a common parity needs orbit b.
static unsigned read_law(const struct laws *laws, enum law law, unsigned a, unsigned b,
                         const uint8_t *state)
{
    switch (law) {
    case LAW_SUM:
        return sum_orientations(laws, a, state);
    case LAW_PARITY:
        return is_odd(laws, a, state);
    case LAW_COMMON_PARITY:
        break;
    }
    return is_odd(laws, a, state) != is_odd(laws, b, state);
}

// Has TARGET another value than START, though every move keeps it? A move changes the value by an
// amount of its own, whatever the state. So it is enough to make each move at START.
static bool breaks_law(const struct laws *laws, enum law law, unsigned a, unsigned b)
{
    unsigned value = read_law(laws, law, a, b, laws->start);
    if (read_law(laws, law, a, b, laws->target) == value) {
        return false;
    }
    for (unsigned m = 0; m < laws->puzzle->move_count; m++) {
        uint8_t moved[CELLS_MOST];
        permutation_move_cells(laws->puzzle, m, laws->start, moved);
        if (read_law(laws, law, a, b, moved) != value) {
            return false;
        }
    }
    return true;
}

// Looks for an orbit whose orientations all count, and have another sum in TARGET than in START,
// though every move keeps it. Writes the reason if it finds one, else returns false.
static bool is_broken_by_sum(const struct laws *laws)
{
    for (unsigned s = 0; s < laws->view->all_slots; s++) {
        const struct view_slot *slot = &laws->view->slots[s];
        char name[NAME_SIZE];
        if (slot->orbit == s && slot->turn >= 0 &&
            !puzzle_find_segment(laws->puzzle, (unsigned)slot->turn)->ignores &&
            breaks_law(laws, LAW_SUM, s, s)) {
            return write_reason(
                laws,
                "modulo %u, the orientations of %s add up to %u in START and to %u in "
                "TARGET, but every move keeps their sum",
                count_turns(laws, s), name_orbit(laws, s, name),
                sum_orientations(laws, s, laws->start), sum_orientations(laws, s, laws->target));
        }
    }
    return false;
}

// Has the permutation of an orbit's pieces a parity? It has if all pieces that TARGET has there
// differ. (If no slot breaks a law, START has the same pieces there.) False also if slot `orbit` is
// not the first slot of one, so that callers can try all slots.
static bool has_parity(const struct laws *laws, unsigned orbit)
{
    bool seen[PIECES_OF_SET_MOST] = {false};
    uint8_t pieces[PIECES_OF_SET_MOST];
    if (laws->view->slots[orbit].orbit != orbit || laws->view->slots[orbit].piece < 0) {
        return false;
    }
    unsigned count = list_pieces(laws, orbit, laws->target, pieces);
    for (unsigned i = 0; i < count; i++) {
        if (seen[pieces[i]]) {
            return false;
        }
        seen[pieces[i]] = true;
    }
    return true;
}

// Looks for an orbit, or else for two, whose parity differs from what every move keeps. Writes the
// reason if it finds one, else returns false.
static bool is_broken_by_parity(const struct laws *laws)
{
    unsigned count = laws->view->all_slots;
    char name[NAME_SIZE];
    char other[NAME_SIZE];
    for (unsigned a = 0; a < count; a++) {
        if (has_parity(laws, a) && breaks_law(laws, LAW_PARITY, a, a)) {
            return write_reason(
                laws,
                "the permutation of %s from START to TARGET is odd, but that of every move "
                "is even",
                name_orbit(laws, a, name));
        }
    }
    for (unsigned a = 0; a < count; a++) {
        unsigned end = has_parity(laws, a) ? count : 0;
        for (unsigned b = a + 1; b < end; b++) {
            if (has_parity(laws, b) && breaks_law(laws, LAW_COMMON_PARITY, a, b)) {
                return write_reason(
                    laws,
                    "the permutations of %s and %s are both even or both odd in every move, "
                    "but not from START to TARGET",
                    name_orbit(laws, a, name), name_orbit(laws, b, other));
            }
        }
    }
    return false;
}

// Looks for a law that TARGET breaks, which has no wildcards. Writes the reason if it finds one,
// else returns false.
static bool breaks_any_law(const struct laws *laws)
{
    return is_broken_by_slot(laws) || is_broken_by_sum(laws) || is_broken_by_parity(laws);
}

// ---- In words -----------------------------------------------------------------------------------

// Is the order of the cells of TARGET odd, which has at most one wildcard? The missing piece is the
// sum of all pieces without those that are there.
static bool is_target_odd(const struct laws *laws)
{
    unsigned cells = laws->puzzle->cell_count;
    uint8_t filled[CELLS_MOST];
    unsigned missing = 0;
    for (unsigned i = 0; i < cells; i++) {
        filled[i] = laws->target[i];
        missing += laws->start[i];
        missing -= filled[i] == WILD ? 0 : filled[i];
    }
    for (unsigned i = 0; i < cells; i++) {
        if (filled[i] == WILD) {
            filled[i] = (uint8_t)missing;
        }
    }
    return arrangement_is_odd(cells, filled);
}

static unsigned count_wildcards(const struct puzzle *puzzle, const uint8_t *target)
{
    unsigned count = 0;
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        count += target[i] == WILD;
    }
    return count;
}

// Is the puzzle one permutation of different pieces, whose parity every move keeps? Sets *odd: is
// the order of START's pieces odd?
static bool keeps_parity(const struct laws *laws, bool *odd)
{
    const struct puzzle *puzzle = laws->puzzle;
    if (puzzle->segment_count != 1 || puzzle->segments[0].kind != SEGMENT_ARRANGEMENT) {
        return false;
    }
    *odd = arrangement_is_odd(puzzle->cell_count, laws->start);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        uint8_t moved[CELLS_MOST];
        permutation_move_cells(puzzle, m, laws->start, moved);
        if (arrangement_is_odd(puzzle->cell_count, moved) != *odd) {
            return false;
        }
    }
    return true;
}

// Writes the reason of a puzzle that is one permutation, which every move keeps even. If TARGET is
// reachable, that is a reason only if all even permutations are. `wild` is the number of wildcards.
// False if this is no reason.
static bool explain_even(const struct laws *laws, unsigned wild, bool reachable)
{
    bool odd;
    if ((reachable && !permutation_of(laws->puzzle)->only_even) || !keeps_parity(laws, &odd)) {
        return false;
    }
    if (wild >= 2) {
        return write_reason(
            laws, "the %u wildcards can be filled so that the permutation is even, %s", wild,
            reachable ? "and every move is even" : "but no moves lead to such a state");
    }
    if (is_target_odd(laws) != odd) {
        return write_reason(laws,
                            "the permutation from START to TARGET is odd, but every move is even");
    }
    if (!reachable) {
        return false;
    }
    return write_reason(laws, "the permutation from START to TARGET is even, and so is every move");
}

// Writes which piece of a state is illegal. False if all are legal.
static bool explain_illegal(const struct laws *laws, const char *name, const uint8_t *state)
{
    int cell = permutation_find_illegal(laws->puzzle, NULL, state);
    char piece[16];
    if (cell < 0) {
        return false;
    }
    const struct segment *segment = puzzle_find_segment(laws->puzzle, (unsigned)cell);
    segment_write_value(segment, state[cell], piece, sizeof piece);
    return write_reason(laws, "%s is illegal: slot %u of %s can't hold piece %s", name,
                        (unsigned)cell - segment->first + 1,
                        laws->puzzle->definition->sets[segment->set].name, piece);
}

// A state that is illegal comes first, then the parity, and then the other laws. The latter are
// only for a TARGET without wildcards that can't be reached.
bool permutation_explain_parity(const struct puzzle *puzzle, const uint8_t *start,
                                const uint8_t *target, bool reachable, char *reason, size_t size)
{
    unsigned wild = count_wildcards(puzzle, target);
    const struct laws laws = {.puzzle = puzzle,
                              .view = &permutation_of(puzzle)->view,
                              .start = start,
                              .target = target,
                              .text = reason,
                              .size = size};
    if (!reachable &&
        (explain_illegal(&laws, "START", start) || explain_illegal(&laws, "TARGET", target))) {
        return true;
    }
    return explain_even(&laws, wild, reachable) ||
           (!reachable && wild == 0 && breaks_any_law(&laws));
}
