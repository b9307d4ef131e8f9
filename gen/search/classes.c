// Marks all states of a class, and counts classes.
#include "classes.h"

#include "tables/base/parallel.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_AT_ONCE_LEAST = 16 };

// The keepers of a row (algebra/symmetric_pages.h), as numbers of their maps.
struct keepers {
    const uint32_t *maps;
    unsigned count;
};

static struct keepers find_keepers(const struct bfs *bfs, uint64_t row)
{
    const struct symmetric_pages *rows = bfs->pages->rows;
    uint32_t begin = rows->keeper_begins[row];
    return (struct keepers){rows->keepers + begin, rows->keeper_begins[row + 1] - begin};
}

// The offsets that have a mark, in the page that a thread works on.
struct page_list {
    uint32_t *offsets;
    unsigned count;
};

// Lists the offsets of a page of this rank that have the mark.
static void list_marked(const struct bfs *bfs, uint64_t page, unsigned mark, struct page_list *list)
{
    list->count = marks_find(&bfs->marks, bfs_first_mark(bfs, page), bfs->pages->page_size, mark,
                             list->offsets);
}

// ---- Marked entries -----------------------------------------------------------------------------

// A pass over the marked entries of this rank's rows: it marks their images under the keepers, or
// counts the classes.
struct row_pass {
    struct bfs *bfs;
    unsigned mark;
    bool counts;
    _Atomic uint64_t classes;
};

// Marks the images of the listed entries of a row under its keepers. Returns how many it marked.
// The images of images need no second pass, because the keepers and the identity are a group.
static uint64_t mark_images(struct bfs *bfs, const struct keepers *keepers,
                            const struct page_list *list, uint64_t first, unsigned mark)
{
    uint64_t marked = 0;
    for (unsigned k = 0; k < keepers->count; k++) {
        for (unsigned i = 0; i < list->count; i++) {
            uint32_t to = symmetric_pages_go(bfs->pages->rows, keepers->maps[k], list->offsets[i]);
            marked += marks_add(&bfs->marks, first + to, mark);
        }
    }
    return marked;
}

// Is the offset the first of its class? Then no keeper takes it to a lower one.
static bool is_first_of_class(const struct bfs *bfs, const struct keepers *keepers, uint32_t offset)
{
    for (unsigned k = 0; k < keepers->count; k++) {
        if (symmetric_pages_go(bfs->pages->rows, keepers->maps[k], offset) < offset) {
            return false;
        }
    }
    return true;
}

// Counts the classes of the listed entries of a row.
static uint64_t count_firsts(const struct bfs *bfs, const struct keepers *keepers,
                             const struct page_list *list)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < list->count; i++) {
        count += is_first_of_class(bfs, keepers, list->offsets[i]);
    }
    return count;
}

// Does the work of a pass for the rows begin … end-1 of this rank.
static void pass_rows(void *context, uint64_t begin, uint64_t end)
{
    struct row_pass *pass = context;
    struct bfs *bfs = pass->bfs;
    struct page_list list = {.offsets = malloc(bfs->pages->page_size * sizeof *list.offsets)};
    uint64_t found = 0;
    uint64_t classes = 0;
    if (!list.offsets) {
        bfs->out_of_memory = true;
        end = begin;
    }
    for (uint64_t row = bfs->own_units.first + begin; row < bfs->own_units.first + end; row++) {
        const struct keepers keepers = find_keepers(bfs, row);
        if (pass->counts || keepers.count > 0) {
            list_marked(bfs, row, pass->mark, &list);
        }
        if (pass->counts) {
            classes += count_firsts(bfs, &keepers, &list);
        } else if (keepers.count > 0) {
            found += pages_weight(bfs->pages, row) *
                     mark_images(bfs, &keepers, &list, bfs_first_mark(bfs, row), pass->mark);
        }
    }
    free(list.offsets);
    bfs->found += found;
    pass->classes += classes;
}

void mark_kept_states(struct bfs *bfs, unsigned mark)
{
    struct row_pass pass = {.bfs = bfs, .mark = mark};
    if (bfs->pages->rows) {
        parallel_for(bfs->options->threads, bfs_unit_count(bfs), ROWS_AT_ONCE_LEAST, pass_rows,
                     &pass);
    }
}

