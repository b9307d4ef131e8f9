// Compares the judge problems of one case with searches that share no code with the program. They
// try every input of a problem.
#include "query/command/lines/judge.h"
#include "tests/tools/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BOARDS_MOST = 362880, CELLS_LONGEST = 9, PATH_LONGEST = 32 };

// Boards of different characters. A breadth-first search finds them in this order. It tries the
// moves in byte order, so the path that finds a board is the first of the shortest. A path ends at
// its first NUL.
static struct found {
    char board[CELLS_LONGEST + 1];
    char path[PATH_LONGEST];
} found[BOARDS_MOST];

static bool is_seen[BOARDS_MOST];

// The number of a board among all orders of its characters.
static unsigned number_of(const char *board)
{
    unsigned number = 0;
    for (const char *at = board; *at; at++) {
        unsigned smaller = 0;
        for (const char *next = at + 1; *next; next++) {
            smaller += *next < *at;
        }
        number = number * (unsigned)strlen(at) + smaller;
    }
    return number;
}

// Makes a move, or returns false if it can't be made.
typedef bool move_function(char move, const char *from, char *to);

// Finds the boards that can be reached, and returns their number.
static unsigned search(const char *root, const char *moves, move_function *make_move)
{
    unsigned count = 1;
    strcpy(found[0].board, root);
    is_seen[number_of(root)] = true;
    for (unsigned i = 0; i < count; i++) {
        for (const char *move = moves; *move; move++) {
            char board[CELLS_LONGEST + 1];
            if (make_move(*move, found[i].board, board) && !is_seen[number_of(board)]) {
                is_seen[number_of(board)] = true;
                strcpy(found[count].board, board);
                strcpy(found[count].path, found[i].path);
                found[count].path[strlen(found[i].path)] = *move;
                count++;
            }
        }
    }
    return count;
}

// Lets the judge answer each board that was found, and compares its output with what `expect`
// writes for it.
static void compare(const char *problem, const char *path, unsigned count,
                    void (*expect)(const struct found *one, FILE *out))
{
    struct fewest *table = support_open_file(path);
    FILE *expected = tmpfile();
    FILE *answers = tmpfile();
    FILE *input = tmpfile();
    char input_path[32];
    cr_assert(expected && answers && input && dup2(fileno(answers), STDOUT_FILENO) >= 0);
    snprintf(input_path, sizeof input_path, "/proc/self/fd/%d", fileno(input));
    const struct request request = {
        .operands = {problem, input_path}, .operand_count = 2, .threads = 1};
    for (unsigned i = 0; i < count; i++) {
        rewind(input);
        fputs(found[i].board, input);
        fflush(input);
        cr_assert_eq(judge_answer(&request, table), STATUS_ANSWERED, "%s", found[i].board);
        expect(&found[i], expected);
    }
    fflush(stdout);
    rewind(expected);
    rewind(answers);
    char line[PATH_LONGEST + 2];
    char answer[sizeof line];
    for (unsigned number = 1; fgets(line, sizeof line, expected); number++) {
        cr_assert(fgets(answer, sizeof answer, answers));
        cr_assert_str_eq(answer, line, "line %u", number);
    }
    cr_assert(!fgets(answer, sizeof answer, answers));
    fclose(expected);
    fclose(answers);
    fclose(input);
    support_close(table);
}

// ---- Magic squares ------------------------------------------------------------------------------

// The statement shows what each move makes of 12345678. The boards are clockwise.
static bool magic_move(char move, const char *from, char *to)
{
    const char *made = move == 'A' ? "87654321" : move == 'B' ? "41236785" : "17245368";
    for (unsigned i = 0; i < 8; i++) {
        to[i] = from[made[i] - '1'];
    }
    to[8] = '\0';
    return true;
}

static void expect_path(const struct found *one, FILE *out)
{
    fprintf(out, "%zu\n%s\n", strlen(one->path), one->path);
}

Test(judge, every_target_of_msquare_gets_the_first_of_its_shortest_paths)
{
    unsigned count = search("12345678", "ABC", magic_move);
    cr_assert_eq(count, 40320);
    compare("msquare", "tables/puzzles/magic.puzzle", count, expect_path);
}

// ---- The eight puzzle ---------------------------------------------------------------------------

static bool slide(char move, const char *from, char *to)
{
    unsigned blank = (unsigned)(strchr(from, '0') - from);
    unsigned row = blank / 3;
    unsigned column = blank % 3;
    if (move == 'd' ? row == 2 : move == 'u' ? row == 0 : move == 'l' ? column == 0 : column == 2) {
        return false;
    }
    unsigned other = move == 'd'   ? blank + 3
                     : move == 'u' ? blank - 3
                     : move == 'l' ? blank - 1
                                   : blank + 1;
    strcpy(to, from);
    to[blank] = from[other];
    to[other] = '0';
    return true;
}

static void expect_length(const struct found *one, FILE *out)
{
    fprintf(out, "%zu\n", strlen(one->path));
}

Test(judge, every_start_of_luogu1379_gets_its_distance)
{
    unsigned count = search("123804765", "dlru", slide);
    cr_assert_eq(count, 181440);
    compare("luogu1379", "tables/puzzles/eight.puzzle", count, expect_length);
}
