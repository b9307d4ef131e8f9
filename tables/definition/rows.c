// Computes products, inverses and powers of rows, and finds moves by name.
#include "rows.h"

#include "tables/base/ascii.h"

#include <stdlib.h>
#include <string.h>

bool rows_make(const struct definition *definition, struct rows *rows)
{
    uint8_t *bytes = calloc(2, definition->piece_count);
    *rows = (struct rows){bytes, bytes ? bytes + definition->piece_count : NULL};
    return bytes;
}

void rows_free(struct rows *rows)
{
    free(rows->piece);
    *rows = (struct rows){NULL, NULL};
}

void rows_copy(const struct definition *definition, const struct rows *from, struct rows *to)
{
    memcpy(to->piece, from->piece, 2 * (size_t)definition->piece_count);
}

bool rows_are_equal(const struct definition *definition, const struct rows *a, const struct rows *b)
{
    return memcmp(a->piece, b->piece, 2 * (size_t)definition->piece_count) == 0;
}

void rows_set_identity(const struct definition *definition, struct rows *rows)
{
    memset(rows->orientation, 0, definition->piece_count);
    for (unsigned s = 0; s < definition->set_count; s++) {
        for (unsigned i = 0; i < definition->sets[s].pieces; i++) {
            rows->piece[definition->sets[s].first + i] = (uint8_t)i;
        }
    }
}

void rows_multiply(const struct definition *definition, const struct rows *a, const struct rows *b,
                   struct rows *product)
{
    for (unsigned s = 0; s < definition->set_count; s++) {
        const struct piece_set *set = &definition->sets[s];
        for (unsigned i = set->first; i < set->first + set->pieces; i++) {
            unsigned between = set->first + b->piece[i]; // the piece's slot after a, before b
            product->piece[i] = a->piece[between];
            product->orientation[i] =
                (uint8_t)((a->orientation[between] + b->orientation[i]) % set->orientations);
        }
    }
}

void rows_invert(const struct definition *definition, const struct rows *rows, struct rows *inverse)
{
    for (unsigned s = 0; s < definition->set_count; s++) {
        const struct piece_set *set = &definition->sets[s];
        for (unsigned i = 0; i < set->pieces; i++) {
            unsigned from = set->first + rows->piece[set->first + i];
            unsigned orientation = rows->orientation[set->first + i];
            inverse->piece[from] = (uint8_t)i;
            inverse->orientation[from] =
                (uint8_t)(orientation > 0 ? set->orientations - orientation : 0);
        }
    }
}

bool rows_are_identity(const struct definition *definition, const struct rows *rows, bool shown)
{
    bool all_counts = !shown || definition->databases[0].line > 0;
    for (unsigned s = 0; s < definition->set_count; s++) {
        const struct piece_set *set = &definition->sets[s];
        const uint8_t *solved = definition->solved.piece + set->first;
        const bool *ignored = definition->orientation_ignored + set->first;
        // Does some orientation of the set count? It does where `ignored` is 0.
        bool turns_count = all_counts || (set->orientations > 1 && memchr(ignored, 0, set->pieces));
        // Do the places of its pieces count? Not if no orientation counts and all pieces look
        // alike, which is so if the row of pieces equals itself, shifted by one.
        bool slots_count = turns_count || memcmp(solved, solved + 1, set->pieces - 1u) != 0;
        for (unsigned i = 0; i < set->pieces; i++) {
            if ((slots_count && rows->piece[set->first + i] != i) ||
                (turns_count && rows->orientation[set->first + i] != 0)) {
                return false;
            }
        }
    }
    return true;
}

// ---- Notation -----------------------------------------------------------------------------------

// Does this byte separate two words of a sequence?
static bool is_separator(char c)
{
    return c == ',' || ascii_is_space(c);
}

const struct listed_move *rows_find_name(const struct definition *definition, const char *word,
                                         size_t length)
{
    const struct move_list *const lists[] = {&definition->moves, &definition->others};
    for (unsigned l = 0; l < 2; l++) {
        for (unsigned m = 0; m < lists[l]->count && length > 0; m++) {
            const char *name = lists[l]->listed[m].name;
            if (name[0] == word[0] && strlen(name) == length && memcmp(name, word, length) == 0) {
                return &lists[l]->listed[m];
            }
        }
    }
    return NULL;
}

