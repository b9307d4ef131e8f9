#include "pack.h"

#include "parallel.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { UNREACHABLE = UINT8_MAX };

struct packer {
    struct table_content *content;
    struct header header;
    uint8_t **encoded; // by block
    _Atomic bool out_of_memory;
    // The section at hand:
    const struct section *section;
    const uint8_t *distances;
    uint64_t first_block;
};

static void count_distances(struct section *section, const uint8_t *distances)
{
    uint64_t counts[UNREACHABLE + 1] = {0};
    for (uint64_t i = 0; i < section->entries; i++) {
        counts[distances[i]]++;
    }
    section->largest = 0;
    for (unsigned d = 0; d < UNREACHABLE; d++) {
        section->histogram[d] = counts[d];
        section->largest = counts[d] > 0 ? d : section->largest;
    }
    section->bits = entry_bits(section->largest);
}

static void fill_block(const struct packer *packer, uint64_t block_of_section, uint8_t *raw, size_t length)
{
    unsigned bits = packer->section->bits;
    unsigned per_byte = 8 / bits;
    uint64_t first = (block_of_section << packer->header.block_log2) * per_byte;
    memset(raw, 0, length);
    for (uint64_t i = 0; i < (uint64_t)length * per_byte && first + i < packer->section->entries; i++) {
        unsigned distance = packer->distances[first + i];
        unsigned entry = distance == UNREACHABLE ? entry_unreachable(bits) : distance;
        raw[i / per_byte] |= (uint8_t)(entry << (i % per_byte * bits));
    }
}

static bool pack_block(const struct packer *packer, uint64_t block_of_section, uint8_t *raw)
{
    uint64_t number = packer->first_block + block_of_section;
    size_t length = block_bytes(&packer->header, packer->section, block_of_section);
    size_t encoded_length = 0;
    fill_block(packer, block_of_section, raw, length);
    packer->encoded[number] = block_encode(raw, length, &encoded_length);
    if (!packer->encoded[number]) {
        return false;
    }
    packer->header.blocks[number].length = (uint32_t)encoded_length;
    packer->header.blocks[number].hash = format_hash(packer->encoded[number], encoded_length);
    return true;
}

static void pack_part(void *context, uint64_t begin, uint64_t end)
{
    struct packer *packer = context;
    uint8_t *raw = malloc((size_t)1 << packer->header.block_log2);
    bool packed = raw;
    for (uint64_t b = begin; b < end && packed; b++) {
        packed = pack_block(packer, b, raw);
    }
    if (!packed) {
        packer->out_of_memory = true;
    }
    free(raw);
}

static bool pack_sections(struct packer *packer, unsigned threads)
{
    struct table_content *content = packer->content;
    struct header *header = &packer->header;
    for (unsigned s = 0; s < content->section_count; s++) {
        count_distances(&content->sections[s], content->distances[s]);
        header->block_count += section_blocks(header, &content->sections[s]);
    }
    assert(header->block_count > 0);
    header->blocks = calloc(header->block_count, sizeof *header->blocks);
    packer->encoded = calloc(header->block_count, sizeof *packer->encoded);
    if (!header->blocks || !packer->encoded) {
        return false;
    }
    for (unsigned s = 0; s < content->section_count; s++) {
        packer->section = &content->sections[s];
        packer->distances = content->distances[s];
        uint64_t blocks = section_blocks(header, packer->section);
        parallel_for(threads, blocks, 1, pack_part, packer);
        packer->first_block += blocks;
    }
    return !packer->out_of_memory;
}

static uint8_t *assemble(struct packer *packer, size_t *length)
{
    struct header *header = &packer->header;
    header->length = header_length(header);
    uint64_t at = header->length;
    for (uint64_t b = 0; b < header->block_count; b++) {
        header->blocks[b].offset = at;
        at += header->blocks[b].length;
    }
    uint8_t *bytes = malloc(at);
    if (!bytes) {
        return NULL;
    }
    header_encode(header, bytes);
    for (uint64_t b = 0; b < header->block_count; b++) {
        memcpy(bytes + header->blocks[b].offset, packer->encoded[b], header->blocks[b].length);
    }
    *length = at;
    return bytes;
}

uint8_t *pack_table(struct table_content *content, unsigned threads, size_t *length)
{
    struct packer packer = {
        .content = content,
        .header = {.major = FORMAT_MAJOR,
                   .minor = FORMAT_MINOR,
                   .metric = content->metric,
                   .block_log2 = BLOCK_LOG2_DEFAULT,
                   .definition = (char *)(uintptr_t)content->definition, // only read
                   .definition_length = (uint32_t)content->definition_length,
                   .section_count = content->section_count,
                   .sections = content->sections},
    };
    uint8_t *bytes = pack_sections(&packer, threads) ? assemble(&packer, length) : NULL;
    for (uint64_t b = 0; b < packer.header.block_count && packer.encoded; b++) {
        free(packer.encoded[b]);
    }
    free(packer.encoded);
    free(packer.header.blocks);
    return bytes;
}
