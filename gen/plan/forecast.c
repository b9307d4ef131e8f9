// Estimates memory, disk space and a rough time.
#include "forecast.h"

#include "gen/search/expand.h"
#include "gen/search/illegal.h"
#include "gen/search/tile_database.h"
#include "tables/file/format.h"
#include "tables/file/sections.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

// ---- Costs --------------------------------------------------------------------------------------

enum {
    PROGRAM_BYTES = 4 << 20, // the program itself, besides any puzzle
    THREAD_BYTES = 2 << 20,  // zlib's windows and the blocks of one thread
    MPI_BYTES = 12 << 20,    // Open MPI in each rank
};

// The time that one thread needs for an entry, in nanoseconds, with its compression. Measured on a
// virtual machine with two cores: searches by pages, pattern databases of boards and wildcard
// tables, of 2*10^5 to 5*10^8 entries, took 32 to 83 ns an entry.
static const double NANOSECONDS_AN_ENTRY = 60;

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// The time that a search takes for a state without pages, in nanoseconds. Measured: 0.5 to 19
// microseconds, by puzzle. So this machine tries a few states.
static double time_state(const struct puzzle *puzzle, unsigned root)
{
    enum { SAMPLES = 200 };
    uint64_t neighbours[MOVES_MOST];
    uint64_t step = puzzle_full_count(puzzle, root) / SAMPLES + 1;
    unsigned count = 0;
    double begin = processor_seconds();
    for (uint64_t index = 0; index < puzzle_full_count(puzzle, root); index += step) {
        puzzle_neighbours(puzzle, root, index, neighbours);
        count++;
    }
    return (processor_seconds() - begin) * 1e9 / count;
}

// The costs of a search.
struct search_cost {
    uint64_t bytes; // of memory, for the chain, flags and maps, besides its distances
    uint64_t sent;  // bytes in a layer, at most
    double seconds; // on one thread, without pages, besides those of its entries
};

static struct search_cost search_cost(const struct puzzle *puzzle, unsigned root, unsigned ranks)
{
    struct pages pages;
    struct fewest_error error;
    struct search_cost cost = {.bytes = 0};
    if (!pages_forecast(&pages, puzzle->numbering.roots[root].chain, &error)) {
        pages_free(&pages);
        return cost;
    }
    double nanoseconds = pages.page_size > 0 || pages.masks ? 0 : time_state(puzzle, root);
    cost.seconds = nanoseconds / 1e9 * (double)puzzle_full_count(puzzle, root);
    const struct chain *chain = puzzle->numbering.roots[root].chain;
    cost.bytes = (chain ? chain_bytes(chain) : 0) + SEARCH_BYTES_A_PAGE * pages.page_count / ranks +
                 pages.bytes + expand_exchange_memory(&pages, ranks) +
                 illegal_memory(puzzle, &pages);
    cost.sent = expand_most_sent(&pages, ranks);
    pages_free(&pages);
    return cost;
}

// Bytes of a table besides its entries: for each block and for each section.
enum {
    BLOCK_LEAST = 1 << BLOCK_LOG2_DEFAULT,
    BLOCK_INDEX_ENTRY = 20,
    BLOCK_INDEX = BLOCK_INDEX_ENTRY + 64,
    SECTION_MOST = 36 + 256 * 8 + 3 + 20
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
                               unsigned ranks, uint64_t definition_length)
{
    struct section sections[SECTIONS_MOST];
    assert(puzzle);
    unsigned count = sections_of(puzzle, sections);
    struct forecast forecast = {.memory = PROGRAM_BYTES +
                                          (uint64_t)THREAD_BYTES * options->threads +
                                          (ranks > 1 ? MPI_BYTES : 0),
                                .table = definition_length};
    // What the most expensive search or packing takes, besides the sections that wait for packing.
    uint64_t working = index_bytes(sections, count);
    for (unsigned s = 0; s < count; s++) {
        const struct section *section = &sections[s];
        unsigned number = section->root_number;
        uint64_t bytes = section->entries;
        uint64_t beside = 0;
        const struct puzzle *searched = puzzle;
        forecast.seconds += NANOSECONDS_AN_ENTRY / 1e9 * (double)section->entries;
        if (section->kind == SECTION_DATABASE) {
            forecast.databases++;
            searched = puzzle->projection_count > 0 ? &puzzle->projections[number] : NULL;
            number = searched ? 0 : number;
        }
        bool is_found = section->kind == SECTION_STATES || section->kind == SECTION_DATABASE;
        forecast.entries += is_found ? section->entries : 0;
        if (!searched) {
            beside = database_memory(puzzle, number);
        } else if (is_found) {
            struct search_cost search = search_cost(searched, number, ranks);
            forecast.roots++;
            forecast.seconds += search.seconds;
            forecast.sent = search.sent > forecast.sent ? search.sent : forecast.sent;
            beside = search.bytes;
            if (!searched->numbering.functions->search) {
                // A state takes at least a bit of the layers. Some entries may have no state.
                bool all =
                    !searched->forbids_states && searched->reachable_count >= section->entries;
                beside += marks_bytes(bytes) / (search.sent > 0 ? ranks : 1);
                forecast.layers += layers_most(section->entries);
                forecast.layers_least += all ? section->entries / 8 : 0;
                // The first rank gathers what wildcard targets are made from.
                bytes = searched->numbering.roots[number].wildcards.entries > 0 ? bytes : 0;
            }
        }
        forecast.memory += bytes;
        forecast.waiting += bytes;
        forecast.table += section->entries + section->entries / BLOCK_LEAST * BLOCK_INDEX +
                          SECTION_MOST + (uint64_t)section->symmetry_count * section->cells;
        working = beside > working ? beside : working;
    }
    forecast.memory += working;
    return forecast;
}

