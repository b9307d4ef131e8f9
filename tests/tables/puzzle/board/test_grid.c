// Compares fewest_grid_parity with two forms of the parity rule, and with a search of small boards.
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_MOST = 6, RANDOM_MOST = SIDE_MOST * SIDE_MOST * SIDE_MOST, LINE_MOST = 40 };
enum { SEARCHED_MOST = 8, SEARCHED_BOARDS = 40320, SHAPES_SEARCHED = 37 };
enum { INVERSIONS_COUNTED_MOST = 12000 };

// ---- Boards: numbers in reading order, 0 is the blank -------------------------------------------

struct shape {
    unsigned rows;
    unsigned columns;
    unsigned layers;
};

static unsigned cells_of(struct shape shape)
{
    return shape.rows * shape.columns * shape.layers;
}

static bool is_line(struct shape shape)
{
    unsigned longest = shape.rows > shape.columns ? shape.rows : shape.columns;
    longest = shape.layers > longest ? shape.layers : longest;
    return cells_of(shape) == longest;
}

static unsigned column_of(struct shape shape, unsigned cell)
{
    return cell % shape.columns;
}

static unsigned row_of(struct shape shape, unsigned cell)
{
    return cell / shape.columns % shape.rows;
}

static unsigned layer_of(struct shape shape, unsigned cell)
{
    return cell / shape.columns / shape.rows;
}

static unsigned apart(unsigned a, unsigned b)
{
    return a > b ? a - b : b - a;
}

static unsigned manhattan_distance(struct shape shape, unsigned a, unsigned b)
{
    return apart(column_of(shape, a), column_of(shape, b)) +
           apart(row_of(shape, a), row_of(shape, b)) +
           apart(layer_of(shape, a), layer_of(shape, b));
}

static unsigned blank_of(const unsigned *board)
{
    unsigned cell = 0;
    while (board[cell] != 0) {
        cell++;
    }
    return cell;
}

static void exchange(unsigned *board, unsigned a, unsigned b)
{
    unsigned kept = board[a];
    board[a] = board[b];
    board[b] = kept;
}

// Moves the blank to another cell, along its row first, then its column, then through the layers.
static void walk_blank(struct shape shape, unsigned *board, unsigned to)
{
    unsigned blank = blank_of(board);
    while (blank != to) {
        const unsigned strides[3] = {1, shape.columns, shape.rows * shape.columns};
        const unsigned at[3] = {column_of(shape, blank), row_of(shape, blank),
                                layer_of(shape, blank)};
        const unsigned wanted[3] = {column_of(shape, to), row_of(shape, to), layer_of(shape, to)};
        unsigned axis = 0;
        while (axis < 2 && at[axis] == wanted[axis]) {
            axis++;
        }
        unsigned next = at[axis] < wanted[axis] ? blank + strides[axis] : blank - strides[axis];
        exchange(board, blank, next);
        blank = next;
    }
}

static void make_solved(unsigned *board, unsigned cells)
{
    for (unsigned i = 0; i < cells; i++) {
        board[i] = (i + 1) % cells;
    }
}

static void shuffle(unsigned *board, unsigned cells)
{
    for (unsigned i = cells; i > 1; i--) {
        exchange(board, i - 1, support_random_below(i));
    }
}

static void make_random(unsigned *board, unsigned cells)
{
    make_solved(board, cells);
    shuffle(board, cells);
}

// ---- The rule, in two forms ---------------------------------------------------------------------

// Form A: the permutation of all cells, the blank included, has the same parity as the number of
// moves of the blank.
static bool rule_of_the_permutation(struct shape shape, const unsigned *start,
                                    const unsigned *target)
{
    unsigned cells = cells_of(shape);
    unsigned *target_cell = malloc(cells * sizeof *target_cell); // by number on the board
    bool *seen = calloc(cells, sizeof *seen);
    unsigned cycles = 0;
    for (unsigned cell = 0; cell < cells; cell++) {
        target_cell[target[cell]] = cell;
    }
    for (unsigned cell = 0; cell < cells; cell++) {
        cycles += !seen[cell];
        for (unsigned c = cell; !seen[c]; c = target_cell[start[c]]) {
            seen[c] = true;
        }
    }
    free(target_cell);
    free(seen);
    return (cells - cycles) % 2 == manhattan_distance(shape, blank_of(start), blank_of(target)) % 2;
}

