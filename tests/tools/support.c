// Functions that the test programs share.
#include "support.h"

#include "tables/definition/definition.h"
#include "tables/families/compile.h"
#include "tables/file/format.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    abort();
}

char *support_read(const char *path, size_t *length)
{
    char full[4096];
    snprintf(full, sizeof full, "%s/%s", SOURCE_FOLDER, path);
    FILE *file = fopen(full, "rb");
    if (!file) {
        stop(full, "can't be opened");
    }
    char *text = malloc(DEFINITION_LONGEST);
    if (!text) {
        stop(full, "no memory");
    }
    size_t read = fread(text, 1, DEFINITION_LONGEST - 1, file);
    text[read] = '\0';
    if (length) {
        *length = read;
    }
    fclose(file);
    return text;
}

// Opens a temporary file for the bytes of a table.
static FILE *open_output(struct output *output)
{
    FILE *file = tmpfile();
    if (!file) {
        stop("tmpfile", strerror(errno));
    }
    *output = (struct output){fileno(file), "a temporary file"};
    return file;
}

static struct generated read_output(FILE *file)
{
    struct generated read = {.bytes = NULL};
    if (fseek(file, 0, SEEK_END) != 0) {
        stop("fseek", strerror(errno));
    }
    read.length = (size_t)ftell(file);
    read.bytes = malloc(read.length + 1);
    if (!read.bytes || !storage_read_file(fileno(file), 0, read.bytes, read.length)) {
        stop("a temporary file", "can't be read");
    }
    return read;
}

bool generate_in_memory(const char *definition, size_t length, enum metric metric,
                        const struct search_options *options, struct generated *generated,
                        struct fewest_error *error)
{
    struct plan plan;
    struct output output;
    *generated = (struct generated){.bytes = NULL};
    FILE *file = open_output(&output);
    bool done = plan_begin(&plan, definition, length, metric, options, error) &&
                plan_costs(&plan, options, 1, error) &&
                generate_table(&plan, options, &output, error);
    plan_free(&plan);
    if (done) {
        *generated = read_output(file);
    }
    fclose(file);
    return done;
}

struct generated support_generate(const char *definition, size_t length, enum metric metric)
{
    struct search_options options = {.threads = 2};
    struct generated generated;
    struct fewest_error error;
    if (!generate_in_memory(definition, length, metric, &options, &generated, &error)) {
        stop(definition, error.text);
    }
    return generated;
}

struct generated support_generate_game(void)
{
    char *text = support_read("tables/puzzles/game.puzzle", NULL);
    struct generated generated = support_generate(text, strlen(text), METRIC_POWERS);
    free(text);
    return generated;
}

bool support_is_same_with_threads(const char *definition, unsigned most)
{
    struct generated expected = support_generate(definition, strlen(definition), METRIC_POWERS);
    bool same = true;
    for (unsigned threads = 1; threads <= most; threads++) {
        struct search_options options = {.threads = threads};
        struct generated generated;
        struct fewest_error error;
        if (!generate_in_memory(definition, strlen(definition), METRIC_POWERS, &options, &generated,
                                &error)) {
            return false;
        }
        same = same && generated.length == expected.length &&
               memcmp(generated.bytes, expected.bytes, expected.length) == 0;
        free(generated.bytes);
    }
    free(expected.bytes);
    return same;
}

struct fewest *support_open(const struct generated *generated)
{
    struct fewest_error error;
    struct fewest *table = fewest_open_buffer(generated->bytes, generated->length, &error);
    if (!table) {
        stop("fewest_open_buffer", error.text);
    }
    return table;
}

// Tables whose bytes are freed when they are closed.
static struct owned {
    struct fewest *table;
    uint8_t *bytes;
} owned[16];

struct fewest *support_own(struct generated generated)
{
    struct fewest *table = support_open(&generated);
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        if (!owned[i].table) {
            owned[i] = (struct owned){table, generated.bytes};
            return table;
        }
    }
    stop("support_own", "too many tables");
    return NULL;
}

