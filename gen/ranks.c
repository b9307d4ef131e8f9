// The functions of ranks.h that are the same with and without MPI.
#include "ranks.h"

#include <stdlib.h>
#include <string.h>

// The units of each rank but the last ones.
static uint64_t units_a_rank(uint64_t units)
{
    return (units + ranks_count() - 1) / ranks_count();
}

uint64_t ranks_first(uint64_t units, unsigned rank)
{
    uint64_t each = units_a_rank(units);
    return each == 0 || rank >= units / each + 1 ? units : rank * each;
}

unsigned ranks_owner(uint64_t units, uint64_t unit)
{
    return (unsigned)(unit / units_a_rank(units));
}

bool ranks_gather(uint64_t mine, uint64_t *numbers, struct fewest_error *error)
{
    memset(numbers, 0, ranks_count() * sizeof *numbers);
    numbers[ranks_number()] = mine;
    return ranks_sum(numbers, ranks_count(), error);
}

bool ranks_check_same(uint64_t digest, const char *what, struct fewest_error *error)
{
    uint64_t *digests = malloc(ranks_count() * sizeof *digests);
    unsigned other = 0;
    bool done =
        digests || error_set(error, FEWEST_SYSTEM, "not enough memory to compare the ranks");
    done = ranks_agree(done, error) && digests && ranks_gather(digest, digests, error);
    while (done && other < ranks_count() && digests[other] == digests[0]) {
        other++;
    }
    free(digests);
    return done &&
           (other == ranks_count() || error_set(error, FEWEST_BAD_INPUT,
                                                "ranks 0 and %u have different %s; use the same "
                                                "program, files and options on all machines",
                                                other, what));
}
