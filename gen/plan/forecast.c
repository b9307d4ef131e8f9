// Estimates memory, disk space and a rough time.
#include "forecast.h"

#include "gen/search/expand.h"
#include "gen/search/few_states.h"
#include "gen/search/forbidden.h"
#include "gen/search/tile_database.h"
#include "tables/base/clock.h"
#include "tables/families/symmetry/stripes.h"
#include "tables/file/format.h"
#include "tables/file/sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

// ---- Costs --------------------------------------------------------------------------------------

enum {
    PROGRAM_BYTES = 4 << 20, // the program itself, besides any puzzle
    THREAD_BYTES = 2 << 20,  // zlib's windows and the blocks of one thread
    MPI_BYTES = 12 << 20,    // Open MPI in each rank
};

// The time that one thread needs, in nanoseconds, measured on a virtual machine with two cores. A
// search by pages took 23 to 360 ns for a state, most of it for its neighbours. Pattern databases
// of boards, wildcard tables and searches by masks took 32 to 86 ns an entry.
static const double NANOSECONDS_A_STATE = 20;    // with the compression of its entry
static const double NANOSECONDS_A_NEIGHBOUR = 2; // 1 to 10
static const double NANOSECONDS_AN_ENTRY = 60;

// If a search meets few states (few_states.h), equal blocks are packed once: 0.2 ns were measured.
static const double NANOSECONDS_AN_UNREACHED_ENTRY = 0.2;

enum { STEPS_TAKEN = 6 }; // how often a search takes all steps of pages, if it does not keep them

// Measures the time that a search without pages takes for a state, in nanoseconds: the average over
// at most SAMPLES states, spread evenly over all indices. No search goes on from forbidden ones.
// The time depends on the puzzle and the machine: 500 to 19,000 ns have been seen.
static double measure_state_nanoseconds(const struct puzzle *puzzle, unsigned root)
{
    enum { SAMPLES = 200 };
    uint64_t neighbours[MOVES_MOST];
    uint64_t count = puzzle_node_count(puzzle, root); // at least 1
    uint64_t step = count / SAMPLES + 1;
    unsigned sampled = 0;
    double begin = clock_thread_seconds();
    for (uint64_t index = 0; index < count; index += step) {
        if (puzzle_permits_index(puzzle, root, index)) {
            puzzle_neighbours(puzzle, root, index, neighbours);
        }
        sampled++;
    }
    return (clock_thread_seconds() - begin) * 1e9 / sampled;
}

// Returns the seconds of a search on one thread, with the packing of its entries. A search is by
// pages (pages.h), by masks, or from state to state.
static double forecast_seconds(const struct puzzle *puzzle, unsigned root,
                               const struct pages *pages)
{
    double states = (double)puzzle_node_count(puzzle, root);
    if (pages->page_size == 0) {
        // By masks, the search is a part of NANOSECONDS_AN_ENTRY.
        double search = pages->masks ? 0 : measure_state_nanoseconds(puzzle, root);
        return (search + NANOSECONDS_AN_ENTRY) / 1e9 * states;
    }
    double moves = pages_step_count(pages);
    return (NANOSECONDS_A_STATE + NANOSECONDS_A_NEIGHBOUR * moves) / 1e9 * states +
           pages->step_seconds * (pages->keeps_steps ? 1 : STEPS_TAKEN);
}

// The costs of a search.
struct search_cost {
    uint64_t bytes; // of memory, besides the marks: for the chain, pages, exchange and filter
    uint64_t sent;  // bytes in a layer, at most
    double seconds; // on one thread
};

