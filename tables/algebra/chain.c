// Builds chains of cosets, and ranks with them.
#include "chain.h"

#include "random_elements.h"
#include "tables/base/random.h"

#include <assert.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

// ---- Memory -------------------------------------------------------------------------------------
// Rows are shared between groups, so all memory of a chain is freed together.

struct arena_block {
    struct arena_block *next;
    max_align_t bytes[];
};

struct arena {
    struct arena_block *blocks;
    uint8_t *at; // of the newest block
    size_t left;
    uint64_t bytes;
    uint64_t work; // entries that were written or compared
    bool out_of_memory;
    bool too_large;
    uint64_t random; // seed
};

// Work, in entries that take as long.
enum {
    LEVEL_WORK = 8, // to look at a level
    LEAST_WORK = 4, // to compare a point with the least one so far
    SET_WORK = 300, // to look a set up, besides its points: mostly waiting for memory
};

// Counts work. Returns false if a limit is exceeded or memory ran out, now or earlier.
static bool spend_work(struct arena *arena, uint64_t work)
{
    arena->work += work;
    arena->too_large |= arena->work > CHAIN_WORK_MOST;
    return !arena->too_large && !arena->out_of_memory;
}

// Returns `size` bytes for any type, which chain_free frees. NULL without memory. Above
// CHAIN_BYTES_MOST it only sets `too_large`, and the next spend_work fails.
static void *take(struct arena *arena, size_t size)
{
    enum { BLOCK_LEAST = 1 << 12, BLOCK_MOST = 1 << 20 };
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (size > arena->left) {
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
// A stabilizer chain along single points, the *bases*. Level l belongs to the subgroup that fixes
// the bases of levels 0 … l-1. Its *orbit* is where this subgroup takes the base of level l.

struct level {
    chain_point base;
    unsigned length; // of the orbit
    unsigned room;   // of `orbit` and `element`, in points
    // The base first. Once the chain is finished, the orbit of a digit's level is rising.
    chain_point *orbit;
    uint16_t *number; // by point: its number in the orbit, or CHAIN_NONE; NULL if length is 1
    // The *transversals*. By number: an element that takes the base there; its inverse lies after
    // it.
    const chain_point **element;
};

struct chain_group {
    unsigned degree;
    unsigned level_count;
    struct level *levels;
    const chain_point **generators;
    unsigned *fixed; // by generator: how many levels, from the first, have bases that it fixes
    unsigned generator_count;
    unsigned generator_room;
};

// Writes the product that applies b first, then a. `out` may be b.
static void multiply(unsigned degree, const chain_point *a, const chain_point *b, chain_point *out)
{
    for (unsigned x = 0; x < degree; x++) {
        out[x] = a[b[x]];
    }
}

static void set_identity(unsigned degree, chain_point *row)
{
    for (unsigned x = 0; x < degree; x++) {
        row[x] = (chain_point)x;
    }
}

// Copies a row to the arena, and writes its inverse after it: 2 × degree points. Returns NULL
// without memory or above a limit.
static chain_point *copy_with_inverse(struct arena *arena, unsigned degree, const chain_point *row)
{
    chain_point *both = take(arena, 2 * (size_t)degree * sizeof *both);
    if (!both || !spend_work(arena, 2 * (uint64_t)degree)) {
        return NULL;
    }
    memcpy(both, row, degree * sizeof *both);
    for (unsigned x = 0; x < degree; x++) {
        both[degree + row[x]] = (chain_point)x;
    }
    return both;
}

// Returns the number of a point in the orbit of a level, or CHAIN_NONE.
static inline unsigned number_in_orbit(const struct level *level, chain_point point)
{
    if (level->number) {
        return level->number[point];
    }
    return point == level->base ? 0 : CHAIN_NONE;
}

// Doubles the room for the orbit of a level. Most levels have only their base, and never need it.
// Returns false without memory or above a limit.
static bool make_orbit_room(struct arena *arena, unsigned degree, struct level *level)
{
    unsigned room = level->room > 0 ? 2 * level->room : 8;
    chain_point *orbit = take(arena, room * sizeof *orbit);
    const chain_point **element = take(arena, room * sizeof *element);
    uint16_t *number = level->number ? level->number : take(arena, degree * sizeof *number);
    if (!orbit || !number || !element || !spend_work(arena, level->length)) {
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

// Adds the image of the base to the orbit of a level, with the row that takes the base there. The
// image is new. Returns false above a limit, without memory, or if the row is NULL because its
// copy_with_inverse failed.
static bool add_to_orbit(struct arena *arena, unsigned degree, struct level *level,
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

// Makes the group that has only the identity, with `count` levels along the points of `base`. NULL
// without memory or above a limit.
static struct chain_group *open_group(struct arena *arena, unsigned degree, const chain_point *base,
                                      unsigned count)
{
    chain_point row[degree + 1];
    struct chain_group *group = take(arena, sizeof *group);
    struct level *levels = take(arena, (count + 1) * sizeof *levels);
    if (!group || !levels) {
        return NULL;
    }
    *group = (struct chain_group){.degree = degree, .level_count = count, .levels = levels};
    set_identity(degree, row);
    const chain_point *identity = copy_with_inverse(arena, degree, row);
    const chain_point **element = take(arena, sizeof *element);
    if (!identity || !element || !spend_work(arena, LEVEL_WORK * (uint64_t)count)) {
        return NULL;
    }
    *element = identity;
    for (unsigned l = 0; l < count; l++) {
        levels[l] = (struct level){.base = base[l], .length = 1, .element = element};
        levels[l].orbit = &levels[l].base;
    }
    return group;
}

// Divides a row, level by level, by the element that takes the base to the same point. So it fixes
// one base after another. Returns the first level whose orbit lacks that point, or the number of
// levels: then the group has the row, which is now the identity.
static unsigned sift(struct arena *arena, const struct chain_group *group, chain_point *row)
{
    unsigned l = 0;
    for (; l < group->level_count; l++) {
        const struct level *level = &group->levels[l];
        unsigned number = number_in_orbit(level, row[level->base]);
        if (number == CHAIN_NONE) {
            break;
        }
        if (row[level->base] != level->base) {
            multiply(group->degree, level->element[number] + group->degree, row, row);
            arena->work += group->degree;
        }
    }
    arena->work += LEVEL_WORK * (uint64_t)l;
    return l;
}

// Adds to the orbit of level l what the newest generator makes reachable. The old points of the
// orbit need only this generator: they have met the others before. New points meet all.
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
                number_in_orbit(level, group->generators[g][level->orbit[i]]) != CHAIN_NONE) {
                continue;
            }
            multiply(group->degree, group->generators[g], level->element[i], row);
            if (!add_to_orbit(arena, group->degree, level,
                              copy_with_inverse(arena, group->degree, row))) {
                return false;
            }
        }
    }
    return true;
}

// Adds a generator that fixes the bases of the first `fixed` levels. Returns false without memory,
// also if the row is NULL because its copy_with_inverse failed.
static bool add_generator(struct arena *arena, struct chain_group *group, const chain_point *row,
                          unsigned fixed)
{
    if (!row) {
        return false;
    }
    if (group->generator_count == group->generator_room) {
        unsigned room = 2 * group->generator_room + 8;
        const chain_point **generators = take(arena, room * sizeof *generators);
        unsigned *larger_fixed = take(arena, room * sizeof *larger_fixed);
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

// Makes the group have an element. Sets *added to false if it had the element before. Returns false
// without memory or above a limit.
static bool add_element(struct arena *arena, struct chain_group *group, const chain_point *element,
                        bool *added)
{
    chain_point row[group->degree + 1];
    memcpy(row, element, group->degree * sizeof *row);
    unsigned fixed = sift(arena, group, row);
    *added = fixed < group->level_count;
    if (!spend_work(arena, 2 * (uint64_t)group->degree)) {
        return false;
    }
    if (!*added) {
        return true;
    }
    bool done = add_generator(arena, group, copy_with_inverse(arena, group->degree, row), fixed);
    for (unsigned l = 0; l <= fixed && done; l++) {
        done = grow_orbit(arena, group, l);
    }
    return done;
}

// Returns the order of the subgroup that fixes the bases of the levels before `from`.
static long double order_of(const struct chain_group *group, unsigned from)
{
    long double order = 1;
    for (unsigned l = from; l < group->level_count; l++) {
        order *= group->levels[l].length;
    }
    return order;
}

// Does the group have all elements that it should have? `order` is how many these are, or an upper
// bound; 0 if nothing is known, and then the answer is false. A subgroup lacks a share of at least
// 1/degree, and a list of sets one of at least 1/CHAIN_LISTED_MOST. A quarter of the smaller one
// allows for errors of rounding.
static bool is_complete(const struct chain_group *group, long double order)
{
    return order > 0 && order_of(group, 0) > order * (1 - 0.25L / CHAIN_LISTED_MOST);
}

// Does the group have an element that fixes the bases before level `from`? images[l] is where the
// element takes the base of level l, for each level from `from` on. Dividing the images by one
// transversal after another needs no whole row. It overwrites the images.
static bool has_element(struct arena *arena, const struct chain_group *group, unsigned from,
                        chain_point *images)
{
    for (unsigned l = from; l < group->level_count; l++) {
        const struct level *level = &group->levels[l];
        unsigned number = number_in_orbit(level, images[l]);
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

// Checks level l by Schreier's lemma: the group must have each product "element of the orbit, then
// generator". If it lacks one, adds it, sets *added and returns. So the caller calls it again.
// Returns false without memory or above a limit.
static bool prove_level(struct arena *arena, struct chain_group *group, unsigned l, bool *added)
{
    const struct level *level = &group->levels[l];
    chain_point images[group->degree + 1];
    *added = false;
    for (unsigned g = 0; g < group->generator_count; g++) {
        const chain_point *generator = group->generators[g];
        for (unsigned i = 0; i < level->length && group->fixed[g] >= l; i++) {
            for (unsigned j = l; j < group->level_count; j++) {
                images[j] = generator[level->element[i][group->levels[j].base]];
            }
            if (!has_element(arena, group, l, images)) {
                chain_point row[group->degree + 1];
                multiply(group->degree, generator, level->element[i], row);
                return add_element(arena, group, row, added);
            }
            if (!spend_work(arena, group->level_count)) {
                return false;
            }
        }
    }
    return true;
}

// Adds what the group lacks, until each level is proved or the order reaches the bound (0 if there
// is none). An added element can change any level, so the proof begins again with the last one.
// Returns false without memory or above a limit.
static bool prove_group(struct arena *arena, struct chain_group *group, long double bound)
{
    unsigned unproved = group->level_count; // levels 0 … unproved-1 are not proved
    while (unproved > 0 && !is_complete(group, bound)) {
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

// Writes a uniform random element of the subgroup that fixes the bases of the levels before `from`.
// It is a product of one factor for each level: an element that takes the base to a random point of
// the orbit.
static void draw_element(struct arena *arena, const struct chain_group *group, unsigned from,
                         chain_point *row)
{
    set_identity(group->degree, row);
    for (unsigned l = group->level_count; l-- > from;) {
        const struct level *level = &group->levels[l];
        multiply(group->degree, level->element[random_below(&arena->random, level->length)], row,
                 row);
    }
    arena->work += (uint64_t)group->degree * (group->level_count - from);
}

// Adds random products of the moves, until the order reaches the plan's bound, or IN_VAIN products
// in a row bring nothing. Something may still be missing then. Returns false without memory or
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
    for (unsigned vain = 0; vain < IN_VAIN && !is_complete(group, plan->bound) && done; vain++) {
        bool added = false;
        done = spend_work(arena, random_elements_next_work(plan->degree)) &&
               add_element(arena, group, random_elements_next(products), &added);
        if (added) {
            vain = 0;
        }
    }
    random_elements_close(products);
    return done;
}

// Makes the group, which has only the identity yet, the one that the plan's moves generate, and
// proves that it is complete. Returns false without memory or above a limit.
static bool generate_group(struct arena *arena, struct chain_group *group,
                           const struct chain_plan *plan)
{
    if (plan->move_count > 0 && !add_products(arena, group, plan)) {
        return false;
    }
    if (is_complete(group, plan->bound)) {
        return true;
    }
    for (unsigned m = 0; m < plan->move_count; m++) {
        bool added;
        if (!add_element(arena, group, plan->moves[m], &added)) {
            return false;
        }
    }
    return prove_group(arena, group, plan->bound);
}

// Makes an element canonical. Let K be the subgroup that fixes the bases before level `from`. The
// product "an element of K, then `row`" replaces `row`: the one that takes the bases, in their
// order, to the least points. The result does not depend on which transversals the levels have.
// Returns the work that it took.
static uint64_t make_least(const struct chain_group *group, unsigned from, chain_point *row)
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
            multiply(group->degree, old, level->element[best], row);
            work += group->degree;
        }
        work += LEVEL_WORK + LEAST_WORK * level->length;
    }
    return work;
}

// Sorts the orbit of a level, numbers its points in this order, and makes the transversals
// canonical. Returns false without memory or above a limit.
static bool finish_level(struct arena *arena, struct chain_group *group, unsigned l)
{
    struct level *level = &group->levels[l];
    if (!level->number) {
        return true; // the base alone; its element is the identity
    }
    const chain_point **element = take(arena, level->length * sizeof *element);
    unsigned count = 0;
    for (unsigned x = 0; x < group->degree && element; x++) {
        chain_point row[group->degree + 1];
        if (level->number[x] == CHAIN_NONE) {
            continue;
        }
        memcpy(row, level->element[level->number[x]], group->degree * sizeof *row);
        arena->work += make_least(group, l + 1, row);
        element[count] = copy_with_inverse(arena, group->degree, row);
        level->orbit[count] = (chain_point)x;
        level->number[x] = (uint16_t)count;
        if (!element[count++]) {
            return false;
        }
    }
    level->element = element;
    return spend_work(arena, group->degree);
}

// ---- Sets ---------------------------------------------------------------------------------------

// A digit of a set of points numbers the points that its images can have: point digit->slot[p] has
// the *position* p.

// Sorts different positions below `slots`: marks each one, and lists the marks.
static void sort_positions(unsigned slots, uint16_t *positions, unsigned count)
{
    enum { BITS = 64 };
    uint64_t marks[slots / BITS + 1];
    memset(marks, 0, sizeof marks);
    for (unsigned i = 0; i < count; i++) {
        marks[positions[i] / BITS] |= UINT64_C(1) << positions[i] % BITS;
    }
    unsigned listed = 0;
    for (unsigned word = 0; word <= slots / BITS; word++) {
        for (uint64_t rest = marks[word]; rest > 0; rest &= rest - 1) {
            positions[listed++] = (uint16_t)(word * BITS + (unsigned)__builtin_ctzll(rest));
        }
    }
}

// Fills in the positions of a digit: the points of the thing, and all points to which the digit's
// group can take them, rising. Returns false without memory or above a limit.
static bool list_slots(struct arena *arena, struct chain_digit *digit)
{
    const struct chain_group *group = digit->group;
    unsigned degree = group->degree;
    bool is_in[degree + 1];
    chain_point queue[degree + 1];
    unsigned count = 0;
    memset(is_in, false, sizeof is_in);
    for (; count < digit->thing->size; count++) {
        queue[count] = digit->thing->points[count];
        is_in[queue[count]] = true;
    }
    for (unsigned i = 0; i < count; i++) {
        for (unsigned g = 0; g < group->generator_count; g++) {
            chain_point image = group->generators[g][queue[i]];
            if (group->fixed[g] >= digit->level && !is_in[image]) {
                is_in[image] = true;
                queue[count++] = image;
            }
        }
    }
    chain_point *slot = take(arena, count * sizeof *slot);
    uint16_t *position = take(arena, degree * sizeof *position);
    if (!slot || !position) {
        return false;
    }
    memset(position, 0xFF, degree * sizeof *position);
    for (unsigned x = 0; x < degree; x++) {
        if (is_in[x]) {
            slot[digit->slots] = (chain_point)x;
            position[x] = (uint16_t)digit->slots++;
        }
    }
    digit->slot = slot;
    digit->position = position;
    return spend_work(arena, degree + LEVEL_WORK * (uint64_t)count * group->generator_count);
}

// ---- Listed sets --------------------------------------------------------------------------------
// A *key* is the row that stands for a set in digit->sets. It lists the positions of the set's
// points, rising. Or, if that is shorter, it has a bit for each position: 0 if a point of the set
// is there. The highest bit of its first number is position 0. So keys are in the same order as
// sets.

enum { KEY_BITS = 16 }; // of each number of a key

static unsigned key_length(const struct chain_digit *digit)
{
    unsigned numbers = (digit->slots + KEY_BITS - 1) / KEY_BITS;
    return numbers < digit->thing->size ? numbers : digit->thing->size;
}

// Writes the key of a set. Its positions may have any order, and are overwritten.
static void write_key(const struct chain_digit *digit, uint16_t *positions, uint16_t *key)
{
    unsigned size = digit->thing->size;
    unsigned length = digit->sets.length;
    if (length == size) {
        sort_positions(digit->slots, positions, size);
        memcpy(key, positions, size * sizeof *key);
        return;
    }
    memset(key, 0xFF, length * sizeof *key);
    for (unsigned i = 0; i < size; i++) {
        key[positions[i] / KEY_BITS] &= (uint16_t) ~(0x8000u >> positions[i] % KEY_BITS);
    }
}

// Writes the positions of the set that a key stands for, in any order.
static void read_key(const struct chain_digit *digit, const uint16_t *key, uint16_t *positions)
{
    unsigned size = digit->thing->size;
    unsigned length = digit->sets.length;
    unsigned count = 0;
    if (length == size) {
        memcpy(positions, key, size * sizeof *positions);
        return;
    }
    for (unsigned i = 0; i < length; i++) {
        for (unsigned rest = (uint16_t)~key[i]; rest > 0; rest &= rest - 1) {
            positions[count++] = (uint16_t)((i + 1) * KEY_BITS - 1 - (unsigned)__builtin_ctz(rest));
        }
    }
}

// The search for the images of a thing.
struct set_list {
    struct arena *arena;
    struct chain_digit *digit;
    struct chain_source *found; // of set n, in the order of adding
    const chain_point **steps;  // of the digit
    unsigned step_count;
    unsigned step_room;
};

enum { RANDOM_STEPS_MOST = 256 }; // about 30 list any images

// Adds `count` keys, at most ROWS_AT_ONCE. They are the images of the sets from `first` on under a
// step. Returns false without memory or above a limit.
static bool add_images(struct set_list *list, unsigned step, uint32_t first, const uint16_t *keys,
                       unsigned count)
{
    struct arena *arena = list->arena;
    struct row_set *sets = &list->digit->sets;
    uint32_t known = sets->count;
    uint32_t numbers[ROWS_AT_ONCE];
    arena->bytes -= row_set_bytes(sets);
    row_set_add_many(sets, keys, count, numbers);
    for (unsigned i = 0; i < count; i++) {
        if (numbers[i] == ROW_NONE) {
            arena->out_of_memory = true;
        } else if (numbers[i] == known) {
            list->found[known++] = (struct chain_source){first + i, step};
        }
    }
    arena->bytes += row_set_bytes(sets);
    arena->too_large |= sets->count > CHAIN_LISTED_MOST || arena->bytes > CHAIN_BYTES_MOST;
    return spend_work(arena, count * (SET_WORK + 2 * (uint64_t)list->digit->thing->size +
                                      list->digit->sets.length));
}

// Adds the images of the sets first … end-1 under a step. Returns false without memory or above a
// limit.
static bool step_from_sets(struct set_list *list, unsigned step, uint32_t first, uint32_t end)
{
    struct arena *arena = list->arena;
    struct chain_digit *digit = list->digit;
    unsigned size = digit->thing->size;
    uint16_t moved[digit->slots + 1]; // by position: where the step takes it
    uint16_t positions[size];
    uint16_t keys[ROWS_AT_ONCE * digit->sets.length];
    memset(positions, 0, sizeof positions); // analyzers do not see that read_key fills it
    for (unsigned p = 0; p < digit->slots; p++) {
        moved[p] = digit->position[list->steps[step][digit->slot[p]]];
    }
    bool done = spend_work(arena, digit->slots);
    unsigned count = 0;
    for (uint32_t i = first; i < end && done; i++) {
        read_key(digit, row_set_row(&digit->sets, i), positions);
        for (unsigned j = 0; j < size; j++) {
            positions[j] = moved[positions[j]];
        }
        write_key(digit, positions, keys + count++ * (size_t)digit->sets.length);
        if (count == ROWS_AT_ONCE || i + 1 == end) {
            done = add_images(list, step, i + 1 - count, keys, count);
            count = 0;
        }
    }
    return done;
}

// Applies the generators of the digit's group to all sets, until nothing is new. That lists all
// images. Gives up, and leaves *complete false, when it has taken `patience` work. Returns false
// without memory or above a limit.
static bool list_by_generators(struct set_list *list, uint64_t patience, bool *complete)
{
    const struct row_set *sets = &list->digit->sets;
    uint64_t begin = list->arena->work;
    uint32_t first = 0;
    while (first < sets->count) {
        uint32_t end = sets->count;
        for (unsigned g = 0; g < list->step_count; g++) {
            if (list->arena->work - begin > patience) {
                return true;
            }
            if (!step_from_sets(list, g, first, end)) {
                return false;
            }
        }
        first = end;
    }
    *complete = true;
    return true;
}

// Returns C(n, i) for all n ≤ slots and i ≤ size, at index n × (size+1) + i; NULL without memory.
// Larger ones become 2^63, so that no sum of two overflows.
static const uint64_t *list_binomials(struct arena *arena, unsigned slots, unsigned size)
{
    static const uint64_t MOST = UINT64_C(1) << 63;
    size_t width = size + 1;
    uint64_t *binomial = take(arena, (slots + 1) * width * sizeof *binomial);
    for (unsigned n = 0; n <= slots && binomial; n++) {
        uint64_t *row = binomial + n * width;
        row[0] = 1;
        for (unsigned i = 1; i <= size; i++) {
            uint64_t sum = 0; // C(0, i)
            if (n > 0) {
                const uint64_t *above = row - width;
                sum = above[i] + above[i - 1];
            }
            row[i] = sum < MOST ? sum : MOST;
        }
    }
    return binomial;
}

// Is every set of k points of some orbit an image of this thing of k points? Then its images need
// no list. It is so if the levels of its points have lengths n, n-1, …, n-k+1, and the orbit of the
// first of these levels has all of its points.
static bool can_be_implicit(const struct chain_digit *digit)
{
    const struct level *levels = digit->group->levels + digit->level;
    for (unsigned i = 0; i < digit->thing->size; i++) {
        if (levels[i].length + i != levels[0].length ||
            number_in_orbit(&levels[0], digit->thing->points[i]) == CHAIN_NONE) {
            return false;
        }
    }
    return true;
}

// Makes an implicit digit: binomials, and its length, which is 0 if it needs more than 63 bits.
// Returns false without memory or above a limit.
static bool make_implicit(struct arena *arena, struct chain_digit *digit)
{
    unsigned size = digit->thing->size;
    digit->kind = CHAIN_IMPLICIT;
    digit->binomial = list_binomials(arena, digit->slots, size);
    if (!digit->binomial) {
        return false;
    }
    uint64_t length = digit->binomial[digit->slots * (size_t)(size + 1) + size];
    digit->length = length >> 63 ? 0 : length;
    return spend_work(arena, (digit->slots + 1) * (uint64_t)(size + 1));
}

// Replaces the images of a thing by their positions. Returns false if one has none.
static bool find_positions(const struct chain_digit *digit, chain_point *images)
{
    for (unsigned i = 0; i < digit->thing->size; i++) {
        images[i] = digit->position[images[i]];
        if (images[i] == CHAIN_NONE) {
            return false;
        }
    }
    return true;
}

// Returns the number of an image of a listed or implicit thing; UINT64_MAX if there is no such
// image. `images` has the image's points in any order, and is overwritten.
static uint64_t number_set(const struct chain_digit *digit, chain_point *images)
{
    unsigned size = digit->thing->size;
    uint64_t number = 0;
    if (!find_positions(digit, images)) {
        return UINT64_MAX;
    }
    if (digit->kind == CHAIN_LISTED) {
        uint16_t key[digit->sets.length];
        write_key(digit, images, key);
        uint32_t found = row_set_find(&digit->sets, key);
        return found == ROW_NONE ? UINT64_MAX : found;
    }
    sort_positions(digit->slots, images, size);
    for (unsigned i = 0; i < size; i++) {
        number += digit->binomial[images[i] * (size_t)(size + 1) + i + 1];
    }
    return number;
}

uint64_t chain_number(const struct chain_digit *digit, chain_point *images)
{
    if (digit->kind == CHAIN_LISTED || digit->kind == CHAIN_IMPLICIT) {
        return number_set(digit, images);
    }
    unsigned number = number_in_orbit(&digit->group->levels[digit->level], *images);
    return number == CHAIN_NONE ? UINT64_MAX : number;
}

// Writes the points of image `number` of an implicit thing, rising. From the last point on, each is
// at the largest position n with C(n, i) at most the number that is left.
static void unrank_set(const struct chain_digit *digit, uint64_t number, chain_point *set)
{
    unsigned size = digit->thing->size;
    size_t width = size + 1;
    unsigned n = digit->slots;
    for (unsigned i = size; i > 0; i--) {
        while (digit->binomial[n * width + i] > number) {
            n--;
        }
        number -= digit->binomial[n * width + i];
        set[i - 1] = digit->slot[n];
    }
}

// Writes to `row` an element that takes point i of an implicit thing to images[i], for each i. The
// images are different points of the digit's orbit. They are overwritten.
static void find_element_to(const struct chain_digit *digit, chain_point *images, chain_point *row)
{
    unsigned degree = digit->group->degree;
    chain_point product[digit->group->degree + 1];
    set_identity(degree, row);
    for (unsigned i = 0; i < digit->thing->size; i++) {
        const struct level *level = &digit->group->levels[digit->level + i];
        const chain_point *element = level->element[number_in_orbit(level, images[i])];
        multiply(degree, row, element, product);
        memcpy(row, product, degree * sizeof *row);
        for (unsigned j = i + 1; j < digit->thing->size; j++) {
            images[j] = element[degree + images[j]];
        }
    }
}

// Writes to `row` some element of the digit's group that takes its thing to image `number`. It need
// not be the canonical one. Returns the work that it took.
static uint64_t find_element(const struct chain_digit *digit, uint64_t number, chain_point *row)
{
    const struct chain_group *group = digit->group;
    uint64_t work = group->degree;
    chain_point images[digit->group->degree + 1];
    chain_point product[digit->group->degree + 1];
    if (digit->kind == CHAIN_IMPLICIT) {
        unrank_set(digit, number, images);
        find_element_to(digit, images, row);
        return work * (2 * (uint64_t)digit->thing->size + 1);
    }
    if (digit->kind != CHAIN_LISTED) {
        memcpy(row, group->levels[digit->level].element[number], group->degree * sizeof *row);
        return work;
    }
    set_identity(group->degree, row);
    // Go back from the set to the thing, whose number is 0, and multiply the steps on this way.
    for (; number > 0; number = digit->sources[number].set) {
        multiply(group->degree, row, digit->steps[digit->sources[number].step], product);
        memcpy(row, product, group->degree * sizeof *row);
        work += 2 * (uint64_t)group->degree;
    }
    return work;
}

// Writes an element that takes the digit's thing to these images, the same one for any order of
// them. They are overwritten. Returns the work that it took, or 0 if there is none. An implicit
// thing may have too many images for numbers.
static uint64_t find_element_of(const struct chain_digit *digit, chain_point *images,
                                chain_point *row)
{
    unsigned size = digit->thing->size;
    if (digit->kind != CHAIN_IMPLICIT) {
        uint64_t number = chain_number(digit, images);
        return number == UINT64_MAX ? 0 : find_element(digit, number, row);
    }
    if (!find_positions(digit, images)) {
        return 0;
    }
    sort_positions(digit->slots, images, size);
    for (unsigned i = 0; i < size; i++) {
        images[i] = digit->slot[images[i]];
    }
    find_element_to(digit, images, row);
    return digit->group->degree * (2 * (uint64_t)size + 1);
}

// ---- What fixes a set ---------------------------------------------------------------------------

// Returns the subgroup of the digit's group that fixes each point of its thing. Its levels are
// those of the digit's group after the thing's own. More levels follow, with the thing's points as
// bases: they still have only the identity, and fill_rest fills them. NULL without memory or above
// a limit.
static struct chain_group *copy_later_levels(struct arena *arena, const struct chain_digit *digit)
{
    const struct chain_group *from = digit->group;
    unsigned size = digit->thing->size;
    unsigned first = digit->level + size; // the thing's points are the bases of levels before
    unsigned count = from->level_count - first;
    chain_point base[digit->group->degree + 1];
    for (unsigned l = 0; l < count; l++) {
        base[l] = from->levels[first + l].base;
    }
    memcpy(base + count, digit->thing->points, size * sizeof *base);
    struct chain_group *group = open_group(arena, from->degree, base, count + size);
    for (unsigned l = 0; l < count && group; l++) {
        const struct level *level = &from->levels[first + l];
        for (unsigned i = 0; i < level->length; i++) {
            if (level->orbit[i] != level->base &&
                !add_to_orbit(arena, from->degree, &group->levels[l], level->element[i])) {
                return NULL;
            }
        }
    }
    for (unsigned g = 0; g < from->generator_count && group; g++) {
        if (from->fixed[g] >= first &&
            !add_generator(arena, group, from->generators[g], from->fixed[g] - first)) {
            return NULL;
        }
    }
    return group;
}

// Returns the order of the stabilizer of the digit's thing: that of its group, divided by the
// number of images that are known.
static long double order_of_rest(const struct chain_digit *digit)
{
    unsigned size = digit->thing->size;
    long double images = digit->kind == CHAIN_LISTED ? digit->sets.count : 1;
    for (unsigned i = 0; i < size && digit->kind == CHAIN_IMPLICIT; i++) { // C(slots, size)
        images = images * (digit->slots - i) / (i + 1);
    }
    return order_of(digit->group, digit->level) / images;
}

// Adds random elements of the digit's group to `rest`, a subgroup of the stabilizer of its thing.
// Each is divided by an element that takes the thing to the same image. That is a uniform random
// element of the stabilizer, and brings something new with a chance of a half. Sets *complete when
// the order of the stabilizer is reached. Stops before that if IN_VAIN elements in a row bring
// nothing, or if an image is not listed. Returns false without memory or above a limit.
static bool fill_rest(struct arena *arena, const struct chain_digit *digit,
                      struct chain_group *rest, bool *complete)
{
    enum { IN_VAIN = 20 };
    unsigned degree = rest->degree;
    long double order = order_of_rest(digit);
    chain_point row[degree + 1];
    chain_point element[degree + 1];
    chain_point images[degree + 1];
    arena->too_large |= !(order <= LDBL_MAX);
    for (unsigned vain = 0; vain < IN_VAIN && !is_complete(rest, order); vain++) {
        bool added;
        draw_element(arena, digit->group, digit->level, row);
        for (unsigned j = 0; j < digit->thing->size; j++) {
            images[j] = row[digit->thing->points[j]];
        }
        uint64_t work = find_element_of(digit, images, element);
        arena->work += work;
        if (work == 0) {
            break;
        }
        for (unsigned x = 0; x < degree; x++) {
            images[element[x]] = (chain_point)x; // the inverse
        }
        multiply(degree, images, row, row);
        if (!spend_work(arena, 2 * (uint64_t)degree) || !add_element(arena, rest, row, &added)) {
            return false;
        }
        if (added) {
            vain = 0;
        }
    }
    *complete = is_complete(rest, order);
    return spend_work(arena, 0);
}

// Fills in the stabilizer of the thing of a digit whose images are known. Returns false without
// memory or above a limit.
static bool make_rest(struct arena *arena, struct chain_digit *digit)
{
    struct chain_group *rest = copy_later_levels(arena, digit);
    bool complete = false;
    digit->rest = rest;
    while (rest && !complete) {
        if (!fill_rest(arena, digit, rest, &complete)) {
            return false;
        }
    }
    return rest;
}

// ---- All images of a thing ----------------------------------------------------------------------
// If an orbit has the sets O, and A are those that are listed, a random element g of the group
// takes A to any set of O with the same chance. So the sets A and gA together are nearly twice as
// many as a few sets A. When A has more than half of O, most cycles of g have sets of A, so all
// sets of these cycles are added. That lists O with a few images for each of its sets, whatever
// generators the group has.
//
// The proof that nothing is missing is the order of the stabilizer: |O| is the order of the group
// divided by it. The order of a subgroup of the stabilizer gives an upper bound of |O|. If A has as
// many sets, it is O.

// Adds a random element of the digit's group to the steps. Returns false without memory or above a
// limit.
static bool add_random_step(struct set_list *list)
{
    unsigned degree = list->digit->group->degree;
    chain_point *row = take(list->arena, degree * sizeof *row);
    list->arena->too_large |= list->step_count == list->step_room;
    if (!row || !spend_work(list->arena, 0)) {
        return false;
    }
    draw_element(list->arena, list->digit->group, list->digit->level, row);
    list->steps[list->step_count++] = row;
    return true;
}

// Applies a new random step to all sets. If that adds less than half as many, applies it also to
// those that it adds, and sets *slow. Returns false without memory or above a limit.
static bool grow_at_random(struct set_list *list, bool *slow)
{
    const struct row_set *sets = &list->digit->sets;
    uint32_t old = sets->count;
    uint32_t first = 0;
    bool done = add_random_step(list);
    *slow = true;
    while (done && first < sets->count && *slow) {
        uint32_t end = sets->count;
        done = step_from_sets(list, list->step_count - 1, first, end);
        first = end;
        *slow = sets->count - old < old / 2 + 1;
    }
    return done;
}

// Adds images by random elements until it is proved that these are all. That also makes the
// stabilizer. Returns false without memory or above a limit.
static bool list_at_random(struct set_list *list)
{
    struct chain_group *rest = copy_later_levels(list->arena, list->digit);
    bool complete = false;
    list->digit->rest = rest;
    while (rest && !complete) {
        bool slow;
        if (!grow_at_random(list, &slow) ||
            (slow && !fill_rest(list->arena, list->digit, rest, &complete))) {
            return false;
        }
    }
    return rest;
}

// Numbers the sets in lexicographic order, so that the numbers do not depend on the steps. The
// thing keeps number 0, because the points are in the order of the things. Returns false without
// memory.
static bool sort_sets(struct arena *arena, struct chain_digit *digit,
                      const struct chain_source *found)
{
    uint32_t count = digit->sets.count;
    uint32_t *number = malloc(count * sizeof *number); // by old number
    struct chain_source *sources = take(arena, count * sizeof *sources);
    bool done = number && sources && row_set_sort(&digit->sets, number);
    for (uint32_t i = 1; i < count && done; i++) {
        sources[number[i]] = (struct chain_source){number[found[i].set], found[i].step};
    }
    free(number);
    digit->sources = sources;
    arena->out_of_memory |= !done;
    return spend_work(arena, SET_WORK * (uint64_t)count);
}

// Lists the images of a thing, with room for them in list->found and for the steps. First by the
// generators, as long as this takes less time than a proof of a list that is made at random.
// Returns false without memory or above a limit.
static bool find_sets(struct set_list *list)
{
    enum { PROOF = 64 }; // random elements of a proof
    struct chain_digit *digit = list->digit;
    const struct chain_group *group = digit->group;
    uint64_t levels = group->level_count - digit->level;
    uint16_t positions[digit->thing->size];
    uint16_t key[digit->sets.length];
    bool complete = false;
    for (unsigned g = 0; g < group->generator_count; g++) {
        if (group->fixed[g] >= digit->level) {
            list->steps[list->step_count++] = group->generators[g];
        }
    }
    for (unsigned j = 0; j < digit->thing->size; j++) {
        positions[j] = digit->position[digit->thing->points[j]];
    }
    write_key(digit, positions, key);
    list->arena->out_of_memory |= row_set_add(&digit->sets, key) == ROW_NONE;
    list->arena->bytes += row_set_bytes(&digit->sets);
    return spend_work(list->arena, 0) &&
           list_by_generators(list, PROOF * levels * group->degree, &complete) &&
           (complete || list_at_random(list));
}

// Makes a listed digit: lists all images of its thing and their sources. Returns false without
// memory or above a limit.
static bool list_sets(struct arena *arena, struct chain_digit *digit)
{
    unsigned room = digit->group->generator_count + RANDOM_STEPS_MOST;
    struct chain_source *found = malloc((CHAIN_LISTED_MOST + ROWS_AT_ONCE) * sizeof *found);
    const chain_point **steps = take(arena, room * sizeof *steps);
    struct set_list list = {
        .arena = arena, .digit = digit, .found = found, .steps = steps, .step_room = room};
    digit->kind = CHAIN_LISTED;
    digit->sources = found;
    digit->steps = steps;
    row_set_open(&digit->sets, key_length(digit));
    arena->out_of_memory |= !found;
    bool done = spend_work(arena, 0) && find_sets(&list) && sort_sets(arena, digit, found);
    digit->length = digit->sets.count;
    free(found);
    return done;
}

// ---- The chain ----------------------------------------------------------------------------------

// Fills in the bases of the group of the moves: the points of things first … thing_count-1 in their
// order, and then the plan's other points that are not among these. Each point appears once, so
// `base` needs room for plan->degree points. Returns how many there are.
static unsigned list_base_points(const struct chain_plan *plan, unsigned first, chain_point *base)
{
    bool taken[plan->degree + 1];
    memset(taken, false, sizeof taken);
    unsigned count = 0;
    for (unsigned t = first; t < plan->thing_count; t++) {
        for (unsigned j = 0; j < plan->things[t].size; j++) {
            base[count++] = plan->things[t].points[j];
            taken[plan->things[t].points[j]] = true;
        }
    }
    for (unsigned i = 0; i < plan->other_count; i++) {
        if (!taken[plan->others[i]]) {
            base[count++] = plan->others[i];
        }
    }
    return count;
}

// Makes the group structure of a first digit that has first_elements: one level whose orbit has
// their images, in their order. It is no group, only the form in which a digit keeps its elements.
// NULL without memory or above a limit.
static struct chain_group *list_first_elements(struct arena *arena, const struct chain_plan *plan)
{
    struct chain_group *group = open_group(arena, plan->degree, plan->things[0].points, 1);
    if (group) {
        group->levels[0].length = 0; // the identity is one of the first elements
    }
    for (unsigned i = 0; i < plan->first_count && group; i++) {
        if (!add_to_orbit(arena, plan->degree, &group->levels[0],
                          copy_with_inverse(arena, plan->degree, plan->first_elements[i]))) {
            return NULL;
        }
    }
    return group;
}

// Makes a digit, whose thing, group and level are filled in, and the stabilizer of its thing. The
// last digit needs none. Returns false without memory or above a limit.
static bool make_digit(struct arena *arena, struct chain_digit *digit, bool is_last)
{
    if (digit->thing->size == 1) {
        digit->kind = CHAIN_LEVEL;
        digit->length = digit->group->levels[digit->level].length;
        digit->rest = digit->group;
        digit->rest_level = digit->level + 1;
        return true;
    }
    bool made = list_slots(arena, digit) &&
                (can_be_implicit(digit) ? make_implicit(arena, digit) : list_sets(arena, digit));
    if (!made || is_last || digit->rest) {
        return made;
    }
    return make_rest(arena, digit);
}

// Makes the group of the moves, and then digit after digit: the group of each one fixes the things
// of all digits before it. Returns false without memory or above a limit.
static bool make_digits(struct chain *chain)
{
    const struct chain_plan *plan = chain->plan;
    struct arena *arena = chain->arena;
    unsigned first = plan->first_elements ? 1 : 0;
    chain_point base[2 * plan->degree + 1];
    unsigned base_count = list_base_points(plan, first, base);
    struct chain_group *moves = open_group(arena, plan->degree, base, base_count);
    chain->digits = take(arena, (plan->thing_count + 1) * sizeof *chain->digits);
    chain->group = moves;
    if (!moves || !chain->digits || !generate_group(arena, moves, plan)) {
        return false;
    }
    chain->order = order_of(moves, 0);
    const struct chain_group *group = moves;
    unsigned level = 0;
    for (unsigned t = 0; t < plan->thing_count; t++) {
        struct chain_digit *digit = &chain->digits[chain->digit_count++];
        *digit = (struct chain_digit){.thing = &plan->things[t], .group = group, .level = level};
        if (t < first) {
            digit->kind = CHAIN_FIRST;
            digit->group = list_first_elements(arena, plan);
            digit->length = plan->first_count;
            digit->rest = moves;
            if (!digit->group) {
                return false;
            }
            continue;
        }
        if (!make_digit(arena, digit, t + 1 == plan->thing_count)) {
            return false;
        }
        group = digit->rest;
        level = digit->rest_level;
    }
    return true;
}

// Fills in the error after a failure, and returns false.
static bool report_failure(const struct arena *arena, struct fewest_error *error)
{
    if (arena->too_large) {
        return error_set(error, FEWEST_BEYOND, "the moves generate a group that is too large");
    }
    return error_no_memory(error, "for the numbers of the states");
}

bool chain_make(struct chain *chain, const struct chain_plan *plan, struct fewest_error *error)
{
    assert(plan->degree <= CHAIN_DEGREE_MOST);
    *chain = (struct chain){.plan = plan, .arena = calloc(1, sizeof *chain->arena), .count = 1};
    if (!chain->arena) {
        return error_no_memory(error, "for the numbers of the states");
    }
    chain->arena->random = RANDOM_SEED;
    chain->arena->work = plan->work;
    bool done = make_digits(chain) && spend_work(chain->arena, 0);
    chain->work = chain->arena->work;
    if (!done) {
        return report_failure(chain->arena, error);
    }
    for (unsigned d = 0; d < chain->digit_count; d++) {
        uint64_t length = chain->digits[d].length;
        if (length > 0 && chain->count <= INT64_MAX / length) {
            chain->count *= length;
        } else {
            chain->count = 0; // and stays 0
        }
    }
    return true;
}

// Multiplies a number by C(n, size).
static void multiply_by_binomial(struct large *number, unsigned n, unsigned size)
{
    for (unsigned i = 0; i < size; i++) {
        large_multiply(number, n - i);
    }
    for (unsigned i = 0; i < size; i++) {
        large_divide(number, i + 1);
    }
}

// The part of a group that was found takes the points of the things, in their order, to as many
// rows as the lengths of their levels multiply to. At most the product of the factorials of the
// sizes of the things are one state.
static void multiply_by_rows(const struct chain *chain, struct large *number)
{
    unsigned level = 0;
    for (unsigned t = 0; t < chain->plan->thing_count; t++) {
        for (unsigned i = 0; i < chain->plan->things[t].size; i++) {
            large_multiply(number, chain->group->levels[level++].length);
        }
    }
    for (unsigned t = 0; t < chain->plan->thing_count; t++) {
        for (unsigned i = 1; i < chain->plan->things[t].size; i++) {
            large_divide(number, i + 1);
        }
    }
    if (number->count == 1 && number->limbs[0] == 0) {
        large_set(number, 1);
    }
}

// The last digit of a chain that failed is not known. If it is listed, some images are.
void chain_multiply_count(const struct chain *chain, struct large *number)
{
    if (chain->digit_count == 0 && chain->group) {
        multiply_by_rows(chain, number);
    }
    for (unsigned d = 0; d < chain->digit_count; d++) {
        const struct chain_digit *digit = &chain->digits[d];
        if (digit->kind == CHAIN_IMPLICIT) {
            multiply_by_binomial(number, digit->slots, digit->thing->size);
        } else if (digit->kind == CHAIN_LISTED) {
            large_multiply(number, digit->sets.count > 0 ? digit->sets.count : 1);
        } else {
            large_multiply(number, (uint32_t)digit->length);
        }
    }
}

// Makes room to keep the rows of a digit's canonical elements. calloc maps pages that take memory
// only when they are written. A level has its rows already. A digit with too many rows, or without
// memory for them, keeps none: each is computed when it is needed.
static void make_room_for_rows(struct chain *chain, struct chain_digit *digit)
{
    size_t row_bytes = 2 * (size_t)chain->plan->degree * sizeof *digit->rows;
    if (digit->kind == CHAIN_LEVEL || digit->length == 0 || digit->length > CHAIN_KEPT_MOST ||
        digit->length * row_bytes > CHAIN_BYTES_MOST) {
        return;
    }
    digit->rows = calloc(digit->length, row_bytes);
    digit->row_state = calloc(digit->length, sizeof *digit->row_state);
    if (!digit->rows || !digit->row_state) {
        free(digit->rows);
        digit->rows = NULL;
    }
}

// The elements of all other digits become canonical when they are made.
bool chain_finish(struct chain *chain, struct fewest_error *error)
{
    chain->arena->work = chain->work; // other chains of the definition may have been made meanwhile
    for (unsigned d = chain->digit_count; d-- > 0;) {
        const struct chain_digit *digit = &chain->digits[d];
        struct chain_group *group = (struct chain_group *)(uintptr_t)digit->group;
        if (digit->kind == CHAIN_LEVEL && !finish_level(chain->arena, group, digit->level)) {
            return report_failure(chain->arena, error);
        }
    }
    chain->work = chain->arena->work;
    for (unsigned d = 0; d < chain->digit_count; d++) {
        make_room_for_rows(chain, &chain->digits[d]);
    }
    return true;
}

uint64_t chain_bytes(const struct chain *chain)
{
    uint64_t bytes = chain->arena->bytes;
    for (unsigned d = 0; d < chain->digit_count; d++) {
        const struct chain_digit *digit = &chain->digits[d];
        bytes += digit->rows ? digit->length * 2 * chain->plan->degree * sizeof *digit->rows : 0;
    }
    return bytes;
}

void chain_free(struct chain *chain)
{
    for (unsigned d = 0; d < chain->digit_count; d++) {
        free(chain->digits[d].rows);
        free((void *)chain->digits[d].row_state);
        row_set_close(&chain->digits[d].sets);
    }
    while (chain->arena && chain->arena->blocks) {
        struct arena_block *next = chain->arena->blocks->next;
        free(chain->arena->blocks);
        chain->arena->blocks = next;
    }
    free(chain->arena);
    *chain = (struct chain){.digit_count = 0};
}

// ---- Ranking ------------------------------------------------------------------------------------

// Computes what chain_row returns: writes the canonical element that takes the thing of digit d to
// image `number`, and its inverse after it.
static void make_row(const struct chain *chain, unsigned d, uint64_t number, chain_point *row)
{
    const struct chain_digit *digit = &chain->digits[d];
    unsigned degree = chain->plan->degree;
    find_element(digit, number, row);
    if (digit->rest) {
        make_least(digit->rest, digit->rest_level, row);
    }
    for (unsigned x = 0; x < degree; x++) {
        row[degree + row[x]] = (chain_point)x;
    }
}

// The values of a digit's row_state.
enum { ROW_MISSING, ROW_COMING, ROW_KEPT };

// Does the work of chain_row for a digit that is no level. Several threads may need the same row at
// once. The first one makes it in the chain. Until it is there, each of the others makes it in its
// own `room`.
static const chain_point *find_or_make_row(const struct chain *chain, unsigned d, uint64_t number,
                                           chain_point *room)
{
    const struct chain_digit *digit = &chain->digits[d];
    size_t length = 2 * (size_t)chain->plan->degree;
    if (!digit->rows) {
        make_row(chain, d, number, room);
        return room;
    }
    _Atomic uint8_t *state = &digit->row_state[number];
    chain_point *row = digit->rows + number * length;
    uint8_t expected = ROW_MISSING;
    if (atomic_load_explicit(state, memory_order_acquire) == ROW_KEPT) {
        return row;
    }
    if (!atomic_compare_exchange_strong(state, &expected, ROW_COMING)) {
        make_row(chain, d, number, room);
        return room;
    }
    make_row(chain, d, number, row);
    atomic_store_explicit(state, ROW_KEPT, memory_order_release);
    return row;
}

const chain_point *chain_row(const struct chain *chain, unsigned d, uint64_t number,
                             chain_point *room)
{
    const struct chain_digit *digit = &chain->digits[d];
    return digit->kind == CHAIN_LEVEL // canonical, because finish_group made it so
               ? digit->group->levels[digit->level].element[number]
               : find_or_make_row(chain, d, number, room);
}

// Returns the number of points in `room` for chain_row: a row and its inverse, and one more,
// because an array may not be empty, even if there are no points.
static size_t row_room_points(const struct chain *chain)
{
    return 2 * (size_t)chain->plan->degree + 1;
}

// Divides by some element for each digit, which need not be the canonical one. An implicit digit
// may have too many images for a number.
bool chain_includes(const struct chain *chain, chain_point *images, unsigned count)
{
    unsigned degree = chain->plan->degree;
    chain_point element[degree + 1];
    chain_point inverse[degree + 1];
    for (unsigned d = 0; d < chain->digit_count; d++) {
        const struct chain_digit *digit = &chain->digits[d];
        unsigned size = digit->thing->size;
        if (find_element_of(digit, images, element) == 0) {
            return false;
        }
        for (unsigned x = 0; x < degree; x++) {
            inverse[element[x]] = (chain_point)x;
        }
        images += size;
        count -= size;
        for (unsigned j = 0; j < count; j++) {
            images[j] = inverse[images[j]];
        }
    }
    return true;
}

// The number of a digit is that of the image of its thing. Then the images that are left are
// divided by the digit's canonical element: what remains of g fixes the thing.
uint64_t chain_divide(const struct chain *chain, unsigned first, unsigned end, chain_point *images,
                      unsigned count)
{
    uint64_t rank = 0;
    chain_point room[row_room_points(chain)];
    for (unsigned d = first; d < end; d++) {
        const struct chain_digit *digit = &chain->digits[d];
        uint64_t number = chain_number(digit, images);
        if (number == UINT64_MAX) {
            return UINT64_MAX;
        }
        rank = rank * digit->length + number;
        images += digit->thing->size;
        count -= digit->thing->size;
        if (count > 0 && number > 0) {
            const chain_point *inverse = chain_row(chain, d, number, room) + chain->plan->degree;
            for (unsigned j = 0; j < count; j++) {
                images[j] = inverse[images[j]];
            }
        }
    }
    return rank;
}

// Replaces each of `count` points x by g(x), where g is the element of state `number`:
//
//     g = u_1 u_2 … u_k, where u_d is the canonical element that digit d of the number stands for
//
// A product applies its right factor first. So the digits are taken from the last to the first.
// A digit of value 0 stands for the identity, which is left out.
void chain_unrank_images(const struct chain *chain, uint64_t number, chain_point *points,
                         unsigned count)
{
    chain_point room[row_room_points(chain)];
    for (unsigned d = chain->digit_count; d-- > 0;) {
        uint64_t length = chain->digits[d].length;
        uint64_t value = number % length; // of digit d
        number /= length;
        if (value > 0) {
            const chain_point *factor = chain_row(chain, d, value, room);
            for (unsigned j = 0; j < count; j++) {
                points[j] = factor[points[j]];
            }
        }
    }
}

void chain_unrank_element(const struct chain *chain, uint64_t number, chain_point *element)
{
    set_identity(chain->plan->degree, element);
    chain_unrank_images(chain, number, element, chain->plan->degree);
}

// Applies the generators of that subgroup to the points of the set, until it grows no more.
void chain_close(const struct chain *chain, unsigned first, bool *is_in)
{
    const struct chain_digit *digit = &chain->digits[first];
    const struct chain_group *group = digit->group;
    assert(digit->kind != CHAIN_FIRST);
    for (bool grows = true; grows;) {
        grows = false;
        for (unsigned g = 0; g < group->generator_count; g++) {
            if (group->fixed[g] < digit->level) {
                continue; // it moves a thing before digit `first`
            }
            for (unsigned x = 0; x < group->degree; x++) {
                unsigned image = group->generators[g][x];
                if (is_in[x] && !is_in[image]) {
                    is_in[image] = true;
                    grows = true;
                }
            }
        }
    }
}
