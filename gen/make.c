#include "make.h"

#include "checkpoint.h"
#include "clock.h"
#include "forecast.h"
#include "format.h"
#include "generate.h"
#include "invariant.h"
#include "publish.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

// All that is known of the table that is to be made.
struct work {
    const char *program;
    const struct request *request;
    char shown[256]; // the definition's name, as it may be printed
    char *text;      // of the definition
    size_t length;
    size_t file_length; // of it, before options add to it
    struct puzzle puzzle;
    struct search_options options;
    struct forecast forecast;
    struct checkpoint checkpoint; // where there is one
    bool searches;                // has begun to
    unsigned root;                // of the search at hand
    double begin;                 // when
    double share_before;          // of all its states, that it had found then
    double share;                 // that it has found
};

// From how many roots all states are searched. A board with databases has none.
static unsigned roots_of(const struct work *work)
{
    return work->puzzle.tracked ? 0 : work->puzzle.root_count;
}

// ---- What is told -------------------------------------------------------------------------------------------------

// The time that is left is told of a search that has gone on for a while, from how much of it is done.
static void print_depth(void *context, unsigned root, unsigned depth, uint64_t states, uint64_t reached,
                        uint64_t entries)
{
    static const double SHARE_LEAST = 0.01; // before that nothing can be told
    struct work *work = context;
    double share = (double)reached / (double)entries;
    if (!work->searches || root != work->root) {
        work->searches = true;
        work->root = root;
        work->share_before = share;
        work->begin = clock_seconds();
    }
    work->share = share;
    double seconds = clock_seconds() - work->begin;
    double done = share - work->share_before;
    fprintf(stderr, "%s: ", work->shown);
    if (roots_of(work) > 1) {
        fprintf(stderr, "root %u of %u, ", root + 1, work->puzzle.root_count);
    }
    fprintf(stderr, "depth %u: %llu states, %.1f %% of all", depth, (unsigned long long)states, 100 * share);
    if (seconds > 1 && done > SHARE_LEAST && share < 1) {
        fprintf(stderr, ", about %.0f s left", seconds * (1 - share) / done);
    }
    fputc('\n', stderr);
}

static void print_warning(void *context, const char *text)
{
    const struct work *work = context;
    command_complain(work->program, text);
}

static void print_invariant(void *context, const char *text)
{
    (void)context;
    printf("invariant   %s\n", text);
}

static void print_forecast(const struct work *work)
{
    char size[FORECAST_SIZE];
    double seconds = forecast_seconds(&work->forecast, &work->puzzle, work->options.threads);
    printf("puzzle      %s\n", work->puzzle.name);
    printf("states      %llu", (unsigned long long)work->forecast.states);
    if (roots_of(work) > 1) {
        printf(", %llu from each of %u roots", (unsigned long long)work->puzzle.state_count, work->puzzle.root_count);
    }
    putchar('\n');
    invariants_tell(&work->puzzle, print_invariant, NULL);
    printf("memory      %s\n", forecast_write_size(work->forecast.memory, size));
    printf("disk        at most %s\n", forecast_write_size(work->forecast.disk, size));
    printf("time        roughly %.*f s on %u thread%s\n", seconds < 10 ? 1 : 0, seconds, work->options.threads,
           work->options.threads == 1 ? "" : "s");
}

// A definition may mean a move by what is the name of a rotation.
static void print_rotations(const struct work *work)
{
    const struct move_list *spoken = &work->puzzle.definition->spoken;
    for (unsigned i = 0; i < spoken->count; i++) {
        if (spoken->listed[i].is_rotation) {
            fprintf(stderr, "%s: %s turns the whole puzzle, by its name, and is not counted as a move\n", work->shown,
                    spoken->listed[i].name);
        }
    }
}

static void print_begin(const struct work *work)
{
    char size[FORECAST_SIZE];
    print_rotations(work);
    fprintf(stderr, "%s: %llu states, %s of memory\n", work->shown, (unsigned long long)work->forecast.states,
            forecast_write_size(work->forecast.memory, size));
}

// What there is now, what the last depth has left out, and where more is told, unless a shell would take that
// otherwise.
static void print_written(const struct work *work, const char *path)
{
    static const char PLAIN[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._+-";
    char shown[PATH_SIZE];
    fprintf(stderr, "%s: written", escape_text(shown, sizeof shown, path, strlen(path)));
    if (roots_of(work) == 1 && work->share < 1) {
        fprintf(stderr, "; no moves lead to the other %.1f %%", 100 * (1 - work->share));
    }
    if (format_has_suffix(path) && path[strspn(path, PLAIN)] == '\0') {
        fprintf(stderr, "; try `fewest %s %s`", work->puzzle.tracked ? "show" : "stats", path);
    }
    fputc('\n', stderr);
}

// ---- The definition -----------------------------------------------------------------------------------------------

// Reads a whole file of at most DEFINITION_LONGEST bytes (one more shows that it is longer).
static char *read_file(const char *path, size_t *length, struct fewest_error *error)
{
    FILE *file = fopen(path, "rb");
    char *text = malloc(DEFINITION_LONGEST + 1);
    if (!file || !text) {
        error_write(error, FEWEST_SYSTEM, "%s: %s", path, strerror(errno));
    } else {
        *length = fread(text, 1, DEFINITION_LONGEST + 1, file);
        if (!ferror(file)) {
            fclose(file);
            return text;
        }
        error_write(error, FEWEST_SYSTEM, "%s: %s", path, strerror(errno));
    }
    if (file) {
        fclose(file);
    }
    free(text);
    return NULL;
}

// What somebody confuses with one, is no text.
static bool is_definition(const struct work *work, struct fewest_error *error)
{
    return !format_is_table((const uint8_t *)work->text, work->length) ||
           error_set(error, FEWEST_BAD_INPUT,
                     "%s: this is a table, and no definition; `fewest show` prints that of a table",
                     work->request->definition);
}

// The options say which pieces are tracked in the words of the definition, which goes into the table.
static bool add_track(struct work *work, struct fewest_error *error)
{
    const char *track = work->request->track;
    if (strpbrk(track, "\r\n")) {
        return error_set(error, FEWEST_BAD_INPUT, "--track takes one line of pieces");
    }
    char *longer = realloc(work->text, work->length + strlen(track) + sizeof "\nTrack \n");
    if (!longer) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the definition");
    }
    work->text = longer;
    work->length += (size_t)sprintf(longer + work->length, "\nTrack %s\n", track);
    return true;
}