// Computes what the search of a root costs each of `ranks` ranks. If there is no memory to find the
// pages, the costs are 0; the search will fail then.
static struct search_cost compute_search_cost(const struct puzzle *puzzle, unsigned root,
                                              unsigned ranks)
{
    const struct chain *chain = puzzle->numbering.roots[root].chain; // NULL without a chain
    struct pages pages;
    struct fewest_error error;
    struct search_cost cost = {.bytes = 0};
    if (!pages_forecast(&pages, chain, &error)) {
        pages_free(&pages);
        return cost;
    }
    cost.seconds = forecast_seconds(puzzle, root, &pages);
    cost.bytes =
        pages.bytes + expand_exchange_memory(&pages, ranks) + forbidden_memory(puzzle, &pages);
    if (chain) {
        cost.bytes += chain_bytes(chain);
    }
    cost.sent = expand_most_sent(&pages, ranks);
    pages_free(&pages);
    return cost;
}

// Bytes of a table besides its entries.
enum {
    BLOCK_LEAST = 1 << BLOCK_LOG2_DEFAULT, // bytes of a block
    BLOCK_INDEX_ENTRY = 20,
    BLOCK_INDEX = BLOCK_INDEX_ENTRY + 64, // for each block, with room to spare
    // For each section: its fields, the histogram, the fields of its symmetries, and the index
    // entry of a last block that is shorter.
    SECTION_MOST = 36 + 256 * 8 + 3 + BLOCK_INDEX_ENTRY
};

// The memory that packing takes for the index of all blocks of these `count` sections, as structs
// and as bytes of the table, if each entry takes a byte.
static uint64_t block_index_bytes(const struct section *sections, unsigned count)
{
    uint64_t bytes = 0;
    for (unsigned s = 0; s < count; s++) {
        bytes += sections[s].entries;
    }
    unsigned log2 = bytes > BLOCK_SMALL_MOST ? BLOCK_LOG2_LARGE : BLOCK_LOG2_DEFAULT;
    return (bytes >> log2) * (sizeof(struct block) + BLOCK_INDEX_ENTRY);
}

// The bytes that a section takes in the table, at most: its entries are not compressed.
static uint64_t table_bytes(const struct section *section)
{
    uint64_t blocks = section->entries / BLOCK_LEAST;
    return section->entries + blocks * BLOCK_INDEX + SECTION_MOST +
           (uint64_t)section->symmetry_count * section->cells;
}

// The same if the search meets few states. A block without one takes some tens of bytes, and each
// state adds some bytes to its block.
static uint64_t few_table_bytes(const struct section *section, const struct few_states *few)
{
    enum { EQUAL_BLOCK = 64, MET_STATE = 16 };
    uint64_t bytes = section->entries / 8 * entry_bits(few->layers - 1);
    uint64_t blocks = bytes >> (bytes > BLOCK_SMALL_MOST ? BLOCK_LOG2_LARGE : BLOCK_LOG2_DEFAULT);
    return blocks * (EQUAL_BLOCK + BLOCK_INDEX_ENTRY) + few->count * MET_STATE + SECTION_MOST;
}

// A forecast that is being made, for a puzzle or for one of its projections.
struct forecasting {
    struct forecast *forecast;
    const struct puzzle *puzzle;
    const struct search_options *options;
    unsigned ranks;
};

// Adds to the forecast a search that meets few states. It is made for that, which takes at most
// seconds. Returns whether it met few. Its error is ignored: then the search will fail, too.
static bool add_few_states(const struct forecasting *forecasting, unsigned root,
                           const struct section *section)
{
    struct forecast *forecast = forecasting->forecast;
    struct few_states few;
    struct fewest_error error;
    if (forecasting->ranks > 1) {
        return false;
    }
    double begin = clock_thread_seconds();
    bool found = few_states_search(&few, forecasting->puzzle, root, forecasting->options, &error) &&
                 few.complete;
    if (found) {
        forecast->seconds += clock_thread_seconds() - begin +
                             NANOSECONDS_AN_UNREACHED_ENTRY / 1e9 * (double)section->entries;
        forecast->table += few_table_bytes(section, &few);
    }
    few_states_free(&few);
    return found;
}

