// Chooses what the pages of a count tell, and makes them.
#include "count_pages.h"

#include "state_symmetries.h"
#include "tables/base/array.h"
#include "tables/families/permutation/permutation.h"
#include "whole_rotations.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHOOSER_PIECES = 256,
    ORBITS_COMBINED = 6, // if there are more orbits, only a few combinations are tried
    LEVELS_MOST = 10,    // of an orbit
    CHOICES_MOST = 1 << 12,
    TRIES_MOST = 24,          // candidates for which pages are made
    FITS_MOST = 4,            // of these, candidates that fit and are compared
    PAGES_COMPARED = 1 << 24, // a candidate that fits and has more ends the comparison
};

// What the page tells about an orbit of pieces.
enum level_kind { TELLS_NOTHING, TELLS_ALL, TELLS_BLOCKS };

struct level {
    enum level_kind kind;
    double pages; // an estimate of their number, if the other orbits tell nothing
    // TELLS_BLOCKS: by piece, the first piece of its block.
    uint8_t block_of[CHOOSER_PIECES];
};

struct orbit {
    unsigned first; // piece
    unsigned level_count;
    struct level levels[LEVELS_MOST];
};

// All that is known while pages are chosen. The *points* are those of the puzzle (a slot and an
// orientation), and after them the *place* of each slot, which stands for the slot with any
// orientation. list_things gives them new numbers.
struct chooser {
    struct count_pages *result;
    const struct puzzle *puzzle;
    const struct point_view *view;
    const struct count_choice *choice;
    unsigned degree; // of the points
    unsigned piece_count;
    unsigned piece_things[CHOOSER_PIECES]; // the first thing of each piece
    uint8_t piece_of[POINTS_MOST];         // by slot
    unsigned symmetry_count;
    chain_point *left; // rows of points, by symmetry (algebra/symmetric_pages.h)
    chain_point *right;
    bool tears_slots; // a symmetry takes points of one slot to several: the page must tell all
    unsigned orbit_count;
    uint8_t orbit_of[CHOOSER_PIECES]; // by piece: the first piece of its orbit
    struct orbit orbits[CHOOSER_PIECES];
};

// What a page may tell: the level of each orbit. The one with the least cost is tried first.
struct candidate {
    uint8_t levels[CHOOSER_PIECES];
    double cost;
};

// ---- Points -------------------------------------------------------------------------------------

static chain_point place_of(const struct chooser *chooser, unsigned slot)
{
    return (chain_point)(chooser->view->slot_points + slot);
}

// Returns the number of a point of the view among the points of the chooser. The view also numbers
// slots alone, which are places here.
static chain_point own_point(const struct chooser *chooser, chain_point point)
{
    const struct point_view *view = chooser->view;
    return point < view->slot_points ? point : place_of(chooser, view->slot_of[point]);
}

// Copies a permutation of the slots' points to `row`, and adds where it takes the places. Returns
// false if it takes points of one slot to several. Then the places stay where they are.
static bool add_places(const struct chooser *chooser, const chain_point *from, chain_point *row)
{
    const struct point_view *view = chooser->view;
    bool is_torn = false;
    memcpy(row, from, view->slot_points * sizeof *row);
    for (unsigned i = 0; i < view->slot_count; i++) {
        const struct view_slot *slot = &view->slots[i];
        unsigned image = view->slot_of[from[slot->first]];
        for (unsigned t = 1; t < slot->turns; t++) {
            is_torn |= view->slot_of[from[slot->first + t]] != image;
        }
        row[place_of(chooser, i)] = place_of(chooser, image);
    }
    for (unsigned i = 0; i < view->slot_count && is_torn; i++) {
        row[place_of(chooser, i)] = place_of(chooser, i);
    }
    return !is_torn;
}

// ---- Symmetries ---------------------------------------------------------------------------------

