/* The naive twin of the Game and of permutation puzzles. */
#include "twin.h"

#include "twin_misuse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Part 1: the Game.
 *
 * One breadth-first search from 123456789 gives the distance of every board
 * from there.  The distance between two boards follows by renaming tiles.  A
 * move acts on places, so renaming the tiles of both boards in the same way
 * changes no path.  Rename them so that start becomes 123456789, and look the
 * distance up.  For a target with stars, try every board that fits.
 *
 * The first shortest path needs no search of its own: at each board take the
 * first name in byte order that brings the target one step nearer.
 */

enum { GAME_BOARDS = 362880, GAME_MOVES = 12, GAME_PATH = 64 };

static const char game_solved[] = "123456789";

const char *const twin_game_moves[12] = {
    "C1", "C1'", "C2", "C2'", "C3", "C3'", "R1", "R1'", "R2", "R2'", "R3", "R3'",
};

static void rotate_row_right(int row, const char from[9], char to[9])
{
    to[3 * row + 0] = from[3 * row + 2];
    to[3 * row + 1] = from[3 * row + 0];
    to[3 * row + 2] = from[3 * row + 1];
}

static void rotate_row_left(int row, const char from[9], char to[9])
{
    to[3 * row + 0] = from[3 * row + 1];
    to[3 * row + 1] = from[3 * row + 2];
    to[3 * row + 2] = from[3 * row + 0];
}

static void rotate_column_down(int column, const char from[9], char to[9])
{
    to[0 + column] = from[6 + column];
    to[3 + column] = from[0 + column];
    to[6 + column] = from[3 + column];
}

static void rotate_column_up(int column, const char from[9], char to[9])
{
    to[0 + column] = from[3 + column];
    to[3 + column] = from[6 + column];
    to[6 + column] = from[0 + column];
}

static bool is_game_move(const char *name)
{
    for (int i = 0; i < GAME_MOVES; i++) {
        if (strcmp(name, twin_game_moves[i]) == 0)
            return true;
    }
    return false;
}

void twin_game_move(const char *name, const char from[9], char to[9])
{
    char old[9];

    if (!is_game_move(name))
        die("unknown move of the Game");

    bool is_row = name[0] == 'R';
    int line = name[1] - '1';
    bool is_back = name[2] == '\'';

    /* The copy lets from and to be the same board. */
    memcpy(old, from, 9);
    memcpy(to, old, 9);
    if (is_row && !is_back)
        rotate_row_right(line, old, to);
    else if (is_row)
        rotate_row_left(line, old, to);
    else if (!is_back)
        rotate_column_down(line, old, to);
    else
        rotate_column_up(line, old, to);
}

static unsigned factorial(unsigned n)
{
    unsigned product = 1;

    for (unsigned i = 2; i <= n; i++)
        product *= i;
    return product;
}

unsigned twin_game_rank(const char board[9])
{
    unsigned rank = 0;

    /* Boards with a smaller tile here come earlier: for each such tile, all orders of the rest. */
    for (unsigned i = 0; i < 9; i++) {
        for (unsigned j = i + 1; j < 9; j++) {
            if (board[j] < board[i])
                rank += factorial(8 - i);
        }
    }
    return rank;
}

void twin_game_unrank(unsigned rank, char board[9])
{
    bool used[9] = {false};

    if (rank >= GAME_BOARDS)
        die("rank past the last board of the Game");

    /* For each tile that is too small to be here, skip all boards that have it here. */
    for (unsigned i = 0; i < 9; i++) {
        for (int tile = 0; tile < 9; tile++) {
            if (used[tile])
                continue;
            if (rank < factorial(8 - i)) {
                board[i] = (char)('1' + tile);
                used[tile] = true;
                break;
            }
            rank -= factorial(8 - i);
        }
    }
}

struct game_board {
    char tiles[9];
};

