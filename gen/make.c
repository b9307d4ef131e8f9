// One run of the generator: reads the definition, makes the table, reports progress.
#include "make.h"

#include "base/ascii.h"
#include "puzzle/compile.h"

#include "file/format.h"
#include "forecast.h"
#include "generate.h"
#include "kpuzzle.h"
#include "layer_file.h"
#include "name.h"
#include "progress.h"
#include "publish.h"
#include "ranks/ranks.h"
#include "replace.h"
#include "shell.h"
#include "suggest.h"
#include "wildcards.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

// The table to make, and its progress.
struct work {
    const struct make_request *request;
    struct progress progress;
    char *text; // of the definition
    size_t length;
    size_t file_length;          // of the text in the file, without the lines that options add
    struct kpuzzle_text kpuzzle; // what the text was made from, if the file is a KPuzzle definition
    struct puzzle puzzle;
    bool is_compiled; // the puzzle is there
    bool has_forecast;
    char states[STATE_COUNT_SIZE]; // their exact number
    struct search_options options;
    struct forecast forecast;
    struct layer_file checkpoint; // opened if the request has one
};

// ---- Messages -----------------------------------------------------------------------------------

// Before the number of states: it counts illegal states, too, and only the search finds them.
static const char *at_most(const struct work *work)
{
    return work->puzzle.forbids_states ? "at most " : "";
}

// The ranks of a plan, or those that there are.
static unsigned planned_ranks(const struct work *work)
{
    return work->request->ranks > 0 ? work->request->ranks : ranks_count();
}

static void print_forecast(const struct work *work)
{
    char size[SIZE_TEXT];
    char sharing[SHARING_SIZE];
    char time[TIME_SIZE];
    unsigned ranks = planned_ranks(work);
    double seconds = work->forecast.seconds / work->options.threads / ranks;
    printf("puzzle      %s\n", work->puzzle.name);
    printf("states      %s%s\n", at_most(work), work->states);
    if (work->forecast.databases > 0) {
        printf("entries     %llu in %u pattern databases\n",
               (unsigned long long)work->forecast.entries, work->forecast.databases);
    } else if (work->forecast.entries != work->puzzle.reachable_count) {
        printf("entries     %llu from %u root%s\n", (unsigned long long)work->forecast.entries,
               work->forecast.roots, work->forecast.roots == 1 ? "" : "s");
    }
    for (unsigned l = 0; l < work->puzzle.line_count; l++) {
        if (puzzle_write_sharing(&work->puzzle, l, sharing)) {
            printf("shared      %s\n", sharing);
        }
    }
    printf("memory      %s%s\n", size_write(work->forecast.memory, size),
           ranks > 1 ? " for a rank" : "");
    printf("disk        at most %s%s\n",
           size_write(work->forecast.table + work->forecast.layers, size),
           ranks > 1 ? " for all ranks" : "");
    if (ranks > 1) {
        printf("sent        at most %s in a layer, by all ranks\n",
               size_write(work->forecast.sent, size));
    }
    printf("time        roughly %s on %u thread%s", write_time(seconds, time),
           work->options.threads, work->options.threads == 1 ? "" : "s");
    printf(ranks > 1 ? " in each of %u ranks\n" : "\n", ranks);
}

// Warns of names that mean a rotation, because the author may have meant a move.
static void print_rotations(struct work *work)
{
    const struct move_list *others = &work->puzzle.definition->others;
    bool chosen = work->puzzle.definition->generators_line > 0;
    for (unsigned i = 0; i < others->count && !chosen; i++) {
        if (others->listed[i].is_rotation) {
            progress_print(&work->progress,
                           "%s: the name %s means a rotation of the whole puzzle, so it is not "
                           "counted as a move",
                           work->progress.shown, others->listed[i].name);
        }
    }
}

static void print_begin(struct work *work)
{
    char memory[SIZE_TEXT];
    char disk[SIZE_TEXT];
    char sharing[SHARING_SIZE];
    if (!work->kpuzzle.places) { // in a KPuzzle definition, these names are customary
        print_rotations(work);
    }
    for (unsigned l = 0; l < work->puzzle.line_count; l++) {
        if (puzzle_write_sharing(&work->puzzle, l, sharing)) {
            progress_print(&work->progress, "%s: %s", work->progress.shown, sharing);
        }
    }
    progress_print(&work->progress,
                   "%s: %s%.*s states; the search needs %s of memory, and at most %s of disk",
                   work->progress.shown, at_most(work), (int)strcspn(work->states, " "),
                   work->states, size_write(work->forecast.memory, memory),
                   size_write(work->forecast.table + work->forecast.layers, disk));
}

