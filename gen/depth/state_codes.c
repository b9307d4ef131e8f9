// Makes the codes of a puzzle's states, and applies moves to them.
#include "state_codes.h"

#include "tables/base/array.h"
#include "tables/families/board/board.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---- Slots --------------------------------------------------------------------------------------

// Adds the slots of a set, from the segments of its pieces and of its orientations. One of them may
// be NULL.
static void add_slots(struct state_codes *codes, const struct segment *pieces,
                      const struct segment *turns)
{
    const struct segment *any = pieces ? pieces : turns;
    for (unsigned i = 0; i < any->length; i++) {
        struct code_slot slot = {.piece = pieces ? (int)(pieces->first + i) : -1,
                                 .turn = turns ? (int)(turns->first + i) : -1,
                                 .turns = turns ? turns->symbols : 1};
        slot.count = slot.turns * (pieces ? pieces->symbols : 1);
        codes->slots[codes->slot_count++] = slot;
    }
}

// Chooses the bits of each slot in the words of a packed state. No code is in two words.
static void place_codes(struct state_codes *codes)
{
    unsigned used = 0; // bits of the word
    codes->words = 1;
    for (unsigned i = 0; i < codes->slot_count; i++) {
        struct code_slot *slot = &codes->slots[i];
        unsigned bits = 0;
        while ((slot->count - 1) >> bits > 0) {
            bits++;
        }
        if (used + bits > 64) {
            codes->words++;
            used = 0;
        }
        slot->word = codes->words - 1;
        slot->shift = used % 64;
        slot->mask = (UINT64_C(1) << bits) - 1;
        used += bits;
    }
}

// Makes the slots of all sets, in the order of the cells. Returns false if memory runs out.
static bool make_slots(struct state_codes *codes)
{
    const struct puzzle *puzzle = codes->puzzle;
    codes->slots = array_make(puzzle->cell_count, sizeof *codes->slots);
    for (unsigned s = 0; s < puzzle->segment_count && codes->slots; s++) {
        const struct segment *segment = &puzzle->segments[s];
        const struct segment *next = s + 1 < puzzle->segment_count ? segment + 1 : NULL;
        if (segment->kind != SEGMENT_ORIENTATION) {
            // The orientations of these pieces come next, if they have some.
            add_slots(codes, segment, next && next->pieces == (int)segment->first ? next : NULL);
        } else if (segment->pieces < 0) {
            add_slots(codes, NULL, segment);
        }
    }
    if (!codes->slots) {
        return false;
    }
    assert(codes->slot_count <= CODES_MOST);
    place_codes(codes);
    return true;
}

// ---- Moves --------------------------------------------------------------------------------------

// The tables of turns that were made so far. Slots of a set share them.
struct turn_tables {
    struct state_codes *codes;
    size_t used; // entries
    size_t room;
    // By segment of orientations and turn: where its table begins, or TABLE_NONE. The last row has
    // that of codes without an orientation.
    uint32_t *known;
};

static const uint32_t TABLE_NONE = UINT32_MAX;

// Makes room for `count` more entries. Returns false if memory runs out.
static bool reserve_entries(struct turn_tables *tables, size_t count)
{
    size_t needed = tables->used + count;
    if (needed <= tables->room) {
        return true;
    }
    uint16_t *grown = realloc(tables->codes->tables, 2 * needed * sizeof *grown);
    if (!grown) {
        return false;
    }
    tables->codes->tables = grown;
    tables->room = 2 * needed;
    return true;
}

// Fills in what becomes of the codes of a slot whose orientation turns by `by`. Those that do not
// count are 0. `turns` is the segment of its orientations, or NULL.
static void fill_table(const struct code_slot *slot, const struct segment *turns, unsigned by,
                       uint16_t *table)
{
    for (unsigned code = 0; code < slot->count; code++) {
        unsigned piece = code / slot->turns;
        unsigned turned = (code % slot->turns + by) % slot->turns;
        bool is_ignored =
            turns && turns->ignores &&
            turns->ignored[slot->piece >= 0 ? piece : (unsigned)slot->turn - turns->first];
        table[code] = (uint16_t)(piece * slot->turns + (is_ignored ? 0 : turned));
    }
}

