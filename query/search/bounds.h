// Lower bounds for the search of a puzzle whose pattern databases are projections (definition.h).
//
// A pattern database holds the distance of every state of its projection, in which some pieces look
// alike (J. C. Culberson and J. Schaeffer, "Pattern databases", 1998). That is a lower bound for
// the puzzle itself. If the states are a group and the inverse of every move is a move, the same
// database gives several bounds. Each way to look a state up in one database is a *view*:
//   - The inverse of a state is as far from solved as the state.
//   - A symmetry of the moves (algebra/symmetries.h) turns a state into one that is equally far.
// The bound of a state is the largest bound of all its views. Unlike those of boards, bounds are
// never added.
//
// If some states are illegal, the legal states are no group, so a database gives only one bound. In
// its projection, a state is illegal only if the pieces that it tells apart make it illegal. So the
// projection allows every move that the puzzle allows, and its distances are still lower bounds.
//
// There are three ways to find the index of a view:
//   1. By points: the chain's number (algebra/chain/) is the rank of the points of a few pieces. A
//      move takes each point to another one, which a table tells.
//   2. By pages: the chain's number is cut into a page and an offset (algebra/chain_pages.h).
//      Tables tell what a move makes of both.
//   3. By cells: the state is projected and ranked. Every puzzle can do that, but it is slow.
// A view goes by points if it can. Else it goes by pages, unless there are too many maps, or the
// states are a group in which the inverse of some move is no move. Only then it goes by cells.
// Without points, boards of Loopover take 17 times as long; without pages, a puzzle of discs
// (`puck.tws` of twsearch) takes 8 times as long.
//
// Only views by points use all symmetries. The others use that of a `Database` line of the
// definition that shares the database of an earlier line (shared_databases.h).
#ifndef FEWEST_QUERY_BOUNDS_H
#define FEWEST_QUERY_BOUNDS_H

#include "pruning_automaton.h"
#include "query/table/database.h"
#include "tables/algebra/rank.h"
#include "tables/families/permutation/point_view.h"
#include "tables/puzzle/puzzle.h"

enum {
    VIEWS_MOST = 24,
    VIEW_PIECES_MOST = RANK_LONGEST,
};

enum view_way {
    VIEW_POINTS,
    VIEW_PAGES,
    VIEW_CELLS,
};

// A step of a page: the page that it leads to, and where its map of the offsets begins.
struct page_step {
    uint32_t to;
    uint32_t map;
};

struct view {
    enum view_way way;
    unsigned database;
    const chain_point *symmetry; // of its `Database` line; NULL without one
    // By points, which know the symmetry:
    bool inverse;    // of the state's inverse
    unsigned pieces; // how many
    unsigned slots;  // of their orbit
    unsigned turns;
    bool keeps_sum;                   // the group keeps the sum of all orientations in the orbit
    bool keeps_even;                  // it has only even permutations of the slots
    uint8_t source[VIEW_PIECES_MOST]; // by piece: the slot whose point it is found from
    uint8_t map[VIEW_PIECES_MOST][POINTS_MOST]; // by piece and point: slot + 16 × orientation
    // By pages:
    unsigned paged; // its number among these views
    uint32_t page_size;
    struct page_step *steps; // by page and move
    uint16_t *maps;          // by map and offset: the offset after the step
};

// The state of a node in a view by pages.
struct paged_state {
    uint32_t page;
    uint32_t offset;
};

// A node of the search. `data` holds, one after the other: a struct paged_state for each view by
// pages, a point for each slot (where its piece is), a home point for each slot (what is in it),
// and the cells, as far as views need them.
struct bound_node {
    uint32_t state; // of the pruning automaton
    uint8_t data[];
};

struct bounds {
    const struct puzzle *puzzle;
    struct database databases[DATABASES_MOST];
    struct pruning_automaton automaton; // without states if the puzzle has too many points
    bool group;                         // views by points are possible
    const struct point_view *points;
    uint8_t *forward;   // by move and point: where the move takes the point
    uint8_t *from_slot; // by move and slot: the slot whose content comes here,
    uint8_t *from_turn; // and how many times it is turned
    uint8_t *turned;    // by number of turns and point: where they take the point
    struct view views[VIEWS_MOST];
    unsigned view_count;
    unsigned paged[VIEWS_MOST]; // views by pages
    unsigned paged_count;
    bool has_piece_points;    // nodes hold points of pieces
    bool has_slot_contents;   // nodes hold home points
    bool has_cells;           // nodes hold cells
    unsigned piece_points_at; // offsets in the data
    unsigned slot_contents_at;
    unsigned cells;
    size_t node_bytes;
};

// See node_family (ida_star.h).
void *bounds_make(const struct puzzle *puzzle, const struct database *databases,
                  struct fewest_error *error);
void bounds_free(void *bounds);

// Fills in a node from a state of the puzzle whose target is the solved state.
void bounds_set(const struct bounds *bounds, const uint8_t *state, struct bound_node *node);

// Makes a child by one move. Returns false if the move can't be made.
bool bounds_move(const struct bounds *bounds, const struct bound_node *node, unsigned move,
                 struct bound_node *child);

// Returns the index of the view's entry for this node.
uint64_t bounds_index(const struct bounds *bounds, const struct view *view,
                      const struct bound_node *node);

#endif
