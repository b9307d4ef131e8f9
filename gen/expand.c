// Expands the states of the frontier by pages or, if the index has none, by states.
#include "expand.h"

#include "base/parallel.h"
#include "visitor.h"

#include <stdlib.h>
#include <string.h>

static bool should_stop(struct bfs *bfs)
{
    if (bfs->options->stopped && bfs->options->stopped(bfs->options->context)) {
        bfs->stopped = true;
    }
    return bfs->stopped || bfs->out_of_memory ||
           (bfs->exchange && exchange_is_stopped(bfs->exchange));
}

// ---- By pages -----------------------------------------------------------------------------------

static uint64_t expand_page(struct bfs *bfs, struct page_cursor *cursor, unsigned number,
                            struct places *places, struct outbox *outbox)
{
    unsigned place_count = bfs->pages->place_count;
    uint64_t page = cursor->page[number] - bfs->first_unit;
    if (!bfs_owns(bfs, cursor->page[number]) || !flag_is_set(&bfs->active[page])) {
        return 0;
    }
    places->is_here = true;
    places->first = page * place_count;
    places->list = places->own_list;
    places->bits = NULL;
    places->count =
        distances_find(bfs->distances, places->first, place_count, bfs->last, places->own_list);
    if (places->count == 0) {
        return 0;
    }
    page_cursor_moves(cursor, number);
    if (bfs->exchange) {
        send_to_neighbours(bfs, outbox, cursor, number, places);
        outbox_poll(outbox);
    }
    return mark_neighbours(bfs, cursor, places);
}

// Is this group a single page that is not to be expanded?
static bool group_is_idle(const struct bfs *bfs, uint64_t group)
{
    return bfs->pages->pages_a_group == 1 && bfs->pages->maps &&
           (!bfs_owns(bfs, group) || !flag_is_set(&bfs->active[group - bfs->first_unit]));
}

static void expand_groups(void *context, uint64_t begin, uint64_t end)
{
    struct bfs *bfs = context;
    struct page_cursor cursor = {.pages = NULL};
    struct places places = {.count = 0};
    struct correspondent correspondent;
    uint64_t found = 0;
    bool going = open_correspondent(bfs, &correspondent) && make_places(bfs, &places) &&
                 page_cursor_open(&cursor, bfs->pages);
    if (!going) {
        bfs->out_of_memory = true;
    }
    for (uint64_t group = begin; group < end && going; group++) {
        if (group_is_idle(bfs, group)) {
            continue;
        }
        if (should_stop(bfs)) {
            break;
        }
        page_cursor_go(&cursor, group);
        for (unsigned number = 0; number < bfs->pages->pages_a_group; number++) {
            found += expand_page(bfs, &cursor, number, &places, &correspondent.outbox);
        }
    }
    add_found(bfs, found);
    close_correspondent(&correspondent);
    page_cursor_close(&cursor);
    free_places(&places);
}

// ---- By states ----------------------------------------------------------------------------------

// `index` is the number of an entry within this rank, from 0.
static uint64_t expand_state(struct bfs *bfs, uint64_t index, struct outbox *outbox)
{
    uint64_t neighbours[MOVES_MOST];
    const struct distances *distances = bfs->distances;
    _Atomic uint8_t *entries = distances->entries;
    unsigned bits = distances->bits;
    uint64_t found = 0;
    puzzle_neighbours(bfs->puzzle, bfs->root, distances->first + index, neighbours);
    for (unsigned m = 0; m < bfs->puzzle->move_count; m++) {
        uint64_t to = neighbours[m] - distances->first;
        if (neighbours[m] == INDEX_NONE) {
            continue;
        }
        if (bfs->exchange && to >= distances->count) {
            send_state(bfs, outbox, neighbours[m]);
        } else {
            found += distances_mark(entries, to, bfs->next, bits);
        }
    }
    return found;
}

static void expand_runs(void *context, uint64_t begin, uint64_t end)
{
    struct bfs *bfs = context;
    uint16_t places[RUN];
    struct correspondent correspondent;
    uint64_t found = 0;
    bool going = open_correspondent(bfs, &correspondent);
    if (!going) {
        bfs->out_of_memory = true;
    }
    for (uint64_t first = begin; first < end && going && !should_stop(bfs); first += RUN) {
        unsigned count = end - first < RUN ? (unsigned)(end - first) : RUN;
        count = distances_find(bfs->distances, first, count, bfs->last, places);
        for (unsigned i = 0; i < count; i++) {
            found += expand_state(bfs, first + places[i], &correspondent.outbox);
        }
        if (bfs->exchange) {
            outbox_poll(&correspondent.outbox);
        }
    }
    add_found(bfs, found);
    close_correspondent(&correspondent);
}

// ---- All ----------------------------------------------------------------------------------------

void expand_own(struct bfs *bfs)
{
    // Each part allocates memory, so there are not too many. Each also ends its messages.
    enum { GRAIN_LEAST = 16, PARTS = 64, PARTS_WITH_RANKS = 4 };
    unsigned threads = bfs->options->threads;
    if (!bfs_has_pages(bfs)) {
        uint64_t runs = bfs->end_unit - bfs->first_unit;
        uint64_t grain = bfs->exchange ? runs / ((uint64_t)threads * PARTS_WITH_RANKS) + 1 : 1;
        parallel_for(threads, bfs->distances->count, grain * RUN, expand_runs, bfs);
        return;
    }
    _Atomic bool *spent = bfs->next_active;
    bfs->next_active = bfs->active;
    bfs->active = spent;
    memset((void *)bfs->next_active, 0, bfs->end_unit - bfs->first_unit);
    uint64_t parts = (uint64_t)threads * (bfs->exchange ? PARTS_WITH_RANKS : PARTS);
    uint64_t grain = bfs->pages->group_count / parts + 1;
    parallel_for(threads, bfs->pages->group_count, grain > GRAIN_LEAST ? grain : GRAIN_LEAST,
                 expand_groups, bfs);
}

static void drop_message(void *context, const uint8_t *bytes, size_t length)
{
    (void)context;
    (void)bytes;
    (void)length;
}

// Without memory, the search fails, but the messages must be taken.
static void drain_part(void *context, uint64_t begin, uint64_t end)
{
    struct bfs *bfs = context;
    struct visitor visitor;
    (void)begin;
    (void)end;
    bool can_visit = open_visitor(bfs, &visitor);
    if (!can_visit) {
        bfs->out_of_memory = true;
    }
    exchange_drain(bfs->exchange, can_visit ? take_message : drop_message, &visitor);
    close_visitor(&visitor);
}

bool end_with_ranks(struct bfs *bfs, struct fewest_error *error)
{
    unsigned threads = bfs->options->threads;
    exchange_end(bfs->exchange, bfs->stopped || bfs->out_of_memory);
    parallel_for(threads, threads, 1, drain_part, bfs);
    uint64_t sums[] = {bfs->found, bfs->stopped, bfs->out_of_memory, exchange_bytes(bfs->exchange)};
    if (!ranks_sum(sums, sizeof sums / sizeof *sums, error)) {
        return false;
    }
    bfs->found = sums[0];
    bfs->stopped = sums[1] > 0;
    bfs->out_of_memory = sums[2] > 0;
    bfs->sent = sums[3];
    return true;
}
