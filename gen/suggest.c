// Chooses pattern databases by trial: it adds `Database` lines to the definition, compiles it, and
// forecasts the costs.
//
// A search of a permutation puzzle uses the largest bound of all databases, so a few large ones are
// better than many small ones. Each is the largest that fits into the memory that is left, and
// takes at most half of all. First each set gets a database, and then the pieces that are in none.
// Small sets share their databases.
//
// On a sliding board the bounds add up, so each tile must be in one database. The tiles are cut
// along a path through the board, into pieces as long as the memory allows.
#include "suggest.h"

#include "definition/definition.h"
#include "forecast.h"
#include "program/command_line.h"
#include "puzzle/compile.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A database with less than this share of the states of another rarely has the larger bound.
static const uint64_t SMALL_SHARE = 1000;

struct named_piece {
    unsigned set;
    unsigned number; // from 0
};

// The cost of a table with certain databases and no others.
struct cost {
    uint64_t states;                    // of all
    uint64_t states_of[DATABASES_MOST]; // by database
    uint64_t memory;                    // bytes that the run takes
    uint64_t waiting;                   // of these: the entries that wait for packing
    uint64_t held;  // bytes of the entries while they wait, or unpacked for a query
    double seconds; // on one thread
};

// A run of pieces for a database.
struct choice {
    const struct named_piece *pieces;
    unsigned count; // 0: nothing fits
    struct cost cost;
};

// Databases take these pieces in order. All belong to one large set, or to several small sets.
struct supply {
    const struct named_piece *pieces;
    unsigned count;
    unsigned covered; // this many pieces, from the first, are in a database
    unsigned slots;
    unsigned orientations;
    struct cost whole;    // of a database with all pieces; its `states` is 0 if it does not fit
    struct choice choice; // the next database
};

struct suggester {
    const struct suggest_request *request;
    const struct definition *definition;
    struct named_piece *pieces; // of all sets, and once more of those that share a supply
    struct supply *supplies;
    unsigned supply_count;
    struct choice databases[DATABASES_MOST];
    unsigned database_count;
    struct fewest_error *error;
};

enum trial {
    TRIAL_DONE,
    TRIAL_TOO_LARGE,
    TRIAL_FAILED, // *error tells why
};

// ---- Trials -------------------------------------------------------------------------------------

static void count_entries(const struct puzzle *puzzle, struct cost *cost)
{
    unsigned count =
        puzzle->projection_count > 0 ? puzzle->projection_count : puzzle->partition.count;
    for (unsigned d = 0; d < count; d++) {
        cost->states_of[d] = puzzle->projection_count > 0
                                 ? puzzle->projections[d].numbering.state_count
                                 : puzzle->partition.databases[d].entries;
        cost->states += cost->states_of[d];
    }
}

// The bytes of unpacked entries. Nearly all have a nibble each.
static uint64_t unpacked_bytes(uint64_t states)
{
    return states / 2 + states % 2;
}

static bool is_stopped(const struct search_options *options)
{
    return options->stopped && options->stopped(options->context);
}

// Compiles the definition with more lines.
static bool compile_lines(const struct suggest_request *request, const char *lines,
                          struct puzzle *puzzle, struct fewest_error *error)
{
    size_t more = strlen(lines);
    char *text = malloc(request->length + 1 + more + 1);
    if (!text) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory for the definition");
    }
    memcpy(text, request->text, request->length);
    text[request->length] = '\n';
    memcpy(text + request->length + 1, lines, more + 1);
    bool done =
        puzzle_compile(puzzle, text, request->length + 1 + more, request->puzzle->metric, error);
    free(text);
    return done;
}

