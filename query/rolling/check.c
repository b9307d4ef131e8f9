// Checks full states, the nodes of rolling cubes (numbering.h), by a second search. It shares no
// code with the generator's.
#include "query/check/check.h"
#include "tables/base/array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Fills in the distance of each full state of the checker's root, or UINT8_MAX if it is
// unreachable: a breadth-first search with a plain queue. (The generator scans instead.) `queue`
// and `distances` have room for all full states.
static void search_full_states(struct checker *checker, uint64_t *queue, uint8_t *distances)
{
    const struct puzzle *puzzle = checker->puzzle;
    uint64_t neighbours[MOVES_MOST];
    uint64_t count = 1;
    uint64_t all = puzzle_node_count(puzzle, checker->root);
    memset(distances, UINT8_MAX, all);
    queue[0] = puzzle_rank(puzzle, checker->root, puzzle->numbering.roots[checker->root].target);
    distances[queue[0]] = 0;
    for (uint64_t i = 0; i < count && check_goes_on(checker, 5, i, all); i++) {
        if (distances[queue[i]] == DISTANCE_MOST) {
            continue; // the generator refuses larger distances
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

// Checks rule 5, the distances of the visible states, and rule 6, the distances mod 4, against the
// distances of the full states. Full state f shows visible state f % visible_count.
static void compare_full_states(struct checker *checker, const uint8_t *distances)
{
    uint64_t visible_count = checker->puzzle->numbering.state_count;
    uint64_t count = puzzle_node_count(checker->puzzle, checker->root);
    for (uint64_t visible = 0; visible < visible_count; visible++) {
        int least = INFINITE;
        for (uint64_t full = visible; full < count; full += visible_count) {
            least = distances[full] < least ? distances[full] : least;
        }
        least = least == UINT8_MAX ? INFINITE : least;
        int found = distance_of(&checker->table->sections[SECTION_STATES][checker->root], visible);
        if (found != least) {
            check_report(checker, 5, "visible state %llu is %s, but its nearest full state is %s",
                         (unsigned long long)visible, tell_distance(found).text,
                         tell_distance(least).text);
        }
    }
    check_end_rules(checker);
    for (uint64_t full = 0; full < count; full++) {
        int found = distance_of(&checker->table->sections[SECTION_MOD4][checker->root], full);
        int expected = distances[full] & 2 ? INFINITE : 0; // UINT8_MAX has this bit
        if (found != expected) {
            int distance = distances[full] == UINT8_MAX ? INFINITE : distances[full];
            check_report(
                checker, 6,
                "full state %llu is %s, so its bit of the distance mod 4 must be %d, but is not",
                (unsigned long long)full, tell_distance(distance).text, expected == 0 ? 0 : 1);
        }
    }
    check_end_rules(checker);
}

void check_full_states(struct checker *checker)
{
    uint64_t count = puzzle_node_count(checker->puzzle, checker->root);
    assert(count > 0);
    uint64_t *queue = array_make(count, sizeof *queue);
    uint8_t *distances = array_make(count, 1);
    if (queue && distances) {
        search_full_states(checker, queue, distances);
        struct proposed found = {distances, 8, count}; // 8 bits for each
        check_distances(checker, &found);
        if (!checker->stopped) {
            compare_full_states(checker, distances);
        }
    } else {
        check_lacks_memory(checker, count, "full states");
    }
    free(queue);
    free(distances);
}
