// Checks distances of states: rules 1 to 3 of check.c.
//
// The states are checked one by one, unless their root has pages (algebra/pages.h). Then each step
// takes a whole page to another one, and two look-ups for each offset tell whether a state may
// break a rule. Only such a state is checked by itself. If offsets are masks, a page can be all
// states, so its offsets are checked in runs.
#include "check.h"
#include "tables/base/array.h"

#include <stdlib.h>
#include <string.h>

// What a proof of distances needs. The threads of a loop share it.
struct distance_proof {
    const struct proposed *proposed; // the distances
    uint64_t roots[GOALS_MOST + 1];  // states at distance 0
    unsigned root_count;
    // If some step can't be undone by a step: a bit for each state, which is set if a step leads to
    // it from a state that is nearer by one. Else NULL: then the neighbours of a state tell.
    _Atomic uint8_t *preceded;
};

// Is the state one of those that must have distance 0?
static bool is_root(const struct distance_proof *proof, uint64_t state)
{
    for (unsigned r = 0; r < proof->root_count; r++) {
        if (proof->roots[r] == state) {
            return true;
        }
    }
    return false;
}

// Notes that a step leads to a state from one that is nearer by one. Several threads may set bits
// of one byte; most bits are set already, and a look is cheaper than a write.
static void set_preceded(const struct distance_proof *proof, uint64_t state)
{
    uint8_t bit = (uint8_t)(1 << state % 8);
    _Atomic uint8_t *byte = &proof->preceded[state / 8];
    if (!(atomic_load_explicit(byte, memory_order_relaxed) & bit)) {
        atomic_fetch_or_explicit(byte, bit, memory_order_relaxed);
    }
}

// Has set_preceded noted this state?
static bool is_preceded(const struct distance_proof *proof, uint64_t state)
{
    return atomic_load_explicit(&proof->preceded[state / 8], memory_order_relaxed) >> state % 8 & 1;
}

// ---- One state ----------------------------------------------------------------------------------

// Fills in where the steps from a state lead, by move, or INDEX_NONE. Takes them from the pages if
// there are any. `after` has room for MOVES_MOST.
static void follow_steps(const struct checker *checker, uint64_t state, uint64_t *after)
{
    const struct pages *pages = checker->pages;
    unsigned moves = checker->puzzle->move_count;
    if (!pages) {
        puzzle_neighbours(checker->puzzle, checker->root, state, after);
        return;
    }
    struct chain_step room[MOVES_MOST];
    const struct chain_step *steps = pages_steps(pages, state / pages->cut->page_size, room);
    for (unsigned m = 0; m < moves; m++) {
        after[m] = INDEX_NONE;
        if (steps[m].page != CHAIN_PAGE_NONE) {
            after[m] = chain_pages_go(pages->cut, steps[m], state);
        }
    }
}

// Reports a finding against rule 3: no step leads to this state from one that is nearer by one.
static void report_no_predecessor(struct checker *checker, uint64_t state, int distance)
{
    check_report(checker, 3,
                 "state %llu is at distance %d, but no step leads to it from distance %d",
                 (unsigned long long)state, distance, distance - 1);
}

// Checks rules 1 to 3 for a state x: its own distance dx, and the distance dy of each state where a
// step leads. If some steps can't be undone, rule 3 is not checked here. Instead, each of these
// states that is one farther is noted as preceded, for check_preceded.
static void check_state(struct checker *checker, const struct distance_proof *proof, uint64_t x)
{
    const struct proposed *proposed = proof->proposed;
    uint64_t after[MOVES_MOST];
    int dx = proposed_distance(proposed, x);
    bool nearer = false;
    if (dx == 0 && !is_root(proof, x)) {
        check_report(checker, 1, "state %llu is at distance 0, but is not the root",
                     (unsigned long long)x);
    }
    if (dx == INFINITE) {
        return;
    }
    if (!puzzle_permits_index(checker->puzzle, checker->root, x)) {
        check_report(checker, 3, "state %llu is at distance %d, but is illegal",
                     (unsigned long long)x, dx);
        return;
    }
    follow_steps(checker, x, after);
    for (unsigned m = 0; m < checker->puzzle->move_count; m++) {
        if (after[m] == INDEX_NONE) {
            continue;
        }
        int dy = proposed_distance(proposed, after[m]);
        if (dy == dx - 1) {
            nearer = true;
        }
        if (proof->preceded && dy == dx + 1) {
            set_preceded(proof, after[m]);
        }
        if (dy > dx + 1 && puzzle_permits_index(checker->puzzle, checker->root, after[m])) {
            check_report(
                checker, 2,
                "state %llu is at distance %d, but a step by %s leads to state %llu, which is %s",
                (unsigned long long)x, dx, checker->puzzle->moves[m].name,
                (unsigned long long)after[m], tell_distance(dy).text);
        }
    }
    if (!proof->preceded && dx > 0 && !nearer) {
        report_no_predecessor(checker, x, dx);
    }
}

