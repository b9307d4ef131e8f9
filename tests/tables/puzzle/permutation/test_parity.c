// The reason why no moves lead from one state to another.
#include "tests/tools/support.h"
#include "tests/twin/twin.h"

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
    struct generated generated = support_generate(definition, strlen(definition), METRIC_POWERS);
    struct fewest *table = support_open(&generated);
    struct query query;
    struct fewest_error error;
    struct fewest_parity parity;
    cr_assert(
        fewest_read_query(table, query_text, strlen(query_text), query.start, query.target, &error),
        "%s", error.text);
    cr_assert(fewest_parity(table, query.start, query.target, &parity, &error), "%s", error.text);
    cr_expect_str_eq(parity.reason, expected);
    cr_expect_eq(parity.reachable, strncmp(expected, "in ", 3) == 0);
    fewest_close(table);
    free(generated.bytes);
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

enum { POWERS_ROOM = 512, ARRANGEMENTS_MOST = 6000, QUERIES = 12, ROUNDS = 1500, SEARCH_LIMIT = 5 };

// A random puzzle and what its definition adds to the twin.
struct drawn {
    struct twin_puzzle puzzle;                // its moves are those that count
    int listed;                               // moves in the definition, those that count first
    struct twin_state written;                // `Solved`, before `Track` makes pieces alike
    bool named[TWIN_PIECES][TWIN_PIECES + 1]; // by set and piece: what `Track` or `Database` names
    bool tracks;
    bool searched;
    bool letters[TWIN_SETS];
};

static bool happens(unsigned once_in)
{
    return support_random_below(once_in) == 0;
}

static int below(int bound)
{
    return (int)support_random_below((unsigned)bound);
}

static int first_of(const struct twin_puzzle *puzzle, int set)
{
    int first = 0;
    for (int s = 0; s < set; s++) {
        first += puzzle->sets[s].pieces;
    }
    return first;
}

static int slot_count(const struct twin_puzzle *puzzle)
{
    return first_of(puzzle, puzzle->set_count);
}

static int set_at(const struct twin_puzzle *puzzle, int slot)
{
    int s = 0;
    while (slot >= first_of(puzzle, s + 1)) {
        s++;
    }
    return s;
}

// ---- What a typed state shows ----

static bool shows_pieces(const struct drawn *drawn, int set)
{
    int first = first_of(&drawn->puzzle, set);
    bool shows = false;
    for (int m = 0; m < drawn->listed; m++) {
        for (int i = 0; i < drawn->puzzle.sets[set].pieces; i++) {
            shows |= drawn->puzzle.moves[m].piece[first + i] != i + 1;
        }
    }
    return shows;
}

static bool is_ignored(const struct twin_puzzle *puzzle, int set, int piece)
{
    bool ignored = false;
    for (int i = first_of(puzzle, set); i < first_of(puzzle, set + 1); i++) {
        ignored |= puzzle->ignored[i] && puzzle->solved.piece[i] == piece;
    }
    return ignored;
}

static bool shows_turns(const struct drawn *drawn, int set)
{
    const struct twin_state *solved = &drawn->puzzle.solved;
    bool shows = false;
    for (int i = first_of(&drawn->puzzle, set); i < first_of(&drawn->puzzle, set + 1); i++) {
        for (int m = 0; m < drawn->listed; m++) {
            shows |= drawn->puzzle.moves[m].orientation[i] != 0;
        }
        // Pieces that differ only in their orientations: moving them shows.
        for (int j = first_of(&drawn->puzzle, set); j < i && shows_pieces(drawn, set); j++) {
            shows |= solved->piece[i] == solved->piece[j] &&
                     solved->orientation[i] != solved->orientation[j] &&
                     !is_ignored(&drawn->puzzle, set, solved->piece[i]);
        }
    }
    return shows;
}

// The orientation in a slot of a state, 0 if it does not count.
static int turn_at(const struct twin_puzzle *puzzle, const struct twin_state *state, int slot)
{
    return is_ignored(puzzle, set_at(puzzle, slot), state->piece[slot]) ? 0
                                                                        : state->orientation[slot];
}

static bool equal_at(const struct twin_puzzle *puzzle, const struct twin_state *a,
                     const struct twin_state *b, int slot)
{
    return a->piece[slot] == b->piece[slot] && turn_at(puzzle, a, slot) == turn_at(puzzle, b, slot);
}

static double count_arrangements(const struct drawn *drawn)
{
    const struct twin_puzzle *puzzle = &drawn->puzzle;
    double count = 1;
    for (int i = 0; i < slot_count(puzzle); i++) {
        int set = set_at(puzzle, i);
        int alike = 0;
        for (int j = first_of(puzzle, set); j <= i; j++) {
            alike += puzzle->solved.piece[j] == puzzle->solved.piece[i];
        }
        count *= shows_pieces(drawn, set) ? (i - first_of(puzzle, set) + 1.0) / alike : 1;
        count *= shows_turns(drawn, set) && !is_ignored(puzzle, set, puzzle->solved.piece[i])
                     ? puzzle->sets[set].orientations
                     : 1;
    }
    return count;
}

// ---- Drawing a puzzle ----

