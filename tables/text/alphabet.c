// Reads states and cases of one character for each cell, fast.
#include "text/alphabet.h"

#include "base/ascii.h"

// A set of meanings has a bit for each value. SEPARATOR, UNKNOWN and WILD are its bits 61, 62
// and 63. Values are below 51, so that the bits of the values of all cells add up to less than
// 2^64.
enum { VALUES_MOST = 51, SEPARATOR = 0xFD, UNKNOWN = 0xFE };

_Static_assert(SEPARATOR % 64 == 61 && UNKNOWN % 64 == 62 && WILD % 64 == 63, "bits of their own");

_Static_assert(CELLS_MOST <= UINT64_C(1) << (64 - VALUES_MOST), "no carry is lost");

static const uint64_t SEPARATOR_BIT = UINT64_C(1) << 61;
static const uint64_t UNKNOWN_BIT = UINT64_C(1) << 62;
static const uint64_t WILD_BIT = UINT64_C(1) << 63;

static void find_checks(const struct segment *segment, struct alphabet *alphabet)
{
    alphabet->once = 0;
    alphabet->needed = 0;
    switch (segment->kind) {
    case SEGMENT_ARRANGEMENT:
        alphabet->once = ~WILD_BIT;
        alphabet->needed = UINT64_MAX;
        break;
    case SEGMENT_ORIENTATION:
        alphabet->needed = segment->ignores ? 0 : UINT64_MAX;
        break;
    case SEGMENT_TOPS: // the blank, or a wildcard that may be the blank
        alphabet->once = 1;
        alphabet->needed = 1 | WILD_BIT;
        break;
    case SEGMENT_MULTISET:
        break;
    }
}

void alphabet_find(const struct puzzle *puzzle, struct alphabet *alphabet)
{
    static const char NUMBERS[] = "0123456789xX_"; // the last three are the blank
    const struct segment *segment = &puzzle->segments[0];
    alphabet->is_there = puzzle->segment_count == 1 && puzzle->typed_by_character &&
                         segment_typed_count(segment) <= VALUES_MOST;
    if (!alphabet->is_there) {
        return;
    }
    alphabet->cells = puzzle->cell_count;
    for (unsigned c = 0; c < sizeof alphabet->meaning; c++) {
        alphabet->meaning[c] = ascii_is_separator((char)c) ? SEPARATOR : UNKNOWN;
    }
    for (const char *c = segment->letters; *c; c++) {
        segment_read_value(segment, c, 1, &alphabet->meaning[(unsigned char)*c]);
    }
    for (const char *c = NUMBERS; *c; c++) {
        segment_read_value(segment, c, 1, &alphabet->meaning[(unsigned char)*c]);
    }
    alphabet->meaning['*'] = WILD;
    find_checks(segment, alphabet);
    for (unsigned c = 0; c < sizeof alphabet->meaning; c++) {
        alphabet->bit[c] = UINT64_C(1) << alphabet->meaning[c] % 64;
        alphabet->once_bit[c] = alphabet->bit[c] & alphabet->once;
    }
}

bool alphabet_read_value(const struct alphabet *alphabet, char c, uint8_t *value)
{
    uint8_t meaning = alphabet->is_there ? alphabet->meaning[(unsigned char)c] : UNKNOWN;
    if (meaning < VALUES_MOST) {
        *value = meaning;
    }
    return meaning < VALUES_MOST;
}

// The meanings of the characters that were read.
struct meanings {
    uint64_t seen;     // a bit each
    uint64_t once_sum; // sum of the bits in `once`; above (seen & once) if one came twice
};

static inline void add_meaning(struct meanings *meanings, const struct alphabet *alphabet,
                               unsigned char c)
{
    meanings->seen |= alphabet->bit[c];
    meanings->once_sum += alphabet->once_bit[c];
}

// Reads each character as a cell.
static struct meanings read_run(const struct alphabet *restrict alphabet, const char *restrict text,
                                uint8_t *restrict cells)
{
    struct meanings meanings = {0, 0};
#pragma GCC unroll 4
    for (unsigned i = 0; i < alphabet->cells; i++) {
        unsigned char c = (unsigned char)text[i];
        cells[i] = alphabet->meaning[c];
        add_meaning(&meanings, alphabet, c);
    }
    return meanings;
}

static const char *skip_separators(const struct alphabet *alphabet, const char *next,
                                   const char *end)
{
    while (next < end && alphabet->meaning[(unsigned char)*next] == SEPARATOR) {
        next++;
    }
    return next;
}

// Reads cells and skips the separators before them. Returns where they end, or NULL if the text
// ends early.
static const char *read_separated(const struct alphabet *alphabet, const char *next,
                                  const char *end, uint8_t *cells, struct meanings *meanings)
{
    unsigned read = 0;
    *meanings = (struct meanings){0, 0};
    for (; next < end && read < alphabet->cells; next++) {
        unsigned char c = (unsigned char)*next;
        if (alphabet->meaning[c] != SEPARATOR) {
            cells[read++] = alphabet->meaning[c];
            add_meaning(meanings, alphabet, c);
        }
    }
    return read == alphabet->cells ? next : NULL;
}

// Reads the cells of a state, and moves *next behind the separators after them.
static inline enum plain read_state(const struct alphabet *alphabet, const char **next,
                                    const char *end, bool wild, uint8_t *cells)
{
    struct meanings meanings = {SEPARATOR_BIT, 0};
    uint64_t refused = wild ? UNKNOWN_BIT : UNKNOWN_BIT | WILD_BIT;
    const char *stop = NULL;
    if ((size_t)(end - *next) >= alphabet->cells) {
        stop = *next + alphabet->cells;
        meanings = read_run(alphabet, *next, cells);
    }
    if (meanings.seen & SEPARATOR_BIT) {
        stop = read_separated(alphabet, *next, end, cells, &meanings);
    }
    if (!stop || (meanings.seen & refused)) {
        return PLAIN_NOT;
    }
    *next = skip_separators(alphabet, stop, end);
    return meanings.once_sum == (meanings.seen & alphabet->once) &&
                   (meanings.seen & alphabet->needed) != 0
               ? PLAIN_POSSIBLE
               : PLAIN_UNCHECKED;
}

enum plain alphabet_read_state(const struct alphabet *alphabet, const char *text, size_t length,
                               bool wild, uint8_t *state)
{
    const char *next = text;
    enum plain plain =
        alphabet->is_there ? read_state(alphabet, &next, text + length, wild, state) : PLAIN_NOT;
    return next == text + length ? plain : PLAIN_NOT;
}

enum plain alphabet_read_case(const struct alphabet *alphabet, const char *text, size_t length,
                              uint8_t *start, uint8_t *target, bool *has_target)
{
    const char *next = text;
    const char *end = text + length;
    enum plain plain =
        alphabet->is_there ? read_state(alphabet, &next, end, false, start) : PLAIN_NOT;
    *has_target = next < end;
    if (plain == PLAIN_NOT || !*has_target) {
        return plain;
    }
    enum plain other = read_state(alphabet, &next, end, true, target);
    return next < end ? PLAIN_NOT : other < plain ? other : plain;
}
