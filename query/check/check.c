// Checks a table: its bytes against their checksums and, with `deep`, every distance.
//
// The deep check trusts nothing but the definition. A step is a move or, if distances are counted
// to the nearest goal, a move undone. For the states it proves:
//   1. The root has distance 0, and no other state has. If distances are counted to the nearest of
//      several goals, each goal is a root.
//   2. A step x -> y to a permitted state never gains more than one: d(y) <= d(x) + 1. So no
//      reachable state leads to an unreachable one, unless that is forbidden.
//   3. Every y with d(y) > 0 is permitted, and has some step x -> y with d(x) = d(y) - 1. So no
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
// If several nodes show one state (tables/puzzle/numbering.h), a second search finds the distances
// of the nodes. They are not trusted either: rules 1 to 3 must hold for them. Then:
//   5. Each state has the least distance of its nodes.
//   6. The distance mod 4 of each node is stored as the second lowest bit of its distance, or as 1
//      if it can't be reached.
//
// The pattern database of a board stands for a graph. A node is the cells of the database's tiles
// and the *region* of the blank: the cells that it reaches without moving one of the tiles. A step
// moves one of the tiles and can be undone. A second search of that graph finds its distances. They
// must obey these rules:
//   7. The region of the solved board has distance 0, and no other region has. All cells of a
//      region have the same distance.
//   8. A step never gains more than one.
//   9. Every region with a distance above 0 has a step to one with a distance that is one less.
//  10. Each arrangement's excess follows from its least distance over all cells of the blank.
//
// The numbers of the states are not trusted either:
//  11. A state has one number, and no other state has it. A step leads from the number of a state
//      to that of what the rules make of its cells. No step is missing.
//
// If a chain numbers the states of a root and has pages (algebra/chain_pages.h), rules 1 to 3 take
// the steps from these. Let g be the element of page p, q that of an offset, and B a thing. State
// (p, q) is that of gq: it tells gqB for each B. The check knows g and q only as rows of points.
// Let a step by move m lead from page p to page p' by a map with the key h, which takes offset q to
// q'. Let g' be the element of p'. Rule 11 is then:
//      a. A step does with the points what the rules do with the cells. The cells tell where the
//         things are, and only that.
//      b. The images of the things of pages under g have the number p. Divided by them, g keeps
//         each point of the tail where it is.
//      c. mg = g'h at each point of the tail, and mgB = g'B for the things B of pages.
//      d. q fixes the things of pages, and takes those of offsets into the tail. Their images have
//         the number of the offset.
//      e. hqB = q'B for the things B of offsets.
//      f. The cells of state (p, q) have the index of page p and offset q.
// So the step takes state (p, q) to state (p', q'). For a thing B of pages, mgqB = mgB (d) = g'B
// (c) = g'q'B (d). For a thing B of offsets, mg(qB) = g'h(qB) by c, because qB is in the tail (d).
// That is g'q'B (e). By a, the same is true of the cells. If the index is the number in the chain,
// f follows from b and d: the images gqB of the things of pages are gB, and what is left after
// division by them is q. Else the check ranks the cells of every state. Some chains leave two
// points out, and gq may exchange them. Their moves and states are even or odd permutations, so c
// and f also compare the parity.
//
// If offsets are masks (algebra/set_masks.h), no list has them all. The things of offsets are then
// a thing B of k points and at most one more, and they fill the tail. Let q take the points of B to
// those of the offset's mask, and the other points of the tail to the rest of it. It fixes all
// else. Rules d and e become:
//      d. There are as many offsets as sets of k points of the tail. Each offset has a mask of k
//         points, whose number is the offset, here and in the chain.
//      e. h permutes the tail. The map's image of the empty half is empty. That of another half is
//         the image of the half without its lowest point, and the point where h takes that.
// So each set of k points is the mask of one offset (d), and the map's image of a mask is hqB (e).
// The offset with this number is q', and q'B = hqB. The other thing has the rest. If more things
// move with B, a mask does not tell how, and the check does without pages.
//
// Without pages, the check goes from state to state. Each index gives cells that have this index.
// Each step leads from these cells to the cells of the index where it leads. If states are
// forbidden, this holds for the steps that join permitted states, and they are as many as the moves
// that the cells allow. Two steps by one move never stand for the same move, because it leads from
// a state to one state only. So if there are as many steps as moves, none was taken for a step from
// or to a forbidden state.
//
// The wildcard targets are numbered by the symmetries that the table stores. Any check proves:
//  12. Each of these permutations turns every move into a move and keeps the root. So a wildcard
//      target is as far from the root as its canonical form, which has the entry.
//
// The pattern database of another puzzle has entries of two bits (symmetry/stripes.h):
//  13. An entry is 0 if its state is at most `base` moves from the solved one. A simple search of
//      the database's own steps finds these states. Any other entry is one more than the least of
//      those to which a move leads, or 3. The bits at the end of each stripe tell the least
//      distance of its states.
//
// Rules 1 to 3 are in distances.c, 4 and 12 in states.c, 5 and 6 in rolling/check.c, 7 to 10 in
// databases.c, 13 in stripes.c, and 11 in points.c (a), pages.c (b to f) and, from state to state,
// states.c.
#include "check.h"

