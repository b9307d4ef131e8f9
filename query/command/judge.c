// The judge front ends. Each reads and writes exactly the format of one online-judge problem.
//
// They read the input token by token. Cases are answered before more input is read, or once there
// are as many as the threads take at a time. No answer waits for a later case. Malformed input ends
// the run, after the answers to earlier cases, with a message that names its line.
#include "base/ascii.h"
#include "base/nearest.h"
#include "base/parallel.h"
#include "commands.h"

#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    CELLS = 16,            // the most of any of these puzzles
    CASES_A_THREAD = 512,  // that are answered at a time
    SEARCHES_A_THREAD = 8, // if each takes a search
};

struct answer {
    int steps;
    unsigned moves[FEWEST_PATH_MOST];
    struct fewest_error error; // if it was not found
    bool found;
    atomic_bool done;
};

struct judged_case {
    uint64_t number;    // from 1
    unsigned long line; // of its last token
    uint8_t start[CELLS];
    uint8_t target[CELLS];
    struct answer *answer;
};

struct judge {
    const struct problem *problem;
    struct fewest *table;
    struct input *input;
    uint64_t number;         // of the current case, from 1
    enum exit_status status; // why the run ended early
    unsigned threads;
    pthread_mutex_t lock;      // lets one thread print, and protects `flush`
    double flush;              // when the answers are flushed next
    unsigned printed;          // cases whose answers are printed
    struct judged_case *cases; // that are read and not answered yet
    struct answer *answers;    // room for theirs
    unsigned count;
    unsigned room;
};

// Identifies a problem's puzzle besides its name: by the moves, and by the answer to a query that
// no other puzzle with these moves is likely to give.
struct identity {
    const char *moves; // their names, each with a space after it
    const char *query;
    int steps;
};

// CASES_PERHAPS_COUNTED: if the first line has one number, it is that of the cases.
enum cases { CASES_COUNTED, CASES_PERHAPS_COUNTED, CASES_TO_THE_END, CASES_ONE };

struct problem {
    const char *name;
    const char *alias; // or NULL
    const char *puzzle;
    // A table of another puzzle under this name would answer another problem.
    struct identity identity;
    const char *summary;
    enum cases cases; // CASES_COUNTED: the input begins with their number
    bool has_target;  // does a case have a target? The table's goals are the targets otherwise.
    bool has_path;    // does the answer need a path?
    // Reads a case. False at the end of the input, and after a message.
    bool (*read)(struct judge *judge, struct judged_case *one);
    void (*print)(const struct judge *judge, const struct judged_case *one);
};

// ---- Answering ----------------------------------------------------------------------------------

static void answer_case(const struct judge *judge, const struct judged_case *one)
{
    struct fewest_query query; // only as many cells as there are get a value
    unsigned cells = fewest_cell_count(judge->table);
    query.has_target = judge->problem->has_target;
    memcpy(query.start, one->start, cells);
    memcpy(query.target, one->target, cells);
    struct answer *answer = one->answer;
    answer->found =
        judge->problem->has_path
            ? fewest_path(judge->table, &query, answer->moves, &answer->steps, &answer->error)
            : fewest_steps(judge->table, &query, &answer->steps, &answer->error);
    atomic_store_explicit(&answer->done, true, memory_order_release);
}

static void answer_some(void *context, uint64_t begin, uint64_t end)
{
    const struct judge *judge = context;
    for (uint64_t i = begin; i < end; i++) {
        answer_case(judge, &judge->cases[i]);
    }
}

static void complain_case(struct judge *judge, const struct judged_case *one)
{
    const struct fewest_error *error = &one->answer->error;
    if (error->status == FEWEST_BAD_INPUT || error->status == FEWEST_BEYOND) {
        judge->input->line = one->line;
        judge->status =
            complain_input(judge->input, "case %" PRIu64 ": %s", one->number, error->text);
    } else {
        judge->status = complain_error(error);
    }
}

// Prints answers in order, up to the first case that is not done or that can't be answered.
static void print_answers(struct judge *judge)
{
    hide_search();
    for (; judge->printed < judge->count && judge->status == STATUS_ANSWERED; judge->printed++) {
        const struct judged_case *one = &judge->cases[judge->printed];
        if (!atomic_load_explicit(&one->answer->done, memory_order_acquire)) {
            break;
        }
        if (one->answer->found) {
            judge->problem->print(judge, one);
        } else {
            complain_case(judge, one);
        }
    }
}

