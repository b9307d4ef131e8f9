// How a table is forged: in its definition, counts, entries and index. And what is true of one.
#include "hostile.h"

#include "generate.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Forged definitions --------------------------------------------------------------------------------------------

// A text that keeps its length. A line is described by where it begins and ends, its newline left out.
struct line {
    char *begin;
    char *end;
};

static struct line random_line(char *text, size_t length)
{
    struct line line = {text + support_random_below((unsigned)length), NULL};
    while (line.begin > text && line.begin[-1] != '\n') {
        line.begin--;
    }
    line.end = memchr(line.begin, '\n', (size_t)(text + length - line.begin));
    line.end = line.end ? line.end : text + length;
    return line;
}

static void change_bytes(char *text, size_t length, bool printable)
{
    for (unsigned count = 1 + support_random_below(3); count > 0; count--) {
        unsigned byte = printable ? support_random_below('~' - ' ' + 1) + ' ' : support_random_below(256);
        text[support_random_below((unsigned)length)] = (char)byte;
    }
}

// The beginning of a random number of the line, or NULL.
static char *random_number(struct line line)
{
    char *found = NULL;
    unsigned count = 0;
    for (char *at = line.begin; at < line.end; at++) {
        bool begins = isdigit((unsigned char)*at) && (at == line.begin || !isdigit((unsigned char)at[-1]));
        if (begins && support_random_below(++count) == 0) {
            found = at;
        }
    }
    return found;
}

static size_t number_length(const char *number, const char *end)
{
    size_t length = 0;
    while (number + length < end && isdigit((unsigned char)number[length])) {
        length++;
    }
    return length;
}

// Exchanges two numbers of a line.
static bool exchange_numbers(char *text, size_t length)
{
    struct line line = random_line(text, length);
    char *a = *line.begin == '#' ? NULL : random_number(line);
    char *b = a ? random_number(line) : NULL;
    if (!a || a == b) {
        return false;
    }
    if (a > b) {
        char *kept = a;
        a = b;
        b = kept;
    }
    size_t a_length = number_length(a, line.end);
    size_t b_length = number_length(b, line.end);
    size_t between = (size_t)(b - a) - a_length;
    char *copy = lab_allocate((size_t)(b - a) + b_length);
    memcpy(copy, b, b_length);
    memcpy(copy + b_length, a + a_length, between);
    memcpy(copy + b_length + between, a, a_length);
    bool differs = memcmp(a, copy, b_length + between + a_length) != 0;
    memcpy(a, copy, b_length + between + a_length);
    free(copy);
    return differs;
}

// Another digit for a digit of a line that is no comment.
static bool change_digit(char *text, size_t length)
{
    struct line line = random_line(text, length);
    char *number = *line.begin == '#' ? NULL : random_number(line);
    if (number) {
        *number = (char)('0' + ((unsigned)(*number - '0') + 1 + support_random_below(9)) % 10);
    }
    return number;
}

// Makes a comment of what stands between two places, the newlines kept.
static void make_comment(char *begin, const char *end)
{
    bool first = true;
    for (char *at = begin; at < end; at++) {
        first = first || at[-1] == '\n';
        *at = *at == '\n' ? '\n' : first ? '#' : ' ';
        first = false;
    }
}

static bool drop_line(char *text, size_t length)
{
    struct line line = random_line(text, length);
    bool counts = line.begin < line.end && *line.begin != '#';
    make_comment(line.begin, line.end);
    return counts;
}

static bool drop_move(char *text, size_t length)
{
    struct line line = random_line(text, length);
    while (line.begin > text && strncmp(line.begin, "Move ", 5) != 0) {
        do {
            line.begin--;
        } while (line.begin > text && line.begin[-1] != '\n');
    }
    char *end = strncmp(line.begin, "Move ", 5) == 0 ? strstr(line.begin, "\nEnd") : NULL;
    if (end) {
        make_comment(line.begin, end + strlen("\nEnd"));
    }
    return end;
}

