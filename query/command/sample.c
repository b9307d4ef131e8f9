// The command sample: states that can be reached, random ones or all.
#include "query/command/print/answers.h"
#include "query/command/request/messages.h"
#include "query/command/request/operands.h"
#include "query/command/request/watch.h"
#include "tables/base/clock.h"
#include "tables/base/random.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// A state of a sample that one pass through the selected states fetches.
struct pick {
    uint64_t number; // among the selected states
    uint64_t place;  // in the sample
};

struct sample {
    struct fewest *table;
    const struct request *request;
    struct fewest_error *error;
    uint64_t seed;  // of the next random number
    uint64_t count; // of states to print
    uint64_t printed;
    struct fewest_selection selection;
    uint64_t selected; // number of selected states, by the header, which may be forged
    unsigned moves[RANDOM_MOVES_MOST]; // of --random-moves: those that make the current state
    double begin;                      // of the last search for moves
    bool has_told;                     // that this can take long
    struct pick *picks;                // of a pass, by rising number
    uint8_t *states;                   // their states, by place
    uint64_t pick_count;
    uint64_t picked; // picks fetched so far
    uint64_t number; // of the current state among the selected ones
    bool failed;
};

// The fewest_random_below of fewest_draw; the context is the seed.
static uint64_t draw_below(void *seed, uint64_t bound)
{
    return random_below(seed, bound);
}

// Returns the seed of --seed or, without it, the time in nanoseconds.
static uint64_t find_seed(const struct request *request)
{
    static const uint64_t NANOSECONDS = 1000000000; // of a second
    struct timespec now;
    if (has_option(request, OPTION_SEED)) {
        return request->seed;
    }
    clock_gettime(CLOCK_REALTIME, &now);
    return NANOSECONDS * (uint64_t)now.tv_sec + (uint64_t)now.tv_nsec;
}

// ---- Printing -----------------------------------------------------------------------------------

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

// Prints moves that make a state: those of --random-moves, or else a shortest sequence. Returns
// false with an error.
static bool print_moves_to(struct sample *sample, const uint8_t *state)
{
    const struct query query = {.start = state};
    bool reachable;
    if (sample->request->random_moves > 0) {
        print_names(sample->table, sample->moves, (int)sample->request->random_moves,
                    !fewest_info(sample->table)->joins_moves, stdout);
        return true;
    }
    sample->begin = clock_seconds();
    return print_scramble(sample->table, &query, stdout, &reachable, sample->error);
}

// Prints a state of the sample on a line, and counts it as printed. The line has the form that
// `batch` reads or, with --moves, moves that make the state. If distances are from a start, the
// start stands before the state. Shows the progress only now and then. Returns false with an error,
// also after Ctrl-C.
static bool print_sampled(struct sample *sample, const uint8_t *state)
{
    enum { SELDOM = 1 << 10 }; // states
    const struct fewest_progress progress = {
        .what = "printing states", .done = sample->printed, .all = sample->count};
    const uint8_t *start = fewest_info(sample->table)->default_start;
    char text[FEWEST_TEXT_SIZE];
    if (sample->printed++ % SELDOM == 0) {
        watch_progress(NULL, &progress);
    }
    if (was_interrupted()) {
        return error_set(sample->error, FEWEST_STOPPED, "stopped while printing states");
    }
    if (isatty(STDOUT_FILENO)) {
        hide_search();
    }
    if (has_option(sample->request, OPTION_AS_MOVES)) {
        return print_moves_to(sample, state);
    }
    if (start && fewest_write_state(sample->table, start, text, sample->error)) {
        printf("%s ", text);
    }
    if (!fewest_write_state(sample->table, state, text, sample->error)) {
        return false;
    }
    printf("%s\n", text);
    return true;
}

// ---- One by one ---------------------------------------------------------------------------------

