#include "command_line.h"

#include "nearest.h"
#include "parallel.h"

#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTIONS_MOST = 32, OPTION_BASE = 256 };

static const struct manual_item STATUSES[] = {
    {"0", "answered"},
    {"1", "unreachable, or a check failed"},
    {"2", "usage, a bad state, a malformed definition or input, a question beyond the bound"},
    {"3", "a table missing, unreadable or damaged"},
    {"4", "input or output failed: a file that can't be read or written, a full disk, memory"},
    {"128+n", "ended by signal n"},
    {NULL, NULL},
};

enum exit_status fault_exit_status(enum fault_code code)
{
    switch (code) {
    case FAULT_NONE:
        return STATUS_ANSWERED;
    case FAULT_INPUT:
    case FAULT_BOUND:
        return STATUS_USAGE;
    case FAULT_MISSING:
    case FAULT_DAMAGED:
    case FAULT_FOREIGN:
        return STATUS_TABLE;
    case FAULT_SYSTEM:
    case FAULT_STOPPED:
        break;
    }
    return STATUS_SYSTEM;
}

void command_complain(const char *program, const char *text)
{
    char shown[2048];
    fflush(stdout); // what was answered before it
    fprintf(stderr, "%s: %s\n", program, fault_escape(shown, sizeof shown, text, strlen(text)));
}

bool argument_number(const char *text, uint64_t *number)
{
    *number = 0;
    for (const char *at = text; *at; at++) {
        if (*at < '0' || *at > '9' || *number > (UINT64_MAX - (uint64_t)(*at - '0')) / 10) {
            return false;
        }
        *number = *number * 10 + (uint64_t)(*at - '0');
    }
    return *text != '\0';
}

bool argument_bytes(const char *text, uint64_t *bytes)
{
    static const char UNITS[] = "KkMmGgTt";
    static const uint64_t NUMBER_MOST = UINT64_C(1) << 48;
    uint64_t number = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && number <= NUMBER_MOST; at++) {
        number = number * 10 + (uint64_t)(*at - '0');
    }
    const char *unit = *at ? strchr(UNITS, *at) : NULL;
    unsigned shift = unit ? 10 * (unsigned)((unit - UNITS) / 2 + 1) : 0;
    const char *rest = unit ? at + 1 : at;
    *bytes = number << shift;
    return number > 0 && number <= NUMBER_MOST >> shift &&
           (*rest == '\0' || strcmp(rest, "B") == 0 || (unit && strcmp(rest, "iB") == 0));
}

bool argument_threads(const char *text, unsigned *threads)
{
    uint64_t value;
    *threads = argument_number(text, &value) && value <= PARALLEL_THREADS_MOST ? (unsigned)value : 0;
    return *threads >= 1;
}

void command_begin(void)
{
    // A file must not get the number of a standard stream that is closed: messages would be written into it.
    int file;
    do {
        file = open("/dev/null", O_RDWR);
    } while (file >= 0 && file <= STDERR_FILENO);
    if (file >= 0) {
        close(file);
    }
    signal(SIGXFSZ, SIG_IGN);
}

int command_end(const char *program, enum exit_status status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        command_complain(program, "can't write the output");
        status = STATUS_SYSTEM;
    }
    return (int)status;
}

void command_complain_usage(const char *program, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    command_complain(program, text);
    fprintf(stderr, "Try '%s --help'.\n", program);
}

// ---- Help ---------------------------------------------------------------------------------------------------------

