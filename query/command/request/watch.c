// Lets Ctrl-C stop long work, and shows it on a terminal.
#include "watch.h"
#include "tables/base/clock.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

// Set by Ctrl-C, once a table is open.
static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

// The bound that a line on the terminal shows, or 1 if it shows other work. 0: there is no line.
// Any thread may write it.
static _Atomic int shown_bound;

bool was_interrupted(void)
{
    return interrupted;
}

// Long work on a table. No two threads watch work at once. Times are in seconds, as clock_seconds
// tells.
static struct {
    double opened; // when the table was opened
    double next;   // when work may be shown next
    double begin;  // of the present part of the work
    uint64_t done; // steps of this part
} watched;

// Shows the bound of a search on a terminal, once for each bound and not in the first second.
static void show_search(int bound)
{
    if (bound == 0 || clock_seconds() - watched.opened < 1 || !isatty(STDERR_FILENO)) {
        return;
    }
    if (atomic_exchange(&shown_bound, bound) != bound) {
        fprintf(stderr, "\rsearching for a path of %d moves ... ", bound);
    }
}

enum { SHOWN_WIDTH = 60 }; // columns of the line

void hide_search(void)
{
    // A look is cheaper than an exchange, and nearly always there is no line.
    if (atomic_load_explicit(&shown_bound, memory_order_relaxed) == 0) {
        return;
    }
    if (atomic_exchange(&shown_bound, 0) != 0) { // only one thread clears it
        fprintf(stderr, "\r%*s\r", SHOWN_WIDTH, "");
    }
}

void begin_watch(void)
{
    // SA_RESETHAND: a second Ctrl-C ends the program at once.
    struct sigaction interrupt = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &interrupt, NULL);
    watched.opened = clock_seconds();
    watched.begin = watched.opened;
    watched.next = watched.opened + 1;
    watched.done = 0;
}

bool is_due(double *next)
{
    static const double PAUSE = 0.1; // seconds
    double now = clock_seconds();
    bool due = now >= *next;
    if (due) {
        *next = now + PAUSE;
    }
    return due;
}

// Shows on a terminal how far work is, in percent, and about how long it still takes. The time is
// shown after the first second of a part, as if the rest of it went on at the same speed.
static void show_work(const struct fewest_progress *progress)
{
    const double done = (double)progress->done;
    const double all = (double)progress->all;
    double now = clock_seconds();
    if (progress->done < watched.done) { // a new part
        watched.begin = now;
    }
    watched.done = progress->done;
    if (is_due(&watched.next) && isatty(STDERR_FILENO)) {
        char text[2 * SHOWN_WIDTH];
        char left[SHOWN_WIDTH] = "";
        if (now - watched.begin >= 1 && done > 0) {
            double seconds = (now - watched.begin) * (all / done - 1);
            snprintf(left, sizeof left, "about %.0f %s left",
                     seconds < 120 ? seconds : seconds / 60, seconds < 120 ? "s" : "min");
        }
        snprintf(text, sizeof text, "%s: %.0f %% ... %s", progress->what, 100 * done / all, left);
        fprintf(stderr, "\r%-*s", SHOWN_WIDTH, text);
        atomic_store(&shown_bound, 1);
    }
}

bool watch_progress(void *context, const struct fewest_progress *progress)
{
    (void)context;
    if (progress->what) {
        show_work(progress);
    } else {
        show_search(progress->bound);
    }
    return !interrupted;
}
