// Tests of KPuzzle definitions: what they become, which are refused and why, and a twin that
// computes derived moves without the reader.
#include "gen/import/foreign.h"
#include "gen/import/kpuzzle.h"
#include "tables/definition/rows.h"
#include "tables/families/compile.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Copies a text, with " for each `. So the JSON below is readable in C. The caller frees it.
static char *quoted(const char *text)
{
    char *copy = strdup(text);
    for (char *c = copy; *c; c++) {
        *c = *c == '`' ? '"' : *c;
    }
    return copy;
}

static bool translate(const char *text, const char *goal, struct kpuzzle_text *out,
                      struct fewest_error *error)
{
    char *json = quoted(text);
    char *goal_json = goal ? quoted(goal) : NULL;
    struct kpuzzle_file file = {"a.json", json, strlen(json)};
    struct kpuzzle_file goal_file = {"goal.json", goal_json, goal ? strlen(goal_json) : 0};
    bool done = kpuzzle_translate(&file, goal ? &goal_file : NULL, out, error);
    free(json);
    free(goal_json);
    return done;
}

static void expect_text(const char *json, const char *goal, const char *expected)
{
    struct kpuzzle_text text;
    struct fewest_error error;
    cr_assert(translate(json, goal, &text, &error), "%s", error.text);
    cr_expect_str_eq(text.text, expected);
    cr_expect_eq(text.length, strlen(expected));
    kpuzzle_free(&text);
}

// ---- Good definitions ---------------------------------------------------------------------------

#define ORBITS                                                                                     \
    "{`name`:`two orbits/é`,`orbits`:[{`orbitName`:`A`,`numPieces`:3,`numOrientations`:2},"       \
    "{`orbitName`:`B`,`numPieces`:2,`numOrientations`:1}],"
#define PATTERN                                                                                    \
    "`defaultPattern`:{`A`:{`pieces`:[0,2,2],`orientation`:[1,0,0],`orientationMod`:[0,0,1]},"     \
    "`B`:{`pieces`:[1,0],`orientation`:[0,0]}},"
#define B_STILL "`B`:{`permutation`:[0,1],`orientationDelta`:[0,0]}"
#define MOVE    "{`A`:{`permutation`:[1,2,0],`orientationDelta`:[0,1,1]}," B_STILL "}"
#define TURN    "{`A`:{`permutation`:[2,1,0],`orientationDelta`:[0,0,0]}," B_STILL "}"
#define BEGINNING                                                                                  \
    "# Made from a KPuzzle definition.\nName two_orbits/__\nSet A 3 2\nSet B 2 1\nStartState\n"    \
    "A\n0 1 2\n1 0 ?\nB\n1 0\n0 0\nEnd\n"

Test(kpuzzle, a_definition_becomes_text_in_our_language)
{
    expect_text(ORBITS PATTERN "`moves`:{`U`:" MOVE ",`foo_2`:" TURN "},"
                               "`derivedMoves`:{`F`:`[foo_2: U]`,`U`:`ignored (`,`y2`:`foo_2`,"
                               "`Top`:` U2' `,`none`:` (U)0 `,`Fv`:`y2'`,`Uv`:`foo_2`}}",
                NULL,
                BEGINNING "MoveTransformation U\nA\n1 2 0\n0 1 1\nEnd\n"
                          "MoveTransformation y2\nA\n2 1 0\n0 0 0\nEnd\nMoveAlias foo_2 y2\n"
                          "MoveSequence F foo_2 U foo_2'\nMoveAlias Top U2'\n"
                          "MoveTransformation none\nEnd\nMoveSequence Fv y2'\n"
                          "MoveSequence Uv foo_2\nRotation y2 Fv Uv\n");
}

Test(kpuzzle, algs_have_pauses_and_comments_unless_moves_are_called_so)
{
    expect_text(ORBITS PATTERN "`moves`:{`U`:" MOVE "},"
                               "`derivedMoves`:{`none`:`.`,`note`:`// U`,`F`:`U (. U). // U\\nU`}}",
                NULL,
                BEGINNING "MoveTransformation U\nA\n1 2 0\n0 1 1\nEnd\n"
                          "MoveTransformation none\nEnd\nMoveTransformation note\nEnd\n"
                          "MoveSequence F U U U\n");
    expect_text(ORBITS PATTERN "`moves`:{`.`:" MOVE "},`derivedMoves`:{`//`:`.`,`F`:`.2 // .`}}",
                NULL,
                BEGINNING "MoveTransformation .\nA\n1 2 0\n0 1 1\nEnd\n"
                          "MoveAlias // .\nMoveSequence F .2 // .\n");
}

