// The moves of a definition: blocks, aliases, sequences, and the moves that count.
#include "alg.h"
#include "parser.h"
#include "scramble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Adds a move of this name to a list, with rows of zeros. Returns NULL after a complaint. The list
// may move, so pointers into it are no longer valid.
static struct listed_move *add_listed(struct parser *parser, struct word name,
                                      struct move_list *list)
{
    unsigned count = list->count;
    struct listed_move move = {.line = parser->line};
    if (!parser_read_name(parser, name, move.name)) {
        return NULL;
    }
    if (strcmp(move.name, "-") == 0 || move.name[0] == '@' || move.name[0] == ',' ||
        scramble_begins(move.name, strlen(move.name))) {
        (void)parser_complain(
            parser,
            "a move can't be called %s, because --moves could not read it: expected a "
            "name that is not `-`, does not begin with '@' or ',' and begins no scramble",
            move.name);
        return NULL;
    }
    const struct listed_move *same =
        rows_find_name(parser->definition, move.name, strlen(move.name));
    if (same) {
        (void)parser_complain(parser, "the name %s appears twice (first on ", move.name);
        error_append_line(parser->error, same->line, ")");
        return NULL;
    }
    if (count == LISTED_MOVES_MOST) {
        (void)parser_complain(parser, "too many %s: at most %d",
                              list == &parser->definition->moves ? "moves" : "aliases",
                              LISTED_MOVES_MOST);
        return NULL;
    }
    struct listed_move *larger = realloc(list->listed, (count + 1) * sizeof *larger);
    if (larger) {
        list->listed = larger;
    }
    if (!larger || !rows_make(parser->definition, &move.rows)) {
        (void)parser_no_memory(parser);
        return NULL;
    }
    list->listed[count] = move;
    return &list->listed[list->count++];
}

bool parser_read_move(struct parser *parser)
{
    struct word name = parser->words[1];
    struct listed_move *move = add_listed(parser, name, &parser->definition->moves);
    if (!move) {
        return false;
    }
    move->is_rotation = definition_is_rotation_name(name.text, name.length);
    return parser_read_rows(parser, &move->rows);
}

// Reads `MoveAlias NAME MOVE ...` or `MoveSequence NAME MOVE ...`. A sequence counts as a move, and
// an alias does not. MOVE may be defined later, so this only notes the words.
bool parser_read_sequence(struct parser *parser)
{
    struct definition *definition = parser->definition;
    struct word name = parser->words[1];
    bool alias = word_is(parser->words[0], "MoveAlias");
    struct listed_move *sequence =
        add_listed(parser, name, alias ? &definition->others : &definition->moves);
    if (!sequence) {
        return false;
    }
    sequence->is_sequence = true;
    sequence->is_rotation = !alias && definition_is_rotation_name(name.text, name.length);
    sequence->words = parser_rest(parser, 2);
    return true;
}

// Reads `Generators MOVE MOVE ...`. The moves may be defined later, so this only notes the words.
bool parser_read_generators(struct parser *parser)
{
    parser->definition->generators_line = parser->line;
    parser->generators = parser_rest(parser, 1);
    return true;
}

// ---- Sequences ----------------------------------------------------------------------------------

// Multiplies the rows of a sequence, or its turn, by those of the next move in it.
static void append_move(const struct parser *parser, struct listed_move *sequence,
                        const struct move_word *next)
{
    const struct definition *definition = parser->definition;
    uint8_t bytes[2 * ROWS_BYTES_MOST];
    struct rows before = rows_in(definition, bytes, 0);
    struct rows rows = rows_in(definition, bytes, 1);
    struct rows *product = parser->turning ? &sequence->turn : &sequence->rows;
    if (!parser->turning) {
        rows_of_move(definition, next, &rows);
    } else if (!rows_of_turn(definition, next, &rows)) {
        return;
    }
    rows_copy(definition, product, &before);
    rows_multiply(definition, &before, &rows, product);
}

// Takes the next word of a sequence in parentheses, such as R.U.R', from *next on. The names of
// moves may also hold dots, so a word may have several ends. *word is the longest one that means a
// move, and *shortest the length of the shortest one. If none does, both end at the first dot.
// Sets *next to the byte after the dot that ends the word; after the last word, that is end + 1.
// Returns false if no word is left.
static bool take_word_in_parentheses(const struct definition *definition, const char **next,
                                     const char *end, struct word *word, size_t *shortest)
{
    if (*next > end) {
        return false;
    }
    size_t left = (size_t)(end - *next);
    const char *dot = memchr(*next, '.', left);
    bool found = false;
    *shortest = dot ? (size_t)(dot - *next) : left;
    *word = (struct word){*next, *shortest};
    for (size_t length = 1; length <= left; length++) {
        bool may_end = length == left || (*next)[length] == '.';
        if (may_end && rows_find_move(definition, *next, length).move) {
            if (!found) {
                *shortest = length;
            }
            word->length = length;
            found = true;
        }
    }
    *next += word->length + 1;
    return true;
}

