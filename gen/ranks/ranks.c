// The functions that are the same with and without MPI.
#include "ranks.h"

#include <stdlib.h>
#include <string.h>

bool exchange_open(struct exchange *exchange, struct fewest_error *error)
{
    *exchange = (struct exchange){.lock = PTHREAD_MUTEX_INITIALIZER};
    exchange->parcels = calloc(ranks_count(), sizeof *exchange->parcels);
    return exchange->parcels || error_no_memory(error, "for what the ranks exchange");
}

void exchange_close(struct exchange *exchange)
{
    for (unsigned rank = 0; exchange->parcels && rank < ranks_count(); rank++) {
        free(exchange->parcels[rank].words);
    }
    free(exchange->parcels);
    free(exchange->sent.words);
    free(exchange->received.words);
}

bool exchange_add(struct exchange *exchange, unsigned rank, const void *head, size_t head_words,
                  const void *body, size_t body_words)
{
    struct parcel *parcel = &exchange->parcels[rank];
    pthread_mutex_lock(&exchange->lock);
    bool fits = parcel_reserve(parcel, head_words + body_words);
    if (fits) {
        memcpy(parcel->words + parcel->count, head, head_words * sizeof *parcel->words);
        parcel->count += head_words;
        memcpy(parcel->words + parcel->count, body, body_words * sizeof *parcel->words);
        parcel->count += body_words;
    }
    pthread_mutex_unlock(&exchange->lock);
    return fits;
}

uint64_t ranks_units_each(uint64_t units)
{
    return (units + ranks_count() - 1) / ranks_count();
}

struct range ranks_own_range(uint64_t units)
{
    uint64_t first = ranks_units_each(units) * ranks_number();
    uint64_t end = first + ranks_units_each(units);
    return (struct range){first < units ? first : units, end < units ? end : units};
}

bool ranks_check_same(uint64_t digest, const char *what, struct fewest_error *error)
{
    // The other ranks add 0, so the sum is the digest of rank 0.
    uint64_t first = ranks_is_first() ? digest : 0;
    ranks_sum(&first, 1);
    bool same = digest == first;
    if (!same) {
        error_write(error, FEWEST_BAD_INPUT,
                    "not the same %s as on rank 0; use the same program, files and options on all "
                    "machines",
                    what);
    }
    return ranks_barrier(same, error);
}
