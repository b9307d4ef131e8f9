// Numbers wildcard targets, folded by symmetries.
#include "wildcard.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const uint16_t CLASS_NONE = UINT16_MAX;

const struct symmetry SYMMETRY_IDENTITY = {
    .to = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
           13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24},
    .from = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
             13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24},
};

bool symmetry_invert(struct symmetry *symmetry, unsigned cells)
{
    uint32_t images = 0;
    for (unsigned i = 0; i < cells; i++) {
        unsigned image = symmetry->to[i];
        if (image >= cells || images >> image & 1) {
            return false;
        }
        images |= 1u << image;
        symmetry->from[image] = (uint8_t)i;
    }
    return true;
}

// Returns the mask that a symmetry takes to the mask of a class.
static unsigned find_source(const struct symmetry *symmetry, const struct wildcard_class *class)
{
    unsigned source = 0;
    for (unsigned i = 0; i < class->given; i++) {
        source |= 1u << symmetry->from[class->cell[i]];
    }
    return source;
}

// Makes a class of `mask`, which no class holds yet, and of all masks that a symmetry takes to it.
static void add_class(struct wildcard_index *wildcards, unsigned mask)
{
    struct wildcard_class *class = &wildcards->classes[wildcards->class_count];
    *class = (struct wildcard_class){.mask = (uint16_t)mask};
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        class->cell[class->given++] = (uint8_t)__builtin_ctz(rest);
    }
    for (unsigned s = 0; s < wildcards->symmetry_count; s++) {
        unsigned source = find_source(&wildcards->symmetries[s], class);
        if (wildcards->class_of[source] == CLASS_NONE) {
            wildcards->class_of[source] = (uint16_t)wildcards->class_count;
            wildcards->to_canonical[source] = (uint16_t)s;
        }
    }
    assert(wildcards->class_of[mask] != CLASS_NONE); // by the identity
    class->first = wildcards->entries;
    class->count = arrangement_count(wildcards->cells, class->given);
    wildcards->entries += class->count;
    wildcards->class_count++;
}

// The least mask above this one with as many bits, or UINT_MAX after 0. (Gosper; Knuth, The Art of
// Computer Programming 4A, 7.1.3.)
static unsigned next_mask(unsigned mask)
{
    if (mask == 0) {
        return UINT_MAX;
    }
    unsigned low = mask & (0 - mask); // the lowest bit
    unsigned high = mask + low;       // the lowest row of bits becomes the bit above it
    return high | ((mask ^ high) / low >> 2);
}

// Adds the classes of the masks that give `given` cells.
static void add_classes_giving(struct wildcard_index *wildcards, unsigned given)
{
    for (unsigned mask = (1u << given) - 1; mask < 1u << wildcards->cells; mask = next_mask(mask)) {
        if (wildcards->class_of[mask] == CLASS_NONE) {
            add_class(wildcards, mask);
        }
    }
}

// Removes the last classes: those of the masks that give `given` cells.
static void remove_classes_giving(struct wildcard_index *wildcards, unsigned given)
{
    for (unsigned mask = (1u << given) - 1; mask < 1u << wildcards->cells; mask = next_mask(mask)) {
        wildcards->class_of[mask] = CLASS_NONE;
    }
    while (wildcards->class_count > 0 &&
           wildcards->classes[wildcards->class_count - 1].given == given) {
        wildcards->class_count--;
        wildcards->entries -= wildcards->classes[wildcards->class_count].count;
    }
}

// Would the closure take more than CLOSURE_MOST look-ups if targets give at most `given` cells? It
// looks up every state for each class that gives `given` cells. Targets with one wildcard are
// always allowed.
static bool closure_takes_too_long(const struct wildcard_index *wildcards, unsigned given)
{
    uint64_t classes = 0;
    for (unsigned c = 0; c < wildcards->class_count; c++) {
        classes += wildcards->classes[c].given == given;
    }
    return given + 1 < wildcards->cells &&
           classes * arrangement_count(wildcards->cells, wildcards->cells) > CLOSURE_MOST;
}

// Adds the classes that give at most `most_given` cells, but stops above WILDCARD_TARGETS_MOST
// targets. Then removes the last classes while there are too many targets, or while their closure
// would take too long. There may be none left.
static void add_classes(struct wildcard_index *wildcards, unsigned most_given)
{
    unsigned end = 0; // masks that give 0 … end-1 cells have classes
    while (end <= most_given && wildcards->entries <= WILDCARD_TARGETS_MOST) {
        add_classes_giving(wildcards, end++);
    }
    while (end > 0 && (wildcards->entries > WILDCARD_TARGETS_MOST ||
                       closure_takes_too_long(wildcards, end - 1))) {
        remove_classes_giving(wildcards, --end);
    }
    wildcards->most_given = end > 0 ? end - 1 : 0;
}

// Fills in weights[n][i], the weight of digit i in the rank of n given symbols:
//
//     rank = the sum over i < n of (digit i) × weights[n][i]
//
// Digit i takes cells - i values, because the i symbols before it are used. So a digit's weight is
// the product of these numbers for all later digits. Weights from digit n on are 0.
static void find_weights(struct wildcard_index *wildcards)
{
    memset(wildcards->weights, 0, sizeof wildcards->weights);
    for (unsigned given = 1; given <= wildcards->cells; given++) {
        uint32_t weight = 1; // of the last digit
        for (unsigned i = given; i-- > 0;) {
            unsigned values = wildcards->cells - i; // of digit i
            wildcards->weights[given][i] = weight;
            weight *= values;
        }
    }
}

