// Whole states, of which a question hides a part: searched anew, by a plain search that shares nothing with the
// generator's.
#include "check.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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
            check_find(checker, 5, "visible state %llu is %s, but its nearest full state is %s",
                       (unsigned long long)question, place_of(found).text, place_of(least).text);
        }
    }
    check_end_rule(checker);
    for (uint64_t whole = 0; whole < count; whole++) {
        int found = distance_of(&checker->table->ways[checker->root], whole);
        int expected = distances[whole] & 2 ? FAR : 0;
        if (found != expected) {
            int distance = distances[whole] == UINT8_MAX ? FAR : distances[whole];
            check_find(checker, 6, "full state %llu is %s, so its bit of the distance mod 4 must be %d, but is not",
                       (unsigned long long)whole, place_of(distance).text, expected == 0 ? 0 : 1);
        }
    }
    check_end_rule(checker);
}

void check_whole_states(struct checker *checker)
{
    uint64_t count = puzzle_whole_count(checker->puzzle, checker->root);
    assert(count > 0);
    uint64_t *queue = malloc(count * sizeof *queue);
    uint8_t *distances = malloc(count);
    if (queue && distances) {
        search_whole(checker, queue, distances);
        struct proposed found = {distances, 8, count, queue[0]};
        check_distances(checker, &found);
        compare_whole(checker, distances);
    } else {
        check_lacks_memory(checker, count, "full states");
    }
    free(queue);
    free(distances);
}
