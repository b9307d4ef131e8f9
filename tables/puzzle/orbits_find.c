// Finds the orbits of a permutation puzzle, and their classes.
#include "index/rank.h"
#include "puzzle/permutation_own.h"

#include <stdlib.h>
#include <string.h>

enum { STILL = -1 };

// What the search for orbits knows. Points are those of all slots together.
struct finder {
    const struct puzzle *puzzle;
    struct orbits *orbits;
    struct fewest_error *error;
    unsigned *move; // the moves that generate the group
    unsigned move_count;
    unsigned *slot_of_cell;
    group_point *first; // by slot: its first point
    unsigned degree;
    group_point **rows; // by move: the points
    bool *giant;        // by orbit
    struct random_elements *random;
    // The group without the giants' own subgroups: a giant has only points for its parity and its
    // sum.
    unsigned *small_first; // by orbit: its first point there
    unsigned small_degree;
    group_point **small;
    double small_order; // of this group, once it is known
};

static bool no_memory(struct fewest_error *error)
{
    return error_set(error, FEWEST_SYSTEM, "not enough memory for the numbers of the states");
}

// ---- Slots --------------------------------------------------------------------------------------

static const struct segment *segment_at(const struct puzzle *puzzle, int cell)
{
    const struct segment *segment = puzzle->segments;
    while (cell >= (int)(segment->first + segment->length)) {
        segment++;
    }
    return segment;
}

static bool turn_counts(const struct puzzle *puzzle, const struct slot *slot, const uint8_t *state)
{
    const struct segment *segment = segment_at(puzzle, slot->turn);
    return segment_counts_at(segment, state, (unsigned)slot->turn - segment->first);
}

static void add_slot(struct finder *finder, unsigned set, unsigned index)
{
    struct set_cells cells = permutation_of(finder->puzzle)->set_cells[set];
    struct orbits *orbits = finder->orbits;
    struct slot slot = {.piece = cells.pieces < 0 ? -1 : cells.pieces + (int)index,
                        .turn = cells.orientations < 0 ? -1 : cells.orientations + (int)index,
                        .set = set,
                        .index = index,
                        .turns = 1,
                        .orbit = orbits->slot_count};
    // An orientation that does not count, of a piece that stays at home, shows nothing.
    if (slot.piece < 0 && !turn_counts(finder->puzzle, &slot, finder->puzzle->goals[0])) {
        return;
    }
    if (slot.piece >= 0) {
        finder->slot_of_cell[slot.piece] = orbits->slot_count;
    }
    orbits->slots[orbits->slot_count++] = slot;
}

static bool add_slots(struct finder *finder)
{
    const struct puzzle *puzzle = finder->puzzle;
    const struct definition *definition = puzzle->definition;
    finder->orbits->slots = calloc(definition->piece_count + 1u, sizeof *finder->orbits->slots);
    finder->slot_of_cell = calloc(puzzle->cell_count, sizeof *finder->slot_of_cell);
    if (!finder->orbits->slots || !finder->slot_of_cell) {
        return no_memory(finder->error);
    }
    for (unsigned s = 0; s < definition->set_count; s++) {
        struct set_cells cells = permutation_of(puzzle)->set_cells[s];
        for (unsigned i = 0; i < definition->sets[s].pieces; i++) {
            if (cells.pieces >= 0 || cells.orientations >= 0) {
                add_slot(finder, s, i);
            }
        }
    }
    return true;
}

static unsigned slot_before(const struct finder *finder, unsigned m, unsigned s)
{
    const struct slot *slot = &finder->orbits->slots[s];
    return slot->piece < 0 ? s : finder->slot_of_cell[finder->puzzle->moves[m].from[slot->piece]];
}

static unsigned turn_of_move(const struct finder *finder, unsigned m, unsigned s)
{
    const struct slot *slot = &finder->orbits->slots[s];
    return slot->turn < 0 ? 0 : finder->puzzle->moves[m].add[slot->turn];
}

static void join(struct finder *finder, unsigned a, unsigned b)
{
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        unsigned *orbit = &finder->orbits->slots[s].orbit;
        *orbit = *orbit == (a < b ? b : a) ? (a < b ? a : b) : *orbit;
    }
}

// One move of each line of the definition is enough: the others are its powers.
static bool choose_moves(struct finder *finder)
{
    const struct puzzle *puzzle = finder->puzzle;
    finder->move = calloc(puzzle->move_count, sizeof *finder->move);
    for (unsigned m = 0; m < puzzle->move_count && finder->move; m++) {
        unsigned i = 0;
        while (i < finder->move_count &&
               puzzle->moves[finder->move[i]].line != puzzle->moves[m].line) {
            i++;
        }
        if (i == finder->move_count) {
            finder->move[finder->move_count++] = m;
        } else if (strlen(puzzle->moves[m].name) < strlen(puzzle->moves[finder->move[i]].name)) {
            finder->move[i] = m;
        }
    }
    return finder->move || no_memory(finder->error);
}

// Joins slots between which moves take pieces. Slots of one set that are only turned are one orbit.
static void join_slots(struct finder *finder)
{
    struct slot *slots = finder->orbits->slots;
    for (unsigned i = 0; i < finder->move_count; i++) {
        for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
            unsigned before = slot_before(finder, finder->move[i], s);
            if (slots[s].orbit != slots[before].orbit) {
                join(finder, slots[s].orbit, slots[before].orbit);
            }
        }
    }
    for (unsigned s = 1; s < finder->orbits->slot_count; s++) {
        if (slots[s].piece < 0 && slots[s - 1].piece < 0 && slots[s].set == slots[s - 1].set) {
            join(finder, slots[s].orbit, slots[s - 1].orbit);
        }
    }
}

static bool is_turned(const struct finder *finder, unsigned orbit)
{
    for (unsigned i = 0; i < finder->move_count; i++) {
        for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
            if (finder->orbits->slots[s].orbit == orbit &&
                turn_of_move(finder, finder->move[i], s) > 0) {
                return true;
            }
        }
    }
    return false;
}

