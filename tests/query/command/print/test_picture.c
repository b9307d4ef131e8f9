// The plot of `stats --svg`: everything is inside of the picture, and the counts can be seen.
#include "query/command/print/picture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { TOP = 50, FOOT = 450 }; // of the bars

// A plot as text, and its counts. The caller frees the text.
struct plot {
    struct fewest_stats stats;
    char *text;
};

static struct plot draw_plot(const uint64_t *counts, unsigned count, bool log)
{
    struct plot plot = {.stats = {.largest = count - 1, .mean = 1}};
    size_t length;
    memcpy(plot.stats.count, counts, count * sizeof *counts);
    FILE *out = open_memstream(&plot.text, &length);
    cr_assert(out);
    picture_svg("puzzle", &plot.stats, log, out);
    fclose(out);
    return plot;
}

// Reads the number of an attribute, such as `x="`, after `text`.
static double attribute(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    cr_assert(at, "%s", name);
    return strtod(at + strlen(name), NULL);
}

// Fills in the heights of the bars and returns their number.
static unsigned read_heights(const struct plot *plot, double *heights)
{
    unsigned bars = 0;
    for (const char *at = plot->text; (at = strstr(at, "<rect ")); at++) {
        double y = attribute(at, " y=\"");
        heights[bars] = attribute(at, " height=\"");
        cr_expect_float_eq(y + heights[bars], FOOT, 0.02);
        cr_expect(y >= TOP);
        bars++;
    }
    return bars;
}

// Each label of the scale ends at `x`, and a digit is at most 8.5 wide. The axis' title reaches to
// 22.
static void expect_labels_inside(const struct plot *plot, unsigned labels_least)
{
    unsigned labels = 0;
    for (const char *at = plot->text; (at = strstr(at, "<text class=\"scale\"")); labels++) {
        double x = attribute(at, " x=\"");
        at = strchr(at, '>') + 1;
        size_t digits = strspn(at, "0123456789");
        cr_expect(x - 8.5 * (double)digits >= 22, "%.*s is cut off", (int)digits, at);
        cr_expect(strtoull(at, NULL, 10) <= plot->stats.count[plot->stats.largest]);
    }
    cr_expect(labels >= labels_least && labels <= 14, "%u labels", labels);
}

Test(plot, the_axis_ends_at_the_largest_count)
{
    static const uint64_t MOST[] = {1, 2, 7, 101, 2001, 50001, 1000001, 5000000001, 1099511627776};
    for (size_t m = 0; m < sizeof MOST / sizeof *MOST; m++) {
        uint64_t counts[2] = {MOST[m] / 2, MOST[m]};
        double heights[2];
        struct plot plot = draw_plot(counts, 2, false);
        cr_assert_eq(read_heights(&plot, heights), 2);
        cr_expect_float_eq(heights[1], FOOT - TOP, 0.01);
        cr_expect_float_eq(heights[0], (FOOT - TOP) * (double)counts[0] / (double)counts[1], 0.01);
        expect_labels_inside(&plot, 2);
        free(plot.text);
    }
}

Test(plot, a_logarithmic_axis_shows_one_state_among_many)
{
    static const uint64_t COUNTS[] = {1, 0, 10, 1000000, 1099511627776};
    double heights[5];
    struct plot plot = draw_plot(COUNTS, 5, true);
    cr_assert_eq(read_heights(&plot, heights), 5);
    cr_expect(heights[0] > 10);
    cr_expect_eq(heights[1], 0); // no state, no bar
    // Equal ratios are equal distances.
    cr_expect_float_eq((heights[3] - heights[0]) / 6, heights[2] - heights[0], 0.02);
    cr_expect_float_eq(heights[4], FOOT - TOP, 0.01);
    expect_labels_inside(&plot, 13);
    free(plot.text);
    // The linear axis does not show it: this is what --log is for.
    plot = draw_plot(COUNTS, 5, false);
    cr_assert_eq(read_heights(&plot, heights), 5);
    cr_expect(heights[0] < 0.01);
    free(plot.text);
}
