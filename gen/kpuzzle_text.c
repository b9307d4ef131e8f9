// The part of kpuzzle.h that works without jansson: it does not parse JSON.
#include "kpuzzle.h"

#include "base/ascii.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool kpuzzle_is_json(const char *text, size_t length)
{
    size_t first = ascii_mark_length(text, length);
    while (first < length && ascii_is_space(text[first])) {
        first++;
    }
    return first < length && text[first] == '{';
}

// The JSON path of a line, counted from 1. NULL if the line has none.
static const char *find_place(const struct kpuzzle_text *text, unsigned long line)
{
    const char *place = text->places;
    const char *end = text->places + text->places_length;
    for (; place < end && line > 1; line--) {
        place += strlen(place) + 1;
    }
    return line == 1 && place < end && *place ? place : NULL;
}

void kpuzzle_name_places(const struct kpuzzle_text *text, struct fewest_error *error)
{
    static const char LINE[] = "line ";
    char before[FEWEST_ERROR_SIZE];
    const char *next = before;
    size_t used = 0;
    memcpy(before, error->text, sizeof before);
    for (const char *found; (found = strstr(next, LINE)) && used < sizeof error->text;) {
        char *end;
        unsigned long line = strtoul(found + strlen(LINE), &end, 10);
        const char *place = find_place(text, line);
        size_t copied = (size_t)((place ? found : end) - next);
        used += (size_t)snprintf(error->text + used, sizeof error->text - used, "%.*s%s",
                                 (int)copied, next, place ? place : "");
        next = end;
    }
    if (used < sizeof error->text) {
        snprintf(error->text + used, sizeof error->text - used, "%s", next);
    }
}

void kpuzzle_free(struct kpuzzle_text *text)
{
    free(text->text);
    free(text->places);
    *text = (struct kpuzzle_text){0};
}
