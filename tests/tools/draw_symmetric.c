// Draws random small puzzles whose moves have symmetries. A random *relabelling* takes slots to
// slots, turns the pieces there, and may mirror them. The moves of a puzzle are one or two random
// moves and all that relabellings make of them.
#include "draw_symmetric.h"

#include "support.h"

#include <string.h>

static unsigned below(unsigned bound)
{
    return support_random_below(bound);
}

struct relabelling {
    struct sets_move move; // may take a slot to one of another set of as many orientations
    bool mirrors;          // it turns each orientation around
};

// ---- Relabellings -------------------------------------------------------------------------------

// Moves without points to turn are equal if their rows are.
static bool are_equal(const struct sets_puzzle *puzzle, const struct sets_move *a,
                      const struct sets_move *b)
{
    return memcmp(a->from, b->from, puzzle->slot_count) == 0 &&
           memcmp(a->turn, b->turn, puzzle->slot_count) == 0;
}

static void clear_move(const struct sets_puzzle *puzzle, struct sets_move *move)
{
    memset(move, 0, sizeof *move);
    for (unsigned i = 0; i < puzzle->slot_count; i++) {
        move->from[i] = (uint8_t)i;
    }
}

// Exchanges the first two sets, slot by slot.
static void exchange_sets(const struct sets_puzzle *puzzle, struct sets_move *move)
{
    unsigned size = puzzle->sets[0].size;
    for (unsigned i = 0; i < size; i++) {
        uint8_t *a = &move->from[i];
        uint8_t *b = &move->from[size + i];
        uint8_t from = *a;
        *a = *b;
        *b = from;
    }
}

// Is the order of a relabelling, without its turns, 2 to 6?
static bool has_small_order(const struct sets_puzzle *puzzle, const struct sets_move *move)
{
    uint8_t at[SETS_TWIN_SLOTS];
    for (unsigned i = 0; i < puzzle->slot_count; i++) {
        at[i] = (uint8_t)i;
    }
    for (unsigned order = 1; order <= 6; order++) {
        bool is_identity = true;
        for (unsigned i = 0; i < puzzle->slot_count; i++) {
            at[i] = move->from[at[i]];
            is_identity = is_identity && at[i] == i;
        }
        if (is_identity) {
            return order > 1;
        }
    }
    return false;
}

static void draw_relabelling(const struct sets_puzzle *puzzle, struct relabelling *relabelling)
{
    const struct sets_set *sets = puzzle->sets;
    bool can_exchange =
        puzzle->set_count == 2 && sets[0].size == sets[1].size && sets[0].turns == sets[1].turns;
    struct sets_move *move = &relabelling->move;
    do {
        clear_move(puzzle, move);
        for (unsigned s = 0; s < puzzle->set_count; s++) {
            support_shuffle(move->from + sets[s].first, sets[s].size);
        }
        if (can_exchange && !support_happens(3)) {
            exchange_sets(puzzle, move);
        }
    } while (!has_small_order(puzzle, move));
    bool turns = support_happens(3);
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        for (unsigned i = 0; turns && i < sets[s].size; i++) {
            move->turn[sets[s].first + i] = (uint8_t)below(sets[s].turns);
        }
    }
    relabelling->mirrors = support_happens(2);
}

// Fills in what a relabelling makes of a move: it is undone, then the move is made, then it is done
// again.
static void conjugate(const struct sets_view *view, const struct relabelling *by,
                      const struct sets_move *move, struct sets_move *out)
{
    struct sets_move inverse;
    struct sets_move mirrored = *move;
    struct sets_move half;
    clear_move(view->puzzle, &inverse);
    clear_move(view->puzzle, &half);
    for (unsigned i = 0; by->mirrors && i < view->puzzle->slot_count; i++) {
        unsigned turns = view->puzzle->sets[view->set_of[i]].turns;
        mirrored.turn[i] = (uint8_t)((turns - move->turn[i]) % turns);
    }
    sets_invert(view, &by->move, &inverse);
    sets_compose(view, &inverse, &mirrored, &half);
    sets_compose(view, &half, &by->move, out);
}

