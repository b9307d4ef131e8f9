// Checks the pattern databases of a searched board: rules 7 to 10 of check.c.
//
// A simple search, which shares no code with the generator's, finds the distance of each pair
// (arrangement of the database's tiles, cell of the blank). The distance is the byte at
// arrangement * cells + cell. The rules then prove it.
#include "check.h"

#include "tables/puzzle/board/board.h"
#include "tables/puzzle/board/tile_databases.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct second_search {
    struct checker *checker;
    const struct puzzle *puzzle;
    const struct pattern_database *database;
    const struct unpacked *entries;
    unsigned cells;
    // By cell: a bit for each cell that a move of the blank leads to.
    unsigned beside[DATABASE_CELLS_MOST];
    uint8_t *distances; // UINT8_MAX: unreachable
    uint64_t found;     // regions at the newest distance
};

// An arrangement of the database's tiles, unranked.
struct looked {
    uint64_t entry;
    uint8_t cell[DATABASE_CELLS_MOST]; // by tile of the database
    unsigned tiles;                    // a bit for each cell of a tile
};

static struct looked unrank_arrangement(const struct second_search *second, uint64_t entry)
{
    struct looked looked = {.entry = entry};
    arrangement_unrank(second->cells, second->database->count, entry, looked.cell);
    for (unsigned t = 0; t < second->database->count; t++) {
        looked.tiles |= 1u << looked.cell[t];
    }
    return looked;
}

// Removes the lowest cell of a set, which must not be empty, and returns it.
static unsigned take_lowest_cell(unsigned *cells)
{
    unsigned cell = (unsigned)__builtin_ctz(*cells);
    *cells &= *cells - 1;
    return cell;
}

// All cells that the blank reaches from a cell without moving one of the database's tiles, a bit
// each.
static unsigned region_of(const struct second_search *second, unsigned cell, unsigned tiles)
{
    unsigned region = 1u << cell;
    for (unsigned left = region; left != 0;) {
        unsigned more = second->beside[take_lowest_cell(&left)] & ~tiles & ~region;
        region |= more;
        left |= more;
    }
    return region;
}

static uint8_t *distance_at(const struct second_search *second, uint64_t entry, unsigned cell)
{
    return &second->distances[entry * second->cells + cell];
}

// Calls visit for each step out of a region: the blank and one of the database's tiles exchange
// cells. `entry`, `blank` and `tiles` describe the board after the step.
typedef void visit_step(struct second_search *second, uint64_t entry, unsigned blank,
                        unsigned tiles, void *context);

static void each_step(struct second_search *second, const struct looked *from, unsigned region,
                      visit_step *visit, void *context)
{
    struct looked moved = *from;
    for (unsigned t = 0; t < second->database->count; t++) {
        unsigned blank = from->cell[t];
        for (unsigned cells = region & second->beside[blank]; cells != 0;) {
            unsigned cell = take_lowest_cell(&cells);
            moved.cell[t] = (uint8_t)cell;
            uint64_t entry = arrangement_rank(second->cells, second->database->count, moved.cell);
            visit(second, entry, blank, (from->tiles & ~(1u << blank)) | 1u << cell, context);
        }
        moved.cell[t] = (uint8_t)blank;
    }
}

// ---- The search ---------------------------------------------------------------------------------

static void reach_region(struct second_search *second, uint64_t entry, unsigned blank,
                         unsigned tiles, void *context)
{
    const uint8_t *distance = context;
    if (*distance_at(second, entry, blank) == UINT8_MAX) {
        unsigned region = region_of(second, blank, tiles);
        while (region != 0) {
            *distance_at(second, entry, take_lowest_cell(&region)) = *distance;
        }
        second->found++;
    }
}

// The cells of the blank that give an arrangement this distance, a bit each.
static unsigned blanks_at(const struct second_search *second, uint64_t entry, uint8_t distance)
{
    unsigned blanks = 0;
    for (unsigned cell = 0; cell < second->cells; cell++) {
        blanks |= (*distance_at(second, entry, cell) == distance ? 1u : 0u) << cell;
    }
    return blanks;
}

static struct looked look_at_home(const struct second_search *second)
{
    const struct partition *partition = &second->puzzle->partition;
    struct looked home = {.entry = 0};
    for (unsigned t = 0; t < second->database->count; t++) {
        home.cell[t] = partition->home[second->database->tile[t]];
    }
    return unrank_arrangement(second,
                              arrangement_rank(second->cells, second->database->count, home.cell));
}