// Checks rules 1 to 3 for the states begin … end-1, one by one.
static void check_run(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    for (uint64_t state = begin; state < end; state++) {
        check_state(checker, context, state);
    }
}

// ---- A page -------------------------------------------------------------------------------------

// What is known of the states of a page or, if offsets are masks, of a run of at most STATES_A_PART
// of them. An unreachable state has the distance STRIDE_UNREACHABLE.
struct page_distances {
    uint8_t distances[CHAIN_PAGE_MOST]; // by state: its distance
    uint8_t least[CHAIN_PAGE_MOST];     // by state: the least distance where its steps lead
    uint8_t largest[CHAIN_PAGE_MOST];   // and the largest one
    uint8_t other[CHAIN_PAGE_MOST];     // the distances of a page that a step leads to
    uint64_t masks[STATES_A_PART];      // by state of a run: the mask of its offset
};

_Static_assert((int)STATES_A_PART <= (int)CHAIN_PAGE_MOST, "a run fits");

// Notes that a step from state number `offset` of the page leads to `state`, which is at this
// distance. If some steps can't be undone and the step comes from one nearer, notes that `state` is
// preceded.
static inline void add_distance(const struct distance_proof *proof, struct page_distances *page,
                                unsigned offset, uint8_t distance, uint64_t state)
{
    page->least[offset] = distance < page->least[offset] ? distance : page->least[offset];
    page->largest[offset] = distance > page->largest[offset] ? distance : page->largest[offset];
    if (proof->preceded && page->distances[offset] != STRIDE_UNREACHABLE &&
        distance == page->distances[offset] + 1) {
        set_preceded(proof, state);
    }
}

// Notes where a step leads from each state of a page: to one other page, by a map of the offsets.
static void add_step(const struct checker *checker, const struct distance_proof *proof,
                     struct chain_step step, struct page_distances *page)
{
    const struct pages *pages = checker->pages;
    const uint16_t *map = chain_pages_map(pages->cut, step.map);
    uint64_t first = (uint64_t)step.page * pages->page_size;
    proposed_unpack(proof->proposed, first, pages->page_size, page->other);
    for (unsigned offset = 0; offset < pages->page_size; offset++) {
        add_distance(proof, page, offset, page->other[map[offset]], first + map[offset]);
    }
}

// Does what add_step does, for a run of `count` states whose offsets are masks
// (algebra/set_masks.h). The images of the masks tell the offsets where the step leads.
static void add_step_of_masks(const struct checker *checker, const struct distance_proof *proof,
                              struct chain_step step, unsigned count, struct page_distances *page)
{
    const struct chain_pages *cut = checker->pages->cut;
    const uint64_t *images = chain_pages_images(cut, step.map);
    uint64_t first = step.page * cut->page_size;
    for (unsigned i = 0; i < count; i++) {
        uint64_t image = set_masks_image(cut->masks, images, page->masks[i]);
        uint64_t state = first + set_masks_number(cut->masks, image);
        int distance = proposed_distance(proof->proposed, state);
        add_distance(proof, page, i, distance == INFINITE ? STRIDE_UNREACHABLE : (uint8_t)distance,
                     state);
    }
}

