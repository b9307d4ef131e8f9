// Option parsing with getopt_long, numbers in arguments, and messages.
#include "command_line.h"

#include "tables/base/ascii.h"
#include "tables/base/parallel.h"
#include "tables/base/spelling.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OPTIONS_MOST = 64, // of a list: a bit each
    OPTION_BASE = 256, // what getopt_long returns for option 0: above all characters
};

enum exit_status exit_status_of(enum fewest_status status)
{
    static const enum exit_status STATUS[] = {
        [FEWEST_OK] = STATUS_ANSWERED,   [FEWEST_BAD_INPUT] = STATUS_USAGE,
        [FEWEST_BEYOND] = STATUS_USAGE,  [FEWEST_MISSING] = STATUS_TABLE,
        [FEWEST_DAMAGED] = STATUS_TABLE, [FEWEST_FOREIGN] = STATUS_TABLE,
        [FEWEST_SYSTEM] = STATUS_SYSTEM, [FEWEST_STOPPED] = STATUS_SYSTEM,
        [FEWEST_LIMITED] = STATUS_USAGE,
    };
    return STATUS[status];
}

void command_complain(const char *program, const char *text)
{
    char shown[2048];
    fflush(stdout); // print earlier answers first
    fprintf(stderr, "%s: %s\n", program, escape_text(shown, sizeof shown, text, strlen(text)));
}

bool read_decimal(const char *text, uint64_t *number)
{
    size_t length = strlen(text);
    return length > 0 && ascii_read_number(text, length, number) == length;
}

bool argument_number(const char *program, const char *option, unsigned least, uint64_t most,
                     const char *text, uint64_t *number)
{
    char last[24] = "2^64-1";
    if (read_decimal(text, number) && *number >= least && *number <= most) {
        return true;
    }
    if (most < UINT64_MAX) {
        snprintf(last, sizeof last, "%llu", (unsigned long long)most);
    }
    command_complain_usage(program, "%s: expected a number from %u to %s, got '%s'", option, least,
                           last, text);
    return false;
}

bool argument_seconds(const char *program, const char *option, const char *text, double *seconds)
{
    static const double MOST = 3e10;
    size_t digits = strspn(text, "0123456789.");
    char *end;
    *seconds = strtod(text, &end);
    if (digits > 0 && text[digits] == '\0' && *end == '\0' && *seconds > 0 && *seconds <= MOST) {
        return true;
    }
    command_complain_usage(program, "%s: expected seconds such as 60 or 0.5, got '%s'", option,
                           text);
    return false;
}

bool argument_threads(const char *program, const char *text, unsigned *threads)
{
    uint64_t number;
    bool read = argument_number(program, "--threads", 1, PARALLEL_THREADS_MOST, text, &number);
    *threads = read ? (unsigned)number : 1;
    return read;
}

// Reads a size in bytes: "300", "64K", "1.5G", "300MiB" or "2g", in powers of 1024. Returns false
// if the text is no size, or if the size is 0 or does not fit.
static bool read_size(const char *text, uint64_t *bytes)
{
    static const char UNITS[] = "KkMmGgTt";                       // two letters for each power
    size_t digits = ascii_read_number(text, strlen(text), bytes); // before the point
    double fraction = 0;
    unsigned shift = 0; // a unit is 2^shift bytes
    const char *next = text + digits;
    bool has_point = *next == '.';
    if (has_point) {
        fraction = strtod(next, NULL);
        next += 1 + strspn(next + 1, "0123456789");
    }
    const char *unit = *next ? strchr(UNITS, *next) : NULL;
    if (unit) {
        shift = 10 * (unsigned)((unit - UNITS) / 2 + 1);
        next++;
    }
    if (digits == 0 || (has_point && !unit) || *bytes > UINT64_MAX >> shift) {
        return false; // no number, a part of a byte, or too large
    }
    *bytes = (*bytes << shift) + (uint64_t)(fraction * (double)(UINT64_C(1) << shift));
    return *bytes > 0 &&
           (*next == '\0' || strcmp(next, "B") == 0 || (unit && strcmp(next, "iB") == 0));
}

