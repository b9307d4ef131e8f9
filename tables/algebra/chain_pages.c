// Makes the pages of a chain, numbers their maps, and fills these in.
#include "chain_pages.h"

#include "tables/base/array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Chooses the digits of an offset: split … end-1. Returns the number of offsets, which is at most
// `wanted`, or that of the last digit with several values if this exceeds `wanted`.
static uint64_t choose_digits(struct chain_pages *pages, unsigned wanted)
{
    const struct chain *chain = pages->chain;
    uint64_t size = 1;
    unsigned least = chain->plan->first_elements ? 1 : 0; // the steps differ by the first digit
    pages->split = chain->digit_count;
    while (pages->split > least) {
        uint64_t length = chain->digits[pages->split - 1].length;
        if (size > 1 && length > wanted / size) { // the first long digit is always taken
            break;
        }
        size *= length;
        pages->split--;
    }
    // Digits of one value would only make the tail longer.
    pages->end = chain->digit_count;
    while (pages->split < pages->end && chain->digits[pages->split].length == 1) {
        pages->split++;
    }
    while (pages->end > pages->split && chain->digits[pages->end - 1].length == 1) {
        pages->end--;
    }
    return size;
}

// Fills in pages->points: first the points of the page's things, then the tail (chain_pages.h).
// Each part has at most `degree` points. Returns false if memory runs out.
static bool list_points(struct chain_pages *pages)
{
    const struct chain *chain = pages->chain;
    unsigned degree = chain->plan->degree;
    bool *in_tail = calloc(degree + 1u, sizeof *in_tail);
    pages->points = malloc((2 * (size_t)degree + 1) * sizeof *pages->points);
    bool done = in_tail && pages->points;
    for (unsigned d = 0; d < chain->digit_count && done; d++) {
        const struct chain_thing *thing = chain->digits[d].thing;
        for (unsigned j = 0; j < thing->size; j++) {
            if (d < pages->split) {
                pages->points[pages->page_points++] = thing->points[j];
            } else {
                in_tail[thing->points[j]] = true;
            }
        }
    }
    if (done && pages->split < chain->digit_count) {
        chain_close(chain, pages->split, in_tail); // adds what they can reach
    }
    for (unsigned x = 0; x < degree && done; x++) {
        if (in_tail[x]) {
            pages->points[pages->page_points + pages->tail_count++] = (chain_point)x;
        }
    }
    free(in_tail);
    return done;
}

// Makes pages->masks for an offset that is this implicit digit. Returns false if memory runs out.
static bool make_masks(struct chain_pages *pages, const struct chain_digit *digit)
{
    pages->masks = calloc(1, sizeof *pages->masks);
    return pages->masks && set_masks_make(pages->masks, digit->slots, digit->thing->size);
}

bool chain_pages_make(struct chain_pages *pages, const struct chain *chain, unsigned wanted)
{
    *pages = (struct chain_pages){.chain = chain};
    if (chain->count == 0) {
        return true; // the states exceed 63 bits
    }
    uint64_t size = choose_digits(pages, wanted);
    assert(size > 0);
    bool need_masks = size > CHAIN_PAGE_MOST;
    const struct chain_digit *digit = &chain->digits[pages->split];
    if (chain->count / size >= CHAIN_PAGE_NONE ||
        (need_masks && (digit->kind != CHAIN_IMPLICIT || digit->slots > SET_SLOTS_MOST))) {
        return true;
    }
    pages->page_size = size;
    pages->page_count = chain->count / size;
    if ((need_masks && !make_masks(pages, digit)) || !list_points(pages)) {
        return false;
    }
    row_set_open(&pages->keys, pages->tail_count);
    return true;
}

void chain_pages_free(struct chain_pages *pages)
{
    free(pages->points);
    row_set_close(&pages->keys);
    free(pages->maps);
    free(pages->images);
    if (pages->masks) {
        set_masks_free(pages->masks);
    }
    free(pages->masks);
    free(pages->inverse_of);
    *pages = (struct chain_pages){.page_size = 0};
}