// Complains that `word` and its first `shortest` bytes both mean a move.
static bool complain_two_words(const struct parser *parser, struct word word, size_t shortest)
{
    char longer[ESCAPED_WORD];
    char shorter[ESCAPED_WORD];
    word_escape(longer, word);
    word_escape(shorter, (struct word){word.text, shortest});
    return parser_complain(
        parser,
        "in parentheses, dots separate moves, so this can begin with '%s' or with "
        "'%s'; give the one that you mean an alias: `MoveAlias NAME %s`",
        longer, shorter, longer);
}

static bool resolve_sequence(struct parser *parser, struct listed_move *sequence);

// Appends the move that a word of a sequence names, or its inverse: multiplies the sequence's rows
// by those of the move. The rows of a sequence tell what its moves so far do together: to which
// slots they take the pieces, and how they turn them. If the named move is a sequence whose rows
// are not computed yet, computes them first. Returns false after an error.
static bool append_word(struct parser *parser, struct listed_move *sequence, struct word word,
                        bool inverse)
{
    char shown[ESCAPED_WORD];
    struct move_word found = rows_find_move(parser->definition, word.text, word.length);
    struct listed_move *named = (struct listed_move *)found.move; // an entry of our own lists
    if (parser->sequence_moves++ == SEQUENCE_MOVES_MOST) {
        return error_set_line(parser->error, FEWEST_BEYOND, parser->line,
                              "all sequences together may have at most %d moves",
                              SEQUENCE_MOVES_MOST);
    }
    if (!named) {
        return parser_complain_no_name(parser, word);
    }
    if (named->being_read) { // two parts of one message; line N comes between them
        (void)parser_complain(parser, "with '%s' here, %s (", word_escape(shown, word),
                              named->name);
        return error_add_line(parser->error, named->line, ") would contain itself");
    }
    if (named->is_sequence && !named->is_resolved && !resolve_sequence(parser, named)) {
        return false;
    }
    found.inverse = found.inverse != inverse;
    append_move(parser, sequence, &found);
    return true;
}

// Tells the reader of an alg whether a word is a move (alg.h: find). A word that could be the name
// of one is taken for a move, too, so that append_word complains about it.
static enum alg_word classify_word(const void *definition, const char *word, size_t length,
                                   struct fewest_error *error)
{
    (void)error;
    if (rows_find_move(definition, word, length).move) {
        return ALG_NAME;
    }
    bool is_pause = length == 1 && *word == '.';
    for (size_t i = 0; i < length; i++) {
        if (strchr(",:()[]", word[i])) {
            return ALG_NO;
        }
    }
    return is_pause ? ALG_NO : ALG_POWER;
}

// Appends the moves of a sequence, which may have groups, conjugates and commutators. The error of
// a group names a character.
static bool append_alg(struct parser *parser, struct listed_move *sequence)
{
    const struct alg_names names = {.context = parser->definition, .find = classify_word};
    struct fewest_error error;
    struct alg alg;
    bool done = alg_begin(&alg, &names, sequence->words.text, sequence->words.length, &error);
    while (done && !alg_at_end(&alg)) {
        done = alg_next(&alg);
    }
    if (!done) {
        (void)(error.status == FEWEST_SYSTEM ? parser_no_memory(parser)
                                             : parser_complain(parser, "%s", error.text));
    }
    for (size_t i = 0; done && i < alg.count; i++) {
        const struct alg_move *move = &alg.moves[i];
        parser->line = sequence->line; // for messages
        done =
            append_word(parser, sequence, (struct word){move->word, move->length}, move->inverse);
    }
    alg_end(&alg);
    return done;
}

// Appends the moves of a sequence in parentheses, which dots separate.
static bool append_dotted(struct parser *parser, struct listed_move *sequence)
{
    const char *next = sequence->words.text;
    const char *end = next + sequence->words.length;
    struct word word;
    size_t shortest;
    while (take_word_in_parentheses(parser->definition, &next, end, &word, &shortest)) {
        parser->line = sequence->line; // for messages
        if (shortest < word.length) {
            return complain_two_words(parser, word, shortest);
        }
        if (!append_word(parser, sequence, word, false)) {
            return false;
        }
    }
    return true;
}

// Computes the rows of an alias or a sequence, or its turn, and of all sequences that it names.
// While it runs, being_read is set, so that a sequence that contains itself is found.
static bool resolve_sequence(struct parser *parser, struct listed_move *sequence)
{
    if (parser->turning && !rows_make(parser->definition, &sequence->turn)) {
        return parser_no_memory(parser);
    }
    rows_set_identity(parser->definition, parser->turning ? &sequence->turn : &sequence->rows);
    sequence->being_read = true;
    parser->line = sequence->line; // for messages
    if (!(sequence->in_parentheses ? append_dotted : append_alg)(parser, sequence)) {
        return false;
    }
    sequence->is_resolved = true;
    sequence->being_read = false;
    return true;
}

// Computes the rows, or the turns, of all aliases and sequences.
static bool resolve_sequences(struct parser *parser)
{
    const struct move_list *const lists[] = {&parser->definition->moves,
                                             &parser->definition->others};
    for (unsigned l = 0; l < 2; l++) {
        for (unsigned i = 0; i < lists[l]->count; i++) {
            struct listed_move *move = &lists[l]->listed[i];
            if (move->is_sequence && !move->is_resolved && !resolve_sequence(parser, move)) {
                return false;
            }
        }
    }
    return true;
}

