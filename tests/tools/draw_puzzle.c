// Draws random puzzles in which some coordinates follow from others.
#include "draw_puzzle.h"

#include "support.h"

#include <string.h>

enum {
    SLOTS_ROOM = 44,      // no set is added that would make more slots
    LARGEST_SET = 14,     // slots of a set that moves permute
    LARGEST_TOGGLES = 26, // slots of a set that moves only turn
    MOVES_EXPANDED_MOST = 200,
};

static unsigned below(unsigned bound)
{
    return support_random_below(bound);
}

static unsigned gcd(unsigned a, unsigned b)
{
    return b ? gcd(b, a % b) : a;
}

// ---- Sets ---------------------------------------------------------------------------------------

static bool has_room(const struct sets_puzzle *puzzle, unsigned size)
{
    return puzzle->set_count < SETS_TWIN_SETS && puzzle->slot_count + size <= SLOTS_ROOM;
}

// Numbers the slots anew: slot i is now the slot that was old[i].
static void reorder_slots(struct sets_puzzle *puzzle, const uint8_t *old)
{
    struct sets_puzzle before = *puzzle;
    uint8_t new_of[SETS_TWIN_SLOTS];
    for (unsigned i = 0; i < puzzle->slot_count; i++) {
        new_of[old[i]] = (uint8_t)i;
    }
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        for (unsigned i = 0; i < puzzle->slot_count; i++) {
            puzzle->moves[m].from[i] = new_of[before.moves[m].from[old[i]]];
            puzzle->moves[m].turn[i] = before.moves[m].turn[old[i]];
        }
    }
}

static void keep_order(const struct sets_puzzle *puzzle, uint8_t *old)
{
    for (unsigned i = 0; i < puzzle->slot_count; i++) {
        old[i] = (uint8_t)i;
    }
}

static void shuffle_slots(struct sets_puzzle *puzzle, unsigned set)
{
    uint8_t old[SETS_TWIN_SLOTS];
    keep_order(puzzle, old);
    support_shuffle(old + puzzle->sets[set].first, puzzle->sets[set].size);
    reorder_slots(puzzle, old);
}

// Changes the number of orientations to a multiple.
static void raise_turns(struct sets_puzzle *puzzle, unsigned set, unsigned turns)
{
    struct sets_set *raised = &puzzle->sets[set];
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        for (unsigned i = raised->first; i < raised->first + raised->size; i++) {
            puzzle->moves[m].turn[i] =
                (uint8_t)(puzzle->moves[m].turn[i] * (turns / raised->turns));
        }
    }
    raised->turns = turns;
}

// Makes the slots of the last set part of another set.
static void merge_last_set(struct sets_puzzle *puzzle, unsigned into)
{
    uint8_t old[SETS_TWIN_SLOTS];
    unsigned last = puzzle->set_count - 1;
    unsigned size = puzzle->sets[last].size;
    unsigned end = puzzle->sets[into].first + puzzle->sets[into].size;
    unsigned common = gcd(puzzle->sets[into].turns, puzzle->sets[last].turns);
    unsigned turns = puzzle->sets[into].turns / common * puzzle->sets[last].turns;
    raise_turns(puzzle, into, turns);
    raise_turns(puzzle, last, turns);
    for (unsigned i = 0; i < puzzle->slot_count; i++) {
        bool stays = i < end;
        bool comes = !stays && i < end + size;
        old[i] = (uint8_t)(stays ? i : comes ? puzzle->sets[last].first + i - end : i - size);
    }
    reorder_slots(puzzle, old);
    puzzle->sets[into].size += size;
    for (unsigned s = into + 1; s < last; s++) {
        puzzle->sets[s].first += size;
    }
    puzzle->set_count--;
}

// ---- Moves --------------------------------------------------------------------------------------

static void permute_randomly(struct sets_puzzle *puzzle, unsigned set)
{
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        if (!support_happens(4)) {
            support_shuffle(puzzle->moves[m].from + puzzle->sets[set].first,
                            puzzle->sets[set].size);
        }
    }
}

