// Reads sequences of moves by recursive descent, and writes out their groups.
#include "alg.h"

#include "tables/base/ascii.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool read_moves(struct alg *alg);

enum { SPLIT_SIZE = 2 * ALG_WORD_LONGEST }; // bytes of a word with spaces between its moves

// Fills in an error, because the byte at `next` is not what is `expected`. Returns false.
static bool refuse_byte(const struct alg *alg, const char *expected)
{
    char shown[16];
    if (alg->next >= alg->length) {
        return error_set(alg->error, FEWEST_BAD_INPUT,
                         "character %zu: expected %s, but the text ends", alg->next + 1, expected);
    }
    return error_set(alg->error, FEWEST_BAD_INPUT, "character %zu: expected %s, got '%s'",
                     alg->next + 1, expected,
                     escape_text(shown, sizeof shown, alg->text + alg->next, 1));
}

// Returns the byte at `next`, or NUL at the end of the text.
static char peek_byte(const struct alg *alg)
{
    return (char)(alg->next < alg->length ? alg->text[alg->next] : '\0');
}

// ---- Words --------------------------------------------------------------------------------------

// May a word end before byte `at`, which is not the first? It may at the end of the text, before
// white space, and beside a bracket, a comma or a colon. After a closing bracket, it may always
// end.
static bool ends_word(const struct alg *alg, size_t at)
{
    if (at >= alg->length) {
        return true;
    }
    char next = alg->text[at];
    char last = alg->text[at - 1];
    return ascii_is_space(next) || strchr(",:()[]", next) || last == ')' || last == ']';
}

// Finds the longest text from `next` on that alg->names says is a move. Sets *length to its bytes,
// and returns what kind of move it is. Returns ALG_NO, and sets *length to 0, if there is none.
static enum alg_word find_longest_move(const struct alg *alg, size_t *length)
{
    size_t most = 0; // bytes before the next white space, or 1 more than a word can have
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

// Appends a move. Returns false after an error.
static bool append_move(struct alg *alg, struct alg_move move)
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
            return error_no_memory(alg->error, "for the moves");
        }
        alg->moves = larger;
        alg->room = room;
    }
    alg->moves[alg->count++] = move;
    return true;
}

// Returns the length of the first move in a row of moves without spaces, or 0 if no move begins the
// row. With `letters`, a move is a name of one character. Else it is the longest name or power.
static size_t find_first_joined(const struct alg *alg, const char *row, size_t length, bool letters)
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

// Is the word a row of two or more moves without spaces? If so, writes it to `text` with spaces.
// `letters` is that of find_first_joined.
static bool split_joined(const struct alg *alg, const char *word, size_t length, bool letters,
                         char text[SPLIT_SIZE])
{
    size_t used = 0;
    if (length < 2 || length > ALG_WORD_LONGEST) {
        return false;
    }
    for (size_t part; length > 0; word += part, length -= part) {
        part = find_first_joined(alg, word, length, letters);
        if (part == 0) {
            return false;
        }
        used += (size_t)snprintf(text + used, SPLIT_SIZE - used, "%s%.*s", used > 0 ? " " : "",
                                 (int)part, word);
    }
    return true;
}

// Can the word be read as a move, or as a row of moves without spaces?
static bool is_row_of_moves(const struct alg *alg, const char *word, size_t length)
{
    char moves[SPLIT_SIZE];
    struct fewest_error ignored;
    return alg->names->find(alg->names->context, word, length, &ignored) != ALG_NO ||
           split_joined(alg, word, length, true, moves) ||
           split_joined(alg, word, length, false, moves);
}

// Measures the R' of a power such as R'2, if the number after the mark of the inverse can also be
// read as moves. Returns its bytes, or 0 for any other word.
static size_t measure_marked(const struct alg *alg, const char *word, size_t length)
{
    size_t begin = length;
    while (begin > 0 && ascii_is_digit(word[begin - 1])) {
        begin--;
    }
    bool is_marked = begin > 0 && begin < length && word[begin - 1] == '\'';
    return is_marked && is_row_of_moves(alg, word + begin, length - begin) ? begin : 0;
}

// Returns the bytes of the longest name that begins a power. There is one.
static size_t measure_name(const struct alg *alg, const char *word, size_t length)
{
    struct fewest_error ignored;
    do {
        length--;
    } while (alg->names->find(alg->names->context, word, length, &ignored) != ALG_NAME);
    return length;
}

