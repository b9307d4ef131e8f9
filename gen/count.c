// Counts the states at each distance, from the text of a definition.
#include "count.h"

#include "gen/depth/depth.h"
#include "gen/layers/layer_file.h"
#include "gen/ranks/ranks.h"
#include "gen/search/few_states.h"
#include "tables/families/board/board_chain.h"
#include "tables/families/symmetry/count_pages.h"
#include "tables/file/format.h"
#include "tables/text/text.h"
#include "watcher.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static_assert((int)FEWEST_GEN_DISTANCES == (int)DISTANCE_MOST + 1 &&
                  (int)FEWEST_GEN_ANTIPODES == (int)ANTIPODES_MOST,
              "the public limits are those of a search");

static const uint64_t COUNTED_MOST = UINT64_C(1) << 48; // states

struct counting {
    const struct fewest_gen_options *options;
    struct fewest_gen_counts *result;
    struct plan plan;
    struct search_options search;
    struct count_pages pages;
    struct board_chain *board; // NULL, or the second numbering of a board, for --verify
    struct chain chain;        // of that numbering
    struct state_count count;
    struct watcher watcher;
    unsigned ranks;  // the number of ranks for which the costs are computed
    uint64_t memory; // bytes that each of them may take
};

// ---- Before the search --------------------------------------------------------------------------

// Numbers the states by a chain of its own, whose state 0 is the root.
static bool number_by_chain(struct counting *counting, const struct chain_plan *plan,
                            struct fewest_error *error)
{
    counting->count.chain = &counting->chain;
    return chain_make(&counting->chain, plan, error) && chain_finish(&counting->chain, error);
}

// Makes the second numbering of a board, which takes the tiles in the opposite order.
static bool number_board(struct counting *counting, struct fewest_error *error)
{
    const struct puzzle *puzzle = &counting->plan.puzzle;
    const uint8_t *alike = puzzle->numbering.counts_to_goals ? puzzle->goals[0] : NULL;
    counting->board = malloc(sizeof *counting->board);
    if (!counting->board ||
        !board_chain_make(counting->board, puzzle->board, puzzle->move_count,
                          puzzle->numbering.roots[counting->count.root].cell, alike, true)) {
        return error_no_memory(error, "for the numbers of the states");
    }
    return number_by_chain(counting, &counting->board->plan, error);
}

// Chooses the pages of the count. With `reversed`, they number the states in another way. Without
// symmetric pages, the count takes the pages of a table.
static bool choose_pages(struct counting *counting, bool reversed, struct fewest_error *error)
{
    static const uint64_t LEAST_BYTES = 64 << 20;
    static const uint64_t MOST_BYTES = 512 << 20;
    const struct puzzle *puzzle = &counting->plan.puzzle;
    const struct fewest_gen_options *options = counting->options;
    uint64_t marks = puzzle->numbering.state_count / 4; // bytes, without symmetries
    uint64_t bytes = LEAST_BYTES + marks / 16;
    const struct count_choice choice = {.symmetries = !options->no_symmetry,
                                        .rotations = options->rotations,
                                        .reversed = reversed,
                                        .most_bytes = bytes < MOST_BYTES ? bytes : MOST_BYTES,
                                        .memory = counting->memory,
                                        .is_stopped = options_stop_context,
                                        .context = &counting->search};
    // A filter may permit only few of many states. Pages would look at each state, so the search
    // for few states comes first.
    bool may_be_few =
        puzzle->filter && !reversed && puzzle->numbering.state_count >= FEW_STATES_LEAST_INDICES;
    enum symmetric_result made =
        may_be_few ? SYMMETRIC_UNFIT : count_pages_make(&counting->pages, puzzle, &choice, error);
    counting->count = (struct state_count){.puzzle = puzzle, .root = counting->count.root};
    if (made == SYMMETRIC_MADE) {
        counting->count.pages = &counting->pages;
        return symmetric_pages_fill(&counting->pages.pages, counting->search.threads, error);
    }
    if (made == SYMMETRIC_FAILED) {
        return false;
    }
    // The chain of a board counts from one state, its first one.
    bool has_one_goal = puzzle->numbering.roots[counting->count.root].more == 0;
    if (puzzle->board && reversed && !options->rotations && has_one_goal) {
        return number_board(counting, error);
    }
    if (counting->pages.has_chain_plan && counting->pages.rotations == 1 && !puzzle->filter) {
        return number_by_chain(counting, &counting->pages.plan.chain, error);
    }
    bool needs_pages =
        reversed || counting->pages.rotations > 1 || (may_be_few && options->rotations);
    if (needs_pages) {
        return error_set(error, FEWEST_BEYOND, "%s has no %s; leave out %s", puzzle->name,
                         reversed ? "second numbering" : "numbering of its positions",
                         reversed ? "--verify" : "--rotations");
    }
    return plan_check_states(&counting->plan, STATES_MOST, error);
}