// ---- The bits -----------------------------------------------------------------------------------

// How often each value stands in the blocks of a section.
struct block_counts {
    const struct unpacked *unpacked;
    pthread_mutex_t lock;           // for what follows, and for blocks that are dropped again
    uint64_t counts[UINT8_MAX + 1]; // by value of an entry
    struct fewest_error error;      // of the system
    bool failed;
};

// Checks a block against its checksum, and counts its entries by their values. A damaged block is a
// finding. Lack of memory is no finding; it is kept in counts->error. The blocks of a bounded
// section (table.h) are dropped again, so their entries are read under the lock. A second pass
// over the block, which only reports, adds nothing to the counts.
static void count_block(struct checker *checker, struct block_counts *counts, uint64_t block)
{
    const struct section *section = counts->unpacked->section;
    const struct header *header = &checker->table->header;
    uint64_t most = block_bytes(header, section, 0) * 8 / section->bits; // entries of a block
    uint64_t left = section->entries - block * most; // from the first one of this block on
    uint64_t found[UINT8_MAX + 1] = {0};
    struct fewest_error error;
    bool is_bounded = counts->unpacked->held;
    if (!counts->unpacked->together && // the deep check needs all blocks unpacked
        table_is_blank(checker->table, counts->unpacked, block)) {
        return; // its bytes are those of a checked block, and it adds only unreachable entries
    }
    if (is_bounded) {
        pthread_mutex_lock(&counts->lock);
    }
    const uint8_t *bytes = table_unpack(checker->table, counts->unpacked, block, &error);
    if (bytes) {
        uint64_t entries = left < most ? left : most;
        for (uint64_t i = 0; i < entries; i++) {
            found[entry_get(bytes, section->bits, i)]++;
        }
    }
    if (is_bounded) {
        pthread_mutex_unlock(&counts->lock);
    }
    if (!bytes && error.status != FEWEST_SYSTEM) {
        check_report(checker, RULE_BITS, "%s", error.text);
    }
    if (!checker->only_counts) { // the second pass
        return;
    }
    pthread_mutex_lock(&counts->lock);
    for (unsigned d = 0; d <= UINT8_MAX; d++) {
        counts->counts[d] += found[d];
    }
    if (!bytes && error.status == FEWEST_SYSTEM && !counts->failed) {
        counts->failed = true;
        counts->error = error;
    }
    pthread_mutex_unlock(&counts->lock);
}

// A part of a loop over the blocks of a section.
static void count_blocks(struct checker *checker, void *context, uint64_t begin, uint64_t end)
{
    for (uint64_t block = begin; block < end; block++) {
        count_block(checker, context, block);
    }
}

