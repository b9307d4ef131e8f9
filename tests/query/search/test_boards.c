// Compares the search of sliding boards with a plain IDA* with Manhattan distances, with tables of
// small boards, and with the lengths in R. E. Korf's article (1985).
#include "query/search/boards.h"
#include "query/table/table.h"
#include "tables/families/board/tile_databases.h"
#include "tables/families/compile.h"
#include "tests/tools/support.h"
#include "tests/twin/twin_slide.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 16 };

static struct fewest *open_fifteen(void)
{
    return support_open_file("tables/puzzles/fifteen.puzzle");
}

static void set_state(uint8_t *state, const int *board, unsigned cells)
{
    for (unsigned i = 0; i < cells; i++) {
        state[i] = (uint8_t)board[i];
    }
}

// Replays a path on a board of numbers.
static void expect_path(const struct fewest *table, int rows, int columns, const int *start,
                        const unsigned *moves, int steps, const int *target)
{
    char path[FEWEST_PATH_MOST + 1] = "";
    int board[CELLS];
    size_t cells = (size_t)(rows * columns);
    for (int i = 0; i < steps; i++) {
        path[i] = fewest_move_name(table, moves[i])[0];
    }
    memcpy(board, start, cells * sizeof *board);
    cr_assert(twin_slide_replay(rows, columns, board, path));
    cr_assert_arr_eq(board, target, cells * sizeof *board);
}

// Asks for a path and replays it. Returns the number of steps.
static int solve(struct fewest *table, int rows, int columns, const int *start, const int *target)
{
    struct query query = {.target = {0}};
    unsigned cells = (unsigned)(rows * columns);
    set_state(query.start, start, cells);
    set_state(query.target, target, cells);
    struct fewest_path path = support_path(table, &query);
    if (path.steps != FEWEST_UNREACHABLE) {
        expect_path(table, rows, columns, start, path.moves, path.steps, target);
    }
    return path.steps;
}

// Makes at most `moves` random moves of the blank.
static void walk(int rows, int columns, int *board, unsigned moves)
{
    for (unsigned i = 0; i < moves; i++) {
        const char move[] = {"dlru"[support_random_below(4)], '\0'};
        twin_slide_replay(rows, columns, board, move);
    }
}

// ---- The fifteen puzzle -------------------------------------------------------------------------

static const int LAST[CELLS] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0};
static const int FIRST[CELLS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

Test(searched, korfs_hundred_boards_have_their_lengths, .timeout = 120)
{
    struct fewest *table = open_fifteen();
    char *text = support_read("tests/data/korf100.txt", NULL);
    unsigned count = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        int board[CELLS];
        int expected;
        int used = 0;
        if (line[0] == '#' || sscanf(line, "%*d %d%n", &expected, &used) != 1) {
            continue;
        }
        const char *next = line + used;
        for (unsigned i = 0; i < CELLS; i++) {
            cr_assert_eq(sscanf(next, "%d%n", &board[i], &used), 1);
            next += used;
        }
        cr_assert_eq(solve(table, 4, 4, board, FIRST), expected, "%s", line);
        count++;
    }
    cr_assert_eq(count, 100);
    free(text);
    support_close(table);
}

// Compares random boards with the plain search, unless that looks at too many.
static void compare_with_plain(struct fewest *table, int rows, int columns,
                               const int *const goals[2], unsigned count)
{
    size_t size = (size_t)(rows * columns) * sizeof **goals;
    for (unsigned round = 0, solved = 0; solved < count; round++) {
        enum { NODES = 1000000 };
        const int *goal = goals[round % 2];
        char path[TWIN_SLIDE_PATH];
        int board[CELLS];
        memcpy(board, goal, size);
        walk(rows, columns, board, support_random_below(200));
        int expected = twin_slide_solve(rows, columns, board, goal, NODES, path);
        if (expected != TWIN_SLIDE_GAVE_UP) {
            cr_assert_eq(solve(table, rows, columns, board, goal), expected);
            solved++;
        }
    }
    support_close(table);
}