// Finds the root of the solved state. Fails if the states of this puzzle can't be counted.
static bool check_puzzle(struct counting *counting, struct fewest_error *error)
{
    struct plan *plan = &counting->plan;
    const struct puzzle *puzzle = &plan->puzzle;
    uint8_t relative[CELLS_MOST];
    if (puzzle->definition->database_count > 0) {
        return error_set(
            error, FEWEST_BEYOND,
            "%s has `Database` lines, so --count does not count its states; remove these "
            "lines, or use --depth",
            puzzle->name);
    }
    if (!plan_check_states(plan, COUNTED_MOST, error)) {
        return false;
    }
    if (puzzle_hides_nodes(puzzle, 0)) {
        return error_set(error, FEWEST_BEYOND,
                         "%s has rolling cubes, which --count can't count; make a table, and run "
                         "`fewest stats`",
                         puzzle->name);
    }
    if (puzzle->goal_count > 1 && puzzle->numbering.roots[0].more + 1 < puzzle->goal_count) {
        return error_set(error, FEWEST_BEYOND,
                         "%s has several goals, to which --count can't find the distances; make a "
                         "table, and run `fewest stats`",
                         puzzle->name);
    }
    return puzzle_find_relative(puzzle, puzzle->goals[0], puzzle->goals[0], &counting->count.root,
                                relative, error);
}

// Compiles the definition.
static bool compile(struct counting *counting, const char *definition, size_t length,
                    struct fewest_error *error)
{
    return plan_begin(&counting->plan, definition, length, (enum metric)counting->options->metric,
                      &counting->search, error);
}

// Compiles the definition, chooses pages, and forecasts the memory. Fails if it is too much.
static bool prepare(struct counting *counting, const char *definition, size_t length,
                    struct fewest_error *error)
{
    struct plan *plan = &counting->plan;
    uint64_t memory = counting->options->memory;
    // All ranks must choose the same pages.
    counting->memory = ranks_find_least(memory > 0 ? memory : forecast_available());
    return compile(counting, definition, length, error) && check_puzzle(counting, error) &&
           choose_pages(counting, false, error) &&
           forecast_count(&plan->forecast, &counting->count, &counting->search, counting->ranks,
                          error) &&
           plan_check_memory(plan, counting->options->memory, error);
}

// Returns a hash of the definition and the options that all ranks must have in common.
static uint64_t compute_digest(const struct counting *counting)
{
    const struct fewest_gen_options *options = counting->options;
    uint64_t parts[] = {format_hash(counting->plan.text, counting->plan.length),
                        counting->plan.puzzle.metric,
                        options->checkpoint != NULL,
                        options->rotations,
                        options->no_symmetry,
                        options->verify};
    return format_hash(parts, sizeof parts);
}

// ---- The search ---------------------------------------------------------------------------------

