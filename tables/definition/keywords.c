// The keywords of a definition: what each reads, and where it may stand.
#include "definition/definition.h"

#include "base/ascii.h"
#include "base/nearest.h"
#include "definition/parser.h"
#include "definition/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYWORD_LIST = 128 };

// Lists a keyword and the keywords of boards: "`Set`, `Slide` or `Roll`".
static const char *list_boards(const struct parser *parser, const char *first,
                               char text[KEYWORD_LIST])
{
    const char *last = NULL; // not yet in the text
    size_t used = (size_t)snprintf(text, KEYWORD_LIST, "`%s`", first);
    for (unsigned b = 0; parser->boards[b] && used < KEYWORD_LIST; b++) {
        if (last) {
            used += (size_t)snprintf(text + used, KEYWORD_LIST - used, ", `%s`", last);
        }
        last = parser->boards[b]->word;
    }
    if (last && used < KEYWORD_LIST) {
        snprintf(text + used, KEYWORD_LIST - used, " or `%s`", last);
    }
    return text;
}

// `Name WORD ...`: the words become one, with underscores between them.
static bool keyword_name(struct parser *parser)
{
    char joined[NAME_LONGEST + 2]; // one byte too many is an error
    struct word name = {joined, 0};
    if (!parser_check_first(parser, "Name", &parser->name_line)) {
        return false;
    }
    if (parser->word_count < 2) {
        return complain(parser, "expected `Name NAME`");
    }
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

// May a set of this name be added here?
static bool check_place_of_set(struct parser *parser)
{
    char shown[ESCAPED_WORD];
    struct word name = parser->words[1];
    const struct piece_set *same = parser_find_set(parser, name);
    if (parser->definition->board) {
        return complain(parser, "`Set` can't be used with `%s`, which has its set %s already",
                        parser->definition->board->word, parser->definition->sets[0].name);
    }
    if (parser->solved_line > 0) {
        return complain(parser, "`Set` must come before `Solved` (line %u)", parser->solved_line);
    }
    if (word_is(name, "End") || word_is_number(name)) {
        return complain(
            parser,
            "expected a set name that is not `End` and does not begin with a digit, '?' "
            "or '(', got '%s'",
            word_escape(shown, name));
    }
    return !same ||
           complain(parser, "set %s appears twice (first on line %u)", same->name, same->line);
}

static bool no_memory(struct parser *parser)
{
    return error_set(parser->error, FEWEST_SYSTEM, "not enough memory for the definition");
}

// Makes room for one more entry of a list, whose memory doubles at each power of two. NULL without
// memory.
static void *make_room(void *list, unsigned count, size_t size)
{
    bool full = (count & (count - 1)) == 0;
    return full ? realloc(list, (count > 0 ? 2 * (size_t)count : 1) * size) : list;
}

// Adds an empty set. NULL after a complaint.
static struct piece_set *add_set(struct parser *parser)
{
    struct definition *definition = parser->definition;
    struct piece_set *larger =
        make_room(definition->sets, definition->set_count, sizeof *definition->sets);
    if (!larger) {
        (void)no_memory(parser);
        return NULL;
    }
    definition->sets = larger;
    definition->sets[definition->set_count] = (struct piece_set){.name = ""};
    return &definition->sets[definition->set_count++];
}

static bool keyword_set(struct parser *parser)
{
    static const struct expected_number pieces = {"a number of pieces", 1, PIECES_OF_SET_MOST,
                                                  false};
    static const struct expected_number orientations = {"a number of orientations", 1,
                                                        ORIENTATIONS_MOST, false};
    struct definition *definition = parser->definition;
    if (!parser_expect_words(parser, 4, "Set NAME PIECES ORIENTATIONS")) {
        return false;
    }
    if (!check_place_of_set(parser)) {
        return false;
    }
    if (definition->set_count == SETS_MOST) {
        return complain(parser, "too many sets: at most %d", SETS_MOST);
    }
    struct piece_set *set = add_set(parser);
    if (!set) {
        return false;
    }
    if (!parser_read_name(parser, parser->words[1], set->name) ||
        !parser_read_number(parser, parser->words[2], pieces, &set->pieces) ||
        !parser_read_number(parser, parser->words[3], orientations, &set->orientations)) {
        return false;
    }
    if (set->pieces > PIECES_MOST - definition->piece_count) {
        return complain(parser, "too many pieces: all sets together may have at most %d",
                        PIECES_MOST);
    }
    for (unsigned piece = 1; piece <= set->pieces; piece++) {
        set->piece_of[piece] = (uint8_t)piece;
    }
    set->least = 1;
    set->line = parser->line;
    set->first = definition->piece_count;
    definition->piece_count += set->pieces;
    return true;
}

// Makes the solved state and whatever else has an entry for each slot. No sets may follow.
static bool make_solved(struct parser *parser)
{
    struct definition *definition = parser->definition;
    definition->orientation_ignored =
        calloc(definition->piece_count, sizeof *definition->orientation_ignored);
    return (definition->orientation_ignored && rows_make(definition, &definition->solved)) ||
           no_memory(parser);
}

// Reads a board, which is the only set, and makes its solved state. `Solved` may give another.
static bool read_board(struct parser *parser, const struct board_keyword *board)
{
    struct definition *definition = parser->definition;
    struct expected_number expected = {"a number", 1, PIECES_OF_SET_MOST, false};
    unsigned size[3] = {1, 1, 1};
    if (definition->set_count > 0) {
        return complain(parser, "`%s` can't be used with the `%s` on line %u", board->word,
                        definition->board ? definition->board->word : "Set",
                        definition->sets[0].line);
    }
    if (parser->word_count < 3 || parser->word_count > 1 + board->sizes) {
        return complain(parser, "expected `%s`", board->form);
    }
    for (unsigned i = 0; i + 1 < parser->word_count; i++) {
        if (!parser_read_number(parser, parser->words[i + 1], expected, &size[i])) {
            return false;
        }
    }
    unsigned cells = size[0] * size[1] * size[2];
    if (cells < 2 || cells > PIECES_OF_SET_MOST) {
        return complain(parser, "expected a board of 2 to %d cells, got %u", PIECES_OF_SET_MOST,
                        cells);
    }
    struct piece_set *set = add_set(parser);
    if (!set) {
        return false;
    }
    definition->board = board;
    definition->rows = size[0];
    definition->columns = size[1];
    definition->layers = size[2];
    *set = (struct piece_set){.pieces = cells, .orientations = 1, .line = parser->line};
    snprintf(set->name, sizeof set->name, "%s", board->set_name);
    definition->piece_count = cells;
    if (!make_solved(parser)) {
        return false;
    }
    for (unsigned i = 0; i < cells; i++) {
        definition->solved.piece[i] = (uint8_t)((i + 1) % cells);
    }
    if (board->colours > 0) {
        board->fill_solved(definition);
    }
    return true;
}

static bool keyword_solved(struct parser *parser)
{
    bool from_zero = word_is(parser->words[0], "StartState");
    const char *keyword = from_zero ? "StartState" : "Solved";
    char before[KEYWORD_LIST];
    if (parser->definition->set_count == 0) {
        return complain(parser, "`%s` must come after %s", keyword,
                        list_boards(parser, "Set", before));
    }
    if (parser->solved_line > 0) {
        return complain(parser, "the solved state appears twice (first on line %u)",
                        parser->solved_line);
    }
    parser->solved_line = parser->line;
    return parser_expect_words(parser, 1, keyword) &&
           (parser->definition->board || make_solved(parser)) &&
           parser_read_rows(parser, from_zero ? ROWS_START_STATE : ROWS_SOLVED,
                            &parser->definition->solved);
}

static bool keyword_goal(struct parser *parser)
{
    struct definition *definition = parser->definition;
    char before[KEYWORD_LIST];
    if (parser->solved_line == 0 && !definition->board) {
        return complain(parser, "`Goal` must come after %s", list_boards(parser, "Solved", before));
    }
    if (definition->projection.line > 0 || definition->database_count > 0) {
        bool track = definition->projection.line > 0;
        return complain(parser, "`Goal` can't be used with `%s` (line %u)",
                        track ? "Track" : "Database",
                        track ? definition->projection.line : definition->databases[0].line);
    }
    if (definition->illegal_line > 0) {
        return complain(parser, "`Goal` can't be used with `Illegal` (line %u)",
                        definition->illegal_line);
    }
    if (definition->goal_count == GOALS_MOST) {
        return complain(parser, "too many goals: at most %d `Goal` blocks", GOALS_MOST);
    }
    struct rows *goal = &definition->goals[definition->goal_count];
    definition->goal_lines[definition->goal_count++] = parser->line;
    return parser_expect_words(parser, 1, "Goal") &&
           (rows_make(definition, goal) || no_memory(parser)) &&
           parser_read_rows(parser, ROWS_GOAL, goal);
}

static bool keyword_letters(struct parser *parser)
{
    char shown[ESCAPED_WORD];
    if (parser->word_count < 3) {
        return complain(parser, "expected `Letters SET LETTER LETTER ...`");
    }
    struct piece_set *set =
        parser_need_set(parser, parser->words[1], "; `Letters` must come after its `Set`");
    if (!set) {
        return false;
    }
    if (set->letters_line > 0) {
        return complain(parser, "set %s has `Letters` twice (first on line %u)", set->name,
                        set->letters_line);
    }
    set->letters_line = parser->line;
    for (unsigned i = 2; i < parser->word_count && i - 2 < PIECES_OF_SET_MOST; i++) {
        struct word word = parser->words[i];
        char letter = word.text[0];
        if (word.length != 1 || letter <= ' ' || letter > '~' || letter == '@' || letter == '*' ||
            letter == ',' || letter == '/') {
            return complain(
                parser,
                "expected one printable ASCII character other than @ * , / as a letter, got '%s'",
                word_escape(shown, word));
        }
        if (memchr(set->letters, letter, i - 2)) {
            return complain(parser, "the letter %c appears twice", letter);
        }
        set->letters[i - 2] = letter;
    }
    return true;
}

// Adds a move to a list. NULL after a complaint.
static struct listed_move *add_listed(struct parser *parser, struct word name,
                                      struct move_list *list)
{
    unsigned count = list->count;
    struct listed_move move = {.line = parser->line};
    if (!parser_read_name(parser, name, move.name)) {
        return NULL;
    }
    if (strcmp(move.name, "-") == 0 || move.name[0] == '@' || move.name[0] == ',') {
        (void)complain(parser,
                       "a move can't be called %s, because --moves could not read it: expected a "
                       "name that is not `-` and does not begin with '@' or ','",
                       move.name);
        return NULL;
    }
    const struct listed_move *same =
        rows_find_name(parser->definition, move.name, strlen(move.name));
    if (same) {
        (void)complain(parser, "the name %s appears twice (first on line %u)", move.name,
                       same->line);
        return NULL;
    }
    if (count == LISTED_MOVES_MOST) {
        (void)complain(parser, "too many %s: at most %d",
                       list == &parser->definition->moves ? "moves" : "rotations and aliases",
                       LISTED_MOVES_MOST);
        return NULL;
    }
    struct listed_move *larger = make_room(list->listed, count, sizeof *larger);
    list->listed = larger ? larger : list->listed;
    if (!larger || !rows_make(parser->definition, &move.rows)) {
        (void)no_memory(parser);
        return NULL;
    }
    list->listed[list->count] = move;
    return &list->listed[list->count++];
}

bool definition_is_rotation(const char *name, size_t length)
{
    size_t capitals = 0;
    while (capitals < length &&
           ((name[capitals] >= 'A' && name[capitals] <= 'Z') || name[capitals] == '_')) {
        capitals++;
    }
    bool axis = name[0] >= 'x' && name[0] <= 'z' &&
                (length == 1 || (length == 2 && (name[1] == '2' || name[1] == '\'')));
    return axis || (capitals > 0 && capitals + 1 == length && name[capitals] == 'v');
}

static bool check_place_of_move(struct parser *parser)
{
    char shown[ESCAPED_WORD];
    if (parser->definition->board) {
        return complain(parser, "`%s` can't be used with `%s`, which has its moves already",
                        word_escape(shown, parser->words[0]), parser->definition->board->word);
    }
    return parser->solved_line > 0 ||
           complain(parser, "`%s` must come after `Solved`", word_escape(shown, parser->words[0]));
}

static bool keyword_move(struct parser *parser)
{
    struct definition *definition = parser->definition;
    bool from_zero = word_is(parser->words[0], "MoveTransformation");
    if (!check_place_of_move(parser) ||
        !parser_expect_words(parser, 2, from_zero ? "MoveTransformation NAME" : "Move NAME")) {
        return false;
    }
    bool rotation = definition_is_rotation(parser->words[1].text, parser->words[1].length);
    struct listed_move *move =
        add_listed(parser, parser->words[1], rotation ? &definition->others : &definition->moves);
    if (move) {
        move->is_rotation = rotation;
    }
    return move &&
           parser_read_rows(parser, from_zero ? ROWS_TRANSFORMATION : ROWS_MOVE, &move->rows);
}

// `MoveAlias NAME MOVE` and `MoveSequence NAME MOVE ...`. A sequence is a move.
static bool keyword_sequence(struct parser *parser)
{
    bool alias = word_is(parser->words[0], "MoveAlias");
    if (!check_place_of_move(parser)) {
        return false;
    }
    if (parser->word_count < 3 || (alias && parser->word_count > 3)) {
        return complain(parser, "expected `%s`",
                        alias ? "MoveAlias NAME MOVE" : "MoveSequence NAME MOVE MOVE ...");
    }
    if (parser->word_count == WORDS_MOST) {
        return complain(parser, "too many moves in a sequence: at most %d", WORDS_MOST - 3);
    }
    const struct word *last = &parser->words[parser->word_count - 1];
    bool rotation =
        !alias && definition_is_rotation(parser->words[1].text, parser->words[1].length);
    struct listed_move *sequence =
        add_listed(parser, parser->words[1],
                   alias || rotation ? &parser->definition->others : &parser->definition->moves);
    if (!sequence) {
        return false;
    }
    sequence->is_rotation = rotation;
    sequence->text = parser->words[2].text;
    sequence->text_end = last->text + last->length;
    return true;
}

// Adds a sequence in parentheses, such as (R.U.R'). A power may follow.
static bool add_in_parentheses(struct parser *parser, struct word word)
{
    char shown[ESCAPED_WORD];
    struct word name = word;
    while (name.length > 0 && name.text[name.length - 1] != ')') {
        name.length--;
    }
    if (name.length == 0) {
        return complain(parser,
                        "expected a sequence such as (R.U.R'), with dots between its moves, got "
                        "'%s'",
                        word_escape(shown, word));
    }
    struct listed_move *sequence = add_listed(parser, name, &parser->definition->others);
    if (sequence) {
        sequence->in_parentheses = true;
        sequence->text = name.text + 1;
        sequence->text_end = name.text + name.length - 1;
    }
    return sequence;
}

// `Generators MOVE MOVE ...`. The moves may be defined later, so this only finds the words.
static bool keyword_generators(struct parser *parser)
{
    if (!check_place_of_move(parser) ||
        !parser_check_first(parser, "Generators", &parser->definition->generators_line)) {
        return false;
    }
    if (parser->word_count < 2) {
        return complain(parser, "expected `Generators MOVE MOVE ...`");
    }
    if (parser->word_count == WORDS_MOST) { // there may be more, which were not read
        return complain(parser, "too many words after `Generators`: at most %d", WORDS_MOST - 2);
    }
    const struct word *first = &parser->words[1];
    const struct word *last = &parser->words[parser->word_count - 1];
    parser->generators =
        (struct word){first->text, (size_t)(last->text + last->length - first->text)};
    return true;
}

// Adds the sequences in parentheses that `Generators` names.
static bool add_sequences(struct parser *parser)
{
    const char *next = parser->generators.text;
    const char *end = next ? next + parser->generators.length : NULL;
    struct word word;
    parser->line = parser->definition->generators_line; // for messages
    while (next && rows_next_move(parser->definition, &next, end, &word.text, &word.length)) {
        if (word.text[0] == '(' &&
            !rows_find_move(parser->definition, word.text, word.length).move &&
            !add_in_parentheses(parser, word)) {
            return false;
        }
    }
    return true;
}

// Multiplies the rows of a sequence by those of the next move in it.
static void append_move(const struct definition *definition, struct listed_move *sequence,
                        const struct move_word *next)
{
    uint8_t bytes[2 * ROWS_BYTES_MOST];
    struct rows before = rows_in(definition, bytes, 0);
    struct rows rows = rows_in(definition, bytes, 1);
    rows_of_move(definition, next, &rows);
    rows_copy(definition, &sequence->rows, &before);
    rows_multiply(definition, &before, &rows, &sequence->rows);
}

// Lists the moves, rotations and aliases: "U R F ...".
static const char *list_names(const struct definition *definition, char *text, size_t size)
{
    const struct move_list *const lists[] = {&definition->moves, &definition->others};
    size_t used = 0;
    for (unsigned l = 0; l < 2; l++) {
        for (unsigned m = 0; m < lists[l]->count; m++) {
            const struct listed_move *listed = &lists[l]->listed[m];
            if (listed->in_parentheses) {
                continue;
            }
            if (used + strlen(listed->name) + sizeof "  ..." > size) {
                snprintf(text + used, size - used, " ...");
                return text;
            }
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "",
                                     listed->name);
        }
    }
    return text;
}