// Fills in the costs of a puzzle, if they keep to the limit.
static enum trial forecast_trial(const struct suggest_request *request, struct puzzle *puzzle,
                                 struct cost *cost, struct fewest_error *error)
{
    struct cost found = {.states = 0};
    count_entries(puzzle, &found);
    if (unpacked_bytes(found.states) > request->memory) {
        return TRIAL_TOO_LARGE;
    }
    if (!puzzle_prepare(puzzle, error)) {
        return TRIAL_FAILED;
    }
    struct forecast forecast = forecast_costs(puzzle, request->options, 1, request->length);
    if (forecast.memory > request->memory) {
        return TRIAL_TOO_LARGE;
    }
    uint64_t unpacked = unpacked_bytes(found.states);
    found.memory = forecast.memory;
    found.waiting = forecast.waiting;
    found.held = unpacked > forecast.waiting ? unpacked : forecast.waiting;
    found.seconds = forecast.seconds;
    *cost = found;
    return TRIAL_DONE;
}

// Forecasts the costs of the definition with more lines.
static enum trial try_lines(const struct suggest_request *request, const char *lines,
                            struct cost *cost, struct fewest_error *error)
{
    struct puzzle puzzle;
    if (is_stopped(request->options)) {
        error_write(error, FEWEST_STOPPED, "stopped");
        return TRIAL_FAILED;
    }
    if (!compile_lines(request, lines, &puzzle, error)) {
        return error->status == FEWEST_BEYOND ? TRIAL_TOO_LARGE : TRIAL_FAILED;
    }
    enum trial trial = forecast_trial(request, &puzzle, cost, error);
    puzzle_free(&puzzle);
    return trial;
}

// ---- The lines ----------------------------------------------------------------------------------

static bool has_piece(const struct choice *choice, unsigned set, unsigned number)
{
    for (unsigned i = 0; i < choice->count; i++) {
        if (choice->pieces[i].set == set && choice->pieces[i].number == number) {
            return true;
        }
    }
    return false;
}

// Writes a `Database` line or, for a shell, a --database option. The pieces of a set are in rising
// order.
static void write_database(const struct definition *definition, const struct choice *choice,
                           bool is_option, FILE *out)
{
    const char *space = "";
    fputs(is_option ? " --database '" : "Database ", out);
    for (unsigned i = 0; i < choice->count; i++) {
        unsigned s = choice->pieces[i].set;
        const struct piece_set *set = &definition->sets[s];
        if (i > 0 && choice->pieces[i - 1].set == s) {
            continue;
        }
        for (const char *c = set->name; *c && definition->set_count > 1; c++) {
            fprintf(out, "%s%s", space, is_option && *c == '\'' ? "'\\''" : (char[]){*c, '\0'});
            space = c[1] ? "" : " ";
        }
        for (unsigned number = 0; number < set->pieces; number++) {
            if (has_piece(choice, s, number)) {
                fprintf(out, "%s%u", space, number + set->least);
                space = " ";
            }
        }
    }
    fputs(is_option ? "'" : "\n", out);
}

static enum trial try_databases(struct suggester *suggester, const struct choice *databases,
                                unsigned count, struct cost *cost)
{
    char *lines = NULL;
    size_t length;
    FILE *out = open_memstream(&lines, &length);
    for (unsigned d = 0; d < count && out; d++) {
        write_database(suggester->definition, &databases[d], false, out);
    }
    if (!out || fclose(out) != 0) {
        free(lines);
        error_write(suggester->error, FEWEST_SYSTEM, "not enough memory for the definition");
        return TRIAL_FAILED;
    }
    enum trial trial = try_lines(suggester->request, lines, cost, suggester->error);
    free(lines);
    return trial;
}

