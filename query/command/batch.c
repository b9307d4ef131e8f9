// Answers many lines, each with a query or a state, in order.
//
// Several threads share a window of lines, whose answers are printed in order. The window is cut
// into pieces. A query of a searched puzzle takes milliseconds, so each of its lines is a piece.
// Any other piece has many lines. A window ends when no more input is ready, so that a program that
// asks line by line gets each answer.
//
// Distances are looked up for many lines at once, because the look-ups then overlap.
#include "base/ascii.h"
#include "base/parallel.h"
#include "commands.h"

#include <stdlib.h>
#include <string.h>

enum { PIECES_A_THREAD = 16, SEARCHES_A_THREAD = 32 }; // in a window

// A line that can't be answered.
struct failure {
    unsigned long line; // of the piece, from 1
    size_t at;          // the length of the answers before it
    struct fewest_error error;
};

struct piece {
    char *copy;  // of the lines; the next window uses it again
    size_t room; // bytes of `copy`
    struct input_text lines;
    unsigned long count;
    char *answers; // of all lines but those that failed
    size_t answers_length;
    struct failure *failures;
    unsigned failure_count;
    bool out_of_memory;
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
    return fewest_read_moves(answerer->table, NULL, line, length, query->start, error);
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

// The length of a line without its comment. A comment begins with a # after a word and a space.
static size_t skip_comment(const char *line, size_t length)
{
    const char *first = line;
    const char *end = line + length;
    while (first < end && ascii_is_space(*first)) {
        first++;
    }
    for (const char *at = first; (at = memchr(at, '#', (size_t)(end - at))); at++) {
        if (at > first && ascii_is_space(at[-1])) {
            return (size_t)(at - line);
        }
    }
    return length;
}

// ---- Lines --------------------------------------------------------------------------------------

enum { QUEUE_MOST = 8 }; // a query takes 16 KiB

// A pass through some lines.
struct pass {
    const struct line_answerer *answerer;
    FILE *out;
    // Is called for a line that fails, when `out` has the answers to the lines before it. Returns
    // false to end the pass.
    bool (*report)(struct pass *pass, unsigned long line, const struct fewest_error *error);
    unsigned long lines;        // so far
    bool comments;              // a line has a # that may begin a comment
    unsigned queued;            // the latest ones, whose distances are still to be looked up
    struct fewest_query *queue; // QUEUE_MOST of them
    void *context;              // for report
};

static bool answer_queue(struct pass *pass)
{
    unsigned long first = pass->lines - pass->queued + 1;
    unsigned done = 0;
    bool going = true;
    while (going && done < pass->queued) {
        int steps[QUEUE_MOST];
        struct fewest_error error;
        size_t answered = fewest_steps_many(pass->answerer->table, pass->queue + done,
                                            pass->queued - done, steps, &error);
        hide_search();
        for (size_t i = 0; i < answered; i++) {
            print_distance(steps[i], pass->out);
        }
        done += (unsigned)answered;
        if (done < pass->queued) {
            going = pass->report(pass, first + done++, &error);
        }
    }
    pass->queued = 0;
    return going;
}

// Answers a line or adds it to the queue.
static bool answer_line(struct pass *pass, const char *line, size_t length,
                        struct fewest_error *error)
{
    const struct line_answerer *answerer = pass->answerer;
    struct fewest_query *query = &pass->queue[pass->queued];
    bool reachable;
    length = pass->comments ? skip_comment(line, length) : length;
    if (!answerer->read) {
        return answerer->answer(answerer, line, length, pass->out, error);
    }
    if (!answerer->read(answerer, line, length, query, error)) {
        return false;
    }
    if (answerer->print == print_steps) {
        pass->queued++;
        return true;
    }
    return answerer->print(answerer->table, query, pass->out, &reachable, error);
}

static bool fail_line(struct pass *pass, const struct fewest_error *error)
{
    pass->lines--;
    bool going = answer_queue(pass); // the lines before it
    pass->lines++;
    return going && pass->report(pass, pass->lines, error);
}

static struct fewest_error too_long(void)
{
    struct fewest_error error = {.status = FEWEST_BAD_INPUT};
    snprintf(error.text, sizeof error.text, "this line is longer than %d bytes",
             INPUT_LINE_LONGEST);
    return error;
}

// Answers lines. The last one may lack its line end. If `cut` is set, there is one line, too long.
// Returns false if a report ended the pass.
static bool answer_lines(struct pass *pass, const struct input_text *lines)
{
    const char *next = lines->text;
    const char *end = next + lines->length;
    bool going = true;
    bool cut = lines->cut;
    pass->comments = !pass->answerer->has_hash && memchr(lines->text, '#', lines->length);
    do { // without a line end, an empty text is an empty line
        const char *stop = memchr(next, '\n', (size_t)(end - next));
        size_t length = (size_t)((stop ? stop : end) - next);
        struct fewest_error error;
        pass->lines++;
        if (cut || length > INPUT_LINE_LONGEST) {
            error = too_long();
            going = fail_line(pass, &error);
        } else if (!answer_line(pass, next, length, &error)) {
            going = fail_line(pass, &error);
        } else if (pass->queued == QUEUE_MOST) {
            going = answer_queue(pass);
        }
        next = stop ? stop + 1 : end;
        cut = false;
    } while (going && next < end);
    return going && answer_queue(pass);
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

// ---- In one thread ------------------------------------------------------------------------------

struct direct_pass {
    struct input *input;
    enum exit_status worst;
};

static bool report_directly(struct pass *pass, unsigned long line, const struct fewest_error *error)
{
    struct direct_pass *direct = pass->context;
    direct->input->line = line;
    enum exit_status status = report_line(direct->input, pass->answerer, error);
    direct->worst = status > direct->worst ? status : direct->worst;
    return status <= STATUS_USAGE; // a bad line does not end the pass
}

static enum exit_status answer_directly(const struct line_answerer *answerer, struct input *input)
{
    struct direct_pass direct = {.input = input, .worst = STATUS_ANSWERED};
    struct pass pass = {.answerer = answerer,
                        .out = stdout,
                        .report = report_directly,
                        .queue = malloc(QUEUE_MOST * sizeof *pass.queue),
                        .context = &direct};
    struct input_text lines;
    if (!pass.queue) {
        command_complain(PROGRAM, "not enough memory for the input lines");
        return STATUS_SYSTEM;
    }
    while (direct.worst <= STATUS_USAGE && input_lines(input, &lines)) {
        answer_lines(&pass, &lines);
    }
    free(pass.queue);
    return direct.worst <= STATUS_USAGE && input->failed ? complain_failed(input) : direct.worst;
}

// ---- With threads -------------------------------------------------------------------------------

struct window {
    const struct line_answerer *answerer;
    struct piece *pieces;
    unsigned room;
    unsigned count;
    unsigned long lines; // in all earlier pieces
};

// Does an error end the batch?
static bool ends_batch(const struct fewest_error *error)
{
    return exit_status_of(error->status) > STATUS_USAGE;
}

static struct failure *add_failure(struct piece *piece)
{
    size_t count = piece->failure_count;
    if ((count & (count - 1)) == 0) { // a power of two: the list is full
        size_t room = count > 0 ? 2 * count : 1;
        struct failure *larger = realloc(piece->failures, room * sizeof *larger);
        if (!larger) {
            return NULL;
        }
        piece->failures = larger;
    }
    return &piece->failures[piece->failure_count++];
}

static bool keep_failure(struct pass *pass, unsigned long line, const struct fewest_error *error)
{
    struct piece *piece = pass->context;
    struct failure *failure = add_failure(piece);
    piece->out_of_memory = !failure;
    if (failure) {
        *failure = (struct failure){line, (size_t)ftell(pass->out), *error};
    }
    return failure && !ends_batch(error);
}

static void answer_piece(const struct line_answerer *answerer, struct piece *piece)
{
    struct pass pass = {.answerer = answerer,
                        .out = open_memstream(&piece->answers, &piece->answers_length),
                        .report = keep_failure,
                        .queue = malloc(QUEUE_MOST * sizeof *pass.queue),
                        .context = piece};
    if (pass.out && pass.queue) {
        answer_lines(&pass, &piece->lines);
        piece->count = pass.lines;
    }
    piece->out_of_memory |=
        !pass.out || fclose(pass.out) != 0 || !pass.queue || !piece->answers || output_was_lost();
    free(pass.queue);
}

static void answer_pieces(void *context, uint64_t begin, uint64_t end)
{
    const struct window *window = context;
    for (uint64_t i = begin; i < end; i++) {
        answer_piece(window->answerer, &window->pieces[i]);
    }
}

// Begins a piece with a copy of the lines. Returns false if memory runs out.
static bool begin_piece(struct piece *piece, const struct input_text *lines)
{
    *piece = (struct piece){.copy = piece->copy, .room = piece->room};
    if (piece->room <= lines->length) {
        free(piece->copy);
        piece->copy = malloc(lines->length + 1);
        piece->room = piece->copy ? lines->length + 1 : 0;
    }
    if (!piece->copy) {
        return false;
    }
    memcpy(piece->copy, lines->text, lines->length);
    piece->lines = (struct input_text){piece->copy, lines->length, lines->cut};
    return true;
}

static bool read_window(struct input *input, struct window *window)
{
    bool (*read)(struct input *, struct input_text *) =
        fewest_is_searched(window->answerer->table) ? input_line : input_lines;
    struct input_text lines;
    window->count = 0;
    while (window->count < window->room && (window->count == 0 || input_is_ready(input)) &&
           read(input, &lines)) {
        if (!begin_piece(&window->pieces[window->count], &lines)) {
            return false;
        }
        window->count++;
    }
    return true;
}

// Prints the answers of a piece, up to an error that ends the batch.
static enum exit_status print_piece(struct input *input, const struct window *window,
                                    const struct piece *piece)
{
    enum exit_status worst = STATUS_ANSWERED;
    size_t printed = 0;
    if (piece->out_of_memory) {
        command_complain(PROGRAM, "not enough memory for the answers");
        return STATUS_SYSTEM;
    }
    for (unsigned f = 0; f < piece->failure_count; f++) {
        const struct failure *failure = &piece->failures[f];
        fwrite(piece->answers + printed, 1, failure->at - printed, stdout);
        printed = failure->at;
        input->line = window->lines + failure->line;
        enum exit_status status = report_line(input, window->answerer, &failure->error);
        worst = status > worst ? status : worst;
    }
    if (worst <= STATUS_USAGE) {
        fwrite(piece->answers + printed, 1, piece->answers_length - printed, stdout);
    }
    return worst;
}

// Prints the answers and failures of a window, and frees them.
static enum exit_status print_window(struct input *input, struct window *window)
{
    enum exit_status worst = STATUS_ANSWERED;
    for (unsigned i = 0; i < window->count; i++) {
        struct piece *piece = &window->pieces[i];
        if (worst <= STATUS_USAGE) {
            enum exit_status status = print_piece(input, window, piece);
            worst = status > worst ? status : worst;
        }
        window->lines += piece->count;
        free(piece->answers);
        free(piece->failures);
    }
    return worst;
}

static enum exit_status answer_in_windows(const struct line_answerer *answerer, struct input *input,
                                          unsigned threads)
{
    enum exit_status worst = STATUS_ANSWERED;
    struct window window = {.answerer = answerer};
    window.room =
        threads * (fewest_is_searched(answerer->table) ? SEARCHES_A_THREAD : PIECES_A_THREAD);
    window.pieces = calloc(window.room, sizeof *window.pieces);
    bool reads = window.pieces;
    do {
        reads = reads && read_window(input, &window);
        parallel_for(threads, window.count, 1, answer_pieces, &window);
        enum exit_status status = print_window(input, &window);
        worst = status > worst ? status : worst;
    } while (reads && window.count > 0 && worst <= STATUS_USAGE);
    for (unsigned i = 0; i < window.room && window.pieces; i++) {
        free(window.pieces[i].copy);
    }
    free(window.pieces);
    if (!reads) {
        command_complain(PROGRAM, "not enough memory for the input lines");
        return STATUS_SYSTEM;
    }
    return worst <= STATUS_USAGE && input->failed ? complain_failed(input) : worst;
}

static bool goes_on(void *context)
{
    (void)context;
    return !was_interrupted();
}

enum exit_status batch_answer_file(const struct line_answerer *given, const char *path,
                                   unsigned threads)
{
    struct line_answerer answerer = *given;
    struct input input;
    answerer.has_hash = has_hash_cell(answerer.table);
    if (!input_open(&input, path)) {
        return complain_system(input.name);
    }
    input.before_reading = goes_on;
    enum exit_status status = threads > 1 ? answer_in_windows(&answerer, &input, threads)
                                          : answer_directly(&answerer, &input);
    input_close(&input);
    return status;
}

enum exit_status batch_answer(struct fewest *table, print_answer *print, struct input *input)
{
    struct line_answerer answerer = {
        .read = read_query_line, .table = table, .print = print, .has_hash = has_hash_cell(table)};
    return answer_directly(&answerer, input);
}

enum exit_status command_batch(const struct request *request)
{
    struct fewest_error error;
    struct line_answerer answerer = {.read = request->scrambles ? read_moves_line : read_query_line,
                                     .limit = request->limit,
                                     .print = request->path     ? print_moves
                                              : request->parity ? print_parity
                                                                : print_steps};
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
