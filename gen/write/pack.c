// Packs distances into compressed blocks on all threads, and writes them.
#include "pack.h"

#include "encode.h"
#include "gen/ranks/ranks.h"
#include "tables/base/parallel.h"

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
    uint64_t at; // of the file: where the next block goes
    // The current section. A rank packs the blocks whose first entries it has.
    const struct section *section;
    const struct distances *distances;
    uint64_t first_block; // of the section, in the table
    struct range mine;    // the blocks of the section that this rank packs
    struct exchange exchange;
    uint8_t *tail;  // the entries of its last block that other ranks have
    uint64_t taken; // bytes of the list of blocks
    uint64_t first_of_batch;
    enum strategy strategy;
    uint8_t *encoded[BATCH_MOST];
    _Atomic uint64_t sampled;     // bytes of the sample, compressed
    _Atomic uint64_t sampled_raw; // and before
    struct fewest_error error;    // the first one of all threads
    _Atomic bool failed;
};

// ---- Blocks -------------------------------------------------------------------------------------

static bool keep_first_error(struct packer *packer, const struct fewest_error *error)
{
    if (!atomic_exchange(&packer->failed, true)) {
        packer->error = *error;
    }
    return false;
}

static bool report_no_memory(struct packer *packer)
{
    struct fewest_error error;
    error_write(&error, FEWEST_SYSTEM, "not enough memory to compress the table");
    return keep_first_error(packer, &error);
}

// Packs distances of a byte each into entries of `bits` bits, in place. UNREACHED has all bits set,
// so its lowest bits are the entry of an unreachable state.
static void pack_bits(uint8_t *bytes, size_t count, unsigned bits)
{
    const unsigned per_byte = 8 / bits;
    const unsigned mask = (1u << bits) - 1;
    for (; count % per_byte > 0; count++) {
        bytes[count] = 0; // the rest of the last byte
    }
    for (size_t i = 0; i < count / per_byte; i++) {
        unsigned byte = 0;
        for (unsigned k = 0; k < per_byte; k++) {
            byte |= (bytes[i * per_byte + k] & mask) << (k * bits);
        }
        bytes[i] = (uint8_t)byte;
    }
}

static uint64_t entries_a_block(const struct packer *packer)
{
    return ((uint64_t)8 << packer->header.block_log2) / packer->section->bits;
}

// Block `number` of the section.
static struct block *block_at(const struct packer *packer, uint64_t number)
{
    return &packer->header.blocks[packer->first_block + number];
}

// Reads entries as distances: those of this rank, and then the tail.
static bool read_entries(const struct packer *packer, uint64_t first, size_t count, uint8_t *raw,
                         struct fewest_error *error)
{
    const struct distances *distances = packer->distances;
    uint64_t end = distances->first + distances->count;
    size_t there = end - first < count ? (size_t)(end - first) : count;
    if (there < count) {
        memcpy(raw + there, packer->tail, count - there);
    }
    return distances_read(distances, first, there, raw, error);
}

// Fills in the bytes of a block of the section, and their number.
static bool read_block(struct packer *packer, uint64_t number, uint8_t *raw, size_t *length)
{
    const struct section *section = packer->section;
    struct fewest_error error;
    *length = block_bytes(&packer->header, section, number);
    uint64_t first = number * entries_a_block(packer);
    uint64_t rest = section->entries - first;
    size_t count = *length * 8 / section->bits;
    count = rest < count ? (size_t)rest : count;
    if (!read_entries(packer, first, count, raw, &error)) {
        return keep_first_error(packer, &error);
    }
    if (section->bits < 8) { // bytes are entries already
        pack_bits(raw, count, section->bits);
    }
    return true;
}

// What a thread needs to compress some blocks.
struct tools {
    struct encoder *encoder;
    struct encoder *storer;
    uint8_t *raw;
};

