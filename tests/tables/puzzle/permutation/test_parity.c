// The reason why no moves lead from one state to another.
#include "tests/tools/support.h"
#include "tests/twin/twin_sets.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Two sets of pieces, in which odd permutations come in pairs, and a slot that no move changes.
// The pieces of C are turned, and two pieces of D can only change places with each other.
static const char WHEELS[] =
    "Name wheels\nSet A 6 1\nSet B 3 1\nSet C 3 3\nSet D 4 1\nSolved\nEnd\n"
    "Move W\nA\n1 2 3 5 6 4\nEnd\n"
    "Move X\nA\n2 1 3 4 5 6\nB\n2 1 3\nEnd\n"
    "Move Y\nA\n2 3 1 4 5 6\nEnd\n"
    "Move Z\nB\n2 3 1\nEnd\n"
    "Move P\nC\n2 3 1\n1 2 0\nEnd\n"
    "Move Q\nD\n2 1 4 3\nEnd\n";

static void check_reason(const char *definition, const char *query_text, const char *expected)
{
    struct generated generated;
    struct fewest *table = support_open_text(definition, &generated);
    struct query query;
    struct fewest_error error;
    struct fewest_parity parity;
    cr_assert(
        fewest_read_query(table, query_text, strlen(query_text), query.start, query.target, &error),
        "%s", error.text);
    cr_assert(fewest_parity(table, query.start, query.target, &parity, &error), "%s", error.text);
    cr_expect_str_eq(parity.reason, expected);
    cr_expect_eq(parity.reachable, strncmp(expected, "in ", 3) == 0);
    support_close(table, &generated);
}

Test(reasons, a_sum_of_orientations_that_moves_keep)
{
    check_reason(
        WHEELS, "123456 123 123 100 1234 123456 123 123 000 1234",
        "modulo 3, the orientations of C add up to 1 in START and to 0 in TARGET, but every "
        "move keeps their sum");
    check_reason(
        WHEELS, "123456 123 123 000 1234 123456 123 123 220 1234",
        "modulo 3, the orientations of C add up to 0 in START and to 1 in TARGET, but every "
        "move keeps their sum");
    check_reason(
        WHEELS, "123456 123 123 100 1234 123456 123 123 002 1234",
        "modulo 3, the orientations of C add up to 1 in START and to 2 in TARGET, but every "
        "move keeps their sum");
}

Test(reasons, a_permutation_that_must_be_even)
{
    check_reason(
        WHEELS, "123456 123 213 000 1234 123456 123 123 000 1234",
        "the permutation of C from START to TARGET is odd, but that of every move is even");
}

Test(reasons, two_permutations_that_must_have_one_parity)
{
    check_reason(WHEELS, "213456 123 123 000 1234 123456 123 123 000 1234",
                 "the permutations of slots 1-3 of A and B are both even or both odd in every "
                 "move, but not from START to TARGET");
    check_reason(WHEELS, "123546 123 123 000 1234 123456 123 123 000 1234",
                 "the permutation of slots 4-6 of A from START to TARGET is odd, but that of "
                 "every move is even");
}

Test(reasons, a_slot_that_nothing_reaches)
{
    check_reason(WHEELS, "423156 123 123 000 1234 123456 123 123 000 1234",
                 "no moves from START bring piece 1 to slot 1 of A");
    check_reason("Name held\nSet A 4 1\nSolved\nEnd\nMove X\nA\n2 3 1 4\nEnd\n", "1234 2431",
                 "no move changes slot 4 of A, where START and TARGET differ");
}

Test(reasons, another_orbit_of_the_moves)
{
    // The moves make 1 2 3 4, 2 1 4 3, 3 4 1 2 and 4 3 2 1. A cycle of three is even, too.
    check_reason("Name four\nSet A 4 1\nSolved\nEnd\nMove X\nA\n2 1 4 3\nEnd\n"
                 "Move Y\nA\n3 4 1 2\nEnd\nMove N\nA\n1 2 3 4\nEnd\n",
                 "1234 2341",
                 "the permutation from START to TARGET is odd, but every move is even");
    check_reason("Name four\nSet A 4 1\nSolved\nEnd\nMove X\nA\n2 1 4 3\nEnd\n"
                 "Move Y\nA\n3 4 1 2\nEnd\n",
                 "1234 2314", "START can reach 4 of the 24 arrangements, but not TARGET");
}

Test(reasons, pieces_that_look_alike)
{
    static const char ALIKE[] =
        "Name alike\nSet A 5 2\nSolved\nA\n1 1 2 3 3\nEnd\nMove X\nA\n2 3 1 4 5\n1 1 0 0 0\nEnd\n"
        "Move Y\nA\n1 2 4 5 3\nEnd\n";
    check_reason(
        ALIKE, "11233 10000",
        "modulo 2, the orientations of A add up to 1 in START and to 0 in TARGET, but every "
        "move keeps their sum");
    check_reason(ALIKE, "12133 10100", "in 1 move");
}

Test(reasons, a_state_that_can_be_reached_has_none)
{
    check_reason(WHEELS, "123456 123 123 000 2143 123456 123 123 000 1234", "in 1 move");
}

// ---- Every reason is a theorem ------------------------------------------------------------------
// A naive search proves the reasons of random puzzles. It knows nothing of orbits and laws: it
// visits all states that START leads to, and makes every move in each of them.

enum { ARRANGEMENTS_MOST = 6000, QUERIES = 12, ROUNDS = 1500, SEARCH_LIMIT = 5 };

// A random puzzle and what its definition adds to the twin.
struct drawn {
    struct sets_puzzle puzzle;        // its moves are those that count
    struct sets_view view;            // what all moves of the definition show
    unsigned listed;                  // moves in the definition, those that count first
    uint8_t written[SETS_TWIN_SLOTS]; // pieces of `Solved`, before `Track` makes some alike
    bool named[SETS_TWIN_SETS][SETS_TWIN_SLOTS]; // by piece: what `Track` or `Database` names
    bool tracks;
    bool searched;
    bool letters[SETS_TWIN_SETS];
};

static unsigned below(unsigned bound)
{
    return support_random_below(bound);
}

static unsigned end_of(const struct sets_set *set)
{
    return set->first + set->size;
}

static bool is_ignored(const struct drawn *drawn, unsigned slot, uint8_t piece)
{
    return drawn->view.ignored[drawn->puzzle.sets[drawn->view.set_of[slot]].first + piece];
}

// What the moves show does not depend on which of them count.
static void look(struct drawn *drawn)
{
    unsigned counted = drawn->puzzle.move_count;
    drawn->puzzle.move_count = drawn->listed;
    sets_look(&drawn->view, &drawn->puzzle);
    drawn->puzzle.move_count = counted;
}

// ---- Drawing a puzzle ----