// Lists the rotations of the whole. If there shall be none, only the identity. The caller frees.
static bool list_rotations(struct chooser *chooser, struct whole_rotations *rotations,
                           struct fewest_error *error)
{
    unsigned points = chooser->view->slot_points;
    chain_point identity[POINTS_MOST];
    if (chooser->choice->rotations) {
        return whole_rotations_list(rotations, chooser->puzzle, error);
    }
    *rotations = (struct whole_rotations){.are_symmetries = true};
    row_set_open(&rotations->rows, points);
    for (unsigned x = 0; x < points; x++) {
        identity[x] = (chain_point)x;
    }
    return row_set_add(&rotations->rows, identity) != ROW_NONE ||
           error_no_memory(error, "for the rotations");
}

// Fills in the symmetries: each of `count` that conjugate, combined with each rotation. `to` has
// rows of the slots' points, the first one of the identity. Symmetries that do not take positions
// to positions are left out. If they would be too many, only the first one is taken.
static bool combine(struct chooser *chooser, const chain_point *to, unsigned count,
                    const struct whole_rotations *whole, struct fewest_error *error)
{
    const struct row_set *rotations = &whole->rows;
    unsigned degree = chooser->degree;
    count = (uint64_t)count * rotations->count <= SYMMETRIC_MOST ? count : 1;
    uint64_t most = (uint64_t)count * rotations->count;
    chooser->left = array_make(most * degree, sizeof *chooser->left);
    chooser->right = array_make(most * degree, sizeof *chooser->right);
    chain_point *turn = malloc(degree * sizeof *turn);
    chain_point *back = malloc(degree * sizeof *back);
    bool done = chooser->left && chooser->right && turn && back;
    for (unsigned s = 0; s < count && done; s++) {
        const chain_point *row = to + (size_t)s * chooser->view->slot_points;
        if (!whole_rotations_are_kept(whole, row)) {
            continue;
        }
        for (uint32_t r = 0; r < rotations->count; r++) {
            chain_point *left = chooser->left + (size_t)chooser->symmetry_count * degree;
            chain_point *right = chooser->right + (size_t)chooser->symmetry_count * degree;
            chooser->tears_slots |= !add_places(chooser, row, left);
            chooser->tears_slots |= !add_places(chooser, row_set_row(rotations, r), turn);
            for (unsigned x = 0; x < degree; x++) {
                back[turn[x]] = (chain_point)x;
            }
            for (unsigned x = 0; x < degree; x++) {
                right[x] = back[left[x]];
            }
            chooser->symmetry_count++;
        }
        chooser->result->symmetries++;
    }
    chooser->result->rotations = rotations->count;
    free(turn);
    free(back);
    return done || error_no_memory(error, "for the symmetries");
}

// Lists the symmetries of the states, combined with the rotations. If the former can't be listed,
// takes only the identity with each rotation.
static bool list_symmetries(struct chooser *chooser, struct fewest_error *error)
{
    struct state_symmetries found = {.count = 0};
    struct whole_rotations rotations;
    bool done = list_rotations(chooser, &rotations, error);
    bool listed = done && chooser->choice->symmetries &&
                  state_symmetries_find(&found, chooser->puzzle, STATE_SYMMETRIES_ALL, error);
    if (listed) {
        done = combine(chooser, found.to, found.count, &rotations, error);
    } else if (done && (!chooser->choice->symmetries || error->status == FEWEST_BEYOND)) {
        done = combine(chooser, row_set_row(&rotations.rows, 0), 1, &rotations, error);
    } else {
        done = false;
    }
    state_symmetries_free(&found);
    whole_rotations_free(&rotations);
    return done;
}

// ---- Pieces -------------------------------------------------------------------------------------

// Lists the pieces. Returns false if they are too many.
static bool list_pieces(struct chooser *chooser)
{
    const struct point_view *view = chooser->view;
    for (unsigned t = 0; t < view->thing_count; t++) {
        const struct view_thing *thing = &view->things[t];
        if (thing->after_alone) {
            continue;
        }
        if (chooser->piece_count == CHOOSER_PIECES) {
            return false;
        }
        for (unsigned j = 0; j < thing->size; j++) {
            chooser->piece_of[view->thing_slots[thing->first_slot + j]] =
                (uint8_t)chooser->piece_count;
        }
        chooser->piece_things[chooser->piece_count++] = t;
    }
    return true;
}

