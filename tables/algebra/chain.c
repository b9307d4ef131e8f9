// Builds chains of cosets, and ranks with them.
#include "chain.h"

#include "random_elements.h"

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
    uint64_t random;
};

static bool is_affordable(struct arena *arena, uint64_t work)
{
    arena->work += work;
    arena->too_large |= arena->work > CHAIN_WORK_MOST;
    return !arena->too_large && !arena->out_of_memory;
}

static void *take(struct arena *arena, size_t size)
{
    enum { BLOCK = 1 << 20 };
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (size > arena->left) {
        size_t room = size > BLOCK ? size : BLOCK;
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
    arena->too_large |= arena->bytes > CHAIN_BYTES_MOST;
    return taken;
}

// Always the same numbers, so that a chain does not depend on chance.
static unsigned random_below(struct arena *arena, unsigned bound)
{
    arena->random = arena->random * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)((arena->random >> 33) % bound);
}

// ---- Groups -------------------------------------------------------------------------------------
// A stabilizer chain along single points, the base.

struct level {
    chain_point base;
    unsigned length;             // of the orbit of the base, under what fixes the bases before it
    chain_point *orbit;          // rising, once the chain is finished
    uint16_t *number;            // by point: its number in the orbit, or CHAIN_NONE
    const chain_point **element; // by number: takes the base there; its inverse lies after it
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

// out := b, then a. It may be b.
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

static chain_point *copy_with_inverse(struct arena *arena, unsigned degree, const chain_point *row)
{
    chain_point *both = take(arena, 2 * (size_t)degree * sizeof *both);
    if (!both || !is_affordable(arena, degree)) {
        return NULL;
    }
    memcpy(both, row, degree * sizeof *both);
    for (unsigned x = 0; x < degree; x++) {
        both[degree + row[x]] = (chain_point)x;
    }
    return both;
}

static bool add_to_orbit(struct level *level, const chain_point *row_with_inverse)
{
    if (!row_with_inverse) {
        return false;
    }
    chain_point image = row_with_inverse[level->base];
    level->number[image] = (uint16_t)level->length;
    level->orbit[level->length] = image;
    level->element[level->length++] = row_with_inverse;
    return true;
}

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
    for (unsigned l = 0; l < count; l++) {
        struct level *level = &levels[l];
        *level = (struct level){.base = base[l],
                                .orbit = take(arena, degree * sizeof *level->orbit),
                                .number = take(arena, degree * sizeof *level->number),
                                .element = take(arena, degree * sizeof *level->element)};
        if (!level->orbit || !level->number || !level->element || !is_affordable(arena, degree)) {
            return NULL;
        }
        memset(level->number, 0xFF, degree * sizeof *level->number);
        if (!add_to_orbit(level, identity)) {
            return NULL;
        }
    }
    return group;
}

// Divides a row by transversals as far as possible. Returns the level where that ends.
static unsigned sift(struct arena *arena, const struct chain_group *group, chain_point *row)
{
    unsigned l = 0;
    for (; l < group->level_count; l++) {
        const struct level *level = &group->levels[l];
        unsigned number = level->number[row[level->base]];
        if (number == CHAIN_NONE) {
            break;
        }
        if (row[level->base] != level->base) {
            multiply(group->degree, level->element[number] + group->degree, row, row);
            arena->work += group->degree;
        }
    }
    return l;
}

// Takes the newest generator into account. Old points of the orbit have met all others.
static bool grow_orbit(struct arena *arena, struct chain_group *group, unsigned l)
{
    struct level *level = &group->levels[l];
    unsigned newest = group->generator_count - 1;
    unsigned old = level->length;
    chain_point row[group->degree + 1];
    for (unsigned i = 0; i < level->length; i++) {
        for (unsigned g = i < old ? newest : 0; g <= newest; g++) {
            if (group->fixed[g] < l ||
                level->number[group->generators[g][level->orbit[i]]] != CHAIN_NONE) {
                continue;
            }
            multiply(group->degree, group->generators[g], level->element[i], row);
            if (!add_to_orbit(level, copy_with_inverse(arena, group->degree, row))) {
                return false;
            }
        }
    }
    return true;
}