static bool complain_no_name(const struct parser *parser, unsigned line, struct word word,
                             bool generator)
{
    enum { NAMES = 256 };
    char shown[ESCAPED_WORD];
    char names[NAMES] = "";
    word_escape(shown, word);
    return generator
               ? error_set_line(parser->error, FEWEST_BAD_INPUT, line,
                                "no move, rotation, alias or sequence is called '%s'; there are: "
                                "%s",
                                shown, list_names(parser->definition, names, sizeof names))
               : error_set_line(parser->error, FEWEST_BAD_INPUT, line,
                                "no move, rotation, alias or sequence is called '%s'", shown);
}

// Takes the next word of a sequence in parentheses, where a dot separates two words. The name of a
// move may hold dots too. *other is the shortest text that could be a move, and *word the longest;
// both end at the first dot if none is a move.
static bool next_in_parentheses(const struct definition *definition,
                                const struct listed_move *sequence, const char **next,
                                struct word *word, struct word *other)
{
    size_t left = *next <= sequence->text_end ? (size_t)(sequence->text_end - *next) : 0;
    const char *dot = memchr(*next, '.', left);
    bool found = false;
    *word = *other = (struct word){*next, dot ? (size_t)(dot - *next) : left};
    for (size_t length = 1; length <= left; length++) {
        if ((length == left || (*next)[length] == '.') &&
            rows_find_move(definition, *next, length).move) {
            word->length = length;
            other->length = found ? other->length : length;
            found = true;
        }
    }
    bool more = *next <= sequence->text_end;
    *next += word->length + 1;
    return more;
}

