// The judge front ends. Each reads and writes exactly the format of one online-judge problem.
//
// Malformed input ends the run, after the answers to earlier cases, with a message that names its
// line.
#include "judge.h"
#include "lines.h"
#include "query/command/print/print.h"
#include "query/command/request/messages.h"
#include "query/command/request/operands.h"
#include "query/command/request/watch.h"
#include "tables/base/ascii.h"
#include "tables/base/spelling.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

enum {
    CELLS = 16,         // the most of any of these puzzles
    CASES_MOST = 512,   // in a piece
    SHOWN_LONGEST = 40, // of a word, escaped
    CELL_LONGEST = 48,  // of a cell, or of a word of cells
};

// Identifies a puzzle besides its name: a table of another puzzle under this name would answer
// another problem. No other puzzle with these moves is likely to give the answer to the query.
struct identity {
    const char *puzzle;
    const char *moves; // their names, each with a space after it
    const char *query;
    int steps;
};

enum cases {
    CASES_COUNTED,         // the input begins with their number
    CASES_PERHAPS_COUNTED, // if the first line has one number, it is that
    CASES_TO_THE_END,
    CASES_TO_ZEROS, // `0 0` instead of a case ends the input
    CASES_ONE,
};

enum {
    PRINT_STEPS = 1,    // the least number of moves
    PRINT_PATH = 2,     // then the names of the moves in a line
    PRINT_CAPITALS = 4, // likewise, in capitals
    PRINT_CELLS = 8,    // or each move in a line: its row and column. Its name is 11 ... 44.
};

struct judge;
struct judged_case;

struct problem {
    const char *name;
    const char *alias; // or NULL
    const struct identity *identity;
    const char *summary;
    // Reads a case. False at the end of the input, and if the case is refused.
    bool (*read)(struct judge *judge, struct judged_case *one);
    enum cases cases;
    unsigned width;         // cells of a word
    const char *boards[2];  // start and target: their names, or NULL if the input does not have it
    const char *given;      // the text of that one. Without it, the table's goals are the targets.
    const char *label;      // printed before the number of the case, or NULL
    const char *impossible; // printed instead if the target is out of reach, or farther than `most`
    unsigned prints;        // PRINT_...
    int most;               // 0: any number of moves
    bool spaced;            // each cell may be a word
    bool wild;              // may the target have wildcards?
};

struct judged_case {
    uint64_t number;    // from 1; 0: the refusal is not of a case
    unsigned long line; // of its last word
    bool refused;
    uint8_t start[CELLS];
    uint8_t target[CELLS];
};

struct judge {
    const struct problem *problem;
    struct fewest *table;
    struct input *input;
    struct lines *lines;
    bool begun;
    bool counted;
    bool at_case;    // the next word is the first of a case
    uint64_t number; // of the current case, from 1
    uint64_t count;  // of the cases to read
    struct fewest_error refusal;
};

// ---- Reading ------------------------------------------------------------------------------------

// Refuses the current case: sets judge->refusal, and adds a case that is reported instead of
// answered. Returns false, which ends the reading.
__attribute__((format(printf, 2, 3))) static bool refuse(struct judge *judge, const char *format,
                                                         ...)
{
    struct judged_case one = {.number = judge->number, .line = judge->input->line, .refused = true};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(judge->refusal.text, sizeof judge->refusal.text, format, arguments);
    va_end(arguments);
    judge->refusal.status = FEWEST_BAD_INPUT;
    lines_add(judge->lines, &one, sizeof one, 1);
    return false;
}

// Refuses an input that ends where a word is expected; `what` names the word in the message.
// Accepts an end between cases where the problem allows it. If the input has promised more cases,
// even that end is refused, but not as a case (number 0). Returns false in any case.
static bool refuse_end(struct judge *judge, const char *what)
{
    enum cases cases = judge->problem->cases;
    bool may_end = cases == CASES_TO_THE_END || cases == CASES_PERHAPS_COUNTED;
    judge->input->line = judge->input->lines + 1;
    if (!may_end || !judge->at_case) {
        return refuse(judge, "the input ends where %s is expected", what);
    }
    uint64_t read = judge->number - 1; // cases before this one, which has not begun
    judge->number = 0;
    return judge->counted && refuse(judge, "the input ends after %" PRIu64 " of %" PRIu64 " cases",
                                    read, judge->count);
}

