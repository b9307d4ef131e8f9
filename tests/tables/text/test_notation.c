// Every name that is printed is read back: random puzzles whose moves have nasty names.
#include "tables/definition/alg.h"
#include "tables/families/compile.h"
#include "tables/text/notation.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PUZZLES = 2000,
    NAMES_MOST = 8,
    PIECES = 7,
    TEXT_SIZE = 8192,
    WALK = 12,
};

static unsigned below(unsigned bound)
{
    return support_random_below(bound);
}

// ---- Random definitions -------------------------------------------------------------------------

// Names that end or begin like powers, groups, comments, numbers of lines, rotations and pauses.
static const char *const NASTY[] = {
    "1",   "2",     "3",      "12",  "13",  "21",  "R",     "R2",        "R'",     "R2'", "r",
    "L",   "a",     "b",      "ab",  "(a)", "(a",  "a)",    "(1,0)",     "(0,-1)", "/",   "//",
    "//a", ".",     "1.",     "12.", "[a",  "]",   "[a,b]", "[a:b]",     ":",      "a:",  "'",
    "''",  "1'",    "x",      "y2",  "x'",  "Rv",  "2R",    "2-3Rw",     "a,b",    "a.b", "a#",
    "End", "(a.b)", "(a.b)2", "+",   "++",  "a2b", "a'b",   "Scrambles", "q.",     "a..", ".a",
};

struct text {
    char bytes[TEXT_SIZE];
    size_t length;
};

#define put(text, ...)                                                                             \
    ((text)->length += (size_t)snprintf((text)->bytes + (text)->length,                            \
                                        sizeof(text)->bytes - (text)->length, __VA_ARGS__))

static const char *draw_name(char name[16])
{
    static const char CHARACTERS[] = "12ab'(),[]:./RU";
    if (below(3) > 0) {
        return NASTY[below(sizeof NASTY / sizeof *NASTY)];
    }
    unsigned length = 1 + below(3);
    for (unsigned i = 0; i < length; i++) {
        name[i] = CHARACTERS[below(sizeof CHARACTERS - 1)];
    }
    name[length] = '\0';
    return name;
}

// A move: a random permutation, or one that changes only orientations.
static void put_move(struct text *text, const char *name, unsigned turns)
{
    unsigned piece[PIECES];
    bool permutes = below(4) > 0;
    for (unsigned i = 0; i < PIECES; i++) {
        piece[i] = i + 1;
    }
    for (unsigned i = PIECES; permutes && i-- > 1;) {
        unsigned j = below(2) ? i : below(i + 1);
        unsigned kept = piece[i];
        piece[i] = piece[j];
        piece[j] = kept;
    }
    put(text, "Move %s\nA\n", name);
    for (unsigned i = 0; i < PIECES; i++) {
        put(text, "%u ", piece[i]);
    }
    put(text, "\n");
    for (unsigned i = 0; i < PIECES; i++) {
        put(text, "%u ", turns > 1 ? below(turns) : 0);
    }
    put(text, "\nEnd\n");
}

static void put_words(struct text *text, char names[][16], unsigned count)
{
    for (unsigned n = 1 + below(3); n > 0; n--) {
        put(text, " %s", names[below(count)]);
        if (below(3) == 0) {
            put(text, "%u", below(4));
        }
        put(text, "%s", below(3) == 0 ? "'" : "");
    }
    put(text, "\n");
}

static void draw_definition(struct text *text)
{
    char names[2 * NAMES_MOST][16];
    char room[16];
    unsigned count = 1 + below(NAMES_MOST);
    unsigned turns = 1 + below(3);
    text->length = 0;
    put(text, "Set A %d %u\nSolved\nA\n1 2 3 4 5 6 7\nEnd\n", PIECES, turns);
    if (below(4) == 0) {
        text->length = 0;
        put(text, "Set A %d %u\nSolved\nA\n1 1 1 2 2 3 3\nEnd\n", PIECES, turns);
    }
    for (unsigned m = 0; m < count; m++) {
        snprintf(names[m], sizeof names[m], "%s", draw_name(room));
        put_move(text, names[m], turns);
    }
    for (unsigned i = below(3); i > 0; i--) {
        put(text, "MoveAlias %s %s%s\n", draw_name(room), names[below(count)], below(2) ? "" : "2");
    }
    if (below(3) == 0) {
        put(text, "MoveSequence %s", draw_name(room));
        put_words(text, names, count);
    }
    if (below(3) == 0) {
        put(text, "Generators");
        if (below(2)) {
            put(text, " (%s.%s)", names[below(count)], names[below(count)]);
        }
        put_words(text, names, count);
    }
}

