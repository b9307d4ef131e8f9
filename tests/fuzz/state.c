// Fuzz target: the first byte chooses a puzzle. The rest is read as a query, then as a sequence of
// moves. A state that was read must stay the same when it is written and read again. Moves that
// were read must lead back when they are undone.
#include "tables/definition/scramble.h"
#include "tables/families/compile.h"
#include "tables/text/notation.h"
#include "tables/text/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static const char *const DEFINITIONS[] = {
    "Name nine\nSet X 9 1\nBoard 3 3\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 7 8 9 1\nEnd\n",
    "Name twelve\nSet X 12 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 7 8 9 10 11 12 1\nEnd\n",
    "Name turned\nSet X 3 3\nSet Y 2 1\nSolved\nEnd\nMove A\nX\n2 3 1\n1 0 2\nY\n2 1\nEnd\n",
    "Name alike\nSet X 4 2\nSolved\nX\n1 2 2 2\n? 0 0 0\nEnd\nMove A\nX\n2 3 4 1\n1 0 0 1\nEnd\n",
    "Name slide\nSlide 3 3\n",
    "Name cubes\nRoll 3 3\nLetters CUBES E W R B\n",
    ("Name words\nSet X 4 3\nSolved\nEnd\nMove A\nX\n2 3 4 1\n1 0 2 0\nEnd\nMove x\nX\n2 1 4 "
     "3\nEnd\n"
     "MoveAlias b A'\nMoveSequence all A2 b,x\nTrack 1 3\n"),
    "Name letters\nSet X 4 2\nLetters X - +\nSolved\nEnd\nMove A\nX\n1 2 3 4\n1 1 0 0\nEnd\n",
    ("Name nasty\nSet X 5 1\nSolved\nEnd\nMove 1\nX\n2 3 4 5 1\nEnd\nMove 3\nX\n2 1 3 4 5\nEnd\n"
     "Move (1,0)\nX\n1 2 3 5 4\nEnd\nMove //\nX\n1 3 4 2 5\nEnd\nMoveSequence . 1 3\n"),
};

enum { DEFINITION_COUNT = sizeof DEFINITIONS / sizeof *DEFINITIONS };

// Compiles each puzzle only once, because that takes longer than reading a state.
static const struct puzzle *choose_puzzle(unsigned number)
{
    static struct puzzle puzzles[DEFINITION_COUNT];
    struct puzzle *puzzle = &puzzles[number % DEFINITION_COUNT];
    const char *definition = DEFINITIONS[number % DEFINITION_COUNT];
    struct fewest_error error;
    if (!puzzle->name[0] &&
        !puzzle_compile(puzzle, definition, strlen(definition), METRIC_POWERS, &error)) {
        abort();
    }
    return puzzle;
}

// Makes moves, which must lead to a state, and undoes them as a group. A scramble can't be undone.
static void make_moves(const struct puzzle *puzzle, const char *text, size_t length)
{
    struct fewest_error error;
    uint8_t state[CELLS_MOST];
    uint8_t again[CELLS_MOST];
    if (!notation_apply(puzzle, NULL, text, length, state, &error)) {
        return;
    }
    if (!text_check_state(puzzle, "STATE", false, state, &error)) {
        abort();
    }
    if (scramble_begins(text, length)) {
        return;
    }
    char *undone = malloc(length + 5);
    if (!undone) {
        abort();
    }
    memcpy(undone, "(\n", 2); // the number of a line stands at its start
    memcpy(undone + 2, text, length);
    memcpy(undone + 2 + length, "\n)'", 3);
    if (notation_apply(puzzle, state, undone, length + 5, again, &error)
            ? memcmp(again, puzzle->goals[0], puzzle->cell_count) != 0
            : error.status != FEWEST_BEYOND) { // a group has a limit
        abort();
    }
    free(undone);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct fewest_error error;
    uint8_t start[CELLS_MOST];
    uint8_t target[CELLS_MOST];
    uint8_t again[CELLS_MOST];
    char text[TEXT_STATE_SIZE];
    if (length == 0) {
        return 0;
    }
    const struct puzzle *puzzle = choose_puzzle(bytes[0]);
    struct alphabet alphabet;
    const struct text_reader reader = {puzzle, &alphabet};
    struct text_case read = {.start = start, .target = target};
    alphabet_find(puzzle, &alphabet);
    if (text_read_case(&reader, (const char *)bytes + 1, length - 1, &read, &error)) {
        const uint8_t *state = read.has_target ? target : start;
        size_t written = text_write_state(puzzle, state, text);
        if (!text_read_state(&reader, &(struct typed_state){text, written, "STATE", true}, again,
                             &error) ||
            memcmp(state, again, puzzle->cell_count) != 0) {
            abort();
        }
        puzzle_rank(puzzle, 0, start);
    }
    make_moves(puzzle, (const char *)bytes + 1, length - 1);
    return 0;
}
