// The keywords that name pieces. `Track` and `Database`: pieces that a projection distinguishes.
// `Illegal`: pieces that may not be in a slot.
#include "definition/parser.h"

#include <stdlib.h>

static bool is_solved_piece(const struct definition *definition, const struct piece_set *set,
                            unsigned piece)
{
    for (unsigned i = set->first; i < set->first + set->pieces; i++) {
        if (definition->solved.piece[i] == piece) {
            return true;
        }
    }
    return false;
}

// What `Illegal` forbids in the colours of a set. A colour is illegal in a slot if all its pieces
// are. So a projected state is illegal only if all states that look like it are.
static void colour_illegal(const struct definition *definition, const struct piece_set *set)
{
    for (unsigned i = set->first; i < set->first + set->pieces; i++) {
        bool *illegal = definition->illegal + (size_t)i * PIECES_OF_SET_MOST;
        bool there[PIECES_OF_SET_MOST] = {false};
        bool legal[PIECES_OF_SET_MOST] = {false};
        for (unsigned piece = 0; piece < set->pieces; piece++) {
            bool solved = is_solved_piece(definition, set, piece);
            there[set->colour_of[piece]] |= solved;
            legal[set->colour_of[piece]] |= solved && !illegal[piece];
        }
        for (unsigned colour = 0; colour < PIECES_OF_SET_MOST; colour++) {
            illegal[colour] = there[colour] && !legal[colour];
        }
    }
}

// Numbers the colours of a set's tracked pieces in order. All other pieces get one more colour, and
// their orientations do not count.
static void colour_set(struct definition *definition, struct piece_set *set, const bool *tracked)
{
    uint8_t next = 0;
    set->tracked = true;
    for (unsigned piece = 0; piece < set->pieces; piece++) {
        set->tracked_count += tracked[piece];
    }
    for (unsigned piece = 0; piece < set->pieces; piece++) {
        set->colour_of[piece] = tracked[piece] ? next++ : (uint8_t)set->tracked_count;
    }
    if (definition->illegal) {
        colour_illegal(definition, set);
    }
    for (unsigned i = set->first; i < set->first + set->pieces; i++) {
        unsigned piece = definition->solved.piece[i];
        definition->orientation_ignored[i] |= !tracked[piece] && set->orientations > 1;
        definition->solved.piece[i] = set->colour_of[piece];
    }
}

static void colour_sets(struct definition *definition)
{
    for (unsigned s = 0; s < definition->set_count; s++) {
        struct piece_set *set = &definition->sets[s];
        colour_set(definition, set, definition->projection.piece + set->first);
    }
}

void definition_project(struct definition *definition, unsigned database)
{
    definition->projection = definition->databases[database];
    definition->database_count = 0;
    colour_sets(definition);
}

// ---- The keywords -------------------------------------------------------------------------------

static bool read_piece(struct parser *parser, const struct piece_set *set, struct word word,
                       struct projection *projection)
{
    char keyword[ESCAPED_WORD];
    const struct definition *definition = parser->definition;
    unsigned last = set->pieces + set->least - 1;
    unsigned piece;
    if (!parser_read_number(parser, word, (struct expected_number){"a piece", 1, last, false},
                            &piece)) {
        return false;
    }
    bool *one = &projection->piece[set->first + piece - set->least];
    if (*one) {
        return complain(parser, "piece %u of set %s appears twice in `%s`", piece, set->name,
                        word_escape(keyword, parser->words[0]));
    }
    *one = true;
    projection->count++;
    return definition->board || is_solved_piece(definition, set, piece - 1) ||
           complain(parser, "set %s has no piece %u in `Solved`", set->name, piece);
}

// Reads PIECE ..., or SET PIECE ... if there are several sets.
static bool read_pieces(struct parser *parser, struct projection *projection)
{
    char keyword[ESCAPED_WORD];
    const struct definition *definition = parser->definition;
    const struct piece_set *set = definition->set_count == 1 ? &definition->sets[0] : NULL;
    word_escape(keyword, parser->words[0]);
    projection->line = parser->line;
    for (unsigned i = 1; i < parser->word_count; i++) {
        if (word_is_number(parser->words[i])) {
            if (!set) {
                return complain(
                    parser,
                    "expected the name of a set before its pieces: `%s SET PIECE PIECE ...`",
                    keyword);
            }
            if (!read_piece(parser, set, parser->words[i], projection)) {
                return false;
            }
            continue;
        }
        set = parser_need_set(parser, parser->words[i], "");
        if (!set) {
            return false;
        }
        if (i + 1 == parser->word_count || !word_is_number(parser->words[i + 1])) {
            return complain(
                parser,
                "`%s` names the set %s but none of its pieces; expected `%s PIECE PIECE ...`",
                keyword, set->name, set->name);
        }
    }
    return true;
}

