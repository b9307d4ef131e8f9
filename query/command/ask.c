// Asks the library one query, which may search for long.
#include "ask.h"

#include "watch.h"

bool ask_steps(struct fewest *table, const struct query *query, int *steps, bool *reachable,
               struct fewest_error *error)
{
    bool found = fewest_steps(table, query->start, query->target, steps, error);
    hide_search();
    *reachable = found && *steps != FEWEST_UNREACHABLE;
    return found;
}

bool ask_path(struct fewest *table, const struct query *query, struct fewest_path *path,
              bool *reachable, struct fewest_error *error)
{
    bool found = fewest_path(table, query->start, query->target, path, error);
    hide_search();
    *reachable = found && path->steps != FEWEST_UNREACHABLE;
    return found;
}

bool ask_scramble(struct fewest *table, const uint8_t *state, struct fewest_path *path,
                  bool *reachable, struct fewest_error *error)
{
    bool found = fewest_scramble(table, state, path, error);
    hide_search();
    *reachable = found && path->steps != FEWEST_UNREACHABLE;
    return found;
}

bool ask_parity(struct fewest *table, const struct query *query, struct fewest_parity *parity,
                bool *reachable, struct fewest_error *error)
{
    bool found = fewest_parity(table, query->start, query->target, parity, error);
    hide_search();
    *reachable = found && parity->reachable;
    return found;
}
