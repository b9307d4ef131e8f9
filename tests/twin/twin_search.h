// The naive search that all twins share. A family of puzzles gives it rules: a state is a row of
// bytes, and a function makes a move. It is slow and obvious, so that the fast code can be compared
// with it, and it shares nothing with the code under test: no tables, no ranks, no parsers.
//
// Misuse, or if no memory is left, ends the program with a message: a twin that guesses would be
// worth nothing.
#ifndef TWIN_SEARCH_H
#define TWIN_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct twin_rules {
    const void *puzzle; // for `apply`
    size_t row_bytes;   // equal states have equal rows
    unsigned move_count;
    // Makes a move. Returns false if it is not possible. `from` and `to` do not overlap.
    bool (*apply)(const void *puzzle, unsigned move, const uint8_t *from, uint8_t *to);
    // Optional: the number of a row among `row_numbers`, reachable or not. It makes a search of
    // millions of states four times faster than a hash table.
    size_t (*number_row)(const void *puzzle, const uint8_t *row);
    size_t row_numbers;
};

// How a state was first met. The root is its own parent.
struct twin_origin {
    uint32_t parent;
    uint16_t move;
    uint16_t distance;
};

// The states that moves lead to from a root, numbered in the order in which they were first met.
struct twin_states {
    struct twin_rules rules;
    size_t row_bytes;
    size_t count;
    size_t room;
    uint8_t *rows;
    struct twin_origin *origins;
    size_t entries; // of the table: row_numbers, or a power of two for hashes
    uint32_t *table;
};

// Breadth-first search from a root. With number_row, the puzzle must outlive the states. Returns
// NULL if there are more than `most` states.
struct twin_states *twin_search(const struct twin_rules *rules, const uint8_t *root, size_t most);
void twin_free(struct twin_states *states);

const uint8_t *twin_row(const struct twin_states *states, size_t number);

// The number of a row, or states->count if no moves lead there.
size_t twin_find(const struct twin_states *states, const uint8_t *row);

// The least number of moves from the root to the state with this number, which never falls as the
// number grows. -1 if the number is states->count.
int twin_steps(const struct twin_states *states, size_t number);

// The number of the first state that matches, which is as near as any. states->count if none does.
size_t twin_find_match(const struct twin_states *states,
                       bool (*matches)(const void *context, const uint8_t *row),
                       const void *context);

// Writes the moves of the shortest path to a state that comes first in the order of moves. Returns
// its length, which is at most `room`. The path to the first match is the first path to any match.
int twin_path(const struct twin_states *states, size_t number, unsigned *moves, unsigned room);

// Counts the states at each distance. Returns the number of distances: the largest plus 1.
size_t twin_histogram(const struct twin_states *states, unsigned long long *counts, size_t room);

#endif
