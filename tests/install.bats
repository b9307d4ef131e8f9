# What is installed is all there, and works, wherever it is put.
load cli.bash

@test "an installed fewest finds its installed tables, and a C program its library" {
    command -v meson >/dev/null || skip
    meson install -C "$BUILD" --no-rebuild --destdir "$PWD/root" >/dev/null
    local prefix
    prefix=$(dirname "$(dirname "$(find root -name fewest-gen -type f)")")
    answers 0 1 "$prefix/bin/fewest" steps game 312456789
    [ -n "$(find "$prefix" -name fewest.1)" ]
    [ -n "$(find "$prefix" -name fewest-gen.1)" ]
    cat >program.c <<'END'
#include <fewest.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    struct fewest_error error;
    struct fewest_question question;
    int steps;
    struct fewest *table = argc > 2 ? fewest_open_puzzle("game", argv[1], &error) : NULL;
    if (!table || !fewest_read_question(table, argv[2], strlen(argv[2]), &question, &error) ||
        !fewest_steps(table, &question, &steps, &error)) {
        return 1;
    }
    printf("%d\n", steps);
    fewest_close(table);
    return 0;
}
END
    local library
    library=$(dirname "$(find "$prefix" -name libfewest.so)")
    ! nm -D "$library/libfewest.so" | grep -q __asan_init || return 0 # an instrumented library needs an instrumented program
    cc -I"$prefix/include" program.c -L"$library" -lfewest -o program
    LD_LIBRARY_PATH=$library answers 0 7 ./program "$prefix/share/fewest" '123456789 8*95372**'
    [ -z "$(nm -D --defined-only "$library/libfewest.so" | grep -v ' fewest_')" ]
}
