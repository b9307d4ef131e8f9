// Finds the symmetries of known puzzles, and compares those of small ones with a naive twin, which
// tries all permutations of the points.
#include "tables/algebra/symmetries.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEGREE_MOST = 120,
    LIST_MOST = 48,
    TWIN_DEGREE_MOST = 6,
    TWIN_MOVES_MOST = 8,
    TWIN_SYMMETRIES_MOST = 720,
    MOST = 1 << 20, // symmetries: no limit here
};

struct test_moves {
    unsigned degree;
    unsigned count;
    chain_point rows[LIST_MOST][DEGREE_MOST];
};

static struct point_symmetries find(const struct test_moves *list, enum symmetry_choice choice,
                                    uint32_t most)
{
    const chain_point *rows[LIST_MOST];
    struct point_symmetries symmetries;
    struct point_moves moves = {list->degree, list->count, rows};
    for (unsigned m = 0; m < list->count; m++) {
        rows[m] = list->rows[m];
    }
    cr_assert(point_symmetries_find(&moves, choice, most, &symmetries));
    return symmetries;
}

static chain_point *add_identity(struct test_moves *list)
{
    cr_assert(list->count < LIST_MOST && list->degree <= DEGREE_MOST);
    chain_point *row = list->rows[list->count++];
    for (unsigned x = 0; x < list->degree; x++) {
        row[x] = (chain_point)x;
    }
    return row;
}

// Adds the last move followed by move `base`.
static void add_next_power(struct test_moves *list, unsigned base)
{
    const chain_point *power = list->rows[list->count - 1];
    chain_point *row = add_identity(list);
    for (unsigned x = 0; x < list->degree; x++) {
        row[x] = list->rows[base][power[x]];
    }
}

// ---- The twin -----------------------------------------------------------------------------------

struct twin_symmetry {
    unsigned moves[TWIN_MOVES_MOST];
    chain_point row[TWIN_DEGREE_MOST];
};

struct twin_symmetries {
    unsigned count;
    struct twin_symmetry list[TWIN_SYMMETRIES_MOST];
};

// The first move m' of the list with s(m(x)) = m'(s(x)) for each point x, or the number of moves.
static unsigned twin_conjugate(const struct test_moves *list, unsigned move, const chain_point *s)
{
    for (unsigned other = 0; other < list->count; other++) {
        bool same = true;
        for (unsigned x = 0; x < list->degree; x++) {
            same &= s[list->rows[move][x]] == list->rows[other][s[x]];
        }
        if (same) {
            return other;
        }
    }
    return list->count;
}

static void twin_try(const struct test_moves *list, const chain_point *s,
                     struct twin_symmetries *twin)
{
    struct twin_symmetry symmetry = {{0}, {0}};
    for (unsigned m = 0; m < list->count; m++) {
        symmetry.moves[m] = twin_conjugate(list, m, s);
        if (symmetry.moves[m] == list->count) {
            return;
        }
    }
    memcpy(symmetry.row, s, list->degree * sizeof *s);
    twin->list[twin->count++] = symmetry;
}

// Tries all permutations that continue the first `known` points of s.
static void twin_continue(const struct test_moves *list, chain_point *s, unsigned known,
                          struct twin_symmetries *twin)
{
    if (known == list->degree) {
        twin_try(list, s, twin);
        return;
    }
    for (chain_point image = 0; image < list->degree; image++) {
        bool is_new = true;
        for (unsigned x = 0; x < known; x++) {
            is_new &= s[x] != image;
        }
        s[known] = image;
        if (is_new) {
            twin_continue(list, s, known + 1, twin);
        }
    }
}

static int twin_compare(const void *a, const void *b)
{
    const struct twin_symmetry *x = a;
    const struct twin_symmetry *y = b;
    for (unsigned m = 0; m < TWIN_MOVES_MOST; m++) {
        if (x->moves[m] != y->moves[m]) {
            return x->moves[m] < y->moves[m] ? -1 : 1;
        }
    }
    for (unsigned i = 0; i < TWIN_DEGREE_MOST; i++) {
        if (x->row[i] != y->row[i]) {
            return x->row[i] < y->row[i] ? -1 : 1;
        }
    }
    return 0;
}

