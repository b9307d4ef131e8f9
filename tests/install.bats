# The installation is complete, and works in any folder.
load tools/cli.bash

setup_file() {
    command -v meson >/dev/null || skip "there is no meson to install with"
    meson install -C "$BUILD" --no-rebuild --destdir "$BATS_FILE_TMPDIR/root" >/dev/null
}

# find_parts ROOT: finds the parts of an installation, and sets root, bin, prefix and libraries.
find_parts() {
    root=$1
    bin=$(dirname "$(find "$root" -name fewest-gen -type f)")
    prefix=$(dirname "$bin")
    libraries=$(dirname "$(find "$root" -name libfewest.so)")
}

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    cp -a "$BATS_FILE_TMPDIR/root" first
    find_parts "$PWD/first"
}

# move: moves the installation to another folder, so that nothing is left in the first one.
move() {
    mkdir -p other/folder
    mv first other/folder/second
    find_parts "$PWD/other/folder/second"
}

# needs_plain_library: skips the test if the library is instrumented. Such a library needs an
# instrumented program, and has more symbols.
needs_plain_library() {
    if nm "$libraries/libfewest.so" | grep -Eq ' __(asan|tsan|ubsan|gcov)_'; then
        skip "the library is instrumented"
    fi
}

# plainly COMMAND…: runs a command without the environment variables of the tests.
plainly() {
    env -i PATH=/usr/bin:/bin sh -c '"$@"' sh "$@"
}

# from_package PACKAGES COMPILER FLAG…: calls a compiler with what pkg-config knows of installed libraries.
from_package() {
    local packages=$1 static=
    shift
    case " $* " in *' -static '*) static=--static ;; esac
    # shellcheck disable=SC2046,SC2086 # words
    "$@" $(PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=$libraries/pkgconfig pkg-config $static --cflags --libs $packages)
}

ask_installed() {
    answers 0 7 plainly "$bin/fewest" steps game 123456789 '8*95372**'
    [ "$(plainly "$bin/fewest" list | grep -c " $prefix/share/fewest/[a-z0-9]*.dtab$")" -eq 10 ]
    answers 0 '' plainly "$bin/fewest-gen" -o lamps.dtab "$SOURCE/tests/corpus/definition/lamps"
    answers 0 'left right' plainly "$bin/fewest" path ./lamps.dtab 101
    plainly "$bin/fewest" judge hdu1430 "$prefix/share/fewest/judge/hdu1430.in" | cmp - "$prefix/share/fewest/judge/hdu1430.out"
}

# declared HEADER: prints the functions of a public header.
declared() {
    sed 's|//.*||; /^typedef/d' "$prefix/include/$1" | grep -o '\bfewest_[a-z_]*(' | tr -d '(' | sort
}

@test "everything is installed, and nothing else" {
    cat >expected <<END_OF_LIST
bin/fewest
bin/fewest-gen
include/fewest.h
include/fewest_error.h
include/fewest_gen.h
lib/libfewest-gen.a
lib/libfewest-gen.so
lib/libfewest-gen.so.0
lib/libfewest-gen.so.$VERSION
lib/libfewest.a
lib/libfewest.so
lib/libfewest.so.0
lib/libfewest.so.$VERSION
lib/pkgconfig/fewest-gen.pc
lib/pkgconfig/fewest.pc
share/bash-completion/completions/fewest
share/bash-completion/completions/fewest-gen
share/bash-completion/completions/fewest-import
$(printf 'share/doc/fewest/%s\n' {BOARDS,CLUSTER,DEFINITION,FORMAT,NUMBERS,TWISTY}.md)
$(printf 'share/doc/fewest/examples/%s\n' {2x2x2,5x5x5-centers,bandaged,skewb}.tws ivy-corners.json ivy.kpuzzle.json \
    {cube,cube-large,cubic,dice,eight,fifteen-78,fifteen,flip,fridge,game,lamps,loopover44,magic,seven,slide222,swap}.puzzle)
$(printf 'share/fewest/%s\n' cubic.{dtab,puzzle} dice.{dtab,puzzle} eight.{dtab,puzzle} fifteen-78.puzzle fifteen.{dtab,puzzle} flip.{dtab,puzzle} \
    cube-large.puzzle cube.puzzle fridge.{dtab,puzzle} game.{dtab,puzzle} loopover44.puzzle magic.{dtab,puzzle} seven.{dtab,puzzle} slide222.{dtab,puzzle})
$("$BUILD/query/fewest" judge --list | cut -d ' ' -f 1 | sed 's|.*|share/fewest/judge/&.in\nshare/fewest/judge/&.out|')
$([ -z "$SCDOC" ] || manual_pages | sed 's|.*/\(.*\)\.\([1-9]\)\.scd$|share/man/man\2/\1.\2|')
$([ ! -e "$BUILD/query/page/fewest.wasm" ] || (cd "$SOURCE/query/page" && printf 'share/fewest/page/%s\n' *.html *.css *.js fewest.wasm puzzles.json))
share/zsh/site-functions/_fewest
END_OF_LIST
    (cd "$prefix" && find . -type f -o -type l) | sed "s|^\./||; s|^${libraries#"$prefix/"}/|lib/|" | LC_ALL=C sort >found
    diff <(grep . expected | LC_ALL=C sort) found
}

