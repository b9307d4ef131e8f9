// The functions that open, describe, set and close a table: each does what fewest.h says, also when
// it is called wrongly.
#include "opened.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_file(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file, "%s", path);
    cr_assert_eq(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

// A folder of its own for a test.
static char folder[] = "/tmp/fewest-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void remove_folder(void)
{
    static const char *const NAMES[] = {"game.dtab", "swap.dtab", "x.txt", "sub.dtab"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        remove(in_folder(NAMES[i]));
    }
    rmdir(folder);
}

GAME_SUITE(fewest_info);
GAME_SUITE(fewest_move_name);
GAME_SUITE(fewest_move_rule);
GAME_SUITE(fewest_set_options);

// ---- Opening ------------------------------------------------------------------------------------

Test(fewest_version, is_that_of_the_header)
{
    cr_assert_str_eq(fewest_version(), FEWEST_VERSION);
}

Test(fewest_open, opens_a_table_and_refuses_what_is_none)
{
    struct generated game = support_generate_game();
    cr_assert(mkdtemp(folder));
    write_file(in_folder("game.dtab"), game.bytes, game.length);
    table = fewest_open(in_folder("game.dtab"), &error);
    cr_assert(table, "%s", error.text);
    cr_expect_eq(support_steps(table, "312456789"), 1);
    fewest_close(table);

    expect_status(fewest_open(in_folder("absent.dtab"), &error) != NULL, FEWEST_MISSING);
    cr_expect(strstr(error.text, "absent.dtab"), "%s", error.text);
    expect_status(fewest_open("", &error) != NULL, FEWEST_MISSING);
    cr_expect_null(fewest_open(folder, &error)); // a folder is no table
    cr_expect_neq(error.status, FEWEST_OK);
    write_file(in_folder("x.txt"), "", 0);
    expect_status(fewest_open(in_folder("x.txt"), &error) != NULL, FEWEST_DAMAGED);
    write_file(in_folder("x.txt"), game.bytes, game.length - 1);
    expect_status(fewest_open(in_folder("x.txt"), &error) != NULL, FEWEST_DAMAGED);
    cr_assert_eq(chmod(in_folder("game.dtab"), 0), 0);
    if (geteuid() != 0) { // root may read all
        expect_status(fewest_open(in_folder("game.dtab"), &error) != NULL, FEWEST_MISSING);
    }
    remove_folder();
    free(game.bytes);
}

Test(fewest_open_named, searches_the_folder_and_refuses_a_path)
{
    struct generated game = support_generate_game();
    cr_assert(mkdtemp(folder));
    write_file(in_folder("game.dtab"), game.bytes, game.length);
    write_file(in_folder("swap.dtab"), game.bytes, game.length);
    table = fewest_open_named("game", folder, &error);
    cr_assert(table, "%s", error.text);
    cr_expect_str_eq(fewest_info(table)->name, "game");
    fewest_close(table);
    cr_assert_eq(setenv("FEWEST_TABLES", folder, 1), 0);
    for (unsigned empty = 0; empty < 2; empty++) {
        table = fewest_open_named("game", empty ? "" : NULL, &error);
        cr_assert(table, "%s", error.text);
        fewest_close(table);
    }
    expect_status(fewest_open_named("swap", folder, &error) != NULL, FEWEST_FOREIGN);
    expect_status(fewest_open_named("absent", folder, &error) != NULL, FEWEST_MISSING);
    static const char *const NAMES[] = {"", "/", "a/b", "../game", "game/"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        expect_status(fewest_open_named(NAMES[i], folder, &error) != NULL, FEWEST_BAD_INPUT);
    }
    char longest[8192];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    expect_status(fewest_open_named(longest, folder, &error) != NULL, FEWEST_MISSING);
    expect_status(fewest_open_named("absent", longest, &error) != NULL, FEWEST_MISSING);
    remove_folder();
    free(game.bytes);
}

Test(fewest_open_buffer, refuses_garbage_of_any_length)
{
    struct generated game = support_generate_game();
    table = fewest_open_buffer(game.bytes, game.length, &error);
    cr_assert(table, "%s", error.text);
    fewest_close(table);
    expect_status(fewest_open_buffer("", 0, &error) != NULL, FEWEST_DAMAGED);
    for (unsigned round = 0; round < 2000; round++) {
        // Behind the bytes of the table, or of nothing, comes garbage. A sanitizer sees its end.
        size_t length = support_random_below(400);
        size_t kept = support_random_below(2) ? support_random_below((unsigned)length + 1) : 0;
        uint8_t *bytes = malloc(length + 1);
        for (size_t i = 0; i < length; i++) {
            bytes[i] = i < kept ? game.bytes[i] : (uint8_t)support_random();
        }
        expect_status(fewest_open_buffer(bytes, length, &error) != NULL, FEWEST_DAMAGED);
        free(bytes);
    }
    free(game.bytes);
}

Test(fewest_close, takes_null_and_a_table_that_was_never_used)
{
    fewest_close(NULL);
    support_close(support_open_file(GAME));
}

static void note_table(void *context, const char *path)
{
    strcat(strcat(context, strrchr(path, '/') + 1), " ");
}

Test(fewest_each_table, visits_the_tables_of_a_folder_in_their_order)
{
    char found[4096] = "";
    cr_assert(mkdtemp(folder));
    write_file(in_folder("swap.dtab"), "", 0);
    write_file(in_folder("game.dtab"), "", 0);
    write_file(in_folder("x.txt"), "", 0);
    cr_assert_eq(setenv("FEWEST_TABLES", "/nowhere", 1), 0);
    fewest_each_table(folder, note_table, found);
    cr_expect_eq(strncmp(found, "game.dtab swap.dtab ", 20), 0, "%s", found);
    cr_expect_null(strstr(found, "x.txt"));
    cr_expect_null(strstr(found + 20, "game.dtab"), "an earlier folder has it: %s", found);
    found[0] = '\0';
    fewest_each_table("/nowhere", note_table, found); // nor do NULL and "" fail
    fewest_each_table("", note_table, found);
    fewest_each_table(NULL, note_table, found);
    cr_expect_null(strstr(found, "swap.dtab"));
    remove_folder();
}

// ---- What there is to know ----------------------------------------------------------------------

Test(fewest_info, describes_the_game)
{
    struct generated game = support_generate_game();
    reopen(support_own(game));
    const struct fewest_info *info = fewest_info(table);
    size_t length;
    char *text = support_read(GAME, &length);
    cr_expect_eq(info, fewest_info(table));
    cr_expect_str_eq(info->name, "game");
    cr_expect_str_eq(info->definition, text);
    cr_expect_str_eq(info->states_text, "181440");
    cr_expect_eq(info->state_count, 181440);
    cr_expect_eq(info->arrangement_count, 362880);
    cr_expect_eq(info->file_bytes, game.length);
    cr_expect_eq(info->cell_count, 9);
    cr_expect_eq(info->move_count, 12);
    cr_expect_eq(info->goal_count, 1);
    cr_expect_eq(info->database_count, 0);
    cr_expect_null(info->default_start);
    cr_expect_not(info->has_blank || info->is_searched || info->is_uncounted || info->joins_moves);
    cr_expect_eq(info->board_size[0], 3);
    cr_expect_eq(info->board_size[1], 3);
    cr_expect_eq(info->board_size[2], 1);
    for (unsigned c = 0; c < 9; c++) {
        cr_expect_eq(info->board[c], (int)c);
        cr_expect_str_eq(info->cells[c].set, "TILES");
        cr_expect_str_eq(info->cells[c].letters, "");
        cr_expect_eq(info->cells[c].values, 9);
        cr_expect_not(info->cells[c].is_orientation);
    }
    free(text);
}

Test(fewest_info, describes_boards_of_layers_blanks_and_starts)
{
    reopen(support_open_file("tables/puzzles/slide222.puzzle"));
    const struct fewest_info *info = fewest_info(table);
    cr_expect(info->has_blank && info->joins_moves);
    cr_expect_null(info->default_start);
    for (unsigned i = 0; i < 3; i++) {
        cr_expect_eq(info->board_size[i], 2);
    }
    reopen(support_open_file("tables/puzzles/cubic.puzzle"));
    info = fewest_info(table);
    cr_expect(info->has_blank);
    cr_expect_str_eq(info->cells[0].letters, "EWRB");
    cr_expect_eq(info->cells[0].values, 4);
    cr_assert_not_null(info->default_start);
    static const uint8_t WHITE[] = {1, 1, 1, 1, 0, 1, 1, 1, 1};
    cr_expect_arr_eq(info->default_start, WHITE, sizeof WHITE);
}

Test(fewest_info, names_the_cell_at_each_place_of_a_board)
{
    static const int RING[] = {0, 1, 2, 3, 7, 6, 5, 4};
    static const int HOLES[] = {-1, 1, -1, 2, -1, 0};
    reopen(support_open_text("Name ring\nSet A 8 1\nBoard 2 4 1 2 3 4 8 7 6 5\n"
                             "Solved\nEnd\nMove R\nA\n2 3 4 5 6 7 8 1\nEnd\n"));
    cr_assert_not_null(fewest_info(table)->board);
    cr_expect_arr_eq(fewest_info(table)->board, RING, sizeof RING);
    reopen(support_open_text("Name holes\nSet A 3 1\nBoard 2 3 . 2 . 3 . 1\nSolved\nEnd\n"
                             "Move R\nA\n2 3 1\nEnd\n"));
    cr_assert_not_null(fewest_info(table)->board);
    cr_expect_arr_eq(fewest_info(table)->board, HOLES, sizeof HOLES);
    cr_expect_eq(fewest_info(table)->board_size[0], 2);
    cr_expect_eq(fewest_info(table)->board_size[1], 3);
    cr_expect_eq(fewest_info(table)->board_size[2], 1);
}

Test(fewest_info, tells_orientations_and_puzzles_without_a_board)
{
    static const char TEXT[] = "Name two\nSet A 2 3\nSet B 2 1\nLetters B x y\nSolved\nEnd\n"
                               "Move R\nA\n2 1\n1 2\nB\n2 1\nEnd\nMove s\nB\n2 1\nEnd\n";
    reopen(support_open_text(TEXT));
    const struct fewest_info *info = fewest_info(table);
    cr_expect_null(info->board);
    cr_expect_eq(info->board_size[0] | info->board_size[1] | info->board_size[2], 0);
    cr_expect(info->joins_moves);
    cr_assert_eq(info->cell_count, 6);
    unsigned orientations = 0;
    for (unsigned c = 0; c < 6; c++) {
        bool is_b = strcmp(info->cells[c].set, "B") == 0;
        orientations += info->cells[c].is_orientation;
        cr_expect_eq(info->cells[c].values, info->cells[c].is_orientation ? 3 : 2);
        cr_expect_str_eq(info->cells[c].letters, is_b ? "xy" : "");
    }
    cr_expect_eq(orientations, 2);
}

// With `Track`, a value is a colour, and several pieces are typed for it.
Test(fewest_info, has_a_letter_for_each_value_or_piece)
{
    static const char *const TEXTS[] = {
        "Name t\nSet X 4 1\nLetters X a b c d\nSolved\nEnd\nTrack 1 2\nMove R\nX\n2 3 4 1\nEnd\n",
        "Name a\nSet X 4 1\nLetters X a b\nSolved\nX\n1 1 2 2\nEnd\nMove R\nX\n2 3 4 1\nEnd\n",
        "Name l\nSet X 4 2\nLetters X - +\nSolved\nEnd\nMove A\nX\n1 2 3 4\n1 1 0 0\nEnd\n",
        "Name s\nSlide 2 2\n",
    };
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        reopen(support_open_text(TEXTS[i]));
        const struct fewest_info *info = fewest_info(table);
        for (unsigned c = 0; c < info->cell_count; c++) {
            size_t letters = strlen(info->cells[c].letters);
            size_t tracked = info->name[0] == 't' ? 4 : info->cells[c].values;
            cr_expect(letters == 0 || letters == tracked, "%s: %zu letters, %u values", info->name,
                      letters, info->cells[c].values);
        }
    }
}

