// Marks the neighbours of a frontier page's offsets, in one of two ways:
//   - *Forward*: look at the neighbour of each offset.
//   - *Backward*: take each state of the neighbour page that has no mark yet, and look whether
//     the offset that leads to it is in the frontier. This is faster when few such states are left.
#include "frontier_page.h"

#include <stdlib.h>
#include <string.h>

unsigned page_word_count(const struct bfs *bfs)
{
    return (bfs->pages->page_size + 63) / 64;
}

void fill_frontier_bits(const struct bfs *bfs, struct frontier_page *frontier)
{
    if (frontier->has_bits) {
        return;
    }
    memset(frontier->bits, 0, page_word_count(bfs) * sizeof *frontier->bits);
    for (unsigned i = 0; i < frontier->count; i++) {
        frontier->bits[frontier->list[i] / 64] |= UINT64_C(1) << frontier->list[i] % 64;
    }
    frontier->has_bits = true;
}

void take_received_bits(const struct bfs *bfs, struct frontier_page *frontier, const uint64_t *bits)
{
    uint32_t *out = frontier->list;
    memcpy(frontier->bits, bits, page_word_count(bfs) * sizeof *bits);
    for (unsigned word = 0; word < page_word_count(bfs); word++) {
        for (uint64_t left = bits[word]; left; left &= left - 1) { // clears the lowest bit
            *out++ = (uint32_t)(64 * word + (unsigned)__builtin_ctzll(left));
        }
    }
    frontier->count = (unsigned)(out - frontier->list);
    frontier->has_bits = true;
}

bool open_frontier_page(struct bfs *bfs, struct frontier_page *frontier)
{
    size_t room = bfs->pages->page_size + 1; // not 0 by masks, which use only the steps
    *frontier =
        (struct frontier_page){.list = malloc(room * sizeof *frontier->list),
                               .bits = malloc((room / 64 + 1) * sizeof *frontier->bits),
                               .hit = malloc(room * sizeof *frontier->hit),
                               .moved = malloc(room * sizeof *frontier->moved),
                               .steps = malloc(bfs->puzzle->move_count * sizeof *frontier->steps)};
    bool made =
        frontier->list && frontier->bits && frontier->hit && frontier->moved && frontier->steps;
    if (!made) {
        bfs->out_of_memory = true;
    }
    return made;
}

void close_frontier_page(struct bfs *bfs, struct frontier_page *frontier)
{
    bfs->found += frontier->found;
    free(frontier->list);
    free(frontier->bits);
    free(frontier->hit);
    free(frontier->moved);
    free(frontier->steps);
}

// Marks the offsets of frontier->moved in one neighbour page, if they have no mark yet. `first` is
// the number of the page's first mark. Returns how many it marked. The first loop lists those
// without a mark. It has no branch, because no processor could predict it.
static unsigned mark_moved(struct bfs *bfs, uint64_t first, const struct frontier_page *frontier)
{
    struct marks *marks = &bfs->marks;
    unsigned hits = 0;
    unsigned marked = 0;
    for (unsigned i = 0; i < frontier->count; i++) {
        uint32_t to = frontier->moved[i];
        frontier->hit[hits] = to;
        hits += marks_get(marks, first + to) == MARK_NONE;
    }
    for (unsigned i = 0; i < hits; i++) {
        marked += marks_add(marks, first + frontier->hit[i], bfs->next_mark);
    }
    return marked;
}

// Is it faster to look backward from the neighbour pages of this frontier page? Then a page has few
// states without a mark. Their number is an estimate: each rank has found about as many states as
// this one, and all pages have about equally many left, because moves lead everywhere.
static bool goes_backward(const struct bfs *bfs, const struct frontier_page *frontier)
{
    // A backward scan skips so many marked entries in the time of one offset of a forward scan.
    enum { ENTRIES_AT_ONCE = 16 };
    uint64_t found = bfs->found * ranks_count(); // in this layer, so far
    uint64_t left = found < bfs->unreached ? bfs->unreached - found : 0;
    return left / bfs->pages->page_count + bfs->pages->page_size / ENTRIES_AT_ONCE <
           frontier->count;
}

// Marks the neighbours in a row: a step has two maps.
static void mark_row_forward(struct bfs *bfs, struct frontier_page *frontier,
                             struct chain_step step, struct symmetric_view view)
{
    const struct symmetric_pages *rows = bfs->pages->rows;
    for (unsigned i = 0; i < frontier->count; i++) {
        uint32_t moved = symmetric_pages_go(rows, step.map, frontier->list[i]);
        frontier->moved[i] = symmetric_pages_go(rows, view.map, moved);
    }
    frontier->found += rows->weights[step.page] *
                       (uint64_t)mark_moved(bfs, bfs_first_mark(bfs, step.page), frontier);
}

// Marks the neighbours in a page without symmetries.
static void mark_page_forward(struct bfs *bfs, struct frontier_page *frontier,
                              struct chain_step step)
{
    const uint16_t *map = chain_pages_map(bfs->pages->cut, step.map);
    for (unsigned i = 0; i < frontier->count; i++) {
        frontier->moved[i] = map[frontier->list[i]];
    }
    frontier->found += mark_moved(bfs, bfs_first_mark(bfs, step.page), frontier);
}

void mark_neighbours(struct bfs *bfs, uint64_t page, const struct chain_step *steps,
                     struct frontier_page *frontier)
{
    const struct chain_pages *cut = bfs->pages->cut;
    const struct symmetric_pages *rows = bfs->pages->rows;
    const struct symmetric_view *views = rows ? symmetric_pages_views(rows, (uint32_t)page) : NULL;
    bool is_backward = !rows && goes_backward(bfs, frontier);
    if (is_backward) {
        fill_frontier_bits(bfs, frontier);
    }
    for (unsigned m = 0; m < bfs->puzzle->move_count; m++) {
        // A move that can't be made leads to CHAIN_PAGE_NONE, which no rank owns.
        if (!bfs_owns_unit(bfs, steps[m].page)) {
            continue;
        }
        uint64_t first = bfs_first_mark(bfs, steps[m].page);
        uint32_t map = steps[m].map;
        if (rows) {
            mark_row_forward(bfs, frontier, steps[m], views[m]);
        } else if (is_backward) {
            frontier->found += marks_add_from(&bfs->marks, first, bfs->pages->page_size,
                                              chain_pages_map(cut, cut->inverse_of[map]),
                                              frontier->bits, bfs->next_mark);
        } else {
            mark_page_forward(bfs, frontier, steps[m]);
        }
    }
}