// Checks that a power has no second meaning, because a person typed it. It has one if it can also
// be read as a row of moves: 13 if 1 and 3 are moves, or R'2 if 2 is one. Returns false after an
// error.
static bool check_power(const struct alg *alg, const char *word, size_t length)
{
    char row[SPLIT_SIZE];
    // Bytes of the first part in the second meaning; 0: there is none.
    size_t first = measure_marked(alg, word, length);
    if (split_joined(alg, word, length, true, row)) {
        first = measure_name(alg, word, length);
    } else if (first > 0) {
        snprintf(row, sizeof row, "%.*s %.*s", (int)first, word, (int)(length - first),
                 word + first);
    }
    return first == 0 ||
           error_set(alg->error, FEWEST_BAD_INPUT,
                     "'%.*s' can be read in two ways; type (%.*s)%.*s or %s", (int)length, word,
                     (int)first, word, (int)(length - first), word + first, row);
}

// Appends the move at `next`, a word of `length` bytes that find_longest_move found, and goes past
// it. Returns false after an error.
static bool take_word(struct alg *alg, size_t length, enum alg_word found)
{
    struct alg_move move = {.word = alg->text + alg->next, .length = length};
    bool is_typed = alg->names->refuse; // by a person
    if (found == ALG_POWER && is_typed && !check_power(alg, move.word, length)) {
        return false;
    }
    alg->next += length;
    return append_move(alg, move);
}

// Reads the word at `next`, which is no move. If a person typed a row of names of one character,
// appends a move for each. Otherwise sets the error, and returns false.
static bool take_unknown_word(struct alg *alg)
{
    char moves[SPLIT_SIZE];
    char shown[64];
    const char *word = alg->text + alg->next;
    size_t length = 1;
    if (!alg->names->refuse) { // no person typed the text
        return refuse_byte(alg, "a move");
    }
    while (!ends_word(alg, alg->next + length)) {
        length++;
    }
    if (split_joined(alg, word, length, true, moves)) {
        bool done = true;
        for (size_t i = 0; i < length && done; i++) {
            done = append_move(alg, (struct alg_move){.word = word + i, .length = 1});
        }
        alg->next += length;
        return done;
    }
    if (split_joined(alg, word, length, false, moves)) {
        escape_text(shown, sizeof shown, word, length);
        return error_set(alg->error, FEWEST_BAD_INPUT,
                         "'%s' is no move; put spaces between moves: %s", shown, moves);
    }
    alg->names->refuse(alg->names->context, word, length, alg->error);
    return false;
}

// ---- Notes --------------------------------------------------------------------------------------

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *next, const char *end)
{
    while (next < end && is_blank(*next)) {
        next++;
    }
    return next;
}

// Does only white space stand between the start of the line and `next`?
static bool begins_line(const struct alg *alg)
{
    size_t line = alg->next;
    while (line > 0 && is_blank(alg->text[line - 1])) {
        line--;
    }
    return line == 0 || ascii_ends_line(alg->text[line - 1]);
}

// Returns the length of the pause (`.`) or the number of a line (`12.`) at `next`; 0 if there is
// none.
static size_t measure_dot(const struct alg *alg)
{
    const char *text = alg->text + alg->next;
    size_t left = alg->length - alg->next;
    size_t digits = 0;
    while (digits < left && ascii_is_digit(text[digits])) {
        digits++;
    }
    if (digits == left || text[digits] != '.' || !ends_word(alg, alg->next + digits + 1)) {
        return 0;
    }
    return digits == 0 || begins_line(alg) ? digits + 1 : 0;
}

// Is this word what a solver counts: turns of faces, quarter turns, or moves in some other metric?
static bool is_metric(const char *word, size_t length)
{
    static const char *const METRICS[] = {"htm", "ftm",  "qtm",   "stm",  "etm",
                                          "btm", "move", "moves", "turn", "turns"};
    if (length == 1) {
        return strchr("fqhsm", *word);
    }
    for (size_t i = 0; i < sizeof METRICS / sizeof *METRICS; i++) {
        if (strlen(METRICS[i]) == length && strncasecmp(METRICS[i], word, length) == 0) {
            return true;
        }
    }
    return false;
}

// Skips a number of moves, such as `21`, `20f*` (optimal) or `18 moves`, and the blanks around it.
// *named tells whether it says what it counts. Returns false, and skips nothing, if there is none.
static bool skip_count(const char **next, const char *end, bool *named)
{
    enum { DIGITS_MOST = 4 };
    const char *begin = skip_blanks(*next, end);
    const char *stop = begin;
    while (stop < end && ascii_is_digit(*stop)) {
        stop++;
    }
    if (stop == begin || stop - begin > DIGITS_MOST) {
        return false;
    }
    begin = skip_blanks(stop, end);
    stop = begin;
    while (stop < end && ((*stop >= 'a' && *stop <= 'z') || (*stop >= 'A' && *stop <= 'Z'))) {
        stop++;
    }
    *named = stop > begin;
    if (*named && !is_metric(begin, (size_t)(stop - begin))) {
        return false;
    }
    *next = skip_blanks(stop + (stop < end && *stop == '*'), end);
    return true;
}