static bool add_generator(struct arena *arena, struct chain_group *group, const chain_point *row,
                          unsigned fixed)
{
    if (group->generator_count == group->generator_room) {
        unsigned room = 2 * group->generator_room + 8;
        const chain_point **generators = take(arena, room * sizeof *generators);
        unsigned *fixes = take(arena, room * sizeof *fixes);
        if (!generators || !fixes) {
            return false;
        }
        for (unsigned g = 0; g < group->generator_count; g++) {
            generators[g] = group->generators[g];
            fixes[g] = group->fixed[g];
        }
        group->generators = generators;
        group->fixed = fixes;
        group->generator_room = room;
    }
    group->generators[group->generator_count] = row;
    group->fixed[group->generator_count++] = fixed;
    return row;
}

// Adds what an element has beyond the group so far. *added tells whether it has something.
static bool add_element(struct arena *arena, struct chain_group *group, const chain_point *element,
                        bool *added)
{
    chain_point row[group->degree + 1];
    memcpy(row, element, group->degree * sizeof *row);
    unsigned fixed = sift(arena, group, row);
    *added = fixed < group->level_count;
    if (!*added) {
        return is_affordable(arena, group->degree);
    }
    bool done = add_generator(arena, group, copy_with_inverse(arena, group->degree, row), fixed);
    for (unsigned l = 0; l <= fixed && done; l++) {
        done = grow_orbit(arena, group, l);
    }
    return done;
}

// The order of what fixes the bases of the levels before `from`.
static long double order_of(const struct chain_group *group, unsigned from)
{
    long double order = 1;
    for (unsigned l = from; l < group->level_count; l++) {
        order *= group->levels[l].length;
    }
    return order;
}

// Is this the order, or a bound that it does not exceed? 0: nothing is known.
static bool is_complete(const struct chain_group *group, long double order)
{
    return order > 0 && order_of(group, 0) > order * (1 - 0.5L / group->degree);
}

// Does an element reduce to the identity? images[l] is where it takes the base of level l.
static bool reduces(struct arena *arena, const struct chain_group *group, unsigned from,
                    chain_point *images)
{
    for (unsigned l = from; l < group->level_count; l++) {
        const struct level *level = &group->levels[l];
        unsigned number = level->number[images[l]];
        if (number == CHAIN_NONE) {
            return false;
        }
        const chain_point *inverse = level->element[number] + group->degree;
        for (unsigned i = l + 1; i < group->level_count && images[l] != level->base; i++) {
            images[i] = inverse[images[i]];
        }
    }
    arena->work += group->level_count;
    return true;
}

// Every generator of a level, after every transversal of it, must be a transversal times an element
// of the next level. Adds the first that is not, and sets *added.
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
            if (!reduces(arena, group, l, images)) {
                chain_point row[group->degree + 1];
                multiply(group->degree, generator, level->element[i], row);
                return add_element(arena, group, row, added);
            }
            if (!is_affordable(arena, group->level_count)) {
                return false;
            }
        }
    }
    return true;
}

static bool prove(struct arena *arena, struct chain_group *group, long double bound)
{
    for (unsigned l = group->level_count; l-- > 0 && !is_complete(group, bound);) {
        bool added;
        if (!prove_level(arena, group, l, &added)) {
            return false;
        }
        l = added ? group->level_count : l;
    }
    return true;
}

// A uniform random element of what fixes the bases of the levels before `from`.
static void draw(struct arena *arena, const struct chain_group *group, unsigned from,
                 chain_point *row)
{
    set_identity(group->degree, row);
    for (unsigned l = group->level_count; l-- > from;) {
        const struct level *level = &group->levels[l];
        multiply(group->degree, level->element[random_below(arena, level->length)], row, row);
    }
    arena->work += (uint64_t)group->degree * (group->level_count - from);
}