// Draws what the moves do to a set. They may keep its slots in two parts, or the sum of what they
// turn in each. An odd number of exchanges makes a move odd.
static void draw_moves(struct drawn *drawn, int set, const bool *odd)
{
    struct twin_set size = drawn->puzzle.sets[set];
    bool part[TWIN_PIECES];
    bool is_split = happens(2);
    bool is_permuted = !happens(6);
    bool is_turned = happens(2);
    bool keeps_sum = happens(2);
    int first = first_of(&drawn->puzzle, set);
    for (int i = 0; i < size.pieces; i++) {
        part[i] = is_split && happens(2);
    }
    for (int m = 0; m < drawn->listed; m++) {
        int *piece = drawn->puzzle.moves[m].piece + first;
        int *turn = drawn->puzzle.moves[m].orientation + first;
        int sum[2] = {0, 0};
        int last[2] = {0, 0};
        for (int i = 0; i < size.pieces; i++) {
            piece[i] = i + 1;
            turn[i] = is_turned && happens(2) ? below(size.orientations) : 0;
            sum[part[i]] += turn[i];
            last[part[i]] = i;
        }
        for (int p = 0; p < 2 && keeps_sum; p++) {
            turn[last[p]] =
                (turn[last[p]] + size.orientations * size.pieces - sum[p]) % size.orientations;
        }
        for (int n = odd[m] + 2 * below(3); n > 0 && is_permuted; n--) {
            int a = below(size.pieces);
            int b = below(size.pieces);
            for (int tries = 0; tries < 20 && (a == b || part[a] != part[b]); tries++) {
                b = below(size.pieces);
            }
            if (part[a] == part[b]) {
                int kept = piece[a];
                piece[a] = piece[b];
                piece[b] = kept;
            }
        }
    }
}

// Draws the solved state of a set.
static void draw_solved(struct drawn *drawn, int set, bool alike, bool ignores)
{
    struct twin_puzzle *puzzle = &drawn->puzzle;
    int pieces = puzzle->sets[set].pieces;
    int first = first_of(puzzle, set);
    int kinds = alike ? 2 + below(pieces - 1) : pieces;
    bool ignored[TWIN_PIECES + 1];
    for (int piece = 0; piece <= pieces; piece++) {
        ignored[piece] = ignores && happens(2);
    }
    for (int i = 0; i < pieces; i++) {
        int at = below(i + 1); // a random order
        puzzle->solved.piece[first + i] = puzzle->solved.piece[first + at];
        puzzle->solved.piece[first + at] = i < kinds ? i + 1 : 1 + below(kinds);
        puzzle->solved.orientation[first + i] = below(puzzle->sets[set].orientations);
    }
    for (int i = first; i < first + pieces; i++) {
        puzzle->ignored[i] = ignored[puzzle->solved.piece[i]];
    }
}

static void name_pieces(struct drawn *drawn)
{
    for (int s = 0; s < drawn->puzzle.set_count; s++) {
        for (int i = first_of(&drawn->puzzle, s); i < first_of(&drawn->puzzle, s + 1); i++) {
            int piece = drawn->puzzle.solved.piece[i];
            drawn->named[s][piece] = happens(2) || i == first_of(&drawn->puzzle, s);
        }
    }
}

// What `Track` does not name looks alike, and is printed as the lowest of these pieces.
static void track(struct drawn *drawn)
{
    struct twin_puzzle *puzzle = &drawn->puzzle;
    for (int i = 0; i < slot_count(puzzle); i++) {
        int s = set_at(puzzle, i);
        int lowest = 1;
        while (drawn->named[s][lowest]) {
            lowest++;
        }
        puzzle->ignored[i] = !drawn->named[s][puzzle->solved.piece[i]];
        puzzle->solved.piece[i] = puzzle->ignored[i] ? lowest : puzzle->solved.piece[i];
    }
}

static void forbid_some_pieces(struct twin_puzzle *puzzle)
{
    for (int n = 1 + below(3); n > 0; n--) {
        int slot = below(slot_count(puzzle));
        int set = set_at(puzzle, slot);
        int piece = puzzle->solved.piece[first_of(puzzle, set) + below(puzzle->sets[set].pieces)];
        puzzle->illegal[slot][piece] = puzzle->solved.piece[slot] != piece;
    }
}

static void draw(struct drawn *drawn)
{
    bool alike = happens(2);
    bool ignores = happens(3);
    bool in_step = happens(2);   // all sets are permuted oddly by the same moves
    bool is_plain = happens(10); // one set of different pieces, and even moves
    bool odd[TWIN_MOVES];
    *drawn = (struct drawn){.listed = 1 + below(3), .tracks = !is_plain && happens(4)};
    struct twin_puzzle *puzzle = &drawn->puzzle;
    puzzle->set_count = is_plain ? 1 : 1 + below(3);
    puzzle->powers = !happens(3);
    puzzle->move_count = happens(4) ? 1 + below(drawn->listed) : drawn->listed;
    for (int s = 0; s < puzzle->set_count; s++) {
        puzzle->sets[s] =
            (struct twin_set){is_plain ? 5 + below(2) : 2 + below(puzzle->set_count == 1 ? 5 : 3),
                              is_plain || happens(2) ? 1 : 2 + below(2)};
    }
    for (int s = 0; s < puzzle->set_count; s++) {
        for (int m = 0; m < drawn->listed; m++) {
            odd[m] = s > 0 && in_step ? odd[m] : !is_plain && happens(2);
            sprintf(puzzle->moves[m].name, "%c", 'M' + m);
        }
        draw_solved(drawn, s, alike && !is_plain && !drawn->tracks, ignores && !drawn->tracks);
        draw_moves(drawn, s, odd);
        drawn->letters[s] = happens(4);
    }
    drawn->written = puzzle->solved;
    name_pieces(drawn);
    if (drawn->tracks) {
        track(drawn);
        return;
    }
    drawn->searched = happens(3);
    if (happens(3)) {
        forbid_some_pieces(puzzle);
    }
}

// ---- Drawing states ----

