// Packs distances into compressed blocks, on all threads.
#include "pack.h"

#include "base/parallel.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH_A_THREAD = 64, // blocks that a thread makes before all are written
    BATCH_MOST = BATCH_A_THREAD * PARALLEL_THREADS_MOST,
};

struct packer {
    struct table_content *content;
    const struct search_options *options;
    const struct output *output;
    struct header header;
    // The section at hand, and the batch of its blocks:
    const struct section *section;
    const struct distances *distances;
    uint64_t first_block; // of the section, in the table
    uint64_t first_of_batch;
    enum strategy strategy;
    _Atomic uint64_t sampled[STRATEGY_BOTH]; // bytes, by strategy
    uint8_t *encoded[BATCH_MOST];
    struct fewest_error error; // of the first block that failed
    _Atomic bool failed;
    struct encoder *encoders[PARALLEL_THREADS_MOST]; // taken by the parts of a batch in turn
    _Atomic unsigned taken;
};

// ---- Blocks -------------------------------------------------------------------------------------

static bool keep_first_error(struct packer *packer, const struct fewest_error *error)
{
    if (!atomic_exchange(&packer->failed, true)) {
        packer->error = *error;
    }
    return false;
}

// Packs entries as they stand in a byte each; `bytes` has room for all of them at eight bits.
static void pack_entries(const struct section *section, uint8_t *bytes, size_t count)
{
    unsigned per_byte = 8 / section->bits;
    if (per_byte == 1) {
        return; // as they are: UNREACHED is all bits set
    }
    uint8_t *out = bytes;
    for (size_t i = 0; i < count; i += per_byte) {
        unsigned byte = 0;
        for (size_t k = 0; k < per_byte && i + k < count; k++) {
            unsigned distance = bytes[i + k];
            unsigned entry = distance == UNREACHED ? entry_unreachable(section->bits) : distance;
            byte |= entry << (k * section->bits);
        }
        *out++ = (uint8_t)byte;
    }
}

// Fills in the bytes of a block of the section.
static bool read_block(const struct packer *packer, uint64_t number, uint8_t *raw, size_t *length,
                       struct fewest_error *error)
{
    const struct section *section = packer->section;
    *length = block_bytes(&packer->header, section, number);
    uint64_t first = (number << packer->header.block_log2) * 8 / section->bits;
    uint64_t rest = section->entries - first;
    size_t count = *length * 8 / section->bits;
    count = rest < count ? (size_t)rest : count;
    if (!distances_read(packer->distances, first, count, raw, error)) {
        return false;
    }
    pack_entries(section, raw, count);
    return true;
}

// What a part of a batch, or of a sample, works with.
struct tools {
    struct encoder *encoder;
    uint8_t *raw;
};

static bool take_tools(struct packer *packer, struct tools *tools)
{
    struct fewest_error error;
    tools->encoder = packer->encoders[atomic_fetch_add(&packer->taken, 1)];
    // Entries of one bit take eight times their room.
    tools->raw = malloc((size_t)8 << packer->header.block_log2);
    if (!tools->raw) {
        error_write(&error, FEWEST_SYSTEM, "not enough memory to compress the table");
        return keep_first_error(packer, &error);
    }
    return true;
}

static bool pack_block(struct packer *packer, const struct tools *tools, uint64_t of_batch)
{
    uint64_t number = packer->first_of_batch + of_batch;
    size_t length;
    struct fewest_error error;
    if (!read_block(packer, number, tools->raw, &length, &error)) {
        return keep_first_error(packer, &error);
    }
    struct block *block = &packer->header.blocks[packer->first_block + number];
    size_t encoded_length = 0;
    packer->encoded[of_batch] =
        block_encode(tools->encoder, packer->strategy, tools->raw, length, &encoded_length);
    if (!packer->encoded[of_batch]) {
        error_write(&error, FEWEST_SYSTEM, "not enough memory to compress the table");
        return keep_first_error(packer, &error);
    }
    block->length = (uint32_t)encoded_length;
    block->hash = format_hash(packer->encoded[of_batch], encoded_length);
    return true;
}

static void sample_block(struct packer *packer, const struct tools *tools, uint64_t number)
{
    size_t length;
    struct fewest_error error;
    if (!read_block(packer, number, tools->raw, &length, &error)) {
        keep_first_error(packer, &error);
        return;
    }
    for (enum strategy s = STRATEGY_FREQUENCY; s < STRATEGY_BOTH; s++) {
        size_t encoded_length = 0;
        uint8_t *encoded = block_encode(tools->encoder, s, tools->raw, length, &encoded_length);
        if (!encoded) {
            error_write(&error, FEWEST_SYSTEM, "not enough memory to compress the table");
            keep_first_error(packer, &error);
            return;
        }
        free(encoded);
        packer->sampled[s] += encoded_length;
    }
}

enum {
    SAMPLES = 64,
    SMALL = 1 << 20, // bytes of a section that both ways take no time for
};

static void sample_part(void *context, uint64_t begin, uint64_t end)
{
    struct packer *packer = context;
    uint64_t blocks = section_blocks(&packer->header, packer->section);
    struct tools tools;
    if (take_tools(packer, &tools)) {
        for (uint64_t i = begin; i < end && i < blocks && !packer->failed; i++) {
            sample_block(packer, &tools, blocks < SAMPLES ? i : i * blocks / SAMPLES);
        }
        free(tools.raw);
    }
}