Test(fewest_info, describes_a_table_of_pattern_databases)
{
    reopen(support_open_text("Name slide\nSlide 3 3\nDatabase 1 2 3 4\n"
                             "Database 5 6 7 8\n"));
    const struct fewest_info *info = fewest_info(table);
    cr_expect(info->is_searched);
    cr_expect_not(info->is_uncounted);
    cr_expect_eq(info->database_count, 2);
    cr_expect_null(info->sharing[0]);
    cr_expect_eq(info->state_count, 181440);
}

Test(fewest_info, has_the_goals_as_rows_and_the_solved_state_first)
{
    static const char *const FILES[] = {GAME, "tables/puzzles/flip.puzzle",
                                        "tables/puzzles/cubic.puzzle", "tests/data/identical.tws"};
    for (size_t f = 0; f < sizeof FILES / sizeof *FILES; f++) {
        reopen(support_open_file(FILES[f]));
        const struct fewest_info *info = fewest_info(table);
        uint8_t solved[FEWEST_CELLS_MOST];
        cr_assert(fewest_read_moves(table, NULL, "", 0, solved, &error));
        cr_expect_arr_eq(info->goals, solved, info->cell_count);
        for (unsigned g = 0; g < info->goal_count && !info->default_start; g++) {
            int steps;
            cr_expect(fewest_steps(table, info->goals + (size_t)g * info->cell_count, NULL, &steps,
                                   &error),
                      "%s", error.text);
            cr_expect_eq(steps, 0, "goal %u of %s", g, info->name);
        }
        cr_expect_eq(info->goal_count, f == 1 ? 2 : 1);
    }
}

