// Compares the toggle boards, the magic board and the die with derivations that share no code with
// the search: all sets of toggles, and a search over boards of characters.
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fewest *open_shipped(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "tables/puzzles/%s.puzzle", name);
    return support_open_file(path);
}

// ---- Toggles ------------------------------------------------------------------------------------
// Moves commute and are their own inverses. So a distance is the least number of moves whose sum is
// the difference. The test tries all 2^16 sets of moves.

static unsigned flip_mask(unsigned r, unsigned c)
{
    unsigned mask = 0;
    for (unsigned i = 0; i < 16; i++) {
        int rows = abs((int)(i / 4) - (int)r);
        int columns = abs((int)(i % 4) - (int)c);
        mask |= (unsigned)(rows + columns <= 1) << i;
    }
    return mask;
}

static unsigned fridge_mask(unsigned r, unsigned c)
{
    unsigned mask = 0;
    for (unsigned i = 0; i < 16; i++) {
        mask |= (unsigned)(i / 4 == r || i % 4 == c) << i;
    }
    return mask;
}

// lightest[difference]: the least number of moves that sum up to it; 99 for none.
static void find_lightest(unsigned (*mask_of)(unsigned, unsigned), uint8_t *lightest)
{
    memset(lightest, 99, 65536);
    for (unsigned set = 0; set < 65536; set++) {
        unsigned sum = 0;
        uint8_t weight = 0;
        for (unsigned m = 0; m < 16; m++) {
            if (set >> m & 1) {
                sum ^= mask_of(m / 4, m % 4);
                weight++;
            }
        }
        lightest[sum] = weight < lightest[sum] ? weight : lightest[sum];
    }
}

