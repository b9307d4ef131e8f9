// fewest: the command line, what it understands. What it then does is in the other files here.
#include "commands.h"
#include "nearest.h"
#include "parallel.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum option {
    OPTION_TABLES,
    OPTION_THREADS,
    OPTION_WITH,
    OPTION_MOVES,
    OPTION_FROM,
    OPTION_CACHE,
    OPTION_PATH,
    OPTION_PARITY,
    OPTION_TSV,
    OPTION_JSON,
    OPTION_SVG,
    OPTION_BARS,
    OPTION_SHOW,
    OPTION_COUNT,
    OPTION_DISTANCE,
    OPTION_SEED,
    OPTION_ROOT,
    OPTION_DEEP,
    OPTION_LIST,
    OPTION_HELP,
    OPTION_VERSION,
};

static const struct manual MANUAL = {
    .name = "fewest",
    .summary = "what is the fewest number of moves from here to there?",
    .synopsis =
        (const struct manual_item[]){
            {"steps  PUZZLE START [TARGET]", "the fewest moves, one number; or --moves MOVES instead of START"},
            {"path   PUZZLE START [TARGET]", "the moves of a shortest way; of several, the first by name"},
            {"parity PUZZLE|GRID START [TARGET]", "can START reach TARGET at all, and why not"},
            {"batch  PUZZLE [FILE]", "a case a line (START [TARGET]), an answer a line"},
            {"judge  PROBLEM [FILE]", "a judge problem's own input and output"},
            {"stats  PUZZLE", "how many states at each distance"},
            {"check  TABLE...", "are the tables intact"},
            {"list", "the puzzles, and where their tables are"},
            {"show   PUZZLE [STATE]", "draws the board; without STATE, prints the definition"},
            {"sample PUZZLE", "random states that can be reached, a line each, as batch takes them"},
            {"export PUZZLE", "the distance of every state, a byte each"},
            {"rank   PUZZLE STATE", "the number of a state"},
            {"unrank PUZZLE INDEX", "the state of a number"},
            {"help   [TOPIC]", "what is said of a command, or of puzzles, states, ..."},
            {NULL, NULL},
        },
    .options =
        (const struct command_option[]){
            [OPTION_TABLES] = {"tables", 't', "DIR", "look for tables in DIR first"},
            [OPTION_THREADS] = {"threads", 'j', "THREADS", "batch: search with so many threads (1 without it)"},
            [OPTION_WITH] = {"with", 0, "NAME", "steps, path, batch: search with the table of NAME"},
            [OPTION_MOVES] = {"moves", 'm', "MOVES",
                              "steps, path, parity, show, rank: START is what MOVES make of the solved state"},
            [OPTION_FROM] = {"from", 0, "STATE",
                             "steps, path, parity, show, rank: with --moves, what they make of STATE"},
            [OPTION_CACHE] = {"cache", 0, "SIZE",
                              "steps, path, parity, batch, stats, sample, export: keep no more than that\nof a large "
                              "table in memory (64M)"},
            [OPTION_PATH] = {"path", 0, NULL, "batch: paths instead of numbers"},
            [OPTION_PARITY] = {"parity", 0, NULL, "batch: parity instead of numbers"},
            [OPTION_TSV] = {"tsv", 0, NULL, "stats: only lines of distance, tab and count"},
            [OPTION_JSON] = {"json", 0, NULL, "steps, path, parity, stats: the answer as a JSON object"},
            [OPTION_SVG] = {"svg", 0, "FILE", "stats: a plot, into a file or - for stdout"},
            [OPTION_BARS] = {"bars", 0, NULL, "stats: with bars, as a terminal has them"},
            [OPTION_SHOW] = {"show", 0, NULL, "path: draw each board of the way"},
            [OPTION_COUNT] = {"count", 'n', "COUNT", "sample: so many (1 without it)"},
            [OPTION_DISTANCE] = {"distance", 0, "MOVES", "sample: of those that are so far away"},
            [OPTION_SEED] = {"seed", 0, "NUMBER", "sample: the same states for a number, everywhere"},
            [OPTION_ROOT] = {"root", 0, "START", "stats: distances from START, or from a blank in cell 1, 2, ..."},
            [OPTION_DEEP] = {"deep", 0, NULL, "check: prove every distance from the moves alone"},
            [OPTION_LIST] = {"list", 0, NULL, "judge: the problems"},
            [OPTION_HELP] = {"help", 'h', NULL, "print this and stop"},
            [OPTION_VERSION] = {"version", 'V', NULL, "print the version and stop"},
            {NULL, 0, NULL, NULL},
        },
    .notes =
        (const struct manual_item[]){
            {"Puzzles and tables",
             "A PUZZLE is a name, looked up as NAME.dtab in --tables DIR, in $FEWEST_TABLES, in ../tables\n"
             "and ../share/fewest beside the program and in the installed data folder; or a path that\n"
             "ends in .dtab. `fewest list` shows what is found. fewest-gen makes a table of a definition."},
            {"States and wildcards",
             "A state is typed in reading order. Space, comma and slash separate, and are optional where\n"
             "every cell is one character. `*` is a wildcard, in a TARGET only. Without TARGET: the\n"
             "nearest of the puzzle's goals; `fewest show PUZZLE` tells what they are. With --moves,\n"
             "what is typed is TARGET. A blank is 0, x, X or _.\n"
             "`-` reads the case from stdin, `@FILE` from a file; for show, rank and unrank, one a line."},
            {"Grids",
             "For parity, a GRID like 4x4 or 3x3x3 (rows, columns, layers) is a sliding board of that size. It needs\n"
             "no table. Without TARGET the blank is last."},
            {"Batch",
             "A line is START or START TARGET, told apart by the number of cells. A line that is neither\n"
             "prints `error`, with a message on stderr; the others are answered. With --parity, a GRID will do."},
            {"Numbers", "export: byte i is the distance, as `fewest stats` counts it, of the state that\n"
                        "`fewest unrank PUZZLE i` prints; 255 where it can't be reached."},
            {NULL, NULL},
        },
    .examples =
        (const struct manual_item[]){
            {"fewest steps game 123456789 '8*95372**'", "7"},
            {"fewest steps game '312/456/789'", "1"},
            {"fewest path game 312456789", "R1'"},
            {"fewest path game --moves 'R1 C2'", "C2' R1'"},
            {"fewest parity game 123456789 123456798",
             "unreachable (the permutation from START to TARGET is odd, but every move is even)"},
            {"printf '312456789\\n' | fewest batch game --path", "R1'"},
            {"fewest stats game --tsv | tail -1 | cut -f 2", "2475"},
            {"fewest sample game -n 5 --distance 8 --seed 1 | fewest batch game | uniq", "8"},
            {"fewest export game | wc -c", "362880"},
            {NULL, NULL},
        },
};

