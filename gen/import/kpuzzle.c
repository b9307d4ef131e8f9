// Translates KPuzzle definitions, and the patterns of the same format, into our own language.
//
// This file checks what JSON can get wrong: types, lengths, numbers out of range, unknown orbits.
// The parser of our own language checks the rest. Each line of the text remembers its JSON path, so
// that the errors of the parser can name it.
#include "kpuzzle.h"

#include "block_systems.h"
#include "foreign.h"
#include "tables/base/ascii.h"
#include "tables/definition/alg.h"
#include "tables/definition/definition.h"
#include "tables/program/command_line.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_SIZE = 80,             // bytes of a key in a JSON path
    PLACE_SIZE = 4 * KEY_SIZE, // bytes of a JSON path
    MODULO = INT_MAX,          // in place of the most that a number may be: any number (read_row)
    IGNORED = INT_MAX,         // in place of an orientation that does not count
    // Under one key: moves, rotations and aliases.
    KEYS_MOST = 2 * LISTED_MOVES_MOST,
};

// A value in the JSON, and the way to it. The node of a parent lives as long as those of its
// members.
struct node {
    const struct node *parent; // the object or list that it belongs to; NULL: the file
    const char *key;           // in an object; NULL: in a list
    size_t index;              // in a list
    json_t *value;             // NULL: there is none
};

struct orbit {
    const char *name;
    unsigned pieces;
    unsigned orientations;
    unsigned first; // the number of its first slot among the slots of all orbits
};

struct translator {
    const struct kpuzzle_file *file; // that is read now
    struct orbit orbits[SETS_MOST];
    unsigned orbit_count;
    unsigned piece_count; // of all orbits
    // The pattern, by slot.
    uint16_t number[PIECES_MOST];      // of the piece there
    unsigned orientation[PIECES_MOST]; // or IGNORED, if it does not count
    struct node moves;
    struct node derived;
    FILE *text;
    FILE *places;
    struct fewest_error *error;
};

// ---- Places in the JSON -------------------------------------------------------------------------

static struct node get_member(const struct node *object, const char *key)
{
    return (struct node){object, key, 0, json_object_get(object->value, key)};
}

static struct node get_element(const struct node *list, size_t index)
{
    return (struct node){list, NULL, index, json_array_get(list->value, index)};
}

// Writes the JSON path, such as `moves.U.CORNERS.permutation[3]`, that of the parent first. The
// path of a whole file is empty. No path is longer than PLACE_SIZE: keys are cut to KEY_SIZE.
static void write_place(const struct node *node, char place[PLACE_SIZE])
{
    char shown[KEY_SIZE];
    place[0] = '\0';
    if (!node->parent) {
        return;
    }
    write_place(node->parent, place);
    size_t used = strlen(place);
    if (node->key) {
        snprintf(place + used, PLACE_SIZE - used, "%s%s", used > 0 ? "." : "",
                 escape_text(shown, sizeof shown, node->key, strlen(node->key)));
    } else {
        snprintf(place + used, PLACE_SIZE - used, "[%zu]", node->index);
    }
}

// Puts the file and the JSON path before an error. Returns false.
static bool prefix_place(struct translator *t, const struct node *node)
{
    char place[PLACE_SIZE];
    write_place(node, place);
    if (place[0]) {
        error_prefix(t->error, place);
    }
    return error_prefix(t->error, t->file->path);
}

// Fills in the error for a value of the file that is read now, from a format and its arguments. Its
// value is false.
#define complain_at(t, node, ...)                                                                  \
    (error_write((t)->error, FEWEST_BAD_INPUT, __VA_ARGS__), prefix_place(t, node))

// Complains about a value of the wrong type. Returns false.
static bool complain_type(struct translator *t, const struct node *node, const char *expected)
{
    static const char *const TYPES[] = {[JSON_OBJECT] = "an object",
                                        [JSON_ARRAY] = "a list",
                                        [JSON_STRING] = "a string",
                                        [JSON_INTEGER] = "a whole number",
                                        [JSON_REAL] = "a number with a fraction",
                                        [JSON_TRUE] = "true, false or null",
                                        [JSON_FALSE] = "true, false or null",
                                        [JSON_NULL] = "true, false or null"};
    return complain_at(t, node, "expected %s, got %s", expected,
                       node->value ? TYPES[json_typeof(node->value)] : "nothing");
}

