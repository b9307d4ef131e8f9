// Checks a table: its bytes against their checksums and, with `deep`, every distance.
//
// The deep check trusts nothing but the definition. A step is a move away from the root or, in a
// table that answers to its solved state, a move back from it. For the states it proves:
//   1. The root has distance 0, and nothing else has.
//   2. A step x -> y never gains more than one: d(y) <= d(x) + 1. So no reachable state leads to an unreachable one.
//   3. Every y with d(y) > 0 has some step x -> y with d(x) = d(y) - 1. So no unreachable state has a distance.
//
// From rule 2, by induction along a shortest path, no distance is too large. From rule 3, by
// induction downwards, none is too small. Neither rule needs the inverse of a step to be a step. If
// moves have no inverses, one step may bring the distance down by any number, and the check finds
// the x of rule 3 by undoing moves.
//
// For the wildcard targets:
//   4. Each has the least distance over all symbols for one of its wildcards. The check fills the
//      last wildcard, the generator the first.
//
// If full states share a visible state, a second search finds the distances of the full states.
// They are not trusted either: rules 1 to 3 must hold for them. Then:
//   5. Each visible state has the least distance of its full states.
//   6. The distance mod 4 of each full state has the second lowest bit of its distance, or 1 if it
//      can't be reached.
//
// A pattern database stands for a graph. A node is the cells of the database's tiles and the
// *region* of the blank: the cells that it reaches without moving one of the tiles. A step moves
// one of the tiles and can be undone. A second search of that graph finds its distances, and for
// these:
//   7. The region of the solved board has distance 0, and nothing else has. All cells of a region
//      have one distance.
//   8. A step never gains more than one.
//   9. Every region with a distance above 0 has a step to one with a distance that is one less.
//  10. Each arrangement's excess is that of the least distance over the blank's cells.
//
// The full states are in check_anew.c, the databases in check_databases.c.
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void check_find(struct checker *checker, unsigned rule, const char *format, ...)
{
    char text[FEWEST_ERROR_SIZE];
    int length = 0;
    va_list arguments;
    if (++checker->findings > FINDINGS_MOST) {
        return;
    }
    if (rule != RULE_BITS) {
        length = snprintf(text, sizeof text, "rule %u: ", rule);
    }
    va_start(arguments, format);
    vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
    va_end(arguments);
    if (checker->sound) {
        checker->sound = error_set(checker->error, FEWEST_DAMAGED, "%s", text);
    }
    if (checker->report) {
        checker->report(checker->context, text);
    }
}

void check_end_rule(struct checker *checker)
{
    char text[64];
    if (checker->findings > FINDINGS_MOST) {
        snprintf(text, sizeof text, "... and %u more findings of this kind", checker->findings - FINDINGS_MOST);
        if (checker->report) {
            checker->report(checker->context, text);
        }
    }
    checker->findings = 0;
}

struct place place_of(int distance)
{
    struct place place = {"unreachable"};
    if (distance != FAR) {
        snprintf(place.text, sizeof place.text, "at distance %d", distance);
    }
    return place;
}

void check_lacks_memory(struct checker *checker, uint64_t count, const char *things)
{
    checker->sound = error_set(checker->error, FEWEST_SYSTEM, "not enough memory to check %llu %s",
                               (unsigned long long)count, things);
}

// ---- The bits -----------------------------------------------------------------------------------------------------

// Unpacks every block, and counts what is in it.
static bool check_blocks(struct checker *checker, const struct unpacked *unpacked, uint64_t counts[UINT8_MAX + 1])
{
    const struct section *section = unpacked->section;
    const struct header *header = &checker->table->header;
    uint64_t blocks = section_blocks(header, section);
    uint64_t left = section->entries;
    struct fewest_error error;
    for (uint64_t b = 0; b < blocks; b++) {
        uint64_t entries = block_bytes(header, section, b) * 8 / section->bits;
        entries = entries < left ? entries : left;
        left -= entries;
        if (!table_unpack(checker->table, unpacked, b, &error)) {
            if (error.status == FEWEST_SYSTEM) {
                check_lacks_memory(checker, blocks, "blocks");
                return false;
            }
            check_find(checker, RULE_BITS, "%s", error.text);
            continue;
        }
        const uint8_t *bytes = table_place(checker->table, unpacked, b);
        for (uint64_t i = 0; i < entries; i++) {
            counts[entry_get(bytes, section->bits, i)]++;
        }
    }
    bool intact = checker->findings == 0;
    check_end_rule(checker);
    return intact;
}

