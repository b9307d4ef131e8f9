// Tests the file that holds the layers of a large search: against a plain array, with a file that
// ends too early, and in searches that are stopped and resumed.
#include "gen/layers/eight_bytes.h"
#include "gen/layers/layers.h"
#include "tables/file/format.h"
#include "tests/tools/support.h"

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

// Marks the entries of each layer, and adds it.
static void add_layers(struct layers *layers, const uint8_t *layer_of, size_t count, unsigned most)
{
    struct marks marks;
    struct fewest_error error;
    cr_assert(marks_make(&marks, count, 2, &error));
    for (unsigned layer = 0; layer < most; layer++) {
        uint64_t states = 0;
        for (size_t i = 0; i < count; i++) {
            if (layer_of[i] == layer) {
                states += marks_add(&marks, i, mark_of_layer(layer));
            }
        }
        cr_assert(layers_add(layers, &marks, states, 1 + layer % 3, &error), "%s", error.text);
    }
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(marks_get(&marks, i), layer_of[i] == NO_LAYER    ? MARK_NONE
                                           : layer_of[i] + 1u == most ? mark_of_layer(most - 1)
                                                                      : MARK_OLD);
    }
    marks_free(&marks);
}

// Reads random runs of entries, and all of them. Returns the number of wrong entries.
static size_t count_wrong(const struct layers *layers, const uint8_t *layer_of, size_t count)
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
        cr_assert(layers_read(layers, first, length, read, &error), "%s", error.text);
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
        struct layers layers;
        struct fewest_error error;
        cr_assert(layer_of);
        draw_layers(layer_of, count, LAYERS);
        layer_file_begin(&file, NULL);
        layers_begin(&layers, (struct file_search){&file, 0}, count);
        add_layers(&layers, layer_of, count, LAYERS);
        cr_expect_eq(count_wrong(&layers, layer_of, count), 0);
        cr_expect_leq(file.length, layers_most(count) + LAYERS * layers.part_count * 2048);
        layer_of[count / 2] ^= 1;
        cr_expect_gt(count_wrong(&layers, layer_of, count), 0, "a wrong entry is noticed");
        layer_of[count / 2] ^= 1;
        if (file.length > 0) {
            cr_assert_eq(ftruncate(file.file, (off_t)file.length - 8), 0); // not only what fills up
            cr_expect_not(layers_read(&layers, 0, count, layer_of, &error));
            cr_expect(strstr(error.text, ": can't read a temporary file in this folder: "), "%s",
                      error.text);
        }
        layers_free(&layers);
        layer_file_close(&file, true);
        free(layer_of);
    }
}

// ---- Checkpoints --------------------------------------------------------------------------------

static unsigned warnings;

// Stops a search when it was asked `countdown` times. Counts the warnings.
static bool watch(void *context, const struct fewest_gen_progress *progress)
{
    int *countdown = context;
    if (progress->event == FEWEST_GEN_WARNING) {
        warnings++;
        cr_expect(strstr(progress->text, "of this checkpoint is damaged; it is searched again, and "
                                         "so are the layers after it"),
                  "%s", progress->text);
    }
    return progress->event != FEWEST_GEN_GOING || --*countdown >= 0;
}

// Searches with a checkpoint, and stops when it was asked `patience` times. Returns the status.
static enum fewest_status run(const char *text, const char *path, unsigned threads, int patience,
                              struct generated *generated, struct fewest_error *error)
{
    struct layer_file checkpoint;
    struct search_options options = {
        .threads = threads, .watch = watch, .context = &patience, .checkpoint = &checkpoint};
    bool done = layer_file_open(&checkpoint, path, text, strlen(text), METRIC_POWERS, error) &&
                generate_in_memory(text, strlen(text), METRIC_POWERS, &options, generated, error);
    layer_file_close(&checkpoint, done);
    return done ? FEWEST_OK : error->status;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static void cr_expect_same(const struct generated *made, const struct generated *whole,
                           const char *text)
{
    cr_assert_eq(made->length, whole->length, "%s", text);
    cr_assert(memcmp(made->bytes, whole->bytes, whole->length) == 0, "%s", text);
    free(made->bytes);
}

// Makes a folder, and fills in the path of a checkpoint in it. In memory, if possible, because a
// checkpoint flushes the disk after each layer.
static void make_folder(char folder[64], char path[80])
{
    const char *parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, 64, "%s/layers.XXXXXX", parent);
    cr_assert(mkdtemp(folder));
    snprintf(path, 80, "%s/saved", folder);
}

static void stop_and_resume(const char *text)
{
    char folder[64];
    char path[80];
    unsigned stops = 0;
    struct generated whole = support_generate(text, strlen(text), METRIC_POWERS);
    struct generated resumed;
    struct fewest_error error;
    make_folder(folder, path);
    for (int patience = 1;; patience += 1 + patience / 4) {
        enum fewest_status status = run(text, path, 1 + stops % 3, patience, &resumed, &error);
        if (status == FEWEST_OK) {
            break;
        }
        cr_assert_eq(status, FEWEST_STOPPED, "%s", error.text);
        cr_expect(is_there(path));
        stops++;
    }
    cr_expect_gt(stops, 3);
    cr_expect_same(&resumed, &whole, text);
    cr_expect_eq(rmdir(folder), 0, "nothing is left");
    free(whole.bytes);
}