static unsigned inversions(const unsigned *board, unsigned cells)
{
    unsigned count = 0;
    for (unsigned a = 0; a < cells; a++) {
        for (unsigned b = a + 1; b < cells; b++) {
            count += board[b] != 0 && board[a] > board[b];
        }
    }
    return count;
}

// Form B: a move to another row takes a tile past C-1 others, and a move to another layer past
// R*C-1. A move along a row passes none. The wrong forms leave out a term.
struct terms {
    bool rows;
    bool layers;
};

static bool rule_of_inversions(struct shape shape, const unsigned *start, const unsigned *target,
                               struct terms terms)
{
    unsigned cells = cells_of(shape);
    unsigned from = blank_of(start);
    unsigned to = blank_of(target);
    unsigned passed = 0;
    if (terms.rows) {
        passed += (shape.columns - 1) * apart(row_of(shape, from), row_of(shape, to));
    }
    if (terms.layers) {
        passed +=
            (shape.rows * shape.columns - 1) * apart(layer_of(shape, from), layer_of(shape, to));
    }
    return (inversions(start, cells) + inversions(target, cells)) % 2 == passed % 2;
}

static const struct terms both_terms = {.rows = true, .layers = true};

// The rule for lines: the tiles stay in their order.
static bool rule_of_lines(const unsigned *start, const unsigned *target, unsigned cells)
{
    unsigned t = 0;
    for (unsigned s = 0; s < cells; s++) {
        if (start[s] != 0) {
            t += target[t] == 0;
            if (start[s] != target[t++]) {
                return false;
            }
        }
    }
    return true;
}

// ---- The library --------------------------------------------------------------------------------

static size_t write_board(char *text, const unsigned *board, unsigned cells)
{
    size_t used = 0;
    for (unsigned cell = 0; cell < cells; cell++) {
        unsigned first = 1;
        while (board[cell] / first >= 10) {
            first *= 10;
        }
        for (; first > 0; first /= 10) {
            text[used++] = (char)('0' + board[cell] / first % 10);
        }
        text[used++] = ' ';
    }
    return used;
}

enum way { ONE_TEXT, TWO_TEXTS, TO_SOLVED, WAYS };

// With TO_SOLVED, the library is not given `target`.
static bool ours(struct shape shape, const unsigned *start, const unsigned *target, enum way way)
{
    unsigned cells = cells_of(shape);
    char grid[40];
    struct fewest_parity parity = {.reason = ""};
    struct fewest_error error = {.text = ""};
    // The text has no NUL at its end, because the library must not need one.
    char *text = malloc((size_t)cells * 2 * sizeof "1048575");
    size_t start_length = write_board(text, start, cells);
    size_t target_length = way == TO_SOLVED ? 0 : write_board(text + start_length, target, cells);
    int used = snprintf(grid, sizeof grid, "%ux%u", shape.rows, shape.columns);
    if (shape.layers > 1) {
        snprintf(grid + used, sizeof grid - (size_t)used, "x%u", shape.layers);
    }
    const struct fewest_grid_query two = {grid, text, start_length, text + start_length,
                                          target_length};
    const struct fewest_grid_query one = {grid, text, start_length + target_length, NULL, 0};
    bool answered = fewest_grid_parity(way == TWO_TEXTS ? &two : &one, &parity, &error);
    free(text);
    if (!answered || parity.reason[0] == '\0') {
        cr_assert_fail("%s: %s", grid, answered ? "no reason" : error.text);
    }
    return parity.reachable;
}

// An assertion for each of millions of boards would take longer than all the rest.
static void expect(bool right, const char *what, struct shape shape, const unsigned *start,
                   const unsigned *target)
{
    if (!right) {
        unsigned cells = cells_of(shape);
        unsigned shown = cells < RANDOM_MOST ? cells : RANDOM_MOST;
        static char boards[2][RANDOM_MOST * sizeof "1048575" + 1];
        boards[0][write_board(boards[0], start, shown)] = '\0';
        boards[1][write_board(boards[1], target, shown)] = '\0';
        cr_assert_fail("%s: %ux%ux%u: %s to %s", what, shape.rows, shape.columns, shape.layers,
                       boards[0], boards[1]);
    }
}

