// Reads the rows of numbers in blocks such as `Solved`, `Goal` and `Move`, up to their `End`.
#include "parser.h"
#include "rows.h"
#include "tables/base/ascii.h"

#include <string.h>

// The number of the first slot and of the first piece in this block.
static unsigned least_number(const struct parser *parser)
{
    return parser->keyword->from_zero ? 0 : 1;
}

// ---- Cycles -------------------------------------------------------------------------------------
// (1 2 3) takes the piece of slot 1 to slot 2, that of slot 2 to slot 3, and that of slot 3 to slot
// 1. A slot that no cycle names keeps its piece.

static bool ends_slot(char c)
{
    return ascii_is_space(c) || c == ',' || c == '(' || c == ')';
}

// Reads a slot of a cycle, counted from 0.
static bool read_slot(struct parser *parser, struct word word, struct expected_number expected,
                      bool named[PIECES_OF_SET_MOST], unsigned *slot)
{
    if (!parser_read_number(parser, word, expected, slot)) {
        return false;
    }
    *slot -= expected.least;
    if (named[*slot]) {
        return complain(parser, "slot %u appears twice in the cycles", *slot + expected.least);
    }
    named[*slot] = true;
    return true;
}

// Reads a row of pieces that is written as cycles: `(1 2 3)(4 5)`. The row is the identity before.
static bool read_cycles(struct parser *parser, const struct piece_set *set, uint8_t *row)
{
    unsigned least = least_number(parser);
    const struct word all = parser_rest(parser, 0);
    const char *end = all.text + all.length;
    const struct expected_number expected = {"a slot", least, least + set->pieces - 1, false};
    bool named[PIECES_OF_SET_MOST] = {false};
    char shown[ESCAPED_WORD];
    bool inside = false;
    unsigned count = 0; // of slots in this cycle so far
    unsigned first = 0;
    unsigned slot = 0;
    for (const char *next = all.text; next < end;) {
        struct word word = {next++, 1};
        if (ascii_is_space(*word.text) || *word.text == ',') {
            continue;
        }
        if (!inside && *word.text != '(') {
            return complain(parser, "expected `(` or the end of the line after a cycle, got '%s'",
                            escape_text(shown, sizeof shown, word.text, (size_t)(end - word.text)));
        }
        if (!inside || *word.text == ')') {
            if (count > 0) {
                row[first] = (uint8_t)slot;
            }
            inside = !inside;
            count = 0;
            continue;
        }
        while (next < end && !ends_slot(*next)) {
            next++;
        }
        unsigned before = slot;
        word.length = (size_t)(next - word.text);
        if (!read_slot(parser, word, expected, named, &slot)) {
            return false;
        }
        first = count++ == 0 ? slot : first;
        row[slot] = (uint8_t)before;
    }
    return !inside || complain(parser, "this cycle has no `)`");
}

// ---- Boards -------------------------------------------------------------------------------------

static bool is_blank(struct word word)
{
    return word.length == 1 && strchr("0xX_", word.text[0]);
}

// Reads a line with cells of a board; the blank is 0, x, X or _. *count is the number of cells so
// far. A last line may have the orientations, which are 0.
static bool read_cells(struct parser *parser, const struct piece_set *set, unsigned *count,
                       struct rows *rows)
{
    const struct board_keyword *board = parser->definition->board;
    struct expected_number expected = {"a piece", 0, set->pieces - 1, false};
    char fault[CELLS_FAULT];
    bool full = *count == set->pieces;
    if (board->colours > 0) {
        expected = (struct expected_number){"a number", 0, board->colours, false};
    }
    for (unsigned i = 0; i < parser->word_count; i++) {
        unsigned cell = 0;
        if (!is_blank(parser->words[i]) &&
            !parser_read_number(parser, parser->words[i], expected, &cell)) {
            return false;
        }
        if (full && cell == 0 && parser->word_count == set->pieces) {
            continue; // an orientation
        }
        if (*count == set->pieces) {
            return complain(parser, "expected only %u cells, one for each place of the board",
                            set->pieces);
        }
        if (board->colours == 0 && memchr(rows->piece, (int)cell, *count)) {
            return complain(parser, "piece %u appears twice; expected each of 0 to %u once", cell,
                            set->pieces - 1);
        }
        rows->piece[(*count)++] = (uint8_t)cell;
    }
    return full || *count < set->pieces || board->colours == 0 ||
           board->check_cells(rows->piece, set->pieces, fault) || complain(parser, "%s", fault);
}