bool chain_pages_invert(struct chain_pages *pages)
{
    const chain_point *tail = pages->points + pages->page_points;
    chain_point *back = malloc(pages->chain->plan->degree * sizeof *back);
    chain_point *inverse = malloc((pages->tail_count + 1u) * sizeof *inverse);
    uint32_t *inverse_of =
        realloc(pages->inverse_of, (2 * (size_t)pages->keys.count + 1) * sizeof *inverse_of);
    bool done = back && inverse && inverse_of;
    pages->inverse_of = inverse_of ? inverse_of : pages->inverse_of;
    // This adds maps at the end of `keys`. Their inverses are old maps, so the number of maps at
    // most doubles, and `inverse_of` has room.
    for (uint32_t map = 0; map < pages->keys.count && done; map++) {
        const chain_point *key = row_set_row(&pages->keys, map);
        for (unsigned i = 0; i < pages->tail_count; i++) { // the map takes tail[i] to key[i]
            back[key[i]] = tail[i];
        }
        for (unsigned i = 0; i < pages->tail_count; i++) {
            inverse[i] = back[tail[i]];
        }
        inverse_of[map] = row_set_add(&pages->keys, inverse);
        done = inverse_of[map] != ROW_NONE;
    }
    free(back);
    free(inverse);
    return done;
}

// ---- Maps ---------------------------------------------------------------------------------------

enum { MAP_ROWS = 5 }; // of work space for each digit: u and v with their inverses, and k

// Writes the map of an element h: for each offset, in rising order, the offset that h makes of it.
// h need be right on the tail alone. Calls itself for the next digit. This call writes to `out` the
// entries for all values of the digits d … end-1, while each digit before d keeps one value. `rank`
// is the number that h makes of the digits before d. Returns the end of what was written.
//
// For each value of digit d, let u be its canonical element. h makes it a value with the canonical
// element v. Then hu = vk, where k fixes the thing of digit d. So k is the h of the later digits.
// `room` has MAP_ROWS rows of points for each digit from d on.
static uint16_t *fill_map(const struct chain_pages *pages, unsigned d, const chain_point *h,
                          uint64_t rank, chain_point *room, uint16_t *out)
{
    if (d >= pages->end) { // only if no digit has several values: there is one offset
        *out = (uint16_t)rank;
        return out + 1;
    }
    const struct chain_digit *digit = &pages->chain->digits[d];
    const chain_point *tail = pages->points + pages->page_points;
    size_t degree = pages->chain->plan->degree;
    chain_point *images = room + 2 * degree; // of the thing; later v and its inverse
    chain_point *k = room + 4 * degree;
    for (uint64_t i = 0; i < digit->length; i++) {
        const chain_point *u = chain_row(pages->chain, d, i, room);
        for (unsigned j = 0; j < digit->thing->size; j++) {
            images[j] = h[u[digit->thing->points[j]]];
        }
        uint64_t number = chain_number(digit, images);
        if (d + 1 == pages->end) {
            *out++ = (uint16_t)(rank * digit->length + number);
            continue;
        }
        const chain_point *v_inverse = chain_row(pages->chain, d, number, images) + degree;
        for (unsigned t = 0; t < pages->tail_count; t++) {
            k[tail[t]] = v_inverse[h[u[tail[t]]]];
        }
        out = fill_map(pages, d + 1, k, rank * digit->length + number, k + degree, out);
    }
    return out;
}

// The memory of all maps that have a number, in bytes.
static uint64_t count_map_bytes(const struct chain_pages *pages)
{
    uint64_t bytes = pages->masks ? set_masks_image_count(pages->masks) * sizeof *pages->images
                                  : pages->page_size * sizeof *pages->maps;
    return pages->keys.count * bytes;
}

// Writes the map of an element h if offsets are masks: the images of all halves (set_masks.h) under
// the permutation of the slots that h makes. Slot i is the point digit->slot[i].
static void fill_images(const struct chain_pages *pages, const chain_point *h, uint64_t *images)
{
    const struct chain_digit *digit = &pages->chain->digits[pages->split];
    uint8_t slot_images[SET_SLOTS_MOST];
    for (unsigned slot = 0; slot < digit->slots; slot++) {
        slot_images[slot] = (uint8_t)digit->position[h[digit->slot[slot]]];
    }
    set_masks_fill(pages->masks, slot_images, images);
}

