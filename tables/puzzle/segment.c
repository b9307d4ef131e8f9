// Reads and ranks the cells of a segment, and sets the letters of its values.
#include "segment.h"

#include "tables/algebra/rank.h"
#include "tables/base/ascii.h"

#include <stdio.h>
#include <string.h>

// The value of a cell for a typed number, counted from 0. With `Track`, the user types a piece, and
// the cell holds its colour.
static uint8_t value_of(const struct segment *segment, unsigned typed)
{
    return segment->tracked ? segment->colour_of[typed] : (uint8_t)typed;
}

// Tries the text as a letter, `.` for the pieces that `Track` does not name, the sign of a blank,
// and then a number, which only a segment without letters has.
bool segment_read_value(const struct segment *segment, const char *text, size_t length,
                        uint8_t *value)
{
    if (segment->letters[0]) {
        const char *letter =
            length == 1 ? memchr(segment->letters, *text, segment_typed_count(segment)) : NULL;
        if (letter) {
            *value = value_of(segment, (unsigned)(letter - segment->letters));
            return true;
        }
    }
    if (segment->has_others && length == 1 && *text == '.') {
        *value = segment->others;
        return true;
    }
    if (segment->blank && length == 1 && ascii_is_blank(*text)) {
        *value = 0;
        return true;
    }
    if (segment->letters[0]) {
        return false;
    }
    // Most cells are one digit, which needs no loop. Any other character gives a number above 9; if
    // it is below '0', the subtraction wraps.
    uint64_t number = (uint64_t)(unsigned char)*text - '0';
    if ((length > 1 || number > 9) && ascii_read_number(text, length, &number) != length) {
        return false;
    }
    if (number < segment->base || number - segment->base >= segment_typed_count(segment)) {
        return false;
    }
    *value = value_of(segment, (unsigned)number - segment->base);
    return true;
}

size_t segment_write_value(const struct segment *segment, unsigned value, char *out, size_t size)
{
    unsigned typed = value;
    if (segment->has_others && value == segment->others) {
        return (size_t)snprintf(out, size, ".");
    }
    if (segment->tracked) { // the first piece of this colour; there is one
        typed = 0;
        while (segment->colour_of[typed] != value) {
            typed++;
        }
    }
    if (segment->letters[0]) {
        return (size_t)snprintf(out, size, "%c", segment->letters[typed]);
    }
    return (size_t)snprintf(out, size, "%u", typed + segment->base);
}

// Returns the rank of a row of tops with one blank (0). The highest digit is the blank's cell. The
// digits of the cubes follow, the last cube lowest: its top less 1, to the base symbols - 1. There
// is no branch on the blank, because the processor could not predict its cell.
static uint64_t rank_tops(const struct segment *segment, const uint8_t *cells)
{
    uint64_t rank = 0;
    uint64_t weight = 1;
    unsigned blank = 0;
    for (unsigned i = segment->length; i-- > 0;) {
        unsigned is_cube = cells[i] != 0; // 0 for the blank, which adds no digit
        rank += weight * (cells[i] - is_cube);
        weight *= 1 + is_cube * (segment->symbols - 2); // symbols - 1, or 1 for the blank
        blank += (1 - is_cube) * i;
    }
    return blank * weight + rank; // now the weight counts the rows with the blank in one cell
}

// Undoes rank_tops: the blank's cell is the highest digit, and the last cube the lowest.
static void unrank_tops(const struct segment *segment, uint64_t rank, uint8_t *cells)
{
    uint64_t rows_for_blank = segment->count / segment->length; // with the blank in one cell
    unsigned blank = (unsigned)(rank / rows_for_blank);
    for (unsigned i = segment->length; i-- > 0;) {
        cells[i] = 0;
        if (i != blank) {
            cells[i] = (uint8_t)(1 + rank % (segment->symbols - 1));
            rank /= segment->symbols - 1;
        }
    }
}

// The rank of orientations is a number whose digits are the orientations that count.
uint64_t segment_rank(const struct segment *segment, const uint8_t *state)
{
    const uint8_t *cells = state + segment->first;
    uint64_t rank = 0;
    switch (segment->kind) {
    case SEGMENT_ARRANGEMENT:
        return arrangement_rank(segment->symbols, segment->length, cells);
    case SEGMENT_MULTISET:
        return multiset_rank(segment->length, segment->symbols, segment->amount, cells);
    case SEGMENT_ORIENTATION:
        for (unsigned i = 0; i < segment->length; i++) {
            if (segment_counts_at(segment, state, i)) {
                rank = rank * segment->symbols + cells[i];
            }
        }
        break;
    case SEGMENT_TOPS:
        return rank_tops(segment, cells);
    }
    return rank;
}

