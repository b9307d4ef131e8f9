// Expands the states of the frontier by pages or, if the index has none, by states.
#include "expand.h"

#include "frontier_page.h"
#include "tables/base/parallel.h"

#include <stdlib.h>
#include <string.h>

// ---- Pages of other ranks -----------------------------------------------------------------------

// A page that is sent: its number, and then a bit for each of its offsets.
static size_t words_a_record(const struct bfs *bfs)
{
    return 1 + words_a_page(bfs);
}

// Sends the offsets of a page to each rank that owns a neighbour page.
static void send_to_neighbours(struct bfs *bfs, uint64_t page, const struct chain_step *steps,
                               struct frontier_page *frontier)
{
    uint64_t share = ranks_share(bfs->pages->page_count);
    unsigned to[MOVES_MOST];
    unsigned count = 0;
    for (unsigned m = 0; m < bfs->puzzle->move_count; m++) {
        if (steps[m].page == CHAIN_PAGE_NONE || bfs_is_mine(bfs, steps[m].page)) {
            continue;
        }
        unsigned rank = (unsigned)(steps[m].page / share);
        unsigned i = 0;
        while (i < count && to[i] != rank) {
            i++;
        }
        if (i < count) {
            continue;
        }
        to[count++] = rank;
        need_bits(bfs, frontier);
        if (!exchange_add(&bfs->exchange, rank, &page, 1, frontier->bits, words_a_page(bfs))) {
            bfs->out_of_memory = true;
        }
    }
}

// Marks the neighbours of some of the pages that were received.
static void visit_pages(void *context, uint64_t begin, uint64_t end)
{
    struct bfs *bfs = context;
    struct frontier_page frontier;
    bool going = make_frontier_page(bfs, &frontier);
    for (uint64_t i = begin; i < end && going; i++) {
        const uint64_t *record = bfs->exchange.received.words + i * words_a_record(bfs);
        take_bits(bfs, &frontier, record + 1);
        mark_neighbours(bfs, pages_steps(bfs->pages, record[0], frontier.steps), &frontier);
    }
    free_frontier_page(bfs, &frontier);
}

enum { SLICE = 4 << 20 }; // bytes that a rank sends in a slice, at most

uint64_t expand_most_sent(const struct pages *pages, unsigned ranks)
{
    uint64_t record = 8 + ((uint64_t)pages->page_size + 63) / 64 * 8;
    unsigned moves = pages->page_size > 0 ? chain_pages_step_count(pages->cut) : 0;
    return pages->page_count * record * (moves < ranks - 1 ? moves : ranks - 1);
}

uint64_t expand_slices(const struct pages *pages, unsigned ranks)
{
    return expand_most_sent(pages, ranks) / ranks / SLICE + 1;
}

uint64_t expand_exchange_memory(const struct pages *pages, unsigned ranks)
{
    // The parcels, and what is sent and received; a buffer has up to half as much room to grow.
    return expand_most_sent(pages, ranks) / ranks / expand_slices(pages, ranks) * 9 / 2;
}

// ---- By pages -----------------------------------------------------------------------------------

static void expand_page(struct bfs *bfs, struct frontier_page *frontier, uint64_t number)
{
    unsigned page_size = bfs->pages->page_size;
    uint64_t first = (number - bfs->mine.first) * page_size;
    frontier->list = frontier->list_room;
    frontier->bits = NULL;
    frontier->count = marks_find(&bfs->marks, first, page_size, bfs->last, frontier->list_room);
    if (frontier->count == 0) {
        return;
    }
    const struct chain_step *steps = pages_steps(bfs->pages, number, frontier->steps);
    send_to_neighbours(bfs, number, steps, frontier);
    mark_neighbours(bfs, steps, frontier);
}

static void expand_pages(void *context, uint64_t begin, uint64_t end)
{
    struct bfs *bfs = context;
    struct frontier_page frontier;
    bool going = make_frontier_page(bfs, &frontier);
    for (uint64_t i = begin; i < end && going; i++) {
        // The pages of a slice are far apart, so that all ranks have some of them.
        uint64_t page = i * bfs->slice_count + bfs->slice;
        if (!bfs_is_mine(bfs, page)) {
            continue;
        }
        if (bfs_should_stop(bfs)) {
            break;
        }
        expand_page(bfs, &frontier, page);
    }
    free_frontier_page(bfs, &frontier);
}

// ---- By states ----------------------------------------------------------------------------------

// Marks a state of the next layer, unless it has a mark. Returns whether it did. Without pages,
// illegal states get their mark here, and not before the search: some puzzles have far more of them
// than a search meets.
static bool add_to_next(struct bfs *bfs, uint64_t index)
{
    if (index == INDEX_NONE || marks_get(&bfs->marks, index) != MARK_NONE) {
        return false;
    }
    if (!puzzle_index_is_legal(bfs->puzzle, bfs->root, index)) {
        marks_add(&bfs->marks, index, MARK_OLD);
        return false;
    }
    return marks_add(&bfs->marks, index, bfs->next);
}

