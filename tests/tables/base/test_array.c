// Memory for arrays: one that no program can address is refused.
#include "tables/base/array.h"

#include <criterion/criterion.h>

Test(array, an_array_is_zero_and_can_be_empty)
{
    uint32_t *array = array_make(1000, sizeof *array);
    cr_assert_not_null(array);
    for (unsigned i = 0; i < 1000; i++) {
        cr_assert_eq(array[i], 0);
    }
    free(array);
    void *empty = array_make(0, 8);
    cr_assert_not_null(empty);
    free(empty);
}

// Truncated to a size_t, each product would be small.
Test(array, an_array_beyond_the_address_space_is_refused)
{
    static const struct {
        uint64_t count;
        size_t size;
    } TOO_LARGE[] = {
        {UINT64_MAX, 1},
        {UINT64_MAX, 8},
        {(uint64_t)SIZE_MAX, 1},
        {(uint64_t)SIZE_MAX / 8 + 1, 8},
        {(uint64_t)SIZE_MAX / 2 + 2, 2},
    };
    for (size_t i = 0; i < sizeof TOO_LARGE / sizeof *TOO_LARGE; i++) {
        cr_assert_null(array_make(TOO_LARGE[i].count, TOO_LARGE[i].size), "row %zu", i);
    }
}