bool rows_is_listed(const struct move_list *list, const struct listed_move *move)
{
    for (unsigned m = 0; m < list->count; m++) {
        if (&list->listed[m] == move) {
            return true;
        }
    }
    return false;
}

bool rows_read_power(const char *suffix, size_t length, struct move_word *word)
{
    enum { DIGITS_MOST = 3 };
    const char *end = suffix + length;
    uint64_t times = 1;
    word->inverse = length > 0 && (*suffix == '\'' || end[-1] == '\'');
    if (word->inverse && *suffix == '\'') {
        suffix++;
    } else if (word->inverse) {
        end--;
    }
    size_t digits = (size_t)(end - suffix);
    bool is_power = digits == 0 ||
                    (digits <= DIGITS_MOST && ascii_read_number(suffix, digits, &times) == digits);
    word->times = (unsigned)times;
    return is_power;
}

struct move_word rows_find_power(const struct definition *definition, const char *word,
                                 size_t length, size_t most)
{
    struct move_word named = {.move = NULL};
    for (size_t bytes = length < most ? length : most; bytes > 0 && !named.move; bytes--) {
        if (rows_read_power(word + bytes, length - bytes, &named)) { // after the name
            named.move = rows_find_name(definition, word, bytes);
        }
    }
    return named;
}

struct move_word rows_find_move(const struct definition *definition, const char *word,
                                size_t length)
{
    return rows_find_power(definition, word, length, length);
}

bool rows_next_move(const struct definition *definition, const char **next, const char *end,
                    const char **word, size_t *length)
{
    while (*next < end && is_separator(**next)) {
        ++*next;
    }
    *word = *next;
    // The word ends before white space at the latest, and at the earliest before the first
    // separator that is not in parentheses.
    const char *last_end = *next;
    const char *first_end = NULL;
    int depth = 0; // of parentheses
    while (last_end < end && !ascii_is_space(*last_end)) {
        if (*last_end == '(') {
            depth++;
        } else if (*last_end == ')') {
            depth--;
        }
        last_end++;
        if (!first_end && depth <= 0 && (last_end == end || is_separator(*last_end))) {
            first_end = last_end;
        }
    }
    if (!first_end) { // the parentheses stay open
        first_end = last_end;
    }
    // Take the longest text that means a move. If none does, the word ends at the earliest place.
    const char *stop = last_end;
    while (stop > first_end) {
        bool may_end = stop == end || is_separator(*stop);
        if (may_end && rows_find_move(definition, *word, (size_t)(stop - *word)).move) {
            break;
        }
        stop--;
    }
    *next = stop;
    *length = (size_t)(stop - *word);
    return *length > 0;
}

bool rows_are_alike(const struct definition *definition, const struct move_word *a,
                    const struct move_word *b)
{
    uint8_t bytes[2 * ROWS_BYTES_MOST];
    struct rows first = rows_in(definition, bytes, 0);
    struct rows second = rows_in(definition, bytes, 1);
    rows_of_move(definition, a, &first);
    rows_of_move(definition, b, &second);
    return rows_are_equal(definition, &first, &second);
}

// Inverts the rows of the move if the word says so, and then raises them to the power, by repeated
// squaring.
void rows_of_move(const struct definition *definition, const struct move_word *named,
                  struct rows *rows)
{
    uint8_t bytes[2 * ROWS_BYTES_MOST];
    struct rows square = rows_in(definition, bytes, 0); // power 1, 2, 4, … of the move
    struct rows before = rows_in(definition, bytes, 1);
    if (named->inverse) {
        rows_invert(definition, &named->move->rows, &square);
    } else {
        rows_copy(definition, &named->move->rows, &square);
    }
    rows_set_identity(definition, rows);
    for (unsigned times = named->times; times > 0; times /= 2) {
        if (times % 2) {
            rows_copy(definition, rows, &before);
            rows_multiply(definition, &before, &square, rows);
        }
        if (times > 1) {
            rows_copy(definition, &square, &before);
            rows_multiply(definition, &before, &before, &square);
        }
    }
}

bool rows_of_turn(const struct definition *definition, const struct move_word *named,
                  struct rows *rows)
{
    struct listed_move turn = *named->move;
    if (!turn.is_rotation && !turn.turn.piece) {
        return false;
    }
    if (!turn.is_rotation) {
        turn.rows = turn.turn;
    }
    rows_of_move(definition, &(struct move_word){&turn, named->times, named->inverse}, rows);
    return true;
}
