// The library that makes tables, called as a program calls it, also wrongly.
#include "gen/fewest_gen.h"
#include "gen/write/publish.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char SLIDE[] = "Name slide\nSlide 2 3\n";
static const char CUBES[] = "Name cubes\nRoll 2 3\n";
static const char TURNS[] =
    "Name turns\nSet X 7 2\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 7 1\n1 0 0 0 0 0 0\nEnd\n"
    "Move B\nX\n3 1 2 4 5 6 7\n0 1 1 0 1 1 0\nEnd\n";
static const char BRAID[] = "Name braid\nSet X 12 12\nSolved\nEnd\n"
                            "Move A\nX\n2 3 4 5 6 7 8 9 10 11 12 1\n"
                            "1 0 0 0 0 0 0 0 0 0 0 0\nEnd\n"
                            "Move B\nX\n2 1 3 4 5 6 7 8 9 10 11 12\nEnd\n";
static const char DATABASES[] = "Name dbs\nSlide 3 3\nDatabase 1 2 3 4\nDatabase 5 6 7 8\n";
static const char STRIPES[] = "Name x\nSet X 9 1\nSolved\nEnd\n"
                              "Move A\nX\n2 3 4 5 6 7 8 9 1\nEnd\n"
                              "Move B\nX\n2 1 3 4 5 6 7 8 9\nEnd\n"
                              "Database X 1 2 3 4\nDatabase X 5 6 7 8\n";

// ---- What a test needs --------------------------------------------------------------------------

static char folder[64];

static void enter_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/fewest-gen.XXXXXX");
    cr_assert(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
    setenv("TMPDIR", folder, 1);
}

static unsigned count_files(const char *path)
{
    DIR *open = opendir(path);
    unsigned count = 0;
    cr_assert(open);
    while (readdir(open)) {
        count++;
    }
    closedir(open);
    return count - 2;
}

// The test leaves no file in its folder.
static void leave_folder(void)
{
    cr_expect_eq(count_files(folder), 0, "a file is left");
    cr_expect_eq(chdir("/"), 0);
    cr_expect_eq(rmdir(folder), 0);
}

TestSuite(fewest_gen, .init = enter_folder, .fini = leave_folder);

static bool make(const char *text, const struct fewest_gen_options *options,
                 struct fewest_gen_result *result, struct fewest_error *error)
{
    return fewest_gen_make(text, strlen(text), options, result, error);
}

// Makes a table, which must fail with this status, and leave nothing.
static struct fewest_error refuse(const char *text, const struct fewest_gen_options *options,
                                  enum fewest_status status, enum fewest_gen_fault fault)
{
    struct fewest_gen_result result;
    struct fewest_error error;
    unsigned files = count_files(".");
    unsigned descriptors = count_files("/proc/self/fd");
    cr_assert_not(make(text, options, &result, &error), "%s", text);
    cr_expect_eq(error.status, status, "%d: %s", error.status, error.text);
    cr_expect_eq(result.fault, fault, "%s", error.text);
    cr_expect_null(result.bytes);
    cr_expect_eq(result.length, 0);
    cr_expect_eq(count_files("."), files, "%s", error.text);
    cr_expect_eq(count_files("/proc/self/fd"), descriptors, "%s", error.text);
    return error;
}

