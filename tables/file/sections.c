// Lists the sections in the table of a puzzle, and checks a header against the list.
#include "file/sections.h"

#include <stdio.h>
#include <string.h>

// If a puzzle has several roots, the name ends in the blank's cell, counted from 1: "states@9".
static struct section new_section(const struct puzzle *puzzle, unsigned root,
                                  enum section_kind kind, const char *name)
{
    struct section section = {.kind = kind, .root_number = root};
    if (puzzle->numbering.root_count > 1) {
        snprintf(section.name, sizeof section.name, "%s@%u", name,
                 puzzle->numbering.roots[root].cell + 1);
    } else {
        snprintf(section.name, sizeof section.name, "%s", name);
    }
    return section;
}

unsigned sections_of(const struct puzzle *puzzle, struct section sections[SECTIONS_MOST])
{
    unsigned count = 0;
    for (unsigned r = 0; r < puzzle->numbering.root_count && puzzle_is_numbered(puzzle); r++) {
        struct section *states = &sections[count++];
        *states = new_section(puzzle, r, SECTION_STATES, "states");
        states->root = puzzle_rank(puzzle, r, puzzle->numbering.roots[r].target);
        states->entries = puzzle->numbering.state_count;
        if (puzzle->numbering.roots[r].wildcards.entries > 0) {
            struct section *wildcards = &sections[count++];
            *wildcards = new_section(puzzle, r, SECTION_WILDCARDS, "patterns");
            wildcards->most_given = puzzle->numbering.roots[r].wildcards.most_given;
            wildcards->entries = puzzle->numbering.roots[r].wildcards.entries;
        }
        if (puzzle->numbering.roots[r].hidden > 1) {
            struct section *mod4 = &sections[count++];
            *mod4 = new_section(puzzle, r, SECTION_MOD4, "ways");
            mod4->entries = puzzle_full_count(puzzle, r);
        }
    }
    for (unsigned d = 0; d < puzzle->partition.count; d++) {
        struct section *database = &sections[count++];
        *database = (struct section){.kind = SECTION_DATABASE, .root_number = d};
        database->entries = puzzle->partition.databases[d].entries;
        snprintf(database->name, sizeof database->name, "tiles-%u", d + 1);
    }
    for (unsigned d = 0; d < puzzle->projection_count; d++) {
        struct section *database = &sections[count++];
        *database = (struct section){.kind = SECTION_DATABASE, .root_number = d};
        database->entries = puzzle->projections[d].numbering.state_count;
        database->root = puzzle_rank(&puzzle->projections[d], 0,
                                     puzzle->projections[d].numbering.roots[0].target);
        snprintf(database->name, sizeof database->name, "pieces-%hhu", (unsigned char)(d + 1));
    }
    return count;
}

bool sections_check(struct header *header, const struct puzzle *puzzle, struct fewest_error *error)
{
    struct section expected[SECTIONS_MOST];
    unsigned count = sections_of(puzzle, expected);
    bool same = count == header->section_count;
    for (unsigned s = 0; s < count && same; s++) {
        struct section *found = &header->sections[s];
        found->root_number = expected[s].root_number;
        same = memcmp(found->name, expected[s].name, SECTION_NAME_SIZE) == 0 &&
               found->kind == expected[s].kind && found->root == expected[s].root &&
               found->entries == expected[s].entries && found->most_given == expected[s].most_given;
    }
    if (!same) {
        return error_set(error, FEWEST_DAMAGED,
                         "the header does not match the definition of %s" TABLE_AGAIN,
                         puzzle->name);
    }
    return true;
}
