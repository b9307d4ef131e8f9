# `fewest-gen --suggest`: it proposes pattern databases that fit in a given memory.
load ../../tools/cli.bash

# bare NAME: writes a shipped definition without its `Database` lines to NAME.puzzle.
bare() {
    sed '/^Database/d' "$SOURCE/tables/puzzles/$1.puzzle" >"$1.puzzle"
}

# accepts MEMORY FILE: fails unless what --suggest prints can be appended to the definition, has the
# states that it tells, and can be made within the memory.
accepts() {
    "$gen" --suggest -j 2 --memory "$1" "$2" >suggested
    cat "$2" suggested >appended.puzzle
    "$gen" --dry-run -j 2 --memory "$1" appended.puzzle >costs
    local told all entries
    told=$(awk '/^# [0-9]+ states, / { sum += $2 } END { print sum }' suggested)
    all=$(tail -1 suggested | sed -n 's/^# All: \([0-9]*\) states, .* on 2 threads; fewest-gen needs .*\.$/\1/p')
    entries=$(sed -n 's/^entries  *\([0-9]*\) in [1-8] pattern database.*/\1/p' costs)
    [ -n "$entries" ] && [ "$told" = "$entries" ] && [ "$all" = "$entries" ]
    # Each database has one comment before it, and the rest are comments, too.
    [ "$(grep -c '^# [0-9]* states' suggested)" -eq "$(grep -c ^Database suggested)" ]
    ! grep -Ev '^(#|Database |$)' suggested || return 1
    # The memory that is told is the one that a run is checked against.
    [ "$(tail -1 suggested | sed 's/.* needs \(.*\)\.$/\1/')" = "$(sed -n 's/^memory  *//p' costs)" ]
}

@test "suggested databases can be appended, and keep to the memory" {
    bare cube
    bare loopover44
    bare fifteen
    for memory in 9M 20M 50M 100M 300M 3G; do
        for name in cube loopover44 fifteen; do
            accepts "$memory" "$name.puzzle"
        done
    done
    for sample in topspin pyraminx 2x2x2-held; do
        accepts 8600K "$SOURCE/tests/data/$sample.tws"
    done
    [ "$(grep -c ^Database appended.puzzle)" -ge 1 ]
}

@test "more memory does not mean fewer states" {
    local before=0 states
    bare loopover44
    for memory in 10M 30M 100M 300M 1G; do
        "$gen" --suggest -j 2 --memory "$memory" loopover44.puzzle >suggested
        states=$(sed -n 's/^# All: \([0-9]*\) .*/\1/p' suggested)
        [ "$states" -ge "$before" ]
        before=$states
    done
    [ "$(grep -c '^# 33441408 states' suggested)" -eq 2 ]
}

@test "a suggestion covers every set and every piece" {
    bare cube
    "$gen" --suggest -j 2 --memory 100M cube.puzzle >suggested
    [ "$(grep ^Database suggested | head -2)" = $'Database CORNERS 1 2 3 4 5 6 7 8\nDatabase EDGES 1 2 3 4 5 6' ]
    for edge in 1 2 3 4 5 6 7 8 9 10 11 12; do
        grep -q "^Database EDGES.* $edge\( \|$\)" suggested
    done
    ! grep -q 'in no database' suggested || return 1
    # With little memory, a comment counts the pieces that are in none.
    { printf 'Name rings\n'; printf 'Set R%d 40 1\n' $(seq 9); printf 'Solved\nEnd\n'
        for set in $(seq 9); do
            printf 'Move A%d\nR%d\n%s 1\nEnd\n' "$set" "$set" "$(seq -s ' ' 2 40)"
            printf 'Move B%d\nR%d\n2 1 %s\nEnd\n' "$set" "$set" "$(seq -s ' ' 3 40)"
        done; } >rings.puzzle
    accepts 10M rings.puzzle
    [ "$(grep -c ^Database suggested)" -eq 8 ]
    grep -Eqx '# [0-9]+ pieces are in no database\.' suggested
}

@test "the tiles of a board are each in one database, as large as the memory allows" {
    printf 'Name board\nSlide 4 4' >board.puzzle # without a line break at the end
    while read -r memory tiles; do
        accepts "$memory" board.puzzle
        [ "$(sed -n 's/^Database //p' suggested | tr '\n' ,)" = "$tiles" ]
    done <<END
3G 1 2 3 4 5 6 7 8,9 10 11 12 13 14 15,
1G 1,2 3 4 5 6 7 8,9 10 11 12 13 14 15,
100M 1 2 3,4 5 6 7 8 9,10 11 12 13 14 15,
20M 1 2 3 4 8,5 6 7 9 10,11 12 13 14 15,
END
    for size in '2 8' '2 2 4' '3 5' '5 3'; do
        printf 'Name board\nSlide %s\n' "$size" >board.puzzle
        accepts 100M board.puzzle
        [ "$(sed -n 's/^Database //p' suggested | tr ' ' '\n' | sort -u | wc -l)" -eq "$(wc -w <<<"$(sed -n 's/^Database //p' suggested)")" ]
    done
    printf 'Name board\nSlide 4 4\nSolved\nTILES\n0 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1\nEnd\n' >board.puzzle
    accepts 3G board.puzzle
    [ "$(grep ^Database suggested | head -1)" = 'Database 1 2 3 4 5 6 7 8' ] # the last two rows
}

