// The processes that make a table together. In these files, a *rank* is such a process, as in MPI:
// `mpirun -n 4` starts four.
//
// The states of a search are cut into units: pages, or runs of states. Each rank owns a contiguous
// range of them and holds only their distances. The ranks search each layer together: a rank sends
// the others the part of its frontier that they need (exchange.h), and all add up their counts.
//
// A program that was built without MPI, or not started by mpirun, is the only rank.
#ifndef FEWEST_GEN_RANKS_H
#define FEWEST_GEN_RANKS_H

#include "base/errors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Joins the other ranks. `stopped` tells whether a signal asked this process to end. Only rank 0
// prints: stdout and stderr of the other ranks go to /dev/null. If rank 0 dies, the first living
// rank gets its stderr back. Fails if MPI does not support threads, or if the ranks have different
// digests of their versions.
bool ranks_begin(bool (*stopped)(void *context), uint64_t digest, struct fewest_error *error);
void ranks_end(void);

unsigned ranks_count(void);
unsigned ranks_number(void); // of this rank, from 0

// Was this process started as a rank? Then it shares its machine's processors with other ranks.
bool ranks_are_launched(void);

// ---- Who owns what ------------------------------------------------------------------------------

// The first unit that a rank owns, of `units` in all. The range of a rank ends where the next one's
// begins, so ranks_first(units, ranks_count()) is `units`.
uint64_t ranks_first(uint64_t units, unsigned rank);

// The rank that owns a unit.
unsigned ranks_owner(uint64_t units, uint64_t unit);

// ---- Together -----------------------------------------------------------------------------------
// All ranks call these functions in the same order. They are not thread-safe. If a rank died, they
// fail with FEWEST_SYSTEM.

// Returns true if `good` is true on all ranks. Otherwise all ranks get the error of the first rank
// where it is false. That rank passes it in `error`.
bool ranks_agree(bool good, struct fewest_error *error);

// Replaces each number by its sum over all ranks.
bool ranks_sum(uint64_t *numbers, size_t count, struct fewest_error *error);

// Fills in the number that each rank gives: ranks_count() of them.
bool ranks_gather(uint64_t mine, uint64_t *numbers, struct fewest_error *error);

// Fails unless all ranks give the same digest. `what` tells in the error what differs, such as
// "definitions or options".
bool ranks_check_same(uint64_t digest, const char *what, struct fewest_error *error);

// One rank sends these bytes, and another receives as many.
bool ranks_send(unsigned to, const void *bytes, size_t length, struct fewest_error *error);
bool ranks_receive(unsigned from, void *bytes, size_t length, struct fewest_error *error);

#endif
