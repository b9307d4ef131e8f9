// Breadth-first searches from START and from TARGET, which meet. They answer if pieces look alike,
// orientations do not count or states are illegal, and neither START nor TARGET is the solved
// state: the table holds distances to the solved state, and no renaming of the pieces takes TARGET
// there. If it holds distances to the nearest of several goals, they answer for every TARGET.
//
//   1. Number the states: by the index, or densely if START has no index.
//   2. Find all states at distance 1, 2, ... from START, and to the nearest state that matches
//      TARGET. Take the side whose last layer is smaller, until a state is in both.
//   3. For a path, give a distance to TARGET to the states on all shortest paths. Walk down from
//      START, by the first move in byte order that comes one nearer.
#include "breadth_first.h"

#include "puzzle/compile.h"
#include "puzzle/matching_states.h"

#include <stdlib.h>
#include <string.h>

enum { SEARCHED_MOST = 10 * 1000 * 1000 }; // states

// The states that were found from one side.
struct side {
    bool back;           // from TARGET, by moves undone; else from START
    uint16_t *distances; // by number, plus 1; 0: not found
    uint32_t *queue;     // numbers, in the order in which they were found
    uint32_t count;
    uint32_t layer; // where the last layer begins in the queue
};

struct breadth_first {
    struct fewest *table;
    uint64_t looked_at; // states so far
    const struct puzzle *puzzle;
    const uint8_t *target;
    bool dense; // a state's number is its dense index, else its index
    uint64_t number_count;
    uint64_t start; // its number
    struct side from_start;
    struct side from_target;
    bool met; // is a state on both sides?
    struct fewest_error *error;
};

static uint64_t number_state(const struct breadth_first *search, const uint8_t *state)
{
    return search->dense ? puzzle_rank_state(search->puzzle, state)
                         : puzzle_rank(search->puzzle, 0, state);
}

static void read_number(const struct breadth_first *search, uint64_t number, uint8_t *state)
{
    if (search->dense) {
        puzzle_unrank_state(search->puzzle, number, state);
    } else {
        puzzle_unrank(search->puzzle, 0, number, state);
    }
}

// ---- 1. Numbers ---------------------------------------------------------------------------------

// Why the table does not answer.
static const char *say_why(const struct puzzle *puzzle)
{
    if (puzzle_counts_to_nearest(puzzle)) {
        return "the table knows only distances to the nearest goal";
    }
    return puzzle->reversible ? "neither START nor TARGET is the solved state"
                              : "TARGET is not the solved state";
}

static bool check_count(const struct breadth_first *search)
{
    if (search->number_count == 0) {
        return error_set(search->error, FEWEST_BEYOND,
                         "%s, and a search from START to TARGET would go through more than 2^64 "
                         "arrangements; the limit is %d",
                         say_why(search->puzzle), SEARCHED_MOST);
    }
    return search->number_count <= SEARCHED_MOST ||
           error_set(search->error, FEWEST_BEYOND,
                     "%s, and a search from START to TARGET would go through up to %llu %s; the "
                     "limit is %d",
                     say_why(search->puzzle), (unsigned long long)search->number_count,
                     search->dense ? "arrangements" : "states", SEARCHED_MOST);
}

// The index leaves out the states that no moves connect with the solved state. If START is one, so
// are all that it can reach.
static bool choose_numbers(struct breadth_first *search, const uint8_t *start)
{
    const struct puzzle *puzzle = search->puzzle;
    search->dense = puzzle_rank(puzzle, 0, start) == INDEX_NONE;
    search->number_count =
        search->dense ? puzzle->arrangement_count : puzzle->numbering.state_count;
    search->start = number_state(search, start);
    if (search->dense && !puzzle->reversible) {
        return error_set(search->error, FEWEST_BEYOND,
                         "%s, no moves connect START with the solved state, and some moves can't "
                         "be undone",
                         say_why(puzzle));
    }
    return check_count(search);
}

static bool make_side(const struct breadth_first *search, struct side *side)
{
    side->distances = calloc((size_t)search->number_count, sizeof *side->distances);
    side->queue = calloc((size_t)search->number_count, sizeof *side->queue);
    return side->distances && side->queue;
}

static bool make_sides(struct breadth_first *search)
{
    return (make_side(search, &search->from_start) && make_side(search, &search->from_target)) ||
           error_set(search->error, FEWEST_SYSTEM, "not enough memory for a search from START");
}

// ---- 2. The distance ----------------------------------------------------------------------------

static bool is_legal(const struct breadth_first *search, uint64_t number)
{
    uint8_t state[CELLS_MOST];
    if (!search->puzzle->forbids_states) {
        return true;
    }
    read_number(search, number, state);
    return puzzle_is_legal(search->puzzle, state);
}

static void add_number(const struct breadth_first *search, struct side *side, uint64_t number,
                       unsigned distance)
{
    if (number != INDEX_NONE && side->distances[number] == 0 && is_legal(search, number)) {
        side->distances[number] = (uint16_t)(distance + 1);
        side->queue[side->count++] = (uint32_t)number;
    }
}

// Adds all states that match the target, at distance 0.
static void add_targets(struct breadth_first *search)
{
    uint8_t state[CELLS_MOST];
    if (!puzzle_has_wildcard(search->puzzle, search->target)) {
        add_number(search, &search->from_target, number_state(search, search->target), 0);
        return;
    }
    for (uint64_t number = 0; number < search->number_count; number++) {
        read_number(search, number, state);
        if (state_matches(search->puzzle, state, search->target)) {
            add_number(search, &search->from_target, number, 0);
        }
    }
}