// Draws what the moves do to a set. They may keep its slots in two parts, or the sum of what they
// turn in each. An odd number of exchanges makes a move odd.
static void draw_moves(struct drawn *drawn, unsigned s, const bool *odd)
{
    const struct sets_set *set = &drawn->puzzle.sets[s];
    bool part[SETS_TWIN_SLOTS];
    bool is_split = support_happens(2);
    bool is_permuted = !support_happens(6);
    bool is_turned = support_happens(2);
    bool keeps_sum = support_happens(2);
    for (unsigned i = 0; i < set->size; i++) {
        part[i] = is_split && support_happens(2);
    }
    for (unsigned m = 0; m < drawn->listed; m++) {
        uint8_t *from = drawn->puzzle.moves[m].from + set->first;
        uint8_t *turn = drawn->puzzle.moves[m].turn + set->first;
        unsigned sum[2] = {0, 0};
        unsigned last[2] = {0, 0};
        for (unsigned i = 0; i < set->size; i++) {
            turn[i] = is_turned && support_happens(2) ? (uint8_t)below(set->turns) : 0;
            sum[part[i]] += turn[i];
            last[part[i]] = i;
        }
        for (unsigned p = 0; p < 2 && keeps_sum; p++) {
            uint8_t *balance = &turn[last[p]];
            *balance = (uint8_t)((*balance + set->turns * set->size - sum[p]) % set->turns);
        }
        for (unsigned n = odd[m] + 2 * below(3); n > 0 && is_permuted; n--) {
            unsigned a = below(set->size);
            unsigned b = below(set->size);
            for (unsigned tries = 0; tries < 20 && (a == b || part[a] != part[b]); tries++) {
                b = below(set->size);
            }
            if (part[a] == part[b]) {
                support_swap(&from[a], &from[b]);
            }
        }
    }
}

// Draws the solved state of a set.
static void draw_solved(struct drawn *drawn, unsigned s, bool alike, bool ignores)
{
    const struct sets_set *set = &drawn->puzzle.sets[s];
    uint8_t *piece = drawn->puzzle.piece + set->first;
    unsigned kinds = alike ? 2 + below(set->size - 1) : set->size;
    bool ignored[SETS_TWIN_SLOTS];
    for (unsigned i = 0; i < set->size; i++) {
        unsigned at = below(i + 1); // a random order
        ignored[i] = ignores && support_happens(2);
        piece[i] = piece[at];
        piece[at] = (uint8_t)(i < kinds ? i : below(kinds));
        drawn->puzzle.orientation[set->first + i] = (uint8_t)below(set->turns);
    }
    for (unsigned i = 0; i < set->size; i++) {
        drawn->puzzle.ignored[set->first + i] = ignored[piece[i]];
    }
}

static void name_pieces(struct drawn *drawn)
{
    for (unsigned s = 0; s < drawn->puzzle.set_count; s++) {
        const struct sets_set *set = &drawn->puzzle.sets[s];
        for (unsigned i = set->first; i < end_of(set); i++) {
            drawn->named[s][drawn->puzzle.piece[i]] = support_happens(2) || i == set->first;
        }
    }
}

// What `Track` does not name looks alike. The lowest of these pieces stands for all of them.
static void track(struct drawn *drawn)
{
    struct sets_puzzle *puzzle = &drawn->puzzle;
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        uint8_t lowest = 0;
        while (drawn->named[s][lowest]) {
            lowest++;
        }
        for (unsigned i = puzzle->sets[s].first; i < end_of(&puzzle->sets[s]); i++) {
            puzzle->ignored[i] = !drawn->named[s][puzzle->piece[i]];
            puzzle->piece[i] = puzzle->ignored[i] ? lowest : puzzle->piece[i];
        }
    }
}

static void forbid_some_pieces(struct drawn *drawn)
{
    struct sets_puzzle *puzzle = &drawn->puzzle;
    for (unsigned n = 1 + below(3); n > 0; n--) {
        const struct sets_set *set = &puzzle->sets[below(puzzle->set_count)];
        unsigned slot = set->first + below(set->size);
        unsigned piece = puzzle->piece[set->first + below(set->size)];
        puzzle->illegal[slot][piece] = puzzle->piece[slot] != piece;
    }
}

static void draw(struct drawn *drawn)
{
    bool alike = support_happens(2);
    bool ignores = support_happens(3);
    bool in_step = support_happens(2);   // all sets are permuted oddly by the same moves
    bool is_plain = support_happens(10); // one set of different pieces, and even moves
    bool odd[SETS_TWIN_MOVES];
    *drawn = (struct drawn){.listed = 1 + below(3), .tracks = !is_plain && support_happens(4)};
    struct sets_puzzle *puzzle = &drawn->puzzle;
    sets_begin(puzzle);
    unsigned sets = is_plain ? 1 : 1 + below(3);
    puzzle->powers = support_happens(3) ? SETS_POWERS_NONE : SETS_POWERS_ALL;
    puzzle->move_count = support_happens(4) ? 1 + below(drawn->listed) : drawn->listed;
    for (unsigned s = 0; s < sets; s++) {
        sets_add(puzzle, is_plain ? 5 + below(2) : 2 + below(sets == 1 ? 5 : 3),
                 is_plain || support_happens(2) ? 1 : 2 + below(2));
        for (unsigned m = 0; m < drawn->listed; m++) {
            odd[m] = s > 0 && in_step ? odd[m] : !is_plain && support_happens(2);
        }
        draw_solved(drawn, s, alike && !is_plain && !drawn->tracks, ignores && !drawn->tracks);
        draw_moves(drawn, s, odd);
        drawn->letters[s] = support_happens(4);
    }
    memcpy(drawn->written, puzzle->piece, sizeof drawn->written);
    name_pieces(drawn);
    if (drawn->tracks) {
        track(drawn);
    } else {
        drawn->searched = support_happens(3);
        if (support_happens(3)) {
            forbid_some_pieces(drawn);
        }
    }
    look(drawn);
}

// ---- Drawing states ----

// Any state that can be typed, legal or not.
static void draw_arrangement(const struct drawn *drawn, uint8_t *row)
{
    const struct sets_puzzle *puzzle = &drawn->puzzle;
    memcpy(row, drawn->view.solved, SETS_TWIN_ROW);
    for (unsigned s = 0; s < puzzle->set_count; s++) {
        const struct sets_set *set = &puzzle->sets[s];
        for (unsigned i = 0; i < set->size; i++) {
            if (drawn->view.shows_pieces[s]) {
                support_swap(&row[set->first + i], &row[set->first + below(i + 1)]);
            }
            if (drawn->view.shows_orientations[s]) {
                row[puzzle->slot_count + set->first + i] = (uint8_t)below(set->turns);
            }
        }
    }
    sets_forget_ignored(&drawn->view, row);
}

