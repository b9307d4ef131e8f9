// Ctrl-C, and long work that is shown on a terminal.
#ifndef FEWEST_QUERY_WATCH_H
#define FEWEST_QUERY_WATCH_H

#include "query/fewest.h"

// Lets Ctrl-C stop the searches of a table, and shows long searches on a terminal. After Ctrl-C,
// main ends the program with the signal.
void watch_searches(struct fewest *table);
bool was_interrupted(void);

// The watcher that watch_searches sets: after about a second, it shows on a terminal how long a
// path the search looks for. Returns false after Ctrl-C.
bool watch_search(void *context, int bound);

// Long work that is shown on a terminal.
struct work {
    double next;   // when it may be shown
    double begin;  // of the present part
    uint64_t done; // of this part
};

// Lets Ctrl-C stop work on all states of a table, and shows the work on a terminal after a second.
// *work must live as long as the table.
void watch_work(struct fewest *table, struct work *work);

// Is it the time *next or later, in seconds? Then *next becomes a tenth of a second from now.
bool is_due(double *next);

// Shows work of the command's own in the same way. Returns false after Ctrl-C.
bool show_work(void *work, const char *what, uint64_t done, uint64_t all);

// Clears the line that shows a search or work on the terminal. Call it before the answer is
// printed.
void hide_search(void);

#endif
