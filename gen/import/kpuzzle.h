// KPuzzle definitions: the JSON files (.kpuzzle.json) of cubing.js and twips. They become text in
// our own language, which the rest of the program reads like the text of a file.
#ifndef FEWEST_GEN_IMPORT_KPUZZLE_H
#define FEWEST_GEN_IMPORT_KPUZZLE_H

#include "tables/base/errors.h"

#include <stdbool.h>
#include <stddef.h>

struct kpuzzle_file {
    const char *path; // begins the errors
    const char *json;
    size_t length;
};

struct kpuzzle_text {
    char *text; // NULL: there is none
    size_t length;
    // For each line of the text the JSON path that it comes from, such as `moves.U`. Each path ends
    // with a NUL.
    char *places;
    size_t places_length;
};

// Is this an object of JSON, and not a definition in our own language? The first character tells.
// A dictionary of Python is no JSON: a quotation mark ' follows.
bool kpuzzle_is_json(const char *text, size_t length);

// Translates a definition. If `goal` is not NULL, its pattern becomes the solved state. After
// success the caller calls kpuzzle_free.
bool kpuzzle_translate(const struct kpuzzle_file *file, const struct kpuzzle_file *goal,
                       struct kpuzzle_text *text, struct fewest_error *error);

// The JSON path that a line comes from; lines count from 1. NULL if it comes from none.
const char *kpuzzle_find_place(const struct kpuzzle_text *text, unsigned line);

void kpuzzle_free(struct kpuzzle_text *text);

#endif
