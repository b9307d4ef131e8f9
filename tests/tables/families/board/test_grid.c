// Compares fewest_grid_parity with a search of all small boards, and with a slow form of the rule.
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_MOST = 6, LINE_MOST = 40, SHOWN_MOST = 40 };
enum { SEARCHED_MOST = 8, SEARCHED_BOARDS = 40320, SHAPES_SEARCHED = 37 };

static const unsigned ANYTHING = UINT_MAX; // a wildcard of a target

// ---- Boards: numbers in reading order, 0 is the blank -------------------------------------------

struct shape {
    unsigned size[3]; // columns, rows, layers
};

static unsigned cells_of(struct shape shape)
{
    return shape.size[0] * shape.size[1] * shape.size[2];
}

static bool is_line(struct shape shape)
{
    unsigned cells = cells_of(shape);
    return shape.size[0] == cells || shape.size[1] == cells || shape.size[2] == cells;
}

static unsigned place_on_axis(struct shape shape, unsigned cell, unsigned axis)
{
    for (unsigned a = 0; a < axis; a++) {
        cell /= shape.size[a];
    }
    return cell % shape.size[axis];
}

static unsigned manhattan_distance(struct shape shape, unsigned a, unsigned b)
{
    unsigned distance = 0;
    for (unsigned axis = 0; axis < 3; axis++) {
        unsigned from = place_on_axis(shape, a, axis);
        unsigned to = place_on_axis(shape, b, axis);
        distance += from > to ? from - to : to - from;
    }
    return distance;
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

// Moves the blank to another cell, along one axis after the other.
static void walk_blank(struct shape shape, unsigned *board, unsigned to)
{
    unsigned blank = blank_of(board);
    unsigned stride = 1;
    for (unsigned axis = 0; axis < 3; axis++) {
        unsigned wanted = place_on_axis(shape, to, axis);
        while (place_on_axis(shape, blank, axis) != wanted) {
            bool forwards = place_on_axis(shape, blank, axis) < wanted;
            unsigned next = forwards ? blank + stride : blank - stride;
            exchange(board, blank, next);
            blank = next;
        }
        stride *= shape.size[axis];
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

// ---- The rules ----------------------------------------------------------------------------------

static unsigned inversions(const unsigned *board, unsigned cells)
{
    unsigned count = 0;
    for (unsigned a = 0; a < cells; a++) {
        for (unsigned b = a + 1; b < cells; b++) {
            count += board[a] > board[b];
        }
    }
    return count;
}

// Is the permutation of all cells odd, the blank included?
static bool is_odd(const unsigned *start, const unsigned *target, unsigned cells)
{
    return (inversions(start, cells) + inversions(target, cells)) % 2 == 1;
}

static bool is_odd_distance(struct shape shape, const unsigned *start, const unsigned *target)
{
    return manhattan_distance(shape, blank_of(start), blank_of(target)) % 2 == 1;
}

// The rule for lines: the tiles stay in their order.
static bool keeps_order(const unsigned *start, const unsigned *target, unsigned cells)
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

static bool can_reach(struct shape shape, const unsigned *start, const unsigned *target)
{
    unsigned cells = cells_of(shape);
    return is_line(shape) ? keeps_order(start, target, cells)
                          : is_odd(start, target, cells) == is_odd_distance(shape, start, target);
}

// ---- The library --------------------------------------------------------------------------------

static size_t write_board(char *text, const unsigned *board, unsigned cells)
{
    size_t used = 0;
    for (unsigned cell = 0; cell < cells; cell++) {
        const char *format = board[cell] == ANYTHING ? "* " : "%u ";
        used += (size_t)sprintf(text + used, format, board[cell]);
    }
    return used;
}

enum way { ONE_TEXT, TWO_TEXTS, TO_SOLVED, WAYS };

// With TO_SOLVED, the library is not given `target`.
static struct fewest_parity ask(struct shape shape, const unsigned *start, const unsigned *target,
                                enum way way)
{
    static char text[sizeof "8191" * 2 * FEWEST_CELLS_MOST];
    unsigned cells = cells_of(shape);
    char grid[40];
    struct fewest_parity parity = {.reason = ""};
    struct fewest_error error = {.text = ""};
    size_t start_length = write_board(text, start, cells);
    size_t target_length = way == TO_SOLVED ? 0 : write_board(text + start_length, target, cells);
    const char *format = shape.size[2] > 1 ? "%ux%ux%u" : "%ux%u";
    snprintf(grid, sizeof grid, format, shape.size[1], shape.size[0], shape.size[2]);
    const struct fewest_grid_query two = {grid, text, start_length, text + start_length,
                                          target_length};
    const struct fewest_grid_query one = {grid, text, start_length + target_length, NULL, 0};
    bool answered = fewest_grid_parity(way == TWO_TEXTS ? &two : &one, &parity, &error);
    if (!answered || parity.reason[0] == '\0') {
        cr_assert_fail("%s: %s", grid, answered ? "no reason" : error.text);
    }
    return parity;
}

static bool ours(struct shape shape, const unsigned *start, const unsigned *target, enum way way)
{
    return ask(shape, start, target, way).reachable;
}

// An assertion for each of millions of boards would take longer than all the rest.
static void expect(bool right, const char *what, struct shape shape, const unsigned *start,
                   const unsigned *target)
{
    if (!right) {
        unsigned cells = cells_of(shape);
        unsigned shown = cells < SHOWN_MOST ? cells : SHOWN_MOST;
        static char boards[2][SHOWN_MOST * sizeof "8191" + 1];
        write_board(boards[0], start, shown);
        write_board(boards[1], target, shown);
        cr_assert_fail("%s: %ux%ux%u: %s to %s", what, shape.size[1], shape.size[0], shape.size[2],
                       boards[0], boards[1]);
    }
}

// ---- Random boards ------------------------------------------------------------------------------

static unsigned random_side(void)
{
    // Small sides are more frequent.
    return 1 + support_random_below(1 + support_random_below(SIDE_MOST));
}

Test(parity, random_boards_are_as_their_inversions_say, .timeout = 300)
{
    unsigned reachable = 0;
    unsigned layered = 0;
    unsigned rounds = 300000;
    for (unsigned round = 0; round < rounds; round++) {
        unsigned start[SIDE_MOST * SIDE_MOST * SIDE_MOST];
        unsigned target[SIDE_MOST * SIDE_MOST * SIDE_MOST];
        struct shape shape;
        do {
            shape = (struct shape){{random_side(), random_side(), random_side()}};
        } while (is_line(shape));
        enum way way = (enum way)support_random_below(WAYS);
        make_solved(start, cells_of(shape));
        shuffle(start, cells_of(shape));
        make_solved(target, cells_of(shape));
        if (way != TO_SOLVED) {
            shuffle(target, cells_of(shape));
        }
        bool expected = can_reach(shape, start, target);
        expect(ours(shape, start, target, way) == expected, "random", shape, start, target);
        reachable += expected;
        layered += shape.size[2] > 1 && shape.size[1] * shape.size[0] % 2 == 0;
    }
    cr_assert(reachable > rounds / 5 * 2 && reachable < rounds / 5 * 3, "%u", reachable);
    cr_assert(layered > rounds / 10, "%u", layered);
}

Test(parity, in_a_line_the_tiles_stay_in_their_order, .timeout = 300)
{
    unsigned reachable = 0;
    unsigned fooled = 0; // unreachable, but the rule for other boards does not see it
    unsigned rounds = 100000;
    for (unsigned round = 0; round < rounds; round++) {
        unsigned start[LINE_MOST];
        unsigned target[LINE_MOST];
        unsigned cells = 2 + support_random_below(LINE_MOST - 1);
        struct shape shape = {{1, 1, 1}};
        shape.size[support_random_below(3)] = cells;
        make_solved(start, cells);
        shuffle(start, cells);
        memcpy(target, start, cells * sizeof *target);
        switch (support_random_below(4)) {
        case 0: // two cells are exchanged, or one with itself
            exchange(target, support_random_below(cells), support_random_below(cells));
            break;
        case 1: // the first cell becomes the last
            for (unsigned cell = 0; cell + 1 < cells; cell++) {
                exchange(target, cell, cell + 1);
            }
            break;
        default:
            break;
        }
        walk_blank(shape, target, support_random_below(cells));
        bool expected = can_reach(shape, start, target);
        expect(ours(shape, start, target, round % 2 ? ONE_TEXT : TWO_TEXTS) == expected, "line",
               shape, start, target);
        reachable += expected;
        fooled +=
            !expected && is_odd(start, target, cells) == is_odd_distance(shape, start, target);
    }
    cr_assert(reachable > rounds / 4 && reachable < rounds / 4 * 3, "%u", reachable);
    cr_assert(fooled > rounds / 20, "%u", fooled);
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

// Makes the board that has this place.
static void make_board(unsigned place, unsigned *board, unsigned cells)
{
    for (unsigned a = cells; a-- > 0;) {
        board[a] = place % (cells - a);
        place /= cells - a;
        for (unsigned b = a + 1; b < cells; b++) {
            board[b] += board[b] >= board[a];
        }
    }
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
    unsigned parities;
    unsigned permutation; // the permutation alone
    unsigned order;
};

static struct wrong count_wrong(const struct search *search, struct shape shape)
{
    struct wrong wrong = {0};
    unsigned cells = cells_of(shape);
    unsigned count = 1; // of all boards: the factorial of the number of cells
    unsigned board[SEARCHED_MOST];
    unsigned solved[SEARCHED_MOST];
    for (unsigned i = 2; i <= cells; i++) {
        count *= i;
    }
    make_solved(solved, cells);
    for (unsigned place = 0; place < count; place++) {
        bool reached = search->reached[place];
        make_board(place, board, cells);
        bool odd = is_odd(board, solved, cells);
        wrong.ours += ours(shape, board, solved, TO_SOLVED) != reached;
        wrong.ours += ours(shape, board, solved, ONE_TEXT) != reached;
        wrong.ours += ours(shape, solved, board, TWO_TEXTS) != reached;
        wrong.parities += (odd == is_odd_distance(shape, board, solved)) != reached;
        wrong.permutation += !odd != reached;
        wrong.order += keeps_order(board, solved, cells) != reached;
    }
    return wrong;
}

// Negative controls: a rule is wrong where it does not hold.
static void check_shape(struct search *search, struct shape shape)
{
    const unsigned *size = shape.size;
    search_all(search, shape);
    struct wrong wrong = count_wrong(search, shape);
    bool line = is_line(shape);
    cr_assert_eq(wrong.ours, 0, "%ux%ux%u", size[1], size[0], size[2]);
    // With at most two tiles in a line, a wrong order is odd, so the rule finds it.
    cr_assert_eq(wrong.parities != 0, line && cells_of(shape) > 3, "%ux%ux%u", size[1], size[0],
                 size[2]);
    cr_assert_neq(wrong.permutation, 0, "%ux%ux%u", size[1], size[0], size[2]);
    cr_assert_eq(wrong.order == 0, line, "%ux%ux%u", size[1], size[0], size[2]);
}

Test(parity, every_board_of_at_most_eight_cells_is_as_its_search_says, .timeout = 300)
{
    struct search *search = malloc(sizeof *search);
    unsigned shapes = 0;
    for (unsigned rows = 1; rows <= SEARCHED_MOST; rows++) {
        for (unsigned columns = 1; rows * columns <= SEARCHED_MOST; columns++) {
            for (unsigned layers = 1; rows * columns * layers <= SEARCHED_MOST; layers++) {
                struct shape shape = {{columns, rows, layers}};
                if (cells_of(shape) > 1) {
                    check_shape(search, shape);
                    shapes++;
                }
            }
        }
    }
    free(search);
    cr_assert_eq(shapes, SHAPES_SEARCHED);
}

// ---- Large boards -------------------------------------------------------------------------------

// Exchanges the tile after the blank with another tile. The blank stays.
static void exchange_two_tiles(unsigned *board, unsigned cells)
{
    unsigned blank = blank_of(board);
    unsigned distance = 2 + support_random_below(cells - 2);
    exchange(board, (blank + 1) % cells, (blank + distance) % cells);
}

static void expect_large(struct shape shape, const unsigned *start, const unsigned *target,
                         bool expected)
{
    for (enum way way = ONE_TEXT; way <= TWO_TEXTS; way++) {
        expect(ours(shape, start, target, way) == expected, "large", shape, start, target);
    }
    expect(can_reach(shape, start, target) == expected, "the rule", shape, start, target);
}

// Makes a reachable target by moves of the blank. Then exchanges two tiles, twice: the first
// exchange makes the target unreachable.
static void compare_large(struct shape shape)
{
    unsigned cells = cells_of(shape);
    unsigned start[FEWEST_CELLS_MOST];
    unsigned target[FEWEST_CELLS_MOST];
    make_solved(start, cells);
    shuffle(start, cells);
    memcpy(target, start, cells * sizeof *target);
    for (unsigned i = 0; i < 100; i++) {
        walk_blank(shape, target, support_random_below(cells));
    }
    expect_large(shape, start, target, true);
    exchange_two_tiles(target, cells);
    expect_large(shape, start, target, false);
    walk_blank(shape, target, support_random_below(cells));
    exchange_two_tiles(target, cells);
    expect_large(shape, start, target, !is_line(shape));
}

Test(parity, large_boards_are_as_they_were_made, .timeout = 300)
{
    static const struct shape shapes[] = {
        {{90, 91, 1}},  {{91, 90, 1}},  {{64, 128, 1}}, {{20, 20, 20}},
        {{19, 21, 20}}, {{101, 1, 81}}, {{1, 4096, 2}}, {{4096, 2, 1}},
        {{8192, 1, 1}}, {{1, 8192, 1}}, {{1, 1, 8192}}, {{16, 32, 16}},
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
    bool odd = is_odd(start, filled, cells_of(shape));
    bool odd_distance = is_odd_distance(shape, start, filled);
    fillings->odd[odd] = true;
    fillings->odd_distance[odd_distance] = true;
    fillings->differ[odd != odd_distance] = true;
    fillings->in_order[keeps_order(start, filled, cells_of(shape))] = true;
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

// A query about a small board.
struct wild_query {
    struct shape shape;
    unsigned start[SEARCHED_MOST];
    unsigned filled[SEARCHED_MOST]; // the target, filled in some way
    unsigned target[SEARCHED_MOST];
    unsigned wild[WILD_MOST]; // the cells of its wildcards
    unsigned wild_count;
};

static void draw_wild_query(struct wild_query *query)
{
    *query = (struct wild_query){.wild_count = 0};
    do {
        query->shape = (struct shape){{1 + support_random_below(4), 1 + support_random_below(4),
                                       1 + support_random_below(2)}};
    } while (cells_of(query->shape) < 2 || cells_of(query->shape) > SEARCHED_MOST);
    unsigned cells = cells_of(query->shape);
    make_solved(query->start, cells);
    shuffle(query->start, cells);
    memcpy(query->filled, query->start, sizeof query->filled);
    walk_blank(query->shape, query->filled, support_random_below(cells));
    exchange(query->filled, support_random_below(cells), support_random_below(cells));
    memcpy(query->target, query->filled, sizeof query->target);
    for (unsigned n = support_random_below(WILD_MOST + 1); n > 0; n--) {
        unsigned cell = support_random_below(cells);
        if (query->target[cell] != ANYTHING) {
            query->target[cell] = ANYTHING;
            query->wild[query->wild_count++] = cell;
        }
    }
}

Test(parity, a_reason_is_true_however_the_wildcards_are_filled, .timeout = 300)
{
    unsigned sure = 0; // two wildcards, and still no choice
    for (unsigned round = 0; round < 100000; round++) {
        struct wild_query query;
        struct fillings fillings = {{false}, {false}, {false}, {false}};
        draw_wild_query(&query);
        bool line = is_line(query.shape);
        fill(&fillings, query.shape, query.start, query.filled, query.wild, 0, query.wild_count);
        struct fewest_parity parity = ask(query.shape, query.start, query.target, TWO_TEXTS);
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
    static const struct shape SQUARE = {{2, 2, 1}};
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
