// Chooses the name of a puzzle, and puts it into the definition.
#include "name.h"

#include "base/ascii.h"

#include <stdlib.h>
#include <string.h>

// Names that programs give to any puzzle.
static const char *const GENERIC[] = {"Unnamed", "PuzzleGeometryPuzzle"};

// A part of a text.
struct part {
    const char *text;
    size_t length;
};

static bool is_same(struct part a, struct part b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static bool is_generic(struct part name)
{
    bool generic = name.length == 0;
    for (size_t i = 0; i < sizeof GENERIC / sizeof *GENERIC && !generic; i++) {
        generic = is_same(name, (struct part){GENERIC[i], strlen(GENERIC[i])});
    }
    return generic;
}

// Takes the next word of a line, or returns a length of 0 at its end or a comment.
static struct part next_word(const char **at, const char *stop)
{
    while (*at < stop && ascii_is_space(**at)) {
        ++*at;
    }
    struct part word = {*at, 0};
    while (*at < stop && *word.text != '#' && !ascii_is_space(**at)) {
        ++*at;
    }
    word.length = (size_t)(*at - word.text);
    return word;
}

// Finds the words after `Name`. Their length is 0 if there is no such line. If a set is called
// Name, the line that names it has no second word.
static struct part find_name(const char *text, size_t length)
{
    const char *end = text + length;
    text += ascii_mark_length(text, length);
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline ? newline : end;
        struct part keyword = next_word(&text, stop);
        struct part name = next_word(&text, stop);
        for (struct part word = name; word.length > 0; word = next_word(&text, stop)) {
            name.length = (size_t)(word.text + word.length - name.text);
        }
        if (is_same(keyword, (struct part){"Name", 4}) && name.length > 0) {
            return name;
        }
        text = newline ? newline + 1 : end;
    }
    return (struct part){"", 0};
}

// The name of a file without its folder and its suffix.
static struct part find_stem(const char *path)
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
    return (struct part){file, length};
}

static struct part choose(const struct make_request *request, struct part own)
{
    return request->name     ? (struct part){request->name, strlen(request->name)}
           : request->output ? find_stem(request->output)
           : is_generic(own) ? find_stem(request->definition)
                             : own;
}

bool name_put(const struct make_request *request, char **text, size_t *length,
              char missing[NAME_LONGEST + 1])
{
    struct part own = find_name(*text, *length);
    struct part name = choose(request, own);
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
