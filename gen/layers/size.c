// Writes numbers of bytes.
#include "size.h"

#include <stdio.h>

char *size_write(uint64_t bytes, char text[SIZE_TEXT])
{
    static const char *const UNITS[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    unsigned unit = 0;
    double size = (double)bytes;
    while (size >= 9999.5 && unit + 1 < sizeof UNITS / sizeof *UNITS) { // five digits are too many
        size /= 1024;
        unit++;
    }
    snprintf(text, SIZE_TEXT, "%.0f %s", size, UNITS[unit]);
    return text;
}
