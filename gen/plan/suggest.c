// Chooses pattern databases: it adds `Database` lines to the definition, compiles it, and forecasts
// the costs.
//
// A search of a permutation puzzle uses the largest bound of all databases, so a few large ones are
// better than many small ones. One greedy pass makes them. First each set gets a database, and then
// the pieces that are in none. A database takes one piece after the other as long as it takes at
// most half of the memory. If a whole set takes little, the pieces of the next set follow. If the
// databases take too much together, the next pass gives out less memory.
//
// On a sliding board the bounds add up, so each tile must be in one database. The tiles are cut
// along a path through the board, into pieces as long as the memory allows.
#include "suggest.h"

#include "tables/definition/definition.h"
#include "tables/program/command_line.h"
#include "tables/puzzle/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A database with less than this share of the states of another rarely has the larger bound.
static const uint64_t SMALL_SHARE = 1000;

// The cost of a table with certain databases and no others.
struct cost {
    uint64_t states;                    // of all
    uint64_t states_of[DATABASES_MOST]; // by database
    uint64_t memory;                    // bytes that the run takes
    double seconds;                     // on one thread
};

// Pieces are numbered through all sets, as in struct definition.
struct suggested_database {
    bool named[PIECES_MOST];
    unsigned count; // of pieces
    struct cost cost;
};

