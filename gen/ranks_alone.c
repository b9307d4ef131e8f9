// The only rank of a program that was built without MPI.
#include "exchange.h"

bool ranks_begin(bool (*stopped)(void *context), uint64_t digest, struct fewest_error *error)
{
    (void)stopped;
    (void)digest;
    (void)error;
    return true;
}

void ranks_end(void)
{
}

unsigned ranks_count(void)
{
    return 1;
}

unsigned ranks_number(void)
{
    return 0;
}

bool ranks_are_launched(void)
{
    return false;
}

bool ranks_agree(bool good, struct fewest_error *error)
{
    (void)error;
    return good;
}

bool ranks_sum(uint64_t *numbers, size_t count, struct fewest_error *error)
{
    (void)numbers;
    (void)count;
    (void)error;
    return true;
}

static bool have_no_other_rank(struct fewest_error *error)
{
    return error_set(error, FEWEST_SYSTEM, "there is no other rank");
}

bool ranks_send(unsigned to, const void *bytes, size_t length, struct fewest_error *error)
{
    (void)to;
    (void)bytes;
    (void)length;
    return have_no_other_rank(error);
}

bool ranks_receive(unsigned from, void *bytes, size_t length, struct fewest_error *error)
{
    (void)from;
    (void)bytes;
    (void)length;
    return have_no_other_rank(error);
}

// ---- Exchange -----------------------------------------------------------------------------------
// A search by one rank has nobody to send to, and opens no exchange.

struct exchange *exchange_open(unsigned threads)
{
    (void)threads;
    return NULL;
}

void exchange_close(struct exchange *exchange)
{
    (void)exchange;
}

void exchange_begin(struct exchange *exchange)
{
    (void)exchange;
}

bool outbox_open(struct outbox *outbox, struct exchange *exchange, exchange_take *take,
                 void *visitor)
{
    *outbox = (struct outbox){exchange, take, visitor, NULL};
    return false;
}

void outbox_close(struct outbox *outbox)
{
    (void)outbox;
}

uint8_t *outbox_add(struct outbox *outbox, unsigned rank, size_t length)
{
    (void)outbox;
    (void)rank;
    (void)length;
    return NULL;
}

void outbox_poll(struct outbox *outbox)
{
    (void)outbox;
}

void exchange_end(struct exchange *exchange, bool stopped)
{
    (void)exchange;
    (void)stopped;
}

bool exchange_drain(struct exchange *exchange, exchange_take *take, void *visitor)
{
    (void)exchange;
    (void)take;
    (void)visitor;
    return true;
}

bool exchange_is_stopped(const struct exchange *exchange)
{
    (void)exchange;
    return false;
}

uint64_t exchange_bytes(const struct exchange *exchange)
{
    (void)exchange;
    return 0;
}
