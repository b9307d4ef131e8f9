// Writes the header of a table file, field by field, or only measures it.
#include "format.h"

#include <assert.h>
#include <endian.h>
#include <string.h>

struct writer {
    uint8_t *bytes; // NULL: only `at` counts
    uint64_t at;    // the next byte
};

static void write_bytes(struct writer *writer, const void *bytes, size_t width)
{
    if (writer->bytes) {
        memcpy(writer->bytes + writer->at, bytes, width);
    }
    writer->at += width;
}

// Writes a little-endian number of `width` bytes, at most 8.
static void write_number(struct writer *writer, unsigned width, uint64_t value)
{
    uint64_t number = htole64(value); // the lowest `width` bytes come first
    write_bytes(writer, &number, width);
}

static void write_section(struct writer *writer, const struct section *section)
{
    write_bytes(writer, section->name, SECTION_NAME_SIZE);
    write_number(writer, 1, section->kind);
    write_number(writer, 1, section->bits);
    write_number(writer, 1, section->largest);
    write_number(writer, 1, section->most_given);
    write_number(writer, 8, section->root);
    write_number(writer, 8, section->entries);
    for (unsigned d = 0; d <= section->largest; d++) {
        write_number(writer, 8, section->histogram[d]);
    }
    if (section->kind == SECTION_WILDCARDS) {
        write_number(writer, 1, section->cells);
        write_number(writer, 2, section->symmetry_count);
        for (unsigned s = 0; s < section->symmetry_count; s++) {
            write_bytes(writer, section->symmetries[s].to, section->cells);
        }
    }
}

static void write_blocks(struct writer *writer, const struct header *header)
{
    for (uint64_t b = 0; b < header->block_count; b++) {
        const struct block *block = &header->blocks[b];
        write_number(writer, 8, block->offset);
        write_number(writer, 4, block->length);
        write_number(writer, 8, block->hash);
    }
}

// Writes all fields but the hash.
static void write_header(struct writer *writer, const struct header *header)
{
    write_bytes(writer, FORMAT_MAGIC, sizeof FORMAT_MAGIC);
    write_number(writer, 2, header->major);
    write_number(writer, 2, header->minor);
    write_number(writer, 4, header->incompatible);
    write_number(writer, 8, header->length);
    write_number(writer, 1, header->metric);
    write_number(writer, 1, header->block_log2);
    write_number(writer, 2, header->section_count);
    for (unsigned s = 0; s < header->section_count; s++) {
        write_section(writer, &header->sections[s]);
    }
    write_number(writer, 4, header->definition_length);
    write_bytes(writer, header->definition, header->definition_length);
    write_blocks(writer, header);
}

uint64_t header_length(const struct header *header)
{
    struct writer writer = {.bytes = NULL};
    write_header(&writer, header);
    return writer.at + FORMAT_HASH_BYTES;
}

void header_encode(const struct header *header, uint8_t *bytes)
{
    struct writer writer = {.bytes = bytes};
    write_header(&writer, header);
    write_number(&writer, FORMAT_HASH_BYTES, format_hash(bytes, writer.at));
    assert(writer.at == header->length);
}