static void option_term(const struct command_option *option, char *out, size_t size)
{
    char letter[8] = "    ";
    if (option->letter) {
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    }
    snprintf(out, size, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
}

// Prints a text with all its lines after the first indented.
static void print_indented(FILE *out, const char *text, int indent)
{
    for (; *text; text++) {
        putc(*text, out);
        if (*text == '\n') {
            fprintf(out, "%*s", indent, "");
        }
    }
    putc('\n', out);
}

static void print_item(FILE *out, const char *term, const char *text, int width)
{
    fprintf(out, "  %-*s  ", width, term);
    print_indented(out, text, width + 4);
}

static int widest(const struct manual_item *items)
{
    int width = 0;
    for (; items->term; items++) {
        int length = (int)strlen(items->term);
        width = length > width ? length : width;
    }
    return width;
}

static void print_items(FILE *out, const struct manual_item *items)
{
    int width = widest(items);
    for (; items->term; items++) {
        print_item(out, items->term, items->text, width);
    }
}

// An option's help begins with the commands that take it, "steps, path: ..."; without them, it is everybody's.
// Returns what it says to those, or NULL to others.
static const char *help_for(const struct command_option *option, const char *topic)
{
    const char *colon = strstr(option->help, ": ");
    const char *found = strstr(option->help, topic);
    if (!colon) {
        return option->help;
    }
    return found && found < colon && (found == option->help || found[-1] == ' ') && strchr(",:", found[strlen(topic)])
               ? colon + 2
               : NULL;
}

static void print_options(const struct manual *manual, const char *topic, FILE *out)
{
    char term[80];
    for (const struct command_option *option = manual->options; option->name; option++) {
        const char *help = topic ? help_for(option, topic) : option->help;
        if (help) {
            option_term(option, term, sizeof term);
            print_item(out, term, help, 20);
        }
    }
}

void manual_print_help(const struct manual *manual, FILE *out)
{
    int width = widest(manual->synopsis);
    fprintf(out, "%s: %s\n\nUsage:\n", manual->name, manual->summary);
    for (const struct manual_item *item = manual->synopsis; item->term; item++) {
        fprintf(out, "  %s %-*s  %s\n", manual->name, width, item->term, item->text);
    }
    fprintf(out, "\nOptions:\n");
    print_options(manual, NULL, out);
    for (const struct manual_item *note = manual->notes; note->term; note++) {
        fprintf(out, "\n%s:\n  ", note->term);
        print_indented(out, note->text, 2);
    }
    fprintf(out, "\nExamples:\n");
    print_items(out, manual->examples);
    fprintf(out, "\nExit status:\n");
    print_items(out, STATUSES);
}

static bool begins_with_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && (text[length] == ' ' || text[length] == '\0');
}

static bool print_command(const struct manual *manual, const char *topic, FILE *out)
{
    char begin[80];
    bool found = false;
    snprintf(begin, sizeof begin, "%s %s", manual->name, topic);
    for (const struct manual_item *item = manual->synopsis; item->term; item++) {
        if (begins_with_word(item->term, topic)) {
            fprintf(out, "%s %s\n  %s\n", manual->name, item->term, item->text);
            found = true;
        }
    }
    if (found) {
        print_options(manual, topic, out);
    }
    for (const struct manual_item *item = manual->examples; item->term && found; item++) {
        const char *at = strstr(item->term, begin);
        if (at && begins_with_word(at, begin)) {
            print_item(out, item->term, item->text, 0);
        }
    }
    return found;
}

