// The command line of fewest: commands, options and their help. The other files here run the
// commands.
#include "query/command/request/command.h"
#include "query/command/request/messages.h"
#include "query/command/request/watch.h"
#include "tables/base/parallel.h"
#include "tables/base/spelling.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct command_option OPTIONS[] = {
    [OPTION_TABLES] = {"tables", 't', "DIR", "look for tables in DIR first"},
    [OPTION_TABLE] = {"table", 0, "NAME",
                      "answer from the table NAME, which must be of the same puzzle"},
    [OPTION_THREADS] = {"threads", 'j', "N", "use N threads, 1 to 64 (default 1)"},
    [OPTION_ALL_THREADS] = {"threads", 'j', "N",
                            "use N threads, 1 to 64 (default: one per processor)"},
    [OPTION_MOVES] = {"moves", 'm', "MOVES",
                      "apply MOVES to the solved state and use the result as START or STATE"},
    [OPTION_SCRAMBLES] = {"moves", 'm', NULL,
                          "read moves from each line: they lead from the solved state to START"},
    [OPTION_AS_MOVES] = {"moves", 'm', NULL,
                         "print a shortest sequence of moves that makes the state"},
    [OPTION_FROM] = {"from", 0, "STATE",
                     "with --moves: apply them to STATE, not to the solved state"},
    [OPTION_LIMIT] = {"limit", 0, "N",
                      "give up beyond N moves: `at least N+1 moves`, or `>N` in a batch"},
    [OPTION_TIME] = {"time", 0, "SECONDS",
                     "give up each search after SECONDS, and print what is proved"},
    [OPTION_CACHE] = {"cache", 0, "SIZE",
                      "use about SIZE of memory for the blocks of a large table (default 64M)"},
    [OPTION_PATH] = {"path", 0, NULL, "print shortest paths instead of their lengths"},
    [OPTION_PARITY] = {"parity", 0, NULL, "print whether START can reach TARGET, and the reason"},
    [OPTION_HOW_MANY] = {"how-many", 0, NULL, "print the number of shortest paths"},
    [OPTION_HOW_MANY_ALL] = {"how-many", 0, NULL,
                             "also count the shortest paths from each state to the nearest goal"},
    [OPTION_WITHIN] = {"within", 0, "K",
                       "print every path of up to K moves more than a shortest one"},
    [OPTION_SHOW] = {"show", 0, NULL, "draw the board after each move"},
    [OPTION_TSV] = {"tsv", 0, NULL,
                    "print a line for each distance: distance, tab, number of states"},
    [OPTION_JSON] = {"json", 0, NULL, "print the answer as a JSON object"},
    [OPTION_BARS] = {"bars", 0, NULL, "draw bars even if the output is not a terminal"},
    [OPTION_SVG] = {"svg", 0, "FILE", "write a plot of the counts to FILE (-: stdout)"},
    [OPTION_LOG] = {"log", 0, NULL, "with --svg: make the axis of the counts logarithmic"},
    [OPTION_SYMMETRY] = {"symmetry", 0, NULL,
                         "also count classes of states: under symmetries, and with inversion"},
    [OPTION_ROTATIONS] =
        {"rotations", 0, NULL,
         "count positions: states that differ only by a turn of the whole are one"},
    [OPTION_ROOT] = {"root", 0, "START",
                     "count distances from START: a state, or the cell of the blank (1, 2, ...)"},
    [OPTION_COUNT] = {"count", 'n', "N", "print N states (default 1)"},
    [OPTION_FIRST] = {"count", 'n', "N", "with --all or --within: print only the first N paths"},
    [OPTION_DISTANCE] = {"distance", 0, "N", "print only states at distance N"},
    [OPTION_SEED] = {"seed", 0, "N",
                     "seed the random choice: the same N gives the same states everywhere"},
    [OPTION_RANDOM_MOVES] = {"random-moves", 0, "N",
                             "make each state by N random moves: not shortest, not uniform"},
    [OPTION_ALL] = {"all", 0, NULL, "print every state once instead of random ones"},
    [OPTION_EACH] = {"all", 0, NULL, "print every shortest path, a line each, in byte order"},
    [OPTION_MATCHING] = {"matching", 0, "STATE",
                         "take only the states that match STATE, in which * matches anything"},
    [OPTION_DEEP] = {"deep", 0, NULL, "also prove that every distance is right"},
    [OPTION_LIST] = {"list", 0, NULL, "list the problems"},
    [OPTION_OUTPUT] = {"output", 'o', "FILE",
                       "write the page to FILE (-: stdout; default fewest.html)"},
    [OPTION_HELP] = {"help", 'h', NULL, "print this help"},
    [OPTION_VERSION] = {"version", 'V', NULL, "print the version"},
    {NULL, 0, NULL, NULL},
};

