// Tests the search on small puzzles: against a plain one, with any number of threads, and its
// pages. The table must be right and always the same.
#include "gen/search/breadth_first.h"
#include "tables/algebra/pages.h"
#include "tables/families/compile.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct generated generate(const char *text, unsigned threads, enum metric metric)
{
    struct search_options options = {.threads = threads};
    struct generated generated;
    struct fewest_error error;
    cr_assert(generate_in_memory(text, strlen(text), metric, &options, &generated, &error), "%s",
              error.text);
    return generated;
}

// Wheels, with an orientation for each tooth. A move turns one wheel or several, or exchanges two.
static const char RING[] =
    "Name ring\nSet A 1 16\nSet B 1 27\nSolved\nEnd\nMove T\nA\n1\n1\nB\n1\n1\nEnd\n";
static const char LONG[] = "Name long\nSet A 1 4\nSet B 1 5\nSet C 1 25\nSolved\nEnd\n"
                           "Move T\nA\n1\n1\nB\n1\n1\nC\n1\n1\nEnd\n";
static const char WHEELS[] =
    "Name wheels\nSet A 2 40\nSet B 1 9\nSolved\nEnd\n"
    "Move S\nA\n1 2\n1 0\nEnd\nMove T\nA\n1 2\n0 1\nB\n1\n1\nEnd\nMove U\nA\n2 1\nEnd\n";

// 184,756 sets of ten beads, alone and beside three other pieces.
#define BEADS    "1 1 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 2 2\n"
#define TURN     "20 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19\n"
#define EXCHANGE "2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20\n"
static const char NECKLACE[] = "Name necklace\nSet A 20 1\nSolved\nA\n" BEADS
                               "End\nMove L\nA\n" TURN "End\nMove X\nA\n" EXCHANGE "End\n";
static const char BESIDE[] =
    "Name beside\nSet A 20 1\nSet B 3 1\nSolved\nA\n" BEADS "B\n1 2 3\nEnd\nMove L\nA\n" TURN
    "B\n2 3 1\nEnd\nMove X\nA\n" EXCHANGE "End\n";

// The distances from a root by a plain search with a queue. NULL if one is too large.
static uint8_t *search_plainly(const struct puzzle *puzzle, unsigned root)
{
    uint64_t count = puzzle->numbering.state_count;
    const struct root *from = &puzzle->numbering.roots[root];
    uint8_t *distances = malloc(count);
    uint64_t *queue = malloc(count * sizeof *queue);
    uint64_t queued = 0;
    bool is_too_far = false;
    cr_assert(distances && queue);
    memset(distances, UNREACHED, count);
    for (unsigned t = 0; t <= from->more; t++) {
        queue[queued] = puzzle_rank(puzzle, root, from->target + t * puzzle->cell_count);
        distances[queue[queued++]] = 0;
    }
    for (uint64_t i = 0; i < queued; i++) {
        uint64_t neighbours[MOVES_MOST];
        puzzle_neighbours(puzzle, root, queue[i], neighbours);
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            if (neighbours[m] != INDEX_NONE && distances[neighbours[m]] == UNREACHED) {
                is_too_far |= distances[queue[i]] == DISTANCE_MOST;
                distances[neighbours[m]] = distances[queue[i]] + 1;
                queue[queued++] = neighbours[m];
            }
        }
        if (is_too_far) {
            break;
        }
    }
    free(queue);
    if (is_too_far) {
        free(distances);
    }
    return is_too_far ? NULL : distances;
}

static void compare(const struct distances *found, const uint8_t *expected, const char *text)
{
    struct fewest_error error;
    uint64_t histogram[UNREACHED + 1] = {0};
    uint8_t *read = malloc(found->count);
    cr_assert(read);
    cr_assert(distances_read(found, 0, found->count, read, &error), "%s", error.text);
    cr_assert(memcmp(read, expected, found->count) == 0, "%s", text);
    for (uint64_t i = 0; i < found->count; i++) {
        histogram[expected[i]]++;
    }
    cr_expect(memcmp(found->histogram, histogram, sizeof found->histogram) == 0, "%s", text);
    free(read);
}

