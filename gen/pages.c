// Divides the states of a puzzle into pages, and tells where moves lead from each.
#include "pages.h"

#include "index/rank.h"

#include <stdlib.h>
#include <string.h>

enum {
    PLACES_MOST = 1 << 16, // a map's entries have 16 bits
    PLACES_LEAST = 32,     // with fewer, pages gain nothing
    PLACES_WANTED = 2600,  // maps of this many fit in a cache
    GROUPS_WANTED = 64,    // enough for all threads
    MAPS_MOST = 16 << 20,  // bytes
    KEPT_MOST = 64 << 20,  // bytes of `kept_to`
};

// ---- The first way: free digits -----------------------------------------------------------------

// The largest power of the digit's base that is at most `room` and divides the digit's count.
static uint64_t take_low_digits(const struct free_digit *digit, uint64_t room)
{
    uint64_t count = 1;
    while (digit->base > 0 && count * digit->base <= room && count * digit->base <= digit->count) {
        count *= digit->base;
    }
    return count;
}

// The number of places: the product of as many free digits as there is room for, or 0 if that is
// not worth it.
static unsigned count_places(const struct puzzle *puzzle)
{
    struct free_digit digits[CELLS_MOST];
    uint64_t room = MAPS_MOST / (sizeof(uint16_t) * puzzle->move_count);
    uint64_t states = puzzle->numbering.state_count;
    uint64_t count = 1;
    if (!puzzle->numbering.functions->find_free_digits) {
        return 0;
    }
    room = room < PLACES_MOST ? room : PLACES_MOST;
    unsigned digit_count = puzzle->numbering.functions->find_free_digits(puzzle, digits);
    for (unsigned d = 0; d < digit_count; d++) {
        uint64_t more = count * digits[d].count;
        if (more > room || states / more < GROUPS_WANTED) {
            uint64_t left = room / count;
            count *= take_low_digits(&digits[d], left < PLACES_WANTED ? left : PLACES_WANTED);
            break;
        }
        count = more;
    }
    return count >= PLACES_LEAST && states / count >= GROUPS_WANTED ? (unsigned)count : 0;
}

static bool make_maps(struct pages *pages)
{
    const struct puzzle *puzzle = pages->puzzle;
    uint64_t neighbours[MOVES_MOST];
    pages->maps = malloc((size_t)puzzle->move_count * pages->place_count * sizeof *pages->maps);
    for (unsigned place = 0; place < pages->place_count && pages->maps; place++) {
        puzzle_neighbours(puzzle, pages->root, place, neighbours);
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            pages->maps[(size_t)m * pages->place_count + place] =
                (uint16_t)(neighbours[m] % pages->place_count);
        }
    }
    return pages->maps;
}

static void moves_of_digits(struct page_cursor *cursor, uint64_t page)
{
    const struct pages *pages = cursor->pages;
    puzzle_neighbours(pages->puzzle, pages->root, page * pages->place_count, cursor->to);
    for (unsigned m = 0; m < pages->puzzle->move_count; m++) {
        cursor->to[m] /= pages->place_count;
    }
}

// ---- The second way: rows of points -------------------------------------------------------------

static uint64_t count_subsets(unsigned n, unsigned k)
{
    uint64_t count = 1;
    for (unsigned i = 0; i < k; i++) {
        count = count * (n - i) / (i + 1);
    }
    return count;
}

// Gives a page as few points as possible, but enough that a cache can hold the maps.
static void cut_points(struct pages *pages)
{
    enum { TAKEN_MOST = 6 };
    unsigned taken = 1;
    while (taken < pages->row.length && taken < TAKEN_MOST &&
           arrangement_count(pages->row.points - taken, pages->row.length - taken) >
               PLACES_WANTED) {
        taken++;
    }
    uint64_t places = arrangement_count(pages->row.points - taken, pages->row.length - taken);
    if (taken < pages->row.length && places >= PLACES_LEAST && places <= PLACES_MOST) {
        pages->taken = taken;
        pages->place_count = (unsigned)places;
        pages->pages_a_group = (unsigned)arrangement_count(taken, taken);
        pages->group_count = pages->row.outer * count_subsets(pages->row.points, taken);
    }
}

