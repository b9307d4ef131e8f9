// Compares the pruning automaton with a breadth-first search of complete boards, and with the
// definition of a duplicate, tried on each move sequence of boards and of permutation puzzles.
// Other tests show that these checks notice a wrong automaton.
#include "query/search/pruning_automaton.h"
#include "tables/algebra/rank.h"
#include "tables/families/compile.h"
#include "tests/tools/support.h"

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

// Takes the board of a definition, which may be too large for a table.
static struct world world_of(unsigned rows, unsigned columns, unsigned layers)
{
    char text[64];
    struct puzzle puzzle;
    struct fewest_error error;
    int length = snprintf(text, sizeof text, "Name b\nSlide %u %u %u\n", rows, columns, layers);
    cr_assert(puzzle_compile(&puzzle, text, (size_t)length, METRIC_POWERS, &error), "%s",
              error.text);
    struct world world = {*puzzle.board, puzzle.board->grid.cells, puzzle.move_count};
    puzzle_free(&puzzle);
    return world;
}

static struct pruning_automaton build_automaton(const struct world *world, unsigned length_most)
{
    struct pruning_automaton automaton;
    struct fewest_error error;
    struct automaton_moves moves = {.count = world->moves, .board = &world->board};
    struct automaton_limits limits = {length_most, UINT64_MAX, UINT64_MAX};
    cr_assert(pruning_automaton_build(&automaton, &moves, &limits, &error), "%s", error.text);
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
        state[b] = before == MOVE_PRUNED
                       ? MOVE_PRUNED
                       : pruning_automaton_row(automaton, before)[search->move[b]];
        lost += state[b] == MOVE_PRUNED;
    }
    free(state);
    return lost;
}

// Checks every cell where the blank can start, with three lengths.
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
        uint32_t after = pruning_automaton_row(walk->automaton, state)[m];
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
                                    const struct pruning_automaton *automaton)
{
    unsigned lost = 0;
    for (unsigned start = 0; start < world->cells; start++) {
        struct naive_search search = search_from(world, start);
        lost += count_lost(&search, automaton);
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
        uint32_t *next = pruning_automaton_row(&automaton, state);
        for (unsigned m = 0; m < world.moves / 2; m++) {
            uint32_t other = next[world.moves - 1 - m];
            next[world.moves - 1 - m] = next[m];
            next[m] = other;
        }
    }
    struct naive naive = naive_build(&world, 8);
    cr_assert_gt(count_lost_anywhere(&world, &automaton), 0);
    cr_assert_gt(count_differences(&naive, &automaton, 8), 0);
    naive_free(&naive);
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
                uint32_t after = pruning_automaton_row(automaton, state)[m];
                if (after != MOVE_PRUNED) {
                    cell[after] = world->board.to[m][cell[state]];
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
        uint32_t *next = pruning_automaton_row(&automaton, state);
        for (unsigned m = 0; m < world.moves; m++) {
            unsigned to = world.board.to[m][cell[state]];
            uint32_t right = next[m];
            if (to == NOWHERE) {
                continue;
            }
            next[m] = right == to ? MOVE_PRUNED : to;
            cr_assert_gt(count_differences(&naive, &automaton, 2 * LENGTH - 1), 0,
                         "state %u, move %u", state, m);
            next[m] = MOVE_PRUNED;
            cr_assert_eq(count_lost_anywhere(&world, &automaton) > 0, right != MOVE_PRUNED);
            next[m] = right;
        }
    }
    cr_assert_eq(count_differences(&naive, &automaton, 2 * LENGTH - 1), 0);
    free(cell);
    pruning_automaton_free(&automaton);
    naive_free(&naive);
}

// ---- Permutation puzzles ------------------------------------------------------------------------

enum { PERMUTATION_MOVES_MOST = 4096 };

// By move m: point x takes what was at point rows[m][x].
struct permutation_world {
    unsigned points;
    unsigned moves;
    uint16_t *rows[PERMUTATION_MOVES_MOST];
};

// Adds a move that does nothing. The caller changes it.
static uint16_t *add_move(struct permutation_world *world)
{
    uint16_t *row = malloc(world->points * sizeof *row);
    cr_assert(row && world->moves < PERMUTATION_MOVES_MOST);
    for (unsigned x = 0; x < world->points; x++) {
        row[x] = (uint16_t)x;
    }
    world->rows[world->moves++] = row;
    return row;
}

