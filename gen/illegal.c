// Marks illegal states by pages (algebra/chain_pages.h). A state is that of an element gq. g is the
// element of its page, and q fixes the things of the page. So a thing B is at gqB.
//   - A thing of the page is at gB in all states of the page. If it may not be there, all of them
//     are illegal.
//   - A later thing is at a point y if its qB has the point g⁻¹y, which belongs to the tail. The
//     places whose qB has a point are listed once, for each thing and each point of the tail.
#include "illegal.h"

#include "base/parallel.h"
#include "puzzle/permutation.h"

#include <stdlib.h>
#include <string.h>

enum {
    LISTS_MOST = 16 << 20, // bytes of the lists of places, unless one thing has more
    PAGES_AT_ONCE = 16,    // that a thread takes
};

// A search whose illegal states are being marked.
struct marking {
    struct bfs *bfs;
    const struct pages *pages;
    const struct chain_pages *cut; // of the pages
    const struct point_view *view;
    unsigned words;        // a bit for each place
    unsigned *things;      // later things that may not be everywhere
    unsigned first;        // of those whose illegal places are being marked now
    unsigned end;          // one after the last
    uint64_t *lists;       // by such a thing and point of the tail: the places where it is there
    uint16_t *every_place; // 0, 1, 2, …
};

// Is thing t illegal at a point?
static bool forbids(const struct point_view *view, unsigned t, unsigned point)
{
    return point_view_forbids(view, view->puzzle, point, view->chain_things[t].points[0]);
}

// Lists the later things that may not be everywhere. If a colour has two things, the first one
// tells its slots. Returns their number. `things` may be NULL.
static unsigned list_things(const struct point_view *view, const struct chain_pages *cut,
                            unsigned *things)
{
    unsigned count = 0;
    for (unsigned t = cut->split; t < view->thing_count; t++) {
        bool somewhere = false;
        for (unsigned i = 0; i < view->slot_count && !view->things[t].after_alone; i++) {
            somewhere = somewhere || forbids(view, t, view->slots[i].first);
        }
        if (somewhere && things) {
            things[count] = t;
        }
        count += somewhere;
    }
    return count;
}

static unsigned count_words(const struct pages *pages)
{
    return (pages->place_count + 63) / 64;
}

// The bytes of the lists of one thing.
static uint64_t list_bytes(const struct pages *pages)
{
    return ((uint64_t)pages->cut->tail_count * count_words(pages) + 1) * sizeof(uint64_t);
}

// How many of `count` things have lists at once: at least one.
static unsigned things_at_once(const struct pages *pages, unsigned count)
{
    uint64_t most = LISTS_MOST / list_bytes(pages);
    return most == 0 ? 1 : count < most ? count : (unsigned)most;
}

uint64_t illegal_memory(const struct puzzle *puzzle, const struct pages *pages)
{
    if (!puzzle->forbids_states || pages->place_count == 0) {
        return 0;
    }
    unsigned count = list_things(permutation_view(puzzle), pages->cut, NULL);
    return things_at_once(pages, count) * list_bytes(pages);
}

static uint64_t *find_list(const struct marking *marking, unsigned i, unsigned tail_point)
{
    size_t thing = i - marking->first;
    return marking->lists + (thing * marking->cut->tail_count + tail_point) * marking->words;
}

// Fills in the lists: on page 0, g is the identity.
static bool fill_lists(struct marking *marking)
{
    const struct chain_pages *cut = marking->cut;
    const chain_point *tail = cut->points + cut->page_points;
    unsigned degree = cut->chain->plan->degree;
    uint16_t *number = calloc(degree, sizeof *number); // by point of the tail
    chain_point *images = malloc(degree * sizeof *images);
    for (unsigned x = 0; x < cut->tail_count && number; x++) {
        number[tail[x]] = (uint16_t)x;
    }
    for (unsigned i = marking->first; i < marking->end && number && images; i++) {
        const struct chain_thing *thing = &marking->view->chain_things[marking->things[i]];
        for (unsigned place = 0; place < marking->pages->place_count; place++) {
            memcpy(images, thing->points, thing->size * sizeof *images);
            chain_unrank_images(cut->chain, place, images, thing->size);
            for (unsigned j = 0; j < thing->size; j++) {
                find_list(marking, i, number[images[j]])[place / 64] |= UINT64_C(1) << place % 64;
            }
        }
    }
    bool done = number && images;
    free(number);
    free(images);
    return done;
}

