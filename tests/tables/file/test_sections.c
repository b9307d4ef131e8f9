// Tests of bad tables: each breaks one rule and must give that rule's error. Their checksums are
// right, so that the rule refuses them and not a checksum.
#include "gen/write/encode.h"
#include "tables/file/format.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <endian.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A table in memory with its decoded header, to be spoilt.
struct victim {
    struct header header;
    uint8_t *bytes;
    size_t length;
};

static void entries_together(struct victim *v)
{
    for (unsigned s = 0; s < 2; s++) {
        v->header.sections[s].bits = 8;
        v->header.sections[s].entries = UINT64_C(1) << 40;
    }
}

static void blocks_many(struct victim *v)
{
    v->header.block_log2 = BLOCK_LOG2_LEAST;
    v->header.sections[0].bits = 8;
    v->header.sections[0].entries = (UINT64_C(1) << 40) - section_bytes(&v->header.sections[1]);
}

// Every entry is a state, so the counts must change with their number.
static void entries_fewer(struct victim *v)
{
    v->header.sections[0].entries -= 2; // as many blocks as before
    v->header.sections[0].histogram[8] -= 2;
}

static void entries_more(struct victim *v)
{
    v->header.sections[0].entries += 2;
    v->header.sections[0].histogram[8] += 2;
}

static void entries_uncounted(struct victim *v)
{
    v->header.sections[0].entries -= 2;
}

static void section_name(struct victim *v)
{
    strcpy(v->header.sections[0].name, "stages");
}

static void wildcards_fewer(struct victim *v)
{
    v->header.sections[1].entries -= 2; // as many blocks as before
    v->header.sections[1].histogram[7] -= 2;
}

static void wildcards_name(struct victim *v)
{
    strcpy(v->header.sections[1].name, "pattern");
}

static void symmetry_moves_identity(struct victim *v)
{
    v->header.sections[1].symmetries[0] = v->header.sections[1].symmetries[1];
}

static void symmetry_joins_cells(struct victim *v)
{
    v->header.sections[1].symmetries[65].to[8] = v->header.sections[1].symmetries[65].to[0];
}

static void symmetry_leaves_board(struct victim *v)
{
    v->header.sections[1].symmetries[7].to[3] = UINT8_MAX;
}

static void symmetry_wrong(struct victim *v)
{
    for (unsigned s = 1; s < v->header.sections[1].symmetry_count; s++) {
        v->header.sections[1].symmetries[s] = v->header.sections[1].symmetries[0];
    }
}

static void sections_swapped(struct victim *v)
{
    struct section first = v->header.sections[0];
    v->header.sections[0] = v->header.sections[1];
    v->header.sections[1] = first;
}

static void histogram_too_full(struct victim *v)
{
    v->header.sections[0].histogram[2] = v->header.sections[0].entries;
}

static void block_gap(struct victim *v)
{
    v->header.blocks[3].offset++;
}

static void block_empty(struct victim *v)
{
    v->header.blocks[3].length = 0;
}

static void block_long(struct victim *v)
{
    v->header.blocks[v->header.block_count - 1].length++;
}

// The last block claims the greatest length that the field can hold.
static void block_enormous(struct victim *v)
{
    v->header.blocks[v->header.block_count - 1].length = UINT32_MAX;
}

static void definition_empty(struct victim *v)
{
    memset(v->header.definition, ' ', v->header.definition_length);
}

static void definition_binary(struct victim *v)
{
    memset(v->header.definition, 0, v->header.definition_length);
}

static void definition_another(struct victim *v)
{
    char *set = strstr(v->header.definition, "TILES 9 1");
    memcpy(set, "TILES 8 1", 9);
}

// A rule is broken by a function, or by a value of a field of the header or of a section.
struct rule {
    const char *name;
    void (*spoil)(struct victim *victim);
    int section; // or -1
    size_t offset;
    size_t size;
    uint64_t value;
    const char *expected;
};

