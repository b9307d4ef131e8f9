// The commands about states and their numbers: export, rank, unrank, sample and show.
#include "operands.h"
#include "query/command/lines/batch.h"
#include "query/command/print/messages.h"
#include "query/command/print/picture.h"
#include "steps.h"
#include "tables/base/ascii.h"
#include "tables/base/clock.h"
#include "tables/base/parallel.h"
#include "watch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { UNREACHABLE_BYTE = 255 };

// Can the arrangements be numbered in 64 bits? If not, the library says why.
static bool has_numbers(const struct fewest *table, struct fewest_error *error)
{
    uint8_t state[FEWEST_CELLS_MOST];
    return fewest_unrank(table, 0, state, error);
}

// ---- Export -------------------------------------------------------------------------------------

// Fills in the distance of a state as fewest_count counts it.
static bool find_own_distance(struct fewest *table, const uint8_t *state, int *distance,
                              struct fewest_error *error)
{
    const uint8_t *start = fewest_info(table)->default_start;
    return fewest_steps(table, start ? start : state, start ? state : NULL, distance, error);
}

enum { EXPORTED_AT_ONCE = 1 << 14 };

// Some arrangements whose distances are found in all threads and then written.
struct exporting {
    struct fewest *table;
    unsigned threads;
    size_t cells;
    size_t count;
    uint8_t *states; // row by row
    uint8_t distances[EXPORTED_AT_ONCE];
    struct fewest_error *error; // the first one of all threads
    _Atomic bool failed;
};

static void find_distances(void *context, uint64_t begin, uint64_t end)
{
    struct exporting *exporting = context;
    for (uint64_t i = begin; i < end && !exporting->failed; i++) {
        struct fewest_error error;
        int distance;
        if (find_own_distance(exporting->table, exporting->states + i * exporting->cells, &distance,
                              &error)) {
            exporting->distances[i] =
                distance == FEWEST_UNREACHABLE ? UNREACHABLE_BYTE : (uint8_t)distance;
        } else if (!atomic_exchange(&exporting->failed, true)) {
            *exporting->error = error;
        }
    }
}

// Writes the distances of the arrangements, unless one failed or stdout does not take them.
static bool write_distances(struct exporting *exporting)
{
    enum { GRAIN = 1 << 10 };
    parallel_for(exporting->threads, exporting->count, GRAIN, find_distances, exporting);
    if (exporting->failed) {
        return false;
    }
    fwrite(exporting->distances, 1, exporting->count, stdout);
    exporting->count = 0;
    return !ferror(stdout);
}

static bool add_arrangement(void *context, const uint8_t *state)
{
    struct exporting *exporting = context;
    memcpy(exporting->states + exporting->count++ * exporting->cells, state, exporting->cells);
    return exporting->count < EXPORTED_AT_ONCE || write_distances(exporting);
}

static bool export_distances(struct exporting *exporting, const uint8_t *matching)
{
    struct fewest *table = exporting->table;
    struct fewest_error *error = exporting->error;
    struct fewest_stats stats;
    // The library says why a searched puzzle has no distances.
    if (!has_numbers(table, error) ||
        (fewest_info(table)->is_searched && !fewest_count(table, NULL, &stats, error))) {
        return false;
    }
    return fewest_visit_arrangements(table, matching, add_arrangement, exporting, error) &&
           !exporting->failed && (write_distances(exporting) || ferror(stdout));
}

static enum exit_status export_table(const struct request *request, struct fewest *table)
{
    struct fewest_error error;
    uint8_t target[FEWEST_CELLS_MOST];
    const uint8_t *matching;
    if (isatty(STDOUT_FILENO)) {
        return complain_usage(
            "the output is binary; write it to a file: fewest export %s > distances.u8",
            request->operands[0]);
    }
    enum exit_status status = read_matching(table, request, target, &matching);
    if (status != STATUS_ANSWERED) {
        return status;
    }
    size_t cells = fewest_info(table)->cell_count;
    struct exporting exporting = {.table = table,
                                  .threads = request->threads,
                                  .cells = cells,
                                  .states = malloc(EXPORTED_AT_ONCE * cells),
                                  .error = &error};
    bool done = exporting.states
                    ? export_distances(&exporting, matching)
                    : error_set(&error, FEWEST_SYSTEM, "not enough memory for the distances");
    free(exporting.states);
    hide_search();
    return done ? STATUS_ANSWERED : complain_error(&error);
}

