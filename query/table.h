// An open table: the mapped file, its header and puzzle, and the blocks unpacked so far. Internal to query/.
#ifndef FEWEST_QUERY_TABLE_H
#define FEWEST_QUERY_TABLE_H

#include "fewest.h"
#include "format.h"
#include "mapping.h"
#include "puzzle.h"

// One section, unpacked as far as it has been asked.
struct unpacked {
    const struct section *section;
    const struct block *blocks; // the section's own
    uint8_t *bytes;             // room for all entries; its pages come with the blocks
    bool *ready;                // by block
};

struct fewest {
    struct mapping mapping; // empty where the caller holds the bytes
    const uint8_t *bytes;
    size_t length;
    struct header header;
    struct puzzle puzzle;
    struct unpacked states;
    struct unpacked patterns; // section NULL without them
    uint8_t *scratch;         // a copy of the block at hand: the file may change under the map between hash and use
    size_t scratch_size;
};

// Turns a fault of tables/ into an error of the public interface. Returns false.
bool raise_fault(struct fewest_error *error, const struct fault *fault);

// The entry's distance, or FEWEST_UNREACHABLE. Unpacks its block where this is the first look at it.
bool table_entry(struct fewest *table, const struct unpacked *unpacked, uint64_t entry, int *distance,
                 struct fault *fault);

// Unpacks one block of a section now.
bool table_unpack(struct fewest *table, const struct unpacked *unpacked, uint64_t block, struct fault *fault);

// The target of a question: its own or the puzzle's goal.
const uint8_t *target_of(const struct fewest *table, const struct fewest_question *question);

// The distance from start to target: one look-up where the question has an entry, in one of the two sections; else the
// least over all states that agree with the target.
bool find_distance(struct fewest *table, const uint8_t *start, const uint8_t *target, int *distance,
                   struct fault *fault);

#endif