static void search_game(unsigned char *distances)
{
    struct game_board *queue = must_allocate(GAME_BOARDS, sizeof(*queue));
    size_t head = 0;
    size_t tail = 0;

    memset(distances, TWIN_GAME_UNREACHABLE, GAME_BOARDS);
    memcpy(queue[tail++].tiles, game_solved, 9);
    distances[twin_game_rank(game_solved)] = 0;

    while (head < tail) {
        struct game_board board = queue[head++];
        unsigned distance = distances[twin_game_rank(board.tiles)];

        for (int i = 0; i < GAME_MOVES; i++) {
            struct game_board next;
            unsigned rank;

            twin_game_move(twin_game_moves[i], board.tiles, next.tiles);
            rank = twin_game_rank(next.tiles);
            if (distances[rank] != TWIN_GAME_UNREACHABLE)
                continue;
            distances[rank] = (unsigned char)(distance + 1);
            queue[tail++] = next;
        }
    }
    free(queue);
}

const unsigned char *twin_game_distances(void)
{
    static unsigned char *distances;

    if (!distances) {
        distances = must_allocate(GAME_BOARDS, sizeof(*distances));
        search_game(distances);
    }
    return distances;
}

static bool has_tile(const char board[9], char tile)
{
    for (int i = 0; i < 9; i++) {
        if (board[i] == tile)
            return true;
    }
    return false;
}

static bool is_board(const char board[9])
{
    for (char tile = '1'; tile <= '9'; tile++) {
        if (!has_tile(board, tile))
            return false;
    }
    return true;
}

/* Distance between two full boards, after renaming the tiles so that start becomes 123456789. */
static int steps_between(const char start[9], const char target[9])
{
    char renamed[9] = {0};
    int steps;

    for (int cell = 0; cell < 9; cell++) {
        for (int i = 0; i < 9; i++) {
            if (start[i] == target[cell])
                renamed[cell] = (char)('1' + i);
        }
    }
    steps = twin_game_distances()[twin_game_rank(renamed)];
    return steps == TWIN_GAME_UNREACHABLE ? -1 : steps;
}

/* Fills the first star with each tile that the target lacks; the recursion fills the others. */
static int steps_to_nearest(const char start[9], const char target[9])
{
    const char *star = memchr(target, '*', 9);
    int nearest = -1;

    if (!star)
        return is_board(target) ? steps_between(start, target) : -1;

    for (char tile = '1'; tile <= '9'; tile++) {
        char filled[9];
        int steps;

        if (has_tile(target, tile))
            continue;
        memcpy(filled, target, 9);
        filled[star - target] = tile;
        steps = steps_to_nearest(start, filled);
        if (steps >= 0 && (nearest < 0 || steps < nearest))
            nearest = steps;
    }
    return nearest;
}

int twin_game_steps(const char start[9], const char target[9])
{
    if (!is_board(start))
        return -1;
    return steps_to_nearest(start, target);
}

/* Appends a name, after a space unless it is the first. */
static void append_name(char out[GAME_PATH], const char *name)
{
    const char *space = out[0] ? " " : "";

    if (strlen(out) + strlen(space) + strlen(name) >= GAME_PATH)
        die("path of the Game too long");
    strcat(out, space);
    strcat(out, name);
}

bool twin_game_path(const char start[9], const char target[9], char out[64])
{
    char board[9];
    int steps = twin_game_steps(start, target);

    out[0] = '\0';
    if (steps < 0)
        return false;

    memcpy(board, start, 9);
    while (steps > 0) {
        int i;

        for (i = 0; i < GAME_MOVES; i++) {
            char next[9];

            twin_game_move(twin_game_moves[i], board, next);
            if (twin_game_steps(next, target) == steps - 1) {
                append_name(out, twin_game_moves[i]);
                memcpy(board, next, 9);
                break;
            }
        }
        if (i == GAME_MOVES)
            die("no move of the Game brings the target nearer");
        steps--;
    }
    return true;
}

/*
 * Part 2: permutation puzzles in general.
 *
 * A move is applied to a complete state, slot by slot, by the formula in the
 * header.  To find a power of a move, apply the move again and again to a
 * state of distinct, unturned pieces.  The result shows where each piece came
 * from and how it is turned.
 *
 * Two states are equal if their keys are.  A key is the pieces, then the
 * orientations, with zero for those that are ignored.  Ignoring them is safe in
 * a search: an orientation affects only the later orientations of its own
 * piece, so equal states stay equal under every move.
 *
 * A world is the list of states in the order in which a breadth-first search
 * meets them.  The list is its own queue, and a hash table finds a key in it.
 * For the distance between two states, the same search ends early.
 */

