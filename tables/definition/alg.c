// Reads sequences of moves by recursive descent, and writes out their groups.
#include "alg.h"

#include "tables/base/ascii.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_moves(struct alg *alg);

enum { SPLIT_SIZE = 2 * ALG_WORD_LONGEST }; // for a word with spaces between its moves

// Complains about the byte at `next`.
static bool complain(const struct alg *alg, const char *expected)
{
    char shown[16];
    return alg->next < alg->length
               ? error_set(alg->error, FEWEST_BAD_INPUT, "character %zu: expected %s, got '%s'",
                           alg->next + 1, expected,
                           escape_text(shown, sizeof shown, alg->text + alg->next, 1))
               : error_set(alg->error, FEWEST_BAD_INPUT,
                           "character %zu: expected %s, but the text ends", alg->next + 1,
                           expected);
}

// The next byte, or NUL at the end.
static char peek(const struct alg *alg)
{
    return (char)(alg->next < alg->length ? alg->text[alg->next] : '\0');
}

// ---- Words --------------------------------------------------------------------------------------

// May a word end before this byte, or at the end of the text?
static bool ends_word(const struct alg *alg, size_t at)
{
    return at >= alg->length || ascii_is_space(alg->text[at]) || strchr(",:()[]", alg->text[at]) ||
           strchr(")]", alg->text[at - 1]);
}

// Finds the longest text from `next` on that is a move. *length is 0 if there is none.
static enum alg_word find_longest(const struct alg *alg, size_t *length)
{
    size_t most = 0;
    while (most <= ALG_WORD_LONGEST && alg->next + most < alg->length &&
           !ascii_is_space(alg->text[alg->next + most])) {
        most++;
    }
    for (*length = most; *length > 0; --*length) {
        enum alg_word found = ALG_NO;
        if (ends_word(alg, alg->next + *length)) {
            found =
                alg->names->find(alg->names->context, alg->text + alg->next, *length, alg->error);
        }
        if (found != ALG_NO) {
            return found;
        }
    }
    return ALG_NO;
}

static bool push(struct alg *alg, struct alg_move move)
{
    if (alg->count == ALG_MOVES_MOST) {
        return error_set(alg->error, FEWEST_BEYOND,
                         "character %zu: without groups, this sequence has more than %d moves, the "
                         "most that is allowed",
                         alg->next + 1, ALG_MOVES_MOST);
    }
    if (alg->count == alg->room) {
        size_t room = alg->room > 0 ? 2 * alg->room : 16;
        struct alg_move *larger = realloc(alg->moves, room * sizeof *larger);
        if (!larger) {
            return error_set(alg->error, FEWEST_SYSTEM, "not enough memory for the moves");
        }
        alg->moves = larger;
        alg->room = room;
    }
    alg->moves[alg->count++] = move;
    return true;
}

// The length of the first word of a row of moves without spaces: one character, or the longest
// move. 0 if no move begins it.
static size_t first_joined(const struct alg *alg, const char *row, size_t length, bool letters)
{
    struct fewest_error ignored;
    for (size_t part = letters ? 1 : length; part > 0; part--) {
        enum alg_word found = alg->names->find(alg->names->context, row, part, &ignored);
        if (found == ALG_NAME || (found == ALG_POWER && !letters)) {
            return part;
        }
    }
    return 0;
}

// Is the word a row of moves without spaces? Writes it with spaces.
static bool split_joined(const struct alg *alg, const char *word, size_t length, bool letters,
                         char text[SPLIT_SIZE])
{
    size_t used = 0;
    if (length < 2 || length > ALG_WORD_LONGEST) {
        return false;
    }
    for (size_t part; length > 0; word += part, length -= part) {
        part = first_joined(alg, word, length, letters);
        if (part == 0) {
            return false;
        }
        used += (size_t)snprintf(text + used, SPLIT_SIZE - used, "%s%.*s", used > 0 ? " " : "",
                                 (int)part, word);
    }
    return true;
}

// A row of one-character names that can also be read as a power, such as 13 if 1 and 3 are moves.
static bool refuse_ambiguous(const struct alg *alg, const char *word, size_t length,
                             const char *letters)
{
    struct fewest_error ignored;
    size_t name = length - 1;
    while (alg->names->find(alg->names->context, word, name, &ignored) != ALG_NAME) {
        name--;
    }
    return error_set(alg->error, FEWEST_BAD_INPUT,
                     "'%.*s' can be read in two ways; type (%.*s)%.*s or %s", (int)length, word,
                     (int)name, word, (int)(length - name), word + name, letters);
}

