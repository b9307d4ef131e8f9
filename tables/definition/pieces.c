// The keywords that name pieces. `Track` and `Database`: pieces that a projection distinguishes.
// `Illegal`: pieces that may not be in a slot.
#include "parser.h"

#include <stdlib.h>
#include <string.h>

// What `Illegal` forbids in the colours of a set. A colour is illegal in a slot if all its pieces
// are. So a projected state is illegal only if all states that look like it are.
static void colour_illegal(const struct definition *definition, const struct piece_set *set)
{
    for (unsigned i = set->first; i < set->first + set->pieces; i++) {
        bool *illegal = definition->illegal + (size_t)i * PIECES_OF_SET_MOST;
        bool there[PIECES_OF_SET_MOST] = {false};
        bool legal[PIECES_OF_SET_MOST] = {false};
        for (unsigned piece = 0; piece < set->pieces; piece++) {
            bool solved = memchr(definition->solved.piece + set->first, (int)piece, set->pieces);
            there[set->colour_of[piece]] |= solved;
            legal[set->colour_of[piece]] |= solved && !illegal[piece];
        }
        for (unsigned colour = 0; colour < PIECES_OF_SET_MOST; colour++) {
            illegal[colour] = there[colour] && !legal[colour];
        }
    }
}

// Numbers the colours of a set's tracked pieces in order. Pieces of which only the orientation is
// kept share one more colour. All others get the last colour, and their orientations do not count.
static void colour_set(struct definition *definition, struct piece_set *set, const uint8_t *kept)
{
    unsigned next = 0;
    unsigned turned_alike = 0; // 1 if some pieces share a colour with orientations
    set->tracked = true;
    for (unsigned piece = 0; piece < set->pieces; piece++) {
        set->tracked_count += kept[piece] != KEPT_NOTHING;
        if (kept[piece] == KEPT_WHOLE || kept[piece] == KEPT_PLACE) {
            set->colour_of[piece] = (uint8_t)next++;
        }
        turned_alike |= kept[piece] == KEPT_ORIENTATION;
    }
    for (unsigned piece = 0; piece < set->pieces; piece++) {
        if (kept[piece] == KEPT_ORIENTATION) {
            set->colour_of[piece] = (uint8_t)next;
        } else if (kept[piece] == KEPT_NOTHING) {
            set->colour_of[piece] = (uint8_t)(next + turned_alike);
        }
    }
    if (definition->illegal) {
        colour_illegal(definition, set);
    }
    for (unsigned i = set->first; i < set->first + set->pieces; i++) {
        unsigned piece = definition->solved.piece[i];
        bool turns = kept[piece] == KEPT_WHOLE || kept[piece] == KEPT_ORIENTATION;
        definition->orientation_ignored[i] |= !turns && set->orientations > 1;
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
    definition->databases[database].piece = NULL;
    definition->database_count = 0;
    definition->drawing_rows = definition->drawing_columns = 0; // nobody draws its states
    colour_sets(definition);
}

// ---- Track and Database -------------------------------------------------------------------------

// The pieces of a set that a line names: what it keeps of those that follow.
struct naming {
    const struct piece_set *set; // NULL as long as there are several sets and none is named
    enum kept kept;
    struct projection *projection;
};

// Can the orientation of a piece be all that is kept of it?
static bool check_orientation(struct parser *parser, const struct piece_set *set, unsigned number)
{
    if (set->orientations == 1) {
        return complain(parser, "the pieces of set %s have only one orientation", set->name);
    }
    return !parser_ignores(parser, set, set->piece_of[number] - 1u) ||
           complain(parser,
                    "the orientation of piece %u of set %s does not count: it is `?` in `Solved`",
                    number, set->name);
}

// Names the piece that has this number in the definition.
static bool name_piece(struct parser *parser, const struct naming *naming, unsigned number)
{
    const struct piece_set *set = naming->set;
    unsigned piece;
    if (!parser_find_piece(parser, set, number, &piece)) {
        return false;
    }
    uint8_t *kept = &naming->projection->piece[set->first + piece];
    if (*kept != KEPT_NOTHING) {
        return complain(parser, "piece %u of set %s appears twice in `%s`", number, set->name,
                        parser->keyword->word);
    }
    if (naming->kept == KEPT_ORIENTATION && !check_orientation(parser, set, number)) {
        return false;
    }
    // If there are no orientations, a piece's place is all of it.
    *kept = (uint8_t)(set->orientations > 1 ? naming->kept : KEPT_WHOLE);
    naming->projection->count++;
    return true;
}

// Names all pieces of the set; the blank of a board, which is 0, is none.
static bool name_set(struct parser *parser, const struct naming *naming)
{
    for (unsigned number = 1; number <= PIECES_OF_SET_MOST; number++) {
        if (naming->set->piece_of[number] > 0 && !name_piece(parser, naming, number)) {
            return false;
        }
    }
    return true;
}

// Reads a piece such as 3, or a range such as 1-4.
static bool read_range(struct parser *parser, const struct naming *naming, struct word word)
{
    char shown[ESCAPED_WORD];
    const struct expected_number expected = {
        "a piece", 1, parser->definition->board ? naming->set->pieces - 1 : PIECES_OF_SET_MOST,
        false};
    const char *dash = memchr(word.text, '-', word.length);
    struct word low = {word.text, dash ? (size_t)(dash - word.text) : word.length};
    struct word high = dash ? (struct word){dash + 1, word.length - low.length - 1} : low;
    unsigned first;
    unsigned last;
    if (!parser_read_number(parser, low, expected, &first) ||
        !parser_read_number(parser, high, expected, &last)) {
        return false;
    }
    if (first > last) {
        return complain(parser, "expected a range that rises, such as 1-4, got '%s'",
                        word_escape(shown, word));
    }
    for (unsigned number = first; number <= last; number++) {
        if (!name_piece(parser, naming, number)) {
            return false;
        }
    }
    return true;
}

// Is this one of the words that say what is kept? The name of a set comes first.
static bool is_kept_word(struct parser *parser, struct word word)
{
    return (word_is(word, "place") || word_is(word, "orientation")) &&
           !parser_find_set(parser, word);
}

// Reads the name of a set, or a word that says what is kept.
static bool read_naming(struct parser *parser, struct word word, struct naming *naming)
{
    if (is_kept_word(parser, word)) {
        bool place = word_is(word, "place");
        const char *kept = place ? "place" : "orientation";
        naming->kept = place ? KEPT_PLACE : KEPT_ORIENTATION;
        return naming->set ||
               complain(parser, "expected the name of a set before `%s`: `%s SET %s ...`", kept,
                        parser->keyword->word, kept);
    }
    naming->kept = KEPT_WHOLE;
    naming->set =
        parser_need_set(parser, word, "no set is called",
                        "; expected a set, a piece, a range such as 1-4, `place` or `orientation`");
    return naming->set;
}

// Does the word with this number go on with the set that was named before it?
static bool goes_on(struct parser *parser, unsigned number, bool after_set)
{
    const struct word *word = &parser->words[number];
    return number < parser->word_count &&
           (word_is_number(*word) || (after_set && is_kept_word(parser, *word)));
}

// Reads [SET] [place|orientation] [PIECE ...] as often as it is there. Without a piece, the whole
// set is meant. A puzzle with one set needs no SET.
static bool read_pieces(struct parser *parser, struct projection *projection)
{
    const struct definition *definition = parser->definition;
    struct naming naming = {definition->set_count == 1 ? &definition->sets[0] : NULL, KEPT_WHOLE,
                            projection};
    projection->line = parser->line;
    projection->piece = calloc(definition->piece_count + 1, sizeof *projection->piece);
    if (!projection->piece) {
        return parser_no_memory(parser);
    }
    for (unsigned i = 1; i < parser->word_count; i++) {
        struct word word = parser->words[i];
        bool is_set = !is_kept_word(parser, word);
        if (word_is_number(word)) {
            if (!naming.set) {
                return complain(
                    parser,
                    "expected the name of a set before its pieces: `%s SET PIECE PIECE ...`",
                    parser->keyword->word);
            }
            if (!read_range(parser, &naming, word)) {
                return false;
            }
        } else if (!read_naming(parser, word, &naming) ||
                   (!goes_on(parser, i + 1, is_set) && !name_set(parser, &naming))) {
            return false;
        }
    }
    return true;
}

bool parser_read_track(struct parser *parser)
{
    if (!read_pieces(parser, &parser->definition->projection)) {
        return false;
    }
    colour_sets(parser->definition);
    return true;
}

bool parser_read_database(struct parser *parser)
{
    struct definition *definition = parser->definition;
    if (definition->board && !definition->board->has_databases) {
        (void)complain(parser, "`Database` can't be used with `%s` (", definition->board->word);
        return error_add_line(parser->error, definition->sets[0].line, ")");
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
    const struct expected_number expected = {"a piece", 1, PIECES_OF_SET_MOST, false};
    bool *illegal = definition->illegal + (size_t)(set->first + slot) * PIECES_OF_SET_MOST;
    for (unsigned i = 3; i < parser->word_count; i++) {
        unsigned number;
        unsigned piece;
        if (!parser_read_number(parser, parser->words[i], expected, &number) ||
            !parser_find_piece(parser, set, number, &piece)) {
            return false;
        }
        if (definition->solved.piece[set->first + slot] == piece) {
            return complain(parser,
                            "`Solved` has piece %u in slot %u of set %s, so it must be legal",
                            number, slot + 1, set->name);
        }
        illegal[piece] = true;
    }
    return true;
}

// `Illegal SET SLOT PIECE PIECE ...`
bool parser_read_illegal(struct parser *parser)
{
    struct definition *definition = parser->definition;
    struct expected_number expected = {"a slot", 1, 0, false};
    unsigned slot;
    const struct piece_set *set = parser_need_set(parser, parser->words[1], "no set is called", "");
    if (!set) {
        return false;
    }
    expected.most = set->pieces;
    if (!parser_read_number(parser, parser->words[2], expected, &slot)) {
        return false;
    }
    if (!definition->illegal) {
        definition->illegal = calloc(definition->piece_count, PIECES_OF_SET_MOST);
    }
    return definition->illegal ? read_illegal_pieces(parser, set, slot - 1)
                               : parser_no_memory(parser);
}