#define BY(spoil)                 spoil, 0, 0, 0, 0
#define IN(type, field)           offsetof(type, field), sizeof((type *)NULL)->field
#define IN_HEADER(field)          -1, IN(struct header, field)
#define IN_SECTION(number, field) number, IN(struct section, field)
#define FIELD(place, value)       NULL, place, value

static void break_rule(const struct rule *rule, struct victim *victim)
{
    struct header *header = &victim->header;
    uint8_t *base =
        rule->section < 0 ? (uint8_t *)header : (uint8_t *)&header->sections[rule->section];
    void *field = base + rule->offset;
    if (rule->spoil) {
        rule->spoil(victim);
    } else if (rule->size == sizeof(uint64_t)) {
        *(uint64_t *)field = rule->value;
    } else {
        cr_assert_eq(rule->size, sizeof(uint32_t));
        *(uint32_t *)field = (uint32_t)rule->value;
    }
}

static const struct rule RULES[] = {
    {"a major version to come", FIELD(IN_HEADER(major), FORMAT_MAJOR + 1), "format version 5.0"},
    {"a feature without which it can't be read", FIELD(IN_HEADER(incompatible), 0x10),
     "flags 0x10"},
    {"an unknown metric", FIELD(IN_HEADER(metric), 7), "the metric is 7"},
    {"blocks too small", FIELD(IN_HEADER(block_log2), 7), "the block size's logarithm is 7"},
    {"blocks too large", FIELD(IN_HEADER(block_log2), 63), "the block size's logarithm is 63"},
    {"blocks above the largest", FIELD(IN_HEADER(block_log2), BLOCK_LOG2_MOST + 1),
     "the block size's logarithm is 15"},
    {"no sections", FIELD(IN_HEADER(section_count), 0), "the number of sections is 0"},
    {"an unknown kind of section", FIELD(IN_SECTION(0, kind), 9), "a section's kind is 9"},
    {"entries of three bits", FIELD(IN_SECTION(0, bits), 3), "the number of bits of an entry is 3"},
    {"entries of no bits", FIELD(IN_SECTION(1, bits), 0), "the number of bits of an entry is 0"},
    {"a distance that means unreachable", FIELD(IN_SECTION(0, largest), 15),
     "the largest distance is 15"},
    {"a section without entries", FIELD(IN_SECTION(0, entries), 0),
     "the number of a section's entries is 0"},
    {"more entries than there can be", FIELD(IN_SECTION(0, entries), UINT64_MAX),
     "the number of a section's entries is 18446744073709551615"},
    {"more entries than the file has blocks for", FIELD(IN_SECTION(0, entries), UINT64_C(1) << 33),
     "but its contents need"},
    {"the most entries, without blocks for them", FIELD(IN_SECTION(0, entries), UINT64_C(1) << 40),
     "but its contents need 2684358"},
    {"one entry more than there can be", FIELD(IN_SECTION(0, entries), (UINT64_C(1) << 40) + 1),
     "the number of a section's entries is 1099511627777"},
    {"sections that are too large together", BY(entries_together),
     "the unpacked size of a section is 1099511627776"},
    {"more blocks than there can be", BY(blocks_many), "the number of blocks is 4294967297"},
    {"fewer entries than the puzzle has states", BY(entries_fewer),
     "the header does not match the definition of game"},
    {"more entries than the puzzle has states", BY(entries_more),
     "the header does not match the definition of game"},
    {"fewer entries than the histogram counts", BY(entries_uncounted),
     "the number of states at a distance is 2475"},
    {"a root outside the section", FIELD(IN_SECTION(0, root), 181440),
     "a section's root is 181440"},
    {"another root", FIELD(IN_SECTION(0, root), 1),
     "the header does not match the definition of game"},
    {"a section of another name", BY(section_name),
     "the header does not match the definition of game"},
    {"wildcard targets before the states", BY(sections_swapped),
     "the header does not match the definition of game"},
    {"wildcard targets that claim to be states", FIELD(IN_SECTION(1, kind), SECTION_STATES),
     "but its contents need"},
    {"wildcard targets without cells", FIELD(IN_SECTION(1, cells), 0),
     "the number of a target's cells is 0"},
    {"wildcard targets of too many cells", FIELD(IN_SECTION(1, cells), WILDCARD_CELLS_MOST + 1),
     "the number of a target's cells is 13"},
    {"wildcard targets without a symmetry", FIELD(IN_SECTION(1, symmetry_count), 0),
     "the number of symmetries is 0"},
    {"more symmetries than there can be", FIELD(IN_SECTION(1, symmetry_count), SYMMETRIES_MOST + 1),
     "the number of symmetries is 2049"},
    {"more symmetries than the header has", FIELD(IN_SECTION(1, symmetry_count), SYMMETRIES_MOST),
     "a number of entries is 2048"},
    {"a first symmetry that is not the identity", BY(symmetry_moves_identity),
     "the number of a wrong symmetry is 0"},
    {"a symmetry that takes two cells to one", BY(symmetry_joins_cells),
     "the number of a wrong symmetry is 65"},
    {"a symmetry that takes a cell off the board", BY(symmetry_leaves_board),
     "the number of a wrong symmetry is 7"},
    {"a histogram that counts too much", BY(histogram_too_full),
     "the number of states at a distance is 181440"},
    {"a gap between two blocks", BY(block_gap), "the offset of a block"},
    {"an empty block", BY(block_empty), "the offset of a block"},
    {"a last block beyond the end", BY(block_long), "the file is cut short"},
    {"a block that claims gigabytes", BY(block_enormous), "the length of a block is 4294967295"},
    {"an empty definition", BY(definition_empty), "the definition in the table: line"},
    {"a definition of NUL bytes", BY(definition_binary),
     "the definition in the table: line 1: unknown keyword"},
    {"the definition of another puzzle", BY(definition_another),
     "the definition in the table: line"},
};

