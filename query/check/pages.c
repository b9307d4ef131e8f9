// Proves the numbers of states by pages (algebra/chain_pages.h): rule 11 of check.c.
//
// The names are those of chain_pages.h. Page p has the element g, and offset q also stands for an
// element. Step m leads from page p to page p' by a map, whose key is h. B is a thing (chain.h).
#include "points.h"

#include <stdlib.h>
#include <string.h>

struct page_proof {
    const struct pages *pages;
    const struct chain_pages *cut;
    const struct chain *chain;
    unsigned degree;
    struct home_points home;
    unsigned later; // points of the things of the offsets, the last of home.in_things
    const chain_point *tail;
    uint16_t *tail_at; // by point: its position in the tail, or CHAIN_NONE
    // Lists of all offsets. If these are masks, there are none.
    uint16_t *rows;      // by offset: where it takes the later points, as positions in the tail
    uint16_t *labels;    // by offset and position in the tail: the thing there, or CHAIN_NONE
    chain_point *images; // by offset: where it takes the points of home
    // If the plan leaves two points out, an element may exchange them. All states of a page have
    // the same parity as permutations of the points; else these are NULL.
    bool *odd_page;   // by page: are they odd?
    bool *odd_offset; // by offset: is its element odd?
};

// Is a permutation of 0 … degree-1 odd?
static bool is_odd(const chain_point *row, unsigned degree)
{
    bool done[degree + 1];
    bool odd = false;
    memset(done, false, sizeof done);
    for (unsigned x = 0; x < degree; x++) {
        for (unsigned y = x; !done[y]; y = row[y]) { // along the cycle of x
            done[y] = true;
            odd ^= row[y] != x; // each point but the last: a cycle of n points is n-1 exchanges
        }
    }
    return odd;
}

// ---- Places -------------------------------------------------------------------------------------

// Checks rule 11d for offset q: its element has this number in the chain, fixes the things of
// pages, and takes those of offsets into the tail. Fills in the offset's row in each list of the
// proof: the other rules use them. Returns false if the rule is broken. Then the lists are of no
// use.
static bool check_offset(struct page_proof *proof, unsigned q)
{
    const struct home_points *home = &proof->home;
    unsigned degree = proof->degree;
    unsigned tail_count = proof->cut->tail_count;
    unsigned page_points = home->in_things - proof->later; // of the things of pages
    uint16_t *row = proof->rows + (size_t)q * proof->later;
    uint16_t *labels = proof->labels + (size_t)q * tail_count;
    uint16_t label_of[degree + 1]; // by point: the thing that q takes there
    chain_point images[degree + home->count + 1];
    memcpy(images, home->points, home->count * sizeof *images);
    chain_unrank_images(proof->chain, q, images, home->count);
    bool right = home_points_label(home, images, degree, label_of);
    for (unsigned i = 0; i < page_points; i++) {
        right = right && label_of[home->points[i]] == home->things[i];
    }
    for (unsigned i = 0; i < proof->later; i++) {
        row[i] = proof->tail_at[images[page_points + i]];
        right = right && row[i] != CHAIN_NONE;
    }
    for (unsigned t = 0; t < tail_count; t++) {
        labels[t] = label_of[proof->tail[t]];
    }
    memcpy(proof->images + (size_t)q * home->count, images, home->count * sizeof *images);
    if (proof->odd_offset) {
        right = right && is_permutation(images, degree);
        proof->odd_offset[q] = is_odd(images, degree);
    }
    return right && chain_divide(proof->chain, proof->cut->split, proof->chain->digit_count,
                                 images + page_points, proof->later) == q;
}

// Checks rule 11d for the offsets begin … end-1, and fills in their lists.
static void check_offsets(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    for (uint64_t q = begin; q < end; q++) {
        if (!check_offset(context, (unsigned)q)) {
            check_report(checker, 11, "offset %u of a page has a wrong number", (unsigned)q);
        }
    }
}

// ---- Masks --------------------------------------------------------------------------------------

