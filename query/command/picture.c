// Draws boards, bars and plots.
#include "picture.h"

#include "program/command_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

// ---- Terminals ----------------------------------------------------------------------------------

// Does the environment ask for UTF-8? This reads the variables that setlocale would read, but sets
// no locale: nothing that is read may depend on one.
static bool has_utf8(void)
{
    static const char *const NAMES[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *value = NULL;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES && (!value || !*value); i++) {
        value = getenv(NAMES[i]);
    }
    return value && (strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "utf-8"));
}

unsigned picture_columns(void)
{
    enum { DEFAULT = 80, LEAST = 40, MOST = 1000 };
    struct winsize size = {0};
    const char *asked = getenv("COLUMNS");
    uint64_t columns = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
    if (columns == 0 && asked && !read_decimal(asked, &columns)) {
        columns = 0;
    }
    return columns == 0      ? DEFAULT
           : columns < LEAST ? LEAST
           : columns > MOST  ? MOST
                             : (unsigned)columns;
}

void picture_bar(uint64_t count, uint64_t most, unsigned width, FILE *out)
{
    enum { PARTS = 8 }; // of a column
    static const char *const PART[PARTS] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    bool utf8 = has_utf8();
    double full = (double)count / (double)most * width;
    unsigned parts = (unsigned)(full * PARTS + 0.5);
    parts = parts == 0 && count > 0 ? 1 : parts;
    if (!utf8) {
        parts = (parts + PARTS - 1) / PARTS * PARTS;
    }
    for (unsigned i = 0; i < parts / PARTS; i++) {
        fputs(utf8 ? "█" : "#", out);
    }
    fputs(PART[parts % PARTS], out);
}

// ---- Boards -------------------------------------------------------------------------------------

enum { WIDEST = 8 }; // of a cell's text

struct board_text {
    char cell[FEWEST_CELLS_MOST][WIDEST + 1];
    unsigned cells;
    unsigned width; // of the widest cell
};

// Splits the text of fewest_write_state into cells. Rows end with a slash. Cells end with a space,
// or are one character each.
static void split_cells(const struct fewest *table, const uint8_t *state, struct board_text *board)
{
    char text[FEWEST_TEXT_SIZE];
    const char *at = fewest_write_state(table, state, text);
    bool by_character = !strchr(text, ' ');
    board->cells = 0;
    board->width = 1;
    while (*at) {
        unsigned length = by_character ? 1 : (unsigned)strcspn(at, " /");
        snprintf(board->cell[board->cells++], sizeof *board->cell, "%.*s", (int)length, at);
        board->width = length > board->width ? length : board->width;
        at += length;
        at += *at == ' ' || *at == '/';
    }
}

// Draws a line between two rows, above the first or below the last.
static void draw_line(unsigned columns, unsigned width, const char *const *corner, const char *dash,
                      FILE *out)
{
    for (unsigned c = 0; c <= columns; c++) {
        fputs(corner[c == 0 ? 0 : c < columns ? 1 : 2], out);
        for (unsigned i = 0; i < width + 2 && c < columns; i++) {
            fputs(dash, out);
        }
    }
    putc('\n', out);
}

static void draw_row(const struct board_text *board, unsigned first, unsigned columns,
                     const char *bar, FILE *out)
{
    fputs(bar, out);
    for (unsigned c = 0; c < columns; c++) {
        fprintf(out, " %*s %s", (int)board->width,
                first + c < board->cells ? board->cell[first + c] : "", bar);
    }
    putc('\n', out);
}

void picture_board(const struct fewest *table, const uint8_t *state, FILE *out)
{
    static const char *const FINE[] = {"┌", "┬", "┐", "├", "┼", "┤", "└", "┴", "┘"};
    static const char *const PLAIN[] = {"+", "+", "+", "+", "+", "+", "+", "+", "+"};
    bool utf8 = has_utf8();
    const char *const *corner = utf8 ? FINE : PLAIN;
    const char *dash = utf8 ? "─" : "-";
    unsigned size[3];
    char text[FEWEST_TEXT_SIZE];
    struct board_text board;
    if (!fewest_board(table, size)) {
        fprintf(out, "%s\n", fewest_write_state(table, state, text));
        return;
    }
    split_cells(table, state, &board);
    for (unsigned row = 0; row < size[0] * size[2]; row++) {
        bool top = row % size[0] == 0;
        if (top && row > 0) {
            putc('\n', out); // the next layer
        }
        draw_line(size[1], board.width, corner + (top ? 0 : 3), dash, out);
        draw_row(&board, row * size[1], size[1], utf8 ? "│" : "|", out);
        if (row % size[0] == size[0] - 1) {
            draw_line(size[1], board.width, corner + 6, dash, out);
        }
    }
}

// ---- Plots --------------------------------------------------------------------------------------

// Sizes in units of the picture, which scales to any size.
enum { TOP = 50, WIDTH = 800, HEIGHT = 400, DIGIT = 9 };