enum { WORLD_CHAINS = 100003, KEY_SIZE = 2 * TWIN_PIECES };

struct world_node {
    struct twin_state state;
    unsigned char key[KEY_SIZE];
    int distance;
    struct world_node *next_in_chain;
};

struct twin_world {
    struct twin_puzzle puzzle;
    bool ignored[TWIN_SETS][TWIN_PIECES + 1]; /* by set and piece number */
    struct world_node **nodes;
    size_t count;
    size_t room;
    struct world_node *chains[WORLD_CHAINS];
};

static int slot_count(const struct twin_puzzle *puzzle)
{
    int count = 0;

    for (int s = 0; s < puzzle->set_count; s++)
        count += puzzle->sets[s].pieces;
    return count;
}

/* Does a row take the pieces of the slots from different slots of the same set? */
static bool is_permutation(const int *row, int pieces)
{
    for (int i = 0; i < pieces; i++) {
        if (row[i] < 1 || row[i] > pieces)
            return false;
        for (int j = 0; j < i; j++) {
            if (row[j] == row[i])
                return false;
        }
    }
    return true;
}

static void check_move(const struct twin_puzzle *puzzle, const struct twin_move *move)
{
    int first = 0;

    for (int s = 0; s < puzzle->set_count; s++) {
        int pieces = puzzle->sets[s].pieces;

        if (!is_permutation(move->piece + first, pieces))
            die("a move is not a permutation");
        for (int i = first; i < first + pieces; i++) {
            if (move->orientation[i] < 0)
                die("a move turns a piece by a negative amount");
        }
        first += pieces;
    }
}

static void check_puzzle(const struct twin_puzzle *puzzle)
{
    if (puzzle->set_count < 0 || puzzle->set_count > TWIN_SETS)
        die("too many sets");
    if (puzzle->move_count < 0 || puzzle->move_count > TWIN_MOVES)
        die("too many moves");
    if (slot_count(puzzle) > TWIN_PIECES)
        die("too many pieces");

    for (int s = 0; s < puzzle->set_count; s++) {
        if (puzzle->sets[s].orientations < 1)
            die("a set needs at least one orientation");
    }
    for (int m = 0; m < puzzle->move_count; m++)
        check_move(puzzle, &puzzle->moves[m]);
}

void twin_apply(const struct twin_puzzle *puzzle, const struct twin_move *move,
                const struct twin_state *from, struct twin_state *to)
{
    struct twin_state result = {0};
    int first = 0;

    for (int s = 0; s < puzzle->set_count; s++) {
        int orientations = puzzle->sets[s].orientations;

        for (int i = first; i < first + puzzle->sets[s].pieces; i++) {
            int left = first + move->piece[i] - 1;

            result.piece[i] = from->piece[left];
            result.orientation[i] =
                (from->orientation[left] + move->orientation[left]) % orientations;
        }
        first += puzzle->sets[s].pieces;
    }
    *to = result;
}

/* The state in which every piece is distinct, unturned and in the slot of its number. */
static struct twin_state labelled_state(const struct twin_puzzle *puzzle)
{
    struct twin_state state = {0};
    int first = 0;

    for (int s = 0; s < puzzle->set_count; s++) {
        for (int i = 0; i < puzzle->sets[s].pieces; i++)
            state.piece[first + i] = i + 1;
        first += puzzle->sets[s].pieces;
    }
    return state;
}

static bool is_labelled_state(const struct twin_puzzle *puzzle, const struct twin_state *state)
{
    struct twin_state labelled = labelled_state(puzzle);

    for (int i = 0; i < slot_count(puzzle); i++) {
        if (state->piece[i] != labelled.piece[i] || state->orientation[i] != 0)
            return false;
    }
    return true;
}

