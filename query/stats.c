// What the whole table says: counts, mean, and a state that is farthest away.
#include "table.h"

#include <string.h>

void fewest_get_stats(const struct fewest *table, struct fewest_stats *stats)
{
    const struct section *section = table->states.section;
    double sum = 0;
    *stats = (struct fewest_stats){.states = section->entries, .largest = section->largest, .bytes = table->length};
    for (unsigned d = 0; d <= section->largest; d++) {
        stats->count[d] = section->histogram[d];
        stats->reachable += section->histogram[d];
        sum += (double)d * (double)section->histogram[d];
    }
    stats->mean = stats->reachable > 0 ? sum / (double)stats->reachable : 0;
}

bool fewest_farthest(struct fewest *table, uint8_t *state, struct fewest_error *error)
{
    const struct puzzle *puzzle = &table->puzzle;
    uint8_t question[CELLS_MOST];
    struct fault fault;
    for (uint64_t index = 0; index < puzzle->state_count; index++) {
        int distance;
        if (!table_entry(table, &table->states, index, &distance, &fault)) {
            return raise_fault(error, &fault);
        }
        if (distance == (int)table->states.section->largest) {
            puzzle_unrank(puzzle, index, question);
            puzzle_start_of(puzzle, question, state);
            return true;
        }
    }
    fault_write(&fault, FAULT_DAMAGED, "the table is wrong: no state has the largest distance, %u",
                table->states.section->largest);
    return raise_fault(error, &fault);
}
