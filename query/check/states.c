// Checks the numbers of states one by one, wildcard targets and symmetries: rules 11, 4 and 12 of
// check.c.
#include "check.h"

#include "tables/base/row_set.h"
#include "tables/puzzle/board/board.h"

#include <string.h>

// ---- Numbers of states --------------------------------------------------------------------------

// Does a step lead from a state to a neighbour, by the cells alone? Without inverses, the move of a
// step leads from the neighbour to the state.
static bool is_step(const struct puzzle *puzzle, unsigned m, const uint8_t *state,
                    const uint8_t *neighbour)
{
    uint8_t moved[CELLS_MOST];
    bool undone = puzzle->numbering.answers != ANSWERS_ALL;
    return puzzle_apply(puzzle, m, undone ? neighbour : state, moved) &&
           memcmp(moved, undone ? state : neighbour, puzzle->cell_count) == 0;
}

// Returns the number of steps from a legal state to legal states.
static unsigned check_numbers_of_steps(struct checker *checker, uint64_t index,
                                       const uint8_t *state)
{
    const struct puzzle *puzzle = checker->puzzle;
    uint8_t neighbour[CELLS_MOST];
    uint64_t after[MOVES_MOST];
    unsigned steps = 0;
    puzzle_neighbours(puzzle, checker->root, index, after);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        bool there = after[m] < puzzle->numbering.state_count;
        if (there) {
            puzzle_unrank(puzzle, checker->root, after[m], neighbour);
        }
        if (there && !puzzle_is_legal(puzzle, neighbour)) {
            continue;
        }
        steps++;
        if (!there || !is_step(puzzle, m, state, neighbour)) {
            check_report(checker, 11, "a step by %s from state %llu does not lead to state %llu",
                         puzzle->moves[m].name, (unsigned long long)index,
                         (unsigned long long)after[m]);
        }
    }
    return steps;
}

// The number of moves that a state's cells allow.
static unsigned count_moves(const struct puzzle *puzzle, const uint8_t *state)
{
    uint8_t moved[CELLS_MOST];
    unsigned count = 0;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        count += puzzle_apply(puzzle, m, state, moved);
    }
    return count;
}

// The steps of all states, and the moves that their cells allow. They are counted if states are
// forbidden, once for each part of the loop.
struct step_counts {
    _Atomic uint64_t steps;
    _Atomic uint64_t moves;
};

// On a board, the cells of a relative target are renamed after a move, so only the numbers are
// compared there.
static void check_run(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    const struct puzzle *puzzle = checker->puzzle;
    struct step_counts *counts = context;
    uint8_t state[CELLS_MOST];
    uint64_t steps = 0;
    uint64_t moves = 0;
    for (uint64_t index = begin; index < end; index++) {
        puzzle_unrank(puzzle, checker->root, index, state);
        uint64_t again = puzzle_rank(puzzle, checker->root, state);
        if (again != index) {
            check_report(checker, 11, "state %llu has the number %llu, too",
                         (unsigned long long)index, (unsigned long long)again);
        }
        if (!puzzle->board && puzzle_is_legal(puzzle, state)) {
            steps += check_numbers_of_steps(checker, index, state);
        }
        if (puzzle->forbids_states) {
            moves += count_moves(puzzle, state);
        }
    }
    if (checker->only_counts) {
        counts->steps += steps;
        counts->moves += moves;
    }
}

bool check_numbers(struct checker *checker)
{
    const struct puzzle *puzzle = checker->puzzle;
    struct step_counts counts = {0};
    check_in_threads(checker, 11, puzzle->numbering.state_count, STATES_A_PART, check_run, &counts);
    if (puzzle->forbids_states && counts.steps != counts.moves && !checker->stopped) {
        check_report(checker, 11, "%llu steps join legal states, but the cells allow %llu moves",
                     (unsigned long long)counts.steps, (unsigned long long)counts.moves);
    }
    return check_end_rules(checker);
}

// ---- Wildcard targets ---------------------------------------------------------------------------

