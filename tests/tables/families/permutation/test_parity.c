// The reason why no moves lead from one state to another is a theorem: a naive search proves the
// reasons of random puzzles. It knows nothing of the numbers of states.
#include "tests/tools/draw_puzzle.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 5000 };

// ---- Proofs -------------------------------------------------------------------------------------

// A START and a TARGET, as rows.
struct pair {
    const struct sets_view *view;
    const uint8_t *start;
    const uint8_t *target;
};

// The sum of the orientations of a set in a row, modulo their number.
static unsigned add_up(const struct sets_puzzle *puzzle, const struct sets_set *set,
                       const uint8_t *row)
{
    unsigned sum = 0;
    for (unsigned i = set->first; i < set->first + set->size; i++) {
        sum += row[puzzle->slot_count + i];
    }
    return sum % set->turns;
}

// Is the order of a set's numbers odd?
static bool is_odd(const struct sets_set *set, const uint8_t *numbers)
{
    bool odd = false;
    for (unsigned i = set->first; i < set->first + set->size; i++) {
        for (unsigned j = i + 1; j < set->first + set->size; j++) {
            cr_assert_neq(numbers[i], numbers[j], "pieces that look alike have no parity");
            odd ^= numbers[i] > numbers[j];
        }
    }
    return odd;
}

// The set of a name, such as B, or NULL.
static const struct sets_set *find_set(const struct sets_puzzle *puzzle, const char *name)
{
    unsigned number = (unsigned)(name[0] - 'A');
    return name[1] == '\0' && number < puzzle->set_count ? &puzzle->sets[number] : NULL;
}

// Do START and TARGET have these sums, and does every move keep the sum of START and of some states
// that it leads to?
static bool proves_sum(const struct pair *query, unsigned modulus, const char *name, unsigned from,
                       unsigned to)
{
    const struct sets_puzzle *puzzle = query->view->puzzle;
    const struct sets_set *set = find_set(puzzle, name);
    uint8_t rows[2][SETS_TWIN_ROW];
    if (!set || set->turns != modulus || from == to || add_up(puzzle, set, query->start) != from ||
        add_up(puzzle, set, query->target) != to) {
        return false;
    }
    memcpy(rows[0], query->start, sizeof rows[0]);
    for (unsigned i = 0; i < 20; i++) {
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            sets_apply(query->view, &puzzle->moves[m], rows[0], rows[1]);
            if (add_up(puzzle, set, rows[1]) != from) {
                return false;
            }
        }
        memcpy(rows[0], rows[1], sizeof rows[0]);
        sets_apply(query->view, &puzzle->moves[support_random_below(puzzle->move_count)], rows[0],
                   rows[1]);
        memcpy(rows[0], rows[1], sizeof rows[0]);
    }
    return true;
}

// Is the permutation of a set from START to TARGET odd, and is that of every move even?
static bool proves_odd(const struct pair *query, const char *name)
{
    const struct sets_puzzle *puzzle = query->view->puzzle;
    const struct sets_set *set = find_set(puzzle, name);
    if (!set || is_odd(set, query->start) == is_odd(set, query->target)) {
        return false;
    }
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        if (is_odd(set, puzzle->moves[m].from)) {
            return false;
        }
    }
    return true;
}

static const char NOTHING[] = "no moves lead from START to TARGET";

// Is a reason for an unreachable TARGET one of the sentences that there are, and true?
static bool proves(const struct pair *query, const char *reason)
{
    char name[16];
    char again[256];
    unsigned modulus;
    unsigned from;
    unsigned to;
    if (strcmp(reason, "the permutation from START to TARGET is odd, but every move is even") ==
        0) {
        return query->view->puzzle->set_count == 1 && proves_odd(query, "A");
    }
    if (sscanf(reason, "the permutation of %15s from", name) == 1) {
        snprintf(again, sizeof again,
                 "the permutation of %s from START to TARGET is odd, but every move is even there",
                 name);
        return strcmp(reason, again) == 0 && proves_odd(query, name);
    }
    if (sscanf(reason, "modulo %u, the orientations of %15s add up to %u in START and to %u in",
               &modulus, name, &from, &to) == 4) {
        snprintf(again, sizeof again,
                 "modulo %u, the orientations of %s add up to %u in START and to %u in TARGET, but "
                 "every move keeps their sum",
                 modulus, name, from, to);
        return strcmp(reason, again) == 0 && proves_sum(query, modulus, name, from, to);
    }
    return strcmp(reason, NOTHING) == 0;
}

