// States as people paste them from other programs are read as what they are.
#include "tables/families/compile.h"
#include "tables/text/text.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define RING "Set X 12 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 7 8 9 10 11 12 1\nEnd\n"

static void compile(struct puzzle *puzzle, struct alphabet *alphabet, const char *definition)
{
    struct fewest_error error;
    cr_assert(puzzle_compile(puzzle, definition, strlen(definition), METRIC_POWERS, &error), "%s",
              error.text);
    alphabet_find(puzzle, alphabet);
}

// ---- Random styles ------------------------------------------------------------------------------

struct writer {
    char text[16 * TEXT_STATE_SIZE];
    size_t used;
};

static void put(struct writer *writer, const char *text)
{
    writer->used += (size_t)sprintf(writer->text + writer->used, "%s", text);
}

static void put_one_of(struct writer *writer, const char *const *texts, unsigned count)
{
    put(writer, texts[support_random_below(count)]);
}

// Draws a state by exchanges in the solved one, and draws the tops of cubes and orientations anew.
static void draw_state(const struct puzzle *puzzle, uint8_t *state)
{
    memcpy(state, puzzle->goals[0], puzzle->cell_count);
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        uint8_t *cells = state + segment->first;
        for (unsigned i = segment->length; i-- > 0;) {
            unsigned other = support_random_below(i + 1);
            uint8_t value = cells[i];
            cells[i] = cells[other];
            cells[other] = value;
            if (segment->kind == SEGMENT_ORIENTATION) {
                cells[i] = (uint8_t)support_random_below(segment->symbols);
            } else if (segment->kind == SEGMENT_TOPS && cells[i] > 0) {
                cells[i] = (uint8_t)(1 + support_random_below(segment->symbols - 1));
            }
        }
    }
    puzzle_forget_ignored(puzzle, state);
}

// Writes a cell in one of the ways in which it may be typed.
static void put_cell(struct writer *writer, const struct puzzle *puzzle, const uint8_t *state,
                     unsigned cell)
{
    static const char *const BLANKS[] = {"0", ".", "x", "X", "_"};
    const struct segment *segment = puzzle_find_segment(puzzle, cell);
    char text[16];
    segment_write_value(segment, state[cell], text, sizeof text);
    if (segment->blank && state[cell] == 0 && !segment->letters[0]) {
        put_one_of(writer, BLANKS, sizeof BLANKS / sizeof *BLANKS);
    } else {
        put(writer, text);
    }
}

// Writes a state: a separator of one kind between cells, and brackets, line ends and comments
// around rows. Cells of one character may be joined. Then the separator between rows has no space.
static void put_state(struct writer *writer, const struct puzzle *puzzle, const uint8_t *state)
{
    static const char *const BETWEEN[] = {" ", ",", ", ", ";", "/", "][", ") (", " {", "\t"};
    static const char *const ROWS[] = {"\n",   ",\n", "; ",       "],[",      "),\n(",
                                       "\r\n", "\r",  " # 1 2\n", "\n# (3\n", "/"};
    static const char *const AROUND[] = {"", " ", "[[", "((", "{", "])", "(\n", "\n# 4\n", "\n"};
    const char *between = BETWEEN[support_random_below(sizeof BETWEEN / sizeof *BETWEEN)];
    bool joins = puzzle->typed_by_character && support_happens(3);
    unsigned columns = puzzle->typed_columns ? puzzle->typed_columns : 4;
    put_one_of(writer, AROUND, sizeof AROUND / sizeof *AROUND);
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        if (i > 0 && i % columns == 0) {
            put_one_of(writer, ROWS, sizeof ROWS / sizeof *ROWS);
        } else if (i > 0) {
            put(writer, joins ? "" : between);
        }
        put_cell(writer, puzzle, state, i);
    }
    put_one_of(writer, AROUND, sizeof AROUND / sizeof *AROUND);
}

// Writes a first line with the size of the board, perhaps after a comment.
static void put_size(struct writer *writer, const struct puzzle *puzzle)
{
    unsigned size[3];
    char text[64];
    if (!puzzle_find_size(puzzle, size) || support_happens(3)) {
        return;
    }
    bool is_flat = size[2] == 1;
    if (size[0] == size[1] && (is_flat || size[1] == size[2]) && support_happens(2)) {
        sprintf(text, "%u", size[0]);
    } else if (is_flat) {
        sprintf(text, "%u%s%u", size[0], support_happens(2) ? " " : ", ", size[1]);
    } else {
        sprintf(text, "[%u %u %u]", size[0], size[1], size[2]);
    }
    put(writer, support_happens(2) ? "# a board\n\n" : "");
    put(writer, text);
    put(writer, support_happens(2) ? " # its size\n" : "\r\n");
}

