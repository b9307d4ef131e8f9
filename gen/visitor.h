// What ranks tell each other about their parts of the frontier.
//
// If a frontier page has neighbour pages on another rank, its owner sends that rank the frontier
// places of the page. The receiver marks the neighbours. So a rank gets each page, and each state,
// at most once in a layer.
//
// Without pages, a rank sends the neighbours of its states to those that own them.
#ifndef FEWEST_GEN_VISITOR_H
#define FEWEST_GEN_VISITOR_H

#include "places.h"

// What a thread needs to mark the neighbours of pages that other ranks send.
struct visitor {
    struct bfs *bfs;
    struct page_cursor cursor;
    struct places places;
    bool has_group; // the cursor is at a group
    uint64_t found;
};

// Opening returns false if there is not enough memory; the caller closes the visitor in any case.
// Closing adds what was found to the search.
bool open_visitor(struct bfs *bfs, struct visitor *visitor);
void close_visitor(struct visitor *visitor);

// Marks the neighbours of the places, or the states, that a message names. The context is a struct
// visitor.
exchange_take take_message;

// A thread's outbox and its visitor, if there are other ranks.
struct correspondent {
    struct outbox outbox;
    struct visitor visitor;
};

// With one rank, these two do nothing. Closing sends the last messages.
bool open_correspondent(struct bfs *bfs, struct correspondent *correspondent);
void close_correspondent(struct correspondent *correspondent);

// Sends the places of a page, number `number` of the cursor's group, to each rank that owns a
// neighbour page.
void send_to_neighbours(const struct bfs *bfs, struct outbox *outbox,
                        const struct page_cursor *cursor, unsigned number, struct places *places);

// An upper bound of the bytes that `ranks` ranks together send in one layer.
uint64_t most_sent(const struct pages *pages, unsigned ranks);

// Sends a state to the rank that owns it.
void send_state(const struct bfs *bfs, struct outbox *outbox, uint64_t index);

#endif
