// The commands about whole tables: stats, check and list.
#include "query/command/print/json.h"
#include "query/command/print/picture.h"
#include "query/command/request/messages.h"
#include "query/command/request/operands.h"
#include "query/command/request/watch.h"
#include "tables/base/ascii.h"
#include "tables/base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- Statistics ---------------------------------------------------------------------------------

static const char CLASSES[] = "classes";
static const char OR_INVERSE[] = "or inverse";

// Prints the columns that --symmetry adds to the line of a distance.
static void print_class_columns(const struct fewest_classes *classes, unsigned distance)
{
    printf(" %12llu", (unsigned long long)classes->symmetric[distance]);
    if (classes->counts_inverses) {
        printf(" %12llu", (unsigned long long)classes->or_inverse[distance]);
    }
}

// Prints the heading of the columns.
static void print_heading(const struct counts *counts)
{
    const struct fewest_classes *classes = counts->classes;
    printf("distance %12s   share", counts_positions(counts) ? "positions" : "states");
    if (classes) {
        printf("    %12s", CLASSES);
    }
    if (classes && classes->counts_inverses) {
        printf(" %12s", OR_INVERSE);
    }
    putchar('\n');
}

// Prints a line for each distance: states and share, and perhaps the classes. With `bars`, each
// line ends in a bar; that of the most frequent distance fills the line.
static void print_counts(const struct counts *counts, bool bars)
{
    const struct fewest_stats *stats = &counts->stats;
    const struct fewest_classes *classes = counts->classes;
    enum {
        BEFORE_BAR = 35,   // characters of a line before its bar, and one for the cursor
        CLASS_COLUMN = 13, // characters of each column of classes
    };
    static const char BLUE[] = "\033[34m";
    static const char NO_COLOUR[] = "\033[0m";
    unsigned before = BEFORE_BAR;
    if (classes) {
        before += classes->counts_inverses ? 2 * CLASS_COLUMN : CLASS_COLUMN;
    }
    unsigned columns = picture_columns();
    unsigned width = columns > before ? columns - before : 1;
    bool colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
    uint64_t most = 1;
    for (unsigned d = 0; d <= stats->largest; d++) {
        most = stats->count[d] > most ? stats->count[d] : most;
    }
    print_heading(counts);
    for (unsigned d = 0; d <= stats->largest; d++) {
        printf("%8u %12llu %8.4f %%", d, (unsigned long long)stats->count[d],
               100.0 * (double)stats->count[d] / (double)stats->states);
        if (classes) {
            print_class_columns(classes, d);
        }
        if (bars) {
            printf("  %s", colour ? BLUE : "");
            picture_bar(stats->count[d], most, width, stdout);
            fputs(colour ? NO_COLOUR : "", stdout);
        }
        putchar('\n');
    }
}

// The sum of some counts, one for each distance of the statistics.
static uint64_t sum_counts(const uint64_t *count, const struct fewest_stats *stats)
{
    uint64_t sum = 0;
    for (unsigned d = 0; d <= stats->largest; d++) {
        sum += count[d];
    }
    return sum;
}

// Prints which symmetries the classes have. They are those of the moves, so there may be more than
// those of the solid.
static void print_found(const struct fewest *table, const struct counts *counts)
{
    const struct fewest_info *info = fewest_info(table);
    unsigned symmetries = counts->classes->symmetries;
    if (symmetries == 1) {
        puts("found       no symmetry but the identity");
    } else if (info->has_blank) {
        printf("found       all %u symmetries of the board that keep the cell of the blank\n",
               symmetries);
    } else {
        printf("found       all %u symmetries of the %u moves that keep the solved %s; the solid "
               "may have fewer\n",
               symmetries, info->move_count, counts_positions(counts) ? "position" : "state");
    }
}

// Prints the numbers of symmetries and of all classes.
static void print_class_sums(const struct fewest_stats *stats, const struct fewest_classes *classes)
{
    printf("symmetries  %u\n%-11s %llu\n", classes->symmetries, CLASSES,
           (unsigned long long)sum_counts(classes->symmetric, stats));
    if (classes->counts_inverses) {
        printf("%-11s %llu\n", OR_INVERSE,
               (unsigned long long)sum_counts(classes->or_inverse, stats));
    }
}

