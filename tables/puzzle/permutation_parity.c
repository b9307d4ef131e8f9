// Says why no moves lead from START to TARGET: which law of the moves they break.
//
// The laws are looked for in *parts*: slots of one set between which moves take pieces, and all
// slots of a set whose pieces stay at home. An orbit can have several parts, because closely
// coupled orbits are joined (orbits_find.c).
#include "index/rank.h"
#include "puzzle/permutation_own.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct laws {
    const struct puzzle *puzzle;
    const struct orbits *orbits;
    const uint8_t *start;
    const uint8_t *target;
    uint8_t relative[CELLS_MOST];
    unsigned part_of[SLOTS_MOST]; // by slot: the first slot of its part
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

// ---- Parts --------------------------------------------------------------------------------------

static unsigned slot_of_cell(const struct orbits *orbits, unsigned cell)
{
    unsigned s = 0;
    while (orbits->slots[s].piece != (int)cell) {
        s++;
    }
    return s;
}

static void join_parts(struct laws *laws, unsigned a, unsigned b)
{
    unsigned first = a < b ? a : b;
    for (unsigned s = 0; s < laws->orbits->slot_count; s++) {
        laws->part_of[s] =
            laws->part_of[s] == a || laws->part_of[s] == b ? first : laws->part_of[s];
    }
}

static void find_parts(struct laws *laws)
{
    const struct slot *slots = laws->orbits->slots;
    for (unsigned s = 0; s < laws->orbits->slot_count; s++) {
        laws->part_of[s] = s;
        if (s > 0 && slots[s].piece < 0 && slots[s - 1].piece < 0 &&
            slots[s].set == slots[s - 1].set) {
            laws->part_of[s] = laws->part_of[s - 1];
        }
    }
    for (unsigned m = 0; m < laws->puzzle->move_count; m++) {
        const struct move *move = &laws->puzzle->moves[m];
        for (unsigned s = 0; s < laws->orbits->slot_count; s++) {
            if (slots[s].piece >= 0 && move->from[slots[s].piece] != (unsigned)slots[s].piece) {
                unsigned before = slot_of_cell(laws->orbits, move->from[slots[s].piece]);
                join_parts(laws, laws->part_of[s], laws->part_of[before]);
            }
        }
    }
}

// The set of a part and, if it has several parts, the slots.
static const char *name_part(const struct laws *laws, unsigned part, char name[FEWEST_ERROR_SIZE])
{
    const struct slot *slots = laws->orbits->slots;
    const struct piece_set *set = &laws->puzzle->definition->sets[slots[part].set];
    size_t used = (size_t)snprintf(name, FEWEST_ERROR_SIZE, "%s", set->name);
    bool whole = true;
    for (unsigned s = 0; s < laws->orbits->slot_count; s++) {
        whole &= slots[s].set != slots[part].set || laws->part_of[s] == part;
    }
    const char *before = " in slots ";
    for (unsigned s = 0; s < laws->orbits->slot_count && !whole; s++) {
        if (laws->part_of[s] == part && used < FEWEST_ERROR_SIZE / 4) {
            used += (size_t)snprintf(name + used, FEWEST_ERROR_SIZE - used, "%s%u", before,
                                     slots[s].index + 1);
            before = ", ";
        }
    }
    return name;
}

// ---- Laws ---------------------------------------------------------------------------------------

// A slot that never changes, or that no moves bring this piece to.
static bool broken_by_slot(const struct laws *laws)
{
    const struct puzzle *puzzle = laws->puzzle;
    const uint8_t *root = puzzle->numbering.roots[0].target;
    for (unsigned i = 0; i < permutation_of(puzzle)->still_count; i++) {
        unsigned cell = permutation_of(puzzle)->still[i];
        const struct segment *segment = puzzle->segments;
        while (cell >= segment->first + segment->length) {
            segment++;
        }
        if (laws->relative[cell] != root[cell]) {
            return say(laws, "no move changes slot %u of %s, where START and TARGET differ",
                       cell - segment->first + 1, puzzle->definition->sets[segment->set].name);
        }
    }
    for (unsigned s = 0; s < laws->orbits->slot_count; s++) {
        const struct slot *slot = &laws->orbits->slots[s];
        bool found = slot->piece < 0;
        for (unsigned t = 0; t < laws->orbits->slot_count && !found; t++) {
            found = laws->part_of[t] == laws->part_of[s] &&
                    root[laws->orbits->slots[t].piece] == laws->relative[slot->piece];
        }
        if (!found) {
            return say(laws, "no moves bring the piece that TARGET has in slot %u of %s there",
                       slot->index + 1, puzzle->definition->sets[slot->set].name);
        }
    }
    return false;
}