// Computes the turns of all aliases and sequences, if there are rotations.
static bool find_turns(struct parser *parser)
{
    const struct move_list *const lists[] = {&parser->definition->moves,
                                             &parser->definition->others};
    bool has_rotation = false;
    for (unsigned l = 0; l < 2; l++) {
        for (unsigned i = 0; i < lists[l]->count; i++) {
            has_rotation |= lists[l]->listed[i].is_rotation;
            lists[l]->listed[i].is_resolved = false;
        }
    }
    parser->turning = true;
    parser->sequence_moves = 0;
    return !has_rotation || resolve_sequences(parser);
}

// Checks each rotation and alias that is called like a power of another name, such as R2 beside R:
// it must be that power. A name such as R12 can be a power of two names, R1 and R.
static bool check_aliases(struct parser *parser)
{
    const struct definition *definition = parser->definition;
    for (unsigned i = 0; i < definition->others.count; i++) {
        const struct listed_move *alias = &definition->others.listed[i];
        const struct move_word itself = {alias, 1, false}; // once, not inverted
        struct move_word power = {.move = alias};
        while (power.move) { // look for a shorter name than the last
            size_t shorter = strlen(power.move->name) - 1;
            power = rows_find_power(definition, alias->name, strlen(alias->name), shorter);
            if (power.move && !rows_are_alike(definition, &itself, &power)) {
                parser->line = alias->line;
                (void)parser_complain(parser, "%s is a power of %s (", alias->name,
                                      power.move->name);
                return error_add_line(parser->error, power.move->line,
                                      "), but means something else here; rename it");
            }
        }
    }
    return true;
}

// ---- Generators ---------------------------------------------------------------------------------

// Adds the sequence that begins a word of `Generators` to the aliases: the (R.U.R') of (R.U.R')2,
// for example. This text is also its name. Returns false after a complaint.
static bool add_in_parentheses(struct parser *parser, struct word word)
{
    char shown[ESCAPED_WORD];
    struct word name = word; // up to the last `)`, which comes after the `(` at its start
    while (name.length > 0 && name.text[name.length - 1] != ')') {
        name.length--;
    }
    if (name.length == 0) {
        return parser_complain(
            parser,
            "expected a sequence such as (R.U.R'), with dots between its moves, got "
            "'%s'",
            word_escape(shown, word));
    }
    struct listed_move *sequence = add_listed(parser, name, &parser->definition->others);
    if (!sequence) {
        return false;
    }
    sequence->is_sequence = true;
    sequence->in_parentheses = true;
    sequence->words = (struct word){name.text + 1, name.length - 2};
    return true;
}

// Adds the sequences in parentheses that `Generators` names, each once.
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

// Adds the move or power that a word of `Generators` means to the generators, which have room.
static bool add_generator(struct parser *parser, struct word word)
{
    struct definition *definition = parser->definition;
    uint8_t bytes[ROWS_BYTES_MOST];
    char shown[ESCAPED_WORD];
    struct rows rows = rows_in(definition, bytes, 0);
    struct move_word generator = rows_find_move(definition, word.text, word.length);
    if (!generator.move) {
        return parser_complain_no_name(parser, word);
    }
    rows_of_move(definition, &generator, &rows);
    if (rows_are_identity(definition, &rows, false)) { // nothing changes, shown or not
        return parser_complain(parser, "'%s' changes nothing, so it can't be a generator",
                               word_escape(shown, word));
    }
    definition->generators[definition->generator_count++] = generator;
    return true;
}

// Adds the moves that `Generators` names to the generators.
static bool add_named_generators(struct parser *parser)
{
    const char *next = parser->generators.text;
    const char *end = next + parser->generators.length;
    struct word word;
    parser->line = parser->definition->generators_line; // for messages
    while (rows_next_move(parser->definition, &next, end, &word.text, &word.length)) {
        if (!add_generator(parser, word)) {
            return false;
        }
    }
    return true;
}

// Finds the moves that count: those of `Generators` or, without it, all listed moves.
static bool find_generators(struct parser *parser)
{
    struct definition *definition = parser->definition;
    const struct move_list *moves = &definition->moves;
    bool are_named = parser->generators.text;
    // A word of `Generators` takes one byte at least.
    size_t most = are_named ? parser->generators.length : moves->count;
    definition->generators = calloc(most, sizeof *definition->generators);
    if (!definition->generators) {
        return parser_no_memory(parser);
    }
    if (are_named) {
        return add_named_generators(parser);
    }
    for (unsigned m = 0; m < moves->count; m++) {
        definition->generators[definition->generator_count++] =
            (struct move_word){&moves->listed[m], 1, false}; // once, not inverted
    }
    return true;
}

bool parser_finish_moves(struct parser *parser)
{
    return add_sequences(parser) && resolve_sequences(parser) && parser_find_rotations(parser) &&
           check_aliases(parser) && find_generators(parser) && find_turns(parser);
}
