// Reads a puzzle in the language of twsearch's .tws files for the twin of sets. It shares nothing
// with the parser under test.
//
// It reads Set, Solved, StartState, Move, MoveTransformation, Rotation, Generators (after all
// moves) and Illegal. It skips the lines of Name, MoveAlias, MoveSequence, Board, Letters and For,
// which do not change the states. A file that can't be read or has other words ends the program.
#ifndef TWIN_TWS_H
#define TWIN_TWS_H

#include "twin_sets.h"

// Appends `line` to the text of the file, unless it is NULL.
void twin_read_tws(const char *path, const char *line, struct sets_puzzle *puzzle);

#endif
