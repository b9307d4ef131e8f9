// Compares the pruning automaton with a breadth-first search of complete boards, and with the
// definition of a duplicate, tried on each move sequence. Other tests show that both checks notice
// a wrong automaton.
#include "index/rank.h"
#include "puzzle/compile.h"
#include "search/pruning_automaton.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Boards -------------------------------------------------------------------------------------

struct world {
    struct board board;
    unsigned cells;
    unsigned moves;
};

// Makes a board by hand, because a definition of a 4×4 board needs pattern databases. The moves are
// in the order a b d l r u.
static struct world world_of(unsigned rows, unsigned columns, unsigned layers)
{
    static const int STEPS[BOARD_MOVES_MOST][AXES] = {{0, 0, -1}, {0, 0, 1}, {0, 1, 0},
                                                      {-1, 0, 0}, {1, 0, 0}, {0, -1, 0}};
    int size[AXES] = {(int)columns, (int)rows, (int)layers};
    struct world world = {.cells = rows * columns * layers};
    world.board.grid = (struct grid){rows, columns, layers, world.cells};
    for (unsigned m = 0; m < BOARD_MOVES_MOST; m++) {
        bool made = false;
        for (int cell = 0; cell < (int)world.cells; cell++) {
            int x = cell % size[0] + STEPS[m][0];
            int y = cell / size[0] % size[1] + STEPS[m][1];
            int z = cell / size[0] / size[1] + STEPS[m][2];
            bool inside = x >= 0 && x < size[0] && y >= 0 && y < size[1] && z >= 0 && z < size[2];
            world.board.to[world.moves][cell] =
                inside ? (uint8_t)((z * size[1] + y) * size[0] + x) : NOWHERE;
            made |= inside;
        }
        world.moves += made;
    }
    return world;
}

static struct pruning_automaton build_automaton(const struct world *world, unsigned length_most)
{
    struct pruning_automaton automaton;
    struct fewest_error error;
    cr_assert(pruning_automaton_build(&automaton, &world->board, world->moves, length_most, &error),
              "%s", error.text);
    return automaton;
}

struct row {
    uint8_t cell[BOARD_CELLS_MOST];
};

static struct row solved_row(void)
{
    struct row row;
    for (unsigned cell = 0; cell < BOARD_CELLS_MOST; cell++) {
        row.cell[cell] = (uint8_t)cell;
    }
    return row;
}

static void slide(struct row *row, unsigned from, unsigned to)
{
    uint8_t tile = row->cell[to];
    row->cell[to] = row->cell[from];
    row->cell[from] = tile;
}

Test(pruning_automaton, the_boards_made_here_by_hand_are_those_of_definitions)
{
    static const unsigned SIZES[][AXES] = {{3, 3, 1}, {2, 3, 1}, {2, 2, 2}, {2, 4, 1}, {1, 5, 1}};
    for (unsigned s = 0; s < sizeof SIZES / sizeof *SIZES; s++) {
        char text[64];
        struct puzzle puzzle;
        struct fewest_error error;
        int length = snprintf(text, sizeof text, "Name b\nSlide %u %u %u\n", SIZES[s][0],
                              SIZES[s][1], SIZES[s][2]);
        cr_assert(puzzle_compile(&puzzle, text, (size_t)length, METRIC_POWERS, &error), "%s",
                  error.text);
        struct world world = world_of(SIZES[s][0], SIZES[s][1], SIZES[s][2]);
        cr_assert_eq(puzzle.move_count, world.moves);
        cr_assert_eq(puzzle.board->grid.cells, world.cells);
        for (unsigned m = 0; m < world.moves; m++) {
            cr_assert_arr_eq(puzzle.board->to[m], world.board.to[m], world.cells);
        }
        puzzle_free(&puzzle);
    }
}

// ---- Soundness: compared with a search without the automaton ------------------------------------

enum { BOARDS_MOST = 181440, LONGEST = 64 };

// A breadth-first search with the moves in order. So the path by which it meets a board is the
// first of the shortest.
struct naive_search {
    const struct world *world;
    struct row *rows;
    uint8_t *blank;
    uint8_t *distance;
    uint8_t *move;       // the last one on the path to the board
    uint32_t *parent;    // the board before that move
    uint32_t *number_of; // by rank; UNMET for none
    uint32_t count;
};

