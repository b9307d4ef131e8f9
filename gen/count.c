// Counts the states of a puzzle with integers of any size.
#include "count.h"

#include "program/command_line.h"

#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>

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

static void multiply(void *context, uint32_t number)
{
    mpz_t *product = context;
    mpz_mul_ui(*product, *product, number);
}

static void divide(void *context, uint32_t number)
{
    mpz_t *product = context;
    mpz_divexact_ui(*product, *product, number);
}

static void ignore_factor(void *context, const char *text)
{
    (void)context;
    (void)text;
}

char *count_states(const struct puzzle *puzzle)
{
    char factors[FACTORS_SIZE];
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    if (!file) {
        return NULL;
    }
    mpz_t product;
    mp_set_memory_functions(allocate, reallocate, release);
    mpz_init_set_ui(product, 1);
    struct state_counter counter = {&product, multiply, divide, ignore_factor};
    puzzle_count_states(puzzle, &counter);
    puzzle_write_factors(puzzle, factors);
    gmp_fprintf(file, "%Zd", product);
    if (factors[0]) {
        fprintf(file, " (%s)", factors);
    }
    mpz_clear(product);
    if (fclose(file) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
