#include "generate.h"

#include "closure.h"
#include "format.h"
#include "parallel.h"
#include "sections.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct work {
    const struct search_options *options;
    struct puzzle puzzle;
    struct header header;
    struct section sections[SECTIONS_MOST];
    uint8_t *distances[SECTIONS_MOST]; // a byte for each entry
    uint8_t **encoded;                 // by block
    _Atomic bool out_of_memory;
    struct fault *fault;
};

static bool no_memory(struct work *work)
{
    return fault_set(work->fault, FAULT_SYSTEM, "not enough memory for the table of %s (%llu states)",
                     work->puzzle.name, (unsigned long long)work->puzzle.state_count);
}

static bool find_distances(struct work *work)
{
    for (unsigned s = 0; s < work->header.section_count; s++) {
        const struct section *section = &work->sections[s];
        work->distances[s] = malloc(section->entries);
        if (!work->distances[s]) {
            return no_memory(work);
        }
        if (section->kind == SECTION_PATTERNS) {
            closure_distances(&work->puzzle, work->options->threads, work->distances[0], work->distances[s]);
        } else if (!search_distances(&work->puzzle, work->options, (_Atomic uint8_t *)work->distances[s], work->fault)) {
            return false;
        }
    }
    return true;
}

static void count_distances(struct section *section, const uint8_t *distances)
{
    uint64_t counts[UNREACHED + 1] = {0};
    for (uint64_t i = 0; i < section->entries; i++) {
        counts[distances[i]]++;
    }
    for (unsigned d = 0; d < UNREACHED; d++) {
        section->histogram[d] = counts[d];
        section->largest = counts[d] > 0 ? d : section->largest;
    }
    section->bits = entry_bits(section->largest);
}

// One section's blocks on their way to be packed and compressed.
struct packing {
    struct work *work;
    const struct section *section;
    const uint8_t *distances;
    uint64_t first_block; // of the section, in the file
};

static void pack_block(const struct packing *packing, uint64_t block_of_section, uint8_t *raw, size_t length)
{
    unsigned bits = packing->section->bits;
    unsigned per_byte = 8 / bits;
    uint64_t first = (block_of_section << packing->work->header.block_log2) * per_byte;
    memset(raw, 0, length);
    for (uint64_t i = 0; i < (uint64_t)length * per_byte && first + i < packing->section->entries; i++) {
        unsigned distance = packing->distances[first + i];
        unsigned entry = distance == UNREACHED ? entry_unreachable(bits) : distance;
        raw[i / per_byte] |= (uint8_t)(entry << (i % per_byte * bits));
    }
}

static void pack_part(void *context, uint64_t begin, uint64_t end)
{
    const struct packing *packing = context;
    struct work *work = packing->work;
    uint8_t *raw = malloc((size_t)1 << work->header.block_log2);
    for (uint64_t b = begin; b < end && raw; b++) {
        uint64_t number = packing->first_block + b;
        size_t length = block_bytes(&work->header, packing->section, b);
        size_t encoded_length = 0;
        pack_block(packing, b, raw, length);
        work->encoded[number] = block_encode(raw, length, &encoded_length);
        if (!work->encoded[number]) {
            work->out_of_memory = true;
            break;
        }
        work->header.blocks[number].length = (uint32_t)encoded_length;
        work->header.blocks[number].hash = format_hash(work->encoded[number], encoded_length);
    }
    if (!raw) {
        work->out_of_memory = true;
    }
    free(raw);
}

static bool pack(struct work *work)
{
    struct header *header = &work->header;
    for (unsigned s = 0; s < header->section_count; s++) {
        count_distances(&work->sections[s], work->distances[s]);
        header->block_count += section_blocks(header, &work->sections[s]);
    }
    header->blocks = calloc(header->block_count, sizeof *header->blocks);
    work->encoded = calloc(header->block_count, sizeof *work->encoded);
    if (!header->blocks || !work->encoded) {
        return no_memory(work);
    }
    uint64_t first_block = 0;
    for (unsigned s = 0; s < header->section_count; s++) {
        struct packing packing = {work, &work->sections[s], work->distances[s], first_block};
        uint64_t blocks = section_blocks(header, &work->sections[s]);
        parallel_for(work->options->threads, blocks, 1, pack_part, &packing);
        first_block += blocks;
    }
    return !work->out_of_memory || no_memory(work);
}

static bool assemble(struct work *work, struct generated *generated)
{
    struct header *header = &work->header;
    header->length = header_length(header);
    uint64_t at = header->length;
    for (uint64_t b = 0; b < header->block_count; b++) {
        header->blocks[b].offset = at;
        at += header->blocks[b].length;
    }
    generated->bytes = malloc(at);
    if (!generated->bytes) {
        return no_memory(work);
    }
    generated->length = at;
    header_encode(header, generated->bytes);
    for (uint64_t b = 0; b < header->block_count; b++) {
        memcpy(generated->bytes + header->blocks[b].offset, work->encoded[b], header->blocks[b].length);
    }
    return true;
}

bool generate_table(const char *definition, size_t length, enum metric metric, const struct search_options *options,
                    struct generated *generated, struct fault *fault)
{
    struct work work = {.options = options, .fault = fault};
    *generated = (struct generated){.bytes = NULL};
    if (!puzzle_compile(&work.puzzle, definition, length, metric, fault)) {
        return false;
    }
    memcpy(generated->name, work.puzzle.name, sizeof generated->name);
    work.header = (struct header){
        .major = FORMAT_MAJOR,
        .minor = FORMAT_MINOR,
        .metric = metric,
        .block_log2 = BLOCK_LOG2_DEFAULT,
        .definition = (char *)(uintptr_t)definition, // only read
        .definition_length = (uint32_t)length,
        .section_count = sections_of(&work.puzzle, work.sections),
        .sections = work.sections,
    };
    bool done = find_distances(&work) && pack(&work) && assemble(&work, generated);
    for (uint64_t b = 0; b < work.header.block_count && work.encoded; b++) {
        free(work.encoded[b]);
    }
    free(work.encoded);
    free(work.header.blocks);
    for (unsigned s = 0; s < SECTIONS_MOST; s++) {
        free(work.distances[s]);
    }
    puzzle_free(&work.puzzle);
    return done;
}

bool generate_verify(const uint8_t *bytes, size_t length, struct fault *fault)
{
    struct header header;
    if (!header_decode(&header, bytes, length, fault)) {
        return false;
    }
    uint8_t *raw = malloc((size_t)1 << header.block_log2);
    bool sound = raw || fault_set(fault, FAULT_SYSTEM, "not enough memory to verify the table");
    uint64_t block = 0;
    for (unsigned s = 0; s < header.section_count; s++) {
        uint64_t blocks = section_blocks(&header, &header.sections[s]);
        for (uint64_t b = 0; b < blocks && sound; b++, block++) {
            const struct block *at = &header.blocks[block];
            sound = block_decode(at, bytes + at->offset, raw, block_bytes(&header, &header.sections[s], b), fault);
        }
    }
    free(raw);
    header_free(&header);
    return sound;
}