Test(searched, boards_agree_with_the_plain_search, .timeout = 300)
{
    static const int SMALL[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0};
    compare_with_plain(open_fifteen(), 4, 4, (const int *const[]){FIRST, LAST}, 1000);
    compare_with_plain(
        support_open_text("Slide 3 4\nDatabase 1 2 5 6\nDatabase 3 4 7 8\nDatabase 9 10 11\n"), 3,
        4, (const int *const[]){SMALL, SMALL}, 300);
}

Test(searched, any_target_with_its_blank_in_a_corner_is_taken_to_the_goal, .timeout = 120)
{
    enum { NODES = 400000 };
    static const int CORNERS[] = {0, 3, 12, 15};
    struct fewest *table = open_fifteen();
    for (unsigned round = 0; round < 200;) {
        char path[TWIN_SLIDE_PATH];
        int target[CELLS];
        int board[CELLS];
        memcpy(target, LAST, sizeof target);
        walk(4, 4, target, 2000);
        // Exchange the blank into a corner. The tiles may be in any order.
        for (int i = 0; i < CELLS; i++) {
            if (target[i] == 0) {
                target[i] = target[CORNERS[round % 4]];
                target[CORNERS[round % 4]] = 0;
                break;
            }
        }
        memcpy(board, target, sizeof board);
        walk(4, 4, board, 60);
        int expected = twin_slide_solve(4, 4, board, target, NODES, path);
        if (expected != TWIN_SLIDE_GAVE_UP) {
            cr_assert_eq(solve(table, 4, 4, board, target), expected);
            round++;
        }
    }
    support_close(table);
}

static bool stop_beyond(void *context, const struct fewest_progress *progress)
{
    *(int *)context = progress->bound;
    return progress->bound < 60;
}

struct visitors {
    pthread_t owner;
    _Atomic unsigned inside; // calls of the watcher at this moment
    bool others;             // it was called in another thread
    bool together;           // it was called in two threads at once
};

static bool note_thread(void *context, const struct fewest_progress *progress)
{
    struct visitors *visitors = context;
    (void)progress;
    visitors->together |= visitors->inside++ > 0;
    visitors->others |= !pthread_equal(visitors->owner, pthread_self());
    visitors->inside--;
    return true;
}

Test(searched, the_path_is_the_same_for_any_number_of_threads, .timeout = 120)
{
    struct fewest *table = open_fifteen();
    struct visitors visitors = {.owner = pthread_self()};
    unsigned compared = 0;
    struct fewest_options options = {.watch = note_thread, .watch_context = &visitors};
    while (compared < 12 || !visitors.others) {
        struct query query = {.target = {FEWEST_GOALS}};
        struct fewest_path together;
        int board[CELLS];
        cr_assert_lt(compared++, 200, "no search ran in two threads");
        memcpy(board, LAST, sizeof board);
        walk(4, 4, board, 400);
        set_state(query.start, board, CELLS);
        options.threads = 1;
        support_set(table, options);
        struct fewest_path alone = support_path(table, &query);
        for (options.threads = 2; options.threads <= 5; options.threads += 3) {
            support_set(table, options);
            together = support_path(table, &query);
            cr_assert_eq(together.steps, alone.steps);
            cr_assert_arr_eq(together.moves, alone.moves,
                             (size_t)alone.steps * sizeof *alone.moves);
        }
    }
    cr_expect_not(visitors.together);
    support_close(table);
}

Test(searched, a_watcher_stops_all_threads_of_a_search)
{
    static const char HARD[] = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1"; // 80 moves
    struct fewest *table = open_fifteen();
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        struct fewest_error error;
        int bound = 0;
        int steps;
        support_set(table, (struct fewest_options){
                               .watch = stop_beyond, .watch_context = &bound, .threads = threads});
        struct query query = support_query(table, HARD);
        cr_assert_not(fewest_steps(table, query.start, query.target, &steps, &error));
        cr_expect_eq(error.status, FEWEST_STOPPED);
        cr_expect_geq(bound, 60);
        cr_expect_eq(error.at_least, (unsigned)bound); // and no fewer moves were possible
        support_set(table, (struct fewest_options){.threads = threads, .seconds = 0.01});
        cr_assert_not(fewest_steps(table, query.start, query.target, &steps, &error));
        cr_expect_eq(error.status, FEWEST_LIMITED);
        cr_expect_geq(error.at_least, 40);
        cr_expect_leq(error.at_least, 80);
    }
    support_close(table);
}

