// Prints the lines about a run of the generator.
#include "progress.h"

#include "command.h"
#include "gen/layers/options.h"
#include "tables/base/clock.h"
#include "tables/program/command_line.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

enum { LINE = 8192 }; // bytes of the longest line

void progress_begin(struct progress *progress, const char *definition, bool watched)
{
    double now = clock_seconds();
    *progress =
        (struct progress){.watched = watched, .begin = now, .layer_end = now, .search = UINT_MAX};
    escape_text(progress->shown, sizeof progress->shown, definition, strlen(definition));
}

bool progress_open_log(struct progress *progress, const char *path, struct fewest_error *error)
{
    progress->log_path = path;
    progress->log = fopen(path, "a");
    if (!progress->log) {
        return error_set(error, FEWEST_SYSTEM, "%s: can't write this log: %s", path,
                         strerror(errno));
    }
    return true;
}

void progress_end(struct progress *progress)
{
    if (progress->log) {
        fclose(progress->log);
        progress->log = NULL;
    }
}

// Appends a line to the log at once, so that the line is there if the machine fails. If the log
// can't be written, warns and closes it.
static void write_log(struct progress *progress, const char *line)
{
    if (!progress->log) {
        return;
    }
    if (fprintf(progress->log, "%s\n", line) < 0 || fflush(progress->log) != 0) {
        struct fewest_error error;
        error_write(&error, FEWEST_SYSTEM,
                    "warning: %s: can't write this log any more, but the run continues: %s",
                    progress->log_path, strerror(errno));
        progress_end(progress);
        command_complain(PROGRAM, error.text);
    }
}

void progress_print(struct progress *progress, const char *format, ...)
{
    char line[LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (progress->watched) {
        fprintf(stderr, "%s\n", line);
    }
    write_log(progress, line);
}

void progress_complain(struct progress *progress, const char *text)
{
    command_complain(PROGRAM, text);
    write_log(progress, text);
}

// Begins a stage. `share` is the part that is done already, by the run that left a checkpoint.
static struct stage begin_stage(double share)
{
    return (struct stage){clock_seconds(), share, share};
}

enum { TIME_LEFT_SIZE = 64 };

// Writes the time left of a stage, as in ", about 3 min left". Writes nothing before one second and
// a hundredth of the stage, or if less than a second is left. Returns `text`.
static const char *write_time_left(const struct stage *stage, char text[TIME_LEFT_SIZE])
{
    static const double SHARE_LEAST = 0.01;
    double seconds = clock_seconds() - stage->begin;
    double done = stage->share - stage->share_before;
    char time[TIME_SIZE];
    text[0] = '\0';
    if (seconds <= 1 || done <= SHARE_LEAST) {
        return text;
    }
    double left = seconds * (1 - stage->share) / done;
    if (left >= 1) {
        snprintf(text, TIME_LEFT_SIZE, ", about %s left", write_time(left, time));
    }
    return text;
}

void progress_layer(struct progress *progress, const struct fewest_gen_progress *layer)
{
    const struct fewest_gen_traffic *traffic = layer->traffic;
    // The parts of the line:
    char which[64] = "";                   // the root or database, if there are several
    char rate[64] = "from the checkpoint"; // or states per second
    char sent[96] = "";                    // the traffic between ranks
    char left[TIME_LEFT_SIZE];
    char percent[32] = "";
    double now = clock_seconds();
    double took = now - progress->layer_end; // seconds for this layer
    bool knows_all = layer->entries > 0;     // else nobody knows how many states there are
    double share = knows_all ? (double)layer->reached / (double)layer->entries : 0;
    bool begins_search = layer->number != progress->search;
    if (begins_search) {
        progress->search = layer->number;
        progress->searching = begin_stage(share);
    }
    progress->searching.share = share;
    progress->layer_end = now;
    if (layer->count > 1) {
        snprintf(which, sizeof which, "%s %u of %u, ", layer->search, layer->number + 1,
                 layer->count);
    }
    bool is_saved = begins_search && layer->layer > 0; // the last layer of a checkpoint
    if (!is_saved) {
        double states_per_second = took > 0 ? (double)layer->found / took : 0;
        snprintf(rate, sizeof rate, "%.0f states/s", states_per_second);
    }
    if (traffic && traffic->sent > 0) {
        snprintf(sent, sizeof sent, ", %.1f MiB sent, waited up to %.1f s for rank %u",
                 (double)traffic->sent / (1 << 20), traffic->waited, traffic->slowest);
    }
    if (knows_all) {
        snprintf(percent, sizeof percent, " (%.1f %%)", 100 * share);
    }
    progress_print(progress, "%s: %slayer %u: %llu state%s, total %llu%s, %s, %.1f s%s%s",
                   progress->shown, which, layer->layer, (unsigned long long)layer->found,
                   layer->found == 1 ? "" : "s", (unsigned long long)layer->reached, percent, rate,
                   now - progress->begin, sent, write_time_left(&progress->searching, left));
}

void progress_packed(struct progress *progress, uint64_t packed, uint64_t count)
{
    static const double SECONDS = 2;
    char left[TIME_LEFT_SIZE];
    double share = (double)packed / (double)count;
    double now = clock_seconds();
    if (progress->packing.begin == 0) { // these are the first blocks
        progress->packing = begin_stage(share);
        progress->printed = now;
    }
    progress->packing.share = share;
    if (now - progress->printed >= SECONDS) {
        progress->printed = now;
        progress_print(progress, "%s: packed %.0f %% of the table%s", progress->shown, 100 * share,
                       write_time_left(&progress->packing, left));
    }
}
