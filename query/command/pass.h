// A pass through lines of a batch: it answers them one after the other.
#ifndef FEWEST_QUERY_PASS_H
#define FEWEST_QUERY_PASS_H

#include "commands.h"

enum { QUEUE_MOST = DISTANCES_MOST }; // a query takes 16 KiB

struct pass {
    const struct line_answerer *answerer;
    FILE *out;
    // Hands over what is in `out`. Is called between two answers, at most ten times a second.
    void (*publish)(struct pass *pass);
    void (*cut)(struct pass *pass); // NULL, or called after the last `publish` by pass_cut
    // Is called for a line that fails, when `out` has the answers to the lines before it. Returns
    // false to end the pass.
    bool (*report)(struct pass *pass, unsigned long line, const struct fewest_error *error);
    unsigned long lines;        // so far
    bool comments;              // some line has a #, and # is not a cell
    unsigned queued;            // how many of the last lines wait in `queue` for their distances
    struct fewest_query *queue; // QUEUE_MOST of them
    unsigned long line_of[QUEUE_MOST]; // by query of the queue: its line
    int steps[QUEUE_MOST];             // their distances, as far as they are known
    unsigned printed;                  // how many of these were printed
    double due;                        // when `publish` is called next
    void *context;                     // for report and publish
};

// Answers lines. The last one may lack its line end. If `cut` is set, there is one line, too long.
// Returns false if a report ended the pass.
bool pass_answer(struct pass *pass, const struct input_text *lines);

// Publishes the answers of this thread's pass, if that is due. A watcher of a long query calls it,
// so that no finished answer waits for that query. Does nothing in a thread that answers no lines.
void pass_watch(void);

// The table was cut short while this thread read it: hands over the answers of its pass.
void pass_cut(void);

// Reports a line without an answer: prints `>N` after a limit, or `error` for a bad line. The first
// REFUSALS_SHOWN bad lines get a message, too. For any other error it prints only a message, and
// the batch ends.
enum { REFUSALS_SHOWN = 10 };
enum exit_status pass_report(struct input *input, const struct line_answerer *answerer,
                             const struct fewest_error *error);

#endif
