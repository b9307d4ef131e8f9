// Shares the numbers of a range among threads.
#include "parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

unsigned parallel_processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    if (count < 1) { // the system does not tell
        return 1;
    }
    return count > PARALLEL_THREADS_MOST ? PARALLEL_THREADS_MOST : (unsigned)count;
}

// The arguments of parallel_for, which all threads share.
struct loop {
    _Atomic uint64_t next; // where the next part begins
    uint64_t count;
    uint64_t grain;
    parallel_part *part;
    void *context;
};

// Runs one part after another, until all are taken. Each thread calls it. `next` can exceed `count`
// by one grain for each thread, so it does not wrap.
static void *run_parts(void *argument)
{
    struct loop *loop = argument;
    for (;;) {
        uint64_t begin = atomic_fetch_add_explicit(&loop->next, loop->grain, memory_order_relaxed);
        if (begin >= loop->count) {
            return NULL;
        }
        uint64_t rest = loop->count - begin;
        loop->part(loop->context, begin, begin + (rest < loop->grain ? rest : loop->grain));
    }
}

void parallel_for(unsigned threads, uint64_t count, uint64_t grain, parallel_part *part,
                  void *context)
{
    struct loop loop = {.count = count, .grain = grain, .part = part, .context = context};
    pthread_t others[PARALLEL_THREADS_MOST];
    unsigned started = 0; // threads beside this one
    uint64_t parts = (count + grain - 1) / grain;
    // Start threads while there are parts for them, and while the system can.
    while (started + 1 < threads && started + 1 < parts && started < PARALLEL_THREADS_MOST &&
           pthread_create(&others[started], NULL, run_parts, &loop) == 0) {
        started++;
    }
    run_parts(&loop);
    while (started > 0) {
        pthread_join(others[--started], NULL);
    }
}