// Fills in the numbers of the states one move after a state or, going back, before it. Dense
// numbers are for moves that can be undone: then these states are the same.
static void take_steps(const struct breadth_first *search, bool back, uint64_t number,
                       uint64_t *found)
{
    const struct puzzle *puzzle = search->puzzle;
    uint8_t state[CELLS_MOST];
    uint8_t moved[CELLS_MOST];
    if (!search->dense && (back || puzzle->reversible)) {
        puzzle_neighbours(puzzle, 0, number, found); // a step undoes a move
        return;
    }
    read_number(search, number, state);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        found[m] = puzzle_apply(puzzle, m, state, moved) ? number_state(search, moved) : INDEX_NONE;
    }
}

static unsigned last_distance(const struct side *side)
{
    return side->distances[side->queue[side->count - 1]] - 1u;
}

// Finds the next layer of a side. False if the watcher stops the search.
static bool find_layer(struct breadth_first *search, struct side *side, const struct side *other)
{
    uint64_t found[MOVES_MOST];
    uint32_t end = side->count;
    unsigned distance = last_distance(side) + 1;
    for (uint32_t i = side->layer; i < end; i++) {
        if (!table_watches_query(search->table, &search->looked_at, search->puzzle->move_count,
                                 search->error)) {
            return false;
        }
        take_steps(search, side->back, side->queue[i], found);
        for (unsigned m = 0; m < search->puzzle->move_count; m++) {
            add_number(search, side, found[m], distance);
        }
    }
    for (uint32_t i = end; i < side->count && !search->met; i++) {
        search->met = other->distances[side->queue[i]] > 0;
    }
    side->layer = end;
    return true;
}

// Searches from both sides until they meet, or one finds no more states.
static bool find_distance_between(struct breadth_first *search, int *steps)
{
    struct side *from = &search->from_start;
    struct side *to = &search->from_target;
    to->back = true;
    add_number(search, from, search->start, 0);
    add_targets(search);
    search->met = to->distances[search->start] > 0;
    while (!search->met && from->layer < from->count && to->layer < to->count) {
        bool forward = from->count - from->layer <= to->count - to->layer;
        if (last_distance(from) + last_distance(to) + 2 >= UINT16_MAX) {
            return error_set(search->error, FEWEST_BEYOND, "TARGET is %d or more moves from START",
                             UINT16_MAX - 1);
        }
        if (!find_layer(search, forward ? from : to, forward ? to : from)) {
            return false;
        }
    }
    *steps = search->met ? (int)(last_distance(from) + last_distance(to)) : FEWEST_UNREACHABLE;
    return true;
}

// ---- 3. The path --------------------------------------------------------------------------------

// Goes on from TARGET, but only through states that are on a shortest path: those at the right
// distance from START.
static void mark_paths(struct breadth_first *search, int steps)
{
    const struct side *from = &search->from_start;
    struct side *to = &search->from_target;
    uint64_t found[MOVES_MOST];
    for (uint32_t i = to->layer; i < to->count; i++) {
        unsigned distance = to->distances[to->queue[i]]; // of the states before
        if (from->distances[to->queue[i]] != (unsigned)steps + 2 - distance) {
            continue;
        }
        take_steps(search, true, to->queue[i], found);
        for (unsigned m = 0; m < search->puzzle->move_count; m++) {
            if (found[m] != INDEX_NONE &&
                from->distances[found[m]] == (unsigned)steps + 1 - distance) {
                add_number(search, to, found[m], distance);
            }
        }
    }
}

static bool walk_down(struct breadth_first *search, unsigned *moves, int steps)
{
    const struct puzzle *puzzle = search->puzzle;
    uint8_t state[CELLS_MOST];
    uint8_t moved[CELLS_MOST];
    uint64_t number = search->start;
    if (steps > FEWEST_PATH_MOST) {
        return error_set(search->error, FEWEST_BEYOND, "the path has %d moves, and the limit is %d",
                         steps, FEWEST_PATH_MOST);
    }
    if (steps > 0) {
        mark_paths(search, steps);
    }
    for (int left = steps; left > 0; left--) {
        read_number(search, number, state);
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            if (puzzle_apply(puzzle, m, state, moved) &&
                search->from_target.distances[number_state(search, moved)] == left) {
                number = number_state(search, moved);
                moves[steps - left] = m;
                break;
            }
        }
    }
    return true;
}

bool breadth_first_find_path(struct fewest *table, const uint8_t *start, const uint8_t *target,
                             unsigned *moves, int *steps, struct fewest_error *error)
{
    struct breadth_first search = {
        .table = table, .puzzle = &table->puzzle, .target = target, .error = error};
    if (!puzzle_is_legal(search.puzzle, start)) {
        *steps = state_matches(search.puzzle, start, target) ? 0 : FEWEST_UNREACHABLE;
        return true;
    }
    bool done = choose_numbers(&search, start) && make_sides(&search) &&
                find_distance_between(&search, steps) && table_keeps_limit(table, *steps, error) &&
                (!moves || walk_down(&search, moves, *steps));
    free(search.from_start.distances);
    free(search.from_start.queue);
    free(search.from_target.distances);
    free(search.from_target.queue);
    return done;
}