// Adds to the forecast a breadth-first search from a root, and its section. Returns the memory that
// each rank needs for the search. If the distances do not wait in memory for packing, *waiting
// becomes 0.
static uint64_t add_search(const struct forecasting *forecasting, unsigned root,
                           const struct section *section, uint64_t *waiting)
{
    struct forecast *forecast = forecasting->forecast;
    const struct puzzle *puzzle = forecasting->puzzle;
    unsigned ranks = forecasting->ranks;
    uint64_t entries = puzzle_node_count(puzzle, root);
    forecast->roots++;
    // Distances are packed from the layers, if nothing else is made from them. Else the first rank
    // gathers them.
    if (puzzle->numbering.roots[root].wildcards.entries == 0 && !puzzle_hides_nodes(puzzle, root)) {
        *waiting = 0;
    }
    if (add_few_states(forecasting, root, section)) {
        return few_states_memory(puzzle, root);
    }
    struct search_cost cost = compute_search_cost(puzzle, root, ranks);
    forecast->table += table_bytes(section);
    forecast->seconds += cost.seconds;
    if (cost.sent > forecast->sent) {
        forecast->sent = cost.sent;
    }
    forecast->layers += layers_most(entries);
    // Each state takes at least a bit in the file of the layers. Some entries may have no state.
    if (!puzzle->filter && puzzle->reachable_count >= entries) {
        forecast->layers_least += entries / 8;
    }
    bool is_shared = cost.sent > 0; // by all ranks; else the first one has all marks
    return cost.bytes + marks_bytes(entries) / (is_shared ? ranks : 1);
}

// Adds to the forecast the search for a pattern database of stripes. Makes its pages, which takes
// at most seconds. Their error is ignored: then the search will fail, too.
static uint64_t add_stripes(const struct forecasting *forecasting, unsigned number,
                            uint64_t *waiting)
{
    struct forecast *forecast = forecasting->forecast;
    const struct puzzle *projection = &forecasting->puzzle->projections[number];
    struct search_options options = *forecasting->options;
    struct count_pages pages;
    struct fewest_error error;
    uint64_t bytes = 0;
    double begin = clock_thread_seconds();
    enum symmetric_result made =
        stripes_make_pages(&pages, projection, options_stop_context, &options, &error);
    *waiting = 0;
    if (made == SYMMETRIC_MADE) {
        const struct symmetric_pages *rows = &pages.pages;
        uint64_t entries = (uint64_t)rows->row_count * rows->page_size;
        uint64_t stripes = rows->row_count * stripes_of_row(rows->page_size);
        // The marks become the section, and wait for packing.
        *waiting = (marks_bytes(entries) + stripes) / forecasting->ranks;
        bytes = symmetric_pages_bytes(rows) + symmetric_pages_listed_bytes(rows);
        forecast->entries += entries;
        forecast->table +=
            stripes * STRIPE_BYTES + stripes * STRIPE_BYTES / BLOCK_LEAST * BLOCK_INDEX;
        forecast->seconds +=
            (NANOSECONDS_A_STATE + NANOSECONDS_A_NEIGHBOUR * projection->move_count) / 1e9 *
            (double)entries;
    }
    if (made == SYMMETRIC_UNFIT && !forecast->unfit) {
        forecast->unfit = projection;
    }
    forecast->seconds += clock_thread_seconds() - begin;
    count_pages_free(&pages);
    return bytes;
}

// Adds to the forecast the costs of finding a section's distances, and its bytes in the table.
// Returns the memory that is needed only meanwhile. *waiting becomes the bytes of the section that
// then wait for packing.
static uint64_t add_section(struct forecasting forecasting, const struct section *section,
                            uint64_t *waiting)
{
    struct forecast *forecast = forecasting.forecast;
    const struct puzzle *puzzle = forecasting.puzzle;
    unsigned number = section->root_number;
    uint64_t entries = section->entries;
    *waiting = entries;
    if (section->kind == SECTION_STATES) {
        forecast->entries += entries;
        return add_search(&forecasting, number, section, waiting);
    }
    if (section->kind == SECTION_STRIPES) {
        forecast->databases++;
        return add_stripes(&forecasting, number, waiting);
    }
    if (section->kind == SECTION_DATABASE) {
        forecast->entries += entries;
        forecast->databases++;
    }
    forecast->table += table_bytes(section);
    forecast->seconds += NANOSECONDS_AN_ENTRY / 1e9 * (double)entries;
    // That of a board is searched; wildcard targets are made from a section of states.
    return section->kind == SECTION_DATABASE ? database_memory(puzzle, number) : 0;
}

