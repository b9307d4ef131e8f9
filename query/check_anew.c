// Claims that take a search of their own: plain ones, which share nothing with the generator's.
#include "check.h"

#include "board.h"
#include "tracked.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---- Whole states -------------------------------------------------------------------------------------------------

// Fills in the distance of each whole state, with a plain queue, where the generator scans. distances: UINT8_MAX where
// none is.
static void search_whole(const struct checker *checker, uint64_t *queue, uint8_t *distances)
{
    const struct puzzle *puzzle = checker->puzzle;
    uint64_t neighbours[MOVES_MOST];
    uint64_t count = 1;
    memset(distances, UINT8_MAX, puzzle_whole_count(puzzle, checker->root));
    queue[0] = puzzle_rank(puzzle, checker->root, puzzle->roots[checker->root].question);
    distances[queue[0]] = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (distances[queue[i]] == DISTANCE_MOST) {
            continue; // a generator would have refused
        }
        puzzle_neighbours(puzzle, checker->root, queue[i], neighbours);
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            if (neighbours[m] != INDEX_NONE && distances[neighbours[m]] == UINT8_MAX) {
                distances[neighbours[m]] = (uint8_t)(distances[queue[i]] + 1);
                queue[count++] = neighbours[m];
            }
        }
    }
}

static void compare_whole(struct checker *checker, const uint8_t *distances)
{
    uint64_t questions = checker->puzzle->state_count;
    uint64_t count = puzzle_whole_count(checker->puzzle, checker->root);
    for (uint64_t question = 0; question < questions; question++) {
        int least = FAR;
        for (uint64_t whole = question; whole < count; whole += questions) {
            least = distances[whole] < least ? distances[whole] : least;
        }
        least = least == UINT8_MAX ? FAR : least;
        int found = distance_of(&checker->table->states[checker->root], question);
        if (found != least) {
            check_find(checker, "question %llu has distance %d, but the nearest of its states has %d (%d: unreachable)",
                       (unsigned long long)question, found, least, FAR);
        }
    }
    check_end_claim(checker);
    for (uint64_t whole = 0; whole < count; whole++) {
        bool found = distance_of(&checker->table->ways[checker->root], whole) != 0;
        if (found != (distances[whole] >> 1 & 1)) {
            check_find(checker, "the way of state %llu is %d, and its distance %d", (unsigned long long)whole, found,
                       distances[whole]);
        }
    }
    check_end_claim(checker);
}

void check_whole_states(struct checker *checker)
{
    uint64_t count = puzzle_whole_count(checker->puzzle, checker->root);
    assert(count > 0);
    uint64_t *queue = malloc(count * sizeof *queue);
    uint8_t *distances = malloc(count);
    if (queue && distances) {
        search_whole(checker, queue, distances);
        compare_whole(checker, distances);
    } else {
        check_find(checker, "not enough memory to search %llu states", (unsigned long long)count);
    }
    free(queue);
    free(distances);
}

// ---- Databases ----------------------------------------------------------------------------------------------------

// By arrangement of the tracked tiles, a bit for each cell of the blank.
struct anew {
    struct checker *checker;
    const struct puzzle *puzzle;
    const struct database *database;
    const struct unpacked *entries;
    uint16_t *reached; // at the distance at hand or the next
    uint16_t *passed;  // before
    int distance;
    uint64_t found; // at this distance
};

static unsigned occupied(const struct anew *anew, const uint8_t *cell)
{
    unsigned mask = 0;
    for (unsigned t = 0; t < anew->database->count; t++) {
        mask |= 1u << cell[t];
    }
    return mask;
}

// Where the blank gets from some cells past tiles that do not count.
static unsigned roam(const struct anew *anew, unsigned blanks, unsigned tiles)
{
    for (unsigned before = 0; before != blanks;) {
        before = blanks;
        for (unsigned cell = 0; cell < anew->puzzle->cell_count; cell++) {
            for (unsigned m = 0; m < anew->puzzle->move_count && blanks >> cell & 1; m++) {
                unsigned to = anew->puzzle->board->to[m][cell];
                blanks |= to != NOWHERE && !(tiles >> to & 1) ? 1u << to : 0;
            }
        }
    }
    return blanks;
}