bool argument_size(const char *program, const char *option, const char *text, uint64_t *bytes)
{
    if (read_size(text, bytes)) {
        return true;
    }
    command_complain_usage(program, "%s: expected a size above 0 such as 300M or 1.5G, got '%s'",
                           option, text);
    return false;
}

char *write_time(double seconds, char text[TIME_SIZE])
{
    unsigned long long whole = (unsigned long long)(seconds + 0.5);
    if (whole < 60) {
        snprintf(text, TIME_SIZE, "%.2g s", seconds < 0.01 ? 0.01 : seconds);
    } else if (whole < 3600) {
        snprintf(text, TIME_SIZE, "%llu min %llu s", whole / 60, whole % 60);
    } else {
        snprintf(text, TIME_SIZE, "%llu h %llu min", whole / 3600, whole / 60 % 60);
    }
    return text;
}

void command_begin(void)
{
    // No file may get the number of a closed standard stream: messages would go into that file.
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) < 0) {
            (void)open("/dev/null", O_RDWR); // takes the lowest free number, this one
        }
    }
    signal(SIGXFSZ, SIG_IGN); // then the write fails instead
}

int command_end(const char *program, enum exit_status status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        char text[256];
        // A command ends after a failed write, so errno still tells why. In another thread it is 0.
        snprintf(text, sizeof text, "can't write the output: %s",
                 errno ? strerror(errno) : "a write failed");
        command_complain(program, text);
        status = STATUS_SYSTEM;
    }
    return (int)status;
}

enum exit_status command_complain_usage(const char *program, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    command_complain(program, text);
    fprintf(stderr, "Try '%s --help'.\n", program);
    return STATUS_USAGE;
}

// ---- JSON ---------------------------------------------------------------------------------------

void print_json_text(const char *text, FILE *out)
{
    if (!text) {
        fputs("null", out);
        return;
    }
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            putc('\\', out);
        }
        putc(*text, out);
    }
    putc('"', out);
}

// ---- Help ---------------------------------------------------------------------------------------

void print_options(const struct command_option *options, uint64_t which, FILE *out)
{
    for (int i = 0; options[i].name; i++) {
        if (!(which & OPTION_BIT(i))) {
            continue;
        }
        char term[80];
        const char *argument = options[i].argument;
        char letter[] = {'-', options[i].letter, ',', '\0'};
        snprintf(term, sizeof term, "%3s --%s%s%s", options[i].letter ? letter : "",
                 options[i].name, argument ? " " : "", argument ? argument : "");
        fprintf(out, "  %-21s %s\n", term, options[i].help);
    }
}

// ---- Arguments ----------------------------------------------------------------------------------

// Is an argument that begins with `-` no option: `-` alone, or a board such as `-+-+`? The
// getopt_long of musl would end the options at `-`.
static bool is_operand(const char *argument)
{
    return argument[0] == '-' && strlen(argument) != 2 &&
           argument[strspn(argument, "-+*/, ")] == '\0';
}

// Takes the next argument as an operand.
static int take_operand(struct argument_reader *reader)
{
    reader->value = reader->argv[optind++];
    return ARGUMENT_OPERAND;
}

// Prints that an argument is no option, and suggests one with a similar name.
static void complain_unknown(const struct argument_reader *reader, const char *argument)
{
    char typed[NEAREST_NAME];
    struct nearest_name nearest = {.typed = typed};
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(argument, "="), argument);
    nearest.typed += strspn(typed, "-"); // without the dashes before the name
    for (const struct command_option *option = reader->options; option->name; option++) {
        nearest_offer(&nearest, option->name);
    }
    if (*nearest.name) {
        command_complain_usage(reader->program, "unknown option '%s'; did you mean '--%s'?",
                               argument, nearest.name);
    } else {
        command_complain_usage(reader->program,
                               "unknown option '%s' (put -- before an argument that begins with -)",
                               argument);
    }
}