Test(kpuzzle, a_goal_becomes_the_solved_state)
{
    expect_text(ORBITS PATTERN "`moves`:{`U`:" MOVE "}}",
                "{`B`:{`pieces`:[0,0],`orientation`:[0,0],`orientationMod`:[1,0]},"
                "`A`:{`pieces`:[2,2,2],`orientation`:[0,0,1],`orientationMod`:[1,1,1]}}",
                "# Made from a KPuzzle definition.\n"
                "# The solved state is the target pattern of --goal.\n"
                "Name two_orbits/__\nSet A 3 2\nSet B 2 1\nStartState\n"
                "A\n0 0 0\n? ? ?\nB\n1 0\n? 0\nEnd\n"
                "MoveTransformation U\nA\n1 2 0\n0 1 1\nEnd\n");
}

Test(kpuzzle, json_is_told_from_our_language_by_its_first_character)
{
    static const char *const JSON[] = {"{", " \r\n\t{}", "\xEF\xBB\xBF{", "\xEF\xBB\xBF {"};
    static const char *const OTHER[] = {"",  " ",         "Name {",       "# {",  "{'f': [0]}",
                                        "[", "\xEF\xBB{", "\xEF\xBB\xBF", "{ \n'"};
    for (size_t i = 0; i < sizeof JSON / sizeof *JSON; i++) {
        cr_expect(kpuzzle_is_json(JSON[i], strlen(JSON[i])), "%zu", i);
    }
    for (size_t i = 0; i < sizeof OTHER / sizeof *OTHER; i++) {
        cr_expect_not(kpuzzle_is_json(OTHER[i], strlen(OTHER[i])), "%zu", i);
    }
}

// ---- Other files --------------------------------------------------------------------------------

Test(foreign, files_of_other_programs_are_known_by_their_first_line)
{
    // A text, and what the error says about it; NULL: the error stays.
    static const char *const TEXTS[][2] = {
        {"M:=(1,2,3);", "this is a GAP file"},
        {"\xEF\xBB\xBF\r\n # a\r a := (1,2) ;", "this is a GAP file"},
        {"gap> 1;", "this is a GAP file"},
        {"LoadPackage(\"a\");\n# b\nb:=\n(1,2);", "this is a GAP file"},
        {"Group((1,2));", "this is a GAP file"},
        {"Read(\"a\");\n# b:=1", NULL},
        {"# M:=1\nSet A 1 1", NULL},
        {"Set A 1 1;", NULL},
        {"puzzle_type,allowed_moves\n", "this is a CSV file"},
        {"id,puzzle_type,solution_state,initial_state,num_wildcards", "this is a CSV file"},
        {"id, movesOf 2", NULL},
        {"id,", NULL},
        {"id", NULL},
        {"a,1", NULL},
        {"Set,A,4,1", NULL},
        {"{'f0': [0]}", "these are lists of Python"},
        {" {\n\n 'f0': [0]}", "these are lists of Python"},
        {"cube_2/2/2,\"{'f0': [0]}\"", "these are lists of Python"},
        {"[[0, 1]]", "this is a list of JSON"},
        {"", NULL},
        {"#", NULL},
        {"{", NULL},
        {"'", NULL},
        {";", NULL},
        {"\xEF\xBB\xBF", NULL},
    };
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        struct fewest_error error = {FEWEST_BAD_INPUT, "the old error", {{0}}};
        const char *expected = TEXTS[i][1] ? TEXTS[i][1] : "the old error";
        size_t length = strlen(TEXTS[i][0]);
        char *text = malloc(length > 0 ? length : 1); // without a NUL
        memcpy(text, TEXTS[i][0], length);
        cr_expect_not(foreign_explain(text, length, &error));
        cr_expect_eq(strncmp(error.text, expected, strlen(expected)), 0, "%s: %s", TEXTS[i][0],
                     error.text);
        error = (struct fewest_error){FEWEST_BAD_INPUT, "line 9", {{9, 0, 6}}};
        cr_expect_not(foreign_explain(text, length, &error)); // a later line is wrong
        cr_expect_str_eq(error.text, "line 9");
        error = (struct fewest_error){FEWEST_SYSTEM, "no memory", {{0}}};
        cr_expect_not(foreign_explain(text, length, &error));
        cr_expect_str_eq(error.text, "no memory");
        free(text);
    }
}

