// The text of a definition, and where its lines come from: a file or options.
#ifndef FEWEST_GEN_COMMAND_SOURCE_H
#define FEWEST_GEN_COMMAND_SOURCE_H

#include "command.h"
#include "tables/definition/definition.h"

struct source {
    const struct make_request *request;
    char *text;
    size_t length;
    unsigned file_lines;          // lines from the file; those of options follow
    bool is_translated;           // another program wrote the file
    struct definition definition; // of the whole text
};

// Reads the file, has it translated if another program wrote it, and puts in the name of the
// puzzle. Adds the lines of options, so that the table holds them, and reads source->definition
// from the whole text. The caller calls source_free in any case.
bool source_read(struct source *source, const struct make_request *request,
                 struct fewest_error *error);
void source_free(struct source *source);

// Puts the origin of an error about the text before it: the file with a line, or an
// option. Returns false.
bool source_name_origin(const struct source *source, struct fewest_error *error);

#endif