// Prints the statistics for people. `farthest` is the text of a state at the largest distance.
static void print_stats(const struct fewest *table, const struct counts *counts,
                        const char *farthest, bool bars)
{
    const struct fewest_stats *stats = &counts->stats;
    print_counts(counts, bars);
    printf("\n%-11s %llu\nmean        %.4f\nlargest     %u\nfarthest    %s\n",
           counts_positions(counts) ? "positions" : "states", (unsigned long long)stats->states,
           stats->mean, stats->largest, farthest);
    if (counts->rotations > 0) {
        printf("rotations   %u\n", counts->rotations);
    }
    if (counts->classes) {
        print_found(table, counts);
        print_class_sums(stats, counts->classes);
    }
    if (counts->layers) {
        putchar('\n');
        layers_print(counts->layers, stdout);
    }
}

// Prints a line for each distance, with tabs: distance, states and perhaps classes and paths.
static void print_tsv(const struct counts *counts)
{
    const struct fewest_stats *stats = &counts->stats;
    const struct fewest_classes *classes = counts->classes;
    for (unsigned d = 0; d <= stats->largest; d++) {
        printf("%u\t%llu", d, (unsigned long long)stats->count[d]);
        if (classes) {
            printf("\t%llu", (unsigned long long)classes->symmetric[d]);
        }
        if (classes && classes->counts_inverses) {
            printf("\t%llu", (unsigned long long)classes->or_inverse[d]);
        }
        if (counts->layers) {
            layers_print_columns(counts->layers, d, stdout);
        }
        putchar('\n');
    }
}

// Writes the plot of the statistics to the file of --svg, or to stdout if that is `-`. Removes a
// regular file that could not be written to its end. Returns the exit status, after a message.
static enum exit_status write_svg(const struct fewest *table, const struct fewest_stats *stats,
                                  const struct request *request)
{
    struct stat kind;
    const char *path = request->svg;
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdout : fopen(path, "w");
    if (!file) {
        return complain_system(path);
    }
    picture_svg(fewest_info(table)->name, stats, has_option(request, OPTION_LOG), file);
    if (standard) {
        return STATUS_ANSWERED;
    }
    bool done = !ferror(file);
    done = fclose(file) == 0 && done;
    enum exit_status status = done ? STATUS_ANSWERED : complain_system(path);
    if (!done && lstat(path, &kind) == 0 && S_ISREG(kind.st_mode)) { // and not a device
        remove(path);
    }
    return status;
}

struct farthest {
    const struct fewest *table;
    char text[FEWEST_TEXT_SIZE]; // of the first state at the largest distance
};

// A visitor that takes the text of the first state, and ends the visit.
static bool take_farthest(void *context, const uint8_t *state, int distance)
{
    struct farthest *farthest = context;
    struct fewest_error ignored; // the state is valid
    (void)distance;
    fewest_write_state(farthest->table, state, farthest->text, &ignored);
    return false;
}

// Counts the selected states. Returns the exit status, after a message if it fails or if no state
// matches.
static enum exit_status fill_counts(struct fewest *table, const struct fewest_selection *selection,
                                    struct fewest_stats *stats)
{
    struct fewest_error error;
    if (!fewest_count(table, selection, stats, &error)) {
        return complain_error(&error);
    }
    return stats->states > 0 ? STATUS_ANSWERED : complain_no_match(table);
}

// Finds the first selected state at the largest distance, and writes its text. Changes the
// selection to that distance. Fails with FEWEST_DAMAGED if there is no such state, though the
// header counts it.
static bool find_farthest(struct fewest *table, const struct fewest_stats *stats,
                          struct fewest_selection *selection, struct farthest *farthest,
                          struct fewest_error *error)
{
    *farthest = (struct farthest){table, ""};
    selection->distance = (int)stats->largest;
    if (!fewest_visit(table, selection, take_farthest, farthest, error)) {
        return false;
    }
    return farthest->text[0] || set_header_error(error);
}

