#include "generate.h"

#include "closure.h"
#include "pack.h"
#include "sections.h"

#include <stdlib.h>
#include <string.h>

static bool no_memory(const struct puzzle *puzzle, struct fault *fault)
{
    return fault_set(fault, FAULT_SYSTEM, "not enough memory for the table of %s (%llu states)", puzzle->name,
                     (unsigned long long)puzzle->state_count);
}

// The sections stand in the order in which they are made: a root's states, then its patterns.
static bool find_distances(const struct puzzle *puzzle, const struct search_options *options,
                           const struct table_content *content, uint8_t *distances[], struct fault *fault)
{
    for (unsigned s = 0; s < content->section_count; s++) {
        unsigned root = content->sections[s].root_number;
        distances[s] = malloc(content->sections[s].entries);
        if (!distances[s]) {
            return no_memory(puzzle, fault);
        }
        if (content->sections[s].kind == SECTION_PATTERNS) {
            closure_distances(puzzle, root, options->threads, distances[s - 1], distances[s]);
        } else if (!search_distances(puzzle, root, options, (_Atomic uint8_t *)distances[s], fault)) {
            return false;
        }
    }
    return true;
}

static bool make_table(const struct puzzle *puzzle, const struct search_options *options, struct table_content *content,
                       struct generated *generated, struct fault *fault)
{
    uint8_t *distances[SECTIONS_MOST] = {NULL};
    content->section_count = sections_of(puzzle, content->sections);
    bool done = find_distances(puzzle, options, content, distances, fault);
    if (done) {
        memcpy(content->distances, distances, sizeof distances);
        generated->bytes = pack_table(content, options->threads, &generated->length);
        done = generated->bytes || no_memory(puzzle, fault);
    }
    for (unsigned s = 0; s < SECTIONS_MOST; s++) {
        free(distances[s]);
    }
    return done;
}

bool generate_table(const char *definition, size_t length, enum metric metric, const struct search_options *options,
                    struct generated *generated, struct fault *fault)
{
    struct table_content content = {.definition = definition, .definition_length = length, .metric = metric};
    struct puzzle puzzle;
    *generated = (struct generated){.bytes = NULL};
    if (!puzzle_compile(&puzzle, definition, length, metric, fault)) {
        return false;
    }
    memcpy(generated->name, puzzle.name, sizeof generated->name);
    bool done = make_table(&puzzle, options, &content, generated, fault);
    puzzle_free(&puzzle);
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
