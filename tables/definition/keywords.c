// The keywords of a definition: where each may stand, and what reads it. Reads a whole text.
#include "definition.h"

#include "parser.h"
#include "rows.h"
#include "tables/base/ascii.h"
#include "tables/base/spelling.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reads `Name WORD ...`. The words become one name, with underscores between them.
static bool read_name(struct parser *parser)
{
    char joined[NAME_LONGEST + 2]; // one byte too many, which parser_read_name reports
    struct word name = {joined, 0};
    for (unsigned i = 1; i < parser->word_count; i++) {
        struct word word = parser->words[i];
        if (i > 1 && name.length < sizeof joined) {
            joined[name.length++] = '_';
        }
        for (size_t j = 0; j < word.length && name.length < sizeof joined; j++) {
            joined[name.length++] = word.text[j];
        }
    }
    return parser_read_name(parser, name, parser->definition->name);
}

// Adds an empty set to the definition. Returns NULL after a complaint. The sets may move, so
// pointers to them are no longer valid.
static struct piece_set *add_set(struct parser *parser)
{
    struct definition *definition = parser->definition;
    struct piece_set *sets = realloc(definition->sets, (definition->set_count + 1) * sizeof *sets);
    if (!sets) {
        (void)parser_no_memory(parser);
        return NULL;
    }
    definition->sets = sets;
    sets[definition->set_count] = (struct piece_set){.line = parser->line};
    return &sets[definition->set_count++];
}

// Reads `Set NAME PIECES ORIENTATIONS`.
static bool read_set(struct parser *parser)
{
    static const struct expected_number pieces = {"a number of pieces", 1, PIECES_OF_SET_MOST,
                                                  false};
    static const struct expected_number orientations = {"a number of orientations", 1,
                                                        ORIENTATIONS_MOST, false};
    char shown[ESCAPED_WORD];
    struct definition *definition = parser->definition;
    struct word name = parser->words[1];
    const struct piece_set *same = parser_find_set(parser, name);
    if (word_is(name, "End") || word_is_number(name)) {
        return parser_complain(
            parser,
            "expected a set name that is not `End` and does not begin with a digit, "
            "'?' or '(', got '%s'",
            word_escape(shown, name));
    }
    if (same) {
        (void)parser_complain(parser, "set %s appears twice (first on ", same->name);
        return error_add_line(parser->error, same->line, ")");
    }
    if (definition->set_count == SETS_MOST) {
        return parser_complain(parser, "too many sets: at most %d", SETS_MOST);
    }
    struct piece_set *set = add_set(parser);
    if (!set || !parser_read_name(parser, name, set->name) ||
        !parser_read_number(parser, parser->words[2], pieces, &set->pieces) ||
        !parser_read_number(parser, parser->words[3], orientations, &set->orientations)) {
        return false;
    }
    if (set->pieces > PIECES_MOST - definition->piece_count) {
        return parser_complain(parser, "too many pieces: all sets together may have at most %d",
                               PIECES_MOST);
    }
    for (unsigned piece = 1; piece <= set->pieces; piece++) {
        set->piece_of[piece] = (uint8_t)piece; // until `Solved` has other numbers
    }
    set->first = definition->piece_count;
    definition->piece_count += set->pieces;
    return true;
}

// Allocates the solved state and whatever else has an entry for each slot. No sets may follow,
// because they would bring more slots.
static bool make_solved(struct parser *parser)
{
    struct definition *definition = parser->definition;
    definition->orientation_ignored =
        calloc(definition->piece_count, sizeof *definition->orientation_ignored);
    if (!definition->orientation_ignored || !rows_make(definition, &definition->solved)) {
        return parser_no_memory(parser);
    }
    return true;
}

