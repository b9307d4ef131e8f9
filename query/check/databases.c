// Checks the pattern databases of a searched board: rules 7 to 10 of check.c.
//
// A simple search, which shares no code with the generator's, finds the distance of each pair
// (arrangement of the database's tiles, cell of the blank). The distance is the byte at
// arrangement * cells + cell. The rules then prove it.
#include "check.h"

#include "tables/base/array.h"
#include "tables/families/board/board.h"
#include "tables/families/board/tile_databases.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// A search for the distances of a pattern database, and the proof of them.
struct second_search {
    struct checker *checker;
    const struct puzzle *puzzle;
    const struct pattern_database *database;
    const struct unpacked *entries; // of the database in the table
    unsigned cells;                 // of the board
    // By cell: a bit for each cell that a move of the blank leads to.
    unsigned beside[DATABASE_CELLS_MOST];
    uint8_t *distances; // by arrangement and cell of the blank; UINT8_MAX: unreachable
    uint64_t found;     // regions at the newest distance
};

// An arrangement of the database's tiles: its number, and where the tiles are.
struct arrangement {
    uint64_t entry;
    uint8_t cell[DATABASE_CELLS_MOST]; // by tile of the database
    unsigned tiles;                    // a bit for each cell of a tile
};

// Returns the arrangement whose number is `entry`.
static struct arrangement unrank_arrangement(const struct second_search *second, uint64_t entry)
{
    struct arrangement arrangement = {.entry = entry};
    arrangement_unrank(second->cells, second->database->count, entry, arrangement.cell);
    for (unsigned t = 0; t < second->database->count; t++) {
        arrangement.tiles |= 1u << arrangement.cell[t];
    }
    return arrangement;
}

// Removes the lowest cell of a set, which must not be empty, and returns it.
static unsigned take_lowest_cell(unsigned *cells)
{
    unsigned cell = (unsigned)__builtin_ctz(*cells);
    *cells &= *cells - 1;
    return cell;
}

// Returns the region of the blank, a bit for each cell: all cells that the blank reaches from
// `cell` without moving one of the database's tiles, which are in the cells `tiles`.
static unsigned find_region(const struct second_search *second, unsigned cell, unsigned tiles)
{
    unsigned region = 1u << cell;
    unsigned left = region; // cells whose neighbours are still to be added
    while (left != 0) {
        unsigned more = second->beside[take_lowest_cell(&left)] & ~tiles & ~region;
        region |= more;
        left |= more;
    }
    return region;
}

// The distance of an arrangement with the blank in a cell, to be read or written.
static uint8_t *distance_at(const struct second_search *second, uint64_t entry, unsigned cell)
{
    return &second->distances[entry * second->cells + cell];
}

// Is called for a step. `entry` is the number of the arrangement after it, `blank` the cell of the
// blank, and `tiles` has a bit for each cell of a tile.
typedef void visit_step(struct second_search *second, uint64_t entry, unsigned blank,
                        unsigned tiles, void *context);

// Calls visit for each step out of a region of the blank in an arrangement. In a step, one of the
// database's tiles beside the region goes to a cell of the region. It leaves its cell to the blank.
static void visit_steps(struct second_search *second, const struct arrangement *from,
                        unsigned region, visit_step *visit, void *context)
{
    struct arrangement moved = *from;
    for (unsigned t = 0; t < second->database->count; t++) {
        unsigned blank = from->cell[t]; // after the step
        unsigned cells = region & second->beside[blank];
        while (cells != 0) {
            unsigned cell = take_lowest_cell(&cells);
            moved.cell[t] = (uint8_t)cell;
            uint64_t entry = arrangement_rank(second->cells, second->database->count, moved.cell);
            visit(second, entry, blank, (from->tiles & ~(1u << blank)) | 1u << cell, context);
        }
        moved.cell[t] = (uint8_t)blank;
    }
}

// ---- The search ---------------------------------------------------------------------------------

// A visit_step of the search. If the region of the blank after the step has no distance yet, gives
// it the one to which `context` points, and counts the region.
static void reach_region(struct second_search *second, uint64_t entry, unsigned blank,
                         unsigned tiles, void *context)
{
    const uint8_t *distance = context;
    if (*distance_at(second, entry, blank) != UINT8_MAX) {
        return;
    }
    unsigned region = find_region(second, blank, tiles);
    while (region != 0) {
        *distance_at(second, entry, take_lowest_cell(&region)) = *distance;
    }
    second->found++;
}