// Prints the path. Suggests a command if the path needs no quotes in a shell.
static void print_written(struct work *work, const char *path, bool unchanged)
{
    char shown[PATH_SIZE];
    bool plain = format_has_suffix(path) && shell_is_plain(path);
    progress_print(
        &work->progress, "%s: %s%s%s%s%s", escape_text(shown, sizeof shown, path, strlen(path)),
        unchanged ? "already holds this table" : "table written", plain ? "; try `fewest " : "",
        !plain                         ? ""
        : work->forecast.databases > 0 ? "show "
                                       : "stats ",
        plain ? path : "", plain ? "`" : "");
}

// ---- The definition -----------------------------------------------------------------------------

// Reads a whole file, but at most DEFINITION_LONGEST + 1 bytes. `what` is what it holds.
static char *read_file(const char *path, const char *what, size_t *length,
                       struct fewest_error *error)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(DEFINITION_LONGEST + 1) : NULL;
    bool done = false;
    if (text) {
        *length = fread(text, 1, DEFINITION_LONGEST + 1, file);
        done = !ferror(file);
    }
    if (!done) {
        error_write(error, FEWEST_SYSTEM, "%s: can't read this %s: %s", path, what,
                    strerror(errno));
        free(text);
        text = NULL;
    }
    if (file) {
        fclose(file);
    }
    return text;
}

// Catches a table that was passed by mistake.
static bool is_definition(const struct work *work, struct fewest_error *error)
{
    return !format_is_table((const uint8_t *)work->text, work->length) ||
           error_set(error, FEWEST_BAD_INPUT,
                     "%s: this is a table, not a definition; `fewest show` prints the definition "
                     "in a table",
                     work->request->definition);
}

// Reads the target pattern, if there is one, and translates a KPuzzle definition into our language.
static bool translate_with_goal(struct work *work, const char *goal_path,
                                struct fewest_error *error)
{
    struct kpuzzle_file file = {work->request->definition, work->text, work->length};
    struct kpuzzle_file goal = {goal_path, NULL, 0};
    char *goal_text =
        goal_path ? read_file(goal_path, "target pattern", &goal.length, error) : NULL;
    goal.json = goal_text;
    bool done = (goal_text || !goal_path) &&
                kpuzzle_translate(&file, goal_path ? &goal : NULL, &work->kpuzzle, error);
    free(goal_text);
    return done;
}

// Translates the definition if it is JSON.
static bool translate_kpuzzle(struct work *work, struct fewest_error *error)
{
    const char *goal = work->request->goal;
    if (!kpuzzle_is_json(work->text, work->length)) {
        work->file_length = work->length;
        return !goal ||
               error_set(error, FEWEST_BAD_INPUT,
                         "%s: --goal needs a KPuzzle definition (JSON); in this file, change the "
                         "`Solved` block instead",
                         work->request->definition);
    }
    if (!translate_with_goal(work, goal, error)) {
        return false;
    }
    free(work->text);
    work->text = work->kpuzzle.text;
    work->kpuzzle.text = NULL;
    work->length = work->kpuzzle.length;
    work->file_length = work->length;
    return true;
}

static const struct {
    const char *option;
    const char *keyword;
    const char *words; // what they are
} ADDED[] = {
    [ADDED_TRACK] = {"--track", "Track", "pieces"},
    [ADDED_DATABASE] = {"--database", "Database", "pieces"},
    [ADDED_GENERATORS] = {"--generators", "Generators", "moves"},
};

// In a definition, no word has a space. So a sequence of moves in parentheses gets dots instead:
// (R U R') becomes (R.U.R').
static void put_dots(char *words)
{
    const char *from = words;
    char *to = words;
    bool inside = false;
    while (*from) {
        size_t spaces = inside ? strspn(from, " \t") : 0;
        from += spaces;
        if (spaces > 0 && to[-1] != '(' && *from != ')') {
            *to++ = '.';
        }
        inside = *from == '(' || (inside && *from != ')');
        if (*from) {
            *to++ = *from++;
        }
    }
    *to = '\0';
}

