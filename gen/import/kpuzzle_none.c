// Stands for kpuzzle.c in a build without jansson.
#include "kpuzzle.h"

#include "foreign.h"

#include <string.h>

// Has the text the key `orbits`?
static bool has_orbits(const char *text, size_t length)
{
    static const char KEY[] = "\"orbits\"";
    while (length >= strlen(KEY)) {
        if (memcmp(text, KEY, strlen(KEY)) == 0) {
            return true;
        }
        text++;
        length--;
    }
    return false;
}

bool kpuzzle_translate(const struct kpuzzle_file *file, const struct kpuzzle_file *goal,
                       struct kpuzzle_text *text, struct fewest_error *error)
{
    (void)goal;
    *text = (struct kpuzzle_text){0};
    if (has_orbits(file->json, file->length)) {
        error_write(error, FEWEST_BEYOND,
                    "this fewest-gen reads no KPuzzle definitions; build it with jansson "
                    "(-Dkpuzzle=enabled)");
    } else {
        foreign_explain_json(error);
    }
    return error_prefix_path(error, file->path);
}
