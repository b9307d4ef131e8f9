// Prints answers as JSON objects.
#include "json.h"

#include "query/command/request/watch.h"
#include "tables/program/command_line.h"

// Begins the object of an answer with the puzzle, the start and the target of the query.
static void begin_answer(const struct fewest *table, const struct query *query, FILE *out)
{
    char text[FEWEST_TEXT_SIZE];
    struct fewest_error ignored;
    bool has_target = query->target[0] != FEWEST_GOALS;
    fputs("{\"puzzle\": ", out);
    print_json_text(fewest_info(table)->name, out);
    fputs(", \"start\": ", out);
    print_json_text(fewest_write_state(table, query->start, text, &ignored), out);
    fputs(", \"target\": ", out);
    print_json_text(has_target ? fewest_write_state(table, query->target, text, &ignored) : NULL,
                    out);
}

// Writes the member "steps".
static void write_steps(int steps, FILE *out)
{
    if (steps == FEWEST_UNREACHABLE) {
        fputs(", \"steps\": null", out);
    } else {
        fprintf(out, ", \"steps\": %d", steps);
    }
}

// Ends the object of an answer, with the member "reason" before if the target is unreachable.
static void end_answer(struct fewest *table, const struct query *query, bool reachable, FILE *out)
{
    struct fewest_parity parity;
    struct fewest_error error;
    if (!reachable && fewest_parity(table, query->start, query->target, &parity, &error)) {
        fputs(", \"reason\": ", out);
        print_json_text(parity.reason, out);
    }
    fputs("}\n", out);
}

bool json_steps(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                struct fewest_error *error)
{
    int steps;
    if (!fewest_steps(table, query->start, query->target, &steps, error)) {
        return false;
    }
    hide_search();
    *reachable = steps != FEWEST_UNREACHABLE;
    begin_answer(table, query, out);
    write_steps(steps, out);
    end_answer(table, query, *reachable, out);
    return true;
}

// Writes the names of moves as an array.
static void write_moves(const struct fewest *table, const unsigned *moves, unsigned count,
                        FILE *out)
{
    putc('[', out);
    for (unsigned i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", out);
        print_json_text(fewest_move_name(table, moves[i]), out);
    }
    putc(']', out);
}

bool json_path(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
               struct fewest_error *error)
{
    struct fewest_path path;
    if (!fewest_path(table, query->start, query->target, &path, error)) {
        return false;
    }
    hide_search();
    *reachable = path.steps != FEWEST_UNREACHABLE;
    begin_answer(table, query, out);
    write_steps(path.steps, out);
    fputs(", \"moves\": ", out);
    if (!*reachable) {
        fputs("null", out);
        end_answer(table, query, false, out);
        return true;
    }
    write_moves(table, path.moves, (unsigned)path.steps, out);
    fputs("}\n", out);
    return true;
}

// All paths of a query, while they are printed.
struct path_writer {
    const struct fewest *table;
    const struct query *query;
    FILE *out;
    uint64_t count; // paths so far
};

// The visitor of fewest_each_path.
static bool write_each(void *context, const unsigned *moves, unsigned count)
{
    struct path_writer *writer = context;
    hide_search();
    fputs(writer->count > 0 ? ", " : "", writer->out);
    write_moves(writer->table, moves, count, writer->out);
    return ++writer->count < writer->query->most_paths && !ferror(writer->out);
}

bool json_paths(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                struct fewest_error *error)
{
    int steps;
    struct path_writer writer = {table, query, out, 0};
    if (!fewest_steps(table, query->start, query->target, &steps, error)) {
        return false;
    }
    *reachable = steps != FEWEST_UNREACHABLE;
    begin_answer(table, query, out);
    write_steps(steps, out);
    fputs(", \"paths\": [", out);
    const struct fewest_paths paths = {query->start, query->target, query->more};
    bool done = fewest_each_path(table, &paths, write_each, &writer, error);
    putc(']', out);
    end_answer(table, query, *reachable, out);
    return done;
}

bool json_path_count(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                     struct fewest_error *error)
{
    struct fewest_path_count count;
    char text[FEWEST_WIDE_SIZE];
    if (!fewest_count_paths(table, query->start, query->target, &count, error)) {
        return false;
    }
    hide_search();
    *reachable = count.steps != FEWEST_UNREACHABLE;
    begin_answer(table, query, out);
    write_steps(count.steps, out);
    fprintf(out, ", \"how_many\": %s", fewest_write_wide(count.paths, text));
    end_answer(table, query, *reachable, out);
    return true;
}

bool json_parity(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                 struct fewest_error *error)
{
    struct fewest_parity parity;
    if (!fewest_parity(table, query->start, query->target, &parity, error)) {
        return false;
    }
    hide_search();
    *reachable = parity.reachable;
    begin_answer(table, query, out);
    fprintf(out, ", \"reachable\": %s, \"reason\": ", *reachable ? "true" : "false");
    print_json_text(parity.reason, out);
    fputs("}\n", out);
    return true;
}

// Writes a member that is an array: the counts at the distances 0 to `largest`.
static void write_counts(const char *name, const uint64_t *count, unsigned largest, FILE *out)
{
    fprintf(out, ", \"%s\": [", name);
    for (unsigned d = 0; d <= largest; d++) {
        fprintf(out, "%s%llu", d > 0 ? ", " : "", (unsigned long long)count[d]);
    }
    putc(']', out);
}

void json_stats(const struct fewest *table, const struct counts *counts, const char *farthest,
                FILE *out)
{
    const struct fewest_stats *stats = &counts->stats;
    const struct fewest_classes *classes = counts->classes;
    unsigned long long all = stats->states;
    fputs("{\"puzzle\": ", out);
    print_json_text(fewest_info(table)->name, out);
    if (counts_positions(counts)) {
        fprintf(out, ", \"positions\": %llu", all);
    } else {
        fprintf(out, ", \"states\": %llu, \"reachable\": %llu", all, all);
    }
    fprintf(out, ", \"largest\": %u, \"mean\": %.6f, \"farthest\": ", stats->largest, stats->mean);
    print_json_text(farthest, out);
    if (counts->rotations > 0) {
        fprintf(out, ", \"rotations\": %u", counts->rotations);
    }
    write_counts("counts", stats->count, stats->largest, out);
    if (classes) {
        fprintf(out, ", \"symmetries\": %u", classes->symmetries);
        write_counts("classes", classes->symmetric, stats->largest, out);
    }
    if (classes && classes->counts_inverses) {
        write_counts("or_inverse", classes->or_inverse, stats->largest, out);
    }
    fputs("}\n", out);
}