// Searches. If the options name a checkpoint, saves the layers in it, or goes on from those that
// are there. A table can't go on from the checkpoint of a count, nor can a count with other
// options.
static bool search(struct counting *counting, struct fewest_error *error)
{
    enum { KIND_COUNT = 0x100, KIND_ROTATIONS = 0x200, KIND_ALL_STATES = 0x400 };
    const struct fewest_gen_options *options = counting->options;
    const struct plan *plan = &counting->plan;
    struct layer_file checkpoint;
    unsigned kind = plan->puzzle.metric | KIND_COUNT | (options->rotations ? KIND_ROTATIONS : 0) |
                    (options->no_symmetry ? KIND_ALL_STATES : 0);
    if (!options->checkpoint) {
        return search_counts(&counting->count, &counting->search, (struct file_search){NULL, 0},
                             error);
    }
    bool opened =
        layer_file_open(&checkpoint, options->checkpoint, plan->text, plan->length, kind, error);
    bool done =
        ranks_barrier(opened, error) && search_counts(&counting->count, &counting->search,
                                                      (struct file_search){&checkpoint, 0}, error);
    layer_file_close(&checkpoint, done);
    return done;
}

// Counts a second time, by another numbering. Fails if the counts differ.
static bool verify(struct counting *counting, struct fewest_error *error)
{
    const struct state_count first = counting->count;
    count_pages_free(&counting->pages);
    bool chosen = choose_pages(counting, true, error);
    if (!ranks_barrier(chosen, error) ||
        !search_counts(&counting->count, &counting->search, (struct file_search){NULL, 0}, error)) {
        return false;
    }
    for (unsigned d = 0; d <= DISTANCE_MOST; d++) {
        bool same_classes = !first.pages || counting->count.classes[d] == first.classes[d];
        if (counting->count.states[d] != first.states[d] || !same_classes) {
            return error_set(error, FEWEST_DAMAGED,
                             "two numberings count different states at distance %u: this is a "
                             "fault of fewest or of the machine; please report it",
                             d);
        }
    }
    return true;
}

// ---- The result ---------------------------------------------------------------------------------

// Returns the text of the state with this entry, or NULL if memory runs out. The caller frees it.
static char *write_entry(const struct counting *counting, uint64_t entry)
{
    const struct puzzle *puzzle = &counting->plan.puzzle;
    const struct symmetric_pages *rows = counting->count.pages ? &counting->pages.pages : NULL;
    uint8_t relative[CELLS_MOST];
    uint8_t state[CELLS_MOST];
    char text[TEXT_STATE_SIZE];
    if (rows) {
        count_pages_write_state(&counting->pages, puzzle, (uint32_t)(entry / rows->page_size),
                                (unsigned)(entry % rows->page_size), relative);
    } else {
        puzzle_unrank(puzzle, counting->count.root, entry, relative);
    }
    puzzle_restore_counted(puzzle, relative, state);
    text_write_state(puzzle, state, text);
    return strdup(text);
}

// Fills in the total and the mean distance, from the states.
static void add_up(struct fewest_gen_counts *result)
{
    double sum = 0;
    for (unsigned d = 0; d <= result->largest; d++) {
        result->total += result->states[d];
        sum += (double)d * (double)result->states[d];
    }
    result->mean = sum / (double)result->total;
}

// Fills in the result of the search. With rotations, a position is as many states.
static bool fill_result(const struct counting *counting, struct fewest_error *error)
{
    const struct state_count *count = &counting->count;
    struct fewest_gen_counts *result = counting->result;
    result->complete = true;
    result->largest = count->largest;
    result->rotations = counting->pages.rotations;
    result->symmetries = count->pages ? counting->pages.symmetries : 1;
    for (unsigned d = 0; d <= count->largest; d++) {
        result->states[d] = count->states[d] / result->rotations;
        result->classes[d] = count->pages ? count->classes[d] : count->states[d];
    }
    add_up(result);
    for (unsigned i = 0; i < count->antipode_count; i++) {
        result->antipodes[i] = write_entry(counting, count->antipodes[i]);
        if (!result->antipodes[i]) {
            return error_no_memory(error, "for the antipodes");
        }
        result->antipode_count++;
    }
    return true;
}

// ---- By depth -----------------------------------------------------------------------------------

// Fills in the result of a search by depth.
static void fill_result_of_depth(struct fewest_gen_counts *result, const struct depth_counts *found)
{
    result->complete = found->has_all;
    result->largest = found->layers - 1;
    result->symmetries = found->symmetries;
    memcpy(result->states, found->states, found->layers * sizeof *result->states);
    memcpy(result->classes, found->classes, found->layers * sizeof *result->classes);
    add_up(result);
}