// Reads the line of a board, such as `Slide 3 3`, and makes its only set and its solved state.
// `Solved` may give another solved state.
static bool read_board(struct parser *parser)
{
    const struct board_keyword *board = parser_find_board(parser, parser->words[0]);
    struct definition *definition = parser->definition;
    const struct expected_number expected = {"a number", 1, PIECES_OF_SET_MOST, false};
    unsigned size[3] = {1, 1, 1};
    unsigned words = parser->word_count;
    if (board->moves_rows && word_is(parser->words[words - 1], "multi")) {
        definition->moves_rows = true;
        words--;
    }
    if (words < 3 || words > 1 + board->sizes) {
        return parser_complain(parser, "expected `%s`", board->form);
    }
    for (unsigned i = 0; i + 1 < words; i++) {
        if (!parser_read_number(parser, parser->words[i + 1], expected, &size[i])) {
            return false;
        }
    }
    unsigned cells = size[0] * size[1] * size[2]; // below 2^24
    if (cells < 2 || cells > board->cells_most) {
        return parser_complain(parser, "expected a board of 2 to %u cells, got %u",
                               board->cells_most, cells);
    }
    struct piece_set *set = add_set(parser);
    if (!set) {
        return false;
    }
    set->pieces = cells;
    set->orientations = 1;
    snprintf(set->name, sizeof set->name, "%s", board->set_name);
    definition->board = board;
    definition->rows = size[0];
    definition->columns = size[1];
    definition->layers = size[2];
    definition->piece_count = cells;
    if (!make_solved(parser)) {
        return false;
    }
    for (unsigned i = 0; i < cells; i++) {
        definition->solved.piece[i] = (uint8_t)((i + 1) % cells); // 1, 2, …, and 0 last
        set->piece_of[i] = (uint8_t)(i + 1);                      // piece i has the number i
    }
    if (board->colours > 0) {
        board->fill_solved(definition);
    }
    return true;
}

// Reads the block of `Solved` or `StartState`.
static bool read_solved(struct parser *parser)
{
    bool is_made = parser->definition->board; // by read_board
    if (!is_made && !make_solved(parser)) {
        return false;
    }
    return parser_read_rows(parser, &parser->definition->solved);
}

// Reads the block of `Goal`.
static bool read_goal(struct parser *parser)
{
    struct definition *definition = parser->definition;
    if (definition->goal_count == GOALS_MOST) {
        return parser_complain(parser, "too many goals: at most %d `Goal` blocks", GOALS_MOST);
    }
    struct rows *goal = &definition->goals[definition->goal_count];
    definition->goal_lines[definition->goal_count++] = parser->line;
    if (!rows_make(definition, goal)) {
        return parser_no_memory(parser);
    }
    return parser_read_rows(parser, goal);
}

// Reads `Letters SET LETTER LETTER ...`. The number of letters is checked later
// (segment_set_letters), when the number of values is known.
static bool read_letters(struct parser *parser)
{
    char shown[ESCAPED_WORD];
    struct piece_set *set = parser_need_set(parser, parser->words[1], "no set is called",
                                            "; `Letters` must come after its `Set`");
    if (!set) {
        return false;
    }
    if (set->letters_line > 0) {
        (void)parser_complain(parser, "set %s has `Letters` twice (first on ", set->name);
        return error_add_line(parser->error, set->letters_line, ")");
    }
    set->letters_line = parser->line;
    for (unsigned i = 2; i < parser->word_count && i - 2 < PIECES_OF_SET_MOST; i++) {
        struct word word = parser->words[i];
        char letter = word.text[0];
        if (word.length != 1 || letter <= ' ' || letter > '~' || strchr("@*,/", letter)) {
            return parser_complain(
                parser,
                "expected one printable ASCII character other than @ * , / as a letter, got '%s'",
                word_escape(shown, word));
        }
        if (memchr(set->letters, letter, i - 2)) {
            return parser_complain(parser, "the letter %c appears twice", letter);
        }
        set->letters[i - 2] = letter;
    }
    return true;
}

// Reads `Powers none` or `Powers all`.
static bool read_powers(struct parser *parser)
{
    parser->definition->only_listed = word_is(parser->words[1], "none");
    if (!parser->definition->only_listed && !word_is(parser->words[1], "all")) {
        return parser_complain(parser, "expected `Powers none` or `Powers all`");
    }
    return true;
}

