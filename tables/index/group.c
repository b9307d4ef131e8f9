// Builds stabilizer chains of permutation groups.
#include "index/group.h"

#include <assert.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

// ---- Random elements ----------------------------------------------------------------------------
// Product replacement (F. Celler and others, "Generating random elements of a finite group", 1995):
// a list of generators, in which one is multiplied by another each time.

enum {
    LIST_LEAST = 10,
    WARM_UP = 60,
};

struct random_elements {
    unsigned degree;
    unsigned count;
    uint64_t state;
    group_point *rows;  // `count` rows, and after them the accumulated product
    group_point *spare; // a row
};

static unsigned random_below(struct random_elements *elements, unsigned bound)
{
    elements->state = elements->state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (unsigned)((elements->state >> 33) % bound);
}

static group_point *row_of(const struct random_elements *elements, unsigned number)
{
    return elements->rows + (size_t)number * elements->degree;
}

// row := row, then other; or other, then row.
static void multiply_row(struct random_elements *elements, group_point *row,
                         const group_point *other, bool other_first)
{
    for (unsigned x = 0; x < elements->degree; x++) {
        elements->spare[x] = other_first ? row[other[x]] : other[row[x]];
    }
    memcpy(row, elements->spare, elements->degree * sizeof *row);
}

struct random_elements *random_elements_open(unsigned degree, const group_point *const *generators,
                                             unsigned count)
{
    struct random_elements *elements = calloc(1, sizeof *elements);
    if (!elements) {
        return NULL;
    }
    elements->degree = degree;
    elements->state = 20240229;
    elements->count = count < LIST_LEAST ? LIST_LEAST : count;
    elements->rows = malloc((size_t)(elements->count + 1) * degree * sizeof *elements->rows);
    elements->spare = malloc(degree * sizeof *elements->spare);
    if (!elements->rows || !elements->spare) {
        random_elements_close(elements);
        return NULL;
    }
    for (unsigned i = 0; i <= elements->count; i++) {
        for (unsigned x = 0; x < degree; x++) {
            bool identity = count == 0 || i == elements->count;
            row_of(elements, i)[x] = identity ? (group_point)x : generators[i % count][x];
        }
    }
    for (unsigned i = 0; i < WARM_UP + elements->count; i++) {
        random_elements_next(elements);
    }
    return elements;
}

const group_point *random_elements_next(struct random_elements *elements)
{
    unsigned a = random_below(elements, elements->count);
    unsigned b = random_below(elements, elements->count - 1);
    b += b >= a;
    group_point *product = row_of(elements, elements->count);
    multiply_row(elements, row_of(elements, a), row_of(elements, b), random_below(elements, 2));
    multiply_row(elements, product, row_of(elements, a), random_below(elements, 2));
    return product;
}

void random_elements_close(struct random_elements *elements)
{
    if (elements) {
        free(elements->rows);
        free(elements->spare);
    }
    free(elements);
}

// ---- The chain ----------------------------------------------------------------------------------

// Divides an element by transversals as far as possible, from a level on. Returns the level where
// it got stuck, level_count if it fixes the whole base.
static unsigned sift(struct group *group, unsigned level, group_point *row)
{
    for (; level < group->level_count; level++) {
        const struct group_level *at = &group->levels[level];
        assert(at->transversal && at->inverse); // make_levels makes them for every level
        group_point image = row[at->base];
        if (image == at->base) {
            continue;
        }
        if (!at->transversal[image]) {
            return level;
        }
        for (unsigned x = 0; x < group->degree; x++) {
            row[x] = at->inverse[image][row[x]];
        }
        group->work += group->degree;
    }
    return level;
}

// Does an element reduce to the identity? images[i] is where it takes the base of level i. It fixes
// the bases before `level`.
static bool reduces(struct group *group, unsigned level, group_point *images)
{
    for (; level < group->level_count; level++) {
        const struct group_level *at = &group->levels[level];
        if (images[level] == at->base) {
            continue;
        }
        const group_point *inverse = at->inverse[images[level]];
        if (!inverse) {
            return false;
        }
        for (unsigned i = level + 1; i < group->level_count; i++) {
            images[i] = inverse[images[i]];
        }
        group->work += group->level_count - level;
    }
    return true;
}

// Takes memory and work into account. Returns false if the group is too large.
static bool is_affordable(struct group *group, uint64_t bytes)
{
    group->bytes += bytes;
    group->too_large |= group->bytes > GROUP_BYTES_MOST || group->work > GROUP_WORK_MOST;
    return !group->too_large;
}

