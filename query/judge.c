// The judge front ends: each speaks the input and output of the problem that its puzzle comes from, to the letter.
//
// Input is read by tokens. A case is answered once it has been read whole; malformed input ends the run with a message
// that names its line, after the cases before it.
#include "commands.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct judge {
    struct fewest *table;
    struct input input;
    uint64_t number;         // of the case at hand, from 1
    enum exit_status status; // why the run ended early
};

// What is known of a problem's puzzle beside its name.
struct identity {
    unsigned cells;
    const char *moves; // their names
    uint64_t reachable;
    unsigned largest;
};

struct problem {
    const char *name;
    const char *alias; // or NULL
    const char *puzzle;
    struct identity identity; // a table of another puzzle under this name would answer another problem
    const char *summary;
    void (*run)(struct judge *judge);
};

// ---- What the front ends share ------------------------------------------------------------------------------------

// The next token of a case. At the end of the input the case is cut short, which is an error.
static bool next_token(struct judge *judge, struct input_text *token)
{
    if (!input_token(&judge->input, token)) {
        if (judge->input.failed) {
            judge->status = complain_failed(&judge->input);
        } else {
            judge->input.line = judge->input.lines + 1;
            judge->status = complain_input(&judge->input, "the input ends within case %" PRIu64, judge->number);
        }
        return false;
    }
    return true;
}

static bool fail(struct judge *judge, const struct fewest_error *error)
{
    bool input = error->status == FEWEST_BAD_INPUT || error->status == FEWEST_BEYOND;
    judge->status = input ? complain_input(&judge->input, "case %" PRIu64 ": %s", judge->number, error->text)
                          : complain_error(error);
    return false;
}

// Reads a state of one token a cell.
static bool read_board(struct judge *judge, const char *what, bool wild, uint8_t *state)
{
    struct fewest_error error;
    struct input_text token;
    for (unsigned i = 0; i < fewest_cells(judge->table); i++) {
        if (!next_token(judge, &token)) {
            return false;
        }
        if (!fewest_read_cell(judge->table, i, token.text, token.length, &state[i], &error)) {
            return fail(judge, &error);
        }
    }
    return fewest_check_state(judge->table, what, wild, state, &error) || fail(judge, &error);
}

// Reads the number of cases, at the start of the input.
static bool read_count(struct judge *judge, uint64_t *count)
{
    struct input_text token;
    *count = 0;
    if (!input_token(&judge->input, &token)) {
        judge->input.line = judge->input.lines + 1;
        judge->status = judge->input.failed ? complain_failed(&judge->input)
                                            : complain_input(&judge->input, "the input has no number of cases");
        return false;
    }
    bool good = token.length > 0;
    for (size_t i = 0; i < token.length && good; i++) {
        good = token.text[i] >= '0' && token.text[i] <= '9' && *count < UINT64_MAX / 10 - 1;
        *count = *count * 10 + (uint64_t)(token.text[i] - '0');
    }
    if (!good) {
        judge->status = complain_input(&judge->input, "the number of cases is not a number");
    }
    return good;
}

// ---- The problems -------------------------------------------------------------------------------------------------

static void run_uestc485(struct judge *judge)
{
    struct fewest_question question = {.has_target = true};
    struct fewest_error error;
    uint64_t count;
    int steps;
    if (!read_count(judge, &count)) {
        return;
    }
    for (judge->number = 1; judge->number <= count; judge->number++) {
        if (!read_board(judge, "the start", false, question.start) ||
            !read_board(judge, "the target", true, question.target)) {
            return;
        }
        if (!fewest_steps(judge->table, &question, &steps, &error)) {
            fail(judge, &error);
            return;
        }
        if (steps == FEWEST_UNREACHABLE) {
            printf("Case #%" PRIu64 ": No Solution!\n", judge->number);
        } else {
            printf("Case #%" PRIu64 ": %d\n", judge->number, steps);
        }
    }
}

static const struct problem PROBLEMS[] = {
    {"uestc485",
     "cdoj485",
     "game",
     {9, "C1 C1' C2 C2' C3 C3' R1 R1' R2 R2' R3 R3' ", 181440, 8},
     "the Game: T cases of a start and a target with wildcards",
     run_uestc485},
};

enum { PROBLEM_COUNT = sizeof PROBLEMS / sizeof *PROBLEMS };

// ---- The command --------------------------------------------------------------------------------------------------

static const struct problem *find_problem(const char *name)
{
    for (int i = 0; i < PROBLEM_COUNT; i++) {
        if (strcmp(name, PROBLEMS[i].name) == 0 || (PROBLEMS[i].alias && strcmp(name, PROBLEMS[i].alias) == 0)) {
            return &PROBLEMS[i];
        }
    }
    return NULL;
}

static bool has_identity(const struct fewest *table, const struct identity *identity)
{
    struct fewest_stats stats;
    const char *expected = identity->moves;
    fewest_get_stats(table, &stats);
    for (unsigned m = 0; m < fewest_moves(table); m++) {
        size_t length = strlen(fewest_move(table, m));
        if (strncmp(expected, fewest_move(table, m), length) != 0 || expected[length] != ' ') {
            return false;
        }
        expected += length + 1;
    }
    return *expected == '\0' && fewest_cells(table) == identity->cells && stats.reachable == identity->reachable &&
           stats.largest == identity->largest;
}

static enum exit_status list_problems(void)
{
    for (int i = 0; i < PROBLEM_COUNT; i++) {
        printf("%-9s %-9s %s\n", PROBLEMS[i].name, PROBLEMS[i].alias ? PROBLEMS[i].alias : "", PROBLEMS[i].summary);
    }
    return STATUS_ANSWERED;
}

enum exit_status command_judge(const struct request *request)
{
    struct judge judge = {.status = STATUS_ANSWERED};
    struct fewest_error error;
    const char *path = request->operand_count > 1 ? request->operands[1] : NULL;
    if (request->list) {
        return list_problems();
    }
    if (request->operand_count == 0) {
        return complain_usage("which problem? `fewest judge --list` names them");
    }
    const struct problem *problem = find_problem(request->operands[0]);
    if (!problem) {
        return complain_usage("unknown problem '%s'; `fewest judge --list` names them", request->operands[0]);
    }
    judge.table = fewest_open_puzzle(problem->puzzle, request->folder, &error);
    if (!judge.table) {
        return complain_error(&error);
    }
    if (!has_identity(judge.table, &problem->identity)) {
        fprintf(stderr, "fewest: the table %s is not of the puzzle that %s asks about\n", problem->puzzle,
                problem->name);
        fewest_close(judge.table);
        return STATUS_TABLE;
    }
    if (input_open(&judge.input, path)) {
        problem->run(&judge);
        input_close(&judge.input);
    } else {
        judge.status = complain_system(path);
    }
    fewest_close(judge.table);
    return judge.status;
}