static bool add_line(struct work *work, const char *keyword, const char *words,
                     struct fewest_error *error)
{
    size_t more = strlen(keyword) + strlen(words) + sizeof "\n \n";
    char *longer = realloc(work->text, work->length + more);
    if (!longer) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory to read the definition");
    }
    char *added = longer + work->length;
    const char *before = work->length == work->file_length ? "\n" : "";
    sprintf(added, "%s%s %s\n", before, keyword, words);
    if (strcmp(keyword, ADDED[ADDED_GENERATORS].keyword) == 0) {
        put_dots(added);
    }
    work->text = longer;
    work->length += strlen(added);
    return true;
}

// Adds the lines of options to the definition, so that the table holds them.
static bool add_lines(struct work *work, struct fewest_error *error)
{
    for (unsigned i = 0; i < work->request->line_count; i++) {
        const struct added_line *line = &work->request->lines[i];
        if (strpbrk(line->words, "\r\n")) {
            return error_set(error, FEWEST_BAD_INPUT,
                             "%s: expected the %s on one line, got a line break",
                             ADDED[line->keyword].option, ADDED[line->keyword].words);
        }
        if (!add_line(work, ADDED[line->keyword].keyword, line->words, error)) {
            return false;
        }
    }
    return true;
}

// Ends lines that end with a lone carriage return.
static void end_lines(struct work *work)
{
    for (size_t i = 0; i < work->length; i++) {
        if (work->text[i] == '\r' && (i + 1 == work->length || work->text[i + 1] != '\n')) {
            work->text[i] = '\n';
        }
    }
}

// Puts the name of the puzzle into the definition, and then adds the lines of options. A missing
// `Name` comes last, so that no line gets another number.
static bool complete_text(struct work *work, struct fewest_error *error)
{
    const struct make_request *request = work->request;
    struct naming naming = {request->name, request->output, request->definition};
    char name[NAME_LONGEST + 1];
    bool found = true;
    end_lines(work);
    name_choose(&naming, work->text, work->length, name);
    if (*name && !name_replace(&work->text, &work->length, name, &found)) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory to read the definition");
    }
    work->file_length = work->length;
    return add_lines(work, error) && (found || add_line(work, "Name", name, error));
}

// The added line that an error names by its number, or the first.
static const struct added_line *find_culprit(const struct work *work,
                                             const struct fewest_error *error)
{
    unsigned long number = 0;
    unsigned long before = 1; // lines before the first that was added
    sscanf(error->text, "line %lu", &number);
    for (size_t i = 0; i < work->file_length; i++) {
        before += work->text[i] == '\n';
    }
    unsigned added = work->request->line_count;
    return &work->request
                ->lines[number > before && number - before <= added ? number - before - 1 : 0];
}

// Removes "line N: " from an error of a line that is not in the file.
static void remove_line_number(struct fewest_error *error)
{
    const char *colon = strstr(error->text, ": ");
    if (strncmp(error->text, "line ", 5) == 0 && colon) {
        memmove(error->text, colon + 2, strlen(colon + 2) + 1);
    }
}

// Compiles the file's own text again to find out whether the error is in the file or in a line that
// an option added.
static bool name_culprit(const struct work *work, struct fewest_error *error)
{
    struct puzzle puzzle;
    struct fewest_error own;
    if (work->length == work->file_length) {
        kpuzzle_name_places(&work->kpuzzle, error);
        return error_prefix(error, work->request->definition);
    }
    bool sound =
        puzzle_compile(&puzzle, work->text, work->file_length, work->request->metric, &own);
    if (sound) {
        puzzle_free(&puzzle);
    } else if (own.status == FEWEST_BAD_INPUT) {
        *error = own;
        kpuzzle_name_places(&work->kpuzzle, error);
        return error_prefix(error, work->request->definition);
    }
    if (work->request->line_count == 0) { // `Name` made the text too long
        return error_prefix(error, work->request->definition);
    }
    const struct added_line *culprit = find_culprit(work, error);
    remove_line_number(error);
    return error_prefix(error, ADDED[culprit->keyword].option);
}

