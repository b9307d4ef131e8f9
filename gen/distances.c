// Keeps the distances of a search in memory, a byte or half a byte each.
#include "distances.h"

#include "base/parallel.h"
#include "scratch.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CHUNK = 1 << 20 }; // bytes of the array that a thread takes at once

static void clear_part(void *context, uint64_t begin, uint64_t end)
{
    const struct distances *distances = context;
    memset((uint8_t *)distances->entries + begin, 0xFF, end - begin);
}

bool distances_make(struct distances *distances, uint64_t count, unsigned bits, const char *folder,
                    struct fewest_error *error)
{
    *distances = (struct distances){.count = count, .bits = bits, .file = -1, .folder = folder};
    uint64_t length = (count * bits + 7) / 8;
    distances->length = (size_t)length;
    void *bytes = length > SIZE_MAX // possible on a 32-bit system
                      ? MAP_FAILED
                      : mmap(NULL, distances->length, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bytes == MAP_FAILED) {
        return error_set(error, FEWEST_SYSTEM,
                         "not enough memory for the distances of %llu states (%llu bytes)",
                         (unsigned long long)count, (unsigned long long)length);
    }
    // Huge pages, because a search jumps about in memory. If there are none, nothing is lost.
    madvise(bytes, distances->length, MADV_HUGEPAGE);
    distances->entries = bytes;
    return true;
}

void distances_clear(struct distances *distances, unsigned threads)
{
    parallel_for(threads, distances->length, CHUNK, clear_part, distances);
}

void distances_free(struct distances *distances)
{
    if (distances->entries) {
        munmap((void *)distances->entries, distances->length);
        if (distances->file >= 0) {
            close(distances->file);
        }
    }
    *distances = (struct distances){.file = -1};
}

// ---- Finding ------------------------------------------------------------------------------------

// Sets the lowest bit of each entry of a word that equals the value in `repeated`.
static uint64_t equal_entries(uint64_t word, uint64_t repeated, unsigned bits)
{
    uint64_t differs = word ^ repeated;
    differs |= differs >> (bits / 2);
    differs |= differs >> (bits / 4);
    differs |= bits == 8 ? differs >> 1 : 0;
    return ~differs & (bits == 8 ? 0x0101010101010101u : 0x1111111111111111u);
}

// Loads eight bytes while other threads may write to them. A compiler may join the eight loads.
static inline uint64_t load_word(const _Atomic uint8_t *at)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++) {
        word |= (uint64_t)atomic_load_explicit(&at[i], memory_order_relaxed) << (8 * i);
    }
    return word;
}

static inline unsigned find_value(const struct distances *distances, uint64_t first, unsigned count,
                                  unsigned value, uint16_t *found, unsigned bits)
{
    const unsigned per_word = 64 / bits;
    const uint64_t repeated = value * (bits == 8 ? 0x0101010101010101u : 0x1111111111111111u);
    unsigned hits = 0;
    unsigned i = 0;
    for (; i < count && (first + i) * bits % 8 != 0; i++) {
        found[hits] = (uint16_t)i;
        hits += distances_get(distances->entries, first + i, bits) == value;
    }
    for (; i + per_word <= count; i += per_word) {
        uint64_t word = load_word(distances->entries + (first + i) * bits / 8);
        for (uint64_t equal = equal_entries(word, repeated, bits); equal; equal &= equal - 1) {
            found[hits++] = (uint16_t)(i + (unsigned)__builtin_ctzll(equal) / bits);
        }
    }
    for (; i < count; i++) {
        found[hits] = (uint16_t)i;
        hits += distances_get(distances->entries, first + i, bits) == value;
    }
    return hits;
}

unsigned distances_find(const struct distances *distances, uint64_t first, unsigned count,
                        unsigned value, uint16_t *found)
{
    return distances->bits == 8 ? find_value(distances, first, count, value, found, 8)
                                : find_value(distances, first, count, value, found, 4);
}

// ---- Snapshots ----------------------------------------------------------------------------------

uint64_t distances_snapshot_length(const struct distances *distances)
{
    return (distances->length + 3) / 4;
}

struct snapshot {
    struct distances *distances;
    _Atomic int error;
};