static int move_order(const struct twin_puzzle *puzzle, const struct twin_move *move)
{
    struct twin_state state = labelled_state(puzzle);
    int order = 0;

    do {
        twin_apply(puzzle, move, &state, &state);
        order++;
    } while (!is_labelled_state(puzzle, &state));
    return order;
}

static void name_power(const char *name, int power, int order, char out[16])
{
    int back = order - power;
    int length;

    if (power <= back && power == 1)
        length = snprintf(out, 16, "%s", name);
    else if (power <= back)
        length = snprintf(out, 16, "%s%d", name, power);
    else if (back == 1)
        length = snprintf(out, 16, "%s'", name);
    else
        length = snprintf(out, 16, "%s%d'", name, back);
    if (length < 0 || length >= 16)
        die("name of a power too long");
}

static struct twin_move move_power(const struct twin_puzzle *puzzle, const struct twin_move *move,
                                   int power)
{
    struct twin_state state = labelled_state(puzzle);
    struct twin_move result = {0};
    int first = 0;

    for (int i = 0; i < power; i++)
        twin_apply(puzzle, move, &state, &state);

    /* The number of the piece in slot i is the slot that it left. Its turn belongs to that slot. */
    for (int s = 0; s < puzzle->set_count; s++) {
        for (int i = first; i < first + puzzle->sets[s].pieces; i++) {
            result.piece[i] = state.piece[i];
            result.orientation[first + state.piece[i] - 1] = state.orientation[i];
        }
        first += puzzle->sets[s].pieces;
    }
    name_power(move->name, power, move_order(puzzle, move), result.name);
    return result;
}

static void sort_by_name(struct twin_move *moves, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            if (strcmp(moves[j].name, moves[i].name) < 0) {
                struct twin_move swapped = moves[i];

                moves[i] = moves[j];
                moves[j] = swapped;
            }
        }
    }
}

size_t twin_all_moves(const struct twin_puzzle *puzzle, struct twin_move *out, size_t room)
{
    size_t count = 0;

    check_puzzle(puzzle);
    for (int m = 0; m < puzzle->move_count; m++) {
        const struct twin_move *move = &puzzle->moves[m];

        if (!puzzle->powers) {
            if (count < room)
                out[count] = *move;
            count++;
            continue;
        }
        for (int power = 1; power < move_order(puzzle, move); power++) {
            if (count < room)
                out[count] = move_power(puzzle, move, power);
            count++;
        }
    }
    sort_by_name(out, count < room ? count : room);
    return count;
}

/* The puzzle flags slots of the solved state. The world flags the numbers of the pieces there. */
static void note_ignored(struct twin_world *world)
{
    const struct twin_puzzle *puzzle = &world->puzzle;
    int first = 0;

    for (int s = 0; s < puzzle->set_count; s++) {
        for (int i = first; i < first + puzzle->sets[s].pieces; i++) {
            int piece = puzzle->solved.piece[i];

            if (piece < 1 || piece > puzzle->sets[s].pieces)
                die("the solved state has a piece out of range");
            if (puzzle->ignored[i])
                world->ignored[s][piece] = true;
        }
        first += puzzle->sets[s].pieces;
    }
}

static unsigned char key_byte(int value, int least, int most)
{
    if (value < least || value > most)
        die("a state has a piece or an orientation out of range");
    return (unsigned char)value;
}

static void make_key(const struct twin_world *world, const struct twin_state *state,
                     unsigned char key[KEY_SIZE])
{
    const struct twin_puzzle *puzzle = &world->puzzle;
    int first = 0;

    memset(key, 0, KEY_SIZE);
    for (int s = 0; s < puzzle->set_count; s++) {
        int pieces = puzzle->sets[s].pieces;

        for (int i = first; i < first + pieces; i++) {
            key[i] = key_byte(state->piece[i], 1, pieces);
            if (!world->ignored[s][state->piece[i]])
                key[TWIN_PIECES + i] =
                    key_byte(state->orientation[i], 0, puzzle->sets[s].orientations - 1);
        }
        first += pieces;
    }
}

