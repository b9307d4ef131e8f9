# The documents: their examples run and print what they show, and they list what --help lists.
load tools/cli.bash

setup_file() {
    meson install -C "$BUILD" --no-rebuild --destdir "$BATS_FILE_TMPDIR" >/dev/null
}

# timeless: replaces the times, which differ in each run.
timeless() {
    sed -E 's/ in [0-9.]+ s$/ in # s/'
}

# examples_of DOCUMENT: prints the examples: commands, each after `$ `, and their output. In a
# Markdown document they are in the blocks marked ```console. In a manual page they are in the
# literal blocks, where a backslash escapes. There, lines before the first command of a block are
# not part of an example.
examples_of() {
    case $1 in
        *.scd)
            awk '/^```$/ { inside = !inside; begun = 0; next } inside && /^\$ / { begun = 1 } begun' "$1" |
                sed 's/\\\(.\)/\1/g'
            ;;
        *) awk '/^```console$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$1" ;;
    esac
}

# run_examples DOCUMENT [FOLDER]: runs the examples and compares their output. The programs of this
# build are on PATH. The working folder has only links to what is in FOLDER: the installed examples
# without it. The character set is UTF-8.
run_examples() {
    local document=$1 line command='' expected='' count=0
    local -x PATH="$BUILD/query:$BUILD/gen:$PATH" LC_ALL=C.UTF-8 COLUMNS=
    local folder=${2:-$(find "$BATS_FILE_TMPDIR" -path '*/doc/fewest/examples')}
    for link in "$folder"/*; do
        ln -sfn "$link" "${link##*/}"
    done
    compare() {
        [ -n "$command" ] || return 0
        count=$((count + 1))
        local got
        got=$(bash -c "$command" 2>&1 </dev/null) || true
        if [ "$(timeless <<<"$got")" != "$(timeless <<<"${expected%$'\n'}")" ]; then
            printf '%s: %s\nexpected:\n%s\ngot:\n%s\n' "${document##*/}" "$command" "$expected" "$got"
            return 1
        fi
        command='' expected=''
    }
    while IFS= read -r line; do
        case $line in
            '$ '*)
                compare || return 1
                command=${line#'$ '}
                ;;
            *) expected+=$line$'\n' ;;
        esac
    done < <(examples_of "$document")
    compare || return 1
    echo "${document##*/}: $count commands ran"
    [ "$count" -gt 0 ]
}

# in_section PAGE SECTION: prints the lines of a section of a manual page.
in_section() {
    awk -v section="# $2" '/^```$/ { literal = !literal } !literal && /^# / { inside = $0 == section; next } inside' "$1"
}

# check_examples PAGE: runs the examples of a manual page in a new folder. If the page has a section
# EXAMPLES, there must be one in it.
check_examples() {
    local folder
    folder=$(mktemp -d "$PWD/examples.XXXXXX")
    if ! grep -qx '# EXAMPLES' "$1"; then
        [ -z "$(examples_of "$1")" ] || (cd "$folder" && run_examples "$1")
    elif ! in_section "$1" EXAMPLES | grep -q '^\$ '; then
        echo "${1##*/}: no examples in the section EXAMPLES"
        return 1
    else
        (cd "$folder" && run_examples "$1")
    fi
}

@test "the examples of README.md" {
    run_examples "$SOURCE/README.md" "$SOURCE"
}

@test "the recipes of TWISTY.md" {
    run_examples "$SOURCE/tables/TWISTY.md"
}

@test "the recipes of BOARDS.md" {
    run_examples "$SOURCE/tables/BOARDS.md"
}

@test "a recipe with a wrong number is noticed" {
    sed 's/^1 3 6 9 5$/1 3 6 9 6/; /^## Subgroups/,$d' "$SOURCE/tables/TWISTY.md" >wrong.md
    grep -qx '1 3 6 9 6' wrong.md
    ! run_examples "$PWD/wrong.md" >found || return 1
    grep -q 'wrong.md: fewest stats --tsv half.dtab' found
}