// ---- Reading back -------------------------------------------------------------------------------

// Walks along random moves, and compares the state with what their names lead to. `joined` leaves
// out the spaces.
static void read_walk_back(const struct puzzle *puzzle, bool joined, const char *definition)
{
    uint8_t state[CELLS_MOST];
    uint8_t next[CELLS_MOST];
    uint8_t found[CELLS_MOST];
    struct text text = {.length = 0};
    struct fewest_error error = {.text = ""};
    memcpy(state, puzzle->goals[0], puzzle->cell_count);
    text.bytes[0] = '\0';
    for (unsigned i = 1 + below(WALK); i > 0; i--) {
        unsigned move = below(puzzle->move_count);
        if (!puzzle_apply(puzzle, move, state, next)) {
            continue;
        }
        memcpy(state, next, puzzle->cell_count);
        put(&text, "%s%s", text.length > 0 && !joined ? " " : "", puzzle->moves[move].name);
    }
    bool read = notation_apply(puzzle, NULL, text.bytes, text.length, found, &error);
    cr_assert(read, "%s\n%s\n%s", definition, text.bytes, error.text);
    cr_assert(memcmp(found, state, puzzle->cell_count) == 0, "%s\n%s", definition, text.bytes);
}

// Is each name of a move a generator that means the same?
static void read_generators_back(const struct puzzle *puzzle, const struct text *text)
{
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        struct text chosen = *text;
        struct puzzle other;
        struct fewest_error error = {.text = ""};
        put(&chosen, "Generators %s\n", puzzle->moves[m].name);
        bool compiled = puzzle_compile(&other, chosen.bytes, chosen.length, METRIC_LISTED, &error);
        if (!compiled && strstr(error.text, "changes nothing")) {
            continue; // the identity is a listed move, but no generator
        }
        cr_assert(compiled, "%s\n%s", chosen.bytes, error.text);
        cr_assert_eq(other.move_count, 1);
        cr_assert(memcmp(other.moves[0].from, puzzle->moves[m].from,
                         puzzle->cell_count * sizeof(uint16_t)) == 0,
                  "%s", chosen.bytes);
        cr_assert(memcmp(other.moves[0].add, puzzle->moves[m].add, puzzle->cell_count) == 0, "%s",
                  chosen.bytes);
        puzzle_free(&other);
    }
}

// Is a sequence in parentheses, with a dot between two moves, what the two do one after the other?
// The text may be refused.
static bool read_sequence_back(const struct puzzle *puzzle, const struct text *text)
{
    struct text chosen = *text;
    struct puzzle other;
    struct fewest_error error = {.text = ""};
    const char *first = puzzle->moves[below(puzzle->move_count)].name;
    const char *second = puzzle->moves[below(puzzle->move_count)].name;
    put(&chosen, "Generators (%s.%s)\n", first, second);
    if (strchr(first, '(') || strchr(second, '(') ||
        !puzzle_compile(&other, chosen.bytes, chosen.length, METRIC_LISTED, &error)) {
        return false;
    }
    struct text typed = {.length = 0};
    uint8_t state[CELLS_MOST];
    uint8_t same[CELLS_MOST];
    put(&typed, "%s %s", first, second);
    cr_assert_eq(other.move_count, 1);
    cr_assert(notation_apply(puzzle, NULL, typed.bytes, typed.length, same, &error));
    cr_assert(puzzle_apply(&other, 0, puzzle->goals[0], state));
    cr_assert(memcmp(state, same, puzzle->cell_count) == 0, "%s", chosen.bytes);
    puzzle_free(&other);
    return true;
}

