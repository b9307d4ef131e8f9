// Compiles a definition, and decides whether its table can be made.
#include "plan.h"

#include "gen/ranks/ranks.h"
#include "tables/families/compile.h"
#include "tables/families/symmetry/stripes.h"
#include "wildcards.h"

#include <stdio.h>
#include <string.h>

#define USE_FEWER_PIECES "; name fewer pieces in `Track`"

// Lists the rotations that no `Rotation` line declares, with spaces between them. "..." stands for
// those that do not fit. Returns how many there are, listed or not.
static unsigned list_undeclared(const struct move_list *others, char *names, size_t size)
{
    unsigned count = 0;
    size_t used = 0;
    bool is_cut = false; // does "..." end the list?
    names[0] = '\0';
    for (unsigned i = 0; i < others->count; i++) {
        const struct listed_move *other = &others->listed[i];
        if (!other->is_rotation || other->rotation_line > 0) {
            continue;
        }
        if (!is_cut) {
            is_cut = used + strlen(other->name) + sizeof "  ..." > size; // "..." must fit after it
            snprintf(names + used, size - used, "%s%s", count > 0 ? " " : "",
                     is_cut ? "..." : other->name);
            used = strlen(names);
        }
        count++;
    }
    return count;
}

// Warns the watcher of moves that were taken for rotations, though nothing declares them, because
// the author may have meant moves. `Generators` says which are moves, so it needs no warning.
static void tell_rotations(const struct plan *plan, const struct search_options *options)
{
    enum { NAMES = 100 }; // bytes; the text holds them twice
    const struct definition *definition = plan->puzzle.definition;
    char names[NAMES];
    char text[FEWEST_ERROR_SIZE];
    unsigned count = list_undeclared(&definition->others, names, sizeof names);
    bool is_one = count == 1;
    if (count == 0 || definition->generators_line > 0) {
        return;
    }
    snprintf(
        text, sizeof text,
        "the move%s %s %s of the whole puzzle, so %s not count; if that is right, add the line "
        "`Rotation %s`; if not, rename %s, or list the moves that count in `Generators` "
        "(--generators)",
        is_one ? "" : "s", names, is_one ? "is taken for a rotation" : "are taken for rotations",
        is_one ? "it does" : "they do", names, is_one ? "it" : "them");
    options_tell(options, &(struct fewest_gen_progress){.event = FEWEST_GEN_WARNING, .text = text});
}

bool plan_begin(struct plan *plan, const char *text, size_t length, enum metric metric,
                const struct search_options *options, struct fewest_error *error)
{
    *plan = (struct plan){.text = text, .length = length};
    if ((unsigned)metric > METRIC_LISTED) {
        return error_set(error, FEWEST_BAD_INPUT, "there is no metric %u", (unsigned)metric);
    }
    if (!puzzle_compile(&plan->puzzle, text, length, metric, error)) {
        plan->fault = FEWEST_GEN_DEFINITION;
        return false;
    }
    puzzle_write_state_count(&plan->puzzle, plan->states);
    if (ranks_is_first()) {
        tell_rotations(plan, options);
    }
    return true;
}

void plan_free(struct plan *plan)
{
    puzzle_free(&plan->puzzle);
}

// Writes how many states there are in a few words: "43252003274489856000" or "more than 10^78".
static void write_count(const struct plan *plan, char *text, size_t size)
{
    enum { DIGITS_MOST = 40 };
    const char *number = plan->states + strcspn(plan->states, "0123456789"); // after "at most "
    size_t digits = strlen(number);
    if (plan->puzzle.board && plan->puzzle.numbering.state_count > 0) { // those of one root
        snprintf(text, size, "%llu", (unsigned long long)plan->puzzle.numbering.state_count);
    } else if (digits <= DIGITS_MOST) {
        snprintf(text, size, "%s", number);
    } else {
        snprintf(text, size, "more than 10^%zu", digits - 1);
    }
}

// Returns what to do about a puzzle that is too large, as the end of an error.
static const char *find_remedy(const struct definition *definition)
{
    if (definition->projection.line > 0) {
        return USE_FEWER_PIECES;
    }
    if (definition->goal_count > 0) {
        return "; remove `Goal`, then name some of the pieces in `Database` or `Track`";
    }
    if (definition->board) {
        return "; name a few tiles in `Track`";
    }
    return "";
}

// Writes the error and plan->fault of a puzzle that has too many states for `what`, which may have
// `most`. Returns false.
static bool refuse_large(struct plan *plan, const char *what, uint64_t most, const char *remedy,
                         struct fewest_error *error)
{
    char count[64];
    write_count(plan, count, sizeof count);
    plan->fault = FEWEST_GEN_SIZE;
    if (plan->puzzle.is_unfinished) {
        return error_set(error, FEWEST_BEYOND, "the states of %s would take too long to number",
                         plan->puzzle.name);
    }
    return error_set(error, FEWEST_BEYOND, "%s has %s %sstates, too many for %s (at most %llu)%s",
                     plan->puzzle.name, count, plan->puzzle.filter ? "legal and illegal " : "",
                     what, (unsigned long long)most, remedy);
}

bool plan_check_states(struct plan *plan, uint64_t most, struct fewest_error *error)
{
    const struct puzzle *puzzle = &plan->puzzle;
    bool is_small = puzzle->numbering.state_count > 0 && puzzle->numbering.state_count <= most;
    return is_small ||
           refuse_large(plan, "a count", most, "; --depth N counts the first layers", error);
}

bool plan_costs(struct plan *plan, const struct search_options *options, unsigned ranks,
                struct fewest_error *error)
{
    if (puzzle_is_too_large(&plan->puzzle)) {
        return refuse_large(plan, "a table", STATES_MOST, find_remedy(plan->puzzle.definition),
                            error);
    }
    if (!wildcards_number(&plan->puzzle, error)) {
        return false;
    }
    plan->forecast = forecast_costs(&plan->puzzle, options, ranks, plan->length);
    return !plan->forecast.unfit || stripes_refuse(plan->forecast.unfit, error);
}

bool plan_check_memory(struct plan *plan, uint64_t limit, struct fewest_error *error)
{
    if (forecast_check_memory(&plan->forecast, &plan->puzzle, limit, error)) {
        return true;
    }
    plan->fault = FEWEST_GEN_MEMORY;
    if (plan->puzzle.definition->projection.line > 0) {
        error_append(error, USE_FEWER_PIECES);
    }
    return false;
}

void plan_tell(const struct plan *plan, const struct search_options *options)
{
    char sharing[SHARING_SIZE];
    for (unsigned l = 0; l < plan->puzzle.line_count; l++) {
        if (puzzle_write_sharing(&plan->puzzle, l, sharing)) {
            options_tell(options,
                         &(struct fewest_gen_progress){.event = FEWEST_GEN_NOTE, .text = sharing});
        }
    }
    options_tell(options, &(struct fewest_gen_progress){.event = FEWEST_GEN_PLANNED,
                                                        .states = plan->states,
                                                        .memory = plan->forecast.memory,
                                                        .disk = plan->forecast.table +
                                                                plan->forecast.layers});
}
