#include "generate.h"

#include "closure.h"
#include "database.h"
#include "pack.h"
#include "sections.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool no_memory(const struct puzzle *puzzle, struct fault *fault)
{
    return fault_set(fault, FAULT_SYSTEM, "not enough memory for the table of %s (%llu states)", puzzle->name,
                     (unsigned long long)puzzle->state_count);
}

// What the whole states that share a question make of its distance.
static void fold_whole(const struct puzzle *puzzle, uint64_t count, const uint8_t *whole, uint8_t *states)
{
    memcpy(states, whole, puzzle->state_count);
    for (uint64_t w = puzzle->state_count; w < count; w++) {
        uint8_t *least = &states[w % puzzle->state_count];
        *least = whole[w] < *least ? whole[w] : *least;
    }
}

// A move changes a distance by one, up or down, and which of the two shows in the second lowest bit of the new one: the
// lowest follows from the blank's cell.
static void keep_ways(uint64_t count, uint8_t *whole)
{
    for (uint64_t w = 0; w < count; w++) {
        whole[w] = whole[w] & 2 ? UNREACHED : 0; // which is an UNREACHED one as well
    }
}

// The distances of a section, the ones before it being there: the sections stand in the order in which they are made. A
// search of whole states is kept in *whole for the section after its states.
static bool find_section(const struct puzzle *puzzle, const struct search_options *options,
                         const struct section *section, const uint8_t *before, uint8_t **whole, uint8_t *distances,
                         struct fault *fault)
{
    if (section->kind == SECTION_DATABASE) {
        return database_excess(puzzle, section->root_number, options, distances, fault);
    }
    unsigned root = section->root_number;
    uint64_t count = puzzle_whole_count(puzzle, root);
    bool hides = count > puzzle->state_count;
    switch (section->kind) {
    case SECTION_PATTERNS:
        closure_distances(puzzle, root, options->threads, before, distances);
        return true;
    case SECTION_WAYS:
        assert(*whole); // its states came before
        memcpy(distances, *whole, count);
        keep_ways(count, distances);
        return true;
    case SECTION_STATES:
    case SECTION_DATABASE:
    case SECTION_KIND_COUNT:
        break;
    }
    if (hides) {
        uint8_t *larger = realloc(*whole, count);
        if (!larger) {
            return no_memory(puzzle, fault);
        }
        *whole = larger;
    }
    if (!search_distances(puzzle, root, options, (_Atomic uint8_t *)(hides ? *whole : distances), fault)) {
        return false;
    }
    if (hides) {
        fold_whole(puzzle, count, *whole, distances);
    }
    return true;
}

static bool find_distances(const struct puzzle *puzzle, const struct search_options *options,
                           const struct table_content *content, uint8_t *distances[], struct fault *fault)
{
    uint8_t *whole = NULL;
    bool done = true;
    for (unsigned s = 0; s < content->section_count && done; s++) {
        distances[s] = malloc(content->sections[s].entries);
        done = distances[s] ? find_section(puzzle, options, &content->sections[s], s > 0 ? distances[s - 1] : NULL,
                                           &whole, distances[s], fault)
                            : no_memory(puzzle, fault);
    }
    free(whole);
    return done;
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
