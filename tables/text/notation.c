// Reads moves as people type them, and applies them.
#include "notation.h"

#include "tables/base/ascii.h"
#include "tables/definition/alg.h"
#include "tables/definition/scramble.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

// The result of the moves so far: the product of their rows if the rules have rows, else the state
// itself.
struct making {
    const struct puzzle *puzzle;
    struct rows rows;
    struct rows turn;     // the product of the rotations
    const uint8_t *begin; // the state before all moves
    uint8_t *state;
    bool is_solved; // the state before all moves is the solved one
    unsigned count; // number of moves made
};

// ---- Words --------------------------------------------------------------------------------------

// Returns the number of the move with this name, of 1 byte at least, or -1.
static int find_move(const struct puzzle *puzzle, const char *name, size_t length)
{
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        const char *other = puzzle->moves[m].name;
        if (other[0] == name[0] && strlen(other) == length && memcmp(other, name, length) == 0) {
            return (int)m;
        }
    }
    return -1;
}

// Finds the transformation that a word of a permutation puzzle means. Tries a name of the
// definition first, then a move that a path may print, and last any power of a name. Fills in
// *named. Returns ALG_NAME for the first two, ALG_POWER for the last, or ALG_NO.
static enum alg_word find_transformation(const struct puzzle *puzzle, const char *word,
                                         size_t length, struct move_word *named)
{
    const struct definition *definition = puzzle->definition;
    const struct listed_move *listed = rows_find_name(definition, word, length);
    *named = (struct move_word){.move = listed, .times = 1, .inverse = false};
    if (named->move) {
        return ALG_NAME;
    }
    int move = find_move(puzzle, word, length);
    if (move >= 0) {
        const struct listed_move *generator =
            definition->generators[puzzle->moves[move].generator].move;
        // The name is that of the move's generator, and no longer one.
        *named = rows_find_power(definition, word, length, strlen(generator->name));
        return ALG_NAME;
    }
    *named = rows_find_power(definition, word, length, length);
    return named->move ? ALG_POWER : ALG_NO;
}

// Finds another way to read a word such as R12, which was read as a name of `name` bytes and a
// number. The other way has a shorter name and a longer number. Numbers that begin with 0 do not
// count, because nobody types them. The result's `move` is NULL if there is no other way.
static struct move_word find_shorter_name(const struct definition *definition, const char *word,
                                          size_t length, size_t name)
{
    struct move_word other;
    do {
        other = rows_find_power(definition, word, length, name - 1);
        name = other.move ? strlen(other.move->name) : 0;
    } while (name > 0 && word[name] == '0');
    return other;
}

// Tells what a word is in a permutation puzzle, for the reader of algs (alg_names.find):
//   - ALG_NAME or ALG_NO, as find_transformation says;
//   - ALG_POWER if it is any other name with a number, the mark of the inverse, or both;
//   - ALG_AMBIGUOUS, with an error, if such a word has two meanings: R12 may be R1 twice
//     or R twelve times. If both mean the same transformation, the word is a power.
// Only a power can have two meanings, because a name comes before all powers.
static enum alg_word classify_word(const void *context, const char *word, size_t length,
                                   struct fewest_error *error)
{
    const struct puzzle *puzzle = context;
    struct move_word named;
    enum alg_word found = find_transformation(puzzle, word, length, &named);
    if (found != ALG_POWER) {
        return found;
    }
    size_t used = strlen(named.move->name);
    struct move_word other = find_shorter_name(puzzle->definition, word, length, used);
    if (!other.move || rows_are_alike(puzzle->definition, &named, &other)) {
        return found;
    }
    error_write(error, FEWEST_BAD_INPUT,
                "'%.*s' can be read in two ways; type (%s)%.*s or (%s)%.*s", (int)length, word,
                named.move->name, (int)(length - used), word + used, other.move->name,
                (int)(length - strlen(other.move->name)), word + strlen(other.move->name));
    return ALG_AMBIGUOUS;
}

