// Finds the rows of pages, the steps between them and their keepers, and fills in the maps.
#include "symmetric_pages.h"

#include "tables/base/array.h"
#include "tables/base/parallel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Row `number` of an array of rows of points.
static const chain_point *row_at(const struct symmetric_pages *pages, const chain_point *rows,
                                 unsigned number)
{
    return rows + (size_t)number * pages->plan->chain.degree;
}

// ---- Points -------------------------------------------------------------------------------------

// Appends the points of some things to pages->points at `at`. Returns how many there are.
static unsigned append_things(struct symmetric_pages *pages, unsigned first, unsigned end,
                              unsigned at)
{
    unsigned count = 0;
    for (unsigned t = first; t < end; t++) {
        const struct chain_thing *thing = &pages->plan->chain.things[t];
        for (unsigned j = 0; j < thing->size; j++) {
            pages->points[at + count++] = thing->points[j];
        }
    }
    return count;
}

// Fills in `split` and `end`: digits of one value at the beginning and the end of an offset would
// only make keys longer.
static void choose_digits(struct symmetric_pages *pages)
{
    const struct chain_digit *digits = pages->chain.digits;
    pages->split = pages->plan->page_things;
    pages->end = pages->chain.digit_count;
    while (pages->split < pages->end && digits[pages->split].length == 1) {
        pages->split++;
    }
    while (pages->end > pages->split && digits[pages->end - 1].length == 1) {
        pages->end--;
    }
}

// Fills in pages->points. The tail has what symmetries make of the points of later things, and what
// elements that fix the things of the page make of those. Returns false if memory runs out.
static bool list_points(struct symmetric_pages *pages)
{
    const struct symmetric_plan *plan = pages->plan;
    unsigned degree = plan->chain.degree;
    bool *in_tail = calloc(degree, sizeof *in_tail);
    pages->points = malloc(2 * (size_t)degree * sizeof *pages->points);
    if (!in_tail || !pages->points) {
        free(in_tail);
        return false;
    }
    pages->page_points = append_things(pages, 0, plan->page_things, 0);
    pages->later_points = append_things(pages, pages->split, pages->end, pages->page_points);
    for (unsigned s = 0; s < plan->symmetry_count; s++) {
        for (unsigned i = 0; i < pages->later_points; i++) {
            chain_point x = pages->points[pages->page_points + i];
            in_tail[row_at(pages, plan->right, s)[x]] = true;
            in_tail[row_at(pages, plan->right_inverse, s)[x]] = true;
        }
    }
    if (pages->later_points > 0) {
        chain_close(&pages->chain, pages->split, in_tail);
    }
    unsigned before = pages->page_points + pages->later_points;
    for (unsigned x = 0; x < degree; x++) {
        if (in_tail[x]) {
            pages->points[before + pages->tail_points++] = (chain_point)x;
        }
    }
    free(in_tail);
    return true;
}

// ---- Rows ---------------------------------------------------------------------------------------

// Returns the page of an element, from its images of the points of the page, which are overwritten.
static uint64_t find_page(const struct symmetric_pages *pages, chain_point *images, unsigned count)
{
    return chain_divide(&pages->chain, 0, pages->plan->page_things, images, count);
}

// Adds a row that begins with this page: gives all pages of its class to the row.
static void add_row(struct symmetric_pages *pages, uint64_t page, chain_point *element,
                    chain_point *images)
{
    const struct symmetric_plan *plan = pages->plan;
    uint32_t row = pages->row_count++;
    chain_unrank_element(&pages->chain, page * pages->page_size, element);
    pages->first_pages[row] = (uint32_t)page;
    for (unsigned s = 0; s < plan->symmetry_count; s++) {
        const chain_point *left = row_at(pages, plan->left, s);
        const chain_point *right_inverse = row_at(pages, plan->right_inverse, s);
        for (unsigned i = 0; i < pages->page_points; i++) {
            images[i] = left[element[right_inverse[pages->points[i]]]];
        }
        uint64_t image = find_page(pages, images, pages->page_points);
        if (pages->row_of[image] == ROW_NONE) {
            pages->row_of[image] = row;
            pages->taken_by[image] = (uint16_t)s;
            pages->weights[row]++;
        }
    }
}

