// The twin of puzzles in the language of `Set` and `Move`.
#include "twin_sets.h"

#include "twin_misuse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Puzzles ------------------------------------------------------------------------------------

void sets_begin(struct sets_puzzle *puzzle)
{
    memset(puzzle, 0, sizeof *puzzle);
    for (unsigned m = 0; m < SETS_TWIN_MOVES; m++) {
        puzzle->moves[m].name[0] = (char)('A' + m);
    }
}

unsigned sets_add(struct sets_puzzle *puzzle, unsigned size, unsigned turns)
{
    unsigned first = puzzle->slot_count;
    if (puzzle->set_count == SETS_TWIN_SETS || first + size > SETS_TWIN_SLOTS) {
        die("too many sets or slots");
    }
    puzzle->sets[puzzle->set_count] = (struct sets_set){first, size, turns};
    puzzle->slot_count += size;
    for (unsigned i = first; i < puzzle->slot_count; i++) {
        puzzle->piece[i] = (uint8_t)(i - first);
        for (unsigned m = 0; m < SETS_TWIN_MOVES; m++) {
            puzzle->moves[m].from[i] = (uint8_t)i;
        }
    }
    return puzzle->set_count++;
}

static uint8_t lowest_kept_as(const char *kept, char letter)
{
    return (uint8_t)(strchr(kept, letter) - kept);
}

uint8_t sets_kept_piece(const char *kept, unsigned piece)
{
    switch (kept[piece]) {
    case 'w':
    case 'p':
        return (uint8_t)piece;
    case 'o':
    case '-':
        return lowest_kept_as(kept, kept[piece]);
    default:
        if (!isalpha((unsigned char)kept[piece])) {
            die("no such letter");
        }
        return lowest_kept_as(kept, kept[piece]);
    }
}

void sets_keep(struct sets_puzzle *puzzle, const char *kept)
{
    if (strlen(kept) != puzzle->sets[0].size) {
        die("not as many letters as the set has pieces");
    }
    for (unsigned i = 0; i < puzzle->sets[0].size; i++) {
        char letter = kept[puzzle->piece[i]];
        bool turns = letter == 'w' || letter == 'o' || (letter != 'p' && isupper(letter));
        puzzle->ignored[i] = puzzle->ignored[i] || !turns;
        puzzle->piece[i] = sets_kept_piece(kept, puzzle->piece[i]);
    }
}

// ---- Text ---------------------------------------------------------------------------------------

static void append_number(char *text, unsigned number)
{
    sprintf(text + strlen(text), "%u ", number);
}

static void append_move(const struct sets_puzzle *puzzle, const struct sets_move *move, char *text)
{
    sprintf(text + strlen(text), "Move %s\n", move->name);
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        sprintf(text + strlen(text), "%c\n", 'A' + (int)s);
        for (unsigned i = set->first; i < set->first + set->size; i++) {
            append_number(text, 1 + move->from[i] - set->first);
        }
        strcat(text, "\n");
        for (unsigned i = set->first; i < set->first + set->size; i++) {
            append_number(text, move->turn[i]);
        }
        strcat(text, "\n");
    }
    strcat(text, "End\n");
}

void sets_append_state(const struct sets_puzzle *puzzle, const uint8_t *piece,
                       const uint8_t *orientation, const bool *open, char *text)
{
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        sprintf(text + strlen(text), "%c\n", 'A' + (int)s);
        for (unsigned i = set->first; i < set->first + set->size; i++) {
            append_number(text, 1u + piece[i]);
        }
        strcat(text, "\n");
        for (unsigned i = set->first; i < set->first + set->size; i++) {
            if (open[i]) {
                strcat(text, "? ");
            } else {
                append_number(text, orientation[i]);
            }
        }
        strcat(text, "\n");
    }
    strcat(text, "End\n");
}

static void append_illegal(const struct sets_puzzle *puzzle, char *text)
{
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        for (unsigned i = 0; i < set->size; i++) {
            for (unsigned piece = 0; piece < set->size; piece++) {
                if (puzzle->illegal[set->first + i][piece]) {
                    sprintf(text + strlen(text), "Illegal %c %u %u\n", 'A' + (int)s, i + 1,
                            piece + 1);
                }
            }
        }
    }
}