Test(text, states_in_the_styles_of_other_programs_are_read_as_they_were)
{
    static const char *const DEFINITIONS[] = {
        "Slide 3 3\n",
        "Slide 2 4\n",
        "Slide 2 2 2\n",
        "Slide 4 4\nDatabase 1 2 3 4 5\nDatabase 6 7 8 9 10\nDatabase 11 12 13 14 15\n",
        "Roll 3 3\n",
        "Roll 2 3\nLetters CUBES E W R B\n",
        RING,
        RING "Board 3 4\n",
        RING "Track 2 5-7\n",
        "Set X 6 2\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 1\n1 0 0 1 0 0\nEnd\nTrack 1 orientation 3\n",
        "Set X 4 2\nLetters X - +\nBoard 2 2\nSolved\nEnd\nMove A\nX\n1 2 3 4\n1 1 0 0\nEnd\n",
    };
    for (size_t d = 0; d < sizeof DEFINITIONS / sizeof *DEFINITIONS; d++) {
        struct puzzle puzzle;
        struct alphabet alphabet;
        compile(&puzzle, &alphabet, DEFINITIONS[d]);
        for (unsigned round = 0; round < 2000; round++) {
            static struct writer writer;
            const struct text_reader reader = {&puzzle, &alphabet};
            uint8_t state[2][CELLS_MOST];
            uint8_t start[CELLS_MOST];
            uint8_t target[CELLS_MOST];
            struct text_case read = {.start = start, .target = target};
            struct fewest_error error;
            bool has_target = support_happens(2);
            writer.used = 0;
            put_size(&writer, &puzzle);
            for (unsigned i = 0; i < 1u + has_target; i++) {
                draw_state(&puzzle, state[i]);
                put_state(&writer, &puzzle, state[i]);
                put(&writer, "\n");
            }
            cr_assert(text_read_case(&reader, writer.text, writer.used, &read, &error),
                      "%s: %s:\n%s", DEFINITIONS[d], error.text, writer.text);
            cr_assert_eq(read.has_target, has_target);
            cr_assert_arr_eq(start, state[0], puzzle.cell_count, "%s", writer.text);
            cr_assert(!has_target || memcmp(target, state[1], puzzle.cell_count) == 0, "%s",
                      writer.text);
            struct typed_state typed = {writer.text, writer.used, "STATE", false};
            cr_assert_neq(text_read_state(&reader, &typed, start, &error), has_target);
        }
        puzzle_free(&puzzle);
    }
}

// ---- What each sign means -----------------------------------------------------------------------

struct line {
    const char *text;
    const char *expected; // the state as it is written, or the error
};

static void check_lines(const char *definition, const struct line *lines)
{
    struct puzzle puzzle;
    struct alphabet alphabet;
    compile(&puzzle, &alphabet, definition);
    for (; lines->text; lines++) {
        const struct text_reader reader = {&puzzle, &alphabet};
        struct typed_state typed = {lines->text, strlen(lines->text), "STATE", true};
        uint8_t state[CELLS_MOST];
        char text[TEXT_STATE_SIZE];
        struct fewest_error error;
        if (text_read_state(&reader, &typed, state, &error)) {
            text_write_state(&puzzle, state, text);
            cr_expect_str_eq(text, lines->expected, "%s", lines->text);
        } else {
            cr_expect_str_eq(error.text, lines->expected, "%s", lines->text);
        }
    }
    puzzle_free(&puzzle);
}

Test(text, brackets_need_no_partner_and_a_comment_begins_a_word)
{
    check_lines(
        "Name p\nSlide 2 2\n",
        (const struct line[]){{"][1;2)(3.", "12/30"},
                              {"#\n12/3. # 4", "12/30"},
                              {"12/3.# 4", "STATE has 6 cells; p needs 4"},
                              {"12#3\n3.", "STATE: cell 3: expected a number from 0 to 3 or "
                                           "'*', got '#'"},
                              {"12 #3\n3.", "12/30"},
                              {"[[]]", "STATE has 0 cells; p needs 4"},
                              {NULL, NULL}});
}

