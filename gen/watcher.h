// Lets searches call the watcher of the user's program (fewest_gen.h) often and from any thread. It
// is called seldom enough, and never in two threads at once.
#ifndef FEWEST_GEN_WATCHER_H
#define FEWEST_GEN_WATCHER_H

#include "gen/layers/options.h"

#include <pthread.h>
#include <stdatomic.h>

struct watcher {
    const struct fewest_gen_options *options;
    pthread_mutex_t lock;      // held during a call
    _Atomic bool stopped;      // a call has returned false
    _Atomic int64_t last_call; // time of the last call, in milliseconds
};

// Begins to watch a run with these options. Returns the options for its searches, with which they
// call the watcher. They must have ended before watcher_end.
struct search_options watcher_begin(struct watcher *watcher,
                                    const struct fewest_gen_options *options);
void watcher_end(struct watcher *watcher);

#endif