void sets_write(const struct sets_puzzle *puzzle, char *text)
{
    static const char *const POWERS[] = {
        [SETS_POWERS_ALL] = "", [SETS_POWERS_QUARTER] = "", [SETS_POWERS_NONE] = "Powers none\n"};
    sprintf(text, "Name random\n%s", POWERS[puzzle->powers]);
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        sprintf(text + strlen(text), "Set %c %u %u\n", 'A' + (int)s, set->size, set->turns);
    }
    strcat(text, "Solved\n");
    sets_append_state(puzzle, puzzle->piece, puzzle->orientation, puzzle->ignored, text);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        append_move(puzzle, &puzzle->moves[m], text);
    }
    append_illegal(puzzle, text);
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

// Do moves take the piece of one slot to another one, perhaps in several steps?
static bool are_connected(const struct sets_puzzle *puzzle, unsigned from, unsigned to)
{
    bool reached[SETS_TWIN_SLOTS] = {false};
    reached[from] = true;
    for (unsigned step = 0; step < puzzle->slot_count; step++) {
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            for (unsigned i = 0; i < puzzle->slot_count; i++) {
                reached[i] = reached[i] || reached[puzzle->moves[m].from[i]];
            }
        }
    }
    return reached[to];
}

// Do two pieces of the set look alike? With `turned`, do they also have different orientations, and
// do moves exchange them?
static bool has_alike(const struct sets_puzzle *puzzle, const struct sets_set *set, bool turned)
{
    for (unsigned i = set->first; i < set->first + set->size; i++) {
        for (unsigned j = set->first; j < i; j++) {
            bool differ = !puzzle->ignored[i] && puzzle->orientation[i] != puzzle->orientation[j];
            if (puzzle->piece[i] == puzzle->piece[j] &&
                (!turned || (differ && are_connected(puzzle, i, j)))) {
                return true;
            }
        }
    }
    return false;
}

// Fills in what concerns one set. Orientations that are not typed are 0.
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
        view->set_of[i] = (uint8_t)s;
        view->solved[i] = puzzle->piece[i];
        view->solved[puzzle->slot_count + i] = oriented ? puzzle->orientation[i] : 0;
        if (puzzle->ignored[i]) {
            view->ignored[set->first + puzzle->piece[i]] = true;
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
    sets_forget_ignored(view, view->solved);
    memcpy(view->root, view->solved, sizeof view->root);
    for (unsigned i = 0; view->group && i < puzzle->slot_count; i++) {
        if (view->shows_pieces[view->set_of[i]]) {
            view->root[i] = (uint8_t)(i - puzzle->sets[view->set_of[i]].first);
        }
        view->root[puzzle->slot_count + i] = 0;
    }
    for (unsigned i = 0; i < puzzle->slot_count; i++) {
        view->has_illegal =
            view->has_illegal || memchr(puzzle->illegal[i], true, sizeof puzzle->illegal[i]);
    }
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

double sets_count_rows(const struct sets_view *view)
{
    const struct sets_puzzle *puzzle = view->puzzle;
    double count = 1;
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        if (view->shows_pieces[s]) {
            count *= count_set_arrangements(puzzle, set);
        }
        for (unsigned i = set->first; i < set->first + set->size; i++) {
            count *= view->shows_orientations[s] && !puzzle->ignored[i] ? set->turns : 1;
        }
    }
    return count;
}

// ---- Moves --------------------------------------------------------------------------------------

void sets_apply(const struct sets_view *view, const struct sets_move *move, const uint8_t *from,
                uint8_t *to)
{
    const struct sets_puzzle *puzzle = view->puzzle;
    unsigned slots = puzzle->slot_count;
    for (unsigned i = 0; i < slots; i++) {
        unsigned source = move->from[i];
        unsigned turns = puzzle->sets[view->set_of[i]].turns;
        to[i] = from[source];
        to[slots + i] = (uint8_t)((from[slots + source] + move->turn[source]) % turns);
    }
    sets_forget_ignored(view, to);
}

void sets_undo(const struct sets_view *view, const struct sets_move *move, const uint8_t *from,
               uint8_t *to)
{
    const struct sets_puzzle *puzzle = view->puzzle;
    unsigned slots = puzzle->slot_count;
    for (unsigned i = 0; i < slots; i++) {
        unsigned source = move->from[i];
        unsigned turns = puzzle->sets[view->set_of[i]].turns;
        to[source] = from[i];
        to[slots + source] = (uint8_t)((from[slots + i] + turns - move->turn[source]) % turns);
    }
    sets_forget_ignored(view, to);
}

