// The limits of a run of the generator, and its watcher.
#ifndef FEWEST_GEN_LAYERS_OPTIONS_H
#define FEWEST_GEN_LAYERS_OPTIONS_H

#include "gen/fewest_gen.h"

struct layer_file;

// The traffic between several ranks (ranks/ranks.h) in a search.
struct fewest_gen_traffic {
    uint64_t sent;    // bytes, up to this layer
    double waited;    // seconds that a rank waited for others in this layer, at most
    unsigned slowest; // the rank for which all others waited
};

struct search_options {
    unsigned threads;
    const char *folder;        // for temporary files, or NULL for the system's
    fewest_gen_watcher *watch; // called often, and from any thread, with FEWEST_GEN_GOING; or NULL
    void *context;
    struct layer_file *checkpoint; // where the searches are saved, or NULL
    // If the search makes a pattern database: its number, and how many there are. Else 0 of 0.
    unsigned database;
    unsigned database_count;
};

// Tells the watcher what is new. If the watcher wants to stop, options_stop will tell.
static inline void options_tell(const struct search_options *options,
                                const struct fewest_gen_progress *progress)
{
    if (options->watch) {
        options->watch(options->context, progress);
    }
}

// Has the watcher stopped the run? Any thread may ask.
static inline bool options_stop(const struct search_options *options)
{
    return options->watch && !options->watch(options->context, &(struct fewest_gen_progress){
                                                                   .event = FEWEST_GEN_GOING});
}

// The same, for those who take a function and a context.
static inline bool options_stop_context(void *options)
{
    return options_stop(options);
}

#endif
