// Compares the numbering of permutation puzzles with a naive twin. Every index must belong to a
// state that moves reach, and every such state must have an index. The steps between indices must
// be the moves.
#include "tables/families/compile.h"
#include "tables/families/permutation/permutation.h"
#include "tests/tools/draw_puzzle.h"
#include "tests/tools/support.h"
#include "tests/twin/twin_sets.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STATES_COMPARED_MOST = 200000, // puzzles with more states are skipped
    FEW_STATES = 100,              // most puzzles with fewer states are skipped
    PUZZLES_A_KIND = 150,
    STEPS_COMPARED = 6000, // of a puzzle, more or less
    OUTSIDERS = 300,       // rows of cells that no moves reach
    FAULTS_SHOWN = 2,      // puzzles whose definitions are printed
};

// ---- The comparison -----------------------------------------------------------------------------

// A numbering, which may be broken on purpose, and what it must agree with.
struct comparison {
    const struct puzzle *puzzle;
    struct numbering_functions functions;
    uint64_t state_count;
    const struct sets_view *view;
    const struct sets_world *world; // NULL if there are too many states
    const struct sets_move *moves;  // with their powers
    unsigned move_count;
    char fault[256];
};

__attribute__((format(printf, 2, 3))) static bool set_fault(struct comparison *comparison,
                                                            const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(comparison->fault, sizeof comparison->fault, format, arguments);
    va_end(arguments);
    return false;
}

static uint64_t rank_row(const struct comparison *comparison, const uint8_t *row)
{
    uint8_t cells[CELLS_MOST];
    sets_row_to_cells(comparison->view, row, cells);
    return comparison->functions.rank(comparison->puzzle, 0, cells);
}

static void unrank_row(const struct comparison *comparison, uint64_t index, uint8_t *row)
{
    uint8_t cells[CELLS_MOST];
    memset(cells, 0xA5, sizeof cells); // catches cells that are not filled in
    comparison->functions.unrank(comparison->puzzle, 0, index, cells);
    sets_cells_to_row(comparison->view, cells, row);
}

// Does the row have an index that leads back to it?
static bool compare_row(struct comparison *comparison, const uint8_t *row)
{
    uint8_t back[SETS_TWIN_ROW];
    uint64_t index = rank_row(comparison, row);
    if (index >= comparison->state_count) {
        return set_fault(comparison, "a state that moves reach has the index %" PRIu64, index);
    }
    unrank_row(comparison, index, back);
    if (memcmp(back, row, 2 * (size_t)comparison->view->puzzle->slot_count) != 0) {
        return set_fault(comparison, "a state has index %" PRIu64 ", of another state", index);
    }
    return true;
}

static bool compare_index(struct comparison *comparison, uint64_t index)
{
    uint8_t row[SETS_TWIN_ROW];
    unrank_row(comparison, index, row);
    uint64_t back = rank_row(comparison, row);
    if (back != index) {
        return set_fault(comparison, "index %" PRIu64 " unranks to a state with index %" PRIu64,
                         index, back);
    }
    return true;
}

// Does every index unrank to a state of its own that moves reach?
static bool compare_all_indices(struct comparison *comparison)
{
    const struct sets_world *world = comparison->world;
    if (comparison->state_count != world->states->count) {
        return set_fault(comparison, "%" PRIu64 " states instead of %zu", comparison->state_count,
                         world->states->count);
    }
    bool *seen = calloc(world->states->count, sizeof *seen);
    bool agrees = true;
    for (uint64_t index = 0; agrees && index < world->states->count; index++) {
        uint8_t row[SETS_TWIN_ROW];
        unrank_row(comparison, index, row);
        size_t number = twin_find(world->states, row);
        if (number == world->states->count) {
            agrees = set_fault(comparison, "no moves reach the state of index %" PRIu64, index);
        } else if (seen[number]) {
            agrees = set_fault(comparison, "index %" PRIu64 " repeats a state", index);
        } else {
            seen[number] = true;
            agrees = compare_index(comparison, index);
        }
    }
    free(seen);
    return agrees;
}

// ---- Steps --------------------------------------------------------------------------------------

static unsigned find_move(const struct puzzle *puzzle, const char *name)
{
    unsigned m = 0;
    while (m < puzzle->move_count && strcmp(puzzle->moves[m].name, name) != 0) {
        m++;
    }
    return m;
}