static bool check_counts(struct checker *checker, const struct section *section, const uint64_t *counts)
{
    for (unsigned d = 0; d < entry_unreachable(section->bits); d++) {
        uint64_t expected = d <= section->largest ? section->histogram[d] : 0;
        if (counts[d] != expected) {
            check_find(checker, RULE_BITS,
                       "section %s: the header counts %llu entries at distance %u, but the blocks hold %llu",
                       section->name, (unsigned long long)expected, d, (unsigned long long)counts[d]);
        }
    }
    if (section->histogram[section->largest] == 0) {
        check_find(checker, RULE_BITS, "section %s: the header's largest distance is %u, but no entry has it",
                   section->name, section->largest);
    }
    bool right = checker->findings == 0;
    check_end_rule(checker);
    return right;
}

static bool check_bits(struct checker *checker, const struct unpacked *unpacked)
{
    uint64_t counts[UINT8_MAX + 1] = {0};
    return check_blocks(checker, unpacked, counts) && check_counts(checker, unpacked->section, counts);
}

// ---- The states ---------------------------------------------------------------------------------------------------

static void check_root(struct checker *checker, const struct proposed *proposed)
{
    int root = proposed_distance(proposed, proposed->root);
    if (root != 0) {
        check_find(checker, 1, "the root, state %llu, is %s, not at distance 0", (unsigned long long)proposed->root,
                   place_of(root).text);
    }
    for (uint64_t index = 0; index < proposed->entries; index++) {
        if (proposed_distance(proposed, index) == 0 && index != proposed->root) {
            check_find(checker, 1, "state %llu is at distance 0, but is not the root", (unsigned long long)index);
        }
    }
    check_end_rule(checker);
}

static void check_step(struct checker *checker, const struct proposed *proposed, uint64_t x, int dx)
{
    uint64_t after[MOVES_MOST];
    puzzle_neighbours(checker->puzzle, checker->root, x, after);
    for (unsigned m = 0; m < checker->puzzle->move_count; m++) {
        if (after[m] != INDEX_NONE && proposed_distance(proposed, after[m]) > dx + 1) {
            check_find(checker, 2, "state %llu is at distance %d, but a step by %s leads to state %llu, which is %s",
                       (unsigned long long)x, dx, checker->puzzle->moves[m].name, (unsigned long long)after[m],
                       place_of(proposed_distance(proposed, after[m])).text);
        }
    }
}

static void check_predecessor(struct checker *checker, const struct proposed *proposed, uint64_t y, int dy)
{
    uint64_t before[MOVES_MOST];
    puzzle_predecessors(checker->puzzle, checker->root, y, before);
    for (unsigned m = 0; m < checker->puzzle->move_count; m++) {
        if (before[m] != INDEX_NONE && proposed_distance(proposed, before[m]) == dy - 1) {
            return;
        }
    }
    check_find(checker, 3, "state %llu is at distance %d, but no step leads to it from distance %d",
               (unsigned long long)y, dy, dy - 1);
}

// Calls a rule for every state that has a distance, from `least` on.
static void check_each(struct checker *checker, const struct proposed *proposed, int least,
                       void (*rule)(struct checker *, const struct proposed *, uint64_t, int))
{
    for (uint64_t index = 0; index < proposed->entries; index++) {
        int distance = proposed_distance(proposed, index);
        if (distance >= least && distance != FAR) {
            rule(checker, proposed, index, distance);
        }
    }
    check_end_rule(checker);
}

