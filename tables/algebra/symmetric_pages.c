// Finds the rows of pages, the steps between them and their keepers, and fills in the maps.
#include "symmetric_pages.h"

#include "tables/base/array.h"
#include "tables/base/parallel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Returns row `number` of an array of rows of points.
static const chain_point *row_at(const struct symmetric_pages *pages, const chain_point *rows,
                                 unsigned number)
{
    return rows + (size_t)number * pages->plan->chain.degree;
}

// Has the caller stopped the work?
static bool ask_to_stop(const struct symmetric_plan *plan)
{
    return plan->is_stopped && plan->is_stopped(plan->context);
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

// Cuts the digits of an offset into the two parts. Leaves out digits of one value at both ends,
// which would only make keys longer. Returns false if the low part would be too large.
static bool cut_offset(struct symmetric_pages *pages)
{
    const struct chain_digit *digits = pages->chain.digits;
    unsigned first = pages->plan->page_things;
    unsigned end = pages->chain.digit_count;
    uint64_t size = 1;
    while (first < end && digits[first].length == 1) {
        first++;
    }
    while (end > first && digits[end - 1].length == 1) {
        end--;
    }
    unsigned middle = first;
    while (middle < end && size * digits[middle].length <= CHAIN_PAGE_MOST) {
        size *= digits[middle++].length;
    }
    pages->high = (struct offset_part){.first = first, .end = middle, .size = (unsigned)size};
    pages->low = (struct offset_part){
        .first = middle, .end = end, .size = pages->page_size / pages->high.size};
    return pages->low.size <= CHAIN_PAGE_MOST;
}

// The points of the things of a part, and of those after it.
static unsigned count_points(const struct symmetric_pages *pages, const struct offset_part *part)
{
    unsigned count = 0;
    for (unsigned t = part->first; t < pages->low.end; t++) {
        count += pages->plan->chain.things[t].size;
    }
    return count;
}

// Lists the tail of a part at `at`: what symmetries make of the points of its things and of those
// after it, and what elements that fix the things before it make of those. `in_tail` has room for
// `degree` points.
static void list_tail(struct symmetric_pages *pages, struct offset_part *part, chain_point *at,
                      bool *in_tail)
{
    const struct symmetric_plan *plan = pages->plan;
    unsigned count = count_points(pages, part);
    const chain_point *points = pages->points + pages->page_points + pages->later_points - count;
    memset(in_tail, 0, plan->chain.degree * sizeof *in_tail);
    for (unsigned s = 0; s < plan->symmetry_count; s++) {
        for (unsigned i = 0; i < count; i++) {
            in_tail[row_at(pages, plan->right, s)[points[i]]] = true;
            in_tail[row_at(pages, plan->right_inverse, s)[points[i]]] = true;
        }
    }
    if (count > 0) {
        chain_close(&pages->chain, part->first, in_tail);
    }
    part->tail = at;
    for (unsigned x = 0; x < plan->chain.degree; x++) {
        if (in_tail[x]) {
            at[part->tail_count++] = (chain_point)x;
        }
    }
    // A row set has no empty rows.
    row_set_open(&part->keys, count > 0 ? part->tail_count + count : 1);
}

// Do all symmetries take elements that fix the things before the low part to such elements?
// `in_set` has room for `degree` points.
static bool keep_low_part(const struct symmetric_pages *pages, bool *in_set)
{
    const struct symmetric_plan *plan = pages->plan;
    bool kept = true;
    for (unsigned s = 0; s < plan->symmetry_count && pages->low.size > 1; s++) {
        for (unsigned t = 0; t < pages->low.first && kept; t++) {
            const struct chain_thing *thing = &plan->chain.things[t];
            memset(in_set, 0, plan->chain.degree * sizeof *in_set);
            for (unsigned j = 0; j < thing->size; j++) {
                in_set[row_at(pages, plan->right, s)[thing->points[j]]] = true;
            }
            kept = chain_keeps(&pages->chain, pages->low.first, in_set);
        }
    }
    return kept;
}

// Fills in pages->points. *fits becomes false if an offset can't be cut into these parts. Returns
// false if memory runs out.
static bool list_points(struct symmetric_pages *pages, bool *fits)
{
    const struct symmetric_plan *plan = pages->plan;
    unsigned degree = plan->chain.degree;
    bool *in_tail = calloc(degree, sizeof *in_tail);
    pages->points = malloc(3 * (size_t)degree * sizeof *pages->points);
    if (!in_tail || !pages->points) {
        free(in_tail);
        return false;
    }
    pages->page_points = append_things(pages, 0, plan->page_things, 0);
    pages->later_points =
        append_things(pages, pages->high.first, pages->low.end, pages->page_points);
    chain_point *at = pages->points + pages->page_points + pages->later_points;
    list_tail(pages, &pages->high, at, in_tail);
    list_tail(pages, &pages->low, at + pages->high.tail_count, in_tail);
    *fits = keep_low_part(pages, in_tail);
    free(in_tail);
    return true;
}

// ---- Rows ---------------------------------------------------------------------------------------

// Returns the page of an element. `images` has its images of the points of the page, which are
// overwritten. After them may come images of other points. From these, the canonical element of the
// page is divided out (chain_divide).
static uint64_t find_page(const struct symmetric_pages *pages, chain_point *images, unsigned count)
{
    return chain_divide(&pages->chain, 0, pages->plan->page_things, images, count);
}

// Adds the row that begins with this page, and gives it all pages of its class.
static void add_row(struct symmetric_pages *pages, uint64_t page, chain_point *element,
                    chain_point *images)
{
    const struct symmetric_plan *plan = pages->plan;
    uint32_t row = pages->row_count++;
    chain_unrank_element(&pages->chain, page * pages->page_size, element);
    pages->first_pages[row] = (uint32_t)page;
    pages->row_of[page] = row; // taken there by the identity, symmetry 0
    pages->taken_by[page] = 0;
    pages->weights[row] = 1;
    for (unsigned s = 1; s < plan->symmetry_count; s++) {
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

// Shortens an array to `count` numbers, if the system can.
static void shorten(uint32_t **array, uint32_t count)
{
    uint32_t *shorter = realloc(*array, (count + 1) * sizeof **array);
    if (shorter) {
        *array = shorter;
    }
}

// Makes the lists of pages. Returns false if memory runs out.
static bool make_lists(struct symmetric_pages *pages)
{
    pages->row_of = array_make(pages->page_count, sizeof *pages->row_of);
    pages->taken_by = array_make(pages->page_count, sizeof *pages->taken_by);
    pages->first_pages = array_make(pages->page_count, sizeof *pages->first_pages);
    pages->weights = array_make(pages->page_count, sizeof *pages->weights);
    return pages->row_of && pages->taken_by && pages->first_pages && pages->weights;
}

// Gives each page its row, unless the caller stops it.
static void find_rows(struct symmetric_pages *pages, chain_point *element, chain_point *images)
{
    enum { ROWS_A_QUESTION = 64 };
    memset(pages->row_of, UINT8_MAX, (size_t)pages->page_count * sizeof *pages->row_of); // ROW_NONE
    for (uint32_t page = 0; page < pages->page_count && !pages->is_stopped; page++) {
        if (pages->row_of[page] == ROW_NONE) {
            add_row(pages, page, element, images);
            pages->is_stopped = pages->row_count % ROWS_A_QUESTION == 0 && ask_to_stop(pages->plan);
        }
    }
    shorten(&pages->first_pages, pages->row_count);
    shorten(&pages->weights, pages->row_count);
}

// ---- Keys ---------------------------------------------------------------------------------------

// Sorts the points of a thing. They are few, and this is called for each step.
static void sort_points(chain_point *points, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        chain_point point = points[i];
        unsigned j = i;
        for (; j > 0 && points[j - 1] > point; j--) {
            points[j] = points[j - 1];
        }
        points[j] = point;
    }
}

// Completes a key, and adds it. Its first entries tell where a takes the tail of the part. Appends
// where b takes the points of its things and of those after it. Those of one thing are in rising
// order, because only the set counts. Returns the number of the map, or ROW_NONE if memory runs
// out.
static uint32_t add_key(struct symmetric_pages *pages, struct offset_part *part, chain_point *key,
                        const chain_point *b)
{
    const struct symmetric_plan *plan = pages->plan;
    chain_point *at = key + part->tail_count;
    *at = 0; // the whole key, if there are no later things
    for (unsigned t = part->first; t < pages->low.end; t++) {
        const struct chain_thing *thing = &plan->chain.things[t];
        for (unsigned j = 0; j < thing->size; j++) {
            at[j] = b[thing->points[j]];
        }
        sort_points(at, thing->size);
        at += thing->size;
    }
    return row_set_add(&part->keys, key);
}

// Buffers of points, to make steps and keepers.
struct room {
    chain_point *element; // u, of the row's page
    chain_point *images;
    chain_point *a; // by point
    chain_point *b;
    chain_point *inverses; // by row: of the element of its page
    const chain_point *identity;
};

// Adds the key of room->a and of b. Returns the number of the map, or ROW_NONE if memory runs out.
static uint32_t add_map(struct symmetric_pages *pages, const struct room *room,
                        const chain_point *b)
{
    const struct offset_part *high = &pages->high;
    for (unsigned i = 0; i < high->tail_count; i++) {
        room->images[i] = room->a[high->tail[i]];
    }
    return add_key(pages, &pages->high, room->images, b);
}

// Finds the step that move m makes from a row, whose element u is in the room. Returns false if
// memory runs out.
static bool find_step(struct symmetric_pages *pages, uint32_t row, unsigned m,
                      const struct room *room)
{
    const struct symmetric_plan *plan = pages->plan;
    const chain_point *move = plan->chain.moves[m];
    const chain_point *tail = pages->high.tail;
    unsigned tail_count = pages->high.tail_count;
    chain_point *images = room->images; // of the points of the page, and then of the tail
    chain_point *moved = images + pages->page_points;
    for (unsigned i = 0; i < pages->page_points; i++) {
        images[i] = move[room->element[pages->points[i]]];
    }
    for (unsigned i = 0; i < tail_count; i++) {
        moved[i] = move[room->element[tail[i]]];
    }
    // The symmetry, undone, after the move: v⁻¹l⁻¹mu. It takes x⁻¹mu off that, so a is left.
    uint64_t page = find_page(pages, images, pages->page_points + tail_count);
    unsigned symmetry = pages->taken_by[page];
    const chain_point *left = row_at(pages, plan->left_inverse, symmetry);
    const chain_point *inverse = room->inverses + (size_t)pages->row_of[page] * plan->chain.degree;
    for (unsigned i = 0; i < tail_count; i++) {
        room->a[moved[i]] = inverse[left[move[room->element[tail[i]]]]];
    }
    for (unsigned i = 0; i < tail_count; i++) {
        room->b[tail[i]] = moved[i];
    }
    uint32_t seen = add_map(pages, room, row_at(pages, plan->right, symmetry));
    for (unsigned i = 0; i < tail_count; i++) {
        room->a[tail[i]] = room->b[tail[i]];
    }
    uint32_t map = add_map(pages, room, room->identity);
    size_t at = (size_t)row * plan->chain.move_count + m;
    pages->steps[at] = (struct chain_step){pages->row_of[page], map};
    pages->views[at] =
        (struct symmetric_view){seen & (SYMMETRIC_MAPS_MOST - 1), symmetry & 0x3fffu};
    return seen != ROW_NONE && map != ROW_NONE;
}

// Adds a keeper to the newest row, whose keepers begin at `begin`, unless it is there already.
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

// Finds the keepers of a row: the maps of the symmetries that take its page to itself. Leaves out
// map 0, that of the identity. A row with as many pages as there are symmetries has none. Returns
// false if memory runs out.
static bool find_keepers(struct symmetric_pages *pages, uint32_t row, const struct room *room)
{
    const struct symmetric_plan *plan = pages->plan;
    uint32_t begin = pages->keeper_count;
    uint32_t page = pages->first_pages[row];
    for (unsigned s = 1; s < plan->symmetry_count && pages->weights[row] < plan->symmetry_count;
         s++) {
        const chain_point *left = row_at(pages, plan->left, s);
        const chain_point *right_inverse = row_at(pages, plan->right_inverse, s);
        for (unsigned i = 0; i < pages->page_points; i++) {
            room->images[i] = left[room->element[right_inverse[pages->points[i]]]];
        }
        if (find_page(pages, room->images, pages->page_points) != page) {
            continue;
        }
        const chain_point *inverse = room->inverses + (size_t)row * plan->chain.degree;
        for (unsigned x = 0; x < plan->chain.degree; x++) {
            room->a[x] = inverse[left[room->element[x]]];
        }
        uint32_t map = add_map(pages, room, right_inverse);
        if (map == ROW_NONE || (map != 0 && !add_keeper(pages, begin, map))) {
            return false;
        }
    }
    return true;
}

// Returns the memory of the maps that have a number so far, and of the steps, in bytes.
static uint64_t count_bytes(const struct symmetric_pages *pages)
{
    unsigned moves = pages->plan->chain.move_count;
    uint64_t entry = sizeof *pages->maps * (pages->low.size > 1 ? 2 : 1);
    return (uint64_t)pages->high.keys.count * pages->high.size * entry +
           (uint64_t)pages->low.keys.count * pages->low.size * sizeof *pages->low_maps +
           row_set_bytes(&pages->high.keys) + row_set_bytes(&pages->low.keys) +
           (uint64_t)pages->row_count * moves * (sizeof *pages->steps + sizeof *pages->views);
}

// Gives map 0 to the identity. Returns false if memory runs out.
static bool add_identity(struct symmetric_pages *pages, const struct room *room)
{
    for (unsigned x = 0; x < pages->plan->chain.degree; x++) {
        room->a[x] = (chain_point)x;
    }
    return add_map(pages, room, room->identity) == 0;
}

// Fills in room->inverses, with room->element as a buffer, unless the caller stops it. Returns
// false if memory runs out.
static bool find_inverses(struct symmetric_pages *pages, struct room *room)
{
    enum { ROWS_A_QUESTION = 1024 };
    unsigned degree = pages->plan->chain.degree;
    room->inverses = array_make((uint64_t)pages->row_count * degree, sizeof *room->inverses);
    for (uint32_t row = 0; row < pages->row_count && room->inverses && !pages->is_stopped; row++) {
        pages->is_stopped = row % ROWS_A_QUESTION == 0 && ask_to_stop(pages->plan);
        chain_unrank_element(&pages->chain, (uint64_t)pages->first_pages[row] * pages->page_size,
                             room->element);
        for (unsigned x = 0; x < degree; x++) {
            room->inverses[(size_t)row * degree + room->element[x]] = (chain_point)x;
        }
    }
    return room->inverses;
}

// Makes the steps and keepers of all rows, and numbers their maps. Ends early, with *fits false, if
// they take more than `most_bytes`. Returns false if memory runs out.
static bool make_steps(struct symmetric_pages *pages, const struct room *room, bool *fits)
{
    const struct chain_plan *plan = &pages->plan->chain;
    unsigned count = plan->move_count;
    pages->views = array_make((uint64_t)pages->row_count * count, sizeof *pages->views);
    pages->steps = array_make((uint64_t)pages->row_count * count, sizeof *pages->steps);
    pages->keeper_begins = array_make(pages->row_count, sizeof *pages->keeper_begins);
    if (!pages->steps || !pages->views || !pages->keeper_begins || !add_identity(pages, room)) {
        return false;
    }
    *fits = true;
    for (uint32_t row = 0; row < pages->row_count && *fits; row++) {
        chain_unrank_element(&pages->chain, (uint64_t)pages->first_pages[row] * pages->page_size,
                             room->element);
        pages->keeper_begins[row] = pages->keeper_count;
        for (unsigned m = 0; m < count; m++) {
            if (!find_step(pages, row, m, room)) {
                return false;
            }
        }
        if (!find_keepers(pages, row, room)) {
            return false;
        }
        pages->is_stopped = ask_to_stop(pages->plan);
        *fits = count_bytes(pages) <= pages->plan->most_bytes &&
                pages->high.keys.count <= SYMMETRIC_MAPS_MOST && !pages->is_stopped;
    }
    pages->keeper_begins[pages->row_count] = pages->keeper_count;
    return true;
}

// ---- Maps ---------------------------------------------------------------------------------------

// The work of filling in the maps of a part. All its threads share it.
struct map_filling {
    struct symmetric_pages *pages;
    const struct offset_part *part;
    struct chain_finder finder; // of its digits
    uint16_t *entries;          // by map and value: the new value
    bool has_low;               // and then the map of the low part?
    _Atomic bool out_of_memory;
    _Atomic bool is_stopped; // by the caller
};

// The map that a thread fills in, and its buffers.
struct map_room {
    struct map_filling *filling;
    uint16_t *entries;    // of the map
    const chain_point *b; // by point of the part's things and of those after it
    unsigned count;       // of `images`
    chain_point *a;       // by point
    chain_point *points;  // of the part's things under b; and then the tail of the low part
    chain_point *images;  // of these points
    chain_point *key;     // of a low map
};

// Fills in which map the low part takes at a high part. The images of the tail of the low part are
// those under aq₁. Dividing them by q₁' leaves those under h. Low maps are numbered as they come,
// so no other thread fills in maps.
static void fill_low(const struct map_room *room, uint32_t number, uint32_t new_high)
{
    struct symmetric_pages *pages = room->filling->pages;
    struct offset_part *low = &pages->low;
    unsigned own = room->filling->finder.count;
    memcpy(room->key, room->images + own, low->tail_count * sizeof *room->key);
    chain_undo(&pages->chain, pages->high.first, pages->high.end, new_high, room->key,
               low->tail_count);
    memcpy(room->key + low->tail_count, room->b + own,
           (pages->later_points - own) * sizeof *room->key);
    uint32_t map = row_set_add(&low->keys, room->key);
    if (map == ROW_NONE) {
        room->filling->out_of_memory = true;
    }
    room->entries[2 * number + 1] = (uint16_t)map;
}

// Fills in an entry of a map (a chain_visitor). `images` are those of room->points under q.
static void fill_entry(void *context, uint32_t number, const chain_point *images)
{
    const struct map_room *room = context;
    struct map_filling *filling = room->filling;
    for (unsigned i = 0; i < room->count; i++) {
        room->images[i] = room->a[images[i]];
    }
    uint64_t sum = finder_sum(&filling->finder, room->images);
    uint32_t found = finder_number(&filling->finder, sum);
    room->entries[filling->has_low ? 2 * number : number] = (uint16_t)found;
    if (filling->has_low) {
        fill_low(room, number, found);
    }
}

// Fills in the maps begin … end-1.
static void fill_maps(void *context, uint64_t begin, uint64_t end)
{
    enum { ROWS = 8 };
    struct map_filling *filling = context;
    struct symmetric_pages *pages = filling->pages;
    const struct offset_part *part = filling->part;
    size_t degree = pages->plan->chain.degree;
    unsigned own = filling->finder.count;
    chain_point *buffer = calloc(ROWS * degree, sizeof *buffer); // a list may have two rows
    struct map_room room = {.filling = filling,
                            .count = own + (filling->has_low ? pages->low.tail_count : 0),
                            .a = buffer,
                            .points = buffer + 2 * degree,
                            .images = buffer + 4 * degree,
                            .key = buffer + 6 * degree};
    filling->out_of_memory |= !buffer;
    for (uint64_t map = begin; map < end && buffer && !filling->out_of_memory; map++) {
        if (filling->is_stopped || ask_to_stop(pages->plan)) {
            filling->is_stopped = true;
            break;
        }
        const chain_point *key = row_set_row(&part->keys, (uint32_t)map);
        for (unsigned i = 0; i < part->tail_count; i++) {
            room.a[part->tail[i]] = key[i];
        }
        room.b = key + part->tail_count;
        room.entries = filling->entries + map * part->size * (filling->has_low ? 2 : 1);
        memcpy(room.points, room.b, own * sizeof *room.points);
        memcpy(room.points + own, pages->low.tail, (room.count - own) * sizeof *room.points);
        chain_visit_numbers(&(struct chain_visit){.chain = &pages->chain,
                                                  .first = part->first,
                                                  .end = part->end,
                                                  .points = room.points,
                                                  .count = room.count,
                                                  .visit = fill_entry,
                                                  .context = &room});
    }
    free(buffer);
}

// Fills in all maps of a part. Fails if memory runs out, or if the caller stops it.
static bool fill_part(struct symmetric_pages *pages, const struct offset_part *part,
                      uint16_t *entries, unsigned threads)
{
    struct map_filling filling = {.pages = pages,
                                  .part = part,
                                  .entries = entries,
                                  .has_low = part == &pages->high && pages->low.size > 1};
    bool done = entries && finder_make(&filling.finder, &pages->chain, part->first, part->end);
    if (done) {
        parallel_for(threads, part->keys.count, 1, fill_maps, &filling);
    }
    finder_free(&filling.finder);
    pages->is_stopped |= filling.is_stopped;
    return done && !filling.out_of_memory;
}

// Fills in the maps of the high part, by which those of the low part are numbered. Ends with *fits
// false if there are too many of these. Returns false if memory runs out.
static bool fill_high(struct symmetric_pages *pages, unsigned threads, bool *fits)
{
    uint64_t count = (uint64_t)pages->high.keys.count * pages->high.size;
    pages->maps = array_make_huge(count * (pages->low.size > 1 ? 2 : 1), sizeof *pages->maps);
    bool done = fill_part(pages, &pages->high, pages->maps, threads);
    *fits = pages->low.keys.count <= UINT16_MAX && count_bytes(pages) <= pages->plan->most_bytes &&
            !pages->is_stopped;
    return done;
}

bool symmetric_pages_fill(struct symmetric_pages *pages, unsigned threads,
                          struct fewest_error *error)
{
    bool fits;
    bool done = pages->maps || fill_high(pages, threads, &fits);
    if (done && pages->low.size > 1) {
        uint64_t count = (uint64_t)pages->low.keys.count * pages->low.size;
        pages->low_maps = array_make(count, sizeof *pages->low_maps);
        done = fill_part(pages, &pages->low, pages->low_maps, threads);
    }
    if (pages->is_stopped) {
        return error_set(error, FEWEST_STOPPED, "stopped before the search");
    }
    return done || error_no_memory(error, "for the pages of a search");
}

// ---- All ----------------------------------------------------------------------------------------

// The bytes of the lists of all pages, and of those of `rows` rows.
static uint64_t count_listed_bytes(const struct symmetric_pages *pages, uint64_t rows)
{
    uint64_t page_bytes = sizeof *pages->row_of + sizeof *pages->taken_by;
    uint64_t row_bytes = sizeof *pages->first_pages + sizeof *pages->weights +
                         pages->plan->chain.degree * sizeof(chain_point); // of the inverse
    return pages->page_count * page_bytes + rows * row_bytes;
}

// Cuts the digits of the chain into page and offset. Returns false if a page is too large, or if
// there are too many pages for the lists or for the steps.
static bool cut_chain(struct symmetric_pages *pages)
{
    const struct chain *chain = &pages->chain;
    uint64_t size = 1;
    for (unsigned d = pages->plan->page_things; d < chain->digit_count; d++) {
        uint64_t length = chain->digits[d].length;
        if (length == 0 || length > SYMMETRIC_OFFSETS_MOST / size) {
            return false;
        }
        size *= length;
    }
    pages->page_size = (unsigned)size;
    uint64_t count = chain->count / size;
    uint64_t rows = count / pages->plan->symmetry_count; // there are at least as many
    if (count == 0 || count >= CHAIN_PAGE_NONE) {
        return false;
    }
    pages->page_count = (uint32_t)count;
    return count_listed_bytes(pages, rows) <= pages->plan->most_listed &&
           rows * pages->plan->chain.move_count * (sizeof *pages->steps + sizeof *pages->views) <=
               pages->plan->most_bytes;
}

static void free_lists(struct symmetric_pages *pages)
{
    free(pages->row_of);
    free(pages->taken_by);
    pages->row_of = NULL;
    pages->taken_by = NULL;
}

enum symmetric_result symmetric_pages_make(struct symmetric_pages *pages,
                                           const struct symmetric_plan *plan,
                                           struct fewest_error *error)
{
    *pages = (struct symmetric_pages){.plan = plan};
    if (!chain_make(&pages->chain, &plan->chain, error)) {
        return error->status == FEWEST_BEYOND ? SYMMETRIC_UNFIT : SYMMETRIC_FAILED;
    }
    if (!cut_chain(pages) || !cut_offset(pages) || !make_lists(pages)) {
        return SYMMETRIC_UNFIT;
    }
    if (!chain_finish(&pages->chain, error)) {
        return error->status == FEWEST_BEYOND ? SYMMETRIC_UNFIT : SYMMETRIC_FAILED;
    }
    enum { ROWS_OF_ROOM = 6 };
    size_t degree = plan->chain.degree;
    chain_point *points =
        malloc((ROWS_OF_ROOM * degree + 1) * sizeof *points); // a key has an entry
    struct room room = {.element = points,
                        .a = points + degree,
                        .b = points + 2 * degree,
                        .identity = row_at(pages, plan->left, 0),
                        .images = points + 3 * degree}; // three rows
    bool fits = false;
    bool made = points && list_points(pages, &fits);
    if (made && fits) {
        find_rows(pages, room.element, room.images);
        made = find_inverses(pages, &room) && !pages->is_stopped && make_steps(pages, &room, &fits);
    }
    if (made && fits && pages->low.size > 1) {
        made = fill_high(pages, 1, &fits);
    }
    free(points);
    if (plan->keeps_lists) {
        pages->inverses = room.inverses;
    } else {
        free(room.inverses);
        free_lists(pages);
    }
    if (pages->is_stopped) {
        error_write(error, FEWEST_STOPPED, "stopped before the search");
        return SYMMETRIC_FAILED;
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
    row_set_close(&pages->high.keys);
    row_set_close(&pages->low.keys);
    free(pages->first_pages);
    free(pages->weights);
    free(pages->steps);
    free(pages->keeper_begins);
    free(pages->keepers);
    free(pages->maps);
    free(pages->low_maps);
    free(pages->points);
    free(pages->views);
    free(pages->inverses);
    free_lists(pages);
    *pages = (struct symmetric_pages){.page_size = 0};
}

uint64_t symmetric_pages_bytes(const struct symmetric_pages *pages)
{
    return count_bytes(pages) + chain_bytes(&pages->chain) +
           (uint64_t)pages->row_count * (sizeof *pages->first_pages + sizeof *pages->weights +
                                         sizeof *pages->keeper_begins) +
           (uint64_t)pages->keeper_room * sizeof *pages->keepers;
}

uint64_t symmetric_pages_listed_bytes(const struct symmetric_pages *pages)
{
    return count_listed_bytes(pages, pages->row_count);
}

void symmetric_pages_unrank(const struct symmetric_pages *pages, uint32_t row, unsigned offset,
                            chain_point *points, unsigned count)
{
    uint64_t first = (uint64_t)pages->first_pages[row] * pages->page_size;
    chain_unrank_images(&pages->chain, first + offset, points, count);
}

// The offset is that of v⁻¹l⁻¹gw.
bool symmetric_pages_find(const struct symmetric_pages *pages, const chain_point *images,
                          chain_point *room, struct symmetric_place *place)
{
    const struct symmetric_plan *plan = pages->plan;
    for (unsigned i = 0; i < pages->page_points; i++) {
        room[i] = images[pages->points[i]];
    }
    uint64_t page = find_page(pages, room, pages->page_points);
    if (page >= pages->page_count) {
        return false;
    }
    unsigned symmetry = pages->taken_by[page];
    const chain_point *left = row_at(pages, plan->left_inverse, symmetry);
    const chain_point *right = row_at(pages, plan->right, symmetry);
    const chain_point *inverse = row_at(pages, pages->inverses, pages->row_of[page]);
    for (unsigned i = 0; i < pages->later_points; i++) {
        room[i] = inverse[left[images[right[pages->points[pages->page_points + i]]]]];
    }
    uint64_t offset =
        chain_divide(&pages->chain, pages->high.first, pages->low.end, room, pages->later_points);
    *place = (struct symmetric_place){pages->row_of[page], symmetry, (uint32_t)offset};
    return offset < pages->page_size;
}