#define BIT(option) (1u << (option))
#define EVERYWHERE  BIT(OPTION_TABLES) // and what ends the program at once
#define MOVED       (BIT(OPTION_MOVES) | BIT(OPTION_FROM))

static enum exit_status command_help(const struct request *request);

// In the order of the synopsis.
static const struct command {
    const char *name;
    int least; // operands
    int most;
    unsigned options; // beside those that every command takes
    enum exit_status (*run)(const struct request *request);
} COMMANDS[] = {
    {"steps", 2, 3, BIT(OPTION_WITH) | MOVED | BIT(OPTION_CACHE) | BIT(OPTION_JSON), command_steps},
    {"path", 2, 3, BIT(OPTION_WITH) | MOVED | BIT(OPTION_CACHE) | BIT(OPTION_JSON) | BIT(OPTION_SHOW), command_path},
    {"parity", 2, 3, MOVED | BIT(OPTION_CACHE) | BIT(OPTION_JSON), command_parity},
    {"batch", 1, 2, BIT(OPTION_PATH) | BIT(OPTION_PARITY) | BIT(OPTION_THREADS) | BIT(OPTION_WITH) | BIT(OPTION_CACHE),
     command_batch},
    {"judge", 0, 2, BIT(OPTION_LIST), command_judge},
    {"stats", 1, 1,
     BIT(OPTION_TSV) | BIT(OPTION_ROOT) | BIT(OPTION_CACHE) | BIT(OPTION_JSON) | BIT(OPTION_SVG) | BIT(OPTION_BARS),
     command_stats},
    {"check", 1, OPERANDS_MOST, BIT(OPTION_DEEP), command_check},
    {"list", 0, 0, 0, command_list},
    {"show", 1, 2, MOVED, command_show},
    {"sample", 1, 1, BIT(OPTION_COUNT) | BIT(OPTION_DISTANCE) | BIT(OPTION_SEED) | BIT(OPTION_CACHE), command_sample},
    {"export", 1, 1, BIT(OPTION_CACHE), command_export},
    {"rank", 2, 2, MOVED, command_rank},
    {"unrank", 2, 2, 0, command_unrank},
    {"help", 0, 1, 0, command_help},
};

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
        if (strcmp(COMMANDS[i].name, name) == 0) {
            return &COMMANDS[i];
        }
    }
    return NULL;
}