// Adds the move that is one move and then another.
static void add_product(struct permutation_world *world, unsigned first, unsigned second)
{
    uint16_t *row = add_move(world);
    for (unsigned x = 0; x < world->points; x++) {
        row[x] = world->rows[first][world->rows[second][x]];
    }
}

static void free_world(struct permutation_world *world)
{
    for (unsigned m = 0; m < world->moves; m++) {
        free(world->rows[m]);
    }
}

// A sticker of a cube: its place, from -1 to 1 on each axis, and the axis that it faces.
struct sticker {
    int at[AXES];
    unsigned axis;
};

static unsigned list_stickers(bool has_edges, struct sticker *stickers)
{
    unsigned count = 0;
    for (unsigned number = 0; number < 27 * AXES; number++) {
        struct sticker sticker = {
            {(int)(number / 3 % 3) - 1, (int)(number / 9 % 3) - 1, (int)(number / 27) - 1},
            number % 3};
        unsigned middles = 0;
        for (unsigned a = 0; a < AXES; a++) {
            middles += sticker.at[a] == 0;
        }
        if (sticker.at[sticker.axis] != 0 && middles <= has_edges) {
            stickers[count++] = sticker;
        }
    }
    return count;
}

// Turns a sticker by 90° about an axis, if it is in the layer.
static struct sticker turn(struct sticker sticker, unsigned axis, int side)
{
    unsigned b = (axis + 1) % AXES;
    unsigned c = (axis + 2) % AXES;
    struct sticker turned = sticker;
    if (sticker.at[axis] == side) {
        turned.at[b] = -sticker.at[c];
        turned.at[c] = sticker.at[b];
        turned.axis = sticker.axis == b ? c : sticker.axis == c ? b : axis;
    }
    return turned;
}

// The corners of a cube, with or without its edges. Each of the first `faces` faces has three
// turns. Face 3 is opposite face 0, and so on.
static struct permutation_world cube(bool has_edges, unsigned faces)
{
    struct sticker stickers[27 * AXES];
    struct permutation_world world = {.points = list_stickers(has_edges, stickers)};
    for (unsigned face = 0; face < faces; face++) {
        unsigned quarter = world.moves;
        uint16_t *row = add_move(&world);
        for (unsigned x = 0; x < world.points; x++) {
            struct sticker to = turn(stickers[x], face % AXES, face < AXES ? 1 : -1);
            for (unsigned y = 0; y < world.points; y++) {
                if (memcmp(&to, &stickers[y], sizeof to) == 0) {
                    row[y] = (uint16_t)x;
                }
            }
        }
        add_product(&world, quarter, quarter);
        add_product(&world, quarter, quarter + 1);
    }
    return world;
}

// A torus of cells: each row and each column turns by one cell, both ways.
static struct permutation_world torus(unsigned rows, unsigned columns)
{
    struct permutation_world world = {.points = rows * columns};
    for (unsigned m = 0; m < 2 * (rows + columns); m++) {
        uint16_t *row = add_move(&world);
        unsigned line = m / 2;
        for (unsigned x = 0; x < world.points; x++) {
            unsigned r = x / columns;
            unsigned c = x % columns;
            if (line < rows && r == line) {
                c = (c + (m % 2 == 0 ? 1 : columns - 1)) % columns;
            } else if (line >= rows && c == line - rows) {
                r = (r + (m % 2 == 0 ? 1 : rows - 1)) % rows;
            }
            row[x] = (uint16_t)(r * columns + c);
        }
    }
    return world;
}

// Random moves of a few points each. Some do nothing, and some are moves that are there already.
static struct permutation_world random_world(unsigned points, unsigned moves)
{
    struct permutation_world world = {.points = points};
    while (world.moves < moves) {
        unsigned kind = support_random_below(6);
        uint16_t *row = add_move(&world);
        for (unsigned i = 0; kind > 0 && i < 1 + points / 2; i++) {
            unsigned a = support_random_below(points);
            unsigned b = support_random_below(points);
            uint16_t from = row[a];
            row[a] = row[b];
            row[b] = from;
        }
        if (kind == 1) {
            memcpy(row, world.rows[support_random_below(world.moves)], points * sizeof *row);
        }
    }
    return world;
}