// Can all words of a text be read as moves?
static bool are_moves(const struct alg *alg, const char *next, const char *end)
{
    while (next < end) {
        const char *word = next;
        while (next < end && !is_blank(*next) && *next != ',') {
            next++;
        }
        if (next > word && !is_row_of_moves(alg, word, (size_t)(next - word))) {
            return false;
        }
        next += next < end; // past the blank or comma
    }
    return true;
}

// Measures the note at `next` that solvers print at the end of a line for the number of moves, such
// as `(21f)` or `(12q*, 8f*)`. Only blanks and a comment may follow it. Returns its bytes; 0 if
// there is none, or if it can be read as moves.
static size_t measure_length(const struct alg *alg)
{
    const char *begin = alg->text + alg->next;
    const char *end = alg->text + alg->length;
    const char *next = begin;
    bool several = false;
    bool named;
    if (!alg->names->refuse || next == end || *next != '(') { // only a person types a length
        return 0;
    }
    do { // at the bracket or a comma
        next++;
        if (!skip_count(&next, end, &named) || next == end) {
            return 0;
        }
        several |= *next == ',';
        if (several && !named) { // (1,0) is a turn of Square-1
            return 0;
        }
    } while (*next == ',');
    if (*next != ')' || are_moves(alg, begin + 1, next)) {
        return 0;
    }
    const char *after = skip_blanks(next + 1, end);
    bool is_last = after == end || ascii_ends_line(*after) || ascii_begins_comment(after, end);
    return is_last ? (size_t)(next + 1 - begin) : 0;
}

// Skips a pause, the number of a line, a length, or a comment up to the end of its line. Returns
// false if none of them is at `next`, or if a move is there.
static bool skip_note(struct alg *alg)
{
    size_t move_length; // not needed
    bool comment = ascii_begins_comment(alg->text + alg->next, alg->text + alg->length);
    size_t length = measure_dot(alg);
    if (length == 0) {
        length = measure_length(alg);
    }
    if ((!comment && length == 0) || find_longest_move(alg, &move_length) != ALG_NO) {
        return false;
    }
    alg->next += length;
    while (comment && alg->next < alg->length && !ascii_ends_line(peek_byte(alg))) {
        alg->next++;
    }
    return true;
}

// Skips white space, notes and commas between words. A comma that ends the first half of a
// commutator stays. Returns the next byte, or NUL at the end.
static char skip_space(struct alg *alg)
{
    do {
        while (ascii_is_space(peek_byte(alg)) || (peek_byte(alg) == ',' && !alg->comma_ends)) {
            alg->next++;
        }
    } while (skip_note(alg));
    return peek_byte(alg);
}

// ---- Groups -------------------------------------------------------------------------------------

// Inverts the sequence of the moves from `begin` on: reverses their order, and inverts each.
static void invert_moves(struct alg *alg, size_t begin)
{
    size_t end = alg->count;
    for (size_t i = begin; i < end; i++) {
        end--;
        struct alg_move first = alg->moves[i];
        alg->moves[i] = alg->moves[end];
        alg->moves[end] = first;
    }
    for (size_t i = begin; i < alg->count; i++) {
        alg->moves[i].inverse = !alg->moves[i].inverse;
    }
}

// Appends `copies` copies of the `count` moves from `begin` on. Returns false after an error.
// append_move fails after ALG_MOVES_MOST moves, so a large number of copies takes no long time.
static bool append_copies(struct alg *alg, size_t begin, size_t count, uint64_t copies)
{
    for (uint64_t i = 0; i < copies && count > 0; i++) {
        for (size_t j = 0; j < count; j++) {
            if (!append_move(alg, alg->moves[begin + j])) {
                return false;
            }
        }
    }
    return true;
}

// Reads digits at `next`, if there are some, into *times. Returns false after an error.
static bool read_times(struct alg *alg, uint64_t *times)
{
    if (!ascii_is_digit(peek_byte(alg))) {
        return true;
    }
    size_t digits = ascii_read_number(alg->text + alg->next, alg->length - alg->next, times);
    if (digits == 0) {
        return refuse_byte(alg, "a smaller number");
    }
    alg->next += digits;
    return true;
}

