// Tests of the file format: headers and blocks come back as written, and the example in FORMAT.md
// is the table that it describes. damage.c tests damaged tables.
#include "gen/write/encode.h"
#include "tables/file/format.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(format, a_header_comes_back_as_it_was_written)
{
    struct section sections[2] = {
        {.name = "states",
         .kind = SECTION_STATES,
         .bits = 4,
         .largest = 3,
         .root = 5,
         .entries = 1000,
         .histogram = (uint64_t[]){1, 2, 3, 4}},
        {.name = "patterns",
         .kind = SECTION_WILDCARDS,
         .bits = 2,
         .largest = 1,
         .most_given = 7,
         .entries = 77,
         .histogram = (uint64_t[]){70, 7},
         .cells = 8,
         .symmetry_count = 2,
         .symmetries = (struct symmetry[]){SYMMETRY_IDENTITY, {.to = {1, 2, 0, 3, 4, 5, 7, 6}}}},
    };
    struct block blocks[] = {{0, 10, 0x123456789ABCDEF0u}, {0, 20, 2}, {0, 30, UINT64_MAX}};
    struct header header = {.major = FORMAT_MAJOR,
                            .minor = FORMAT_MINOR,
                            .metric = METRIC_QUARTER,
                            .block_log2 = 8,
                            .definition = "Name x\n",
                            .definition_length = 7,
                            .section_count = 2,
                            .sections = sections,
                            .block_count = 3,
                            .blocks = blocks};
    struct header back;
    struct fewest_error error;
    header.length = header_length(&header);
    uint64_t length = header.length + 60;
    uint8_t *bytes = calloc(1, length);
    blocks[0].offset = header.length;
    blocks[1].offset = header.length + 10;
    blocks[2].offset = header.length + 30;
    header_encode(&header, bytes);
    cr_assert(support_decode(&back, bytes, length, &error), "%s", error.text);
    cr_assert_eq(back.metric, METRIC_QUARTER);
    cr_assert_str_eq(back.definition, "Name x\n");
    cr_assert_eq(back.block_count, 3);
    for (unsigned s = 0; s < 2; s++) {
        cr_assert_str_eq(back.sections[s].name, sections[s].name);
        cr_assert_eq(back.sections[s].kind, sections[s].kind);
        cr_assert_eq(back.sections[s].bits, sections[s].bits);
        cr_assert_eq(back.sections[s].root, sections[s].root);
        cr_assert_eq(back.sections[s].entries, sections[s].entries);
        cr_assert_eq(back.sections[s].most_given, sections[s].most_given);
        cr_assert_arr_eq(back.sections[s].histogram, sections[s].histogram,
                         (sections[s].largest + 1) * sizeof *sections[s].histogram);
        cr_assert_eq(back.sections[s].cells, sections[s].cells);
        cr_assert_eq(back.sections[s].symmetry_count, sections[s].symmetry_count);
    }
    static const uint8_t INVERSE[] = {2, 0, 1, 3, 4, 5, 7, 6};
    cr_assert_arr_eq(back.sections[1].symmetries[0].from, SYMMETRY_IDENTITY.from, 8);
    cr_assert_arr_eq(back.sections[1].symmetries[1].to, sections[1].symmetries[1].to, 8);
    cr_assert_arr_eq(back.sections[1].symmetries[1].from, INVERSE, 8);
    for (unsigned b = 0; b < 3; b++) {
        cr_assert_eq(back.blocks[b].offset, blocks[b].offset);
        cr_assert_eq(back.blocks[b].length, blocks[b].length);
        cr_assert_eq(back.blocks[b].hash, blocks[b].hash);
    }
    header_free(&back);
    free(bytes);
}

// The entries have one bit each, so that the block index takes some megabytes.
Test(format, a_header_counts_more_than_2_to_the_32_entries)
{
    static const uint64_t ENTRIES = (UINT64_C(1) << 33) + 5;
    struct section section = {.name = "states",
                              .bits = 1,
                              .root = ENTRIES - 1,
                              .entries = ENTRIES,
                              .histogram = (uint64_t[]){ENTRIES - 1}};
    struct header header = {.major = FORMAT_MAJOR,
                            .block_log2 = BLOCK_LOG2_MOST,
                            .definition = "",
                            .section_count = 1,
                            .sections = &section};
    struct header back;
    struct fewest_error error;
    header.block_count = section_blocks(&header, &section);
    cr_assert_eq(header.block_count, (1 << 16) + 1);
    cr_assert_eq(block_bytes(&header, &section, header.block_count - 1), 1);
    header.blocks = calloc(header.block_count, sizeof *header.blocks);
    header.length = header_length(&header);
    uint64_t length = header.length + header.block_count;
    uint8_t *bytes = calloc(1, length);
    for (uint64_t b = 0; b < header.block_count; b++) {
        header.blocks[b] = (struct block){.offset = header.length + b, .length = 1};
    }
    header_encode(&header, bytes);
    cr_assert(support_decode(&back, bytes, length, &error), "%s", error.text);
    cr_assert_eq(back.sections[0].entries, ENTRIES);
    cr_assert_eq(back.sections[0].root, ENTRIES - 1);
    cr_assert_eq(back.sections[0].histogram[0], ENTRIES - 1);
    cr_assert_eq(back.block_count, header.block_count);
    header_free(&back);
    // With one block less, the file is too short for the entries.
    header.block_count--;
    header.length = header_length(&header);
    for (uint64_t b = 0; b < header.block_count; b++) {
        header.blocks[b].offset = header.length + b;
    }
    header_encode(&header, bytes);
    cr_assert_not(support_decode(&back, bytes, header.length + header.block_count, &error));
    cr_assert(strstr(error.text, "but its contents need"), "%s", error.text);
    free(header.blocks);
    free(bytes);
}

