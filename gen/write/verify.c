// Verifies the bytes of a finished table.
#include "verify.h"

#include "tables/base/parallel.h"
#include "tables/file/format.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// A table that is being verified, one section after the other, by all threads.
struct verification {
    const struct header *header;
    const struct section *section;
    const struct block *blocks; // of the section
    const struct storage *table;
    struct fewest_error error; // of the thread that failed first; only that one writes it
    _Atomic bool failed;
    _Atomic uint64_t counts[UINT8_MAX + 1]; // of unpacked bytes, by value
};

// Counts of bytes, by value.
struct byte_counts {
    uint64_t of[UINT8_MAX + 1];
};

// Counts the unpacked bytes of a block.
static struct byte_counts count_bytes(const uint8_t *raw, size_t length)
{
    struct byte_counts counts = {{0}};
    for (size_t i = 0; i < length; i++) {
        counts.of[raw[i]]++;
    }
    return counts;
}

// Has a block the same bytes as the one before it, so that it unpacks to the same bytes? In a table
// with few states, nearly all blocks have: that makes the table of Square-1's shapes 20 × faster
// (2026-11).
static bool is_repeated(const struct verification *verification, uint64_t number)
{
    const struct block *block = &verification->blocks[number];
    const struct block *before = block - 1;
    const uint8_t *bytes = verification->table->bytes;
    return block->hash == before->hash && block->length == before->length &&
           block_bytes(verification->header, verification->section, number) ==
               block_bytes(verification->header, verification->section, number - 1) &&
           memcmp(bytes + block->offset, bytes + before->offset, block->length) == 0;
}

// Fails unless the section has as many entries at each distance as the header says. Computes these
// from the counts of bytes, and sets the counts to 0 again. A forged checkpoint or faulty memory
// can make the numbers differ.
static bool verify_counts(struct verification *verification, struct fewest_error *error)
{
    const struct section *section = verification->section;
    uint64_t found[UINT8_MAX + 1] = {0}; // entries at each distance
    for (unsigned value = 0; value <= UINT8_MAX; value++) {
        const uint8_t byte = (uint8_t)value;
        for (unsigned entry = 0; entry < 8 / section->bits; entry++) { // of those in a byte
            found[entry_get(&byte, section->bits, entry)] += verification->counts[value];
        }
        verification->counts[value] = 0;
    }
    // The rest of the last byte is 0 and holds no entry.
    uint64_t room = section_bytes(section) * 8 / section->bits; // entries that fit in the bytes
    found[0] -= room - section->entries;
    for (unsigned d = 0; d < entry_unreachable(section->bits); d++) {
        uint64_t expected = d <= section->largest ? section->histogram[d] : 0;
        if (found[d] != expected) {
            return error_set(error, FEWEST_DAMAGED,
                             "section %s has %" PRIu64
                             " entries at distance %u, but the search found %" PRIu64,
                             section->name, found[d], d, expected);
        }
    }
    return true;
}

// Checks the checksums and lengths of the blocks begin … end-1 of the section by decoding them, and
// counts their bytes.
static void verify_blocks(void *context, uint64_t begin, uint64_t end)
{
    struct verification *verification = context;
    struct fewest_error error;
    z_stream stream = {0}; // block_decode opens it
    uint8_t *raw = malloc((size_t)1 << verification->header->block_log2);
    bool sound = raw || error_no_memory(&error, "to verify the table");
    struct byte_counts all = {{0}};
    struct byte_counts counts = {{0}}; // of the newest block
    for (uint64_t b = begin; b < end && sound; b++) {
        const struct block *block = &verification->blocks[b];
        const uint8_t *encoded = verification->table->bytes + block->offset;
        size_t length = block_bytes(verification->header, verification->section, b);
        if (b == begin || !is_repeated(verification, b)) {
            sound = block_decode(&stream, block, encoded, raw, length, &error);
            counts = sound ? count_bytes(raw, length) : counts;
        }
        for (unsigned value = 0; value <= UINT8_MAX; value++) {
            all.of[value] += counts.of[value];
        }
    }
    for (unsigned value = 0; value <= UINT8_MAX; value++) {
        atomic_fetch_add_explicit(&verification->counts[value], all.of[value],
                                  memory_order_relaxed);
    }
    inflateEnd(&stream);
    free(raw);
    if (!sound && !atomic_exchange(&verification->failed, true)) {
        verification->error = error;
    }
}

bool verify_table(int file, unsigned threads, struct fewest_error *error)
{
    enum { GRAIN = 64 }; // blocks that a thread takes at once
    struct header header;
    struct storage table;
    if (!storage_of_file(&table, file, error)) {
        return false;
    }
    if (!header_decode(&header, &table, error)) {
        storage_close(&table);
        return false;
    }
    struct verification verification = {
        .header = &header, .blocks = header.blocks, .table = &table};
    for (unsigned s = 0; s < header.section_count && !verification.failed; s++) {
        verification.section = &header.sections[s];
        uint64_t blocks = section_blocks(&header, verification.section);
        parallel_for(threads, blocks, GRAIN, verify_blocks, &verification);
        verification.blocks += blocks;
        if (!verification.failed && !verify_counts(&verification, &verification.error)) {
            verification.failed = true;
        }
    }
    if (verification.failed) {
        *error = verification.error;
    }
    header_free(&header);
    storage_close(&table);
    return !verification.failed;
}
