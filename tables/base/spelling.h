// Guesses what somebody meant: the right name for a misspelt one, and colours of stickers.
#ifndef FEWEST_TABLES_BASE_SPELLING_H
#define FEWEST_TABLES_BASE_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

enum { NEAREST_NAME = 64 };

struct nearest_name {
    const char *typed;
    char name[NEAREST_NAME]; // the best so far, or empty
    unsigned changes;        // between `typed` and `name`
};

// Offers a name. Keeps it if it is nearer than all names before, and near enough: at most a third
// of its letters must be changed, deleted, inserted or swapped with a neighbour. Ignores case.
void nearest_offer(struct nearest_name *nearest, const char *name);

// Writes "; did you mean 'NAME'?", or an empty text if no name is near enough. Returns `text`.
const char *nearest_text(struct nearest_name *nearest, char text[2 * NEAREST_NAME]);

// Are these the colours of the stickers of a cube (facelets): six letters, each N*N times for an N
// of at least 2? They may be cut into words of at least N letters.
bool looks_like_facelets(const char *text, size_t length);

#endif
