// Reads the rows of numbers in blocks such as `Solved`, `Goal` and `Move`, up to their `End`.
#include "parser.h"
#include "rows.h"
#include "tables/base/ascii.h"

#include <string.h>

// Returns the number of the first slot and of the first piece in this block, 0 or 1.
static unsigned find_least_number(const struct parser *parser)
{
    return parser->keyword->from_zero ? 0 : 1;
}

// ---- Cycles -------------------------------------------------------------------------------------
// (1 2 3) takes the piece of slot 1 to slot 2, that of slot 2 to slot 3, and that of slot 3 to slot
// 1. A slot that no cycle names keeps its piece.

// Does this byte end the number of a slot before it?
static bool ends_slot(char c)
{
    return ascii_is_space(c) || c == ',' || c == '(' || c == ')';
}

// Reads a slot of a cycle. *slot counts from 0. A slot may appear once in all cycles: named[i]
// tells whether slot i has appeared, and this sets it.
static bool read_slot(struct parser *parser, struct word word, struct expected_number expected,
                      bool named[PIECES_OF_SET_MOST], unsigned *slot)
{
    if (!parser_read_number(parser, word, expected, slot)) {
        return false;
    }
    *slot -= expected.least;
    if (named[*slot]) {
        return parser_complain(parser, "slot %u appears twice in the cycles",
                               *slot + expected.least);
    }
    named[*slot] = true;
    return true;
}

// Reads one cycle, from *next, which is after its `(`, to the byte after its `)`. In the row, each
// slot gets the piece of the slot before it in the cycle, and the first slot that of the last.
static bool read_cycle(struct parser *parser, struct expected_number expected, const char **next,
                       const char *end, bool named[PIECES_OF_SET_MOST], uint8_t *row)
{
    unsigned count = 0; // of slots so far
    unsigned first = 0;
    unsigned slot = 0;
    while (*next < end) {
        struct word word = {*next, 1};
        ++*next;
        if (ascii_is_space(*word.text) || *word.text == ',') {
            continue;
        }
        if (*word.text == ')') {
            if (count > 0) {
                row[first] = (uint8_t)slot;
            }
            return true;
        }
        while (*next < end && !ends_slot(**next)) {
            ++*next;
        }
        unsigned before = slot;
        word.length = (size_t)(*next - word.text);
        if (!read_slot(parser, word, expected, named, &slot)) {
            return false;
        }
        if (count == 0) {
            first = slot;
        } else {
            row[slot] = (uint8_t)before;
        }
        count++;
    }
    return parser_complain(parser, "this cycle has no `)`");
}

// Reads a row of pieces that is written as cycles: `(1 2 3)(4 5)`.
static bool read_cycles(struct parser *parser, const struct piece_set *set, uint8_t *row)
{
    unsigned least = find_least_number(parser);
    const struct word line = parser_rest(parser, 0);
    const char *end = line.text + line.length;
    const struct expected_number expected = {"a slot", least, least + set->pieces - 1, false};
    bool named[PIECES_OF_SET_MOST] = {false}; // by slot, counted from 0
    char shown[ESCAPED_WORD];
    const char *next = line.text;
    for (unsigned i = 0; i < set->pieces; i++) {
        row[i] = (uint8_t)i;
    }
    while (next < end) {
        if (ascii_is_space(*next) || *next == ',') {
            next++;
            continue;
        }
        if (*next != '(') {
            return parser_complain(parser,
                                   "expected `(` or the end of the line after a cycle, got '%s'",
                                   escape_text(shown, sizeof shown, next, (size_t)(end - next)));
        }
        next++;
        if (!read_cycle(parser, expected, &next, end, named, row)) {
            return false;
        }
    }
    return true;
}

// ---- Pieces -------------------------------------------------------------------------------------

// Numbers the pieces of a set in the solved state from 0 without gaps, in the order of the numbers
// that the text has for them, from `least` on. The row holds these numbers, less `least`, and gets
// the pieces. Also fills in set->piece_of: by number, the piece, counted from 1.
static void number_pieces(struct piece_set *set, unsigned least, uint8_t *row)
{
    uint8_t *piece_of = set->piece_of;
    uint8_t count = 0;
    memset(piece_of, 0, sizeof set->piece_of);
    for (unsigned i = 0; i < set->pieces; i++) {
        piece_of[row[i] + least] = 1; // this number appears
    }
    for (unsigned number = 0; number <= PIECES_OF_SET_MOST; number++) {
        if (piece_of[number] > 0) {
            count++;
            piece_of[number] = count;
        }
    }
    for (unsigned i = 0; i < set->pieces; i++) {
        row[i] = (uint8_t)(piece_of[row[i] + least] - 1);
    }
}

