// Ranks that talk through MPI.
//
// A call that waits tests again and again, and sleeps in between, so that a rank that waits leaves
// the processor to others, and so that it sees signals.
//
// mpirun sends SIGTERM to all ranks when one of them died, and also when the user stops the job;
// soon after that it kills them. To find out which of the two it is, each rank that has got a
// signal tells all others that it lives, and so does each that hears of it. A thread of its own
// does that, because a rank can be busy for long. If a rank does not answer in time, it died.
#include "mpi_state.h"
#include "ranks.h"

#include "base/clock.h"

#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { SENT_AT_ONCE = 1 << 30 }; // bytes; MPI counts them in an int

static struct {
    unsigned count; // 0: this process was not launched as a rank
    unsigned number;
    MPI_Comm messages;
    MPI_Comm answers; // of ranks that live
    bool (*stopped)(void *context);
    _Atomic bool answered;
    _Atomic double broken_at; // when a call of MPI failed, or 0
    _Atomic int failure;      // what it returned
    _Atomic bool asked;       // ask_ranks has run: all ranks answered, or `died` is set
    _Atomic int died;         // a rank that died, or -1
    int own_stderr;           // of a rank that may not print
    pthread_mutex_t lock;
    pthread_mutex_t asking; // one thread asks, and the others wait for what it finds out
    pthread_t answerer;
    bool has_answerer;
    _Atomic bool ending;
} ranks = {.died = -1, .lock = PTHREAD_MUTEX_INITIALIZER, .asking = PTHREAD_MUTEX_INITIALIZER};

static void *answer(void *ignored);

// ---- Beginning and end --------------------------------------------------------------------------

MPI_Comm mpi_messages(void)
{
    return ranks.messages;
}

void mpi_lock(void)
{
    pthread_mutex_lock(&ranks.lock);
}

bool mpi_try_lock(void)
{
    return pthread_mutex_trylock(&ranks.lock) == 0;
}

void mpi_unlock(void)
{
    pthread_mutex_unlock(&ranks.lock);
}

// Open MPI, PMIx, and PMI (Slurm, MPICH) set these variables in each rank. Without any of them,
// MPI_Init would start a job of its own, which takes most of a second.
bool ranks_are_launched(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || getenv("PMI_RANK");
}

static void silence(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    ranks.own_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    if (nowhere >= 0) {
        dup2(nowhere, STDERR_FILENO);
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
    }
}

bool ranks_begin(bool (*stopped)(void *context), uint64_t digest, struct fewest_error *error)
{
    int provided;
    int number;
    int count;
    if (!ranks_are_launched()) {
        return true;
    }
    // Open MPI would read from the memory of another process, and can't go on if that one died.
    // Copying through shared memory is as fast here.
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); // the copies inherit it
    MPI_Comm_dup(MPI_COMM_WORLD, &ranks.messages);
    MPI_Comm_dup(MPI_COMM_WORLD, &ranks.answers);
    ranks.count = (unsigned)count;
    ranks.number = (unsigned)number;
    ranks.stopped = stopped;
    if (number > 0) {
        silence();
    }
    if (provided < MPI_THREAD_SERIALIZED) {
        return error_set(error, FEWEST_SYSTEM,
                         "this MPI library does not support threads; fewest-gen needs "
                         "MPI_THREAD_SERIALIZED or more");
    }
    ranks.has_answerer =
        ranks.count > 1 && pthread_create(&ranks.answerer, NULL, answer, NULL) == 0;
    return ranks_check_same(digest, "versions of fewest-gen", error);
}

// Has a rank died, or has MPI failed although all live?
static bool is_lost(void)
{
    return ranks.died >= 0 || (ranks.asked && ranks.broken_at > 0);
}

void ranks_end(void)
{
    ranks.ending = true;
    if (ranks.has_answerer) {
        pthread_join(ranks.answerer, NULL);
    }
    if (ranks.count > 0 && !is_lost()) {
        MPI_Comm_free(&ranks.messages);
        MPI_Comm_free(&ranks.answers);
        MPI_Finalize();
    }
}

unsigned ranks_count(void)
{
    return ranks.count > 0 ? ranks.count : 1;
}

unsigned ranks_number(void)
{
    return ranks.number;
}