static bool add_transversal(struct group *group, struct group_level *at, const group_point *row)
{
    group_point image = row[at->base];
    group->work += group->degree;
    if (!is_affordable(group, (size_t)2 * group->degree * sizeof(group_point))) {
        return false;
    }
    group_point *both = malloc((size_t)2 * group->degree * sizeof *both);
    if (!both) {
        return false;
    }
    group_point *inverse = both + group->degree;
    for (unsigned x = 0; x < group->degree; x++) {
        both[x] = row[x];
        inverse[row[x]] = (group_point)x;
    }
    at->transversal[image] = both;
    at->inverse[image] = inverse;
    at->orbit[at->length++] = image;
    return true;
}

// Adds points to the orbit of a level, and their transversals, until its generators add no more.
static bool grow_orbit(struct group *group, unsigned level, group_point *spare)
{
    struct group_level *at = &group->levels[level];
    for (unsigned i = 0; i < at->length; i++) {
        for (unsigned g = 0; g < group->generator_count; g++) {
            const group_point *generator = group->generators[g];
            group_point image = generator[at->orbit[i]];
            if (group->fixed[g] < level || at->transversal[image]) {
                continue;
            }
            const group_point *there = at->transversal[at->orbit[i]];
            for (unsigned x = 0; x < group->degree; x++) {
                spare[x] = generator[there[x]];
            }
            if (!add_transversal(group, at, spare)) {
                return false;
            }
        }
    }
    return true;
}

// Adds an element as a strong generator. It fixes the first `fixed` points of the base.
static bool add_generator(struct group *group, const group_point *row, unsigned fixed,
                          group_point *spare)
{
    if (group->generator_count == group->generator_room) {
        unsigned room = 2 * group->generator_room + 8;
        group_point **generators = realloc(group->generators, room * sizeof *generators);
        if (!generators) {
            return false;
        }
        group->generators = generators;
        unsigned *fixed_counts = realloc(group->fixed, room * sizeof *fixed_counts);
        if (!fixed_counts) {
            return false;
        }
        group->fixed = fixed_counts;
        group->generator_room = room;
    }
    group_point *copy = malloc(group->degree * sizeof *copy);
    if (!copy) {
        return false;
    }
    memcpy(copy, row, group->degree * sizeof *copy);
    group->generators[group->generator_count] = copy;
    group->fixed[group->generator_count++] = fixed;
    for (unsigned level = 0; level <= fixed; level++) {
        if (!grow_orbit(group, level, spare)) {
            return false;
        }
    }
    return true;
}

struct builder {
    struct group *group;
    group_point *row;
    group_point *spare;
    group_point *images; // by level
};

// Sifts builder->row from a level on, and adds what is left of it. Returns false without memory.
static bool add_residue(struct builder *builder, unsigned level, bool *added)
{
    struct group *group = builder->group;
    level = sift(group, level, builder->row);
    *added = level < group->level_count;
    if (!is_affordable(group, 0)) {
        return false;
    }
    return !*added || add_generator(group, builder->row, level, builder->spare);
}

static double product_of_lengths(const struct group *group)
{
    double product = 1;
    for (unsigned i = 0; i < group->level_count; i++) {
        product *= group->levels[i].length;
    }
    return product;
}

// A chain that misses an element misses a share of at least 1 / degree of some orbit.
static bool has_order(const struct group *group, double order)
{
    return product_of_lengths(group) > order * (1 - 0.5 / group->degree);
}

// Most chains are complete after this. With a known order, all are.
static bool add_random(struct builder *builder, const group_point *const *generators,
                       unsigned count, double order)
{
    enum { IN_VAIN = 8 };
    struct group *group = builder->group;
    struct random_elements *elements = random_elements_open(group->degree, generators, count);
    bool done = elements;
    for (unsigned in_vain = 0; done && (order > 0 ? !has_order(group, order) : in_vain < IN_VAIN);
         in_vain++) {
        bool added = false;
        const group_point *element = random_elements_next(elements);
        memcpy(builder->row, element, group->degree * sizeof *element);
        done = add_residue(builder, 0, &added);
        in_vain = added ? 0 : in_vain;
    }
    random_elements_close(elements);
    return done;
}

