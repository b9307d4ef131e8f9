// The messages of the command: what is wrong and what to type instead.
#ifndef FEWEST_QUERY_COMMAND_PRINT_MESSAGES_H
#define FEWEST_QUERY_COMMAND_PRINT_MESSAGES_H

#include "command.h"
#include "input.h"
#include "query/fewest.h"

// Reports a table that could not be opened, and suggests what to type instead.
enum exit_status complain_table(const struct request *request, const char *puzzle,
                                const struct fewest_error *error);

// Clears the line that shows a search, and prints "fewest: …" on stderr. Returns the status.
enum exit_status complain(enum exit_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// The same for an error. Returns its exit status.
enum exit_status complain_error(const struct fewest_error *error);

// The same for the argument of an option: "fewest: OPTION: …".
enum exit_status complain_option(const char *option, const struct fewest_error *error);

// The same for a state that can't be read. Adds the solved state as an example or, if moves were
// typed, names --moves.
enum exit_status complain_state(const struct fewest *table, const char *typed, size_t length,
                                const struct fewest_error *error);

// Prints "fewest: …" about wrong usage, and how to get help. Returns STATUS_USAGE.
#define complain_usage(...) command_complain_usage(PROGRAM, __VA_ARGS__)

// Prints "fewest: NAME:LINE: …" about a line of input. Returns STATUS_USAGE.
enum exit_status complain_input(const char *name, uint64_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Reports a file that can't be opened or read, with the reason in errno. Returns STATUS_SYSTEM.
enum exit_status complain_system(const char *name);

// If the folder of --tables can't be read, reports that and returns STATUS_TABLE; else
// STATUS_ANSWERED. The other folders are searched in any case.
enum exit_status complain_folder(const struct request *request);

// Reports input that could not be read to its end. Prints nothing after a failed output or
// Ctrl-C, which main deals with. Returns STATUS_SYSTEM.
enum exit_status complain_failed(const struct input *input);

// Reports that no state matches --matching.
enum exit_status complain_no_match(const struct fewest *table);

// Fills in the error of a table whose header counts states that are not there. Returns false.
bool set_header_error(struct fewest_error *error);

// Is PUZZLE a path and not a name? A path has a slash or ends in ".dtab".
bool is_path(const char *puzzle);

// Is PUZZLE a bare grid such as 4x4?
bool is_grid(const char *puzzle);

#endif
