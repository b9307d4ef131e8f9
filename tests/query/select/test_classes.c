// Counts classes of states under symmetries, and compares them with a naive twin: it tries all
// permutations of the points of small random puzzles, and lists all states.
#include "tables/families/compile.h"
#include "tables/families/symmetry/state_symmetries.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINTS = 8,
    MOVES = 48,
    STATES = 20000,
    SYMMETRIES = 40320,
    TEXT = 4000,
};

// ---- Random puzzles -----------------------------------------------------------------------------

// A puzzle of one set. Point slot * turns + t is a slot with a piece that is turned by t.
struct small {
    unsigned slots;
    unsigned turns;
    unsigned points;
    unsigned moves; // the inverse of each is a move, unless only the listed moves count
    unsigned char move[MOVES][POINTS]; // where each move takes each point
    unsigned kind[POINTS];             // by slot
    unsigned kinds;
    unsigned orientation[POINTS]; // by slot
    bool ignored[POINTS];         // by kind: its orientation does not count
    bool is_group;
    bool illegal[POINTS][POINTS]; // by slot and kind
    bool mixed;    // moves exchange two slots, and only turn the pieces of the others
    bool mirrored; // these two slots are the last ones, not the first
    enum metric metric;
    char text[TEXT]; // the definition
    size_t length;
};

static void print(struct small *small, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    small->length +=
        (size_t)vsnprintf(small->text + small->length, TEXT - small->length, format, arguments);
    va_end(arguments);
    cr_assert_lt(small->length, TEXT);
}

static bool is_identity(const struct small *small, const unsigned char *move)
{
    unsigned x = 0;
    while (x < small->points && move[x] == x) {
        x++;
    }
    return x == small->points;
}

// Does no state show what a move does? Orientations that do not count do not show, nor do the
// places of pieces that all look alike then.
static bool shows_nothing(const struct small *small, const unsigned char *move)
{
    bool counts = false;
    bool still = true;
    for (unsigned k = 0; k < small->kinds; k++) {
        counts = counts || (small->turns > 1 && !small->ignored[k]);
    }
    for (unsigned x = 0; x < small->points; x++) {
        still = still && move[x] / small->turns == x / small->turns;
    }
    return counts ? is_identity(small, move) : still || small->kinds == 1;
}

static bool is_move(const struct small *small, const unsigned char *row)
{
    unsigned m = 0;
    while (m < small->moves && memcmp(small->move[m], row, small->points) != 0) {
        m++;
    }
    return m < small->moves;
}

// Adds the powers of a move that count.
static void add_powers(struct small *small, const unsigned char *base)
{
    unsigned char power[POINTS];
    unsigned char next[POINTS];
    memcpy(power, base, POINTS);
    do {
        for (unsigned x = 0; x < small->points; x++) {
            next[x] = base[power[x]];
        }
        bool counts = small->metric == METRIC_POWERS || memcmp(power, base, small->points) == 0 ||
                      (small->metric == METRIC_QUARTER && shows_nothing(small, next));
        if (counts && !is_move(small, power)) {
            cr_assert_lt(small->moves, MOVES);
            memcpy(small->move[small->moves++], power, POINTS);
        }
        memcpy(power, next, POINTS);
    } while (!is_identity(small, power) && !shows_nothing(small, power));
}

static void shuffle(unsigned *row, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        row[i] = i;
    }
    for (unsigned i = count; i > 1; i--) {
        unsigned j = support_random_below(i);
        unsigned swapped = row[i - 1];
        row[i - 1] = row[j];
        row[j] = swapped;
    }
}

// Draws a move that exchanges some slots and, if there are turns, turns the piece that comes to the
// first one. Slots often turn alike, so that there are symmetries.
static void draw_any(const struct small *small, unsigned *from, unsigned *turn)
{
    do {
        shuffle(from, small->slots);
    } while (from[0] == 0);
    if (support_random_below(2)) { // only exchange two slots
        unsigned other = from[0];
        for (unsigned i = 0; i < small->slots; i++) {
            from[i] = i == 0 ? other : i == other ? 0 : i;
        }
    }
    bool alike = support_random_below(2);
    for (unsigned i = 0; i < small->slots; i++) {
        turn[i] = small->turns == 1 ? 0 : i == 0 || alike ? 1 : support_random_below(small->turns);
    }
}