// Takes a word of a board apart, such as l, L2, l2' or l'2. A move of a board is a small letter; a
// capital means the same. The word has 1 byte at least. Fills in the power, and returns the number
// of the move, or -1.
static int read_board_word(const struct puzzle *puzzle, const char *word, size_t length,
                           struct move_word *power)
{
    char name = (char)(*word >= 'A' && *word <= 'Z' ? *word - 'A' + 'a' : *word);
    return rows_read_power(word + 1, length - 1, power) ? find_move(puzzle, &name, 1) : -1;
}

// Tells what a word is on a board (alg_names.find).
static enum alg_word classify_board_word(const void *context, const char *word, size_t length,
                                         struct fewest_error *error)
{
    struct move_word power;
    (void)error;
    if (read_board_word(context, word, length, &power) < 0) {
        return ALG_NO;
    }
    return length > 1 ? ALG_POWER : ALG_NAME;
}

// Reports a word that is no move, and lists the moves (alg_names.refuse).
static void refuse_word(const void *context, const char *word, size_t length,
                        struct fewest_error *error)
{
    enum { SHORT = 60 }; // bytes of move names, after which the list ends
    const struct puzzle *puzzle = context;
    char shown[64];
    char names[2 * SHORT]; // a long name at the end may be cut off
    size_t used = 0;
    unsigned m = 0;
    escape_text(shown, sizeof shown, word, length);
    if (puzzle->rules->never_applies_reason) {
        error_write(error, FEWEST_BAD_INPUT, "%s", puzzle->rules->never_applies_reason);
        return;
    }
    for (; m < puzzle->move_count && used < SHORT; m++) {
        used += (size_t)snprintf(names + used, sizeof names - used, " %s", puzzle->moves[m].name);
    }
    error_write(error, FEWEST_BAD_INPUT, "unknown move '%s'; the moves of %s are%s%s%s", shown,
                puzzle->name, names, m < puzzle->move_count ? " ..." : "",
                puzzle->board ? ": the ways that the blank goes" : "");
}

// ---- Moves --------------------------------------------------------------------------------------

// Multiplies making->rows by the transformation that a word means. Returns false if a filter
// forbids the state before or after it.
static bool multiply_by_word(struct making *making, const struct alg_move *move)
{
    const struct puzzle *puzzle = making->puzzle;
    const struct definition *definition = puzzle->definition;
    uint8_t bytes[3 * ROWS_BYTES_MOST];
    struct rows before = rows_in(definition, bytes, 0); // the first rows in `bytes`
    struct rows rows = rows_in(definition, bytes, 1);   // the second ones
    struct move_word named;
    find_transformation(puzzle, move->word, move->length, &named);
    named.inverse ^= move->inverse; // an inverse of an inverse is none
    rows_of_move(definition, &named, &rows);
    rows_copy(definition, &making->rows, &before);
    rows_multiply(definition, &before, &rows, &making->rows);
    if (rows_of_turn(definition, &named, &rows)) {
        struct rows turned = rows_in(definition, bytes, 2);
        rows_multiply(definition, &making->turn, &rows, &turned);
        rows_copy(definition, &turned, &making->turn);
    }
    return !puzzle->filter || (puzzle->filter->permits(puzzle, &before, making->begin) &&
                               puzzle->filter->permits(puzzle, &making->rows, making->begin));
}

// Undoes a move of a board: finds the state `before` from which the move leads to `state`. Looks
// for it among the neighbours of `state`, because some move leads back. Returns false if there is
// none.
static bool undo_move(const struct puzzle *puzzle, unsigned move, const uint8_t *state,
                      uint8_t *before)
{
    uint8_t back[CELLS_MOST];
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        if (puzzle_apply(puzzle, m, state, before) && puzzle_apply(puzzle, move, before, back) &&
            memcmp(back, state, puzzle->cell_count) == 0) {
            return true;
        }
    }
    return false;
}

