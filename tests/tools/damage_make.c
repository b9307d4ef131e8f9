// Damages and forges tables: one function for each class of damage.
#include "damage.h"

#include <stdlib.h>
#include <string.h>

enum { HASH_BYTES = 8, INDEX_ENTRY = 20 };

// ---- Accidents ----------------------------------------------------------------------------------

static void flip_header_bit(struct source *source, uint64_t way, struct victim *victim)
{
    (void)source;
    victim->bytes[way / 8] ^= (uint8_t)(1 << way % 8);
}

enum { GROUP = 10, FLIPS = 3 };

// Flips a bit in each of ten blocks. A check reports at most ten for a section.
static void flip_block_bits(struct source *source, uint64_t way, struct victim *victim)
{
    uint64_t first = way / FLIPS * GROUP;
    for (uint64_t b = first; b < first + GROUP && b < source->header.block_count; b++) {
        const struct block *block = &source->header.blocks[b];
        const uint32_t bytes[FLIPS] = {support_random_below(block->length), 0, block->length - 1};
        victim->bytes[block->offset + bytes[way % FLIPS]] ^=
            (uint8_t)(1 << support_random_below(8));
        victim->findings++;
    }
    victim->dirty = victim->length;
}

// Gives the victim its own copy of exactly this length, so that a sanitizer finds a read past the
// end.
static void resize(struct victim *victim, size_t length)
{
    uint8_t *bytes = malloc(length);
    memcpy(bytes, victim->bytes, length < victim->length ? length : victim->length);
    victim->bytes = bytes;
    victim->length = length;
}

enum { CUT_EACH = 1 << 15, CUT_STEP = 1021 }; // every length up to 32 KiB, then every 1021st

static void cut(struct source *source, uint64_t way, struct victim *victim)
{
    (void)source;
    resize(victim, way < CUT_EACH ? way : CUT_EACH + (way - CUT_EACH) * CUT_STEP);
}

enum { APPENDED_LENGTHS = 5, FILLINGS = 3 };

// Appends zeros, random bytes or the table once more.
static void append(struct source *source, uint64_t way, struct victim *victim)
{
    size_t length = source->good.length;
    const size_t more[APPENDED_LENGTHS] = {1, 2, 7, 4096, length};
    resize(victim, length + more[way / FILLINGS]);
    for (size_t i = length; i < victim->length; i++) {
        const uint8_t fillings[FILLINGS] = {0, (uint8_t)support_random_below(256),
                                            victim->bytes[i - length]};
        victim->bytes[i] = fillings[way % FILLINGS];
    }
}

// Joins the beginning of this table, up to a block or any byte, and the rest of the other table.
// The length is that of either table.
static void splice(struct source *source, uint64_t way, struct victim *victim)
{
    // Keeps this header's length, or the result may be the whole other table.
    enum { LENGTH_END = 24 };
    uint64_t range = (way % 2 ? source->header.length : source->good.length) - LENGTH_END;
    const struct block *block =
        &source->header.blocks[support_random() % source->header.block_count];
    size_t at = way % 3 == 0 ? block->offset : LENGTH_END + support_random() % range;
    resize(victim, support_random_below(2) || source->other.length <= at ? source->good.length
                                                                         : source->other.length);
    for (size_t i = at; i < victim->length; i++) {
        victim->bytes[i] = source->other.bytes[i % source->other.length];
    }
}

enum { VALUES = 6 };

static void set_field(struct source *source, uint64_t way, struct victim *victim)
{
    const uint64_t values[VALUES] = {
        0, 1, UINT64_C(1) << 31, UINT64_C(1) << 32, UINT64_C(1) << 63, victim->length};
    struct field field = source->fields[way / VALUES];
    uint8_t *at = victim->bytes + field.at;
    for (unsigned i = 0; i < field.width; i++) {
        at[i] = (uint8_t)(values[way % VALUES] >> (8 * i));
    }
    // The field had this value already.
    if (memcmp(at, source->good.bytes + field.at, field.width) == 0) {
        at[support_random_below(field.width)] ^= (uint8_t)(1 << support_random_below(8));
    }
}

// ---- Forgeries ----------------------------------------------------------------------------------

