// The commands about states and their numbers: export, rank, unrank and show.
#include "query/command/lines/batch.h"
#include "query/command/print/answers.h"
#include "query/command/print/json.h"
#include "query/command/print/picture.h"
#include "query/command/request/messages.h"
#include "query/command/request/operands.h"
#include "query/command/request/watch.h"
#include "tables/base/ascii.h"
#include "tables/base/parallel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { UNREACHABLE_BYTE = 255 };

// Can the arrangements be numbered in 64 bits? If not, the library says why.
static bool has_numbers(const struct fewest *table, struct fewest_error *error)
{
    uint8_t state[FEWEST_CELLS_MOST];
    return fewest_unrank(table, 0, state, error);
}

// ---- Export -------------------------------------------------------------------------------------

// Fills in the distance of a state as fewest_count counts it: from the table's default start, or
// from the state to the nearest goal.
static bool find_counted_distance(struct fewest *table, const uint8_t *state, int *distance,
                                  struct fewest_error *error)
{
    const uint8_t *start = fewest_info(table)->default_start;
    if (start) {
        return fewest_steps(table, start, state, distance, error);
    }
    return fewest_steps(table, state, NULL, distance, error);
}

enum { EXPORTED_AT_ONCE = 1 << 14 };

// Some arrangements whose distances are found in all threads and then written.
struct exporting {
    struct fewest *table;
    unsigned threads;
    size_t cells;    // of a state
    size_t count;    // of the arrangements that wait, at most EXPORTED_AT_ONCE
    uint8_t *states; // their rows, one after the other
    uint8_t distances[EXPORTED_AT_ONCE];
    struct fewest_error *error; // the first one of all threads
    _Atomic bool failed;
};

// Finds the distances of the arrangements begin … end-1 of those that wait, in one thread. If any
// thread fails, all stop.
static void find_distances(void *context, uint64_t begin, uint64_t end)
{
    struct exporting *exporting = context;
    for (uint64_t i = begin; i < end && !exporting->failed; i++) {
        struct fewest_error error;
        int distance;
        if (find_counted_distance(exporting->table, exporting->states + i * exporting->cells,
                                  &distance, &error)) {
            exporting->distances[i] =
                distance == FEWEST_UNREACHABLE ? UNREACHABLE_BYTE : (uint8_t)distance;
        } else if (!atomic_exchange(&exporting->failed, true)) {
            *exporting->error = error;
        }
    }
}

// Finds and writes the distances of the arrangements that wait. Returns false if a distance can't
// be found or stdout does not take them.
static bool write_distances(struct exporting *exporting)
{
    enum { GRAIN = 1 << 10 }; // arrangements
    parallel_for(exporting->threads, exporting->count, GRAIN, find_distances, exporting);
    if (exporting->failed) {
        return false;
    }
    fwrite(exporting->distances, 1, exporting->count, stdout);
    exporting->count = 0;
    return !ferror(stdout);
}

// A visitor that adds an arrangement to those that wait and, if they are enough, writes their
// distances. Returns false as write_distances does.
static bool add_arrangement(void *context, const uint8_t *state)
{
    struct exporting *exporting = context;
    memcpy(exporting->states + exporting->count++ * exporting->cells, state, exporting->cells);
    return exporting->count < EXPORTED_AT_ONCE || write_distances(exporting);
}

// Writes the distances of all arrangements that match; NULL stands for all. Returns false with the
// error. A failed write to stdout is no error here, because the end of the program reports it.
static bool export_distances(struct exporting *exporting, const uint8_t *matching)
{
    struct fewest *table = exporting->table;
    struct fewest_error *error = exporting->error;
    struct fewest_stats stats;
    if (!has_numbers(table, error)) {
        return false;
    }
    // The library says why a searched puzzle has no distances.
    if (fewest_info(table)->is_searched && !fewest_count(table, NULL, &stats, error)) {
        return false;
    }
    if (!fewest_visit_arrangements(table, matching, add_arrangement, exporting, error)) {
        return false;
    }
    if (!exporting->failed) {
        write_distances(exporting); // of the last ones
    }
    return !exporting->failed;
}