static bool make_tools(struct packer *packer, struct tools *tools)
{
    tools->encoder = encoder_open(packer->strategy);
    tools->storer = encoder_open(STRATEGY_STORE);
    // Entries of one bit are bytes at first, eight times as large.
    tools->raw = malloc((size_t)8 << packer->header.block_log2);
    return (tools->encoder && tools->storer && tools->raw) || report_no_memory(packer);
}

static void free_tools(struct tools *tools)
{
    encoder_close(tools->encoder);
    encoder_close(tools->storer);
    free(tools->raw);
}

// A block of 4 KiB that zlib does not halve stays uncompressed: unpacking it then takes a tenth of
// the time. A table of more than 32 MiB has blocks of 16 KiB, which are always compressed.
static bool stays_uncompressed(size_t length, size_t encoded_length)
{
    return length == 1 << BLOCK_LOG2_DEFAULT && encoded_length > length / 2;
}

// Compresses a block. NULL after an error.
static uint8_t *compress_block(struct packer *packer, const struct tools *tools, uint64_t number,
                               size_t *encoded_length)
{
    size_t length;
    if (!read_block(packer, number, tools->raw, &length)) {
        return NULL;
    }
    uint8_t *encoded = block_encode(tools->encoder, tools->raw, length, encoded_length);
    if (encoded && stays_uncompressed(length, *encoded_length)) {
        free(encoded);
        encoded = block_encode(tools->storer, tools->raw, length, encoded_length);
    }
    if (!encoded) {
        report_no_memory(packer);
    }
    return encoded;
}

// ---- Ranks --------------------------------------------------------------------------------------

// A block can end among the entries of later ranks. Each of these sends its part of the block to
// the rank that has the block's first entry: the number of entries, then the entries, filled up to
// 8 bytes.
static bool send_tail(struct packer *packer, struct fewest_error *error)
{
    const struct distances *distances = packer->distances;
    uint64_t entries = entries_a_block(packer);
    uint64_t begin = distances->first / entries * entries;
    uint64_t end = distances->first + distances->count;
    uint64_t length = (end < begin + entries ? end : begin + entries) - distances->first;
    if (begin == distances->first || distances->count == 0) {
        return true;
    }
    return distances_read(distances, distances->first, length, packer->tail, error) &&
           (exchange_add(&packer->exchange, (unsigned)(begin / distances->share), &length, 1,
                         packer->tail, (length + 7) / 8) ||
            error_set(error, FEWEST_SYSTEM, "not enough memory to compress the table"));
}

// Fills in the tail. The parts arrive in the order of the ranks.
static void take_tails(struct packer *packer)
{
    const struct parcel *received = &packer->exchange.received;
    uint8_t *out = packer->tail;
    for (size_t at = 0; at < received->count;) {
        size_t length = received->words[at++];
        memcpy(out, received->words + at, length);
        out += length;
        at += (length + 7) / 8;
    }
}

static bool exchange_tails(struct packer *packer, struct fewest_error *error)
{
    bool stop = false;
    if (!ranks_barrier(send_tail(packer, error), error) ||
        !ranks_exchange(&packer->exchange, &stop, error)) {
        return false;
    }
    take_tails(packer);
    return true;
}

static bool give_blocks(void *context, uint64_t at, uint8_t *bytes, size_t length,
                        struct fewest_error *error)
{
    const struct packer *packer = context;
    (void)error;
    memcpy(bytes, (const uint8_t *)block_at(packer, packer->mine.first) + at, length);
    return true;
}

static bool take_blocks(void *context, const uint8_t *bytes, size_t length,
                        struct fewest_error *error)
{
    struct packer *packer = context;
    (void)error;
    memcpy((uint8_t *)block_at(packer, packer->mine.end) + packer->taken, bytes, length);
    packer->taken += length;
    return true;
}

static bool give_bytes(void *context, uint64_t at, uint8_t *bytes, size_t length,
                       struct fewest_error *error)
{
    const struct packer *packer = context;
    return output_read(packer->output, at, bytes, length, error);
}

static bool take_bytes(void *context, const uint8_t *bytes, size_t length,
                       struct fewest_error *error)
{
    struct packer *packer = context;
    uint64_t at = packer->at;
    packer->at += length;
    return output_write(packer->output, at, bytes, length, error);
}

