// Checks the pattern databases of puzzles that are no boards: rule 13 of check.c.
//
// A simple search finds the states that are at most `base` moves from the solved one, as a bit for
// each entry. Then each entry follows from its neighbours.
#include "check.h"

#include "tables/base/array.h"
#include "tables/families/symmetry/stripes.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// The proof of one database. A set has a bit for each entry.
struct stripes_proof {
    struct checker *checker;
    const struct puzzle *projection;
    struct count_pages made;
    const struct symmetric_pages *pages;
    const uint8_t *stripes;
    unsigned base;
    unsigned moves;
    uint64_t row_slots;
    uint64_t entries;
    _Atomic uint64_t *near;      // entries at most `base` moves away
    _Atomic uint64_t *forbidden; // NULL if none are
    uint8_t *least;              // by stripe: the least distance of its near entries, or UINT8_MAX
    uint64_t *frontier;          // entries at the newest distance
    uint64_t count;
    uint64_t room;
    uint64_t *next;
    uint64_t next_count;
};

static bool is_in(const _Atomic uint64_t *set, uint64_t entry)
{
    return atomic_load_explicit(&set[entry / 64], memory_order_relaxed) >> entry % 64 & 1;
}

static void put_in(_Atomic uint64_t *set, uint64_t entry)
{
    atomic_fetch_or_explicit(&set[entry / 64], UINT64_C(1) << entry % 64, memory_order_relaxed);
}

// The slot of an entry.
static uint64_t slot_of(const struct stripes_proof *proof, uint64_t entry)
{
    unsigned size = proof->pages->page_size;
    return entry / size * proof->row_slots + stripe_slot((unsigned)(entry % size));
}

// The entry to which the step of a column leads.
static uint64_t follow(const struct stripes_proof *proof, uint64_t entry, unsigned column)
{
    const struct symmetric_pages *pages = proof->pages;
    uint32_t row = (uint32_t)(entry / pages->page_size);
    struct chain_step step = symmetric_pages_steps(pages, row)[column];
    uint32_t view = symmetric_pages_views(pages, row)[column].map;
    uint32_t moved = symmetric_pages_go(pages, step.map, (uint32_t)(entry % pages->page_size));
    return (uint64_t)step.page * pages->page_size + symmetric_pages_go(pages, view, moved);
}

// ---- Near states --------------------------------------------------------------------------------

// Gives a list room for `room` entries. Returns false if memory runs out.
static bool lengthen(uint64_t **list, uint64_t room)
{
    uint64_t *longer = realloc(*list, room * sizeof *longer);
    *list = longer ? longer : *list;
    return longer;
}

// Adds an entry to the next frontier, unless it is near already. Returns false if memory runs out.
static bool reach(struct stripes_proof *proof, uint64_t entry, unsigned distance)
{
    bool is_forbidden = proof->forbidden && is_in(proof->forbidden, entry);
    if (is_in(proof->near, entry) || is_forbidden) {
        return true;
    }
    if (proof->next_count == proof->room) {
        proof->room = 2 * proof->room + 1024;
        if (!lengthen(&proof->frontier, proof->room) || !lengthen(&proof->next, proof->room)) {
            return false;
        }
    }
    put_in(proof->near, entry);
    proof->next[proof->next_count++] = entry;
    uint8_t *least = &proof->least[slot_of(proof, entry) / STRIPE_SLOTS];
    *least = distance < *least ? (uint8_t)distance : *least;
    return true;
}

// Reaches an entry, and its images under the keepers of its row.
static bool reach_class(struct stripes_proof *proof, uint64_t entry, unsigned distance)
{
    const struct symmetric_pages *pages = proof->pages;
    uint64_t row = entry / pages->page_size;
    bool done = reach(proof, entry, distance);
    for (uint32_t k = pages->keeper_begins[row]; k < pages->keeper_begins[row + 1] && done; k++) {
        uint32_t image =
            symmetric_pages_go(pages, pages->keepers[k], (uint32_t)(entry % pages->page_size));
        done = reach(proof, row * pages->page_size + image, distance);
    }
    return done;
}

// Finds the near entries, by undoing moves. Returns false if memory runs out, or if the check is
// stopped.
static bool find_near(struct stripes_proof *proof)
{
    bool done = reach_class(proof, 0, 0);
    for (unsigned distance = 1; distance <= proof->base && done; distance++) {
        uint64_t *newest = proof->next;
        proof->next = proof->frontier;
        proof->frontier = newest;
        proof->count = proof->next_count;
        proof->next_count = 0;
        for (uint64_t i = 0; i < proof->count && done; i++) {
            done = check_goes_on(proof->checker, 13, i, proof->count);
            for (unsigned m = 0; m < proof->moves && done; m++) {
                done = reach_class(proof, follow(proof, proof->frontier[i], m), distance);
            }
        }
    }
    return done;
}

// ---- Entries ------------------------------------------------------------------------------------

// Puts the forbidden entries begin … end-1 in their set.
static void forbid_entries(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    struct stripes_proof *proof = context;
    uint8_t relative[CELLS_MOST];
    unsigned size = proof->pages->page_size;
    (void)checker;
    for (uint64_t entry = begin; entry < end; entry++) {
        count_pages_write_state(&proof->made, proof->projection, (uint32_t)(entry / size),
                                (unsigned)(entry % size), relative);
        if (!puzzle_permits(proof->projection, relative)) {
            put_in(proof->forbidden, entry);
        }
    }
}