// Does every slot of the orbit always hold the same?
static bool is_constant(const struct finder *finder, unsigned orbit, bool turned)
{
    const struct puzzle *puzzle = finder->puzzle;
    const uint8_t *root = puzzle->numbering.roots[0].target;
    const struct slot *one = &finder->orbits->slots[orbit]; // its first slot
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        const struct slot *slot = &finder->orbits->slots[s];
        if (slot->orbit == orbit &&
            ((slot->piece < 0 ? turned : root[slot->piece] != root[one->piece]) ||
             (slot->turn >= 0 && turned && turn_counts(puzzle, slot, root)) ||
             (slot->turn >= 0 && slot->piece >= 0 && root[slot->turn] != root[one->turn]))) {
            return false;
        }
    }
    return true;
}

// Drops the slots whose values never change, and numbers the orbits.
static bool number_orbits(struct finder *finder)
{
    struct orbits *orbits = finder->orbits;
    unsigned kept = 0;
    unsigned *number = malloc((orbits->slot_count + 1) * sizeof *number);
    if (!number) {
        return no_memory(finder->error);
    }
    for (unsigned s = 0; s < orbits->slot_count; s++) {
        struct slot *slot = &orbits->slots[s];
        if (slot->orbit == s) {
            bool turned = is_turned(finder, s);
            number[s] = is_constant(finder, s, turned) ? UINT32_MAX : orbits->count++;
            slot->turns = turned ? finder->puzzle->definition->sets[slot->set].orientations : 1;
        } else {
            slot->turns = orbits->slots[slot->orbit].turns;
        }
    }
    for (unsigned s = 0; s < orbits->slot_count; s++) {
        if (number[orbits->slots[s].orbit] != UINT32_MAX) {
            orbits->slots[s].orbit = number[orbits->slots[s].orbit];
            orbits->slots[kept++] = orbits->slots[s];
        }
    }
    orbits->slot_count = kept;
    for (unsigned s = 0; s < kept; s++) {
        if (orbits->slots[s].piece >= 0) {
            finder->slot_of_cell[orbits->slots[s].piece] = s;
        }
    }
    free(number);
    return true;
}

// ---- The group ----------------------------------------------------------------------------------

static group_point **make_rows(unsigned count, unsigned degree)
{
    group_point **rows = calloc(count + 1, sizeof *rows);
    bool done = rows;
    for (unsigned i = 0; i < count && done; i++) {
        rows[i] = malloc((degree + 1) * sizeof **rows);
        done = rows[i];
    }
    for (unsigned i = 0; i < count && rows && !done; i++) {
        free(rows[i]);
    }
    if (!done) {
        free(rows);
    }
    return done ? rows : NULL;
}

static void free_rows(group_point **rows, unsigned count)
{
    for (unsigned i = 0; i < count && rows; i++) {
        free(rows[i]);
    }
    free(rows);
}

// A move takes the value at a point from the point rows[m][point].
static bool make_points(struct finder *finder)
{
    const struct orbits *orbits = finder->orbits;
    finder->first = calloc(orbits->slot_count + 1, sizeof *finder->first);
    finder->giant = calloc(orbits->count + 1, sizeof *finder->giant);
    if (!finder->first || !finder->giant) {
        return no_memory(finder->error);
    }
    for (unsigned s = 0; s < orbits->slot_count; s++) {
        finder->first[s] = (group_point)finder->degree;
        finder->degree += orbits->slots[s].turns;
        if (finder->degree > GROUP_DEGREE_MOST) {
            return error_set(finder->error, FEWEST_BEYOND,
                             "%s has too many pieces and orientations: together more than %d",
                             finder->puzzle->name, GROUP_DEGREE_MOST);
        }
    }
    finder->rows = make_rows(finder->move_count, finder->degree);
    if (!finder->rows) {
        return no_memory(finder->error);
    }
    for (unsigned i = 0; i < finder->move_count; i++) {
        for (unsigned s = 0; s < orbits->slot_count; s++) {
            unsigned before = slot_before(finder, finder->move[i], s);
            unsigned turn = turn_of_move(finder, finder->move[i], s);
            for (unsigned t = 0; t < orbits->slots[s].turns; t++) {
                finder->rows[i][finder->first[s] + t] =
                    (group_point)(finder->first[before] + (turn + t) % orbits->slots[s].turns);
            }
        }
    }
    return true;
}

static unsigned slot_of_point(const struct finder *finder, group_point at)
{
    unsigned s = 0;
    while (s + 1 < finder->orbits->slot_count && finder->first[s + 1] <= at) {
        s++;
    }
    return s;
}

// ---- Giants -------------------------------------------------------------------------------------

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool in_orbit(const struct finder *finder, unsigned s, unsigned orbit)
{
    return finder->orbits->slots[s].orbit == orbit;
}

// The number of slots, or of points, in the cycle of an element through a slot's first point. In
// terms of slots, the orientation does not matter.
static unsigned cycle_length(const struct finder *finder, const group_point *element,
                             const uint16_t *slot_of, unsigned s, bool of_slots)
{
    unsigned length = 1;
    group_point at = element[finder->first[s]];
    while (of_slots ? slot_of[at] != s : at != finder->first[s]) {
        at = element[of_slots ? finder->first[slot_of[at]] : at];
        length++;
    }
    return length;
}

// The order of an element on the slots or the points of an orbit; 0 if it exceeds 2^32.
static uint64_t order_on(const struct finder *finder, const group_point *element,
                         const uint16_t *slot_of, unsigned orbit, bool of_slots)
{
    uint64_t order = 1;
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        if (in_orbit(finder, s, orbit)) {
            uint64_t length = cycle_length(finder, element, slot_of, s, of_slots);
            order = order / common_divisor(order, length) * length;
            if (order > UINT32_MAX) {
                return 0;
            }
        }
    }
    return order;
}

static bool moves_slots(const struct finder *finder, const group_point *element,
                        const uint16_t *slot_of, unsigned orbit)
{
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        if (in_orbit(finder, s, orbit) && slot_of[element[finder->first[s]]] != s) {
            return true;
        }
    }
    return false;
}

static bool moves_points(const struct finder *finder, const group_point *element, unsigned orbit)
{
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        if (in_orbit(finder, s, orbit) && element[finder->first[s]] != finder->first[s]) {
            return true;
        }
    }
    return false;
}

// What finding a giant needs: rows of points.
struct witness {
    struct finder *finder;
    uint16_t *slot_of; // by point
    group_point *element;
    group_point *other;
    group_point *spare;
    group_point *inverse;
    bool out_of_memory;
};