static const uint32_t UNMET = UINT32_MAX;

static uint32_t *number_at(const struct naive_search *search, const struct row *row)
{
    return &search->number_of[arrangement_rank(search->world->cells, search->world->cells,
                                               row->cell)];
}

static void meet(struct naive_search *search, const struct row *row, unsigned blank,
                 uint32_t parent, unsigned move)
{
    uint32_t *number = number_at(search, row);
    if (*number != UNMET) {
        return;
    }
    uint32_t b = search->count++;
    cr_assert_lt(b, BOARDS_MOST);
    *number = b;
    search->rows[b] = *row;
    search->blank[b] = (uint8_t)blank;
    search->parent[b] = parent;
    search->move[b] = (uint8_t)move;
    search->distance[b] = b == 0 ? 0 : (uint8_t)(search->distance[parent] + 1);
}

static struct naive_search search_from(const struct world *world, unsigned start)
{
    uint64_t ranks = arrangement_count(world->cells, world->cells);
    struct naive_search search = {.world = world};
    search.rows = malloc(BOARDS_MOST * sizeof *search.rows);
    search.blank = malloc(BOARDS_MOST);
    search.distance = malloc(BOARDS_MOST);
    search.move = malloc(BOARDS_MOST);
    search.parent = malloc(BOARDS_MOST * sizeof *search.parent);
    search.number_of = malloc(ranks * sizeof *search.number_of);
    memset(search.number_of, 0xFF, ranks * sizeof *search.number_of);
    struct row solved = solved_row();
    meet(&search, &solved, start, 0, 0);
    for (uint32_t b = 0; b < search.count; b++) {
        for (unsigned m = 0; m < world->moves; m++) {
            unsigned to = world->board.to[m][search.blank[b]];
            if (to != NOWHERE) {
                struct row row = search.rows[b];
                slide(&row, search.blank[b], to);
                meet(&search, &row, to, b, m);
            }
        }
    }
    return search;
}

static void search_free(struct naive_search *search)
{
    free(search->rows);
    free(search->blank);
    free(search->distance);
    free(search->move);
    free(search->parent);
    free(search->number_of);
}

// Counts the boards whose first shortest path the automaton prunes.
static unsigned count_lost(const struct naive_search *search,
                           const struct pruning_automaton *automaton)
{
    uint32_t *state = malloc(search->count * sizeof *state);
    unsigned lost = 0;
    state[0] = search->blank[0];
    for (uint32_t b = 1; b < search->count; b++) {
        uint32_t before = state[search->parent[b]];
        state[b] = before == MOVE_PRUNED ? MOVE_PRUNED : automaton->next[before][search->move[b]];
        lost += state[b] == MOVE_PRUNED;
    }
    free(state);
    return lost;
}

struct pair {
    uint32_t board;
    uint32_t state;
};

// A breadth-first search through pairs of a board and a state. It makes only the moves that the
// automaton lets pass.
struct guided {
    const struct naive_search *search;
    const struct pruning_automaton *automaton;
    struct pair *pairs;
    size_t count;
    size_t room;
    uint8_t *met;    // a bit for each pair
    uint8_t *length; // of the path to each board, or LONGEST if it was not met
    unsigned boards;
};

static void meet_pair(struct guided *guided, uint32_t board, uint32_t state, unsigned length)
{
    uint64_t bit = (uint64_t)board * guided->automaton->state_count + state;
    if (guided->met[bit / 8] >> bit % 8 & 1) {
        return;
    }
    guided->met[bit / 8] |= (uint8_t)(1u << bit % 8);
    if (guided->count == guided->room) {
        guided->room = 2 * guided->room + 1024;
        guided->pairs = realloc(guided->pairs, guided->room * sizeof *guided->pairs);
    }
    guided->pairs[guided->count++] = (struct pair){board, state};
    if (guided->length[board] == LONGEST) {
        guided->length[board] = (uint8_t)length;
        guided->boards++;
    }
}

static void expand_pair(struct guided *guided, struct pair pair, unsigned length)
{
    const struct naive_search *search = guided->search;
    for (unsigned m = 0; m < search->world->moves; m++) {
        uint32_t after = guided->automaton->next[pair.state][m];
        if (after == MOVE_PRUNED) {
            continue;
        }
        unsigned to = search->world->board.to[m][search->blank[pair.board]];
        cr_assert_neq(to, NOWHERE);
        struct row row = search->rows[pair.board];
        slide(&row, search->blank[pair.board], to);
        meet_pair(guided, *number_at(search, &row), after, length);
    }
}

