// Makes groups of permutations from generators.
#include "groups.h"

#include "random_elements.h"
#include "tables/base/random.h"

#include <assert.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

// ---- Memory -------------------------------------------------------------------------------------

struct arena_block {
    struct arena_block *next;
    max_align_t bytes[];
};

struct arena *arena_open(uint64_t work)
{
    struct arena *arena = calloc(1, sizeof *arena);
    if (arena) {
        arena->work = work;
        arena->random = RANDOM_SEED;
    }
    return arena;
}

void arena_close(struct arena *arena)
{
    while (arena && arena->blocks) {
        struct arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    free(arena);
}

bool arena_spend(struct arena *arena, uint64_t work)
{
    arena->work += work;
    arena->too_large |= arena->work > CHAIN_WORK_MOST;
    return !arena->too_large && !arena->out_of_memory;
}

void *arena_take(struct arena *arena, size_t size)
{
    enum { BLOCK_LEAST = 1 << 12, BLOCK_MOST = 1 << 20 };
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t); // round up
    if (size > arena->left) { // begin a block as large as all that was taken, within limits
        size_t room = arena->bytes < BLOCK_LEAST  ? BLOCK_LEAST
                      : arena->bytes < BLOCK_MOST ? (size_t)arena->bytes
                                                  : BLOCK_MOST;
        room = size > room ? size : room;
        struct arena_block *block = malloc(sizeof *block + room);
        if (!block) {
            arena->out_of_memory = true;
            return NULL;
        }
        block->next = arena->blocks;
        arena->blocks = block;
        arena->at = (uint8_t *)block->bytes;
        arena->left = room;
    }
    void *taken = arena->at;
    arena->at += size;
    arena->left -= size;
    arena->bytes += size;
    arena->work += CHAIN_BYTE_WORK * (uint64_t)size;
    arena->too_large |= arena->bytes > CHAIN_BYTES_MOST;
    return taken;
}

// ---- Groups -------------------------------------------------------------------------------------

void element_multiply(unsigned degree, const chain_point *a, const chain_point *b, chain_point *out)
{
    for (unsigned x = 0; x < degree; x++) {
        out[x] = a[b[x]];
    }
}

void element_set_identity(unsigned degree, chain_point *row)
{
    for (unsigned x = 0; x < degree; x++) {
        row[x] = (chain_point)x;
    }
}

chain_point *element_copy(struct arena *arena, unsigned degree, const chain_point *row)
{
    chain_point *both = arena_take(arena, 2 * (size_t)degree * sizeof *both);
    if (!both || !arena_spend(arena, 2 * (uint64_t)degree)) {
        return NULL;
    }
    memcpy(both, row, degree * sizeof *both);
    for (unsigned x = 0; x < degree; x++) {
        both[degree + row[x]] = (chain_point)x;
    }
    return both;
}

// Doubles the room for the orbit of a level. Most levels have only their base, and never need it.
// Returns false if memory runs out or above a limit.
static bool make_orbit_room(struct arena *arena, unsigned degree, struct level *level)
{
    unsigned room = level->room > 0 ? 2 * level->room : 8;
    chain_point *orbit = arena_take(arena, room * sizeof *orbit);
    const chain_point **element = arena_take(arena, room * sizeof *element);
    uint16_t *number = level->number ? level->number : arena_take(arena, degree * sizeof *number);
    if (!orbit || !number || !element || !arena_spend(arena, level->length)) {
        return false;
    }
    if (!level->number) {
        memset(number, 0xFF, degree * sizeof *number);
    }
    for (unsigned i = 0; i < level->length; i++) {
        orbit[i] = level->orbit[i];
        number[orbit[i]] = (uint16_t)i;
        element[i] = level->element[i];
    }
    level->room = room;
    level->orbit = orbit;
    level->number = number;
    level->element = element;
    return true;
}

bool level_add(struct arena *arena, unsigned degree, struct level *level,
               const chain_point *row_with_inverse)
{
    if (!row_with_inverse ||
        (level->length >= level->room && !make_orbit_room(arena, degree, level))) {
        return false;
    }
    chain_point image = row_with_inverse[level->base];
    level->number[image] = (uint16_t)level->length;
    level->orbit[level->length] = image;
    level->element[level->length++] = row_with_inverse;
    return true;
}

struct chain_group *group_open(struct arena *arena, unsigned degree, const chain_point *base,
                               unsigned count)
{
    chain_point row[degree + 1];
    struct chain_group *group = arena_take(arena, sizeof *group);
    struct level *levels = arena_take(arena, (count + 1) * sizeof *levels);
    if (!group || !levels) {
        return NULL;
    }
    *group = (struct chain_group){.degree = degree, .level_count = count, .levels = levels};
    element_set_identity(degree, row);
    const chain_point *identity = element_copy(arena, degree, row);
    const chain_point **element = arena_take(arena, sizeof *element); // which all levels share
    if (!identity || !element || !arena_spend(arena, LEVEL_WORK * (uint64_t)count)) {
        return NULL;
    }
    *element = identity;
    for (unsigned l = 0; l < count; l++) {
        levels[l] = (struct level){.base = base[l], .length = 1, .element = element};
        levels[l].orbit = &levels[l].base;
    }
    return group;
}

