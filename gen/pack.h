// From distances to the bytes of a table file.
#ifndef FEWEST_GEN_PACK_H
#define FEWEST_GEN_PACK_H

#include "format.h"

// What goes into a table. pack_table fills in what the distances tell of each section: bits, largest and histogram.
struct table_content {
    const char *definition;
    size_t definition_length;
    enum metric metric;
    unsigned section_count;
    struct section sections[SECTIONS_MOST];
    const uint8_t *distances[SECTIONS_MOST]; // a byte for each entry, UINT8_MAX for unreachable
};

// Packs and compresses on up to `threads` threads; the bytes do not depend on their number. Returns them (from malloc)
// and their length, or NULL without memory.
uint8_t *pack_table(struct table_content *content, unsigned threads, size_t *length);

#endif
