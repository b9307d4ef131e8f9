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

// The four arrays that MPI_Alltoallv takes, as rows of one table with a number for each rank. Their
// unit is a word of 64 bits.
enum row { SEND_COUNTS, SEND_BEGINS, RECEIVE_COUNTS, RECEIVE_BEGINS, ROW_COUNT };
static int *exchange_table; // NULL unless this process is a rank of MPI

static int *table_row(enum row row)
{
    return exchange_table + (size_t)row * rank_count;
}

// Open MPI, PMIx, and PMI (Slurm, MPICH) set these variables in each rank. Without any of them,
// MPI_Init would start a job of its own, which takes most of a second.
bool ranks_are_launched(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || getenv("PMI_RANK");
}

// Sends what this process prints to /dev/null.
static void silence_output(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, STDERR_FILENO);
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
    }
}

void ranks_join(void)
{
    int provided; // not checked: only the main thread calls MPI
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
    exchange_table = calloc(rank_count, ROW_COUNT * sizeof *exchange_table);
    if (!exchange_table) {
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    if (number > 0) {
        silence_output();
    }
}

void ranks_leave(void)
{
    if (exchange_table) {
        MPI_Finalize();
        free(exchange_table);
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

void ranks_sum(uint64_t *numbers, size_t count)
{
    if (rank_count > 1) {
        MPI_Allreduce(MPI_IN_PLACE, numbers, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    }
}

void ranks_sum_bytes(uint8_t *bytes, size_t count)
{
    if (rank_count > 1) {
        MPI_Allreduce(MPI_IN_PLACE, bytes, (int)count, MPI_UINT8_T, MPI_SUM, MPI_COMM_WORLD);
    }
}

uint64_t ranks_find_least(uint64_t number)
{
    if (rank_count > 1) {
        MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    }
    return number;
}

bool ranks_barrier(bool good, struct fewest_error *error)
{
    // The lowest rank that failed, or rank_count if none did.
    unsigned culprit = (unsigned)ranks_find_least(good ? rank_count : rank_number);
    if (rank_count == 1 || culprit == rank_count) {
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

// A slice has some 4 MiB for each rank (SLICE in gen/search/expand.c). So the casts to int below
// lose nothing.

// Copies the parcels for all ranks into `sent`, one after the other, and empties the parcels. Fills
// in the rows SEND_COUNTS and SEND_BEGINS. Returns false if memory runs out: then the ranks whose
// parcels are left out get no words.
static bool join_parcels(struct exchange *exchange)
{
    int *counts = table_row(SEND_COUNTS);
    int *begins = table_row(SEND_BEGINS);
    struct parcel *sent = &exchange->sent;
    bool fits = true;
    sent->count = 0;
    for (unsigned rank = 0; rank < rank_count; rank++) {
        struct parcel *parcel = &exchange->parcels[rank];
        size_t count = parcel->count;
        parcel->count = 0;
        begins[rank] = (int)sent->count;
        counts[rank] = 0;
        fits = fits && parcel_reserve(sent, count);
        if (fits && count > 0) {
            memcpy(sent->words + sent->count, parcel->words, count * sizeof *sent->words);
            sent->count += count;
            counts[rank] = (int)count;
        }
    }
    return fits;
}

// Tells each rank how many words it will get from this one, and fills in the rows RECEIVE_COUNTS
// and RECEIVE_BEGINS. Returns the number of words that this rank will get. Adds to exchange->waited
// the seconds until all ranks were there.
static size_t exchange_counts(struct exchange *exchange)
{
    int *counts = table_row(RECEIVE_COUNTS);
    int *begins = table_row(RECEIVE_BEGINS);
    double begin = clock_seconds();
    MPI_Alltoall(table_row(SEND_COUNTS), 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    exchange->waited += clock_seconds() - begin;
    size_t total = 0;
    for (unsigned rank = 0; rank < rank_count; rank++) {
        begins[rank] = (int)total;
        total += (size_t)counts[rank];
    }
    return total;
}

bool ranks_exchange(struct exchange *exchange, bool *stop, struct fewest_error *error)
{
    enum { STOPPING, WITHOUT_MEMORY, NUMBERS };
    if (rank_count == 1) {
        return true;
    }
    struct parcel *sent = &exchange->sent;
    struct parcel *received = &exchange->received;
    // A rank whose memory ran out goes on until all know it, because they call MPI in step.
    bool fits = join_parcels(exchange);
    size_t count = exchange_counts(exchange);
    received->count = 0;
    fits = fits && parcel_reserve(received, count);
    uint64_t ranks[NUMBERS] = {[STOPPING] = *stop, [WITHOUT_MEMORY] = !fits};
    ranks_sum(ranks, NUMBERS); // now numbers of ranks
    if (ranks[WITHOUT_MEMORY] > 0) {
        return error_no_memory(error, "for what the ranks exchange");
    }
    MPI_Alltoallv(sent->words, table_row(SEND_COUNTS), table_row(SEND_BEGINS), MPI_UINT64_T,
                  received->words, table_row(RECEIVE_COUNTS), table_row(RECEIVE_BEGINS),
                  MPI_UINT64_T, MPI_COMM_WORLD);
    received->count = count;
    exchange->bytes += sent->count * sizeof *sent->words;
    *stop = ranks[STOPPING] > 0;
    return true;
}

// ---- Gathering ----------------------------------------------------------------------------------

// Each rank but the first in turn sends its data in parts. After an error, the parts are still
// sent, with any bytes, because the other side waits for them.
bool ranks_gather(uint64_t length, ranks_part_reader *read, ranks_part_receiver *receive,
                  void *context, struct fewest_error *error)
{
    enum { PART_MOST = 1 << 20 }; // bytes that a message has at most
    if (rank_count == 1) {
        return true;
    }
    uint8_t *bytes = malloc(PART_MOST);
    bool good = bytes || error_no_memory(error, "to gather the table");
    if (!ranks_barrier(good, error) || !bytes) {
        free(bytes);
        return false;
    }
    for (unsigned rank = 1; rank < rank_count; rank++) {
        uint64_t left = rank == rank_number ? length : 0;
        ranks_sum(&left, 1); // on all ranks, the length of this one's data
        uint64_t offset = 0;
        while (left > 0) {
            size_t part = left < PART_MOST ? (size_t)left : PART_MOST;
            if (rank == rank_number) {
                good = good && read(context, offset, bytes, part, error);
                MPI_Send(bytes, (int)part, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
            } else if (rank_number == 0) {
                MPI_Recv(bytes, (int)part, MPI_BYTE, (int)rank, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
                good = good && receive(context, bytes, part, error);
            }
            offset += part;
            left -= part;
        }
    }
    free(bytes);
    return ranks_barrier(good, error);
}