// Finds or makes the table of a slot and a turn. Slots whose pieces stay at home ignore
// orientations by slot, so each of them has a table of its own. Returns false if memory runs out.
static bool find_table(struct turn_tables *tables, const struct code_slot *slot, unsigned by,
                       uint32_t *table)
{
    const struct puzzle *puzzle = tables->codes->puzzle;
    const struct segment *turns = NULL;
    uint32_t *known = NULL;
    if (slot->turn >= 0) {
        turns = puzzle_find_segment(puzzle, (unsigned)slot->turn);
    }
    bool is_shared = slot->piece >= 0 || (turns && !turns->ignores);
    if (is_shared) {
        size_t row =
            turns ? (size_t)(turns - puzzle->segments)
                  : (size_t)(puzzle_find_segment(puzzle, (unsigned)slot->piece) - puzzle->segments);
        known = &tables->known[row * ORIENTATIONS_MOST + by];
        if (*known != TABLE_NONE) {
            *table = *known;
            return true;
        }
    }
    if (!reserve_entries(tables, slot->count)) {
        return false;
    }
    *table = (uint32_t)tables->used;
    fill_table(slot, turns, by, tables->codes->tables + tables->used);
    tables->used += slot->count;
    if (known) {
        *known = *table;
    }
    return true;
}

// Fills in the change that undoes what a move brings to slot `to`: the piece goes back to the slot
// that it came from. `slot_of` is the slot of each cell. Sets *changes to false if nothing happens.
static bool undo_slot(struct turn_tables *tables, const struct move *move, const uint16_t *slot_of,
                      unsigned to, struct code_change *change, bool *changes)
{
    const struct code_slot *slot = &tables->codes->slots[to];
    unsigned cell = (unsigned)(slot->piece >= 0 ? slot->piece : slot->turn);
    unsigned from = slot_of[move->from[cell]];
    unsigned added = slot->turn >= 0 ? move->add[slot->turn] : 0;
    *changes = from != to || added > 0;
    if (!*changes) {
        return true;
    }
    *change = (struct code_change){.slot = (uint16_t)from, .from = (uint16_t)to};
    return find_table(tables, slot, (slot->turns - added) % slot->turns, &change->table);
}

// Fills in the changes of all moves undone. Returns false if memory runs out.
static bool fill_changes(struct turn_tables *tables, const uint16_t *slot_of)
{
    struct state_codes *codes = tables->codes;
    size_t used = 0;
    for (unsigned m = 0; m < codes->puzzle->move_count; m++) {
        codes->first_change[m] = used;
        struct code_change *grown =
            realloc(codes->changes, (used + codes->slot_count + 1) * sizeof *grown);
        if (!grown) {
            return false;
        }
        codes->changes = grown;
        for (unsigned i = 0; i < codes->slot_count; i++) {
            bool changes;
            if (!undo_slot(tables, &codes->puzzle->moves[m], slot_of, i, &grown[used], &changes)) {
                return false;
            }
            used += changes;
        }
    }
    codes->first_change[codes->puzzle->move_count] = used;
    return true;
}

// Makes the changes of all moves of a permutation puzzle. Returns false if memory runs out.
static bool make_changes(struct state_codes *codes)
{
    const struct puzzle *puzzle = codes->puzzle;
    size_t known_count = (size_t)puzzle->segment_count * ORIENTATIONS_MOST;
    struct turn_tables tables = {.codes = codes,
                                 .known = malloc(known_count * sizeof *tables.known)};
    uint16_t *slot_of = array_make(puzzle->cell_count, sizeof *slot_of);
    codes->first_change = array_make(puzzle->move_count + 1u, sizeof *codes->first_change);
    bool done = tables.known && slot_of && codes->first_change;
    if (done) {
        memset(tables.known, 0xFF, known_count * sizeof *tables.known); // TABLE_NONE
        for (unsigned i = 0; i < codes->slot_count; i++) {
            const struct code_slot *slot = &codes->slots[i];
            if (slot->piece >= 0) {
                slot_of[slot->piece] = (uint16_t)i;
            }
            if (slot->turn >= 0) {
                slot_of[slot->turn] = (uint16_t)i;
            }
        }
        done = fill_changes(&tables, slot_of);
    }
    free(tables.known);
    free(slot_of);
    return done;
}

// Fills in which codes the filter permits in each slot. Returns false if memory runs out.
static bool make_legal(struct state_codes *codes)
{
    const struct puzzle *puzzle = codes->puzzle;
    uint8_t cells[CELLS_MOST];
    unsigned used = 0;
    if (!puzzle->filter) {
        return true;
    }
    for (unsigned i = 0; i < codes->slot_count; i++) {
        codes->slots[i].first_legal = used;
        used += codes->slots[i].count;
    }
    codes->legal = array_make(used, sizeof *codes->legal);
    if (!codes->legal) {
        return false;
    }
    memset(cells, WILD, puzzle->cell_count);
    for (unsigned i = 0; i < codes->slot_count; i++) {
        const struct code_slot *slot = &codes->slots[i];
        for (unsigned code = 0; code < slot->count; code++) {
            if (slot->piece >= 0) {
                cells[slot->piece] = (uint8_t)(code / slot->turns);
            }
            codes->legal[slot->first_legal + code] = puzzle_permits(puzzle, cells);
        }
        if (slot->piece >= 0) {
            cells[slot->piece] = WILD;
        }
    }
    return true;
}