static const struct view_thing *thing_of_piece(const struct chooser *chooser, unsigned piece)
{
    return &chooser->view->things[chooser->piece_things[piece]];
}

// The piece to which symmetry `s` takes a piece.
static unsigned piece_image(const struct chooser *chooser, unsigned s, unsigned piece)
{
    const struct point_view *view = chooser->view;
    unsigned slot = view->thing_slots[thing_of_piece(chooser, piece)->first_slot];
    const chain_point *right = chooser->right + (size_t)s * chooser->degree;
    return chooser->piece_of[view->slot_of[right[view->slots[slot].first]]];
}

// Joins the blocks of two pieces in block_of, by piece the first piece of its block. Returns
// whether they were different.
static bool join(const struct chooser *chooser, uint8_t *block_of, unsigned a, unsigned b)
{
    uint8_t least = block_of[a] < block_of[b] ? block_of[a] : block_of[b];
    uint8_t other = block_of[a] < block_of[b] ? block_of[b] : block_of[a];
    for (unsigned p = 0; p < chooser->piece_count && least != other; p++) {
        block_of[p] = block_of[p] == other ? least : block_of[p];
    }
    return least != other;
}

// Joins blocks until symmetries take blocks to blocks.
static void close_blocks(const struct chooser *chooser, uint8_t *block_of)
{
    for (bool grows = true; grows;) {
        grows = false;
        for (unsigned s = 0; s < chooser->symmetry_count; s++) {
            for (unsigned p = 0; p < chooser->piece_count; p++) {
                grows |= join(chooser, block_of, piece_image(chooser, s, p),
                              piece_image(chooser, s, block_of[p]));
            }
        }
    }
}

// Finds the orbits of pieces under the symmetries.
static void find_orbits(struct chooser *chooser)
{
    for (unsigned p = 0; p < chooser->piece_count; p++) {
        chooser->orbit_of[p] = (uint8_t)p;
    }
    for (unsigned s = 0; s < chooser->symmetry_count; s++) {
        for (unsigned p = 0; p < chooser->piece_count; p++) {
            join(chooser, chooser->orbit_of, p, piece_image(chooser, s, p));
        }
    }
    for (unsigned p = 0; p < chooser->piece_count; p++) {
        if (chooser->orbit_of[p] == p) {
            chooser->orbits[chooser->orbit_count++].first = p;
        }
    }
}

// ---- Levels -------------------------------------------------------------------------------------

// The number of ways to choose `size` of `left` places.
static double choose_ways(unsigned left, unsigned size)
{
    double ways = 1;
    for (unsigned i = 0; i < size; i++) {
        ways = ways * (left - i) / (i + 1);
    }
    return ways;
}

// Estimates the number of pages that a level makes, as if all arrangements were possible.
static double estimate_pages(const struct chooser *chooser, const struct orbit *orbit,
                             const struct level *level)
{
    const struct point_view *view = chooser->view;
    unsigned left[POINTS_MOST] = {0}; // by orbit of slots: those that no piece has taken
    double count = 1;
    for (unsigned i = 0; i < view->slot_count; i++) {
        left[view->slots[i].orbit]++;
    }
    for (unsigned p = 0; p < chooser->piece_count && level->kind != TELLS_NOTHING; p++) {
        const struct view_thing *thing = thing_of_piece(chooser, p);
        unsigned size = thing->size; // of the block that begins with this piece
        if (chooser->orbit_of[p] != orbit->first ||
            (level->kind == TELLS_BLOCKS && level->block_of[p] != p)) {
            continue;
        }
        for (unsigned q = p + 1; q < chooser->piece_count && level->kind == TELLS_BLOCKS; q++) {
            size += level->block_of[q] == p ? thing_of_piece(chooser, q)->size : 0;
        }
        size = size < left[thing->orbit] ? size : left[thing->orbit];
        count *= choose_ways(left[thing->orbit], size);
        left[thing->orbit] -= size;
        for (unsigned j = 0; j < size && level->kind == TELLS_ALL && thing->turned; j++) {
            count *= view->slots[thing->orbit].turns;
        }
    }
    return count;
}

