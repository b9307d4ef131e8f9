// Lists the methods, and chooses one.
#include "method.h"

static const struct method *const METHODS[] = {&METHOD_SEARCH, &METHOD_FULL_STATES,
                                               &METHOD_TWO_SIDED, &METHOD_LOOK_UP};

// The last method takes all queries.
const struct method *method_for(const struct fewest *table, const uint8_t *start,
                                const struct targets *targets)
{
    unsigned m = 0;
    while (!METHODS[m]->takes(table, start, targets)) {
        m++;
    }
    return METHODS[m];
}

bool method_find(struct fewest *table, const uint8_t *start, const uint8_t *target, unsigned *moves,
                 int *steps, struct fewest_error *error)
{
    const struct targets targets = targets_of(table, target);
    return method_for(table, start, &targets)->find(table, start, &targets, moves, steps, error);
}