// ---- Random boards ------------------------------------------------------------------------------

static unsigned random_side(void)
{
    // Small sides are more frequent.
    return 1 + support_random_below(1 + support_random_below(SIDE_MOST));
}

Test(parity, two_forms_of_the_rule_agree_on_millions_of_random_boards_and_so_do_we, .timeout = 300)
{
    unsigned reachable = 0;
    unsigned layered = 0;
    unsigned rounds = 2000000;
    for (unsigned round = 0; round < rounds; round++) {
        unsigned start[RANDOM_MOST];
        unsigned target[RANDOM_MOST];
        struct shape shape;
        do {
            shape = (struct shape){
                .rows = random_side(), .columns = random_side(), .layers = random_side()};
        } while (is_line(shape));
        enum way way = (enum way)support_random_below(WAYS);
        make_random(start, cells_of(shape));
        make_solved(target, cells_of(shape));
        if (way != TO_SOLVED) {
            shuffle(target, cells_of(shape));
        }
        bool expected = rule_of_the_permutation(shape, start, target);
        expect(rule_of_inversions(shape, start, target, both_terms) == expected, "A and B", shape,
               start, target);
        expect(ours(shape, start, target, way) == expected, "the rule and ours", shape, start,
               target);
        reachable += expected;
        layered += shape.layers > 1 && shape.rows * shape.columns % 2 == 0;
    }
    cr_assert(reachable > rounds / 5 * 2 && reachable < rounds / 5 * 3, "%u", reachable);
    cr_assert(layered > rounds / 10, "%u", layered);
}

static struct shape random_line(unsigned cells)
{
    struct shape lines[3] = {{cells, 1, 1}, {1, cells, 1}, {1, 1, cells}};
    return lines[support_random_below(3)];
}

Test(parity, in_a_line_the_tiles_stay_in_their_order, .timeout = 300)
{
    unsigned reachable = 0;
    unsigned fooled = 0; // unreachable, but the rule for other boards does not see it
    unsigned rounds = 300000;
    for (unsigned round = 0; round < rounds; round++) {
        unsigned start[LINE_MOST];
        unsigned target[LINE_MOST];
        unsigned cells = 2 + support_random_below(LINE_MOST - 1);
        struct shape shape = random_line(cells);
        make_random(start, cells);
        memcpy(target, start, cells * sizeof *target);
        switch (support_random_below(5)) {
        case 0: // two cells are exchanged, or one with itself
            exchange(target, support_random_below(cells), support_random_below(cells));
            break;
        case 1: // the order is reversed
            for (unsigned cell = 0; cell < cells / 2; cell++) {
                exchange(target, cell, cells - 1 - cell);
            }
            break;
        case 2: // the first cell becomes the last
            for (unsigned cell = 0; cell + 1 < cells; cell++) {
                exchange(target, cell, cell + 1);
            }
            break;
        default:
            break;
        }
        walk_blank(shape, target, support_random_below(cells));
        bool expected = rule_of_lines(start, target, cells);
        expect(ours(shape, start, target, round % 2 ? ONE_TEXT : TWO_TEXTS) == expected, "line",
               shape, start, target);
        reachable += expected;
        fooled += !expected && rule_of_the_permutation(shape, start, target);
    }
    cr_assert(reachable > rounds / 4 && reachable < rounds / 4 * 3, "%u", reachable);
    cr_assert(fooled > rounds / 10, "%u", fooled);
}

// ---- Every board of at most eight cells ---------------------------------------------------------

// The place of a board among all arrangements in dictionary order.
static unsigned place_of(const unsigned *board, unsigned cells)
{
    unsigned place = 0;
    for (unsigned a = 0; a < cells; a++) {
        unsigned smaller = 0;
        for (unsigned b = a + 1; b < cells; b++) {
            smaller += board[b] < board[a];
        }
        place = place * (cells - a) + smaller;
    }
    return place;
}

