// Answers to many lines.
#ifndef FEWEST_QUERY_COMMAND_LINES_BATCH_H
#define FEWEST_QUERY_COMMAND_LINES_BATCH_H

#include "query/command/print/answers.h"
#include "query/command/request/command.h"

// How a line without an answer looks.
enum line_form {
    LINE_PLAIN,    // `error`
    LINE_NUMBERED, // after the number of the line and a tab, as all paths of a query are
    LINE_JSON,     // a JSON object, as every answer is
};

// How to answer each line of a file: `read` reads a query and `print` prints its answer. Without a
// target, target[0] becomes FEWEST_GOALS.
struct line_answerer;
typedef bool read_line_function(const struct line_answerer *answerer, const char *line,
                                size_t length, uint8_t *start, uint8_t *target,
                                struct fewest_error *error);
struct line_answerer {
    read_line_function *read;
    // Does a line of moves get no answer? NULL: lines have states or numbers.
    bool (*skips)(const char *line, size_t length);
    bool joins; // an input that holds one state on several lines is one line
    struct fewest *table;
    print_answer *print; // of a query, or of a state: the start of a query
    enum line_form form;
    struct query query; // what all lines have in common: of its paths, if all are wanted
    const char *grid;   // for parity without a table: then only `form` is used besides
};

// Answers each line of a file, or of stdin (NULL or "-"). For a line that can't be answered it
// prints `error`.
enum exit_status batch_answer_file(const struct line_answerer *answerer,
                                   const struct request *request, const char *path);

// Answers `fewest batch` with an open table, or for a bare board without one (NULL).
enum exit_status batch_answer(const struct request *request, struct fewest *table);

#endif