bool sets_is_legal(const struct sets_view *view, const uint8_t *row)
{
    for (unsigned i = 0; view->has_illegal && i < view->puzzle->slot_count; i++) {
        if (view->puzzle->illegal[i][row[i]]) {
            return false;
        }
    }
    return true;
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
        sets_apply(&view, &puzzle->moves[m], row, next);
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

void sets_compose(const struct sets_view *view, const struct sets_move *first,
                  const struct sets_move *then, struct sets_move *both)
{
    for (unsigned i = 0; i < view->puzzle->slot_count; i++) {
        unsigned middle = then->from[i];
        unsigned source = first->from[middle];
        unsigned turn = first->turn[source] + then->turn[middle];
        both->from[i] = (uint8_t)source;
        both->turn[source] = (uint8_t)(turn % view->puzzle->sets[view->set_of[i]].turns);
    }
}

void sets_invert(const struct sets_view *view, const struct sets_move *move,
                 struct sets_move *inverse)
{
    for (unsigned i = 0; i < view->puzzle->slot_count; i++) {
        unsigned source = move->from[i];
        unsigned turns = view->puzzle->sets[view->set_of[i]].turns;
        inverse->from[source] = (uint8_t)i;
        inverse->turn[i] = (uint8_t)((turns - move->turn[source]) % turns);
    }
}

// R, R2, …, R2', R'.
static void name_power(const char *name, unsigned power, unsigned order, char out[16])
{
    bool back = power > order - power;
    unsigned times = back ? order - power : power;
    char number[12] = "";
    if (times > 1) {
        snprintf(number, sizeof number, "%u", times);
    }
    if (snprintf(out, 16, "%s%s%s", name, number, back ? "'" : "") >= 16) {
        die("the name of a power is too long");
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct sets_move *)a)->name, ((const struct sets_move *)b)->name);
}

unsigned sets_list_moves(const struct sets_view *view, bool undone,
                         struct sets_move moves[SETS_TWIN_POWERS])
{
    const struct sets_puzzle *puzzle = view->puzzle;
    unsigned count = 0;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        struct sets_move once = puzzle->moves[m];
        unsigned order = puzzle->powers == SETS_POWERS_NONE ? 2 : sets_move_order(puzzle, m);
        struct sets_move power;
        if (undone) {
            sets_invert(view, &puzzle->moves[m], &once);
        }
        power = once;
        for (unsigned k = 1; k < order; k++) {
            bool counts = puzzle->powers != SETS_POWERS_QUARTER || k == 1 || k == order - 1;
            struct sets_move before = power;
            if (counts && count == SETS_TWIN_POWERS) {
                die("too many powers of moves");
            }
            if (counts) {
                moves[count] = power;
                name_power(once.name, k, order, moves[count++].name);
            }
            sets_compose(view, &before, &once, &power);
        }
    }
    qsort(moves, count, sizeof *moves, compare_names);
    return count;
}

// ---- The search ---------------------------------------------------------------------------------

// Rules of a search: the moves that count.
struct counted_moves {
    const struct sets_view *view;
    struct sets_move moves[SETS_TWIN_POWERS];
};

static bool apply_counted(const void *puzzle, unsigned m, const uint8_t *from, uint8_t *to)
{
    const struct counted_moves *counted = puzzle;
    sets_apply(counted->view, &counted->moves[m], from, to);
    return sets_is_legal(counted->view, from) && sets_is_legal(counted->view, to);
}

struct twin_states *sets_measure(const struct sets_view *view, const uint8_t *row, bool undone)
{
    struct counted_moves *counted = must_allocate(1, sizeof *counted);
    counted->view = view;
    struct twin_rules rules = {.puzzle = counted,
                               .row_bytes = 2 * (size_t)view->puzzle->slot_count,
                               .move_count = sets_list_moves(view, undone, counted->moves),
                               .apply = apply_counted};
    struct twin_states *states = twin_search(&rules, row, SETS_TWIN_STATES);
    if (!states) {
        die("too many states");
    }
    free(counted);
    return states;
}

static bool apply_listed(const void *view, unsigned m, const uint8_t *from, uint8_t *to)
{
    const struct sets_view *applied = view;
    sets_apply(applied, &applied->puzzle->moves[m], from, to);
    return true;
}

bool sets_explore(struct sets_world *world, const struct sets_puzzle *puzzle, size_t most)
{
    sets_look(&world->view, puzzle);
    struct twin_rules rules = {.puzzle = &world->view,
                               .row_bytes = 2 * (size_t)puzzle->slot_count,
                               .move_count = puzzle->move_count,
                               .apply = apply_listed};
    world->states = twin_search(&rules, world->view.root, most);
    return world->states;
}

void sets_free(struct sets_world *world)
{
    twin_free(world->states);
}
