// Finds the permutations of points that turn the moves of a list into moves of the list.
#include "index/symmetries.h"

#include "index/row_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// A colour is a hash. It depends on what a symmetry keeps, and on no number of a point or a move.
// If two colours collide, the search prunes less, and finds the same.
typedef uint64_t colour;

enum {
    ROUNDS_MOST = 32, // of colouring after one choice
    TRIES_MOST = 8,   // moves that are tried before one is chosen
};

// A move whose image the search chooses. Its images have its colour before the choice.
struct chosen_move {
    unsigned move;
    colour before;
    unsigned rounds;                 // of colouring after the choice
    colour fingerprint[ROUNDS_MOST]; // of all colours after each round
};

// A product of two moves that is a move or the identity.
struct product {
    uint16_t first;
    uint16_t second;
    uint16_t product; // the identity has the number after the last move if it is no move
};

struct numbered_colour {
    colour colour;
    unsigned number;
};

// The image of an orbit: that of its least point.
struct orbit_image {
    unsigned point;
    unsigned image;
    unsigned assigned; // points that got an image before this orbit
};

struct finder {
    unsigned degree;
    enum symmetry_choice choice;
    uint32_t most;
    struct point_symmetries *found;
    uint32_t room; // for symmetries in `found`
    bool stopped;  // by a limit or without memory
    bool no_memory;

    // The list without repeated moves. Part 1 and 2 know only these moves, by their numbers here.
    struct row_set moves;
    uint16_t *number_of; // by move of the list
    uint16_t *first_of;  // by move: the first one of the list that equals it

    // Cycles of two or more points, one after another, those of the first move first.
    group_point *cycles;
    uint16_t *cycle_lengths;
    unsigned *cycle_counts; // by move
    uint64_t cycle_points;  // in all cycles
    uint64_t *powers;       // of FACTOR

    struct product *products;
    unsigned product_count;
    unsigned product_room;

    unsigned colour_count; // of all points, moves and the identity
    colour *colours;       // after all choices, with each chosen move as its own image
    colour *tried;         // after one more choice
    colour *spare;         // a row of colours
    struct chosen_move *chosen;
    unsigned chosen_count;
    // With the images that are chosen now, by chosen move: colours before the choice, of points,
    // then of moves, then of the identity.
    colour *image_colours;
    struct numbered_colour *sorted;       // a row of colours
    struct numbered_colour *sorted_moves; // those of `colours`

    uint16_t *move_image;
    unsigned *image; // by point, or NONE
    unsigned *preimage;
    group_point *assigned; // points that have an image, in the order in which they got it
    unsigned assigned_count;
    struct orbit_image *orbits;
    group_point *row; // a move
};

static const unsigned NONE = UINT32_MAX;
static const uint64_t FACTOR = UINT64_C(0x9e3779b97f4a7c15);
static const colour CHOSEN = UINT64_C(0x632be59bd9b4e019);

// Takes work into account. Returns false if a limit has stopped the search.
static bool is_affordable(struct finder *finder, uint64_t work)
{
    finder->found->work += work;
    finder->stopped |= finder->found->work > SYMMETRIES_WORK_MOST;
    return !finder->stopped;
}

static const group_point *row_of_move(const struct finder *finder, unsigned move)
{
    return row_set_row(&finder->moves, move);
}

// ---- Colours ------------------------------------------------------------------------------------