// Packs eight entries, in four bytes, into a byte: a bit is set if the entry has a distance.
static uint8_t pack_reached_bits(const uint8_t *pairs)
{
    unsigned byte = 0;
    for (unsigned i = 0; i < 8; i++) {
        unsigned value = pairs[i / 2] >> (i % 2 * 4) & 15u;
        byte |= (value != distances_unreached(4) ? 1u : 0u) << i;
    }
    return (uint8_t)byte;
}

// Writes a bit for each entry of the bytes begin … end-1, so four bytes become one. `begin` is a
// multiple of four. A part without any distance stays a hole in the file, which reads as 0.
static void snapshot_part(void *context, uint64_t begin, uint64_t end)
{
    struct snapshot *snapshot = context;
    const struct distances *distances = snapshot->distances;
    const uint8_t *bytes = (const uint8_t *)distances->entries;
    uint64_t count = (end - begin + 3) / 4;
    uint8_t *reached_bits = calloc(count, 1);
    bool any = false;
    for (uint64_t i = 0; i < count && reached_bits; i++) {
        uint8_t last[4] = {0xFF, 0xFF, 0xFF, 0xFF};
        const uint8_t *pairs = bytes + begin + 4 * i;
        if (begin + 4 * i + 4 > end) {
            memcpy(last, pairs, end - begin - 4 * i);
            pairs = last;
        }
        reached_bits[i] = pack_reached_bits(pairs);
        any |= reached_bits[i];
    }
    uint64_t at = distances->snapshots * distances_snapshot_length(distances) + begin / 4;
    if (!reached_bits || (any && !scratch_write(distances->file, at, reached_bits, count))) {
        snapshot->error = errno;
    }
    free(reached_bits);
}

static bool report_file_failure(const struct distances *distances, const char *what, int number,
                                struct fewest_error *error)
{
    return error_set(error, FEWEST_SYSTEM, "%s: can't %s a temporary file in this folder: %s",
                     scratch_folder(distances->folder), what, strerror(number));
}

static bool add_room(struct distances *distances, struct fewest_error *error)
{
    if (distances->file < 0 && !scratch_open(distances->folder, &distances->file, error)) {
        return false;
    }
    uint64_t length = (distances->snapshots + 1) * distances_snapshot_length(distances);
    return ftruncate(distances->file, (off_t)length) == 0 ||
           report_file_failure(distances, "write", errno, error);
}

static bool take_snapshot(struct distances *distances, unsigned threads, struct fewest_error *error)
{
    struct snapshot snapshot = {.distances = distances};
    if (!add_room(distances, error)) {
        return false;
    }
    parallel_for(threads, distances->length, CHUNK, snapshot_part, &snapshot);
    if (snapshot.error) {
        return report_file_failure(distances, "write", snapshot.error, error);
    }
    distances->snapshots++;
    return true;
}

bool distances_get_snapshot(const struct distances *distances, unsigned number,
                            uint8_t *reached_bits, struct fewest_error *error)
{
    uint64_t length = distances_snapshot_length(distances);
    return scratch_read(distances->file, number * length, reached_bits, length) ||
           report_file_failure(distances, "read", errno, error);
}

bool distances_put_snapshot(struct distances *distances, const uint8_t *reached_bits,
                            struct fewest_error *error)
{
    uint64_t length = distances_snapshot_length(distances);
    if (!add_room(distances, error)) {
        return false;
    }
    if (!scratch_write(distances->file, distances->snapshots * length, reached_bits, length)) {
        return report_file_failure(distances, "write", errno, error);
    }
    distances->snapshots++;
    return true;
}

// An entry with this remainder has a smaller distance if the last snapshot has its bit. Such
// entries stay.
bool distances_take_back(struct distances *distances, unsigned distance, struct fewest_error *error)
{
    unsigned bits = distances->bits;
    unsigned value = distances_value(distance, bits);
    uint8_t *reached_bits =
        distances->snapshots > 0 ? malloc(distances_snapshot_length(distances)) : NULL;
    if (distances->snapshots > 0) {
        if (!reached_bits) {
            return error_set(error, FEWEST_SYSTEM, "not enough memory to save the checkpoint");
        }
        if (!distances_get_snapshot(distances, distances->snapshots - 1, reached_bits, error)) {
            free(reached_bits);
            return false;
        }
    }
    for (uint64_t i = 0; i < distances->count; i++) {
        if (distances_get(distances->entries, i, bits) == value &&
            !(reached_bits && reached_bits[i / 8] >> i % 8 & 1)) {
            uint64_t byte = bits == 8 ? i : i / 2;
            unsigned shift = bits == 8 ? 0 : i % 2 * 4;
            distances->entries[byte] =
                (uint8_t)(distances->entries[byte] | distances_unreached(bits) << shift);
        }
    }
    free(reached_bits);
    return true;
}

