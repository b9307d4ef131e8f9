#include "definition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORDS_MOST = PIECES_MOST + 1, // one more than any line may hold, so that a longer one is noticed
    ESCAPED_WORD = 80,
};

struct word {
    const char *text;
    size_t length;
};

struct parser {
    struct definition *definition;
    const char *next; // the rest of the text
    const char *end;
    unsigned line;
    struct word words[WORDS_MOST]; // of the line at hand
    unsigned word_count;
    bool have_solved;
    struct fault *fault;
};

// Reports what is wrong with the line at hand. Is false.
#define complain(parser, ...)                                                                                          \
    fault_set_line((parser)->fault, FAULT_INPUT, (parser)->line > 0 ? (parser)->line : 1, __VA_ARGS__)

static const char *escape(char out[ESCAPED_WORD], struct word word)
{
    return fault_escape(out, ESCAPED_WORD, word.text, word.length);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_word(struct word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

// Does a line that begins with this word hold numbers, and not a name?
static bool is_number_row(struct word word)
{
    return (word.text[0] >= '0' && word.text[0] <= '9') || word.text[0] == '?';
}

static void split_words(struct parser *parser, const char *at, const char *stop)
{
    parser->word_count = 0;
    while (parser->word_count < WORDS_MOST) {
        while (at < stop && is_space(*at)) {
            at++;
        }
        if (at == stop) {
            return;
        }
        const char *first = at;
        while (at < stop && !is_space(*at)) {
            at++;
        }
        parser->words[parser->word_count++] = (struct word){first, (size_t)(at - first)};
    }
}

// Goes to the next line that holds a word and is no comment. Returns false at the end of the text.
static bool next_line(struct parser *parser)
{
    while (parser->next < parser->end) {
        const char *stop = memchr(parser->next, '\n', (size_t)(parser->end - parser->next));
        if (!stop) {
            stop = parser->end;
        }
        split_words(parser, parser->next, stop);
        parser->line++;
        parser->next = stop < parser->end ? stop + 1 : stop;
        if (parser->word_count > 0 && parser->words[0].text[0] != '#') {
            return true;
        }
    }
    return false;
}

static bool expect_words(struct parser *parser, unsigned count, const char *form)
{
    if (parser->word_count != count) {
        return complain(parser, "expected `%s`", form);
    }
    return true;
}

static bool read_number(struct parser *parser, struct word word, unsigned least, unsigned most, unsigned *number)
{
    char shown[ESCAPED_WORD];
    unsigned value = 0;
    bool good = word.length > 0;
    for (size_t i = 0; i < word.length && good; i++) {
        good = word.text[i] >= '0' && word.text[i] <= '9';
        if (good) {
            value = value * 10 + (unsigned)(word.text[i] - '0');
            good = value <= most;
        }
    }
    if (!good || value < least) {
        return complain(parser, "'%s' is not a number from %u to %u", escape(shown, word), least, most);
    }
    *number = value;
    return true;
}

static bool read_name(struct parser *parser, struct word word, char name[NAME_LONGEST + 1])
{
    char shown[ESCAPED_WORD];
    bool good = word.length <= NAME_LONGEST;
    for (size_t i = 0; i < word.length && good; i++) {
        good = word.text[i] > ' ' && word.text[i] <= '~';
    }
    if (!good) {
        return complain(parser, "'%s' can't be a name: at most %d printable ASCII characters", escape(shown, word),
                        NAME_LONGEST);
    }
    memcpy(name, word.text, word.length);
    name[word.length] = '\0';
    return true;
}

static struct piece_set *find_set(struct definition *definition, struct word word)
{
    for (unsigned i = 0; i < definition->set_count; i++) {
        if (is_word(word, definition->sets[i].name)) {
            return &definition->sets[i];
        }
    }
    return NULL;
}

// The cells of a rolling board: one blank, and a colour on top of every cube.
static bool read_tops(struct parser *parser, const struct piece_set *set, struct rows *rows)
{
    unsigned blanks = 0;
    for (unsigned i = 0; i < set->pieces; i++) {
        unsigned top = 0;
        if (!read_number(parser, parser->words[i], 0, ROLL_COLOURS, &top)) {
            return false;
        }
        blanks += top == 0;
        rows->piece[i] = (uint8_t)top;
    }
    return blanks == 1 || complain(parser, "%u cells are empty, not one", blanks);
}

// The row of a set's pieces. A move needs a permutation, and so does a goal; `Solved` may hold a piece twice
// (indistinct pieces), but then no number below the largest may be missing.
static bool read_pieces(struct parser *parser, const struct piece_set *set, bool solved, struct rows *rows)
{
    if (parser->definition->kind == KIND_ROLL) {
        return read_tops(parser, set, rows);
    }
    unsigned seen[PIECES_MOST] = {0};
    unsigned largest = 0;
    for (unsigned i = 0; i < set->pieces; i++) {
        unsigned piece = 0;
        unsigned last = set->least + set->pieces - 1;
        if (!read_number(parser, parser->words[i], set->least, last, &piece)) {
            return false;
        }
        piece -= set->least;
        if (seen[piece]++ > 0 && !(solved && set->least == 1)) {
            return complain(parser, "piece %u stands twice: this needs each of %u to %u once", piece + set->least,
                            set->least, last);
        }
        largest = piece > largest ? piece : largest;
        rows->piece[set->first + i] = (uint8_t)piece;
    }
    for (unsigned piece = 0; piece < largest; piece++) {
        if (seen[piece] == 0) {
            return complain(parser, "piece %u is missing, though piece %u is there", piece + set->least,
                            largest + set->least);
        }
    }
    return true;
}

static bool read_orientations(struct parser *parser, const struct piece_set *set, bool solved, struct rows *rows)
{
    for (unsigned i = 0; i < set->pieces; i++) {
        unsigned orientation = 0;
        bool ignored = solved && is_word(parser->words[i], "?");
        if (!ignored && !read_number(parser, parser->words[i], 0, set->orientations - 1, &orientation)) {
            return false;
        }
        rows->orientation[set->first + i] = (uint8_t)orientation;
        if (solved) {
            parser->definition->orientation_ignored[set->first + i] = ignored && set->orientations > 1;
        }
    }
    return true;
}

// Reads the rows of `Solved` or of a `Move` up to its `End`. A set that is not named stays as it is.
static bool read_rows(struct parser *parser, bool solved, struct rows *rows)
{
    struct definition *definition = parser->definition;
    const struct piece_set *set = NULL;
    bool named[SETS_MOST] = {false};
    unsigned rows_read = 0;
    char shown[ESCAPED_WORD];

    for (unsigned s = 0; s < definition->set_count; s++) {
        for (unsigned i = 0; i < definition->sets[s].pieces; i++) {
            rows->piece[definition->sets[s].first + i] = (uint8_t)i;
            rows->orientation[definition->sets[s].first + i] = 0;
        }
    }
    unsigned begun = parser->line;
    while (next_line(parser)) {
        struct word word = parser->words[0];
        bool numbers = is_number_row(word);
        if (!numbers && set && rows_read == 0) {
            return complain(parser, "set %s has no row of pieces", set->name);
        }
        if (is_word(word, "End")) {
            return expect_words(parser, 1, "End");
        }
        if (numbers) {
            if (!set || rows_read == 2) {
                return complain(parser, "a row of numbers without the name of a set before it");
            }
            if (parser->word_count != set->pieces) {
                return complain(parser, "%s numbers than the %u pieces of set %s",
                                parser->word_count < set->pieces ? "fewer" : "more", set->pieces, set->name);
            }
            if (!(rows_read++ == 0 ? read_pieces : read_orientations)(parser, set, solved, rows)) {
                return false;
            }
            continue;
        }
        set = find_set(definition, word);
        if (!set) {
            return complain(parser, "'%s' is not the name of a set, and not `End`", escape(shown, word));
        }
        if (named[set - definition->sets]) {
            return complain(parser, "set %s stands here twice", set->name);
        }
        named[set - definition->sets] = true;
        rows_read = 0;
        if (!expect_words(parser, 1, "SET")) {
            return false;
        }
    }
    return complain(parser, "the text ends before the `End` of what begins on line %u", begun);
}

static bool keyword_name(struct parser *parser)
{
    if (parser->definition->name[0]) {
        return complain(parser, "a second `Name`");
    }
    return expect_words(parser, 2, "Name NAME") && read_name(parser, parser->words[1], parser->definition->name);
}

static bool keyword_for(struct parser *parser)
{
    if (parser->definition->answers_for[0]) {
        return complain(parser, "a second `For`");
    }
    return expect_words(parser, 2, "For NAME") && read_name(parser, parser->words[1], parser->definition->answers_for);
}

static bool keyword_set(struct parser *parser)
{
    struct definition *definition = parser->definition;
    struct piece_set *set = &definition->sets[definition->set_count];
    if (!expect_words(parser, 4, "Set NAME PIECES ORIENTATIONS")) {
        return false;
    }
    if (parser->have_solved) {
        return complain(parser, "`Set` comes before `Solved`");
    }
    if (definition->set_count == SETS_MOST) {
        return complain(parser, "more than %d sets", SETS_MOST);
    }
    if (is_word(parser->words[1], "End") || is_number_row(parser->words[1])) {
        return complain(parser, "a set's name can't be `End`, nor begin with a digit or `?`");
    }
    if (find_set(definition, parser->words[1])) {
        return complain(parser, "a second set of this name");
    }
    if (!read_name(parser, parser->words[1], set->name) ||
        !read_number(parser, parser->words[2], 1, PIECES_MOST, &set->pieces) ||
        !read_number(parser, parser->words[3], 1, ORIENTATIONS_MOST, &set->orientations)) {
        return false;
    }
    if (definition->kind != KIND_PERMUTATION) {
        return complain(parser, "a `Slide` or `Roll` has its set already");
    }
    if (set->pieces > PIECES_MOST - definition->piece_count) {
        return complain(parser, "more than %d pieces in all", PIECES_MOST);
    }
    set->least = 1;
    set->line = parser->line;
    set->first = definition->piece_count;
    definition->piece_count += set->pieces;
    definition->set_count++;
    return true;
}

// A board with a blank, 0, as its only set. It is solved with the blank last, unless `Solved` says otherwise.
static bool read_board(struct parser *parser, enum puzzle_kind kind, const char *set_name, unsigned sizes,
                       const char *form)
{
    struct definition *definition = parser->definition;
    struct piece_set *set = &definition->sets[0];
    unsigned size[3] = {1, 1, 1};
    if (definition->set_count > 0 || parser->word_count < 3 || parser->word_count > 1 + sizes) {
        return complain(parser, "expected `%s`, once and without a `Set`", form);
    }
    for (unsigned i = 0; i + 1 < parser->word_count; i++) {
        if (!read_number(parser, parser->words[i + 1], 1, PIECES_MOST, &size[i])) {
            return false;
        }
    }
    unsigned cells = size[0] * size[1] * size[2];
    if (cells < 2 || cells > PIECES_MOST) {
        return complain(parser, "a board of %u cells: at least 2 and at most %d", cells, PIECES_MOST);
    }
    definition->kind = kind;
    definition->rows = size[0];
    definition->columns = size[1];
    definition->layers = size[2];
    *set = (struct piece_set){.pieces = cells, .orientations = 1, .line = parser->line};
    snprintf(set->name, sizeof set->name, "%s", set_name);
    definition->set_count = 1;
    definition->piece_count = cells;
    for (unsigned i = 0; i < cells; i++) {
        unsigned piece = i + 1 == cells ? 0 : kind == KIND_ROLL ? 1 : i + 1;
        definition->solved.piece[i] = (uint8_t)piece;
    }
    return true;
}

static bool keyword_slide(struct parser *parser)
{
    return read_board(parser, KIND_SLIDE, "TILES", 3, "Slide ROWS COLUMNS [LAYERS]");
}

static bool keyword_roll(struct parser *parser)
{
    return read_board(parser, KIND_ROLL, "CUBES", 2, "Roll ROWS COLUMNS");
}

// Indistinct pieces either all have an orientation that counts or none has.
static bool check_ignored(struct parser *parser)
{
    const struct definition *definition = parser->definition;
    for (unsigned s = 0; s < definition->set_count; s++) {
        const struct piece_set *set = &definition->sets[s];
        const uint8_t *piece = definition->solved.piece + set->first;
        const bool *ignored = definition->orientation_ignored + set->first;
        for (unsigned i = 0; i < set->pieces; i++) {
            for (unsigned j = 0; j < i; j++) {
                if (piece[i] == piece[j] && ignored[i] != ignored[j]) {
                    return complain(parser, "set %s: of the pieces %u, some have the orientation `?` and some not",
                                    set->name, piece[i] + 1u);
                }
            }
        }
    }
    return true;
}

static bool keyword_solved(struct parser *parser)
{
    if (parser->have_solved) {
        return complain(parser, "a second `Solved`");
    }
    if (parser->definition->set_count == 0) {
        return complain(parser, "`Solved` comes after the `Set` lines");
    }
    parser->have_solved = true;
    return expect_words(parser, 1, "Solved") && read_rows(parser, true, &parser->definition->solved) &&
           check_ignored(parser);
}

static bool keyword_goal(struct parser *parser)
{
    struct definition *definition = parser->definition;
    if (!parser->have_solved && definition->kind == KIND_PERMUTATION) {
        return complain(parser, "`Goal` comes after `Solved`");
    }
    if (definition->goal_count == GOALS_MOST) {
        return complain(parser, "more than %d goals", GOALS_MOST);
    }
    definition->goal_lines[definition->goal_count] = parser->line;
    return expect_words(parser, 1, "Goal") && read_rows(parser, false, &definition->goals[definition->goal_count++]);
}

static bool keyword_letters(struct parser *parser)
{
    struct definition *definition = parser->definition;
    struct piece_set *set = parser->word_count > 2 ? find_set(definition, parser->words[1]) : NULL;
    if (!set) {
        return complain(parser, "expected `Letters SET LETTER LETTER ...`, of a set that a line above names");
    }
    if (set->letters_line) {
        return complain(parser, "a second `Letters` of set %s", set->name);
    }
    set->letters_line = parser->line;
    for (unsigned i = 2; i < parser->word_count && i - 2 < PIECES_MOST; i++) {
        struct word word = parser->words[i];
        char letter = word.text[0];
        if (word.length != 1 || letter <= ' ' || letter > '~' || letter == '@' || letter == '*' || letter == ',' ||
            letter == '/') {
            return complain(parser, "a letter is one printable ASCII character, and not one of `@`, `*`, `,` and `/`");
        }
        if (memchr(set->letters, letter, i - 2)) {
            return complain(parser, "the letter %c stands twice", letter);
        }
        set->letters[i - 2] = letter;
    }
    return true;
}

// Room for one more move; the room is doubled at each power of two. NULL without memory.
static struct listed_move *new_move(struct parser *parser)
{
    struct definition *definition = parser->definition;
    unsigned count = definition->move_count;
    if ((count & (count - 1)) == 0) {
        struct listed_move *larger = realloc(definition->moves, (count > 0 ? 2 * count : 1) * sizeof *larger);
        if (!larger) {
            return NULL;
        }
        definition->moves = larger;
    }
    definition->moves[count] = (struct listed_move){.line = parser->line};
    return &definition->moves[count];
}

static bool keyword_move(struct parser *parser)
{
    struct definition *definition = parser->definition;
    if (definition->kind != KIND_PERMUTATION) {
        return complain(parser, "a `Slide` or `Roll` has its moves already");
    }
    if (!parser->have_solved) {
        return complain(parser, "`Move` comes after `Solved`");
    }
    if (definition->move_count == LISTED_MOVES_MOST) {
        return complain(parser, "more than %d moves", LISTED_MOVES_MOST);
    }
    struct listed_move *move = new_move(parser);
    if (!move) {
        return fault_set(parser->fault, FAULT_SYSTEM, "not enough memory for the definition");
    }
    if (!expect_words(parser, 2, "Move NAME") || !read_name(parser, parser->words[1], move->name)) {
        return false;
    }
    for (unsigned i = 0; i < definition->move_count; i++) {
        if (strcmp(definition->moves[i].name, move->name) == 0) {
            return complain(parser, "a second move %s; the first is on line %u", move->name, definition->moves[i].line);
        }
    }
    definition->move_count++;
    return read_rows(parser, false, &move->rows);
}

static bool keyword_powers(struct parser *parser)
{
    if (parser->definition->powers_line) {
        return complain(parser, "a second `Powers`");
    }
    parser->definition->powers_line = parser->line;
    if (!expect_words(parser, 2, "Powers none")) {
        return false;
    }
    if (!is_word(parser->words[1], "none") && !is_word(parser->words[1], "all")) {
        return complain(parser, "expected `Powers none` or `Powers all`");
    }
    parser->definition->only_listed = is_word(parser->words[1], "none");
    return true;
}

static bool keyword_board(struct parser *parser)
{
    struct definition *definition = parser->definition;
    if (definition->board_line) {
        return complain(parser, "a second `Board`");
    }
    definition->board_line = parser->line;
    return expect_words(parser, 3, "Board ROWS COLUMNS") &&
           read_number(parser, parser->words[1], 1, PIECES_MOST, &definition->board_rows) &&
           read_number(parser, parser->words[2], 1, PIECES_MOST, &definition->board_columns);
}

// The tiles of one pattern database. No tile is in two.
static bool keyword_track(struct parser *parser)
{
    struct definition *definition = parser->definition;
    if (definition->kind != KIND_SLIDE || parser->word_count < 2) {
        return complain(parser, "expected `Track TILE TILE ...`, after a `Slide`");
    }
    if (definition->track_count == DATABASES_MOST) {
        return complain(parser, "more than %d databases", DATABASES_MOST);
    }
    struct track *track = &definition->tracks[definition->track_count++];
    track->line = parser->line;
    for (unsigned i = 1; i < parser->word_count; i++) {
        unsigned tile;
        if (!read_number(parser, parser->words[i], 1, definition->piece_count - 1, &tile)) {
            return false;
        }
        for (unsigned t = 0; t < definition->track_count; t++) {
            if (definition->tracks[t].tile[tile]) {
                return complain(parser, "tile %u is tracked twice", tile);
            }
        }
        track->tile[tile] = true;
        track->count++;
    }
    return true;
}

static const struct {
    const char *word;
    bool (*read)(struct parser *);
} KEYWORDS[] = {
    {"Name", keyword_name},       {"Set", keyword_set},     {"Solved", keyword_solved}, {"Goal", keyword_goal},
    {"Letters", keyword_letters}, {"Move", keyword_move},   {"Powers", keyword_powers}, {"Slide", keyword_slide},
    {"Roll", keyword_roll},       {"Board", keyword_board}, {"Track", keyword_track},   {"For", keyword_for},
};

static bool read_keyword(struct parser *parser)
{
    char shown[ESCAPED_WORD];
    for (size_t i = 0; i < sizeof KEYWORDS / sizeof *KEYWORDS; i++) {
        if (is_word(parser->words[0], KEYWORDS[i].word)) {
            return KEYWORDS[i].read(parser);
        }
    }
    return complain(parser, "unknown keyword '%s'", escape(shown, parser->words[0]));
}

static bool read_text(struct parser *parser)
{
    while (next_line(parser)) {
        if (!read_keyword(parser)) {
            return false;
        }
    }
    if (parser->definition->kind != KIND_PERMUTATION) {
        const struct definition *definition = parser->definition;
        if (definition->board_line || definition->powers_line) {
            return complain(parser, "a `Slide` or `Roll` takes no `Board` and no `Powers`");
        }
        return true;
    }
    if (!parser->have_solved) {
        return complain(parser, "the definition ends without a `Solved`");
    }
    if (parser->definition->move_count == 0) {
        return complain(parser, "the definition ends without a `Move`");
    }
    return true;
}

bool definition_read(struct definition *definition, const char *text, size_t length, struct fault *fault)
{
    struct parser parser = {.definition = definition, .next = text, .end = text + length, .fault = fault};
    *definition = (struct definition){0};
    if (length > DEFINITION_LONGEST) {
        return fault_set(fault, FAULT_INPUT, "line 1: the definition is longer than %d bytes", DEFINITION_LONGEST);
    }
    if (!read_text(&parser)) {
        definition_free(definition);
        return false;
    }
    if (!definition->name[0]) {
        strcpy(definition->name, "Unnamed");
    }
    return true;
}

void definition_free(struct definition *definition)
{
    free(definition->moves);
    *definition = (struct definition){0};
}