// Counts the states up to the distance of the options.
static bool count_to_depth(struct counting *counting, const char *definition, size_t length,
                           struct fewest_error *error)
{
    const struct fewest_gen_options *options = counting->options;
    struct plan *plan = &counting->plan;
    struct depth_counts found;
    struct depth_limits limits = {.depth = options->depth,
                                  .memory = options->memory,
                                  .use_symmetries = !options->no_symmetry};
    if (!compile(counting, definition, length, error)) {
        return false;
    }
    if (ranks_count() > 1) {
        return error_set(error, FEWEST_BEYOND,
                         "a count with --depth has one process only; run it "
                         "without mpirun");
    }
    if (!depth_count(&plan->puzzle, &limits, &counting->search, &found, error)) {
        return false;
    }
    if (found.lacked_memory) {
        char text[FEWEST_ERROR_SIZE];
        snprintf(text, sizeof text,
                 "warning: the count ends at distance %u, because the next layer needs more memory "
                 "than there is, or than --memory allows",
                 found.layers - 1);
        options_tell(&counting->search,
                     &(struct fewest_gen_progress){.event = FEWEST_GEN_WARNING, .text = text});
    }
    fill_result_of_depth(counting->result, &found);
    return true;
}

// ---- The run ------------------------------------------------------------------------------------

// Counts on all ranks in step.
static bool run_counting(struct counting *counting, const char *definition, size_t length,
                         struct fewest_error *error)
{
    if (counting->options->depth > 0) {
        return count_to_depth(counting, definition, length, error);
    }
    if (!ranks_barrier(prepare(counting, definition, length, error), error)) {
        return false;
    }
    plan_tell(&counting->plan, &counting->search);
    return ranks_check_same(compute_digest(counting), "definition or options", error) &&
           search(counting, error) && fill_result(counting, error) &&
           (!counting->options->verify || verify(counting, error)) &&
           (!counting->watcher.stopped ||
            error_set(error, FEWEST_STOPPED, "stopped after the search"));
}

bool fewest_gen_count(const char *definition, size_t length,
                      const struct fewest_gen_options *options, struct fewest_gen_counts *counts,
                      struct fewest_error *error)
{
    static const struct fewest_gen_options DEFAULTS = {0};
    struct counting counting = {.options = options ? options : &DEFAULTS,
                                .result = counts,
                                .pages = {.rotations = 1},
                                .ranks = ranks_count()};
    *counts = (struct fewest_gen_counts){.rotations = 1};
    counting.search = watcher_begin(&counting.watcher, counting.options);
    bool done = run_counting(&counting, definition, length, error);
    counts->fault = counting.plan.fault;
    count_pages_free(&counting.pages);
    chain_free(&counting.chain);
    if (counting.board) {
        board_chain_free(counting.board);
    }
    free(counting.board);
    plan_free(&counting.plan);
    watcher_end(&counting.watcher);
    return done;
}

bool count_plan(const char *definition, size_t length, const struct fewest_gen_options *options,
                unsigned ranks, struct count_costs *costs, struct fewest_error *error)
{
    struct fewest_gen_counts counts = {.rotations = 1};
    struct counting counting = {
        .options = options, .result = &counts, .pages = {.rotations = 1}, .ranks = ranks};
    counting.search = watcher_begin(&counting.watcher, options);
    bool done = prepare(&counting, definition, length, error);
    *costs =
        (struct count_costs){.plan = counting.plan,
                             .symmetries = counting.count.pages ? counting.pages.symmetries : 1,
                             .rotations = counting.pages.rotations};
    count_pages_free(&counting.pages);
    watcher_end(&counting.watcher);
    return done;
}

void fewest_gen_free_counts(struct fewest_gen_counts *counts)
{
    for (unsigned i = 0; i < counts->antipode_count; i++) {
        free(counts->antipodes[i]);
    }
    *counts = (struct fewest_gen_counts){.rotations = 1};
}
