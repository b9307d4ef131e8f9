// Options, numbers, messages and exit statuses, shared by the two programs.
#ifndef FEWEST_TABLES_COMMAND_LINE_H
#define FEWEST_TABLES_COMMAND_LINE_H

#include "tables/base/errors.h"

#include <stdint.h>
#include <stdio.h>

// If a signal ends a program, the shell sees 128 + the number of the signal.
enum exit_status {
    STATUS_ANSWERED = 0,
    STATUS_NEGATIVE = 1, // unreachable, or a check failed
    // Wrong usage, a bad state, definition or input, a query that the table can't answer.
    STATUS_USAGE = 2,
    STATUS_TABLE = 3,  // a table is missing, unreadable or damaged
    STATUS_SYSTEM = 4, // memory, input or output failed
};

enum exit_status exit_status_of(enum fewest_status status);

struct command_option {
    const char *name;     // "tables" for --tables
    char letter;          // 't' for -t as well, or 0
    const char *argument; // how the help names its argument, or NULL
    const char *help;     // what it does, in the imperative
};

// A list of options ends with one whose name is NULL. The place in the list is the option's number.
// An option with an argument may be listed once more without one, under the same name, further
// down.
#define OPTION_BIT(option) (UINT64_C(1) << (option))

// Writes a text as a JSON string, or NULL as null. States, names and reasons are printable ASCII,
// so only quotes and backslashes need an escape: a letter of a definition may be one.
void print_json_text(const char *text, FILE *out);

// Prints the help of the options whose bits are set.
void print_options(const struct command_option *options, uint64_t which, FILE *out);

// Reads the arguments one by one. Options may stand anywhere among the operands.
struct argument_reader {
    const char *program; // for messages
    const struct command_option *options;
    uint64_t hidden; // bits of the options that are left out
    int argc;
    char **argv;
    // The last operand, or the argument of the last option, whichever was read last.
    const char *value;
    bool only_operands; // after `--`
};

enum { ARGUMENT_OPERAND = -1, ARGUMENT_END = -2, ARGUMENT_BAD = -3 };

// Reads the next argument. Returns the place of an option in the list, or one of the above. Before
// it returns ARGUMENT_BAD, it prints a message on stderr. An option that lacks its argument at the
// end counts as the one that is listed without an argument, if there is one. An argument that
// begins with `-`, does not have two characters and holds only `-+*/,` and spaces is an operand:
// some boards look like that.
int argument_next(struct argument_reader *reader);

// Each of these returns false, after a message on stderr, if `text` is not what the option needs.
// A number of threads, 1 to 64.
bool argument_threads(const char *program, const char *text, unsigned *threads);
// A size above 0 in bytes, such as 300, 64K or 1.5GiB.
bool argument_size(const char *program, const char *option, const char *text, uint64_t *bytes);
// A number from `least` to `most`.
bool argument_number(const char *program, const char *option, unsigned least, uint64_t most,
                     const char *text, uint64_t *number);

// Reads a time in seconds: "90" or "0.5", at most a thousand years.
bool argument_seconds(const char *program, const char *option, const char *text, double *seconds);

// Reads a decimal number from 0 to 2^64-1. False if the text is not one.
bool read_decimal(const char *text, uint64_t *number);

enum { TIME_SIZE = 32 };

// Writes a time for people: "4.2 s", "2 min 5 s", "3 h 5 min". Returns `text`.
char *write_time(double seconds, char text[TIME_SIZE]);

// Call this first: a write beyond the file size limit becomes an error instead of a signal.
void command_begin(void);

// Call this last: output that could not be written is an error, whatever the status was. Returns
// the exit status.
int command_end(const char *program, enum exit_status status);

// Prints "PROGRAM: TEXT" on stderr, in one line of printable ASCII: file names can hold any bytes.
void command_complain(const char *program, const char *text);

// The same for wrong usage; then prints how to get help. Returns STATUS_USAGE.
enum exit_status command_complain_usage(const char *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
