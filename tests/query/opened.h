// What tests of public functions share: an open table, the last error, and checks of it.
#ifndef TESTS_QUERY_OPENED_H
#define TESTS_QUERY_OPENED_H

#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <string.h>

#define GAME "tables/puzzles/game.puzzle"

static struct fewest *table;
static struct fewest_error error;

static inline void open_game(void)
{
    table = support_open_file(GAME);
}

static inline void close_table(void)
{
    support_close(table);
}

// Makes a suite whose tests begin with the table of the game.
#define GAME_SUITE(name) TestSuite(name, .init = open_game, .fini = close_table)

// Takes another table in place of the one at hand.
static inline void reopen(struct fewest *other)
{
    support_close(table);
    table = other;
}

// Expects that a call has failed with a status.
static inline void expect_status(bool done, enum fewest_status status)
{
    cr_expect(!done && error.status == status, "done %d, status %d, not %d: %s", done,
              (int)error.status, (int)status, error.text);
}

// Expects FEWEST_BAD_INPUT with a text that begins with `begin` and contains `why`.
static inline void expect_bad(bool done, const char *begin, const char *why)
{
    expect_status(done, FEWEST_BAD_INPUT);
    cr_expect(strncmp(error.text, begin, strlen(begin)) == 0 && strstr(error.text, why),
              "expected %s and %s, got: %s", begin, why, error.text);
}

#endif
