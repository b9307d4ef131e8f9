// The deep check finds a numbering that is wrong. No file can hold one, so the tests spoil what the
// check works with (checker.h). They also change entries of tables that are checked by pages.
#include "query/check/check.h"
#include "tables/families/compile.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RULE_1 = 1 << 1, RULE_2 = 1 << 2, RULE_3 = 1 << 3, RULE_11 = 1 << 11 };

// Two sets whose permutations are both even or both odd, and orientations whose sum is kept.
static const char COUPLED[] = "Name coupled\nSet A 5 2\nSet B 3 1\nSolved\nEnd\n"
                              "Move X\nA\n2 1 3 4 5\n1 1 0 0 0\nB\n2 1 3\nEnd\n"
                              "Move Y\nA\n2 3 4 5 1\nEnd\nMove Z\nB\n2 3 1\nEnd\n";

// Pieces that look alike and have orientations.
static const char ALIKE[] = "Name alike\nSet A 8 3\nSolved\nA\n1 1 1 1 2 2 2 3\nEnd\n"
                            "Move X\nA\n2 3 4 1 5 6 7 8\n0 1 0 2 0 0 0 0\nEnd\n"
                            "Move Y\nA\n1 2 3 5 6 7 8 4\n0 0 1 0 1 1 0 0\nEnd\n";

static const char ROWS[] = "Name rows\nSet A 7 1\nSolved\nEnd\nMove X\nA\n2 1 3 4 5 6 7\nEnd\n"
                           "Move Y\nA\n2 3 4 5 6 7 1\nEnd\n";

static const char EVEN_ROWS[] = "Name even\nSet A 8 1\nSolved\nEnd\n"
                                "Move X\nA\n2 3 1 4 5 6 7 8\nEnd\n"
                                "Move Y\nA\n1 3 4 5 6 7 8 2\nEnd\n";

static const char ONE_WAY[] = "Name oneway\nPowers none\nSet A 7 1\nSolved\nEnd\n"
                              "Move X\nA\n2 1 3 4 5 6 7\nEnd\nMove Y\nA\n2 3 4 5 6 7 1\nEnd\n";

static const char BOARD[] = "Name board\nSlide 2 4\n";

// Each lamp is changed with the next two of a ring.
static const char LAMPS[] = "Name lamps\nSet L 13 2\nSolved\nEnd\n"
                            "Move A\nL\n1 2 3 4 5 6 7 8 9 10 11 12 13\n1 1 1 0 0 0 0 0 0 0 0 0 0\n"
                            "End\nMove B\nL\n1 2 3 4 5 6 7 8 9 10 11 12 13\n"
                            "0 1 1 1 0 0 0 0 0 0 0 0 0\nEnd\nMove C\nL\n"
                            "2 3 4 5 6 7 8 9 10 11 12 13 1\n0 0 0 0 0 0 0 0 0 0 0 0 0\nEnd\n";

// Illegal states have numbers.
static const char ILLEGAL[] = "Name illegal\nSet A 7 1\nSolved\nEnd\nIllegal A 1 6 7\n"
                              "Illegal A 2 6\nMove X\nA\n2 1 3 4 5 6 7\nEnd\n"
                              "Move Y\nA\n2 3 4 5 6 7 1\nEnd\n";

// So many look-alikes that offsets are masks. All states are one page.
#define RING     "1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 2 2 2 2\n"
#define TURN     "2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 1\n"
#define EXCHANGE "2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20\n"
static const char NECKLACE[] = "Name necklace\nPowers none\nSet A 20 1\nSolved\nA\n" RING
                               "End\nMove L\nA\n" TURN "End\nMove X\nA\n" EXCHANGE "End\n";

// The same in several pages, with a step for each step that is undone.
#define BACK "20 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19\n"
static const char BESIDE[] = "Name beside\nPowers none\nSet A 20 1\nSet B 3 1\nSolved\nA\n" RING
                             "B\n1 2 3\nEnd\nMove L\nA\n" TURN "B\n2 3 1\nEnd\nMove R\nA\n" BACK
                             "B\n3 1 2\nEnd\nMove X\nA\n" EXCHANGE "End\n";

static const char *const DEFINITIONS[] = {COUPLED, ALIKE, ROWS,    EVEN_ROWS, ONE_WAY,
                                          BOARD,   LAMPS, ILLEGAL, NECKLACE,  BESIDE};
enum { DEFINITION_COUNT = sizeof DEFINITIONS / sizeof *DEFINITIONS };