// Draws a move of two orbits: it exchanges two slots without turning their pieces, or it turns
// pieces of the other slots.
static void draw_mixed(const struct small *small, bool exchanges, unsigned *from, unsigned *turn)
{
    for (unsigned i = 0; i < small->slots; i++) {
        unsigned number = small->mirrored ? small->slots - 1 - i : i; // 0 and 1: they are exchanged
        bool exchanged = exchanges && number < 2;
        from[i] = !exchanged ? i : (number == 0) != small->mirrored ? i + 1 : i - 1;
        turn[i] = exchanges || number < 2 ? 0
                  : number == 2           ? 1
                                          : support_random_below(small->turns);
    }
}

static void draw_move(struct small *small, unsigned number)
{
    unsigned from[POINTS];
    unsigned turn[POINTS];
    unsigned char base[POINTS];
    if (small->mixed) {
        draw_mixed(small, number % 2, from, turn);
    } else {
        draw_any(small, from, turn);
    }
    print(small, "MoveTransformation M%u\nX\n", number);
    for (unsigned i = 0; i < small->slots; i++) {
        print(small, "%u ", from[i]);
    }
    print(small, "\n");
    for (unsigned i = 0; i < small->slots; i++) {
        print(small, "%u ", turn[i]);
        for (unsigned t = 0; t < small->turns; t++) {
            base[from[i] * small->turns + t] =
                (unsigned char)(i * small->turns + (t + turn[i]) % small->turns);
        }
    }
    print(small, "\nEnd\n");
    add_powers(small, base);
}

static void draw_solved(struct small *small)
{
    bool differ = support_random_below(2);
    small->is_group = true;
    small->kinds = 0;
    for (unsigned i = 0; i < small->slots; i++) {
        unsigned kind = differ ? i : support_random_below(small->kinds + 1);
        small->kinds = kind == small->kinds ? kind + 1 : small->kinds;
        small->is_group &= i == 0 || kind == i;
        small->kind[i] = kind;
        small->orientation[i] = support_random_below(4) ? 0 : support_random_below(small->turns);
    }
    for (unsigned k = 0; k < small->kinds; k++) {
        small->ignored[k] = small->turns > 1 && support_random_below(6) == 0;
        small->is_group &= !small->ignored[k];
    }
    print(small, "Name small\nSet X %u %u\nSolved\nX\n", small->slots, small->turns);
    for (unsigned i = 0; i < small->slots; i++) {
        print(small, "%u ", small->kind[i] + 1);
    }
    print(small, "\n");
    for (unsigned i = 0; i < small->slots; i++) {
        small->ignored[small->kind[i]] ? print(small, "? ")
                                       : print(small, "%u ", small->orientation[i]);
    }
    print(small, "\nEnd\n");
}

static void draw_illegal(struct small *small)
{
    unsigned slot = support_random_below(small->slots);
    unsigned kind = support_random_below(small->kinds);
    if (small->kind[slot] != kind && support_random_below(3) == 0) {
        print(small, "Illegal X %u %u\n", slot + 1, kind + 1);
        small->illegal[slot][kind] = true;
        small->is_group = false;
    }
}

static struct small draw_small(void)
{
    static const unsigned SIZES[][2] = {{3, 2}, {4, 2}, {2, 3}, {2, 4}, {5, 1}, {6, 1}, {3, 1}};
    struct small small = {.length = 0};
    unsigned size = support_random_below(sizeof SIZES / sizeof *SIZES);
    small.slots = SIZES[size][0];
    small.turns = SIZES[size][1];
    small.points = small.slots * small.turns;
    small.metric = (enum metric)support_random_below(METRIC_COUNT);
    small.mixed = small.turns > 1 && small.slots > 2 && support_random_below(2);
    small.mirrored = support_random_below(2);
    draw_solved(&small);
    draw_illegal(&small);
    for (unsigned m = 1 + small.mixed + support_random_below(3); m > 0; m--) {
        draw_move(&small, m);
    }
    return small;
}

// ---- The twin -----------------------------------------------------------------------------------

