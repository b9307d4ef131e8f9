// Reads the notation for sequences of moves by recursive descent, and writes out its groups.
#include "alg.h"

#include "base/ascii.h"
#include "definition/definition.h"

#include <stdint.h>
#include <string.h>

struct reader {
    const char *text;
    size_t length;
    size_t next; // the byte to read
    unsigned nesting;
    struct alg *alg;
    struct fewest_error *error;
};

static bool read_moves(struct reader *reader);

// Complains about the byte at `at`.
static bool complain(const struct reader *reader, size_t at, const char *expected)
{
    char shown[16];
    return at < reader->length
               ? error_set(reader->error, FEWEST_BAD_INPUT, "character %zu: expected %s, got '%s'",
                           at + 1, expected, escape_text(shown, sizeof shown, reader->text + at, 1))
               : error_set(reader->error, FEWEST_BAD_INPUT,
                           "character %zu: expected %s, but the text ends", at + 1, expected);
}

static bool complain_long(const struct reader *reader)
{
    return error_set(reader->error, FEWEST_BEYOND,
                     "character %zu: without groups, this sequence has more than %d moves, the "
                     "most that is allowed",
                     reader->next + 1, ALG_MOVES_MOST);
}

// The next byte, or NUL at the end.
static char peek(const struct reader *reader)
{
    if (reader->next == reader->length) {
        return '\0';
    }
    return reader->text[reader->next];
}

// The next byte after white space, or NUL at the end.
static char skip_space(struct reader *reader)
{
    while (ascii_is_space(peek(reader))) {
        reader->next++;
    }
    return peek(reader);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

// Skips the bytes of a kind.
static void skip(struct reader *reader, bool (*is_kind)(char))
{
    while (is_kind(peek(reader))) {
        reader->next++;
    }
}

// Reads what may follow a move or a group: how often (1 if the text does not say), and the mark of
// the inverse.
static bool read_times(struct reader *reader, uint64_t *times, bool *inverse)
{
    size_t begun = reader->next;
    *times = 1;
    skip(reader, is_digit);
    if (reader->next > begun &&
        ascii_read_number(reader->text + begun, reader->next - begun, times) == 0) {
        return complain(reader, begun, "a smaller number");
    }
    *inverse = peek(reader) == '\'';
    reader->next += *inverse;
    return ascii_is_space(peek(reader)) || strchr(")],:([", peek(reader)) || // or the end
           complain(reader, reader->next, "a space between moves");
}

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
static bool append(struct reader *reader, size_t begin, size_t count, uint64_t copies)
{
    struct alg *alg = reader->alg;
    if (count > 0 && copies > (ALG_MOVES_MOST - alg->count) / count) {
        return complain_long(reader);
    }
    for (uint64_t c = 0; c < copies && count > 0; c++) {
        memcpy(alg->moves + alg->count, alg->moves + begin, count * sizeof *alg->moves);
        alg->count += count;
    }
    return true;
}

// Reads how often a group stands there, and repeats its moves, from `begin` on.
static bool repeat(struct reader *reader, size_t begin)
{
    struct alg *alg = reader->alg;
    uint64_t times = 0;
    bool inverse = false;
    if (!read_times(reader, &times, &inverse)) {
        return false;
    }
    if (times == 0) {
        alg->count = begin;
        return true;
    }
    if (inverse) {
        invert(alg, begin);
    }
    return append(reader, begin, alg->count - begin, times - 1);
}

static bool read_group(struct reader *reader)
{
    size_t begin = reader->alg->count;
    if (!read_moves(reader)) {
        return false;
    }
    if (skip_space(reader) != ')') {
        return complain(reader, reader->next, "a move or ')'");
    }
    reader->next++;
    return repeat(reader, begin);
}

// Reads `A: B]`, which is A B A', or `A, B]`, which is A B A' B'.
static bool read_bracket(struct reader *reader)
{
    struct alg *alg = reader->alg;
    size_t begin = alg->count;
    if (!read_moves(reader)) {
        return false;
    }
    size_t middle = alg->count;
    char separator = skip_space(reader);
    if (separator != ':' && separator != ',') {
        return complain(reader, reader->next, "a move, ':' or ','");
    }
    reader->next++;
    if (!read_moves(reader)) {
        return false;
    }
    if (skip_space(reader) != ']') {
        return complain(reader, reader->next, "a move or ']'");
    }
    reader->next++;
    size_t end = alg->count;
    if (!append(reader, begin, middle - begin, 1)) {
        return false;
    }
    invert(alg, end);
    if (separator == ',') {
        size_t second = alg->count;
        if (!append(reader, middle, end - middle, 1)) {
            return false;
        }
        invert(alg, second);
    }
    return repeat(reader, begin);
}

// Reads a move: perhaps the numbers of layers, as in `2R` or `2-3Rw`, then letters.
static bool read_move(struct reader *reader)
{
    size_t begun = reader->next;
    skip(reader, is_digit);
    if (reader->next > begun && peek(reader) == '-') {
        reader->next++;
        skip(reader, is_digit);
    }
    size_t letters = reader->next;
    skip(reader, is_letter);
    if (reader->next == letters) {
        return complain(reader, letters, letters > begun ? "the letters of a move" : "a move");
    }
    struct alg_move move = {.name = reader->text + begun, .length = reader->next - begun};
    uint64_t times = 0;
    if (move.length > NAME_LONGEST) {
        return error_set(reader->error, FEWEST_BAD_INPUT,
                         "character %zu: expected a move of at most %d characters", begun + 1,
                         NAME_LONGEST);
    }
    if (!read_times(reader, &times, &move.inverse)) {
        return false;
    }
    if (times > ALG_TIMES_MOST) {
        return error_set(reader->error, FEWEST_BEYOND,
                         "character %zu: a move may stand there at most %d times; shorten the "
                         "number, because moves repeat",
                         begun + 1, ALG_TIMES_MOST);
    }
    move.times = (unsigned)times;
    if (times > 0 && reader->alg->count == ALG_MOVES_MOST) {
        return complain_long(reader);
    }
    if (times > 0) {
        reader->alg->moves[reader->alg->count++] = move;
    }
    return true;
}

// Reads a group, conjugate or commutator after its opening bracket.
static bool read_nested(struct reader *reader, bool (*read)(struct reader *))
{
    if (reader->nesting == ALG_NESTING_MOST) {
        return error_set(reader->error, FEWEST_BEYOND,
                         "character %zu: brackets are nested more than %d deep", reader->next + 1,
                         ALG_NESTING_MOST);
    }
    reader->nesting++;
    reader->next++;
    bool done = read(reader);
    reader->nesting--;
    return done;
}

// Reads moves until the end or a character that can't begin one.
static bool read_moves(struct reader *reader)
{
    for (char c; (c = skip_space(reader)) != '\0' && !strchr(")],:", c);) {
        bool done = c == '('   ? read_nested(reader, read_group)
                    : c == '[' ? read_nested(reader, read_bracket)
                               : read_move(reader);
        if (!done) {
            return false;
        }
    }
    return true;
}

bool alg_read(struct alg *alg, const char *text, size_t length, struct fewest_error *error)
{
    struct reader reader = {.text = text, .length = length, .alg = alg, .error = error};
    alg->count = 0;
    return read_moves(&reader) &&
           (reader.next == length || complain(&reader, reader.next, "a move"));
}