// Checks a table, after `spoil` has changed what the check works with. Returns the broken rules.
static unsigned broken_rules(const struct generated *generated,
                             void (*spoil)(void *, struct puzzle *, struct pages *), void *context)
{
    unsigned rules = 0;
    struct fewest_error error;
    struct fewest *table = support_open(generated);
    struct checker checker = {.table = table,
                              .puzzle = &table->puzzle,
                              .report = support_add_rule,
                              .context = &rules,
                              .error = &error,
                              .sound = true,
                              .spoil = spoil,
                              .spoil_context = context};
    support_set(table, (struct fewest_options){.threads = 2});
    cr_expect_eq(check_table(&checker, true), rules == 0);
    fewest_close(table);
    return rules;
}

static struct generated generate(const char *definition)
{
    return support_generate(definition, strlen(definition), METRIC_POWERS);
}

// ---- Pages --------------------------------------------------------------------------------------

static void expect_pages(void *context, struct puzzle *puzzle, struct pages *pages)
{
    (void)puzzle;
    cr_assert(pages, "%s", (const char *)context);
}

static void expect_no_pages(void *context, struct puzzle *puzzle, struct pages *pages)
{
    (void)context;
    (void)puzzle;
    cr_assert_not(pages);
}

Test(check_numbers, right_numbers_pass_by_pages)
{
    for (unsigned d = 0; d < DEFINITION_COUNT; d++) {
        struct generated generated = generate(DEFINITIONS[d]);
        void *context = (void *)(uintptr_t)DEFINITIONS[d];
        cr_expect_eq(broken_rules(&generated, expect_pages, context), 0, "definition %u", d);
        free(generated.bytes);
    }
}

// The second ring moves with the first.
Test(check_numbers, masks_with_more_in_their_tail_are_checked_from_state_to_state)
{
    static const char GEARED[] =
        "Name geared\nSet A 20 1\nSet B 20 1\nSolved\nA\n" RING "B\n" RING "End\nMove L\nA\n" TURN
        "B\n" TURN "End\nMove X\nA\n" EXCHANGE "B\n" EXCHANGE "End\n";
    struct generated generated = support_generate(GEARED, strlen(GEARED), METRIC_LISTED);
    cr_expect_eq(broken_rules(&generated, expect_no_pages, NULL), 0);
    free(generated.bytes);
}

// What to spoil.
enum spoilt { STEP_PAGE, STEP_MAP, NO_STEP, MAP, KEY, TAIL, DIGIT, SPOILT_COUNT };

static void spoil_step(struct chain_step *step, const struct pages *pages, enum spoilt what)
{
    if (what == STEP_PAGE || step->page == CHAIN_PAGE_NONE) {
        uint64_t count = pages->cut->page_count;
        step->page = count > 1 ? (uint32_t)((step->page + 1) % count) : 1;
    } else if (what == STEP_MAP && pages->cut->keys.count > 1) {
        step->map = (step->map + 1) % pages->cut->keys.count;
    } else {
        step->page = CHAIN_PAGE_NONE;
    }
}

// Changes an entry of a map or, if offsets are masks, the image of a half.
static void spoil_map(struct chain_pages *cut)
{
    uint32_t map = (uint32_t)(support_random() % cut->keys.count);
    if (cut->masks) {
        size_t halves = set_masks_image_count(cut->masks);
        cut->images[map * halves + support_random() % halves] ^= UINT64_C(1)
                                                                 << support_random() % 20;
        return;
    }
    uint16_t *entry = &cut->maps[(size_t)map * cut->page_size + support_random() % cut->page_size];
    *entry = (uint16_t)((*entry + 1 + support_random() % (cut->page_size - 1)) % cut->page_size);
}

// Exchanges two elements of a digit of the chain that has a list of them. Else changes a map.
static void exchange_elements(struct pages *pages)
{
    const struct chain *chain = pages->cut->chain;
    size_t length = 2 * (size_t)chain->plan->degree;
    for (unsigned d = 0; d < chain->digit_count; d++) {
        struct chain_digit *digit = &chain->digits[d];
        if (digit->rows && digit->length > 2) {
            chain_point room[length];
            cr_assert_neq(chain_row(chain, d, 1, room), NULL);
            cr_assert_neq(chain_row(chain, d, 2, room), NULL);
            memcpy(room, digit->rows + length, sizeof room);
            memcpy(digit->rows + length, digit->rows + 2 * length, sizeof room);
            memcpy(digit->rows + 2 * length, room, sizeof room);
            return;
        }
    }
    spoil_map(pages->cut);
}

