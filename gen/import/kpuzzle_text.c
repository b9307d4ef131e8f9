// The part of kpuzzle.h that works without jansson: it does not parse JSON.
#include "kpuzzle.h"

#include "tables/base/ascii.h"

#include <stdlib.h>
#include <string.h>

bool kpuzzle_is_json(const char *text, size_t length)
{
    size_t first = ascii_mark_length(text, length);
    while (first < length && ascii_is_space(text[first])) {
        first++;
    }
    if (first == length || text[first] != '{') {
        return false;
    }
    do {
        first++;
    } while (first < length && ascii_is_space(text[first]));
    return first == length || text[first] != '\'';
}

const char *kpuzzle_find_place(const struct kpuzzle_text *text, unsigned line)
{
    const char *place = text->places;
    const char *end = text->places + text->places_length;
    if (line == 0) {
        return NULL;
    }
    for (unsigned skipped = 1; skipped < line && place < end; skipped++) {
        place += strlen(place) + 1;
    }
    bool has_place = place < end && *place; // the path of a whole file is empty
    return has_place ? place : NULL;
}

void kpuzzle_free(struct kpuzzle_text *text)
{
    free(text->text);
    free(text->places);
    *text = (struct kpuzzle_text){0};
}