// Watches a query, in the thread that answers it: no answer to an earlier case waits for it.
static bool watch_case(void *context, int bound)
{
    struct judge *judge = context;
    if (pthread_mutex_trylock(&judge->lock) == 0) {
        if (is_due(&judge->flush)) {
            print_answers(judge);
            (void)fflush(stdout); // the next reading of input notices a failure
        }
        pthread_mutex_unlock(&judge->lock);
    }
    return watch_search(NULL, bound);
}

// Answers the cases that were read, up to the first that can't be answered.
static void answer_cases(struct judge *judge)
{
    enum { GRAIN = 16 };
    if (judge->threads == 1) {
        answer_some(judge, 0, judge->count);
    } else {
        parallel_for(judge->threads, judge->count, fewest_is_searched(judge->table) ? 1 : GRAIN,
                     answer_some, judge);
    }
    print_answers(judge);
    judge->count = 0;
    judge->printed = 0;
}

// Before the input is read, which may take long.
static bool answer_before_reading(void *context)
{
    struct judge *judge = context;
    answer_cases(judge);
    return judge->status == STATUS_ANSWERED && !was_interrupted();
}

// ---- Shared by the front ends -------------------------------------------------------------------

// Ends the run with a message about the input, after the answers to earlier cases. Returns false.
__attribute__((format(printf, 2, 3))) static bool refuse(struct judge *judge, const char *format,
                                                         ...)
{
    char text[FEWEST_ERROR_SIZE];
    unsigned long line = judge->input->line;
    va_list arguments;
    answer_cases(judge);
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (judge->status == STATUS_ANSWERED) {
        judge->input->line = line;
        judge->status = complain_input(judge->input, "%s", text);
    }
    return false;
}

static bool refuse_case(struct judge *judge, const struct fewest_error *error)
{
    return refuse(judge, "case %" PRIu64 ": %s", judge->number, error->text);
}

// Reports that the input can't be read. Returns false.
static bool refuse_input(struct judge *judge)
{
    if (judge->status == STATUS_ANSWERED) {
        judge->status = complain_failed(judge->input);
    }
    return false;
}

static bool is_whole(struct judge *judge, const struct input_text *token)
{
    return !token->cut || refuse(judge, "case %" PRIu64 ": this word is longer than %d bytes",
                                 judge->number, INPUT_LINE_LONGEST);
}

// Reads the next token of a case. It is an error if the input ends here.
static bool next_token(struct judge *judge, const char *what, struct input_text *token)
{
    if (input_token(judge->input, token)) {
        return is_whole(judge, token);
    }
    if (judge->input->failed) {
        return refuse_input(judge);
    }
    judge->input->line = judge->input->lines + 1;
    return refuse(judge, "case %" PRIu64 ": the input ends where %s is expected", judge->number,
                  what);
}

enum { SHOWN_LONGEST = 40 }; // of a token, escaped

static char *show_token(struct input_text token, char shown[SHOWN_LONGEST])
{
    return escape_text(shown, SHOWN_LONGEST, token.text, token.length);
}

// Reads a state from tokens of `width` cells each, one by one. `token` is the first of them.
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
            return refuse(judge, "case %" PRIu64 ": %s: expected a word of %u cells, got '%s'",
                          judge->number, what, width, show_token(token, shown));
        }
        const char *cell = width > 1 ? token.text + i % width : token.text;
        if (!fewest_read_cell(judge->table, i, cell, width > 1 ? 1 : token.length, what, wild,
                              &state[i], &error)) {
            return refuse_case(judge, &error);
        }
    }
    return fewest_check_state(judge->table, what, wild, state, &error) ||
           refuse_case(judge, &error);
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
    if (!input_token(judge->input, &token)) {
        return judge->input->failed && refuse_input(judge);
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
    char shown[SHOWN_LONGEST];
    if (!input_token(judge->input, &token)) {
        judge->input->line = judge->input->lines + 1;
        return judge->input->failed
                   ? refuse_input(judge)
                   : refuse(judge, "the input ends where the number of cases is expected");
    }
    return is_number(token, count) ||
           refuse(judge, "expected the number of cases, got '%s'", show_token(token, shown));
}

