// Encodes and decodes the header and the blocks of a table file.
#include "format.h"

#include <assert.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zlib.h>

// Like PNG's: the first byte is not ASCII, CR LF reveals a transfer that changed line ends, and
// MS-DOS stops printing the file at 0x1A.
static const uint8_t MAGIC[8] = {0x89, 'D', 'T', 'A', 'B', '\r', '\n', 0x1A};

enum {
    START_ENCODED = sizeof MAGIC + 2 + 2 + 4 + 8,             // what layout_start reads
    SECTION_ENCODED = SECTION_NAME_SIZE + 4 + 8 + 8,          // without the histogram
    SECTION_LONGEST = SECTION_ENCODED + 8 * (UINT8_MAX + 1) + // with 256 distances
                      1 + 2 + SYMMETRIES_MOST * WILDCARD_CELLS_MOST,
    COUNTS_ENCODED = 1 + 1 + 2 + SECTIONS_MOST * SECTION_LONGEST + 4, // layout_counts, at most
    BLOCK_ENCODED = 8 + 4 + 8,
    HASH_BYTES = 8,
};

uint64_t format_hash(const void *bytes, size_t length)
{
    return XXH3_64bits(bytes, length);
}

// ---- Sizes --------------------------------------------------------------------------------------

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

// ---- The fields of the header -------------------------------------------------------------------

// Goes through the fields of the header: decodes them from `read`, encodes them to `write` or, if
// both are NULL, only measures them. Each function layout_… does this for some fields, in the order
// of the file.
struct codec {
    uint8_t *write;
    const uint8_t *read;
    uint64_t length; // bytes at `read`
    uint64_t at;     // offset of the next byte in the header; never above `length` when reading
    struct fewest_error *error; // the first failure; reading only
    bool failed;
};

// Returns the next `width` bytes of the input, and goes past them. Returns NULL after an error: if
// there are fewer bytes left, or if an earlier field failed.
static inline const uint8_t *take_bytes(struct codec *codec, uint64_t width)
{
    if (codec->failed || width > codec->length - codec->at) {
        if (!codec->failed) {
            error_write(codec->error, FEWEST_DAMAGED, "the header is cut short" TABLE_AGAIN);
        }
        codec->failed = true;
        return NULL;
    }
    codec->at += width;
    return codec->read + codec->at - width;
}

// Lays out a field of `width` bytes. Reads them to `bytes`, which stay as they are after an error,
// or writes them from there.
static void layout_bytes(struct codec *codec, void *bytes, uint64_t width)
{
    if (codec->read) {
        const uint8_t *input = take_bytes(codec, width);
        if (input) {
            memcpy(bytes, input, width);
        }
        return;
    }
    if (codec->write) {
        memcpy(codec->write + codec->at, bytes, width);
    }
    codec->at += width;
}

// Lays out a little-endian number of `width` bytes, at most 8. When it writes or measures, it
// returns `value`. When it reads, it returns the number that was read, or 0 after an error.
static inline uint64_t layout_number(struct codec *codec, unsigned width, uint64_t value)
{
    if (!codec->read) {
        uint64_t written = htole64(value); // the lowest `width` bytes come first
        layout_bytes(codec, &written, width);
        return value;
    }
    uint64_t number = 0;
    const uint8_t *input = take_bytes(codec, width);
    if (input) {
        memcpy(&number, input, width);
    }
    return le64toh(number);
}

// Fails, unless an earlier field did. `what` names the field with this value. Returns false.
static bool report_damage(struct codec *codec, const char *what, uint64_t value)
{
    if (!codec->failed) {
        error_write(codec->error, FEWEST_DAMAGED, "the header is damaged: %s is %llu" TABLE_AGAIN,
                    what, (unsigned long long)value);
    }
    codec->failed = true;
    return false;
}

// When reading, fails unless a field has a value that it can have.
static void require(struct codec *codec, bool can_be, const char *what, uint64_t value)
{
    if (codec->read && !can_be) {
        report_damage(codec, what, value);
    }
}

