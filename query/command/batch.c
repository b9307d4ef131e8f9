// Answers many lines, each with a query or a state, in order.
#include "pass.h"
#include "scramble.h"

#include <stdlib.h>
#include <string.h>

static bool answer_grid_parity(const struct line_answerer *answerer, const char *line,
                               size_t length, FILE *out, struct fewest_error *error)
{
    char reason[FEWEST_ERROR_SIZE];
    bool reachable;
    if (!fewest_grid_parity(answerer->grid, line, length, NULL, 0, &reachable, reason, error)) {
        return false;
    }
    print_parity_line(reachable, reason, out);
    return true;
}

static bool read_query_line(const struct line_answerer *answerer, const char *line, size_t length,
                            struct fewest_query *query, struct fewest_error *error)
{
    return fewest_read_query(answerer->table, line, length, query, error);
}

// The line has the moves that lead to START.
static bool read_moves_line(const struct line_answerer *answerer, const char *line, size_t length,
                            struct fewest_query *query, struct fewest_error *error)
{
    query->has_target = false;
    return scramble_read(answerer->table, NULL, line, length, query->start, error);
}

// Can a cell be typed as #?
static bool has_hash_cell(const struct fewest *table)
{
    for (unsigned i = 0; table && i < fewest_cell_count(table); i++) {
        struct fewest_error ignored;
        uint8_t cell;
        if (fewest_read_cell(table, i, "#", 1, "", false, &cell, &ignored)) {
            return true;
        }
    }
    return false;
}

// ---- In one thread ------------------------------------------------------------------------------

struct direct_pass {
    struct input *input;
    enum exit_status worst;
};

static bool report_directly(struct pass *pass, unsigned long line, const struct fewest_error *error)
{
    struct direct_pass *direct = pass->context;
    direct->input->line = line;
    enum exit_status status = pass_report(direct->input, pass->answerer, error);
    direct->worst = status > direct->worst ? status : direct->worst;
    return status <= STATUS_USAGE; // a bad line does not end the pass
}

static void flush_output(struct pass *pass)
{
    (void)pass;
    (void)fflush(stdout); // the next reading of input notices a failure
}

// Watches a query, in the thread that answers it.
static bool watch_line(void *context, int bound)
{
    pass_watch();
    return watch_search(context, bound);
}

static enum exit_status answer_directly(const struct line_answerer *answerer, struct input *input)
{
    struct direct_pass direct = {.input = input, .worst = STATUS_ANSWERED};
    struct pass pass = {.answerer = answerer,
                        .out = stdout,
                        .publish = flush_output,
                        .report = report_directly,
                        .queue = malloc(QUEUE_MOST * sizeof *pass.queue),
                        .context = &direct};
    struct input_text lines;
    if (!pass.queue) {
        command_complain(PROGRAM, "not enough memory for the input lines");
        return STATUS_SYSTEM;
    }
    while (direct.worst <= STATUS_USAGE && input_lines(input, &lines)) {
        pass_answer(&pass, &lines);
    }
    free(pass.queue);
    return direct.worst <= STATUS_USAGE && input->failed ? complain_failed(input) : direct.worst;
}

static bool goes_on(void *context)
{
    (void)context;
    return !was_interrupted();
}

static enum exit_status answer_input(const struct line_answerer *given, struct input *input,
                                     unsigned threads)
{
    struct line_answerer answerer = *given;
    enum exit_status status;
    answerer.has_hash = has_hash_cell(answerer.table);
    if (answerer.skips && !scramble_join_blocks(input)) {
        return complain_system(input->name);
    }
    input->before_reading = goes_on;
    before_cut(pass_cut);
    if (threads == 1 || !batch_answer_threaded(&answerer, input, threads, &status)) {
        status = answer_directly(&answerer, input);
    }
    return status;
}

enum exit_status batch_answer_file(const struct line_answerer *answerer, const char *path,
                                   unsigned threads)
{
    struct input input;
    if (!input_open(&input, path)) {
        return complain_system(input.name);
    }
    enlarge_output_buffer();
    if (answerer->table) {
        fewest_watch(answerer->table, watch_line, NULL);
    }
    enum exit_status status = answer_input(answerer, &input, threads);
    if (input.refused > REFUSALS_SHOWN) {
        char text[FEWEST_ERROR_SIZE];
        snprintf(text, sizeof text, "%s: %lu more lines could not be answered", input.name,
                 input.refused - REFUSALS_SHOWN);
        command_complain(PROGRAM, text);
    }
    input_close(&input);
    return status;
}

// Each line has a query or, with `moves`, the moves that lead to START.
static struct line_answerer make_answerer(print_answer *print, bool moves)
{
    return (struct line_answerer){.read = moves ? read_moves_line : read_query_line,
                                  .skips = moves ? scramble_is_comment : NULL,
                                  .print = print};
}

enum exit_status batch_answer(struct fewest *table, print_answer *print, bool moves,
                              struct input *input)
{
    struct line_answerer answerer = make_answerer(print, moves);
    answerer.table = table;
    return answer_input(&answerer, input, 1);
}

enum exit_status command_batch(const struct request *request)
{
    struct fewest_error error;
    print_answer *print = request->path     ? print_moves
                          : request->parity ? print_parity
                                            : print_steps;
    struct line_answerer answerer = make_answerer(print, request->scrambles);
    answerer.limit = request->limit;
    const char *path = request->operand_count > 1 ? request->operands[1] : NULL;
    if (request->path && request->parity) {
        return complain_usage("use either --path or --parity, not both");
    }
    if (request->parity && is_grid(request->operands[0])) {
        if (request->scrambles) {
            return complain_usage("a bare board such as %s takes no --moves", request->operands[0]);
        }
        answerer.read = NULL;
        answerer.answer = answer_grid_parity;
        answerer.grid = request->operands[0];
        return batch_answer_file(&answerer, path, 1);
    }
    answerer.table = open_table(request, request->operands[0], &error);
    if (!answerer.table) {
        return complain_table(request, request->operands[0], &error);
    }
    enum exit_status status = batch_answer_file(&answerer, path, request->threads);
    fewest_close(answerer.table);
    return status;
}
