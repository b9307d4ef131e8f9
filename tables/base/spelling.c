// Finds the name that is most similar to a misspelt one, and knows colours of stickers.
#include "spelling.h"

#include "ascii.h"

#include <stdio.h>
#include <string.h>

static unsigned least_of_two(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

// Do two characters differ in more than their case? The case of a letter is the bit 0x20.
static bool differ(char a, char b)
{
    return ((a ^ b) & ~0x20) != 0;
}

// Returns how many letters of a must be changed, deleted, inserted or swapped with a neighbour to
// make b (optimal string alignment). b has fewer than NEAREST_NAME bytes. Entry j of a row is the
// result for a prefix of a and the first j bytes of b.
static unsigned changes_between(const char *a, const char *b)
{
    unsigned row[3][NEAREST_NAME + 1]; // for the last three prefixes of a, in turn
    size_t length = strlen(b);
    for (unsigned j = 0; j <= length; j++) {
        row[0][j] = j;
    }
    unsigned i = 0;
    for (; a[i]; i++) {
        unsigned *now = row[(i + 1) % 3];           // for the first i + 1 bytes of a
        const unsigned *before = row[i % 3];        // for the first i
        const unsigned *earlier = row[(i + 2) % 3]; // for the first i - 1
        now[0] = i + 1;
        for (unsigned j = 0; j < length; j++) {
            // Change a letter or keep it, or delete or insert one; below, swap two.
            now[j + 1] = least_of_two(before[j] + differ(a[i], b[j]),
                                      least_of_two(before[j + 1], now[j]) + 1);
            if (i > 0 && j > 0 && !differ(a[i], b[j - 1]) && !differ(a[i - 1], b[j])) {
                now[j + 1] = least_of_two(now[j + 1], earlier[j - 1] + 1);
            }
        }
    }
    return row[i % 3][length];
}

void nearest_offer(struct nearest_name *nearest, const char *name)
{
    size_t length = strlen(name);
    if (length >= NEAREST_NAME || strlen(nearest->typed) >= NEAREST_NAME) {
        return;
    }
    unsigned changes = changes_between(nearest->typed, name);
    if (changes <= length / 3 && (!nearest->name[0] || changes < nearest->changes)) {
        nearest->changes = changes;
        memcpy(nearest->name, name, length + 1);
    }
}

const char *nearest_text(struct nearest_name *nearest, char text[2 * NEAREST_NAME])
{
    text[0] = '\0';
    if (nearest->name[0]) {
        snprintf(text, (size_t)2 * NEAREST_NAME, "; did you mean '%s'?", nearest->name);
    }
    return text;
}

// Counts the letters of a text, and the letters of its shortest word. Returns false if the text has
// anything but letters and separators.
static bool count_letters(const char *text, size_t length, size_t counts[256], size_t *shortest)
{
    size_t word = 0; // letters of the word so far
    *shortest = SIZE_MAX;
    for (size_t i = 0; i <= length; i++) {
        if (i == length || ascii_is_separator(text[i])) {
            if (word > 0 && word < *shortest) {
                *shortest = word;
            }
            word = 0;
            continue;
        }
        unsigned char letter = (unsigned char)text[i];
        bool is_letter = (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z');
        if (!is_letter) {
            return false;
        }
        counts[letter]++;
        word++;
    }
    return true;
}

bool looks_like_facelets(const char *text, size_t length)
{
    enum { FACES = 6 };
    size_t counts[256] = {0};
    size_t shortest;
    size_t face = 0; // stickers of each colour
    unsigned colours = 0;
    if (!count_letters(text, length, counts, &shortest)) {
        return false;
    }
    for (unsigned letter = 0; letter < 256; letter++) {
        if (counts[letter] > 0) {
            if (colours++ > 0 && counts[letter] != face) { // not as many as of the other colours
                return false;
            }
            face = counts[letter];
        }
    }
    size_t side = 2; // N
    while (side * side < face) {
        side++;
    }
    return colours == FACES && side * side == face && shortest >= side;
}
