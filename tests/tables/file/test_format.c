// Tests of the file format: blocks come back as written, and the example in FORMAT.md is the table
// that it describes. test_sections.c and damage.c test damaged tables.
#include "gen/write/encode.h"
#include "tables/file/format.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

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