static struct pruning_automaton build_limited(const struct permutation_world *world,
                                              struct automaton_limits limits)
{
    struct pruning_automaton automaton;
    struct fewest_error error;
    struct automaton_moves moves = {.count = world->moves,
                                    .permutations = (const uint16_t *const *)world->rows,
                                    .points = world->points};
    cr_assert(pruning_automaton_build(&automaton, &moves, &limits, &error), "%s", error.text);
    return automaton;
}

static struct pruning_automaton build_permuting(const struct permutation_world *world,
                                                unsigned length)
{
    struct pruning_automaton automaton =
        build_limited(world, (struct automaton_limits){length, UINT64_MAX, UINT64_MAX});
    cr_assert_eq(automaton.length, length);
    return automaton;
}

// ---- Permutation puzzles: compared with the definition of a duplicate ---------------------------

// All sequences of at most a length. Their numbers are those of `struct naive`.
struct sequences {
    const struct permutation_world *world;
    unsigned longest;
    unsigned count;
    uint16_t *rows; // what each one makes
    bool *duplicate;
};

static const uint16_t *row_at(const struct sequences *sequences, unsigned number)
{
    return &sequences->rows[(size_t)number * sequences->world->points];
}

// Orders numbers by what the sequences make, then by themselves.
static const struct sequences *compared;

static int compare_numbers(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a;
    unsigned y = *(const unsigned *)b;
    int order = memcmp(row_at(compared, x), row_at(compared, y),
                       compared->world->points * sizeof *compared->rows);
    return order != 0 ? order : (x > y) - (x < y);
}

static void make_rows(struct sequences *sequences)
{
    const struct permutation_world *world = sequences->world;
    for (unsigned number = 0; number < sequences->count; number++) {
        uint16_t *row = &sequences->rows[(size_t)number * world->points];
        for (unsigned x = 0; x < world->points; x++) {
            row[x] = number == 0
                         ? (uint16_t)x
                         : row_at(sequences,
                                  (number - 1) /
                                      world->moves)[world->rows[(number - 1) % world->moves][x]];
        }
    }
}

static struct sequences list_sequences(const struct permutation_world *world, unsigned longest)
{
    struct sequences sequences = {.world = world, .longest = longest, .count = 1};
    for (unsigned length = 0; length < longest; length++) {
        sequences.count = sequences.count * world->moves + 1;
    }
    size_t size = world->points * sizeof *sequences.rows;
    sequences.rows = malloc(sequences.count * size);
    sequences.duplicate = calloc(sequences.count, sizeof *sequences.duplicate);
    unsigned *order = malloc(sequences.count * sizeof *order);
    make_rows(&sequences);
    for (unsigned number = 0; number < sequences.count; number++) {
        order[number] = number;
    }
    compared = &sequences;
    qsort(order, sequences.count, sizeof *order, compare_numbers);
    for (unsigned i = 1; i < sequences.count; i++) {
        sequences.duplicate[order[i]] =
            memcmp(row_at(&sequences, order[i - 1]), row_at(&sequences, order[i]), size) == 0;
    }
    free(order);
    return sequences;
}

static void free_sequences(struct sequences *sequences)
{
    free(sequences->rows);
    free(sequences->duplicate);
}

// How often the automaton is wrong over a list of sequences.
struct mistakes {
    unsigned lost;        // sequences that are the first to their permutation, but are pruned
    unsigned passed;      // sequences that end in a duplicate of the length, but pass
    unsigned differences; // these, and those that are pruned without such a duplicate
};

struct comparison {
    const struct sequences *sequences;
    const struct pruning_automaton *automaton;
    unsigned pruned_length;
    unsigned moves[LONGEST];
    struct mistakes mistakes;
};

static bool ends_in_listed_duplicate(const struct comparison *comparison, unsigned length)
{
    for (unsigned first = 0; first < length; first++) {
        unsigned number = 0;
        for (unsigned i = first; i < length; i++) {
            number = number * comparison->sequences->world->moves + comparison->moves[i] + 1;
        }
        if (length - first <= comparison->pruned_length &&
            comparison->sequences->duplicate[number]) {
            return true;
        }
    }
    return false;
}