// ---- Bad definitions ----------------------------------------------------------------------------

// Compiles a definition and returns its error: with JSON paths, as fewest-gen prints it.
static struct fewest_error find_error(const char *json, const char *goal)
{
    struct kpuzzle_text text;
    struct puzzle puzzle;
    struct fewest_error error = {.text = "no error"};
    if (!translate(json, goal, &text, &error)) {
        return error;
    }
    if (puzzle_compile(&puzzle, text.text, text.length, METRIC_POWERS, &error)) {
        puzzle_free(&puzzle);
        error = (struct fewest_error){.text = "no error"};
    }
    for (unsigned i = 0; i < 2; i++) {
        error_name_line(&error, i, kpuzzle_find_place(&text, error.lines[i].number));
    }
    kpuzzle_free(&text);
    return error;
}

static void expect_error(const char *json, const char *goal, const char *expected)
{
    struct fewest_error error = find_error(json, goal);
    cr_expect(strstr(error.text, expected), "%s\nexpected: %s\ngot: %s", json, expected,
              error.text);
}

#define ALL(derived)          ORBITS PATTERN "`moves`:{`U`:" MOVE "},`derivedMoves`:" derived "}"
#define WITH_PATTERN(pattern) ORBITS "`defaultPattern`:" pattern ",`moves`:{`U`:" MOVE "}}"
#define WITH_MOVES(moves)     ORBITS PATTERN "`moves`:" moves "}"