// The first rank takes the blocks that others have packed, and writes them where they belong.
static bool collect_section(struct packer *packer, struct fewest_error *error)
{
    uint64_t count = packer->mine.end - packer->mine.first;
    uint64_t at = packer->at;
    packer->taken = 0;
    if (!ranks_gather(count * sizeof(struct block), give_blocks, take_blocks, packer, error)) {
        return false;
    }
    for (uint64_t b = 0; b < packer->taken / sizeof(struct block); b++) {
        struct block *block = block_at(packer, packer->mine.end + b);
        block->offset = at;
        at += block->length;
    }
    return ranks_gather(packer->at, give_bytes, take_bytes, packer, error);
}

// ---- The strategy of a section ------------------------------------------------------------------
// Distances of neighbouring indices are close to noise, and runs of `unreachable` are the rest. A
// search for repeats takes five to twenty times longer, and finds little more in most sections. So
// it must save a thirty-second of the bytes before compression. Tried, and no better: packing
// entries that are half a block apart into a byte, low and high halves of bytes apart, and
// differences of entries.

enum { SAMPLES = 64 };

static void sample_part(void *context, uint64_t begin, uint64_t end)
{
    struct packer *packer = context;
    uint64_t blocks = section_blocks(&packer->header, packer->section);
    struct tools tools;
    bool going = make_tools(packer, &tools);
    for (uint64_t i = begin; i < end && i < blocks && going; i++) {
        uint64_t number = blocks < SAMPLES ? i : i * blocks / SAMPLES;
        size_t encoded_length;
        if (number < packer->mine.first || number >= packer->mine.end) {
            continue; // another rank compresses it
        }
        uint8_t *encoded = compress_block(packer, &tools, number, &encoded_length);
        if (encoded) {
            packer->sampled += encoded_length;
            packer->sampled_raw += block_bytes(&packer->header, packer->section, number);
        }
        free(encoded);
        going = encoded;
    }
    free_tools(&tools);
}

// The length of the compressed sample.
static uint64_t sample_strategy(struct packer *packer, enum strategy strategy)
{
    unsigned threads = packer->options->threads;
    packer->strategy = strategy;
    packer->sampled = packer->sampled_raw = 0;
    parallel_for(threads, SAMPLES, (SAMPLES + threads - 1) / threads, sample_part, packer);
    return packer->sampled;
}

static bool choose_strategy(struct packer *packer, struct fewest_error *error)
{
    enum { SMALL = 1 << 20 }; // bytes of a section that any strategy compresses at once
    bool small = section_bytes(packer->section) <= SMALL;
    enum strategy slow = small ? STRATEGY_MOST_REPEATS : STRATEGY_REPEATS;
    uint64_t with_runs = sample_strategy(packer, STRATEGY_RUNS);
    uint64_t with_repeats = sample_strategy(packer, slow);
    uint64_t sums[] = {with_runs, with_repeats, packer->sampled_raw};
    *error = packer->error;
    if (!ranks_barrier(!packer->failed, error)) {
        return false;
    }
    ranks_sum(sums, sizeof sums / sizeof *sums);
    bool pays = sums[1] + sums[2] / 32 < sums[0];
    packer->strategy = pays ? slow : STRATEGY_RUNS;
    return true;
}

// ---- Batches ------------------------------------------------------------------------------------

static void pack_part(void *context, uint64_t begin, uint64_t end)
{
    struct packer *packer = context;
    struct tools tools;
    bool going = make_tools(packer, &tools);
    for (uint64_t b = begin; b < end && going; b++) {
        uint64_t number = packer->first_of_batch + b;
        struct block *block = block_at(packer, number);
        size_t length = 0;
        packer->encoded[b] = compress_block(packer, &tools, number, &length);
        going = packer->encoded[b];
        if (going) {
            block->length = (uint32_t)length;
            block->hash = format_hash(packer->encoded[b], length);
        }
    }
    free_tools(&tools);
}