// ---- Boards -------------------------------------------------------------------------------------

enum { ANY_TILE = PIECES_OF_SET_MOST }; // stands for `*` in a row of `Solved`

// May this word stand for the blank of a board?
static bool is_blank(struct word word)
{
    return word.length == 1 && ascii_is_blank(word.text[0]);
}

// Finds a piece that stands for `*` in a goal: one that `*` in `Solved` has left out.
static bool find_any_tile(struct parser *parser, const struct piece_set *set, unsigned *piece)
{
    const uint8_t *kept = parser->definition->projection.piece;
    for (unsigned number = 1; number < set->pieces && kept; number++) {
        *piece = set->piece_of[number] - 1u;
        if (set->piece_of[number] > 0 && kept[*piece] == KEPT_NOTHING) {
            return true;
        }
    }
    return parser_complain(parser, "`*` can stand here only if `Solved` has a `*`");
}

// Reads a cell of `Solved`: a number, or `*` for a tile that does not count. `row` has the `count`
// cells before it.
static bool read_solved_cell(struct parser *parser, const uint8_t *row, unsigned count,
                             struct word word, unsigned *cell)
{
    const struct piece_set *set = &parser->definition->sets[0];
    const struct expected_number expected = {"a piece", 0, set->pieces - 1, false};
    *cell = ANY_TILE;
    if (word_is(word, "*")) {
        return true;
    }
    *cell = 0;
    if (!is_blank(word) && !parser_read_number(parser, word, expected, cell)) {
        return false;
    }
    return *cell > 0 || !memchr(row, 0, count) ||
           parser_complain(parser, "the blank, 0, appears twice; expected it once");
}

// Reads a cell of a goal or a scramble: a number of the solved state, or `*`. `row` has the `count`
// cells before it, as pieces. Each piece is there as often as in the solved state.
static bool read_piece_cell(struct parser *parser, const uint8_t *row, unsigned count,
                            struct word word, unsigned *piece)
{
    const struct definition *definition = parser->definition;
    const struct piece_set *set = &definition->sets[0];
    const struct expected_number expected = {"a piece", 0, set->pieces - 1, false};
    unsigned number = 0;
    unsigned before = 0; // how often it has appeared
    unsigned amount = 0;
    bool is_any = word_is(word, "*");
    bool is_read = is_blank(word) || is_any || parser_read_number(parser, word, expected, &number);
    if (!is_read || !(is_any ? find_any_tile(parser, set, piece)
                             : parser_find_piece(parser, set, number, piece))) {
        return false;
    }
    *piece = set->tracked ? set->colour_of[*piece] : *piece;
    for (unsigned i = 0; i < set->pieces; i++) {
        before += i < count && row[i] == *piece;
        amount += definition->solved.piece[i] == *piece;
    }
    return before < amount ||
           parser_complain(parser, "piece %.*s appears more often than in `Solved`",
                           (int)word.length, word.text);
}

// Reads a cell of a board. `row` has the `count` cells before it.
static bool read_cell(struct parser *parser, const uint8_t *row, unsigned count, struct word word,
                      unsigned *cell)
{
    const struct board_keyword *board = parser->definition->board;
    if (board->colours > 0) {
        const struct expected_number expected = {"a number", 0, board->colours, false};
        *cell = 0;
        return is_blank(word) || parser_read_number(parser, word, expected, cell);
    }
    return parser->keyword->kind == KIND_SOLVED ? read_solved_cell(parser, row, count, word, cell)
                                                : read_piece_cell(parser, row, count, word, cell);
}

// Adds a goal for each other cell that has a `*` in `Solved`: the blank is there, and not in cell
// `blank`.
static bool add_blank_goals(struct parser *parser, const bool *is_any, unsigned blank)
{
    struct definition *definition = parser->definition;
    for (unsigned cell = 0; cell < blank; cell++) { // the blank is in the last such cell
        struct rows *goal = &definition->goals[definition->goal_count];
        if (!is_any[cell]) {
            continue;
        }
        definition->goal_lines[definition->goal_count++] = parser->line;
        if (!rows_make(definition, goal)) {
            return parser_no_memory(parser);
        }
        rows_copy(definition, &definition->solved, goal);
        goal->piece[blank] = goal->piece[cell];
        goal->piece[cell] = 0;
    }
    return true;
}

