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

void print_line_number(uint64_t line, FILE *out)
{
    print_number(line, out);
    print_text("\t", out);
}

// All paths of a query, while they are printed.
struct path_printer {
    const struct fewest *table;
    const struct query *query;
    FILE *out;
    uint64_t count; // paths so far
};

// The visitor of fewest_each_path.
static bool print_each(void *context, const unsigned *moves, unsigned count)
{
    struct path_printer *printer = context;
    hide_search();
    if (printer->query->line > 0) {
        print_line_number(printer->query->line, printer->out);
    }
    print_names(printer->table, moves, (int)count, !fewest_info(printer->table)->joins_moves,
                printer->out);
    return ++printer->count < printer->query->most_paths && !ferror(printer->out);
}

bool print_paths(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                 struct fewest_error *error)
{
    struct path_printer printer = {table, query, out, 0};
    const struct fewest_paths paths = {query->start, query->target, query->more};
    if (!fewest_each_path(table, &paths, print_each, &printer, error)) {
        return false;
    }
    hide_search();
    *reachable = printer.count > 0;
    if (!*reachable && query->line > 0) {
        print_line_number(query->line, out);
    }
    print_text(*reachable ? "" : "unreachable\n", out);
    return true;
}

bool print_path_count(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                      struct fewest_error *error)
{
    struct fewest_path_count count;
    char text[FEWEST_WIDE_SIZE];
    if (!fewest_count_paths(table, query->start, query->target, &count, error)) {
        return false;
    }
    hide_search();
    *reachable = count.steps != FEWEST_UNREACHABLE;
    print_text(*reachable ? fewest_write_wide(count.paths, text) : "unreachable", out);
    print_text("\n", out);
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