// Makes a board the next arrangement in dictionary order; false if it is the last.
static bool next_arrangement(unsigned *board, unsigned cells)
{
    unsigned a = cells - 1;
    while (a > 0 && board[a - 1] > board[a]) {
        a--;
    }
    if (a == 0) {
        return false;
    }
    unsigned b = cells - 1;
    while (board[b] < board[a - 1]) {
        b--;
    }
    exchange(board, a - 1, b);
    for (unsigned c = cells - 1; a < c; a++, c--) {
        exchange(board, a, c);
    }
    return true;
}

struct search {
    unsigned boards[SEARCHED_BOARDS][SEARCHED_MOST];
    unsigned count;
    bool reached[SEARCHED_BOARDS]; // by place_of
};

static void append(struct search *search, const unsigned *board, unsigned cells)
{
    unsigned place = place_of(board, cells);
    if (!search->reached[place]) {
        search->reached[place] = true;
        memcpy(search->boards[search->count++], board, cells * sizeof *board);
    }
}

// Breadth first, from the solved board.
static void search_all(struct search *search, struct shape shape)
{
    unsigned cells = cells_of(shape);
    unsigned board[SEARCHED_MOST];
    memset(search, 0, sizeof *search);
    make_solved(board, cells);
    append(search, board, cells);
    for (unsigned i = 0; i < search->count; i++) {
        unsigned blank = blank_of(search->boards[i]);
        for (unsigned cell = 0; cell < cells; cell++) {
            if (manhattan_distance(shape, blank, cell) == 1) {
                memcpy(board, search->boards[i], sizeof board);
                exchange(board, blank, cell);
                append(search, board, cells);
            }
        }
    }
}

// For each rule, the number of its wrong answers between the solved board and every board.
struct wrong {
    unsigned ours;
    unsigned permutation;
    unsigned inversions;
    unsigned inversions_without_rows;
    unsigned inversions_without_layers;
    unsigned lines;
};

static struct wrong count_wrong(const struct search *search, struct shape shape)
{
    static const struct terms no_rows = {.layers = true};
    static const struct terms no_layers = {.rows = true};
    struct wrong wrong = {0};
    unsigned cells = cells_of(shape);
    unsigned arrangements = 0;
    unsigned board[SEARCHED_MOST];
    unsigned solved[SEARCHED_MOST];
    make_solved(solved, cells);
    for (unsigned cell = 0; cell < cells; cell++) {
        board[cell] = cell;
    }
    do {
        bool reached = search->reached[place_of(board, cells)];
        wrong.ours += ours(shape, board, solved, TO_SOLVED) != reached;
        wrong.ours += ours(shape, board, solved, ONE_TEXT) != reached;
        wrong.ours += ours(shape, solved, board, TWO_TEXTS) != reached;
        wrong.permutation += rule_of_the_permutation(shape, board, solved) != reached;
        wrong.inversions += rule_of_inversions(shape, board, solved, both_terms) != reached;
        wrong.inversions_without_rows +=
            rule_of_inversions(shape, board, solved, no_rows) != reached;
        wrong.inversions_without_layers +=
            rule_of_inversions(shape, board, solved, no_layers) != reached;
        wrong.lines += rule_of_lines(board, solved, cells) != reached;
        arrangements++;
    } while (next_arrangement(board, cells));
    unsigned factorial = 1;
    for (unsigned i = 2; i <= cells; i++) {
        factorial *= i;
    }
    cr_assert_eq(arrangements, factorial);
    cr_assert_eq(search->count, is_line(shape) ? cells : factorial / 2);
    return wrong;
}