// ---- Values -------------------------------------------------------------------------------------

// Reads a whole number from `least` to `most`.
static bool read_number(struct translator *t, const struct node *node, unsigned least,
                        unsigned most, unsigned *number)
{
    json_int_t found = json_integer_value(node->value);
    if (!json_is_integer(node->value)) {
        return complain_type(t, node, "a whole number");
    }
    if (found < least || found > most) {
        return complain_at(t, node, "expected a number from %u to %u, got %lld", least, most,
                           (long long)found);
    }
    *number = (unsigned)found;
    return true;
}

// Reads a whole number, which may be negative. *number becomes its rest, from 0 to modulo - 1.
static bool read_modulo(struct translator *t, const struct node *node, unsigned modulo,
                        unsigned *number)
{
    if (!json_is_integer(node->value)) {
        return complain_type(t, node, "a whole number");
    }
    json_int_t rest = json_integer_value(node->value) % modulo;
    if (rest < 0) { // C rounds towards 0
        rest += modulo;
    }
    *number = (unsigned)rest;
    return true;
}

// Reads a list with a number for each piece of the orbit. If `most` is MODULO, the numbers are
// taken modulo the orientations. Otherwise they must be from 0 to `most`.
static bool read_row(struct translator *t, const struct node *list, const struct orbit *orbit,
                     unsigned most, unsigned row[PIECES_OF_SET_MOST])
{
    if (!json_is_array(list->value)) {
        return complain_type(t, list, "a list of numbers");
    }
    if (json_array_size(list->value) != orbit->pieces) {
        return complain_at(t, list, "expected %u numbers, one for each piece of %s, got %zu",
                           orbit->pieces, orbit->name, json_array_size(list->value));
    }
    for (unsigned i = 0; i < orbit->pieces; i++) {
        struct node number = get_element(list, i);
        bool is_read = false;
        if (most == MODULO) {
            is_read = read_modulo(t, &number, orbit->orientations, &row[i]);
        } else {
            is_read = read_number(t, &number, 0, most, &row[i]);
        }
        if (!is_read) {
            return false;
        }
    }
    return true;
}

// Fails unless the name can be one word of our language.
static bool check_name(struct translator *t, const struct node *node, const char *name)
{
    char shown[KEY_SIZE];
    size_t length = strlen(name);
    if (definition_is_name(name, length)) {
        return true;
    }
    return complain_at(t, node,
                       "expected a name of 1 to %d printable ASCII characters without a space, got "
                       "'%s'",
                       NAME_LONGEST, escape_text(shown, sizeof shown, name, length));
}

// Checks that all keys of an object are names of orbits.
static bool check_orbit_keys(struct translator *t, const struct node *object)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object->value)) {
        return complain_type(t, object, "an object with a key for each orbit");
    }
    json_object_foreach(object->value, key, value)
    {
        struct node orbit = {object, key, 0, value};
        unsigned o = 0;
        while (o < t->orbit_count && strcmp(t->orbits[o].name, key) != 0) {
            o++;
        }
        if (o == t->orbit_count) {
            return complain_at(t, &orbit, "no orbit has this name");
        }
    }
    return true;
}

// ---- Lines of the text --------------------------------------------------------------------------

// Writes a part of a line, from a format and its arguments.
#define put(t, ...) fprintf((t)->text, __VA_ARGS__)

// Ends a line, and writes the path of the node that it comes from to the list of places.
static void end_line(struct translator *t, const struct node *node)
{
    char place[PLACE_SIZE];
    write_place(node, place);
    fputc('\n', t->text);
    fwrite(place, 1, strlen(place) + 1, t->places);
}

// Writes a whole line.
#define put_line(t, node, ...) (put(t, __VA_ARGS__), end_line(t, node))

