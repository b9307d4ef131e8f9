// Divides the states of a puzzle into pages, and tells where moves lead from each.
#include "pages.h"

#include "file/format.h"
#include "index/rank.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLACES_MOST = 1 << 16, // a map's entries have 16 bits
    PLACES_LEAST = 16,     // with fewer, pages gain nothing
    PLACES_WANTED = 2600,  // maps of this many fit in a cache
    PLACES_ENOUGH = 256,   // with as many, not more than PLACES_MANY
    PLACES_MANY = 8192,
    GROUPS_WANTED = 64,      // enough for all threads
    MAPS_MOST = 16 << 20,    // bytes
    KEPT_MOST = 64 << 20,    // bytes of `shared_maps`
    KEPT_ALWAYS = 4 << 20,   // bytes that are always allowed
    STATES_A_KEPT_BYTE = 64, // states for each further byte; their marks take 16 bytes
};

#define MAP_NONE UINT32_MAX

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

// A place is made of as many free digits as there is room for, but at most `digits_most`.
struct cut {
    uint64_t places;
    unsigned digits; // that it has a part of
};

static struct cut cut_digits(const struct puzzle *puzzle, unsigned digits_most)
{
    struct free_digit digits[CELLS_MOST];
    struct cut cut = {.places = 1};
    uint64_t room = MAPS_MOST / (sizeof(uint16_t) * puzzle->move_count);
    room = room < PLACES_MOST ? room : PLACES_MOST;
    unsigned count = puzzle->numbering.functions->find_free_digits(puzzle, digits);
    for (; cut.digits < count && cut.digits < digits_most; cut.digits++) {
        const struct free_digit *digit = &digits[cut.digits];
        uint64_t more = cut.places * digit->count;
        if (cut.places >= PLACES_ENOUGH && more > PLACES_MANY) {
            break;
        }
        if (more > room || puzzle->numbering.state_count / more < GROUPS_WANTED) {
            uint64_t left = room / cut.places;
            uint64_t part = take_low_digits(digit, left < PLACES_WANTED ? left : PLACES_WANTED);
            cut.places *= part;
            cut.digits += part > 1;
            break;
        }
        cut.places = more;
    }
    return cut;
}

// Makes the inverses of maps that were made one after the other. Leaves none if one map has no
// inverse.
static bool invert_maps(struct pages *pages, size_t count)
{
    size_t places = pages->place_count;
    pages->inverses = malloc(count * places * sizeof *pages->inverses);
    for (size_t i = 0; i < count && pages->inverses; i++) {
        const uint16_t *map = pages->maps + i * places;
        uint16_t *inverse = pages->inverses + i * places;
        bool is_inverse = true;
        for (size_t place = 0; place < places; place++) {
            inverse[map[place]] = (uint16_t)place;
        }
        for (size_t place = 0; place < places; place++) {
            is_inverse &= inverse[map[place]] == place;
        }
        if (!is_inverse) {
            free(pages->inverses);
            pages->inverses = NULL;
            return true;
        }
    }
    return pages->inverses;
}

// The maps of all variants, from the first outer value that has each.
static bool make_maps(struct pages *pages, unsigned variants)
{
    const struct puzzle *puzzle = pages->puzzle;
    uint64_t neighbours[MOVES_MOST];
    size_t places = pages->place_count;
    pages->maps = calloc(variants * (size_t)puzzle->move_count * places, sizeof *pages->maps);
    uint32_t variant = 0;
    for (uint32_t outer = 0; outer < puzzle->numbering.outer_count && pages->maps; outer++) {
        if (pages->variant_of[outer] < variant) {
            continue;
        }
        uint16_t *maps = pages->maps + variant++ * (size_t)puzzle->move_count * places;
        uint64_t first = outer * pages->pages_a_value * places;
        for (unsigned place = 0; place < places; place++) {
            puzzle_neighbours(puzzle, pages->root, first + place, neighbours);
            for (unsigned m = 0; m < puzzle->move_count; m++) {
                maps[m * places + place] = (uint16_t)(neighbours[m] % places);
            }
        }
    }
    return pages->maps && invert_maps(pages, variants * (size_t)puzzle->move_count);
}

// The number of variants that the maps of a cut need.
static unsigned find_variants(struct pages *pages, struct cut cut)
{
    const struct numbering *numbering = &pages->puzzle->numbering;
    return numbering->outer_count > 1
               ? numbering->functions->find_variants(pages->puzzle, cut.digits, pages->variant_of)
               : 1;
}