bool codes_make(struct state_codes *codes, const struct puzzle *puzzle, struct fewest_error *error)
{
    *codes = (struct state_codes){.puzzle = puzzle, .symmetry_count = 1};
    if (puzzle->rules->never_applies_reason) {
        return error_set(error, FEWEST_BEYOND, "the states of %s can't be counted by depth: %s",
                         puzzle->name, puzzle->rules->never_applies_reason);
    }
    if (!make_slots(codes) || !make_legal(codes) || (!puzzle->board && !make_changes(codes))) {
        return error_no_memory(error, "for the moves");
    }
    return true;
}

void codes_free(struct state_codes *codes)
{
    free(codes->slots);
    free(codes->first_change);
    free(codes->changes);
    free(codes->tables);
    free(codes->legal);
    free(codes->shown);
    free(codes->image_from);
    free(codes->images);
    free(codes->sources);
    free(codes->choices);
    free(codes->chosen);
    *codes = (struct state_codes){.slot_count = 0};
}

// ---- States -------------------------------------------------------------------------------------

// Reads the cells of a state.
static void read_cells(const struct state_codes *codes, const uint8_t *cells, uint16_t *state)
{
    for (unsigned i = 0; i < codes->slot_count; i++) {
        const struct code_slot *slot = &codes->slots[i];
        unsigned piece = slot->piece >= 0 ? cells[slot->piece] : 0;
        unsigned turn = slot->turn >= 0 ? cells[slot->turn] : 0;
        state[i] = (uint16_t)(piece * slot->turns + turn);
    }
}

bool codes_read_goal(const struct state_codes *codes, unsigned goal, uint16_t *state,
                     struct fewest_error *error)
{
    const struct puzzle *puzzle = codes->puzzle;
    const uint8_t *cells = puzzle->goals[goal];
    uint8_t relative[CELLS_MOST];
    unsigned root;
    bool is_group = !puzzle->board && puzzle->numbering.answers == ANSWERS_ALL;
    if (is_group) {
        if (!puzzle_find_relative(puzzle, puzzle->goals[0], cells, &root, relative, error)) {
            return false;
        }
        cells = relative;
    }
    read_cells(codes, cells, state);
    return true;
}

// Undoes a move of a board: one of its moves takes the blank back. As long as each move can be
// undone by another one, this makes the moves themselves. All together, they lead to the same
// states. A slot of a board has one cell, and its code is the tile there.
static bool move_board(const struct puzzle *puzzle, unsigned move, const uint16_t *from,
                       uint16_t *to)
{
    uint8_t cells[BOARD_CELLS_MOST];
    uint8_t moved[BOARD_CELLS_MOST];
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        cells[i] = (uint8_t)from[i];
    }
    if (!puzzle_apply(puzzle, move, cells, moved)) {
        return false;
    }
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        to[i] = moved[i];
    }
    return true;
}

bool codes_undo(const struct state_codes *codes, unsigned move, const uint16_t *from, uint16_t *to)
{
    if (codes->puzzle->board) {
        return move_board(codes->puzzle, move, from, to);
    }
    memcpy(to, from, codes->slot_count * sizeof *to);
    const struct code_change *end = codes->changes + codes->first_change[move + 1];
    for (const struct code_change *change = codes->changes + codes->first_change[move];
         change < end; change++) {
        unsigned code = codes->tables[change->table + from[change->from]];
        if (codes->legal && !codes->legal[codes->slots[change->slot].first_legal + code]) {
            return false;
        }
        to[change->slot] = (uint16_t)code;
    }
    return true;
}

void codes_pack(const struct state_codes *codes, const uint16_t *state, uint64_t *packed)
{
    unsigned w = 0;
    uint64_t word = 0; // is faster than to change packed[w] again and again
    for (unsigned i = 0; i < codes->slot_count; i++) {
        const struct code_slot *slot = &codes->slots[i];
        if (slot->word > w) {
            packed[w++] = word;
            word = 0;
        }
        word |= (uint64_t)state[i] << slot->shift;
    }
    packed[w] = word;
}

void codes_unpack(const struct state_codes *codes, const uint64_t *packed, uint16_t *state)
{
    for (unsigned i = 0; i < codes->slot_count; i++) {
        const struct code_slot *slot = &codes->slots[i];
        state[i] = (uint16_t)(packed[slot->word] >> slot->shift & slot->mask);
    }
}