#define BIT        OPTION_BIT
#define EVERYWHERE (BIT(OPTION_TABLES) | BIT(OPTION_HELP) | BIT(OPTION_VERSION))
#define MOVES      (BIT(OPTION_MOVES) | BIT(OPTION_FROM))
#define LIMITS     (BIT(OPTION_LIMIT) | BIT(OPTION_TIME))
#define THREADS    (BIT(OPTION_THREADS) | BIT(OPTION_ALL_THREADS))

static const struct command {
    const char *name;
    const char *operands; // as the help shows them
    int least;            // number of operands
    int most;
    uint64_t options; // besides those of every command
    enum exit_status (*answer)(const struct request *request);
    const char *help;
    const char *examples; // each after a newline
} COMMANDS[] = {
    {"steps", "PUZZLE START [TARGET]", 2, 3,
     MOVES | BIT(OPTION_THREADS) | LIMITS | BIT(OPTION_CACHE) | BIT(OPTION_JSON), command_steps,
     "print the least number of moves from START to TARGET",
     "\n  fewest steps game 123456789 '8*95372**'    # 7"
     "\n  fewest steps game --moves 'R1 C2'          # 2"
     "\n  fewest steps game --moves R1 312456789     # 0: R1 makes this TARGET\n\n"
     "If no moves lead there, the answer is `unreachable` and the exit status is 1."},
    {"path", "PUZZLE START [TARGET]", 2, 3,
     MOVES | BIT(OPTION_THREADS) | LIMITS | BIT(OPTION_CACHE) | BIT(OPTION_JSON) |
         BIT(OPTION_SHOW) | BIT(OPTION_EACH) | BIT(OPTION_FIRST) | BIT(OPTION_WITHIN) |
         BIT(OPTION_HOW_MANY),
     command_path, "print a shortest path from START to TARGET",
     "\n  fewest path game 312456789            # R1'"
     "\n  fewest path eight 12345x786           # d"
     "\n  fewest path magic 1724/8635           # ACA: a board is typed row by row"
     "\n  fewest path --show eight 12345x786    # each board of the path"
     "\n  fewest path --all eight 87654321x     # all shortest paths: ten, of 30 moves"
     "\n  fewest path --how-many eight 87654321x    # 10\n\n"
     "If there are several shortest paths, the command prints the first in byte order of the move\n"
     "names. It prints any of them\n"
     "  - for a searched puzzle, such as fifteen, and for rolling cubes;\n"
     "  - if START is the solved state, and pieces look alike, orientations do not count, or the\n"
     "    definition forbids states.\n"
     "If START is the target, the path is an empty line."},
    {"parity", "PUZZLE|GRID START [TARGET]", 2, 3, MOVES | BIT(OPTION_CACHE) | BIT(OPTION_JSON),
     command_parity, "print whether START can reach TARGET, and the reason",
     "\n  fewest parity game 123456789 123456798    # unreachable (...)"
     "\n  fewest parity 4x4 '15 14 1 6 9 11 4 12 0 10 7 3 13 8 5 2'\n\n"
     "GRID is a bare sliding board such as 4x4 or 3x3x3. It needs no table. With a GRID, --moves "
     "and\n"
     "--json are not possible."},
    {"batch", "PUZZLE [FILE]", 1, 2,
     BIT(OPTION_PATH) | BIT(OPTION_EACH) | BIT(OPTION_FIRST) | BIT(OPTION_WITHIN) |
         BIT(OPTION_HOW_MANY) | BIT(OPTION_PARITY) | BIT(OPTION_JSON) | BIT(OPTION_SCRAMBLES) |
         BIT(OPTION_THREADS) | LIMITS | BIT(OPTION_CACHE),
     command_batch, "answer each line of FILE or stdin: START or START TARGET",
     "\n  echo 312456789 | fewest batch game           # 1"
     "\n  echo 312456789 | fewest batch game --path    # R1'"
     "\n  echo R1 C2 R1 | fewest batch game --moves    # 3"
     "\n  echo 87654321x | fewest batch eight --all    # ten lines: 1, tab, path"
     "\n  echo 12345x786 | fewest batch eight --json   # {\"line\": 1, \"steps\": 1}\n\n"
     "If a line is empty or not a query, the answer is `error`, the reason goes to stderr,\n"
     "and the exit status is 2 at the end. After ten reasons, only their number follows.\n"
     "With --moves, an empty line is the solved state. A comment may follow a word:\n"
     "`312456789 # first`.\n"
     "With --all or --within, each path is on a line, after the number of its query's line and a "
     "tab.\n"
     "With --json, each answer is an object; its line is the number of the query's line.\n"
     "With --parity, PUZZLE may be a bare sliding board such as 4x4."},
    {"judge", "PROBLEM [FILE]", 0, 2, BIT(OPTION_LIST) | BIT(OPTION_TABLE) | BIT(OPTION_THREADS),
     command_judge, "answer an online-judge problem: FILE or stdin is its input",
     "\n  fewest judge --list                                # all problems"
     "\n  echo '2 3 4 1 5 x 7 6 8' | fewest judge poj1077    # dlurullddrurdllurdr"
     "\n  echo '2 6 8 4 5 7 3 1' | fewest judge msquare      # 7, BCABCCB\n\n"
     "A problem may list a board in another order than `path` reads it: those of magic go\n"
     "clockwise. `judge` reads the order of the problem."},
    {"stats", "PUZZLE", 1, 1,
     BIT(OPTION_TSV) | BIT(OPTION_JSON) | BIT(OPTION_BARS) | BIT(OPTION_SVG) | BIT(OPTION_LOG) |
         BIT(OPTION_SYMMETRY) | BIT(OPTION_ROTATIONS) | THREADS | BIT(OPTION_ROOT) |
         BIT(OPTION_MATCHING) | BIT(OPTION_CACHE) | BIT(OPTION_HOW_MANY_ALL),
     command_stats, "print the number of states at each distance",
     "\n  fewest stats game                           # counts, mean, largest distance"
     "\n  fewest stats game --tsv | wc -l             # 9"
     "\n  fewest stats game --symmetry                # and the number of classes"
     "\n  fewest stats game --how-many                # and the mean and largest number of paths"
     "\n  fewest stats eight --root 5                 # distances from the blank in the centre"
     "\n  fewest stats game --matching '123******'    # the states whose first row is solved\n\n"
     "The distances are those to the nearest goal, or with --root those from START. The largest "
     "is\n"
     "God's number; `farthest` is an antipode, a state at that distance."},
    {"check", "TABLE...", 1, OPERANDS_MOST, BIT(OPTION_DEEP) | THREADS, command_check,
     "check that tables are intact",
     "\n  fewest check game eight       # compare the files with their checksums"
     "\n  fewest check --deep game      # also prove every distance\n\n"
     "TABLE is the name of a puzzle or the path of a table."},
    {"list", "", 0, 0, 0, command_list,
     "list the tables: puzzle, states, size, largest distance, path",
     "\n  fewest list --tables .    # also the tables in this folder"},
    {"show", "PUZZLE [STATE]", 1, 2, MOVES | BIT(OPTION_JSON), command_show,
     "draw STATE; without it, print the definition",
     "\n  fewest show eight 23415x768"
     "\n  fewest show game --moves 'R1 C2'"
     "\n  fewest show game                    # its states, pieces and moves"
     "\n  fewest show magic                   # and how its board is typed: row by row"
     "\n  fewest show --json game             # its rules, for other programs"},
    {"sample", "PUZZLE", 1, 1,
     BIT(OPTION_COUNT) | BIT(OPTION_DISTANCE) | BIT(OPTION_ALL) | BIT(OPTION_MATCHING) |
         BIT(OPTION_SEED) | BIT(OPTION_RANDOM_MOVES) | BIT(OPTION_AS_MOVES) | BIT(OPTION_CACHE),
     command_sample, "print random states, one a line, as batch reads them",
     "\n  fewest sample game -n 5 --distance 8                               # five of the "
     "antipodes"
     "\n  fewest sample game -n 5 --distance 8 | fewest batch game | uniq    # 8"
     "\n  fewest sample game -n 5 --moves                                    # five scrambles"
     "\n  fewest sample game --random-moves 30 --moves                       # a long scramble"
     "\n  fewest sample game --distance 8 --all | wc -l                      # 2475\n\n"
     "The states are drawn independently: one can appear twice. With --all, each comes once.\n"
     "With --random-moves N, a state is made from the solved state by N random moves, none of "
     "which\n"
     "undoes the last one or turns the same on, if another is possible. There may be a shorter "
     "way,\n"
     "and some states are likelier than others. With --moves, the N moves are printed: no search."},
    {"export", "PUZZLE", 1, 1, THREADS | BIT(OPTION_MATCHING) | BIT(OPTION_CACHE), command_export,
     "write a byte for every arrangement: its distance",
     "\n  fewest export game > distances.u8\n\n"
     "255 means unreachable. Byte i is the distance of the state that `fewest unrank PUZZLE i`\n"
     "prints, to the nearest goal. With --matching, only the arrangements that match have a byte,\n"
     "in the same order."},
    {"rank", "PUZZLE STATE", 2, 2, MOVES | BIT(OPTION_AS_MOVES), command_rank,
     "print the number of STATE, from 0",
     "\n  fewest rank game 123456798                               # 1"
     "\n  fewest sample game -n 9 --seed 1 | fewest rank game -    # nine numbers"
     "\n  fewest rank game 312456789 --moves                       # R1\n\n"
     "If --moves is the last word, the command prints the moves that make STATE, not its number."},
    {"unrank", "PUZZLE NUMBER", 2, 2, BIT(OPTION_AS_MOVES), command_unrank,
     "print the arrangement that has NUMBER",
     "\n  fewest unrank game 1             # 123/456/798"
     "\n  seq 0 9 | fewest unrank game -   # the first ten arrangements"},
    {"page", "[TABLE...]", 0, OPERANDS_MOST, BIT(OPTION_OUTPUT), command_page,
     "write one HTML file for browsers: boards, hints, shortest paths",
     "\n  fewest page                          # fewest.html, with every table that `list` shows"
     "\n  fewest page -o eight.html eight      # with one table\n\n"
     "The file needs no server and no network. TABLE is the name of a puzzle or the path of a "
     "table.\n"
     "A FILE that is no page of fewest is not replaced."},
    {"help", "[COMMAND]", 0, 1, 0, NULL, // run_command makes it --help
     "explain COMMAND and its options", "\n  fewest help steps    # fewest steps --help"},
};