@test "pieces that look alike, and small sets, have databases, too" {
    printf 'Name alike\nSet X 24 1\nSet L 1 2\nSet M 1 3\nSolved\nX\n1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6\nEnd\n' >alike.puzzle
    printf 'Move A\nX\n%s 1\nL\n1\n1\nEnd\nMove B\nX\n2 1 %s\nM\n1\n1\nEnd\n' "$(seq -s ' ' 2 24)" "$(seq -s ' ' 3 24)" >>alike.puzzle
    accepts 100M alike.puzzle
    grep -qx 'Database L 1 M 1' suggested # six states: they share a database
    grep -qx 'Database X 1 2' suggested
}

@test "a suggestion has the numbers of pieces that the definition has" {
    {
        printf 'Name gaps\nSet X 14 1\nSet Z 5 1\nSolved\nX\n%s\nZ\n5 5 7 8 9\nEnd\n' "$(seq -s ' ' 21 34)"
        printf 'Move A\nX\n%s 1\nEnd\n' "$(seq -s ' ' 2 14)"
        printf 'Move B\nX\n2 1 %s\nZ\n2 3 4 1 5\nEnd\n' "$(seq -s ' ' 3 14)"
    } >gaps.puzzle
    accepts 11M gaps.puzzle
    grep -qx 'Database X 21 22 23 24 25 26' suggested
    grep -qx 'Database Z 5 7 8' suggested # no move changes 9
}

@test "a table is made from a suggestion, and it is proved" {
    bare cube
    "$gen" --suggest -j 2 --memory 9M cube.puzzle >>cube.puzzle
    "$gen" -o cube.dtab --memory 100M cube.puzzle
    answers 0 3 "$fewest" steps cube.dtab --moves "U R F"
    proves cube.dtab
    "$fewest" show cube.dtab >shown
    grep -q '^Database CORNERS ' shown
}

@test "a puzzle that fits in a table needs no suggestion" {
    answers 0 '' "$gen" --suggest -j 2 --memory 20M "$SOURCE/tests/data/2x2x2.tws"
    grep -Eq 'no pattern databases are needed: a table of all 3674160 states takes [0-9]+ KiB of memory' stderr
    "$gen" --suggest -j 2 --memory 8700K "$SOURCE/tests/data/2x2x2.tws" | grep -q '^Database '
    answers 0 '' "$gen" --suggest "$SOURCE/tests/data/2x2x2.tws" # in the memory that is free
    [ "$(ls -A)" = stderr ]
}

@test "a bandaged puzzle has suggestions, without a filler that makes too many states" {
    {
        echo "Name beads"
        echo "Set X 72 1"
        printf 'Solved\nX\n%s %s\nEnd\n' "$(seq -s ' ' 12)" "$(yes 13 | head -n 60 | paste -sd ' ')"
        echo "Illegal X 1 12"
        printf 'Move A\nX\n%s 1\nEnd\n' "$(seq -s ' ' 2 72)"
        printf 'Move B\nX\n2 1 %s\nEnd\n' "$(seq -s ' ' 3 72)"
    } >beads.puzzle
    accepts 20M beads.puzzle
    grep '^Database 1 2 3' suggested
    grep '^Database.* 12$' suggested
    ! grep '^Database.* 13' suggested || return 1
}

