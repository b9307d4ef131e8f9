// A pass through lines of a batch: it answers them one after the other.
#ifndef FEWEST_QUERY_PASS_H
#define FEWEST_QUERY_PASS_H

#include "commands.h"

enum { QUEUE_MOST = DISTANCES_MOST }; // a query takes 16 KiB

struct pass {
    const struct line_answerer *answerer;
    FILE *out;
    // Is called for a line that fails, when `out` has the answers to the lines before it. Returns
    // false to end the pass.
    bool (*report)(struct pass *pass, unsigned long line, const struct fewest_error *error);
    unsigned long lines;        // so far
    bool comments;              // some line has a #, and # is not a cell
    unsigned queued;            // how many of the last lines wait in `queue` for their distances
    struct fewest_query *queue; // QUEUE_MOST of them
    void *context;              // for report
};

// Answers lines. The last one may lack its line end. If `cut` is set, there is one line, too long.
// Returns false if a report ended the pass.
bool pass_answer(struct pass *pass, const struct input_text *lines);

// Reports a line without an answer: prints `>N` after a limit, or `error` and a message for a bad
// line. For any other error it prints only a message, and the batch ends.
enum exit_status pass_report(const struct input *input, const struct line_answerer *answerer,
                             const struct fewest_error *error);

#endif