// Does a thing of the page make all of its states illegal? `images` is where g takes its points.
static bool is_all_illegal(const struct marking *marking, const chain_point *images)
{
    for (unsigned t = 0; t < marking->cut->split; t++) {
        for (unsigned j = 0; j < marking->view->chain_things[t].size; j++) {
            if (forbids(marking->view, t, *images++)) {
                return true;
            }
        }
    }
    return false;
}

// Fills in a bit for each place of a page whose state is illegal.
static void find_illegal_places(const struct marking *marking, uint64_t page, uint64_t *bits)
{
    const struct chain_pages *cut = marking->cut;
    chain_point images[2 * cut->chain->plan->degree + 1];
    unsigned image_count = cut->page_points + cut->tail_count;
    memcpy(images, cut->points, image_count * sizeof *images);
    chain_unrank_images(cut->chain, page * cut->place_count, images, image_count);
    bool all = is_all_illegal(marking, images);
    memset(bits, all ? 0xFF : 0, marking->words * sizeof *bits);
    for (unsigned i = marking->first; i < marking->end && !all; i++) {
        for (unsigned x = 0; x < cut->tail_count; x++) {
            const uint64_t *list = find_list(marking, i, x);
            bool illegal = forbids(marking->view, marking->things[i], images[cut->page_points + x]);
            for (unsigned word = 0; word < marking->words && illegal; word++) {
                bits[word] |= list[word];
            }
        }
    }
}

static void mark_pages(void *context, uint64_t begin, uint64_t end)
{
    const struct marking *marking = context;
    struct bfs *bfs = marking->bfs;
    unsigned place_count = marking->pages->place_count;
    uint64_t bits[CHAIN_PLACES_MOST / 64];
    for (uint64_t page = begin; page < end && !bfs_should_stop(bfs); page++) {
        find_illegal_places(marking, bfs->own.first + page, bits);
        marks_add_from(&bfs->marks, page * place_count, place_count, marking->every_place, bits,
                       MARK_OLD, bfs->options->threads == 1);
    }
}

// Marks what some things make illegal, and those of the page.
static bool mark_things(struct marking *marking)
{
    const struct bfs *bfs = marking->bfs;
    memset(marking->lists, 0, (marking->end - marking->first) * list_bytes(marking->pages));
    if (!fill_lists(marking)) {
        return false;
    }
    parallel_for(bfs->options->threads, bfs->own.end - bfs->own.first, PAGES_AT_ONCE, mark_pages,
                 marking);
    return true;
}

bool mark_illegal_states(struct bfs *bfs, struct fewest_error *error)
{
    struct marking marking = {.bfs = bfs,
                              .pages = bfs->pages,
                              .cut = bfs->pages->cut,
                              .view = permutation_view(bfs->puzzle),
                              .words = count_words(bfs->pages)};
    unsigned place_count = bfs->pages->place_count;
    marking.things = calloc(marking.view->thing_count, sizeof *marking.things);
    marking.every_place = malloc(place_count * sizeof *marking.every_place);
    bool done = marking.things && marking.every_place;
    unsigned count = done ? list_things(marking.view, marking.cut, marking.things) : 0;
    unsigned step = things_at_once(marking.pages, count);
    marking.lists = malloc(step * list_bytes(marking.pages) + 1);
    done = done && marking.lists;
    for (unsigned place = 0; place < place_count && done; place++) {
        marking.every_place[place] = (uint16_t)place;
    }
    do {
        marking.end = count - marking.first < step ? count : marking.first + step;
        done = done && mark_things(&marking);
        marking.first = marking.end;
    } while (marking.first < count && done);
    free(marking.lists);
    free(marking.things);
    free(marking.every_place);
    return done || error_set(error, FEWEST_SYSTEM, "not enough memory for the illegal states");
}