// Checks rule 11d for masks, except for their numbers (check_masks): the things of offsets are one
// or two, they fill the tail, the first has as many points as a mask, and there are as many offsets
// as sets of so many points of the tail. The binomial coefficient is built up without remainders; a
// tail has at most SET_SLOTS_MOST points, so nothing overflows.
static bool masks_tell_offsets(const struct page_proof *proof)
{
    const struct chain_pages *cut = proof->cut;
    const struct home_points *home = &proof->home;
    unsigned size = proof->chain->digits[cut->split].thing->size;
    uint16_t labels[proof->degree + 1];
    uint64_t sets = 1;
    bool right = home->count == home->in_things && proof->later == cut->tail_count &&
                 cut->masks->size == size &&
                 home_points_label(home, home->points, proof->degree, labels);
    for (unsigned t = 0; t < cut->tail_count && right; t++) {
        unsigned thing = labels[proof->tail[t]];
        right = thing == cut->split || thing == cut->split + 1;
    }
    for (unsigned i = 1; i <= size && right; i++) { // tail_count over size
        sets = sets * (cut->tail_count - size + i) / i;
    }
    return right && sets == cut->page_size;
}

// Checks rule 11d for the masks of the offsets begin … end-1: each has as many points of the tail
// as it should, and the offset is its number, among the masks and in the chain.
static void check_masks(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    const struct page_proof *proof = context;
    const struct chain_pages *cut = proof->cut;
    chain_point images[SET_SLOTS_MOST];
    for (uint64_t q = begin; q < end; q++) {
        uint64_t mask = set_masks_mask(cut->masks, q);
        bool right = mask >> cut->tail_count == 0 && set_masks_number(cut->masks, mask) == q;
        unsigned size = 0;
        while (right && mask > 0) { // lists the points, the lowest one first
            images[size++] = proof->tail[__builtin_ctzll(mask)];
            mask &= mask - 1;
        }
        if (!right || size != cut->masks->size ||
            chain_number(&proof->chain->digits[cut->split], images) != q) {
            check_report(checker, 11, "the mask of offset %llu has a wrong number",
                         (unsigned long long)q);
        }
    }
}

// Checks rule 11e for all values of one half of a mask, which has `bits` bits. h takes each of
// these bits to a bit of the image. The image of a half is that of the half without its lowest bit,
// and where h takes this bit. The image of the empty half is empty.
static bool are_images_of_half(unsigned bits, const uint64_t *images, const uint16_t *h)
{
    bool right = images[0] == 0;
    for (size_t half = 1; half >> bits == 0; half++) {
        uint64_t lowest = UINT64_C(1) << h[__builtin_ctzll(half)];
        right &= images[half] == (images[half & (half - 1)] | lowest);
    }
    return right;
}

// Checks rule 11e for masks: `images` has the images of all values of the low half, and then of the
// high half. h takes position t of the tail to position h[t].
static bool are_images(const struct set_masks *masks, const uint64_t *images, const uint16_t *h)
{
    const uint64_t *high_images = images + ((size_t)1 << masks->low_bits);
    return are_images_of_half(masks->low_bits, images, h) &&
           are_images_of_half(masks->high_bits, high_images, h + masks->low_bits);
}

// ---- Maps ---------------------------------------------------------------------------------------

// Checks rule 11e for one map, whose key is h: the offset that the map gives for q tells hqB for
// each thing B of offsets. Only one direction is compared: because h permutes the tail, it takes as
// many points to a thing as the thing has.
static void check_map(struct checker *checker, const struct page_proof *proof, uint32_t number)
{
    const struct chain_pages *cut = proof->cut;
    const chain_point *key = row_set_row(&cut->keys, number);
    const uint16_t *things = proof->home.things + (proof->home.in_things - proof->later);
    uint16_t h[cut->tail_count + 1];
    bool taken[cut->tail_count + 1];
    memset(taken, false, sizeof taken);
    memset(h, 0, sizeof h); // by position in the tail: the position where h takes it
    for (unsigned t = 0; t < cut->tail_count; t++) {
        h[t] = key[t] < proof->degree ? proof->tail_at[key[t]] : CHAIN_NONE;
        if (h[t] == CHAIN_NONE || taken[h[t]]) {
            check_report(checker, 11, "map %u does not permute the tail", (unsigned)number);
            return;
        }
        taken[h[t]] = true;
    }
    if (cut->masks && !are_images(cut->masks, chain_pages_images(cut, number), h)) {
        check_report(checker, 11, "map %u has a wrong image of a half", (unsigned)number);
    }
    for (unsigned q = 0; q < cut->page_size && !cut->masks; q++) { // if the maps list offsets
        const uint16_t *map = chain_pages_map(cut, number);
        const uint16_t *row = proof->rows + (size_t)q * proof->later;
        bool right = map[q] < cut->page_size;
        const uint16_t *labels = proof->labels + (right ? (size_t)map[q] * cut->tail_count : 0);
        for (unsigned i = 0; i < proof->later; i++) {
            right &= labels[h[row[i]]] == things[i];
        }
        if (!right) {
            check_report(checker, 11, "map %u leads from offset %u to offset %u, which is wrong",
                         (unsigned)number, q, map[q]);
        }
    }
}

