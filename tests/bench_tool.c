// What scripts/bench needs beside the programs themselves: random cases, and the naive twin as a yardstick.
//
//     bench_tool cases COUNT     random cases of the Game with 0 to 9 wildcards, a line each
//     bench_tool judge PROBLEM COUNT     an input of so many random cases
//     bench_tool twin            answers such cases from stdin, by enumerating completions
//     bench_tool search          the twin's breadth-first search alone
#include "support.h"
#include "twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void shuffle_symbols(char *board, const char *symbols)
{
    size_t count = strlen(symbols);
    memcpy(board, symbols, count);
    for (unsigned i = (unsigned)count; i-- > 1;) {
        unsigned j = support_random_below(i + 1);
        char kept = board[i];
        board[i] = board[j];
        board[j] = kept;
    }
}

static void shuffle(char board[9])
{
    shuffle_symbols(board, "123456789");
}

// How the cases of a problem look: boards of shuffled or of any symbols, in words of so many cells.
static const struct input {
    const char *problem;
    const char *symbols;
    unsigned cells; // 0: the symbols, shuffled
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

// The blank's column and row, and nine letters, of which one is the blank.
static void print_rolling(unsigned long count)
{
    for (unsigned long i = 0; i < count; i++) {
        unsigned blank = support_random_below(9);
        printf("%u %u\n", 1 + support_random_below(3), 1 + support_random_below(3));
        for (unsigned cell = 0; cell < 9; cell++) {
            printf("%c%c", cell == blank ? 'E' : "WRB"[support_random_below(3)], cell % 3 < 2 ? ' ' : '\n');
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

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "cases") == 0) {
        print_cases(strtoul(argv[2], NULL, 10));
    } else if (argc == 4 && strcmp(argv[1], "judge") == 0) {
        return print_input(argv[2], strtoul(argv[3], NULL, 10)) ? 0 : 2;
    } else if (argc == 2 && strcmp(argv[1], "twin") == 0) {
        answer_cases();
    } else if (argc == 2 && strcmp(argv[1], "search") == 0) {
        printf("%d\n", twin_game_distances()[0]);
    } else {
        fprintf(stderr, "usage: bench_tool cases COUNT | judge PROBLEM COUNT | twin | search\n");
        return 2;
    }
    return 0;
}