// Makes some moves, and then perhaps exchanges two pieces and turns one.
static void draw_disturbed(const struct drawn *drawn, const uint8_t *from, uint8_t *row)
{
    const struct sets_puzzle *puzzle = &drawn->puzzle;
    uint8_t next[SETS_TWIN_ROW] = {0};
    memmove(row, from, SETS_TWIN_ROW);
    for (unsigned n = below(6); n > 0; n--) {
        sets_apply(&drawn->view, &puzzle->moves[below(puzzle->move_count)], row, next);
        if (sets_is_legal(&drawn->view, next)) {
            memcpy(row, next, sizeof next);
        }
    }
    unsigned s = below(puzzle->set_count);
    const struct sets_set *set = &puzzle->sets[s];
    unsigned a = set->first + below(set->size);
    unsigned b = set->first + below(set->size);
    uint8_t *turn = row + puzzle->slot_count;
    if (drawn->view.shows_pieces[s] && support_happens(2)) {
        support_swap(&row[a], &row[b]);
        support_swap(&turn[a], &turn[b]);
    }
    if (drawn->view.shows_orientations[s] && support_happens(2)) {
        turn[b] = (uint8_t)((turn[b] + 1) % set->turns);
    }
    sets_forget_ignored(&drawn->view, row);
}

// ---- Text ----

// A piece or an orientation as it is typed.
static void append_value(const struct drawn *drawn, unsigned s, bool is_turn, unsigned value,
                         char *text)
{
    if (drawn->letters[s] && !(is_turn && drawn->view.shows_pieces[s])) {
        sprintf(text + strlen(text), "%c ", 'a' + (int)value);
    } else {
        sprintf(text + strlen(text), "%u ", value + !is_turn);
    }
}

static void append_letters(const struct drawn *drawn, unsigned s, char *text)
{
    const struct sets_puzzle *puzzle = &drawn->puzzle;
    const struct sets_set *set = &puzzle->sets[s];
    unsigned count = drawn->tracks ? set->size : 0;
    for (unsigned i = set->first; i < end_of(set); i++) {
        count = puzzle->piece[i] >= count ? puzzle->piece[i] + 1u : count;
    }
    count = drawn->view.shows_pieces[s] ? count : set->turns;
    sprintf(text + strlen(text), "Letters %c", 'A' + (int)s);
    for (unsigned i = 0; i < count; i++) {
        sprintf(text + strlen(text), " %c", 'a' + (int)i);
    }
    strcat(text, "\n");
}

static void append_named(const struct drawn *drawn, char *text)
{
    strcat(text, drawn->tracks ? "Track" : "Database");
    for (unsigned s = 0; s < drawn->puzzle.set_count; s++) {
        sprintf(text + strlen(text), " %c ", 'A' + (int)s);
        for (unsigned piece = 0; piece < drawn->puzzle.sets[s].size; piece++) {
            if (drawn->named[s][piece]) {
                sprintf(text + strlen(text), "%u ", piece + 1);
            }
        }
    }
    strcat(text, "\n");
}

// Writes the definition with all moves, `Letters` before `Solved`, and what it adds to the twin.
static void write_drawn(const struct drawn *drawn, char *text)
{
    static char plain[SETS_TWIN_TEXT];
    struct sets_puzzle written = drawn->puzzle;
    written.move_count = drawn->listed;
    memcpy(written.piece, drawn->written, sizeof written.piece);
    if (drawn->tracks) {
        memset(written.ignored, false, sizeof written.ignored);
    }
    sets_write(&written, plain);
    const char *solved = strstr(plain, "Solved\n");
    sprintf(text, "%.*s", (int)(solved - plain), plain);
    for (unsigned s = 0; s < written.set_count; s++) {
        bool shows = drawn->view.shows_pieces[s] || drawn->view.shows_orientations[s];
        if (drawn->letters[s] && shows) {
            append_letters(drawn, s, text);
        }
    }
    strcat(text, solved);
    if (drawn->puzzle.move_count < drawn->listed) {
        strcat(text, "Generators");
        for (unsigned m = 0; m < drawn->puzzle.move_count; m++) {
            sprintf(text + strlen(text), " %s", written.moves[m].name);
        }
        strcat(text, "\n");
    }
    if (drawn->tracks || drawn->searched) {
        append_named(drawn, text);
    }
}

// ---- Claims ----

// The sentences that a reason may be.
enum sentence {
    SAYS_NOTHING_TRUE,
    SAYS_ILLEGAL,
    SAYS_UNCHANGED,
    SAYS_NOT_BROUGHT,
    SAYS_SUM,
    SAYS_ODD,
    SAYS_ODD_PAIR,
    SAYS_ALL_ODD,
    SAYS_ALL_EVEN,
    SAYS_FILLED,
    SAYS_MOVES,
    SAYS_CONNECTED,
    SAYS_NO_MOVES,
    SAYS_FROM_START,
    SAYS_TO_TARGET,
    SENTENCES,
};

// A START and a TARGET, and what naive searches find out about them.
struct claim {
    const struct drawn *drawn;
    uint8_t start[SETS_TWIN_ROW];
    uint8_t target[SETS_TWIN_ROW];
    bool wild_piece[SETS_TWIN_SLOTS]; // wildcards of the target
    bool wild_turn[SETS_TWIN_SLOTS];
    const struct twin_states *states; // all states that moves lead to from START
    const struct sets_move *moves;    // with their powers
    unsigned move_count;
};

static bool matches_target(const void *context, const uint8_t *row)
{
    const struct claim *claim = context;
    unsigned slots = claim->drawn->puzzle.slot_count;
    bool matches = true;
    for (unsigned i = 0; i < slots; i++) {
        matches &= claim->wild_piece[i] || row[i] == claim->target[i];
        matches &= claim->wild_turn[i] || is_ignored(claim->drawn, i, row[i]) ||
                   row[slots + i] == claim->target[slots + i];
    }
    return matches;
}

// A wildcard for an orientation that does not count is none.
static unsigned count_wildcards(const struct claim *claim)
{
    unsigned count = 0;
    for (unsigned i = 0; i < claim->drawn->puzzle.slot_count; i++) {
        bool counts = claim->wild_piece[i] || !is_ignored(claim->drawn, i, claim->target[i]);
        count += claim->wild_piece[i];
        count += claim->wild_turn[i] && counts;
    }
    return count;
}

// The least number of moves to a state that matches TARGET, or -1.
static int distance_of(const struct claim *claim)
{
    return twin_steps(claim->states, twin_find_match(claim->states, matches_target, claim));
}

// ---- Reading sentences ----

static bool skip(const char **text, const char *words)
{
    bool found = strncmp(*text, words, strlen(words)) == 0;
    *text += found ? strlen(words) : 0;
    return found;
}

static bool read_number(const char **text, unsigned *number)
{
    char *end;
    *number = (unsigned)strtol(*text, &end, 10);
    bool found = end > *text;
    *text = end;
    return found;
}

static bool read_set(const char **text, const struct sets_puzzle *puzzle,
                     const struct sets_set **set)
{
    unsigned s = (unsigned)(**text - 'A');
    bool found = s < puzzle->set_count;
    *set = found ? &puzzle->sets[s] : NULL;
    *text += found;
    return found;
}

// "slot 3 of A"
static bool read_slot(const char **text, const struct sets_puzzle *puzzle, unsigned *slot)
{
    const struct sets_set *set;
    bool found = skip(text, "slot ") && read_number(text, slot) && skip(text, " of ") &&
                 read_set(text, puzzle, &set) && *slot >= 1 && *slot <= set->size;
    *slot += found ? set->first - 1 : 0;
    return found;
}

