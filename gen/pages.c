// Divides the states of a puzzle into pages, and tells where moves lead from each.
#include "pages.h"

#include "index/rank.h"
#include "puzzle/board.h"
#include "puzzle/invariant.h"

#include <stdlib.h>
#include <string.h>

enum {
    PLACES_MOST = 1 << 16, // a map's entries have 16 bits
    PLACES_LEAST = 32,     // below that it is no gain
    PLACES_WANTED = 2600,  // of points: their maps fit in a cache
    GROUPS_WANTED = 64,    // enough for all threads
    MAPS_MOST = 16 << 20,  // bytes
};

// ---- The first way: parts that change by themselves ---------------------------------------------------------------

static bool changes_alone(const struct puzzle *puzzle, unsigned p)
{
    bool with_others = puzzle->parts[p].ignores;
    for (unsigned q = 0; q < puzzle->part_count; q++) {
        const struct part *other = &puzzle->parts[q];
        with_others |= other->implied == IMPLIED_PARITY && (other->parity_with & (other->parity_with - 1)) != 0 &&
                       p < 64 && (other->parity_with >> p & 1);
    }
    return !with_others;
}

// How many of the lowest digits of orientations at home may be the place, in states.
static uint64_t low_digits(const struct puzzle *puzzle, const struct part *part, uint64_t room)
{
    uint64_t count = 1;
    if (part->kind == SEGMENT_ORIENTATION && puzzle->segments[part->segment].pieces < 0 &&
        part->implied != IMPLIED_SUM) {
        while (count * part->symbols <= room && count * part->symbols <= part->kept) {
            count *= part->symbols;
        }
    }
    return count;
}

static unsigned places_of_parts(const struct puzzle *puzzle)
{
    uint64_t room = MAPS_MOST / (sizeof(uint16_t) * puzzle->move_count);
    uint64_t count = 1;
    room = room < PLACES_MOST ? room : PLACES_MOST;
    for (unsigned p = puzzle->part_count; p-- > 0 && changes_alone(puzzle, p);) {
        const struct part *part = &puzzle->parts[p];
        if (count * part->kept > room || puzzle->state_count / (count * part->kept) < GROUPS_WANTED) {
            count *= low_digits(puzzle, part, room / count < PLACES_WANTED ? room / count : PLACES_WANTED);
            break;
        }
        count *= part->kept;
    }
    return count >= PLACES_LEAST && puzzle->state_count / count >= GROUPS_WANTED ? (unsigned)count : 0;
}

static bool make_maps(struct pages *pages)
{
    const struct puzzle *puzzle = pages->puzzle;
    uint64_t neighbours[MOVES_MOST];
    pages->maps = malloc((size_t)puzzle->move_count * pages->place_count * sizeof *pages->maps);
    for (unsigned place = 0; place < pages->place_count && pages->maps; place++) {
        puzzle_neighbours(puzzle, pages->root, place, neighbours);
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            pages->maps[(size_t)m * pages->place_count + place] = (uint16_t)(neighbours[m] % pages->place_count);
        }
    }
    return pages->maps;
}

static void moves_of_parts(struct page_cursor *cursor, uint64_t page)
{
    const struct pages *pages = cursor->pages;
    puzzle_neighbours(pages->puzzle, pages->root, page * pages->place_count, cursor->to);
    for (unsigned m = 0; m < pages->puzzle->move_count; m++) {
        cursor->to[m] /= pages->place_count;
        cursor->map[m] = pages->maps + (size_t)m * pages->place_count;
    }
}

// ---- The second way: rows of points -------------------------------------------------------------------------------

static uint64_t count_subsets(unsigned n, unsigned k)
{
    uint64_t count = 1;
    for (unsigned i = 0; i < k; i++) {
        count = count * (n - i) / (i + 1);
    }
    return count;
}

// The part that is all of the index, if there is one: the others have one rank.
static const struct part *only_part(const struct puzzle *puzzle)
{
    const struct part *only = NULL;
    for (unsigned p = 0; p < puzzle->part_count; p++) {
        if (puzzle->parts[p].kept > 1) {
            if (only) {
                return NULL;
            }
            only = &puzzle->parts[p];
        }
    }
    return only;
}