// Reads the next word; `what` names it in messages. Returns false after a refusal, at the end of
// the input (refuse_end), and if reading failed. A word before the first case may be too long: its
// text is then empty, and the caller refuses it.
static bool read_word(struct judge *judge, const char *what, struct input_text *word)
{
    if (!input_token(judge->input, word)) {
        return !judge->input->failed && refuse_end(judge, what);
    }
    judge->at_case = false;
    if (word->cut && judge->number > 0) {
        return refuse(judge, "this word is longer than %d bytes", INPUT_LINE_LONGEST);
    }
    return true;
}

// Writes a word for a message, escaped and perhaps shortened. Returns `shown`.
static char *show_word(struct input_text word, char shown[SHOWN_LONGEST])
{
    return escape_text(shown, SHOWN_LONGEST, word.text, word.length);
}

// Reads a decimal number; `what` names it in messages. Returns false as read_word does.
static bool read_number(struct judge *judge, const char *what, uint64_t *number)
{
    struct input_text word;
    char shown[SHOWN_LONGEST];
    if (!read_word(judge, what, &word)) {
        return false;
    }
    if (word.length == 0 || ascii_read_number(word.text, word.length, number) != word.length) {
        return refuse(judge, "expected %s, got '%s'", what, show_word(word, shown));
    }
    return true;
}

// The text of a board, which has a space after each cell.
struct typed_board {
    char bytes[CELLS * (CELL_LONGEST + 1)];
    size_t length;
};

// Can this be the text of one cell, or of several without separators between them?
static bool may_be_cells(struct input_text word)
{
    if (word.length > CELL_LONGEST) {
        return false;
    }
    for (size_t i = 0; i < word.length; i++) {
        if (ascii_is_separator(word.text[i]) || ascii_is_bracket(word.text[i]) ||
            word.text[i] == '#') {
            return false;
        }
    }
    return true;
}

// Adds a word to the text of a board, with a space after each cell: the word is one cell or, if
// `split`, a cell for each character. A board has at most CELLS words, of at most CELL_LONGEST
// bytes.
static void add_word(struct typed_board *board, struct input_text word, bool split)
{
    for (size_t i = 0; i < word.length; i++) {
        board->bytes[board->length++] = word.text[i];
        if (split || i + 1 == word.length) {
            board->bytes[board->length++] = ' ';
        }
    }
}

// Reads a board of the problem: a state or, if `wild`, a target. `what` names it in messages. Each
// word has problem->width cells, or one cell if the problem is `spaced` and the first word has one
// character. Returns false as read_word does.
static bool read_board(struct judge *judge, const char *what, bool wild, uint8_t *state)
{
    struct fewest_error error;
    struct input_text word;
    struct typed_board board = {.length = 0};
    char shown[SHOWN_LONGEST];
    unsigned width = judge->problem->width;
    unsigned cells = fewest_info(judge->table)->cell_count;
    for (unsigned i = 0; i < cells; i += width) {
        if (!read_word(judge, what, &word)) {
            return false;
        }
        if (i == 0 && judge->problem->spaced && word.length == 1) {
            width = 1;
        }
        if (width > 1 && word.length != width) {
            return refuse(judge, "%s: expected a word of %u cells, got '%s'", what, width,
                          show_word(word, shown));
        }
        while (width == 1 && word.length > 1 && *word.text == '0') {
            word.text++; // any number of zeros may begin a number
            word.length--;
        }
        if (!may_be_cells(word)) {
            return refuse(judge, "%s: expected a cell, got '%s'", what, show_word(word, shown));
        }
        add_word(&board, word, width > 1);
    }
    bool is_read =
        wild ? fewest_read_target(judge->table, what, board.bytes, board.length, state, &error)
             : fewest_read_state(judge->table, what, board.bytes, board.length, state, &error);
    return is_read || refuse(judge, "%s", error.text);
}

