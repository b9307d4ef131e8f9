// Searches breadth first. A scan of the array finds the states of the frontier; there is no queue.
// The scan is sequential and needs no memory, and any thread may take any part of it. Two threads
// that reach a state write the same value.
//
// The search finds new states in one of two ways:
//   - *Forward*: mark the neighbours of the frontier's states.
//   - *Backward*: for each state without a distance, look for a neighbour in the frontier. This
//     looks at few states when few are left.
// If the index has pages, each pair of a page and a neighbour page takes the quicker way. Else a
// layer takes one way.
#include "search.h"

#include "base/parallel.h"
#include "checkpoint.h"
#include "exchange.h"
#include "pages.h"

#include <stdlib.h>
#include <string.h>

// Numbers of states and pages that a thread scans at once.
enum { RUN = 1 << 12, PAGES_AT_ONCE = 256 };

struct bfs {
    const struct puzzle *puzzle;
    unsigned root;
    const struct pages *pages;
    // Ranks share units: pages, or runs of states. These are the units of this rank.
    uint64_t unit_count; // of all ranks
    uint64_t first_unit;
    uint64_t end_unit;
    struct exchange *exchange; // NULL if there is one rank
    struct distances *distances;
    const struct search_options *options;
    unsigned last; // value of an entry in the frontier
    unsigned next; // value of an entry in the next layer
    bool backward; // the way, by states
    // By page of this rank:
    _Atomic bool *active;      // may it have states of the frontier?
    _Atomic bool *next_active; // may it have states of the next layer?
    _Atomic uint32_t *left;    // how many of its states have no distance?
    _Atomic uint64_t found;
    _Atomic bool stopped;
    _Atomic bool out_of_memory;
};

static bool should_stop(struct bfs *bfs)
{
    if (bfs->options->stopped && bfs->options->stopped(bfs->options->context)) {
        bfs->stopped = true;
    }
    return bfs->stopped || bfs->out_of_memory ||
           (bfs->exchange && exchange_is_stopped(bfs->exchange));
}

// Units before the first one of this rank become very large numbers.
static bool is_own(const struct bfs *bfs, uint64_t unit)
{
    return unit - bfs->first_unit < bfs->end_unit - bfs->first_unit;
}

// Relaxed, because threads read the flags only in the next layer, after the threads of this one
// have ended.
static void set_flag(_Atomic bool *flag)
{
    atomic_store_explicit(flag, true, memory_order_relaxed);
}

static bool flag_is_set(const _Atomic bool *flag)
{
    return atomic_load_explicit(flag, memory_order_relaxed);
}

// `page` counts the pages of this rank.
static unsigned count_left(const struct bfs *bfs, uint64_t page)
{
    return atomic_load_explicit(&bfs->left[page], memory_order_relaxed);
}

// ---- By pages -----------------------------------------------------------------------------------

// The places of a page that are in the frontier: as a list, as a bit for each place, or both.
struct places {
    unsigned count;
    const uint16_t *list; // NULL until it is needed
    const uint64_t *bits; // NULL until they are needed
    bool is_here;         // the page is one of this rank
    uint64_t first;       // its first entry; unless another rank has sent the places
    uint16_t *own_list;   // room for both
    uint64_t *own_bits;
    uint16_t *hit; // room for the places of another page
};

static unsigned words_a_page(const struct bfs *bfs)
{
    return (bfs->pages->place_count + 63) / 64;
}

static void need_bits(const struct bfs *bfs, struct places *places)
{
    if (places->bits) {
        return;
    }
    if (places->is_here) {
        distances_find_bits(bfs->distances, places->first, bfs->pages->place_count, bfs->last,
                            places->own_bits);
    } else {
        memset(places->own_bits, 0, words_a_page(bfs) * sizeof *places->own_bits);
        for (unsigned i = 0; i < places->count; i++) {
            places->own_bits[places->list[i] / 64] |= UINT64_C(1) << places->list[i] % 64;
        }
    }
    places->bits = places->own_bits;
}