// ---- The table ----------------------------------------------------------------------------------

// The table's path: that of --output, or NAME.dtab.
static bool find_output(const struct make_request *request, const struct puzzle *puzzle,
                        char path[PATH_SIZE], struct fewest_error *error)
{
    if (request->output) {
        return snprintf(path, PATH_SIZE, "%s", request->output) < PATH_SIZE ||
               error_set(error, FEWEST_BAD_INPUT, "--output: this name has more than %d bytes",
                         PATH_SIZE - 1);
    }
    snprintf(path, PATH_SIZE, "%s" FORMAT_SUFFIX, puzzle->name);
    return !strchr(puzzle->name, '/') ||
           error_set(error, FEWEST_BAD_INPUT,
                     "%s: the puzzle's name, %s, can't be the name of a file; use -o FILE",
                     request->definition, puzzle->name);
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat of_a;
    struct stat of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

// Lines of progress would damage the definition, the table or the checkpoint.
static bool open_log(struct work *work, struct fewest_error *error)
{
    char path[PATH_SIZE];
    const struct make_request *request = work->request;
    if (!find_output(request, &work->puzzle, path, error)) {
        return false;
    }
    const char *other = is_same_file(request->log, request->definition) ? "definition"
                        : strcmp(request->log, path) == 0 || is_same_file(request->log, path)
                            ? "table"
                        : request->checkpoint && (strcmp(request->log, request->checkpoint) == 0 ||
                                                  is_same_file(request->log, request->checkpoint))
                            ? "checkpoint"
                            : NULL;
    if (other) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "%s: the log and the %s can't be one file; use another name for --log",
                         request->log, other);
    }
    return progress_open_log(&work->progress, request->log, error);
}

// The layers are kept beside the table. On a cluster, TMPDIR can name a disk of each machine.
static const char *folder_for_layers(const struct publication *publication)
{
    const char *own = getenv("TMPDIR");
    return ranks_count() > 1 && own && own[0] ? NULL : publication->folder;
}

static bool publish_table(struct work *work, struct fewest_error *error)
{
    char path[PATH_SIZE];
    struct publication publication = {.file = -1};
    bool done = find_output(work->request, &work->puzzle, path, error) &&
                publish_begin(&publication, path, error);
    if (done && work->options.checkpoint &&
        is_same_file(work->options.checkpoint->path, publication.path)) {
        done = error_set(
            error, FEWEST_BAD_INPUT,
            "%s: the table and the checkpoint can't be one file; use another name for --checkpoint",
            path);
    }
    if (done && is_same_file(work->request->definition, publication.path)) {
        done = error_set(
            error, FEWEST_BAD_INPUT,
            "%s: the table would replace the definition; use another name for --output", path);
    }
    if (done && work->request->goal && is_same_file(work->request->goal, publication.path)) {
        done =
            error_set(error, FEWEST_BAD_INPUT,
                      "%s: the table would replace the goal; use another name for --output", path);
    }
    if (done && !work->request->force) {
        done = replace_check(path, work->puzzle.definition, error);
    }
    work->options.folder = folder_for_layers(&publication);
    if (done && ranks_is_first() && work->options.folder) {
        done = forecast_check_disk(&work->forecast, &work->puzzle, &work->options, error);
    }
    done = ranks_barrier(done, error);
    if (done) {
        // The ranks but the first use their files to keep their blocks.
        struct output output = publish_output(&publication);
        done =
            generate_table(&work->puzzle, work->text, work->length, &work->options, &output, error);
        if (done && ranks_is_first()) {
            done = publish_finish(&publication, work->options.threads);
        }
        done = ranks_barrier(done, error);
    }
    bool unchanged = publication.unchanged;
    publish_end(&publication);
    if (done) {
        print_written(work, path, unchanged);
    }
    return done;
}