// Changes the definition but not its length. If two pieces of a move are exchanged, the definition
// is that of another puzzle.
static void change_definition(uint8_t *text, size_t length, unsigned kind)
{
    size_t at = support_random() % (length - 2);
    uint8_t kept = text[at];
    if (kind == 0) {
        text[at] = (uint8_t)support_random_below(256);
    } else if (kind == 1 && kept >= '0' && kept <= '9') {
        text[at] = (uint8_t)('0' + support_random_below(10));
    } else if (kind == 2) { // exchange two numbers, as in "1 2"
        text[at] = text[at + 2];
        text[at + 2] = kept;
    } else if (kind == 3) {
        while (at > 0 && text[at - 1] != '\n') {
            at--;
        }
        text[at] = '#'; // the line becomes a comment
    }
}

static void forge_definition(struct source *source, uint64_t way, struct victim *victim)
{
    enum { DRAWS = 100, KINDS = 4 }; // draw again if nothing changed
    size_t length = source->header.definition_length;
    size_t at =
        source->header.length - HASH_BYTES - source->header.block_count * INDEX_ENTRY - length;
    for (unsigned draw = 0;
         draw < DRAWS && memcmp(victim->bytes + at, source->good.bytes + at, length) == 0; draw++) {
        change_definition(victim->bytes + at, length, way % KINDS);
    }
}

// Changes the count of a distance by one, with or without an opposite change of another count.
static void forge_count(struct source *source, uint64_t way, struct victim *victim)
{
    struct section *section =
        &source->header.sections[support_random_below(source->header.section_count)];
    unsigned d = support_random_below(section->largest + 1);
    unsigned other = d == section->largest ? 0 : d + 1;
    uint64_t change = way % 2 || section->histogram[d] == 0 ? 1 : UINT64_MAX; // UINT64_MAX is -1
    uint64_t opposite = way % 4 < 2 && section->largest > 0 ? change : 0;
    section->histogram[d] += change;
    section->histogram[other] -= opposite;
    header_encode(&source->header, victim->bytes);
    section->histogram[d] -= change;
    section->histogram[other] += opposite;
}

// Changes one entry of a section to a value, or all entries to one or two values.
static void forge_entry(struct source *source, uint64_t way, struct victim *victim)
{
    enum { ALL = 6, KINDS = 8 };
    unsigned s = (unsigned)(way % source->content.section_count);
    unsigned kind = (unsigned)(way / source->content.section_count % KINDS);
    uint64_t count = source->content.sections[s].entries;
    uint8_t largest = (uint8_t)source->header.sections[s].largest;
    uint8_t *entries = support_entries(&source->content, s);
    uint8_t *kept = malloc(count);
    memcpy(kept, entries, count);
    uint8_t *entry = &entries[support_random() % count];
    const uint8_t values[KINDS] = {(uint8_t)(*entry + 1),
                                   (uint8_t)(*entry - 1),
                                   0,
                                   largest,
                                   UINT8_MAX - 1,
                                   UINT8_MAX,
                                   UINT8_MAX,
                                   largest};
    *entry = values[kind];
    bool mixed = support_random_below(2);
    for (uint64_t i = 0; i < count && kind >= ALL; i++) {
        entries[i] = mixed && support_random_below(2) ? 0 : values[kind];
    }
    struct generated packed = support_pack(&source->content);
    victim->bytes = packed.bytes;
    victim->length = packed.length;
    memcpy(entries, kept, count);
    free(kept);
}

// Moves the border of two neighbouring blocks, exchanges their lengths, or exchanges the blocks.
static void forge_index(struct source *source, uint64_t way, struct victim *victim)
{
    struct block *blocks =
        &source->header.blocks[support_random_below((unsigned)source->header.block_count - 1)];
    struct block kept[2] = {blocks[0], blocks[1]};
    uint32_t sum = kept[0].length + kept[1].length;
    blocks[0].length = way % 3 == 0 ? 1 + support_random_below(sum - 1) : kept[1].length;
    blocks[1].length = sum - blocks[0].length;
    blocks[1].offset = blocks[0].offset + blocks[0].length;
    header_encode(&source->header, victim->bytes);
    if (way % 3 == 2) {
        memcpy(victim->bytes + blocks[0].offset, source->good.bytes + kept[1].offset,
               kept[1].length);
        memcpy(victim->bytes + blocks[1].offset, source->good.bytes + kept[0].offset,
               kept[0].length);
        victim->dirty = victim->length;
    }
    memcpy(blocks, kept, sizeof kept);
}

