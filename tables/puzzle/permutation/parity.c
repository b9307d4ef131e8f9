// Says why no moves lead from START to TARGET: which law of the moves they break.
//
// A reason is a theorem about what the user typed. So a law is read off the moves, START and TARGET
// alone, whatever the numbering joins or leaves out. `Illegal` only takes moves away, so it breaks
// no law.
//
// The laws are looked for in *parts*: slots of one set between which moves take pieces, and all
// slots of a set whose pieces stay at home.
#include "permutation.h"
#include "tables/algebra/rank.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 160 }; // of a part's name

// A place of a set, and its cells. Unlike the view, this has the places that no move changes.
struct law_slot {
    int piece;      // its cell, or -1 if the pieces have none
    int turn;       // the cell of its orientation, or -1
    unsigned set;   // of the definition
    unsigned index; // within the set
    unsigned turns; // orientations
    unsigned part;  // its first slot
};

struct laws {
    const struct puzzle *puzzle;
    const uint8_t *start;
    const uint8_t *target;
    unsigned slot_count;
    struct law_slot slots[PIECES_MOST];
    char *text;
    size_t size;
};

// Writes the reason. Returns true.
static bool say(const struct laws *laws, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool say(const struct laws *laws, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(laws->text, laws->size, format, arguments);
    va_end(arguments);
    return true;
}

static const struct piece_set *set_of(const struct laws *laws, const struct law_slot *slot)
{
    return &laws->puzzle->definition->sets[slot->set];
}

static const struct segment *segment_at(const struct laws *laws, unsigned cell)
{
    const struct segment *segment = laws->puzzle->segments;
    while (cell >= segment->first + segment->length) {
        segment++;
    }
    return segment;
}

// ---- Parts --------------------------------------------------------------------------------------

static void add_slots(struct laws *laws, unsigned s)
{
    const struct piece_set *set = &laws->puzzle->definition->sets[s];
    struct first_cells cells = permutation_of(laws->puzzle)->first_cells[s];
    unsigned first = laws->slot_count;
    for (unsigned i = 0; i < set->pieces && (cells.pieces >= 0 || cells.orientations >= 0); i++) {
        unsigned number = laws->slot_count++;
        laws->slots[number] =
            (struct law_slot){.piece = cells.pieces < 0 ? -1 : cells.pieces + (int)i,
                              .turn = cells.orientations < 0 ? -1 : cells.orientations + (int)i,
                              .set = s,
                              .index = i,
                              .turns = set->orientations,
                              .part = cells.pieces < 0 ? first : number};
    }
}

static void join_parts(struct laws *laws, unsigned a, unsigned b)
{
    for (unsigned s = 0; s < laws->slot_count && a != b; s++) {
        unsigned *part = &laws->slots[s].part;
        *part = *part == a || *part == b ? (a < b ? a : b) : *part;
    }
}

static void find_parts(struct laws *laws)
{
    const struct law_slot *slots = laws->slots;
    laws->slot_count = 0;
    for (unsigned s = 0; s < laws->puzzle->definition->set_count; s++) {
        add_slots(laws, s);
    }
    for (unsigned m = 0; m < laws->puzzle->move_count; m++) {
        const uint16_t *from = laws->puzzle->moves[m].from;
        for (unsigned s = 0; s < laws->slot_count; s++) {
            if (slots[s].piece >= 0) {
                unsigned before = s + from[slots[s].piece] - (unsigned)slots[s].piece;
                join_parts(laws, slots[s].part, slots[before].part);
            }
        }
    }
}

// The slots of the set of slot s: the first one, and the end.
static unsigned first_of_set(const struct laws *laws, unsigned s)
{
    return s - laws->slots[s].index;
}

static unsigned end_of_set(const struct laws *laws, unsigned s)
{
    return first_of_set(laws, s) + set_of(laws, &laws->slots[s])->pieces;
}

// Names the set of a part and, unless they are all, its slots.
static const char *name_part(const struct laws *laws, unsigned part, char name[NAME_SIZE])
{
    const struct law_slot *slots = laws->slots;
    const char *set = set_of(laws, &slots[part])->name;
    unsigned first = first_of_set(laws, part);
    unsigned end = end_of_set(laws, part);
    char list[NAME_SIZE / 2];
    size_t used = 0;
    bool whole = true;
    for (unsigned s = first; s < end; s++) {
        bool inside = slots[s].part == part;
        bool begins = inside && (s == first || slots[s - 1].part != part);
        bool ends = inside && (s + 1 == end || slots[s + 1].part != part);
        whole &= inside;
        if ((begins || ends) && used < sizeof list) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%u",
                                     !begins    ? "-"
                                     : used > 0 ? ", "
                                                : "",
                                     slots[s].index + 1);
        }
    }
    if (whole) {
        snprintf(name, NAME_SIZE, "%s", set);
    } else if (used < sizeof list) {
        snprintf(name, NAME_SIZE, "slots %s of %s", list, set);
    } else {
        snprintf(name, NAME_SIZE, "the slots of %s that moves connect with slot %u", set,
                 slots[part].index + 1);
    }
    return name;
}

