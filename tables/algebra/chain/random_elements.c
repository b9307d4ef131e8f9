// Draws random elements of permutation groups.
#include "random_elements.h"

#include "tables/base/random.h"

#include <stdlib.h>
#include <string.h>

// Product replacement (F. Celler and others, "Generating random elements of a finite group", 1995):
// a list of generators, in which one is multiplied by another each time.

enum {
    LIST_LEAST = 10, // rows; generators are repeated to fill them
    WARM_UP = 60,    // products that are not used, because they are hardly random
};

struct random_elements {
    unsigned degree;
    unsigned count;
    uint64_t random; // seed
    uint16_t *rows;  // `count` rows, and after them the accumulated product
    uint16_t *spare; // a row
};

static uint16_t *row_of(const struct random_elements *elements, unsigned number)
{
    return elements->rows + (size_t)number * elements->degree;
}

// Replaces a row by a product: row, then other. With `other_first`: other, then row.
static void multiply_row(struct random_elements *elements, uint16_t *row, const uint16_t *other,
                         bool other_first)
{
    for (unsigned x = 0; x < elements->degree; x++) {
        elements->spare[x] = other_first ? row[other[x]] : other[row[x]];
    }
    memcpy(row, elements->spare, elements->degree * sizeof *row);
}

struct random_elements *random_elements_open(unsigned degree, const uint16_t *const *generators,
                                             unsigned count)
{
    struct random_elements *elements = calloc(1, sizeof *elements);
    if (!elements) {
        return NULL;
    }
    elements->degree = degree;
    elements->random = RANDOM_SEED;
    elements->count = count < LIST_LEAST ? LIST_LEAST : count;
    elements->rows = malloc(((size_t)(elements->count + 1) * degree + 1) * sizeof *elements->rows);
    elements->spare = malloc((degree + 1u) * sizeof *elements->spare);
    if (!elements->rows || !elements->spare) {
        random_elements_close(elements);
        return NULL;
    }
    for (unsigned i = 0; i < elements->count && count > 0; i++) {
        memcpy(row_of(elements, i), generators[i % count], degree * sizeof(uint16_t));
    }
    // The product begins as the identity, and so do all rows if there are no generators.
    for (unsigned i = count > 0 ? elements->count : 0; i <= elements->count; i++) {
        for (unsigned x = 0; x < degree; x++) {
            row_of(elements, i)[x] = (uint16_t)x;
        }
    }
    for (unsigned i = 0; i < WARM_UP + elements->count; i++) {
        random_elements_next(elements);
    }
    return elements;
}

// Multiplies a random row by another one, and the accumulated product by the result.
const uint16_t *random_elements_next(struct random_elements *elements)
{
    unsigned a = (unsigned)random_below(&elements->random, elements->count);
    unsigned b = (unsigned)random_below(&elements->random, elements->count - 1);
    if (b >= a) {
        b++; // any row but a
    }
    uint16_t *product = row_of(elements, elements->count);
    multiply_row(elements, row_of(elements, a), row_of(elements, b),
                 random_below(&elements->random, 2));
    multiply_row(elements, product, row_of(elements, a), random_below(&elements->random, 2));
    return product;
}

void random_elements_close(struct random_elements *elements)
{
    if (elements) {
        free(elements->rows);
        free(elements->spare);
    }
    free(elements);
}

// A row is written into new memory.
uint64_t random_elements_open_work(unsigned degree, unsigned count)
{
    enum { ROW_WORK = 5 }; // for each point
    uint64_t rows = count < LIST_LEAST ? LIST_LEAST : count;
    return ROW_WORK * rows * degree + (WARM_UP + rows) * random_elements_next_work(degree);
}

// Two products are written and copied.
uint64_t random_elements_next_work(unsigned degree)
{
    return 4 * (uint64_t)degree;
}