@test "every file in share that a manual page names is installed" {
    manual_pages | xargs grep -oh '_share/[^_]*_' | tr -d _ | sort -u >named
    [ "$(grep -c '\.md$' named)" -ge 3 ]
    while read -r name; do
        [ -e "$prefix/$name" ]
    done <named
}

@test "the installed programs answer from the installed tables, also where the tree is moved" {
    ask_installed
    move
    ask_installed
}

@test "a C program is built with what pkg-config says, shared and static, also where the tree is moved" {
    needs_plain_library
    local answer="7: C1 R2' C2 R1' C2 C3 R3'"
    for place in first second; do
        [ "$place" = first ] || move
        from_package fewest ${CC:-cc} -std=c17 -Wall -Wextra -Werror "$SOURCE/query/example.c" -o shared
        from_package fewest ${CC:-cc} -std=c17 -Wall -Wextra -Werror "$SOURCE/query/example.c" -o static -static
        FEWEST_TABLES=$prefix/share/fewest LD_LIBRARY_PATH=$libraries answers 0 "$answer" ./shared game '123456789 8*95372**'
        FEWEST_TABLES=$prefix/share/fewest answers 0 "$answer" ./static game '123456789 8*95372**'
        nm -D shared | grep -q ' U fewest_path$'
        [ -z "$(nm -D static 2>/dev/null)" ]
    done
}

# solves COMMAND…: the example of fewest_gen.h makes a table and answers.
solves() {
    answers 0 "3: A' B A'" "$@" 3142
    answers 1 '' "$@" 3143
    grep -q '^example: STATE: 3 appears twice$' stderr
}

@test "a C program links both libraries, in either order, shared and static, or only that which makes tables" {
    needs_plain_library
    for place in first second; do
        [ "$place" = first ] || move
        for packages in 'fewest fewest-gen' 'fewest-gen fewest'; do
            from_package "$packages" ${CC:-cc} -std=c17 -Wall -Wextra -Werror "$SOURCE/gen/example.c" -o shared
            from_package "$packages" ${CC:-cc} -std=c17 -Wall -Wextra -Werror "$SOURCE/gen/example.c" -o static -static
            LD_LIBRARY_PATH=$libraries solves ./shared
            solves ./static
            nm -D shared | grep -q ' U fewest_gen_make$'
            [ -z "$(nm -D static 2>/dev/null)" ]
        done
    done
    printf '#include <fewest_gen.h>\nint main(void) { return fewest_gen_version() == 0; }\n' >alone.c
    from_package fewest-gen ${CC:-cc} -std=c17 alone.c -o alone
    LD_LIBRARY_PATH=$libraries ./alone
    [ -z "$(ldd alone 2>/dev/null | grep 'libfewest\.so')" ]
    from_package fewest-gen ${CC:-cc} -std=c17 alone.c -o alone -static
    ./alone
}

@test "the example of a table in memory answers, and says what was wrong" {
    solves "$BUILD/tests/gen_example"
    answers 1 '' "$BUILD/tests/gen_example"
    complains usage
}

@test "the example answers, and says what was wrong" {
    answers 0 "7: C1 R2' C2 R1' C2 C3 R3'" "$BUILD/tests/example" game '123456789 8*95372**'
    answers 0 unreachable "$BUILD/tests/example" game '123456789 123456798'
    answers 1 '' "$BUILD/tests/example" game nonsense
    complains 'expected a number from 1 to 9'
    answers 1 '' "$BUILD/tests/example" game
    complains usage
}

# build_subproject FOLDER OPTION…: builds tests/subproject with this source tree as its subproject.
build_subproject() {
    mkdir -p subprojects
    cp "$SOURCE/tests/subproject/meson.build" "$SOURCE/query/example.c" .
    cp "$SOURCE/gen/example.c" make.c
    ln -sfn "$SOURCE" subprojects/fewest
    meson setup "$@" >log && ninja -C "$1" >>log || { cat log; return 1; }
    FEWEST_TABLES=$BUILD/tables answers 0 "1: R1'" "$1/asker" game 312456789
    solves "$1/maker"
}

