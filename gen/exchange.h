// The messages that ranks send each other while they search a layer. A message has at most
// MESSAGE_MOST bytes, and only a fixed number of messages is on the way at a time.
//
// Each thread has an outbox with an unfinished message for each other rank, and sends a message
// when it is full. If the thread must wait to send, it takes messages that have arrived, so two
// ranks never block each other.
#ifndef FEWEST_GEN_EXCHANGE_H
#define FEWEST_GEN_EXCHANGE_H

#include "ranks.h"

enum {
    MESSAGE_MOST = 64 << 10, // bytes
    IN_FLIGHT_A_THREAD = 4,  // messages that are being sent
    RECEIVED_A_THREAD = 2,   // messages that are being received
};

struct exchange;
struct message;

// Makes the buffers for a search. Returns NULL if there is not enough memory.
struct exchange *exchange_open(unsigned threads);
void exchange_close(struct exchange *exchange);

// Begins a layer. The caller makes sure that no rank begins the next layer before all ranks have
// drained this one.
void exchange_begin(struct exchange *exchange);

// Marks the states that a message names, or the neighbours of its places. `visitor` is data of the
// thread.
typedef void exchange_take(void *visitor, const uint8_t *bytes, size_t length);

struct outbox {
    struct exchange *exchange;
    exchange_take *take;
    void *visitor;
    struct message **unfinished; // by rank, or NULL
};

// Several threads may use one exchange, each with its own outbox. The messages of a layer are those
// before exchange_end. Returns false if there is not enough memory.
bool outbox_open(struct outbox *outbox, struct exchange *exchange, exchange_take *take,
                 void *visitor);

// Sends the unfinished messages.
void outbox_close(struct outbox *outbox);

// Room for the next bytes to a rank, a multiple of 8 and at most MESSAGE_MOST. They begin at a
// multiple of 8, and come in one message.
uint8_t *outbox_add(struct outbox *outbox, unsigned rank, size_t length);

// Takes what has arrived.
void outbox_poll(struct outbox *outbox);

// Call it when all outboxes of the layer are closed. Tells the other ranks that this one has sent
// everything, and whether it stopped before the layer was complete.
void exchange_end(struct exchange *exchange, bool stopped);

// Takes messages until all ranks have ended the layer. Several threads may call it. Returns false
// if a rank died.
bool exchange_drain(struct exchange *exchange, exchange_take *take, void *visitor);

// Has any other rank stopped?
bool exchange_is_stopped(const struct exchange *exchange);

// The bytes that this rank has sent since the exchange was opened.
uint64_t exchange_bytes(const struct exchange *exchange);

// The memory that an exchange between `ranks` ranks needs in each, in bytes.
static inline uint64_t exchange_memory(unsigned ranks, unsigned threads)
{
    uint64_t messages = (uint64_t)threads * (ranks - 1 + IN_FLIGHT_A_THREAD + RECEIVED_A_THREAD);
    return ranks > 1 ? messages * MESSAGE_MOST : 0;
}

#endif
