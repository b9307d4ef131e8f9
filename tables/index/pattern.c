// Numbers wildcard targets, folded by symmetries.
#include "index/pattern.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const uint16_t CLASS_NONE = UINT16_MAX;

static unsigned conjugate_mask(const struct symmetry *symmetry, const struct pattern_class *class)
{
    unsigned source = 0;
    for (unsigned i = 0; i < class->given; i++) {
        source |= 1u << symmetry->from[class->cell[i]];
    }
    return source;
}

// Makes a class of `mask`, which no class holds yet, and of all masks that a symmetry takes to it.
static void add_class(struct pattern_space *space, unsigned mask)
{
    struct pattern_class *class = &space->classes[space->class_count];
    *class = (struct pattern_class){.mask = (uint16_t)mask};
    for (unsigned cell = 0; cell < space->cells; cell++) {
        if (mask >> cell & 1) {
            class->cell[class->given++] = (uint8_t)cell;
        }
    }
    for (unsigned s = 0; s < space->symmetry_count; s++) {
        unsigned source = conjugate_mask(&space->symmetries[s], class);
        if (space->class_of[source] == CLASS_NONE) {
            space->class_of[source] = (uint16_t)space->class_count;
            space->to_canonical[source] = (uint16_t)s;
            class->masks++;
        }
    }
    class->first = space->entries;
    class->count = arrangement_count(space->cells, class->given);
    space->entries += class->count;
    space->class_count++;
}

// The next larger number with as many bits set (R. W. Gosper, HAKMEM item 175); the largest there is, for 0.
static unsigned next_mask(unsigned mask)
{
    unsigned low = mask & (0 - mask);
    unsigned high = mask + low;
    return mask == 0 ? UINT_MAX : high | (mask ^ high) / low >> 2;
}

// Adds the classes of the masks that give `given` cells, if there is room for all their patterns.
static bool add_classes_giving(struct pattern_space *space, unsigned given)
{
    for (unsigned mask = (1u << given) - 1; mask < 1u << space->cells; mask = next_mask(mask)) {
        if (space->class_of[mask] == CLASS_NONE) {
            if (arrangement_count(space->cells, given) > PATTERNS_MOST - space->entries) {
                return false;
            }
            add_class(space, mask);
        }
    }
    return true;
}

// Takes away the classes of the masks that give `given` cells, the last ones.
static void remove_classes_giving(struct pattern_space *space, unsigned given)
{
    for (unsigned mask = 0; mask < 1u << space->cells; mask++) {
        if (space->given_of[mask] == given) {
            space->class_of[mask] = CLASS_NONE;
        }
    }
    while (space->class_count > 0 && space->classes[space->class_count - 1].given == given) {
        space->class_count--;
        space->entries -= space->classes[space->class_count].count;
    }
}

// Would the closure of the patterns that give `given` cells, the most so far, take too long? It
// looks at every state for each of their classes, unless it uses the states' distances directly.
static bool closure_takes_too_long(const struct pattern_space *space, unsigned given)
{
    uint64_t classes = 0;
    for (unsigned c = 0; c < space->class_count; c++) {
        classes += space->classes[c].given == given;
    }
    return given + 1 < space->cells && classes * arrangement_count(space->cells, space->cells) > CLOSURE_MOST;
}

// Adds the classes of as many masks as there is room for, then removes those whose closure would
// take too long. Perhaps none are left.
static void add_classes(struct pattern_space *space, unsigned most_given)
{
    unsigned end = 0; // masks that give 0 … end-1 cells have classes
    while (end <= most_given && add_classes_giving(space, end)) {
        end++;
    }
    if (end <= most_given) {
        remove_classes_giving(space, end); // those that had room
    }
    while (end > 0 && closure_takes_too_long(space, end - 1)) {
        remove_classes_giving(space, --end);
    }
    space->most_given = end > 0 ? end - 1 : 0;
}

bool pattern_space_build(struct pattern_space *space, unsigned cells, unsigned most_given, struct symmetry *symmetries,
                         unsigned symmetry_count, struct fewest_error *error)
{
    assert(cells >= 1 && cells <= PATTERN_CELLS_MOST && symmetry_count <= SYMMETRIES_MOST);
    size_t masks = (size_t)1 << cells;
    *space = (struct pattern_space){
        .cells = cells,
        .symmetries = symmetries,
        .symmetry_count = symmetry_count,
        .classes = malloc(masks * sizeof *space->classes),
        .class_of = malloc(masks * sizeof *space->class_of),
        .to_canonical = malloc(masks * sizeof *space->to_canonical),
        .given_of = malloc(masks * sizeof *space->given_of),
    };
    if (!symmetries || !space->classes || !space->class_of || !space->to_canonical || !space->given_of) {
        pattern_space_free(space);
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the wildcard targets");
    }
    for (size_t mask = 0; mask < masks; mask++) {
        space->class_of[mask] = CLASS_NONE;
        space->given_of[mask] = mask == 0 ? 0 : (uint8_t)(space->given_of[mask / 2] + mask % 2);
    }
    add_classes(space, most_given);
    return true;
}

void pattern_space_free(struct pattern_space *space)
{
    free(space->symmetries);
    free(space->classes);
    free(space->class_of);
    free(space->to_canonical);
    free(space->given_of);
    *space = (struct pattern_space){0};
}

static unsigned pattern_mask(const struct pattern_space *space, const uint8_t *pattern)
{
    unsigned mask = 0;
    for (unsigned i = 0; i < space->cells; i++) {
        mask |= (unsigned)(pattern[i] != WILD) << i;
    }
    return mask;
}

unsigned pattern_given(const struct pattern_space *space, const uint8_t *pattern)
{
    return space->given_of[pattern_mask(space, pattern)];
}

uint64_t pattern_rank(const struct pattern_space *space, const uint8_t *pattern)
{
    unsigned mask = pattern_mask(space, pattern);
    assert(space->class_of[mask] != CLASS_NONE);
    const struct pattern_class *class = &space->classes[space->class_of[mask]];
    const struct symmetry *to_canonical = &space->symmetries[space->to_canonical[mask]];
    struct lehmer code = lehmer_start();
    uint64_t rank = 0;
    for (unsigned i = 0; i < class->given; i++) {
        unsigned symbol = to_canonical->to[pattern[to_canonical->from[class->cell[i]]]];
        rank = rank * (space->cells - i) + lehmer_digit(&code, symbol);
    }
    return class->first + rank;
}

const struct pattern_class *pattern_class_at(const struct pattern_space *space, uint64_t number)
{
    assert(number < space->entries);
    unsigned low = 0;
    unsigned high = space->class_count;
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        *(space->classes[middle].first <= number ? &low : &high) = middle;
    }
    return &space->classes[low];
}

void pattern_unrank(const struct pattern_space *space, uint64_t number, uint8_t *pattern)
{
    const struct pattern_class *class = pattern_class_at(space, number);
    uint8_t symbols[RANK_LONGEST];
    arrangement_unrank(space->cells, class->given, number - class->first, symbols);
    memset(pattern, WILD, space->cells);
    for (unsigned i = 0; i < class->given; i++) {
        pattern[class->cell[i]] = symbols[i];
    }
}