static size_t chain_of(const unsigned char key[KEY_SIZE])
{
    size_t sum = 0;

    /* An unsigned sum may wrap around: it only has to be the same for the same key. */
    for (int i = 0; i < KEY_SIZE; i++)
        sum = sum * 31 + key[i];
    return sum % WORLD_CHAINS;
}

static struct world_node *find_node(const struct twin_world *world,
                                    const unsigned char key[KEY_SIZE])
{
    struct world_node *node = world->chains[chain_of(key)];

    while (node && memcmp(node->key, key, KEY_SIZE) != 0)
        node = node->next_in_chain;
    return node;
}

static void make_room(struct twin_world *world)
{
    if (world->count < world->room)
        return;
    world->room = world->room ? 2 * world->room : 1024;
    world->nodes = realloc(world->nodes, world->room * sizeof(*world->nodes));
    if (!world->nodes)
        die("out of memory");
}

/* Adds a state unless the world holds an equal one. */
static void meet_state(struct twin_world *world, const struct twin_state *state, int distance)
{
    unsigned char key[KEY_SIZE];
    struct world_node *node;
    size_t chain;

    make_key(world, state, key);
    if (find_node(world, key))
        return;

    chain = chain_of(key);
    node = must_allocate(1, sizeof(*node));
    node->state = *state;
    memcpy(node->key, key, KEY_SIZE);
    node->distance = distance;
    node->next_in_chain = world->chains[chain];
    world->chains[chain] = node;

    make_room(world);
    world->nodes[world->count++] = node;
}

bool twin_is_legal(const struct twin_puzzle *puzzle, const struct twin_state *state)
{
    for (int i = 0; i < slot_count(puzzle); i++) {
        if (puzzle->illegal[i][state->piece[i]])
            return false;
    }
    return true;
}

/* Searches until the goal is met or, if goal is NULL, until every state is. */
static struct twin_world *search(const struct twin_puzzle *puzzle, const struct twin_state *root,
                                 const struct twin_state *goal)
{
    size_t move_count = twin_all_moves(puzzle, NULL, 0);
    struct twin_move *moves = must_allocate(move_count + 1, sizeof(*moves));
    struct twin_world *world = must_allocate(1, sizeof(*world));

    twin_all_moves(puzzle, moves, move_count);
    world->puzzle = *puzzle;
    note_ignored(world);
    meet_state(world, root, 0);

    /* The list is the queue, so it grows during this loop. */
    for (size_t head = 0; head < world->count; head++) {
        const struct world_node *node = world->nodes[head];

        if (goal && twin_world_distance(world, goal) >= 0)
            break;
        for (size_t i = 0; i < move_count; i++) {
            struct twin_state next;

            twin_apply(puzzle, &moves[i], &node->state, &next);
            if (twin_is_legal(puzzle, &node->state) && twin_is_legal(puzzle, &next))
                meet_state(world, &next, node->distance + 1);
        }
    }
    free(moves);
    return world;
}

int twin_distance(const struct twin_puzzle *puzzle, const struct twin_state *from,
                  const struct twin_state *to)
{
    struct twin_world *world = search(puzzle, from, to);
    int distance = twin_world_distance(world, to);

    twin_world_free(world);
    return distance;
}

struct twin_world *twin_explore(const struct twin_puzzle *puzzle, const struct twin_state *root)
{
    return search(puzzle, root, NULL);
}

int twin_world_distance(const struct twin_world *world, const struct twin_state *state)
{
    unsigned char key[KEY_SIZE];
    const struct world_node *node;

    make_key(world, state, key);
    node = find_node(world, key);
    return node ? node->distance : -1;
}

size_t twin_world_count(const struct twin_world *world)
{
    return world->count;
}

const struct twin_state *twin_world_state(const struct twin_world *world, size_t i)
{
    if (i >= world->count)
        die("no such state in the world");
    return &world->nodes[i]->state;
}

void twin_world_free(struct twin_world *world)
{
    if (!world)
        return;
    for (size_t i = 0; i < world->count; i++)
        free(world->nodes[i]);
    free(world->nodes);
    free(world);
}