// ---- Other boards and partitions ----------------------------------------------------------------

// Compares every entry of every database with the twin's.
static void compare_databases(const char *text, int rows, int columns, const int *goal)
{
    struct table_content content =
        support_take(support_generate(text, strlen(text), METRIC_POWERS));
    struct puzzle puzzle = support_compile(text, METRIC_POWERS);
    for (unsigned d = 0; d < puzzle.partition->count; d++) {
        const struct pattern_database *database = &puzzle.partition->databases[d];
        int tiles[DATABASE_TILES_MOST];
        for (unsigned t = 0; t < database->count; t++) {
            tiles[t] = database->tile[t];
        }
        struct twin_database *twin =
            twin_database_make(rows, columns, goal, tiles, (int)database->count);
        for (uint64_t entry = 0; entry < database->entries; entry++) {
            uint8_t cell[DATABASE_TILES_MOST];
            int cells[DATABASE_TILES_MOST];
            int manhattan = 0;
            arrangement_unrank(puzzle.cell_count, database->count, entry, cell);
            for (unsigned t = 0; t < database->count; t++) {
                int home = 0;
                while (goal[home] != tiles[t]) {
                    home++;
                }
                cells[t] = cell[t];
                manhattan += abs(cells[t] / columns - home / columns) +
                             abs(cells[t] % columns - home % columns);
            }
            int expected = twin_database_distance(twin, cells);
            int found = support_entries(&content, d)[entry];
            bool cut = database->count <= 6 && expected - manhattan >= 6;
            cr_assert_eq(found, expected < 0 || cut ? UINT8_MAX : (expected - manhattan) / 2,
                         "database %u, entry %llu", d, (unsigned long long)entry);
        }
        twin_database_free(twin);
    }
    puzzle_free(&puzzle);
    support_free_content(&content);
}