// Allocates an array for `count` entries that will be read, and one more: `size` bytes each, all
// zero. header_free frees it. An entry takes at least `encoded_size` bytes of the input. Fails if
// that many are not left, so a damaged count can't take much memory.
static bool allocate_entries(struct codec *codec, void **array, uint64_t count, uint64_t size,
                             uint64_t encoded_size)
{
    if (count > (codec->length - codec->at) / encoded_size) {
        return report_damage(codec, "a number of entries", count);
    }
    *array = calloc(count + 1, size);
    if (!*array) {
        codec->failed = true;
        return error_no_memory(codec->error, "for the table's header");
    }
    return true;
}

// Lays out the number of entries at each distance. They add up to at most the section's entries.
static void layout_histogram(struct codec *codec, struct section *section)
{
    uint64_t entries_left = section->entries;
    if (codec->read && !allocate_entries(codec, (void **)&section->histogram, section->largest + 1,
                                         sizeof *section->histogram, sizeof *section->histogram)) {
        return;
    }
    for (unsigned d = 0; d <= section->largest && !codec->failed; d++) {
        uint64_t count = layout_number(codec, 8, section->histogram[d]);
        require(codec, count <= entries_left, "the number of states at a distance", count);
        if (codec->read) {
            section->histogram[d] = count;
        }
        entries_left -= count;
    }
}

// Lays out where symmetry s of a section takes each cell. When reading, computes its inverse, and
// fails if it is no permutation, or if the first symmetry is not the identity.
static void layout_symmetry(struct codec *codec, const struct section *section, unsigned s)
{
    struct symmetry *symmetry = &section->symmetries[s];
    layout_bytes(codec, symmetry->to, section->cells);
    if (codec->read && !codec->failed &&
        (!symmetry_invert(symmetry, section->cells) ||
         (s == 0 && memcmp(symmetry->to, SYMMETRY_IDENTITY.to, section->cells) != 0))) {
        report_damage(codec, "the number of a wrong symmetry", s);
    }
}

static void layout_symmetries(struct codec *codec, struct section *section)
{
    section->cells = (unsigned)layout_number(codec, 1, section->cells);
    section->symmetry_count = (unsigned)layout_number(codec, 2, section->symmetry_count);
    if (codec->read && (section->cells == 0 || section->cells > WILDCARD_CELLS_MOST)) {
        report_damage(codec, "the number of a target's cells", section->cells);
    } else if (codec->read &&
               (section->symmetry_count == 0 || section->symmetry_count > SYMMETRIES_MOST)) {
        report_damage(codec, "the number of symmetries", section->symmetry_count);
    } else if (codec->read) {
        allocate_entries(codec, (void **)&section->symmetries, section->symmetry_count,
                         sizeof *section->symmetries, section->cells);
    }
    for (unsigned s = 0; s < section->symmetry_count && !codec->failed; s++) {
        layout_symmetry(codec, section, s);
    }
}

// Fails if a field of a section that was read is out of its range.
static void check_section(struct codec *codec, const struct section *section)
{
    if (section->kind >= SECTION_KIND_COUNT) {
        report_damage(codec, "a section's kind", section->kind);
    } else if (section->bits != 1 && section->bits != 2 && section->bits != 4 &&
               section->bits != 8) {
        report_damage(codec, "the number of bits of an entry", section->bits);
    } else if (section->largest >= entry_unreachable(section->bits)) {
        report_damage(codec, "the largest distance", section->largest);
    } else if (section->entries == 0 || section->entries > SECTION_ENTRIES_MOST) {
        report_damage(codec, "the number of a section's entries", section->entries);
    } else if (section->root >= section->entries) {
        report_damage(codec, "a section's root", section->root);
    }
}

static void layout_section(struct codec *codec, struct section *section)
{
    layout_bytes(codec, section->name, SECTION_NAME_SIZE);
    section->kind = (enum section_kind)layout_number(codec, 1, section->kind);
    section->bits = (unsigned)layout_number(codec, 1, section->bits);
    section->largest = (unsigned)layout_number(codec, 1, section->largest);
    section->most_given = (unsigned)layout_number(codec, 1, section->most_given);
    section->root = layout_number(codec, 8, section->root);
    section->entries = layout_number(codec, 8, section->entries);
    if (codec->read) {
        check_section(codec, section);
    }
    if (!codec->failed) {
        layout_histogram(codec, section);
    }
    if (!codec->failed && section->kind == SECTION_WILDCARDS) {
        layout_symmetries(codec, section);
    }
}