static void read_word(const char **text, char word[8])
{
    size_t length = strcspn(*text, " ");
    snprintf(word, 8, "%.*s", (int)length, *text);
    *text += length;
}

// Is this how the piece is written in a slot?
static bool is_written(const struct drawn *drawn, unsigned slot, uint8_t piece, const char *word)
{
    char typed[16] = "";
    unsigned s = drawn->view.set_of[slot];
    if (drawn->tracks && !drawn->named[s][piece]) {
        return strcmp(word, ".") == 0;
    }
    append_value(drawn, s, false, piece, typed);
    return strncmp(typed, word, strlen(word)) == 0 && typed[strlen(word)] == ' ';
}

// "1-3, 5 of A"
static bool read_list(const char **text, const struct sets_puzzle *puzzle, bool *part)
{
    const struct sets_set *set;
    bool listed[SETS_TWIN_SLOTS + 1] = {false};
    do {
        unsigned from;
        if (!read_number(text, &from)) {
            return false;
        }
        unsigned to = from;
        if (skip(text, "-") && !read_number(text, &to)) {
            return false;
        }
        for (unsigned i = from; i <= to && i > 0 && i <= SETS_TWIN_SLOTS; i++) {
            listed[i] = true;
        }
    } while (skip(text, ", "));
    if (!skip(text, " of ") || !read_set(text, puzzle, &set)) {
        return false;
    }
    for (unsigned i = 1; i <= set->size; i++) {
        part[set->first + i - 1] = listed[i];
        listed[i] = false;
    }
    return !memchr(listed, true, sizeof listed); // no slot that is not there
}

// "the slots of A that moves connect with slot 3"
static bool read_connected(const char **text, const struct claim *claim, bool *part)
{
    const struct sets_set *set;
    unsigned slot;
    if (!skip(text, "the slots of ") || !read_set(text, &claim->drawn->puzzle, &set) ||
        !skip(text, " that moves connect with slot ") || !read_number(text, &slot)) {
        return false;
    }
    part[set->first + slot - 1] = true;
    for (unsigned round = 0; round < set->size; round++) {
        for (unsigned m = 0; m < claim->move_count; m++) {
            for (unsigned i = set->first; i < end_of(set); i++) {
                unsigned before = claim->moves[m].from[i];
                part[i] |= part[before];
                part[before] |= part[i];
            }
        }
    }
    return true;
}

// A set, or some of its slots.
static bool read_part(const char **text, const struct claim *claim, bool part[SETS_TWIN_SLOTS])
{
    const struct sets_puzzle *puzzle = &claim->drawn->puzzle;
    const struct sets_set *set;
    memset(part, false, SETS_TWIN_SLOTS * sizeof *part);
    if (skip(text, "slots ")) {
        return read_list(text, puzzle, part);
    }
    if (read_connected(text, claim, part)) {
        return true;
    }
    bool found = read_set(text, puzzle, &set);
    for (unsigned i = found ? set->first : 0; found && i < end_of(set); i++) {
        part[i] = true;
    }
    return found;
}

// ---- Proofs: false if the sentence is another one, or not true ----

static bool proves_illegal(const struct claim *claim, const char *text)
{
    unsigned slot;
    char word[8];
    bool of_start = skip(&text, "START");
    const uint8_t *row = of_start ? claim->start : claim->target;
    if (!(of_start || skip(&text, "TARGET")) || !skip(&text, " is illegal: ") ||
        !read_slot(&text, &claim->drawn->puzzle, &slot) || !skip(&text, " can't hold piece ")) {
        return false;
    }
    read_word(&text, word);
    return !*text && (of_start || !claim->wild_piece[slot]) &&
           is_written(claim->drawn, slot, row[slot], word) &&
           claim->drawn->puzzle.illegal[slot][row[slot]];
}

// Are the pieces and orientations in a slot the same?
static bool equal_at(const struct claim *claim, const uint8_t *a, const uint8_t *b, unsigned slot)
{
    unsigned slots = claim->drawn->puzzle.slot_count;
    return a[slot] == b[slot] && a[slots + slot] == b[slots + slot];
}

// Makes every move in every state that START leads to, and looks at the slot.
static bool proves_unchanged(const struct claim *claim, const char *text)
{
    unsigned slot;
    if (!skip(&text, "no move changes ") || !read_slot(&text, &claim->drawn->puzzle, &slot) ||
        strcmp(text, ", where START and TARGET differ") != 0 || count_wildcards(claim) > 0 ||
        equal_at(claim, claim->start, claim->target, slot)) {
        return false;
    }
    for (size_t n = 0; n < claim->states->count; n++) {
        for (unsigned m = 0; m < claim->move_count; m++) {
            uint8_t moved[SETS_TWIN_ROW];
            sets_apply(&claim->drawn->view, &claim->moves[m], twin_row(claim->states, n), moved);
            if (!equal_at(claim, moved, claim->start, slot)) {
                return false;
            }
        }
    }
    return true;
}

static bool proves_not_brought(const struct claim *claim, const char *text)
{
    unsigned slot;
    char word[8];
    if (!skip(&text, "no moves from START bring piece ")) {
        return false;
    }
    read_word(&text, word);
    if (!skip(&text, " to ") || !read_slot(&text, &claim->drawn->puzzle, &slot) || *text ||
        claim->wild_piece[slot]) {
        return false;
    }
    bool comes = false;
    for (size_t n = 0; n < claim->states->count; n++) {
        comes |= twin_row(claim->states, n)[slot] == claim->target[slot];
    }
    return !comes && is_written(claim->drawn, slot, claim->target[slot], word);
}

static unsigned sum_of(const struct claim *claim, const uint8_t *row, const bool *part,
                       unsigned modulus)
{
    unsigned slots = claim->drawn->puzzle.slot_count;
    unsigned sum = 0;
    for (unsigned i = 0; i < slots; i++) {
        sum += part[i] ? row[slots + i] : 0;
    }
    return sum % modulus;
}

// Makes every move in the states that START leads to, and in some others.
static bool keep_sum(const struct claim *claim, const bool *part, unsigned modulus)
{
    enum { OTHERS = 20 };
    size_t count = claim->states->count;
    for (size_t n = 0; n < count + OTHERS; n++) {
        uint8_t row[SETS_TWIN_ROW];
        uint8_t moved[SETS_TWIN_ROW];
        if (n < count) {
            memcpy(row, twin_row(claim->states, n), claim->states->row_bytes);
        } else {
            draw_arrangement(claim->drawn, row);
        }
        for (unsigned m = 0; m < claim->move_count; m++) {
            sets_apply(&claim->drawn->view, &claim->moves[m], row, moved);
            if (sum_of(claim, moved, part, modulus) != sum_of(claim, row, part, modulus)) {
                return false;
            }
        }
    }
    return true;
}