// The indices of a state's neighbours and predecessors.
struct steps {
    uint64_t neighbours[MOVES_MOST];
    uint64_t predecessors[MOVES_MOST];
};

// Compares where one power of a move leads: `moved` is the state after it, and `undone` the state
// before it. If the states are no group, a step undoes a move.
static bool compare_power(struct comparison *comparison, const char *name,
                          const struct steps *steps, const uint8_t *moved, const uint8_t *undone)
{
    bool group = comparison->view->group;
    unsigned m = find_move(comparison->puzzle, name);
    if (m == comparison->puzzle->move_count) {
        return set_fault(comparison, "there is no move %s", name);
    }
    uint64_t next = rank_row(comparison, group ? moved : undone);
    uint64_t before = rank_row(comparison, group ? undone : moved);
    if (next == INDEX_NONE || steps->neighbours[m] != next) {
        return set_fault(comparison, "%s leads to index %" PRIu64 " instead of %" PRIu64, name,
                         steps->neighbours[m], next);
    }
    if (before == INDEX_NONE || steps->predecessors[m] != before) {
        return set_fault(comparison, "%s comes from index %" PRIu64 " instead of %" PRIu64, name,
                         steps->predecessors[m], before);
    }
    return true;
}

// Compares all steps from a state and to it.
static bool compare_steps(struct comparison *comparison, const uint8_t *row)
{
    struct steps steps;
    uint64_t index = rank_row(comparison, row);
    comparison->functions.neighbours(comparison->puzzle, 0, index, steps.neighbours);
    comparison->functions.predecessors(comparison->puzzle, 0, index, steps.predecessors);
    for (unsigned m = 0; m < comparison->move_count; m++) {
        uint8_t moved[SETS_TWIN_ROW];
        uint8_t undone[SETS_TWIN_ROW];
        sets_apply(comparison->view, &comparison->moves[m], row, moved);
        sets_undo(comparison->view, &comparison->moves[m], row, undone);
        if (!compare_power(comparison, comparison->moves[m].name, &steps, moved, undone)) {
            return false;
        }
    }
    return true;
}

// Compares the steps of random states, or of all if they are few.
static bool compare_random_steps(struct comparison *comparison)
{
    size_t count = comparison->world->states->count;
    size_t most = STEPS_COMPARED / comparison->move_count + 10;
    if (comparison->move_count != comparison->puzzle->move_count) {
        return set_fault(comparison, "%u moves instead of %u", comparison->puzzle->move_count,
                         comparison->move_count);
    }
    for (size_t n = 0; n < count && n < most; n++) {
        uint8_t row[SETS_TWIN_ROW];
        size_t number = count <= most ? n : support_random_below((unsigned)count);
        memcpy(row, twin_row(comparison->world->states, number),
               comparison->world->states->row_bytes);
        if (!compare_steps(comparison, row)) {
            return false;
        }
    }
    return true;
}

// ---- Rows that no moves reach -------------------------------------------------------------------

// Exchanges two pieces of a set, if it shows pieces, and turns one, if it shows orientations.
static void change_set(const struct sets_view *view, unsigned s, uint8_t *row)
{
    const struct sets_set *set = &view->puzzle->sets[s];
    unsigned slots = view->puzzle->slot_count;
    if (view->shows_pieces[s] && support_random_below(2)) {
        support_swap(&row[set->first + support_random_below(set->size)],
                     &row[set->first + support_random_below(set->size)]);
    }
    if (view->shows_orientations[s] && support_random_below(2)) {
        row[slots + set->first + support_random_below(set->size)] =
            (uint8_t)support_random_below(set->turns);
    }
}

