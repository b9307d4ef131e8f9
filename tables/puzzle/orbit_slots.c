// Finds the slots and points of a permutation puzzle, and which of them are one orbit.
#include "puzzle/orbits_own.h"

#include <stdlib.h>
#include <string.h>

// ---- Slots --------------------------------------------------------------------------------------

static const struct segment *segment_at(const struct puzzle *puzzle, int cell)
{
    const struct segment *segment = puzzle->segments;
    while (cell >= (int)(segment->first + segment->length)) {
        segment++;
    }
    return segment;
}

bool finder_turn_counts(const struct puzzle *puzzle, const struct slot *slot, const uint8_t *state)
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
    if (slot.piece < 0 && !finder_turn_counts(finder->puzzle, &slot, finder->puzzle->goals[0])) {
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
        return finder_no_memory(finder->error);
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

unsigned finder_slot_before(const struct finder *finder, unsigned m, unsigned s)
{
    const struct slot *slot = &finder->orbits->slots[s];
    return slot->piece < 0 ? s : finder->slot_of_cell[finder->puzzle->moves[m].from[slot->piece]];
}

unsigned finder_turn_of_move(const struct finder *finder, unsigned m, unsigned s)
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

// One move of each generator is enough: the others are its powers.
static bool choose_moves(struct finder *finder)
{
    const struct puzzle *puzzle = finder->puzzle;
    finder->move = calloc(puzzle->move_count, sizeof *finder->move);
    for (unsigned m = 0; m < puzzle->move_count && finder->move; m++) {
        unsigned i = 0;
        while (i < finder->move_count &&
               puzzle->moves[finder->move[i]].generator != puzzle->moves[m].generator) {
            i++;
        }
        if (i == finder->move_count) {
            finder->move[finder->move_count++] = m;
        } else if (strlen(puzzle->moves[m].name) < strlen(puzzle->moves[finder->move[i]].name)) {
            finder->move[i] = m;
        }
    }
    return finder->move || finder_no_memory(finder->error);
}

// Joins slots between which moves take pieces. Slots of one set that are only turned are one orbit.
static void join_slots(struct finder *finder)
{
    struct slot *slots = finder->orbits->slots;
    for (unsigned i = 0; i < finder->move_count; i++) {
        for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
            unsigned before = finder_slot_before(finder, finder->move[i], s);
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
                finder_turn_of_move(finder, finder->move[i], s) > 0) {
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
             (slot->turn >= 0 && turned && finder_turn_counts(puzzle, slot, root)) ||
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
        return finder_no_memory(finder->error);
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

bool finder_in_orbit(const struct finder *finder, unsigned s, unsigned orbit)
{
    return finder->orbits->slots[s].orbit == orbit;
}

unsigned finder_orbit_length(const struct finder *finder, unsigned orbit)
{
    unsigned length = 0;
    for (unsigned s = 0; s < finder->orbits->slot_count; s++) {
        length += finder_in_orbit(finder, s, orbit);
    }
    return length;
}

unsigned finder_first_slot(const struct finder *finder, unsigned orbit)
{
    unsigned s = 0;
    while (!finder_in_orbit(finder, s, orbit)) {
        s++;
    }
    return s;
}

// ---- The group ----------------------------------------------------------------------------------

group_point **finder_make_rows(unsigned count, unsigned degree)
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

void finder_free_rows(group_point **rows, unsigned count)
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
    finder->root_row = calloc(orbits->slot_count + 1, sizeof *finder->root_row);
    finder->giant = calloc(orbits->count + 1, sizeof *finder->giant);
    if (!finder->first || !finder->root_row || !finder->giant) {
        return finder_no_memory(finder->error);
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
    finder->rows = finder_make_rows(finder->move_count, finder->degree);
    if (!finder->rows) {
        return finder_no_memory(finder->error);
    }
    for (unsigned i = 0; i < finder->move_count; i++) {
        for (unsigned s = 0; s < orbits->slot_count; s++) {
            unsigned before = finder_slot_before(finder, finder->move[i], s);
            unsigned turn = finder_turn_of_move(finder, finder->move[i], s);
            for (unsigned t = 0; t < orbits->slots[s].turns; t++) {
                finder->rows[i][finder->first[s] + t] =
                    (group_point)(finder->first[before] + (turn + t) % orbits->slots[s].turns);
            }
        }
    }
    return true;
}

unsigned finder_slot_of_point(const struct finder *finder, group_point at)
{
    unsigned s = 0;
    while (s + 1 < finder->orbits->slot_count && finder->first[s + 1] <= at) {
        s++;
    }
    return s;
}

const uint16_t *finder_root_row(const struct finder *finder, const struct orbit *orbit)
{
    orbit_read(finder->orbits, orbit, finder->puzzle->numbering.roots[0].target, finder->root_row);
    return finder->root_row;
}

bool finder_start(struct finder *finder)
{
    if (!add_slots(finder) || !choose_moves(finder)) {
        return false;
    }
    join_slots(finder);
    return number_orbits(finder) && make_points(finder);
}