// Encodes blocks of many lengths, and decodes them.
static void expect_blocks_to_come_back(enum strategy strategy)
{
    static uint8_t raw[5000];
    static uint8_t back[5000];
    z_stream encoder;
    z_stream stream = {0};
    cr_assert(encoder_open(&encoder, strategy));
    for (size_t length = 1; length <= sizeof raw; length = length * 3 + 1) {
        struct block block = {.offset = 0};
        struct fewest_error error;
        size_t encoded_length;
        for (size_t i = 0; i < length; i++) {
            raw[i] = (uint8_t)support_random_below(6);
        }
        uint8_t *encoded = block_encode(&encoder, raw, length, &encoded_length);
        block.length = (uint32_t)encoded_length;
        block.hash = format_hash(encoded, encoded_length);
        cr_assert(block_decode(&stream, &block, encoded, back, length, &error));
        cr_assert_arr_eq(back, raw, length);
        // Unpacked, the block is one byte too long.
        cr_assert_not(block_decode(&stream, &block, encoded, back, length - 1, &error));
        if (length < sizeof raw) {
            // Unpacked, the block is one byte too short.
            cr_assert_not(block_decode(&stream, &block, encoded, back, length + 1, &error));
        }
        encoded[encoded_length / 2] ^= 1;
        cr_assert_not(block_decode(&stream, &block, encoded, back, length, &error));
        cr_assert(strstr(error.text, "checksum"), "%s", error.text);
        free(encoded);
    }
    inflateEnd(&stream);
    deflateEnd(&encoder);
}

Test(format, a_block_of_any_length_comes_back_with_every_strategy)
{
    expect_blocks_to_come_back(STRATEGY_STORE);
    expect_blocks_to_come_back(STRATEGY_RUNS);
    expect_blocks_to_come_back(STRATEGY_REPEATS);
    expect_blocks_to_come_back(STRATEGY_MOST_REPEATS);
}

// Does a zlib stream begin with a deflate block that is stored (RFC 1951, 3.2.3)?
static bool is_stored(const uint8_t *stream)
{
    return (stream[2] & 6) == 0;
}

// Checks each block against FORMAT.md's rule.
static void check_blocks(const char *text, size_t length, unsigned *stored, unsigned *compressed)
{
    enum { WHOLE = 1 << BLOCK_LOG2_DEFAULT };
    struct header header;
    struct fewest_error error;
    struct generated table = support_generate(text, length, METRIC_POWERS);
    cr_assert(support_decode(&header, table.bytes, table.length, &error), "%s", error.text);
    const struct block *block = header.blocks;
    *stored = *compressed = 0;
    for (unsigned s = 0; s < header.section_count; s++) {
        const struct section *section = &header.sections[s];
        for (uint64_t b = 0; b < section_blocks(&header, section); b++, block++) {
            bool whole = block_bytes(&header, section, b) == WHOLE;
            bool is_uncompressed = is_stored(table.bytes + block->offset);
            cr_expect(is_uncompressed ? whole && block->length > WHOLE
                                      : !whole || block->length <= WHOLE / 2,
                      "%s: block %u", section->name, (unsigned)b);
            *(is_uncompressed ? stored : compressed) += 1;
        }
    }
    header_free(&header);
    free(table.bytes);
}

Test(format, whole_blocks_that_zlib_does_not_halve_stay_uncompressed)
{
    // Both have blocks of both kinds.
    static const char *const FILES[] = {"tables/puzzles/seven.puzzle",
                                        "tables/puzzles/fifteen.puzzle"};
    for (size_t f = 0; f < sizeof FILES / sizeof *FILES; f++) {
        size_t length;
        unsigned stored;
        unsigned compressed;
        char *text = support_read(FILES[f], &length);
        check_blocks(text, length, &stored, &compressed);
        cr_expect(stored > 0 && compressed > 0, "%u stored, %u compressed", stored, compressed);
        free(text);
    }
}

// Collects the bytes of FORMAT.md's hex dump: lines of an eight-digit offset, a colon and bytes.
static size_t read_dump(uint8_t *bytes, size_t room)
{
    size_t count = 0;
    char *text = support_read("tables/FORMAT.md", NULL);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *colon = strchr(line, ':');
        if (colon != line + 8 || strspn(line, "0123456789abcdef") != 8) {
            continue;
        }
        cr_assert_eq(strtoul(line, NULL, 16), count, "the offsets of the dump run on");
        char *at = colon + 1;
        while (*at == ' ' && at[1] != ' ' && at[1] != '\0') {
            cr_assert_lt(count, room);
            bytes[count++] = (uint8_t)strtoul(at, &at, 16);
        }
    }
    free(text);
    return count;
}

Test(format, the_example_of_the_format_page_is_the_table_that_it_says)
{
    uint8_t bytes[2048];
    size_t length = read_dump(bytes, sizeof bytes);
    struct fewest_error error;
    struct fewest *table = fewest_open_buffer(bytes, length, &error);
    cr_assert(table, "%s", error.text);
    cr_assert_str_eq(fewest_info(table)->name, "swap");
    cr_assert_eq(fewest_info(table)->cell_count, 2);
    cr_assert_eq(support_steps(table, "12"), 0);
    cr_assert_eq(support_steps(table, "21"), 1);
    cr_assert_eq(support_steps(table, "12 *1"), 1);
    cr_assert_eq(support_steps(table, "12 **"), 0);
    fewest_close(table);
}
