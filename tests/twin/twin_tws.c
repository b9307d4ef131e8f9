/* The naive twin of puzzles in .tws files. */
#include "twin_tws.h"

#include "twin_misuse.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SETS = 32,
    SLOTS = 128, /* of all sets together */
    WORDS = SLOTS + 1,
    LINE = 4096,
    NAME = 64,
    MOST_ORDER = 4096, /* limit for the order of a move, far above real ones */
    OTHER = SLOTS,     /* kind of the pieces that are made alike: no piece has this number */
    TURNED,            /* kind of those that are alike, but whose orientations count */
    KINDS,
};

struct set {
    char name[NAME];
    int pieces;
    int orientations;
    int first; /* slot */
    /* The kind of each piece of the solved state; pieces count from 0. */
    unsigned char kind[SLOTS];
    bool is_ignored[KINDS]; /* by kind: its orientation does not count */
};

/* Slot i receives the piece of slot from[i], turned by turn[i]. */
struct move {
    char name[NAME];
    bool is_rotation;
    unsigned char from[SLOTS];
    unsigned char turn[SLOTS];
};

struct moves {
    struct move *all;
    size_t count;
};

/*
 * All states met, as an open-addressing hash table.  An entry is one byte and
 * the state.  The byte is 0 if the entry is free, else the distance plus 1.
 * The state is the kinds of all slots, then their orientations.
 */
struct world {
    unsigned char *table;
    size_t entries; /* a power of two */
    size_t count;
};

/* States one after the other. */
struct list {
    unsigned char *states;
    size_t count, room;
};

struct twin_tws {
    struct set sets[SETS];
    int set_count;
    int slots;
    unsigned char set_of[SLOTS];
    bool has_solved;
    unsigned char solved_piece[SLOTS]; /* from 0 within the set */
    unsigned char solved_orientation[SLOTS];
    bool is_wild[SLOTS]; /* a ? in the solved state */
    bool has_illegal;
    bool is_illegal[SLOTS][SLOTS]; /* by slot and piece from 0: no state may have it there */
    struct moves all;              /* rotations, too */
    struct moves listed;           /* those that count, without their powers */
    bool has_generators;
    bool quarter;
    struct world *world; /* a pointer, so that a const puzzle can be searched */
};

static void *must_grow(void *memory, size_t count, size_t size)
{
    void *grown = realloc(memory, count * size);

    if (!grown)
        die("out of memory");
    return grown;
}

/*
 * Part 1: reading.
 */

struct reader {
    const char *path;
    FILE *file;
    int line;
    char text[LINE];
    char *words[WORDS];
    int word_count;
};

static _Noreturn void die_at(const struct reader *reader, const char *why)
{
    fprintf(stderr, "twin: %s:%d: %s\n", reader->path, reader->line, why);
    exit(EXIT_FAILURE);
}

static void split(struct reader *reader)
{
    reader->word_count = 0;
    for (char *word = strtok(reader->text, " \t\r\n"); word; word = strtok(NULL, " \t\r\n")) {
        if (reader->word_count == WORDS)
            die_at(reader, "too many words");
        reader->words[reader->word_count++] = word;
    }
}

/* Reads the next line that is neither empty nor a comment. Returns false at the end of the file. */
static bool next_line(struct reader *reader)
{
    while (fgets(reader->text, LINE, reader->file)) {
        reader->line++;
        if (!strchr(reader->text, '\n') && !feof(reader->file))
            die_at(reader, "line too long");
        split(reader);
        if (reader->word_count > 0 && reader->words[0][0] != '#')
            return true;
    }
    return false;
}

static int number_in(const struct reader *reader, const char *word, int least, int most)
{
    char *end;
    long number = strtol(word, &end, 10);

    if (end == word || *end || number < least || number > most)
        die_at(reader, "not a number that fits here");
    return (int)number;
}

static void copy_name(const struct reader *reader, char to[NAME], const char *name)
{
    if (strlen(name) >= NAME)
        die_at(reader, "name too long");
    strcpy(to, name);
}

