// Reads a puzzle in the language of twsearch's .tws files for the twin of sets.
#include "twin_tws.h"

#include "twin_misuse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORDS = SETS_TWIN_SLOTS + 1,
    LINE = 4096,
    NAME = 16,
    MOVES = 64, // with the rotations
};

struct reader {
    const char *path;
    FILE *file;
    const char *last; // a line after those of the file, or NULL
    int line;
    char text[LINE];
    char *words[WORDS];
    unsigned word_count;
    struct sets_puzzle *puzzle;
    struct sets_view view; // of the sets alone
    char set_names[SETS_TWIN_SETS][NAME];
    bool has_solved;
    bool has_generators;
    struct sets_move moves[MOVES]; // rotations, too
    unsigned move_count;
    char declared[MOVES][NAME]; // the names in `Rotation`
    unsigned declared_count;
};

// ---- Lines --------------------------------------------------------------------------------------

static _Noreturn void die_at(const struct reader *reader, const char *why)
{
    fprintf(stderr, "twin: %s:%d: %s\n", reader->path, reader->line, why);
    exit(EXIT_FAILURE);
}

static void split(struct reader *reader)
{
    reader->word_count = 0;
    for (char *word = strtok(reader->text, " \t\r\n"); word; word = strtok(NULL, " \t\r\n")) {
        if (reader->word_count == WORDS) {
            die_at(reader, "too many words");
        }
        reader->words[reader->word_count++] = word;
    }
}

static bool get_line(struct reader *reader)
{
    reader->line++;
    if (fgets(reader->text, LINE, reader->file)) {
        if (!strchr(reader->text, '\n') && !feof(reader->file)) {
            die_at(reader, "line too long");
        }
        return true;
    }
    if (!reader->last) {
        return false;
    }
    snprintf(reader->text, LINE, "%s", reader->last);
    reader->last = NULL;
    return true;
}

// Reads the next line that is neither empty nor a comment. Returns false at the end of the file.
static bool next_line(struct reader *reader)
{
    while (get_line(reader)) {
        split(reader);
        if (reader->word_count > 0 && reader->words[0][0] != '#') {
            return true;
        }
    }
    return false;
}

static unsigned number_in(const struct reader *reader, const char *word, long least, long most)
{
    char *end;
    long number = strtol(word, &end, 10);
    if (end == word || *end || number < least || number > most) {
        die_at(reader, "not a number that fits here");
    }
    return (unsigned)number;
}

static void copy_name(const struct reader *reader, char to[NAME], const char *name)
{
    if (strlen(name) >= NAME) {
        die_at(reader, "name too long");
    }
    strcpy(to, name);
}

// ---- Sets and states ----------------------------------------------------------------------------

static void read_set(struct reader *reader)
{
    if (reader->has_solved || reader->word_count != 4) {
        die_at(reader, "no place for a set");
    }
    unsigned size = number_in(reader, reader->words[2], 1, SETS_TWIN_SLOTS);
    unsigned turns = number_in(reader, reader->words[3], 1, 127);
    unsigned set = sets_add(reader->puzzle, size, turns);
    copy_name(reader, reader->set_names[set], reader->words[1]);
}

static const struct sets_set *find_set(const struct reader *reader, const char *name)
{
    for (unsigned s = 0; s < reader->puzzle->set_count; s++) {
        if (strcmp(reader->set_names[s], name) == 0) {
            return &reader->puzzle->sets[s];
        }
    }
    die_at(reader, "neither a row nor a set");
}

// The rows between Solved or Move and End. Pieces count from 0 within each set.
struct rows {
    uint8_t piece[SETS_TWIN_SLOTS];
    uint8_t orientation[SETS_TWIN_SLOTS];
    bool wild[SETS_TWIN_SLOTS]; // a ? for an orientation
};

static void read_row(const struct reader *reader, const struct sets_set *set, long lowest,
                     long most, uint8_t *row, bool *wild)
{
    if (reader->word_count != set->size) {
        die_at(reader, "not as many numbers as the set has pieces");
    }
    for (unsigned i = 0; i < set->size; i++) {
        bool is_wild = wild && strcmp(reader->words[i], "?") == 0;
        row[i] =
            is_wild ? 0 : (uint8_t)(number_in(reader, reader->words[i], lowest, most) - lowest);
        if (wild) {
            wild[i] = is_wild;
        }
    }
}