uint64_t count_classes(struct bfs *bfs, unsigned mark)
{
    struct row_pass pass = {.bfs = bfs, .mark = mark, .counts = true};
    parallel_for(bfs->options->threads, bfs_unit_count(bfs), ROWS_AT_ONCE_LEAST, pass_rows, &pass);
    return pass.classes;
}

// ---- All entries --------------------------------------------------------------------------------

// Does the work of mark_forbidden_entries for the rows begin … end-1 of this rank. One state of a
// row's page tells for all that it stands for: symmetries take forbidden states to forbidden ones.
static void forbid_rows(void *context, uint64_t begin, uint64_t end)
{
    struct bfs *bfs = context;
    uint8_t relative[CELLS_MOST];
    for (uint64_t row = bfs->own_units.first + begin;
         row < bfs->own_units.first + end && !bfs_should_stop(bfs); row++) {
        uint64_t first = bfs_first_mark(bfs, row);
        for (unsigned offset = 0; offset < bfs->pages->page_size; offset++) {
            count_pages_write_state(bfs->count_pages, bfs->puzzle, (uint32_t)row, offset, relative);
            if (!puzzle_permits(bfs->puzzle, relative)) {
                marks_add(&bfs->marks, first + offset, MARK_OLD);
            }
        }
    }
}

void mark_forbidden_entries(struct bfs *bfs)
{
    parallel_for(bfs->options->threads, bfs_unit_count(bfs), ROWS_AT_ONCE_LEAST, forbid_rows, bfs);
}

void mark_row_backward(struct bfs *bfs, struct frontier_page *frontier, uint32_t row)
{
    struct page_list list = {.offsets = frontier->list};
    uint64_t first = bfs_first_mark(bfs, row);
    const struct symmetric_pages *rows = bfs->pages->rows;
    const struct chain_step *steps = symmetric_pages_steps(rows, row);
    const struct symmetric_view *views = symmetric_pages_views(rows, row);
    list_marked(bfs, row, MARK_NONE, &list);
    for (unsigned m = 0; m < bfs->puzzle->move_count; m++) {
        uint64_t next = bfs_first_mark(bfs, steps[m].page);
        unsigned kept = 0;
        for (unsigned i = 0; i < list.count; i++) {
            uint32_t offset = list.offsets[i];
            uint32_t moved = symmetric_pages_go(rows, steps[m].map, offset);
            moved = symmetric_pages_go(rows, views[m].map, moved);
            bool is_hit = marks_get(&bfs->marks, next + moved) == bfs->frontier_mark;
            if (is_hit) {
                frontier->found += pages_weight(bfs->pages, row) *
                                   marks_add(&bfs->marks, first + offset, bfs->next_mark);
            }
            list.offsets[kept] = offset;
            kept += !is_hit;
        }
        list.count = kept;
    }
}

// ---- Saved layers and single classes ------------------------------------------------------------

bool count_saved_classes(struct bfs *bfs, struct fewest_error *error)
{
    const struct distances *distances = bfs->distances;
    unsigned size = bfs->pages->page_size;
    uint8_t *bytes = malloc(size);
    bool read = bytes || error_no_memory(error, "to load the checkpoint");
    for (uint64_t row = bfs->own_units.first; row < bfs->own_units.end && read; row++) {
        const struct keepers keepers = find_keepers(bfs, row);
        memset(bytes, UNREACHED, size);
        read = layers_read(&distances->layers, bfs_first_mark(bfs, row), size, bytes, error);
        for (unsigned offset = 0; offset < size && read; offset++) {
            if (bytes[offset] + 1u < distances->layers.count) { // not the last layer
                bfs->classes[bytes[offset]] += is_first_of_class(bfs, &keepers, offset);
            }
        }
    }
    free(bytes);
    return read;
}

uint64_t find_first_of_class(const struct bfs *bfs, uint64_t entry, unsigned mark)
{
    uint64_t first = bfs->distances->first;
    uint64_t end = first + bfs->marks.count;
    unsigned size = bfs->pages->page_size;
    for (entry = entry > first ? entry : first; entry < end; entry++) {
        if (marks_get(&bfs->marks, entry - first) != mark) {
            continue;
        }
        if (!bfs->pages->rows) {
            return entry;
        }
        const struct keepers keepers = find_keepers(bfs, entry / size);
        if (is_first_of_class(bfs, &keepers, (uint32_t)(entry % size))) {
            return entry;
        }
    }
    return UINT64_MAX;
}
