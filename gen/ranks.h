// The processes that make a table together. MPI calls them ranks; `mpirun -n 4` starts four.
//
// The states of a search are cut into units: pages, or runs of states. Each rank owns a contiguous
// range of them and holds only their distances. The ranks search each layer together: a rank sends
// to the others what they need of its part of the frontier (exchange.h), and all add up their
// counts.
//
// A program that was built without MPI, or not started by mpirun, is the only rank.
#ifndef FEWEST_GEN_RANKS_H
#define FEWEST_GEN_RANKS_H

#include "base/errors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Joins the other ranks. `stopped` tells whether a signal asked this process to end. Only rank 0
// may print, so stderr and stdout of the others lead nowhere. Fails if the ranks can't use threads,
// or have different versions of the program; `digest` stands for the version.
bool ranks_begin(bool (*stopped)(void *context), uint64_t digest, struct fewest_error *error);
void ranks_end(void);

unsigned ranks_count(void);
unsigned ranks_number(void); // of this rank, from 0

// Was this process started as a rank? Then it shares its machine's processors with other ranks.
bool ranks_are_launched(void);

// Tells the other ranks that this one lives. Call it from any thread once a signal has come.
void ranks_answer(void);

// ---- Who owns what ------------------------------------------------------------------------------

// The first of `units` that a rank owns. It is `units` for rank ranks_count().
uint64_t ranks_first(uint64_t units, unsigned rank);
unsigned ranks_owner(uint64_t units, uint64_t unit);

// ---- Together -----------------------------------------------------------------------------------
// All ranks call these functions in the same order. They are not thread-safe. If a rank died, they
// fail with FEWEST_SYSTEM.

// Returns true if all ranks call it with `good`. Else fills in the error of the first that does
// not.
bool ranks_agree(bool good, struct fewest_error *error);

// Replaces each number by its sum over all ranks.
bool ranks_sum(uint64_t *numbers, size_t count, struct fewest_error *error);

// Fills in the number that each rank gives: ranks_count() of them.
bool ranks_gather(uint64_t mine, uint64_t *numbers, struct fewest_error *error);

// Do all ranks give the same number? It stands for `what`, which the error names.
bool ranks_share(uint64_t digest, const char *what, struct fewest_error *error);

// One rank sends these bytes, and another receives as many.
bool ranks_send(unsigned to, const void *bytes, size_t length, struct fewest_error *error);
bool ranks_receive(unsigned from, void *bytes, size_t length, struct fewest_error *error);

#endif