// Draws a row of cells in range: a state with small changes, one whose sets belong to two states,
// or any row.
static void draw_row(const struct sets_world *world, uint8_t *row)
{
    const struct sets_view *view = &world->view;
    unsigned slots = view->puzzle->slot_count;
    unsigned choice = support_random_below(3);
    memcpy(row, twin_row(world->states, support_random_below((unsigned)world->states->count)),
           world->states->row_bytes);
    const uint8_t *other =
        twin_row(world->states, support_random_below((unsigned)world->states->count));
    for (unsigned s = 0; s < view->puzzle->set_count; s++) {
        const struct sets_set *set = &view->puzzle->sets[s];
        if (choice == 0 && support_random_below(2)) {
            change_set(view, s, row);
        }
        if (choice == 1 && support_random_below(2)) {
            memcpy(row + set->first, other + set->first, set->size);
        }
        if (choice == 1 && support_random_below(2)) {
            memcpy(row + slots + set->first, other + slots + set->first, set->size);
        }
        for (unsigned n = 0; choice == 2 && n < 8 * set->size; n++) {
            change_set(view, s, row);
        }
    }
    sets_forget_ignored(view, row);
}

// Does a row have an index, and is it called a state, only if moves reach it?
static bool compare_drawn_rows(struct comparison *comparison)
{
    for (unsigned tries = 0, outside = 0; outside < OUTSIDERS && tries < 2 * OUTSIDERS; tries++) {
        uint8_t row[SETS_TWIN_ROW];
        uint8_t cells[CELLS_MOST];
        draw_row(comparison->world, row);
        sets_row_to_cells(comparison->view, row, cells);
        bool reached = twin_find(comparison->world->states, row) < comparison->world->states->count;
        outside += !reached;
        if (permutation_is_state(comparison->puzzle, cells) != reached) {
            return set_fault(comparison, "a row is a state, or is none, but moves say otherwise");
        }
        if (reached) {
            if (!compare_row(comparison, row)) {
                return false;
            }
        } else if (rank_row(comparison, row) != INDEX_NONE) {
            return set_fault(comparison, "a state that no moves reach has the index %" PRIu64,
                             rank_row(comparison, row));
        }
    }
    return true;
}

// ---- Puzzles ------------------------------------------------------------------------------------

static bool compare_root(struct comparison *comparison)
{
    uint8_t cells[CELLS_MOST] = {0};
    if (comparison->puzzle->cell_count != comparison->view->cell_count) {
        return set_fault(comparison, "%u cells instead of %u", comparison->puzzle->cell_count,
                         comparison->view->cell_count);
    }
    sets_row_to_cells(comparison->view, comparison->view->root, cells);
    if (memcmp(cells, comparison->puzzle->numbering.roots[0].target,
               comparison->view->cell_count) != 0) {
        return set_fault(comparison, "another root");
    }
    return true;
}

// Compares everything. Returns false and fills in `fault` if something differs.
static bool compare(struct comparison *comparison)
{
    return compare_root(comparison) && compare_all_indices(comparison) &&
           compare_random_steps(comparison) && compare_drawn_rows(comparison);
}

static struct comparison start_comparison(const struct puzzle *puzzle, const struct sets_view *view,
                                          const struct sets_world *world)
{
    static struct sets_move moves[SETS_TWIN_POWERS];
    return (struct comparison){.puzzle = puzzle,
                               .functions = *puzzle->numbering.functions,
                               .state_count = puzzle->numbering.state_count,
                               .view = view,
                               .world = world,
                               .moves = moves,
                               .move_count = sets_list_moves(view, false, moves)};
}

struct tally {
    unsigned compared;
    unsigned skipped; // too many states
    unsigned few;     // few states
    unsigned failed;
};

static void report_fault(struct tally *tally, const char *fault, const char *text)
{
    if (tally->failed++ < FAULTS_SHOWN) {
        fprintf(stderr, "%s in\n%s\n", fault, text);
    }
}

// Compares the numbering of a puzzle. The caller has found its states.
static void compare_puzzle(const struct sets_world *world, struct tally *tally)
{
    struct puzzle puzzle;
    struct fewest_error error;
    static char text[SETS_TWIN_TEXT];
    sets_write(world->view.puzzle, text);
    tally->compared++;
    if (!puzzle_compile(&puzzle, text, strlen(text), METRIC_POWERS, &error)) {
        report_fault(tally, error.text, text);
        return;
    }
    struct comparison comparison = start_comparison(&puzzle, &world->view, world);
    if (!compare(&comparison)) {
        report_fault(tally, comparison.fault, text);
    }
    puzzle_free(&puzzle);
}

