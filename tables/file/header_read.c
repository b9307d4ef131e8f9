// Reads the header of a table file, field by field, and checks each field. FORMAT.md has the
// offsets.
#include "format.h"

#include <assert.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

enum {
    START_ENCODED = sizeof FORMAT_MAGIC + 2 + 2 + 4 + 8,      // what read_start reads
    SECTION_ENCODED = SECTION_NAME_SIZE + 4 + 8 + 8,          // without the histogram
    SECTION_LONGEST = SECTION_ENCODED + 8 * (UINT8_MAX + 1) + // with 256 distances
                      1 + 2 + SYMMETRIES_MOST * WILDCARD_CELLS_MOST,
    COUNTS_ENCODED = 1 + 1 + 2 + SECTIONS_MOST * SECTION_LONGEST + 4, // read_counts, at most
    BLOCK_ENCODED = 8 + 4 + 8,
};

// ---- Fields -------------------------------------------------------------------------------------

struct reader {
    const uint8_t *bytes;
    uint64_t length;            // bytes that may be read
    uint64_t at;                // the next byte; never above `length`
    struct fewest_error *error; // the first failure
    bool failed;
};

// Returns the next `width` bytes, and goes past them. Returns NULL after an error: if there are
// fewer bytes left, or if an earlier field failed.
static inline const uint8_t *take_bytes(struct reader *reader, uint64_t width)
{
    if (reader->failed || width > reader->length - reader->at) {
        if (!reader->failed) {
            error_write(reader->error, FEWEST_DAMAGED, "the header is cut short" TABLE_AGAIN);
        }
        reader->failed = true;
        return NULL;
    }
    reader->at += width;
    return reader->bytes + reader->at - width;
}

// Reads bytes, which stay as they are after an error.
static void read_bytes(struct reader *reader, void *bytes, uint64_t width)
{
    const uint8_t *input = take_bytes(reader, width);
    if (input) {
        memcpy(bytes, input, width);
    }
}

// Returns a little-endian number of `width` bytes, at most 8, or 0 after an error.
static inline uint64_t read_number(struct reader *reader, unsigned width)
{
    uint64_t number = 0;
    const uint8_t *input = take_bytes(reader, width);
    if (input) {
        memcpy(&number, input, width);
    }
    return le64toh(number);
}

// Fails, with an error, unless a field can have its value (`can_be`). `what` names the field.
// Returns false if this or an earlier field failed.
static bool require(struct reader *reader, bool can_be, const char *what, uint64_t value)
{
    if (!can_be && !reader->failed) {
        error_write(reader->error, FEWEST_DAMAGED, "the header is damaged: %s is %llu" TABLE_AGAIN,
                    what, (unsigned long long)value);
        reader->failed = true;
    }
    return !reader->failed;
}

// Allocates an array for `count` entries that will be read, and one more: `size` bytes each, all
// zero. header_free frees it. An entry takes at least `encoded_size` bytes of the input. Fails if
// fewer bytes are left than the entries take, so a damaged count can't take much memory.
static bool allocate_entries(struct reader *reader, void **array, uint64_t count, uint64_t size,
                             uint64_t encoded_size)
{
    if (!require(reader, count <= (reader->length - reader->at) / encoded_size,
                 "a number of entries", count)) {
        return false;
    }
    *array = calloc(count + 1, size);
    if (!*array) {
        reader->failed = true;
        return error_no_memory(reader->error, "for the table's header");
    }
    return true;
}

// ---- Sections -----------------------------------------------------------------------------------

// Reads the number of entries at each distance. They add up to at most the section's entries.
static void read_histogram(struct reader *reader, struct section *section)
{
    uint64_t entries_left = section->entries;
    if (!allocate_entries(reader, (void **)&section->histogram, section->largest + 1,
                          sizeof *section->histogram, sizeof *section->histogram)) {
        return;
    }
    for (unsigned d = 0; d <= section->largest && !reader->failed; d++) {
        uint64_t count = read_number(reader, 8);
        require(reader, count <= entries_left, "the number of states at a distance", count);
        section->histogram[d] = count;
        entries_left -= count;
    }
}