// Returns the cells of the blank with which an arrangement has this distance, a bit each.
static unsigned find_blanks_at(const struct second_search *second, uint64_t entry, uint8_t distance)
{
    unsigned blanks = 0;
    for (unsigned cell = 0; cell < second->cells; cell++) {
        if (*distance_at(second, entry, cell) == distance) {
            blanks |= 1u << cell;
        }
    }
    return blanks;
}

// Returns the arrangement of the solved board: each tile is at home.
static struct arrangement find_home_arrangement(const struct second_search *second)
{
    const struct partition *partition = second->puzzle->partition;
    struct arrangement home = {.entry = 0};
    for (unsigned t = 0; t < second->database->count; t++) {
        home.cell[t] = partition->home[second->database->tile[t]];
    }
    return unrank_arrangement(second,
                              arrangement_rank(second->cells, second->database->count, home.cell));
}

// Finds the distance of every pair of an arrangement and a cell of the blank, layer by layer. For
// each layer, scans all arrangements for those at the newest distance.
static void search_database(struct second_search *second)
{
    uint8_t distance = 0;
    uint64_t all = second->database->entries;
    struct arrangement home = find_home_arrangement(second);
    memset(second->distances, UINT8_MAX, second->database->entries * second->cells);
    // home[0] is the cell of the blank.
    reach_region(second, home.entry, second->puzzle->partition->home[0], home.tiles, &distance);
    // The generator refuses distances above DISTANCE_MOST.
    while (second->found > 0 && distance < DISTANCE_MOST) {
        uint8_t next = (uint8_t)(distance + 1);
        second->found = 0;
        for (uint64_t entry = 0; entry < all; entry++) {
            if (!check_goes_on(second->checker, 7, entry, all)) {
                break;
            }
            unsigned blanks = find_blanks_at(second, entry, distance);
            if (blanks != 0) { // all regions at the newest distance, taken as one
                struct arrangement arrangement = unrank_arrangement(second, entry);
                visit_steps(second, &arrangement, blanks, reach_region, &next);
            }
        }
        distance = next;
    }
}

// ---- The rules ----------------------------------------------------------------------------------

// The distance that the search found for an arrangement and a cell of the blank, or INFINITE.
static int read_distance(const struct second_search *second, uint64_t entry, unsigned cell)
{
    uint8_t distance = *distance_at(second, entry, cell);
    return distance == UINT8_MAX ? INFINITE : distance;
}

// A region of the blank in an arrangement, and what its steps have shown.
struct region_proof {
    const struct arrangement *arrangement;
    int distance;    // of the region
    bool has_nearer; // a step leads to a distance that is one less
};

// Checks rule 8 for one step out of a region: it gains at most one. Notes whether it leads nearer,
// for rule 9.
static void prove_step(struct second_search *second, uint64_t entry, unsigned blank, unsigned tiles,
                       void *context)
{
    struct region_proof *proof = context;
    int after = read_distance(second, entry, blank);
    (void)tiles;
    if (after == proof->distance - 1) {
        proof->has_nearer = true;
    }
    if (after > proof->distance + 1) {
        check_report(second->checker, 8,
                     "section %s: arrangement %llu is at distance %d, but a step leads to "
                     "arrangement %llu, which is %s",
                     second->entries->section->name, (unsigned long long)proof->arrangement->entry,
                     proof->distance, (unsigned long long)entry, tell_distance(after).text);
    }
}

// Checks rules 7, 8 and 9 for a region of the blank in an arrangement. `distance` is that of one of
// its cells. `solved` tells whether this is the region of the solved board.
static void prove_region(struct second_search *second, const struct arrangement *at,
                         unsigned region, int distance, bool solved)
{
    struct region_proof proof = {.arrangement = at, .distance = distance};
    const char *name = second->entries->section->name;
    bool same = true; // have all its cells this distance?
    unsigned cells = region;
    while (cells != 0) {
        if (read_distance(second, at->entry, take_lowest_cell(&cells)) != distance) {
            same = false;
        }
    }
    if (!same) {
        check_report(
            second->checker, 7,
            "section %s: arrangement %llu has different distances in one region of the blank", name,
            (unsigned long long)at->entry);
    } else if ((distance == 0) != solved) {
        check_report(second->checker, 7,
                     "section %s: arrangement %llu is %s, but is %s solved board", name,
                     (unsigned long long)at->entry, tell_distance(distance).text,
                     solved ? "the" : "not the");
    }
    visit_steps(second, at, region, prove_step, &proof);
    if (!proof.has_nearer && distance > 0 && distance != INFINITE) {
        check_report(
            second->checker, 9,
            "section %s: arrangement %llu is at distance %d, but no step leads to distance %d",
            name, (unsigned long long)at->entry, distance, distance - 1);
    }
}

