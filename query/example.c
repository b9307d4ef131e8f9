// Prints how many moves a query takes, and which: example PUZZLE 'START [TARGET]'. It shows all
// that a program needs to query a table.
#include <fewest.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    struct fewest_error error = {FEWEST_OK, "usage: example PUZZLE 'START [TARGET]'"};
    struct fewest_query query;
    unsigned moves[FEWEST_PATH_MOST];
    int steps;
    struct fewest *table = argc == 3 ? fewest_open_named(argv[1], NULL, &error) : NULL;
    bool answered = table && fewest_read_query(table, argv[2], strlen(argv[2]), &query, &error) &&
                    fewest_path(table, &query, moves, &steps, &error);
    if (!answered) {
        fprintf(stderr, "example: %s\n", error.text);
    } else if (steps == FEWEST_UNREACHABLE) {
        puts("unreachable");
    } else {
        printf("%d:", steps);
        for (int i = 0; i < steps; i++) {
            printf(" %s", fewest_move_name(table, moves[i]));
        }
        putchar('\n');
    }
    fewest_close(table);
    return answered ? 0 : 1;
}