// ---- Help ---------------------------------------------------------------------------------------------------------

static void offer(void *context, const char *name)
{
    nearest_offer(context, name);
}

static void list_topic(void *context, const char *topic)
{
    (void)context;
    printf(" %s", topic);
}

static enum exit_status command_help(const struct request *request)
{
    const char *topic = request->operand_count > 0 ? request->operands[0] : NULL;
    struct nearest nearest = {.typed = topic};
    char hint[2 * NEAREST_NAME];
    if (!topic) {
        manual_print_help(&MANUAL, stdout);
        fputs("\n`fewest help TOPIC` tells of one of:", stdout);
        manual_each_topic(&MANUAL, list_topic, NULL);
        putchar('\n');
        return STATUS_ANSWERED;
    }
    if (manual_print_topic(&MANUAL, topic, stdout)) {
        return STATUS_ANSWERED;
    }
    manual_each_topic(&MANUAL, offer, &nearest);
    nearest_text(&nearest, hint);
    return complain_usage("there is no help on '%s'%s", topic,
                          *hint ? hint : "; `fewest help` lists the topics, `fewest show PUZZLE` tells of a puzzle");
}

static enum exit_status complain_command(const char *name)
{
    struct nearest nearest = {.typed = name};
    char hint[2 * NEAREST_NAME];
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
        nearest_offer(&nearest, COMMANDS[i].name);
    }
    nearest_text(&nearest, hint);
    return complain_usage("unknown command '%s'%s", name, *hint ? hint : "; it comes first: fewest steps PUZZLE START");
}

// ---- Arguments ----------------------------------------------------------------------------------------------------

// What was read of the command line, before it is known to make sense.
struct arguments {
    const char *command;
    struct request request;
    unsigned options; // given
};

static void set_flag(struct request *request, int option)
{
    request->path |= option == OPTION_PATH;
    request->parity |= option == OPTION_PARITY;
    request->tsv |= option == OPTION_TSV;
    request->json |= option == OPTION_JSON;
    request->bars |= option == OPTION_BARS;
    request->show |= option == OPTION_SHOW;
    request->deep |= option == OPTION_DEEP;
    request->list |= option == OPTION_LIST;
}

static bool set_number(struct request *request, int option, const char *text)
{
    uint64_t number;
    if (!argument_number(text, &number)) {
        complain_usage("--%s: '%s' is not a number from 0 to 2^64-1", MANUAL.options[option].name, text);
        return false;
    }
    if (option == OPTION_COUNT) {
        request->has_count = true;
        request->count = number;
    } else if (option == OPTION_DISTANCE) {
        request->has_distance = true;
        request->distance = number;
    } else {
        request->has_seed = true;
        request->seed = number;
    }
    return true;
}

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

