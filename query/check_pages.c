// Proves the numbers of states by pages (algebra/chain_pages.h): rule 11 of check.c.
//
// The names are those of chain_pages.h: page p has the element g, place q stands for an element,
// too, a step m leads from page p to p' by a map, whose key is h, and B is a thing.
#include "check_points.h"

#include <stdlib.h>
#include <string.h>

struct page_proof {
    const struct pages *pages;
    const struct chain_pages *cut;
    const struct chain *chain;
    unsigned degree;
    struct home_points home;
    unsigned later; // points of the things of the places, the last of home.in_things
    const chain_point *tail;
    uint16_t *tail_at;   // by point: its position in the tail, or CHAIN_NONE
    uint16_t *rows;      // by place: where it takes the later points, as positions in the tail
    uint16_t *labels;    // by place and position in the tail: the thing there, or CHAIN_NONE
    chain_point *images; // by place: where it takes the points of home
    // If the plan leaves two points out, an element may exchange them. All states of a page have
    // the same parity as permutations of the points; else these are NULL.
    bool *odd_page;  // by page: are they odd?
    bool *odd_place; // by place: is its element odd?
};

static bool is_odd(const chain_point *row, unsigned degree)
{
    bool done[degree + 1];
    bool odd = false;
    memset(done, false, sizeof done);
    for (unsigned x = 0; x < degree; x++) {
        for (unsigned y = x; !done[y]; y = row[y]) {
            done[y] = true;
            odd ^= row[y] != x; // a cycle of n points is n-1 exchanges
        }
    }
    return odd;
}

// ---- Places -------------------------------------------------------------------------------------

// Rule 11d.
static bool check_place(struct page_proof *proof, unsigned q)
{
    const struct home_points *home = &proof->home;
    unsigned degree = proof->degree;
    unsigned tail_count = proof->cut->tail_count;
    unsigned page_points = home->in_things - proof->later;
    uint16_t *row = proof->rows + (size_t)q * proof->later;
    uint16_t *labels = proof->labels + (size_t)q * tail_count;
    uint16_t label_of[degree + 1];
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
    if (proof->odd_place) {
        right = right && is_permutation(images, degree);
        proof->odd_place[q] = is_odd(images, degree);
    }
    return right && chain_divide(proof->chain, proof->cut->split, proof->chain->digit_count,
                                 images + page_points, proof->later) == q;
}

static void check_places(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    for (uint64_t q = begin; q < end; q++) {
        if (!check_place(context, (unsigned)q)) {
            check_find(checker, 11, "place %u of a page has a wrong number", (unsigned)q);
        }
    }
}

// ---- Maps ---------------------------------------------------------------------------------------

// Rule 11e. If h permutes the tail, it takes as many points to a thing as the thing has.
static void check_map(struct checker *checker, const struct page_proof *proof, uint32_t number)
{
    const struct chain_pages *cut = proof->cut;
    const chain_point *key = cut->keys + (size_t)number * cut->tail_count;
    const uint16_t *map = chain_pages_map(cut, number);
    const uint16_t *things = proof->home.things + (proof->home.in_things - proof->later);
    uint16_t h[cut->tail_count + 1];
    bool taken[cut->tail_count + 1];
    memset(taken, false, sizeof taken);
    memset(h, 0, sizeof h);
    for (unsigned t = 0; t < cut->tail_count; t++) {
        h[t] = key[t] < proof->degree ? proof->tail_at[key[t]] : CHAIN_NONE;
        if (h[t] == CHAIN_NONE || taken[h[t]]) {
            check_find(checker, 11, "map %u does not permute the tail", (unsigned)number);
            return;
        }
        taken[h[t]] = true;
    }
    for (unsigned q = 0; q < cut->place_count; q++) {
        const uint16_t *row = proof->rows + (size_t)q * proof->later;
        bool right = map[q] < cut->place_count;
        const uint16_t *labels = proof->labels + (right ? (size_t)map[q] * cut->tail_count : 0);
        for (unsigned i = 0; i < proof->later; i++) {
            right &= labels[h[row[i]]] == things[i];
        }
        if (!right) {
            check_find(checker, 11, "map %u leads from place %u to place %u, which is wrong",
                       (unsigned)number, q, map[q]);
        }
    }
}