// Any state that can be typed, legal or not.
static void draw_arrangement(const struct drawn *drawn, struct twin_state *state)
{
    const struct twin_puzzle *puzzle = &drawn->puzzle;
    *state = puzzle->solved;
    for (int i = 0; i < slot_count(puzzle); i++) {
        int set = set_at(puzzle, i);
        int other = first_of(puzzle, set) + below(i - first_of(puzzle, set) + 1);
        if (shows_pieces(drawn, set)) {
            struct twin_state kept = *state;
            state->piece[i] = kept.piece[other];
            state->piece[other] = kept.piece[i];
            state->orientation[i] = kept.orientation[other];
            state->orientation[other] = kept.orientation[i];
        }
    }
    for (int i = 0; i < slot_count(puzzle); i++) {
        if (shows_turns(drawn, set_at(puzzle, i))) {
            state->orientation[i] = below(puzzle->sets[set_at(puzzle, i)].orientations);
        }
    }
}

// Makes some moves, and then perhaps exchanges two pieces and turns one.
static void draw_disturbed(const struct drawn *drawn, const struct twin_state *from,
                           struct twin_state *state)
{
    const struct twin_puzzle *puzzle = &drawn->puzzle;
    struct twin_state moved = *from;
    for (int n = below(6); n > 0; n--) {
        struct twin_state next;
        twin_apply(puzzle, &puzzle->moves[below(puzzle->move_count)], &moved, &next);
        moved = twin_is_legal(puzzle, &next) ? next : moved;
    }
    int a = below(slot_count(puzzle));
    int set = set_at(puzzle, a);
    int b = first_of(puzzle, set) + below(puzzle->sets[set].pieces);
    *state = moved;
    if (shows_pieces(drawn, set) && happens(2)) {
        state->piece[a] = moved.piece[b];
        state->piece[b] = moved.piece[a];
        state->orientation[a] = moved.orientation[b];
        state->orientation[b] = moved.orientation[a];
    }
    if (shows_turns(drawn, set) && happens(2)) {
        state->orientation[b] = (state->orientation[b] + 1) % puzzle->sets[set].orientations;
    }
}

// ---- Text ----

static void append_number(char *text, int number)
{
    sprintf(text + strlen(text), "%d ", number);
}

// A piece or an orientation as it is typed.
static void append_value(const struct drawn *drawn, int set, bool is_turn, int value, char *text)
{
    bool letters = drawn->letters[set] && !(is_turn && shows_pieces(drawn, set));
    if (letters) {
        sprintf(text + strlen(text), "%c ", 'a' + value - !is_turn);
    } else {
        append_number(text, value);
    }
}

static void append_rows(const struct twin_puzzle *puzzle, const int *piece, const int *turn,
                        const bool *ignored, char *text)
{
    for (int s = 0; s < puzzle->set_count; s++) {
        sprintf(text + strlen(text), "%c\n", 'A' + s);
        for (int i = first_of(puzzle, s); i < first_of(puzzle, s + 1); i++) {
            append_number(text, piece[i]);
        }
        strcat(text, "\n");
        for (int i = first_of(puzzle, s); i < first_of(puzzle, s + 1); i++) {
            if (ignored && ignored[i]) {
                strcat(text, "? ");
            } else {
                append_number(text, turn[i]);
            }
        }
        strcat(text, "\n");
    }
    strcat(text, "End\n");
}

static void append_letters(const struct drawn *drawn, int set, char *text)
{
    const struct twin_puzzle *puzzle = &drawn->puzzle;
    int count = drawn->tracks ? puzzle->sets[set].pieces : 0;
    for (int i = first_of(puzzle, set); i < first_of(puzzle, set + 1); i++) {
        count = puzzle->solved.piece[i] > count ? puzzle->solved.piece[i] : count;
    }
    count = shows_pieces(drawn, set) ? count : puzzle->sets[set].orientations;
    sprintf(text + strlen(text), "Letters %c", 'A' + set);
    for (int i = 0; i < count; i++) {
        sprintf(text + strlen(text), " %c", 'a' + i);
    }
    strcat(text, "\n");
}

static void append_named(const struct drawn *drawn, char *text)
{
    strcat(text, drawn->tracks ? "Track" : "Database");
    for (int s = 0; s < drawn->puzzle.set_count; s++) {
        sprintf(text + strlen(text), " %c ", 'A' + s);
        for (int piece = 1; piece <= drawn->puzzle.sets[s].pieces; piece++) {
            if (drawn->named[s][piece]) {
                append_number(text, piece);
            }
        }
    }
    strcat(text, "\n");
}