// The sections of wildcard targets are compared with the definition when the first query or check
// needs them.
static const struct rule WILDCARD_RULES[] = {
    {"wildcard targets that give another number of cells", FIELD(IN_SECTION(1, most_given), 3),
     "the header does not match the definition of game"},
    {"fewer wildcard targets than the puzzle has", BY(wildcards_fewer),
     "the header does not match the definition of game"},
    {"wildcard targets of another name", BY(wildcards_name),
     "the header does not match the definition of game"},
    {"symmetries that fold too little", BY(symmetry_wrong),
     "the header does not match the definition of game"},
};

static struct victim take(const struct generated *generated)
{
    struct victim victim = {.length = generated->length, .bytes = malloc(generated->length + 1)};
    struct fewest_error error;
    memcpy(victim.bytes, generated->bytes, generated->length);
    cr_assert(support_decode(&victim.header, victim.bytes, victim.length, &error));
    return victim;
}

// Writes the spoilt header over the good one, with a new checksum.
static void encode(struct victim *victim, const struct header *good)
{
    uint8_t *bytes = malloc(2 * good->length + 4096);
    if (victim->header.section_count == good->section_count &&
        victim->header.sections[0].largest <= 8 && header_length(&victim->header) == good->length) {
        header_encode(&victim->header, bytes);
        memcpy(victim->bytes, bytes, good->length);
    } else { // a header of another length would not fit: patch the fields alone
        enum {
            SECTIONS_AT = 26,
            LARGEST_AT = SECTIONS_AT + 2 + SECTION_NAME_SIZE + 2,
            KIND_AT = SECTIONS_AT + 2 + 36 + 8 * (8 + 1) + SECTION_NAME_SIZE, // of section 1
            CELLS_AT = KIND_AT + 20 + 8 * (8 + 1),
        };
        const struct section *wildcards = &victim->header.sections[1];
        victim->bytes[SECTIONS_AT] = (uint8_t)victim->header.section_count;
        victim->bytes[LARGEST_AT] = (uint8_t)victim->header.sections[0].largest;
        victim->bytes[KIND_AT] = (uint8_t)wildcards->kind;
        victim->bytes[CELLS_AT] = (uint8_t)wildcards->cells;
        victim->bytes[CELLS_AT + 1] = (uint8_t)wildcards->symmetry_count;
        victim->bytes[CELLS_AT + 2] = (uint8_t)(wildcards->symmetry_count >> 8);
        uint64_t hash = format_hash(victim->bytes, good->length - 8);
        for (unsigned i = 0; i < 8; i++) {
            victim->bytes[good->length - 8 + i] = (uint8_t)(hash >> (8 * i));
        }
    }
    free(bytes);
}

