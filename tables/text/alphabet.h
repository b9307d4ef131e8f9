// Reads states and cases fast, if every cell of a puzzle holds one character and all cells are of
// one kind. It leaves other texts, such as those with errors, to the careful readers of text.h. So
// it sets no error.
#ifndef FEWEST_TABLES_ALPHABET_H
#define FEWEST_TABLES_ALPHABET_H

#include "row_sums.h"

// The meaning of each character.
struct alphabet {
    bool is_there;
    struct row_sums sums; // perhaps also without an alphabet
    uint8_t meaning[256]; // a value, or WILD, or one that alphabet.c knows
};

// Fills in the alphabet of a puzzle. There may be none: then only `is_there` and the sums are set.
void alphabet_find(const struct puzzle *puzzle, struct alphabet *alphabet);

// Reads exactly one state of a text of `length` bytes. `wild`: may it have wildcards? Returns false
// if there is no alphabet, or if the text is something else: a careful reader must read it.
bool alphabet_read_state(const struct alphabet *alphabet, const char *text, size_t length,
                         bool wild, uint8_t *state);

// Reads a case, in the same way: a start, or a start and a target. *has_target tells which.
bool alphabet_read_case(const struct alphabet *alphabet, const char *text, size_t length,
                        uint8_t *start, uint8_t *target, bool *has_target);

#endif
