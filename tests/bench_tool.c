// What scripts/bench needs beside the programs themselves: random cases, and the naive twin as a yardstick.
//
//     bench_tool cases COUNT     random cases of the Game with 0 to 9 wildcards, a line each
//     bench_tool twin            answers such cases from stdin, by enumerating completions
//     bench_tool search          the twin's breadth-first search alone
#include "support.h"
#include "twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void shuffle(char board[9])
{
    memcpy(board, "123456789", 9);
    for (unsigned i = 9; i-- > 1;) {
        unsigned j = support_random_below(i + 1);
        char kept = board[i];
        board[i] = board[j];
        board[j] = kept;
    }
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
    } else if (argc == 2 && strcmp(argv[1], "twin") == 0) {
        answer_cases();
    } else if (argc == 2 && strcmp(argv[1], "search") == 0) {
        printf("%d\n", twin_game_distances()[0]);
    } else {
        fprintf(stderr, "usage: bench_tool cases COUNT | twin | search\n");
        return 2;
    }
    return 0;
}
