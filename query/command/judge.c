// The judge front ends. Each reads and writes exactly the format of one online-judge problem.
//
// They read the input token by token, and answer a case once it is complete. Malformed input ends
// the run, after the answers to earlier cases, with a message that names its line.
#include "base/ascii.h"
#include "base/nearest.h"
#include "commands.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct judge {
    struct fewest *table;
    struct input *input;
    uint64_t number;         // of the current case, from 1
    enum exit_status status; // why the run ended early
};

// Identifies a problem's puzzle besides its name: by the moves, and by the answer to a query that
// no other puzzle with these moves is likely to give.
struct identity {
    const char *moves; // their names, each with a space after it
    const char *query;
    int steps;
};

struct problem {
    const char *name;
    const char *alias; // or NULL
    const char *puzzle;
    // A table of another puzzle under this name would answer another problem.
    struct identity identity;
    const char *summary;
    void (*run)(struct judge *judge);
};

// ---- Shared by the front ends -------------------------------------------------------------------

static bool is_whole(struct judge *judge, const struct input_text *token)
{
    if (token->cut) {
        judge->status =
            complain_input(judge->input, "case %" PRIu64 ": this word is longer than %d bytes",
                           judge->number, INPUT_LINE_LONGEST);
    }
    return !token->cut;
}

// Reads the next token of a case. It is an error if the input ends here.
static bool next_token(struct judge *judge, const char *what, struct input_text *token)
{
    if (!input_token(judge->input, token)) {
        if (judge->input->failed) {
            judge->status = complain_failed(judge->input);
        } else {
            judge->input->line = judge->input->lines + 1;
            judge->status = complain_input(judge->input,
                                           "case %" PRIu64 ": the input ends where %s is expected",
                                           judge->number, what);
        }
        return false;
    }
    return is_whole(judge, token);
}

enum { SHOWN_LONGEST = 40 }; // of a token, escaped

static char *show_token(struct input_text token, char shown[SHOWN_LONGEST])
{
    return escape_text(shown, SHOWN_LONGEST, token.text, token.length);
}

static bool report_bad_case(struct judge *judge, const struct fewest_error *error)
{
    bool input = error->status == FEWEST_BAD_INPUT || error->status == FEWEST_BEYOND;
    judge->status =
        input ? complain_input(judge->input, "case %" PRIu64 ": %s", judge->number, error->text)
              : complain_error(error);
    return false;
}

// Reads a state from tokens of `width` cells each. `token` is the first of them.
static bool read_state_tokens(struct judge *judge, struct input_text token, unsigned width,
                              const char *what, bool wild, uint8_t *state)
{
    struct fewest_error error;
    unsigned cells = fewest_cell_count(judge->table);
    for (unsigned i = 0; i < cells; i++) {
        bool first = i % width == 0;
        if (first && i > 0 && !next_token(judge, what, &token)) {
            return false;
        }
        if (first && width > 1 && token.length != width) {
            char shown[SHOWN_LONGEST];
            judge->status = complain_input(
                judge->input, "case %" PRIu64 ": %s: expected a word of %u cells, got '%s'",
                judge->number, what, width, show_token(token, shown));
            return false;
        }
        const char *cell = width > 1 ? token.text + i % width : token.text;
        if (!fewest_read_cell(judge->table, i, cell, width > 1 ? 1 : token.length, what, wild,
                              &state[i], &error)) {
            return report_bad_case(judge, &error);
        }
    }
    return fewest_check_state(judge->table, what, wild, state, &error) ||
           report_bad_case(judge, &error);
}

static bool read_board_state(struct judge *judge, unsigned width, const char *what, bool wild,
                             uint8_t *state)
{
    struct input_text token;
    return next_token(judge, what, &token) &&
           read_state_tokens(judge, token, width, what, wild, state);
}

// Reads the first board of a case, if the format does not give the number of cases. It is no error
// if the input ends here.
static bool read_first_board(struct judge *judge, unsigned width, const char *what, uint8_t *state)
{
    struct input_text token;
    judge->number++;
    if (!input_token(judge->input, &token)) {
        judge->status = judge->input->failed ? complain_failed(judge->input) : STATUS_ANSWERED;
        return false;
    }
    return is_whole(judge, &token) && read_state_tokens(judge, token, width, what, false, state);
}