static void cr_expect_says(const struct fewest_error *error, const char *part)
{
    cr_expect(strstr(error->text, part), "%s", error->text);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

// ---- Tables -------------------------------------------------------------------------------------

Test(fewest_gen, the_library_has_the_version_of_its_header)
{
    cr_assert_str_eq(fewest_gen_version(), FEWEST_GEN_VERSION);
    cr_assert_str_eq(fewest_gen_version(), FEWEST_VERSION);
}

Test(fewest_gen, the_layout_of_the_public_structs_is_the_one_that_is_promised)
{
    cr_assert_eq(offsetof(struct fewest_gen_result, length), sizeof(void *));
    cr_assert_eq(offsetof(struct fewest_gen_result, unchanged), 2 * sizeof(void *));
    cr_assert_eq(offsetof(struct fewest_gen_result, fault), 2 * sizeof(void *) + 4);
    cr_assert_eq(offsetof(struct fewest_gen_options, metric), sizeof(void *) + 4);
    cr_assert_eq(offsetof(struct fewest_gen_options, memory), 8 + 2 * sizeof(void *));
    cr_assert_eq(offsetof(struct fewest_gen_options, context),
                 offsetof(struct fewest_gen_options, checkpoint) + 3 * sizeof(void *));
    cr_assert_eq(offsetof(struct fewest_gen_progress, states), sizeof(void *));
    cr_assert_eq(offsetof(struct fewest_gen_progress, memory), 2 * 8);
    cr_assert_eq(offsetof(struct fewest_gen_options, rotations),
                 offsetof(struct fewest_gen_options, context) + sizeof(void *));
    cr_assert_eq(offsetof(struct fewest_gen_options, depth),
                 offsetof(struct fewest_gen_options, rotations) + 4);
    cr_assert_eq(offsetof(struct fewest_gen_counts, total), 2 * 8 * FEWEST_GEN_DISTANCES);
    cr_assert_eq(offsetof(struct fewest_gen_counts, antipodes),
                 offsetof(struct fewest_gen_counts, rotations) + sizeof(void *));
}

Test(fewest_gen, a_table_in_memory_has_the_distances_of_the_definition)
{
    struct fewest_gen_result result;
    struct fewest_error error;
    cr_assert(make(SLIDE, NULL, &result, &error), "%s", error.text);
    struct fewest *table = fewest_open_buffer(result.bytes, result.length, &error);
    cr_assert(table, "%s", error.text);
    cr_expect_str_eq(fewest_info(table)->definition, SLIDE);
    cr_expect(support_is_sound(table));
    cr_expect_eq(support_steps(table, "1 2 3 4 5 0 4 5 0 1 2 3"), 21);
    cr_expect_eq(support_steps(table, "1 2 3 4 5 0 4 * 0 * 2 3"), 21);
    fewest_close(table);
    fewest_gen_free(&result);
    cr_expect_null(result.bytes);
    fewest_gen_free(&result);
}

Test(fewest_gen, the_bytes_are_those_of_a_file_and_depend_on_no_option_but_the_metric)
{
    static const char *const TEXTS[] = {SLIDE, TURNS, CUBES, DATABASES, STRIPES};
    for (size_t t = 0; t < sizeof TEXTS / sizeof *TEXTS; t++) {
        for (unsigned m = 0; m < METRIC_COUNT; m++) {
            struct generated expected =
                support_generate(TEXTS[t], strlen(TEXTS[t]), (enum metric)m);
            for (unsigned threads = 0; threads <= 100; threads = 3 * threads + 1) {
                struct fewest_gen_options options = {
                    .metric = (enum fewest_gen_metric)m, .threads = threads, .folder = folder};
                struct fewest_gen_result result;
                struct fewest_error error;
                size_t length;
                cr_assert(make(TEXTS[t], &options, &result, &error), "%s", error.text);
                cr_assert_eq(result.length, expected.length);
                cr_assert_arr_eq(result.bytes, expected.bytes, expected.length);
                fewest_gen_free(&result);
                options.output = "x.dtab";
                cr_assert(make(TEXTS[t], &options, &result, &error), "%s", error.text);
                cr_expect_null(result.bytes);
                FILE *file = fopen("x.dtab", "rb");
                uint8_t *bytes = malloc(expected.length + 1);
                cr_assert(file && bytes);
                length = fread(bytes, 1, expected.length + 1, file);
                cr_assert_eq(length, expected.length);
                cr_assert_arr_eq(bytes, expected.bytes, length);
                fclose(file);
                free(bytes);
                unlink("x.dtab");
            }
            free(expected.bytes);
        }
    }
}

Test(fewest_gen, a_table_replaces_only_tables_of_its_puzzle_unless_it_is_forced)
{
    struct fewest_gen_options options = {.output = "x.dtab"};
    struct fewest_gen_result result;
    struct fewest_error error;
    for (unsigned i = 0; i < 2; i++) {
        cr_assert(make(SLIDE, &options, &result, &error), "%s", error.text);
        cr_expect_eq(result.unchanged, i > 0);
    }
    error = refuse(TURNS, &options, FEWEST_BAD_INPUT, FEWEST_GEN_OTHER);
    cr_expect_says(&error, "this is the table of another puzzle, slide");
    options.force = true;
    cr_assert(make(TURNS, &options, &result, &error), "%s", error.text);
    cr_expect_not(result.unchanged);
    write_file("x.dtab", "a letter");
    options.force = false;
    error = refuse(SLIDE, &options, FEWEST_BAD_INPUT, FEWEST_GEN_OTHER);
    cr_expect_says(&error, "this file is not a table");
    unlink("x.dtab");
}

// ---- Wrong calls --------------------------------------------------------------------------------

Test(fewest_gen, a_bad_definition_is_refused_with_its_line)
{
    struct fewest_error error =
        refuse("Name x\nSlide 2 3 4 5\n", NULL, FEWEST_BAD_INPUT, FEWEST_GEN_DEFINITION);
    cr_expect_eq(error.lines[0].number, 2, "%s", error.text);
    refuse("", NULL, FEWEST_BAD_INPUT, FEWEST_GEN_DEFINITION);
    error = refuse(BRAID, NULL, FEWEST_BEYOND, FEWEST_GEN_SIZE);
    cr_expect_says(&error, "too many for a table");
    cr_expect_not(strstr(error.text, "fewest-gen"), "no command can be typed here");
}

Test(fewest_gen, options_that_can_not_be_are_refused)
{
    refuse(SLIDE, &(struct fewest_gen_options){.metric = (enum fewest_gen_metric)3},
           FEWEST_BAD_INPUT, FEWEST_GEN_OTHER);
    refuse(SLIDE, &(struct fewest_gen_options){.metric = (enum fewest_gen_metric) - 1},
           FEWEST_BAD_INPUT, FEWEST_GEN_OTHER);
    static const char *const PATHS[] = {"",         "no/such/folder/x.dtab", ".", "/", "x.dtab/",
                                        "/dev/null"};
    for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; i++) {
        refuse(SLIDE, &(struct fewest_gen_options){.output = PATHS[i]}, FEWEST_SYSTEM,
               FEWEST_GEN_OTHER);
    }
    for (unsigned i = 0; i < 2; i++) {
        refuse(SLIDE,
               &(struct fewest_gen_options){.output = i ? "x.dtab" : NULL, .folder = "no/folder"},
               FEWEST_SYSTEM, FEWEST_GEN_OTHER);
    }
    refuse(SLIDE, &(struct fewest_gen_options){.checkpoint = "no/folder/saved"}, FEWEST_SYSTEM,
           FEWEST_GEN_OTHER);
    refuse(SLIDE, &(struct fewest_gen_options){.output = "x", .checkpoint = "./x"},
           FEWEST_BAD_INPUT, FEWEST_GEN_OTHER);
    refuse(DATABASES, &(struct fewest_gen_options){.checkpoint = "saved"}, FEWEST_BEYOND,
           FEWEST_GEN_OTHER);
}

