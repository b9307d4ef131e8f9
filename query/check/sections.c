// Lists the checks of sections: states, wildcard targets, pattern databases.
#include "check.h"

// Proves the numbers of the states of the checker's root, and then rules 1 to 3 for the entries of
// their section. Uses pages if the index has them (algebra/pages.h). If the numbers are not proved,
// stops the check, because then no entry says anything.
static void check_states(struct checker *checker, const struct unpacked *unpacked)
{
    const struct puzzle *puzzle = checker->puzzle;
    struct proposed proposed = proposed_of(unpacked);
    struct puzzle spoilt = *puzzle; // a copy that a test may change
    struct pages pages;
    if (!pages_make(&pages, puzzle->numbering.roots[checker->root].chain, checker->error)) {
        checker->sound = false;
        return;
    }
    // Masks can be proved only if they cover the whole tail (chain_pages.h). Else more things move
    // with their slots, and a mask does not tell how.
    bool masks_cover_tail = pages.masks && pages.cut->tail_count == pages.cut->masks->low_bits +
                                                                        pages.cut->masks->high_bits;
    bool has_pages = pages.page_size > 0 || masks_cover_tail;
    checker->pages = has_pages ? &pages : NULL;
    if (checker->spoil) {
        checker->puzzle = &spoilt;
        checker->spoil(checker->spoil_context, &spoilt, has_pages ? &pages : NULL);
    }
    bool are_numbers_proved = has_pages ? check_pages(checker) : check_numbers(checker);
    if (are_numbers_proved) {
        check_distances(checker, &proposed);
    } else {
        checker->stopped = true;
    }
    checker->puzzle = puzzle;
    checker->pages = NULL;
    pages_free(&pages);
}

// Proves the states of the root, unless the section of their nodes (numbering.h) proves them.
static void check_states_of_root(struct checker *checker)
{
    if (!puzzle_hides_nodes(checker->puzzle, checker->root)) {
        check_states(checker, table_unpacked(checker->table, checker->section));
    }
}

// Proves a pattern database of a board.
static void check_database_of_board(struct checker *checker)
{
    check_database(checker, checker->section->root_number, NULL); // NULL: no test spoils it
}

const struct section_check SECTION_CHECKS[SECTION_KIND_COUNT] = {
    [SECTION_STATES] = {.deep = check_states_of_root},
    [SECTION_WILDCARDS] = {.always = check_symmetries, .deep = check_wildcard_targets},
    [SECTION_MOD4] = {.deep = check_full_states},
    [SECTION_DATABASE] = {.deep = check_database_of_board},
    [SECTION_STRIPES] = {.deep = check_stripes},
};
