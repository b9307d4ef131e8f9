// Describes the puzzle of a table. fewest.h says what the members are.
#include "query/table/table.h"
#include "tables/text/notation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)FEWEST_TEXT_SIZE >= (int)STATE_COUNT_SIZE, "a number fits");

// Writes the text states_text of fewest_info: how many states can be reached.
static void write_states_text(const struct fewest *table, char text[FEWEST_TEXT_SIZE])
{
    if (table->puzzle.filter && !table->info.is_uncounted) {
        sprintf(text, "%llu", (unsigned long long)table->puzzle.reachable_count);
    } else {
        puzzle_write_state_count(&table->puzzle, text);
    }
}

// Returns by piece whether the definition forbids it in a slot of a segment; NULL if it forbids
// none there.
static const bool *find_illegal_pieces(const struct puzzle *puzzle, const struct segment *segment,
                                       unsigned slot)
{
    const struct definition *definition = puzzle->definition;
    if (!puzzle->filter || segment->kind == SEGMENT_ORIENTATION) {
        return NULL;
    }
    unsigned row = definition->sets[segment->set].first + slot;
    const bool *illegal = definition->illegal + (size_t)row * PIECES_OF_SET_MOST;
    return memchr(illegal, 1, segment->symbols) ? illegal : NULL;
}

// Describes each cell of a state by the segment that it lies in. Returns NULL if memory runs out.
// The caller frees the list; its strings belong to the puzzle.
static struct fewest_cell *make_cells(const struct puzzle *puzzle)
{
    struct fewest_cell *cells = calloc(puzzle->cell_count, sizeof *cells);
    for (unsigned s = 0; s < puzzle->segment_count && cells; s++) {
        const struct segment *segment = &puzzle->segments[s];
        for (unsigned i = 0; i < segment->length; i++) {
            cells[segment->first + i] =
                (struct fewest_cell){.set = puzzle->definition->sets[segment->set].name,
                                     .letters = segment->letters,
                                     .values = segment->symbols,
                                     .is_orientation = segment->kind == SEGMENT_ORIENTATION,
                                     .illegal = find_illegal_pieces(puzzle, segment, i)};
        }
    }
    return cells;
}

// Fills in the texts about shared pattern databases, one for each `Database` line or NULL. Returns
// false if memory runs out. info_free frees what is made.
static bool make_sharing(const struct puzzle *puzzle, struct fewest_info *info)
{
    unsigned count = puzzle->definition->database_count;
    char **sharing = calloc(count + 1, sizeof *sharing); // +1: NULL only if memory runs out
    if (!sharing) {
        return false;
    }
    info->sharing = (const char *const *)sharing;
    info->database_count = count;
    for (unsigned d = 0; d < count; d++) {
        char text[SHARING_SIZE];
        if (!puzzle_write_sharing(puzzle, d, text)) {
            continue; // this line has its own database
        }
        sharing[d] = strdup(text);
        if (!sharing[d]) {
            return false;
        }
    }
    return true;
}

// The number of the cell at a place of the board, or -1 for a hole. A drawing lists its cells from
// 1, and holes as 0. Any other board has its cells in order, and perhaps too few for the last row.
static int cell_at_place(const struct puzzle *puzzle, unsigned place)
{
    const struct definition *definition = puzzle->definition;
    if (definition->drawing_cells) {
        return (int)definition->drawing_cells[place] - 1;
    }
    return place < puzzle->cell_count ? (int)place : -1;
}

// Fills in the size of the board and the cell at each of its places. The board is the one that the
// definition draws, or else the one by which states are typed. Leaves both empty if there is none.
// Returns false if memory runs out.
static bool make_board(const struct puzzle *puzzle, struct fewest_info *info)
{
    const struct definition *definition = puzzle->definition;
    unsigned *size = info->board_size;
    if (definition->drawing_cells) {
        size[2] = 1;
        size[1] = definition->drawing_columns;
        size[0] = definition->drawing_rows;
    } else if (!puzzle_find_size(puzzle, size)) {
        return true;
    }
    unsigned places = size[0] * size[1] * size[2];
    int *board = malloc(places * sizeof *board);
    if (!board) {
        return false;
    }
    for (unsigned p = 0; p < places; p++) {
        board[p] = cell_at_place(puzzle, p);
    }
    info->board = board;
    return true;
}

bool info_make(struct fewest *table, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    struct fewest_info *info = &table->info;
    char states[FEWEST_TEXT_SIZE];
    info->name = puzzle->name;
    info->definition = table->header.definition;
    info->goals = puzzle->goals[0];
    info->default_start = puzzle->numbering.answers == ANSWERS_STARTS ? puzzle->goals[0] : NULL;
    info->file_bytes = table->storage.length;
    info->state_count = puzzle->reachable_count;
    info->arrangement_count = puzzle->arrangement_count;
    info->cell_count = puzzle->cell_count;
    info->move_count = puzzle->move_count;
    info->goal_count = puzzle->goal_count;
    info->has_blank = puzzle->board;
    info->is_searched = puzzle_is_searched(puzzle);
    info->is_uncounted = (puzzle->filter || puzzle->is_unfinished) && info->is_searched;
    info->joins_moves = notation_joins(puzzle);
    write_states_text(table, states);
    info->states_text = strdup(states);
    info->cells = make_cells(puzzle);
    bool has_room = info->states_text && info->cells;
    if (!has_room || !make_sharing(puzzle, info) || !make_board(puzzle, info)) {
        return error_no_memory(error, "to open the table");
    }
    return true;
}

void info_free(struct fewest *table)
{
    struct fewest_info *info = &table->info;
    for (unsigned d = 0; d < info->database_count; d++) {
        free((char *)info->sharing[d]);
    }
    free((void *)info->sharing);
    free((void *)info->cells);
    free((void *)info->board);
    free((char *)info->states_text);
}

const struct fewest_info *fewest_info(const struct fewest *table)
{
    return &table->info;
}

const char *fewest_move_name(const struct fewest *table, unsigned move)
{
    return move < table->puzzle.move_count ? table->puzzle.moves[move].name : NULL;
}

bool fewest_move_rule(const struct fewest *table, unsigned move, struct fewest_rule *rule,
                      struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    if (move >= puzzle->move_count) {
        return error_set(error, FEWEST_BAD_INPUT, "expected a move from 0 to %u, got %u",
                         puzzle->move_count - 1, move);
    }
    if (puzzle->board) {
        return error_set(error, FEWEST_BEYOND,
                         "a move of %s depends on the blank, so it has no such rule", puzzle->name);
    }
    rule->from = puzzle->moves[move].from;
    rule->add = puzzle->moves[move].add;
    return true;
}