// Reads the cells after `Board ROWS COLUMNS`: one for each place, or `.` for a place without a
// cell.
static bool read_drawing_cells(struct parser *parser)
{
    enum { BEFORE = 3 }; // words before the cells
    // A state has at most two cells for each piece.
    static const struct expected_number expected = {"`.` or a cell", 1, 2 * PIECES_MOST, false};
    struct definition *definition = parser->definition;
    unsigned places = definition->drawing_rows * definition->drawing_columns;
    if (parser->word_count != BEFORE + places) {
        return parser_complain(
            parser, "expected %u cells after `Board %u %u`, one for each place, got %u", places,
            definition->drawing_rows, definition->drawing_columns, parser->word_count - BEFORE);
    }
    definition->drawing_cells = calloc(places, sizeof *definition->drawing_cells);
    if (!definition->drawing_cells) {
        return parser_no_memory(parser);
    }
    for (unsigned i = 0; i < places; i++) {
        struct word word = parser->words[BEFORE + i];
        unsigned cell = 0;
        if (!word_is(word, ".") && !parser_read_number(parser, word, expected, &cell)) {
            return false;
        }
        definition->drawing_cells[i] = (uint16_t)cell;
    }
    return true;
}

// Reads `Board ROWS COLUMNS [CELL ...]`.
static bool read_drawing(struct parser *parser)
{
    static const struct expected_number expected = {"a number", 1, PIECES_MOST, false};
    struct definition *definition = parser->definition;
    definition->drawing_line = parser->line;
    return parser_read_number(parser, parser->words[1], expected, &definition->drawing_rows) &&
           parser_read_number(parser, parser->words[2], expected, &definition->drawing_columns) &&
           (parser->word_count == 3 || read_drawing_cells(parser));
}

// ---- The table ----------------------------------------------------------------------------------

// Kinds as bits.
enum {
    BOARD = 1u << KIND_BOARD,
    SET = 1u << KIND_SET,
    DRAWING = 1u << KIND_DRAWING,
    SOLVED = 1u << KIND_SOLVED,
    GOAL = 1u << KIND_GOAL,
    TRACK = 1u << KIND_TRACK,
    DATABASE = 1u << KIND_DATABASE,
    ILLEGAL = 1u << KIND_ILLEGAL,
    POWERS = 1u << KIND_POWERS,
};

enum {
    ANY = UINT_MAX / 2, // number of words
    KEYWORD_LIST = 128, // bytes
};

static const char HAS_MOVES[] = ", which has its moves already";
static const char UNNEEDED[] = "it is not needed, so delete it up to its `End`";
static const char NO_LIMITS[] = "all sequences of moves count; `Generators MOVE MOVE ...` leaves "
                                "out the other moves";