// Lists the points in a set and the points outside it, in rising order.
static void split_points(unsigned points, unsigned set, uint8_t *in, uint8_t *out)
{
    for (unsigned point = 0; point < points; point++) {
        if (set >> point & 1) {
            *in++ = (uint8_t)point;
        } else {
            *out++ = (uint8_t)point;
        }
    }
}

// Finds set `number` of all sets of `taken` out of `points` points, sorted by their masks.
static unsigned nth_set(unsigned points, unsigned taken, uint64_t number)
{
    unsigned set = 0;
    for (unsigned point = points; point-- > 0 && taken > 0;) {
        uint64_t without = count_subsets(point, taken);
        if (number >= without) {
            number -= without;
            set |= 1u << point;
            taken--;
        }
    }
    return set;
}

static void go_to_points(struct page_cursor *cursor, uint64_t group)
{
    const struct pages *pages = cursor->pages;
    uint64_t sets = pages->group_count / pages->row.outer;
    uint64_t pages_a_value = arrangement_count(pages->row.points, pages->taken);
    uint8_t in[RANK_LONGEST] = {0};
    uint8_t out[RANK_LONGEST] = {0};
    cursor->outer = (unsigned)(group / sets);
    cursor->set = nth_set(pages->row.points, pages->taken, group % sets);
    split_points(pages->row.points, cursor->set, in, out);
    for (unsigned order = 0; order < pages->pages_a_group; order++) {
        uint8_t *row = cursor->row + (size_t)order * RANK_LONGEST;
        arrangement_unrank(pages->taken, pages->taken, order, row);
        for (unsigned i = 0; i < pages->taken; i++) {
            row[i] = in[row[i]];
        }
        cursor->page[order] =
            cursor->outer * pages_a_value + arrangement_rank(pages->row.points, pages->taken, row);
    }
}

// Fills a map: lists all rows of the free points in the order of their places, and ranks what a
// move makes of them. The move takes `point` to to[point]. Returns the end of what is filled.
static uint16_t *fill_map(const struct pages *pages, const uint8_t *to, unsigned length_so_far,
                          unsigned used, struct lehmer code, unsigned rank, uint16_t *out)
{
    unsigned free_points = pages->row.points - pages->taken;
    unsigned length = pages->row.length - pages->taken;
    if (length_so_far == length) {
        *out = (uint16_t)rank;
        return out + 1;
    }
    for (unsigned point = 0; point < free_points; point++) {
        if (!(used >> point & 1)) {
            struct lehmer next = code;
            unsigned digit = lehmer_digit(&next, to[point]);
            out = fill_map(pages, to, length_so_far + 1, used | 1u << point, next,
                           rank * (free_points - length_so_far) + digit, out);
        }
    }
    return out;
}

static bool is_in_order(const uint8_t *to, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (to[i] != i) {
            return false;
        }
    }
    return true;
}

// The map of a move depends on which points the page has before the move and after it, and on where
// the move takes the free points. `built` has room for it, or holds it already.
static void build_map(struct page_cursor *cursor, unsigned move, uint16_t *built, bool is_there)
{
    const struct pages *pages = cursor->pages;
    const uint8_t *map = cursor->point_map[move];
    uint8_t in[RANK_LONGEST] = {0};
    uint8_t out[RANK_LONGEST] = {0};
    uint8_t to[RANK_LONGEST] = {0};
    unsigned after = 0; // the free points after the move
    split_points(pages->row.points, cursor->set, in, out);
    unsigned free_points = pages->row.points - pages->taken;
    for (unsigned i = 0; i < free_points; i++) {
        after |= 1u << map[out[i]];
    }
    for (unsigned i = 0; i < free_points; i++) {
        to[i] = (uint8_t)count_bits(after & ((1u << map[out[i]]) - 1));
    }
    if (is_in_order(to, free_points)) {
        cursor->map[move] = pages->unmoved;
        return;
    }
    if (!is_there) {
        fill_map(pages, to, 0, 0, lehmer_start(), 0, built);
    }
    cursor->map[move] = built;
}

