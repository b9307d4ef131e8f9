// Breadth-first searches from START and from TARGET, which meet. They answer if pieces look alike,
// orientations do not count or states are forbidden, and neither START nor TARGET is the solved
// state: the table holds distances to the solved state, and no renaming of the pieces takes TARGET
// there. If it holds distances to the nearest of several goals, they answer for every TARGET.
//
// A state belongs to the side that finds it first. The side whose last layer is smaller finds the
// next one, until a move leads from a state of START's last layer to one of TARGET's.
#include "method.h"

#include "tables/puzzle/matching_states.h"

#include <stdlib.h>

enum {
    SEARCHED_MOST = 10 * 1000 * 1000, // states
    ROOT = 0,                         // a table of distances to the goals has one root
};

// The last layer of a side that is complete.
struct last_layer {
    bool back;      // from TARGET, by moves undone; else from START
    int distance;   // from there
    uint32_t first; // its states in the queue
    uint32_t end;
};

struct two_sided {
    struct fewest *table;
    const struct puzzle *puzzle;
    bool dense; // a state's number is its dense index, else its index
    uint64_t number_count;
    // By number: the distance from START + 1, or -1 - the distance to TARGET. 0: not found.
    int32_t *found;
    uint32_t *queue;    // numbers, in the order in which they were found
    uint32_t count;     // of the queue
    bool met;           // has a side found a state of the other one?
    uint64_t looked_at; // states so far
    struct fewest_error *error;
};

// ---- Numbers ------------------------------------------------------------------------------------

// The number of a state: its dense index or its index. An index may be INDEX_NONE.
static uint64_t number_state(const struct two_sided *search, const uint8_t *state)
{
    return search->dense ? puzzle_rank_state(search->puzzle, state)
                         : puzzle_rank(search->puzzle, ROOT, state);
}

// Writes the state with a number.
static void read_number(const struct two_sided *search, uint64_t number, uint8_t *state)
{
    if (search->dense) {
        puzzle_unrank_state(search->puzzle, number, state);
    } else {
        puzzle_unrank(search->puzzle, ROOT, number, state);
    }
}

// Returns the reason why the table does not answer, for messages.
static const char *explain_no_answer(const struct puzzle *puzzle)
{
    if (puzzle_counts_to_nearest(puzzle)) {
        return "the table knows only distances to the nearest goal";
    }
    return puzzle->reversible ? "neither START nor TARGET is the solved state"
                              : "TARGET is not the solved state";
}

// Are there few enough numbers for a search? If not, sets the error. A count of 0 stands for more
// than 2^64 arrangements.
static bool check_count(const struct two_sided *search)
{
    if (search->number_count == 0) {
        return error_set(search->error, FEWEST_BEYOND,
                         "%s, and a search from START to TARGET would go through more than 2^64 "
                         "arrangements; the limit is %d",
                         explain_no_answer(search->puzzle), SEARCHED_MOST);
    }
    return search->number_count <= SEARCHED_MOST ||
           error_set(search->error, FEWEST_BEYOND,
                     "%s, and a search from START to TARGET would go through up to %llu %s; the "
                     "limit is %d",
                     explain_no_answer(search->puzzle), (unsigned long long)search->number_count,
                     search->dense ? "arrangements" : "states", SEARCHED_MOST);
}

// Chooses between index and dense index as the numbers of the states, and allocates `found` and
// `queue`. The caller frees these, also after a failure.
//
// The index is the smaller one, but it leaves out the states that no moves connect with the solved
// state. If START is one of these, so are all states that it can reach, and the dense index is
// needed. The dense index does not tell which moves lead to a state, so all moves must have
// inverses.
static bool choose_numbers(struct two_sided *search, const uint8_t *start)
{
    const struct puzzle *puzzle = search->puzzle;
    search->dense = puzzle_rank(puzzle, ROOT, start) == INDEX_NONE;
    search->number_count =
        search->dense ? puzzle->arrangement_count : puzzle->numbering.state_count;
    if (search->dense && !puzzle->reversible) {
        return error_set(search->error, FEWEST_BEYOND,
                         "%s, no moves connect START with the solved state, and some moves can't "
                         "be undone",
                         explain_no_answer(puzzle));
    }
    if (!check_count(search)) {
        return false;
    }
    search->found = calloc((size_t)search->number_count, sizeof *search->found);
    // mark_paths enters states of START's side once more, so each state can be there twice.
    search->queue = calloc((size_t)search->number_count, 2 * sizeof *search->queue);
    return (search->found && search->queue) ||
           error_no_memory(search->error, "for a search from START");
}