static const char DIALS[] = "Name dials\nSet A 1 32\nSet B 1 27\nSet C 1 25\nSolved\nEnd\n"
                            "Move T\nA\n1\n1\nB\n1\n1\nEnd\nMove U\nA\n1\n1\nC\n1\n1\nEnd\n";
static const char TURNS[] =
    "Name turns\nSet X 5 4\nSolved\nEnd\nMove A\nX\n2 3 4 5 1\n1 0 0 0 0\nEnd\n"
    "Move B\nX\n3 1 2 4 5\n0 1 1 0 1\nEnd\n";
static const char RING[] = "Name ring\nSet X 9 1\nSet Y 1 2\nSolved\nEnd\n"
                           "Move A\nX\n2 3 4 5 6 7 8 9 1\nY\n1\n1\nEnd\n"
                           "Move B\nX\n3 1 2 4 5 6 7 8 9\nEnd\n";
// The first layer has three states.
static const char BEADS[] = "Name beads\nSet X 16 1\nSolved\nX\n1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2\n"
                            "End\nGoal\nX\n2 2 2 2 2 2 2 2 1 1 1 1 1 1 1 1\nEnd\n"
                            "Goal\nX\n1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2\nEnd\n"
                            "Move A\nX\n2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1\nEnd\n"
                            "Move B\nX\n2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 16\nEnd\n";
// Some states are illegal.
static const char GATED[] =
    "Name gated\nSet X 5 4\nSolved\nEnd\nMove A\nX\n2 3 4 5 1\n1 0 0 0 0\nEnd\n"
    "Move B\nX\n3 1 2 4 5\n0 1 1 0 1\nEnd\nIllegal X 1 2\nIllegal X 4 3 5\n";
// Two searches, one for each root. Then wildcard targets are made from them.
static const char SLIDE[] = "Name slide\nSlide 2 3\n";
// The search has more states than the table shows.
static const char CUBES[] = "Name cubes\nRoll 2 3\n";

Test(layers, a_search_that_is_stopped_again_and_again_ends_with_the_same_table)
{
    stop_and_resume(DIALS);
    stop_and_resume(TURNS);
    stop_and_resume(RING);
    stop_and_resume(BEADS);
    stop_and_resume(GATED);
    stop_and_resume(SLIDE);
    stop_and_resume(CUBES);
}