enum exit_status command_export(const struct request *request)
{
    const struct request all = with_all_threads(request);
    return with_table(&all, export_table);
}

// ---- One state, or one a line -------------------------------------------------------------------

static bool read_state_line(const struct line_answerer *answerer, const char *line, size_t length,
                            uint8_t *start, uint8_t *target, struct fewest_error *error)
{
    target[0] = FEWEST_GOALS;
    return fewest_read_state(answerer->table, "STATE", line, length, start, error);
}

// Answers for the state that --moves lead to, or for the operand after PUZZLE. If that is `-` or
// `@FILE`, answers each line of that input.
static enum exit_status answer_operand(const struct request *request,
                                       const struct line_answerer *answerer)
{
    uint8_t start[FEWEST_CELLS_MOST];
    uint8_t target[FEWEST_CELLS_MOST] = {FEWEST_GOALS};
    const struct query query = {start, target};
    struct fewest_error error;
    bool reachable;
    const char *operand = request->operands[1];
    if (!request->moves && input_is_named(operand)) {
        return batch_answer_file(answerer, request, operand);
    }
    if (request->moves) {
        enum exit_status status = make_moves(answerer->table, request, start);
        if (status != STATUS_ANSWERED) {
            return status;
        }
    }
    if ((request->moves ||
         answerer->read(answerer, operand, strlen(operand), start, target, &error)) &&
        answerer->print(answerer->table, &query, stdout, &reachable, &error)) {
        return reachable ? STATUS_ANSWERED : STATUS_NEGATIVE;
    }
    return !request->moves && answerer->read == read_state_line
               ? complain_state(answerer->table, operand, strlen(operand), &error)
               : complain_error(&error);
}

static enum exit_status answer_states(const struct request *request, struct fewest *table,
                                      print_answer *print)
{
    const struct line_answerer answerer = {.read = read_state_line, .table = table, .print = print};
    return answer_operand(request, &answerer);
}

static bool print_rank(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                       struct fewest_error *error)
{
    uint64_t number;
    if (!fewest_rank(table, query->start, &number, error)) {
        return false;
    }
    fprintf(out, "%llu\n", (unsigned long long)number);
    *reachable = true;
    return true;
}

static enum exit_status rank_states(const struct request *request, struct fewest *table)
{
    struct fewest_error error;
    if (request->as_moves) {
        return answer_states(request, table, print_scramble);
    }
    return has_numbers(table, &error) ? answer_states(request, table, print_rank)
                                      : complain_error(&error);
}

enum exit_status command_rank(const struct request *request)
{
    return with_table(request, rank_states);
}

static bool read_number_line(const struct line_answerer *answerer, const char *text, size_t length,
                             uint8_t *start, uint8_t *target, struct fewest_error *error)
{
    char shown[FEWEST_TEXT_SIZE];
    uint64_t number;
    while (length > 0 && ascii_is_space(text[length - 1])) {
        length--;
    }
    while (length > 0 && ascii_is_space(*text)) {
        text++;
        length--;
    }
    snprintf(shown, sizeof shown, "%.*s", (int)(length < sizeof shown ? length : sizeof shown),
             text);
    if (strlen(shown) != length || !read_decimal(shown, &number)) { // strlen stops at a NUL
        char typed[40];
        escape_text(typed, sizeof typed, text, length);
        return error_set(
            error, FEWEST_BAD_INPUT, "NUMBER: expected a number from 0 to %llu, got '%s'",
            (unsigned long long)fewest_info(answerer->table)->arrangement_count - 1, typed);
    }
    target[0] = FEWEST_GOALS;
    return fewest_unrank(answerer->table, number, start, error);
}

