// Reads moves as people type them, and applies them.
#include "text/notation.h"

#include "definition/rows.h"

#include <stdio.h>
#include <string.h>

// The result of the moves so far: the product of their rows if the rules have rows, else the state
// itself.
struct making {
    const struct puzzle *puzzle;
    struct rows rows;
    struct rows before; // the product before the last move
    struct rows move;
    const uint8_t *begin; // the state before all moves
    uint8_t *state;
    unsigned count;      // number of moves made
    const char *stuck;   // a move of the current word that can't be made
    size_t stuck_length; // 0: there is none
};

// Is the last move possible: are the states before and after it legal?
static bool is_possible(const struct making *making)
{
    const struct puzzle *puzzle = making->puzzle;
    return !puzzle->forbids_states ||
           (puzzle->rules->rows_are_legal(puzzle, &making->before, making->begin) &&
            puzzle->rules->rows_are_legal(puzzle, &making->rows, making->begin));
}

// Multiplies by the rows of a move, rotation or sequence. False if none has this name, or it can't
// be made.
static bool multiply_by_word(struct making *making, const char *word, size_t length)
{
    const struct definition *definition = making->puzzle->definition;
    struct move_word named = rows_find_move(definition, word, length);
    if (!named.move) {
        return false;
    }
    rows_of_move(definition, &named, &making->move);
    rows_copy(definition, &making->rows, &making->before);
    rows_multiply(definition, &making->before, &making->move, &making->rows);
    if (!is_possible(making)) {
        making->stuck = word;
        making->stuck_length = length;
        return false;
    }
    making->count++;
    return true;
}

// Makes a move. False if there is no such move, or it can't be made.
static bool make_move(struct making *making, const char *word, size_t length)
{
    const struct puzzle *puzzle = making->puzzle;
    for (unsigned m = 0; m < puzzle->move_count && length > 0; m++) {
        uint8_t moved[CELLS_MOST];
        const char *name = puzzle->moves[m].name;
        if (strlen(name) != length || memcmp(name, word, length) != 0) {
            continue;
        }
        if (!puzzle_apply(puzzle, m, making->state, moved)) {
            making->stuck = name;
            making->stuck_length = length;
            return false;
        }
        memcpy(making->state, moved, puzzle->cell_count);
        making->count++;
        return true;
    }
    return false;
}

static bool make_word(struct making *making, const char *word, size_t length)
{
    return making->puzzle->rules->apply_rows ? multiply_by_word(making, word, length)
                                             : make_move(making, word, length);
}

// A word that is not a name may be a row of one-character names.
static bool make_letters(struct making *making, const char *word, size_t length)
{
    bool made = length > 1;
    for (size_t i = 0; i < length && made; i++) {
        made = make_word(making, word + i, 1);
    }
    return made;
}

// Reports a word that is not a move, or a move that can't be made.
static bool report_bad_word(const struct making *making, const char *word, size_t length,
                            struct fewest_error *error)
{
    enum { SHORT = 60 };
    const struct puzzle *puzzle = making->puzzle;
    char shown[64];
    char names[2 * SHORT];
    size_t used = 0;
    unsigned m = 0;
    if (puzzle->rules->never_applies) {
        return error_set(error, FEWEST_BAD_INPUT, "%s", puzzle->rules->never_applies);
    }
    if (making->stuck_length > 0) {
        return error_set(error, FEWEST_BAD_INPUT, "move %u, %s, is not possible: %s",
                         making->count + 1,
                         escape_text(shown, sizeof shown, making->stuck, making->stuck_length),
                         puzzle->rules->cannot_be_made);
    }
    for (; m < puzzle->move_count && used < SHORT; m++) {
        used += (size_t)snprintf(names + used, sizeof names - used, " %s", puzzle->moves[m].name);
    }
    return error_set(error, FEWEST_BAD_INPUT, "unknown move '%s'; the moves of %s are%s%s",
                     escape_text(shown, sizeof shown, word, length), puzzle->name, names,
                     m < puzzle->move_count ? " ..." : "");
}

bool notation_apply(const struct puzzle *puzzle, const uint8_t *from, const char *text,
                    size_t length, uint8_t *state, struct fewest_error *error)
{
    uint8_t bytes[3 * ROWS_BYTES_MOST];
    struct making making = {.puzzle = puzzle,
                            .rows = rows_in(puzzle->definition, bytes, 0),
                            .before = rows_in(puzzle->definition, bytes, 1),
                            .move = rows_in(puzzle->definition, bytes, 2),
                            .state = state};
    const char *end = text + length;
    const char *word;
    size_t word_length;
    uint8_t begin[CELLS_MOST];
    making.begin = begin;
    memcpy(begin, from ? from : puzzle->goals[0], puzzle->cell_count);
    memcpy(state, begin, puzzle->cell_count);
    rows_set_identity(puzzle->definition, &making.rows);
    while (rows_next_move(&text, end, &word, &word_length)) {
        making.stuck_length = 0;
        bool made = make_word(&making, word, word_length);
        if (!made && making.stuck_length == 0) {
            made = make_letters(&making, word, word_length);
        }
        if (!made) {
            return report_bad_word(&making, word, word_length, error);
        }
    }
    return !puzzle->rules->apply_rows ||
           puzzle->rules->apply_rows(puzzle, &making.rows, begin, state, error);
}