// The last step of the random numbers "splitmix64".
static colour scramble(uint64_t value)
{
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

// Adds to each point of a cycle, in `to`, a hash of the colours that the move passes from this
// point on until it is back. That is a polynomial in FACTOR. Returns the sum of the hashes.
static uint64_t hash_cycle(const struct finder *finder, const group_point *cycle, unsigned length,
                           colour of_move, const colour *from, colour *to)
{
    uint64_t polynomial = 0;
    uint64_t sum = 0;
    for (unsigned i = length; i-- > 0;) {
        polynomial = polynomial * FACTOR + from[cycle[i]];
    }
    for (unsigned i = length; i-- > 0;) { // point i comes to the front, from the end
        colour first = from[cycle[i]];
        polynomial = first + FACTOR * (polynomial - first * finder->powers[length - 1]);
        uint64_t hash = scramble(polynomial + of_move);
        to[cycle[i]] += hash;
        sum += hash;
    }
    return sum;
}

// Adds to the moves of each product a hash of their colours.
static void hash_products(const struct finder *finder, const colour *from, colour *to)
{
    from += finder->degree;
    to += finder->degree;
    for (unsigned i = 0; i < finder->product_count; i++) {
        const struct product *moves = &finder->products[i];
        colour three = from[moves->first];
        three = three * FACTOR + from[moves->second];
        three = three * FACTOR + from[moves->product];
        uint64_t hash = scramble(three);
        to[moves->first] += hash;
        to[moves->second] += hash * FACTOR;
        to[moves->product] += hash * CHOSEN;
    }
}

// Gives each point and move a new colour, from its own one, those of its cycles, and its products.
static void colour_once(struct finder *finder, colour *colours)
{
    const group_point *cycle = finder->cycles;
    const uint16_t *length = finder->cycle_lengths;
    colour *to = finder->spare;
    memset(to, 0, finder->colour_count * sizeof *to);
    for (unsigned m = 0; m < finder->moves.count; m++) {
        colour of_move = colours[finder->degree + m];
        uint64_t sum = 0;
        for (unsigned c = 0; c < finder->cycle_counts[m]; c++) {
            sum += hash_cycle(finder, cycle, *length, of_move, colours, to);
            cycle += *length++;
        }
        to[finder->degree + m] = sum;
    }
    hash_products(finder, colours, to);
    for (unsigned i = 0; i < finder->colour_count; i++) {
        colours[i] = scramble(colours[i] * FACTOR + to[i]);
    }
}

static colour compute_fingerprint(const struct finder *finder, const colour *colours)
{
    colour fingerprint = 0;
    for (unsigned i = 0; i < finder->colour_count; i++) {
        fingerprint += scramble(colours[i]);
    }
    return fingerprint;
}

static uint64_t work_of_round(const struct finder *finder)
{
    return finder->cycle_points + finder->product_count + finder->colour_count;
}

static int compare_colours(const void *a, const void *b)
{
    const struct numbered_colour *x = a;
    const struct numbered_colour *y = b;
    if (x->colour != y->colour) {
        return x->colour < y->colour ? -1 : 1;
    }
    return (x->number > y->number) - (x->number < y->number);
}

static uint64_t work_of_sorting(unsigned count)
{
    return UINT64_C(16) * count;
}

static void sort_colours(const struct finder *finder, const colour *colours, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        finder->sorted[i] = (struct numbered_colour){colours[i], i};
    }
    qsort(finder->sorted, count, sizeof *finder->sorted, compare_colours);
}

static unsigned count_different(const struct finder *finder, const colour *colours)
{
    unsigned different = 0;
    sort_colours(finder, colours, finder->colour_count);
    for (unsigned i = 0; i < finder->colour_count; i++) {
        different += i == 0 || finder->sorted[i].colour != finder->sorted[i - 1].colour;
    }
    return different;
}

// Colours anew until that distinguishes no more points or moves. Notes the rounds in *chosen.
// Returns how many different colours there are then.
static unsigned colour_until_stable(struct finder *finder, colour *colours,
                                    struct chosen_move *chosen)
{
    unsigned before = 0;
    unsigned different = count_different(finder, colours);
    is_affordable(finder, work_of_sorting(finder->colour_count));
    chosen->rounds = 0;
    while (chosen->rounds < ROUNDS_MOST && different > before &&
           is_affordable(finder, work_of_round(finder))) {
        colour_once(finder, colours);
        chosen->fingerprint[chosen->rounds++] = compute_fingerprint(finder, colours);
        before = different;
        different = count_different(finder, colours);
        is_affordable(finder, work_of_sorting(finder->colour_count));
    }
    return different;
}

