// Shortest paths of searched puzzles by iterative-deepening A*, IDA* (R. E. Korf, "Depth-first
// iterative-deepening: an optimal admissible tree search", 1985). Internal to query/.
//
// A depth-first search looks for a path of at most `bound` moves. It does not enter a node whose
// lower bound exceeds the moves that are left. The first bound is the lower bound of the start. If
// a search finds no path, the next bound is the least sum of depth and lower bound that exceeded
// this one. No path has a length in between, so the first path that is found is a shortest one. A
// lower bound may fall by several in one move, so the lower bound of one node says nothing about
// that of another.
//
// ida_star.c knows nothing of puzzles. A *node family* says what a node holds, how it is expanded
// and where its lower bounds come from: boards.c for sliding boards, whose databases add up, and
// state_search.c for projections of any other puzzle.
//
// Of all shortest paths, the search finds the first one in the order of the moves' numbers. Neither
// lower bounds nor pruning remove that path. Threads search parts of the tree, and the path in the
// first of these parts counts.
#ifndef FEWEST_QUERY_IDA_STAR_H
#define FEWEST_QUERY_IDA_STAR_H

#include "query/table/database.h"
#include "tables/algebra/wildcard.h"
#include "tables/puzzle/puzzle.h"

#include <pthread.h>

// Does a search support this target? If it has wildcards, sets the error.
bool search_accepts(const struct puzzle *puzzle, const uint8_t *target, struct fewest_error *error);

// Sets *steps to the least number of moves from start to target, or to FEWEST_UNREACHABLE. Fills in
// a path of that length, unless `moves` is NULL. Makes the family's bounds first if there are none
// yet. Fails with FEWEST_BEYOND if the search does not support the target, with FEWEST_STOPPED if
// the watcher stops it, and with FEWEST_LIMITED if the path is longer than the table's limit
// (fewest_set_options). If some states are illegal, the search for a path from an unreachable start
// may not end.
bool ida_star_find_path(struct fewest *table, const uint8_t *start, const uint8_t *target,
                        unsigned *moves, int *steps, struct fewest_error *error);

// A path, and the number of nodes that its search generated. With several threads, that number
// varies from run to run.
struct counted_path {
    unsigned *moves; // NULL, or room for DISTANCE_MOST
    int steps;
    uint64_t nodes;
};

// Does what ida_star_find_path does, and counts the nodes.
bool ida_star_count_nodes(struct fewest *table, const uint8_t *start, const uint8_t *target,
                          struct counted_path *path, struct fewest_error *error);

// Receives shortest paths. Only one thread at a time calls `take`.
struct path_collection {
    // Returns false to end the search, which then fails without an error.
    bool (*take)(void *context, const unsigned *moves, unsigned count);
    void *context;
    uint64_t count; // of the paths that it took
    pthread_mutex_t lock;
};

// Can ida_star_collect_paths answer for this table? The states must be a group. Else many sequences
// lead to one state, though no two moves in a row can be replaced.
bool ida_star_collects(const struct fewest *table);

// Sets *steps as ida_star_find_path does. Hands some shortest paths to the collection, but no empty
// path. All others follow from them: each shortest path becomes one of them if, again and again,
// two moves in a row are replaced by two others that do the same together.
bool ida_star_collect_paths(struct fewest *table, const uint8_t *start, const uint8_t *target,
                            struct path_collection *collection, int *steps,
                            struct fewest_error *error);

// Frees the bounds of a searched puzzle, if there are any.
void ida_star_free(struct fewest *table);

// ---- Node families ------------------------------------------------------------------------------

enum {
    DEAD_END = 1 << 16, // instead of a number of moves: no path leads from here
    NODES_AT_ONCE = 32, // are expanded together, at most
};

// What a search begins with, after a renaming of the pieces has turned its target into the solved
// state.
struct search_start {
    uint8_t state[CELLS_MOST];
    const struct symmetry *symmetry; // of a board: was applied to the start and the target; or NULL
};

// Nodes at one depth that a search may enter, in its order.
struct node_list {
    uint8_t *nodes; // one after the other
    struct node_link *links;
    unsigned count;
    unsigned begin; // in the parents' list: the first of the nodes that were expanded into this one
};