// other := element to a power.
static void raise_to(struct witness *witness, const group_point *element, uint64_t power)
{
    unsigned degree = witness->finder->degree;
    group_point *square = witness->spare;
    for (unsigned x = 0; x < degree; x++) {
        witness->other[x] = (group_point)x;
    }
    memcpy(square, element, degree * sizeof *square);
    for (; power > 0; power >>= 1) {
        for (unsigned x = 0; x < degree && (power & 1); x++) {
            witness->other[x] = square[witness->other[x]];
        }
        for (unsigned x = 0; x < degree; x++) {
            witness->inverse[x] = square[square[x]];
        }
        memcpy(square, witness->inverse, degree * sizeof *square);
    }
}

static bool is_prime(unsigned number)
{
    for (unsigned d = 2; d * d <= number; d++) {
        if (number % d == 0) {
            return false;
        }
    }
    return number >= 2;
}

static unsigned orbit_length(const struct finder *finder, unsigned orbit)
{
    unsigned length = 0;
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        length += in_orbit(finder, s, orbit);
    }
    return length;
}

static unsigned first_slot(const struct finder *finder, unsigned orbit)
{
    unsigned s = 0;
    while (!in_orbit(finder, s, orbit)) {
        s++;
    }
    return s;
}

// Has the group an element with a cycle of p slots, p a prime, n/2 < p < n-2? Then it has all even
// permutations (C. Jordan, 1873).
static bool has_long_cycle(struct witness *witness, unsigned orbit, unsigned length)
{
    const struct finder *finder = witness->finder;
    const group_point *element = random_elements_next(finder->random);
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        if (in_orbit(finder, s, orbit)) {
            unsigned cycle = cycle_length(finder, element, witness->slot_of, s, true);
            if (2 * cycle > length && cycle + 2 < length && is_prime(cycle)) {
                return true;
            }
        }
    }
    return false;
}

// Is the group that moves the slots as large as that of all even permutations? Computes its order.
static bool is_alternating(struct witness *witness, unsigned orbit, unsigned length)
{
    const struct finder *finder = witness->finder;
    enum { SHORT = 7 };
    group_point number[SHORT] = {0};
    group_point base[SHORT];
    struct group group = {.degree = 0};
    unsigned least = 1;
    uint64_t order = 1;
    for (unsigned s = 0, count = 0; s < finder->orbits->slot_count; s++) {
        if (in_orbit(finder, s, orbit)) {
            base[count] = (group_point)count;
            number[count++] = (group_point)s;
        }
    }
    group_point **rows = make_rows(finder->move_count, length);
    for (unsigned i = 0; i < finder->move_count && rows; i++) {
        for (unsigned n = 0; n < length; n++) {
            unsigned before = slot_before(finder, finder->move[i], number[n]);
            rows[i][n] = 0;
            while (number[rows[i][n]] != before) {
                rows[i][n]++;
            }
        }
    }
    bool done = rows && group_make(&group, length, (const group_point *const *)rows,
                                   finder->move_count, base, length, 0);
    for (unsigned l = 0; l < length && done; l++) {
        order *= group.levels[l].length;
        least *= l + 1;
    }
    group_free(&group);
    free_rows(rows, finder->move_count);
    witness->out_of_memory |= !done;
    return done && 2 * order >= least;
}

static bool has_even_permutations(struct witness *witness, unsigned orbit)
{
    enum { LONG = 8, TRIES = 150 };
    unsigned length = orbit_length(witness->finder, orbit);
    if (length < 5 ||
        witness->finder->orbits->slots[first_slot(witness->finder, orbit)].piece < 0) {
        return false;
    }
    if (length < LONG) {
        return is_alternating(witness, orbit, length);
    }
    for (unsigned i = 0; i < TRIES; i++) {
        if (has_long_cycle(witness, orbit, length)) {
            return true;
        }
    }
    return false;
}

// Looks for elements that keep every slot of the orbit and turn them differently: modulo each prime
// that divides the number of orientations, some two slots. (With the even permutations, these give
// all orientations that add up to 0.)
static bool has_turns(struct witness *witness, unsigned orbit)
{
    enum { TRIES = 60 };
    const struct finder *finder = witness->finder;
    unsigned one = first_slot(finder, orbit);
    uint64_t divisor = finder->orbits->slots[one].turns;
    for (unsigned i = 0; i < TRIES && divisor > 1; i++) {
        const group_point *element = random_elements_next(finder->random);
        uint64_t order = order_on(finder, element, witness->slot_of, orbit, true);
        raise_to(witness, element, order);
        unsigned turn = witness->other[finder->first[one]] - finder->first[one];
        for (unsigned s = 0; s < finder->orbits->slot_count && order > 0; s++) {
            if (in_orbit(finder, s, orbit)) {
                unsigned turns = finder->orbits->slots[s].turns;
                unsigned more = witness->other[finder->first[s]] - finder->first[s] + turns - turn;
                divisor = common_divisor(divisor, more % turns);
            }
        }
    }
    return divisor == 1;
}

static void invert(const group_point *row, unsigned degree, group_point *inverse)
{
    for (unsigned x = 0; x < degree; x++) {
        inverse[row[x]] = (group_point)x;
    }
}

// spare := the commutator of element and other.
static void commute(struct witness *witness)
{
    unsigned degree = witness->finder->degree;
    invert(witness->element, degree, witness->inverse);
    for (unsigned x = 0; x < degree; x++) {
        witness->spare[x] = witness->other[witness->inverse[x]];
    }
    invert(witness->other, degree, witness->inverse);
    for (unsigned x = 0; x < degree; x++) {
        witness->spare[x] = witness->inverse[witness->element[witness->spare[x]]];
    }
}

// Makes the witness keep the points of another orbit, too, and still move the slots of its own.
static bool keep_other_orbit(struct witness *witness, unsigned orbit, unsigned other)
{
    enum { TRIES = 60 };
    const struct finder *finder = witness->finder;
    for (unsigned i = 0; i < TRIES && moves_points(finder, witness->element, other); i++) {
        const group_point *element = random_elements_next(finder->random);
        uint64_t order = order_on(finder, element, witness->slot_of, other, false);
        if (order == 0) {
            continue;
        }
        raise_to(witness, element, order);
        commute(witness);
        if (moves_slots(finder, witness->spare, witness->slot_of, orbit)) {
            memcpy(witness->element, witness->spare, finder->degree * sizeof(group_point));
        }
    }
    return !moves_points(finder, witness->element, other);
}