static void expect_error(const struct fewest_error *error, const char *name, const char *expected)
{
    cr_expect(strstr(error->text, expected), "%s: expected '%s', got '%s'", name, expected,
              error->text);
    cr_expect_eq(error->status, FEWEST_DAMAGED, "%s", name);
}

static void expect_refusal(const uint8_t *bytes, size_t length, const char *name,
                           const char *expected)
{
    struct fewest_error error = {.text = "it opens"};
    struct fewest *table = fewest_open_buffer(bytes, length, &error);
    cr_expect_not(table, "%s", name);
    expect_error(&error, name, expected);
    fewest_close(table);
}

static void count_finding(void *context, const char *finding)
{
    (void)finding;
    ++*(unsigned *)context;
}

// The table opens and answers a query of two states. Each wildcard target is refused, and both
// checks fail.
static void expect_refusal_of_wildcards(const uint8_t *bytes, size_t length, const char *name,
                                        const char *expected)
{
    static const char QUERY[] = "123456789 8*95372**";
    struct fewest_error error = {.text = "it answers"};
    int steps;
    struct fewest *table = fewest_open_buffer(bytes, length, &error);
    cr_assert(table, "%s: %s", name, error.text);
    cr_expect_eq(support_steps(table, "312456789 123456789"), 1);
    struct query query = support_query(table, QUERY);
    for (int again = 0; again < 2; again++) {
        cr_expect_not(fewest_steps(table, query.start, query.target, &steps, &error), "%s", name);
        expect_error(&error, name, expected);
        cr_expect_eq(fewest_steps_many(table, query.start, query.target, 1, &steps, &error), 0,
                     "%s", name);
        expect_error(&error, name, expected);
    }
    for (int deep = 0; deep < 2; deep++) {
        unsigned findings = 0;
        cr_expect_not(fewest_check(table, deep, count_finding, &findings, &error), "%s", name);
        cr_expect_eq(findings, 1, "%s", name);
        expect_error(&error, name, expected);
    }
    fewest_close(table);
}

typedef void expect_function(const uint8_t *bytes, size_t length, const char *name,
                             const char *expected);

// Breaks one rule after the other in the table of the game.
static void break_rules(const struct rule *rules, size_t count, expect_function *expect)
{
    struct generated game = support_generate_game();
    struct victim good = take(&game);
    for (size_t i = 0; i < count; i++) {
        struct victim victim = take(&game);
        break_rule(&rules[i], &victim);
        encode(&victim, &good.header);
        expect(victim.bytes, victim.length, rules[i].name, rules[i].expected);
        victim.header.section_count = good.header.section_count;
        header_free(&victim.header);
        free(victim.bytes);
    }
    header_free(&good.header);
    free(good.bytes);
    free(game.bytes);
}

Test(corpus, each_rule_broken_gives_its_own_error)
{
    break_rules(RULES, sizeof RULES / sizeof *RULES, expect_refusal);
}

Test(corpus, wrong_sections_of_wildcard_targets_are_refused_before_they_are_used)
{
    break_rules(WILDCARD_RULES, sizeof WILDCARD_RULES / sizeof *WILDCARD_RULES,
                expect_refusal_of_wildcards);
}

