// Prints how many moves a query takes, and which: example PUZZLE 'START [TARGET]'. It shows all
// that a program needs to query a table.
#define _POSIX_C_SOURCE 200809L
#include <fewest.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// If another program cuts the table short while it is open, reading it raises SIGBUS.
static void on_bus_error(int number, siginfo_t *info, void *context)
{
    static const char MESSAGE[] = "example: another program cut the table short\n";
    (void)context;
    if (fewest_is_mapped(info->si_addr)) {
        (void)!write(STDERR_FILENO, MESSAGE, sizeof MESSAGE - 1);
        _exit(1);
    }
    signal(number, SIG_DFL); // something else: end as if there were no handler
}

int main(int argc, char **argv)
{
    struct fewest_error error = {.text = "usage: example PUZZLE 'START [TARGET]'"};
    uint8_t start[FEWEST_CELLS_MOST];
    uint8_t target[FEWEST_CELLS_MOST];
    struct fewest_path path;
    sigaction(SIGBUS, &(struct sigaction){.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO},
              NULL);
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