Test(fewest_gen, a_run_that_needs_more_memory_than_it_may_have_is_refused)
{
    struct fewest_gen_options options = {.threads = 1, .memory = 1 << 20};
    struct fewest_error error = refuse(TURNS, &options, FEWEST_BEYOND, FEWEST_GEN_MEMORY);
    cr_expect_says(&error, "--memory allows only 1024 KiB");
    struct fewest_gen_result result;
    options.memory = 100 << 20;
    cr_assert(make(TURNS, &options, &result, &error), "%s", error.text);
    fewest_gen_free(&result);
    struct publication publication;
    uint8_t *bytes = NULL;
    size_t length;
    cr_assert(publish_begin_in_memory(&publication, NULL, &error), "%s", error.text);
    struct output output = publish_output(&publication);
    cr_assert(output_write(&output, 0, "a table", 7, &error));
    cr_expect_not(publish_read(&publication, 6, &bytes, &length), "one byte too many");
    cr_expect_eq(error.status, FEWEST_BEYOND);
    cr_assert(publish_read(&publication, 7, &bytes, &length), "%s", error.text);
    cr_expect_arr_eq(bytes, "a table", 7);
    free(bytes);
    publish_end(&publication);
}

// ---- The watcher --------------------------------------------------------------------------------

struct view {
    unsigned left; // calls until it stops the run
    unsigned calls;
    _Atomic unsigned inside;
    bool stopped;
    unsigned events[FEWEST_GEN_WARNING + 1];
    uint64_t found;
    struct fewest_gen_progress last;
};

