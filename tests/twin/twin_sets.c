// A naive twin of puzzles in the language of `Set` and `Move`.
#include "twin_sets.h"

#include "twin_misuse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Text ---------------------------------------------------------------------------------------

static char *write_number(char *text, unsigned number)
{
    return text + sprintf(text, "%u ", number);
}

static char *write_move(const struct sets_puzzle *puzzle, unsigned m, char *text)
{
    const struct sets_move *move = &puzzle->moves[m];
    text += sprintf(text, "Move %c\n", 'A' + m);
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        text += sprintf(text, "S%u\n", s);
        for (unsigned i = set->first; i < set->first + set->size; i++) {
            text = write_number(text, 1 + move->from[i] - set->first);
        }
        text += sprintf(text, "\n");
        for (unsigned i = set->first; i < set->first + set->size; i++) {
            text = write_number(text, move->turn[i]);
        }
        text += sprintf(text, "\n");
    }
    return text + sprintf(text, "End\n");
}

static char *write_solved(const struct sets_puzzle *puzzle, char *text)
{
    text += sprintf(text, "Solved\n");
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        text += sprintf(text, "S%u\n", s);
        for (unsigned i = set->first; i < set->first + set->size; i++) {
            text = write_number(text, 1u + puzzle->piece[i]);
        }
        text += sprintf(text, "\n");
        for (unsigned i = set->first; i < set->first + set->size; i++) {
            text = puzzle->ignored[i] ? text + sprintf(text, "? ")
                                      : write_number(text, puzzle->orientation[i]);
        }
        text += sprintf(text, "\n");
    }
    return text + sprintf(text, "End\n");
}

void sets_write(const struct sets_puzzle *puzzle, char *text)
{
    text += sprintf(text, "Name random\n%s", puzzle->one_way ? "Powers none\n" : "");
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        text += sprintf(text, "Set S%u %u %u\n", s, set->size, set->turns);
    }
    text = write_solved(puzzle, text);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        text = write_move(puzzle, m, text);
    }
}

// ---- How states are typed -----------------------------------------------------------------------

// Does some move take a piece of the set to another slot?
static bool is_permuted(const struct sets_puzzle *puzzle, const struct sets_set *set)
{
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        for (unsigned i = set->first; i < set->first + set->size; i++) {
            if (puzzle->moves[m].from[i] != i) {
                return true;
            }
        }
    }
    return false;
}

static bool is_turned(const struct sets_puzzle *puzzle, const struct sets_set *set)
{
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        for (unsigned i = set->first; i < set->first + set->size; i++) {
            if (puzzle->moves[m].turn[i] != 0) {
                return true;
            }
        }
    }
    return false;
}

// Do two pieces of the set look alike? With `turned`, do they also have different orientations?
static bool has_alike(const struct sets_puzzle *puzzle, const struct sets_set *set, bool turned)
{
    for (unsigned i = set->first; i < set->first + set->size; i++) {
        for (unsigned j = set->first; j < i; j++) {
            if (puzzle->piece[i] == puzzle->piece[j] &&
                (!turned || puzzle->orientation[i] != puzzle->orientation[j])) {
                return true;
            }
        }
    }
    return false;
}

// Fills in what concerns one set. The root becomes the solved state: pieces that never move are
// numbered by their slots, and orientations that are not typed are 0.
static void look_at_set(struct sets_view *view, unsigned s)
{
    const struct sets_puzzle *puzzle = view->puzzle;
    const struct sets_set *set = &puzzle->sets[s];
    bool permuted = is_permuted(puzzle, set);
    bool oriented = is_turned(puzzle, set) || (permuted && has_alike(puzzle, set, true));
    view->shows_pieces[s] = permuted;
    view->shows_orientations[s] = oriented;
    view->cell_count += set->size * ((unsigned)permuted + (unsigned)oriented);
    if (permuted && has_alike(puzzle, set, false)) {
        view->group = false;
    }
    for (unsigned i = set->first; i < set->first + set->size; i++) {
        unsigned piece = permuted ? puzzle->piece[i] : i - set->first;
        view->set_of[i] = (uint8_t)s;
        view->root[i] = (uint8_t)piece;
        view->root[puzzle->slot_count + i] = oriented ? puzzle->orientation[i] : 0;
        if (puzzle->ignored[i]) {
            view->ignored[set->first + piece] = true;
            view->group = view->group && !oriented;
        }
    }
}