// ---- Moves --------------------------------------------------------------------------------------

// Draws a move that takes pieces of one or two sets around a cycle of two to four slots, turns
// some, or does both.
static void draw_move(const struct sets_puzzle *puzzle, struct sets_move *move)
{
    do {
        clear_move(puzzle, move);
        for (unsigned s = 0; s < puzzle->set_count; s++) {
            const struct sets_set *set = &puzzle->sets[s];
            uint8_t slots[SETS_TWIN_SLOTS];
            unsigned length = 2 + below(3);
            length = length < set->size ? length : set->size;
            for (unsigned i = 0; i < set->size; i++) {
                slots[i] = (uint8_t)(set->first + i);
            }
            support_shuffle(slots, set->size);
            bool permutes = !support_happens(5);
            bool turns = !support_happens(3);
            if (puzzle->set_count > 1 && support_happens(3)) {
                continue;
            }
            for (unsigned i = 0; i < length; i++) {
                move->from[slots[i]] = permutes ? slots[(i + 1) % length] : slots[i];
                move->turn[slots[i]] = turns ? (uint8_t)below(set->turns) : 0;
            }
        }
        struct sets_move still;
        clear_move(puzzle, &still);
        if (!are_equal(puzzle, move, &still)) {
            return;
        }
    } while (true);
}

static bool add_move(struct sets_puzzle *puzzle, const struct sets_move *move)
{
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        if (are_equal(puzzle, &puzzle->moves[m], move)) {
            return true;
        }
    }
    if (puzzle->move_count == SETS_TWIN_MOVES) {
        return false;
    }
    struct sets_move *added = &puzzle->moves[puzzle->move_count++];
    memcpy(added->from, move->from, sizeof added->from);
    memcpy(added->turn, move->turn, sizeof added->turn);
    return true;
}

// Adds all that the relabellings make of the moves. False if they are too many.
static bool close_moves(struct sets_puzzle *puzzle, const struct relabelling *relabellings,
                        unsigned count)
{
    struct sets_view view;
    sets_look(&view, puzzle);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        for (unsigned r = 0; r < count; r++) {
            struct sets_move image;
            clear_move(puzzle, &image);
            conjugate(&view, &relabellings[r], &puzzle->moves[m], &image);
            if (!add_move(puzzle, &image)) {
                return false;
            }
        }
    }
    return true;
}

// ---- The solved state ---------------------------------------------------------------------------

// Gives pieces kinds. Slots that the relabelling exchanges often get the same kind, so that it
// keeps the solved state. Then numbers the kinds of each set without gaps.
static void make_alike(struct sets_puzzle *puzzle, const struct relabelling *relabelling)
{
    uint8_t kind[SETS_TWIN_SLOTS];
    bool strict = !support_happens(4);
    for (unsigned i = 0; i < puzzle->slot_count; i++) {
        kind[i] = (uint8_t)below(4);
    }
    for (unsigned round = 0; strict && round < puzzle->slot_count; round++) {
        for (unsigned i = 0; i < puzzle->slot_count; i++) {
            uint8_t *a = &kind[i];
            uint8_t *b = &kind[relabelling->move.from[i]];
            *a = *b = *a < *b ? *a : *b;
        }
    }
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        int number_of[4] = {-1, -1, -1, -1};
        int numbers = 0;
        for (unsigned i = set->first; i < set->first + set->size; i++) {
            int *number = &number_of[kind[i]];
            *number = *number < 0 ? numbers++ : *number;
            puzzle->piece[i] = (uint8_t)*number;
        }
    }
}

// Ignores the orientations of one kind of pieces, in each set or in one.
static void ignore_kind(struct sets_puzzle *puzzle)
{
    unsigned kind = below(2);
    unsigned first = support_happens(3) ? puzzle->sets[puzzle->set_count - 1].first : 0;
    for (unsigned i = first; i < puzzle->slot_count; i++) {
        puzzle->ignored[i] = puzzle->piece[i] == kind;
    }
}