// ---- Random puzzles -----------------------------------------------------------------------------

struct tally {
    unsigned reachable;
    unsigned sums;
    unsigned odds;
    unsigned others;
};

// Any row, or one that moves lead to, after which two pieces of a set may be exchanged and one
// turned.
static void draw_start(const struct sets_world *world, uint8_t *row)
{
    const struct sets_puzzle *puzzle = world->view.puzzle;
    const struct sets_set *set = &puzzle->sets[support_random_below(puzzle->set_count)];
    memcpy(row, world->view.solved, SETS_TWIN_ROW);
    for (unsigned i = support_random_below(30); i > 0; i--) {
        uint8_t moved[SETS_TWIN_ROW] = {0};
        sets_apply(&world->view, &puzzle->moves[support_random_below(puzzle->move_count)], row,
                   moved);
        memcpy(row, moved, sizeof moved);
    }
    unsigned a = set->first + support_random_below(set->size);
    unsigned b = set->first + support_random_below(set->size);
    if (support_random_below(2) && world->view.shows_pieces[set - puzzle->sets]) {
        uint8_t piece = row[a];
        row[a] = row[b];
        row[b] = piece;
    }
    if (support_random_below(2) && world->view.shows_orientations[set - puzzle->sets]) {
        uint8_t *turn = &row[puzzle->slot_count + a];
        *turn = (uint8_t)((*turn + 1 + support_random_below(set->turns)) % set->turns);
    }
    sets_forget_ignored(&world->view, row);
}

// Asks for the way from a random START to the solved state, and proves the answer.
static void compare(struct fewest *table, const struct sets_world *world, const char *text,
                    struct tally *tally)
{
    uint8_t start[SETS_TWIN_ROW] = {0};
    uint8_t cells[2][SETS_TWIN_ROW];
    struct fewest_parity parity;
    struct fewest_error error;
    const struct pair query = {&world->view, start, world->view.solved};
    draw_start(world, start);
    sets_row_to_cells(&world->view, start, cells[0]);
    sets_row_to_cells(&world->view, world->view.solved, cells[1]);
    cr_assert(fewest_parity(table, cells[0], cells[1], &parity, &error), "%s\n%s", error.text,
              text);
    struct twin_states *states = sets_measure(&world->view, start, false);
    bool reachable = twin_find(states, world->view.solved) < states->count;
    twin_free(states);
    cr_assert_eq(parity.reachable, reachable, "%s\n%s", parity.reason, text);
    if (reachable) {
        int steps;
        char expected[32];
        cr_assert(fewest_steps(table, cells[0], cells[1], &steps, &error));
        snprintf(expected, sizeof expected, "in %d move%s", steps, steps == 1 ? "" : "s");
        cr_assert_str_eq(parity.reason, expected);
        tally->reachable++;
        return;
    }
    cr_assert(proves(&query, parity.reason), "%s\n%s", parity.reason, text);
    tally->sums += parity.reason[0] == 'm';
    tally->odds += parity.reason[0] == 't';
    tally->others += parity.reason[0] == 'n';
}

Test(reasons, a_naive_search_proves_every_reason_of_random_puzzles, .timeout = 300)
{
    enum { ROUNDS = 20 * KIND_COUNT, QUERIES = 10 };
    static char text[SETS_TWIN_TEXT];
    struct tally tally = {0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct sets_puzzle puzzle;
        struct sets_world world;
        draw_puzzle(round % KIND_COUNT, &puzzle);
        if (!sets_explore(&world, &puzzle, FEW)) {
            continue;
        }
        sets_write(&puzzle, text);
        struct fewest *table = support_open_text(text);
        for (unsigned i = 0; i < QUERIES; i++) {
            compare(table, &world, text, &tally);
        }
        support_close(table);
        sets_free(&world);
    }
    cr_expect(tally.reachable > ROUNDS / 4 && tally.sums > ROUNDS / 8 && tally.odds > ROUNDS / 40 &&
                  tally.others > ROUNDS / 4,
              "%u %u %u %u", tally.reachable, tally.sums, tally.odds, tally.others);
}

// ---- Negative controls --------------------------------------------------------------------------