static void expand_runs(void *context, uint64_t begin, uint64_t end)
{
    struct bfs *bfs = context;
    uint16_t offsets[RUN];
    uint64_t neighbours[MOVES_MOST];
    uint64_t found = 0;
    for (uint64_t first = begin; first < end && !bfs_should_stop(bfs); first += RUN) {
        unsigned count = end - first < RUN ? (unsigned)(end - first) : RUN;
        count = marks_find(&bfs->marks, first, count, bfs->last, offsets);
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

// Some states of a page, by the masks of their offsets.
struct masked {
    uint64_t first; // state of the run
    unsigned count;
    uint16_t list[RUN]; // the states less `first`
    uint64_t masks[RUN];
    uint64_t to[RUN]; // where a step leads
};

static void find_images(const struct bfs *bfs, struct chain_step step, struct masked *masked)
{
    const struct chain_pages *cut = bfs->pages->cut;
    const uint64_t *images = chain_pages_images(cut, step.map);
    uint64_t first = step.page * cut->page_size;
    for (unsigned i = 0; i < masked->count; i++) {
        uint64_t image = set_masks_image(cut->masks, images, masked->masks[i]);
        masked->to[i] = first + set_masks_number(cut->masks, image);
        __builtin_prefetch((const void *)&bfs->marks.entries[masked->to[i] / 4], 1);
    }
}

// Marks the states where a step leads.
static unsigned mark_images(struct bfs *bfs, const struct masked *masked)
{
    unsigned marked = 0;
    for (unsigned i = 0; i < masked->count; i++) {
        marked += add_to_next(bfs, masked->to[i]);
    }
    return marked;
}

// Marks the states from which a step leads to the frontier, and keeps the others.
static unsigned mark_if_near(struct bfs *bfs, struct masked *masked)
{
    unsigned kept = 0;
    unsigned marked = 0;
    for (unsigned i = 0; i < masked->count; i++) {
        if (marks_get(&bfs->marks, masked->to[i]) == bfs->last) {
            marked += add_to_next(bfs, masked->first + masked->list[i]);
            continue;
        }
        masked->list[kept] = masked->list[i];
        masked->masks[kept++] = masked->masks[i];
    }
    masked->count = kept;
    return marked;
}

// Goes forward from the frontier or, if fewer states are left and each move can be undone by a
// move, backward from these.
static void expand_run(struct bfs *bfs, struct frontier_page *frontier, struct masked *masked,
                       uint64_t end)
{
    const struct chain_pages *cut = bfs->pages->cut;
    uint64_t page = masked->first / cut->page_size;
    masked->count = marks_find(&bfs->marks, masked->first, (unsigned)(end - masked->first),
                               bfs->backward ? MARK_NONE : bfs->last, masked->list);
    if (masked->count == 0) {
        return;
    }
    const struct chain_step *steps = pages_steps(bfs->pages, page, frontier->steps);
    set_masks_list(cut->masks, masked->first - page * cut->page_size, masked->list, masked->count,
                   masked->masks);
    for (unsigned m = 0; m < bfs->puzzle->move_count; m++) {
        find_images(bfs, steps[m], masked);
        frontier->found += bfs->backward ? mark_if_near(bfs, masked) : mark_images(bfs, masked);
    }
}

static void expand_masks(void *context, uint64_t begin, uint64_t end)
{
    struct bfs *bfs = context;
    uint64_t page_size = bfs->pages->cut->page_size;
    struct frontier_page frontier;
    struct masked *masked = malloc(sizeof *masked);
    bool going = make_frontier_page(bfs, &frontier) && masked;
    bfs->out_of_memory |= !masked;
    while (begin < end && going && !bfs_should_stop(bfs)) {
        uint64_t page_end = (begin / page_size + 1) * page_size;
        uint64_t run_end = begin + RUN < end ? begin + RUN : end;
        run_end = run_end < page_end ? run_end : page_end;
        masked->first = begin;
        expand_run(bfs, &frontier, masked, run_end);
        begin = run_end;
    }
    free(masked);
    free_frontier_page(bfs, &frontier);
}

// ---- All ----------------------------------------------------------------------------------------

static void expand_slice(struct bfs *bfs)
{
    // Each part allocates memory, so there are not too many.
    enum { GRAIN_LEAST = 16, PARTS_A_THREAD = 64, MASKS = 16 * RUN };
    unsigned threads = bfs->options->threads;
    if (!bfs_has_pages(bfs)) {
        if (bfs->pages->masks) {
            parallel_for(threads, bfs->marks.count, MASKS, expand_masks, bfs);
        } else {
            parallel_for(threads, bfs->marks.count, RUN, expand_runs, bfs);
        }
        return;
    }
    uint64_t pages = bfs->pages->page_count / bfs->slice_count + 1;
    uint64_t grain = pages / ((uint64_t)threads * PARTS_A_THREAD) + 1;
    parallel_for(threads, pages, grain > GRAIN_LEAST ? grain : GRAIN_LEAST, expand_pages, bfs);
}

bool expand_layer(struct bfs *bfs, struct fewest_error *error)
{
    unsigned threads = bfs->options->threads;
    bool stop = false;
    for (bfs->slice = 0; bfs->slice < bfs->slice_count && !stop; bfs->slice++) {
        expand_slice(bfs);
        stop = bfs->stopped || bfs->out_of_memory;
        if (!ranks_exchange(&bfs->exchange, &stop, error)) {
            return false;
        }
        uint64_t received = bfs->exchange.received.count / words_a_record(bfs);
        parallel_for(threads, received, received / threads + 1, visit_pages, bfs);
    }
    return true;
}
