// The twin of counting.
#include "twin_count.h"

#include "twin_misuse.h"

#include <string.h>

static const uint64_t WORK_MOST = 20000000; // points that the search for symmetries assigns

// ---- Points and labels --------------------------------------------------------------------------

// Puts slots into one orbit if a move takes a piece from one to the other.
static void find_orbits(struct count_world *world)
{
    const struct sets_puzzle *puzzle = world->view.puzzle;
    for (unsigned i = 0; i < puzzle->slot_count; i++) {
        world->orbit[i] = i;
    }
    for (unsigned round = 0; round < puzzle->slot_count; round++) {
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            for (unsigned i = 0; i < puzzle->slot_count; i++) {
                unsigned *a = &world->orbit[i];
                unsigned *b = &world->orbit[puzzle->moves[m].from[i]];
                *a = *b = *a < *b ? *a : *b;
            }
        }
    }
}

static bool is_turned(const struct count_world *world, unsigned orbit)
{
    const struct sets_puzzle *puzzle = world->view.puzzle;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        for (unsigned i = 0; i < puzzle->slot_count; i++) {
            if (world->orbit[i] == orbit && puzzle->moves[m].turn[i] != 0) {
                return true;
            }
        }
    }
    return false;
}

static void find_turns(struct count_world *world)
{
    const struct sets_view *view = &world->view;
    for (unsigned i = 0; i < view->puzzle->slot_count; i++) {
        bool turned = is_turned(world, world->orbit[i]);
        world->turns[i] = turned ? view->puzzle->sets[view->set_of[i]].turns : 1;
    }
}

// What a state shows in a slot, if we look at it with this orientation.
static struct count_label show(const struct count_world *world, const uint8_t *row, unsigned slot,
                               unsigned turn)
{
    const struct sets_view *view = &world->view;
    unsigned first = view->puzzle->sets[view->set_of[slot]].first;
    unsigned turns = world->turns[slot];
    unsigned orientation = row[view->puzzle->slot_count + slot];
    struct count_label label = {.orbit = world->orbit[slot], .piece = row[slot]};
    if (view->ignored[first + row[slot]]) {
        return label;
    }
    label.turn = turns > 1 ? (turn + turns - orientation) % turns : orientation;
    return label;
}

static bool are_equal(const struct count_label *a, const struct count_label *b)
{
    return a->orbit == b->orbit && a->piece == b->piece && a->turn == b->turn;
}

// Can states differ in this orbit?
static bool orbit_changes(const struct count_world *world, unsigned orbit)
{
    const struct sets_view *view = &world->view;
    struct count_label first = show(world, view->solved, orbit, 0);
    for (unsigned i = 0; i < view->puzzle->slot_count; i++) {
        for (unsigned t = 0; world->orbit[i] == orbit && t < world->turns[i]; t++) {
            struct count_label label = show(world, view->solved, i, t);
            if (!are_equal(&first, &label)) {
                return true;
            }
        }
    }
    return false;
}

// Numbers the points. False if there are too many.
static bool list_points(struct count_world *world)
{
    for (unsigned i = 0; i < world->view.puzzle->slot_count; i++) {
        world->changes[i] = orbit_changes(world, world->orbit[i]);
        for (unsigned t = 0; world->changes[i] && t < world->turns[i]; t++) {
            if (world->points == COUNT_TWIN_POINTS) {
                return false;
            }
            world->slot[world->points] = (uint8_t)i;
            world->turn[world->points++] = (uint8_t)t;
        }
    }
    return true;
}

static uint8_t find_point(const struct count_world *world, unsigned slot, unsigned turn)
{
    for (unsigned x = 0; x < world->points; x++) {
        if (world->slot[x] == slot && world->turn[x] == turn) {
            return (uint8_t)x;
        }
    }
    die("no such point");
}

// The label of a content: the first point where the solved state has it.
static uint8_t find_label(const struct count_world *world, const struct count_label *content)
{
    for (unsigned x = 0; x < world->points; x++) {
        if (are_equal(&world->content[x], content)) {
            return (uint8_t)x;
        }
    }
    die("no such label");
}

// Fills in the labels of a state that moves can reach.
static void label_row(const struct count_world *world, const uint8_t *row, uint8_t *labels)
{
    for (unsigned x = 0; x < world->points; x++) {
        struct count_label content = show(world, row, world->slot[x], world->turn[x]);
        labels[x] = find_label(world, &content);
    }
}