Test(parity, every_board_of_at_most_eight_cells_is_as_its_search_says, .timeout = 300)
{
    struct search *search = malloc(sizeof *search);
    unsigned shapes = 0;
    unsigned layered = 0;
    for (unsigned rows = 1; rows <= SEARCHED_MOST; rows++) {
        for (unsigned columns = 1; rows * columns <= SEARCHED_MOST; columns++) {
            for (unsigned layers = 1; rows * columns * layers <= SEARCHED_MOST; layers++) {
                struct shape shape = {.rows = rows, .columns = columns, .layers = layers};
                if (cells_of(shape) < 2) {
                    continue;
                }
                search_all(search, shape);
                struct wrong wrong = count_wrong(search, shape);
                bool line = is_line(shape);
                bool rows_count = !line && rows > 1 && columns % 2 == 0;
                bool layers_count = !line && layers > 1 && rows * columns % 2 == 0;
                cr_assert_eq(wrong.ours, 0, "%ux%ux%u: %u", rows, columns, layers, wrong.ours);
                // With at most two tiles in a line, a wrong order is odd, so the rule finds it.
                cr_assert_eq(wrong.permutation != 0, line && cells_of(shape) > 3, "%ux%ux%u", rows,
                             columns, layers);
                cr_assert_eq(wrong.inversions, wrong.permutation, "%ux%ux%u", rows, columns,
                             layers);
                // Negative controls: a rule without a term is wrong where that term counts.
                cr_assert(line || (wrong.inversions_without_rows != 0) == rows_count, "%ux%ux%u",
                          rows, columns, layers);
                cr_assert(line || (wrong.inversions_without_layers != 0) == layers_count,
                          "%ux%ux%u", rows, columns, layers);
                cr_assert_eq(wrong.lines == 0, line, "%ux%ux%u", rows, columns, layers);
                shapes++;
                layered += layers_count;
            }
        }
    }
    free(search);
    cr_assert_eq(shapes, SHAPES_SEARCHED);
    cr_assert_eq(layered, 9);
}

// ---- Large boards -------------------------------------------------------------------------------

// Makes two exchanges that share a cell, which is an even permutation. The blank stays.
static void cycle_three_tiles(unsigned *board, unsigned cells)
{
    unsigned blank = blank_of(board);
    unsigned at[3];
    do {
        for (unsigned i = 0; i < 3; i++) {
            at[i] = support_random_below(cells);
        }
    } while (at[0] == at[1] || at[1] == at[2] || at[2] == at[0] || at[0] == blank ||
             at[1] == blank || at[2] == blank);
    exchange(board, at[0], at[1]);
    exchange(board, at[1], at[2]);
}

static void exchange_two_tiles(unsigned *board, unsigned cells)
{
    unsigned blank = blank_of(board);
    unsigned a;
    unsigned b;
    do {
        a = support_random_below(cells);
        b = support_random_below(cells);
    } while (a == b || a == blank || b == blank);
    exchange(board, a, b);
}

static void expect_large(struct shape shape, const unsigned *start, const unsigned *target,
                         bool expected)
{
    expect(ours(shape, start, target, ONE_TEXT) == expected, "ours, one text", shape, start,
           target);
    expect(ours(shape, start, target, TWO_TEXTS) == expected, "ours, two texts", shape, start,
           target);
    if (is_line(shape)) {
        expect(rule_of_lines(start, target, cells_of(shape)) == expected, "line", shape, start,
               target);
        return;
    }
    expect(rule_of_the_permutation(shape, start, target) == expected, "A", shape, start, target);
    if (cells_of(shape) <= INVERSIONS_COUNTED_MOST) {
        expect(rule_of_inversions(shape, start, target, both_terms) == expected, "B", shape, start,
               target);
    }
}

// Makes a reachable target by cycles of three tiles, which are even, and by moves of the blank.
// Then exchanges two tiles, twice: the first exchange makes the target unreachable.
static void compare_large(struct shape shape)
{
    unsigned cells = cells_of(shape);
    unsigned *start = malloc(cells * sizeof *start);
    unsigned *target = malloc(cells * sizeof *target);
    make_random(start, cells);
    memcpy(target, start, cells * sizeof *target);
    for (unsigned i = 0; i < 100 && !is_line(shape); i++) {
        cycle_three_tiles(target, cells);
        walk_blank(shape, target, support_random_below(cells));
    }
    walk_blank(shape, target, support_random_below(cells));
    expect_large(shape, start, target, true);
    exchange_two_tiles(target, cells);
    expect_large(shape, start, target, false);
    walk_blank(shape, target, support_random_below(cells));
    expect_large(shape, start, target, false);
    exchange_two_tiles(target, cells);
    expect_large(shape, start, target, !is_line(shape));
    free(start);
    free(target);
}

