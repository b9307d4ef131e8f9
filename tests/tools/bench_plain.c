// The yardsticks of scripts/bench: plain breadth-first searches in one thread, each written for one
// puzzle.
//
//     bench_plain 2x2x2                  turns of R, U and F; a half turn is one move
//     bench_plain lights55               lights-out 5x5, from all-off
//     bench_plain slide34                the 3x4 sliding puzzle, the blank last
//     bench_plain loopover44 [quarter]   Loopover 4x4, only the tiles of two rows distinct
//     bench_plain neck32                 a ring of 32 beads of two colours; turn it, exchange two
//
// Prints a line `DISTANCE COUNT` for each distance, then `states N`. This shares no code with the
// library, and is what one would write in an hour. Each state has a byte for its distance. The
// search scans all of them for every layer.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNSEEN = 255, MOST_MOVES = 25 };

// A puzzle. `prepare` fills its tables and returns the first state. `expand` writes the neighbours
// and returns their number.
struct plain {
    const char *name;
    const char *mode;
    uint32_t states;
    uint32_t (*prepare)(void);
    unsigned (*expand)(uint32_t state, uint32_t *next);
};

// A choice is an ordered selection of `length` from `count` things. The digits of its rank have the
// bases count, count - 1, ...

static uint32_t rank_choice(const uint8_t *chosen, unsigned length, unsigned count)
{
    uint32_t rank = 0;
    for (unsigned i = 0; i < length; i++) {
        unsigned digit = chosen[i];
        for (unsigned j = 0; j < i; j++) {
            digit -= chosen[j] < chosen[i];
        }
        rank = rank * (count - i) + digit;
    }
    return rank;
}

static void unrank_choice(uint32_t rank, uint8_t *chosen, unsigned length, unsigned count)
{
    for (unsigned i = length; i-- > 0;) {
        chosen[i] = (uint8_t)(rank % (count - i));
        rank /= count - i;
        for (unsigned j = i + 1; j < length; j++) {
            chosen[j] = (uint8_t)(chosen[j] + (chosen[j] >= chosen[i]));
        }
    }
}

// 2x2x2: a move changes the permutation and the twists of the seven corners independently, so that
// two small tables hold the moves.

enum { CORNERS = 7, CORNER_ORDERS = 5040, CORNER_TWISTS = 729, CUBE_FACES = 3, CUBE_MOVES = 9 };

// The corners are URF UFL ULB UBR DFR DLF DRB; DBL stays. For each place: where its corner comes
// from, and the twist that is added.
static const uint8_t CUBE_FROM[CUBE_FACES][CORNERS] = {
    {3, 0, 1, 2, 4, 5, 6}, // U
    {4, 1, 2, 0, 6, 5, 3}, // R
    {1, 5, 2, 3, 0, 4, 6}, // F
};
static const uint8_t CUBE_TWIST[CUBE_FACES][CORNERS] = {
    {0, 0, 0, 0, 0, 0, 0},
    {2, 0, 0, 1, 1, 0, 2},
    {1, 2, 0, 0, 2, 1, 0},
};

static uint32_t cube_order_after[CORNER_ORDERS][CUBE_MOVES];
static uint32_t cube_twist_after[CORNER_TWISTS][CUBE_MOVES];

static uint32_t rank_twists(const uint8_t twists[CORNERS])
{
    uint32_t rank = 0;
    for (unsigned i = 0; i + 1 < CORNERS; i++) {
        rank = rank * 3 + twists[i];
    }
    return rank;
}

static void unrank_twists(uint32_t rank, uint8_t twists[CORNERS])
{
    unsigned sum = 0;
    for (unsigned i = CORNERS - 1; i-- > 0;) {
        twists[i] = (uint8_t)(rank % 3);
        sum += twists[i];
        rank /= 3;
    }
    // The twists of all corners sum to a multiple of three.
    twists[CORNERS - 1] = (uint8_t)((3 - sum % 3) % 3);
}

static void turn_order(uint8_t order[CORNERS], unsigned face)
{
    uint8_t before[CORNERS];
    memcpy(before, order, CORNERS);
    for (unsigned i = 0; i < CORNERS; i++) {
        order[i] = before[CUBE_FROM[face][i]];
    }
}

