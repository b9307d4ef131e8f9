# Functions that the command-line tests share. Meson sets BUILD and SOURCE. Every test has its own
# folder.
setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    fewest=$BUILD/query/fewest
    gen=$BUILD/gen/fewest-gen
    import=$SOURCE/query/python/fewest-import
    game=$BUILD/tables/game.dtab
    unset FEWEST_TABLES
    PATH=$SOURCE/query/python:$PATH # fewest-import
}

# needs_import: skips a test if fewest-import can't run.
needs_import() {
    "$import" --version >/dev/null || skip 'without Python or NumPy'
}

# manual_pages: lists the sources of all manual pages in the tree.
manual_pages() {
    find "$SOURCE" -path "$SOURCE/build*" -prune -o -name '*.scd' -print | sort
}

# answers STATUS OUTPUT COMMAND…: fails unless the command ends with STATUS and prints OUTPUT. Keeps
# its stderr in the file `stderr`.
answers() {
    local expected_status=$1 expected=$2
    shift 2
    local status=0 output
    output=$("$@" 2>stderr) || status=$?
    if [ "$status" -ne "$expected_status" ] || [ "$output" != "$expected" ]; then
        printf 'of: %s\nexpected status %s:\n%s\ngot status %s:\n%s\nstderr:\n' "$*" "$expected_status" "$expected" \
            "$status" "$output"
        cat stderr
        return 1
    fi
}

# ends STATUS COMMAND…: fails unless the command ends with STATUS. Keeps what it prints in the files
# `out` and `stderr`.
ends() {
    local expected=$1 status=0
    shift
    "$@" >out 2>stderr || status=$?
    [ "$status" -eq "$expected" ]
}

# interrupt PID: sends Ctrl-C to a child. Fails unless it ends with status 130.
interrupt() {
    local status=0
    kill -INT "$1"
    wait "$1" || status=$?
    [ "$status" -eq 130 ]
}

# complains TEXT: fails unless the stderr of the last command is one line that contains TEXT.
complains() {
    if [ "$(wc -l <stderr)" -ne 1 ] || ! grep -qF -- "$1" stderr; then
        printf 'expected one line with: %s\ngot:\n' "$1"
        cat stderr
        return 1
    fi
}

# proves TABLE: fails unless `check --deep` proves the table.
proves() {
    local status=0 output
    output=$("$fewest" check --deep "$1" 2>stderr) || status=$?
    if [ "$status" -ne 0 ] || ! grep -Eq '^[^:]*: intact; proved (the distances of all [0-9]+ states|all lower bounds) in [0-9.]+ s$' <<<"$output"; then
        printf 'not proved: %s\n%s\n' "$1" "$output"
        cat stderr
        return 1
    fi
}

# scrambles_make_states PUZZLE COUNT: checks that `sample --moves` prints moves that make the states of
# `sample`, and that `rank` and `unrank` print the same moves.
scrambles_make_states() {
    local i states scrambles number
    mapfile -t states < <("$fewest" sample "$1" -n "$2" --seed 7)
    mapfile -t scrambles < <("$fewest" sample "$1" -n "$2" --seed 7 --moves)
    [ "${#scrambles[@]}" -eq "$2" ]
    for ((i = 0; i < $2; i++)); do
        number=$("$fewest" rank "$1" -- "${states[i]}")
        [ "$("$fewest" rank "$1" --moves "${scrambles[i]}")" -eq "$number" ]
        [ "$("$fewest" rank "$1" "${states[i]}" --moves)" = "${scrambles[i]}" ]
        [ "$("$fewest" unrank "$1" "$number" --moves)" = "${scrambles[i]}" ]
    done
    printf '%s\n' "${states[@]}" | "$fewest" rank "$1" - --moves | cmp - <(printf '%s\n' "${scrambles[@]}")
}
