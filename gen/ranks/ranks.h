// The processes that make a table together. In these files, a *rank* is such a process, as in MPI:
// `mpirun -n 4` starts four.
//
// The ranks work in step. The states of a search are cut into units, most often pages, and
// each rank owns a contiguous range of them. Each rank expands a slice of the newest layer; then
// all ranks exchange what they found for each other, and mark it; then comes the next slice.
//
// A program that was built without MPI, or not started by mpirun, is the only rank. If a rank dies,
// MPI ends the others.
//
// All ranks call the functions below in the same order, each from its main thread. If a function
// fails on one rank, it fails on every rank.
#ifndef FEWEST_GEN_RANKS_H
#define FEWEST_GEN_RANKS_H

#include "tables/base/errors.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// Joins the other ranks. Only the first one prints: stdout and stderr of the others go to
// /dev/null.
void ranks_join(void);

// Leaves the other ranks, at the end of the program.
void ranks_leave(void);

// Was this process started as a rank? Then it shares its machine's processors with other ranks.
bool ranks_are_launched(void);

unsigned ranks_count(void);
unsigned ranks_number(void); // of this rank, from 0

// Is this the rank that prints, and writes the table?
static inline bool ranks_is_first(void)
{
    return ranks_number() == 0;
}

struct range {
    uint64_t first;
    uint64_t end; // one after the last
};

// The units that this rank owns, if there are `units` in all. Rank r owns the units from
// r × ranks_units_each(units) on. Each rank owns ranks_units_each(units) of them, but the last
// ranks may own fewer or none.
struct range ranks_own_range(uint64_t units);
uint64_t ranks_units_each(uint64_t units);

// Words that one rank sends in a slice, or receives.
struct parcel {
    uint64_t *words;
    size_t count; // words in use
    size_t room;  // words that fit
};

// Makes room for `words` more words. Returns false if memory runs out; then the parcel stays as it
// was.
static inline bool parcel_reserve(struct parcel *parcel, size_t words)
{
    if (parcel->count + words > parcel->room) {
        size_t room = parcel->count + words + parcel->room / 2; // half more, for the next calls
        uint64_t *larger = realloc(parcel->words, room * sizeof *larger);
        if (!larger) {
            return false;
        }
        parcel->words = larger;
        parcel->room = room;
    }
    return true;
}

struct exchange {
    struct parcel *parcels; // by rank that gets it
    struct parcel sent;     // all of these, one after the other
    struct parcel received;
    uint64_t bytes;       // that this rank has sent so far
    double waited;        // seconds until all ranks were there, so far
    pthread_mutex_t lock; // of the parcels
};

// The caller closes the exchange in any case. exchange_close also takes a struct of zeros.
bool exchange_open(struct exchange *exchange, struct fewest_error *error);
void exchange_close(struct exchange *exchange);

// Adds words to the parcel for a rank: first `head`, then `body`. Any number of threads may call
// this. Returns false if memory runs out.
bool exchange_add(struct exchange *exchange, unsigned rank, const void *head, size_t head_words,
                  const void *body, size_t body_words);

// Sends what was added to the exchange, and receives what the other ranks added for this one:
// exchange->received. *stop becomes true if it was true on any rank.
bool ranks_exchange(struct exchange *exchange, bool *stop, struct fewest_error *error);

// Replaces each number by its sum over all ranks. If only one rank has bytes that are not 0, all
// get these.
void ranks_sum(uint64_t *numbers, size_t count);
void ranks_sum_bytes(uint8_t *bytes, size_t count);

// The least number of all ranks.
uint64_t ranks_find_least(uint64_t number);

// Fills in `length` bytes of this rank's data, from `offset` on. Rank 0 never calls it.
typedef bool ranks_part_reader(void *context, uint64_t offset, uint8_t *bytes, size_t length,
                               struct fewest_error *error);

// Takes the next `length` bytes that rank 0 received. Only rank 0 calls it.
typedef bool ranks_part_receiver(void *context, const uint8_t *bytes, size_t length,
                                 struct fewest_error *error);

// Rank 0 receives the data of all other ranks, part by part, in the order of the ranks. `length`
// is that of this rank's own data.
bool ranks_gather(uint64_t length, ranks_part_reader *read, ranks_part_receiver *receive,
                  void *context, struct fewest_error *error);

// Fails unless all ranks give the same digest. `what` tells in the error what differs, such as
// "definition or options".
bool ranks_check_same(uint64_t digest, const char *what, struct fewest_error *error);

// Waits for all ranks. Returns true if `good` is true on all of them. Otherwise all get the
// error that the lowest rank with a false `good` passes in `error`.
bool ranks_barrier(bool good, struct fewest_error *error);

#endif
