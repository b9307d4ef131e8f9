// Checks the distances of states and of wildcard targets, and the numbers of states: rules 1 to 4,
// 11 and 12 of check.c.
#include "check.h"

#include "index/row_set.h"
#include "puzzle/board.h"

#include <string.h>

// ---- States -------------------------------------------------------------------------------------

static void check_root(struct checker *checker, const struct proposed *proposed)
{
    const struct puzzle *puzzle = checker->puzzle;
    const struct root *root = &puzzle->numbering.roots[checker->root];
    uint64_t roots[GOALS_MOST + 1];
    for (unsigned r = 0; r <= root->more; r++) {
        const uint8_t *target = root->target + (size_t)r * puzzle->cell_count;
        roots[r] = puzzle_rank(puzzle, checker->root, target);
        int distance = proposed_distance(proposed, roots[r]);
        if (distance != 0) {
            check_find(checker, 1, "the root, state %llu, is %s, not at distance 0",
                       (unsigned long long)roots[r], place_of(distance).text);
        }
    }
    for (uint64_t index = 0; index < proposed->entries && !checker->stopped; index++) {
        bool right = proposed_distance(proposed, index) > 0;
        for (unsigned r = 0; r <= root->more && !right; r++) {
            right = roots[r] == index;
        }
        if (!right) {
            check_find(checker, 1, "state %llu is at distance 0, but is not the root",
                       (unsigned long long)index);
        }
    }
    check_end_rule(checker);
}

static void check_step(struct checker *checker, const struct proposed *proposed, uint64_t x, int dx)
{
    uint64_t after[MOVES_MOST];
    puzzle_neighbours(checker->puzzle, checker->root, x, after);
    for (unsigned m = 0; m < checker->puzzle->move_count; m++) {
        if (after[m] != INDEX_NONE && proposed_distance(proposed, after[m]) > dx + 1 &&
            puzzle_index_is_legal(checker->puzzle, checker->root, after[m])) {
            check_find(
                checker, 2,
                "state %llu is at distance %d, but a step by %s leads to state %llu, which is %s",
                (unsigned long long)x, dx, checker->puzzle->moves[m].name,
                (unsigned long long)after[m], place_of(proposed_distance(proposed, after[m])).text);
        }
    }
}

static void check_predecessor(struct checker *checker, const struct proposed *proposed, uint64_t y,
                              int dy)
{
    uint64_t before[MOVES_MOST];
    if (!puzzle_index_is_legal(checker->puzzle, checker->root, y)) {
        check_find(checker, 3, "state %llu is at distance %d, but is illegal",
                   (unsigned long long)y, dy);
        return;
    }
    // If every move can be undone by a move, the neighbours are the same states, and found faster.
    (checker->puzzle->reversible ? puzzle_neighbours
                                 : puzzle_predecessors)(checker->puzzle, checker->root, y, before);
    for (unsigned m = 0; m < checker->puzzle->move_count; m++) {
        if (before[m] != INDEX_NONE && proposed_distance(proposed, before[m]) == dy - 1) {
            return;
        }
    }
    check_find(checker, 3, "state %llu is at distance %d, but no step leads to it from distance %d",
               (unsigned long long)y, dy, dy - 1);
}

// Checks a rule for every reachable state whose distance is at least `least`.
static void check_each(struct checker *checker, const struct proposed *proposed, unsigned number,
                       int least,
                       void (*rule)(struct checker *, const struct proposed *, uint64_t, int))
{
    uint64_t all = proposed->entries;
    for (uint64_t index = 0; index < all && check_goes_on(checker, number, index, all); index++) {
        int distance = proposed_distance(proposed, index);
        if (distance >= least && distance != INFINITE) {
            rule(checker, proposed, index, distance);
        }
    }
    check_end_rule(checker);
}

void check_distances(struct checker *checker, const struct proposed *proposed)
{
    check_root(checker, proposed);
    check_each(checker, proposed, 2, 0, check_step);
    check_each(checker, proposed, 3, 1, check_predecessor);
}

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
            check_find(checker, 11, "a step by %s from state %llu does not lead to state %llu",
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

// On a board, the cells of a relative target are renamed after a move, so only the numbers are
// compared there.
static void check_numbers(struct checker *checker)
{
    const struct puzzle *puzzle = checker->puzzle;
    uint8_t state[CELLS_MOST];
    uint64_t steps = 0;
    uint64_t moves = 0; // counted if states are forbidden
    uint64_t all = puzzle->numbering.state_count;
    for (uint64_t index = 0; index < all && check_goes_on(checker, 11, index, all); index++) {
        puzzle_unrank(puzzle, checker->root, index, state);
        uint64_t again = puzzle_rank(puzzle, checker->root, state);
        if (again != index) {
            check_find(checker, 11, "state %llu has the number %llu, too",
                       (unsigned long long)index, (unsigned long long)again);
        }
        if (!puzzle->board && puzzle_is_legal(puzzle, state)) {
            steps += check_numbers_of_steps(checker, index, state);
        }
        if (puzzle->forbids_states) {
            moves += count_moves(puzzle, state);
        }
    }
    if (puzzle->forbids_states && steps != moves && !checker->stopped) {
        check_find(checker, 11, "%llu steps join legal states, but the cells allow %llu moves",
                   (unsigned long long)steps, (unsigned long long)moves);
    }
    check_end_rule(checker);
}

void check_states(struct checker *checker, const struct unpacked *unpacked)
{
    struct proposed proposed = proposed_of(unpacked);
    check_numbers(checker);
    check_distances(checker, &proposed);
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

void check_wildcard_targets(struct checker *checker)
{
    const struct wildcard_index *wildcards =
        &checker->puzzle->numbering.roots[checker->root].wildcards;
    uint64_t all = wildcards->entries;
    for (uint64_t number = 0; number < all && check_goes_on(checker, 4, number, all); number++) {
        uint8_t target[RANK_LONGEST];
        wildcard_unrank(wildcards, number, target);
        int expected = fill_wildcard(checker, target, wildcard_count_given(wildcards, target));
        int found = distance_of(&checker->table->wildcards[checker->root], number);
        if (found != expected) {
            check_find(checker, 4,
                       "wildcard target %llu is %s, but the nearest state that matches it is %s",
                       (unsigned long long)number, place_of(found).text, place_of(expected).text);
        }
    }
    check_end_rule(checker);
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
            check_find(checker, 12,
                       "permutation %u of section %s is no symmetry: it does not turn every move "
                       "into a move and keep the root",
                       s, section->name);
        }
    }
    row_set_close(&moves);
    check_end_rule(checker);
}