// ---- Part 1: images of moves --------------------------------------------------------------------

// With the images that are chosen now: the colours before the choice of this move.
static colour *image_colours_at(const struct finder *finder, unsigned at)
{
    return finder->image_colours + (size_t)at * finder->colour_count;
}

// Adds a place for colours. Returns NULL without memory, or if it exceeds the limit.
static struct chosen_move *add_chosen(struct finder *finder)
{
    unsigned count = finder->chosen_count + 1;
    size_t size = finder->colour_count * sizeof(colour);
    assert(size > 0); // there is a colour of the identity
    if (count * size > SYMMETRIES_BYTES_MOST) {
        finder->stopped = true;
        return NULL;
    }
    struct chosen_move *chosen = realloc(finder->chosen, count * sizeof *chosen);
    if (chosen) {
        finder->chosen = chosen;
    }
    colour *image_colours = realloc(finder->image_colours, count * size);
    if (image_colours) {
        finder->image_colours = image_colours;
    }
    if (!chosen || !image_colours) {
        finder->stopped = finder->no_memory = true;
        return NULL;
    }
    chosen[finder->chosen_count] = (struct chosen_move){.rounds = 0};
    return &chosen[finder->chosen_count++];
}

static void mark_move(const struct finder *finder, unsigned move, colour *colours)
{
    colours[finder->degree + move] = scramble(colours[finder->degree + move] + CHOSEN);
}

// Sorts the colours of the moves. Finds the first move of some colours that several moves have.
// Returns how many.
static unsigned find_repeated_moves(struct finder *finder, unsigned *moves)
{
    unsigned count = 0;
    const struct numbered_colour *sorted = finder->sorted;
    sort_colours(finder, finder->colours + finder->degree, finder->moves.count);
    is_affordable(finder, work_of_sorting(finder->moves.count));
    for (unsigned i = 1; i < finder->moves.count && count < TRIES_MOST; i++) {
        bool begins = i == 1 || sorted[i - 2].colour != sorted[i - 1].colour;
        if (begins && sorted[i - 1].colour == sorted[i].colour) {
            moves[count++] = sorted[i - 1].number;
        }
    }
    return count;
}

// Chooses one of these moves: the one that then distinguishes the most points and moves. That
// leaves the search fewer choices, and brings contradictions to light early.
static void choose_move(struct finder *finder, const unsigned *moves, unsigned count,
                        struct chosen_move *chosen)
{
    unsigned most = 0;
    for (unsigned i = 0; i < count; i++) {
        memcpy(finder->tried, finder->colours, finder->colour_count * sizeof(colour));
        mark_move(finder, moves[i], finder->tried);
        unsigned different = colour_until_stable(finder, finder->tried, chosen);
        if (different > most) {
            most = different;
            chosen->move = moves[i];
        }
    }
    chosen->before = finder->colours[finder->degree + chosen->move];
    mark_move(finder, chosen->move, finder->colours);
    colour_until_stable(finder, finder->colours, chosen);
}

// Chooses moves until all moves have different colours. The last of `chosen` is no choice, but has
// the colours after all choices.
static void choose_moves(struct finder *finder)
{
    struct chosen_move *chosen = add_chosen(finder);
    if (!chosen) {
        return;
    }
    for (unsigned i = 0; i < finder->colour_count; i++) {
        finder->colours[i] = i < finder->degree;
    }
    colour_until_stable(finder, finder->colours, chosen);
    memcpy(image_colours_at(finder, 0), finder->colours, finder->colour_count * sizeof(colour));
    while (!finder->stopped) {
        unsigned moves[TRIES_MOST];
        unsigned count = find_repeated_moves(finder, moves);
        if (count == 0) {
            memcpy(finder->sorted_moves, finder->sorted,
                   finder->moves.count * sizeof *finder->sorted);
            break;
        }
        choose_move(finder, moves, count, chosen);
        chosen = add_chosen(finder);
    }
}

