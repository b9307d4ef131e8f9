// Ranks the rows of an orbit.
#include "index/rank.h"
#include "puzzle/orbit_chain.h"

#include <assert.h>
#include <string.h>

// ---- Cells --------------------------------------------------------------------------------------

// The symbol of a piece, or -1. An orbit that nothing turns has a symbol for each orientation.
static int find_symbol(const struct orbit *orbit, unsigned set, unsigned piece, unsigned turn)
{
    if (orbit->symbol_at) {
        unsigned number = piece <= UINT8_MAX ? orbit->symbol_at[piece] : SYMBOL_NONE;
        return number == SYMBOL_NONE ? -1 : (int)number;
    }
    unsigned low = 0;
    unsigned high = orbit->symbol_count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        const struct symbol *symbol = &orbit->symbols[middle];
        bool before = symbol->set != set       ? symbol->set < set
                      : symbol->piece != piece ? symbol->piece < piece
                                               : symbol->turns == 1 && symbol->turn < turn;
        if (before) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < orbit->symbol_count && orbit->symbols[low].set == set &&
                 orbit->symbols[low].piece == piece;
    return found ? (int)low : -1;
}

bool orbit_read(const struct orbits *orbits, const struct orbit *orbit, const uint8_t *cells,
                uint16_t *row)
{
    for (unsigned i = 0; i < orbit->length && orbit->turned; i++) {
        row[i] = (uint16_t)(orbit->first[i] + cells[orbits->slots[orbit->slot[i]].turn]);
    }
    for (unsigned i = 0; i < orbit->length && !orbit->turned; i++) {
        const struct slot *slot = &orbits->slots[orbit->slot[i]];
        unsigned piece = slot->piece < 0 ? slot->index : cells[slot->piece];
        unsigned turn = slot->turn < 0 ? 0 : cells[slot->turn];
        int number = find_symbol(orbit, slot->set, piece, turn);
        if (number < 0) {
            return false;
        }
        const struct symbol *symbol = &orbit->symbols[number];
        if (symbol->turns == 1 ? turn != symbol->turn : turn >= symbol->turns) {
            return false;
        }
        row[i] = (uint16_t)(symbol->first + (symbol->turns > 1 ? turn : 0));
    }
    return true;
}

void orbit_write(const struct orbits *orbits, const struct orbit *orbit, const uint16_t *row,
                 uint8_t *cells)
{
    for (unsigned i = 0; i < orbit->length; i++) {
        const struct slot *slot = &orbits->slots[orbit->slot[i]];
        const struct symbol *symbol = &orbit->symbols[orbit->symbol_of[row[i]]];
        if (slot->piece >= 0) {
            cells[slot->piece] = (uint8_t)symbol->piece;
        }
        if (slot->turn >= 0) {
            cells[slot->turn] =
                (uint8_t)(symbol->turns > 1 ? row[i] - symbol->first : symbol->turn);
        }
    }
}

// ---- Giants -------------------------------------------------------------------------------------
// The rank of a row has these digits:
//   1. the symbols that one slot holds, in rising order: which of the free slots each has, and its
//      orientation if that counts
//   2. the other symbols in the slots that are left
//   3. the orientations of these that count, in the order of the slots
// If all orientations count, the last one follows from the class. If one slot holds each symbol,
// the rank has two digits instead: half the rank of the permutation, and the orientations by slot.

static unsigned turn_of(const struct orbit *orbit, unsigned value)
{
    return value - orbit->symbols[orbit->symbol_of[value]].first;
}

static unsigned sum_of(const struct orbit *orbit, const uint16_t *row)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < orbit->length && orbit->turns > 1; i++) {
        sum += turn_of(orbit, row[i]);
    }
    return sum % orbit->turns;
}

static bool is_odd(const struct orbit *orbit, const uint16_t *row)
{
    unsigned inversions = 0;
    for (unsigned i = 0; i < orbit->length; i++) {
        for (unsigned j = 0; j < i; j++) {
            inversions += row[j] > row[i];
        }
    }
    return inversions % 2;
}

// Does each symbol stand in as many slots as it must?
static bool amounts_are_right(const struct orbit *orbit, const uint16_t *row)
{
    uint8_t left[PIECES_OF_SET_MOST];
    for (unsigned s = 0; s < orbit->symbol_count; s++) {
        left[s] = (uint8_t)orbit->symbols[s].amount;
    }
    for (unsigned i = 0; i < orbit->length; i++) {
        if (left[orbit->symbol_of[row[i]]]-- == 0) {
            return false;
        }
    }
    return true;
}

void orbit_invariants(const struct orbit *orbit, const uint16_t *row, uint16_t invariants[2])
{
    invariants[0] = orbit_all_differ(orbit) && is_odd(orbit, row);
    invariants[1] = orbit_sum_counts(orbit) ? (uint16_t)sum_of(orbit, row) : 0;
}

// Does the orientation of a value count, and do so many slots hold its symbol?
static bool has_turn(const struct orbit *orbit, unsigned value, unsigned least_amount)
{
    const struct symbol *symbol = &orbit->symbols[orbit->symbol_of[value]];
    return symbol->turns > 1 && symbol->amount >= least_amount;
}

