// Answers lines of a batch.
//
// Distances are looked up for many lines at once, because the look-ups then overlap.
#include "pass.h"

#include "base/ascii.h"

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

static bool answer_queue(struct pass *pass)
{
    unsigned long first = pass->lines - pass->queued + 1;
    unsigned done = 0;
    bool going = true;
    while (going && done < pass->queued) {
        int steps[QUEUE_MOST];
        struct fewest_error error;
        size_t answered = fewest_steps_many(pass->answerer->table, pass->queue + done,
                                            pass->queued - done, steps, &error);
        hide_search();
        print_distances(steps, answered, pass->out);
        done += (unsigned)answered;
        if (done < pass->queued) {
            going = pass->report(pass, first + done++, &error);
        }
    }
    pass->queued = 0;
    return going;
}

// Answers a line or adds it to the queue.
static bool answer_line(struct pass *pass, const char *line, size_t length,
                        struct fewest_error *error)
{
    const struct line_answerer *answerer = pass->answerer;
    struct fewest_query *query = &pass->queue[pass->queued];
    bool reachable;
    length = pass->comments ? skip_comment(line, length) : length;
    if (!answerer->read) {
        return answerer->answer(answerer, line, length, pass->out, error);
    }
    if (!answerer->read(answerer, line, length, query, error)) {
        return false;
    }
    if (answerer->print == print_steps) {
        pass->queued++;
        return true;
    }
    return answerer->print(answerer->table, query, pass->out, &reachable, error);
}

static bool fail_line(struct pass *pass, const struct fewest_error *error)
{
    pass->lines--;
    bool going = answer_queue(pass); // the lines before it
    pass->lines++;
    return going && pass->report(pass, pass->lines, error);
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
        }
        next = stop ? stop + 1 : end;
        cut = false;
    } while (going && next < end);
    return going && answer_queue(pass);
}

enum exit_status pass_report(const struct input *input, const struct line_answerer *answerer,
                             const struct fewest_error *error)
{
    if (error->status == FEWEST_LIMITED) {
        printf(">%llu\n", (unsigned long long)answerer->limit);
        return STATUS_ANSWERED;
    }
    if (exit_status_of(error->status) == STATUS_USAGE) {
        puts("error");
        return complain_input(input, "%s", error->text);
    }
    return complain_error(error);
}
