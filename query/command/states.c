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

// Fills in the distance of a state as fewest_count counts it: from the table's default start, or
// from the state to the nearest goal.
static bool find_counted_distance(struct fewest *table, const uint8_t *state, int *distance,
                                  struct fewest_error *error)
{
    const uint8_t *start = fewest_info(table)->default_start;
    if (start) {
        return fewest_steps(table, start, state, distance, error);
    }
    return fewest_steps(table, state, NULL, distance, error);
}

enum { EXPORTED_AT_ONCE = 1 << 14 };

// Some arrangements whose distances are found in all threads and then written.
struct exporting {
    struct fewest *table;
    unsigned threads;
    size_t cells;    // of a state
    size_t count;    // of the arrangements that wait, at most EXPORTED_AT_ONCE
    uint8_t *states; // their rows, one after the other
    uint8_t distances[EXPORTED_AT_ONCE];
    struct fewest_error *error; // the first one of all threads
    _Atomic bool failed;
};

// Finds the distances of the arrangements begin … end-1 of those that wait, in one thread. If any
// thread fails, all stop.
static void find_distances(void *context, uint64_t begin, uint64_t end)
{
    struct exporting *exporting = context;
    for (uint64_t i = begin; i < end && !exporting->failed; i++) {
        struct fewest_error error;
        int distance;
        if (find_counted_distance(exporting->table, exporting->states + i * exporting->cells,
                                  &distance, &error)) {
            exporting->distances[i] =
                distance == FEWEST_UNREACHABLE ? UNREACHABLE_BYTE : (uint8_t)distance;
        } else if (!atomic_exchange(&exporting->failed, true)) {
            *exporting->error = error;
        }
    }
}

// Finds and writes the distances of the arrangements that wait. Returns false if a distance can't
// be found or stdout does not take them.
static bool write_distances(struct exporting *exporting)
{
    enum { GRAIN = 1 << 10 }; // arrangements
    parallel_for(exporting->threads, exporting->count, GRAIN, find_distances, exporting);
    if (exporting->failed) {
        return false;
    }
    fwrite(exporting->distances, 1, exporting->count, stdout);
    exporting->count = 0;
    return !ferror(stdout);
}

// A visitor that adds an arrangement to those that wait and, if they are enough, writes their
// distances. Returns false as write_distances does.
static bool add_arrangement(void *context, const uint8_t *state)
{
    struct exporting *exporting = context;
    memcpy(exporting->states + exporting->count++ * exporting->cells, state, exporting->cells);
    return exporting->count < EXPORTED_AT_ONCE || write_distances(exporting);
}

// Writes the distances of all arrangements that match; NULL stands for all. Returns false with the
// error. A failed write to stdout is no error here, because the end of the program reports it.
static bool export_distances(struct exporting *exporting, const uint8_t *matching)
{
    struct fewest *table = exporting->table;
    struct fewest_error *error = exporting->error;
    struct fewest_stats stats;
    if (!has_numbers(table, error)) {
        return false;
    }
    // The library says why a searched puzzle has no distances.
    if (fewest_info(table)->is_searched && !fewest_count(table, NULL, &stats, error)) {
        return false;
    }
    if (!fewest_visit_arrangements(table, matching, add_arrangement, exporting, error)) {
        return false;
    }
    if (!exporting->failed) {
        write_distances(exporting); // of the last ones
    }
    return !exporting->failed;
}

// Answers `fewest export` from an open table. Returns the exit status.
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
    return with_table(request, export_table);
}

// ---- One state, or one a line -------------------------------------------------------------------

// Reads a line with a state, as the start of a query without a target.
static bool read_state_line(const struct line_answerer *answerer, const char *line, size_t length,
                            uint8_t *start, uint8_t *target, struct fewest_error *error)
{
    target[0] = FEWEST_GOALS;
    return fewest_read_state(answerer->table, "STATE", line, length, start, error);
}

// Reports why there is no answer for an operand. If it should be a state, suggests what to type.
static enum exit_status complain_operand(const struct line_answerer *answerer, const char *operand,
                                         const struct fewest_error *error)
{
    if (answerer->read == read_state_line) {
        return complain_state(answerer->table, operand, strlen(operand), error);
    }
    return complain_error(error);
}