// Makes the move that a word of a board means, as often as it says, or undoes it. Returns false if
// the move can't be made.
static bool make_board_move(struct making *making, const struct alg_move *move)
{
    const struct puzzle *puzzle = making->puzzle;
    struct move_word word;
    unsigned number = (unsigned)read_board_word(puzzle, move->word, move->length, &word);
    bool is_inverse = word.inverse != move->inverse; // an inverse of an inverse is none
    for (unsigned i = 0; i < word.times; i++) {
        uint8_t moved[CELLS_MOST];
        bool done = is_inverse ? undo_move(puzzle, number, making->state, moved)
                               : puzzle_apply(puzzle, number, making->state, moved);
        if (!done) {
            return false;
        }
        memcpy(making->state, moved, puzzle->cell_count);
    }
    return true;
}

// Reports a move that can't be made.
static bool report_stuck(const struct making *making, const struct alg_move *move,
                         struct fewest_error *error)
{
    const struct rules *rules = making->puzzle->rules;
    char shown[64];
    if (rules->never_applies_reason) {
        return error_set(error, FEWEST_BAD_INPUT, "%s", rules->never_applies_reason);
    }
    return error_set(error, FEWEST_BAD_INPUT, "move %u, %s, is not possible: %s", making->count + 1,
                     escape_text(shown, sizeof shown, move->word, move->length),
                     rules->cannot_be_made_reason);
}

// Makes the moves of a text one after the other. Returns false after an error.
static bool follow_alg(struct making *making, struct alg *alg)
{
    const struct puzzle *puzzle = making->puzzle;
    while (!alg_at_end(alg)) {
        alg->count = 0; // alg_next appends
        if (!alg_next(alg)) {
            return false;
        }
        for (size_t i = 0; i < alg->count; i++) {
            const struct alg_move *move = &alg->moves[i];
            bool made = puzzle->rules->apply_rows ? multiply_by_word(making, move)
                                                  : make_board_move(making, move);
            if (!made) {
                return report_stuck(making, move, alg->error);
            }
            making->count++;
        }
    }
    return true;
}

// Does a generator turn the whole puzzle, so that a state tells how the puzzle lies?
static bool has_turned_generator(const struct definition *definition)
{
    uint8_t bytes[ROWS_BYTES_MOST];
    struct rows turn = rows_in(definition, bytes, 0);
    for (unsigned g = 0; g < definition->generator_count; g++) {
        if (rows_of_turn(definition, &definition->generators[g], &turn) &&
            !rows_are_identity(definition, &turn, false)) {
            return true;
        }
    }
    return false;
}

// Does a rotation take slots whose pieces look alike to such slots, and those whose orientation
// does not count to such slots?
static bool keeps_looks(const struct definition *definition, const struct rows *turn)
{
    for (unsigned s = 0; s < definition->set_count; s++) {
        const struct piece_set *set = &definition->sets[s];
        const uint8_t *solved = definition->solved.piece + set->first;
        const uint8_t *from = turn->piece + set->first;
        for (unsigned i = 0; i < set->pieces; i++) {
            if (definition->orientation_ignored[set->first + i] !=
                definition->orientation_ignored[set->first + from[i]]) {
                return false;
            }
            for (unsigned j = 0; j < i; j++) {
                if ((solved[i] == solved[j]) != (solved[from[i]] == solved[from[j]])) {
                    return false;
                }
            }
        }
    }
    return true;
}

// Undoes the rotations. All words together are MR: R is the product of the rotations, and M the
// rest. Seen after R, M looks like R⁻¹MR: as if the puzzle had first been turned by R⁻¹.
// If the definition forbids that state, they stay.
static void undo_turn(struct making *making)
{
    const struct puzzle *puzzle = making->puzzle;
    const struct definition *definition = puzzle->definition;
    uint8_t bytes[2 * ROWS_BYTES_MOST];
    struct rows inverse = rows_in(definition, bytes, 0);
    struct rows rows = rows_in(definition, bytes, 1);
    rows_invert(definition, &making->turn, &inverse);
    rows_multiply(definition, &inverse, &making->rows, &rows);
    if (!puzzle->filter || puzzle->filter->permits(puzzle, &rows, making->begin)) {
        rows_copy(definition, &rows, &making->rows);
    }
}