static void need_list(const struct bfs *bfs, struct places *places)
{
    uint16_t *out = places->own_list;
    if (places->list) {
        return;
    }
    for (unsigned word = 0; word < words_a_page(bfs); word++) {
        for (uint64_t left = places->bits[word]; left; left &= left - 1) {
            *out++ = (uint16_t)(64 * word + (unsigned)__builtin_ctzll(left));
        }
    }
    places->list = places->own_list;
}

static bool make_places(const struct bfs *bfs, struct places *places)
{
    size_t room = bfs->pages->place_count + 1; // mark_forward writes one more
    *places = (struct places){.own_list = malloc(room * sizeof *places->own_list),
                              .own_bits = malloc((room / 64 + 2) * sizeof *places->own_bits),
                              .hit = malloc(room * sizeof *places->hit)};
    return places->own_list && places->own_bits && places->hit;
}

static void free_places(struct places *places)
{
    free(places->own_list);
    free(places->own_bits);
    free(places->hit);
}

// Marks the unreached places of a page that a move leads to. First lists them without branches,
// because no branch could be predicted.
static inline unsigned mark_forward(struct bfs *bfs, uint64_t first, const uint16_t *map,
                                    const struct places *places, unsigned bits)
{
    _Atomic uint8_t *entries = bfs->distances->entries;
    const unsigned none = distances_unreached(bits);
    const uint16_t *list = places->list;
    unsigned hits = 0;
    unsigned marked = 0;
    for (unsigned i = 0; i < places->count; i++) {
        uint16_t to = map[list[i]];
        places->hit[hits] = to;
        hits += distances_get(entries, first + to, bits) == none;
    }
    if (bfs->options->threads == 1) {
        for (unsigned i = 0; i < hits; i++) {
            distances_set(entries, first + places->hit[i], bfs->next, bits);
        }
        return hits;
    }
    for (unsigned i = 0; i < hits; i++) {
        marked += distances_mark(entries, first + places->hit[i], bfs->next, bits);
    }
    return marked;
}

// `page` counts the pages of this rank.
static unsigned mark_page(struct bfs *bfs, uint64_t page, const uint16_t *map,
                          const uint16_t *inverse, struct places *places)
{
    enum { ENTRIES_AT_ONCE = 16 }; // that the way backward skips in the time of one place
    unsigned place_count = bfs->pages->place_count;
    uint64_t first = page * place_count;
    if (inverse && count_left(bfs, page) + place_count / ENTRIES_AT_ONCE < places->count) {
        need_bits(bfs, places);
        return distances_mark_from(bfs->distances, first, place_count, inverse, places->bits,
                                   bfs->next, bfs->options->threads == 1);
    }
    need_list(bfs, places);
    return bfs->distances->bits == 8 ? mark_forward(bfs, first, map, places, 8)
                                     : mark_forward(bfs, first, map, places, NARROW_BITS);
}

// Marks the neighbours of these places in the pages of this rank, move by move.
static uint64_t mark_neighbours(struct bfs *bfs, const struct page_cursor *cursor,
                                struct places *places)
{
    uint64_t found = 0;
    for (unsigned m = 0; m < bfs->puzzle->move_count; m++) {
        uint64_t page = cursor->to[m] - bfs->first_unit;
        if (!is_own(bfs, cursor->to[m]) || count_left(bfs, page) == 0) { // INDEX_NONE is not own
            continue;
        }
        unsigned marked = mark_page(bfs, page, cursor->map[m], cursor->inverse[m], places);
        if (marked > 0) {
            atomic_fetch_sub_explicit(&bfs->left[page], marked, memory_order_relaxed);
            set_flag(&bfs->next_active[page]);
        }
        found += marked;
    }
    return found;
}

// ---- Pages for other ranks ----------------------------------------------------------------------
// A rank needs the places of each frontier page that has a neighbour page of its own, and marks the
// neighbours itself. So a page goes to a rank at most once in a layer, however many moves lead
// there, and no state twice.

// A page in a message. Then come its places: a list of numbers of 16 bits, filled up to 8 bytes, or
// a bit for each, whatever is shorter.
struct page_record {
    uint64_t group;
    uint32_t number; // of the page in the group
    uint32_t count;  // of places
};