// Answers for the state that --moves lead to, or for the operand after PUZZLE, which the answerer
// reads. If that is `-` or `@FILE`, answers each line of that input. Returns the exit status.
static enum exit_status answer_operand(const struct request *request,
                                       const struct line_answerer *answerer)
{
    uint8_t start[FEWEST_CELLS_MOST];
    uint8_t target[FEWEST_CELLS_MOST] = {FEWEST_GOALS};
    const struct query query = {start, target};
    struct fewest_error error;
    bool reachable;
    const char *operand = request->operands[1];
    if (request->moves) {
        enum exit_status status = make_moves(answerer->table, request, start);
        if (status != STATUS_ANSWERED) {
            return status;
        }
    } else if (input_is_named(operand)) {
        return batch_answer_file(answerer, request, operand);
    } else if (!answerer->read(answerer, operand, strlen(operand), start, target, &error)) {
        return complain_operand(answerer, operand, &error);
    }
    if (!answerer->print(answerer->table, &query, stdout, &reachable, &error)) {
        return request->moves ? complain_error(&error)
                              : complain_operand(answerer, operand, &error);
    }
    return reachable ? STATUS_ANSWERED : STATUS_NEGATIVE;
}

// Answers for one state, or for one a line, by a function that prints the answer. Returns the exit
// status.
static enum exit_status answer_states(const struct request *request, struct fewest *table,
                                      print_answer *print)
{
    const struct line_answerer answerer = {
        .read = read_state_line, .joins = true, .table = table, .print = print};
    return answer_operand(request, &answerer);
}

// Prints the number of the start of a query.
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

// Answers `fewest rank` from an open table. Returns the exit status.
static enum exit_status rank_states(const struct request *request, struct fewest *table)
{
    struct fewest_error error;
    if (has_option(request, OPTION_AS_MOVES)) {
        return answer_states(request, table, print_scramble);
    }
    if (!has_numbers(table, &error)) {
        return complain_error(&error);
    }
    return answer_states(request, table, print_rank);
}

enum exit_status command_rank(const struct request *request)
{
    return with_table(request, rank_states);
}

// Reads a line with the number of an arrangement, as the start of a query without a target. White
// space may be around it, and a comment may follow.
static bool read_number_line(const struct line_answerer *answerer, const char *text, size_t length,
                             uint8_t *start, uint8_t *target, struct fewest_error *error)
{
    char shown[FEWEST_TEXT_SIZE];
    uint64_t number;
    for (size_t i = 1; i < length; i++) {
        if (text[i] == '#' && ascii_is_space(text[i - 1])) {
            length = i;
        }
    }
    while (length > 0 && ascii_is_space(text[length - 1])) {
        length--;
    }
    while (length > 0 && ascii_is_space(*text)) {
        text++;
        length--;
    }
    int copied = (int)(length < sizeof shown ? length : sizeof shown);
    snprintf(shown, sizeof shown, "%.*s", copied, text);
    // Another length: the text is too long, or has a NUL.
    if (strlen(shown) != length || !read_decimal(shown, &number)) {
        char typed[40];
        escape_text(typed, sizeof typed, text, length);
        return error_set(
            error, FEWEST_BAD_INPUT, "NUMBER: expected a number from 0 to %llu, got '%s'",
            (unsigned long long)fewest_info(answerer->table)->arrangement_count - 1, typed);
    }
    target[0] = FEWEST_GOALS;
    return fewest_unrank(answerer->table, number, start, error);
}

// Prints the start of a query as text.
static bool print_state_line(struct fewest *table, const struct query *query, FILE *out,
                             bool *reachable, struct fewest_error *error)
{
    char text[FEWEST_TEXT_SIZE];
    *reachable = true;
    if (!fewest_write_state(table, query->start, text, error)) {
        return false;
    }
    fprintf(out, "%s\n", text);
    return true;
}

// Answers `fewest unrank` from an open table. Returns the exit status.
static enum exit_status unrank_states(const struct request *request, struct fewest *table)
{
    const struct line_answerer answerer = {
        .read = read_number_line,
        .table = table,
        .print = has_option(request, OPTION_AS_MOVES) ? print_scramble : print_state_line,
    };
    struct fewest_error error;
    if (!has_numbers(table, &error)) {
        return complain_error(&error);
    }
    return answer_operand(request, &answerer);
}

enum exit_status command_unrank(const struct request *request)
{
    return with_table(request, unrank_states);
}

// Prints the text of a definition. Spaces replace control characters: a terminal would act on them,
// and anybody may have written the text.
static void print_definition(const char *text)
{
    enum { DELETE = 0x7F };
    for (text += ascii_mark_length(text, strlen(text)); *text; text++) {
        bool is_white = *text == '\n' || *text == '\t';
        bool is_control = ((unsigned char)*text < ' ' && !is_white) || *text == DELETE;
        putchar(is_control ? ' ' : *text);
    }
}

