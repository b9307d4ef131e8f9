// Ranks rows by a stabilizer chain.
#include "puzzle/orbit_chain.h"

#include <stdlib.h>
#include <string.h>

// ---- Bits ---------------------------------------------------------------------------------------

static uint64_t turned_slots(const struct orbit *orbit, const uint16_t *row)
{
    uint64_t turned = 0;
    for (unsigned i = 0; i < orbit->length; i++) {
        turned |= (uint64_t)(row[i] - orbit->first[i]) << i;
    }
    return turned;
}

// The element of a level turns the slot of its base, and no slot of another level's base. So the
// digits can be read off a row.
static uint64_t rank_bits(const struct orbit *orbit, uint32_t class, const uint16_t *row)
{
    uint64_t left = turned_slots(orbit, row) ^ orbit->class_turned[class];
    uint64_t rank = 0;
    for (unsigned l = 0; l < orbit->level_count; l++) {
        uint64_t digit = left >> orbit->slot_of[orbit->levels[l].base] & 1;
        left ^= digit ? orbit->turned[l] : 0;
        rank = rank << 1 | digit;
    }
    return left == 0 ? rank : INDEX_NONE;
}

static void unrank_bits(const struct orbit *orbit, uint32_t class, uint64_t rank, uint16_t *row)
{
    uint64_t turned = orbit->class_turned[class];
    for (unsigned l = orbit->level_count; l-- > 0; rank >>= 1) {
        turned ^= rank & 1 ? orbit->turned[l] : 0;
    }
    for (unsigned i = 0; i < orbit->length; i++) {
        row[i] = (uint16_t)(orbit->first[i] + (turned >> i & 1));
    }
}

// ---- Elements -----------------------------------------------------------------------------------
// An element is given by its *images*: by slot, where it takes the slot's first point.

// Divides the elements of levels out of an element, and returns the rank that they have. What is
// left are the images of a product of the levels from `end` on.
static uint64_t divide_levels(const struct orbit *orbit, unsigned begin, unsigned end,
                              group_point *image)
{
    uint64_t rank = 0;
    for (unsigned l = begin; l < end; l++) {
        const struct chain_level *level = &orbit->levels[l];
        unsigned slot = orbit->slot_of[level->base];
        unsigned digit = level->digit[image[slot]];
        if (digit == GROUP_POINT_NONE) {
            return INDEX_NONE;
        }
        const group_point *divisor = level->inverse + (size_t)digit * orbit->points;
        for (unsigned i = slot + 1; i < orbit->length; i++) {
            image[i] = divisor[image[i]];
        }
        image[slot] = level->base;
        rank = rank * level->length + digit;
    }
    return rank;
}

// The way back: multiplies the elements of levels in.
static void multiply_levels(const struct orbit *orbit, unsigned begin, unsigned end, uint64_t rank,
                            group_point *image)
{
    for (unsigned l = end; l-- > begin;) {
        const struct chain_level *level = &orbit->levels[l];
        const group_point *element = level->element + rank % level->length * orbit->points;
        rank /= level->length;
        for (unsigned i = orbit->slot_of[level->base]; i < orbit->length; i++) {
            image[i] = element[image[i]];
        }
    }
}

static void set_identity(const struct orbit *orbit, group_point *image)
{
    memcpy(image, orbit->first, orbit->length * sizeof *image);
}

// ---- Rows ---------------------------------------------------------------------------------------

void chain_least(const struct orbit *orbit, uint16_t *row)
{
    uint16_t least[SLOTS_MOST];
    for (unsigned l = 0; l < orbit->level_count; l++) {
        const struct chain_level *level = &orbit->levels[l];
        unsigned best = 0;
        uint16_t best_value = UINT16_MAX;
        for (unsigned d = 0; d < level->length; d++) {
            group_point image = level->element[(size_t)d * orbit->points + level->base];
            uint16_t value = orbit_value_at(orbit, row, image);
            if (value < best_value) {
                best = d;
                best_value = value;
            }
        }
        orbit_act(orbit, row, level->element + (size_t)best * orbit->points, least);
        memcpy(row, least, orbit->length * sizeof *row);
    }
}