@test "the examples of the manual pages" {
    needs_import
    [ "$(manual_pages | wc -l)" -ge 2 ]
    for page in $(manual_pages); do
        check_examples "$page"
    done
}

@test "a manual page with a wrong example, or with none, is noticed" {
    needs_import
    local page=$SOURCE/gen/fewest-gen.1.scd
    sed 's/^left right$/right left/' "$page" >wrong.1.scd
    ! cmp -s "$page" wrong.1.scd || return 1
    ! check_examples "$PWD/wrong.1.scd" >found || return 1
    grep -qx 'wrong.1.scd: fewest path mine/lamps.dtab 101' found
    sed '/^# EXAMPLES/,/^# /s/^\$ //' "$page" >none.1.scd
    ! check_examples "$PWD/none.1.scd" >found || return 1
    grep -q 'none.1.scd: no examples' found
    printf '# EXAMPLES\nOne.\n\n```\na figure\n$ printf "1\\\\n2\\\\n"\n1\n2\n```\n' >right.1.scd
    check_examples "$PWD/right.1.scd"
}

@test "the examples of DEFINITION.md are puzzles, and answer as it says" {
    awk '/^```$/ { inside = !inside; next } inside && $1 == "Name" { file = $2 ".puzzle" } inside { text = text $0 "\n" }
        !inside && text != "" { if (file != "") printf "%s", text > file; text = file = "" }' "$SOURCE/tables/DEFINITION.md"
    for name in lamps beads gate five row anywhere push eleven spin corner cycle; do
        "$gen" "$name.puzzle"
        proves "$name.dtab"
    done
    answers 0 2 "$fewest" steps lamps.dtab 101
    "$gen" --generators 'left (middle right)' lamps.puzzle
    answers 0 '(middle.right) left' "$fewest" path lamps.dtab 010
    answers 0 "turn' swap turn'" "$fewest" path beads.dtab 314256
    answers 0 3 "$fewest" steps spin.dtab --moves "turn3 flip turn"
    answers 0 turn2 "$fewest" path gate.dtab 34512
    answers 2 '' "$fewest" steps gate.dtab --moves turn
    answers 0 lurd "$fewest" path corner.dtab WWWE 'B**E'
    answers 0 luuurdlluldrurddluurdddr "$fewest" path row.dtab '. . . . 1 2 3 4 . . . . . . . 0'
    answers 0 'd2 r2' "$fewest" path push.dtab 023156478
}

@test "every exit status in the README is that of --help" {
    "$fewest" --help | sed -n '/^Exit status:/,$p' | grep -o '^  [0-9+n]*' | tr -d ' ' >help
    sed -n '/^| status | /,/^$/p' "$SOURCE/README.md" | grep -o '^| [0-9+n]* ' | tr -d '| ' >readme
    cmp help readme
}

# options_in: prints the long options that begin a line of the --help on stdin.
options_in() {
    sed -n 's/^  \(-.,\|   \) \(--[a-z-]*\).*/\2/p'
}

# options_of_page PAGE: prints the long options in its section OPTIONS.
options_of_page() {
    in_section "$1" OPTIONS | sed -n 's/^\*-.*\*\(--[a-z-]*\)\*.*/\1/p; s/^\*\(--[a-z-]*\)\*.*/\1/p' | sort -u
}

# options_of_command COMMAND: prints the options that fewest(1) lists for it.
options_of_command() {
    in_section "$SOURCE/query/fewest.1.scd" COMMANDS |
        awk -v term="*$1*" '!/^\t/ { inside = $1 == term } inside' | grep -o '\*--[a-z-]*\*' | tr -d '*' | sort -u
}

@test "fewest(1) has the commands of --help, and for each the options of its help" {
    local page=$SOURCE/query/fewest.1.scd
    "$fewest" --help | sed -n '/^Usage:/,/^$/s/^  \([a-z]*\) .*/\1/p' >commands
    [ "$(wc -l <commands)" -gt 10 ]
    in_section "$page" COMMANDS | sed -n 's/^\*\([a-z]*\)\*.*/\1/p' | diff commands -
    "$fewest" --help | options_in | sort >everywhere
    cp everywhere all
    while read -r command; do
        "$fewest" "$command" --help | options_in | sort -u >taken
        cat taken >>all
        options_of_command "$command" | sort -u - everywhere | diff taken - || return 1
    done <commands
    sort -u all | diff - <(options_of_page "$page")
}

