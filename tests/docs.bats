# What the documents show is what happens.
load cli.bash

# No two runs take the same time.
timeless() {
    sed -E 's/ in [0-9.]+ s$/ in # s/'
}

# Runs the blocks marked ```console of a document: a line that begins with `$ ` is a command, run in the source tree with
# this build as build/; what follows up to the next command is what it prints.
run_console_blocks() {
    local document=$1 line command='' expected='' count=0 inside=
    ln -sfn "$BUILD" build
    for link in "$SOURCE"/*; do
        [ "${link##*/}" = build ] || ln -sfn "$link" "${link##*/}"
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