// Appends the orientations that count, of symbols that at least so many slots hold, to a rank. The
// last one is left out if it follows from the class.
static uint64_t rank_turns(const struct orbit *orbit, unsigned least_amount, const uint16_t *row,
                           uint64_t rank)
{
    uint64_t before = rank;
    for (unsigned i = 0; i < orbit->length; i++) {
        if (has_turn(orbit, row[i], least_amount)) {
            before = rank;
            rank = rank * orbit->turns + turn_of(orbit, row[i]);
        }
    }
    return orbit_sum_counts(orbit) ? before : rank;
}

// The way back: adds orientations to a row that has none of these yet. `rank` holds only them.
static void unrank_turns(const struct orbit *orbit, unsigned least_amount, unsigned sum,
                         uint64_t rank, uint16_t *row)
{
    unsigned last = orbit->length; // that counts
    for (unsigned i = orbit->length; i-- > 0;) {
        if (!has_turn(orbit, row[i], least_amount)) {
            continue;
        }
        if (last == orbit->length) {
            last = i;
            if (orbit_sum_counts(orbit)) {
                continue;
            }
        }
        row[i] = (uint16_t)(row[i] + rank % orbit->turns);
        rank /= orbit->turns;
    }
    if (orbit_sum_counts(orbit)) {
        unsigned missing = sum + orbit->turns - sum_of(orbit, row);
        row[last] = (uint16_t)(row[last] + missing % orbit->turns);
    }
}

// turns ^ (number of orientations in a rank)
static uint64_t count_turns(const struct orbit *orbit, unsigned counting)
{
    uint64_t count = 1;
    for (unsigned i = orbit_sum_counts(orbit); i < counting; i++) {
        count *= orbit->turns;
    }
    return count;
}

static uint64_t rank_permutation(const struct orbit *orbit, const uint16_t *row)
{
    uint8_t symbols[RANK_LONGEST];
    for (unsigned i = 0; i < orbit->length; i++) {
        symbols[i] = (uint8_t)orbit->symbol_of[row[i]];
    }
    uint64_t rank = arrangement_rank(orbit->length, orbit->length, symbols) / 2;
    return rank_turns(orbit, 1, row, rank);
}

static void unrank_permutation(const struct orbit *orbit, const uint16_t *invariants, uint64_t rank,
                               uint16_t *row)
{
    unsigned length = orbit->length;
    uint8_t symbols[RANK_LONGEST];
    uint64_t turned = count_turns(orbit, orbit->counting);
    arrangement_unrank(length, length, rank / turned * 2, symbols);
    if (arrangement_is_odd(length, symbols) != invariants[0]) {
        uint8_t last = symbols[length - 1];
        symbols[length - 1] = symbols[length - 2];
        symbols[length - 2] = last;
    }
    for (unsigned i = 0; i < length; i++) {
        row[i] = (uint16_t)orbit->symbols[symbols[i]].first;
    }
    unrank_turns(orbit, 1, invariants[1], rank % turned, row);
}

// The symbols that several slots hold, and how many rows they make.
struct alike {
    uint8_t amount[PIECES_OF_SET_MOST]; // by number among these
    uint8_t number[PIECES_OF_SET_MOST]; // by symbol
    uint8_t symbol[PIECES_OF_SET_MOST]; // by number
    unsigned count;
    unsigned slots;
    uint64_t rows;
    unsigned counting; // number of their slots whose orientation counts
};

static struct alike find_alike(const struct orbit *orbit)
{
    struct alike alike = {.count = 0};
    for (unsigned s = 0; s < orbit->symbol_count; s++) {
        const struct symbol *symbol = &orbit->symbols[s];
        if (symbol->amount > 1) {
            alike.number[s] = (uint8_t)alike.count;
            alike.symbol[alike.count] = (uint8_t)s;
            alike.amount[alike.count++] = (uint8_t)symbol->amount;
            alike.slots += symbol->amount;
            alike.counting += symbol->turns > 1 ? symbol->amount : 0;
        }
    }
    multiset_count(alike.slots, alike.count, alike.amount, &alike.rows);
    return alike;
}

// Appends the arrangement of the symbols that several slots hold, in the slots that are left.
static uint64_t rank_rest(const struct orbit *orbit, const uint16_t *row, const bool *taken,
                          uint64_t rank)
{
    struct alike alike = find_alike(orbit);
    uint8_t rest[PIECES_OF_SET_MOST];
    unsigned count = 0;
    for (unsigned i = 0; i < orbit->length; i++) {
        if (!taken[i]) {
            rest[count++] = alike.number[orbit->symbol_of[row[i]]];
        }
    }
    return rank * alike.rows + multiset_rank(count, alike.count, alike.amount, rest);
}

