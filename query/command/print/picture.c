// Draws boards, bars and plots.
#include "picture.h"

#include "tables/program/command_line.h"

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
    struct fewest_error ignored; // the state is valid
    const char *at = fewest_write_state(table, state, text, &ignored);
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

// One layer of a board. Its places can be empty.
struct layer {
    const int *cells; // by place, or -1
    const struct board_text *board;
    unsigned rows;
    unsigned columns;
    bool utf8;
    unsigned spaces; // that are not written yet: none end a line
    FILE *out;
};

// The cell in a row and a column, or -1: none is drawn there.
static int cell_at(const struct layer *layer, unsigned row, unsigned column)
{
    return row < layer->rows && column < layer->columns
               ? layer->cells[row * layer->columns + column]
               : -1;
}

static void put_text(struct layer *layer, const char *text)
{
    size_t spaces = strspn(text, " ");
    layer->spaces += (unsigned)spaces;
    if (text[spaces]) {
        fprintf(layer->out, "%*s%s", (int)layer->spaces, "", text + spaces);
        layer->spaces = 0;
    }
}

static void end_line(struct layer *layer)
{
    layer->spaces = 0;
    putc('\n', layer->out);
}

// Draws the corner at the upper left of a cell, where lines meet from above, below, left and right.
static void draw_corner(struct layer *layer, unsigned row, unsigned column)
{
    static const char *const FINE[16] = {" ", "╶", "╴", "─", "╷", "┌", "┐", "┬",
                                         "╵", "└", "┘", "┴", "│", "├", "┤", "┼"};
    // Rows and columns before the first wrap around to numbers that are too large.
    bool here = cell_at(layer, row, column) >= 0;
    bool before = cell_at(layer, row, column - 1) >= 0;
    bool above = cell_at(layer, row - 1, column) >= 0;
    bool both = cell_at(layer, row - 1, column - 1) >= 0;
    unsigned lines =
        (above || both) * 8u + (here || before) * 4u + (before || both) * 2u + (here || above) * 1u;
    put_text(layer, layer->utf8 ? FINE[lines] : lines > 0 ? "+" : " ");
}

// Draws the line above a row, or below the last.
static void draw_line(struct layer *layer, unsigned row)
{
    for (unsigned c = 0; c <= layer->columns; c++) {
        bool line = cell_at(layer, row, c) >= 0 || cell_at(layer, row - 1, c) >= 0;
        draw_corner(layer, row, c);
        for (unsigned i = 0; i < layer->board->width + 2 && c < layer->columns; i++) {
            put_text(layer, !line ? " " : layer->utf8 ? "─" : "-");
        }
    }
    end_line(layer);
}

static void draw_row(struct layer *layer, unsigned row)
{
    for (unsigned c = 0; c <= layer->columns; c++) {
        int cell = cell_at(layer, row, c);
        char text[WIDEST + 3];
        bool bar = cell >= 0 || cell_at(layer, row, c - 1) >= 0;
        put_text(layer, !bar ? " " : layer->utf8 ? "│" : "|");
        snprintf(text, sizeof text, " %*s ", (int)layer->board->width,
                 cell >= 0 ? layer->board->cell[cell] : "");
        put_text(layer, c < layer->columns ? text : "");
    }
    end_line(layer);
}

// Are two cells in one row: of one set, and both pieces or both orientations?
static bool are_in_row(const struct fewest_cell *a, const struct fewest_cell *b)
{
    return a->set == b->set && a->is_orientation == b->is_orientation;
}

// Writes the cells of each set.
static void write_sets(const struct fewest_info *info, const struct board_text *board, FILE *out)
{
    for (unsigned i = 0; i < board->cells; i++) {
        const struct fewest_cell *cell = &info->cells[i];
        if (i == 0 || !are_in_row(cell, cell - 1)) {
            fprintf(out, "%s%s%s:", i > 0 ? "\n" : "", cell->set,
                    cell->is_orientation ? " orientations" : " pieces");
        }
        fprintf(out, " %s", board->cell[i]);
    }
    fputs("\n\n", out);
}

void picture_board(const struct fewest *table, const uint8_t *state, FILE *out)
{
    const struct fewest_info *info = fewest_info(table);
    const unsigned *size = info->board_size;
    struct board_text board;
    char text[FEWEST_TEXT_SIZE];
    struct fewest_error ignored; // the state is valid
    split_cells(table, state, &board);
    if (!info->board) {
        if (!are_in_row(&info->cells[0], &info->cells[info->cell_count - 1])) {
            write_sets(info, &board, out);
        }
        fprintf(out, "%s\n", fewest_write_state(table, state, text, &ignored));
        return;
    }
    struct layer layer = {
        .board = &board, .rows = size[0], .columns = size[1], .utf8 = has_utf8(), .out = out};
    for (unsigned l = 0; l < size[2]; l++) {
        layer.cells = info->board + l * size[0] * size[1];
        if (l > 0) {
            putc('\n', out);
        }
        for (unsigned row = 0; row < size[0]; row++) {
            draw_line(&layer, row);
            draw_row(&layer, row);
        }
        draw_line(&layer, size[0]);
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

// The decimal logarithm of a number of at least 1, exact enough for a plot. The mathematical
// library would make every start of the program slower.
static double decimal_logarithm(double number)
{
    enum { BITS = 20 };
    double logarithm = 0;
    double bit = 1;
    while (number >= 10) {
        number /= 10;
        logarithm++;
    }
    for (int i = 0; i < BITS; i++) { // the square tells the next binary digit
        number *= number;
        bit /= 2;
        if (number >= 10) {
            number /= 10;
            logarithm += bit;
        }
    }
    return logarithm;
}

// The height of a count above the foot of the axis. On a logarithmic axis, one state has a height,
// too: the axis begins half a power of ten below 1.
static double height_of(const struct axis *axis, uint64_t count)
{
    static const double BELOW = 0.5;
    if (!axis->log) {
        return HEIGHT * ((double)count / (double)axis->most);
    }
    return count == 0 ? 0
                      : HEIGHT * (decimal_logarithm((double)count) + BELOW) /
                            (decimal_logarithm((double)axis->most) + BELOW);
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
