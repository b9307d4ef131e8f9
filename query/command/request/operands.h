// Reads what operands name: states, moves, tables.
#ifndef FEWEST_QUERY_OPERANDS_H
#define FEWEST_QUERY_OPERANDS_H

#include "command.h"
#include "query/fewest.h"

// Reads the texts of the operands after PUZZLE, at most two: START and TARGET. Each is the operand
// itself, or the text that `-` or `@FILE` names. read[0] and read[1] must be NULL before; the
// caller frees them, also after a failure. Returns the exit status, after a message if one can't be
// read.
enum exit_status read_operands(const struct request *request, const char *text[2], size_t length[2],
                               char *read[2]);

// Checks --count of paths. Returns the exit status, after a message if it is wrong.
enum exit_status check_wanted_paths(const struct request *request);

// Fills in the state that --moves lead to. Returns the exit status, after a message if it fails.
enum exit_status make_moves(const struct fewest *table, const struct request *request,
                            uint8_t *state);

// Fills in the state with wildcards that --matching names, and sets *matching to it; or to NULL
// without --matching. Returns the exit status, after a message if it fails.
enum exit_status read_matching(const struct fewest *table, const struct request *request,
                               uint8_t *state, const uint8_t **matching);

// Sets the options of the request, and a watcher.
bool set_options(struct fewest *table, const struct request *request, fewest_watcher *watch,
                 void *context, struct fewest_error *error);

// Opens the table of PUZZLE, a path or a name, with the options of the request. Its watcher is
// watch_progress. Returns NULL with an error if it can't; complain_table reports it.
struct fewest *open_table(const struct request *request, const char *puzzle,
                          struct fewest_error *error);

// Opens the table that the first operand names, calls `answer`, and closes the table. Returns the
// exit status of `answer`, or another one after a message if there is no table.
enum exit_status with_table(const struct request *request,
                            enum exit_status (*answer)(const struct request *, struct fewest *));

// Is the file called NAME.dtab, whatever its folder?
bool is_named_after(const char *path, const char *name);

#endif
