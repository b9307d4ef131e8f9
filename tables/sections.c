#include "sections.h"

#include <string.h>

unsigned sections_of(const struct puzzle *puzzle, struct section sections[SECTIONS_MOST])
{
    unsigned count = 0;
    sections[count++] = (struct section){.name = "states",
                                         .kind = SECTION_STATES,
                                         .root = puzzle_rank(puzzle, puzzle->root),
                                         .entries = puzzle->state_count};
    if (puzzle->patterns.entries > 0) {
        sections[count++] = (struct section){.name = "patterns",
                                             .kind = SECTION_PATTERNS,
                                             .most_given = puzzle->patterns.most_given,
                                             .entries = puzzle->patterns.entries};
    }
    return count;
}

bool sections_check(const struct header *header, const struct puzzle *puzzle, struct fault *fault)
{
    struct section expected[SECTIONS_MOST];
    unsigned count = sections_of(puzzle, expected);
    bool same = count == header->section_count;
    for (unsigned s = 0; s < count && same; s++) {
        const struct section *found = &header->sections[s];
        same = memcmp(found->name, expected[s].name, SECTION_NAME_SIZE) == 0 && found->kind == expected[s].kind &&
               found->root == expected[s].root && found->entries == expected[s].entries &&
               found->most_given == expected[s].most_given;
    }
    if (!same) {
        return fault_set(fault, FAULT_DAMAGED, "the header's sections are not those of its puzzle, %s", puzzle->name);
    }
    return true;
}