Test(fewest_move_name, is_sorted_and_null_beyond_the_last_move)
{
    unsigned count = fewest_info(table)->move_count;
    for (unsigned m = 1; m < count; m++) {
        cr_expect_lt(strcmp(fewest_move_name(table, m - 1), fewest_move_name(table, m)), 0);
    }
    cr_expect_null(fewest_move_name(table, count));
    cr_expect_null(fewest_move_name(table, UINT32_MAX));
}

static uint64_t draw_below(void *context, uint64_t bound)
{
    (void)context;
    return support_random_below((unsigned)bound);
}

Test(fewest_move_rule, does_what_fewest_apply_does)
{
    const struct fewest_info *info = fewest_info(table);
    uint8_t state[FEWEST_CELLS_MOST];
    uint8_t applied[FEWEST_CELLS_MOST];
    struct fewest_rule rule;
    for (unsigned m = 0; m < info->move_count; m++) {
        fewest_draw(table, draw_below, NULL, state);
        cr_assert(fewest_move_rule(table, m, &rule, &error), "%s", error.text);
        cr_assert(fewest_apply(table, m, state, applied, &error), "%s", error.text);
        for (unsigned i = 0; i < info->cell_count; i++) {
            unsigned value = state[rule.from[i]] + rule.add[i];
            cr_expect_eq(applied[i], value % info->cells[i].values);
        }
    }
    expect_status(fewest_move_rule(table, info->move_count, &rule, &error), FEWEST_BAD_INPUT);
}