// Writes a line of `count` numbers. An orientation that does not count becomes a question mark.
static void write_row(struct translator *t, const struct node *node, const unsigned *row,
                      unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const char *space = i > 0 ? " " : "";
        if (row[i] == IGNORED) {
            put(t, "%s?", space);
        } else {
            put(t, "%s%u", space, row[i]);
        }
    }
    end_line(t, node);
}

// Fails if the text is too long for a definition. `node` is what was translated last.
static bool check_text_length(struct translator *t, const struct node *node)
{
    if (ftell(t->text) <= DEFINITION_LONGEST) {
        return true;
    }
    return complain_at(t, node,
                       "up to here, the definition has more than %d bytes as text, the most that "
                       "is allowed",
                       DEFINITION_LONGEST);
}

// ---- Name and orbits ----------------------------------------------------------------------------

// Writes the `Name` line, unless the definition has no name. Bytes that a name can't have become _.
static bool translate_name(struct translator *t, const struct node *root)
{
    struct node name = get_member(root, "name");
    if (name.value && !json_is_string(name.value)) {
        return complain_type(t, &name, "a string");
    }
    if (json_string_length(name.value) > 0) {
        put(t, "Name ");
        for (const char *c = json_string_value(name.value); *c; c++) {
            bool is_printable = *c > ' ' && *c <= '~';
            put(t, "%c", is_printable ? *c : '_');
        }
        end_line(t, &name);
    }
    return true;
}

// Reads an orbit, and writes its `Set` line. The name belongs to the JSON.
static bool translate_orbit(struct translator *t, const struct node *object, struct orbit *orbit)
{
    if (!json_is_object(object->value)) {
        return complain_type(t, object, "an object");
    }
    struct node name = get_member(object, "orbitName");
    struct node pieces = get_member(object, "numPieces");
    struct node orientations = get_member(object, "numOrientations");
    if (!json_is_string(name.value)) {
        return complain_type(t, &name, "a string");
    }
    orbit->name = json_string_value(name.value);
    if (!check_name(t, &name, orbit->name)) {
        return false;
    }
    if (orbit->name[0] == '#') {
        return complain_at(t, &name, "expected a name that begins with a letter, got '%s'",
                           orbit->name);
    }
    if (!read_number(t, &pieces, 1, PIECES_OF_SET_MOST, &orbit->pieces) ||
        !read_number(t, &orientations, 1, ORIENTATIONS_MOST, &orbit->orientations)) {
        return false;
    }
    put_line(t, object, "Set %s %u %u", orbit->name, orbit->pieces, orbit->orientations);
    return true;
}

// Reads all orbits, numbers their slots, and writes their `Set` lines.
static bool translate_orbits(struct translator *t, const struct node *root)
{
    struct node list = get_member(root, "orbits");
    size_t count = json_array_size(list.value);
    if (!json_is_array(list.value)) {
        return complain_type(t, &list, "a list of orbits");
    }
    if (count < 1 || count > SETS_MOST) {
        return complain_at(t, &list, "expected 1 to %d orbits, got %zu", SETS_MOST, count);
    }
    for (unsigned o = 0; o < count; o++) {
        struct node object = get_element(&list, o);
        if (!translate_orbit(t, &object, &t->orbits[o])) {
            return false;
        }
        t->orbits[o].first = t->piece_count;
        t->piece_count += t->orbits[o].pieces;
        t->orbit_count++;
        if (t->piece_count > PIECES_MOST) {
            return complain_at(t, &object, "all orbits together may have at most %d pieces",
                               PIECES_MOST);
        }
    }
    return true;
}

// ---- Patterns -----------------------------------------------------------------------------------

