// Chooses pattern databases: it adds `Database` lines to the definition, compiles it, and forecasts
// the costs.
//
// A search of a permutation puzzle uses the largest bound of all databases, so a few large ones are
// better than many small ones. Each is the largest that fits into the memory that is left, and
// takes at most half of all. First each set gets a database, and then the pieces that are in none.
// Small sets share their databases. The sizes are those of databases whose pieces moves bring into
// all arrangements; if the databases take too much together, less memory is given out.
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
    double seconds;                     // on one thread
};

// A run of pieces for a database.
struct choice {
    const struct named_piece *pieces;
    unsigned count;   // 0: nothing fits
    uint64_t states;  // as they are counted before the trial
    struct cost cost; // after it
};

// Databases take these pieces in order. All belong to one large set, or to several small sets.
struct supply {
    const struct named_piece *pieces;
    unsigned count;
    unsigned covered;     // this many pieces, from the first, are in a database
    struct choice choice; // the next database
};

// A slot of a permutation puzzle. Moves take pieces to the slots of its *orbit*.
struct orbit_slot {
    uint16_t orbit; // the first slot of the orbit
    // Only the first slot of an orbit has these:
    bool changes;     // does a move change the orbit?
    bool turns;       // does a move turn pieces there?
    uint16_t length;  // of the orbit
    uint16_t is_free; // slots that no piece has taken yet, while states are counted
};

struct suggester {
    const struct suggest_request *request;
    const struct definition *definition;
    struct named_piece *pieces; // of all sets, and once more of those that share a supply
    struct orbit_slot *slots;   // by piece of the definition
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
static enum trial forecast_trial(const struct suggest_request *request, const struct puzzle *puzzle,
                                 struct cost *cost)
{
    struct cost found = {.states = 0};
    count_entries(puzzle, &found);
    if (unpacked_bytes(found.states) > request->memory) {
        return TRIAL_TOO_LARGE;
    }
    struct forecast forecast = forecast_costs(puzzle, request->options, 1, request->length);
    if (forecast.memory > request->memory) {
        return TRIAL_TOO_LARGE;
    }
    found.memory = forecast.memory;
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
    enum trial trial = forecast_trial(request, &puzzle, cost);
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
                uint64_t states = whole.states_of[d];
                suggester->databases[d].cost =
                    (struct cost){.states = states,
                                  .seconds = whole.seconds * (double)states / (double)whole.states};
            }
            print_databases(suggester, &whole, 0);
            return true;
        }
    }
    return refuse_memory(suggester);
}

// ---- Permutation puzzles ------------------------------------------------------------------------

// Joins the orbits of two slots of a set.
static void join_orbits(struct orbit_slot *slots, const struct piece_set *set, unsigned a,
                        unsigned b)
{
    unsigned from = slots[a].orbit > slots[b].orbit ? slots[a].orbit : slots[b].orbit;
    unsigned to = slots[a].orbit ^ slots[b].orbit ^ from;
    for (unsigned i = set->first; i < set->first + set->pieces; i++) {
        slots[i].orbit = slots[i].orbit == from ? (uint16_t)to : slots[i].orbit;
    }
}

static void find_orbits(const struct definition *definition, struct orbit_slot *slots)
{
    for (unsigned i = 0; i < definition->piece_count; i++) {
        slots[i] = (struct orbit_slot){.orbit = (uint16_t)i};
    }
    for (unsigned s = 0; s < definition->set_count; s++) {
        const struct piece_set *set = &definition->sets[s];
        for (unsigned g = 0; g < definition->generator_count; g++) {
            const struct rows *rows = &definition->generators[g].move->rows;
            for (unsigned i = set->first; i < set->first + set->pieces; i++) {
                if (slots[i].orbit != slots[set->first + rows->piece[i]].orbit) {
                    join_orbits(slots, set, i, set->first + rows->piece[i]);
                }
            }
        }
        for (unsigned g = 0; g < definition->generator_count; g++) {
            const struct rows *rows = &definition->generators[g].move->rows;
            for (unsigned i = set->first; i < set->first + set->pieces; i++) {
                struct orbit_slot *first = &slots[slots[i].orbit];
                first->turns |= rows->orientation[i] != 0;
                first->changes |= first->turns || set->first + rows->piece[i] != i;
            }
        }
        for (unsigned i = set->first; i < set->first + set->pieces; i++) {
            slots[slots[i].orbit].length++;
        }
    }
}