// Returns false where that is all there is to do, with its status.
static bool read_arguments(int argc, char **argv, struct arguments *arguments, enum exit_status *status)
{
    struct argument_reader reader = {.argc = argc, .argv = argv, .manual = &MANUAL};
    *status = STATUS_ANSWERED;
    for (int found; (found = argument_next(&reader)) != ARGUMENT_END;) {
        arguments->options |= found < 0 ? 0 : BIT(found);
        switch (found) {
        case ARGUMENT_OPERAND:
            if (!add_operand(arguments, reader.value)) {
                *status = STATUS_USAGE;
                return false;
            }
            break;
        case OPTION_TABLES:
            arguments->request.folder = reader.value;
            break;
        case OPTION_WITH:
            arguments->request.with = reader.value;
            break;
        case OPTION_THREADS:
            if (!argument_threads(reader.value, &arguments->request.threads)) {
                *status = complain_usage("the number of threads is from 1 to %d", PARALLEL_THREADS_MOST);
                return false;
            }
            break;
        case OPTION_MOVES:
            arguments->request.moves = reader.value;
            break;
        case OPTION_FROM:
            arguments->request.from = reader.value;
            break;
        case OPTION_CACHE:
            if (!argument_bytes(reader.value, &arguments->request.cache)) {
                *status = complain_usage("a size is a number of bytes from 1, or of K, M, G or T: 64M");
                return false;
            }
            break;
        case OPTION_SVG:
            arguments->request.svg = reader.value;
            break;
        case OPTION_COUNT:
        case OPTION_DISTANCE:
        case OPTION_SEED:
            if (!set_number(&arguments->request, found, reader.value)) {
                *status = STATUS_USAGE;
                return false;
            }
            break;
        case OPTION_ROOT:
            arguments->request.root = reader.value;
            break;
        case OPTION_HELP:
            if (!arguments->command || !manual_print_topic(&MANUAL, arguments->command, stdout)) {
                manual_print_help(&MANUAL, stdout);
            }
            return false;
        case OPTION_VERSION:
            puts("fewest " FEWEST_VERSION);
            return false;
        case ARGUMENT_BAD:
            *status = STATUS_USAGE;
            return false;
        default:
            set_flag(&arguments->request, found);
        }
    }
    return true;
}

// Does the command take all that, and is it enough?
static bool check_arguments(const struct command *command, const struct arguments *arguments)
{
    int given = arguments->request.operand_count + (arguments->request.moves ? 1 : 0); // they stand for a state
    for (int option = 0; MANUAL.options[option].name; option++) {
        if (arguments->options & ~(command->options | EVERYWHERE) & BIT(option)) {
            complain_usage("%s does not take --%s", command->name, MANUAL.options[option].name);
            return false;
        }
    }
    if (arguments->request.from && !arguments->request.moves) {
        complain_usage("--from goes with --moves");
        return false;
    }
    if (given < command->least || given > command->most) {
        const char *operands = MANUAL.synopsis[command - COMMANDS].term + strlen(command->name);
        complain_usage("too %s operands%s: fewest %s %s", given < command->least ? "few" : "many",
                       given < command->least || !strstr(operands, "STA") ? ""
                       : arguments->request.moves ? " (--moves stand for START, --from says of what)"
                                                  : " (a state with spaces needs quotes)",
                       command->name, operands + strspn(operands, " "));
        return false;
    }
    return true;
}

static enum exit_status run(int argc, char **argv)
{
    struct arguments arguments = {.command = NULL};
    enum exit_status status;
    if (!read_arguments(argc, argv, &arguments, &status)) {
        return status;
    }
    if (!arguments.command) {
        return complain_usage("which command?");
    }
    const struct command *command = find_command(arguments.command);
    if (!command) {
        return complain_command(arguments.command);
    }
    return check_arguments(command, &arguments) ? command->run(&arguments.request) : STATUS_USAGE;
}

// A table that another program cuts short while it is mapped. The fault comes from our own read of the map, never from
// within stdio, so that what has been answered can still be written.
static void on_bus_error(int number, siginfo_t *info, void *context)
{
    static const char TEXT[] = "fewest: the table was cut short by another program while it was being read\n";
    (void)number;
    (void)context;
    if (info->si_code != BUS_ADRERR) {
        raise(SIGBUS); // somebody's kill: the default action, which SA_RESETHAND has restored
        return;
    }
    fflush(stdout);
    ssize_t written = write(STDERR_FILENO, TEXT, sizeof TEXT - 1);
    (void)written;
    _exit(STATUS_TABLE);
}

int main(int argc, char **argv)
{
    struct sigaction bus = {.sa_sigaction = on_bus_error, .sa_flags = (int)(SA_SIGINFO | SA_RESETHAND)};
    sigaction(SIGBUS, &bus, NULL);
    command_begin();
    int status = command_end(MANUAL.name, run(argc, argv));
    if (was_interrupted()) { // what was answered is out: now end as anybody does who is interrupted
        signal(SIGINT, SIG_DFL);
        raise(SIGINT);
    }
    return status;
}