static const struct keyword KEYWORDS[] = {
    // The keywords of boards, each with a form of its own.
    {"", NULL, KIND_BOARD, 1, ANY, .not_with = BOARD | SET | DRAWING | POWERS, .read = read_board},
    // word and form, kind, least and most words, and what else there is
    {"Name", "Name NAME", KIND_NAME, 2, ANY, .once = "`Name`", .read = read_name},
    {"Set", "Set NAME PIECES ORIENTATIONS", KIND_SET, 4, 4, .not_with = BOARD | SOLVED,
     .advice = ", which has its pieces already", .read = read_set},
    {"Letters", "Letters SET LETTER LETTER ...", KIND_LETTERS, 3, ANY, .read = read_letters},
    {"Board", "Board ROWS COLUMNS [CELL ...]", KIND_DRAWING, 3, ANY, .once = "`Board`",
     .not_with = BOARD, .read = read_drawing},
    {"Solved", "Solved", KIND_SOLVED, 1, 1, .once = "the solved state", .after = KIND_SET,
     .not_with = GOAL | TRACK, .read = read_solved},
    {"StartState", "StartState", KIND_SOLVED, 1, 1, .once = "the solved state", .after = KIND_SET,
     .not_with = GOAL | TRACK, .from_zero = true, .read = read_solved},
    {"Goal", "Goal", KIND_GOAL, 1, 1, .after = KIND_SOLVED, .not_with = TRACK | DATABASE | ILLEGAL,
     .read = read_goal},
    {"Track", "Track [SET] PIECE PIECE ...", KIND_TRACK, 2, ANY, .once = "`Track`",
     .after = KIND_SOLVED, .not_with = GOAL | ILLEGAL | DATABASE, .read = parser_read_track},
    {"Database", "Database [SET] PIECE PIECE ...", KIND_DATABASE, 2, ANY, .after = KIND_SOLVED,
     .not_with = GOAL | TRACK, .read = parser_read_database},
    {"Powers", "Powers none` or `Powers all", KIND_POWERS, 2, 2, .once = "`Powers`",
     .not_with = BOARD, .read = read_powers},
    {"Move", "Move NAME", KIND_MOVE, 2, 2, .after = KIND_SOLVED, .not_with = BOARD,
     .advice = HAS_MOVES, .read = parser_read_move},
    {"MoveTransformation", "MoveTransformation NAME", KIND_MOVE, 2, 2, .after = KIND_SOLVED,
     .not_with = BOARD, .advice = HAS_MOVES, .from_zero = true, .read = parser_read_move},
    {"MoveAlias", "MoveAlias NAME MOVE MOVE ...", KIND_MOVE, 3, ANY, .after = KIND_SOLVED,
     .not_with = BOARD, .advice = HAS_MOVES, .read = parser_read_sequence},
    {"MoveSequence", "MoveSequence NAME MOVE MOVE ...", KIND_MOVE, 3, ANY, .after = KIND_SOLVED,
     .not_with = BOARD, .advice = HAS_MOVES, .read = parser_read_sequence},
    {"Generators", "Generators MOVE MOVE ...", KIND_GENERATORS, 2, ANY, .once = "`Generators`",
     .after = KIND_SOLVED, .not_with = BOARD, .advice = HAS_MOVES, .read = parser_read_generators},
    {"Rotation", "Rotation [MOVE ...]", KIND_ROTATION, 1, ANY, .after = KIND_SOLVED,
     .not_with = BOARD, .advice = HAS_MOVES, .read = parser_read_rotation},
    {"Illegal", "Illegal SET SLOT PIECE PIECE ...", KIND_ILLEGAL, 4, ANY, .after = KIND_SOLVED,
     .not_with = BOARD | GOAL | TRACK, .read = parser_read_illegal},
    // Keywords of twsearch and ksolve that we do not read.
    {"SwizzleSet", .advice = "a table holds all states that the moves reach"},
    {"Ignore", .advice = "in `Solved`, write `?` for an orientation that does not count, and one "
                         "number for pieces that look alike"},
    {"Block", .advice = "`Illegal SET SLOT PIECE ...` forbids states instead"},
    {"MoveLimits", .advice = NO_LIMITS},
    {"ForbiddenPairs", .advice = NO_LIMITS},
    {"ForbiddenGroups", .advice = NO_LIMITS},
    {"Parity", .advice = UNNEEDED},
    {"MoveParities", .advice = UNNEEDED},
    {"Multiplicators", .advice = UNNEEDED},
    {"MultiplicativeGroups", .advice = UNNEEDED},
    {"ParallelMoves", .advice = UNNEEDED},
    {.word = NULL},
};