// Returns the place of the option with a letter, or ARGUMENT_BAD.
static int find_letter(const struct argument_reader *reader, int letter)
{
    for (int i = 0; reader->options[i].name; i++) {
        if (reader->options[i].letter == letter && !(reader->hidden & OPTION_BIT(i))) {
            return i;
        }
    }
    return ARGUMENT_BAD;
}

// Returns the place of the option that has the name of another one and takes no argument, or
// ARGUMENT_BAD. The other one lacks its argument; getopt_long calls it `value`.
static int find_without_argument(const struct argument_reader *reader, int value)
{
    const struct command_option *options = reader->options;
    int with = value >= OPTION_BASE ? value - OPTION_BASE : find_letter(reader, value);
    for (int i = 0; options[i].name; i++) {
        if (!options[i].argument && !(reader->hidden & OPTION_BIT(i)) &&
            strcmp(options[i].name, options[with].name) == 0) {
            return i;
        }
    }
    return ARGUMENT_BAD;
}

// The tables that getopt_long wants.
struct getopt_tables {
    struct option names[OPTIONS_MOST + 1]; // ends with zeros
    char letters[2 * OPTIONS_MOST + 3];    // a letter, and ':' if it takes an argument
};

// Makes the tables of getopt_long from ours. The leading '-' makes it return operands in their
// order. The ':' makes it tell a missing argument from an unknown option.
static void make_getopt_tables(const struct argument_reader *reader, struct getopt_tables *tables)
{
    const struct command_option *options = reader->options;
    *tables = (struct getopt_tables){.letters = "-:"};
    struct option *name = tables->names;
    char *letters = tables->letters;
    for (int i = 0; i < OPTIONS_MOST && options[i].name; i++) {
        int has_argument = options[i].argument ? required_argument : no_argument;
        if (reader->hidden & OPTION_BIT(i)) {
            continue;
        }
        *name++ = (struct option){options[i].name, has_argument, NULL, OPTION_BASE + i};
        if (options[i].letter && !strchr(letters, options[i].letter)) { // once for each letter
            size_t used = strlen(letters);
            letters[used] = options[i].letter;
            letters[used + 1] = options[i].argument ? ':' : '\0';
            letters[used + 2] = '\0';
        }
    }
}

// Calls getopt_long, and returns what argument_next returns: an option, an operand, the end of the
// options, or ARGUMENT_BAD after a message.
static int read_option(struct argument_reader *reader)
{
    enum { GETOPT_OPERAND = 1, GETOPT_END = -1, GETOPT_NO_ARGUMENT = ':', GETOPT_UNKNOWN = '?' };
    struct getopt_tables tables;
    make_getopt_tables(reader, &tables);
    const char *argument = reader->argv[optind < reader->argc ? optind : 0]; // for messages
    opterr = 0; // we print the messages
    int found = getopt_long(reader->argc, reader->argv, tables.letters, tables.names, NULL);
    reader->value = optarg;
    if (found >= OPTION_BASE) {
        return found - OPTION_BASE;
    }
    switch (found) {
    case GETOPT_OPERAND:
        return ARGUMENT_OPERAND;
    case GETOPT_END:
        return ARGUMENT_END;
    case GETOPT_NO_ARGUMENT: {
        int option = find_without_argument(reader, optopt);
        if (option == ARGUMENT_BAD) {
            command_complain_usage(reader->program, "%s needs an argument", argument);
        }
        return option;
    }
    case GETOPT_UNKNOWN:
        if (optopt >= OPTION_BASE) {
            command_complain_usage(reader->program, "--%s takes no argument",
                                   reader->options[optopt - OPTION_BASE].name);
        } else {
            complain_unknown(reader, argument);
        }
        return ARGUMENT_BAD;
    default:
        return find_letter(reader, found);
    }
}

int argument_next(struct argument_reader *reader)
{
    if (!reader->only_operands) {
        if (optind < reader->argc && is_operand(reader->argv[optind])) {
            return take_operand(reader);
        }
        int found = read_option(reader);
        if (found != ARGUMENT_END) {
            return found;
        }
        reader->only_operands = true;
    }
    return optind < reader->argc ? take_operand(reader) : ARGUMENT_END;
}
