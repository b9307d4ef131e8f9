// Tests of rotations that moves leave: cube.puzzle is compared with a cube of 54 stickers, which
// knows no pieces and no orientations.
#include "tables/families/compile.h"
#include "tables/text/notation.h"
#include "tables/text/text.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 3000, WORDS_MOST = 30, FACES = 6, STICKERS = 54 };

// A sticker lies on the small cube with the coordinates `at`, each -1, 0 or 1, and looks in the
// direction `face`. The axes go right, up and to the front.
struct sticker {
    int at[3];
    int face[3];
    char colour;
};

static const char FACE_NAMES[] = "RLUDFB"; // of the axes, forward and back

static char face_name(const int face[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (face[axis] != 0) {
            return FACE_NAMES[2 * axis + (face[axis] < 0)];
        }
    }
    return '?';
}

static void make_cube(struct sticker cube[STICKERS])
{
    unsigned count = 0;
    for (int f = 0; f < FACES; f++) {
        for (int place = 0; place < 9; place++) {
            struct sticker *sticker = &cube[count++];
            int axis = f / 2;
            int side = f % 2 ? -1 : 1;
            memset(sticker, 0, sizeof *sticker);
            sticker->face[axis] = side;
            sticker->at[axis] = side;
            sticker->at[(axis + 1) % 3] = place % 3 - 1;
            sticker->at[(axis + 2) % 3] = place / 3 - 1;
            sticker->colour = FACE_NAMES[f];
        }
    }
}

// Turns a vector clockwise, as seen from the front end of the axis.
static void turn_vector(int vector[3], int axis)
{
    int *b = &vector[(axis + 1) % 3];
    int *c = &vector[(axis + 2) % 3];
    int before = *b;
    *b = *c;
    *c = -before;
}

// Turns the layers first … last of an axis clockwise, as seen from its front end.
static void turn_layers(struct sticker cube[STICKERS], int axis, int first, int last, int times)
{
    for (int i = 0; i < STICKERS * times; i++) {
        struct sticker *sticker = &cube[i % STICKERS];
        if (sticker->at[axis] >= first && sticker->at[axis] <= last) {
            turn_vector(sticker->at, axis);
            turn_vector(sticker->face, axis);
        }
    }
}

// The layers of an axis that a name turns: clockwise, as seen from the axis's front end or, if
// is_back, from its other end.
static const struct turn {
    const char *name;
    int axis;
    int first;
    int last;
    bool is_back;
} TURNS[] = {
    {"R", 0, 1, 1, false},    {"L", 0, -1, -1, true},   {"U", 1, 1, 1, false},
    {"D", 1, -1, -1, true},   {"F", 2, 1, 1, false},    {"B", 2, -1, -1, true},
    {"Rw", 0, 0, 1, false},   {"Lw", 0, -1, 0, true},   {"Uw", 1, 0, 1, false},
    {"Dw", 1, -1, 0, true},   {"Fw", 2, 0, 1, false},   {"Bw", 2, -1, 0, true},
    {"r", 0, 0, 1, false},    {"l", 0, -1, 0, true},    {"u", 1, 0, 1, false},
    {"d", 1, -1, 0, true},    {"f", 2, 0, 1, false},    {"b", 2, -1, 0, true},
    {"3Rw", 0, -1, 1, false}, {"3Lw", 0, -1, 1, true},  {"3Uw", 1, -1, 1, false},
    {"3Dw", 1, -1, 1, true},  {"3Fw", 2, -1, 1, false}, {"3Bw", 2, -1, 1, true},
    {"M", 0, 0, 0, true},     {"E", 1, 0, 0, true},     {"S", 2, 0, 0, false},
    {"x", 0, -1, 1, false},   {"y", 1, -1, 1, false},   {"z", 2, -1, 1, false},
};

enum { TURN_COUNT = sizeof TURNS / sizeof *TURNS };

// The sticker at a place of a slot: the corner or edge with these faces, on face number `place`.
static char colour_at(const struct sticker cube[STICKERS], const char *slot, size_t place)
{
    int at[3] = {0};
    for (const char *face = slot; *face; face++) {
        int f = (int)(strchr(FACE_NAMES, *face) - FACE_NAMES);
        at[f / 2] = f % 2 ? -1 : 1;
    }
    for (int i = 0; i < STICKERS; i++) {
        if (memcmp(cube[i].at, at, sizeof at) == 0 && face_name(cube[i].face) == slot[place]) {
            return cube[i].colour;
        }
    }
    return '?';
}

// Renames the colours by the centers: a colour becomes the name of the face that its center is on.
static void rename_colours(struct sticker cube[STICKERS])
{
    char renamed[128] = {0};
    for (int i = 0; i < STICKERS; i++) {
        if (memcmp(cube[i].at, cube[i].face, sizeof cube[i].at) == 0) { // a center
            renamed[(int)cube[i].colour] = face_name(cube[i].face);
        }
    }
    for (int i = 0; i < STICKERS; i++) {
        cube[i].colour = renamed[(int)cube[i].colour];
    }
}