// A state is the label of each point: where the solved state has the same piece, turned as much. Of
// several such points, it is the lowest one of the orbit.
struct twin {
    const struct small *small;
    unsigned orbit[POINTS]; // by slot: the lowest slot to which moves take its piece
    unsigned char solved[POINTS];
    // Does the point have the same label in every state, whatever is illegal? If no move turns the
    // pieces of an orbit, a slot there is one point, and its others are still.
    bool still[POINTS];
    unsigned count; // of states
    unsigned char state[STATES][POINTS];
    unsigned distance[STATES];
    unsigned symmetries;
    unsigned char symmetry[SYMMETRIES][POINTS];
    unsigned effects; // of the symmetries: different ones
    unsigned char effect[1000][MOVES];
};

// Is what has a label illegal at a point?
static bool forbids(const struct twin *twin, unsigned point, unsigned label)
{
    const struct small *small = twin->small;
    unsigned slot = point / small->turns;
    unsigned home = label / small->turns;
    return twin->orbit[slot] == twin->orbit[home] && small->illegal[slot][small->kind[home]];
}

static bool is_legal(const struct twin *twin, const unsigned char *state)
{
    for (unsigned x = 0; x < twin->small->points; x++) {
        if (forbids(twin, x, state[x])) {
            return false;
        }
    }
    return true;
}

// Still points do not tell states apart.
static bool are_same_state(const struct twin *twin, const unsigned char *a, const unsigned char *b)
{
    unsigned x = 0;
    while (x < twin->small->points && (twin->still[x] || a[x] == b[x])) {
        x++;
    }
    return x == twin->small->points;
}

static unsigned find_state(const struct twin *twin, const unsigned char *state)
{
    unsigned i = 0;
    while (i < twin->count && !are_same_state(twin, twin->state[i], state)) {
        i++;
    }
    return i;
}

static void find_orbits(struct twin *twin)
{
    const struct small *small = twin->small;
    for (unsigned i = 0; i < small->slots; i++) {
        twin->orbit[i] = i;
    }
    for (unsigned round = 0; round < small->slots; round++) {
        for (unsigned m = 0; m < small->moves; m++) {
            for (unsigned x = 0; x < small->points; x++) {
                unsigned *from = &twin->orbit[x / small->turns];
                unsigned *to = &twin->orbit[small->move[m][x] / small->turns];
                *from = *to = *from < *to ? *from : *to;
            }
        }
    }
}

// The kind of the piece that the solved state has at a point, and how far this piece is turned.
static unsigned solved_content(const struct small *small, unsigned x)
{
    unsigned kind = small->kind[x / small->turns];
    unsigned turn = x % small->turns + small->turns - small->orientation[x / small->turns];
    return kind * small->turns + (small->ignored[kind] ? 0 : turn % small->turns);
}

static void label_solved(struct twin *twin)
{
    const struct small *small = twin->small;
    for (unsigned x = 0; x < small->points; x++) {
        unsigned y = 0;
        while (twin->orbit[y / small->turns] != twin->orbit[x / small->turns] ||
               solved_content(small, y) != solved_content(small, x)) {
            y++;
        }
        twin->solved[x] = (unsigned char)y;
    }
}

// Undoes moves, from the solved state.
static void search(struct twin *twin)
{
    const struct small *small = twin->small;
    memcpy(twin->state[0], twin->solved, POINTS);
    twin->distance[0] = 0;
    twin->count = 1;
    for (unsigned i = 0; i < twin->count; i++) {
        for (unsigned m = 0; m < small->moves; m++) {
            unsigned char before[POINTS] = {0};
            for (unsigned x = 0; x < small->points; x++) {
                before[x] = twin->state[i][small->move[m][x]];
            }
            if (is_legal(twin, before) && find_state(twin, before) == twin->count) {
                cr_assert_lt(twin->count, STATES);
                memcpy(twin->state[twin->count], before, POINTS);
                twin->distance[twin->count++] = twin->distance[i] + 1;
            }
        }
    }
}

// Does some move turn a piece of the orbit of a slot?
static bool is_turned(const struct twin *twin, unsigned slot)
{
    const struct small *small = twin->small;
    for (unsigned m = 0; m < small->moves; m++) {
        for (unsigned i = 0; i < small->slots; i++) {
            if (twin->orbit[i] == twin->orbit[slot] &&
                small->move[m][i * small->turns] % small->turns != 0) {
                return true;
            }
        }
    }
    return false;
}