static void layout_sections(struct codec *codec, struct header *header)
{
    header->section_count = (unsigned)layout_number(codec, 2, header->section_count);
    if (codec->read) {
        if (header->section_count == 0 || header->section_count > SECTIONS_MOST) {
            report_damage(codec, "the number of sections", header->section_count);
            return;
        }
        if (!allocate_entries(codec, (void **)&header->sections, header->section_count,
                              sizeof *header->sections, SECTION_ENCODED)) {
            return;
        }
    }
    assert(header->sections);
    uint64_t bytes_left = SECTION_BYTES_MOST;
    for (unsigned s = 0; s < header->section_count && !codec->failed; s++) {
        layout_section(codec, &header->sections[s]);
        uint64_t bytes = section_bytes(&header->sections[s]);
        if (codec->read && !codec->failed && bytes > bytes_left) {
            report_damage(codec, "the unpacked size of a section", bytes);
        }
        bytes_left -= bytes;
    }
}

// Returns the most bytes that a compressed block may have: what zlib needs for bytes that it can't
// compress, and a margin.
static uint64_t find_longest_packed(const struct header *header)
{
    uint64_t size = UINT64_C(1) << header->block_log2;
    return size + size / 1024 + 64;
}

// Lays out where each block lies, and its hash. When reading, checks that the blocks lie back to
// back: the first begins where the header ends, and each other one where the block before it ends.
static void layout_blocks(struct codec *codec, struct header *header)
{
    if (codec->read && !allocate_entries(codec, (void **)&header->blocks, header->block_count,
                                         sizeof *header->blocks, BLOCK_ENCODED)) {
        return;
    }
    uint64_t offset = header->length;
    for (uint64_t b = 0; b < header->block_count && !codec->failed; b++) {
        struct block *block = &header->blocks[b];
        block->offset = layout_number(codec, 8, block->offset);
        block->length = (uint32_t)layout_number(codec, 4, block->length);
        block->hash = layout_number(codec, 8, block->hash);
        require(codec, block->offset == offset && block->length > 0, "the offset of a block",
                block->offset);
        if (codec->read && block->length > find_longest_packed(header)) {
            report_damage(codec, "the length of a block", block->length);
        }
        offset += block->length; // below 2^32, as is the number of blocks: this can't wrap
    }
}

// Lays out the fields that every version of the format begins with. When reading, the caller has
// compared the first bytes with MAGIC.
static void layout_start(struct codec *codec, struct header *header)
{
    uint8_t magic[sizeof MAGIC];
    memcpy(magic, MAGIC, sizeof magic);
    layout_bytes(codec, magic, sizeof magic);
    header->major = (unsigned)layout_number(codec, 2, header->major);
    header->minor = (unsigned)layout_number(codec, 2, header->minor);
    header->incompatible = (uint32_t)layout_number(codec, 4, header->incompatible);
    header->length = layout_number(codec, 8, header->length);
}

// Lays out the fields that decide the length of the header. When reading, computes the number of
// blocks from them.
static void layout_counts(struct codec *codec, struct header *header)
{
    header->metric = (enum metric)layout_number(codec, 1, header->metric);
    header->block_log2 = (unsigned)layout_number(codec, 1, header->block_log2);
    require(codec, header->metric < METRIC_COUNT, "the metric", header->metric);
    require(codec, header->block_log2 >= BLOCK_LOG2_LEAST && header->block_log2 <= BLOCK_LOG2_MOST,
            "the block size's logarithm", header->block_log2);
    if (!codec->failed) {
        layout_sections(codec, header);
    }
    header->definition_length = (uint32_t)layout_number(codec, 4, header->definition_length);
    require(codec, header->definition_length <= DEFINITION_LONGEST, "the length of the definition",
            header->definition_length);
    if (codec->read && !codec->failed) {
        assert(header->sections);
        header->block_count = 0;
        for (unsigned s = 0; s < header->section_count; s++) {
            header->block_count += section_blocks(header, &header->sections[s]);
        }
        require(codec, header->block_count <= BLOCKS_MOST, "the number of blocks",
                header->block_count);
    }
}

// Lays out the fields after those of layout_counts, up to the hash.
static void layout_rest(struct codec *codec, struct header *header)
{
    if (codec->read &&
        !allocate_entries(codec, (void **)&header->definition, header->definition_length, 1, 1)) {
        return;
    }
    layout_bytes(codec, header->definition, header->definition_length);
    if (!codec->failed) {
        layout_blocks(codec, header);
    }
}

