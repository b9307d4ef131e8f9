// Packs distances into compressed blocks on all threads, and writes them.
#include "pack.h"

#include "base/parallel.h"
#include "encode.h"
#include "ranks.h"

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
    uint64_t *firsts;     // by rank, and for one more: the first entry that it has
    struct block *own;    // the blocks that this rank packs; on rank 0, the header has them
    uint8_t *tail;        // the entries of its last block that other ranks have
    uint8_t *head;        // room for its first entries, for an earlier rank
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
static inline void pack_bits(uint8_t *bytes, size_t count, unsigned bits)
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

static void pack_entries(const struct section *section, uint8_t *bytes, size_t count)
{
    switch (section->bits) {
    case 1:
        pack_bits(bytes, count, 1);
        break;
    case 2:
        pack_bits(bytes, count, 2);
        break;
    case 4:
        pack_bits(bytes, count, 4);
        break;
    default: // bytes are entries already
        break;
    }
}

static uint64_t entries_a_block(const struct packer *packer)
{
    return ((uint64_t)8 << packer->header.block_log2) / packer->section->bits;
}

// The first block of the section that a rank packs. For ranks_count(), their number.
static uint64_t first_block_of(const struct packer *packer, unsigned rank)
{
    uint64_t entries = entries_a_block(packer);
    return (packer->firsts[rank] + entries - 1) / entries;
}

// Block `number` of the section, which this rank packs.
static struct block *own_block(const struct packer *packer, uint64_t number)
{
    return ranks_number() == 0 ? &packer->header.blocks[packer->first_block + number]
                               : &packer->own[number - first_block_of(packer, ranks_number())];
}