// Reads where symmetry s of a section takes each cell, and computes the inverse. Fails if it is no
// permutation, or if the first symmetry is not the identity.
static void read_symmetry(struct reader *reader, const struct section *section, unsigned s)
{
    struct symmetry *symmetry = &section->symmetries[s];
    read_bytes(reader, symmetry->to, section->cells);
    bool is_right = symmetry_invert(symmetry, section->cells) &&
                    (s > 0 || memcmp(symmetry->to, SYMMETRY_IDENTITY.to, section->cells) == 0);
    require(reader, is_right, "the number of a wrong symmetry", s);
}

static void read_symmetries(struct reader *reader, struct section *section)
{
    section->cells = (unsigned)read_number(reader, 1);
    section->symmetry_count = (unsigned)read_number(reader, 2);
    bool are_right =
        require(reader, section->cells > 0 && section->cells <= WILDCARD_CELLS_MOST,
                "the number of a target's cells", section->cells) &&
        require(reader, section->symmetry_count > 0 && section->symmetry_count <= SYMMETRIES_MOST,
                "the number of symmetries", section->symmetry_count) &&
        allocate_entries(reader, (void **)&section->symmetries, section->symmetry_count,
                         sizeof *section->symmetries, section->cells);
    for (unsigned s = 0; are_right && s < section->symmetry_count && !reader->failed; s++) {
        read_symmetry(reader, section, s);
    }
}

// Fails if a field of a section is out of its range.
static bool check_section(struct reader *reader, const struct section *section)
{
    unsigned bits = section->bits;
    return require(reader, section->kind < SECTION_KIND_COUNT, "a section's kind", section->kind) &&
           require(reader, bits == 1 || bits == 2 || bits == 4 || bits == 8,
                   "the number of bits of an entry", bits) &&
           require(reader, section->largest < entry_unreachable(bits), "the largest distance",
                   section->largest) &&
           require(reader, section->entries > 0 && section->entries <= SECTION_ENTRIES_MOST,
                   "the number of a section's entries", section->entries) &&
           require(reader, section->root < section->entries, "a section's root", section->root);
}

static void read_section(struct reader *reader, struct section *section)
{
    read_bytes(reader, section->name, SECTION_NAME_SIZE);
    section->kind = (enum section_kind)read_number(reader, 1);
    section->bits = (unsigned)read_number(reader, 1);
    section->largest = (unsigned)read_number(reader, 1);
    section->most_given = (unsigned)read_number(reader, 1);
    section->root = read_number(reader, 8);
    section->entries = read_number(reader, 8);
    if (check_section(reader, section)) {
        read_histogram(reader, section);
        if (section->kind == SECTION_WILDCARDS) {
            read_symmetries(reader, section);
        }
    }
}

static void read_sections(struct reader *reader, struct header *header)
{
    uint64_t bytes_left = SECTION_BYTES_MOST; // that further sections may have, unpacked
    header->section_count = (unsigned)read_number(reader, 2);
    bool are_right =
        require(reader, header->section_count > 0 && header->section_count <= SECTIONS_MOST,
                "the number of sections", header->section_count) &&
        allocate_entries(reader, (void **)&header->sections, header->section_count,
                         sizeof *header->sections, SECTION_ENCODED);
    for (unsigned s = 0; are_right && s < header->section_count && !reader->failed; s++) {
        read_section(reader, &header->sections[s]);
        uint64_t bytes = section_bytes(&header->sections[s]);
        require(reader, bytes <= bytes_left, "the unpacked size of a section", bytes);
        bytes_left -= bytes;
    }
}

// ---- Blocks -------------------------------------------------------------------------------------

// Returns the most bytes that a compressed block may have: what zlib needs for bytes that it can't
// compress, and a margin.
static uint64_t find_longest_packed(const struct header *header)
{
    uint64_t size = UINT64_C(1) << header->block_log2;
    return size + size / 1024 + 64;
}