static void check_kind(enum puzzle_kind kind)
{
    struct tally tally = {0};
    while (tally.compared < PUZZLES_A_KIND) {
        struct sets_puzzle puzzle;
        struct sets_world world;
        draw_puzzle(kind, &puzzle);
        if (!sets_explore(&world, &puzzle, STATES_COMPARED_MOST)) {
            tally.skipped++;
            continue;
        }
        bool few = world.states->count < FEW_STATES;
        if (!few || 4 * tally.few < tally.compared) {
            tally.few += few;
            compare_puzzle(&world, &tally);
        }
        sets_free(&world);
    }
    cr_log_info("%u puzzles: %u have few states. %u with too many are skipped.", tally.compared,
                tally.few, tally.skipped);
    cr_expect_eq(tally.failed, 0, "%u of %u puzzles of kind %d are numbered wrongly", tally.failed,
                 tally.compared, (int)kind);
}

Test(numbering, is_exact_for_random_puzzles_of_every_kind, .timeout = 300)
{
    for (enum puzzle_kind kind = 0; kind < KIND_COUNT; kind++) {
        check_kind(kind);
    }
}

// ---- Puzzles of known sizes ---------------------------------------------------------------------

// Moves as MoveTransformation has them: the slot that each slot receives its piece from, and how a
// piece is turned that arrives there. Both count from 0.
struct known_move {
    uint8_t from[20];
    uint8_t turn[20];
};

struct known_puzzle {
    const char *name;
    uint64_t states;
    unsigned set_count;
    unsigned sizes[2];
    unsigned turns[2];
    unsigned move_count;
    struct known_move moves[6];
};

// The corners of a cube are URF UFL ULB UBR DFR DLF DBL DRB. Its edges are UR UF UL UB DR DF DL DB
// FR FL BL BR. "Moved" puzzles have only the slots that the moves change.
static const struct known_puzzle KNOWN[] = {
    {"2x2x2",
     88179840,
     1,
     {8},
     {3},
     6,
     {{{3, 0, 1, 2, 4, 5, 6, 7}, {0}},
      {{0, 1, 2, 3, 5, 6, 7, 4}, {0}},
      {{0, 2, 6, 3, 4, 1, 5, 7}, {0, 1, 2, 0, 0, 2, 1, 0}},
      {{4, 1, 2, 0, 7, 5, 6, 3}, {2, 0, 0, 1, 1, 0, 0, 2}},
      {{1, 5, 2, 3, 0, 4, 6, 7}, {1, 2, 0, 0, 2, 1, 0, 0}},
      {{0, 1, 3, 7, 4, 5, 2, 6}, {0, 0, 1, 2, 0, 0, 2, 1}}}},
    {"<U,R>",
     73483200,
     2,
     {8, 12},
     {3, 2},
     2,
     {{{3, 0, 1, 2, 4, 5, 6, 7, 3, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11}, {0}},
      {{4, 1, 2, 0, 7, 5, 6, 3, 8, 1, 2, 3, 11, 5, 6, 7, 4, 9, 10, 0}, {2, 0, 0, 1, 1, 0, 0, 2}}}},
    {"<U,R>, moved",
     73483200,
     2,
     {6, 7},
     {3, 2},
     2, // corners URF UFL ULB UBR DFR DRB, edges UR UF UL UB DR FR BR
     {{{3, 0, 1, 2, 4, 5, 3, 0, 1, 2, 4, 5, 6}, {0}},
      {{4, 1, 2, 0, 5, 3, 5, 1, 2, 3, 6, 4, 0}, {2, 0, 0, 1, 1, 2}}}},
    {"<U,R>, moved, with U turning the edges",
     73483200,
     2,
     {6, 7},
     {3, 2},
     2,
     {{{3, 0, 1, 2, 4, 5, 3, 0, 1, 2, 4, 5, 6}, {0, 0, 0, 0, 0, 0, 1, 1, 1, 1}},
      {{4, 1, 2, 0, 5, 3, 5, 1, 2, 3, 6, 4, 0}, {2, 0, 0, 1, 1, 2}}}},
    {"A7", // all even rows
     2520,
     1,
     {7},
     {1},
     2,
     {{{1, 2, 0, 3, 4, 5, 6}, {0}}, {{0, 1, 3, 4, 5, 6, 2}, {0}}}},
    {"M11",
     7920,
     1,
     {11},
     {1},
     2,
     {{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0}, {0}}, {{0, 1, 6, 9, 5, 3, 10, 2, 8, 4, 7}, {0}}}},
    {"M12",
     95040,
     1,
     {12},
     {1},
     3,
     {{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 11}, {0}},
      {{0, 1, 6, 9, 5, 3, 10, 2, 8, 4, 7, 11}, {0}},
      {{11, 10, 5, 7, 8, 2, 9, 3, 4, 6, 1, 0}, {0}}}},
};

