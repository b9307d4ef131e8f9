// Divides the states of a puzzle into pages, and tells where moves lead from each.
#include "pages.h"

#include "tables/base/array.h"
#include "tables/base/clock.h"

#include <stdlib.h>

enum {
    PAGE_WANTED = 25000,      // measured: with 12,000, searches took up to 1.3 times as long
    PAGE_LEAST = 16,          // with fewer, pages gain nothing
    PAGES_WANTED = 64,        // enough for all threads
    STEPS_FORECAST = 1 << 17, // a twentieth of a second, if they take little work
    WORK_FORECAST = 1 << 27,  // the same, of divided points
    MAPS_MOST = 64 << 20,     // bytes
    MAPS_ALWAYS = 256 << 10,  // bytes, even if the marks have less
    KEPT_SHARE = 5, // the steps may take a fifth of the marks. They save 5 to 15 % of a search.
};

// The bytes of the marks of a search: two bits for each state.
static uint64_t bytes_of_marks(const struct chain *chain)
{
    return chain->count / 4;
}

// Do the maps that have a number take more memory than they may? The limit is the size of the
// marks, but between MAPS_ALWAYS and MAPS_MOST. Maps of masks may have MAPS_MOST or, if that is
// more, a quarter of the marks: without them a ring of 36 beads takes hours instead of minutes.
static bool has_too_many_maps(const struct chain_pages *cut)
{
    uint64_t marks = bytes_of_marks(cut->chain);
    uint64_t most = MAPS_MOST;
    if (cut->masks) {
        most = marks / 4 > MAPS_MOST ? marks / 4 : MAPS_MOST;
    } else if (marks < MAPS_MOST) {
        most = marks > MAPS_ALWAYS ? marks : MAPS_ALWAYS;
    }
    return chain_pages_bytes(cut) > most;
}

// Returns n such that one page of each n pages makes about `most` steps together.
static uint64_t share_of_pages(const struct chain_pages *cut, uint64_t most)
{
    return cut->page_count / (most / chain_pages_step_count(cut) + 1) + 1;
}

// Numbers the maps of some pages, one of each `share` pages, and the inverses of these maps. Stops
// early, and returns true, if there are too many maps. Writes the steps of page p at
// steps[p × stride]; with stride 0, each page overwrites the last. Returns false if memory runs
// out.
static bool number_maps(struct chain_pages *cut, uint64_t share, struct chain_step *steps,
                        size_t stride)
{
    for (uint64_t first = 0; first < cut->page_count; first += share) {
        // One page of each share, at random, because pages that are equally far apart are alike.
        uint64_t page = first + first * UINT64_C(0x9E3779B97F4A7C15) % share;
        if (page < cut->page_count && !chain_pages_step(cut, page, steps + page * stride)) {
            return false;
        }
        if (has_too_many_maps(cut)) {
            return true;
        }
    }
    return chain_pages_invert(cut);
}

// The memory of all steps, or 0 if they are not kept.
static uint64_t count_step_bytes(const struct chain_pages *cut)
{
    uint64_t bytes = cut->page_count * chain_pages_step_count(cut) * sizeof(struct chain_step);
    return bytes <= bytes_of_marks(cut->chain) / KEPT_SHARE ? bytes : 0;
}

// The number of steps that a forecast takes: fewer if a state has many points or digits.
static uint64_t count_forecast_steps(const struct chain_pages *cut)
{
    uint64_t points = cut->page_points + cut->tail_count;
    uint64_t steps = WORK_FORECAST / (points * cut->split + 1);
    return steps < STEPS_FORECAST ? steps : STEPS_FORECAST;
}

// Numbers all maps of the cut, unless they are too many. Keeps the steps of all pages in
// pages->steps if they take little memory. `room` has room for the steps of one page. Returns false
// if memory runs out.
static bool number_all_maps(struct pages *pages, struct chain_step *room)
{
    struct chain_pages *cut = pages->cut;
    uint64_t bytes = count_step_bytes(cut);
    if (bytes == 0) {
        return number_maps(cut, 1, room, 0); // every page, into the same room
    }
    pages->steps = array_make(bytes, 1);
    return pages->steps && number_maps(cut, 1, pages->steps, chain_pages_step_count(cut));
}