// Counts the boards that are farther away, or out of reach, without the pruned moves.
static unsigned count_farther(const struct naive_search *search,
                              const struct pruning_automaton *automaton)
{
    struct guided guided = {.search = search, .automaton = automaton};
    unsigned farther = 0;
    guided.met = calloc((uint64_t)search->count * automaton->state_count / 8 + 1, 1);
    guided.length = malloc(search->count);
    memset(guided.length, LONGEST, search->count);
    meet_pair(&guided, 0, search->blank[0], 0);
    size_t p = 0;
    for (unsigned length = 1; length < LONGEST && guided.boards < search->count; length++) {
        for (size_t end = guided.count; p < end; p++) {
            expand_pair(&guided, guided.pairs[p], length);
        }
    }
    for (uint32_t b = 0; b < search->count; b++) {
        farther += guided.length[b] != search->distance[b];
    }
    free(guided.pairs);
    free(guided.met);
    free(guided.length);
    return farther;
}

// Checks every cell where the blank can start, with three lengths. There are many pairs, so they
// are searched with the first length only.
static void check_soundness(unsigned rows, unsigned columns, unsigned layers,
                            const unsigned lengths[3], unsigned boards)
{
    struct world world = world_of(rows, columns, layers);
    for (unsigned start = 0; start < world.cells; start++) {
        struct naive_search search = search_from(&world, start);
        cr_assert_eq(search.count, boards);
        for (unsigned d = 0; d < 3; d++) {
            struct pruning_automaton automaton = build_automaton(&world, lengths[d]);
            cr_assert_eq(count_lost(&search, &automaton), 0, "from %u, length %u", start,
                         lengths[d]);
            cr_assert(d > 0 || count_farther(&search, &automaton) == 0, "from %u, length %u", start,
                      lengths[d]);
            pruning_automaton_free(&automaton);
        }
        search_free(&search);
    }
}

Test(pruning_automaton, no_first_path_is_pruned_on_small_boards)
{
    check_soundness(1, 2, 1, (unsigned[]){4, 2, 1}, 2);
    check_soundness(1, 5, 1, (unsigned[]){10, 4, 16}, 5);
    check_soundness(2, 2, 1, (unsigned[]){16, 6, 12}, 12);
    check_soundness(2, 3, 1, (unsigned[]){8, 12, 16}, 360);
    check_soundness(2, 4, 1, (unsigned[]){8, 6, 14}, 20160);
    check_soundness(2, 2, 2, (unsigned[]){6, 8, 10}, 20160);
}

Test(pruning_automaton, no_first_path_is_pruned_on_the_eight_puzzle, .timeout = 120)
{
    check_soundness(3, 3, 1, (unsigned[]){6, 8, 12}, 181440);
}

// ---- Exactness: compared with the definition of a duplicate -------------------------------------

// Sequences are numbered by length and then lexicographically: the empty one is 0, and s with move
// m appended is s·moves + m + 1.
struct naive {
    const struct world *world;
    unsigned length_most;
    unsigned count;                    // of sequences of at most that length
    bool *duplicate[BOARD_CELLS_MOST]; // by the blank's first cell and the number
};

// Follows a sequence from the solved board. False if a move can't be made.
static bool follow(const struct world *world, unsigned number, unsigned *blank, struct row *row)
{
    if (number == 0) {
        *row = solved_row();
        return true;
    }
    if (!follow(world, (number - 1) / world->moves, blank, row)) {
        return false;
    }
    unsigned to = world->board.to[(number - 1) % world->moves][*blank];
    if (to != NOWHERE) {
        slide(row, *blank, to);
        *blank = to;
    }
    return to != NOWHERE;
}

static void find_duplicates(struct naive *naive, unsigned start)
{
    struct row *rows = malloc(naive->count * sizeof *rows); // of the sequences that can be made
    unsigned made = 0;
    naive->duplicate[start] = calloc(naive->count, sizeof *naive->duplicate[start]);
    for (unsigned number = 0; number < naive->count; number++) {
        unsigned blank = start;
        if (!follow(naive->world, number, &blank, &rows[made])) {
            continue;
        }
        for (unsigned earlier = 0; earlier < made && !naive->duplicate[start][number]; earlier++) {
            naive->duplicate[start][number] =
                memcmp(&rows[earlier], &rows[made], sizeof *rows) == 0;
        }
        made++;
    }
    free(rows);
}

