// Finds the permutations of points that turn the moves of a list into moves of the list.
#include "symmetries.h"

#include "tables/base/row_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// A colour is a hash. It depends on what a symmetry keeps, and on no number of a point or a move.
// If two colours collide, the search prunes less, and finds the same.
typedef uint64_t colour;

enum {
    NODES_MOST = SYMMETRIES_MOVES_MOST + SYMMETRIES_DEGREE_MOST,
    ROUNDS_MOST = SYMMETRIES_DEGREE_MOST, // of colouring: a mark may go round a cycle of all points
};

// A *node* is a move or, after the moves, a point.
struct base_point {
    unsigned node;
    unsigned rounds;                 // of colouring after it is marked
    colour fingerprint[ROUNDS_MOST]; // of all colours after each round
};

struct symmetry_finder {
    unsigned degree;
    unsigned node_count;
    unsigned first; // the node of point 0: the number of moves
    struct point_symmetries *found;
    bool stopped; // by a limit

    // The list without repeated moves. Nodes and images of moves have these numbers.
    struct row_set moves;
    uint16_t number_of[SYMMETRIES_MOVES_MOST]; // by move of the list
    uint16_t first_of[SYMMETRIES_MOVES_MOST];  // by move: the first one of the list that equals it

    colour sums[NODES_MOST]; // by node, in colour_once

    // Rows of colours by node: row i is before base point i is marked, the last one after all. And
    // the same with the images of the base that are tried now.
    unsigned base_count;
    struct base_point base[SYMMETRIES_DEGREE_MOST];
    colour *colours;
    colour *image_colours;

    unsigned generator_count;
    uint16_t *generators;        // rows of nodes: where a symmetry takes each one
    uint16_t leader[NODES_MOST]; // by node: the least one of its orbit under the generators
    uint16_t row[NODES_MOST];    // work space
};

static const colour FACTOR = UINT64_C(0x9e3779b97f4a7c15);
static const colour MARK = UINT64_C(0x632be59bd9b4e019);

// Takes work into account. Returns false if the limit has stopped the search.
static bool is_affordable(struct symmetry_finder *finder, uint64_t work)
{
    finder->found->work += work;
    finder->stopped |= finder->found->work > SYMMETRIES_WORK_MOST;
    return !finder->stopped;
}

// ---- Colours ------------------------------------------------------------------------------------

