// Marks the neighbours of a frontier page's offsets, in one of two ways for each neighbour page:
//   - *Forward*: look at the neighbour of each offset.
//   - *Backward*: take each state of the neighbour page that has no mark yet, and look whether
//     the offset that leads to it is in the frontier. This is faster when few such states are left.
#include "frontier_page.h"

#include <stdlib.h>
#include <string.h>

// `page` is the number of a page within this rank, from 0.
static unsigned count_unmarked(const struct bfs *bfs, uint64_t page)
{
    return atomic_load_explicit(&bfs->left[page], memory_order_relaxed);
}

unsigned words_a_page(const struct bfs *bfs)
{
    return (bfs->pages->page_size + 63) / 64;
}

void need_bits(const struct bfs *bfs, struct frontier_page *frontier)
{
    if (frontier->bits) {
        return;
    }
    memset(frontier->bits_room, 0, words_a_page(bfs) * sizeof *frontier->bits_room);
    for (unsigned i = 0; i < frontier->count; i++) {
        frontier->bits_room[frontier->list[i] / 64] |= UINT64_C(1) << frontier->list[i] % 64;
    }
    frontier->bits = frontier->bits_room;
}

void take_bits(const struct bfs *bfs, struct frontier_page *frontier, const uint64_t *bits)
{
    uint16_t *out = frontier->list_room;
    for (unsigned word = 0; word < words_a_page(bfs); word++) {
        for (uint64_t left = bits[word]; left; left &= left - 1) {
            *out++ = (uint16_t)(64 * word + (unsigned)__builtin_ctzll(left));
        }
    }
    frontier->count = (unsigned)(out - frontier->list_room);
    frontier->list = frontier->list_room;
    frontier->bits = bits;
}

bool make_frontier_page(struct bfs *bfs, struct frontier_page *frontier)
{
    size_t room = bfs->pages->page_size + 1; // mark_forward writes one more
    *frontier =
        (struct frontier_page){.list_room = malloc(room * sizeof *frontier->list_room),
                               .bits_room = malloc((room / 64 + 1) * sizeof *frontier->bits_room),
                               .hit = malloc(room * sizeof *frontier->hit),
                               .steps = malloc(bfs->puzzle->move_count * sizeof *frontier->steps)};
    bool made = frontier->list_room && frontier->bits_room && frontier->hit && frontier->steps;
    if (!made) {
        bfs->out_of_memory = true;
    }
    return made;
}

void free_frontier_page(struct bfs *bfs, struct frontier_page *frontier)
{
    bfs->found += frontier->found;
    free(frontier->list_room);
    free(frontier->bits_room);
    free(frontier->hit);
    free(frontier->steps);
}

// Marks the offsets of a page that a move leads to, if they have no mark yet. First lists them
// without branches, because no branch could be predicted.
static unsigned mark_forward(struct bfs *bfs, uint64_t first, const uint16_t *map,
                             const struct frontier_page *frontier)
{
    struct marks *marks = &bfs->marks;
    const uint16_t *list = frontier->list;
    unsigned hits = 0;
    unsigned marked = 0;
    for (unsigned i = 0; i < frontier->count; i++) {
        uint16_t to = map[list[i]];
        frontier->hit[hits] = to;
        hits += marks_get(marks, first + to) == MARK_NONE;
    }
    for (unsigned i = 0; i < hits; i++) {
        marked += marks_add(marks, first + frontier->hit[i], bfs->next);
    }
    return marked;
}

// `page` is the number of a page within this rank, from 0.
static unsigned mark_page(struct bfs *bfs, uint64_t page, uint32_t map,
                          struct frontier_page *frontier)
{
    enum {
        ENTRIES_AT_ONCE = 16
    }; // that a backward scan skips in the time of one offset of a forward scan
    const struct chain_pages *cut = bfs->pages->cut;
    unsigned page_size = bfs->pages->page_size;
    uint64_t first = page * page_size;
    if (count_unmarked(bfs, page) + page_size / ENTRIES_AT_ONCE < frontier->count) {
        need_bits(bfs, frontier);
        return marks_add_from(&bfs->marks, first, page_size,
                              chain_pages_map(cut, cut->inverse_of[map]), frontier->bits,
                              bfs->next);
    }
    return mark_forward(bfs, first, chain_pages_map(cut, map), frontier);
}

void mark_neighbours(struct bfs *bfs, const struct chain_step *steps,
                     struct frontier_page *frontier)
{
    for (unsigned m = 0; m < bfs->puzzle->move_count; m++) {
        uint64_t page = steps[m].page - bfs->mine.first;
        if (!bfs_is_mine(bfs, steps[m].page) ||
            count_unmarked(bfs, page) == 0) { // no rank owns CHAIN_PAGE_NONE
            continue;
        }
        unsigned marked = mark_page(bfs, page, steps[m].map, frontier);
        if (marked > 0) {
            atomic_fetch_sub_explicit(&bfs->left[page], marked, memory_order_relaxed);
        }
        frontier->found += marked;
    }
}