// `lowest` is the number of the first piece.
static void read_rows(struct reader *reader, long lowest, struct rows *rows)
{
    const struct sets_set *set = NULL;
    unsigned row = 0;
    memset(rows, 0, sizeof *rows);
    for (unsigned s = 0; s < reader->puzzle->set_count; s++) {
        for (unsigned i = 0; i < reader->puzzle->sets[s].size; i++) {
            rows->piece[reader->puzzle->sets[s].first + i] = (uint8_t)i;
        }
    }
    while (next_line(reader)) {
        const char *word = reader->words[0];
        if (strcmp(word, "End") == 0) {
            return;
        }
        if (*word != '?' && (*word < '0' || *word > '9')) {
            set = find_set(reader, word);
            row = 0;
        } else if (set && row == 0) {
            read_row(reader, set, lowest, lowest + set->size - 1, rows->piece + set->first, NULL);
            row = 1;
        } else if (set && row == 1) {
            read_row(reader, set, 0, set->turns - 1, rows->orientation + set->first,
                     rows->wild + set->first);
            row = 2;
        } else {
            die_at(reader, "a row of nothing");
        }
    }
    die_at(reader, "no End");
}

static void read_solved(struct reader *reader, long lowest)
{
    struct rows rows;
    if (reader->has_solved) {
        die_at(reader, "no place for a solved state");
    }
    read_rows(reader, lowest, &rows);
    memcpy(reader->puzzle->piece, rows.piece, sizeof rows.piece);
    memcpy(reader->puzzle->orientation, rows.orientation, sizeof rows.orientation);
    memcpy(reader->puzzle->ignored, rows.wild, sizeof rows.wild);
    sets_look(&reader->view, reader->puzzle);
    reader->has_solved = true;
}

static void read_illegal(struct reader *reader)
{
    if (!reader->has_solved || reader->word_count < 4) {
        die_at(reader, "no place for an illegal piece");
    }
    const struct sets_set *set = find_set(reader, reader->words[1]);
    unsigned slot = set->first + number_in(reader, reader->words[2], 1, set->size) - 1;
    for (unsigned i = 3; i < reader->word_count; i++) {
        reader->puzzle->illegal[slot][number_in(reader, reader->words[i], 1, set->size) - 1] = true;
    }
}

// ---- Moves --------------------------------------------------------------------------------------

// Is it called like a rotation: a grip in capitals and one v, or x, y, z, x2, x' …?
static bool has_rotation_name(const char *name)
{
    static const char *const WHOLE[] = {"x", "x2", "x'", "y", "y2", "y'", "z", "z2", "z'"};
    for (size_t i = 0; i < sizeof WHOLE / sizeof *WHOLE; i++) {
        if (strcmp(name, WHOLE[i]) == 0) {
            return true;
        }
    }
    size_t grip = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    return grip > 0 && strcmp(name + grip, "v") == 0;
}

static void list_move(struct reader *reader, const struct sets_move *move)
{
    if (reader->puzzle->move_count == SETS_TWIN_MOVES) {
        die_at(reader, "too many moves");
    }
    reader->puzzle->moves[reader->puzzle->move_count++] = *move;
}

// Move lists the turn of a piece at the slot that it leaves, MoveTransformation at the slot that it
// reaches, and counts slots from 0.
static void read_move(struct reader *reader, bool is_transformation)
{
    struct rows rows;
    bool is_used[SETS_TWIN_SLOTS] = {false};
    if (!reader->has_solved || reader->word_count != 2 || reader->move_count == MOVES) {
        die_at(reader, "no place for a move");
    }
    struct sets_move *move = &reader->moves[reader->move_count++];
    copy_name(reader, move->name, reader->words[1]);
    read_rows(reader, is_transformation ? 0 : 1, &rows);
    for (unsigned i = 0; i < reader->puzzle->slot_count; i++) {
        unsigned from = reader->puzzle->sets[reader->view.set_of[i]].first + rows.piece[i];
        move->from[i] = (uint8_t)from;
        move->turn[from] = rows.orientation[is_transformation ? i : from];
        if (is_used[from]) {
            die_at(reader, "a move that loses a piece");
        }
        is_used[from] = true;
    }
}

// ---- Generators ---------------------------------------------------------------------------------

