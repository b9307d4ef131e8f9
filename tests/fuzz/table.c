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
    struct fewest_query query = {.has_target = true};
    struct fewest_error error;
    uint8_t state[FEWEST_CELLS_MOST];
    unsigned moves[FEWEST_PATH_MOST];
    char reason[FEWEST_ERROR_SIZE];
    char text[FEWEST_TEXT_SIZE];
    bool reachable;
    int steps;
    if (support_farthest(table, NULL, state, &error)) {
        fewest_write_state(table, state, text);
        if (!fewest_read_state(table, text, strlen(text), "START", false, query.start, &error)) {
            abort(); // a state that we wrote must be readable
        }
        query.has_target = false;
        fewest_path(table, &query, moves, &steps, &error);
        query.has_target = true;
        memset(query.target, FEWEST_WILD, sizeof query.target);
        fewest_parity(table, &query, &reachable, reason, &error);
        query.target[0] = query.start[0];
        fewest_path(table, &query, moves, &steps, &error);
    }
    fewest_check(table, true, ignore, NULL, &(struct fewest_error){0});
}

static bool stop_soon(void *context, int bound)
{
    unsigned *calls = context; // one for each bound, and for every 2^16 nodes
    return bound < 24 && ++*calls < 100;
}

// Asks for a path of a searched puzzle from a state some moves away, and stops the search soon.
static void search(struct fewest *table)
{
    struct fewest_query query = {.has_target = false};
    struct fewest_error error;
    uint8_t state[FEWEST_CELLS_MOST];
    unsigned moves[FEWEST_PATH_MOST];
    int steps;
    if (!fewest_read_moves(table, NULL, "", 0, query.start, &error)) {
        return;
    }
    for (unsigned i = 0; i < 40; i++) {
        if (fewest_apply(table, i * 7 % fewest_move_count(table), query.start, state)) {
            memcpy(query.start, state, fewest_cell_count(table));
        }
    }
    unsigned calls = 0;
    fewest_watch(table, stop_soon, &calls);
    fewest_path(table, &query, moves, &steps, &error);
    fewest_check(table, true, ignore, NULL, &(struct fewest_error){0});
}

static void open_and_ask(const uint8_t *bytes, size_t length)
{
    enum { STATES_TO_CHECK = 4096 }; // a deep check of more would take too long
    struct fewest_error error;
    struct fewest_stats stats;
    struct fewest_classes classes;
    struct fewest *table = fewest_open_buffer(bytes, length, &error);
    if (!table) {
        return;
    }
    if (fewest_get_stats(table, NULL, &stats, &error) && stats.states <= STATES_TO_CHECK) {
        fewest_count_classes(table, &classes, &error);
        ask(table);
    }
    if (fewest_is_searched(table) && fewest_cell_count(table) <= 12) {
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
