// The command page: writes one HTML file that holds the page, the library and tables.
//
// The page is a folder of files: index.html names its styles and scripts, each in a line of a fixed
// form. In the written file, their contents stand in these lines, and the library and the tables
// stand in base64 where index.html has its line for data.
#include "query/command/request/messages.h"
#include "query/command/request/operands.h"
#include "tables/base/program_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = PATH_MAX + 64 };

static const char MARK[] = "<meta name=\"generator\" content=\"fewest ";
static const char DATA_LINE[] = "<!-- data -->";

// A page while it is written.
struct page {
    const struct request *request;
    char folder[PATH_SIZE]; // of its files
    FILE *out;
    char temporary[PATH_SIZE]; // the path of `out` until it is complete; "" for stdout
    enum exit_status status;   // the worst so far
};

// ---- Files --------------------------------------------------------------------------------------

// Reads a whole file. The caller frees it. Returns NULL with errno.
static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    char *bytes = NULL;
    if (file && fstat(fileno(file), &status) == 0) {
        *length = (size_t)status.st_size;
        bytes = malloc(*length + 1);
    }
    if (bytes && fread(bytes, 1, *length, file) != *length) {
        free(bytes);
        bytes = NULL;
        errno = EIO;
    }
    if (bytes) {
        bytes[*length] = '\0';
    }
    if (file) {
        fclose(file);
    }
    return bytes;
}

// Reads a file of the page's folder, or says why it can't. The caller frees it.
static char *read_part(struct page *page, const char *name, size_t *length)
{
    char path[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", page->folder, name);
    char *bytes = read_file(path, length);
    if (!bytes) {
        page->status = complain_system(path);
    }
    return bytes;
}

// Does this folder have the page's files? Then it is the folder of the page.
static bool is_folder(struct page *page, const char *prefix, const char *name)
{
    char index[PATH_SIZE + sizeof "/index.html"];
    snprintf(page->folder, sizeof page->folder, "%s%s", prefix, name);
    snprintf(index, sizeof index, "%s/index.html", page->folder);
    return access(index, R_OK) == 0;
}

// Finds the folder of the page's files: in a build folder, beside the running program's folder, or
// in the installation. Returns false if there is none.
static bool find_folder(struct page *page)
{
    char parent[PATH_MAX];
    return (program_find_parent(parent) && (is_folder(page, parent, "/query/page") ||
                                            is_folder(page, parent, "/share/fewest/page"))) ||
           is_folder(page, FEWEST_DATA_FOLDER, "/page");
}

// ---- The page -----------------------------------------------------------------------------------

// Writes bytes in base64: four digits for each three bytes, with `=` in place of the digits that
// the last bytes do not need.
static void write_base64(const char *bytes, size_t length, FILE *out)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        unsigned left = length - i < 3 ? (unsigned)(length - i) : 3;
        uint32_t word = 0;
        char text[4];
        for (unsigned b = 0; b < 3; b++) {
            word = word << 8 | (b < left ? (uint8_t)bytes[i + b] : 0);
        }
        for (unsigned d = 0; d < 4; d++) {
            text[d] = '=';
            if (d <= left) {
                text[d] = DIGITS[word >> (18 - 6 * d) & 63];
            }
        }
        fwrite(text, 1, sizeof text, out);
    }
}

// Writes a file's bytes as an element whose id is `file:` and its name.
static void write_data(struct page *page, const char *name, const char *bytes, size_t length)
{
    fprintf(page->out, "<script type=\"text/plain\" id=\"file:%s\">", name);
    write_base64(bytes, length, page->out);
    fputs("</script>\n", page->out);
}

static void write_part(struct page *page, const char *name)
{
    size_t length;
    char *bytes = read_part(page, name, &length);
    if (bytes) {
        write_data(page, name, bytes, length);
    }
    free(bytes);
}

// Writes a table as an element with the name of its puzzle, whatever the file is called. Does
// nothing after a failure.
static void write_table(void *context, const char *path)
{
    struct page *page = context;
    struct fewest_error error;
    char name[256];
    size_t length;
    if (page->status != STATUS_ANSWERED) {
        return;
    }
    struct fewest *table = fewest_open(path, &error);
    if (!table) {
        page->status = complain_error(&error);
        return;
    }
    snprintf(name, sizeof name, "%s.dtab", fewest_info(table)->name);
    fewest_close(table);
    char *bytes = read_file(path, &length);
    if (bytes) {
        write_data(page, name, bytes, length);
    } else {
        page->status = complain_system(path);
    }
    free(bytes);
}

// A table that is looked for by its name.
struct wanted_table {
    struct page *page;
    const char *name;
    bool found;
};

static void write_if_wanted(void *context, const char *path)
{
    struct wanted_table *wanted = context;
    if (!wanted->found && is_named_after(path, wanted->name)) {
        wanted->found = true;
        write_table(wanted->page, path);
    }
}

// Writes the tables of the operands or, without any, all that there are.
static void write_tables(struct page *page)
{
    const struct request *request = page->request;
    if (request->operand_count == 0) {
        fewest_each_table(request->folder, write_table, page);
    }
    for (int i = 0; i < request->operand_count; i++) {
        struct wanted_table wanted = {.page = page, .name = request->operands[i]};
        if (is_path(wanted.name)) {
            write_table(page, wanted.name);
        } else {
            fewest_each_table(request->folder, write_if_wanted, &wanted);
        }
    }
}

