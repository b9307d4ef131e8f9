// Threads of a WebAssembly module, which has none: a lock is always free, and no thread starts. The
// library then does the work of all threads in the caller's.
#ifndef FEWEST_PAGE_SHIM_PTHREAD_H
#define FEWEST_PAGE_SHIM_PTHREAD_H

#include <errno.h>
#include <sys/types.h>

typedef struct {
    char unused;
} fewest_mutex;

#define pthread_mutex_t fewest_mutex
#define PTHREAD_MUTEX_INITIALIZER                                                                  \
    {                                                                                              \
        0                                                                                          \
    }

static inline int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes)
{
    (void)mutex;
    (void)attributes;
    return 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}

static inline int pthread_create(pthread_t *thread, const void *attributes,
                                 void *(*start)(void *context), void *context)
{
    (void)thread;
    (void)attributes;
    (void)start;
    (void)context;
    return EAGAIN;
}

static inline int pthread_join(pthread_t thread, void **result)
{
    (void)thread;
    (void)result;
    return 0;
}

#endif
