// Writes and reads the messages of a search.
#include "visitor.h"

#include <stdlib.h>
#include <string.h>

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

// Sends the places of a page of this rank, which are a list at first.
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
        memcpy(room + sizeof *record, places->list, places->count * sizeof *places->list);
    }
}

void send_to_neighbours(const struct bfs *bfs, struct outbox *outbox,
                        const struct page_cursor *cursor, unsigned number, struct places *places)
{
    struct page_record record = {cursor->group, number, places->count};
    unsigned to[MOVES_MOST];
    unsigned count = 0;
    for (unsigned m = 0; m < bfs->puzzle->move_count; m++) {
        if (cursor->to[m] == INDEX_NONE || bfs_owns(bfs, cursor->to[m])) {
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

bool open_visitor(struct bfs *bfs, struct visitor *visitor)
{
    *visitor = (struct visitor){.bfs = bfs};
    return !bfs_has_pages(bfs) ||
           (make_places(bfs, &visitor->places) && page_cursor_open(&visitor->cursor, bfs->pages));
}

void close_visitor(struct visitor *visitor)
{
    struct bfs *bfs = visitor->bfs;
    add_found(bfs, visitor->found);
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

void take_message(void *context, const uint8_t *bytes, size_t length)
{
    struct visitor *visitor = context;
    if (bfs_has_pages(visitor->bfs)) {
        take_pages(visitor, bytes, length);
    } else {
        take_states(visitor, bytes, length);
    }
}

bool open_correspondent(struct bfs *bfs, struct correspondent *correspondent)
{
    *correspondent = (struct correspondent){.visitor.bfs = bfs};
    return !bfs->exchange || (open_visitor(bfs, &correspondent->visitor) &&
                              outbox_open(&correspondent->outbox, bfs->exchange, take_message,
                                          &correspondent->visitor));
}

void close_correspondent(struct correspondent *correspondent)
{
    if (correspondent->visitor.bfs->exchange) {
        outbox_close(&correspondent->outbox);
        close_visitor(&correspondent->visitor);
    }
}

void send_state(const struct bfs *bfs, struct outbox *outbox, uint64_t index)
{
    uint8_t *room = outbox_add(outbox, ranks_owner(bfs->unit_count, index / RUN), sizeof index);
    memcpy(room, &index, sizeof index);
}

uint64_t most_sent(const struct pages *pages, unsigned ranks)
{
    const struct puzzle *puzzle = pages->puzzle;
    unsigned moves = puzzle->move_count;
    if (pages->place_count == 0) {
        return puzzle->numbering.state_count * moves * sizeof(uint64_t);
    }
    uint64_t record = sizeof(struct page_record) + ((uint64_t)pages->place_count + 63) / 64 * 8;
    uint64_t page_count = pages->group_count * pages->pages_a_group;
    return page_count * record * (moves < ranks - 1 ? moves : ranks - 1);
}
