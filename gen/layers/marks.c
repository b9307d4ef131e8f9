// Finds and changes marks a word of them at a time.
#include "marks.h"

#include "eight_bytes.h"

#include <sys/mman.h>

enum { BITS = 2 };

// A word whose 32 entries are 1. Its product with a mark is a word whose entries all have the mark.
#define ONES 0x5555555555555555u

bool marks_make(struct marks *marks, uint64_t count, unsigned threads, struct fewest_error *error)
{
    uint64_t length = marks_bytes(count);
    void *bytes = MAP_FAILED; // else bytes of 0, so MARK_NONE
    if (length <= SIZE_MAX) { // it can be larger on a 32-bit system
        bytes =
            mmap(NULL, (size_t)length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    *marks = (struct marks){.count = count, .length = (size_t)length, .alone = threads == 1};
    if (bytes == MAP_FAILED) {
        return error_set(error, FEWEST_SYSTEM,
                         "not enough memory to search %llu states (%llu bytes)",
                         (unsigned long long)count, (unsigned long long)length);
    }
    // Huge pages, because a search jumps about in memory. If there are none, nothing is lost.
    madvise(bytes, marks->length, MADV_HUGEPAGE);
    marks->entries = bytes;
    return true;
}

void marks_free(struct marks *marks)
{
    if (marks->entries) {
        munmap((void *)marks->entries, marks->length);
        marks->entries = NULL;
    }
}

// ---- Finding ------------------------------------------------------------------------------------

// Returns a word in which the lower bit of each entry tells whether that entry of `word` equals the
// one of `repeated`. Its upper bits are 0. `repeated` holds the same mark in all entries.
static inline uint64_t equal_entries(uint64_t word, uint64_t repeated)
{
    uint64_t differs = word ^ repeated;
    return ~(differs | differs >> 1) & ONES;
}

typedef uint64_t __attribute__((may_alias)) aliased_word;

// Loads eight bytes at an address that is a multiple of 8. Other threads may write to them
// meanwhile.
static inline uint64_t load_word(const _Atomic uint8_t *at)
{
    return le64toh(__atomic_load_n((const aliased_word *)at, __ATOMIC_RELAXED));
}

// Returns a word in which the lower bit of each of the entries at … at+31 tells whether the entry
// has the mark and is one of first … end-1. `at` is a multiple of MARKS_A_WORD, at < end, and
// first < at + MARKS_A_WORD, so no shift reaches 64.
static inline uint64_t equal_in_word(const struct marks *marks, uint64_t at, uint64_t first,
                                     uint64_t end, unsigned mark)
{
    uint64_t equal = equal_entries(load_word(marks->entries + at / 4), mark * ONES);
    equal &= at < first ? ~UINT64_C(0) << (first - at) * BITS : ~UINT64_C(0);
    return end - at < MARKS_A_WORD ? equal & ((UINT64_C(1) << (end - at) * BITS) - 1) : equal;
}

unsigned marks_find(const struct marks *marks, uint64_t first, unsigned count, unsigned mark,
                    uint32_t *found)
{
    const uint64_t end = first + count;
    unsigned hits = 0;
    for (uint64_t at = first - first % MARKS_A_WORD; at < end; at += MARKS_A_WORD) {
        uint64_t equal = equal_in_word(marks, at, first, end, mark);
        for (; equal; equal &= equal - 1) { // clears the lowest bit
            found[hits++] = (uint32_t)(at - first + (unsigned)__builtin_ctzll(equal) / BITS);
        }
    }
    return hits;
}

// ---- Marking ------------------------------------------------------------------------------------

// Is the bit set? Returns 1 or 0.
static inline unsigned bit_is_set(const uint64_t *bits, unsigned at)
{
    return bits[at / 64] >> at % 64 & 1;
}

// Marks the entries of the word at `at` whose lower bits are set in `hits`; the caller has seen no
// mark there. Returns how many it marked. Unless this thread is `alone`, others may have given the
// same mark to some of them meanwhile: those do not count.
static inline unsigned mark_in_word(_Atomic uint8_t *at, uint64_t hits, unsigned mark, bool alone)
{
    uint64_t set = hits * mark; // no entry reaches into the next one
    if (alone) {
        store_eight((uint8_t *)at, load_word(at) | set);
        return (unsigned)__builtin_popcountll(hits);
    }
    uint64_t before =
        le64toh(__atomic_fetch_or((aliased_word *)at, htole64(set), __ATOMIC_RELAXED));
    return (unsigned)__builtin_popcountll(equal_entries(before, MARK_NONE * ONES) & hits);
}

unsigned marks_add_from(struct marks *marks, uint64_t first, unsigned count, const uint16_t *from,
                        const uint64_t *set, unsigned mark)
{
    const uint64_t end = first + count;
    unsigned marked = 0;
    for (uint64_t at = first - first % MARKS_A_WORD; at < end; at += MARKS_A_WORD) {
        uint64_t equal = equal_in_word(marks, at, first, end, MARK_NONE);
        uint64_t hits = 0;                  // those of `equal` whose bit in `set` is set
        for (; equal; equal &= equal - 1) { // clears the lowest bit
            unsigned lowest = (unsigned)__builtin_ctzll(equal);
            hits |= (uint64_t)bit_is_set(set, from[at + lowest / BITS - first]) << lowest;
        }
        if (hits) {
            marked += mark_in_word(marks->entries + at / 4, hits, mark, marks->alone);
        }
    }
    return marked;
}

// ---- The end of a layer -------------------------------------------------------------------------

// Moves bit 2 i of a word to bit i. The other bits of the word are 0.
static uint32_t join_even_bits(uint64_t word)
{
    word = (word | word >> 1) & 0x3333333333333333u;
    word = (word | word >> 2) & 0x0F0F0F0F0F0F0F0Fu;
    word = (word | word >> 4) & 0x00FF00FF00FF00FFu;
    word = (word | word >> 8) & 0x0000FFFF0000FFFFu;
    return (uint32_t)(word | word >> 16);
}

// Returns a bit for each entry of a word: is it of the newest layer, whose mark is `newest`? Makes
// the entries of the layer before it MARK_OLD. No other thread uses the word.
static uint32_t take_word(uint8_t *bytes, unsigned newest)
{
    const unsigned older = 1 + 2 - newest; // the two newest layers have the marks 1 and 2
    uint64_t word = load_eight(bytes);
    uint64_t older_entries = equal_entries(word, older * ONES);
    if (older_entries) {
        store_eight(bytes, word | older_entries * MARK_OLD);
    }
    return join_even_bits(equal_entries(word, newest * ONES));
}

bool marks_take_layer(struct marks *marks, uint64_t first, uint64_t count, unsigned newest,
                      uint64_t *bits)
{
    uint8_t *bytes = (uint8_t *)marks->entries + first / 4;
    const uint64_t words = (count + MARKS_A_WORD - 1) / MARKS_A_WORD;
    uint64_t any = 0;
    for (uint64_t w = 0; w < words; w++) {
        uint64_t taken = take_word(bytes + 8 * w, newest);
        bits[w / 2] |= taken << (w % 2 * MARKS_A_WORD); // two words of marks fill one of bits
        any |= taken;
    }
    return any != 0;
}

void marks_age(struct marks *marks, uint64_t first, uint64_t end, unsigned newest)
{
    uint8_t *bytes = (uint8_t *)marks->entries + first / 4;
    for (uint64_t at = first; at < end; at += MARKS_A_WORD) {
        take_word(bytes, newest);
        bytes += 8;
    }
}
