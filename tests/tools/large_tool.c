// Multiplies and divides a large number, which begins as 1: reads lines such as "* 12" and "/ 3",
// and prints the number after each.
#include "tables/base/large_number.h"

#include <stdio.h>

int main(void)
{
    static char text[LARGE_TEXT_SIZE];
    static struct large large;
    char operator;
    unsigned number;
    large_set(&large, 1);
    while (scanf(" %c %u", &operator, & number) == 2) {
        (operator== '*' ? large_multiply : large_divide)(&large, number);
        large_write(&large, text);
        puts(text);
    }
    return 0;
}