// Takes the word that was found at `next`.
static bool take_word(struct alg *alg, size_t length, enum alg_word found)
{
    char letters[SPLIT_SIZE];
    struct alg_move move = {.word = alg->text + alg->next, .length = length};
    if (found == ALG_POWER && alg->names->joined &&
        split_joined(alg, move.word, length, true, letters)) {
        return refuse_ambiguous(alg, move.word, length, letters);
    }
    alg->next += length;
    return push(alg, move);
}

// Takes a word that is no move: a row of names of one character, or an error.
static bool take_unknown(struct alg *alg)
{
    char moves[SPLIT_SIZE];
    char shown[64];
    const char *word = alg->text + alg->next;
    size_t length = 1;
    if (!alg->names->joined) {
        return complain(alg, "a move");
    }
    while (!ends_word(alg, alg->next + length)) {
        length++;
    }
    if (split_joined(alg, word, length, true, moves)) {
        bool done = true;
        for (size_t i = 0; i < length && done; i++) {
            done = push(alg, (struct alg_move){.word = word + i, .length = 1});
        }
        alg->next += length;
        return done;
    }
    if (split_joined(alg, word, length, false, moves)) {
        escape_text(shown, sizeof shown, word, length);
        return error_set(alg->error, FEWEST_BAD_INPUT,
                         "'%s' is no move; put spaces between moves: %s", shown, moves);
    }
    return push(alg, (struct alg_move){.word = word, .length = length});
}

// Skips a pause, a comment or the number of a line. False if there is none.
static bool skip_note(struct alg *alg)
{
    size_t length;
    const char *text = alg->text + alg->next;
    size_t left = alg->length - alg->next;
    size_t line = alg->next; // the first byte of the line, before white space
    size_t digits = 0;
    bool comment = left > 0 && (*text == '#' || (left > 1 && text[0] == '/' && text[1] == '/'));
    while (digits < left && text[digits] >= '0' && text[digits] <= '9') {
        digits++;
    }
    while (line > 0 && (alg->text[line - 1] == ' ' || alg->text[line - 1] == '\t')) {
        line--;
    }
    bool dot = digits < left && text[digits] == '.' && ends_word(alg, alg->next + digits + 1) &&
               (digits == 0 || line == 0 || ascii_is_space(alg->text[line - 1]));
    if ((!comment && !dot) || find_longest(alg, &length) != ALG_NO) {
        return false;
    }
    alg->next += dot ? digits + 1 : 0;
    while (comment && peek(alg) != '\n' && peek(alg) != '\r' && alg->next < alg->length) {
        alg->next++;
    }
    return true;
}

// Skips what stands between words. Returns the next byte, or NUL at the end.
static char skip_space(struct alg *alg)
{
    do {
        while (ascii_is_space(peek(alg)) || (peek(alg) == ',' && !alg->comma_ends)) {
            alg->next++;
        }
    } while (skip_note(alg));
    return peek(alg);
}

// ---- Groups -------------------------------------------------------------------------------------

// Inverts the moves from `begin` on.
static void invert(struct alg *alg, size_t begin)
{
    for (size_t i = begin, j = alg->count; i < j; i++) {
        struct alg_move first = alg->moves[i];
        alg->moves[i] = alg->moves[--j];
        alg->moves[j] = first;
    }
    for (size_t i = begin; i < alg->count; i++) {
        alg->moves[i].inverse = !alg->moves[i].inverse;
    }
}

// Appends copies of `count` moves, from `begin` on.
static bool append(struct alg *alg, size_t begin, size_t count, uint64_t copies)
{
    for (uint64_t i = 0; i < copies && count > 0; i++) {
        for (size_t j = 0; j < count; j++) {
            if (!push(alg, alg->moves[begin + j])) {
                return false;
            }
        }
    }
    return true;
}

// Reads what may follow a group: how often its moves, from `begin` on, stand there, and the mark of
// the inverse. Repeats them.
static bool repeat(struct alg *alg, size_t begin)
{
    uint64_t times = 1;
    if (peek(alg) >= '0' && peek(alg) <= '9') {
        size_t digits = ascii_read_number(alg->text + alg->next, alg->length - alg->next, &times);
        if (digits == 0) {
            return complain(alg, "a smaller number");
        }
        alg->next += digits;
    }
    if (peek(alg) == '\'') {
        alg->next++;
        invert(alg, begin);
    }
    if (!ends_word(alg, alg->next)) {
        return complain(alg, "a space between moves");
    }
    if (times == 0) {
        alg->count = begin;
        return true;
    }
    return append(alg, begin, alg->count - begin, times - 1);
}

