// How a table is spoilt by accident, and field by field.
#include "hostile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const HARM_NAMES[HARM_COUNT] = {
    [HARM_HEADER_BIT] = "header bit",
    [HARM_BLOCK_BIT] = "block bit",
    [HARM_CUT] = "cut",
    [HARM_APPENDED] = "appended",
    [HARM_SPLICED] = "spliced",
    [HARM_FIELD] = "field",
    [HARM_FORGED_FIELD] = "forged field",
    [HARM_FORGED_DEFINITION] = "forged definition",
    [HARM_FORGED_COUNT] = "forged count",
    [HARM_FORGED_ENTRY] = "forged entry",
    [HARM_FORGED_INDEX] = "forged index",
};

static _Noreturn void stop(const char *what, const char *why)
{
    fprintf(stderr, "hostile: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

void *lab_allocate(size_t size)
{
    void *memory = malloc(size);
    if (!memory) {
        stop("malloc", "no memory");
    }
    return memory;
}

struct image image_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        stop(path, "can't be read");
    }
    struct image image = {.length = (size_t)ftell(file)};
    image.bytes = lab_allocate(image.length);
    rewind(file);
    if (fread(image.bytes, 1, image.length, file) != image.length) {
        stop(path, "can't be read");
    }
    fclose(file);
    return image;
}

void image_write(const char *path, const uint8_t *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0) {
        stop(path, "can't be written");
    }
}

uint64_t image_unpacked(const uint8_t *bytes, size_t length)
{
    struct header header;
    struct fewest_error error;
    uint64_t unpacked = 0;
    if (!header_decode(&header, bytes, length, &error)) {
        return 0;
    }
    for (unsigned s = 0; s < header.section_count; s++) {
        unpacked += section_bytes(&header.sections[s]);
    }
    header_free(&header);
    return unpacked;
}

// ---- The lab -------------------------------------------------------------------------------------------------------

static void add_field(struct lab *lab, size_t *at, unsigned width)
{
    lab->fields[lab->field_count++] = (struct field){*at, width};
    *at += width;
}

static void add_fields(struct lab *lab, size_t *at, const uint8_t *widths, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        add_field(lab, at, widths[i]);
    }
}

size_t lab_index_at(const struct lab *lab)
{
    return lab->header.length - HASH_BYTES - lab->header.block_count * INDEX_ENTRY;
}

// Every field of the header; of a long block index, every fourth block's and the ends'.
static void list_fields(struct lab *lab)
{
    enum { BLOCKS_WHOLE = 64, BLOCKS_EACH = 4 };
    static const uint8_t START[] = {8, 2, 2, 4, 8, 1, 1, 2};
    static const uint8_t SECTION[] = {8, 8, 1, 1, 1, 1, 8, 8};
    static const uint8_t BLOCK[] = {8, 4, 8};
    uint64_t blocks = lab->header.block_count;
    size_t at = 0;
    lab->fields = lab_allocate((64 + (size_t)SECTIONS_MOST * 300 + blocks * sizeof BLOCK) * sizeof *lab->fields);
    add_fields(lab, &at, START, sizeof START);
    for (unsigned s = 0; s < lab->header.section_count; s++) {
        add_fields(lab, &at, SECTION, sizeof SECTION);
        for (unsigned d = 0; d <= lab->header.sections[s].largest; d++) {
            add_field(lab, &at, 8);
        }
    }
    add_field(lab, &at, 4);
    for (uint64_t b = 0; b < blocks; b++) {
        if (blocks <= BLOCKS_WHOLE || b % BLOCKS_EACH == 0 || b + 1 == blocks) {
            at = lab_index_at(lab) + b * INDEX_ENTRY;
            add_fields(lab, &at, BLOCK, sizeof BLOCK);
        }
    }
    at = lab->header.length - HASH_BYTES;
    add_field(lab, &at, HASH_BYTES);
}

void lab_open(struct lab *lab, const char *const *paths, unsigned path_count, unsigned own)
{
    struct fewest_error error;
    *lab = (struct lab){.paths = paths, .path_count = path_count, .own = own, .other_number = own};
    lab->good = image_read(paths[own]);
    lab->work = (struct image){lab_allocate(lab->good.length), lab->good.length};
    memcpy(lab->work.bytes, lab->good.bytes, lab->good.length);
    if (!header_decode(&lab->header, lab->good.bytes, lab->good.length, &error)) {
        stop(paths[own], error.text);
    }
    if (lab->header.block_count > BLOCKS_MOST) {
        stop(paths[own], "more blocks than this test has room for");
    }
    list_fields(lab);
}

void lab_close(struct lab *lab)
{
    if (lab->apart) {
        support_free_content(&lab->content);
    }
    free(lab->other.bytes);
    free(lab->fields);
    header_free(&lab->header);
    free(lab->work.bytes);
    free(lab->good.bytes);
}

uint64_t lab_entries(const struct lab *lab)
{
    uint64_t entries = 0;
    for (unsigned s = 0; s < lab->header.section_count; s++) {
        entries += lab->header.sections[s].entries;
    }
    return entries;
}