static bool proves_sum(const struct claim *claim, const char *text)
{
    bool part[SETS_TWIN_SLOTS];
    unsigned modulus;
    unsigned start;
    unsigned target;
    if (!skip(&text, "modulo ") || !read_number(&text, &modulus) || modulus < 2 ||
        !skip(&text, ", the orientations of ") || !read_part(&text, claim, part) ||
        !skip(&text, " add up to ") || !read_number(&text, &start) ||
        !skip(&text, " in START and to ") || !read_number(&text, &target) ||
        strcmp(text, " in TARGET, but every move keeps their sum") != 0) {
        return false;
    }
    return start != target && count_wildcards(claim) == 0 &&
           sum_of(claim, claim->start, part, modulus) == start &&
           sum_of(claim, claim->target, part, modulus) == target && keep_sum(claim, part, modulus);
}

enum { NO_PERMUTATION = -1, NOWHERE = UINT8_MAX };

// Is a permutation of some slots odd? from[i]: where slot i takes its piece.
static int parity_of(const uint8_t *from, const bool *part)
{
    bool seen[SETS_TWIN_SLOTS] = {false};
    int moved = 0; // slots minus cycles
    for (unsigned i = 0; i < SETS_TWIN_SLOTS; i++) {
        for (unsigned at = i; part[i] && !seen[at]; at = from[at]) {
            seen[at] = true;
            if (from[at] == NOWHERE || !part[from[at]]) {
                return NO_PERMUTATION;
            }
            moved += !seen[from[at]];
        }
    }
    for (unsigned i = 0; i < SETS_TWIN_SLOTS; i++) {
        for (unsigned j = 0; j < i; j++) {
            if (part[i] && part[j] && from[i] == from[j]) {
                return NO_PERMUTATION;
            }
        }
    }
    return moved % 2;
}

static int parity_between(const struct claim *claim, const uint8_t *a, const uint8_t *b,
                          const bool *part)
{
    const uint8_t *set_of = claim->drawn->view.set_of;
    uint8_t from[SETS_TWIN_SLOTS];
    for (unsigned i = 0; i < claim->drawn->puzzle.slot_count; i++) {
        unsigned alike = 0;
        from[i] = NOWHERE;
        for (unsigned j = 0; j < claim->drawn->puzzle.slot_count; j++) {
            if (part[j] && set_of[j] == set_of[i] && a[j] == b[i]) {
                from[i] = alike++ == 0 ? (uint8_t)j : NOWHERE;
            }
        }
    }
    return parity_of(from, part);
}

// Is every move even on the slots of `part` or, if there are two parts, on both or none? And so is
// every state that START leads to.
static bool keep_parity(const struct claim *claim, const bool *part, const bool *other)
{
    for (unsigned m = 0; m < claim->move_count; m++) {
        int a = parity_of(claim->moves[m].from, part);
        int b = other ? parity_of(claim->moves[m].from, other) : 0;
        if (a < 0 || a != b) {
            return false;
        }
    }
    for (size_t n = 0; n < claim->states->count; n++) {
        const uint8_t *row = twin_row(claim->states, n);
        int a = parity_between(claim, claim->start, row, part);
        int b = other ? parity_between(claim, claim->start, row, other) : 0;
        if (a < 0 || a != b) {
            return false;
        }
    }
    return true;
}

static bool proves_odd(const struct claim *claim, const char *text)
{
    bool part[SETS_TWIN_SLOTS];
    return skip(&text, "the permutation of ") && read_part(&text, claim, part) &&
           strcmp(text, " from START to TARGET is odd, but that of every move is even") == 0 &&
           count_wildcards(claim) == 0 &&
           parity_between(claim, claim->start, claim->target, part) == 1 &&
           keep_parity(claim, part, NULL);
}

static bool proves_odd_pair(const struct claim *claim, const char *text)
{
    bool part[SETS_TWIN_SLOTS];
    bool other[SETS_TWIN_SLOTS];
    if (!skip(&text, "the permutations of ") || !read_part(&text, claim, part) ||
        !skip(&text, " and ") || !read_part(&text, claim, other) ||
        strcmp(text, " are both even or both odd in every move, but not from START to TARGET") !=
            0 ||
        count_wildcards(claim) > 0) {
        return false;
    }
    int a = parity_between(claim, claim->start, claim->target, part);
    int b = parity_between(claim, claim->start, claim->target, other);
    return a >= 0 && b >= 0 && a != b && keep_parity(claim, part, other);
}

// The slots of the only set that a state shows; false if it shows more than the places of pieces.
static bool find_only_part(const struct claim *claim, bool part[SETS_TWIN_SLOTS])
{
    const struct drawn *drawn = claim->drawn;
    unsigned shown = 0;
    memset(part, false, SETS_TWIN_SLOTS * sizeof *part);
    for (unsigned s = 0; s < drawn->puzzle.set_count; s++) {
        shown += drawn->view.shows_pieces[s] ? 1 : 0;
        shown += drawn->view.shows_orientations[s] ? 2 : 0;
        for (unsigned i = drawn->puzzle.sets[s].first; i < end_of(&drawn->puzzle.sets[s]); i++) {
            part[i] = drawn->view.shows_pieces[s];
        }
    }
    return shown == 1;
}

// Replaces the only wildcard by the piece that is missing.
static bool fill_target(const struct claim *claim, uint8_t *filled)
{
    const struct sets_puzzle *puzzle = &claim->drawn->puzzle;
    memcpy(filled, claim->target, SETS_TWIN_ROW);
    for (unsigned i = 0; i < puzzle->slot_count; i++) {
        const struct sets_set *set = &puzzle->sets[claim->drawn->view.set_of[i]];
        for (unsigned j = set->first; j < end_of(set) && claim->wild_piece[i]; j++) {
            bool missing = true;
            for (unsigned k = set->first; k < end_of(set); k++) {
                missing &= k == i || claim->target[k] != claim->start[j];
            }
            filled[i] = missing ? claim->start[j] : filled[i];
        }
    }
    return count_wildcards(claim) <= 1;
}

static bool proves_all_odd(const struct claim *claim, const char *text)
{
    bool part[SETS_TWIN_SLOTS];
    uint8_t filled[SETS_TWIN_ROW];
    return strcmp(text, "the permutation from START to TARGET is odd, but every move is even") ==
               0 &&
           find_only_part(claim, part) && fill_target(claim, filled) &&
           parity_between(claim, claim->start, filled, part) == 1 && keep_parity(claim, part, NULL);
}

// Are all even permutations reached, and no others?
static bool reaches_all_even(const struct claim *claim, const bool *part)
{
    return keep_parity(claim, part, NULL) &&
           (double)claim->states->count * 2 == sets_count_rows(&claim->drawn->view);
}

static bool proves_all_even(const struct claim *claim, const char *text)
{
    bool part[SETS_TWIN_SLOTS];
    uint8_t filled[SETS_TWIN_ROW];
    return strcmp(text, "the permutation from START to TARGET is even, and so is every move") ==
               0 &&
           find_only_part(claim, part) && fill_target(claim, filled) &&
           parity_between(claim, claim->start, filled, part) == 0 && reaches_all_even(claim, part);
}