static void read_set(struct reader *reader, struct twin_tws *tws)
{
    if (tws->has_solved || tws->set_count == SETS || reader->word_count != 4)
        die_at(reader, "no place for a set");

    struct set *set = &tws->sets[tws->set_count];

    copy_name(reader, set->name, reader->words[1]);
    set->first = tws->slots;
    set->pieces = number_in(reader, reader->words[2], 1, SLOTS - tws->slots);
    set->orientations = number_in(reader, reader->words[3], 1, 127);
    memset(tws->set_of + set->first, tws->set_count, (size_t)set->pieces);
    tws->slots += set->pieces;
    tws->set_count++;
}

static const struct set *find_set(const struct reader *reader, const struct twin_tws *tws)
{
    if (reader->word_count == 1) {
        for (int i = 0; i < tws->set_count; i++) {
            if (strcmp(tws->sets[i].name, reader->words[0]) == 0)
                return &tws->sets[i];
        }
    }
    die_at(reader, "neither a row nor a set");
}

/* The rows between Solved or Move and End. Pieces count from 0 within each set. The orientation of
 * a ? is -1. */
struct rows {
    int piece[SLOTS];
    int orientation[SLOTS];
};

static void identity_rows(const struct twin_tws *tws, struct rows *rows)
{
    for (int i = 0; i < tws->slots; i++) {
        rows->piece[i] = i - tws->sets[tws->set_of[i]].first;
        rows->orientation[i] = 0;
    }
}

static void read_pieces(const struct reader *reader, const struct set *set, int lowest,
                        struct rows *rows)
{
    if (reader->word_count != set->pieces)
        die_at(reader, "not as many numbers as the set has pieces");
    for (int i = 0; i < set->pieces; i++)
        rows->piece[set->first + i] =
            number_in(reader, reader->words[i], lowest, lowest + set->pieces - 1) - lowest;
}

static void read_orientations(const struct reader *reader, const struct set *set, bool may_be_wild,
                              struct rows *rows)
{
    if (reader->word_count != set->pieces)
        die_at(reader, "not as many numbers as the set has pieces");
    for (int i = 0; i < set->pieces; i++) {
        bool is_wild = may_be_wild && strcmp(reader->words[i], "?") == 0;

        rows->orientation[set->first + i] =
            is_wild ? -1 : number_in(reader, reader->words[i], 0, set->orientations - 1);
    }
}

static bool is_row(const char *word)
{
    return *word == '?' || (*word >= '0' && *word <= '9');
}

/* lowest is the number of the first piece. Only a state may have ? for an orientation. */
static void read_rows(struct reader *reader, const struct twin_tws *tws, int lowest, bool is_state,
                      struct rows *rows)
{
    const struct set *set = NULL;
    int row = 0;

    identity_rows(tws, rows);
    while (next_line(reader)) {
        if (strcmp(reader->words[0], "End") == 0)
            return;
        if (!is_row(reader->words[0])) {
            set = find_set(reader, tws);
            row = 0;
        } else if (set && row == 0) {
            read_pieces(reader, set, lowest, rows);
            row = 1;
        } else if (set && row == 1) {
            read_orientations(reader, set, is_state, rows);
            row = 2;
        } else {
            die_at(reader, "a row of nothing");
        }
    }
    die_at(reader, "no End");
}

static void read_solved(struct reader *reader, struct twin_tws *tws, int lowest)
{
    struct rows rows;

    if (tws->has_solved || tws->set_count == 0)
        die_at(reader, "no place for a solved state");
    read_rows(reader, tws, lowest, true, &rows);
    for (int i = 0; i < tws->slots; i++) {
        tws->solved_piece[i] = (unsigned char)rows.piece[i];
        tws->is_wild[i] = rows.orientation[i] < 0;
        tws->solved_orientation[i] = (unsigned char)(tws->is_wild[i] ? 0 : rows.orientation[i]);
    }
    tws->has_solved = true;
}

/* Is it a rotation of the whole puzzle: a grip in capitals and one v, or x, y, z, x2, x' ...? */
static bool is_rotation(const char *name)
{
    static const char *const whole[] = {"x", "x2", "x'", "y", "y2", "y'", "z", "z2", "z'"};

    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        if (strcmp(name, whole[i]) == 0)
            return true;
    }

    size_t grip = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");

    return grip > 0 && strcmp(name + grip, "v") == 0;
}