Test(notation, every_printed_name_of_a_random_puzzle_is_read_back)
{
    unsigned with_dots = 0;
    unsigned accepted = 0;
    unsigned with_joined = 0;
    while (accepted < PUZZLES) {
        struct text text;
        struct puzzle puzzle;
        struct fewest_error error;
        draw_definition(&text);
        enum metric metric = (enum metric)below(METRIC_COUNT);
        if (!puzzle_compile(&puzzle, text.bytes, text.length, metric, &error)) {
            continue;
        }
        accepted++;
        bool joined = notation_joins(&puzzle);
        with_joined += joined;
        for (unsigned walk = 0; walk < 5; walk++) {
            read_walk_back(&puzzle, false, text.bytes);
            if (joined) {
                read_walk_back(&puzzle, true, text.bytes);
            }
        }
        if (!strstr(text.bytes, "Generators")) {
            read_generators_back(&puzzle, &text);
            with_dots += read_sequence_back(&puzzle, &text);
        }
        puzzle_free(&puzzle);
    }
    cr_expect_gt(with_joined, 10);
    cr_expect_gt(with_dots, 100);
}

Test(notation, names_of_boards_are_read_back)
{
    static const char *const BOARDS[] = {"Slide 2 3\n", "Slide 2 2 2\n", "Slide 1 4\n"};
    for (size_t i = 0; i < sizeof BOARDS / sizeof *BOARDS; i++) {
        struct puzzle puzzle = support_compile(BOARDS[i], METRIC_POWERS);
        for (unsigned walk = 0; walk < 200; walk++) {
            read_walk_back(&puzzle, walk % 2 && notation_joins(&puzzle), BOARDS[i]);
        }
        puzzle_free(&puzzle);
    }
}

// ---- Algs ---------------------------------------------------------------------------------------

// A name is letters, perhaps after the numbers of layers. It may be called like a power.
static enum alg_word find_letters(const void *context, const char *word, size_t length,
                                  struct fewest_error *error)
{
    static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    size_t used = 0;
    (void)context;
    (void)error;
    length -= word[length - 1] == '\'';
    while (length > 0 && word[length - 1] >= '0' && word[length - 1] <= '9') {
        length--;
    }
    while (used < length && strchr("0123456789-", word[used])) {
        used++;
    }
    size_t begun = used;
    while (used < length && strchr(LETTERS, word[used])) {
        used++;
    }
    return used == length && used > begun ? ALG_POWER : ALG_NO;
}

static const struct alg_names LETTERS = {.find = find_letters};

static bool read_alg(struct alg *alg, const char *text, size_t length, struct fewest_error *error)
{
    bool done = alg_begin(alg, &LETTERS, text, length, error);
    while (done && !alg_at_end(alg)) {
        done = alg_next(alg);
    }
    return done;
}

// Writes the moves in a row; - marks an inverse.
static void write_alg(const struct alg *alg, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < alg->count; i++) {
        const struct alg_move *move = &alg->moves[i];
        used += (size_t)snprintf(text + used, size - used, "%s%s%.*s", i > 0 ? " " : "",
                                 move->inverse ? "-" : "", (int)move->length, move->word);
    }
}

Test(notation, groups_are_written_out)
{
    static const char *const ALGS[][2] = {
        {"", ""},
        {"R", "R"},
        {" R2'\n\tU ", "R2' U"},
        {"R,U , F", "R U F"},
        {"2R3 2-3Rw' U_PLUS_4", "2R3 2-3Rw' U_PLUS_4"},
        {"(R U')2", "R U' R U'"},
        {"(R U')'", "-U' -R"},
        {"(R U2 F)2'", "-F -U2 -R -F -U2 -R"},
        {"(R U)'2 [R: U]\xE2\x80\x99"
         "2",
         "-U -R -U -R R -U -R R -U -R"},
        {"(R, U)", "R U"},
        {"(R U)0 F ()9999999999", "F"},
        {"[R: U]", "R U -R"},
        {"[R U: F]2", "R U F -U -R R U F -U -R"},
        {"[R, U]", "R U -R -U"},
        {"[R, U]'", "U R -U -R"},
        {"[x: [R, U]]", "x R U -R -U -x"},
        {"[(R, F), U]", "R F U -F -R -U"},
        {"[:]", ""},
        {"[R,]", "R -R"},
        {"R(U)[F:D]", "R U F D -F"},
        {"R . U // comment ( [ R\nF # another )", "R U F"},
        {"1. R U\n 2. F\n3.", "R U F"},
        {"(.) R [. U: .]", "R U -U"},
        {"R\xE2\x80\x99 U\xE2\x80\xB2 F2\xC2\xB4 (D)\xE2\x80\x98", "R' U' F2' -D"},
    };
    for (size_t i = 0; i < sizeof ALGS / sizeof *ALGS; i++) {
        struct alg alg;
        char text[256];
        struct fewest_error error = {.text = ""};
        bool read = read_alg(&alg, ALGS[i][0], strlen(ALGS[i][0]), &error);
        cr_expect(read, "%s: %s", ALGS[i][0], error.text);
        write_alg(&alg, text, sizeof text);
        cr_expect_str_eq(text, ALGS[i][1]);
        alg_end(&alg);
    }
}