static bool is_number(struct input_text token, uint64_t *number)
{
    return token.length > 0 && ascii_read_number(token.text, token.length, number) == token.length;
}

// Reads the number of cases, at the start of the input.
static bool read_count(struct judge *judge, uint64_t *count)
{
    struct input_text token;
    *count = 0;
    if (!input_token(judge->input, &token)) {
        judge->input->line = judge->input->lines + 1;
        judge->status =
            judge->input->failed
                ? complain_failed(judge->input)
                : complain_input(judge->input,
                                 "the input ends where the number of cases is expected");
        return false;
    }
    if (!is_number(token, count)) {
        char shown[SHOWN_LONGEST];
        judge->status = complain_input(judge->input, "expected the number of cases, got '%s'",
                                       show_token(token, shown));
        return false;
    }
    return true;
}

// Reads a number of a case.
static bool read_number(struct judge *judge, const char *what, uint64_t *number)
{
    struct input_text token;
    if (!next_token(judge, what, &token)) {
        return false;
    }
    if (!is_number(token, number)) {
        char shown[SHOWN_LONGEST];
        judge->status = complain_input(judge->input, "case %" PRIu64 ": expected %s, got '%s'",
                                       judge->number, what, show_token(token, shown));
        return false;
    }
    return true;
}

static bool find_steps(struct judge *judge, const struct fewest_query *query, int *steps)
{
    struct fewest_error error;
    return fewest_steps(judge->table, query, steps, &error) || report_bad_case(judge, &error);
}

static bool find_query_path(struct judge *judge, const struct fewest_query *query, unsigned *moves,
                            int *steps)
{
    struct fewest_error error;
    return fewest_path(judge->table, query, moves, steps, &error) || report_bad_case(judge, &error);
}

static void print_sequence(const struct judge *judge, const unsigned *moves, int steps)
{
    for (int i = 0; i < steps; i++) {
        fputs(fewest_move_name(judge->table, moves[i]), stdout);
    }
    putchar('\n');
}

// ---- The problems -------------------------------------------------------------------------------

static void run_uestc485(struct judge *judge)
{
    struct fewest_query query = {.has_target = true};
    uint64_t count;
    int steps;
    if (!read_count(judge, &count)) {
        return;
    }
    for (judge->number = 1; judge->number <= count; judge->number++) {
        if (!read_board_state(judge, 1, "the start", false, query.start) ||
            !read_board_state(judge, 1, "the target", true, query.target) ||
            !find_steps(judge, &query, &steps)) {
            return;
        }
        if (steps == FEWEST_UNREACHABLE) {
            printf("Case #%" PRIu64 ": No Solution!\n", judge->number);
        } else {
            printf("Case #%" PRIu64 ": %d\n", judge->number, steps);
        }
    }
}

// Until the input ends, reads two words of eight digits and prints a shortest path from the first
// to the second.
static void run_hdu1430(struct judge *judge)
{
    struct fewest_query query = {.has_target = true};
    unsigned moves[FEWEST_PATH_MOST];
    int steps;
    while (read_first_board(judge, 8, "the start", query.start) &&
           read_board_state(judge, 8, "the target", false, query.target) &&
           find_query_path(judge, &query, moves, &steps)) {
        print_sequence(judge, moves, steps);
    }
}

// Until the input ends, reads two dice of six numbers and prints the least number of rolls, or -1.
static void run_hdu5012(struct judge *judge)
{
    struct fewest_query query = {.has_target = true};
    int steps;
    while (read_first_board(judge, 1, "the first die", query.start) &&
           read_board_state(judge, 1, "the second die", false, query.target) &&
           find_steps(judge, &query, &steps)) {
        printf("%d\n", steps == FEWEST_UNREACHABLE ? -1 : steps);
    }
}

// Until the input ends, reads a board of four words of four letters. Prints the least number of
// moves to one colour, or Impossible.
static void run_poj1753(struct judge *judge)
{
    struct fewest_query query = {.has_target = false};
    int steps;
    while (read_first_board(judge, 4, "the board", query.start) &&
           find_steps(judge, &query, &steps)) {
        if (steps == FEWEST_UNREACHABLE) {
            puts("Impossible");
        } else {
            printf("%d\n", steps);
        }
    }
}