static void print_databases(const struct suggester *suggester, const struct cost *whole,
                            unsigned left)
{
    char size[SIZE_TEXT];
    char time[TIME_SIZE];
    unsigned threads = suggester->request->options->threads;
    bool has_lines = !suggester->request->command;
    printf("%s# Pattern databases for %s, within %s: states, memory of a search, time to make.\n",
           has_lines ? "\n" : "", suggester->definition->name,
           size_write(suggester->request->memory, size));
    for (unsigned d = 0; d < suggester->database_count; d++) {
        const struct choice *database = &suggester->databases[d];
        printf("# %llu states, %s, about %s\n", (unsigned long long)database->cost.states,
               size_write(unpacked_bytes(database->cost.states), size),
               write_time(database->cost.seconds / threads, time));
        if (has_lines) {
            write_database(suggester->definition, database, false, stdout);
        }
    }
    if (left > 0) {
        printf("# %u piece%s in no database.\n", left, left == 1 ? " is" : "s are");
    }
    printf("# All: %llu states, %s, about %s", (unsigned long long)whole->states,
           size_write(unpacked_bytes(whole->states), size),
           write_time(whole->seconds / threads, time));
    printf(" on %u thread%s; fewest-gen needs %s.\n", threads, threads == 1 ? "" : "s",
           size_write(whole->memory, size));
    if (!has_lines) {
        fputs(suggester->request->command, stdout);
        for (unsigned d = 0; d < suggester->database_count; d++) {
            write_database(suggester->definition, &suggester->databases[d], true, stdout);
        }
        putchar('\n');
    }
}

static bool refuse_memory(const struct suggester *suggester)
{
    char size[SIZE_TEXT];
    return error_set(suggester->error, FEWEST_BEYOND,
                     "no pattern database of %s can be made with %s of memory; allow more with "
                     "--memory",
                     suggester->definition->name, size_write(suggester->request->memory, size));
}

// ---- Sliding boards -----------------------------------------------------------------------------

static void reverse_pieces(struct named_piece *pieces, unsigned count)
{
    for (unsigned i = 0; i < count / 2; i++) {
        struct named_piece other = pieces[count - 1 - i];
        pieces[count - 1 - i] = pieces[i];
        pieces[i] = other;
    }
}

// Lists the tiles along a path through all cells. The path goes to and fro along the shortest sides
// of the board, so that tiles that are near on the path are near on the board. It begins far from
// the blank, so that full lines come first.
static unsigned list_tiles(const struct definition *definition, struct named_piece *tiles)
{
    unsigned size[3] = {definition->columns, definition->rows, definition->layers};
    unsigned weight[3] = {1, size[0], size[0] * size[1]};
    unsigned axis[3] = {0, 1, 2};
    unsigned count = 0;
    unsigned blank = 0;
    for (unsigned i = 1; i < 3; i++) { // sorts the axes: the shortest first
        for (unsigned j = i; j > 0 && size[axis[j]] < size[axis[j - 1]]; j--) {
            unsigned longer = axis[j - 1];
            axis[j - 1] = axis[j];
            axis[j] = longer;
        }
    }
    for (unsigned step = 0; step < definition->piece_count; step++) {
        unsigned line = step / size[axis[0]];
        unsigned plane = line / size[axis[1]];
        unsigned at[3] = {step % size[axis[0]], line % size[axis[1]], plane};
        at[0] = line % 2 == 0 ? at[0] : size[axis[0]] - 1 - at[0];
        at[1] = plane % 2 == 0 ? at[1] : size[axis[1]] - 1 - at[1];
        unsigned cell = at[0] * weight[axis[0]] + at[1] * weight[axis[1]] + at[2] * weight[axis[2]];
        unsigned tile = definition->solved.piece[cell];
        if (tile > 0) { // not the blank
            tiles[count++] = (struct named_piece){0, tile};
        } else {
            blank = step;
        }
    }
    if (blank < count / 2) {
        reverse_pieces(tiles, count);
    }
    return count;
}

// The shortest side of a board on which cells have neighbours.
static unsigned shortest_side(const struct definition *definition)
{
    const unsigned size[3] = {definition->columns, definition->rows, definition->layers};
    unsigned shortest = definition->piece_count;
    for (unsigned i = 0; i < 3; i++) {
        shortest = size[i] > 1 && size[i] < shortest ? size[i] : shortest;
    }
    return shortest;
}