// Makes the colours after this image of a chosen move. Returns false if they contradict.
static bool choose_image(struct finder *finder, unsigned at, unsigned image)
{
    const struct chosen_move *chosen = &finder->chosen[at];
    colour *colours = image_colours_at(finder, at + 1);
    memcpy(colours, image_colours_at(finder, at), finder->colour_count * sizeof *colours);
    mark_move(finder, image, colours);
    for (unsigned r = 0; r < chosen->rounds; r++) {
        if (!is_affordable(finder, work_of_round(finder))) {
            return false;
        }
        colour_once(finder, colours);
        if (compute_fingerprint(finder, colours) != chosen->fingerprint[r]) {
            return false;
        }
    }
    return true;
}

// After all choices: the image of a move is the move of its colour.
static bool find_move_images(struct finder *finder, const colour *image_colours)
{
    sort_colours(finder, image_colours + finder->degree, finder->moves.count);
    is_affordable(finder, work_of_sorting(finder->moves.count));
    for (unsigned i = 0; i < finder->moves.count; i++) {
        if (finder->sorted[i].colour != finder->sorted_moves[i].colour) {
            return false;
        }
        finder->move_image[finder->sorted_moves[i].number] = (uint16_t)finder->sorted[i].number;
    }
    return !finder->stopped;
}

// ---- Part 2: images of points -------------------------------------------------------------------

static void assign_image(struct finder *finder, unsigned point, unsigned image)
{
    finder->image[point] = image;
    finder->preimage[image] = point;
    finder->assigned[finder->assigned_count++] = (group_point)point;
}

static void take_back_images(struct finder *finder, unsigned assigned)
{
    while (finder->assigned_count > assigned) {
        unsigned point = finder->assigned[--finder->assigned_count];
        finder->preimage[finder->image[point]] = NONE;
        finder->image[point] = NONE;
    }
}

// Assigns images to the points where the moves take one point. Returns false on a contradiction.
static bool assign_neighbours(struct finder *finder, unsigned point)
{
    for (unsigned m = 0; m < finder->moves.count; m++) {
        unsigned to = row_of_move(finder, m)[point];
        unsigned image = row_of_move(finder, finder->move_image[m])[finder->image[point]];
        if (finder->image[to] == NONE && finder->preimage[image] == NONE) {
            assign_image(finder, to, image);
        } else if (finder->image[to] != image) {
            return false;
        }
    }
    return is_affordable(finder, finder->moves.count);
}

// Assigns images to the orbit of a point. Assigns nothing and returns false on a contradiction.
static bool assign_orbit(struct finder *finder, unsigned point, unsigned image)
{
    unsigned before = finder->assigned_count;
    assign_image(finder, point, image);
    for (unsigned i = before; i < finder->assigned_count; i++) {
        if (!assign_neighbours(finder, finder->assigned[i])) {
            take_back_images(finder, before);
            return false;
        }
    }
    return true;
}

// Assigns the first possible image, from `image` on, to an orbit. Returns it, or NONE.
static unsigned assign_next(struct finder *finder, const colour *image_colours, unsigned point,
                            unsigned image)
{
    for (; image < finder->degree; image++) {
        if (!is_affordable(finder, 1)) {
            return NONE;
        }
        if (finder->preimage[image] == NONE && image_colours[image] == finder->colours[point] &&
            assign_orbit(finder, point, image)) {
            return image;
        }
    }
    return NONE;
}

// Checks the assigned images against all moves: is each conjugate the image of its move?
static bool is_symmetry(struct finder *finder)
{
    for (unsigned m = 0; m < finder->moves.count; m++) {
        const group_point *move = row_of_move(finder, m);
        for (unsigned x = 0; x < finder->degree; x++) {
            finder->row[finder->image[x]] = (group_point)finder->image[move[x]];
        }
        if (row_set_find(&finder->moves, finder->row) != finder->move_image[m]) {
            return false;
        }
    }
    return is_affordable(finder, 2 * (uint64_t)finder->degree * finder->moves.count);
}