// Makes the pages of the first way, unless they are too few. The maps of all variants must be
// small, and quickly made beside the search.
static bool make_digit_pages(struct pages *pages)
{
    enum { STATES_A_PLACE = 32 };
    const struct puzzle *puzzle = pages->puzzle;
    const struct numbering *numbering = &puzzle->numbering;
    if (!numbering->functions->find_free_digits || numbering->dense) {
        return true;
    }
    pages->variant_of = calloc(numbering->outer_count, sizeof *pages->variant_of);
    if (!pages->variant_of) {
        return false;
    }
    struct cut cut = {.digits = UINT_MAX};
    uint64_t places;
    unsigned variants;
    do {
        cut = cut_digits(puzzle, cut.digits - 1);
        variants = find_variants(pages, cut);
        places = variants * cut.places;
    } while (cut.digits > 0 && (places * puzzle->move_count * sizeof(uint16_t) > MAPS_MOST ||
                                places * STATES_A_PLACE > numbering->state_count));
    if (cut.places < PLACES_LEAST) {
        return true;
    }
    pages->place_count = (unsigned)cut.places;
    pages->group_count = numbering->state_count / cut.places;
    pages->pages_a_value = pages->group_count / numbering->outer_count;
    pages->variant_count = variants;
    return make_maps(pages, variants);
}

static void moves_of_digits(struct page_cursor *cursor, uint64_t page)
{
    const struct pages *pages = cursor->pages;
    puzzle_neighbours(pages->puzzle, pages->root, page * pages->place_count, cursor->to);
    for (unsigned m = 0; m < pages->puzzle->move_count; m++) {
        cursor->to[m] /= pages->place_count;
    }
}