// Compares what the automaton does after a sequence, and after those that begin with it and should
// pass. MOVE_PRUNED as the state means that it has pruned the sequence.
static void compare_after(struct comparison *comparison, unsigned number, unsigned length,
                          uint32_t state)
{
    const struct sequences *sequences = comparison->sequences;
    for (unsigned m = 0; length < sequences->longest && m < sequences->world->moves; m++) {
        comparison->moves[length] = m;
        unsigned after = number * sequences->world->moves + m + 1;
        bool forbidden = ends_in_listed_duplicate(comparison, length + 1);
        uint32_t next = state == MOVE_PRUNED
                            ? MOVE_PRUNED
                            : pruning_automaton_row(comparison->automaton, state)[m];
        bool pruned = next == MOVE_PRUNED;
        comparison->mistakes.lost += pruned && !sequences->duplicate[after];
        comparison->mistakes.passed += forbidden && !pruned;
        comparison->mistakes.differences += forbidden != pruned;
        if (!forbidden) {
            compare_after(comparison, after, length + 1, next);
        }
    }
}

static struct mistakes count_mistakes(const struct sequences *sequences, unsigned pruned_length,
                                      const struct pruning_automaton *automaton)
{
    struct comparison comparison = {
        .sequences = sequences, .automaton = automaton, .pruned_length = pruned_length};
    cr_assert_leq(pruned_length, sequences->longest);
    compare_after(&comparison, 0, 0, 0);
    return comparison.mistakes;
}

// Compares all sequences of up to `longest` moves, with each length of forbidden ones.
static void check_permutations(struct permutation_world world, unsigned longest)
{
    struct sequences sequences = list_sequences(&world, longest);
    for (unsigned length = 1; length <= longest; length++) {
        struct pruning_automaton automaton = build_permuting(&world, length);
        struct mistakes mistakes = count_mistakes(&sequences, length, &automaton);
        cr_assert_eq(mistakes.lost, 0, "%u moves, length %u", world.moves, length);
        cr_assert_eq(mistakes.passed, 0, "%u moves, length %u", world.moves, length);
        cr_assert_eq(mistakes.differences, 0, "%u moves, length %u", world.moves, length);
        pruning_automaton_free(&automaton);
    }
    free_sequences(&sequences);
    free_world(&world);
}

Test(pruning_automaton, of_cubes_and_a_torus_exactly_the_sequences_without_a_duplicate_pass,
     .timeout = 120)
{
    check_permutations(cube(true, 6), 4);
    check_permutations(cube(false, 3), 5);
    check_permutations(cube(false, 2), 7);
    check_permutations(cube(false, 6), 4);
    check_permutations(torus(2, 3), 5);
    check_permutations(torus(3, 3), 4);
    check_permutations(torus(1, 3), 6);
}

// Without inverses, a sequence may make what one makes that is shorter by any number of moves.
Test(pruning_automaton, and_of_moves_without_inverses)
{
    struct permutation_world world = {.points = 5};
    static const uint16_t MOVES[][5] = {{1, 2, 3, 4, 0}, {1, 2, 0, 3, 4}, {0, 1, 2, 4, 3}};
    for (unsigned m = 0; m < 3; m++) {
        memcpy(add_move(&world), MOVES[m], sizeof MOVES[m]);
    }
    check_permutations(world, 10);
    struct permutation_world one = {.points = 7};
    for (unsigned x = 0; x < one.points; x++) {
        (one.moves == 0 ? add_move(&one) : one.rows[0])[x] = (uint16_t)((x + 1) % one.points);
    }
    check_permutations(one, 15);
}

Test(pruning_automaton, and_of_random_moves_some_equal_and_some_without_effect, .timeout = 120)
{
    static const unsigned LENGTHS[] = {0, 16, 12, 9, 7, 6, 5, 5};
    for (unsigned round = 0; round < 60; round++) {
        unsigned moves = 1 + support_random_below(7);
        check_permutations(random_world(1 + support_random_below(7), moves), LENGTHS[moves]);
    }
}