static void turn_randomly(struct sets_puzzle *puzzle, unsigned set)
{
    const struct sets_set *turned = &puzzle->sets[set];
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        bool few = support_happens(2);
        if (support_happens(3)) {
            continue;
        }
        for (unsigned i = turned->first; i < turned->first + turned->size; i++) {
            puzzle->moves[m].turn[i] =
                few && !support_happens(3) ? 0 : (uint8_t)below(turned->turns);
        }
    }
}

static bool is_odd(const struct sets_puzzle *puzzle, unsigned m, unsigned set)
{
    const struct sets_set *counted = &puzzle->sets[set];
    const uint8_t *from = puzzle->moves[m].from;
    bool odd = false;
    for (unsigned i = counted->first; i < counted->first + counted->size; i++) {
        for (unsigned j = counted->first; j < i; j++) {
            odd ^= from[j] > from[i];
        }
    }
    return odd;
}

static unsigned sum_turns(const struct sets_puzzle *puzzle, unsigned m, unsigned set)
{
    const struct sets_set *summed = &puzzle->sets[set];
    unsigned sum = 0;
    for (unsigned i = summed->first; i < summed->first + summed->size; i++) {
        sum += puzzle->moves[m].turn[i];
    }
    return sum % summed->turns;
}

// A number modulo `modulus` that belongs to each move, and adds up along a path.
struct sum_of_moves {
    unsigned modulus;
    unsigned value[SETS_TWIN_MOVES];
};

// The parity of a set, or the sum of its orientations.
static struct sum_of_moves draw_sum(const struct sets_puzzle *puzzle, unsigned set)
{
    bool parity = puzzle->sets[set].turns == 1 || support_happens(2);
    struct sum_of_moves sum = {.modulus = parity ? 2 : puzzle->sets[set].turns};
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        sum.value[m] = parity ? is_odd(puzzle, m, set) : sum_turns(puzzle, m, set);
    }
    return sum;
}

// Maps a sum to one with another modulus.
static unsigned map_sum(const struct sum_of_moves *sum, unsigned m, unsigned factor, unsigned turns)
{
    return factor * (turns / gcd(turns, sum->modulus)) * sum->value[m] % turns;
}

// ---- Sets that follow from others ---------------------------------------------------------------

// The same permutations under other numbers. The orientations are the same, random, or absent.
static void add_copy(struct sets_puzzle *puzzle, unsigned source)
{
    const struct sets_set *original = &puzzle->sets[source];
    unsigned choice = below(3);
    unsigned turns = choice == 0 ? 1 : choice == 1 ? original->turns : 1 + below(4);
    unsigned copy = sets_add(puzzle, original->size, turns);
    unsigned first = puzzle->sets[copy].first;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        for (unsigned i = 0; i < original->size; i++) {
            puzzle->moves[m].from[first + i] =
                (uint8_t)(puzzle->moves[m].from[original->first + i] - original->first + first);
            puzzle->moves[m].turn[first + i] =
                choice == 1 ? puzzle->moves[m].turn[original->first + i] : 0;
        }
    }
    if (choice == 2 && original->size <= 4) {
        turn_randomly(puzzle, copy);
    }
    shuffle_slots(puzzle, copy);
}

// A graph on at most five points: a set of unordered pairs, as bits.
static unsigned pair_bit(unsigned a, unsigned b)
{
    unsigned high = a > b ? a : b;
    unsigned low = a > b ? b : a;
    return 1u << (high * (high - 1) / 2 + low);
}

// Moves the points of a graph. With `halves`, a graph and its complement count as the same.
static unsigned map_graph(unsigned graph, unsigned points, const uint8_t *to, bool halves)
{
    unsigned all = (1u << (points * (points - 1) / 2)) - 1;
    unsigned mapped = 0;
    for (unsigned a = 0; a < points; a++) {
        for (unsigned b = 0; b < a; b++) {
            mapped |= graph & pair_bit(a, b) ? pair_bit(to[a], to[b]) : 0;
        }
    }
    return halves && (all ^ mapped) < mapped ? all ^ mapped : mapped;
}