// Adds a level, unless there are too many.
static void add_level(const struct chooser *chooser, struct orbit *orbit, const struct level *level)
{
    if (orbit->level_count < LEVELS_MOST) {
        orbit->levels[orbit->level_count] = *level;
        orbit->levels[orbit->level_count++].pages = estimate_pages(chooser, orbit, level);
    }
}

// Does the orbit have a level with these blocks?
static bool has_blocks(const struct orbit *orbit, const uint8_t *block_of)
{
    for (unsigned l = 0; l < orbit->level_count; l++) {
        if (orbit->levels[l].kind == TELLS_BLOCKS &&
            memcmp(orbit->levels[l].block_of, block_of, CHOOSER_PIECES) == 0) {
            return true;
        }
    }
    return false;
}

// Is each block in one orbit of slots? A block with pieces of several orbits can't be a thing,
// whose points are all in one orbit.
static bool stay_in_orbits(const struct chooser *chooser, const uint8_t *block_of)
{
    for (unsigned p = 0; p < chooser->piece_count; p++) {
        if (thing_of_piece(chooser, p)->orbit != thing_of_piece(chooser, block_of[p])->orbit) {
            return false;
        }
    }
    return true;
}

// Adds the levels with blocks: for each other piece, the smallest blocks that join it with the
// first piece. If pieces can be turned, also adds the level whose blocks are single pieces. Adds
// none if the pieces already have things for their slots alone, or if there are so many symmetries
// that it would take long.
static void add_block_levels(const struct chooser *chooser, struct orbit *orbit)
{
    enum { WORK_MOST = 1 << 24 }; // to close blocks once
    uint64_t work = (uint64_t)chooser->symmetry_count * chooser->piece_count * chooser->piece_count;
    for (unsigned p = orbit->first;
         p < chooser->piece_count && work < WORK_MOST && orbit->level_count < LEVELS_MOST; p++) {
        struct level level = {.kind = TELLS_BLOCKS};
        if (chooser->orbit_of[p] != orbit->first) {
            continue;
        }
        const struct view_thing *thing = thing_of_piece(chooser, p);
        bool is_turned = chooser->view->slots[thing->orbit].turns > 1;
        if (thing->alone && is_turned) {
            return;
        }
        if (p == orbit->first && !is_turned) {
            continue; // single pieces: the page tells all about them
        }
        for (unsigned q = 0; q < chooser->piece_count; q++) {
            level.block_of[q] = (uint8_t)q;
        }
        join(chooser, level.block_of, orbit->first, p);
        close_blocks(chooser, level.block_of);
        if (!has_blocks(orbit, level.block_of) && stay_in_orbits(chooser, level.block_of)) {
            add_level(chooser, orbit, &level);
        }
    }
}

static void find_levels(struct chooser *chooser)
{
    for (unsigned o = 0; o < chooser->orbit_count; o++) {
        struct orbit *orbit = &chooser->orbits[o];
        add_level(chooser, orbit, &(struct level){.kind = TELLS_NOTHING});
        add_level(chooser, orbit, &(struct level){.kind = TELLS_ALL});
        add_block_levels(chooser, orbit);
    }
}

// ---- Candidates ---------------------------------------------------------------------------------

// A list of candidates that grows.
struct candidates {
    const struct chooser *chooser;
    struct candidate *list; // room for CHOICES_MOST
    unsigned count;
};

// Adds a candidate, if its pages have a fitting size. Its cost is the factor by which the number of
// offsets misses GOOD.
static void add_candidate(struct candidates *candidates, const uint8_t *levels)
{
    static const double GOOD_LEAST = 1 << 12; // offsets
    static const double PAGES_GOOD = 1 << 20; // more take long to make
    const struct chooser *chooser = candidates->chooser;
    // A count has many pages to choose from, and no need of more offsets. The estimate may be too
    // high.
    double most =
        1.5 * (chooser->choice->for_bounds ? (int)SYMMETRIC_OFFSETS_MOST : (int)CHAIN_PAGE_MOST);
    double all = (double)chooser->puzzle->numbering.state_count;
    double pages = 1;
    double good = all / PAGES_GOOD;
    good = good < GOOD_LEAST ? GOOD_LEAST : good;
    good = good > CHAIN_PAGE_MOST ? CHAIN_PAGE_MOST : good;
    for (unsigned o = 0; o < chooser->orbit_count; o++) {
        pages *= chooser->orbits[o].levels[levels[o]].pages;
    }
    double offsets = all > pages ? all / pages : 1;
    if (offsets <= most && pages <= CHAIN_PAGE_NONE && candidates->count < CHOICES_MOST) {
        struct candidate *candidate = &candidates->list[candidates->count++];
        memcpy(candidate->levels, levels, chooser->orbit_count);
        candidate->cost = offsets > good ? offsets / good : good / offsets;
    }
}

