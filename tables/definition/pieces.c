// The keywords that name pieces. `Track` and `Database`: pieces that a projection distinguishes.
// `Illegal`: pieces that may not be in a slot.
#include "parser.h"

#include <stdlib.h>
#include <string.h>

// Replaces what `Illegal` forbids for the pieces of a set by what it forbids for their colours. A
// colour is illegal in a slot if all its pieces are. So a projected state is illegal only if all
// states that look like it are. Call it while `Solved` has pieces, not yet colours.
static void colour_illegal(const struct definition *definition, const struct piece_set *set)
{
    for (unsigned i = set->first; i < set->first + set->pieces; i++) {
        bool *illegal = definition->illegal + (size_t)i * PIECES_OF_SET_MOST;
        bool exists[PIECES_OF_SET_MOST] = {false};   // by colour: has a piece of the puzzle it?
        bool is_legal[PIECES_OF_SET_MOST] = {false}; // by colour: may one of them be in slot i?
        for (unsigned piece = 0; piece < set->pieces; piece++) {
            // If pieces look alike, `Solved` has fewer numbers than pieces.
            if (memchr(definition->solved.piece + set->first, (int)piece, set->pieces)) {
                unsigned colour = set->colour_of[piece];
                exists[colour] = true;
                is_legal[colour] |= !illegal[piece];
            }
        }
        for (unsigned colour = 0; colour < PIECES_OF_SET_MOST; colour++) {
            illegal[colour] = exists[colour] && !is_legal[colour];
        }
    }
}

// Returns the first piece of this piece's group, or the piece itself if it is in no group.
static unsigned first_of_group(const uint8_t *group, unsigned piece)
{
    const uint8_t *first = group[piece] > 0 ? memchr(group, group[piece], piece) : NULL;
    return first ? (unsigned)(first - group) : piece;
}