// ---- Rows ---------------------------------------------------------------------------------------

// Numbers the pieces of the solved state from 0 without gaps, in the order of the numbers in its
// row.
static void number_pieces(struct piece_set *set, struct rows *rows)
{
    uint8_t *piece_of = set->piece_of;
    uint8_t count = 0;
    memset(piece_of, 0, sizeof set->piece_of);
    for (unsigned i = 0; i < set->pieces; i++) {
        piece_of[rows->piece[set->first + i] + 1] = 1;
    }
    for (unsigned number = 0; number <= PIECES_OF_SET_MOST; number++) {
        count = (uint8_t)(count + piece_of[number]);
        piece_of[number] = piece_of[number] ? count : 0;
    }
    for (unsigned i = 0; i < set->pieces; i++) {
        uint8_t *piece = &rows->piece[set->first + i];
        *piece = (uint8_t)(piece_of[*piece + 1] - 1);
    }
}

// Reads the row of a set's pieces. Moves need a permutation. The solved state may hold a number
// twice (pieces that look alike), and numbers may be missing. Its goals hold the same numbers, each
// as often.
static bool read_pieces(struct parser *parser, struct piece_set *set, struct rows *rows)
{
    const struct definition *definition = parser->definition;
    bool is_goal = parser->keyword->kind == KIND_GOAL;
    bool makes_numbers = parser->keyword->kind == KIND_SOLVED;
    uint8_t left[PIECES_OF_SET_MOST]; // how often a piece may still appear
    unsigned least = least_number(parser);
    unsigned last = least + (makes_numbers || is_goal ? PIECES_OF_SET_MOST : set->pieces) - 1;
    memset(left, is_goal ? 0 : 1, sizeof left);
    for (unsigned i = 0; i < set->pieces && is_goal; i++) {
        left[definition->solved.piece[set->first + i]]++;
    }
    for (unsigned i = 0; i < set->pieces; i++) {
        unsigned number = 0;
        if (!parser_read_number(parser, parser->words[i],
                                (struct expected_number){"a piece", least, last, false}, &number)) {
            return false;
        }
        unsigned piece = number - least;
        if (is_goal && !parser_find_piece(parser, set, number, &piece)) {
            return false;
        }
        if (left[piece]-- == 0 && !makes_numbers) {
            return complain(parser,
                            is_goal ? "piece %u appears more often than in `Solved`"
                                    : "piece %u appears twice; expected each of %u to %u once",
                            number, least, last);
        }
        rows->piece[set->first + i] = (uint8_t)piece;
    }
    if (makes_numbers) {
        number_pieces(set, rows);
    }
    return true;
}

// Pieces that look alike either all have an orientation that counts or none has.
static bool check_ignored(struct parser *parser, const struct piece_set *set)
{
    const struct definition *definition = parser->definition;
    for (unsigned i = set->first; i < set->first + set->pieces; i++) {
        unsigned piece = definition->solved.piece[i];
        if (definition->orientation_ignored[i] != parser_ignores(parser, set, piece)) {
            return complain(
                parser,
                "piece %u of set %s has the orientation `?` in one slot and a number in "
                "another",
                piece + least_number(parser), set->name);
        }
    }
    return true;
}

static bool read_orientations(struct parser *parser, const struct piece_set *set, struct rows *rows)
{
    enum keyword_kind kind = parser->keyword->kind;
    char shown[ESCAPED_WORD];
    for (unsigned i = 0; i < set->pieces; i++) {
        struct word word = parser->words[i];
        unsigned orientation = 0;
        bool counts =
            kind != KIND_GOAL ||
            (set->orientations > 1 && !parser_ignores(parser, set, rows->piece[set->first + i]));
        struct expected_number expected = {"an orientation", 0, set->orientations - 1,
                                           kind == KIND_SOLVED || !counts};
        bool ignored = expected.or_unknown && word_is(word, "?");
        if (!ignored && set->orientations == 1 && !word_is(word, "0")) {
            return complain(parser,
                            "set %s has 1 orientation; expected only zeros in this row, got '%s'",
                            set->name, word_escape(shown, word));
        }
        if (!ignored && !parser_read_number(parser, word, expected, &orientation)) {
            return false;
        }
        rows->orientation[set->first + i] = (uint8_t)(counts ? orientation : 0);
        if (kind == KIND_SOLVED) {
            parser->definition->orientation_ignored[set->first + i] =
                ignored && set->orientations > 1;
        }
    }
    return kind != KIND_SOLVED || check_ignored(parser, set);
}