// Does a move after others, or undoes it after them.
static void add_move(const struct reader *reader, const struct sets_move *move, bool undone,
                     struct sets_move *all)
{
    struct sets_move added = *move;
    struct sets_move before = *all;
    if (undone) {
        sets_invert(&reader->view, move, &added);
    }
    sets_compose(&reader->view, &before, &added, all);
}

static void begin_sequence(const struct reader *reader, struct sets_move *all)
{
    memset(all, 0, sizeof *all);
    for (unsigned i = 0; i < reader->puzzle->slot_count; i++) {
        all->from[i] = (uint8_t)i;
    }
}

// Perhaps a digit, perhaps the mark of the inverse.
static bool is_power(const char *text)
{
    text += *text >= '1' && *text <= '9';
    return strcmp(text, "'") == 0 || *text == '\0';
}

static void add_power(const struct reader *reader, const struct sets_move *move, const char *power,
                      struct sets_move *all)
{
    int times = *power >= '1' && *power <= '9' ? *power++ - '0' : 1;
    for (; times > 0; times--) {
        add_move(reader, move, *power, all);
    }
}

static void add_named(const struct reader *reader, const char *word, struct sets_move *all)
{
    for (unsigned m = 0; m < reader->move_count; m++) {
        const struct sets_move *move = &reader->moves[m];
        size_t length = strlen(move->name);
        if (strncmp(word, move->name, length) == 0 && is_power(word + length)) {
            add_power(reader, move, word + length, all);
            return;
        }
    }
    die_at(reader, "no such move");
}

// The moves in parentheses, with dots between them, and perhaps a power.
static void add_sequence(const struct reader *reader, char *words, struct sets_move *all)
{
    struct sets_move once;
    begin_sequence(reader, &once);
    while (*words) {
        size_t length = strcspn(words, ".)");
        bool is_last = words[length] == ')';
        words[length] = '\0';
        add_named(reader, words, &once);
        words += length + 1;
        if (is_last && is_power(words)) {
            add_power(reader, &once, words, all);
            return;
        }
    }
    die_at(reader, "no end of a sequence");
}

// Must stand after all moves.
static void read_generators(struct reader *reader)
{
    for (unsigned i = 1; i < reader->word_count; i++) {
        char *word = reader->words[i];
        struct sets_move move;
        begin_sequence(reader, &move);
        if (*word == '(') {
            add_sequence(reader, word + 1, &move);
        } else {
            add_named(reader, word, &move);
        }
        list_move(reader, &move);
    }
    reader->has_generators = true;
}

// ---- Rotations ----------------------------------------------------------------------------------

static void read_declared(struct reader *reader)
{
    for (unsigned i = 1; i < reader->word_count; i++) {
        if (reader->declared_count == MOVES) {
            die_at(reader, "too many rotations");
        }
        copy_name(reader, reader->declared[reader->declared_count++], reader->words[i]);
    }
}