Test(pruning_automaton, and_of_more_moves_than_a_byte_or_a_word_has_bits)
{
    check_permutations(random_world(5, 70), 3);
    check_permutations(random_world(40, 300), 2);
}

// ---- Permutation puzzles: lengths and limits ----------------------------------------------------

// Counts the sequences of each length that pass, of up to `longest` moves.
static void count_passing(const struct pruning_automaton *automaton, uint32_t state,
                          unsigned longest, uint64_t *passing)
{
    passing[0]++;
    for (unsigned m = 0; longest > 0 && m < automaton->move_count; m++) {
        uint32_t next = pruning_automaton_row(automaton, state)[m];
        if (next != MOVE_PRUNED) {
            count_passing(automaton, next, longest - 1, passing + 1);
        }
    }
}

// Without a face twice in a row, and with opposite faces in one order only, s(n) = 12·s(n-1) +
// 18·s(n-2) sequences pass. 1, 18, 243, 3240, 43239 and 574908 positions are at each distance.
Test(pruning_automaton, as_many_sequences_of_the_cube_pass_as_it_has_positions)
{
    static const struct {
        unsigned length;
        uint32_t states;
        uint64_t passing[6];
    } EXPECTED[] = {{1, 1, {1, 18, 324, 5832, 104976, 1889568}},
                    {2, 19, {1, 18, 243, 3240, 43254, 577368}},
                    {3, 19, {1, 18, 243, 3240, 43254, 577368}},
                    {4, 36, {1, 18, 243, 3240, 43239, 576963}},
                    {5, 2357, {1, 18, 243, 3240, 43239, 574908}}};
    struct permutation_world world = cube(true, 6);
    for (unsigned e = 0; e < sizeof EXPECTED / sizeof *EXPECTED; e++) {
        struct pruning_automaton automaton = build_permuting(&world, EXPECTED[e].length);
        uint64_t passing[6] = {0};
        count_passing(&automaton, 0, 5, passing);
        cr_assert_arr_eq(passing, EXPECTED[e].passing, sizeof passing);
        cr_assert_eq(automaton.state_count, EXPECTED[e].states, "%u", automaton.state_count);
        pruning_automaton_free(&automaton);
    }
    free_world(&world);
}

static bool are_equal(const struct pruning_automaton *a, const struct pruning_automaton *b)
{
    return a->length == b->length && a->state_count == b->state_count &&
           a->move_count == b->move_count &&
           memcmp(a->next, b->next, (size_t)a->state_count * a->move_count * sizeof *a->next) == 0;
}

// A limit of entries makes the automaton of the greatest length that keeps it.
static void check_entries(const struct permutation_world *world, unsigned length, unsigned expected,
                          uint64_t entries)
{
    struct pruning_automaton limited =
        build_limited(world, (struct automaton_limits){length, entries, UINT64_MAX});
    struct pruning_automaton direct = build_permuting(world, expected);
    cr_assert(are_equal(&limited, &direct), "%u instead of %u", limited.length, expected);
    pruning_automaton_free(&limited);
    pruning_automaton_free(&direct);
}

Test(pruning_automaton, a_limit_of_entries_takes_the_greatest_length_that_keeps_it)
{
    struct permutation_world world = cube(false, 3);
    uint64_t entries[7] = {0};
    for (unsigned length = 1; length <= 6; length++) {
        struct pruning_automaton automaton = build_permuting(&world, length);
        entries[length] = (uint64_t)automaton.state_count * automaton.move_count;
        pruning_automaton_free(&automaton);
    }
    cr_assert(entries[4] < entries[5] && entries[5] < entries[6]);
    check_entries(&world, 6, 6, entries[6]);
    check_entries(&world, 6, 5, entries[6] - 1);
    check_entries(&world, 6, 5, entries[5]);
    check_entries(&world, 7, 4, entries[5] - 1);
    check_entries(&world, 6, 1, 0);
    free_world(&world);
}