Test(parity, large_boards_are_as_they_were_made, .timeout = 300)
{
    static const struct shape shapes[] = {
        {100, 100, 1}, {99, 101, 1},    {100, 99, 1},   {99, 100, 1},
        {20, 25, 20},  {21, 25, 19},    {1, 100, 100},  {101, 1, 99},
        {1, 10000, 1}, {10000, 1, 1},   {1, 1, 10000},  {2, 5000, 1},
        {5000, 2, 1},  {1024, 1024, 1}, {64, 128, 128}, {1, 1048576, 1},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        compare_large(shapes[i]);
    }
}

// ---- Reasons and wildcards ----------------------------------------------------------------------

enum { WILD_MOST = 4 };

// What a reason may speak of, over all ways to fill the wildcards of a target.
struct fillings {
    bool odd[2];          // is the permutation even in some filling, and odd in some?
    bool odd_distance[2]; // the same of the blank's distance
    bool differ[2];       // do these parities agree in some filling, and differ in some?
    bool in_order[2];     // are the tiles out of START's order in some filling, and in it in some?
};

static void add_filling(struct fillings *fillings, struct shape shape, const unsigned *start,
                        const unsigned *filled)
{
    bool differ = !rule_of_the_permutation(shape, start, filled);
    bool odd_distance = manhattan_distance(shape, blank_of(start), blank_of(filled)) % 2;
    fillings->differ[differ] = true;
    fillings->odd_distance[odd_distance] = true;
    fillings->odd[odd_distance != differ] = true;
    fillings->in_order[rule_of_lines(start, filled, cells_of(shape))] = true;
}

// Tries all ways to exchange what stands in the cells wild[at], wild[at+1], ….
static void fill(struct fillings *fillings, struct shape shape, const unsigned *start,
                 unsigned *target, const unsigned *wild, unsigned at, unsigned count)
{
    if (at == count) {
        add_filling(fillings, shape, start, target);
    }
    for (unsigned other = at; other < count; other++) {
        exchange(target, wild[at], wild[other]);
        fill(fillings, shape, start, target, wild, at + 1, count);
        exchange(target, wild[at], wild[other]);
    }
}

static bool is_sure(const bool found[2], bool value)
{
    return found[value] && !found[!value];
}

// Is the reason true of all fillings?
static bool holds(const struct fillings *fillings, bool line, unsigned wild, const char *reason)
{
    char expected[FEWEST_ERROR_SIZE];
    static const char *const PARITY[2] = {"even", "odd"};
    for (unsigned i = 0; i < 4 && !line; i++) {
        snprintf(expected, sizeof expected,
                 "the permutation of the cells is %s, and the blank is an %s number of moves from "
                 "its target",
                 PARITY[i % 2], PARITY[i / 2]);
        if (strcmp(reason, expected) == 0) {
            return is_sure(fillings->odd, i % 2) && is_sure(fillings->odd_distance, i / 2);
        }
    }
    for (unsigned i = 0; i < 2 && !line; i++) {
        snprintf(expected, sizeof expected,
                 "however the %u wildcards are filled, the permutation of the cells and the number "
                 "of the blank's moves have %s",
                 wild, i ? "different parities" : "the same parity");
        if (strcmp(reason, expected) == 0) {
            return is_sure(fillings->differ, i);
        }
    }
    for (unsigned i = 0; i < 2 && line; i++) {
        snprintf(expected, sizeof expected,
                 "on a line the order of the tiles never changes, and START and TARGET have %s",
                 i ? "the same order" : "different orders");
        if (strcmp(reason, expected) == 0) {
            return i ? fillings->in_order[true] : is_sure(fillings->in_order, false);
        }
    }
    snprintf(expected, sizeof expected, "with %u wildcards either parity is possible", wild);
    return strcmp(reason, expected) == 0 && fillings->differ[0] && fillings->differ[1];
}

static void write_wild_board(char *text, const unsigned *board, const bool *is_wild, unsigned cells)
{
    for (unsigned cell = 0; cell < cells; cell++) {
        text[2 * cell] = is_wild[cell] ? '*' : (char)('0' + board[cell]);
        text[2 * cell + 1] = ' ';
    }
    text[2 * cells] = '\0';
}

