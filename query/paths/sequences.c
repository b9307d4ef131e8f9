// Counts the sequences of moves that lead from a root to each index.
#include "sequences.h"

#include "paths.h"
#include "query/answer/distance.h"
#include "tables/algebra/pages.h"
#include "tables/base/array.h"

#include <stdlib.h>

enum { GRAIN = 1 << 14 }; // indices that a thread takes at once, about

// The count of a root.
struct count {
    struct sequences *sequences;
    struct work work;
    unsigned root;
    const struct unpacked *section;
    struct pages pages;
    uint64_t indices;
    int distance;               // of the layer
    struct fewest_wide largest; // number of the layer
};

// ---- Work in parts ------------------------------------------------------------------------------

// The parallel_part of all work: does a part of it, unless another one has failed.
static void do_part(void *context, uint64_t begin, uint64_t end)
{
    struct work *work = context;
    struct fewest_error error;
    pthread_mutex_lock(&work->lock);
    bool failed = work->failed;
    pthread_mutex_unlock(&work->lock);
    if (failed) {
        return;
    }
    bool done = work->part(work->context, begin, end, &error);
    pthread_mutex_lock(&work->lock);
    work->done += end - begin;
    done = done && table_watches_on(work->table, "the paths", work->done, work->count, &error);
    if (!done && !work->failed) {
        work->failed = true;
        *work->error = error;
    }
    pthread_mutex_unlock(&work->lock);
}

bool work_do(struct work *work, uint64_t count, uint64_t grain)
{
    work->count = count;
    work->done = 0;
    work->failed = false;
    if (pthread_mutex_init(&work->lock, NULL) != 0) {
        return error_no_memory(work->error, "for a lock");
    }
    parallel_for(work->table->options.threads, count, grain, do_part, work);
    pthread_mutex_destroy(&work->lock);
    return !work->failed;
}

// ---- A layer ------------------------------------------------------------------------------------

// Finds the nodes of the layer: neighbours of the layer before that have no distance yet. The table
// does not tell the distances of nodes.
static void find_nodes(struct count *count)
{
    const struct puzzle *puzzle = &count->work.table->puzzle;
    uint8_t *distances = count->sequences->distances;
    uint64_t neighbours[MOVES_MOST];
    for (uint64_t i = 0; i < count->indices; i++) {
        if (distances[i] != count->distance - 1) {
            continue;
        }
        puzzle_neighbours(puzzle, count->root, i, neighbours);
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            if (neighbours[m] != INDEX_NONE && distances[neighbours[m]] == NO_DISTANCE) {
                distances[neighbours[m]] = (uint8_t)count->distance;
            }
        }
    }
}

// Begins with the root alone.
static bool begin_nodes(struct count *count)
{
    const struct puzzle *puzzle = &count->work.table->puzzle;
    uint64_t root = puzzle_rank(puzzle, count->root, puzzle->numbering.roots[count->root].target);
    memset(count->sequences->distances, NO_DISTANCE, count->indices);
    count->sequences->distances[root] = 0;
    count->sequences->low[root] = 1;
    return true;
}

// Reads the distances of the indices begin … end-1. The numbers at distance 0 are 1.
static bool read_distances(void *context, uint64_t begin, uint64_t end, struct fewest_error *error)
{
    struct count *count = context;
    const struct sequences *sequences = count->sequences;
    struct stride stride = {.step = 1};
    for (stride.first = begin; stride.first < end; stride.first += stride.count) {
        uint64_t left = end - stride.first;
        stride.count = left < STRIDE_MOST ? (unsigned)left : STRIDE_MOST;
        if (!table_read_stride(count->work.table, count->section, &stride, error)) {
            return false;
        }
        memcpy(sequences->distances + stride.first, stride.distances, stride.count);
        for (unsigned i = 0; i < stride.count; i++) {
            sequences->low[stride.first + i] = stride.distances[i] == 0;
        }
    }
    return true;
}

// Adds the number of an index of the layer before to that of a neighbour, if that is in the layer.
// Any threads may do so at once: sums do not depend on their order. Returns false if the sum has
// more than 128 bits.
static inline bool add_to(const struct count *count, uint64_t from, uint64_t to)
{
    const struct sequences *sequences = count->sequences;
    if (sequences->distances[to] != count->distance) {
        return true;
    }
    uint64_t more = sequences->low[from];
    bool carry = atomic_fetch_add(&sequences->low[to], more) > UINT64_MAX - more;
    if (!sequences->high) {
        return true; // widen has made sure that all numbers fit
    }
    uint64_t high = sequences->high[from];
    return (!carry || atomic_fetch_add(&sequences->high[to], 1) < UINT64_MAX) &&
           atomic_fetch_add(&sequences->high[to], high) <= UINT64_MAX - high;
}

// Adds the numbers of the indices begin … end-1 in the layer before to those of their neighbours.
static bool extend_indices(void *context, uint64_t begin, uint64_t end, struct fewest_error *error)
{
    const struct count *count = context;
    const struct puzzle *puzzle = &count->work.table->puzzle;
    uint64_t neighbours[MOVES_MOST];
    bool fits = true;
    for (uint64_t i = begin; i < end; i++) {
        if (count->sequences->distances[i] != count->distance - 1) {
            continue;
        }
        puzzle_neighbours(puzzle, count->root, i, neighbours);
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            fits = (neighbours[m] == INDEX_NONE || add_to(count, i, neighbours[m])) && fits;
        }
    }
    return fits || wide_report(error);
}

