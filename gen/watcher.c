// Calls the watcher of the user's program at most some twenty times a second, in one thread at a
// time.
#include "watcher.h"

#include "tables/base/clock.h"
#include "tables/base/parallel.h"

// The watcher of the searches. It passes events on to the watcher of the user's program, and
// returns false once that one has returned false. Searches ask very often whether to go on
// (FEWEST_GEN_GOING). Such a question is not passed on if the last call was less than MILLISECONDS
// ago, or if another thread is calling.
static bool watch_run(void *context, const struct fewest_gen_progress *progress)
{
    enum { MILLISECONDS = 50 };
    struct watcher *watcher = context;
    int64_t now = (int64_t)(clock_seconds() * 1000);
    bool is_question = progress->event == FEWEST_GEN_GOING;
    if (watcher->stopped) {
        return false;
    }
    if (is_question && now - watcher->last_call < MILLISECONDS) {
        return true;
    }
    if (!is_question) {
        pthread_mutex_lock(&watcher->lock);
    } else if (pthread_mutex_trylock(&watcher->lock) != 0) {
        return true;
    }
    if (!watcher->stopped && !watcher->options->watch(watcher->options->context, progress)) {
        watcher->stopped = true;
    }
    watcher->last_call = now;
    pthread_mutex_unlock(&watcher->lock);
    return !watcher->stopped;
}

// The number of threads that the options ask for: 0 is as many as there are processors.
static unsigned choose_threads(const struct fewest_gen_options *options)
{
    if (options->threads == 0) {
        return parallel_processors();
    }
    return options->threads < PARALLEL_THREADS_MOST ? options->threads : PARALLEL_THREADS_MOST;
}

struct search_options watcher_begin(struct watcher *watcher,
                                    const struct fewest_gen_options *options)
{
    *watcher = (struct watcher){.options = options, .lock = PTHREAD_MUTEX_INITIALIZER};
    return (struct search_options){.threads = choose_threads(options),
                                   .watch = options->watch ? watch_run : NULL,
                                   .context = watcher};
}

void watcher_end(struct watcher *watcher)
{
    pthread_mutex_destroy(&watcher->lock);
}
