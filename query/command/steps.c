// The commands steps, path and parity: they answer one query from the command line.
#include "query/command/print/answers.h"
#include "query/command/print/json.h"
#include "query/command/print/picture.h"
#include "query/command/request/messages.h"
#include "query/command/request/operands.h"
#include "query/command/request/watch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Reads the operands of a query into its rows: rows[0] is START, rows[1] TARGET. Without --moves
// there are one or two operands; a single one holds START, and perhaps TARGET after it. With
// --moves, START is there already, and the only operand may be TARGET. Without TARGET, the nearest
// goal is meant. Fails with FEWEST_BAD_INPUT.
static bool read_query(const struct fewest *table, const struct request *request,
                       const char *const *text, const size_t *length, uint8_t *rows[2],
                       struct fewest_error *error)
{
    int count = request->operand_count - 1; // besides PUZZLE
    if (!request->moves && count == 1) {
        return fewest_read_query(table, text[0], length[0], rows[0], rows[1], error);
    }
    if (!request->moves) {
        return fewest_read_state(table, "START", text[0], length[0], rows[0], error) &&
               fewest_read_target(table, "TARGET", text[1], length[1], rows[1], error);
    }
    if (count == 0) {
        rows[1][0] = FEWEST_GOALS; // a row that begins so
        return true;
    }
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "(--moves makes START, so %s is the TARGET)\n", request->operands[1]);
    }
    return fewest_read_target(table, "TARGET", text[0], length[0], rows[1], error);
}

// Answers a query on stdout by a function that prints the answer. If its target can't be
// reached, prints the reason on stderr, unless the answer has it. Returns the exit status, after a
// message if it fails.
static enum exit_status answer_query(struct fewest *table, const struct query *query,
                                     print_answer *print, bool is_json)
{
    struct fewest_error error;
    struct fewest_parity parity;
    bool reachable = false; // after an error: has something been printed?
    if (!print(table, query, stdout, &reachable, &error)) {
        hide_search();
        if (is_json && print != json_parity && !reachable && error.at_least > 0) {
            json_at_least(table, query, error.at_least, stdout);
        }
        return complain_error(&error);
    }
    if (reachable) {
        return STATUS_ANSWERED;
    }
    bool has_reason = print == print_parity || print == json_parity;
    if (!has_reason && fewest_parity(table, query->start, query->target, &parity, &error)) {
        complain(STATUS_NEGATIVE, "%s", parity.reason);
    }
    return STATUS_NEGATIVE;
}

// Reads the operands START [TARGET] and --moves, and answers the query. Returns the exit status,
// after a message if they can't be read.
static enum exit_status answer_operands(const struct request *request, struct fewest *table,
                                        print_answer *print)
{
    struct fewest_error error;
    uint8_t start[FEWEST_CELLS_MOST];
    uint8_t target[FEWEST_CELLS_MOST];
    const struct query query = {start, target, (unsigned)request->within, wanted_paths(request), 0};
    const char *text[2] = {NULL, NULL};
    size_t length[2] = {0, 0};
    char *read[2] = {NULL, NULL};
    enum exit_status status = read_operands(request, text, length, read);
    if (status == STATUS_ANSWERED && request->moves) {
        status = make_moves(table, request, start);
    }
    if (status == STATUS_ANSWERED) {
        status = read_query(table, request, text, length, (uint8_t *[]){start, target}, &error)
                     ? answer_query(table, &query, print, has_option(request, OPTION_JSON))
                     : complain_state(table, text[0], length[0], &error);
    }
    free(read[0]);
    free(read[1]);
    return status;
}

// Prints each board of a shortest path, with the moves between them.
static bool show_path(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                      struct fewest_error *error)
{
    struct fewest_path path;
    uint8_t state[FEWEST_CELLS_MOST];
    if (!fewest_path(table, query->start, query->target, &path, error)) {
        return false;
    }
    hide_search();
    *reachable = path.steps != FEWEST_UNREACHABLE;
    if (!*reachable) {
        print_text("unreachable\n", out);
        return true;
    }
    picture_board(table, query->start, out);
    for (int i = 0; i < path.steps; i++) {
        fprintf(out, "%s\n", fewest_move_name(table, path.moves[i]));
        if (!fewest_follow(table, query->start, path.moves, (unsigned)i + 1, state, error)) {
            return false;
        }
        picture_board(table, state, out);
    }
    return true;
}

// Prints the number of moves.
static enum exit_status answer_steps(const struct request *request, struct fewest *table)
{
    return answer_operands(request, table,
                           has_option(request, OPTION_JSON) ? json_steps : print_steps);
}

// Prints a shortest path, all paths or their number in the form of the request.
static enum exit_status answer_path(const struct request *request, struct fewest *table)
{
    bool is_json = has_option(request, OPTION_JSON);
    print_answer *print = is_json ? json_path : print_moves;
    if (wants_all_paths(request)) {
        print = is_json ? json_paths : print_paths;
    } else if (has_option(request, OPTION_HOW_MANY)) {
        print = is_json ? json_path_count : print_path_count;
    } else if (has_option(request, OPTION_SHOW)) {
        print = show_path;
    }
    return answer_operands(request, table, print);
}

// Prints whether the target can be reached, and why.
static enum exit_status answer_parity(const struct request *request, struct fewest *table)
{
    return answer_operands(request, table,
                           has_option(request, OPTION_JSON) ? json_parity : print_parity);
}

enum exit_status command_steps(const struct request *request)
{
    return with_table(request, answer_steps);
}

enum exit_status command_path(const struct request *request)
{
    if (has_option(request, OPTION_JSON) && has_option(request, OPTION_SHOW)) {
        return complain_usage("use either --json or --show, not both");
    }
    if (wants_all_paths(request) && has_option(request, OPTION_HOW_MANY)) {
        return complain_usage("--how-many prints no paths; leave out %s",
                              has_option(request, OPTION_EACH) ? "--all" : "--within");
    }
    enum exit_status status = check_wanted_paths(request);
    if (status != STATUS_ANSWERED) {
        return status;
    }
    if (has_option(request, OPTION_SHOW) &&
        (wants_all_paths(request) || has_option(request, OPTION_HOW_MANY))) {
        return complain_usage(
            "--show draws one path; leave it out, or --all, --within and --how-many");
    }
    return with_table(request, answer_path);
}

// Answers `fewest parity` for a bare board, which the first operand names. Returns the exit status.
static enum exit_status answer_grid_parity(const struct request *request)
{
    struct fewest_error error;
    struct fewest_parity parity;
    const char *text[2] = {NULL, NULL};
    size_t length[2] = {0, 0};
    char *read[2] = {NULL, NULL};
    enum exit_status status = read_operands(request, text, length, read);
    if (status == STATUS_ANSWERED) {
        const struct fewest_grid_query query = {request->operands[0], text[0], length[0], text[1],
                                                length[1]};
        if (fewest_grid_parity(&query, &parity, &error)) {
            print_parity_line(&parity, stdout);
            status = parity.reachable ? STATUS_ANSWERED : STATUS_NEGATIVE;
        } else {
            status = complain_error(&error);
        }
    }
    free(read[0]);
    free(read[1]);
    return status;
}

enum exit_status command_parity(const struct request *request)
{
    if (!is_grid(request->operands[0])) {
        return with_table(request, answer_parity);
    }
    if (request->moves || has_option(request, OPTION_JSON)) {
        return complain_usage("a bare board such as %s takes neither --moves nor --json",
                              request->operands[0]);
    }
    return answer_grid_parity(request);
}
