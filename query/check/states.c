// Checks the numbers of states one by one, wildcard targets and symmetries: rules 11, 4 and 12 of
// check.c.
#include "check.h"

#include "tables/base/row_set.h"
#include "tables/families/board/board.h"

#include <string.h>

// ---- Numbers of states --------------------------------------------------------------------------

// Does step m lead from a state to a neighbour, by what the rules make of their cells? If distances
// are counted to the solved state (not ANSWERS_ALL), a step undoes a move: then the move leads from
// the neighbour to the state.
static bool is_step(const struct puzzle *puzzle, unsigned m, const uint8_t *state,
                    const uint8_t *neighbour)
{
    uint8_t moved[CELLS_MOST];
    const uint8_t *from = state;
    const uint8_t *to = neighbour;
    if (puzzle->numbering.answers != ANSWERS_ALL) {
        from = neighbour;
        to = state;
    }
    return puzzle_apply(puzzle, m, from, moved) && memcmp(moved, to, puzzle->cell_count) == 0;
}

// Checks the steps from a permitted state, whose number is `index`. The number where a step leads
// must be that of the state that the rules make of the cells. A step that leads to no number is a
// finding; one that leads to a forbidden state is left out. Returns how many steps were not left
// out.
static unsigned check_steps_from(struct checker *checker, uint64_t index, const uint8_t *state)
{
    const struct puzzle *puzzle = checker->puzzle;
    uint8_t neighbour[CELLS_MOST];
    uint64_t after[MOVES_MOST];
    unsigned steps = 0;
    puzzle_neighbours(puzzle, checker->root, index, after);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        bool has_number = after[m] < puzzle->numbering.state_count;
        if (has_number) {
            puzzle_unrank(puzzle, checker->root, after[m], neighbour);
            if (!puzzle_permits(puzzle, neighbour)) {
                continue;
            }
        }
        steps++;
        if (!has_number || !is_step(puzzle, m, state, neighbour)) {
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
        if (puzzle_apply(puzzle, m, state, moved)) {
            count++;
        }
    }
    return count;
}

// Sums over all states: the steps that join permitted states, and the moves that the cells allow.
// They are compared if some states are forbidden.
struct step_counts {
    _Atomic uint64_t steps;
    _Atomic uint64_t moves;
};

// Checks rule 11 for the numbers begin … end-1: each gives cells that have this number, and steps
// lead to the right cells. A step of a board also renames the cells, so such steps are not checked.
// Adds to the sums of all steps and moves, but not in a second pass, which only reports.
static void check_number_run(struct checker *checker, void *context, uint64_t begin, uint64_t end)
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
        if (!puzzle->board && puzzle_permits(puzzle, state)) {
            steps += check_steps_from(checker, index, state);
        }
        if (puzzle->filter) {
            moves += count_moves(puzzle, state);
        }
    }
    if (checker->only_counts) { // the first pass
        counts->steps += steps;
        counts->moves += moves;
    }
}

bool check_numbers(struct checker *checker)
{
    const struct puzzle *puzzle = checker->puzzle;
    struct step_counts counts = {0};
    check_in_threads(checker, 11, puzzle->numbering.state_count, STATES_A_PART, check_number_run,
                     &counts);
    if (puzzle->filter && counts.steps != counts.moves && !checker->stopped) {
        check_report(checker, 11, "%llu steps join legal states, but the cells allow %llu moves",
                     (unsigned long long)counts.steps, (unsigned long long)counts.moves);
    }
    return check_end_rules(checker);
}

// ---- Wildcard targets ---------------------------------------------------------------------------

// Returns the distance of a relative target without wildcards, or INFINITE.
static int find_state_distance(const struct checker *checker, const uint8_t *relative)
{
    uint64_t index = puzzle_rank(checker->puzzle, checker->root, relative);
    if (index == INDEX_NONE) {
        return INFINITE;
    }
    return distance_of(&checker->table->sections[SECTION_STATES][checker->root], index);
}

// Fills the last wildcard of a target with each symbol that the target does not have. Returns the
// least distance of the targets that this makes, or INFINITE. If one of them has no entry, its last
// wildcard is filled in the same way. `given` is the number of cells that are no wildcards.
// `target` is changed, but has its old cells at the end.
static int fill_wildcard(const struct checker *checker, uint8_t *target, unsigned given)
{
    const struct wildcard_index *wildcards =
        &checker->puzzle->numbering.roots[checker->root].wildcards;
    unsigned used = 0; // symbols, a bit each
    unsigned wild = 0; // the last cell that is a wildcard
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
        if (given + 1 == wildcards->cells) { // no wildcard is left
            distance = find_state_distance(checker, target);
        } else if (wildcard_rank(wildcards, target, &number)) {
            distance =
                distance_of(&checker->table->sections[SECTION_WILDCARDS][checker->root], number);
        } else {
            distance = fill_wildcard(checker, target, given + 1);
        }
        least = distance < least ? distance : least;
    }
    target[wild] = WILD;
    return least;
}

// Checks rule 4 for the wildcard targets with the numbers begin … end-1.
static void check_targets(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    const struct wildcard_index *wildcards = context;
    for (uint64_t number = begin; number < end; number++) {
        uint8_t target[RANK_LONGEST];
        wildcard_unrank(wildcards, number, target);
        int expected = fill_wildcard(checker, target, wildcard_count_given(wildcards, target));
        int found =
            distance_of(&checker->table->sections[SECTION_WILDCARDS][checker->root], number);
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

// Is this permutation of the cells one of the board's symmetries, and does it keep the root, whose
// blank is in `root_cell`?
static bool is_symmetry_of_board(const struct board *board, unsigned root_cell,
                                 const struct symmetry *symmetry)
{
    for (unsigned s = 0; s < board->symmetry_count; s++) {
        if (memcmp(board->symmetries[s].to, symmetry->to, board->grid.cells) == 0) {
            return symmetry->to[root_cell] == root_cell;
        }
    }
    return false;
}

// Is the conjugate of each move by a permutation of the cells a move again? `moves` has a row for
// each move: by cell, where the piece in it comes from.
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
        has_room = row_set_add(&moves, puzzle->moves[m].from) != ROW_NONE; // a board has no `from`
    }
    if (!has_room) {
        check_lacks_memory(checker, section->symmetry_count, "symmetries");
    }
    for (unsigned s = 0; s < section->symmetry_count && has_room; s++) {
        const struct symmetry *symmetry = &section->symmetries[s];
        unsigned cell = puzzle->numbering.roots[checker->root].cell;
        bool is_symmetry = board ? is_symmetry_of_board(board, cell, symmetry)
                                 : turns_moves_into_moves(&moves, symmetry);
        if (!is_symmetry) {
            check_report(checker, 12,
                         "permutation %u of section %s is no symmetry: it does not turn every move "
                         "into a move and keep the root",
                         s, section->name);
        }
    }
    row_set_close(&moves);
    check_end_rules(checker);
}
