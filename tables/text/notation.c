// Reads moves as people type them, and applies them.
#include "text/notation.h"

#include "definition/rows.h"

#include <stdio.h>
#include <string.h>

// The result of the moves so far: the product of their rows for a permutation puzzle, the state
// itself for others.
struct making {
    const struct puzzle *puzzle;
    struct rows rows;
    uint8_t from[CELLS_MOST];
    uint8_t *state;
    unsigned count;    // of the moves that have been made
    const char *stuck; // a move of the word at hand that can't be made where it was to be
};

// False where there is no such move, or it can't be made.
static bool make_word(struct making *making, const char *word, size_t length)
{
    const struct puzzle *puzzle = making->puzzle;
    if (puzzle->kind == KIND_PERMUTATION) {
        struct rows before = making->rows;
        struct rows move;
        struct move_word named = rows_find_move(puzzle->definition, word, length);
        if (!named.move) {
            return false;
        }
        rows_of_move(puzzle->definition, &named, &move);
        rows_multiply(puzzle->definition, &before, &move, &making->rows);
        return true;
    }
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        uint8_t moved[CELLS_MOST];
        const char *name = puzzle->moves[m].name;
        if (strlen(name) == length && memcmp(name, word, length) == 0) {
            if (!puzzle_apply(puzzle, m, making->state, moved)) {
                making->stuck = name;
                return false;
            }
            memcpy(making->state, moved, puzzle->cell_count);
            making->count++;
            return true;
        }
    }
    return false;
}

// A word that is no name may be a row of names of one character.
static bool make_letters(struct making *making, const char *word, size_t length)
{
    bool made = length > 1;
    for (size_t i = 0; i < length && made; i++) {
        made = make_word(making, word + i, 1);
    }
    return made;
}

// Does the orientation of the piece that stood in this slot of a set, whose pieces have cells, not count?
static bool is_ignored(const struct making *making, unsigned s, unsigned slot)
{
    const struct definition *definition = making->puzzle->definition;
    const uint8_t *solved = making->puzzle->goals[0] + making->puzzle->set_cells[s].pieces;
    uint8_t piece = making->from[(unsigned)making->puzzle->set_cells[s].pieces + slot];
    unsigned home = 0;
    while (home + 1 < definition->sets[s].pieces && solved[home] != piece) {
        home++;
    }
    return definition->orientation_ignored[definition->sets[s].first + home];
}

// Does slot i of a set look as it did when it was solved, as far as the set has no cells for it? Where pieces have
// cells, their orientations go with them; where nothing has, another piece may stand there that looks alike.
static bool looks_solved(const struct making *making, unsigned s, unsigned i)
{
    const struct definition *definition = making->puzzle->definition;
    const struct piece_set *set = &definition->sets[s];
    struct set_cells cells = making->puzzle->set_cells[s];
    unsigned slot = set->first + i;
    unsigned from = set->first + making->rows.piece[slot];
    unsigned turn = making->rows.orientation[slot];
    if (cells.pieces >= 0) {
        return cells.orientations >= 0 || turn == 0 || is_ignored(making, s, from - set->first);
    }
    if (definition->solved.piece[from] != definition->solved.piece[slot]) {
        return false;
    }
    return cells.orientations >= 0 || definition->orientation_ignored[slot] ||
           (definition->solved.orientation[from] + turn) % set->orientations == definition->solved.orientation[slot];
}

// Copies the rows of a set to its cells. Rows without cells must look solved, so nothing is lost.
static bool apply_to_set(const struct making *making, unsigned s)
{
    const struct puzzle *puzzle = making->puzzle;
    const struct piece_set *set = &puzzle->definition->sets[s];
    struct set_cells cells = puzzle->set_cells[s];
    bool kept = true;
    for (unsigned i = 0; i < set->pieces; i++) {
        unsigned from = making->rows.piece[set->first + i];
        if (cells.pieces >= 0) {
            making->state[(unsigned)cells.pieces + i] = making->from[(unsigned)cells.pieces + from];
        }
        if (cells.orientations >= 0) {
            unsigned before = making->from[(unsigned)cells.orientations + from];
            unsigned turn = making->rows.orientation[set->first + i];
            making->state[(unsigned)cells.orientations + i] = (uint8_t)((before + turn) % set->orientations);
        }
        kept = kept && looks_solved(making, s, i);
    }
    return kept || (set->tracked && set->tracked_count == 0);
}

static bool apply_rows(const struct making *making, struct fewest_error *error)
{
    const struct puzzle *puzzle = making->puzzle;
    for (unsigned s = 0; s < puzzle->definition->set_count; s++) {
        if (!apply_to_set(making, s)) {
            return error_set(error, FEWEST_BAD_INPUT,
                             "these moves leave set %s rotated; add the rotation that turns it back",
                             puzzle->definition->sets[s].name);
        }
    }
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        if (puzzle->segments[s].kind == SEGMENT_ORIENTATION) {
            puzzle_forget_ignored(&puzzle->segments[s], making->state);
        }
    }
    return true;
}

// A word that is no move, or a move that can't be made.
static bool report_bad_word(const struct making *making, const char *word, size_t length, struct fewest_error *error)
{
    enum { SHORT = 60 };
    const struct puzzle *puzzle = making->puzzle;
    char shown[64];
    char names[2 * SHORT];
    size_t used = 0;
    unsigned m = 0;
    if (puzzle->kind == KIND_ROLL) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "moves can't be applied to rolling cubes: the tops alone do not determine the result");
    }
    if (making->stuck) {
        return error_set(error, FEWEST_BAD_INPUT, "move %u, %s, is not possible: the blank is at the edge",
                         making->count + 1, making->stuck);
    }
    for (; m < puzzle->move_count && used < SHORT; m++) {
        used += (size_t)snprintf(names + used, sizeof names - used, " %s", puzzle->moves[m].name);
    }
    return error_set(error, FEWEST_BAD_INPUT, "unknown move '%s'; the moves of %s are%s%s",
                     escape_text(shown, sizeof shown, word, length), puzzle->name, names,
                     m < puzzle->move_count ? " ..." : "");
}

bool notation_read(const struct puzzle *puzzle, const uint8_t *from, const char *text, size_t length, uint8_t *state,
                   struct fewest_error *error)
{
    struct making making = {.puzzle = puzzle, .state = state};
    const char *end = text + length;
    const char *word;
    size_t word_length;
    memcpy(making.from, from ? from : puzzle->goals[0], puzzle->cell_count);
    memcpy(state, making.from, puzzle->cell_count);
    rows_set_identity(puzzle->definition, &making.rows);
    while (rows_next_move(&text, end, &word, &word_length)) {
        making.stuck = NULL;
        if (!make_word(&making, word, word_length) && !make_letters(&making, word, word_length)) {
            return report_bad_word(&making, word, word_length, error);
        }
    }
    return puzzle->kind != KIND_PERMUTATION || apply_rows(&making, error);
}