static void check_permutation(const struct reader *reader, const struct twin_tws *tws,
                              const struct move *move)
{
    bool is_used[SLOTS] = {false};

    for (int i = 0; i < tws->slots; i++) {
        if (is_used[move->from[i]])
            die_at(reader, "a move that loses a piece");
        is_used[move->from[i]] = true;
    }
}

/* The move that does a, then b. */
static struct move compose(const struct twin_tws *tws, const struct move *a, const struct move *b)
{
    struct move both = {0};

    for (int i = 0; i < tws->slots; i++) {
        int middle = b->from[i];
        int turn = a->turn[middle] + b->turn[i];

        both.from[i] = a->from[middle];
        both.turn[i] = (unsigned char)(turn % tws->sets[tws->set_of[i]].orientations);
    }
    return both;
}

static struct move invert(const struct twin_tws *tws, const struct move *move)
{
    struct move inverse = {0};

    for (int i = 0; i < tws->slots; i++) {
        int orientations = tws->sets[tws->set_of[i]].orientations;

        inverse.from[move->from[i]] = (unsigned char)i;
        inverse.turn[move->from[i]] =
            (unsigned char)((orientations - move->turn[i]) % orientations);
    }
    return inverse;
}

static void add_move(struct moves *moves, const struct move *move)
{
    moves->all = must_grow(moves->all, moves->count + 1, sizeof *move);
    moves->all[moves->count++] = *move;
}

/* Move lists the turn of a piece at the slot that it leaves, MoveTransformation at the slot that it
 * reaches. */
static void read_move(struct reader *reader, struct twin_tws *tws, bool is_new)
{
    struct rows rows;
    struct move move = {0};

    if (!tws->has_solved || reader->word_count != 2)
        die_at(reader, "no place for a move");

    copy_name(reader, move.name, reader->words[1]);
    move.is_rotation = is_rotation(move.name);
    read_rows(reader, tws, is_new ? 0 : 1, false, &rows);
    for (int i = 0; i < tws->slots; i++) {
        int from = tws->sets[tws->set_of[i]].first + rows.piece[i];

        move.from[i] = (unsigned char)from;
        move.turn[i] = (unsigned char)rows.orientation[is_new ? i : from];
    }
    check_permutation(reader, tws, &move);
    add_move(&tws->all, &move);
}

/* Perhaps a digit, perhaps the mark of the inverse. */
static bool is_power(const char *text)
{
    text += *text >= '1' && *text <= '9';
    return strcmp(text, "'") == 0 || *text == '\0';
}

static struct move power_of(const struct twin_tws *tws, const struct move *move, const char *text)
{
    struct move power = *move;
    int times = *text >= '1' && *text <= '9' ? *text++ - '0' : 1;

    while (--times > 0)
        power = compose(tws, &power, move);
    return *text ? invert(tws, &power) : power;
}

static struct move move_of(const struct reader *reader, const struct twin_tws *tws,
                           const char *word)
{
    for (size_t m = 0; m < tws->all.count; m++) {
        const struct move *move = &tws->all.all[m];
        size_t length = strlen(move->name);

        if (strncmp(word, move->name, length) == 0 && is_power(word + length))
            return power_of(tws, move, word + length);
    }
    die_at(reader, "no such move");
}

/* The moves in parentheses, with dots between them, and perhaps a power. */
static struct move sequence_of(const struct reader *reader, const struct twin_tws *tws, char *words)
{
    struct move all;
    bool is_first = true;

    while (*words) {
        size_t length = strcspn(words, ".)");
        bool is_last = words[length] == ')';

        words[length] = '\0';

        struct move next = move_of(reader, tws, words);

        all = is_first ? next : compose(tws, &all, &next);
        is_first = false;
        words += length + 1;
        if (is_last && is_power(words))
            return power_of(tws, &all, words);
    }
    die_at(reader, "no end of a sequence");
}

/* Must stand after all moves. */
static void read_generators(struct reader *reader, struct twin_tws *tws)
{
    for (int i = 1; i < reader->word_count; i++) {
        char *word = reader->words[i];
        struct move move =
            *word == '(' ? sequence_of(reader, tws, word + 1) : move_of(reader, tws, word);

        add_move(&tws->listed, &move);
    }
    tws->has_generators = true;
}

