// Marks forbidden states by pages. A *thing* is a set of points whose images make one digit of an
// index (algebra/chain/), such as the points of a piece. The filter forbids some things at some
// points.
//
// A state is that of a group element gq (algebra/chain_pages.h). g is the element of its page, and
// q that of its offset, which fixes the things of the page. So a thing B is at the points gqB.
//   - A thing of the page is at gB in all states of the page. If it may not be there, all of them
//     are forbidden.
//   - A later thing, which belongs to the offset, is at gqB. The points qB are in the *tail*, all
//     points that later things can reach on page 0. A row for each offset has them, and g then
//     takes each to the point where the thing is.
#include "forbidden.h"

#include "tables/base/parallel.h"
#include "tables/families/permutation/point_view.h"

#include <stdlib.h>
#include <string.h>

enum { PAGES_AT_ONCE = 16 }; // that a thread takes

// A search whose forbidden states are being marked.
struct marking {
    struct bfs *bfs;
    const struct chain_pages *cut; // of the pages
    const struct point_view *view;
    unsigned width; // number of *restricted* points: those of later things with a forbidden point
    chain_point *homes; // the restricted points
    bool *forbidden; // by restricted point and point of the puzzle: is its thing forbidden there?
    uint16_t *rows;  // by offset and restricted point x: where qx is in the list of the tail
};

// Is the thing that is solved at the point `home` forbidden at `point`?
static bool is_forbidden_at(const struct point_view *view, chain_point home, unsigned point)
{
    return point_view_forbids(view, view->puzzle, point, home);
}

// Lists the restricted points, and returns their number. `homes` may be NULL: then only counts. If
// two things have the same slots (after_alone in point_view.h), only the first is listed, because
// it tells where the pieces of both are.
static unsigned list_restricted_points(const struct point_view *view, const struct chain_pages *cut,
                                       chain_point *homes)
{
    unsigned count = 0;
    for (unsigned t = cut->split; t < view->thing_count; t++) { // the later things
        const struct chain_thing *thing = &view->chain_things[t];
        bool is_restricted = false; // is the thing forbidden somewhere?
        for (unsigned i = 0; i < view->slot_count && !view->things[t].after_alone; i++) {
            is_restricted =
                is_restricted || is_forbidden_at(view, thing->points[0], view->slots[i].first);
        }
        for (unsigned j = 0; j < thing->size && is_restricted; j++) {
            if (homes) {
                homes[count] = thing->points[j];
            }
            count++;
        }
    }
    return count;
}

uint64_t forbidden_memory(const struct puzzle *puzzle, const struct pages *pages)
{
    if (!puzzle->filter || pages->page_size == 0) {
        return 0;
    }
    unsigned width = list_restricted_points(permutation_view(puzzle), pages->cut, NULL);
    unsigned degree = pages->cut->chain->plan->degree;
    return ((uint64_t)pages->page_size * sizeof(uint16_t) + degree) * width;
}

// Fills in the rows (struct marking). On page 0, g is the identity, so unranking its offsets gives
// q alone. Returns false if memory runs out: then the loops do nothing.
static bool fill_rows(const struct marking *marking)
{
    const struct chain_pages *cut = marking->cut;
    const chain_point *tail = cut->points + cut->page_points;
    unsigned degree = cut->chain->plan->degree;
    uint16_t *place = calloc(degree, sizeof *place); // by point of the tail: its place in the list
    chain_point *images = malloc(degree * sizeof *images);
    for (unsigned i = 0; i < cut->tail_count && place; i++) {
        place[tail[i]] = (uint16_t)i;
    }
    for (unsigned offset = 0; offset < cut->page_size && place && images; offset++) {
        uint16_t *row = marking->rows + (size_t)offset * marking->width;
        memcpy(images, marking->homes, marking->width * sizeof *images);
        chain_unrank_images(cut->chain, offset, images, marking->width); // x becomes qx
        for (unsigned i = 0; i < marking->width; i++) {
            row[i] = place[images[i]];
        }
    }
    bool done = place && images;
    free(place);
    free(images);
    return done;
}

