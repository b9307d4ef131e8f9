// Makes random cases for scripts/bench, runs the naive twins, and times searches of Korf's boards.
//
//     bench_tool cases COUNT           print random cases of the Game with 0 to 9 wildcards
//     bench_tool judge PROBLEM COUNT   print an input of COUNT random cases for a judge problem
//     bench_tool twin                  answer cases of the Game from stdin with the twin
//     bench_tool search                run the twin's breadth-first search alone
//     bench_tool korf TABLE            solve Korf's hundred boards; print times and nodes
//     bench_tool plain TABLE           solve those that a plain IDA* can solve; compare the times
#include "query/search/ida_star.h"
#include "support.h"
#include "tests/twin/twin_game.h"
#include "tests/twin/twin_slide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void shuffle_symbols(char *board, const char *symbols)
{
    size_t count = strlen(symbols);
    memcpy(board, symbols, count);
    support_shuffle((uint8_t *)board, (unsigned)count);
}

static void shuffle(char board[9])
{
    shuffle_symbols(board, "123456789");
}

// The cases of each problem: boards of shuffled or of random symbols, in words of `width` cells.
static const struct input {
    const char *problem;
    const char *symbols;
    unsigned cells; // 0: each symbol once, shuffled
    unsigned width;
    unsigned boards;
    bool counted; // the number of cases comes first
} INPUTS[] = {
    {"uestc485", "123456789", 0, 1, 2, true}, {"hdu1043", "12345678x", 0, 1, 1, false},
    {"hdu3567", "12345678X", 0, 9, 2, true},  {"aizu0121", "01234567", 0, 1, 1, false},
    {"hdu1430", "12345678", 0, 8, 2, false},  {"hdu5012", "123456", 0, 1, 2, false},
    {"poj1753", "bw", 16, 4, 1, false},       {"poj2965", "-+", 16, 4, 1, false},
};

static void print_board(const struct input *input)
{
    char board[17] = "";
    unsigned cells = input->cells ? input->cells : (unsigned)strlen(input->symbols);
    if (!input->cells) {
        shuffle_symbols(board, input->symbols);
    }
    for (unsigned i = 0; i < cells; i++) {
        putchar(input->cells ? input->symbols[support_random_below(2)] : board[i]);
        if ((i + 1) % input->width == 0) {
            putchar(' ');
        }
    }
    putchar('\n');
}

// Prints cases: the blank's column and row, then nine letters, one of them for the blank.
static void print_rolling(unsigned long count)
{
    for (unsigned long i = 0; i < count; i++) {
        unsigned blank = support_random_below(9);
        printf("%u %u\n", 1 + support_random_below(3), 1 + support_random_below(3));
        for (unsigned cell = 0; cell < 9; cell++) {
            printf("%c%c", cell == blank ? 'E' : "WRB"[support_random_below(3)],
                   cell % 3 < 2 ? ' ' : '\n');
        }
    }
    puts("0 0");
}

static bool print_input(const char *problem, unsigned long count)
{
    const struct input *input = NULL;
    if (strcmp(problem, "uva1604") == 0) {
        print_rolling(count);
        return true;
    }
    for (size_t i = 0; i < sizeof INPUTS / sizeof *INPUTS; i++) {
        if (strcmp(problem, INPUTS[i].problem) == 0) {
            input = &INPUTS[i];
        }
    }
    if (input && input->counted) {
        printf("%lu\n", count);
    }
    for (unsigned long i = 0; input && i < count * input->boards; i++) {
        print_board(input);
    }
    return input;
}

static void print_cases(unsigned long count)
{
    for (unsigned long i = 0; i < count; i++) {
        char start[9];
        char target[9];
        char order[9];
        shuffle(start);
        shuffle(target);
        shuffle(order);
        unsigned wild = support_random_below(10);
        for (unsigned w = 0; w < wild; w++) {
            target[order[w] - '1'] = '*';
        }
        printf("%.9s %.9s\n", start, target);
    }
}

static void answer_cases(void)
{
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        int steps = twin_game_steps(line, line + 10);
        if (steps < 0) {
            puts("unreachable");
        } else {
            printf("%d\n", steps);
        }
    }
}

// ---- Korf's hundred boards ----------------------------------------------------------------------

enum { KORF = 100, BOARD = 16 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void read_korf(int boards[KORF][BOARD])
{
    size_t length;
    char *text = support_read("tests/data/korf100.txt", &length);
    unsigned count = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *next = line;
        if (line[0] == '#') {
            continue;
        }
        strtol(next, &next, 10); // skip the number and the length
        strtol(next, &next, 10);
        for (unsigned i = 0; i < BOARD; i++) {
            boards[count][i] = (int)strtol(next, &next, 10);
        }
        count++;
    }
    free(text);
}

