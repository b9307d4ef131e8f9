// Answers many lines, each with a query or a state, in order.
//
// A query of a searched puzzle takes milliseconds, so several threads help. They share a window of
// lines, whose answers are printed in order. A window ends when no more input is ready, so that a
// program that asks line by line gets each answer.
#include "base/parallel.h"
#include "commands.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_A_THREAD = 32 }; // in a window

struct answer {
    char *line;
    size_t length;
    bool cut;
    unsigned long number;
    char *text; // what to print
    size_t text_length;
    struct fewest_error error;
    bool answered;
};

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

static bool answer_query_line(const struct line_answerer *answerer, const char *line, size_t length,
                              FILE *out, struct fewest_error *error)
{
    struct fewest_query query;
    bool reachable;
    return fewest_read_query(answerer->table, line, length, &query, error) &&
           answerer->print(answerer->table, &query, out, &reachable, error);
}

static bool answer_line(const struct line_answerer *answerer, const char *line, size_t length,
                        bool cut, FILE *out, struct fewest_error *error)
{
    if (cut) {
        error->status = FEWEST_BAD_INPUT;
        snprintf(error->text, sizeof error->text, "this line is longer than %d bytes",
                 INPUT_LINE_LONGEST);
        return false;
    }
    return answerer->answer(answerer, line, length, out, error);
}

// Prints `error` if only this line can't be answered. Any other error would affect the next
// lines, too, and ends the batch.
static enum exit_status report_line(const struct input *input, const struct line_answerer *answerer,
                                    const struct fewest_error *error)
{
    if (error->status == FEWEST_LIMITED) {
        printf(">%llu\n", (unsigned long long)answerer->limit);
        return STATUS_ANSWERED;
    }
    if (exit_status_of(error->status) == STATUS_USAGE) {
        puts("error");
        return complain_input(input, "%s", error->text);
    }
    return complain_error(error);
}

static enum exit_status answer_one_by_one(const struct line_answerer *answerer, struct input *input)
{
    enum exit_status worst = STATUS_ANSWERED;
    struct input_text line;
    struct fewest_error error;
    while (input_line(input, &line)) {
        if (!answer_line(answerer, line.text, line.length, line.cut, stdout, &error)) {
            enum exit_status status = report_line(input, answerer, &error);
            if (status > STATUS_USAGE) { // worse than a bad line
                return status;
            }
            worst = status > worst ? status : worst;
        }
    }
    return input->failed ? complain_failed(input) : worst;
}

// ---- With threads -------------------------------------------------------------------------------

struct window {
    const struct line_answerer *answerer;
    struct answer *answers;
    unsigned count;
};

static bool answer_into(const struct line_answerer *answerer, struct answer *answer)
{
    FILE *out = open_memstream(&answer->text, &answer->text_length);
    bool answered = out && answer_line(answerer, answer->line, answer->length, answer->cut, out,
                                       &answer->error);
    if (!out || fclose(out) != 0) { // the answer may be incomplete
        answer->error.status = FEWEST_SYSTEM;
        snprintf(answer->error.text, sizeof answer->error.text,
                 "not enough memory for the answers");
        return false;
    }
    return answered;
}

static void answer_part(void *context, uint64_t begin, uint64_t end)
{
    const struct window *window = context;
    for (uint64_t i = begin; i < end; i++) {
        window->answers[i].answered = answer_into(window->answerer, &window->answers[i]);
    }
}

static bool read_window(struct input *input, struct window *window, unsigned room)
{
    struct input_text line;
    window->count = 0;
    while (window->count < room && (window->count == 0 || input_is_ready(input)) &&
           input_line(input, &line)) {
        struct answer *answer = &window->answers[window->count];
        *answer = (struct answer){.length = line.length, .cut = line.cut, .number = input->line};
        answer->line = malloc(line.length + 1);
        if (!answer->line) {
            return false;
        }
        memcpy(answer->line, line.text, line.length);
        window->count++;
    }
    return true;
}

// Prints the answers of a window in order, up to an error that ends the batch.
static enum exit_status print_window(struct input *input, struct window *window)
{
    enum exit_status worst = STATUS_ANSWERED;
    for (unsigned i = 0; i < window->count; i++) {
        struct answer *answer = &window->answers[i];
        enum exit_status status = STATUS_ANSWERED;
        if (worst <= STATUS_USAGE && answer->answered) {
            fwrite(answer->text, 1, answer->text_length, stdout);
        } else if (worst <= STATUS_USAGE) {
            input->line = answer->number;
            status = report_line(input, window->answerer, &answer->error);
        }
        worst = status > worst ? status : worst;
        free(answer->line);
        free(answer->text);
    }
    return worst;
}

static enum exit_status answer_in_windows(const struct line_answerer *answerer, struct input *input,
                                          unsigned threads)
{
    enum exit_status worst = STATUS_ANSWERED;
    unsigned room = threads * LINES_A_THREAD;
    struct window window = {.answerer = answerer, .answers = calloc(room, sizeof *window.answers)};
    bool reads = window.answers;
    do {
        reads = reads && read_window(input, &window, room);
        parallel_for(threads, window.count, 1, answer_part, &window);
        enum exit_status status = print_window(input, &window);
        worst = status > worst ? status : worst;
    } while (reads && window.count > 0 && worst <= STATUS_USAGE);
    free(window.answers);
    if (!reads) {
        command_complain(PROGRAM, "not enough memory for the input lines");
        return STATUS_SYSTEM;
    }
    return worst <= STATUS_USAGE && input->failed ? complain_failed(input) : worst;
}

enum exit_status batch_answer_file(const struct line_answerer *answerer, const char *path,
                                   unsigned threads)
{
    struct input input;
    if (!input_open(&input, path)) {
        return complain_system(input.name);
    }
    input.interrupted = was_interrupted;
    enum exit_status status = threads > 1 ? answer_in_windows(answerer, &input, threads)
                                          : answer_one_by_one(answerer, &input);
    input_close(&input);
    return status;
}

enum exit_status batch_answer(struct fewest *table, print_answer *print, struct input *input)
{
    struct line_answerer answerer = {.answer = answer_query_line, .table = table, .print = print};
    return answer_one_by_one(&answerer, input);
}

enum exit_status command_batch(const struct request *request)
{
    struct fewest_error error;
    struct line_answerer answerer = {.answer = answer_query_line,
                                     .limit = request->limit,
                                     .print = request->path     ? print_moves
                                              : request->parity ? print_parity
                                                                : print_steps};
    const char *path = request->operand_count > 1 ? request->operands[1] : NULL;
    if (request->path && request->parity) {
        return complain_usage("use either --path or --parity, not both");
    }
    if (request->parity && is_grid(request->operands[0])) {
        answerer.answer = answer_grid_parity;
        answerer.grid = request->operands[0];
        return batch_answer_file(&answerer, path, 1);
    }
    answerer.table = open_table(request, request->operands[0], &error);
    if (!answerer.table) {
        return complain_table(request, request->operands[0], &error);
    }
    bool threaded = request->threads > 1 && fewest_is_searched(answerer.table);
    enum exit_status status = batch_answer_file(&answerer, path, threaded ? request->threads : 1);
    fewest_close(answerer.table);
    return status;
}