static void search_database(struct second_search *second)
{
    uint8_t distance = 0;
    uint64_t all = second->database->entries;
    struct looked home = look_at_home(second);
    memset(second->distances, UINT8_MAX, second->database->entries * second->cells);
    reach_region(second, home.entry, second->puzzle->partition.home[0], home.tiles, &distance);
    while (second->found > 0 &&
           distance < DISTANCE_MOST) { // the generator refuses larger distances
        uint8_t next = (uint8_t)(distance + 1);
        second->found = 0;
        for (uint64_t entry = 0; entry < all && check_goes_on(second->checker, 7, entry, all);
             entry++) {
            unsigned blanks = blanks_at(second, entry, distance);
            if (blanks != 0) {
                struct looked looked = unrank_arrangement(second, entry);
                each_step(second, &looked, blanks, reach_region, &next);
            }
        }
        distance = next;
    }
}

// ---- The rules ----------------------------------------------------------------------------------

static int read_distance(const struct second_search *second, uint64_t entry, unsigned cell)
{
    uint8_t distance = *distance_at(second, entry, cell);
    return distance == UINT8_MAX ? INFINITE : distance;
}

// One region, and what its steps have shown.
struct proof {
    const struct looked *at;
    int distance;
    bool nearer; // a step leads to a distance that is one less
};

static void prove_step(struct second_search *second, uint64_t entry, unsigned blank, unsigned tiles,
                       void *context)
{
    struct proof *proof = context;
    int after = read_distance(second, entry, blank);
    (void)tiles;
    proof->nearer = proof->nearer || after == proof->distance - 1;
    if (after > proof->distance + 1 && proof->distance != INFINITE) {
        check_report(second->checker, 8,
                     "section %s: arrangement %llu is at distance %d, but a step leads to "
                     "arrangement %llu, which is %s",
                     second->entries->section->name, (unsigned long long)proof->at->entry,
                     proof->distance, (unsigned long long)entry, tell_distance(after).text);
    }
}

static void prove_region(struct second_search *second, const struct looked *at, unsigned region,
                         int distance, bool solved)
{
    struct proof proof = {.at = at, .distance = distance};
    const char *name = second->entries->section->name;
    bool same = true;
    for (unsigned cells = region; cells != 0;) {
        same = read_distance(second, at->entry, take_lowest_cell(&cells)) == distance && same;
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
    each_step(second, at, region, prove_step, &proof);
    if (!proof.nearer && distance > 0 && distance != INFINITE) {
        check_report(
            second->checker, 9,
            "section %s: arrangement %llu is at distance %d, but no step leads to distance %d",
            name, (unsigned long long)at->entry, distance, distance - 1);
    }
}

static void prove_entry(struct second_search *second, const struct looked *at, int least)
{
    const struct partition *partition = &second->puzzle->partition;
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

static void prove_run(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    struct second_search mine = *(struct second_search *)context;
    struct second_search *second = &mine;
    uint64_t home = look_at_home(second).entry;
    second->checker = checker;
    for (uint64_t entry = begin; entry < end; entry++) {
        struct looked at = unrank_arrangement(second, entry);
        unsigned left = ((1u << second->cells) - 1) & ~at.tiles;
        int least = INFINITE;
        while (left != 0) {
            unsigned cell = take_lowest_cell(&left);
            unsigned region = region_of(second, cell, at.tiles);
            int distance = read_distance(second, entry, cell);
            bool solved = entry == home && region >> second->puzzle->partition.home[0] & 1;
            prove_region(second, &at, region, distance, solved);
            least = distance < least ? distance : least;
            left &= ~region;
        }
        prove_entry(second, &at, least);
    }
}

static void add_board(struct second_search *second)
{
    const struct puzzle *puzzle = second->puzzle;
    for (unsigned cell = 0; cell < second->cells; cell++) {
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            unsigned to = puzzle->board->to[m][cell];
            second->beside[cell] |= to != NOWHERE ? 1u << to : 0;
        }
    }
}

void check_database(struct checker *checker, unsigned number, void (*spoil)(uint8_t *distances))
{
    struct second_search second = {.checker = checker,
                                   .puzzle = checker->puzzle,
                                   .database = &checker->puzzle->partition.databases[number],
                                   .entries = &checker->table->databases[number],
                                   .cells = checker->puzzle->cell_count};
    second.distances = calloc(second.database->entries, second.cells);
    if (!second.distances) {
        check_lacks_memory(checker, second.database->entries, "arrangements of a pattern database");
        return;
    }
    add_board(&second);
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