// Takes the next word of a sequence.
static bool next_word(const struct definition *definition, const struct listed_move *sequence,
                      const char **next, struct word *word, struct word *other)
{
    if (sequence->in_parentheses) {
        return next_in_parentheses(definition, sequence, next, word, other);
    }
    bool more = rows_next_move(definition, next, sequence->text_end, &word->text, &word->length);
    *other = *word;
    return more;
}

static bool complain_two_words(const struct parser *parser, unsigned line, struct word word,
                               struct word other)
{
    char longer[ESCAPED_WORD];
    char shorter[ESCAPED_WORD];
    return error_set_line(parser->error, FEWEST_BAD_INPUT, line,
                          "in parentheses, dots separate moves, so this can begin with '%s' or "
                          "with '%s'; give the one that you mean an alias: `MoveAlias NAME %s`",
                          word_escape(longer, word), word_escape(shorter, other), longer);
}

// Computes the rows of an alias or a sequence, after those of the sequences that it names.
static bool resolve_sequence(struct parser *parser, struct listed_move *sequence)
{
    struct definition *definition = parser->definition;
    const char *next = sequence->text;
    struct word word;
    struct word other;
    char shown[ESCAPED_WORD];
    rows_set_identity(definition, &sequence->rows);
    sequence->being_read = true;
    while (next_word(definition, sequence, &next, &word, &other)) {
        if (other.length < word.length) {
            return complain_two_words(parser, sequence->line, word, other);
        }
        if (parser->sequence_moves++ == SEQUENCE_MOVES_MOST) {
            return error_set_line(parser->error, FEWEST_BEYOND, sequence->line,
                                  "all sequences together may have at most %d moves",
                                  SEQUENCE_MOVES_MOST);
        }
        struct move_word found = rows_find_move(definition, word.text, word.length);
        struct listed_move *named = (struct listed_move *)found.move; // an entry of our own lists
        if (!named) {
            return complain_no_name(parser, sequence->line, word, sequence->in_parentheses);
        }
        if (named->being_read) {
            return error_set_line(parser->error, FEWEST_BAD_INPUT, sequence->line,
                                  "with '%s' here, %s (line %u) would contain itself",
                                  word_escape(shown, word), named->name, named->line);
        }
        if (named->text && !resolve_sequence(parser, named)) {
            return false;
        }
        append_move(definition, sequence, &found);
    }
    sequence->text = NULL;
    sequence->being_read = false;
    return true;
}