static void turn_twists(uint8_t twists[CORNERS], unsigned face)
{
    uint8_t before[CORNERS];
    memcpy(before, twists, CORNERS);
    for (unsigned i = 0; i < CORNERS; i++) {
        twists[i] = (uint8_t)((before[CUBE_FROM[face][i]] + CUBE_TWIST[face][i]) % 3);
    }
}

static void fill_order_moves(uint32_t rank)
{
    for (unsigned move = 0; move < CUBE_MOVES; move++) {
        uint8_t order[CORNERS];
        unrank_choice(rank, order, CORNERS, CORNERS);
        for (unsigned turns = 0; turns <= move % 3; turns++) {
            turn_order(order, move / 3);
        }
        cube_order_after[rank][move] = rank_choice(order, CORNERS, CORNERS);
    }
}

static void fill_twist_moves(uint32_t rank)
{
    for (unsigned move = 0; move < CUBE_MOVES; move++) {
        uint8_t twists[CORNERS];
        unrank_twists(rank, twists);
        for (unsigned turns = 0; turns <= move % 3; turns++) {
            turn_twists(twists, move / 3);
        }
        cube_twist_after[rank][move] = rank_twists(twists);
    }
}

static uint32_t prepare_cube(void)
{
    for (uint32_t rank = 0; rank < CORNER_ORDERS; rank++) {
        fill_order_moves(rank);
    }
    for (uint32_t rank = 0; rank < CORNER_TWISTS; rank++) {
        fill_twist_moves(rank);
    }
    return 0;
}

static unsigned expand_cube(uint32_t state, uint32_t *next)
{
    const uint32_t *orders = cube_order_after[state / CORNER_TWISTS];
    const uint32_t *twists = cube_twist_after[state % CORNER_TWISTS];
    for (unsigned move = 0; move < CUBE_MOVES; move++) {
        next[move] = orders[move] * CORNER_TWISTS + twists[move];
    }
    return CUBE_MOVES;
}

// Lights-out 5x5: a board is its own index, a press flips a mask.

enum { LIGHTS_SIDE = 5, LIGHTS_CELLS = 25 };

static uint32_t lights_presses[LIGHTS_CELLS];

static uint32_t light_bit(unsigned row, unsigned column)
{
    // A row or column of -1 wraps to a large number: it is off the board, with nothing to flip.
    return row < LIGHTS_SIDE && column < LIGHTS_SIDE ? UINT32_C(1) << (row * LIGHTS_SIDE + column)
                                                     : 0;
}

static uint32_t prepare_lights(void)
{
    for (unsigned cell = 0; cell < LIGHTS_CELLS; cell++) {
        unsigned row = cell / LIGHTS_SIDE, column = cell % LIGHTS_SIDE;
        lights_presses[cell] = light_bit(row, column) | light_bit(row - 1, column) |
                               light_bit(row + 1, column) | light_bit(row, column - 1) |
                               light_bit(row, column + 1);
    }
    return 0;
}

static unsigned expand_lights(uint32_t state, uint32_t *next)
{
    for (unsigned cell = 0; cell < LIGHTS_CELLS; cell++) {
        next[cell] = state ^ lights_presses[cell];
    }
    return LIGHTS_CELLS;
}

// The 3x4 sliding puzzle. A state is the blank's cell, and the order of the eleven tiles without
// the blank. A step sideways keeps that order. A step up or down takes one tile past three others,
// which makes an even order odd. So the row of the blank gives the parity of the order, and the
// order of the last two tiles follows.
//
// The digits of an order count, for each tile, the smaller tiles after it.

enum {
    SLIDE_WIDTH = 4,
    SLIDE_HEIGHT = 3,
    SLIDE_TILES = 11,
    SLIDE_DIGITS = 9,
    SLIDE_ORDERS = 19958400
};