// Keeps the steps, which pages of small puzzles make when they need them.
static void keep_steps(struct pages *pages, unsigned moves)
{
    uint64_t count = pages->cut->page_count;
    struct chain_step *steps = malloc(count * moves * sizeof *steps);
    struct chain_step room[MOVES_MOST];
    for (uint64_t page = 0; page < count && !pages->steps; page++) {
        memcpy(steps + page * moves, pages_steps(pages, page, room), moves * sizeof *steps);
    }
    if (pages->steps) {
        free(steps);
    } else {
        pages->steps = steps;
    }
}

static void spoil_pages(void *context, struct puzzle *puzzle, struct pages *pages)
{
    keep_steps(pages, puzzle->move_count);
    struct chain_pages *cut = pages->cut;
    enum spoilt what = *(enum spoilt *)context;
    struct chain_step *step =
        &pages->steps[support_random() % (cut->page_count * puzzle->move_count)];
    uint32_t map = (uint32_t)(support_random() % cut->keys.count);
    chain_point *key = cut->keys.rows + (size_t)map * cut->tail_count;
    chain_point *tail = cut->points + cut->page_points;
    unsigned at = (unsigned)(support_random() % cut->tail_count);
    unsigned other = (at + 1) % cut->tail_count;
    chain_point kept = what == KEY ? key[at] : tail[at];
    switch (what) {
    case KEY:
        key[at] = key[other];
        key[other] = kept;
        break;
    case TAIL:
        tail[at] = tail[other];
        tail[other] = kept;
        break;
    case MAP:
        spoil_map(cut);
        break;
    case DIGIT:
        exchange_elements(pages);
        break;
    default:
        spoil_step(step, pages, what);
    }
}

Test(check_numbers, rule_11_finds_every_spoilt_part_of_pages)
{
    enum { ROUNDS = 3 };
    for (unsigned d = 0; d < DEFINITION_COUNT; d++) {
        struct generated generated = generate(DEFINITIONS[d]);
        for (unsigned round = 0; round < ROUNDS * SPOILT_COUNT; round++) {
            enum spoilt what = round % SPOILT_COUNT;
            cr_expect_eq(broken_rules(&generated, spoil_pages, &what), RULE_11,
                         "definition %u, spoilt %u", d, (unsigned)what);
        }
        free(generated.bytes);
    }
}

// What to spoil of masks.
enum spoilt_mask { FIRST, RANK, HALVES, EMPTY, POSITION, PLACE_COUNT, SPOILT_MASK_COUNT };

// A half that is in some set.
static uint32_t draw_half(const struct set_masks *masks)
{
    uint32_t half;
    do {
        half = (uint32_t)(support_random() % (UINT64_C(1) << masks->low_bits));
    } while ((unsigned)__builtin_popcount(half) > masks->size);
    return half;
}

static void spoil_masks(void *context, struct puzzle *puzzle, struct pages *pages)
{
    (void)puzzle;
    struct set_masks *masks = pages->cut->masks;
    const struct chain_digit *digit = &pages->cut->chain->digits[pages->cut->split];
    switch (*(enum spoilt_mask *)context) {
    case FIRST:
        masks->first[draw_half(masks)]--;
        break;
    case RANK:
        masks->rank[draw_half(masks)] ^= 1;
        break;
    case HALVES:
        masks->halves[support_random() % masks->halves_of[masks->size + 1]] ^= 1;
        break;
    case EMPTY: // the image of an empty half
        pages->cut->images[(support_random() % 2) << masks->low_bits] = 1;
        break;
    case POSITION: // two slots of the chain have the same number
        ((uint16_t *)(uintptr_t)digit->position)[digit->slot[4]] = 5;
        break;
    default:
        pages->cut->page_size--;
    }
}

Test(check_numbers, rule_11_finds_every_spoilt_part_of_masks)
{
    enum { ROUNDS = 3 };
    static const char *const TEXTS[] = {NECKLACE, BESIDE};
    for (unsigned d = 0; d < sizeof TEXTS / sizeof *TEXTS; d++) {
        struct generated generated = generate(TEXTS[d]);
        for (unsigned round = 0; round < ROUNDS * SPOILT_MASK_COUNT; round++) {
            enum spoilt_mask what = round % SPOILT_MASK_COUNT;
            cr_expect_eq(broken_rules(&generated, spoil_masks, &what), RULE_11,
                         "definition %u, spoilt %u", d, (unsigned)what);
        }
        free(generated.bytes);
    }
}

// ---- Functions ----------------------------------------------------------------------------------