// Shortens an array of numbers to `count`.
static void shorten(uint32_t **array, uint32_t count)
{
    uint32_t *shorter = realloc(*array, (count + 1) * sizeof **array);
    *array = shorter ? shorter : *array;
}

// Gives each page its row. Returns false if memory runs out.
static bool find_rows(struct symmetric_pages *pages, chain_point *element, chain_point *images)
{
    pages->row_of = array_make(pages->page_count, sizeof *pages->row_of);
    pages->taken_by = array_make(pages->page_count, sizeof *pages->taken_by);
    pages->first_pages = array_make(pages->page_count, sizeof *pages->first_pages);
    pages->weights = array_make(pages->page_count, sizeof *pages->weights);
    if (!pages->row_of || !pages->taken_by || !pages->first_pages || !pages->weights) {
        return false;
    }
    memset(pages->row_of, UINT8_MAX, (size_t)pages->page_count * sizeof *pages->row_of); // ROW_NONE
    for (uint64_t page = 0; page < pages->page_count; page++) {
        if (pages->row_of[page] == ROW_NONE) {
            add_row(pages, page, element, images);
        }
    }
    shorten(&pages->first_pages, pages->row_count);
    shorten(&pages->weights, pages->row_count);
    return true;
}

// ---- Keys ---------------------------------------------------------------------------------------

static int compare_points(const void *left, const void *right)
{
    return *(const chain_point *)left - *(const chain_point *)right;
}

// The length of a key: at least 1, because a row set has no empty rows.
static unsigned key_length(const struct symmetric_pages *pages)
{
    return pages->later_points > 0 ? pages->tail_points + pages->later_points : 1;
}

// Completes a key, whose first entries tell where a takes the tail: appends where b takes the
// points of later things, rising for each thing, because only its set of points counts. Returns the
// number of the map, or ROW_NONE if memory runs out.
static uint32_t add_key(struct symmetric_pages *pages, chain_point *key, const chain_point *b)
{
    const struct symmetric_plan *plan = pages->plan;
    chain_point *at = key + pages->tail_points;
    *at = 0; // in case that there are no later things
    for (unsigned t = pages->split; t < pages->end; t++) {
        const struct chain_thing *thing = &plan->chain.things[t];
        for (unsigned j = 0; j < thing->size; j++) {
            at[j] = b[thing->points[j]];
        }
        qsort(at, thing->size, sizeof *at, compare_points);
        at += thing->size;
    }
    return row_set_add(&pages->keys, key);
}

// The buffers of those who make steps.
struct room {
    chain_point *element; // of the row's page: u
    chain_point *images;
};

// Finds the step that move m makes from a row, whose element is in the room (see
// symmetric_pages.h). Returns false if memory runs out.
static bool find_step(struct symmetric_pages *pages, const chain_point *move,
                      const struct room *room, struct chain_step *step)
{
    const struct symmetric_plan *plan = pages->plan;
    const chain_point *tail = pages->points + pages->page_points + pages->later_points;
    const chain_point *u = room->element;
    chain_point *images = room->images;
    for (unsigned i = 0; i < pages->page_points; i++) {
        images[i] = move[u[pages->points[i]]];
    }
    uint64_t page = find_page(pages, images, pages->page_points);
    const chain_point *left_inverse = row_at(pages, plan->left_inverse, pages->taken_by[page]);
    const chain_point *right = row_at(pages, plan->right, pages->taken_by[page]);
    for (unsigned i = 0; i < pages->page_points; i++) {
        images[i] = left_inverse[move[u[right[pages->points[i]]]]];
    }
    for (unsigned i = 0; i < pages->tail_points; i++) {
        images[pages->page_points + i] = left_inverse[move[u[tail[i]]]];
    }
    uint64_t first = find_page(pages, images, pages->page_points + pages->tail_points);
    step->page = pages->row_of[page];
    assert(first == pages->first_pages[step->page]);
    (void)first;
    step->map = add_key(pages, images + pages->page_points, right);
    return step->map != ROW_NONE;
}