static void fill_known(const struct known_puzzle *known, struct sets_puzzle *puzzle)
{
    sets_begin(puzzle);
    puzzle->move_count = known->move_count;
    for (unsigned s = 0; s < known->set_count; s++) {
        unsigned first = puzzle->slot_count;
        sets_add(puzzle, known->sizes[s], known->turns[s]);
        for (unsigned i = first; i < puzzle->slot_count; i++) {
            for (unsigned m = 0; m < known->move_count; m++) {
                unsigned from = first + known->moves[m].from[i];
                puzzle->moves[m].from[i] = (uint8_t)from;
                puzzle->moves[m].turn[from] = known->moves[m].turn[i];
            }
        }
    }
}

// Compares states on a random walk, and random indices.
static bool compare_walk(struct comparison *comparison, unsigned length)
{
    uint8_t row[2][SETS_TWIN_ROW];
    memcpy(row[0], comparison->view->root, sizeof row[0]);
    for (unsigned n = 0; n < length; n++) {
        if (!compare_row(comparison, row[n % 2]) || !compare_steps(comparison, row[n % 2]) ||
            !compare_index(comparison, support_random() % comparison->state_count)) {
            return false;
        }
        unsigned m = support_random_below(comparison->move_count);
        sets_apply(comparison->view, &comparison->moves[m], row[n % 2], row[(n + 1) % 2]);
    }
    return true;
}

static void check_known(const struct known_puzzle *known)
{
    struct sets_puzzle rows;
    struct sets_view view;
    struct puzzle puzzle;
    struct fewest_error error;
    static char text[SETS_TWIN_TEXT];
    fill_known(known, &rows);
    sets_look(&view, &rows);
    sets_write(&rows, text);
    if (!puzzle_compile(&puzzle, text, strlen(text), METRIC_POWERS, &error)) {
        cr_expect_fail("%s: %s", known->name, error.text);
        return;
    }
    struct comparison comparison = start_comparison(&puzzle, &view, NULL);
    cr_expect_eq(comparison.state_count, known->states, "%s has %" PRIu64 " states", known->name,
                 comparison.state_count);
    cr_expect(compare_root(&comparison) && compare_walk(&comparison, 10000), "%s: %s", known->name,
              comparison.fault);
    puzzle_free(&puzzle);
}

Test(numbering, has_as_many_states_as_the_literature_says)
{
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        check_known(&KNOWN[i]);
    }
}

Test(numbering, is_exact_for_even_rows_and_the_mathieu_groups)
{
    struct tally tally = {0};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        struct sets_puzzle puzzle;
        struct sets_world world;
        if (KNOWN[i].states <= STATES_COMPARED_MOST) {
            fill_known(&KNOWN[i], &puzzle);
            cr_assert(sets_explore(&world, &puzzle, STATES_COMPARED_MOST));
            cr_expect_eq(world.states->count, KNOWN[i].states, "%s: the twin", KNOWN[i].name);
            compare_puzzle(&world, &tally);
            sets_free(&world);
        }
    }
    cr_expect_eq(tally.compared, 3);
    cr_expect_eq(tally.failed, 0, "%u of %u puzzles are numbered wrongly", tally.failed,
                 tally.compared);
}

// ---- The comparison finds faults ----------------------------------------------------------------
// These replace one function of a numbering by a wrong one.

static uint64_t rank_with_two_swapped(const struct puzzle *puzzle, unsigned root,
                                      const uint8_t *relative)
{
    uint64_t index = puzzle_rank(puzzle, root, relative);
    return index == 1 || index == 2 ? 3 - index : index;
}

static uint64_t rank_of_any_row(const struct puzzle *puzzle, unsigned root, const uint8_t *relative)
{
    uint64_t index = puzzle_rank(puzzle, root, relative);
    return index == INDEX_NONE ? 0 : index;
}

