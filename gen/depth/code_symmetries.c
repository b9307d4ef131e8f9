// Finds what the symmetries of a puzzle make of codes, and the least state of a class.
#include "code_symmetries.h"

#include "tables/base/array.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// ---- Images -------------------------------------------------------------------------------------

// Returns the changes of a slot, one for each symmetry.
static struct code_change *images_of(const struct state_codes *codes, unsigned slot)
{
    return codes->images + (size_t)slot * codes->symmetry_room;
}

// Makes room for the images and their tables: one table for each symmetry and number of turns. Sets
// *fits to false if they would be too large. Returns false if memory runs out.
static bool make_images(struct state_codes *codes, unsigned symmetries, bool *fits)
{
    static const uint64_t BYTES_MOST = UINT64_C(64) << 20;
    uint64_t entries = (uint64_t)codes->turns * (symmetries + 1) * codes->count;
    uint64_t images = (uint64_t)codes->changing * symmetries;
    *fits = entries * sizeof *codes->tables + images * sizeof *codes->images <= BYTES_MOST;
    if (!*fits) {
        return true;
    }
    uint16_t *tables = realloc(codes->tables, (size_t)entries * sizeof *tables);
    if (!tables) {
        return false;
    }
    codes->tables = tables;
    codes->images = array_make(images, sizeof *codes->images);
    codes->symmetry_room = symmetries;
    codes->sources = array_make(codes->changing + 1u, sizeof *codes->sources);
    codes->least = array_make((uint64_t)codes->changing * codes->count, sizeof *codes->least);
    return codes->images && codes->sources && codes->least;
}

// The point that a symmetry of a list takes to another one.
static unsigned find_point(const struct state_symmetries *symmetries, unsigned listed,
                           unsigned image)
{
    const chain_point *to = symmetries->to + (size_t)listed * symmetries->width;
    unsigned x = 0;
    while (to[x] != image) {
        x++;
    }
    return x;
}

static unsigned slot_of_point(const struct state_codes *codes, unsigned point)
{
    return codes->view ? codes->view->slot_of[point] : point;
}

// Fills in symmetry `number` of the codes from one of the list. The symmetry renames label l to
// renamed[l]. It takes a point x to the first point of slot i; x may be in slot i, too. The label
// at x follows from the label at the first point of x's slot and the turns between the two points.
static void fill_image(struct state_codes *codes, const struct state_symmetries *symmetries,
                       unsigned listed, unsigned number)
{
    const chain_point *renamed = symmetries->label + (size_t)listed * POINTS_MOST;
    size_t entries = (size_t)codes->turns * codes->count;
    uint16_t *tables = codes->tables + (number + 1) * entries;
    for (size_t e = 0; e < entries; e++) {
        tables[e] = codes->code_of[renamed[codes->label_of[codes->tables[e]]]];
    }
    for (unsigned i = 0; i < codes->changing; i++) {
        unsigned x = find_point(symmetries, listed, codes->slots[i].first);
        unsigned from = slot_of_point(codes, x);
        size_t turns = x - codes->slots[from].first;
        size_t table = turns * codes->count + (number + 1) * entries;
        images_of(codes, i)[number] = (struct code_change){
            .slot = (uint16_t)i, .from = (uint16_t)from, .table = (uint32_t)table};
    }
}

// Fills in what symmetry `number` makes of a state.
static void write_image(const struct state_codes *codes, unsigned number, const uint16_t *state,
                        uint16_t *image)
{
    memcpy(image, state, codes->slot_count * sizeof *image);
    for (unsigned i = 0; i < codes->changing; i++) {
        const struct code_change *change = &images_of(codes, i)[number];
        image[i] = codes->tables[change->table + state[change->from]];
    }
}

// Does symmetry `number` take each goal to a goal?
static bool keeps_goals(const struct state_codes *codes, unsigned number)
{
    uint16_t image[CODES_MOST];
    unsigned goals = codes->puzzle->goal_count;
    for (unsigned g = 0; g < goals; g++) {
        unsigned h = 0;
        write_image(codes, number, codes_goal(codes, g), image);
        while (h < goals &&
               memcmp(codes_goal(codes, h), image, codes->slot_count * sizeof *image) != 0) {
            h++;
        }
        if (h == goals) {
            return false;
        }
    }
    return true;
}

// Fills in the least codes of the newest source.
static void find_least_codes(struct state_codes *codes)
{
    const struct code_source *source = &codes->sources[codes->source_count - 1];
    uint16_t *least = codes->least + (size_t)(codes->source_count - 1) * codes->count;
    memset(least, 0xFF, codes->count * sizeof *least); // more than any code
    for (unsigned s = source->first; s < codes->symmetry_count; s++) {
        const uint16_t *table = codes->tables + images_of(codes, 0)[s].table;
        for (unsigned code = 0; code < codes->count; code++) {
            least[code] = table[code] < least[code] ? table[code] : least[code];
        }
    }
}