// A fault of the file is told as such, with its line; one that the file has not by itself is that of --track.
static bool fault_of_definition(const struct work *work, struct fewest_error *error)
{
    struct puzzle puzzle;
    struct fewest_error own;
    if (!work->request->track) {
        return error_prefix(error, work->request->definition);
    }
    bool sound = puzzle_compile(&puzzle, work->text, work->file_length, work->request->metric, &own);
    if (sound) {
        puzzle_free(&puzzle);
    } else if (own.status == FEWEST_BAD_INPUT) {
        *error = own;
        return error_prefix(error, work->request->definition);
    }
    const char *colon = strstr(error->text, ": "); // behind a line that nobody sees
    if (strncmp(error->text, "line ", 5) == 0 && colon) {
        memmove(error->text, colon + 2, strlen(colon + 2) + 1);
    }
    return error_prefix(error, "--track");
}

// ---- The table ----------------------------------------------------------------------------------------------------

// Where the table goes: what was asked for, or NAME.dtab.
static bool find_output(const struct request *request, const struct puzzle *puzzle, char path[PATH_SIZE],
                        struct fewest_error *error)
{
    if (request->output) {
        return snprintf(path, PATH_SIZE, "%s", request->output) < PATH_SIZE ||
               error_set(error, FEWEST_BAD_INPUT, "the name of the output is too long");
    }
    snprintf(path, PATH_SIZE, "%s" FORMAT_SUFFIX, puzzle->name);
    return !strchr(puzzle->name, '/') ||
           error_set(error, FEWEST_BAD_INPUT, "%s: its name, %s, can't be a file's; say where with -o",
                     request->definition, puzzle->name);
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat of_a;
    struct stat of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

static bool publish(struct work *work, struct fewest_error *error)
{
    char path[PATH_SIZE];
    struct publication publication;
    if (!find_output(work->request, &work->puzzle, path, error)) {
        return false;
    }
    bool done = publish_begin(&publication, path, error);
    if (done && work->options.checkpoint && strcmp(work->options.checkpoint->path, publication.path) == 0) {
        done = error_set(error, FEWEST_BAD_INPUT, "%s: the checkpoint and the table can't be one file", path);
    }
    if (done && is_same_file(work->request->definition, publication.path)) {
        done = error_set(error, FEWEST_BAD_INPUT, "%s: the definition and the table can't be one file", path);
    }
    if (done) {
        struct sink sink = publish_sink(&publication);
        work->options.folder = publication.folder;
        done = generate_table(&work->puzzle, work->text, work->length, &work->options, &sink, error) &&
               publish_finish(&publication, work->options.threads);
    }
    publish_end(&publication);
    if (done && work->request->watched) {
        print_written(work, path);
    }
    return done;
}

static bool make_with_checkpoint(struct work *work, struct fewest_error *error)
{
    if (work->puzzle.tracked) {
        return error_set(error, FEWEST_BEYOND, "%s is searched by databases, which have no checkpoints",
                         work->puzzle.name);
    }
    work->options.checkpoint = &work->checkpoint;
    bool done = checkpoint_open(&work->checkpoint, work->request->checkpoint, work->text, work->length,
                                work->puzzle.metric, error) &&
                publish(work, error);
    checkpoint_close(&work->checkpoint, done);
    return done;
}

static bool do_work(struct work *work, struct fewest_error *error)
{
    const struct request *request = work->request;
    if (!puzzle_compile(&work->puzzle, work->text, work->length, request->metric, error)) {
        return fault_of_definition(work, error);
    }
    work->forecast = forecast_costs(&work->puzzle, &work->options, work->length, request->checkpoint);
    bool done = forecast_check_memory(&work->forecast, &work->puzzle, request->memory, error);
    if (done && request->watched) {
        print_begin(work);
    }
    if (request->dry_run) {
        print_forecast(work);
    } else if (done) {
        done = request->checkpoint ? make_with_checkpoint(work, error) : publish(work, error);
    }
    puzzle_free(&work->puzzle);
    return done;
}

enum exit_status make_table(const char *program, const struct request *request)
{
    struct fewest_error error;
    struct work work = {.program = program, .request = request};
    work.options = (struct search_options){.threads = request->threads,
                                           .progress = request->watched ? print_depth : NULL,
                                           .stopped = request->stopped,
                                           .warn = print_warning,
                                           .context = &work};
    escape_text(work.shown, sizeof work.shown, request->definition, strlen(request->definition));
    work.text = read_file(request->definition, &work.length, &error);
    work.file_length = work.length;
    bool done = work.text && is_definition(&work, &error) && (!request->track || add_track(&work, &error)) &&
                do_work(&work, &error);
    free(work.text);
    if (!done) {
        command_complain(program, error.text);
        return exit_status_of(error.status);
    }
    return STATUS_ANSWERED;
}