// Draws the start of a query.
static bool print_board(struct fewest *table, const struct query *query, FILE *out, bool *reachable,
                        struct fewest_error *error)
{
    (void)error;
    picture_board(table, query->start, out);
    *reachable = true;
    return true;
}

// Answers `fewest show` from an open table: draws states or, without one, prints the definition
// after comments that tell the number of states and which databases are shared. Returns the exit
// status.
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

// Returns 64 random bits, and changes the seed. This is SplitMix64 (G. L. Steele, D. Lea and C. H.
// Flood, "Fast splittable pseudorandom number generators", 2014). A seed gives the same states on
// every machine.
static uint64_t next_random(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

// Draws a number from 0 to bound - 1, each equally likely. The bound is above 0. Draws again after
// a number in the last, incomplete run of `bound` numbers, which would favour some results.
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
    bool has_told;                     // that this can take long
    const uint8_t *start;              // NULL: distances are to the goals
    struct fewest_selection selection;
    uint64_t selected;  // the number of selected states, by the header, which may be forged
    struct pick *picks; // of a pass, by rising number
    uint8_t *states;    // their states, by place
    uint64_t pick_count;
    uint64_t picked; // picks fetched so far
    uint64_t number; // of the current state among the selected ones
    struct fewest_error *error;
    bool failed;
};

// Shows that `done` of `count` states are printed. Returns false with an error after Ctrl-C. The
// terminal is only looked at now and then.
static bool show_printed(uint64_t done, uint64_t count, struct fewest_error *error)
{
    enum { SELDOM = 1 << 10 }; // states
    const struct fewest_progress progress = {"printing states", done, count, 0};
    if (done % SELDOM == 0) {
        watch_progress(NULL, &progress);
    }
    return !was_interrupted() || error_set(error, FEWEST_STOPPED, "stopped while printing states");
}

// A watcher of searches for the moves to random states: tells once, after two seconds of a search,
// how long it can take, and what takes no search. Then does what watch_progress does.
static bool watch_scramble(void *context, const struct fewest_progress *progress)
{
    struct sample *sample = context;
    if (!sample->has_told && clock_seconds() - sample->begin >= 2) {
        sample->has_told = true;
        complain(STATUS_ANSWERED,
                 "this search for the shortest moves to a random state can take hours; "
                 "`--random-moves 30 --moves` needs no search");
    }
    return watch_progress(NULL, progress);
}

// Prints a state of the sample on a line, in the form that `batch` reads or, with --moves, as moves
// that make it. If distances are from a start, that stands before the state. Returns false with an
// error.
static bool print_sampled(struct sample *sample, const uint8_t *state, struct fewest_error *error)
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
    if (!fewest_write_state(sample->table, state, text, error)) {
        return false;
    }
    printf("%s\n", text);
    return true;
}

// Draws a state that can be reached, each equally likely. The table must have distances.
static bool draw_state(struct fewest *table, uint64_t *seed, uint8_t *state,
                       struct fewest_error *error)
{
    return fewest_pick(table, random_below(seed, fewest_info(table)->state_count), state, error);
}

// The fewest_random_below of fewest_draw; the context is the seed.
static uint64_t draw_below(void *seed, uint64_t bound)
{
    return random_below(seed, bound);
}

