// One run of the generator: reads a definition, makes its table, and reports progress.
#ifndef FEWEST_GEN_COMMAND_MAKE_H
#define FEWEST_GEN_COMMAND_MAKE_H

#include "command.h"
#include "tables/program/command_line.h"

// Makes the table or, for a dry run, prints its costs, or suggests pattern databases.
enum exit_status make_table(const struct make_request *request);

#endif
