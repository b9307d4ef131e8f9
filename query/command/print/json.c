// Prints answers as JSON objects.
#include "json.h"

#include "query/command/request/watch.h"
#include "tables/base/errors.h"
#include "tables/program/command_line.h"

#include <string.h>

static void begin_line(uint64_t line, FILE *out)
{
    fprintf(out, "{\"line\": %llu", (unsigned long long)line);
}

// Begins the object of an answer with the puzzle, the start and the target of the query, or with
// its line in a batch.
static void begin_answer(const struct fewest *table, const struct query *query, FILE *out)
{
    char text[FEWEST_TEXT_SIZE];
    struct fewest_error ignored;
    if (query->line > 0) {
        begin_line(query->line, out);
        return;
    }
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

// Ends the object of an answer, with the member "reason" before if the target is unreachable. A
// batch gives no reason, because some take a search.
static void end_answer(struct fewest *table, const struct query *query, bool reachable, FILE *out)
{
    struct fewest_parity parity;
    struct fewest_error error;
    if (!reachable && query->line == 0 &&
        fewest_parity(table, query->start, query->target, &parity, &error)) {
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
    int steps;
    FILE *out;
    uint64_t count; // paths so far
};

// Begins the answer, up to the paths.
static void begin_paths(const struct path_writer *writer)
{
    begin_answer(writer->table, writer->query, writer->out);
    write_steps(writer->steps, writer->out);
    fputs(", \"paths\": [", writer->out);
}

// The visitor of fewest_each_path.
static bool write_each(void *context, const unsigned *moves, unsigned count)
{
    struct path_writer *writer = context;
    hide_search();
    if (writer->count == 0) { // before that, the query may fail
        writer->steps = writer->query->more == 0 ? (int)count : writer->steps;
        begin_paths(writer);
    } else {
        fputs(", ", writer->out);
    }
    write_moves(writer->table, moves, count, writer->out);
    return ++writer->count < writer->query->most_paths && !ferror(writer->out);
}

bool json_paths(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                struct fewest_error *error)
{
    struct path_writer writer = {
        .table = table, .query = query, .out = out, .steps = FEWEST_UNREACHABLE};
    const struct fewest_paths paths = {query->start, query->target, query->more};
    // All shortest paths have as many moves as the first one; longer ones do not tell.
    bool done =
        query->more == 0 || fewest_steps(table, query->start, query->target, &writer.steps, error);
    done = done && fewest_each_path(table, &paths, write_each, &writer, error);
    *reachable = writer.count > 0 || (query->more > 0 && writer.steps != FEWEST_UNREACHABLE);
    if (!done) {
        if (writer.count > 0) { // ends the object
            fputs("], \"error\": ", out);
            print_json_text(error->text, out);
            fputs("}\n", out);
        }
        return false;
    }
    if (!*reachable) {
        begin_paths(&writer);
    }
    putc(']', out);
    end_answer(table, query, *reachable, out);
    return true;
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

// Ends the object of a parity.
static void end_parity(const struct fewest_parity *parity, FILE *out)
{
    fprintf(out, ", \"reachable\": %s, \"reason\": ", parity->reachable ? "true" : "false");
    print_json_text(parity->reason, out);
    fputs("}\n", out);
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
    end_parity(&parity, out);
    return true;
}

// ---- Lines of a batch ---------------------------------------------------------------------------

void json_line_steps(uint64_t line, int steps, FILE *out)
{
    begin_line(line, out);
    write_steps(steps, out);
    fputs("}\n", out);
}

void json_line_parity(uint64_t line, const struct fewest_parity *parity, FILE *out)
{
    begin_line(line, out);
    end_parity(parity, out);
}

void json_line_error(uint64_t line, const struct fewest_error *error, FILE *out)
{
    begin_line(line, out);
    fputs(", \"error\": ", out);
    print_json_text(error->text, out);
    fputs("}\n", out);
}

void json_at_least(const struct fewest *table, const struct query *query, unsigned at_least,
                   FILE *out)
{
    begin_answer(table, query, out);
    fprintf(out, ", \"at_least\": %u}\n", at_least);
}

// ---- Statistics ---------------------------------------------------------------------------------

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
    if (counts->layers) {
        layers_print_json(counts->layers, out);
    }
    fputs("}\n", out);
}

// ---- Rules --------------------------------------------------------------------------------------

// Writes a member that is an array of numbers: those that get(context, i) gives for 0 to count - 1.
typedef unsigned number_getter(const void *context, unsigned i);
static void write_numbers(const char *before, number_getter *get, const void *context,
                          unsigned count, FILE *out)
{
    fputs(before, out);
    putc('[', out);
    for (unsigned i = 0; i < count; i++) {
        fprintf(out, "%s%u", i > 0 ? ", " : "", get(context, i));
    }
    putc(']', out);
}

static unsigned get_byte(const void *context, unsigned i)
{
    return ((const uint8_t *)context)[i];
}

static unsigned get_source(const void *context, unsigned i)
{
    return ((const uint16_t *)context)[i];
}

// Does the orientation in a cell not count, if the other cells are those of the first goal? Then
// the library sets it to 0.
static bool is_ignored(const struct fewest *table, unsigned cell)
{
    const struct fewest_info *info = fewest_info(table);
    uint8_t state[FEWEST_CELLS_MOST];
    struct fewest_error ignored;
    memcpy(state, info->goals, info->cell_count);
    state[cell] = 1;
    return info->cells[cell].values > 1 && fewest_check_state(table, "STATE", state, &ignored) &&
           state[cell] == 0;
}

// Writes which orientations of a block do not count: by piece, or by cell if the pieces stay where
// they are. `pieces` is the first cell of the pieces, or -1.
static void write_ignored(const struct fewest *table, unsigned first, unsigned count, int pieces,
                          FILE *out)
{
    const uint8_t *goal = fewest_info(table)->goals;
    bool written[UINT8_MAX + 1] = {false};
    const char *between = "";
    fprintf(out, ", \"%s\": [", pieces < 0 ? "ignored_cells" : "ignored_pieces");
    for (unsigned i = 0; i < count; i++) {
        unsigned number = pieces < 0 ? i : goal[(unsigned)pieces + i];
        if (is_ignored(table, first + i) && !written[number]) {
            fprintf(out, "%s%u", between, number);
            between = ", ";
            written[number] = true;
        }
    }
    putc(']', out);
}

// Writes the pairs of a cell of the block and a piece that it can't hold.
static void write_illegal(const struct fewest_cell *cells, unsigned count, FILE *out)
{
    const char *between = "";
    fputs(", \"illegal\": [", out);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned piece = 0; piece < cells[i].values && cells[i].illegal; piece++) {
            if (cells[i].illegal[piece]) {
                fprintf(out, "%s[%u, %u]", between, i, piece);
                between = ", ";
            }
        }
    }
    putc(']', out);
}