static void layout_header(struct codec *codec, struct header *header)
{
    layout_start(codec, header);
    layout_counts(codec, header);
    layout_rest(codec, header);
}

// ---- The header ---------------------------------------------------------------------------------

uint64_t header_length(const struct header *header)
{
    struct codec codec = {.read = NULL, .write = NULL}; // only measures
    struct header copy = *header; // a codec takes a header that it may change, and changes nothing
    layout_header(&codec, &copy);
    return codec.at + HASH_BYTES; // NOLINT(clang-analyzer-unix.Malloc): only reading allocates
}

void header_encode(const struct header *header, uint8_t *bytes)
{
    struct codec codec = {.write = bytes};
    struct header copy = *header; // as above
    layout_header(&codec, &copy);
    layout_number(&codec, HASH_BYTES,
                  format_hash(bytes, codec.at)); // NOLINT(clang-analyzer-unix.Malloc): as above
    assert(codec.at == header->length);
}

bool format_has_suffix(const char *path)
{
    size_t length = strlen(path);
    size_t suffix = strlen(FORMAT_SUFFIX);
    return length > suffix && strcmp(path + length - suffix, FORMAT_SUFFIX) == 0;
}

bool format_is_table(const uint8_t *bytes, uint64_t length)
{
    return length >= sizeof MAGIC && memcmp(bytes, MAGIC, sizeof MAGIC) == 0;
}

// Extends *copy, from which the codec decodes, to the table's first `end` bytes. These are in the
// table, and at least as many as before. The caller frees *copy, also after a failure. No byte of
// the table is read twice: another program could change it after the checksum.
static bool copy_up_to(struct codec *codec, const struct storage *table, uint64_t end,
                       uint8_t **copy)
{
    uint8_t *larger = end < SIZE_MAX ? realloc(*copy, (size_t)end + 1) : NULL;
    if (!larger) {
        return error_no_memory(codec->error, "for the table's header");
    }
    *copy = larger;
    memcpy(larger + codec->length, table->bytes + codec->length, (size_t)(end - codec->length));
    codec->read = larger;
    codec->length = end;
    return true;
}