static bool print_typed(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                        struct fewest_error *error)
{
    char text[FEWEST_TEXT_SIZE];
    *reachable = true;
    return fewest_write_state(table, query->start, text, error) && fprintf(out, "%s\n", text);
}

static enum exit_status unrank_states(const struct request *request, struct fewest *table)
{
    const struct line_answerer answerer = {.read = read_number_line,
                                           .table = table,
                                           .print =
                                               request->as_moves ? print_scramble : print_typed};
    struct fewest_error error;
    return has_numbers(table, &error) ? answer_operand(request, &answerer) : complain_error(&error);
}

enum exit_status command_unrank(const struct request *request)
{
    return with_table(request, unrank_states);
}

// Replaces control characters by spaces: a terminal would act on them, and anybody may have written
// the text.
static void print_definition(const char *text)
{
    for (text += ascii_mark_length(text, strlen(text)); *text; text++) {
        bool control = (unsigned char)*text < ' ' && *text != '\n' && *text != '\t';
        putchar(control || *text == 0x7F ? ' ' : *text);
    }
}

static bool print_board(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                        struct fewest_error *error)
{
    (void)error;
    picture_board(table, query->start, out);
    *reachable = true;
    return true;
}

static enum exit_status show_states(const struct request *request, struct fewest *table)
{
    if (request->operand_count == 1 && !request->moves) {
        const struct fewest_info *info = fewest_info(table);
        printf("# states %s\n", info->states_text);
        for (unsigned d = 0; d < info->database_count; d++) {
            if (info->sharing[d]) {
                printf("# %s\n", info->sharing[d]);
            }
        }
        print_definition(info->definition);
        return STATUS_ANSWERED;
    }
    return answer_states(request, table, print_board);
}

enum exit_status command_show(const struct request *request)
{
    return with_table(request, show_states);
}

// ---- Samples ------------------------------------------------------------------------------------

// SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number
// generators", 2014). A seed gives the same states on every machine.
static uint64_t next_random(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

// Draws a number below the bound, each equally likely. Draws again after a number in the last,
// incomplete run of `bound` numbers, which would favour some results.
static uint64_t random_below(uint64_t *seed, uint64_t bound)
{
    uint64_t number;
    do {
        number = next_random(seed);
    } while (number - number % bound > UINT64_MAX - (bound - 1));
    return number % bound;
}

// A state of a sample that one pass through the selected states fetches.
struct pick {
    uint64_t number; // among the selected states
    uint64_t place;  // in the sample
};

struct sample {
    struct fewest *table;
    bool as_moves;
    uint64_t random_moves;             // 0: none
    unsigned moves[RANDOM_MOVES_MOST]; // those that make the current state
    double begin;                      // of the last search for moves
    bool told;                         // that this can take long
    const uint8_t *start;              // NULL: distances are to the goals
    struct fewest_selection selection;
    uint64_t there;     // number of selected states; by the header, which may be forged
    struct pick *picks; // of a pass, by rising number
    uint8_t *states;    // their states, by place
    uint64_t pick_count;
    uint64_t picked; // picks fetched so far
    uint64_t number; // of the current state
    struct fewest_error *error;
    bool failed;
};

// Shows that `done` of `count` states are printed. False after Ctrl-C.
static bool go_on(uint64_t done, uint64_t count, struct fewest_error *error)
{
    enum { SELDOM = 1 << 10 };
    const struct fewest_progress progress = {"printing states", done, count, 0};
    bool stopped = done % SELDOM == 0 ? !watch_progress(NULL, &progress) : was_interrupted();
    return !stopped || error_set(error, FEWEST_STOPPED, "stopped while printing states");
}

// After two seconds of a search, tells once how long it can take, and what takes no search.
static bool watch_scramble(void *context, const struct fewest_progress *progress)
{
    struct sample *sample = context;
    if (!sample->told && clock_seconds() - sample->begin >= 2) {
        sample->told = true;
        hide_search();
        command_complain(PROGRAM,
                         "this search for the shortest moves to a random state can take hours; "
                         "`--random-moves 30 --moves` needs no search");
    }
    return watch_progress(NULL, progress);
}

static bool print_case(struct sample *sample, const uint8_t *state, struct fewest_error *error)
{
    char text[FEWEST_TEXT_SIZE];
    if (isatty(STDOUT_FILENO)) {
        hide_search();
    }
    if (sample->as_moves && sample->random_moves > 0) {
        print_names(sample->table, sample->moves, (int)sample->random_moves,
                    !fewest_info(sample->table)->joins_moves, stdout);
        return true;
    }
    if (sample->as_moves) {
        const struct query query = {.start = state};
        bool reachable;
        sample->begin = clock_seconds();
        return print_scramble(sample->table, &query, stdout, &reachable, error);
    }
    if (sample->start && fewest_write_state(sample->table, sample->start, text, error)) {
        printf("%s ", text);
    }
    return fewest_write_state(sample->table, state, text, error) && printf("%s\n", text);
}

// Draws a state that can be reached.
static bool draw_state(struct fewest *table, uint64_t *seed, uint8_t *state,
                       struct fewest_error *error)
{
    return fewest_pick(table, random_below(seed, fewest_info(table)->state_count), state, error);
}

static uint64_t draw_below(void *seed, uint64_t bound)
{
    return random_below(seed, bound);
}

// The same for a searched puzzle, whose states have no numbers of their own: draws arrangements
// until the parity says that one can be reached.
static bool draw_searched(struct fewest *table, uint64_t *seed, uint8_t *state,
                          struct fewest_error *error)
{
    if (fewest_info(table)->is_uncounted) {
        return error_set(error, FEWEST_BEYOND,
                         "can't draw states of a puzzle with `Illegal` and `Database`: only "
                         "a search tells which can be reached; make them with `--random-moves 30`");
    }
    // Takes a second or two. Of a board that is not a line, every second arrangement will do.
    static const uint64_t MISSES_MOST = 1 << 24;
    struct fewest_parity parity = {.reachable = false};
    for (uint64_t misses = 0; !parity.reachable; misses++) {
        if (misses > MISSES_MOST) {
            return error_set(error, FEWEST_BEYOND,
                             "too few arrangements of this board can be reached");
        }
        fewest_draw(table, draw_below, seed, state);
        if (!fewest_parity(table, state, NULL, &parity, error)) {
            return false;
        }
    }
    return true;
}

// Do two moves, from `before` to `state` and on to `next`, make one move or none, or are they
// powers of one?
static bool are_one_turn(const struct fewest *table, const uint8_t *before, const uint8_t *state,
                         const uint8_t *next)
{
    enum { ORDER_MOST = 256 };
    size_t cells = fewest_info(table)->cell_count;
    for (unsigned m = 0; m < fewest_info(table)->move_count; m++) {
        struct fewest_error error;
        uint8_t at[FEWEST_CELLS_MOST];
        uint8_t to[FEWEST_CELLS_MOST];
        bool met_state = false;
        bool met_next = false;
        bool back = false;
        memcpy(at, before, cells);
        for (unsigned i = 0; i < ORDER_MOST && !back && fewest_apply(table, m, at, to, &error);
             i++) {
            memcpy(at, to, cells);
            met_state |= memcmp(at, state, cells) == 0;
            met_next |= memcmp(at, next, cells) == 0;
            back = memcmp(at, before, cells) == 0;
            if (met_next && (i == 0 || (back && met_state))) {
                return true;
            }
        }
    }
    return memcmp(next, before, cells) == 0;
}

// Makes a state by random moves from the solved state.
static bool make_state(struct sample *sample, uint64_t *seed, uint8_t *state,
                       struct fewest_error *error)
{
    enum { TRIES = 16 }; // for each move, before a move may undo or continue the last one
    const struct fewest *table = sample->table;
    const uint8_t *solved = fewest_info(table)->goals;
    uint8_t before[FEWEST_CELLS_MOST];
    uint8_t next[FEWEST_CELLS_MOST];
    size_t cells = fewest_info(table)->cell_count;
    uint64_t tries_most = (uint64_t)TRIES * fewest_info(table)->move_count;
    unsigned count = 0;
    memcpy(state, solved, cells);
    for (uint64_t tries = 0;
         count < sample->random_moves && tries < 2 * tries_most && !was_interrupted(); tries++) {
        sample->moves[count] = (unsigned)random_below(seed, fewest_info(table)->move_count);
        if (fewest_follow(table, solved, sample->moves, count + 1, next, error) &&
            (count == 0 || tries >= tries_most || !are_one_turn(table, before, state, next))) {
            memcpy(before, state, cells);
            memcpy(state, next, cells);
            tries = 0;
            count++;
        }
    }
    return count == sample->random_moves || was_interrupted() ||
           error_set(error, FEWEST_BEYOND,
                     "no move is possible in a state to which random moves led");
}

static bool draw_one_by_one(struct sample *sample, uint64_t count, uint64_t seed,
                            struct fewest_error *error)
{
    struct fewest *table = sample->table;
    uint8_t state[FEWEST_CELLS_MOST];
    for (uint64_t done = 0; done < count; done++) {
        bool drawn = sample->random_moves > 0          ? make_state(sample, &seed, state, error)
                     : fewest_info(table)->is_searched ? draw_searched(table, &seed, state, error)
                                                       : draw_state(table, &seed, state, error);
        if (!drawn || !go_on(done, count, error) || !print_case(sample, state, error)) {
            return false;
        }
    }
    return true;
}

static int compare_picks(const void *a, const void *b)
{
    uint64_t x = ((const struct pick *)a)->number;
    uint64_t y = ((const struct pick *)b)->number;
    return (x > y) - (x < y);
}

// Fetches the state if it is picked, as often as it is.
static bool fetch_picks(void *context, const uint8_t *state, int distance)
{
    struct sample *sample = context;
    size_t cells = fewest_info(sample->table)->cell_count;
    (void)distance;
    for (; sample->picked < sample->pick_count &&
           sample->picks[sample->picked].number == sample->number;
         sample->picked++) {
        memcpy(sample->states + sample->picks[sample->picked].place * cells, state, cells);
    }
    sample->number++;
    return sample->picked < sample->pick_count;
}

// Draws the numbers of some states first, and fetches all these states in one pass.
static bool draw_in_pass(struct sample *sample, uint64_t *seed, struct fewest_error *error)
{
    for (uint64_t i = 0; i < sample->pick_count; i++) {
        sample->picks[i] = (struct pick){random_below(seed, sample->there), i};
    }
    qsort(sample->picks, (size_t)sample->pick_count, sizeof *sample->picks, compare_picks);
    sample->picked = 0;
    sample->number = 0;
    if (!fewest_visit(sample->table, &sample->selection, fetch_picks, sample, error)) {
        return false;
    }
    if (sample->picked < sample->pick_count) {
        return set_header_error(error);
    }
    for (uint64_t i = 0; i < sample->pick_count; i++) {
        const uint8_t *state = sample->states + i * fewest_info(sample->table)->cell_count;
        if (!go_on(i, sample->pick_count, error) || !print_case(sample, state, error)) {
            return false;
        }
    }
    return true;
}

static bool draw_in_passes(struct sample *sample, uint64_t count, uint64_t seed,
                           struct fewest_error *error)
{
    enum { PASS_BYTES = 1 << 26 };
    size_t cells = fewest_info(sample->table)->cell_count;
    size_t most = PASS_BYTES / (cells + sizeof *sample->picks); // states of a pass
    most = count < most ? (size_t)count + 1 : most;
    sample->picks = malloc(most * sizeof *sample->picks);
    sample->states = malloc(most * cells);
    bool done = (sample->picks && sample->states) ||
                error_set(error, FEWEST_SYSTEM, "not enough memory for the sample");
    while (done && count > 0) {
        sample->pick_count = count < most ? count : most;
        count -= sample->pick_count;
        done = draw_in_pass(sample, &seed, error);
    }
    free(sample->picks);
    free(sample->states);
    return done;
}

static bool print_selected(void *context, const uint8_t *state, int distance)
{
    struct sample *sample = context;
    (void)distance;
    sample->failed = !go_on(sample->number, sample->there, sample->error) ||
                     !print_case(sample, state, sample->error);
    sample->number++;
    return !sample->failed && !ferror(stdout);
}

static bool print_all(struct sample *sample, struct fewest_error *error)
{
    sample->error = error;
    return fewest_visit(sample->table, &sample->selection, print_selected, sample, error) &&
           !sample->failed;
}

// Fills in the number of selected states.
static enum exit_status count_there(const struct request *request, struct sample *sample)
{
    const char *matches = request->matching ? " that matches" : "";
    struct fewest_stats stats;
    struct fewest_error error;
    if (!fewest_count(sample->table, &sample->selection, &stats, &error)) {
        return complain_error(&error);
    }
    if (stats.states == 0) {
        return complain_no_match(sample->table);
    }
    sample->there = stats.states;
    if (!request->has_distance) {
        return STATUS_ANSWERED;
    }
    if (request->distance > stats.largest || stats.count[request->distance] == 0) {
        return complain_usage(
            "--distance: no state of %s%s is at distance %llu; the largest distance is %u",
            fewest_info(sample->table)->name, matches, (unsigned long long)request->distance,
            stats.largest);
    }
    sample->selection.distance = (int)request->distance;
    sample->there = stats.count[request->distance];
    return STATUS_ANSWERED;
}

static bool print_sample(const struct request *request, struct sample *sample,
                         struct fewest_error *error)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t seed = request->has_seed ? request->seed
                                      : 1000000000 * (uint64_t)now.tv_sec + (uint64_t)now.tv_nsec;
    if (request->all) {
        return print_all(sample, error);
    }
    return request->has_distance || request->matching
               ? draw_in_passes(sample, request->count, seed, error)
               : draw_one_by_one(sample, request->count, seed, error);
}