// Adds the candidates that tell all about the first orbits, or about the last ones, and nothing
// about the others.
static void list_beginnings(struct candidates *candidates)
{
    unsigned count = candidates->chooser->orbit_count;
    for (unsigned told = candidates->chooser->tears_slots ? count : 0; told <= count; told++) {
        uint8_t first[CHOOSER_PIECES] = {0};
        uint8_t last[CHOOSER_PIECES] = {0};
        for (unsigned o = 0; o < told; o++) {
            first[o] = 1; // the level that tells all
            last[count - 1 - o] = 1;
        }
        add_candidate(candidates, first);
        add_candidate(candidates, last);
    }
}

// Adds all combinations of levels, if there are few orbits.
static void list_combinations(struct candidates *candidates)
{
    const struct chooser *chooser = candidates->chooser;
    uint8_t levels[CHOOSER_PIECES] = {0};
    bool combines = chooser->orbit_count <= ORBITS_COMBINED && !chooser->tears_slots;
    for (bool more = combines; more;) {
        add_candidate(candidates, levels);
        more = false; // the next combination: count up
        for (unsigned o = 0; o < chooser->orbit_count && !more; o++) {
            levels[o] = (uint8_t)((levels[o] + 1u) % chooser->orbits[o].level_count);
            more = levels[o] > 0;
        }
    }
}

// No two candidates are equal, so that the order does not depend on the system's qsort.
static int compare_candidates(const void *left, const void *right)
{
    const struct candidate *a = left;
    const struct candidate *b = right;
    if (a->cost != b->cost) {
        return a->cost < b->cost ? -1 : 1;
    }
    return memcmp(a->levels, b->levels, sizeof a->levels);
}

// ---- Making the plan ----------------------------------------------------------------------------

// The list of things of a plan, while it is made.
struct listing {
    struct chooser *chooser;
    unsigned points;                // listed so far
    bool is_taken[2 * POINTS_MOST]; // by point: is it listed?
};

// Adds a point to the newest thing.
static void add_point(struct listing *listing, chain_point point)
{
    struct count_pages *result = listing->chooser->result;
    struct chain_thing *thing = &result->things[result->plan.chain.thing_count];
    result->number_of[point] = (chain_point)listing->points;
    result->thing_points[listing->points] = (chain_point)listing->points;
    if (thing->size++ == 0) {
        thing->points = result->thing_points + listing->points;
    }
    listing->points++;
    listing->is_taken[point] = true;
}

// Ends the newest thing.
static void end_thing(struct listing *listing)
{
    listing->chooser->result->plan.chain.thing_count++;
}

// Adds all things of a piece.
static void add_piece(struct listing *listing, unsigned piece)
{
    const struct chooser *chooser = listing->chooser;
    const struct point_view *view = chooser->view;
    unsigned t = chooser->piece_things[piece];
    do {
        for (unsigned j = 0; j < view->chain_things[t].size; j++) {
            add_point(listing, own_point(chooser, view->chain_things[t].points[j]));
        }
        end_thing(listing);
        t++;
    } while (t < view->thing_count && view->things[t].after_alone);
}

// Adds a thing with the places of a block, whose first piece this is.
static void add_block(struct listing *listing, unsigned first, const uint8_t *block_of)
{
    const struct chooser *chooser = listing->chooser;
    for (unsigned p = first; p < chooser->piece_count; p++) {
        const struct view_thing *thing = thing_of_piece(chooser, p);
        for (unsigned j = 0; j < thing->size && block_of[p] == first; j++) {
            add_point(listing,
                      place_of(chooser, chooser->view->thing_slots[thing->first_slot + j]));
        }
    }
    end_thing(listing);
}