static bool view(void *context, const struct fewest_gen_progress *progress)
{
    struct view *view = context;
    cr_expect_eq(atomic_fetch_add(&view->inside, 1), 0, "two calls at once");
    cr_expect_not(view->stopped, "a call after the end");
    view->calls++;
    view->events[progress->event]++;
    if (progress->event == FEWEST_GEN_PLANNED) {
        cr_expect_gt(progress->memory, 0);
        cr_expect_gt(progress->disk, 0);
        cr_expect_gt(strlen(progress->states), 0);
    }
    if (progress->event == FEWEST_GEN_LAYER) {
        view->found = (progress->layer > 0 ? view->found : 0) + progress->found;
        if (view->left == 0) { // a run that goes on begins with a later layer
            cr_expect_eq(progress->reached, view->found);
        }
        cr_expect_null(progress->traffic);
    }
    if (progress->event != FEWEST_GEN_GOING) {
        view->last = *progress;
    }
    view->stopped = view->left > 0 && view->calls == view->left;
    atomic_fetch_sub(&view->inside, 1);
    return !view->stopped;
}

Test(fewest_gen, the_watcher_sees_the_plan_each_layer_and_the_packed_blocks)
{
    struct view seen = {.left = 0};
    struct fewest_gen_options options = {.threads = 4, .watch = view, .context = &seen};
    struct fewest_gen_result result;
    struct fewest_error error;
    cr_assert(make(SLIDE, &options, &result, &error), "%s", error.text);
    fewest_gen_free(&result);
    cr_expect_eq(seen.events[FEWEST_GEN_PLANNED], 1);
    cr_expect_gt(seen.events[FEWEST_GEN_LAYER], 2 * 18, "two roots");
    cr_expect_eq(seen.found, 360);
    cr_expect_eq(seen.last.event, FEWEST_GEN_PACKED);
    cr_expect_eq(seen.last.packed, seen.last.blocks);
}

Test(fewest_gen, the_watcher_is_warned_once_of_moves_that_are_taken_for_rotations)
{
    static const char *const ENDS[] = {"", "Rotation x\n", "Generators A B x\n"};
    for (size_t e = 0; e < sizeof ENDS / sizeof *ENDS; e++) {
        char text[256];
        struct view seen = {.left = 0};
        struct fewest_gen_options options = {.watch = view, .context = &seen};
        struct fewest_gen_result result;
        struct fewest_error error;
        snprintf(text, sizeof text,
                 "Set X 4 1\nSolved\nEnd\nMove A\nX\n(1 2)\nEnd\nMove B\nX\n(3 4)\nEnd\n"
                 "Move x\nX\n(1 3)(2 4)\nEnd\n%s",
                 ENDS[e]);
        cr_assert(make(text, &options, &result, &error), "%s", error.text);
        fewest_gen_free(&result);
        cr_expect_eq(seen.events[FEWEST_GEN_WARNING], e == 0, "%s", ENDS[e]);
    }
}

// Are these the bytes of x.dtab?
static bool is_written(const struct generated *expected)
{
    FILE *file = fopen("x.dtab", "rb");
    uint8_t *bytes = malloc(expected->length + 1);
    cr_assert(file && bytes);
    bool same = fread(bytes, 1, expected->length + 1, file) == expected->length &&
                memcmp(bytes, expected->bytes, expected->length) == 0;
    fclose(file);
    free(bytes);
    return same;
}