// The states of these puzzles have no numbers, so nothing in the table may be compared with them.
Test(corpus, a_table_whose_definition_has_too_many_states_is_refused)
{
    static const char SWAP[] = "Name swap\nSet X 2 1\nSolved\nEnd\nMove S\nX\n2 1\nEnd\n";
    for (unsigned kinds = 0; kinds < 2; kinds++) {
        enum { PIECES = 120 };
        char text[16 * PIECES] = "Name many\nSet X 120 1\nSolved\nX\n";
        char *at = text + strlen(text);
        for (unsigned i = 1; i <= PIECES; i++) { // all different, or two of each kind
            at += sprintf(at, "%u ", kinds == 0 ? i : (i + 1) / 2);
        }
        at += sprintf(at, "\nEnd\nMove A\nX\n2 1 ");
        for (unsigned i = 3; i <= PIECES; i++) {
            at += sprintf(at, "%u ", i);
        }
        at += sprintf(at, "\nEnd\nMove B\nX\n");
        for (unsigned i = 1; i <= PIECES; i++) {
            at += sprintf(at, "%u ", i % PIECES + 1);
        }
        sprintf(at, "\nEnd\n");
        struct generated swap = support_generate(SWAP, sizeof SWAP - 1, METRIC_POWERS);
        struct table_content content = support_take_apart(&swap);
        const char *kept = content.definition;
        content.definition = text;
        content.definition_length = strlen(text);
        struct generated packed = support_pack(&content);
        expect_refusal(packed.bytes, packed.length, kinds == 0 ? "120 pieces" : "60 kinds",
                       "the definition");
        content.definition = kept;
        support_free_content(&content);
        free(packed.bytes);
        free(swap.bytes);
    }
}

// A seed that is refused would test nothing behind the refusal.
Test(corpus, every_seed_of_the_fuzzers_is_a_good_definition_or_table)
{
    static const char *const NAMES[] = {"corner", "dials", "five", "goals", "lamps",
                                        "swap",   "track", "trap", "turn",  "words"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        char path[64];
        size_t length;
        struct fewest_error error = {.text = ""};
        struct search_options options = {.threads = 2};
        struct generated generated;
        snprintf(path, sizeof path, "tests/corpus/definition/%s", NAMES[i]);
        char *text = support_read(path, &length);
        cr_expect(generate_in_memory(text, length, METRIC_POWERS, &options, &generated, &error),
                  "%s: %s", path, error.text);
        free(generated.bytes);
        free(text);
        snprintf(path, sizeof path, "tests/corpus/table/%s.table", NAMES[i]);
        char *bytes = support_read(path, &length);
        struct fewest *table = fewest_open_buffer(bytes, length, &error);
        cr_expect(table && support_is_sound(table), "%s: %s", path, error.text);
        fewest_close(table);
        free(bytes);
    }
}

Test(corpus, what_is_no_table_at_all_says_so)
{
    struct generated game = support_generate_game();
    uint8_t *longer = malloc(game.length + 1);
    memcpy(longer, game.bytes, game.length);
    longer[game.length] = 0;
    expect_refusal(longer, game.length + 1, "one byte more", "the file is too long");
    expect_refusal(longer, game.length - 1, "one byte less", "the file is cut short");
    expect_refusal(longer, 20, "twenty bytes", "the header is cut short");
    expect_refusal(longer, 3, "three bytes",
                   "this is not a distance table; fewest-gen makes tables from definitions");
    expect_refusal((const uint8_t *)"", 0, "nothing",
                   "this is not a distance table; fewest-gen makes tables from definitions");
    expect_refusal((const uint8_t *)"%PDF-1.4 and so on and so on", 28, "a foreign file",
                   "this is not a distance table; fewest-gen makes tables from definitions");
    longer[16]++;
    expect_refusal(longer, game.length, "another header length", "but its contents need");
    free(longer);
    free(game.bytes);
}