static const char *const BAD[][2] = {
    {"{", "a.json: line 1, column 1: expected JSON: "},
    {"{`a`:1,`a`:2}", "expected JSON: duplicate object key near '\"a\"'"},
    {"{`a`:1} x", "expected JSON: end of file expected near 'x'"},
    {"{`a`:99999999999999999999}", "expected JSON: too big integer near '99999999999999999999'"},
    {"{`a`:`\xFF`}", "expected JSON: unable to decode byte 0xff"},
    {"{}", "a.json: this JSON is no KPuzzle, which has a list `orbits`"},
    {"{`f0`:[0,2,1]}", "a.json: this JSON is no KPuzzle, which has a list `orbits`"},
    {"{`orbits`:null}", "a.json: orbits: expected a list of orbits, got true, false or null"},
    {"{`name`:1,`orbits`:[]}", "a.json: name: expected a string, got a whole number"},
    {"{`orbits`:{}}", "a.json: orbits: expected a list of orbits, got an object"},
    {"{`orbits`:[]}", "a.json: orbits: expected 1 to 256 orbits, got 0"},
    {"{`orbits`:[1]}", "a.json: orbits[0]: expected an object, got a whole number"},
    {"{`orbits`:[{}]}", "a.json: orbits[0].orbitName: expected a string, got nothing"},
    {"{`orbits`:[{`orbitName`:`a b`}]}",
     "a.json: orbits[0].orbitName: expected a name of 1 to 63 printable ASCII characters"},
    {"{`orbits`:[{`orbitName`:`#`}]}",
     "a.json: orbits[0].orbitName: expected a name that begins with a letter, got '#'"},
    {"{`orbits`:[{`orbitName`:`A`}]}",
     "a.json: orbits[0].numPieces: expected a whole number, got nothing"},
    {"{`orbits`:[{`orbitName`:`A`,`numPieces`:256}]}",
     "a.json: orbits[0].numPieces: expected a number from 1 to 254, got 256"},
    {"{`orbits`:[{`orbitName`:`A`,`numPieces`:2.5}]}",
     "a.json: orbits[0].numPieces: expected a whole number, got a number with a fraction"},
    {"{`orbits`:[{`orbitName`:`A`,`numPieces`:9,`numOrientations`:-1}]}",
     "a.json: orbits[0].numOrientations: expected a number from 1 to 127, got -1"},
    {WITH_PATTERN("[]"),
     "defaultPattern: expected an object with a key for each orbit, got a list"},
    {WITH_PATTERN("{}"), "defaultPattern.A: expected an object with `pieces` and `orientation`"},
    {WITH_PATTERN("{`C`:1}"), "a.json: defaultPattern.C: no orbit has this name"},
    {WITH_PATTERN("{`A`:{}}"), "defaultPattern.A.pieces: expected a list of numbers, got nothing"},
    {WITH_PATTERN("{`A`:{`pieces`:[0,1]}}"),
     "defaultPattern.A.pieces: expected 3 numbers, one for each piece of A, got 2"},
    {WITH_PATTERN("{`A`:{`pieces`:[0,1,3]}}"),
     "defaultPattern.A.pieces[2]: expected a number from 0 to 2, got 3"},
    {WITH_PATTERN("{`A`:{`pieces`:[0,1,2],`orientation`:[0,2,0]}}"),
     "defaultPattern.A.orientation[1]: expected a number from 0 to 1, got 2"},
    {WITH_PATTERN("{`A`:{`pieces`:[0,1,2],`orientation`:[0,1,0],`orientationMod`:[0,1,2]}}"),
     "a.json: defaultPattern.A.orientationMod[2]: expected 0 (the orientation counts) or 1 (it "
     "does not), got 2: an orientation can't count in part"},
    {ORBITS PATTERN "`moves`:7}", "a.json: moves: expected an object with a key for each move"},
    {ORBITS PATTERN "`derivedMoves`:{}}", "a.json: moves: expected an object"},
    {WITH_MOVES("{}"), "a.json: expected at least one move under `moves`"},
    {WITH_MOVES("{`U`:0}"), "a.json: moves.U: expected an object with a key for each orbit"},
    {WITH_MOVES("{`U V`:{}}"), "a.json: moves.U V: expected a name of 1 to 63 printable ASCII"},
    {WITH_MOVES("{`U\\nEnd`:{}}"), "a.json: moves.U\\x0AEnd: expected a name of 1 to 63"},
    {WITH_MOVES("{``:{}}"), "a.json: moves.: expected a name of 1 to 63 printable ASCII"},
    {WITH_MOVES("{`U`:{}}"), "a.json: moves.U.A: expected an object with `permutation` and "
                             "`orientationDelta`, got nothing"},
    {WITH_MOVES("{`U`:{`A`:{`permutation`:[1,2,0]}}}"),
     "a.json: moves.U.A.orientationDelta: expected a list of numbers, got nothing"},
    {WITH_MOVES("{`U`:{`A`:{`permutation`:[1,2,1],`orientationDelta`:[0,0,0]}," B_STILL "}}"),
     "moves.U.A.permutation: piece 1 appears twice; expected each of 0 to 2 once"},
    {WITH_MOVES("{`U`:" MOVE ",`U'`:" TURN "}"),
     "moves.U': this move and that on moves.U, or their powers, are both called U'"},
    {ALL("[]"), "a.json: derivedMoves: expected an object with a key for each move, got a list"},
    {ALL("{`F`:1}"), "a.json: derivedMoves.F: expected a string with moves, got a whole number"},
    {ALL("{`F`:`(U`}"), "a.json: derivedMoves.F: character 3: expected a move or ')'"},
    {ALL("{`F G`:`U`}"), "a.json: derivedMoves.F G: expected a name of 1 to 63 printable ASCII"},
    {ALL("{`F`:`U V`}"), "derivedMoves.F: no move, rotation, alias or sequence is called 'V'"},
    {ALL("{`F`:`U G`,`G`:`U F`}"),
     "derivedMoves.G: with 'F' here, F (derivedMoves.F) would contain itself"},
    {ALL("{`A`:`(U)4000`,`B`:`(U)4000`,`C`:`(U)4000`}"),
     "derivedMoves.C: all sequences together may have at most 10000 moves"},
    {"{`orbits`:[{`orbitName`:`A`,`numPieces`:1,`numOrientations`:2},{`orbitName`:`A`,"
     "`numPieces`:1,`numOrientations`:2}],`defaultPattern`:{`A`:{`pieces`:[0],`orientation`:[0]}},"
     "`moves`:{`U`:{`A`:{`permutation`:[0],`orientationDelta`:[1]}}}}",
     "orbits[1]: set A appears twice (first on orbits[0])"},
};

Test(kpuzzle, bad_definitions_are_refused_with_their_json_path)
{
    expect_error(ALL("{`F`:`U2`}"), NULL, "no error");
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        expect_error(BAD[i][0], NULL, BAD[i][1]);
    }
}