static void list_moves(struct twin_tws *tws)
{
    for (size_t m = 0; m < tws->all.count && !tws->has_generators; m++) {
        if (!tws->all.all[m].is_rotation)
            add_move(&tws->listed, &tws->all.all[m]);
    }
}

static void read_illegal(struct reader *reader, struct twin_tws *tws)
{
    const struct set *set = NULL;

    for (int i = 0; i < tws->set_count && reader->word_count > 3; i++) {
        if (strcmp(tws->sets[i].name, reader->words[1]) == 0)
            set = &tws->sets[i];
    }
    if (!tws->has_solved || !set)
        die_at(reader, "no place for an illegal piece");

    int slot = set->first + number_in(reader, reader->words[2], 1, set->pieces) - 1;

    for (int i = 3; i < reader->word_count; i++)
        tws->is_illegal[slot][number_in(reader, reader->words[i], 1, set->pieces) - 1] = true;
    tws->has_illegal = true;
}

static bool is_skipped_line(const char *keyword)
{
    static const char *const skipped[] = {"Name",  "MoveAlias", "MoveSequence",
                                          "Board", "Letters",   "For"};

    for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++) {
        if (strcmp(keyword, skipped[i]) == 0)
            return true;
    }
    return false;
}

static void read_part(struct reader *reader, struct twin_tws *tws)
{
    const char *keyword = reader->words[0];

    if (strcmp(keyword, "Set") == 0)
        read_set(reader, tws);
    else if (strcmp(keyword, "Solved") == 0)
        read_solved(reader, tws, 1);
    else if (strcmp(keyword, "StartState") == 0)
        read_solved(reader, tws, 0);
    else if (strcmp(keyword, "Move") == 0)
        read_move(reader, tws, false);
    else if (strcmp(keyword, "MoveTransformation") == 0)
        read_move(reader, tws, true);
    else if (strcmp(keyword, "Generators") == 0)
        read_generators(reader, tws);
    else if (strcmp(keyword, "Illegal") == 0)
        read_illegal(reader, tws);
    else if (!is_skipped_line(keyword))
        die_at(reader, "unknown keyword");
}

/* If pieces look alike, all or none of them must have ? for an orientation: nobody could tell which
 * one is meant. */
static void find_ignored(struct twin_tws *tws)
{
    bool is_known[SETS][KINDS] = {{false}};

    for (int i = 0; i < tws->slots; i++) {
        int s = tws->set_of[i];
        struct set *set = &tws->sets[s];
        int kind = set->kind[tws->solved_piece[i]];

        if (is_known[s][kind] && set->is_ignored[kind] != tws->is_wild[i])
            die("pieces that look alike, only some of them with ? for an orientation");
        is_known[s][kind] = true;
        set->is_ignored[kind] = tws->is_wild[i];
    }
}

static void all_distinct(struct set *set)
{
    for (int piece = 0; piece < SLOTS; piece++)
        set->kind[piece] = (unsigned char)piece;
}

struct twin_tws *twin_tws_read(const char *path)
{
    struct twin_tws *tws = must_allocate(1, sizeof *tws);
    struct reader reader = {.path = path, .file = fopen(path, "r")};

    if (!reader.file)
        die_at(&reader, "cannot be opened");
    while (next_line(&reader))
        read_part(&reader, tws);
    if (ferror(reader.file))
        die_at(&reader, "cannot be read");
    fclose(reader.file);
    if (!tws->has_solved)
        die_at(&reader, "no solved state");
    list_moves(tws);
    for (int i = 0; i < tws->set_count; i++)
        all_distinct(&tws->sets[i]);
    find_ignored(tws);
    tws->world = must_allocate(1, sizeof *tws->world);
    return tws;
}

/*
 * Part 2: moves and their powers.
 */

static bool is_identity(const struct twin_tws *tws, const struct move *move)
{
    for (int i = 0; i < tws->slots; i++) {
        if (move->from[i] != i || move->turn[i] != 0)
            return false;
    }
    return true;
}

static void add_powers(const struct twin_tws *tws, const struct move *move, struct moves *moves)
{
    struct move power = *move;

    for (int n = 1; !is_identity(tws, &power); n++) {
        struct move next = compose(tws, &power, move);

        if (n == MOST_ORDER)
            die("a move that has too many powers");
        /* The last power before the identity is the inverse. */
        if (!tws->quarter || n == 1 || is_identity(tws, &next))
            add_move(moves, &power);
        power = next;
    }
}

