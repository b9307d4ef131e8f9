// Compares the automaton of sliding boards with a breadth-first search of complete boards, and with
// the definition of a duplicate, tried on each move sequence. Another test shows that these checks
// notice a wrong automaton.
#include "query/search/board_automaton.h"
#include "tables/algebra/rank.h"
#include "tables/families/compile.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOARDS_MOST = 181440, LONGEST = 64 };

struct world {
    struct board board;
    unsigned cells;
    unsigned moves;
};

static struct world world_of(unsigned rows, unsigned columns, unsigned layers)
{
    char text[64];
    struct puzzle puzzle;
    struct fewest_error error;
    int length = snprintf(text, sizeof text, "Name b\nSlide %u %u %u\n", rows, columns, layers);
    cr_assert(puzzle_compile(&puzzle, text, (size_t)length, METRIC_POWERS, &error));
    struct world world = {*puzzle.board, puzzle.board->grid.cells, puzzle.move_count};
    puzzle_free(&puzzle);
    return world;
}

static struct board_automaton build_automaton(const struct world *world, unsigned length)
{
    struct board_automaton automaton;
    struct fewest_error error;
    cr_assert(board_automaton_build(&automaton, &world->board, world->moves, length, &error), "%s",
              error.text);
    return automaton;
}

struct position {
    uint8_t cell[BOARD_CELLS_MOST]; // what is there: the blank, too, has a number of its own
    uint8_t blank;                  // its cell
};

// The position before the first move: each cell has its own number.
static struct position first_position(unsigned blank)
{
    struct position position = {.blank = (uint8_t)blank};
    for (unsigned cell = 0; cell < BOARD_CELLS_MOST; cell++) {
        position.cell[cell] = (uint8_t)cell;
    }
    return position;
}

// Returns false if the move can't be made.
static bool make_move(const struct world *world, struct position *position, unsigned move)
{
    uint8_t from = position->blank;
    uint8_t to = world->board.to[move][from];
    if (to == NOWHERE) {
        return false;
    }
    uint8_t tile = position->cell[to];
    position->cell[to] = position->cell[from];
    position->cell[from] = tile;
    position->blank = to;
    return true;
}

// ---- Soundness: compared with a search without the automaton ------------------------------------

struct met_board {
    struct position position;
    uint8_t move;    // the last one on the path to the board
    uint32_t parent; // the board before that move
};

// A breadth-first search with the moves in order. So the path by which it meets a board is the
// first of the shortest.
struct naive_search {
    struct met_board *boards;
    uint32_t count;
};

static struct naive_search search_from(const struct world *world, unsigned start)
{
    bool *met = calloc(arrangement_count(world->cells, world->cells), sizeof *met);
    struct naive_search search = {malloc(BOARDS_MOST * sizeof *search.boards), 1};
    cr_assert(met && search.boards);
    search.boards[0] = (struct met_board){.position = first_position(start)};
    met[arrangement_rank(world->cells, world->cells, search.boards[0].position.cell)] = true;
    for (uint32_t b = 0; b < search.count; b++) {
        for (unsigned m = 0; m < world->moves; m++) {
            struct met_board next = {search.boards[b].position, (uint8_t)m, b};
            bool made = make_move(world, &next.position, m);
            bool *is_met = &met[arrangement_rank(world->cells, world->cells, next.position.cell)];
            if (made && !*is_met) {
                cr_assert_lt(search.count, BOARDS_MOST);
                search.boards[search.count++] = next;
                *is_met = true;
            }
        }
    }
    free(met);
    return search;
}

// Counts the boards whose first shortest path the automaton prunes, from every cell where the blank
// can start. `boards` can be reached from each.
static unsigned count_lost(const struct world *world, const struct board_automaton *automaton,
                           unsigned boards)
{
    unsigned lost = 0;
    for (unsigned start = 0; start < world->cells; start++) {
        struct naive_search search = search_from(world, start);
        uint32_t *state = malloc(search.count * sizeof *state);
        cr_assert_eq(search.count, boards);
        state[0] = start;
        for (uint32_t b = 1; b < search.count; b++) {
            state[b] = state[search.boards[b].parent];
            if (state[b] != MOVE_PRUNED) {
                state[b] = board_automaton_row(automaton, state[b])[search.boards[b].move];
            }
            lost += state[b] == MOVE_PRUNED;
        }
        free(state);
        free(search.boards);
    }
    return lost;
}

