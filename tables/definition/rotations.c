// Finds the rotations of the whole puzzle among the moves. They do not count as moves.
//
// A rotation x takes a move U to x U x': the same turn, elsewhere. `Rotation` declares rotations.
// Any other move is a rotation if it has the name of one, takes each `Move` to a listed move or to
// a power of one, and takes some move to another. Sequences need not be taken to moves, because
// they may be anything.
#include "parser.h"
#include "rows.h"
#include "tables/base/row_set.h"

#include <stdlib.h>
#include <string.h>

enum {
    POWERS_MOST = 4096,   // that are computed, of all moves together
    WORK_MOST = 40000000, // slots of all rows that are compared
};

// Moves, their inverses and their other powers.
struct known_powers {
    struct row_set rows;
    unsigned steps; // that computed the powers
};

// The state of a comparison of all moves. A function that returns false has set parser->error.
struct comparison {
    struct parser *parser;
    struct known_powers moves; // of the moves that are no rotations
    struct known_powers moves_and_rotations;
    unsigned work; // slots that were compared
};

bool definition_is_rotation_name(const char *name, size_t length)
{
    size_t capitals = 0; // at the start of the name, `_` included
    while (capitals < length &&
           ((name[capitals] >= 'A' && name[capitals] <= 'Z') || name[capitals] == '_')) {
        capitals++;
    }
    bool is_axis = name[0] >= 'x' && name[0] <= 'z' &&
                   (length == 1 || (length == 2 && (name[1] == '2' || name[1] == '\'')));
    return is_axis || (capitals > 0 && capitals + 1 == length && name[capitals] == 'v');
}

bool parser_read_rotation(struct parser *parser)
{
    unsigned count = parser->declared_count + parser->word_count - 1;
    if (parser->word_count == 1) {
        parser->customary_line = parser->line;
        return true;
    }
    struct declared_rotation *larger = realloc(parser->declared, count * sizeof *larger);
    if (!larger) {
        return parser_no_memory(parser);
    }
    parser->declared = larger;
    for (unsigned i = 1; i < parser->word_count; i++) {
        larger[parser->declared_count++] =
            (struct declared_rotation){parser->words[i], parser->line};
    }
    return true;
}

// ---- Powers -------------------------------------------------------------------------------------

// Returns the rows of a move for a row set (row_set.h), whose rows hold 16-bit numbers: two bytes
// for each slot, as many as both rows have.
static const uint16_t *as_numbers(const struct rows *rows)
{
    return (const uint16_t *)(const void *)rows->piece;
}

// Adds the powers of some rows to the set, but neither the rows themselves nor their inverse.
// *steps counts the powers of all calls, and ends them at POWERS_MOST. Returns false if memory runs
// out.
static bool add_powers(const struct definition *definition, const struct rows *rows,
                       struct row_set *powers, unsigned *steps)
{
    uint16_t room[3 * ROWS_BYTES_MOST / 2];
    struct rows power = rows_in(definition, (uint8_t *)room, 0);
    struct rows next = rows_in(definition, (uint8_t *)room, 1);
    struct rows inverse = rows_in(definition, (uint8_t *)room, 2);
    rows_invert(definition, rows, &inverse);
    rows_copy(definition, rows, &power);
    while (*steps < POWERS_MOST) {
        rows_multiply(definition, &power, rows, &next);
        bool is_last = rows_are_equal(definition, &next, &inverse) ||
                       rows_are_identity(definition, &next, false); // false: all counts
        if (is_last) {
            return true;
        }
        if (row_set_add(powers, as_numbers(&next)) == ROW_NONE) {
            return false;
        }
        rows_copy(definition, &next, &power);
        ++*steps;
    }
    return true;
}

// Adds a move, its inverse and its other powers to those that are known.
static bool add_move(struct parser *parser, const struct listed_move *move,
                     struct known_powers *known)
{
    const struct definition *definition = parser->definition;
    uint16_t room[ROWS_BYTES_MOST / 2];
    struct rows inverse = rows_in(definition, (uint8_t *)room, 0);
    rows_invert(definition, &move->rows, &inverse);
    if (row_set_add(&known->rows, as_numbers(&move->rows)) == ROW_NONE ||
        row_set_add(&known->rows, as_numbers(&inverse)) == ROW_NONE ||
        !add_powers(definition, &move->rows, &known->rows, &known->steps)) {
        return parser_no_memory(parser);
    }
    return true;
}