static void slide_digits(uint32_t order, unsigned parity, uint8_t digits[SLIDE_TILES])
{
    for (unsigned i = SLIDE_DIGITS; i-- > 0;) {
        unsigned base = SLIDE_TILES - i;
        digits[i] = (uint8_t)(order % base);
        order /= base;
        parity += digits[i];
    }
    digits[SLIDE_DIGITS] = parity % 2;
    digits[SLIDE_DIGITS + 1] = 0;
}

static uint32_t slide_order(const uint8_t digits[SLIDE_TILES])
{
    uint32_t order = 0;
    for (unsigned i = 0; i < SLIDE_DIGITS; i++) {
        order = order * (SLIDE_TILES - i) + digits[i];
    }
    return order;
}

// Exchanges the tiles i and i + 1. The digit of the larger one grows or falls by one.
static void swap_tiles(uint8_t *digits, unsigned i)
{
    uint8_t left = digits[i], right = digits[i + 1];
    bool falling = left > right; // the left tile is the larger one
    digits[i] = (uint8_t)(right + !falling);
    digits[i + 1] = (uint8_t)(left - falling);
}

static uint32_t slide_up(uint32_t blank, const uint8_t digits[SLIDE_TILES])
{
    uint8_t after[SLIDE_TILES];
    memcpy(after, digits, SLIDE_TILES);
    blank -= SLIDE_WIDTH;
    swap_tiles(after, blank);
    swap_tiles(after, blank + 1);
    swap_tiles(after, blank + 2);
    return blank * SLIDE_ORDERS + slide_order(after);
}

static uint32_t slide_down(uint32_t blank, const uint8_t digits[SLIDE_TILES])
{
    uint8_t after[SLIDE_TILES];
    memcpy(after, digits, SLIDE_TILES);
    swap_tiles(after, blank + 2);
    swap_tiles(after, blank + 1);
    swap_tiles(after, blank);
    return (blank + SLIDE_WIDTH) * SLIDE_ORDERS + slide_order(after);
}

static uint32_t prepare_slide(void)
{
    return SLIDE_TILES * SLIDE_ORDERS;
}

static unsigned expand_slide(uint32_t state, uint32_t *next)
{
    uint32_t blank = state / SLIDE_ORDERS;
    unsigned row = blank / SLIDE_WIDTH, column = blank % SLIDE_WIDTH, count = 0;
    uint8_t digits[SLIDE_TILES];
    slide_digits(state % SLIDE_ORDERS, row, digits); // the solved order is even, its blank in row 2
    if (column > 0) {
        next[count++] = state - SLIDE_ORDERS;
    }
    if (column + 1 < SLIDE_WIDTH) {
        next[count++] = state + SLIDE_ORDERS;
    }
    if (row > 0) {
        next[count++] = slide_up(blank, digits);
    }
    if (row + 1 < SLIDE_HEIGHT) {
        next[count++] = slide_down(blank, digits);
    }
    return count;
}

// Loopover 4x4. A state is the cells of the tiles 1 to 4, then the cells of 5 to 8 among the twelve
// that are left. All states with the tiles 1 to 4 in the same cells are a block. The effect of a
// move on a block is computed once for all its states.

enum {
    LOOP_SIDE = 4,
    LOOP_CELLS = 16,
    LOOP_HALF = 4, // distinct tiles in each half of the state
    LOOP_LEFT = LOOP_CELLS - LOOP_HALF,
    LOOP_RESTS = 12 * 11 * 10 * 9,
    LOOP_MOST_MOVES = 24,
};

static unsigned loop_moves;
static uint8_t loop_to[LOOP_MOST_MOVES][LOOP_CELLS];
static uint8_t loop_rests[LOOP_RESTS][LOOP_HALF];
static uint16_t loop_rank[LOOP_LEFT][LOOP_LEFT][LOOP_LEFT][LOOP_LEFT];

// The current block. For each move: the first state of the block that it leads to, and the new
// labels of the cells that are left.
static uint32_t loop_block = UINT32_MAX;
static struct {
    uint32_t first;
    uint8_t to[LOOP_LEFT];
} loop_block_moves[LOOP_MOST_MOVES];