static struct naive naive_build(const struct world *world, unsigned length_most)
{
    struct naive naive = {.world = world, .length_most = length_most, .count = 1};
    for (unsigned length = 0; length < length_most; length++) {
        naive.count = naive.count * world->moves + 1;
    }
    for (unsigned start = 0; start < world->cells; start++) {
        find_duplicates(&naive, start);
    }
    return naive;
}

static void naive_free(struct naive *naive)
{
    for (unsigned start = 0; start < naive->world->cells; start++) {
        free(naive->duplicate[start]);
    }
}

// A search for all sequences that pass: the sequence at hand, and the counts.
struct walk {
    const struct naive *naive; // may be NULL: then nothing is compared
    const struct world *world;
    const struct pruning_automaton *automaton;
    unsigned longest;
    unsigned length;
    uint8_t move[LONGEST];
    uint8_t cell[LONGEST + 1]; // where the blank is before each move, and at the end
    uint64_t passing[LONGEST]; // sequences, by length
    unsigned differences;
};

// Does the sequence end in a duplicate of at most naive->length_most moves?
static bool ends_in_duplicate(const struct walk *walk)
{
    for (unsigned first = 0; first < walk->length; first++) {
        if (walk->length - first > walk->naive->length_most) {
            continue;
        }
        unsigned number = 0;
        for (unsigned i = first; i < walk->length; i++) {
            number = number * walk->world->moves + walk->move[i] + 1;
        }
        if (walk->naive->duplicate[walk->cell[first]][number]) {
            return true;
        }
    }
    return false;
}

static void walk_on(struct walk *walk, uint32_t state)
{
    walk->passing[walk->length]++;
    if (walk->length == walk->longest) {
        return;
    }
    for (unsigned m = 0; m < walk->world->moves; m++) {
        uint32_t after = walk->automaton->next[state][m];
        unsigned to = walk->world->board.to[m][walk->cell[walk->length]];
        walk->move[walk->length++] = (uint8_t)m;
        walk->cell[walk->length] = (uint8_t)to;
        bool prunes =
            to == NOWHERE || (walk->naive ? ends_in_duplicate(walk) : after == MOVE_PRUNED);
        walk->differences += prunes != (after == MOVE_PRUNED);
        if (!prunes && after != MOVE_PRUNED) {
            walk_on(walk, after);
        }
        walk->length--;
    }
}

static struct walk walk_from(const struct world *world, const struct naive *naive,
                             const struct pruning_automaton *automaton, unsigned start,
                             unsigned longest)
{
    struct walk walk = {.naive = naive,
                        .world = world,
                        .automaton = automaton,
                        .longest = longest,
                        .cell = {(uint8_t)start}};
    walk_on(&walk, start);
    return walk;
}

// Counts how often the automaton and the definition differ over sequences of up to a length.
static unsigned count_differences(const struct naive *naive,
                                  const struct pruning_automaton *automaton, unsigned longest)
{
    unsigned differences = 0;
    for (unsigned start = 0; start < naive->world->cells; start++) {
        differences += walk_from(naive->world, naive, automaton, start, longest).differences;
    }
    return differences;
}

static void check_exactness(unsigned rows, unsigned columns, unsigned layers, unsigned length_most,
                            unsigned longest)
{
    struct world world = world_of(rows, columns, layers);
    struct naive naive = naive_build(&world, length_most);
    struct pruning_automaton automaton = build_automaton(&world, length_most);
    cr_assert_eq(count_differences(&naive, &automaton, longest), 0, "%u %u %u, length %u", rows,
                 columns, layers, length_most);
    pruning_automaton_free(&automaton);
    naive_free(&naive);
}