static bool make_with_checkpoint(struct work *work, struct fewest_error *error)
{
    const struct make_request *request = work->request;
    const struct numbering_functions *functions = work->puzzle.numbering.functions;
    const char *unsaved = work->forecast.databases > 0     ? "pattern databases, whose searches"
                          : functions && functions->search ? "rolling cubes, whose search"
                                                           : NULL;
    if (unsaved) {
        return error_set(error, FEWEST_BEYOND, "%s has %s can't be saved; leave out --checkpoint",
                         work->puzzle.name, unsaved);
    }
    work->options.checkpoint = &work->checkpoint;
    bool opened = layer_file_open(&work->checkpoint, request->checkpoint, work->text, work->length,
                                  work->puzzle.metric, error);
    bool done = ranks_barrier(opened, error) && publish_table(work, error);
    layer_file_close(&work->checkpoint, done);
    return done;
}

static void add_text(struct fewest_error *error, const char *text)
{
    size_t used = strlen(error->text);
    snprintf(error->text + used, sizeof error->text - used, "%s", text);
}

// Did a run that ended leave a checkpoint?
static bool has_checkpoint(const struct make_request *request)
{
    char path[PATH_SIZE];
    return request->checkpoint &&
           layer_file_name(request->checkpoint, ranks_count(), 0, path, sizeof path) &&
           access(path, F_OK) == 0;
}

// Ends the message of a stopped run with the command that goes on from the checkpoint, if one was
// saved. If the command is too long or does not print, it is the same command.
static void add_resumption(const struct make_request *request, struct fewest_error *error)
{
    char command[FEWEST_ERROR_SIZE] = "";
    bool fits = true;
    if (!has_checkpoint(request)) {
        return;
    }
    if (ranks_count() > 1) {
        add_text(error, "; to go on from the checkpoints, run the same command again");
        return;
    }
    for (char *const *word = request->command; *word && fits; word++) {
        fits = shell_append(command, sizeof command, *word);
    }
    add_text(error, "; to go on from the checkpoint ");
    add_text(error, request->checkpoint);
    fits = fits && strlen(error->text) + strlen(", run ``") + strlen(command) < sizeof error->text;
    add_text(error, fits ? ", run `" : ", run the same command again");
    add_text(error, fits ? command : "");
    add_text(error, fits ? "`" : "");
}

// ---- Puzzles that are too large -----------------------------------------------------------------

// May the definition have `Database` lines? It has none yet.
static bool can_have_databases(const struct definition *definition)
{
    return definition->database_count == 0 && definition->projection.line == 0 &&
           definition->goal_count == 0 && (!definition->board || definition->board->has_databases);
}

// Writes a size for --memory, such as 300M.
static void write_limit(uint64_t bytes, char *text, size_t size)
{
    static const char *const UNITS[] = {"", "K", "M", "G"};
    unsigned unit = 0;
    while (unit < 3 && bytes > 0 && bytes % 1024 == 0) {
        bytes /= 1024;
        unit++;
    }
    snprintf(text, size, "%llu%s", (unsigned long long)bytes, UNITS[unit]);
}

// Writes a command that begins like this, and goes on with the options that choose the puzzle, and
// its definition. "DEFINITION" replaces a path that would not fit or print.
static void write_command(const struct make_request *request, const char *begin, char *command,
                          size_t size)
{
    static const char *const METRIC[] = {
        [METRIC_POWERS] = "", [METRIC_QUARTER] = " -q", [METRIC_LISTED] = " -l"};
    snprintf(command, size, "%s%s", begin, METRIC[request->metric]);
    if (request->goal) {
        shell_append(command, size, "--goal");
        shell_append(command, size, request->goal);
    }
    for (unsigned l = 0; l < request->line_count; l++) {
        if (request->lines[l].keyword == ADDED_GENERATORS) {
            shell_append(command, size, "--generators");
            shell_append(command, size, request->lines[l].words);
        }
    }
    if (request->definition[0] == '-' || !shell_append(command, size, request->definition)) {
        shell_append(command, size, "DEFINITION");
    }
}

// Ends an error with the command that proposes pattern databases.
static void add_hint(const struct make_request *request, struct fewest_error *error)
{
    enum { LONGEST = 200 };
    static const uint64_t MEMORY = UINT64_C(1) << 30; // if the user gives none
    char begin[64] = "fewest-gen --suggest --memory ";
    char command[LONGEST];
    size_t used = strlen(begin);
    write_limit(request->memory > 0 ? request->memory : MEMORY, begin + used, sizeof begin - used);
    write_command(request, begin, command, sizeof command);
    add_text(error, "; `");
    add_text(error, command);
    add_text(error, "` proposes pattern databases for a search");
}