// Draws a state of a searched puzzle among those that can be reached, each equally likely. Such a
// puzzle numbers no states, so arrangements are drawn until the parity says that one can be
// reached. Returns false with an error.
static bool draw_searched(struct sample *sample, uint8_t *state)
{
    if (fewest_info(sample->table)->is_uncounted) {
        return error_set(sample->error, FEWEST_BEYOND,
                         "can't draw states of %s: only a search tells which can be reached; "
                         "make them with `--random-moves 30`",
                         fewest_info(sample->table)->name);
    }
    // 2^24 misses take a second or two. On a board that is no line, every second arrangement can be
    // reached.
    static const uint64_t MISSES_MOST = 1 << 24;
    struct fewest_parity parity = {.reachable = false};
    for (uint64_t misses = 0; !parity.reachable; misses++) {
        if (misses > MISSES_MOST) {
            return error_set(sample->error, FEWEST_BEYOND,
                             "too few arrangements of this board can be reached");
        }
        fewest_draw(sample->table, draw_below, &sample->seed, state);
        // NULL: to the goal
        if (!fewest_parity(sample->table, state, NULL, &parity, sample->error)) {
            return false;
        }
    }
    return true;
}

// Is the last of `count` random moves wasted? The last two lead from `before` to `state`. The last
// one is wasted if one move or none leads there as well. So it is if it is the same move once more,
// but not on a board with a blank: there it moves another piece.
static bool is_wasted(const struct sample *sample, unsigned count, const uint8_t *before,
                      const uint8_t *state)
{
    const struct fewest_info *info = fewest_info(sample->table);
    uint8_t moved[FEWEST_CELLS_MOST];
    struct fewest_error error;
    if (count < 2) {
        return false;
    }
    if (sample->moves[count - 1] == sample->moves[count - 2] && !info->has_blank) {
        return true;
    }
    for (unsigned m = 0; m < info->move_count; m++) {
        if (fewest_apply(sample->table, m, before, moved, &error) &&
            memcmp(moved, state, info->cell_count) == 0) {
            return true;
        }
    }
    return memcmp(before, state, info->cell_count) == 0;
}

// Makes a state by random moves from the solved state, and fills in both. Draws again after a move
// that is not possible or is wasted (is_wasted). After many such draws, a wasted move will do.
// Fails if no move seems possible. After Ctrl-C, returns true with fewer moves.
static bool make_state(struct sample *sample, uint8_t *state)
{
    const struct fewest_info *info = fewest_info(sample->table);
    const uint64_t tries_most = 16 * (uint64_t)info->move_count; // until a wasted move will do
    uint8_t previous[FEWEST_CELLS_MOST];
    uint8_t next[FEWEST_CELLS_MOST];
    unsigned count = 0;   // of the moves so far
    bool applies = false; // has fewest_apply made a move?
    memcpy(state, info->goals, info->cell_count);
    for (uint64_t tries = 1; count < sample->request->random_moves && !was_interrupted(); tries++) {
        if (tries > 2 * tries_most) {
            return error_set(sample->error, FEWEST_BEYOND,
                             "no move is possible in a state to which random moves led");
        }
        unsigned move = (unsigned)random_below(&sample->seed, info->move_count);
        sample->moves[count] = move;
        bool is_possible = fewest_apply(sample->table, move, state, next, sample->error);
        applies = applies || is_possible;
        if (!applies) { // rolling cubes: only all moves from the solved state tell the next state
            is_possible = fewest_follow(sample->table, info->goals, sample->moves, count + 1, next,
                                        sample->error);
        }
        if (is_possible && (tries > tries_most || !is_wasted(sample, count + 1, previous, next))) {
            memcpy(previous, state, info->cell_count);
            memcpy(state, next, info->cell_count);
            count++;
            tries = 0;
        }
    }
    return true;
}

// Prints random states, each drawn by itself: made by moves, or drawn from all that can be reached.
// Returns false with an error.
static bool draw_one_by_one(struct sample *sample)
{
    const struct fewest_info *info = fewest_info(sample->table);
    uint8_t state[FEWEST_CELLS_MOST];
    while (sample->printed < sample->count) {
        bool drawn;
        if (sample->request->random_moves > 0) {
            drawn = make_state(sample, state);
        } else if (info->is_searched) {
            drawn = draw_searched(sample, state);
        } else {
            uint64_t number = random_below(&sample->seed, info->state_count);
            drawn = fewest_pick(sample->table, number, state, sample->error);
        }
        if (!drawn || !print_sampled(sample, state)) {
            return false;
        }
    }
    return true;
}

