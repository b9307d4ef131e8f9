// Finds the nodes on all paths from a start of rolling cubes to its targets.
//
// The table tells how far a node is from the root, mod 4 and nearly so (nodes_check_mod4).
// Distances of neighbours differ by one, so if that of a node is known exactly, so are those of its
// neighbours. The search begins at all nodes that show a target and goes backward, layer by layer.
// A node is on a path of at most `most` moves if its distance from the root and its layer add up to
// no more. All nodes on the rest of such a path are, too, so the search needs no others.
#include "query/answer/distance.h"
#include "query/table/visit.h"
#include "rolling.h"
#include "tables/base/row_set.h"
#include "tables/families/board/board.h"

#include <stdlib.h>

enum {
    NODES_MOST = 10 * 1000 * 1000,
    PARTS = 4, // of 16 bits of a node in a row_set
};

struct node_distances {
    uint8_t from_root;
    uint8_t to_target; // the layer
};

struct node_walk {
    struct fewest *table;
    unsigned root;
    const struct symmetry *to_root; // takes the blank of the start to that of the root
    int most;
    struct row_set nodes;       // in the order of their layers
    struct node_distances *far; // by number in `nodes`
    uint32_t room;              // for `far`
    uint64_t looked_at;         // nodes, for the watcher
    struct fewest_error *error;
};

bool nodes_check_mod4(struct fewest *table, unsigned root, uint64_t node, int distance,
                      bool *agrees, struct fewest_error *error)
{
    const struct unpacked *mod4 = &table->sections[SECTION_MOD4][root];
    const struct unpacked *states = &table->sections[SECTION_STATES][root];
    int found;
    *agrees = false;
    if (!table_entry(table, mod4->section ? mod4 : states, node, &found, error)) {
        return false;
    }
    // In the section of distances mod 4, 0 stands for 0 or 1, and FEWEST_UNREACHABLE for 2 or 3.
    // Both -1 and the numbers 2 and 3 mod 4 have this bit.
    *agrees = (found & 2) == (distance & 2);
    return true;
}

static void split_node(uint64_t node, uint16_t row[PARTS])
{
    for (unsigned i = 0; i < PARTS; i++) {
        row[i] = (uint16_t)(node >> 16 * i);
    }
}

static uint64_t join_node(const uint16_t *row)
{
    uint64_t node = 0;
    for (unsigned i = PARTS; i-- > 0;) {
        node = node << 16 | row[i];
    }
    return node;
}

static uint64_t find_root_node(const struct node_walk *walk)
{
    const struct puzzle *puzzle = &walk->table->puzzle;
    return puzzle_rank(puzzle, walk->root, puzzle->numbering.roots[walk->root].target);
}

static bool enlarge_far(struct node_walk *walk)
{
    uint32_t room = 2 * walk->room + 64;
    struct node_distances *larger = realloc(walk->far, room * sizeof *larger);
    if (larger) {
        walk->far = larger;
        walk->room = room;
    }
    return larger;
}

// Adds a node, unless it is there or no path of at most walk->most moves leads through it.
static bool add_node(struct node_walk *walk, uint64_t node, int from_root, int to_target)
{
    uint16_t row[PARTS];
    uint32_t before = walk->nodes.count;
    if (from_root + to_target > walk->most) {
        return true;
    }
    if (!table_watches_query(walk->table, &walk->looked_at, 1, walk->error)) {
        return false;
    }
    split_node(node, row);
    uint32_t number = row_set_add(&walk->nodes, row);
    if (number < before) {
        return true;
    }
    if (number == NODES_MOST) {
        return error_set(walk->error, FEWEST_BEYOND,
                         "more than %d states of cubes lie on paths of up to %d moves", NODES_MOST,
                         walk->most);
    }
    if (number == ROW_NONE || (number >= walk->room && !enlarge_far(walk))) {
        return error_no_memory(walk->error, "for the paths");
    }
    walk->far[number] = (struct node_distances){(uint8_t)from_root, (uint8_t)to_target};
    return true;
}

// ---- Targets ------------------------------------------------------------------------------------

// Sets *arrives to whether a node is exactly `distance` moves from the root: goes that many moves
// down, if there are, to nodes that are one nearer. Only the root is at distance 0.
static bool try_distance(struct node_walk *walk, uint64_t node, int distance, bool *arrives)
{
    const struct puzzle *puzzle = &walk->table->puzzle;
    uint64_t next[BOARD_MOVES_MOST];
    if (!nodes_check_mod4(walk->table, walk->root, node, distance, arrives, walk->error)) {
        return false;
    }
    for (int d = distance; d > 0 && *arrives; d--) {
        *arrives = false;
        puzzle_neighbours(puzzle, walk->root, node, next);
        for (unsigned m = 0; m < puzzle->move_count && !*arrives; m++) {
            if (next[m] == INDEX_NONE) {
                continue;
            }
            if (!nodes_check_mod4(walk->table, walk->root, next[m], d - 1, arrives, walk->error)) {
                return false;
            }
            node = next[m];
        }
    }
    *arrives = *arrives && node == find_root_node(walk);
    return true;
}