static void ask_toggle(struct fewest *table, unsigned start, const unsigned *target,
                       unsigned expected)
{
    struct query query;
    struct fewest_error error;
    int steps;
    for (unsigned i = 0; i < 16; i++) {
        query.start[i] = start >> i & 1;
        query.target[i] = target ? *target >> i & 1 : 0;
    }
    cr_assert(fewest_steps(table, query.start, target ? query.target : NULL, &steps, &error), "%s",
              error.text);
    cr_assert_eq(steps, expected == 99 ? FEWEST_UNREACHABLE : (int)expected);
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

Test(groups, every_flip_board_is_as_far_as_its_lightest_set_of_moves)
{
    static const uint64_t TO_ONE[] = {1, 16, 120, 560, 1387, 1440, 540, 32};
    static const uint64_t TO_NEARER[] = {2, 32, 228, 880, 1562, 1136, 256};
    static uint8_t lightest[65536];
    uint64_t to_one[100] = {0};
    uint64_t to_nearer[100] = {0};
    struct fewest *table = open_shipped("flip");
    find_lightest(flip_mask, lightest);
    for (unsigned board = 0; board < 65536; board++) {
        unsigned black = 0;
        unsigned other = (unsigned)support_random_below(65536);
        unsigned nearer = least(lightest[board], lightest[board ^ 0xFFFF]);
        ask_toggle(table, board, &black, lightest[board]);
        ask_toggle(table, board, &other, lightest[board ^ other]);
        ask_toggle(table, board, NULL, nearer);
        to_one[lightest[board]]++;
        to_nearer[nearer]++;
    }
    cr_assert_arr_eq(to_one, TO_ONE, sizeof TO_ONE);
    cr_assert_arr_eq(to_nearer, TO_NEARER, sizeof TO_NEARER);
    struct fewest_stats stats = support_count(table);
    cr_assert_arr_eq(stats.count, TO_NEARER, sizeof TO_NEARER);
    support_close(table);
}

Test(groups, every_fridge_is_as_far_as_its_only_set_of_moves_and_the_path_is_that_set)
{
    static uint8_t lightest[65536];
    struct fewest *table = open_shipped("fridge");
    find_lightest(fridge_mask, lightest);
    for (unsigned board = 0; board < 65536; board++) {
        struct query query = {.target = {FEWEST_GOALS}};
        unsigned left = board;
        for (unsigned i = 0; i < 16; i++) {
            query.start[i] = board >> i & 1;
        }
        struct fewest_path path = support_path(table, &query);
        cr_assert_eq(path.steps, lightest[board]);
        for (int i = 0; i < path.steps; i++) {
            const char *name = fewest_move_name(table, path.moves[i]);
            left ^= fridge_mask((unsigned)(name[0] - '1'), (unsigned)(name[1] - '1'));
            cr_assert(i == 0 || strcmp(fewest_move_name(table, path.moves[i - 1]), name) < 0);
        }
        cr_assert_eq(left, 0);
    }
    support_close(table);
}

enum { INFINITE = 99 };

// The distance from `start` to the nearest board that has the given cells of the target.
static unsigned nearest(const uint8_t *lightest, unsigned start, unsigned target, unsigned given)
{
    unsigned distance = INFINITE;
    for (unsigned board = 0; board < 65536; board++) {
        if (((board ^ target) & given) == 0) {
            distance = least(distance, lightest[board ^ start]);
        }
    }
    return distance;
}

// Checks that each move is the first in byte order that comes nearer.
static void check_first_path(unsigned (*mask)(unsigned, unsigned), const uint8_t *lightest,
                             unsigned start, unsigned target, unsigned given, const unsigned *moves,
                             int steps)
{
    for (int s = 0; s < steps; s++) {
        unsigned m = 0; // the moves are 11 … 44
        while (nearest(lightest, start ^ mask(m / 4, m % 4), target, given) !=
               (unsigned)(steps - s - 1)) {
            m++;
        }
        cr_assert_eq(moves[s], m);
        start ^= mask(m / 4, m % 4);
    }
}

Test(groups, a_toggle_target_with_wildcards_is_as_near_as_its_nearest_board)
{
    static uint8_t lightest[65536];
    const char *const names[] = {"flip", "fridge"};
    unsigned (*const masks[])(unsigned, unsigned) = {flip_mask, fridge_mask};
    for (unsigned p = 0; p < 2; p++) {
        struct fewest *table = open_shipped(names[p]);
        find_lightest(masks[p], lightest);
        for (unsigned round = 0; round < 300; round++) {
            struct query query = {.target = {0}};
            unsigned start = support_random_below(65536);
            unsigned target = support_random_below(65536);
            unsigned given =
                support_random_below(65536) & (round % 2 ? 0xFFFF : support_random_below(65536));
            unsigned expected;
            for (unsigned i = 0; i < 16; i++) {
                query.start[i] = start >> i & 1;
                query.target[i] = given >> i & 1 ? target >> i & 1 : FEWEST_WILD;
            }
            expected = nearest(lightest, start, target, given);
            int steps = support_ask(table, &query);
            cr_assert_eq(steps, expected == INFINITE ? FEWEST_UNREACHABLE : (int)expected);
            if (round % 10 == 0 && expected != INFINITE) {
                struct fewest_path path = support_path(table, &query);
                check_first_path(masks[p], lightest, start, target, given, path.moves, path.steps);
            }
        }
        support_close(table);
    }
}

// ---- Boards of characters -----------------------------------------------------------------------
// They are searched breadth first, with the moves in byte order. So the first path that meets a
// board is the first of the shortest.

enum { BOARDS_MOST = 40320, BOARD_SIZE = 9, LONGEST_PATH = 32 };

struct found {
    char board[BOARD_SIZE];
    char path[LONGEST_PATH];
};

typedef void move_function(char move, const char *from, char *to);

static unsigned number_of(const char *board, unsigned cells)
{
    unsigned number = 0;
    for (unsigned i = 0; i < cells; i++) {
        number = number * 8 + (unsigned)(board[i] - '1');
    }
    return number;
}

static unsigned search(const char *root, const char *names, move_function *move,
                       struct found *found)
{
    unsigned cells = (unsigned)strlen(root);
    bool *seen = calloc(1u << (3 * cells), sizeof *seen);
    unsigned count = 1;
    memset(&found[0], 0, sizeof found[0]);
    strcpy(found[0].board, root);
    seen[number_of(root, cells)] = true;
    for (unsigned i = 0; i < count; i++) {
        for (const char *name = names; *name; name++) {
            char board[BOARD_SIZE] = "";
            move(*name, found[i].board, board);
            if (!seen[number_of(board, cells)]) {
                seen[number_of(board, cells)] = true;
                strcpy(found[count].path, found[i].path);
                strncat(found[count].path, name, 1);
                memcpy(found[count++].board, board, sizeof board);
            }
        }
    }
    free(seen);
    return count;
}

static void magic_move(char move, const char *from, char *to)
{
    const char *top = from;
    const char *bottom = from + 4;
    char *new_top = to;
    char *new_bottom = to + 4;
    memcpy(new_top, move == 'A' ? bottom : top, 4);
    memcpy(new_bottom, move == 'A' ? top : bottom, 4);
    if (move == 'B') {
        for (unsigned i = 0; i < 4; i++) {
            new_top[(i + 1) % 4] = top[i];
            new_bottom[(i + 1) % 4] = bottom[i];
        }
    } else if (move == 'C') {
        new_top[2] = top[1];
        new_bottom[2] = top[2];
        new_bottom[1] = bottom[2];
        new_top[1] = bottom[1];
    }
}

static void dice_move(char move, const char *from, char *to)
{
    // A roll moves four faces and leaves two in place.
    char top = from[0], bottom = from[1], left = from[2], right = from[3], front = from[4],
         back = from[5];
    switch (move) {
    case 'l':
        memcpy(to, (char[]){right, left, top, bottom, front, back}, 6);
        break;
    case 'r':
        memcpy(to, (char[]){left, right, bottom, top, front, back}, 6);
        break;
    case 'f':
        memcpy(to, (char[]){back, front, left, right, top, bottom}, 6);
        break;
    default:
        memcpy(to, (char[]){front, back, left, right, bottom, top}, 6);
    }
}

static void check_paths(const char *name, const char *root, const char *names, move_function *move,
                        unsigned expected)
{
    static struct found found[BOARDS_MOST];
    struct fewest *table = open_shipped(name);
    unsigned count = search(root, names, move, found);
    cr_assert_eq(count, expected);
    for (unsigned i = 0; i < count; i++) {
        char text[32];
        char names_found[LONGEST_PATH] = "";
        snprintf(text, sizeof text, "%s %.8s", root, found[i].board);
        struct query query = support_query(table, text);
        struct fewest_path path = support_path(table, &query);
        for (int s = 0; s < path.steps; s++) {
            strcat(names_found, fewest_move_name(table, path.moves[s]));
        }
        cr_assert_str_eq(names_found, found[i].path, "to %s", found[i].board);
    }
    support_close(table);
}

Test(groups, every_path_of_the_magic_board_is_the_first_of_the_shortest)
{
    check_paths("magic", "12348765", "ABC", magic_move, 40320);
}

Test(groups, every_path_of_the_die_is_the_first_of_the_shortest)
{
    check_paths("dice", "123456", "bflr", dice_move, 24);
}