// Adds random products of the moves, until the bound is reached or nothing new is found.
static bool add_products(struct arena *arena, struct chain_group *group,
                         const struct chain_plan *plan)
{
    enum { IN_VAIN = 20 };
    struct random_elements *products =
        random_elements_open(plan->degree, plan->moves, plan->move_count);
    bool done = products;
    arena->out_of_memory |= !products;
    for (unsigned vain = 0; vain < IN_VAIN && !is_complete(group, plan->bound) && done; vain++) {
        bool added = false;
        done = is_affordable(arena, 2 * (uint64_t)plan->degree) &&
               add_element(arena, group, random_elements_next(products), &added);
        vain = added ? 0 : vain;
    }
    random_elements_close(products);
    return done;
}

static bool fill_group(struct arena *arena, struct chain_group *group,
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
    return prove(arena, group, plan->bound);
}

// Replaces an element by the least one of its coset, times what fixes the bases before level
// `from`: its images of the bases, in their order, are the least. The transversals may be any.
static void make_least(const struct chain_group *group, unsigned from, chain_point *row)
{
    chain_point old[group->degree + 1];
    for (unsigned l = from; l < group->level_count; l++) {
        const struct level *level = &group->levels[l];
        unsigned best = 0;
        for (unsigned i = 1; i < level->length; i++) {
            best = row[level->orbit[i]] < row[level->orbit[best]] ? i : best;
        }
        if (level->orbit[best] != level->base) {
            memcpy(old, row, group->degree * sizeof *old);
            multiply(group->degree, old, level->element[best], row);
        }
    }
}

// Sorts the orbits and makes the transversals canonical.
static bool finish_group(struct arena *arena, struct chain_group *group)
{
    for (unsigned l = group->level_count; l-- > 0;) {
        struct level *level = &group->levels[l];
        const chain_point **element = take(arena, level->length * sizeof *element);
        unsigned count = 0;
        for (unsigned x = 0; x < group->degree && element; x++) {
            chain_point row[group->degree + 1];
            if (level->number[x] == CHAIN_NONE) {
                continue;
            }
            memcpy(row, level->element[level->number[x]], group->degree * sizeof *row);
            make_least(group, l + 1, row);
            element[count] = copy_with_inverse(arena, group->degree, row);
            level->orbit[count] = (chain_point)x;
            level->number[x] = (uint16_t)count;
            if (!element[count++]) {
                return false;
            }
        }
        level->element = element;
    }
    return is_affordable(arena, 0);
}

// ---- Sets ---------------------------------------------------------------------------------------

static void sort_points(chain_point *points, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        chain_point moved = points[i];
        unsigned j = i;
        for (; j > 0 && points[j - 1] > moved; j--) {
            points[j] = points[j - 1];
        }
        points[j] = moved;
    }
}

// Adds all images of the thing to the digit's sets. Notes the source of each in `found`.
static bool find_sets(struct arena *arena, struct chain_digit *digit, struct chain_source *found)
{
    const struct chain_group *group = digit->group;
    unsigned size = digit->thing->size;
    uint64_t bytes = arena->bytes;
    chain_point set[digit->group->degree + 1];
    for (uint32_t i = 0; i < digit->sets.count; i++) {
        for (uint32_t g = 0; g < group->generator_count; g++) {
            uint32_t count = digit->sets.count;
            if (group->fixed[g] < digit->level) {
                continue;
            }
            for (unsigned j = 0; j < size; j++) {
                set[j] = group->generators[g][row_set_row(&digit->sets, i)[j]];
            }
            sort_points(set, size);
            arena->out_of_memory |= row_set_add(&digit->sets, set) == ROW_NONE;
            arena->too_large |= digit->sets.count > CHAIN_LISTED_MOST;
            if (!is_affordable(arena, size)) {
                return false;
            }
            if (digit->sets.count > count) {
                found[count] = (struct chain_source){i, g};
            }
        }
        arena->bytes = bytes + row_set_bytes(&digit->sets);
        arena->too_large |= arena->bytes > CHAIN_BYTES_MOST;
    }
    return true;
}