// Reads the row `orientationMod`, if there is one. `ignored[i]` becomes 1 if the orientation in
// slot i does not count; it is 0 before.
static bool read_ignored(struct translator *t, const struct node *pattern,
                         const struct orbit *orbit, unsigned ignored[PIECES_OF_SET_MOST])
{
    struct node row = get_member(pattern, "orientationMod");
    if (!row.value) {
        return true;
    }
    if (!read_row(t, &row, orbit, ORIENTATIONS_MOST, ignored)) {
        return false;
    }
    for (unsigned i = 0; i < orbit->pieces; i++) {
        struct node number = get_element(&row, i);
        if (ignored[i] > 1) {
            return complain_at(t, &number,
                               "expected 0 (the orientation counts) or 1 (it does not), got %u: an "
                               "orientation can't count in part",
                               ignored[i]);
        }
    }
    return true;
}

// Reads an orbit of a pattern into the rows of all orbits. Pieces look alike if they have the same
// number in the pattern and both or neither have an orientation that counts.
static bool read_pattern_orbit(struct translator *t, const struct node *pattern,
                               const struct orbit *orbit)
{
    struct node piece_row = get_member(pattern, "pieces");
    struct node orientation_row = get_member(pattern, "orientation");
    unsigned pieces[PIECES_OF_SET_MOST] = {0};
    unsigned orientations[PIECES_OF_SET_MOST] = {0};
    unsigned ignored[PIECES_OF_SET_MOST] = {0};
    if (!json_is_object(pattern->value)) {
        return complain_type(t, pattern, "an object with `pieces` and `orientation`");
    }
    if (!read_row(t, &piece_row, orbit, orbit->pieces - 1, pieces) ||
        !read_row(t, &orientation_row, orbit, orbit->orientations - 1, orientations) ||
        !read_ignored(t, pattern, orbit, ignored)) {
        return false;
    }
    for (unsigned i = 0; i < orbit->pieces; i++) {
        t->number[orbit->first + i] = (uint16_t)(2 * (orbit->first + pieces[i]) + ignored[i]);
        t->orientation[orbit->first + i] = ignored[i] ? IGNORED : orientations[i];
    }
    return true;
}

// Copies the permutations of the moves to `rows`, which has room for all of them, and returns how
// many moves are whole. Stops at the first bad one. The error that is set here does not count:
// translate_move_orbit will read the move again and fail. It also finds slots that appear twice.
static unsigned copy_moves(struct translator *t, uint16_t *rows)
{
    const char *name;
    json_t *value;
    unsigned count = 0;
    json_object_foreach(t->moves.value, name, value)
    {
        struct node move = {&t->moves, name, 0, value};
        for (unsigned o = 0; o < t->orbit_count; o++) {
            const struct orbit *orbit = &t->orbits[o];
            struct node object = get_member(&move, orbit->name);
            struct node list = get_member(&object, "permutation");
            unsigned pieces[PIECES_OF_SET_MOST];
            if (!read_row(t, &list, orbit, orbit->pieces - 1, pieces)) {
                return count;
            }
            for (unsigned i = 0; i < orbit->pieces; i++) {
                *rows++ = (uint16_t)(orbit->first + pieces[i]);
            }
        }
        count++;
    }
    return count;
}

// Numbers the pieces of the pattern without gaps, as our language does. Pieces that look alike but
// that a state tells apart get numbers of their own.
static bool number_pieces(struct translator *t)
{
    // There can be no move, only derived moves, and malloc may return NULL for 0 bytes.
    uint16_t *rows = malloc((json_object_size(t->moves.value) * t->piece_count + 1) * sizeof *rows);
    if (!rows) {
        return error_no_memory(t->error, "for the definition");
    }
    struct slot_moves moves = {.rows = rows, .count = copy_moves(t, rows), .slots = t->piece_count};
    bool done = block_systems_number(&moves, t->number);
    free(rows);
    return done || error_no_memory(t->error, "for the definition");
}

// Writes the pattern of an orbit: its name, the numbers of its pieces from 0 on, and their
// orientations.
static void write_pattern_orbit(struct translator *t, const struct node *node,
                                const struct orbit *orbit)
{
    unsigned numbers[PIECES_OF_SET_MOST];
    unsigned least = UINT_MAX; // the first number of the orbit
    for (unsigned i = 0; i < orbit->pieces; i++) {
        numbers[i] = t->number[orbit->first + i];
        if (numbers[i] < least) {
            least = numbers[i];
        }
    }
    for (unsigned i = 0; i < orbit->pieces; i++) {
        numbers[i] -= least;
    }
    put_line(t, node, "%s", orbit->name);
    write_row(t, node, numbers, orbit->pieces);
    write_row(t, node, t->orientation + orbit->first, orbit->pieces);
}