static void label_solved(struct count_world *world)
{
    for (unsigned x = 0; x < world->points; x++) {
        world->content[x] = show(world, world->view.solved, world->slot[x], world->turn[x]);
    }
    label_row(world, world->view.solved, world->solved);
}

// ---- Moves --------------------------------------------------------------------------------------

// The number of a move that takes the points as the row does, or move_count.
static unsigned find_move(const struct count_world *world, const struct count_row *row)
{
    unsigned m = 0;
    while (m < world->move_count && memcmp(world->moves[m].to, row->to, world->points) != 0) {
        m++;
    }
    return m;
}

static void list_moves(struct count_world *world)
{
    const struct sets_puzzle *puzzle = world->view.puzzle;
    struct sets_move *moves = must_allocate(SETS_TWIN_POWERS, sizeof *moves);
    unsigned count = sets_list_moves(&world->view, false, moves);
    for (unsigned m = 0; m < count; m++) {
        struct count_row row = {{0}};
        for (unsigned i = 0; i < puzzle->slot_count; i++) { // where the pieces arrive
            unsigned from = moves[m].from[i];
            unsigned turns = world->turns[i];
            for (unsigned t = 0; t < turns && world->changes[i]; t++) {
                unsigned turn = (t + moves[m].turn[from]) % turns;
                row.to[find_point(world, from, t)] = find_point(world, i, turn);
            }
        }
        if (find_move(world, &row) == world->move_count) {
            world->moves[world->move_count++] = row;
        }
    }
    free(moves);
}

// ---- States -------------------------------------------------------------------------------------

static bool forbids(const struct count_world *world, unsigned point, unsigned label)
{
    unsigned slot = world->slot[point];
    return world->content[label].orbit == world->orbit[slot] &&
           world->view.puzzle->illegal[slot][world->content[label].piece];
}

static bool is_legal(const struct count_world *world, const uint8_t *labels)
{
    for (unsigned x = 0; x < world->points; x++) {
        if (forbids(world, x, labels[x])) {
            return false;
        }
    }
    return true;
}

// Undoes a move: fills in the state that the move takes to a state.
static bool undo(const void *puzzle, unsigned m, const uint8_t *from, uint8_t *to)
{
    const struct count_world *world = puzzle;
    for (unsigned x = 0; x < world->points; x++) {
        to[x] = from[world->moves[m].to[x]];
    }
    to[world->points] = 0;
    return is_legal(world, from) && is_legal(world, to);
}

// ---- Symmetries ---------------------------------------------------------------------------------

// A part of a symmetry: -1 where it is not known yet.
struct attempt {
    int to[COUNT_TWIN_POINTS];
    int from[COUNT_TWIN_POINTS];
    int renamed[COUNT_TWIN_POINTS]; // by label
    int renamed_from[COUNT_TWIN_POINTS];
};

// The first `count` moves are conjugated to these.
struct conjugates {
    unsigned count;
    unsigned move[SETS_TWIN_POWERS];
};

// Adds a pair to a bijection. False if one of them has another partner.
static bool join(int *to, int *from, unsigned x, unsigned y)
{
    if ((to[x] >= 0 && to[x] != (int)y) || (from[y] >= 0 && from[y] != (int)x)) {
        return false;
    }
    to[x] = (int)y;
    from[y] = (int)x;
    return true;
}

// Takes point x to point y. If the symmetry conjugates m to m', it must then take m(x) to m'(y),
// and so on. False if that is impossible.
static bool assign(struct count_world *world, const struct conjugates *conjugates,
                   struct attempt *attempt, unsigned x, unsigned y)
{
    if (attempt->to[x] == (int)y) {
        return true;
    }
    world->work++;
    if (!join(attempt->to, attempt->from, x, y) ||
        !join(attempt->renamed, attempt->renamed_from, world->solved[x], world->solved[y])) {
        return false;
    }
    for (unsigned m = 0; m < conjugates->count; m++) {
        const struct count_row *image = &world->moves[conjugates->move[m]];
        if (!assign(world, conjugates, attempt, world->moves[m].to[x], image->to[y])) {
            return false;
        }
    }
    return true;
}

// Does a whole symmetry take legal states to legal states?
static bool keeps_legal(const struct count_world *world, const struct attempt *attempt)
{
    for (unsigned x = 0; x < world->points; x++) {
        for (unsigned y = 0; y < world->points; y++) {
            unsigned label = world->solved[y];
            if (forbids(world, x, label) !=
                forbids(world, (unsigned)attempt->to[x], (unsigned)attempt->renamed[label])) {
                return false;
            }
        }
    }
    return true;
}