// Reads a case of one board or of two. If the problem gives one of them, it is the same in each
// case. If nothing gives the target, it is the nearest goal. Returns false as read_word does.
static bool read_boards(struct judge *judge, struct judged_case *one)
{
    const struct problem *problem = judge->problem;
    const char *start = problem->boards[0];
    const char *target = problem->boards[1];
    const char *given = problem->given;
    struct fewest_error error;
    one->target[0] = FEWEST_GOALS;
    if (given && !fewest_read_state(judge->table, "the problem's own board", given, strlen(given),
                                    start ? one->target : one->start, &error)) {
        return refuse(judge, "%s", error.text);
    }
    return (!start || read_board(judge, start, false, one->start)) &&
           (!target || read_board(judge, target, problem->wild, one->target));
}

// Reads a case of the magic board, whose cells come clockwise: those of the bottom row from right
// to left. So it turns the bottom rows round.
static bool read_magic(struct judge *judge, struct judged_case *one)
{
    enum { COLUMNS = 4 };
    bool read = read_boards(judge, one);
    for (unsigned i = 0; i < 2; i++) {
        uint8_t *bottom = (i == 0 ? one->start : one->target) + COLUMNS;
        memcpy(bottom, (const uint8_t[]){bottom[3], bottom[2], bottom[1], bottom[0]}, COLUMNS);
    }
    return read;
}

// Reads a case of rolling cubes: the column and the row of the blank, and then a target. All other
// tops of the start are white. Returns false at `0 0`, which ends the input, and as read_word does.
static bool read_cubic(struct judge *judge, struct judged_case *one)
{
    enum { SIDE = 3 };
    struct fewest_error error;
    uint64_t column = 0;
    uint64_t row = 0;
    char start[] = "WWWWWWWWW";
    if (!read_number(judge, "the column of the blank (0 0 ends the input)", &column) ||
        !read_number(judge, "the row of the blank", &row) || (column == 0 && row == 0)) {
        return false;
    }
    if (column < 1 || column > SIDE || row < 1 || row > SIDE) {
        return refuse(
            judge, "expected a column and a row from 1 to %d, or `0 0`, got %" PRIu64 " %" PRIu64,
            SIDE, column, row);
    }
    start[(row - 1) * SIDE + column - 1] = 'E';
    if (!fewest_read_state(judge->table, "the start", start, sizeof start - 1, one->start,
                           &error)) {
        return refuse(judge, "%s", error.text);
    }
    return read_board(judge, "the target", false, one->target);
}

// Finds out how many cases there are, and reads their number if the input begins with it. Returns
// false as read_word does.
static bool begin_cases(struct judge *judge)
{
    enum cases cases = judge->problem->cases;
    judge->begun = true;
    judge->count = cases == CASES_ONE ? 1 : UINT64_MAX;
    input_skip_mark(judge->input);
    judge->counted = cases == CASES_COUNTED ||
                     (cases == CASES_PERHAPS_COUNTED && input_first_words(judge->input) == 1);
    return !judge->counted || read_number(judge, "the number of cases", &judge->count);
}

// The job's `read`: reads a case, and adds it to the piece. A refused case was added by refuse.
// Returns false at the end of the cases or of the input, and after a refusal or a failure.
static bool read_case(void *context, struct lines *lines)
{
    struct judge *judge = context;
    judge->lines = lines;
    if ((!judge->begun && !begin_cases(judge)) || judge->number == judge->count) {
        return false;
    }
    struct judged_case one = {.number = ++judge->number};
    judge->at_case = true;
    if (!judge->problem->read(judge, &one)) {
        return false;
    }
    one.line = judge->input->line;
    return lines_add(lines, &one, sizeof one, 1);
}

// ---- Answering ----------------------------------------------------------------------------------

// Prints the moves of a path in the form that the problem wants: names in a line, capitals in a
// line, or a line with row and column for each move.
static void print_moves_of_case(const struct judge *judge, const struct fewest_path *path,
                                FILE *out)
{
    bool cells = judge->problem->prints & PRINT_CELLS;
    if (judge->problem->prints & PRINT_PATH) {
        print_names(judge->table, path->moves, path->steps, false, out);
        return;
    }
    for (int i = 0; i < path->steps; i++) {
        const char *name = fewest_move_name(judge->table, path->moves[i]);
        const char capital[] = {(char)(*name - 'a' + 'A'), '\0'};
        const char cell[] = {name[0], ' ', name[1], '\n', '\0'};
        print_text(cells ? cell : capital, out);
    }
    if (!cells) {
        print_text("\n", out);
    }
}

