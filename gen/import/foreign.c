// Knows files of other programs by their first lines.
#include "foreign.h"

#include "tables/base/ascii.h"

#include <string.h>

// A part of a text that it does not own.
struct part {
    const char *text;
    size_t length;
};

static bool begins_with(struct part part, const char *begin)
{
    return part.length >= strlen(begin) && memcmp(part.text, begin, strlen(begin)) == 0;
}

static struct part skip_space(struct part part)
{
    while (part.length > 0 && ascii_is_space(*part.text)) {
        part.text++;
        part.length--;
    }
    return part;
}

// Takes the next line that is more than white space and a comment off the text. Returns it without
// white space around it; it is empty at the end of the text.
static struct part take_line(struct part *text)
{
    struct part line = {text->text, 0};
    while (text->length > 0 && line.length == 0) {
        size_t stop = 0;
        while (stop < text->length && text->text[stop] != '\n' && text->text[stop] != '\r') {
            stop++;
        }
        line = skip_space((struct part){text->text, stop});
        stop += stop < text->length;
        *text = (struct part){text->text + stop, text->length - stop};
        while (line.length > 0 && ascii_is_space(line.text[line.length - 1])) {
            line.length--;
        }
        if (begins_with(line, "#")) {
            line.length = 0;
        }
    }
    return line;
}

// Is the line an assignment of GAP: a name, then `:=`?
static bool is_assignment(struct part line)
{
    size_t name = 0;
    while (name < line.length && (ascii_is_digit(line.text[name]) || line.text[name] == '_' ||
                                  (line.text[name] >= 'A' && line.text[name] <= 'Z') ||
                                  (line.text[name] >= 'a' && line.text[name] <= 'z'))) {
        name++;
    }
    return name > 0 &&
           begins_with(skip_space((struct part){line.text + name, line.length - name}), ":=");
}

// Is this a text of GAP, whose first line is `line`, and the rest follows? It begins with an
// assignment, a group or another statement before an assignment, or it shows the prompt.
static bool is_gap(struct part line, struct part rest)
{
    bool found = is_assignment(line) || begins_with(line, "Group(") || begins_with(line, "gap>");
    bool is_statement = line.length > 0 && line.text[line.length - 1] == ';';
    while (!found && is_statement && (line = take_line(&rest)).length > 0) {
        found = is_assignment(line);
    }
    return found;
}

// Is the line the names of columns: two or more words of small letters with commas between them?
static bool is_csv_head(struct part line)
{
    bool begins = true; // a column
    unsigned columns = 0;
    for (size_t i = 0; i < line.length; i++) {
        char c = line.text[i];
        bool is_letter = c >= 'a' && c <= 'z';
        bool is_other = c == '_' || c == ' ' || ascii_is_digit(c) || (c >= 'A' && c <= 'Z');
        if (begins ? !is_letter : !is_letter && !is_other && c != ',') {
            return false;
        }
        columns += begins;
        begins = c == ',';
    }
    return columns > 1 && !begins;
}

const char *foreign_find_kind(const char *text, size_t length)
{
    size_t mark = ascii_mark_length(text, length);
    struct part rest = {text + mark, length - mark};
    struct part line = take_line(&rest);
    if (begins_with(line, "{")) {
        struct part key = skip_space((struct part){line.text + 1, line.length - 1});
        if (key.length == 0) {
            key = take_line(&rest);
        }
        return begins_with(key, "'") ? "a dictionary of Python" : "JSON";
    }
    if (begins_with(line, "[")) {
        return "a list of JSON";
    }
    if (is_gap(line, rest)) {
        return "a GAP file";
    }
    return is_csv_head(line) ? "a CSV file" : NULL;
}

bool foreign_explain(const char *text, size_t length, struct fewest_error *error)
{
    const char *kind = foreign_find_kind(text, length);
    if (kind && error->status != FEWEST_SYSTEM) {
        error_write(error, FEWEST_BAD_INPUT,
                    "this is %s, not a definition; the command fewest-import translates such files",
                    kind);
    }
    return false;
}
