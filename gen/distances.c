// Keeps the distances of a search: in memory a byte each, or two bits and a file of the layers.
#include "distances.h"

#include "base/eight_bytes.h"
#include "base/parallel.h"
#include "ranks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    CHUNK = 1 << 20,   // bytes of the array that a thread takes at once
    PARTS_AT_ONCE = 8, // of a layer
};

static void clear_part(void *context, uint64_t begin, uint64_t end)
{
    const struct distances *distances = context;
    memset((uint8_t *)distances->entries + begin, 0xFF, end - begin);
}

bool distances_make(struct distances *distances, uint64_t count, unsigned bits, const char *folder,
                    struct fewest_error *error)
{
    *distances = (struct distances){.total = count, .count = count, .bits = bits};
    layer_file_make(&distances->layers, count > 0 ? count : 1, folder);
    uint64_t length = bits == 8 ? (count + 7) / 8 * 8 : (count + 31) / 32 * 8; // whole words
    length = length > 0 ? length : 8; // a rank can be without entries
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

static void free_entries(struct distances *distances)
{
    if (distances->entries) {
        munmap((void *)distances->entries, distances->length);
        distances->entries = NULL;
    }
}

void distances_finish(struct distances *distances)
{
    if (distances->bits == NARROW_BITS) {
        free_entries(distances);
    }
}

void distances_free(struct distances *distances)
{
    free_entries(distances);
    layer_file_free(&distances->layers);
    *distances = (struct distances){.count = 0};
}

// ---- Finding ------------------------------------------------------------------------------------

// A word whose entries are 1.
static inline uint64_t ones(unsigned bits)
{
    return bits == 8 ? 0x0101010101010101u : 0x5555555555555555u;
}

// Sets the lowest bit of each entry of a word that equals the value in `repeated`.
static inline uint64_t equal_entries(uint64_t word, uint64_t repeated, unsigned bits)
{
    uint64_t differs = word ^ repeated;
    differs |= bits == 8 ? differs >> 4 : 0;
    differs |= bits == 8 ? differs >> 2 : 0;
    differs |= differs >> 1;
    return ~differs & ones(bits);
}

typedef uint64_t __attribute__((may_alias)) aliased_word;

// Loads eight bytes at an address that is a multiple of 8. Other threads may write to them
// meanwhile.
static inline uint64_t load_word(const _Atomic uint8_t *at)
{
    uint64_t word = __atomic_load_n((const aliased_word *)at, __ATOMIC_RELAXED);
    return le64toh(word);
}

// The word that holds entry `at`, the first of its word: marks the entries that equal the value in
// `repeated`, but only those from `first` on and before `end`.
static inline uint64_t equal_in_word(const struct distances *distances, uint64_t at, uint64_t first,
                                     uint64_t end, uint64_t repeated, unsigned bits)
{
    uint64_t equal = equal_entries(load_word(distances->entries + at * bits / 8), repeated, bits);
    equal &= at < first ? ~UINT64_C(0) << (first - at) * bits : ~UINT64_C(0);
    return end - at < 64 / bits ? equal & ((UINT64_C(1) << (end - at) * bits) - 1) : equal;
}

static inline unsigned find_value(const struct distances *distances, uint64_t first, unsigned count,
                                  unsigned value, uint16_t *found, unsigned bits)
{
    const unsigned per_word = 64 / bits;
    const uint64_t repeated = value * ones(bits);
    const uint64_t end = first + count;
    unsigned hits = 0;
    for (uint64_t at = first - first % per_word; at < end; at += per_word) {
        uint64_t equal = equal_in_word(distances, at, first, end, repeated, bits);
        for (; equal; equal &= equal - 1) {
            found[hits++] = (uint16_t)(at - first + (unsigned)__builtin_ctzll(equal) / bits);
        }
    }
    return hits;
}

unsigned distances_find(const struct distances *distances, uint64_t first, unsigned count,
                        unsigned value, uint16_t *found)
{
    return distances->bits == 8 ? find_value(distances, first, count, value, found, 8)
                                : find_value(distances, first, count, value, found, NARROW_BITS);
}

// Joins every other bit of a word, the lowest first.
static uint32_t join_even_bits(uint64_t word)
{
    word = (word | word >> 1) & 0x3333333333333333u;
    word = (word | word >> 2) & 0x0F0F0F0F0F0F0F0Fu;
    word = (word | word >> 4) & 0x00FF00FF00FF00FFu;
    word = (word | word >> 8) & 0x0000FFFF0000FFFFu;
    return (uint32_t)(word | word >> 16);
}

// Joins the lowest bits of eight bytes, that of the lowest byte first.
static uint64_t join_lowest_bits(uint64_t word)
{
    return word * 0x0102040810204080u >> 56;
}

static inline unsigned bit_is_set(const uint64_t *bits, unsigned at)
{
    return bits[at / 64] >> at % 64 & 1;
}

void distances_find_bits(const struct distances *distances, uint64_t first, unsigned count,
                         unsigned value, uint64_t *found)
{
    unsigned bits = distances->bits;
    const unsigned per_word = 64 / bits;
    const uint64_t end = first + count;
    memset(found, 0, (count / 64 + 2) * sizeof *found);
    for (uint64_t at = first - first % per_word; at < end; at += per_word) {
        uint64_t equal = equal_in_word(distances, at, first, end, value * ones(bits), bits);
        uint64_t joined = bits == 8 ? join_lowest_bits(equal) : join_even_bits(equal);
        if (at < first) {
            found[0] |= joined >> (first - at);
            continue;
        }
        uint64_t *word = &found[(at - first) / 64];
        unsigned shift = (at - first) % 64;
        word[0] |= joined << shift;
        word[1] |= shift > 0 ? joined >> (64 - shift) : 0;
    }
}

// Changes entries of a word from unreached to a value: those whose lowest bits are set in `hits`.
// Returns how many were still unreached.
static inline unsigned mark_in_word(_Atomic uint8_t *at, uint64_t hits, unsigned value,
                                    unsigned bits, bool alone)
{
    uint64_t changed = hits * (distances_unreached(bits) ^ value);
    if (alone) {
        store_eight((uint8_t *)at, load_word(at) & ~changed);
        return (unsigned)__builtin_popcountll(hits);
    }
    uint64_t before =
        le64toh(__atomic_fetch_and((aliased_word *)at, htole64(~changed), __ATOMIC_RELAXED));
    uint64_t none = equal_entries(before, distances_unreached(bits) * ones(bits), bits);
    return (unsigned)__builtin_popcountll(none & hits);
}

static inline unsigned mark_from(struct distances *distances, uint64_t first, unsigned count,
                                 const uint16_t *from, const uint64_t *set, unsigned value,
                                 bool alone, unsigned bits)
{
    const unsigned per_word = 64 / bits;
    const uint64_t repeated = distances_unreached(bits) * ones(bits);
    const uint64_t end = first + count;
    unsigned marked = 0;
    for (uint64_t at = first - first % per_word; at < end; at += per_word) {
        uint64_t equal = equal_in_word(distances, at, first, end, repeated, bits);
        uint64_t hits = 0;
        for (; equal; equal &= equal - 1) {
            unsigned lowest = (unsigned)__builtin_ctzll(equal);
            hits |= (uint64_t)bit_is_set(set, from[at + lowest / bits - first]) << lowest;
        }
        if (hits) {
            marked += mark_in_word(distances->entries + at * bits / 8, hits, value, bits, alone);
        }
    }
    return marked;
}

unsigned distances_mark_from(struct distances *distances, uint64_t first, unsigned count,
                             const uint16_t *from, const uint64_t *set, unsigned value, bool alone)
{
    return distances->bits == 8
               ? mark_from(distances, first, count, from, set, value, alone, 8)
               : mark_from(distances, first, count, from, set, value, alone, NARROW_BITS);
}

unsigned distances_count_value(const struct distances *distances, uint64_t first, unsigned count,
                               unsigned value)
{
    unsigned bits = distances->bits;
    const unsigned per_word = 64 / bits;
    const uint64_t end = first + count;
    unsigned hits = 0;
    for (uint64_t at = first - first % per_word; at < end; at += per_word) {
        hits += (unsigned)__builtin_popcountll(
            equal_in_word(distances, at, first, end, value * ones(bits), bits));
    }
    return hits;
}

// ---- Layers -------------------------------------------------------------------------------------

enum { ENTRIES_A_WORD = 64 / NARROW_BITS };

struct layer {
    struct distances *distances;
    unsigned newest; // the value of the entries of the layer
    unsigned older;  // that of the layer before, whose entries become 0
    _Atomic int error;
};

// Is any entry of these words in one of the two newest layers: 1 or 2?
static bool any_is_new(const uint8_t *bytes, uint64_t words)
{
    uint64_t differ = 0;
    for (uint64_t i = 0; i < words; i++) {
        uint64_t word = load_eight(bytes + 8 * i);
        differ |= word ^ word >> 1;
    }
    return differ & ones(NARROW_BITS);
}

// Takes a word's entries of the layer as bits, and makes those of the layer before 0.
static uint32_t take_word(const struct layer *layer, uint8_t *bytes)
{
    uint64_t word = load_eight(bytes);
    uint64_t older = equal_entries(word, layer->older * ones(NARROW_BITS), NARROW_BITS);
    uint64_t newest = equal_entries(word, layer->newest * ones(NARROW_BITS), NARROW_BITS);
    if (older) {
        store_eight(bytes, word & ~(older * 3));
    }
    return join_even_bits(newest);
}

// Sets the bits of a chunk's entries in the layer, and makes the entries of the layer before 0. The
// words are `begin` … `end`-1 of the array. Returns false if there are no such entries.
static bool take_chunk(const struct layer *layer, uint64_t begin, uint64_t end, uint64_t *bits)
{
    enum { AT_ONCE = 8 }; // most words of most layers have no such entries
    uint8_t *bytes = (uint8_t *)layer->distances->entries;
    uint64_t any = 0;
    memset(bits, 0, LAYER_CHUNK / 8);
    for (uint64_t i = begin; i < end; i += AT_ONCE) {
        uint64_t next = i + AT_ONCE < end ? i + AT_ONCE : end;
        if (!any_is_new(bytes + 8 * i, next - i)) {
            continue;
        }
        for (uint64_t w = i; w < next; w++) {
            uint64_t joined = take_word(layer, bytes + 8 * w);
            bits[(w - begin) / 2] |= joined << (w % 2 * ENTRIES_A_WORD);
            any |= joined;
        }
    }
    return any;
}

static void end_parts(void *context, uint64_t begin, uint64_t end)
{
    struct layer *layer = context;
    struct distances *distances = layer->distances;
    uint64_t bits[LAYER_CHUNK / 64];
    const uint64_t words = distances->length / 8;
    const uint64_t chunk_words = LAYER_CHUNK / ENTRIES_A_WORD;
    struct layer_part *part = malloc(sizeof *part);
    if (!part) {
        layer->error = ENOMEM;
        return;
    }
    for (uint64_t number = begin; number < end && !layer->error; number++) {
        layer_part_begin(part);
        uint64_t first = number * LAYER_CHUNKS_A_PART * chunk_words;
        for (unsigned chunk = 0; chunk < LAYER_CHUNKS_A_PART && first < words; chunk++) {
            uint64_t next = first + chunk_words < words ? first + chunk_words : words;
            if (take_chunk(layer, first, next, bits)) {
                layer_part_add(part, chunk, bits);
            }
            first = next;
        }
        if (!layer_file_write(&distances->layers, number, part)) {
            layer->error = errno;
        }
    }
    free(part);
}

bool distances_end_layer(struct distances *distances, unsigned distance, unsigned threads,
                         struct fewest_error *error)
{
    struct layer layer = {.distances = distances,
                          .newest = distances_value(distance, NARROW_BITS),
                          .older = distances_value(distance + 1, NARROW_BITS)};
    if (distances->bits == 8 || distance < distances->layers.layers) {
        return true;
    }
    if (!layer_file_begin(&distances->layers, error)) {
        return false;
    }
    parallel_for(threads, distances->layers.part_count, PARTS_AT_ONCE, end_parts, &layer);
    if (layer.error) {
        errno = layer.error;
        return layer_file_fail(&distances->layers, "write", error);
    }
    layer_file_end(&distances->layers);
    return true;
}

void distances_take_back(struct distances *distances, unsigned distance)
{
    unsigned bits = distances->bits;
    unsigned value = distances_value(distance, bits);
    for (uint64_t i = 0; i < distances->count; i++) {
        if (distances_get(distances->entries, i, bits) == value) {
            uint64_t byte = i * bits / 8;
            distances->entries[byte] =
                (uint8_t)(distances->entries[byte] | distances_unreached(bits) << (i * bits % 8));
        }
    }
}

bool distances_read(const struct distances *distances, uint64_t first, size_t count, uint8_t *out,
                    struct fewest_error *error)
{
    first -= distances->first;
    if (distances->bits == 8) {
        memcpy(out, (const uint8_t *)distances->entries + first, count);
        return true;
    }
    memset(out, UNREACHED, count);
    return layer_file_read(&distances->layers, first, count, out, error);
}

// An entry as a search to `layer` leaves it. With two bits, the layers before it are in the file.
static unsigned entry_at_layer(unsigned distance, unsigned layer, unsigned bits)
{
    if (distance == UNREACHED || distance > layer) {
        return distances_unreached(bits);
    }
    return bits == 8 || distance == layer ? distances_value(distance, bits) : 0;
}

bool distances_go_back(struct distances *distances, unsigned layer, struct fewest_error *error)
{
    enum { AT_ONCE = LAYER_CHUNK };
    uint8_t read[AT_ONCE];
    const unsigned per_byte = 8 / distances->bits;
    for (uint64_t first = 0; first < distances->count; first += AT_ONCE) {
        uint64_t rest = distances->count - first;
        size_t count = rest < AT_ONCE ? (size_t)rest : AT_ONCE;
        if (!distances_read(distances, distances->first + first, count, read, error)) {
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            unsigned shift = (unsigned)(i % per_byte) * distances->bits;
            _Atomic uint8_t *at = &distances->entries[(first + i) / per_byte];
            unsigned entry = entry_at_layer(read[i], layer, distances->bits);
            unsigned others = *at & ~(distances_unreached(distances->bits) << shift);
            *at = (uint8_t)(others | entry << shift);
        }
    }
    for (unsigned d = layer + 1; d < UNREACHED; d++) {
        distances->histogram[d] = 0;
    }
    if (distances->layers.layers > layer + 1) {
        distances->layers.layers = layer + 1;
    }
    return true;
}

// ---- Ranks --------------------------------------------------------------------------------------

void distances_place(struct distances *distances, uint64_t first, uint64_t total)
{
    distances->first = first;
    distances->total = total;
}

// Rank 0 receives the entries of another rank, which sends them.
static bool move_to_first(const struct distances *distances, uint8_t *all, unsigned rank,
                          const uint64_t *firsts, struct fewest_error *error)
{
    uint64_t end = rank + 1 < ranks_count() ? firsts[rank + 1] : distances->total;
    size_t count = (size_t)(end - firsts[rank]);
    return ranks_number() == rank ? ranks_send(0, (const uint8_t *)distances->entries, count, error)
           : ranks_number() == 0  ? ranks_receive(rank, all + firsts[rank], count, error)
                                  : true;
}

static bool gather_with(struct distances *distances, uint64_t *firsts, struct fewest_error *error)
{
    struct distances all = {.total = distances->total};
    bool is_first = ranks_number() == 0;
    bool done = !is_first || distances_make(&all, distances->total, 8, NULL, error);
    done = ranks_agree(done, error) && ranks_gather(distances->first, firsts, error);
    if (done && is_first) {
        memcpy((uint8_t *)all.entries, (const uint8_t *)distances->entries, distances->count);
    }
    for (unsigned rank = 1; rank < ranks_count() && done; rank++) {
        done = move_to_first(distances, (uint8_t *)all.entries, rank, firsts, error);
    }
    memcpy(all.histogram, distances->histogram, sizeof all.histogram);
    all.first = is_first ? 0 : distances->total;
    all.bits = 8;
    distances_free(distances);
    *distances = all;
    return done;
}

bool distances_gather(struct distances *distances, struct fewest_error *error)
{
    if (ranks_count() == 1) {
        return true;
    }
    uint64_t *firsts = malloc(ranks_count() * sizeof *firsts);
    bool done = ranks_agree(
        firsts || error_set(error, FEWEST_SYSTEM, "not enough memory for the ranks"), error);
    done = done && firsts && gather_with(distances, firsts, error);
    free(firsts);
    return done;
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