// Fills in all graphs that a graph becomes if its points are moved. Returns how many.
static unsigned find_graphs(unsigned graph, unsigned points, bool halves, unsigned *graphs)
{
    unsigned count = 1;
    static const uint8_t SAME[5] = {0, 1, 2, 3, 4};
    graphs[0] = map_graph(graph, points, SAME, halves);
    for (unsigned n = 0; n < count; n++) {
        for (unsigned a = 1; a < points; a++) {
            uint8_t swap[5] = {0, 1, 2, 3, 4};
            swap[a] = (uint8_t)(a - 1);
            swap[a - 1] = (uint8_t)a;
            unsigned mapped = map_graph(graphs[n], points, swap, halves);
            unsigned known = 0;
            while (known < count && graphs[known] != mapped) {
                known++;
            }
            graphs[count] = mapped;
            count += known == count;
        }
    }
    return count;
}

// Adds a set whose slots are the graphs. Each move acts on them as on the points.
static void add_graphs(struct sets_puzzle *puzzle, unsigned source, unsigned graph, bool halves)
{
    unsigned graphs[128];
    const struct sets_set *points = &puzzle->sets[source];
    unsigned count = find_graphs(graph, points->size, halves, graphs);
    unsigned set = sets_add(puzzle, count, support_happens(3) ? 2 : 1);
    unsigned first = puzzle->sets[set].first;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        uint8_t from[5];
        for (unsigned i = 0; i < points->size; i++) {
            from[i] = (uint8_t)(puzzle->moves[m].from[points->first + i] - points->first);
        }
        for (unsigned n = 0; n < count; n++) {
            unsigned mapped = map_graph(graphs[n], points->size, from, halves);
            unsigned at = 0;
            while (graphs[at] != mapped) {
                at++;
            }
            puzzle->moves[m].from[first + n] = (uint8_t)(first + at);
        }
    }
    if (points->size < 5) {
        turn_randomly(puzzle, set);
    }
    shuffle_slots(puzzle, set);
}

// Adds two pieces that change places if a move is an odd permutation of the source.
static void add_sign(struct sets_puzzle *puzzle, unsigned source)
{
    unsigned set = sets_add(puzzle, 2, 1);
    unsigned first = puzzle->sets[set].first;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        if (is_odd(puzzle, m, source)) {
            puzzle->moves[m].from[first] = (uint8_t)(first + 1);
            puzzle->moves[m].from[first + 1] = (uint8_t)first;
        }
    }
}

// Adds a set whose permutation follows from that of the source: a copy, the parity, or the action
// on pairs of points (the edges of a tetrahedron), on the three ways to pair four points, or on the
// six pairs of a pentagon and its pentagram.
static void add_locked_set(struct sets_puzzle *puzzle, unsigned source)
{
    unsigned size = puzzle->sets[source].size;
    unsigned choice = below(5);
    unsigned pairing = pair_bit(0, 1) | pair_bit(2, 3);
    unsigned pentagon =
        pair_bit(0, 1) | pair_bit(1, 2) | pair_bit(2, 3) | pair_bit(3, 4) | pair_bit(4, 0);
    if (!has_room(puzzle, 10)) {
        return;
    }
    if (choice == 0) {
        add_sign(puzzle, source);
    } else if (choice <= 2 && size == 4) {
        add_graphs(puzzle, source, choice == 1 ? pairing : pair_bit(0, 1), false);
    } else if (choice <= 2 && size == 5) {
        add_graphs(puzzle, source, choice == 1 ? pentagon : pair_bit(0, 1), choice == 1);
    } else if (size <= 7) {
        add_copy(puzzle, source);
    }
}