@test "a Meson project has fewest as a subproject, and makes equal tables once, if any" {
    needs_plain_library
    build_subproject shared
    [ -x shared/subprojects/fewest/query/fewest ]
    [ -z "$(find shared -name '*.dtab' -o -name 'test_*')" ]
    [ -z "$(grep 'example\.c' shared/compile_commands.json | grep 'fewest/tables ')" ] # private headers
    meson configure shared -Dfewest:tables=enabled
    ninja -C shared >log
    rm shared/subprojects/fewest/gen/fewest-gen
    ninja -C shared >log
    grep -q game.dtab log
    touch meson.build # sets the build up again, and ninja then reads the time of each file
    ninja -C shared >log
    answers 1 '' grep dtab log
}

@test "a Meson project builds the libraries alone, static" {
    needs_plain_library
    build_subproject static -Dfewest:library_only=true -Ddefault_library=static
    [ ! -e static/subprojects/fewest/gen/fewest-gen ]
    [ ! -e static/subprojects/fewest/query/fewest ]
}

@test "tests without the tables are refused when the build is set up" {
    for option in -Dtables=disabled -Dlibrary_only=true; do
        local status=0
        meson setup refused "$SOURCE" -Dtests=enabled "$option" >log 2>&1 || status=$?
        [ "$status" -eq 1 ]
        grep -q 'the tests need the tables' log
    done
}

@test "another build folder builds the page as README.md says, and without the sources says what to type" {
    [ -e "$BUILD/query/page/fewest.wasm" ] || skip "this build has no page"
    mkdir tree
    ln -s "$SOURCE"/* tree
    rm -f tree/build*
    cd tree
    sed -n 's/^    \(meson setup .* -Dpage=enabled\) && ninja -C .*/\1/p' README.md >recipe
    rm -f sources
    local status=0
    sh -e recipe >log || status=$?
    [ "$status" -eq 1 ]
    grep -q "to fetch them, type $PWD/scripts/sources$" log
    ln -s "$SOURCE/sources" .
    sh -e recipe >log
    # Of the module, compile only what is made of the fetched sources. All of it takes half a minute.
    ninja -C build-page -t targets all | sed -n 's/^\(query.*\/sources\/.*\.o\): .*/\1/p' >objects
    [ "$(wc -l <objects)" -eq 9 ] # those of zlib that the page needs
    xargs ninja -C build-page <objects >log
}

@test "a C++ program includes both headers and finds the functions" {
    command -v c++ >/dev/null || skip
    printf '#include <fewest.h>\n#include <fewest_gen.h>\nint main() { return fewest_version() == fewest_gen_version(); }\n' >program.cpp
    c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$prefix/include" program.cpp
    needs_plain_library
    local machine
    machine=$(${CC:-cc} -dumpmachine) # of the library; c++ may be for another one
    [ "${machine%%-*}" = "$(c++ -dumpmachine | sed 's/-.*//')" ] || skip "c++ is for another machine"
    from_package 'fewest fewest-gen' c++ -std=c++17 program.cpp -o program
    LD_LIBRARY_PATH=$libraries ./program
}

@test "each library has the functions of its header, and the shared one shows no other names" {
    needs_plain_library
    for name in fewest fewest-gen; do
        declared "${name/-/_}.h" >declared
        [ "$(wc -l <declared)" -gt 2 ]
        nm -D --defined-only "$libraries/lib$name.so" | sed 's/.* //' | sort | diff declared -
        nm -g --defined-only "$libraries/lib$name.a" | sed -n 's/.* T \(fewest_.*\)/\1/p' | sort | diff declared -
    done
}

@test "the Debian package lists the functions of fewest.h, and each has tests of its own" {
    declared fewest.h >declared
    sed -n 's/^ \(.*\)@Base .*/\1/p' "$SOURCE/scripts/debian/libfewest0.symbols" | diff declared -
    grep -oh '^Test(fewest_[a-z_]*' "$SOURCE"/tests/query/test_*.c | cut -d '(' -f 2 | sort -u | diff declared -
}

@test "the libraries neither print nor end the program" {
    needs_plain_library
    nm -D --undefined-only "$libraries/libfewest.so" "$libraries/libfewest-gen.so" | sed 's/.* //; s/@.*//; s/^__\(.*\)_chk$/\1/' >wanted
    grep -qx vsnprintf wanted # printing into memory is allowed
    local never='v?f?d?printf|f?puts|f?putc(har)?|fwrite|perror|std(out|err)|_?_?[eE]xit|abort|raise|kill'
    [ "$NDEBUG" != true ] || never+='|__assert_fail'
    answers 1 '' grep -Ex "$never" wanted
}