// In memory and in a file, with and without a checkpoint.
Test(fewest_gen, a_run_that_is_stopped_at_any_call_leaves_nothing_but_a_checkpoint)
{
    static const char *const TEXTS[] = {SLIDE, TURNS, CUBES, DATABASES};
    for (size_t t = 0; t < sizeof TEXTS / sizeof *TEXTS; t++) {
        bool can_save = TEXTS[t] != DATABASES;
        struct generated expected = support_generate(TEXTS[t], strlen(TEXTS[t]), METRIC_POWERS);
        for (unsigned way = 0; way < (can_save ? 3 : 2); way++) {
            unsigned stops = 0;
            for (unsigned left = 1;; left++) {
                struct view seen = {.left = left};
                struct fewest_gen_options options = {.output = way > 0 ? "x.dtab" : NULL,
                                                     .threads = 1 + left % 3,
                                                     .watch = view,
                                                     .context = &seen};
                struct fewest_gen_result result;
                struct fewest_error error;
                if (way < 2 && make(TEXTS[t], &options, &result, &error)) {
                    cr_expect_not(seen.stopped, "a stopped run makes no table");
                    fewest_gen_free(&result);
                    break;
                }
                if (way < 2) {
                    cr_expect_eq(error.status, FEWEST_STOPPED, "%s", error.text);
                    cr_expect(seen.stopped);
                    cr_expect_null(result.bytes);
                    cr_expect_eq(count_files("."), 0, "%u calls", left);
                    stops++;
                    continue;
                }
                options.checkpoint = "saved";
                bool done = make(TEXTS[t], &options, &result, &error);
                cr_expect(done || error.status == FEWEST_STOPPED, "%s", error.text);
                cr_expect_leq(count_files("."), 1, "a checkpoint or a table");
                cr_expect_neq(done, access("x.dtab", F_OK) != 0);
                if (done) {
                    cr_expect_not(seen.stopped, "a stopped run makes no table");
                    break;
                }
                stops++;
            }
            cr_expect_gt(stops, 3);
            if (way > 0) {
                cr_expect(is_written(&expected), "text %zu, way %u", t, way);
                unlink("x.dtab");
            }
        }
        free(expected.bytes);
    }
}

// Stops a run when it has asked a few times whether to go on.
static bool stop_between(void *context, const struct fewest_gen_progress *progress)
{
    unsigned *asked = context;
    *asked += progress->event == FEWEST_GEN_GOING;
    return *asked < 3;
}

Test(fewest_gen, a_large_search_is_stopped_in_the_middle_of_a_layer)
{
    for (unsigned threads = 1; threads <= 3; threads++) {
        unsigned asked = 0;
        refuse("Slide 3 4\n",
               &(struct fewest_gen_options){
                   .threads = threads, .watch = stop_between, .context = &asked},
               FEWEST_STOPPED, FEWEST_GEN_OTHER);
        cr_expect_eq(asked, 3, "the watcher was asked again");
    }
}

Test(fewest_gen, a_checkpoint_that_is_none_or_another_is_refused)
{
    struct view seen = {.left = 8};
    struct fewest_gen_options options = {
        .checkpoint = "saved", .watch = view, .context = &seen, .threads = 1};
    struct fewest_gen_result result;
    struct fewest_error error;
    cr_assert_not(make(TURNS, &options, &result, &error));
    cr_assert_eq(error.status, FEWEST_STOPPED, "%s", error.text);
    cr_assert_eq(access("saved", F_OK), 0);
    options.watch = NULL;
    refuse(SLIDE, &options, FEWEST_FOREIGN, FEWEST_GEN_OTHER);
    options.metric = FEWEST_GEN_QUARTER;
    refuse(TURNS, &options, FEWEST_FOREIGN, FEWEST_GEN_OTHER);
    options.metric = FEWEST_GEN_POWERS;
    char other[sizeof TURNS]; // as long, with another name
    memcpy(other, TURNS, sizeof TURNS);
    char *name = strstr(other, "Name ");
    cr_assert(name);
    name[5] = name[5] == 'z' ? 'y' : 'z';
    refuse(other, &options, FEWEST_FOREIGN, FEWEST_GEN_OTHER);
    cr_assert(make(TURNS, &options, &result, &error), "%s", error.text);
    fewest_gen_free(&result);
    cr_expect_neq(access("saved", F_OK), 0, "it is removed");
    write_file("saved", "a letter");
    refuse(TURNS, &options, FEWEST_DAMAGED, FEWEST_GEN_OTHER);
    unlink("saved");
}