static const char INTRODUCTION[] =
    "fewest: how few moves lead from here to there?\n"
    "\n"
    "Answers queries about puzzles from distance tables, which fewest-gen makes.\n"
    "\n"
    "Usage: fewest COMMAND ...\n";

static const char NOTES[] =
    "\n"
    "PUZZLE is the name of a puzzle, or the path of its table: a path has a slash or ends in "
    ".dtab.\n"
    "The table of NAME is the first file NAME.dtab in these folders: --tables DIR, "
    "$FEWEST_TABLES,\n"
    "../tables and ../share/fewest relative to this program, and the installed data folder.\n"
    "\n"
    "START, TARGET and STATE are typed cell by cell in reading order. Spaces, commas, slashes,\n"
    "semicolons and brackets separate cells; they are optional if each cell is one character.\n"
    "A blank is 0, x, X, _ or a dot. In a table that distinguishes only some pieces (`Track`), a\n"
    "dot is another piece. A comment begins with #. A first line may give the size of the board.\n"
    "In a TARGET, the wildcard * matches anything. Without TARGET, the nearest goal is the "
    "target.\n"
    "To read START, TARGET, STATE or MOVES from stdin, type `-` in its place. To read it from "
    "FILE,\n"
    "type `@FILE`. A text with START may also contain TARGET. For show, rank and unrank, each "
    "line\n"
    "of the text has a STATE or a NUMBER; for show and rank, it may also be one STATE on several\n"
    "lines.\n"
    "MOVES are names, powers (R2), groups such as (R U)3, [R, U] for R U R' U' and [R: U] for R U "
    "R'.\n"
    "On a sliding board, they say how the blank goes.\n"
    "\n"
    "GRID is a bare sliding board: 4x4 (rows, columns) or 3x3x3 (and layers). It needs no table.\n"
    "\n"
    "Examples:\n"
    "  fewest steps game 123456789 '8*95372**'            # 7\n"
    "  fewest path eight 23415x768                        # dlurullddrurdllurdr\n"
    "  fewest parity game 123456789 123456798             # unreachable (...)\n"
    "  echo 312456789 | fewest batch game --path          # R1'\n"
    "  fewest stats game                                  # states at each distance\n"
    "\n"
    "Exit status:\n"
    "  0      answered\n"
    "  1      unreachable, or a check found damage\n"
    "  2      wrong usage, a bad state or input, a query that the table can't answer\n"
    "  3      a table is missing, unreadable or damaged\n"
    "  4      memory, input or output failed\n"
    "  128+n  ended by signal n\n"
    "\n"
    "Manual: fewest(1). Tables: fewest-gen(1).\n";