static struct moves effective_moves(const struct twin_tws *tws)
{
    struct moves moves = {0};

    for (size_t i = 0; i < tws->listed.count; i++)
        add_powers(tws, &tws->listed.all[i], &moves);
    return moves;
}

/*
 * Part 3: states, as bytes.
 */

static size_t state_size(const struct twin_tws *tws)
{
    return 2 * (size_t)tws->slots;
}

/* A subtraction is much faster than a remainder, so orientation must be less than twice the number
 * of the set's orientations. */
static void put(const struct twin_tws *tws, unsigned char *state, int slot, int kind,
                int orientation)
{
    const struct set *set = &tws->sets[tws->set_of[slot]];

    if (orientation >= set->orientations)
        orientation -= set->orientations;
    /* Equal states must be equal bytes, so an orientation that does not count is 0. */
    if (set->is_ignored[kind])
        orientation = 0;
    state[slot] = (unsigned char)kind;
    state[tws->slots + slot] = (unsigned char)orientation;
}

static void put_solved(const struct twin_tws *tws, unsigned char *state)
{
    for (int i = 0; i < tws->slots; i++) {
        const struct set *set = &tws->sets[tws->set_of[i]];

        put(tws, state, i, set->kind[tws->solved_piece[i]], tws->solved_orientation[i]);
    }
}

static void apply(const struct twin_tws *tws, const struct move *move, const unsigned char *from,
                  unsigned char *to)
{
    for (int i = 0; i < tws->slots; i++) {
        int source = move->from[i];

        put(tws, to, i, from[source], from[tws->slots + source] + move->turn[i]);
    }
}

/* The kinds are the numbers of the pieces, unless pieces are tracked. */
static bool is_illegal(const struct twin_tws *tws, const unsigned char *state)
{
    bool is = false;

    for (int i = 0; i < tws->slots && tws->has_illegal; i++)
        is = is || tws->is_illegal[i][state[i]];
    return is;
}

/*
 * Part 4: the search.
 */

static void forget(struct world *world)
{
    free(world->table);
    *world = (struct world){0};
}

/* FNV-1a, then a shuffle: FNV-1a alone leaves states that differ in the last bytes close by. */
static size_t hash(const unsigned char *state, size_t size)
{
    uint64_t value = 14695981039346656037u;

    for (size_t i = 0; i < size; i++)
        value = (value ^ state[i]) * 1099511628211u;
    value = (value ^ value >> 33) * 0xff51afd7ed558ccdu;
    return (size_t)(value ^ value >> 33);
}

/* The entry that has the state, or else the free one where it belongs. */
static unsigned char *find_entry(const struct world *world, const unsigned char *state, size_t size)
{
    size_t i = hash(state, size) & (world->entries - 1);
    unsigned char *entry = world->table + i * (1 + size);

    while (*entry != 0 && memcmp(entry + 1, state, size) != 0) {
        i = (i + 1) & (world->entries - 1);
        entry = world->table + i * (1 + size);
    }
    return entry;
}

static void grow_table(struct world *world, size_t size)
{
    struct world old = *world;

    world->entries = old.entries ? 2 * old.entries : 1024;
    world->table = must_allocate(world->entries, 1 + size);
    for (size_t i = 0; i < old.entries; i++) {
        unsigned char *entry = old.table + i * (1 + size);

        if (*entry != 0)
            memcpy(find_entry(world, entry + 1, size), entry, 1 + size);
    }
    free(old.table);
}

static void append(struct list *list, const unsigned char *state, size_t size)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 1024;
        list->states = must_grow(list->states, list->room, size);
    }
    memcpy(list->states + list->count * size, state, size);
    list->count++;
}

/* Records a state at this distance and adds it to the list, unless it was met before. */
static void meet(struct world *world, const unsigned char *state, size_t size, int distance,
                 struct list *list)
{
    /* Keep the table at most three quarters full: long probes for a free entry are slow. */
    if (4 * (world->count + 1) > 3 * world->entries)
        grow_table(world, size);

    unsigned char *entry = find_entry(world, state, size);