Test(pruning_automaton, exactly_the_sequences_without_a_duplicate_in_them_pass, .timeout = 120)
{
    for (unsigned length_most = 1; length_most <= 7; length_most++) {
        check_exactness(4, 4, 1, length_most, length_most == 1 ? 7 : 11);
    }
    check_exactness(3, 3, 1, 7, 12);
    check_exactness(2, 3, 1, 8, 15);
    check_exactness(2, 4, 1, 7, 13);
    check_exactness(2, 2, 2, 6, 9);
    check_exactness(2, 2, 1, 8, 15);
    check_exactness(1, 5, 1, 9, 17);
    check_exactness(1, 2, 1, 3, 5);
}

Test(pruning_automaton, at_length_two_exactly_the_immediate_undos_are_pruned)
{
    struct world world = world_of(4, 4, 1);
    struct pruning_automaton automaton = build_automaton(&world, 2);
    // A state for each empty sequence, and one for each move from each cell.
    cr_assert_eq(automaton.state_count, 16 + 48);
    for (unsigned start = 0; start < world.cells; start++) {
        for (unsigned m = 0; m < BOARD_MOVES_MOST; m++) {
            uint32_t after = automaton.next[start][m];
            unsigned to = m < world.moves ? world.board.to[m][start] : NOWHERE;
            cr_assert_eq(after == MOVE_PRUNED, to == NOWHERE);
            for (unsigned n = 0; n < BOARD_MOVES_MOST && to != NOWHERE; n++) {
                bool back = n < world.moves && world.board.to[n][to] == start;
                cr_assert_eq(automaton.next[after][n], back ? MOVE_PRUNED : automaton.next[to][n]);
            }
        }
    }
    pruning_automaton_free(&automaton);
}

Test(pruning_automaton, up_to_the_length_one_sequence_passes_for_each_board)
{
    // The number of boards at each distance from one with the blank in a corner: OEIS A089473.
    static const uint64_t FIFTEEN[] = {1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808};
    struct world world = world_of(4, 4, 1);
    struct pruning_automaton automaton = build_automaton(&world, 12);
    for (unsigned corner = 0; corner < world.cells; corner += corner == 3 ? 9 : 3) {
        struct walk walk = walk_from(&world, NULL, &automaton, corner, 12);
        cr_assert_eq(walk.differences, 0);
        cr_assert_arr_eq(walk.passing, FIFTEEN, sizeof FIFTEEN);
    }
    pruning_automaton_free(&automaton);
}

Test(pruning_automaton, and_on_the_eight_puzzle_from_every_cell)
{
    enum { LENGTH = 14 };
    struct world world = world_of(3, 3, 1);
    struct pruning_automaton automaton = build_automaton(&world, LENGTH);
    for (unsigned start = 0; start < world.cells; start++) {
        struct naive_search search = search_from(&world, start);
        struct walk walk = walk_from(&world, NULL, &automaton, start, LENGTH);
        for (uint32_t b = 0; b < search.count && search.distance[b] <= LENGTH; b++) {
            walk.passing[search.distance[b]]--;
        }
        for (unsigned length = 0; length <= LENGTH; length++) {
            cr_assert_eq(walk.passing[length], 0, "from %u, length %u", start, length);
        }
        search_free(&search);
    }
    pruning_automaton_free(&automaton);
}

Test(pruning_automaton, the_states_of_the_fifteen_puzzle_are_as_many_as_ever)
{
    static const struct {
        unsigned length_most;
        uint32_t states;
    } EXPECTED[] = {{1, 16},  {2, 64},  {5, 64},    {6, 208},
                    {7, 298}, {8, 878}, {10, 4147}, {12, 15222}};
    struct world world = world_of(4, 4, 1);
    for (unsigned e = 0; e < sizeof EXPECTED / sizeof *EXPECTED; e++) {
        struct pruning_automaton automaton = build_automaton(&world, EXPECTED[e].length_most);
        cr_assert_eq(automaton.state_count, EXPECTED[e].states, "length %u: %u",
                     EXPECTED[e].length_most, automaton.state_count);
        pruning_automaton_free(&automaton);
    }
}

// ---- The checks themselves ----------------------------------------------------------------------

static unsigned count_lost_anywhere(const struct world *world,
                                    const struct pruning_automaton *automaton, bool paths)
{
    unsigned lost = 0;
    for (unsigned start = 0; start < world->cells; start++) {
        struct naive_search search = search_from(world, start);
        lost += paths ? count_lost(&search, automaton) : count_farther(&search, automaton);
        search_free(&search);
    }
    return lost;
}