// Checks rule 11e for the maps begin … end-1.
static void check_maps(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    for (uint64_t map = begin; map < end; map++) {
        check_map(checker, context, (uint32_t)map);
    }
}

// ---- Pages --------------------------------------------------------------------------------------

// Fills in the element g of a page: where it takes each point.
static void find_element(const struct page_proof *proof, uint64_t page, chain_point *element)
{
    chain_unrank_element(proof->chain, page * proof->cut->page_size, element);
}

// Checks rule 11b for a page: the images of the things of pages under its element have the number
// of the page, and what is left after division by them keeps each point of the tail where it is.
static bool has_own_number(const struct page_proof *proof, uint64_t page,
                           const chain_point *element)
{
    const struct home_points *home = &proof->home;
    unsigned page_points = home->in_things - proof->later;
    chain_point images[2 * proof->degree + 1];
    for (unsigned i = 0; i < page_points; i++) {
        images[i] = element[home->points[i]];
    }
    for (unsigned t = 0; t < proof->cut->tail_count; t++) {
        images[page_points + t] = element[proof->tail[t]];
    }
    // chain_divide returns the number, and leaves in `images` what remains of the tail's.
    return is_permutation(element, proof->degree) &&
           chain_divide(proof->chain, 0, proof->cut->split, images,
                        page_points + proof->cut->tail_count) == page &&
           memcmp(images + page_points, proof->tail, proof->cut->tail_count * sizeof *images) == 0;
}

// Checks rule 11c for a step from a page: mg and g'h take each point of the tail to the same point,
// and mg and g' take each thing of pages to the same places. `element` is g, the page's, and `move`
// is m, or NULL if the step can't be made; then the page must have no such step. If parities count,
// an odd move must lead from odd states to even ones, and the other way round.
static bool is_step(const struct page_proof *proof, uint64_t page, const chain_point *element,
                    const chain_point *move, struct chain_step step)
{
    const struct home_points *home = &proof->home;
    const struct chain_pages *cut = proof->cut;
    unsigned degree = proof->degree;
    if (!move || step.page >= cut->page_count || step.map >= cut->keys.count) {
        return !move && step.page == CHAIN_PAGE_NONE;
    }
    const chain_point *key = row_set_row(&cut->keys, step.map);
    chain_point next[degree + 1];
    chain_point images[degree + 1];
    uint16_t labels[degree + 1];
    find_element(proof, step.page, next);
    for (unsigned i = 0; i < home->in_things; i++) {
        images[i] = next[home->points[i]];
    }
    bool right = home_points_label(home, images, degree, labels);
    for (unsigned i = 0; i < home->in_things - proof->later; i++) {
        right = right && labels[move[element[home->points[i]]]] == home->things[i];
    }
    for (unsigned t = 0; t < cut->tail_count; t++) {
        right = right && move[element[proof->tail[t]]] == next[key[t]];
    }
    if (right && proof->odd_page) {
        bool changes_parity = proof->odd_page[page] != proof->odd_page[step.page];
        right = changes_parity == is_odd(move, degree);
    }
    return right;
}

// Checks rules 11b and 11c for a page and its steps.
static void check_page(struct checker *checker, const struct page_proof *proof, uint64_t page)
{
    const struct puzzle *puzzle = checker->puzzle;
    const struct chain_plan *plan = proof->chain->plan;
    struct chain_step room[MOVES_MOST];
    const struct chain_step *steps = pages_steps(proof->pages, page, room);
    chain_point element[proof->degree + 1];
    find_element(proof, page, element);
    if (!has_own_number(proof, page, element)) {
        check_report(checker, 11, "page %llu has a wrong number", (unsigned long long)page);
    }
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        // On a board, the image of the first point tells the cell of the blank.
        const chain_point *row = chain_step_row(plan, m, element[proof->home.points[0]]);
        if (!is_step(proof, page, element, row, steps[m])) {
            check_report(checker, 11,
                         "a step by %s from page %llu does not lead to page %llu by map "
                         "%u",
                         puzzle->moves[m].name, (unsigned long long)page,
                         (unsigned long long)steps[m].page, (unsigned)steps[m].map);
        }
    }
}

