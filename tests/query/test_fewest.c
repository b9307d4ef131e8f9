// Tests of the public interface and the generator: errors, bounds, bytes and the pinned tables.
#include "query/fewest.h"
#include "tables/families/compile.h"
#include "tables/file/format.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Test(table, the_layout_of_the_public_structs_is_the_one_that_is_promised)
{
    cr_assert_eq(sizeof(struct fewest_error), 4 + 512 + 2 * 12 + 4);
    cr_assert_eq(offsetof(struct fewest_error, text), 4);
    cr_assert_eq(offsetof(struct fewest_error, lines), 4 + 512);
    cr_assert_eq(offsetof(struct fewest_error, at_least), 4 + 512 + 2 * 12);
    cr_assert_eq(sizeof(struct fewest_path), 4 + 256 * 4);
    cr_assert_eq(offsetof(struct fewest_path, moves), 4);
    cr_assert_eq(sizeof(struct fewest_parity), 1 + 512);
    cr_assert_eq(offsetof(struct fewest_parity, reason), 1);
    cr_assert_eq(offsetof(struct fewest_stats, count), 8);
    cr_assert_eq(offsetof(struct fewest_stats, mean), 8 + 256 * 8);
    cr_assert_eq(offsetof(struct fewest_stats, largest), 2064);
    cr_assert_eq(offsetof(struct fewest_classes, counts_inverses), 4);
    cr_assert_eq(offsetof(struct fewest_classes, symmetric), 8);
    cr_assert_eq(offsetof(struct fewest_classes, or_inverse), 8 + 256 * 8);
    cr_assert_eq(offsetof(struct fewest_positions, count), 8);
    cr_assert_eq(offsetof(struct fewest_positions, classes), 8 + 256 * 8);
    cr_assert_eq(offsetof(struct fewest_positions, mean), 8 + 512 * 8);
    cr_assert_eq(offsetof(struct fewest_positions, largest), 4112);
    cr_assert_eq(offsetof(struct fewest_positions, rotations), 4116);
    cr_assert_eq(offsetof(struct fewest_positions, symmetries), 4120);
    cr_assert_eq(offsetof(struct fewest_positions, farthest), 4124);
    cr_assert_eq(offsetof(struct fewest_selection, distance), 2 * sizeof(void *));
    cr_assert_eq(offsetof(struct fewest_progress, done), sizeof(void *));
    cr_assert_eq(offsetof(struct fewest_progress, bound), sizeof(void *) + 16);
    cr_assert_eq(offsetof(struct fewest_options, watch), 8);
    cr_assert_eq(offsetof(struct fewest_options, threads), 8 + 2 * sizeof(void *));
    cr_assert_eq(offsetof(struct fewest_options, seconds), 16 + 2 * sizeof(void *));
    cr_assert_eq(offsetof(struct fewest_grid_query, target_length), 4 * sizeof(void *));
    cr_assert_eq(offsetof(struct fewest_cell, is_orientation), 2 * sizeof(void *) + 4);
    cr_assert_eq(offsetof(struct fewest_info, file_bytes), 8 * sizeof(void *));
    cr_assert_eq(offsetof(struct fewest_info, cell_count), 8 * sizeof(void *) + 24);
}

static void add_line(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add_line(char *out, size_t size, const char *format, ...)
{
    va_list arguments;
    size_t used = strlen(out);
    va_start(arguments, format);
    vsnprintf(out + used, size - used, format, arguments);
    va_end(arguments);
}

// Are the counts of the header those of the entries?
static bool are_counted(const struct section *section, const uint8_t *entries)
{
    uint64_t counts[UINT8_MAX + 1] = {0};
    for (uint64_t i = 0; i < section->entries; i++) {
        counts[entries[i]]++;
    }
    return memcmp(counts, section->histogram, (section->largest + 1) * sizeof *counts) == 0;
}

// Describes a table as pinned.txt does: for each section, the number of entries, the largest
// distance and a digest of the distances, one byte each.
static void describe(const char *name, char *out, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "tables/puzzles/%s.puzzle", name);
    char *text = support_read(path, NULL);
    struct table_content content =
        support_take(support_generate(text, strlen(text), METRIC_POWERS));
    for (unsigned s = 0; s < content.section_count; s++) {
        const struct section *section = &content.sections[s];
        const uint8_t *entries = support_entries(&content, s);
        cr_expect(are_counted(section, entries), "%s %s", name, section->name);
        add_line(out, size, "%s %s entries %" PRIu64 " largest %u digest %016" PRIx64 "\n", name,
                 section->name, section->entries, section->largest,
                 format_hash(entries, section->entries));
    }
    support_free_content(&content);
    free(text);
}

