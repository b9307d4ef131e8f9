// The caller's watcher of a run (fewest_gen.h), as the searches call it: from any thread, and
// often.
#ifndef FEWEST_GEN_WATCHER_H
#define FEWEST_GEN_WATCHER_H

#include "gen/layers/options.h"

#include <pthread.h>
#include <stdatomic.h>

struct watcher {
    const struct fewest_gen_options *options;
    pthread_mutex_t lock;      // held while it runs
    _Atomic bool stopped;      // it has returned false
    _Atomic int64_t last_call; // when it was called last, in milliseconds
};

// Begins to watch a run with these options. Returns the options of its searches, which call the
// watcher until watcher_end.
struct search_options watcher_begin(struct watcher *watcher,
                                    const struct fewest_gen_options *options);
void watcher_end(struct watcher *watcher);

#endif