static bool resolve_sequences(struct parser *parser, const struct move_list *list)
{
    for (unsigned i = 0; i < list->count; i++) {
        if (list->listed[i].text && !resolve_sequence(parser, &list->listed[i])) {
            return false;
        }
    }
    return true;
}

// A rotation or alias that is called like a power of another name must be that power.
static bool check_aliases(struct parser *parser)
{
    const struct definition *definition = parser->definition;
    for (unsigned i = 0; i < definition->others.count; i++) {
        const struct listed_move *alias = &definition->others.listed[i];
        const struct move_word itself = {alias, 1, false};
        struct move_word power = {.move = alias};
        while (power.move) {
            size_t shorter = strlen(power.move->name) - 1;
            power = rows_find_power(definition, alias->name, strlen(alias->name), shorter);
            if (power.move && !rows_are_alike(definition, &itself, &power)) {
                return error_set_line(parser->error, FEWEST_BAD_INPUT, alias->line,
                                      "%s is a power of %s (line %u), but means something else "
                                      "here; rename it",
                                      alias->name, power.move->name, power.move->line);
            }
        }
    }
    return true;
}

static bool add_generator(struct parser *parser, struct word word)
{
    struct definition *definition = parser->definition;
    uint8_t bytes[ROWS_BYTES_MOST];
    char shown[ESCAPED_WORD];
    struct rows rows = rows_in(definition, bytes, 0);
    struct move_word generator = rows_find_move(definition, word.text, word.length);
    if (!generator.move) {
        return complain_no_name(parser, definition->generators_line, word, true);
    }
    rows_of_move(definition, &generator, &rows);
    if (rows_are_identity(definition, &rows, false)) {
        return error_set_line(parser->error, FEWEST_BAD_INPUT, definition->generators_line,
                              "'%s' changes nothing, so it can't be a generator",
                              word_escape(shown, word));
    }
    definition->generators[definition->generator_count++] = generator;
    return true;
}

