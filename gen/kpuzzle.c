// Translates KPuzzle definitions, and the patterns of the same format, into our own language.
//
// This file checks what JSON can get wrong: types, lengths, numbers out of range, unknown orbits.
// The parser of our own language checks the rest. Each line of the text remembers its JSON path, so
// that the errors of the parser can name it.
#include "kpuzzle.h"

#include "base/ascii.h"
#include "blocks.h"
#include "definition/alg.h"
#include "definition/definition.h"
#include "program/command_line.h"

#include <jansson.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_SIZE = 80,             // bytes of a key in a JSON path
    PLACE_SIZE = 4 * KEY_SIZE, // bytes of a JSON path
    MODULO = INT_MAX,          // instead of the most that a number may be
    // Under one key: moves, rotations and aliases.
    KEYS_MOST = 2 * LISTED_MOVES_MOST,
};

struct orbit {
    const char *name;
    unsigned pieces;
    unsigned orientations;
    unsigned first; // the number of its first slot among the slots of all orbits
};

struct translator {
    const struct kpuzzle_file *file; // that is read now
    char place[PLACE_SIZE];          // in this file: a JSON path; empty at the top
    struct orbit orbits[SETS_MOST];
    unsigned orbit_count;
    unsigned piece_count; // of all orbits
    // The pattern, by slot.
    uint16_t number[PIECES_MOST]; // of the piece there
    uint8_t orientation[PIECES_MOST];
    bool ignored[PIECES_MOST]; // the orientation does not count
    json_t *moves;
    json_t *derived; // NULL: there are none
    FILE *text;
    FILE *places;
    size_t length; // of the text
    struct fewest_error *error;
};

// ---- Places in the JSON -------------------------------------------------------------------------

// Adds ".KEY" to the JSON path. Returns its old length for leave().
static size_t enter(struct translator *t, const char *key)
{
    char shown[KEY_SIZE];
    size_t before = strlen(t->place);
    snprintf(t->place + before, sizeof t->place - before, "%s%s", before > 0 ? "." : "",
             escape_text(shown, sizeof shown, key, strlen(key)));
    return before;
}

// Adds "[INDEX]" to the JSON path.
static size_t enter_index(struct translator *t, size_t index)
{
    size_t before = strlen(t->place);
    snprintf(t->place + before, sizeof t->place - before, "[%zu]", index);
    return before;
}

static void leave(struct translator *t, size_t before)
{
    t->place[before] = '\0';
}