// Complains about a line whose first word is no keyword. Offers a similar keyword, if there is one.
static bool complain_unknown(struct parser *parser)
{
    struct word word = parser->words[0];
    char shown[ESCAPED_WORD];
    char hint[2 * NEAREST_NAME];
    struct nearest_name nearest = {.typed = word_escape(shown, word)};
    if (word_is(word, "End") || word_is_number(word) || parser_find_set(parser, word)) {
        return parser_complain(parser, "'%s' is outside of a block such as `Solved` or `Move`",
                               shown);
    }
    // Those without `read`, which come last, are not offered.
    for (const struct keyword *keyword = KEYWORDS + 1; keyword->read; keyword++) {
        nearest_offer(&nearest, keyword->word);
    }
    for (unsigned b = 0; parser->boards[b]; b++) {
        nearest_offer(&nearest, parser->boards[b]->word);
    }
    return parser_complain(parser, "unknown keyword '%s'%s", shown, nearest_text(&nearest, hint));
}

// Writes a keyword and the keywords of boards, such as "`Set`, `Slide` or `Roll`". Returns the
// text.
static const char *list_boards(const struct parser *parser, const char *first,
                               char text[KEYWORD_LIST])
{
    size_t used = (size_t)snprintf(text, KEYWORD_LIST, "`%s`", first);
    for (unsigned b = 0; parser->boards[b] && used < KEYWORD_LIST; b++) {
        used += (size_t)snprintf(text + used, KEYWORD_LIST - used, "%s`%s`",
                                 parser->boards[b + 1] ? ", " : " or ", parser->boards[b]->word);
    }
    return text;
}

// Checks that no earlier keyword excludes the current one, whose word is `shown`. Returns false
// after a complaint.
static bool check_excluded(struct parser *parser, const struct keyword *keyword, const char *shown)
{
    for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
        const struct first_keyword *other = &parser->first[kind];
        bool is_order = kind == KIND_SOLVED || keyword->kind == KIND_SOLVED;
        if (other->line > 0 && (keyword->not_with & 1u << kind)) {
            (void)parser_complain(parser, "`%s` %s `%.*s` (", shown,
                                  is_order ? "must come before" : "can't be used with",
                                  (int)other->word.length, other->word.text);
            return error_add_line(parser->error, other->line, ")%s",
                                  parser->definition->board && keyword->advice ? keyword->advice
                                                                               : "");
        }
    }
    return true;
}

// Checks that a keyword of the kind that must come first (keyword->after) has come; a board will do
// instead. `shown` is the word of the current keyword. Returns false after a complaint.
static bool check_required(struct parser *parser, const struct keyword *keyword, const char *shown)
{
    char list[KEYWORD_LIST];
    if (!keyword->after || parser->definition->board || parser->first[keyword->after].line > 0) {
        return true;
    }
    const char *needed = keyword->after == KIND_SET ? "Set" : "Solved";
    if (keyword->not_with & 1u << KIND_BOARD) { // a board would not help
        return parser_complain(parser, "`%s` must come after `%s`", shown, needed);
    }
    return parser_complain(parser, "`%s` must come after %s", shown,
                           list_boards(parser, needed, list));
}

// Checks that the keyword of the current line may stand here, and how many words the line has. Then
// makes it the parser's keyword, and notes where the first of its kind stands.
static bool check_keyword(struct parser *parser, const struct keyword *keyword)
{
    struct first_keyword *first = &parser->first[keyword->kind];
    unsigned count = parser->word_count;
    char shown[ESCAPED_WORD];
    word_escape(shown, parser->words[0]);
    if (!check_excluded(parser, keyword, shown) || !check_required(parser, keyword, shown)) {
        return false;
    }
    if (keyword->once && first->line > 0) {
        (void)parser_complain(parser, "%s appears twice (first on ", keyword->once);
        return error_add_line(parser->error, first->line, ")");
    }
    if (count < keyword->words_least || count > keyword->words_most) {
        return parser_complain(parser, "expected `%s`%s", keyword->form,
                               count > keyword->words_most ? " and nothing after it" : "");
    }
    parser->keyword = keyword;
    if (first->line == 0) {
        *first = (struct first_keyword){parser->words[0], parser->line};
    }
    return true;
}