static bool check_line(struct parser *parser)
{
    char keyword[ESCAPED_WORD];
    const struct definition *definition = parser->definition;
    word_escape(keyword, parser->words[0]);
    if (parser->word_count < 2) {
        return complain(parser, "expected `%s [SET] PIECE PIECE ...`", keyword);
    }
    if (parser->word_count == WORDS_MOST) { // there may be more, which were not read
        return complain(parser, "too many words after `%s`: at most %d", keyword, WORDS_MOST - 2);
    }
    if (parser->solved_line == 0 && !definition->board) {
        return complain(parser, "`%s` must come after `Solved`", keyword);
    }
    return definition->goal_count == 0 ||
           complain(parser, "`%s` can't be used with `Goal` (line %u)", keyword,
                    definition->goal_lines[0]);
}

bool parser_read_track(struct parser *parser)
{
    struct definition *definition = parser->definition;
    if (definition->board) {
        return complain(parser, "`Track` can't be used with `%s`%s", definition->board->word,
                        definition->board->has_databases
                            ? "; `Database` lines name the tiles of pattern databases"
                            : "");
    }
    if (!check_line(parser)) {
        return false;
    }
    if (definition->illegal_line > 0) {
        return complain(parser, "`Track` can't be used with `Illegal` (line %u)",
                        definition->illegal_line);
    }
    if (definition->database_count > 0) {
        return complain(parser, "`Track` can't be used with `Database` (line %u)",
                        definition->databases[0].line);
    }
    unsigned line = definition->projection.line;
    if (!parser_check_first(parser, "Track", &line) ||
        !read_pieces(parser, &definition->projection)) {
        return false;
    }
    colour_sets(definition);
    return true;
}

bool parser_read_database(struct parser *parser)
{
    struct definition *definition = parser->definition;
    if (definition->board && !definition->board->has_databases) {
        return complain(parser, "`Database` can't be used with `%s`", definition->board->word);
    }
    if (!check_line(parser)) {
        return false;
    }
    if (definition->projection.line > 0) {
        return complain(parser, "`Database` can't be used with `Track` (line %u)",
                        definition->projection.line);
    }
    if (definition->database_count == DATABASES_MOST) {
        return complain(parser, "too many pattern databases: at most %d `Database` lines",
                        DATABASES_MOST);
    }
    return read_pieces(parser, &definition->databases[definition->database_count++]);
}

// ---- Illegal ------------------------------------------------------------------------------------

// Reads the pieces that may never be in a slot, which counts from 0 within its set.
static bool read_illegal_pieces(struct parser *parser, const struct piece_set *set, unsigned slot)
{
    struct definition *definition = parser->definition;
    struct expected_number expected = {"a piece", 1, set->pieces, false};
    bool *illegal = definition->illegal + (size_t)(set->first + slot) * PIECES_OF_SET_MOST;
    for (unsigned i = 3; i < parser->word_count; i++) {
        unsigned piece;
        if (!parser_read_number(parser, parser->words[i], expected, &piece)) {
            return false;
        }
        if (!is_solved_piece(definition, set, piece - 1)) {
            return complain(parser, "set %s has no piece %u in `Solved`", set->name, piece);
        }
        if (definition->solved.piece[set->first + slot] == piece - 1) {
            return complain(parser,
                            "`Solved` has piece %u in slot %u of set %s, so it must be legal",
                            piece, slot + 1, set->name);
        }
        illegal[piece - 1] = true;
    }
    return true;
}

// May `Illegal` be used here?
static bool check_place_of_illegal(struct parser *parser)
{
    const struct definition *definition = parser->definition;
    if (definition->board) {
        return complain(parser, "`Illegal` can't be used with `%s`", definition->board->word);
    }
    if (parser->solved_line == 0) {
        return complain(parser, "`Illegal` must come after `Solved`");
    }
    if (definition->goal_count > 0) {
        return complain(parser, "`Illegal` can't be used with `Goal` (line %u)",
                        definition->goal_lines[0]);
    }
    return definition->projection.line == 0 ||
           complain(parser, "`Illegal` can't be used with `Track` (line %u)",
                    definition->projection.line);
}

// `Illegal SET SLOT PIECE PIECE ...`
bool parser_read_illegal(struct parser *parser)
{
    struct definition *definition = parser->definition;
    struct expected_number expected = {"a slot", 1, 0, false};
    unsigned slot;
    if (!check_place_of_illegal(parser)) {
        return false;
    }
    if (parser->word_count < 4) {
        return complain(parser, "expected `Illegal SET SLOT PIECE PIECE ...`");
    }
    if (parser->word_count == WORDS_MOST) { // there may be more, which were not read
        return complain(parser, "too many words after `Illegal`: at most %d", WORDS_MOST - 2);
    }
    const struct piece_set *set = parser_need_set(parser, parser->words[1], "");
    if (!set) {
        return false;
    }
    expected.most = set->pieces;
    if (!parser_read_number(parser, parser->words[2], expected, &slot)) {
        return false;
    }
    if (!definition->illegal) {
        definition->illegal = calloc(definition->piece_count, PIECES_OF_SET_MOST);
        definition->illegal_line = parser->line;
    }
    return definition->illegal
               ? read_illegal_pieces(parser, set, slot - 1)
               : error_set(parser->error, FEWEST_SYSTEM, "not enough memory for the definition");
}