// Adds a keeper to the newest row, unless it has the map already or is the identity's map 0.
// Returns false if memory runs out.
static bool add_keeper(struct symmetric_pages *pages, uint32_t begin, uint32_t map)
{
    for (uint32_t i = begin; i < pages->keeper_count; i++) {
        if (pages->keepers[i] == map) {
            return true;
        }
    }
    if (pages->keeper_count == pages->keeper_room) {
        uint32_t more = 2 * pages->keeper_room + 64;
        uint32_t *longer = realloc(pages->keepers, more * sizeof *longer);
        if (!longer) {
            return false;
        }
        pages->keepers = longer;
        pages->keeper_room = more;
    }
    pages->keepers[pages->keeper_count++] = map;
    return true;
}

// Finds the keepers of a row: the maps of the symmetries that take its page to itself, without that
// of the identity. If pages are as many as symmetries, there are none. Returns false if memory runs
// out.
static bool find_keepers(struct symmetric_pages *pages, uint32_t row, const struct room *room)
{
    const struct symmetric_plan *plan = pages->plan;
    const chain_point *tail = pages->points + pages->page_points + pages->later_points;
    const chain_point *u = room->element;
    chain_point *images = room->images;
    uint32_t begin = pages->keeper_count;
    for (unsigned s = 1; s < plan->symmetry_count && pages->weights[row] < plan->symmetry_count;
         s++) {
        const chain_point *left = row_at(pages, plan->left, s);
        const chain_point *right_inverse = row_at(pages, plan->right_inverse, s);
        for (unsigned i = 0; i < pages->page_points; i++) {
            images[i] = left[u[right_inverse[pages->points[i]]]];
        }
        for (unsigned i = 0; i < pages->tail_points; i++) {
            images[pages->page_points + i] = left[u[tail[i]]];
        }
        uint64_t page = find_page(pages, images, pages->page_points + pages->tail_points);
        if (page != pages->first_pages[row]) {
            continue;
        }
        uint32_t map = add_key(pages, images + pages->page_points, right_inverse);
        if (map == ROW_NONE || (map != 0 && !add_keeper(pages, begin, map))) {
            return false;
        }
    }
    return true;
}

// The memory of the maps that have a number, and of the steps, in bytes.
static uint64_t count_bytes(const struct symmetric_pages *pages)
{
    unsigned moves = pages->plan->chain.move_count;
    return (uint64_t)pages->keys.count * pages->page_size * sizeof *pages->maps +
           row_set_bytes(&pages->keys) + (uint64_t)pages->row_count * moves * sizeof *pages->steps;
}

// Gives map 0 to the identity. Returns false if memory runs out.
static bool add_identity(struct symmetric_pages *pages, const struct room *room)
{
    const chain_point *tail = pages->points + pages->page_points + pages->later_points;
    memcpy(room->images, tail, pages->tail_points * sizeof *tail);
    return add_key(pages, room->images, pages->plan->right) == 0; // symmetry 0 is the identity
}

