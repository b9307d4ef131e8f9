// Expands the states of the frontier by pages or, if the index has none, by states.
#include "expand.h"

#include "classes.h"
#include "frontier_page.h"
#include "tables/base/parallel.h"

#include <stdlib.h>
#include <string.h>

// ---- Pages of other ranks -----------------------------------------------------------------------

// The number of 64-bit words of a *record*, as which a rank sends a page: one word for the number
// of the page, and then a bit for each of its offsets, set if that state is in the frontier.
static size_t record_word_count(const struct bfs *bfs)
{
    return 1 + page_word_count(bfs);
}

// Adds a record of this page, once, to what is sent to each other rank that owns a neighbour page
// (exchange_add in ranks.h). `steps` are those of the page, by move. If memory runs out, sets
// bfs->out_of_memory.
static void send_to_neighbours(struct bfs *bfs, uint64_t page, const struct chain_step *steps,
                               struct frontier_page *frontier)
{
    uint64_t share = ranks_units_each(bfs->pages->page_count);
    unsigned receivers[MOVES_MOST];
    unsigned count = 0;
    for (unsigned m = 0; m < bfs->puzzle->move_count; m++) {
        if (steps[m].page == CHAIN_PAGE_NONE || bfs_owns_unit(bfs, steps[m].page)) {
            continue;
        }
        unsigned rank = (unsigned)(steps[m].page / share); // that owns the neighbour page
        unsigned i = 0;
        while (i < count && receivers[i] != rank) {
            i++;
        }
        if (i < count) { // this rank has got the page already
            continue;
        }
        receivers[count++] = rank;
        fill_frontier_bits(bfs, frontier);
        if (!exchange_add(&bfs->exchange, rank, &page, 1, frontier->bits, page_word_count(bfs))) {
            bfs->out_of_memory = true;
        }
    }
}

// Marks the neighbours of the pages in the received records begin … end-1.
static void mark_received_pages(void *context, uint64_t begin, uint64_t end)
{
    struct bfs *bfs = context;
    struct frontier_page frontier;
    bool opened = open_frontier_page(bfs, &frontier);
    for (uint64_t i = begin; i < end && opened; i++) {
        const uint64_t *record = bfs->exchange.received.words + i * record_word_count(bfs);
        uint64_t page = record[0]; // and then a bit for each of its offsets
        take_received_bits(bfs, &frontier, record + 1);
        mark_neighbours(bfs, page, pages_steps(bfs->pages, page, frontier.steps), &frontier);
    }
    close_frontier_page(bfs, &frontier);
}

enum { SLICE = 4 << 20 }; // bytes that a rank sends in a slice, at most

uint64_t expand_most_sent(const struct pages *pages, unsigned ranks)
{
    if (pages->page_size == 0) {
        return 0; // the first rank owns all states
    }
    uint64_t record = 8 + ((uint64_t)pages->page_size + 63) / 64 * 8; // bytes
    unsigned moves = pages_step_count(pages);
    unsigned others = ranks - 1;
    unsigned receivers = moves < others ? moves : others; // of a page, at most
    return pages->page_count * record * receivers; // fits: below 2^32 pages, 2^14 bytes a record
}

uint64_t expand_slice_count(const struct pages *pages, unsigned ranks)
{
    return expand_most_sent(pages, ranks) / ranks / SLICE + 1;
}

uint64_t expand_exchange_memory(const struct pages *pages, unsigned ranks)
{
    // A rank keeps a slice three times: in parcels, joined to be sent, and as it is received. Each
    // buffer can be half larger than its contents (parcel_reserve).
    uint64_t slice = expand_most_sent(pages, ranks) / ranks / expand_slice_count(pages, ranks);
    return slice * 3 * 3 / 2;
}

// ---- By pages -----------------------------------------------------------------------------------

// Marks those neighbours of a page's frontier states that this rank owns, and sends the page to the
// ranks that own others. `number` is that of the page among the pages of all ranks.
static void expand_page(struct bfs *bfs, struct frontier_page *frontier, uint64_t number)
{
    unsigned page_size = bfs->pages->page_size;
    uint64_t first = bfs_first_mark(bfs, number);
    if (bfs->pages->rows && bfs->backward) {
        mark_row_backward(bfs, frontier, (uint32_t)number);
        return;
    }
    frontier->has_bits = false;
    frontier->count = marks_find(&bfs->marks, first, page_size, bfs->frontier_mark, frontier->list);
    if (frontier->count == 0) {
        return;
    }
    const struct chain_step *steps = pages_steps(bfs->pages, number, frontier->steps);
    send_to_neighbours(bfs, number, steps, frontier);
    mark_neighbours(bfs, number, steps, frontier);
}