// Reads what may follow the closing bracket of a group, such as the 3' of (R U)3', and applies it
// to the moves of the group, those from `begin` on. The number says how often they are made; the
// mark ' inverts them. The number may come after the mark, unless a move begins with it. Returns
// false after an error.
static bool read_group_suffix(struct alg *alg, size_t begin)
{
    size_t suffix = alg->next;
    uint64_t times = 1;
    size_t length;
    if (!read_times(alg, &times)) {
        return false;
    }
    if (peek_byte(alg) == '\'') {
        alg->next++;
        invert_moves(alg, begin);
        bool is_first = alg->next == suffix + 1; // no number came before the mark
        if (is_first && find_longest_move(alg, &length) == ALG_NO && !read_times(alg, &times)) {
            return false;
        }
    }
    if (!ends_word(alg, alg->next)) {
        return refuse_byte(alg, "a space between moves");
    }
    if (times == 0) { // no moves at all
        alg->count = begin;
        return true;
    }
    return append_copies(alg, begin, alg->count - begin, times - 1); // they are there once
}

// Goes past the next byte, which must be one of `brackets`: it ends a group or its first half. Else
// fails, with a message that `expected` completes.
static bool take_bracket(struct alg *alg, const char *brackets, const char *expected)
{
    char c = skip_space(alg);
    if (c == '\0' || !strchr(brackets, c)) {
        return refuse_byte(alg, expected);
    }
    alg->next++;
    return true;
}

// Appends the inverse of the moves from `begin` to `end`. Returns false after an error.
static bool append_inverse(struct alg *alg, size_t begin, size_t end)
{
    size_t inverse = alg->count;
    if (!append_copies(alg, begin, end - begin, 1)) {
        return false;
    }
    invert_moves(alg, inverse);
    return true;
}

// Reads the rest of `[A: B]` or `[A, B]` after A, which is the moves from `begin` on. Appends all
// that follows A in A B A' or A B A' B'. Returns false after an error.
static bool read_second_half(struct alg *alg, size_t begin)
{
    if (!take_bracket(alg, ":,", "a move, ':' or ','")) {
        return false;
    }
    bool commutator = alg->text[alg->next - 1] == ',';
    size_t middle = alg->count;
    if (!read_moves(alg) || !take_bracket(alg, "]", "a move or ']'")) {
        return false;
    }
    size_t end = alg->count;
    return append_inverse(alg, begin, middle) && (!commutator || append_inverse(alg, middle, end));
}

// Reads a group, or a conjugate or commutator in square brackets, and its suffix
// (read_group_suffix). Fails if too many brackets are open.
static bool read_nested(struct alg *alg, bool is_group)
{
    bool comma_ends = alg->comma_ends; // of the brackets around this one
    size_t begin = alg->count;
    if (alg->nesting == ALG_NESTING_MOST) {
        return error_set(alg->error, FEWEST_BEYOND,
                         "character %zu: brackets are nested more than %d deep", alg->next + 1,
                         ALG_NESTING_MOST);
    }
    alg->nesting++;
    alg->next++;
    alg->comma_ends = !is_group;
    bool done = read_moves(alg) &&
                (is_group ? take_bracket(alg, ")", "a move or ')'") : read_second_half(alg, begin));
    alg->nesting--;
    alg->comma_ends = comma_ends;
    return done && read_group_suffix(alg, begin);
}

// Reads one word or group, which begins with the byte `c`.
static bool read_item(struct alg *alg, char c)
{
    size_t length;
    enum alg_word found = find_longest_move(alg, &length);
    if (found != ALG_NO) {
        return found != ALG_AMBIGUOUS && take_word(alg, length, found);
    }
    switch (c) {
    case '(':
        return read_nested(alg, true);
    case '[':
        return read_nested(alg, false);
    case '\0':
    case ')':
    case ']':
    case ',':
    case ':':
        return refuse_byte(alg, "a move");
    default:
        return take_unknown_word(alg);
    }
}

// Reads moves up to the end of the text, or up to a bracket, comma or colon that the caller takes.
// If one of these begins the name of a move, reads the move and goes on.
static bool read_moves(struct alg *alg)
{
    for (;;) {
        size_t length;
        char c = skip_space(alg);
        if (c == '\0') {
            return true;
        }
        if (strchr(")],:", c) && find_longest_move(alg, &length) == ALG_NO) {
            return true;
        }
        if (!read_item(alg, c)) {
            return false;
        }
    }
}

// ---- Texts --------------------------------------------------------------------------------------

// Returns the bytes of a sign at the start of a text that people and programs write for the mark of
// the inverse ('): a prime, an accent or a quotation mark, in UTF-8. Returns 0 if there is none.
// `left` is the length of the text, at least 1.
static size_t measure_mark(const char *text, size_t left)
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

// Copies the text, and replaces each mark of the inverse by the ASCII one, which is not longer.
bool alg_begin(struct alg *alg, const struct alg_names *names, const char *text, size_t length,
               struct fewest_error *error)
{
    *alg = (struct alg){.names = names, .text = malloc(length + 1), .error = error};
    if (!alg->text) {
        return error_no_memory(error, "for the moves");
    }
    for (size_t i = 0; i < length;) {
        size_t mark = measure_mark(text + i, length - i);
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