// Makes the moves of a text, and fills in making->state, which begins as making->begin. If the
// rules have rows, the moves become one product, which is applied at the end. Else each move is
// made on the state. Returns false after an error.
static bool apply_moves(struct making *making, const char *text, size_t length,
                        struct fewest_error *error)
{
    const struct puzzle *puzzle = making->puzzle;
    const struct rules *rules = puzzle->rules;
    const struct alg_names names = {.context = puzzle,
                                    .find = rules->apply_rows ? classify_word : classify_board_word,
                                    .refuse = refuse_word};
    struct alg alg;
    rows_set_identity(puzzle->definition, &making->rows);
    rows_set_identity(puzzle->definition, &making->turn);
    bool made = alg_begin(&alg, &names, text, length, error) && follow_alg(making, &alg);
    alg_end(&alg);
    if (made && making->is_solved && rules->apply_rows &&
        !rows_are_identity(puzzle->definition, &making->turn, false) &&
        !has_turned_generator(puzzle->definition) &&
        keeps_looks(puzzle->definition, &making->turn)) {
        undo_turn(making);
    }
    return made && (!rules->apply_rows ||
                    rules->apply_rows(puzzle, &making->rows, making->begin, making->state, error));
}

// Fills in the state of a scramble (definition/scramble.h) that gives a state and no moves.
static bool read_state(const struct puzzle *puzzle, const struct rows *rows, uint8_t *state,
                       struct fewest_error *error)
{
    if (!puzzle->rules->read_rows) { // a board: its cells are the pieces
        memcpy(state, rows->piece, puzzle->cell_count);
    } else if (!puzzle->rules->read_rows(puzzle, rows, state)) {
        return error_set(
            error, FEWEST_BAD_INPUT,
            "the scramble differs from `Solved` in pieces or orientations that no move "
            "changes");
    }
    return text_check_state(puzzle, "the scramble", false, state, error);
}

bool notation_apply(const struct puzzle *puzzle, const uint8_t *from, const char *text,
                    size_t length, uint8_t *state, struct fewest_error *error)
{
    uint8_t bytes[2 * ROWS_BYTES_MOST];
    uint8_t begin[CELLS_MOST]; // a copy, because `from` may be `state`
    struct rows rows = rows_in(puzzle->definition, bytes, 0);
    struct rows turn = rows_in(puzzle->definition, bytes, 1);
    struct making making = {.puzzle = puzzle,
                            .rows = rows,
                            .turn = turn,
                            .begin = begin,
                            .state = state,
                            .is_solved = !from};
    memcpy(begin, from ? from : puzzle->goals[0], puzzle->cell_count);
    memcpy(state, begin, puzzle->cell_count);
    if (!scramble_begins(text, length)) {
        return apply_moves(&making, text, length, error);
    }
    struct scramble scramble = {.rows = rows};
    if (!scramble_read(puzzle->definition, text, length, &scramble, error)) {
        error_name_line(error, 0, "the scramble");
        return false;
    }
    if (!scramble.has_moves) {
        return read_state(puzzle, &scramble.rows, state, error);
    }
    return apply_moves(&making, scramble.moves.text, scramble.moves.length, error) &&
           (!scramble.has_no_end ||
            error_set(error, FEWEST_BAD_INPUT, "the scramble: this block has no `End`"));
}

// ---- Writing ------------------------------------------------------------------------------------

// Can a name be read as several moves without spaces, each of one character?
static bool is_joined(const struct puzzle *puzzle, const char *name)
{
    while (*name && find_move(puzzle, name, 1) >= 0) {
        name++;
    }
    return !*name;
}

// Checks that each move is called by one letter, and that no longer name of the definition can be
// read as several such moves.
bool notation_joins(const struct puzzle *puzzle)
{
    const struct definition *definition = puzzle->definition;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        char c = puzzle->moves[m].name[0];
        bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (!letter || puzzle->moves[m].name[1]) {
            return false;
        }
    }
    const struct move_list *const lists[] = {&definition->moves, &definition->others};
    for (unsigned l = 0; l < 2; l++) {
        for (unsigned i = 0; i < lists[l]->count; i++) {
            const char *name = lists[l]->listed[i].name;
            if (name[1] && is_joined(puzzle, name)) {
                return false;
            }
        }
    }
    return true;
}