// Adds the things of a piece that the page has. With `later`, adds those that the offset has.
static void add_piece_by_level(struct listing *listing, const struct candidate *candidate,
                               unsigned piece, bool later)
{
    const struct chooser *chooser = listing->chooser;
    unsigned o = 0;
    while (chooser->orbits[o].first != chooser->orbit_of[piece]) {
        o++;
    }
    const struct level *level = &chooser->orbits[o].levels[candidate->levels[o]];
    bool tells_all = level->kind == TELLS_ALL;
    if (later ? !tells_all : tells_all) {
        add_piece(listing, piece);
    } else if (!later && level->kind == TELLS_BLOCKS && level->block_of[piece] == piece) {
        add_block(listing, piece, level->block_of);
    }
}

// Lists the things, those of the page first. Numbers the points anew, in the order of the things.
static void list_things(struct chooser *chooser, const struct candidate *candidate)
{
    struct count_pages *result = chooser->result;
    struct listing listing = {.chooser = chooser};
    result->plan.chain.thing_count = 0;
    memset(result->things, 0, 2 * (size_t)chooser->degree * sizeof *result->things);
    for (unsigned later = 0; later < 2; later++) {
        for (unsigned i = 0; i < chooser->piece_count; i++) {
            unsigned p = chooser->choice->reversed ? chooser->piece_count - 1 - i : i;
            add_piece_by_level(&listing, candidate, p, later);
        }
        if (!later) {
            result->plan.page_things = result->plan.chain.thing_count;
        }
    }
    for (unsigned x = 0; x < chooser->degree; x++) {
        if (!listing.is_taken[x]) {
            result->number_of[x] = (chain_point)listing.points++;
        }
    }
    for (unsigned x = 0; x < chooser->degree; x++) {
        result->point_of[result->number_of[x]] = (chain_point)x;
    }
}

// Writes a row of points with their new numbers.
static void renumber(const struct chooser *chooser, const chain_point *from, chain_point *to)
{
    const chain_point *number_of = chooser->result->number_of;
    for (unsigned x = 0; x < chooser->degree; x++) {
        to[number_of[x]] = number_of[from[x]];
    }
}

// The number of moves in the plan.
static unsigned count_moves(const struct chooser *chooser)
{
    bool has_both = chooser->choice->for_bounds && !chooser->puzzle->reversible;
    return chooser->view->move_count * (has_both ? 2 : 1);
}

// Fills in the rows of the plan, with the new numbers of the points.
static void fill_rows(const struct chooser *chooser)
{
    const struct point_view *view = chooser->view;
    struct count_pages *result = chooser->result;
    unsigned degree = chooser->degree;
    size_t length = (size_t)chooser->symmetry_count * degree; // of the rows of all symmetries
    bool undone = chooser->choice->for_bounds || !permutation_of(chooser->puzzle)->group;
    chain_point row[2 * POINTS_MOST];
    for (unsigned m = 0; m < count_moves(chooser); m++) {
        unsigned number = undone ? (m + view->move_count) % (2 * view->move_count) : m;
        add_places(chooser, view->moves + (size_t)number * view->degree, row);
        renumber(chooser, row, result->rows + (size_t)m * degree);
        result->row_pointers[m] = result->rows + (size_t)m * degree;
    }
    for (unsigned s = 0; s < chooser->symmetry_count; s++) {
        size_t at = (size_t)s * degree;
        chain_point *left = result->symmetry_rows + at;
        chain_point *right = left + length;
        renumber(chooser, chooser->left + at, left);
        renumber(chooser, chooser->right + at, right);
        for (unsigned x = 0; x < degree; x++) {
            left[2 * length + left[x]] = (chain_point)x;
            right[2 * length + right[x]] = (chain_point)x;
        }
    }
    result->plan.left = result->symmetry_rows;
    result->plan.right = result->symmetry_rows + length;
    result->plan.left_inverse = result->symmetry_rows + 2 * length;
    result->plan.right_inverse = result->symmetry_rows + 3 * length;
    for (unsigned i = 0; i < view->slot_count; i++) {
        result->others[i] = result->number_of[view->slots[i].first];
    }
}