// Makes room for one more symmetry.
static bool make_symmetry_room(struct finder *finder)
{
    struct point_symmetries *found = finder->found;
    if (found->count < finder->room) {
        return true;
    }
    uint32_t room = finder->room < finder->most / 2 ? 2 * finder->room + 1 : finder->most;
    group_point *rows = realloc(found->rows, (size_t)room * found->degree * sizeof *rows);
    if (rows) {
        found->rows = rows;
    }
    size_t size = (size_t)room * found->move_count * sizeof *found->moves;
    uint16_t *moves = realloc(found->moves, size + 1);
    if (moves) {
        found->moves = moves;
    }
    if (!rows || !moves) {
        finder->stopped = finder->no_memory = true;
        return false;
    }
    finder->room = room;
    return true;
}

static void keep_symmetry(struct finder *finder)
{
    struct point_symmetries *found = finder->found;
    if (found->count == finder->most) {
        finder->stopped = true;
        return;
    }
    if (!is_affordable(finder, found->degree + found->move_count) || !make_symmetry_room(finder)) {
        return;
    }
    group_point *row = found->rows + (size_t)found->count * found->degree;
    uint16_t *moves = found->moves + (size_t)found->count * found->move_count;
    for (unsigned x = 0; x < found->degree; x++) {
        row[x] = (group_point)finder->image[x];
    }
    for (unsigned m = 0; m < found->move_count; m++) {
        moves[m] = finder->first_of[finder->move_image[finder->number_of[m]]];
    }
    found->count++;
}

// Keeps the symmetries with these images of moves, in the order of their rows. The orbits come in
// the order of their least points.
//
// The first possible image of each orbit leads to a symmetry if there is one. Two orbits that can
// have the same image are alike, so it does not matter which of them takes it.
static void assign_points(struct finder *finder, const colour *image_colours)
{
    unsigned orbit_count = 0;
    unsigned point = 0;
    unsigned image = 0; // the first one to try
    while (!finder->stopped) {
        struct orbit_image *orbit = &finder->orbits[orbit_count];
        *orbit = (struct orbit_image){.point = point, .assigned = finder->assigned_count};
        orbit->image = assign_next(finder, image_colours, point, image);
        if (orbit->image != NONE) {
            orbit_count++;
            while (point < finder->degree && finder->image[point] != NONE) {
                point++;
            }
            image = 0;
            if (point < finder->degree) {
                continue;
            }
            if (is_symmetry(finder)) {
                keep_symmetry(finder);
            }
        }
        if (finder->choice == SYMMETRIES_BY_MOVES || orbit_count == 0) {
            break;
        }
        orbit = &finder->orbits[--orbit_count];
        take_back_images(finder, orbit->assigned);
        point = orbit->point;
        image = orbit->image + 1;
    }
    take_back_images(finder, 0);
}

// ---- The whole search ---------------------------------------------------------------------------

// Chooses images for the chosen moves from one on, in all ways. The first image of a move is the
// move itself, so that the identity is found first.
static void search_images(struct finder *finder, unsigned at)
{
    const struct chosen_move *chosen = &finder->chosen[at];
    const colour *colours = image_colours_at(finder, at);
    if (at == finder->chosen_count - 1) {
        if (find_move_images(finder, colours)) {
            assign_points(finder, colours);
        }
        return;
    }
    for (unsigned i = 0; i < finder->moves.count && !finder->stopped; i++) {
        unsigned image = i == 0 ? chosen->move : i - (i <= chosen->move);
        if (colours[finder->degree + image] == chosen->before && choose_image(finder, at, image)) {
            search_images(finder, at + 1);
        }
    }
}