bool wildcard_index_build(struct wildcard_index *wildcards, unsigned cells, unsigned most_given,
                          const struct symmetry *symmetries, unsigned symmetry_count,
                          struct fewest_error *error)
{
    assert(cells >= 1 && cells <= WILDCARD_CELLS_MOST);
    assert(symmetry_count >= 1 && symmetry_count <= SYMMETRIES_MOST);
    size_t masks = (size_t)1 << cells;
    *wildcards = (struct wildcard_index){
        .cells = cells,
        .symmetries = malloc(symmetry_count * sizeof *wildcards->symmetries),
        .symmetry_count = symmetry_count,
        .classes = malloc(masks * sizeof *wildcards->classes), // at most one for each mask
        .class_of = malloc(masks * sizeof *wildcards->class_of),
        .to_canonical = malloc(masks * sizeof *wildcards->to_canonical),
    };
    if (!wildcards->symmetries || !wildcards->classes || !wildcards->class_of ||
        !wildcards->to_canonical) {
        wildcard_index_free(wildcards);
        return error_no_memory(error, "for the wildcard targets");
    }
    memcpy(wildcards->symmetries, symmetries, symmetry_count * sizeof *symmetries);
    for (size_t mask = 0; mask < masks; mask++) {
        wildcards->class_of[mask] = CLASS_NONE;
    }
    add_classes(wildcards, most_given);
    find_weights(wildcards);
    return true;
}

void wildcard_index_free(struct wildcard_index *wildcards)
{
    free(wildcards->symmetries);
    free(wildcards->classes);
    free(wildcards->class_of);
    free(wildcards->to_canonical);
    *wildcards = (struct wildcard_index){0};
}

// The cells that a target gives, a bit each.
static unsigned given_mask(const struct wildcard_index *wildcards, const uint8_t *target)
{
    unsigned mask = 0;
    for (unsigned i = 0; i < wildcards->cells; i++) {
        mask |= (unsigned)(target[i] != WILD) << i;
    }
    return mask;
}

unsigned wildcard_count_given(const struct wildcard_index *wildcards, const uint8_t *target)
{
    return count_bits(given_mask(wildcards, target));
}

// Fills in image_of, which does two things to a symbol at once. Renaming turns the symbol in cell i
// of `start` into i, and the symmetry turns i into the cell where it takes cell i.
bool wildcard_begin_ranking(const struct wildcard_index *wildcards, const uint8_t *start,
                            const uint8_t *target, struct wildcard_ranking *ranking)
{
    unsigned mask = given_mask(wildcards, target);
    if (wildcards->class_of[mask] == CLASS_NONE) {
        return false;
    }
    ranking->target = target;
    ranking->class = &wildcards->classes[wildcards->class_of[mask]];
    ranking->to_canonical = &wildcards->symmetries[wildcards->to_canonical[mask]];
    // The second phase reads this entry for cells that are not given. Their digits have weight 0.
    ranking->image_of[WILD % RANK_LONGEST] = 0;
    for (unsigned i = 0; i < wildcards->cells; i++) {
        ranking->image_of[start[i]] = ranking->to_canonical->to[i];
    }
    return true;
}

// Ranks the symbols of the class's cells. Cell c of the canonical form has what the target has in
// cell from[c]. The sum fits 32 bits, because there are at most WILDCARD_TARGETS_MOST targets.
uint64_t wildcard_end_ranking(const struct wildcard_index *wildcards,
                              const struct wildcard_ranking *ranking)
{
    const struct wildcard_class *class = ranking->class;
    const uint32_t *weights = wildcards->weights[class->given];
    const uint8_t *from = ranking->to_canonical->from;
    struct lehmer code = lehmer_start();
    uint32_t rank = 0;
    // The number of rounds is the same for all targets, so that the processor predicts the end of
    // the loop. From digit class->given on, the weights are 0, whatever the symbol.
    for (unsigned i = 0; i < wildcards->most_given; i++) {
        // The remainder also makes a wildcard a possible symbol. Its digit has weight 0.
        unsigned symbol = ranking->target[from[class->cell[i]]] % RANK_LONGEST;
        rank += lehmer_digit(&code, ranking->image_of[symbol]) * weights[i];
    }
    return class->first + rank;
}

bool wildcard_rank(const struct wildcard_index *wildcards, const uint8_t *target, uint64_t *number)
{
    struct wildcard_ranking ranking;
    if (!wildcard_begin_ranking(wildcards, SYMMETRY_IDENTITY.to, target, &ranking)) {
        return false;
    }
    *number = wildcard_end_ranking(wildcards, &ranking);
    return true;
}

const struct wildcard_class *wildcard_class_at(const struct wildcard_index *wildcards,
                                               uint64_t number)
{
    assert(number < wildcards->entries);
    unsigned low = 0;                       // a class that begins at or before the number
    unsigned high = wildcards->class_count; // one that begins after it, or the end
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (wildcards->classes[middle].first <= number) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &wildcards->classes[low];
}

void wildcard_unrank(const struct wildcard_index *wildcards, uint64_t number, uint8_t *target)
{
    const struct wildcard_class *class = wildcard_class_at(wildcards, number);
    uint8_t symbols[RANK_LONGEST];
    arrangement_unrank(wildcards->cells, class->given, number - class->first, symbols);
    memset(target, WILD, wildcards->cells);
    for (unsigned i = 0; i < class->given; i++) {
        target[class->cell[i]] = symbols[i];
    }
}