struct forecast forecast_costs(const struct puzzle *puzzle, const struct search_options *options,
                               unsigned ranks, uint64_t definition_length)
{
    struct section sections[SECTIONS_MOST];
    unsigned count = sections_of(puzzle, sections);
    struct forecast forecast = {.what = "making the table",
                                .memory = PROGRAM_BYTES + (uint64_t)THREAD_BYTES * options->threads,
                                .table = definition_length};
    if (ranks > 1) {
        forecast.memory += MPI_BYTES;
    }
    // The memory of the most expensive search or packing, without the sections that wait for
    // packing.
    uint64_t working_most = block_index_bytes(sections, count);
    struct forecasting forecasting = {
        .forecast = &forecast, .puzzle = puzzle, .options = options, .ranks = ranks};
    for (unsigned s = 0; s < count; s++) {
        uint64_t waiting;
        uint64_t working = add_section(forecasting, &sections[s], &waiting);
        forecast.waiting += waiting;
        if (working > working_most) {
            working_most = working;
        }
    }
    forecast.memory += forecast.waiting + working_most;
    return forecast;
}

bool forecast_count(struct forecast *forecast, const struct state_count *count,
                    const struct search_options *options, unsigned ranks,
                    struct fewest_error *error)
{
    uint64_t bytes = 0;
    struct few_states few = {.complete = false};
    const struct symmetric_pages *rows = count->pages ? &count->pages->pages : NULL;
    uint64_t states = puzzle_node_count(count->puzzle, count->root);
    double begin = clock_thread_seconds();
    bool done = rows || few_states_search(&few, count->puzzle, count->root, options, error);
    bool is_few = few.complete;
    if (is_few) {
        states = few.count;
        bytes = few_states_memory(count->puzzle, count->root);
    }
    few_states_free(&few);
    if (!done || (!is_few && !search_counts_memory(count, ranks, &bytes, error))) {
        return false;
    }
    *forecast =
        (struct forecast){.what = "counting the states",
                          .entries = rows ? (uint64_t)rows->row_count * rows->page_size : states,
                          .roots = 1,
                          .memory = PROGRAM_BYTES + (uint64_t)THREAD_BYTES * options->threads +
                                    bytes + (ranks > 1 ? MPI_BYTES : 0)};
    forecast->seconds =
        (NANOSECONDS_A_STATE + NANOSECONDS_A_NEIGHBOUR * count->puzzle->move_count) / 1e9 *
        (double)forecast->entries;
    forecast->seconds += is_few ? clock_thread_seconds() - begin : 0;
    return true;
}

// ---- Memory -------------------------------------------------------------------------------------

// Reads how much memory Linux says is available, in KiB. Returns 0 if the system does not tell.
static uint64_t read_available_kilobytes(void)
{
    uint64_t kilobytes = 0;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "r");
    if (!file) {
        return 0;
    }
    while (kilobytes == 0 && fgets(line, sizeof line, file)) {
        unsigned long long found;
        if (sscanf(line, "MemAvailable: %llu kB", &found) == 1) {
            kilobytes = found;
        }
    }
    fclose(file);
    return kilobytes;
}