static void twin_find(const struct test_moves *list, enum symmetry_choice choice,
                      struct twin_symmetries *twin)
{
    chain_point s[TWIN_DEGREE_MOST];
    unsigned kept = 0;
    twin->count = 0;
    twin_continue(list, s, 0, twin);
    qsort(twin->list, twin->count, sizeof *twin->list, twin_compare);
    for (unsigned i = 0; i < twin->count; i++) {
        bool is_new = i == 0 || memcmp(twin->list[i].moves, twin->list[i - 1].moves,
                                       sizeof twin->list[i].moves) != 0;
        if (choice == SYMMETRIES_ALL || is_new) {
            twin->list[kept++] = twin->list[i];
        }
    }
    twin->count = kept;
}

static void copy_sorted(const struct point_symmetries *symmetries, struct twin_symmetries *copy)
{
    memset(copy, 0, sizeof *copy);
    copy->count = symmetries->count;
    for (unsigned i = 0; i < copy->count; i++) {
        for (unsigned m = 0; m < symmetries->move_count; m++) {
            copy->list[i].moves[m] = point_symmetries_moves(symmetries, i)[m];
        }
        memcpy(copy->list[i].row, point_symmetries_row(symmetries, i),
               symmetries->degree * sizeof(chain_point));
    }
    qsort(copy->list, copy->count, sizeof *copy->list, twin_compare);
}

// Returns what is wrong with `count` symmetries, or NULL.
static const char *compare_symmetries(const struct point_symmetries *symmetries,
                                      const struct twin_symmetries *twin, uint32_t count)
{
    static struct twin_symmetries copy;
    if (symmetries->count != count) {
        return "another count";
    }
    if (symmetries->complete != (count == twin->count)) {
        return "wrongly complete";
    }
    for (unsigned x = 0; x < symmetries->degree; x++) {
        if (symmetries->rows[x] != x) {
            return "the first is not the identity";
        }
    }
    copy_sorted(symmetries, &copy);
    for (unsigned i = 0, t = 0; i < count; i++, t++) {
        while (t < twin->count && twin_compare(&twin->list[t], &copy.list[i]) != 0) {
            t++;
        }
        if (t == twin->count) {
            return "a wrong symmetry";
        }
    }
    return NULL;
}

// ---- Random lists of moves ----------------------------------------------------------------------

static void draw_row(unsigned degree, chain_point *row)
{
    for (unsigned x = 0; x < degree; x++) {
        unsigned other = support_random_below(x + 1);
        row[x] = row[other];
        row[other] = (chain_point)x;
    }
}

// A permutation that keeps the points below `cut` among themselves.
static void draw_move(struct test_moves *list, unsigned cut)
{
    chain_point *row = list->rows[list->count++];
    draw_row(cut, row);
    draw_row(list->degree - cut, row + cut);
    for (unsigned x = cut; x < list->degree; x++) {
        row[x] = (chain_point)(row[x] + cut);
    }
}

// Adds s∘m∘s⁻¹ for the last move m.
static void add_conjugate(struct test_moves *list, const chain_point *s)
{
    const chain_point *move = list->rows[list->count - 1];
    chain_point *row = list->rows[list->count++];
    for (unsigned x = 0; x < list->degree; x++) {
        row[s[x]] = s[move[x]];
    }
}

static void add_inverse(struct test_moves *list)
{
    const chain_point *move = list->rows[list->count - 1];
    chain_point *row = list->rows[list->count++];
    for (unsigned x = 0; x < list->degree; x++) {
        row[move[x]] = (chain_point)x;
    }
}

// Draws a list that often has symmetries, several orbits and equal moves.
static void draw_list(struct test_moves *list)
{
    chain_point s[TWIN_DEGREE_MOST];
    unsigned count = support_random_below(TWIN_MOVES_MOST + 1);
    list->degree = 1 + support_random_below(TWIN_DEGREE_MOST);
    list->count = 0;
    unsigned cut = support_random_below(2) ? support_random_below(list->degree) : 0;
    draw_row(list->degree, s);
    while (list->count < count) {
        unsigned kind = list->count == 0 ? 0 : support_random_below(6);
        if (kind <= 1) {
            draw_move(list, cut);
        } else if (kind <= 3) {
            add_conjugate(list, s);
        } else if (kind == 4) {
            add_inverse(list);
        } else {
            unsigned copied = support_random_below(list->count);
            memcpy(list->rows[list->count++], list->rows[copied], sizeof list->rows[0]);
        }
    }
}

