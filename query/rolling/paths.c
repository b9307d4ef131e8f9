// The method of rolling cubes: distances are looked up as in any other table. But a state does not
// tell what a move makes of it. So the way of a path leads through full states (numbering.h), from
// one that shows the target to the root, and is written from its end.
#include "query/answer/distance.h"
#include "rolling.h"
#include "tables/families/board/board.h"

// A path from a start to a target.
struct way {
    struct fewest *table;
    const uint8_t *start;
    const uint8_t *target;
    int distance;
    unsigned *moves; // room for FEWEST_PATH_MOST
    struct fewest_error *error;
};

// Returns the move that leads from full state `from` to its neighbour `to`. Full states are turned
// by the symmetry that takes the start's blank to a root's cell. So the neighbour by a move is
// listed under the conjugate of the move.
static unsigned find_full_move(const struct way *way, unsigned root, uint64_t from, uint64_t to)
{
    const struct puzzle *puzzle = &way->table->puzzle;
    const struct board *board = puzzle->board;
    // 0 is the blank.
    const struct symmetry *to_root = &board->to_root[board_find_cell(way->start, 0)];
    uint64_t next[BOARD_MOVES_MOST];
    unsigned move = 0;
    puzzle_neighbours(puzzle, root, from, next);
    while (move + 1 < puzzle->move_count &&
           next[board_conjugate_move(board, to_root, move)] != to) {
        move++;
    }
    return move;
}

// Goes from a full state to the root, and fills in the moves of the way back. Each step goes to the
// first neighbour whose distance is one less mod 4. That neighbour is nearer by one, because the
// distances of neighbours differ by one. Sets *arrives to whether the state is way->distance from
// the root. Returns false if an entry can't be read.
static bool go_to_root(const struct way *way, unsigned root, uint64_t full, bool *arrives)
{
    const struct puzzle *puzzle = &way->table->puzzle;
    uint64_t next[BOARD_MOVES_MOST];
    if (!nodes_check_mod4(way->table, root, full, way->distance, arrives, way->error)) {
        return false;
    }
    for (int d = way->distance; d > 0 && *arrives; d--) {
        uint64_t from = full;
        *arrives = false;
        puzzle_neighbours(puzzle, root, from, next);
        for (unsigned m = 0; m < puzzle->move_count && !*arrives; m++) {
            if (next[m] == INDEX_NONE) {
                continue;
            }
            if (!nodes_check_mod4(way->table, root, next[m], d - 1, arrives, way->error)) {
                return false;
            }
            full = next[m];
        }
        way->moves[d - 1] = find_full_move(way, root, full, from);
    }
    *arrives = *arrives && full == puzzle_rank(puzzle, root, puzzle->numbering.roots[root].target);
    return true;
}

// Fills in a path to the target. Tries each full state that shows the relative target: some of them
// have the least distance. Their indices are those that leave the same remainder (numbering.h).
static bool go_by_full_states(const struct way *way)
{
    const struct puzzle *puzzle = &way->table->puzzle;
    struct lookup lookup;
    bool arrives = false;
    if (!choose_lookup(way->table, way->start, way->target, &lookup, way->error)) {
        return false;
    }
    const uint64_t end = puzzle_node_count(puzzle, lookup.root);
    for (uint64_t full = lookup.entry; full < end && !arrives;
         full += puzzle->numbering.state_count) {
        if (!go_to_root(way, lookup.root, full, &arrives)) {
            return false;
        }
    }
    return arrives || report_no_step(way->distance, way->error);
}

static bool takes(const struct fewest *table, const uint8_t *start, const struct targets *targets)
{
    (void)start;
    (void)targets;
    return table->puzzle.rules->never_applies_reason;
}

// The `find` of method.h: looks up the distance and, if `moves` is not NULL, goes by full states to
// the first of the nearest targets.
static bool find(struct fewest *table, const uint8_t *start, const struct targets *targets,
                 unsigned *moves, int *steps, struct fewest_error *error)
{
    struct nearest nearest = {.count = 0};
    bool done = find_nearest(table, start, targets, steps, moves ? &nearest : NULL, error) &&
                table_keeps_limit(table, *steps, error);
    if (done && moves && *steps > 0) {
        done = list_nearest(table, start, targets, &nearest, error);
        const struct way way = {table, start, nearest.rows, *steps, moves, error};
        done = done && go_by_full_states(&way);
    }
    free_nearest(&nearest);
    return done;
}

static const struct node_functions *choose_nodes(const struct fewest *table, unsigned more)
{
    (void)table;
    (void)more;
    return &NODES_OF_ROLLING;
}

const struct method METHOD_FULL_STATES = {
    .takes = takes, .find = find, .reach = find_distance, .nodes = choose_nodes, .looks_up = true};
