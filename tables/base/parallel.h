// A loop over 0 … count-1 on several threads.
#ifndef FEWEST_TABLES_PARALLEL_H
#define FEWEST_TABLES_PARALLEL_H

#include <stdint.h>

enum { PARALLEL_THREADS_MOST = 64 };

// The number of processors, but at most PARALLEL_THREADS_MOST.
unsigned parallel_processors(void);

// Does the part begin … end-1 of the loop. Parts run at the same time, in any order.
typedef void parallel_part(void *context, uint64_t begin, uint64_t end);

// Cuts the loop into parts of `grain`, the last perhaps shorter, and runs them on up to `threads`
// threads, this one among them. Returns when all are done. If a thread can't be started, the others
// do its work.
void parallel_for(unsigned threads, uint64_t count, uint64_t grain, parallel_part *part,
                  void *context);

#endif