static void turn_solved(struct sets_puzzle *puzzle)
{
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        for (unsigned i = set->first; i < set->first + set->size; i++) {
            puzzle->orientation[i] = puzzle->ignored[i] ? 0 : (uint8_t)below(set->turns);
        }
    }
}

// ---- Lamps --------------------------------------------------------------------------------------

// Are two lamps neighbours in a circle, a row, a grid of two rows, or two groups that are all
// neighbours of each other?
static bool are_neighbours(unsigned graph, unsigned count, unsigned a, unsigned b)
{
    unsigned distance = a > b ? a - b : b - a;
    switch (graph) {
    case 0:
        return distance == 1 || distance == count - 1;
    case 1:
        return distance == 1;
    case 2:
        return distance == 2 || (distance == 1 && a / 2 == b / 2);
    default:
        return a % 2 != b % 2;
    }
}

static void draw_toggles(struct sets_puzzle *puzzle)
{
    unsigned turns = 2 + below(2);
    unsigned count = turns == 2 ? 3 + below(6) : 3 + below(4);
    unsigned graph = below(4);
    unsigned own = below(turns); // how far a move turns its own lamp
    sets_add(puzzle, count, turns);
    puzzle->move_count = count;
    for (unsigned m = 0; m < count; m++) {
        for (unsigned i = 0; i < count; i++) {
            puzzle->moves[m].turn[i] = are_neighbours(graph, count, m, i) ? 1 : 0;
        }
        puzzle->moves[m].turn[m] = (uint8_t)own;
    }
    if (support_happens(3)) { // one of two sets
        sets_add(puzzle, 1 + below(2), 2);
        for (unsigned m = 0; m < count; m++) {
            puzzle->moves[m].turn[count] = support_happens(4) ? 0 : 1;
        }
    }
}

// ---- Puzzles ------------------------------------------------------------------------------------

static void add_sets(enum symmetric_kind kind, struct sets_puzzle *puzzle)
{
    bool alike = kind == SYMMETRIC_ALIKE;
    bool two = kind == SYMMETRIC_TWO_SETS || (alike && support_happens(3));
    unsigned turns = 1 + below(3);
    if (!two) {
        unsigned most = alike ? 7 : turns == 1 ? 7 : turns == 2 ? 5 : 4;
        sets_add(puzzle, 3 + below(most - 2), turns);
        return;
    }
    unsigned size = 2 + below(turns == 1 ? 3 : 2);
    bool same = !support_happens(3);
    sets_add(puzzle, size, turns);
    sets_add(puzzle, same ? size : 2 + below(3), same ? turns : 1 + below(2));
}

// False if there are too many moves.
static bool draw_conjugates(enum symmetric_kind kind, struct sets_puzzle *puzzle)
{
    struct relabelling relabellings[2];
    struct sets_move move;
    unsigned count = 1 + support_happens(3);
    add_sets(kind, puzzle);
    for (unsigned r = 0; r < count; r++) {
        draw_relabelling(puzzle, &relabellings[r]);
    }
    for (unsigned base = 1 + support_happens(3); base > 0; base--) {
        draw_move(puzzle, &move);
        if (!add_move(puzzle, &move) || !close_moves(puzzle, relabellings, count)) {
            return false;
        }
    }
    if (kind == SYMMETRIC_ALIKE) {
        make_alike(puzzle, &relabellings[0]);
        if (support_happens(3)) {
            ignore_kind(puzzle);
        }
    }
    return true;
}

void draw_symmetric(enum symmetric_kind kind, struct sets_puzzle *puzzle)
{
    struct sets_view view;
    bool drawn = true;
    do {
        sets_begin(puzzle);
        if (kind == SYMMETRIC_TOGGLES) {
            draw_toggles(puzzle);
        } else {
            drawn = draw_conjugates(kind, puzzle);
        }
        sets_look(&view, puzzle);
    } while (!drawn || view.cell_count == 0);
    if (support_happens(4)) {
        turn_solved(puzzle);
    }
    static const enum sets_powers POWERS[] = {SETS_POWERS_ALL, SETS_POWERS_ALL, SETS_POWERS_QUARTER,
                                              SETS_POWERS_NONE};
    puzzle->powers = POWERS[below(4)];
}