Test(kpuzzle, goals_that_do_not_fit_are_refused)
{
    static const char *const GOALS[][2] = {
        {"[]", "goal.json: expected an object, got a list"},
        {"{", "goal.json: line 1, column 1: expected JSON"},
        {"{`A`:{`pieces`:[0,0,0],`orientation`:[0,0,0]}}",
         "goal.json: B: expected an object with `pieces` and `orientation`, got nothing"},
        {"{`C`:{}}", "goal.json: C: no orbit has this name"},
        {"{`A`:{`pieces`:[0,0,0,0]}}", "goal.json: A.pieces: expected 3 numbers"},
        {"{`A`:{`pieces`:[0,0,0],`orientation`:[0,0,0],`orientationMod`:[0,0]}}",
         "goal.json: A.orientationMod: expected 3 numbers, one for each piece of A, got 2"},
    };
    for (size_t i = 0; i < sizeof GOALS / sizeof *GOALS; i++) {
        expect_error(ALL("{}"), GOALS[i][0], GOALS[i][1]);
    }
}

static void expect_huge_error(char *json, size_t length, const char *expected)
{
    struct kpuzzle_text text;
    struct fewest_error error = {.text = "no error"};
    struct kpuzzle_file file = {"a.json", json, length};
    cr_expect_not(kpuzzle_translate(&file, NULL, &text, &error));
    cr_expect(strstr(error.text, expected), "expected: %s\ngot: %s", expected, error.text);
}

Test(kpuzzle, huge_files_and_deep_nesting_are_refused)
{
    enum { LONG = 1 << 20 };
    char *json = malloc(LONG + 1);
    memset(json, '[', LONG + 1);
    expect_huge_error(json, LONG, "maximum parsing depth reached");
    expect_huge_error(json, LONG + 1, "the file has more than 1048576 bytes");
    // A move of 63 letters, 4000 times in each of many derived moves.
    size_t used =
        (size_t)sprintf(json, "%s", ORBITS PATTERN "`moves`:{`U`:" MOVE "},`derivedMoves`:{");
    for (unsigned i = 0; i < 100; i++) {
        used += (size_t)sprintf(json + used, "%s`A%u`:`(%063d)4000`", i > 0 ? "," : "", i, 0);
        memset(json + used - 63 - strlen(")4000`"), 'a', 63);
    }
    strcpy(json + used, "}}");
    char *copy = quoted(json);
    expect_huge_error(copy, strlen(copy), "has more than 1048576 bytes as text");
    free(copy);
    free(json);
}

// A seed that is refused would test nothing behind the refusal.
Test(kpuzzle, every_seed_of_the_fuzzer_is_a_good_definition)
{
    static const char *const SEEDS[] = {"derived", "goal"};
    for (size_t i = 0; i < sizeof SEEDS / sizeof *SEEDS; i++) {
        char path[64];
        size_t length;
        snprintf(path, sizeof path, "tests/corpus/kpuzzle/%s", SEEDS[i]);
        char *seed = support_read(path, &length); // perhaps with a NUL before a goal
        size_t before = strlen(seed);
        struct fewest_error error = find_error(seed, before < length ? seed + before + 1 : NULL);
        cr_expect_eq(error.status, FEWEST_OK, "%s: %s", path, error.text);
        free(seed);
    }
}

// ---- The twin -----------------------------------------------------------------------------------

// A random puzzle with one orbit, and random algs. The twin composes transformations while it
// writes the alg, so it needs no reader.
enum { PIECES = 5, ORIENTATIONS = 3, BASE = 3, DERIVED = 6, ALG_SIZE = 4096 };

struct transformation {
    unsigned from[PIECES];
    unsigned turn[PIECES];
};

static struct transformation identity(void)
{
    struct transformation result = {{0}, {0}};
    for (unsigned i = 0; i < PIECES; i++) {
        result.from[i] = i;
    }
    return result;
}

static struct transformation compose(struct transformation a, struct transformation b)
{
    struct transformation result;
    for (unsigned i = 0; i < PIECES; i++) {
        result.from[i] = a.from[b.from[i]];
        result.turn[i] = (a.turn[b.from[i]] + b.turn[i]) % ORIENTATIONS;
    }
    return result;
}

// By trial: the power that undoes it.
static struct transformation invert(struct transformation a)
{
    struct transformation none = identity();
    struct transformation power = a;
    while (memcmp(&none, &power, sizeof none) != 0) {
        none = compose(none, a);
        power = compose(power, a);
        if (memcmp(&power, &(struct transformation[]){identity()}, sizeof power) == 0) {
            return none;
        }
    }
    return identity();
}

static struct transformation repeat(struct transformation a, unsigned times)
{
    struct transformation result = identity();
    for (unsigned i = 0; i < times; i++) {
        result = compose(result, a);
    }
    return result;
}