// Does the same for the pages begin … end-1: the 88,179,840 corners of the 3x3x3 take a seventh of
// the time (2026-11).
static bool extend_pages(void *context, uint64_t begin, uint64_t end, struct fewest_error *error)
{
    const struct count *count = context;
    const struct pages *pages = &count->pages;
    struct chain_step room[MOVES_MOST];
    uint16_t offsets[CHAIN_PAGE_MOST]; // in the layer before
    bool fits = true;
    for (uint64_t page = begin; page < end; page++) {
        uint64_t first = page * pages->page_size;
        unsigned listed = 0;
        for (unsigned o = 0; o < pages->page_size; o++) {
            if (count->sequences->distances[first + o] == count->distance - 1) {
                offsets[listed++] = (uint16_t)o;
            }
        }
        const struct chain_step *steps = listed > 0 ? pages_steps(pages, page, room) : NULL;
        for (unsigned m = 0; steps && m < pages_step_count(pages); m++) {
            if (steps[m].page == CHAIN_PAGE_NONE) {
                continue;
            }
            const uint16_t *map = chain_pages_map(pages->cut, steps[m].map);
            uint64_t to = (uint64_t)steps[m].page * pages->page_size;
            for (unsigned i = 0; i < listed; i++) {
                fits = add_to(count, first + offsets[i], to + map[offsets[i]]) && fits;
            }
        }
    }
    return fits || wide_report(error);
}

// Finds the largest number of the layer among the indices begin … end-1. Each must have one.
static bool find_largest(void *context, uint64_t begin, uint64_t end, struct fewest_error *error)
{
    struct count *count = context;
    struct fewest_wide largest = {.low = 0};
    bool is_reached = true;
    for (uint64_t i = begin; i < end; i++) {
        if (count->sequences->distances[i] == count->distance) {
            struct fewest_wide number = sequences_at(count->sequences, i);
            largest = wide_is_more(number, largest) ? number : largest;
            is_reached = is_reached && (number.low > 0 || number.high > 0);
        }
    }
    pthread_mutex_lock(&count->work.lock);
    count->largest = wide_is_more(largest, count->largest) ? largest : count->largest;
    pthread_mutex_unlock(&count->work.lock);
    return is_reached || report_no_step(count->distance, error);
}

// ---- All layers ---------------------------------------------------------------------------------

// Makes room for numbers above 64 bits if the next layer may have some.
static bool widen(struct count *count)
{
    struct sequences *sequences = count->sequences;
    bool is_small = count->largest.high == 0 &&
                    count->largest.low <= UINT64_MAX / (count->work.table->puzzle.move_count + 1);
    if (sequences->high || is_small) {
        return true;
    }
    sequences->high = array_make(count->indices, sizeof *sequences->high);
    return sequences->high || error_no_memory(count->work.error, "for the numbers of paths");
}

// Finds the numbers of all layers, one after the other.
static bool count_layers(struct count *count)
{
    const uint64_t page_size = count->pages.page_size;
    struct work *work = &count->work;
    const bool are_nodes = puzzle_hides_nodes(&work->table->puzzle, count->root);
    const int most = are_nodes ? DISTANCE_MOST : (int)count->section->section->largest;
    work->part = read_distances;
    bool done = are_nodes ? begin_nodes(count) : work_do(work, count->indices, GRAIN);
    for (int d = 1; done && d <= most && count->largest.low + count->largest.high > 0; d++) {
        done = widen(count);
        count->distance = d;
        if (are_nodes) {
            find_nodes(count);
        }
        work->part = page_size > 0 ? extend_pages : extend_indices;
        done = done &&
               (page_size > 0 ? work_do(work, count->pages.page_count, (GRAIN - 1) / page_size + 1)
                              : work_do(work, count->indices, GRAIN));
        count->largest = (struct fewest_wide){.low = 0};
        work->part = find_largest;
        done = done && work_do(work, count->indices, GRAIN);
    }
    return done;
}

bool sequences_count(struct sequences *sequences, struct fewest *table, unsigned root,
                     struct fewest_error *error)
{
    const struct numbering *numbering = &table->puzzle.numbering;
    struct count count = {.sequences = sequences,
                          .work = {.table = table, .error = error},
                          .root = root,
                          .section = &table->sections[SECTION_STATES][root],
                          .indices = puzzle_node_count(&table->puzzle, root),
                          .largest = {.low = 1}};
    count.work.context = &count;
    sequences->distances = array_make(count.indices, sizeof *sequences->distances);
    sequences->low = array_make(count.indices, sizeof *sequences->low);
    if (!sequences->distances || !sequences->low) {
        return error_no_memory(error, "for the numbers of paths");
    }
    if (!pages_make(&count.pages, numbering->roots[root].chain, error)) {
        return false;
    }
    bool done = count_layers(&count);
    pages_free(&count.pages);
    return done;
}

void sequences_free(struct sequences *sequences)
{
    free(sequences->distances);
    free(sequences->low);
    free(sequences->high);
}
