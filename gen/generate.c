// Makes the sections of a table, one after the other, and packs them.
#include "generate.h"

#include "gen/write/pack.h"
#include "makers.h"
#include "tables/file/sections.h"

bool generate_table(const struct plan *plan, const struct search_options *options,
                    const struct output *output, struct fewest_error *error)
{
    struct layer_file unnamed; // for the layers of all searches, if there is no checkpoint
    layer_file_begin(&unnamed, options->folder);
    struct table_content content = {
        .definition = plan->text, .definition_length = plan->length, .metric = plan->puzzle.metric};
    struct job job = {.puzzle = &plan->puzzle,
                      .options = options,
                      .sections = content.sections,
                      .file = options->checkpoint ? options->checkpoint : &unnamed};
    content.section_count = sections_of(&plan->puzzle, content.sections);
    bool done = true;
    for (unsigned s = 0; s < content.section_count && done; s++) {
        content.distances[s] = &job.distances[s];
        done = SECTION_MAKERS[content.sections[s].kind](&job, s, error);
    }
    done = done && pack_table(&content, options, output, error);
    for (unsigned s = 0; s < content.section_count; s++) {
        distances_free(&job.distances[s]);
    }
    layer_file_close(&unnamed, true); // true: the layers are not needed any more
    return done;
}
