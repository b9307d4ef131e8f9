// How each kind of section is made.
#ifndef FEWEST_GEN_MAKERS_H
#define FEWEST_GEN_MAKERS_H

#include "job.h"

extern section_maker *const SECTION_MAKERS[SECTION_KIND_COUNT];

// Makes both sections of a root whose nodes are not its states (tables/puzzle/numbering.h): the
// states, section `s`, and what the next section has of the nodes (rolling/full_states.c).
section_maker make_full_states;

#endif