// ---- Options ------------------------------------------------------------------------------------

static bool stop(void *context, const struct fewest_progress *progress)
{
    ++*(unsigned *)context;
    cr_expect(!progress->what || progress->all >= 1);
    return false;
}

Test(fewest_set_options, replaces_all_options_and_null_is_the_defaults)
{
    uint8_t start[FEWEST_CELLS_MOST];
    unsigned calls = 0;
    int steps;
    cr_assert(fewest_read_moves(table, NULL, "R1 C1", 5, start, &error));
    support_set(table, (struct fewest_options){.limit = 1});
    expect_status(fewest_steps(table, start, NULL, &steps, &error), FEWEST_LIMITED);
    support_set(table, (struct fewest_options){.watch = stop, .watch_context = &calls});
    cr_expect(fewest_steps(table, start, NULL, &steps, &error), "%s", error.text);
    cr_expect_eq(steps, 2);
    expect_status(fewest_check(table, true, NULL, NULL, &error), FEWEST_STOPPED);
    cr_expect_gt(calls, 0);
    cr_assert(fewest_set_options(table, NULL, &error), "%s", error.text);
    cr_expect(fewest_check(table, true, NULL, NULL, &error), "%s", error.text);
}

struct bounds {
    int last;
    int most; // the search is stopped there
    bool in_order;
};

static bool note_bound(void *context, const struct fewest_progress *progress)
{
    struct bounds *bounds = context;
    bounds->in_order &= !progress->what && progress->bound >= bounds->last;
    bounds->last = progress->bound;
    return progress->bound < bounds->most;
}

Test(fewest_set_options, lets_a_watcher_stop_a_query_at_its_bound)
{
    reopen(support_open_text("Name slide\nSlide 3 3\nDatabase 1 2 3 4\n"
                             "Database 5 6 7 8\n"));
    uint8_t start[FEWEST_CELLS_MOST];
    struct bounds bounds = {0, 30, true};
    int steps;
    cr_assert(fewest_read_state(table, "START", "867254301", 9, start, &error));
    support_set(table, (struct fewest_options){.watch = note_bound, .watch_context = &bounds});
    expect_status(fewest_steps(table, start, NULL, &steps, &error), FEWEST_STOPPED);
    cr_expect_geq(bounds.last, 30);
    bounds = (struct bounds){0, 99, true};
    cr_expect(fewest_steps(table, start, NULL, &steps, &error), "%s", error.text);
    cr_expect_eq(steps, 31);
    cr_expect_eq(bounds.last, 31);
    cr_expect(bounds.in_order);
}

// No number is out of range: zeros are the defaults, and more threads than 64 are 64.
Test(fewest_set_options, takes_any_numbers)
{
    static const struct fewest_options OPTIONS[] = {
        {.cache = 0},      {.cache = 1},          {.threads = 64},         {.threads = 65},
        {.threads = 5000}, {.limit = UINT32_MAX}, {.threads = UINT32_MAX}, {.limit = 255},
    };
    struct fewest *game = support_open_file(GAME);
    struct fewest *board = support_open_text("Name slide\nSlide 3 3\nDatabase 1 2 3 4\n"
                                             "Database 5 6 7 8\n");
    for (size_t i = 0; i < sizeof OPTIONS / sizeof *OPTIONS; i++) {
        support_set(game, OPTIONS[i]);
        support_set(board, OPTIONS[i]);
        cr_expect_eq(support_steps(game, "213456789"), FEWEST_UNREACHABLE);
        cr_expect_eq(support_steps(game, "312456789"), 1);
        cr_expect_eq(support_steps(board, "867254301"), 31);
        cr_expect(support_is_sound(game));
    }
    support_close(game);
    support_close(board);
}