// Lists all images of a thing. They are numbered in lexicographic order, so that the numbers do not
// depend on the generators. The thing is the first, because the points are in the order of the
// things.
static bool list_sets(struct arena *arena, struct chain_digit *digit)
{
    // In the order in which the sets are found. It takes no memory before it is used.
    struct chain_source *found = calloc(CHAIN_LISTED_MOST, sizeof *found);
    digit->kind = CHAIN_LISTED;
    row_set_open(&digit->sets, digit->thing->size);
    bool done = found && row_set_add(&digit->sets, digit->thing->points) != ROW_NONE &&
                find_sets(arena, digit, found);
    digit->length = digit->sets.count;
    uint32_t *number = done ? take(arena, digit->length * sizeof *number) : NULL;
    struct chain_source *sources = done ? take(arena, digit->length * sizeof *sources) : NULL;
    done = number && sources && row_set_sort(&digit->sets, number);
    for (uint32_t i = 1; i < digit->length && done; i++) {
        sources[number[i]] = (struct chain_source){number[found[i].set], found[i].generator};
    }
    digit->sources = sources;
    free(found);
    arena->out_of_memory |= !done;
    return done;
}

// Binomial numbers up to C(slots, size), at most 2^63.
static const uint64_t *list_binomials(struct arena *arena, unsigned slots, unsigned size)
{
    static const uint64_t MOST = UINT64_C(1) << 63;
    size_t width = size + 1;
    uint64_t *binomial = take(arena, (slots + 1) * width * sizeof *binomial);
    for (unsigned n = 0; n <= slots && binomial; n++) {
        uint64_t *row = binomial + n * width;
        row[0] = 1;
        for (unsigned i = 1; i <= size; i++) {
            uint64_t sum = n == 0 ? 0 : (row - width)[i] + (row - width)[i - 1];
            row[i] = sum < MOST ? sum : MOST;
        }
    }
    return binomial;
}

// A thing of k points can be implicit if every set of k points of an orbit is one of its images. It
// is so if the levels of its points have lengths n, n-1, …, n-k+1, and the orbit of the first of
// these levels has all of its points.
static bool can_be_implicit(const struct chain_digit *digit)
{
    const struct level *levels = digit->group->levels + digit->level;
    for (unsigned i = 0; i < digit->thing->size; i++) {
        if (levels[i].length + i != levels[0].length ||
            levels[0].number[digit->thing->points[i]] == CHAIN_NONE) {
            return false;
        }
    }
    return true;
}

static bool make_implicit(struct arena *arena, struct chain_digit *digit)
{
    const struct level *level = &digit->group->levels[digit->level];
    unsigned degree = digit->group->degree;
    chain_point *slot = take(arena, level->length * sizeof *slot);
    uint16_t *position = take(arena, degree * sizeof *position);
    digit->kind = CHAIN_IMPLICIT;
    digit->slots = level->length;
    digit->slot = slot;
    digit->position = position;
    digit->binomial = list_binomials(arena, level->length, digit->thing->size);
    if (!slot || !position || !digit->binomial) {
        return false;
    }
    memcpy(slot, level->orbit, level->length * sizeof *slot);
    sort_points(slot, level->length);
    memset(position, 0xFF, degree * sizeof *position);
    for (unsigned n = 0; n < level->length; n++) {
        position[slot[n]] = (uint16_t)n;
    }
    uint64_t length =
        digit->binomial[level->length * (size_t)(digit->thing->size + 1) + digit->thing->size];
    digit->length = length >> 63 ? 0 : length;
    return true;
}

static uint64_t number_set(const struct chain_digit *digit, chain_point *images)
{
    unsigned size = digit->thing->size;
    uint64_t number = 0;
    if (digit->kind == CHAIN_LISTED) {
        sort_points(images, size);
        uint32_t found = row_set_find(&digit->sets, images);
        return found == ROW_NONE ? UINT64_MAX : found;
    }
    for (unsigned i = 0; i < size; i++) {
        images[i] = digit->position[images[i]];
        if (images[i] == CHAIN_NONE) {
            return UINT64_MAX;
        }
    }
    sort_points(images, size);
    for (unsigned i = 0; i < size; i++) {
        number += digit->binomial[images[i] * (size_t)(size + 1) + i + 1];
    }
    return number;
}