// ---- The distance -------------------------------------------------------------------------------

// May the state with this number occur?
static bool is_permitted(const struct two_sided *search, uint64_t number)
{
    uint8_t state[CELLS_MOST];
    if (!search->puzzle->filter) {
        return true;
    }
    read_number(search, number, state);
    return puzzle_permits(search->puzzle, state);
}

// Enters a state that a side has found, with its distance from that side's START or TARGET. Leaves
// out a forbidden state, and INDEX_NONE. A state that was found before stays as it is; if the other
// side has found it, the sides have met.
static void add_number(struct two_sided *search, const struct last_layer *side, uint64_t number,
                       int distance)
{
    if (number == INDEX_NONE) {
        return;
    }
    int32_t *found = &search->found[number];
    if (*found != 0) {
        bool found_from_target = *found < 0;
        if (found_from_target != side->back) {
            search->met = true;
        }
    } else if (is_permitted(search, number)) {
        *found = side->back ? -1 - distance : 1 + distance;
        search->queue[search->count++] = (uint32_t)number;
    }
}

// Enters all states that match the target, at distance 0 from it, as the last layer of a side.
static void add_targets(struct two_sided *search, struct last_layer *side, const uint8_t *target)
{
    uint8_t state[CELLS_MOST];
    side->first = search->count;
    if (!puzzle_has_wildcard(search->puzzle, target)) {
        add_number(search, side, number_state(search, target), 0);
        side->end = search->count;
        return;
    }
    for (uint64_t number = 0; number < search->number_count; number++) {
        read_number(search, number, state);
        if (state_matches(search->puzzle, state, target)) {
            add_number(search, side, number, 0);
        }
    }
    side->end = search->count;
}

// Fills in, for each move, the number of the state one move after a state or, if `back`, before it;
// INDEX_NONE if there is none. `next` has room for a number for each move.
//
// In these tables, a step (puzzle.h) undoes a move, so puzzle_neighbours gives the states before a
// state. Dense numbers are only used if all moves can be undone. Then the states before a state are
// the same as those after it.
static void find_next_states(const struct two_sided *search, bool back, uint64_t number,
                             uint64_t *next)
{
    const struct puzzle *puzzle = search->puzzle;
    uint8_t state[CELLS_MOST];
    uint8_t moved[CELLS_MOST];
    if (!search->dense && back) {
        puzzle_neighbours(puzzle, ROOT, number, next);
        return;
    }
    if (!search->dense) {
        puzzle_predecessors(puzzle, ROOT, number, next);
        return;
    }
    read_number(search, number, state);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        next[m] = puzzle_apply(puzzle, m, state, moved) ? number_state(search, moved) : INDEX_NONE;
    }
}

// Finds the next layer of a side. If the sides meet, stops early and leaves the side's last layer
// as it is. Returns false if the watcher stops the search.
static bool find_layer(struct two_sided *search, struct last_layer *side)
{
    uint64_t next[MOVES_MOST];
    uint32_t next_first = search->count;
    for (uint32_t i = side->first; i < side->end; i++) {
        if (!table_watches_query(search->table, &search->looked_at, search->puzzle->move_count,
                                 search->error)) {
            return false;
        }
        find_next_states(search, side->back, search->queue[i], next);
        for (unsigned m = 0; m < search->puzzle->move_count; m++) {
            add_number(search, side, next[m], side->distance + 1);
        }
        if (search->met) {
            return true;
        }
    }
    side->distance++;
    side->first = next_first;
    side->end = search->count;
    return true;
}

// Searches from both sides until they meet, or until one finds no more states. Sets *steps to the
// least number of moves, or to FEWEST_UNREACHABLE. *to becomes the last layer of TARGET's side.
// Returns false if the watcher stops the search.
static bool search_until_met(struct two_sided *search, const uint8_t *start, const uint8_t *target,
                             struct last_layer *to, int *steps)
{
    struct last_layer from = {.back = false};
    add_number(search, &from, number_state(search, start), 0);
    from.end = search->count;
    add_targets(search, to, target);
    if (search->met) {
        *steps = 0;
        return true;
    }
    while (!search->met && from.first < from.end && to->first < to->end) {
        bool forward = from.end - from.first <= to->end - to->first;
        if (!find_layer(search, forward ? &from : to)) {
            return false;
        }
    }
    *steps = FEWEST_UNREACHABLE;
    if (search->met) { // a move leads from one last layer to the other
        *steps = from.distance + 1 + to->distance;
    }
    return true;
}