// Is there an element that moves slots of this orbit, and keeps the points of all others?
static bool is_independent(struct witness *witness, unsigned orbit)
{
    enum { TRIES = 60 };
    const struct finder *finder = witness->finder;
    for (unsigned i = 0; i < TRIES; i++) {
        memcpy(witness->element, random_elements_next(finder->random),
               finder->degree * sizeof(group_point));
        if (moves_slots(finder, witness->element, witness->slot_of, orbit)) {
            break;
        }
    }
    for (unsigned other = 0; other < finder->orbits->count; other++) {
        if (other != orbit && !keep_other_orbit(witness, orbit, other)) {
            return false;
        }
    }
    return moves_slots(finder, witness->element, witness->slot_of, orbit);
}

// An independent orbit has all even permutations with all orientations that add up to 0, whatever
// the other orbits hold: its elements that keep the others are normal among its permutations.
static bool find_giants(struct finder *finder)
{
    unsigned degree = finder->degree;
    size_t bytes = (degree + 1) * sizeof(group_point);
    finder->random =
        random_elements_open(degree, (const group_point *const *)finder->rows, finder->move_count);
    struct witness witness = {.finder = finder,
                              .slot_of = malloc(bytes),
                              .element = malloc(bytes),
                              .other = malloc(bytes),
                              .spare = malloc(bytes),
                              .inverse = malloc(bytes)};
    bool done = finder->random && witness.slot_of && witness.element && witness.other &&
                witness.spare && witness.inverse;
    for (unsigned x = 0; x < degree && done; x++) {
        witness.slot_of[x] = (uint16_t)slot_of_point(finder, (group_point)x);
    }
    for (unsigned orbit = 0; orbit < finder->orbits->count && done; orbit++) {
        finder->giant[orbit] = has_even_permutations(&witness, orbit) &&
                               has_turns(&witness, orbit) && is_independent(&witness, orbit);
        done = !witness.out_of_memory;
    }
    free(witness.slot_of);
    free(witness.element);
    free(witness.other);
    free(witness.spare);
    free(witness.inverse);
    return done || no_memory(finder->error);
}

// ---- The small group ----------------------------------------------------------------------------

static bool is_odd_on(const struct finder *finder, unsigned m, unsigned orbit)
{
    bool odd = false;
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        for (unsigned t = 0; t < s && in_orbit(finder, s, orbit); t++) {
            odd ^=
                in_orbit(finder, t, orbit) && slot_before(finder, m, t) > slot_before(finder, m, s);
        }
    }
    return odd;
}

static unsigned sum_on(const struct finder *finder, unsigned m, unsigned orbit)
{
    unsigned sum = 0;
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        sum += in_orbit(finder, s, orbit) ? turn_of_move(finder, m, s) : 0;
    }
    return sum % finder->orbits->slots[first_slot(finder, orbit)].turns;
}

// A giant has two points for its parity, and one for each sum of orientations.
static void act_on_giant(struct finder *finder, unsigned i, unsigned orbit)
{
    unsigned turns = finder->orbits->slots[first_slot(finder, orbit)].turns;
    unsigned sum = sum_on(finder, finder->move[i], orbit);
    unsigned odd = is_odd_on(finder, finder->move[i], orbit);
    unsigned first = finder->small_first[orbit];
    finder->small[i][first] = (group_point)(first + odd);
    finder->small[i][first + 1] = (group_point)(first + 1 - odd);
    for (unsigned t = 0; t < turns; t++) {
        finder->small[i][first + 2 + t] = (group_point)(first + 2 + (t + sum) % turns);
    }
}

static void act_on_points(struct finder *finder, unsigned i, unsigned orbit)
{
    const struct slot *slots = finder->orbits->slots;
    unsigned at = finder->small_first[orbit];
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        for (unsigned t = 0; t < slots[s].turns && in_orbit(finder, s, orbit); t++, at++) {
            group_point before = finder->rows[i][finder->first[s] + t];
            unsigned slot = slot_of_point(finder, before);
            unsigned to = finder->small_first[orbit] + before - finder->first[slot];
            for (unsigned u = 0; u < slot; u++) {
                to += in_orbit(finder, u, orbit) ? slots[u].turns : 0;
            }
            finder->small[i][at] = (group_point)to;
        }
    }
}

static bool make_small(struct finder *finder)
{
    const struct orbits *orbits = finder->orbits;
    free(finder->small_first);
    free_rows(finder->small, finder->move_count);
    finder->small = NULL;
    finder->small_degree = 0;
    finder->small_order = 0;
    finder->small_first = calloc(orbits->count + 1, sizeof *finder->small_first);
    if (!finder->small_first) {
        return no_memory(finder->error);
    }
    for (unsigned o = 0; o < orbits->count; o++) {
        finder->small_first[o] = finder->small_degree;
        for (unsigned s = 0; s < orbits->slot_count; s++) {
            if (in_orbit(finder, s, o) && (!finder->giant[o] || s == first_slot(finder, o))) {
                finder->small_degree += orbits->slots[s].turns + (finder->giant[o] ? 2 : 0);
            }
        }
    }
    finder->small = make_rows(finder->move_count, finder->small_degree);
    for (unsigned i = 0; i < finder->move_count && finder->small; i++) {
        for (unsigned o = 0; o < orbits->count; o++) {
            (finder->giant[o] ? act_on_giant : act_on_points)(finder, i, o);
        }
    }
    return finder->small || no_memory(finder->error);
}

// Appends points that only the identity of an orbit's part of the small group fixes.
static unsigned append_base(const struct finder *finder, unsigned orbit, group_point *base,
                            unsigned count)
{
    unsigned at = finder->small_first[orbit];
    if (finder->giant[orbit]) {
        base[count++] = (group_point)at;
        base[count++] = (group_point)(at + 2);
        return count;
    }
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        if (in_orbit(finder, s, orbit)) {
            base[count++] = (group_point)at;
            at += finder->orbits->slots[s].turns;
        }
    }
    return count;
}

// Builds the small group with a base that ends with the points of an orbit. `own` is the first
// level of these: what fixes all other orbits.
static bool make_group(struct finder *finder, unsigned orbit, struct group *group, unsigned *own)
{
    group_point *base = malloc((finder->small_degree + 1) * sizeof *base);
    unsigned count = 0;
    bool done = base;
    for (unsigned o = 0; o < finder->orbits->count && done; o++) {
        count = o == orbit ? count : append_base(finder, o, base, count);
    }
    *own = count;
    count = done ? append_base(finder, orbit, base, count) : 0;
    done =
        done && group_make(group, finder->small_degree, (const group_point *const *)finder->small,
                           finder->move_count, base, count, finder->small_order);
    finder->small_order = done ? group->order : 0;
    free(base);
    return done || no_memory(finder->error);
}