static void to_lower(const char *text, char *out, size_t size)
{
    size_t i = 0;
    for (; text[i] && i + 1 < size; i++) {
        out[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
    }
    out[i] = '\0';
}

// Calls visit for each of the words of a heading, in lower case: "States and wildcards" is about two things.
static void each_word(const char *heading, void (*visit)(void *context, const char *word), void *context)
{
    char words[40];
    to_lower(heading, words, sizeof words);
    for (char *word = words, *next; word; word = next) {
        next = strchr(word, ' ');
        if (next) {
            *next++ = '\0';
        }
        if (strcmp(word, "and") != 0) {
            visit(context, word);
        }
    }
}

struct sought {
    const char *topic;
    bool found;
};

static void compare_topic(void *context, const char *word)
{
    struct sought *sought = context;
    sought->found |= strcmp(word, sought->topic) == 0;
}

static bool print_note(const struct manual *manual, const char *topic, FILE *out)
{
    struct sought sought = {.topic = topic};
    for (const struct manual_item *note = manual->notes; note->term; note++) {
        each_word(note->term, compare_topic, &sought);
        if (sought.found) {
            fprintf(out, "%s\n", note->text);
            return true;
        }
    }
    return false;
}

bool manual_print_topic(const struct manual *manual, const char *topic, FILE *out)
{
    bool command = print_command(manual, topic, out);
    bool note = print_note(manual, topic, out);
    if (strcmp(topic, "options") == 0) {
        print_options(manual, NULL, out);
    } else if (strcmp(topic, "examples") == 0) {
        print_items(out, manual->examples);
    } else if (strcmp(topic, "status") == 0) {
        print_items(out, STATUSES);
    } else {
        return command || note;
    }
    return true;
}

void manual_each_topic(const struct manual *manual, void (*visit)(void *context, const char *topic), void *context)
{
    char topic[40];
    for (const struct manual_item *item = manual->synopsis; item->term; item++) {
        snprintf(topic, sizeof topic, "%.*s", (int)strcspn(item->term, " "), item->term);
        visit(context, topic);
    }
    for (const struct manual_item *note = manual->notes; note->term; note++) {
        each_word(note->term, visit, context);
    }
    visit(context, "options");
    visit(context, "examples");
    visit(context, "status");
}

// ---- Arguments ----------------------------------------------------------------------------------------------------

static bool is_board(const char *argument)
{
    return argument[0] == '-' && strlen(argument) > 2 && argument[strspn(argument, "-+*/, ")] == '\0';
}

static int read_operand(struct argument_reader *reader)
{
    reader->value = reader->argv[optind++];
    return ARGUMENT_OPERAND;
}

// `wrong` is what is wrong with an option; NULL: there is none of this name.
static void complain_option(const struct manual *manual, const char *argument, const char *wrong)
{
    char typed[NEAREST_NAME];
    char hint[2 * NEAREST_NAME];
    struct nearest nearest = {.typed = typed};
    if (wrong) {
        command_complain_usage(manual->name, "'%s' %s", argument, wrong);
        return;
    }
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(argument, "="), argument);
    nearest.typed += strspn(typed, "-");
    for (const struct command_option *option = manual->options; option->name; option++) {
        nearest_offer(&nearest, option->name);
    }
    snprintf(hint, sizeof hint, "; did you mean '--%s'?", nearest.name);
    command_complain_usage(manual->name, "'%s' is no option%s", argument,
                           *nearest.name ? hint : "; after -- it is taken as it is");
}

// getopt_long's own tables, made from ours. A leading '-' makes it hand over operands in their order, and ':' tell
// apart what can be wrong.
static int read_option(struct argument_reader *reader)
{
    struct option names[OPTIONS_MOST + 1] = {{0}};
    char letters[2 * OPTIONS_MOST + 3] = "-:";
    const struct command_option *options = reader->manual->options;
    for (int i = 0; i < OPTIONS_MOST && options[i].name; i++) {
        int has_argument = options[i].argument ? required_argument : no_argument;
        names[i] = (struct option){options[i].name, has_argument, NULL, OPTION_BASE + i};
        if (options[i].letter) {
            size_t used = strlen(letters);
            letters[used] = options[i].letter;
            letters[used + 1] = options[i].argument ? ':' : '\0';
            letters[used + 2] = '\0';
        }
    }
    const char *argument = reader->argv[optind < reader->argc ? optind : 0];
    opterr = 0; // we say it in our own words
    int found = getopt_long(reader->argc, reader->argv, letters, names, NULL);
    reader->value = optarg;
    if (found == 1) {
        return ARGUMENT_OPERAND;
    }
    if (found >= OPTION_BASE) {
        return found - OPTION_BASE;
    }
    for (int i = 0; found > 1 && options[i].name; i++) {
        if (options[i].letter == found) {
            return i;
        }
    }
    if (found == -1) {
        return ARGUMENT_END;
    }
    complain_option(reader->manual, argument,
                    found == ':'            ? "lacks its argument"
                    : optopt >= OPTION_BASE ? "takes no argument"
                                            : NULL);
    return ARGUMENT_BAD;
}

int argument_next(struct argument_reader *reader)
{
    if (!reader->only_operands) {
        if (optind < reader->argc && is_board(reader->argv[optind])) {
            return read_operand(reader);
        }
        int found = read_option(reader);
        if (found != ARGUMENT_END) {
            return found;
        }
        reader->only_operands = true;
    }
    return optind < reader->argc ? read_operand(reader) : ARGUMENT_END;
}