// Reorders the orientations of a move: from the slots that pieces leave to the slots where they
// arrive, as in a state. So moves multiply as states do.
static void orient_by_arrival(const struct definition *definition, struct rows *rows)
{
    uint8_t text[PIECES_OF_SET_MOST];
    for (unsigned s = 0; s < definition->set_count; s++) {
        const struct piece_set *set = &definition->sets[s];
        memcpy(text, rows->orientation + set->first, set->pieces);
        for (unsigned i = set->first; i < set->first + set->pieces; i++) {
            rows->orientation[i] = text[rows->piece[i]];
        }
    }
}

// Finds the set that a line names. NULL after a complaint.
static struct piece_set *read_set(struct parser *parser, bool named[SETS_MOST])
{
    struct piece_set *set =
        parser_need_set(parser, parser->words[0], "expected the name of a set or `End`, got", "");
    if (!set) {
        return NULL;
    }
    bool *again = &named[set - parser->definition->sets];
    if (*again) {
        (void)complain(parser, "set %s appears twice in this block", set->name);
        return NULL;
    }
    if (parser->word_count > 1) {
        (void)complain(parser,
                       "expected only the name of set %s, and its numbers on the lines below",
                       set->name);
        return NULL;
    }
    *again = true;
    return set;
}

static bool read_row(struct parser *parser, struct piece_set *set, unsigned row, struct rows *rows)
{
    if (!set) {
        return complain(parser, "expected the name of a set before its row of numbers");
    }
    if (row == 2) {
        return complain(
            parser,
            "set %s has at most two rows, pieces and orientations; expected another set or `End`",
            set->name);
    }
    if (row == 0 && parser->words[0].text[0] == '(') {
        return read_cycles(parser, set, rows->piece + set->first);
    }
    if (parser->word_count != set->pieces) {
        return complain(parser, "expected %u numbers, one for each piece of set %s, got %u",
                        set->pieces, set->name, parser->word_count);
    }
    return row == 0 ? read_pieces(parser, set, rows) : read_orientations(parser, set, rows);
}

// Checks that nothing of the last set is missing.
static bool check_whole(struct parser *parser, const struct piece_set *set, unsigned read)
{
    if (set && parser->definition->board && read < set->pieces) {
        return complain(parser, "expected %u cells, one for each place of the board, got %u",
                        set->pieces, read);
    }
    return !set || read > 0 || complain(parser, "expected the row of pieces of set %s", set->name);
}

// Ends a block that began on line `begun`.
static bool end_rows(struct parser *parser, unsigned begun, bool empty, struct rows *rows)
{
    // Without a row the set would be 1, 2, 3, ..., which is not a state of a board.
    if (empty && parser->definition->board) {
        return error_set_line(parser->error, FEWEST_BAD_INPUT, begun,
                              "this block has no row for set %s", parser->definition->sets[0].name);
    }
    if (parser->keyword->kind == KIND_MOVE && !parser->keyword->from_zero) {
        orient_by_arrival(parser->definition, rows);
    }
    return parser->word_count == 1 || complain(parser, "expected `End` and nothing after it");
}

bool parser_read_rows(struct parser *parser, struct rows *rows)
{
    struct piece_set *set = NULL; // that was named last
    bool named[SETS_MOST] = {false};
    unsigned read = 0; // rows of the set, or cells of a board
    unsigned begun = parser->line;
    bool sound;
    rows_set_identity(parser->definition, rows);
    while ((sound = parser_next_line(parser)) && parser->word_count > 0) {
        struct word word = parser->words[0];
        bool board = set && parser->definition->board;
        if (word_is_number(word) || (board && is_blank(word))) {
            if (!(board ? read_cells(parser, set, &read, rows)
                        : read_row(parser, set, read++, rows))) {
                return false;
            }
            continue;
        }
        if (!check_whole(parser, set, read)) {
            return false;
        }
        if (word_is(word, "End")) {
            return end_rows(parser, begun, !set, rows);
        }
        if (parser_find_keyword(parser, word) && !parser_find_set(parser, word)) {
            error_write_line(parser->error, FEWEST_BAD_INPUT, begun,
                             "this block has no `End` before ");
            return error_add_line(parser->error, parser->line, "%s", "");
        }
        set = read_set(parser, named);
        if (!set) {
            return false;
        }
        read = 0;
    }
    return sound && error_set_line(parser->error, FEWEST_BAD_INPUT, begun,
                                   "this block has no `End` before the text ends");
}