// Finds the moves that count: those of `Generators` or, without it, all listed moves.
static bool find_generators(struct parser *parser)
{
    struct definition *definition = parser->definition;
    const struct move_list *moves = &definition->moves;
    const char *next = parser->generators.text;
    const char *end = next ? next + parser->generators.length : NULL;
    struct word word;
    size_t most = next ? parser->generators.length : moves->count; // a word takes one byte at least
    definition->generators = calloc(most, sizeof *definition->generators);
    if (!definition->generators) {
        return no_memory(parser);
    }
    for (unsigned m = 0; m < moves->count && !next; m++) {
        definition->generators[definition->generator_count++] =
            (struct move_word){&moves->listed[m], 1, false};
    }
    while (next && rows_next_move(definition, &next, end, &word.text, &word.length)) {
        if (!add_generator(parser, word)) {
            return false;
        }
    }
    return true;
}

static bool keyword_powers(struct parser *parser)
{
    if (!parser_check_first(parser, "Powers", &parser->definition->powers_line)) {
        return false;
    }
    if (parser->word_count != 2 ||
        (!word_is(parser->words[1], "none") && !word_is(parser->words[1], "all"))) {
        return complain(parser, "expected `Powers none` or `Powers all`");
    }
    parser->definition->only_listed = word_is(parser->words[1], "none");
    return true;
}