static void unrank_twice_the_same(const struct puzzle *puzzle, unsigned root, uint64_t index,
                                  uint8_t *relative)
{
    puzzle_unrank(puzzle, root, index == 2 ? 1 : index, relative);
}

static void unrank_unreachable_states(const struct puzzle *puzzle, unsigned root, uint64_t index,
                                      uint8_t *relative)
{
    puzzle_unrank(puzzle, root, index, relative);
    if (index >= 3) {
        support_swap(&relative[0], &relative[puzzle->cell_count - 1]);
    }
}

static void one_wrong_neighbour(const struct puzzle *puzzle, unsigned root, uint64_t index,
                                uint64_t *neighbours)
{
    puzzle_neighbours(puzzle, root, index, neighbours);
    neighbours[puzzle->move_count - 1] += index == 4;
}

// Two cycles of three that never meet, among slots that never move.
static void fill_two_cycles(struct sets_puzzle *puzzle)
{
    static const struct known_puzzle CYCLES = {.set_count = 1,
                                               .sizes = {10},
                                               .turns = {1},
                                               .move_count = 2,
                                               .moves = {{.from = {1, 2, 0, 3, 4, 5, 6, 7, 8, 9}},
                                                         {.from = {0, 1, 2, 4, 5, 3, 6, 7, 8, 9}}}};
    fill_known(&CYCLES, puzzle);
    puzzle->powers = SETS_POWERS_NONE; // so that neighbours and predecessors differ
}

// Moves that add to fourteen digits modulo 3.
static void fill_digits(struct sets_puzzle *puzzle)
{
    static const struct known_puzzle DIGITS = {
        .set_count = 1,
        .sizes = {14},
        .turns = {3},
        .move_count = 3,
        .moves = {{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}, {1, 2, 0, 1}},
                  {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}, {0, 0, 1, 1, 1, 2}},
                  {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}, {0, 1, 0, 0, 0, 0, 1}}}};
    fill_known(&DIGITS, puzzle);
    puzzle->powers = SETS_POWERS_NONE;
}

static void expect_fault(struct comparison broken, const char *expected)
{
    cr_expect(!compare(&broken), "not found: %s", expected);
    cr_expect(strstr(broken.fault, expected), "%s instead of %s", broken.fault, expected);
}

// Breaks a correct numbering in many ways.
static void check_faults_are_found(const struct puzzle *puzzle, const struct sets_world *world)
{
    struct comparison right = start_comparison(puzzle, &world->view, world);
    struct comparison broken = right;
    cr_assert(compare(&right), "%s", right.fault);
    broken.state_count = right.state_count + 1;
    expect_fault(broken, "instead of");
    broken.state_count = right.state_count - 1;
    expect_fault(broken, "instead of");
    broken = right;
    broken.functions.rank = rank_with_two_swapped;
    expect_fault(broken, "unranks to a state with index");
    broken = right;
    broken.functions.rank = rank_of_any_row;
    expect_fault(broken, "no moves reach has the index");
    broken = right;
    broken.functions.unrank = unrank_twice_the_same;
    expect_fault(broken, "repeats a state");
    broken = right;
    broken.functions.unrank = unrank_unreachable_states;
    expect_fault(broken, "no moves reach the state of index");
    broken = right;
    broken.functions.neighbours = one_wrong_neighbour;
    expect_fault(broken, "leads to index");
    broken = right;
    broken.functions.predecessors = broken.functions.neighbours;
    expect_fault(broken, "comes from index");
}

Test(comparison, finds_every_planted_fault)
{
    void (*const fill[])(struct sets_puzzle *) = {fill_two_cycles, fill_digits};
    for (size_t i = 0; i < 2; i++) {
        struct sets_puzzle rows;
        struct sets_world world;
        static char text[SETS_TWIN_TEXT];
        fill[i](&rows);
        sets_write(&rows, text);
        struct puzzle puzzle = support_compile(text, METRIC_POWERS);
        cr_assert(sets_explore(&world, &rows, STATES_COMPARED_MOST));
        check_faults_are_found(&puzzle, &world);
        sets_free(&world);
        puzzle_free(&puzzle);
    }
}