static void write_file(const char *path, const uint8_t *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

// Stops a search when it has about half of its layers. Returns the bytes of its checkpoint.
static uint8_t *stop_half_way(const char *text, const char *path, size_t *length)
{
    struct generated generated;
    struct fewest_error error;
    int patience = 2;
    while (run(text, path, 1, patience, &generated, &error) == FEWEST_STOPPED) {
        unlink(path);
        patience *= 2;
    }
    free(generated.bytes);
    cr_assert_eq(run(text, path, 1, patience / 4, &generated, &error), FEWEST_STOPPED);
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(1 << 20);
    cr_assert(file && bytes);
    *length = fread(bytes, 1, 1 << 20, file);
    cr_assert_eq(fclose(file), 0);
    return bytes;
}

// The search ends with the same table.
static void go_on(const char *text, const char *path, const struct generated *whole)
{
    struct generated resumed;
    struct fewest_error error;
    cr_assert_eq(run(text, path, 2, 1 << 30, &resumed, &error), FEWEST_OK, "%s", error.text);
    cr_expect_same(&resumed, whole, text);
    cr_expect_not(is_there(path));
}

// The beginning of the file tells whose it is. If it is damaged, the file stays.
static void refuse(const char *text, const char *path)
{
    struct generated resumed;
    struct fewest_error error;
    cr_assert_eq(run(text, path, 2, 1 << 30, &resumed, &error), FEWEST_DAMAGED, "%s", text);
    cr_expect(is_there(path));
}

// A checkpoint that ends anywhere is no damage. A byte that was changed is one, but not an error.
static void damage(const char *text, unsigned rounds)
{
    char folder[64];
    char path[80];
    size_t length;
    struct generated whole = support_generate(text, strlen(text), METRIC_POWERS);
    make_folder(folder, path);
    uint8_t *bytes = stop_half_way(text, path, &length);
    cr_assert_gt(length, 4 * TRAILER_BYTES);
    unsigned before = warnings;
    for (unsigned round = 0; round < rounds; round++) {
        size_t end = TRAILER_BYTES + support_random_below((unsigned)(length - TRAILER_BYTES));
        write_file(path, bytes, end);
        go_on(text, path, &whole);
    }
    cr_expect_eq(warnings, before);
    for (unsigned round = 0; round < rounds; round++) {
        size_t at = support_random_below((unsigned)length);
        uint8_t changed = (uint8_t)(1 + support_random_below(255));
        bytes[at] ^= changed;
        write_file(path, bytes, length);
        if (at < TRAILER_BYTES) {
            refuse(text, path);
        } else {
            go_on(text, path, &whole);
        }
        bytes[at] ^= changed;
    }
    before = warnings;
    bytes[TRAILER_BYTES + 8] ^= 16; // the first chunk seems to be longer
    write_file(path, bytes, 2 * TRAILER_BYTES);
    go_on(text, path, &whole);
    cr_expect_eq(warnings, before, "an interrupted layer is no damage");
    write_file(path, bytes, length);
    go_on(text, path, &whole);
    cr_expect_eq(warnings, before + 1, "whole layers follow");
    write_file(path, bytes, length - 8);
    go_on(text, path, &whole);
    cr_expect_eq(warnings, before + 2, "whole layers and an interrupted one follow");
    unlink(path);
    cr_expect_eq(rmdir(folder), 0, "nothing is left");
    free(bytes);
    free(whole.bytes);
}

Test(layers, a_checkpoint_that_was_cut_or_changed_leads_to_the_same_table)
{
    damage(TURNS, 60);
    damage(RING, 6);
    damage(SLIDE, 60);
    cr_expect_gt(warnings, 10);
}

// ---- Forged checkpoints -------------------------------------------------------------------------

enum { HASH = 7 * 8, OWN_HASH = 8 * 8, LENGTHS = 2 * LAYER_CHUNKS_A_PART };

// Where the part at this place ends, or 0 if it is none.
static size_t end_of_part(const uint8_t *bytes, size_t length, size_t at)
{
    size_t chunks = at + 8 + LENGTHS;
    size_t end = chunks;
    for (size_t i = at + 8; i < chunks && chunks <= length; i += 2) {
        end += bytes[i] | (size_t)bytes[i + 1] << 8;
    }
    end = (end + 7) / 8 * 8;
    return end <= length ? end : 0;
}

// What a layer's checksum has besides those of its parts.
static uint64_t find_salt(const uint8_t *bytes, size_t length)
{
    uint64_t hash = 0;
    size_t at = TRAILER_BYTES;
    while (memcmp(bytes + at, bytes, 8) != 0) {
        size_t end = end_of_part(bytes, length, at);
        hash += format_hash(bytes + at, end - at);
        at = end;
    }
    return load_eight(bytes + at + HASH) - hash;
}

// Changes a byte, and then makes all checksums right that can be found.
static void forge(uint8_t *bytes, size_t length, uint64_t salt)
{
    uint64_t hash = salt;
    bytes[TRAILER_BYTES + support_random_below((unsigned)(length - TRAILER_BYTES))] =
        (uint8_t)support_random();
    for (size_t at = TRAILER_BYTES; at + TRAILER_BYTES <= length;) {
        if (memcmp(bytes + at, bytes, 8) == 0) {
            store_eight(bytes + at + HASH, hash);
            store_eight(bytes + at + OWN_HASH, format_hash(bytes + at, OWN_HASH));
            at += TRAILER_BYTES;
            hash = salt;
            continue;
        }
        size_t end = end_of_part(bytes, length, at);
        if (end == 0) {
            return;
        }
        hash += format_hash(bytes + at, end - at);
        at = end;
    }
}

static void forge_checkpoints(const char *text, unsigned rounds)
{
    char folder[64];
    char path[80];
    size_t length;
    unsigned wrong = 0;
    struct generated whole = support_generate(text, strlen(text), METRIC_POWERS);
    struct generated made;
    struct fewest_error error;
    make_folder(folder, path);
    uint8_t *bytes = stop_half_way(text, path, &length);
    uint8_t *forged = malloc(length);
    cr_assert(forged);
    for (unsigned round = 0; round < rounds; round++) {
        memcpy(forged, bytes, length);
        for (unsigned times = 1 + support_random_below(4); times > 0; times--) {
            forge(forged, length, find_salt(bytes, length));
        }
        write_file(path, forged, length);
        if (run(text, path, 2, 1 << 30, &made, &error) == FEWEST_OK) {
            wrong +=
                made.length != whole.length || memcmp(made.bytes, whole.bytes, whole.length) != 0;
            free(made.bytes);
        }
    }
    cr_expect_gt(wrong, 0, "some forged layers are taken");
    unlink(path);
    cr_expect_eq(rmdir(folder), 0);
    free(forged);
    free(bytes);
    free(whole.bytes);
}

// A forger can make a table wrong, or keep it from being made, but not crash the program.
Test(layers, a_forged_checkpoint_does_no_harm)
{
    forge_checkpoints(TURNS, 100);
    forge_checkpoints(GATED, 100);
    forge_checkpoints(SLIDE, 100);
}