enum { COMMAND_COUNT = sizeof COMMANDS / sizeof *COMMANDS };

static const struct command *find_command(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(COMMANDS[i].name, name) == 0) {
            return &COMMANDS[i];
        }
    }
    return NULL;
}

static void print_help(void)
{
    fputs(INTRODUCTION, stdout);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        printf("  %-6s %-27s %s\n", COMMANDS[i].name, COMMANDS[i].operands, COMMANDS[i].help);
    }
    puts("\nOptions of every command:");
    print_options(OPTIONS, EVERYWHERE, stdout);
    fputs(NOTES, stdout);
}

// Prints how to use a command. If --moves can replace an operand, a second line shows that.
static void print_usage(const struct command *command)
{
    const char *operands = command->operands;
    printf("Usage: fewest %s%s%s\n", command->name, *operands ? " " : "", operands);
    if (command->options & BIT(OPTION_MOVES)) {
        bool has_target = strstr(operands, "[TARGET]");
        printf("       fewest %s PUZZLE --moves MOVES%s\n", command->name,
               has_target ? " [TARGET]" : "");
    }
}

// Prints the help of a command: its usage, options and examples. Lists one option --moves and one
// option --threads, though there are several kinds of them.
static void print_command_help(const struct command *command)
{
    uint64_t options = command->options | EVERYWHERE;
    if (options & BIT(OPTION_MOVES)) {
        options &= ~BIT(OPTION_AS_MOVES); // the examples explain it
    }
    if (options & BIT(OPTION_ALL_THREADS)) {
        options &= ~BIT(OPTION_THREADS);
    }
    print_usage(command);
    printf("\n  %s\n\nOptions:\n", command->help);
    print_options(OPTIONS, options, stdout);
    printf("\nExamples:%s\n", command->examples);
}

