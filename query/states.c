// Reads, writes, numbers and moves states. fewest.h says what the functions do.
#include "table.h"
#include "tables/puzzle/board/board.h"
#include "tables/text/notation.h"
#include "tables/text/text.h"

#include <string.h>

_Static_assert((int)FEWEST_TEXT_SIZE >= (int)TEXT_STATE_SIZE, "a state's text fits");
_Static_assert((int)FEWEST_WILD == (int)WILD, "a wildcard is one everywhere");

void fewest_draw_arrangement(const struct fewest *table, fewest_draw *below, void *context,
                             uint8_t *state)
{
    const struct puzzle *puzzle = &table->puzzle;
    memcpy(state, puzzle->goals[0], puzzle->cell_count);
    for (unsigned s = 0; s < puzzle->segment_count; s++) {
        const struct segment *segment = &puzzle->segments[s];
        uint8_t *cells = state + segment->first;
        for (unsigned i = segment->length; i-- > 0;) {
            if (segment->kind == SEGMENT_ORIENTATION) {
                cells[i] = (uint8_t)below(context, segment->symbols);
                continue;
            }
            uint64_t other = below(context, i + 1);
            uint8_t piece = cells[i];
            cells[i] = cells[other];
            cells[other] = piece;
        }
    }
    puzzle_forget_ignored(puzzle, state);
}

bool fewest_read_query(const struct fewest *table, const char *text, size_t length,
                       struct fewest_query *query, struct fewest_error *error)
{
    const struct text_reader reader = {&table->puzzle, &table->alphabet};
    struct text_case read = {.start = query->start, .target = query->target};
    bool done = text_read_case(&reader, text, length, &read, error);
    query->has_target = read.has_target;
    return done;
}

bool fewest_read_state(const struct fewest *table, const char *text, size_t length,
                       const char *what, bool wild, uint8_t *state, struct fewest_error *error)
{
    const struct text_reader reader = {&table->puzzle, &table->alphabet};
    return wild ? text_read_target(&reader, what, text, length, state, error)
                : text_read_state(&reader, what, text, length, state, error);
}

bool fewest_read_moves(const struct fewest *table, const uint8_t *from, const char *text,
                       size_t length, uint8_t *state, struct fewest_error *error)
{
    return notation_apply(&table->puzzle, from, text, length, state, error);
}

bool fewest_joins_moves(const struct fewest *table)
{
    return notation_joins(&table->puzzle);
}

bool fewest_read_cell(const struct fewest *table, unsigned position, const char *text,
                      size_t length, const char *what, bool wild, uint8_t *cell,
                      struct fewest_error *error)
{
    const struct text_reader reader = {&table->puzzle, &table->alphabet};
    const struct text_cell place = {position, what, wild};
    return text_read_cell(&reader, &place, text, length, cell, error);
}

bool fewest_check_state(const struct fewest *table, const char *what, bool wild, uint8_t *state,
                        struct fewest_error *error)
{
    return wild ? text_check_target(&table->puzzle, what, state, error)
                : text_check_state(&table->puzzle, what, state, error);
}

char *fewest_write_state(const struct fewest *table, const uint8_t *state,
                         char text[FEWEST_TEXT_SIZE])
{
    text_write_state(&table->puzzle, state, text);
    return text;
}

bool fewest_apply(const struct fewest *table, unsigned move, const uint8_t *from, uint8_t *to)
{
    return puzzle_apply(&table->puzzle, move, from, to);
}

bool fewest_board(const struct fewest *table, unsigned size[3])
{
    const struct puzzle *puzzle = &table->puzzle;
    const struct definition *definition = puzzle->definition;
    unsigned columns = puzzle->typed_columns;
    if (definition->drawing_cells) {
        size[2] = 1;
        size[1] = definition->drawing_columns;
        size[0] = definition->drawing_rows;
        return true;
    }
    if (columns == 0) {
        return false;
    }
    size[2] = puzzle->board ? puzzle->board->size[2] : 1;
    size[1] = columns;
    size[0] = (puzzle->cell_count + columns - 1) / columns / size[2];
    return true;
}

int fewest_board_cell(const struct fewest *table, unsigned place)
{
    const uint16_t *cells = table->puzzle.definition->drawing_cells;
    return cells ? (int)cells[place] - 1 : (int)place;
}

const char *fewest_cell_set(const struct fewest *table, unsigned position, bool *orientation)
{
    const struct segment *segment = table->puzzle.segments;
    while (position >= segment->first + segment->length) {
        segment++;
    }
    *orientation = segment->kind == SEGMENT_ORIENTATION;
    return table->puzzle.definition->sets[segment->set].name;
}

static bool has_numbers(const struct puzzle *puzzle, struct fewest_error *error)
{
    return puzzle->arrangement_count > 0 ||
           error_set(error, FEWEST_BEYOND,
                     "%s has more than 2^64 arrangements, too many to number them", puzzle->name);
}

bool fewest_rank(const struct fewest *table, const uint8_t *state, uint64_t *number,
                 struct fewest_error *error)
{
    if (!has_numbers(&table->puzzle, error)) {
        return false;
    }
    *number = puzzle_rank_state(&table->puzzle, state);
    return true;
}

bool fewest_unrank(const struct fewest *table, uint64_t number, uint8_t *state,
                   struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    if (!has_numbers(puzzle, error)) {
        return false;
    }
    if (number >= puzzle->arrangement_count) {
        return error_set(error, FEWEST_BAD_INPUT, "the arrangements of %s are numbered 0 to %llu",
                         puzzle->name, (unsigned long long)puzzle->arrangement_count - 1);
    }
    puzzle_unrank_state(puzzle, number, state);
    return true;
}
