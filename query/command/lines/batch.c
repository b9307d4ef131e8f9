// Answers many lines, each with a query or a state, in order.
#include "batch.h"
#include "lines.h"
#include "query/command/print/json.h"
#include "query/command/print/print.h"
#include "query/command/request/messages.h"
#include "query/command/request/operands.h"
#include "scramble.h"
#include "tables/base/ascii.h"

#include <stdlib.h>
#include <string.h>

enum { REFUSALS_SHOWN = 10 };

struct batch {
    const struct line_answerer *answerer;
    struct input *input;
    bool has_hash;         // can a cell be typed as #? Then # begins no comment
    unsigned long refused; // lines that can't be answered
};

static const struct line_answerer *answerer_of(const struct pass *pass)
{
    return ((const struct batch *)pass->job->context)->answerer;
}

// Answers a line with START or START TARGET of a bare board, whose size the answerer names: prints
// whether the target can be reached, and why. Returns false with an error.
static bool print_grid_parity(const struct pass *pass, const char *line, size_t length,
                              struct fewest_error *error)
{
    const struct line_answerer *answerer = answerer_of(pass);
    const struct fewest_grid_query query = {
        .grid = answerer->grid, .start = line, .start_length = length};
    struct fewest_parity parity;
    if (!fewest_grid_parity(&query, &parity, error)) {
        return false;
    }
    if (answerer->form == LINE_JSON) {
        json_line_parity(pass->before + pass->items, &parity, pass->out);
    } else {
        print_parity_line(&parity, pass->out);
    }
    return true;
}

// Reads a line with START or START TARGET.
static bool read_query_line(const struct line_answerer *answerer, const char *line, size_t length,
                            uint8_t *start, uint8_t *target, struct fewest_error *error)
{
    return fewest_read_query(answerer->table, line, length, start, target, error);
}

// Reads a line with the moves that lead from the solved state to START.
static bool read_moves_line(const struct line_answerer *answerer, const char *line, size_t length,
                            uint8_t *start, uint8_t *target, struct fewest_error *error)
{
    target[0] = FEWEST_GOALS;
    return fewest_read_moves(answerer->table, NULL, line, length, start, error);
}

// Can a cell of this table's puzzle be typed as #? NULL: without a table, none can.
static bool has_hash_cell(const struct fewest *table)
{
    unsigned cells = table ? fewest_info(table)->cell_count : 0;
    for (unsigned i = 0; i < cells; i++) {
        if (strchr(fewest_info(table)->cells[i].letters, '#')) {
            return true;
        }
    }
    return false;
}

// Returns where the first word of a line begins, or its end.
static const char *find_word(const char *line, size_t length)
{
    const char *end = line + length;
    while (line < end && ascii_is_space(*line)) {
        line++;
    }
    return line;
}

// Has a line with a query, a state or a number only a comment? Then it gets no answer.
static bool is_comment(const struct batch *batch, const char *line, size_t length)
{
    const char *word = find_word(line, length);
    return word < line + length && *word == '#' && !batch->has_hash;
}

// ---- A state on several lines -------------------------------------------------------------------

// Finds the first line of the input that has more than a comment. Returns it, with length 0 if the
// buffer has no such line. Reads into the buffer as far as needed.
static struct input_text find_first_line(const struct batch *batch, struct input *input)
{
    size_t passed = 0; // bytes of the lines before
    for (;;) {
        const char *line = input->buffer + input->begin + passed;
        size_t left = input->end - input->begin - passed;
        const char *newline = memchr(line, '\n', left);
        size_t length = newline ? (size_t)(newline - line) : left;
        bool has_word = find_word(line, length) < line + length;
        if (newline && (!has_word || is_comment(batch, line, length))) {
            passed += length + 1;
        } else if (newline || input->end - input->begin > INPUT_LINE_LONGEST ||
                   !input_fill(input)) {
            return (struct input_text){.text = line, .length = length};
        }
    }
}

// Has a line fewer characters than a state has cells? Then it is none.
static bool is_short(const struct batch *batch, struct input_text line)
{
    unsigned cells = fewest_info(batch->answerer->table)->cell_count;
    size_t characters = 0;
    for (size_t i = 0; i < line.length; i++) {
        characters += !ascii_is_separator(line.text[i]) && !ascii_is_bracket(line.text[i]);
    }
    return characters < cells;
}

// Can some line of a text be read by itself?
static bool has_answered_line(const struct batch *batch, const char *text, const char *end)
{
    const struct line_answerer *answerer = batch->answerer;
    uint8_t start[FEWEST_CELLS_MOST];
    uint8_t target[FEWEST_CELLS_MOST];
    struct fewest_error ignored;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t length = (size_t)((newline ? newline : end) - text);
        if (answerer->read(answerer, text, length, start, target, &ignored)) {
            return true;
        }
        text += length + (newline ? 1 : 0);
    }
    return false;
}