// Reads the cells of a `Board`, one for each place.
static bool read_board_cells(struct parser *parser)
{
    enum { BEFORE = 3 }; // words
    static const struct expected_number expected = {"`.` or a cell", 1, 2 * PIECES_MOST, false};
    struct definition *definition = parser->definition;
    unsigned places = definition->board_rows * definition->board_columns;
    if (parser->word_count != BEFORE + places || parser->word_count == WORDS_MOST) {
        return complain(
            parser, "expected %u cells after `Board %u %u`, one for each place, got %u%s", places,
            definition->board_rows, definition->board_columns, parser->word_count - BEFORE,
            parser->word_count == WORDS_MOST ? " or more" : "");
    }
    definition->board_cells = calloc(places, sizeof *definition->board_cells);
    if (!definition->board_cells) {
        return no_memory(parser);
    }
    for (unsigned i = 0; i < places; i++) {
        struct word word = parser->words[BEFORE + i];
        unsigned cell = 0;
        if (!word_is(word, ".") && !parser_read_number(parser, word, expected, &cell)) {
            return false;
        }
        definition->board_cells[i] = (uint16_t)cell;
    }
    return true;
}

// `Board ROWS COLUMNS [CELL ...]`
static bool keyword_board(struct parser *parser)
{
    static const struct expected_number expected = {"a number", 1, PIECES_MOST, false};
    struct definition *definition = parser->definition;
    if (!parser_check_first(parser, "Board", &definition->board_line)) {
        return false;
    }
    if (parser->word_count < 3) {
        return complain(parser, "expected `Board ROWS COLUMNS [CELL ...]`");
    }
    return parser_read_number(parser, parser->words[1], expected, &definition->board_rows) &&
           parser_read_number(parser, parser->words[2], expected, &definition->board_columns) &&
           (parser->word_count == 3 || read_board_cells(parser));
}

