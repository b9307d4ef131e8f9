// Cuts the index of a permutation puzzle for a fast search (gen/pages.h).
#include "index/rank.h"
#include "puzzle/permutation_own.h"

#include <string.h>

// ---- Free digits --------------------------------------------------------------------------------

// Is a row of the orbit a row of numbers, to which a move adds? The orbit's pieces stay at home,
// and its group has all orientations of some of them.
static bool is_sum(const struct orbits *orbits, const struct orbit *orbit)
{
    bool sum = orbit->kind == ORBIT_CHAIN;
    for (unsigned i = 0; i < orbit->length; i++) {
        sum = sum && orbits->slots[orbit->slot[i]].piece < 0;
    }
    for (unsigned l = 0; l < orbit->level_count; l++) {
        sum = sum && orbit->levels[l].length == orbit->turns;
    }
    return sum;
}

// The orientations of a giant are a digit of their own if all count, and all symbols stand in one
// slot each, or none does: then the digit lists them by slot.
static bool has_turns_digit(const struct orbit *orbit)
{
    unsigned alone = 0;
    for (unsigned s = 0; s < orbit->symbol_count; s++) {
        alone += orbit->symbols[s].amount == 1;
    }
    return orbit->kind == ORBIT_GIANT && orbit->turns > 1 && orbit->counting == orbit->length &&
           (alone == 0 || alone == orbit->length);
}

static uint64_t turns_digit(const struct orbit *orbit)
{
    uint64_t digit = 1;
    for (unsigned i = 1; i < orbit->length && has_turns_digit(orbit); i++) {
        digit *= orbit->turns;
    }
    return digit;
}

unsigned permutation_find_free_digits(const struct puzzle *puzzle, struct free_digit *digits)
{
    const struct orbits *orbits = &permutation_of(puzzle)->orbits; // none if states are forbidden
    unsigned count = 0;
    for (unsigned o = orbits->count; o-- > 0;) {
        const struct orbit *orbit = &orbits->orbits[o];
        uint64_t turns = turns_digit(orbit);
        if (turns > 1) {
            digits[count] = (struct free_digit){.count = turns};
            count++;
        }
        digits[count] = (struct free_digit){.count = orbit->rows / turns,
                                            .base = is_sum(orbits, orbit) ? orbit->turns : 0};
        count++;
    }
    return count;
}

// The digits of an orbit change in one way for each of its classes.
unsigned permutation_find_variants(const struct puzzle *puzzle, unsigned digit_count,
                                   uint32_t *variant_of)
{
    const struct orbits *orbits = &permutation_of(puzzle)->orbits;
    unsigned first = orbits->tuples.length; // of the columns of a tuple that matter
    unsigned count = 0;
    for (unsigned o = orbits->count, digit = 0; o-- > 0 && digit < digit_count;) {
        digit += turns_digit(&orbits->orbits[o]) > 1 ? 2 : 1;
        first -= orbits->orbits[o].classes > 1;
    }
    for (uint32_t t = 0; t < orbits->tuples.count; t++) {
        const uint16_t *tuple = row_set_row(&orbits->tuples, t);
        uint32_t same = 0;
        while (same < t) {
            const uint16_t *other = row_set_row(&orbits->tuples, same);
            unsigned i = first;
            while (i < orbits->tuples.length && other[i] == tuple[i]) {
                i++;
            }
            if (i == orbits->tuples.length) {
                break;
            }
            same++;
        }
        variant_of[t] = same < t ? variant_of[same] : count++;
    }
    return count;
}

// ---- Points -------------------------------------------------------------------------------------
// If the states are a group, the points are pieces. Distances are counted from the identity, so the
// search may multiply by moves on either side. If pieces look alike, the points are the slots of
// those that are unique, with their orientations.

static unsigned slot_at(const struct orbits *orbits, const struct orbit *orbit, unsigned cell)
{
    unsigned i = 0;
    while (orbits->slots[orbit->slot[i]].piece != (int)cell) {
        i++;
    }
    return i;
}

