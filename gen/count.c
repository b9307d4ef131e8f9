// Counts the states of a puzzle with integers of any size.
#include "count.h"

#include "program/command_line.h"

#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// GMP's functions must not fail. Nothing is written yet when they run, so the program may end here.
static void *insist(void *memory)
{
    if (!memory) {
        fputs("fewest-gen: not enough memory for the number of states\n", stderr);
        exit(STATUS_SYSTEM);
    }
    return memory;
}

static void *allocate(size_t length)
{
    return insist(malloc(length));
}

static void *reallocate(void *memory, size_t old_length, size_t length)
{
    (void)old_length;
    return insist(realloc(memory, length));
}

static void release(void *memory, size_t length)
{
    (void)length;
    free(memory);
}

struct product {
    mpz_t number;
    FILE *factors;
    unsigned factor_count;
};

static void multiply(void *context, uint32_t number)
{
    struct product *product = context;
    mpz_mul_ui(product->number, product->number, number);
}

static void divide(void *context, uint32_t number)
{
    struct product *product = context;
    mpz_divexact_ui(product->number, product->number, number);
}

static void add_factor(void *context, const char *text)
{
    struct product *product = context;
    fprintf(product->factors, "%s%s", product->factor_count++ > 0 ? " · " : "", text);
}

// Writes the number and, unless they say nothing new, the factors.
static char *write_count(const struct product *product, const char *factors)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    if (file) {
        gmp_fprintf(file, "%Zd", product->number);
        if (product->factor_count > 1 || strpbrk(factors, "!^")) {
            fprintf(file, " (%s)", factors);
        }
    }
    if (!file || fclose(file) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}

char *count_states(const struct puzzle *puzzle)
{
    struct product product = {.factor_count = 0};
    char *factors = NULL;
    size_t length;
    product.factors = open_memstream(&factors, &length);
    if (!product.factors) {
        return NULL;
    }
    mp_set_memory_functions(allocate, reallocate, release);
    mpz_init_set_ui(product.number, 1);
    struct state_counter counter = {&product, multiply, divide, add_factor};
    if (!puzzle_count_states(puzzle, &counter)) {
        mpz_import(product.number, 1, -1, sizeof puzzle->numbering.state_count, 0, 0,
                   &puzzle->numbering.state_count);
    }
    char *text = fclose(product.factors) == 0 ? write_count(&product, factors) : NULL;
    mpz_clear(product.number);
    free(factors);
    return text;
}
