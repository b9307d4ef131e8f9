# What the command-line tests share. BUILD and SOURCE come from the build; every test has a folder of its own.
setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    fewest=$BUILD/query/fewest
    gen=$BUILD/gen/fewest-gen
    game=$BUILD/tables/game.dtab
    unset FEWEST_TABLES
}

# answers STATUS OUTPUT COMMAND…: runs the command, its stderr kept in the file `stderr`.
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

# complains TEXT: the last command's stderr was one line that contains the text.
complains() {
    if [ "$(wc -l <stderr)" -ne 1 ] || ! grep -qF -- "$1" stderr; then
        printf 'expected one line with: %s\ngot:\n' "$1"
        cat stderr
        return 1
    fi
}

# proves TABLE: `check --deep` finds nothing, and says what it has proved and how long that took.
proves() {
    local status=0 output
    output=$("$fewest" check --deep "$1" 2>stderr) || status=$?
    if [ "$status" -ne 0 ] || ! grep -Eq '^[^:]*: intact; every .* proved in [0-9.]+ s$' <<<"$output"; then
        printf 'not proved: %s\n%s\n' "$1" "$output"
        cat stderr
        return 1
    fi
}
