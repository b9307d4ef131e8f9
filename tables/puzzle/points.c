// Turns cells into points.
#include "puzzle/points.h"

#include <stdlib.h>

// The orientations of a segment of pieces, or NULL.
static const struct segment *find_turns(const struct puzzle *puzzle, const struct segment *pieces)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        if (segment->kind == SEGMENT_ORIENTATION && segment->pieces == (int)pieces->first) {
            return segment;
        }
    }
    return NULL;
}

static bool add_slots(struct points *points, const struct puzzle *puzzle,
                      const struct segment *pieces, const struct segment *turns)
{
    const struct segment *any = pieces ? pieces : turns;
    for (unsigned i = 0; i < any->length; i++) {
        unsigned count = turns ? turns->symbols : 1;
        if (points->count + count > POINTS_MOST || count > TURNS_MOST) {
            return false;
        }
        points->slots[points->slot_count] =
            (struct point_slot){.piece = pieces ? (int)(pieces->first + i) : -1,
                                .turn = turns ? (int)(turns->first + i) : -1,
                                .home_first = points->slot_count - i,
                                .turns = count,
                                .first = points->count,
                                .place = puzzle->definition->sets[any->set].first + i};
        for (unsigned t = 0; t < count; t++) {
            points->slot_of[points->count++] = (uint8_t)points->slot_count;
        }
        points->slot_count++;
    }
    return true;
}

static bool find_slots(struct points *points, const struct puzzle *puzzle)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        bool fits = true;
        if (segment->kind == SEGMENT_ARRANGEMENT || segment->kind == SEGMENT_MULTISET) {
            fits = add_slots(points, puzzle, segment, find_turns(puzzle, segment));
        } else if (segment->kind == SEGMENT_ORIENTATION && segment->pieces < 0) {
            fits = add_slots(points, puzzle, NULL, segment);
        } else if (segment->kind != SEGMENT_ORIENTATION) {
            return false;
        }
        if (!fits) {
            return false;
        }
    }
    return true;
}

static void fill_turned(struct points *points)
{
    for (unsigned x = 0; x < points->count; x++) {
        const struct point_slot *slot = &points->slots[points->slot_of[x]];
        for (unsigned t = 0; t < TURNS_MOST; t++) {
            points->turned[t][x] = (uint8_t)(slot->first + (x - slot->first + t) % slot->turns);
        }
    }
}

// A move takes the value of each cell from another one, so a point goes the other way.
static void fill_row(const struct points *points, const struct move *move, group_point *row)
{
    for (unsigned i = 0; i < points->slot_count; i++) {
        const struct point_slot *slot = &points->slots[i];
        unsigned from = i;
        if (slot->piece >= 0) {
            from = slot->home_first + move->from[slot->piece] -
                   (unsigned)points->slots[slot->home_first].piece;
        }
        unsigned add = slot->turn >= 0 ? move->add[slot->turn] : 0;
        for (unsigned t = 0; t < slot->turns; t++) {
            row[points->slots[from].first + t] =
                (group_point)(slot->first + (t + add) % slot->turns);
        }
    }
}

bool points_make(struct points *points, const struct puzzle *puzzle, bool *fits)
{
    *points = (struct points){.move_count = puzzle->move_count};
    *fits = find_slots(points, puzzle);
    if (!*fits) {
        return true;
    }
    fill_turned(points);
    points->rows = malloc((size_t)puzzle->move_count * points->count * sizeof *points->rows);
    for (unsigned m = 0; m < puzzle->move_count && points->rows; m++) {
        fill_row(points, &puzzle->moves[m], points->rows + (size_t)m * points->count);
    }
    return points->rows;
}

void points_free(struct points *points)
{
    free(points->rows);
    points->rows = NULL;
}

void points_read(const struct points *points, const uint8_t *relative, uint8_t *at, uint8_t *has)
{
    for (unsigned i = 0; i < points->slot_count; i++) {
        const struct point_slot *slot = &points->slots[i];
        unsigned home = slot->piece >= 0 ? slot->home_first + relative[slot->piece] : i;
        unsigned turn = slot->turn >= 0 ? relative[slot->turn] : 0;
        at[home] = (uint8_t)(slot->first + turn);
        has[i] = (uint8_t)(points->slots[home].first + (slot->turns - turn) % slot->turns);
    }
}

static bool counts_turn(const struct puzzle *puzzle, const struct point_slot *slot, unsigned i,
                        unsigned piece)
{
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        if (slot->turn >= (int)segment->first &&
            slot->turn < (int)(segment->first + segment->length)) {
            return !segment->ignored[slot->piece >= 0 ? piece : i - slot->home_first];
        }
    }
    return false;
}

void points_read_labels(const struct points *points, const struct puzzle *puzzle,
                        const uint8_t *state, uint8_t *label)
{
    uint8_t at[POINTS_MOST];
    uint8_t has[POINTS_MOST];
    points_read(points, state, at, has);
    for (unsigned i = 0; i < points->slot_count; i++) {
        const struct point_slot *slot = &points->slots[i];
        const struct point_slot *home = &points->slots[points->slot_of[has[i]]];
        unsigned piece = points->slot_of[has[i]] - slot->home_first;
        bool counts = slot->turns == 1 || counts_turn(puzzle, slot, i, piece);
        for (unsigned t = 0; t < slot->turns; t++) {
            label[slot->first + t] = counts ? points->turned[t][has[i]] : (uint8_t)home->first;
        }
    }
}

bool points_are_illegal(const struct points *points, const struct puzzle *puzzle, unsigned point,
                        unsigned label)
{
    const struct point_slot *slot = &points->slots[points->slot_of[point]];
    const bool *illegal = puzzle->definition->illegal;
    unsigned home = points->slot_of[label];
    return illegal && slot->piece >= 0 && slot->home_first == points->slots[home].home_first &&
           illegal[(size_t)slot->place * PIECES_OF_SET_MOST + (home - slot->home_first)];
}
