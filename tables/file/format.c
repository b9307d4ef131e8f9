// The sizes of sections and blocks, and checksums.
#include "format.h"

#include <assert.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t format_hash(const void *bytes, size_t length)
{
    return XXH3_64bits(bytes, length);
}

bool format_is_table(const uint8_t *bytes, uint64_t length)
{
    return length >= sizeof FORMAT_MAGIC && memcmp(bytes, FORMAT_MAGIC, sizeof FORMAT_MAGIC) == 0;
}

bool format_has_suffix(const char *path)
{
    size_t length = strlen(path);
    size_t suffix = strlen(FORMAT_SUFFIX);
    return length > suffix && strcmp(path + length - suffix, FORMAT_SUFFIX) == 0;
}

unsigned entry_bits(unsigned largest)
{
    unsigned bits = 1;
    while (entry_unreachable(bits) <= largest) { // that value is taken
        bits *= 2;
    }
    assert(bits <= 8);
    return bits;
}

uint64_t section_count_reachable(const struct section *section)
{
    uint64_t count = 0;
    for (unsigned d = 0; d <= section->largest; d++) {
        count += section->histogram[d];
    }
    return count;
}

uint64_t section_bytes(const struct section *section)
{
    return (section->entries * section->bits + 7) / 8;
}

uint64_t section_blocks(const struct header *header, const struct section *section)
{
    uint64_t size = UINT64_C(1) << header->block_log2;
    return (section_bytes(section) + size - 1) >> header->block_log2;
}

size_t block_bytes(const struct header *header, const struct section *section,
                   uint64_t block_of_section)
{
    uint64_t begin = block_of_section << header->block_log2;
    uint64_t rest = section_bytes(section) - begin;
    uint64_t size = UINT64_C(1) << header->block_log2;
    return (size_t)(rest < size ? rest : size);
}