// Completes a symmetry that conjugates the moves like this. False if there is none.
static bool complete(struct count_world *world, const struct conjugates *conjugates,
                     struct attempt *attempt)
{
    unsigned x = 0;
    while (x < world->points && attempt->to[x] >= 0) {
        x++;
    }
    if (x == world->points) {
        return keeps_legal(world, attempt);
    }
    for (unsigned y = 0; y < world->points && world->work < WORK_MOST; y++) {
        struct attempt next = *attempt;
        if (assign(world, conjugates, &next, x, y) && complete(world, conjugates, &next)) {
            *attempt = next;
            return true;
        }
    }
    return false;
}

static bool is_taken(const struct conjugates *conjugates, unsigned move)
{
    for (unsigned i = 0; i < conjugates->count; i++) {
        if (conjugates->move[i] == move) {
            return true;
        }
    }
    return false;
}

// False if there are too many.
static bool keep_symmetry(struct count_world *world, const struct attempt *attempt)
{
    if (world->symmetry_count == COUNT_TWIN_SYMMETRIES) {
        return false;
    }
    struct count_row *symmetry = &world->symmetries[world->symmetry_count++];
    for (unsigned x = 0; x < world->points; x++) {
        symmetry->to[x] = (uint8_t)attempt->to[x];
    }
    return true;
}

// Finds a symmetry for each way to conjugate all moves that begins with these. False if the search
// has too much work or finds too many.
static bool find_symmetries(struct count_world *world, struct conjugates *conjugates)
{
    struct attempt attempt;
    memset(&attempt, 0xFF, sizeof attempt); // -1
    if (!complete(world, conjugates, &attempt)) {
        return world->work < WORK_MOST;
    }
    if (conjugates->count == world->move_count) {
        return keep_symmetry(world, &attempt);
    }
    for (unsigned m = 0; m < world->move_count; m++) {
        if (is_taken(conjugates, m)) {
            continue;
        }
        conjugates->move[conjugates->count++] = m;
        bool found = find_symmetries(world, conjugates);
        conjugates->count--;
        if (!found) {
            return false;
        }
    }
    return true;
}

// ---- Rotations of the whole ---------------------------------------------------------------------

// The state of a group as a permutation: it takes a point to the point where its label is now.
static void read_element(const struct count_world *world, const uint8_t *labels,
                         struct count_row *element)
{
    *element = (struct count_row){{0}};
    for (unsigned x = 0; x < world->points; x++) {
        for (unsigned y = 0; y < world->points; y++) {
            if (labels[y] == world->solved[x]) {
                element->to[x] = (uint8_t)y;
            }
        }
    }
}

static bool conjugates_moves(const struct count_world *world, const struct count_row *row)
{
    for (unsigned m = 0; m < world->move_count; m++) {
        struct count_row conjugate = {{0}};
        for (unsigned x = 0; x < world->points; x++) {
            conjugate.to[row->to[x]] = row->to[world->moves[m].to[x]];
        }
        if (find_move(world, &conjugate) == world->move_count) {
            return false;
        }
    }
    return true;
}

static void find_rotations(struct count_world *world)
{
    for (size_t i = 0; i < world->states->count; i++) {
        struct count_row element;
        read_element(world, twin_row(world->states, i), &element);
        if (conjugates_moves(world, &element)) {
            world->rotations =
                must_grow(world->rotations, world->rotation_count + 1, sizeof *world->rotations);
            world->rotations[world->rotation_count++] = element;
        }
    }
}

// ---- All of it ----------------------------------------------------------------------------------

bool count_explore(struct count_world *world, const struct sets_puzzle *puzzle, size_t most)
{
    memset(world, 0, sizeof *world);
    sets_look(&world->view, puzzle);
    find_orbits(world);
    find_turns(world);
    if (!list_points(world)) {
        return false;
    }
    label_solved(world);
    list_moves(world);
    struct twin_rules rules = {.puzzle = world,
                               .row_bytes = world->points + 1, // not 0
                               .move_count = world->move_count,
                               .apply = undo};
    world->states = twin_search(&rules, world->solved, most);
    struct conjugates conjugates = {.count = 0};
    if (!world->states || !find_symmetries(world, &conjugates)) {
        count_free(world);
        return false;
    }
    if (world->view.group && !world->view.has_illegal) {
        find_rotations(world);
    }
    return true;
}

void count_free(struct count_world *world)
{
    twin_free(world->states);
    free(world->rotations);
    free(world->distance);
    free(world->class_of);
}