// ---- Memory -------------------------------------------------------------------------------------

// All memory of the machine if the system does not tell what is available. A limit of the process
// may lower it.
uint64_t forecast_available(void)
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
    char needed[SIZE_TEXT];
    char there[SIZE_TEXT];
    uint64_t available = forecast_available();
    size_write(forecast->memory, needed);
    if (limit > 0 && forecast->memory > limit) {
        return error_set(error, FEWEST_BEYOND,
                         "making the table of %s needs %s of memory, but --memory allows only %s",
                         puzzle->name, needed, size_write(limit, there));
    }
    return forecast->memory <= available ||
           error_set(error, FEWEST_SYSTEM,
                     "making the table of %s needs %s of memory, but only %s is available",
                     puzzle->name, needed, size_write(available, there));
}

// The bytes that the files in a folder take.
struct disk_need {
    const char *folder;
    const char *option; // names the folder
    uint64_t least;
    uint64_t most;
};

// Is there enough room in the folder?
static bool check_room(const struct disk_need *need, const struct puzzle *puzzle,
                       const struct search_options *options, struct fewest_error *error)
{
    struct statvfs disk;
    char needed[SIZE_TEXT];
    char there[SIZE_TEXT];
    bool known = statvfs(need->folder, &disk) == 0 && disk.f_blocks > 0;
    uint64_t available = known ? (uint64_t)disk.f_bavail * disk.f_frsize : UINT64_MAX;
    bool suffices = need->least <= available;
    if (need->most <= available) {
        return true;
    }
    error_write(error, FEWEST_SYSTEM,
                "%smaking the table of %s needs %s %s of disk, but only %s is free in %s; %s FILE "
                "can name another folder",
                suffices ? "warning: " : "", puzzle->name, suffices ? "up to" : "at least",
                size_write(suffices ? need->most : need->least, needed),
                size_write(available, there), need->folder, need->option);
    if (suffices) {
        options_tell(options, &(struct fewest_gen_progress){.event = FEWEST_GEN_WARNING,
                                                            .text = error->text});
    }
    return suffices;
}

static uint64_t less(uint64_t most, uint64_t there)
{
    return most > there ? most - there : 0;
}

bool forecast_check_disk(const struct forecast *forecast, const struct puzzle *puzzle,
                         const struct search_options *options, struct fewest_error *error)
{
    const struct layer_file *saved = options->checkpoint;
    struct disk_need output = {.folder = options->folder, .option = "-o", .most = forecast->table};
    if (!saved) {
        output.least = forecast->layers_least;
        output.most += forecast->layers;
        return check_room(&output, puzzle, options, error);
    }
    // The files of other ranks are about as long.
    uint64_t there = layer_file_size(saved) * ranks_count();
    char folder[4096]; // of the checkpoint, whose path is absolute
    struct stat of_layers;
    struct stat of_table;
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(saved->path, '/') - saved->path) + 1,
             saved->path);
    bool together = stat(folder, &of_layers) == 0 && stat(options->folder, &of_table) == 0 &&
                    of_layers.st_dev == of_table.st_dev;
    struct disk_need layers = {.folder = folder,
                               .option = "--checkpoint",
                               .least = less(forecast->layers_least, there),
                               .most = less(forecast->layers, there)};
    if (together) {
        layers.most += forecast->table;
        return check_room(&layers, puzzle, options, error);
    }
    return check_room(&layers, puzzle, options, error) &&
           check_room(&output, puzzle, options, error);
}