// Gives each `*` of a row one of the numbers that no tile has. Without a blank, the last `*`
// becomes the blank: returns its cell. Else returns 0.
static unsigned number_any(const struct piece_set *set, const bool *is_tracked, uint8_t *row)
{
    unsigned number = 1;
    unsigned blank = 0;
    for (unsigned i = 0; i < set->pieces && !is_tracked[0]; i++) {
        blank = row[i] == ANY_TILE ? i : blank;
    }
    for (unsigned i = 0; i < set->pieces; i++) {
        if (row[i] != ANY_TILE) {
            continue;
        }
        while (is_tracked[number]) {
            number++;
        }
        row[i] = (uint8_t)(!is_tracked[0] && i == blank ? 0 : number++);
    }
    return blank;
}

// Makes the solved state of a board from the numbers of its cells. If there is a `*`, the other
// tiles are tracked. If there is a `*` and no blank, the blank may be wherever a `*` is.
static bool make_solved(struct parser *parser, struct piece_set *set, uint8_t *row)
{
    bool is_tracked[PIECES_OF_SET_MOST + 1] = {false}; // by number
    bool is_any[PIECES_OF_SET_MOST] = {false};         // by cell
    for (unsigned i = 0; i < set->pieces; i++) {
        is_tracked[row[i]] = true;
        is_any[i] = row[i] == ANY_TILE;
    }
    bool has_blank = is_tracked[0];
    if (!has_blank && !is_tracked[ANY_TILE]) {
        return parser_complain(parser, "no cell is the blank; expected one 0");
    }
    unsigned blank = number_any(set, is_tracked, row);
    number_pieces(set, 0, row);
    if (!is_tracked[ANY_TILE]) {
        return true;
    }
    is_tracked[0] = true;
    return parser_track_numbers(parser, is_tracked) &&
           (has_blank || add_blank_goals(parser, is_any, blank));
}

// Finishes a row of a board, all of whose cells have been read.
static bool finish_cells(struct parser *parser, struct piece_set *set, uint8_t *row)
{
    const struct board_keyword *board = parser->definition->board;
    char fault[CELLS_FAULT];
    if (board->colours > 0) {
        return board->check_cells(row, set->pieces, fault) || parser_complain(parser, "%s", fault);
    }
    return parser->keyword->kind != KIND_SOLVED || make_solved(parser, set, row);
}

// Reads a line with cells of a board, and appends them to rows->piece. *count is the number of
// cells so far, and grows. The blank is 0, x, X, _ or `.`. After all cells, one more line may have
// their orientations, all 0, which are skipped.
static bool read_cells(struct parser *parser, struct piece_set *set, unsigned *count,
                       struct rows *rows)
{
    bool was_full = *count == set->pieces;
    for (unsigned i = 0; i < parser->word_count; i++) {
        struct word word = parser->words[i];
        unsigned cell;
        if (was_full && word_is(word, "0") && parser->word_count == set->pieces) {
            continue; // this is an orientation
        }
        if (*count == set->pieces) {
            return parser_complain(
                parser, "expected only %u cells, one for each place of the board", set->pieces);
        }
        if (!read_cell(parser, rows->piece, *count, word, &cell)) {
            return false;
        }
        rows->piece[(*count)++] = (uint8_t)cell;
    }
    return was_full || *count < set->pieces || finish_cells(parser, set, rows->piece);
}

// ---- Rows ---------------------------------------------------------------------------------------

// Does the current block hold a state of a puzzle whose solved state is known?
static bool is_state(const struct parser *parser)
{
    return parser->keyword->kind == KIND_GOAL || parser->keyword->kind == KIND_SCRAMBLE;
}

// Complains that a piece appears too often in a row of pieces numbered least … last.
static bool complain_repeated(const struct parser *parser, unsigned number, unsigned least,
                              unsigned last)
{
    if (is_state(parser)) {
        return parser_complain(parser, "piece %u appears more often than in `Solved`", number);
    }
    return parser_complain(parser, "piece %u appears twice; expected each of %u to %u once", number,
                           least, last);
}

