// Numbers sets of points, and finds elements that make them of a thing.
#include "sets.h"

#include <stdlib.h>
#include <string.h>

// ---- Sets ---------------------------------------------------------------------------------------

// The images of a thing of several points consist of the points in digit->slot. The *position* of a
// point is its place in that list.

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
        for (uint64_t rest = marks[word]; rest > 0; rest &= rest - 1) { // clears the lowest bit
            positions[listed++] = (uint16_t)(word * BITS + (unsigned)__builtin_ctzll(rest));
        }
    }
}

// Follows the generators of the digit's group from the points of the thing.
bool set_list_slots(struct arena *arena, struct chain_digit *digit)
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
    for (unsigned i = 0; i < count; i++) { // the count grows
        for (unsigned g = 0; g < group->generator_count; g++) {
            chain_point image = group->generators[g][queue[i]];
            if (group->fixed[g] >= digit->level && !is_in[image]) {
                is_in[image] = true;
                queue[count++] = image;
            }
        }
    }
    chain_point *slot = arena_take(arena, count * sizeof *slot);
    uint16_t *position = arena_take(arena, degree * sizeof *position);
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
    return arena_spend(arena, degree + LEVEL_WORK * (uint64_t)count * group->generator_count);
}

// ---- Listed sets --------------------------------------------------------------------------------
// A *key* is the row that stands for a set in digit->sets. It lists the positions of the set's
// points, rising. Or, if that is shorter, it has a bit for each position: 0 if a point of the set
// is there. The highest bit of its first number is position 0. So keys are in the same order as
// sets.

enum { KEY_BITS = 16 }; // of each number of a key

unsigned set_key_length(const struct chain_digit *digit)
{
    unsigned numbers = (digit->slots + KEY_BITS - 1) / KEY_BITS;
    return numbers < digit->thing->size ? numbers : digit->thing->size;
}

void set_write_key(const struct chain_digit *digit, uint16_t *positions, uint16_t *key)
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
        // Bit b of this number stands for position i × KEY_BITS + KEY_BITS - 1 - b.
        for (unsigned rest = (uint16_t)~key[i]; rest > 0; rest &= rest - 1) {
            positions[count++] = (uint16_t)((i + 1) * KEY_BITS - 1 - (unsigned)__builtin_ctz(rest));
        }
    }
}

// Adds `count` keys, at most ROWS_AT_ONCE: the images of the sets from `first` on under a step.
// Notes the sources of those that are new. Returns false if memory runs out or above a limit.
static bool add_images(struct set_list *list, unsigned step, uint32_t first, const uint16_t *keys,
                       unsigned count)
{
    struct arena *arena = list->arena;
    struct row_set *sets = &list->digit->sets;
    uint32_t known = sets->count;
    uint32_t numbers[ROWS_AT_ONCE];
    arena->bytes -= row_set_bytes(sets); // counted anew below
    row_set_add_many(sets, keys, count, numbers);
    for (unsigned i = 0; i < count; i++) {
        if (numbers[i] == ROW_NONE) {
            arena->out_of_memory = true;
        } else if (numbers[i] == known) { // a new set
            list->found[known++] = (struct chain_source){first + i, step};
        }
    }
    arena->bytes += row_set_bytes(sets);
    arena->too_large |= sets->count > CHAIN_LISTED_MOST || arena->bytes > CHAIN_BYTES_MOST;
    return arena_spend(arena, count * (SET_WORK + 2 * (uint64_t)list->digit->thing->size +
                                       list->digit->sets.length));
}

bool set_list_step(struct set_list *list, unsigned step, uint32_t first, uint32_t end)
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
    bool done = arena_spend(arena, digit->slots);
    unsigned count = 0;
    for (uint32_t i = first; i < end && done; i++) {
        read_key(digit, row_set_row(&digit->sets, i), positions);
        for (unsigned j = 0; j < size; j++) {
            positions[j] = moved[positions[j]];
        }
        set_write_key(digit, positions, keys + count++ * (size_t)digit->sets.length);
        if (count == ROWS_AT_ONCE || i + 1 == end) {
            done = add_images(list, step, i + 1 - count, keys, count);
            count = 0;
        }
    }
    return done;
}