// Divides a row, level by level, by the level's element that takes the base to the same point. So
// the row comes to fix one base after another. Returns the first level whose orbit lacks that
// point, or the number of levels: then the group has the row, which is now the identity.
static unsigned sift(struct arena *arena, const struct chain_group *group, chain_point *row)
{
    unsigned l = 0;
    for (; l < group->level_count; l++) {
        const struct level *level = &group->levels[l];
        unsigned number = level_number(level, row[level->base]);
        if (number == CHAIN_NONE) {
            break;
        }
        if (row[level->base] != level->base) {
            element_multiply(group->degree, level->element[number] + group->degree, row, row);
            arena->work += group->degree;
        }
    }
    arena->work += LEVEL_WORK * (uint64_t)l;
    return l;
}

// Adds to the orbit of level l what the newest generator makes reachable. Applies only this one to
// the old points of the orbit, which have met the other generators before. New points meet all.
// Returns false if memory runs out or above a limit.
static bool grow_orbit(struct arena *arena, struct chain_group *group, unsigned l)
{
    struct level *level = &group->levels[l];
    unsigned newest = group->generator_count - 1;
    unsigned old = level->length;
    chain_point row[group->degree + 1];
    for (unsigned i = 0; i < level->length; i++) {
        unsigned first = i < old ? newest : 0;
        arena->work += LEVEL_WORK * (uint64_t)(newest + 1 - first);
        for (unsigned g = first; g <= newest; g++) {
            if (group->fixed[g] < l ||
                level_number(level, group->generators[g][level->orbit[i]]) != CHAIN_NONE) {
                continue;
            }
            element_multiply(group->degree, group->generators[g], level->element[i], row);
            if (!level_add(arena, group->degree, level, element_copy(arena, group->degree, row))) {
                return false;
            }
        }
    }
    return true;
}

bool group_add_generator(struct arena *arena, struct chain_group *group, const chain_point *row,
                         unsigned fixed)
{
    if (!row) {
        return false;
    }
    if (group->generator_count == group->generator_room) {
        unsigned room = 2 * group->generator_room + 8;
        const chain_point **generators = arena_take(arena, room * sizeof *generators);
        unsigned *larger_fixed = arena_take(arena, room * sizeof *larger_fixed);
        if (!generators || !larger_fixed) {
            return false;
        }
        for (unsigned g = 0; g < group->generator_count; g++) {
            generators[g] = group->generators[g];
            larger_fixed[g] = group->fixed[g];
        }
        group->generators = generators;
        group->fixed = larger_fixed;
        group->generator_room = room;
    }
    group->generators[group->generator_count] = row;
    group->fixed[group->generator_count++] = fixed;
    return true;
}

bool group_add(struct arena *arena, struct chain_group *group, const chain_point *element,
               bool *added)
{
    chain_point row[group->degree + 1];
    memcpy(row, element, group->degree * sizeof *row);
    unsigned fixed = sift(arena, group, row);
    *added = fixed < group->level_count;
    if (!arena_spend(arena, 2 * (uint64_t)group->degree)) {
        return false;
    }
    if (!*added) {
        return true;
    }
    // After the division, the row fixes the bases before level `fixed`. It becomes a generator.
    bool done = group_add_generator(arena, group, element_copy(arena, group->degree, row), fixed);
    for (unsigned l = 0; l <= fixed && done; l++) {
        done = grow_orbit(arena, group, l);
    }
    return done;
}

long double group_order(const struct chain_group *group, unsigned from)
{
    long double order = 1;
    for (unsigned l = from; l < group->level_count; l++) {
        order *= group->levels[l].length;
    }
    return order;
}

bool group_is_complete(const struct chain_group *group, long double order)
{
    return order > 0 && group_order(group, 0) > order * (1 - 0.25L / CHAIN_LISTED_MOST);
}

// Does the group have an element that fixes the bases before level `from`? images[l] is where the
// element takes the base of level l, for each level from `from` on. As sift does with a row, this
// divides the images by an element of one level after another. They are overwritten.
static bool has_element(struct arena *arena, const struct chain_group *group, unsigned from,
                        chain_point *images)
{
    for (unsigned l = from; l < group->level_count; l++) {
        const struct level *level = &group->levels[l];
        unsigned number = level_number(level, images[l]);
        if (number == CHAIN_NONE) {
            return false;
        }
        if (images[l] == level->base) {
            continue;
        }
        const chain_point *inverse = level->element[number] + group->degree;
        for (unsigned i = l + 1; i < group->level_count; i++) {
            images[i] = inverse[images[i]];
        }
        arena->work += group->level_count - l;
    }
    arena->work += LEVEL_WORK * (uint64_t)group->level_count;
    return true;
}