struct suggester {
    const struct suggest_request *request;
    const struct definition *definition;
    uint64_t memory;           // that is given out, in bytes
    bool changes[PIECES_MOST]; // does a move change the place or orientation of the piece?
    bool covered[PIECES_MOST]; // is the piece in a database?
    bool done[SETS_MOST];      // no further database of the set is worth it
    struct suggested_database databases[DATABASES_MOST + 1]; // one more, which is tried
    unsigned database_count;
    uint64_t left; // states that all databases together may still have
    bool full;     // no further piece fits in the database that is tried
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

// Fills in the costs of a puzzle, if they keep to the memory.
static enum trial forecast_trial(const struct suggester *suggester, const struct puzzle *puzzle,
                                 struct cost *cost)
{
    const struct suggest_request *request = suggester->request;
    *cost = (struct cost){.states = 0};
    count_entries(puzzle, cost);
    if (unpacked_bytes(cost->states) > suggester->memory) {
        return TRIAL_TOO_LARGE;
    }
    struct forecast forecast = forecast_costs(puzzle, request->options, 1, request->plan->length);
    cost->memory = forecast.memory;
    cost->seconds = forecast.seconds;
    return forecast.memory > suggester->memory ? TRIAL_TOO_LARGE : TRIAL_DONE;
}

// ---- The lines ----------------------------------------------------------------------------------

// Writes a `Database` line or, for a shell, a --database option. The numbers are those that the
// definition has.
static void write_database(const struct definition *definition,
                           const struct suggested_database *database, bool is_option, FILE *out)
{
    const char *space = "";
    fputs(is_option ? " --database '" : "Database ", out);
    for (unsigned s = 0; s < definition->set_count; s++) {
        const struct piece_set *set = &definition->sets[s];
        const char *name = definition->set_count > 1 ? set->name : "";
        for (unsigned number = 0; number <= PIECES_OF_SET_MOST; number++) {
            unsigned piece = set->piece_of[number];
            if (piece == 0 || !database->named[set->first + piece - 1]) {
                continue;
            }
            for (; *name; name++) {
                fprintf(out, "%s%s", space,
                        is_option && *name == '\'' ? "'\\''" : (char[]){*name, '\0'});
                space = name[1] ? "" : " ";
            }
            fprintf(out, "%s%u", space, number);
            space = " ";
        }
    }
    fputs(is_option ? "'" : "\n", out);
}

// Writes the definition with the lines of some databases. Returns text from malloc, or NULL without
// memory.
static char *write_definition(const struct suggester *suggester, unsigned first, unsigned count,
                              size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (!out) {
        return NULL;
    }
    fwrite(suggester->request->plan->text, 1, suggester->request->plan->length, out);
    putc('\n', out);
    for (unsigned d = first; d < first + count; d++) {
        write_database(suggester->definition, &suggester->databases[d], false, out);
    }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

// Tries some of the databases, from `first` on, and no others: compiles the definition with their
// lines, and forecasts the costs.
static enum trial try_databases(struct suggester *suggester, unsigned first, unsigned count,
                                struct cost *cost)
{
    const struct search_options *options = suggester->request->options;
    struct fewest_error *error = suggester->error;
    struct puzzle puzzle;
    size_t length;
    if (options_stop(options)) {
        error_write(error, FEWEST_STOPPED, "stopped");
        return TRIAL_FAILED;
    }
    char *text = write_definition(suggester, first, count, &length);
    if (!text) {
        error_write(error, FEWEST_SYSTEM, "not enough memory for the definition");
        return TRIAL_FAILED;
    }
    bool compiled =
        puzzle_compile(&puzzle, text, length, suggester->request->plan->puzzle.metric, error);
    free(text);
    if (!compiled) {
        return error->status == FEWEST_BEYOND ? TRIAL_TOO_LARGE : TRIAL_FAILED;
    }
    enum trial trial = forecast_trial(suggester, &puzzle, cost);
    puzzle_free(&puzzle);
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
        const struct suggested_database *database = &suggester->databases[d];
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

static void reverse_tiles(uint8_t *tiles, unsigned count)
{
    for (unsigned i = 0; i < count / 2; i++) {
        uint8_t other = tiles[count - 1 - i];
        tiles[count - 1 - i] = tiles[i];
        tiles[i] = other;
    }
}

// Lists the tiles along a path through all cells. The path goes to and fro along the shortest sides
// of the board, so that tiles that are near on the path are near on the board. It begins far from
// the blank, so that full lines come first.
static unsigned list_tiles(const struct definition *definition, uint8_t *tiles)
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
            tiles[count++] = (uint8_t)tile;
        } else {
            blank = step;
        }
    }
    if (blank < count / 2) {
        reverse_tiles(tiles, count);
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
static bool cut_tiles(struct suggester *suggester, const uint8_t *tiles, unsigned count,
                      unsigned most)
{
    unsigned side = shortest_side(suggester->definition);
    unsigned next = most % side == 0 || count % most == 0 ? most : count % most;
    memset(suggester->databases, 0, sizeof suggester->databases);
    suggester->database_count = 0;
    for (unsigned first = 0; first < count; first += next, next = most) {
        if (suggester->database_count == DATABASES_MOST) {
            return false;
        }
        struct suggested_database *database = &suggester->databases[suggester->database_count++];
        next = count - first < next ? count - first : next;
        for (unsigned i = first; i < first + next; i++) {
            database->named[tiles[i]] = true;
        }
    }
    return true;
}

static enum trial choose_tiles(struct suggester *suggester, struct cost *whole)
{
    uint8_t tiles[PIECES_OF_SET_MOST];
    unsigned count = list_tiles(suggester->definition, tiles);
    unsigned most = count < DATABASE_TILES_MOST ? count : DATABASE_TILES_MOST;
    enum trial trial = TRIAL_TOO_LARGE;
    for (; trial == TRIAL_TOO_LARGE && most > 0 && cut_tiles(suggester, tiles, count, most);
         most--) {
        trial = try_databases(suggester, 0, suggester->database_count, whole);
    }
    for (unsigned d = 0; d < suggester->database_count && trial == TRIAL_DONE; d++) {
        struct cost *cost = &suggester->databases[d].cost;
        cost->states = whole->states_of[d];
        cost->seconds = whole->seconds * (double)cost->states / (double)whole->states;
    }
    return trial;
}

// ---- Permutation puzzles ------------------------------------------------------------------------

// Finds the pieces that some move changes.
static void find_changes(struct suggester *suggester)
{
    const struct definition *definition = suggester->definition;
    for (unsigned s = 0; s < definition->set_count; s++) {
        const struct piece_set *set = &definition->sets[s];
        for (unsigned g = 0; g < definition->generator_count; g++) {
            const struct rows *rows = &definition->generators[g].move->rows;
            for (unsigned i = set->first; i < set->first + set->pieces; i++) {
                if (set->first + rows->piece[i] != i || rows->orientation[i] != 0) {
                    suggester->changes[set->first + definition->solved.piece[i]] = true;
                    suggester->changes[set->first +
                                       definition->solved.piece[set->first + rows->piece[i]]] =
                        true;
                }
            }
        }
    }
}

static struct suggested_database *begin_database(struct suggester *suggester)
{
    struct suggested_database *database = &suggester->databases[suggester->database_count];
    memset(database, 0, sizeof *database);
    suggester->full = false;
    return database;
}

// Adds a piece to the database that is tried, if a move changes it and it fits. A database takes at
// most half of the memory: an entry is half a byte.
static enum trial offer_piece(struct suggester *suggester, unsigned piece)
{
    struct suggested_database *database = &suggester->databases[suggester->database_count];
    struct cost cost;
    if (suggester->full || !suggester->changes[piece] || database->named[piece]) {
        return TRIAL_DONE;
    }
    database->named[piece] = true;
    enum trial trial = try_databases(suggester, suggester->database_count, 1, &cost);
    if (trial == TRIAL_DONE && cost.states <= suggester->left && cost.states <= suggester->memory) {
        database->cost = cost;
        database->count++;
        return TRIAL_DONE;
    }
    database->named[piece] = false;
    // A piece that does not fit alone, such as one that fills most of its set, is left out.
    suggester->full = database->count > 0;
    return trial == TRIAL_FAILED ? TRIAL_FAILED : TRIAL_DONE;
}

// Adds pieces of a set that are in no database, until one does not fit.
static enum trial add_set(struct suggester *suggester, const struct piece_set *set)
{
    enum trial trial = TRIAL_DONE;
    for (unsigned i = set->first; i < set->first + set->pieces && trial == TRIAL_DONE; i++) {
        if (!suggester->covered[i]) {
            trial = offer_piece(suggester, i);
        }
    }
    return trial;
}

// The pieces of a set that are in no database, although moves change them.
static unsigned count_left(const struct suggester *suggester, const struct piece_set *set)
{
    unsigned left = 0;
    for (unsigned i = set->first; i < set->first + set->pieces; i++) {
        left += suggester->changes[i] && !suggester->covered[i];
    }
    return left;
}

// Makes the first database of a set. If the set is small, those of the next sets follow. *next is
// the first set that was not tried.
static enum trial begin_set(struct suggester *suggester, unsigned *next)
{
    const struct definition *definition = suggester->definition;
    const struct suggested_database *database = begin_database(suggester);
    enum trial trial;
    do {
        trial = add_set(suggester, &definition->sets[(*next)++]);
    } while (trial == TRIAL_DONE && *next < definition->set_count && !suggester->full &&
             database->cost.states < suggester->memory / SMALL_SHARE);
    return trial;
}

// Makes another database of a set. If there is room, it takes some of the pieces that are in a
// database already, the last ones first.
static enum trial go_on_with_set(struct suggester *suggester, const struct piece_set *set)
{
    struct suggested_database *database = begin_database(suggester);
    enum trial trial = add_set(suggester, set);
    for (unsigned i = set->first + set->pieces;
         i-- > set->first && trial == TRIAL_DONE && database->count > 0;) {
        trial = offer_piece(suggester, i);
    }
    if (database->cost.states < suggester->databases[0].cost.states / SMALL_SHARE) {
        database->count = 0; // it is not worth it
    }
    return trial;
}

// Takes over the database that was tried, if it has pieces.
static bool keep_database(struct suggester *suggester)
{
    const struct suggested_database *database = &suggester->databases[suggester->database_count];
    if (database->count == 0) {
        return false;
    }
    for (unsigned piece = 0; piece < suggester->definition->piece_count; piece++) {
        suggester->covered[piece] |= database->named[piece];
    }
    suggester->left -= database->cost.states;
    suggester->database_count++;
    return true;
}

// Finds the set with most pieces that are in no database. False if there is none.
static bool find_set(const struct suggester *suggester, unsigned *found)
{
    unsigned most = 0;
    for (unsigned s = 0; s < suggester->definition->set_count; s++) {
        unsigned left = count_left(suggester, &suggester->definition->sets[s]);
        if (left > most && !suggester->done[s]) {
            most = left;
            *found = s;
        }
    }
    return most > 0;
}

// Makes databases that together have at most as many entries, of half a byte, as the memory holds.
static enum trial make_databases(struct suggester *suggester)
{
    const struct definition *definition = suggester->definition;
    enum trial trial = TRIAL_DONE;
    unsigned s = 0;
    memset(suggester->covered, 0, sizeof suggester->covered);
    memset(suggester->done, 0, sizeof suggester->done);
    suggester->left = 2 * suggester->memory;
    suggester->database_count = 0;
    while (s < definition->set_count && trial == TRIAL_DONE &&
           suggester->database_count < DATABASES_MOST) {
        trial = begin_set(suggester, &s);
        keep_database(suggester);
    }
    while (trial == TRIAL_DONE && suggester->database_count < DATABASES_MOST &&
           find_set(suggester, &s)) {
        trial = go_on_with_set(suggester, &definition->sets[s]);
        suggester->done[s] = !keep_database(suggester);
    }
    return trial;
}

static enum trial choose_pieces(struct suggester *suggester, struct cost *whole)
{
    enum trial trial;
    find_changes(suggester);
    do {
        uint64_t given = suggester->memory;
        trial = make_databases(suggester);
        if (trial == TRIAL_FAILED || suggester->database_count == 0) {
            return trial == TRIAL_FAILED ? TRIAL_FAILED : TRIAL_TOO_LARGE;
        }
        suggester->memory = suggester->request->memory;
        trial = try_databases(suggester, 0, suggester->database_count, whole);
        suggester->memory = given - given / 8 - 1;
    } while (trial == TRIAL_TOO_LARGE);
    return trial;
}

// ---- Any puzzle ---------------------------------------------------------------------------------

bool suggest_databases(const struct suggest_request *request, struct fewest_error *error)
{
    static const uint64_t MEMORY_MOST = UINT64_C(1) << 50; // far above what a table can have
    const struct definition *definition = request->plan->puzzle.definition;
    struct suggester *suggester = calloc(1, sizeof *suggester);
    struct cost whole = {.states = 0};
    unsigned left = 0;
    if (!suggester) {
        return error_set(error, FEWEST_SYSTEM, "not enough memory to suggest pattern databases");
    }
    suggester->request = request;
    suggester->definition = definition;
    suggester->error = error;
    suggester->memory = request->memory < MEMORY_MOST ? request->memory : MEMORY_MOST;
    enum trial trial =
        definition->board ? choose_tiles(suggester, &whole) : choose_pieces(suggester, &whole);
    if (trial == TRIAL_DONE) {
        for (unsigned s = 0; s < definition->set_count; s++) {
            left += count_left(suggester, &definition->sets[s]); // on a board, no piece changes
        }
        print_databases(suggester, &whole, left);
    } else if (trial == TRIAL_TOO_LARGE) {
        (void)refuse_memory(suggester);
    }
    free(suggester);
    return trial == TRIAL_DONE;
}