// The sum of the orientations of a part, modulo how many there are; or what a move adds to it.
static unsigned sum_of(const struct laws *laws, unsigned part, const uint8_t *cells)
{
    const struct slot *slots = laws->orbits->slots;
    unsigned sum = 0;
    for (unsigned s = 0; s < laws->orbits->slot_count; s++) {
        sum += laws->part_of[s] == part ? cells[slots[s].turn] : 0;
    }
    return sum % slots[part].turns;
}

// Do all orientations of a part count, and do all moves keep their sum?
static bool keeps_sum(const struct laws *laws, unsigned part)
{
    const struct slot *slots = laws->orbits->slots;
    if (slots[part].turns == 1) {
        return false;
    }
    for (unsigned s = 0; s < laws->orbits->slot_count; s++) {
        const struct segment *segment = laws->puzzle->segments;
        while (slots[s].turn >= (int)(segment->first + segment->length)) {
            segment++;
        }
        if (laws->part_of[s] == part && segment->ignores) {
            return false;
        }
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
    for (unsigned s = 0; s < laws->orbits->slot_count; s++) {
        char name[FEWEST_ERROR_SIZE];
        if (laws->part_of[s] != s || !keeps_sum(laws, s)) {
            continue;
        }
        unsigned turns = laws->orbits->slots[s].turns;
        unsigned solved = sum_of(laws, s, laws->puzzle->goals[0]);
        unsigned start = sum_of(laws, s, laws->start);
        unsigned target = sum_of(laws, s, laws->target);
        name_part(laws, s, name);
        if (start != target && start != solved && target != solved) {
            return say(laws,
                       "the orientations of %s add up to %u in START and to %u in TARGET; every "
                       "move keeps their sum modulo %u",
                       name, start, target, turns);
        }
        if (start != target) {
            return say(laws,
                       "the orientations of %s add up to %u; every move keeps them at %u modulo %u",
                       name, start != solved ? start : target, solved, turns);
        }
    }
    return false;
}

// Do all pieces of a part differ?
static bool has_parity(const struct laws *laws, unsigned part)
{
    const struct slot *slots = laws->orbits->slots;
    const uint8_t *root = laws->puzzle->numbering.roots[0].target;
    if (laws->part_of[part] != part || slots[part].piece < 0) {
        return false;
    }
    for (unsigned s = 0; s < laws->orbits->slot_count; s++) {
        for (unsigned t = 0; t < s; t++) {
            if (laws->part_of[s] == part && laws->part_of[t] == part &&
                root[slots[s].piece] == root[slots[t].piece]) {
                return false;
            }
        }
    }
    return true;
}

// Is the order of the numbers in a part's cells an odd permutation of rising order? Reads the move
// if there is one, else the state.
static bool is_odd(const struct laws *laws, unsigned part, const uint8_t *state,
                   const struct move *move)
{
    const struct slot *slots = laws->orbits->slots;
    bool odd = false;
    for (unsigned s = 0; s < laws->orbits->slot_count; s++) {
        for (unsigned t = 0; t < s && laws->part_of[s] == part; t++) {
            if (laws->part_of[t] == part) {
                int a = slots[t].piece;
                int b = slots[s].piece;
                odd ^= move ? move->from[a] > move->from[b] : state[a] > state[b];
            }
        }
    }
    return odd;
}

// Add up the parities in parts a and b, or take only a's if a == b. Is the sum odd from START to
// TARGET, and even for every move?
static bool breaks_parity(const struct laws *laws, unsigned a, unsigned b)
{
    const uint8_t *root = laws->puzzle->numbering.roots[0].target;
    bool both = a != b;
    bool odd = is_odd(laws, a, laws->relative, NULL) ^ is_odd(laws, a, root, NULL) ^
               (both && (is_odd(laws, b, laws->relative, NULL) ^ is_odd(laws, b, root, NULL)));
    for (unsigned m = 0; m < laws->puzzle->move_count && odd; m++) {
        const struct move *move = &laws->puzzle->moves[m];
        odd = !(is_odd(laws, a, NULL, move) ^ (both && is_odd(laws, b, NULL, move)));
    }
    return odd;
}

static bool broken_by_parity(const struct laws *laws)
{
    unsigned count = laws->orbits->slot_count;
    char name[FEWEST_ERROR_SIZE];
    char other[FEWEST_ERROR_SIZE];
    for (unsigned a = 0; a < count; a++) {
        if (has_parity(laws, a) && breaks_parity(laws, a, a)) {
            return say(laws,
                       "the permutation of %s from START to TARGET is odd, but every move is even",
                       name_part(laws, a, name));
        }
    }
    for (unsigned a = 0; a < count; a++) {
        for (unsigned b = a + 1; b < count && has_parity(laws, a); b++) {
            if (has_parity(laws, b) && breaks_parity(laws, a, b)) {
                return say(laws, "the permutations of %s and %s must be both even or both odd",
                           name_part(laws, a, name), name_part(laws, b, other));
            }
        }
    }
    return false;
}

// ---- In words -----------------------------------------------------------------------------------

static bool explain_unreachable(struct laws *laws)
{
    find_parts(laws);
    return broken_by_slot(laws) || broken_by_sum(laws) || broken_by_parity(laws) ||
           say(laws, "START and TARGET are not in the same orbit of the moves");
}

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

// Of a puzzle that is one permutation, which every move keeps even.
static bool explain_even(const struct laws *laws, unsigned wild, bool reachable)
{
    uint8_t relative[CELLS_MOST];
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

// If some states are illegal, a law of the moves does not tell all. It is a reason only if the pair
// breaks it. The orbits of a puzzle with an entry for each arrangement are not known.
static bool breaks_law(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target)
{
    return puzzle_is_searched(puzzle) && !permutation_is_reachable(puzzle, start, target);
}

static bool explain_illegal(const struct laws *laws)
{
    const char *name = "START";
    const uint8_t *state = laws->start;
    const struct guarded_slot *illegal = permutation_find_illegal(laws->puzzle, state);
    if (!illegal) {
        name = "TARGET";
        state = laws->target;
        illegal = permutation_find_illegal(laws->puzzle, state);
    }
    if (!illegal) {
        return false;
    }
    const struct segment *segment = laws->puzzle->segments;
    while (illegal->cell >= segment->first + segment->length) {
        segment++;
    }
    return say(laws, "%s is illegal: slot %u of %s can't hold piece %u", name,
               illegal->cell - segment->first + 1,
               laws->puzzle->definition->sets[segment->set].name, state[illegal->cell] + 1u);
}

bool permutation_explain(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                         bool reachable, char *reason, size_t size)
{
    unsigned wild = count_wildcards(puzzle, target);
    struct laws *laws = malloc(sizeof *laws);
    struct fewest_error error;
    unsigned root;
    if (!laws) {
        return false;
    }
    laws->puzzle = puzzle;
    laws->orbits = &permutation_of(puzzle)->orbits;
    laws->start = start;
    laws->target = target;
    laws->text = reason;
    laws->size = size;
    if (puzzle->forbids_states) {
        bool illegal = !reachable && explain_illegal(laws);
        if (illegal || reachable || !breaks_law(puzzle, start, target)) {
            free(laws);
            return illegal;
        }
    }
    bool explained = permutation_of(puzzle)->even && explain_even(laws, wild, reachable);
    if (!explained && !reachable && wild > 0) {
        explained = say(laws, "no state that matches TARGET is in the same orbit of the moves as "
                              "START");
    }
    if (!explained && !reachable &&
        puzzle->numbering.functions->relate(puzzle, start, target, &root, laws->relative, &error)) {
        explained = explain_unreachable(laws);
    }
    free(laws);
    return explained;
}
