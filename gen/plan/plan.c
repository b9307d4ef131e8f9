// Compiles a definition, and decides whether its table can be made.
#include "plan.h"

#include "tables/puzzle/compile.h"
#include "wildcards.h"

#include <stdio.h>
#include <string.h>

#define USE_FEWER_PIECES "; name fewer pieces in `Track`"

bool plan_begin(struct plan *plan, const char *text, size_t length, enum metric metric,
                struct fewest_error *error)
{
    *plan = (struct plan){.text = text, .length = length};
    if (!puzzle_compile(&plan->puzzle, text, length, metric, error)) {
        plan->fault = FEWEST_GEN_DEFINITION;
        return false;
    }
    puzzle_write_state_count(&plan->puzzle, plan->states);
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
    size_t digits = strcspn(plan->states, " "); // the number, before its factors
    if (plan->puzzle.board) {                   // its states are counted for each root
        snprintf(text, size, "%llu", (unsigned long long)plan->puzzle.numbering.state_count);
    } else if (digits <= DIGITS_MOST) {
        snprintf(text, size, "%.*s", (int)digits, plan->states);
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
    return "";
}

// Writes the error of a puzzle that is too large, and returns false.
static bool refuse_large(struct plan *plan, struct fewest_error *error)
{
    char count[64];
    write_count(plan, count, sizeof count);
    plan->fault = FEWEST_GEN_SIZE;
    return error_set(error, FEWEST_BEYOND,
                     "%s has %s %sstates, too many for a table (at most %llu)%s", plan->puzzle.name,
                     count, plan->puzzle.forbids_states ? "legal and illegal " : "",
                     (unsigned long long)STATES_MOST, find_remedy(plan->puzzle.definition));
}

bool plan_costs(struct plan *plan, const struct search_options *options, unsigned ranks,
                struct fewest_error *error)
{
    if (puzzle_is_too_large(&plan->puzzle)) {
        return refuse_large(plan, error);
    }
    if (!wildcards_number(&plan->puzzle, error)) {
        return false;
    }
    plan->forecast = forecast_costs(&plan->puzzle, options, ranks, plan->length);
    return true;
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
    options_tell(options,
                 &(struct fewest_gen_progress){.event = FEWEST_GEN_PLANNED,
                                               .states = plan->states,
                                               .memory = plan->forecast.memory,
                                               .disk = plan->forecast.table + plan->forecast.layers,
                                               .at_most = plan->puzzle.forbids_states});
}
