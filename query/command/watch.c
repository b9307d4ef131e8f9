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

static double search_begin; // when the table was opened

bool watch_search(void *context, int bound)
{
    (void)context;
    if (bound > 0 && clock_seconds() - search_begin >= 1 && isatty(STDERR_FILENO) &&
        atomic_exchange(&shown_bound, bound) != bound) {
        fprintf(stderr, "\rsearching for a path of %d moves ... ", bound);
    }
    return !interrupted;
}

enum { SHOWN_WIDTH = 60 }; // columns of the line

void hide_search(void)
{
    if (atomic_load_explicit(&shown_bound, memory_order_relaxed) != 0 &&
        atomic_exchange(&shown_bound, 0) != 0) {
        fprintf(stderr, "\r%*s\r", SHOWN_WIDTH, "");
    }
}

// Lets Ctrl-C set `interrupted`. A second Ctrl-C ends the program at once. Returns the time.
static double catch_interrupt(void)
{
    struct sigaction interrupt = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &interrupt, NULL);
    return clock_seconds();
}

void watch_searches(struct fewest *table)
{
    search_begin = catch_interrupt();
    fewest_watch(table, watch_search, NULL);
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

bool show_work(void *context, const char *what, uint64_t done, uint64_t all)
{
    struct work *work = context;
    double now = clock_seconds();
    if (done < work->done) { // a new part
        work->begin = now;
    }
    work->done = done;
    if (is_due(&work->next) && isatty(STDERR_FILENO)) {
        char text[2 * SHOWN_WIDTH];
        char left[SHOWN_WIDTH] = "";
        if (now - work->begin >= 1 && done > 0) {
            double seconds = (now - work->begin) * ((double)all / (double)done - 1);
            snprintf(left, sizeof left, "about %.0f %s left",
                     seconds < 120 ? seconds : seconds / 60, seconds < 120 ? "s" : "min");
        }
        snprintf(text, sizeof text, "%s: %.0f %% ... %s", what, 100.0 * (double)done / (double)all,
                 left);
        fprintf(stderr, "\r%-*s", SHOWN_WIDTH, text);
        atomic_store(&shown_bound, 1);
    }
    return !interrupted;
}

void watch_work(struct fewest *table, struct work *work)
{
    *work = (struct work){.begin = catch_interrupt()};
    work->next = work->begin + 1;
    fewest_watch_work(table, show_work, work);
}