static void check_maps(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    for (uint64_t map = begin; map < end; map++) {
        check_map(checker, context, (uint32_t)map);
    }
}

// ---- Pages --------------------------------------------------------------------------------------

static void take_element(const struct page_proof *proof, uint64_t page, chain_point *element)
{
    chain_unrank_element(proof->chain, page * proof->pages->place_count, element);
}

// Rule 11b.
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
    return is_permutation(element, proof->degree) &&
           chain_divide(proof->chain, 0, proof->cut->split, images,
                        page_points + proof->cut->tail_count) == page &&
           memcmp(images + page_points, proof->tail, proof->cut->tail_count * sizeof *images) == 0;
}

// Rule 11c. An odd move changes the parity of the states.
static bool is_step(const struct page_proof *proof, uint64_t page, const chain_point *element,
                    const chain_point *move, struct chain_step step)
{
    const struct home_points *home = &proof->home;
    const struct chain_pages *cut = proof->cut;
    unsigned degree = proof->degree;
    if (!move || step.page >= cut->page_count || step.map >= cut->map_count) {
        return !move && step.page == CHAIN_PAGE_NONE;
    }
    const chain_point *key = cut->keys + (size_t)step.map * cut->tail_count;
    chain_point next[degree + 1];
    chain_point images[degree + 1];
    uint16_t labels[degree + 1];
    take_element(proof, step.page, next);
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
    return right && (!proof->odd_page ||
                     (proof->odd_page[page] ^ proof->odd_page[step.page]) == is_odd(move, degree));
}

static void check_page(struct checker *checker, const struct page_proof *proof, uint64_t page)
{
    const struct puzzle *puzzle = checker->puzzle;
    const struct chain_plan *plan = proof->chain->plan;
    struct chain_step room[MOVES_MOST];
    const struct chain_step *steps = pages_steps(proof->pages, page, room);
    chain_point element[proof->degree + 1];
    take_element(proof, page, element);
    if (!has_own_number(proof, page, element)) {
        check_find(checker, 11, "page %llu has a wrong number", (unsigned long long)page);
    }
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        const chain_point *row = chain_step_row(plan, m, element[proof->home.points[0]]);
        if (!is_step(proof, page, element, row, steps[m])) {
            check_find(checker, 11,
                       "a step by %s from page %llu does not lead to page %llu by map "
                       "%u",
                       puzzle->moves[m].name, (unsigned long long)page,
                       (unsigned long long)steps[m].page, (unsigned)steps[m].map);
        }
    }
}

static void check_each_page(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    for (uint64_t page = begin; page < end; page++) {
        check_page(checker, context, page);
    }
}

// ---- Cells --------------------------------------------------------------------------------------

// Rule 11f: the index of the cells that an element shows after a place. `exchange` exchanges the
// two last points before.
static uint64_t rank_product(const struct checker *checker, const struct page_proof *proof,
                             const chain_point *element, unsigned q, bool exchange)
{
    const struct puzzle *puzzle = checker->puzzle;
    unsigned count = proof->home.count;
    const chain_point *place = proof->images + (size_t)q * count;
    uint8_t cells[CELLS_MOST];
    chain_point images[2 * CELLS_MOST];
    for (unsigned i = 0; i < count; i++) {
        images[i] = element[place[i]];
    }
    if (exchange) {
        images[count - 1] = element[place[count - 2]];
        images[count - 2] = element[place[count - 1]];
    }
    puzzle->numbering.functions->write_images(puzzle, checker->root, images, cells);
    return puzzle_rank(puzzle, checker->root, cells);
}