// Draws a state of a searched puzzle that can be reached, each equally likely. Its states have no
// numbers of their own, so it draws arrangements until the parity says that one can be reached.
static bool draw_searched(struct fewest *table, uint64_t *seed, uint8_t *state,
                          struct fewest_error *error)
{
    if (fewest_info(table)->is_uncounted) {
        return error_set(error, FEWEST_BEYOND,
                         "can't draw states of %s: only a search tells which can be reached; "
                         "make them with `--random-moves 30`",
                         fewest_info(table)->name);
    }
    // So many misses take a second or two. Half of the arrangements of a board can be reached,
    // unless it is a line.
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
// powers of one move? For each move, follows its powers from `before`. They make one move if that
// leads to `next` at once. They are powers if it comes to both states before it comes back.
static bool are_one_turn(const struct fewest *table, const uint8_t *before, const uint8_t *state,
                         const uint8_t *next)
{
    enum { ORDER_MOST = 256 };
    size_t cells = fewest_info(table)->cell_count;
    for (unsigned m = 0; m < fewest_info(table)->move_count; m++) {
        struct fewest_error error;
        uint8_t power[FEWEST_CELLS_MOST]; // the state after some repetitions of the move
        bool met_state = false;
        bool met_next = false;
        bool is_back = false;
        memcpy(power, before, cells);
        for (unsigned i = 0; i < ORDER_MOST && !is_back; i++) {
            if (!fewest_apply(table, m, power, power, &error)) {
                break; // the move is not possible here
            }
            met_state |= memcmp(power, state, cells) == 0;
            met_next |= memcmp(power, next, cells) == 0;
            is_back = memcmp(power, before, cells) == 0;
            if (met_next && (i == 0 || (is_back && met_state))) {
                return true;
            }
        }
    }
    return memcmp(next, before, cells) == 0;
}

// Makes a state by sample->random_moves random moves from the solved state, and fills in both. A
// move that undoes or continues the last one is drawn again, unless that was tried often. Fails if
// no move seems possible, and after Ctrl-C returns true with fewer moves.
static bool make_state(struct sample *sample, uint64_t *seed, uint8_t *state,
                       struct fewest_error *error)
{
    enum { TRIES = 16 }; // draws for each move of the puzzle, before any possible move will do
    const struct fewest *table = sample->table;
    const uint8_t *solved = fewest_info(table)->goals;
    uint8_t before[FEWEST_CELLS_MOST];
    uint8_t next[FEWEST_CELLS_MOST];
    size_t cells = fewest_info(table)->cell_count;
    uint64_t tries_most = (uint64_t)TRIES * fewest_info(table)->move_count;
    uint64_t tries = 0; // for the next move
    unsigned count = 0; // of the moves so far
    memcpy(state, solved, cells);
    while (count < sample->random_moves && tries < 2 * tries_most && !was_interrupted()) {
        sample->moves[count] = (unsigned)random_below(seed, fewest_info(table)->move_count);
        bool is_possible = fewest_follow(table, solved, sample->moves, count + 1, next, error);
        bool any_will_do = count == 0 || tries >= tries_most;
        if (is_possible && (any_will_do || !are_one_turn(table, before, state, next))) {
            memcpy(before, state, cells);
            memcpy(state, next, cells);
            count++;
            tries = 1;
        } else {
            tries++;
        }
    }
    return count == sample->random_moves || was_interrupted() ||
           error_set(error, FEWEST_BEYOND,
                     "no move is possible in a state to which random moves led");
}

// Prints `count` random states, each drawn by itself: made by moves, or drawn from all that can be
// reached. Returns false with an error.
static bool draw_one_by_one(struct sample *sample, uint64_t count, uint64_t seed,
                            struct fewest_error *error)
{
    struct fewest *table = sample->table;
    uint8_t state[FEWEST_CELLS_MOST];
    for (uint64_t done = 0; done < count; done++) {
        bool drawn;
        if (sample->random_moves > 0) {
            drawn = make_state(sample, &seed, state, error);
        } else if (fewest_info(table)->is_searched) {
            drawn = draw_searched(table, &seed, state, error);
        } else {
            drawn = draw_state(table, &seed, state, error);
        }
        if (!drawn || !show_printed(done, count, error) || !print_sampled(sample, state, error)) {
            return false;
        }
    }
    return true;
}

// An order for qsort: by the numbers of the states.
static int compare_picks(const void *a, const void *b)
{
    uint64_t x = ((const struct pick *)a)->number;
    uint64_t y = ((const struct pick *)b)->number;
    return (x > y) - (x < y);
}

// A visitor of the selected states, in the order of their numbers: copies a state to each place of
// the sample for which it is picked. Returns false after the last pick.
static bool fetch_picks(void *context, const uint8_t *state, int distance)
{
    struct sample *sample = context;
    size_t cells = fewest_info(sample->table)->cell_count;
    (void)distance;
    while (sample->picked < sample->pick_count &&
           sample->picks[sample->picked].number == sample->number) {
        memcpy(sample->states + sample->picks[sample->picked].place * cells, state, cells);
        sample->picked++;
    }
    sample->number++;
    return sample->picked < sample->pick_count;
}

// Prints sample->pick_count random ones of the selected states: draws their numbers first, sorts
// them, and fetches all these states in one pass. Returns false with an error.
static bool draw_in_pass(struct sample *sample, uint64_t *seed, struct fewest_error *error)
{
    for (uint64_t i = 0; i < sample->pick_count; i++) {
        sample->picks[i] = (struct pick){random_below(seed, sample->selected), i};
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
        if (!show_printed(i, sample->pick_count, error) || !print_sampled(sample, state, error)) {
            return false;
        }
    }
    return true;
}

// Prints `count` random ones of the selected states, in as many passes as a limit of memory asks
// for. Returns false with an error.
static bool draw_in_passes(struct sample *sample, uint64_t count, uint64_t seed,
                           struct fewest_error *error)
{
    enum { PASS_BYTES = 1 << 26 }; // for the picks of a pass and their states
    size_t cells = fewest_info(sample->table)->cell_count;
    size_t most = PASS_BYTES / (cells + sizeof *sample->picks); // states of a pass
    if (count < most) {
        most = (size_t)count + 1; // +1: no room is not NULL either
    }
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

// A visitor that prints each selected state. Returns false after Ctrl-C, an error or a failed
// write.
static bool print_selected(void *context, const uint8_t *state, int distance)
{
    struct sample *sample = context;
    (void)distance;
    sample->failed = !show_printed(sample->number, sample->selected, sample->error) ||
                     !print_sampled(sample, state, sample->error);
    sample->number++;
    return !sample->failed && !ferror(stdout);
}

// Prints all selected states. Returns false with an error.
static bool print_all(struct sample *sample, struct fewest_error *error)
{
    sample->error = error;
    return fewest_visit(sample->table, &sample->selection, print_selected, sample, error) &&
           !sample->failed;
}

// Fills in the number of selected states, and adds the distance of the request to the selection.
// Returns the exit status, after a message if it fails or no state is selected.
static enum exit_status count_selected(const struct request *request, struct sample *sample)
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
    sample->selected = stats.states;
    if (!has_option(request, OPTION_DISTANCE)) {
        return STATUS_ANSWERED;
    }
    if (request->distance > stats.largest || stats.count[request->distance] == 0) {
        return complain_usage(
            "--distance: no state of %s%s is at distance %llu; the largest distance is %u",
            fewest_info(sample->table)->name, matches, (unsigned long long)request->distance,
            stats.largest);
    }
    sample->selection.distance = (int)request->distance;
    sample->selected = stats.count[request->distance];
    return STATUS_ANSWERED;
}

// Prints the sample that the request asks for: all selected states, or random ones. Without --seed,
// the time is the seed. Returns false with an error.
static bool print_sample(const struct request *request, struct sample *sample,
                         struct fewest_error *error)
{
    static const uint64_t NANOSECONDS = 1000000000; // of a second
    uint64_t seed = request->seed;
    if (has_option(request, OPTION_ALL)) {
        return print_all(sample, error);
    }
    if (!has_option(request, OPTION_SEED)) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        seed = NANOSECONDS * (uint64_t)now.tv_sec + (uint64_t)now.tv_nsec;
    }
    if (has_option(request, OPTION_DISTANCE) || request->matching) {
        return draw_in_passes(sample, request->count, seed, error);
    }
    return draw_one_by_one(sample, request->count, seed, error);
}

