// Keeps the distances of a section.
#include "distances.h"

#include "gen/ranks/ranks.h"

#include <stdlib.h>
#include <string.h>

bool distances_make(struct distances *distances, uint64_t count, struct fewest_error *error)
{
    *distances = (struct distances){.total = count, .share = count, .count = count};
    distances->bytes = count < SIZE_MAX ? malloc((size_t)count + 1) : NULL;
    return distances->bytes ||
           error_set(error, FEWEST_SYSTEM, "not enough memory for the distances of %llu states",
                     (unsigned long long)count);
}

void distances_free(struct distances *distances)
{
    free(distances->bytes);
    layers_free(&distances->layers);
    *distances = (struct distances){.count = 0};
}

bool distances_read(const struct distances *distances, uint64_t first, size_t count, uint8_t *out,
                    struct fewest_error *error)
{
    first -= distances->first;
    if (distances->bytes) {
        memcpy(out, distances->bytes + first, count);
        return true;
    }
    memset(out, UNREACHED, count);
    return layers_read(&distances->layers, first, count, out, error);
}

// ---- Gathering ----------------------------------------------------------------------------------

// Rank 0 fills in `to`, the distances of all ranks, from its own and from what the others give.
struct gathering {
    const struct distances *from;
    struct distances *to;
    uint64_t there;
};

static bool give_bytes(void *context, uint64_t at, uint8_t *bytes, size_t length,
                       struct fewest_error *error)
{
    const struct gathering *gathering = context;
    return distances_read(gathering->from, gathering->from->first + at, length, bytes, error);
}

static bool take_bytes(void *context, const uint8_t *bytes, size_t length,
                       struct fewest_error *error)
{
    struct gathering *gathering = context;
    (void)error;
    memcpy(gathering->to->bytes + gathering->there, bytes, length);
    gathering->there += length;
    return true;
}

bool distances_gather(struct distances *distances, struct fewest_error *error)
{
    struct distances all = {
        .total = distances->total, .share = distances->total, .first = distances->total};
    struct gathering gathering = {distances, &all, distances->count};
    bool made = !ranks_is_first() ||
                (distances_make(&all, distances->total, error) &&
                 distances_read(distances, 0, (size_t)distances->count, all.bytes, error));
    bool done = ranks_barrier(made, error) &&
                ranks_gather(distances->count, give_bytes, take_bytes, &gathering, error);
    memcpy(all.histogram, distances->histogram, sizeof all.histogram);
    distances_free(distances);
    *distances = all;
    return done;
}

// ---- The histogram ------------------------------------------------------------------------------

void distances_count(struct distances *distances)
{
    uint64_t counts[UNREACHED + 1] = {0};
    for (uint64_t i = 0; i < distances->count; i++) {
        counts[distances->bytes[i]]++;
    }
    memcpy(distances->histogram, counts, sizeof distances->histogram);
}

unsigned distances_largest(const struct distances *distances)
{
    unsigned largest = UNREACHED - 1;
    while (largest > 0 && distances->histogram[largest] == 0) {
        largest--;
    }
    return largest;
}
