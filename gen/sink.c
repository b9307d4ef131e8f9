#include "sink.h"

#include <stdlib.h>
#include <string.h>

bool memory_sink_write(void *context, uint64_t offset, const void *bytes, size_t length, struct fault *fault)
{
    struct memory_sink *memory = context;
    size_t end = (size_t)offset + length;
    if (end > memory->room) {
        size_t room = 2 * end;
        uint8_t *larger = realloc(memory->bytes, room);
        if (!larger) {
            return fault_set(fault, FAULT_SYSTEM, "not enough memory for the table");
        }
        memory->bytes = larger;
        memory->room = room;
    }
    memcpy(memory->bytes + offset, bytes, length);
    memory->length = end > memory->length ? end : memory->length;
    return true;
}
