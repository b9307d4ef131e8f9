// Packs distances into compressed blocks on all threads, and writes them.
#include "pack.h"

#include "encode.h"
#include "gen/ranks/ranks.h"
#include "tables/base/parallel.h"
#include "tables/families/symmetry/stripes.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH_A_THREAD = 64, // blocks that a thread makes before all of them are written
    BATCH_MOST = BATCH_A_THREAD * PARALLEL_THREADS_MOST,
};

struct packer {
    struct table_content *content;
    const struct search_options *options;
    const struct output *output;
    struct header header;
    // Where the next block goes in the output. Ranks but the first write their blocks to a file of
    // their own, from 0 on in each section.
    uint64_t position;
    // The current section. A rank packs the blocks whose first entries it has.
    const struct section *section;
    const struct distances *distances;
    uint64_t first_block;    // of the section, among the blocks of the table
    struct range own_blocks; // of the section: this rank packs them
    uint8_t *tail;           // distances of this rank's last block that later ranks have
    uint8_t *joined_tail;    // buffer for the tail of any rank
    uint64_t listed;         // bytes of the list of blocks that came from other ranks
    uint64_t first_of_batch;
    enum strategy strategy;
    uint8_t **encoded; // the blocks of the batch, from malloc
    // A whole block of unreachable entries, compressed by the strategy; NULL if it is not needed.
    uint8_t *unreached;
    size_t unreached_length;
    _Atomic uint64_t sampled_encoded; // bytes of the samples of this rank, compressed
    _Atomic uint64_t sampled_bytes;   // and before compression
    struct fewest_error error;        // of the thread that failed first; only that one writes it
    _Atomic bool failed;
};

// ---- Blocks -------------------------------------------------------------------------------------