Test(notation, bad_groups_are_refused_with_the_character)
{
    static const char *const BAD[][2] = {
        {"R U)", "character 4: expected a move, got ')'"},
        {"(R", "character 3: expected a move or ')', but the text ends"},
        {"(R]", "character 3: expected a move or ')', got ']'"},
        {"[R U", "character 5: expected a move, ':' or ',', but the text ends"},
        {"[R]", "character 3: expected a move, ':' or ',', got ']'"},
        {"[R: U", "character 6: expected a move or ']', but the text ends"},
        {"[R: U: F]", "character 6: expected a move or ']', got ':'"},
        {"[R, U, F]", "character 6: expected a move or ']', got ','"},
        {"R: U", "character 2: expected a move, got ':'"},
        {"(R)2U", "character 5: expected a space between moves, got 'U'"},
        {"(R)''", "character 5: expected a space between moves, got '''"},
        {"(R)'2'", "character 6: expected a space between moves, got '''"},
        {"(R)2'2", "character 6: expected a space between moves, got '2'"},
        {"(R)'99999999999999999999999", "character 5: expected a smaller number, got '9'"},
        {"R $", "character 3: expected a move, got '$'"},
        {"\xC3\xA9", "character 1: expected a move, got '\\xC3'"},
        {"(R)99999999999999999999999", "character 4: expected a smaller number, got '9'"},
        {"(R)4352", "without groups, this sequence has more than 4351 moves"},
        {"(R)99999999999999", "without groups, this sequence has more than 4351 moves"},
        {"((((((R)9)9)9)9)9)9", "without groups, this sequence has more than 4351 moves"},
        {"[(R)4000: U]", "without groups, this sequence has more than 4351 moves"},
        {"(R)4351 R", "without groups, this sequence has more than 4351 moves"},
        {"1 . R", "character 1: expected a move, got '1'"},
        {"R 1. U", "character 3: expected a move, got '1'"},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        struct alg alg;
        struct fewest_error error = {.text = ""};
        cr_expect_not(read_alg(&alg, BAD[i][0], strlen(BAD[i][0]), &error), "%s", BAD[i][0]);
        cr_expect(strstr(error.text, BAD[i][1]), "%s: %s", BAD[i][0], error.text);
        alg_end(&alg);
    }
}

Test(notation, brackets_nest_up_to_a_limit)
{
    enum { LONG = 100000 };
    char *text = malloc(LONG);
    struct alg alg;
    struct fewest_error error;
    for (unsigned depth = ALG_NESTING_MOST; depth <= ALG_NESTING_MOST + 1; depth++) {
        memset(text, '(', depth);
        text[depth] = 'R';
        memset(text + depth + 1, ')', depth);
        cr_expect_eq(read_alg(&alg, text, 2 * depth + 1, &error), depth == ALG_NESTING_MOST);
        alg_end(&alg);
    }
    memset(text, '[', LONG);
    cr_expect_not(read_alg(&alg, text, LONG, &error));
    cr_expect(strstr(error.text, "character 65: brackets are nested more than 64 deep"), "%s",
              error.text);
    alg_end(&alg);
    free(text);
}

// ---- Words --------------------------------------------------------------------------------------

// Two turns of six pieces and one exchange. The moves are called by the three names.
static void write_ring(struct text *text, const char *a, const char *b, const char *c)
{
    text->length = 0;
    put(text, "Set A 6 1\nSolved\nA\n1 2 3 4 5 6\nEnd\n");
    put(text, "Move %s\nA\n2 3 4 5 6 1\nEnd\n", a);
    put(text, "Move %s\nA\n2 1 3 4 5 6\nEnd\n", b);
    put(text, "Move %s\nA\n3 1 2 4 5 6\nEnd\n", c);
}