// Takes the element h of each map from the map's key, which tells where h takes the points of the
// tail. Elsewhere, h is not read.
bool chain_pages_fill(struct chain_pages *pages)
{
    size_t degree = pages->chain->plan->degree;
    chain_point *h = malloc(degree * sizeof *h);
    chain_point *room =
        malloc((MAP_ROWS * (pages->end - pages->split) + 1) * degree * sizeof *room);
    if (pages->masks) {
        pages->images = array_make(count_map_bytes(pages), 1);
    } else {
        pages->maps = array_make(count_map_bytes(pages), 1);
    }
    bool done = h && room && (pages->masks ? pages->images != NULL : pages->maps != NULL);
    for (uint32_t map = 0; map < pages->keys.count && done; map++) {
        const chain_point *key = row_set_row(&pages->keys, map);
        for (unsigned i = 0; i < pages->tail_count; i++) {
            h[pages->points[pages->page_points + i]] = key[i];
        }
        if (pages->masks) {
            fill_images(pages, h, pages->images + map * set_masks_image_count(pages->masks));
        } else {
            fill_map(pages, pages->split, h, 0, room, pages->maps + map * pages->page_size);
        }
    }
    free(h);
    free(room);
    return done;
}

uint64_t chain_pages_bytes(const struct chain_pages *pages)
{
    uint64_t bytes = row_set_bytes(&pages->keys) + count_map_bytes(pages);
    bytes += pages->keys.room * sizeof *pages->inverse_of;
    bytes += pages->masks ? set_masks_bytes(pages->masks) : 0;
    return bytes + 2 * (uint64_t)pages->chain->plan->degree * sizeof *pages->points;
}

// ---- Steps --------------------------------------------------------------------------------------

unsigned chain_pages_step_count(const struct chain_pages *pages)
{
    const struct chain_plan *plan = pages->chain->plan;
    return plan->steps ? plan->step_count : plan->move_count;
}

// Finds the page and the map of each step. Let g be the element of the page. It takes pages->points
// to `element`, and a move m takes these to `images`. Dividing mg by the digits of a page gives the
// new page. What is left of the images of the tail is where h (chain_pages.h) takes the tail: the
// key of the map.
bool chain_pages_step(struct chain_pages *pages, uint64_t page, struct chain_step *steps)
{
    const struct chain_plan *plan = pages->chain->plan;
    const chain_point *const *moves = plan->steps ? plan->steps : plan->moves;
    unsigned count = chain_pages_step_count(pages);
    chain_point element[2 * plan->degree + 1]; // where g takes pages->points
    chain_point images[2 * plan->degree + 1];
    unsigned image_count = pages->page_points + pages->tail_count;
    if (plan->steps && plan->first_elements) {
        // Each value of the first digit, which is the most significant one, has its own `count`
        // steps.
        moves += page / (pages->page_count / plan->first_count) * count;
    }
    memcpy(element, pages->points, image_count * sizeof *element);
    chain_unrank_images(pages->chain, page * pages->page_size, element, image_count);
    for (unsigned m = 0; m < count; m++) {
        steps[m] = (struct chain_step){.page = CHAIN_PAGE_NONE};
        if (!moves[m]) {
            continue;
        }
        for (unsigned i = 0; i < image_count; i++) {
            images[i] = moves[m][element[i]];
        }
        steps[m].page = (uint32_t)chain_divide(pages->chain, 0, pages->split, images, image_count);
        steps[m].map = row_set_add(&pages->keys, images + pages->page_points);
        if (steps[m].map == ROW_NONE) {
            return false;
        }
    }
    return true;
}

uint64_t chain_pages_go(const struct chain_pages *pages, struct chain_step step, uint64_t state)
{
    uint64_t offset = state % pages->page_size;
    uint64_t first = step.page * pages->page_size;
    if (!pages->masks) {
        return first + chain_pages_map(pages, step.map)[offset];
    }
    uint64_t mask = set_masks_mask(pages->masks, offset);
    return first + set_masks_number(
                       pages->masks,
                       set_masks_image(pages->masks, chain_pages_images(pages, step.map), mask));
}