// Returns what Linux says is available or, if the system does not tell, all memory of the machine.
// A limit of the process may lower the number.
uint64_t forecast_available(void)
{
    uint64_t kilobytes = read_available_kilobytes();
    long pages = sysconf(_SC_PHYS_PAGES);
    uint64_t bytes = UINT64_MAX;
    if (kilobytes > 0) {
        bytes = kilobytes * 1024;
    } else if (pages > 0) {
        bytes = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
    }
    struct rlimit limit; // of the address space of this process
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
    char offered[SIZE_TEXT];
    uint64_t available = forecast_available();
    size_write(forecast->memory, needed);
    if (limit > 0 && forecast->memory > limit) {
        return error_set(error, FEWEST_BEYOND,
                         "%s of %s needs %s of memory, but --memory allows only %s", forecast->what,
                         puzzle->name, needed, size_write(limit, offered));
    }
    if (forecast->memory > available) {
        return error_set(error, FEWEST_SYSTEM,
                         "%s of %s needs %s of memory, but only %s is available", forecast->what,
                         puzzle->name, needed, size_write(available, offered));
    }
    return true;
}

// The bytes that the files in a folder will take.
struct disk_need {
    const char *folder;
    const char *option; // of the command line, that can name another folder
    uint64_t least;
    uint64_t most;
};

// Fails if the disk of the folder has less room than the least need. Warns if it has less than the
// most. Says nothing if the system does not tell.
static bool check_disk_room(const struct disk_need *need, const struct puzzle *puzzle,
                            const struct search_options *options, struct fewest_error *error)
{
    struct statvfs disk;
    char needed[SIZE_TEXT];
    char free_bytes[SIZE_TEXT];
    bool known = statvfs(need->folder, &disk) == 0 && disk.f_blocks > 0;
    uint64_t available = known ? (uint64_t)disk.f_bavail * disk.f_frsize : UINT64_MAX;
    if (need->most <= available) {
        return true;
    }
    bool suffices = need->least <= available; // perhaps: then the error is only a warning
    error_write(error, FEWEST_SYSTEM,
                "%smaking the table of %s needs %s %s of disk, but only %s is free in %s; %s FILE "
                "can name another folder",
                suffices ? "warning: " : "", puzzle->name, suffices ? "up to" : "at least",
                size_write(suffices ? need->most : need->least, needed),
                size_write(available, free_bytes), need->folder, need->option);
    if (suffices) {
        options_tell(options, &(struct fewest_gen_progress){.event = FEWEST_GEN_WARNING,
                                                            .text = error->text});
    }
    return suffices;
}

// The bytes of a file that are not on the disk yet: `written` of them are.
static uint64_t bytes_left_to_write(uint64_t bytes, uint64_t written)
{
    return bytes > written ? bytes - written : 0;
}

// Are both folders on one disk? False if it can't be found out.
static bool are_on_one_disk(const char *folder, const char *other)
{
    struct stat status;
    struct stat other_status;
    return stat(folder, &status) == 0 && stat(other, &other_status) == 0 &&
           status.st_dev == other_status.st_dev;
}

bool forecast_check_disk(const struct forecast *forecast, const struct puzzle *puzzle,
                         const struct search_options *options, struct fewest_error *error)
{
    const struct layer_file *saved = options->checkpoint;
    struct disk_need output = {.folder = options->folder, .option = "-o", .most = forecast->table};
    if (!saved) { // the layers are in the same folder
        output.least = forecast->layers_least;
        output.most += forecast->layers;
        return check_disk_room(&output, puzzle, options, error);
    }
    // The files of other ranks are about as long.
    uint64_t written = layer_file_size(saved) * ranks_count();
    // The folder of the checkpoint, whose path is absolute, up to its last slash.
    char *folder = strndup(saved->path, (size_t)(strrchr(saved->path, '/') - saved->path) + 1);
    if (!folder) {
        return error_no_memory(error, "for the name of a folder");
    }
    struct disk_need layers = {.folder = folder,
                               .option = "--checkpoint",
                               .least = bytes_left_to_write(forecast->layers_least, written),
                               .most = bytes_left_to_write(forecast->layers, written)};
    bool is_one = are_on_one_disk(folder, options->folder);
    layers.most += is_one ? forecast->table : 0;
    bool done = check_disk_room(&layers, puzzle, options, error) &&
                (is_one || check_disk_room(&output, puzzle, options, error));
    free(folder);
    return done;
}