// Makes one line of an input that is one state on several lines. Such an input fits into the
// buffer, its first line is too short for a state, and no line is a state. The newlines become
// carriage returns, which end a line for the reader of states. The comments before the first line
// become spaces. Returns false if reading fails.
static bool join_lines(const struct batch *batch, struct input *input)
{
    input_skip_mark(input);
    struct input_text first = find_first_line(batch, input);
    if (first.length == 0 || !is_short(batch, first)) {
        return !input->failed;
    }
    size_t before = (size_t)(first.text - (input->buffer + input->begin));
    // Reads the whole input, or more than a line may have.
    while (input->end - input->begin <= INPUT_LINE_LONGEST && input_fill(input)) {
    }
    char *text = input->buffer + input->begin;
    char *end = input->buffer + input->end;
    if (!input->ended || has_answered_line(batch, text, end)) {
        return !input->failed;
    }
    memset(text, ' ', before);
    for (; text < end; text++) {
        if (*text == '\n') {
            *text = '\r';
        }
    }
    return true;
}

// The job's `prepare`: makes one line of a state on several lines.
static bool prepare_input(void *context, struct input *input)
{
    const struct batch *batch = context;
    return !batch->answerer->joins || join_lines(batch, input);
}

// ---- Lines --------------------------------------------------------------------------------------

// Counts the lines of a text. The last one need not have an end.
static uint64_t count_lines(const struct input_text *text)
{
    uint64_t count = 0;
    for (size_t i = 0; i < text->length; i++) {
        count += text->text[i] == '\n';
    }
    return count + (text->length == 0 || text->text[text->length - 1] != '\n');
}

// The job's `read`: reads one line for a searched puzzle, whose searches can take long, so that
// each of its lines is a piece. Reads many lines for any other puzzle.
static bool read_lines(void *context, struct lines *lines)
{
    const struct batch *batch = context;
    const struct fewest *table = batch->answerer->table;
    bool one = lines_take_long(table);
    struct input_text text;
    if (batch->answerer->skips) {
        return scramble_read_lines(batch->input, one, lines);
    }
    bool has_read = one ? input_line(batch->input, &text) : input_lines(batch->input, &text);
    return has_read && lines_add(lines, text.text, text.length, one ? 1 : count_lines(&text));
}

// Prints the answer to the query that comes next in the queue, with the number of its line. An
// object with all paths is first written to memory: it may be long, and nothing of it is printed if
// an error ends it.
static bool print_line(struct pass *pass, struct fewest_error *error)
{
    const struct line_answerer *answerer = answerer_of(pass);
    struct query query = answerer->query;
    bool reachable;
    query.start = lines_start(pass);
    query.target = lines_target(pass);
    query.line = answerer->form == LINE_PLAIN ? 0 : pass->before + pass->items;
    if (answerer->print != json_paths) {
        return answerer->print(answerer->table, &query, pass->out, &reachable, error);
    }
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (!memory) {
        return error_no_memory(error, "for the paths");
    }
    bool done = answerer->print(answerer->table, &query, memory, &reachable, error);
    if (fclose(memory) != 0) {
        done = error_no_memory(error, "for the paths");
    }
    if (done) {
        fwrite(text, 1, length, pass->out);
    }
    free(text);
    return done;
}

// The job's `answer`: answers the next line of a piece. A query for a number of moves only joins
// the queue. Returns false with an error.
static bool answer_line(struct pass *pass, struct fewest_error *error)
{
    const struct batch *batch = pass->job->context;
    const struct line_answerer *answerer = batch->answerer;
    const char *line = pass->next;
    const char *stop = memchr(line, '\n', (size_t)(pass->end - line));
    size_t length = (size_t)((stop ? stop : pass->end) - line);
    pass->next = stop ? stop + 1 : pass->end;
    if (length > INPUT_LINE_LONGEST) {
        return error_set(error, FEWEST_BAD_INPUT, "this %s is longer than %d bytes",
                         memchr(line, '\v', length) ? "scramble" : "line", INPUT_LINE_LONGEST);
    }
    if (answerer->skips && answerer->skips(line, length)) {
        return true;
    }
    if (answerer->grid) {
        return print_grid_parity(pass, line, length, error) || is_comment(batch, line, length);
    }
    if (!answerer->read(answerer, line, length, lines_start(pass), lines_target(pass), error)) {
        return is_comment(batch, line, length); // looked at late: most lines have none
    }
    if (answerer->print == print_steps) { // faster for many at once
        pass->queued++;
        return true;
    }
    return print_line(pass, error);
}

// The job's `print`: prints the distances begin … end-1 of the queue.
static void print_queue(struct pass *pass, unsigned begin, unsigned end)
{
    if (answerer_of(pass)->form != LINE_JSON) {
        print_distances(pass->steps + begin, end - begin, pass->out);
        return;
    }
    for (unsigned i = begin; i < end; i++) {
        json_line_steps(pass->before + pass->place[i], pass->steps[i], pass->out);
    }
}

