// Prints numbers, distances and moves faster than fprintf does.
#include "print.h"

#include <string.h>
#include <unistd.h>

void enlarge_output_buffer(void)
{
    static char buffer[OUTPUT_BUFFER];
    if (!isatty(STDOUT_FILENO)) { // on a terminal, each line appears at once
        setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    }
}

static _Atomic bool output_lost; // a character, by a function here

// Writes a character without a lock, and notes if it is lost.
static inline void put_char(char c, FILE *out)
{
    if (putc_unlocked(c, out) == EOF) {
        output_lost = true;
    }
}

bool output_was_lost(void)
{
    return output_lost;
}

void print_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        put_char(*text, out);
    }
}

// Writes the digits of a number, without a NUL. Returns how many, at most 20.
static size_t write_number(uint64_t number, char *text)
{
    size_t digits = 1;
    for (uint64_t rest = number; rest >= 10; rest /= 10) {
        digits++;
    }
    for (size_t i = digits; i-- > 0; number /= 10) {
        text[i] = (char)('0' + number % 10);
    }
    return digits;
}

void print_number(uint64_t number, FILE *out)
{
    char text[20]; // 2^64 has 20 digits
    size_t digits = write_number(number, text);
    if (fwrite(text, 1, digits, out) != digits) {
        output_lost = true;
    }
}

void print_distances(const int *steps, size_t count, FILE *out)
{
    static const char UNREACHABLE[] = "unreachable";
    char text[DISTANCES_MOST * sizeof UNREACHABLE]; // its NUL is room for a newline
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (steps[i] == FEWEST_UNREACHABLE) {
            memcpy(text + used, UNREACHABLE, sizeof UNREACHABLE - 1);
            used += sizeof UNREACHABLE - 1;
        } else {
            used += write_number((uint64_t)steps[i], text + used);
        }
        text[used++] = '\n';
    }
    if (fwrite(text, 1, used, out) != used) {
        output_lost = true;
    }
}

void print_names(const struct fewest *table, const unsigned *moves, int count, bool spaced,
                 FILE *out)
{
    for (int i = 0; i < count; i++) {
        if (spaced && i > 0) {
            put_char(' ', out);
        }
        print_text(fewest_move_name(table, moves[i]), out);
    }
    put_char('\n', out);
}