size_t count_find(const struct count_world *world, const uint8_t *cells)
{
    uint8_t row[SETS_TWIN_ROW];
    uint8_t labels[COUNT_TWIN_POINTS + 1] = {0};
    sets_cells_to_row(&world->view, cells, row);
    sets_forget_ignored(&world->view, row);
    label_row(world, row, labels);
    return twin_find(world->states, labels);
}

// The first state of a class.
static size_t find_first(const struct count_world *world, size_t state)
{
    while (world->class_of[state] != state) {
        state = world->class_of[state];
    }
    return state;
}

// Puts two states into one class, whose first state has the lowest number.
static void unite(struct count_world *world, size_t a, size_t b)
{
    if (a >= world->states->count || b >= world->states->count) {
        die("a symmetry takes a state to none");
    }
    a = find_first(world, a);
    b = find_first(world, b);
    world->class_of[a < b ? b : a] = a < b ? a : b;
}

// Puts the states g and g·r together.
static void unite_positions(struct count_world *world, const struct count_row *rotation)
{
    for (size_t i = 0; i < world->states->count; i++) {
        struct count_row element;
        uint8_t labels[COUNT_TWIN_POINTS + 1] = {0};
        read_element(world, twin_row(world->states, i), &element);
        for (unsigned x = 0; x < world->points; x++) {
            labels[element.to[rotation->to[x]]] = world->solved[x];
        }
        unite(world, i, twin_find(world->states, labels));
    }
}

static void unite_images(struct count_world *world, const struct count_row *symmetry)
{
    uint8_t renamed[COUNT_TWIN_POINTS] = {0};
    for (unsigned x = 0; x < world->points; x++) {
        renamed[world->solved[x]] = world->solved[symmetry->to[x]];
    }
    for (size_t i = 0; i < world->states->count; i++) {
        const uint8_t *row = twin_row(world->states, i);
        uint8_t labels[COUNT_TWIN_POINTS + 1] = {0};
        for (unsigned x = 0; x < world->points; x++) {
            labels[symmetry->to[x]] = renamed[row[x]];
        }
        unite(world, i, twin_find(world->states, labels));
    }
}

// A position is as far away as its nearest state.
static void lower_distances(struct count_world *world)
{
    for (size_t i = 0; i < world->states->count; i++) {
        unsigned *first = &world->distance[find_first(world, i)];
        *first = world->distance[i] < *first ? world->distance[i] : *first;
    }
    for (size_t i = 0; i < world->states->count; i++) {
        world->distance[i] = world->distance[find_first(world, i)];
    }
}

// Counts the classes at each distance, whose states must all have this distance.
static void count_classes(const struct count_world *world, uint64_t counts[COUNT_TWIN_DISTANCES])
{
    for (size_t i = 0; i < world->states->count; i++) {
        size_t first = find_first(world, i);
        if (world->distance[i] >= COUNT_TWIN_DISTANCES) {
            die("a state too far away");
        }
        if (world->distance[i] != world->distance[first]) {
            die("states of one class have different distances");
        }
        counts[world->distance[i]] += first == i;
    }
}

static void begin_classes(struct count_world *world)
{
    size_t count = world->states->count;
    world->distance = must_grow(world->distance, count, sizeof *world->distance);
    world->class_of = must_grow(world->class_of, count, sizeof *world->class_of);
    for (size_t i = 0; i < count; i++) {
        world->distance[i] = (unsigned)twin_steps(world->states, i);
        world->class_of[i] = i;
    }
}

void count_all(struct count_world *world, bool positions, struct count_result *result)
{
    *result = (struct count_result){.total = 0};
    begin_classes(world);
    if (positions) {
        for (unsigned r = 0; r < world->rotation_count; r++) {
            unite_positions(world, &world->rotations[r]);
        }
        lower_distances(world);
    }
    count_classes(world, result->states); // each state or position is a class by itself
    for (unsigned s = 0; s < world->symmetry_count; s++) {
        unite_images(world, &world->symmetries[s]);
    }
    count_classes(world, result->classes);
    for (size_t i = 0; i < world->states->count; i++) {
        world->class_of[i] = find_first(world, i);
    }
    for (unsigned d = 0; d < COUNT_TWIN_DISTANCES; d++) {
        result->total += result->states[d];
        result->mean += (double)d * (double)result->states[d];
        result->largest = result->states[d] > 0 ? d : result->largest;
    }
    result->mean /= (double)result->total;
    if (positions && result->total * world->rotation_count != world->states->count) {
        die("the positions have different numbers of states");
    }
}