static enum exit_status sample_table(const struct request *request, struct fewest *table)
{
    struct fewest_error error;
    uint8_t target[FEWEST_CELLS_MOST];
    struct sample sample = {.table = table,
                            .as_moves = request->as_moves,
                            .random_moves = request->random_moves,
                            .start = fewest_info(table)->default_start,
                            .selection = {.distance = FEWEST_ANY},
                            .there = fewest_info(table)->state_count};
    enum exit_status status = read_matching(table, request, target, &sample.selection.matching);
    if (status == STATUS_ANSWERED && (request->has_distance || request->matching)) {
        status = count_there(request, &sample);
    }
    if (status != STATUS_ANSWERED) {
        return status;
    }
    bool printed = (!request->as_moves || !fewest_info(table)->is_searched ||
                    set_options(table, request, watch_scramble, &sample, &error)) &&
                   print_sample(request, &sample, &error);
    hide_search();
    return printed ? STATUS_ANSWERED : complain_error(&error);
}

enum exit_status command_sample(const struct request *request)
{
    if (request->all && (request->has_count || request->has_seed)) {
        return complain_usage("use --all without --count and --seed: it prints every state");
    }
    if (request->random_moves > 0 && (request->all || request->has_distance || request->matching)) {
        return complain_usage("--random-moves makes states by moves; use it without --all, "
                              "--distance and --matching");
    }
    return with_table(request, sample_table);
}