Test(notation, a_word_with_two_meanings_is_refused)
{
    // The names of the moves, what is typed, and the error or what means the same.
    static const struct {
        const char *names[3];
        const char *typed;
        const char *error; // NULL: none
        const char *same;
    } CASES[] = {
        {{"1", "2", "3"}, "13", "'13' can be read in two ways; type (1)3 or 1 3", NULL},
        {{"1", "2", "3"}, "(1)3", NULL, "1 1 1"},
        {{"1", "2", "3"}, "1'", NULL, "(1)'"},
        {{"R", "U", "F"}, "RUF", NULL, "R U F"},
        {{"R", "U", "F"},
         "R'2 F'0 U\xC2\xB4"
         "123 (R U)'2",
         NULL,
         "R' R' (U)123' (R U)' (R U)'"},
        {{"R", "U", "F"}, "R'2'", "unknown move 'R'2''", NULL},
        {{"R", "U", "F"}, "R2'2", "unknown move 'R2'2'", NULL},
        {{"R", "U", "F"}, "R''2", "unknown move 'R''2'", NULL},
        {{"R", "U", "F"}, "R'1234", "unknown move 'R'1234'", NULL},
        {{"R", "2", "F"}, "R'2", "'R'2' can be read in two ways; type (R')2 or R' 2", NULL},
        {{"R", "2", "3"}, "R'23", "'R'23' can be read in two ways; type (R')23 or R' 23", NULL},
        {{"R", "2", "F"}, "(R')2 R'3", NULL, "R' R' R' R' R'"},
        {{"R", "2", "F"}, "(R)'2", "character 5: expected a space between moves, got '2'", NULL},
        {{"R", "R'2", "F"}, "R'2 (R'2)2", NULL, "R'2 R'2 R'2"},
        {{"R1", "R", "F"}, "R1'2", NULL, "(R1)'2"},
        {{"R", "U", "F"}, "RUR'", "'RUR'' is no move; put spaces between moves: R U R'", NULL},
        {{"A", "A2x", "A1"}, "A14", "'A14' can be read in two ways; type (A1)4 or (A)14", NULL},
        {{"R1", "R10", "X"}, "R102 R10'", NULL, "R10 R10 (R10)'"},
        {{"R1", "R10", "R"}, "R103", "'R103' can be read in two ways; type (R10)3 or (R)103", NULL},
        {{"(1,0)", "/", "[a:b]"},
         "(1,0)/ [a:b]2,[/,(1,0)]",
         NULL,
         "(1,0) / [a:b] [a:b] / (1,0) / (1,0)'"},
        {{"R", "U", "F"}, "Q", "unknown move 'Q'", NULL},
        {{"R", "U", "F"}, "(R (U [F, Q U]))2", "unknown move 'Q'", NULL},
        {{"R", "U", "F"}, "R U(2f)\n(R F ( 2q* , 4f )\r)2(4 Moves) // F", NULL, "R U R F R F"},
        {{"R", "U", "F"}, "R (2f)3", "unknown move '2f'", NULL},
        {{"21", "2q", "a"}, "21 (21)\n(2q)\n(2)\n(2q*)\n(2q, 2f)", NULL, "21 21 2q"},
        {{"1", "2", "q"}, "(12q)\n(12f)\n(q)", NULL, "1 2 q q"},
        {{"1", "2", "q"}, "q (12)", "'12' can be read in two ways", NULL},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct text text;
        struct puzzle puzzle;
        struct fewest_error error = {.text = ""};
        uint8_t state[CELLS_MOST];
        uint8_t same[CELLS_MOST];
        write_ring(&text, CASES[i].names[0], CASES[i].names[1], CASES[i].names[2]);
        cr_assert(puzzle_compile(&puzzle, text.bytes, text.length, METRIC_QUARTER, &error), "%s",
                  error.text);
        bool read =
            notation_apply(&puzzle, NULL, CASES[i].typed, strlen(CASES[i].typed), state, &error);
        cr_expect_eq(read, !CASES[i].error, "%s: %s", CASES[i].typed, error.text);
        if (CASES[i].error) {
            cr_expect(strstr(error.text, CASES[i].error), "%s", error.text);
        } else {
            cr_assert(
                notation_apply(&puzzle, NULL, CASES[i].same, strlen(CASES[i].same), same, &error));
            cr_expect(memcmp(state, same, puzzle.cell_count) == 0, "%s", CASES[i].typed);
        }
        puzzle_free(&puzzle);
    }
}