Test(corpus, a_minor_version_to_come_may_add_fields_that_are_passed_over)
{
    enum { MINOR_AT = 10 };
    struct generated game = support_generate_game();
    struct victim victim = take(&game);
    // Insert eight bytes between the block index and the checksum, and raise every offset by eight.
    size_t length = victim.length + 8;
    uint8_t *bytes = calloc(1, length);
    struct fewest_error error;
    uint64_t old = victim.header.length;
    victim.header.length += 8;
    for (uint64_t b = 0; b < victim.header.block_count; b++) {
        victim.header.blocks[b].offset += 8;
    }
    uint8_t *header = calloc(1, old);
    struct header shorter = victim.header;
    shorter.length = old;
    header_encode(&shorter, header);
    memcpy(bytes, header, old - 8);
    for (unsigned i = 0; i < 8; i++) {
        bytes[16 + i] = (uint8_t)(victim.header.length >> (8 * i));
    }
    memcpy(bytes + victim.header.length, victim.bytes + old, victim.length - old);
    support_forge_checksums(bytes, length);
    expect_refusal(bytes, length, "this version with bytes too many", "but its contents need");
    bytes[MINOR_AT] = 1;
    support_forge_checksums(bytes, length);
    struct fewest *table = fewest_open_buffer(bytes, length, &error);
    cr_assert(table, "%s", error.text);
    cr_assert_eq(support_steps(table, "123456789 8*95372**"), 7);
    fewest_close(table);
    free(header);
    free(bytes);
    header_free(&victim.header);
    free(victim.bytes);
    free(game.bytes);
}

// The table has 2^33 states of half a byte each. All blocks are alike, so the file has only some
// megabytes. Unpacked, the table takes 4 GiB, which 32 bits can't address. So the large cache may
// be refused, but a query is answered. Only the last block has another distance.
Test(corpus, a_table_of_more_than_32_bits_can_address_is_refused_or_opened)
{
    enum {
        LAMPS = 33,
        LARGEST = 14,
        SIZE = 1 << BLOCK_LOG2_MOST,
        BLOCKS = 1 << (LAMPS - 1 - BLOCK_LOG2_MOST)
    };
    static uint8_t raw[SIZE];
    char text[LAMPS * 256] = "Name many\nSet D 33 2\nSolved\nEnd\n";
    for (unsigned m = 0; m < LAMPS; m++) {
        char *at = text + strlen(text);
        at += sprintf(at, "Move M%02u\nD\n", m);
        for (unsigned i = 0; i < 2 * LAMPS; i++) { // pieces, then orientations
            at += sprintf(at, i == LAMPS - 1 ? "%u\n" : "%u ", i < LAMPS ? i + 1 : i - LAMPS == m);
        }
        sprintf(at, "\nEnd\n");
    }
    struct section section = {.name = "states",
                              .bits = 4,
                              .largest = LARGEST,
                              .entries = UINT64_C(1) << LAMPS,
                              .histogram = (uint64_t[LARGEST + 1]){0}};
    struct header header = {.major = FORMAT_MAJOR,
                            .block_log2 = BLOCK_LOG2_MOST,
                            .definition = text,
                            .definition_length = (uint32_t)strlen(text),
                            .section_count = 1,
                            .sections = &section,
                            .block_count = BLOCKS,
                            .blocks = calloc(BLOCKS, sizeof *header.blocks)};
    z_stream encoder;
    cr_assert(encoder_open(&encoder, STRATEGY_MOST_REPEATS));
    size_t packed;
    size_t packed_last;
    uint8_t *block = block_encode(&encoder, raw, SIZE, &packed);
    memset(raw, 0x77, SIZE);
    uint8_t *last = block_encode(&encoder, raw, SIZE, &packed_last);
    header.length = header_length(&header);
    size_t length = (size_t)header.length + (BLOCKS - 1) * packed + packed_last;
    uint8_t *bytes = malloc(length);
    for (uint64_t b = 0; b < BLOCKS; b++) {
        const uint8_t *from = b + 1 < BLOCKS ? block : last;
        size_t size = b + 1 < BLOCKS ? packed : packed_last;
        header.blocks[b] =
            (struct block){header.length + b * packed, (uint32_t)size, format_hash(from, size)};
        memcpy(bytes + header.blocks[b].offset, from, size);
    }
    header_encode(&header, bytes);
    struct fewest_error error;
    struct fewest *table = fewest_open_buffer(bytes, length, &error);
    cr_assert(table, "%s", error.text);
    if (!fewest_set_options(table, &(struct fewest_options){.cache = UINT64_MAX}, &error)) {
        cr_assert_eq(error.status, FEWEST_SYSTEM);
    }
    // Both distances are forged: those of the first index and of the last.
    cr_assert_eq(support_steps(table, "000000000000000000000000000000000"), 0);
    cr_assert_eq(support_steps(table, "111111111111111111111111111111111"), 7);
    cr_assert_eq(support_steps(table, "101111111111111111111111111111111"), 0);
    fewest_close(table);
    deflateEnd(&encoder);
    free(header.blocks);
    free(block);
    free(last);
    free(bytes);
}