// If there are two wildcards, exchanging what fills them makes any permutation even.
static bool proves_filled(const struct claim *claim, const char *text)
{
    bool part[SETS_TWIN_SLOTS];
    unsigned wild;
    if (!skip(&text, "the ") || !read_number(&text, &wild) ||
        !skip(&text, " wildcards can be filled so that the permutation is even, ") || wild < 2 ||
        wild != count_wildcards(claim) || !find_only_part(claim, part) ||
        parity_between(claim, claim->start, claim->start, part) != 0) {
        return false;
    }
    return strcmp(text, "and every move is even") == 0
               ? reaches_all_even(claim, part)
               : strcmp(text, "but no moves lead to such a state") == 0 && distance_of(claim) < 0;
}

static bool proves_moves(const struct claim *claim, const char *text)
{
    unsigned moves;
    return skip(&text, "in ") && read_number(&text, &moves) && (int)moves == distance_of(claim) &&
           strcmp(text, moves == 1 ? " move" : " moves") == 0;
}

static bool proves_connected(const struct claim *claim, const char *text)
{
    return strcmp(text, "the moves connect START and TARGET") == 0 && distance_of(claim) >= 0;
}

static bool proves_no_moves(const struct claim *claim, const char *text)
{
    return (strcmp(text, "no moves lead from START to TARGET") == 0 ||
            strcmp(text, "no legal moves lead from START to TARGET") == 0) &&
           distance_of(claim) < 0;
}

static bool skip_all_arrangements(const struct claim *claim, const char **text)
{
    unsigned all;
    return skip(text, " of the ") && read_number(text, &all) &&
           all == sets_count_rows(&claim->drawn->view) && skip(text, " arrangements");
}

static bool proves_from_start(const struct claim *claim, const char *text)
{
    unsigned count;
    return skip(&text, "START can reach ") && read_number(&text, &count) &&
           count == claim->states->count && skip_all_arrangements(claim, &text) &&
           strcmp(text, ", but not TARGET") == 0 && distance_of(claim) < 0;
}

static size_t count_sources(const struct claim *claim)
{
    struct twin_states *sources = sets_measure(&claim->drawn->view, claim->target, true);
    size_t count = sources->count;
    twin_free(sources);
    return count;
}

static bool proves_to_target(const struct claim *claim, const char *text)
{
    unsigned count;
    return read_number(&text, &count) && skip_all_arrangements(claim, &text) &&
           strcmp(text, " can reach TARGET, but not START") == 0 && distance_of(claim) < 0 &&
           count_wildcards(claim) == 0 && count == count_sources(claim);
}

static enum sentence prove(const struct claim *claim, const char *reason)
{
    static bool (*const PROVES[SENTENCES])(const struct claim *claim, const char *text) = {
        [SAYS_ILLEGAL] = proves_illegal,
        [SAYS_UNCHANGED] = proves_unchanged,
        [SAYS_NOT_BROUGHT] = proves_not_brought,
        [SAYS_SUM] = proves_sum,
        [SAYS_ODD] = proves_odd,
        [SAYS_ODD_PAIR] = proves_odd_pair,
        [SAYS_ALL_ODD] = proves_all_odd,
        [SAYS_ALL_EVEN] = proves_all_even,
        [SAYS_FILLED] = proves_filled,
        [SAYS_MOVES] = proves_moves,
        [SAYS_CONNECTED] = proves_connected,
        [SAYS_NO_MOVES] = proves_no_moves,
        [SAYS_FROM_START] = proves_from_start,
        [SAYS_TO_TARGET] = proves_to_target};
    for (int sentence = 1; sentence < SENTENCES; sentence++) {
        if (PROVES[sentence](claim, reason)) {
            return (enum sentence)sentence;
        }
    }
    return SAYS_NOTHING_TRUE;
}

// ---- Asking ----

static void draw_pair(struct claim *claim, const struct twin_states *home)
{
    const struct drawn *drawn = claim->drawn;
    unsigned choice = below(3);
    memcpy(claim->start, drawn->view.solved, sizeof claim->start);
    if (choice == 0) {
        memcpy(claim->start, twin_row(home, below((unsigned)home->count)), home->row_bytes);
    } else if (choice == 1) {
        draw_arrangement(drawn, claim->start);
    }
    memcpy(claim->target, drawn->view.solved, sizeof claim->target);
    choice = below(4);
    if (choice == 0) {
        draw_arrangement(drawn, claim->target);
    } else if (choice == 1) {
        draw_disturbed(drawn, claim->start, claim->target);
    }
    if (support_happens(3)) { // a start near the target
        draw_disturbed(drawn, claim->target, claim->start);
    }
}

// An orientation that does not count may be any number.
static void append_turn(const struct claim *claim, bool is_target, unsigned slot, char *text)
{
    const struct drawn *drawn = claim->drawn;
    const uint8_t *row = is_target ? claim->target : claim->start;
    unsigned s = drawn->view.set_of[slot];
    bool counts = !is_ignored(drawn, slot, row[slot]) || (is_target && claim->wild_piece[slot]);
    unsigned turn = row[drawn->puzzle.slot_count + slot];
    append_value(drawn, s, true, counts ? turn : below(drawn->puzzle.sets[s].turns), text);
}

static void write_state(const struct claim *claim, bool is_target, char *text)
{
    const struct drawn *drawn = claim->drawn;
    const uint8_t *row = is_target ? claim->target : claim->start;
    for (unsigned s = 0; s < drawn->puzzle.set_count; s++) {
        const struct sets_set *set = &drawn->puzzle.sets[s];
        for (unsigned i = set->first; i < end_of(set) && drawn->view.shows_pieces[s]; i++) {
            if (is_target && claim->wild_piece[i]) {
                strcat(text, "* ");
            } else {
                append_value(drawn, s, false, row[i], text);
            }
        }
        for (unsigned i = set->first; i < end_of(set) && drawn->view.shows_orientations[s]; i++) {
            if (is_target && claim->wild_turn[i]) {
                strcat(text, "* ");
            } else {
                append_turn(claim, is_target, i, text);
            }
        }
    }
}

static void draw_wildcards(struct claim *claim)
{
    const struct drawn *drawn = claim->drawn;
    unsigned once_in = 1 + below(6);
    for (unsigned i = 0; i < drawn->puzzle.slot_count; i++) {
        unsigned s = drawn->view.set_of[i];
        claim->wild_piece[i] = drawn->view.shows_pieces[s] && support_happens(once_in);
        claim->wild_turn[i] = drawn->view.shows_orientations[s] && support_happens(once_in);
    }
}