// Numbers some maps of the cut, and measures how long all would take. `room` has room for the steps
// of one page. Returns false if memory runs out.
static bool sample_maps(struct pages *pages, struct chain_step *room)
{
    struct chain_pages *cut = pages->cut;
    uint64_t share = share_of_pages(cut, count_forecast_steps(cut));
    double begin = clock_thread_seconds();
    bool done = number_maps(cut, share, room, 0);
    pages->step_seconds = (clock_thread_seconds() - begin) * (double)share;
    pages->keeps_steps = count_step_bytes(cut) > 0;
    return done;
}

// Fills in what the caller of pages_make sees of the cut that was chosen.
static void accept_cut(struct pages *pages)
{
    const struct chain_pages *cut = pages->cut;
    pages->masks = cut->masks;
    if (!cut->masks) {
        pages->page_size = (unsigned)cut->page_size;
        pages->page_count = cut->page_count;
    }
    pages->bytes = count_step_bytes(cut) + chain_pages_bytes(cut);
}

// Chooses the largest page that has at most PAGE_WANTED offsets and not too many maps: tries
// smaller and smaller ones. If there is none, returns true and leaves page_size 0. A forecast
// numbers only some of the maps. `room` has room for the steps of one page. Returns false if memory
// runs out.
static bool choose_cut(struct pages *pages, const struct chain *chain, bool forecast,
                       struct chain_step *room)
{
    struct chain_pages *cut = pages->cut;
    uint64_t most = chain->count / PAGES_WANTED;
    unsigned wanted = most < PAGE_WANTED ? (unsigned)most : PAGE_WANTED;
    unsigned size = 0; // of the last cut that was tried
    while (wanted >= PAGE_LEAST) {
        if (!chain_pages_make(cut, chain, wanted)) {
            return false;
        }
        if (cut->page_size < PAGE_LEAST || cut->page_size == size) {
            return true;
        }
        bool numbered = forecast ? sample_maps(pages, room) : number_all_maps(pages, room);
        if (!numbered) {
            return false;
        }
        if (!has_too_many_maps(cut)) {
            accept_cut(pages);
            return true;
        }
        if (cut->masks) { // a smaller page would be the same digit
            return true;
        }
        size = (unsigned)cut->page_size;
        wanted = size - 1;
        free(pages->steps);
        pages->steps = NULL;
        chain_pages_free(cut);
    }
    return true;
}

// Does the work of pages_make or, with `forecast`, of pages_forecast, for a chain.
static bool make_pages(struct pages *pages, const struct chain *chain, bool forecast,
                       struct fewest_error *error)
{
    const struct chain_plan *plan = chain->plan;
    unsigned moves = plan->steps ? plan->step_count : plan->move_count;
    struct chain_step *room = malloc(moves * sizeof *room);
    pages->cut = calloc(1, sizeof *pages->cut);
    bool done = pages->cut && room && choose_cut(pages, chain, forecast, room);
    free(room);
    if (done && !forecast && (pages->page_size > 0 || pages->masks)) { // a cut was accepted
        done = chain_pages_fill(pages->cut);
    }
    if (!done) {
        pages_free(pages);
        return error_no_memory(error, "for the move tables");
    }
    return true;
}

bool pages_make(struct pages *pages, const struct chain *chain, struct fewest_error *error)
{
    *pages = (struct pages){.page_size = 0};
    return !chain || make_pages(pages, chain, false, error);
}

bool pages_forecast(struct pages *pages, const struct chain *chain, struct fewest_error *error)
{
    *pages = (struct pages){.page_size = 0};
    return !chain || make_pages(pages, chain, true, error);
}

void pages_free(struct pages *pages)
{
    if (pages->cut) {
        chain_pages_free(pages->cut);
    }
    free(pages->cut);
    free(pages->steps);
    *pages = (struct pages){.page_size = 0};
}

void pages_take_rows(struct pages *pages, const struct symmetric_pages *rows)
{
    *pages = (struct pages){.page_size = rows->page_size,
                            .page_count = rows->row_count,
                            .rows = rows,
                            .bytes = symmetric_pages_bytes(rows)};
}

unsigned pages_step_count(const struct pages *pages)
{
    return pages->rows ? pages->rows->plan->chain.move_count : chain_pages_step_count(pages->cut);
}

const struct chain_step *pages_steps(const struct pages *pages, uint64_t page,
                                     struct chain_step *room)
{
    if (pages->rows) {
        return symmetric_pages_steps(pages->rows, (uint32_t)page);
    }
    if (pages->steps) {
        return pages->steps + page * chain_pages_step_count(pages->cut);
    }
    // This numbers no new map, so it takes no memory and can't fail.
    chain_pages_step(pages->cut, page, room);
    return room;
}