// Expands the pages begin … end-1 of the slice, as far as this rank owns them. Page i of a slice
// has the number i × slice_count + slice. So all ranks have pages in each slice.
static void expand_pages(void *context, uint64_t begin, uint64_t end)
{
    struct bfs *bfs = context;
    struct frontier_page frontier;
    bool opened = open_frontier_page(bfs, &frontier);
    for (uint64_t i = begin; i < end && opened; i++) {
        uint64_t page = i * bfs->slice_count + bfs->slice;
        if (!bfs_owns_unit(bfs, page)) {
            continue;
        }
        if (bfs_should_stop(bfs)) {
            break;
        }
        expand_page(bfs, &frontier, page);
    }
    close_frontier_page(bfs, &frontier);
}

// ---- By states ----------------------------------------------------------------------------------

// Puts the state with this index into the next layer, unless it has a mark or is forbidden. Returns
// whether it did. `index` may be INDEX_NONE, the result of a move that can't be made. Without
// pages, forbidden states get their mark here, and not before the search: some puzzles have far
// more of them than a search meets.
static bool add_to_next(struct bfs *bfs, uint64_t index)
{
    if (index == INDEX_NONE || marks_get(&bfs->marks, index) != MARK_NONE) {
        return false;
    }
    if (!puzzle_permits_index(bfs->puzzle, bfs->root, index)) {
        marks_add(&bfs->marks, index, MARK_OLD);
        return false;
    }
    return marks_add(&bfs->marks, index, bfs->next_mark);
}

// Marks the neighbours of the frontier states among begin … end-1. Without pages, the first rank
// owns all states, so an index is also the number of a mark.
static void expand_runs(void *context, uint64_t begin, uint64_t end)
{
    struct bfs *bfs = context;
    uint32_t offsets[RUN];
    uint64_t neighbours[MOVES_MOST];
    uint64_t found = 0;
    for (uint64_t first = begin; first < end && !bfs_should_stop(bfs); first += RUN) {
        unsigned count = end - first < RUN ? (unsigned)(end - first) : RUN;
        count = marks_find(&bfs->marks, first, count, bfs->frontier_mark, offsets);
        for (unsigned i = 0; i < count; i++) {
            puzzle_neighbours(bfs->puzzle, bfs->root, first + offsets[i], neighbours);
            for (unsigned m = 0; m < bfs->puzzle->move_count; m++) {
                found += add_to_next(bfs, neighbours[m]);
            }
        }
    }
    bfs->found += found;
}

// ---- By masks -----------------------------------------------------------------------------------

// A run: some states of a page whose offsets are bit masks (algebra/set_masks.h).
struct masked {
    uint64_t first; // state from which on the run was taken
    unsigned count;
    uint32_t list[RUN];   // the states, as offsets from `first`
    uint64_t masks[RUN];  // their offsets in the page, as masks
    uint64_t images[RUN]; // the states to which a step leads from them
};

// Fills in masked->images: the states to which a step takes those of the run. Prefetches the marks
// of the images, which the caller will read and which lie far apart.
static void find_images(const struct bfs *bfs, struct chain_step step, struct masked *masked)
{
    const struct chain_pages *cut = bfs->pages->cut;
    const uint64_t *images = chain_pages_images(cut, step.map);
    uint64_t first = step.page * cut->page_size;
    for (unsigned i = 0; i < masked->count; i++) {
        uint64_t image = set_masks_image(cut->masks, images, masked->masks[i]);
        masked->images[i] = first + set_masks_number(cut->masks, image);
        __builtin_prefetch((const void *)&bfs->marks.entries[masked->images[i] / 4], 1);
    }
}

// Puts the images of all states into the next layer. Returns how many were new.
static unsigned mark_all_images(struct bfs *bfs, const struct masked *masked)
{
    unsigned marked = 0;
    for (unsigned i = 0; i < masked->count; i++) {
        marked += add_to_next(bfs, masked->images[i]);
    }
    return marked;
}

