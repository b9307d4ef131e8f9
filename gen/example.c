// Makes the table of a puzzle in memory and asks it: example STATE prints the fewest moves that
// solve the state of four pieces, such as 3142. It shows all that a program needs.
#include <fewest.h>
#include <fewest_gen.h>

#include <stdio.h>
#include <string.h>

// Four pieces in a row. A move takes the last piece to the front, or exchanges the first two.
static const char DEFINITION[] = "Name row\n"
                                 "Set PIECES 4 1\n"
                                 "Solved\nEnd\n"
                                 "Move A\nPIECES\n4 1 2 3\nEnd\n"
                                 "Move B\nPIECES\n2 1 3 4\nEnd\n";

// Prints the progress on stderr. A program that wants to stop the run returns false.
static bool print_progress(void *context, const struct fewest_gen_progress *progress)
{
    (void)context;
    if (progress->event == FEWEST_GEN_PLANNED) {
        fprintf(stderr, "example: searching %s states\n", progress->states);
    } else if (progress->event == FEWEST_GEN_WARNING) {
        fprintf(stderr, "example: %s\n", progress->text);
    }
    return true;
}

// Prints how many moves solve the state in `text`, and their names.
static bool solve(struct fewest *table, const char *text, struct fewest_error *error)
{
    uint8_t state[FEWEST_CELLS_MOST];
    struct fewest_path path;
    if (!fewest_read_state(table, "STATE", text, strlen(text), state, error) ||
        !fewest_path(table, state, NULL, &path, error)) {
        return false;
    }
    printf("%d:", path.steps);
    for (int i = 0; i < path.steps; i++) {
        printf(" %s", fewest_move_name(table, path.moves[i]));
    }
    putchar('\n');
    return true;
}

int main(int argc, char **argv)
{
    struct fewest_error error = {.text = "usage: example STATE"};
    struct fewest_gen_options options = {.metric = FEWEST_GEN_QUARTER, .watch = print_progress};
    struct fewest_gen_result made = {0};
    struct fewest *table = NULL;
    if (argc == 2 && fewest_gen_make(DEFINITION, strlen(DEFINITION), &options, &made, &error)) {
        table = fewest_open_buffer(made.bytes, made.length, &error);
    }
    bool solved = table && solve(table, argv[1], &error);
    if (!solved) {
        fprintf(stderr, "example: %s\n", error.text);
    }
    fewest_close(table);
    fewest_gen_free(&made);
    return solved ? 0 : 1;
}
