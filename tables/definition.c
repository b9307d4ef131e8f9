#include "definition.h"

#include "nearest.h"
#include "parser.h"
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool keyword_name(struct parser *parser)
{
    if (parser->definition->name[0]) {
        return complain(parser, "a second `Name`");
    }
    return parser_expect_words(parser, 2, "Name NAME") &&
           parser_read_name(parser, parser->words[1], parser->definition->name);
}

static bool keyword_set(struct parser *parser)
{
    struct definition *definition = parser->definition;
    struct piece_set *set = &definition->sets[definition->set_count];
    if (!parser_expect_words(parser, 4, "Set NAME PIECES ORIENTATIONS")) {
        return false;
    }
    if (parser->have_solved) {
        return complain(parser, "`Set` comes before `Solved`");
    }
    if (definition->set_count == SETS_MOST) {
        return complain(parser, "more than %d sets", SETS_MOST);
    }
    if (word_is(parser->words[1], "End") || word_is_number(parser->words[1])) {
        return complain(parser, "a set's name can't be `End`, nor begin with a digit or `?`");
    }
    if (parser_find_set(parser, parser->words[1])) {
        return complain(parser, "a second set of this name");
    }
    if (!parser_read_name(parser, parser->words[1], set->name) ||
        !parser_read_number(parser, parser->words[2], 1, PIECES_MOST, &set->pieces) ||
        !parser_read_number(parser, parser->words[3], 1, ORIENTATIONS_MOST, &set->orientations)) {
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
        if (!parser_read_number(parser, parser->words[i + 1], 1, PIECES_MOST, &size[i])) {
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
    bool from_zero = word_is(parser->words[0], "StartState");
    if (parser->have_solved) {
        return complain(parser, "a second `Solved`");
    }
    if (parser->definition->set_count == 0) {
        return complain(parser, "`Solved` comes after the `Set` lines");
    }
    parser->have_solved = true;
    return parser_expect_words(parser, 1, from_zero ? "StartState" : "Solved") &&
           parser_read_rows(parser, from_zero ? ROWS_START_STATE : ROWS_SOLVED, &parser->definition->solved) &&
           check_ignored(parser);
}

static bool keyword_goal(struct parser *parser)
{
    struct definition *definition = parser->definition;
    if (!parser->have_solved && definition->kind == KIND_PERMUTATION) {
        return complain(parser, "`Goal` comes after `Solved`");
    }
    if (definition->sets[0].tracked) {
        return complain(parser, "pieces that look alike, by `Track`, can't have a `Goal`");
    }
    if (definition->goal_count == GOALS_MOST) {
        return complain(parser, "more than %d goals", GOALS_MOST);
    }
    definition->goal_lines[definition->goal_count] = parser->line;
    return parser_expect_words(parser, 1, "Goal") &&
           parser_read_rows(parser, ROWS_STATE, &definition->goals[definition->goal_count++]);
}

static bool keyword_letters(struct parser *parser)
{
    struct piece_set *set = parser->word_count > 2 ? parser_find_set(parser, parser->words[1]) : NULL;
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

// Adds a move to a list, whose room is doubled at each power of two. NULL after a complaint.
static struct listed_move *add_listed(struct parser *parser, struct move_list *list)
{
    unsigned count = list->count;
    struct listed_move move = {.line = parser->line};
    if (!parser_read_name(parser, parser->words[1], move.name)) {
        return NULL;
    }
    const struct listed_move *same = rows_find_name(parser->definition, move.name, strlen(move.name));
    if (same) {
        (void)complain(parser, "a second move %s; the first is on line %u", move.name, same->line);
        return NULL;
    }
    if (count == LISTED_MOVES_MOST) {
        (void)complain(parser, "more than %d moves, or names for moves", LISTED_MOVES_MOST);
        return NULL;
    }
    if ((count & (count - 1)) == 0) {
        struct listed_move *larger = realloc(list->listed, (count > 0 ? 2 * count : 1) * sizeof *larger);
        if (!larger) {
            error_write(parser->error, FEWEST_SYSTEM, "not enough memory for the definition");
            return NULL;
        }
        list->listed = larger;
    }
    list->listed[list->count] = move;
    return &list->listed[list->count++];
}

// Turns the whole puzzle, and is no move: x, y or z, their half turns and inverses, or capitals and then a v.
static bool is_rotation(struct word word)
{
    size_t capitals = 0;
    while (capitals < word.length &&
           ((word.text[capitals] >= 'A' && word.text[capitals] <= 'Z') || word.text[capitals] == '_')) {
        capitals++;
    }
    bool axis = word.text[0] >= 'x' && word.text[0] <= 'z' &&
                (word.length == 1 || (word.length == 2 && (word.text[1] == '2' || word.text[1] == '\'')));
    return axis || (capitals > 0 && capitals + 1 == word.length && word.text[capitals] == 'v');
}

static bool check_place_of_move(struct parser *parser)
{
    char shown[ESCAPED_WORD];
    if (parser->definition->kind != KIND_PERMUTATION) {
        return complain(parser, "a `Slide` or `Roll` has its moves already");
    }
    return parser->have_solved || complain(parser, "`%s` comes after `Solved`", word_escape(shown, parser->words[0]));
}

static bool keyword_move(struct parser *parser)
{
    struct definition *definition = parser->definition;
    bool from_zero = word_is(parser->words[0], "MoveTransformation");
    if (!check_place_of_move(parser) ||
        !parser_expect_words(parser, 2, from_zero ? "MoveTransformation NAME" : "Move NAME")) {
        return false;
    }
    bool rotation = is_rotation(parser->words[1]);
    struct listed_move *move = add_listed(parser, rotation ? &definition->spoken : &definition->moves);
    if (move) {
        move->is_rotation = rotation;
    }
    return move && parser_read_rows(parser, from_zero ? ROWS_TRANSFORMATION : ROWS_MOVE, &move->rows);
}

// `MoveAlias NAME MOVE` and `MoveSequence NAME MOVE ...`
static bool keyword_sequence(struct parser *parser)
{
    bool alias = word_is(parser->words[0], "MoveAlias");
    if (!check_place_of_move(parser)) {
        return false;
    }
    if (parser->word_count < 3 || (alias && parser->word_count > 3)) {
        return complain(parser, "expected `%s`", alias ? "MoveAlias NAME MOVE" : "MoveSequence NAME MOVE MOVE ...");
    }
    if (parser->word_count == WORDS_MOST) {
        return complain(parser, "a sequence has at most %d moves", WORDS_MOST - 3);
    }
    const struct word *last = &parser->words[parser->word_count - 1];
    struct listed_move *spoken = add_listed(parser, &parser->definition->spoken);
    if (!spoken) {
        return false;
    }
    spoken->sequence = parser->words[2].text;
    spoken->sequence_end = last->text + last->length;
    return true;
}

// Finds out what an alias or a sequence does, and before that whatever it names.
static bool resolve(struct parser *parser, struct listed_move *spoken)
{
    struct definition *definition = parser->definition;
    const char *next = spoken->sequence;
    const char *word;
    size_t length;
    struct rows rows;
    char shown[ESCAPED_WORD];
    rows_set_identity(definition, &rows);
    spoken->being_read = true;
    while (rows_next_move(&next, spoken->sequence_end, &word, &length)) {
        if (parser->spoken_words++ == SPOKEN_WORDS_MOST) {
            return error_set_line(parser->error, FEWEST_BEYOND, spoken->line, "more than %d moves in all sequences",
                                  SPOKEN_WORDS_MOST);
        }
        struct rows before = rows;
        struct rows rows_of_word;
        struct spoken_move found = rows_find_move(definition, word, length);
        struct listed_move *named = (struct listed_move *)found.move; // one of ours
        if (!named || named->being_read) {
            return error_set_line(parser->error, FEWEST_BAD_INPUT, spoken->line, "'%s' is %s",
                                  escape_text(shown, sizeof shown, word, length),
                                  named ? "what this line defines: a sequence can't contain itself"
                                        : "no move, rotation, alias or sequence");
        }
        if (named->sequence && !resolve(parser, named)) {
            return false;
        }
        rows_of_move(definition, &found, &rows_of_word);
        rows_multiply(definition, &before, &rows_of_word, &rows);
    }
    spoken->rows = rows;
    spoken->sequence = NULL;
    spoken->being_read = false;
    return true;
}

static bool resolve_sequences(struct parser *parser)
{
    struct move_list *spoken = &parser->definition->spoken;
    for (unsigned i = 0; i < spoken->count; i++) {
        if (spoken->listed[i].sequence && !resolve(parser, &spoken->listed[i])) {
            return false;
        }
    }
    return true;
}

static bool keyword_refused(struct parser *parser)
{
    char shown[ESCAPED_WORD];
    return complain(parser, "`%s` is not supported: a table holds every arrangement that the moves make",
                    word_escape(shown, parser->words[0]));
}

static bool keyword_powers(struct parser *parser)
{
    if (parser->definition->powers_line) {
        return complain(parser, "a second `Powers`");
    }
    parser->definition->powers_line = parser->line;
    if (!parser_expect_words(parser, 2, "Powers none")) {
        return false;
    }
    if (!word_is(parser->words[1], "none") && !word_is(parser->words[1], "all")) {
        return complain(parser, "expected `Powers none` or `Powers all`");
    }
    parser->definition->only_listed = word_is(parser->words[1], "none");
    return true;
}

static bool keyword_board(struct parser *parser)
{
    struct definition *definition = parser->definition;
    if (definition->board_line) {
        return complain(parser, "a second `Board`");
    }
    definition->board_line = parser->line;
    return parser_expect_words(parser, 3, "Board ROWS COLUMNS") &&
           parser_read_number(parser, parser->words[1], 1, PIECES_MOST, &definition->board_rows) &&
           parser_read_number(parser, parser->words[2], 1, PIECES_MOST, &definition->board_columns);
}

// The tiles of one pattern database. No tile is in two.
static bool track_tiles(struct parser *parser)
{
    struct definition *definition = parser->definition;
    if (definition->track_count == DATABASES_MOST) {
        return complain(parser, "more than %d databases", DATABASES_MOST);
    }
    struct track *track = &definition->tracks[definition->track_count++];
    track->line = parser->line;
    for (unsigned i = 1; i < parser->word_count; i++) {
        unsigned tile;
        if (!parser_read_number(parser, parser->words[i], 1, definition->piece_count - 1, &tile)) {
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

// Of a set, numbers the tracked pieces' colours in order, and gives one more to all the others, whose orientations do
// not count.
static void colour_set(struct definition *definition, struct piece_set *set, const bool tracked[PIECES_MOST])
{
    uint8_t next = 0;
    set->tracked = true;
    for (unsigned piece = 0; piece < set->pieces; piece++) {
        set->colour_of[piece] = (uint8_t)set->tracked_count;
        if (tracked[piece]) {
            set->colour_of[piece] = next++;
        }
    }
    for (unsigned i = set->first; i < set->first + set->pieces; i++) {
        unsigned piece = definition->solved.piece[i];
        definition->orientation_ignored[i] |= !tracked[piece] && set->orientations > 1;
        definition->solved.piece[i] = set->colour_of[piece];
    }
}

static bool has_piece(const struct definition *definition, const struct piece_set *set, unsigned piece)
{
    for (unsigned i = set->first; i < set->first + set->pieces; i++) {
        if (definition->solved.piece[i] == piece) {
            return true;
        }
    }
    return false;
}

// The pieces that count: PIECE ..., or SET PIECE ... where there are several sets.
static bool track_pieces(struct parser *parser)
{
    struct definition *definition = parser->definition;
    bool tracked[SETS_MOST][PIECES_MOST] = {{false}};
    struct piece_set *set = definition->set_count == 1 ? &definition->sets[0] : NULL;
    for (unsigned i = 1; i < parser->word_count; i++) {
        unsigned piece;
        if (!word_is_number(parser->words[i])) {
            set = parser_find_set(parser, parser->words[i]);
            if (!set) {
                char shown[ESCAPED_WORD];
                return complain(parser, "no set is called '%s'", word_escape(shown, parser->words[i]));
            }
            continue;
        }
        if (!set) {
            return complain(parser, "of which set? `Track SET PIECE PIECE ...`");
        }
        if (!parser_read_number(parser, parser->words[i], 1, set->pieces, &piece)) {
            return false;
        }
        bool *one = &tracked[set - definition->sets][piece - 1];
        if (*one || !has_piece(definition, set, piece - 1)) {
            return complain(parser, *one ? "piece %u is tracked twice" : "`Solved` has no piece %u", piece);
        }
        *one = true;
        set->tracked_count++;
    }
    for (unsigned s = 0; s < definition->set_count; s++) {
        colour_set(definition, &definition->sets[s], tracked[s]);
    }
    return true;
}

static bool keyword_track(struct parser *parser)
{
    struct definition *definition = parser->definition;
    if (parser->word_count < 2) {
        return complain(parser, "expected `Track TILE TILE ...` or `Track [SET] PIECE PIECE ...`");
    }
    if (parser->word_count == WORDS_MOST) { // there may be more, which nobody would read
        return complain(parser, "a `Track` has at most %d words", WORDS_MOST - 1);
    }
    if (definition->kind == KIND_SLIDE) {
        return track_tiles(parser);
    }
    if (definition->kind == KIND_ROLL || !parser->have_solved) {
        return complain(parser, "`Track` comes after the `Slide` or `Solved` whose pieces it names");
    }
    if (definition->sets[0].tracked || definition->goal_count > 0) {
        return complain(parser, definition->goal_count > 0 ? "pieces that look alike, by `Track`, can't have a `Goal`"
                                                           : "a second `Track`");
    }
    return track_pieces(parser);
}

static const struct {
    const char *word;
    bool (*read)(struct parser *);
} KEYWORDS[] = {
    {"Name", keyword_name},
    {"Set", keyword_set},
    {"Letters", keyword_letters},
    {"Board", keyword_board},
    {"Slide", keyword_slide},
    {"Roll", keyword_roll},
    {"Solved", keyword_solved},
    {"StartState", keyword_solved},
    {"Goal", keyword_goal},
    {"Track", keyword_track},
    {"Powers", keyword_powers},
    {"Move", keyword_move},
    {"MoveTransformation", keyword_move},
    {"MoveAlias", keyword_sequence},
    {"MoveSequence", keyword_sequence},
    {"Illegal", keyword_refused},
    {"SwizzleSet", keyword_refused},
};

static bool read_keyword(struct parser *parser)
{
    char shown[ESCAPED_WORD];
    char hint[2 * NEAREST_NAME];
    struct nearest nearest = {.typed = shown};
    for (size_t i = 0; i < sizeof KEYWORDS / sizeof *KEYWORDS; i++) {
        if (word_is(parser->words[0], KEYWORDS[i].word)) {
            return KEYWORDS[i].read(parser);
        }
    }
    word_escape(shown, parser->words[0]);
    for (size_t i = 0; i < sizeof KEYWORDS / sizeof *KEYWORDS; i++) {
        nearest_offer(&nearest, KEYWORDS[i].word);
    }
    return complain(parser, "unknown keyword '%s'%s", shown, nearest_text(&nearest, hint));
}

static bool read_text(struct parser *parser)
{
    while (parser_next_line(parser)) {
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
    if (parser->definition->moves.count == 0) {
        return complain(parser, "the definition ends without a `Move`");
    }
    return resolve_sequences(parser);
}

bool definition_read(struct definition *definition, const char *text, size_t length, struct fewest_error *error)
{
    struct parser parser = {.definition = definition, .next = text, .end = text + length, .error = error};
    *definition = (struct definition){0};
    if (length > DEFINITION_LONGEST) {
        return error_set(error, FEWEST_BAD_INPUT, "line 1: the definition is longer than %d bytes", DEFINITION_LONGEST);
    }
    if (!read_text(&parser)) {
        definition_free(definition);
        return false;
    }
    if (!definition->name[0]) {
        memcpy(definition->name, "Unnamed", sizeof "Unnamed");
    }
    return true;
}

void definition_free(struct definition *definition)
{
    free(definition->moves.listed);
    free(definition->spoken.listed);
    *definition = (struct definition){0};
}