// A taker (visit.h): adds all nodes that show a visible state at this distance. Each of them is as
// far from the root, or farther by an even number of moves, because the blank is in the same cell.
static bool add_target(struct visit *visit, uint64_t index, int distance)
{
    struct node_walk *walk = visit->context;
    const struct puzzle *puzzle = &walk->table->puzzle;
    uint64_t end = puzzle_node_count(puzzle, walk->root);
    for (uint64_t node = index; node < end; node += puzzle->numbering.state_count) {
        bool arrives = false;
        for (int d = distance; d <= walk->most && !arrives; d += 2) {
            if (!try_distance(walk, node, d, &arrives) ||
                (arrives && !add_node(walk, node, d, 0))) {
                visit->failed = true;
                return false;
            }
        }
    }
    return true;
}

// Adds all nodes that show a target. They are layer 0.
static bool add_targets(struct node_walk *walk, const uint8_t *start, const struct targets *targets)
{
    bool done = true;
    for (unsigned t = 0; t < targets->count && done; t++) {
        struct visit visit = {.table = walk->table,
                              .start = start,
                              .most = walk->most,
                              .is_query = true,
                              .take = add_target,
                              .context = walk,
                              .error = walk->error};
        done = visit_states(&visit, target_at(targets, t));
    }
    return done;
}

// ---- The way back -------------------------------------------------------------------------------

// Adds the neighbours of a node to the next layer.
static bool add_neighbours(struct node_walk *walk, uint32_t number)
{
    const struct puzzle *puzzle = &walk->table->puzzle;
    const int from_root = walk->far[number].from_root;
    const int to_target = walk->far[number].to_target;
    uint64_t next[BOARD_MOVES_MOST];
    bool done = true;
    puzzle_neighbours(puzzle, walk->root, join_node(row_set_row(&walk->nodes, number)), next);
    for (unsigned m = 0; m < puzzle->move_count && done; m++) {
        bool is_nearer; // to the root
        if (next[m] != INDEX_NONE) {
            done = nodes_check_mod4(walk->table, walk->root, next[m], from_root - 1, &is_nearer,
                                    walk->error) &&
                   add_node(walk, next[m], from_root + (is_nearer ? -1 : 1), to_target + 1);
        }
    }
    return done;
}

static void close_nodes(struct node_walk *walk)
{
    row_set_close(&walk->nodes);
    free(walk->far);
    free(walk);
}

static struct node_walk *open_nodes(struct fewest *table, const uint8_t *start,
                                    const struct targets *targets, int most,
                                    struct fewest_error *error)
{
    const struct board *board = table->puzzle.board;
    struct lookup lookup;
    struct node_walk *walk = calloc(1, sizeof *walk);
    if (!walk) {
        (void)error_no_memory(error, "for the paths");
        return NULL;
    }
    row_set_open(&walk->nodes, PARTS);
    walk->table = table;
    walk->to_root = &board->to_root[board_find_cell(start, 0)]; // 0 is the blank
    walk->most = most;
    walk->error = error;
    bool done = choose_lookup(table, start, start, &lookup, error);
    walk->root = done ? lookup.root : 0;
    done = done && add_targets(walk, start, targets);
    for (uint32_t n = 0; done && n < walk->nodes.count; n++) {
        done = add_neighbours(walk, n);
    }
    if (!done) {
        close_nodes(walk);
    }
    return done ? walk : NULL;
}

// Nodes are turned by the symmetry that takes the start's blank to a root's cell. So the neighbour
// by a move is listed under the conjugate of the move.
static bool step_to_node(const struct node_walk *walk, uint64_t node, unsigned move, uint64_t *next,
                         int *distance)
{
    const struct puzzle *puzzle = &walk->table->puzzle;
    uint64_t neighbours[BOARD_MOVES_MOST];
    uint16_t row[PARTS];
    puzzle_neighbours(puzzle, walk->root, node, neighbours);
    *next = neighbours[board_conjugate_move(puzzle->board, walk->to_root, move)];
    split_node(*next, row);
    uint32_t number = *next == INDEX_NONE ? ROW_NONE : row_set_find(&walk->nodes, row);
    *distance = number == ROW_NONE ? 0 : walk->far[number].to_target;
    return number != ROW_NONE;
}

const struct node_functions NODES_OF_ROLLING = {
    .open = open_nodes, .close = close_nodes, .start = find_root_node, .step = step_to_node};