// ---- Symbols ------------------------------------------------------------------------------------

static int compare_symbols(const void *a, const void *b)
{
    const struct symbol *x = a;
    const struct symbol *y = b;
    if (x->set != y->set) {
        return x->set < y->set ? -1 : 1;
    }
    if (x->piece != y->piece) {
        return x->piece < y->piece ? -1 : 1;
    }
    return x->turn == y->turn ? 0 : x->turn < y->turn ? -1 : 1;
}

// The symbol that the root has in a slot.
static struct symbol symbol_of_root(const struct puzzle *puzzle, const struct slot *slot)
{
    const uint8_t *root = puzzle->numbering.roots[0].target;
    bool turns = slot->turns > 1 && turn_counts(puzzle, slot, root);
    return (struct symbol){.set = slot->set,
                           .piece = slot->piece < 0 ? slot->index : root[slot->piece],
                           .turn = slot->turns == 1 && slot->turn >= 0 ? root[slot->turn] : 0,
                           .turns = turns ? slot->turns : 1,
                           .amount = 1};
}

static bool make_symbols(const struct finder *finder, struct orbit *orbit)
{
    unsigned kept = 0;
    orbit->symbols = calloc(orbit->length, sizeof *orbit->symbols);
    orbit->symbol_of = calloc(orbit->points, sizeof *orbit->symbol_of);
    if (!orbit->symbols || !orbit->symbol_of) {
        return no_memory(finder->error);
    }
    for (unsigned i = 0; i < orbit->length; i++) {
        orbit->symbols[i] = symbol_of_root(finder->puzzle, &finder->orbits->slots[orbit->slot[i]]);
        orbit->counting += orbit->symbols[i].turns > 1;
    }
    qsort(orbit->symbols, orbit->length, sizeof *orbit->symbols, compare_symbols);
    for (unsigned i = 0; i < orbit->length; i++) {
        if (kept > 0 && compare_symbols(&orbit->symbols[kept - 1], &orbit->symbols[i]) == 0) {
            orbit->symbols[kept - 1].amount++;
        } else {
            orbit->symbols[kept++] = orbit->symbols[i];
        }
    }
    orbit->symbol_count = kept;
    for (unsigned s = 0; s < kept; s++) {
        orbit->symbols[s].first = orbit->values;
        for (unsigned t = 0; t < orbit->symbols[s].turns; t++) {
            orbit->symbol_of[orbit->values++] = (uint16_t)s;
        }
    }
    return true;
}

static bool make_orbit(const struct finder *finder, unsigned number, struct orbit *orbit)
{
    const struct orbits *orbits = finder->orbits;
    unsigned count = orbit_length(finder, number);
    *orbit = (struct orbit){.slot = calloc(count, sizeof *orbit->slot),
                            .first = calloc(count, sizeof *orbit->first)};
    if (!orbit->slot || !orbit->first) {
        return no_memory(finder->error);
    }
    for (unsigned s = 0; s < orbits->slot_count; s++) {
        if (in_orbit(finder, s, number)) {
            orbit->first[orbit->length] = (group_point)orbit->points;
            orbit->slot[orbit->length++] = s;
            orbit->points += orbits->slots[s].turns;
        }
    }
    orbit->turns = orbits->slots[orbit->slot[0]].turns;
    orbit->slot_of = calloc(orbit->points, sizeof *orbit->slot_of);
    if (!orbit->slot_of || !make_symbols(finder, orbit)) {
        return no_memory(finder->error);
    }
    for (unsigned i = 0; i < orbit->length; i++) {
        for (unsigned t = 0; t < orbits->slots[orbit->slot[i]].turns; t++) {
            orbit->slot_of[orbit->first[i] + t] = (uint16_t)i;
        }
    }
    return true;
}

// ---- Classes ------------------------------------------------------------------------------------

// Multiplies a number, unless it is 0; gives 0 if the product exceeds 63 bits.
static void multiply(uint64_t *number, uint64_t factor)
{
    *number = factor > 0 && *number <= INT64_MAX / factor ? *number * factor : 0;
}

struct step_context {
    const struct finder *finder;
    const struct orbit *orbit;
    unsigned number;
    group_point *local; // points of the orbit
};

// What generator `i` does to the points of an orbit.
static const group_point *local_move(const struct step_context *step, unsigned i)
{
    const struct finder *finder = step->finder;
    unsigned first = finder->small_first[step->number];
    for (unsigned x = 0; x < step->orbit->points; x++) {
        step->local[x] = (group_point)(finder->small[i][first + x] - first);
    }
    return step->local;
}

static void move_giant(const void *context, unsigned i, const uint16_t *from, uint16_t *to)
{
    const struct step_context *step = context;
    const struct finder *finder = step->finder;
    unsigned first = finder->small_first[step->number];
    const group_point *row = finder->small[i];
    const struct orbit *orbit = step->orbit;
    bool differ = orbit->symbol_count == orbit->length;
    bool sums = orbit->turns > 1 && orbit->counting == orbit->length;
    to[0] = differ ? (uint16_t)(row[first + from[0]] - first) : 0;
    to[1] = sums ? (uint16_t)(row[first + 2 + from[1]] - first - 2) : 0;
}

static void move_least(const void *context, unsigned i, const uint16_t *from, uint16_t *to)
{
    const struct step_context *step = context;
    orbit_act(step->orbit, from, local_move(step, i), to);
    orbit_least(step->orbit, to);
}

static void move_row(const void *context, unsigned i, const uint16_t *from, uint16_t *to)
{
    const struct step_context *step = context;
    orbit_act(step->orbit, from, local_move(step, i), to);
}

static bool close_rows(struct row_set *set, const uint16_t *root,
                       void (*apply)(const void *, unsigned, const uint16_t *, uint16_t *),
                       uint32_t most, const struct step_context *step)
{
    const struct finder *finder = step->finder;
    return (row_set_add(set, root) != ROW_NONE &&
            row_set_close_under(set, finder->move_count, most, apply, step) &&
            (set->count > most || row_set_sort(set))) ||
           no_memory(finder->error);
}

