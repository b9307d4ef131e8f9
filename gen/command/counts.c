// Prints counts for people, as tab-separated values and as JSON.
#include "counts.h"

#include "tables/program/command_line.h"

#include <stdio.h>

typedef unsigned long long whole; // for %llu

// Are there symmetries? If not, each state is a class, and the output leaves classes out.
static bool has_classes(const struct fewest_gen_counts *counts)
{
    return counts->symmetries > 1;
}

static uint64_t sum_classes(const struct fewest_gen_counts *counts)
{
    uint64_t sum = 0;
    for (unsigned d = 0; d <= counts->largest; d++) {
        sum += counts->classes[d];
    }
    return sum;
}

// Prints a line for each distance: states, their share and, if there are symmetries, classes.
static void print_layers(const struct fewest_gen_counts *counts, const char *what)
{
    printf("distance %15s   share", what);
    if (has_classes(counts)) {
        printf("    %15s", "classes");
    }
    putchar('\n');
    for (unsigned d = 0; d <= counts->largest; d++) {
        printf("%8u %15llu %8.4f %%", d, (whole)counts->states[d],
               100.0 * (double)counts->states[d] / (double)counts->total);
        if (has_classes(counts)) {
            printf(" %15llu", (whole)counts->classes[d]);
        }
        putchar('\n');
    }
}

static void print_for_people(const struct fewest_gen_counts *counts)
{
    const char *what = counts->rotations > 1 ? "positions" : "states";
    print_layers(counts, what);
    printf("\n%-11s %llu\n", what, (whole)counts->total);
    if (!counts->complete) {
        printf("complete    no: there are, or may be, states farther away\n");
    } else {
        printf("mean        %.4f\nlargest     %u\nantipodes   %llu\n", counts->mean,
               counts->largest, (whole)counts->states[counts->largest]);
    }
    if (counts->rotations > 1) {
        printf("rotations   %u\n", counts->rotations);
    }
    if (has_classes(counts)) {
        printf("symmetries  %u\nclasses     %llu\n", counts->symmetries,
               (whole)sum_classes(counts));
    }
    for (unsigned i = 0; i < counts->antipode_count; i++) {
        printf("%-11s %s\n", i == 0 ? "farthest" : "", counts->antipodes[i]);
    }
}

static void print_tsv(const struct fewest_gen_counts *counts)
{
    for (unsigned d = 0; d <= counts->largest; d++) {
        printf("%u\t%llu", d, (whole)counts->states[d]);
        if (has_classes(counts)) {
            printf("\t%llu", (whole)counts->classes[d]);
        }
        putchar('\n');
    }
}

// Prints a member with a number for each distance.
static void print_json_numbers(const char *name, const uint64_t *numbers, unsigned largest)
{
    printf(", \"%s\": [", name);
    for (unsigned d = 0; d <= largest; d++) {
        printf("%s%llu", d > 0 ? ", " : "", (whole)numbers[d]);
    }
    putchar(']');
}

static void print_json(const struct fewest_gen_counts *counts, const char *name)
{
    printf("{\"puzzle\": ");
    print_json_text(name, stdout);
    printf(", \"%s\": %llu, \"complete\": %s", counts->rotations > 1 ? "positions" : "states",
           (whole)counts->total, counts->complete ? "true" : "false");
    if (counts->complete) {
        printf(", \"largest\": %u, \"mean\": %.6f", counts->largest, counts->mean);
    }
    printf(", \"rotations\": %u, \"symmetries\": %u", counts->rotations, counts->symmetries);
    print_json_numbers("counts", counts->states, counts->largest);
    if (has_classes(counts)) {
        print_json_numbers("classes", counts->classes, counts->largest);
    }
    printf(", \"farthest\": [");
    for (unsigned i = 0; i < counts->antipode_count; i++) {
        printf("%s", i > 0 ? ", " : "");
        print_json_text(counts->antipodes[i], stdout);
    }
    puts("]}");
}

void counts_print(const struct make_request *request, const char *name,
                  const struct fewest_gen_counts *counts)
{
    if (request->json) {
        print_json(counts, name);
    } else if (request->tsv) {
        print_tsv(counts);
    } else {
        print_for_people(counts);
    }
}