static uint64_t rank_colours(const struct orbit *orbit, const uint16_t *row)
{
    uint8_t slot_of[PIECES_OF_SET_MOST]; // by symbol
    bool taken[PIECES_OF_SET_MOST];
    uint64_t rank = 0;
    unsigned used = 0;
    unsigned turned = 0;
    memset(slot_of, 0, orbit->symbol_count);
    memset(taken, 0, orbit->length * sizeof *taken);
    for (unsigned i = 0; i < orbit->length; i++) {
        slot_of[orbit->symbol_of[row[i]]] = (uint8_t)i;
    }
    for (unsigned s = 0; s < orbit->symbol_count; s++) {
        const struct symbol *symbol = &orbit->symbols[s];
        if (symbol->amount > 1) {
            continue;
        }
        unsigned digit = slot_of[s];
        for (unsigned i = 0; i < slot_of[s]; i++) {
            digit -= taken[i];
        }
        taken[slot_of[s]] = true;
        rank = rank * (orbit->length - used++) + digit;
        rank = symbol->turns > 1 ? rank * symbol->turns + turn_of(orbit, row[slot_of[s]]) : rank;
        turned += symbol->turns > 1;
    }
    if (used + 1 < orbit->symbol_count) { // if there is only one other symbol, it fills the rest
        rank = rank_rest(orbit, row, taken, rank);
    }
    return turned < orbit->counting ? rank_turns(orbit, 2, row, rank) : rank;
}

static void unrank_colours(const struct orbit *orbit, const uint16_t *invariants, uint64_t rank,
                           uint16_t *row)
{
    struct alike alike = find_alike(orbit);
    assert(alike.rows > 0); // it divides the number of states
    uint8_t rest[PIECES_OF_SET_MOST] = {0};
    uint8_t slot_of[PIECES_OF_SET_MOST] = {0}; // by symbol
    uint8_t turn[PIECES_OF_SET_MOST] = {0};    // by symbol
    uint64_t turned = count_turns(orbit, alike.counting);
    uint64_t turns = rank % turned;
    rank /= turned;
    multiset_unrank(alike.slots, alike.count, alike.amount, rank % alike.rows, rest);
    rank /= alike.rows;
    unsigned used = orbit->length - alike.slots;
    for (unsigned s = orbit->symbol_count; s-- > 0;) {
        const struct symbol *symbol = &orbit->symbols[s];
        if (symbol->amount == 1) {
            turn[s] = symbol->turns > 1 ? (uint8_t)(rank % symbol->turns) : 0;
            rank /= symbol->turns > 1 ? symbol->turns : 1;
            slot_of[s] = (uint8_t)(rank % (orbit->length - --used));
            rank /= orbit->length - used;
        }
    }
    bool taken[PIECES_OF_SET_MOST] = {false};
    for (unsigned s = 0; s < orbit->symbol_count; s++) {
        if (orbit->symbols[s].amount == 1) {
            unsigned i = 0;
            for (unsigned before = slot_of[s]; taken[i] || before > 0; i++) {
                before -= !taken[i];
            }
            taken[i] = true;
            row[i] = (uint16_t)(orbit->symbols[s].first + turn[s]);
        }
    }
    for (unsigned i = 0, count = 0; i < orbit->length; i++) {
        if (!taken[i]) {
            row[i] = (uint16_t)orbit->symbols[alike.symbol[rest[count++]]].first;
        }
    }
    unrank_turns(orbit, 2, invariants[1], turns, row);
}

// ---- All kinds ----------------------------------------------------------------------------------

uint32_t orbit_class(const struct orbit *orbit, const uint16_t *row)
{
    uint16_t key[SLOTS_MOST];
    if (orbit->kind == ORBIT_LISTED) {
        uint32_t number = row_set_find(&orbit->list, row);
        return number == ROW_NONE ? ROW_NONE : orbit->class_of[number];
    }
    if (orbit->kind == ORBIT_GIANT) {
        if (!amounts_are_right(orbit, row)) {
            return ROW_NONE;
        }
        orbit_invariants(orbit, row, key);
        return row_set_find(&orbit->class_rows, key);
    }
    if (orbit->classes == 1) {
        return 0; // chain_rank finds out whether it occurs
    }
    memcpy(key, row, orbit->length * sizeof *row);
    chain_least(orbit, key);
    return row_set_find(&orbit->class_rows, key);
}

uint64_t orbit_rank(const struct orbit *orbit, uint32_t class, const uint16_t *row)
{
    switch (orbit->kind) {
    case ORBIT_GIANT:
        return orbit_all_differ(orbit) ? rank_permutation(orbit, row) : rank_colours(orbit, row);
    case ORBIT_CHAIN:
        return chain_rank(orbit, class, row);
    case ORBIT_LISTED:
        return orbit->rank_of[row_set_find(&orbit->list, row)];
    }
    return INDEX_NONE;
}

void orbit_unrank(const struct orbit *orbit, uint32_t class, uint64_t rank, uint16_t *row)
{
    switch (orbit->kind) {
    case ORBIT_GIANT:
        (orbit_all_differ(orbit) ? unrank_permutation : unrank_colours)(
            orbit, row_set_row(&orbit->class_rows, class), rank, row);
        return;
    case ORBIT_CHAIN:
        chain_unrank(orbit, class, rank, row);
        return;
    case ORBIT_LISTED:
        memcpy(row, row_set_row(&orbit->list, orbit->row_of[class * orbit->rows + rank]),
               orbit->length * sizeof *row);
    }
}