uint64_t chain_rank(const struct orbit *orbit, uint32_t class, const uint16_t *row)
{
    group_point image[SLOTS_MOST];
    if (orbit->turned) {
        return rank_bits(orbit, class, row);
    }
    const group_point *least = orbit->class_points + (size_t) class * orbit->points;
    memset(image, 0xFF, orbit->length * sizeof *image);
    for (unsigned i = 0; i < orbit->length; i++) {
        group_point home = orbit->home[row[i]];
        unsigned slot = orbit->slot_of[home];
        unsigned turn = home - orbit->first[slot];
        unsigned turns = orbit->symbols[orbit->symbol_of[row[i]]].turns;
        image[slot] = least[orbit->first[i] + (turn > 0 ? turns - turn : 0)];
    }
    for (unsigned i = 0; i < orbit->length; i++) {
        if (image[i] == GROUP_POINT_NONE) {
            return INDEX_NONE; // two slots hold one value, which also stands in another orbit
        }
    }
    uint64_t rank = divide_levels(orbit, 0, orbit->level_count, image);
    return memcmp(image, orbit->first, orbit->length * sizeof *image) == 0 ? rank : INDEX_NONE;
}

void chain_unrank(const struct orbit *orbit, uint32_t class, uint64_t rank, uint16_t *row)
{
    group_point image[SLOTS_MOST];
    if (orbit->turned) {
        unrank_bits(orbit, class, rank, row);
        return;
    }
    const group_point *place = orbit->class_places + (size_t) class * orbit->points;
    set_identity(orbit, image);
    multiply_levels(orbit, 0, orbit->level_count, rank, image);
    for (unsigned i = 0; i < orbit->length; i++) {
        group_point at = place[image[i]];
        unsigned slot = orbit->slot_of[at];
        unsigned turn = at - orbit->first[slot];
        unsigned value = orbit->root[i];
        const struct symbol *symbol = &orbit->symbols[orbit->symbol_of[value]];
        unsigned turned = value - symbol->first + (turn > 0 ? symbol->turns - turn : 0);
        row[slot] = (uint16_t)(symbol->first + turned % symbol->turns);
    }
}

// ---- Steps --------------------------------------------------------------------------------------

enum { TAILS_MOST = 1 << 11 };

// The first level of the tails.
static unsigned cut_levels(const struct orbit *orbit, uint32_t *tail_count)
{
    unsigned level = orbit->level_count;
    *tail_count = 1;
    while (level > 0 && *tail_count * (uint64_t)orbit->levels[level - 1].length <= TAILS_MOST) {
        *tail_count *= orbit->levels[--level].length;
    }
    return level;
}

static uint64_t count_entries(const struct orbit *orbit, unsigned move_count, uint32_t tail_count)
{
    return orbit->rows / tail_count * orbit->classes * move_count;
}

uint64_t chain_steps_bytes(const struct orbit *orbit, unsigned move_count)
{
    static const uint64_t BYTES_MOST = UINT64_C(1) << 28;
    static const unsigned SHARE = 2; // of a byte for each row
    uint32_t tails;
    if (orbit->kind != ORBIT_CHAIN || orbit->turned || orbit->rows == 0) {
        return 0;
    }
    cut_levels(orbit, &tails);
    uint64_t entries = count_entries(orbit, move_count, tails);
    uint64_t bytes =
        entries > BYTES_MOST ? BYTES_MOST + 1 : entries * 6 + (uint64_t)tails * tails * 2;
    return bytes <= BYTES_MOST && bytes <= orbit->rows / SHARE ? bytes : 0;
}