// Adds pieces that stay in their slots and are turned by multiples of a sum.
static void add_following_set(struct sets_puzzle *puzzle, unsigned source)
{
    static const unsigned TURNS[] = {2, 2, 3, 4, 6};
    struct sum_of_moves sum = draw_sum(puzzle, source);
    if (!has_room(puzzle, 3)) {
        return;
    }
    unsigned size = 1 + below(3);
    unsigned set = sets_add(puzzle, size, TURNS[below(5)]);
    const struct sets_set *following = &puzzle->sets[set];
    for (unsigned i = following->first; i < following->first + size; i++) {
        unsigned factor = 1 + below(3);
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            puzzle->moves[m].turn[i] = (uint8_t)map_sum(&sum, m, factor, following->turns);
        }
    }
}

// Adds a set whose sum of orientations follows from a sum of the source.
static void add_summed_set(struct sets_puzzle *puzzle, unsigned source)
{
    struct sum_of_moves sum = draw_sum(puzzle, source);
    unsigned factor = below(4);
    unsigned size = 2 + below(2);
    if (!has_room(puzzle, size)) {
        return;
    }
    unsigned set = sets_add(puzzle, size, 2 + below(3));
    const struct sets_set *summed = &puzzle->sets[set];
    if (!support_happens(3)) {
        permute_randomly(puzzle, set);
    }
    turn_randomly(puzzle, set);
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        unsigned wanted = map_sum(&sum, m, factor, summed->turns);
        unsigned missing = wanted + summed->turns - sum_turns(puzzle, m, set);
        uint8_t *turn = &puzzle->moves[m].turn[summed->first + below(size)];
        *turn = (uint8_t)((*turn + missing) % summed->turns);
    }
}

// Adds pieces that stay in their slots. Each is turned by a multiple of what turns one of the
// source, which stays in its slots as well.
static void add_parallel_toggles(struct sets_puzzle *puzzle, unsigned source, unsigned turns)
{
    const struct sets_set *original = &puzzle->sets[source];
    unsigned size = 2 + below(4);
    if (!has_room(puzzle, size)) {
        return;
    }
    unsigned set = sets_add(puzzle, size, turns);
    unsigned first = puzzle->sets[set].first;
    for (unsigned i = first; i < first + size; i++) {
        unsigned slot = original->first + below(original->size);
        unsigned factor = below(turns) * (turns / gcd(turns, original->turns));
        for (unsigned m = 0; m < puzzle->move_count; m++) {
            puzzle->moves[m].turn[i] = (uint8_t)(factor * puzzle->moves[m].turn[slot] % turns);
        }
    }
}

// ---- Groups -------------------------------------------------------------------------------------

// Generators: the slot that each slot receives its piece from, from 0.
static const struct {
    unsigned size;
    char generators[3][8];
} GROUPS[] = {
    {4, {"1230"}},                       // cyclic
    {5, {"12340"}},                      // cyclic
    {6, {"123450"}},                     // cyclic
    {7, {"1234560"}},                    // cyclic
    {4, {"1230", "3210"}},               // dihedral
    {5, {"12340", "43210"}},             // dihedral
    {6, {"123450", "543210"}},           // dihedral
    {7, {"1234560", "6543210"}},         // dihedral
    {4, {"1032", "2301"}},               // the Klein four-group
    {4, {"1203", "1032"}},               // A4
    {5, {"12340", "12034"}},             // A5
    {5, {"12340", "02413"}},             // AGL(1,5), of order 20
    {6, {"123405", "024135", "542310"}}, // PGL(2,5), of order 120
    {7, {"1234560", "0246135"}},         // of order 21
    {7, {"1234560", "0362514"}},         // AGL(1,7), of order 42
    {7, {"1234560", "0143265"}},         // PSL(2,7), of order 168
    {6, {"102345", "234501"}},           // C2 wr C3, of order 24
    {6, {"102345", "234501", "230145"}}, // S2 wr S3, of order 48
    {6, {"120345", "102345", "345012"}}, // S3 wr S2, of order 72
};

enum { WORD = 6 };