// Fills in the plan for a candidate, whose lists may have so many bytes.
static void make_plan(struct chooser *chooser, const struct candidate *candidate,
                      uint64_t most_listed)
{
    struct count_pages *result = chooser->result;
    const struct permutation *permutation = permutation_of(chooser->puzzle);
    list_things(chooser, candidate);
    fill_rows(chooser);
    struct chain_plan *plan = &result->plan.chain;
    // The chain of the puzzle may be that of the moves and an exchange of two pieces, which doubles
    // the order.
    plan->bound = permutation->exchange ? permutation->chain.order / 2 : permutation->chain.order;
    plan->moves = result->row_pointers;
    plan->things = result->things;
    plan->others = result->others;
    plan->degree = chooser->degree;
    plan->move_count = count_moves(chooser);
    plan->other_count = chooser->view->slot_count;
    plan->work = CHAIN_WORK_MOST / 4 * 3; // several chains are made, so each may take little
    result->plan.symmetry_count = chooser->symmetry_count;
    result->plan.most_bytes = chooser->choice->most_bytes;
    result->plan.most_listed = most_listed;
    result->plan.keeps_lists = chooser->choice->for_bounds;
    result->plan.is_stopped = chooser->choice->is_stopped;
    result->plan.context = chooser->choice->context;
}

// Makes room for the plan.
static bool make_room(const struct chooser *chooser)
{
    struct count_pages *result = chooser->result;
    unsigned degree = chooser->degree;
    unsigned moves = count_moves(chooser);
    result->number_of = array_make(degree, sizeof *result->number_of);
    result->point_of = array_make(degree, sizeof *result->point_of);
    result->rows = array_make((uint64_t)moves * degree, sizeof *result->rows);
    result->row_pointers = array_make(moves, sizeof *result->row_pointers);
    result->things = array_make(2 * (uint64_t)degree, sizeof *result->things);
    result->thing_points = array_make(degree, sizeof *result->thing_points);
    result->others = array_make(chooser->view->slot_count, sizeof *result->others);
    result->symmetry_rows =
        array_make(4 * (uint64_t)chooser->symmetry_count * degree, sizeof *result->symmetry_rows);
    return result->number_of && result->point_of && result->rows && result->row_pointers &&
           result->things && result->thing_points && result->others && result->symmetry_rows;
}

// ---- All ----------------------------------------------------------------------------------------

// Makes the pages of a candidate, but not the maps.
static enum symmetric_result make_pages(struct chooser *chooser, const struct candidate *candidate,
                                        uint64_t most_listed, struct fewest_error *error)
{
    struct count_pages *result = chooser->result;
    make_plan(chooser, candidate, most_listed);
    symmetric_pages_free(&result->pages);
    return symmetric_pages_make(&result->pages, &result->plan, error);
}

// Makes the pages of the candidate whose pages take the least memory, among the first FITS_MOST
// that fit, in the order of their cost. Their lists may have so many bytes.
static enum symmetric_result make_best(struct chooser *chooser, const struct candidates *candidates,
                                       uint64_t most_listed, struct fewest_error *error)
{
    const struct symmetric_pages *pages = &chooser->result->pages;
    const struct candidate *best = NULL;
    const struct candidate *newest = NULL;
    uint64_t least = UINT64_MAX;
    unsigned fits = 0;
    for (unsigned c = 0; c < candidates->count && c < TRIES_MOST && fits < FITS_MOST; c++) {
        newest = &candidates->list[c];
        enum symmetric_result made = make_pages(chooser, newest, most_listed, error);
        if (made == SYMMETRIC_FAILED) {
            return made;
        }
        if (made == SYMMETRIC_MADE) {
            uint64_t bytes = symmetric_pages_bytes(pages);
            bool is_last = chooser->choice->for_bounds || pages->page_count > PAGES_COMPARED;
            fits = is_last ? FITS_MOST : fits + 1;
            best = bytes < least ? newest : best;
            least = bytes < least ? bytes : least;
        }
    }
    if (!best) {
        return SYMMETRIC_UNFIT;
    }
    return best == newest ? SYMMETRIC_MADE : make_pages(chooser, best, most_listed, error);
}