// The parent of a node in a list, and the move that leads from it.
struct node_link {
    uint16_t parent; // its number among the nodes that were expanded
    uint16_t move;
};

// A depth-first search in one thread.
struct searcher {
    struct fewest *table; // only ida_star.c knows it
    const struct node_family *family;
    void *bounds;      // of the family
    const void *stage; // that the family chose for this bound
    size_t node_bytes;
    const struct search_start *from;
    unsigned bound;
    uint64_t nodes;  // that it generated
    double share;    // of the tree, that it has searched
    double deadline; // in seconds, as clock_seconds tells; 0: none
    double forecast; // nodes of this bound; 0: none
    // In a shared search: the nodes and the share that were already added to it. Else: the nodes
    // before this bound.
    uint64_t told_nodes;
    double told_share;
    // The least number by which a sum of depth and lower bound exceeded the bound, or DEAD_END if
    // none did.
    unsigned over;
    unsigned moves[DISTANCE_MOST + 1];          // to the node
    struct node_list levels[DISTANCE_MOST + 1]; // by depth: the children of nodes there
    struct shared_search *shared;
    struct path_collection *collection; // gets the paths, and the search goes on; or NULL
    // Looks now and then whether the watcher, or another thread, stops the search. A family calls
    // it after each few nodes, and returns when `stopped` is set.
    void (*watch)(struct searcher *searcher);
    uint64_t watch_at; // the number of nodes at which the search looks whether to stop
    unsigned item;     // of the shared search
    void *remembered;  // of the family, from malloc
    bool stopped;
    struct fewest_error error; // why, or FEWEST_STOPPED
};

struct node_family {
    // Makes what lower bounds need. Copies the databases. Returns NULL and sets the error on
    // failure.
    void *(*make_bounds)(const struct puzzle *puzzle, const struct database *databases,
                         struct fewest_error *error);
    void (*free_bounds)(void *bounds);

    // Renames the pieces so that the target becomes the solved state, and renames those of the
    // start in the same way. Tells whether moves lead from start to target. Fails if the search
    // does not support the target.
    bool (*relate)(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                   struct search_start *from, bool *reachable, struct fewest_error *error);

    // Returns the query's move that a move of the search stands for: the symmetry may have
    // exchanged them. NULL: they are the same.
    unsigned (*query_move)(const struct puzzle *puzzle, const struct search_start *from,
                           unsigned move);

    // The number of edges that may lead from a node. The searcher's moves are edges. NULL: edges
    // are moves.
    unsigned (*edge_count)(const void *bounds);

    // Replaces the edges of a path by its moves. NULL: they are moves.
    void (*write_path)(const void *bounds, unsigned *edges, unsigned count);

    // Prepares for the search with the next bound, and sets the stage. `nodes` is the number of
    // nodes of the last bound. NULL: there are no stages.
    bool (*choose)(struct searcher *searcher, uint64_t nodes);

    size_t (*node_bytes)(const void *bounds);

    // Makes the first node of a search with searcher->bound, and returns its lower bound or
    // DEAD_END. On failure, stops the search.
    unsigned (*make_first_node)(struct searcher *searcher, void *node);

    // Makes the children of `count` nodes, at most NODES_AT_ONCE. Appends those that can be solved
    // in `left` moves, as far as their lower bounds tell, to the list, by parent and rising move.
    // Adds to searcher->nodes, and lowers searcher->over.
    void (*expand)(struct searcher *searcher, const void *nodes, unsigned count, unsigned left,
                   struct node_list *children);

    // Searches the tree below a node that `depth` moves lead to. Returns true if there is a path of
    // searcher->bound moves. Then the searcher's moves are those of the first path. NULL: the
    // search expands several nodes of one depth at a time.
    bool (*search)(struct searcher *searcher, const void *node, unsigned depth);

    // Does a search of this puzzle find paths from which all others follow
    // (ida_star_collect_paths)? NULL: never.
    bool (*collects)(const struct puzzle *puzzle);

    // Tells whether a node whose lower bound is 0 is solved. NULL means that it always is.
    bool (*is_solved)(const struct searcher *searcher, const void *node);
};

extern const struct node_family BOARD_NODES; // boards.c
extern const struct node_family STATE_NODES; // state_search.c

#endif
