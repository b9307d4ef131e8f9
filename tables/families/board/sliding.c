// The rules of sliding boards, and how their definitions are compiled.
#include "sliding.h"

#include "board.h"
#include "tables/algebra/rank.h"
#include "tile_databases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Most cells of a board whose table has all roots. A larger board has only the goal's root, because
// each root needs an entry for every state.
enum { ALL_ROOTS_MOST = 10 };

// ---- Rules --------------------------------------------------------------------------------------

// Takes the blank along its way. Each tile there goes one cell back. False if the way leaves the
// board.
static bool apply_move(const struct puzzle *puzzle, unsigned move, const uint8_t *from, uint8_t *to)
{
    const struct board *board = puzzle->board;
    unsigned blank = board_find_cell(from, 0);
    unsigned end = board->to[move][blank];
    if (end == NOWHERE) {
        return false;
    }
    memcpy(to, from, puzzle->cell_count);
    for (unsigned cell = blank; cell != end;) {
        unsigned next = (unsigned)((int)cell + board->stride[move]);
        to[cell] = from[next];
        cell = next;
    }
    to[end] = 0;
    return true;
}

// Do some tiles look alike? Then distances are counted to the goals.
static bool has_look_alikes(const struct puzzle *puzzle)
{
    return puzzle->segments[0].kind == SEGMENT_MULTISET;
}

// Tells whether the target can be reached, and why (rules.h). Two tiles that look alike can change
// places unseen, unless the board is a line. Otherwise copies both states to wider cells, for the
// parity test of boards of any size (grid_parity).
static bool decide_parity(const struct puzzle *puzzle, const uint8_t *start, const uint8_t *target,
                          char reason[REASON_SIZE])
{
    uint16_t wide_start[BOARD_CELLS_MOST];
    uint16_t wide_target[BOARD_CELLS_MOST];
    if (has_look_alikes(puzzle) && !grid_is_line(&puzzle->board->grid)) {
        snprintf(reason, REASON_SIZE, "tiles that look alike allow either parity");
        return true;
    }
    for (unsigned i = 0; i < puzzle->cell_count; i++) {
        wide_start[i] = start[i];
        wide_target[i] = target[i] == WILD ? GRID_WILD : target[i];
    }
    return grid_parity(&puzzle->board->grid, wide_start, wide_target, reason);
}

// Multiplies a number by that of the states (rules.h). A line has a state for each cell of the
// blank. On any other board of different tiles, half of all arrangements can be reached: n!/2 = 3 ×
// 4 × … × n.
static void count_states(const struct puzzle *puzzle, struct large *number)
{
    if (has_look_alikes(puzzle)) {
        chain_multiply_count(&((const struct sliding *)puzzle->own)->chains[0], number);
    } else if (grid_is_line(&puzzle->board->grid)) {
        large_multiply(number, puzzle->cell_count);
    } else {
        for (unsigned i = 3; i <= puzzle->cell_count; i++) {
            large_multiply(number, i);
        }
    }
}

// ---- Compiling ----------------------------------------------------------------------------------

// Gives the puzzle its only segment, the tiles and the blank, and the counts of its states, which
// are right if all tiles differ. puzzle_free frees the segment, also after a failure.
static bool add_segment(struct puzzle *puzzle, struct fewest_error *error)
{
    struct segment *segment = malloc(sizeof *segment);
    puzzle->segments = segment;
    if (!segment) {
        return error_no_memory(error, "for the puzzle");
    }
    segment_make_pieces(segment, &puzzle->definition->sets[0], puzzle->goals[0]);
    segment->blank = true;
    puzzle->segment_count = 1;
    puzzle->typed_by_character = segment_typed_count(segment) <= 10;
    puzzle->arrangement_count = segment->count;
    puzzle->reachable_count =
        grid_is_line(&puzzle->board->grid) ? puzzle->cell_count : puzzle->arrangement_count / 2;
    return true;
}