// A product of generators for each move. A generator is a number of any size.
struct words {
    unsigned generator[SETS_TWIN_MOVES][WORD];
};

static void draw_words(struct words *words)
{
    for (unsigned m = 0; m < SETS_TWIN_MOVES; m++) {
        for (unsigned i = 0; i < WORD; i++) {
            words->generator[m][i] = below(6);
        }
    }
}

static void add_group(struct sets_puzzle *puzzle, const struct words *words)
{
    unsigned g = below(sizeof GROUPS / sizeof *GROUPS);
    unsigned generator_count = 1;
    if (!has_room(puzzle, GROUPS[g].size)) {
        return;
    }
    while (generator_count < 3 && GROUPS[g].generators[generator_count][0]) {
        generator_count++;
    }
    unsigned set = sets_add(puzzle, GROUPS[g].size, support_happens(3) ? 2 + below(2) : 1);
    unsigned first = puzzle->sets[set].first;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        for (unsigned w = 0; w < WORD; w++) {
            const char *by = GROUPS[g].generators[words->generator[m][w] % generator_count];
            uint8_t before[8];
            memcpy(before, puzzle->moves[m].from + first, GROUPS[g].size);
            for (unsigned i = 0; i < GROUPS[g].size; i++) {
                puzzle->moves[m].from[first + i] = before[by[i] - '0'];
            }
        }
    }
    turn_randomly(puzzle, set);
    shuffle_slots(puzzle, set);
}

// ---- Puzzles of each kind -----------------------------------------------------------------------

// Sets that have few enough states together, unless there is only one move.
static void build_independent(struct sets_puzzle *puzzle)
{
    unsigned sets = 1 + below(4);
    double room = 200000;
    puzzle->move_count = 1 + below(3);
    for (unsigned tries = 0; tries < 12 && puzzle->set_count < sets; tries++) {
        unsigned size = 2 + below(6);
        unsigned turns = 1 + below(4);
        double states = 1;
        for (unsigned i = 1; i <= size; i++) {
            states *= i * turns;
        }
        if (puzzle->move_count > 1 && states > room) {
            continue;
        }
        room /= states;
        unsigned set = sets_add(puzzle, size, turns);
        permute_randomly(puzzle, set);
        turn_randomly(puzzle, set);
    }
}

// Adds a small set that moves permute and sometimes turn.
static void add_source(struct sets_puzzle *puzzle)
{
    unsigned size = 2 + below(4);
    unsigned set = sets_add(puzzle, size, size < 5 && support_happens(2) ? 2 + below(3) : 1);
    permute_randomly(puzzle, set);
    turn_randomly(puzzle, set);
}

static void build_locked(struct sets_puzzle *puzzle)
{
    puzzle->move_count = 2 + below(2);
    add_source(puzzle);
    for (unsigned n = 1 + below(3); n > 0; n--) {
        add_locked_set(puzzle, below(puzzle->set_count));
    }
}

static void build_following(struct sets_puzzle *puzzle)
{
    puzzle->move_count = 2 + below(3);
    add_source(puzzle);
    for (unsigned n = 1 + below(3); n > 0; n--) {
        unsigned source = below(puzzle->set_count);
        if (support_happens(2)) {
            add_following_set(puzzle, source);
        } else {
            add_summed_set(puzzle, source);
        }
    }
}

static void build_toggles(struct sets_puzzle *puzzle)
{
    static const unsigned TURNS[] = {2, 3, 4, 6};
    puzzle->move_count = 1 + below(6);
    unsigned set = sets_add(puzzle, 3 + below(5), TURNS[below(4)]);
    turn_randomly(puzzle, set);
    for (unsigned n = below(3); n > 0; n--) {
        add_parallel_toggles(puzzle, set, TURNS[below(4)]);
    }
    if (support_happens(3) && has_room(puzzle, 4)) {
        unsigned source = sets_add(puzzle, 2 + below(3), 1);
        permute_randomly(puzzle, source);
        add_following_set(puzzle, source);
    }
    if (support_happens(3)) {
        add_summed_set(puzzle, set);
    }
}

