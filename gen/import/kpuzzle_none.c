// Stands for kpuzzle.c in a build without jansson.
#include "kpuzzle.h"

bool kpuzzle_translate(const struct kpuzzle_file *file, const struct kpuzzle_file *goal,
                       struct kpuzzle_text *text, struct fewest_error *error)
{
    (void)goal;
    *text = (struct kpuzzle_text){0};
    error_write(error, FEWEST_BEYOND,
                "this fewest-gen reads no KPuzzle definitions; build it with jansson "
                "(-Dkpuzzle=enabled)");
    return error_prefix_path(error, file->path);
}
