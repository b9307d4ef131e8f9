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
#include "tables/families/board/tile_databases.h"
#include "tables/families/compile.h"
#include "tables/program/command_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A database with less than this share of the states of another rarely has the larger bound.
static const uint64_t SMALL_SHARE = 1000;

// A database has entries for at least this part of its states: rarely do more than a hundred states
// share one.
enum { LARGE_SHARE = 100 };

// The cost of a table with certain databases and no others.
struct cost {
    uint64_t states;                    // of all
    uint64_t bytes;                     // of their entries, unpacked
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
    uint64_t memory;              // that is given out, in bytes
    bool is_changed[PIECES_MOST]; // does a move change the place or orientation of the piece?
    bool covered[PIECES_MOST];    // is the piece in a database?
    bool is_finished[SETS_MOST];  // no further database of the set is worth it
    // Those that are chosen, and then the one that is tried: databases[database_count].
    struct suggested_database databases[DATABASES_MOST + 1];
    unsigned database_count;
    uint64_t bytes_left; // that the entries of all databases together may still take
    bool is_full;        // no further piece fits in the database that is tried
    struct fewest_error *error;
};

// How a trial of databases ended.
enum trial {
    TRIAL_DONE, // they fit
    TRIAL_TOO_LARGE,
    TRIAL_FAILED, // *error tells why
};

// ---- Trials -------------------------------------------------------------------------------------

// Fills in the states of a puzzle's pattern databases. They are projections or, on a sliding board,
// parts of its partition.
static void add_up_states(const struct puzzle *puzzle, struct cost *cost)
{
    for (unsigned d = 0; d < puzzle->projection_count; d++) {
        cost->states_of[d] = puzzle->projections[d].numbering.state_count;
        cost->states += cost->states_of[d];
    }
    for (unsigned d = 0; puzzle->partition && d < puzzle->partition->count; d++) {
        cost->states_of[d] = puzzle->partition->databases[d].entries;
        cost->states += cost->states_of[d];
    }
}

// Fills in the costs of a puzzle. TRIAL_TOO_LARGE if its unpacked entries take more than the memory
// that is given out, or if making its table does. An entry of a board takes a nibble nearly always.
// Of other puzzles, symmetries keep fewer entries than there are states; if even LARGE_SHARE of
// them would be too much, the costs stay 0.
static enum trial forecast_trial(const struct suggester *suggester, const struct puzzle *puzzle,
                                 struct cost *cost)
{
    const struct suggest_request *request = suggester->request;
    *cost = (struct cost){.states = 0};
    add_up_states(puzzle, cost);
    cost->bytes = (puzzle->partition ? cost->states : cost->states / LARGE_SHARE) / 2;
    if (cost->bytes > suggester->memory) {
        return TRIAL_TOO_LARGE;
    }
    struct forecast forecast = forecast_costs(puzzle, request->options, 1, request->plan->length);
    cost->memory = forecast.memory;
    cost->seconds = forecast.seconds;
    cost->bytes = puzzle->partition ? cost->bytes : forecast.entries / 4;
    cost->states = puzzle->partition ? cost->states : forecast.entries;
    return forecast.memory > suggester->memory || forecast.unfit ? TRIAL_TOO_LARGE : TRIAL_DONE;
}

// ---- The lines ----------------------------------------------------------------------------------

// Writes the pieces of a set that a database names: the name of the set, if there are several, and
// then numbers of the definition. *space is what comes before the next word.
static void write_pieces(const struct definition *definition, const struct piece_set *set,
                         const struct suggested_database *database, const char **space, FILE *out)
{
    bool is_named = definition->set_count == 1;
    for (unsigned number = 0; number <= PIECES_OF_SET_MOST; number++) {
        unsigned piece = set->piece_of[number]; // from 1; 0 is none
        if (piece == 0 || !database->named[set->first + piece - 1]) {
            continue;
        }
        if (!is_named) {
            fprintf(out, "%s%s", *space, set->name);
            *space = " ";
            is_named = true;
        }
        fprintf(out, "%s%u", *space, number);
        *space = " ";
    }
}

// Writes a `Database` line.
static void write_database(const struct definition *definition,
                           const struct suggested_database *database, FILE *out)
{
    const char *space = "";
    fputs("Database ", out);
    for (unsigned s = 0; s < definition->set_count; s++) {
        write_pieces(definition, &definition->sets[s], database, &space, out);
    }
    putc('\n', out);
}

// Writes the definition, and then the lines of `count` databases, from number `first` on. Returns
// *length bytes that the caller frees, or NULL if memory runs out.
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
        write_database(suggester->definition, &suggester->databases[d], out);
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
        (void)error_no_memory(error, "for the definition");
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