// A query about a small board.
struct wild_query {
    struct shape shape;
    unsigned start[SEARCHED_MOST];
    unsigned target[SEARCHED_MOST];
    bool is_wild[SEARCHED_MOST]; // by cell of the target
    unsigned wild[WILD_MOST];    // these cells
    unsigned wild_count;
};

static void draw_wild_query(struct wild_query *query)
{
    *query = (struct wild_query){.wild_count = 0};
    do {
        query->shape = (struct shape){1 + support_random_below(4), 1 + support_random_below(4),
                                      1 + support_random_below(2)};
    } while (cells_of(query->shape) < 2 || cells_of(query->shape) > SEARCHED_MOST);
    unsigned cells = cells_of(query->shape);
    make_random(query->start, cells);
    memcpy(query->target, query->start, sizeof query->target);
    walk_blank(query->shape, query->target, support_random_below(cells));
    exchange(query->target, support_random_below(cells), support_random_below(cells));
    for (unsigned n = support_random_below(WILD_MOST + 1); n > 0; n--) {
        unsigned cell = support_random_below(cells);
        if (!query->is_wild[cell]) {
            query->is_wild[cell] = true;
            query->wild[query->wild_count++] = cell;
        }
    }
}

static void ask_grid(const struct wild_query *query, struct fewest_parity *parity)
{
    static const bool NONE[SEARCHED_MOST] = {false};
    char grid[16];
    char start[2 * SEARCHED_MOST + 1];
    char target[2 * SEARCHED_MOST + 1];
    struct fewest_error error;
    unsigned cells = cells_of(query->shape);
    write_wild_board(start, query->start, NONE, cells);
    write_wild_board(target, query->target, query->is_wild, cells);
    snprintf(grid, sizeof grid, "%ux%ux%u", query->shape.rows, query->shape.columns,
             query->shape.layers);
    cr_assert(fewest_grid_parity(
        &(struct fewest_grid_query){grid, start, strlen(start), target, strlen(target)}, parity,
        &error));
}

Test(parity, a_reason_is_true_however_the_wildcards_are_filled, .timeout = 300)
{
    unsigned sure = 0; // two wildcards, and still no choice
    for (unsigned round = 0; round < 100000; round++) {
        struct wild_query query;
        struct fillings fillings = {{false}, {false}, {false}, {false}};
        struct fewest_parity parity;
        draw_wild_query(&query);
        bool line = is_line(query.shape);
        fill(&fillings, query.shape, query.start, query.target, query.wild, 0, query.wild_count);
        ask_grid(&query, &parity);
        expect(parity.reachable == (line ? fillings.in_order[true] : fillings.differ[false]) &&
                   holds(&fillings, line, query.wild_count, parity.reason),
               parity.reason, query.shape, query.start, query.target);
        sure += query.wild_count == 2 && !line && !(fillings.differ[0] && fillings.differ[1]);
    }
    cr_assert_gt(sure, 1000, "%u", sure);
}

// Negative controls: exchanging the last two tiles makes START odd, and either is possible if they
// are wildcards.
Test(parity, a_false_reason_does_not_hold)
{
    static const struct shape SQUARE = {2, 2, 1};
    unsigned start[] = {1, 2, 3, 0};
    unsigned target[] = {1, 3, 2, 0};
    const unsigned wild[] = {1, 2};
    struct fillings fillings = {{false}, {false}, {false}, {false}};
    add_filling(&fillings, SQUARE, start, target);
    cr_expect(holds(&fillings, false, 0,
                    "the permutation of the cells is odd, and the blank is an even number of moves "
                    "from its target"));
    cr_expect_not(holds(&fillings, false, 0,
                        "the permutation of the cells is even, and the blank is an even number of "
                        "moves from its target"));
    cr_expect_not(holds(&fillings, false, 2, "with 2 wildcards either parity is possible"));
    fill(&fillings, SQUARE, start, target, wild, 0, 2);
    cr_expect(holds(&fillings, false, 2, "with 2 wildcards either parity is possible"));
    cr_expect_not(holds(&fillings, false, 0,
                        "the permutation of the cells is odd, and the blank is an even number of "
                        "moves from its target"));
    cr_expect_not(holds(&fillings, true, 0,
                        "on a line the order of the tiles never changes, and START and TARGET have "
                        "different orders"));
}
