// Finds all states that lie on shortest paths. A search collects paths; the other paths follow from
// these (ida_star_collect_paths). Two moves in a row that do the same as two others lead from a
// state to the same one, by another state between them. So a state is added if it lies between two
// known ones: one move after A and one before B, which is two moves nearer to the target than A. A
// node (method.h) is the number of such a state.
#include "method.h"

#include "query/search/ida_star.h"
#include "query/table/table.h"
#include "tables/base/row_set.h"

#include <stdlib.h>
#include <string.h>

// More paths than these are not collected, because a walk from state to state may be quicker then.
enum { COLLECTED_MOST = 100 * 1000, PAIRS_MOST = CELLS_MOST / 2 + 1 };

struct node_walk {
    struct fewest *table;
    const uint8_t *start;
    struct row_set states; // the cells, as pairs of bytes
    uint8_t *left;         // by state: moves to the target
    uint32_t room;         // for `left`
    bool has_memory;
    uint64_t looked_at; // states, for the watcher
    unsigned taken;     // paths
    int steps;          // from the start, or FEWEST_UNREACHABLE
};

static void pack(const struct node_walk *walk, const uint8_t *state, uint16_t *pairs)
{
    unsigned cells = walk->table->puzzle.cell_count;
    pairs[(cells - 1) / 2] = 0;
    memcpy(pairs, state, cells);
}

// Adds a state that is `left` moves from the target.
static void add_state(struct node_walk *walk, const uint8_t *state, unsigned left)
{
    uint16_t pairs[PAIRS_MOST];
    pack(walk, state, pairs);
    uint32_t number = row_set_add(&walk->states, pairs);
    walk->has_memory &= number != ROW_NONE;
    if (walk->has_memory && number == walk->room) {
        uint32_t room = 2 * walk->room + 64;
        uint8_t *larger = realloc(walk->left, room);
        walk->has_memory = larger;
        walk->left = larger ? larger : walk->left;
        walk->room = larger ? room : walk->room;
    }
    if (walk->has_memory) {
        walk->left[number] = (uint8_t)left;
    }
}

// Returns the number of a state, or ROW_NONE.
static uint32_t find_state(const struct node_walk *walk, const uint8_t *state)
{
    uint16_t pairs[PAIRS_MOST];
    pack(walk, state, pairs);
    return row_set_find(&walk->states, pairs);
}

// Adds the states of a path (path_collection.take). Returns false if there are too many paths.
static bool take_path(void *context, const unsigned *moves, unsigned count)
{
    struct node_walk *walk = context;
    const struct puzzle *puzzle = &walk->table->puzzle;
    uint8_t state[2][CELLS_MOST]; // each move takes one to the other
    memcpy(state[0], walk->start, puzzle->cell_count);
    for (unsigned i = 0; i < count; i++) {
        add_state(walk, state[i % 2], count - i);
        if (!puzzle_apply(puzzle, moves[i], state[i % 2], state[(i + 1) % 2])) {
            return true; // never: the search has made this move
        }
    }
    add_state(walk, state[count % 2], 0);
    return walk->has_memory && ++walk->taken < COLLECTED_MOST;
}

// Does a move lead from a state to a known one that is `left` moves from the target?
static bool leads_on(const struct node_walk *walk, const uint8_t *state, unsigned left)
{
    const struct puzzle *puzzle = &walk->table->puzzle;
    uint8_t next[CELLS_MOST];
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        uint32_t number = puzzle_apply(puzzle, m, state, next) ? find_state(walk, next) : ROW_NONE;
        if (number != ROW_NONE && walk->left[number] == left) {
            return true;
        }
    }
    return false;
}

// Adds the states that follow from state `number`. Returns false after an error.
static bool follow_state(struct node_walk *walk, uint32_t number, struct fewest_error *error)
{
    const struct puzzle *puzzle = &walk->table->puzzle;
    uint8_t state[CELLS_MOST];
    uint8_t next[CELLS_MOST];
    unsigned left = walk->left[number];
    memcpy(state, row_set_row(&walk->states, number), puzzle->cell_count);
    for (unsigned m = 0; m < puzzle->move_count && left >= 2; m++) {
        if (puzzle_apply(puzzle, m, state, next) && find_state(walk, next) == ROW_NONE &&
            leads_on(walk, next, left - 2)) {
            add_state(walk, next, left - 1);
        }
    }
    return table_watches_query(walk->table, &walk->looked_at,
                               (uint64_t)puzzle->move_count * puzzle->move_count, error);
}

// Adds the states that follow from those that are known, until none does. Returns false after an
// error.
static bool close_states(struct node_walk *walk, struct fewest_error *error)
{
    bool done = true;
    uint32_t before = 0;
    while (done && before < walk->states.count && walk->has_memory) {
        before = walk->states.count;
        for (uint32_t s = 0; s < walk->states.count && done && walk->has_memory; s++) {
            done = follow_state(walk, s, error);
        }
    }
    return done;
}

static void close_walk(struct node_walk *walk)
{
    row_set_close(&walk->states);
    free(walk->left);
    free(walk);
}

static struct node_walk *open_walk(struct fewest *table, const uint8_t *start,
                                   const struct targets *targets, int most,
                                   struct fewest_error *error)
{
    struct node_walk *walk = calloc(1, sizeof *walk);
    (void)most;
    if (!walk) {
        (void)error_no_memory(error, "for the paths");
        return NULL;
    }
    *walk = (struct node_walk){.table = table, .start = start, .has_memory = true};
    struct path_collection collection = {.take = take_path, .context = walk};
    row_set_open(&walk->states, (table->puzzle.cell_count + 1) / 2);
    bool done = ida_star_collect_paths(table, start, target_at(targets, 0), &collection,
                                       &walk->steps, error);
    if (done && walk->steps >= 0) {
        add_state(walk, start, (unsigned)walk->steps);
        done = close_states(walk, error);
    }
    if (!walk->has_memory) {
        done = error_no_memory(error, "for the paths");
    }
    if (!done) {
        close_walk(walk);
        return NULL;
    }
    return walk;
}

static int count_steps(const struct node_walk *walk)
{
    return walk->steps;
}

static uint64_t start_node(const struct node_walk *walk)
{
    return find_state(walk, walk->start);
}

// A node is on the path if it is one move nearer.
static bool step_to(const struct node_walk *walk, uint64_t node, unsigned move, uint64_t *next,
                    int *distance)
{
    uint8_t moved[CELLS_MOST];
    const uint8_t *state = (const uint8_t *)row_set_row(&walk->states, (uint32_t)node);
    uint32_t number =
        puzzle_apply(&walk->table->puzzle, move, state, moved) ? find_state(walk, moved) : ROW_NONE;
    if (number == ROW_NONE || walk->left[number] + 1 != walk->left[node]) {
        return false;
    }
    *next = number;
    *distance = walk->left[number];
    return true;
}

const struct node_functions NODES_OF_SEARCH = {.open = open_walk,
                                               .close = close_walk,
                                               .steps = count_steps,
                                               .start = start_node,
                                               .step = step_to};