void check_distances(struct checker *checker, const struct proposed *proposed)
{
    check_root(checker, proposed);
    check_each(checker, proposed, 0, check_step);
    check_each(checker, proposed, 1, check_predecessor);
}

static void check_states(struct checker *checker)
{
    struct proposed proposed = proposed_of(&checker->table->states[checker->root]);
    check_distances(checker, &proposed);
}

// ---- The wildcard targets -----------------------------------------------------------------------------------------

// The least distance over all symbols for the last wildcard of a target.
static int fill_wildcard(const struct checker *checker, uint8_t *target, unsigned given)
{
    const struct wildcard_index *wildcards = &checker->puzzle->roots[checker->root].wildcards;
    unsigned used = 0;
    unsigned wild = 0;
    int least = FAR;
    for (unsigned i = 0; i < wildcards->cells; i++) {
        if (target[i] == WILD) {
            wild = i;
        } else {
            used |= 1u << target[i];
        }
    }
    for (unsigned symbol = 0; symbol < wildcards->cells; symbol++) {
        if (used >> symbol & 1) {
            continue;
        }
        int distance;
        target[wild] = (uint8_t)symbol;
        if (given + 1 == wildcards->cells) {
            uint64_t index = puzzle_rank(checker->puzzle, checker->root, target);
            distance = index == INDEX_NONE ? FAR : distance_of(&checker->table->states[checker->root], index);
        } else if (given + 1 <= wildcards->most_given) {
            distance = distance_of(&checker->table->wildcards[checker->root], wildcard_rank(wildcards, target));
        } else {
            distance = fill_wildcard(checker, target, given + 1);
        }
        least = distance < least ? distance : least;
    }
    target[wild] = WILD;
    return least;
}

static void check_wildcard_targets(struct checker *checker)
{
    const struct wildcard_index *wildcards = &checker->puzzle->roots[checker->root].wildcards;
    for (uint64_t number = 0; number < wildcards->entries; number++) {
        uint8_t target[RANK_LONGEST];
        wildcard_unrank(wildcards, number, target);
        int expected = fill_wildcard(checker, target, wildcard_count_given(wildcards, target));
        int found = distance_of(&checker->table->wildcards[checker->root], number);
        if (found != expected) {
            check_find(checker, 4, "wildcard target %llu is %s, but the nearest state that matches it is %s",
                       (unsigned long long)number, place_of(found).text, place_of(expected).text);
        }
    }
    check_end_rule(checker);
}

// ---- The check ----------------------------------------------------------------------------------------------------

static bool check_all_bits(struct checker *checker)
{
    struct fewest *table = checker->table;
    bool intact = true;
    for (unsigned s = 0; s < table->header.section_count; s++) {
        intact = check_bits(checker, table_unpacked(table, &table->header.sections[s])) && intact;
    }
    return intact;
}

static void check_roots(struct checker *checker)
{
    const struct fewest *table = checker->table;
    for (checker->root = 0; checker->root < table->puzzle.root_count; checker->root++) {
        (table->mod4[checker->root].section ? check_full_states : check_states)(checker);
        if (table->wildcards[checker->root].section) {
            check_wildcard_targets(checker);
        }
    }
}

static void check_claims(struct checker *checker)
{
    if (checker->puzzle->partition) {
        check_databases(checker, NULL);
    } else {
        check_roots(checker);
    }
}

bool fewest_check(struct fewest *table, bool deep, void (*report)(void *context, const char *finding), void *context,
                  struct fewest_error *error)
{
    struct checker checker = {
        .table = table, .puzzle = &table->puzzle, .report = report, .context = context, .error = error, .sound = true};
    if (deep && !table_reserve(table, UINT64_MAX, error)) { // every entry is looked at, in any order
        return false;
    }
    if (check_all_bits(&checker) && deep) {
        check_claims(&checker);
    }
    return checker.sound;
}