static void check_soundness(unsigned rows, unsigned columns, unsigned layers,
                            const unsigned lengths[3], unsigned boards)
{
    struct world world = world_of(rows, columns, layers);
    for (unsigned l = 0; l < 3; l++) {
        struct board_automaton automaton = build_automaton(&world, lengths[l]);
        cr_assert_eq(count_lost(&world, &automaton, boards), 0, "length %u", lengths[l]);
        board_automaton_free(&automaton);
    }
}

Test(board_automaton, no_first_path_is_pruned, .timeout = 120)
{
    check_soundness(1, 2, 1, (unsigned[]){4, 2, 1}, 2);
    check_soundness(1, 5, 1, (unsigned[]){10, 4, 16}, 5);
    check_soundness(2, 2, 1, (unsigned[]){16, 6, 12}, 12);
    check_soundness(2, 3, 1, (unsigned[]){8, 12, 16}, 360);
    check_soundness(2, 4, 1, (unsigned[]){8, 6, 14}, 20160);
    check_soundness(2, 2, 2, (unsigned[]){6, 8, 10}, 20160);
    check_soundness(3, 3, 1, (unsigned[]){6, 8, 12}, 181440);
}

// ---- Exactness: compared with the definition of a duplicate -------------------------------------

// Sequences are numbered by length and then lexicographically: the empty one is 0, and s with move
// m appended is s·moves + m + 1.
struct naive {
    const struct world *world;
    unsigned length_most;
    unsigned count;  // of sequences of at most that length
    bool *duplicate; // by the blank's first cell and the number
};

// Makes the moves of a sequence. Returns false if one can't be made.
static bool follow(const struct world *world, unsigned number, struct position *position)
{
    return number == 0 || (follow(world, (number - 1) / world->moves, position) &&
                           make_move(world, position, (number - 1) % world->moves));
}

static void find_duplicates(const struct naive *naive, unsigned start)
{
    struct position *made = malloc(naive->count * sizeof *made); // by sequences that can be made
    unsigned made_count = 0;
    for (unsigned number = 0; number < naive->count; number++) {
        struct position position = first_position(start);
        bool *duplicate = &naive->duplicate[(size_t)start * naive->count + number];
        if (follow(naive->world, number, &position)) {
            for (unsigned i = 0; i < made_count && !*duplicate; i++) {
                *duplicate = memcmp(&made[i], &position, sizeof position) == 0;
            }
            made[made_count++] = position;
        }
    }
    free(made);
}

static struct naive naive_build(const struct world *world, unsigned length_most)
{
    struct naive naive = {.world = world, .length_most = length_most, .count = 1};
    for (unsigned length = 0; length < length_most; length++) {
        naive.count = naive.count * world->moves + 1;
    }
    naive.duplicate = calloc((size_t)world->cells * naive.count, sizeof *naive.duplicate);
    for (unsigned start = 0; start < world->cells; start++) {
        find_duplicates(&naive, start);
    }
    return naive;
}

// A search for all sequences that pass: the sequence at hand.
struct walk {
    const struct naive *naive;
    const struct board_automaton *automaton;
    unsigned longest;
    unsigned length;
    uint8_t move[LONGEST];
    uint8_t cell[LONGEST + 1]; // where the blank is before each move, and at the end
    unsigned differences;
};

// Does the sequence end in a duplicate of at most naive->length_most moves?
static bool ends_in_duplicate(const struct walk *walk)
{
    const struct naive *naive = walk->naive;
    bool found = false;
    for (unsigned n = 1; n <= walk->length && n <= naive->length_most && !found; n++) {
        unsigned number = 0; // of the last n moves
        for (unsigned i = walk->length - n; i < walk->length; i++) {
            number = number * naive->world->moves + walk->move[i] + 1;
        }
        found = naive->duplicate[walk->cell[walk->length - n] * naive->count + number];
    }
    return found;
}

static void walk_on(struct walk *walk, uint32_t state)
{
    const struct world *world = walk->naive->world;
    for (unsigned m = 0; m < world->moves && walk->length < walk->longest; m++) {
        uint32_t after = board_automaton_row(walk->automaton, state)[m];
        uint8_t to = world->board.to[m][walk->cell[walk->length]];
        walk->move[walk->length++] = (uint8_t)m;
        walk->cell[walk->length] = to;
        bool prunes = to == NOWHERE || ends_in_duplicate(walk);
        walk->differences += prunes != (after == MOVE_PRUNED);
        if (!prunes && after != MOVE_PRUNED) {
            walk_on(walk, after);
        }
        walk->length--;
    }
}