void segment_unrank(const struct segment *segment, uint64_t rank, uint8_t *state)
{
    uint8_t *cells = state + segment->first;
    switch (segment->kind) {
    case SEGMENT_ARRANGEMENT:
        arrangement_unrank(segment->symbols, segment->length, rank, cells);
        return;
    case SEGMENT_MULTISET:
        multiset_unrank(segment->length, segment->symbols, segment->amount, rank, cells);
        return;
    case SEGMENT_ORIENTATION: // the caller has filled in the pieces
        for (unsigned i = segment->length; i-- > 0;) {
            cells[i] = 0;
            if (segment_counts_at(segment, state, i)) {
                cells[i] = (uint8_t)(rank % segment->symbols);
                rank /= segment->symbols;
            }
        }
        return;
    case SEGMENT_TOPS:
        unrank_tops(segment, rank, cells);
    }
}

void segment_make_pieces(struct segment *segment, const struct piece_set *set,
                         const uint8_t *solved)
{
    *segment = (struct segment){
        .kind = SEGMENT_ARRANGEMENT, .length = set->pieces, .pieces = -1, .tracked = set->tracked};
    memcpy(segment->colour_of, set->colour_of, sizeof segment->colour_of);
    for (unsigned number = 0; number <= PIECES_OF_SET_MOST; number++) {
        if (set->piece_of[number] > segment->typed) { // pieces are numbered without gaps
            segment->typed = set->piece_of[number];
        }
    }
    for (unsigned i = 0; i < set->pieces; i++) {
        unsigned piece = solved[i];
        segment->amount[piece]++;
        if (segment->amount[piece] > 1) {
            segment->kind = SEGMENT_MULTISET;
        }
        if (piece >= segment->symbols) {
            segment->symbols = piece + 1;
        }
    }
    if (segment->kind == SEGMENT_ARRANGEMENT) {
        segment->count = arrangement_count(segment->symbols, segment->length);
    } else if (!multiset_count(segment->length, segment->symbols, segment->amount,
                               &segment->count)) {
        segment->count = 0; // too large
    }
}

void segment_find_others(struct segment *segment, const uint8_t *kept)
{
    for (unsigned piece = 0; piece < segment->typed; piece++) {
        if (kept[piece] == KEPT_NOTHING && segment->amount[segment->colour_of[piece]] > 0) {
            segment->has_others = true;
            segment->others = segment->colour_of[piece];
        }
    }
}

bool segment_set_letters(struct segment *segment, const struct piece_set *set,
                         struct fewest_error *error)
{
    unsigned values = segment_typed_count(segment);
    if (strlen(set->letters) != values) {
        return error_set_line(error, FEWEST_BAD_INPUT, set->letters_line,
                              "expected %u letters for set %s, got %zu", values, set->name,
                              strlen(set->letters));
    }
    memcpy(segment->letters, set->letters, sizeof segment->letters);
    return true;
}

void segment_forget_ignored(const struct segment *segment, uint8_t *state)
{
    for (unsigned i = 0; i < segment->length; i++) {
        if (!segment_counts_at(segment, state, i)) {
            state[segment->first + i] = 0;
        }
    }
}

// Does what segment_allows does, for pieces or tops. Tops must have a blank, or a wildcard where it
// can be.
static bool allows_pieces(const struct segment *segment, const uint8_t *cells, bool wild)
{
    uint8_t seen[PIECES_OF_SET_MOST] = {0}; // how often each value appears so far
    bool has_wildcard = false;
    for (unsigned i = 0; i < segment->length; i++) {
        if (cells[i] == WILD) {
            has_wildcard = true;
            continue;
        }
        if (cells[i] >= segment->symbols) {
            return false;
        }
        seen[cells[i]]++;
        if (seen[cells[i]] > segment->amount[cells[i]]) {
            return false;
        }
    }
    if (has_wildcard) {
        return wild;
    }
    return segment->kind != SEGMENT_TOPS || seen[0] > 0;
}

// Is each orientation below the modulus or, with `wild`, WILD? And is it 0 where it does not count?
// The first loop has no branch, because most cells are allowed.
static bool allows_orientations(const struct segment *segment, const uint8_t *state, bool wild)
{
    const uint8_t *cells = state + segment->first;
    bool is_allowed = true;
    for (unsigned i = 0; i < segment->length; i++) {
        is_allowed &= cells[i] < segment->symbols || (wild && cells[i] == WILD);
    }
    if (!is_allowed || !segment->ignores) {
        return is_allowed;
    }
    for (unsigned i = 0; i < segment->length; i++) {
        if (cells[i] != 0 && !segment_counts_at(segment, state, i)) {
            return false; // this orientation does not count, so it must be 0
        }
    }
    return true;
}

bool segment_allows(const struct segment *segment, const uint8_t *state, bool wild)
{
    return segment->kind == SEGMENT_ORIENTATION
               ? allows_orientations(segment, state, wild)
               : allows_pieces(segment, state + segment->first, wild);
}