// ---- Laws ---------------------------------------------------------------------------------------

static bool differs(const struct laws *laws, int cell)
{
    return cell >= 0 && laws->start[cell] != laws->target[cell];
}

static bool is_changed(const struct laws *laws, const struct law_slot *slot)
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

// Has START the piece that TARGET has in slot s, somewhere in the part of s?
static bool has_piece(const struct laws *laws, unsigned s)
{
    const struct law_slot *slots = laws->slots;
    unsigned end = end_of_set(laws, s);
    unsigned t = first_of_set(laws, s);
    while (t < end && (slots[t].part != slots[s].part ||
                       laws->start[slots[t].piece] != laws->target[slots[s].piece])) {
        t++;
    }
    return t < end;
}

// A slot that no move changes, or else one that no moves bring this piece to.
static bool broken_by_slot(const struct laws *laws)
{
    for (unsigned s = 0; s < laws->slot_count; s++) {
        const struct law_slot *slot = &laws->slots[s];
        if ((differs(laws, slot->piece) || differs(laws, slot->turn)) && !is_changed(laws, slot)) {
            return say(laws, "no move changes slot %u of %s, where START and TARGET differ",
                       slot->index + 1, set_of(laws, slot)->name);
        }
    }
    for (unsigned s = 0; s < laws->slot_count; s++) {
        const struct law_slot *slot = &laws->slots[s];
        char piece[16];
        if (slot->piece >= 0 && !has_piece(laws, s)) {
            segment_write_value(segment_at(laws, (unsigned)slot->piece), laws->target[slot->piece],
                                piece, sizeof piece);
            return say(laws, "no moves from START bring piece %s to slot %u of %s", piece,
                       slot->index + 1, set_of(laws, slot)->name);
        }
    }
    return false;
}

// The sum of the orientations of a part, modulo how many there are; or what a move adds to it.
static unsigned sum_of(const struct laws *laws, unsigned part, const uint8_t *cells)
{
    unsigned sum = 0;
    for (unsigned s = part; s < end_of_set(laws, part); s++) {
        sum += laws->slots[s].part == part ? cells[laws->slots[s].turn] : 0;
    }
    return sum % laws->slots[part].turns;
}

// Do all orientations of the set count, and do all moves keep the sum of a part?
static bool keeps_sum(const struct laws *laws, unsigned part)
{
    int turn = laws->slots[part].turn;
    if (turn < 0 || segment_at(laws, (unsigned)turn)->ignores) {
        return false;
    }
    for (unsigned m = 0; m < laws->puzzle->move_count; m++) {
        if (sum_of(laws, part, laws->puzzle->moves[m].add) != 0) {
            return false;
        }
    }
    return true;
}

static bool broken_by_sum(const struct laws *laws)
{
    for (unsigned s = 0; s < laws->slot_count; s++) {
        char name[NAME_SIZE];
        if (laws->slots[s].part != s || !keeps_sum(laws, s)) {
            continue;
        }
        unsigned start = sum_of(laws, s, laws->start);
        unsigned target = sum_of(laws, s, laws->target);
        if (start != target) {
            return say(laws,
                       "modulo %u, the orientations of %s add up to %u in START and to %u in "
                       "TARGET, but every move keeps their sum",
                       laws->slots[s].turns, name_part(laws, s, name), start, target);
        }
    }
    return false;
}

// Are all pieces different that TARGET has in a part? If no slot breaks a law, START has the same.
static bool has_parity(const struct laws *laws, unsigned part)
{
    const struct law_slot *slots = laws->slots;
    if (slots[part].part != part || slots[part].piece < 0) {
        return false;
    }
    for (unsigned s = part; s < end_of_set(laws, part); s++) {
        for (unsigned t = part; t < s && slots[s].part == part; t++) {
            if (slots[t].part == part &&
                laws->target[slots[s].piece] == laws->target[slots[t].piece]) {
                return false;
            }
        }
    }
    return true;
}

// Does a move permute a part oddly? NULL: is the permutation from START to TARGET odd?
static bool is_odd(const struct laws *laws, unsigned part, const struct move *move)
{
    const struct law_slot *slots = laws->slots;
    bool odd = false;
    for (unsigned s = part; s < end_of_set(laws, part); s++) {
        for (unsigned t = part; t < s && slots[s].part == part; t++) {
            if (slots[t].part == part) {
                int a = slots[t].piece;
                int b = slots[s].piece;
                odd ^=
                    move ? move->from[a] > move->from[b]
                         : (laws->start[a] > laws->start[b]) ^ (laws->target[a] > laws->target[b]);
            }
        }
    }
    return odd;
}

// Add up the parities of parts a and b, or take only a's if a == b. Is the sum odd from START to
// TARGET, and even for every move?
static bool breaks_parity(const struct laws *laws, unsigned a, unsigned b)
{
    bool both = a != b;
    bool odd = is_odd(laws, a, NULL) ^ (both && is_odd(laws, b, NULL));
    for (unsigned m = 0; m < laws->puzzle->move_count && odd; m++) {
        const struct move *move = &laws->puzzle->moves[m];
        odd = is_odd(laws, a, move) == (both && is_odd(laws, b, move));
    }
    return odd;
}