static void write_drawn(const struct drawn *drawn, char *text)
{
    const struct twin_puzzle *puzzle = &drawn->puzzle;
    sprintf(text, "Name drawn\nPowers %s\n", puzzle->powers ? "all" : "none");
    for (int s = 0; s < puzzle->set_count; s++) {
        sprintf(text + strlen(text), "Set %c %d %d\n", 'A' + s, puzzle->sets[s].pieces,
                puzzle->sets[s].orientations);
        if (drawn->letters[s] && (shows_pieces(drawn, s) || shows_turns(drawn, s))) {
            append_letters(drawn, s, text);
        }
    }
    strcat(text, "Solved\n");
    append_rows(puzzle, drawn->written.piece, drawn->written.orientation,
                drawn->tracks ? NULL : puzzle->ignored, text);
    for (int m = 0; m < drawn->listed; m++) {
        sprintf(text + strlen(text), "Move %s\n", puzzle->moves[m].name);
        append_rows(puzzle, puzzle->moves[m].piece, puzzle->moves[m].orientation, NULL, text);
    }
    for (int i = 0; i < slot_count(puzzle); i++) {
        int s = set_at(puzzle, i);
        for (int piece = 1; piece <= puzzle->sets[s].pieces; piece++) {
            if (puzzle->illegal[i][piece]) {
                sprintf(text + strlen(text), "Illegal %c %d %d\n", 'A' + s,
                        i - first_of(puzzle, s) + 1, piece);
            }
        }
    }
    if (puzzle->move_count < drawn->listed) {
        strcat(text, "Generators");
        for (int m = 0; m < puzzle->move_count; m++) {
            sprintf(text + strlen(text), " %s", puzzle->moves[m].name);
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
    struct twin_state start;
    struct twin_state target;
    bool wild_piece[TWIN_PIECES]; // wildcards of the target
    bool wild_turn[TWIN_PIECES];
    const struct twin_world *world; // all states that moves lead to from START
    struct twin_move moves[POWERS_ROOM];
    int move_count;
};

static bool matches_target(const struct claim *claim, const struct twin_state *state)
{
    const struct twin_puzzle *puzzle = &claim->drawn->puzzle;
    bool matches = true;
    for (int i = 0; i < slot_count(puzzle); i++) {
        matches &= claim->wild_piece[i] || state->piece[i] == claim->target.piece[i];
        matches &= claim->wild_turn[i] || !shows_turns(claim->drawn, set_at(puzzle, i)) ||
                   is_ignored(puzzle, set_at(puzzle, i), state->piece[i]) ||
                   state->orientation[i] == claim->target.orientation[i];
    }
    return matches;
}

// A wildcard for an orientation that does not count is none.
static int count_wildcards(const struct claim *claim)
{
    const struct twin_puzzle *puzzle = &claim->drawn->puzzle;
    int count = 0;
    for (int i = 0; i < slot_count(puzzle); i++) {
        bool counts =
            claim->wild_piece[i] || !is_ignored(puzzle, set_at(puzzle, i), claim->target.piece[i]);
        count += claim->wild_piece[i] + (claim->wild_turn[i] && counts);
    }
    return count;
}

// The least number of moves to a state that matches TARGET, or -1.
static int distance_of(const struct claim *claim)
{
    for (size_t n = 0; n < twin_world_count(claim->world); n++) {
        const struct twin_state *state = twin_world_state(claim->world, n);
        if (matches_target(claim, state)) {
            return twin_world_distance(claim->world, state);
        }
    }
    return -1;
}

// ---- Reading sentences ----

static bool skip(const char **text, const char *words)
{
    bool found = strncmp(*text, words, strlen(words)) == 0;
    *text += found ? strlen(words) : 0;
    return found;
}

static bool read_number(const char **text, int *number)
{
    char *end;
    *number = (int)strtol(*text, &end, 10);
    bool found = end > *text;
    *text = end;
    return found;
}

static bool read_set(const char **text, const struct twin_puzzle *puzzle, int *set)
{
    *set = **text - 'A';
    bool found = *set >= 0 && *set < puzzle->set_count;
    *text += found;
    return found;
}

// "slot 3 of A"
static bool read_slot(const char **text, const struct twin_puzzle *puzzle, int *slot)
{
    int set;
    bool found = skip(text, "slot ") && read_number(text, slot) && skip(text, " of ") &&
                 read_set(text, puzzle, &set) && *slot >= 1 && *slot <= puzzle->sets[set].pieces;
    *slot += found ? first_of(puzzle, set) - 1 : 0;
    return found;
}

static void read_word(const char **text, char word[8])
{
    size_t length = strcspn(*text, " ");
    snprintf(word, 8, "%.*s", (int)length, *text);
    *text += length;
}

// The piece that is typed as this word in a slot, or 0.
static int typed_piece(const struct drawn *drawn, int slot, const char *word)
{
    int set = set_at(&drawn->puzzle, slot);
    for (int piece = 1; piece <= drawn->puzzle.sets[set].pieces; piece++) {
        char typed[16] = "";
        append_value(drawn, set, false, piece, typed);
        if (strncmp(typed, word, strlen(word)) == 0 && typed[strlen(word)] == ' ') {
            return piece;
        }
    }
    return 0;
}

// "1-3, 5 of A"
static bool read_list(const char **text, const struct twin_puzzle *puzzle, bool *part)
{
    int set;
    bool listed[TWIN_PIECES + 1] = {false};
    do {
        int from;
        if (!read_number(text, &from)) {
            return false;
        }
        int to = from;
        if (skip(text, "-") && !read_number(text, &to)) {
            return false;
        }
        for (int i = from; i <= to && i > 0 && i <= TWIN_PIECES; i++) {
            listed[i] = true;
        }
    } while (skip(text, ", "));
    if (!skip(text, " of ") || !read_set(text, puzzle, &set)) {
        return false;
    }
    for (int i = 1; i <= puzzle->sets[set].pieces; i++) {
        part[first_of(puzzle, set) + i - 1] = listed[i];
        listed[i] = false;
    }
    return !memchr(listed, true, sizeof listed); // no slot that is not there
}

// "the slots of A that moves connect with slot 3"
static bool read_connected(const char **text, const struct claim *claim, bool *part)
{
    const struct twin_puzzle *puzzle = &claim->drawn->puzzle;
    int set;
    int slot;
    if (!skip(text, "the slots of ") || !read_set(text, puzzle, &set) ||
        !skip(text, " that moves connect with slot ") || !read_number(text, &slot)) {
        return false;
    }
    int first = first_of(puzzle, set);
    part[first + slot - 1] = true;
    for (int round = 0; round < puzzle->sets[set].pieces; round++) {
        for (int m = 0; m < claim->move_count; m++) {
            for (int i = first; i < first + puzzle->sets[set].pieces; i++) {
                int before = first + claim->moves[m].piece[i] - 1;
                part[i] |= part[before];
                part[before] |= part[i];
            }
        }
    }
    return true;
}

// A set, or some of its slots.
static bool read_part(const char **text, const struct claim *claim, bool part[TWIN_PIECES])
{
    const struct twin_puzzle *puzzle = &claim->drawn->puzzle;
    int set;
    memset(part, false, TWIN_PIECES * sizeof *part);
    if (skip(text, "slots ")) {
        return read_list(text, puzzle, part);
    }
    if (read_connected(text, claim, part)) {
        return true;
    }
    bool found = read_set(text, puzzle, &set);
    for (int i = first_of(puzzle, found ? set : 0); found && i < first_of(puzzle, set + 1); i++) {
        part[i] = true;
    }
    return found;
}

// ---- Proofs: false if the sentence is another one, or not true ----

static bool proves_illegal(const struct claim *claim, const char *text)
{
    int slot;
    char word[8];
    bool of_start = skip(&text, "START");
    const struct twin_state *state = of_start ? &claim->start : &claim->target;
    if (!(of_start || skip(&text, "TARGET")) || !skip(&text, " is illegal: ") ||
        !read_slot(&text, &claim->drawn->puzzle, &slot) || !skip(&text, " can't hold piece ")) {
        return false;
    }
    read_word(&text, word);
    return !*text && (of_start || !claim->wild_piece[slot]) &&
           state->piece[slot] == typed_piece(claim->drawn, slot, word) &&
           claim->drawn->puzzle.illegal[slot][state->piece[slot]];
}

// Makes every move in every state that START leads to, and looks at the slot.
static bool proves_unchanged(const struct claim *claim, const char *text)
{
    const struct twin_puzzle *puzzle = &claim->drawn->puzzle;
    int slot;
    if (!skip(&text, "no move changes ") || !read_slot(&text, puzzle, &slot) ||
        strcmp(text, ", where START and TARGET differ") != 0 || count_wildcards(claim) > 0 ||
        equal_at(puzzle, &claim->start, &claim->target, slot)) {
        return false;
    }
    for (size_t n = 0; n < twin_world_count(claim->world); n++) {
        for (int m = 0; m < claim->move_count; m++) {
            struct twin_state moved;
            twin_apply(puzzle, &claim->moves[m], twin_world_state(claim->world, n), &moved);
            if (!equal_at(puzzle, &moved, &claim->start, slot)) {
                return false;
            }
        }
    }
    return true;
}

static bool proves_not_brought(const struct claim *claim, const char *text)
{
    int slot;
    char word[8];
    if (!skip(&text, "no moves from START bring piece ")) {
        return false;
    }
    read_word(&text, word);
    if (!skip(&text, " to ") || !read_slot(&text, &claim->drawn->puzzle, &slot) || *text ||
        claim->wild_piece[slot]) {
        return false;
    }
    int piece = typed_piece(claim->drawn, slot, word);
    bool comes = false;
    for (size_t n = 0; n < twin_world_count(claim->world); n++) {
        comes |= twin_world_state(claim->world, n)->piece[slot] == piece;
    }
    return !comes && piece == claim->target.piece[slot];
}

static int sum_of(const struct twin_puzzle *puzzle, const struct twin_state *state,
                  const bool *part, int modulus)
{
    int sum = 0;
    for (int i = 0; i < slot_count(puzzle); i++) {
        sum += part[i] ? turn_at(puzzle, state, i) : 0;
    }
    return sum % modulus;
}

// Makes every move in the states that START leads to, and in some others.
static bool keep_sum(const struct claim *claim, const bool *part, int modulus)
{
    enum { OTHERS = 20 };
    const struct twin_puzzle *puzzle = &claim->drawn->puzzle;
    size_t count = twin_world_count(claim->world);
    for (size_t n = 0; n < count + OTHERS; n++) {
        struct twin_state state;
        struct twin_state moved;
        if (n < count) {
            state = *twin_world_state(claim->world, n);
        } else {
            draw_arrangement(claim->drawn, &state);
        }
        for (int m = 0; m < claim->move_count; m++) {
            twin_apply(puzzle, &claim->moves[m], &state, &moved);
            if (sum_of(puzzle, &moved, part, modulus) != sum_of(puzzle, &state, part, modulus)) {
                return false;
            }
        }
    }
    return true;
}

static bool proves_sum(const struct claim *claim, const char *text)
{
    const struct twin_puzzle *puzzle = &claim->drawn->puzzle;
    bool part[TWIN_PIECES];
    int modulus;
    int start;
    int target;
    if (!skip(&text, "modulo ") || !read_number(&text, &modulus) || modulus < 2 ||
        !skip(&text, ", the orientations of ") || !read_part(&text, claim, part) ||
        !skip(&text, " add up to ") || !read_number(&text, &start) ||
        !skip(&text, " in START and to ") || !read_number(&text, &target) ||
        strcmp(text, " in TARGET, but every move keeps their sum") != 0) {
        return false;
    }
    return start != target && count_wildcards(claim) == 0 &&
           sum_of(puzzle, &claim->start, part, modulus) == start &&
           sum_of(puzzle, &claim->target, part, modulus) == target &&
           keep_sum(claim, part, modulus);
}

// Is a permutation of some slots odd? from[i]: where slot i takes its piece. -1: it is none.
static int parity_of(const int *from, const bool *part)
{
    bool seen[TWIN_PIECES] = {false};
    int moved = 0; // slots minus cycles
    for (int i = 0; i < TWIN_PIECES; i++) {
        for (int at = i; part[i] && !seen[at]; at = from[at]) {
            seen[at] = true;
            if (from[at] < 0 || !part[from[at]]) {
                return -1;
            }
            moved += !seen[from[at]];
        }
    }
    for (int i = 0; i < TWIN_PIECES; i++) {
        for (int j = 0; j < i; j++) {
            if (part[i] && part[j] && from[i] == from[j]) {
                return -1;
            }
        }
    }
    return moved % 2;
}

static int parity_between(const struct twin_puzzle *puzzle, const struct twin_state *a,
                          const struct twin_state *b, const bool *part)
{
    int from[TWIN_PIECES];
    for (int i = 0; i < slot_count(puzzle); i++) {
        from[i] = -1;
        for (int j = 0; j < slot_count(puzzle); j++) {
            if (part[j] && set_at(puzzle, j) == set_at(puzzle, i) && a->piece[j] == b->piece[i]) {
                from[i] = from[i] < 0 ? j : TWIN_PIECES; // no permutation if two look alike
            }
        }
        from[i] = from[i] == TWIN_PIECES ? -1 : from[i];
    }
    return parity_of(from, part);
}

static int parity_of_move(const struct twin_puzzle *puzzle, const struct twin_move *move,
                          const bool *part)
{
    int from[TWIN_PIECES];
    for (int i = 0; i < slot_count(puzzle); i++) {
        from[i] = first_of(puzzle, set_at(puzzle, i)) + move->piece[i] - 1;
    }
    return parity_of(from, part);
}

// Is every move even on the slots of `part` or, if there are two parts, on both or none? And so is
// every state that START leads to.
static bool keep_parity(const struct claim *claim, const bool *part, const bool *other)
{
    const struct twin_puzzle *puzzle = &claim->drawn->puzzle;
    for (int m = 0; m < claim->move_count; m++) {
        int a = parity_of_move(puzzle, &claim->moves[m], part);
        int b = other ? parity_of_move(puzzle, &claim->moves[m], other) : 0;
        if (a < 0 || a != b) {
            return false;
        }
    }
    for (size_t n = 0; n < twin_world_count(claim->world); n++) {
        const struct twin_state *state = twin_world_state(claim->world, n);
        int a = parity_between(puzzle, &claim->start, state, part);
        int b = other ? parity_between(puzzle, &claim->start, state, other) : 0;
        if (a < 0 || a != b) {
            return false;
        }
    }
    return true;
}

static bool proves_odd(const struct claim *claim, const char *text)
{
    bool part[TWIN_PIECES];
    return skip(&text, "the permutation of ") && read_part(&text, claim, part) &&
           strcmp(text, " from START to TARGET is odd, but that of every move is even") == 0 &&
           count_wildcards(claim) == 0 &&
           parity_between(&claim->drawn->puzzle, &claim->start, &claim->target, part) == 1 &&
           keep_parity(claim, part, NULL);
}

static bool proves_odd_pair(const struct claim *claim, const char *text)
{
    const struct twin_puzzle *puzzle = &claim->drawn->puzzle;
    bool part[TWIN_PIECES];
    bool other[TWIN_PIECES];
    if (!skip(&text, "the permutations of ") || !read_part(&text, claim, part) ||
        !skip(&text, " and ") || !read_part(&text, claim, other) ||
        strcmp(text, " are both even or both odd in every move, but not from START to TARGET") !=
            0 ||
        count_wildcards(claim) > 0) {
        return false;
    }
    int a = parity_between(puzzle, &claim->start, &claim->target, part);
    int b = parity_between(puzzle, &claim->start, &claim->target, other);
    return a >= 0 && b >= 0 && a != b && keep_parity(claim, part, other);
}

// The slots of the only set that a state shows; false if it shows more than the places of pieces.
static bool find_only_part(const struct claim *claim, bool part[TWIN_PIECES])
{
    const struct drawn *drawn = claim->drawn;
    int shown = 0;
    memset(part, false, TWIN_PIECES * sizeof *part);
    for (int s = 0; s < drawn->puzzle.set_count; s++) {
        shown += shows_pieces(drawn, s) + 2 * shows_turns(drawn, s);
        for (int i = first_of(&drawn->puzzle, s); i < first_of(&drawn->puzzle, s + 1); i++) {
            part[i] = shows_pieces(drawn, s);
        }
    }
    return shown == 1;
}

// Replaces the only wildcard by the piece that is missing.
static bool fill_target(const struct claim *claim, struct twin_state *filled)
{
    const struct twin_puzzle *puzzle = &claim->drawn->puzzle;
    *filled = claim->target;
    for (int i = 0; i < slot_count(puzzle); i++) {
        for (int j = 0; j < slot_count(puzzle) && claim->wild_piece[i]; j++) {
            bool missing = set_at(puzzle, j) == set_at(puzzle, i);
            for (int k = 0; k < slot_count(puzzle); k++) {
                missing &= k == i || set_at(puzzle, k) != set_at(puzzle, i) ||
                           claim->target.piece[k] != claim->start.piece[j];
            }
            filled->piece[i] = missing ? claim->start.piece[j] : filled->piece[i];
        }
    }
    return count_wildcards(claim) <= 1;
}

static bool proves_all_odd(const struct claim *claim, const char *text)
{
    bool part[TWIN_PIECES];
    struct twin_state filled;
    return strcmp(text, "the permutation from START to TARGET is odd, but every move is even") ==
               0 &&
           find_only_part(claim, part) && fill_target(claim, &filled) &&
           parity_between(&claim->drawn->puzzle, &claim->start, &filled, part) == 1 &&
           keep_parity(claim, part, NULL);
}

// Are all even permutations reached, and no others?
static bool reaches_all_even(const struct claim *claim, const bool *part)
{
    return keep_parity(claim, part, NULL) &&
           (double)twin_world_count(claim->world) * 2 == count_arrangements(claim->drawn);
}

static bool proves_all_even(const struct claim *claim, const char *text)
{
    bool part[TWIN_PIECES];
    struct twin_state filled;
    return strcmp(text, "the permutation from START to TARGET is even, and so is every move") ==
               0 &&
           find_only_part(claim, part) && fill_target(claim, &filled) &&
           parity_between(&claim->drawn->puzzle, &claim->start, &filled, part) == 0 &&
           reaches_all_even(claim, part);
}

// If there are two wildcards, exchanging what fills them makes any permutation even.
static bool proves_filled(const struct claim *claim, const char *text)
{
    bool part[TWIN_PIECES];
    int wild;
    if (!skip(&text, "the ") || !read_number(&text, &wild) ||
        !skip(&text, " wildcards can be filled so that the permutation is even, ") || wild < 2 ||
        wild != count_wildcards(claim) || !find_only_part(claim, part) ||
        parity_between(&claim->drawn->puzzle, &claim->start, &claim->start, part) != 0) {
        return false;
    }
    return strcmp(text, "and every move is even") == 0
               ? reaches_all_even(claim, part)
               : strcmp(text, "but no moves lead to such a state") == 0 && distance_of(claim) < 0;
}

static bool proves_moves(const struct claim *claim, const char *text)
{
    int moves;
    return skip(&text, "in ") && read_number(&text, &moves) && moves >= 0 &&
           moves == distance_of(claim) && strcmp(text, moves == 1 ? " move" : " moves") == 0;
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
    int all;
    return skip(text, " of the ") && read_number(text, &all) &&
           all == count_arrangements(claim->drawn) && skip(text, " arrangements");
}

static bool proves_from_start(const struct claim *claim, const char *text)
{
    int count;
    return skip(&text, "START can reach ") && read_number(&text, &count) &&
           (size_t)count == twin_world_count(claim->world) && skip_all_arrangements(claim, &text) &&
           strcmp(text, ", but not TARGET") == 0 && distance_of(claim) < 0;
}

// Undoes moves from TARGET.
static size_t count_sources(const struct claim *claim)
{
    struct twin_puzzle back = claim->drawn->puzzle;
    for (int m = 0; m < back.move_count; m++) {
        const struct twin_move *move = &claim->drawn->puzzle.moves[m];
        for (int i = 0; i < slot_count(&back); i++) {
            int set = set_at(&back, i);
            int before = first_of(&back, set) + move->piece[i] - 1;
            back.moves[m].piece[before] = i - first_of(&back, set) + 1;
            back.moves[m].orientation[i] =
                (back.sets[set].orientations - move->orientation[before]) %
                back.sets[set].orientations;
        }
    }
    struct twin_world *world = twin_explore(&back, &claim->target);
    size_t count = twin_world_count(world);
    twin_world_free(world);
    return count;
}

static bool proves_to_target(const struct claim *claim, const char *text)
{
    int count;
    return read_number(&text, &count) && skip_all_arrangements(claim, &text) &&
           strcmp(text, " can reach TARGET, but not START") == 0 && distance_of(claim) < 0 &&
           count_wildcards(claim) == 0 && (size_t)count == count_sources(claim);
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

static void draw_pair(struct claim *claim, const struct twin_world *home)
{
    const struct drawn *drawn = claim->drawn;
    const struct twin_puzzle *puzzle = &drawn->puzzle;
    int choice = below(3);
    claim->start = puzzle->solved;
    if (choice == 0) {
        claim->start =
            *twin_world_state(home, support_random_below((unsigned)twin_world_count(home)));
    } else if (choice == 1) {
        draw_arrangement(drawn, &claim->start);
    }
    claim->target = puzzle->solved;
    choice = below(4);
    if (choice == 0) {
        draw_arrangement(drawn, &claim->target);
    } else if (choice == 1) {
        draw_disturbed(drawn, &claim->start, &claim->target);
    }
    if (happens(3)) { // a start near the target
        draw_disturbed(drawn, &claim->target, &claim->start);
    }
}

static void write_state(const struct claim *claim, bool is_target, char *text)
{
    const struct drawn *drawn = claim->drawn;
    const struct twin_state *state = is_target ? &claim->target : &claim->start;
    for (int s = 0; s < drawn->puzzle.set_count; s++) {
        for (int turn = 0; turn < 2; turn++) {
            const bool *wild = turn ? claim->wild_turn : claim->wild_piece;
            const int *value = turn ? state->orientation : state->piece;
            bool shows = turn ? shows_turns(drawn, s) : shows_pieces(drawn, s);
            for (int i = first_of(&drawn->puzzle, s); shows && i < first_of(&drawn->puzzle, s + 1);
                 i++) {
                if (is_target && wild[i]) {
                    strcat(text, "* ");
                } else {
                    append_value(drawn, s, turn, value[i], text);
                }
            }
        }
    }
}

static void draw_wildcards(struct claim *claim)
{
    const struct drawn *drawn = claim->drawn;
    unsigned once_in = 1 + support_random_below(6);
    for (int i = 0; i < slot_count(&drawn->puzzle); i++) {
        int set = set_at(&drawn->puzzle, i);
        claim->wild_piece[i] = shows_pieces(drawn, set) && happens(once_in);
        claim->wild_turn[i] = shows_turns(drawn, set) && happens(once_in);
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
    struct twin_world *world = twin_explore(&claim->drawn->puzzle, &claim->start);
    claim->world = world;
    cr_assert_eq(parity.reachable, distance_of(claim) >= 0, "%s: %s in\n%s", text, parity.reason,
                 fewest_info(table)->definition);
    enum sentence sentence = prove(claim, parity.reason);
    cr_assert_neq(sentence, SAYS_NOTHING_TRUE, "%s: %s in\n%s", text, parity.reason,
                  fewest_info(table)->definition);
    // No law tells START from a state that it leads to.
    if (!parity.reachable && sentence != SAYS_ILLEGAL) {
        struct claim other = *claim;
        other.target =
            *twin_world_state(world, support_random_below((unsigned)twin_world_count(world)));
        memset(other.wild_piece, false, sizeof other.wild_piece);
        memset(other.wild_turn, false, sizeof other.wild_turn);
        cr_assert_eq(prove(&other, parity.reason), SAYS_NOTHING_TRUE, "%s: %s in\n%s", text,
                     parity.reason, fewest_info(table)->definition);
    }
    twin_world_free(world);
    return sentence;
}

static struct fewest *open_drawn(const struct drawn *drawn, struct generated *generated)
{
    static char text[8192];
    struct search_options options = {.threads = 1};
    struct fewest_error error;
    write_drawn(drawn, text);
    return generate_in_memory(text, strlen(text), METRIC_POWERS, &options, generated, &error)
               ? support_open(generated)
               : NULL;
}

static void ask_about(const struct drawn *drawn, unsigned counts[SENTENCES])
{
    struct generated generated;
    struct fewest *table = open_drawn(drawn, &generated);
    struct claim claim = {.drawn = drawn};
    if (!table) {
        return;
    }
    struct twin_world *home = twin_explore(&drawn->puzzle, &drawn->puzzle.solved);
    size_t moves = twin_all_moves(&drawn->puzzle, claim.moves, POWERS_ROOM);
    cr_assert_leq(moves, POWERS_ROOM);
    claim.move_count = (int)moves;
    if (fewest_info(table)->is_uncounted) {
        support_set(table, (struct fewest_options){.limit = SEARCH_LIMIT});
    }
    for (unsigned q = 0; q < QUERIES; q++) {
        memset(claim.wild_piece, false, sizeof claim.wild_piece);
        memset(claim.wild_turn, false, sizeof claim.wild_turn);
        draw_pair(&claim, home);
        if (!drawn->searched && happens(5)) {
            draw_wildcards(&claim);
        }
        counts[ask(table, &claim)]++;
    }
    twin_world_free(home);
    fewest_close(table);
    free(generated.bytes);
}

Test(reasons, a_naive_search_proves_every_reason_of_random_puzzles, .timeout = 300)
{
    unsigned counts[SENTENCES] = {0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct drawn drawn;
        do {
            draw(&drawn);
        } while (count_arrangements(&drawn) > ARRANGEMENTS_MOST);
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

static void make_example(struct example *example, bool turns, const int *solved, const int *start)
{
    struct twin_puzzle *puzzle = &example->drawn.puzzle;
    *example = (struct example){.drawn = {.listed = 1}};
    puzzle->set_count = 1;
    puzzle->move_count = 1;
    puzzle->powers = true;
    puzzle->sets[0] = (struct twin_set){4, turns ? 2 : 1};
    strcpy(puzzle->moves[0].name, "M");
    for (int i = 0; i < 4; i++) {
        puzzle->solved.piece[i] = solved[i];
        puzzle->moves[0].piece[i] = 4 - i;
        puzzle->moves[0].orientation[i] = turns && i < 2;
        puzzle->ignored[i] = turns && i == 0;
        example->claim.start.piece[i] = start[i];
    }
    example->drawn.written = puzzle->solved;
    example->claim.drawn = &example->drawn;
    example->claim.target = puzzle->solved;
    example->claim.move_count = (int)twin_all_moves(puzzle, example->claim.moves, POWERS_ROOM);
}

static void make_alike(struct example *example)
{
    make_example(example, false, (const int[]){1, 2, 2, 3}, (const int[]){2, 1, 2, 3});
}

static void make_ignoring(struct example *example)
{
    make_example(example, true, (const int[]){1, 2, 3, 4}, (const int[]){4, 1, 2, 3});
}

static void expect_rejected(struct example *example, const char *const *sentences)
{
    struct twin_world *world = twin_explore(&example->drawn.puzzle, &example->claim.start);
    example->claim.world = world;
    for (; *sentences; sentences++) {
        cr_expect_eq(prove(&example->claim, *sentences), SAYS_NOTHING_TRUE, "%s", *sentences);
    }
    cr_expect_eq(prove(&example->claim, "no moves from START bring piece 1 to slot 1 of A"),
                 SAYS_NOT_BROUGHT);
    twin_world_free(world);
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
    fewest_close(table);
    free(generated.bytes);
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
    example->drawn.puzzle.illegal[0][2] = true;
    expect_sentence(example, SAYS_NOT_BROUGHT);
    example->drawn.searched = true;
    example->drawn.named[0][1] = example->drawn.named[0][2] = true;
    expect_sentence(example, SAYS_NOT_BROUGHT);
    free(example);
    check_reason(IGNORING, "41230000", NOT_BROUGHT);
    check_reason(IGNORING "Illegal A 1 2\n", "41230000", NOT_BROUGHT);
    check_reason(IGNORING "Illegal A 1 2\nDatabase A 1 2\n", "41230000", NOT_BROUGHT);
}

Test(reasons, pieces_are_named_as_they_are_typed)
{
    check_reason("Name r\nSet A 3 1\nLetters A x y z\nSolved\nEnd\nMove M\nA\n2 1 3\nEnd\n"
                 "Move N\nA\n1 2 3\nEnd\nIllegal A 3 1\n",
                 "xyz zyx", "TARGET is illegal: slot 3 of A can't hold piece x");
    check_reason("Name r\nSet A 4 1\nLetters A w x y z\nSolved\nEnd\nMove M\nA\n2 1 4 3\nEnd\n"
                 "Track 2 4\n",
                 "zxwy", "no moves from START bring piece w to slot 1 of A");
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
    struct generated generated = support_generate(text, strlen(text), METRIC_POWERS);
    struct fewest *table = support_open(&generated);
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
    fewest_close(table);
    free(generated.bytes);
    free(text);
    free(start);
}
