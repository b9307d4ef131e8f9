// Fuzz target: any bytes as a definition, compiled in every metric. The table of a small puzzle is
// made and must pass the deep check.
#include "gen/fewest_gen.h"
#include "gen/plan/wildcards.h"
#include "tables/families/compile.h"
#include "tests/tools/support.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void stop(void *context, const char *text)
{
    (void)context;
    (void)text;
    abort(); // a table that we made must pass its own check
}

static void generate(const uint8_t *bytes, size_t length, enum metric metric)
{
    struct fewest_gen_options options = {.metric = (enum fewest_gen_metric)metric, .threads = 1};
    struct fewest_gen_result result;
    struct fewest_error error;
    if (!fewest_gen_make((const char *)bytes, length, &options, &result, &error)) {
        return;
    }
    struct fewest *table = fewest_open_buffer(result.bytes, result.length, &error);
    if (!table) {
        abort();
    }
    fewest_check(table, true, stop, NULL, &(struct fewest_error){0});
    fewest_close(table);
    fewest_gen_free(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    for (enum metric metric = 0; metric < METRIC_COUNT; metric++) {
        enum { STATES_TO_SEARCH = 2000, MOVES_TO_SEARCH = 100 };
        struct puzzle puzzle;
        struct fewest_error error;
        if (puzzle_compile(&puzzle, (const char *)bytes, length, metric, &error)) {
            bool small = !puzzle_is_too_large(&puzzle) &&
                         puzzle.numbering.state_count <= STATES_TO_SEARCH &&
                         puzzle.move_count <= MOVES_TO_SEARCH;
            (void)wildcards_number(&puzzle, &error);
            puzzle_free(&puzzle);
            if (small) {
                generate(bytes, length, metric);
            }
        }
    }
    return 0;
}