void sets_look(struct sets_view *view, const struct sets_puzzle *puzzle)
{
    *view = (struct sets_view){.puzzle = puzzle, .group = true};
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        look_at_set(view, s);
    }
    for (unsigned i = 0; view->group && i < puzzle->slot_count; i++) {
        view->root[i] = (uint8_t)(i - puzzle->sets[view->set_of[i]].first);
        view->root[puzzle->slot_count + i] = 0;
    }
    sets_forget_ignored(view, view->root);
}

void sets_forget_ignored(const struct sets_view *view, uint8_t *row)
{
    unsigned slots = view->puzzle->slot_count;
    for (unsigned i = 0; i < slots; i++) {
        if (view->ignored[view->puzzle->sets[view->set_of[i]].first + row[i]]) {
            row[slots + i] = 0;
        }
    }
}

void sets_row_to_cells(const struct sets_view *view, const uint8_t *row, uint8_t *cells)
{
    for (unsigned s = 0; s < view->puzzle->set_count; s++) {
        const struct sets_set *set = &view->puzzle->sets[s];
        if (view->shows_pieces[s]) {
            memcpy(cells, row + set->first, set->size);
            cells += set->size;
        }
        if (view->shows_orientations[s]) {
            memcpy(cells, row + view->puzzle->slot_count + set->first, set->size);
            cells += set->size;
        }
    }
}

void sets_cells_to_row(const struct sets_view *view, const uint8_t *cells, uint8_t *row)
{
    memcpy(row, view->root, 2 * (size_t)view->puzzle->slot_count);
    for (unsigned s = 0; s < view->puzzle->set_count; s++) {
        const struct sets_set *set = &view->puzzle->sets[s];
        if (view->shows_pieces[s]) {
            memcpy(row + set->first, cells, set->size);
            cells += set->size;
        }
        if (view->shows_orientations[s]) {
            memcpy(row + view->puzzle->slot_count + set->first, cells, set->size);
            cells += set->size;
        }
    }
}

// The number of ways in which the pieces of a set can lie in its slots.
static double count_set_arrangements(const struct sets_puzzle *puzzle, const struct sets_set *set)
{
    double count = 1;
    for (unsigned i = 0; i < set->size; i++) {
        unsigned alike = 1; // this piece and those before it that look like it
        for (unsigned j = 0; j < i; j++) {
            alike += puzzle->piece[set->first + i] == puzzle->piece[set->first + j];
        }
        count *= (i + 1.0) / alike;
    }
    return count;
}

double sets_count_arrangements(const struct sets_puzzle *puzzle)
{
    double count = 1;
    struct sets_view view;
    sets_look(&view, puzzle);
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        if (view.shows_pieces[s]) {
            count *= count_set_arrangements(puzzle, set);
        }
        for (unsigned i = set->first; i < set->first + set->size; i++) {
            count *= view.shows_orientations[s] && !puzzle->ignored[i] ? set->turns : 1;
        }
    }
    return count;
}

// ---- Moves --------------------------------------------------------------------------------------

void sets_apply(const struct sets_view *view, unsigned m, const uint8_t *from, uint8_t *to)
{
    const struct sets_puzzle *puzzle = view->puzzle;
    const struct sets_move *move = &puzzle->moves[m];
    unsigned slots = puzzle->slot_count;
    for (unsigned i = 0; i < slots; i++) {
        unsigned source = move->from[i];
        unsigned turns = puzzle->sets[view->set_of[i]].turns;
        to[i] = from[source];
        to[slots + i] = (uint8_t)((from[slots + source] + move->turn[source]) % turns);
    }
    sets_forget_ignored(view, to);
}

void sets_undo(const struct sets_view *view, unsigned m, const uint8_t *from, uint8_t *to)
{
    const struct sets_puzzle *puzzle = view->puzzle;
    const struct sets_move *move = &puzzle->moves[m];
    unsigned slots = puzzle->slot_count;
    for (unsigned i = 0; i < slots; i++) {
        unsigned source = move->from[i];
        unsigned turns = puzzle->sets[view->set_of[i]].turns;
        to[source] = from[i];
        to[slots + source] = (uint8_t)((from[slots + i] + turns - move->turn[source]) % turns);
    }
    sets_forget_ignored(view, to);
}