// Cuts the path into databases of `most` tiles and one smaller database for the remainder. The
// smaller one comes first: on 4x4 boards, searches then take a fifth fewer steps than with it last.
// If all cuts are at the ends of lines, the smaller one comes last.
static bool cut_tiles(struct suggester *suggester, unsigned count, unsigned most)
{
    const struct definition *definition = suggester->definition;
    unsigned side = shortest_side(definition);
    unsigned next = most % side == 0 || count % most == 0 ? most : count % most;
    suggester->database_count = 0;
    for (unsigned first = 0; first < count; first += next, next = most) {
        next = count - first < next ? count - first : next;
        if (suggester->database_count == DATABASES_MOST) {
            return false;
        }
        suggester->databases[suggester->database_count++] =
            (struct choice){.pieces = suggester->pieces + first, .count = next};
    }
    return true;
}

static bool suggest_tiles(struct suggester *suggester)
{
    struct cost whole;
    unsigned count = list_tiles(suggester->definition, suggester->pieces);
    unsigned most = count < DATABASE_TILES_MOST ? count : DATABASE_TILES_MOST;
    for (; most > 0 && cut_tiles(suggester, count, most); most--) {
        enum trial trial =
            try_databases(suggester, suggester->databases, suggester->database_count, &whole);
        if (trial == TRIAL_FAILED) {
            return false;
        }
        if (trial == TRIAL_DONE) {
            for (unsigned d = 0; d < suggester->database_count; d++) {
                struct choice *database = &suggester->databases[d];
                database->cost.states = whole.states_of[d];
                database->cost.seconds =
                    whole.seconds * (double)whole.states_of[d] / (double)whole.states;
            }
            print_databases(suggester, &whole, 0);
            return true;
        }
    }
    return refuse_memory(suggester);
}

// ---- Permutation puzzles ------------------------------------------------------------------------

// The slots of a set, joined into orbits: between them, moves take pieces.
struct joined_slots {
    uint8_t orbit[PIECES_OF_SET_MOST]; // by slot: the first slot of its orbit
    bool changes[PIECES_OF_SET_MOST];  // by first slot: does a move change the orbit?
};

static void join_slots(struct joined_slots *joined, unsigned count, unsigned a, unsigned b)
{
    unsigned low = joined->orbit[a] < joined->orbit[b] ? joined->orbit[a] : joined->orbit[b];
    unsigned high = joined->orbit[a] ^ joined->orbit[b] ^ low;
    joined->changes[low] |= joined->changes[high];
    for (unsigned i = 0; i < count; i++) {
        joined->orbit[i] = joined->orbit[i] == high ? (uint8_t)low : joined->orbit[i];
    }
}

static void find_joined(const struct definition *definition, const struct piece_set *set,
                        struct joined_slots *joined)
{
    *joined = (struct joined_slots){.changes = {false}};
    for (unsigned i = 0; i < set->pieces; i++) {
        joined->orbit[i] = (uint8_t)i;
    }
    for (unsigned g = 0; g < definition->generator_count; g++) {
        const struct rows *rows = &definition->generators[g].move->rows;
        for (unsigned i = 0; i < set->pieces; i++) {
            unsigned from = rows->piece[set->first + i];
            joined->changes[joined->orbit[i]] |=
                from != i || rows->orientation[set->first + i] != 0;
            if (joined->orbit[i] != joined->orbit[from]) {
                join_slots(joined, set->pieces, i, from);
            }
        }
    }
}

// Does a piece fill more than half of its set?
static bool is_filler(const struct definition *definition, const struct piece_set *set,
                      unsigned number)
{
    unsigned amount = 0;
    for (unsigned i = 0; i < set->pieces; i++) {
        amount += definition->solved.piece[set->first + i] == number;
    }
    return 2 * amount > set->pieces;
}