// Asks for the parity and proves the reason. Returns the sentence; SAYS_NOTHING_TRUE if the query
// is refused or has no answer within the limit.
static enum sentence ask(struct fewest *table, struct claim *claim)
{
    char text[1024] = "";
    struct fewest_parity parity;
    struct query query;
    struct fewest_error error;
    write_state(claim, false, text);
    write_state(claim, true, text);
    cr_assert(fewest_read_query(table, text, strlen(text), query.start, query.target, &error),
              "%s: %s in\n%s", text, error.text, fewest_info(table)->definition);
    if (!fewest_parity(table, query.start, query.target, &parity, &error)) {
        cr_assert(error.status == FEWEST_BEYOND || error.status == FEWEST_LIMITED, "%s",
                  error.text);
        return SAYS_NOTHING_TRUE;
    }
    struct twin_states *states = sets_measure(&claim->drawn->view, claim->start, false);
    claim->states = states;
    cr_assert_eq(parity.reachable, distance_of(claim) >= 0, "%s: %s in\n%s", text, parity.reason,
                 fewest_info(table)->definition);
    enum sentence sentence = prove(claim, parity.reason);
    cr_assert_neq(sentence, SAYS_NOTHING_TRUE, "%s: %s in\n%s", text, parity.reason,
                  fewest_info(table)->definition);
    // No law tells START from a state that it leads to.
    if (!parity.reachable && sentence != SAYS_ILLEGAL) {
        struct claim other = *claim;
        memcpy(other.target, twin_row(states, below((unsigned)states->count)), states->row_bytes);
        memset(other.wild_piece, false, sizeof other.wild_piece);
        memset(other.wild_turn, false, sizeof other.wild_turn);
        cr_assert_eq(prove(&other, parity.reason), SAYS_NOTHING_TRUE, "%s: %s in\n%s", text,
                     parity.reason, fewest_info(table)->definition);
    }
    twin_free(states);
    return sentence;
}

static struct fewest *open_drawn(const struct drawn *drawn, struct generated *generated)
{
    static char text[SETS_TWIN_TEXT];
    struct search_options options = {.threads = 1};
    struct fewest_error error;
    write_drawn(drawn, text);
    return generate_in_memory(text, strlen(text), METRIC_POWERS, &options, generated, &error)
               ? support_open(generated)
               : NULL;
}

static void list_moves(struct claim *claim)
{
    static struct sets_move moves[SETS_TWIN_POWERS];
    claim->move_count = sets_list_moves(&claim->drawn->view, false, moves);
    claim->moves = moves;
}

static void ask_about(const struct drawn *drawn, unsigned counts[SENTENCES])
{
    struct generated generated;
    struct fewest *table = open_drawn(drawn, &generated);
    struct claim claim = {.drawn = drawn};
    if (!table) {
        return;
    }
    struct twin_states *home = sets_measure(&drawn->view, drawn->view.solved, false);
    list_moves(&claim);
    if (fewest_info(table)->is_uncounted) {
        support_set(table, (struct fewest_options){.limit = SEARCH_LIMIT});
    }
    for (unsigned q = 0; q < QUERIES; q++) {
        memset(claim.wild_piece, false, sizeof claim.wild_piece);
        memset(claim.wild_turn, false, sizeof claim.wild_turn);
        draw_pair(&claim, home);
        if (!drawn->searched && support_happens(5)) {
            draw_wildcards(&claim);
        }
        counts[ask(table, &claim)]++;
    }
    twin_free(home);
    support_close(table, &generated);
}

Test(reasons, a_naive_search_proves_every_reason_of_random_puzzles, .timeout = 300)
{
    unsigned counts[SENTENCES] = {0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct drawn drawn;
        do {
            draw(&drawn);
        } while (sets_count_rows(&drawn.view) > ARRANGEMENTS_MOST);
        ask_about(&drawn, counts);
    }
    for (int sentence = 1; sentence < SENTENCES; sentence++) {
        cr_expect_gt(counts[sentence], 0, "sentence %d was never given", sentence);
    }
}

// ---- Negative controls ----

// A puzzle of one set with one move, which turns what leaves slots 1 and 2, and a query about it.
struct example {
    struct drawn drawn;
    struct claim claim;
};

static void make_example(struct example *example, bool turns, const char *solved, const char *start)
{
    struct drawn *drawn = &example->drawn;
    struct sets_puzzle *puzzle = &drawn->puzzle;
    *example = (struct example){.drawn = {.listed = 1}};
    sets_begin(puzzle);
    sets_add(puzzle, 4, turns ? 2 : 1);
    puzzle->move_count = 1;
    for (unsigned i = 0; i < 4; i++) {
        puzzle->piece[i] = (uint8_t)(solved[i] - '1');
        puzzle->moves[0].from[i] = (uint8_t)(3 - i);
        puzzle->moves[0].turn[i] = turns && i < 2;
        puzzle->ignored[i] = turns && i == 0;
        example->claim.start[i] = (uint8_t)(start[i] - '1');
    }
    memcpy(drawn->written, puzzle->piece, sizeof drawn->written);
    look(drawn);
    example->claim.drawn = drawn;
    memcpy(example->claim.target, drawn->view.solved, sizeof example->claim.target);
    list_moves(&example->claim);
}

static void make_alike(struct example *example)
{
    make_example(example, false, "1223", "2123");
}

static void make_ignoring(struct example *example)
{
    make_example(example, true, "1234", "4123");
}

static void expect_rejected(struct example *example, const char *const *sentences)
{
    struct twin_states *states = sets_measure(&example->drawn.view, example->claim.start, false);
    example->claim.states = states;
    for (; *sentences; sentences++) {
        cr_expect_eq(prove(&example->claim, *sentences), SAYS_NOTHING_TRUE, "%s", *sentences);
    }
    cr_expect_eq(prove(&example->claim, "no moves from START bring piece 1 to slot 1 of A"),
                 SAYS_NOT_BROUGHT);
    twin_free(states);
}

Test(reasons, false_and_unknown_sentences_are_no_theorems)
{
    static const char *const ALIKE[] = {
        "no move changes slot 2 of A, where START and TARGET differ",
        "no moves from START bring piece 2 to slot 2 of A",
        "no moves from START bring piece 1 to slot 4 of A",
        "the permutation of A from START to TARGET is odd, but that of every move is even",
        "the permutation from START to TARGET is odd, but every move is even",
        "START can reach 3 of the 12 arrangements, but not TARGET",
        "START can reach 2 of the 24 arrangements, but not TARGET",
        "3 of the 12 arrangements can reach TARGET, but not START",
        "START is illegal: slot 1 of A can't hold piece 2",
        "the moves connect START and TARGET",
        "in 1 move",
        "START and TARGET are not in the same orbit of the moves",
        "",
        NULL};
    static const char *const IGNORING[] = {
        "no move changes slot 1 of A, where START and TARGET differ",
        "no moves from START bring piece 2 to slot 2 of A",
        "no moves from START bring piece 1 to slot 1 of A, or so",
        "modulo 2, the orientations of A add up to 0 in START and to 1 in TARGET, but every move "
        "keeps their sum",
        "modulo 2, the orientations of A add up to 0 in START and to 0 in TARGET, but every move "
        "keeps their sum",
        "the permutation of slots 1, 4 of A from START to TARGET is odd, but that of every move is "
        "even",
        "the permutations of slots 1, 4 of A and slots 2-3 of A are both even or both odd in every "
        "move, but not from START to TARGET",
        NULL};
    struct example *example = malloc(sizeof *example);
    make_alike(example);
    expect_rejected(example, ALIKE);
    make_ignoring(example);
    expect_rejected(example, IGNORING);
    free(example);
}

