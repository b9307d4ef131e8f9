// Makes the pages of pattern databases.
#include "stripes.h"

#include "tables/families/permutation/point_view.h"

enum symmetric_result stripes_make_pages(struct count_pages *pages, const struct puzzle *projection,
                                         bool (*is_stopped)(void *context), void *context,
                                         struct fewest_error *error)
{
    static const uint64_t MOST_BYTES = UINT64_C(1) << 29;
    const struct count_choice choice = {.for_bounds = true,
                                        .symmetries = true,
                                        .most_bytes = MOST_BYTES,
                                        .memory = MOST_BYTES,
                                        .is_stopped = is_stopped,
                                        .context = context};
    enum symmetric_result made = count_pages_make(pages, projection, &choice, error);
    if (made == SYMMETRIC_UNFIT) {
        (void)stripes_refuse(projection, error);
    }
    return made;
}

bool stripes_refuse(const struct puzzle *projection, struct fewest_error *error)
{
    return error_set(
        error, FEWEST_BEYOND,
        "a `Database` of %s has states that can't be cut into pages: it has more than "
        "%d slots and orientations, too many of its pieces look alike, or there are too "
        "many states; name other pieces",
        projection->name, POINTS_MOST);
}