// Puts the states whose images are in the frontier into the next layer, and takes them off the
// list, because one such image is enough. Returns how many it marked.
static unsigned mark_backward(struct bfs *bfs, struct masked *masked)
{
    unsigned kept = 0;
    unsigned marked = 0;
    for (unsigned i = 0; i < masked->count; i++) {
        if (marks_get(&bfs->marks, masked->images[i]) == bfs->frontier_mark) {
            marked += add_to_next(bfs, masked->first + masked->list[i]);
            continue;
        }
        masked->list[kept] = masked->list[i];
        masked->masks[kept++] = masked->masks[i];
    }
    masked->count = kept;
    return marked;
}

// Finds states of the next layer from the states masked->first … end-1, which are at most RUN
// states of one page. Forward, marks the neighbours of those that are in the frontier. Backward,
// marks those without a mark that have a neighbour in the frontier (see struct bfs). `frontier`
// has room for steps, and counts what is found.
static void expand_run(struct bfs *bfs, struct frontier_page *frontier, struct masked *masked,
                       uint64_t end)
{
    const struct chain_pages *cut = bfs->pages->cut;
    uint64_t page = masked->first / cut->page_size;
    masked->count = marks_find(&bfs->marks, masked->first, (unsigned)(end - masked->first),
                               bfs->backward ? MARK_NONE : bfs->frontier_mark, masked->list);
    if (masked->count == 0) {
        return;
    }
    const struct chain_step *steps = pages_steps(bfs->pages, page, frontier->steps);
    set_masks_list(cut->masks, masked->first - page * cut->page_size, masked->list, masked->count,
                   masked->masks);
    for (unsigned m = 0; m < bfs->puzzle->move_count; m++) {
        if (steps[m].page == CHAIN_PAGE_NONE) { // the blank of a board is at the edge
            continue;
        }
        find_images(bfs, steps[m], masked);
        frontier->found +=
            bfs->backward ? mark_backward(bfs, masked) : mark_all_images(bfs, masked);
    }
}

// Expands the states begin … end-1, cut into runs that do not cross the end of a page.
static void expand_masks(void *context, uint64_t begin, uint64_t end)
{
    struct bfs *bfs = context;
    uint64_t page_size = bfs->pages->cut->page_size;
    struct frontier_page frontier;
    struct masked *masked = malloc(sizeof *masked);
    bool opened = open_frontier_page(bfs, &frontier) && masked;
    if (!masked) {
        bfs->out_of_memory = true;
    }
    while (begin < end && opened && !bfs_should_stop(bfs)) {
        uint64_t page_end = (begin / page_size + 1) * page_size;
        uint64_t run_end = begin + RUN < end ? begin + RUN : end;
        run_end = run_end < page_end ? run_end : page_end;
        masked->first = begin;
        expand_run(bfs, &frontier, masked, run_end);
        begin = run_end;
    }
    free(masked);
    close_frontier_page(bfs, &frontier);
}

// ---- All ----------------------------------------------------------------------------------------

// Expands what this rank owns of a slice: some of its pages or, without pages, all its states. A
// thread takes several pages or states at once (parallel.h). By pages and by masks, the thread
// allocates memory each time, so these are not too few.
static void expand_slice(struct bfs *bfs)
{
    enum { PAGES_LEAST = 16, PARTS_A_THREAD = 64, MASKS = 16 * RUN };
    unsigned threads = bfs->options->threads;
    if (bfs_has_pages(bfs)) {
        uint64_t pages = bfs->pages->page_count / bfs->slice_count + 1; // the last may not exist
        uint64_t grain = pages / ((uint64_t)threads * PARTS_A_THREAD) + 1;
        parallel_for(threads, pages, grain > PAGES_LEAST ? grain : PAGES_LEAST, expand_pages, bfs);
    } else if (bfs->pages->masks) {
        parallel_for(threads, bfs->marks.count, MASKS, expand_masks, bfs);
    } else {
        parallel_for(threads, bfs->marks.count, RUN, expand_runs, bfs);
    }
}

bool expand_layer(struct bfs *bfs, struct fewest_error *error)
{
    unsigned threads = bfs->options->threads;
    bool stop = false; // on any rank, after each exchange
    for (bfs->slice = 0; bfs->slice < bfs->slice_count && !stop; bfs->slice++) {
        expand_slice(bfs);
        stop = bfs->stopped || bfs->out_of_memory;
        if (!ranks_exchange(&bfs->exchange, &stop, error)) {
            return false;
        }
        // Each thread takes one part of the records.
        uint64_t received = bfs->exchange.received.count / record_word_count(bfs);
        parallel_for(threads, received, received / threads + 1, mark_received_pages, bfs);
    }
    mark_kept_states(bfs, bfs->next_mark);
    return true;
}