// ---- Cases that had wrong reasons ----

// Asks, and proves the reason.
static void expect_sentence(const struct example *example, enum sentence expected)
{
    struct generated generated;
    struct claim claim = example->claim;
    struct fewest *table = open_drawn(&example->drawn, &generated);
    claim.drawn = &example->drawn;
    cr_assert_not_null(table);
    cr_expect_eq(ask(table, &claim), expected);
    support_close(table, &generated);
}

Test(reasons, a_move_that_exchanges_pieces_which_look_alike_changes_their_slots)
{
    struct example *example = malloc(sizeof *example);
    make_alike(example);
    expect_sentence(example, SAYS_NOT_BROUGHT);
    free(example);
    check_reason("Name r\nSet A 4 1\nSolved\nA\n1 2 2 3\nEnd\nMove M\nA\n4 3 2 1\nEnd\n", "2123",
                 "no moves from START bring piece 1 to slot 1 of A");
}

#define IGNORING                                                                                   \
    "Name r\nSet A 4 2\nSolved\nA\n1 2 3 4\n? 0 0 0\nEnd\n"                                        \
    "MoveTransformation M\nA\n3 2 1 0\n0 0 1 1\nEnd\n"

Test(reasons, a_piece_whose_orientation_does_not_count_has_a_place)
{
    static const char NOT_BROUGHT[] = "no moves from START bring piece 1 to slot 1 of A";
    struct example *example = malloc(sizeof *example);
    make_ignoring(example);
    expect_sentence(example, SAYS_NOT_BROUGHT);
    example->drawn.puzzle.illegal[0][1] = true;
    look(&example->drawn);
    expect_sentence(example, SAYS_NOT_BROUGHT);
    example->drawn.searched = true;
    example->drawn.named[0][0] = example->drawn.named[0][1] = true;
    expect_sentence(example, SAYS_NOT_BROUGHT);
    free(example);
    check_reason(IGNORING, "41230000", NOT_BROUGHT);
    check_reason(IGNORING "Illegal A 1 2\n", "41230000", NOT_BROUGHT);
    check_reason(IGNORING "Illegal A 1 2\nDatabase A 1 2\n", "41230000", NOT_BROUGHT);
}

Test(reasons, pieces_are_named_as_states_write_them)
{
    check_reason("Name r\nSet A 3 1\nLetters A x y z\nSolved\nEnd\nMove M\nA\n2 1 3\nEnd\n"
                 "Move N\nA\n1 2 3\nEnd\nIllegal A 3 1\n",
                 "xyz zyx", "TARGET is illegal: slot 3 of A can't hold piece x");
    check_reason("Name r\nSet A 4 1\nLetters A w x y z\nSolved\nEnd\nMove M\nA\n2 1 4 3\nEnd\n"
                 "Track 2 4\n",
                 "zxwy", "no moves from START bring piece . to slot 1 of A");
}

Test(reasons, slots_that_are_too_many_to_list_are_those_that_moves_connect)
{
    enum { SLOTS = 80, TEXT = 4096 };
    char *text = malloc(TEXT);
    char *query = malloc(TEXT);
    strcpy(text, "Name r\nSet A 80 1\nSet B 2 1\nSolved\nEnd\nMove M\nA\n(1");
    for (int i = 3; i < SLOTS - 1; i += 2) { // 39 slots, so the move is even
        sprintf(text + strlen(text), " %d", i);
    }
    strcat(text, ")\nEnd\nMove N\nB\n2 1\nEnd\n");
    strcpy(query, "3 2 1 ");
    for (int i = 4; i <= SLOTS; i++) {
        sprintf(query + strlen(query), "%d ", i);
    }
    strcat(query, "1 2");
    check_reason(text, query,
                 "the permutation of the slots of A that moves connect with slot 1 from START to "
                 "TARGET is odd, but that of every move is even");
    free(text);
    free(query);
}

// The permutation to the solved state is odd, and that to the goal is even.
Test(reasons, a_reason_holds_for_all_goals)
{
    check_reason("Name r\nSet A 4 1\nSolved\nEnd\nGoal\nA\n2 1 3 4\nEnd\nMove M\nA\n2 3 1 4\nEnd\n",
                 "1243", "START can reach 3 of the 24 arrangements, but no goal");
    // No moves bring piece 2 to slot 3, where Solved has it, nor to slot 1, where Goal has it.
    static const char ALIKE[] =
        "Name r\nSet A 6 1\nSolved\nA\n1 1 2 3 4 4\nEnd\nGoal\nA\n2 1 1 4 3 4\nEnd\n"
        "Move M\nA\n3 1 2 6 4 5\nEnd\n";
    check_reason(ALIKE, "114324", "3 of the 180 arrangements can reach a goal, but not START");
    check_reason(ALIKE, "114324 112344", "no moves from START bring piece 2 to slot 3 of A");
}

// Moves exchange two pieces in each of two neighbouring sets. So START is unreachable if the number
// of sets with an odd permutation is odd. There are 2^17 tuples of even and odd.
Test(reasons, the_signs_of_many_sets_tell_what_is_reachable)
{
    enum { TUPLE_SETS = 18, TEXT = 1 << 14 };
    char *text = malloc(TEXT);
    char *start = malloc(TEXT);
    strcpy(text, "Name r\n");
    strcpy(start, "21345");
    for (int s = 0; s < TUPLE_SETS; s++) {
        sprintf(text + strlen(text), "Set S%d_ 5 1\n", s);
    }
    strcat(text, "Solved\nEnd\nDatabase S0_ 1 2 3\n");
    for (int s = 0; s < TUPLE_SETS; s++) {
        sprintf(text + strlen(text), "Move C%d_\nS%d_\n2 3 4 5 1\nEnd\n", s, s);
        sprintf(text + strlen(text), "Move D%d_\nS%d_\n2 3 1 4 5\nEnd\n", s, s);
        if (s > 0) {
            sprintf(text + strlen(text), "Move E%d_\nS%d_\n2 1 3 4 5\nS%d_\n2 1 3 4 5\nEnd\n", s,
                    s - 1, s);
            strcat(start, " 12345");
        }
    }
    struct generated generated;
    struct fewest *table = support_open_text(text, &generated);
    struct query query;
    struct fewest_error error;
    struct fewest_parity parity;
    support_set(table, (struct fewest_options){.limit = 2});
    cr_assert(fewest_read_query(table, start, strlen(start), query.start, query.target, &error),
              "%s", error.text);
    cr_expect(fewest_parity(table, query.start, query.target, &parity, &error), "%s", error.text);
    cr_expect_not(parity.reachable);
    memcpy(start, "21345 21345", strlen("21345 21345"));
    cr_expect_str_eq(support_explain(table, start), "the moves connect START and TARGET");
    support_close(table, &generated);
    free(text);
    free(start);
}
