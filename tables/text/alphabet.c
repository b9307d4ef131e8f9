// Reads states and cases of one character for each cell, fast.
#include "alphabet.h"

// Meanings of characters that are no cell. Neither is a possible value, so they add 0 to a sum, and
// row_sums_allow refuses it.
enum { VALUES_MOST = 0xFD, SEPARATOR = 0xFD, UNKNOWN = 0xFE };

void alphabet_find(const struct puzzle *puzzle, struct alphabet *alphabet)
{
    const struct segment *segment = &puzzle->segments[0];
    row_sums_find(puzzle, &alphabet->sums);
    alphabet->is_there =
        alphabet->sums.is_there && puzzle->typed_by_character && segment->symbols <= VALUES_MOST;
    if (!alphabet->is_there) {
        return;
    }
    for (unsigned c = 0; c < sizeof alphabet->meaning; c++) { // each byte
        const char text = (char)c;
        alphabet->meaning[c] = puzzle->signs.separates[c] ? SEPARATOR : UNKNOWN;
        segment_read_value(segment, &text, 1, &alphabet->meaning[c]); // only if it is a value
    }
    alphabet->meaning['*'] = WILD;
}

// Reads a cell from each of the first characters of a text, which has at least as many as there are
// cells. Returns the sum of the cells (row_sums.h), which tells whether all are possible values. A
// batch takes 13 % less time than if each character were tested for a separator.
static uint64_t read_run(const struct alphabet *restrict alphabet, const char *restrict text,
                         uint8_t *restrict cells)
{
    uint64_t sum = 0;
#pragma GCC unroll 4
    for (unsigned i = 0; i < alphabet->sums.cells; i++) {
        cells[i] = alphabet->meaning[(unsigned char)text[i]];
        sum += alphabet->sums.addend[cells[i]];
    }
    return sum;
}

// Reads the cells of one state, or fewer if the text ends, and skips the separators before each.
// Returns where they end, and sets *sum to their sum.
static const char *read_separated(const struct alphabet *alphabet, const char *next,
                                  const char *end, uint8_t *cells, uint64_t *sum)
{
    unsigned read = 0;
    *sum = 0;
    for (; next < end && read < alphabet->sums.cells; next++) {
        uint8_t meaning = alphabet->meaning[(unsigned char)*next];
        if (meaning != SEPARATOR) {
            cells[read++] = meaning;
            *sum += alphabet->sums.addend[meaning];
        }
    }
    return next;
}

// Reads the cells of a state, and moves *next behind the separators after them. Returns false if
// they are no possible state or, with `wild`, no possible target.
static inline bool read_state(const struct alphabet *alphabet, const char **next, const char *end,
                              bool wild, uint8_t *cells)
{
    const unsigned count = alphabet->sums.cells;
    const char *stop = *next;
    uint64_t sum = 0;
    if ((size_t)(end - stop) >= count) { // most states have no separators
        sum = read_run(alphabet, stop, cells);
        stop += count;
    }
    if (sum >> SUM_POSSIBLE != count) { // some character is no cell, perhaps a separator
        stop = read_separated(alphabet, *next, end, cells, &sum);
    }
    while (stop < end && alphabet->meaning[(unsigned char)*stop] == SEPARATOR) {
        stop++;
    }
    *next = stop;
    return row_sums_allow(&alphabet->sums, sum, wild);
}

bool alphabet_read_state(const struct alphabet *alphabet, const char *text, size_t length,
                         bool wild, uint8_t *state)
{
    const char *next = text;
    return alphabet->is_there && read_state(alphabet, &next, text + length, wild, state) &&
           next == text + length;
}

bool alphabet_read_case(const struct alphabet *alphabet, const char *text, size_t length,
                        uint8_t *start, uint8_t *target, bool *has_target)
{
    const char *next = text;
    const char *end = text + length;
    if (!alphabet->is_there || !read_state(alphabet, &next, end, false, start)) {
        return false;
    }
    *has_target = next < end;
    return !*has_target || (read_state(alphabet, &next, end, true, target) && next == end);
}
