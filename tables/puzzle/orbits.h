// The orbits of a permutation puzzle, and the exact numbering of its states.
//
// The moves generate a group that acts on *points*: a point for each slot and each orientation that
// a piece can have there. An *orbit* is a set of slots between which the moves take pieces. Each
// orbit has a subgroup N of the group that is normal and changes nothing outside the orbit. The
// *row* of a state is what it has in the slots of an orbit. A *class* is all rows that N makes of
// one row. All classes of an orbit have equally many rows. A move takes all rows of a class to one
// class. A *tuple* has one class of each orbit. Not every tuple occurs. If one occurs, then so does
// every combination of rows from its classes. So the index of a state is
//
//     number of its tuple × product, over all orbits, of the number of rows in a class
//     + a number in a mixed radix: for each orbit, the rank of its row in the class
//
// and every index is a state. There are three kinds of orbits:
//   giant:  N has all even permutations of the slots, with all orientations that add up to 0. A
//           class has the rows with one parity and one sum of orientations, as far as the row
//           shows them. Rows are ranked as arrangements.
//   chain:  no giant, each symbol stands in one slot, and all orientations count. A class is what
//           N makes of one row. A stabilizer chain (index/group.h) holds N.
//   listed: all others: some symbols stand in several slots, or some orientation does not count.
//           A list holds all rows.
#ifndef FEWEST_TABLES_ORBITS_H
#define FEWEST_TABLES_ORBITS_H

#include "index/group.h"
#include "index/row_set.h"
#include "puzzle/puzzle.h"

enum {
    TUPLES_MOST = 1 << 16,
    CLASSES_MOST = 1 << 16, // of an orbit
    LISTED_MOST = 1 << 20,  // rows of a listed orbit
    SYMBOL_NONE = UINT16_MAX,
};

enum orbit_kind {
    ORBIT_GIANT,
    ORBIT_CHAIN,
    ORBIT_LISTED,
};

// A slot whose value some move changes: its piece, and its orientation if moves turn it.
struct slot {
    int piece;      // its cell, or -1 if the piece stays at home
    int turn;       // the cell of its orientation, or -1
    unsigned set;   // of the definition
    unsigned index; // within the set
    unsigned turns; // orientations that the moves of its orbit can give it
    unsigned orbit; // its orbit
};

// What a slot can hold: a piece or, if nothing turns the orbit, a piece in one orientation. Its
// *values* are its orientations, if these count.
struct symbol {
    unsigned set;
    unsigned piece;
    unsigned turn;   // of the first value
    unsigned turns;  // number of values
    unsigned first;  // the first value
    unsigned amount; // number of slots that hold it
};

// A level of a chain. The elements are permutations of the points of the orbit.
struct chain_level {
    group_point base;
    unsigned length; // of the orbit of the base
    uint16_t *digit; // by point: its number in this orbit, or GROUP_POINT_NONE
    // By number: the lexicographically least element of the level's subgroup that takes the base
    // there, and its inverse.
    group_point *element;
    group_point *inverse;
};

struct orbit {
    enum orbit_kind kind;
    unsigned length;    // number of slots
    unsigned *slot;     // their numbers, rising
    unsigned points;    // each slot has one for each of its orientations
    group_point *first; // by slot of the orbit: its first point
    uint16_t *slot_of;  // by point

    unsigned turns;         // of each slot of a giant
    struct symbol *symbols; // sorted by set, piece and orientation
    unsigned symbol_count;
    unsigned values;
    uint16_t *symbol_of; // by value
    // By piece, if the slots are of one set and each piece is one symbol: the symbol, or
    // SYMBOL_NONE. Else NULL.
    uint16_t *symbol_at;
    unsigned counting; // number of slots whose orientation counts

