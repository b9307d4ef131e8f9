// The methods of answering a query. Each query has one: the first in the list that takes it.
#ifndef FEWEST_QUERY_ANSWER_METHOD_H
#define FEWEST_QUERY_ANSWER_METHOD_H

#include "answer.h"

// The target can be reached, in an unknown number of moves.
enum { STEPS_SOME = FEWEST_UNREACHABLE - 1 };

// The way through nodes (numbering.h), if a state does not tell what a move makes of it.
struct node_walk;
struct node_functions {
    // Finds all nodes on paths of at most `most` moves from the start to the first target that they
    // reach. NULL after an error. The caller frees them with `close`.
    struct node_walk *(*open)(struct fewest *table, const uint8_t *start,
                              const struct targets *targets, int most, struct fewest_error *error);
    void (*close)(struct node_walk *walk);
    // Returns the distance of the start; `open` then ignores `most`, and may return NULL without an
    // error: there is too much to keep. NULL: the method's `find` tells the distance, and `open` is
    // only called if a target can be reached.
    int (*steps)(const struct node_walk *walk);
    uint64_t (*start)(const struct node_walk *walk); // the node of the start
    // Makes a move from a node. Fills in the next one, and how far it is from its nearest target.
    // False if the move can't be made, or if the next node is not on such a path.
    bool (*step)(const struct node_walk *walk, uint64_t node, unsigned move, uint64_t *next,
                 int *distance);
};

struct method {
    // Does it answer queries from this start to these targets? NULL as the start stands for one
    // that the table answers.
    bool (*takes)(const struct fewest *table, const uint8_t *start, const struct targets *targets);

    // Sets *steps to the distance to the nearest target, or to FEWEST_UNREACHABLE. `moves` gets the
    // first shortest path in byte order; it has room for FEWEST_PATH_MOST, or is NULL. Keeps the
    // limit of the table's options.
    bool (*find)(struct fewest *table, const uint8_t *start, const struct targets *targets,
                 unsigned *moves, int *steps, struct fewest_error *error);

    // Tells whether a target can be reached: sets *steps to the distance, FEWEST_UNREACHABLE, or
    // STEPS_SOME.
    bool (*reach)(struct fewest *table, const uint8_t *start, const struct targets *targets,
                  int *steps, struct fewest_error *error);

    // Returns how a walk goes from node to node. NULL: it looks up the distances of neighbours.
    // Paths may be `more` moves longer than the shortest.
    const struct node_functions *(*nodes)(const struct fewest *table, unsigned more);

    bool looks_up; // find_distance finds its distances, so look-ups for many queries may overlap
};

extern const struct node_functions NODES_OF_SEARCH; // every_path.c

extern const struct method METHOD_SEARCH;      // the table has no distances: IDA* (searched.c)
extern const struct method METHOD_TWO_SIDED;   // those of the table do not answer (two_sided.c)
extern const struct method METHOD_FULL_STATES; // rolling cubes (rolling/paths.c)
extern const struct method METHOD_LOOK_UP;     // the table answers (look_up.c)

// Returns the method for a query.
const struct method *method_for(const struct fewest *table, const uint8_t *start,
                                const struct targets *targets);

// Answers a query whose rows were validated, as `find` does. A target that is NULL stands for the
// goals.
bool method_find(struct fewest *table, const uint8_t *start, const uint8_t *target, unsigned *moves,
                 int *steps, struct fewest_error *error);

#endif