static void build_maps(struct page_cursor *cursor)
{
    const struct pages *pages = cursor->pages;
    const struct numbering_functions *functions = pages->puzzle->numbering.functions;
    unsigned moves = pages->puzzle->move_count;
    size_t one = pages->place_count;
    uint16_t *built =
        pages->kept_maps ? pages->kept_maps + cursor->group * moves * one : cursor->built;
    bool are_there = pages->kept_maps && pages->has_maps[cursor->group];
    for (unsigned m = 0; m < moves; m++) {
        cursor->outer_to[m] =
            (uint8_t)functions->move_points(pages->puzzle, cursor->outer, m, cursor->point_map[m]);
        if (cursor->outer_to[m] != OUTER_NONE) {
            build_map(cursor, m, built + m * one, are_there);
        }
    }
    if (pages->kept_maps) {
        pages->has_maps[cursor->group] = true;
    }
    cursor->have_maps = true;
}

static void moves_of_points(struct page_cursor *cursor, unsigned order)
{
    const struct pages *pages = cursor->pages;
    uint64_t pages_a_value = arrangement_count(pages->row.points, pages->taken);
    const uint8_t *row = cursor->row + (size_t)order * RANK_LONGEST;
    for (unsigned m = 0; m < pages->puzzle->move_count; m++) {
        uint8_t moved[RANK_LONGEST];
        cursor->to[m] = INDEX_NONE;
        if (cursor->outer_to[m] == OUTER_NONE) {
            continue;
        }
        for (unsigned i = 0; i < pages->taken; i++) {
            moved[i] = cursor->point_map[m][row[i]];
        }
        cursor->to[m] = cursor->outer_to[m] * pages_a_value +
                        arrangement_rank(pages->row.points, pages->taken, moved);
    }
}

// The length of one set of maps, in bytes.
static size_t maps_length(const struct pages *pages)
{
    return (size_t)pages->puzzle->move_count * pages->place_count * sizeof(uint16_t);
}

static bool make_unmoved(struct pages *pages)
{
    pages->unmoved = malloc(pages->place_count * sizeof *pages->unmoved);
    for (unsigned place = 0; place < pages->place_count && pages->unmoved; place++) {
        pages->unmoved[place] = (uint16_t)place;
    }
    return pages->unmoved;
}

// ---- Both ---------------------------------------------------------------------------------------

// Makes the maps of the way that has been found, if there is one.
static bool make_move_tables(struct pages *pages)
{
    if (pages->place_count > 0) {
        return make_unmoved(pages);
    }
    pages->place_count = count_places(pages->puzzle);
    if (pages->place_count == 0) {
        return true;
    }
    pages->group_count = pages->puzzle->numbering.state_count / pages->place_count;
    return make_maps(pages);
}

// The bytes of `kept_to` and of `kept_maps`; 0 if that would be too much.
static uint64_t count_kept_to(const struct pages *pages)
{
    uint64_t bytes = pages->group_count * pages->pages_a_group * pages->puzzle->move_count *
                     sizeof *pages->kept_to;
    return bytes <= KEPT_MOST ? bytes : 0;
}

static uint64_t count_kept_maps(const struct pages *pages)
{
    uint64_t bytes = pages->unmoved ? pages->group_count * maps_length(pages) : 0;
    return bytes <= MAPS_MOST ? bytes : 0;
}

static bool make_kept(struct pages *pages)
{
    uint64_t to = count_kept_to(pages);
    uint64_t maps = count_kept_maps(pages);
    if (to > 0) {
        pages->kept_to = calloc(to, 1);
    }
    if (maps > 0) {
        pages->kept_maps = malloc(maps);
        pages->has_maps = calloc(pages->group_count, sizeof *pages->has_maps);
    }
    return (to == 0 || pages->kept_to) && (maps == 0 || (pages->kept_maps && pages->has_maps));
}