static size_t record_length(const struct bfs *bfs, unsigned count, bool *as_bits)
{
    size_t list = (count + 3) / 4;
    *as_bits = words_a_page(bfs) < list;
    return sizeof(struct page_record) + 8 * (*as_bits ? words_a_page(bfs) : list);
}

// Sends the places of the cursor's page to a rank.
static void send_page(const struct bfs *bfs, struct outbox *outbox, unsigned rank,
                      const struct page_record *record, struct places *places)
{
    bool as_bits;
    size_t length = record_length(bfs, places->count, &as_bits);
    uint8_t *room = outbox_add(outbox, rank, length);
    memcpy(room, record, sizeof *record);
    if (as_bits) {
        need_bits(bfs, places);
        memcpy(room + sizeof *record, places->bits, length - sizeof *record);
    } else {
        need_list(bfs, places);
        memcpy(room + sizeof *record, places->list, places->count * sizeof *places->list);
    }
}

static void send_to_neighbours(const struct bfs *bfs, struct outbox *outbox,
                               const struct page_cursor *cursor, unsigned number,
                               struct places *places)
{
    struct page_record record = {cursor->group, number, places->count};
    unsigned to[MOVES_MOST];
    unsigned count = 0;
    for (unsigned m = 0; m < bfs->puzzle->move_count; m++) {
        if (cursor->to[m] == INDEX_NONE || is_own(bfs, cursor->to[m])) {
            continue;
        }
        unsigned rank = ranks_owner(bfs->unit_count, cursor->to[m]);
        unsigned i = 0;
        while (i < count && to[i] != rank) {
            i++;
        }
        if (i == count) {
            to[count++] = rank;
            send_page(bfs, outbox, rank, &record, places);
        }
    }
}

// What a thread needs to mark the neighbours of pages that other ranks send.
struct visitor {
    struct bfs *bfs;
    struct page_cursor cursor;
    struct places places;
    bool has_group; // the cursor is at one
    uint64_t found;
};

static bool open_visitor(struct bfs *bfs, struct visitor *visitor)
{
    *visitor = (struct visitor){.bfs = bfs};
    return bfs->pages->place_count == 0 ||
           (make_places(bfs, &visitor->places) && page_cursor_open(&visitor->cursor, bfs->pages));
}

static void close_visitor(struct visitor *visitor)
{
    struct bfs *bfs = visitor->bfs;
    atomic_fetch_add_explicit(&bfs->found, visitor->found, memory_order_relaxed);
    page_cursor_close(&visitor->cursor);
    free_places(&visitor->places);
}

static void visit_page(struct visitor *visitor, const struct page_record *record,
                       const uint8_t *bytes, bool as_bits)
{
    struct places *places = &visitor->places;
    if (!visitor->has_group || visitor->cursor.group != record->group) {
        page_cursor_go(&visitor->cursor, record->group);
        visitor->has_group = true;
    }
    page_cursor_moves(&visitor->cursor, record->number);
    places->count = record->count;
    places->list = as_bits ? NULL : (const uint16_t *)bytes;
    places->bits = as_bits ? (const uint64_t *)bytes : NULL;
    visitor->found += mark_neighbours(visitor->bfs, &visitor->cursor, places);
}

static void take_pages(struct visitor *visitor, const uint8_t *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        struct page_record record;
        bool as_bits;
        memcpy(&record, bytes + at, sizeof record);
        size_t next = at + record_length(visitor->bfs, record.count, &as_bits);
        visit_page(visitor, &record, bytes + at + sizeof record, as_bits);
        at = next;
    }
}

// Without pages, a message is a list of states that are neighbours of the frontier.
static void take_states(struct visitor *visitor, const uint8_t *bytes, size_t length)
{
    const struct distances *distances = visitor->bfs->distances;
    for (size_t at = 0; at < length; at += sizeof(uint64_t)) {
        uint64_t index;
        memcpy(&index, bytes + at, sizeof index);
        visitor->found += distances_mark(distances->entries, index - distances->first,
                                         visitor->bfs->next, distances->bits);
    }
}