// Prints the databases with their costs, as suggest.h says, and `left`, the number of pieces that
// are in none.
static void print_databases(const struct suggester *suggester, const struct cost *whole,
                            unsigned left)
{
    char size[SIZE_TEXT];
    char time[TIME_SIZE];
    unsigned threads = suggester->request->options->threads;
    printf("\n# Pattern databases for %s, within %s: states, memory of a search, time to make.\n",
           suggester->definition->name, size_write(suggester->request->memory, size));
    for (unsigned d = 0; d < suggester->database_count; d++) {
        const struct suggested_database *database = &suggester->databases[d];
        printf("# %llu states, %s, about %s\n", (unsigned long long)database->cost.states,
               size_write(database->cost.bytes, size),
               write_time(database->cost.seconds / threads, time));
        write_database(suggester->definition, database, stdout);
    }
    if (left > 0) {
        printf("# %u piece%s in no database.\n", left, left == 1 ? " is" : "s are");
    }
    printf("# All: %llu states, %s, about %s", (unsigned long long)whole->states,
           size_write(whole->bytes, size), write_time(whole->seconds / threads, time));
    printf(" on %u thread%s; fewest-gen needs %s.\n", threads, threads == 1 ? "" : "s",
           size_write(whole->memory, size));
}

static void report_too_large(const struct suggester *suggester)
{
    char size[SIZE_TEXT];
    error_write(suggester->error, FEWEST_BEYOND,
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

// The sides of a board, the shortest first.
struct sides {
    unsigned size[3];   // cells along the side
    unsigned stride[3]; // from a cell to the next one along the side, in numbers of cells
};

static struct sides sort_sides(const struct definition *definition)
{
    unsigned columns = definition->columns;
    unsigned rows = definition->rows;
    struct sides sides = {.size = {columns, rows, definition->layers},
                          .stride = {1, columns, columns * rows}};
    for (unsigned i = 1; i < 3; i++) {
        for (unsigned j = i; j > 0 && sides.size[j] < sides.size[j - 1]; j--) {
            unsigned size = sides.size[j];
            unsigned stride = sides.stride[j];
            sides.size[j] = sides.size[j - 1];
            sides.stride[j] = sides.stride[j - 1];
            sides.size[j - 1] = size;
            sides.stride[j - 1] = stride;
        }
    }
    return sides;
}

// The cell of a step on a path through all cells of a board. The path goes to and fro along the
// shortest side, and so do its lines along the second shortest. So cells that are near on the path
// are near on the board.
static unsigned find_cell_on_path(const struct sides *sides, unsigned step)
{
    unsigned position = step % sides->size[0]; // in its line
    unsigned lines = step / sides->size[0];
    unsigned line = lines % sides->size[1]; // in its plane
    unsigned plane = lines / sides->size[1];
    if (lines % 2 == 1) {
        position = sides->size[0] - 1 - position;
    }
    if (plane % 2 == 1) {
        line = sides->size[1] - 1 - line;
    }
    return position * sides->stride[0] + line * sides->stride[1] + plane * sides->stride[2];
}

// Lists the tiles along the path, and returns their number. The path begins at the end that is
// farther from the blank, so that full lines come first.
static unsigned list_tiles(const struct definition *definition, uint8_t *tiles)
{
    const struct sides sides = sort_sides(definition);
    unsigned count = 0;
    unsigned blank = 0; // its step
    for (unsigned step = 0; step < definition->piece_count; step++) {
        unsigned cell = find_cell_on_path(&sides, step);
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

// The length of the shortest side of a board that has more than one cell, or 1.
static unsigned shortest_side(const struct definition *definition)
{
    const struct sides sides = sort_sides(definition);
    unsigned i = 0;
    while (i < 2 && sides.size[i] == 1) {
        i++;
    }
    return sides.size[i];
}

// Cuts the path into databases of `most` tiles and one smaller database for the remainder. The
// smaller one comes first: on 4x4 boards, searches then take a fifth fewer steps than with it last.
// If all cuts are at the ends of lines, the smaller one comes last. Returns false if there would be
// more than DATABASES_MOST databases.
static bool cut_tiles(struct suggester *suggester, const uint8_t *tiles, unsigned count,
                      unsigned most)
{
    unsigned side = shortest_side(suggester->definition);
    bool ends_with_lines = most % side == 0;
    unsigned remainder = count % most;
    unsigned end = remainder > 0 && !ends_with_lines ? remainder : most; // of the first database
    unsigned first = 0;
    memset(suggester->databases, 0, sizeof suggester->databases);
    suggester->database_count = 0;
    while (first < count) {
        if (suggester->database_count == DATABASES_MOST) {
            return false;
        }
        struct suggested_database *database = &suggester->databases[suggester->database_count++];
        for (; first < end && first < count; first++) {
            database->named[tiles[first]] = true;
        }
        end += most;
    }
    return true;
}

// Chooses the databases of a sliding board: as large ones as the memory allows. *whole becomes
// their cost together.
static enum trial choose_tile_databases(struct suggester *suggester, struct cost *whole)
{
    uint8_t tiles[PIECES_OF_SET_MOST];
    unsigned count = list_tiles(suggester->definition, tiles);
    unsigned most = count < DATABASE_TILES_MOST ? count : DATABASE_TILES_MOST;
    enum trial trial = TRIAL_TOO_LARGE;
    while (trial == TRIAL_TOO_LARGE && most > 0 && cut_tiles(suggester, tiles, count, most)) {
        trial = try_databases(suggester, 0, suggester->database_count, whole);
        most--;
    }
    // Only the whole was forecast. A database gets a share of the time by its states.
    for (unsigned d = 0; d < suggester->database_count && trial == TRIAL_DONE; d++) {
        struct cost *cost = &suggester->databases[d].cost;
        cost->states = whole->states_of[d];
        cost->bytes = cost->states / 2;
        cost->seconds = whole->seconds * (double)cost->states / (double)whole->states;
    }
    return trial;
}

// ---- Permutation puzzles ------------------------------------------------------------------------

// Finds the pieces of a set that a move changes: those that the solved state has in a slot from or
// to which the move takes a piece, or in which it turns one.
static void find_pieces_changed_by(struct suggester *suggester, const struct piece_set *set,
                                   const struct rows *rows)
{
    const uint8_t *solved = suggester->definition->solved.piece;
    for (unsigned slot = set->first; slot < set->first + set->pieces; slot++) {
        unsigned source = set->first + rows->piece[slot];
        if (source != slot || rows->orientation[slot] != 0) {
            suggester->is_changed[set->first + solved[slot]] = true;
            suggester->is_changed[set->first + solved[source]] = true;
        }
    }
}

// Finds the pieces that some move changes.
static void find_changed_pieces(struct suggester *suggester)
{
    const struct definition *definition = suggester->definition;
    for (unsigned s = 0; s < definition->set_count; s++) {
        for (unsigned g = 0; g < definition->generator_count; g++) {
            find_pieces_changed_by(suggester, &definition->sets[s],
                                   &definition->generators[g].move->rows);
        }
    }
}

// Empties the database that is tried, and returns it.
static struct suggested_database *begin_database(struct suggester *suggester)
{
    struct suggested_database *database = &suggester->databases[suggester->database_count];
    memset(database, 0, sizeof *database);
    suggester->is_full = false;
    return database;
}

// Adds a piece to the database that is tried, if a move changes it and it fits. Sets is_full if it
// does not fit. A database takes at most half of the memory. Returns TRIAL_DONE or TRIAL_FAILED.
static enum trial offer_piece(struct suggester *suggester, unsigned piece)
{
    struct suggested_database *database = &suggester->databases[suggester->database_count];
    struct cost cost;
    if (suggester->is_full || !suggester->is_changed[piece] || database->named[piece]) {
        return TRIAL_DONE;
    }
    database->named[piece] = true;
    enum trial trial = try_databases(suggester, suggester->database_count, 1, &cost);
    if (trial == TRIAL_DONE && cost.bytes <= suggester->bytes_left &&
        cost.bytes <= suggester->memory / 2) {
        database->cost = cost;
        database->count++;
        return TRIAL_DONE;
    }
    database->named[piece] = false;
    // A piece that does not fit alone, such as one that fills most of its set, is left out.
    suggester->is_full = database->count > 0;
    return trial == TRIAL_FAILED ? TRIAL_FAILED : TRIAL_DONE;
}

// Adds the pieces of a set that are in no chosen database, until one does not fit.
static enum trial offer_set(struct suggester *suggester, const struct piece_set *set)
{
    enum trial trial = TRIAL_DONE;
    for (unsigned i = set->first; i < set->first + set->pieces && trial == TRIAL_DONE; i++) {
        if (!suggester->covered[i]) {
            trial = offer_piece(suggester, i);
        }
    }
    return trial;
}

// Counts the pieces of a set that are in no database, although moves change them.
static unsigned count_uncovered(const struct suggester *suggester, const struct piece_set *set)
{
    unsigned uncovered = 0;
    for (unsigned i = set->first; i < set->first + set->pieces; i++) {
        if (suggester->is_changed[i] && !suggester->covered[i]) {
            uncovered++;
        }
    }
    return uncovered;
}

// Fills the database that is tried with the pieces of set *next. As long as it is small, the pieces
// of the next set follow. *next becomes the first set whose pieces were not tried.
static enum trial make_first_database(struct suggester *suggester, unsigned *next)
{
    const struct definition *definition = suggester->definition;
    const struct suggested_database *database = begin_database(suggester);
    enum trial trial;
    do {
        trial = offer_set(suggester, &definition->sets[*next]);
        (*next)++;
    } while (trial == TRIAL_DONE && *next < definition->set_count && !suggester->is_full &&
             database->cost.states < suggester->memory / SMALL_SHARE);
    return trial;
}

// Fills the database that is tried with the pieces of a set that are in no database. If there is
// room, pieces follow that are in one already, the last ones first. Leaves it without pieces if it
// would be too small to be of use.
static enum trial make_further_database(struct suggester *suggester, const struct piece_set *set)
{
    struct suggested_database *database = begin_database(suggester);
    enum trial trial = offer_set(suggester, set);
    const unsigned last = set->first + set->pieces - 1;
    for (unsigned i = 0; i < set->pieces && trial == TRIAL_DONE && database->count > 0; i++) {
        trial = offer_piece(suggester, last - i);
    }
    if (database->cost.states < suggester->databases[0].cost.states / SMALL_SHARE) {
        database->count = 0; // it is not worth it
    }
    return trial;
}

// Chooses the database that was tried. Returns false if it has no pieces.
static bool keep_database(struct suggester *suggester)
{
    const struct suggested_database *database = &suggester->databases[suggester->database_count];
    if (database->count == 0) {
        return false;
    }
    for (unsigned piece = 0; piece < suggester->definition->piece_count; piece++) {
        suggester->covered[piece] |= database->named[piece];
    }
    suggester->bytes_left -= database->cost.bytes;
    suggester->database_count++;
    return true;
}

// Finds the set with most pieces that are in no database, of the sets that are not finished.
// Returns false if there is none.
static bool find_set_to_cover(const struct suggester *suggester, unsigned *found)
{
    unsigned most = 0;
    for (unsigned s = 0; s < suggester->definition->set_count; s++) {
        unsigned uncovered = count_uncovered(suggester, &suggester->definition->sets[s]);
        if (uncovered > most && !suggester->is_finished[s]) {
            most = uncovered;
            *found = s;
        }
    }
    return most > 0;
}

// Chooses databases that together have at most as many entries, of half a byte, as the memory
// holds: first for each set, and then for pieces that are in none.
static enum trial choose_databases_in_one_pass(struct suggester *suggester)
{
    const struct definition *definition = suggester->definition;
    enum trial trial = TRIAL_DONE;
    unsigned s = 0;
    memset(suggester->covered, 0, sizeof suggester->covered);
    memset(suggester->is_finished, 0, sizeof suggester->is_finished);
    suggester->bytes_left = suggester->memory;
    suggester->database_count = 0;
    while (s < definition->set_count && trial == TRIAL_DONE &&
           suggester->database_count < DATABASES_MOST) {
        trial = make_first_database(suggester, &s);
        (void)keep_database(suggester);
    }
    while (trial == TRIAL_DONE && suggester->database_count < DATABASES_MOST &&
           find_set_to_cover(suggester, &s)) {
        trial = make_further_database(suggester, &definition->sets[s]);
        suggester->is_finished[s] = !keep_database(suggester);
    }
    return trial;
}

// Chooses the databases of a permutation puzzle. If those of a pass are too large together, the
// next pass gives out an eighth less memory. *whole becomes their cost together.
static enum trial choose_piece_databases(struct suggester *suggester, struct cost *whole)
{
    enum trial trial;
    find_changed_pieces(suggester);
    do {
        uint64_t given = suggester->memory;
        trial = choose_databases_in_one_pass(suggester);
        if (trial == TRIAL_FAILED) {
            return TRIAL_FAILED;
        }
        if (suggester->database_count == 0) {
            return TRIAL_TOO_LARGE;
        }
        // All together may take the whole limit.
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
        return error_no_memory(error, "to suggest pattern databases");
    }
    suggester->request = request;
    suggester->definition = definition;
    suggester->error = error;
    suggester->memory = request->memory < MEMORY_MOST ? request->memory : MEMORY_MOST;
    enum trial trial = definition->board ? choose_tile_databases(suggester, &whole)
                                         : choose_piece_databases(suggester, &whole);
    if (trial == TRIAL_DONE) {
        for (unsigned s = 0; s < definition->set_count; s++) {
            left +=
                count_uncovered(suggester, &definition->sets[s]); // on a board, no piece changes
        }
        print_databases(suggester, &whole, left);
    } else if (trial == TRIAL_TOO_LARGE) {
        report_too_large(suggester);
    }
    free(suggester);
    return trial == TRIAL_DONE;
}