// A point is still if all points where moves take it have one label.
static void find_still(struct twin *twin)
{
    const struct small *small = twin->small;
    for (unsigned x = 0; x < small->points; x++) {
        bool reached[POINTS] = {false};
        reached[x] = true;
        twin->still[x] = true;
        for (unsigned round = 0; round < small->points; round++) {
            for (unsigned y = 0; y < small->points; y++) {
                for (unsigned m = 0; m < small->moves && reached[y]; m++) {
                    reached[small->move[m][y]] = true;
                }
            }
        }
        for (unsigned y = 0; y < small->points; y++) {
            twin->still[x] &= !reached[y] || twin->solved[y] == twin->solved[x];
        }
        twin->still[x] |= x % small->turns > 0 && !is_turned(twin, x / small->turns);
    }
}

// Fills in what a symmetry makes of each label. Returns false if that depends on the point.
static bool rename_labels(const struct twin *twin, const unsigned char *symmetry, int *renamed)
{
    for (unsigned label = 0; label < POINTS; label++) {
        renamed[label] = -1;
    }
    for (unsigned x = 0; x < twin->small->points; x++) {
        int *to = &renamed[twin->solved[x]];
        if (twin->still[x]) {
            continue;
        }
        if (*to >= 0 && *to != twin->solved[symmetry[x]]) {
            return false;
        }
        *to = twin->solved[symmetry[x]];
    }
    for (unsigned a = 0; a < POINTS; a++) {
        for (unsigned b = 0; b < a; b++) {
            if (renamed[a] >= 0 && renamed[a] == renamed[b]) {
                return false;
            }
        }
    }
    return true;
}

static bool keeps_illegal(const struct twin *twin, const unsigned char *symmetry,
                          const int *renamed)
{
    const struct small *small = twin->small;
    for (unsigned x = 0; x < small->points; x++) {
        for (unsigned label = 0; label < POINTS; label++) {
            if (renamed[label] >= 0 && !twin->still[x] &&
                forbids(twin, x, label) != forbids(twin, symmetry[x], (unsigned)renamed[label])) {
                return false;
            }
        }
    }
    return true;
}

// Fills in the number of the conjugate of each move. Returns false if one is no move.
static bool find_effect(const struct twin *twin, const unsigned char *symmetry,
                        unsigned char *effect)
{
    const struct small *small = twin->small;
    for (unsigned m = 0; m < small->moves; m++) {
        unsigned image = 0;
        for (bool same = false; !same; image += !same) {
            if (image == small->moves) {
                return false;
            }
            same = true;
            for (unsigned x = 0; x < small->points; x++) {
                same &= twin->still[x] ||
                        small->move[image][symmetry[x]] == symmetry[small->move[m][x]];
            }
        }
        effect[m] = (unsigned char)image;
    }
    return true;
}

static void try_symmetry(struct twin *twin, const unsigned char *symmetry)
{
    unsigned char effect[MOVES] = {0};
    int renamed[POINTS];
    unsigned i = 0;
    if (!find_effect(twin, symmetry, effect) || !rename_labels(twin, symmetry, renamed) ||
        !keeps_illegal(twin, symmetry, renamed)) {
        return;
    }
    memcpy(twin->symmetry[twin->symmetries++], symmetry, POINTS);
    while (i < twin->effects && memcmp(twin->effect[i], effect, MOVES) != 0) {
        i++;
    }
    if (i == twin->effects) {
        cr_assert_lt(twin->effects, 1000);
        memcpy(twin->effect[twin->effects++], effect, MOVES);
    }
}

static void try_symmetries(struct twin *twin, unsigned char *symmetry, unsigned point,
                           unsigned used)
{
    if (point == twin->small->points) {
        try_symmetry(twin, symmetry);
        return;
    }
    for (unsigned image = 0; image < twin->small->points; image++) {
        bool moves = !twin->still[point] || image == point;
        if (moves && !(used >> image & 1)) {
            symmetry[point] = (unsigned char)image;
            try_symmetries(twin, symmetry, point + 1, used | 1u << image);
        }
    }
}

