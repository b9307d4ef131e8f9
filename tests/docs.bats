# What the documents show is what happens.
load cli.bash

# No two runs take the same time.
timeless() {
    sed -E 's/ in [0-9.]+ s$/ in # s/'
}

# Runs the blocks marked ```console of a document: a line that begins with `$ ` is a command, run in the source tree with
# the programs of this build, in a terminal of UTF-8; what follows up to the next command is what it prints.
run_console_blocks() {
    local document=$1 line command='' expected='' count=0 inside=
    local -x PATH="$BUILD/query:$BUILD/gen:$PATH" LC_ALL=C.UTF-8 COLUMNS=
    for link in "$SOURCE"/*; do
        ln -sfn "$link" "${link##*/}"
    done
    compare() {
        [ -n "$command" ] || return 0
        count=$((count + 1))
        local got
        got=$(bash -c "$command" 2>&1) || true
        if [ "$(timeless <<<"$got")" != "$(timeless <<<"${expected%$'\n'}")" ]; then
            printf 'of: %s\nexpected:\n%s\ngot:\n%s\n' "$command" "$expected" "$got"
            return 1
        fi
        command='' expected=''
    }
    while IFS= read -r line; do
        case $line in
            '```console') inside=yes ;;
            '```') [ -z "$inside" ] || compare || return 1; inside= ;;
            '$ '*)
                [ -n "$inside" ] || continue
                compare || return 1
                command=${line#'$ '}
                ;;
            *) [ -z "$inside" ] || expected+=$line$'\n' ;;
        esac
    done <"$document"
    echo "$count commands ran"
    [ "$count" -gt 0 ]
}

@test "the examples of README.md" {
    run_console_blocks "$SOURCE/README.md"
}

@test "the examples of DEFINITION.md are puzzles, and answer as it says" {
    awk '/^```$/ { inside = !inside; next } inside && $1 == "Name" { file = $2 ".puzzle" } inside { text = text $0 "\n" }
        !inside && text != "" { if (file != "") printf "%s", text > file; text = file = "" }' "$SOURCE/tables/DEFINITION.md"
    for name in lamps beads five eleven corner; do
        "$gen" "$name.puzzle"
        proves "$name.dtab"
    done
    answers 0 2 "$fewest" steps lamps.dtab 101
    answers 0 "turn' swap turn'" "$fewest" path beads.dtab 314256
    answers 0 lurd "$fewest" path corner.dtab WWWE 'B**E'
}

@test "every exit status in the README is that of --help" {
    "$fewest" --help | sed -n '/^Exit status:/,$p' | grep -o '^  [0-9+n]*' | tr -d ' ' >help
    sed -n '/^| status | /,/^$/p' "$SOURCE/README.md" | grep -o '^| [0-9+n]* ' | tr -d '| ' >readme
    cmp help readme
}

@test "the manual pages are clean" {
    command -v mandoc >/dev/null || skip
    for page in scripts/fewest.1 scripts/fewest-gen.1 scripts/fewest.h.3 scripts/dtab.5 scripts/puzzle.5; do
        answers 0 '' mandoc -T lint -W warning "$BUILD/$page"
    done
    printf '.TH X 1\n' >x.1
    [ -n "$(mandoc -T lint -W warning x.1)" ] # it does complain
}

@test "the pages made of the source say all of it, in 80 columns" {
    command -v mandoc >/dev/null || skip
    for page in fewest.h.3 dtab.5 puzzle.5; do
        mandoc -T ascii -O width=78 "$BUILD/scripts/$page" | sed 's/.\x08//g' >"$page"
        [ "$(awk 'length($0) > 78' "$page")" = '' ]
        [ "$(grep -F '`' "$page")" = '' ]
    done
    for name in $(grep -o '\bfewest_[a-z_]*(' "$SOURCE/query/fewest.h" | sort -u); do
        grep -qF -- "$name" fewest.h.3
    done
    for keyword in $(grep -o '^| `[A-Za-z]*`' "$SOURCE/tables/DEFINITION.md" | tr -d '|`'); do
        grep -q "^ *$keyword  " puzzle.5
    done
    [ "$(grep -c '^ *[0-9a-f]*: [0-9a-f][0-9a-f] ' dtab.5)" -eq 16 ]
}

@test "the pages made of --help say all of it" {
    command -v mandoc >/dev/null || skip
    for program in "$fewest" "$gen"; do
        mandoc -T ascii -O width=900 "$BUILD/scripts/${program##*/}.1" | sed 's/.\x08//g' | tr -s ' \n' '\n' | sort -u >page
        "$program" --help | sed '/^Usage:$/d; s/^\([A-Z].*\):$/\U\1/' | tr -s ' \n' '\n' | sed "s/^${program##*/}:$//" |
            sort -u >said
        [ "$(comm -23 said page | xargs)" = '' ]
        [ "$(wc -l <said)" -gt 100 ]
    done
}

# not_a_page TEXT COMPLAINT: a document that the converter of manual pages refuses.
not_a_page() {
    printf '%b' "$1" >document.md
    if "$SOURCE/scripts/manual" document.md name 5 0.0 2026-01-01 >page 2>stderr; then
        return 1
    fi
    complains "$2"
}

@test "what would be lost in a manual page is an error" {
    not_a_page '# Title\n\nAn open `span\n' 'document.md:3: a ` without its fellow'
    not_a_page "# Title\n\n    $(printf '%079d' 0)\n\n" 'wider than 78 columns'
}