void lab_mend(struct lab *lab, size_t from, size_t to)
{
    memcpy(lab->work.bytes + from, lab->good.bytes + from, to - from);
}

int lab_named_block(const struct lab *lab, const char *text)
{
    const char *byte = strstr(text, "the block at byte ");
    uint64_t offset = byte ? strtoull(byte + strlen("the block at byte "), NULL, 10) : 0;
    for (uint64_t b = 0; b < lab->header.block_count && byte; b++) {
        if (lab->header.blocks[b].offset == offset) {
            return (int)b;
        }
    }
    return -1;
}

void victim_release(struct lab *lab, struct victim *victim)
{
    if (victim->own) {
        free(victim->bytes);
    } else {
        lab_mend(lab, victim->from, victim->to);
    }
}

// A victim that is the lab's copy, of which so much may be changed.
void victim_in_place(struct lab *lab, size_t from, size_t to, struct victim *victim)
{
    *victim = (struct victim){.bytes = lab->work.bytes, .length = lab->work.length, .from = from, .to = to};
}

static void begin_anew(size_t length, struct victim *victim)
{
    *victim = (struct victim){.bytes = lab_allocate(length), .length = length, .own = true};
}

void lab_put(uint8_t *bytes, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
}

uint64_t lab_get(const uint8_t *bytes, unsigned width)
{
    uint64_t value = 0;
    for (unsigned i = width; i-- > 0;) {
        value = value << 8 | bytes[i];
    }
    return value;
}

// ---- Accidents -----------------------------------------------------------------------------------------------------

static void make_header_bit(struct lab *lab, uint64_t way, struct victim *victim)
{
    size_t at = way / 8;
    victim_in_place(lab, at, at + 1, victim);
    victim->bytes[at] ^= (uint8_t)(1u << way % 8);
    snprintf(victim->what, sizeof victim->what, "bit %u of byte %zu flipped", (unsigned)(way % 8), at);
}

void lab_flip_block(struct lab *lab, uint64_t block, unsigned flip)
{
    const struct block *of = &lab->header.blocks[block];
    size_t byte = flip == 0 ? support_random_below(of->length) : flip == 1 ? 0 : of->length - 1;
    lab->work.bytes[of->offset + byte] ^= (uint8_t)(1u << support_random_below(8));
}

static void make_block_bit(struct lab *lab, uint64_t way, struct victim *victim)
{
    uint64_t block = way / BLOCK_FLIPS;
    const struct block *of = &lab->header.blocks[block];
    victim_in_place(lab, of->offset, of->offset + of->length, victim);
    lab_flip_block(lab, block, (unsigned)(way % BLOCK_FLIPS));
    snprintf(victim->what, sizeof victim->what, "a bit of block %" PRIu64 " flipped", block);
}

enum { CUT_EACH = 1 << 16, CUT_STEP = 1021 };

static uint64_t cut_ways(const struct lab *lab)
{
    size_t length = lab->good.length;
    return length <= CUT_EACH ? length : CUT_EACH + (length - CUT_EACH + CUT_STEP - 1) / CUT_STEP;
}

static void make_cut(struct lab *lab, uint64_t way, struct victim *victim)
{
    size_t length = way < CUT_EACH ? way : CUT_EACH + (way - CUT_EACH) * CUT_STEP;
    length = way + 1 == cut_ways(lab) ? lab->good.length - 1 : length;
    begin_anew(length, victim);
    memcpy(victim->bytes, lab->good.bytes, length);
    snprintf(victim->what, sizeof victim->what, "cut to %zu bytes", length);
}

static const size_t APPENDED[] = {1, 2, 7, 4096};

enum { APPENDED_WAYS = 2 * sizeof APPENDED / sizeof *APPENDED + 1 }; // zeros and noise of each length, and a copy

static void make_appended(struct lab *lab, uint64_t way, struct victim *victim)
{
    bool copy = way + 1 == APPENDED_WAYS;
    size_t length = lab->good.length;
    size_t more = copy ? length : APPENDED[way / 2];
    begin_anew(length + more, victim);
    memcpy(victim->bytes, lab->good.bytes, length);
    for (size_t i = 0; i < more; i++) {
        victim->bytes[length + i] = copy ? lab->good.bytes[i] : way % 2 ? (uint8_t)support_random_below(256) : 0;
    }
    snprintf(victim->what, sizeof victim->what, "%zu bytes appended, %s", more,
             copy      ? "a second copy"
             : way % 2 ? "noise"
                       : "zeros");
}

// Points to splice at: where each block begins, and some others. A table of few blocks is spliced with each of the
// others at each point, one of many with each in turn.
enum { SPLICE_OTHER_POINTS = 36, SPLICE_FEW_BLOCKS = 64, SPLICE_LENGTHS = 2 };

static uint64_t splice_turns(const struct lab *lab)
{
    return lab->header.block_count <= SPLICE_FEW_BLOCKS ? lab->path_count - 1 : 1;
}

