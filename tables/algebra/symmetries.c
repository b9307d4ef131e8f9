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
    unsigned move_count;  // without repeated moves
    unsigned first_point; // the node of point 0: equal to move_count
    struct point_symmetries *found;
    bool stopped; // by a limit

    // The list without repeated moves. Nodes and images of moves have these numbers.
    struct row_set moves;
    uint16_t number_of[SYMMETRIES_MOVES_MOST]; // by move of the list
    uint16_t first_of[SYMMETRIES_MOVES_MOST];  // by move: the first one of the list that equals it

    colour sums[NODES_MOST]; // by node, in colour_once

    // Rows of colours by node. Row i is before base point i is marked, and the last row is after
    // all are. `image_colours` has the same rows for the images of the base points that are tried
    // now.
    unsigned base_count;
    struct base_point base[SYMMETRIES_DEGREE_MOST];
    colour *colours;
    colour *image_colours;

    unsigned generator_count;
    uint16_t *generators;        // rows of nodes: where a symmetry takes each one
    uint16_t leader[NODES_MOST]; // by node: the least node of its orbit under the generators
    uint16_t row[NODES_MOST];    // work space
};

static const colour FACTOR = UINT64_C(0x9e3779b97f4a7c15);
static const colour MARK = UINT64_C(0x632be59bd9b4e019);

// Counts work. Returns false, and sets finder->stopped, once it exceeds SYMMETRIES_WORK_MOST.
static bool spend_work(struct symmetry_finder *finder, uint64_t work)
{
    finder->found->work += work;
    finder->stopped |= finder->found->work > SYMMETRIES_WORK_MOST;
    return !finder->stopped;
}

// ---- Colours ------------------------------------------------------------------------------------