// The automaton prunes the earlier one of two sequences: the distances stay right, but the first
// path is lost.
Test(pruning_automaton, an_automaton_that_prefers_the_last_path_is_noticed)
{
    struct world world = world_of(2, 3, 1);
    struct world mirrored = world;
    for (unsigned m = 0; m < world.moves; m++) {
        memcpy(mirrored.board.to[m], world.board.to[world.moves - 1 - m], BOARD_CELLS_MOST);
    }
    struct pruning_automaton automaton = build_automaton(&mirrored, 8);
    for (uint32_t state = 0; state < automaton.state_count; state++) {
        for (unsigned m = 0; m < world.moves / 2; m++) {
            uint32_t other = automaton.next[state][world.moves - 1 - m];
            automaton.next[state][world.moves - 1 - m] = automaton.next[state][m];
            automaton.next[state][m] = other;
        }
    }
    struct naive naive = naive_build(&world, 8);
    cr_assert_eq(count_lost_anywhere(&world, &automaton, false), 0);
    cr_assert_gt(count_lost_anywhere(&world, &automaton, true), 0);
    cr_assert_gt(count_differences(&naive, &automaton, 8), 0);
    naive_free(&naive);
    pruning_automaton_free(&automaton);
}

// Every path to a board is pruned.
Test(pruning_automaton, an_automaton_that_puts_a_board_out_of_reach_is_noticed)
{
    struct world world = world_of(2, 3, 1);
    struct pruning_automaton automaton = build_automaton(&world, 8);
    for (unsigned start = 0; start < world.cells; start++) {
        struct naive_search search = search_from(&world, start);
        for (unsigned m = 0; m < world.moves; m++) {
            uint32_t right = automaton.next[start][m];
            automaton.next[start][m] = MOVE_PRUNED;
            cr_assert_eq(count_farther(&search, &automaton) > 0, right != MOVE_PRUNED);
            automaton.next[start][m] = right;
        }
        search_free(&search);
    }
    pruning_automaton_free(&automaton);
}

// Finds the cell of the blank in each state. State c starts with the blank in cell c.
static void find_blanks(const struct world *world, const struct pruning_automaton *automaton,
                        unsigned length_most, uint8_t *cell)
{
    for (uint32_t state = 0; state < automaton->state_count; state++) {
        cell[state] = state < world->cells ? (uint8_t)state : NOWHERE;
    }
    for (unsigned round = 0; round < length_most; round++) {
        for (uint32_t state = 0; state < automaton->state_count; state++) {
            for (unsigned m = 0; m < world->moves && cell[state] != NOWHERE; m++) {
                if (automaton->next[state][m] != MOVE_PRUNED) {
                    cell[automaton->next[state][m]] = world->board.to[m][cell[state]];
                }
            }
        }
    }
}

// Makes one move of one state wrong: pruned instead of passed, passed instead of pruned, or leading
// to the state of the empty sequence.
Test(pruning_automaton, one_wrong_move_of_one_state_is_noticed, .timeout = 120)
{
    enum { LENGTH = 7 };
    struct world world = world_of(2, 3, 1);
    struct naive naive = naive_build(&world, LENGTH);
    struct pruning_automaton automaton = build_automaton(&world, LENGTH);
    uint8_t *cell = malloc(automaton.state_count);
    cr_assert(cell);
    find_blanks(&world, &automaton, LENGTH, cell);
    for (uint32_t state = 0; state < automaton.state_count; state++) {
        for (unsigned m = 0; m < world.moves; m++) {
            unsigned to = world.board.to[m][cell[state]];
            uint32_t right = automaton.next[state][m];
            if (to == NOWHERE) {
                continue;
            }
            automaton.next[state][m] = right == to ? MOVE_PRUNED : to;
            cr_assert_gt(count_differences(&naive, &automaton, 2 * LENGTH - 1), 0,
                         "state %u, move %u", state, m);
            automaton.next[state][m] = MOVE_PRUNED;
            cr_assert_eq(count_lost_anywhere(&world, &automaton, true) > 0, right != MOVE_PRUNED);
            automaton.next[state][m] = right;
        }
    }
    cr_assert_eq(count_differences(&naive, &automaton, 2 * LENGTH - 1), 0);
    free(cell);
    pruning_automaton_free(&automaton);
    naive_free(&naive);
}