// Writes random bytes anywhere, also into blocks.
static void change_bytes(struct source *source, uint64_t way, struct victim *victim)
{
    uint64_t range = way % 2 ? source->header.length : source->good.length;
    for (unsigned i = 0; i < 3; i++) {
        victim->bytes[support_random() % range] = (uint8_t)support_random_below(256);
    }
    victim->dirty = victim->length;
}

// ---- All of them --------------------------------------------------------------------------------

const struct class CLASSES[CLASS_COUNT] = {
    {"a table with a flipped bit in its header does not open", REFUSED, flip_header_bit},
    {"a flipped bit in a block is found, and no answer is wrong", NOTICED, flip_block_bits},
    {"a table that is cut short does not open", REFUSED, cut},
    {"a table with something behind its end does not open", REFUSED, append},
    {"a splice of two tables is found, and no answer is wrong", NOTICED, splice},
    {"a table with another number in its header does not open", REFUSED, set_field},
    {"a forged number in the header does no harm", HARMLESS, set_field},
    {"a forged definition does no harm", HARMLESS, forge_definition},
    {"a forged count of the entries at a distance is found", COUNTED, forge_count},
    {"a forged entry does no harm", HARMLESS, forge_entry},
    {"a forged block index does no harm", HARMLESS, forge_index},
    {"random bytes with right checksums do no harm", HARMLESS, change_bytes},
};

uint64_t count_ways(const struct source *source, const struct class *class)
{
    uint64_t length = source->good.length;
    uint64_t blocks = source->header.block_count;
    const uint64_t ways[CLASS_COUNT] = {
        8 * source->header.length,
        (blocks + GROUP - 1) / GROUP * FLIPS,
        length <= CUT_EACH ? length : CUT_EACH + (length - CUT_EACH + CUT_STEP - 1) / CUT_STEP,
        (uint64_t)APPENDED_LENGTHS * FILLINGS,
        150,
        (uint64_t)source->field_count * VALUES,
        (uint64_t)source->field_count * VALUES,
        120,
        60,
        120,
        blocks > 1 ? 60 : 0,
        300,
    };
    return ways[class - CLASSES];
}

void make_victim(struct source *source, const struct class *class, uint64_t way,
                 struct victim *victim)
{
    *victim = (struct victim){
        .bytes = source->work, .length = source->good.length, .dirty = source->header.length};
    class->make(source, way, victim);
    if (class->expected >= COUNTED) {
        support_forge_checksums(victim->bytes, victim->length);
    }
}

void release_victim(struct source *source, struct victim *victim)
{
    if (victim->bytes == source->work) {
        memcpy(source->work, source->good.bytes, victim->dirty);
    } else {
        free(victim->bytes);
    }
}

static void add_fields(struct source *source, size_t *at, const char *widths)
{
    for (; *widths && source->field_count < FIELDS_MOST; widths++) {
        source->fields[source->field_count++] = (struct field){*at, (unsigned)*widths};
        *at += (size_t)*widths;
    }
}

// Lists the header's fields, whose widths are those of FORMAT.md.
static void list_fields(struct source *source)
{
    size_t at = 0;
    add_fields(source, &at, "\10\2\2\4\10\1\1\2");
    for (unsigned s = 0; s < source->header.section_count; s++) {
        add_fields(source, &at, "\10\10\1\1\1\1\10\10");
        for (unsigned d = 0; d <= source->header.sections[s].largest; d++) {
            add_fields(source, &at, "\10");
        }
    }
    add_fields(source, &at, "\4");
    at += source->header.definition_length;
    for (uint64_t b = 0; b < source->header.block_count; b++) {
        add_fields(source, &at, "\10\4\10");
    }
    add_fields(source, &at, "\10");
}

void open_source(struct source *source, const struct generated *good, const struct generated *other)
{
    struct fewest_error error;
    *source = (struct source){.good = *good, .other = *other, .work = malloc(good->length)};
    memcpy(source->work, good->bytes, good->length);
    if (!support_decode(&source->header, good->bytes, good->length, &error)) {
        abort();
    }
    for (unsigned s = 0; s < source->header.section_count; s++) {
        source->entries += source->header.sections[s].entries;
    }
    list_fields(source);
    source->content = support_take_apart(good);
}

void close_source(struct source *source)
{
    support_free_content(&source->content);
    header_free(&source->header);
    free(source->work);
}