// Writes a pattern as the solved state, the block `StartState`.
static bool translate_pattern(struct translator *t, const struct node *pattern)
{
    if (!check_orbit_keys(t, pattern)) {
        return false;
    }
    for (unsigned o = 0; o < t->orbit_count; o++) {
        struct node orbit = get_member(pattern, t->orbits[o].name);
        if (!read_pattern_orbit(t, &orbit, &t->orbits[o])) {
            return false;
        }
    }
    if (!number_pieces(t)) {
        return false;
    }
    put_line(t, pattern, "StartState");
    for (unsigned o = 0; o < t->orbit_count; o++) {
        struct node orbit = get_member(pattern, t->orbits[o].name);
        write_pattern_orbit(t, &orbit, &t->orbits[o]);
    }
    put_line(t, pattern, "End");
    return true;
}

// ---- Moves --------------------------------------------------------------------------------------

static bool is_identity(const struct orbit *orbit, const unsigned *pieces, const unsigned *turns)
{
    for (unsigned i = 0; i < orbit->pieces; i++) {
        if (pieces[i] != i || turns[i] != 0) {
            return false;
        }
    }
    return true;
}

// Writes what a move does to an orbit, unless it does nothing. What it does to orbits that the
// definition does not list is ignored: some definitions were cut down from larger ones.
static bool translate_move_orbit(struct translator *t, const struct node *rows,
                                 const struct orbit *orbit)
{
    struct node permutation = get_member(rows, "permutation");
    struct node delta = get_member(rows, "orientationDelta");
    unsigned pieces[PIECES_OF_SET_MOST] = {0};
    unsigned turns[PIECES_OF_SET_MOST] = {0};
    if (!json_is_object(rows->value)) {
        return complain_type(t, rows, "an object with `permutation` and `orientationDelta`");
    }
    if (!read_row(t, &permutation, orbit, orbit->pieces - 1, pieces) ||
        !read_row(t, &delta, orbit, MODULO, turns)) {
        return false;
    }
    if (!is_identity(orbit, pieces, turns)) {
        put_line(t, rows, "%s", orbit->name);
        write_row(t, &permutation, pieces, orbit->pieces);
        write_row(t, &delta, turns, orbit->pieces);
    }
    return true;
}

static bool is_rotation(const char *name)
{
    return definition_is_rotation_name(name, strlen(name));
}

// Is this the name of a move, not of a derived one?
static bool is_move(const struct translator *t, const char *name)
{
    return json_object_get(t->moves.value, name);
}

// Finds a derived move that has the name of a rotation, such as `y2`, and is nothing but this move.
// Then the move is a rotation, too, although its own name does not say so. Returns the name of the
// derived move, or NULL if there is none.
static const char *find_rotation_name(const struct translator *t, const char *move)
{
    const char *key;
    json_t *alg;
    json_object_foreach(t->derived.value, key, alg)
    {
        if (is_rotation(key) && !is_move(t, key) && json_is_string(alg) &&
            strcmp(json_string_value(alg), move) == 0) {
            return key;
        }
    }
    return NULL;
}

// Writes a move. If it is a rotation under another name, it gets the name of the rotation, and its
// own name becomes an alias.
static bool translate_move(struct translator *t, const struct node *move)
{
    if (!check_name(t, move, move->key)) {
        return false;
    }
    if (!json_is_object(move->value)) {
        return complain_type(t, move, "an object with a key for each orbit");
    }
    const char *rotation = is_rotation(move->key) ? NULL : find_rotation_name(t, move->key);
    put_line(t, move, "MoveTransformation %s", rotation ? rotation : move->key);
    for (unsigned o = 0; o < t->orbit_count; o++) {
        struct node rows = get_member(move, t->orbits[o].name);
        if (!translate_move_orbit(t, &rows, &t->orbits[o])) {
            return false;
        }
    }
    put_line(t, move, "End");
    if (rotation) {
        put_line(t, move, "MoveAlias %s %s", move->key, rotation);
    }
    return check_text_length(t, move);
}

