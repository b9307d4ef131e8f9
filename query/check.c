// Checks a table: its bytes against their checksums and, with `deep`, every distance.
//
// The deep check trusts nothing but the definition. A step is a move or, if distances are counted
// to the nearest goal, a move undone. For the states it proves:
//   1. The root has distance 0, and no other state has. If distances are counted to the nearest of
//      several goals, each goal is a root.
//   2. A step x -> y to a legal state never gains more than one: d(y) <= d(x) + 1. So no reachable
//      state leads to an unreachable one, unless that is illegal.
//   3. Every y with d(y) > 0 is legal, and has some step x -> y with d(x) = d(y) - 1. So no
//      unreachable state has a distance.
//
// From rule 2, by induction along a shortest path, no distance is too large. From rule 3, by
// induction downwards, none is too small. Neither rule needs the inverse of a step to be a step. If
// moves have no inverses, one step may bring the distance down by any number, and the check finds
// the x of rule 3 by undoing moves.
//
// For the wildcard targets:
//   4. The distance of each is the least over all ways to fill one of its wildcards. The check
//      fills the last wildcard, the generator the first.
//
// If full states share a visible state, a second search finds the distances of the full states.
// They are not trusted either: rules 1 to 3 must hold for them. Then:
//   5. Each visible state has the least distance of its full states.
//   6. The distance mod 4 of each full state is stored as the second lowest bit of its distance, or
//      as 1 if it can't be reached.
//
// A pattern database stands for a graph. A node is the cells of the database's tiles and the
// *region* of the blank: the cells that it reaches without moving one of the tiles. A step moves
// one of the tiles and can be undone. A second search of that graph finds its distances. They must
// obey these rules:
//   7. The region of the solved board has distance 0, and no other region has. All cells of a
//      region have the same distance.
//   8. A step never gains more than one.
//   9. Every region with a distance above 0 has a step to one with a distance that is one less.
//  10. Each arrangement's excess follows from its least distance over all cells of the blank.
//
// The numbers of the states are not trusted either:
//  11. The state with each index has this index again. Each step leads from its cells to the cells
//      of the state that has the step's index. If states are forbidden, this holds for the steps
//      that join legal states, and they are as many as the moves that the cells allow.
//
// By rule 11, each step is a move of the cells, or such a move undone. Two steps by one move never
// stand for the same one, because a move leads from a state to one state only. So if there are as
// many steps as moves, none was taken for a step from or to an illegal state.
//
// The wildcard targets are numbered by the symmetries that the table stores. Any check proves:
//  12. Each of these permutations turns every move into a move and keeps the root. So a wildcard
//      target is as far from the root as its canonical form, which has the entry.
//
// Rules 1 to 4, 11 and 12 are in check_states.c, 5 and 6 in check_full_states.c, 7 to 10 in
// check_databases.c.
#include "check.h"

// ---- The bits -----------------------------------------------------------------------------------

// Unpacks every block, and counts its entries by their values.
static bool check_blocks(struct checker *checker, const struct unpacked *unpacked,
                         uint64_t counts[UINT8_MAX + 1])
{
    const struct section *section = unpacked->section;
    const struct header *header = &checker->table->header;
    uint64_t blocks = section_blocks(header, section);
    uint64_t left = section->entries;
    struct fewest_error error;
    for (uint64_t b = 0; b < blocks && check_goes_on(checker, RULE_BITS, b, blocks); b++) {
        uint64_t entries = block_bytes(header, section, b) * 8 / section->bits;
        entries = entries < left ? entries : left;
        left -= entries;
        const uint8_t *bytes = table_unpack(checker->table, unpacked, b, &error);
        if (!bytes) {
            if (error.status == FEWEST_SYSTEM) {
                *checker->error = error;
                checker->sound = false;
                return false;
            }
            check_find(checker, RULE_BITS, "%s", error.text);
            continue;
        }
        for (uint64_t i = 0; i < entries; i++) {
            counts[entry_get(bytes, section->bits, i)]++;
        }
    }
    bool intact = checker->findings == 0 && !checker->stopped;
    check_end_rule(checker);
    return intact;
}

