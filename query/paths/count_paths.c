// Counts the shortest paths of a query: goes from layer to layer with all states that lie on such
// paths, and with the number of ways to each.
#include "paths.h"
#include "walk.h"

#include "query/answer/distance.h"
#include "tables/base/array.h"
#include "tables/base/row_set.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STATES_OF_LAYER_MOST = 10 * 1000 * 1000 };

// The states of a layer that lie on shortest paths, and the number of ways to each.
struct layer {
    struct row_set states;
    struct fewest_wide *ways; // by state
    uint64_t room;
};

struct counting {
    struct walk walk;
    struct layer layer; // at first, START
    struct layer next;
};

static bool open_layer(struct layer *layer, unsigned cells)
{
    row_set_open(&layer->states, cells);
    layer->room = 64;
    layer->ways = array_make(layer->room, sizeof *layer->ways);
    return layer->ways;
}

static void close_layer(struct layer *layer)
{
    row_set_close(&layer->states);
    free(layer->ways);
}

// Adds `more` to a number of paths. Fails if the sum has more than 128 bits.
static bool add_ways(struct fewest_wide *ways, struct fewest_wide more, struct fewest_error *error)
{
    return wide_add(ways, more) || wide_report(error);
}

// Adds to the next layer a state to which `ways` lead.
static bool add_state(struct counting *counting, const uint8_t *state, struct fewest_wide ways)
{
    struct layer *next = &counting->next;
    uint16_t row[CELLS_MOST];
    for (size_t i = 0; i < counting->walk.row_bytes; i++) {
        row[i] = state[i];
    }
    uint32_t number = row_set_add(&next->states, row);
    if (number == ROW_NONE) {
        return error_no_memory(counting->walk.error, "for the paths");
    }
    if (number == STATES_OF_LAYER_MOST) {
        return error_set(counting->walk.error, FEWEST_BEYOND,
                         "more than %d states at one distance lie on shortest paths, too many to "
                         "count the paths",
                         STATES_OF_LAYER_MOST);
    }
    if (number == next->room) {
        struct fewest_wide *longer = realloc(next->ways, 2 * next->room * sizeof *longer);
        if (!longer) {
            return error_no_memory(counting->walk.error, "for the paths");
        }
        memset(longer + next->room, 0, next->room * sizeof *longer);
        next->ways = longer;
        next->room *= 2;
    }
    return add_ways(&next->ways[number], ways, counting->walk.error);
}

// Finds the neighbours of all states of the layer that are `distance` moves from the target. They
// become the new layer.
static bool find_next(struct counting *counting, int distance)
{
    const struct puzzle *puzzle = &counting->walk.table->puzzle;
    struct layer *layer = &counting->layer;
    uint8_t state[CELLS_MOST];
    uint8_t moved[CELLS_MOST];
    for (uint32_t s = 0; s < layer->states.count; s++) {
        const uint16_t *row = row_set_row(&layer->states, s);
        for (size_t i = 0; i < counting->walk.row_bytes; i++) {
            state[i] = (uint8_t)row[i];
        }
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            int found;
            if (!walk_step(&counting->walk, state, m, distance, moved, &found) ||
                (found == distance && !add_state(counting, moved, layer->ways[s]))) {
                return false;
            }
        }
    }
    struct layer before = *layer;
    counting->layer = counting->next;
    counting->next = before;
    row_set_clear(&counting->next.states);
    memset(counting->next.ways, 0, counting->next.room * sizeof *counting->next.ways);
    return true;
}

// Counts the paths from START, and fills in their number. The first layer has only START.
static bool count_all(struct counting *counting, struct fewest_wide *count)
{
    static const struct fewest_wide ONE = {.low = 1};
    uint8_t start[CELLS_MOST];
    bool done =
        walk_start(&counting->walk, counting->walk.steps, start) && add_state(counting, start, ONE);
    struct layer empty = counting->layer;
    counting->layer = counting->next;
    counting->next = empty;
    for (int distance = counting->walk.steps - 1; distance >= 0 && done; distance--) {
        done =
            find_next(counting, distance) && (counting->layer.states.count > 0 ||
                                              report_no_step(distance + 1, counting->walk.error));
    }
    *count = (struct fewest_wide){.low = 0};
    for (uint32_t s = 0; s < counting->layer.states.count && done; s++) {
        done = add_ways(count, counting->layer.ways[s], counting->walk.error);
    }
    return done;
}

bool fewest_count_paths(struct fewest *table, const uint8_t *start, const uint8_t *target,
                        struct fewest_path_count *count, struct fewest_error *error)
{
    struct counting counting;
    *count = (struct fewest_path_count){.steps = FEWEST_UNREACHABLE};
    if (!walk_begin(&counting.walk, table, start, target, error)) {
        return false;
    }
    count->steps = counting.walk.steps;
    if (count->steps == FEWEST_UNREACHABLE) {
        return true;
    }
    bool opened = open_layer(&counting.layer, (unsigned)counting.walk.row_bytes);
    opened = open_layer(&counting.next, (unsigned)counting.walk.row_bytes) && opened;
    bool done =
        opened ? count_all(&counting, &count->paths) : error_no_memory(error, "for the paths");
    walk_end(&counting.walk);
    close_layer(&counting.layer);
    close_layer(&counting.next);
    return done;
}

char *fewest_write_wide(struct fewest_wide number, char text[FEWEST_WIDE_SIZE])
{
    enum { DIGITS = 9, PARTS = 4 };
    static const uint64_t UNIT = 1000000000; // 10^DIGITS
    uint32_t part[PARTS] = {(uint32_t)(number.high >> 32), (uint32_t)number.high,
                            (uint32_t)(number.low >> 32), (uint32_t)number.low};
    char reversed[FEWEST_WIDE_SIZE] = "0";
    unsigned length = 0;
    while (part[0] | part[1] | part[2] | part[3]) {
        uint64_t rest = 0;
        for (unsigned p = 0; p < PARTS; p++) {
            rest = rest << 32 | part[p];
            part[p] = (uint32_t)(rest / UNIT);
            rest %= UNIT;
        }
        for (unsigned d = 0; d < DIGITS; d++, rest /= 10) {
            reversed[length++] = (char)('0' + rest % 10);
        }
    }
    while (length > 1 && reversed[length - 1] == '0') {
        length--;
    }
    length = length > 0 ? length : 1; // the number 0
    for (unsigned i = 0; i < length; i++) {
        text[i] = reversed[length - 1 - i];
    }
    text[length] = '\0';
    return text;
}