static struct numbering_functions right;

// The states 7 and 8 exchange their numbers on the way from cells to a number.
static uint64_t rank_exchanged(const struct puzzle *puzzle, unsigned root, const uint8_t *relative)
{
    uint64_t index = right.rank(puzzle, root, relative);
    return index == 7 ? 8 : index == 8 ? 7 : index;
}

// State 8 has the cells of state 7, too.
static void unrank_twice(const struct puzzle *puzzle, unsigned root, uint64_t index,
                         uint8_t *relative)
{
    right.unrank(puzzle, root, index == 8 ? 7 : index, relative);
}

// The first two moves lead where the other one leads.
static void exchange_neighbours(const struct puzzle *puzzle, unsigned root, uint64_t index,
                                uint64_t *neighbours)
{
    right.neighbours(puzzle, root, index, neighbours);
    uint64_t first = neighbours[0];
    neighbours[0] = neighbours[1];
    neighbours[1] = first;
}

// A step that the cells allow is missing.
static void lose_step(const struct puzzle *puzzle, unsigned root, uint64_t index,
                      uint64_t *neighbours)
{
    right.neighbours(puzzle, root, index, neighbours);
    neighbours[0] = index == 8 ? INDEX_NONE : neighbours[0];
}

static uint64_t illegal; // the number of an illegal state

// A step between legal states leads to an illegal one instead.
static void lead_astray(const struct puzzle *puzzle, unsigned root, uint64_t index,
                        uint64_t *neighbours)
{
    right.neighbours(puzzle, root, index, neighbours);
    neighbours[0] = index == 0 ? illegal : neighbours[0];
}

// The cells show two things at each other's points.
static void write_exchanged(const struct puzzle *puzzle, unsigned root, const chain_point *images,
                            uint8_t *relative)
{
    chain_point others[2 * CELLS_MOST];
    memcpy(others, images, puzzle->cell_count * sizeof *others);
    others[0] = images[1];
    others[1] = images[0];
    right.write_images(puzzle, root, others, relative);
}

static bool read_exchanged(const struct puzzle *puzzle, unsigned root, const uint8_t *relative,
                           chain_point *images)
{
    bool done = right.read_images(puzzle, root, relative, images);
    chain_point first = images[0];
    images[0] = images[1];
    images[1] = first;
    return done;
}

static void replace_functions(void *context, struct puzzle *puzzle, struct pages *pages)
{
    (void)pages;
    puzzle->numbering.functions = context;
}

static void take_functions(void *context, struct puzzle *puzzle, struct pages *pages)
{
    (void)pages;
    *(struct numbering_functions *)context = *puzzle->numbering.functions;
}

Test(check_numbers, rule_11_finds_cells_that_do_not_fit_pages)
{
    for (unsigned d = 0; d < DEFINITION_COUNT; d++) {
        struct generated generated = generate(DEFINITIONS[d]);
        cr_assert_eq(broken_rules(&generated, take_functions, &right), 0);
        struct numbering_functions wrong = right;
        wrong.rank = rank_exchanged;
        cr_expect_eq(broken_rules(&generated, replace_functions, &wrong), RULE_11, "%u", d);
        wrong = right;
        wrong.unrank = unrank_twice;
        cr_expect_eq(broken_rules(&generated, replace_functions, &wrong), RULE_11, "%u", d);
        if (DEFINITIONS[d] != LAMPS && DEFINITIONS[d] != NECKLACE) { // the first two things differ
            wrong = right;
            wrong.write_images = write_exchanged;
            cr_expect_eq(broken_rules(&generated, replace_functions, &wrong), RULE_11, "%u", d);
        }
        if (DEFINITIONS[d] == COUPLED) {
            wrong = right;
            wrong.read_images = read_exchanged;
            cr_expect_eq(broken_rules(&generated, replace_functions, &wrong), RULE_11, "%u", d);
        }
        free(generated.bytes);
    }
}

// The rules of two moves change places, but not their points.
static void exchange_moves(void *context, struct puzzle *puzzle, struct pages *pages)
{
    struct move *moves = context;
    cr_assert(pages);
    memcpy(moves, puzzle->moves, puzzle->move_count * sizeof *moves);
    moves[0] = puzzle->moves[1];
    moves[1] = puzzle->moves[0];
    puzzle->moves = moves;
}

