// Visits all paths of a query, by going from each state to each neighbour that is near enough. The
// moves are tried by number, which is the byte order of their names, so the paths come in byte
// order.
#include "walk.h"

#include "query/answer/distance.h"

#include <stdlib.h>
#include <string.h>

struct visiting {
    struct walk walk;
    fewest_path_visitor *visit;
    void *context;
    int most;        // moves of a path
    bool may_return; // paths may be longer than the shortest, so a state could come again
    bool is_over;    // the visitor wants no more
    bool has_any;    // a path was visited
    unsigned moves[FEWEST_PATH_MOST];
    uint8_t *rows; // those on the path, one after the other
};

static uint8_t *row_at(const struct visiting *visiting, int depth)
{
    return visiting->rows + (size_t)depth * visiting->walk.row_bytes;
}

// Is the row at this depth also an earlier one of the path?
static bool is_repeated(const struct visiting *visiting, int depth)
{
    bool found = false;
    for (int d = 0; d < depth && visiting->may_return && !found; d++) {
        found = memcmp(row_at(visiting, d), row_at(visiting, depth), visiting->walk.row_bytes) == 0;
    }
    return found;
}

// Visits the paths that begin with the first `depth` moves. The row there is `distance` moves
// from its nearest target. A path ends at the first target that it reaches.
static bool visit_from(struct visiting *visiting, int depth, int distance)
{
    if (distance == 0) {
        visiting->has_any = true;
        visiting->is_over = !visiting->visit(visiting->context, visiting->moves, (unsigned)depth);
        return true;
    }
    unsigned moves = visiting->walk.table->puzzle.move_count;
    for (unsigned m = 0; m < moves && !visiting->is_over; m++) {
        int next;
        if (!walk_step(&visiting->walk, row_at(visiting, depth), m, visiting->most - depth - 1,
                       row_at(visiting, depth + 1), &next)) {
            return false;
        }
        if (next < 0 || is_repeated(visiting, depth + 1)) {
            continue;
        }
        visiting->moves[depth] = m;
        if (!visit_from(visiting, depth + 1, next)) {
            return false;
        }
    }
    return true;
}

// Sets the number of moves that a path may have. Fails if paths are too long.
static bool find_most(struct visiting *visiting, unsigned more, struct fewest_error *error)
{
    const unsigned limit = visiting->walk.table->options.limit;
    const int steps = visiting->walk.steps;
    if (steps > FEWEST_PATH_MOST) {
        return error_set(error, FEWEST_BEYOND, "the path has %d moves, and the limit is %d", steps,
                         FEWEST_PATH_MOST);
    }
    if (more > FEWEST_PATH_MOST || steps + (int)more > FEWEST_PATH_MOST) {
        return error_set(error, FEWEST_BEYOND,
                         "a path may have at most %d moves; the shortest has %d, so at most %d "
                         "more are possible",
                         FEWEST_PATH_MOST, steps, FEWEST_PATH_MOST - steps);
    }
    visiting->most = steps + (int)more;
    if (limit > 0 && (unsigned)visiting->most > limit) {
        visiting->most = (int)limit;
    }
    return true;
}

// Visits all paths to a target that can be reached.
static bool visit_all(struct visiting *visiting, unsigned more, struct fewest_error *error)
{
    if (!find_most(visiting, more, error)) {
        return false;
    }
    visiting->rows = malloc(((size_t)visiting->most + 1) * visiting->walk.row_bytes);
    if (!visiting->rows) {
        return error_no_memory(error, "for the paths");
    }
    bool done = walk_start(&visiting->walk, visiting->most, visiting->rows) &&
                visit_from(visiting, 0, visiting->walk.steps);
    free(visiting->rows);
    return done && (visiting->has_any || report_no_step(visiting->walk.steps, error));
}

bool fewest_each_path(struct fewest *table, const struct fewest_paths *paths,
                      fewest_path_visitor *visit, void *context, struct fewest_error *error)
{
    struct visiting visiting = {.visit = visit, .context = context, .may_return = paths->more > 0};
    bool done =
        walk_begin(&visiting.walk, table, paths->start, paths->target, paths->more, error) &&
        (visiting.walk.steps == FEWEST_UNREACHABLE || visit_all(&visiting, paths->more, error));
    walk_end(&visiting.walk);
    return done;
}