// Prints the answer to a case. `steps` may be FEWEST_UNREACHABLE. `path` is NULL if only the number
// of moves is printed.
static void print_case(const struct judge *judge, const struct judged_case *one, int steps,
                       const struct fewest_path *path, FILE *out)
{
    const struct problem *problem = judge->problem;
    if (problem->label) {
        print_text(problem->label, out);
        print_number(one->number, out);
        print_text(": ", out);
    }
    if (steps == FEWEST_UNREACHABLE || (problem->most > 0 && steps > problem->most)) {
        print_text(problem->impossible, out);
        print_text("\n", out);
        return;
    }
    if (problem->prints & PRINT_STEPS) {
        print_distances(&steps, 1, out);
    }
    if (path) {
        print_moves_of_case(judge, path, out);
    }
}

// The job's `print`: prints the answers to the cases begin … end-1 of the queue.
static void print_queue(struct pass *pass, unsigned begin, unsigned end)
{
    const struct judged_case *cases = (const void *)pass->bytes;
    for (unsigned i = begin; i < end; i++) {
        print_case(pass->job->context, &cases[pass->place[i] - 1], pass->steps[i], NULL, pass->out);
    }
}

// The job's `answer`: answers the next case of a piece. If only the number of moves is wanted, the
// query joins the queue. Returns false with an error, also for a refused case.
static bool answer_case(struct pass *pass, struct fewest_error *error)
{
    const struct judge *judge = pass->job->context;
    const struct judged_case *one = (const void *)pass->next;
    unsigned cells = fewest_info(judge->table)->cell_count;
    uint8_t *start = lines_start(pass);
    uint8_t *target = lines_target(pass);
    pass->next += sizeof *one;
    if (one->refused) {
        *error = judge->refusal;
        return false;
    }
    memcpy(start, one->start, cells);
    memcpy(target, one->target, cells);
    if (judge->problem->prints == PRINT_STEPS) { // faster for many at once
        pass->queued++;
        return true;
    }
    struct fewest_path path;
    bool found = fewest_path(judge->table, start, target, &path, error);
    hide_search();
    if (found) {
        print_case(judge, one, path.steps, &path, pass->out);
    }
    return found;
}

// The job's `report`: prints the message about a case without an answer, with its line in the input
// if the input is the cause. Returns the exit status.
static enum exit_status report_case(const struct pass *pass, uint64_t place,
                                    const struct fewest_error *error)
{
    const struct judge *judge = pass->job->context;
    const struct judged_case *one =
        (const struct judged_case *)(const void *)pass->bytes + place - 1;
    if (error->status != FEWEST_BAD_INPUT && error->status != FEWEST_BEYOND) {
        return complain_error(error);
    }
    return one->number == 0 ? complain_input(judge->input->name, one->line, "%s", error->text)
                            : complain_input(judge->input->name, one->line, "case %" PRIu64 ": %s",
                                             one->number, error->text);
}

// ---- The problems -------------------------------------------------------------------------------

static const char SQUARES[] = "11 12 13 14 21 22 23 24 31 32 33 34 41 42 43 44 ";
static const char ARROWS[] = "d l r u ";

static const struct identity CUBIC = {"cubic", ARROWS, "WWWWWWWWE WBWBRERBR", 13};
static const struct identity DICE = {"dice", "b f l r ", "123456 125643", 3};
static const struct identity EIGHT = {"eight", ARROWS, "647850321", 31};
static const struct identity FIFTEEN = {"fifteen", ARROWS, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15",
                                        1};
static const struct identity FLIP = {"flip", SQUARES, "bwwbbbwbbwwbbwww", 4};
static const struct identity FRIDGE = {"fridge", SQUARES, "-+-----------+--", 6};
static const struct identity GAME = {"game", "C1 C1' C2 C2' C3 C3' R1 R1' R2 R2' R3 R3' ",
                                     "123456789 8*95372**", 7};
static const struct identity MAGIC = {"magic", "A B C ", "12348765 82751364", 2};
static const struct identity SEVEN = {"seven", ARROWS, "76543210", 28};