struct fewest *support_open_text(const char *definition)
{
    return support_own(support_generate(definition, strlen(definition), METRIC_POWERS));
}

struct fewest *support_open_file(const char *path)
{
    char *text = support_read(path, NULL);
    struct fewest *table = support_open_text(text);
    free(text);
    return table;
}

void support_close(struct fewest *table)
{
    fewest_close(table);
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        if (owned[i].table == table) {
            free(owned[i].bytes);
            owned[i] = (struct owned){NULL, NULL};
        }
    }
}

void support_set(struct fewest *table, struct fewest_options options)
{
    struct fewest_error error;
    if (!fewest_set_options(table, &options, &error)) {
        stop("fewest_set_options", error.text);
    }
}

struct puzzle support_compile(const char *text, enum metric metric)
{
    struct puzzle puzzle;
    struct fewest_error error;
    if (!puzzle_compile(&puzzle, text, strlen(text), metric, &error)) {
        stop(text, error.text);
    }
    return puzzle;
}

struct query support_query(struct fewest *table, const char *text)
{
    struct query query;
    struct fewest_error error;
    if (!fewest_read_query(table, text, strlen(text), query.start, query.target, &error)) {
        stop(text, error.text);
    }
    return query;
}

int support_ask(struct fewest *table, const struct query *query)
{
    struct fewest_error error;
    int steps;
    if (!fewest_steps(table, query->start, query->target, &steps, &error)) {
        stop("fewest_steps", error.text);
    }
    return steps;
}

struct fewest_path support_path(struct fewest *table, const struct query *query)
{
    struct fewest_error error;
    struct fewest_path path;
    if (!fewest_path(table, query->start, query->target, &path, &error)) {
        stop("fewest_path", error.text);
    }
    return path;
}

struct fewest_stats support_count(struct fewest *table)
{
    struct fewest_error error;
    struct fewest_stats stats;
    if (!fewest_count(table, NULL, &stats, &error)) {
        stop("fewest_count", error.text);
    }
    return stats;
}

// The states that a visit has come to.
struct listing {
    struct fewest *table;
    uint64_t number;
};

// Compares a state that is visited with the one that has its number.
static bool compare_picked(void *context, const uint8_t *state, int distance)
{
    struct listing *listing = context;
    struct fewest_error error;
    uint8_t picked[FEWEST_CELLS_MOST];
    if (!fewest_pick(listing->table, listing->number++, picked, &error)) {
        stop("fewest_pick", error.text);
    }
    if (memcmp(picked, state, fewest_info(listing->table)->cell_count) != 0) {
        stop("fewest_pick", "it gives another state than the visit");
    }
    if (distance < 0) {
        stop("fewest_visit", "it comes to a state without a distance");
    }
    return true;
}

uint64_t support_compare_picked(struct fewest *table)
{
    struct listing listing = {.table = table};
    struct fewest_error error;
    if (!fewest_visit(table, NULL, compare_picked, &listing, &error)) {
        stop("fewest_visit", error.text);
    }
    return listing.number;
}

int support_steps(struct fewest *table, const char *text)
{
    struct query query;
    struct fewest_error error;
    int steps = 0;
    int other = 0;
    if (!fewest_read_query(table, text, strlen(text), query.start, query.target, &error) ||
        !fewest_steps(table, query.start, query.target, &steps, &error) ||
        fewest_steps_many(table, query.start, query.target, 1, &other, &error) != 1) {
        stop(text, error.text);
    }
    if (other != steps) {
        stop(text, "fewest_steps_many finds another distance");
    }
    return steps;
}

const char *support_explain(struct fewest *table, const char *text)
{
    static struct fewest_parity parity;
    struct query query;
    struct fewest_error error;
    if (!fewest_read_query(table, text, strlen(text), query.start, query.target, &error) ||
        !fewest_parity(table, query.start, query.target, &parity, &error)) {
        stop(text, error.text);
    }
    return parity.reason;
}

