// Chooses the name of a puzzle, and puts it into the definition.
#include "name.h"

#include <stdlib.h>
#include <string.h>

// Names that programs give to any puzzle.
static const char *const GENERIC[] = {"Unnamed", "PuzzleGeometryPuzzle"};

static bool is_same(struct word a, struct word b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static bool is_generic(struct word name)
{
    bool generic = name.length == 0;
    for (size_t i = 0; i < sizeof GENERIC / sizeof *GENERIC && !generic; i++) {
        generic = is_same(name, (struct word){GENERIC[i], strlen(GENERIC[i])});
    }
    return generic;
}

// The name of a file without its folder and its suffix.
static struct word find_stem(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    static const char KPUZZLE[] = ".kpuzzle"; // NAME.kpuzzle.json
    const char *dot = strrchr(file, '.');
    size_t length = dot && dot > file ? (size_t)(dot - file) : strlen(file);
    size_t more = sizeof KPUZZLE - 1;
    if (length > more && strncmp(file + length - more, KPUZZLE, more) == 0) {
        length -= more;
    }
    return (struct word){file, length};
}

static struct word choose(const struct make_request *request, struct word own)
{
    return request->name     ? (struct word){request->name, strlen(request->name)}
           : request->output ? find_stem(request->output)
           : is_generic(own) ? find_stem(request->definition)
                             : own;
}

bool name_put(const struct make_request *request, char **text, size_t *length,
              char missing[NAME_LONGEST + 1])
{
    struct word own;
    if (!definition_find_name(*text, *length, &own)) {
        return false;
    }
    struct word name = choose(request, own);
    missing[0] = '\0';
    if (is_same(name, own) || !definition_is_name(name.text, name.length)) {
        return true;
    }
    if (own.length == 0) {
        memcpy(missing, name.text, name.length);
        missing[name.length] = '\0';
        return true;
    }
    size_t begin = (size_t)(own.text - *text);
    size_t rest = *length - begin - own.length;
    char *larger = realloc(*text, *length + name.length);
    if (!larger) {
        return false;
    }
    memmove(larger + begin + name.length, larger + begin + own.length, rest);
    memcpy(larger + begin, name.text, name.length);
    *text = larger;
    *length = begin + name.length + rest;
    return true;
}