bool distances_end_layer(struct distances *distances, unsigned distance, unsigned threads,
                         struct fewest_error *error)
{
    return distances->bits == 8 || distance % NARROW_MODULUS != NARROW_MODULUS - 1 ||
           take_snapshot(distances, threads, error);
}

// ---- Reading ------------------------------------------------------------------------------------

// Unpacks the remainders, two from each byte. Entries without a distance become 0.
static void unpack_remainders(const uint8_t *pairs, size_t count, uint8_t *out)
{
    const unsigned none = distances_unreached(4);
    for (size_t i = 0; i < count / 2; i++) {
        unsigned low = pairs[i] & 15u;
        unsigned high = pairs[i] >> 4;
        out[2 * i] = (uint8_t)(low == none ? 0 : low);
        out[2 * i + 1] = (uint8_t)(high == none ? 0 : high);
    }
    if (count % 2 == 1) {
        unsigned low = pairs[count / 2] & 15u;
        out[count - 1] = (uint8_t)(low == none ? 0 : low);
    }
}

// Adds 15 to the entries that a snapshot had not reached. There are at most 16 snapshots, so a byte
// holds the sum.
static void add_modulus_where_unreached(const uint8_t *reached_bits, size_t count, uint8_t *out)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = (uint8_t)(out[i] + (reached_bits[i / 8] >> i % 8 & 1 ? 0 : NARROW_MODULUS));
    }
}

static void set_unreached(const uint8_t *pairs, size_t count, uint8_t *out)
{
    const unsigned none = distances_unreached(4);
    for (size_t i = 0; i < count / 2; i++) {
        out[2 * i] |= (pairs[i] & 15u) == none ? UNREACHED : 0;
        out[2 * i + 1] |= pairs[i] >> 4 == none ? UNREACHED : 0;
    }
    if (count % 2 == 1) {
        out[count - 1] |= (pairs[count / 2] & 15u) == none ? UNREACHED : 0;
    }
}

bool distances_read(const struct distances *distances, uint64_t first, size_t count, uint8_t *out,
                    struct fewest_error *error)
{
    const uint8_t *bytes = (const uint8_t *)distances->entries;
    if (distances->bits == 8) {
        memcpy(out, bytes + first, count);
        return true;
    }
    assert(first % 8 == 0);
    size_t length = (count + 7) / 8;
    uint8_t *reached_bits = distances->snapshots > 0 ? malloc(length) : NULL;
    bool done = reached_bits || distances->snapshots == 0;
    unpack_remainders(bytes + first / 2, count, out);
    for (unsigned s = 0; s < distances->snapshots && done; s++) {
        done = scratch_read(distances->file, s * distances_snapshot_length(distances) + first / 8,
                            reached_bits, length);
        if (done) {
            add_modulus_where_unreached(reached_bits, count, out);
        }
    }
    set_unreached(bytes + first / 2, count, out);
    free(reached_bits);
    return done || report_file_failure(distances, "read", errno, error);
}

// Without a snapshot, a remainder is the distance, and 15 is `unreachable` in both.
bool distances_are_packed(const struct distances *distances, unsigned bits)
{
    return distances->bits == bits && distances->snapshots == 0;
}

void distances_copy_packed(const struct distances *distances, uint64_t first, size_t count,
                           uint8_t *out)
{
    const uint8_t *bytes = (const uint8_t *)distances->entries;
    unsigned per_byte = 8 / distances->bits;
    memcpy(out, bytes + first / per_byte, (count + per_byte - 1) / per_byte);
    if (count % per_byte > 0) {
        out[count / per_byte] &= 15;
    }
}

// ---- The histogram ------------------------------------------------------------------------------

void distances_count(struct distances *distances)
{
    uint64_t counts[UNREACHED + 1] = {0};
    for (uint64_t i = 0; i < distances->count; i++) {
        counts[distances_get(distances->entries, i, 8)]++;
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