Test(searched, every_entry_of_a_database_is_the_least_over_the_blank, .timeout = 120)
{
    compare_databases("Slide 3 4\nDatabase 1 2 5 6\nDatabase 3 4 7 8\nDatabase 9 10 11\n", 3, 4,
                      (int[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0});
    compare_databases(
        "Slide 3 3\nSolved\nTILES\n0 1 2 3 4 5 6 7 8\nEnd\nDatabase 1 2 3 4\nDatabase 5 6 7 8\n", 3,
        3, (int[]){0, 1, 2, 3, 4, 5, 6, 7, 8});
    compare_databases("Slide 2 5\nDatabase 9 1\nDatabase 2\nDatabase 3 4 5 6 7 8\n", 2, 5,
                      (int[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 0});
    compare_databases(
        "Slide 4 4\nDatabase 1 2 3 4\nDatabase 5 6 7 8\nDatabase 9 10 11 12\nDatabase 13 14 15\n",
        4, 4, LAST);
    compare_databases("Slide 1 6\nDatabase 1 2 3\nDatabase 4 5\n", 1, 6, (int[]){1, 2, 3, 4, 5, 0});
}

// Sets the number of nodes that a table has served. It decides the stage of the searches.
static void set_served(struct fewest *table, uint64_t nodes)
{
    struct board_bounds *bounds = table->bounds;
    if (bounds) {
        bounds->served = nodes;
    }
}

// Compares a search with a complete table, on all boards if they are few, else on up to 20,000.
static void compare_table(const char *sliding, const char *tracked)
{
    struct fewest *complete = support_open_text(sliding);
    struct fewest *table = support_open_text(tracked);
    struct puzzle puzzle = support_compile(sliding, METRIC_POWERS);
    for (uint64_t number = 0; number < puzzle.arrangement_count;
         number += 1 + puzzle.arrangement_count / 20000) {
        struct query query = {.target = {FEWEST_GOALS}};
        puzzle_unrank_state(&puzzle, number, query.start);
        set_served(table, number < puzzle.arrangement_count / 2 ? 0 : UINT32_MAX);
        int expected = support_ask(complete, &query);
        int steps = support_ask(table, &query);
        cr_assert_eq(steps, expected, "board %llu of %s", (unsigned long long)number, sliding);
    }
    puzzle_free(&puzzle);
    support_close(table);
    support_close(complete);
}

Test(searched, small_boards_agree_with_their_complete_tables, .timeout = 300)
{
    compare_table("Slide 3 3\n", "Slide 3 3\nDatabase 1 2 3 4\nDatabase 5 6 7 8\n");
    compare_table("Slide 3 3\n", "Slide 3 3\nDatabase 1 2 3 4 5 6 7 8\n");
    compare_table("Slide 2 4\n", "Slide 2 4\nDatabase 7\nDatabase 1 2 3 4 5 6\n");
    compare_table("Slide 2 2 2\n", "Slide 2 2 2\nDatabase 1 2 3\nDatabase 4 5 6 7\n");
    compare_table("Slide 1 5\n", "Slide 1 5\nDatabase 1 2\nDatabase 3 4\n");
    compare_table("Slide 2 2\n", "Slide 2 2\nDatabase 1\nDatabase 2\nDatabase 3\n");
}

// The mirror image along the diagonal takes 2 3 6 to 4 7 8. On 3x3 with the blank in the centre,
// more symmetries keep its cell.
Test(searched, mirrored_databases_are_stored_once, .timeout = 300)
{
    static const struct {
        const char *text;
        unsigned stored;
    } EXAMPLES[] = {{"Slide 3 3\nDatabase 2 3 6\nDatabase 4 7 8\nDatabase 1 5\n", 2},
                    {"Slide 3 3\nDatabase 1 2 3\nDatabase 4 7 8\nDatabase 5 6\n", 3},
                    {"Slide 3 3\nSolved\nTILES\n1 2 3 4 0 5 6 7 8\nEnd\n"
                     "Database 1 2\nDatabase 3 5\nDatabase 7 8\nDatabase 4 6\n",
                     1},
                    {"Slide 2 2 2\nDatabase 1 2\nDatabase 3 4\nDatabase 5 7\nDatabase 6\n", 3},
                    {"Slide 2 2 2\nDatabase 4 1\nDatabase 6 2\nDatabase 7 3\nDatabase 5\n", 3}};
    for (unsigned e = 0; e < sizeof EXAMPLES / sizeof *EXAMPLES; e++) {
        char complete[200];
        struct fewest *table = support_open_text(EXAMPLES[e].text);
        cr_expect_eq(table->header.section_count, EXAMPLES[e].stored, "%s", EXAMPLES[e].text);
        support_close(table);
        size_t length = (size_t)(strstr(EXAMPLES[e].text, "Database") - EXAMPLES[e].text);
        memcpy(complete, EXAMPLES[e].text, length);
        complete[length] = '\0';
        compare_table(complete, EXAMPLES[e].text);
    }
}

static int find_path(struct fewest *table, const int *board, unsigned cells, unsigned *moves)
{
    struct query query = {.target = {FEWEST_GOALS}};
    set_state(query.start, board, cells);
    struct fewest_path path = support_path(table, &query);
    memcpy(moves, path.moves, sizeof path.moves);
    return path.steps;
}

// Opens a table whose searches are all of one stage.
static struct fewest *open_in_stage(const struct generated *generated, unsigned stage,
                                    const int *board, unsigned cells)
{
    struct fewest *table = support_open(generated);
    unsigned moves[FEWEST_PATH_MOST];
    find_path(table, board, cells, moves); // makes the bounds
    struct board_bounds *bounds = table->bounds;
    cr_assert_eq(bounds->last_stage, BOARD_STAGES - 1);
    bounds->last_stage = stage;
    bounds->served = UINT32_MAX;
    return table;
}

// In every stage, the path is the first one of all shortest paths.
static void compare_stages(const char *text, int rows, int columns, unsigned walked, bool spreads)
{
    enum { ROUNDS = 200 };
    unsigned cells = (unsigned)(rows * columns);
    struct generated generated = support_generate(text, strlen(text), METRIC_POWERS);
    struct fewest *tables[BOARD_STAGES];
    int solved[CELLS] = {0};
    for (unsigned i = 0; i + 1 < cells; i++) {
        solved[i] = (int)i + 1;
    }
    for (unsigned s = 0; s < BOARD_STAGES; s++) {
        tables[s] = open_in_stage(&generated, s, solved, cells);
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned first[FEWEST_PATH_MOST];
        unsigned path[FEWEST_PATH_MOST];
        int board[CELLS];
        memcpy(board, solved, sizeof board);
        walk(rows, columns, board, support_random_below(walked));
        int steps = find_path(tables[0], board, cells, first);
        for (unsigned s = 1; s < BOARD_STAGES; s++) {
            cr_assert_eq(find_path(tables[s], board, cells, path), steps);
            cr_assert_arr_eq(path, first, (size_t)steps * sizeof *path, "stage %u of %s", s, text);
        }
    }
    for (unsigned s = 0; s < BOARD_STAGES; s++) {
        const struct board_bounds *bounds = tables[s]->bounds;
        cr_expect_eq(bounds->stage, s);
        cr_expect_eq(bounds->stages[s]->spread != NULL, spreads && s == BOARD_STAGES - 1);
        fewest_close(tables[s]);
    }
    free(generated.bytes);
}

Test(searched, every_stage_finds_the_same_path, .timeout = 120)
{
    compare_stages("Slide 3 3\nDatabase 1 2 3 4\nDatabase 5 6 7 8\n", 3, 3, 300, true);
    compare_stages("Slide 3 3\nDatabase 1 2\nDatabase 3 4\nDatabase 5 6\nDatabase 7 8\n", 3, 3, 300,
                   true);
    compare_stages("Slide 3 3\nDatabase 1 2 3 4 5 6 7 8\n", 3, 3, 300, false);
    compare_stages("Slide 3 3\nDatabase 2 3 4 5 6 7 8\nDatabase 1\n", 3, 3, 300, false);
    compare_stages("Slide 3 3\nDatabase 1 2\nDatabase 3 4\nDatabase 5\nDatabase 6\nDatabase 7 8\n",
                   3, 3, 300, true);
    compare_stages("Slide 3 3\nDatabase 2 3 6\nDatabase 4 7 8\nDatabase 1 5\n", 3, 3, 300, true);
    compare_stages("Slide 3 3\nDatabase 1\nDatabase 2\nDatabase 3\nDatabase 4\nDatabase 5\n"
                   "Database 6\nDatabase 7\nDatabase 8\n",
                   3, 3, 300, true);
    compare_stages("Slide 2 5\nDatabase 1 2 3\nDatabase 4 5\nDatabase 6 7 8 9\n", 2, 5, 300, true);
    compare_stages("Slide 4 4\nDatabase 1 2 3 4\nDatabase 5 6 7 8\nDatabase 9 10 11 12\n"
                   "Database 13 14 15\n",
                   4, 4, 90, true);
}

// ---- Forged databases ---------------------------------------------------------------------------

// Stops a search after *context calls, or at a bound of 60.
static bool stop_soon(void *context, const struct fewest_progress *progress)
{
    return --*(int *)context > 0 && progress->bound < 60;
}

// Asks for a path. The search may be stopped or report damage. If it finds a path, that leads to
// the goal.
static void ask_forged(struct fewest *table, int rows, int columns, const int *board,
                       const int *goal, int calls)
{
    struct query query = {.target = {FEWEST_GOALS}};
    struct fewest_error error;
    struct fewest_path path;
    set_state(query.start, board, (unsigned)(rows * columns));
    support_set(table, (struct fewest_options){.watch = stop_soon, .watch_context = &calls});
    if (!fewest_path(table, query.start, query.target, &path, &error)) {
        cr_assert(error.status == FEWEST_STOPPED || error.status == FEWEST_DAMAGED, "%s",
                  error.text);
        return;
    }
    expect_path(table, rows, columns, board, path.moves, path.steps, goal);
}

// Fills the databases with random digits of `values`, and searches random boards in one stage.
static void search_forged(struct table_content *content, int rows, int columns, unsigned stage,
                          const char *values)
{
    enum { BOARDS = 30 };
    unsigned cells = (unsigned)(rows * columns);
    int solved[CELLS] = {0};
    for (unsigned i = 0; i + 1 < cells; i++) {
        solved[i] = (int)i + 1;
    }
    for (unsigned s = 0; s < content->section_count; s++) {
        for (uint64_t entry = 0; entry < content->sections[s].entries; entry++) {
            char value = values[support_random_below((unsigned)strlen(values))];
            support_entries(content, s)[entry] = (uint8_t)(value - '0');
        }
    }
    struct fewest *table = support_own(support_pack(content));
    ask_forged(table, rows, columns, solved, solved, 1); // makes the bounds
    struct board_bounds *bounds = table->bounds;
    bounds->last_stage = stage;
    bounds->served = UINT32_MAX;
    for (unsigned round = 0; round < BOARDS; round++) {
        int board[CELLS];
        memcpy(board, solved, sizeof board);
        walk(rows, columns, board, 1 + support_random_below(60));
        ask_forged(table, rows, columns, board, solved, 10);
    }
    cr_expect_eq(bounds->stage, stage);
    support_close(table);
}

static void forge_databases(const char *text, int rows, int columns)
{
    struct table_content content =
        support_take(support_generate(text, strlen(text), METRIC_POWERS));
    for (unsigned stage = 0; stage < BOARD_STAGES; stage++) {
        search_forged(&content, rows, columns, stage, "0001237");
        search_forged(&content, rows, columns, stage, "0000007"); // spread databases can't hold 7
    }
    support_free_content(&content);
}

Test(searched, with_forged_databases_every_stage_finds_a_true_path_or_an_error, .timeout = 300)
{
    forge_databases("Slide 3 3\nDatabase 1 2 3 4\nDatabase 5 6 7 8\n", 3, 3);
    forge_databases("Slide 2 5\nDatabase 1 2 3\nDatabase 4 5\nDatabase 6 7 8 9\n", 2, 5);
    forge_databases("Slide 4 4\nDatabase 1 2 3 4\nDatabase 5 6 7 8\nDatabase 9 10 11 12\n"
                    "Database 13 14 15\n",
                    4, 4);
}

// ---- The table ----------------------------------------------------------------------------------

Test(searched, the_bytes_do_not_depend_on_the_number_of_threads)
{
    cr_expect(
        support_is_same_with_threads("Slide 3 4\nDatabase 1 2 5 6 9\nDatabase 3 4 7 8 10 11\n", 4));
}

Test(searched, the_deep_check_finds_one_wrong_entry)
{
    static const char TEXT[] = "Slide 3 3\nDatabase 1 2 3 4\nDatabase 5 6 7 8\n";
    struct table_content content =
        support_take(support_generate(TEXT, strlen(TEXT), METRIC_POWERS));
    cr_assert(support_passes(&content, true));
    for (unsigned round = 0; round < 10; round++) {
        uint8_t *entries = support_entries(&content, round % 2);
        uint64_t entry = support_random() % content.sections[round % 2].entries;
        uint8_t kept = entries[entry];
        entries[entry] = kept == 0 ? 1 : (uint8_t)(kept - 1);
        cr_expect(support_passes(&content, false));
        cr_expect_not(support_passes(&content, true), "entry %llu", (unsigned long long)entry);
        entries[entry] = kept;
    }
    support_free_content(&content);
}