// Reads the current line and, if its keyword begins a block, the lines of the block.
static bool read_keyword(struct parser *parser)
{
    const struct keyword *keyword = parser_find_keyword(parser, parser->words[0]);
    if (!keyword) {
        return complain_unknown(parser);
    }
    if (!keyword->read) {
        return parser_complain(parser, "`%s` is not supported: %s", keyword->word, keyword->advice);
    }
    return check_keyword(parser, keyword) && keyword->read(parser);
}

// ---- The text -----------------------------------------------------------------------------------

// Checks that a definition without a board has a set, a solved state and a move.
static bool check_permutation_puzzle(struct parser *parser)
{
    const struct definition *definition = parser->definition;
    char either[KEYWORD_LIST];
    if (definition->set_count == 0) {
        return parser_complain(parser, "the definition has no %s",
                               list_boards(parser, "Set", either));
    }
    if (parser->first[KIND_SOLVED].line == 0) {
        return parser_complain(parser, "the definition has no `Solved` block");
    }
    if (definition->moves.count == 0) {
        return parser_complain(parser, "the definition has no `Move` block");
    }
    return true;
}

// Reads all lines, and then computes what needs the whole text.
static bool read_text(struct parser *parser)
{
    for (;;) {
        if (!parser_next_line(parser)) {
            return false;
        }
        if (parser->word_count == 0) { // the end of the text
            break;
        }
        if (!read_keyword(parser)) {
            return false;
        }
    }
    if (parser->definition->board) { // it has its moves already
        return true;
    }
    return check_permutation_puzzle(parser) && parser_finish_moves(parser);
}

bool definition_find_name(const char *text, size_t length, struct word *name)
{
    struct fewest_error ignored;
    struct parser parser = {.next = text + ascii_mark_length(text, length),
                            .end = text + length,
                            .words = malloc(WORDS_MOST * sizeof *parser.words),
                            .error = &ignored};
    bool done = parser.words;
    *name = (struct word){"", 0};
    // In a block, a line can name a set that is called Name. Then the line has no second word.
    while (done && name->length == 0 && parser_next_line(&parser) && parser.word_count > 0) {
        if (word_is(parser.words[0], "Name") && parser.word_count > 1) {
            *name = parser_rest(&parser, 1);
        }
    }
    free(parser.words);
    return done;
}

bool definition_read(struct definition *definition, const struct board_keyword *const *boards,
                     const char *text, size_t length, struct fewest_error *error)
{
    struct parser parser = {.definition = definition,
                            .keywords = KEYWORDS,
                            .boards = boards,
                            .next = text + ascii_mark_length(text, length),
                            .end = text + length,
                            .error = error};
    *definition = (struct definition){0};
    if (length > DEFINITION_LONGEST) {
        return error_set_line(error, FEWEST_BAD_INPUT, 1,
                              "the definition has more than %d bytes, the most that is allowed",
                              DEFINITION_LONGEST);
    }
    parser.words = malloc(WORDS_MOST * sizeof *parser.words);
    bool done = parser.words ? read_text(&parser) : parser_no_memory(&parser);
    free(parser.words);
    free(parser.declared);
    if (!done) {
        definition_free(definition);
        return false;
    }
    if (!definition->name[0]) {
        memcpy(definition->name, "Unnamed", sizeof "Unnamed");
    }
    return true;
}

static void free_moves(struct move_list *list)
{
    for (unsigned m = 0; m < list->count; m++) {
        rows_free(&list->listed[m].rows);
        rows_free(&list->listed[m].turn);
    }
    free(list->listed);
}

void definition_free(struct definition *definition)
{
    free_moves(&definition->moves);
    free_moves(&definition->others);
    for (unsigned g = 0; g < definition->goal_count; g++) {
        rows_free(&definition->goals[g]);
    }
    rows_free(&definition->solved);
    free(definition->projection.piece);
    for (unsigned d = 0; d < DATABASES_MOST; d++) {
        free(definition->databases[d].piece);
    }
    free(definition->orientation_ignored);
    free(definition->generators);
    free(definition->illegal);
    free(definition->drawing_cells);
    free(definition->sets);
}
