// Checks for tests that call public functions wrongly.
#ifndef TESTS_QUERY_EXPECT_BAD_H
#define TESTS_QUERY_EXPECT_BAD_H

#include "query/fewest.h"

#include <criterion/criterion.h>
#include <string.h>

// Expects FEWEST_BAD_INPUT with a text that begins with `begin` and contains `why`.
static inline void expect_bad(const struct fewest_error *error, const char *begin, const char *why)
{
    cr_expect_eq(error->status, FEWEST_BAD_INPUT);
    cr_expect(strncmp(error->text, begin, strlen(begin)) == 0 && strstr(error->text, why),
              "expected %s and %s, got: %s", begin, why, error->text);
}

#endif
