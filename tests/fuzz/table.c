// Fuzz target: any bytes as a table, first as they are, then with right checksums. A table that
// opens is asked and checked.
//
// scripts/fuzz runs this with libFuzzer. Without libFuzzer, replay.c runs it on the corpus.
#include "tests/tools/support.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void ignore(void *context, const char *text)
{
    (void)context;
    (void)text;
}

static void ask(struct fewest *table)
{
    struct query query;
    struct fewest_error error;
    uint8_t state[FEWEST_CELLS_MOST];
    struct fewest_path path;
    struct fewest_parity parity;
    char text[FEWEST_TEXT_SIZE];
    if (support_farthest(table, NULL, state, &error)) {
        fewest_write_state(table, state, text, &error);
        if (!fewest_read_state(table, "START", text, strlen(text), query.start, &error)) {
            abort(); // a state that we wrote must be readable
        }
        fewest_path(table, query.start, NULL, &path, &error);
        memset(query.target, FEWEST_WILD, sizeof query.target);
        fewest_parity(table, query.start, query.target, &parity, &error);
        query.target[0] = query.start[0];
        fewest_path(table, query.start, query.target, &path, &error);
    }
    fewest_check(table, true, ignore, NULL, &(struct fewest_error){0});
}

// Any bytes may be rows and moves: takes them from the file itself.
static void ask_garbage(struct fewest *table, const uint8_t *bytes, size_t length)
{
    struct query query;
    struct fewest_error error;
    uint8_t state[FEWEST_CELLS_MOST];
    char text[FEWEST_TEXT_SIZE];
    uint64_t number;
    int steps;
    for (unsigned i = 0; i < fewest_info(table)->cell_count; i++) {
        query.start[i] = bytes[7 * i % length] % 4; // small, to be valid now and then
        query.target[i] = bytes[11 * i % length];
    }
    bool valid = fewest_write_state(table, query.start, text, &error);
    if (fewest_steps(table, query.start, query.start, &steps, &error) && !valid) {
        abort();
    }
    fewest_steps(table, query.start, query.target, &steps, &error);
    fewest_apply(table, bytes[0], query.start, state, &error);
    fewest_follow(table, query.start, (const unsigned[]){bytes[0], 0}, 2, state, &error);
    fewest_rank(table, query.start, &number, &error);
    fewest_read_moves(table, query.start, (const char *)bytes, length, state, &error);
}

static bool stop_soon(void *context, const struct fewest_progress *progress)
{
    unsigned *calls = context; // one for each bound, and for every 2^16 nodes
    return progress->bound < 24 && ++*calls < 100;
}

// Asks for a path of a searched puzzle from a state some moves away, and stops the search soon.
static void search(struct fewest *table)
{
    struct fewest_error error;
    uint8_t state[FEWEST_CELLS_MOST];
    struct fewest_path path;
    if (!fewest_read_moves(table, NULL, "", 0, state, &error)) {
        return;
    }
    for (unsigned i = 0; i < 40; i++) {
        fewest_apply(table, i * 7 % fewest_info(table)->move_count, state, state, &error);
    }
    unsigned calls = 0;
    support_set(table, (struct fewest_options){.watch = stop_soon, .watch_context = &calls});
    fewest_path(table, state, NULL, &path, &error);
    support_set(table, (struct fewest_options){.threads = 0}); // the check goes to its end
    fewest_check(table, true, ignore, NULL, &(struct fewest_error){0});
}

static void open_and_ask(const uint8_t *bytes, size_t length)
{
    enum { STATES_TO_CHECK = 4096 }; // a deep check of more would take too long
    struct fewest_error error;
    struct fewest_stats stats;
    struct fewest_classes classes;
    struct fewest_positions positions;
    struct fewest *table = fewest_open_buffer(bytes, length, &error);
    if (!table) {
        return;
    }
    if (fewest_count(table, NULL, &stats, &error) && stats.states <= STATES_TO_CHECK) {
        fewest_count_classes(table, &classes, &error);
        fewest_count_positions(table, &positions, &error);
        ask(table);
        ask_garbage(table, bytes, length);
    }
    if (fewest_info(table)->is_searched && fewest_info(table)->cell_count <= 12) {
        search(table);
    }
    fewest_close(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    uint8_t *copy = malloc(length + 1);
    if (!copy) {
        return 0;
    }
    memcpy(copy, bytes, length);
    open_and_ask(copy, length);
    support_forge_checksums(copy, length);
    open_and_ask(copy, length);
    free(copy);
    return 0;
}