// Makes the numbering of the puzzle. If it has too many states for a table, only counts them.
static bool number_states(struct puzzle *puzzle, struct fewest_error *error)
{
    enum { LEAST_OPEN = 7 }; // up to 720 states match a target with six wildcards: few to look at
    struct numbering *numbering = &puzzle->numbering;
    unsigned cells = puzzle->cell_count;
    // A row of a long line has no Lehmer code.
    bool is_long_line = cells > RANK_LONGEST && grid_is_line(&puzzle->board->grid);
    if (has_look_alikes(puzzle) || is_long_line) {
        return alike_make_chain(puzzle, error);
    }
    numbering->functions = &SLIDING_NUMBERING;
    numbering->answers = ANSWERS_ALL;
    numbering->least_open = LEAST_OPEN;
    numbering->state_count = puzzle->reachable_count;
    if (puzzle_is_too_large(puzzle)) {
        return true;
    }
    board_find_roots(puzzle);
    if (cells > ALL_ROOTS_MOST) {
        board_keep_goal_root(puzzle);
        numbering->answers = ANSWERS_TARGETS;
    }
    for (unsigned r = 0; r < numbering->root_count; r++) {
        struct root *root = &numbering->roots[r];
        for (unsigned i = 0; i < cells; i++) {
            root->target[i] = (uint8_t)i; // each tile is where it must go (sliding_numbers.c)
        }
    }
    return sliding_make_chains(puzzle, error);
}

// Can a search answer this board? Each tile belongs to one pattern database, whose least moves are
// added up. So all tiles must differ, and each move must be one tile's.
static bool check_searched(const struct puzzle *puzzle, struct fewest_error *error)
{
    const struct definition *definition = puzzle->definition;
    unsigned line = definition->databases[0].line;
    if (definition->moves_rows) {
        return error_set_line(
            error, FEWEST_BAD_INPUT, line,
            "`Database` can't be used with `multi`, because one move would count "
            "in several pattern databases, which are added up; leave out `multi`");
    }
    if (has_look_alikes(puzzle)) {
        return error_set_line(error, FEWEST_BAD_INPUT, line,
                              "`Database` can't be used if tiles look alike; give them different "
                              "numbers in `Solved`, or leave out `Database`");
    }
    return puzzle->cell_count <= DATABASE_CELLS_MOST ||
           error_set_line(
               error, FEWEST_BAD_INPUT, line,
               "`Database` can't be used with a board of more than %d cells; this one has %u",
               DATABASE_CELLS_MOST, puzzle->cell_count);
}

// Compiles a board that a search answers: it has pattern databases instead of a numbering.
static bool compile_searched(struct puzzle *puzzle, struct fewest_error *error)
{
    struct partition *partition = calloc(1, sizeof *partition);
    puzzle->partition = partition;
    if (!partition) {
        return error_no_memory(error, "for the pattern databases");
    }
    if (!board_build(puzzle, error) || !add_segment(puzzle, error) ||
        !check_searched(puzzle, error)) {
        return false;
    }
    const struct solved_board solved = {.cells = puzzle->cell_count,
                                        .tiles = puzzle->goals[0],
                                        .symmetries = puzzle->board->symmetries,
                                        .symmetry_count = puzzle->board->symmetry_count};
    if (!partition_make(partition, puzzle->definition, &solved, error)) {
        return false;
    }
    for (unsigned l = 0; l < partition->line_count; l++) {
        const struct partition_line *line = &partition->lines[l];
        puzzle->lines[puzzle->line_count++] =
            (struct database_line){.database = line->database, .shares = line->symmetry != 0};
    }
    return true;
}

// Compiles a board (rules.h): one with `Database` lines to pattern databases, any other one to a
// numbering.
static bool compile_board(struct puzzle *puzzle, struct fewest_error *error)
{
    const struct piece_set *tiles = &puzzle->definition->sets[0];
    if (tiles->letters_line) {
        return error_set_line(error, FEWEST_BAD_INPUT, tiles->letters_line,
                              "`Letters` can't be used with `Slide`, whose tiles are numbers");
    }
    if (puzzle->definition->database_count > 0) {
        return compile_searched(puzzle, error);
    }
    if (!board_build(puzzle, error) || !add_segment(puzzle, error)) {
        return false;
    }
    return number_states(puzzle, error);
}

static const struct board_keyword SLIDE = {.word = "Slide",
                                           .form = "Slide ROWS COLUMNS [LAYERS] [multi]",
                                           .set_name = "TILES",
                                           .sizes = 3,
                                           .cells_most = BOARD_CELLS_MOST,
                                           .names_pieces = true,
                                           .searched_cells_most = DATABASE_CELLS_MOST,
                                           .moves_rows = true};

const struct rules SLIDING_RULES = {.board = &SLIDE,
                                    .compile = compile_board,
                                    .free_own = sliding_free,
                                    .count_states = count_states,
                                    .apply = apply_move,
                                    .cannot_be_made_reason = "the blank is at the edge",
                                    .decide_parity = decide_parity};