static bool broken_by_parity(const struct laws *laws)
{
    unsigned count = laws->slot_count;
    char name[NAME_SIZE];
    char other[NAME_SIZE];
    for (unsigned a = 0; a < count; a++) {
        if (has_parity(laws, a) && breaks_parity(laws, a, a)) {
            return say(laws,
                       "the permutation of %s from START to TARGET is odd, but that of every move "
                       "is even",
                       name_part(laws, a, name));
        }
    }
    for (unsigned a = 0; a < count; a++) {
        for (unsigned b = a + 1; b < count && has_parity(laws, a); b++) {
            if (has_parity(laws, b) && breaks_parity(laws, a, b)) {
                return say(laws,
                           "the permutations of %s and %s are both even or both odd in every move, "
                           "but not from START to TARGET",
                           name_part(laws, a, name), name_part(laws, b, other));
            }
        }
    }
    return false;
}

static bool breaks_law(struct laws *laws)
{
    find_parts(laws);
    return broken_by_slot(laws) || broken_by_sum(laws) || broken_by_parity(laws);
}

// ---- In words -----------------------------------------------------------------------------------

// Fills the wildcard of a permutation that has at most one.
static void fill_last_wildcard(const struct puzzle *puzzle, uint8_t *relative)
{
    unsigned missing = 0;
    unsigned at = puzzle->cell_count;
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        missing += i;
        if (relative[i] == WILD) {
            at = i;
        } else {
            missing -= relative[i];
        }
    }
    if (at < puzzle->cell_count) {
        relative[at] = (uint8_t)missing;
    }
}

static unsigned count_wildcards(const struct puzzle *puzzle, const uint8_t *target)
{
    unsigned count = 0;
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        count += target[i] == WILD;
    }
    return count;
}

static bool cells_are_odd(unsigned cells, const uint16_t *from)
{
    uint8_t arrangement[PIECES_OF_SET_MOST];
    for (unsigned i = 0; i < cells; i++) {
        arrangement[i] = (uint8_t)from[i];
    }
    return arrangement_is_odd(cells, arrangement);
}

static bool all_moves_are_even(const struct puzzle *puzzle)
{
    bool even = puzzle->segment_count == 1 && puzzle->segments[0].kind == SEGMENT_ARRANGEMENT;
    for (unsigned m = 0; m < puzzle->move_count && even; m++) {
        even = !cells_are_odd(puzzle->cell_count, puzzle->moves[m].from);
    }
    return even;
}

// Of a puzzle that is one permutation, which every move keeps even. If TARGET is reachable, this is
// the reason only if all even permutations are.
static bool explain_even(const struct laws *laws, unsigned wild, bool reachable)
{
    uint8_t relative[CELLS_MOST];
    if (!all_moves_are_even(laws->puzzle) ||
        (reachable && !permutation_of(laws->puzzle)->only_even)) {
        return false;
    }
    if (wild >= 2) {
        return say(laws, "the %u wildcards can be filled so that the permutation is even, %s", wild,
                   reachable ? "and every move is even" : "but no moves lead to such a state");
    }
    permutation_relabel(laws->puzzle, laws->start, laws->target, relative);
    fill_last_wildcard(laws->puzzle, relative);
    if (arrangement_is_odd(laws->puzzle->cell_count, relative)) {
        return say(laws, "the permutation from START to TARGET is odd, but every move is even");
    }
    return reachable && say(laws, "the permutation from START to TARGET is even, and so is every "
                                  "move");
}

static bool explain_illegal(const struct laws *laws)
{
    const char *name = "START";
    const uint8_t *state = laws->start;
    const struct guarded_slot *illegal = permutation_find_illegal(laws->puzzle, state);
    char piece[16];
    if (!illegal) {
        name = "TARGET";
        state = laws->target;
        illegal = permutation_find_illegal(laws->puzzle, state);
    }
    if (!illegal) {
        return false;
    }
    const struct segment *segment = segment_at(laws, illegal->cell);
    segment_write_value(segment, state[illegal->cell], piece, sizeof piece);
    return say(laws, "%s is illegal: slot %u of %s can't hold piece %s", name,
               illegal->cell - segment->first + 1,
               laws->puzzle->definition->sets[segment->set].name, piece);
}

bool permutation_explain(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                         bool reachable, char *reason, size_t size)
{
    unsigned wild = count_wildcards(puzzle, target);
    struct laws *laws = malloc(sizeof *laws);
    if (!laws) {
        return false;
    }
    laws->puzzle = puzzle;
    laws->start = start;
    laws->target = target;
    laws->text = reason;
    laws->size = size;
    bool explained = (!reachable && explain_illegal(laws)) || explain_even(laws, wild, reachable) ||
                     (!reachable && wild == 0 && breaks_law(laws));
    free(laws);
    return explained;
}