// Checks rules 11b and 11c for the pages begin … end-1.
static void check_each_page(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    for (uint64_t page = begin; page < end; page++) {
        check_page(checker, context, page);
    }
}

// ---- Cells --------------------------------------------------------------------------------------

// Returns where offset q takes the points of home. That is a row of the list or, for masks,
// `images`, which is then filled in. With masks, the first thing of offsets goes to the points of
// the mask. The other thing goes to the rest of the tail.
static const chain_point *find_offset_images(const struct page_proof *proof, uint64_t q,
                                             chain_point *images)
{
    const struct home_points *home = &proof->home;
    if (!proof->cut->masks) {
        return proof->images + q * home->count;
    }
    uint64_t mask = set_masks_mask(proof->cut->masks, q);
    unsigned inside = home->in_things - proof->later;    // next point of the first thing
    unsigned outside = inside + proof->cut->masks->size; // and of the other one
    memcpy(images, home->points, home->count * sizeof *images);
    for (unsigned t = 0; t < proof->cut->tail_count; t++) {
        if (mask >> t & 1) {
            images[inside++] = proof->tail[t];
        } else {
            images[outside++] = proof->tail[t];
        }
    }
    return images;
}

// Writes the cells of gq, where g is the element of a page and q that of an offset. If `exchange`,
// the two last points of home first change places. Returns the index of these cells.
static uint64_t rank_product(const struct checker *checker, const struct page_proof *proof,
                             const chain_point *element, uint64_t q, bool exchange, uint8_t *cells)
{
    const struct puzzle *puzzle = checker->puzzle;
    unsigned count = proof->home.count;
    chain_point room[2 * CELLS_MOST];
    chain_point images[2 * CELLS_MOST];
    const chain_point *row = find_offset_images(proof, q, room);
    for (unsigned i = 0; i < count; i++) {
        images[i] = element[row[i]];
    }
    if (exchange) {
        images[count - 1] = element[row[count - 2]];
        images[count - 2] = element[row[count - 1]];
    }
    puzzle->numbering.functions->write_images(puzzle, checker->root, images, cells);
    return puzzle_rank(puzzle, checker->root, cells);
}

// Fills in, for the pages begin … end-1, whether their states are odd permutations of the points.
// All states of a page have the same parity, so the first one shows it. An exchange of the two last
// points makes another arrangement, but only one of the two has a number.
static void find_parities(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    struct page_proof *proof = context;
    chain_point element[proof->degree + 1];
    uint8_t cells[CELLS_MOST];
    for (uint64_t page = begin; page < end; page++) {
        find_element(proof, page, element);
        bool exchange = rank_product(checker, proof, element, 0, false, cells) == INDEX_NONE;
        proof->odd_page[page] = is_odd(element, proof->degree) ^ exchange;
    }
}

// Checks rule 11f for the pages begin … end-1: the cells of a page's element and an offset have the
// index of this page and offset, and the index gives these cells.
//
// If the index is the number in the chain, rules 11b and 11d prove it. Then only the first page and
// the first offset of each page are ranked, because somebody might change `rank` alone. If offsets
// are masks, at most CHAIN_PAGE_MOST of them are ranked. `unrank` is tried for the first page and
// the first offsets only: for all states, that took 1.9 times as long.
static void check_ranks(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    const struct page_proof *proof = context;
    const struct puzzle *puzzle = checker->puzzle;
    uint64_t size = proof->cut->page_size;
    // From one offset that is ranked to the next.
    uint64_t stride = puzzle->numbering.by_chain ? (size - 1) / CHAIN_PAGE_MOST + 1 : 1;
    chain_point element[proof->degree + 1];
    uint8_t cells[CELLS_MOST];
    uint8_t again[CELLS_MOST];
    for (uint64_t page = begin; page < end; page++) {
        find_element(proof, page, element);
        // Do the page's states differ from its element in parity?
        bool odd = proof->odd_page && is_odd(element, proof->degree) != proof->odd_page[page];
        bool all = page == 0 || !puzzle->numbering.by_chain;
        uint64_t end_offset = all ? size : 1;
        for (uint64_t q = 0; q < end_offset; q += stride) {
            bool exchange = proof->odd_offset && odd != proof->odd_offset[q];
            uint64_t number = rank_product(checker, proof, element, q, exchange, cells);
            uint64_t expected = page * size + q;
            if (number != expected) {
                check_report(checker, 11, "state %llu has the number %llu",
                             (unsigned long long)expected, (unsigned long long)number);
            }
            if (page == 0 || q == 0) {
                puzzle_unrank(puzzle, checker->root, expected, again);
                if (memcmp(cells, again, puzzle->cell_count) != 0) {
                    check_report(checker, 11, "number %llu gives the cells of another state",
                                 (unsigned long long)expected);
                }
            }
        }
    }
}

