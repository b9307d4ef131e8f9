// The entries of a pattern database by symmetric pages (families/symmetry/stripes.h), as the marks
// of a search that has ended early.
//
// The search ends with the layer `base` + 2. So it has an old mark for each state whose entry is 0,
// the marks of the two newest layers for entries 1 and 2, and no mark for entry 3.
#ifndef FEWEST_GEN_BOUND_ENTRIES_H
#define FEWEST_GEN_BOUND_ENTRIES_H

#include "marks.h"

struct bound_entries {
    struct marks marks;
    uint64_t rows;  // of this rank
    unsigned width; // entries of a row
    unsigned base;
    _Atomic uint8_t *least; // by stripe: the first layer with one of its entries, or UINT8_MAX
};

// Makes the list of stripes for `rows` rows. Fails with FEWEST_SYSTEM if memory runs out.
bool bound_entries_make(struct bound_entries *entries, uint64_t rows, unsigned width,
                        struct fewest_error *error);
void bound_entries_free(struct bound_entries *entries);

// The slots of a row.
uint64_t bound_entries_row_slots(unsigned width);

// Notes that layer `layer` has an entry of a row. Layers may come in any order.
void bound_entries_note(struct bound_entries *entries, uint64_t row, unsigned offset,
                        unsigned layer);

// Reads the values of `count` slots from `first` on, a byte each. Value 3 is UINT8_MAX. Any number
// of threads may read.
void bound_entries_read(const struct bound_entries *entries, uint64_t first, size_t count,
                        uint8_t *out);

#endif