// ---- The path -----------------------------------------------------------------------------------

// Gives every state on a shortest path its distance to TARGET, in place of that from START. The
// states up to TARGET's last layer have it already. From that layer, goes back move by move through
// START's side. A state there with d moves left to TARGET is on a shortest path if it is steps - d
// moves from START. Ends at START.
static void mark_paths(struct two_sided *search, const struct last_layer *to, int steps)
{
    uint64_t before[MOVES_MOST];
    uint32_t *queue = search->queue + to->first;
    uint32_t count = to->end - to->first;
    for (uint32_t i = 0; i < count; i++) {
        int32_t left = -1 - search->found[queue[i]];
        if (left == steps) { // START
            return;
        }
        find_next_states(search, true, queue[i], before);
        for (unsigned m = 0; m < search->puzzle->move_count; m++) {
            // On START's side, `found` is the distance + 1: here steps - (left + 1) + 1.
            if (before[m] != INDEX_NONE && search->found[before[m]] == steps - left) {
                search->found[before[m]] = -2 - left; // left + 1 moves to TARGET
                queue[count++] = (uint32_t)before[m];
            }
        }
    }
}

// Fills in the first shortest path in byte order of the moves. Each time, takes the first move that
// leads one nearer to TARGET, by the distances that mark_paths made. `moves` has room for
// FEWEST_PATH_MOST.
static bool find_moves(struct two_sided *search, const uint8_t *start, const struct last_layer *to,
                       unsigned *moves, int steps)
{
    uint64_t next[MOVES_MOST];
    uint64_t number = number_state(search, start);
    if (steps > FEWEST_PATH_MOST) {
        return error_set(search->error, FEWEST_BEYOND, "the path has %d moves, and the limit is %d",
                         steps, FEWEST_PATH_MOST);
    }
    if (steps > 0) {
        mark_paths(search, to, steps);
    }
    for (int i = 0; i < steps; i++) {
        unsigned m = 0;
        bool from_target = false;
        find_next_states(search, from_target, number, next);
        int left = steps - i - 1;
        int32_t nearer = -1 - left; // in `found`: a state that is `left` moves from TARGET
        while (next[m] == INDEX_NONE || search->found[next[m]] != nearer) {
            m++; // one such move exists
        }
        moves[i] = m;
        number = next[m];
    }
    return true;
}

// Can no entry answer this query? The table then holds only distances to the solved state or to the
// nearest goal, and TARGET is neither. Nor does the way back help: START is not the solved state,
// or some moves can't be undone. Never so for NULL as the start, nor if pieces can be renamed.
static bool takes(const struct fewest *table, const uint8_t *start, const struct targets *targets)
{
    const struct puzzle *puzzle = &table->puzzle;
    if (!start || !puzzle->numbering.counts_to_goals || targets_are_answered(puzzle, targets)) {
        return false;
    }
    // If moves can be undone, the table also answers from the solved state.
    return !puzzle->reversible || !puzzle_answers_target(puzzle, start);
}

// The `find` of method.h: searches from both sides. Fails with FEWEST_BEYOND if there are too many
// states to search, or moves to write.
static bool find(struct fewest *table, const uint8_t *start, const struct targets *targets,
                 unsigned *moves, int *steps, struct fewest_error *error)
{
    const uint8_t *target = target_at(targets, 0);
    struct two_sided search = {.table = table, .puzzle = &table->puzzle, .error = error};
    if (!puzzle_permits(search.puzzle, start)) {
        *steps = state_matches(search.puzzle, start, target) ? 0 : FEWEST_UNREACHABLE;
        return true;
    }
    struct last_layer to = {.back = true};
    bool done = choose_numbers(&search, start) &&
                search_until_met(&search, start, target, &to, steps) &&
                table_keeps_limit(table, *steps, error) &&
                (!moves || find_moves(&search, start, &to, moves, *steps));
    free(search.found);
    free(search.queue);
    return done;
}

static bool reach(struct fewest *table, const uint8_t *start, const struct targets *targets,
                  int *steps, struct fewest_error *error)
{
    *steps = FEWEST_UNREACHABLE;
    return targets_are_excluded(&table->puzzle, start, targets) ||
           find(table, start, targets, NULL, steps, error);
}

const struct method METHOD_TWO_SIDED = {.takes = takes, .find = find, .reach = reach};