static const struct problem PROBLEMS[] = {
    {.name = "aizu0121",
     .identity = &SEVEN,
     .summary = "seven puzzle: boards until the input ends; prints the number of moves",
     .cases = CASES_TO_THE_END,
     .read = read_boards,
     .width = 1,
     .boards = {"the board"},
     .prints = PRINT_STEPS,
     .impossible = "-1"},
    {.name = "fifteen",
     .identity = &FIFTEEN,
     .summary = "fifteen puzzle: boards until the input ends, perhaps after T; prints a path",
     .cases = CASES_PERHAPS_COUNTED,
     .read = read_boards,
     .width = 1,
     .boards = {"the board"},
     .prints = PRINT_CAPITALS,
     .impossible = "This puzzle is not solvable."},
    {.name = "hdu1043",
     .identity = &EIGHT,
     .summary = "eight puzzle: boards until the input ends; prints a path",
     .cases = CASES_TO_THE_END,
     .read = read_boards,
     .width = 1,
     .boards = {"the board"},
     .prints = PRINT_PATH,
     .impossible = "unsolvable"},
    {.name = "hdu1430",
     .identity = &MAGIC,
     .summary = "magic board: pairs of start and target until the input ends; prints a path",
     .cases = CASES_TO_THE_END,
     .read = read_magic,
     .width = 8,
     .boards = {"the start", "the target"},
     .prints = PRINT_PATH,
     .impossible = ""},
    {.name = "hdu3567",
     .identity = &EIGHT,
     .summary =
         "eight puzzle: T, then T pairs of start and target; prints the number of moves and a path",
     .cases = CASES_COUNTED,
     .read = read_boards,
     .width = 9,
     .boards = {"the start", "the target"},
     .label = "Case ",
     .prints = PRINT_STEPS | PRINT_PATH,
     .impossible = "unreachable"},
    {.name = "hdu5012",
     .identity = &DICE,
     .summary = "pairs of dice until the input ends; prints the number of moves",
     .cases = CASES_TO_THE_END,
     .read = read_boards,
     .width = 1,
     .boards = {"the first die", "the second die"},
     .prints = PRINT_STEPS,
     .impossible = "-1"},
    {.name = "luogu1379",
     .identity = &EIGHT,
     .summary = "eight puzzle: one board, to 1 2 3 / 8 0 4 / 7 6 5; prints the number of moves",
     .cases = CASES_ONE,
     .read = read_boards,
     .width = 9,
     .spaced = true,
     .boards = {"the board"},
     .given = "123804765",
     .prints = PRINT_STEPS,
     .impossible = "-1"},
    {.name = "msquare", // a line may have 60 letters; no path has more than 22
     .alias = "luogu2730",
     .identity = &MAGIC,
     .summary = "magic squares: one target; prints the number of moves and a path",
     .cases = CASES_ONE,
     .read = read_magic,
     .width = 8,
     .spaced = true,
     .boards = {NULL, "the target"},
     .given = "12345678",
     .prints = PRINT_STEPS | PRINT_PATH,
     .impossible = ""},
    {.name = "poj1077",
     .identity = &EIGHT,
     .summary = "eight puzzle: one board; prints a path",
     .cases = CASES_ONE,
     .read = read_boards,
     .width = 1,
     .boards = {"the board"},
     .prints = PRINT_PATH,
     .impossible = "unsolvable"},
    {.name = "poj1753",
     .identity = &FLIP,
     .summary = "flip game: boards of b and w until the input ends; prints the number of moves",
     .cases = CASES_TO_THE_END,
     .read = read_boards,
     .width = 4,
     .boards = {"the board"},
     .prints = PRINT_STEPS,
     .impossible = "Impossible"},
    {.name = "poj2965",
     .identity = &FRIDGE,
     .summary = "fridge: boards of + and - until the input ends; prints a path",
     .cases = CASES_TO_THE_END,
     .read = read_boards,
     .width = 4,
     .boards = {"the board"},
     .prints = PRINT_STEPS | PRINT_CELLS,
     .impossible = "-1"},
    {.name = "uestc485",
     .alias = "cdoj485",
     .identity = &GAME,
     .summary =
         "the Game: T, then T pairs of start and target with wildcards; prints the number of moves",
     .cases = CASES_COUNTED,
     .read = read_boards,
     .width = 1,
     .wild = true,
     .boards = {"the start", "the target"},
     .label = "Case #",
     .prints = PRINT_STEPS,
     .impossible = "No Solution!"},
    {.name = "uva1604",
     .identity = &CUBIC,
     .summary =
         "rolling cubes: pairs of blank cell and target until 0 0; prints the number of moves",
     .cases = CASES_TO_ZEROS,
     .read = read_cubic,
     .width = 3,
     .spaced = true,
     .boards = {"the start", "the target"},
     .prints = PRINT_STEPS,
     .impossible = "-1",
     .most = 30},
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

// Are these the names of the table's moves, each with a space after it?
static bool has_moves(const struct fewest *table, const char *expected)
{
    for (unsigned m = 0; m < fewest_info(table)->move_count; m++) {
        size_t length = strlen(fewest_move_name(table, m));
        if (strncmp(expected, fewest_move_name(table, m), length) != 0 || expected[length] != ' ') {
            return false;
        }
        expected += length + 1;
    }
    return *expected == '\0';
}

// Checks that a table is that of the problem's puzzle, by its moves and one query. Returns
// STATUS_ANSWERED, or another status after a message.
static enum exit_status check_identity(struct fewest *table, const struct problem *problem)
{
    const struct identity *identity = problem->identity;
    uint8_t start[CELLS];
    uint8_t target[CELLS];
    struct fewest_error error;
    int steps = FEWEST_UNREACHABLE;
    bool same =
        fewest_info(table)->cell_count <= CELLS && has_moves(table, identity->moves) &&
        fewest_read_query(table, identity->query, strlen(identity->query), start, target, &error);
    if (same && !fewest_steps(table, start, target, &steps, &error)) {
        // The user did not ask this query, so Ctrl-C ends it without a message.
        return error.status == FEWEST_STOPPED ? STATUS_SYSTEM : complain_error(&error);
    }
    if (!same || steps != identity->steps) {
        return complain(
            STATUS_TABLE,
            "problem %s needs the puzzle %s; this table of %s has other moves or another goal",
            problem->name, identity->puzzle, fewest_info(table)->name);
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

// Makes the job of a judge.
static struct line_job make_job(struct judge *judge)
{
    size_t cases = lines_take_long(judge->table) ? 1 : CASES_MOST; // of a piece
    return (struct line_job){.table = judge->table,
                             // A search can take long: then each case is a piece.
                             .full = cases * sizeof(struct judged_case),
                             .tolerated = STATUS_ANSWERED,
                             .read = read_case,
                             .answer = answer_case,
                             .print = print_queue,
                             .report = report_case,
                             .context = judge};
}

// Reports an unknown problem, and suggests one with a similar name. Returns STATUS_USAGE.
static enum exit_status complain_problem(const char *name)
{
    struct nearest_name nearest = {.typed = name};
    char hint[2 * NEAREST_NAME];
    for (int i = 0; i < PROBLEM_COUNT; i++) {
        nearest_offer(&nearest, PROBLEMS[i].name);
    }
    nearest_text(&nearest, hint);
    return complain_usage("unknown problem '%s'%s", name,
                          *hint ? hint : "; `fewest judge --list` lists the problems");
}

enum exit_status judge_answer(const struct request *request, struct fewest *table)
{
    struct input input;
    struct judge judge = {
        .problem = find_problem(request->operands[0]), .table = table, .input = &input};
    const struct line_job job = make_job(&judge);
    enum exit_status status = check_identity(table, judge.problem);
    if (status != STATUS_ANSWERED) {
        return status;
    }
    return lines_answer_file(&job, &input, request,
                             request->operand_count > 1 ? request->operands[1] : NULL);
}

enum exit_status command_judge(const struct request *request)
{
    struct fewest_error error;
    if (has_option(request, OPTION_LIST)) {
        return list_problems();
    }
    if (request->operand_count == 0) {
        return complain_usage("too few operands: expected `fewest judge PROBLEM [FILE]`; `fewest "
                              "judge --list` lists the problems");
    }
    const struct problem *problem = find_problem(request->operands[0]);
    if (!problem) {
        return complain_problem(request->operands[0]);
    }
    const char *name = request->table ? request->table : problem->identity->puzzle;
    struct fewest *table = open_table(request, name, &error);
    if (!table) {
        return complain_table(request, name, &error);
    }
    enum exit_status status = judge_answer(request, table);
    fewest_close(table);
    return status;
}
