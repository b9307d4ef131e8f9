// Encodes and decodes the header and the blocks of a table file, .dtab. FORMAT.md describes every
// offset.
//
// header_write.c and header_read.c list the fields, each in the order of the file. Tests write and
// read all kinds of headers. The rest of the program relies on what header_decode has checked:
//   - every length and offset lies inside the file, and nothing follows the last block;
//   - the header has the length that its counts require (a later minor version may add 64 KiB), and
//     its contents were not read again after they were checked;
//   - the blocks lie back to back, and are exactly as many as the sections need; each is not empty
//     and not much longer than an unpacked block;
//   - every section's bits are 1, 2, 4 or 8, its largest distance is below `unreachable`, and its
//     histogram adds up to at most its entries;
//   - the symmetries of a section are permutations of its cells, the first one the identity;
//   - a section has at most SECTION_ENTRIES_MOST entries, and all sections together take at most
//     SECTION_BYTES_MOST bytes when unpacked;
//   - there are fewer than 2^32 blocks.
//
// The reader does not compare the sections with the definition: sections_check (sections.h) does.
#ifndef FEWEST_TABLES_FORMAT_H
#define FEWEST_TABLES_FORMAT_H

#include "storage.h"
#include "tables/base/errors.h"
#include "tables/puzzle/puzzle.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

enum {
    FORMAT_MAJOR = 4,
    FORMAT_MINOR = 0,
    FORMAT_HASH_BYTES = 8, // of the header's hash, behind its fields
    SECTIONS_MOST = 16,
    SECTION_NAME_SIZE = 16, // bytes, filled up with NUL
    BLOCK_LOG2_LEAST = 8,   // 256 bytes
    BLOCK_LOG2_MOST = 14,
    BLOCK_LOG2_DEFAULT = 12, // 4 KiB: one look-up inflates one block
    // For tables above BLOCK_SMALL_MOST bytes: larger blocks keep the block index short.
    BLOCK_LOG2_LARGE = 14,
    BLOCK_SMALL_MOST = 1 << 25,
};

// The first bytes of a table. Like PNG's: the first is not ASCII, CR LF reveals a transfer that
// changed line ends, and MS-DOS stops printing the file at 0x1A.
static const uint8_t FORMAT_MAGIC[8] = {0x89, 'D', 'T', 'A', 'B', '\r', '\n', 0x1A};

static const uint64_t SECTION_ENTRIES_MOST = UINT64_C(1) << 40;
static const uint64_t SECTION_BYTES_MOST = UINT64_C(1) << 40; // of all sections together
static const uint64_t BLOCKS_MOST = UINT32_MAX;               // of all sections together

enum section_kind {
    SECTION_STATES,    // a distance for every index
    SECTION_WILDCARDS, // a distance for every number that wildcard_rank gives
    // The second lowest bit of the distance of every node (numbering.h), or 1 if it is unreachable.
    // The distance mod 4 follows from it.
    SECTION_MOD4,
    // A pattern database of a sliding board: the excess of every arrangement of a few tiles
    // (tile_databases.h).
    SECTION_DATABASE,
    // A pattern database of another puzzle: the stripes of a projection (symmetry/stripes.h).
    SECTION_STRIPES,
    SECTION_KIND_COUNT,
};

struct section {
    char name[SECTION_NAME_SIZE + 1];
    enum section_kind kind;
    // Bits of an entry. Entry i begins at bit (i*bits) % 8 of byte i*bits/8; bit 0 is the lowest.
    unsigned bits;
    unsigned largest;
    unsigned most_given; // the most cells that a wildcard target gives
    // The number of its root or pattern database. The order of the sections decides it, so it is
    // not in the file.
    unsigned root_number;
    uint64_t root; // in SECTION_STATES: the index of the root; in SECTION_STRIPES: the base
    uint64_t entries;
    uint64_t *histogram; // entries at each distance 0 … largest
    // In SECTION_WILDCARDS: the symmetries that fold the targets, and the cells of a target.
    unsigned cells;
    unsigned symmetry_count;
    struct symmetry *symmetries;
};

struct block {
    uint64_t offset;
    uint32_t length; // compressed
    uint64_t hash;   // XXH3-64 of the compressed bytes
};

struct header {
    unsigned major;
    unsigned minor;
    uint32_t incompatible; // flags of features without which the file can't be read; none are known
    uint64_t length;       // of the encoded header, its hash included
    enum metric metric;
    // An unpacked block has 2^block_log2 bytes; the last of a section may be shorter.
    unsigned block_log2;
    uint32_t definition_length;
    char *definition;
    unsigned section_count;
    struct section *sections;
    uint64_t block_count;
    struct block *blocks;
};

// The value `unreachable` of an entry: all its bits set.
static inline unsigned entry_unreachable(unsigned bits)
{
    return (1u << bits) - 1;
}

// The least width that holds distances 0 … largest and `unreachable`.
unsigned entry_bits(unsigned largest);

// Returns an entry of a section's unpacked bytes.
static inline unsigned entry_get(const uint8_t *bytes, unsigned bits, uint64_t entry)
{
    uint64_t bit = entry * bits;
    // The bytes may be those of a file that another program is writing: read them once.
    unsigned byte = __atomic_load_n(&bytes[bit / 8], __ATOMIC_RELAXED);
    return byte >> bit % 8 & entry_unreachable(bits);
}

// The unpacked bytes of a section, its number of blocks, and the unpacked bytes of one block.
uint64_t section_bytes(const struct section *section);
uint64_t section_blocks(const struct header *header, const struct section *section);
size_t block_bytes(const struct header *header, const struct section *section,
                   uint64_t block_of_section);

// The number of entries that have a distance.
uint64_t section_count_reachable(const struct section *section);

// header_encode writes header_length(header) bytes to `bytes`. header->length must be that number.
uint64_t header_length(const struct header *header);
void header_encode(const struct header *header, uint8_t *bytes);

// The suffix of a table's file name. Does `path` end in it, with something before it?
#define FORMAT_SUFFIX ".dtab"
bool format_has_suffix(const char *path);

// Do the `length` bytes of a file begin like a table?
bool format_is_table(const uint8_t *bytes, uint64_t length);

// Reads, decodes and validates the header of a whole table. The caller frees with header_free; on
// failure nothing is left to free.
bool header_decode(struct header *header, const struct storage *table, struct fewest_error *error);
void header_free(struct header *header);

// Returns the checksum XXH3-64.
uint64_t format_hash(const void *bytes, size_t length);

// If a block has its bytes uncompressed, checks its hash, and finds them: *raw points to `length`
// bytes in `encoded`, which has the block's bytes. Else *raw is NULL, and block_decode must unpack
// the block. Fails if the hash does not match.
bool block_find_stored(const struct block *block, const uint8_t *encoded, size_t length,
                       const uint8_t **raw, struct fewest_error *error);

// Checks the hash of the compressed bytes, before zlib sees them, and inflates them into exactly
// `length` bytes. The stream is all zero before its first block. The caller ends it with
// inflateEnd.
bool block_decode(z_stream *stream, const struct block *block, const uint8_t *encoded, uint8_t *raw,
                  size_t length, struct fewest_error *error);

#endif