// The value that an entry must have: 0 if its state is near. Else it is one more than the least of
// the states to which a move leads.
static unsigned find_expected(const struct stripes_proof *proof, uint64_t entry)
{
    unsigned columns = proof->pages->plan->chain.move_count;
    unsigned least = ENTRY_BEYOND;
    if (is_in(proof->near, entry) || (proof->forbidden && is_in(proof->forbidden, entry))) {
        return 0;
    }
    for (unsigned column = columns - proof->moves; column < columns; column++) {
        uint64_t to = follow(proof, entry, column);
        if (!proof->forbidden || !is_in(proof->forbidden, to)) {
            unsigned value = stripe_get(proof->stripes, slot_of(proof, to));
            least = value < least ? value : least;
        }
    }
    return least < ENTRY_BEYOND ? least + 1 : ENTRY_BEYOND;
}

static void prove_entries(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    const struct stripes_proof *proof = context;
    for (uint64_t entry = begin; entry < end; entry++) {
        unsigned value = stripe_get(proof->stripes, slot_of(proof, entry));
        unsigned expected = find_expected(proof, entry);
        if (value != expected) {
            check_report(checker, 13, "section %s: entry %llu is %u, but %u follows from its moves",
                         checker->section->name, (unsigned long long)entry, value, expected);
        }
    }
}

// Checks what stripes begin … end-1 have besides their entries.
static void prove_stripes(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    const struct stripes_proof *proof = context;
    uint64_t each = proof->row_slots / STRIPE_SLOTS;
    for (uint64_t stripe = begin; stripe < end; stripe++) {
        unsigned least = proof->least[stripe];
        unsigned below = least <= proof->base ? proof->base - least : 0;
        below = below < STRIPE_BELOW_MOST ? below : STRIPE_BELOW_MOST;
        unsigned found = proof->stripes[stripe * STRIPE_BYTES + STRIPE_BYTES - 1] >> 4;
        uint64_t first = stripe % each * STRIPE_ENTRIES; // its first offset
        bool is_filled = true;
        for (unsigned i = 0; i < STRIPE_ENTRIES; i++) {
            is_filled &= first + i < proof->pages->page_size ||
                         stripe_get(proof->stripes, stripe * STRIPE_SLOTS + i) == ENTRY_BEYOND;
        }
        if (found != below || !is_filled) {
            check_report(checker, 13, "section %s: stripe %llu ends with other bits than it should",
                         checker->section->name, (unsigned long long)stripe);
        }
    }
}

// ---- All ----------------------------------------------------------------------------------------

// Makes the sets. Returns false if memory runs out.
static bool make_sets(struct stripes_proof *proof)
{
    uint64_t words = proof->entries / 64 + 1;
    uint64_t stripes = proof->pages->row_count * (proof->row_slots / STRIPE_SLOTS);
    proof->near = array_make(words, sizeof *proof->near);
    proof->least = malloc(stripes + 1);
    if (proof->projection->filter) {
        proof->forbidden = array_make(words, sizeof *proof->forbidden);
    }
    if (proof->least) {
        memset(proof->least, UINT8_MAX, stripes);
    }
    return proof->near && proof->least && (!proof->projection->filter || proof->forbidden);
}

// Proves a database whose pages are made.
static void prove(struct stripes_proof *proof)
{
    struct checker *checker = proof->checker;
    if (!make_sets(proof)) {
        check_lacks_memory(checker, proof->entries, "entries of a pattern database");
        return;
    }
    if (proof->forbidden) {
        check_in_threads(checker, 13, proof->entries, STATES_A_PART, forbid_entries, proof);
    }
    if (!find_near(proof)) {
        if (!checker->stopped) {
            check_lacks_memory(checker, proof->entries, "entries of a pattern database");
        }
        return;
    }
    check_in_threads(checker, 13, proof->entries, STATES_A_PART, prove_entries, proof);
    check_in_threads(checker, 13, proof->pages->row_count * (proof->row_slots / STRIPE_SLOTS),
                     STATES_A_PART, prove_stripes, proof);
    check_end_rules(checker);
}

void check_stripes(struct checker *checker)
{
    unsigned number = checker->section->root_number;
    const struct puzzle *projection = &checker->puzzle->projections[number];
    const struct unpacked *unpacked = table_unpacked(checker->table, checker->section);
    struct stripes_proof proof = {.checker = checker,
                                  .projection = projection,
                                  .stripes = unpacked->room,
                                  .base = (unsigned)checker->section->root,
                                  .moves = projection->move_count};
    if (stripes_make_pages(&proof.made, projection, NULL, NULL, checker->error) != SYMMETRIC_MADE ||
        !symmetric_pages_fill(&proof.made.pages, checker->table->options.threads, checker->error)) {
        checker->sound = false;
        count_pages_free(&proof.made);
        return;
    }
    proof.pages = &proof.made.pages;
    proof.row_slots = stripes_of_row(proof.pages->page_size) * STRIPE_SLOTS;
    proof.entries = (uint64_t)proof.pages->row_count * proof.pages->page_size;
    if (checker->section->entries != proof.pages->row_count * proof.row_slots) {
        check_report(checker, 13, "section %s has not as many entries as its `Database` line needs",
                     checker->section->name);
        check_end_rules(checker);
    } else {
        prove(&proof);
    }
    count_pages_free(&proof.made);
    free((void *)proof.near);
    free((void *)proof.forbidden);
    free(proof.least);
    free(proof.frontier);
    free(proof.next);
}
