// Lets Ctrl-C stop long work, and shows it on a terminal.
#include "watch.h"
#include "tables/base/clock.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

// Set by Ctrl-C, once the table of a searched puzzle is open.
static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static _Atomic int shown_bound; // on the terminal, written by any thread; 0: none

bool was_interrupted(void)
{
    return interrupted;
}

// Long work on a table. No two threads watch work at once.
static struct {
    double search; // when the table was opened
    double next;   // when work may be shown
    double begin;  // of the present part
    uint64_t done; // of this part
} watched;

static void show_search(int bound)
{
    if (bound > 0 && clock_seconds() - watched.search >= 1 && isatty(STDERR_FILENO) &&
        atomic_exchange(&shown_bound, bound) != bound) {
        fprintf(stderr, "\rsearching for a path of %d moves ... ", bound);
    }
}

enum { SHOWN_WIDTH = 60 }; // columns of the line

void hide_search(void)
{
    if (atomic_load_explicit(&shown_bound, memory_order_relaxed) != 0 &&
        atomic_exchange(&shown_bound, 0) != 0) {
        fprintf(stderr, "\r%*s\r", SHOWN_WIDTH, "");
    }
}

// A second Ctrl-C ends the program at once.
void begin_watch(void)
{
    struct sigaction interrupt = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &interrupt, NULL);
    watched.search = clock_seconds();
    watched.begin = watched.search;
    watched.next = watched.search + 1;
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