// Ends an error about memory with what needs less of it.
static void add_remedy(const struct work *work, struct fewest_error *error)
{
    if (can_have_databases(work->puzzle.definition)) {
        add_hint(work->request, error);
    } else if (work->puzzle.definition->projection.line > 0) {
        add_text(error, "; name fewer pieces in `Track`");
    }
}

// Writes how many states there are in a few words: "43252003274489856000" or "more than 10^78".
static void write_count(const struct work *work, char *text, size_t size)
{
    enum { DIGITS_MOST = 40 };
    size_t digits = strcspn(work->states, " ");
    if (work->puzzle.board) { // a board on a line has more entries than states
        snprintf(text, size, "%llu", (unsigned long long)work->puzzle.numbering.state_count);
    } else if (digits <= DIGITS_MOST) {
        snprintf(text, size, "%.*s", (int)digits, work->states);
    } else {
        snprintf(text, size, "more than 10^%zu", digits - 1);
    }
}

// Writes what to do about a puzzle that is too large. For `Track`, tells by how much it is.
static void write_remedy(const struct work *work, char *text, size_t size)
{
    enum { DIGITS_MOST = 30 };
    const struct definition *definition = work->puzzle.definition;
    size_t digits = strcspn(work->states, " ");
    size_t digits_of_most = 13; // of STATES_MOST
    *text = '\0';
    if (definition->projection.line > 0 && digits <= DIGITS_MOST) {
        double times = strtod(work->states, NULL) / (double)STATES_MOST;
        snprintf(text, size, ": %.*f times as many; name fewer pieces in `Track`",
                 times < 100 ? 1 : 0, times);
    } else if (definition->projection.line > 0) {
        snprintf(text, size, ": more than 10^%zu times as many; name fewer pieces in `Track`",
                 digits - digits_of_most - 1);
    } else if (definition->goal_count > 0) {
        snprintf(text, size,
                 "; remove `Goal`, then name some of the pieces in `Database` or `Track`");
    }
}

// A dry run still tells the number of states.
static bool refuse_large(const struct work *work, struct fewest_error *error)
{
    char count[64];
    char remedy[128];
    write_count(work, count, sizeof count);
    write_remedy(work, remedy, sizeof remedy);
    if (work->request->dry_run) {
        printf("puzzle      %s\nstates      %s%s\n", work->puzzle.name, at_most(work),
               work->states);
    }
    error_write(error, FEWEST_BEYOND, "%s has %s %sstates, too many for a table (at most %llu)%s",
                work->puzzle.name, count, work->puzzle.forbids_states ? "legal and illegal " : "",
                (unsigned long long)STATES_MOST, remedy);
    if (can_have_databases(work->puzzle.definition)) {
        add_hint(work->request, error);
    }
    return error_prefix(error, work->request->definition);
}

// ---- Suggestions --------------------------------------------------------------------------------

// Checks whether a table of all states fits into the memory. If it does, tells the user.
static bool tell_small(struct work *work, uint64_t memory, bool *fits, struct fewest_error *error)
{
    char size[SIZE_TEXT];
    *fits = false;
    if (puzzle_is_too_large(&work->puzzle)) {
        return true;
    }
    if (!wildcards_number(&work->puzzle, error)) {
        return false;
    }
    work->forecast =
        forecast_costs(&work->puzzle, &work->options, planned_ranks(work), work->length);
    *fits = work->forecast.memory <= memory;
    if (*fits) {
        fprintf(stderr,
                "%s: no pattern databases are needed: a table of all %s%.*s states takes %s of "
                "memory\n",
                work->progress.shown, at_most(work), (int)strcspn(work->states, " "), work->states,
                size_write(work->forecast.memory, size));
    }
    return true;
}