// Exchanges two lines.
static bool exchange_lines(char *text, size_t length)
{
    struct line a = random_line(text, length);
    struct line b = random_line(text, length);
    if (a.begin >= b.begin) {
        return false;
    }
    size_t a_length = (size_t)(a.end - a.begin);
    size_t b_length = (size_t)(b.end - b.begin);
    size_t between = (size_t)(b.begin - a.end);
    char *copy = lab_allocate((size_t)(b.end - a.begin));
    memcpy(copy, b.begin, b_length);
    memcpy(copy + b_length, a.end, between);
    memcpy(copy + b_length + between, a.begin, a_length);
    memcpy(a.begin, copy, (size_t)(b.end - a.begin));
    free(copy);
    return true;
}

// A change that means nothing: a table with it is right.
static bool change_comment(char *text, size_t length)
{
    struct line line = random_line(text, length);
    if (line.end - line.begin < 2 || *line.begin != '#') {
        return false;
    }
    line.begin[1 + support_random_below((unsigned)(line.end - line.begin - 1))] ^= 1;
    return true;
}

enum { DEFINITION_KINDS = 8, DEFINITION_WAYS = 12 * DEFINITION_KINDS };

static const char *change_definition(char *text, size_t length, unsigned kind)
{
    enum { DRAWS = 100 }; // a puzzle may have no such line
    static bool (*const CHANGES[])(char *, size_t) = {exchange_numbers, change_digit,   drop_line,
                                                      drop_move,        exchange_lines, change_comment};
    static const char *const WHATS[] = {"two numbers exchanged", "a digit changed",     "a line dropped",
                                        "a move dropped",        "two lines exchanged", "a comment changed"};
    bool changed = false;
    for (unsigned draw = 0; draw < DRAWS && kind >= 2 && !changed; draw++) {
        changed = CHANGES[kind - 2](text, length);
    }
    if (!changed) {
        change_bytes(text, length, kind != 1);
    }
    return changed ? WHATS[kind - 2] : kind == 1 ? "some bytes changed" : "some letters changed";
}

static void forge_definition(struct lab *lab, uint64_t way, struct victim *victim)
{
    size_t length = lab->header.definition_length;
    size_t at = lab_index_at(lab) - length;
    victim_in_place(lab, 0, lab->header.length, victim);
    char *text = lab_allocate(length + 1); // with an end, to search in
    memcpy(text, victim->bytes + at, length);
    text[length] = '\0';
    const char *what = change_definition(text, length, (unsigned)(way % DEFINITION_KINDS));
    memcpy(victim->bytes + at, text, length);
    free(text);
    size_t first = at;
    while (first + 1 < at + length && victim->bytes[first] == lab->good.bytes[first]) {
        first++;
    }
    support_forge_checksums(victim->bytes, victim->length);
    snprintf(victim->what, sizeof victim->what, "%s in the definition, from its byte %zu on: '%.24s'", what, first - at,
             (const char *)victim->bytes + first);
    for (char *c = victim->what; *c; c++) {
        *c = *c < ' ' || *c > '~' ? '.' : *c;
    }
}

// ---- Forged counts -------------------------------------------------------------------------------------------------

enum { COUNT_KINDS = 5, COUNT_WAYS = 12 * COUNT_KINDS };

static void forge_count(struct lab *lab, uint64_t way, struct victim *victim)
{
    victim_in_place(lab, 0, lab->header.length, victim);
    unsigned s = support_random_below(lab->header.section_count);
    size_t at = SECTIONS_AT;
    for (unsigned before = 0; before < s; before++) {
        at += SECTION_FIXED + 8 * ((size_t)lab->header.sections[before].largest + 1);
    }
    at += SECTION_FIXED;
    const struct section *section = &lab->header.sections[s];
    unsigned d = support_random_below(section->largest + 1);
    uint64_t count = section->histogram[d];
    unsigned kind = (unsigned)(way % COUNT_KINDS);
    uint64_t value = kind == 0 ? count - 1 : kind == 1 ? count + 1 : kind == 2 ? 0 : kind == 3 ? count / 2 : count - 1;
    value = value == count || count == 0 ? count + 1 : value;
    lab_put(victim->bytes + at + (size_t)8 * d, 8, value);
    if (kind == 4) { // the sum stays as it was
        unsigned to = d == section->largest ? 0 : d + 1;
        uint64_t there = lab_get(victim->bytes + at + (size_t)8 * to, 8);
        lab_put(victim->bytes + at + (size_t)8 * to, 8, there + count - value);
    }
    support_forge_checksums(victim->bytes, victim->length);
    snprintf(victim->what, sizeof victim->what, "the %s at distance %u counted %" PRIu64 " instead of %" PRIu64 "%s",
             section->name, d, value, count, kind == 4 ? ", the difference elsewhere" : "");
}

