// Lets Ctrl-C stop long work, and shows it on a terminal.
#include "watch.h"
#include "tables/base/clock.h"

#include <pthread.h>
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

// Is there a line on the terminal? Any thread may write it.
static _Atomic bool is_shown;

bool was_interrupted(void)
{
    return interrupted;
}

// Long work on a table. Two threads may watch searches at once, but no other work. Times are in
// seconds, as clock_seconds tells.
static struct {
    pthread_mutex_t lock; // for searches
    double next;          // when work may be shown next
    double begin;         // of the present part of the work, or of the search's bound
    uint64_t done;        // steps of this part, or nodes
    int bound;
} watched = {.lock = PTHREAD_MUTEX_INITIALIZER};

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

enum { SHOWN_WIDTH = 79 }; // columns of the line

// Writes how much time is left, such as "about 20 s left".
static void write_left(double seconds, char text[SHOWN_WIDTH])
{
    static const struct {
        double seconds;
        const char *name;
    } UNITS[] = {{1, "s"}, {60, "min"}, {3600, "h"}};
    unsigned u = seconds < 120 ? 0 : seconds < 7200 ? 1 : 2;
    snprintf(text, SHOWN_WIDTH, "about %.0f %s left", seconds / UNITS[u].seconds, UNITS[u].name);
}

// Shows on a terminal how far the search of a bound is. Estimates the time left from the forecast
// or, without one, from the share of the tree.
static void show_bound(const struct fewest_progress *progress)
{
    char line[2 * SHOWN_WIDTH];
    char share[SHOWN_WIDTH] = "";
    char speed[SHOWN_WIDTH] = "";
    char left[SHOWN_WIDTH] = "";
    double seconds = clock_seconds() - watched.begin;
    double nodes = (double)progress->nodes;
    if (progress->share > 0) {
        snprintf(share, sizeof share, ", %.0f %% done", 100 * progress->share);
    }
    if (seconds >= 1 && nodes > 0) {
        snprintf(speed, sizeof speed, ", %.1f million nodes a second", nodes / seconds / 1e6);
    }
    if (seconds >= 1 && progress->forecast > nodes) {
        write_left((progress->forecast - nodes) * seconds / nodes, left);
    } else if (seconds >= 1 && progress->share > 0) {
        write_left((1 - progress->share) * seconds / progress->share, left);
    }
    snprintf(line, sizeof line, "searching for %d moves%s%s%s%s", progress->bound, share, speed,
             *left ? ", " : "", left);
    fprintf(stderr, "\r%-*.*s", SHOWN_WIDTH, SHOWN_WIDTH, line);
    atomic_store(&is_shown, true);
}

// Shows a search on a terminal, not in the first second.
static void show_search(const struct fewest_progress *progress)
{
    if (progress->bound == 0 || pthread_mutex_trylock(&watched.lock) != 0) {
        return; // another thread shows its search
    }
    if (progress->bound != watched.bound || progress->nodes < watched.done) { // a new bound
        watched.begin = clock_seconds();
    }
    watched.bound = progress->bound;
    watched.done = progress->nodes;
    if (is_due(&watched.next) && isatty(STDERR_FILENO)) {
        show_bound(progress);
    }
    pthread_mutex_unlock(&watched.lock);
}

void hide_search(void)
{
    // A look is cheaper than an exchange, and nearly always there is no line.
    if (!atomic_load_explicit(&is_shown, memory_order_relaxed)) {
        return;
    }
    if (atomic_exchange(&is_shown, false)) { // only one thread clears it
        fprintf(stderr, "\r%*s\r", SHOWN_WIDTH, "");
    }
}

void begin_watch(void)
{
    // SA_RESETHAND: a second Ctrl-C ends the program at once.
    struct sigaction interrupt = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &interrupt, NULL);
    watched.begin = clock_seconds();
    watched.next = watched.begin + 1;
    watched.done = 0;
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
            write_left((now - watched.begin) * (all / done - 1), left);
        }
        snprintf(text, sizeof text, "%s: %.0f %% ... %s", progress->what, 100 * done / all, left);
        fprintf(stderr, "\r%-*s", SHOWN_WIDTH, text);
        atomic_store(&is_shown, true);
    }
}

bool watch_progress(void *context, const struct fewest_progress *progress)
{
    (void)context;
    if (progress->what) {
        show_work(progress);
    } else {
        show_search(progress);
    }
    return !interrupted;
}