// Answers `fewest export` from an open table. Returns the exit status.
static enum exit_status export_table(const struct request *request, struct fewest *table)
{
    struct fewest_error error;
    uint8_t target[FEWEST_CELLS_MOST];
    const uint8_t *matching;
    if (isatty(STDOUT_FILENO)) {
        return complain_usage(
            "the output is binary; write it to a file: fewest export %s > distances.u8",
            request->operands[0]);
    }
    enum exit_status status = read_matching(table, request, target, &matching);
    if (status != STATUS_ANSWERED) {
        return status;
    }
    size_t cells = fewest_info(table)->cell_count;
    struct exporting exporting = {.table = table,
                                  .threads = request->threads,
                                  .cells = cells,
                                  .states = malloc(EXPORTED_AT_ONCE * cells),
                                  .error = &error};
    bool done = exporting.states ? export_distances(&exporting, matching)
                                 : error_no_memory(&error, "for the distances");
    free(exporting.states);
    hide_search();
    return done ? STATUS_ANSWERED : complain_error(&error);
}

enum exit_status command_export(const struct request *request)
{
    return with_table(request, export_table);
}

// ---- One state, or one a line -------------------------------------------------------------------

// Reads a line with a state, as the start of a query without a target.
static bool read_state_line(const struct line_answerer *answerer, const char *line, size_t length,
                            uint8_t *start, uint8_t *target, struct fewest_error *error)
{
    target[0] = FEWEST_GOALS;
    return fewest_read_state(answerer->table, "STATE", line, length, start, error);
}

// Reports why there is no answer for an operand. If it should be a state, suggests what to type.
static enum exit_status complain_operand(const struct line_answerer *answerer, const char *operand,
                                         const struct fewest_error *error)
{
    if (answerer->read == read_state_line) {
        return complain_state(answerer->table, operand, strlen(operand), error);
    }
    return complain_error(error);
}

// Answers for the state that --moves lead to, or for the operand after PUZZLE, which the answerer
// reads. If that is `-` or `@FILE`, answers each line of that input. Returns the exit status.
static enum exit_status answer_operand(const struct request *request,
                                       const struct line_answerer *answerer)
{
    uint8_t start[FEWEST_CELLS_MOST];
    uint8_t target[FEWEST_CELLS_MOST] = {FEWEST_GOALS};
    const struct query query = {.start = start, .target = target};
    struct fewest_error error;
    bool reachable;
    const char *operand = request->operands[1];
    if (request->moves) {
        enum exit_status status = make_moves(answerer->table, request, start);
        if (status != STATUS_ANSWERED) {
            return status;
        }
    } else if (input_is_named(operand)) {
        return batch_answer_file(answerer, request, operand);
    } else if (!answerer->read(answerer, operand, strlen(operand), start, target, &error)) {
        return complain_operand(answerer, operand, &error);
    }
    if (!answerer->print(answerer->table, &query, stdout, &reachable, &error)) {
        return request->moves ? complain_error(&error)
                              : complain_operand(answerer, operand, &error);
    }
    return reachable ? STATUS_ANSWERED : STATUS_NEGATIVE;
}

// Answers for one state, or for one a line, by a function that prints the answer. Returns the exit
// status.
static enum exit_status answer_states(const struct request *request, struct fewest *table,
                                      print_answer *print)
{
    const struct line_answerer answerer = {
        .read = read_state_line, .joins = true, .table = table, .print = print};
    return answer_operand(request, &answerer);
}

// Prints the number of the start of a query.
static bool print_rank(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                       struct fewest_error *error)
{
    uint64_t number;
    if (!fewest_rank(table, query->start, &number, error)) {
        return false;
    }
    fprintf(out, "%llu\n", (unsigned long long)number);
    *reachable = true;
    return true;
}

// Answers `fewest rank` from an open table. Returns the exit status.
static enum exit_status rank_states(const struct request *request, struct fewest *table)
{
    struct fewest_error error;
    if (has_option(request, OPTION_AS_MOVES)) {
        return answer_states(request, table, print_scramble);
    }
    if (!has_numbers(table, &error)) {
        return complain_error(&error);
    }
    return answer_states(request, table, print_rank);
}