// Makes the steps and keepers of all rows, and numbers their maps. Sets *fits to whether they take
// at most `most_bytes`; if not, ends early. Returns false if memory runs out.
static bool make_steps(struct symmetric_pages *pages, uint64_t most_bytes, const struct room *room,
                       bool *fits)
{
    const struct chain_plan *plan = &pages->plan->chain;
    unsigned count = plan->move_count;
    pages->steps = array_make((uint64_t)pages->row_count * count, sizeof *pages->steps);
    pages->keeper_begins = array_make(pages->row_count, sizeof *pages->keeper_begins);
    if (!pages->steps || !pages->keeper_begins || !add_identity(pages, room)) {
        return false;
    }
    *fits = true;
    for (uint32_t row = 0; row < pages->row_count && *fits; row++) {
        chain_unrank_element(&pages->chain, (uint64_t)pages->first_pages[row] * pages->page_size,
                             room->element);
        pages->keeper_begins[row] = pages->keeper_count;
        for (unsigned m = 0; m < count; m++) {
            if (!find_step(pages, plan->moves[m], room, &pages->steps[(uint64_t)row * count + m])) {
                return false;
            }
        }
        if (!find_keepers(pages, row, room)) {
            return false;
        }
        *fits = count_bytes(pages) <= most_bytes;
    }
    pages->keeper_begins[pages->row_count] = pages->keeper_count;
    return true;
}

// ---- Maps ---------------------------------------------------------------------------------------

// A thread that fills in maps.
struct filling {
    const struct symmetric_pages *pages;
    const chain_point *a; // by point
    uint16_t *map;
    chain_point *row;    // buffer for two rows of points
    chain_point *images; // buffers for the images of later things: one row for each later digit
};

// Fills in the entries of a map for all values of the digits from the first later one to d.
// `images` are where q takes what b makes of the points of later things, as far as the digits after
// d tell: q is the product of the elements of all later digits, and the last one is applied first.
// `offset` has the values of the digits after d, each times its weight, and `weight` is that of d.
static void fill_digit(const struct filling *filling, unsigned d, const chain_point *images,
                       unsigned offset, unsigned weight)
{
    const struct symmetric_pages *pages = filling->pages;
    const struct chain *chain = &pages->chain;
    unsigned first = pages->split;
    unsigned count = pages->later_points;
    chain_point *moved = filling->images + (size_t)(d - first) * count;
    uint64_t length = chain->digits[d].length;
    for (uint64_t value = 0; value < length; value++) {
        const chain_point *u = chain_row(chain, d, value, filling->row);
        unsigned at = offset + (unsigned)value * weight;
        if (d > first) {
            for (unsigned i = 0; i < count; i++) {
                moved[i] = u[images[i]];
            }
            fill_digit(filling, d - 1, moved, at, weight * (unsigned)length);
            continue;
        }
        for (unsigned i = 0; i < count; i++) {
            moved[i] = filling->a[u[images[i]]];
        }
        filling->map[at] = (uint16_t)chain_divide(chain, first, pages->end, moved, count);
    }
}

struct all_filling {
    struct symmetric_pages *pages;
    _Atomic bool out_of_memory;
};

// Fills in the maps begin … end-1.
static void fill_maps(void *context, uint64_t begin, uint64_t end)
{
    struct all_filling *all = context;
    struct symmetric_pages *pages = all->pages;
    size_t degree = pages->plan->chain.degree;
    unsigned digits = pages->end - pages->split;
    const chain_point *tail = pages->points + pages->page_points + pages->later_points;
    chain_point *a = calloc(degree, sizeof *a);
    chain_point *row = malloc(2 * degree * sizeof *row);
    chain_point *images = malloc(((size_t)digits * pages->later_points + 1) * sizeof *images);
    if (!a || !row || !images) {
        all->out_of_memory = true;
        end = begin;
    }
    for (uint64_t map = begin; map < end; map++) {
        const chain_point *key = row_set_row(&pages->keys, (uint32_t)map);
        for (unsigned i = 0; i < pages->tail_points; i++) {
            a[tail[i]] = key[i];
        }
        struct filling filling = {pages, a, pages->maps + map * pages->page_size, row, images};
        if (digits == 0) {
            filling.map[0] = 0;
            continue;
        }
        fill_digit(&filling, pages->end - 1, key + pages->tail_points, 0, 1);
    }
    free(a);
    free(row);
    free(images);
}