static void compare_entry(const struct anew *anew, uint64_t entry, const uint8_t *cell, int distance)
{
    const struct tracked *tracked = anew->puzzle->tracked;
    int taxicab = 0;
    for (unsigned t = 0; t < anew->database->count; t++) {
        taxicab += (int)grid_distance(&anew->puzzle->board->grid, cell[t], tracked->home[anew->database->tile[t]]);
    }
    int found = distance_of(anew->entries, entry);
    int expected = distance == FAR ? FAR : (distance - taxicab) / 2;
    if (found != expected) {
        check_find(anew->checker,
                   "entry %llu of the %s is %d, but its tiles are %d moves from home, %d of them taxicab",
                   (unsigned long long)entry, anew->entries->section->name, found, distance, taxicab);
    }
}

// Every move of a tracked tile into one of the blank's cells.
static void move_tiles(struct anew *anew, uint8_t *cell, unsigned blanks)
{
    unsigned cells = anew->puzzle->cell_count;
    for (unsigned t = 0; t < anew->database->count; t++) {
        unsigned from = cell[t];
        for (unsigned m = 0; m < anew->puzzle->move_count; m++) {
            unsigned to = anew->puzzle->board->to[m][from];
            if (to != NOWHERE && blanks >> to & 1) {
                cell[t] = (uint8_t)to;
                uint64_t moved = arrangement_rank(cells, anew->database->count, cell);
                anew->reached[moved] |= (uint16_t)(1u << from);
            }
        }
        cell[t] = (uint8_t)from;
    }
}

// A move changes the checkerboard colour of the tracked tiles, so that an arrangement is reached either at even
// distances or at odd ones, and one array holds those of this distance and of the next.
static bool has_colour(const struct anew *anew, const uint8_t *cell, unsigned colour)
{
    for (unsigned t = 0; t < anew->database->count; t++) {
        colour ^= anew->puzzle->board->colour[cell[t]];
    }
    return colour == 0;
}

static void pass_distance(struct anew *anew, unsigned colour)
{
    uint8_t cell[TRACKED_CELLS_MOST];
    anew->found = 0;
    for (uint64_t entry = 0; entry < anew->database->entries; entry++) {
        if (anew->reached[entry] == 0) {
            continue;
        }
        arrangement_unrank(anew->puzzle->cell_count, anew->database->count, entry, cell);
        if (!has_colour(anew, cell, colour)) {
            continue;
        }
        unsigned blanks = roam(anew, anew->reached[entry], occupied(anew, cell)) & ~(unsigned)anew->passed[entry];
        anew->reached[entry] = 0;
        if (blanks == 0) {
            continue;
        }
        if (anew->passed[entry] == 0) {
            compare_entry(anew, entry, cell, anew->distance);
        }
        anew->passed[entry] |= (uint16_t)blanks;
        anew->found++;
        move_tiles(anew, cell, blanks);
    }
}

static void search_anew(struct anew *anew)
{
    const struct tracked *tracked = anew->puzzle->tracked;
    uint8_t cell[TRACKED_CELLS_MOST];
    unsigned colour = 0;
    for (unsigned t = 0; t < anew->database->count; t++) {
        cell[t] = tracked->home[anew->database->tile[t]];
        colour ^= anew->puzzle->board->colour[cell[t]];
    }
    uint64_t home = arrangement_rank(anew->puzzle->cell_count, anew->database->count, cell);
    anew->reached[home] = (uint16_t)(1u << tracked->home[0]);
    anew->found = 1;
    for (anew->distance = 0; anew->found > 0; anew->distance++) {
        pass_distance(anew, colour);
        colour ^= 1;
    }
    for (uint64_t entry = 0; entry < anew->database->entries; entry++) {
        if (anew->passed[entry] == 0) {
            arrangement_unrank(anew->puzzle->cell_count, anew->database->count, entry, cell);
            compare_entry(anew, entry, cell, FAR);
        }
    }
}

void check_databases(struct checker *checker)
{
    const struct tracked *tracked = checker->puzzle->tracked;
    for (unsigned d = 0; d < tracked->count; d++) {
        struct anew anew = {.checker = checker,
                            .puzzle = checker->puzzle,
                            .database = &tracked->databases[d],
                            .entries = &checker->table->databases[d]};
        anew.reached = calloc(anew.database->entries, sizeof *anew.reached);
        anew.passed = calloc(anew.database->entries, sizeof *anew.passed);
        if (anew.reached && anew.passed) {
            search_anew(&anew);
        } else {
            check_find(checker, "not enough memory to search %llu arrangements",
                       (unsigned long long)anew.database->entries);
        }
        free(anew.reached);
        free(anew.passed);
        check_end_claim(checker);
    }
}