static bool suggest(struct work *work, struct fewest_error *error)
{
    const struct definition *definition = work->puzzle.definition;
    uint64_t memory = work->request->memory > 0 ? work->request->memory : forecast_available();
    bool is_small = false;
    bool is_json = work->kpuzzle.places != NULL;
    char command[2 * PATH_SIZE];
    struct suggest_request request = {&work->puzzle, work->text,     work->length,
                                      memory,        &work->options, is_json ? command : NULL};
    write_command(work->request, "fewest-gen", command, sizeof command);
    if (is_json && is_same_file("/dev/stdout", work->request->definition)) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "%s: no lines can be appended to JSON; without >>FILE, --suggest prints a "
                         "command with --database",
                         work->request->definition);
    }
    if (definition->database_count > 0 || definition->projection.line > 0) {
        bool track = definition->projection.line > 0;
        error_write_line(error, FEWEST_BAD_INPUT,
                         track ? definition->projection.line : definition->databases[0].line,
                         "remove the `%s` lines; --suggest proposes pattern databases for a puzzle "
                         "without any",
                         track ? "Track" : "Database");
        return error_prefix(error, work->request->definition);
    }
    if (!tell_small(work, memory, &is_small, error)) {
        return false;
    }
    if (is_small || suggest_databases(&request, error)) {
        return true;
    }
    remove_line_number(error); // of a line that --suggest tried
    return error_prefix(error, work->request->definition);
}

// Compiles the definition, and checks that its table can be made; or suggests databases.
static bool prepare(struct work *work, struct fewest_error *error)
{
    const struct make_request *request = work->request;
    if (!puzzle_compile(&work->puzzle, work->text, work->length, request->metric, error)) {
        return name_culprit(work, error);
    }
    work->is_compiled = true; // NOLINT(clang-analyzer-unix.Malloc): make frees the text
    puzzle_write_state_count(&work->puzzle, work->states);
    if (request->suggest) {
        return suggest(work, error);
    }
    if (puzzle_is_too_large(&work->puzzle)) {
        return refuse_large(work, error);
    }
    if (!wildcards_number(&work->puzzle, error)) {
        return false;
    }
    work->forecast =
        forecast_costs(&work->puzzle, &work->options, planned_ranks(work), work->length);
    work->has_forecast = true;
    bool is_elsewhere = request->ranks > 0; // the machines of a plan are others than this one
    if (!(is_elsewhere && request->memory == 0) &&
        !forecast_check_memory(&work->forecast, &work->puzzle, request->memory, error)) {
        add_remedy(work, error);
        return false;
    }
    return !request->log || request->dry_run || open_log(work, error);
}

// Stands for what all ranks must have in common.
static uint64_t digest_of(const struct work *work)
{
    uint64_t parts[] = {format_hash(work->text, work->length), work->request->metric,
                        work->request->checkpoint != NULL};
    return format_hash(parts, sizeof parts);
}

static bool make_prepared(struct work *work, struct fewest_error *error)
{
    print_begin(work);
    return ranks_same(digest_of(work), "definition or options", error) &&
           (work->request->checkpoint ? make_with_checkpoint(work, error)
                                      : publish_table(work, error));
}

static bool do_work(struct work *work, struct fewest_error *error)
{
    const struct make_request *request = work->request;
    work->text = read_file(request->definition, "definition", &work->length, error);
    bool done = work->text && is_definition(work, error) && translate_kpuzzle(work, error) &&
                complete_text(work, error) && prepare(work, error);
    if (request->dry_run || request->suggest) {
        if (done && request->dry_run) {
            print_begin(work);
        }
        if (work->has_forecast) {
            print_forecast(work);
        }
        return done;
    }
    return ranks_barrier(done, error) && make_prepared(work, error);
}

enum exit_status make_table(const char *program, const struct make_request *request)
{
    struct fewest_error error;
    struct work work = {.request = request};
    bool reports = request->watched || request->log;
    work.options = (struct search_options){.threads = request->threads,
                                           .progress = reports ? progress_layer : NULL,
                                           .packed = reports ? progress_packed : NULL,
                                           .stopped = request->stopped,
                                           .warn = progress_warn,
                                           .context = &work.progress};
    progress_begin(&work.progress, program, request->definition, request->watched);
    bool done = do_work(&work, &error);
    if (work.is_compiled) {
        puzzle_free(&work.puzzle);
    }
    free(work.text);
    kpuzzle_free(&work.kpuzzle);
    if (!done) {
        if (error.status == FEWEST_STOPPED) {
            add_resumption(request, &error);
        }
        progress_complain(&work.progress, error.text);
    }
    progress_end(&work.progress);
    return done ? STATUS_ANSWERED : exit_status_of(error.status);
}
