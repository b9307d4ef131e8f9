// Ranks that talk through MPI. If a call of MPI fails, for example because a rank died, MPI ends
// all ranks, and mpirun says why.
#include "ranks.h"

#include "tables/base/clock.h"

#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned rank_count = 1;
static unsigned rank_number;
static int *counts; // four rows, by rank: words to send, and where they begin; the same to receive

// Open MPI, PMIx, and PMI (Slurm, MPICH) set these variables in each rank. Without any of them,
// MPI_Init would start a job of its own, which takes most of a second.
bool ranks_are_launched(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || getenv("PMI_RANK");
}

static void silence(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, STDERR_FILENO);
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
    }
}

void ranks_begin(void)
{
    int provided;
    int number;
    int count;
    if (!ranks_are_launched()) {
        return;
    }
    // Open MPI would read from the memory of another process, which containers forbid. Copying
    // through shared memory is as fast here.
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    rank_count = (unsigned)count;
    rank_number = (unsigned)number;
    counts = calloc(rank_count, 4 * sizeof *counts);
    if (!counts) {
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    if (number > 0) {
        silence();
    }
}

void ranks_stop(void)
{
    if (counts) {
        MPI_Finalize();
        free(counts);
    }
}

unsigned ranks_count(void)
{
    return rank_count;
}

unsigned ranks_number(void)
{
    return rank_number;
}

// ---- Together -----------------------------------------------------------------------------------

void ranks_reduce(uint64_t *numbers, size_t count)
{
    if (rank_count > 1) {
        MPI_Allreduce(MPI_IN_PLACE, numbers, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    }
}

uint64_t ranks_least(uint64_t number)
{
    if (rank_count > 1) {
        MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    }
    return number;
}

bool ranks_barrier(bool good, struct fewest_error *error)
{
    unsigned culprit = (unsigned)ranks_least(good ? rank_count : rank_number);
    if (culprit == rank_count || rank_count == 1) {
        return good;
    }
    MPI_Bcast(error, sizeof *error, MPI_BYTE, (int)culprit, MPI_COMM_WORLD);
    if (culprit > 0 && error->status != FEWEST_STOPPED) {
        char place[32];
        snprintf(place, sizeof place, "rank %u", culprit);
        error_prefix(error, place);
    }
    return false;
}

// ---- Exchanging ---------------------------------------------------------------------------------

// Puts all parcels one after the other, and empties them.
static bool wrap(struct exchange *exchange)
{
    int *count = counts;
    int *begin = counts + rank_count;
    struct parcel *sent = &exchange->sent;
    bool fits = true;
    sent->count = 0;
    for (unsigned rank = 0; rank < rank_count; rank++) {
        struct parcel *parcel = &exchange->parcels[rank];
        fits = fits && parcel_reserve(sent, parcel->count);
        count[rank] = fits ? (int)parcel->count : 0;
        begin[rank] = (int)sent->count;
        if (count[rank] > 0) {
            memcpy(sent->words + sent->count, parcel->words, parcel->count * sizeof *sent->words);
            sent->count += parcel->count;
        }
        parcel->count = 0;
    }
    return fits;
}

bool ranks_exchange(struct exchange *exchange, bool *stop, struct fewest_error *error)
{
    int *to = counts;
    int *from = counts + 2 * (size_t)rank_count;
    if (rank_count == 1) {
        return true;
    }
    bool fits = wrap(exchange);
    double begin = clock_seconds();
    MPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
    exchange->waited += clock_seconds() - begin;
    struct parcel *received = &exchange->received;
    size_t count = 0;
    for (unsigned rank = 0; rank < rank_count; rank++) {
        from[rank_count + rank] = (int)count;
        count += (size_t)from[rank];
    }
    received->count = 0;
    fits = fits && parcel_reserve(received, count);
    uint64_t sums[] = {*stop, !fits};
    ranks_reduce(sums, 2);
    if (sums[1] > 0) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for what the ranks exchange");
    }
    MPI_Alltoallv(exchange->sent.words, to, to + rank_count, MPI_UINT64_T, received->words, from,
                  from + rank_count, MPI_UINT64_T, MPI_COMM_WORLD);
    received->count = count;
    exchange->bytes += exchange->sent.count * sizeof *exchange->sent.words;
    *stop = sums[0] > 0;
    return true;
}

// ---- Gathering ----------------------------------------------------------------------------------

enum { GATHERED_AT_ONCE = 1 << 20 }; // bytes

static bool give_all(uint64_t length, ranks_give *give, void *context, uint8_t *bytes,
                     struct fewest_error *error)
{
    bool good = true;
    MPI_Send(&length, 1, MPI_UINT64_T, 0, 0, MPI_COMM_WORLD);
    for (uint64_t at = 0; at < length; at += GATHERED_AT_ONCE) {
        size_t part = length - at < GATHERED_AT_ONCE ? (size_t)(length - at) : GATHERED_AT_ONCE;
        good = good && give(context, at, bytes, part, error); // after an error, sends anything
        MPI_Send(bytes, (int)part, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    return good;
}

// If it is not `good`, receives what the others send, but does not take it.
static bool take_all(unsigned rank, bool good, ranks_take *take, void *context, uint8_t *bytes,
                     struct fewest_error *error)
{
    uint64_t length;
    MPI_Recv(&length, 1, MPI_UINT64_T, (int)rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (uint64_t at = 0; at < length; at += GATHERED_AT_ONCE) {
        size_t part = length - at < GATHERED_AT_ONCE ? (size_t)(length - at) : GATHERED_AT_ONCE;
        MPI_Recv(bytes, (int)part, MPI_BYTE, (int)rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        good = good && take(context, bytes, part, error);
    }
    return good;
}

bool ranks_gather(uint64_t length, ranks_give *give, ranks_take *take, void *context,
                  struct fewest_error *error)
{
    if (rank_count == 1) {
        return true;
    }
    uint8_t *bytes = malloc(GATHERED_AT_ONCE);
    bool good = bytes || error_set(error, FEWEST_SYSTEM, "not enough memory to gather the table");
    if (!ranks_barrier(good, error) || !bytes) {
        free(bytes);
        return false;
    }
    if (rank_number > 0) {
        good = give_all(length, give, context, bytes, error);
    }
    for (unsigned rank = 1; rank < rank_count && rank_number == 0; rank++) {
        good = take_all(rank, good, take, context, bytes, error);
    }
    free(bytes);
    return ranks_barrier(good, error);
}
