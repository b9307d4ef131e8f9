// Estimates memory, disk space and a rough time.
#include "forecast.h"

#include "database.h"
#include "file/format.h"
#include "file/sections.h"
#include "pages.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

// ---- Costs --------------------------------------------------------------------------------------

enum {
    PROGRAM_BYTES = 4 << 20, // the program itself, besides any puzzle
    THREAD_BYTES = 2 << 20,  // zlib's windows and the blocks of one thread
    SNAPSHOTS = 4,           // assumed for a search; enough up to distance 73
    // Measured on two cores: a search found 10 to 20 million states a second on each thread.
    // Pattern databases, whose compression takes most of the time, came to 4 million entries a
    // second. Pieces that look alike can make a search ten times slower.
    STATES_A_SECOND = 15 * 1000 * 1000,
    DATABASE_ENTRIES_A_SECOND = 4 * 1000 * 1000,
};

// The memory that a search takes for flags and maps, besides its distances.
static uint64_t search_bytes(const struct puzzle *puzzle, unsigned root, unsigned threads)
{
    struct pages pages;
    struct fewest_error error;
    if (!pages_make(&pages, puzzle, root, &error)) {
        return 0;
    }
    uint64_t bytes = 3 * pages.group_count * pages.pages_a_group;
    bytes += pages_bytes(&pages, threads);
    pages_free(&pages);
    return bytes;
}

// Bytes of a table besides its entries: for each block and for each section.
enum {
    BLOCK_LEAST = 1 << BLOCK_LOG2_DEFAULT,
    BLOCK_INDEX_ENTRY = 20,
    BLOCK_INDEX = BLOCK_INDEX_ENTRY + 64,
    SECTION_MOST = 36 + 256 * 8 + 20
};

// The memory that packing takes for the block index, in memory and encoded, if each entry takes a
// byte.
static uint64_t index_bytes(const struct section *sections, unsigned count)
{
    uint64_t bytes = 0;
    for (unsigned s = 0; s < count; s++) {
        bytes += sections[s].entries;
    }
    unsigned log2 = bytes > BLOCK_SMALL_MOST ? BLOCK_LOG2_LARGE : BLOCK_LOG2_DEFAULT;
    return (bytes >> log2) * (sizeof(struct block) + BLOCK_INDEX_ENTRY);
}

struct forecast forecast_costs(const struct puzzle *puzzle, const struct search_options *options,
                               uint64_t definition_length, bool with_checkpoint)
{
    struct section sections[SECTIONS_MOST];
    unsigned count = sections_of(puzzle, sections);
    struct forecast forecast = {.memory = PROGRAM_BYTES +
                                          (uint64_t)THREAD_BYTES * options->threads +
                                          puzzle->numbering.prepared_bytes,
                                .disk = definition_length};
    // What the most expensive search or packing takes, besides the sections that wait for packing.
    uint64_t working = index_bytes(sections, count);
    for (unsigned s = 0; s < count; s++) {
        const struct section *section = &sections[s];
        unsigned number = section->root_number;
        uint64_t bytes = section->entries;
        uint64_t beside = 0;
        const struct puzzle *searched = puzzle;
        if (section->kind == SECTION_DATABASE) {
            forecast.databases++;
            searched = puzzle->projection_count > 0 ? &puzzle->projections[number] : NULL;
            number = searched ? 0 : number;
        }
        switch (section->kind) {
        case SECTION_STATES:
        case SECTION_DATABASE:
            forecast.entries += section->entries;
            if (!searched) {
                forecast.seconds += (double)section->entries / DATABASE_ENTRIES_A_SECOND;
                beside = database_memory(puzzle, number);
                break;
            }
            forecast.roots++;
            forecast.seconds += (double)section->entries / STATES_A_SECOND;
            if (search_bits(searched, number) == 4) {
                bytes = (bytes + 1) / 2;
                forecast.disk += section->entries / 8 * SNAPSHOTS;
            }
            beside = search_bytes(searched, number, options->threads) +
                     searched->numbering.prepared_bytes +
                     (with_checkpoint ? section->entries / 8 : 0);
            break;
        case SECTION_WILDCARDS:
        case SECTION_MOD4:
        case SECTION_KIND_COUNT:
            break;
        }
        forecast.memory += bytes;
        forecast.disk +=
            section->entries + section->entries / BLOCK_LEAST * BLOCK_INDEX + SECTION_MOST;
        working = beside > working ? beside : working;
    }
    forecast.memory += working;
    return forecast;
}

// ---- Memory -------------------------------------------------------------------------------------

// The memory that this machine has available, or all of its memory if the system does not tell. A
// limit of the process may lower it.
static uint64_t available_bytes(void)
{
    uint64_t kilobytes = 0;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && kilobytes == 0 && fgets(line, sizeof line, file)) {
        unsigned long long found;
        if (sscanf(line, "MemAvailable: %llu kB", &found) == 1) {
            kilobytes = found;
        }
    }
    if (file) {
        fclose(file);
    }
    long pages = sysconf(_SC_PHYS_PAGES);
    uint64_t bytes = kilobytes > 0 ? kilobytes * 1024
                     : pages > 0   ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE)
                                   : UINT64_MAX;
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur < bytes) {
        bytes = limit.rlim_cur;
    }
    return bytes < SIZE_MAX ? bytes : SIZE_MAX; // a 32-bit program can't address more
}

bool forecast_check_memory(const struct forecast *forecast, const struct puzzle *puzzle,
                           uint64_t limit, struct fewest_error *error)
{
    char needed[FORECAST_SIZE];
    char there[FORECAST_SIZE];
    uint64_t available = available_bytes();
    forecast_write_size(forecast->memory, needed);
    if (limit > 0 && forecast->memory > limit) {
        return error_set(error, FEWEST_BEYOND,
                         "making the table of %s needs %s of memory, but --memory allows only %s",
                         puzzle->name, needed, forecast_write_size(limit, there));
    }
    return forecast->memory <= available ||
           error_set(error, FEWEST_SYSTEM,
                     "making the table of %s needs %s of memory, but only %s is available",
                     puzzle->name, needed, forecast_write_size(available, there));
}

char *forecast_write_size(uint64_t bytes, char text[FORECAST_SIZE])
{
    static const char *const UNITS[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    unsigned unit = 0;
    double size = (double)bytes;
    while (size >= 10000 && unit + 1 < sizeof UNITS / sizeof *UNITS) {
        size /= 1024;
        unit++;
    }
    snprintf(text, FORECAST_SIZE, "%.0f %s", size, UNITS[unit]);
    return text;
}