static bool is_declared(const struct reader *reader, const char *name)
{
    for (unsigned d = 0; d < reader->declared_count; d++) {
        if (strcmp(reader->declared[d], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_same(const struct reader *reader, const struct sets_move *a,
                    const struct sets_move *b)
{
    return memcmp(a->from, b->from, reader->puzzle->slot_count) == 0 &&
           memcmp(a->turn, b->turn, reader->puzzle->slot_count) == 0;
}

static bool is_power_of(const struct reader *reader, const struct sets_move *move,
                        const struct sets_move *base)
{
    struct sets_move power = *base;
    do {
        if (is_same(reader, &power, move)) {
            return true;
        }
        add_move(reader, base, false, &power);
    } while (!is_same(reader, &power, base));
    return false;
}

// What the candidate, a rotation so far, does to the moves.
enum takes {
    TAKES_ALL,      // each to a power of a move, and one of them to another
    TAKES_TO_TURNS, // each to a power of a move or of a rotation
    TAKES_NONE,     // one to something else, or none to another
};

static enum takes take_moves(const struct reader *reader, unsigned candidate,
                             const bool *is_rotation)
{
    bool moves_one = false;
    bool meets_rotation = false;
    for (unsigned m = 0; m < reader->move_count; m++) {
        struct sets_move image;
        bool found = is_rotation[m];
        begin_sequence(reader, &image);
        add_move(reader, &reader->moves[candidate], false, &image);
        add_move(reader, &reader->moves[m], false, &image);
        add_move(reader, &reader->moves[candidate], true, &image);
        bool is_turn = false;
        for (unsigned other = 0; other < reader->move_count && !found; other++) {
            bool is_power = is_power_of(reader, &image, &reader->moves[other]);
            found = is_power && !is_rotation[other];
            is_turn = is_turn || is_power;
        }
        if (!found && !is_turn) {
            return TAKES_NONE;
        }
        meets_rotation |= !found;
        moves_one |= !is_rotation[m] && !is_same(reader, &image, &reader->moves[m]);
    }
    if (meets_rotation) {
        return TAKES_TO_TURNS;
    }
    return moves_one ? TAKES_ALL : TAKES_NONE;
}

// In one round, the rotations that do so much or less to the moves become moves. Returns whether
// any does.
static bool drop_rotations(const struct reader *reader, enum takes worst, bool is_rotation[MOVES])
{
    bool before[MOVES];
    bool changed = false;
    memcpy(before, is_rotation, sizeof before);
    for (unsigned m = 0; m < reader->move_count; m++) {
        if (before[m] && !is_declared(reader, reader->moves[m].name) &&
            take_moves(reader, m, before) >= worst) {
            is_rotation[m] = false;
            changed = true;
        }
    }
    return changed;
}

// First all moves with such names are rotations. In each round, those that do not take the moves to
// moves or rotations become moves. When no more do, those become moves that take one to a rotation.
static void find_rotations(const struct reader *reader, bool is_rotation[MOVES])
{
    for (unsigned m = 0; m < reader->move_count; m++) {
        is_rotation[m] =
            has_rotation_name(reader->moves[m].name) || is_declared(reader, reader->moves[m].name);
    }
    while (drop_rotations(reader, TAKES_NONE, is_rotation) ||
           drop_rotations(reader, TAKES_TO_TURNS, is_rotation)) {
    }
}

static void list_all_moves(struct reader *reader)
{
    bool is_rotation[MOVES] = {false};
    find_rotations(reader, is_rotation);
    for (unsigned m = 0; m < reader->move_count; m++) {
        if (!is_rotation[m]) {
            list_move(reader, &reader->moves[m]);
        }
    }
}

// ---- The file -----------------------------------------------------------------------------------

static bool is_skipped_line(const char *keyword)
{
    static const char *const SKIPPED[] = {"Name",  "MoveAlias", "MoveSequence",
                                          "Board", "Letters",   "For"};
    for (size_t i = 0; i < sizeof SKIPPED / sizeof *SKIPPED; i++) {
        if (strcmp(keyword, SKIPPED[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void read_part(struct reader *reader)
{
    const char *keyword = reader->words[0];
    if (strcmp(keyword, "Set") == 0) {
        read_set(reader);
    } else if (strcmp(keyword, "Solved") == 0) {
        read_solved(reader, 1);
    } else if (strcmp(keyword, "StartState") == 0) {
        read_solved(reader, 0);
    } else if (strcmp(keyword, "Move") == 0) {
        read_move(reader, false);
    } else if (strcmp(keyword, "MoveTransformation") == 0) {
        read_move(reader, true);
    } else if (strcmp(keyword, "Generators") == 0) {
        read_generators(reader);
    } else if (strcmp(keyword, "Rotation") == 0) {
        read_declared(reader);
    } else if (strcmp(keyword, "Illegal") == 0) {
        read_illegal(reader);
    } else if (!is_skipped_line(keyword)) {
        die_at(reader, "unknown keyword");
    }
}

void twin_read_tws(const char *path, const char *line, struct sets_puzzle *puzzle)
{
    struct reader *reader = must_allocate(1, sizeof *reader);
    *reader = (struct reader){.path = path, .file = fopen(path, "r"), .last = line};
    reader->puzzle = puzzle;
    sets_begin(puzzle);
    if (!reader->file) {
        die_at(reader, "cannot be opened");
    }
    while (next_line(reader)) {
        read_part(reader);
    }
    if (ferror(reader->file)) {
        die_at(reader, "cannot be read");
    }
    fclose(reader->file);
    if (!reader->has_solved) {
        die_at(reader, "no solved state");
    }
    if (!reader->has_generators) {
        list_all_moves(reader);
    }
    free(reader);
}