// Compares the distances from every root, on one to three threads, with those of a plain search.
static void check_searches(const char *text, enum metric metric)
{
    struct fewest_error error;
    struct puzzle puzzle = support_compile(text, metric);
    for (unsigned root = 0; root < puzzle.numbering.root_count; root++) {
        uint8_t *expected = search_plainly(&puzzle, root);
        for (unsigned threads = 1; threads <= 3; threads++) {
            struct search_options options = {.threads = threads};
            struct layer_file file;
            struct distances found;
            layer_file_begin(&file, NULL);
            bool made = search_distances(&puzzle, root, &options, (struct file_search){&file, 0},
                                         &found, &error);
            cr_assert_eq(made, expected != NULL, "%s", text);
            cr_assert(made || error.status == FEWEST_BEYOND, "%s", error.text);
            if (made) {
                compare(&found, expected, text);
            }
            distances_free(&found);
            layer_file_close(&file, true);
        }
        free(expected);
    }
    puzzle_free(&puzzle);
}

Test(spaces, a_search_with_any_number_of_threads_finds_the_distances_of_a_plain_one)
{
    static const struct {
        const char *text;
        enum metric metric;
        unsigned largest; // 0: not checked
        bool too_far;
    } CASES[] = {
        {LONG, METRIC_QUARTER, 50, false},
        {RING, METRIC_QUARTER, 216, false},
        {RING, METRIC_LISTED, 0, true},
        {WHEELS, METRIC_QUARTER, 0, false},
        {WHEELS, METRIC_LISTED, 0, false},
        {"Name slide\nSlide 2 3\n", METRIC_POWERS, 21, false},
        {"Name line\nSlide 1 6\n", METRIC_POWERS, 5, false},
        {NECKLACE, METRIC_QUARTER, 0, false},
        {NECKLACE, METRIC_LISTED, 0, false},
        {BESIDE, METRIC_QUARTER, 0, false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        check_searches(CASES[i].text, CASES[i].metric);
        struct search_options options = {.threads = 1};
        struct generated first;
        struct fewest_error error;
        bool made = generate_in_memory(CASES[i].text, strlen(CASES[i].text), CASES[i].metric,
                                       &options, &first, &error);
        cr_assert_eq(made, !CASES[i].too_far, "%s", CASES[i].text);
        if (!made) {
            cr_assert_eq(error.status, FEWEST_BEYOND, "%s", error.text);
            continue;
        }
        struct fewest *table = support_open(&first);
        struct fewest_stats stats = support_count(table);
        cr_expect(CASES[i].largest == 0 || stats.largest == CASES[i].largest, "%s: %u",
                  CASES[i].text, stats.largest);
        cr_expect(support_is_sound(table), "%s", CASES[i].text);
        fewest_close(table);
        for (unsigned threads = 2; threads <= 3; threads++) {
            struct generated other = generate(CASES[i].text, threads, CASES[i].metric);
            cr_expect_eq(other.length, first.length);
            cr_expect(memcmp(other.bytes, first.bytes, first.length) == 0, "%s", CASES[i].text);
            free(other.bytes);
        }
        free(first.bytes);
    }
}

// ---- Pages --------------------------------------------------------------------------------------

// Cuts the states of a puzzle into pages, if it has enough. A forecast tells how many, and what
// room they take. The deep check compares all steps of pages with the moves.
static void check_pages(const char *text, bool wanted)
{
    struct pages pages;
    struct fewest_error error;
    struct puzzle puzzle = support_compile(text, METRIC_POWERS);
    cr_assert(pages_make(&pages, puzzle.numbering.roots[0].chain, &error), "%s", error.text);
    cr_assert_eq(pages.page_size > 0, wanted, "%s", text);
    struct pages forecast;
    cr_assert(pages_forecast(&forecast, puzzle.numbering.roots[0].chain, &error), "%s", error.text);
    cr_assert_eq(forecast.page_count, pages.page_count);
    cr_assert_eq(forecast.bytes, pages.bytes);
    cr_assert(!wanted || pages.page_count * pages.page_size == puzzle.numbering.state_count);
    pages_free(&forecast);
    pages_free(&pages);
    puzzle_free(&puzzle);
}

// Compares the steps by masks of a state with its moves. Returns how many are right.
static unsigned count_right_steps(const struct puzzle *puzzle, const struct pages *pages,
                                  uint64_t state)
{
    struct chain_step room[MOVES_MOST];
    uint64_t by_moves[MOVES_MOST];
    unsigned right = 0;
    const struct chain_step *steps = pages_steps(pages, state / pages->cut->page_size, room);
    puzzle_neighbours(puzzle, 0, state, by_moves);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        right += chain_pages_go(pages->cut, steps[m], state) == by_moves[m];
    }
    return right;
}