static struct transformation random_transformation(void)
{
    struct transformation result = identity();
    for (unsigned i = PIECES; i-- > 0;) {
        unsigned j = support_random_below(i + 1);
        unsigned kept = result.from[i];
        result.from[i] = result.from[j];
        result.from[j] = kept;
        result.turn[i] = support_random_below(ORIENTATIONS);
    }
    return result;
}

struct twin {
    struct transformation moves[BASE + DERIVED]; // called Ma, Mb, …
    unsigned count;
    char *text;
};

static void write_text(struct twin *twin, const char *text)
{
    twin->text += sprintf(twin->text, "%s", text);
}

// Writes perhaps a number and a mark, and applies them.
static struct transformation draw_times(struct twin *twin, struct transformation result)
{
    if (support_random_below(3) == 0) {
        unsigned times = support_random_below(4);
        twin->text += sprintf(twin->text, "%u", times);
        result = repeat(result, times);
    }
    if (support_random_below(3) == 0) {
        write_text(twin, "'");
        result = invert(result);
    }
    return result;
}

static struct transformation draw_alg(struct twin *twin, unsigned depth);

static struct transformation draw_bracket(struct twin *twin, unsigned depth)
{
    bool commutator = support_random_below(2) == 0;
    write_text(twin, "[");
    struct transformation a = draw_alg(twin, depth - 1);
    write_text(twin, commutator ? "," : ":");
    struct transformation b = draw_alg(twin, depth - 1);
    write_text(twin, "]");
    struct transformation result = compose(compose(a, b), invert(a));
    return commutator ? compose(result, invert(b)) : result;
}

static struct transformation draw_alg(struct twin *twin, unsigned depth)
{
    struct transformation result = identity();
    for (unsigned count = support_random_below(4); count > 0; count--) {
        struct transformation next;
        unsigned kind = support_random_below(depth > 0 ? 4 : 2);
        if (kind < 2) {
            unsigned move = support_random_below(twin->count);
            twin->text += sprintf(twin->text, "M%c", 'a' + (int)move);
            next = twin->moves[move];
        } else if (kind == 2) {
            write_text(twin, "(");
            next = draw_alg(twin, depth - 1);
            write_text(twin, ")");
        } else {
            next = draw_bracket(twin, depth);
        }
        result = compose(result, draw_times(twin, next));
        write_text(twin, " ");
    }
    return result;
}

static void write_row(struct twin *twin, const char *key, const unsigned *row)
{
    twin->text += sprintf(twin->text, "\"%s\":[", key);
    for (unsigned i = 0; i < PIECES; i++) {
        twin->text += sprintf(twin->text, "%s%u", i > 0 ? "," : "", row[i]);
    }
    write_text(twin, "]");
}

static void draw_definition(struct twin *twin)
{
    twin->text += sprintf(twin->text,
                          "{\"orbits\":[{\"orbitName\":\"P\",\"numPieces\":%d,\"numOrientations\":"
                          "%d}],\"defaultPattern\":{\"P\":{\"pieces\":[0,1,2,3,4],"
                          "\"orientation\":[0,0,0,0,0]}},\"moves\":{",
                          PIECES, ORIENTATIONS);
    for (; twin->count < BASE; twin->count++) {
        struct transformation *move = &twin->moves[twin->count];
        *move = random_transformation();
        twin->text += sprintf(twin->text, "%s\"M%c\":{\"P\":{", twin->count > 0 ? "," : "",
                              'a' + (int)twin->count);
        write_row(twin, "permutation", move->from);
        write_text(twin, ",");
        write_row(twin, "orientationDelta", move->turn);
        write_text(twin, "}}");
    }
    write_text(twin, "},\"derivedMoves\":{");
    for (; twin->count < BASE + DERIVED; twin->count++) {
        twin->text += sprintf(twin->text, "%s\"M%c\":\"", twin->count > BASE ? "," : "",
                              'a' + (int)twin->count);
        twin->moves[twin->count] = draw_alg(twin, 2);
        write_text(twin, "\"");
    }
    write_text(twin, "}}");
}

static void compare(const struct twin *twin, const struct definition *definition)
{
    for (unsigned m = 0; m < twin->count; m++) {
        char name[] = {'M', (char)('a' + m), '\0'};
        const struct listed_move *move = rows_find_name(definition, name, 2);
        cr_assert(move, "%s", name);
        for (unsigned i = 0; i < PIECES; i++) {
            cr_expect_eq(move->rows.piece[i], twin->moves[m].from[i], "%s", name);
            cr_expect_eq(move->rows.orientation[i], twin->moves[m].turn[i], "%s", name);
        }
    }
}

