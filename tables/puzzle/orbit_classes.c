// Finds the classes of an orbit, and what ranks the rows in them.
#include "puzzle/orbit_chain.h"
#include "puzzle/orbits_own.h"

#include <stdlib.h>
#include <string.h>

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
    bool turns = slot->turns > 1 && finder_turn_counts(puzzle, slot, root);
    return (struct symbol){.set = slot->set,
                           .piece = slot->piece < 0 ? slot->index : root[slot->piece],
                           .turn = slot->turns == 1 && slot->turn >= 0 ? root[slot->turn] : 0,
                           .turns = turns ? slot->turns : 1,
                           .amount = 1};
}

static bool make_symbol_table(const struct finder *finder, struct orbit *orbit)
{
    for (unsigned s = 1; s < orbit->symbol_count; s++) {
        const struct symbol *symbol = &orbit->symbols[s];
        if (symbol->set != symbol[-1].set || symbol->piece == symbol[-1].piece) {
            return true;
        }
    }
    orbit->symbol_at = malloc((UINT8_MAX + 1) * sizeof *orbit->symbol_at);
    if (!orbit->symbol_at) {
        return finder_no_memory(finder->error);
    }
    memset(orbit->symbol_at, 0xFF, (UINT8_MAX + 1) * sizeof *orbit->symbol_at);
    for (unsigned s = 0; s < orbit->symbol_count; s++) {
        orbit->symbol_at[orbit->symbols[s].piece] = (uint16_t)s;
    }
    return true;
}

static bool make_symbols(const struct finder *finder, struct orbit *orbit)
{
    unsigned kept = 0;
    orbit->symbols = calloc(orbit->length, sizeof *orbit->symbols);
    orbit->symbol_of = calloc(orbit->points, sizeof *orbit->symbol_of);
    if (!orbit->symbols || !orbit->symbol_of) {
        return finder_no_memory(finder->error);
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
    return make_symbol_table(finder, orbit);
}

static bool make_orbit(const struct finder *finder, unsigned number, struct orbit *orbit)
{
    const struct orbits *orbits = finder->orbits;
    unsigned count = finder_orbit_length(finder, number);
    *orbit = (struct orbit){.slot = calloc(count, sizeof *orbit->slot),
                            .first = calloc(count, sizeof *orbit->first)};
    if (!orbit->slot || !orbit->first) {
        return finder_no_memory(finder->error);
    }
    for (unsigned s = 0; s < orbits->slot_count; s++) {
        if (finder_in_orbit(finder, s, number)) {
            orbit->first[orbit->length] = (group_point)orbit->points;
            orbit->slot[orbit->length++] = s;
            orbit->points += orbits->slots[s].turns;
        }
    }
    orbit->turns = orbits->slots[orbit->slot[0]].turns;
    orbit->slot_of = calloc(orbit->points, sizeof *orbit->slot_of);
    if (!orbit->slot_of || !make_symbols(finder, orbit)) {
        return finder_no_memory(finder->error);
    }
    for (unsigned i = 0; i < orbit->length; i++) {
        for (unsigned t = 0; t < orbits->slots[orbit->slot[i]].turns; t++) {
            orbit->slot_of[orbit->first[i] + t] = (uint16_t)i;
        }
    }
    return true;
}

// ---- Classes ------------------------------------------------------------------------------------

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
    to[0] = orbit_all_differ(orbit) ? (uint16_t)(row[first + from[0]] - first) : 0;
    to[1] = orbit_sum_counts(orbit) ? (uint16_t)(row[first + 2 + from[1]] - first - 2) : 0;
}

static void move_least(const void *context, unsigned i, const uint16_t *from, uint16_t *to)
{
    const struct step_context *step = context;
    orbit_act(step->orbit, from, local_move(step, i), to);
    chain_least(step->orbit, to);
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
           finder_no_memory(finder->error);
}

