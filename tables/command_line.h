// What the two command lines share: options as data, help made from that data, and the exit statuses.
#ifndef FEWEST_TABLES_COMMAND_LINE_H
#define FEWEST_TABLES_COMMAND_LINE_H

#include "fault.h"

#include <stdint.h>
#include <stdio.h>

// The exit statuses of both programs. A signal ends a program with 128 + its number, as the shell sees it.
enum exit_status {
    STATUS_ANSWERED = 0,
    STATUS_NEGATIVE = 1, // unreachable, or a check failed
    STATUS_USAGE = 2,    // usage, a bad state, a malformed definition or input, a question beyond the bound
    STATUS_TABLE = 3,    // a table missing, unreadable or damaged
    STATUS_SYSTEM = 4,   // input or output failed
};

enum exit_status fault_exit_status(enum fault_code code);

struct command_option {
    const char *name;     // "tables" for --tables
    char letter;          // 'v' for -v as well, or 0
    const char *argument; // how the help names its argument, or NULL
    const char *help;
};

struct manual_item {
    const char *term;
    const char *text;
};

// All that --help says, of which scripts/manual makes the manual page. Arrays end with an entry whose first member is
// NULL; `commands` and `notes` may be NULL.
struct manual {
    const char *name;
    const char *summary;
    const struct manual_item *synopsis; // term: arguments; text: what it does (or NULL)
    const struct command_option *options;
    const struct manual_item *notes;    // term: a heading; text: paragraphs under it
    const struct manual_item *examples; // term: a command; text: what it prints
};

void manual_print_help(const struct manual *manual, FILE *out);

// What they say of one topic: of a command what it takes, its options and examples; of a note all; "options",
// "examples" or "status". False where there is no such topic. And calls visit for the name of each topic.
bool manual_print_topic(const struct manual *manual, const char *topic, FILE *out);
void manual_each_topic(const struct manual *manual, void (*visit)(void *context, const char *topic), void *context);

// Reads the arguments one by one, options anywhere among the operands.
struct argument_reader {
    int argc;
    char **argv;
    const struct manual *manual;
    const char *value;  // of the last: an option's argument, or the operand itself
    bool only_operands; // after `--`
};

enum { ARGUMENT_OPERAND = -1, ARGUMENT_END = -2, ARGUMENT_BAD = -3 };

// Returns the index of an option in manual->options, or one of the above. A bad option has been reported on stderr.
// An argument that begins with `-`, is longer than two characters and holds nothing but `-+*/,` and spaces is an
// operand: some boards look like that.
int argument_next(struct argument_reader *reader);

// Reads a number of threads, 1 … PARALLEL_THREADS_MOST. False where the text is none.
bool argument_threads(const char *text, unsigned *threads);

// Reads a number, 0 … 2^64-1. False where the text is none.
bool argument_number(const char *text, uint64_t *number);

// Reads a number of bytes: "300", "64K", "300M", "300MiB" or "2g", in powers of 1024. False where the text is none.
bool argument_bytes(const char *text, uint64_t *bytes);

// What both programs do first: a file over the limit of its size is a failed write, not a signal.
void command_begin(void);

// And last: output that could not be written is an error, whatever the status is else. Returns the exit status.
int command_end(const char *program, enum exit_status status);

// Prints "PROGRAM: TEXT" on stderr, in one line of printable ASCII: the names of files are other people's bytes.
void command_complain(const char *program, const char *text);

// The same for what was typed, and says where help is.
void command_complain_usage(const char *program, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