// Fills the last wildcard of a target with each unused symbol. Returns the least distance.
static int fill_wildcard(const struct checker *checker, uint8_t *target, unsigned given)
{
    const struct wildcard_index *wildcards =
        &checker->puzzle->numbering.roots[checker->root].wildcards;
    unsigned used = 0;
    unsigned wild = 0;
    int least = INFINITE;
    for (unsigned i = 0; i < wildcards->cells; i++) {
        if (target[i] == WILD) {
            wild = i;
        } else {
            used |= 1u << target[i];
        }
    }
    for (unsigned symbol = 0; symbol < wildcards->cells; symbol++) {
        if (used >> symbol & 1) {
            continue;
        }
        int distance;
        uint64_t number;
        target[wild] = (uint8_t)symbol;
        if (given + 1 == wildcards->cells) {
            uint64_t index = puzzle_rank(checker->puzzle, checker->root, target);
            distance = index == INDEX_NONE
                           ? INFINITE
                           : distance_of(&checker->table->states[checker->root], index);
        } else if (wildcard_rank(wildcards, target, &number)) {
            distance = distance_of(&checker->table->wildcards[checker->root], number);
        } else {
            distance = fill_wildcard(checker, target, given + 1);
        }
        least = distance < least ? distance : least;
    }
    target[wild] = WILD;
    return least;
}

static void check_targets(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    const struct wildcard_index *wildcards = context;
    for (uint64_t number = begin; number < end; number++) {
        uint8_t target[RANK_LONGEST];
        wildcard_unrank(wildcards, number, target);
        int expected = fill_wildcard(checker, target, wildcard_count_given(wildcards, target));
        int found = distance_of(&checker->table->wildcards[checker->root], number);
        if (found != expected) {
            check_report(checker, 4,
                         "wildcard target %llu is %s, but the nearest state that matches it is %s",
                         (unsigned long long)number, tell_distance(found).text,
                         tell_distance(expected).text);
        }
    }
}

void check_wildcard_targets(struct checker *checker)
{
    struct wildcard_index wildcards = checker->puzzle->numbering.roots[checker->root].wildcards;
    check_in_threads(checker, 4, wildcards.entries, STATES_A_PART, check_targets, &wildcards);
    check_end_rules(checker);
}

// ---- Symmetries ---------------------------------------------------------------------------------

static bool is_symmetry_of_board(const struct board *board, unsigned root_cell,
                                 const struct symmetry *symmetry)
{
    unsigned s = 0;
    while (s < board->symmetry_count &&
           memcmp(board->symmetries[s].to, symmetry->to, board->grid.cells) != 0) {
        s++;
    }
    return s < board->symmetry_count && symmetry->to[root_cell] == root_cell;
}

// `moves` has a row for each move: by cell, where the piece in it comes from.
static bool turns_moves_into_moves(const struct row_set *moves, const struct symmetry *symmetry)
{
    uint16_t conjugate[WILDCARD_CELLS_MOST];
    for (uint32_t m = 0; m < moves->count; m++) {
        const uint16_t *from = row_set_row(moves, m);
        for (unsigned i = 0; i < moves->length; i++) {
            conjugate[symmetry->to[i]] = symmetry->to[from[i]];
        }
        if (row_set_find(moves, conjugate) == ROW_NONE) {
            return false;
        }
    }
    return true;
}

void check_symmetries(struct checker *checker)
{
    const struct puzzle *puzzle = checker->puzzle;
    const struct section *section = checker->section;
    const struct board *board = puzzle->board; // if it is NULL, the root is the identity
    struct row_set moves;
    row_set_open(&moves, puzzle->cell_count);
    bool has_room = true;
    for (unsigned m = 0; m < puzzle->move_count && !board && has_room; m++) {
        has_room = row_set_add(&moves, puzzle->moves[m].from) != ROW_NONE;
    }
    if (!has_room) {
        check_lacks_memory(checker, section->symmetry_count, "symmetries");
    }
    for (unsigned s = 0; s < section->symmetry_count && has_room; s++) {
        const struct symmetry *symmetry = &section->symmetries[s];
        unsigned cell = puzzle->numbering.roots[checker->root].cell;
        if (!(board ? is_symmetry_of_board(board, cell, symmetry)
                    : turns_moves_into_moves(&moves, symmetry))) {
            check_report(checker, 12,
                         "permutation %u of section %s is no symmetry: it does not turn every move "
                         "into a move and keep the root",
                         s, section->name);
        }
    }
    row_set_close(&moves);
    check_end_rules(checker);
}