static struct distances *unpack_section(const struct header *header, const struct section *section,
                                        const struct block *blocks, const uint8_t *bytes)
{
    struct fewest_error error;
    uint8_t *raw = malloc(section_bytes(section));
    struct distances *distances = malloc(sizeof *distances);
    z_stream stream = {0};
    if (!raw || !distances || !distances_make(distances, section->entries, &error)) {
        stop(section->name, "no memory");
    }
    for (uint64_t b = 0; b < section_blocks(header, section); b++) {
        if (!block_decode(&stream, &blocks[b], bytes + blocks[b].offset,
                          raw + (b << header->block_log2), block_bytes(header, section, b),
                          &error)) {
            stop(section->name, error.text);
        }
    }
    inflateEnd(&stream);
    for (uint64_t i = 0; i < section->entries; i++) {
        unsigned value = entry_get(raw, section->bits, i);
        distances->bytes[i] =
            value == entry_unreachable(section->bits) ? UINT8_MAX : (uint8_t)value;
    }
    free(raw);
    return distances;
}

bool support_decode(struct header *header, const uint8_t *bytes, uint64_t length,
                    struct fewest_error *error)
{
    struct storage table = storage_of_bytes(bytes, length);
    return header_decode(header, &table, error);
}

struct table_content support_take_apart(const struct generated *generated)
{
    struct header header;
    struct fewest_error error;
    if (!support_decode(&header, generated->bytes, generated->length, &error)) {
        stop("header_decode", error.text);
    }
    struct table_content content = {.definition_length = header.definition_length,
                                    .metric = header.metric,
                                    .section_count = header.section_count};
    uint64_t block = 0;
    for (unsigned s = 0; s < header.section_count; s++) {
        struct section *section = &header.sections[s];
        struct distances *distances =
            unpack_section(&header, section, header.blocks + block, generated->bytes);
        memcpy(distances->histogram, section->histogram,
               (section->largest + 1) * sizeof *section->histogram);
        content.sections[s] = *section;
        content.sections[s].histogram = distances->histogram;
        content.distances[s] = distances;
        section->symmetries = NULL; // kept when the header is freed
        block += section_blocks(&header, section);
    }
    content.definition = header.definition; // keep it when the header is freed
    header.definition = NULL;
    header_free(&header);
    return content;
}

struct table_content support_take(struct generated generated)
{
    struct table_content content = support_take_apart(&generated);
    free(generated.bytes);
    return content;
}

void support_free_content(struct table_content *content)
{
    for (unsigned s = 0; s < content->section_count; s++) {
        distances_free((struct distances *)(uintptr_t)content->distances[s]);
        free((void *)(uintptr_t)content->distances[s]);
        free(content->sections[s].symmetries);
    }
    free((void *)(uintptr_t)content->definition);
}

uint8_t *support_entries(const struct table_content *content, unsigned section)
{
    return content->distances[section]->bytes;
}

struct generated support_pack(struct table_content *content)
{
    struct search_options options = {.threads = 2};
    struct output output;
    FILE *file = open_output(&output);
    struct fewest_error error;
    for (unsigned s = 0; s < content->section_count; s++) {
        distances_count((struct distances *)(uintptr_t)content->distances[s]);
    }
    if (!pack_table(content, &options, &output, &error)) {
        stop("pack_table", error.text);
    }
    struct generated packed = read_output(file);
    fclose(file);
    return packed;
}

void support_add_rule(void *rules, const char *finding)
{
    unsigned rule = 0;
    if (sscanf(finding, "rule %u: ", &rule) != 1) {
        rule = 0;
    }
    if (strncmp(finding, "... and", 7) != 0) { // a count of more findings
        *(unsigned *)rules |= 1u << rule;
    }
}

static void print_finding(void *context, const char *finding)
{
    (void)context;
    fprintf(stderr, "%s\n", finding);
}