static bool make_giant(const struct step_context *step, struct orbit *orbit, const uint16_t *root)
{
    uint16_t invariants[2];
    bool differ = orbit->symbol_count == orbit->length;
    bool sums = orbit->turns > 1 && orbit->counting == orbit->length;
    orbit->kind = ORBIT_GIANT;
    orbit_invariants(orbit, root, invariants);
    row_set_open(&orbit->class_rows, 2);
    if (!close_rows(&orbit->class_rows, invariants, move_giant, CLASSES_MOST, step)) {
        return false;
    }
    orbit->classes = orbit->class_rows.count;
    orbit->rows = 1;
    for (unsigned s = 0, placed = 0; s < orbit->symbol_count; s++) {
        for (unsigned k = 1; k <= orbit->symbols[s].amount; k++) {
            multiply(&orbit->rows, ++placed);
            orbit->rows /= k;
        }
    }
    orbit->rows /= differ ? 2 : 1;
    for (unsigned i = sums; i < orbit->counting; i++) {
        multiply(&orbit->rows, orbit->turns);
    }
    return true;
}

// Replaces an element by the least one that takes the bases of the levels before `level` and its
// own to the same points.
static void make_least_element(const struct orbit *orbit, unsigned level, group_point *element,
                               group_point *spare)
{
    for (unsigned l = level + 1; l < orbit->level_count; l++) {
        const struct chain_level *at = &orbit->levels[l];
        const group_point *best = at->element;
        for (unsigned d = 1; d < at->length; d++) {
            const group_point *other = at->element + (size_t)d * orbit->points;
            best = element[other[at->base]] < element[best[at->base]] ? other : best;
        }
        for (unsigned x = 0; x < orbit->points; x++) {
            spare[x] = element[best[x]];
        }
        memcpy(element, spare, orbit->points * sizeof *element);
    }
}

static bool copy_level(const struct group_level *from, unsigned first, const struct orbit *orbit,
                       struct chain_level *level)
{
    size_t bytes = (size_t)from->length * orbit->points * sizeof(group_point);
    *level = (struct chain_level){.base = (group_point)(from->base - first),
                                  .length = from->length,
                                  .digit = malloc(orbit->points * sizeof *level->digit),
                                  .element = malloc(bytes),
                                  .inverse = malloc(bytes)};
    if (!level->digit || !level->element || !level->inverse) {
        return false;
    }
    memset(level->digit, 0xFF, orbit->points * sizeof *level->digit);
    for (unsigned d = 0; d < from->length; d++) {
        const group_point *element = from->transversal[from->orbit[d]] + first;
        level->digit[from->orbit[d] - first] = (uint16_t)d;
        for (unsigned x = 0; x < orbit->points; x++) {
            level->element[(size_t)d * orbit->points + x] = (group_point)(element[x] - first);
        }
    }
    return true;
}

// Takes the levels of N over from the small group.
static bool make_levels(const struct step_context *step, const struct group *group, unsigned own,
                        struct orbit *orbit)
{
    unsigned first = step->finder->small_first[step->number];
    orbit->levels = calloc(group->level_count - own + 1, sizeof *orbit->levels);
    orbit->rows = 1;
    for (unsigned l = own; l < group->level_count && orbit->levels; l++) {
        if (group->levels[l].length > 1) {
            if (!copy_level(&group->levels[l], first, orbit,
                            &orbit->levels[orbit->level_count++])) {
                return no_memory(step->finder->error);
            }
            multiply(&orbit->rows, group->levels[l].length);
        }
    }
    if (!orbit->levels) {
        return no_memory(step->finder->error);
    }
    for (unsigned l = orbit->level_count; l-- > 0;) {
        struct chain_level *level = &orbit->levels[l];
        for (unsigned d = 0; d < level->length; d++) {
            group_point *element = level->element + (size_t)d * orbit->points;
            make_least_element(orbit, l, element, step->local);
            for (unsigned x = 0; x < orbit->points; x++) {
                level->inverse[(size_t)d * orbit->points + element[x]] = (group_point)x;
            }
        }
    }
    return true;
}

static bool make_chain(const struct step_context *step, const struct group *group, unsigned own,
                       struct orbit *orbit, const uint16_t *root)
{
    uint16_t least[SLOTS_MOST];
    orbit->kind = ORBIT_CHAIN;
    row_set_open(&orbit->class_rows, orbit->length);
    if (!make_levels(step, group, own, orbit)) {
        return false;
    }
    memcpy(least, root, orbit->length * sizeof *least);
    orbit_least(orbit, least);
    if (!close_rows(&orbit->class_rows, least, move_least, CLASSES_MOST, step)) {
        return false;
    }
    orbit->classes = orbit->class_rows.count;
    if (orbit->classes > CLASSES_MOST) {
        return true;
    }
    orbit->class_inverse = malloc((size_t)orbit->classes * orbit->points * sizeof(group_point));
    for (unsigned c = 0; c < orbit->classes && orbit->class_inverse; c++) {
        for (unsigned x = 0; x < orbit->points; x++) {
            group_point value =
                orbit_value_at(orbit, row_set_row(&orbit->class_rows, c), (group_point)x);
            orbit->class_inverse[(size_t)c * orbit->points + value] = (group_point)x;
        }
    }
    return orbit->class_inverse || no_memory(step->finder->error);
}

// Gives a class to all rows that N makes of a row.
static bool mark_class(struct orbit *orbit, group_point *const *elements, unsigned count,
                       uint32_t row, uint32_t *queue)
{
    uint16_t moved[SLOTS_MOST];
    uint32_t length = 0;
    queue[length++] = row;
    orbit->class_of[row] = orbit->classes;
    for (uint32_t i = 0; i < length; i++) {
        for (unsigned e = 0; e < count; e++) {
            orbit_act(orbit, row_set_row(&orbit->list, queue[i]), elements[e], moved);
            uint32_t to = row_set_find(&orbit->list, moved);
            if (orbit->class_of[to] == ROW_NONE) {
                orbit->class_of[to] = orbit->classes;
                queue[length++] = to;
            }
        }
    }
    orbit->classes++;
    return true;
}