static uint64_t splice_ways(const struct lab *lab)
{
    return lab->path_count < 2 ? 0
                               : (lab->header.block_count + SPLICE_OTHER_POINTS) * splice_turns(lab) * SPLICE_LENGTHS;
}

static const struct image *other_table(struct lab *lab, unsigned number)
{
    if (lab->other_number != number) {
        free(lab->other.bytes);
        lab->other = image_read(lab->paths[number]);
        lab->other_number = number;
    }
    return &lab->other;
}

// The first bytes of this table and the rest of the other: as long as either. Where the other is shorter, it goes on
// from its beginning.
static void make_spliced(struct lab *lab, uint64_t way, struct victim *victim)
{
    uint64_t turns = splice_turns(lab);
    uint64_t points = lab->header.block_count + SPLICE_OTHER_POINTS;
    uint64_t point = way / SPLICE_LENGTHS % points;
    uint64_t turn = turns > 1 ? way / SPLICE_LENGTHS / points : point;
    unsigned number = (unsigned)((lab->own + 1 + turn % (lab->path_count - 1)) % lab->path_count);
    const struct image *other = other_table(lab, number);
    size_t range = point % 2 ? lab->header.length : lab->good.length;
    size_t at = point < lab->header.block_count ? lab->header.blocks[point].offset : 1 + support_random() % (range - 1);
    size_t same = 0; // so many bytes both begin with: after as many it would be the other table, whole
    while (lab->good.bytes[same] == other->bytes[same]) {
        same++;
    }
    at = at <= same ? same + 1 : at;
    bool own_length = way % SPLICE_LENGTHS == 0 || other->length <= at;
    begin_anew(own_length ? lab->good.length : other->length, victim);
    memcpy(victim->bytes, lab->good.bytes, at);
    for (size_t to = at, some; to < victim->length; to += some) {
        size_t from = to % other->length;
        some = other->length - from < victim->length - to ? other->length - from : victim->length - to;
        memcpy(victim->bytes + to, other->bytes + from, some);
    }
    snprintf(victim->what, sizeof victim->what, "from byte %zu on spliced with %s, %zu bytes in all", at,
             lab->paths[number], victim->length);
}

// ---- Fields --------------------------------------------------------------------------------------------------------

enum { FIELD_VALUES = 8 };

static uint64_t field_value(const struct lab *lab, unsigned number, unsigned width)
{
    uint64_t most = UINT64_MAX >> (64 - 8 * width);
    uint64_t values[FIELD_VALUES] = {
        0, 1, most, most - 1, UINT64_C(1) << 31, UINT64_C(1) << 32, UINT64_C(1) << 63, lab->good.length};
    uint64_t value = values[number];
    return value <= most ? value : UINT64_C(1) << support_random_below(8 * width); // what does not fit has a narrow kin
}

// A forger's checksums change the index too.
static void make_field(struct lab *lab, uint64_t way, bool forged, struct victim *victim)
{
    const struct field *field = &lab->fields[way / FIELD_VALUES];
    victim_in_place(lab, forged ? 0 : field->at, forged ? lab->header.length : field->at + field->width, victim);
    uint64_t before = lab_get(victim->bytes + field->at, field->width);
    uint64_t value = field_value(lab, (unsigned)(way % FIELD_VALUES), field->width);
    value = value == before ? before ^ 1 : value;
    lab_put(victim->bytes + field->at, field->width, value);
    if (forged) {
        support_forge_checksums(victim->bytes, victim->length);
    }
    snprintf(victim->what, sizeof victim->what, "the %u bytes at %zu changed from %" PRIu64 " to %" PRIu64 "%s",
             field->width, field->at, before, value, forged ? ", checksums made anew" : "");
}

// ---- All of them ---------------------------------------------------------------------------------------------------

uint64_t harm_ways(const struct lab *lab, enum harm harm)
{
    switch (harm) {
    case HARM_HEADER_BIT:
        return lab->header.length * 8;
    case HARM_BLOCK_BIT:
        return lab->header.block_count * BLOCK_FLIPS;
    case HARM_CUT:
        return cut_ways(lab);
    case HARM_APPENDED:
        return APPENDED_WAYS;
    case HARM_SPLICED:
        return splice_ways(lab);
    case HARM_FIELD:
    case HARM_FORGED_FIELD:
        return (uint64_t)lab->field_count * FIELD_VALUES;
    default:
        return forge_ways(lab, harm);
    }
}

void harm_make(struct lab *lab, enum harm harm, uint64_t way, struct victim *victim)
{
    switch (harm) {
    case HARM_HEADER_BIT:
        make_header_bit(lab, way, victim);
        break;
    case HARM_BLOCK_BIT:
        make_block_bit(lab, way, victim);
        break;
    case HARM_CUT:
        make_cut(lab, way, victim);
        break;
    case HARM_APPENDED:
        make_appended(lab, way, victim);
        break;
    case HARM_SPLICED:
        make_spliced(lab, way, victim);
        break;
    case HARM_FIELD:
    case HARM_FORGED_FIELD:
        make_field(lab, way, harm == HARM_FORGED_FIELD, victim);
        break;
    default:
        forge(lab, harm, way, victim);
    }
}