// Checks level l by Schreier's lemma (groups.h): the group must have each product "element of the
// level, then generator". If it lacks one, adds it, sets *added and returns; then the caller must
// check again. Returns false if memory runs out or above a limit.
static bool prove_level(struct arena *arena, struct chain_group *group, unsigned l, bool *added)
{
    const struct level *level = &group->levels[l];
    chain_point images[group->degree + 1];
    *added = false;
    for (unsigned g = 0; g < group->generator_count; g++) {
        const chain_point *generator = group->generators[g];
        if (group->fixed[g] < l) {
            continue; // it moves the base of an earlier level
        }
        for (unsigned i = 0; i < level->length; i++) {
            // The product takes the bases to `images`. No other element of the group does.
            for (unsigned j = l; j < group->level_count; j++) {
                images[j] = generator[level->element[i][group->levels[j].base]];
            }
            if (!has_element(arena, group, l, images)) {
                chain_point row[group->degree + 1];
                element_multiply(group->degree, generator, level->element[i], row);
                return group_add(arena, group, row, added);
            }
            if (!arena_spend(arena, group->level_count)) {
                return false;
            }
        }
    }
    return true;
}

// Adds what the group lacks, until each level is proved or the order reaches the bound (0 if there
// is none). An added element can change any level, so the proof begins again with the last one.
// Returns false if memory runs out or above a limit.
static bool prove_group(struct arena *arena, struct chain_group *group, long double bound)
{
    unsigned unproved = group->level_count; // levels 0 … unproved-1 are not proved
    while (unproved > 0 && !group_is_complete(group, bound)) {
        bool added;
        if (!prove_level(arena, group, unproved - 1, &added)) {
            return false;
        }
        if (added) {
            unproved = group->level_count;
        } else {
            unproved--;
        }
    }
    return true;
}

void group_draw(struct arena *arena, const struct chain_group *group, unsigned from,
                chain_point *row)
{
    element_set_identity(group->degree, row);
    for (unsigned l = group->level_count; l-- > from;) {
        const struct level *level = &group->levels[l];
        element_multiply(group->degree, level->element[random_below(&arena->random, level->length)],
                         row, row);
    }
    arena->work += (uint64_t)group->degree * (group->level_count - from);
}

// Adds random products of the moves, until the order reaches the plan's bound, or IN_VAIN products
// in a row bring nothing. Something may still be missing then. Returns false if memory runs out or
// above a limit.
static bool add_products(struct arena *arena, struct chain_group *group,
                         const struct chain_plan *plan)
{
    enum { IN_VAIN = 20 };
    struct random_elements *products =
        random_elements_open(plan->degree, plan->moves, plan->move_count);
    bool done = products;
    arena->out_of_memory |= !products;
    arena->work += random_elements_open_work(plan->degree, plan->move_count);
    for (unsigned vain = 0; vain < IN_VAIN && !group_is_complete(group, plan->bound) && done;
         vain++) {
        bool added = false;
        done = arena_spend(arena, random_elements_next_work(plan->degree)) &&
               group_add(arena, group, random_elements_next(products), &added);
        if (added) {
            vain = 0;
        }
    }
    random_elements_close(products);
    return done;
}

bool group_generate(struct arena *arena, struct chain_group *group, const struct chain_plan *plan)
{
    if (plan->move_count > 0 && !add_products(arena, group, plan)) {
        return false;
    }
    if (group_is_complete(group, plan->bound)) {
        return true;
    }
    for (unsigned m = 0; m < plan->move_count; m++) {
        bool added;
        if (!group_add(arena, group, plan->moves[m], &added)) {
            return false;
        }
    }
    return prove_group(arena, group, plan->bound);
}

// At each level, an element of K can take the base to any point of the orbit. Chooses the point
// that `row` takes to the least one.
uint64_t group_make_least(const struct chain_group *group, unsigned from, chain_point *row)
{
    chain_point old[group->degree + 1];
    uint64_t work = 0;
    for (unsigned l = from; l < group->level_count; l++) {
        const struct level *level = &group->levels[l];
        unsigned best = 0;
        for (unsigned i = 1; i < level->length; i++) {
            if (row[level->orbit[i]] < row[level->orbit[best]]) {
                best = i;
            }
        }
        if (level->orbit[best] != level->base) {
            memcpy(old, row, group->degree * sizeof *old);
            element_multiply(group->degree, old, level->element[best], row);
            work += group->degree;
        }
        work += LEVEL_WORK + LEAST_WORK * level->length;
    }
    return work;
}

bool group_finish_level(struct arena *arena, struct chain_group *group, unsigned l)
{
    struct level *level = &group->levels[l];
    if (!level->number) {
        return true; // the base alone; its element is the identity
    }
    const chain_point **element = arena_take(arena, level->length * sizeof *element);
    unsigned count = 0;
    for (unsigned x = 0; x < group->degree && element; x++) {
        chain_point row[group->degree + 1];
        if (level->number[x] == CHAIN_NONE) {
            continue;
        }
        memcpy(row, level->element[level->number[x]], group->degree * sizeof *row);
        arena->work += group_make_least(group, l + 1, row);
        element[count] = element_copy(arena, group->degree, row);
        level->orbit[count] = (chain_point)x;
        level->number[x] = (uint16_t)count;
        if (!element[count++]) {
            return false;
        }
    }
    level->element = element;
    return arena_spend(arena, group->degree);
}