static void build_groups(struct sets_puzzle *puzzle)
{
    struct words words;
    puzzle->move_count = 1 + below(3);
    draw_words(&words);
    for (unsigned n = 1 + below(2); n > 0; n--) {
        add_group(puzzle, &words);
        if (support_happens(2)) {
            draw_words(&words); // else the sets follow from each other, if their groups allow it
        }
    }
    if (support_happens(2)) {
        add_locked_set(puzzle, below(puzzle->set_count));
    }
    if (support_happens(4)) {
        add_following_set(puzzle, below(puzzle->set_count));
    }
}

static void build_any(struct sets_puzzle *puzzle)
{
    static void (*const BUILDERS[])(struct sets_puzzle *) = {
        build_independent, build_locked, build_following, build_toggles, build_groups};
    BUILDERS[below(5)](puzzle);
}

// Adds slots that no move changes to a set.
static void add_still_slots(struct sets_puzzle *puzzle, unsigned set)
{
    struct sets_view view;
    sets_look(&view, puzzle);
    unsigned size = 1 + below(4);
    unsigned most = view.shows_pieces[set] ? LARGEST_SET : LARGEST_TOGGLES;
    if (has_room(puzzle, size) && puzzle->sets[set].size + size <= most) {
        sets_add(puzzle, size, puzzle->sets[set].turns);
        merge_last_set(puzzle, set);
        shuffle_slots(puzzle, set);
    }
}

static void build_orbits(struct sets_puzzle *puzzle)
{
    do {
        sets_begin(puzzle);
        build_any(puzzle);
    } while (puzzle->set_count < 2);
    for (unsigned n = 1 + below(2); n > 0 && puzzle->set_count > 1; n--) {
        unsigned into = below(puzzle->set_count - 1);
        unsigned size = puzzle->sets[puzzle->set_count - 1].size;
        if (puzzle->sets[into].size + size <= LARGEST_SET) {
            merge_last_set(puzzle, into);
            shuffle_slots(puzzle, into);
        }
    }
    if (support_happens(2)) {
        add_still_slots(puzzle, below(puzzle->set_count));
    }
}

// Two or three small orbits in one set: some moves turn pieces of the first or of the last one, and
// no move turns those of the others.
static void build_mixed(struct sets_puzzle *puzzle)
{
    unsigned orbits = 2 + below(2);
    unsigned turned = support_happens(2) ? 0 : orbits - 1;
    unsigned turns = 2 + below(2);
    puzzle->move_count = 2 + below(2);
    for (unsigned s = 0; s < orbits; s++) {
        sets_add(puzzle, s == turned ? 1 + below(3) : 2 + below(2), turns);
        permute_randomly(puzzle, s);
    }
    turn_randomly(puzzle, turned);
    while (puzzle->set_count > 1) {
        merge_last_set(puzzle, puzzle->set_count - 2);
    }
    if (support_happens(3)) {
        shuffle_slots(puzzle, 0);
    }
}

static void (*const BUILD[KIND_COUNT])(struct sets_puzzle *) = {
    [KIND_INDEPENDENT] = build_independent,
    [KIND_LOCKED] = build_locked,
    [KIND_FOLLOWING] = build_following,
    [KIND_TOGGLES] = build_toggles,
    [KIND_ALIKE] = build_any,
    [KIND_IGNORED] = build_any,
    [KIND_GROUPS] = build_groups,
    [KIND_ONE_WAY] = build_any,
    [KIND_ORBITS] = build_orbits,
    [KIND_MIXED] = build_mixed,
};

// ---- The solved state ---------------------------------------------------------------------------

static void number_pieces(struct sets_puzzle *puzzle)
{
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        for (unsigned i = 0; i < puzzle->sets[s].size; i++) {
            puzzle->piece[puzzle->sets[s].first + i] = (uint8_t)i;
        }
    }
}

