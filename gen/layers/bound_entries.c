// Reads the entries of a pattern database from the marks of its search.
#include "bound_entries.h"

#include "tables/families/symmetry/stripes.h"

#include <stdlib.h>
#include <string.h>

bool bound_entries_make(struct bound_entries *entries, uint64_t rows, unsigned width,
                        struct fewest_error *error)
{
    uint64_t stripes = rows * stripes_of_row(width);
    *entries = (struct bound_entries){.rows = rows, .width = width};
    entries->least = malloc(stripes + 1);
    if (!entries->least) {
        return error_no_memory(error, "for a pattern database");
    }
    memset((void *)entries->least, UINT8_MAX, stripes);
    return true;
}

void bound_entries_free(struct bound_entries *entries)
{
    marks_free(&entries->marks);
    free((void *)entries->least);
    entries->least = NULL;
}

uint64_t bound_entries_row_slots(unsigned width)
{
    return stripes_of_row(width) * STRIPE_SLOTS;
}

void bound_entries_note(struct bound_entries *entries, uint64_t row, unsigned offset,
                        unsigned layer)
{
    _Atomic uint8_t *least =
        &entries->least[row * stripes_of_row(entries->width) + offset / STRIPE_ENTRIES];
    if (layer < *least) {
        *least = (uint8_t)layer;
    }
}

// How far the least distance of a stripe is below the base, in four bits.
static unsigned find_below(const struct bound_entries *entries, uint64_t stripe)
{
    unsigned least = entries->least[stripe];
    unsigned below = least <= entries->base ? entries->base - least : 0;
    return below < STRIPE_BELOW_MOST ? below : STRIPE_BELOW_MOST;
}

// Fills in the values of all slots of a stripe.
static void read_stripe(const struct bound_entries *entries, uint64_t stripe, uint8_t *out)
{
    uint64_t each = stripes_of_row(entries->width);
    unsigned first = (unsigned)(stripe % each) * STRIPE_ENTRIES;
    unsigned rest = entries->width - first;
    unsigned count = rest < STRIPE_ENTRIES ? rest : STRIPE_ENTRIES;
    uint64_t entry = stripe / each * entries->width + first;
    uint8_t value[4] = {[MARK_NONE] = UINT8_MAX, [MARK_OLD] = 0};
    unsigned below = find_below(entries, stripe);
    value[mark_of_layer(entries->base + 1)] = 1;
    value[mark_of_layer(entries->base + 2)] = 2;
    memset(out, UINT8_MAX, STRIPE_SLOTS);
    for (unsigned i = 0; i < count; i++) {
        out[i] = value[marks_get(&entries->marks, entry + i)];
    }
    for (unsigned half = 0; half < 2; half++, below >>= ENTRY_BITS) {
        unsigned bits = below & ENTRY_BEYOND;
        out[STRIPE_ENTRIES + half] = bits == ENTRY_BEYOND ? UINT8_MAX : (uint8_t)bits;
    }
}

void bound_entries_read(const struct bound_entries *entries, uint64_t first, size_t count,
                        uint8_t *out)
{
    uint8_t slots[STRIPE_SLOTS];
    for (size_t done = 0; done < count;) {
        unsigned at = (unsigned)((first + done) % STRIPE_SLOTS);
        size_t here = count - done < STRIPE_SLOTS - at ? count - done : STRIPE_SLOTS - at;
        read_stripe(entries, (first + done) / STRIPE_SLOTS, slots);
        memcpy(out + done, slots + at, here);
        done += here;
    }
}
