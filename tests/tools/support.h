// Functions that the test programs share: files, tables in memory, forging and random numbers.
#ifndef FEWEST_TESTS_TOOLS_SUPPORT_H
#define FEWEST_TESTS_TOOLS_SUPPORT_H

#include "gen/generate.h"
#include "gen/write/pack.h"
#include "query/fewest.h"
#include "tables/puzzle/puzzle.h"

// Reads a whole file of the source tree ("tables/puzzles/game.puzzle") and appends a NUL. Aborts if
// it can't. The length may be NULL. The caller frees the text.
char *support_read(const char *path, size_t *length);

struct generated {
    uint8_t *bytes; // a whole table file
    size_t length;
};

// Generates the table of a definition in memory. Fails if the puzzle is too large for a table. The
// caller frees generated->bytes.
bool generate_in_memory(const char *definition, size_t length, enum metric metric,
                        const struct search_options *options, struct generated *generated,
                        struct fewest_error *error);

// The same with two threads. Aborts if it can't.
struct generated support_generate(const char *definition, size_t length, enum metric metric);
struct generated support_generate_game(void);

// Are the bytes of a definition's table the same with 1 to `most` threads?
bool support_is_same_with_threads(const char *definition, unsigned most);

// Opens a table in memory. Aborts if it can't. The caller closes it with fewest_close and frees the
// bytes.
struct fewest *support_open(const struct generated *generated);

// Opens a table that keeps the bytes until support_close. Aborts if it can't.
struct fewest *support_own(struct generated generated);

// Makes the table of a definition, or of a file of the source tree, and opens it. Aborts if it
// can't. support_close frees all.
struct fewest *support_open_text(const char *definition);
struct fewest *support_open_file(const char *path);

// Closes a table, and frees its bytes if support_own got them.
void support_close(struct fewest *table);

// Sets the options of a table, in place of those before. Aborts if it can't.
void support_set(struct fewest *table, struct fewest_options options);

// The rows of a query. A target that begins with FEWEST_GOALS is the nearest goal.
struct query {
    uint8_t start[FEWEST_CELLS_MOST];
    uint8_t target[FEWEST_CELLS_MOST];
};

// The functions of the same names, for calls that must succeed. They abort on an error. A table is
// counted as a whole.
struct puzzle support_compile(const char *text, enum metric metric);
struct query support_query(struct fewest *table, const char *text);
int support_ask(struct fewest *table, const struct query *query);
struct fewest_path support_path(struct fewest *table, const struct query *query);
struct fewest_stats support_count(struct fewest *table);
// Visits all states, each of which must have a distance and be the one that fewest_pick gives for
// its number. Returns how many there are.
uint64_t support_compare_picked(struct fewest *table);

// Returns the least number of moves for a query as typed, which fewest_steps and fewest_steps_many
// must agree on. Aborts on an error.
int support_steps(struct fewest *table, const char *query);

// Returns the reason that `parity` gives for a query as typed, valid until the next call. Aborts on
// an error.
const char *support_explain(struct fewest *table, const char *query);

// Decodes and validates the header of a table in memory (format.h).
bool support_decode(struct header *header, const uint8_t *bytes, uint64_t length,
                    struct fewest_error *error);

// Takes a table apart into its definition and distances. The distances may be changed before the
// table is packed again.
struct table_content support_take_apart(const struct generated *generated);

// The same, and frees the bytes.
struct table_content support_take(struct generated generated);
void support_free_content(struct table_content *content);

// Returns the entries of a section, a byte each. UINT8_MAX means unreachable.
uint8_t *support_entries(const struct table_content *content, unsigned section);

// Packs content anew, with right checksums and counts. The caller frees the bytes.
struct generated support_pack(struct table_content *content);

// Packs and checks it. Returns a bit for each broken rule of query/check/check.c; bit 0 is for
// findings without a number.
unsigned support_broken_rules(struct table_content *content, bool deep);
bool support_passes(struct table_content *content, bool deep);

// Adds a finding of fewest_check to such a set of rules, which is an `unsigned`.
void support_add_rule(void *rules, const char *finding);

// Does a table pass the deep check? Prints the findings to stderr.
bool support_is_sound(struct fewest *table);

// Writes a state at the largest distance, as fewest_count counts it from `start`, to `state`.
bool support_farthest(struct fewest *table, const uint8_t *start, uint8_t *state,
                      struct fewest_error *error);

// Corrects the checksums of a table in place, as a forger would. If the header can't be decoded,
// corrects at most the header's checksum.
void support_forge_checksums(uint8_t *bytes, size_t length);

// Returns random numbers (xorshift64*), the same on every machine. The seed is $SEED or a fixed
// one; the first call prints it.
uint64_t support_random(void);
unsigned support_random_below(unsigned bound);
bool support_happens(unsigned once_in);

void support_swap(uint8_t *a, uint8_t *b);
void support_shuffle(uint8_t *row, unsigned count);

#endif
