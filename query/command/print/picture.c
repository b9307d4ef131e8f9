// Draws boards, bars and plots.
#include "picture.h"

#include "tables/program/command_line.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

// ---- Terminals ----------------------------------------------------------------------------------

// Does the environment ask for UTF-8? The first of three variables that is not empty tells.
// setlocale would read the same ones, but nothing that is read may depend on a locale, so none is
// set.
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
    uint64_t columns = 0; // unknown
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
        columns = size.ws_col;
    }
    if (columns == 0 && asked && !read_decimal(asked, &columns)) {
        columns = 0;
    }
    if (columns == 0) {
        return DEFAULT;
    }
    if (columns < LEAST) {
        return LEAST;
    }
    return columns > MOST ? MOST : (unsigned)columns;
}

void picture_bar(uint64_t count, uint64_t most, unsigned width, FILE *out)
{
    enum { PARTS = 8 }; // of a column
    static const char *const PART[PARTS] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    bool utf8 = has_utf8();
    double length = (double)count / (double)most * width; // in columns
    unsigned parts = (unsigned)(length * PARTS + 0.5);
    if (parts == 0 && count > 0) {
        parts = 1;
    }
    if (!utf8) { // whole columns only
        parts = (parts + PARTS - 1) / PARTS * PARTS;
    }
    for (unsigned i = 0; i < parts / PARTS; i++) {
        fputs(utf8 ? "█" : "#", out);
    }
    fputs(PART[parts % PARTS], out);
}

// ---- Boards -------------------------------------------------------------------------------------

enum { WIDEST = 8 }; // of a cell's text

// The texts of a state's cells.
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
        at += *at == ' ' || *at == '/'; // skips one separator
    }
}

// One layer of a board. Its places can be empty.
struct drawn_layer {
    const int *cells; // by place, or -1
    const struct board_text *board;
    unsigned rows;
    unsigned columns;
    bool utf8;
    unsigned spaces; // that are not written yet: none end a line
    FILE *out;
};

// The cell in a row and a column, or -1: none is drawn there. A row or column before the first is a
// number that has wrapped round, and so too large.
static int cell_at(const struct drawn_layer *layer, unsigned row, unsigned column)
{
    if (row >= layer->rows || column >= layer->columns) {
        return -1;
    }
    return layer->cells[row * layer->columns + column];
}

// Writes a part of a line. Spaces before other characters wait until these come, so that a row of
// empty places ends the line without spaces.
static void put_text(struct drawn_layer *layer, const char *text)
{
    size_t spaces = strspn(text, " ");
    layer->spaces += (unsigned)spaces;
    if (text[spaces]) {
        fprintf(layer->out, "%*s%s", (int)layer->spaces, "", text + spaces);
        layer->spaces = 0;
    }
}

// Ends a line, without the spaces that wait.
static void end_line(struct drawn_layer *layer)
{
    layer->spaces = 0;
    putc('\n', layer->out);
}

// Draws the corner at the upper left of a place. Up to four lines meet there: an edge of a place is
// a line if there is a cell on one side of it. The sum of the lines' bits chooses the character.
static void draw_corner(struct drawn_layer *layer, unsigned row, unsigned column)
{
    enum { RIGHT = 1, LEFT = 2, DOWN = 4, UP = 8 };
    static const char *const FINE[16] = {" ", "╶", "╴", "─", "╷", "┌", "┐", "┬",
                                         "╵", "└", "┘", "┴", "│", "├", "┤", "┼"};
    bool here = cell_at(layer, row, column) >= 0;
    bool before = cell_at(layer, row, column - 1) >= 0;
    bool above = cell_at(layer, row - 1, column) >= 0;
    bool diagonal = cell_at(layer, row - 1, column - 1) >= 0; // above the place before
    unsigned lines = 0;
    lines |= above || diagonal ? UP : 0;
    lines |= here || before ? DOWN : 0;
    lines |= before || diagonal ? LEFT : 0;
    lines |= here || above ? RIGHT : 0;
    if (layer->utf8) {
        put_text(layer, FINE[lines]);
    } else {
        put_text(layer, lines > 0 ? "+" : " ");
    }
}

// Draws the line above a row, or below the last.
static void draw_line(struct drawn_layer *layer, unsigned row)
{
    const char *dash = layer->utf8 ? "─" : "-";
    for (unsigned c = 0; c < layer->columns; c++) {
        // Above the first row, row - 1 wraps round: there is no cell.
        bool is_line = cell_at(layer, row, c) >= 0 || cell_at(layer, row - 1, c) >= 0;
        draw_corner(layer, row, c);
        // The text of a cell has a space on both sides.
        for (unsigned i = 0; i < layer->board->width + 2; i++) {
            put_text(layer, is_line ? dash : " ");
        }
    }
    draw_corner(layer, row, layer->columns);
    end_line(layer);
}