bool set_list_by_generators(struct set_list *list, uint64_t patience, bool *complete)
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
            if (!set_list_step(list, g, first, end)) {
                return false;
            }
        }
        first = end;
    }
    *complete = true;
    return true;
}

// Returns C(n, i) for all n ≤ slots and i ≤ size, at index n × (size+1) + i; NULL if memory runs
// out. Larger ones become 2^63, so that no sum of two overflows.
static const uint64_t *list_binomials(struct arena *arena, unsigned slots, unsigned size)
{
    static const uint64_t MOST = UINT64_C(1) << 63;
    size_t width = size + 1;
    uint64_t *binomial = arena_take(arena, (slots + 1) * width * sizeof *binomial);
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

bool set_can_be_implicit(const struct chain_digit *digit)
{
    const struct level *levels = digit->group->levels + digit->level;
    for (unsigned i = 0; i < digit->thing->size; i++) {
        if (levels[i].length + i != levels[0].length ||
            level_number(&levels[0], digit->thing->points[i]) == CHAIN_NONE) {
            return false;
        }
    }
    return true;
}

bool set_make_implicit(struct arena *arena, struct chain_digit *digit)
{
    unsigned size = digit->thing->size;
    digit->kind = CHAIN_IMPLICIT;
    digit->binomial = list_binomials(arena, digit->slots, size);
    if (!digit->binomial) {
        return false;
    }
    uint64_t length = digit->binomial[digit->slots * (size_t)(size + 1) + size]; // C(slots, size)
    digit->length = length >> 63 ? 0 : length;
    return arena_spend(arena, (digit->slots + 1) * (uint64_t)(size + 1));
}

// Replaces the images of a thing's points by their positions. Returns false if one has none.
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
        set_write_key(digit, images, key);
        uint32_t found = row_set_find(&digit->sets, key);
        return found == ROW_NONE ? UINT64_MAX : found;
    }
    sort_positions(digit->slots, images, size);
    for (unsigned i = 0; i < size; i++) {
        number += digit->binomial[images[i] * (size_t)(size + 1) + i + 1]; // C(position, i + 1)
    }
    return number;
}

uint64_t chain_number(const struct chain_digit *digit, chain_point *images)
{
    if (digit->kind == CHAIN_LISTED || digit->kind == CHAIN_IMPLICIT) {
        return number_set(digit, images);
    }
    unsigned number = level_number(&digit->group->levels[digit->level], *images);
    return number == CHAIN_NONE ? UINT64_MAX : number;
}

// Writes the points of image `number` of an implicit thing, rising. Finds the last one first:
// point i-1 is at the largest position n with C(n, i) at most the number that is left.
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

// Writes to `row` an element that takes point i of an implicit thing to images[i], for each i: a
// product of one factor for each level. The later images are divided by a factor, which leaves what
// the later factors must do. The images are different slots of the digit, and are overwritten.
static void find_element_to(const struct chain_digit *digit, chain_point *images, chain_point *row)
{
    unsigned degree = digit->group->degree;
    chain_point product[digit->group->degree + 1];
    element_set_identity(degree, row);
    for (unsigned i = 0; i < digit->thing->size; i++) {
        const struct level *level = &digit->group->levels[digit->level + i];
        const chain_point *element = level->element[level_number(level, images[i])];
        element_multiply(degree, row, element, product);
        memcpy(row, product, degree * sizeof *row);
        for (unsigned j = i + 1; j < digit->thing->size; j++) {
            images[j] = element[degree + images[j]];
        }
    }
}

uint64_t set_find_element(const struct chain_digit *digit, uint64_t number, chain_point *row)
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
    element_set_identity(group->degree, row);
    // Go back from the set to the thing, whose number is 0, and multiply the steps on this way.
    for (; number > 0; number = digit->sources[number].set) {
        element_multiply(group->degree, row, digit->steps[digit->sources[number].step], product);
        memcpy(row, product, group->degree * sizeof *row);
        work += 2 * (uint64_t)group->degree;
    }
    return work;
}

uint64_t set_find_element_of(const struct chain_digit *digit, chain_point *images, chain_point *row)
{
    unsigned size = digit->thing->size;
    if (digit->kind != CHAIN_IMPLICIT) {
        uint64_t number = chain_number(digit, images);
        return number == UINT64_MAX ? 0 : set_find_element(digit, number, row);
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