static void add_loop_moves(unsigned line, unsigned steps)
{
    uint8_t *along_row = loop_to[loop_moves++];
    uint8_t *along_column = loop_to[loop_moves++];
    for (unsigned cell = 0; cell < LOOP_CELLS; cell++) {
        unsigned row = cell / LOOP_SIDE, column = cell % LOOP_SIDE;
        unsigned right = row == line ? (column + steps) % LOOP_SIDE : column;
        unsigned down = column == line ? (row + steps) % LOOP_SIDE : row;
        along_row[cell] = (uint8_t)(row * LOOP_SIDE + right);
        along_column[cell] = (uint8_t)(down * LOOP_SIDE + column);
    }
}

static uint32_t prepare_loopover_by(unsigned stride)
{
    for (unsigned line = 0; line < LOOP_SIDE; line++) {
        for (unsigned steps = 1; steps < LOOP_SIDE; steps += stride) {
            add_loop_moves(line, steps);
        }
    }
    for (uint32_t rest = 0; rest < LOOP_RESTS; rest++) {
        uint8_t *cells = loop_rests[rest];
        unrank_choice(rest, cells, LOOP_HALF, LOOP_LEFT);
        loop_rank[cells[0]][cells[1]][cells[2]][cells[3]] = (uint16_t)rest;
    }
    return 0; // the tiles in the first cells, in order
}

static uint32_t prepare_loopover(void)
{
    return prepare_loopover_by(1);
}

static uint32_t prepare_loopover_quarter(void)
{
    return prepare_loopover_by(2);
}

// Numbers the cells that are not taken. The label of a taken cell is UNSEEN.
static void label_left(const uint8_t taken[LOOP_HALF], uint8_t label[LOOP_CELLS])
{
    unsigned count = 0;
    for (unsigned cell = 0; cell < LOOP_CELLS; cell++) {
        bool is_left = !memchr(taken, (int)cell, LOOP_HALF);
        label[cell] = is_left ? (uint8_t)count++ : UNSEEN;
    }
}

static void move_block(const uint8_t taken[LOOP_HALF], unsigned move)
{
    uint8_t taken_after[LOOP_HALF], label[LOOP_CELLS], label_after[LOOP_CELLS];
    for (unsigned i = 0; i < LOOP_HALF; i++) {
        taken_after[i] = loop_to[move][taken[i]];
    }
    label_left(taken, label);
    label_left(taken_after, label_after);
    loop_block_moves[move].first = rank_choice(taken_after, LOOP_HALF, LOOP_CELLS) * LOOP_RESTS;
    for (unsigned cell = 0; cell < LOOP_CELLS; cell++) {
        if (label[cell] != UNSEEN) {
            loop_block_moves[move].to[label[cell]] = label_after[loop_to[move][cell]];
        }
    }
}

static void enter_block(uint32_t block)
{
    uint8_t taken[LOOP_HALF];
    unrank_choice(block, taken, LOOP_HALF, LOOP_CELLS);
    for (unsigned move = 0; move < loop_moves; move++) {
        move_block(taken, move);
    }
    loop_block = block;
}

static unsigned expand_loopover(uint32_t state, uint32_t *next)
{
    if (state / LOOP_RESTS != loop_block) {
        enter_block(state / LOOP_RESTS);
    }
    const uint8_t *cells = loop_rests[state % LOOP_RESTS];
    for (unsigned move = 0; move < loop_moves; move++) {
        const uint8_t *to = loop_block_moves[move].to;
        next[move] = loop_block_moves[move].first +
                     loop_rank[to[cells[0]]][to[cells[1]]][to[cells[2]]][to[cells[3]]];
    }
    return loop_moves;
}

// The search.

static uint32_t mark_neighbours(const struct plain *puzzle, uint8_t *distances, uint32_t state,
                                unsigned distance)
{
    uint32_t next[MOST_MOVES], found = 0;
    unsigned count = puzzle->expand(state, next);
    for (unsigned i = 0; i < count; i++) {
        if (distances[next[i]] == UNSEEN) {
            distances[next[i]] = (uint8_t)distance;
            found++;
        }
    }
    return found;
}