static void maps_of_digits(struct page_cursor *cursor, uint64_t page)
{
    const struct pages *pages = cursor->pages;
    unsigned moves = pages->puzzle->move_count;
    uint32_t variant = pages->variant_of[page / pages->pages_a_value];
    size_t first = (size_t)variant * moves * pages->place_count;
    for (unsigned m = 0; m < moves; m++) {
        size_t at = first + (size_t)m * pages->place_count;
        cursor->map[m] = pages->maps + at;
        cursor->inverse[m] = pages->inverses ? pages->inverses + at : NULL;
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

static uint64_t count_powers(unsigned base, unsigned exponent)
{
    uint64_t power = 1;
    for (unsigned i = 0; i < exponent; i++) {
        power *= base;
    }
    return power;
}

// The number of rows of `length` out of `points` points, with their orientations.
static uint64_t count_rows(const struct pages *pages, unsigned points, unsigned length)
{
    return arrangement_count(points, length) * count_powers(pages->row.turns, length);
}

// The number of places if a page takes so many points.
static uint64_t places_beside(const struct pages *pages, unsigned taken)
{
    return count_rows(pages, pages->row.points - taken, pages->row.length - taken);
}

// Gives a page as few points as possible, but enough that a cache can hold the maps.
static void cut_points(struct pages *pages)
{
    enum { TAKEN_MOST = 7, ORDERS_MOST = 6000 };
    unsigned taken = 1;
    while (taken < pages->row.length && taken < TAKEN_MOST &&
           places_beside(pages, taken) > PLACES_WANTED &&
           count_rows(pages, taken + 1, taken + 1) <= ORDERS_MOST) {
        taken++;
    }
    uint64_t places = places_beside(pages, taken);
    if (taken < pages->row.length && places >= PLACES_LEAST && places <= PLACES_MOST) {
        pages->taken = taken;
        pages->place_count = (unsigned)places;
        pages->pages_a_group = (unsigned)count_rows(pages, taken, taken);
        pages->group_count = pages->row.outer * count_subsets(pages->row.points, taken);
        pages->pages_a_value = count_rows(pages, pages->row.points, taken);
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

// The page that has these points in this order, among those of one outer value.
static uint64_t rank_page(const struct pages *pages, const struct point_move *row)
{
    struct lehmer code = lehmer_start();
    uint64_t rank = 0;
    for (unsigned i = 0; i < pages->taken; i++) {
        rank = rank * (pages->row.points - i) + lehmer_digit(&code, row[i].point);
        rank = rank * pages->row.turns + row[i].turn;
    }
    return rank;
}

// The points that the pages of a group have, a bit each. *outer is its outer value.
static unsigned set_of_group(const struct pages *pages, uint64_t group, unsigned *outer)
{
    uint64_t sets = pages->group_count / pages->row.outer;
    *outer = (unsigned)(group / sets);
    return nth_set(pages->row.points, pages->taken, group % sets);
}

// Fills in the points of page `number` of the cursor's group: their order and orientations.
static void find_row(struct page_cursor *cursor, unsigned number)
{
    const struct pages *pages = cursor->pages;
    uint64_t orientations = count_powers(pages->row.turns, pages->taken);
    uint64_t turns = number % orientations;
    uint8_t in[RANK_LONGEST] = {0};
    uint8_t out[RANK_LONGEST] = {0};
    uint8_t order[RANK_LONGEST];
    split_points(pages->row.points, cursor->set, in, out);
    arrangement_unrank(pages->taken, pages->taken, number / orientations, order);
    for (unsigned i = 0; i < pages->taken; i++) {
        cursor->row[i] = (struct point_move){in[order[i]], (uint8_t)(turns % pages->row.turns)};
        turns /= pages->row.turns;
    }
}

// Fills a map: lists all rows of the free points in the order of their places, and ranks what a
// move makes of them. Returns the end of what is filled.
static uint16_t *fill_map(const struct pages *pages, const struct point_move *to,
                          unsigned length_so_far, unsigned used, struct lehmer code, unsigned rank,
                          uint16_t *out)
{
    unsigned free_points = pages->row.points - pages->taken;
    unsigned length = pages->row.length - pages->taken;
    unsigned turns = pages->row.turns;
    if (length_so_far == length) {
        *out = (uint16_t)rank;
        return out + 1;
    }
    for (unsigned point = 0; point < free_points; point++) {
        if (used >> point & 1) {
            continue;
        }
        struct lehmer next = code;
        unsigned digit = lehmer_digit(&next, to[point].point);
        unsigned base = (rank * (free_points - length_so_far) + digit) * turns;
        for (unsigned turn = 0; turn < turns; turn++) {
            unsigned turned = turn + to[point].turn;
            turned -= turned >= turns ? turns : 0;
            out = fill_map(pages, to, length_so_far + 1, used | 1u << point, next, base + turned,
                           out);
        }
    }
    return out;
}

// Finds where a move takes the free points of a group with these points. Both are numbered among
// the free points, before the move and after it. The map of the move depends on nothing else.
static void move_free_points(const struct pages *pages, unsigned set, const struct point_move *map,
                             struct point_move to[RANK_LONGEST])
{
    uint8_t in[RANK_LONGEST] = {0};
    uint8_t out[RANK_LONGEST] = {0};
    unsigned after = 0; // the free points after the move
    split_points(pages->row.points, set, in, out);
    unsigned free_points = pages->row.points - pages->taken;
    memset(to, 0, RANK_LONGEST * sizeof *to);
    for (unsigned i = 0; i < free_points; i++) {
        after |= 1u << map[out[i]].point;
    }
    for (unsigned i = 0; i < free_points; i++) {
        to[i].point = (uint8_t)count_bits(after & ((1u << map[out[i]].point) - 1));
        to[i].turn = map[out[i]].turn;
    }
}

// Inverts a map of the free points.
static void invert_free_points(const struct pages *pages, const struct point_move to[RANK_LONGEST],
                               struct point_move back[RANK_LONGEST])
{
    memset(back, 0, RANK_LONGEST * sizeof *back);
    for (unsigned i = 0; i < pages->row.points - pages->taken; i++) {
        unsigned turn = to[i].turn > 0 ? pages->row.turns - to[i].turn : 0;
        back[to[i].point] = (struct point_move){(uint8_t)i, (uint8_t)turn};
    }
}

static void find_maps(struct page_cursor *cursor)
{
    const struct pages *pages = cursor->pages;
    const struct numbering_functions *functions = pages->puzzle->numbering.functions;
    unsigned moves = pages->puzzle->move_count;
    size_t one = pages->place_count;
    for (unsigned m = 0; m < moves; m++) {
        cursor->outer_to[m] =
            (uint8_t)functions->move_points(pages->puzzle, cursor->outer, m, cursor->point_map[m]);
        if (cursor->outer_to[m] == OUTER_NONE) {
            continue;
        }
        if (pages->shared_maps) {
            uint32_t number = pages->map_of[cursor->group * moves + m];
            cursor->map[m] = pages->shared_maps + number * one;
            cursor->inverse[m] = pages->shared_maps + pages->inverse_of[number] * one;
        } else {
            struct point_move to[RANK_LONGEST];
            struct point_move back[RANK_LONGEST];
            uint16_t *both = cursor->built + m * (2 * one);
            move_free_points(pages, cursor->set, cursor->point_map[m], to);
            invert_free_points(pages, to, back);
            fill_map(pages, to, 0, 0, lehmer_start(), 0, both);
            fill_map(pages, back, 0, 0, lehmer_start(), 0, both + one);
            cursor->map[m] = both;
            cursor->inverse[m] = both + one;
        }
    }
    cursor->have_maps = true;
}

static void moves_of_points(struct page_cursor *cursor)
{
    const struct pages *pages = cursor->pages;
    const struct point_move *row = cursor->row;
    for (unsigned m = 0; m < pages->puzzle->move_count; m++) {
        struct point_move moved[RANK_LONGEST];
        cursor->to[m] = INDEX_NONE;
        if (cursor->outer_to[m] == OUTER_NONE) {
            continue;
        }
        for (unsigned i = 0; i < pages->taken; i++) {
            moved[i] = cursor->point_map[m][row[i].point];
            unsigned turned = (unsigned)row[i].turn + moved[i].turn;
            moved[i].turn = (uint8_t)(turned - (turned >= pages->row.turns ? pages->row.turns : 0));
        }
        cursor->to[m] = cursor->outer_to[m] * pages->pages_a_value + rank_page(pages, moved);
    }
}

// The length of one set of maps and their inverses, in bytes.
static size_t maps_length(const struct pages *pages)
{
    return 2 * (size_t)pages->puzzle->move_count * pages->place_count * sizeof(uint16_t);
}

// The bytes of maps that may be kept.
static uint64_t kept_most(const struct pages *pages)
{
    uint64_t bytes = puzzle_full_count(pages->puzzle, pages->root) / STATES_A_KEPT_BYTE;
    bytes = bytes > KEPT_ALWAYS ? bytes : KEPT_ALWAYS;
    return bytes < KEPT_MOST ? bytes : KEPT_MOST;
}

// The different maps of the second way, while they are made.
struct map_list {
    uint32_t most;                         // maps that there is room for
    struct point_move (*to)[RANK_LONGEST]; // by map: where it takes the free points
    uint32_t *found;                       // a hash table: the number of a map plus 1, or 0
    uint32_t mask;                         // of a place in the hash table
};

// Finds the map that takes the free points so, and makes it if it is new. MAP_NONE if there is no
// room for it.
static uint32_t share_one_map(struct pages *pages, struct map_list *list,
                              const struct point_move to[RANK_LONGEST])
{
    size_t length = RANK_LONGEST * sizeof *to;
    uint32_t at = (uint32_t)format_hash(to, length) & list->mask;
    for (; list->found[at] > 0; at = (at + 1) & list->mask) {
        if (memcmp(list->to[list->found[at] - 1], to, length) == 0) {
            return list->found[at] - 1;
        }
    }
    if (pages->shared_count == list->most) {
        return MAP_NONE;
    }
    uint32_t number = pages->shared_count++;
    memcpy(list->to[number], to, length);
    list->found[at] = number + 1;
    fill_map(pages, to, 0, 0, lehmer_start(), 0,
             pages->shared_maps + (size_t)number * pages->place_count);
    return number;
}

// The same with the map that leads back.
static uint32_t share_map(struct pages *pages, struct map_list *list,
                          const struct point_move to[RANK_LONGEST])
{
    struct point_move back[RANK_LONGEST];
    invert_free_points(pages, to, back);
    uint32_t number = share_one_map(pages, list, to);
    uint32_t inverse = share_one_map(pages, list, back);
    if (number == MAP_NONE || inverse == MAP_NONE) {
        return MAP_NONE;
    }
    pages->inverse_of[number] = inverse;
    pages->inverse_of[inverse] = number;
    return number;
}

// Finds the maps of all groups. False if there is no room for them.
static bool share_maps(struct pages *pages, struct map_list *list)
{
    const struct puzzle *puzzle = pages->puzzle;
    uint32_t *out = pages->map_of;
    for (uint64_t group = 0; group < pages->group_count; group++) {
        unsigned outer;
        unsigned set = set_of_group(pages, group, &outer);
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            struct point_move map[RANK_LONGEST];
            struct point_move to[RANK_LONGEST];
            *out = 0;
            if (puzzle->numbering.functions->move_points(puzzle, outer, m, map) != OUTER_NONE) {
                move_free_points(pages, set, map, to);
                *out = share_map(pages, list, to);
            }
            if (*out++ == MAP_NONE) {
                return false;
            }
        }
    }
    return true;
}

static void free_shared_maps(struct pages *pages)
{
    free(pages->shared_maps);
    free(pages->inverse_of);
    free(pages->map_of);
    pages->shared_maps = NULL;
    pages->inverse_of = NULL;
    pages->map_of = NULL;
    pages->shared_count = 0;
}

// Makes the shared maps, unless they take too much room. False without memory.
static bool make_shared_maps(struct pages *pages)
{
    uint64_t pairs = pages->group_count * pages->puzzle->move_count;
    uint64_t most = kept_most(pages) / (pages->place_count * sizeof(uint16_t));
    struct map_list list = {.most = (uint32_t)(most < 2 * pairs ? most : 2 * pairs), .mask = 1};
    if (pairs * sizeof *pages->map_of > kept_most(pages)) {
        return true;
    }
    while (list.mask < 2 * list.most) {
        list.mask = 2 * list.mask + 1;
    }
    pages->shared_maps =
        malloc((size_t)list.most * pages->place_count * sizeof *pages->shared_maps);
    pages->inverse_of = malloc(list.most * sizeof *pages->inverse_of);
    pages->map_of = malloc(pairs * sizeof *pages->map_of);
    list.to = malloc(list.most * sizeof *list.to);
    list.found = calloc((size_t)list.mask + 1, sizeof *list.found);
    bool done = pages->shared_maps && pages->inverse_of && pages->map_of && list.to && list.found;
    if (done && !share_maps(pages, &list)) {
        free_shared_maps(pages);
    }
    free(list.to);
    free(list.found);
    return done;
}

// ---- Both ---------------------------------------------------------------------------------------

bool pages_make(struct pages *pages, const struct puzzle *puzzle, unsigned root,
                struct fewest_error *error)
{
    const struct numbering_functions *functions = puzzle->numbering.functions;
    *pages = (struct pages){.puzzle = puzzle, .root = root, .pages_a_group = 1};
    if (functions->find_points && functions->find_points(puzzle, &pages->row)) {
        cut_points(pages);
    }
    if (pages->place_count > 0 ? make_shared_maps(pages) : make_digit_pages(pages)) {
        return true;
    }
    pages_free(pages);
    return error_set(error, FEWEST_SYSTEM, "not enough memory for the move tables");
}

void pages_free(struct pages *pages)
{
    free(pages->maps);
    free(pages->inverses);
    free(pages->variant_of);
    free_shared_maps(pages);
    *pages = (struct pages){.place_count = 0};
}

uint64_t pages_bytes(const struct pages *pages, unsigned threads)
{
    if (pages->place_count == 0) {
        return 0;
    }
    // Sets of maps:
    unsigned sets = pages->maps ? pages->variant_count : pages->shared_maps ? 0 : threads;
    uint64_t shared =
        pages->shared_count * (pages->place_count * sizeof(uint16_t) + sizeof(uint32_t));
    uint64_t map_of = pages->map_of ? pages->group_count * pages->puzzle->move_count : 0;
    return sets * maps_length(pages) + shared + map_of * sizeof *pages->map_of;
}

bool page_cursor_open(struct page_cursor *cursor, const struct pages *pages)
{
    unsigned moves = pages->puzzle->move_count;
    *cursor = (struct page_cursor){.pages = pages};
    cursor->map = malloc(moves * sizeof *cursor->map);
    cursor->inverse = malloc(moves * sizeof *cursor->inverse);
    cursor->to = malloc(moves * sizeof *cursor->to);
    cursor->point_map = malloc(moves * sizeof *cursor->point_map);
    cursor->outer_to = malloc(moves);
    cursor->built = malloc(pages->maps || pages->shared_maps ? 1 : maps_length(pages));
    if (cursor->map && cursor->inverse && cursor->to && cursor->point_map && cursor->outer_to &&
        cursor->built) {
        return true;
    }
    page_cursor_close(cursor);
    return false;
}

void page_cursor_close(struct page_cursor *cursor)
{
    free(cursor->map);
    free(cursor->inverse);
    free(cursor->to);
    free(cursor->built);
    free(cursor->point_map);
    free(cursor->outer_to);
    *cursor = (struct page_cursor){.pages = NULL};
}

void page_cursor_go(struct page_cursor *cursor, uint64_t group)
{
    const struct pages *pages = cursor->pages;
    cursor->group = group;
    cursor->have_maps = false;
    if (!pages->maps) {
        cursor->set = set_of_group(pages, group, &cursor->outer);
    }
}

void page_cursor_page(struct page_cursor *cursor, unsigned number)
{
    const struct pages *pages = cursor->pages;
    cursor->page = cursor->group;
    if (!pages->maps) {
        find_row(cursor, number);
        cursor->page = cursor->outer * pages->pages_a_value + rank_page(pages, cursor->row);
    }
}

void page_cursor_moves(struct page_cursor *cursor)
{
    const struct pages *pages = cursor->pages;
    if (pages->maps) {
        maps_of_digits(cursor, cursor->page);
        moves_of_digits(cursor, cursor->page);
        return;
    }
    if (!cursor->have_maps) {
        find_maps(cursor);
    }
    moves_of_points(cursor);
}
