// Ends the program if another program cuts the file of an open table short.
#include "cut_table.h"
#include "command.h"
#include "query/fewest.h"
#include "tables/base/errors.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char cut_message[FEWEST_ERROR_SIZE]; // made before a table is opened
static void (*print_answers)(void);         // prints what this thread has answered; or NULL

void before_cut(void (*print)(void))
{
    print_answers = print;
}

// Writes what stdio still holds of the answers, and the message, and ends the program. If several
// threads come here, the first one does it, and the others wait for the end.
static _Noreturn void end_program(void)
{
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&ending)) { // another thread is here
        pause();
    }
    (void)fflush(stdout);
    (void)!write(STDERR_FILENO, cut_message, strlen(cut_message));
    _exit(STATUS_TABLE);
}

// The handler of SIGBUS. If the address lies in the file of an open table, ends the program in good
// order; else as if there were no handler. A signal that somebody sent has no address.
//
// Reading the file of a table beyond its new end raises SIGBUS, in the thread that reads. That
// thread is in the library then, and not inside a function of stdio or malloc, so it may call them.
// Its stdout has whole lines only, because answers are found before they are printed.
static void on_bus_error(int number, siginfo_t *info, void *context)
{
    (void)context;
    bool was_sent = info->si_code <= 0; // by kill or the like
    if (was_sent || !fewest_is_mapped(info->si_addr)) {
        signal(number, SIG_DFL); // as if there were no handler
        raise(number);
        return;
    }
    if (print_answers) {
        print_answers();
    }
    end_program();
}

void expect_cut(const char *puzzle)
{
    char shown[sizeof cut_message / 2];
    struct sigaction cut = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    snprintf(cut_message, sizeof cut_message,
             PROGRAM ": %s: another program cut the file short while it was open; generate the "
                     "table again with fewest-gen\n",
             escape_text(shown, sizeof shown, puzzle, strlen(puzzle)));
    sigaction(SIGBUS, &cut, NULL);
}