// Is the index the rank of a row of points, and of how many?
static bool find_points(struct pages *pages)
{
    const struct puzzle *puzzle = pages->puzzle;
    pages->outer = 1;
    if (puzzle->kind == KIND_SLIDE) {
        pages->outer = puzzle->cell_count;
        pages->points = puzzle->cell_count - 1;
        pages->length = pages->points - 2; // the last two follow from their parity
        return pages->points > 4;
    }
    const struct part *part = puzzle->kind == KIND_PERMUTATION ? only_part(puzzle) : NULL;
    if (!part || part->kind == SEGMENT_ORIENTATION || part->length > RANK_LONGEST) {
        return false;
    }
    pages->part = part;
    pages->points = part->length;
    if (part->kind == SEGMENT_ARRANGEMENT && puzzle->group) {
        pages->length = part->length - (part->implied == IMPLIED_PARITY ? 2 : 0);
        return pages->length > 0;
    }
    unsigned alike = 0;
    pages->length = 0;
    for (unsigned c = 0; c < part->symbols; c++) {
        pages->length += part->amount[c] == 1;
        alike += part->amount[c] > 1;
    }
    return part->kind == SEGMENT_MULTISET && alike <= 1 && pages->length > 0;
}

// As few points for the page as leave places that a cache can hold.
static void cut_points(struct pages *pages)
{
    enum { TAKEN_MOST = 6 };
    unsigned taken = 1;
    while (taken < pages->length && taken < TAKEN_MOST &&
           arrangement_count(pages->points - taken, pages->length - taken) > PLACES_WANTED) {
        taken++;
    }
    uint64_t places = arrangement_count(pages->points - taken, pages->length - taken);
    if (taken < pages->length && places >= PLACES_LEAST && places <= PLACES_MOST) {
        pages->taken = taken;
        pages->place_count = (unsigned)places;
        pages->pages_a_group = (unsigned)arrangement_count(taken, taken);
        pages->group_count = pages->outer * count_subsets(pages->points, taken);
    }
}

// The points are pieces, in a group, by their numbers in the part; elsewhere places, by their order in it.
static void move_part(const struct pages *pages, unsigned move, uint8_t map[RANK_LONGEST])
{
    const struct part *part = pages->part;
    const uint8_t *from = pages->puzzle->moves[move].from;
    unsigned first = pages->puzzle->segments[part->segment].first;
    for (unsigned point = 0; point < part->length; point++) {
        if (part->kind == SEGMENT_ARRANGEMENT) {
            map[point] = part->number[from[first + part->value[point]] - first];
            continue;
        }
        unsigned to = 0;
        while (part->cell[to] != from[part->cell[point]]) {
            to++;
        }
        map[point] = (uint8_t)to;
    }
}

// Returns the cell where a move takes the blank, and makes the map of where it takes the points.
static unsigned move_points(const struct pages *pages, unsigned blank, unsigned move, uint8_t map[RANK_LONGEST])
{
    const struct puzzle *puzzle = pages->puzzle;
    if (puzzle->kind != KIND_SLIDE) {
        move_part(pages, move, map);
        return 0;
    }
    unsigned to = puzzle->board->to[move][blank];
    for (unsigned point = 0; point < pages->points && to != NOWHERE; point++) {
        unsigned cell = point + (point >= blank);
        cell = cell == to ? blank : cell;
        map[point] = (uint8_t)(cell - (cell > to));
    }
    return to;
}

// The points of a set in rising order, and those that it leaves free.
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

// The set with a number, in the order of their bits: of those with `taken` out of `points`.
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
    uint64_t sets = pages->group_count / pages->outer;
    uint64_t pages_a_blank = arrangement_count(pages->points, pages->taken);
    uint8_t in[RANK_LONGEST] = {0};
    uint8_t out[RANK_LONGEST] = {0};
    cursor->blank = (unsigned)(group / sets);
    cursor->set = nth_set(pages->points, pages->taken, group % sets);
    split_points(pages->points, cursor->set, in, out);
    for (unsigned order = 0; order < pages->pages_a_group; order++) {
        uint8_t *row = cursor->row + (size_t)order * RANK_LONGEST;
        arrangement_unrank(pages->taken, pages->taken, order, row);
        for (unsigned i = 0; i < pages->taken; i++) {
            row[i] = in[row[i]];
        }
        cursor->page[order] = cursor->blank * pages_a_blank + arrangement_rank(pages->points, pages->taken, row);
    }
}