// Tells the reader of an alg whether a word is a move (alg.h: find). Returns ALG_POWER if the word
// has the form of a move: a name, then perhaps a number, then perhaps an apostrophe, the mark of
// the inverse. The name is printable ASCII without spaces and without # ' " , : ( ) [ ]. The parser
// of our own language checks later whether there is such a move. A pause or the start of a comment
// is a move only if one is called so. `length` is at least 1.
//
// A plain name counts as a power, too. The reader tells ALG_NAME from ALG_POWER only where moves
// may stand without spaces (alg_names.refuse), and here they may not.
static enum alg_word classify_word(const void *context, const char *word, size_t length,
                                   struct fewest_error *error)
{
    const struct translator *t = context;
    char name[NAME_LONGEST + 1];
    bool is_note = word[0] == '.' || (length > 1 && word[0] == '/' && word[1] == '/');
    (void)error;
    if (word[length - 1] == '\'') {
        length--;
    }
    while (length > 0 && ascii_is_digit(word[length - 1])) {
        length--;
    }
    for (size_t i = 0; i < length; i++) {
        if (word[i] <= ' ' || word[i] > '~' || strchr("#'\",:()[]", word[i])) {
            return ALG_NO;
        }
    }
    if (length == 0 || length > NAME_LONGEST) {
        return ALG_NO;
    }
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    if (is_note && !is_move(t, name) && !json_object_get(t->derived.value, name)) {
        return ALG_NO;
    }
    return ALG_POWER;
}

// Reads the string of a derived move, an alg, into a list of moves. The caller calls alg_end in any
// case.
static bool read_alg(struct translator *t, const struct node *text, struct alg *alg)
{
    const struct alg_names names = {.context = t, .find = classify_word};
    struct fewest_error error;
    bool done = alg_begin(alg, &names, json_string_value(text->value),
                          json_string_length(text->value), &error);
    while (done && !alg_at_end(alg)) {
        done = alg_next(alg);
    }
    if (!done && error.status == FEWEST_SYSTEM) {
        return error_no_memory(t->error, "for the definition");
    }
    return done || complain_at(t, text, "%s", error.text);
}

// Writes a derived move whose alg was read. A second name for one move is no move of its own,
// unless it is a rotation, which must have a name of a rotation.
static bool write_derived(struct translator *t, const struct node *node, const struct alg *alg)
{
    if (alg->count == 0) {
        put_line(t, node, "MoveTransformation %s", node->key); // which moves nothing
        put_line(t, node, "End");
        return true;
    }
    bool is_alias = alg->count == 1 && !is_rotation(node->key);
    put(t, "%s %s", is_alias ? "MoveAlias" : "MoveSequence", node->key);
    for (size_t i = 0; i < alg->count; i++) {
        const struct alg_move *move = &alg->moves[i];
        bool has_mark = move->word[move->length - 1] == '\'';
        size_t unmarked = has_mark ? move->length - 1 : move->length;
        // A mark in the word and an inverted group around it cancel out.
        bool is_inverse = move->inverse != has_mark;
        put(t, " %.*s%s", (int)unmarked, move->word, is_inverse ? "'" : "");
    }
    end_line(t, node);
    return check_text_length(t, node);
}

// Is the name of a derived move written already? It is if a move has it, or if translate_move wrote
// a move under it: by `"y2": "M"`, a move M that turns the whole is the rotation y2.
static bool is_already_written(const struct translator *t, const struct node *derived)
{
    if (is_move(t, derived->key)) {
        return true;
    }
    const char *move = json_string_value(derived->value); // NULL if it is no string
    if (!move || is_rotation(move) || !is_move(t, move)) {
        return false;
    }
    const char *rotation = find_rotation_name(t, move);
    return rotation && strcmp(rotation, derived->key) == 0;
}

