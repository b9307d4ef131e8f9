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
    free(distances->list);
    if (distances->bounds) {
        bound_entries_free(distances->bounds);
    }
    free(distances->bounds);
    layers_free(&distances->layers);
    *distances = (struct distances){.count = 0};
}

// The place in the list of the first entry that is not below `entry`, or the end of the list.
static uint64_t find_listed(const struct distances *distances, uint64_t entry)
{
    uint64_t low = 0;
    uint64_t high = distances->list_length;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (distances->list[middle].entry < entry) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool distances_list_none(const struct distances *distances, uint64_t first, uint64_t count)
{
    uint64_t at = find_listed(distances, first);
    return distances->list &&
           (at == distances->list_length || distances->list[at].entry - first >= count);
}

// Reads `count` distances of a list from entry `first` on, where they are not UNREACHED.
static void read_listed(const struct distances *distances, uint64_t first, size_t count,
                        uint8_t *out)
{
    for (uint64_t at = find_listed(distances, first);
         at < distances->list_length && distances->list[at].entry - first < count; at++) {
        out[distances->list[at].entry - first] = distances->list[at].distance;
    }
}

bool distances_read(const struct distances *distances, uint64_t first, size_t count, uint8_t *out,
                    struct fewest_error *error)
{
    uint64_t here = first - distances->first; // the number of entry `first` on this rank
    if (distances->bytes) {
        memcpy(out, distances->bytes + here, count);
        return true;
    }
    if (distances->bounds) {
        bound_entries_read(distances->bounds, here, count, out);
        return true;
    }
    memset(out, UNREACHED, count); // what follows skips entries without a distance
    if (distances->list) {
        read_listed(distances, first, count, out);
        return true;
    }
    return layers_read(&distances->layers, here, count, out, error);
}

bool distances_gather(struct distances *distances, struct fewest_error *error)
{
    struct distances all;
    bool made = distances_make(&all, distances->total, error);
    if (made) {
        made = distances_read(distances, distances->first, (size_t)distances->count,
                              all.bytes + distances->first, error);
    }
    bool done = ranks_barrier(made, error);
    if (done) { // each entry is 0 on all ranks but one
        ranks_sum_bytes(all.bytes, (size_t)all.total);
    }
    if (!ranks_is_first()) { // begins behind the last entry, and has none
        free(all.bytes);
        all = (struct distances){.total = all.total, .share = all.total, .first = all.total};
    }
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
