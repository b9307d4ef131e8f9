// Prints how many moves a query takes, and which: example PUZZLE 'START [TARGET]'. It shows all
// that a program needs to query a table.
#include <fewest.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    struct fewest_error error = {.text = "usage: example PUZZLE 'START [TARGET]'"};
    uint8_t start[FEWEST_CELLS_MOST];
    uint8_t target[FEWEST_CELLS_MOST];
    struct fewest_path path;
    // If another program cuts the table short while it is open, the signal SIGBUS ends this one.
    struct fewest *table = argc == 3 ? fewest_open_named(argv[1], NULL, &error) : NULL;
    bool answered = table &&
                    fewest_read_query(table, argv[2], strlen(argv[2]), start, target, &error) &&
                    fewest_path(table, start, target, &path, &error);
    if (!answered) {
        fprintf(stderr, "example: %s\n", error.text);
    } else if (path.steps == FEWEST_UNREACHABLE) {
        puts("unreachable");
    } else {
        printf("%d:", path.steps);
        for (int i = 0; i < path.steps; i++) {
            printf(" %s", fewest_move_name(table, path.moves[i]));
        }
        putchar('\n');
    }
    fewest_close(table);
    return answered ? 0 : 1;
}
