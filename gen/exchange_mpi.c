// Messages of a search through MPI.
#include "exchange.h"

#include "mpi_state.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { TAG_MESSAGE = 1, TAG_END = 2 };

struct message {
    MPI_Request request;
    size_t length;
    struct message *next; // of the free ones
    uint64_t bytes[MESSAGE_MOST / 8];
};

// The message that a rank sends to each other rank at the end of a layer.
struct layer_end {
    uint64_t messages; // that it sent to this rank
    uint64_t stopped;
};

// Only a thread that holds the lock of MPI reads or writes this, except for the atomic members.
struct exchange {
    unsigned sending_count;
    unsigned receiving_count;
    struct message **sending;   // NULL: free for the next one
    struct message **receiving; // NULL: a thread takes the message
    struct message *free;
    // The current layer:
    struct layer_end *ends; // by rank
    MPI_Request *end_requests;
    uint64_t received;  // messages
    uint64_t announced; // messages, by the ranks that have ended it
    unsigned ended;     // ranks
    _Atomic bool stopped;
    _Atomic uint64_t bytes;
};

// ---- Buffers ------------------------------------------------------------------------------------

static void keep_free(struct exchange *exchange, struct message *message)
{
    message->next = exchange->free;
    exchange->free = message;
}

static struct message *take_free(struct exchange *exchange)
{
    struct message *message = exchange->free;
    exchange->free = message->next;
    return message;
}

static void receive_into(struct message *message)
{
    if (!mpi_succeeded(MPI_Irecv(message->bytes, MESSAGE_MOST, MPI_BYTE, MPI_ANY_SOURCE,
                                 MPI_ANY_TAG, mpi_messages(), &message->request))) {
        message->request = MPI_REQUEST_NULL;
    }
}

// Makes all messages now, so that the search can't run out of memory for them: an unfinished one
// for each thread and rank, and those on their way.
static bool make_messages(struct exchange *exchange, unsigned threads)
{
    unsigned others = ranks_count() - 1;
    for (unsigned i = 0; i < exchange->sending_count + threads * others; i++) {
        struct message *message = malloc(sizeof *message);
        if (!message) {
            return false;
        }
        keep_free(exchange, message);
    }
    for (unsigned i = 0; i < exchange->receiving_count; i++) {
        exchange->receiving[i] = malloc(sizeof *exchange->receiving[i]);
        if (!exchange->receiving[i]) {
            return false;
        }
        mpi_lock();
        receive_into(exchange->receiving[i]);
        mpi_unlock();
    }
    return true;
}

struct exchange *exchange_open(unsigned threads)
{
    struct exchange *exchange = calloc(1, sizeof *exchange);
    if (!exchange) {
        return NULL;
    }
    exchange->sending_count = threads * IN_FLIGHT_A_THREAD;
    exchange->receiving_count = threads * RECEIVED_A_THREAD;
    exchange->sending = calloc(exchange->sending_count, sizeof(struct message *));
    exchange->receiving = calloc(exchange->receiving_count, sizeof(struct message *));
    exchange->ends = calloc(ranks_count(), sizeof *exchange->ends);
    exchange->end_requests = calloc(ranks_count(), sizeof(MPI_Request));
    if (exchange->sending && exchange->receiving && exchange->ends && exchange->end_requests &&
        make_messages(exchange, threads)) {
        return exchange;
    }
    exchange_close(exchange);
    return NULL;
}

static void cancel(struct message *message)
{
    mpi_lock();
    MPI_Cancel(&message->request);
    MPI_Wait(&message->request, MPI_STATUS_IGNORE);
    mpi_unlock();
}

// Call it when all messages that were sent have arrived, or a rank died.
void exchange_close(struct exchange *exchange)
{
    for (unsigned i = 0; exchange->receiving && i < exchange->receiving_count; i++) {
        if (exchange->receiving[i]) {
            cancel(exchange->receiving[i]);
            free(exchange->receiving[i]);
        }
    }
    while (exchange->free) {
        free(take_free(exchange));
    }
    free(exchange->sending);
    free(exchange->receiving);
    free(exchange->ends);
    free(exchange->end_requests);
    free(exchange);
}

// ---- Receiving ----------------------------------------------------------------------------------

static void note_end(struct exchange *exchange, const struct message *message)
{
    const struct layer_end *end = (const struct layer_end *)message->bytes;
    exchange->ended++;
    exchange->announced += end->messages;
    if (end->stopped) {
        exchange->stopped = true;
    }
}

// Returns the slot in `receiving` of a message that has arrived, or receiving_count if there is
// none. Also takes the messages that end a layer.
static unsigned find_arrived(struct exchange *exchange)
{
    unsigned i = 0;
    while (i < exchange->receiving_count) {
        struct message *message = exchange->receiving[i];
        MPI_Status status;
        int arrived = 0;
        if (message && message->request != MPI_REQUEST_NULL) {
            int code = MPI_Test(&message->request, &arrived, &status);
            arrived &= mpi_succeeded(code);
        }
        if (!arrived) {
            i++;
        } else if (status.MPI_TAG == TAG_END) {
            note_end(exchange, message);
            receive_into(message);
        } else {
            int length;
            MPI_Get_count(&status, MPI_BYTE, &length);
            message->length = (size_t)length;
            exchange->received++;
            break;
        }
    }
    return i;
}

