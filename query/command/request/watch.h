// Ctrl-C, and long work that is shown on a terminal.
#ifndef FEWEST_QUERY_WATCH_H
#define FEWEST_QUERY_WATCH_H

#include "query/fewest.h"

// From now on, Ctrl-C stops what watch_progress watches. Then main ends the program with the
// signal.
void begin_watch(void);
bool was_interrupted(void);

// The watcher of tables; it has no context. After about a second, it shows on a terminal how far a
// search or other work is. Returns false after Ctrl-C.
bool watch_progress(void *context, const struct fewest_progress *progress);

// Is it the time *next or later, in seconds? Then *next becomes a tenth of a second from now.
bool is_due(double *next);

// Clears the line that shows a search or work on the terminal. Call it before the answer is
// printed.
void hide_search(void);

#endif
