// Tests of rotations: which moves count, compared with a twin that tries all powers of all moves.
#include "tables/definition/definition.h"
#include "tables/families/compile.h"
#include "tests/tools/support.h"
#include "tests/twin/twin_tws.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DRAWS = 4000, TEXT = 4096, MOVES_DRAWN = 6 };

// None is a power of another. Half are names of rotations.
static const char *const NAMES[] = {"A", "B", "xv", "Xy", "x", "y", "z2", "Fv"};

enum { NAME_COUNT = sizeof NAMES / sizeof *NAMES };

// Draws a move that is no conjugate by intention: it permutes few slots, or all.
static void draw_any(const struct sets_puzzle *puzzle, struct sets_move *move)
{
    uint8_t slots[SETS_TWIN_SLOTS];
    unsigned moved = 1 + support_random_below(puzzle->slot_count);
    bool turns = support_happens(2);
    for (unsigned i = 0; i < puzzle->slot_count; i++) {
        slots[i] = (uint8_t)i;
    }
    memcpy(move->from, slots, sizeof slots);
    support_shuffle(slots, puzzle->slot_count);
    for (unsigned i = 0; i < moved; i++) {
        move->from[slots[i]] = slots[(i + 1) % moved];
        move->turn[slots[i]] = turns ? (uint8_t)support_random_below(puzzle->sets[0].turns) : 0;
    }
}

// Draws a move: any one, or what one earlier move makes of another, or a power of one.
static void draw_move(const struct sets_view *view, struct sets_puzzle *puzzle)
{
    unsigned count = puzzle->move_count;
    struct sets_move *move = &puzzle->moves[puzzle->move_count++];
    memset(move, 0, sizeof *move);
    if (count < 2 || support_happens(3)) {
        draw_any(puzzle, move);
        return;
    }
    const struct sets_move *by = &puzzle->moves[support_random_below(count)];
    const struct sets_move *of = &puzzle->moves[support_random_below(count)];
    struct sets_move back;
    struct sets_move half;
    if (support_happens(4)) {
        sets_compose(view, by, of, move); // a square, or any product
        return;
    }
    sets_invert(view, by, &back);
    sets_compose(view, by, of, &half);
    sets_compose(view, &half, &back, move);
    if (support_happens(3)) {
        half = *move;
        sets_invert(view, &half, move);
    }
}

// Gives the moves different names.
static void draw_names(struct sets_puzzle *puzzle)
{
    uint8_t order[NAME_COUNT];
    for (unsigned i = 0; i < NAME_COUNT; i++) {
        order[i] = (uint8_t)i;
    }
    support_shuffle(order, NAME_COUNT);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        strcpy(puzzle->moves[m].name, NAMES[order[m]]);
    }
}

static void draw_definition(char text[TEXT])
{
    struct sets_puzzle puzzle;
    struct sets_view view;
    sets_begin(&puzzle);
    sets_add(&puzzle, 2 + support_random_below(5), 1 + support_random_below(3));
    sets_look(&view, &puzzle);
    unsigned moves = 1 + support_random_below(MOVES_DRAWN);
    while (puzzle.move_count < moves) {
        draw_move(&view, &puzzle);
    }
    draw_names(&puzzle);
    int used = sprintf(text, "Set S %u %u\nSolved\nEnd\n", puzzle.slot_count, puzzle.sets[0].turns);
    if (support_happens(4)) {
        used += sprintf(text + used, "Rotation %s\n", puzzle.moves[0].name);
    }
    for (unsigned m = 0; m < moves; m++) {
        used += sprintf(text + used, "Move %s\nS\n", puzzle.moves[m].name);
        for (unsigned i = 0; i < puzzle.slot_count; i++) {
            used += sprintf(text + used, "%u ", puzzle.moves[m].from[i] + 1);
        }
        for (unsigned i = 0; i < puzzle.slot_count; i++) {
            used += sprintf(text + used, "%s%u ", i > 0 ? "" : "\n", puzzle.moves[m].turn[i]);
        }
        used += sprintf(text + used, "\nEnd\n");
    }
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

// Compares the moves of a definition with those of the twin, which are in the file. Returns how
// many rotations there are.
static unsigned expect_twin(const char *path, const char *text, const struct definition *definition)
{
    struct sets_puzzle twin;
    twin_read_tws(path, NULL, &twin);
    cr_assert_eq(definition->moves.count, twin.move_count, "%s", text);
    for (unsigned m = 0; m < twin.move_count; m++) {
        cr_assert_str_eq(definition->moves.listed[m].name, twin.moves[m].name, "%s", text);
    }
    return definition->others.count;
}

Test(rotations, of_random_definitions_are_those_of_the_twin, .timeout = 120)
{
    char path[] = "/tmp/fewest-rotations.XXXXXX";
    unsigned with = 0;
    unsigned refused = 0;
    int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    for (unsigned d = 0; d < DRAWS; d++) {
        char text[TEXT];
        struct definition definition;
        struct fewest_error error;
        draw_definition(text);
        write_file(path, text);
        if (puzzle_read_definition(&definition, text, strlen(text), &error)) {
            with += expect_twin(path, text, &definition) > 0;
            definition_free(&definition);
        } else { // a rotation is declared
            cr_assert(strstr(error.text, "is no rotation") || strstr(error.text, "has no move"),
                      "%s%s", text, error.text);
            refused++;
        }
    }
    unlink(path);
    cr_expect_gt(with, DRAWS / 10, "%u", with);
    cr_expect_gt(refused, DRAWS / 20, "%u", refused);
    cr_expect_lt(refused, DRAWS / 4, "%u", refused);
}

// Appends COUNT sequences, each of the one move A. Their names begin with two capitals.
static void append_sequences(char *text, const char *end, unsigned count)
{
    size_t used = strlen(text);
    for (unsigned i = 0; i < count; i++) {
        used += (size_t)sprintf(text + used, "MoveSequence %c%c%s A\n", 'A' + i / 26, 'A' + i % 26,
                                end);
    }
}

Test(rotations, that_take_too_long_to_compare_are_refused)
{
    enum { SETS = 16, COUNT = 300 };
    static char text[1 << 16];
    struct definition definition;
    struct fewest_error error;
    size_t used = 0;
    for (unsigned s = 0; s < SETS; s++) {
        used += (size_t)sprintf(text + used, "Set %c 254 2\n", 'A' + s);
    }
    sprintf(text + used, "Solved\nEnd\nMove A\nA\n(1 2)\nEnd\n");
    append_sequences(text, "v", COUNT);
    cr_assert(puzzle_read_definition(&definition, text, strlen(text), &error), "%s", error.text);
    cr_expect_eq(definition.moves.count, 1 + COUNT); // all commute with A
    definition_free(&definition);
    append_sequences(text, "m", COUNT);
    cr_assert_not(puzzle_read_definition(&definition, text, strlen(text), &error));
    cr_expect_eq(error.status, FEWEST_BEYOND);
    cr_expect(strstr(error.text, "too many moves may be rotations"), "%s", error.text);
}