// Counts how often the automaton and the definition differ over sequences of up to a length.
static unsigned count_differences(const struct naive *naive,
                                  const struct board_automaton *automaton, unsigned longest)
{
    struct walk walk = {.naive = naive, .automaton = automaton, .longest = longest};
    for (unsigned start = 0; start < naive->world->cells; start++) {
        walk.cell[0] = (uint8_t)start;
        walk_on(&walk, start);
    }
    return walk.differences;
}

static void check_exactness(unsigned rows, unsigned columns, unsigned layers, unsigned length_most,
                            unsigned longest)
{
    struct world world = world_of(rows, columns, layers);
    struct naive naive = naive_build(&world, length_most);
    struct board_automaton automaton = build_automaton(&world, length_most);
    cr_assert_eq(count_differences(&naive, &automaton, longest), 0, "%u %u %u, length %u", rows,
                 columns, layers, length_most);
    board_automaton_free(&automaton);
    free(naive.duplicate);
}

Test(board_automaton, exactly_the_sequences_without_a_duplicate_in_them_pass, .timeout = 120)
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

// Counts the sequences of up to `longest` moves that pass.
static unsigned count_passing(const struct board_automaton *automaton, uint32_t state,
                              unsigned longest)
{
    unsigned count = 1;
    for (unsigned m = 0; longest > 0 && m < automaton->move_count; m++) {
        uint32_t next = board_automaton_row(automaton, state)[m];
        count += next == MOVE_PRUNED ? 0 : count_passing(automaton, next, longest - 1);
    }
    return count;
}

Test(board_automaton, up_to_the_length_one_sequence_passes_for_each_board)
{
    // The number of boards at each distance from one with the blank in a corner: OEIS A089473.
    static const unsigned FIFTEEN[] = {1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808};
    struct world world = world_of(4, 4, 1);
    struct board_automaton automaton = build_automaton(&world, 12);
    unsigned boards = 0;
    for (unsigned distance = 0; distance <= 12; distance++) {
        boards += FIFTEEN[distance];
        cr_assert_eq(count_passing(&automaton, 0, distance), boards);
        cr_assert_eq(count_passing(&automaton, world.cells - 1, distance), boards);
    }
    board_automaton_free(&automaton);
}

static void check_state_count(unsigned rows, unsigned columns, unsigned layers, unsigned length,
                              uint32_t expected)
{
    struct world world = world_of(rows, columns, layers);
    struct board_automaton automaton = build_automaton(&world, length);
    cr_assert_eq(automaton.state_count, expected, "length %u: %u", length, automaton.state_count);
    board_automaton_free(&automaton);
}

// The search of boards relies on the last one: boards.c, fill_rows.
Test(board_automaton, the_states_are_as_many_as_ever)
{
    check_state_count(4, 4, 1, 8, 878);
    check_state_count(4, 4, 1, 10, 4147);
    check_state_count(4, 4, 1, 12, 15222);
    check_state_count(2, 2, 4, 12, 128268);
}

// Makes one move of one state wrong: pruned instead of passed, passed instead of pruned, or leading
// to another state.
Test(board_automaton, one_wrong_move_of_one_state_is_noticed, .timeout = 120)
{
    enum { LENGTH = 7 };
    struct world world = world_of(2, 3, 1);
    struct naive naive = naive_build(&world, LENGTH);
    struct board_automaton automaton = build_automaton(&world, LENGTH);
    for (uint32_t entry = 0; entry < automaton.state_count * automaton.move_count; entry++) {
        uint32_t right = automaton.next[entry];
        automaton.next[entry] = right == 0 ? MOVE_PRUNED : 0;
        cr_assert_gt(count_differences(&naive, &automaton, 2 * LENGTH - 1), 0, "entry %u", entry);
        automaton.next[entry] = MOVE_PRUNED;
        cr_assert_eq(count_lost(&world, &automaton, 360) > 0, right != MOVE_PRUNED);
        automaton.next[entry] = right;
    }
    cr_assert_eq(count_differences(&naive, &automaton, 2 * LENGTH - 1), 0);
    board_automaton_free(&automaton);
    free(naive.duplicate);
}
