// Reads the text of a definition, completes it, and names the origins of errors.
#include "source.h"

#include "gen/import/foreign.h"
#include "gen/import/importer.h"
#include "name.h"
#include "tables/families/compile.h"
#include "tables/file/format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The options that add a line to the definition.
static const struct {
    const char *option;
    const char *keyword;
    const char *words; // what follows the keyword, in messages
} ADDED[] = {
    [ADDED_TRACK] = {"--track", "Track", "pieces"},
    [ADDED_DATABASE] = {"--database", "Database", "pieces"},
    [ADDED_GENERATORS] = {"--generators", "Generators", "moves"},
};

// ---- Origins ------------------------------------------------------------------------------------

// Returns how a user knows a line of the text: the option that added it. Returns NULL if "line N"
// is right, or if `line` is 0, which is no line.
static const char *find_line_name(const struct source *source, unsigned line)
{
    const struct make_request *request = source->request;
    if (line <= source->file_lines) {
        return NULL;
    }
    unsigned added = line - source->file_lines - 1;
    if (added < request->line_count) {
        return ADDED[request->lines[added].keyword].option;
    }
    return request->definition; // it is a line that --suggest tries
}

bool source_name_origin(const struct source *source, struct fewest_error *error)
{
    unsigned line = error->lines[0].number;                  // 0 if the error names no line
    error_name_line(error, 0, find_line_name(source, line)); // the first line that it names
    error_name_line(error, 1, find_line_name(source, error->lines[1].number)); // the second one
    if (line <= source->file_lines) {
        if (source->is_translated) {
            error_prefix(error, "as fewest-import writes it");
        }
        error_prefix(error, source->request->definition);
    }
    return false;
}

// ---- The file -----------------------------------------------------------------------------------

// Reads a whole file, but at most DEFINITION_LONGEST + 1 bytes: the parser refuses more than
// DEFINITION_LONGEST. Returns *length bytes that the caller frees, or NULL.
static char *read_file(const char *path, size_t *length, struct fewest_error *error)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(DEFINITION_LONGEST + 1) : NULL;
    bool done = false;
    if (text) {
        *length = fread(text, 1, DEFINITION_LONGEST + 1, file);
        done = !ferror(file);
    }
    if (!done) {
        error_write(error, FEWEST_SYSTEM, "%s: can't read this definition: %s", path,
                    strerror(errno));
        free(text);
        text = NULL;
    }
    if (file) {
        fclose(file);
    }
    return text;
}

// Reads the file of the definition. If another program wrote it, fewest-import translates it.
static bool read_source_file(struct source *source, struct fewest_error *error)
{
    const struct make_request *request = source->request;
    source->text = read_file(request->definition, &source->length, error);
    if (!source->text) {
        return false;
    }
    if (format_is_table((const uint8_t *)source->text, source->length)) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "%s: this is a table, not a definition; `fewest show` prints the "
                         "definition in a table",
                         request->definition);
    }
    const char *kind = foreign_find_kind(source->text, source->length);
    source->is_translated = kind;
    if (!kind && request->goal) {
        return error_set(
            error, FEWEST_BAD_INPUT,
            "%s: --goal needs a file that fewest-import translates, such as a KPuzzle; "
            "in this file, change the `Solved` block instead",
            request->definition);
    }
    if (!kind) {
        return true;
    }
    const struct import_file file = {request->definition, request->goal, kind};
    free(source->text);
    return import_translate(&file, &source->text, &source->length, error);
}

// Replaces each carriage return that is not before a line feed by a line feed, and counts the
// lines.
static void normalize_line_ends(struct source *source)
{
    source->file_lines = 1;
    for (size_t i = 0; i < source->length; i++) {
        char *c = &source->text[i];
        if (*c == '\r' && (i + 1 == source->length || c[1] != '\n')) {
            *c = '\n';
        }
        if (*c == '\n') {
            source->file_lines++;
        }
    }
}

// Reads source->definition from the text. After a failure, the old definition stays, and the error
// names the origin of the text.
static bool read_definition(struct source *source, struct fewest_error *error)
{
    struct definition definition;
    if (!puzzle_read_definition(&definition, source->text, source->length, error)) {
        return source_name_origin(source, error);
    }
    definition_free(&source->definition);
    source->definition = definition;
    return true;
}

// ---- Lines of options ---------------------------------------------------------------------------

// Replaces the spaces between moves in parentheses by dots, in place, because no word of a
// definition has a space: (R U R') becomes (R.U.R'). The text gets no longer. The first ')' ends
// the parentheses, even if there are others within.
static void join_sequences_with_dots(char *words)
{
    const char *from = words;
    char *to = words;
    bool is_inside = false; // parentheses
    while (*from) {
        if (is_inside && (*from == ' ' || *from == '\t')) {
            from += strspn(from, " \t");
            bool is_between_moves = to[-1] != '(' && *from != ')';
            if (is_between_moves) {
                *to++ = '.';
            }
            if (*from == '\0') {
                break;
            }
        }
        if (*from == '(') {
            is_inside = true;
        } else if (*from == ')') {
            is_inside = false;
        }
        *to++ = *from++;
    }
    *to = '\0';
}

// Appends the line "KEYWORD WORDS" to the text. `before` comes before it: a line break before the
// first line that is added, else nothing. Returns false if memory runs out.
static bool add_line(struct source *source, const char *before, const char *keyword,
                     const char *words)
{
    size_t more = strlen(before) + strlen(keyword) + strlen(words) + sizeof " \n";
    char *longer = realloc(source->text, source->length + more);
    if (!longer) {
        return false;
    }
    char *added = longer + source->length;
    sprintf(added, "%s%s %s\n", before, keyword, words);
    if (strcmp(keyword, ADDED[ADDED_GENERATORS].keyword) == 0) {
        join_sequences_with_dots(added);
    }
    source->text = longer;
    source->length += strlen(added);
    return true;
}

// Appends the lines of the options to the text.
static bool add_option_lines(struct source *source, struct fewest_error *error)
{
    for (unsigned i = 0; i < source->request->line_count; i++) {
        const struct added_line *line = &source->request->lines[i];
        if (strpbrk(line->words, "\r\n")) {
            return error_set(error, FEWEST_BAD_INPUT,
                             "%s: expected the %s on one line, got a line break",
                             ADDED[line->keyword].option, ADDED[line->keyword].words);
        }
        if (!add_line(source, i == 0 ? "\n" : "", ADDED[line->keyword].keyword, line->words)) {
            return error_no_memory(error, "to read the definition");
        }
    }
    return true;
}

bool source_read(struct source *source, const struct make_request *request,
                 struct fewest_error *error)
{
    char missing[NAME_LONGEST + 1]; // the name, if the text has no `Name`
    *source = (struct source){.request = request};
    if (!read_source_file(source, error)) {
        return false;
    }
    normalize_line_ends(source);
    if (!name_insert(request, &source->text, &source->length, missing)) {
        return error_no_memory(error, "to read the definition");
    }
    // At first without the lines of options, so that an error in the file is not put down to them.
    if (!read_definition(source, error) || !add_option_lines(source, error)) {
        return false;
    }
    // A missing `Name` comes last, so that no line gets another number.
    if (*missing && !add_line(source, request->line_count == 0 ? "\n" : "", "Name", missing)) {
        return error_no_memory(error, "to read the definition");
    }
    return read_definition(source, error);
}

void source_free(struct source *source)
{
    free(source->text);
    definition_free(&source->definition);
    *source = (struct source){0};
}