// Inline, like row_at: 8 % of paths.
static inline uint64_t number_at(const struct chain_digit *digit, chain_point *images)
{
    if (digit->kind == CHAIN_LISTED || digit->kind == CHAIN_IMPLICIT) {
        return number_set(digit, images);
    }
    unsigned number = digit->group->levels[digit->level].number[*images];
    return number == CHAIN_NONE ? UINT64_MAX : number;
}

uint64_t chain_number(const struct chain_digit *digit, chain_point *images)
{
    return number_at(digit, images);
}

// The points of image `number` of an implicit digit, rising.
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

// Some element that takes the points of an implicit thing, one by one, to those of a row, which it
// uses up.
static void find_element_to(const struct chain_digit *digit, chain_point *images, chain_point *row)
{
    unsigned degree = digit->group->degree;
    chain_point product[digit->group->degree + 1];
    set_identity(degree, row);
    for (unsigned i = 0; i < digit->thing->size; i++) {
        const struct level *level = &digit->group->levels[digit->level + i];
        const chain_point *element = level->element[level->number[images[i]]];
        multiply(degree, row, element, product);
        memcpy(row, product, degree * sizeof *row);
        for (unsigned j = i + 1; j < digit->thing->size; j++) {
            images[j] = element[degree + images[j]];
        }
    }
}

// Some element that takes the thing to image `number`.
static void find_element(const struct chain_digit *digit, uint64_t number, chain_point *row)
{
    const struct chain_group *group = digit->group;
    chain_point other[digit->group->degree + 1];
    if (digit->kind == CHAIN_IMPLICIT) {
        unrank_set(digit, number, other);
        find_element_to(digit, other, row);
        return;
    }
    if (digit->kind != CHAIN_LISTED) {
        memcpy(row, group->levels[digit->level].element[number], group->degree * sizeof *row);
        return;
    }
    set_identity(group->degree, row);
    for (; number > 0; number = digit->sources[number].set) { // the way to the set
        multiply(group->degree, row, group->generators[digit->sources[number].generator], other);
        memcpy(row, other, group->degree * sizeof *row);
    }
}

// ---- What fixes a set ---------------------------------------------------------------------------