// Reads where each block lies, and its hash. The blocks lie back to back: the first begins where
// the header ends, and each other one where the block before it ends.
static void read_blocks(struct reader *reader, struct header *header)
{
    uint64_t offset = header->length;
    if (!allocate_entries(reader, (void **)&header->blocks, header->block_count,
                          sizeof *header->blocks, BLOCK_ENCODED)) {
        return;
    }
    for (uint64_t b = 0; b < header->block_count && !reader->failed; b++) {
        struct block *block = &header->blocks[b];
        block->offset = read_number(reader, 8);
        block->length = (uint32_t)read_number(reader, 4);
        block->hash = read_number(reader, 8);
        require(reader, block->offset == offset && block->length > 0, "the offset of a block",
                block->offset);
        require(reader, block->length <= find_longest_packed(header), "the length of a block",
                block->length);
        offset += block->length; // below 2^32, as is the number of blocks: this can't wrap
    }
}

// ---- The header ---------------------------------------------------------------------------------

// Reads the fields that every version of the format begins with. The caller has compared the first
// bytes with FORMAT_MAGIC.
static bool read_start(struct reader *reader, struct header *header)
{
    take_bytes(reader, sizeof FORMAT_MAGIC);
    header->major = (unsigned)read_number(reader, 2);
    header->minor = (unsigned)read_number(reader, 2);
    header->incompatible = (uint32_t)read_number(reader, 4);
    header->length = read_number(reader, 8);
    return !reader->failed;
}

// Reads the fields that decide the length of the header, and computes the number of blocks.
static bool read_counts(struct reader *reader, struct header *header)
{
    header->metric = (enum metric)read_number(reader, 1);
    header->block_log2 = (unsigned)read_number(reader, 1);
    if (require(reader, header->metric < METRIC_COUNT, "the metric", header->metric) &&
        require(reader,
                header->block_log2 >= BLOCK_LOG2_LEAST && header->block_log2 <= BLOCK_LOG2_MOST,
                "the block size's logarithm", header->block_log2)) {
        read_sections(reader, header);
    }
    header->definition_length = (uint32_t)read_number(reader, 4);
    if (!require(reader, header->definition_length <= DEFINITION_LONGEST,
                 "the length of the definition", header->definition_length)) {
        return false;
    }
    header->block_count = 0;
    for (unsigned s = 0; s < header->section_count; s++) {
        header->block_count += section_blocks(header, &header->sections[s]);
    }
    return require(reader, header->block_count <= BLOCKS_MOST, "the number of blocks",
                   header->block_count);
}

// Reads the fields after those of read_counts, up to the hash.
static bool read_rest(struct reader *reader, struct header *header)
{
    if (allocate_entries(reader, (void **)&header->definition, header->definition_length, 1, 1)) {
        read_bytes(reader, header->definition, header->definition_length);
        read_blocks(reader, header);
    }
    return !reader->failed;
}

// Extends *copy, which the reader reads, to the table's first `end` bytes. These are in the
// table, and at least as many as before. The caller frees *copy, also after a failure. No byte of
// the table is read twice: another program could change it after the checksum.
static bool copy_up_to(struct reader *reader, const struct storage *table, uint64_t end,
                       uint8_t **copy)
{
    uint8_t *larger = end < SIZE_MAX ? realloc(*copy, (size_t)end + 1) : NULL;
    if (!larger) {
        return error_no_memory(reader->error, "for the table's header");
    }
    *copy = larger;
    memcpy(larger + reader->length, table->bytes + reader->length, (size_t)(end - reader->length));
    reader->bytes = larger;
    reader->length = end;
    return true;
}

// Reads the first fields, and makes the checks that come before the hash: is this a table at all,
// can we read it, is it complete? Afterwards the whole header, with its hash, lies in the file.
static bool check_start(struct reader *reader, struct header *header, uint64_t file_length)
{
    if (!format_is_table(reader->bytes, reader->length)) {
        return error_set(reader->error, FEWEST_DAMAGED,
                         "this is not a distance table; fewest-gen makes tables from definitions");
    }
    if (!read_start(reader, header)) {
        return false;
    }
    if (header->major != FORMAT_MAJOR || header->incompatible != 0) {
        return error_set(reader->error, FEWEST_DAMAGED,
                         "the table has format version %u.%u (flags %#x), and this program reads "
                         "version %d" TABLE_AGAIN,
                         header->major, header->minor, header->incompatible, FORMAT_MAJOR);
    }
    if (header->length > file_length || header->length < START_ENCODED + FORMAT_HASH_BYTES) {
        return error_set(
            reader->error, FEWEST_DAMAGED,
            "the file is cut short, or the length of its header is damaged" TABLE_AGAIN);
    }
    return true;
}