// Appends the numbers of the pieces in some slots, and then how they are turned.
static void write_set(const struct sticker cube[STICKERS], const char *const *slots, unsigned count,
                      char *text)
{
    char turns[64] = "";
    for (unsigned i = 0; i < count; i++) {
        size_t faces = strlen(slots[i]);
        unsigned piece = 0;
        size_t turn = 0;
        for (bool found = false; !found && piece < count;) {
            found = true;
            for (size_t place = 0; place < faces; place++) {
                found &= strchr(slots[piece], colour_at(cube, slots[i], place)) != NULL;
            }
            piece += !found;
        }
        cr_assert_lt(piece, count);
        while (colour_at(cube, slots[i], turn) != slots[piece][0]) {
            turn++;
        }
        sprintf(text + strlen(text), " %u", piece + 1);
        sprintf(turns + strlen(turns), " %zu", turn);
    }
    sprintf(text + strlen(text), "%s", turns);
}

static void write_cube(const struct sticker cube[STICKERS], char *text)
{
    static const char *const CORNERS[] = {"URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB"};
    static const char *const EDGES[] = {"UR", "UF", "UL", "UB", "DR", "DF",
                                        "DL", "DB", "FR", "FL", "BL", "BR"};
    *text = '\0';
    write_set(cube, CORNERS, 8, text);
    write_set(cube, EDGES, 12, text);
}

Test(turns, a_cube_is_seen_from_where_the_moves_have_turned_it)
{
    size_t length;
    char *definition = support_read("tables/puzzles/cube.puzzle", &length);
    struct puzzle puzzle = support_compile(definition, METRIC_POWERS);
    unsigned turned = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        struct sticker cube[STICKERS];
        struct fewest_error error;
        char moves[WORDS_MOST * 8] = "";
        char expected[256];
        char shown[TEXT_STATE_SIZE];
        uint8_t state[CELLS_MOST];
        make_cube(cube);
        for (unsigned w = support_random_below(WORDS_MOST); w > 0; w--) {
            const struct turn *turn = &TURNS[support_random_below(TURN_COUNT)];
            int times = 1 + (int)support_random_below(3);
            sprintf(moves + strlen(moves), "%s%s ", turn->name,
                    times == 1   ? ""
                    : times == 2 ? "2"
                                 : "'");
            turn_layers(cube, turn->axis, turn->first, turn->last,
                        turn->is_back ? 4 - times : times);
        }
        turned += cube[4].colour != face_name(cube[4].face) ||
                  cube[22].colour != face_name(cube[22].face);
        rename_colours(cube);
        write_cube(cube, expected);
        cr_assert(notation_apply(&puzzle, NULL, moves, strlen(moves), state, &error), "%s: %s",
                  moves, error.text);
        text_write_state(&puzzle, state, shown);
        cr_assert_str_eq(shown, expected + 1, "%s: %s, not%s", moves, shown, expected);
    }
    cr_expect_gt(turned, DRAWS / 2); // of 24 ways to hold a cube, one is no turn
    puzzle_free(&puzzle);
    free(definition);
}

// The last words of a text say how the puzzle lies. Moves applied to a given state turn that, too.
Test(turns, moves_of_a_given_state_turn_it)
{
    size_t length;
    char *definition = support_read("tables/puzzles/cube.puzzle", &length);
    struct puzzle puzzle = support_compile(definition, METRIC_POWERS);
    struct fewest_error error;
    uint8_t solved[CELLS_MOST];
    uint8_t turned[CELLS_MOST];
    cr_assert(notation_apply(&puzzle, NULL, "x y'", 4, solved, &error));
    cr_expect_arr_eq(solved, puzzle.goals[0], puzzle.cell_count);
    cr_assert(notation_apply(&puzzle, puzzle.goals[0], "x y'", 4, turned, &error));
    cr_expect_arr_neq(turned, puzzle.goals[0], puzzle.cell_count);
    puzzle_free(&puzzle);
    free(definition);
}

static void expect_turned(const struct puzzle *puzzle, const char *moves, bool is_undone)
{
    struct fewest_error error;
    uint8_t state[CELLS_MOST];
    uint8_t turned[CELLS_MOST];
    cr_assert(notation_apply(puzzle, NULL, moves, strlen(moves), state, &error), "%s", moves);
    cr_assert(notation_apply(puzzle, puzzle->goals[0], moves, strlen(moves), turned, &error));
    cr_expect_eq(memcmp(state, turned, puzzle->cell_count) != 0, is_undone, "%s", moves);
}

Test(turns, a_rotation_that_mixes_colours_turns_the_pieces)
{
    static const char PLAIN[] =
        "Name four\nSet S 4 1\nSolved\nS\n1 2 3 4\nEnd\nMove A\nS\n2 1 3 4\n"
        "End\nMove B\nS\n1 2 4 3\nEnd\nMove x\nS\n3 4 1 2\nEnd\nRotation x\n";
    static const char MIXED[] =
        "Name four\nSet S 4 1\nSolved\nS\n1 1 2 3\nEnd\nMove A\nS\n2 1 3 4\n"
        "End\nMove B\nS\n1 2 4 3\nEnd\nMove x\nS\n3 4 1 2\nEnd\nRotation x\n";
    static const char ILLEGAL[] = "Illegal S 3 4\n"; // which x⁻¹Ax makes
    char text[512];
    struct puzzle plain = support_compile(PLAIN, METRIC_POWERS);
    struct puzzle mixed = support_compile(MIXED, METRIC_POWERS);
    snprintf(text, sizeof text, "%s%s", PLAIN, ILLEGAL);
    struct puzzle illegal = support_compile(text, METRIC_POWERS);
    expect_turned(&plain, "A x", true);
    expect_turned(&mixed, "A x", false);
    expect_turned(&illegal, "A x", false);
    puzzle_free(&plain);
    puzzle_free(&mixed);
    puzzle_free(&illegal);
}
