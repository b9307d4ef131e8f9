// Makes a section in the memory of one rank.
#include "job.h"

#include "gen/ranks/ranks.h"

// Only the first rank (ranks.h) calls `fill`. `share` is its number of entries, on every rank. The
// others have none: their range begins behind the last entry.
bool make_on_first_rank(struct job *job, unsigned s, section_maker *fill,
                        struct fewest_error *error)
{
    struct distances *distances = &job->distances[s];
    uint64_t entries = job->sections[s].entries;
    bool made = true;
    if (!ranks_is_first()) {
        *distances = (struct distances){.total = entries, .share = entries, .first = entries};
    } else {
        if (fill) {
            made = distances_make(distances, entries, error) && fill(job, s, error);
        }
        if (made) {
            distances_count(distances);
        }
    }
    if (!ranks_barrier(made, error)) {
        return false;
    }
    ranks_sum(distances->histogram, UNREACHED); // the other ranks add zeros
    return true;
}
