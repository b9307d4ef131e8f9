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
    struct fewest_query query;
    unsigned moves[FEWEST_PATH_MOST];
    int steps;
    sigaction(SIGBUS, &(struct sigaction){.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO},
              NULL);
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