// Takes one message if it has arrived. The caller holds the lock, but not while it marks.
static bool take_arrived(struct exchange *exchange, exchange_take *take, void *visitor)
{
    unsigned i = find_arrived(exchange);
    if (i == exchange->receiving_count) {
        return false;
    }
    struct message *message = exchange->receiving[i];
    exchange->receiving[i] = NULL;
    mpi_unlock();
    take(visitor, (const uint8_t *)message->bytes, message->length);
    mpi_lock();
    exchange->receiving[i] = message;
    receive_into(message);
    return true;
}

// ---- Sending ------------------------------------------------------------------------------------

// Returns a free slot in `sending`, or sending_count if there is none.
static unsigned find_slot(struct exchange *exchange)
{
    unsigned slot = exchange->sending_count;
    for (unsigned i = 0; i < exchange->sending_count; i++) {
        int sent = 0;
        if (exchange->sending[i]) {
            int code = MPI_Test(&exchange->sending[i]->request, &sent, MPI_STATUS_IGNORE);
            sent &= mpi_succeeded(code);
        }
        if (sent) {
            keep_free(exchange, exchange->sending[i]);
            exchange->sending[i] = NULL;
        }
        slot = exchange->sending[i] ? slot : i;
    }
    return slot;
}

// Takes messages meanwhile, so that ranks which send to each other all go on. If a rank died, drops
// the message.
static void send_unfinished(struct outbox *outbox, unsigned rank)
{
    struct exchange *exchange = outbox->exchange;
    struct message *message = outbox->unfinished[rank];
    unsigned turns = 0;
    unsigned slot;
    bool going = true;
    mpi_lock();
    while ((slot = find_slot(exchange)) == exchange->sending_count && going) {
        if (!take_arrived(exchange, outbox->take, outbox->visitor)) {
            mpi_unlock();
            going = mpi_wait(&turns);
            mpi_lock();
        }
    }
    if (going) {
        exchange->ends[rank].messages++;
        exchange->bytes += message->length;
        exchange->sending[slot] = message;
        MPI_Isend(message->bytes, (int)message->length, MPI_BYTE, (int)rank, TAG_MESSAGE,
                  mpi_messages(), &message->request);
    } else {
        keep_free(exchange, message);
    }
    mpi_unlock();
    outbox->unfinished[rank] = NULL;
}

bool outbox_open(struct outbox *outbox, struct exchange *exchange, exchange_take *take,
                 void *visitor)
{
    *outbox = (struct outbox){.exchange = exchange, .take = take, .visitor = visitor};
    outbox->unfinished = calloc(ranks_count(), sizeof(struct message *));
    return outbox->unfinished;
}

void outbox_close(struct outbox *outbox)
{
    for (unsigned rank = 0; outbox->unfinished && rank < ranks_count(); rank++) {
        if (outbox->unfinished[rank]) {
            send_unfinished(outbox, rank);
        }
    }
    free(outbox->unfinished);
}

uint8_t *outbox_add(struct outbox *outbox, unsigned rank, size_t length)
{
    struct message **message = &outbox->unfinished[rank];
    if (*message && (*message)->length + length > MESSAGE_MOST) {
        send_unfinished(outbox, rank);
    }
    if (!*message) {
        mpi_lock();
        *message = take_free(outbox->exchange);
        mpi_unlock();
        (*message)->length = 0;
    }
    uint8_t *room = (uint8_t *)(*message)->bytes + (*message)->length;
    (*message)->length += length;
    return room;
}

void outbox_poll(struct outbox *outbox)
{
    if (mpi_try_lock()) {
        while (take_arrived(outbox->exchange, outbox->take, outbox->visitor)) {
        }
        mpi_unlock();
    }
}

// ---- The layer ----------------------------------------------------------------------------------

void exchange_begin(struct exchange *exchange)
{
    exchange->received = exchange->announced = exchange->ended = 0;
    for (unsigned rank = 0; rank < ranks_count(); rank++) {
        exchange->ends[rank].messages = 0;
        exchange->end_requests[rank] = MPI_REQUEST_NULL;
    }
}

void exchange_end(struct exchange *exchange, bool stopped)
{
    mpi_lock();
    for (unsigned rank = 0; rank < ranks_count(); rank++) {
        exchange->ends[rank].stopped = stopped;
        if (rank != ranks_number()) {
            MPI_Isend(&exchange->ends[rank], sizeof exchange->ends[rank], MPI_BYTE, (int)rank,
                      TAG_END, mpi_messages(), &exchange->end_requests[rank]);
        }
    }
    mpi_unlock();
}

// Has everything been sent, and everything arrived?
static bool is_complete(struct exchange *exchange)
{
    int sent;
    int code = MPI_Testall((int)ranks_count(), exchange->end_requests, &sent, MPI_STATUSES_IGNORE);
    sent &= mpi_succeeded(code);
    find_slot(exchange);
    for (unsigned i = 0; i < exchange->sending_count; i++) {
        sent &= !exchange->sending[i];
    }
    return sent && exchange->ended == ranks_count() - 1 &&
           exchange->received == exchange->announced;
}

bool exchange_drain(struct exchange *exchange, exchange_take *take, void *visitor)
{
    unsigned turns = 0;
    bool going = true;
    mpi_lock();
    while (going && !is_complete(exchange)) {
        if (!take_arrived(exchange, take, visitor)) {
            mpi_unlock();
            going = mpi_wait(&turns);
            mpi_lock();
        } else {
            turns = 0;
        }
    }
    mpi_unlock();
    return going;
}

bool exchange_is_stopped(const struct exchange *exchange)
{
    return exchange->stopped;
}

uint64_t exchange_bytes(const struct exchange *exchange)
{
    return exchange->bytes;
}
