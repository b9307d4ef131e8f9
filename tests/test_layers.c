// Tests the file that holds the layers of a large search: against a plain array, with a file that
// ends too early, and in searches that are stopped and resumed.
#include "checkpoint.h"
#include "layer_file.h"
#include "puzzle/compile.h"
#include "support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NO_LAYER = 0xFF };

// ---- The file of the layers ---------------------------------------------------------------------

// Gives each entry a random layer. In some runs of entries a layer is dense, in some it is rare.
static void draw_layers(uint8_t *layer_of, size_t count, unsigned layers)
{
    size_t i = 0;
    while (i < count) {
        size_t end = i + 1 + support_random_below(100000);
        unsigned one_of = 1u << support_random_below(14);
        unsigned usual = support_random_below(2) ? NO_LAYER : support_random_below(layers);
        for (; i < count && i < end; i++) {
            bool rare = support_random_below(one_of) == 0;
            layer_of[i] = (uint8_t)(rare ? support_random_below(layers) : usual);
        }
    }
}

// Writes the parts of each layer in a random order, as threads do.
static void write_layers(struct layer_file *file, const uint8_t *layer_of, size_t count,
                         unsigned layers)
{
    static uint64_t bits[LAYER_CHUNK / 64];
    static struct layer_part part;
    struct fewest_error error;
    for (unsigned layer = 0; layer < layers; layer++) {
        cr_assert(layer_file_begin(file, &error), "%s", error.text);
        uint64_t shift = support_random_below((unsigned)file->part_count);
        for (uint64_t p = 0; p < file->part_count; p++) {
            uint64_t number = (p + shift) % file->part_count;
            layer_part_begin(&part);
            for (unsigned chunk = 0; chunk < LAYER_CHUNKS_A_PART; chunk++) {
                size_t first = number * LAYER_PART + (size_t)chunk * LAYER_CHUNK;
                unsigned entries = 0;
                memset(bits, 0, sizeof bits);
                for (size_t i = first; i < first + LAYER_CHUNK && i < count; i++) {
                    uint64_t is_in = layer_of[i] == layer;
                    bits[(i - first) / 64] |= is_in << (i - first) % 64;
                    entries += (unsigned)is_in;
                }
                if (entries > 0) {
                    layer_part_add(&part, chunk, bits);
                }
            }
            cr_assert(layer_file_write(file, number, &part));
        }
        layer_file_end(file);
    }
}

// Reads random runs of entries, and all of them. Returns the number of wrong entries.
static size_t count_wrong(const struct layer_file *file, const uint8_t *layer_of, size_t count)
{
    struct fewest_error error;
    uint8_t *read = malloc(count);
    size_t wrong = 0;
    cr_assert(read);
    for (unsigned round = 0; round < 100; round++) {
        size_t first = round == 0 ? 0 : support_random_below((unsigned)count);
        size_t most = count - first < 100000 ? count - first : 100000;
        size_t length = round == 0 ? count : 1 + support_random_below((unsigned)most);
        memset(read, NO_LAYER, length);
        cr_assert(layer_file_read(file, first, length, read, &error), "%s", error.text);
        for (size_t i = 0; i < length; i++) {
            wrong += read[i] != layer_of[first + i];
        }
    }
    free(read);
    return wrong;
}

Test(layers, the_file_tells_the_layer_of_each_entry)
{
    enum { LAYERS = 20 };
    for (unsigned round = 0; round < 6; round++) {
        size_t count = round == 0 ? 1 : 1 + support_random_below(4 * LAYER_PART);
        uint8_t *layer_of = malloc(count);
        struct layer_file file;
        struct fewest_error error;
        cr_assert(layer_of);
        draw_layers(layer_of, count, LAYERS);
        layer_file_make(&file, count, NULL);
        write_layers(&file, layer_of, count, LAYERS);
        cr_expect_eq(count_wrong(&file, layer_of, count), 0);
        cr_expect_leq(file.length, layer_file_most(count) + LAYERS * file.part_count * 2048);
        layer_of[count / 2] ^= 1;
        cr_expect_gt(count_wrong(&file, layer_of, count), 0, "a wrong entry is noticed");
        layer_of[count / 2] ^= 1;
        if (file.length > 0) {
            cr_assert_eq(ftruncate(file.file, (off_t)file.length - 1), 0);
            cr_expect_not(layer_file_read(&file, 0, count, layer_of, &error));
            cr_expect(strstr(error.text, ": can't read a temporary file in this folder: "), "%s",
                      error.text);
        }
        layer_file_free(&file);
        free(layer_of);
    }
}