// Solves a board, with the goal that has the blank first. Returns the milliseconds.
static double solve_korf(struct fewest *table, const int *board, uint64_t *nodes)
{
    uint8_t start[FEWEST_CELLS_MOST];
    uint8_t target[FEWEST_CELLS_MOST];
    struct counted_path path = {.moves = NULL};
    struct fewest_error error;
    for (unsigned i = 0; i < BOARD; i++) {
        start[i] = (uint8_t)board[i];
        target[i] = (uint8_t)i;
    }
    double begin = now();
    if (!ida_star_count_nodes(table, start, target, &path, &error)) {
        abort();
    }
    *nodes = path.nodes;
    return now() - begin;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

// Opens a table and asks one query. This unpacks the pattern databases, so that their unpacking is
// not timed.
static struct fewest *open_prepared(const char *path)
{
    struct fewest_error error;
    struct query query = {.target = {FEWEST_GOALS}};
    int steps;
    struct fewest *table = fewest_open(path, &error);
    if (!table || !fewest_read_moves(table, NULL, "", 0, query.start, &error) ||
        !fewest_steps(table, query.start, query.target, &steps, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(2);
    }
    return table;
}

static void time_korf(const char *path)
{
    static int boards[KORF][BOARD];
    double times[KORF];
    double sum = 0;
    uint64_t nodes = 0;
    struct fewest *table = open_prepared(path);
    uint64_t of_board;
    read_korf(boards);
    for (unsigned i = 0; i < KORF;
         i++) { // unpacks the databases, and makes what long searches need
        solve_korf(table, boards[i], &of_board);
    }
    for (unsigned i = 0; i < KORF; i++) {
        times[i] = solve_korf(table, boards[i], &of_board);
        sum += times[i];
        nodes += of_board;
    }
    qsort(times, KORF, sizeof *times, compare_times);
    printf("%.2f ms a board, median %.2f, worst %.1f; %llu nodes a board, %.0f million a second\n",
           sum / KORF, (times[KORF / 2 - 1] + times[KORF / 2]) / 2, times[KORF - 1],
           (unsigned long long)(nodes / KORF), (double)nodes / sum / 1e3);
    fewest_close(table);
}

static void time_plain(const char *path)
{
    enum { NODES = 20000000 };
    static const int FIRST[BOARD] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    static int boards[KORF][BOARD];
    double plain = 0;
    double ours = 0;
    unsigned solved = 0;
    struct fewest *table = open_prepared(path);
    read_korf(boards);
    for (unsigned i = 0; i < KORF; i++) {
        char moves[TWIN_SLIDE_PATH];
        uint64_t nodes;
        double begin = now();
        if (twin_slide_solve(4, 4, boards[i], FIRST, NODES, moves) != TWIN_SLIDE_GAVE_UP) {
            plain += now() - begin;
            ours += solve_korf(table, boards[i], &nodes);
            solved++;
        }
    }
    printf("%u of them by a plain IDA* of at most %d nodes: ours %.2f ms a board, the plain one "
           "%.2f, ratio %.5f\n",
           solved, NODES, ours / solved, plain / solved, ours / plain);
    fewest_close(table);
}

// ---- Any searched puzzle ------------------------------------------------------------------------

// Solves the scrambles on stdin, lines of moves. Prints the length, the seconds and the nodes of
// each, and their sums.
static void time_scrambles(const char *path)
{
    char line[4096];
    double sum = 0;
    uint64_t all = 0;
    struct fewest *table = open_prepared(path);
    while (fgets(line, sizeof line, stdin)) {
        uint8_t start[FEWEST_CELLS_MOST];
        uint8_t solved[FEWEST_CELLS_MOST];
        struct counted_path found = {.moves = NULL};
        struct fewest_error error;
        size_t length = strcspn(line, "\n");
        double begin = now();
        if (!fewest_read_moves(table, NULL, line, length, start, &error) ||
            !fewest_read_moves(table, NULL, "", 0, solved, &error) ||
            !ida_star_count_nodes(table, start, solved, &found, &error)) {
            fprintf(stderr, "%s\n", error.text);
            exit(2);
        }
        double seconds = (now() - begin) / 1e3;
        printf("%3d moves %10.3f s %14llu nodes\n", found.steps, seconds,
               (unsigned long long)found.nodes);
        sum += seconds;
        all += found.nodes;
    }
    printf("all       %10.3f s %14llu nodes, %.1f million a second\n", sum, (unsigned long long)all,
           (double)all / sum / 1e6);
    fewest_close(table);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "cases") == 0) {
        print_cases(strtoul(argv[2], NULL, 10));
    } else if (argc == 4 && strcmp(argv[1], "judge") == 0) {
        return print_input(argv[2], strtoul(argv[3], NULL, 10)) ? 0 : 2;
    } else if (argc == 2 && strcmp(argv[1], "twin") == 0) {
        answer_cases();
    } else if (argc == 3 && strcmp(argv[1], "korf") == 0) {
        time_korf(argv[2]);
    } else if (argc == 3 && strcmp(argv[1], "plain") == 0) {
        time_plain(argv[2]);
    } else if (argc == 3 && strcmp(argv[1], "scrambles") == 0) {
        time_scrambles(argv[2]);
    } else if (argc == 2 && strcmp(argv[1], "search") == 0) {
        printf("%zu\n", twin_game_states()->count);
    } else {
        fprintf(stderr, "usage: bench_tool cases COUNT | judge PROBLEM COUNT | twin | search | "
                        "korf TABLE | plain TABLE\n");
        return 2;
    }
    return 0;
}