// Prints on stdout the line of a query that --limit or --time left without an answer.
static void print_limit(const struct line_answerer *answerer, uint64_t line, unsigned at_least)
{
    if (answerer->form == LINE_JSON) {
        json_at_least(answerer->table, &(struct query){.line = line}, at_least, stdout);
        return;
    }
    if (answerer->form == LINE_NUMBERED) {
        print_line_number(line, stdout);
    }
    printf(">%u\n", at_least > 0 ? at_least - 1 : 0);
}

// Prints on stdout that a line is bad.
static void print_error(const struct line_answerer *answerer, uint64_t line,
                        const struct fewest_error *error)
{
    if (answerer->form == LINE_JSON) {
        json_line_error(line, error, stdout);
        return;
    }
    if (answerer->form == LINE_NUMBERED) {
        print_line_number(line, stdout);
    }
    puts("error");
}

// The job's `report`, for a line without an answer: prints `>N` after a limit, or `error` for a bad
// line. Only the first REFUSALS_SHOWN bad lines also get a message. Any other error is only a
// message, and the batch ends.
static enum exit_status report_line(const struct pass *pass, uint64_t place,
                                    const struct fewest_error *error)
{
    struct batch *batch = pass->job->context;
    const uint64_t number = pass->before + place;
    if (error->status == FEWEST_LIMITED) {
        print_limit(batch->answerer, number, error->at_least);
        return STATUS_ANSWERED;
    }
    if (exit_status_of(error->status) == STATUS_USAGE) {
        print_error(batch->answerer, number, error);
        return ++batch->refused <= REFUSALS_SHOWN
                   ? complain_input(batch->input->name, number, "%s", error->text)
                   : STATUS_USAGE;
    }
    if (error->status == FEWEST_STOPPED) {
        complain_input(batch->input->name, number, "%s", error->text);
        return STATUS_SYSTEM;
    }
    return complain_error(error);
}

enum exit_status batch_answer_file(const struct line_answerer *answerer,
                                   const struct request *request, const char *path)
{
    struct input input;
    struct batch batch = {
        .answerer = answerer, .input = &input, .has_hash = has_hash_cell(answerer->table)};
    const struct line_job job = {.table = answerer->table,
                                 .tolerated = STATUS_USAGE,
                                 .prepare = prepare_input,
                                 .read = read_lines,
                                 .answer = answer_line,
                                 .print = print_queue,
                                 .report = report_line,
                                 .context = &batch};
    enum exit_status status = lines_answer_file(&job, &input, request, path);
    if (batch.refused > REFUSALS_SHOWN) { // the others got no message of their own
        complain(status, "%s: %lu more lines could not be answered", input.name,
                 batch.refused - REFUSALS_SHOWN);
    }
    return status;
}

enum exit_status batch_answer(const struct request *request, struct fewest *table)
{
    bool moves = has_option(request, OPTION_SCRAMBLES);
    bool is_json = has_option(request, OPTION_JSON);
    struct line_answerer answerer = {
        .read = moves ? read_moves_line : read_query_line,
        .skips = moves ? scramble_is_comment : NULL,
        .table = table,
        .print = print_steps,
        .form = is_json ? LINE_JSON : LINE_PLAIN,
        .query = {.more = (unsigned)request->within, .most_paths = wanted_paths(request)},
        .grid = table ? NULL : request->operands[0]};
    if (has_option(request, OPTION_PATH)) {
        answerer.print = is_json ? json_path : print_moves;
    } else if (has_option(request, OPTION_PARITY)) {
        answerer.print = is_json ? json_parity : print_parity;
    } else if (has_option(request, OPTION_HOW_MANY)) {
        answerer.print = is_json ? json_path_count : print_path_count;
    } else if (wants_all_paths(request)) {
        answerer.print = is_json ? json_paths : print_paths;
        answerer.form = is_json ? LINE_JSON : LINE_NUMBERED;
    }
    return batch_answer_file(&answerer, request,
                             request->operand_count > 1 ? request->operands[1] : NULL);
}

enum exit_status command_batch(const struct request *request)
{
    int kinds = has_option(request, OPTION_PATH) + has_option(request, OPTION_PARITY) +
                has_option(request, OPTION_HOW_MANY) + wants_all_paths(request);
    if (kinds > 1) {
        return complain_usage("use only one of --path, --all (--within), --parity and --how-many");
    }
    enum exit_status status = check_wanted_paths(request);
    if (status != STATUS_ANSWERED) {
        return status;
    }
    if (!has_option(request, OPTION_PARITY) || !is_grid(request->operands[0])) {
        return with_table(request, batch_answer);
    }
    if (has_option(request, OPTION_SCRAMBLES)) {
        return complain_usage("a bare board such as %s takes no --moves", request->operands[0]);
    }
    return batch_answer(request, NULL);
}
