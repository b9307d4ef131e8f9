// Finds out which points look alike in every state, and gives the pruning automaton one point for
// all of them: a *look*.
//
// Points look alike if they have the same label in the solved state, and if each move brings there
// what was at points that look alike. This is how a finite-state machine is made minimal (E. F.
// Moore, "Gedanken-experiments on sequential machines", 1956): begin with the labels, and take
// points apart until nothing changes. So a move that only exchanges pieces that look alike, or that
// turns pieces whose orientations do not count, keeps all looks.
#include "point_automaton.h"

#include "tables/base/row_set.h"
#include "tables/families/permutation/point_view.h"

#include <stdlib.h>
#include <string.h>

// The looks of a puzzle's points, and the moves as the automaton needs them.
struct looks {
    const struct puzzle *puzzle;
    const struct point_view *view;
    uint16_t of[POINTS_MOST];     // by point: its look
    uint16_t sample[POINTS_MOST]; // by look: one of its points
    unsigned count;
    uint16_t *moves;               // by move and look: the look whose content a move brings there
    uint16_t slot_of[POINTS_MOST]; // by look: the first look of the same slot
    struct illegal_content *illegal;
    struct automaton_moves automaton;
};

// Returns a row by point: the point whose content a move brings there.
static const chain_point *move_sources(const struct looks *looks, unsigned move)
{
    return looks->view->moves + (size_t)(move + looks->view->move_count) * looks->view->degree;
}

// Takes points apart once: two points keep one look only if they have one, and if each move brings
// one look to both. Numbers the looks anew. Returns their number, or ROW_NONE if memory runs out.
static uint32_t split_looks(struct looks *looks)
{
    unsigned points = looks->view->slot_points;
    unsigned moves = looks->puzzle->move_count;
    uint16_t seen[MOVES_MOST + 1];  // the look of a point, and those that the moves bring there
    uint16_t of[POINTS_MOST] = {0}; // the new looks
    struct row_set set;
    row_set_open(&set, moves + 1);
    uint32_t count = 0;
    for (unsigned x = 0; x < points && count != ROW_NONE; x++) {
        seen[0] = looks->of[x];
        for (unsigned m = 0; m < moves; m++) {
            seen[m + 1] = looks->of[move_sources(looks, m)[x]];
        }
        uint32_t look = row_set_add(&set, seen);
        of[x] = (uint16_t)look;
        count = look == ROW_NONE ? ROW_NONE : set.count;
    }
    row_set_close(&set);
    if (count != ROW_NONE) {
        memcpy(looks->of, of, points * sizeof *of);
    }
    return count;
}

// Finds the look of each point: begins with the labels in the solved state, and takes points apart
// until their number stays the same. Returns false if memory runs out.
static bool find_looks(struct looks *looks)
{
    point_view_read_labels(looks->view, looks->view->root, looks->of);
    uint32_t before;
    uint32_t count = 0;
    do {
        before = count;
        count = split_looks(looks);
    } while (count != before && count != ROW_NONE);
    looks->count = count;
    return count != ROW_NONE;
}

// Fills in what each move does with looks. Any point of a look tells, so it takes the first.
static void fill_moves(struct looks *looks)
{
    for (unsigned x = looks->view->slot_points; x-- > 0;) {
        looks->sample[looks->of[x]] = (uint16_t)x;
    }
    for (unsigned m = 0; m < looks->puzzle->move_count; m++) {
        for (unsigned l = 0; l < looks->count; l++) {
            looks->moves[(size_t)m * looks->count + l] =
                looks->of[move_sources(looks, m)[looks->sample[l]]];
        }
    }
}

// Gives all looks of the points of one slot the same number: that of the least one. However a piece
// is turned, it is the same piece that may be illegal there.
static void find_slots(struct looks *looks)
{
    const struct point_view *view = looks->view;
    for (unsigned l = 0; l < looks->count; l++) {
        const struct view_slot *slot = &view->slots[view->slot_of[looks->sample[l]]];
        looks->slot_of[l] = looks->of[slot->first];
        for (unsigned t = 1; t < slot->turns; t++) {
            uint16_t other = looks->of[slot->first + t];
            looks->slot_of[l] = other < looks->slot_of[l] ? other : looks->slot_of[l];
        }
    }
}

// Lists what is illegal: for each thing, the slots that must not hold its pieces. They are one
// kind, which is numbered only if there is such a slot. The second of two things that have the same
// slots is left out. The list has room for each pair of slots.
static void list_illegal(struct looks *looks)
{
    const struct point_view *view = looks->view;
    struct automaton_moves *moves = &looks->automaton;
    for (unsigned t = 0; t < view->thing_count; t++) {
        const struct view_slot *home = point_view_home(view, t);
        unsigned before = moves->illegal_count;
        for (unsigned i = 0; i < view->slot_count && !view->things[t].after_alone; i++) {
            unsigned first = view->slots[i].first;
            if (point_view_forbids(view, looks->puzzle, first, home->first)) {
                looks->illegal[moves->illegal_count++] =
                    (struct illegal_content){looks->of[first], (uint16_t)moves->kind_count};
            }
        }
        if (moves->illegal_count > before) {
            moves->kind_count++;
        }
    }
}

// Builds the automaton from the looks. Returns false if memory runs out.
static bool build_automaton(struct looks *looks, struct pruning_automaton *automaton,
                            struct fewest_error *error)
{
    static const struct automaton_limits LIMITS = {PRUNED_LENGTH_MOST, PRUNING_ENTRIES,
                                                   PRUNING_BYTES};
    unsigned moves = looks->puzzle->move_count;
    const uint16_t *rows[MOVES_MOST];
    fill_moves(looks);
    find_slots(looks);
    for (unsigned m = 0; m < moves; m++) {
        rows[m] = looks->moves + (size_t)m * looks->count;
    }
    looks->automaton = (struct automaton_moves){.count = moves,
                                                .permutations = rows,
                                                .points = looks->count,
                                                .slot_of = looks->slot_of,
                                                .illegal = looks->illegal};
    list_illegal(looks);
    return pruning_automaton_build(automaton, &looks->automaton, &LIMITS, error);
}

bool point_automaton_build(struct pruning_automaton *automaton, const struct puzzle *puzzle,
                           struct fewest_error *error)
{
    const struct point_view *view = permutation_view(puzzle);
    size_t slots = view->slot_count;
    struct looks looks = {.puzzle = puzzle, .view = view};
    looks.moves =
        malloc(((size_t)puzzle->move_count * view->slot_points + 1) * sizeof *looks.moves);
    looks.illegal = malloc((slots * slots + 1) * sizeof *looks.illegal);
    bool found = looks.moves && looks.illegal && find_looks(&looks);
    bool built = found ? build_automaton(&looks, automaton, error)
                       : error_no_memory(error, "for the search");
    free(looks.moves);
    free(looks.illegal);
    return built;
}