Test(table, every_shipped_table_is_the_pinned_one)
{
    static char found[1 << 13];
    char *expected = support_read("tests/data/pinned.txt", NULL);
    static const char *const NAMES[] = {"cubic",  "dice", "eight", "fifteen", "flip",
                                        "fridge", "game", "magic", "seven",   "slide222"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        describe(NAMES[i], found, sizeof found);
    }
    cr_assert_str_eq(found, expected);
    free(expected);
}

Test(table, too_many_matching_states_are_refused_and_not_counted_for_hours)
{
    static const char TEXT[] =
        "Name lamps\nSet X 25 2\nSolved\nEnd\n"
        "Move A\nX\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25\n"
        "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\nEnd\n";
    struct fewest *table = support_open_text(TEXT);
    struct fewest_error error;
    int steps;
    const char *text = "0000000000000000000000000 1************************";
    struct query query = support_query(table, text);
    cr_assert_not(fewest_steps(table, query.start, query.target, &steps, &error));
    cr_assert_eq(error.status, FEWEST_BEYOND);
    cr_assert_eq(support_steps(table, "0000000000000000000000000 111111111****************"), 1);
    support_close(table);
}

Test(table, a_wildcard_target_that_a_forged_table_calls_reached_already_is_an_error)
{
    static const char TEXT[] = "Name board\nSlide 3 3\n";
    struct table_content content =
        support_take(support_generate(TEXT, sizeof TEXT - 1, METRIC_POWERS));
    for (unsigned s = 0; s < content.section_count; s++) {
        memset(support_entries(&content, s), 0, content.sections[s].entries);
    }
    struct fewest *table = support_own(support_pack(&content));
    struct fewest_error error;
    struct fewest_path path;
    const char *text = "123456780 87*6*****"; // it has no entry of its own
    struct query query = support_query(table, text);
    cr_expect_not(fewest_steps(table, query.start, query.target, &path.steps, &error));
    cr_expect_eq(error.status, FEWEST_DAMAGED);
    cr_expect_not(fewest_path(table, query.start, query.target, &path, &error));
    cr_expect_eq(error.status, FEWEST_DAMAGED);
    support_close(table);
    support_free_content(&content);
}

// Adds a row of `count` numbers: first, first + step, …
static void add_row(char *out, size_t size, unsigned count, unsigned first, unsigned step)
{
    for (unsigned i = 0; i < count; i++) {
        add_line(out, size, "%u ", first + i * step);
    }
    add_line(out, size, "\n");
}

Test(table, a_wild_orientation_behind_many_cells_is_filled_within_bounds)
{
    // The wildcard is an orientation of 127 values, behind 188 cells. Its values must not be
    // counted as if they were pieces.
    static char text[4096];
    static char query[2048];
    add_line(text, sizeof text, "Set A 60 2\nSet B 60 1\nSet C 4 2\nSet D 1 127\nSolved\nA\n");
    add_row(text, sizeof text, 60, 1, 0);
    for (unsigned i = 0; i < 60; i++) {
        add_line(text, sizeof text, "? ");
    }
    add_line(text, sizeof text, "\nB\n");
    add_row(text, sizeof text, 60, 1, 0);
    add_line(text, sizeof text, "End\nMove R\nA\n2 1 ");
    add_row(text, sizeof text, 58, 3, 1);
    add_row(text, sizeof text, 60, 1, 0);
    add_line(text, sizeof text, "B\n2 1 ");
    add_row(text, sizeof text, 58, 3, 1);
    add_line(text, sizeof text, "C\n2 3 4 1\n1 0 0 0\nD\n1\n1\nEnd\n");
    struct fewest *table = support_open_text(text);
    cr_assert_eq(fewest_info(table)->cell_count, 189);
    add_row(query, sizeof query, 60, 1, 0);
    add_row(query, sizeof query, 60, 0, 0);
    add_row(query, sizeof query, 60, 1, 0);
    add_line(query, sizeof query, "1 2 3 4 0 0 0 0 0  ");
    add_row(query, sizeof query, 60, 1, 0);
    add_row(query, sizeof query, 60, 0, 0);
    add_row(query, sizeof query, 60, 1, 0);
    add_line(query, sizeof query, "2 3 4 1 0 0 0 1 *"); // after R
    cr_assert_eq(support_steps(table, query), 1);
    support_close(table);
}