static void *make_many(void *context)
{
    const struct generated *expected = context;
    for (unsigned i = 0; i < 4; i++) {
        struct view seen = {.left = i};
        struct fewest_gen_options options = {.threads = 2, .watch = view, .context = &seen};
        struct fewest_gen_result result;
        struct fewest_error error;
        bool made = make(TURNS, &options, &result, &error);
        cr_expect_eq(made, i == 0);
        cr_expect(!made || (result.length == expected->length &&
                            memcmp(result.bytes, expected->bytes, result.length) == 0));
        fewest_gen_free(&result);
    }
    return NULL;
}

Test(fewest_gen, several_threads_make_tables_at_once)
{
    pthread_t threads[4];
    struct generated expected = support_generate(TURNS, strlen(TURNS), METRIC_POWERS);
    for (unsigned t = 0; t < 4; t++) {
        cr_assert_eq(pthread_create(&threads[t], NULL, make_many, &expected), 0);
    }
    for (unsigned t = 0; t < 4; t++) {
        pthread_join(threads[t], NULL);
    }
    free(expected.bytes);
}

// ---- Hostile text -------------------------------------------------------------------------------

// Stops a run that takes long.
static bool be_impatient(void *context, const struct fewest_gen_progress *progress)
{
    (void)context;
    return progress->event != FEWEST_GEN_GOING &&
           (progress->event != FEWEST_GEN_LAYER || progress->entries < 100000);
}

// Whatever the text is, the call returns. A table that it makes is sound.
static void throw(const char *text, size_t length)
{
    struct fewest_gen_options options = {.threads = 1, .memory = 32 << 20, .watch = be_impatient};
    struct fewest_gen_result result;
    struct fewest_error error;
    if (fewest_gen_make(text, length, &options, &result, &error)) {
        struct fewest *table = fewest_open_buffer(result.bytes, result.length, &error);
        cr_assert(table, "%s", error.text);
        fewest_close(table);
    } else {
        cr_expect_null(result.bytes);
        cr_expect_lt(strlen(error.text), sizeof error.text);
        cr_expect_eq(strspn(error.text, "\n"), 0);
    }
    fewest_gen_free(&result);
}

Test(fewest_gen, a_text_that_is_cut_or_changed_anywhere_makes_no_harm)
{
    static const char *const TEXTS[] = {SLIDE, TURNS, CUBES, DATABASES, BRAID};
    static const char CHANGES[] = "\0\n\r 019-*#\xFF\x80nE";
    for (size_t t = 0; t < sizeof TEXTS / sizeof *TEXTS; t++) {
        size_t length = strlen(TEXTS[t]);
        for (size_t cut = 0; cut <= length; cut += 1 + length / 60) {
            char *text = malloc(cut + 1); // exact, so that a sanitizer sees a byte read too many
            memcpy(text, TEXTS[t], cut);
            char *exact = realloc(text, cut > 0 ? cut : 1);
            throw(exact, cut);
            free(exact);
        }
        for (unsigned round = 0; round < 200; round++) {
            char *text = strdup(TEXTS[t]);
            text[support_random_below((unsigned)length)] =
                CHANGES[support_random_below(sizeof CHANGES - 1)];
            throw(text, length);
            free(text);
        }
    }
}

Test(fewest_gen, a_table_or_a_long_text_is_no_definition)
{
    struct generated game = support_generate_game();
    struct fewest_gen_result result;
    struct fewest_error error;
    cr_assert_not(fewest_gen_make((const char *)game.bytes, game.length, NULL, &result, &error));
    cr_expect_eq(result.fault, FEWEST_GEN_DEFINITION, "%s", error.text);
    free(game.bytes);
    enum { LENGTH = 3 << 20 };
    char *text = malloc(LENGTH);
    for (unsigned fill = 0; fill < 3; fill++) {
        memset(text, "\n \0"[fill], LENGTH);
        cr_assert_not(fewest_gen_make(text, LENGTH, NULL, &result, &error));
        cr_expect_eq(error.status, FEWEST_BAD_INPUT, "%s", error.text);
    }
    free(text);
}