// Checks all blocks of a section against their checksums, and counts their entries. Returns false
// after a finding or a failure.
static bool check_blocks(struct checker *checker, struct block_counts *counts)
{
    enum { BLOCKS_A_PART = 16 };
    uint64_t blocks = section_blocks(&checker->table->header, counts->unpacked->section);
    if (pthread_mutex_init(&counts->lock, NULL) != 0) {
        check_lacks_memory(checker, blocks, "blocks");
        return false;
    }
    check_in_threads(checker, RULE_BITS, blocks, BLOCKS_A_PART, count_blocks, counts);
    pthread_mutex_destroy(&counts->lock);
    if (counts->failed) {
        *checker->error = counts->error;
        checker->sound = false;
    }
    return check_end_rules(checker) && !counts->failed;
}

// Compares the counts of a section's entries, by value, with those of the header. The number of
// unreachable entries needs no comparison, because the number of all entries is fixed. Returns
// false after a finding.
static bool check_counts(struct checker *checker, const struct section *section,
                         const uint64_t *counts)
{
    for (unsigned d = 0; d < entry_unreachable(section->bits); d++) {
        uint64_t expected = d <= section->largest ? section->histogram[d] : 0;
        if (counts[d] != expected) {
            check_report(
                checker, RULE_BITS,
                "section %s: the header counts %llu entries at distance %u, but the blocks "
                "hold %llu",
                section->name, (unsigned long long)expected, d, (unsigned long long)counts[d]);
        }
    }
    if (section->histogram[section->largest] == 0) {
        check_report(checker, RULE_BITS,
                     "section %s: the header's largest distance is %u, but no entry has it",
                     section->name, section->largest);
    }
    return check_end_rules(checker);
}

// Checks the blocks of a section against their checksums and the header. Returns false after a
// finding or a failure.
static bool check_bits(struct checker *checker, const struct unpacked *unpacked)
{
    struct block_counts counts = {.unpacked = unpacked};
    return check_blocks(checker, &counts) &&
           check_counts(checker, unpacked->section, counts.counts);
}

// ---- The check ----------------------------------------------------------------------------------

// Checks the blocks of all sections, also after findings. Returns whether all are right.
static bool check_all_bits(struct checker *checker)
{
    struct fewest *table = checker->table;
    bool intact = true;
    for (unsigned s = 0; s < table->header.section_count; s++) {
        checker->section = &table->header.sections[s];
        if (!check_bits(checker, table_unpacked(table, checker->section))) {
            intact = false;
        }
    }
    return intact;
}

// Applies to each section the rules of its kind (SECTION_CHECKS, sections.c): those of every check
// or, with `deep`, those of the deep check alone. Returns false if anything was found or failed so
// far.
static bool check_sections(struct checker *checker, bool deep)
{
    const struct header *header = &checker->table->header;
    for (unsigned s = 0; s < header->section_count && !checker->stopped; s++) {
        checker->section = &header->sections[s];
        checker->root = checker->section->root_number;
        const struct section_check *check = &SECTION_CHECKS[checker->section->kind];
        section_rules *rules = deep ? check->deep : check->always;
        if (rules) {
            rules(checker);
        }
    }
    return checker->sound;
}

bool check_table(struct checker *checker, bool deep)
{
    struct fewest *table = checker->table;
    if (!table_number_wildcards(table, checker->error)) {
        if (checker->error->status == FEWEST_DAMAGED) {
            check_report(checker, RULE_BITS, "%s", checker->error->text);
        }
        return false;
    }
    // The deep check looks up entries in any order, so all blocks stay unpacked in memory.
    if (deep && !table_reserve(table, UINT64_MAX, checker->error)) {
        return false;
    }
    // First the rules of every check, then the bits, and then the rules of the deep check.
    bool intact = check_sections(checker, false) && check_all_bits(checker);
    return intact && (!deep || check_sections(checker, true));
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
    return check_table(&checker, deep);
}
