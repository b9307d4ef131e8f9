// Answers the items of an input in order, in one thread or several. An item is a line of a batch or
// a case of a judge problem.
//
// The main thread reads the input and cuts it into pieces, each of some items. Workers answer the
// pieces, each into memory of its own. The first piece that is not printed yet has the *turn*. Only
// a thread whose piece has the turn prints. If an item can't be answered, its thread waits for the
// turn, so that answers and messages come in order. Without workers, the main thread answers each
// piece itself.
//
// Finished answers are flushed before the main thread waits for input, after 64 KiB, and within
// 0.2 s if later items take long. Only whole lines are flushed.
#ifndef FEWEST_QUERY_COMMAND_LINES_LINES_H
#define FEWEST_QUERY_COMMAND_LINES_LINES_H

#include "query/command/print/print.h"
#include "query/command/request/command.h"
#include "query/command/request/input.h"

enum { QUEUE_MOST = DISTANCES_MOST }; // a query takes 16 KiB

// Can each query take long, because a search answers it? Then an item is a piece of its own.
static inline bool lines_take_long(const struct fewest *table)
{
    return table && fewest_info(table)->is_searched;
}

struct lines;
struct pass;

// How lines are read and answered.
struct line_job {
    struct fewest *table;       // NULL: none
    size_t full;                // bytes: a piece that has as many is closed
    enum exit_status tolerated; // a report with a worse status ends the run
    // Changes an input that was opened, or NULL. False: errno tells why.
    bool (*prepare)(void *context, struct input *input);
    // Reads something and adds it with lines_add. False at the end of the input and on failure.
    bool (*read)(void *context, struct lines *lines);
    // Answers the item at pass->next, and moves `next` behind it. Either prints the answer on
    // pass->out, or puts a query at the end of the queue and leaves the rest to `print`. False
    // with an error if it can't.
    bool (*answer)(struct pass *pass, struct fewest_error *error);
    // Prints pass->steps from `begin` to `end` - 1.
    void (*print)(struct pass *pass, unsigned begin, unsigned end);
    // Reports an item without an answer. Its number in the piece is `place`, from 1.
    enum exit_status (*report)(const struct pass *pass, uint64_t place,
                               const struct fewest_error *error);
    void *context;
};

// A thread that answers a piece. Distances are looked up for many items at once, because the
// look-ups then overlap.
struct pass {
    const struct line_job *job;
    const char *bytes; // of the piece
    const char *next;  // item, and the end of all
    const char *end;
    FILE *out;
    uint64_t items;  // of the piece so far, with the one that is answered
    uint64_t before; // items of the input before the piece
    unsigned cells;  // of a state; 0 without a table
    unsigned queued; // items whose queries wait for their distances
    // Their starts and targets: rows of `cells` bytes, one after the other.
    uint8_t starts[QUEUE_MOST * FEWEST_CELLS_MOST];
    uint8_t targets[QUEUE_MOST * FEWEST_CELLS_MOST];
    uint64_t place[QUEUE_MOST]; // of their items in the piece, from 1
    int steps[QUEUE_MOST];      // their distances, as far as they are known

    // The rest is for lines.c.
    struct lines *lines;
    struct piece *piece;
    uint64_t number;  // of the piece
    unsigned printed; // how many distances of the queue were printed
    double due;       // when the answers are flushed next
};

// The start of the query that comes next in the queue: room for `cells` bytes.
static inline uint8_t *lines_start(struct pass *pass)
{
    return pass->starts + (size_t)pass->queued * pass->cells;
}

// And its target.
static inline uint8_t *lines_target(struct pass *pass)
{
    return pass->targets + (size_t)pass->queued * pass->cells;
}

// Adds bytes to the piece that is read, or to a new one. `items` is the number of items that end
// with these bytes. Returns false if memory runs out or if the run has ended.
bool lines_add(struct lines *lines, const void *bytes, size_t length, uint64_t items);

// With `holds`, begins an item that is added in parts, in a new piece; without, ends it. Meanwhile
// nothing of it is answered. At other times, what has been added is answered before the main thread
// waits for input.
void lines_hold(struct lines *lines, bool holds);

// Opens a file (NULL or "-": stdin) as `input`, and answers all that the job reads from it, with
// the options of the request. Returns the worst status of all reports, or that of another failure
// after a message.
enum exit_status lines_answer_file(const struct line_job *job, struct input *input,
                                   const struct request *request, const char *path);

#endif