static bool make_maps(struct symmetric_pages *pages, unsigned threads)
{
    struct all_filling all = {.pages = pages};
    pages->maps = array_make((uint64_t)pages->keys.count * pages->page_size, sizeof *pages->maps);
    if (!pages->maps) {
        return false;
    }
    parallel_for(threads, pages->keys.count, 1, fill_maps, &all);
    return !all.out_of_memory;
}

// ---- All ----------------------------------------------------------------------------------------

// Cuts the numbers of the chain. Returns false if a page is too large, or if there are too many
// pages for the memory.
static bool cut_chain(struct symmetric_pages *pages, uint64_t most_bytes)
{
    const struct chain *chain = &pages->chain;
    uint64_t size = 1;
    for (unsigned d = pages->plan->page_things; d < chain->digit_count; d++) {
        uint64_t length = chain->digits[d].length;
        if (length == 0 || length > CHAIN_PAGE_MOST / size) {
            return false;
        }
        size *= length;
    }
    pages->page_size = (unsigned)size;
    pages->page_count = chain->count / size;
    return chain->count > 0 && pages->page_count < CHAIN_PAGE_NONE &&
           pages->page_count <= most_bytes / (sizeof *pages->row_of + sizeof *pages->taken_by);
}

enum symmetric_result symmetric_pages_make(struct symmetric_pages *pages,
                                           const struct symmetric_plan *plan, uint64_t most_bytes,
                                           unsigned threads, struct fewest_error *error)
{
    *pages = (struct symmetric_pages){.plan = plan};
    if (!chain_make(&pages->chain, &plan->chain, error)) {
        return error->status == FEWEST_BEYOND ? SYMMETRIC_UNFIT : SYMMETRIC_FAILED;
    }
    if (!cut_chain(pages, most_bytes)) {
        return SYMMETRIC_UNFIT;
    }
    if (!chain_finish(&pages->chain, error)) {
        return error->status == FEWEST_BEYOND ? SYMMETRIC_UNFIT : SYMMETRIC_FAILED;
    }
    size_t degree = plan->chain.degree;
    struct room room = {.element = malloc(degree * sizeof *room.element),
                        .images = malloc(3 * degree * sizeof *room.images)};
    bool fits = false;
    choose_digits(pages);
    bool made = room.element && room.images && list_points(pages);
    if (made) {
        row_set_open(&pages->keys, key_length(pages));
        made = find_rows(pages, room.element, room.images) &&
               make_steps(pages, most_bytes, &room, &fits);
    }
    free(room.element);
    free(room.images);
    free(pages->row_of);
    free(pages->taken_by);
    pages->row_of = NULL;
    pages->taken_by = NULL;
    if (made && fits) {
        made = make_maps(pages, threads);
    }
    if (!made) {
        (void)error_no_memory(error, "for the pages of a search");
        return SYMMETRIC_FAILED;
    }
    return fits ? SYMMETRIC_MADE : SYMMETRIC_UNFIT;
}

void symmetric_pages_free(struct symmetric_pages *pages)
{
    chain_free(&pages->chain);
    row_set_close(&pages->keys);
    free(pages->first_pages);
    free(pages->weights);
    free(pages->steps);
    free(pages->keeper_begins);
    free(pages->keepers);
    free(pages->maps);
    free(pages->points);
    free(pages->row_of);
    free(pages->taken_by);
    *pages = (struct symmetric_pages){.page_size = 0};
}

uint64_t symmetric_pages_bytes(const struct symmetric_pages *pages)
{
    return count_bytes(pages) + chain_bytes(&pages->chain) +
           (uint64_t)pages->row_count * (sizeof *pages->first_pages + sizeof *pages->weights +
                                         sizeof *pages->keeper_begins) +
           pages->keeper_room * sizeof *pages->keepers;
}

void symmetric_pages_unrank(const struct symmetric_pages *pages, uint32_t row, unsigned offset,
                            chain_point *points, unsigned count)
{
    chain_unrank_images(&pages->chain,
                        (uint64_t)pages->first_pages[row] * pages->page_size + offset, points,
                        count);
}