static bool write_batch(struct packer *packer, uint64_t count, struct fewest_error *error)
{
    bool written = true;
    for (uint64_t b = 0; b < count && written; b++) {
        struct block *block = block_at(packer, packer->first_of_batch + b);
        block->offset = packer->at;
        written =
            output_write(packer->output, packer->at, packer->encoded[b], block->length, error);
        packer->at += block->length;
    }
    return written;
}

static bool pack_batch(struct packer *packer, uint64_t count, struct fewest_error *error)
{
    const struct search_options *options = packer->options;
    unsigned threads = options->threads;
    memset(packer->encoded, 0, sizeof packer->encoded);
    parallel_for(threads, count, (count + threads - 1) / threads, pack_part, packer);
    bool written = false;
    if (packer->failed) {
        *error = packer->error;
    } else if (options_stop(options)) {
        error_write(error, FEWEST_STOPPED, "stopped while writing the table; no table was made");
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

static bool pack_my_blocks(struct packer *packer, struct fewest_error *error)
{
    uint64_t most = (uint64_t)BATCH_A_THREAD * packer->options->threads;
    if (!ranks_is_first()) {
        packer->at = 0; // of the file from which the first rank will take the blocks
    }
    for (packer->first_of_batch = packer->mine.first; packer->first_of_batch < packer->mine.end;
         packer->first_of_batch += most) {
        uint64_t rest = packer->mine.end - packer->first_of_batch;
        if (!pack_batch(packer, rest < most ? rest : most, error)) {
            return false;
        }
    }
    return true;
}

static bool pack_section(struct packer *packer, struct fewest_error *error)
{
    const struct distances *distances = packer->distances;
    uint64_t entries = entries_a_block(packer);
    packer->mine.first = (distances->first + entries - 1) / entries;
    packer->mine.end = (distances->first + distances->count + entries - 1) / entries;
    bool done = exchange_tails(packer, error) && choose_strategy(packer, error) &&
                ranks_barrier(pack_my_blocks(packer, error), error) &&
                collect_section(packer, error);
    packer->first_block += section_blocks(&packer->header, packer->section);
    return done;
}

// ---- The table ----------------------------------------------------------------------------------

// Fills in what the distances tell, and from that the length of the header.
static bool start_header(struct packer *packer, struct fewest_error *error)
{
    struct table_content *content = packer->content;
    struct header *header = &packer->header;
    uint64_t bytes = 0;
    for (unsigned s = 0; s < content->section_count; s++) {
        struct section *section = &content->sections[s];
        section->largest = distances_largest(content->distances[s]);
        section->bits = entry_bits(section->largest);
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
    if (!header->blocks || !packer->tail) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the table's list of blocks");
    }
    header->length = header_length(header);
    packer->at = header->length;
    return exchange_open(&packer->exchange, error);
}

static bool write_header(const struct packer *packer, struct fewest_error *error)
{
    uint8_t *bytes = malloc(packer->header.length);
    if (!bytes) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the table's header");
    }
    header_encode(&packer->header, bytes);
    bool written = output_write(packer->output, 0, bytes, packer->header.length, error);
    free(bytes);
    return written;
}

bool pack_table(struct table_content *content, const struct search_options *options,
                const struct output *output, struct fewest_error *error)
{
    struct packer *packer = malloc(sizeof *packer);
    bool made =
        packer || error_set(error, FEWEST_SYSTEM, "not enough memory to compress the table");
    if (!ranks_barrier(made, error) || !packer) {
        free(packer);
        return false;
    }
    *packer = (struct packer){
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
    bool done = ranks_barrier(start_header(packer, error), error);
    for (unsigned s = 0; s < content->section_count && done; s++) {
        packer->section = &content->sections[s];
        packer->distances = content->distances[s];
        done = pack_section(packer, error);
    }
    if (ranks_is_first()) {
        done = done && write_header(packer, error);
    }
    free(packer->header.blocks);
    free(packer->tail);
    exchange_close(&packer->exchange);
    free(packer);
    return done;
}
