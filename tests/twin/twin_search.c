// The naive search that all twins share.
//
// The search tries the moves of each state in order, so it meets the states of each distance in the
// order of their first shortest paths. This is true for the root. If it is true for one distance,
// then states of the next are met in the order of their parent's path, then of the move. That is
// the order of paths of that length, and a state is met when its first path is.
#include "twin_search.h"

#include "twin_misuse.h"

#include <string.h>

enum { ROW_MOST = 256, FIRST_ROOM = 1024 };

const uint8_t *twin_row(const struct twin_states *states, size_t number)
{
    if (number >= states->count) {
        die("a state past the last");
    }
    return states->rows + number * states->row_bytes;
}

static size_t hash_row(const uint8_t *row, size_t bytes)
{
    uint64_t hash = 14695981039346656037u; // FNV-1a, then a shuffle
    for (size_t i = 0; i < bytes; i++) {
        hash = (hash ^ row[i]) * 1099511628211u;
    }
    hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdu;
    return (size_t)(hash ^ hash >> 33);
}

// The entry that has the number of a row, plus 1; or the free entry, 0, where it belongs.
static uint32_t *find_entry(const struct twin_states *states, const uint8_t *row)
{
    if (states->rules.number_row) {
        return &states->table[states->rules.number_row(states->rules.puzzle, row)];
    }
    size_t i = hash_row(row, states->row_bytes) & (states->entries - 1);
    while (states->table[i] &&
           memcmp(twin_row(states, states->table[i] - 1), row, states->row_bytes) != 0) {
        i = (i + 1) & (states->entries - 1);
    }
    return &states->table[i];
}

static void make_room(struct twin_states *states)
{
    states->room = states->room ? 2 * states->room : FIRST_ROOM;
    states->rows = must_grow(states->rows, states->room, states->row_bytes);
    states->origins = must_grow(states->origins, states->room, sizeof *states->origins);
    if (states->rules.number_row && states->table) {
        return;
    }
    states->entries = states->rules.number_row ? states->rules.row_numbers : 2 * states->room;
    free(states->table);
    states->table = must_allocate(states->entries, sizeof *states->table);
    for (size_t n = 0; n < states->count; n++) {
        *find_entry(states, twin_row(states, n)) = (uint32_t)(n + 1);
    }
}

// Adds a state unless it is there.
static void meet(struct twin_states *states, const uint8_t *row, struct twin_origin origin)
{
    if (states->count == states->room) {
        make_room(states);
    }
    uint32_t *entry = find_entry(states, row);
    if (*entry == 0) {
        memcpy(states->rows + states->count * states->row_bytes, row, states->row_bytes);
        states->origins[states->count++] = origin;
        *entry = (uint32_t)states->count;
    }
}

struct twin_states *twin_search(const struct twin_rules *rules, const uint8_t *root, size_t most)
{
    struct twin_states *states = must_allocate(1, sizeof *states);
    if (rules->row_bytes > ROW_MOST || rules->move_count > UINT16_MAX) {
        die("rows too long, or too many moves");
    }
    states->rules = *rules;
    states->row_bytes = rules->row_bytes;
    meet(states, root, (struct twin_origin){0});
    // The states from `n` on are the queue.
    for (size_t n = 0; n < states->count && states->count <= most; n++) {
        uint8_t from[ROW_MOST]; // the rows may move
        uint8_t to[ROW_MOST];
        struct twin_origin origin = {.parent = (uint32_t)n};
        origin.distance = (uint16_t)(states->origins[n].distance + 1);
        memcpy(from, twin_row(states, n), states->row_bytes);
        for (unsigned m = 0; m < rules->move_count; m++) {
            origin.move = (uint16_t)m;
            if (rules->apply(rules->puzzle, m, from, to)) {
                meet(states, to, origin);
            }
        }
    }
    if (states->count > most) {
        twin_free(states);
        return NULL;
    }
    return states;
}

void twin_free(struct twin_states *states)
{
    if (states) {
        free(states->rows);
        free(states->origins);
        free(states->table);
        free(states);
    }
}

size_t twin_find(const struct twin_states *states, const uint8_t *row)
{
    uint32_t entry = *find_entry(states, row);
    return entry ? entry - 1 : states->count;
}

int twin_steps(const struct twin_states *states, size_t number)
{
    return number < states->count ? states->origins[number].distance : -1;
}

size_t twin_find_match(const struct twin_states *states,
                       bool (*matches)(const void *context, const uint8_t *row),
                       const void *context)
{
    size_t n = 0;
    while (n < states->count && !matches(context, twin_row(states, n))) {
        n++;
    }
    return n;
}

int twin_path(const struct twin_states *states, size_t number, unsigned *moves, unsigned room)
{
    int steps = twin_steps(states, number);
    if (steps < 0 || (unsigned)steps > room) {
        die("no path, or one too long for its room");
    }
    // The parents lead backwards, so the path is written from its end.
    for (int i = steps; i > 0; i--) {
        moves[i - 1] = states->origins[number].move;
        number = states->origins[number].parent;
    }
    return steps;
}

size_t twin_histogram(const struct twin_states *states, unsigned long long *counts, size_t room)
{
    memset(counts, 0, room * sizeof *counts);
    for (size_t n = 0; n < states->count; n++) {
        if (states->origins[n].distance >= room) {
            die("a state too far away");
        }
        counts[states->origins[n].distance]++;
    }
    return (size_t)twin_steps(states, states->count - 1) + 1;
}
