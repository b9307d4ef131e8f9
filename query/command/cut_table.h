// Ends the program if another program cuts the file of an open table short.
#ifndef FEWEST_QUERY_COMMAND_CUT_TABLE_H
#define FEWEST_QUERY_COMMAND_CUT_TABLE_H

// From now on, if a table is cut short while it is open, the program prints what is answered and a
// message that names this puzzle, and ends with STATUS_TABLE.
void expect_cut(const char *puzzle);

// Sets the function that is then called first, in the thread that read the table: it prints what
// this thread has answered. NULL: none.
void before_cut(void (*print)(void));

#endif
