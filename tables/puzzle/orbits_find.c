// Finds the orbits of a permutation puzzle, and the tuples of their classes.
#include "puzzle/orbits_own.h"

#include <stdlib.h>
#include <string.h>

// ---- Tuples -------------------------------------------------------------------------------------

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

// Finds the tuples that occur. `number` has the number of each orbit in the finder.
static bool make_tuples(const struct finder *finder, const unsigned *number)
{
    struct orbits *orbits = finder->orbits;
    struct tuple_context tuples = {0};
    uint16_t *root = calloc(orbits->count + 1, sizeof *root); // its tuple
    uint32_t *width = calloc(orbits->count + 1, sizeof *width);
    tuples.next = calloc(orbits->count + 1, sizeof *tuples.next);
    bool done = root && width && tuples.next;
    for (unsigned o = 0; o < orbits->count && done; o++) {
        const struct orbit *orbit = &orbits->orbits[o];
        if (orbit->classes > 1) {
            root[tuples.count] = (uint16_t)orbit_class(orbit, finder_root_row(finder, orbit));
            width[tuples.count] = orbit->classes;
            tuples.next[tuples.count] = finder_move_classes(finder, number[o], orbit);
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
    free(root);
    return done || finder_no_memory(finder->error);
}

// ---- Too many tuples ----------------------------------------------------------------------------
// Then they are not listed, but counted. The group acts on *signs*: what a giant shows of its
// parity and its sum, the points of a chain, the classes of a listed orbit. Of a chain and of a
// giant, only an element that keeps all signs keeps the class. So the tuples are as many as the
// group of the signs has elements or, if there is a listed orbit, as its stabilizer has cosets.

struct signs {
    const struct finder *finder;
    group_point **rows; // by move
    group_point *base;
    unsigned degree;
    unsigned base_count;
};

// Adds points of the small group as signs. The base needs every `step`-th of them.
static void add_points(struct signs *signs, unsigned first, unsigned count, unsigned step)
{
    for (unsigned i = 0; i < signs->finder->move_count; i++) {
        for (unsigned x = 0; x < count; x++) {
            signs->rows[i][signs->degree + x] =
                (group_point)(signs->finder->small[i][first + x] - first + signs->degree);
        }
    }
    for (unsigned x = 0; x < count; x += step) {
        signs->base[signs->base_count++] = (group_point)(signs->degree + x);
    }
    signs->degree += count;
}

// Adds the classes of a listed orbit. The class of the root comes first in the base.
static bool add_classes(struct signs *signs, unsigned number, const struct orbit *orbit)
{
    const struct finder *finder = signs->finder;
    uint16_t *next = finder_move_classes(finder, number, orbit);
    for (unsigned i = 0; i < finder->move_count && next; i++) {
        for (uint32_t c = 0; c < orbit->classes; c++) {
            signs->rows[i][signs->degree + c] =
                (group_point)(signs->degree + next[(size_t)i * orbit->classes + c]);
        }
    }
    uint32_t root = orbit_class(orbit, finder_root_row(finder, orbit));
    for (uint32_t c = 0; c < orbit->classes && next; c++) {
        uint32_t class = c == 0 ? root : c == root ? 0 : c;
        signs->base[signs->base_count++] = (group_point)(signs->degree + class);
    }
    signs->degree += orbit->classes;
    free(next);
    return next;
}

static bool add_signs(struct signs *signs, unsigned number, const struct orbit *orbit)
{
    unsigned first = signs->finder->small_first[number];
    if (orbit->kind == ORBIT_LISTED) {
        return add_classes(signs, number, orbit);
    }
    if (orbit->kind == ORBIT_CHAIN) {
        add_points(signs, first, orbit->points, 1);
        return true;
    }
    if (orbit_all_differ(orbit)) {
        add_points(signs, first, 2, 2);
    }
    if (orbit_sum_counts(orbit)) {
        add_points(signs, first + 2, orbit->turns, orbit->turns);
    }
    return true;
}

// Adds the signs of all orbits with several classes, the only one that is no giant last. Sets
// *counted to how many points of the base matter.
static bool add_all_signs(struct signs *signs, const unsigned *number, unsigned *counted)
{
    const struct orbits *orbits = signs->finder->orbits;
    for (unsigned o = 0; o < orbits->count; o++) {
        const struct orbit *orbit = &orbits->orbits[o];
        if (orbit->classes > 1 && orbit->kind == ORBIT_GIANT) {
            add_signs(signs, number[o], orbit);
        }
    }
    *counted = signs->base_count;
    for (unsigned o = 0; o < orbits->count; o++) {
        const struct orbit *orbit = &orbits->orbits[o];
        if (orbit->classes > 1 && orbit->kind != ORBIT_GIANT) {
            if (!add_signs(signs, number[o], orbit)) {
                return false;
            }
            *counted = orbit->kind == ORBIT_LISTED ? *counted + 1 : signs->base_count;
        }
    }
    return true;
}

static unsigned count_signs(const struct orbits *orbits)
{
    unsigned count = 0;
    for (unsigned o = 0; o < orbits->count; o++) {
        const struct orbit *orbit = &orbits->orbits[o];
        count += orbit->classes == 1           ? 0
                 : orbit->kind == ORBIT_LISTED ? orbit->classes
                 : orbit->kind == ORBIT_CHAIN  ? orbit->points
                                               : 2 + orbit->turns;
    }
    return count;
}

static bool count_tuples(const struct finder *finder, const unsigned *number)
{
    struct orbits *orbits = finder->orbits;
    unsigned room = count_signs(orbits);
    unsigned counted = 0;
    struct group group = {.degree = 0};
    if (room > GROUP_DEGREE_MOST) {
        return error_set(finder->error, FEWEST_BEYOND,
                         "%s has too many states to count: its orbits have more than %d classes",
                         finder->puzzle->name, GROUP_DEGREE_MOST);
    }
    row_set_close(&orbits->tuples);
    struct signs signs = {.finder = finder,
                          .rows = finder_make_rows(finder->move_count, room),
                          .base = malloc((room + 1) * sizeof *signs.base)};
    bool done = signs.rows && signs.base && add_all_signs(&signs, number, &counted) &&
                group_make(&group, signs.degree, (const group_point *const *)signs.rows,
                           finder->move_count, signs.base, signs.base_count, 0);
    orbits->lengths = done ? calloc(counted + 1, sizeof *orbits->lengths) : NULL;
    for (unsigned l = 0; l < counted && orbits->lengths; l++) {
        orbits->lengths[orbits->length_count++] = group.levels[l].length;
    }
    bool too_large = group.too_large;
    group_free(&group);
    finder_free_rows(signs.rows, finder->move_count);
    free(signs.base);
    return orbits->lengths || finder_no_group(finder, too_large);
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
    free(orbit->turned);
    free(orbit->class_turned);
    free(orbit->slot);
    free(orbit->first);
    free(orbit->slot_of);
    free(orbit->symbols);
    free(orbit->symbol_of);
    free(orbit->symbol_at);
    row_set_close(&orbit->class_rows);
    free(orbit->root);
    free(orbit->home);
    free(orbit->class_points);
    free(orbit->class_places);
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
    free(orbits->lengths);
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

// Takes the work for the rows of an orbit into account. Returns false if it becomes too much.
static bool can_go_on(struct finder *finder, const struct orbit *orbit)
{
    enum { WEIGHT = 16 }; // looking up a row costs more than a step of a group
    uint64_t rows = (uint64_t)orbit->class_rows.count + orbit->list.count;
    finder->work += rows * finder->move_count * orbit->length * WEIGHT;
    return finder->work <= GROUP_WORK_MOST || finder_no_group(finder, true);
}

// Finds the classes of all orbits, and the tuples. Sets *again if orbits were joined.
static bool find_classes(struct finder *finder, unsigned *number, bool *again)
{
    struct orbits *orbits = finder->orbits;
    bool too_many = false;
    free_orbit_list(orbits);
    struct orbit *list = calloc(orbits->count + 1, sizeof *list);
    if (!list) {
        return finder_no_memory(finder->error);
    }
    orbits->orbits = list;
    bool done = finder_make_small(finder);
    for (unsigned o = 0; o < orbits->count && done; o++) {
        done = finder_make_classes(finder, o, &orbits->orbits[o]) &&
               can_go_on(finder, &orbits->orbits[o]);
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
    } else if (done && too_many) {
        done = count_tuples(finder, number);
    }
    orbits->inner = too_many ? 0 : 1;
    for (unsigned o = 0; o < orbits->count && done && !*again; o++) {
        finder_multiply(&orbits->inner, orbits->orbits[o].rows);
    }
    return done;
}

bool orbits_find(const struct puzzle *puzzle, struct orbits *orbits, struct fewest_error *error)
{
    struct finder finder = {.puzzle = puzzle, .orbits = orbits, .error = error};
    *orbits = (struct orbits){.slots = NULL};
    bool done = finder_start(&finder) && finder_find_giants(&finder);
    unsigned *number = calloc(orbits->count + 1, sizeof *number);
    done = done && (number || finder_no_memory(error));
    for (bool again = true; done && again;) {
        done = find_classes(&finder, number, &again);
    }
    free(number);
    free(finder.move);
    free(finder.slot_of_cell);
    free(finder.first);
    free(finder.root_row);
    finder_free_rows(finder.rows, finder.move_count);
    free(finder.giant);
    random_elements_close(finder.random);
    free(finder.small_first);
    finder_free_rows(finder.small, finder.move_count);
    return done;
}