// A later minor version may add fields, but not any number of bytes.
Test(corpus, a_minor_version_to_come_may_not_claim_a_header_of_any_length)
{
    enum { LENGTH_AT = 16, MINOR_AT = 10, MUCH = 1 << 20 };
    struct generated game = support_generate_game();
    struct fewest_error error;
    uint8_t *bytes = calloc(1, game.length + MUCH);
    uint64_t length = htole64(game.length); // as if the header went on to the end of the last block
    memcpy(bytes, game.bytes, game.length);
    bytes[MINOR_AT] = 1;
    memcpy(bytes + LENGTH_AT, &length, 8);
    cr_assert_not(fewest_open_buffer(bytes, game.length + MUCH, &error));
    cr_assert(strstr(error.text, "but its contents need"), "%s", error.text);
    free(bytes);
    free(game.bytes);
}

// A thread changes the bytes while they are checked. It writes two lengths of the header in turn:
// the true one, and 2^31 below 0. With the second, the blocks would begin outside the file and wrap
// round into it. The checksum is that of the second.
struct race {
    uint8_t *field;
    uint64_t values[2];
    _Atomic bool over;
};

static void *write_again_and_again(void *argument)
{
    struct race *race = argument;
    for (unsigned i = 0; !race->over; i++) {
        memcpy(race->field, &race->values[i % 2], 8);
        atomic_thread_fence(memory_order_seq_cst);
    }
    return NULL;
}

Test(corpus, a_header_that_changes_while_it_is_read_does_no_harm)
{
    enum { LENGTH_AT = 16, BLOCK = 20, TRIES = 20000 };
    static const char TEXT[] = "Name swap\nSet X 2 1\nSolved\nEnd\nMove S\nX\n2 1\nEnd\n";
    struct generated swap = support_generate(TEXT, sizeof TEXT - 1, METRIC_POWERS);
    struct header header;
    struct fewest_error error;
    cr_assert(support_decode(&header, swap.bytes, swap.length, &error));
    uint64_t below = UINT64_C(0) - (UINT64_C(1) << 31);
    uint8_t *index = swap.bytes + header.length - 8 - header.block_count * BLOCK;
    uint64_t second = below + header.blocks[0].length;
    uint32_t rest = (uint32_t)(swap.length - second);
    struct race race = {swap.bytes + LENGTH_AT, {htole64(header.length), htole64(below)}, false};
    memcpy(index, &race.values[1], 8);
    memcpy(index + BLOCK, &(uint64_t){htole64(second)}, 8);
    memcpy(index + BLOCK + 8, &(uint32_t){htole32(rest)}, 4);
    memcpy(race.field, &race.values[1], 8);
    uint64_t hash = htole64(format_hash(swap.bytes, header.length - 8));
    memcpy(swap.bytes + header.length - 8, &hash, 8);
    pthread_t writer;
    cr_assert_eq(pthread_create(&writer, NULL, write_again_and_again, &race), 0);
    for (unsigned i = 0; i < TRIES; i++) {
        cr_assert_not(fewest_open_buffer(swap.bytes, swap.length, &error));
    }
    race.over = true;
    pthread_join(writer, NULL);
    header_free(&header);
    free(swap.bytes);
}