// Writes a derived move, unless it is written already.
static bool translate_derived(struct translator *t, const struct node *derived)
{
    struct alg alg;
    if (is_already_written(t, derived)) {
        return true;
    }
    if (!check_name(t, derived, derived->key)) {
        return false;
    }
    if (!json_is_string(derived->value)) {
        return complain_type(t, derived, "a string with moves");
    }
    bool done = read_alg(t, derived, &alg) && write_derived(t, derived, &alg);
    alg_end(&alg);
    return done;
}

// Calls a function for each member of an object, until it returns false.
static bool translate_each(struct translator *t, const struct node *object,
                           bool (*translate_one)(struct translator *, const struct node *))
{
    const char *key;
    json_t *value;
    json_object_foreach(object->value, key, value)
    {
        struct node node = {object, key, 0, value};
        if (!translate_one(t, &node)) {
            return false;
        }
    }
    return true;
}

// Fails unless the value is an object of at most KEYS_MOST moves. If it is not needed, it may be
// missing.
static bool check_move_object(struct translator *t, const struct node *moves, bool is_needed)
{
    if (!moves->value && !is_needed) {
        return true;
    }
    if (!json_is_object(moves->value)) {
        return complain_type(t, moves, "an object with a key for each move");
    }
    if (json_object_size(moves->value) > KEYS_MOST) {
        return complain_at(t, moves, "expected at most %d moves, got %zu", KEYS_MOST,
                           json_object_size(moves->value));
    }
    return true;
}

// Finds the objects of the moves and, if there is one, of the derived moves. Checks them, but not
// the moves in them.
static bool find_move_objects(struct translator *t, const struct node *root)
{
    t->moves = get_member(root, "moves");
    t->derived = get_member(root, "derivedMoves");
    if (!check_move_object(t, &t->moves, true) || !check_move_object(t, &t->derived, false)) {
        return false;
    }
    return json_object_size(t->moves.value) + json_object_size(t->derived.value) > 0 ||
           complain_at(t, root, "expected at least one move under `moves`");
}

// ---- Rotations ----------------------------------------------------------------------------------

// Appends a `Rotation` line to the text, with the rotations that our own language finds by their
// names: in KPuzzle definitions, these names are customary. A text with an error has none; the
// parser will find the error again.
static bool declare_rotations(struct kpuzzle_text *text, struct fewest_error *error)
{
    static const struct board_keyword *const NO_BOARDS[] = {NULL};
    static const size_t LINE_MOST =
        LISTED_MOVES_MOST * (size_t)(NAME_LONGEST + 1) + sizeof "Rotation\n";
    struct definition definition;
    struct fewest_error fault;
    if (!definition_read(&definition, NO_BOARDS, text->text, text->length, &fault)) {
        return fault.status != FEWEST_SYSTEM || error_no_memory(error, "for the definition");
    }
    char *longer = realloc(text->text, text->length + LINE_MOST);
    if (longer) {
        size_t used = text->length;
        text->text = longer;
        for (unsigned i = 0; i < definition.others.count; i++) {
            if (definition.others.listed[i].is_rotation) {
                used +=
                    (size_t)sprintf(longer + used, "%s %s", used == text->length ? "Rotation" : "",
                                    definition.others.listed[i].name);
            }
        }
        if (used > text->length) {
            used += (size_t)sprintf(longer + used, "\n");
        }
        text->length = used;
    }
    definition_free(&definition);
    return longer || error_no_memory(error, "for the definition");
}

// ---- Memory -------------------------------------------------------------------------------------

// The malloc of jansson. Without memory, ends the program: jansson would lose a part of a file and
// say nothing. It runs before the program has written anything.
static void *allocate_or_exit(size_t length)
{
    void *memory = malloc(length);
    if (!memory) {
        fputs("fewest-gen: not enough memory for the definition\n", stderr);
        exit(STATUS_SYSTEM);
    }
    return memory;
}

// ---- Files --------------------------------------------------------------------------------------