// Answers `fewest sample` from an open table. Returns the exit status.
static enum exit_status sample_table(const struct request *request, struct fewest *table)
{
    struct fewest_error error;
    uint8_t target[FEWEST_CELLS_MOST];
    struct sample sample = {.table = table,
                            .as_moves = has_option(request, OPTION_AS_MOVES),
                            .random_moves = request->random_moves,
                            .start = fewest_info(table)->default_start,
                            .selection = {.distance = FEWEST_ANY},
                            .selected = fewest_info(table)->state_count};
    enum exit_status status = read_matching(table, request, target, &sample.selection.matching);
    if (status == STATUS_ANSWERED && (has_option(request, OPTION_DISTANCE) || request->matching)) {
        status = count_selected(request, &sample);
    }
    if (status != STATUS_ANSWERED) {
        return status;
    }
    bool searches = has_option(request, OPTION_AS_MOVES) && fewest_info(table)->is_searched;
    bool printed = (!searches || set_options(table, request, watch_scramble, &sample, &error)) &&
                   print_sample(request, &sample, &error);
    hide_search();
    return printed ? STATUS_ANSWERED : complain_error(&error);
}

enum exit_status command_sample(const struct request *request)
{
    if (has_option(request, OPTION_ALL) &&
        (has_option(request, OPTION_COUNT) || has_option(request, OPTION_SEED))) {
        return complain_usage("use --all without --count and --seed: it prints every state");
    }
    if (request->random_moves > 0 && (has_option(request, OPTION_ALL) ||
                                      has_option(request, OPTION_DISTANCE) || request->matching)) {
        return complain_usage("--random-moves makes states by moves; use it without --all, "
                              "--distance and --matching");
    }
    return with_table(request, sample_table);
}