// Until the input ends, reads a board of four words of four signs. Prints the least number of
// moves, and the row and column of each move.
static void run_poj2965(struct judge *judge)
{
    struct fewest_query query = {.has_target = false};
    unsigned moves[FEWEST_PATH_MOST];
    int steps;
    while (read_first_board(judge, 4, "the board", query.start) &&
           find_query_path(judge, &query, moves, &steps)) {
        printf("%d\n", steps);
        for (int i = 0; i < steps; i++) { // the names of the moves are 11 … 44
            printf("%c %c\n", fewest_move_name(judge->table, moves[i])[0],
                   fewest_move_name(judge->table, moves[i])[1]);
        }
    }
}

static bool answer_eight(struct judge *judge, const struct fewest_query *query)
{
    unsigned moves[FEWEST_PATH_MOST];
    int steps;
    if (!find_query_path(judge, query, moves, &steps)) {
        return false;
    }
    if (steps == FEWEST_UNREACHABLE) {
        puts("unsolvable");
    } else {
        print_sequence(judge, moves, steps);
    }
    return true;
}

// Reads one board of nine tokens and prints a shortest path to the solved board, or unsolvable.
static void run_poj1077(struct judge *judge)
{
    struct fewest_query query = {.has_target = false};
    judge->number = 1;
    if (read_board_state(judge, 1, "the board", false, query.start)) {
        answer_eight(judge, &query);
    }
}

// The same for any number of boards, until the input ends.
static void run_hdu1043(struct judge *judge)
{
    struct fewest_query query = {.has_target = false};
    while (read_first_board(judge, 1, "the board", query.start) && answer_eight(judge, &query)) {
    }
}

// Reads T, then T pairs of words of nine cells. Prints the distance from the first to the second,
// and a shortest path.
static void run_hdu3567(struct judge *judge)
{
    struct fewest_query query = {.has_target = true};
    unsigned moves[FEWEST_PATH_MOST];
    uint64_t count;
    int steps;
    if (!read_count(judge, &count)) {
        return;
    }
    for (judge->number = 1; judge->number <= count; judge->number++) {
        if (!read_board_state(judge, 9, "the start", false, query.start) ||
            !read_board_state(judge, 9, "the target", false, query.target) ||
            !find_query_path(judge, &query, moves, &steps)) {
            return;
        }
        if (steps == FEWEST_UNREACHABLE) {
            printf("Case %" PRIu64 ": unreachable\n", judge->number);
        } else {
            printf("Case %" PRIu64 ": %d\n", judge->number, steps);
            print_sequence(judge, moves, steps);
        }
    }
}

// Until the input ends, reads eight numbers and prints the least number of moves to the solved
// board, or -1.
static void run_aizu0121(struct judge *judge)
{
    struct fewest_query query = {.has_target = false};
    int steps;
    while (read_first_board(judge, 1, "the board", query.start) &&
           find_steps(judge, &query, &steps)) {
        printf("%d\n", steps == FEWEST_UNREACHABLE ? -1 : steps);
    }
}

// Reads the column and the row of the blank, which define the start. `0 0` ends the input.
static bool read_blank(struct judge *judge, unsigned side, uint64_t *column, uint64_t *row)
{
    if (!read_number(judge, "the column of the blank (0 0 ends the input)", column) ||
        !read_number(judge, "the row of the blank", row)) {
        return false;
    }
    if ((*column != 0 || *row != 0) && (*column < 1 || *column > side || *row < 1 || *row > side)) {
        judge->status = complain_input(judge->input,
                                       "case %" PRIu64
                                       ": expected a column and a row from 1 to %u, or `0 0`, got "
                                       "%" PRIu64 " %" PRIu64,
                                       judge->number, side, *column, *row);
        return false;
    }
    return true;
}