// ---- Forged entries ------------------------------------------------------------------------------------------------

enum { ENTRY_KINDS = 10 };

static const char *change_entry(uint8_t *entries, uint64_t count, unsigned largest, unsigned kind, uint64_t i)
{
    switch (kind) {
    case 0:
        entries[i] = entries[i] == UINT8_MAX ? 0 : (uint8_t)(entries[i] + 1);
        return "one farther";
    case 1:
        for (uint64_t e = 0; e < count; e++) {
            entries[e] = entries[e] == UINT8_MAX ? (uint8_t)(largest + 1) : entries[e];
        }
        return "a distance where it was unreachable";
    case 2:
        entries[i] = entries[i] == 0 ? 1 : (uint8_t)(entries[i] - 1);
        return "one nearer";
    case 3:
        entries[i] = entries[i] == 0 ? 1 : 0;
        return "0";
    case 4:
        entries[i] = entries[i] == UINT8_MAX ? (uint8_t)largest : UINT8_MAX;
        return "unreachable";
    case 5:
        entries[i] = (uint8_t)(entries[i] == largest ? 0 : largest);
        return "the largest distance";
    case 6:
        entries[i] = entries[i] == UINT8_MAX - 1 ? 1 : UINT8_MAX - 1;
        return "as large as can be";
    case 7:
        memset(entries, 0, count);
        return "0 in all of the section";
    case 8:
        memset(entries, (int)largest, count);
        return "the largest in all of the section";
    default:
        memset(entries, UINT8_MAX, count);
        return "unreachable in all of the section";
    }
}

// Leaves the content as it was.
static void forge_entry(struct lab *lab, uint64_t way, struct victim *victim)
{
    struct generated good = {lab->good.bytes, lab->good.length};
    if (!lab->apart) {
        lab->content = support_take_apart(&good);
        lab->apart = true;
    }
    unsigned s = (unsigned)(way % lab->content.section_count); // every kind in every section
    unsigned kind = (unsigned)(way / lab->content.section_count + s) % ENTRY_KINDS;
    uint64_t count = lab->header.sections[s].entries;
    uint8_t *entries = support_entries(&lab->content, s);
    uint8_t *kept = lab_allocate(count);
    memcpy(kept, entries, count);
    uint64_t i = support_random() % count;
    const char *what = change_entry(entries, count, lab->header.sections[s].largest, kind, i);
    if (memcmp(entries, kept, count) == 0) { // it was like that all over: one of them otherwise
        entries[i] ^= 1;
    }
    unsigned before = kept[i];
    unsigned after = entries[i];
    struct generated packed = support_pack(&lab->content);
    memcpy(entries, kept, count);
    free(kept);
    *victim = (struct victim){.bytes = packed.bytes, .length = packed.length, .own = true};
    snprintf(victim->what, sizeof victim->what, "entry %" PRIu64 " of the %s made %s (%u instead of %u)", i,
             lab->header.sections[s].name, what, after, before);
}

// ---- Forged index --------------------------------------------------------------------------------------------------

enum { INDEX_KINDS = 3, INDEX_WAYS = 20 * INDEX_KINDS };

static void put_block(struct victim *victim, size_t index, uint64_t block, uint64_t offset, uint64_t length)
{
    lab_put(victim->bytes + index + block * INDEX_ENTRY, 8, offset);
    lab_put(victim->bytes + index + block * INDEX_ENTRY + INDEX_LENGTH_AT, 4, length);
}