// Reports an unknown command, and suggests one with a similar name. Returns STATUS_USAGE.
static enum exit_status complain_command(const char *name)
{
    struct nearest_name nearest = {.typed = name};
    char hint[2 * NEAREST_NAME];
    for (int i = 0; i < COMMAND_COUNT; i++) {
        nearest_offer(&nearest, COMMANDS[i].name);
    }
    nearest_text(&nearest, hint);
    return complain_usage("unknown command '%s'%s", name,
                          *hint ? hint : "; `fewest --help` lists the commands");
}

// ---- Arguments ----------------------------------------------------------------------------------

// The command line as it was read, before its checks.
struct arguments {
    const char *command;
    struct request request;
};

// Takes a word that is no option: the command, if it is the first one, or an operand. False after a
// message.
static bool add_operand(struct arguments *arguments, const char *operand)
{
    if (!arguments->command) {
        arguments->command = operand;
        return true;
    }
    if (arguments->request.operand_count == OPERANDS_MOST) {
        complain_usage("more than %d operands", OPERANDS_MOST);
        return false;
    }
    arguments->request.operands[arguments->request.operand_count++] = operand;
    return true;
}

// Takes an option with its argument, which is NULL for a flag. False after a message.
static bool take_option(struct request *request, int option, const char *value)
{
    switch (option) {
    case OPTION_TABLES:
        request->folder = value;
        return true;
    case OPTION_TABLE:
        request->table = value;
        return true;
    case OPTION_THREADS:
        return argument_threads(PROGRAM, value, &request->threads);
    case OPTION_MOVES:
        request->moves = value;
        return true;
    case OPTION_FROM:
        request->from = value;
        return true;
    case OPTION_LIMIT:
        return argument_number(PROGRAM, "--limit", 1, UINT64_MAX, value, &request->limit);
    case OPTION_TIME:
        return argument_seconds(PROGRAM, "--time", value, &request->seconds);
    case OPTION_CACHE:
        return argument_size(PROGRAM, "--cache", value, &request->cache);
    case OPTION_SVG:
        request->svg = value;
        return true;
    case OPTION_OUTPUT:
        request->output = value;
        return true;
    case OPTION_ROOT:
        request->root = value;
        return true;
    case OPTION_WITHIN:
        return argument_number(PROGRAM, "--within", 0, FEWEST_PATH_MOST, value, &request->within);
    case OPTION_FIRST:
    case OPTION_COUNT:
        return argument_number(PROGRAM, "--count", 0, UINT64_MAX, value, &request->count);
    case OPTION_MATCHING:
        request->matching = value;
        return true;
    case OPTION_DISTANCE:
        return argument_number(PROGRAM, "--distance", 0, UINT64_MAX, value, &request->distance);
    case OPTION_RANDOM_MOVES:
        return argument_number(PROGRAM, "--random-moves", 1, RANDOM_MOVES_MOST, value,
                               &request->random_moves);
    case OPTION_SEED:
        return argument_number(PROGRAM, "--seed", 0, UINT64_MAX, value, &request->seed);
    default:
        return true; // a flag
    }
}

