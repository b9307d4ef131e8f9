// Compares the fast reader of cases with the careful one, which reads any text.
#include "tables/families/compile.h"
#include "tables/text/text.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

struct outcome {
    bool read;
    struct text_case found;
    uint8_t start[CELLS_MOST];
    uint8_t target[CELLS_MOST];
    struct fewest_error error;
};

static void read_case(const struct puzzle *puzzle, const struct alphabet *alphabet,
                      const char *text, size_t length, struct outcome *outcome)
{
    const struct text_reader reader = {puzzle, alphabet};
    outcome->found = (struct text_case){.start = outcome->start, .target = outcome->target};
    outcome->read = text_read_case(&reader, text, length, &outcome->found, &outcome->error);
}

static void compare_readers(const struct puzzle *puzzle, const struct alphabet *alphabet,
                            const char *text, size_t length, unsigned *good, unsigned *bad)
{
    static const struct alphabet NONE = {.is_there = false};
    static struct outcome fast;
    static struct outcome careful;
    read_case(puzzle, alphabet, text, length, &fast);
    read_case(puzzle, &NONE, text, length, &careful);
    cr_assert_eq(fast.read, careful.read, "%s: %.*s", puzzle->name, (int)length, text);
    if (!careful.read) {
        ++*bad;
        cr_assert_str_eq(fast.error.text, careful.error.text);
        cr_assert_eq(fast.error.status, careful.error.status);
        return;
    }
    ++*good;
    bool has_target = careful.found.has_target;
    cr_assert_eq(fast.found.has_target, has_target);
    cr_assert_arr_eq(fast.start, careful.start, puzzle->cell_count);
    cr_assert(!has_target || memcmp(fast.target, careful.target, puzzle->cell_count) == 0);
}

static bool read_state(const struct text_reader *reader, const char *text, size_t length, bool wild,
                       uint8_t *state, struct fewest_error *error)
{
    struct typed_state typed = {text, length, "STATE", wild};
    return text_read_state(reader, &typed, state, error);
}

// Compares the readers on a text that should be one state.
static void compare_states(const struct puzzle *puzzle, const struct alphabet *alphabet,
                           const char *text, size_t length, bool wild, unsigned *good)
{
    static const struct alphabet NONE = {.is_there = false};
    struct fewest_error careful_error = {.text = ""};
    struct fewest_error error = {.text = ""};
    uint8_t careful[CELLS_MOST];
    uint8_t state[CELLS_MOST];
    const struct text_reader careful_reader = {puzzle, &NONE};
    const struct text_reader reader = {puzzle, alphabet};
    bool expected = read_state(&careful_reader, text, length, wild, careful, &careful_error);
    cr_assert_eq(read_state(&reader, text, length, wild, state, &error), expected, "%s: %.*s",
                 puzzle->name, (int)length, text);
    cr_assert_str_eq(error.text, careful_error.text);
    if (expected) {
        ++*good;
        cr_assert_arr_eq(state, careful, puzzle->cell_count);
    }
}

// Appends the cells of a state in a random order.
static size_t append_state(const struct puzzle *puzzle, char *text)
{
    char cells[TEXT_STATE_SIZE];
    size_t used = 0;
    size_t length = text_write_state(puzzle, puzzle->goals[0], cells);
    for (size_t i = 0; i < length; i++) {
        if (cells[i] != '/') {
            text[used++] = cells[i];
        }
    }
    for (size_t i = used; i-- > 1;) {
        size_t other = support_random_below((unsigned)i + 1);
        char cell = text[i];
        text[i] = text[other];
        text[other] = cell;
    }
    return used;
}

static size_t write_case(const struct puzzle *puzzle, char *text)
{
    static const char ANY[] = "*0123456789 ,/xX_abAB\t\r\n\v-";
    size_t length = append_state(puzzle, text);
    if (support_random_below(4) > 0) {
        text[length++] = " ,/\t"[support_random_below(4)];
        length += append_state(puzzle, text + length);
    }
    for (unsigned change = support_random_below(4); change > 0; change--) {
        unsigned at = support_random_below((unsigned)length);
        unsigned c = support_random_below(sizeof ANY); // NUL, too
        switch (support_random_below(3)) {
        case 0:
            text[at] = ANY[c];
            break;
        case 1:
            memmove(text + at, text + at + 1, length - at - 1);
            length--;
            break;
        default:
            memmove(text + at + 1, text + at, length - at);
            text[at] = ANY[c];
            length++;
        }
    }
    return length;
}

Test(text, the_fast_reader_reads_what_the_careful_one_does)
{
    static const char *const DEFINITIONS[] = {
        "Set X 9 1\nSolved\nEnd\nMove A\nX\n2 3 1 4 5 6 7 8 9\nEnd\n",
        "Slide 3 3\n",
        "Roll 2 2\nLetters CUBES E W R B\n",
        "Set X 4 1\nSolved\nEnd\nLetters X a b B A\nMove A\nX\n2 3 4 1\nEnd\n",
        "Set X 6 1\nSolved\nX\n1 1 2 2 3 3\nEnd\nMove A\nX\n2 3 4 5 6 1\nEnd\n",
        ("Set X 6 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 1\nEnd\nMove B\nX\n2 1 3 4 5 6\nEnd\n"
         "Track 2 5\n"),
        "Set X 4 2\nSolved\nEnd\nMove A\nX\n1 2 3 4\n1 1 0 0\nEnd\nMove B\nX\n2 3 4 1\nEnd\n",
        ("Set X 4 2\nSolved\nX\n1 2 3 4\n0 ? 0 0\nEnd\nMove A\nX\n1 2 3 4\n1 1 0 0\nEnd\n"
         "Move B\nX\n1 2 3 4\n0 0 1 1\nEnd\n"),
    };
    unsigned fast = 0;
    for (size_t d = 0; d < sizeof DEFINITIONS / sizeof *DEFINITIONS; d++) {
        char text[8 * TEXT_STATE_SIZE];
        struct alphabet alphabet;
        unsigned good = 0;
        unsigned bad = 0;
        unsigned states = 0;
        struct puzzle puzzle = support_compile(DEFINITIONS[d], METRIC_POWERS);
        alphabet_find(&puzzle, &alphabet);
        fast += alphabet.is_there;
        for (unsigned round = 0; round < 20000; round++) {
            size_t length = write_case(&puzzle, text);
            compare_readers(&puzzle, &alphabet, text, length, &good, &bad);
            compare_states(&puzzle, &alphabet, text, length, round % 2 == 0, &states);
        }
        cr_expect_gt(good, 10, "%s: %u", DEFINITIONS[d], good);
        cr_expect_gt(bad, 1000, "%s: %u", DEFINITIONS[d], bad);
        cr_expect_gt(states, 10, "%s: %u", DEFINITIONS[d], states);
        puzzle_free(&puzzle);
    }
    cr_expect_geq(fast, 5);
}