// Until `0 0`, reads the blank's column and row and a target of nine letters. Prints the least
// number of rolls, or -1 if it is above 30, the limit of the problem.
static void run_uva1604(struct judge *judge)
{
    enum { SIDE = 3, MOST = 30 };
    struct fewest_query query = {.has_target = true};
    struct fewest_error error;
    struct input_text token;
    uint64_t column;
    uint64_t row;
    int steps;
    for (judge->number = 1; read_blank(judge, SIDE, &column, &row) && column > 0; judge->number++) {
        char start[SIDE * SIDE + 1] = "WWWWWWWWW";
        start[(row - 1) * SIDE + column - 1] = 'E';
        if (!fewest_read_state(judge->table, start, strlen(start), "the start", false, query.start,
                               &error)) {
            report_bad_case(judge, &error);
            return;
        }
        if (!next_token(judge, "the target", &token) ||
            !read_state_tokens(judge, token, token.length == SIDE ? SIDE : 1, "the target", false,
                               query.target) ||
            !find_steps(judge, &query, &steps)) {
            return;
        }
        printf("%d\n", steps > MOST ? -1 : steps);
    }
}

// Until the input ends, reads sixteen numbers. Prints a shortest path in capitals, or a sentence.
static void run_fifteen(struct judge *judge)
{
    struct fewest_query query = {.has_target = false};
    unsigned moves[FEWEST_PATH_MOST];
    int steps;
    while (read_first_board(judge, 1, "the board", query.start) &&
           find_query_path(judge, &query, moves, &steps)) {
        if (steps == FEWEST_UNREACHABLE) {
            puts("This puzzle is not solvable.");
            continue;
        }
        for (int i = 0; i < steps; i++) {
            putchar(fewest_move_name(judge->table, moves[i])[0] - 'a' + 'A');
        }
        putchar('\n');
    }
}

static const char SQUARES[] = "11 12 13 14 21 22 23 24 31 32 33 34 41 42 43 44 ";