    if (*entry != 0)
        return;
    if (distance + 1 >= TWIN_TWS_DISTANCES)
        die("a state too far away");
    *entry = (unsigned char)(distance + 1);
    memcpy(entry + 1, state, size);
    world->count++;
    append(list, state, size);
}

/* Lists the next layer: all new states that are one move from those given. */
static struct list step(const struct twin_tws *tws, const struct moves *moves,
                        const struct list *list, int distance)
{
    size_t size = state_size(tws);
    unsigned char state[2 * SLOTS];
    struct list next = {0};

    for (size_t i = 0; i < list->count; i++) {
        for (size_t m = 0; m < moves->count; m++) {
            apply(tws, &moves->all[m], list->states + i * size, state);
            if (!is_illegal(tws, state))
                meet(tws->world, state, size, distance, &next);
        }
    }
    return next;
}

size_t twin_tws_histogram(const struct twin_tws *tws, unsigned long long counts[TWIN_TWS_DISTANCES])
{
    struct moves moves = effective_moves(tws);
    unsigned char solved[2 * SLOTS];
    struct list list = {0};
    int distance = 0;

    forget(tws->world);
    memset(counts, 0, TWIN_TWS_DISTANCES * sizeof *counts);
    put_solved(tws, solved);
    meet(tws->world, solved, state_size(tws), 0, &list);
    while (list.count > 0) {
        counts[distance] = list.count;
        distance++;

        struct list next = step(tws, &moves, &list, distance);

        free(list.states);
        list = next;
    }
    free(list.states);
    free(moves.all);
    return (size_t)distance;
}

int twin_tws_distance(const struct twin_tws *tws, const int *pieces, const int *orientations)
{
    const struct world *world = tws->world;
    unsigned char state[2 * SLOTS];

    if (world->count == 0)
        die("a distance before the states were counted");
    for (int i = 0; i < tws->slots; i++) {
        const struct set *set = &tws->sets[tws->set_of[i]];

        if (pieces[i] < 1 || pieces[i] > set->pieces)
            die("no such piece");

        int kind = set->kind[pieces[i] - 1];

        if (!set->is_ignored[kind] && (orientations[i] < 0 || orientations[i] >= set->orientations))
            die("no such orientation");
        put(tws, state, i, kind, orientations[i]);
    }

    /* The byte of a free entry is 0, which gives -1. */
    return *find_entry(world, state, state_size(tws)) - 1;
}

/*
 * Part 5: the rest.
 */

void twin_tws_set_quarter(struct twin_tws *tws, bool quarter)
{
    tws->quarter = quarter;
    forget(tws->world);
}

void twin_tws_track(struct twin_tws *tws, const int *pieces, int count)
{
    struct set *set = &tws->sets[0];

    if (tws->has_illegal)
        die("tracked pieces and illegal ones");
    all_distinct(set);
    if (count > 0)
        memset(set->kind, OTHER, sizeof set->kind);
    for (int i = 0; i < count; i++) {
        if (pieces[i] < 1 || pieces[i] > set->pieces)
            die("no such piece to track");
        set->kind[pieces[i] - 1] = (unsigned char)(pieces[i] - 1);
    }
    find_ignored(tws);
    forget(tws->world);
}

void twin_tws_keep(struct twin_tws *tws, const char *kept)
{
    struct set *set = &tws->sets[0];

    if (tws->has_illegal)
        die("tracked pieces and illegal ones");
    if (strlen(kept) != (size_t)set->pieces)
        die("not as many letters as the set has pieces");
    all_distinct(set);
    find_ignored(tws);
    set->is_ignored[OTHER] = true;
    for (int piece = 0; piece < set->pieces; piece++) {
        if (kept[piece] == 'o')
            set->kind[piece] = TURNED;
        else if (kept[piece] == '-')
            set->kind[piece] = OTHER;
        else if (kept[piece] == 'p')
            set->is_ignored[piece] = true;
        else if (kept[piece] != 'w')
            die("no such letter");
    }
    forget(tws->world);
}

int twin_tws_slots(const struct twin_tws *tws)
{
    return tws->slots;
}

void twin_tws_free(struct twin_tws *tws)
{
    if (!tws)
        return;
    forget(tws->world);
    free(tws->world);
    free(tws->all.all);
    free(tws->listed.all);
    free(tws);
}