// Reads the first fields, and makes the checks that come before the hash: is this a table at all,
// can we read it, is it complete? Afterwards the whole header, with its hash, lies in the file.
static bool check_start(struct codec *codec, struct header *header, uint64_t file_length)
{
    if (!format_is_table(codec->read, codec->length)) {
        return error_set(codec->error, FEWEST_DAMAGED,
                         "this is not a distance table; fewest-gen makes tables from definitions");
    }
    layout_start(codec, header);
    if (codec->failed) {
        return false;
    }
    if (header->major != FORMAT_MAJOR || header->incompatible != 0) {
        return error_set(codec->error, FEWEST_DAMAGED,
                         "the table has format version %u.%u (flags %#x), and this program reads "
                         "version %d" TABLE_AGAIN,
                         header->major, header->minor, header->incompatible, FORMAT_MAJOR);
    }
    if (header->length > file_length || header->length < START_ENCODED + HASH_BYTES) {
        return error_set(
            codec->error, FEWEST_DAMAGED,
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
        end + header->definition_length + header->block_count * BLOCK_ENCODED + HASH_BYTES;
    uint64_t later_fields = header->minor > FORMAT_MINOR ? LATER_FIELDS_MOST : 0;
    if (header->length < needed || header->length - needed > later_fields) {
        return error_set(
            error, FEWEST_DAMAGED,
            "the header is damaged: its length is %llu, but its contents need %llu" TABLE_AGAIN,
            (unsigned long long)header->length, (unsigned long long)needed);
    }
    return true;
}

// Does the header end in the hash of the bytes before? The codec holds the whole header, which has
// at least HASH_BYTES bytes.
static bool check_hash(const struct codec *codec)
{
    struct codec at_hash = {.read = codec->read,
                            .at = codec->length - HASH_BYTES,
                            .length = codec->length,
                            .error = codec->error};
    uint64_t stored = layout_number(&at_hash, HASH_BYTES, 0);
    if (stored != format_hash(codec->read, codec->length - HASH_BYTES)) {
        return error_set(codec->error, FEWEST_DAMAGED,
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
// layout_start reads, what layout_counts reads at most, and the rest.
static bool decode_header(struct header *header, const struct storage *table, uint8_t **copy,
                          struct fewest_error *error)
{
    struct codec codec = {.error = error};
    if (!copy_up_to(&codec, table, smaller(START_ENCODED, table->length), copy) ||
        !check_start(&codec, header, table->length) ||
        !copy_up_to(&codec, table, smaller(START_ENCODED + COUNTS_ENCODED, header->length), copy)) {
        return false;
    }
    layout_counts(&codec, header);
    if (codec.failed || !check_length(header, codec.at, error) ||
        !copy_up_to(&codec, table, header->length, copy) || !check_hash(&codec)) {
        return false;
    }
    codec.length -= HASH_BYTES; // no field may reach into the hash
    layout_rest(&codec, header);
    return !codec.failed && check_end(header, table->length, error);
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

// ---- Blocks -------------------------------------------------------------------------------------

// The bytes around those of a block that is stored: the headers of zlib and deflate before them,
// and Adler's checksum after them.
enum { STORED_BEFORE = 7, STORED_AFTER = 4 };

// Do the compressed bytes of a block have the hash that the header says?
static bool check_block(const struct block *block, const uint8_t *encoded,
                        struct fewest_error *error)
{
    if (format_hash(encoded, block->length) != block->hash) {
        return error_set(error, FEWEST_DAMAGED,
                         "the block at byte %llu is damaged: its checksum does not match",
                         (unsigned long long)block->offset);
    }
    return true;
}

// Does a block of zlib (RFC 1950) consist of one *stored* block of deflate (RFC 1951), whose
// `length` bytes are not compressed? It only looks at the headers, and the length of the block.
static bool has_stored_headers(const struct block *block, const uint8_t *encoded, size_t length)
{
    enum { LENGTH_MOST = 0xFFFF, PRESET_DICTIONARY = 0x20, LAST_AND_STORED = 1 };
    if (block->length != STORED_BEFORE + length + STORED_AFTER || length > LENGTH_MOST) {
        return false;
    }
    unsigned stored_length = encoded[3] | (unsigned)encoded[4] << 8;
    unsigned complement = encoded[5] | (unsigned)encoded[6] << 8;
    return (encoded[0] & 0xF) == Z_DEFLATED && (encoded[1] & PRESET_DICTIONARY) == 0 &&
           (encoded[0] << 8 | encoded[1]) % 31 == 0 && encoded[2] == LAST_AND_STORED &&
           stored_length == length && complement == (~length & LENGTH_MOST);
}

bool block_find_stored(const struct block *block, const uint8_t *encoded, size_t length,
                       const uint8_t **raw, struct fewest_error *error)
{
    *raw = NULL;
    if (!has_stored_headers(block, encoded, length)) {
        return true;
    }
    const uint8_t *sum = encoded + STORED_BEFORE + length; // big-endian
    uLong expected = (uLong)sum[0] << 24 | (uLong)sum[1] << 16 | (uLong)sum[2] << 8 | sum[3];
    if (!check_block(block, encoded, error)) {
        return false;
    }
    // If it is wrong, block_decode reports it.
    if (adler32(1, encoded + STORED_BEFORE, (uInt)length) == expected) {
        *raw = encoded + STORED_BEFORE;
    }
    return true;
}

bool block_decode(z_stream *stream, const struct block *block, const uint8_t *encoded, uint8_t *raw,
                  size_t length, struct fewest_error *error)
{
    if (!check_block(block, encoded, error)) {
        return false;
    }
    if ((stream->state ? inflateReset(stream) : inflateInit(stream)) != Z_OK) {
        return error_no_memory(error, "to unpack a block");
    }
    stream->next_in = encoded;
    stream->avail_in = block->length;
    stream->next_out = raw;
    stream->avail_out = (uInt)length;
    if (inflate(stream, Z_FINISH) != Z_STREAM_END || stream->avail_out > 0 ||
        stream->avail_in > 0) {
        return error_set(error, FEWEST_DAMAGED,
                         "the block at byte %llu is damaged: it does not unpack to %zu bytes",
                         (unsigned long long)block->offset, length);
    }
    return true;
}
