// Prints answers to queries for distances, paths and parity.
#include "answers.h"

#include "query/command/request/watch.h"

bool print_steps(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                 struct fewest_error *error)
{
    int steps;
    if (!fewest_steps(table, query->start, query->target, &steps, error)) {
        return false;
    }
    hide_search();
    *reachable = steps != FEWEST_UNREACHABLE;
    print_distances(&steps, 1, out);
    return true;
}

// Prints a path that a query has found, or `unreachable`. The moves are on one line, with spaces
// unless all names have one letter.
static void print_found_path(const struct fewest *table, const struct fewest_path *path, FILE *out)
{
    if (path->steps == FEWEST_UNREACHABLE) {
        print_text("unreachable\n", out);
    } else {
        print_names(table, path->moves, path->steps, !fewest_info(table)->joins_moves, out);
    }
}

bool print_moves(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                 struct fewest_error *error)
{
    struct fewest_path path;
    if (!fewest_path(table, query->start, query->target, &path, error)) {
        return false;
    }
    hide_search();
    *reachable = path.steps != FEWEST_UNREACHABLE;
    print_found_path(table, &path, out);
    return true;
}

bool print_scramble(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                    struct fewest_error *error)
{
    struct fewest_path path;
    if (!fewest_scramble(table, query->start, &path, error)) {
        return false;
    }
    hide_search();
    *reachable = path.steps != FEWEST_UNREACHABLE;
    print_found_path(table, &path, out);
    return true;
}

void print_parity_line(const struct fewest_parity *parity, FILE *out)
{
    print_text(parity->reachable ? "reachable (" : "unreachable (", out);
    print_text(parity->reason, out);
    print_text(")\n", out);
}

bool print_parity(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                  struct fewest_error *error)
{
    struct fewest_parity parity;
    if (!fewest_parity(table, query->start, query->target, &parity, error)) {
        return false;
    }
    hide_search();
    *reachable = parity.reachable;
    print_parity_line(&parity, out);
    return true;
}