static void merge(unsigned *leader, unsigned count, unsigned a, unsigned b)
{
    unsigned from = leader[a];
    unsigned to = leader[b];
    for (unsigned i = 0; i < count; i++) {
        leader[i] = leader[i] == from ? to : leader[i];
    }
}

static void merge_images(const struct twin *twin, const unsigned char *symmetry, unsigned *leader)
{
    int renamed[POINTS];
    cr_assert(rename_labels(twin, symmetry, renamed));
    for (unsigned i = 0; i < twin->count; i++) {
        unsigned char image[POINTS] = {0};
        for (unsigned x = 0; x < twin->small->points; x++) {
            image[symmetry[x]] =
                twin->still[x] ? twin->state[i][x] : (unsigned char)renamed[twin->state[i][x]];
        }
        unsigned other = find_state(twin, image);
        cr_assert_lt(other, twin->count);
        merge(leader, twin->count, i, other);
    }
}

// The state as a permutation takes the point that has a label in the solved state to the point that
// has it now.
static void merge_inverses(const struct twin *twin, unsigned *leader)
{
    for (unsigned i = 0; i < twin->count; i++) {
        unsigned char inverse[POINTS] = {0};
        for (unsigned x = 0; x < twin->small->points; x++) {
            for (unsigned y = 0; y < twin->small->points; y++) {
                if (twin->state[i][y] == twin->solved[x]) {
                    inverse[x] = twin->solved[y];
                }
            }
        }
        merge(leader, twin->count, i, find_state(twin, inverse));
    }
}

static void expect_classes(const struct twin *twin, const unsigned *leader, const uint64_t *counts)
{
    uint64_t expected[256] = {0};
    for (unsigned i = 0; i < twin->count; i++) {
        expected[twin->distance[i]] += leader[i] == i;
        cr_expect_eq(twin->distance[i], twin->distance[leader[i]]);
    }
    for (unsigned d = 0; d < 256; d++) {
        cr_expect_eq(counts[d], expected[d], "%llu classes at distance %u, not %llu, of\n%s",
                     (unsigned long long)counts[d], d, (unsigned long long)expected[d],
                     twin->small->text);
    }
}

static bool is_reversible(const struct small *small)
{
    for (unsigned m = 0; m < small->moves; m++) {
        unsigned char inverse[POINTS] = {0};
        for (unsigned x = 0; x < small->points; x++) {
            inverse[small->move[m][x]] = (unsigned char)x;
        }
        if (!is_move(small, inverse)) {
            return false;
        }
    }
    return true;
}

static void compare(const struct small *small, struct twin *twin)
{
    struct fewest *table = support_own(support_generate(small->text, small->length, small->metric));
    struct fewest_classes classes;
    struct fewest_error error;
    unsigned char symmetry[POINTS] = {0};
    unsigned *leader = malloc(STATES * sizeof *leader);
    cr_assert(leader);
    support_set(table, (struct fewest_options){.threads = 2});
    cr_assert(fewest_count_classes(table, &classes, &error), "%s", error.text);
    *twin = (struct twin){.small = small};
    find_orbits(twin);
    label_solved(twin);
    find_still(twin);
    search(twin);
    try_symmetries(twin, symmetry, 0, 0);
    cr_expect_eq(classes.symmetries, twin->effects, "%u, not %u symmetries of\n%s",
                 classes.symmetries, twin->effects, small->text);
    for (unsigned i = 0; i < twin->count; i++) {
        leader[i] = i;
    }
    for (unsigned s = 0; s < twin->symmetries; s++) {
        merge_images(twin, twin->symmetry[s], leader);
    }
    expect_classes(twin, leader, classes.symmetric);
    cr_expect_eq(classes.counts_inverses, small->is_group && is_reversible(small), "%s",
                 small->text);
    if (classes.counts_inverses) {
        merge_inverses(twin, leader);
        expect_classes(twin, leader, classes.or_inverse);
    }
    free(leader);
    support_close(table);
}

