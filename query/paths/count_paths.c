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

// The ways to a state.
struct way {
    struct fewest_wide count;
    uint64_t undoing; // a bit for each move that undoes the last one of some way
};

// The states of a layer that lie on shortest paths, and the number of ways to each.
struct layer {
    struct row_set states;
    struct way *ways; // by state
    uint64_t room;
};

enum { UNDONE_MOST = 64 }; // moves

struct counting {
    struct walk walk;
    // By move: a bit for the move that undoes it, if that is known. To undo the last move leads
    // farther from the target. Without such moves, the paths of 16 switches take 0.6 of the time
    // (2026-11).
    uint64_t undoing[UNDONE_MOST];
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

// Does one move undo another, in every state?
static bool undoes(const struct puzzle *puzzle, const struct move *move, const struct move *undone)
{
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        unsigned j = move->from[i];
        unsigned turned = move->add[i] + undone->add[j];
        if (undone->from[j] != i ||
            (turned > 0 && turned != puzzle_find_segment(puzzle, i)->symbols)) {
            return false;
        }
    }
    return true;
}

// Finds the moves that undo others, if there are few. Only a permutation puzzle tells.
static void find_undoing(struct counting *counting)
{
    const struct puzzle *puzzle = &counting->walk.table->puzzle;
    bool tells = puzzle->move_count <= UNDONE_MOST && puzzle->moves[0].from;
    memset(counting->undoing, 0, sizeof counting->undoing);
    for (unsigned m = 0; tells && m < puzzle->move_count; m++) {
        for (unsigned u = 0; u < puzzle->move_count; u++) {
            if (undoes(puzzle, &puzzle->moves[u], &puzzle->moves[m])) {
                counting->undoing[m] |= UINT64_C(1) << u;
            }
        }
    }
}

// Adds to the next layer a state to which some ways lead.
static bool add_state(struct counting *counting, const uint8_t *state, struct way way)
{
    struct layer *next = &counting->next;
    uint16_t row[PAIRS_MOST];
    walk_pack(&counting->walk, state, row);
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
        struct way *longer = realloc(next->ways, 2 * next->room * sizeof *longer);
        if (!longer) {
            return error_no_memory(counting->walk.error, "for the paths");
        }
        memset(longer + next->room, 0, next->room * sizeof *longer);
        next->ways = longer;
        next->room *= 2;
    }
    next->ways[number].undoing |= way.undoing;
    return add_ways(&next->ways[number].count, way.count, counting->walk.error);
}

// Finds the neighbours of all states of the layer that are `distance` moves from the target. They
// become the new layer.
static bool find_next(struct counting *counting, int distance)
{
    const struct puzzle *puzzle = &counting->walk.table->puzzle;
    struct layer *layer = &counting->layer;
    uint8_t moved[CELLS_MOST];
    for (uint32_t s = 0; s < layer->states.count; s++) {
        const uint8_t *state = (const uint8_t *)row_set_row(&layer->states, s);
        struct way way = layer->ways[s];
        uint64_t undoing = way.undoing;
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            int found;
            if (m < UNDONE_MOST && (undoing >> m & 1)) {
                continue;
            }
            if (!walk_step(&counting->walk, state, m, distance, moved, &found)) {
                return false;
            }
            way.undoing = m < UNDONE_MOST ? counting->undoing[m] : 0;
            if (found == distance && !add_state(counting, moved, way)) {
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
    static const struct way ONE = {.count = {.low = 1}};
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
        done = add_ways(count, counting->layer.ways[s].count, counting->walk.error);
    }
    return done;
}

bool fewest_count_paths(struct fewest *table, const uint8_t *start, const uint8_t *target,
                        struct fewest_path_count *count, struct fewest_error *error)
{
    struct counting counting;
    *count = (struct fewest_path_count){.steps = FEWEST_UNREACHABLE};
    bool begun = walk_begin(&counting.walk, table, start, target, 0, error);
    count->steps = begun ? counting.walk.steps : FEWEST_UNREACHABLE;
    if (count->steps == FEWEST_UNREACHABLE) {
        walk_end(&counting.walk);
        return begun;
    }
    find_undoing(&counting);
    bool opened = open_layer(&counting.layer, walk_pairs(&counting.walk));
    opened = open_layer(&counting.next, walk_pairs(&counting.walk)) && opened;
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