// What fixes each point of a thing is the rest of the levels. The thing's points become the last of
// the base.
static struct chain_group *inherit(struct arena *arena, const struct chain_digit *digit)
{
    const struct chain_group *from = digit->group;
    unsigned size = digit->thing->size;
    unsigned first = digit->level + size;
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
                !add_to_orbit(&group->levels[l], level->element[i])) {
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

// Elements that exchange two points of an implicit thing. With what fixes all its points, they
// generate what fixes the thing.
static bool add_exchanges(struct arena *arena, const struct chain_digit *digit,
                          struct chain_group *group)
{
    unsigned size = digit->thing->size;
    chain_point images[digit->group->degree + 1];
    chain_point row[digit->group->degree + 1];
    bool added;
    for (unsigned i = 0; i + 1 < size; i++) {
        memcpy(images, digit->thing->points, size * sizeof *images);
        images[i] = digit->thing->points[i + 1];
        images[i + 1] = digit->thing->points[i];
        find_element_to(digit, images, row);
        if (!add_element(arena, group, row, &added)) {
            return false;
        }
    }
    return true;
}

// What fixes a thing. What the known elements lack comes from random elements of the group that the
// thing is in: each, divided by an element that takes the thing to the same image, is a uniform
// random element of the stabilizer, and adds something with a chance of a half. The order is known.
static struct chain_group *make_rest(struct arena *arena, const struct chain_digit *digit)
{
    const struct chain_group *from = digit->group;
    unsigned degree = from->degree;
    unsigned size = digit->thing->size;
    long double length = (long double)digit->length;
    struct chain_group *group = inherit(arena, digit);
    for (unsigned i = 0; i < size && digit->length == 0; i++) { // implicit, beyond 63 bits
        length = (i == 0 ? 1 : length) * (digit->slots - i) / (i + 1);
    }
    long double order = order_of(from, digit->level) / length;
    arena->too_large |= !(order <= LDBL_MAX);
    if (!group || !is_affordable(arena, 0) ||
        (digit->kind == CHAIN_IMPLICIT && !add_exchanges(arena, digit, group))) {
        return NULL;
    }
    while (!is_complete(group, order)) {
        chain_point row[degree + 1];
        chain_point element[degree + 1];
        chain_point images[degree + 1];
        bool added;
        draw(arena, from, digit->level, row);
        for (unsigned j = 0; j < size; j++) {
            images[j] = row[digit->thing->points[j]];
        }
        find_element(digit, chain_number(digit, images), element);
        for (unsigned x = 0; x < degree; x++) {
            images[element[x]] = (chain_point)x; // the inverse
        }
        multiply(degree, images, row, row);
        if (!add_element(arena, group, row, &added)) {
            return NULL;
        }
    }
    return group;
}

// ---- The chain ----------------------------------------------------------------------------------

// The points of the things from one on, and the others, each once.
static unsigned make_base(const struct chain_plan *plan, unsigned first, chain_point *base)
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

// The first digit of no group is a level, too: an element is a transversal, after an element of the
// group of the moves.
static struct chain_group *make_first(struct arena *arena, const struct chain_plan *plan)
{
    struct chain_group *group = open_group(arena, plan->degree, plan->things[0].points, 1);
    if (group) {
        group->levels[0].length = 0;
    }
    for (unsigned i = 0; i < plan->first_count && group; i++) {
        if (!add_to_orbit(&group->levels[0],
                          copy_with_inverse(arena, plan->degree, plan->first_elements[i]))) {
            return NULL;
        }
    }
    return group;
}

static bool make_digit(struct arena *arena, struct chain_digit *digit, bool is_last)
{
    if (digit->thing->size == 1) {
        digit->kind = CHAIN_LEVEL;
        digit->length = digit->group->levels[digit->level].length;
        digit->rest = digit->group;
        digit->rest_level = digit->level + 1;
        return true;
    }
    if (!(can_be_implicit(digit) ? make_implicit(arena, digit) : list_sets(arena, digit))) {
        return false;
    }
    if (!is_last) {
        digit->rest = make_rest(arena, digit);
        digit->rest_level = 0;
    }
    return is_last || digit->rest;
}

static bool make_digits(struct chain *chain)
{
    const struct chain_plan *plan = chain->plan;
    struct arena *arena = chain->arena;
    unsigned first = plan->first_elements ? 1 : 0;
    chain_point base[2 * plan->degree + 1];
    struct chain_group *moves = open_group(arena, plan->degree, base, make_base(plan, first, base));
    chain->digits = take(arena, (plan->thing_count + 1) * sizeof *chain->digits);
    if (!moves || !chain->digits || !fill_group(arena, moves, plan)) {
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
            digit->group = make_first(arena, plan);
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

static bool say_failure(const struct arena *arena, struct fewest_error *error)
{
    return arena->too_large
               ? error_set(error, FEWEST_BEYOND, "the moves generate a group that is too large")
               : error_set(error, FEWEST_SYSTEM, "not enough memory for the numbers of the states");
}

bool chain_make(struct chain *chain, const struct chain_plan *plan, struct fewest_error *error)
{
    assert(plan->degree <= CHAIN_DEGREE_MOST);
    *chain = (struct chain){.plan = plan, .arena = calloc(1, sizeof *chain->arena), .count = 1};
    if (!chain->arena) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the numbers of the states");
    }
    chain->arena->random = 20240229;
    bool done = make_digits(chain) && is_affordable(chain->arena, 0);
    chain->work = chain->arena->work;
    if (!done) {
        return say_failure(chain->arena, error);
    }
    for (unsigned d = 0; d < chain->digit_count; d++) {
        uint64_t length = chain->digits[d].length;
        bool fits = length > 0 && chain->count <= INT64_MAX / length;
        chain->count = fits ? chain->count * length : 0;
    }
    return true;
}

// Makes room for rows, which takes no memory before it is used. Without room, nothing is kept.
static void keep_rows(struct chain *chain, struct chain_digit *digit)
{
    size_t length = 2 * (size_t)chain->plan->degree * sizeof *digit->rows;
    if (digit->kind == CHAIN_LEVEL || digit->length == 0 || digit->length > CHAIN_KEPT_MOST ||
        digit->length * length > CHAIN_BYTES_MOST) {
        return;
    }
    digit->rows = calloc(digit->length, length);
    digit->row_state = calloc(digit->length, sizeof *digit->row_state);
    if (!digit->rows || !digit->row_state) {
        free(digit->rows);
        digit->rows = NULL;
    }
}

bool chain_finish(struct chain *chain, struct fewest_error *error)
{
    const struct chain_group *last = NULL;
    for (unsigned d = chain->digit_count; d-- > 0;) {
        struct chain_group *group = (struct chain_group *)(uintptr_t)chain->digits[d].group;
        if (group != last && chain->digits[d].kind != CHAIN_FIRST &&
            !finish_group(chain->arena, group)) {
            return say_failure(chain->arena, error);
        }
        last = group;
    }
    for (unsigned d = 0; d < chain->digit_count; d++) {
        keep_rows(chain, &chain->digits[d]);
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

// Several threads may need the same row at once. The first one keeps it; until it is there, the
// others work with their own.
enum { ROW_MISSING, ROW_COMING, ROW_KEPT };

static const chain_point *find_row(const struct chain *chain, unsigned d, uint64_t number,
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

static inline const chain_point *row_at(const struct chain *chain, unsigned d, uint64_t number,
                                        chain_point *room)
{
    const struct chain_digit *digit = &chain->digits[d];
    return digit->kind == CHAIN_LEVEL // the chain of the group is finished, so this is the least
               ? digit->group->levels[digit->level].element[number]
               : find_row(chain, d, number, room);
}

const chain_point *chain_row(const struct chain *chain, unsigned d, uint64_t number,
                             chain_point *room)
{
    return row_at(chain, d, number, room);
}

uint64_t chain_divide(const struct chain *chain, unsigned first, unsigned end, chain_point *images,
                      unsigned count)
{
    uint64_t rank = 0;
    chain_point room[2 * chain->plan->degree + 1];
    for (unsigned d = first; d < end; d++) {
        const struct chain_digit *digit = &chain->digits[d];
        uint64_t number = number_at(digit, images);
        if (number == UINT64_MAX) {
            return UINT64_MAX;
        }
        rank = rank * digit->length + number;
        images += digit->thing->size;
        count -= digit->thing->size;
        if (count > 0 && number > 0) {
            const chain_point *inverse = row_at(chain, d, number, room) + chain->plan->degree;
            for (unsigned j = 0; j < count; j++) {
                images[j] = inverse[images[j]];
            }
        }
    }
    return rank;
}

void chain_unrank_images(const struct chain *chain, uint64_t number, chain_point *points,
                         unsigned count)
{
    chain_point room[2 * chain->plan->degree + 1];
    for (unsigned d = chain->digit_count; d-- > 0;) { // u_1 u_2 … u_k: the last is applied first
        uint64_t length = chain->digits[d].length;
        uint64_t image = number % length;
        number /= length;
        if (image > 0) {
            const chain_point *factor = row_at(chain, d, image, room);
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

void chain_close(const struct chain *chain, unsigned first, bool *is_in)
{
    const struct chain_digit *digit = &chain->digits[first];
    assert(digit->kind != CHAIN_FIRST);
    for (bool grows = true; grows;) {
        grows = false;
        for (unsigned g = 0; g < digit->group->generator_count; g++) {
            for (unsigned x = 0; x < digit->group->degree && digit->group->fixed[g] >= digit->level;
                 x++) {
                unsigned to = digit->group->generators[g][x];
                grows |= is_in[x] && !is_in[to];
                is_in[to] |= is_in[x];
            }
        }
    }
}