bool support_is_sound(struct fewest *table)
{
    struct fewest_error error;
    return fewest_check(table, true, print_finding, NULL, &error);
}

struct farthest {
    uint8_t *state;
    unsigned cells;
    int distance;
};

static bool take_farthest(void *context, const uint8_t *state, int distance)
{
    const struct farthest *farthest = context;
    if (distance != farthest->distance) {
        return true;
    }
    memcpy(farthest->state, state, farthest->cells);
    return false;
}

bool support_farthest(struct fewest *table, const uint8_t *start, uint8_t *state,
                      struct fewest_error *error)
{
    struct fewest_stats stats;
    if (!fewest_count(table, &(struct fewest_selection){.start = start, .distance = FEWEST_ANY},
                      &stats, error)) {
        return false;
    }
    struct farthest farthest = {state, fewest_info(table)->cell_count, (int)stats.largest};
    return fewest_visit(table, &(struct fewest_selection){.start = start, .distance = FEWEST_ANY},
                        take_farthest, &farthest, error);
}

unsigned support_broken_rules(struct table_content *content, bool deep)
{
    unsigned rules = 0;
    struct generated packed = support_pack(content);
    struct fewest *table = support_open(&packed);
    bool sound = fewest_check(table, deep, support_add_rule, &rules, &(struct fewest_error){0});
    if (sound != (rules == 0)) {
        stop("fewest_check", "findings and result differ");
    }
    fewest_close(table);
    free(packed.bytes);
    return rules;
}

bool support_passes(struct table_content *content, bool deep)
{
    return support_broken_rules(content, deep) == 0;
}

static void put_number(uint8_t *bytes, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
}

static uint64_t get_number(const uint8_t *bytes)
{
    uint64_t value = 0;
    for (unsigned i = 8; i-- > 0;) {
        value = value << 8 | bytes[i];
    }
    return value;
}

void support_forge_checksums(uint8_t *bytes, size_t length)
{
    enum { LENGTH_AT = 16, HASH = 8, BLOCK = 20, BLOCK_HASH_AT = 12 };
    struct header header;
    struct fewest_error error;
    uint64_t header_bytes = length < LENGTH_AT + 8 ? 0 : get_number(bytes + LENGTH_AT);
    if (header_bytes > length || header_bytes < LENGTH_AT + 8 + HASH) {
        return;
    }
    put_number(bytes + header_bytes - HASH, format_hash(bytes, header_bytes - HASH));
    if (!support_decode(&header, bytes, length, &error)) {
        return;
    }
    uint64_t index = header_bytes - HASH - header.block_count * BLOCK;
    for (uint64_t b = 0; b < header.block_count && header.minor == FORMAT_MINOR; b++) {
        uint64_t hash = format_hash(bytes + header.blocks[b].offset, header.blocks[b].length);
        put_number(bytes + index + b * BLOCK + BLOCK_HASH_AT, hash);
    }
    header_free(&header);
    put_number(bytes + header_bytes - HASH, format_hash(bytes, header_bytes - HASH));
}

uint64_t support_random(void)
{
    static uint64_t state;
    if (state == 0) {
        const char *seed = getenv("SEED");
        state = seed ? strtoull(seed, NULL, 10) : 20240229;
        fprintf(stderr, "SEED=%" PRIu64 "\n", state);
        state = state * 2 + 1; // never 0
    }
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * UINT64_C(2685821657736338717);
}

unsigned support_random_below(unsigned bound)
{
    return (unsigned)((support_random() >> 32) % bound);
}

bool support_happens(unsigned once_in)
{
    return support_random_below(once_in) == 0;
}

void support_swap(uint8_t *a, uint8_t *b)
{
    uint8_t kept = *a;
    *a = *b;
    *b = kept;
}

void support_shuffle(uint8_t *row, unsigned count)
{
    for (unsigned i = count; i-- > 1;) {
        support_swap(&row[i], &row[support_random_below(i + 1)]);
    }
}