// Fills a map in the order of the places: rows of the free points, each point taken to `to[point]`. Returns its end.
static uint16_t *fill_map(const struct pages *pages, const uint8_t *to, unsigned length_so_far, unsigned used,
                          struct lehmer code, unsigned rank, uint16_t *out)
{
    unsigned free_points = pages->points - pages->taken;
    unsigned length = pages->length - pages->taken;
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

// The map of a move depends on which points are taken before it and after it, and on where it takes the free ones.
static void build_map(struct page_cursor *cursor, unsigned move)
{
    const struct pages *pages = cursor->pages;
    const uint8_t *map = cursor->point_map[move];
    uint8_t in[RANK_LONGEST] = {0};
    uint8_t out[RANK_LONGEST] = {0};
    uint8_t to[RANK_LONGEST] = {0};
    unsigned after = 0; // the free points after the move
    split_points(pages->points, cursor->set, in, out);
    unsigned free_points = pages->points - pages->taken;
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
    uint16_t *built = cursor->built + (size_t)move * pages->place_count;
    fill_map(pages, to, 0, 0, lehmer_start(), 0, built);
    cursor->map[move] = built;
}

static void build_maps(struct page_cursor *cursor)
{
    const struct pages *pages = cursor->pages;
    for (unsigned m = 0; m < pages->puzzle->move_count; m++) {
        cursor->blank_to[m] = (uint8_t)move_points(pages, cursor->blank, m, cursor->point_map[m]);
        if (cursor->blank_to[m] != NOWHERE) {
            build_map(cursor, m);
        }
    }
    cursor->have_maps = true;
}

static void moves_of_points(struct page_cursor *cursor, unsigned order)
{
    const struct pages *pages = cursor->pages;
    uint64_t pages_a_blank = arrangement_count(pages->points, pages->taken);
    const uint8_t *row = cursor->row + (size_t)order * RANK_LONGEST;
    if (!cursor->have_maps) {
        build_maps(cursor);
    }
    for (unsigned m = 0; m < pages->puzzle->move_count; m++) {
        uint8_t moved[RANK_LONGEST];
        cursor->to[m] = INDEX_NONE;
        if (cursor->blank_to[m] == NOWHERE) {
            continue;
        }
        for (unsigned i = 0; i < pages->taken; i++) {
            moved[i] = cursor->point_map[m][row[i]];
        }
        cursor->to[m] = cursor->blank_to[m] * pages_a_blank + arrangement_rank(pages->points, pages->taken, moved);
    }
}

static bool make_unmoved(struct pages *pages)
{
    pages->unmoved = malloc(pages->place_count * sizeof *pages->unmoved);
    for (unsigned place = 0; place < pages->place_count && pages->unmoved; place++) {
        pages->unmoved[place] = (uint16_t)place;
    }
    return pages->unmoved;
}

// ---- Both ---------------------------------------------------------------------------------------------------------

bool pages_make(struct pages *pages, const struct puzzle *puzzle, unsigned root, struct fewest_error *error)
{
    *pages = (struct pages){.puzzle = puzzle, .root = root, .pages_a_group = 1};
    pages->backwards = puzzle->kind != KIND_PERMUTATION || puzzle->reversible;
    if (find_points(pages)) {
        cut_points(pages);
    }
    bool made = true;
    if (pages->place_count > 0) {
        made = make_unmoved(pages);
    } else if (puzzle->kind == KIND_PERMUTATION && (pages->place_count = places_of_parts(puzzle)) > 0) {
        pages->group_count = puzzle->state_count / pages->place_count;
        made = make_maps(pages);
    }
    return made || error_set(error, FEWEST_SYSTEM, "not enough memory for the move tables");
}

void pages_free(struct pages *pages)
{
    free(pages->maps);
    free(pages->unmoved);
    *pages = (struct pages){.place_count = 0};
}

size_t pages_map_bytes(const struct pages *pages)
{
    return (size_t)pages->puzzle->move_count * pages->place_count * sizeof(uint16_t);
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
    cursor->blank_to = malloc(moves);
    cursor->built = malloc(pages->maps ? 1 : pages_map_bytes(pages));
    if (cursor->page && cursor->row && cursor->map && cursor->to && cursor->point_map && cursor->blank_to &&
        cursor->built) {
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
    free(cursor->blank_to);
    *cursor = (struct page_cursor){.pages = NULL};
}

void page_cursor_go(struct page_cursor *cursor, uint64_t group)
{
    cursor->have_maps = false;
    if (cursor->pages->maps) {
        cursor->page[0] = group;
    } else {
        go_to_points(cursor, group);
    }
}

void page_cursor_moves(struct page_cursor *cursor, unsigned number)
{
    if (cursor->pages->maps) {
        moves_of_parts(cursor, cursor->page[number]);
    } else {
        moves_of_points(cursor, number);
    }
}