// Reads entries as distances: those of this rank, and then the tail.
static bool read_entries(const struct packer *packer, uint64_t first, size_t count, uint8_t *raw,
                         struct fewest_error *error)
{
    const struct distances *distances = packer->distances;
    uint64_t end = distances->first + distances->count;
    size_t own = end - first < count ? (size_t)(end - first) : count;
    if (own < count) {
        memcpy(raw + own, packer->tail, count - own);
    }
    return distances_read(distances, first, own, raw, error);
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
    pack_entries(section, raw, count);
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
// the rank that packs it.
static bool send_tail(const struct packer *packer, unsigned from, struct fewest_error *error)
{
    uint64_t entries = entries_a_block(packer);
    uint64_t first = packer->firsts[from];
    uint64_t block_end = (first + entries - 1) / entries * entries;
    uint64_t end = packer->firsts[from + 1] < block_end ? packer->firsts[from + 1] : block_end;
    unsigned to = from;
    while (packer->firsts[to] > block_end - entries ||
           packer->firsts[to] == packer->firsts[to + 1]) {
        to--; // to the rank that has the first entry of the block
    }
    if (ranks_number() == to) {
        return ranks_receive(from, packer->tail + (first - packer->firsts[to + 1]), end - first,
                             error);
    }
    if (ranks_number() != from) {
        return true;
    }
    bool is_read = distances_read(packer->distances, first, end - first, packer->head, error);
    struct fewest_error unsent;
    if (!ranks_send(to, packer->head, end - first, is_read ? error : &unsent)) {
        return false;
    }
    return is_read;
}

static bool send_tails(const struct packer *packer, struct fewest_error *error)
{
    bool sent = true;
    struct fewest_error later;
    for (unsigned rank = 1; rank < ranks_count(); rank++) { // also after an error: others wait
        if (packer->firsts[rank] % entries_a_block(packer) > 0 &&
            packer->firsts[rank] < packer->firsts[rank + 1]) {
            sent = send_tail(packer, rank, sent ? error : &later) && sent;
        }
    }
    return sent;
}

enum { COLLECTED_AT_ONCE = 1 << 20 }; // bytes

// Sends the blocks that this rank has packed, from its own file. Rank 0 receives them, and writes
// them where they belong.
static bool collect_bytes(struct packer *packer, unsigned rank, uint64_t length, uint8_t *part,
                          struct fewest_error *error)
{
    bool good = true;
    struct fewest_error failed;
    for (uint64_t at = 0; at < length; at += COLLECTED_AT_ONCE) {
        size_t count = length - at < COLLECTED_AT_ONCE ? (size_t)(length - at) : COLLECTED_AT_ONCE;
        if (ranks_number() == rank) {
            good = good && output_read(packer->output, at, part, count, &failed);
            if (!ranks_send(0, part, count, error)) {
                return false;
            }
        } else if (!ranks_receive(rank, part, count, error)) {
            return false;
        } else {
            good = good && output_write(packer->output, packer->at, part, count, &failed);
            packer->at += count;
        }
    }
    if (!good) {
        *error = failed;
    }
    return good;
}

// Takes the lengths and hashes of a rank's blocks to rank 0, then their bytes.
static bool collect_blocks(struct packer *packer, unsigned rank, uint8_t *part,
                           struct fewest_error *error)
{
    uint64_t first = first_block_of(packer, rank);
    uint64_t count = first_block_of(packer, rank + 1) - first;
    struct block *blocks =
        ranks_number() == 0 ? &packer->header.blocks[packer->first_block + first] : packer->own;
    uint64_t length = 0;
    if (ranks_number() == rank ? !ranks_send(0, blocks, count * sizeof *blocks, error)
                               : !ranks_receive(rank, blocks, count * sizeof *blocks, error)) {
        return false;
    }
    for (uint64_t b = 0; b < count; b++) {
        blocks[b].offset = packer->at + length;
        length += blocks[b].length;
    }
    return collect_bytes(packer, rank, length, part, error);
}

static bool collect_section(struct packer *packer, struct fewest_error *error)
{
    uint8_t *part = malloc(COLLECTED_AT_ONCE);
    bool done = ranks_agree(
        part || error_set(error, FEWEST_SYSTEM, "not enough memory to write the table"), error);
    bool good = done;
    struct fewest_error later;
    for (unsigned rank = 1; rank < ranks_count() && done; rank++) {
        // After an error, rank 0 still receives what the others send.
        if (ranks_number() == 0 || ranks_number() == rank) {
            good = collect_blocks(packer, rank, part, good ? error : &later) && good;
        }
    }
    free(part);
    return ranks_agree(good, error);
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
    uint64_t first = first_block_of(packer, ranks_number());
    uint64_t next = first_block_of(packer, ranks_number() + 1);
    for (uint64_t i = begin; i < end && i < blocks && going; i++) {
        uint64_t number = blocks < SAMPLES ? i : i * blocks / SAMPLES;
        size_t encoded_length;
        if (number < first || number >= next) {
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
    if (!ranks_agree(!packer->failed, error) ||
        !ranks_sum(sums, sizeof sums / sizeof *sums, error)) {
        return false;
    }
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
        struct block *block = own_block(packer, number);
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
        struct block *block = own_block(packer, packer->first_of_batch + b);
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
    } else if (options->stopped && options->stopped(options->context)) {
        error_write(error, FEWEST_STOPPED, "stopped while writing the table; no table was made");
    } else {
        written = write_batch(packer, count, error);
    }
    for (unsigned b = 0; b < BATCH_MOST; b++) {
        free(packer->encoded[b]);
    }
    if (written && options->packed) {
        uint64_t done = packer->first_block + packer->first_of_batch + count;
        options->packed(options->context, done, packer->header.block_count);
    }
    return written;
}

static bool pack_own_blocks(struct packer *packer, struct fewest_error *error)
{
    uint64_t end = first_block_of(packer, ranks_number() + 1);
    uint64_t most = (uint64_t)BATCH_A_THREAD * packer->options->threads;
    if (ranks_number() > 0) {
        packer->at = 0; // of the file from which rank 0 will get the blocks
    }
    for (packer->first_of_batch = first_block_of(packer, ranks_number());
         packer->first_of_batch < end; packer->first_of_batch += most) {
        uint64_t rest = end - packer->first_of_batch;
        if (!pack_batch(packer, rest < most ? rest : most, error)) {
            return false;
        }
    }
    return true;
}

static bool make_own(struct packer *packer, struct fewest_error *error)
{
    uint64_t first = first_block_of(packer, ranks_number());
    uint64_t count = first_block_of(packer, ranks_number() + 1) - first;
    packer->own = ranks_number() > 0 ? calloc(count + 1, sizeof *packer->own) : NULL;
    return packer->own || ranks_number() == 0 ||
           error_set(error, FEWEST_SYSTEM, "not enough memory for the table's list of blocks");
}

static bool pack_section(struct packer *packer, struct fewest_error *error)
{
    bool done = ranks_gather(packer->distances->first, packer->firsts, error);
    packer->firsts[ranks_count()] = packer->section->entries;
    done = done && ranks_agree(make_own(packer, error), error) &&
           ranks_agree(send_tails(packer, error), error) && choose_strategy(packer, error) &&
           ranks_agree(pack_own_blocks(packer, error), error) && collect_section(packer, error);
    packer->first_block += section_blocks(&packer->header, packer->section);
    free(packer->own);
    packer->own = NULL;
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
    header->blocks = calloc(ranks_number() == 0 ? header->block_count : 1, sizeof *header->blocks);
    packer->firsts = calloc(ranks_count() + 1, sizeof *packer->firsts);
    packer->tail = malloc((size_t)8 << header->block_log2);
    packer->head = malloc((size_t)8 << header->block_log2);
    if (!header->blocks || !packer->firsts || !packer->tail || !packer->head) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the table's list of blocks");
    }
    if (ranks_number() == 0) { // it alone has the list of all blocks
        header->length = header_length(header);
        packer->at = header->length;
    }
    return true;
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
    if (!ranks_agree(made, error) || !packer) {
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
    bool done = ranks_agree(start_header(packer, error), error);
    for (unsigned s = 0; s < content->section_count && done; s++) {
        packer->section = &content->sections[s];
        packer->distances = content->distances[s];
        done = pack_section(packer, error);
    }
    if (ranks_number() == 0) {
        done = done && write_header(packer, error);
    }
    free(packer->header.blocks);
    free(packer->firsts);
    free(packer->tail);
    free(packer->head);
    free(packer);
    return done;
}