// Moves the border of two neighbouring blocks, exchanges their lengths alone, or them whole.
static void forge_index(struct lab *lab, uint64_t way, struct victim *victim)
{
    unsigned kind = (unsigned)(way % INDEX_KINDS);
    uint64_t b = support_random_below((unsigned)lab->header.block_count - 1);
    const struct block *blocks = lab->header.blocks + b;
    uint64_t first = blocks[0].length;
    uint64_t second = blocks[1].length;
    uint64_t border = second;
    if (kind == 0 || first == second) {
        bool back = support_random_below(2) && first > 1;
        uint64_t by = 1 + support_random() % ((back ? first : second) > 16 ? 16 : (back ? first : second));
        border = back ? first - by : first + by;
    }
    border = border >= first + second ? first + second - 1 : border == 0 ? 1 : border;
    victim_in_place(lab, 0, blocks[1].offset + second, victim);
    if (kind == 2) {
        border = second;
        memcpy(victim->bytes + blocks[0].offset, lab->good.bytes + blocks[1].offset, second);
        memcpy(victim->bytes + blocks[0].offset + second, lab->good.bytes + blocks[0].offset, first);
    }
    put_block(victim, lab_index_at(lab), b, blocks[0].offset, border);
    put_block(victim, lab_index_at(lab), b + 1, blocks[0].offset + border, first + second - border);
    support_forge_checksums(victim->bytes, victim->length);
    snprintf(victim->what, sizeof victim->what,
             "%s blocks %" PRIu64 " and %" PRIu64 ", of %" PRIu64 " and %" PRIu64 " bytes instead of %" PRIu64
             " and %" PRIu64,
             kind == 2 ? "exchanged" : "another border of", b, b + 1, border, first + second - border, first, second);
}

// ---- All of them
// ------------------------------------------------------------------------------------------------------

uint64_t forge_ways(const struct lab *lab, enum harm harm)
{
    switch (harm) {
    case HARM_FORGED_DEFINITION:
        return DEFINITION_WAYS;
    case HARM_FORGED_COUNT:
        return COUNT_WAYS;
    case HARM_FORGED_ENTRY:
        return ENTRY_KINDS * (lab_entries(lab) > ENTRIES_SLOW ? 1 : lab->header.section_count);
    case HARM_FORGED_INDEX:
        return lab->header.block_count > 1 ? INDEX_WAYS : 0;
    default:
        return 0;
    }
}

void forge(struct lab *lab, enum harm harm, uint64_t way, struct victim *victim)
{
    switch (harm) {
    case HARM_FORGED_DEFINITION:
        forge_definition(lab, way, victim);
        break;
    case HARM_FORGED_COUNT:
        forge_count(lab, way, victim);
        break;
    case HARM_FORGED_ENTRY:
        forge_entry(lab, way, victim);
        break;
    default:
        forge_index(lab, way, victim);
    }
}

// ---- The truth -----------------------------------------------------------------------------------------------------

static bool same_content(const struct table_content *a, const struct table_content *b, char why[WHY_SIZE])
{
    if (a->section_count != b->section_count) {
        snprintf(why, WHY_SIZE, "it has %u sections, not %u", a->section_count, b->section_count);
        return false;
    }
    for (unsigned s = 0; s < a->section_count; s++) {
        uint64_t count = a->sections[s].entries;
        const uint8_t *entries = support_entries(a, s);
        const uint8_t *truth = support_entries(b, s);
        if (count != b->sections[s].entries) {
            snprintf(why, WHY_SIZE, "its section %u has another number of entries", s);
            return false;
        }
        for (uint64_t i = 0; i < count; i++) {
            if (entries[i] != truth[i]) {
                snprintf(why, WHY_SIZE, "entry %" PRIu64 " of the %s is %u, in truth %u (255: unreachable)", i,
                         a->sections[s].name, entries[i], truth[i]);
                return false;
            }
        }
    }
    return true;
}

bool image_is_true(const struct lab *lab, const struct image *image, char why[WHY_SIZE])
{
    struct search_options options = {.threads = 2};
    struct generated found = {image->bytes, image->length};
    struct generated truth = {lab->good.bytes, lab->good.length};
    struct table_content content = support_take_apart(&found);
    struct fewest_error error;
    bool own = content.definition_length == lab->header.definition_length && content.metric == lab->header.metric &&
               memcmp(content.definition, lab->header.definition, content.definition_length) == 0;
    if (!own &&
        !generate_in_memory(content.definition, content.definition_length, content.metric, &options, &truth, &error)) {
        snprintf(why, WHY_SIZE, "its definition can't be generated: %.200s", error.text);
        support_free_content(&content);
        return false;
    }
    struct table_content true_content = support_take_apart(&truth);
    bool same = same_content(&content, &true_content, why);
    support_free_content(&true_content);
    support_free_content(&content);
    if (!own) {
        free(truth.bytes);
    }
    return same;
}