// Keeps the error of a thread, if it is the first. Returns false.
static bool keep_first_error(struct packer *packer, const struct fewest_error *error)
{
    if (!atomic_exchange(&packer->failed, true)) {
        packer->error = *error;
    }
    return false;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static bool fail_without_memory(struct packer *packer)
{
    struct fewest_error error;
    (void)error_no_memory(&error, "to compress the table");
    return keep_first_error(packer, &error);
}

// Packs `count` distances of a byte each into entries of `bits` bits: 1, 2 or 4. Writes over the
// distances, from the first byte on. The buffer holds whole blocks, so it has room for the zeros
// that fill up the last byte. UNREACHED has all bits set, so its lowest bits are the entry of an
// unreachable state.
static void pack_bits(uint8_t *bytes, size_t count, unsigned bits)
{
    const unsigned per_byte = 8 / bits;
    const unsigned mask = (1u << bits) - 1;
    for (; count % per_byte > 0; count++) {
        bytes[count] = 0;
    }
    for (size_t i = 0; i < count / per_byte; i++) {
        unsigned byte = 0;
        for (unsigned k = 0; k < per_byte; k++) {
            byte |= (bytes[i * per_byte + k] & mask) << (k * bits);
        }
        bytes[i] = (uint8_t)byte;
    }
}

// The number of entries in a whole block of the current section.
static uint64_t entries_per_block(const struct packer *packer)
{
    return ((uint64_t)8 << packer->header.block_log2) / packer->section->bits;
}

// The entry of the table's list of blocks for block `number` of the current section.
static struct block *list_entry(const struct packer *packer, uint64_t number)
{
    return &packer->header.blocks[packer->first_block + number];
}

// Reads `count` distances from entry `first` on, which this rank has. Those behind this rank's last
// entry are in the tail.
static bool read_distances(const struct packer *packer, uint64_t first, size_t count, uint8_t *raw,
                           struct fewest_error *error)
{
    const struct distances *distances = packer->distances;
    uint64_t end = distances->first + distances->count;
    size_t own = (size_t)least(end - first, count);
    if (own < count) {
        memcpy(raw + own, packer->tail, count - own);
    }
    return distances_read(distances, first, own, raw, error);
}

// Fills in the bytes of block `number` of the section, before compression. *length becomes their
// number. `raw` has room for eight times as many: while it is filled, each entry takes a byte.
// Returns false after an error, and keeps the error.
static bool fill_block(struct packer *packer, uint64_t number, uint8_t *raw, size_t *length)
{
    const struct section *section = packer->section;
    struct fewest_error error;
    *length = block_bytes(&packer->header, section, number);
    uint64_t first = number * entries_per_block(packer);
    uint64_t rest = section->entries - first; // the last block can be shorter
    size_t count = (size_t)least(rest, *length * 8 / section->bits);
    if (!read_distances(packer, first, count, raw, &error)) {
        return keep_first_error(packer, &error);
    }
    if (section->bits < 8) { // bytes are entries already
        pack_bits(raw, count, section->bits);
    }
    return true;
}

// What a thread needs to compress some blocks.
struct compressor {
    z_stream encoder;
    z_stream storer; // for blocks that stay uncompressed
    uint8_t *raw;    // a block before compression
};

// Opens a compressor for one thread. Returns false if memory runs out, and keeps the error. The
// caller closes it in any case.
static bool open_compressor(struct packer *packer, struct compressor *compressor)
{
    bool is_open = encoder_open(&compressor->encoder, packer->strategy);
    bool is_storer_open = encoder_open(&compressor->storer, STRATEGY_STORE);
    // Entries of one bit are bytes at first, eight times as large.
    compressor->raw = malloc((size_t)8 << packer->header.block_log2);
    return (is_open && is_storer_open && compressor->raw) || fail_without_memory(packer);
}

static void close_compressor(struct compressor *compressor)
{
    deflateEnd(&compressor->encoder);
    deflateEnd(&compressor->storer);
    free(compressor->raw);
}

// A block of 4 KiB that zlib does not halve stays uncompressed: unpacking it then takes a tenth of
// the time. A table of more than 32 MiB has blocks of 16 KiB, which are always compressed.
static bool stays_uncompressed(size_t length, size_t encoded_length)
{
    return length == 1 << BLOCK_LOG2_DEFAULT && encoded_length > length / 2;
}

// Is block `number` of the section a whole block of entries that the search has not met? Only a
// list of distances tells.
static bool is_unreached(const struct packer *packer, uint64_t number)
{
    uint64_t entries = entries_per_block(packer);
    uint64_t first = number * entries;
    return first + entries <= packer->section->entries &&
           distances_list_none(packer->distances, first, entries);
}

// Returns a copy of the block of unreachable entries, which the caller frees. After an error, keeps
// the error and returns NULL.
static uint8_t *copy_unreached(struct packer *packer, size_t *encoded_length)
{
    uint8_t *encoded = malloc(packer->unreached_length);
    if (!encoded) {
        fail_without_memory(packer);
        return NULL;
    }
    *encoded_length = packer->unreached_length;
    return memcpy(encoded, packer->unreached, packer->unreached_length);
}

// Compresses block `number` of the section. Returns *encoded_length bytes that the caller frees.
// After an error, keeps the error and returns NULL.
static uint8_t *compress_block(struct packer *packer, struct compressor *compressor,
                               uint64_t number, size_t *encoded_length)
{
    size_t length;
    if (packer->unreached && is_unreached(packer, number)) {
        return copy_unreached(packer, encoded_length);
    }
    if (!fill_block(packer, number, compressor->raw, &length)) {
        return NULL;
    }
    uint8_t *encoded = block_encode(&compressor->encoder, compressor->raw, length, encoded_length);
    if (encoded && stays_uncompressed(length, *encoded_length)) {
        free(encoded);
        encoded = block_encode(&compressor->storer, compressor->raw, length, encoded_length);
    }
    if (!encoded) {
        fail_without_memory(packer);
    }
    return encoded;
}

// ---- Ranks --------------------------------------------------------------------------------------

// Gives each rank its *tail*: the distances of its last block that later ranks have. The rank that
// has the first entry of a block packs the block, which can end among the entries of later ranks.
// For each rank in turn, all put what they have of its tail into a buffer of zeros, and add up the
// buffers.
static bool exchange_tails(struct packer *packer, struct fewest_error *error)
{
    const struct distances *distances = packer->distances;
    uint64_t own_end = distances->first + distances->count;
    uint64_t entries = entries_per_block(packer);
    bool good = true;
    for (unsigned rank = 0; rank < ranks_count(); rank++) {
        // The tail of `rank` goes from the end of its entries to the end of the block.
        uint64_t begin = least(distances->share * (rank + 1), distances->total);
        uint64_t end = least((begin + entries - 1) / entries * entries, distances->total);
        uint64_t own_first = distances->first > begin ? distances->first : begin;
        memset(packer->joined_tail, 0, end - begin);
        if (own_first < least(end, own_end)) {
            good = good && distances_read(distances, own_first, least(end, own_end) - own_first,
                                          packer->joined_tail + (own_first - begin), error);
        }
        ranks_sum_bytes(packer->joined_tail, end - begin);
        if (rank == ranks_number()) {
            memcpy(packer->tail, packer->joined_tail, end - begin);
        }
    }
    return ranks_barrier(good, error);
}

// Copies `length` bytes of this rank's part of the list of blocks, for the first rank, which writes
// the table (a ranks_part_reader, ranks.h). The part has an entry for each block of the section
// that this rank has packed. `offset` counts the bytes from the beginning of the part.
static bool read_own_list(void *context, uint64_t offset, uint8_t *bytes, size_t length,
                          struct fewest_error *error)
{
    const struct packer *packer = context;
    const struct block *own_part = list_entry(packer, packer->own_blocks.first);
    (void)error;
    memcpy(bytes, (const uint8_t *)own_part + offset, length);
    return true;
}

// Appends bytes that the first rank received to the list of blocks, behind its own part (a
// ranks_part_receiver). Later ranks pack later blocks, so the list is in order.
static bool append_to_list(void *context, const uint8_t *bytes, size_t length,
                           struct fewest_error *error)
{
    struct packer *packer = context;
    (void)error;
    memcpy((uint8_t *)list_entry(packer, packer->own_blocks.end) + packer->listed, bytes, length);
    packer->listed += length;
    return true;
}

// Reads bytes of the blocks that this rank has packed, from its file (a ranks_part_reader).
static bool read_own_bytes(void *context, uint64_t offset, uint8_t *bytes, size_t length,
                           struct fewest_error *error)
{
    const struct packer *packer = context;
    return output_read(packer->output, offset, bytes, length, error);
}

// Appends to the table the bytes of blocks that the first rank received (a ranks_part_receiver).
static bool append_bytes(void *context, const uint8_t *bytes, size_t length,
                         struct fewest_error *error)
{
    struct packer *packer = context;
    uint64_t position = packer->position;
    packer->position += length;
    return output_write(packer->output, position, bytes, length, error);
}

// Brings the blocks that the other ranks have packed to the first rank, which writes them behind
// its own. First come their entries in the list, then their bytes: on another rank,
// packer->position is the length of its file.
static bool collect_section(struct packer *packer, struct fewest_error *error)
{
    uint64_t count = packer->own_blocks.end - packer->own_blocks.first;
    uint64_t offset = packer->position;
    packer->listed = 0; // stays 0 on the other ranks
    if (!ranks_gather(count * sizeof(struct block), read_own_list, append_to_list, packer, error)) {
        return false;
    }
    for (uint64_t b = 0; b < packer->listed / sizeof(struct block); b++) {
        struct block *block = list_entry(packer, packer->own_blocks.end + b);
        block->offset = offset;
        offset += block->length;
    }
    return ranks_gather(packer->position, read_own_bytes, append_bytes, packer, error);
}

// ---- The strategy of a section ------------------------------------------------------------------
// A section is compressed by runs or by a slow strategy, which also searches for repeats
// (encode.h). This takes five to twenty times longer, and finds little more in most sections:
// distances of neighbouring indices are close to noise, and runs of `unreachable` are the rest. So
// the slow strategy must save a thirty-second of the bytes before compression.
//
// Tried, and no better: packing entries that are half a block apart into a byte, low and high
// halves of bytes apart, and differences of entries.

enum {
    SAMPLES = 64,      // blocks of a section, spread evenly
    WORTH_A_PART = 32, // what a slow strategy must save
};

// Compresses the samples begin … end-1 of the section, as far as this rank packs these blocks, and
// adds their lengths to the sums.
static void compress_samples(void *context, uint64_t begin, uint64_t end)
{
    struct packer *packer = context;
    uint64_t blocks = section_blocks(&packer->header, packer->section);
    struct compressor compressor;
    bool good = open_compressor(packer, &compressor);
    for (uint64_t i = begin; i < end && i < blocks && good; i++) {
        uint64_t number = blocks < SAMPLES ? i : i * blocks / SAMPLES; // spread evenly
        size_t encoded_length;
        if (number < packer->own_blocks.first || number >= packer->own_blocks.end) {
            continue; // another rank compresses it
        }
        uint8_t *encoded = compress_block(packer, &compressor, number, &encoded_length);
        good = encoded != NULL;
        if (good) {
            packer->sampled_encoded += encoded_length;
            packer->sampled_bytes += block_bytes(&packer->header, packer->section, number);
        }
        free(encoded);
    }
    close_compressor(&compressor);
}

// Compresses this rank's samples by a strategy. Returns their length after compression;
// packer->sampled_bytes becomes their length before it. After an error, packer->failed is true.
static uint64_t measure_strategy(struct packer *packer, enum strategy strategy)
{
    unsigned threads = packer->options->threads;
    packer->strategy = strategy;
    free(packer->unreached); // it was compressed by another strategy
    packer->unreached = NULL;
    packer->sampled_encoded = 0;
    packer->sampled_bytes = 0;
    unsigned samples_each = (SAMPLES + threads - 1) / threads; // of a thread
    parallel_for(threads, SAMPLES, samples_each, compress_samples, packer);
    return packer->sampled_encoded;
}

// Chooses packer->strategy, by which all ranks compress the blocks of the section: a slow one if
// that saves enough on samples, else by runs. Stripes that zlib does not halve are not compressed:
// a search soon needs all of them. Fails on all ranks if a thread has failed on one.
static bool choose_strategy(struct packer *packer, struct fewest_error *error)
{
    enum { SMALL = 1 << 20 }; // bytes of a section that any strategy compresses in no time
    enum { BY_RUNS, BY_SLOW, BEFORE, SUMS };
    bool is_small = section_bytes(packer->section) <= SMALL;
    enum strategy slow = is_small ? STRATEGY_MOST_REPEATS : STRATEGY_REPEATS;
    uint64_t bytes[SUMS];
    bytes[BY_RUNS] = measure_strategy(packer, STRATEGY_RUNS);
    bytes[BY_SLOW] = measure_strategy(packer, slow);
    bytes[BEFORE] = packer->sampled_bytes; // of the same samples
    if (packer->failed) {
        *error = packer->error;
    }
    if (!ranks_barrier(!packer->failed, error)) {
        return false;
    }
    ranks_sum(bytes, SUMS);
    bool pays = bytes[BY_SLOW] + bytes[BEFORE] / WORTH_A_PART < bytes[BY_RUNS];
    packer->strategy = pays ? slow : STRATEGY_RUNS;
    uint64_t least_bytes = bytes[pays ? BY_SLOW : BY_RUNS];
    if (packer->section->kind == SECTION_STRIPES && least_bytes > bytes[BEFORE] / 2) {
        packer->strategy = STRATEGY_STORE;
    }
    return true;
}

// ---- Batches ------------------------------------------------------------------------------------

// If the distances of the section are a list, compresses a block of unreachable entries once, for
// all blocks that are equal. Nearly all are: that makes the table of Square-1's shapes 7 × faster
// (2026-11).
static bool compress_unreached(struct packer *packer, struct fewest_error *error)
{
    uint64_t blocks = section_blocks(&packer->header, packer->section);
    struct compressor compressor;
    uint64_t number = 0; // becomes the first such block
    bool has_list = packer->distances->list;
    while (number < blocks && has_list && !is_unreached(packer, number)) {
        number++;
    }
    if (number == blocks || !has_list) {
        return true;
    }
    if (open_compressor(packer, &compressor)) {
        packer->unreached = compress_block(packer, &compressor, number, &packer->unreached_length);
    }
    close_compressor(&compressor);
    if (packer->failed) {
        *error = packer->error;
    }
    return !packer->failed;
}

// Compresses the blocks begin … end-1 of the batch. Fills in encoded[], and the lengths and
// checksums in the list of blocks. After an error, which is kept, leaves out the rest.
static void compress_blocks(void *context, uint64_t begin, uint64_t end)
{
    struct packer *packer = context;
    struct compressor compressor;
    bool good = open_compressor(packer, &compressor);
    for (uint64_t b = begin; b < end && good; b++) {
        uint64_t number = packer->first_of_batch + b;
        struct block *block = list_entry(packer, number);
        size_t length = 0;
        packer->encoded[b] = compress_block(packer, &compressor, number, &length);
        good = packer->encoded[b] != NULL;
        if (good) {
            block->length = (uint32_t)length;
            block->hash = format_hash(packer->encoded[b], length);
        }
    }
    close_compressor(&compressor);
}

// Writes the `count` compressed blocks of the batch one after the other, and fills in their
// offsets.
static bool write_batch(struct packer *packer, uint64_t count, struct fewest_error *error)
{
    bool written = true;
    for (uint64_t b = 0; b < count && written; b++) {
        struct block *block = list_entry(packer, packer->first_of_batch + b);
        block->offset = packer->position;
        written = output_write(packer->output, packer->position, packer->encoded[b], block->length,
                               error);
        packer->position += block->length;
    }
    return written;
}

// Compresses `count` blocks of the section, from packer->first_of_batch on, writes them, and tells
// the watcher.
static bool pack_batch(struct packer *packer, uint64_t count, struct fewest_error *error)
{
    const struct search_options *options = packer->options;
    unsigned threads = options->threads;
    memset(packer->encoded, 0, BATCH_MOST * sizeof *packer->encoded);
    uint64_t count_each = (count + threads - 1) / threads; // blocks of a thread
    parallel_for(threads, count, count_each, compress_blocks, packer);
    bool written = false;
    if (packer->failed) {
        *error = packer->error;
    } else if (options_stop(options)) {
        error_write(error, FEWEST_STOPPED, "stopped while writing the table");
    } else {
        written = write_batch(packer, count, error);
    }
    for (unsigned b = 0; b < BATCH_MOST; b++) {
        free(packer->encoded[b]);
    }
    if (written) {
        options_tell(options, &(struct fewest_gen_progress){
                                  .event = FEWEST_GEN_PACKED,
                                  .packed = packer->first_block + packer->first_of_batch + count,
                                  .blocks = packer->header.block_count});
    }
    return written;
}

// Packs the blocks of the section that this rank has, batch by batch.
static bool pack_own_blocks(struct packer *packer, struct fewest_error *error)
{
    uint64_t most = (uint64_t)BATCH_A_THREAD * packer->options->threads;
    if (!ranks_is_first()) {
        packer->position = 0; // in a file of its own
    }
    for (packer->first_of_batch = packer->own_blocks.first;
         packer->first_of_batch < packer->own_blocks.end; packer->first_of_batch += most) {
        uint64_t rest = packer->own_blocks.end - packer->first_of_batch;
        if (!pack_batch(packer, least(rest, most), error)) {
            return false;
        }
    }
    return true;
}

// Packs the current section on all ranks, and brings all of it to the first rank. A rank packs the
// blocks whose first entries it has.
static bool pack_section(struct packer *packer, struct fewest_error *error)
{
    const struct distances *distances = packer->distances;
    uint64_t entries = entries_per_block(packer);
    uint64_t end = distances->first + distances->count;
    packer->own_blocks.first = (distances->first + entries - 1) / entries; // rounds up
    packer->own_blocks.end = (end + entries - 1) / entries;
    bool done = exchange_tails(packer, error) && choose_strategy(packer, error) &&
                ranks_barrier(compress_unreached(packer, error), error) &&
                ranks_barrier(pack_own_blocks(packer, error), error) &&
                collect_section(packer, error);
    packer->first_block += section_blocks(&packer->header, packer->section);
    return done;
}

// ---- The table ----------------------------------------------------------------------------------

// Fills in what the distances tell of each section; this gives the size and number of the blocks
// and the length of the header. Makes room for the list of blocks, the tails and a batch, which
// pack_table frees in any case.
static bool start_header(struct packer *packer, struct fewest_error *error)
{
    struct table_content *content = packer->content;
    struct header *header = &packer->header;
    uint64_t bytes = 0;
    for (unsigned s = 0; s < content->section_count; s++) {
        struct section *section = &content->sections[s];
        section->largest = distances_largest(content->distances[s]);
        section->bits = entry_bits(section->largest);
        if (section->kind == SECTION_STRIPES) { // also if they have only small values
            section->bits = ENTRY_BITS;
        }
        section->histogram = (uint64_t *)(uintptr_t)content->distances[s]->histogram; // only read
        bytes += section_bytes(section);
    }
    header->block_log2 = bytes > BLOCK_SMALL_MOST ? BLOCK_LOG2_LARGE : BLOCK_LOG2_DEFAULT;
    for (unsigned s = 0; s < content->section_count; s++) {
        header->block_count += section_blocks(header, &content->sections[s]);
    }
    assert(header->block_count > 0);
    // The other ranks touch only their own part of the list.
    header->blocks = calloc(header->block_count, sizeof *header->blocks);
    packer->tail = malloc((size_t)8 << header->block_log2);
    packer->joined_tail = malloc((size_t)8 << header->block_log2);
    packer->encoded = malloc(BATCH_MOST * sizeof *packer->encoded);
    if (!header->blocks || !packer->tail || !packer->joined_tail || !packer->encoded) {
        return error_no_memory(error, "for the table's list of blocks");
    }
    header->length = header_length(header);
    packer->position = header->length;
    return true;
}

// Writes the header to the beginning of the output, where the blocks have left room for it.
static bool write_header(const struct packer *packer, struct fewest_error *error)
{
    uint8_t *bytes = malloc(packer->header.length);
    if (!bytes) {
        return error_no_memory(error, "for the table's header");
    }
    header_encode(&packer->header, bytes);
    bool written = output_write(packer->output, 0, bytes, packer->header.length, error);
    free(bytes);
    return written;
}

bool pack_table(struct table_content *content, const struct search_options *options,
                const struct output *output, struct fewest_error *error)
{
    struct packer packer = {
        .content = content,
        .options = options,
        .output = output,
        .header = {.major = FORMAT_MAJOR,
                   .minor = FORMAT_MINOR,
                   .metric = content->metric,
                   .definition = (char *)(uintptr_t)content->definition, // only read
                   .definition_length = (uint32_t)content->definition_length,
                   .section_count = content->section_count,
                   .sections = content->sections},
    };
    bool done = ranks_barrier(start_header(&packer, error), error);
    for (unsigned s = 0; s < content->section_count && done; s++) {
        packer.section = &content->sections[s];
        packer.distances = content->distances[s];
        done = pack_section(&packer, error);
    }
    if (ranks_is_first()) {
        done = done && write_header(&packer, error);
    }
    free(packer.header.blocks);
    free(packer.unreached);
    free(packer.tail);
    free(packer.joined_tail);
    free(packer.encoded);
    return done;
}
