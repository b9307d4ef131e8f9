// Shared by the test programs: definitions, tables in memory, and forging.
#ifndef FEWEST_TESTS_SUPPORT_H
#define FEWEST_TESTS_SUPPORT_H

#include "fewest.h"
#include "generate.h"
#include "pack.h"

// Reads a whole file of the source tree ("tables/puzzles/game.puzzle"), with a closing NUL; aborts
// where it can't.
char *support_read(const char *path, size_t *length);

struct generated {
    uint8_t *bytes; // a whole table file
    size_t length;
};

// Generates the table of a definition in memory. The caller frees generated->bytes.
bool generate_in_memory(const char *definition, size_t length, enum metric metric,
                        const struct search_options *options, struct generated *generated,
                        struct fewest_error *error);

// The same with two threads; aborts if that fails.
struct generated support_generate(const char *definition, size_t length, enum metric metric);
struct generated support_generate_game(void);

// Opens a table in memory; aborts where it can't.
struct fewest *support_open(const struct generated *generated);

// The steps of a case as typed; aborts on an error.
int support_steps(struct fewest *table, const char *query);

// Takes a table apart into its distances, which may be changed before it is packed again, and frees
// them. The definition stays in `generated`'s header copy until then.
struct table_content support_take_apart(const struct generated *generated);
void support_free_content(struct table_content *content);

// The entries of a section, a byte each, UINT8_MAX for unreachable.
uint8_t *support_entries(const struct table_content *content, unsigned section);

// Packs content anew, with right checksums and counts. The caller frees the bytes.
struct generated support_pack(struct table_content *content);

// Packs and checks it: a bit for each rule of query/check.c that is broken, bit 0 for what has no
// number. 0: all is well.
unsigned support_broken_rules(struct table_content *content, bool deep);
bool support_passes(struct table_content *content, bool deep);

// Adds a finding of fewest_check to such a set of rules, an `unsigned`.
void support_add_rule(void *rules, const char *finding);

// Does a table pass the deep check? Prints the findings on stderr.
bool support_is_sound(struct fewest *table);

// Fills in a state at the largest distance, as fewest_get_stats counts.
bool support_farthest(struct fewest *table, const uint8_t *start, uint8_t *state,
                      struct fewest_error *error);

// Makes every checksum of a table right, of whatever else is wrong with it, as far as its header
// can be understood: what a forger would do. Works in place.
void support_forge_checksums(uint8_t *bytes, size_t length);

// A small, fast generator of random numbers, the same everywhere (xorshift64*). The seed is $SEED
// or a fixed one; the first call prints it.
uint64_t support_random(void);
unsigned support_random_below(unsigned bound);

#endif