static bool check_counts(struct checker *checker, const struct section *section,
                         const uint64_t *counts)
{
    for (unsigned d = 0; d < entry_unreachable(section->bits); d++) {
        uint64_t expected = d <= section->largest ? section->histogram[d] : 0;
        if (counts[d] != expected) {
            check_find(checker, RULE_BITS,
                       "section %s: the header counts %llu entries at distance %u, but the blocks "
                       "hold %llu",
                       section->name, (unsigned long long)expected, d,
                       (unsigned long long)counts[d]);
        }
    }
    if (section->histogram[section->largest] == 0) {
        check_find(checker, RULE_BITS,
                   "section %s: the header's largest distance is %u, but no entry has it",
                   section->name, section->largest);
    }
    bool right = checker->findings == 0;
    check_end_rule(checker);
    return right;
}

static bool check_bits(struct checker *checker, const struct unpacked *unpacked)
{
    uint64_t counts[UINT8_MAX + 1] = {0};
    return check_blocks(checker, unpacked, counts) &&
           check_counts(checker, unpacked->section, counts);
}

// ---- The check ----------------------------------------------------------------------------------

static bool check_all_bits(struct checker *checker)
{
    struct fewest *table = checker->table;
    bool intact = true;
    for (unsigned s = 0; s < table->header.section_count; s++) {
        checker->section = &table->header.sections[s];
        intact = check_bits(checker, table_unpacked(table, checker->section)) && intact;
    }
    return intact;
}

static bool check_all_symmetries(struct checker *checker)
{
    for (unsigned s = 0; s < checker->table->header.section_count; s++) {
        checker->section = &checker->table->header.sections[s];
        checker->root = checker->section->root_number;
        if (checker->section->kind == SECTION_WILDCARDS) {
            check_symmetries(checker);
        }
    }
    return checker->sound;
}

// Proves a pattern database: it holds all distances of its projection.
static void check_projection(struct checker *checker, unsigned number)
{
    const struct puzzle *puzzle = checker->puzzle;
    checker->puzzle = &puzzle->projections[number];
    checker->root = 0;
    check_states(checker, &checker->table->databases[number]);
    checker->puzzle = puzzle;
}

// Proves all distances of a section.
static void check_section(struct checker *checker, const struct section *section)
{
    checker->section = section;
    checker->root = section->root_number;
    switch (section->kind) {
    case SECTION_STATES:
        if (!checker->table->mod4[checker->root].section) { // else check_full_states checks them
            check_states(checker, &checker->table->states[checker->root]);
        }
        break;
    case SECTION_WILDCARDS:
        check_wildcard_targets(checker);
        break;
    case SECTION_MOD4:
        check_full_states(checker);
        break;
    case SECTION_DATABASE:
        if (checker->puzzle->projection_count > 0) {
            check_projection(checker, section->root_number);
        } else {
            check_database(checker, section->root_number, NULL);
        }
        break;
    case SECTION_KIND_COUNT:
        break;
    }
}

bool fewest_check(struct fewest *table, bool deep,
                  void (*report)(void *context, const char *finding), void *context,
                  struct fewest_error *error)
{
    struct checker checker = {.table = table,
                              .puzzle = &table->puzzle,
                              .report = report,
                              .context = context,
                              .error = error,
                              .sound = true};
    if (!table_number_wildcards(table, error)) {
        if (error->status == FEWEST_DAMAGED) {
            check_find(&checker, RULE_BITS, "%s", error->text);
        }
        return false;
    }
    // The deep check looks up entries in any order, so all blocks stay unpacked.
    if (deep && !table_reserve(table, UINT64_MAX, error)) {
        return false;
    }
    bool intact = check_all_symmetries(&checker) && check_all_bits(&checker);
    for (unsigned s = 0; intact && deep && !checker.stopped && s < table->header.section_count;
         s++) {
        check_section(&checker, &table->header.sections[s]);
    }
    return checker.sound;
}
