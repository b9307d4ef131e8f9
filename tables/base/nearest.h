// Suggests a name to somebody who misspelt one.
#ifndef FEWEST_TABLES_NEAREST_H
#define FEWEST_TABLES_NEAREST_H

enum { NEAREST_NAME = 64 };

struct nearest {
    const char *typed;
    char name[NEAREST_NAME]; // the best so far, or empty
    unsigned changes;        // from what was typed to it
};

// Offers a name. It is kept where it is nearer than those before and so near that it may have been
// meant: at most a third of its letters are to be changed, left out, put in or exchanged with their
// neighbours. Case is no difference.
void nearest_offer(struct nearest *nearest, const char *name);

// "; did you mean 'NAME'?" or nothing. The text lives as long as `nearest`'s next call.
const char *nearest_text(struct nearest *nearest, char text[2 * NEAREST_NAME]);

#endif