Test(small, symmetries_are_those_of_the_twin)
{
    static struct test_moves list;
    static struct twin_symmetries twin;
    unsigned with_symmetries = 0;
    for (unsigned round = 0; round < 1000; round++) {
        enum symmetry_choice choice = round % 2 ? SYMMETRIES_ALL : SYMMETRIES_BY_MOVES;
        draw_list(&list);
        twin_find(&list, choice, &twin);
        with_symmetries += twin.count > 1;
        struct point_symmetries symmetries = find(&list, choice, MOST);
        const char *fault = compare_symmetries(&symmetries, &twin, twin.count);
        cr_assert(!fault, "round %u: %s", round, fault);
        point_symmetries_free(&symmetries);

        uint32_t most = 1 + support_random_below(twin.count);
        symmetries = find(&list, choice, most);
        fault = compare_symmetries(&symmetries, &twin, most);
        cr_assert(!fault, "round %u, %u at most: %s", round, most, fault);
        point_symmetries_free(&symmetries);
    }
    cr_expect_gt(with_symmetries, 300);
}

Test(comparison, finds_every_planted_fault)
{
    static struct test_moves list = {.degree = 5};
    static struct twin_symmetries twin;
    chain_point *row = add_identity(&list);
    for (unsigned x = 0; x < 5; x++) {
        row[x] = (chain_point)((x + 1) % 5);
    }
    add_inverse(&list);
    twin_find(&list, SYMMETRIES_ALL, &twin);
    struct point_symmetries symmetries = find(&list, SYMMETRIES_ALL, MOST);
    cr_assert(!compare_symmetries(&symmetries, &twin, twin.count));
    symmetries.complete = false;
    cr_expect_str_eq(compare_symmetries(&symmetries, &twin, twin.count), "wrongly complete");
    symmetries.complete = true;
    symmetries.count--;
    cr_expect_str_eq(compare_symmetries(&symmetries, &twin, twin.count), "another count");
    symmetries.count++;
    symmetries.moves[3] ^= 1;
    cr_expect_str_eq(compare_symmetries(&symmetries, &twin, twin.count), "a wrong symmetry");
    symmetries.moves[3] ^= 1;
    symmetries.rows[2] = 3;
    cr_expect_str_eq(compare_symmetries(&symmetries, &twin, twin.count),
                     "the first is not the identity");
    symmetries.rows[2] = 2;
    chain_point *last = symmetries.rows + 9 * 5;
    chain_point kept = last[0]; // exchange two images: a permutation, but no symmetry
    last[0] = last[1];
    last[1] = kept;
    cr_expect_str_eq(compare_symmetries(&symmetries, &twin, twin.count), "a wrong symmetry");
    cr_expect_eq(twin_conjugate(&list, 0, last), list.count);
    memcpy(last, last - 5, 5 * sizeof *last);
    symmetries.moves[18] = symmetries.moves[16];
    symmetries.moves[19] = symmetries.moves[17];
    cr_expect_str_eq(compare_symmetries(&symmetries, &twin, twin.count), "a wrong symmetry",
                     "the same one twice");
    point_symmetries_free(&symmetries);
}

// ---- Known puzzles ------------------------------------------------------------------------------

// The faces of a solid that meet each face, clockwise. Three faces meet at each corner.
struct solid {
    unsigned faces;
    unsigned sides; // of each face
    uint8_t next_to[12][5];
};