// The vertical axis. It ends at the largest count.
struct axis {
    uint64_t most;
    bool log;      // a tick is ten times the last one
    uint64_t tick; // of a linear axis: states from one tick to the next
    int left;      // the room for its labels
};

// The least of 1, 2, 5, 10, 20, ... that leaves at most TICKS_MOST ticks.
static uint64_t tick_for(uint64_t most)
{
    enum { TICKS_MOST = 6 };
    uint64_t tick = 1;
    for (unsigned i = 1; most / tick > TICKS_MOST; i++) {
        tick = i % 3 == 2 ? tick / 2 * 5 : tick * 2;
    }
    return tick;
}

static struct axis make_axis(const struct fewest_stats *stats, bool log)
{
    enum { MARGIN = 32 }; // for the axis' title, and around the labels
    struct axis axis = {.most = 1, .log = log};
    for (unsigned d = 0; d <= stats->largest; d++) {
        axis.most = stats->count[d] > axis.most ? stats->count[d] : axis.most;
    }
    axis.tick = tick_for(axis.most);
    axis.left = MARGIN + DIGIT * snprintf(NULL, 0, "%llu", (unsigned long long)axis.most);
    return axis;
}

// The height of a count above the foot of the axis. On a logarithmic axis, one state has a height,
// too: the axis begins half a power of ten below 1.
static double height_of(const struct axis *axis, uint64_t count)
{
    static const double BELOW = 0.5;
    if (!axis->log) {
        return HEIGHT * ((double)count / (double)axis->most);
    }
    return count == 0
               ? 0
               : HEIGHT * (log10((double)count) + BELOW) / (log10((double)axis->most) + BELOW);
}

static void write_escaped(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (strchr("<>&\"'", *text)) {
            fprintf(out, "&#%d;", *text);
        } else {
            putc(*text, out);
        }
    }
}

static void write_tick(const struct axis *axis, uint64_t states, FILE *out)
{
    double y = TOP + HEIGHT - height_of(axis, states);
    fprintf(out,
            "<line class=\"grid\" x1=\"%d\" y1=\"%.2f\" x2=\"%d\" y2=\"%.2f\"/>"
            "<text class=\"scale\" x=\"%d\" y=\"%.2f\">%llu</text>\n",
            axis->left, y, axis->left + WIDTH, y, axis->left - 8, y + 4,
            (unsigned long long)states);
}

static void write_scale(const struct axis *axis, FILE *out)
{
    uint64_t states = axis->log ? 1 : 0;
    while (states <= axis->most) {
        write_tick(axis, states, out);
        states = axis->log ? 10 * states : states + axis->tick;
    }
}

static void write_bars(const struct fewest_stats *stats, const struct axis *axis, FILE *out)
{
    double step = (double)WIDTH / (stats->largest + 1);
    unsigned every = stats->largest / 30 + 1; // so that the labels have room
    for (unsigned d = 0; d <= stats->largest; d++) {
        double height = height_of(axis, stats->count[d]);
        double x = axis->left + d * step;
        fprintf(out,
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>%u: "
                "%llu</title></rect>\n",
                x + 0.1 * step, TOP + HEIGHT - height, 0.8 * step, height, d,
                (unsigned long long)stats->count[d]);
        if (d % every == 0) {
            fprintf(out, "<text x=\"%.2f\" y=\"%d\">%u</text>\n", x + 0.5 * step, TOP + HEIGHT + 18,
                    d);
        }
    }
}

void picture_svg(const char *name, const struct fewest_stats *stats, bool log, FILE *out)
{
    struct axis axis = make_axis(stats, log);
    int middle = axis.left + WIDTH / 2;
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n"
        "<style>svg{background:#fff;font:13px sans-serif;text-anchor:middle}text{fill:#333}"
        ".scale{text-anchor:end}.grid{stroke:#ddd}rect{fill:#3467a8}\n"
        "@media(prefers-color-scheme:dark){svg{background:#1c1c1e}text{fill:#ddd}.grid{stroke:#444}"
        "rect{fill:#7aa7e0}}</style>\n<title>",
        axis.left + WIDTH + 30, TOP + HEIGHT + 60);
    write_escaped(name, out);
    fprintf(out, "</title>\n<text x=\"%d\" y=\"24\">", middle);
    write_escaped(name, out);
    fprintf(out, ": %llu states, mean distance %.2f</text>\n", (unsigned long long)stats->states,
            stats->mean);
    write_scale(&axis, out);
    write_bars(stats, &axis, out);
    fprintf(out,
            "<text x=\"%d\" y=\"%d\">distance in moves</text>\n"
            "<text transform=\"translate(16 %d) rotate(-90)\">states%s</text>\n</svg>\n",
            middle, TOP + HEIGHT + 42, TOP + HEIGHT / 2, log ? ", on a logarithmic scale" : "");
}