// Reads the row of a set's pieces, which has a word for each slot, into `rows`: pieces, counted
// from 0, or the colours of a projection. In a move, the row is a permutation. In the solved state,
// a number may appear twice (pieces that look alike), and numbers may be missing. Any other state
// holds the numbers of the solved state, each as often.
static bool read_pieces(struct parser *parser, struct piece_set *set, struct rows *rows)
{
    const struct definition *definition = parser->definition;
    bool has_numbers = is_state(parser);                       // those of the solved state
    bool makes_numbers = parser->keyword->kind == KIND_SOLVED; // this is the solved state
    uint8_t left[PIECES_OF_SET_MOST]; // by piece: how often it may still appear, except in `Solved`
    unsigned least = find_least_number(parser);
    unsigned last = least + (makes_numbers || has_numbers ? PIECES_OF_SET_MOST : set->pieces) - 1;
    memset(left, has_numbers ? 0 : 1, sizeof left); // 1: a move has each piece once
    for (unsigned i = 0; i < set->pieces && has_numbers; i++) {
        left[definition->solved.piece[set->first + i]]++;
    }
    for (unsigned i = 0; i < set->pieces; i++) {
        unsigned number = 0;
        if (!parser_read_number(parser, parser->words[i],
                                (struct expected_number){"a piece", least, last, false}, &number)) {
            return false;
        }
        unsigned piece = number - least;
        if (has_numbers && !parser_find_piece(parser, set, number, &piece)) {
            return false;
        }
        if (has_numbers && set->tracked) {
            piece = set->colour_of[piece];
        }
        if (!makes_numbers) {
            if (left[piece] == 0) {
                return complain_repeated(parser, number, least, last);
            }
            left[piece]--;
        }
        rows->piece[set->first + i] = (uint8_t)piece;
    }
    if (makes_numbers) {
        number_pieces(set, 1, rows->piece + set->first);
    }
    return true;
}

// Checks that pieces that look alike agree in the solved state: the orientation counts in all of
// their slots, or in none.
static bool check_ignored(struct parser *parser, const struct piece_set *set)
{
    const struct definition *definition = parser->definition;
    for (unsigned i = set->first; i < set->first + set->pieces; i++) {
        unsigned piece = definition->solved.piece[i];
        if (definition->orientation_ignored[i] != parser_ignores(parser, set, piece)) {
            return parser_complain(
                parser,
                "piece %u of set %s has the orientation `?` in one slot and a number in "
                "another",
                piece + find_least_number(parser), set->name);
        }
    }
    return true;
}

// Reads the row of a set's orientations, which has a word for each slot. `?` is an orientation that
// does not count, and is stored as 0. It may stand in the solved state and, for the pieces that
// have it there, in other states. A set with one orientation may only have zeros (or `?`).
static bool read_orientations(struct parser *parser, const struct piece_set *set, struct rows *rows)
{
    enum keyword_kind kind = parser->keyword->kind;
    char shown[ESCAPED_WORD];
    for (unsigned i = 0; i < set->pieces; i++) {
        struct word word = parser->words[i];
        unsigned orientation = 0;
        bool counts = true; // false: 0 is stored, because the solved state ignores it
        if (is_state(parser)) {
            unsigned piece = rows->piece[set->first + i];
            counts = set->orientations > 1 && !parser_ignores(parser, set, piece);
        }
        struct expected_number expected = {"an orientation", 0, set->orientations - 1,
                                           kind == KIND_SOLVED || !counts};
        bool is_unknown = expected.or_unknown && word_is(word, "?");
        if (!is_unknown && set->orientations == 1 && !word_is(word, "0")) {
            return parser_complain(
                parser, "set %s has 1 orientation; expected only zeros in this row, got '%s'",
                set->name, word_escape(shown, word));
        }
        if (!is_unknown && !parser_read_number(parser, word, expected, &orientation)) {
            return false;
        }
        rows->orientation[set->first + i] = (uint8_t)(counts ? orientation : 0);
        if (kind == KIND_SOLVED) {
            parser->definition->orientation_ignored[set->first + i] =
                is_unknown && set->orientations > 1;
        }
    }
    if (kind == KIND_SOLVED) {
        return check_ignored(parser, set);
    }
    return true;
}

// Reorders the orientations of a move: from the slots that pieces leave, as the text lists them, to
// the slots where they arrive, as in a state. So moves multiply as states do.
static void orient_by_arrival(const struct definition *definition, struct rows *rows)
{
    uint8_t by_departure[PIECES_OF_SET_MOST];
    for (unsigned s = 0; s < definition->set_count; s++) {
        const struct piece_set *set = &definition->sets[s];
        memcpy(by_departure, rows->orientation + set->first, set->pieces);
        for (unsigned i = set->first; i < set->first + set->pieces; i++) {
            rows->orientation[i] = by_departure[rows->piece[i]];
        }
    }
}

// Returns the set that a line of a block names, or NULL after a complaint. named[s] tells whether
// the block has named set s before.
static struct piece_set *read_set_name(struct parser *parser, bool named[SETS_MOST])
{
    struct piece_set *set =
        parser_need_set(parser, parser->words[0], "expected the name of a set or `End`, got", "");
    if (!set) {
        return NULL;
    }
    unsigned number = (unsigned)(set - parser->definition->sets);
    if (named[number]) {
        (void)parser_complain(parser, "set %s appears twice in this block", set->name);
        return NULL;
    }
    if (parser->word_count > 1) {
        (void)parser_complain(
            parser, "expected only the name of set %s, and its numbers on the lines below",
            set->name);
        return NULL;
    }
    named[number] = true;
    return set;
}