// The last step of the random numbers "splitmix64".
static colour scramble(uint64_t value)
{
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

// Gives each node a new colour, from its own one and those of its *arrows*: a move takes one point
// to another. Returns a hash of all colours.
static colour colour_once(struct symmetry_finder *finder, colour *colours)
{
    colour *sums = finder->sums;
    colour fingerprint = 0;
    memset(sums, 0, finder->node_count * sizeof *sums);
    for (unsigned m = 0; m < finder->first; m++) {
        const chain_point *move = row_set_row(&finder->moves, m);
        for (unsigned x = 0; x < finder->degree; x++) {
            if (move[x] != x) {
                unsigned from = finder->first + x;
                unsigned to = finder->first + move[x];
                colour hash =
                    scramble((colours[from] * FACTOR + colours[to]) * FACTOR + colours[m]);
                sums[m] += hash;
                sums[from] += hash * FACTOR;
                sums[to] += hash * MARK;
            }
        }
    }
    for (unsigned i = 0; i < finder->node_count; i++) {
        colours[i] = scramble(colours[i] * FACTOR + sums[i]);
        fingerprint += colours[i];
    }
    is_affordable(finder, (uint64_t)finder->degree * finder->first + finder->node_count);
    return fingerprint;
}

// Counts the points that have the colour of each point. Finds a point of the colour that the most
// points have. *node is the number of nodes if all points have different colours.
static unsigned count_alike(struct symmetry_finder *finder, const colour *colours, unsigned *node)
{
    unsigned sum = 0;
    unsigned most = 1;
    *node = finder->node_count;
    for (unsigned i = finder->first; i < finder->node_count; i++) {
        unsigned alike = 0;
        for (unsigned j = finder->first; j < finder->node_count; j++) {
            alike += colours[j] == colours[i];
        }
        *node = alike > most ? i : *node;
        most = alike > most ? alike : most;
        sum += alike;
    }
    is_affordable(finder, (uint64_t)finder->degree * finder->degree / 4);
    return sum;
}

// Colours anew until two rounds distinguish no more points: the first of them may have
// distinguished moves. Notes the rounds in *point. Returns a point of the largest colour.
static unsigned colour_until_stable(struct symmetry_finder *finder, colour *colours,
                                    struct base_point *point)
{
    unsigned node;
    unsigned alike = count_alike(finder, colours, &node);
    point->rounds = 0;
    for (unsigned idle = 0; idle < 2 && point->rounds < ROUNDS_MOST && !finder->stopped;) {
        point->fingerprint[point->rounds++] = colour_once(finder, colours);
        unsigned left = count_alike(finder, colours, &node);
        idle = left < alike ? 0 : idle + 1;
        alike = left;
    }
    return node;
}

static colour *row_at(const struct symmetry_finder *finder, colour *colours, unsigned at)
{
    return colours + (size_t)at * finder->node_count;
}

// Copies the row of colours at a base point to the next row, and marks a node there.
static colour *mark_node(const struct symmetry_finder *finder, colour *colours, unsigned at,
                         unsigned node)
{
    colour *marked = row_at(finder, colours, at + 1);
    memcpy(marked, row_at(finder, colours, at), finder->node_count * sizeof *marked);
    marked[node] = scramble(marked[node] + MARK);
    return marked;
}

// Begins with two colours, of moves and of points.
static void choose_base(struct symmetry_finder *finder)
{
    colour *colours = finder->colours;
    for (unsigned i = 0; i < finder->node_count; i++) {
        colours[i] = i >= finder->first;
    }
    unsigned node = colour_until_stable(finder, colours, &finder->base[0]);
    while (node < finder->node_count && !finder->stopped) {
        struct base_point *point = &finder->base[finder->base_count];
        point->node = node;
        colours = mark_node(finder, finder->colours, finder->base_count++, node);
        node = colour_until_stable(finder, colours, point);
    }
}

// ---- Generators ---------------------------------------------------------------------------------

// Marks the image of a base point. Returns false if the colours contradict.
static bool mark_image(struct symmetry_finder *finder, unsigned at, unsigned image)
{
    const struct base_point *point = &finder->base[at];
    colour *colours = mark_node(finder, finder->image_colours, at, image);
    unsigned r = 0;
    while (r < point->rounds && colour_once(finder, colours) == point->fingerprint[r] &&
           !finder->stopped) {
        r++;
    }
    return r == point->rounds;
}

// Fills in the images of the moves under the images of the points. Returns false if a conjugate is
// no move.
static bool find_move_images(struct symmetry_finder *finder, uint16_t *images)
{
    const uint16_t *points = images + finder->first;
    for (unsigned m = 0; m < finder->first; m++) {
        const chain_point *move = row_set_row(&finder->moves, m);
        for (unsigned x = 0; x < finder->degree; x++) {
            finder->row[points[x] - finder->first] = (uint16_t)(points[move[x]] - finder->first);
        }
        uint32_t image = row_set_find(&finder->moves, finder->row);
        if (image == ROW_NONE || !is_affordable(finder, 2 * (uint64_t)finder->degree)) {
            return false;
        }
        images[m] = (uint16_t)image;
    }
    return true;
}

// Guesses a permutation from the images of the base points before one, and keeps it if it is a
// symmetry. Points go to points of the same colour, and to themselves if they can. Where all
// colours differ, this is no guess.
static bool keep_guess(struct symmetry_finder *finder, unsigned at)
{
    uint16_t *images = finder->generators + (size_t)finder->generator_count * finder->node_count;
    const colour *colours = row_at(finder, finder->colours, at);
    const colour *found = row_at(finder, finder->image_colours, at);
    bool taken[NODES_MOST] = {false};
    for (unsigned i = finder->first; i < finder->node_count; i++) {
        taken[i] = found[i] == colours[i];
        images[i] = (uint16_t)i;
    }
    for (unsigned i = finder->first; i < finder->node_count; i++) {
        unsigned j = finder->first;
        if (found[i] == colours[i]) {
            continue;
        }
        while (j < finder->node_count && (taken[j] || found[j] != colours[i])) {
            j++;
        }
        is_affordable(finder, j - finder->first);
        if (j == finder->node_count) {
            return false;
        }
        taken[j] = true;
        images[i] = (uint16_t)j;
    }
    bool kept = find_move_images(finder, images);
    finder->generator_count += kept;
    return kept;
}

// Tries images of the base points from one on, until there is a symmetry.
static bool try_images(struct symmetry_finder *finder, unsigned at)
{
    if (keep_guess(finder, at)) {
        return true;
    }
    if (at == finder->base_count) {
        return false;
    }
    const colour *images = row_at(finder, finder->image_colours, at);
    colour wanted = row_at(finder, finder->colours, at)[finder->base[at].node];
    for (unsigned i = finder->first; i < finder->node_count && !finder->stopped; i++) {
        if (images[i] == wanted && mark_image(finder, at, i) && try_images(finder, at + 1)) {
            return true;
        }
    }
    return false;
}

// Joins the orbits that the newest generator connects.
static void join_orbits(struct symmetry_finder *finder)
{
    const uint16_t *images =
        finder->generators + (size_t)(finder->generator_count - 1) * finder->node_count;
    for (unsigned i = finder->first; i < finder->node_count; i++) {
        uint16_t a = finder->leader[i];
        uint16_t b = finder->leader[images[i]];
        for (unsigned j = finder->first; j < finder->node_count && a != b; j++) {
            if (finder->leader[j] == a || finder->leader[j] == b) {
                finder->leader[j] = a < b ? a : b;
            }
        }
    }
}

// Finds symmetries that keep the base points before one, and take this one to each of its images.
// All generators so far keep them, too. One image of an orbit stands for the others.
static void find_images(struct symmetry_finder *finder, unsigned at)
{
    const colour *colours = row_at(finder, finder->colours, at);
    unsigned node = finder->base[at].node;
    memcpy(row_at(finder, finder->image_colours, at), colours,
           finder->node_count * sizeof *colours);
    for (unsigned i = finder->first; i < finder->node_count && !finder->stopped; i++) {
        bool is_new = finder->leader[i] == i && finder->leader[node] != i;
        if (is_new && colours[i] == colours[node] && mark_image(finder, at, i) &&
            try_images(finder, at + 1)) {
            join_orbits(finder);
        }
    }
}

// ---- The list -----------------------------------------------------------------------------------

// Multiplies the rows of a set by all generators, until there is no new one, or more than `most`.
// Returns false without memory.
static bool multiply(struct symmetry_finder *finder, uint32_t most, struct row_set *set)
{
    uint64_t work = set->length * (uint64_t)(finder->generator_count + 8); // rows take memory, too
    for (uint32_t i = 0; i < set->count && is_affordable(finder, work); i++) {
        for (unsigned g = 0; g < finder->generator_count; g++) {
            const uint16_t *images = finder->generators + (size_t)g * finder->node_count;
            for (unsigned k = 0; k < set->length; k++) {
                finder->row[k] = images[row_set_row(set, i)[k]];
            }
            if (set->count == most && row_set_find(set, finder->row) == ROW_NONE) {
                finder->stopped = true;
                return true;
            }
            if (row_set_add(set, finder->row) == ROW_NONE) {
                return false;
            }
        }
    }
    return true;
}

// Tries an image for a point, and so for its orbit, whose moves have these images. Assigns nothing
// on a contradiction.
static void assign_orbit(struct symmetry_finder *finder, const uint16_t *moves, unsigned point,
                         unsigned image, chain_point *row, bool *taken)
{
    chain_point orbit[SYMMETRIES_DEGREE_MOST] = {(chain_point)point};
    unsigned count = 1;
    bool fits = true;
    row[point] = (chain_point)image;
    taken[image] = true;
    for (unsigned i = 0; i < count && fits; i++) {
        unsigned m = 0;
        for (; m < finder->first && fits; m++) {
            unsigned to = row_set_row(&finder->moves, m)[orbit[i]];
            unsigned to_image = row_set_row(&finder->moves, moves[m])[row[orbit[i]]];
            if (row[to] == CHAIN_NONE && !taken[to_image]) {
                orbit[count++] = (chain_point)to;
                row[to] = (chain_point)to_image;
                taken[to_image] = true;
            }
            fits = row[to] == to_image;
        }
        is_affordable(finder, m);
    }
    while (!fits && count > 0) {
        taken[row[orbit[--count]]] = false;
        row[orbit[count]] = CHAIN_NONE;
    }
}

// Fills in the least row of a class. The first possible image of each orbit leads to a symmetry.
// Two orbits that can have the same image are alike, so it does not matter which of them takes it.
static void assign_points(struct symmetry_finder *finder, const uint16_t *moves, chain_point *row)
{
    bool taken[SYMMETRIES_DEGREE_MOST] = {false};
    memset(row, 0xFF, finder->degree * sizeof *row);
    for (unsigned x = 0; x < finder->degree; x++) {
        for (unsigned image = 0; row[x] == CHAIN_NONE; image++) {
            assert(image < finder->degree);
            if (!taken[image]) {
                assign_orbit(finder, moves, x, image, row, taken);
            }
        }
    }
}

// Copies the symmetries of a set to the result, as far as the work allows.
static bool copy_symmetries(struct symmetry_finder *finder, const struct row_set *set)
{
    struct point_symmetries *found = finder->found;
    found->rows = malloc((size_t)set->count * found->degree * sizeof *found->rows);
    found->moves = malloc((size_t)set->count * found->move_count * sizeof *found->moves + 1);
    if (!found->rows || !found->moves) {
        return false;
    }
    do {
        const uint16_t *images = row_set_row(set, found->count);
        chain_point *row = found->rows + (size_t)found->count * found->degree;
        uint16_t *moves = found->moves + (size_t)found->count++ * found->move_count;
        for (unsigned m = 0; m < found->move_count; m++) {
            moves[m] = finder->first_of[images[finder->number_of[m]]];
        }
        for (unsigned i = finder->first; i < set->length; i++) {
            row[i - finder->first] = (chain_point)(images[i] - finder->first);
        }
        if (set->length == finder->first) {
            assign_points(finder, images, row);
        }
    } while (found->count < set->count && found->work <= SYMMETRIES_WORK_MOST);
    return true;
}

// Lists the products of the generators. If a row has only moves, there is one for each class.
static bool list_symmetries(struct symmetry_finder *finder, enum symmetry_choice choice,
                            uint32_t most)
{
    struct row_set set;
    row_set_open(&set, choice == SYMMETRIES_ALL ? finder->node_count : finder->first);
    for (unsigned i = 0; i < finder->node_count; i++) {
        finder->row[i] = (uint16_t)i;
    }
    bool done = row_set_add(&set, finder->row) != ROW_NONE && multiply(finder, most, &set) &&
                row_set_sort(&set, NULL) && copy_symmetries(finder, &set);
    row_set_close(&set);
    return done;
}

// ---- The whole search ---------------------------------------------------------------------------

// Lists the moves without repeated ones. Returns false without memory.
static bool list_moves(struct symmetry_finder *finder, const struct point_moves *moves)
{
    for (unsigned m = 0; m < moves->count; m++) {
        uint32_t count = finder->moves.count;
        uint32_t number = row_set_add(&finder->moves, moves->rows[m]);
        if (number == ROW_NONE) {
            return false;
        }
        finder->number_of[m] = (uint16_t)number;
        if (number == count) {
            finder->first_of[number] = (uint16_t)m;
        }
    }
    finder->first = finder->moves.count;
    finder->node_count = finder->first + moves->degree;
    return true;
}

static bool make_rows(struct symmetry_finder *finder)
{
    size_t nodes = finder->node_count;
    size_t rows = finder->degree + 1;
    finder->colours = calloc(rows * nodes, sizeof *finder->colours);
    finder->image_colours = calloc(rows * nodes, sizeof *finder->image_colours);
    finder->generators = malloc(rows * nodes * sizeof *finder->generators);
    return finder->colours && finder->image_colours && finder->generators;
}

static void free_finder(struct symmetry_finder *finder)
{
    row_set_close(&finder->moves);
    free(finder->colours);
    free(finder->image_colours);
    free(finder->generators);
    free(finder);
}

// Each generator joins orbits of points, so there are fewer of them than points.
static void find_generators(struct symmetry_finder *finder)
{
    choose_base(finder);
    for (unsigned i = 0; i < finder->node_count; i++) {
        finder->leader[i] = (uint16_t)i;
    }
    for (unsigned at = finder->base_count; at-- > 0 && !finder->stopped;) {
        find_images(finder, at);
    }
}

bool point_symmetries_find(const struct point_moves *moves, enum symmetry_choice choice,
                           uint32_t most, struct point_symmetries *symmetries)
{
    assert(moves->degree <= SYMMETRIES_DEGREE_MOST);
    assert(moves->count <= SYMMETRIES_MOVES_MOST && most >= 1);
    *symmetries = (struct point_symmetries){.degree = moves->degree, .move_count = moves->count};
    struct symmetry_finder *finder = calloc(1, sizeof *finder);
    if (!finder) {
        return false;
    }
    finder->degree = moves->degree;
    finder->found = symmetries;
    row_set_open(&finder->moves, moves->degree);
    bool done = list_moves(finder, moves) && make_rows(finder);
    if (done) {
        find_generators(finder);
        done = list_symmetries(finder, choice, most);
        symmetries->complete = !finder->stopped;
    }
    free_finder(finder);
    return done;
}

void point_symmetries_free(struct point_symmetries *symmetries)
{
    free(symmetries->rows);
    free(symmetries->moves);
    *symmetries = (struct point_symmetries){.degree = 0};
}
