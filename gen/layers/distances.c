// Keeps the distances of a section.
#include "distances.h"

#include "gen/ranks/ranks.h"
#include "tables/base/array.h"

#include <stdlib.h>
#include <string.h>

bool distances_make(struct distances *distances, uint64_t count, struct fewest_error *error)
{
    *distances = (struct distances){.total = count, .share = count, .count = count};
    distances->bytes = array_make(count, 1);
    if (!distances->bytes) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the distances of %llu states",
                         (unsigned long long)count);
    }
    return true;
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
    uint64_t here = first - distances->first; // the number of the first entry on this rank
    if (distances->bytes) {
        memcpy(out, distances->bytes + here, count);
        return true;
    }
    memset(out, UNREACHED, count); // layers_read skips entries without a distance
    return layers_read(&distances->layers, here, count, out, error);
}

// ---- Gathering ----------------------------------------------------------------------------------

// The distances of all ranks, while they come to rank 0.
struct gathering {
    const struct distances *from; // this rank's
    struct distances *to;         // of all ranks, on rank 0
    uint64_t filled;              // entries of `to` that are there, from the first on
};

// Reads distances of this rank for rank 0, from `at` on (a ranks_part_reader).
static bool read_own_part(void *context, uint64_t at, uint8_t *bytes, size_t length,
                          struct fewest_error *error)
{
    const struct gathering *gathering = context;
    return distances_read(gathering->from, gathering->from->first + at, length, bytes, error);
}

// Appends distances that rank 0 received (a ranks_part_receiver). They fit, because the ranks
// together have `total` entries.
static bool append_part(void *context, const uint8_t *bytes, size_t length,
                        struct fewest_error *error)
{
    struct gathering *gathering = context;
    (void)error;
    memcpy(gathering->to->bytes + gathering->filled, bytes, length);
    gathering->filled += length;
    return true;
}

bool distances_gather(struct distances *distances, struct fewest_error *error)
{
    // All ranks but the first are left with no entry.
    struct distances all = {
        .total = distances->total, .share = distances->total, .first = distances->total};
    struct gathering gathering = {.from = distances, .to = &all, .filled = distances->count};
    bool made = true;
    if (ranks_is_first()) {
        made = distances_make(&all, distances->total, error) &&
               distances_read(distances, 0, (size_t)distances->count, all.bytes, error);
    }
    bool done = ranks_barrier(made, error) &&
                ranks_gather(distances->count, read_own_part, append_part, &gathering, error);
    memcpy(all.histogram, distances->histogram, sizeof all.histogram);
    distances_free(distances);
    *distances = all;
    return done;
}

// ---- The histogram ------------------------------------------------------------------------------

void distances_count(struct distances *distances)
{
    uint64_t counts[UNREACHED + 1] = {0}; // also of entries without a distance
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
