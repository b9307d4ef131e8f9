// Validates the rows that a caller gives.
#include "rows.h"

#include "tables/text/text.h"

#include <stdio.h>
#include <string.h>

// Validates a row, which may have wildcards if `wild`. If it is valid as it stands, row->cells
// points to it. Else it is copied, and the checks of text.h make the copy valid or say what is
// wrong.
static bool check_row(const struct fewest *table, const char *what, bool wild, const uint8_t *given,
                      struct row *row, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    row->cells = given;
    if (row_accepts(table, given, wild)) {
        return true;
    }
    row->cells = row->copy;
    memcpy(row->copy, given, puzzle->cell_count);
    return text_check_state(puzzle, what, wild, row->copy, error);
}

bool row_check_state(const struct fewest *table, const char *what, const uint8_t *state,
                     struct row *row, struct fewest_error *error)
{
    return check_row(table, what, false, state, row, error);
}

bool row_check_target(const struct fewest *table, const char *what, const uint8_t *target,
                      struct row *row, struct fewest_error *error)
{
    return check_row(table, what, true, target, row, error);
}

bool row_check_query(const struct fewest *table, const uint8_t *start, const uint8_t *target,
                     struct checked_query *query, struct fewest_error *error)
{
    query->target.cells = NULL;
    if (!row_check_state(table, "START", start, &query->start, error)) {
        return false;
    }
    return row_is_goals(target) || row_check_target(table, "TARGET", target, &query->target, error);
}

size_t row_end_at(size_t i, struct fewest_error *error)
{
    char place[32];
    if (error->status == FEWEST_BAD_INPUT) {
        snprintf(place, sizeof place, "row %zu", i + 1);
        error_prefix(error, place);
    }
    return i;
}