Test(classes, small_puzzles_have_the_classes_of_the_twin)
{
    struct twin *twin = malloc(sizeof *twin);
    unsigned kinds[2][2] = {{0}}; // puzzles with symmetries, by group and not
    cr_assert(twin);
    for (unsigned i = 0; i < 300; i++) {
        struct small small = draw_small();
        compare(&small, twin);
        kinds[small.is_group][twin->effects > 1]++;
    }
    cr_expect_gt(kinds[0][0], 0);
    cr_expect_gt(kinds[0][1], 9);
    cr_expect_gt(kinds[1][0], 0);
    cr_expect_gt(kinds[1][1], 9);
    free(twin);
}

// Any tip of a Pyraminx can be exchanged with another one, and its turns with their inverses.
Test(classes, one_symmetry_of_each_conjugacy_class_is_listed)
{
    static const char TIPS[] = "Name tips\nSet TIPS 4 3\nSolved\nEnd\n"
                               "MoveTransformation u\nTIPS\n0 1 2 3\n1 0 0 0\nEnd\n"
                               "MoveTransformation l\nTIPS\n0 1 2 3\n0 1 0 0\nEnd\n"
                               "MoveTransformation r\nTIPS\n0 1 2 3\n0 0 1 0\nEnd\n"
                               "MoveTransformation b\nTIPS\n0 1 2 3\n0 0 0 1\nEnd\n";
    struct state_symmetries symmetries;
    struct fewest_error error;
    unsigned members = 0;
    struct puzzle puzzle = support_compile(TIPS, METRIC_POWERS);
    cr_assert(state_symmetries_find(&symmetries, &puzzle, STATE_SYMMETRIES_OF_CLASSES, &error),
              "%s", error.text);
    for (unsigned s = 0; s < symmetries.count; s++) {
        members += symmetries.members[s];
    }
    cr_expect_eq(symmetries.order, 384);
    cr_expect_eq(members, 384);
    cr_expect_eq(symmetries.count, 20);
    state_symmetries_free(&symmetries);
    puzzle_free(&puzzle);
}

// ---- Boards -------------------------------------------------------------------------------------

struct mirrored {
    struct fewest *table;
    uint64_t kept[256];
};

// The diagonal keeps the solved state of the eight puzzle. Tile 2 becomes tile 4, 3 becomes 7, ...
static bool count_mirrored(void *context, const uint8_t *state, int distance)
{
    static const unsigned PLACE[9] = {0, 3, 6, 1, 4, 7, 2, 5, 8};
    static const unsigned TILE[9] = {0, 1, 4, 7, 2, 5, 8, 3, 6};
    struct mirrored *mirrored = context;
    bool same = true;
    for (unsigned i = 0; i < 9; i++) {
        same &= state[PLACE[i]] == TILE[state[i]];
    }
    mirrored->kept[distance] += same;
    return true;
}

Test(classes, a_sliding_board_has_the_classes_of_its_mirror_images)
{
    static const char TEXT_OF_BOARD[] = "Name board\nSlide 3 3\n";
    struct mirrored mirrored = {.table = support_open_text(TEXT_OF_BOARD)};
    struct fewest_classes classes;
    struct fewest_error error;
    struct fewest_stats stats = support_count(mirrored.table);
    cr_assert(fewest_visit(mirrored.table, NULL, count_mirrored, &mirrored, &error));
    cr_assert(fewest_count_classes(mirrored.table, &classes, &error), "%s", error.text);
    cr_expect_eq(classes.symmetries, 2);
    cr_expect_not(classes.counts_inverses);
    for (unsigned d = 0; d <= stats.largest; d++) {
        cr_expect_eq(classes.symmetric[d], (stats.count[d] + mirrored.kept[d]) / 2, "distance %u",
                     d);
    }
    support_close(mirrored.table);
}

// A 3x3 board of colours, with the images of a state under the symmetries of the square. A symmetry
// counts if some renaming of the colours then gives back the solved state.
struct coloured {
    const uint8_t *solved;
    unsigned symmetries;
    uint64_t least[256]; // by distance: the states that are the least of their images
};

// Where a symmetry of the square takes a cell.
static unsigned turn_cell(unsigned symmetry, unsigned cell)
{
    unsigned x = cell % 3;
    unsigned y = cell / 3;
    unsigned column = symmetry & 1 ? 2 - x : x;
    unsigned row = symmetry & 2 ? 2 - y : y;
    return symmetry & 4 ? 3 * column + row : 3 * row + column;
}