// Parses the file that is read now, t->file. *root becomes its JSON, which must be an object. The
// caller frees root->value (json_decref) in any case.
static bool parse_file(struct translator *t, struct node *root)
{
    const struct kpuzzle_file *file = t->file;
    size_t mark = ascii_mark_length(file->json, file->length);
    char shown[2 * KEY_SIZE];
    json_error_t fault;
    *root = (struct node){.value = NULL};
    if (file->length > DEFINITION_LONGEST) {
        return complain_at(t, root, "the file has more than %d bytes, the most that is allowed",
                           DEFINITION_LONGEST);
    }
    root->value =
        json_loadb(file->json + mark, file->length - mark, JSON_REJECT_DUPLICATES, &fault);
    if (!root->value) {
        return complain_at(t, root, "line %d, column %d: expected JSON: %s", fault.line,
                           fault.column,
                           escape_text(shown, sizeof shown, fault.text, strlen(fault.text)));
    }
    return json_is_object(root->value) || complain_type(t, root, "an object");
}

// Writes the pattern of the goal, a file of its own, as the solved state. Meanwhile, t->file is
// that file, so that errors name it.
static bool translate_goal(struct translator *t, const struct kpuzzle_file *goal)
{
    const struct kpuzzle_file *file = t->file;
    struct node root;
    t->file = goal;
    bool done = parse_file(t, &root) && translate_pattern(t, &root);
    json_decref(root.value);
    t->file = file;
    return done;
}

// Writes the whole definition. The solved state is that of the goal or, if that is NULL, the
// default pattern.
static bool translate_root(struct translator *t, const struct node *root,
                           const struct kpuzzle_file *goal)
{
    struct node pattern = get_member(root, "defaultPattern");
    if (!json_object_get(root->value, "orbits")) {
        foreign_explain_json(t->error);
        return prefix_place(t, root);
    }
    put_line(t, root, "# Made from a KPuzzle definition.");
    if (goal) {
        put_line(t, root, "# The solved state is the target pattern of --goal.");
    }
    if (!translate_name(t, root) || !translate_orbits(t, root) || !find_move_objects(t, root)) {
        return false;
    }
    bool has_solved = goal ? translate_goal(t, goal) : translate_pattern(t, &pattern);
    return has_solved && translate_each(t, &t->moves, translate_move) &&
           translate_each(t, &t->derived, translate_derived) && check_text_length(t, root);
}

// Parses the file, and writes its definition.
static bool translate_file(struct translator *t, const struct kpuzzle_file *goal)
{
    struct node root;
    bool done = parse_file(t, &root) && translate_root(t, &root, goal);
    json_decref(root.value);
    return done;
}

// Closes a stream of open_memstream, which then sets *buffer. Returns false if memory has run out.
// `stream` may be NULL.
static bool close_stream(FILE *stream, char *const *buffer)
{
    if (!stream) {
        return false;
    }
    bool was_written = !ferror(stream);
    bool is_closed = fclose(stream) == 0;
    return was_written && is_closed && *buffer;
}

bool kpuzzle_translate(const struct kpuzzle_file *file, const struct kpuzzle_file *goal,
                       struct kpuzzle_text *text, struct fewest_error *error)
{
    *text = (struct kpuzzle_text){0};
    struct translator *t = calloc(1, sizeof *t);
    FILE *lines = open_memstream(&text->text, &text->length);
    FILE *places = open_memstream(&text->places, &text->places_length);
    bool done = (t && lines && places) || error_no_memory(error, "for the definition");
    if (done) {
        t->file = file;
        t->text = lines;
        t->places = places;
        t->error = error;
        json_set_alloc_funcs(allocate_or_exit, free);
        done = translate_file(t, goal);
    }
    bool lines_sound = close_stream(lines, &text->text);
    bool places_sound = close_stream(places, &text->places);
    if (done && !(lines_sound && places_sound)) {
        done = error_no_memory(error, "for the definition");
    }
    done = done && declare_rotations(text, error);
    free(t);
    if (!done) {
        kpuzzle_free(text);
    }
    return done;
}