Test(check_numbers, rule_11_finds_points_that_do_not_move_as_the_rules_say)
{
    static struct move moves[MOVES_MOST];
    for (unsigned d = 0; d < DEFINITION_COUNT; d++) {
        struct generated generated = generate(DEFINITIONS[d]);
        if (DEFINITIONS[d] != BOARD) { // whose rules are in the board
            cr_expect_eq(broken_rules(&generated, exchange_moves, moves), RULE_11, "%u", d);
        }
        free(generated.bytes);
    }
}

static uint64_t find_illegal(const char *definition)
{
    uint64_t index = 1;
    struct puzzle puzzle = support_compile(definition, METRIC_POWERS);
    while (puzzle_permits_index(&puzzle, 0, index)) {
        index++;
    }
    puzzle_free(&puzzle);
    return index;
}

// The first move of states 0 and 8 is legal.
Test(check_numbers, rule_11_finds_wrong_numbers_from_state_to_state)
{
    static const char GATE[] = "Name gate\nSet X 4 1\nSolved\nEnd\nIllegal X 1 4\n"
                               "Move A\nX\n2 1 3 4\nEnd\nMove B\nX\n2 3 4 1\nEnd\n";
    struct generated gate = generate(GATE);
    cr_assert_eq(broken_rules(&gate, take_functions, &right), 0);
    illegal = find_illegal(GATE);
    struct numbering_functions wrong = right;
    wrong.neighbours = lose_step;
    cr_expect_eq(broken_rules(&gate, replace_functions, &wrong), RULE_11);
    wrong = right;
    wrong.neighbours = lead_astray;
    cr_expect_eq(broken_rules(&gate, replace_functions, &wrong), RULE_11);
    wrong.neighbours = exchange_neighbours;
    cr_expect_eq(broken_rules(&gate, replace_functions, &wrong), RULE_11);
    wrong = right;
    wrong.rank = rank_exchanged;
    cr_expect_eq(broken_rules(&gate, replace_functions, &wrong), RULE_11);
    wrong = right;
    wrong.unrank = unrank_twice;
    cr_expect_eq(broken_rules(&gate, replace_functions, &wrong), RULE_11);
    free(gate.bytes);
}

// ---- Entries ------------------------------------------------------------------------------------

// Each time, one entry of a table is changed.
Test(check_numbers, rules_1_to_3_find_every_changed_entry_by_pages)
{
    enum { ROUNDS = 12 };
    for (unsigned d = 0; d < DEFINITION_COUNT; d++) {
        struct table_content content = support_take(generate(DEFINITIONS[d]));
        uint8_t *states = support_entries(&content, 0);
        for (unsigned round = 0; round < ROUNDS; round++) {
            uint8_t *entry = &states[1 + support_random() % (content.sections[0].entries - 1)];
            uint8_t kept = *entry;
            *entry = kept == UINT8_MAX ? 3
                     : round % 3 == 0  ? UINT8_MAX
                                       : (uint8_t)(kept + round % 3 * 2 - 3);
            unsigned rules = support_broken_rules(&content, true);
            cr_expect(rules & (RULE_1 | RULE_2 | RULE_3), "definition %u, entry %u", d,
                      (unsigned)(entry - states));
            *entry = kept;
        }
        cr_expect_eq(support_broken_rules(&content, true), 0);
        support_free_content(&content);
    }
}

struct texts {
    char text[4096];
    size_t used;
};

static void add_text(void *context, const char *finding)
{
    struct texts *texts = context;
    int length =
        snprintf(texts->text + texts->used, sizeof texts->text - texts->used, "%s\n", finding);
    texts->used += (size_t)length;
    cr_assert(texts->used < sizeof texts->text);
}

Test(check_numbers, findings_are_the_same_in_any_number_of_threads)
{
    struct generated generated = generate(BOARD);
    struct table_content content = support_take_apart(&generated);
    uint8_t *states = support_entries(&content, 0);
    struct texts expected = {.used = 0};
    for (uint64_t i = 1; i < content.sections[0].entries; i += 97) {
        states[i] = states[i] > 1 ? states[i] - 1 : 2;
    }
    for (unsigned threads = 1; threads <= 5; threads += 2) {
        struct texts texts = {.used = 0};
        struct fewest *table = support_own(support_pack(&content));
        support_set(table, (struct fewest_options){.threads = threads});
        cr_assert_not(fewest_check(table, true, add_text, &texts, &(struct fewest_error){0}));
        expected = threads == 1 ? texts : expected;
        cr_expect_str_eq(texts.text, expected.text, "%u threads", threads);
        cr_expect(strstr(texts.text, "more findings of this kind"));
        support_close(table);
    }
    support_free_content(&content);
    free(generated.bytes);
}