static void fill_products(const struct orbit *orbit, unsigned level, struct chain_steps *steps)
{
    group_point factor[GROUP_DEGREE_MOST];
    group_point image[SLOTS_MOST];
    for (uint32_t a = 0; a < steps->tail_count; a++) {
        // `factor` by point, not only by slot.
        for (unsigned x = 0; x < orbit->points; x++) {
            factor[x] = (group_point)x;
        }
        uint64_t rank = a;
        for (unsigned l = orbit->level_count; l-- > level;) {
            const struct chain_level *at = &orbit->levels[l];
            const group_point *element = at->element + rank % at->length * orbit->points;
            rank /= at->length;
            for (unsigned x = 0; x < orbit->points; x++) {
                factor[x] = element[factor[x]];
            }
        }
        for (uint32_t b = 0; b < steps->tail_count; b++) {
            set_identity(orbit, image);
            multiply_levels(orbit, level, orbit->level_count, b, image);
            for (unsigned i = 0; i < orbit->length; i++) {
                image[i] = factor[image[i]];
            }
            steps->products[(size_t)a * steps->tail_count + b] =
                (uint16_t)divide_levels(orbit, level, orbit->level_count, image);
        }
    }
}

// X (orbit_chain.h) of a move and a class.
static void find_factor(const struct orbit *orbit, const group_point *moved, uint32_t from,
                        uint32_t to, group_point *factor)
{
    const group_point *least_from = orbit->class_points + (size_t)from * orbit->points;
    const group_point *least_to = orbit->class_points + (size_t)to * orbit->points;
    for (unsigned x = 0; x < orbit->points; x++) {
        factor[least_from[moved[x]]] = least_to[x];
    }
}

static bool fill_outer(const struct orbit *orbit, unsigned level, unsigned move_count,
                       const group_point *moved, const uint16_t *class_to,
                       struct chain_steps *steps)
{
    group_point image[SLOTS_MOST];
    group_point product[SLOTS_MOST];
    group_point *factors = malloc((size_t)move_count * orbit->points * sizeof *factors);
    for (uint32_t class = 0; class < orbit->classes && factors; class ++) {
        for (unsigned m = 0; m < move_count; m++) {
            find_factor(orbit, moved + (size_t)m * orbit->points, class,
                        class_to[(size_t)m * orbit->classes + class],
                        factors + (size_t)m * orbit->points);
        }
        for (uint32_t outer = 0; outer < steps->outer_count; outer++) {
            size_t at = ((size_t) class * steps->outer_count + outer) * move_count;
            set_identity(orbit, image);
            multiply_levels(orbit, 0, level, outer, image);
            for (unsigned m = 0; m < move_count; m++, at++) {
                const group_point *factor = factors + (size_t)m * orbit->points;
                for (unsigned i = 0; i < orbit->length; i++) {
                    product[i] = factor[image[i]];
                }
                steps->outer_to[at] = (uint32_t)divide_levels(orbit, 0, level, product);
                steps->factor_of[at] =
                    (uint16_t)divide_levels(orbit, level, orbit->level_count, product);
            }
        }
    }
    free(factors);
    return factors;
}

bool chain_steps_make(struct chain_steps *steps, const struct orbit *orbit, unsigned move_count,
                      const group_point *moved, const uint16_t *class_to)
{
    *steps = (struct chain_steps){.tail_count = 0};
    if (chain_steps_bytes(orbit, move_count) == 0) {
        return true;
    }
    unsigned level = cut_levels(orbit, &steps->tail_count);
    size_t entries = count_entries(orbit, move_count, steps->tail_count);
    steps->outer_count = (uint32_t)(orbit->rows / steps->tail_count);
    steps->outer_to = malloc(entries * sizeof *steps->outer_to);
    steps->factor_of = malloc(entries * sizeof *steps->factor_of);
    steps->products =
        malloc((size_t)steps->tail_count * steps->tail_count * sizeof *steps->products);
    if (!steps->outer_to || !steps->factor_of || !steps->products) {
        return false;
    }
    fill_products(orbit, level, steps);
    return fill_outer(orbit, level, move_count, moved, class_to, steps);
}

void chain_steps_free(struct chain_steps *steps)
{
    free(steps->outer_to);
    free(steps->factor_of);
    free(steps->products);
}