static bool make_list_classes(const struct step_context *step, const struct group *group,
                              unsigned own, struct orbit *orbit)
{
    uint32_t count = orbit->list.count;
    unsigned first = step->finder->small_first[step->number];
    unsigned elements = 0;
    group_point **rows = make_rows(group->generator_count, orbit->points);
    uint32_t *queue = malloc((size_t)count * sizeof *queue);
    orbit->class_of = malloc((size_t)count * sizeof *orbit->class_of);
    orbit->rank_of = malloc((size_t)count * sizeof *orbit->rank_of);
    orbit->row_of = malloc((size_t)count * sizeof *orbit->row_of);
    bool done = rows && queue && orbit->class_of && orbit->rank_of && orbit->row_of;
    for (unsigned g = 0; g < group->generator_count && done; g++) {
        for (unsigned x = 0; x < orbit->points && group->fixed[g] >= own; x++) {
            rows[elements][x] = (group_point)(group->generators[g][first + x] - first);
        }
        elements += group->fixed[g] >= own;
    }
    if (done) {
        memset(orbit->class_of, 0xFF, (size_t)count * sizeof *orbit->class_of);
    }
    for (uint32_t i = 0; i < count && done; i++) {
        done = orbit->class_of[i] != ROW_NONE || mark_class(orbit, rows, elements, i, queue);
    }
    if (done) {
        orbit->rows = count / orbit->classes;
        memset(queue, 0, (size_t)count * sizeof *queue); // by class: the rows so far
    }
    for (uint32_t i = 0; i < count && done; i++) {
        uint32_t class = orbit->class_of[i];
        orbit->rank_of[i] = queue[class]++;
        orbit->row_of[class * orbit->rows + orbit->rank_of[i]] = i;
    }
    free_rows(rows, group->generator_count);
    free(queue);
    return done || no_memory(step->finder->error);
}

static bool make_list(const struct step_context *step, const struct group *group, unsigned own,
                      struct orbit *orbit, const uint16_t *root)
{
    const struct finder *finder = step->finder;
    orbit->kind = ORBIT_LISTED;
    row_set_open(&orbit->list, orbit->length);
    if (!close_rows(&orbit->list, root, move_row, LISTED_MOST, step)) {
        return false;
    }
    if (orbit->list.count > LISTED_MOST) {
        const struct slot *slot = &finder->orbits->slots[orbit->slot[0]];
        return error_set(finder->error, FEWEST_BEYOND,
                         "the pieces of set %s that look alike form more than %d patterns, in a "
                         "group that is neither small nor has all even permutations; "
                         "fewest can't number these states",
                         finder->puzzle->definition->sets[slot->set].name, LISTED_MOST);
    }
    return make_list_classes(step, group, own, orbit);
}

// Does each row of the orbit belong to one element of its group only?
static bool is_regular(const struct finder *finder, const struct orbit *orbit)
{
    unsigned turned = 0;
    for (unsigned i = 0; i < orbit->length; i++) {
        turned += finder->orbits->slots[orbit->slot[i]].turns > 1;
    }
    return orbit->symbol_count == orbit->length && orbit->counting == turned;
}

static bool make_classes(struct finder *finder, unsigned number, struct orbit *orbit)
{
    uint16_t root[SLOTS_MOST];
    struct group group = {.degree = 0};
    unsigned own;
    if (!make_orbit(finder, number, orbit)) {
        return false;
    }
    orbit_read(finder->orbits, orbit, finder->puzzle->numbering.roots[0].target, root);
    struct step_context step = {.finder = finder,
                                .orbit = orbit,
                                .number = number,
                                .local = malloc((orbit->points + 1) * sizeof *step.local)};
    bool done = step.local || no_memory(finder->error);
    if (done && finder->giant[number]) {
        done = make_giant(&step, orbit, root);
    } else if (done) {
        done =
            make_group(finder, number, &group, &own) &&
            (is_regular(finder, orbit) ? make_chain : make_list)(&step, &group, own, orbit, root);
        group_free(&group);
    }
    free(step.local);
    return done;
}

// ---- Tuples -------------------------------------------------------------------------------------

// The class where a move takes the rows of a class.
static uint32_t move_class(const struct step_context *step, unsigned i, uint32_t class)
{
    const struct orbit *orbit = step->orbit;
    uint16_t moved[SLOTS_MOST];
    switch (orbit->kind) {
    case ORBIT_GIANT:
        move_giant(step, i, row_set_row(&orbit->class_rows, class), moved);
        return row_set_find(&orbit->class_rows, moved);
    case ORBIT_CHAIN:
        move_least(step, i, row_set_row(&orbit->class_rows, class), moved);
        return row_set_find(&orbit->class_rows, moved);
    case ORBIT_LISTED:
        move_row(step, i, row_set_row(&orbit->list, orbit->row_of[class * orbit->rows]), moved);
        return orbit->class_of[row_set_find(&orbit->list, moved)];
    }
    return ROW_NONE;
}

struct tuple_context {
    unsigned count;        // of orbits with several classes
    uint16_t **next;       // by orbit: by generator and class
    const uint32_t *width; // by orbit: its classes
};

static void move_tuple(const void *context, unsigned i, const uint16_t *from, uint16_t *to)
{
    const struct tuple_context *tuples = context;
    for (unsigned o = 0; o < tuples->count; o++) {
        to[o] = tuples->next[o][(size_t)i * tuples->width[o] + from[o]];
    }
}

static uint16_t *make_next(const struct finder *finder, unsigned number, const struct orbit *orbit)
{
    struct step_context step = {.finder = finder,
                                .orbit = orbit,
                                .number = number,
                                .local = malloc((orbit->points + 1) * sizeof *step.local)};
    uint16_t *next = malloc((size_t)finder->move_count * orbit->classes * sizeof *next);
    for (unsigned i = 0; i < finder->move_count && next && step.local; i++) {
        for (uint32_t c = 0; c < orbit->classes; c++) {
            next[(size_t)i * orbit->classes + c] = (uint16_t)move_class(&step, i, c);
        }
    }
    if (!step.local) {
        free(next);
        next = NULL;
    }
    free(step.local);
    return next;
}