// ---- In passes through the selected states ------------------------------------------------------

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
static bool draw_in_pass(struct sample *sample)
{
    for (uint64_t i = 0; i < sample->pick_count; i++) {
        sample->picks[i] = (struct pick){random_below(&sample->seed, sample->selected), i};
    }
    qsort(sample->picks, (size_t)sample->pick_count, sizeof *sample->picks, compare_picks);
    sample->picked = 0;
    sample->number = 0;
    if (!fewest_visit(sample->table, &sample->selection, fetch_picks, sample, sample->error)) {
        return false;
    }
    if (sample->picked < sample->pick_count) {
        return set_header_error(sample->error);
    }
    for (uint64_t i = 0; i < sample->pick_count; i++) {
        if (!print_sampled(sample, sample->states + i * fewest_info(sample->table)->cell_count)) {
            return false;
        }
    }
    return true;
}

// Prints random ones of the selected states, in as many passes as a limit of memory asks for.
// Returns false with an error.
static bool draw_in_passes(struct sample *sample)
{
    enum { PASS_BYTES = 1 << 26 }; // for the picks of a pass and their states
    size_t cells = fewest_info(sample->table)->cell_count;
    size_t most = PASS_BYTES / (cells + sizeof *sample->picks); // states of a pass
    if (sample->count < most) {
        most = (size_t)sample->count + 1; // +1: no room is not NULL either
    }
    sample->picks = malloc(most * sizeof *sample->picks);
    sample->states = malloc(most * cells);
    bool done =
        (sample->picks && sample->states) || error_no_memory(sample->error, "for the sample");
    while (done && sample->printed < sample->count) {
        uint64_t left = sample->count - sample->printed;
        sample->pick_count = left < most ? left : most;
        done = draw_in_pass(sample);
    }
    free(sample->picks);
    free(sample->states);
    return done;
}

// A visitor that prints each selected state. Returns false after an error or a failed write.
static bool print_selected(void *context, const uint8_t *state, int distance)
{
    struct sample *sample = context;
    (void)distance;
    sample->failed = !print_sampled(sample, state);
    return !sample->failed && !ferror(stdout);
}

// ---- The command --------------------------------------------------------------------------------

// Fills in the number of selected states, and adds the distance of the request to the selection.
// Returns the exit status, after a message if it fails or no state is selected.
static enum exit_status count_selected(struct sample *sample)
{
    const struct request *request = sample->request;
    const char *matches = request->matching ? " that matches" : "";
    struct fewest_stats stats;
    if (!fewest_count(sample->table, &sample->selection, &stats, sample->error)) {
        return complain_error(sample->error);
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

// Prints the sample that the request asks for: all selected states, or random ones. `selects` tells
// whether --distance or --matching selects some of the states. Returns false with an error.
static bool print_sample(struct sample *sample, bool selects)
{
    if (has_option(sample->request, OPTION_ALL)) {
        sample->count = sample->selected;
        return fewest_visit(sample->table, &sample->selection, print_selected, sample,
                            sample->error) &&
               !sample->failed;
    }
    return selects ? draw_in_passes(sample) : draw_one_by_one(sample);
}

// Answers `fewest sample` from an open table. Returns the exit status.
static enum exit_status sample_table(const struct request *request, struct fewest *table)
{
    struct fewest_error error;
    uint8_t target[FEWEST_CELLS_MOST];
    struct sample sample = {.table = table,
                            .request = request,
                            .error = &error,
                            .seed = find_seed(request),
                            .count = request->count,
                            .selection = {.distance = FEWEST_ANY},
                            .selected = fewest_info(table)->state_count};
    bool selects = has_option(request, OPTION_DISTANCE) || request->matching;
    enum exit_status status = read_matching(table, request, target, &sample.selection.matching);
    if (status == STATUS_ANSWERED && selects) {
        status = count_selected(&sample);
    }
    if (status != STATUS_ANSWERED) {
        return status;
    }
    bool searches = has_option(request, OPTION_AS_MOVES) && fewest_info(table)->is_searched;
    bool printed = (!searches || set_options(table, request, watch_scramble, &sample, &error)) &&
                   print_sample(&sample, selects);
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
