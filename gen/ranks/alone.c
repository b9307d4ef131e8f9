// The only rank of a program that was built without MPI.
#include "ranks.h"

void ranks_join(void)
{
}

void ranks_leave(void)
{
}

bool ranks_are_launched(void)
{
    return false;
}

unsigned ranks_count(void)
{
    return 1;
}

unsigned ranks_number(void)
{
    return 0;
}

bool ranks_exchange(struct exchange *exchange, bool *stop, struct fewest_error *error)
{
    (void)exchange;
    (void)stop;
    (void)error;
    return true;
}

void ranks_sum(uint64_t *numbers, size_t count)
{
    (void)numbers;
    (void)count;
}

void ranks_sum_bytes(uint8_t *bytes, size_t count)
{
    (void)bytes;
    (void)count;
}

uint64_t ranks_find_least(uint64_t number)
{
    return number;
}

bool ranks_gather(uint64_t length, ranks_part_reader *read, ranks_part_receiver *receive,
                  void *context, struct fewest_error *error)
{
    (void)length;
    (void)read;
    (void)receive;
    (void)context;
    (void)error;
    return true;
}

bool ranks_barrier(bool good, struct fewest_error *error)
{
    (void)error;
    return good;
}