// The first state of a page shows the parity of all: only one of two arrangements has a number.
static void find_parities(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    struct page_proof *proof = context;
    chain_point element[proof->degree + 1];
    for (uint64_t page = begin; page < end; page++) {
        take_element(proof, page, element);
        bool exchange = rank_product(checker, proof, element, 0, false) == INDEX_NONE;
        proof->odd_page[page] = is_odd(element, proof->degree) ^ exchange;
    }
}

// If the index is the number in the chain, rules 11b and 11d prove it. Then only the first page and
// the first place are ranked, because somebody might change `rank` alone.
static void check_ranks(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    const struct page_proof *proof = context;
    unsigned places = proof->pages->place_count;
    chain_point element[proof->degree + 1];
    for (uint64_t page = begin; page < end; page++) {
        take_element(proof, page, element);
        bool odd = proof->odd_page && is_odd(element, proof->degree) != proof->odd_page[page];
        bool all = page == 0 || !checker->puzzle->numbering.by_chain;
        for (unsigned q = 0; q < (all ? places : 1); q++) {
            bool exchange = proof->odd_place && odd != proof->odd_place[q];
            uint64_t number = rank_product(checker, proof, element, q, exchange);
            uint64_t expected = page * places + q;
            if (number != expected) {
                check_find(checker, 11, "state %llu has the number %llu",
                           (unsigned long long)expected, (unsigned long long)number);
            }
        }
    }
}

// ---- All ----------------------------------------------------------------------------------------

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
    size_t places = pages->place_count;
    size_t tail_count = proof->cut->tail_count;
    for (unsigned i = 0; i < proof->home.in_things; i++) {
        proof->later += proof->home.things[i] >= proof->cut->split;
    }
    proof->tail_at = malloc((proof->degree + 1u) * sizeof *proof->tail_at);
    proof->rows = malloc((places * proof->later + 1) * sizeof *proof->rows);
    proof->labels = malloc((places * tail_count + 1) * sizeof *proof->labels);
    proof->images = malloc(places * proof->home.count * sizeof *proof->images);
    if (!proof->tail_at || !proof->rows || !proof->labels || !proof->images) {
        return false;
    }
    memset(proof->tail_at, 0xFF, proof->degree * sizeof *proof->tail_at);
    for (unsigned t = 0; t < tail_count; t++) {
        proof->tail_at[proof->tail[t]] = (uint16_t)t;
    }
    if (proof->home.in_things == proof->home.count) {
        return true;
    }
    proof->odd_page = malloc(pages->page_count * sizeof *proof->odd_page);
    proof->odd_place = malloc(places * sizeof *proof->odd_place);
    return proof->odd_page && proof->odd_place;
}

static void close_proof(struct page_proof *proof)
{
    home_points_free(&proof->home);
    free(proof->tail_at);
    free(proof->rows);
    free(proof->labels);
    free(proof->images);
    free(proof->odd_page);
    free(proof->odd_place);
}

static void check_parts(struct checker *checker, struct page_proof *proof)
{
    enum { GRAIN = 16 };
    uint64_t places = proof->pages->place_count;
    uint64_t pages = proof->pages->page_count;
    check_in_threads(checker, 11, places, places / GRAIN + 1, check_places, proof);
    if (checker->findings[11] > 0) {
        return; // the maps are only checked from place to place
    }
    check_in_threads(checker, 11, proof->cut->map_count, 1, check_maps, proof);
    if (proof->odd_page) {
        check_in_threads(checker, 11, pages, GRAIN, find_parities, proof);
    }
    check_in_threads(checker, 11, pages, GRAIN, check_each_page, proof);
    check_in_threads(checker, 11, pages, STATES_A_PART / places + 1, check_ranks, proof);
}

bool check_pages(struct checker *checker)
{
    const struct chain *chain = checker->puzzle->numbering.roots[checker->root].chain;
    struct page_proof proof;
    bool has_room = open_proof(&proof, checker->pages, chain) && check_points(checker, &proof.home);
    if (has_room) {
        check_parts(checker, &proof);
    } else {
        check_lacks_memory(checker, checker->pages->place_count, "places");
    }
    close_proof(&proof);
    return check_end_rules(checker) && has_room;
}