@test "what can't have pattern databases is refused plainly" {
    bare cube
    answers 2 '' "$gen" --suggest --memory 1K cube.puzzle
    complains 'cube.puzzle: no pattern database of cube can be made with 1024 bytes of memory; allow more with --memory'
    answers 2 '' "$gen" --suggest "$SOURCE/tables/puzzles/cube.puzzle"
    complains 'remove the `Database` lines'
    printf 'Track CORNERS 1\n' | cat cube.puzzle - >tracked.puzzle
    answers 2 '' "$gen" --suggest tracked.puzzle
    complains 'remove the `Track` lines'
    printf 'Goal\nCORNERS\n2 1 3 4 5 6 7 8\nEnd\n' | cat cube.puzzle - >goal.puzzle
    answers 2 '' "$gen" --suggest goal.puzzle
    complains 'goal.puzzle: `Database` can'\''t be used with `Goal` (line '
    answers 2 '' "$gen" --suggest --memory 5M "$SOURCE/tables/puzzles/cubic.puzzle"
    complains '`Database` can'\''t be used with `Roll`'
    printf 'Name board\nSlide 5 5\n' >board.puzzle
    answers 2 '' "$gen" --suggest board.puzzle
    complains '`Database` can'\''t be used with a board of more than 16 cells; this one has 25'
    printf 'Name board\nSlide 4 4 multi\n' >board.puzzle
    answers 2 '' "$gen" --suggest board.puzzle
    complains 'leave out `multi`'
    printf 'Name x\n' >bad.puzzle
    answers 2 '' "$gen" --suggest bad.puzzle
    answers 4 '' "$gen" --suggest missing.puzzle
    [ "$(ls *.dtab 2>/dev/null)" = '' ]
}

@test "options that make no sense with --suggest are wrong usage" {
    bare cube
    for option in '--output x' '--dry-run' '--checkpoint x' '--track 1' '--database 1'; do
        # shellcheck disable=SC2086 # an option and its argument
        answers 2 '' "$gen" --suggest $option cube.puzzle
        grep -q -- "--suggest and ${option%% *} exclude each other" stderr
    done
    for option in -q -l -v '-j 3'; do # these have their meaning
        # shellcheck disable=SC2086 # an option and its argument
        "$gen" --suggest $option -m 20M cube.puzzle | grep -q '^Database '
    done
    "$gen" --suggest -j 3 -m 20M cube.puzzle | tail -1 | grep -q ' on 3 threads; '
}

@test "a suggestion that can't be written is status 4" {
    bare cube
    local status=0
    "$gen" --suggest -m 20M cube.puzzle >/dev/full 2>stderr || status=$?
    [ "$status" -eq 4 ]
    complains "fewest-gen: can't write the output: No space left on device"
}

# print_large: prints a KPuzzle definition that is too large for a table.
print_large() {
    sed 's/"numPieces": 6, "numOrientations": 4/"numPieces": 6, "numOrientations": 29/; s/\[1, 1, 1, 1, 1, 1\]/[0, 0, 0, 0, 0, 0]/
        s/2, 5\], "orientationDelta": \[0, 0, 0, 0, 0, 0\]/2, 5], "orientationDelta": [1, 0, 1, 0, 1, 0]/' \
        "$SOURCE/tests/data/ivy.kpuzzle.json"
}

@test "lines that are suggested for a KPuzzle fit into its translation, and are not appended to JSON" {
    needs_import
    print_large >large.json
    "$import" -o large.puzzle large.json
    "$gen" --suggest -m 20M large.json >suggested
    grep -q '^Database .*CENTERS 1 2' suggested
    cat suggested >>large.puzzle
    "$gen" --dry-run large.puzzle >costs
    grep -q "^entries  *$(sed -n 's/^# All: \([0-9]*\) .*/\1/p' suggested) in " costs
    cp large.json kept.json
    ln large.json link.json
    local status=0
    "$gen" --suggest -m 20M large.json >>link.json 2>stderr || status=$?
    [ "$status" -eq 2 ]
    complains 'large.json: no lines can be appended to a file of another program; append them to what `fewest-import -o FILE` writes'
    cmp large.json kept.json
}

@test "too many states: the message has the command that proposes databases" {
    bare cube
    local command
    mkdir 'a folder'
    cp cube.puzzle 'a folder/cube 3.puzzle'
    for path in cube.puzzle 'a folder/cube 3.puzzle'; do
        answers 2 '' "$gen" -q "$path"
        complains "43252003274489856000 states, too many for a table (at most 1099511627776); \`fewest-gen --suggest --memory 1G -q "
        command=$(sed 's/.*`fewest-gen \(.*\)` proposes pattern databases for a search$/\1/' stderr)
        eval "\"\$gen\" $command" >suggested
        grep -q '^Database CORNERS 1 2 3 4 5 6 7 8$' suggested
    done
    answers 2 '' "$gen" --memory 20M cube.puzzle
    complains 'fewest-gen --suggest --memory 20M cube.puzzle`'
    # If the number of states is long, the command still appears.
    printf 'Name long\nSet X 254 1\nSolved\nEnd\nMove A\nX\n%s 1\nEnd\nMove B\nX\n2 1 %s\nEnd\n' "$(seq -s ' ' 2 254)" "$(seq -s ' ' 3 254)" >long.puzzle
    answers 2 '' "$gen" long.puzzle
    complains 'long has more than 10^502 states, too many for a table (at most 1099511627776); `fewest-gen --suggest --memory 1G long.puzzle`'
    # So does a table that needs more memory than there is.
    answers 2 '' "$gen" -j 2 --memory 8M "$SOURCE/tests/data/2x2x2.tws"
    complains 'but --memory allows only 8192 KiB; `fewest-gen --suggest --memory 8M'
    # A puzzle that can't have databases gets no such command.
    printf 'Goal\nCORNERS\n2 1 3 4 5 6 7 8\nEnd\n' | cat cube.puzzle - >goal.puzzle
    answers 2 '' "$gen" goal.puzzle
    complains 'remove `Goal`'
    ! grep -q -- --suggest stderr || return 1
}