// Makes pieces of a set look alike. The numbers that are left have no gaps.
static void make_alike(struct sets_puzzle *puzzle, const struct sets_set *set)
{
    uint8_t *piece = puzzle->piece + set->first;
    unsigned kinds = 1 + below(set->size);
    uint8_t number_of[SETS_TWIN_SLOTS];
    unsigned numbers = 0;
    memset(number_of, UINT8_MAX, sizeof number_of);
    for (unsigned i = 0; i < set->size; i++) {
        unsigned kind = below(kinds);
        if (number_of[kind] == UINT8_MAX) {
            number_of[kind] = (uint8_t)numbers++;
        }
        piece[i] = number_of[kind];
    }
    support_shuffle(piece, set->size);
}

// Ignores the orientations of some pieces, and of those that look like them.
static void ignore_some(struct sets_puzzle *puzzle, const struct sets_set *set)
{
    bool ignored[SETS_TWIN_SLOTS];
    for (unsigned i = 0; i < set->size; i++) {
        ignored[i] = support_happens(2);
    }
    for (unsigned i = set->first; i < set->first + set->size; i++) {
        if (ignored[puzzle->piece[i]]) {
            puzzle->ignored[i] = true;
            puzzle->orientation[i] = 0;
        }
    }
}

static void draw_solved(struct sets_puzzle *puzzle, bool alike, bool ignored)
{
    bool turned = support_happens(2);
    number_pieces(puzzle);
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        support_shuffle(puzzle->piece + set->first, set->size);
        for (unsigned i = set->first; i < set->first + set->size; i++) {
            puzzle->orientation[i] = turned ? (uint8_t)below(set->turns) : 0;
        }
        if (alike && !support_happens(3)) {
            make_alike(puzzle, set);
        }
        if (ignored && set->turns > 1 && !support_happens(3)) {
            ignore_some(puzzle, set);
        }
    }
}

// Adds rows of cells but no states, until there are more than 2^bits: slots that no move changes,
// and copies of sets.
static void add_arrangements(struct sets_puzzle *puzzle, unsigned bits)
{
    number_pieces(puzzle);
    for (unsigned tries = 0; tries < 20; tries++) {
        struct sets_view view;
        sets_look(&view, puzzle);
        if (sets_count_rows(&view) > (double)(UINT64_C(1) << bits)) {
            return;
        }
        unsigned set = below(puzzle->set_count);
        if (puzzle->set_count < 4 && support_happens(2) &&
            has_room(puzzle, puzzle->sets[set].size)) {
            add_copy(puzzle, set);
        } else {
            add_still_slots(puzzle, set);
        }
        number_pieces(puzzle);
    }
}

static unsigned count_expanded_moves(const struct sets_puzzle *puzzle)
{
    unsigned count = 0;
    for (unsigned m = 0; m < puzzle->move_count; m++) {
        count += sets_move_order(puzzle, m);
    }
    return count;
}

static bool is_usable(const struct sets_puzzle *puzzle)
{
    struct sets_view view;
    sets_look(&view, puzzle);
    return view.cell_count > 0 && sets_count_rows(&view) < (double)(UINT64_C(1) << 55);
}

void draw_puzzle(enum puzzle_kind kind, struct sets_puzzle *puzzle)
{
    do {
        bool alike = kind == KIND_ALIKE || kind == KIND_MIXED || support_happens(8);
        bool ignored = kind == KIND_IGNORED || support_happens(8);
        sets_begin(puzzle);
        BUILD[kind](puzzle);
        if (!support_happens(6)) {
            add_arrangements(puzzle, alike || ignored ? 26 : 20);
        }
        draw_solved(puzzle, alike, ignored);
        bool one_way = kind == KIND_ONE_WAY || support_happens(8) ||
                       count_expanded_moves(puzzle) > MOVES_EXPANDED_MOST;
        puzzle->powers = one_way ? SETS_POWERS_NONE : SETS_POWERS_ALL;
    } while (!is_usable(puzzle));
}