// Writes the blocks: cells in a row that hold values of one kind.
static void write_blocks(const struct fewest *table, FILE *out)
{
    const struct fewest_info *info = fewest_info(table);
    int pieces = -1; // the first cell of the block before, if that has pieces
    for (unsigned first = 0, end; first < info->cell_count; first = end) {
        const struct fewest_cell *cell = &info->cells[first];
        for (end = first + 1; end < info->cell_count && info->cells[end].set == cell->set &&
                              info->cells[end].is_orientation == cell->is_orientation;) {
            end++;
        }
        fputs(first > 0 ? ", {\"set\": " : "{\"set\": ", out);
        print_json_text(cell->set, out);
        fprintf(out, ", \"holds\": \"%s\", \"cells\": %u, \"values\": %u",
                cell->is_orientation ? "orientations" : "pieces", end - first, cell->values);
        if (cell->is_orientation) {
            bool turns_pieces = pieces >= 0 && info->cells[pieces].set == cell->set;
            write_ignored(table, first, end - first, turns_pieces ? pieces : -1, out);
        } else {
            write_illegal(cell, end - first, out);
        }
        pieces = cell->is_orientation ? -1 : (int)first;
        putc('}', out);
    }
}

// Begins the object of a move.
static void begin_move(const struct fewest *table, unsigned move, bool *first, FILE *out)
{
    fputs(*first ? "{\"name\": " : ", {\"name\": ", out);
    print_json_text(fewest_move_name(table, move), out);
    *first = false;
}

// Writes a move of a board: an object for each cell of the blank, the piece 0, from which it can
// go.
static void write_board_move(const struct fewest *table, unsigned move, bool *first, FILE *out)
{
    const struct fewest_info *info = fewest_info(table);
    uint8_t before[FEWEST_CELLS_MOST];
    uint8_t after[FEWEST_CELLS_MOST];
    uint8_t row[FEWEST_CELLS_MOST];
    struct fewest_error edge;
    for (unsigned blank = 0; blank < info->cell_count; blank++) {
        for (unsigned i = 0; i < info->cell_count; i++) { // the tiles in order
            before[i] = (uint8_t)(i == blank ? 0 : i < blank ? i + 1 : i);
        }
        if (!fewest_apply(table, move, before, after, &edge)) {
            continue;
        }
        begin_move(table, move, first, out);
        fprintf(out, ", \"needs\": [[%u, 0]]", blank);
        for (unsigned i = 0; i < info->cell_count; i++) {
            row[i] = (uint8_t)((uint8_t *)memchr(before, after[i], info->cell_count) - before);
        }
        write_numbers(", \"from\": ", get_byte, row, info->cell_count, out);
        memset(row, 0, info->cell_count);
        write_numbers(", \"add\": ", get_byte, row, info->cell_count, out);
        putc('}', out);
    }
}

bool json_rules(const struct fewest *table, FILE *out, struct fewest_error *error)
{
    const struct fewest_info *info = fewest_info(table);
    struct fewest_rule rule;
    bool first = true;
    if (info->default_start) { // only rolling cubes have one
        return error_set(
            error, FEWEST_BEYOND,
            "a state of rolling cubes does not tell what a move makes of it, so %s has "
            "no such rules",
            info->name);
    }
    fputs("{\"puzzle\": ", out);
    print_json_text(info->name, out);
    fputs(", \"blocks\": [", out);
    write_blocks(table, out);
    fputs("], \"goals\": [", out);
    for (unsigned g = 0; g < info->goal_count; g++) {
        write_numbers(g > 0 ? ", " : "", get_byte, info->goals + (size_t)g * info->cell_count,
                      info->cell_count, out);
    }
    fputs("], \"moves\": [", out);
    for (unsigned m = 0; m < info->move_count; m++) {
        if (info->has_blank) {
            write_board_move(table, m, &first, out);
            continue;
        }
        if (!fewest_move_rule(table, m, &rule, error)) {
            return false;
        }
        begin_move(table, m, &first, out);
        fputs(", \"needs\": []", out);
        write_numbers(", \"from\": ", get_source, rule.from, info->cell_count, out);
        write_numbers(", \"add\": ", get_byte, rule.add, info->cell_count, out);
        putc('}', out);
    }
    fputs("]}\n", out);
    return true;
}