// Finds the tuples that occur. `number` has the number of each orbit in the finder.
static bool make_tuples(const struct finder *finder, const unsigned *number)
{
    struct orbits *orbits = finder->orbits;
    uint16_t root[SLOTS_MOST];
    uint16_t row[SLOTS_MOST];
    struct tuple_context tuples = {0};
    uint32_t *width = calloc(orbits->count + 1, sizeof *width);
    tuples.next = calloc(orbits->count + 1, sizeof *tuples.next);
    bool done = width && tuples.next;
    for (unsigned o = 0; o < orbits->count && done; o++) {
        const struct orbit *orbit = &orbits->orbits[o];
        if (orbit->classes > 1) {
            orbit_read(orbits, orbit, finder->puzzle->numbering.roots[0].target, row);
            root[tuples.count] = (uint16_t)orbit_class(orbit, row);
            width[tuples.count] = orbit->classes;
            tuples.next[tuples.count] = make_next(finder, number[o], orbit);
            done = tuples.next[tuples.count++];
        }
    }
    tuples.width = width;
    row_set_open(&orbits->tuples, tuples.count);
    done = done && row_set_add(&orbits->tuples, root) != ROW_NONE &&
           row_set_close_under(&orbits->tuples, finder->move_count, TUPLES_MOST, move_tuple,
                               &tuples) &&
           row_set_sort(&orbits->tuples);
    for (unsigned o = 0; o < tuples.count && tuples.next; o++) {
        free(tuples.next[o]);
    }
    free(tuples.next);
    free(width);
    return done || no_memory(finder->error);
}

// ---- All orbits ---------------------------------------------------------------------------------

static void free_orbit(struct orbit *orbit)
{
    for (unsigned l = 0; l < orbit->level_count; l++) {
        free(orbit->levels[l].digit);
        free(orbit->levels[l].element);
        free(orbit->levels[l].inverse);
    }
    free(orbit->levels);
    free(orbit->slot);
    free(orbit->first);
    free(orbit->slot_of);
    free(orbit->symbols);
    free(orbit->symbol_of);
    row_set_close(&orbit->class_rows);
    free(orbit->class_inverse);
    row_set_close(&orbit->list);
    free(orbit->class_of);
    free(orbit->rank_of);
    free(orbit->row_of);
}

static void free_orbit_list(struct orbits *orbits)
{
    for (unsigned o = 0; o < orbits->count && orbits->orbits; o++) {
        free_orbit(&orbits->orbits[o]);
    }
    free(orbits->orbits);
    orbits->orbits = NULL;
    row_set_close(&orbits->tuples);
}

void orbits_free(struct orbits *orbits)
{
    free_orbit_list(orbits);
    free(orbits->slots);
    *orbits = (struct orbits){.slots = NULL};
}

// Orbits that are coupled too closely become one: those two that are no giants and have the most
// classes. Returns false if there are no two such orbits.
static bool join_orbits(struct finder *finder, const unsigned *number)
{
    struct orbits *orbits = finder->orbits;
    int most = -1;
    int second = -1;
    for (unsigned o = 0; o < orbits->count; o++) {
        const struct orbit *orbit = &orbits->orbits[o];
        if (orbit->kind == ORBIT_GIANT || orbit->classes == 1) {
            continue;
        }
        if (most < 0 || orbit->classes > orbits->orbits[most].classes) {
            second = most;
            most = (int)o;
        } else if (second < 0 || orbit->classes > orbits->orbits[second].classes) {
            second = (int)o;
        }
    }
    if (second < 0) {
        return false;
    }
    unsigned a = number[most];
    unsigned b = number[second];
    for (unsigned s = 0; s < orbits->slot_count; s++) {
        unsigned *orbit = &orbits->slots[s].orbit;
        *orbit = *orbit == (a < b ? b : a) ? (a < b ? a : b) : *orbit;
        *orbit -= *orbit > (a < b ? b : a);
    }
    memmove(finder->giant + (a < b ? b : a), finder->giant + (a < b ? b : a) + 1,
            orbits->count - 1 - (a < b ? b : a));
    orbits->count--;
    return true;
}

// Sorts the orbits: those with the most rows first. `number` becomes the old number of each.
static void sort_orbits(struct orbits *orbits, unsigned *number)
{
    for (unsigned o = 0; o < orbits->count; o++) {
        struct orbit orbit = orbits->orbits[o];
        unsigned at = o;
        for (; at > 0 && orbits->orbits[at - 1].rows - 1 < orbit.rows - 1; at--) {
            orbits->orbits[at] = orbits->orbits[at - 1];
            number[at] = number[at - 1];
        }
        orbits->orbits[at] = orbit;
        number[at] = o;
    }
}

// Finds the classes of all orbits, and the tuples. Sets *again if orbits were joined.
static bool find_classes(struct finder *finder, unsigned *number, bool *again)
{
    struct orbits *orbits = finder->orbits;
    bool too_many = false;
    free_orbit_list(orbits);
    orbits->orbits = calloc(orbits->count + 1, sizeof *orbits->orbits);
    bool done = (orbits->orbits || no_memory(finder->error)) && make_small(finder);
    for (unsigned o = 0; o < orbits->count && done; o++) {
        done = make_classes(finder, o, &orbits->orbits[o]);
        too_many |= done && orbits->orbits[o].classes > CLASSES_MOST;
    }
    if (!done) {
        return false;
    }
    sort_orbits(orbits, number);
    if (!too_many) {
        done = make_tuples(finder, number);
        too_many = orbits->tuples.count > TUPLES_MOST;
    }
    unsigned before = orbits->count;
    *again = done && too_many && join_orbits(finder, number);
    if (*again) {
        unsigned after = orbits->count;
        orbits->count = before; // free_orbit_list frees them all
        free_orbit_list(orbits);
        orbits->count = after;
    }
    orbits->inner = too_many ? 0 : 1;
    for (unsigned o = 0; o < orbits->count && done && !*again; o++) {
        multiply(&orbits->inner, orbits->orbits[o].rows);
    }
    return done;
}

bool orbits_find(const struct puzzle *puzzle, struct orbits *orbits, struct fewest_error *error)
{
    struct finder finder = {.puzzle = puzzle, .orbits = orbits, .error = error};
    *orbits = (struct orbits){.slots = NULL};
    bool done = add_slots(&finder) && choose_moves(&finder);
    if (done) {
        join_slots(&finder);
    }
    done = done && number_orbits(&finder) && make_points(&finder) && find_giants(&finder);
    unsigned *number = calloc(orbits->count + 1, sizeof *number);
    done = done && (number || no_memory(error));
    for (bool again = true; done && again;) {
        done = find_classes(&finder, number, &again);
    }
    free(number);
    free(finder.move);
    free(finder.slot_of_cell);
    free(finder.first);
    free_rows(finder.rows, finder.move_count);
    free(finder.giant);
    random_elements_close(finder.random);
    free(finder.small_first);
    free_rows(finder.small, finder.move_count);
    return done;
}