// Lists the pieces of a set that moves change, orbit by orbit. Leaves out a filler whose
// arrangements alone are too many.
static bool list_pieces(struct suggester *suggester, unsigned s, struct named_piece *pieces,
                        struct supply *supply)
{
    const struct definition *definition = suggester->definition;
    struct joined_slots joined;
    bool listed[PIECES_OF_SET_MOST] = {false};
    const struct piece_set *set = &definition->sets[s];
    find_joined(definition, set, &joined);
    *supply = (struct supply){.pieces = pieces, .orientations = set->orientations};
    for (unsigned first = 0; first < set->pieces; first++) {
        for (unsigned i = first; i < set->pieces; i++) {
            unsigned number = definition->solved.piece[set->first + i];
            if (joined.orbit[i] != first || !joined.changes[first]) {
                continue;
            }
            supply->slots++;
            if (!listed[number]) {
                listed[number] = true;
                struct choice one = {.pieces = &pieces[supply->count], .count = 1};
                enum trial trial = TRIAL_DONE;
                pieces[supply->count] = (struct named_piece){s, number};
                if (is_filler(definition, set, number)) {
                    trial = try_databases(suggester, &one, 1, &one.cost);
                }
                if (trial == TRIAL_FAILED) {
                    return false;
                }
                supply->count += trial == TRIAL_DONE;
            }
        }
    }
    return true;
}

// The next `count` pieces: new ones as far as possible, and behind them the last that are covered.
static struct choice next_pieces(const struct supply *supply, unsigned count)
{
    unsigned fresh = supply->count - supply->covered;
    unsigned first = count <= fresh ? supply->covered : supply->count - count;
    return (struct choice){.pieces = supply->pieces + first, .count = count};
}

// The memory that the entries of the chosen databases leave.
static uint64_t find_room(const struct suggester *suggester)
{
    uint64_t room = suggester->request->memory;
    for (unsigned d = 0; d < suggester->database_count; d++) {
        uint64_t held = suggester->databases[d].cost.held;
        room -= held < room ? held : room;
    }
    return room;
}

// Does a database fit beside those that are chosen? It may take half of the memory.
static bool fits_room(const struct suggester *suggester, const struct cost *cost)
{
    uint64_t room = find_room(suggester);
    uint64_t waiting = cost->waiting;
    uint64_t beside = cost->memory - cost->waiting; // what the run takes besides them
    for (unsigned d = 0; d < suggester->database_count; d++) {
        const struct cost *other = &suggester->databases[d].cost;
        waiting += other->waiting;
        beside = other->memory - other->waiting > beside ? other->memory - other->waiting : beside;
    }
    return cost->held <= suggester->request->memory / 2 && cost->held <= room &&
           waiting + beside <= suggester->request->memory;
}

static enum trial try_pieces(struct suggester *suggester, struct choice *choice)
{
    enum trial trial = try_databases(suggester, choice, 1, &choice->cost);
    return trial == TRIAL_DONE && !fits_room(suggester, &choice->cost) ? TRIAL_TOO_LARGE : trial;
}

static unsigned count_bits_of(uint64_t number)
{
    unsigned bits = 0;
    for (; number > 0; number >>= 1) {
        bits++;
    }
    return bits;
}

// Guesses how many more pieces a database can have. It assumes that each new piece multiplies the
// number of states by the average factor of the pieces so far.
static unsigned guess_growth(const struct choice *choice, uint64_t bytes)
{
    assert(choice->cost.states > 0);
    uint64_t factor = 2 * bytes / choice->cost.states;
    unsigned growth = count_bits_of(factor) * choice->count / count_bits_of(choice->cost.states);
    return growth > 0 ? growth : 1;
}

