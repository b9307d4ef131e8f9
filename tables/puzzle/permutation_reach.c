// Tells which rows of cells are states of a permutation puzzle, and how many there are.
#include "puzzle/permutation_family.h"

bool permutation_is_reachable(const struct puzzle *puzzle, const uint8_t *start,
                              const uint8_t *target)
{
    uint8_t relative[CELLS_MOST];
    struct fewest_error error;
    unsigned root;
    return puzzle_relate(puzzle, start, target, &root, relative, &error) &&
           state_count_includes(&permutation_of(puzzle)->count, relative) &&
           !permutation_find_illegal(puzzle, relative);
}

void permutation_count_states(const struct puzzle *puzzle, struct state_counter *counter)
{
    state_count_tell(&permutation_of(puzzle)->count, counter);
}