// Reads --root: a state or, on a board with a blank, the number of a cell. The number stands for
// the solved state with its blank in that cell. It has fewer digits than a state has cells.
static bool read_root(const struct fewest *table, const char *text, uint8_t *state,
                      struct fewest_error *error)
{
    const struct fewest_info *info = fewest_info(table);
    size_t length = strlen(text);
    uint64_t cell;
    if (!info->has_blank || length == 0 || length >= info->cell_count ||
        ascii_read_number(text, length, &cell) != length) {
        return fewest_read_state(table, "START", text, length, state, error);
    }
    if (cell < 1 || cell > info->cell_count) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "START: expected a state, or a cell from 1 to %u for the blank, got '%s'",
                         info->cell_count, text);
    }
    memcpy(state, info->goals, info->cell_count);
    uint8_t *blank = memchr(state, 0, info->cell_count); // a board has one
    *blank = state[cell - 1];
    state[cell - 1] = 0;
    return true;
}

// Prints counts as text or as JSON. `farthest` is the text of a state at the largest distance.
static void print_with_farthest(const struct request *request, const struct fewest *table,
                                const struct counts *counts, const char *farthest)
{
    hide_search();
    if (has_option(request, OPTION_JSON)) {
        json_stats(table, counts, farthest, stdout);
    } else {
        print_stats(table, counts, farthest,
                    has_option(request, OPTION_BARS) || isatty(STDOUT_FILENO));
    }
}

// Prints the counts of a selection in the form of the request, one of --svg, --tsv, --json and
// text. Returns the exit status, after a message if it fails.
static enum exit_status print_selection(const struct request *request, struct fewest *table,
                                        const struct counts *counts,
                                        struct fewest_selection *selection)
{
    struct farthest farthest;
    struct fewest_error error;
    if (request->svg) {
        return write_svg(table, &counts->stats, request);
    }
    if (has_option(request, OPTION_TSV)) {
        hide_search();
        print_tsv(counts);
        return STATUS_ANSWERED;
    }
    if (!find_farthest(table, &counts->stats, selection, &farthest, &error)) {
        return complain_error(&error);
    }
    print_with_farthest(request, table, counts, farthest.text);
    return STATUS_ANSWERED;
}

// Answers --how-many: also counts the paths of all states. Returns the exit status.
static enum exit_status print_with_paths(const struct request *request, struct fewest *table,
                                         const struct counts *counted,
                                         struct fewest_selection *selection)
{
    struct fewest_error error;
    struct counted_layers layers;
    struct counts counts = *counted;
    counts.layers = &layers;
    enum exit_status status = layers_count(table, &layers, &error)
                                  ? print_selection(request, table, &counts, selection)
                                  : complain_error(&error);
    layers_free(&layers);
    return status;
}

// Answers `fewest stats` from an open table: reads --root and --matching, counts the states that
// they select, and prints the counts. Classes are not counted for --svg, which draws none. Returns
// the exit status.
static enum exit_status answer_stats(const struct request *request, struct fewest *table)
{
    struct counts counts = {.rotations = 0};
    struct fewest_classes classes;
    struct fewest_error error;
    uint8_t start[FEWEST_CELLS_MOST];
    uint8_t target[FEWEST_CELLS_MOST];
    struct fewest_selection selection = {.distance = FEWEST_ANY};
    if (request->root) {
        if (!read_root(table, request->root, start, &error)) {
            return complain_option("--root", &error);
        }
        selection.start = start;
    }
    enum exit_status status = read_matching(table, request, target, &selection.matching);
    if (status == STATUS_ANSWERED) {
        status = fill_counts(table, &selection, &counts.stats);
    }
    if (status != STATUS_ANSWERED) {
        return status;
    }
    if (has_option(request, OPTION_SYMMETRY) && !request->svg) {
        if (!fewest_count_classes(table, &classes, &error)) {
            return complain_error(&error);
        }
        counts.classes = &classes;
    }
    if (has_option(request, OPTION_HOW_MANY_ALL)) {
        return print_with_paths(request, table, &counts, &selection);
    }
    return print_selection(request, table, &counts, &selection);
}