// Reads a number of a case.
static bool read_number(struct judge *judge, const char *what, uint64_t *number)
{
    struct input_text token;
    char shown[SHOWN_LONGEST];
    return next_token(judge, what, &token) &&
           (is_number(token, number) || refuse(judge, "case %" PRIu64 ": expected %s, got '%s'",
                                               judge->number, what, show_token(token, shown)));
}

static void print_sequence(const struct judge *judge, const struct judged_case *one)
{
    print_names(judge->table, one->answer->moves, one->answer->steps, false, stdout);
}

// The least number of moves.
static void print_least(const struct judged_case *one)
{
    printf("%d\n", one->answer->steps);
}

// The least number of moves, or -1 if it is above `most`.
static void print_least_or_minus(const struct judged_case *one, int most)
{
    if (one->answer->steps == FEWEST_UNREACHABLE || one->answer->steps > most) {
        puts("-1");
    } else {
        print_least(one);
    }
}

static void print_any_least(const struct judge *judge, const struct judged_case *one)
{
    (void)judge;
    print_least_or_minus(one, INT_MAX);
}

// The number of the case, after a word.
static void print_case(const char *word, const struct judged_case *one)
{
    printf("%s%" PRIu64 ": ", word, one->number);
}

// ---- The problems -------------------------------------------------------------------------------

static bool read_uestc485(struct judge *judge, struct judged_case *one)
{
    return read_board_state(judge, 1, "the start", false, one->start) &&
           read_board_state(judge, 1, "the target", true, one->target);
}

static void print_uestc485(const struct judge *judge, const struct judged_case *one)
{
    (void)judge;
    print_case("Case #", one);
    if (one->answer->steps == FEWEST_UNREACHABLE) {
        puts("No Solution!");
    } else {
        print_least(one);
    }
}

// The problem gives the cells clockwise: those of the bottom row from right to left.
static void reverse_bottom_row(uint8_t *board)
{
    memcpy(board + 4, (const uint8_t[]){board[7], board[6], board[5], board[4]}, 4);
}

// Two words of eight digits.
static bool read_hdu1430(struct judge *judge, struct judged_case *one)
{
    bool read = read_first_board(judge, 8, "the start", one->start) &&
                read_board_state(judge, 8, "the target", false, one->target);
    reverse_bottom_row(one->start);
    reverse_bottom_row(one->target);
    return read;
}

// Two dice of six numbers.
static bool read_hdu5012(struct judge *judge, struct judged_case *one)
{
    return read_first_board(judge, 1, "the first die", one->start) &&
           read_board_state(judge, 1, "the second die", false, one->target);
}

// A board of four words of four letters or signs.
static bool read_square(struct judge *judge, struct judged_case *one)
{
    return read_first_board(judge, 4, "the board", one->start);
}

static void print_poj1753(const struct judge *judge, const struct judged_case *one)
{
    (void)judge;
    if (one->answer->steps == FEWEST_UNREACHABLE) {
        puts("Impossible");
    } else {
        print_least(one);
    }
}

// The row and the column of each move. The names of the moves are 11 … 44.
static void print_poj2965(const struct judge *judge, const struct judged_case *one)
{
    print_least(one);
    for (int i = 0; i < one->answer->steps; i++) {
        const char *name = fewest_move_name(judge->table, one->answer->moves[i]);
        printf("%c %c\n", name[0], name[1]);
    }
}

// A board of one token for each cell.
static bool read_poj1077(struct judge *judge, struct judged_case *one)
{
    return read_board_state(judge, 1, "the board", false, one->start);
}

static bool read_board(struct judge *judge, struct judged_case *one)
{
    return read_first_board(judge, 1, "the board", one->start);
}

static void print_eight(const struct judge *judge, const struct judged_case *one)
{
    if (one->answer->steps == FEWEST_UNREACHABLE) {
        puts("unsolvable");
    } else {
        print_sequence(judge, one);
    }
}

// Two words of nine cells.
static bool read_hdu3567(struct judge *judge, struct judged_case *one)
{
    return read_board_state(judge, 9, "the start", false, one->start) &&
           read_board_state(judge, 9, "the target", false, one->target);
}

static void print_hdu3567(const struct judge *judge, const struct judged_case *one)
{
    print_case("Case ", one);
    if (one->answer->steps == FEWEST_UNREACHABLE) {
        puts("unreachable");
    } else {
        print_least(one);
        print_sequence(judge, one);
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
        return refuse(judge,
                      "case %" PRIu64 ": expected a column and a row from 1 to %u, or `0 0`, got "
                      "%" PRIu64 " %" PRIu64,
                      judge->number, side, *column, *row);
    }
    return true;
}

