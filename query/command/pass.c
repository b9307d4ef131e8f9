// Answers lines of a batch.
//
// Distances are looked up for many lines at once, because the look-ups then overlap.
#include "pass.h"

#include "base/ascii.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// The length of a line without its comment. A comment begins with a # after a word and a space.
static size_t skip_comment(const char *line, size_t length)
{
    const char *first = line;
    const char *end = line + length;
    while (first < end && ascii_is_space(*first)) {
        first++;
    }
    for (const char *at = first; (at = memchr(at, '#', (size_t)(end - at))); at++) {
        if (at > first && ascii_is_space(at[-1])) {
            return (size_t)(at - line);
        }
    }
    return length;
}

enum { UNKNOWN = INT_MIN }; // instead of a distance

static _Thread_local struct pass *current; // of this thread

static void publish_if_due(struct pass *pass)
{
    if (is_due(&pass->due)) {
        pass->publish(pass);
    }
}

// Looks at the clock only now and then: reading it takes as long as an answer. If a query is slow,
// its watcher looks.
static void publish_sometimes(struct pass *pass)
{
    enum { ANSWERS = 1024 };
    if (pass->lines % ANSWERS < QUEUE_MOST) {
        publish_if_due(pass);
    }
}

// Prints the distances of the queue that are known.
static void print_known(struct pass *pass)
{
    unsigned known = pass->printed;
    while (known < pass->queued && pass->steps[known] != UNKNOWN) {
        known++;
    }
    print_distances(pass->steps + pass->printed, known - pass->printed, pass->out);
    pass->printed = known;
}

void pass_watch(void)
{
    if (current) {
        print_known(current);
        publish_if_due(current);
    }
}

void pass_cut(void)
{
    if (current) {
        print_known(current);
        current->publish(current);
        if (current->cut) {
            current->cut(current);
        }
    }
}

static bool answer_queue(struct pass *pass)
{
    bool going = true;
    for (unsigned i = 0; i < pass->queued; i++) {
        pass->steps[i] = UNKNOWN;
    }
    pass->printed = 0;
    while (going && pass->printed < pass->queued) {
        struct fewest_error error;
        unsigned begun = pass->printed;
        size_t answered = fewest_steps_many(pass->answerer->table, pass->queue + begun,
                                            pass->queued - begun, pass->steps + begun, &error);
        hide_search();
        print_known(pass);
        if (begun + answered < pass->queued) {
            going = pass->report(pass, pass->line_of[pass->printed++], &error);
        }
    }
    pass->queued = 0;
    publish_sometimes(pass);
    return going;
}

// Answers a line or adds it to the queue.
static bool answer_line(struct pass *pass, const char *line, size_t length,
                        struct fewest_error *error)
{
    const struct line_answerer *answerer = pass->answerer;
    struct fewest_query *query = &pass->queue[pass->queued];
    bool reachable;
    if (answerer->skips && answerer->skips(line, length)) {
        return true;
    }
    length = pass->comments ? skip_comment(line, length) : length;
    if (!answerer->read) {
        return answerer->answer(answerer, line, length, pass->out, error);
    }
    if (!answerer->read(answerer, line, length, query, error)) {
        return false;
    }
    if (answerer->print == print_steps) {
        pass->line_of[pass->queued++] = pass->lines;
        return true;
    }
    return answerer->print(answerer->table, query, pass->out, &reachable, error);
}

static bool fail_line(struct pass *pass, const struct fewest_error *error)
{
    return answer_queue(pass) && pass->report(pass, pass->lines, error);
}

static struct fewest_error too_long(void)
{
    struct fewest_error error = {.status = FEWEST_BAD_INPUT};
    snprintf(error.text, sizeof error.text, "this line is longer than %d bytes",
             INPUT_LINE_LONGEST);
    return error;
}

bool pass_answer(struct pass *pass, const struct input_text *lines)
{
    const char *next = lines->text;
    const char *end = next + lines->length;
    bool going = true;
    bool cut = lines->cut;
    current = pass;
    (void)is_due(&pass->due);
    pass->comments = !pass->answerer->has_hash && memchr(lines->text, '#', lines->length);
    do { // without a line end, an empty text is an empty line
        const char *stop = memchr(next, '\n', (size_t)(end - next));
        size_t length = (size_t)((stop ? stop : end) - next);
        struct fewest_error error;
        pass->lines++;
        if (cut || length > INPUT_LINE_LONGEST) {
            error = too_long();
            going = fail_line(pass, &error);
        } else if (!answer_line(pass, next, length, &error)) {
            going = fail_line(pass, &error);
        } else if (pass->queued == QUEUE_MOST) {
            going = answer_queue(pass);
        } else if (pass->queued == 0 && pass->lines % QUEUE_MOST == 0) {
            publish_if_due(pass);
        }
        next = stop ? stop + 1 : end;
        cut = false;
    } while (going && next < end);
    going = going && answer_queue(pass);
    current = NULL;
    return going;
}

enum exit_status pass_report(struct input *input, const struct line_answerer *answerer,
                             const struct fewest_error *error)
{
    if (error->status == FEWEST_LIMITED) {
        printf(">%llu\n", (unsigned long long)answerer->limit);
        return STATUS_ANSWERED;
    }
    if (exit_status_of(error->status) == STATUS_USAGE) {
        puts("error");
        return ++input->refused <= REFUSALS_SHOWN ? complain_input(input, "%s", error->text)
                                                  : STATUS_USAGE;
    }
    if (error->status == FEWEST_STOPPED) {
        complain_input(input, "%s", error->text);
        return STATUS_SYSTEM;
    }
    return complain_error(error);
}