enum exit_status command_rank(const struct request *request)
{
    return with_table(request, rank_states);
}

// Reads a line with the number of an arrangement, and fills in that arrangement as the start of a
// query without a target. White space may be around the number, and a comment may follow.
static bool read_number_line(const struct line_answerer *answerer, const char *text, size_t length,
                             uint8_t *start, uint8_t *target, struct fewest_error *error)
{
    char shown[FEWEST_TEXT_SIZE];
    uint64_t number;
    for (size_t i = 1; i < length; i++) {
        if (text[i] == '#' && ascii_is_space(text[i - 1])) {
            length = i;
        }
    }
    while (length > 0 && ascii_is_space(text[length - 1])) {
        length--;
    }
    while (length > 0 && ascii_is_space(*text)) {
        text++;
        length--;
    }
    int copied = (int)(length < sizeof shown ? length : sizeof shown);
    snprintf(shown, sizeof shown, "%.*s", copied, text);
    // Another length: the text is too long, or has a NUL.
    if (strlen(shown) != length || !read_decimal(shown, &number)) {
        char typed[40];
        escape_text(typed, sizeof typed, text, length);
        return error_set(
            error, FEWEST_BAD_INPUT, "NUMBER: expected a number from 0 to %llu, got '%s'",
            (unsigned long long)fewest_info(answerer->table)->arrangement_count - 1, typed);
    }
    target[0] = FEWEST_GOALS;
    return fewest_unrank(answerer->table, number, start, error);
}

// Prints the start of a query as text.
static bool print_state_line(struct fewest *table, const struct query *query, FILE *out,
                             bool *reachable, struct fewest_error *error)
{
    char text[FEWEST_TEXT_SIZE];
    *reachable = true;
    if (!fewest_write_state(table, query->start, text, error)) {
        return false;
    }
    fprintf(out, "%s\n", text);
    return true;
}

// Answers `fewest unrank` from an open table. Returns the exit status.
static enum exit_status unrank_states(const struct request *request, struct fewest *table)
{
    const struct line_answerer answerer = {
        .read = read_number_line,
        .table = table,
        .print = has_option(request, OPTION_AS_MOVES) ? print_scramble : print_state_line,
    };
    struct fewest_error error;
    if (!has_numbers(table, &error)) {
        return complain_error(&error);
    }
    return answer_operand(request, &answerer);
}

enum exit_status command_unrank(const struct request *request)
{
    return with_table(request, unrank_states);
}

// Prints the text of a definition. Spaces replace control characters: a terminal would act on them,
// and anybody may have written the text.
static void print_definition(const char *text)
{
    enum { DELETE = 0x7F };
    for (text += ascii_mark_length(text, strlen(text)); *text; text++) {
        bool is_white = *text == '\n' || *text == '\t';
        bool is_control = ((unsigned char)*text < ' ' && !is_white) || *text == DELETE;
        putchar(is_control ? ' ' : *text);
    }
}

// Draws the start of a query.
static bool print_board(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                        struct fewest_error *error)
{
    (void)error;
    picture_board(table, query->start, out);
    *reachable = true;
    return true;
}

// Answers `fewest show` from an open table: draws states or, without one, prints the definition
// after comments that tell the number of states and which databases are shared. With --json, prints
// the rules. Returns the exit status.
static enum exit_status show_states(const struct request *request, struct fewest *table)
{
    if (has_option(request, OPTION_JSON)) {
        struct fewest_error error;
        if (request->operand_count > 1 || request->moves) {
            return complain_usage("--json prints the rules of the puzzle; use it without a state");
        }
        return json_rules(table, stdout, &error) ? STATUS_ANSWERED : complain_error(&error);
    }
    if (request->operand_count == 1 && !request->moves) {
        const struct fewest_info *info = fewest_info(table);
        printf("# states %s\n", info->states_text);
        for (unsigned d = 0; d < info->database_count; d++) {
            if (info->sharing[d]) {
                printf("# %s\n", info->sharing[d]);
            }
        }
        print_definition(info->definition);
        return STATUS_ANSWERED;
    }
    return answer_states(request, table, print_board);
}

enum exit_status command_show(const struct request *request)
{
    return with_table(request, show_states);
}