// ---- All ----------------------------------------------------------------------------------------

// Makes the lists that a proof of pages needs, still empty but for `home` and `tail_at`, and counts
// the later points. Returns false if memory runs out. The caller calls close_proof, also then.
static bool open_proof(struct page_proof *proof, const struct pages *pages,
                       const struct chain *chain)
{
    *proof = (struct page_proof){.pages = pages,
                                 .cut = pages->cut,
                                 .chain = chain,
                                 .degree = chain->plan->degree,
                                 .tail = pages->cut->points + pages->cut->page_points};
    if (!home_points_list(&proof->home, chain->plan)) {
        return false;
    }
    size_t size = pages->cut->masks ? 0 : pages->page_size; // of a list of offsets
    size_t tail_count = proof->cut->tail_count;
    for (unsigned i = 0; i < proof->home.in_things; i++) {
        if (proof->home.things[i] >= proof->cut->split) {
            proof->later++;
        }
    }
    proof->tail_at = malloc((proof->degree + 1u) * sizeof *proof->tail_at);
    proof->rows = malloc((size * proof->later + 1) * sizeof *proof->rows);
    proof->labels = malloc((size * tail_count + 1) * sizeof *proof->labels);
    proof->images = malloc((size * proof->home.count + 1) * sizeof *proof->images);
    if (!proof->tail_at || !proof->rows || !proof->labels || !proof->images) {
        return false;
    }
    memset(proof->tail_at, 0xFF, proof->degree * sizeof *proof->tail_at); // CHAIN_NONE
    for (unsigned t = 0; t < tail_count; t++) {
        proof->tail_at[proof->tail[t]] = (uint16_t)t;
    }
    if (proof->home.in_things == proof->home.count) { // the plan leaves out no points
        return true;
    }
    proof->odd_page = malloc(pages->page_count * sizeof *proof->odd_page);
    proof->odd_offset = malloc((size + 1) * sizeof *proof->odd_offset);
    return proof->odd_page && proof->odd_offset;
}

// Frees what open_proof has made.
static void close_proof(struct page_proof *proof)
{
    home_points_free(&proof->home);
    free(proof->tail_at);
    free(proof->rows);
    free(proof->labels);
    free(proof->images);
    free(proof->odd_page);
    free(proof->odd_offset);
}

// Checks rules 11b to 11f: offsets, then maps, then pages. Stops at a wrong offset, because the
// other rules use the lists of the offsets.
static void check_all_parts(struct checker *checker, struct page_proof *proof)
{
    enum { GRAIN = 16 };
    uint64_t size = proof->cut->page_size;
    uint64_t pages = proof->cut->page_count;
    if (!proof->cut->masks) {
        check_in_threads(checker, 11, size, size / GRAIN + 1, check_offsets, proof);
    } else if (masks_tell_offsets(proof)) {
        check_in_threads(checker, 11, size, STATES_A_PART, check_masks, proof);
    } else {
        check_report(checker, 11, "masks do not tell the offsets of a page");
    }
    if (checker->findings[11] > 0) {
        return;
    }
    check_in_threads(checker, 11, proof->cut->keys.count, 1, check_maps, proof);
    if (proof->odd_page) {
        check_in_threads(checker, 11, pages, GRAIN, find_parities, proof);
    }
    check_in_threads(checker, 11, pages, GRAIN, check_each_page, proof);
    check_in_threads(checker, 11, pages, STATES_A_PART / size + 1, check_ranks, proof);
}

bool check_pages(struct checker *checker)
{
    const struct chain *chain = checker->puzzle->numbering.roots[checker->root].chain;
    struct page_proof proof;
    bool has_room = open_proof(&proof, checker->pages, chain) && check_points(checker, &proof.home);
    if (has_room) {
        check_all_parts(checker, &proof);
    } else {
        check_lacks_memory(checker, checker->pages->cut->page_size, "offsets");
    }
    close_proof(&proof);
    return check_end_rules(checker) && has_room;
}