Test(kpuzzle, derived_moves_do_what_a_twin_computes)
{
    static const struct board_keyword *const NONE[] = {NULL};
    char *json = malloc((BASE + DERIVED) * ALG_SIZE);
    for (unsigned round = 0; round < 300; round++) {
        struct twin twin = {.text = json};
        struct kpuzzle_text text;
        struct definition definition;
        struct fewest_error error;
        draw_definition(&twin);
        struct kpuzzle_file file = {"twin", json, strlen(json)};
        cr_assert(kpuzzle_translate(&file, NULL, &text, &error), "%s\n%s", error.text, json);
        cr_assert(definition_read(&definition, NONE, text.text, text.length, &error), "%s\n%s",
                  error.text, text.text);
        compare(&twin, &definition);
        definition_free(&definition);
        kpuzzle_free(&text);
    }
    free(json);
}

// ---- Pieces that look alike ---------------------------------------------------------------------

// A random puzzle of edges: set A has two stickers of each, and set B one more. The stickers of an
// edge stay together, so a state tells apart some that look alike.
enum { EDGES = 4, STICKERS = 3 * EDGES, MOVES = 2, COLOURS = 2, STATES_OF_EDGES = 1000 };

struct edges {
    uint8_t colour[STICKERS];
    uint8_t moves[MOVES][STICKERS];
};

static struct edges draw_edges(void)
{
    struct edges edges;
    for (unsigned i = 0; i < STICKERS; i++) {
        edges.colour[i] = (uint8_t)support_random_below(COLOURS);
    }
    for (unsigned m = 0; m < MOVES; m++) {
        unsigned from[EDGES] = {0};
        for (unsigned e = 0; e < EDGES; e++) { // shuffles as it fills
            unsigned other = support_random_below(e + 1);
            from[e] = from[other];
            from[other] = e;
        }
        for (unsigned e = 0; e < EDGES; e++) {
            unsigned flip = support_random_below(2);
            edges.moves[m][2 * e] = (uint8_t)(2 * from[e] + flip);
            edges.moves[m][2 * e + 1] = (uint8_t)(2 * from[e] + 1 - flip);
            edges.moves[m][2 * EDGES + e] = (uint8_t)(2 * EDGES + from[e]);
        }
    }
    return edges;
}

// Counts the states by listing them.
static unsigned count_states(const struct edges *edges, const uint8_t *start)
{
    static uint8_t states[STATES_OF_EDGES][STICKERS];
    unsigned count = 1;
    memcpy(states[0], start, STICKERS);
    for (unsigned next = 0; next < count; next++) {
        for (unsigned m = 0; m < MOVES; m++) {
            uint8_t state[STICKERS];
            unsigned known = 0;
            for (unsigned i = 0; i < STICKERS; i++) {
                state[i] = states[next][edges->moves[m][i]];
            }
            while (known < count && memcmp(states[known], state, STICKERS) != 0) {
                known++;
            }
            cr_assert_lt(known, STATES_OF_EDGES);
            memcpy(states[known], state, STICKERS);
            count += known == count;
        }
    }
    return count;
}

static void write_numbers(char *text, const char *key, const uint8_t *numbers, unsigned first,
                          unsigned count)
{
    text += strlen(text);
    text += sprintf(text, "\"%s\":[", key);
    for (unsigned i = 0; i < count; i++) {
        text += sprintf(text, "%s%u", i > 0 ? "," : "", numbers ? numbers[first + i] - first : 0);
    }
    sprintf(text, "]");
}

static void write_sets(char *text, const char *row, const char *turns, const uint8_t *numbers,
                       bool colours)
{
    strcat(text, "{\"A\":{");
    write_numbers(text, row, numbers, 0, 2 * EDGES);
    strcat(text, ",");
    write_numbers(text, turns, NULL, 0, 2 * EDGES);
    strcat(text, "},\"B\":{");
    write_numbers(text, row, numbers + (colours ? 2 * EDGES : 0), colours ? 0 : 2 * EDGES, EDGES);
    strcat(text, ",");
    write_numbers(text, turns, NULL, 0, EDGES);
    strcat(text, "}}");
}

