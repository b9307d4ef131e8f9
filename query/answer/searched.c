// The method for searched puzzles: IDA* finds a path, and the rules tell whether there is one.
#include "method.h"

#include "query/search/ida_star.h"

static bool takes(const struct fewest *table, const uint8_t *start, const struct targets *targets)
{
    (void)start;
    (void)targets;
    return puzzle_is_searched(&table->puzzle);
}

// A searched puzzle has one goal, so there is one target.
static bool find(struct fewest *table, const uint8_t *start, const struct targets *targets,
                 unsigned *moves, int *steps, struct fewest_error *error)
{
    return ida_star_find_path(table, start, target_at(targets, 0), moves, steps, error);
}

// Asks the rules whether the target can be reached or, if they do not tell, a search. Fails if the
// search does not support the target, or if puzzle_find_relative refuses the pair.
static bool reach(struct fewest *table, const uint8_t *start, const struct targets *targets,
                  int *steps, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    const uint8_t *target = target_at(targets, 0);
    uint8_t relative[CELLS_MOST];
    unsigned root;
    if (table->info.is_uncounted && !targets_are_excluded(puzzle, start, targets)) {
        return find(table, start, targets, NULL, steps, error); // only a search tells
    }
    if (!search_accepts(puzzle, target, error) ||
        !puzzle_find_relative(puzzle, start, target, &root, relative, error)) {
        return false;
    }
    // If only a search tells, the rules have excluded the target above.
    bool reachable =
        !table->info.is_uncounted && puzzle->rules->is_reachable(puzzle, start, target);
    *steps = reachable ? STEPS_SOME : FEWEST_UNREACHABLE;
    return true;
}

// The search of shortest paths finds all of them at once. A board's search does not.
static const struct node_functions *choose_nodes(const struct fewest *table, unsigned more)
{
    return more == 0 && ida_star_collects(table) ? &NODES_OF_SEARCH : NULL;
}

const struct method METHOD_SEARCH = {
    .takes = takes, .find = find, .reach = reach, .nodes = choose_nodes};