// Draws a row: the text of each cell, with bars between, before and after them.
static void draw_row(struct drawn_layer *layer, unsigned row)
{
    const char *bar = layer->utf8 ? "│" : "|";
    for (unsigned c = 0; c <= layer->columns; c++) {
        int cell = cell_at(layer, row, c);
        char text[WIDEST + 3];
        bool is_line = cell >= 0 || cell_at(layer, row, c - 1) >= 0;
        put_text(layer, is_line ? bar : " ");
        if (c == layer->columns) {
            break; // after the last bar
        }
        snprintf(text, sizeof text, " %*s ", (int)layer->board->width,
                 cell >= 0 ? layer->board->cell[cell] : "");
        put_text(layer, text);
    }
    end_line(layer);
}

// Are two cells in one row: of one set, and both pieces or both orientations?
static bool are_in_row(const struct fewest_cell *a, const struct fewest_cell *b)
{
    return a->set == b->set && a->is_orientation == b->is_orientation;
}

// Writes a line for the pieces and for the orientations of each set: its name and its cells.
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
    struct drawn_layer layer = {
        .board = &board, .rows = size[0], .columns = size[1], .utf8 = has_utf8(), .out = out};
    for (unsigned l = 0; l < size[2]; l++) {
        layer.cells = info->board + (size_t)l * size[0] * size[1];
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

// Returns the states from one tick of a linear axis to the next: the least of 1, 2, 5, 10, 20, …
// that leaves at most TICKS_MOST ticks.
static uint64_t choose_tick(uint64_t most)
{
    enum { TICKS_MOST = 6 };
    uint64_t power = 1; // of ten
    for (;;) {
        const uint64_t ticks[] = {power, 2 * power, 5 * power};
        for (unsigned i = 0; i < sizeof ticks / sizeof *ticks; i++) {
            if (most / ticks[i] <= TICKS_MOST) {
                return ticks[i];
            }
        }
        power *= 10;
    }
}

// Makes the axis for the counts of the statistics.
static struct axis make_axis(const struct fewest_stats *stats, bool log)
{
    enum { MARGIN = 32 }; // for the axis' title, and around the labels
    struct axis axis = {.most = 1, .log = log};
    for (unsigned d = 0; d <= stats->largest; d++) {
        axis.most = stats->count[d] > axis.most ? stats->count[d] : axis.most;
    }
    axis.tick = choose_tick(axis.most);
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
    // The number is from 1 to 10. Squaring it doubles its logarithm, so the logarithm has the next
    // binary digit 1 if the square is at least 10.
    for (int i = 0; i < BITS; i++) {
        number *= number;
        bit /= 2;
        if (number >= 10) {
            number /= 10;
            logarithm += bit;
        }
    }
    return logarithm;
}

// The height of a count above the foot of the axis. A logarithmic axis begins half a power of ten
// below 1, so that a count of 1 also has a height.
static double height_of(const struct axis *axis, uint64_t count)
{
    static const double BELOW = 0.5;
    if (!axis->log) {
        return HEIGHT * ((double)count / (double)axis->most);
    }
    if (count == 0) {
        return 0;
    }
    return HEIGHT * (decimal_logarithm((double)count) + BELOW) /
           (decimal_logarithm((double)axis->most) + BELOW);
}

// Writes a text as XML needs it.
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

// Writes a tick of the axis: a line across the plot, and the number of states as its label.
static void write_tick(const struct axis *axis, uint64_t states, FILE *out)
{
    double y = TOP + HEIGHT - height_of(axis, states);
    fprintf(out,
            "<line class=\"grid\" x1=\"%d\" y1=\"%.2f\" x2=\"%d\" y2=\"%.2f\"/>"
            "<text class=\"scale\" x=\"%d\" y=\"%.2f\">%llu</text>\n",
            axis->left, y, axis->left + WIDTH, y, axis->left - 8, y + 4,
            (unsigned long long)states);
}

// Writes the ticks of the axis, from its foot up.
static void write_scale(const struct axis *axis, FILE *out)
{
    uint64_t states = axis->log ? 1 : 0;
    while (states <= axis->most) {
        write_tick(axis, states, out);
        states = axis->log ? 10 * states : states + axis->tick;
    }
}

// Writes a bar for each distance, with a label under some of them.
static void write_bars(const struct fewest_stats *stats, const struct axis *axis, FILE *out)
{
    enum { LABELS_MOST = 30 };                          // about
    double step = (double)WIDTH / (stats->largest + 1); // from one bar to the next
    unsigned every = stats->largest / LABELS_MOST + 1;  // so that the labels have room
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