// A giant, the only orbit.
static const struct orbit *find_only_giant(const struct puzzle *puzzle)
{
    const struct orbits *orbits = &permutation_of(puzzle)->orbits;
    return orbits->count == 1 && orbits->orbits[0].kind == ORBIT_GIANT &&
                   orbits->orbits[0].length <= RANK_LONGEST
               ? &orbits->orbits[0]
               : NULL;
}

static bool find_points_of_alike(const struct orbit *orbit, struct point_row *row)
{
    unsigned alike = 0;
    for (unsigned s = 0; s < orbit->symbol_count; s++) {
        const struct symbol *symbol = &orbit->symbols[s];
        if (symbol->amount > 1) {
            alike += symbol->turns > 1 ? 2 : 1;
        } else {
            if (row->length > 0 && row->turns != symbol->turns) {
                return false;
            }
            row->turns = symbol->turns;
            row->length++;
        }
    }
    return alike == 1 && row->length > 0;
}

bool permutation_find_points(const struct puzzle *puzzle, struct point_row *row)
{
    const struct permutation *permutation = permutation_of(puzzle);
    if (puzzle->forbids_states) { // a move may be impossible at some values of a digit
        return false;
    }
    if (puzzle->numbering.dense && puzzle->segment_count == 1 &&
        puzzle->segments[0].kind == SEGMENT_ARRANGEMENT && permutation->group &&
        puzzle->cell_count <= RANK_LONGEST) {
        *row = (struct point_row){
            .outer = 1, .points = puzzle->cell_count, .length = puzzle->cell_count, .turns = 1};
        for (unsigned point = 0; point < puzzle->cell_count; point++) {
            row->cell[point] = (uint16_t)point;
        }
        return true;
    }
    const struct orbit *orbit = find_only_giant(puzzle);
    if (!orbit || (puzzle->numbering.dense && puzzle->segment_count > 1)) {
        return false;
    }
    *row = (struct point_row){
        .outer = permutation->orbits.tuples.count, .points = orbit->length, .turns = 1};
    for (unsigned point = 0; point < orbit->length; point++) {
        int cell = permutation->orbits.slots[orbit->slot[point]].piece;
        row->cell[point] = (uint16_t)(cell < 0 ? 0 : cell);
    }
    if (orbit->symbol_count == orbit->length) {
        row->length = orbit->length - 2;
        return permutation->group && orbit->turns == 1;
    }
    return !permutation->group && find_points_of_alike(orbit, row);
}

// Where a move takes the tuple: an odd move exchanges the parities.
static unsigned move_outer(const struct orbits *orbits, unsigned outer, const struct point_move *to)
{
    const struct orbit *orbit = &orbits->orbits[0];
    uint16_t class[2];
    if (orbit->classes == 1) {
        return outer;
    }
    uint16_t number = *row_set_row(&orbits->tuples, outer);
    memcpy(class, row_set_row(&orbit->class_rows, number), sizeof class);
    for (unsigned i = 0; i < orbit->length; i++) {
        for (unsigned j = 0; j < i; j++) {
            class[0] ^= to[j].point > to[i].point;
        }
    }
    number = (uint16_t)row_set_find(&orbit->class_rows, class);
    return row_set_find(&orbits->tuples, &number);
}

unsigned permutation_move_points(const struct puzzle *puzzle, unsigned outer, unsigned move,
                                 struct point_move *to)
{
    const struct move *m = &puzzle->moves[move];
    if (puzzle->numbering.dense && permutation_of(puzzle)->group) {
        for (unsigned point = 0; point < puzzle->cell_count; point++) {
            to[point] = (struct point_move){.point = (uint8_t)m->from[point]};
        }
        return outer;
    }
    const struct orbits *orbits = &permutation_of(puzzle)->orbits;
    const struct orbit *orbit = &orbits->orbits[0]; // find_points has seen it
    for (unsigned point = 0; point < orbit->length; point++) {
        const struct slot *slot = &orbits->slots[orbit->slot[point]];
        to[point].point = (uint8_t)slot_at(orbits, orbit, m->from[slot->piece]);
        to[point].turn = 0;
        if (slot->turn >= 0 && orbit->turns > 1) {
            // A step undoes the move.
            to[point].turn = (uint8_t)((orbit->turns - m->add[slot->turn]) % orbit->turns);
        }
    }
    return move_outer(orbits, outer, to);
}