static void take_message(void *context, const uint8_t *bytes, size_t length)
{
    struct visitor *visitor = context;
    if (visitor->bfs->pages->place_count > 0) {
        take_pages(visitor, bytes, length);
    } else {
        take_states(visitor, bytes, length);
    }
}

// A thread's outbox and its visitor, if there are other ranks.
struct correspondent {
    struct outbox outbox;
    struct visitor visitor;
};

static bool open_correspondent(struct bfs *bfs, struct correspondent *correspondent)
{
    *correspondent = (struct correspondent){.visitor.bfs = bfs};
    return !bfs->exchange || (open_visitor(bfs, &correspondent->visitor) &&
                              outbox_open(&correspondent->outbox, bfs->exchange, take_message,
                                          &correspondent->visitor));
}

static void close_correspondent(struct correspondent *correspondent)
{
    if (correspondent->visitor.bfs->exchange) {
        outbox_close(&correspondent->outbox);
        close_visitor(&correspondent->visitor);
    }
}

// ---- The pages of this rank ---------------------------------------------------------------------

static uint64_t expand_page(struct bfs *bfs, struct page_cursor *cursor, unsigned number,
                            struct places *places, struct outbox *outbox)
{
    unsigned place_count = bfs->pages->place_count;
    uint64_t page = cursor->page[number] - bfs->first_unit;
    if (!is_own(bfs, cursor->page[number]) || !flag_is_set(&bfs->active[page])) {
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

// With one page a group, are these groups without a page to expand?
static bool group_is_idle(const struct bfs *bfs, uint64_t group)
{
    return bfs->pages->pages_a_group == 1 && bfs->pages->maps &&
           (!is_own(bfs, group) || !flag_is_set(&bfs->active[group - bfs->first_unit]));
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
    atomic_fetch_add_explicit(&bfs->found, found, memory_order_relaxed);
    close_correspondent(&correspondent);
    page_cursor_close(&cursor);
    free_places(&places);
}

// ---- By states ----------------------------------------------------------------------------------

static void send_state(const struct bfs *bfs, struct outbox *outbox, uint64_t index)
{
    uint8_t *room = outbox_add(outbox, ranks_owner(bfs->unit_count, index / RUN), sizeof index);
    memcpy(room, &index, sizeof index);
}

// `index` counts the entries of this rank.
static uint64_t expand_state(struct bfs *bfs, uint64_t index, struct outbox *outbox)
{
    uint64_t neighbours[MOVES_MOST];
    const struct distances *distances = bfs->distances;
    _Atomic uint8_t *entries = distances->entries;
    unsigned bits = distances->bits;
    uint64_t found = 0;
    if (bfs->backward && !bfs->puzzle->reversible) {
        puzzle_predecessors(bfs->puzzle, bfs->root, distances->first + index, neighbours);
    } else {
        puzzle_neighbours(bfs->puzzle, bfs->root, distances->first + index, neighbours);
    }
    for (unsigned m = 0; m < bfs->puzzle->move_count; m++) {
        uint64_t to = neighbours[m] - distances->first;
        if (neighbours[m] == INDEX_NONE) {
            continue;
        }
        if (bfs->exchange && to >= distances->count) {
            send_state(bfs, outbox, neighbours[m]);
        } else if (!bfs->backward) {
            found += distances_mark(entries, to, bfs->next, bits);
        } else if (distances_get(entries, to, bits) == bfs->last) {
            distances_set(entries, index, bfs->next, bits); // a run has whole bytes
            return 1;
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
    unsigned wanted = bfs->backward ? distances_unreached(bfs->distances->bits) : bfs->last;
    bool going = open_correspondent(bfs, &correspondent);
    if (!going) {
        bfs->out_of_memory = true;
    }
    for (uint64_t first = begin; first < end && going && !should_stop(bfs); first += RUN) {
        unsigned count = end - first < RUN ? (unsigned)(end - first) : RUN;
        count = distances_find(bfs->distances, first, count, wanted, places);
        for (unsigned i = 0; i < count; i++) {
            found += expand_state(bfs, first + places[i], &correspondent.outbox);
        }
        if (bfs->exchange) {
            outbox_poll(&correspondent.outbox);
        }
    }
    atomic_fetch_add_explicit(&bfs->found, found, memory_order_relaxed);
    close_correspondent(&correspondent);
}

// ---- A layer ------------------------------------------------------------------------------------

// Estimates which way looks at fewer neighbours. Backward, a state is done at its first neighbour
// in the frontier. The rarer these are, the more neighbours it looks at.
static bool choose_backward(const struct bfs *bfs, uint64_t last, uint64_t unreached)
{
    double moves = bfs->puzzle->move_count;
    double asked = 1 + (double)unreached / (double)last;
    return !bfs->exchange &&
           (double)unreached * (asked < moves ? asked : moves) < (double)last * moves;
}

static void expand_own(struct bfs *bfs)
{
    // Each part allocates memory, so there are not too many. Each also ends its messages.
    enum { GRAIN_LEAST = 16, PARTS = 64, PARTS_WITH_RANKS = 4 };
    unsigned threads = bfs->options->threads;
    if (bfs->pages->place_count == 0) {
        uint64_t runs = bfs->end_unit - bfs->first_unit;
        uint64_t grain = bfs->exchange ? runs / (threads * PARTS_WITH_RANKS) + 1 : 1;
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

// Takes the rest of what other ranks send in this layer, and adds up what all have found.
static bool end_with_ranks(struct bfs *bfs, struct fewest_error *error)
{
    unsigned threads = bfs->options->threads;
    exchange_end(bfs->exchange, bfs->stopped || bfs->out_of_memory);
    parallel_for(threads, threads, 1, drain_part, bfs);
    uint64_t sums[] = {bfs->found, bfs->stopped, bfs->out_of_memory};
    if (!ranks_sum(sums, sizeof sums / sizeof *sums, error)) {
        return false;
    }
    bfs->found = sums[0];
    bfs->stopped = sums[1] > 0;
    bfs->out_of_memory = sums[2] > 0;
    return true;
}

static bool find_layer(struct bfs *bfs, unsigned layer, struct fewest_error *error)
{
    struct distances *distances = bfs->distances;
    uint64_t unreached = distances->total;
    for (unsigned d = 0; d <= layer; d++) {
        unreached -= distances->histogram[d];
    }
    bool written = distances_end_layer(distances, layer, bfs->options->threads, error);
    if (!ranks_agree(written, error)) {
        return false;
    }
    bfs->last = distances_value(layer, distances->bits);
    bfs->next = distances_value(layer + 1, distances->bits);
    bfs->backward = choose_backward(bfs, distances->histogram[layer], unreached);
    bfs->found = 0;
    if (unreached == 0) {
        return true;
    }
    if (bfs->exchange) {
        exchange_begin(bfs->exchange);
    }
    expand_own(bfs);
    if (bfs->exchange && !end_with_ranks(bfs, error)) {
        return false;
    }
    if (bfs->out_of_memory) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the breadth-first search");
    }
    return !bfs->stopped ||
           error_set(error, FEWEST_STOPPED, "stopped while searching layer %u; no table was made",
                     layer + 1);
}

// Saves a stopped search without the layer that it was looking for.
static bool save_stopped(struct bfs *bfs, unsigned layer, struct fewest_error *error)
{
    struct checkpoint *checkpoint = bfs->options->checkpoint;
    struct fewest_error later;
    if (!checkpoint || error->status != FEWEST_STOPPED) {
        return false;
    }
    distances_take_back(bfs->distances, layer + 1);
    if (!checkpoint_save(checkpoint, bfs->root, bfs->distances, layer, true, &later)) {
        *error = later;
        return error_prefix(error, "stopped, and the checkpoint could not be saved");
    }
    return error_set(error, FEWEST_STOPPED, "stopped while searching layer %u", layer + 1);
}

static bool end_layer(struct bfs *bfs, unsigned layer, struct fewest_error *error)
{
    if (layer >= DISTANCE_MOST && bfs->found > 0) {
        return error_set(error, FEWEST_BEYOND,
                         "%s has states more than %d moves away; a table holds no larger distance",
                         bfs->puzzle->name, DISTANCE_MOST);
    }
    bfs->distances->histogram[layer + 1] = bfs->found;
    struct checkpoint *checkpoint = bfs->options->checkpoint;
    struct fewest_error unsaved;
    if (bfs->found > 0 && checkpoint &&
        !checkpoint_save(checkpoint, bfs->root, bfs->distances, layer + 1, false, &unsaved)) {
        error_prefix(&unsaved, "warning: the checkpoint was not saved, but the search continues");
        bfs->options->warn(bfs->options->context, unsaved.text);
    }
    return true;
}

static void report_layer(const struct bfs *bfs, unsigned layer)
{
    const struct search_options *options = bfs->options;
    const uint64_t *histogram = bfs->distances->histogram;
    uint64_t reached = 0;
    for (unsigned d = 0; d <= layer; d++) {
        reached += histogram[d];
    }
    if (options->progress) {
        bool database = options->database_count > 0;
        struct search_progress progress = {.kind = database ? "pattern database" : "root",
                                           .number = database ? options->database : bfs->root,
                                           .count = database ? options->database_count
                                                             : bfs->puzzle->numbering.root_count,
                                           .layer = layer,
                                           .states = histogram[layer],
                                           .reached = reached,
                                           .entries = bfs->distances->total};
        options->progress(options->context, &progress);
    }
}

static bool find_layers(struct bfs *bfs, unsigned layer, struct fewest_error *error)
{
    for (;; layer++) {
        report_layer(bfs, layer);
        if (!find_layer(bfs, layer, error)) {
            return save_stopped(bfs, layer, error);
        }
        if (!end_layer(bfs, layer, error)) {
            return false;
        }
        if (bfs->found == 0) {
            distances_finish(bfs->distances);
            return true;
        }
    }
}

// Counts the states of some pages that have no distance.
static void count_pages(void *context, uint64_t begin, uint64_t end)
{
    const struct bfs *bfs = context;
    unsigned place_count = bfs->pages->place_count;
    for (uint64_t page = begin; page < end; page++) {
        bfs->left[page] = distances_count_value(bfs->distances, page * place_count, place_count,
                                                distances_unreached(bfs->distances->bits));
    }
}

// Loads the checkpoint. If the ranks saved different layers because the program ended in between,
// all go back to the first of these.
static bool load_checkpoint(struct bfs *bfs, unsigned *layer, struct fewest_error *error)
{
    struct distances *distances = bfs->distances;
    uint64_t *layers = malloc(ranks_count() * sizeof *layers);
    bool loaded = layers || error_set(error, FEWEST_SYSTEM, "not enough memory for the ranks");
    loaded =
        loaded && checkpoint_load(bfs->options->checkpoint, bfs->root, distances, layer, error);
    loaded = ranks_agree(loaded, error) && ranks_gather(*layer, layers, error);
    unsigned first = *layer;
    for (unsigned rank = 0; rank < ranks_count() && loaded; rank++) {
        first = layers[rank] < first ? (unsigned)layers[rank] : first;
    }
    free(layers);
    if (loaded && first < *layer) {
        *layer = first;
        loaded = distances_go_back(distances, first, error);
    }
    return ranks_agree(loaded, error);
}

static void mark_root(struct bfs *bfs)
{
    struct distances *distances = bfs->distances;
    uint64_t root =
        puzzle_rank(bfs->puzzle, bfs->root, bfs->puzzle->numbering.roots[bfs->root].target);
    uint64_t own = root - distances->first; // very large before the first entry of this rank
    distances->histogram[0] = 1;
    if (own >= distances->count) {
        return;
    }
    bool is_new = distances_mark(distances->entries, own, distances_value(0, distances->bits),
                                 distances->bits);
    if (bfs->pages->place_count > 0) {
        bfs->left[own / bfs->pages->place_count] -=
            is_new; // it has a distance if the search went back to it
        set_flag(&bfs->next_active[own / bfs->pages->place_count]);
    }
}

// Resumes from a checkpoint, or begins with the root.
static bool begin_search(struct bfs *bfs, unsigned *layer, struct fewest_error *error)
{
    const struct search_options *options = bfs->options;
    *layer = 0;
    distances_clear(bfs->distances, options->threads);
    if (options->checkpoint && !load_checkpoint(bfs, layer, error)) {
        return false;
    }
    // The first layer to be found makes `next_active` the flags of the frontier. A checkpoint does
    // not hold these flags.
    if (bfs->pages->place_count > 0) {
        uint64_t page_count = bfs->end_unit - bfs->first_unit;
        memset((void *)bfs->next_active, *layer > 0, page_count);
        parallel_for(options->threads, page_count, PAGES_AT_ONCE, count_pages, bfs);
    }
    if (*layer == 0) {
        mark_root(bfs);
    }
    return true;
}

static bool make_flags(struct bfs *bfs, struct fewest_error *error)
{
    size_t count = bfs->pages->place_count > 0 ? bfs->end_unit - bfs->first_unit + 1 : 1;
    bfs->active = calloc(count, sizeof *bfs->active);
    bfs->next_active = calloc(count, sizeof *bfs->next_active);
    bfs->left = calloc(count, sizeof *bfs->left);
    bfs->exchange = ranks_count() > 1 ? exchange_open(bfs->options->threads) : NULL;
    return (bfs->active && bfs->next_active && bfs->left &&
            (bfs->exchange || ranks_count() == 1)) ||
           error_set(error, FEWEST_SYSTEM, "not enough memory for the breadth-first search");
}

static void free_flags(struct bfs *bfs)
{
    free((void *)bfs->active);
    free((void *)bfs->next_active);
    free((void *)bfs->left);
    if (bfs->exchange) {
        exchange_close(bfs->exchange);
    }
}

// A section that is made from these distances reads them as bytes.
unsigned search_bits(const struct puzzle *puzzle, unsigned root,
                     const struct search_options *options)
{
    static const uint64_t NARROW_LEAST = UINT64_C(1) << 24; // states
    uint64_t least = options->narrow_least > 0 ? options->narrow_least : NARROW_LEAST;
    bool looked_up = puzzle->numbering.roots[root].wildcards.entries > 0 ||
                     puzzle->numbering.roots[root].hidden > 1;
    return looked_up || puzzle_full_count(puzzle, root) < least ? 8 : NARROW_BITS;
}

// Gives this rank its units, and makes room for their distances.
static bool take_share(struct bfs *bfs, struct fewest_error *error)
{
    const struct search_options *options = bfs->options;
    uint64_t total = puzzle_full_count(bfs->puzzle, bfs->root);
    unsigned unit = bfs->pages->place_count > 0 ? bfs->pages->place_count : RUN;
    bfs->unit_count = (total + unit - 1) / unit;
    bfs->first_unit = ranks_first(bfs->unit_count, ranks_number());
    bfs->end_unit = ranks_first(bfs->unit_count, ranks_number() + 1);
    uint64_t first = bfs->first_unit * unit;
    uint64_t end = bfs->end_unit * unit;
    first = first < total ? first : total;
    end = end < total ? end : total;
    bool made =
        distances_make(bfs->distances, end - first, search_bits(bfs->puzzle, bfs->root, options),
                       options->folder, error);
    distances_place(bfs->distances, first, total);
    return made;
}

bool search_distances(const struct puzzle *puzzle, unsigned root,
                      const struct search_options *options, struct distances *distances,
                      struct fewest_error *error)
{
    unsigned layer;
    struct pages pages;
    struct bfs bfs = {.puzzle = puzzle,
                      .root = root,
                      .pages = &pages,
                      .distances = distances,
                      .options = options};
    *distances = (struct distances){.count = 0};
    bool made = pages_make(&pages, puzzle, root, error) && take_share(&bfs, error) &&
                make_flags(&bfs, error);
    bool done = ranks_agree(made, error) && begin_search(&bfs, &layer, error) &&
                find_layers(&bfs, layer, error);
    free_flags(&bfs);
    pages_free(&pages);
    return done;
}