// Lists the cycles of the moves.
static void find_cycles(struct finder *finder)
{
    group_point *end = finder->cycles;
    uint16_t *length = finder->cycle_lengths;
    unsigned *listed = finder->image; // by point: the last move + 1 that has it in a cycle
    memset(listed, 0, finder->degree * sizeof *listed);
    for (unsigned m = 0; m < finder->moves.count; m++) {
        const group_point *move = row_of_move(finder, m);
        finder->cycle_counts[m] = 0;
        for (unsigned x = 0; x < finder->degree; x++) {
            if (move[x] == x || listed[x] == m + 1) {
                continue;
            }
            const group_point *begin = end;
            for (unsigned y = x; listed[y] != m + 1; y = move[y]) {
                listed[y] = m + 1;
                *end++ = (group_point)y;
            }
            *length++ = (uint16_t)(end - begin);
            finder->cycle_counts[m]++;
        }
    }
    finder->cycle_points = (uint64_t)(end - finder->cycles);
}

// Adds the product of two moves if it is a move or the identity. Returns false without memory.
static bool add_product(struct finder *finder, unsigned first, unsigned second)
{
    bool is_identity = true;
    for (unsigned x = 0; x < finder->degree; x++) {
        finder->row[x] = row_of_move(finder, second)[row_of_move(finder, first)[x]];
        is_identity &= finder->row[x] == x;
    }
    uint32_t number = row_set_find(&finder->moves, finder->row);
    number = number == ROW_NONE && is_identity ? finder->moves.count : number;
    if (number == ROW_NONE) {
        return true;
    }
    if (finder->product_count == finder->product_room) {
        unsigned room = 2 * finder->product_room + 64;
        struct product *products = realloc(finder->products, room * sizeof *products);
        if (!products) {
            return false;
        }
        finder->products = products;
        finder->product_room = room;
    }
    finder->products[finder->product_count++] =
        (struct product){(uint16_t)first, (uint16_t)second, (uint16_t)number};
    return true;
}

// Lists the products of all pairs of moves, or only of each move with itself.
static bool list_products(struct finder *finder, bool all)
{
    unsigned count = finder->moves.count;
    finder->product_count = 0;
    for (unsigned m = 0; m < count; m++) {
        for (unsigned second = all ? 0 : m; second < (all ? count : m + 1); second++) {
            if (!add_product(finder, m, second)) {
                return false;
            }
        }
        is_affordable(finder, 2 * (uint64_t)finder->degree * (all ? count : 1));
    }
    return true;
}

// Lists all products if they are cheap to find, and cheap to colour. Returns false without memory.
static bool find_products(struct finder *finder)
{
    uint64_t count = finder->moves.count;
    bool all = count * count * finder->degree <= SYMMETRIES_WORK_MOST / 32;
    if (all && !list_products(finder, true)) {
        return false;
    }
    all &= finder->product_count <= 4 * finder->cycle_points;
    return all || list_products(finder, false);
}

// Lists the moves without repeated ones. Returns false without memory.
static bool list_moves(struct finder *finder, const struct point_moves *moves)
{
    finder->number_of = malloc((moves->count + 1) * sizeof *finder->number_of);
    finder->first_of = malloc((moves->count + 1) * sizeof *finder->first_of);
    if (!finder->number_of || !finder->first_of) {
        return false;
    }
    is_affordable(finder, 2 * (uint64_t)moves->count * moves->degree);
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
    return true;
}