// Fills in the start with this blank: all other tops are white.
static bool read_start(struct judge *judge, unsigned blank, uint8_t *start)
{
    struct fewest_error error;
    char text[] = "WWWWWWWWW";
    text[blank] = 'E';
    return fewest_read_state(judge->table, text, sizeof text - 1, "the start", false, start,
                             &error) ||
           refuse_case(judge, &error);
}

// The blank's column and row, and a target of nine letters.
static bool read_uva1604(struct judge *judge, struct judged_case *one)
{
    enum { SIDE = 3 };
    struct input_text token;
    uint64_t column = 0;
    uint64_t row = 0;
    if (!read_blank(judge, SIDE, &column, &row) || column == 0 ||
        !read_start(judge, (unsigned)((row - 1) * SIDE + column - 1), one->start)) {
        return false;
    }
    return next_token(judge, "the target", &token) &&
           read_state_tokens(judge, token, token.length == SIDE ? SIDE : 1, "the target", false,
                             one->target);
}

// The least number of rolls, or -1 if it is above 30, the limit of the problem.
static void print_uva1604(const struct judge *judge, const struct judged_case *one)
{
    enum { MOST = 30 };
    (void)judge;
    print_least_or_minus(one, MOST);
}

// A path in capitals, or a sentence.
static void print_fifteen(const struct judge *judge, const struct judged_case *one)
{
    if (one->answer->steps == FEWEST_UNREACHABLE) {
        puts("This puzzle is not solvable.");
        return;
    }
    for (int i = 0; i < one->answer->steps; i++) {
        putchar(fewest_move_name(judge->table, one->answer->moves[i])[0] - 'a' + 'A');
    }
    putchar('\n');
}

static const char SQUARES[] = "11 12 13 14 21 22 23 24 31 32 33 34 41 42 43 44 ";