// Distances of neighbouring indices are close to noise, in which a search for repeats finds
// nothing; but some spaces have long runs of `unreachable`, or an order of their own. What a few
// blocks say decides for the section: where the search wins, each block takes the better of both.
// Of a large section it has to win much, for it takes long.
static bool choose_strategy(struct packer *packer, struct fewest_error *error)
{
    unsigned threads = packer->options->threads;
    if (section_bytes(packer->section) <= SMALL) {
        packer->strategy = STRATEGY_BOTH;
        return true;
    }
    packer->taken = 0;
    packer->sampled[STRATEGY_FREQUENCY] = packer->sampled[STRATEGY_REPEATS] = 0;
    parallel_for(threads, SAMPLES, (SAMPLES + threads - 1) / threads, sample_part, packer);
    if (packer->failed) {
        *error = packer->error;
        return false;
    }
    unsigned percent = section_bytes(packer->section) > BLOCK_SMALL_MOST ? 80 : 99;
    bool wins =
        packer->sampled[STRATEGY_REPEATS] < packer->sampled[STRATEGY_FREQUENCY] / 100 * percent;
    packer->strategy = wins ? STRATEGY_BOTH : STRATEGY_FREQUENCY;
    return true;
}

static void pack_part(void *context, uint64_t begin, uint64_t end)
{
    struct packer *packer = context;
    struct tools tools;
    if (take_tools(packer, &tools)) {
        for (uint64_t b = begin; b < end && !packer->failed; b++) {
            pack_block(packer, &tools, b);
        }
        free(tools.raw);
    }
}

static bool write_batch(struct packer *packer, uint64_t count, uint64_t *at,
                        struct fewest_error *error)
{
    bool written = true;
    for (uint64_t b = 0; b < count && written; b++) {
        struct block *block =
            &packer->header.blocks[packer->first_block + packer->first_of_batch + b];
        block->offset = *at;
        written = output_write(packer->output, *at, packer->encoded[b], block->length, error);
        *at += block->length;
    }
    return written;
}

// ---- The whole ----------------------------------------------------------------------------------

static bool pack_batch(struct packer *packer, uint64_t count, uint64_t *at,
                       struct fewest_error *error)
{
    unsigned threads = packer->options->threads;
    memset(packer->encoded, 0, sizeof packer->encoded);
    packer->taken = 0;
    parallel_for(threads, count, (count + threads - 1) / threads, pack_part, packer);
    bool written = false;
    if (packer->failed) {
        *error = packer->error;
    } else if (packer->options->stopped && packer->options->stopped(packer->options->context)) {
        error_write(error, FEWEST_STOPPED, "stopped while writing the table; no table was made");
    } else {
        written = write_batch(packer, count, at, error);
    }
    for (unsigned b = 0; b < BATCH_MOST; b++) {
        free(packer->encoded[b]);
    }
    return written;
}

static bool pack_section(struct packer *packer, uint64_t *at, struct fewest_error *error)
{
    uint64_t blocks = section_blocks(&packer->header, packer->section);
    uint64_t most = (uint64_t)BATCH_A_THREAD * packer->options->threads;
    if (!choose_strategy(packer, error)) {
        return false;
    }
    for (packer->first_of_batch = 0; packer->first_of_batch < blocks;
         packer->first_of_batch += most) {
        uint64_t rest = blocks - packer->first_of_batch;
        if (!pack_batch(packer, rest < most ? rest : most, at, error)) {
            return false;
        }
    }
    packer->first_block += blocks;
    return true;
}

// What the distances tell, and from that the length of the header.
static bool start_header(struct packer *packer, struct fewest_error *error)
{
    struct table_content *content = packer->content;
    struct header *header = &packer->header;
    uint64_t bytes = 0;
    for (unsigned s = 0; s < content->section_count; s++) {
        struct section *section = &content->sections[s];
        section->largest = distances_largest(content->distances[s]);
        section->bits = entry_bits(section->largest);
        memcpy(section->histogram, content->distances[s]->histogram,
               sizeof content->distances[s]->histogram);
        bytes += section_bytes(section);
    }
    header->block_log2 = bytes > BLOCK_SMALL_MOST ? BLOCK_LOG2_LARGE : BLOCK_LOG2_DEFAULT;
    for (unsigned s = 0; s < content->section_count; s++) {
        header->block_count += section_blocks(header, &content->sections[s]);
    }
    assert(header->block_count > 0);
    header->blocks = calloc(header->block_count, sizeof *header->blocks);
    if (!header->blocks) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the table's list of blocks");
    }
    header->length = header_length(header);
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

// A part of a batch has one, and there are no more parts than threads.
static bool open_encoders(struct packer *packer, struct fewest_error *error)
{
    for (unsigned i = 0; i < packer->options->threads; i++) {
        packer->encoders[i] = encoder_open();
        if (!packer->encoders[i]) {
            return error_set(error, FEWEST_SYSTEM, "not enough memory to compress the table");
        }
    }
    return true;
}

bool pack_table(struct table_content *content, const struct search_options *options,
                const struct output *output, struct fewest_error *error)
{
    struct packer *packer = malloc(sizeof *packer);
    if (!packer) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory to compress the table");
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
    bool done = start_header(packer, error) && open_encoders(packer, error);
    uint64_t at = packer->header.length;
    for (unsigned s = 0; s < content->section_count && done; s++) {
        packer->section = &content->sections[s];
        packer->distances = content->distances[s];
        done = pack_section(packer, &at, error);
    }
    done = done && write_header(packer, error);
    for (unsigned i = 0; i < PARALLEL_THREADS_MOST; i++) {
        encoder_close(packer->encoders[i]);
    }
    free(packer->header.blocks);
    free(packer);
    return done;
}