// Are all states of a page forbidden, because of a thing of the page? `images` has the points to
// which the element of the page takes the points of these things, one thing after the other. All
// points of a thing stand for pieces that look alike, so its first point tells what it is.
static bool is_page_forbidden(const struct marking *marking, const chain_point *images)
{
    unsigned image = 0;
    for (unsigned t = 0; t < marking->cut->split; t++) { // the things of the page
        const struct chain_thing *thing = &marking->view->chain_things[t];
        for (unsigned j = 0; j < thing->size; j++, image++) {
            if (is_forbidden_at(marking->view, thing->points[0], images[image])) {
                return true;
            }
        }
    }
    return false;
}

// Is the state of a page at this offset forbidden, because of a later thing? `tail` has the points
// to which the element of the page takes those of the tail.
static bool is_offset_forbidden(const struct marking *marking, uint64_t offset,
                                const chain_point *tail)
{
    const uint16_t *row = marking->rows + offset * marking->width;
    const size_t degree = marking->cut->chain->plan->degree;
    for (unsigned i = 0; i < marking->width; i++) {
        if (marking->forbidden[i * degree + tail[row[i]]]) {
            return true;
        }
    }
    return false;
}

// Marks the forbidden states of this rank's pages begin … end-1. Ends early if the search should
// stop.
static void mark_forbidden_pages(void *context, uint64_t begin, uint64_t end)
{
    const struct marking *marking = context;
    const struct chain_pages *cut = marking->cut;
    struct bfs *bfs = marking->bfs;
    chain_point images[2 * cut->chain->plan->degree + 1]; // of the points in cut->points
    unsigned image_count = cut->page_points + cut->tail_count;
    for (uint64_t page = begin; page < end && !bfs_should_stop(bfs); page++) {
        // At offset 0, q is the identity, so each point becomes its image under g.
        memcpy(images, cut->points, image_count * sizeof *images);
        chain_unrank_images(cut->chain, (bfs->own_units.first + page) * cut->page_size, images,
                            image_count);
        bool all = is_page_forbidden(marking, images);
        for (uint64_t offset = 0; offset < cut->page_size; offset++) {
            if (all || is_offset_forbidden(marking, offset, images + cut->page_points)) {
                marks_add(&bfs->marks, page * cut->page_size + offset, MARK_OLD);
            }
        }
    }
}

// Lists the restricted points, and fills in where their things are forbidden.
static void fill_forbidden(const struct marking *marking)
{
    const size_t degree = marking->cut->chain->plan->degree;
    list_restricted_points(marking->view, marking->cut, marking->homes);
    for (unsigned i = 0; i < marking->width; i++) {
        for (unsigned point = 0; point < degree; point++) {
            marking->forbidden[i * degree + point] =
                is_forbidden_at(marking->view, marking->homes[i], point);
        }
    }
}

bool mark_forbidden_states(struct bfs *bfs, struct fewest_error *error)
{
    const struct chain_pages *cut = bfs->pages->cut;
    const struct point_view *view = permutation_view(bfs->puzzle);
    unsigned width = list_restricted_points(view, cut, NULL); // their number
    unsigned degree = cut->chain->plan->degree;               // the number of all points
    // `width` can be 0, and malloc may return NULL for 0 bytes.
    struct marking marking = {.bfs = bfs,
                              .cut = cut,
                              .view = view,
                              .width = width,
                              .homes = malloc((width + 1) * sizeof *marking.homes),
                              .forbidden = malloc((size_t)width * degree + 1),
                              .rows = malloc(cut->page_size * width * sizeof *marking.rows + 1)};
    bool done = marking.homes && marking.forbidden && marking.rows;
    if (done) {
        fill_forbidden(&marking);
        done = fill_rows(&marking);
    }
    if (done) {
        parallel_for(bfs->options->threads, bfs_unit_count(bfs), PAGES_AT_ONCE,
                     mark_forbidden_pages, &marking);
    }
    free(marking.homes);
    free(marking.forbidden);
    free(marking.rows);
    return done || error_no_memory(error, "for the forbidden states");
}