Test(text, a_first_line_is_the_size_only_if_the_cells_are_too_many_with_it)
{
    check_lines("Name p\nSlide 2 2\n",
                (const struct line[]){{"2\n1 2\n3 0", "12/30"},
                                      {"2 2\n1 2\n3 0", "12/30"},
                                      {"\n# 1\n2\n12\n30", "12/30"},
                                      {"2\n1 0\n3", "21/03"},
                                      {"2 0\n1 3", "20/13"},
                                      {"3\n1 2\n3 0", "STATE has 5 cells; p "
                                                      "needs 4"},
                                      {"2 1 2 3 0", "STATE has 5 cells; p "
                                                    "needs 4"},
                                      {"2 2 2\n1 2\n3 0", "STATE has 7 cells; "
                                                          "p needs 4"},
                                      {"2x\n1 2\n3 0", "STATE has 6 cells; p "
                                                       "needs 4"},
                                      {NULL, NULL}});
    check_lines("Name p\nSlide 1 2\n", // one state: START and TARGET are no state
                (const struct line[]){{"1 2\n1 0", "10"}, {NULL, NULL}});
    check_lines("Name p\nSlide 2 3\n",
                (const struct line[]){{"2 3\n1 2 3 4 5 0", "123/450"},
                                      {"3 2\n1 2 3 4 5 0", "STATE has 8 cells; p needs 6"},
                                      {"2\n1 2 3 4 5 0", "STATE has 7 cells; p needs 6"},
                                      {NULL, NULL}});
    check_lines("Name p\nSlide 2 2 2\n",
                (const struct line[]){{"2\n1 2 3 4 5 6 7 0", "12/34/56/70"},
                                      {"2 2 2\n12345670", "12/34/56/70"},
                                      {"2 2\n12345670", "STATE has 10 cells; p needs 8"},
                                      {NULL, NULL}});
    // Neither is typed in rows: the first has no board, the second draws its cells in another
    // order.
    check_lines(
        "Name p\nSet X 4 1\nSolved\nEnd\nMove A\nX\n2 3 4 1\nEnd\n",
        (const struct line[]){{"2\n1 2\n3 4", "STATE has 5 cells; p needs 4"}, {NULL, NULL}});
    check_lines(
        "Name p\nSet X 4 1\nBoard 2 2 1 2 4 3\nSolved\nEnd\nMove A\nX\n2 3 4 1\nEnd\n",
        (const struct line[]){{"2\n1 2\n3 4", "STATE has 5 cells; p needs 4"}, {NULL, NULL}});
}

Test(text, a_letter_of_the_puzzle_is_a_cell_and_no_sign)
{
    check_lines("Name p\nSet X 3 4\nLetters X [ # . (\nSolved\nEnd\nMove A\nX\n1 2 3\n1 2 3\nEnd\n",
                (const struct line[]){{"[#.", "[#."},
                                      {"[.]#)", "[.#"},
                                      {"( # .", "(#."},
                                      {"#{#}#", "###"},
                                      {"[0]", "STATE: cell 2: expected one of '[#.(*', got '0'"},
                                      {NULL, NULL}});
    check_lines("Name p\nRoll 2 2\nLetters CUBES E . R B\n",
                (const struct line[]){{"..._", "../.E"}, {"E...", "E./.."}, {NULL, NULL}});
}

Test(text, a_dot_is_a_piece_that_Track_does_not_name)
{
    static const struct line LINES[] = {
        {"1 2 3 4 5 6 7 8 9 10 11 12", "1 2 . . . . . . . . . 12"},
        {"2 . 1 . . . . 12 . . . .", "2 . 1 . . . . 12 . . . ."},
        {"2 5 1 . 3 . * 12 . . . .", "2 . 1 . . . * 12 . . . ."},
        {"1 . . . . . . . . . . 12", "STATE: more than 9 pieces that `Track` does not name"},
        {"1 .. . 4", "STATE: cell 2: expected a number from 1 to 12, '.' or '*', got '..'"},
        {NULL, NULL}};
    check_lines(RING "Track 1 2 12\n", LINES);
    // The only piece that it does not name is written so, too. None is, if it names all.
    check_lines(
        "Name p\nSet X 3 1\nSolved\nEnd\nMove A\nX\n2 3 1\nEnd\nTrack 1 2\n",
        (const struct line[]){{"312", ".12"},
                              {"..1", "STATE: more than 1 piece that `Track` does not name"},
                              {NULL, NULL}});
    check_lines("Name p\nSet X 3 1\nSolved\nX\n1 1 2\nEnd\nMove A\nX\n2 3 1\nEnd\nTrack X\n",
                (const struct line[]){
                    {"112", "112"},
                    {"11.", "STATE: cell 3: expected a number from 1 to 2 or '*', got '.'"},
                    {NULL, NULL}});
    // Pieces of which only the orientation is kept are written as the lowest of them.
    check_lines(
        "Name p\nSet X 4 2\nSolved\nEnd\nMove A\nX\n2 3 4 1\n1 0 0 0\nEnd\n"
        "Track orientation 2 3\n",
        (const struct line[]){{"4321 1111", ".22.0110"}, {"22.. 0100", "22..0100"}, {NULL, NULL}});
    // A letter `.`, even of another set, leaves the numbers.
    check_lines(
        "Name p\nSet X 4 1\nSet Y 2 2\nLetters Y . +\nSolved\nEnd\nMove A\nX\n2 3 4 1\nY\n1 2\n"
        "1 0\nEnd\nTrack X 1 Y\n",
        (const struct line[]){
            {"1 3 2 4 . +", "1222.+"},
            {"1 . 2 4 . +", "STATE: cell 2: expected a number from 1 to 4 or '*', got '.'"},
            {NULL, NULL}});
}