@test "fewest-gen(1) has the options of --help" {
    "$gen" --help | options_in | sort >options
    [ "$(wc -l <options)" -gt 10 ]
    diff options <(options_of_page "$SOURCE/gen/fewest-gen.1.scd")
}

@test "fewest-import(1) has the options of --help" {
    "$import" --help | options_in | sort >options
    [ "$(wc -l <options)" -eq 7 ]
    diff options <(options_of_page "$SOURCE/query/python/fewest-import.1.scd")
}

@test "the examples of fewest-gen --help run" {
    cp "$SOURCE/tables/puzzles/game.puzzle" "$SOURCE/tables/puzzles/loopover44.puzzle" "$SOURCE/tests/data/2x2x2.tws" .
    sed '/^Database/d' "$SOURCE/tables/puzzles/cube.puzzle" >big.tws
    cp "$SOURCE/tests/data/pyraminx.tws" large.tws
    "$gen" --help | sed -n '/^Examples:/,/^$/s/^  \(fewest-gen .*\)/\1/p' >examples
    [ "$(wc -l <examples)" -gt 6 ]
    PATH="$BUILD/gen:$PATH" bash -e examples >out
    grep -q ^Database big.tws
    [ -e pocket.dtab ] && [ -e x.dtab ]
}

@test "the exit statuses of the manual pages are those of --help" {
    for page in "$SOURCE/query/fewest.1.scd" "$SOURCE/gen/fewest-gen.1.scd"; do
        program=$fewest
        case $page in */gen/*) program=$gen ;; esac
        "$program" --help | sed -n '/^Exit status:/,/^$/p' | grep -o '^  [0-9+n]*' | tr -d ' ' >help
        [ "$(wc -l <help)" -ge 5 ]
        in_section "$page" 'EXIT STATUS' | sed -n 's/^|[[ ] *\([0-9+n]*\)$/\1/p' | diff help -
    done
}

@test "mandoc finds nothing in the manual pages, and they fit into 80 columns" {
    command -v scdoc >/dev/null || skip "there is no scdoc"
    command -v mandoc >/dev/null || skip "there is no mandoc"
    for page in $(manual_pages); do
        scdoc <"$page" >page
        answers 0 '' mandoc -T lint -W warning page
        mandoc -T utf8 -O width=78 page | sed 's/.\x08//g' >text
        answers 1 '' env LC_ALL=C.UTF-8 grep -E '.{79}' text
        [ "$(grep -c . text)" -gt 20 ]
    done
    printf '.TH X 1\n' >x.1
    [ -n "$(mandoc -T lint -W warning x.1)" ] # negative control: mandoc does complain
}

@test "FORMAT.md and dtab(5) give the version of format.h" {
    for which in major minor; do
        version=$(sed -n "s/^    FORMAT_${which^^} = \([0-9]*\),.*/\1/p" "$SOURCE/tables/file/format.h")
        grep -qx ":  $which version: $version" "$SOURCE/tables/dtab.5.scd"
        grep -q "| $which version: $version |$" "$SOURCE/tables/FORMAT.md"
    done
}

@test "each file that ARCHITECTURE.md and CONTRIBUTING.md name exists" {
    (cd "$SOURCE" && find . \( -name build\* -o -path ./sources \) -prune -o -type f -print) >files
    cat "$SOURCE/ARCHITECTURE.md" "$SOURCE/CONTRIBUTING.md" | grep -o '`[a-z0-9_/][a-z0-9_/]*\.[ch]`' | tr -d '`' |
        cat - <(echo gen/make/no_such_file.c) | sort -u >named # a negative control
    [ "$(wc -l <named)" -gt 50 ]
    while read -r name; do
        grep -q "/$name\$" files || echo "$name"
    done <named >missing
    answers 0 gen/make/no_such_file.c cat missing
}