// Adds those symmetries of a list that keep the goals, and take a slot to the first one.
static void add_source(struct state_codes *codes, const struct state_symmetries *symmetries,
                       unsigned slot)
{
    unsigned before = codes->symmetry_count;
    for (unsigned listed = 0; listed < symmetries->count; listed++) {
        unsigned point = find_point(symmetries, listed, codes->slots[0].first);
        if (slot_of_point(codes, point) == slot) {
            fill_image(codes, symmetries, listed, codes->symmetry_count);
            codes->symmetry_count += keeps_goals(codes, codes->symmetry_count);
        }
    }
    if (codes->symmetry_count > before) {
        codes->sources[codes->source_count++] = (struct code_source){slot, before};
        codes->sources[codes->source_count].first = codes->symmetry_count;
        find_least_codes(codes);
    }
}

// Adds those symmetries of a list that keep the goals. Returns false if memory runs out.
static bool add_listed(struct state_codes *codes, const struct state_symmetries *symmetries)
{
    bool fits;
    if (!make_images(codes, symmetries->count, &fits)) {
        return false;
    }
    if (fits) {
        codes->symmetry_count = 0; // the identity is one of the list
        for (unsigned i = 0; i < codes->changing; i++) {
            add_source(codes, symmetries, i);
        }
    }
    return true;
}

// If moves do not connect the goals, or nobody knows, a symmetry that keeps the root may do
// anything to states that moves from the root do not reach.
static bool has_connected_goals(const struct puzzle *puzzle)
{
    if (puzzle->goal_count == 1) {
        return true;
    }
    return puzzle->component_count == 1 && puzzle_is_numbered(puzzle) &&
           !puzzle_is_too_large(puzzle);
}

bool code_symmetries_add(struct state_codes *codes, struct fewest_error *error)
{
    struct state_symmetries symmetries;
    if (codes->changing == 0 || !has_connected_goals(codes->puzzle)) {
        return true;
    }
    bool found = state_symmetries_find(&symmetries, codes->puzzle, STATE_SYMMETRIES_ALL, error);
    bool done = found || error->status == FEWEST_BEYOND;
    if (found && symmetries.count <= CODE_SYMMETRIES_MOST) {
        done = add_listed(codes, &symmetries) || error_no_memory(error, "for the symmetries");
    }
    state_symmetries_free(&symmetries);
    return done;
}

// ---- Least states -------------------------------------------------------------------------------

// Lists the symmetries whose images have the least code in the first slot. Returns their number.
// Only looks at those from a few slots, which makes a search of the 3x3x3 1.3 x as fast (2026-11).
static unsigned begin_least(const struct state_codes *codes, const uint16_t *state, uint16_t *left)
{
    const struct code_change *changes = images_of(codes, 0);
    unsigned least = UINT_MAX;
    unsigned count = 0;
    for (unsigned i = 0; i < codes->source_count; i++) {
        const struct code_source *source = &codes->sources[i];
        unsigned from = state[source->slot];
        unsigned code = codes->least[(size_t)i * codes->count + from];
        if (code > least) {
            continue;
        }
        if (code < least) {
            least = code;
            count = 0;
        }
        for (unsigned s = source->first; s < source[1].first; s++) {
            left[count] = (uint16_t)s; // before the question: so there is no branch
            if (codes->tables[changes[s].table + from] == least) {
                count++;
            }
        }
    }
    return count;
}

// Keeps the symmetries whose images have the least code in a slot. Returns their number.
static unsigned keep_least(const struct state_codes *codes, unsigned slot, const uint16_t *state,
                           uint16_t *left, unsigned count)
{
    const struct code_change *changes = images_of(codes, slot);
    unsigned least = UINT_MAX;
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct code_change *change = &changes[left[i]];
        unsigned code = codes->tables[change->table + state[change->from]];
        if (code < least) {
            least = code;
            kept = 0;
        }
        if (code == least) {
            left[kept++] = left[i];
        }
    }
    return kept;
}

// Goes from slot to slot, and keeps the symmetries whose images have the least code there. After
// two or three slots, only one is left of most states. If several are left at the end, their images
// are equal: they differ by the symmetries that keep the state, and are as many.
unsigned codes_find_least(const struct state_codes *codes, const uint16_t *state, uint16_t *least)
{
    uint16_t left[CODE_SYMMETRIES_MOST];
    if (codes->symmetry_count == 1) {
        memcpy(least, state, codes->slot_count * sizeof *least);
        return 1;
    }
    left[0] = 0; // for static analyzers: at least one is left
    unsigned count = begin_least(codes, state, left);
    for (unsigned i = 1; i < codes->changing && count > 1; i++) {
        count = keep_least(codes, i, state, left, count);
    }
    write_image(codes, left[0], state, least);
    return count;
}
