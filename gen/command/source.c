// Reads the text of a definition, completes it, and names the origins of errors.
#include "source.h"

#include "name.h"
#include "tables/file/format.h"
#include "tables/puzzle/compile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *option;
    const char *keyword;
    const char *words; // what they are
} ADDED[] = {
    [ADDED_TRACK] = {"--track", "Track", "pieces"},
    [ADDED_DATABASE] = {"--database", "Database", "pieces"},
    [ADDED_GENERATORS] = {"--generators", "Generators", "moves"},
};

static bool no_memory(struct fewest_error *error)
{
    return error_set(error, FEWEST_SYSTEM, "not enough memory to read the definition");
}

// ---- Origins ------------------------------------------------------------------------------------

// The name of a line in an error: its JSON path or its option. NULL if the error says "line N".
static const char *name_of_line(const struct source *source, unsigned line)
{
    const struct make_request *request = source->request;
    if (line <= source->file_lines) {
        return source->is_json ? kpuzzle_find_place(&source->kpuzzle, line) : NULL;
    }
    unsigned added = line - source->file_lines - 1;
    return added < request->line_count ? ADDED[request->lines[added].keyword].option
                                       : request->definition; // a line that --suggest tries
}

bool source_name_origin(const struct source *source, struct fewest_error *error)
{
    unsigned line = error->lines[0].number;
    error_name_line(error, 0, name_of_line(source, line));
    error_name_line(error, 1, name_of_line(source, error->lines[1].number));
    return line <= source->file_lines && error_prefix(error, source->request->definition);
}

// ---- The file -----------------------------------------------------------------------------------

// Reads a whole file, but at most DEFINITION_LONGEST + 1 bytes. `what` is what it holds.
static char *read_file(const char *path, const char *what, size_t *length,
                       struct fewest_error *error)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(DEFINITION_LONGEST + 1) : NULL;
    bool done = false;
    if (text) {
        *length = fread(text, 1, DEFINITION_LONGEST + 1, file);
        done = !ferror(file);
    }
    if (!done) {
        error_write(error, FEWEST_SYSTEM, "%s: can't read this %s: %s", path, what,
                    strerror(errno));
        free(text);
        text = NULL;
    }
    if (file) {
        fclose(file);
    }
    return text;
}

// Translates a KPuzzle definition. The pattern of --goal becomes its solved state.
static bool translate_kpuzzle(struct source *source, struct fewest_error *error)
{
    const char *goal_path = source->request->goal;
    struct kpuzzle_file file = {source->request->definition, source->text, source->length};
    struct kpuzzle_file goal = {goal_path, NULL, 0};
    char *pattern = NULL;
    if (goal_path) {
        goal.json = pattern = read_file(goal_path, "target pattern", &goal.length, error);
        if (!pattern) {
            return false;
        }
    }
    bool done = kpuzzle_translate(&file, goal_path ? &goal : NULL, &source->kpuzzle, error);
    free(pattern);
    if (done) {
        free(source->text);
        source->text = source->kpuzzle.text;
        source->length = source->kpuzzle.length;
        source->kpuzzle.text = NULL;
    }
    return done;
}

// Reads the definition in our own language.
static bool read_text(struct source *source, struct fewest_error *error)
{
    const struct make_request *request = source->request;
    source->text = read_file(request->definition, "definition", &source->length, error);
    if (!source->text) {
        return false;
    }
    if (format_is_table((const uint8_t *)source->text, source->length)) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "%s: this is a table, not a definition; `fewest show` prints the "
                         "definition in a table",
                         request->definition);
    }
    source->is_json = kpuzzle_is_json(source->text, source->length);
    if (!source->is_json && request->goal) {
        return error_set(error, FEWEST_BAD_INPUT,
                         "%s: --goal needs a KPuzzle definition (JSON); in this file, change the "
                         "`Solved` block instead",
                         request->definition);
    }
    return !source->is_json || translate_kpuzzle(source, error);
}

// Counts the lines, and ends those that end with a lone carriage return.
static void end_lines(struct source *source)
{
    source->file_lines = 1;
    for (size_t i = 0; i < source->length; i++) {
        char *c = &source->text[i];
        if (*c == '\r' && (i + 1 == source->length || c[1] != '\n')) {
            *c = '\n';
        }
        source->file_lines += *c == '\n';
    }
}

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

// In a definition, no word has a space. So a sequence of moves in parentheses gets dots instead:
// (R U R') becomes (R.U.R').
static void put_dots(char *words)
{
    const char *from = words;
    char *to = words;
    bool inside = false;
    while (*from) {
        size_t spaces = inside ? strspn(from, " \t") : 0;
        from += spaces;
        if (spaces > 0 && to[-1] != '(' && *from != ')') {
            *to++ = '.';
        }
        inside = *from == '(' || (inside && *from != ')');
        if (*from) {
            *to++ = *from++;
        }
    }
    *to = '\0';
}

// Adds a line. `before` is a line break before the first.
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
        put_dots(added);
    }
    source->text = longer;
    source->length += strlen(added);
    return true;
}

static bool add_options(struct source *source, struct fewest_error *error)
{
    for (unsigned i = 0; i < source->request->line_count; i++) {
        const struct added_line *line = &source->request->lines[i];
        if (strpbrk(line->words, "\r\n")) {
            return error_set(error, FEWEST_BAD_INPUT,
                             "%s: expected the %s on one line, got a line break",
                             ADDED[line->keyword].option, ADDED[line->keyword].words);
        }
        if (!add_line(source, i == 0 ? "\n" : "", ADDED[line->keyword].keyword, line->words)) {
            return no_memory(error);
        }
    }
    return true;
}

bool source_read(struct source *source, const struct make_request *request,
                 struct fewest_error *error)
{
    char missing[NAME_LONGEST + 1]; // the name, if the text has no `Name`
    *source = (struct source){.request = request};
    if (!read_text(source, error)) {
        return false;
    }
    end_lines(source);
    if (!name_put(request, &source->text, &source->length, missing)) {
        return no_memory(error);
    }
    // Without the lines of options first, so that an error is not put down to them.
    if (!read_definition(source, error) || !add_options(source, error)) {
        return false;
    }
    // A missing `Name` comes last, so that no line gets another number.
    if (*missing && !add_line(source, request->line_count == 0 ? "\n" : "", "Name", missing)) {
        return no_memory(error);
    }
    return read_definition(source, error);
}

void source_free(struct source *source)
{
    free(source->text);
    definition_free(&source->definition);
    kpuzzle_free(&source->kpuzzle);
    *source = (struct source){0};
}
