// Builds the pruning automaton of a puzzle with illegal states. The header explains it.
#include "search/pair_automaton.h"

#include "search/permutation_set.h"

#include <stdlib.h>

struct pair_builder {
    const struct automaton_moves *moves;
    struct permutation_set permutations; // the identity, the single moves and the pairs
    uint32_t *number_of;                 // by move: its permutation
    uint32_t single_count;               // permutations of at most one move have numbers up to this
};

static bool is_small(const struct automaton_moves *moves)
{
    enum { PAIR_BYTES = 64 }; // that a permutation takes besides its points, at most
    uint64_t pairs = (uint64_t)(moves->count + 1) * moves->count;
    return pairs <= PRUNING_ENTRIES &&
           pairs * (PAIR_BYTES + moves->points * sizeof(uint16_t)) <= PRUNING_BYTES;
}

static bool number_moves(struct pair_builder *builder)
{
    const struct automaton_moves *moves = builder->moves;
    if (!permutation_set_start(&builder->permutations, moves->points)) {
        return false;
    }
    for (unsigned m = 0; m < moves->count; m++) {
        builder->number_of[m] =
            permutation_set_multiply(&builder->permutations, IDENTITY, moves->permutations[m]);
        if (builder->number_of[m] == 0) {
            return false;
        }
    }
    builder->single_count = builder->permutations.count;
    return true;
}

static bool have_common_slot(const struct automaton_moves *moves, unsigned a, unsigned b)
{
    for (unsigned x = 0; x < moves->points; x++) {
        if (moves->permutations[a][x] != x && moves->permutations[b][x] != x) {
            return true;
        }
    }
    return false;
}

// Does the move nothing, or the same as an earlier move?
static bool is_duplicate_move(const struct pair_builder *builder, unsigned move)
{
    uint32_t number = builder->number_of[move];
    bool duplicate = number == IDENTITY;
    for (unsigned m = 0; m < move && !duplicate; m++) {
        duplicate = builder->number_of[m] == number;
    }
    return duplicate;
}

// Fills the row of state 0.
static void fill_first(const struct pair_builder *builder, uint32_t *next)
{
    for (unsigned m = 0; m < builder->moves->count; m++) {
        next[m] = is_duplicate_move(builder, m) ? MOVE_PRUNED : 1 + m;
    }
}

// Fills the row of the state that follows a move.
static bool fill_after(struct pair_builder *builder, unsigned first, const uint32_t *alone,
                       uint32_t *next)
{
    const struct automaton_moves *moves = builder->moves;
    for (unsigned m = 0; m < moves->count; m++) {
        uint32_t pair = permutation_set_multiply(&builder->permutations, builder->number_of[first],
                                                 moves->permutations[m]);
        if (pair == 0) {
            return false;
        }
        bool prunes =
            pair <= builder->single_count || (m < first && !have_common_slot(moves, first, m));
        next[m] = prunes ? MOVE_PRUNED : alone[m];
    }
    return true;
}

static bool fill_states(struct pruning_automaton *automaton, struct pair_builder *builder)
{
    const uint32_t *alone = pruning_automaton_row(automaton, 0);
    if (!number_moves(builder)) {
        return false;
    }
    fill_first(builder, pruning_automaton_row(automaton, 0));
    for (unsigned m = 0; m < builder->moves->count; m++) {
        if (!fill_after(builder, m, alone, pruning_automaton_row(automaton, 1 + m))) {
            return false;
        }
    }
    return true;
}

bool pair_automaton_build(struct pruning_automaton *automaton, const struct automaton_moves *moves,
                          struct fewest_error *error)
{
    *automaton = (struct pruning_automaton){0};
    if (!is_small(moves)) {
        return true;
    }
    struct pair_builder builder = {.moves = moves};
    automaton->length = 2;
    automaton->move_count = moves->count;
    automaton->state_count = 1 + moves->count;
    automaton->next =
        malloc((size_t)automaton->state_count * moves->count * sizeof *automaton->next);
    builder.number_of = malloc(moves->count * sizeof *builder.number_of);
    bool built = automaton->next && builder.number_of && fill_states(automaton, &builder);
    permutation_set_free(&builder.permutations);
    free(builder.number_of);
    if (!built) {
        pruning_automaton_free(automaton);
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the pruning automaton");
    }
    return true;
}