// Does a line begin and end like this, with at most 63 characters between? Then copies these into
// `name`.
static bool is_between(const char *line, const char *begin, const char *end, char name[64])
{
    size_t head = strlen(begin);
    size_t tail = strlen(end);
    size_t length = strlen(line);
    if (length < head + tail || length - head - tail > 63 || strncmp(line, begin, head) != 0 ||
        strcmp(line + length - tail, end) != 0) {
        return false;
    }
    snprintf(name, 64, "%.*s", (int)(length - head - tail), line + head);
    return true;
}

// Writes a line of index.html. If it names a style or a script, writes the contents of that file
// instead. In place of the line for data, writes the library and the tables.
static void write_line(struct page *page, const char *line)
{
    char name[64];
    size_t length;
    bool style = is_between(line, "<link rel=\"stylesheet\" href=\"", "\">", name);
    if (style || is_between(line, "<script src=\"", "\"></script>", name)) {
        char *bytes = read_part(page, name, &length);
        const char *element = style ? "style" : "script";
        fprintf(page->out, "<%s>\n%s</%s>\n", element, bytes ? bytes : "", element);
        free(bytes);
    } else if (strcmp(line, DATA_LINE) == 0) {
        write_part(page, "fewest.wasm");
        write_part(page, "engine.js");
        write_part(page, "kpuzzle.js");
        write_part(page, "worker.js");
        write_tables(page);
    } else {
        fprintf(page->out, "%s\n", line);
    }
}

// Writes the page, line by line of index.html, until something fails.
static void write_page(struct page *page)
{
    size_t length;
    char *index = read_part(page, "index.html", &length);
    for (char *line = index; line && *line && page->status == STATUS_ANSWERED;) {
        char *end = strchr(line, '\n');
        if (end) {
            *end = '\0';
        }
        write_line(page, line);
        line = end ? end + 1 : NULL;
    }
    free(index);
}

// ---- The output ---------------------------------------------------------------------------------

// May the page replace the file at `path`? It may if there is none, or if that is empty or a page.
static bool may_replace(const char *path)
{
    char begin[4096];
    FILE *file = fopen(path, "rb");
    if (!file) {
        return errno == ENOENT;
    }
    size_t length = fread(begin, 1, sizeof begin - 1, file);
    fclose(file);
    begin[length] = '\0';
    return length == 0 || strstr(begin, MARK);
}

// Opens page->out: stdout for `-`, else a temporary file beside `path`, which close_output renames.
// Returns false after a message.
static bool open_output(struct page *page, const char *path)
{
    if (strcmp(path, "-") == 0) {
        page->out = stdout;
        return true;
    }
    if (!may_replace(path)) {
        page->status = complain_usage("%s is no page of fewest, so it stays; use -o FILE", path);
        return false;
    }
    snprintf(page->temporary, sizeof page->temporary, "%.4000s.XXXXXX", path);
    mode_t hidden = umask(0); // the only way to read it is to set it
    umask(hidden);
    int file = mkstemp(page->temporary);
    page->out = file >= 0 && fchmod(file, 0666 & ~hidden) == 0 ? fdopen(file, "wb") : NULL;
    if (!page->out) {
        page->status = complain_system(path);
    }
    return page->out;
}

// Closes the output. If it is complete, gives the file its path, and says so; else removes the
// file. Leaves stdout open.
static void close_output(struct page *page, const char *path)
{
    bool done = !ferror(page->out);
    if (page->out == stdout) {
        return;
    }
    done = fflush(page->out) == 0 && done;
    done = fclose(page->out) == 0 && done;
    if (page->status == STATUS_ANSWERED && (!done || rename(page->temporary, path) != 0)) {
        page->status = complain_system(path);
    }
    if (page->status != STATUS_ANSWERED) {
        remove(page->temporary);
    } else {
        printf("%s: page written; open it in a browser\n", path);
    }
}

// Checks that all tables of the operands can be opened, before anything is written. Returns the
// exit status, after a message if one can't.
static enum exit_status check_operands(const struct request *request)
{
    for (int i = 0; i < request->operand_count; i++) {
        struct fewest_error error;
        struct fewest *table = open_table(request, request->operands[i], &error);
        if (!table) {
            return complain_table(request, request->operands[i], &error);
        }
        fewest_close(table);
    }
    return STATUS_ANSWERED;
}

enum exit_status command_page(const struct request *request)
{
    struct page page = {.request = request, .status = check_operands(request)};
    const char *path = request->output ? request->output : "fewest.html";
    if (page.status != STATUS_ANSWERED) {
        return page.status;
    }
    if (!find_folder(&page)) {
        return complain_usage(
            "this build has no page: configure it with -Dpage=enabled, which needs "
            "clang, lld, wasi-libc and the sources of zlib (`scripts/run` brings "
            "them)");
    }
    if (open_output(&page, path)) {
        write_page(&page);
        close_output(&page, path);
    }
    return page.status;
}