// The numbers of the pieces in the translation.
static void translate_edges(const struct edges *edges, uint8_t number[STICKERS])
{
    static const struct board_keyword *const NONE[] = {NULL};
    char json[2048] = "{\"orbits\":[{\"orbitName\":\"A\",\"numPieces\":8,\"numOrientations\":1},"
                      "{\"orbitName\":\"B\",\"numPieces\":4,\"numOrientations\":1}],"
                      "\"defaultPattern\":";
    struct kpuzzle_text text;
    struct definition definition;
    struct fewest_error error;
    write_sets(json, "pieces", "orientation", edges->colour, true);
    strcat(json, ",\"moves\":{\"M\":");
    write_sets(json, "permutation", "orientationDelta", edges->moves[0], false);
    strcat(json, ",\"N\":");
    write_sets(json, "permutation", "orientationDelta", edges->moves[1], false);
    strcat(json, "}}");
    struct kpuzzle_file file = {"edges", json, strlen(json)};
    cr_assert(kpuzzle_translate(&file, NULL, &text, &error), "%s\n%s", error.text, json);
    cr_assert(definition_read(&definition, NONE, text.text, text.length, &error), "%s\n%s",
              error.text, text.text);
    memcpy(number, definition.solved.piece, STICKERS);
    definition_free(&definition);
    kpuzzle_free(&text);
}

static unsigned largest(const uint8_t *numbers, unsigned count)
{
    unsigned result = 0;
    for (unsigned i = 0; i < count; i++) {
        result = numbers[i] > result ? numbers[i] : result;
    }
    return result;
}

Test(kpuzzle, pieces_that_a_state_tells_apart_get_numbers_but_no_state_is_added)
{
    unsigned told_apart = 0;
    unsigned alike = 0;
    for (unsigned round = 0; round < 200; round++) {
        struct edges edges = draw_edges();
        uint8_t number[STICKERS];
        translate_edges(&edges, number);
        cr_assert_eq(count_states(&edges, number), count_states(&edges, edges.colour));
        told_apart += largest(number, 2 * EDGES) >= COLOURS;
        alike += largest(number, 2 * EDGES) < 2 * EDGES - 1;
    }
    cr_expect_gt(told_apart, 50); // both kinds of puzzles were drawn
    cr_expect_gt(alike, 50);
}

Test(kpuzzle, telling_pieces_apart_ends_soon_in_a_large_definition)
{
    enum { LONG = 1 << 20, PAIRS = 120, ORBITS_OF_PAIRS = 17, MOVES_OF_PAIRS = 8 };
    char *json = malloc(LONG);
    struct kpuzzle_text text;
    struct fewest_error error;
    size_t used = (size_t)sprintf(json, "{\"orbits\":[");
    for (unsigned o = 0; o < ORBITS_OF_PAIRS; o++) {
        used += (size_t)sprintf(json + used,
                                "%s{\"orbitName\":\"P%u\",\"numPieces\":%u,\"numOrientations\":1}",
                                o > 0 ? "," : "", o, 2 * PAIRS);
    }
    used += (size_t)sprintf(json + used, "],\"defaultPattern\":{");
    for (unsigned m = 0; m <= MOVES_OF_PAIRS; m++) { // the pattern, and then the moves
        used += m == 0   ? 0
                : m == 1 ? (size_t)sprintf(json + used, "},\"moves\":{\"M1\":{")
                         : (size_t)sprintf(json + used, "},\"M%u\":{", m);
        for (unsigned o = 0; o < ORBITS_OF_PAIRS; o++) {
            used += (size_t)sprintf(json + used, "%s\"P%u\":{\"%s\":[", o > 0 ? "," : "", o,
                                    m == 0 ? "pieces" : "permutation");
            for (unsigned i = 0; i < 2 * PAIRS; i++) {
                unsigned swapped = i / 2 % MOVES_OF_PAIRS == m - 1 ? i ^ 1 : i;
                used +=
                    (size_t)sprintf(json + used, "%s%u", i > 0 ? "," : "", m == 0 ? 0 : swapped);
            }
            used += (size_t)sprintf(json + used, "],\"%s\":[0",
                                    m == 0 ? "orientation" : "orientationDelta");
            for (unsigned i = 1; i < 2 * PAIRS; i++) {
                used += (size_t)sprintf(json + used, ",0");
            }
            used += (size_t)sprintf(json + used, "]}");
        }
    }
    strcpy(json + used, "}}}");
    struct kpuzzle_file file = {"pairs", json, strlen(json)};
    cr_expect(kpuzzle_translate(&file, NULL, &text, &error), "%s", error.text);
    kpuzzle_free(&text);
    free(json);
}