// Mixes the bits of a number: the last step of the random number generator "splitmix64".
static colour scramble(uint64_t value)
{
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

// Gives each node a new colour, from its old one and those of its *arrows*. An arrow joins a move,
// a point and the other point where the move takes it. Sums over the arrows do not depend on the
// order of the nodes. Returns a hash of all colours, the fingerprint.
static colour colour_once(struct symmetry_finder *finder, colour *colours)
{
    colour *sums = finder->sums;
    colour fingerprint = 0;
    memset(sums, 0, finder->node_count * sizeof *sums);
    for (unsigned m = 0; m < finder->move_count; m++) {
        const chain_point *move = row_set_row(&finder->moves, m);
        for (unsigned x = 0; x < finder->degree; x++) {
            if (move[x] != x) {
                unsigned from = finder->first_point + x;
                unsigned to = finder->first_point + move[x];
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
    spend_work(finder, (uint64_t)finder->degree * finder->first_point + finder->node_count);
    return fingerprint;
}

// Returns the number of pairs of points that have the same colour, a point and itself included.
// Sets *node to a point of the colour that the most points have. If all points have different
// colours, *node becomes the number of nodes.
static unsigned count_equal_pairs(struct symmetry_finder *finder, const colour *colours,
                                  unsigned *node)
{
    unsigned sum = 0;
    unsigned most = 1;
    *node = finder->node_count;
    for (unsigned i = finder->first_point; i < finder->node_count; i++) {
        unsigned alike = 0;
        for (unsigned j = finder->first_point; j < finder->node_count; j++) {
            alike += colours[j] == colours[i];
        }
        if (alike > most) {
            most = alike;
            *node = i;
        }
        sum += alike;
    }
    spend_work(finder, (uint64_t)finder->degree * finder->degree / 4);
    return sum;
}

// Colours all nodes anew, round after round, until two rounds in a row distinguish no more points.
// (The first of the two may have distinguished moves.) Writes the fingerprints of the rounds to
// *point. Returns a point of the colour that the most points have, or the number of nodes if all
// points differ.
static unsigned colour_until_stable(struct symmetry_finder *finder, colour *colours,
                                    struct base_point *point)
{
    unsigned node;
    unsigned pairs = count_equal_pairs(finder, colours, &node);
    unsigned idle_rounds = 0;
    point->rounds = 0;
    while (idle_rounds < 2 && point->rounds < ROUNDS_MOST && !finder->stopped) {
        point->fingerprint[point->rounds++] = colour_once(finder, colours);
        unsigned left = count_equal_pairs(finder, colours, &node);
        if (left < pairs) {
            idle_rounds = 0;
        } else {
            idle_rounds++;
        }
        pairs = left;
    }
    return node;
}

// Returns the row of colours before a base point is marked.
static colour *colour_row(const struct symmetry_finder *finder, colour *colours,
                          unsigned base_index)
{
    return colours + (size_t)base_index * finder->node_count;
}

// Copies the row of colours before a base point to the next row, gives a node there a colour of its
// own, and returns that row.
static colour *mark_node(const struct symmetry_finder *finder, colour *colours, unsigned base_index,
                         unsigned node)
{
    colour *marked = colour_row(finder, colours, base_index + 1);
    memcpy(marked, colour_row(finder, colours, base_index), finder->node_count * sizeof *marked);
    marked[node] = scramble(marked[node] + MARK);
    return marked;
}

// Chooses base points, and marks one after another, until all points have different colours or the
// search is stopped. Each is a point of the colour that the most points have. The first colouring
// has two colours, of moves and of points. Its rounds go to base[0], where the first base point
// overwrites them.
static void choose_base(struct symmetry_finder *finder)
{
    colour *colours = finder->colours;
    for (unsigned i = 0; i < finder->node_count; i++) {
        colours[i] = i >= finder->first_point;
    }
    unsigned node = colour_until_stable(finder, colours, &finder->base[0]);
    while (node < finder->node_count && !finder->stopped) {
        struct base_point *point = &finder->base[finder->base_count];
        point->node = node;
        colours = mark_node(finder, finder->colours, finder->base_count, node);
        finder->base_count++;
        node = colour_until_stable(finder, colours, point);
    }
}

// ---- Generators ---------------------------------------------------------------------------------

// Tries a node as the image of a base point: marks it in the next row of image colours, and colours
// as often as for the base point. Returns false if a fingerprint differs, so no symmetry has this
// image, or if the search is stopped.
static bool mark_image(struct symmetry_finder *finder, unsigned base_index, unsigned image)
{
    const struct base_point *point = &finder->base[base_index];
    colour *colours = mark_node(finder, finder->image_colours, base_index, image);
    for (unsigned r = 0; r < point->rounds; r++) {
        if (colour_once(finder, colours) != point->fingerprint[r] || finder->stopped) {
            return false;
        }
    }
    return true;
}

// Fills in images[m] for each move m: the move that is its conjugate. The caller has filled in the
// images of the points, from images[first_point] on. Returns false if a conjugate is no move, so
// this is no symmetry, or if the search is stopped.
static bool find_move_images(struct symmetry_finder *finder, uint16_t *images)
{
    const uint16_t *points = images + finder->first_point;
    for (unsigned m = 0; m < finder->move_count; m++) {
        const chain_point *move = row_set_row(&finder->moves, m);
        for (unsigned x = 0; x < finder->degree; x++) { // the conjugate takes s(x) to s(move[x])
            finder->row[points[x] - finder->first_point] =
                (uint16_t)(points[move[x]] - finder->first_point);
        }
        uint32_t image = row_set_find(&finder->moves, finder->row);
        if (image == ROW_NONE || !spend_work(finder, 2 * (uint64_t)finder->degree)) {
            return false;
        }
        images[m] = (uint16_t)image;
    }
    return true;
}

// Guesses a permutation from the images of the base points before `base_index`, and adds it to the
// generators if it is a symmetry. Returns false if it is none. Each point goes to itself if its
// colour is the same among the image colours, and else to the first free point that has its colour
// there. If all colours differ, this is no guess but the only possible permutation.
static bool add_if_symmetry(struct symmetry_finder *finder, unsigned base_index)
{
    uint16_t *images = finder->generators + (size_t)finder->generator_count * finder->node_count;
    const colour *colours = colour_row(finder, finder->colours, base_index);
    const colour *image_colours = colour_row(finder, finder->image_colours, base_index);
    bool taken[NODES_MOST] = {false};
    for (unsigned i = finder->first_point; i < finder->node_count; i++) {
        taken[i] = image_colours[i] == colours[i];
        images[i] = (uint16_t)i;
    }
    for (unsigned i = finder->first_point; i < finder->node_count; i++) {
        unsigned j = finder->first_point;
        if (image_colours[i] == colours[i]) {
            continue;
        }
        while (j < finder->node_count && (taken[j] || image_colours[j] != colours[i])) {
            j++;
        }
        spend_work(finder, j - finder->first_point);
        if (j == finder->node_count) {
            return false;
        }
        taken[j] = true;
        images[i] = (uint16_t)j;
    }
    if (!find_move_images(finder, images)) {
        return false;
    }
    finder->generator_count++;
    return true;
}

// Tries images of the base points from `base_index` on, until there is a symmetry, and adds it to
// the generators. The images of the base points before are marked in the image colours. Returns
// false if there is no symmetry, or if the search is stopped. Calls itself for the next base point.
static bool try_images(struct symmetry_finder *finder, unsigned base_index)
{
    if (add_if_symmetry(finder, base_index)) {
        return true;
    }
    if (base_index == finder->base_count) {
        return false;
    }
    const colour *image_colours = colour_row(finder, finder->image_colours, base_index);
    colour wanted = colour_row(finder, finder->colours, base_index)[finder->base[base_index].node];
    for (unsigned i = finder->first_point; i < finder->node_count && !finder->stopped; i++) {
        if (image_colours[i] == wanted && mark_image(finder, base_index, i) &&
            try_images(finder, base_index + 1)) {
            return true;
        }
    }
    return false;
}

// Joins the orbits of points that the newest generator connects: their points get the same leader.
static void join_orbits(struct symmetry_finder *finder)
{
    const uint16_t *images =
        finder->generators + (size_t)(finder->generator_count - 1) * finder->node_count;
    for (unsigned i = finder->first_point; i < finder->node_count; i++) {
        uint16_t own = finder->leader[i];
        uint16_t other = finder->leader[images[i]];
        for (unsigned j = finder->first_point; j < finder->node_count && own != other; j++) {
            if (finder->leader[j] == own || finder->leader[j] == other) {
                finder->leader[j] = own < other ? own : other;
            }
        }
    }
}

// Adds generators that keep the base points before `base_index` and move the one at `base_index`.
// With the generators so far, they take this point to all of its images. Tries only the leader of
// each orbit: if the leader is an image, all points of the orbit are.
static void find_generators_at(struct symmetry_finder *finder, unsigned base_index)
{
    const colour *colours = colour_row(finder, finder->colours, base_index);
    unsigned node = finder->base[base_index].node;
    memcpy(colour_row(finder, finder->image_colours, base_index), colours,
           finder->node_count * sizeof *colours);
    for (unsigned i = finder->first_point; i < finder->node_count && !finder->stopped; i++) {
        bool is_new = finder->leader[i] == i && finder->leader[node] != i;
        if (is_new && colours[i] == colours[node] && mark_image(finder, base_index, i) &&
            try_images(finder, base_index + 1)) {
            join_orbits(finder);
        }
    }
}

// ---- The list -----------------------------------------------------------------------------------

// Adds to a set of rows all products of its rows and the generators, until there is no new row.
// Stops the search (finder->stopped) if there would be more than `most` rows. Returns false if
// memory runs out. A row has the images of nodes 0 … set->length-1.
static bool add_products(struct symmetry_finder *finder, uint32_t most, struct row_set *set)
{
    enum { ROW_WORK = 8 }; // to store a row, in rows read
    uint64_t work = set->length * (uint64_t)(finder->generator_count + ROW_WORK);
    for (uint32_t i = 0; i < set->count && spend_work(finder, work); i++) {
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

// Tries an image for a point. This image decides the images of the point's whole orbit: if move m
// takes x to y, move moves[m] takes the image of x to that of y. Fills in these images in `row`
// (CHAIN_NONE before) and `taken` (is it the image of a point?). On a contradiction, takes back
// what it filled in.
static void assign_orbit(struct symmetry_finder *finder, const uint16_t *moves, unsigned point,
                         unsigned image, chain_point *row, bool *taken)
{
    chain_point orbit[SYMMETRIES_DEGREE_MOST] = {(chain_point)point};
    unsigned count = 1;
    bool fits = true;
    row[point] = (chain_point)image;
    taken[image] = true;
    for (unsigned i = 0; i < count && fits; i++) { // orbit[i] has an image; find its neighbours'
        unsigned m = 0;
        for (; m < finder->move_count && fits; m++) {
            unsigned next = row_set_row(&finder->moves, m)[orbit[i]];
            unsigned next_image = row_set_row(&finder->moves, moves[m])[row[orbit[i]]];
            if (row[next] == CHAIN_NONE && !taken[next_image]) {
                orbit[count++] = (chain_point)next;
                row[next] = (chain_point)next_image;
                taken[next_image] = true;
            }
            fits = row[next] == next_image;
        }
        spend_work(finder, m);
    }
    while (!fits && count > 0) {
        count--;
        taken[row[orbit[count]]] = false;
        row[orbit[count]] = CHAIN_NONE;
    }
}

// Writes the least row of points among the symmetries that turn each move m into move moves[m].
// There is at least one. Each point without an image gets the least possible one, and its orbit
// with it. This never leads into a dead end: two orbits that can have the same image are alike, so
// it does not matter which of them takes it.
static void assign_points(struct symmetry_finder *finder, const uint16_t *moves, chain_point *row)
{
    bool taken[SYMMETRIES_DEGREE_MOST] = {false};
    memset(row, 0xFF, finder->degree * sizeof *row); // CHAIN_NONE
    for (unsigned x = 0; x < finder->degree; x++) {
        for (unsigned image = 0; row[x] == CHAIN_NONE; image++) {
            assert(image < finder->degree);
            if (!taken[image]) {
                assign_orbit(finder, moves, x, image, row, taken);
            }
        }
    }
}

// Copies the rows of a set to the result: at least one, and then as many as the limit of work
// allows. If the rows have only moves, assign_points finds the points. Returns false if memory runs
// out.
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
        uint16_t *moves = found->moves + (size_t)found->count * found->move_count;
        found->count++;
        for (unsigned m = 0; m < found->move_count; m++) {
            moves[m] = finder->first_of[images[finder->number_of[m]]];
        }
        if (set->length == finder->move_count) {
            assign_points(finder, images, row);
        }
        for (unsigned i = finder->first_point; i < set->length; i++) {
            row[i - finder->first_point] = (chain_point)(images[i] - finder->first_point);
        }
    } while (found->count < set->count && found->work <= SYMMETRIES_WORK_MOST);
    return true;
}

// Lists the products of the generators in the result, at most `most`. With SYMMETRIES_BY_MOVES, the
// rows of the set have only moves, so there is one for each class. Returns false if memory runs
// out.
static bool list_symmetries(struct symmetry_finder *finder, enum symmetry_choice choice,
                            uint32_t most)
{
    struct row_set set;
    row_set_open(&set, choice == SYMMETRIES_ALL ? finder->node_count : finder->move_count);
    for (unsigned i = 0; i < finder->node_count; i++) {
        finder->row[i] = (uint16_t)i;
    }
    bool done = row_set_add(&set, finder->row) != ROW_NONE && add_products(finder, most, &set) &&
                row_set_sort(&set, NULL) && copy_symmetries(finder, &set);
    row_set_close(&set);
    return done;
}

// ---- The whole search ---------------------------------------------------------------------------

// Lists the moves without repeated ones, and fills in what translates between their numbers and
// those of the list. Returns false if memory runs out.
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
    finder->move_count = finder->moves.count;
    finder->first_point = finder->moves.count;
    finder->node_count = finder->first_point + moves->degree;
    return true;
}

// Makes room for as many base points and generators as there are points. Returns false if
// memory runs out; free_finder frees it in any case.
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

// Fills in the generators, from the last base point to the first. Each generator joins orbits of
// points, so there are fewer generators than points, and they have room. finder->stopped tells
// whether some may be missing.
static void find_generators(struct symmetry_finder *finder)
{
    choose_base(finder);
    for (unsigned i = 0; i < finder->node_count; i++) {
        finder->leader[i] = (uint16_t)i;
    }
    for (unsigned base_index = finder->base_count; base_index-- > 0 && !finder->stopped;) {
        find_generators_at(finder, base_index);
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