bool pages_make(struct pages *pages, const struct puzzle *puzzle, unsigned root,
                struct fewest_error *error)
{
    const struct numbering_functions *functions = puzzle->numbering.functions;
    *pages = (struct pages){.puzzle = puzzle, .root = root, .pages_a_group = 1};
    if (functions->find_points && functions->find_points(puzzle, &pages->row)) {
        cut_points(pages);
    }
    if (make_move_tables(pages) && make_kept(pages)) {
        return true;
    }
    pages_free(pages);
    return error_set(error, FEWEST_SYSTEM, "not enough memory for the move tables");
}

void pages_free(struct pages *pages)
{
    free(pages->maps);
    free(pages->unmoved);
    free(pages->kept_to);
    free(pages->kept_maps);
    free(pages->has_maps);
    *pages = (struct pages){.place_count = 0};
}

uint64_t pages_bytes(const struct pages *pages, unsigned threads)
{
    if (pages->place_count == 0) {
        return 0;
    }
    unsigned sets = pages->maps ? 1 : threads; // of maps
    return sets * maps_length(pages) + count_kept_to(pages) + count_kept_maps(pages);
}

bool page_cursor_open(struct page_cursor *cursor, const struct pages *pages)
{
    unsigned moves = pages->puzzle->move_count;
    *cursor = (struct page_cursor){.pages = pages};
    cursor->page = malloc(pages->pages_a_group * sizeof *cursor->page);
    cursor->row = calloc(pages->pages_a_group, RANK_LONGEST);
    cursor->map = malloc(moves * sizeof *cursor->map);
    cursor->to = malloc(moves * sizeof *cursor->to);
    cursor->point_map = malloc(moves * sizeof *cursor->point_map);
    cursor->outer_to = malloc(moves);
    cursor->built = malloc(pages->maps || pages->kept_maps ? 1 : maps_length(pages));
    if (cursor->page && cursor->row && cursor->map && cursor->to && cursor->point_map &&
        cursor->outer_to && cursor->built) {
        return true;
    }
    page_cursor_close(cursor);
    return false;
}

void page_cursor_close(struct page_cursor *cursor)
{
    free(cursor->page);
    free(cursor->row);
    free(cursor->map);
    free(cursor->to);
    free(cursor->built);
    free(cursor->point_map);
    free(cursor->outer_to);
    *cursor = (struct page_cursor){.pages = NULL};
}

void page_cursor_go(struct page_cursor *cursor, uint64_t group)
{
    cursor->group = group;
    cursor->have_maps = false;
    if (cursor->pages->maps) {
        cursor->page[0] = group;
    } else {
        go_to_points(cursor, group);
    }
}

// Keeps where the moves of a page lead. 0 stands for a page that was not visited yet, 1 for a move
// that can't be made.
static void keep_moves(const struct page_cursor *cursor, uint32_t *kept)
{
    for (unsigned m = 0; m < cursor->pages->puzzle->move_count; m++) {
        kept[m] = cursor->to[m] == INDEX_NONE ? 1 : (uint32_t)cursor->to[m] + 2;
    }
}

static void recall_moves(struct page_cursor *cursor, const uint32_t *kept)
{
    for (unsigned m = 0; m < cursor->pages->puzzle->move_count; m++) {
        cursor->to[m] = kept[m] == 1 ? INDEX_NONE : kept[m] - 2;
    }
}

static void find_moves(struct page_cursor *cursor, unsigned number)
{
    if (cursor->pages->maps) {
        moves_of_digits(cursor, cursor->page[number]);
    } else {
        moves_of_points(cursor, number);
    }
}

// No two threads visit a page in one layer, so each writes to its own pages.
void page_cursor_moves(struct page_cursor *cursor, unsigned number)
{
    const struct pages *pages = cursor->pages;
    unsigned moves = pages->puzzle->move_count;
    uint32_t *kept = pages->kept_to ? pages->kept_to + cursor->page[number] * moves : NULL;
    if (pages->maps) {
        for (unsigned m = 0; m < moves; m++) {
            cursor->map[m] = pages->maps + (size_t)m * pages->place_count;
        }
    } else if (!cursor->have_maps) {
        build_maps(cursor);
    }
    if (kept && kept[0] > 0) {
        recall_moves(cursor, kept);
        return;
    }
    find_moves(cursor, number);
    if (kept) {
        keep_moves(cursor, kept);
    }
}