// Two sets of four slots. The first move cycles three pieces of A and turns two of them, the second
// one exchanges two pieces of B.
static void make_example(struct sets_puzzle *puzzle)
{
    sets_begin(puzzle);
    sets_add(puzzle, 4, 3);
    sets_add(puzzle, 4, 1);
    for (unsigned m = 0; m < 2; m++) {
        struct sets_move *move = &puzzle->moves[puzzle->move_count++];
        *move = (struct sets_move){.name = {(char)('X' + m)}};
        for (unsigned i = 0; i < puzzle->slot_count; i++) {
            move->from[i] = (uint8_t)i;
        }
    }
    memcpy(puzzle->moves[0].from, (uint8_t[]){1, 2, 0}, 3);
    memcpy(puzzle->moves[0].turn, (uint8_t[]){1, 2}, 2);
    memcpy(puzzle->moves[1].from + 4, (uint8_t[]){5, 4}, 2);
}

Test(reasons, false_and_unknown_sentences_are_no_theorems)
{
    static const struct {
        bool is_true;
        const char *reason;
    } SENTENCES[] = {
        {true, "the permutation of A from START to TARGET is odd, but every move is even there"},
        {false, "the permutation of B from START to TARGET is odd, but every move is even there"},
        {false, "the permutation of C from START to TARGET is odd, but every move is even there"},
        {false, "the permutation of A from START to TARGET is odd, but every move is even"},
        {false, "the permutation from START to TARGET is odd, but every move is even"},
        {true, "modulo 3, the orientations of A add up to 1 in START and to 0 in TARGET, but every "
               "move keeps their sum"},
        {false, "modulo 3, the orientations of A add up to 2 in START and to 0 in TARGET, but "
                "every move keeps their sum"},
        {false, "modulo 2, the orientations of A add up to 1 in START and to 0 in TARGET, but "
                "every move keeps their sum"},
        {false, "modulo 3, the orientations of A add up to 1 in START and to 0 in TARGET"},
        {false, "START is upside down"},
        {true, "no moves lead from START to TARGET"},
    };
    struct sets_puzzle puzzle;
    struct sets_view view;
    uint8_t start[SETS_TWIN_ROW] = {1, 0, 2, 3, 1, 0, 2, 3, 0, 0, 0, 1};
    make_example(&puzzle);
    sets_look(&view, &puzzle);
    const struct pair query = {&view, start, view.solved};
    for (unsigned s = 0; s < sizeof SENTENCES / sizeof *SENTENCES; s++) {
        cr_expect_eq(proves(&query, SENTENCES[s].reason), SENTENCES[s].is_true, "%s",
                     SENTENCES[s].reason);
    }
    puzzle.moves[0].turn[0] = 2; // now the move changes the sum
    cr_expect_not(proves(&query, SENTENCES[5].reason));
}

// ---- Cases --------------------------------------------------------------------------------------

// Asks a table of the example for the way from START to the solved state, and expects this reason.
static void expect_reason(const char *start, const char *reason)
{
    static char text[SETS_TWIN_TEXT];
    struct sets_puzzle puzzle;
    struct fewest_parity parity;
    struct fewest_error error;
    uint8_t cells[12];
    make_example(&puzzle);
    sets_write(&puzzle, text);
    struct fewest *table = support_open_text(text);
    cr_assert(fewest_read_state(table, "START", start, strlen(start), cells, &error), "%s",
              error.text);
    cr_assert(fewest_parity(table, cells, NULL, &parity, &error), "%s", error.text);
    cr_expect_str_eq(parity.reason, reason);
    support_close(table);
}

Test(reasons, are_those_of_the_first_set_that_has_one)
{
    expect_reason("1 2 3 4 0 0 0 0 1 2 3 4", "in 0 moves");
    expect_reason("1 2 3 4 0 0 0 0 2 1 3 4", "in 1 move");
    expect_reason("2 1 3 4 0 0 0 0 2 1 3 4",
                  "the permutation of A from START to TARGET is odd, but every move is even there");
    expect_reason("1 2 3 4 0 2 0 0 1 2 3 4",
                  "modulo 3, the orientations of A add up to 2 in START and to 0 in TARGET, but "
                  "every move keeps their sum");
    expect_reason("1 2 4 3 0 0 0 0 1 2 3 4",
                  "the permutation of A from START to TARGET is odd, but every move is even there");
    expect_reason("1 2 3 4 0 0 0 0 3 2 1 4", NOTHING);
}