Test(notation, dots_of_names_stand_in_sequences_in_parentheses)
{
    // The names of the moves, a generator, and what it means, or the error.
    static const char *const CASES[][5] = {
        {"q.", "r", "(q..q.)", "q. q.", NULL},
        {"q.", "r", "(r.q.)2", "r q. r q.", NULL},
        {".", "r", "(....r.r)", ". . r r", NULL},
        {"q.", "r", "(q.r)", NULL, "is called 'q'"},
        {"q.r", "r", "(r.q.r)", "r q.r", NULL},
        {"q.r", "r", "(q.r.r)", "q.r r", NULL},
        {"q.r", "q", "(q.r)", NULL,
         "so this can begin with 'q.r' or with 'q'; give the one that you mean an alias: "
         "`MoveAlias NAME q.r`"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct text text;
        struct puzzle puzzle;
        struct fewest_error error = {.text = ""};
        uint8_t state[CELLS_MOST];
        uint8_t same[CELLS_MOST];
        write_ring(&text, CASES[i][0], CASES[i][1], "other");
        put(&text, "Generators %s\n", CASES[i][2]);
        bool done = puzzle_compile(&puzzle, text.bytes, text.length, METRIC_LISTED, &error);
        cr_assert_eq(done, CASES[i][3] != NULL, "%s: %s", CASES[i][2], error.text);
        if (!done) {
            cr_expect(strstr(error.text, CASES[i][4]), "%s", error.text);
            continue;
        }
        cr_assert(puzzle_apply(&puzzle, 0, puzzle.goals[0], state));
        cr_assert(notation_apply(&puzzle, NULL, CASES[i][3], strlen(CASES[i][3]), same, &error));
        cr_expect(memcmp(state, same, puzzle.cell_count) == 0, "%s", CASES[i][2]);
        puzzle_free(&puzzle);
    }
}

Test(notation, names_are_not_joined_if_a_row_of_them_is_another_name)
{
    struct text text;
    for (unsigned i = 0; i < 3; i++) {
        struct puzzle puzzle;
        struct fewest_error error;
        write_ring(&text, "U", i == 1 ? "UU" : "F", "R");
        put(&text, "Generators U%s\nPowers none\n%s", i == 2 ? " F" : "",
            i == 2 ? "MoveAlias FU R\n" : "");
        cr_assert(puzzle_compile(&puzzle, text.bytes, text.length, METRIC_POWERS, &error), "%s",
                  error.text);
        cr_expect_eq(notation_joins(&puzzle), i == 0);
        puzzle_free(&puzzle);
    }
}

Test(notation, boards_read_powers_inverses_groups_and_capitals)
{
    static const char *const SAME[][2] = {
        {"d u2 l", "d u u l"}, {"U L'", "u r"},
        {"[u, l]", "u l d r"}, {"(u l)'", "r d"},
        {"ULDR", "u l d r"},   {"(u l d r)2'", "l u r d l u r d"},
        {"l'1 U'1", "r d"},    {"l (r'2)'1 l", "l r r l"},
        {"(L U'0 D2')'0", ""},
    };
    struct puzzle puzzle;
    struct fewest_error error = {.text = ""};
    cr_assert(puzzle_compile(&puzzle, "Slide 3 3\n", 10, METRIC_POWERS, &error));
    for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) {
        uint8_t begin[CELLS_MOST];
        uint8_t state[2][CELLS_MOST];
        cr_assert(notation_apply(&puzzle, NULL, "u l", 3, begin, &error)); // to the middle
        for (unsigned j = 0; j < 2; j++) {
            cr_assert(
                notation_apply(&puzzle, begin, SAME[i][j], strlen(SAME[i][j]), state[j], &error),
                "%s: %s", SAME[i][j], error.text);
        }
        cr_expect(memcmp(state[0], state[1], puzzle.cell_count) == 0, "%s", SAME[i][0]);
    }
    puzzle_free(&puzzle);
}