// ---- Checkpoints of a large search --------------------------------------------------------------

// Stops a search when it was asked `countdown` times.
static bool is_over(void *context)
{
    int *countdown = context;
    return --*countdown < 0;
}

static void ignore(void *context, const char *text)
{
    (void)context;
    (void)text;
}

// Searches with a checkpoint at `path`. Returns the status.
static enum fewest_status run(const char *text, const char *path,
                              const struct search_options *options, struct generated *generated)
{
    struct checkpoint checkpoint;
    struct fewest_error error = {.status = FEWEST_OK};
    struct search_options own = *options;
    own.checkpoint = &checkpoint;
    own.warn = ignore;
    bool done = checkpoint_open(&checkpoint, path, text, strlen(text), METRIC_POWERS, &error) &&
                generate_in_memory(text, strlen(text), METRIC_POWERS, &own, generated, &error);
    checkpoint_close(&checkpoint, done);
    return done ? FEWEST_OK : error.status;
}

// Without wildcard targets, a search may have two bits.
static void check_narrow(const char *text)
{
    struct search_options options = {.narrow_least = 1};
    struct puzzle puzzle;
    struct fewest_error error;
    cr_assert(puzzle_compile(&puzzle, text, strlen(text), METRIC_POWERS, &error), "%s", error.text);
    cr_assert(puzzle_number_wildcards(&puzzle, &error), "%s", error.text);
    cr_assert_eq(search_bits(&puzzle, 0, &options), NARROW_BITS, "%s", text);
    puzzle_free(&puzzle);
}

static void stop_and_resume(const char *text)
{
    char folder[] = "/tmp/layers.XXXXXX";
    char path[64];
    unsigned stops = 0;
    struct search_options plain = {.threads = 1};
    struct generated whole;
    struct generated resumed;
    struct fewest_error error;
    cr_assert(mkdtemp(folder));
    check_narrow(text);
    snprintf(path, sizeof path, "%s/saved", folder);
    cr_assert(generate_in_memory(text, strlen(text), METRIC_POWERS, &plain, &whole, &error));
    for (int patience = 1;; patience += 1 + patience / 4) {
        int countdown = patience;
        struct search_options options = {.threads = 1 + stops % 3,
                                         .folder = folder,
                                         .stopped = is_over,
                                         .context = &countdown,
                                         .narrow_least = 1};
        enum fewest_status status = run(text, path, &options, &resumed);
        if (status == FEWEST_OK) {
            break;
        }
        cr_assert_eq(status, FEWEST_STOPPED);
        stops++;
        // With eight bits, it is another search: the checkpoint is not taken.
        struct search_options wide = {.threads = 1};
        bool saved = access(path, F_OK) == 0; // nothing is saved while the table is packed
        cr_expect(!saved || run(text, path, &wide, &resumed) == FEWEST_DAMAGED);
    }
    cr_expect_gt(stops, 3);
    cr_expect_eq(resumed.length, whole.length);
    cr_expect_arr_eq(resumed.bytes, whole.bytes, whole.length, "%s", text);
    cr_expect_eq(rmdir(folder), 0, "nothing is left");
    free(resumed.bytes);
    free(whole.bytes);
}

Test(layers, a_large_search_that_is_stopped_again_and_again_ends_with_the_same_table)
{
    stop_and_resume("Name dials\nSet A 1 32\nSet B 1 27\nSet C 1 25\nSolved\nEnd\n"
                    "Move T\nA\n1\n1\nB\n1\n1\nEnd\nMove U\nA\n1\n1\nC\n1\n1\nEnd\n");
    stop_and_resume("Name turns\nSet X 5 4\nSolved\nEnd\nMove A\nX\n2 3 4 5 1\n1 0 0 0 0\nEnd\n"
                    "Move B\nX\n3 1 2 4 5\n0 1 1 0 1\nEnd\n");
    stop_and_resume("Name ring\nSet X 9 1\nSet Y 1 2\nSolved\nEnd\n"
                    "Move A\nX\n2 3 4 5 6 7 8 9 1\nY\n1\n1\nEnd\n"
                    "Move B\nX\n3 1 2 4 5 6 7 8 9\nEnd\n");
    // The first layer has three states.
    stop_and_resume("Name beads\nSet X 16 1\nSolved\nX\n1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2\nEnd\n"
                    "Goal\nX\n2 2 2 2 2 2 2 2 1 1 1 1 1 1 1 1\nEnd\n"
                    "Goal\nX\n1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2\nEnd\n"
                    "Move A\nX\n2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1\nEnd\n"
                    "Move B\nX\n2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 16\nEnd\n");
}