// Does the header have the length that its counts require? They end at byte `end`. This is checked
// before memory is taken for the rest, because the length field could claim the whole of a large
// file. A later minor version may have added fields before the hash.
static bool check_length(const struct header *header, uint64_t end, struct fewest_error *error)
{
    enum { LATER_FIELDS_MOST = 1 << 16 };
    uint64_t needed =
        end + header->definition_length + header->block_count * BLOCK_ENCODED + FORMAT_HASH_BYTES;
    uint64_t later_fields = header->minor > FORMAT_MINOR ? LATER_FIELDS_MOST : 0;
    if (header->length < needed || header->length - needed > later_fields) {
        return error_set(
            error, FEWEST_DAMAGED,
            "the header is damaged: its length is %llu, but its contents need %llu" TABLE_AGAIN,
            (unsigned long long)header->length, (unsigned long long)needed);
    }
    return true;
}

// Does the header end in the hash of the bytes before? The reader has the whole header, which has
// at least FORMAT_HASH_BYTES bytes.
static bool check_hash(const struct reader *reader)
{
    struct reader at_hash = {.bytes = reader->bytes,
                             .at = reader->length - FORMAT_HASH_BYTES,
                             .length = reader->length,
                             .error = reader->error};
    uint64_t stored = read_number(&at_hash, FORMAT_HASH_BYTES);
    if (stored != format_hash(reader->bytes, reader->length - FORMAT_HASH_BYTES)) {
        return error_set(reader->error, FEWEST_DAMAGED,
                         "the header is damaged: its checksum does not match" TABLE_AGAIN);
    }
    return true;
}

// Does the file end where the last block ends? There is at least one block, because each section
// has at least one entry.
static bool check_end(const struct header *header, uint64_t file_length, struct fewest_error *error)
{
    const struct block *last = &header->blocks[header->block_count - 1];
    uint64_t end = last->offset + last->length;
    if (end != file_length) {
        return error_set(error, FEWEST_DAMAGED,
                         "the file is %s: it has %llu bytes, and its header says %llu" TABLE_AGAIN,
                         end > file_length ? "cut short" : "too long",
                         (unsigned long long)file_length, (unsigned long long)end);
    }
    return true;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// Does the work of header_decode, with a copy of the header's bytes. The caller frees *copy, which
// is NULL before, and the header, also after a failure. It copies the header in three parts: what
// read_start reads, what read_counts reads at most, and the rest.
static bool decode_header(struct header *header, const struct storage *table, uint8_t **copy,
                          struct fewest_error *error)
{
    struct reader reader = {.error = error};
    if (!copy_up_to(&reader, table, smaller(START_ENCODED, table->length), copy) ||
        !check_start(&reader, header, table->length) ||
        !copy_up_to(&reader, table, smaller(START_ENCODED + COUNTS_ENCODED, header->length),
                    copy)) {
        return false;
    }
    if (!read_counts(&reader, header) || !check_length(header, reader.at, error) ||
        !copy_up_to(&reader, table, header->length, copy) || !check_hash(&reader)) {
        return false;
    }
    reader.length -= FORMAT_HASH_BYTES; // no field may reach into the hash
    return read_rest(&reader, header) && check_end(header, table->length, error);
}

bool header_decode(struct header *header, const struct storage *table, struct fewest_error *error)
{
    uint8_t *copy = NULL;
    *header = (struct header){0};
    bool decoded = decode_header(header, table, &copy, error);
    free(copy);
    if (!decoded) {
        header_free(header);
    }
    return decoded;
}

void header_free(struct header *header)
{
    for (unsigned s = 0; s < header->section_count && header->sections; s++) {
        free(header->sections[s].histogram);
        free(header->sections[s].symmetries);
    }
    free(header->definition);
    free(header->sections);
    free(header->blocks);
    *header = (struct header){0};
}