Test(spaces, steps_by_masks_lead_where_the_moves_lead)
{
    static const char *const TEXTS[] = {NECKLACE, BESIDE};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        struct pages pages;
        struct fewest_error error;
        struct puzzle puzzle = support_compile(TEXTS[i], METRIC_QUARTER);
        cr_assert(pages_make(&pages, puzzle.numbering.roots[0].chain, &error), "%s", error.text);
        cr_assert(pages.masks);
        uint64_t states = puzzle.numbering.state_count;
        cr_assert_eq(pages.cut->page_count * pages.cut->page_size, states);
        for (unsigned round = 0; round < 2000; round++) {
            cr_assert_eq(count_right_steps(&puzzle, &pages, support_random() % states),
                         puzzle.move_count);
        }
        // A check that finds nothing wrong must be able to.
        size_t halves = set_masks_image_count(pages.cut->masks);
        for (uint32_t map = 0; map < pages.cut->keys.count; map++) {
            uint64_t *images = pages.cut->images + map * halves;
            for (size_t half = 1; half < halves / 2; half++) { // the low ones
                images[half] ^= 1;
            }
        }
        cr_expect_lt(count_right_steps(&puzzle, &pages, 0), puzzle.move_count);
        pages_free(&pages);
        puzzle_free(&puzzle);
    }
}

#define CYCLE12                                                                                    \
    "Set X 12 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 7 8 9 10 11 12 1\nEnd\nMove B\nX\n2 1 3 4 5 "   \
    "6 7 8 9 10 11 12\nEnd\n"
#define CYCLE9                                                                                     \
    "Set X 9 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 7 8 9 1\nEnd\nMove B\nX\n2 1 3 4 5 6 7 8 "       \
    "9\nEnd\n"

Test(spaces, enough_states_are_cut_into_pages_as_forecast)
{
    check_pages("Name nine\n" CYCLE9, true);
    check_pages("Name tracked\n" CYCLE9 "Track 2 5 7 9\n", true);
    check_pages("Name tracked\n" CYCLE12 "Track 1 2 5 7 9 11\n", true);
    check_pages("Name slide\nSlide 3 3\n", true);
    check_pages("Name slide\nSlide 2 2 2\n", true);
    check_pages("Name wide\nSlide 2 5\n", true);
    check_pages(WHEELS, false); // nine offsets are too few
    check_pages("Name few\nSet X 3 1\nSolved\nEnd\nMove A\nX\n2 3 1\nEnd\n", false);
    check_pages("Name roll\nRoll 2 3\n", false);
    static const char *const FILES[] = {"tests/data/2x2x2.tws", "tests/data/pyraminx.tws",
                                        "tests/data/skewb.tws", "tests/data/lights55.tws",
                                        "tests/data/rotations.tws"};
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        char *text = support_read(FILES[i], NULL);
        check_pages(text, true);
        free(text);
    }
}

// ---- Large puzzles ------------------------------------------------------------------------------

Test(spaces, a_large_puzzle_is_proved_from_its_moves, .timeout = 300)
{
    static const char *const FILES[] = {"tests/data/2x2x2.tws", "tests/data/pyraminx.tws"};
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        char *text = support_read(FILES[i], NULL);
        struct fewest *table = support_own(generate(text, 2, METRIC_QUARTER));
        check_searches(text, METRIC_QUARTER);
        cr_expect(support_is_sound(table), "%s", FILES[i]);
        support_close(table);
        free(text);
    }
}