// Finds the largest database of a supply that fits, in few trials. The first has `count` pieces.
static bool find_choice(struct suggester *suggester, struct supply *supply, unsigned count)
{
    uint64_t room = find_room(suggester);
    uint64_t half = suggester->request->memory / 2;
    struct choice found = {.count = 0};
    unsigned too_many = supply->count; // the whole supply does not fit
    while (found.count + 1 < too_many) {
        struct choice larger = next_pieces(supply, count < too_many ? count : too_many - 1);
        enum trial trial = try_pieces(suggester, &larger);
        if (trial == TRIAL_FAILED) {
            return false;
        }
        if (trial == TRIAL_DONE) {
            found = larger;
            count = found.count + guess_growth(&found, room < half ? room : half);
        } else {
            too_many = larger.count;
            count = found.count + (too_many - found.count + 1) / 2;
        }
    }
    supply->choice = found;
    return true;
}

// Do two supplies have databases of the same sizes, most likely?
static bool has_shape_of(const struct supply *a, const struct supply *b)
{
    return a->slots == b->slots && a->orientations == b->orientations && a->count == b->count;
}

// The first supply that is like this one. It may be the supply itself.
static const struct supply *find_alike(const struct suggester *suggester,
                                       const struct supply *supply)
{
    const struct supply *other = suggester->supplies;
    while (!has_shape_of(other, supply) || other->covered != supply->covered) {
        other++;
    }
    return other;
}

// The number of pieces in the last database of a supply of the same shape, or 1.
static unsigned guess_count(const struct suggester *suggester, const struct supply *supply)
{
    unsigned count = supply->choice.count;
    for (unsigned s = 0; s < suggester->supply_count && count == 0; s++) {
        const struct supply *other = &suggester->supplies[s];
        if (has_shape_of(other, supply)) {
            count = other->choice.count;
        }
    }
    return count > 0 ? count : 1;
}

// Makes the supply's next choice. Keeps the last choice if it still fits: the room never grows, so
// no larger choice can fit.
static bool update_choice(struct suggester *suggester, struct supply *supply)
{
    struct choice *choice = &supply->choice;
    if (supply->whole.states > 0 && fits_room(suggester, &supply->whole)) {
        *choice = next_pieces(supply, supply->count);
        choice->cost = supply->whole;
        return true;
    }
    if (choice->count > 0 && choice->pieces == next_pieces(supply, choice->count).pieces &&
        fits_room(suggester, &choice->cost)) {
        return true;
    }
    return find_choice(suggester, supply, guess_count(suggester, supply));
}

// Is a database worth a place beside the first, which is the largest?
static bool is_worth(const struct suggester *suggester, const struct supply *supply)
{
    return supply->choice.count > 0 &&
           (suggester->database_count == 0 || supply->covered == 0 ||
            supply->choice.cost.states >= suggester->databases[0].cost.states / SMALL_SHARE);
}

static bool is_better(const struct supply *a, const struct supply *b)
{
    bool new_a = a->covered == 0;
    bool new_b = b->covered == 0;
    return new_a != new_b ? new_a : a->choice.cost.states > b->choice.cost.states;
}

// Finds the largest database that fits. Supplies that have no database yet come first. *best is
// NULL if no database fits.
static bool find_best(struct suggester *suggester, struct supply **best)
{
    *best = NULL;
    for (unsigned s = 0; s < suggester->supply_count; s++) {
        struct supply *supply = &suggester->supplies[s];
        if (supply->covered == supply->count || find_alike(suggester, supply) != supply) {
            continue;
        }
        if (!update_choice(suggester, supply)) {
            return false;
        }
        if (is_worth(suggester, supply) && (!*best || is_better(supply, *best))) {
            *best = supply;
        }
    }
    return true;
}

static bool choose_databases(struct suggester *suggester)
{
    struct supply *best;
    while (suggester->database_count < DATABASES_MOST) {
        if (!find_best(suggester, &best)) {
            return false;
        }
        if (!best) {
            return true;
        }
        suggester->databases[suggester->database_count++] = best->choice;
        best->covered += best->choice.count;
        best->covered = best->covered < best->count ? best->covered : best->count;
    }
    return true;
}