// Answers `fewest stats --rotations` from an open table. Returns the exit status.
static enum exit_status answer_positions(const struct request *request, struct fewest *table)
{
    struct fewest_positions positions;
    struct fewest_error error;
    char farthest[FEWEST_TEXT_SIZE];
    if (!fewest_count_positions(table, &positions, &error)) {
        return complain_error(&error);
    }
    struct fewest_classes classes = {.symmetries = positions.symmetries};
    struct counts counts = {.stats = {.states = positions.positions,
                                      .mean = positions.mean,
                                      .largest = positions.largest},
                            .classes = has_option(request, OPTION_SYMMETRY) ? &classes : NULL,
                            .rotations = positions.rotations};
    memcpy(counts.stats.count, positions.count, sizeof counts.stats.count);
    memcpy(classes.symmetric, positions.classes, sizeof classes.symmetric);
    if (has_option(request, OPTION_TSV)) {
        hide_search();
        print_tsv(&counts);
        return STATUS_ANSWERED;
    }
    fewest_write_state(table, positions.farthest, farthest, &error); // the state is valid
    print_with_farthest(request, table, &counts, farthest);
    return STATUS_ANSWERED;
}

enum exit_status command_stats(const struct request *request)
{
    int forms = (request->svg ? 1 : 0) + has_option(request, OPTION_JSON) +
                has_option(request, OPTION_TSV) + has_option(request, OPTION_BARS);
    if (forms > 1) {
        return complain_usage("use only one of --bars, --tsv, --json and --svg");
    }
    if (has_option(request, OPTION_LOG) && !request->svg) {
        return complain_usage("--log needs --svg FILE");
    }
    if (has_option(request, OPTION_SYMMETRY) && request->root) {
        return complain_usage("--symmetry counts from the solved state; use it without --root");
    }
    if (has_option(request, OPTION_SYMMETRY) && request->matching) {
        return complain_usage("--symmetry counts all states; use it without --matching");
    }
    if (has_option(request, OPTION_SYMMETRY) && request->svg) {
        return complain_usage("--svg draws no classes; use it without --symmetry");
    }
    if (has_option(request, OPTION_HOW_MANY_ALL) &&
        (request->root || request->matching || request->svg ||
         has_option(request, OPTION_ROTATIONS))) {
        return complain_usage("--how-many counts the paths of all states to the nearest goal; use "
                              "it without --root, --matching, --rotations and --svg");
    }
    if (!has_option(request, OPTION_ROTATIONS)) {
        return with_table(request, answer_stats);
    }
    if (request->root) {
        return complain_usage("--rotations counts from the solved state; use it without --root");
    }
    if (request->matching) {
        return complain_usage("--rotations counts all positions; use it without --matching");
    }
    if (request->svg) {
        return complain_usage("--svg draws no positions; use it without --rotations");
    }
    return with_table(request, answer_positions);
}

// ---- Check --------------------------------------------------------------------------------------

// Prints a finding of a check on stderr. `context` is the operand that names the table.
static void complain_finding(void *context, const char *text)
{
    complain(STATUS_NEGATIVE, "%s: %s", (const char *)context, text);
}

// Prints what a deep check has proved, and the seconds since `begin`.
static void print_proof(const struct fewest *table, double begin)
{
    double seconds = clock_seconds() - begin;
    if (fewest_info(table)->is_searched) {
        printf("; proved all lower bounds in %.2f s", seconds);
    } else {
        printf("; proved the distances of all %llu states in %.2f s",
               (unsigned long long)fewest_info(table)->state_count, seconds);
    }
}