enum { LAMPS = 22, LAMPS_TEXT = LAMPS * (4 * LAMPS + 40) };

static void write_lamps(char *text)
{
    strcpy(text, "Name full\nSet D 22 2\nSolved\nEnd\n");
    for (unsigned m = 0; m < LAMPS; m++) {
        char *at = text + strlen(text);
        at += sprintf(at, "Move M%02u\nD\n", m);
        for (unsigned i = 0; i < LAMPS; i++) {
            at += sprintf(at, "%u ", i + 1);
        }
        *at++ = '\n';
        // Move m switches lamp LAMPS-1-m and, every third time, the lamp after it.
        for (unsigned i = 0; i < LAMPS; i++) {
            at += sprintf(at, "%d ", i == LAMPS - 1 - m || (m % 3 == 0 && m > 0 && i == LAMPS - m));
        }
        sprintf(at, "\nEnd\n");
    }
}

// No move of these fourteen dials has an inverse. The forged table says that every state is five
// moves away. A path would look through a million states for each move that it tries.
Test(spaces, a_path_that_would_look_for_minutes_is_refused)
{
    enum { DIALS = 14 };
    char text[DIALS * (2 * DIALS + 80)] = "Name dials\nSet D 14 3\nSolved\nEnd\n";
    struct query query = {.target = {0}};
    struct fewest_error error;
    struct fewest_path path;
    for (unsigned m = 0; m < DIALS; m++) {
        char *at = text + strlen(text);
        at += sprintf(at, "Move M%02u\nD\n1 2 3 4 5 6 7 8 9 10 11 12 13 14\n", m);
        for (unsigned i = 0; i < DIALS; i++) {
            at += sprintf(at, "%d ", i == m);
        }
        sprintf(at, "\nEnd\n");
    }
    struct generated generated = generate(text, 2, METRIC_LISTED);
    struct table_content content = support_take_apart(&generated);
    uint8_t *entries = support_entries(&content, 0);
    for (uint64_t i = 0; i < content.sections[0].entries; i++) {
        entries[i] = entries[i] > 0 ? 5 : 0;
    }
    struct fewest *table = support_own(support_pack(&content));
    memset(query.target, FEWEST_WILD, DIALS);
    query.target[3] = 1;
    cr_assert(fewest_steps(table, query.start, query.target, &path.steps, &error), "%s",
              error.text);
    cr_assert_eq(path.steps, 5);
    cr_assert_not(fewest_path(table, query.start, query.target, &path, &error));
    cr_assert_eq(error.status, FEWEST_BEYOND, "%s", error.text);
    support_close(table);
    support_free_content(&content);
    free(generated.bytes);
}

// All 2^22 states of the lamps can be reached, but their index is not a row of bits in the order of
// the cells. The test tries every way to fill the wildcards.
Test(spaces, wildcards_of_a_span_are_solved_as_equations)
{
    char text[LAMPS_TEXT];
    write_lamps(text);
    struct fewest *table = support_own(generate(text, 2, METRIC_POWERS));
    for (unsigned round = 0; round < 300; round++) {
        char query[2 * LAMPS + 2];
        unsigned wild[4];
        int least = FEWEST_UNREACHABLE;
        for (unsigned i = 0; i < 2 * LAMPS + 1; i++) {
            query[i] = i == LAMPS ? ' ' : (char)('0' + support_random_below(2));
        }
        query[2 * LAMPS + 1] = '\0';
        for (unsigned w = 0; w < 4; w++) {
            wild[w] = LAMPS + 1 + support_random_below(LAMPS);
        }
        for (unsigned fill = 0; fill < 16; fill++) {
            for (unsigned w = 0; w < 4; w++) {
                query[wild[w]] = (char)('0' + (fill >> w & 1));
            }
            int steps = support_steps(table, query);
            least = least == FEWEST_UNREACHABLE || steps < least ? steps : least;
        }
        for (unsigned w = 0; w < 4; w++) {
            query[wild[w]] = '*';
        }
        cr_assert_eq(support_steps(table, query), least, "%s", query);
    }
    support_close(table);
}
