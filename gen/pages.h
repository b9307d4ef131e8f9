// Cuts an index into a page and a place in the page, so that the search of millions of states works
// on data in the processor's cache.
//
// An index is cut in two: *page* × place_count + *place*. With a good cut, a move takes all states
// of a page to one page. It takes each place to a place by a *map* that is the same for many pages.
// So a neighbour is a look-up in a small table, and the neighbours of a page lie in as many pages
// as there are moves. These few pages and the maps fit in the processor's cache.
//
// There are two ways to find such a cut:
//   1. The lowest digits of the index are free (numbering.h): they change independently of the
//      others. Most often they are orientations. They make the place, and all others the page. The
//      pages of one *variant* (numbering.h) have the same maps.
//   2. The index is the rank of a row of different *points* (numbering.h), and a move takes each
//      point to a point. The first points of the row make the page. The others are numbered among
//      the points that these leave free. So the map depends on which points the page has, but not
//      on their order or orientations. The pages with the same outer value and
//      the same points make a *group*.
//
// If there is no such cut, a search goes from state to state.
#ifndef FEWEST_GEN_PAGES_H
#define FEWEST_GEN_PAGES_H

#include "puzzle/puzzle.h"

struct pages {
    const struct puzzle *puzzle;
    unsigned root;
    unsigned place_count; // 0 if the index can't be cut
    uint64_t group_count;
    unsigned pages_a_group;
    // The first way:
    uint16_t *maps;       // by variant, move and place
    uint16_t *inverses;   // of the maps; NULL if two places lead to one
    uint32_t *variant_of; // by outer value
    unsigned variant_count;
    uint64_t pages_a_value; // of the outer value
    // The second way:
    struct point_row row;
    unsigned taken; // number of points of a page
    // Many groups and moves share a map. NULL if the different maps take too much room: then a
    // cursor makes the maps of its group.
    uint16_t *shared_maps;
    uint32_t *inverse_of; // by shared map: the shared map that leads back
    uint32_t shared_count;
    uint32_t *map_of; // by group and move: its shared map
};

// False without memory.
bool pages_make(struct pages *pages, const struct puzzle *puzzle, unsigned root,
                struct fewest_error *error);
void pages_free(struct pages *pages);

// The memory of the maps and of what is kept, in bytes.
uint64_t pages_bytes(const struct pages *pages, unsigned threads);

// The group and the page that a thread is at, and the moves of the page.
struct page_cursor {
    const struct pages *pages;
    uint64_t page;
    // By move: its map, and the map that leads back, or NULL if there is none. Not set if the move
    // can't be made.
    const uint16_t **map;
    const uint16_t **inverse;
    // By move: the page that it leads to, or INDEX_NONE if it can't be made.
    uint64_t *to;
    uint16_t *built; // the second way: the maps of the group and their inverses, if not shared
    struct point_move (*point_map)[RANK_LONGEST]; // by move: where it takes the points
    uint8_t *outer_to;                            // by move: where it takes the outer value
    struct point_move row[RANK_LONGEST];          // the second way: the points of the page
    uint64_t group;
    unsigned outer; // outer value of the group
    unsigned set;   // points that all pages of the group have, a bit each
    bool have_maps; // the second way: the maps of this group are there
};

bool page_cursor_open(struct page_cursor *cursor, const struct pages *pages);
void page_cursor_close(struct page_cursor *cursor);

// Goes to a group, and then to page `number` of it.
void page_cursor_go(struct page_cursor *cursor, uint64_t group);
void page_cursor_page(struct page_cursor *cursor, unsigned number);

// Fills in where the moves lead from the page, and their maps.
void page_cursor_moves(struct page_cursor *cursor);

#endif