// Returns the options that the reader of arguments ignores, a bit each. If an option is listed
// several times, it reads only the kind that the command takes. If the command takes none, or is
// not known yet, it reads the first kind. OPTION_ALL_THREADS is only for the help.
static uint64_t hidden_options(const char *name)
{
    const struct command *command = name ? find_command(name) : NULL;
    uint64_t taken = command ? command->options : 0;
    uint64_t hidden = BIT(OPTION_ALL_THREADS);
    for (int a = 0; OPTIONS[a].name; a++) {
        for (int b = a + 1; OPTIONS[b].name; b++) {
            if (strcmp(OPTIONS[a].name, OPTIONS[b].name) == 0) {
                hidden |= taken & BIT(b) ? BIT(a) & ~taken : BIT(b);
            }
        }
    }
    return hidden;
}

// Reads all arguments. False after a message.
static bool read_arguments(int argc, char **argv, struct arguments *arguments)
{
    struct argument_reader reader = {.program = PROGRAM,
                                     .options = OPTIONS,
                                     .hidden = hidden_options(NULL), // no command yet
                                     .argc = argc,
                                     .argv = argv};
    for (int found; (found = argument_next(&reader)) != ARGUMENT_END;) {
        if (found == ARGUMENT_BAD) {
            return false;
        }
        if (found == ARGUMENT_OPERAND) {
            if (!add_operand(arguments, reader.value)) {
                return false;
            }
            reader.hidden = hidden_options(arguments->command);
            continue;
        }
        arguments->request.options |= BIT(found);
        if (!take_option(&arguments->request, found, reader.value)) {
            return false;
        }
    }
    return true;
}

// Returns the end of the message about too many operands: what may be the cause, or "".
static const char *explain_many(const struct command *command, const struct request *request)
{
    bool takes_start = strstr(command->operands, "START");
    if (!takes_start && !strstr(command->operands, "STATE")) {
        return "";
    }
    if (!request->moves) {
        return "; put a state with spaces in quotes";
    }
    return takes_start ? "; --moves replaces START" : "; --moves replaces STATE";
}

// Options before the command were read when it was not known yet. If the command takes another kind
// of such an option, of the same name and with or without an argument like it, takes that kind.
static void change_kinds(const struct command *command, struct request *request)
{
    for (int a = 0; OPTIONS[a].name; a++) {
        bool is_other = (request->options & BIT(a)) && !(command->options & BIT(a));
        for (int b = 0; OPTIONS[b].name && is_other; b++) {
            if ((command->options & BIT(b)) && strcmp(OPTIONS[a].name, OPTIONS[b].name) == 0 &&
                !OPTIONS[a].argument == !OPTIONS[b].argument) {
                request->options = (request->options & ~BIT(a)) | BIT(b);
            }
        }
    }
}

