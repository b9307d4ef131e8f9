// Knows files of other programs by their first line, and tells how to translate them.
#include "foreign.h"

#include "tables/base/ascii.h"

#include <string.h>

// How to translate permutations of N points: `what` as a block of the keyword `move`.
#define TRANSLATE(what, move, row)                                                                 \
    "after `Set POINT N 1`, `Solved` and `End`, write each " what " as a `" move                   \
    "`: the lines `" move " NAME`, `POINT`, " row " and `End` (see puzzle(5))"
#define LISTS                                                                                      \
    TRANSLATE("list of numbers from 0", "MoveTransformation", "the numbers without commas")

// A part of a text that it does not own.
struct part {
    const char *text;
    size_t length;
};

static bool begins_with(struct part part, const char *begin)
{
    return part.length >= strlen(begin) && memcmp(part.text, begin, strlen(begin)) == 0;
}

static bool contains(struct part part, const char *wanted)
{
    for (; part.length >= strlen(wanted); part.text++, part.length--) {
        if (begins_with(part, wanted)) {
            return true;
        }
    }
    return false;
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
        line = (struct part){text->text, stop};
        stop += stop < text->length;
        *text = (struct part){text->text + stop, text->length - stop};
        while (line.length > 0 && ascii_is_space(*line.text)) {
            line.text++;
            line.length--;
        }
        while (line.length > 0 && ascii_is_space(line.text[line.length - 1])) {
            line.length--;
        }
        if (begins_with(line, "#")) {
            line.length = 0;
        }
    }
    return line;
}

// Is this a text of GAP, whose first line is `line`, and the rest follows? It begins with an
// assignment or another statement, or it shows the prompt.
static bool is_gap(struct part line, struct part rest)
{
    bool assigns = contains(line, ":=");
    if (assigns || begins_with(line, "gap>")) {
        return true;
    }
    if (line.length == 0 || line.text[line.length - 1] != ';') {
        return false;
    }
    bool makes_group = contains(line, "Group(");
    while (!assigns && (line = take_line(&rest)).length > 0) {
        assigns = contains(line, ":=");
    }
    return assigns || makes_group;
}

// Is the line the names of columns: two or more words of small letters with commas between them?
static bool is_csv_head(struct part line)
{
    bool begins = true; // a column
    unsigned columns = 0;
    for (size_t i = 0; i < line.length; i++) {
        char c = line.text[i];
        bool is_letter = c >= 'a' && c <= 'z';
        bool is_other = c == '_' || c == ' ' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
        if (begins ? !is_letter : !is_letter && !is_other && c != ',') {
            return false;
        }
        columns += begins;
        begins = c == ',';
    }
    return columns > 1 && !begins;
}

// Returns what a text is by its first line, which the rest follows. NULL if it is no file of
// another program that is known.
static const char *find_explanation(struct part line, struct part rest)
{
    if (is_gap(line, rest)) {
        return "this is a GAP file, not a definition: " TRANSLATE("cycle list", "Move",
                                                                  "the cycles");
    }
    if (contains(line, "{'") || (begins_with(line, "{") && begins_with(take_line(&rest), "'"))) {
        return "these are lists of Python, not a definition: " LISTS;
    }
    if (is_csv_head(line)) {
        return "this is a CSV file, not a definition, which has one puzzle: " LISTS;
    }
    if (begins_with(line, "[")) {
        return "this is a list of JSON, not a definition: " LISTS;
    }
    return NULL;
}

// Returns the number of the line that ends at `end`, counted from 1.
static unsigned count_lines(const char *text, const char *end)
{
    unsigned number = 1;
    for (; text < end; text++) {
        number += *text == '\n' || (*text == '\r' && !(text + 1 < end && text[1] == '\n'));
    }
    return number;
}

bool foreign_explain(const char *text, size_t length, struct fewest_error *error)
{
    size_t mark = ascii_mark_length(text, length);
    struct part rest = {text + mark, length - mark};
    struct part line = take_line(&rest);
    unsigned number = error->lines[0].number; // 0: the error names no line
    bool is_first = number == 0 || number == count_lines(text, line.text + line.length);
    const char *explanation = is_first ? find_explanation(line, rest) : NULL;
    if (explanation && error->status != FEWEST_SYSTEM) {
        error_write(error, FEWEST_BAD_INPUT, "%s", explanation);
    }
    return false;
}

bool foreign_explain_json(struct fewest_error *error)
{
    return error_set(error, FEWEST_BAD_INPUT,
                     "this JSON is no KPuzzle, which has a list `orbits`; if it has lists of "
                     "permutations, " LISTS);
}