// Checks rule 10 for an arrangement: its entry in the table is its excess, (least - manhattan) / 2.
// `least` is its least distance over all cells of the blank, and `manhattan` the sum of its tiles'
// Manhattan distances. An excess that the entries can't store is stored as unreachable.
static void prove_entry(struct second_search *second, const struct arrangement *at, int least)
{
    const struct partition *partition = second->puzzle->partition;
    int manhattan = 0;
    for (unsigned t = 0; t < second->database->count; t++) {
        unsigned home = partition->home[second->database->tile[t]];
        manhattan += (int)grid_distance(&second->puzzle->board->grid, at->cell[t], home);
    }
    int found = distance_of(second->entries, at->entry);
    int excess = (least - manhattan) / 2;
    bool kept =
        least != INFINITE && pattern_keeps_excess(second->database->count, (unsigned)excess);
    int expected = kept ? excess : INFINITE;
    if (found != expected) {
        check_report(
            second->checker, 10,
            "section %s: entry %llu says that the tiles are %s, but they are %s (Manhattan "
            "distance %d)",
            second->entries->section->name, (unsigned long long)at->entry,
            tell_distance(found == INFINITE ? INFINITE : 2 * found + manhattan).text,
            tell_distance(least).text, manhattan);
    }
}

// Checks rules 7 to 10 for the arrangements begin … end-1, region by region. Works on a copy of the
// search, because each thread has a checker of its own; the distances are shared.
static void prove_run(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    struct second_search mine = *(struct second_search *)context;
    struct second_search *second = &mine;
    uint64_t home = find_home_arrangement(second).entry;
    second->checker = checker;
    for (uint64_t entry = begin; entry < end; entry++) {
        struct arrangement at = unrank_arrangement(second, entry);
        unsigned left = ((1u << second->cells) - 1) & ~at.tiles; // cells of regions to come
        int least = INFINITE;
        while (left != 0) {
            unsigned cell = take_lowest_cell(&left);
            unsigned region = find_region(second, cell, at.tiles);
            int distance = read_distance(second, entry, cell);
            unsigned home_blank = 1u << second->puzzle->partition->home[0];
            bool solved = entry == home && (region & home_blank) != 0;
            prove_region(second, &at, region, distance, solved);
            least = distance < least ? distance : least;
            left &= ~region;
        }
        prove_entry(second, &at, least);
    }
}

// Fills in which cells are beside each other.
static void find_neighbour_cells(struct second_search *second)
{
    const struct puzzle *puzzle = second->puzzle;
    for (unsigned cell = 0; cell < second->cells; cell++) {
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            unsigned to = puzzle->board->to[m][cell];
            if (to != NOWHERE) {
                second->beside[cell] |= 1u << to;
            }
        }
    }
}

void check_database(struct checker *checker, unsigned number, void (*spoil)(uint8_t *distances))
{
    struct second_search second = {.checker = checker,
                                   .puzzle = checker->puzzle,
                                   .database = &checker->puzzle->partition->databases[number],
                                   .entries = &checker->table->sections[SECTION_DATABASE][number],
                                   .cells = checker->puzzle->cell_count};
    second.distances = array_make(second.database->entries, second.cells);
    if (!second.distances) {
        check_lacks_memory(checker, second.database->entries, "arrangements of a pattern database");
        return;
    }
    find_neighbour_cells(&second);
    search_database(&second);
    if (spoil) {
        spoil(second.distances);
    }
    if (!checker->stopped) {
        check_in_threads(checker, 8, second.database->entries, STATES_A_PART, prove_run, &second);
    }
    check_end_rules(checker);
    free(second.distances);
}