Test(pruning_automaton, a_limit_of_memory_takes_a_shorter_length)
{
    struct permutation_world world = cube(false, 3);
    unsigned before = 0;
    for (uint64_t bytes = 1; bytes <= PRUNING_BYTES; bytes *= 2) {
        struct pruning_automaton limited =
            build_limited(&world, (struct automaton_limits){16, UINT64_MAX, bytes});
        struct pruning_automaton direct = build_permuting(&world, limited.length);
        cr_assert(bytes > 1 || limited.length == 1);
        cr_assert(limited.length >= before && are_equal(&limited, &direct));
        before = limited.length;
        pruning_automaton_free(&limited);
        pruning_automaton_free(&direct);
    }
    cr_assert_eq(before, 6);
    free_world(&world);
}

// The largest definitions: 4096 pieces and 4096 moves.
Test(pruning_automaton, the_largest_puzzle_gets_length_one)
{
    static struct permutation_world world = {.points = 4096};
    while (world.moves < PERMUTATION_MOVES_MOST) {
        uint16_t *row = add_move(&world);
        if (world.moves != 7) { // the seventh does nothing
            row[0] = (uint16_t)(world.moves % 4000);
            row[world.moves % 4000] = 0;
        }
    }
    struct pruning_automaton automaton = build_limited(
        &world, (struct automaton_limits){PRUNED_LENGTH_MOST, PRUNING_ENTRIES, PRUNING_BYTES});
    cr_assert_eq(automaton.length, 1);
    cr_assert_eq(automaton.state_count, 1);
    // The 4000th does nothing, and those after it do what the first ones do. But for one of them,
    // that would be the seventh.
    for (unsigned m = 0; m < world.moves; m++) {
        bool pruned = m == 6 || (m >= 3999 && m != 4006);
        cr_assert_eq(automaton.next[m], pruned ? MOVE_PRUNED : 0, "move %u", m);
    }
    pruning_automaton_free(&automaton);
    free_world(&world);
}

// ---- Permutation puzzles: the checks themselves -------------------------------------------------

// The automaton of the inverse moves: a mistake of an index in the product. The moves are x + 1 and
// 2x (mod 7). No automorphism of their group takes both to their inverses.
Test(pruning_automaton, an_automaton_of_the_inverse_permutations_is_noticed)
{
    struct permutation_world world = {.points = 7};
    struct permutation_world inverse = {.points = 7};
    for (unsigned m = 0; m < 2; m++) {
        uint16_t *row = add_move(&world);
        uint16_t *undo = add_move(&inverse);
        for (unsigned x = 0; x < world.points; x++) {
            row[x] = (uint16_t)((m == 0 ? x + 1 : 2 * x) % world.points);
            undo[row[x]] = (uint16_t)x;
        }
    }
    struct sequences sequences = list_sequences(&world, 7);
    struct pruning_automaton automaton = build_permuting(&inverse, 7);
    struct mistakes mistakes = count_mistakes(&sequences, 7, &automaton);
    cr_assert(mistakes.lost > 0 && mistakes.passed > 0);
    pruning_automaton_free(&automaton);
    free_sequences(&sequences);
    free_world(&world);
    free_world(&inverse);
}

// Makes one move of one state wrong: pruned instead of passed, passed instead of pruned, or leading
// to the start.
Test(pruning_automaton, one_wrong_move_of_a_permutation_puzzle_is_noticed)
{
    enum { LENGTH = 4 };
    struct permutation_world world = cube(false, 2);
    struct sequences sequences = list_sequences(&world, 2 * LENGTH - 1);
    struct pruning_automaton automaton = build_permuting(&world, LENGTH);
    for (uint32_t entry = 0; entry < automaton.state_count * automaton.move_count; entry++) {
        uint32_t right = automaton.next[entry];
        automaton.next[entry] = right == 0 ? MOVE_PRUNED : 0;
        cr_assert_gt(count_mistakes(&sequences, LENGTH, &automaton).differences, 0, "%u", entry);
        automaton.next[entry] = MOVE_PRUNED;
        cr_assert_eq(count_mistakes(&sequences, LENGTH, &automaton).lost > 0, right != MOVE_PRUNED);
        automaton.next[entry] = right;
    }
    cr_assert_eq(count_mistakes(&sequences, LENGTH, &automaton).differences, 0);
    pruning_automaton_free(&automaton);
    free_sequences(&sequences);
    free_world(&world);
}
