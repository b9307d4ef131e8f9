// Makes the sections of rolling cubes. The common search goes through the full states of a root.
// Then each state gets the least distance of its full states, and each full state a bit.
#include "gen/makers.h"
#include "gen/search/breadth_first.h"

#include <string.h>

// Fills in section `s`, the states, from section `s + 1`, the distances of the full states. Full
// state f shows state f % state_count. Then replaces each distance of a full state by its second
// lowest bit, as UNREACHED or 0. That is enough for a path: a move changes the distance by one, and
// the lowest bit follows from the blank's cell.
static bool fold_distances(struct job *job, unsigned s, struct fewest_error *error)
{
    (void)error;
    uint64_t state_count = job->distances[s].count;
    uint64_t node_count = job->distances[s + 1].count;
    uint8_t *states = job->distances[s].bytes;
    uint8_t *full = job->distances[s + 1].bytes;
    memset(states, UNREACHED, state_count);
    for (uint64_t first = 0; first < node_count; first += state_count) {
        for (uint64_t state = 0; state < state_count; state++) {
            uint8_t distance = full[first + state];
            if (distance < states[state]) {
                states[state] = distance;
            }
            full[first + state] = distance & 2 ? UNREACHED : 0;
        }
    }
    return true;
}

bool make_full_states(struct job *job, unsigned s, struct fewest_error *error)
{
    struct distances *full = &job->distances[s + 1];
    return search_distances(job->puzzle, job->sections[s].root_number, job->options,
                            (struct file_search){job->file, s}, full, error) &&
           distances_gather(full, error) && make_on_first_rank(job, s, fold_distances, error);
}