static const char UNNEEDED[] = "it is not needed, so delete it up to its `End`";
static const char NO_LIMITS[] = "all sequences of moves count; `Generators MOVE MOVE ...` leaves "
                                "out the other moves";

static const struct {
    const char *word;
    bool (*read)(struct parser *);
    const char *instead; // of a keyword of twsearch or ksolve that is not supported
} KEYWORDS[] = {
    {"Name", keyword_name, NULL},
    {"Set", keyword_set, NULL},
    {"Letters", keyword_letters, NULL},
    {"Board", keyword_board, NULL},
    {"Solved", keyword_solved, NULL},
    {"StartState", keyword_solved, NULL},
    {"Goal", keyword_goal, NULL},
    {"Track", parser_read_track, NULL},
    {"Database", parser_read_database, NULL},
    {"Powers", keyword_powers, NULL},
    {"Move", keyword_move, NULL},
    {"MoveTransformation", keyword_move, NULL},
    {"MoveAlias", keyword_sequence, NULL},
    {"MoveSequence", keyword_sequence, NULL},
    {"Generators", keyword_generators, NULL},
    {"Illegal", parser_read_illegal, NULL},
    {"SwizzleSet", NULL, "a table holds all states that the moves reach"},
    {"Ignore", NULL,
     "in `Solved`, write `?` for an orientation that does not count, and one number for pieces "
     "that "
     "look alike"},
    {"Block", NULL, "`Illegal SET SLOT PIECE ...` forbids states instead"},
    {"MoveLimits", NULL, NO_LIMITS},
    {"ForbiddenPairs", NULL, NO_LIMITS},
    {"ForbiddenGroups", NULL, NO_LIMITS},
    {"Parity", NULL, UNNEEDED},
    {"MoveParities", NULL, UNNEEDED},
    {"Multiplicators", NULL, UNNEEDED},
    {"MultiplicativeGroups", NULL, UNNEEDED},
    {"ParallelMoves", NULL, UNNEEDED},
};

// Finds the keyword of a family, such as `Slide`. NULL if the word is none.
static const struct board_keyword *find_board_keyword(const struct parser *parser, struct word word)
{
    unsigned b = 0;
    while (parser->boards[b] && !word_is(word, parser->boards[b]->word)) {
        b++;
    }
    return parser->boards[b];
}

bool parser_is_keyword(const struct parser *parser, struct word word)
{
    for (size_t i = 0; i < sizeof KEYWORDS / sizeof *KEYWORDS; i++) {
        if (word_is(word, KEYWORDS[i].word)) {
            return true;
        }
    }
    return find_board_keyword(parser, word);
}