static const struct solid TETRAHEDRON = {4, 3, {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};
static const struct solid CUBE = {
    6, 4, {{5, 1, 2, 4}, {0, 5, 3, 2}, {0, 1, 3, 4}, {2, 1, 5, 4}, {0, 2, 3, 5}, {0, 4, 3, 1}}};
static const struct solid DODECAHEDRON = {12,
                                          5,
                                          {{1, 2, 3, 4, 5},
                                           {0, 5, 10, 6, 2},
                                           {0, 1, 6, 7, 3},
                                           {0, 2, 7, 8, 4},
                                           {0, 3, 8, 9, 5},
                                           {0, 4, 9, 10, 1},
                                           {2, 1, 10, 11, 7},
                                           {3, 2, 6, 11, 8},
                                           {4, 3, 7, 11, 9},
                                           {5, 4, 8, 11, 10},
                                           {1, 5, 9, 11, 6},
                                           {10, 9, 8, 7, 6}}};

// Returns the place of `other` in the list of the neighbours of a face.
static unsigned side_of(const struct solid *solid, unsigned face, unsigned other)
{
    unsigned side = 0;
    while (solid->next_to[face][side] != other) {
        side++;
        cr_assert_lt(side, solid->sides);
    }
    return side;
}

// A face has an edge sticker at each neighbour. It has a corner sticker between each neighbour and
// the next one.
static chain_point edge_sticker(const struct solid *solid, unsigned face, unsigned side)
{
    return (chain_point)(face * solid->sides + side);
}

static chain_point corner_sticker(const struct solid *solid, unsigned face, unsigned side)
{
    return (chain_point)((solid->faces + face) * solid->sides + side % solid->sides);
}

// Adds a clockwise turn of a face.
static void add_turn(const struct solid *solid, unsigned face, struct test_moves *list)
{
    chain_point *row = add_identity(list);
    unsigned sides = solid->sides;
    for (unsigned i = 0; i < sides; i++) {
        unsigned next = (i + 1) % sides;
        unsigned a = solid->next_to[face][i];
        unsigned b = solid->next_to[face][next];
        unsigned side_a = side_of(solid, a, face);
        unsigned side_b = side_of(solid, b, face);
        row[edge_sticker(solid, face, i)] = edge_sticker(solid, face, next);
        row[edge_sticker(solid, a, side_a)] = edge_sticker(solid, b, side_b);
        row[corner_sticker(solid, face, i)] = corner_sticker(solid, face, next);
        row[corner_sticker(solid, a, side_a)] = corner_sticker(solid, b, side_b);
        row[corner_sticker(solid, a, side_a + sides - 1)] =
            corner_sticker(solid, b, side_b + sides - 1);
    }
}

static void make_solid(const struct solid *solid, struct test_moves *list)
{
    list->degree = 2 * solid->faces * solid->sides;
    list->count = 0;
    for (unsigned face = 0; face < solid->faces; face++) {
        unsigned base = list->count;
        add_turn(solid, face, list);
        while (list->count < base + solid->sides - 1) {
            add_next_power(list, base);
        }
    }
}

// Counts the symmetries. Each must turn each move into the move that it lists, and no two are
// equal.
static uint32_t count_sound(const struct test_moves *list, enum symmetry_choice choice)
{
    struct point_symmetries symmetries = find(list, choice, MOST);
    for (uint32_t i = 0; i < symmetries.count; i++) {
        for (unsigned m = 0; m < list->count; m++) {
            const uint16_t *moves = point_symmetries_moves(&symmetries, i);
            const chain_point *s = point_symmetries_row(&symmetries, i);
            cr_assert_eq(twin_conjugate(list, m, s), moves[m]);
        }
        for (uint32_t other = 0; other < i; other++) {
            cr_assert_neq(memcmp(point_symmetries_row(&symmetries, i),
                                 point_symmetries_row(&symmetries, other),
                                 list->degree * sizeof(chain_point)),
                          0);
        }
    }
    cr_expect(symmetries.complete);
    uint32_t count = symmetries.count;
    point_symmetries_free(&symmetries);
    return count;
}

Test(solids, have_their_rotations_and_reflections)
{
    static struct test_moves list;
    make_solid(&TETRAHEDRON, &list);
    cr_expect_eq(count_sound(&list, SYMMETRIES_BY_MOVES), 24);
    make_solid(&CUBE, &list);
    cr_expect_eq(list.degree, 48);
    cr_expect_eq(list.count, 18);
    cr_expect_eq(count_sound(&list, SYMMETRIES_BY_MOVES), 48);
    // All corners turned in place, and all edges.
    cr_expect_eq(count_sound(&list, SYMMETRIES_ALL), 48 * 3 * 2);
    make_solid(&DODECAHEDRON, &list);
    cr_expect_eq(list.degree, 120);
    cr_expect_eq(list.count, 48);
    cr_expect_eq(count_sound(&list, SYMMETRIES_BY_MOVES), 120);
    cr_expect_eq(count_sound(&list, SYMMETRIES_ALL), 120 * 3 * 2);
}

// ---- Limits -------------------------------------------------------------------------------------

// Moves that exchange two points each.
struct swaps {
    unsigned degree;
    unsigned count;
    chain_point rows[SYMMETRIES_MOVES_MOST][SYMMETRIES_DEGREE_MOST];
};

static void add_swap(struct swaps *swaps, unsigned a, unsigned b)
{
    cr_assert(swaps->count < SYMMETRIES_MOVES_MOST && a < swaps->degree && b < swaps->degree);
    chain_point *row = swaps->rows[swaps->count++];
    for (unsigned x = 0; x < swaps->degree; x++) {
        row[x] = (chain_point)(x == a ? b : x == b ? a : x);
    }
}

// Finds at most 1000 classes. The first one must be that of the identity, and each must turn moves
// into moves.
static uint32_t count_stopped(const struct swaps *swaps)
{
    static const chain_point *rows[SYMMETRIES_MOVES_MOST];
    struct point_symmetries symmetries;
    for (unsigned m = 0; m < swaps->count; m++) {
        rows[m] = swaps->rows[m];
    }
    struct point_moves moves = {swaps->degree, swaps->count, rows};
    cr_assert(point_symmetries_find(&moves, SYMMETRIES_BY_MOVES, 1000, &symmetries));
    cr_expect(!symmetries.complete);
    cr_expect_leq(symmetries.work, SYMMETRIES_WORK_MOST * 5 / 4);
    for (unsigned x = 0; x < swaps->degree; x++) {
        cr_assert_eq(point_symmetries_row(&symmetries, 0)[x], x);
    }
    for (uint32_t i = 0; i < symmetries.count; i++) {
        const chain_point *s = point_symmetries_row(&symmetries, i);
        const uint16_t *images = point_symmetries_moves(&symmetries, i);
        for (unsigned m = 0; m < swaps->count; m++) {
            cr_assert(i > 0 || images[m] == m);
            for (unsigned x = 0; x < swaps->degree; x++) {
                cr_assert_eq(s[rows[m][x]], rows[images[m]][s[x]]);
            }
        }
    }
    uint32_t count = symmetries.count;
    point_symmetries_free(&symmetries);
    return count;
}

Test(limits, stop_the_list_of_many_symmetries)
{
    static struct swaps swaps = {.degree = 200};
    while (swaps.count < 100) { // 100! · 2^100 symmetries
        add_swap(&swaps, 2 * swaps.count, 2 * swaps.count + 1);
    }
    cr_expect_eq(count_stopped(&swaps), 1000);
}

Test(limits, stop_a_list_that_is_too_much_work)
{
    static struct swaps swaps = {.degree = 90};
    for (unsigned a = 0; a < 90; a++) { // 90!
        for (unsigned b = 0; b < a; b++) {
            add_swap(&swaps, a, b);
        }
    }
    uint32_t count = count_stopped(&swaps);
    cr_expect(count >= 1 && count < 1000);
}

// Two graphs of 16 points, which colours can't tell apart: the lines of a 4x4 board, and
// Shrikhande's graph. Eight copies of both lead a search into many dead ends.
Test(limits, stop_a_search_in_dead_ends)
{
    static struct swaps swaps = {.degree = 256};
    for (unsigned first = 0; first < 256; first += 32) {
        for (unsigned pair = 0; pair < 256; pair++) {
            unsigned a = pair / 16;
            unsigned b = pair % 16;
            unsigned rows = (b / 4 + 4 - a / 4) % 4;
            unsigned columns = (b + 4 - a % 4) % 4;
            bool diagonal = rows == columns && rows % 2 == 1;
            bool straight = rows == 0 ? columns % 2 == 1 : columns == 0 && rows % 2 == 1;
            if (a < b && (rows == 0 || columns == 0)) {
                add_swap(&swaps, first + a, first + b);
            }
            if (a < b && (diagonal || straight)) {
                add_swap(&swaps, first + 16 + a, first + 16 + b);
            }
        }
    }
    cr_expect_eq(swaps.count, 8 * 96);
    cr_expect_geq(count_stopped(&swaps), 1);
}

Test(limits, allow_any_number_of_points_that_stay)
{
    static struct test_moves list = {.degree = DEGREE_MOST};
    add_identity(&list);
    cr_expect_eq(count_sound(&list, SYMMETRIES_BY_MOVES), 1);
    list.rows[0][1] = 0;
    list.rows[0][0] = 1;
    cr_expect_eq(count_sound(&list, SYMMETRIES_BY_MOVES), 1);
}