// ---- Who lives ----------------------------------------------------------------------------------

// Tells the other ranks that this one lives, once.
static void tell_others(void)
{
    static const char LIVES = 1;
    if (ranks.count < 2 || atomic_exchange(&ranks.answered, true)) {
        return;
    }
    mpi_lock();
    for (unsigned rank = 0; rank < ranks.count; rank++) {
        MPI_Request request;
        if (rank != ranks.number) {
            MPI_Isend(&LIVES, 1, MPI_CHAR, (int)rank, 0, ranks.answers, &request);
            MPI_Request_free(&request);
        }
    }
    mpi_unlock();
}

// The time for the answers: a half of what mpirun leaves before it kills the ranks. Others, such as
// Slurm, leave more.
static double answer_seconds(void)
{
    static const double LEAST = 0.5;
    static const double WITHOUT_MPIRUN = 5;
    if (!getenv("OMPI_COMM_WORLD_SIZE")) {
        return WITHOUT_MPIRUN;
    }
    const char *left = getenv("OMPI_MCA_odls_base_sigkill_timeout");
    double half = left ? strtod(left, NULL) / 2 : 0;
    return half > LEAST ? half : LEAST;
}

// Takes an answer if one is there. Returns its rank, or -1.
static int take_answer(void)
{
    int there;
    char lives;
    MPI_Status status = {.MPI_SOURCE = -1};
    mpi_lock();
    MPI_Iprobe(MPI_ANY_SOURCE, 0, ranks.answers, &there, &status);
    if (there) {
        MPI_Recv(&lives, 1, MPI_CHAR, status.MPI_SOURCE, 0, ranks.answers, &status);
    }
    mpi_unlock();
    return there ? status.MPI_SOURCE : -1;
}

static void sleep_briefly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

// Has another rank told that it lives? The answer stays for ask_ranks.
static bool hears_answer(void)
{
    int there;
    mpi_lock();
    MPI_Iprobe(MPI_ANY_SOURCE, 0, ranks.answers, &there, MPI_STATUS_IGNORE);
    mpi_unlock();
    return there;
}

// The thread that answers.
static void *answer(void *ignored)
{
    (void)ignored;
    while (!ranks.ending && !ranks.answered) {
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        if (ranks.stopped(NULL) || hears_answer()) {
            tell_others();
        }
    }
    return NULL;
}

// Finds out whether all ranks live. If one died, the first living rank gets its stderr back, to
// print the error.
static void ask_ranks(void)
{
    bool *lives = calloc(ranks.count, sizeof *lives);
    double begin = clock_seconds();
    unsigned missing = ranks.count - 1;
    tell_others();
    while (lives && missing > 0 && clock_seconds() - begin < answer_seconds()) {
        int rank = take_answer();
        if (rank < 0) {
            sleep_briefly();
        } else if (!lives[rank]) {
            lives[rank] = true;
            missing--;
        }
    }
    bool is_first = true;
    for (unsigned rank = 0; lives && missing > 0 && rank < ranks.count; rank++) {
        if (rank != ranks.number && !lives[rank]) {
            ranks.died = (int)rank;
        } else if (rank < ranks.number) {
            is_first = false;
        }
    }
    if (missing > 0 && is_first && ranks.number > 0) {
        dup2(ranks.own_stderr, STDERR_FILENO);
    }
    ranks.asked = true;
    free(lives);
}

bool mpi_succeeded(int code)
{
    if (code != MPI_SUCCESS && ranks.broken_at == 0) {
        ranks.failure = code; // before the time, which other threads look at
        ranks.broken_at = clock_seconds();
    }
    return code == MPI_SUCCESS;
}

// Should this rank ask who lives? After a failure of MPI, it first waits for the SIGTERM of mpirun,
// so that all ranks ask at the same time.
static bool should_ask(void)
{
    static const double PATIENCE = 5; // seconds
    return !ranks.asked && (ranks.stopped(NULL) ||
                            (ranks.broken_at > 0 && clock_seconds() - ranks.broken_at > PATIENCE));
}