// Checks rules 1 to 3 for `count` states from `first` on, which lie in one page: all of its states,
// unless offsets are masks. The distances where the steps lead tell which states may break a rule.
// Only these are checked one by one or, if states are forbidden, all that are reachable.
static void check_page(struct checker *checker, const struct distance_proof *proof, uint64_t first,
                       unsigned count, struct page_distances *page)
{
    const struct chain_pages *cut = checker->pages->cut;
    struct chain_step room[MOVES_MOST];
    const struct chain_step *steps = pages_steps(checker->pages, first / cut->page_size, room);
    proposed_unpack(proof->proposed, first, count, page->distances);
    memset(page->least, UINT8_MAX, count);
    memset(page->largest, 0, count);
    for (unsigned i = 0; i < count && cut->masks; i++) { // only if offsets are masks
        page->masks[i] = set_masks_mask(cut->masks, first % cut->page_size + i);
    }
    for (unsigned m = 0; m < checker->puzzle->move_count; m++) {
        if (steps[m].page != CHAIN_PAGE_NONE && cut->masks) {
            add_step_of_masks(checker, proof, steps[m], count, page);
        } else if (steps[m].page != CHAIN_PAGE_NONE) {
            add_step(checker, proof, steps[m], page);
        }
    }
    for (unsigned offset = 0; offset < count; offset++) {
        unsigned distance = page->distances[offset];
        if (distance == STRIDE_UNREACHABLE) {
            continue;
        }
        bool may_break_1 = distance == 0;
        bool may_break_2 = page->largest[offset] > distance + 1;
        bool may_break_3 = !proof->preceded && page->least[offset] + 1u != distance;
        if (may_break_1 || may_break_2 || may_break_3 || checker->puzzle->filter) {
            check_state(checker, proof, first + offset);
        }
    }
}

// Checks rules 1 to 3 for the states begin … end-1, page by page. Without masks, they are whole
// pages.
static void check_page_runs(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    uint64_t size = checker->pages->cut->page_size;
    struct page_distances page;
    while (begin < end) {
        uint64_t count = size - begin % size;
        count = count < end - begin ? count : end - begin;
        check_page(checker, context, begin, (unsigned)count, &page);
        begin += count;
    }
}

// ---- All ----------------------------------------------------------------------------------------

// Finds the states at distance 0: the root and, if distances are those to the nearest goal, each
// other goal. Checks the first half of rule 1: these have distance 0.
static void find_roots(struct checker *checker, struct distance_proof *proof)
{
    const struct puzzle *puzzle = checker->puzzle;
    const struct root *root = &puzzle->numbering.roots[checker->root];
    proof->root_count = root->more + 1;
    for (unsigned r = 0; r < proof->root_count; r++) {
        const uint8_t *target = root->target + (size_t)r * puzzle->cell_count;
        proof->roots[r] = puzzle_rank(puzzle, checker->root, target);
        int distance = proposed_distance(proof->proposed, proof->roots[r]);
        if (distance != 0) {
            check_report(checker, 1, "the root, state %llu, is %s, not at distance 0",
                         (unsigned long long)proof->roots[r], tell_distance(distance).text);
        }
    }
}

// Checks rule 3 for the states begin … end-1, after check_state has noted which ones are preceded.
static void check_preceded(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    const struct distance_proof *proof = context;
    for (uint64_t state = begin; state < end; state++) {
        int distance = proposed_distance(proof->proposed, state);
        if (distance > 0 && distance != INFINITE && !is_preceded(proof, state)) {
            report_no_predecessor(checker, state, distance);
        }
    }
}

void check_distances(struct checker *checker, const struct proposed *proposed)
{
    const struct pages *pages = checker->pages;
    struct distance_proof proof = {.proposed = proposed};
    if (!checker->puzzle->reversible) {
        proof.preceded = array_make(proposed->entries / 8 + 1, sizeof *proof.preceded);
        if (!proof.preceded) {
            check_lacks_memory(checker, proposed->entries, "states");
            return;
        }
    }
    find_roots(checker, &proof);
    if (pages) {
        // Whole pages, unless offsets are masks.
        uint64_t whole = (STATES_A_PART / pages->cut->page_size + 1) * pages->cut->page_size;
        uint64_t grain = pages->masks ? STATES_A_PART : whole;
        check_in_threads(checker, 2, proposed->entries, grain, check_page_runs, &proof);
    } else {
        check_in_threads(checker, 2, proposed->entries, STATES_A_PART, check_run, &proof);
    }
    if (proof.preceded && !checker->stopped) {
        check_in_threads(checker, 3, proposed->entries, STATES_A_PART, check_preceded, &proof);
    }
    check_end_rules(checker);
    free((void *)proof.preceded);
}