static const struct problem PROBLEMS[] = {
    {"aizu0121",
     NULL,
     "seven",
     {"d l r u ", "76543210", 28},
     "seven puzzle: boards until the input ends; prints the number of moves",
     run_aizu0121},
    {"fifteen",
     NULL,
     "fifteen",
     {"d l r u ", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15", 1},
     "fifteen puzzle: boards until the input ends; prints a path",
     run_fifteen},
    {"hdu1043",
     NULL,
     "eight",
     {"d l r u ", "647850321", 31},
     "eight puzzle: boards until the input ends; prints a path",
     run_hdu1043},
    {"hdu1430",
     NULL,
     "magic",
     {"A B C ", "12345678 82754631", 2},
     "magic board: pairs of start and target until the input ends; prints a path",
     run_hdu1430},
    {"hdu3567",
     NULL,
     "eight",
     {"d l r u ", "647850321", 31},
     "eight puzzle: T, then T pairs of start and target; prints the number of moves and a path",
     run_hdu3567},
    {"hdu5012",
     NULL,
     "dice",
     {"b f l r ", "123456 125643", 3},
     "pairs of dice until the input ends; prints the number of moves",
     run_hdu5012},
    {"poj1077",
     NULL,
     "eight",
     {"d l r u ", "647850321", 31},
     "eight puzzle: one board; prints a path",
     run_poj1077},
    {"poj1753",
     NULL,
     "flip",
     {SQUARES, "bwwbbbwbbwwbbwww", 4},
     "flip game: boards of b and w until the input ends; prints the number of moves",
     run_poj1753},
    {"poj2965",
     NULL,
     "fridge",
     {SQUARES, "-+-----------+--", 6},
     "fridge: boards of + and - until the input ends; prints a path",
     run_poj2965},
    {"uestc485",
     "cdoj485",
     "game",
     {"C1 C1' C2 C2' C3 C3' R1 R1' R2 R2' R3 R3' ", "123456789 8*95372**", 7},
     "the Game: T, then T pairs of start and target with wildcards; prints the number of moves",
     run_uestc485},
    {"uva1604",
     NULL,
     "cubic",
     {"d l r u ", "WWWWWWWWE WBWBRERBR", 13},
     "rolling cubes: pairs of blank cell and target until 0 0; prints the number of moves",
     run_uva1604},
};

enum { PROBLEM_COUNT = sizeof PROBLEMS / sizeof *PROBLEMS };

// ---- The command --------------------------------------------------------------------------------

static const struct problem *find_problem(const char *name)
{
    for (int i = 0; i < PROBLEM_COUNT; i++) {
        if (strcmp(name, PROBLEMS[i].name) == 0 ||
            (PROBLEMS[i].alias && strcmp(name, PROBLEMS[i].alias) == 0)) {
            return &PROBLEMS[i];
        }
    }
    return NULL;
}

static bool has_moves(const struct fewest *table, const char *expected)
{
    for (unsigned m = 0; m < fewest_move_count(table); m++) {
        size_t length = strlen(fewest_move_name(table, m));
        if (strncmp(expected, fewest_move_name(table, m), length) != 0 || expected[length] != ' ') {
            return false;
        }
        expected += length + 1;
    }
    return *expected == '\0';
}

static enum exit_status check_identity(struct fewest *table, const struct problem *problem)
{
    const struct identity *identity = &problem->identity;
    struct fewest_query query;
    struct fewest_error error;
    int steps = FEWEST_UNREACHABLE;
    bool same = has_moves(table, identity->moves) &&
                fewest_read_query(table, identity->query, strlen(identity->query), &query, &error);
    if (same && !fewest_steps(table, &query, &steps, &error)) {
        // The user did not ask this query, so Ctrl-C ends it without a message.
        return error.status == FEWEST_STOPPED ? STATUS_SYSTEM : complain_error(&error);
    }
    if (!same || steps != identity->steps) {
        char text[FEWEST_ERROR_SIZE];
        snprintf(text, sizeof text,
                 "problem %s needs the puzzle %s; this table of %s has other moves or another goal",
                 problem->name, problem->puzzle, fewest_name(table));
        command_complain(PROGRAM, text);
        return STATUS_TABLE;
    }
    return STATUS_ANSWERED;
}

static enum exit_status list_problems(void)
{
    for (int i = 0; i < PROBLEM_COUNT; i++) {
        printf("%-9s %-9s %s\n", PROBLEMS[i].name, PROBLEMS[i].alias ? PROBLEMS[i].alias : "",
               PROBLEMS[i].summary);
    }
    return STATUS_ANSWERED;
}

const char *judge_problem(unsigned number, const char **puzzle)
{
    if (number >= PROBLEM_COUNT) {
        return NULL;
    }
    *puzzle = PROBLEMS[number].puzzle;
    return PROBLEMS[number].name;
}

static enum exit_status answer_problem(const struct problem *problem, struct fewest *table,
                                       struct input *input)
{
    struct judge judge = {.table = table, .input = input, .status = check_identity(table, problem)};
    if (judge.status == STATUS_ANSWERED) {
        problem->run(&judge);
    }
    return judge.status;
}

enum exit_status judge_answer(const char *problem, struct fewest *table, struct input *input)
{
    const struct problem *found = find_problem(problem);
    return found ? answer_problem(found, table, input)
                 : complain_usage("unknown problem '%s'", problem);
}

enum exit_status command_judge(const struct request *request)
{
    struct fewest_error error;
    struct input input;
    const char *path = request->operand_count > 1 ? request->operands[1] : NULL;
    if (request->list) {
        return list_problems();
    }
    if (request->operand_count == 0) {
        return complain_usage("too few operands: expected `fewest judge PROBLEM [FILE]`; `fewest "
                              "judge --list` lists the problems");
    }
    const struct problem *problem = find_problem(request->operands[0]);
    if (!problem) {
        struct nearest nearest = {.typed = request->operands[0]};
        char hint[2 * NEAREST_NAME];
        for (int i = 0; i < PROBLEM_COUNT; i++) {
            nearest_offer(&nearest, PROBLEMS[i].name);
        }
        return complain_usage(
            "unknown problem '%s'%s", request->operands[0],
            *nearest_text(&nearest, hint) ? hint : "; `fewest judge --list` lists the problems");
    }
    const char *name = request->table ? request->table : problem->puzzle;
    struct fewest *table = open_table(request, name, &error);
    if (!table) {
        return complain_table(request, name, &error);
    }
    enum exit_status status = STATUS_SYSTEM;
    if (input_open(&input, path)) {
        input.interrupted = was_interrupted;
        status = answer_problem(problem, table, &input);
        input_close(&input);
    } else {
        complain_system(path);
    }
    fewest_close(table);
    return status;
}