bool mpi_wait(unsigned *turns)
{
    enum { TURNS = 100 }; // before the first sleep
    if (should_ask()) {
        pthread_mutex_lock(&ranks.asking);
        if (should_ask()) {
            ask_ranks();
        }
        pthread_mutex_unlock(&ranks.asking);
    }
    if (++*turns < TURNS) {
        sched_yield();
    } else {
        sleep_briefly();
    }
    return !is_lost();
}

// ---- Together -----------------------------------------------------------------------------------

static bool report_loss(struct fewest_error *error)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (ranks.died >= 0) {
        return error_set(error, FEWEST_SYSTEM,
                         "rank %d of %u died; no table was made; run the command again", ranks.died,
                         ranks.count);
    }
    MPI_Error_string(ranks.failure, text, &length);
    return error_set(error, FEWEST_SYSTEM,
                     "MPI failed (%s); no table was made; run the command again", text);
}

static bool wait_for(MPI_Request *request, struct fewest_error *error)
{
    int done = 0;
    unsigned turns = 0;
    for (;;) {
        mpi_lock();
        bool good = mpi_succeeded(MPI_Test(request, &done, MPI_STATUS_IGNORE));
        mpi_unlock();
        if (done && good) {
            return true;
        }
        if (!mpi_wait(&turns)) {
            return report_loss(error);
        }
    }
}

bool ranks_sum(uint64_t *numbers, size_t count, struct fewest_error *error)
{
    MPI_Request request;
    if (ranks.count < 2) {
        return true;
    }
    if (is_lost()) {
        return report_loss(error);
    }
    mpi_lock();
    MPI_Iallreduce(MPI_IN_PLACE, numbers, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD,
                   &request);
    mpi_unlock();
    return wait_for(&request, error);
}

static bool broadcast(unsigned from, void *bytes, size_t length, struct fewest_error *error)
{
    MPI_Request request;
    mpi_lock();
    MPI_Ibcast(bytes, (int)length, MPI_BYTE, (int)from, MPI_COMM_WORLD, &request);
    mpi_unlock();
    return wait_for(&request, error);
}

// The first rank that is not good, or the number of ranks.
static bool find_culprit(bool good, unsigned *culprit, struct fewest_error *error)
{
    uint64_t first = good ? ranks.count : ranks.number;
    MPI_Request request;
    mpi_lock();
    MPI_Iallreduce(MPI_IN_PLACE, &first, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD, &request);
    mpi_unlock();
    bool done = wait_for(&request, error);
    *culprit = (unsigned)first;
    return done;
}

bool ranks_agree(bool good, struct fewest_error *error)
{
    unsigned culprit;
    if (ranks.count < 2) {
        return good;
    }
    if (is_lost()) {
        return report_loss(error);
    }
    if (!find_culprit(good, &culprit, error)) {
        return false;
    }
    if (culprit == ranks.count) {
        return true;
    }
    bool done = broadcast(culprit, error, sizeof *error, error);
    if (done && culprit > 0) {
        char place[32];
        snprintf(place, sizeof place, "rank %u", culprit);
        error_prefix(error, place);
    }
    return false;
}

// Calls MPI_Isend or MPI_Irecv for parts of the bytes.
static bool transfer(bool sends, unsigned other, uint8_t *bytes, size_t length,
                     struct fewest_error *error)
{
    bool done = !is_lost() || report_loss(error);
    for (size_t at = 0; at < length && done; at += SENT_AT_ONCE) {
        MPI_Request request;
        int part = length - at < SENT_AT_ONCE ? (int)(length - at) : SENT_AT_ONCE;
        mpi_lock();
        if (sends) {
            MPI_Isend(bytes + at, part, MPI_BYTE, (int)other, 0, MPI_COMM_WORLD, &request);
        } else {
            MPI_Irecv(bytes + at, part, MPI_BYTE, (int)other, 0, MPI_COMM_WORLD, &request);
        }
        mpi_unlock();
        done = wait_for(&request, error);
    }
    return done;
}

bool ranks_send(unsigned to, const void *bytes, size_t length, struct fewest_error *error)
{
    return transfer(true, to, (uint8_t *)(uintptr_t)bytes, length, error);
}

bool ranks_receive(unsigned from, void *bytes, size_t length, struct fewest_error *error)
{
    return transfer(false, from, bytes, length, error);
}