bool definition_list_powers(const struct definition *definition, struct row_set *powers)
{
    unsigned steps = 0;
    row_set_open(powers, definition->piece_count);
    for (unsigned m = 0; m < definition->moves.count; m++) {
        if (!add_powers(definition, &definition->moves.listed[m].rows, powers, &steps)) {
            return false;
        }
    }
    return true;
}

bool definition_has_power(const struct definition *definition, const struct row_set *powers,
                          const struct move_word *word)
{
    uint16_t room[ROWS_BYTES_MOST / 2];
    struct rows rows = rows_in(definition, (uint8_t *)room, 0);
    rows_of_move(definition, word, &rows);
    return row_set_find(powers, as_numbers(&rows)) != ROW_NONE;
}

// ---- Comparing ----------------------------------------------------------------------------------

// Where a rotation takes the moves that are no rotations.
struct effect {
    const struct listed_move *lost;    // a `Move` that it takes to no move, or NULL
    const struct listed_move *rotated; // the last `Move` that it takes to a rotation, or NULL
    bool moves_some;                   // it takes some move to another
};

// Fills in what a rotation x does to the moves that are no rotations, up to the first `lost` one.
// It takes a move U to x U x', which is looked up among the moves and their powers. Returns false
// after an error.
static bool find_effect(struct comparison *comparison, const struct listed_move *rotation,
                        struct effect *effect)
{
    const struct definition *definition = comparison->parser->definition;
    uint16_t room[3 * ROWS_BYTES_MOST / 2];
    struct rows inverse = rows_in(definition, (uint8_t *)room, 0);
    struct rows half = rows_in(definition, (uint8_t *)room, 1);
    struct rows image = rows_in(definition, (uint8_t *)room, 2);
    *effect = (struct effect){.lost = NULL, .rotated = NULL, .moves_some = false};
    rows_invert(definition, &rotation->rows, &inverse);
    for (unsigned m = 0; m < definition->moves.count && !effect->lost; m++) {
        const struct listed_move *move = &definition->moves.listed[m];
        if (move->is_rotation) {
            continue;
        }
        comparison->work += definition->piece_count;
        if (comparison->work > WORK_MOST) {
            return error_set_line(comparison->parser->error, FEWEST_BEYOND, rotation->line,
                                  "too many moves may be rotations: comparing them with all others "
                                  "takes too long; give moves such as %s other names",
                                  rotation->name);
        }
        rows_multiply(definition, &rotation->rows, &move->rows, &half);
        rows_multiply(definition, &half, &inverse, &image);
        if (row_set_find(&comparison->moves.rows, as_numbers(&image)) != ROW_NONE) {
            effect->moves_some |= !rows_are_equal(definition, &image, &move->rows);
        } else if (move->is_sequence) {
            continue; // it need not be taken to a move
        } else if (row_set_find(&comparison->moves_and_rotations.rows, as_numbers(&image)) !=
                   ROW_NONE) {
            effect->rotated = move;
        } else {
            effect->lost = move;
        }
    }
    return true;
}

// Marks the moves that `Rotation` lines name as rotations. Returns false after a complaint.
static bool mark_declared(struct parser *parser)
{
    struct definition *definition = parser->definition;
    char shown[ESCAPED_WORD];
    for (unsigned d = 0; d < parser->declared_count; d++) {
        struct word name = parser->declared[d].name;
        // An entry of our own lists.
        struct listed_move *move =
            (struct listed_move *)rows_find_name(definition, name.text, name.length);
        parser->line = parser->declared[d].line; // for messages
        if (!move) {
            return parser_complain_no_name(parser, name);
        }
        if (!rows_is_listed(&definition->moves, move)) {
            return parser_complain(parser,
                                   "%s is an alias; `Rotation` names a `Move` or a `MoveSequence`",
                                   word_escape(shown, name));
        }
        if (move->rotation_line > 0) {
            (void)parser_complain(parser, "%s appears twice in `Rotation` (first on ", move->name);
            return error_add_line(parser->error, move->rotation_line, ")");
        }
        move->is_rotation = true;
        move->rotation_line = parser->line;
    }
    return true;
}

// Finds undeclared rotations that are none, and makes them moves, all at once: those that take a
// `Move` to no move, or no move to another. With `strict`, also those that take a `Move` to a
// rotation. *changed tells whether there are any. Returns false after an error.
static bool refute_rotations(struct comparison *comparison, bool strict, bool *changed)
{
    struct move_list *moves = &comparison->parser->definition->moves;
    bool refuted[LISTED_MOVES_MOST] = {false};
    *changed = false;
    for (unsigned m = 0; m < moves->count; m++) {
        const struct listed_move *move = &moves->listed[m];
        struct effect effect;
        if (!move->is_rotation || move->rotation_line > 0) {
            continue;
        }
        if (!find_effect(comparison, move, &effect)) {
            return false;
        }
        refuted[m] = effect.lost || (effect.rotated ? strict : !effect.moves_some);
    }
    for (unsigned m = 0; m < moves->count; m++) {
        if (refuted[m]) {
            *changed = true;
            moves->listed[m].is_rotation = false;
            if (!add_move(comparison->parser, &moves->listed[m], &comparison->moves)) {
                return false;
            }
        }
    }
    return true;
}