// Fills in the error: the file, the JSON path and the text. Returns false.
static bool complain(struct translator *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool complain(struct translator *t, const char *format, ...)
{
    char text[FEWEST_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    error_write(t->error, FEWEST_BAD_INPUT, "%s%s%s", t->place, t->place[0] ? ": " : "", text);
    return error_prefix(t->error, t->file->path);
}

static bool no_memory(struct fewest_error *error)
{
    return error_set(error, FEWEST_SYSTEM, "not enough memory for the definition");
}

// The name of the type of a value, for messages.
static const char *type_of(const json_t *value)
{
    if (!value) {
        return "nothing";
    }
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
        return "a whole number";
    case JSON_REAL:
        return "a number with a fraction";
    default:
        return "true, false or null";
    }
}

// Complains about a value of the wrong type. Returns false.
static bool complain_type(struct translator *t, const char *expected, const json_t *value)
{
    return complain(t, "expected %s, got %s", expected, type_of(value));
}

// ---- Values -------------------------------------------------------------------------------------

static bool read_number(struct translator *t, const json_t *value, unsigned least, unsigned most,
                        unsigned *number)
{
    json_int_t found = json_integer_value(value);
    if (!json_is_integer(value)) {
        return complain_type(t, "a whole number", value);
    }
    if (found < least || found > most) {
        return complain(t, "expected a number from %u to %u, got %lld", least, most,
                        (long long)found);
    }
    *number = (unsigned)found;
    return true;
}

// Reads a whole number modulo `modulo`.
static bool read_modulo(struct translator *t, const json_t *value, unsigned modulo,
                        unsigned *number)
{
    json_int_t rest = json_integer_value(value) % modulo;
    if (!json_is_integer(value)) {
        return complain_type(t, "a whole number", value);
    }
    *number = (unsigned)(rest < 0 ? rest + modulo : rest);
    return true;
}

// Reads the list under a key: a number from 0 to `most` for each piece of the orbit, or any number,
// which is taken modulo the orientations, if `most` is MODULO.
static bool read_row(struct translator *t, const json_t *object, const char *key,
                     const struct orbit *orbit, unsigned most, unsigned row[PIECES_OF_SET_MOST])
{
    size_t before = enter(t, key);
    const json_t *list = json_object_get(object, key);
    if (!json_is_array(list)) {
        return complain_type(t, "a list of numbers", list);
    }
    if (json_array_size(list) != orbit->pieces) {
        return complain(t, "expected %u numbers, one for each piece of %s, got %zu", orbit->pieces,
                        orbit->name, json_array_size(list));
    }
    for (unsigned i = 0; i < orbit->pieces; i++) {
        size_t row_place = enter_index(t, i);
        const json_t *value = json_array_get(list, i);
        if (!(most == MODULO ? read_modulo(t, value, orbit->orientations, &row[i])
                             : read_number(t, value, 0, most, &row[i]))) {
            return false;
        }
        leave(t, row_place);
    }
    leave(t, before);
    return true;
}

// A name becomes one word of our language.
static bool check_name(struct translator *t, const char *name)
{
    char shown[KEY_SIZE];
    size_t length = strlen(name);
    bool good = length > 0 && length <= NAME_LONGEST;
    for (size_t i = 0; i < length && good; i++) {
        good = name[i] > ' ' && name[i] <= '~';
    }
    return good || complain(t,
                            "expected a name of 1 to %d printable ASCII characters without a "
                            "space, got '%s'",
                            NAME_LONGEST, escape_text(shown, sizeof shown, name, length));
}

// Checks that all keys of an object are names of orbits.
static bool check_orbits(struct translator *t, json_t *object)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object)) {
        return complain_type(t, "an object with a key for each orbit", object);
    }
    json_object_foreach(object, key, value)
    {
        unsigned o = 0;
        while (o < t->orbit_count && strcmp(t->orbits[o].name, key) != 0) {
            o++;
        }
        if (o == t->orbit_count) {
            enter(t, key);
            return complain(t, "no orbit has this name");
        }
    }
    return true;
}

// ---- Lines of the text --------------------------------------------------------------------------