static bool make_rows(struct finder *finder)
{
    size_t degree = finder->degree;
    size_t count = finder->moves.count;
    finder->colour_count = (unsigned)(degree + count + 1);
    size_t colours = finder->colour_count;
    finder->cycles = malloc(count * degree * sizeof *finder->cycles + 1);
    finder->cycle_lengths = malloc(count * (degree / 2) * sizeof *finder->cycle_lengths + 1);
    finder->cycle_counts = malloc(count * sizeof *finder->cycle_counts + 1);
    finder->powers = malloc(degree * sizeof *finder->powers);
    finder->colours = malloc(colours * sizeof *finder->colours);
    finder->tried = malloc(colours * sizeof *finder->tried);
    finder->spare = malloc(colours * sizeof *finder->spare);
    finder->sorted = malloc(colours * sizeof *finder->sorted);
    finder->sorted_moves = malloc(count * sizeof *finder->sorted_moves + 1);
    finder->move_image = malloc(count * sizeof *finder->move_image + 1);
    finder->image = malloc(degree * sizeof *finder->image);
    finder->preimage = malloc(degree * sizeof *finder->preimage);
    finder->assigned = malloc(degree * sizeof *finder->assigned);
    finder->orbits = malloc(degree * sizeof *finder->orbits);
    finder->row = malloc(degree * sizeof *finder->row);
    return finder->cycles && finder->cycle_lengths && finder->cycle_counts && finder->powers &&
           finder->colours && finder->tried && finder->spare && finder->sorted &&
           finder->sorted_moves && finder->move_image && finder->image && finder->preimage &&
           finder->assigned && finder->orbits && finder->row;
}

static void free_rows(struct finder *finder)
{
    free(finder->chosen);
    free(finder->image_colours);
    free(finder->number_of);
    free(finder->first_of);
    free(finder->cycles);
    free(finder->cycle_lengths);
    free(finder->cycle_counts);
    free(finder->powers);
    free(finder->products);
    free(finder->colours);
    free(finder->tried);
    free(finder->spare);
    free(finder->sorted);
    free(finder->sorted_moves);
    free(finder->move_image);
    free(finder->image);
    free(finder->preimage);
    free(finder->assigned);
    free(finder->orbits);
    free(finder->row);
    row_set_close(&finder->moves);
}

static void search_symmetries(struct finder *finder)
{
    finder->powers[0] = 1;
    for (unsigned i = 1; i < finder->degree; i++) {
        finder->powers[i] = finder->powers[i - 1] * FACTOR;
    }
    find_cycles(finder);
    if (!find_products(finder)) {
        finder->no_memory = true;
        return;
    }
    for (unsigned x = 0; x < finder->degree; x++) {
        finder->image[x] = finder->preimage[x] = NONE;
    }
    choose_moves(finder);
    if (!finder->stopped) {
        search_images(finder, 0);
    }
    finder->found->complete = !finder->stopped;
}

static bool keep_identity(struct finder *finder)
{
    struct point_symmetries *found = finder->found;
    if (!make_symmetry_room(finder)) {
        return false;
    }
    for (unsigned x = 0; x < found->degree; x++) {
        found->rows[x] = (group_point)x;
    }
    for (unsigned m = 0; m < found->move_count; m++) {
        found->moves[m] = finder->number_of ? finder->first_of[finder->number_of[m]] : (uint16_t)m;
    }
    found->count = 1;
    return true;
}

bool point_symmetries_find(const struct point_moves *moves, enum symmetry_choice choice,
                           uint32_t most, struct point_symmetries *symmetries)
{
    assert(moves->degree >= 1 && moves->degree <= GROUP_DEGREE_MOST);
    assert(moves->count <= UINT16_MAX && most >= 1);
    struct finder finder = {
        .degree = moves->degree, .choice = choice, .most = most, .found = symmetries};
    *symmetries = (struct point_symmetries){.degree = moves->degree, .move_count = moves->count};
    row_set_open(&finder.moves, moves->degree);
    if ((uint64_t)moves->degree * moves->count <= SYMMETRIES_ENTRIES_MOST) {
        finder.no_memory = !list_moves(&finder, moves) || !make_rows(&finder);
        if (!finder.no_memory) {
            search_symmetries(&finder);
        }
    }
    // A limit may have stopped the search before it came to the identity.
    if (!finder.no_memory && symmetries->count == 0) {
        finder.no_memory = !keep_identity(&finder);
    }
    free_rows(&finder);
    return !finder.no_memory;
}

void point_symmetries_free(struct point_symmetries *symmetries)
{
    free(symmetries->rows);
    free(symmetries->moves);
    *symmetries = (struct point_symmetries){.degree = 0};
}