static bool read_keyword(struct parser *parser)
{
    char shown[ESCAPED_WORD];
    char hint[2 * NEAREST_NAME];
    struct nearest nearest = {.typed = shown};
    const struct board_keyword *board = find_board_keyword(parser, parser->words[0]);
    if (board) {
        return read_board(parser, board);
    }
    for (size_t i = 0; i < sizeof KEYWORDS / sizeof *KEYWORDS; i++) {
        if (word_is(parser->words[0], KEYWORDS[i].word)) {
            return KEYWORDS[i].read ? KEYWORDS[i].read(parser)
                                    : complain(parser, "`%s` is not supported: %s",
                                               KEYWORDS[i].word, KEYWORDS[i].instead);
        }
    }
    word_escape(shown, parser->words[0]);
    if (word_is(parser->words[0], "End") || word_is_number(parser->words[0]) ||
        parser_find_set(parser, parser->words[0])) {
        return complain(parser, "'%s' is outside of a block such as `Solved` or `Move`", shown);
    }
    for (size_t i = 0; i < sizeof KEYWORDS / sizeof *KEYWORDS && KEYWORDS[i].read; i++) {
        nearest_offer(&nearest, KEYWORDS[i].word);
    }
    for (unsigned b = 0; parser->boards[b]; b++) {
        nearest_offer(&nearest, parser->boards[b]->word);
    }
    return complain(parser, "unknown keyword '%s'%s", shown, nearest_text(&nearest, hint));
}

static bool check_board(struct parser *parser)
{
    const struct definition *definition = parser->definition;
    unsigned line = definition->board_line > 0 ? definition->board_line : definition->powers_line;
    return line == 0 ||
           error_set_line(parser->error, FEWEST_BAD_INPUT, line, "`%s` can't be used with `%s`",
                          definition->board_line > 0 ? "Board" : "Powers", definition->board->word);
}

static bool check_permutation_puzzle(struct parser *parser)
{
    const struct definition *definition = parser->definition;
    char either[KEYWORD_LIST];
    if (definition->set_count == 0) {
        return complain(parser, "the definition has no %s", list_boards(parser, "Set", either));
    }
    if (parser->solved_line == 0) {
        return complain(parser, "the definition has no `Solved` block");
    }
    for (unsigned i = 0; i < definition->others.count && definition->moves.count == 0; i++) {
        const struct listed_move *rotation = &definition->others.listed[i];
        if (rotation->is_rotation) {
            return error_set_line(
                parser->error, FEWEST_BAD_INPUT, rotation->line,
                "the definition has no move: by its name, %s is a rotation of the whole puzzle",
                rotation->name);
        }
    }
    return definition->moves.count > 0 || complain(parser, "the definition has no `Move` block");
}

static bool read_text(struct parser *parser)
{
    while (parser_next_line(parser)) {
        if (!read_keyword(parser)) {
            return false;
        }
    }
    if (parser->definition->board) {
        return check_board(parser);
    }
    return check_permutation_puzzle(parser) && add_sequences(parser) &&
           resolve_sequences(parser, &parser->definition->moves) &&
           resolve_sequences(parser, &parser->definition->others) && check_aliases(parser) &&
           find_generators(parser);
}

// Returns the bytes of the longest line, its line end included. A line of n bytes has at most n/2
// words, rounded up.
static size_t longest_line(const char *text, size_t length)
{
    size_t longest = 1;
    while (length > 0) {
        const char *stop = memchr(text, '\n', length);
        size_t bytes = stop ? (size_t)(stop + 1 - text) : length;
        longest = bytes > longest ? bytes : longest;
        text += bytes;
        length -= bytes;
    }
    return longest;
}

bool definition_read(struct definition *definition, const struct board_keyword *const *boards,
                     const char *text, size_t length, struct fewest_error *error)
{
    struct parser parser = {.definition = definition,
                            .boards = boards,
                            .next = text + ascii_mark_length(text, length),
                            .end = text + length,
                            .error = error};
    *definition = (struct definition){0};
    if (length > DEFINITION_LONGEST) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "line 1: the definition has more than %d bytes, the most that is allowed",
                         DEFINITION_LONGEST);
    }
    parser.words = malloc((longest_line(text, length) + 1) / 2 * sizeof *parser.words);
    bool done = parser.words ? read_text(&parser) : no_memory(&parser);
    free(parser.words);
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
    free(definition->board_cells);
    free(definition->sets);
}