// Tries a database of all pieces of a supply, unless a supply that is like it has been tried.
static bool try_whole(struct suggester *suggester, struct supply *supply)
{
    struct choice whole = next_pieces(supply, supply->count);
    const struct supply *other = find_alike(suggester, supply);
    if (other != supply) {
        supply->whole = other->whole;
        return true;
    }
    return try_databases(suggester, &whole, 1, &supply->whole) != TRIAL_FAILED;
}

static bool make_supplies(struct suggester *suggester)
{
    struct named_piece *pieces = suggester->pieces;
    for (unsigned s = 0; s < suggester->definition->set_count; s++) {
        struct supply *supply = &suggester->supplies[suggester->supply_count];
        if (!list_pieces(suggester, s, pieces, supply)) {
            return false;
        }
        pieces += supply->count;
        if (supply->count > 0) {
            suggester->supply_count++;
            if (!try_whole(suggester, supply)) {
                return false;
            }
        }
    }
    return true;
}

static bool is_small(const struct suggester *suggester, const struct supply *supply)
{
    return supply->whole.states > 0 &&
           supply->whole.states < suggester->request->memory / SMALL_SHARE;
}

// Joins the small sets to one supply, the last. A database of a small set alone would be of little
// use.
static bool join_small(struct suggester *suggester)
{
    struct named_piece *pieces = suggester->pieces + suggester->definition->piece_count;
    struct supply joined = {.pieces = pieces};
    unsigned kept = 0;
    for (unsigned s = 0; s < suggester->supply_count; s++) {
        const struct supply *supply = &suggester->supplies[s];
        if (is_small(suggester, supply)) {
            memcpy(pieces + joined.count, supply->pieces, supply->count * sizeof *pieces);
            joined.count += supply->count;
        } else {
            suggester->supplies[kept++] = *supply;
        }
    }
    suggester->supply_count = kept;
    if (joined.count == 0) {
        return true;
    }
    struct supply *last = &suggester->supplies[suggester->supply_count++];
    *last = joined;
    return try_whole(suggester, last);
}

// Tries all databases together. Leaves out the last as long as they take too much.
static bool try_all(struct suggester *suggester, struct cost *whole)
{
    for (; suggester->database_count > 0; suggester->database_count--) {
        enum trial trial =
            try_databases(suggester, suggester->databases, suggester->database_count, whole);
        if (trial != TRIAL_TOO_LARGE) {
            return trial == TRIAL_DONE;
        }
    }
    return refuse_memory(suggester);
}

static bool suggest_pieces(struct suggester *suggester)
{
    struct cost whole;
    unsigned left = 0;
    if (!make_supplies(suggester) || !join_small(suggester) || !choose_databases(suggester) ||
        !try_all(suggester, &whole)) {
        return false;
    }
    for (unsigned s = 0; s < suggester->supply_count; s++) {
        left += suggester->supplies[s].count - suggester->supplies[s].covered;
    }
    print_databases(suggester, &whole, left);
    return true;
}

// ---- Any puzzle ---------------------------------------------------------------------------------

bool suggest_databases(const struct suggest_request *request, struct fewest_error *error)
{
    const struct definition *definition = request->puzzle->definition;
    struct suggester *suggester = calloc(1, sizeof *suggester);
    bool done = false;
    if (suggester) {
        suggester->request = request;
        suggester->definition = definition;
        suggester->error = error;
        suggester->pieces = calloc((size_t)2 * definition->piece_count, sizeof *suggester->pieces);
        suggester->supplies = calloc(definition->set_count, sizeof *suggester->supplies);
    }
    if (!suggester || !suggester->pieces || !suggester->supplies) {
        error_write(error, FEWEST_SYSTEM, "not enough memory to suggest pattern databases");
    } else {
        done = definition->board ? suggest_tiles(suggester) : suggest_pieces(suggester);
    }
    if (suggester) {
        free(suggester->pieces);
        free(suggester->supplies);
    }
    free(suggester);
    return done;
}