static void put(struct translator *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put(struct translator *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vfprintf(t->text, format, arguments);
    va_end(arguments);
    t->length += length > 0 ? (size_t)length : 0;
}

// Ends a line, and writes down its place.
static void end_line(struct translator *t)
{
    put(t, "\n");
    fwrite(t->place, 1, strlen(t->place) + 1, t->places);
}

#define put_line(t, ...) (put(t, __VA_ARGS__), end_line(t))

static void put_row(struct translator *t, const char *key, const unsigned *row, unsigned count)
{
    size_t before = enter(t, key);
    for (unsigned i = 0; i < count; i++) {
        put(t, "%s%u", i > 0 ? " " : "", row[i]);
    }
    end_line(t);
    leave(t, before);
}

static bool check_length(struct translator *t)
{
    return t->length <= DEFINITION_LONGEST ||
           complain(t,
                    "up to here, the definition has more than %d bytes as text, the most that "
                    "is allowed",
                    DEFINITION_LONGEST);
}

// ---- Name and orbits ----------------------------------------------------------------------------

static bool translate_name(struct translator *t, const json_t *root)
{
    const json_t *name = json_object_get(root, "name");
    size_t before = enter(t, "name");
    if (name && !json_is_string(name)) {
        return complain_type(t, "a string", name);
    }
    if (json_string_length(name) > 0) {
        put(t, "Name ");
        for (const char *c = json_string_value(name); *c; c++) {
            put(t, "%c", *c > ' ' && *c <= '~' ? *c : '_');
        }
        end_line(t);
    }
    leave(t, before);
    return true;
}

static bool translate_orbit(struct translator *t, const json_t *object, struct orbit *orbit)
{
    if (!json_is_object(object)) {
        return complain_type(t, "an object", object);
    }
    const json_t *name = json_object_get(object, "orbitName");
    size_t before = enter(t, "orbitName");
    if (!json_is_string(name)) {
        return complain_type(t, "a string", name);
    }
    orbit->name = json_string_value(name);
    if (!check_name(t, orbit->name)) {
        return false;
    }
    if (orbit->name[0] == '#') {
        return complain(t, "expected a name that begins with a letter, got '%s'", orbit->name);
    }
    leave(t, before);
    enter(t, "numPieces");
    if (!read_number(t, json_object_get(object, "numPieces"), 1, PIECES_OF_SET_MOST,
                     &orbit->pieces)) {
        return false;
    }
    leave(t, before);
    enter(t, "numOrientations");
    if (!read_number(t, json_object_get(object, "numOrientations"), 1, ORIENTATIONS_MOST,
                     &orbit->orientations)) {
        return false;
    }
    leave(t, before);
    put_line(t, "Set %s %u %u", orbit->name, orbit->pieces, orbit->orientations);
    return true;
}

static bool translate_orbits(struct translator *t, const json_t *root)
{
    const json_t *list = json_object_get(root, "orbits");
    size_t before = enter(t, "orbits");
    if (!json_is_array(list)) {
        return complain_type(t, "a list of orbits", list);
    }
    if (json_array_size(list) < 1 || json_array_size(list) > SETS_MOST) {
        return complain(t, "expected 1 to %d orbits, got %zu", SETS_MOST, json_array_size(list));
    }
    for (unsigned o = 0; o < json_array_size(list); o++) {
        size_t list_place = enter_index(t, o);
        if (!translate_orbit(t, json_array_get(list, o), &t->orbits[o])) {
            return false;
        }
        t->orbits[o].first = t->piece_count;
        t->piece_count += t->orbits[o].pieces;
        t->orbit_count++;
        if (t->piece_count > PIECES_MOST) {
            return complain(t, "all orbits together may have at most %d pieces", PIECES_MOST);
        }
        leave(t, list_place);
    }
    leave(t, before);
    return true;
}

// ---- Patterns -----------------------------------------------------------------------------------

// Reads the row `orientationMod`, if there is one. `ignored[i]` becomes 1 if the orientation in
// slot i does not count; it is 0 before.
static bool read_ignored(struct translator *t, const json_t *pattern, const struct orbit *orbit,
                         unsigned ignored[PIECES_OF_SET_MOST])
{
    static const char KEY[] = "orientationMod";
    if (!json_object_get(pattern, KEY)) {
        return true;
    }
    if (!read_row(t, pattern, KEY, orbit, ORIENTATIONS_MOST, ignored)) {
        return false;
    }
    for (unsigned i = 0; i < orbit->pieces; i++) {
        if (ignored[i] > 1) {
            enter(t, KEY);
            enter_index(t, i);
            return complain(t,
                            "expected 0 (the orientation counts) or 1 (it does not), got %u: an "
                            "orientation can't count in part",
                            ignored[i]);
        }
    }
    return true;
}

// Reads an orbit of a pattern into the rows of all orbits. Pieces look alike if they have the same
// number in the pattern and both or neither have an orientation that counts.
static bool read_pattern_orbit(struct translator *t, const json_t *pattern,
                               const struct orbit *orbit)
{
    unsigned pieces[PIECES_OF_SET_MOST] = {0};
    unsigned orientations[PIECES_OF_SET_MOST] = {0};
    unsigned ignored[PIECES_OF_SET_MOST] = {0};
    if (!json_is_object(pattern)) {
        return complain_type(t, "an object with `pieces` and `orientation`", pattern);
    }
    if (!read_row(t, pattern, "pieces", orbit, orbit->pieces - 1, pieces) ||
        !read_row(t, pattern, "orientation", orbit, orbit->orientations - 1, orientations) ||
        !read_ignored(t, pattern, orbit, ignored)) {
        return false;
    }
    for (unsigned i = 0; i < orbit->pieces; i++) {
        t->number[orbit->first + i] = (uint16_t)(2 * (orbit->first + pieces[i]) + ignored[i]);
        t->orientation[orbit->first + i] = (uint8_t)orientations[i];
        t->ignored[orbit->first + i] = ignored[i];
    }
    return true;
}

// Copies a move's permutation of an orbit. False if it is none, which is an error later.
static bool copy_permutation(const json_t *move, const struct orbit *orbit, uint16_t *row)
{
    const json_t *list = json_object_get(json_object_get(move, orbit->name), "permutation");
    bool seen[PIECES_OF_SET_MOST] = {false};
    for (unsigned i = 0; i < orbit->pieces; i++) {
        const json_t *value = json_array_get(list, i);
        json_int_t from = json_integer_value(value);
        if (!json_is_integer(value) || from < 0 || from >= orbit->pieces || seen[from]) {
            return false;
        }
        seen[from] = true;
        row[orbit->first + i] = (uint16_t)(orbit->first + (unsigned)from);
    }
    return true;
}

// Numbers the pieces without gaps, as our language does. Pieces that look alike but that a state
// tells apart get numbers of their own.
static bool number_pieces(struct translator *t)
{
    const char *name;
    json_t *move;
    struct slot_moves moves = {.slots = t->piece_count};
    uint16_t *rows = malloc((json_object_size(t->moves) * t->piece_count + 1) * sizeof *rows);
    bool sound = rows;
    json_object_foreach(t->moves, name, move)
    {
        for (unsigned o = 0; o < t->orbit_count && sound; o++) {
            sound =
                copy_permutation(move, &t->orbits[o], rows + (size_t)moves.count * t->piece_count);
        }
        moves.count += sound;
    }
    moves.rows = rows;
    bool done = (rows && blocks_number(&moves, t->number)) || no_memory(t->error);
    free(rows);
    return done;
}

static void put_pattern_orbit(struct translator *t, const struct orbit *orbit)
{
    unsigned least = UINT_MAX; // the first number of the orbit
    for (unsigned i = orbit->first; i < orbit->first + orbit->pieces; i++) {
        least = t->number[i] < least ? t->number[i] : least;
    }
    put_line(t, "%s", orbit->name);
    for (unsigned i = orbit->first; i < orbit->first + orbit->pieces; i++) {
        put(t, "%s%u", i > orbit->first ? " " : "", t->number[i] - least);
    }
    end_line(t);
    for (unsigned i = orbit->first; i < orbit->first + orbit->pieces; i++) {
        put(t, "%s", i > orbit->first ? " " : "");
        if (t->ignored[i]) {
            put(t, "?");
        } else {
            put(t, "%u", t->orientation[i]);
        }
    }
    end_line(t);
}

// Makes a pattern the solved state.
static bool translate_pattern(struct translator *t, json_t *pattern)
{
    if (!check_orbits(t, pattern)) {
        return false;
    }
    for (unsigned o = 0; o < t->orbit_count; o++) {
        size_t before = enter(t, t->orbits[o].name);
        if (!read_pattern_orbit(t, json_object_get(pattern, t->orbits[o].name), &t->orbits[o])) {
            return false;
        }
        leave(t, before);
    }
    if (!number_pieces(t)) {
        return false;
    }
    put_line(t, "StartState");
    for (unsigned o = 0; o < t->orbit_count; o++) {
        size_t before = enter(t, t->orbits[o].name);
        put_pattern_orbit(t, &t->orbits[o]);
        leave(t, before);
    }
    put_line(t, "End");
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

// Writes what a move does to an orbit, unless it does nothing. (Moves of other orbits are ignored:
// some definitions were cut down from larger ones.)
static bool translate_move_orbit(struct translator *t, const json_t *rows,
                                 const struct orbit *orbit)
{
    unsigned pieces[PIECES_OF_SET_MOST] = {0};
    unsigned turns[PIECES_OF_SET_MOST] = {0};
    if (!json_is_object(rows)) {
        return complain_type(t, "an object with `permutation` and `orientationDelta`", rows);
    }
    if (!read_row(t, rows, "permutation", orbit, orbit->pieces - 1, pieces) ||
        !read_row(t, rows, "orientationDelta", orbit, MODULO, turns)) {
        return false;
    }
    if (!is_identity(orbit, pieces, turns)) {
        put_line(t, "%s", orbit->name);
        put_row(t, "permutation", pieces, orbit->pieces);
        put_row(t, "orientationDelta", turns, orbit->pieces);
    }
    return true;
}

static bool is_rotation(const char *name)
{
    return definition_is_rotation(name, strlen(name));
}

// Is this alg nothing but the name?
static bool is_alias_of(const json_t *alg, const char *name)
{
    return json_is_string(alg) && strcmp(json_string_value(alg), name) == 0;
}

// Finds a derived rotation, such as `y2`, that is nothing but this move. Then the move is a
// rotation, too, although its own name does not say so. NULL if there is none.
static const char *find_rotation(const struct translator *t, const char *move)
{
    const char *key;
    json_t *alg;
    json_object_foreach(t->derived, key, alg)
    {
        if (is_rotation(key) && is_alias_of(alg, move) && !json_object_get(t->moves, key)) {
            return key;
        }
    }
    return NULL;
}

static bool translate_move(struct translator *t, const char *name, json_t *move)
{
    if (!check_name(t, name)) {
        return false;
    }
    if (!json_is_object(move)) {
        return complain_type(t, "an object with a key for each orbit", move);
    }
    const char *rotation = is_rotation(name) ? NULL : find_rotation(t, name);
    put_line(t, "MoveTransformation %s", rotation ? rotation : name);
    for (unsigned o = 0; o < t->orbit_count; o++) {
        const struct orbit *orbit = &t->orbits[o];
        const json_t *rows = json_object_get(move, orbit->name);
        size_t before = enter(t, orbit->name);
        if (!translate_move_orbit(t, rows, orbit)) {
            return false;
        }
        leave(t, before);
    }
    put_line(t, "End");
    if (rotation) {
        put_line(t, "MoveAlias %s %s", name, rotation);
    }
    return check_length(t);
}

// A word of an alg: a name without brackets, then perhaps a number, then perhaps the mark of the
// inverse. The parser of our own language knows the names. A pause or the start of a comment is a
// word only if a move is called so.
static enum alg_word find_word(const void *context, const char *word, size_t length,
                               struct fewest_error *error)
{
    const struct translator *t = context;
    char name[NAME_LONGEST + 1];
    bool note = word[0] == '.' || (length > 1 && word[0] == '/' && word[1] == '/');
    (void)error;
    length -= word[length - 1] == '\'';
    while (length > 0 && word[length - 1] >= '0' && word[length - 1] <= '9') {
        length--;
    }
    for (size_t i = 0; i < length; i++) {
        if (word[i] <= ' ' || word[i] > '~' || strchr("#'\",:()[]", word[i])) {
            return ALG_NO;
        }
    }
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    return length > 0 && length <= NAME_LONGEST &&
                   (!note || json_object_get(t->moves, name) || json_object_get(t->derived, name))
               ? ALG_POWER
               : ALG_NO;
}

static void put_alg(struct translator *t, const struct alg *alg)
{
    for (size_t i = 0; i < alg->count; i++) {
        const struct alg_move *move = &alg->moves[i];
        size_t mark = move->word[move->length - 1] == '\'';
        put(t, " %.*s%s", (int)(move->length - mark), move->word,
            move->inverse != (mark > 0) ? "'" : "");
    }
    end_line(t);
}

// Reads an alg. False after a complaint.
static bool read_alg(struct translator *t, const struct alg_names *names, const json_t *text,
                     struct alg *alg)
{
    struct fewest_error error;
    bool done = alg_begin(alg, names, json_string_value(text), json_string_length(text), &error);
    while (done && !alg_at_end(alg)) {
        done = alg_next(alg);
    }
    if (!done && error.status == FEWEST_SYSTEM) {
        return no_memory(t->error);
    }
    return done || complain(t, "%s", error.text);
}

// Writes a derived move whose alg was read.
static bool put_derived(struct translator *t, const char *name, const struct alg *alg)
{
    if (alg->count == 0) {
        put_line(t, "MoveTransformation %s", name); // which moves nothing
        put_line(t, "End");
        return true;
    }
    put(t, "%s %s", alg->count == 1 && !is_rotation(name) ? "MoveAlias" : "MoveSequence", name);
    put_alg(t, alg);
    return check_length(t);
}

// Is a derived move written already, as a move or as the name of a rotation?
static bool is_written(const struct translator *t, const char *name, const json_t *alg)
{
    const char *move = json_string_value(alg);
    if (json_object_get(t->moves, name)) {
        return true;
    }
    if (!move || is_rotation(move) || !json_object_get(t->moves, move)) {
        return false;
    }
    const char *rotation = find_rotation(t, move);
    return rotation && strcmp(rotation, name) == 0;
}

// Writes a derived move. A second name for one move is no move of its own, unless it is a rotation,
// which must have a name of a rotation.
static bool translate_derived(struct translator *t, const char *name, json_t *alg_text)
{
    const struct alg_names names = {.context = t, .find = find_word};
    struct alg alg;
    if (is_written(t, name, alg_text)) {
        return true;
    }
    if (!check_name(t, name)) {
        return false;
    }
    if (!json_is_string(alg_text)) {
        return complain_type(t, "a string with moves", alg_text);
    }
    bool done = read_alg(t, &names, alg_text, &alg) && put_derived(t, name, &alg);
    alg_end(&alg);
    return done;
}

// Calls a function for each key of the object that is called `key` in the file.
static bool translate_each(struct translator *t, const char *key, json_t *object,
                           bool (*translate_one)(struct translator *, const char *, json_t *))
{
    const char *name;
    json_t *value;
    size_t before = enter(t, key);
    json_object_foreach(object, name, value)
    {
        size_t place = enter(t, name);
        if (!translate_one(t, name, value)) {
            return false;
        }
        leave(t, place);
    }
    leave(t, before);
    return true;
}

// Takes the moves, and the derived moves if there are some.
static bool find_moves(struct translator *t, const json_t *root)
{
    static const char *const KEYS[] = {"moves", "derivedMoves"};
    json_t **const objects[] = {&t->moves, &t->derived};
    for (unsigned i = 0; i < 2; i++) {
        json_t *object = json_object_get(root, KEYS[i]);
        size_t before = enter(t, KEYS[i]);
        if (object ? !json_is_object(object) : i == 0) {
            return complain_type(t, "an object with a key for each move", object);
        }
        if (json_object_size(object) > KEYS_MOST) {
            return complain(t, "expected at most %d moves, got %zu", KEYS_MOST,
                            json_object_size(object));
        }
        *objects[i] = object;
        leave(t, before);
    }
    return json_object_size(t->moves) + json_object_size(t->derived) > 0 ||
           complain(t, "expected at least one move under `moves`");
}

// ---- Memory -------------------------------------------------------------------------------------

// Without memory, jansson can lose a part of a file and say nothing. Nothing is written yet when it
// runs, so the program may end here.
static void *allocate(size_t length)
{
    void *memory = malloc(length);
    if (!memory) {
        fputs("fewest-gen: not enough memory for the definition\n", stderr);
        exit(STATUS_SYSTEM);
    }
    return memory;
}

// ---- Files --------------------------------------------------------------------------------------

// Parses the file that is read now. NULL after a complaint.
static json_t *parse(struct translator *t)
{
    const struct kpuzzle_file *file = t->file;
    size_t mark = ascii_mark_length(file->json, file->length);
    char shown[2 * KEY_SIZE];
    json_error_t fault;
    if (file->length > DEFINITION_LONGEST) {
        (void)complain(t, "the file has more than %d bytes, the most that is allowed",
                       DEFINITION_LONGEST);
        return NULL;
    }
    json_t *root =
        json_loadb(file->json + mark, file->length - mark, JSON_REJECT_DUPLICATES, &fault);
    if (!root) {
        (void)complain(t, "line %d, column %d: expected JSON: %s", fault.line, fault.column,
                       escape_text(shown, sizeof shown, fault.text, strlen(fault.text)));
    } else if (!json_is_object(root)) {
        (void)complain_type(t, "an object", root);
        json_decref(root);
        root = NULL;
    }
    return root;
}

// Translates the goal's pattern, in a file of its own.
static bool translate_goal(struct translator *t, const struct kpuzzle_file *goal)
{
    const struct kpuzzle_file *file = t->file;
    t->file = goal;
    json_t *root = parse(t);
    bool done = root && translate_pattern(t, root);
    json_decref(root);
    t->file = file;
    return done;
}

static bool translate_default(struct translator *t, const json_t *root)
{
    size_t before = enter(t, "defaultPattern");
    bool done = translate_pattern(t, json_object_get(root, "defaultPattern"));
    leave(t, before);
    return done;
}

static bool translate_root(struct translator *t, const json_t *root,
                           const struct kpuzzle_file *goal)
{
    put_line(t, "# Made from a KPuzzle definition.");
    if (goal) {
        put_line(t, "# The solved state is the target pattern of --goal.");
    }
    return translate_name(t, root) && translate_orbits(t, root) && find_moves(t, root) &&
           (goal ? translate_goal(t, goal) : translate_default(t, root)) &&
           translate_each(t, "moves", t->moves, translate_move) &&
           translate_each(t, "derivedMoves", t->derived, translate_derived) && check_length(t);
}

static bool translate(struct translator *t, const struct kpuzzle_file *goal)
{
    json_t *root = parse(t);
    bool done = root && translate_root(t, root, goal);
    json_decref(root);
    return done;
}

// Closes a stream in memory. False if memory ran out for its `buffer`.
static bool close_stream(FILE *stream, char *const *buffer)
{
    bool sound = stream && !ferror(stream);
    return (!stream || fclose(stream) == 0) && sound && *buffer;
}

bool kpuzzle_translate(const struct kpuzzle_file *file, const struct kpuzzle_file *goal,
                       struct kpuzzle_text *text, struct fewest_error *error)
{
    *text = (struct kpuzzle_text){0};
    struct translator *t = calloc(1, sizeof *t);
    FILE *lines = open_memstream(&text->text, &text->length);
    FILE *places = open_memstream(&text->places, &text->places_length);
    bool done = (t && lines && places) || no_memory(error);
    if (done) {
        t->file = file;
        t->text = lines;
        t->places = places;
        t->error = error;
        json_set_alloc_funcs(allocate, free);
        done = translate(t, goal);
    }
    bool lines_sound = close_stream(lines, &text->text);
    bool places_sound = close_stream(places, &text->places);
    if (done && !(lines_sound && places_sound)) {
        done = no_memory(error);
    }
    free(t);
    if (!done) {
        kpuzzle_free(text);
    }
    return done;
}