// Takes the bracket that ends a group or one of its halves.
static bool take_bracket(struct alg *alg, const char *brackets, const char *expected)
{
    char c = skip_space(alg);
    if (c == '\0' || !strchr(brackets, c)) {
        return complain(alg, expected);
    }
    alg->next++;
    return true;
}

static bool read_group(struct alg *alg)
{
    size_t begin = alg->count;
    alg->comma_ends = false;
    return read_moves(alg) && take_bracket(alg, ")", "a move or ')'") && repeat(alg, begin);
}

// Reads `A: B]`, which is A B A', or `A, B]`, which is A B A' B'.
static bool read_bracket(struct alg *alg)
{
    size_t begin = alg->count;
    alg->comma_ends = true;
    if (!read_moves(alg) || !take_bracket(alg, ":,", "a move, ':' or ','")) {
        return false;
    }
    bool commutator = alg->text[alg->next - 1] == ',';
    size_t middle = alg->count;
    if (!read_moves(alg) || !take_bracket(alg, "]", "a move or ']'")) {
        return false;
    }
    size_t end = alg->count;
    if (!append(alg, begin, middle - begin, 1)) {
        return false;
    }
    invert(alg, end);
    size_t second = alg->count;
    if (commutator && !append(alg, middle, end - middle, 1)) {
        return false;
    }
    invert(alg, second);
    return repeat(alg, begin);
}

// Reads a group, conjugate or commutator after its opening bracket.
static bool read_nested(struct alg *alg, bool (*read)(struct alg *))
{
    bool comma_ends = alg->comma_ends;
    if (alg->nesting == ALG_NESTING_MOST) {
        return error_set(alg->error, FEWEST_BEYOND,
                         "character %zu: brackets are nested more than %d deep", alg->next + 1,
                         ALG_NESTING_MOST);
    }
    alg->nesting++;
    alg->next++;
    bool done = read(alg);
    alg->nesting--;
    alg->comma_ends = comma_ends;
    return done;
}

// Reads one word or group, which begins with the byte `c`.
static bool read_item(struct alg *alg, char c)
{
    size_t length;
    enum alg_word found = find_longest(alg, &length);
    if (found != ALG_NO) {
        return found != ALG_AMBIGUOUS && take_word(alg, length, found);
    }
    return c == '('                         ? read_nested(alg, read_group)
           : c == '['                       ? read_nested(alg, read_bracket)
           : c == '\0' || strchr(")],:", c) ? complain(alg, "a move")
                                            : take_unknown(alg);
}

// Reads moves until the end or a character that can't begin one.
static bool read_moves(struct alg *alg)
{
    for (char c; (c = skip_space(alg)) != '\0';) {
        size_t length;
        if (strchr(")],:", c) && find_longest(alg, &length) == ALG_NO) {
            return true;
        }
        if (!read_item(alg, c)) {
            return false;
        }
    }
    return true;
}

// ---- Texts --------------------------------------------------------------------------------------

// The length of the mark of the inverse at the start of a text, as people and programs write it
// beside the ASCII one: a prime, an accent or a quotation mark. 0 if there is none.
static size_t mark_length(const char *text, size_t left)
{
    static const char *const MARKS[] = {"\u2019", "\u2018", "\u2032", "\u00B4"};
    bool ascii = (unsigned char)*text < 0x80;
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS && !ascii; i++) {
        size_t length = strlen(MARKS[i]);
        if (length <= left && memcmp(text, MARKS[i], length) == 0) {
            return length;
        }
    }
    return 0;
}

bool alg_begin(struct alg *alg, const struct alg_names *names, const char *text, size_t length,
               struct fewest_error *error)
{
    *alg = (struct alg){.names = names, .text = malloc(length + 1), .error = error};
    if (!alg->text) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the moves");
    }
    for (size_t i = 0; i < length;) {
        size_t mark = mark_length(text + i, length - i);
        alg->text[alg->length++] = (char)(mark > 0 ? '\'' : text[i]);
        i += mark > 0 ? mark : 1;
    }
    return true;
}

bool alg_at_end(struct alg *alg)
{
    skip_space(alg);
    return alg->next == alg->length;
}

bool alg_next(struct alg *alg)
{
    return read_item(alg, skip_space(alg));
}

void alg_end(struct alg *alg)
{
    free(alg->moves);
    free(alg->text);
    *alg = (struct alg){0};
}