// Checks that the command takes these options and this number of operands. False after a message.
static bool check_arguments(const struct command *command, const struct arguments *arguments)
{
    const struct request *request = &arguments->request;
    int given = request->operand_count + (request->moves ? 1 : 0); // --moves stands for a state
    for (int option = 0; OPTIONS[option].name; option++) {
        if (request->options & ~(command->options | EVERYWHERE) & BIT(option)) {
            complain_usage("`fewest %s` does not take --%s", command->name, OPTIONS[option].name);
            return false;
        }
    }
    if (request->from && !request->moves) {
        complain_usage("--from STATE needs --moves MOVES");
        return false;
    }
    if (given >= command->least && given <= command->most) {
        return true;
    }
    bool too_few = given < command->least;
    complain_usage("too %s operands: expected `fewest %s%s%s`%s", too_few ? "few" : "many",
                   command->name, *command->operands ? " " : "", command->operands,
                   too_few ? "" : explain_many(command, request));
    return false;
}

// Finds the command of the arguments. NULL if there is none or it is unknown.
static const struct command *find_typed_command(const struct arguments *arguments)
{
    return arguments->command ? find_command(arguments->command) : NULL;
}

// Turns `fewest help [COMMAND]` into `fewest [COMMAND] --help`. False after a message.
static bool replace_help(const struct command *help, struct arguments *arguments)
{
    if (!check_arguments(help, arguments)) {
        return false;
    }
    arguments->command = arguments->request.operands[0]; // NULL: all commands
    arguments->request.options |= BIT(OPTION_HELP);
    return true;
}

// Reads the command line, and runs what it asks for: --version, --help or a command. Returns the
// exit status.
static enum exit_status run_command(int argc, char **argv)
{
    struct arguments arguments = {.request = {.threads = 1, .count = 1}};
    if (!read_arguments(argc, argv, &arguments)) {
        return STATUS_USAGE;
    }
    const struct command *command = find_typed_command(&arguments);
    bool is_help = command && !command->answer; // the only command without a function
    if (is_help && !has_option(&arguments.request, OPTION_HELP)) {
        if (!replace_help(command, &arguments)) {
            return STATUS_USAGE;
        }
        command = find_typed_command(&arguments);
    }
    if (has_option(&arguments.request, OPTION_VERSION)) {
        puts("fewest " FEWEST_VERSION);
        return STATUS_ANSWERED;
    }
    if (arguments.command && !command) {
        return complain_command(arguments.command);
    }
    if (has_option(&arguments.request, OPTION_HELP)) {
        if (command) {
            print_command_help(command);
        } else {
            print_help();
        }
        return STATUS_ANSWERED;
    }
    if (!arguments.command) {
        return complain_usage("no command: expected `fewest COMMAND ...`");
    }
    change_kinds(command, &arguments.request);
    if (!check_arguments(command, &arguments)) {
        return STATUS_USAGE;
    }
    if ((command->options & BIT(OPTION_ALL_THREADS)) &&
        !has_option(&arguments.request, OPTION_THREADS)) {
        arguments.request.threads = parallel_processors();
    }
    return command->answer(&arguments.request);
}

// ---- Start --------------------------------------------------------------------------------------

// The handler of SIGBUS: another program has cut the file of a mapped table short, or the disk
// can't read it, and a thread has read there. That thread can't go on, and may hold locks. So this
// only writes a sentence and ends the program. Any other thread that comes here waits for the end.
static _Noreturn void end_at_cut(int number)
{
    static const char MESSAGE[] =
        PROGRAM ": the file of a table was cut short while it was open, or can't be read; generate "
                "the table again with fewest-gen\n";
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    (void)number;
    while (atomic_flag_test_and_set(&ending)) {
        pause();
    }
    (void)!write(STDERR_FILENO, MESSAGE, sizeof MESSAGE - 1);
    _exit(STATUS_TABLE);
}

int main(int argc, char **argv)
{
    command_begin();
    sigaction(SIGBUS, &(struct sigaction){.sa_handler = end_at_cut}, NULL);
    int status = command_end(PROGRAM, run_command(argc, argv));
    if (was_interrupted()) { // the answers are written; now end by the signal
        signal(SIGINT, SIG_DFL);
        raise(SIGINT);
    }
    return status;
}