// Multiplies, up to `most` + 1.
static uint64_t times(uint64_t a, uint64_t b, uint64_t most)
{
    return b > 0 && a > most / b ? most + 1 : a * b;
}

// The number of ways in which slots of an orbit can take a piece `amount` times. What the last of
// several slots has follows from the others.
static uint64_t count_ways(const struct orbit_slot *first, unsigned amount, unsigned orientations,
                           uint64_t most)
{
    uint64_t ways = 1;
    for (unsigned i = 0; i < amount && ways <= most; i++) {
        ways = ways * (first->is_free - i) / (i + 1);
    }
    unsigned turned = amount - (amount == first->is_free && first->length > 1);
    for (unsigned i = 0; i < turned && first->turns; i++) {
        ways = times(ways, orientations, most);
    }
    return ways < most + 1 ? ways : most + 1;
}

// Counts the states of a database of these pieces, up to `most` + 1.
static uint64_t count_states(const struct suggester *suggester, const struct named_piece *pieces,
                             unsigned count, uint64_t most)
{
    const struct definition *definition = suggester->definition;
    struct orbit_slot *slots = suggester->slots;
    uint64_t states = 1;
    for (unsigned i = 0; i < definition->piece_count; i++) {
        slots[i].is_free = slots[i].length;
    }
    for (unsigned p = 0; p < count && states <= most; p++) {
        const struct piece_set *set = &definition->sets[pieces[p].set];
        for (unsigned first = set->first; first < set->first + set->pieces; first++) {
            unsigned amount = 0;
            for (unsigned i = first; i < set->first + set->pieces && slots[first].changes; i++) {
                amount +=
                    slots[i].orbit == first && definition->solved.piece[i] == pieces[p].number;
            }
            states =
                times(states, count_ways(&slots[first], amount, set->orientations, most), most);
            slots[first].is_free = (uint16_t)(slots[first].is_free - amount);
        }
    }
    return states;
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

// The states of the largest database: its entries, of half a byte, take half of the memory.
static uint64_t states_most(const struct suggester *suggester)
{
    static const uint64_t MOST = UINT64_C(1) << 50; // far above what a table can have
    return suggester->request->memory < MOST ? suggester->request->memory : MOST;
}

// Lists the pieces of a set that moves change, orbit by orbit. Leaves out a filler whose
// arrangements alone are too many.
static unsigned list_pieces(const struct suggester *suggester, unsigned s,
                            struct named_piece *pieces)
{
    const struct definition *definition = suggester->definition;
    const struct piece_set *set = &definition->sets[s];
    uint64_t most = states_most(suggester);
    bool listed[PIECES_OF_SET_MOST] = {false};
    unsigned count = 0;
    for (unsigned first = set->first; first < set->first + set->pieces; first++) {
        for (unsigned i = first; i < set->first + set->pieces; i++) {
            unsigned number = definition->solved.piece[i];
            if (suggester->slots[i].orbit != first || !suggester->slots[first].changes ||
                listed[number]) {
                continue;
            }
            listed[number] = true;
            pieces[count] = (struct named_piece){s, number};
            count += !is_filler(definition, set, number) ||
                     count_states(suggester, &pieces[count], 1, most) <= most;
        }
    }
    return count;
}

// The next `count` pieces: new ones as far as possible, and behind them the last that are covered.
static struct choice next_pieces(const struct supply *supply, unsigned count)
{
    unsigned fresh = supply->count - supply->covered;
    unsigned first = count <= fresh ? supply->covered : supply->count - count;
    return (struct choice){.pieces = supply->pieces + first, .count = count};
}

// Finds the largest database that a supply can have with at most `most` states.
static struct choice find_choice(const struct suggester *suggester, const struct supply *supply,
                                 uint64_t most)
{
    struct choice found = {.count = 0};
    for (unsigned count = 1; count <= supply->count; count++) {
        struct choice larger = next_pieces(supply, count);
        larger.states = count_states(suggester, larger.pieces, count, most);
        if (larger.states > most) {
            break;
        }
        found = larger;
    }
    return found;
}

// Is a database worth a place beside the first, which is the largest?
static bool is_worth(const struct suggester *suggester, const struct supply *supply)
{
    return supply->choice.count > 0 &&
           (suggester->database_count == 0 || supply->covered == 0 ||
            supply->choice.states >= suggester->databases[0].states / SMALL_SHARE);
}

static bool is_better(const struct supply *a, const struct supply *b)
{
    bool new_a = a->covered == 0;
    bool new_b = b->covered == 0;
    return new_a != new_b ? new_a : a->choice.states > b->choice.states;
}

// Finds the supply whose next database is best: it has at most `most` states, and as many as
// possible. Supplies without a database come first. NULL if no database fits.
static struct supply *find_best(struct suggester *suggester, uint64_t most)
{
    struct supply *best = NULL;
    for (unsigned s = 0; s < suggester->supply_count; s++) {
        struct supply *supply = &suggester->supplies[s];
        if (supply->covered < supply->count) {
            supply->choice = find_choice(suggester, supply, most);
            best =
                is_worth(suggester, supply) && (!best || is_better(supply, best)) ? supply : best;
        }
    }
    return best;
}

// Chooses databases that together have at most `states` states.
static void choose_databases(struct suggester *suggester, uint64_t states)
{
    const uint64_t half = states / 2;
    suggester->database_count = 0;
    for (unsigned s = 0; s < suggester->supply_count; s++) {
        suggester->supplies[s].covered = 0;
    }
    while (suggester->database_count < DATABASES_MOST) {
        struct supply *best = find_best(suggester, states < half ? states : half);
        if (!best) {
            return;
        }
        suggester->databases[suggester->database_count++] = best->choice;
        states -= best->choice.states;
        best->covered += best->choice.count;
        best->covered = best->covered < best->count ? best->covered : best->count;
    }
}

// Lists the pieces of each set. The small sets share a supply, the last: a database of a small set
// alone would be of little use.
static void make_supplies(struct suggester *suggester)
{
    struct named_piece *pieces = suggester->pieces;
    struct named_piece *small = pieces + suggester->definition->piece_count;
    uint64_t most = suggester->request->memory / SMALL_SHARE;
    unsigned small_count = 0;
    find_orbits(suggester->definition, suggester->slots);
    for (unsigned s = 0; s < suggester->definition->set_count; s++) {
        unsigned count = list_pieces(suggester, s, pieces);
        if (count_states(suggester, pieces, count, most) < most) {
            memcpy(small + small_count, pieces, count * sizeof *pieces);
            small_count += count;
        } else {
            suggester->supplies[suggester->supply_count++] =
                (struct supply){.pieces = pieces, .count = count};
        }
        pieces += count;
    }
    if (small_count > 0) {
        suggester->supplies[suggester->supply_count++] =
            (struct supply){.pieces = small, .count = small_count};
    }
}

static bool suggest_pieces(struct suggester *suggester)
{
    struct cost whole;
    unsigned left = 0;
    enum trial trial = TRIAL_TOO_LARGE;
    make_supplies(suggester);
    for (uint64_t states = 2 * states_most(suggester); trial == TRIAL_TOO_LARGE && states > 0;
         states -= states / 8 + 1) {
        choose_databases(suggester, states);
        if (suggester->database_count == 0) {
            break;
        }
        trial = try_databases(suggester, suggester->databases, suggester->database_count, &whole);
    }
    for (unsigned d = 0; d < suggester->database_count && trial == TRIAL_DONE; d++) {
        struct choice *database = &suggester->databases[d];
        trial = try_databases(suggester, database, 1, &database->cost);
    }
    if (trial != TRIAL_DONE) {
        return trial == TRIAL_TOO_LARGE && refuse_memory(suggester);
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
        suggester->slots = calloc(definition->piece_count, sizeof *suggester->slots);
        suggester->supplies = calloc(definition->set_count + 1, sizeof *suggester->supplies);
    }
    if (!suggester || !suggester->pieces || !suggester->slots || !suggester->supplies) {
        error_write(error, FEWEST_SYSTEM, "not enough memory to suggest pattern databases");
    } else {
        done = definition->board ? suggest_tiles(suggester) : suggest_pieces(suggester);
    }
    if (suggester) {
        free(suggester->pieces);
        free(suggester->slots);
        free(suggester->supplies);
    }
    free(suggester);
    return done;
}