// Adds what is missing at a level: the transversal of a point, then a generator, then the inverse
// of the transversal of the point where this leads, must be in the next level.
static bool complete_level(struct builder *builder, unsigned level, bool *added)
{
    struct group *group = builder->group;
    const struct group_level *at = &group->levels[level];
    for (unsigned g = 0; g < group->generator_count; g++) {
        const group_point *generator = group->generators[g];
        for (unsigned i = 0; i < at->length && group->fixed[g] >= level; i++) {
            const group_point *there = at->transversal[at->orbit[i]];
            for (unsigned l = level; l < group->level_count; l++) {
                builder->images[l] = generator[there[group->levels[l].base]];
            }
            group->work += group->level_count - level;
            if (!is_affordable(group, 0)) {
                return false;
            }
            if (reduces(group, level, builder->images)) {
                continue;
            }
            bool more;
            for (unsigned x = 0; x < group->degree; x++) {
                builder->row[x] = generator[there[x]];
            }
            if (!add_residue(builder, level, &more)) {
                return false;
            }
            *added = true;
        }
    }
    return true;
}

// From the last level to the first, again from the last one if something was missing.
static bool complete(struct builder *builder)
{
    for (unsigned level = builder->group->level_count; level-- > 0;) {
        bool added = false;
        if (builder->group->levels[level].length > 1 && !complete_level(builder, level, &added)) {
            return false;
        }
        level = added ? builder->group->level_count : level;
    }
    return true;
}

static bool make_levels(struct group *group, struct builder *builder, const group_point *base,
                        unsigned base_count)
{
    unsigned degree = group->degree;
    group->levels = calloc(base_count + 1, sizeof *group->levels);
    for (unsigned i = 0; i < base_count && group->levels; i++) {
        if (!is_affordable(group, degree * (2 * sizeof(void *) + sizeof(group_point)))) {
            return false;
        }
        struct group_level *level = &group->levels[group->level_count++];
        level->base = base[i];
        level->orbit = malloc(degree * sizeof *level->orbit);
        level->transversal = calloc(degree, sizeof *level->transversal);
        level->inverse = calloc(degree, sizeof *level->inverse);
        if (!level->orbit || !level->transversal || !level->inverse) {
            return false;
        }
        for (unsigned x = 0; x < degree; x++) {
            builder->row[x] = (group_point)x;
        }
        if (!add_transversal(group, level, builder->row)) {
            return false;
        }
    }
    return group->levels;
}

static int compare_points(const void *a, const void *b)
{
    return *(const group_point *)a - *(const group_point *)b;
}

bool group_make(struct group *group, unsigned degree, const group_point *const *generators,
                unsigned generator_count, const group_point *base, unsigned base_count,
                double order)
{
    assert(degree >= 1 && degree <= GROUP_DEGREE_MOST);
    *group = (struct group){.order = 0};
    group->degree = degree;
    struct builder builder = {.group = group,
                              .row = malloc((degree + 1) * sizeof *builder.row),
                              .spare = malloc((degree + 1) * sizeof *builder.spare),
                              .images = malloc((base_count + 1) * sizeof *builder.images)};
    bool done = builder.row && builder.spare && builder.images &&
                make_levels(group, &builder, base, base_count) &&
                add_random(&builder, generators, generator_count, order);
    for (unsigned g = 0; g < generator_count && done && order == 0; g++) {
        bool added;
        memcpy(builder.row, generators[g], degree * sizeof *builder.row);
        done = add_residue(&builder, 0, &added);
    }
    done = done && (order > 0 || complete(&builder));
    for (unsigned i = 0; i < group->level_count && done; i++) {
        qsort(group->levels[i].orbit, group->levels[i].length, sizeof(group_point), compare_points);
    }
    double product = product_of_lengths(group);
    group->order = product <= DBL_MAX ? product : 0;
    free(builder.row);
    free(builder.spare);
    free(builder.images);
    return done;
}

void group_free(struct group *group)
{
    for (unsigned i = 0; i < group->level_count && group->levels; i++) {
        struct group_level *level = &group->levels[i];
        for (unsigned x = 0; x < group->degree && level->transversal; x++) {
            free(level->transversal[x]);
        }
        free(level->transversal);
        free(level->inverse);
        free(level->orbit);
    }
    for (unsigned g = 0; g < group->generator_count; g++) {
        free(group->generators[g]);
    }
    free(group->levels);
    free(group->generators);
    free(group->fixed);
    *group = (struct group){.degree = 0};
}
