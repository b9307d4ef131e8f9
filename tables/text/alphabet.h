// Reads states and cases fast, if every cell of a puzzle holds one character and all cells are of
// one kind. It leaves other texts, such as those with errors, to the careful readers of text.h. So
// it sets no error.
#ifndef FEWEST_TABLES_ALPHABET_H
#define FEWEST_TABLES_ALPHABET_H

#include "puzzle/puzzle.h"

// The meaning of each character.
struct alphabet {
    bool is_there;
    unsigned cells; // of a state
    // Sets of values and WILD, a bit each. A state is possible if no member of `once` is in it
    // twice and some member of `needed` is in it. `needed` is empty if this test can't decide.
    uint64_t once;
    uint64_t needed;
    uint8_t meaning[256];   // a value, or WILD, or one that alphabet.c knows
    uint64_t bit[256];      // of the meaning
    uint64_t once_bit[256]; // the same, or 0 if the meaning is not in `once`
};

// Finds the alphabet of a puzzle. There may be none.
void alphabet_find(const struct puzzle *puzzle, struct alphabet *alphabet);

// What the fast readers know about a text, from the least to the most.
enum plain {
    PLAIN_NOT,       // a careful reader must read it
    PLAIN_UNCHECKED, // it was read; text_check_state must tell whether it is possible
    PLAIN_POSSIBLE,  // it was read, and is possible
};

// Reads exactly one state. `wild`: may it have wildcards?
enum plain alphabet_read_state(const struct alphabet *alphabet, const char *text, size_t length,
                               bool wild, uint8_t *state);

// Reads a case: a start, or a start and a target.
enum plain alphabet_read_case(const struct alphabet *alphabet, const char *text, size_t length,
                              uint8_t *start, uint8_t *target, bool *has_target);

// Reads one cell. Returns false if the character is no value, or if there is no alphabet.
bool alphabet_read_value(const struct alphabet *alphabet, char c, uint8_t *value);

#endif