// A necklace is a mask of the beads of one colour. Its rank is the sum of C(p, i + 1) for its i-th
// bead, in position p.
enum { BEADS = 32, BLACK = 16, NECKLACES = 601080390 };
static uint32_t bead_choices[BEADS][BLACK + 1];

static uint32_t prepare_necklace(void)
{
    for (unsigned n = 0; n < BEADS; n++) {
        bead_choices[n][0] = 1;
        for (unsigned k = 1; k <= BLACK && n > 0; k++) {
            bead_choices[n][k] = bead_choices[n - 1][k - 1] + bead_choices[n - 1][k];
        }
    }
    return 0;
}

static uint32_t rank_necklace(uint32_t beads)
{
    uint32_t rank = 0;
    unsigned count = 0;
    for (unsigned p = 0; p < BEADS; p++) {
        if (beads >> p & 1) {
            rank += bead_choices[p][++count];
        }
    }
    return rank;
}

static unsigned expand_necklace(uint32_t state, uint32_t *next)
{
    uint32_t beads = 0;
    unsigned count = BLACK;
    for (unsigned p = BEADS; p-- > 0 && count > 0;) {
        if (bead_choices[p][count] <= state) {
            state -= bead_choices[p][count--];
            beads |= UINT32_C(1) << p;
        }
    }
    next[0] = rank_necklace(beads << 1 | beads >> (BEADS - 1));
    next[1] = rank_necklace(beads >> 1 | beads << (BEADS - 1));
    next[2] = rank_necklace((beads & ~UINT32_C(3)) | (beads >> 1 & 1) | (beads & 1) << 1);
    return 3;
}

static uint32_t expand_layer(const struct plain *puzzle, uint8_t *distances, unsigned layer)
{
    uint32_t found = 0;
    const uint8_t *end = distances + puzzle->states;
    const uint8_t *at = distances;
    while (at < end && (at = memchr(at, (int)layer, (size_t)(end - at)))) {
        found += mark_neighbours(puzzle, distances, (uint32_t)(at - distances), layer + 1);
        at++;
    }
    return found;
}

static void search(const struct plain *puzzle, uint8_t *distances)
{
    uint32_t total = 0, found = 1;
    memset(distances, UNSEEN, puzzle->states);
    distances[puzzle->prepare()] = 0;
    for (unsigned layer = 0; found; layer++) {
        printf("%u %lu\n", layer, (unsigned long)found);
        total += found;
        found = expand_layer(puzzle, distances, layer);
    }
    printf("states %lu\n", (unsigned long)total);
}

static const struct plain PUZZLES[] = {
    {"2x2x2", "", CORNER_ORDERS *CORNER_TWISTS, prepare_cube, expand_cube},
    {"lights55", "", UINT32_C(1) << LIGHTS_CELLS, prepare_lights, expand_lights},
    {"slide34", "", SLIDE_WIDTH *SLIDE_HEIGHT *SLIDE_ORDERS, prepare_slide, expand_slide},
    {"loopover44", "", 16 * 15 * 14 * 13 * LOOP_RESTS, prepare_loopover, expand_loopover},
    {"loopover44", "quarter", 16 * 15 * 14 * 13 * LOOP_RESTS, prepare_loopover_quarter,
     expand_loopover},
    {"neck32", "", NECKLACES, prepare_necklace, expand_necklace},
};

static const struct plain *find_puzzle(const char *name, const char *mode)
{
    for (size_t i = 0; i < sizeof PUZZLES / sizeof *PUZZLES; i++) {
        if (strcmp(PUZZLES[i].name, name) == 0 && strcmp(PUZZLES[i].mode, mode) == 0) {
            return &PUZZLES[i];
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    bool counted = argc == 2 || argc == 3;
    const struct plain *puzzle = counted ? find_puzzle(argv[1], argc == 3 ? argv[2] : "") : NULL;
    if (!puzzle) {
        fputs("usage: bench_plain 2x2x2 | lights55 | slide34 | loopover44 [quarter] | neck32\n",
              stderr);
        return 2;
    }
    uint8_t *distances = malloc(puzzle->states);
    if (!distances) {
        perror("bench_plain");
        return 1;
    }
    search(puzzle, distances);
    free(distances);
    return 0;
}
