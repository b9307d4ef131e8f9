// Makes the two sections of a puzzle in which several full states share a visible state.
#include "full_states.h"

void full_states_fold(const struct puzzle *puzzle, const struct distances *full, uint8_t *states)
{
    for (uint64_t f = 0; f < full->count; f++) {
        uint8_t *least = &states[f % puzzle->numbering.state_count];
        unsigned distance = distances_get(full->entries, f, 8);
        *least = distance < *least ? (uint8_t)distance : *least;
    }
}

void full_states_reduce_mod4(struct distances *full)
{
    uint8_t *entries = (uint8_t *)full->entries;
    for (uint64_t f = 0; f < full->count; f++) {
        entries[f] = entries[f] & 2 ? UNREACHED : 0; // an unreachable state becomes UNREACHED, too
    }
    distances_count(full);
}