// Gives the pieces of a set colours, and puts these into `Solved` and `Illegal`. kept[p] says what
// the projection keeps of piece p. A piece that stays distinct has a colour of its own, numbered
// from 0, and so has a group. The next colour is that of all pieces that keep only their
// orientation. The one after that is for all others. The orientation of a piece counts only where
// it is kept.
static void colour_set(struct definition *definition, struct piece_set *set)
{
    const uint8_t *kept = definition->projection.piece + set->first;
    const uint8_t *group = definition->projection.group + set->first;
    unsigned next = 0;
    unsigned turned_alike = 0; // 1 if some pieces share a colour with orientations
    set->tracked = true;
    for (unsigned piece = 0; piece < set->pieces; piece++) {
        set->tracked_count += kept[piece] != KEPT_NOTHING;
        if (kept[piece] == KEPT_WHOLE || kept[piece] == KEPT_PLACE) {
            unsigned first = first_of_group(group, piece);
            set->colour_of[piece] = first < piece ? set->colour_of[first] : (uint8_t)next++;
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

// Makes the definition that of its projection.
static void colour_sets(struct definition *definition)
{
    for (unsigned s = 0; s < definition->set_count; s++) {
        colour_set(definition, &definition->sets[s]);
    }
}

void definition_project(struct definition *definition, unsigned database)
{
    definition->projection = definition->databases[database];
    definition->databases[database].piece = NULL; // it has moved
    definition->database_count = 0;
    definition->drawing_rows = 0; // nobody draws its states
    definition->drawing_columns = 0;
    colour_sets(definition);
}

// ---- Track and Database -------------------------------------------------------------------------

// While a line is read: what the numbers that follow mean.
struct naming {
    const struct piece_set *set; // of the pieces; NULL: none of several sets is named yet
    enum kept kept;              // of the pieces
    uint8_t group;               // the number of the group to which they belong, or 0
    unsigned group_pieces;       // how many the newest group has so far
    struct projection *projection;
};

// Checks that a piece has an orientation that counts, so that this can be all that is kept of it.
static bool check_orientation(struct parser *parser, const struct piece_set *set, unsigned number)
{
    if (set->orientations == 1) {
        return parser_complain(parser, "the pieces of set %s have only one orientation", set->name);
    }
    if (parser_ignores(parser, set, set->piece_of[number] - 1u)) {
        return parser_complain(
            parser, "the orientation of piece %u of set %s does not count: it is `?` in `Solved`",
            number, set->name);
    }
    return true;
}

// Checks that the orientation of a new piece of a group counts if those of the others do. If not,
// they would not look alike.
static bool check_group(struct parser *parser, const struct naming *naming, unsigned piece)
{
    const struct piece_set *set = naming->set;
    const uint8_t *group = naming->projection->group + set->first;
    const uint8_t *other = memchr(group, naming->group, set->pieces);
    return !other ||
           parser_ignores(parser, set, piece) ==
               parser_ignores(parser, set, (unsigned)(other - group)) ||
           parser_complain(parser,
                           "a group of set %s has pieces whose orientation counts and others whose "
                           "orientation is `?` in `Solved`; write `place` before them",
                           set->name);
}

// Adds to the projection the piece of the named set that has this number in the definition. A piece
// may be added once.
static bool add_piece(struct parser *parser, struct naming *naming, unsigned number)
{
    const struct piece_set *set = naming->set;
    unsigned piece;
    if (!parser_find_piece(parser, set, number, &piece)) {
        return false;
    }
    uint8_t *kept = &naming->projection->piece[set->first + piece];
    if (*kept != KEPT_NOTHING) {
        return parser_complain(parser, "piece %u of set %s appears twice in `%s`", number,
                               set->name, parser->keyword->word);
    }
    if (naming->kept == KEPT_ORIENTATION && !check_orientation(parser, set, number)) {
        return false;
    }
    if (naming->group > 0 && naming->kept == KEPT_WHOLE && !check_group(parser, naming, piece)) {
        return false;
    }
    // Without orientations, to keep a piece's place is to keep all of it.
    *kept = (uint8_t)(set->orientations > 1 ? naming->kept : KEPT_WHOLE);
    naming->projection->group[set->first + piece] = naming->group;
    naming->group_pieces++;
    naming->projection->count++;
    return true;
}

// Adds all pieces of the named set to the projection, but not the blank of a board (number 0).
static bool add_whole_set(struct parser *parser, struct naming *naming)
{
    for (unsigned number = 1; number <= PIECES_OF_SET_MOST; number++) {
        if (naming->set->piece_of[number] > 0 && !add_piece(parser, naming, number)) {
            return false;
        }
    }
    return true;
}

// Reads a piece such as 3, or a range such as 1-4, and adds its pieces to the projection.
static bool read_range(struct parser *parser, struct naming *naming, struct word word)
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
        return parser_complain(parser, "expected a range that rises, such as 1-4, got '%s'",
                               word_escape(shown, word));
    }
    for (unsigned number = first; number <= last; number++) {
        if (!add_piece(parser, naming, number)) {
            return false;
        }
    }
    return true;
}

// Is this `place` or `orientation`, which say what is kept? Not if a set has this name: then the
// word names the set.
static bool is_kept_word(struct parser *parser, struct word word)
{
    return (word_is(word, "place") || word_is(word, "orientation")) &&
           !parser_find_set(parser, word);
}

// Reads the name of a set, or a word that says what is kept, and changes what later numbers mean.
static bool read_naming(struct parser *parser, struct word word, struct naming *naming)
{
    if (is_kept_word(parser, word)) {
        bool is_place = word_is(word, "place");
        const char *kept = is_place ? "place" : "orientation";
        naming->kept = is_place ? KEPT_PLACE : KEPT_ORIENTATION;
        if (!naming->set) {
            return parser_complain(parser,
                                   "expected the name of a set before `%s`: `%s SET %s ...`", kept,
                                   parser->keyword->word, kept);
        }
        return true;
    }
    naming->kept = KEPT_WHOLE;
    naming->set =
        parser_need_set(parser, word, "no set is called",
                        "; expected a set, a piece, a range such as 1-4, `place` or `orientation`");
    return naming->set;
}

// Does this word end a group? Not if a set has this name: then the word names the set.
static bool is_bar(struct parser *parser, struct word word)
{
    return word_is(word, "|") && !parser_find_set(parser, word);
}

// Does the list of pieces that begins with word `number` of the line have groups?
static bool has_groups(struct parser *parser, unsigned number)
{
    while (number < parser->word_count && word_is_number(parser->words[number])) {
        number++;
    }
    return number < parser->word_count && is_bar(parser, parser->words[number]);
}

// Begins the list of pieces whose first one is word `number` of the line, if there are any.
static void begin_list(struct parser *parser, unsigned number, struct naming *naming)
{
    naming->group = 0;
    naming->group_pieces = 0;
    if (naming->set && has_groups(parser, number)) {
        const uint8_t *group = naming->projection->group + naming->set->first;
        // An earlier list of the same set may have numbered groups; go on after these.
        for (unsigned piece = 0; piece < naming->set->pieces; piece++) {
            naming->group = group[piece] > naming->group ? group[piece] : naming->group;
        }
        naming->group++;
    }
}

// Reads a `|`, which ends a group.
static bool end_group(struct parser *parser, struct naming *naming)
{
    if (parser->definition->board && parser->keyword->kind == KIND_DATABASE) {
        return parser_complain(parser, "the tiles of `Database` can't stand in groups on a board; "
                                       "leave out `|`");
    }
    if (naming->kept == KEPT_ORIENTATION) {
        return parser_complain(parser, "pieces after `orientation` look alike; leave out `|`, or "
                                       "leave out `orientation` to tell the groups apart");
    }
    if (naming->group_pieces == 0) {
        return parser_complain(parser, "expected a piece before `|`");
    }
    naming->group++;
    naming->group_pieces = 0;
    return true;
}

// Does word `number` of the line, if there is one, tell more about the set that was named before
// it? It does if it is a piece or `|`. `place` or `orientation` does so only right after the name
// of the set.
static bool continues_set(struct parser *parser, unsigned number, bool after_set)
{
    if (number >= parser->word_count) {
        return false;
    }
    struct word word = parser->words[number];
    return word_is_number(word) || is_bar(parser, word) ||
           (after_set && is_kept_word(parser, word));
}

// Reads the pieces that stand at word `number` of the line, or the `|` there.
static bool read_pieces(struct parser *parser, unsigned number, struct naming *naming)
{
    struct word word = parser->words[number];
    if (!naming->set) {
        return parser_complain(
            parser, "expected the name of a set before its pieces: `%s SET PIECE PIECE ...`",
            parser->keyword->word);
    }
    return is_bar(parser, word) ? end_group(parser, naming) : read_range(parser, naming, word);
}

// Makes an empty projection, which comes from the current line.
static bool make_projection(struct parser *parser, struct projection *projection)
{
    size_t pieces = parser->definition->piece_count;
    projection->line = parser->line;
    projection->piece = calloc(2 * pieces + 1, sizeof *projection->piece);
    if (!projection->piece) {
        return parser_no_memory(parser);
    }
    projection->group = projection->piece + pieces;
    return true;
}

// Reads [SET] [place|orientation] [PIECE ...] as often as it is there, and makes a projection of
// these pieces. Without a piece, the whole set is meant. A puzzle with one set needs no SET. A `|`
// after pieces makes groups of them.
static bool read_projection(struct parser *parser, struct projection *projection)
{
    const struct definition *definition = parser->definition;
    struct naming naming = {.set = definition->set_count == 1 ? &definition->sets[0] : NULL,
                            .kept = KEPT_WHOLE,
                            .projection = projection};
    if (!make_projection(parser, projection)) {
        return false;
    }
    begin_list(parser, 1, &naming);
    for (unsigned i = 1; i < parser->word_count; i++) {
        struct word word = parser->words[i];
        if (word_is_number(word) || is_bar(parser, word)) {
            if (!read_pieces(parser, i, &naming)) {
                return false;
            }
            continue;
        }
        bool is_set = !is_kept_word(parser, word);
        if (!read_naming(parser, word, &naming)) {
            return false;
        }
        begin_list(parser, i + 1, &naming);
        if (!continues_set(parser, i + 1, is_set) && !add_whole_set(parser, &naming)) {
            return false;
        }
    }
    return true;
}

// Checks that the current line may name pieces of a board, if there is one.
static bool check_board(struct parser *parser)
{
    const struct definition *definition = parser->definition;
    if (!definition->board || definition->board->names_pieces) {
        return true;
    }
    (void)parser_complain(parser, "`%s` can't be used with `%s` (", parser->keyword->word,
                          definition->board->word);
    return error_add_line(parser->error, definition->sets[0].line, ")");
}

// The blank of a board stays distinct, though no line names it.
bool parser_read_track(struct parser *parser)
{
    struct definition *definition = parser->definition;
    if (definition->projection.line > 0) {
        (void)parser_complain(parser, "`Solved` already leaves tiles out by `*` (");
        return error_add_line(parser->error, definition->projection.line, "); delete one of both");
    }
    if (!check_board(parser) || !read_projection(parser, &definition->projection)) {
        return false;
    }
    if (definition->board) {
        definition->projection.piece[0] = KEPT_WHOLE;
    }
    colour_sets(definition);
    return true;
}

bool parser_track_numbers(struct parser *parser, const bool *is_tracked)
{
    struct definition *definition = parser->definition;
    const uint8_t *piece_of = definition->sets[0].piece_of;
    if (!make_projection(parser, &definition->projection)) {
        return false;
    }
    for (unsigned number = 0; number <= PIECES_OF_SET_MOST; number++) {
        if (is_tracked[number] && piece_of[number] > 0) {
            definition->projection.piece[piece_of[number] - 1] = KEPT_WHOLE;
        }
    }
    colour_sets(definition);
    return true;
}

bool parser_read_database(struct parser *parser)
{
    struct definition *definition = parser->definition;
    if (!check_board(parser)) {
        return false;
    }
    if (definition->database_count == DATABASES_MOST) {
        return parser_complain(parser, "too many pattern databases: at most %d `Database` lines",
                               DATABASES_MOST);
    }
    struct projection *database = &definition->databases[definition->database_count++];
    return read_projection(parser, database);
}

// ---- Illegal ------------------------------------------------------------------------------------

// Reads the pieces of `Illegal SET SLOT PIECE PIECE ...`, which may never be in a slot. `slot`
// counts from 0 within its set.
static bool read_illegal_pieces(struct parser *parser, const struct piece_set *set, unsigned slot)
{
    enum { BEFORE = 3 }; // words before the pieces
    struct definition *definition = parser->definition;
    const struct expected_number expected = {"a piece", 1, PIECES_OF_SET_MOST, false};
    bool *illegal = definition->illegal + (size_t)(set->first + slot) * PIECES_OF_SET_MOST;
    for (unsigned i = BEFORE; i < parser->word_count; i++) {
        unsigned number;
        unsigned piece;
        if (!parser_read_number(parser, parser->words[i], expected, &number) ||
            !parser_find_piece(parser, set, number, &piece)) {
            return false;
        }
        if (definition->solved.piece[set->first + slot] == piece) {
            return parser_complain(
                parser, "`Solved` has piece %u in slot %u of set %s, so it must be legal", number,
                slot + 1, set->name);
        }
        illegal[piece] = true;
    }
    return true;
}

// Reads `Illegal SET SLOT PIECE PIECE ...`.
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
    if (!definition->illegal) {
        return parser_no_memory(parser);
    }
    return read_illegal_pieces(parser, set, slot - 1);
}