static const struct problem PROBLEMS[] = {
    {"aizu0121",
     NULL,
     "seven",
     {"d l r u ", "76543210", 28},
     "seven puzzle: boards until the input ends; prints the number of moves",
     CASES_TO_THE_END,
     false,
     false,
     read_board,
     print_any_least},
    {"fifteen",
     NULL,
     "fifteen",
     {"d l r u ", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15", 1},
     "fifteen puzzle: boards until the input ends, perhaps after T; prints a path",
     CASES_PERHAPS_COUNTED,
     false,
     true,
     read_board,
     print_fifteen},
    {"hdu1043",
     NULL,
     "eight",
     {"d l r u ", "647850321", 31},
     "eight puzzle: boards until the input ends; prints a path",
     CASES_TO_THE_END,
     false,
     true,
     read_board,
     print_eight},
    {"hdu1430",
     NULL,
     "magic",
     {"A B C ", "12348765 82751364", 2},
     "magic board: pairs of start and target until the input ends; prints a path",
     CASES_TO_THE_END,
     true,
     true,
     read_hdu1430,
     print_sequence},
    {"hdu3567",
     NULL,
     "eight",
     {"d l r u ", "647850321", 31},
     "eight puzzle: T, then T pairs of start and target; prints the number of moves and a path",
     CASES_COUNTED,
     true,
     true,
     read_hdu3567,
     print_hdu3567},
    {"hdu5012",
     NULL,
     "dice",
     {"b f l r ", "123456 125643", 3},
     "pairs of dice until the input ends; prints the number of moves",
     CASES_TO_THE_END,
     true,
     false,
     read_hdu5012,
     print_any_least},
    {"poj1077",
     NULL,
     "eight",
     {"d l r u ", "647850321", 31},
     "eight puzzle: one board; prints a path",
     CASES_ONE,
     false,
     true,
     read_poj1077,
     print_eight},
    {"poj1753",
     NULL,
     "flip",
     {SQUARES, "bwwbbbwbbwwbbwww", 4},
     "flip game: boards of b and w until the input ends; prints the number of moves",
     CASES_TO_THE_END,
     false,
     false,
     read_square,
     print_poj1753},
    {"poj2965",
     NULL,
     "fridge",
     {SQUARES, "-+-----------+--", 6},
     "fridge: boards of + and - until the input ends; prints a path",
     CASES_TO_THE_END,
     false,
     true,
     read_square,
     print_poj2965},
    {"uestc485",
     "cdoj485",
     "game",
     {"C1 C1' C2 C2' C3 C3' R1 R1' R2 R2' R3 R3' ", "123456789 8*95372**", 7},
     "the Game: T, then T pairs of start and target with wildcards; prints the number of moves",
     CASES_COUNTED,
     true,
     false,
     read_uestc485,
     print_uestc485},
    {"uva1604",
     NULL,
     "cubic",
     {"d l r u ", "WWWWWWWWE WBWBRERBR", 13},
     "rolling cubes: pairs of blank cell and target until 0 0; prints the number of moves",
     CASES_TO_THE_END,
     true,
     false,
     read_uva1604,
     print_uva1604},
};

enum { PROBLEM_COUNT = sizeof PROBLEMS / sizeof *PROBLEMS };

// ---- The command --------------------------------------------------------------------------------

static const struct problem *find_problem(const char *name)
{
    for (int i = 0; i < PROBLEM_COUNT; i++) {
        if (strcasecmp(name, PROBLEMS[i].name) == 0 ||
            (PROBLEMS[i].alias && strcasecmp(name, PROBLEMS[i].alias) == 0)) {
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
    bool same = fewest_cell_count(table) <= CELLS && has_moves(table, identity->moves) &&
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

// Reads cases and answers them.
static void run_problem(struct judge *judge)
{
    const struct problem *problem = judge->problem;
    uint64_t count = problem->cases == CASES_ONE ? 1 : UINT64_MAX;
    input_skip_mark(judge->input);
    bool counted = problem->cases == CASES_COUNTED || (problem->cases == CASES_PERHAPS_COUNTED &&
                                                       input_first_words(judge->input) == 1);
    if (counted && !read_count(judge, &count)) {
        return;
    }
    for (judge->number = 1; judge->number <= count; judge->number++) {
        // Reading may answer the cases so far, so this one is read elsewhere.
        struct judged_case one = {.number = judge->number};
        if (!problem->read(judge, &one) || judge->status != STATUS_ANSWERED) {
            break;
        }
        one.line = judge->input->line;
        one.answer = &judge->answers[judge->count];
        atomic_store_explicit(&one.answer->done, false, memory_order_relaxed);
        judge->cases[judge->count++] = one;
        if (judge->count == judge->room) {
            answer_cases(judge);
        }
        if (judge->status != STATUS_ANSWERED) {
            break;
        }
    }
    answer_cases(judge);
    if (counted && judge->number <= count && judge->status == STATUS_ANSWERED) {
        judge->input->line = judge->input->lines + 1;
        refuse(judge, "the input ends after %" PRIu64 " of %" PRIu64 " cases", judge->number - 1,
               count);
    }
}

static enum exit_status answer_problem(const struct problem *problem, struct fewest *table,
                                       struct input *input, unsigned threads)
{
    struct judge judge = {.problem = problem,
                          .table = table,
                          .input = input,
                          .threads = threads,
                          .lock = PTHREAD_MUTEX_INITIALIZER,
                          .status = check_identity(table, problem)};
    if (judge.status != STATUS_ANSWERED) {
        return judge.status;
    }
    judge.room = fewest_is_searched(table) ? SEARCHES_A_THREAD : CASES_A_THREAD;
    judge.room = threads > 1 ? threads * judge.room : 1;
    judge.cases = malloc(judge.room * sizeof *judge.cases);
    judge.answers = malloc(judge.room * sizeof *judge.answers);
    if (judge.cases && judge.answers) {
        input->before_reading = answer_before_reading;
        input->context = &judge;
        fewest_watch(table, watch_case, &judge);
        run_problem(&judge);
        fewest_watch(table, watch_search, NULL);
        input->before_reading = NULL;
        input->context = NULL;
    } else {
        command_complain(PROGRAM, "not enough memory for the cases");
        judge.status = STATUS_SYSTEM;
    }
    free(judge.cases);
    free(judge.answers);
    return judge.status;
}

enum exit_status judge_answer(const char *problem, struct fewest *table, struct input *input)
{
    const struct problem *found = find_problem(problem);
    return found ? answer_problem(found, table, input, 1)
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
        enlarge_output_buffer();
        status = answer_problem(problem, table, &input, request->threads);
        input_close(&input);
    } else {
        complain_system(path);
    }
    fewest_close(table);
    return status;
}
