// Chooses the name of a puzzle, and puts it into the definition.
#include "name.h"

#include <stdlib.h>
#include <string.h>

// Names that programs give to any puzzle.
static const char *const GENERIC[] = {"Unnamed", "PuzzleGeometryPuzzle"};

static bool are_same_words(struct word a, struct word b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

// Does the name say nothing about the puzzle? It may be empty.
static bool is_generic(struct word name)
{
    for (size_t i = 0; i < sizeof GENERIC / sizeof *GENERIC; i++) {
        if (are_same_words(name, (struct word){GENERIC[i], strlen(GENERIC[i])})) {
            return true;
        }
    }
    return name.length == 0;
}

// Returns the name of a file without its folder and its suffix: "cube" of /home/x/cube.tws and of
// cube.kpuzzle.json. A dot that begins the name begins no suffix.
static struct word find_stem(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    static const char KPUZZLE[] = ".kpuzzle";
    const char *dot = strrchr(file, '.');
    size_t length = dot && dot > file ? (size_t)(dot - file) : strlen(file);
    size_t suffix = sizeof KPUZZLE - 1;
    if (length > suffix && strncmp(file + length - suffix, KPUZZLE, suffix) == 0) {
        length -= suffix;
    }
    return (struct word){file, length};
}

// Chooses the puzzle's name. `own` is the name in the definition, or empty if there is none.
static struct word choose_name(const struct make_request *request, struct word own)
{
    if (request->name) {
        return (struct word){request->name, strlen(request->name)};
    }
    if (request->output) {
        return find_stem(request->output);
    }
    return is_generic(own) ? find_stem(request->definition) : own;
}

// Replaces the word `old`, which is in the text, by another one. Returns false if memory runs out.
static bool replace_word(char **text, size_t *length, struct word old, struct word new)
{
    size_t begin = (size_t)(old.text - *text);
    size_t rest = *length - begin - old.length; // bytes after the word
    char *larger = realloc(*text, *length + new.length);
    if (!larger) {
        return false;
    }
    memmove(larger + begin + new.length, larger + begin + old.length, rest);
    memcpy(larger + begin, new.text, new.length);
    *text = larger;
    *length = begin + new.length + rest;
    return true;
}

bool name_insert(const struct make_request *request, char **text, size_t *length,
                 char missing[NAME_LONGEST + 1])
{
    struct word own;
    if (!definition_find_name(*text, *length, &own)) {
        return false;
    }
    struct word name = choose_name(request, own);
    missing[0] = '\0';
    if (are_same_words(name, own) || !definition_is_name(name.text, name.length)) {
        return true; // the text stays: the name is there, or the stem of a file is no name
    }
    if (own.length == 0) {
        memcpy(missing, name.text, name.length);
        missing[name.length] = '\0';
        return true;
    }
    return replace_word(text, length, own, name);
}