// Chooses a candidate, and makes its pages.
static enum symmetric_result choose_candidate(struct chooser *chooser, struct fewest_error *error)
{
    struct candidates candidates = {.chooser = chooser,
                                    .list = calloc(CHOICES_MOST, sizeof *candidates.list)};
    if (!candidates.list || !make_room(chooser)) {
        free(candidates.list);
        (void)error_no_memory(error, "for the pages of a search");
        return SYMMETRIC_FAILED;
    }
    list_beginnings(&candidates);
    list_combinations(&candidates);
    qsort(candidates.list, candidates.count, sizeof *candidates.list, compare_candidates);
    // The marks of a count take a quarter of a byte for each class. If small lists do not do, they
    // may take all memory: they are freed before there are marks.
    const struct count_choice *choice = chooser->choice;
    uint64_t classes = chooser->puzzle->numbering.state_count / chooser->symmetry_count;
    enum symmetric_result made = make_best(chooser, &candidates, choice->most_bytes, error);
    if (made == SYMMETRIC_UNFIT && classes / 4 < choice->memory && !choice->for_bounds) {
        made = make_best(chooser, &candidates, choice->memory, error);
    }
    free(candidates.list);
    return made;
}

enum symmetric_result count_pages_make(struct count_pages *pages, const struct puzzle *puzzle,
                                       const struct count_choice *choice,
                                       struct fewest_error *error)
{
    *pages = (struct count_pages){.rotations = 1};
    const struct point_view *view = permutation_view(puzzle);
    if (!view || puzzle->goal_count > 1 || view->slot_points > POINTS_MOST) {
        return SYMMETRIC_UNFIT;
    }
    struct chooser *chooser = calloc(1, sizeof *chooser);
    if (!chooser) {
        (void)error_no_memory(error, "for the pages of a search");
        return SYMMETRIC_FAILED;
    }
    chooser->result = pages;
    chooser->puzzle = puzzle;
    chooser->view = view;
    chooser->choice = choice;
    chooser->degree = view->slot_points + view->slot_count;
    enum symmetric_result made = SYMMETRIC_FAILED;
    if (list_symmetries(chooser, error)) {
        made = SYMMETRIC_UNFIT;
        bool may_help = chooser->symmetry_count > 1 || choice->reversed || choice->for_bounds;
        if (may_help && list_pieces(chooser)) {
            find_orbits(chooser);
            find_levels(chooser);
            made = choose_candidate(chooser, error);
        }
        if (made == SYMMETRIC_UNFIT && choice->reversed && pages->things) {
            struct candidate all;
            memset(all.levels, 1, sizeof all.levels); // the level that tells all
            make_plan(chooser, &all, 0);
            pages->has_chain_plan = true;
        }
    }
    free(chooser->left);
    free(chooser->right);
    free(chooser);
    return made;
}

void count_pages_free(struct count_pages *pages)
{
    symmetric_pages_free(&pages->pages);
    free(pages->number_of);
    free(pages->point_of);
    free(pages->rows);
    free(pages->row_pointers);
    free(pages->things);
    free(pages->thing_points);
    free(pages->others);
    free(pages->symmetry_rows);
    *pages = (struct count_pages){.rotations = 1};
}

void count_pages_write_state(const struct count_pages *pages, const struct puzzle *puzzle,
                             uint32_t row, unsigned offset, uint8_t *relative)
{
    const struct point_view *view = permutation_view(puzzle);
    chain_point firsts[POINTS_MOST];
    memcpy(firsts, pages->others, view->slot_count * sizeof *firsts);
    symmetric_pages_unrank(&pages->pages, row, offset, firsts, view->slot_count);
    for (unsigned i = 0; i < view->slot_count; i++) {
        firsts[i] = pages->point_of[firsts[i]];
    }
    point_view_write(view, firsts, relative);
}
