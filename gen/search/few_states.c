// Searches breadth first with a hash table of the states that it has met.
#include "few_states.h"

#include "search.h"
#include "tables/base/array.h"

#include <stdlib.h>
#include <string.h>

// The states that the search has met. The table also has the forbidden ones among them, so that
// each is looked at once.
struct meeting {
    const struct puzzle *puzzle;
    unsigned root;
    struct few_states *few; // its list is in the order in which the states were met
    uint64_t most;          // states that it may meet
    uint64_t met;           // entries of the table that are taken
    uint64_t slots;         // entries of the table, a power of two
    uint64_t *table;        // index + 1, or 0
    uint64_t *neighbours;   // of a state
};

// The most states that the search of a root may meet; 0 if it is not worth it.
static uint64_t count_most(const struct puzzle *puzzle, unsigned root)
{
    enum { PART = 1024 };
    static const uint64_t MOST = UINT64_C(1) << 18;
    uint64_t states = puzzle_node_count(puzzle, root);
    if (!puzzle->filter || ranks_count() > 1 || states < FEW_STATES_LEAST_INDICES) {
        return 0;
    }
    return states / PART < MOST ? states / PART : MOST;
}

// The entries of a table that is at most half full.
static uint64_t count_slots(uint64_t most)
{
    uint64_t slots = 2;
    while (slots < 2 * most) {
        slots *= 2;
    }
    return slots;
}

uint64_t few_states_memory(const struct puzzle *puzzle, unsigned root)
{
    uint64_t most = count_most(puzzle, root);
    return count_slots(most) * sizeof(uint64_t) + most * sizeof(struct listed_distance);
}

// Adds an index to the table. Returns false if it is there.
static bool add_index(struct meeting *meeting, uint64_t index)
{
    static const uint64_t SPREAD = UINT64_C(0x9E3779B97F4A7C15); // 2^64 / golden ratio
    uint64_t slot = (index * SPREAD >> 20) % meeting->slots;
    while (meeting->table[slot] != 0) {
        if (meeting->table[slot] == index + 1) {
            return false;
        }
        slot = (slot + 1) % meeting->slots;
    }
    meeting->table[slot] = index + 1;
    meeting->met++;
    return true;
}

// Meets a state at a distance: lists it, unless it was met before or is forbidden. Returns false if
// the search meets too many.
static bool meet(struct meeting *meeting, uint64_t index, unsigned distance)
{
    struct few_states *few = meeting->few;
    if (index == INDEX_NONE || !add_index(meeting, index)) {
        return true;
    }
    if (meeting->met > meeting->most) {
        return false;
    }
    if (puzzle_permits_index(meeting->puzzle, meeting->root, index)) {
        few->list[few->count++] =
            (struct listed_distance){.entry = index, .distance = (uint8_t)distance};
        few->histogram[distance]++;
    }
    return true;
}

// Meets the targets of the root, at distance 0. Returns false if they are too many.
static bool meet_targets(struct meeting *meeting)
{
    const struct puzzle *puzzle = meeting->puzzle;
    const struct root *root = &puzzle->numbering.roots[meeting->root];
    for (unsigned t = 0; t <= root->more; t++) { // `more` targets follow the first
        const uint8_t *target = root->target + (size_t)t * puzzle->cell_count;
        if (!meet(meeting, puzzle_rank(puzzle, meeting->root, target), 0)) {
            return false;
        }
    }
    return true;
}

// Meets the neighbours of all states in the list, which grows meanwhile. Sets few->complete unless
// they are too many. Fails if the watcher stops the search, or at too large a distance.
static bool meet_all(struct meeting *meeting, const struct search_options *options,
                     struct fewest_error *error)
{
    struct few_states *few = meeting->few;
    const struct puzzle *puzzle = meeting->puzzle;
    if (!meet_targets(meeting)) {
        return true;
    }
    for (uint64_t i = 0; i < few->count; i++) {
        unsigned distance = few->list[i].distance;
        if (options_stop(options)) {
            return search_report_stopped(distance + 1, error);
        }
        few->layers = distance + 1;
        puzzle_neighbours(puzzle, meeting->root, few->list[i].entry, meeting->neighbours);
        uint64_t before = few->count;
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            if (!meet(meeting, meeting->neighbours[m], distance + 1)) {
                return true;
            }
        }
        if (distance == DISTANCE_MOST && few->count > before) {
            return search_report_beyond(puzzle, error);
        }
    }
    few->complete = true;
    return true;
}

static int compare_entries(const void *a, const void *b)
{
    uint64_t x = ((const struct listed_distance *)a)->entry;
    uint64_t y = ((const struct listed_distance *)b)->entry;
    return x < y ? -1 : x > y;
}

bool few_states_search(struct few_states *few, const struct puzzle *puzzle, unsigned root,
                       const struct search_options *options, struct fewest_error *error)
{
    *few = (struct few_states){.complete = false};
    uint64_t most = count_most(puzzle, root);
    if (most == 0) {
        return true;
    }
    struct meeting meeting = {
        .puzzle = puzzle, .root = root, .few = few, .most = most, .slots = count_slots(most)};
    few->list = array_make(most, sizeof *few->list);
    meeting.table = array_make(meeting.slots, sizeof *meeting.table);
    meeting.neighbours = array_make(puzzle->move_count, sizeof *meeting.neighbours);
    bool done = (few->list && meeting.table && meeting.neighbours) ||
                error_no_memory(error, "for the breadth-first search");
    done = done && meet_all(&meeting, options, error);
    if (done && few->complete) {
        qsort(few->list, few->count, sizeof *few->list, compare_entries);
    }
    free(meeting.table);
    free(meeting.neighbours);
    return done;
}

void few_states_free(struct few_states *few)
{
    free(few->list);
    few->list = NULL;
}