// Reads a row of a set: row 0 has its pieces, and row 1 its orientations. Complains about row 2.
// `set` is NULL if the block has named none.
static bool read_row(struct parser *parser, struct piece_set *set, unsigned row, struct rows *rows)
{
    if (!set) {
        return parser_complain(parser, "expected the name of a set before its row of numbers");
    }
    if (row == 2) {
        return parser_complain(
            parser,
            "set %s has at most two rows, pieces and orientations; expected another set or `End`",
            set->name);
    }
    if (row == 0 && parser->keyword->kind == KIND_SCRAMBLE) { // its orientations follow, or are 0
        memset(rows->orientation + set->first, 0, set->pieces);
    } else if (row == 0 && parser->words[0].text[0] == '(') {
        return read_cycles(parser, set, rows->piece + set->first);
    }
    if (parser->word_count != set->pieces) {
        return parser_complain(parser, "expected %u numbers, one for each piece of set %s, got %u",
                               set->pieces, set->name, parser->word_count);
    }
    return row == 0 ? read_pieces(parser, set, rows) : read_orientations(parser, set, rows);
}

// Checks that nothing of the last set is missing. `set` is NULL if there is none. `read` is the
// number of its rows or, on a board, of its cells.
static bool check_set_is_whole(struct parser *parser, const struct piece_set *set, unsigned read)
{
    if (!set) {
        return true;
    }
    if (parser->definition->board && read < set->pieces) {
        return parser_complain(parser, "expected %u cells, one for each place of the board, got %u",
                               set->pieces, read);
    }
    if (read == 0) {
        return parser_complain(parser, "expected the row of pieces of set %s", set->name);
    }
    return true;
}

bool parser_read_end(struct parser *parser)
{
    return parser->word_count == 1 ||
           parser_complain(parser, "expected `End` and nothing after it");
}

// Reads the `End` of a block that began on line `first_line`. `is_empty`: the block named no set.
static bool end_rows(struct parser *parser, unsigned first_line, bool is_empty, struct rows *rows)
{
    // Without a row the set would be 1, 2, 3, ..., which is not a state of a board.
    if (is_empty && parser->definition->board && parser->keyword->kind != KIND_SCRAMBLE) {
        return error_set_line(parser->error, FEWEST_BAD_INPUT, first_line,
                              "this block has no row for set %s", parser->definition->sets[0].name);
    }
    // `MoveTransformation`, which counts from zero, lists orientations by arrival.
    if (parser->keyword->kind == KIND_MOVE && !parser->keyword->from_zero) {
        orient_by_arrival(parser->definition, rows);
    }
    return parser_read_end(parser);
}

bool parser_read_rows(struct parser *parser, struct rows *rows)
{
    struct piece_set *set = NULL; // that was named last
    bool named[SETS_MOST] = {false};
    unsigned read = 0; // rows of the set, or cells of a board
    unsigned first_line = parser->line;
    rows_set_identity(parser->definition, rows);
    if (parser->keyword->kind == KIND_SCRAMBLE) {
        rows_copy(parser->definition, &parser->definition->solved, rows);
    }
    for (;;) {
        if (!parser_next_line(parser)) {
            return false;
        }
        if (parser->word_count == 0) {
            return error_set_line(parser->error, FEWEST_BAD_INPUT, first_line,
                                  "this block has no `End` before the text ends");
        }
        struct word word = parser->words[0];
        bool has_cells = set && parser->definition->board;
        if (has_cells && (word_is_number(word) || is_blank(word) || word_is(word, "*"))) {
            if (!read_cells(parser, set, &read, rows)) {
                return false;
            }
            continue;
        }
        if (word_is_number(word)) {
            if (!read_row(parser, set, read, rows)) {
                return false;
            }
            read++;
            continue;
        }
        if (!check_set_is_whole(parser, set, read)) {
            return false;
        }
        if (word_is(word, "End")) {
            return end_rows(parser, first_line, !set, rows);
        }
        if (parser_find_keyword(parser, word) && !parser_find_set(parser, word)) {
            // The message ends with the number of this line.
            error_write_line(parser->error, FEWEST_BAD_INPUT, first_line,
                             "this block has no `End` before ");
            return error_add_line(parser->error, parser->line, "%s", "");
        }
        set = read_set_name(parser, named);
        if (!set) {
            return false;
        }
        read = 0;
    }
}