static bool make_giant(const struct step_context *step, struct orbit *orbit, const uint16_t *root)
{
    uint16_t invariants[2];
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
            finder_multiply(&orbit->rows, ++placed);
            orbit->rows /= k;
        }
    }
    orbit->rows /= orbit_all_differ(orbit) ? 2 : 1;
    for (unsigned i = orbit_sum_counts(orbit); i < orbit->counting; i++) {
        finder_multiply(&orbit->rows, orbit->turns);
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
                return finder_no_memory(step->finder->error);
            }
            finder_multiply(&orbit->rows, group->levels[l].length);
        }
    }
    if (!orbit->levels) {
        return finder_no_memory(step->finder->error);
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

// Are the rows of a chain rows of bits?
static bool has_bits(const struct step_context *step, const struct orbit *orbit)
{
    bool bits = orbit->length <= 64 && orbit->turns == 2;
    for (unsigned i = 0; i < orbit->length; i++) {
        bits = bits && step->finder->orbits->slots[orbit->slot[i]].piece < 0 &&
               step->finder->orbits->slots[orbit->slot[i]].turns == 2;
    }
    return bits;
}

static bool make_bits(const struct step_context *step, struct orbit *orbit)
{
    if (!has_bits(step, orbit)) {
        return true;
    }
    uint64_t *turned = calloc(orbit->level_count + 1, sizeof *turned);
    orbit->class_turned = calloc(orbit->classes, sizeof *orbit->class_turned);
    if (!turned || !orbit->class_turned) {
        free(turned);
        return finder_no_memory(step->finder->error);
    }
    for (unsigned i = 0; i < orbit->length; i++) {
        for (unsigned l = 0; l < orbit->level_count; l++) {
            const group_point *element = orbit->levels[l].element + orbit->points;
            turned[l] |= (uint64_t)(element[orbit->first[i]] - orbit->first[i]) << i;
        }
        for (uint32_t c = 0; c < orbit->classes; c++) {
            uint16_t value = row_set_row(&orbit->class_rows, c)[i];
            orbit->class_turned[c] |= (uint64_t)(value - orbit->first[i]) << i;
        }
    }
    orbit->turned = turned;
    return true;
}

static bool make_class_points(struct orbit *orbit, const uint16_t *root)
{
    size_t count = (size_t)orbit->classes * orbit->points;
    orbit->root = malloc(orbit->length * sizeof *orbit->root);
    orbit->home = malloc(orbit->points * sizeof *orbit->home);
    orbit->class_points = malloc(count * sizeof *orbit->class_points);
    orbit->class_places = malloc(count * sizeof *orbit->class_places);
    if (!orbit->root || !orbit->home || !orbit->class_points || !orbit->class_places) {
        return false;
    }
    memcpy(orbit->root, root, orbit->length * sizeof *root);
    for (unsigned x = 0; x < orbit->points; x++) {
        orbit->home[orbit_value_at(orbit, root, (group_point)x)] = (group_point)x;
    }
    for (uint32_t c = 0; c < orbit->classes; c++) {
        const uint16_t *least = row_set_row(&orbit->class_rows, c);
        for (unsigned x = 0; x < orbit->points; x++) {
            group_point at = orbit->home[orbit_value_at(orbit, least, (group_point)x)];
            orbit->class_points[(size_t)c * orbit->points + x] = at;
            orbit->class_places[(size_t)c * orbit->points + at] = (group_point)x;
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
    chain_least(orbit, least);
    if (!close_rows(&orbit->class_rows, least, move_least, CLASSES_MOST, step)) {
        return false;
    }
    orbit->classes = orbit->class_rows.count;
    if (orbit->classes > CLASSES_MOST) {
        return true;
    }
    return make_class_points(orbit, root) ? make_bits(step, orbit)
                                          : finder_no_memory(step->finder->error);
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
    group_point **rows = finder_make_rows(group->generator_count, orbit->points);
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
    finder_free_rows(rows, group->generator_count);
    free(queue);
    return done || finder_no_memory(step->finder->error);
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
    return orbit_all_differ(orbit) && orbit->counting == turned;
}

bool finder_make_classes(struct finder *finder, unsigned number, struct orbit *orbit)
{
    struct group group = {.degree = 0};
    unsigned own;
    if (!make_orbit(finder, number, orbit)) {
        return false;
    }
    const uint16_t *root = finder_root_row(finder, orbit);
    struct step_context step = {.finder = finder,
                                .orbit = orbit,
                                .number = number,
                                .local = malloc((orbit->points + 1) * sizeof *step.local)};
    bool done = step.local || finder_no_memory(finder->error);
    if (done && finder->giant[number]) {
        done = make_giant(&step, orbit, root);
    } else if (done) {
        done =
            finder_make_group(finder, number, &group, &own) &&
            (is_regular(finder, orbit) ? make_chain : make_list)(&step, &group, own, orbit, root);
        group_free(&group);
    }
    free(step.local);
    return done;
}

// ---- Moves of classes ---------------------------------------------------------------------------

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

uint16_t *finder_move_classes(const struct finder *finder, unsigned number,
                              const struct orbit *orbit)
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
