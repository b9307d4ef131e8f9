// Lists the sections in the table of a puzzle, and checks a header against the list.
#include "sections.h"

#include <stdio.h>
#include <string.h>

typedef void visit_function(void *context, const struct section *section);

// Sets the name of a root's section. If a puzzle has several roots, the blank's cell, counted from
// 1, ends it: "states@9".
static void set_section_name(const struct puzzle *puzzle, const char *name, struct section *section)
{
    if (puzzle->numbering.root_count > 1) {
        snprintf(section->name, sizeof section->name, "%s@%u", name,
                 puzzle->numbering.roots[section->root_number].cell + 1);
    } else {
        snprintf(section->name, sizeof section->name, "%s", name);
    }
}

// Calls `visit` for each section of root r: states, wildcard targets and distances mod 4. Each one
// overwrites *section, because one struct on the stack is enough.
static void visit_sections_of_root(const struct puzzle *puzzle, unsigned r, struct section *section,
                                   visit_function *visit, void *context)
{
    const struct root *root = &puzzle->numbering.roots[r];
    *section = (struct section){.kind = SECTION_STATES,
                                .root_number = r,
                                .root = puzzle_rank(puzzle, r, root->target),
                                .entries = puzzle->numbering.state_count};
    set_section_name(puzzle, "states", section);
    visit(context, section);
    if (root->wildcards.entries > 0) {
        *section = (struct section){.kind = SECTION_WILDCARDS,
                                    .root_number = r,
                                    .most_given = root->wildcards.most_given,
                                    .entries = root->wildcards.entries,
                                    .cells = root->wildcards.cells,
                                    .symmetry_count = root->wildcards.symmetry_count,
                                    .symmetries = root->wildcards.symmetries};
        set_section_name(puzzle, "patterns", section);
        visit(context, section);
    }
    if (root->hidden > 1) {
        *section = (struct section){
            .kind = SECTION_MOD4, .root_number = r, .entries = puzzle_full_count(puzzle, r)};
        set_section_name(puzzle, "ways", section);
        visit(context, section);
    }
}

// Calls `visit` for each section of a puzzle's table, in the order of the file.
static void visit_sections(const struct puzzle *puzzle, visit_function *visit, void *context)
{
    struct section section;
    for (unsigned r = 0; r < puzzle->numbering.root_count && puzzle_is_numbered(puzzle); r++) {
        visit_sections_of_root(puzzle, r, &section, visit, context);
    }
    for (unsigned d = 0; d < puzzle->partition.count; d++) {
        section = (struct section){.kind = SECTION_DATABASE,
                                   .root_number = d,
                                   .entries = puzzle->partition.databases[d].entries};
        snprintf(section.name, sizeof section.name, "tiles-%u", d + 1);
        visit(context, &section);
    }
    for (unsigned d = 0; d < puzzle->projection_count; d++) {
        const struct puzzle *projection = &puzzle->projections[d];
        section = (struct section){
            .kind = SECTION_DATABASE,
            .root_number = d,
            .root = puzzle_rank(projection, 0, projection->numbering.roots[0].target),
            .entries = projection->numbering.state_count};
        snprintf(section.name, sizeof section.name, "pieces-%hhu", (unsigned char)(d + 1));
        visit(context, &section);
    }
}

struct list {
    struct section *sections; // room for SECTIONS_MOST
    unsigned count;
};

static void append_section(void *context, const struct section *section)
{
    struct list *list = context;
    list->sections[list->count++] = *section;
}

unsigned sections_of(const struct puzzle *puzzle, struct section sections[SECTIONS_MOST])
{
    struct list list = {.sections = sections};
    visit_sections(puzzle, append_section, &list);
    return list.count;
}

struct comparison {
    struct header *header;
    const struct puzzle *puzzle;
    bool wildcards; // are these sections compared, too?
    unsigned count; // of the sections so far, compared or skipped
    bool same;
};

// Returns the next section of the header, or NULL after the last.
static struct section *next_section(struct comparison *comparison)
{
    struct header *header = comparison->header;
    return comparison->count < header->section_count ? &header->sections[comparison->count] : NULL;
}

static bool are_same(const struct section *found, const struct section *expected)
{
    return found->root_number == expected->root_number &&
           memcmp(found->name, expected->name, SECTION_NAME_SIZE) == 0 &&
           found->kind == expected->kind && found->root == expected->root &&
           found->entries == expected->entries && found->most_given == expected->most_given;
}

// Skips the section of a root's wildcard targets, if it follows the section of the root's states.
// Compares only its number of cells.
static void skip_wildcards(struct comparison *comparison, unsigned root_number)
{
    struct section *next = next_section(comparison);
    if (next && next->kind == SECTION_WILDCARDS) {
        next->root_number = root_number;
        comparison->same = comparison->same && next->cells == comparison->puzzle->cell_count;
        comparison->count++;
    }
}

// Compares the next section of the header with the one that the puzzle needs. Sets
// comparison->same to false if they differ. Does nothing if earlier ones differ.
static void compare_section(void *context, const struct section *expected)
{
    struct comparison *comparison = context;
    struct section *found = next_section(comparison);
    if (!comparison->same || !found) {
        comparison->same = false;
        return;
    }
    comparison->count++;
    if (!comparison->wildcards) {
        found->root_number = expected->root_number;
    }
    comparison->same = are_same(found, expected);
    if (!comparison->wildcards && puzzle_numbers_wildcards(comparison->puzzle) &&
        expected->kind == SECTION_STATES) {
        skip_wildcards(comparison, expected->root_number);
    }
}

bool sections_check(struct header *header, const struct puzzle *puzzle, bool wildcards,
                    struct fewest_error *error)
{
    struct comparison comparison = {
        .header = header, .puzzle = puzzle, .wildcards = wildcards, .same = true};
    visit_sections(puzzle, compare_section, &comparison);
    if (!comparison.same || comparison.count != header->section_count) {
        return error_set(error, FEWEST_DAMAGED,
                         "the header does not match the definition of %s" TABLE_AGAIN,
                         puzzle->name);
    }
    return true;
}