// Complains about a declared rotation that takes some `Move` to no move.
static bool check_declared(struct comparison *comparison)
{
    struct parser *parser = comparison->parser;
    const struct move_list *moves = &parser->definition->moves;
    for (unsigned m = 0; m < moves->count; m++) {
        const struct listed_move *move = &moves->listed[m];
        struct effect effect;
        if (move->rotation_line == 0) {
            continue;
        }
        if (!find_effect(comparison, move, &effect)) {
            return false;
        }
        // A rotation is no move, so a `Move` that becomes one is lost.
        const struct listed_move *lost = effect.lost ? effect.lost : effect.rotated;
        if (lost) {
            parser->line = move->rotation_line;
            return parser_complain(
                parser,
                "%s is no rotation, because (%s %s %s') is neither a move nor a power "
                "of one; remove it here, or list that move",
                move->name, move->name, lost->name, move->name);
        }
    }
    return true;
}

// Decides which undeclared rotations stay rotations: only those that take moves to moves. Each
// round makes moves of some others, so the next round has more moves to compare with. A rotation
// that takes a move to another rotation waits for a `strict` round, when no round before changed
// anything, because the other one may become a move.
static bool compare_rotations(struct comparison *comparison)
{
    const struct move_list *moves = &comparison->parser->definition->moves;
    for (unsigned m = 0; m < moves->count; m++) {
        const struct listed_move *move = &moves->listed[m];
        if (!add_move(comparison->parser, move, &comparison->moves_and_rotations) ||
            (!move->is_rotation && !add_move(comparison->parser, move, &comparison->moves))) {
            return false;
        }
    }
    bool strict = false;
    bool changed = true;
    while (changed || !strict) {
        strict = !changed;
        if (!refute_rotations(comparison, strict, &changed)) {
            return false;
        }
    }
    return check_declared(comparison);
}

// Moves the `count` rotations from the list of moves to the list of the others. Complains if no
// move is left.
static bool separate_rotations(struct parser *parser, unsigned count)
{
    struct move_list *moves = &parser->definition->moves;
    struct move_list *others = &parser->definition->others;
    struct listed_move *larger = realloc(others->listed, (others->count + count) * sizeof *larger);
    unsigned kept = 0;
    if (!larger) {
        return parser_no_memory(parser);
    }
    others->listed = larger;
    for (unsigned m = 0; m < moves->count; m++) {
        if (moves->listed[m].is_rotation) {
            larger[others->count++] = moves->listed[m];
        } else {
            moves->listed[kept++] = moves->listed[m];
        }
    }
    moves->count = kept;
    if (kept == 0) {
        parser->line = larger[others->count - 1].rotation_line;
        return parser_complain(parser,
                               "the definition has no move, because all of them are rotations");
    }
    return true;
}

// Declares all rotations, for a `Rotation` line without names.
static void declare_all(struct move_list *moves, unsigned line)
{
    for (unsigned m = 0; m < moves->count; m++) {
        if (moves->listed[m].is_rotation && moves->listed[m].rotation_line == 0) {
            moves->listed[m].rotation_line = line;
        }
    }
}

static unsigned count_rotations(const struct move_list *moves)
{
    unsigned count = 0;
    for (unsigned m = 0; m < moves->count; m++) {
        count += moves->listed[m].is_rotation;
    }
    return count;
}

bool parser_find_rotations(struct parser *parser)
{
    struct move_list *moves = &parser->definition->moves;
    struct comparison comparison = {.parser = parser};
    if (!mark_declared(parser)) {
        return false;
    }
    if (count_rotations(moves) == 0) {
        return true;
    }
    row_set_open(&comparison.moves.rows, parser->definition->piece_count);
    row_set_open(&comparison.moves_and_rotations.rows, parser->definition->piece_count);
    bool done = compare_rotations(&comparison);
    row_set_close(&comparison.moves.rows);
    row_set_close(&comparison.moves_and_rotations.rows);
    declare_all(moves, parser->customary_line);
    unsigned count = count_rotations(moves);
    return done && (count == 0 || separate_rotations(parser, count));
}
