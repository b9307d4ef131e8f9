// Marks the neighbours of a frontier page's places, in one of two ways for each neighbour page:
//   - *Forward*: look at the neighbour of each place.
//   - *Backward*: take each state of the neighbour page that has no mark yet, and look whether
//     the place that leads to it is in the frontier. This is faster when few such states are left.
#include "places.h"

#include <stdlib.h>
#include <string.h>

// `page` is the number of a page within this rank, from 0.
static unsigned count_left(const struct bfs *bfs, uint64_t page)
{
    return atomic_load_explicit(&bfs->left[page], memory_order_relaxed);
}

unsigned words_a_page(const struct bfs *bfs)
{
    return (bfs->pages->place_count + 63) / 64;
}

void need_bits(const struct bfs *bfs, struct places *places)
{
    if (places->bits) {
        return;
    }
    memset(places->own_bits, 0, words_a_page(bfs) * sizeof *places->own_bits);
    for (unsigned i = 0; i < places->count; i++) {
        places->own_bits[places->list[i] / 64] |= UINT64_C(1) << places->list[i] % 64;
    }
    places->bits = places->own_bits;
}

void take_bits(const struct bfs *bfs, struct places *places, const uint64_t *bits)
{
    uint16_t *out = places->own_list;
    for (unsigned word = 0; word < words_a_page(bfs); word++) {
        for (uint64_t left = bits[word]; left; left &= left - 1) {
            *out++ = (uint16_t)(64 * word + (unsigned)__builtin_ctzll(left));
        }
    }
    places->count = (unsigned)(out - places->own_list);
    places->list = places->own_list;
    places->bits = bits;
}

bool make_places(struct bfs *bfs, struct places *places)
{
    size_t room = bfs->pages->place_count + 1; // mark_forward writes one more
    *places = (struct places){.own_list = malloc(room * sizeof *places->own_list),
                              .own_bits = malloc((room / 64 + 1) * sizeof *places->own_bits),
                              .hit = malloc(room * sizeof *places->hit),
                              .steps = malloc(bfs->puzzle->move_count * sizeof *places->steps)};
    bool made = places->own_list && places->own_bits && places->hit && places->steps;
    if (!made) {
        bfs->out_of_memory = true;
    }
    return made;
}

void free_places(struct bfs *bfs, struct places *places)
{
    bfs->found += places->found;
    free(places->own_list);
    free(places->own_bits);
    free(places->hit);
    free(places->steps);
}

// Marks the places of a page that a move leads to, if they have no mark yet. First lists them
// without branches, because no branch could be predicted.
static unsigned mark_forward(struct bfs *bfs, uint64_t first, const uint16_t *map,
                             const struct places *places)
{
    struct marks *marks = &bfs->marks;
    const uint16_t *list = places->list;
    unsigned hits = 0;
    unsigned marked = 0;
    for (unsigned i = 0; i < places->count; i++) {
        uint16_t to = map[list[i]];
        places->hit[hits] = to;
        hits += marks_get(marks, first + to) == MARK_NONE;
    }
    for (unsigned i = 0; i < hits; i++) {
        marked += marks_add(marks, first + places->hit[i], bfs->next);
    }
    return marked;
}

// `page` is the number of a page within this rank, from 0.
static unsigned mark_page(struct bfs *bfs, uint64_t page, uint32_t map, struct places *places)
{
    enum {
        ENTRIES_AT_ONCE = 16
    }; // that a backward scan skips in the time of one place of a forward scan
    const struct chain_pages *cut = bfs->pages->cut;
    unsigned place_count = bfs->pages->place_count;
    uint64_t first = page * place_count;
    if (count_left(bfs, page) + place_count / ENTRIES_AT_ONCE < places->count) {
        need_bits(bfs, places);
        return marks_add_from(&bfs->marks, first, place_count,
                              chain_pages_map(cut, cut->inverse_of[map]), places->bits, bfs->next);
    }
    return mark_forward(bfs, first, chain_pages_map(cut, map), places);
}

void mark_neighbours(struct bfs *bfs, const struct chain_step *steps, struct places *places)
{
    for (unsigned m = 0; m < bfs->puzzle->move_count; m++) {
        uint64_t page = steps[m].page - bfs->own.first;
        if (!bfs_owns(bfs, steps[m].page) ||
            count_left(bfs, page) == 0) { // no rank owns CHAIN_PAGE_NONE
            continue;
        }
        unsigned marked = mark_page(bfs, page, steps[m].map, places);
        if (marked > 0) {
            atomic_fetch_sub_explicit(&bfs->left[page], marked, memory_order_relaxed);
        }
        places->found += marked;
    }
}
