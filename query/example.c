// How many moves, and which: example PUZZLE 'START [TARGET]'. All that a program needs to ask a table.
#include <fewest.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    struct fewest_error error = {.text = "usage: example PUZZLE 'START [TARGET]'"};
    struct fewest_question question;
    unsigned moves[FEWEST_PATH_MOST];
    int steps;
    struct fewest *table = argc == 3 ? fewest_open_puzzle(argv[1], NULL, &error) : NULL;
    bool answered = table && fewest_read_question(table, argv[2], strlen(argv[2]), &question, &error) &&
                    fewest_path(table, &question, moves, &steps, &error);
    if (!answered) {
        fprintf(stderr, "example: %s\n", error.text);
    } else if (steps == FEWEST_UNREACHABLE) {
        puts("unreachable");
    } else {
        printf("%d:", steps);
        for (int i = 0; i < steps; i++) {
            printf(" %s", fewest_move(table, moves[i]));
        }
        putchar('\n');
    }
    fewest_close(table);
    return answered ? 0 : 1;
}