    uint64_t rows; // in a class; 0 if they exceed 63 bits
    uint32_t classes;
    struct row_set class_rows; // a chain: the least row of each class; a giant: parity, sum
    // A chain: the values that the root has in the slots, and by value the point where it has it.
    // By class and point: where the root has what the least row has at the point, and the inverse.
    uint16_t *root;
    group_point *home;
    group_point *class_points;
    group_point *class_places;

    struct chain_level *levels; // a chain
    unsigned level_count;
    // A chain of pieces at home with two orientations, at most 64: by level, the slots that its
    // element turns, a bit each, and by class, the slots that its least row has turned. Else NULL.
    uint64_t *turned;
    uint64_t *class_turned;

    struct row_set list; // a listed orbit: its rows
    uint32_t *class_of;  // by row of the list
    uint32_t *rank_of;   // by row of the list: its rank in the class
    uint32_t *row_of;    // by class × rows + rank: its row in the list
};

struct orbits {
    struct slot *slots;
    unsigned slot_count;
    struct orbit *orbits; // those with the most rows first
    unsigned count;
    struct row_set tuples; // the classes of those orbits that have several
    uint64_t inner;        // product of the rows of all orbits; 0 if the tuples are not listed
    // If there are too many tuples to list: the product of these numbers is that of the tuples,
    // times the rows in a class of each chain that has several classes.
    unsigned *lengths;
    unsigned length_count;
};

// Finds the orbits of a puzzle that has its cells, moves and root. It fails if memory runs out, if
// there are more than GROUP_DEGREE_MOST points, if a listed orbit has more than LISTED_MOST rows,
// or if there are too many classes to count.
bool orbits_find(const struct puzzle *puzzle, struct orbits *orbits, struct fewest_error *error);
void orbits_free(struct orbits *orbits);

// Does each symbol stand in one slot?
static inline bool orbit_all_differ(const struct orbit *orbit)
{
    return orbit->symbol_count == orbit->length;
}

// Of a giant: do all orientations count, so that their sum tells rows apart?
static inline bool orbit_sum_counts(const struct orbit *orbit)
{
    return orbit->turns > 1 && orbit->counting == orbit->length;
}

// ---- Rows ---------------------------------------------------------------------------------------

// Reads the values of an orbit's slots from cells. Returns false if a value does not occur there.
bool orbit_read(const struct orbits *orbits, const struct orbit *orbit, const uint8_t *cells,
                uint16_t *row);
void orbit_write(const struct orbits *orbits, const struct orbit *orbit, const uint16_t *row,
                 uint8_t *cells);

// The value that a row has at a point: the value of the point's slot, turned.
static inline uint16_t orbit_value_at(const struct orbit *orbit, const uint16_t *row,
                                      group_point at)
{
    unsigned slot = orbit->slot_of[at];
    unsigned value = row[slot];
    const struct symbol *symbol = &orbit->symbols[orbit->symbol_of[value]];
    unsigned turn = value - symbol->first + at - orbit->first[slot];
    return (uint16_t)(symbol->first + (symbol->turns > 1 ? turn % symbol->turns : 0));
}

// row := the values that `from` has where an element takes the points.
static inline void orbit_act(const struct orbit *orbit, const uint16_t *from,
                             const group_point *element, uint16_t *row)
{
    for (unsigned i = 0; i < orbit->length; i++) {
        row[i] = orbit_value_at(orbit, from, element[orbit->first[i]]);
    }
}

// Of a giant: the parity and the sum of a row, 0 if the row does not show them.
void orbit_invariants(const struct orbit *orbit, const uint16_t *row, uint16_t invariants[2]);

// The class of a row and its rank there; ROW_NONE and INDEX_NONE if it does not occur.
uint32_t orbit_class(const struct orbit *orbit, const uint16_t *row);
uint64_t orbit_rank(const struct orbit *orbit, uint32_t class, const uint16_t *row);
void orbit_unrank(const struct orbit *orbit, uint32_t class, uint64_t rank, uint16_t *row);

#endif