// Counts repetitions of a move until the root is there again.
static unsigned count_repetitions(const struct sets_puzzle *puzzle, unsigned m)
{
    struct sets_view view;
    uint8_t row[SETS_TWIN_ROW];
    uint8_t next[SETS_TWIN_ROW];
    unsigned count = 0;
    sets_look(&view, puzzle);
    memcpy(row, view.root, sizeof row);
    do {
        sets_apply(&view, m, row, next);
        memcpy(row, next, 2 * (size_t)puzzle->slot_count);
        count++;
    } while (memcmp(row, view.root, 2 * (size_t)puzzle->slot_count) != 0);
    return count;
}

unsigned sets_move_order(const struct sets_puzzle *puzzle, unsigned m)
{
    struct sets_puzzle plain = *puzzle; // all pieces differ, and all orientations count
    struct sets_puzzle shown = *puzzle; // the same in all that shows
    for (unsigned s = 0; s < plain.set_count; s++) {
        const struct sets_set *set = &plain.sets[s];
        bool alike = true;
        bool ignored = true;
        for (unsigned i = set->first; i < set->first + set->size; i++) {
            alike = alike && puzzle->piece[i] == puzzle->piece[set->first];
            ignored = ignored && (set->turns == 1 || puzzle->ignored[i]);
        }
        for (unsigned i = 0; i < set->size; i++) {
            plain.piece[set->first + i] = (uint8_t)i;
            shown.piece[set->first + i] = alike && ignored ? 0 : (uint8_t)i;
            shown.ignored[set->first + i] = ignored;
        }
    }
    memset(plain.ignored, 0, sizeof plain.ignored);
    unsigned order = count_repetitions(&shown, m);
    return order == 1 && count_repetitions(&plain, m) > 1 ? 2 : order;
}

// ---- The search ---------------------------------------------------------------------------------

static uint64_t hash_row(const uint8_t *row, size_t bytes)
{
    uint64_t hash = 14695981039346656037u; // FNV-1a, then a shuffle
    for (size_t i = 0; i < bytes; i++) {
        hash = (hash ^ row[i]) * 1099511628211u;
    }
    hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdu;
    return hash ^ hash >> 33;
}

// The entry that has the number of a row, plus 1; or the free entry, 0, where it belongs.
static uint32_t *find_entry(const struct sets_world *world, const uint8_t *row)
{
    size_t i = hash_row(row, world->row_bytes) & (world->entries - 1);
    while (world->table[i] &&
           memcmp(sets_row(world, world->table[i] - 1), row, world->row_bytes) != 0) {
        i = (i + 1) & (world->entries - 1);
    }
    return &world->table[i];
}

size_t sets_find(const struct sets_world *world, const uint8_t *row)
{
    uint32_t entry = *find_entry(world, row);
    return entry ? entry - 1 : world->count;
}

// Adds a row unless it is there.
static void meet_row(struct sets_world *world, const uint8_t *row)
{
    uint32_t *entry = find_entry(world, row);
    if (*entry) {
        return;
    }
    if (world->count == world->room) {
        world->room = 2 * world->room + 1024;
        world->rows = realloc(world->rows, world->room * world->row_bytes);
        if (!world->rows) {
            die("out of memory");
        }
    }
    memcpy(world->rows + world->count * world->row_bytes, row, world->row_bytes);
    *entry = (uint32_t)++world->count;
}

bool sets_explore(struct sets_world *world, const struct sets_puzzle *puzzle, size_t most)
{
    *world = (struct sets_world){.row_bytes = 2 * (size_t)puzzle->slot_count, .entries = 1024};
    sets_look(&world->view, puzzle);
    while (world->entries < 2 * (most + puzzle->move_count)) {
        world->entries *= 2;
    }
    world->table = calloc(world->entries, sizeof *world->table);
    if (!world->table) {
        die("out of memory");
    }
    meet_row(world, world->view.root);
    for (size_t n = 0; n < world->count && world->count <= most; n++) {
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            uint8_t next[SETS_TWIN_ROW];
            sets_apply(&world->view, m, sets_row(world, n), next);
            meet_row(world, next);
        }
    }
    if (world->count > most) {
        sets_free(world);
        return false;
    }
    return true;
}

void sets_free(struct sets_world *world)
{
    free(world->rows);
    free(world->table);
}