// Adds a set's row of 100 pieces in order, after three pieces that the caller has added.
static void add_rest(char *out, size_t size)
{
    add_row(out, size, 97, 4, 1);
}

Test(table, three_hundred_pieces_of_which_few_move_have_a_table)
{
    static char text[8192];
    static char turned[FEWEST_TEXT_SIZE];
    struct query query;
    struct fewest_error error;
    add_line(text, sizeof text,
             "Name many\nSet A 100 1\nSet B 100 2\nSet C 100 1\nSolved\nEnd\nMove R\nA\n2 3 1 ");
    add_rest(text, sizeof text);
    add_line(text, sizeof text, "B\n2 1 3 ");
    add_rest(text, sizeof text);
    add_line(text, sizeof text, "1 ");
    add_row(text, sizeof text, 99, 0, 0);
    add_line(text, sizeof text, "End\nMove S\nC\n2 1 3 ");
    add_rest(text, sizeof text);
    add_line(text, sizeof text, "End\n");
    struct fewest *table = support_open_text(text);
    cr_assert_eq(fewest_info(table)->cell_count, 400);
    struct fewest_stats stats = support_count(table);
    cr_assert_eq(stats.states, 24); // the order of R is 12, and that of S is 2
    cr_assert(fewest_read_moves(table, NULL, "R5 S R", 6, query.start, &error), "%s", error.text);
    fewest_write_state(table, query.start, turned, &error);
    cr_assert_eq(support_steps(table, turned), 2);
    query.target[0] = FEWEST_GOALS;
    struct fewest_path path = support_path(table, &query);
    cr_assert_eq(path.steps, 2);
    cr_assert_str_eq(fewest_move_name(table, path.moves[0]), "R6");
    cr_assert_str_eq(fewest_move_name(table, path.moves[1]), "S");
    cr_assert(support_is_sound(table));
    support_close(table);
}

Test(table, a_quarter_turn_of_a_move_of_great_order_has_its_true_inverse)
{
    // R turns five rings together and has order 27720. The counts are those of an independent
    // search.
    static const uint64_t EXPECTED[] = {1,    12,   72,   270,  737,  1594, 2872,
                                        4432, 5756, 6158, 4398, 1358, 60};
    static const unsigned RINGS[] = {5, 7, 8, 9, 11};
    static char text[4096];
    for (unsigned r = 0; r < 5; r++) {
        add_line(text, sizeof text, "Set A%u 1 %u\n", r, RINGS[r]);
    }
    add_line(text, sizeof text,
             "Solved\nEnd\nMove R\nA0\n1\n1\nA1\n1\n1\nA2\n1\n1\nA3\n1\n1\nA4\n1\n1\nEnd\n");
    for (unsigned r = 0; r < 5; r++) {
        add_line(text, sizeof text, "Move Q%u\nA%u\n1\n1\nEnd\n", r, r);
    }
    struct fewest *table = support_own(support_generate(text, strlen(text), METRIC_QUARTER));
    struct fewest_stats stats = support_count(table);
    cr_assert_eq(stats.states, 27720);
    cr_assert_eq(stats.largest, 12);
    cr_assert_arr_eq(stats.count, EXPECTED, sizeof EXPECTED);
    support_close(table);
}

Test(table, a_hidden_piece_may_be_one_whose_orientation_does_not_count)
{
    static const char TEXT[] =
        "Name ig\nSet A 3 3\nSolved\nA\n1 2 3\n0 ? 0\nEnd\nMove R\nA\n2 3 1\n1 0 1\nEnd\n"
        "Move T\nA\n2 1 3\n0 1 0\nEnd\n";
    struct fewest *table = support_open_text(TEXT);
    cr_assert_eq(support_steps(table, "123000 123020"), 0);
    cr_assert_eq(support_steps(table, "123000 1*3020"), 0);
    cr_assert_eq(support_steps(table, "213002 1230*0"), 2);
    support_close(table);
}