// Checks the table that an operand names, and prints that it is intact, or its findings. Returns
// STATUS_NEGATIVE if it is damaged or holds another puzzle; another failure has its own status.
static enum exit_status check_table(const struct request *request, const char *operand)
{
    char shown[FEWEST_ERROR_SIZE];
    struct fewest_error error;
    double begin = clock_seconds();
    struct fewest *table = open_table(request, operand, &error);
    if (!table) {
        enum exit_status status = complain_table(request, operand, &error);
        bool is_bad = error.status == FEWEST_DAMAGED || error.status == FEWEST_FOREIGN;
        return is_bad ? STATUS_NEGATIVE : status;
    }
    escape_text(shown, sizeof shown, operand, strlen(operand));
    enum exit_status status = STATUS_ANSWERED;
    if (fewest_check(table, has_option(request, OPTION_DEEP), complain_finding,
                     (void *)(uintptr_t)operand, &error)) {
        hide_search();
        printf("%s: intact", shown);
        if (has_option(request, OPTION_DEEP)) {
            print_proof(table, begin);
        }
        putchar('\n');
    } else if (error.status == FEWEST_DAMAGED) { // its findings are printed
        status = STATUS_NEGATIVE;
    } else {
        status = complain_option(operand, &error);
    }
    fewest_close(table);
    return status;
}

enum exit_status command_check(const struct request *request)
{
    enum exit_status worst = STATUS_ANSWERED;
    for (int i = 0; i < request->operand_count && !was_interrupted(); i++) {
        enum exit_status status = check_table(request, request->operands[i]);
        worst = status > worst ? status : worst;
    }
    return worst;
}

// ---- List ---------------------------------------------------------------------------------------

// Can the largest distance be found in a moment? If there are several goals, it may not be in the
// header, and all states must be read.
static bool knows_largest(const struct fewest *table)
{
    static const uint64_t LOOKED_THROUGH_MOST = 1 << 20; // states
    const struct fewest_info *info = fewest_info(table);
    return info->goal_count == 1 || info->state_count <= LOOKED_THROUGH_MOST;
}

struct listing {
    enum exit_status worst; // so far
    int stdout_errno;       // why a line can't be written to stdout; 0 while all can
};

// Keeps the worse one of the exit statuses so far and this one.
static void note_status(struct listing *listing, enum exit_status status)
{
    listing->worst = status > listing->worst ? status : listing->worst;
}

// Prints the line of an open table: name, number of states, bytes, largest distance if that is
// known in a moment, and path. Notes in the listing what fails.
static void print_table_line(struct fewest *table, const char *path, struct listing *listing)
{
    struct fewest_error error;
    struct fewest_stats stats;
    char states[32] = "solved by search";
    char largest[32] = "";
    if (!fewest_info(table)->is_searched) {
        snprintf(states, sizeof states, "%llu states",
                 (unsigned long long)fewest_info(table)->state_count);
        if (knows_largest(table)) {
            if (!fewest_count(table, NULL, &stats, &error)) {
                note_status(listing, complain_error(&error));
                return;
            }
            snprintf(largest, sizeof largest, "largest distance %3u", stats.largest);
        }
    }
    // The line is flushed, because errno tells only now why it can't be written.
    if (printf("%-12s %20s %10llu bytes  %-20s  %s\n", fewest_info(table)->name, states,
               (unsigned long long)fewest_info(table)->file_bytes, largest, path) < 0 ||
        fflush(stdout) != 0) {
        listing->stdout_errno = errno;
    }
}

// Prints the line of the table at a path. Reports a file that can't be opened, and one that is not
// called after its puzzle. A command that gets only a puzzle's NAME opens NAME.dtab, so it would
// miss such a file. Does nothing after a failed write to stdout.
static void print_table(void *context, const char *path)
{
    struct listing *listing = context;
    struct fewest_error error;
    if (listing->stdout_errno) {
        return;
    }
    struct fewest *table = fewest_open(path, &error);
    if (!table) {
        note_status(listing, complain_error(&error));
        return;
    }
    if (!is_named_after(path, fewest_info(table)->name)) {
        const char *name = fewest_info(table)->name;
        note_status(
            listing,
            complain(STATUS_TABLE,
                     "%s: this file holds the table of %s, so rename it to %s.dtab or use its path",
                     path, name, name));
        fewest_close(table);
        return;
    }
    print_table_line(table, path, listing);
    fewest_close(table);
}

enum exit_status command_list(const struct request *request)
{
    struct listing listing = {.worst = complain_folder(request)};
    fewest_each_table(request->folder, print_table, &listing);
    errno = listing.stdout_errno; // main reports a failed write with this reason
    return listing.worst;
}
