// Lists the sections in the table of a puzzle, and checks a header against the list.
#include "sections.h"

#include "tables/families/board/tile_databases.h"

#include <stdio.h>
#include <string.h>

// Sets the name of a root's section. If a puzzle has several roots, the name ends in the blank's
// cell, counted from 1: "states@9".
static void set_section_name(const struct puzzle *puzzle, const char *name, struct section *section)
{
    if (puzzle->numbering.root_count > 1) {
        snprintf(section->name, sizeof section->name, "%s@%u", name,
                 puzzle->numbering.roots[section->root_number].cell + 1);
    } else {
        snprintf(section->name, sizeof section->name, "%s", name);
    }
}

// Lists the sections of root r: states, wildcard targets and distances mod 4. Returns their number.
static unsigned list_sections_of_root(const struct puzzle *puzzle, unsigned r,
                                      struct section *sections)
{
    const struct root *root = &puzzle->numbering.roots[r];
    unsigned count = 0;
    sections[count] = (struct section){.kind = SECTION_STATES,
                                       .root_number = r,
                                       .root = puzzle_rank(puzzle, r, root->target),
                                       .entries = puzzle->numbering.state_count};
    set_section_name(puzzle, "states", &sections[count++]);
    if (root->wildcards.entries > 0) {
        sections[count] = (struct section){.kind = SECTION_WILDCARDS,
                                           .root_number = r,
                                           .most_given = root->wildcards.most_given,
                                           .entries = root->wildcards.entries,
                                           .cells = root->wildcards.cells,
                                           .symmetry_count = root->wildcards.symmetry_count,
                                           .symmetries = root->wildcards.symmetries};
        set_section_name(puzzle, "patterns", &sections[count++]);
    }
    if (puzzle_hides_nodes(puzzle, r)) {
        sections[count] = (struct section){
            .kind = SECTION_MOD4, .root_number = r, .entries = puzzle_node_count(puzzle, r)};
        set_section_name(puzzle, "ways", &sections[count++]);
    }
    return count;
}

unsigned sections_of(const struct puzzle *puzzle, struct section sections[SECTIONS_MOST])
{
    unsigned count = 0;
    for (unsigned r = 0; r < puzzle->numbering.root_count && puzzle_is_numbered(puzzle); r++) {
        count += list_sections_of_root(puzzle, r, sections + count);
    }
    // The pattern databases of a sliding board, if it has any, and then those of other puzzles.
    for (unsigned d = 0; puzzle->partition && d < puzzle->partition->count; d++) {
        struct section *section = &sections[count++];
        *section = (struct section){.kind = SECTION_DATABASE,
                                    .root_number = d,
                                    .entries = puzzle->partition->databases[d].entries};
        snprintf(section->name, sizeof section->name, "tiles-%u", d + 1);
    }
    for (unsigned d = 0; d < puzzle->projection_count; d++) {
        struct section *section = &sections[count++];
        *section = (struct section){.kind = SECTION_STRIPES, .root_number = d};
        snprintf(section->name, sizeof section->name, "pieces-%hhu", (unsigned char)(d + 1));
    }
    return count;
}

// The base and the entries of stripes are compared when they are used.
static bool are_same(const struct section *found, const struct section *expected)
{
    bool has_numbers = found->root == expected->root && found->entries == expected->entries;
    return found->root_number == expected->root_number &&
           memcmp(found->name, expected->name, SECTION_NAME_SIZE) == 0 &&
           found->kind == expected->kind && found->most_given == expected->most_given &&
           (has_numbers || found->kind == SECTION_STRIPES);
}

// Compares the sections of a header with those of a puzzle, one after the other. Without
// `wildcards`, sets the root_number of each. The puzzle then expects no wildcard targets, so a
// section of them is skipped behind the states of the same root.
static bool agree(struct header *header, const struct puzzle *puzzle, bool wildcards)
{
    struct section expected[SECTIONS_MOST];
    unsigned count = sections_of(puzzle, expected);
    unsigned f = 0; // the next section of the header
    for (unsigned e = 0; e < count; e++) {
        if (f == header->section_count) {
            return false;
        }
        struct section *found = &header->sections[f++];
        if (!wildcards) {
            found->root_number = expected[e].root_number;
        }
        if (!are_same(found, &expected[e])) {
            return false;
        }
        if (wildcards || found->kind != SECTION_STATES || !puzzle_numbers_wildcards(puzzle) ||
            f == header->section_count || header->sections[f].kind != SECTION_WILDCARDS) {
            continue; // there is none to skip
        }
        struct section *skipped = &header->sections[f++];
        skipped->root_number = found->root_number;
        if (skipped->cells != puzzle->cell_count) {
            return false;
        }
    }
    return f == header->section_count;
}

bool sections_check(struct header *header, const struct puzzle *puzzle, bool wildcards,
                    struct fewest_error *error)
{
    return agree(header, puzzle, wildcards) ||
           error_set(error, FEWEST_DAMAGED,
                     "the header does not match the definition of %s" TABLE_AGAIN, puzzle->name);
}