// Fills in the image of a state. Returns false if the symmetry does not keep the solved state.
static bool find_image(const uint8_t *solved, unsigned symmetry, const uint8_t *state,
                       uint8_t *image)
{
    uint8_t name[9];  // by colour: what it becomes
    uint8_t owner[9]; // by what it becomes: the colour
    memset(name, 0xFF, sizeof name);
    memset(owner, 0xFF, sizeof owner);
    for (unsigned cell = 0; cell < 9; cell++) {
        uint8_t from = solved[cell];
        uint8_t to = solved[turn_cell(symmetry, cell)];
        if ((name[from] != 0xFF && name[from] != to) || (owner[to] != 0xFF && owner[to] != from) ||
            (from == 0) != (to == 0)) {
            return false;
        }
        name[from] = to;
        owner[to] = from;
    }
    for (unsigned cell = 0; cell < 9; cell++) {
        image[turn_cell(symmetry, cell)] = name[state[cell]];
    }
    return true;
}

static bool count_least(void *context, const uint8_t *state, int distance)
{
    struct coloured *coloured = context;
    bool is_least = true;
    coloured->symmetries = 0;
    for (unsigned s = 0; s < 8; s++) {
        uint8_t image[9];
        if (find_image(coloured->solved, s, state, image)) {
            coloured->symmetries++;
            is_least &= memcmp(state, image, sizeof image) <= 0;
        }
    }
    coloured->least[distance] += is_least;
    return true;
}

Test(classes, a_sliding_board_of_colours_has_the_symmetries_that_keep_its_solved_state)
{
    static const struct {
        const char *cells;
        unsigned symmetries;
    } BOARDS[] = {{"1 2 1 2 0 2 1 2 1", 8}, {"1 1 1 3 0 3 2 2 2", 4}, {"1 1 2 1 4 2 3 3 0", 2},
                  {"1 2 2 2 0 2 2 2 2", 2}, {"1 1 2 3 0 3 3 3 3", 1}, {"1 0 1 1 1 1 2 2 2", 2}};
    for (unsigned b = 0; b < sizeof BOARDS / sizeof *BOARDS; b++) {
        char text[128];
        uint8_t solved[9];
        struct fewest_classes classes;
        struct fewest_error error;
        struct coloured coloured = {.solved = solved};
        snprintf(text, sizeof text, "Name board\nSlide 3 3\nSolved\nTILES\n%s\nEnd\n",
                 BOARDS[b].cells);
        for (unsigned i = 0; i < 9; i++) {
            solved[i] = (uint8_t)(BOARDS[b].cells[2 * i] - '0');
        }
        struct fewest *table = support_open_text(text);
        struct fewest_stats stats = support_count(table);
        cr_assert(fewest_visit(table, NULL, count_least, &coloured, &error));
        cr_assert(fewest_count_classes(table, &classes, &error), "%s", error.text);
        cr_expect_eq(classes.symmetries, BOARDS[b].symmetries, "%s", BOARDS[b].cells);
        cr_expect_eq(coloured.symmetries, BOARDS[b].symmetries, "%s", BOARDS[b].cells);
        for (unsigned d = 0; d <= stats.largest; d++) {
            cr_expect_eq(classes.symmetric[d], coloured.least[d], "%s, distance %u",
                         BOARDS[b].cells, d);
        }
        support_close(table);
    }
}

// ---- Negative controls --------------------------------------------------------------------------

Test(classes, distances_that_are_not_symmetric_are_an_error)
{
    struct table_content content = support_take(support_generate_game());
    uint8_t *entries = support_entries(&content, 0);
    struct fewest_classes classes;
    struct fewest_error error;
    uint64_t index = 0;
    while (entries[index] != content.sections[0].largest - 1) {
        index++;
    }
    entries[index]++;
    struct fewest *table = support_own(support_pack(&content));
    cr_assert_not(fewest_count_classes(table, &classes, &error));
    cr_expect_eq(error.status, FEWEST_DAMAGED);
    cr_expect_str_eq(error.text,
                     "the table holds wrong distances: those at distance 7 are not symmetric");
    support_close(table);
    support_free_content(&content);
}
