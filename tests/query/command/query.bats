# The `fewest` command: its answers, its statuses, and its messages for bad input.
load ../../tools/cli.bash

@test "steps: one number, or unreachable with status 1" {
    answers 0 7 "$fewest" steps game 123456789 '8*95372**'
    answers 1 unreachable "$fewest" steps game 123456789 123456798
    answers 0 0 "$fewest" steps game 123456789 '*********'
    answers 0 0 "$fewest" steps game 123456789
    answers 0 1 "$fewest" steps game 312456789
}

@test "steps: a state may be typed with separators, and read from stdin or a file" {
    answers 0 7 "$fewest" steps game '1 2 3/4 5 6/7 8 9' '8,*,9,5,3,7,2,*,*'
    answers 0 7 "$fewest" steps game '123456789 8*95372**'
    printf '1 2 3\n4 5 6\n7 8 9\n8 * 9\r\n5 3 7\r\n2 * *' >case
    answers 0 7 "$fewest" steps game @case
    answers 0 7 "$fewest" steps game - <case
    printf '8*95372**\n' >target
    answers 0 7 "$fewest" steps game 123456789 @target
    answers 0 7 "$fewest" steps game 123456789 - <target
    answers 4 '' "$fewest" steps game @missing
    complains 'missing: No such file'
    answers 2 '' "$fewest" steps game - - <case
    answers 4 '' "$fewest" steps game @.
    complains 'Is a directory'
}

@test "options may stand anywhere, -- ends them, and a board of signs is no option" {
    answers 0 1 "$fewest" steps --tables "$BUILD/tables" game 312456789
    answers 0 1 "$fewest" steps game 312456789 --tables "$BUILD/tables"
    answers 0 1 "$fewest" steps game 312456789 -t"$BUILD/tables"
    answers 0 1 "$fewest" -- steps game 312456789
    answers 2 '' "$fewest" steps game -+-+-+-+-
    complains "START: cell 1: expected a number from 1 to 9, got '-'"
    answers 2 '' "$fewest" steps game --+
    complains "START: cell 1: expected a number from 1 to 9, got '-'"
    answers 2 '' "$fewest" steps game -- --
    complains "START: cell 1: expected a number from 1 to 9, got '-'"
}

@test "parity of a bare grid needs no table" {
    answers 1 'unreachable (the permutation of the cells is odd, and the blank is an even number of moves from its target)' \
        "$fewest" parity 4x4 '1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0' --tables /nowhere
    answers 0 'reachable (the permutation of the cells is even, and the blank is an even number of moves from its target)' \
        "$fewest" parity 4X4 '15 14 1 6 9 11 4 12 0 10 7 3 13 8 5 2'
    answers 0 'reachable (with 2 wildcards either parity is possible)' "$fewest" parity 3x3 12345678x '213456**x'
    answers 0 'reachable (with 4 wildcards either parity is possible)' "$fewest" parity 3x3 12345678x '21345****'
    answers 0 'reachable (on a line the order of the tiles never changes, and START and TARGET have the same order)' "$fewest" parity 1x4 1023
    answers 1 'unreachable (on a line the order of the tiles never changes, and START and TARGET have different orders)' "$fewest" parity 4x1 2130
    answers 0 'reachable (on a line the order of the tiles never changes, and START and TARGET have the same order)' "$fewest" parity 1x1 0
    answers 2 '' "$fewest" parity 4x4 '1 2 3'
    complains 'expected 16 cells (START) or 32 (START and TARGET), got 3'
    answers 2 '' "$fewest" parity 2x2 0122
    complains 'START: 2 appears twice'
    answers 2 '' "$fewest" parity 2x2 012x
    answers 2 '' "$fewest" parity 2x2 0124
    for grid in 0x4 1x1x1x1 2x 2xx2 1234x 99999999x2 4096x4096x4096 8193x1 99999999999999999999x2; do
        answers 2 '' "$fewest" parity "$grid" 0
        complains "expected a grid of 1 to 8192 cells, ROWSxCOLUMNS or ROWSxCOLUMNSxLAYERS, got '$grid'"
    done
    answers 2 '' "$fewest" parity 2x2 123 01230
    complains 'START: expected 4 cells, got 3'
    answers 2 '' "$fewest" parity 2x2 - - </dev/null
    answers 2 '' "$fewest" parity 4x4 '0000001234 1 2 3'
    answers 2 '' "$fewest" parity 2x2 '01*2'
    complains 'START: cell 3 '
    seq 1 8191 >board
    echo 0 >>board
    answers 0 'reachable (the permutation of the cells is even, and the blank is an even number of moves from its target)' \
        "$fewest" parity 64x128 @board
    answers 2 "unreachable (the permutation of the cells is odd, and the blank is an even number of moves from its target)
reachable (the permutation of the cells is even, and the blank is an even number of moves from its target)
error
reachable (the permutation of the cells is odd, and the blank is an odd number of moves from its target)" sh -c '
        printf "1 2 3 5 4 0\n1 2 3 4 5 0\n1 2\n1 2 3 4 5 0 1 2 3 4 0 5\n" | "$1" batch --parity 2x3' - "$fewest"
    complains 'stdin:3: '
    # Other commands name the two that take a bare board.
    for command in 'steps 4x4 1' 'path 2X2 1' 'batch 4x4' 'stats 3x3x3' 'check 4x4'; do
        # shellcheck disable=SC2086 # words
        answers 2 '' "$fewest" $command
        grep -q 'is a bare board, which only `fewest parity` and `fewest batch --parity` take' stderr
    done
    answers 2 '' "$fewest" parity 4x4 --moves d
    grep -q 'a bare board such as 4x4 takes neither --moves nor --json' stderr
}

@test "path: move names that lead to the target, also with wildcards" {
    # Make the twelve moves with sed: R rotates a row to the right, C a column down.
    local board=123456789 path move
    path=$("$fewest" path game 123456789 '8*95372**')
    [ "$(wc -w <<<"$path")" -eq 7 ]
    for move in $path; do
        case $move in
            R1) board=$(sed -E 's/^(.)(.)(.)(...)(...)$/\3\1\2\4\5/' <<<"$board") ;;
            R1\') board=$(sed -E 's/^(.)(.)(.)(...)(...)$/\2\3\1\4\5/' <<<"$board") ;;
            R2) board=$(sed -E 's/^(...)(.)(.)(.)(...)$/\1\4\2\3\5/' <<<"$board") ;;
            R2\') board=$(sed -E 's/^(...)(.)(.)(.)(...)$/\1\3\4\2\5/' <<<"$board") ;;
            R3) board=$(sed -E 's/^(...)(...)(.)(.)(.)$/\1\2\5\3\4/' <<<"$board") ;;
            R3\') board=$(sed -E 's/^(...)(...)(.)(.)(.)$/\1\2\4\5\3/' <<<"$board") ;;
            C1) board=$(sed -E 's/^(.)(..)(.)(..)(.)(..)$/\5\2\1\4\3\6/' <<<"$board") ;;
            C1\') board=$(sed -E 's/^(.)(..)(.)(..)(.)(..)$/\3\2\5\4\1\6/' <<<"$board") ;;
            C2) board=$(sed -E 's/^(.)(.)(..)(.)(..)(.)(.)$/\1\6\3\2\5\4\7/' <<<"$board") ;;
            C2\') board=$(sed -E 's/^(.)(.)(..)(.)(..)(.)(.)$/\1\4\3\6\5\2\7/' <<<"$board") ;;
            C3) board=$(sed -E 's/^(..)(.)(..)(.)(..)(.)$/\1\6\3\2\5\4/' <<<"$board") ;;
            C3\') board=$(sed -E 's/^(..)(.)(..)(.)(..)(.)$/\1\4\3\6\5\2/' <<<"$board") ;;
        esac
    done
    [[ $board == 8?95372?? ]]
    answers 0 '' "$fewest" path game 123456789
    answers 1 unreachable "$fewest" path game 123456798
    answers 0 "R1'" "$fewest" path game 312456789 123456789
}

@test "batch: a line for a line, errors in their place, and the rest is answered" {
    printf '123456789 8*95372**\n123456789\nnonsense\n987654321 ***5*****\n' >cases
    # In the last line, START has the 5 one cell to the right of its place in TARGET.
    answers 2 $'7\n0\nerror\n1' "$fewest" batch game cases
    complains "cases:3: START: cell 1: expected a number from 1 to 9, got 'n'"
    answers 2 $'7\n0\nerror\n1' "$fewest" batch game - <cases
    complains 'stdin:3:'
    printf '312456789\r\n\n123456798' >cases # the last line has no newline
    answers 2 $'1\nerror\nunreachable' "$fewest" batch game cases
    answers 2 $'R1\'\nerror\nunreachable' "$fewest" batch --path game cases
    printf '123456798\n' >cases # unreachable is an answer
    answers 0 unreachable "$fewest" batch game cases
    answers 0 'unreachable (the permutation from START to TARGET is odd, but every move is even)' \
        "$fewest" batch --parity game cases
    answers 0 '' "$fewest" batch game /dev/null
    answers 4 '' "$fewest" batch game missing
    answers 4 '' "$fewest" batch game .
}

@test "batch: a line too long, NUL bytes and binary noise are errors of their line alone" {
    { printf '123456789\n'; head -c 300000 /dev/zero | tr '\0' '1'; printf '\n312456789\n'; } >cases
    answers 2 $'0\nerror\n1' "$fewest" batch game cases
    complains 'cases:2: this line is longer than 65536 bytes'
    printf '12345678\0\n312456789\n' >cases
    answers 2 $'error\n1' "$fewest" batch game cases
    complains "cases:1: START: cell 9: expected a number from 1 to 9, got '\\x00'"
    printf '\033[31m\377\376\n312456789\n' >cases
    answers 2 $'error\n1' "$fewest" batch game cases
    complains 'cases:1: START: cell 1:'
    ! grep -q "$(printf '\033')" stderr || return 1
    head -c 70000 /dev/zero | tr '\0' ' ' >cases
    answers 2 error "$fewest" batch game cases
    # A byte order mark does not count.
    printf '\357\273\277%65536s\n312456789\n' 123456789 >cases
    answers 0 $'0\n1' "$fewest" batch game cases
    printf '\357\273\277%65537s\n312456789\n' 123456789 >cases
    answers 2 $'error\n1' "$fewest" batch game - <cases
    answers 2 $'error\n1' sh -c '(head -c 65539 cases; sleep 0.1; tail -c +65540 cases) | "$1" batch game' - "$fewest"
}

@test "batch: comments and a byte order mark are skipped" {
    printf '\357\273\277312456789 # 123456798\n  312456789 123456789\t#no space\n# a line with only a comment gets no answer\n' >cases
    printf '312456789#\n\357\273\277312456789\n312456789 # last' >>cases
    answers 2 $'1\n1\nerror\nerror\n1' "$fewest" batch game cases
    grep -qF "cases:4: TARGET: cell 1: expected a number from 1 to 9 or '*', got '#'" stderr
    grep -qF 'cases:5: START: cell 1: expected' stderr # the mark is skipped before the first line alone
    answers 0 $'2\n1' "$fewest" batch game --moves - <<<$'R1 C2 # two moves\nR1 # R1'
    printf '\357\273\277312456789' >state
    answers 0 1 "$fewest" steps game @state
    answers 0 1 "$fewest" steps game - <state
    printf '\357\273\277R1 C2' >moves
    answers 0 2 "$fewest" steps game --moves @moves
    # The definition that show prints can be read again.
    { printf '\357\273\277'; cat "$SOURCE/tables/puzzles/dice.puzzle"; } >dice.puzzle
    "$gen" -o dice.dtab dice.puzzle
    "$fewest" show dice.dtab | tail -n +2 | cmp - "$SOURCE/tables/puzzles/dice.puzzle"
    answers 0 3 "$fewest" steps dice.dtab 123456 654321
}

@test "batch: each line is answered before the next is asked for" {
    local line
    while IFS=: read -r command start; do
        # shellcheck disable=SC2086 # words
        coproc "$fewest" $command
        local pid=$COPROC_PID
        for _ in 1 2; do
            printf '%s\n' "$start" >&"${COPROC[1]}"
            read -r -t 10 line <&"${COPROC[0]}"
            [ "$line" = 0 ]
        done
        eval "exec ${COPROC[1]}>&-"
        wait "$pid"
    done <<'END'
batch game:123456789
batch -j 2 fifteen:1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0
END
}

@test "judge: the samples of every problem, byte for byte" {
    local count=0 problem
    for problem in $("$fewest" judge --list | cut -d ' ' -f 1); do
        "$fewest" judge "$problem" <"$SOURCE/tests/data/$problem.in" >out
        cmp out "$SOURCE/tests/data/$problem.out"
        # A missing last newline is fine.
        head -c -1 "$SOURCE/tests/data/$problem.in" | "$fewest" judge "$problem" >out
        cmp out "$SOURCE/tests/data/$problem.out"
        # Any white space separates words.
        tr '\n' '\t' <"$SOURCE/tests/data/$problem.in" | "$fewest" judge "$problem" >out
        cmp out "$SOURCE/tests/data/$problem.out"
        count=$((count + 1))
    done
    [ "$count" -eq "$(ls "$SOURCE"/tests/data/*.in | wc -l)" ]
    "$fewest" judge cdoj485 "$SOURCE/tests/data/uestc485.in" | cmp - "$SOURCE/tests/data/uestc485.out"
}

@test "each judge problem has a seed for fuzzing, and each seed begins with a command" {
    "$fewest" judge --list | sed 's/ .*//; s/^/judge /' | sort >problems
    head -qn 1 "$SOURCE"/tests/corpus/judge/* | sort -u >seeds
    answers 0 '' comm -23 problems seeds
    # A problem or a puzzle that is not known is not answered.
    "$fewest" list --tables "$BUILD/tables" | cut -d ' ' -f 1 | sed 's/.*/batch &\nbatch & --path\nbatch & --parity\nbatch & --moves/' |
        sort - problems >commands
    answers 0 '' comm -23 seeds commands
}

@test "judge: an input to the end may be empty, but not end within a case" {
    answers 0 '' "$fewest" judge hdu1430 /dev/null
    printf '12345678 17245368\n12345678\n' >in
    answers 2 C "$fewest" judge hdu1430 in
    complains 'in:3: case 2: the input ends where the target is expected'
    printf '12345678 1724536\n' >in
    answers 2 '' "$fewest" judge hdu1430 in
    complains "in:1: case 1: the target: expected a word of 8 cells, got '1724536'"
    printf 'bwwb bbwb bwwb bww\n' >in
    answers 2 '' "$fewest" judge poj1753 in
    complains "expected a word of 4 cells, got 'bww'"
    printf 'bwwb bbwb bwwb bwwx\n' >in
    answers 2 '' "$fewest" judge poj1753 in
    complains "in:1: case 1: the board: cell 16: expected one of 'bw', got 'x'"
    answers 2 '' "$fewest" judge uva1604 - <<<$'1 1\nWW W W'
    complains "stdin:2: case 1: the target: expected a word of 3 cells, got 'WW'"
    answers 2 '' "$fewest" judge uva1604 /dev/null
    complains 'case 1: the input ends where the column of the blank (0 0 ends the input) is expected'
    for cell in '4 1' '0 1' '1 0'; do
        answers 2 '' "$fewest" judge uva1604 - <<<"$cell"
        complains "stdin:1: case 1: expected a column and a row from 1 to 3, or \`0 0\`, got $cell"
    done
    answers 2 '' "$fewest" judge uva1604 - <<<'1 x'
    complains "stdin:1: case 1: expected the row of the blank, got 'x'"
}

@test "parity: that no moves lead to any of several goals" {
    answers 1 'unreachable (no moves lead from START to a goal)' "$fewest" parity flip bwwwwwwwwwwwwwww
}

@test "judge uestc485: malformed input ends with its line, after the cases before it" {
    local case='1 2 3 4 5 6 7 8 9
* * * * * * * * *'
    printf '3\n%s\n%s\n1 2 3' "$case" "$case" >in
    answers 2 $'Case #1: 0\nCase #2: 0' "$fewest" judge uestc485 in
    complains 'in:6: case 3: the input ends where the start is expected'
    printf '18446744073709551615\n%s\n' "$case" >in
    answers 2 'Case #1: 0' "$fewest" judge uestc485 in || answers 2 '' "$fewest" judge uestc485 in
    printf '2\n%s\n1 2 3 4 5 6 7 8\nx\n' "$case" >in
    answers 2 'Case #1: 0' "$fewest" judge uestc485 in
    complains "in:5: case 2: the start: cell 9: expected a number from 1 to 9, got 'x'"
    printf '1\n1 2 3 4 5 6 7 8 8\n* * * * * * * * *\n' >in
    answers 2 '' "$fewest" judge uestc485 in
    complains 'in:2: case 1: the start: 8 appears twice'
    printf '1\n1 2 3 4 5 6 7 8 *\n* * * * * * * * *\n' >in
    answers 2 '' "$fewest" judge uestc485 in
    complains 'in:2: case 1: the start: cell 9 '
    printf 'many\n' >in
    answers 2 '' "$fewest" judge uestc485 in
    complains "in:1: expected the number of cases, got 'many'"
    printf -- '-1\n' >in
    answers 2 '' "$fewest" judge uestc485 in
    answers 2 '' "$fewest" judge uestc485 /dev/null
    complains 'the input ends where the number of cases is expected'
    answers 0 '' "$fewest" judge uestc485 - <<<0
    { printf 1; head -c 200000 /dev/zero; } >in
    answers 2 '' "$fewest" judge uestc485 in
    # A word that is too long to keep is not a number.
    { head -c 131072 /dev/zero | tr '\0' z; printf '1\n%s\n' "$case"; } >in
    answers 2 '' "$fewest" judge uestc485 in
    complains "in:1: expected the number of cases, got ''"
    { printf '1\n1 2 3 4 5 6 7 8 9 * * * * * * * * '; head -c 131072 /dev/zero | tr '\0' z; printf '9\n'; } >in
    answers 2 '' "$fewest" judge uestc485 in
    complains 'in:2: case 1: this word is longer than 65536 bytes'
    answers 4 '' "$fewest" judge uestc485 missing
}

@test "stats: the histogram, for people and for programs" {
    answers 0 $'0\t1\n1\t12\n2\t96\n3\t736\n4\t5208\n5\t28674\n6\t89497\n7\t54741\n8\t2475' "$fewest" stats --tsv game
    "$fewest" stats game >out
    grep -Eq '^ +8 +2475 +1\.3641 %$' out
    grep -Eq '^states +181440$' out
    grep -Eq '^mean +6\.0989$' out
    grep -Eq '^largest +8$' out
    answers 0 8 "$fewest" steps game "$(sed -n 's/^farthest *//p' out)"
}

@test "judge refuses a table of other moves or another goal, and names a damaged one" {
    mkdir tables
    sed '/^Move C3/,/^End/d' "$SOURCE/tables/puzzles/game.puzzle" >game.puzzle
    "$gen" -o tables/game.dtab game.puzzle
    answers 3 '' "$fewest" judge --tables tables uestc485 "$SOURCE/tests/data/uestc485.in"
    complains 'problem uestc485 needs the puzzle game; this table of game has other moves or another goal'
    printf 'Name seven\nSlide 2 4\n' >seven.puzzle
    "$gen" -o tables/seven.dtab seven.puzzle
    answers 3 '' "$fewest" judge --tables tables aizu0121 "$SOURCE/tests/data/aizu0121.in"
    complains 'problem aizu0121 needs the puzzle seven; this table of seven has other moves or another goal'
    {
        printf 'Name cubic\nSet CUBES 18 1\nLetters CUBES W B R E\nPowers none\n'
        printf 'Solved\nCUBES\n3 4 3 2 3 1 1 1 1 1 1 1 1 4 1 2 1 2\nEnd\n'
        for move in d l r u; do printf 'Move %s\nCUBES\n%s 1\nEnd\n' "$move" "$(seq -s ' ' 2 18)"; done
    } >cubic.puzzle # has more cells than a case of the problem
    "$gen" -o tables/cubic.dtab cubic.puzzle
    answers 3 '' "$fewest" judge --tables tables uva1604 "$SOURCE/tests/data/uva1604.in"
    complains 'problem uva1604 needs the puzzle cubic; this table of cubic has other moves or another goal'
    head -c -4 "$BUILD/tables/flip.dtab" >tables/flip.dtab
    printf 'abcd' >>tables/flip.dtab
    local status=0
    "$fewest" judge --tables tables poj1753 "$SOURCE/tests/data/poj1753.in" >out 2>stderr || status=$?
    [ "$status" -eq 0 ] || complains 'is damaged'
}

@test "judge --table answers from the table of that name, and from no other puzzle's" {
    local board='1 2 3 4 5 6 7 8 9 10 11 12 0 13 14 15'
    mkdir tables
    printf 'Name four\nSlide 4 4\nDatabase 1 2 3 4\nDatabase 5 6 7 8\nDatabase 9 10 11 12\nDatabase 13 14 15\n' >four.puzzle
    "$gen" -o tables/four.dtab four.puzzle
    cp "$BUILD/tables/eight.dtab" tables/fifteen.dtab # the judge would refuse it
    answers 0 RRR "$fewest" judge --tables tables fifteen --table four - <<<"$board"
    answers 3 '' "$fewest" judge --tables tables fifteen - <<<"$board"
    answers 3 '' "$fewest" judge fifteen --table eight - <<<"$board"
    complains 'problem fifteen needs the puzzle fifteen; this table of eight has other moves or another goal'
    answers 3 '' "$fewest" judge fifteen --table gmae - <<<"$board"
    complains "no table gmae.dtab in"
}

@test "list: the puzzle, its size and where its table is; a damaged one is named" {
    "$fewest" list --tables "$BUILD/tables" >out
    grep -Eq "^game +181440 states +[0-9]+ bytes +largest distance +8 +$BUILD/tables/game.dtab$" out
    mkdir tables
    head -c 1000 "$game" >tables/broken.dtab
    ends 3 "$fewest" list --tables tables
    complains 'tables/broken.dtab: the file is cut short'
    grep -q '^game ' out
    mv tables/broken.dtab tables/other.dtab
    cp "$game" tables/other.dtab
    ends 3 "$fewest" list --tables tables
    complains 'tables/other.dtab: this file holds the table of game, so rename it to game.dtab or use its path'
    rm tables/other.dtab
    ln -s nowhere tables/gone.dtab
    FEWEST_TABLES=tables ends 3 "$fewest" list --tables tables
    [ "$(grep -c 'tables/gone.dtab' stderr)" -eq 1 ] # the folder is there twice
}

@test "what is read from a terminal is said, and how it ends" {
    command -v script >/dev/null || skip
    printf '312456789\n' | script -qec "'$fewest' batch game" /dev/null | tr -d '\r' >seen
    grep -qx '(reading from the terminal; Ctrl-D ends the input)' seen
    [ "$(tail -1 seen)" = 1 ]
    printf '312456789\n\004' | script -qec "'$fewest' steps game -" /dev/null | tr -d '\r' >seen
    grep -qx '(reading from the terminal; Ctrl-D ends the input)' seen
    echo 312456789 >cases
    script -qec "'$fewest' batch game cases" /dev/null </dev/null | tr -d '\r' >seen
    [ "$(cat seen)" = 1 ]
}

@test "a folder of --tables that is not there is named, and the others are looked in" {
    answers 0 1 "$fewest" steps --tables nowhere game 312456789
    [ "$(cat stderr)" = 'fewest: --tables nowhere: No such file or directory' ]
    answers 0 '' "$fewest" judge --tables nowhere hdu1430 /dev/null
    complains 'nowhere: No such file or directory'
    answers 1 'unreachable (the permutation of the cells is odd, and the blank is an even number of moves from its target)' \
        "$fewest" parity --tables nowhere 2x2 2130
    [ ! -s stderr ] # no table is needed
    touch file
    answers 0 'game: intact' "$fewest" check --tables file game
    complains '--tables file: Not a directory'
    answers 3 '' "$fewest" steps --tables '' nothing 123456789 # an empty name means no folder
    complains "no table nothing.dtab in $(realpath "$BUILD")/tables"
    ends 3 "$fewest" list --tables nowhere
    complains 'nowhere: No such file or directory'
    grep -q '^game ' out
}

@test "--moves of a state that --from gives lead where a path says" {
    for puzzle in game eight seven flip fridge dice magic slide222; do
        local states
        mapfile -t states < <("$fewest" sample "$puzzle" -n 20 --seed 4)
        for ((i = 0; i + 1 < ${#states[@]}; i++)); do
            local moves
            moves=$("$fewest" path "$puzzle" -- "${states[i]}" "${states[i + 1]}")
            [ "$("$fewest" rank "$puzzle" --from="${states[i]}" --moves "$moves")" -eq \
                "$("$fewest" rank "$puzzle" -- "${states[i + 1]}")" ]
        done
    done
    answers 0 "R2'" "$fewest" path game --from 312456789 --moves 'R1 R2' 231456789
    answers 2 '' "$fewest" steps game --from 31245678 --moves R1
    complains '--from'
    answers 2 '' "$fewest" steps eight --from 1234567x8 --moves 'r l r r'
    complains "move 4, r, is not possible: the blank is at the edge"
    answers 2 '' "$fewest" steps cubic --from WWWWEWWWW --moves d
    complains "moves can't be applied to rolling cubes: the tops alone do not determine the result"
    echo 312456789 >from
    answers 0 "R2'" "$fewest" path game --from @from --moves 'R1 R2' 231456789
    answers 0 "R2'" sh -c '"$1" path game --from - --moves "R1 R2" 231456789 <from' - "$fewest"
    answers 4 '' "$fewest" path game --from @nosuch --moves R1
    answers 2 '' sh -c '"$1" path game --from - --moves "R1 R2" - <from' - "$fewest"
    grep -q '`-` can be used only once' stderr
}

@test "check: intact, proved, damaged, missing" {
    answers 0 "$game: intact" "$fewest" check "$game"
    proves "$game"
    answers 0 'game: intact' "$fewest" check game
    answers 3 '' "$fewest" check missing.dtab
    complains 'missing.dtab: No such file'
    answers 3 '' "$fewest" check ./
    : >empty.dtab
    answers 1 '' "$fewest" check empty.dtab
    complains 'empty.dtab: the file is empty'
    answers 3 "$game: intact" "$fewest" check "$game" missing.dtab
    printf 'not a table\n' >text.dtab
    answers 1 '' "$fewest" check text.dtab
    complains 'not a distance table'
    mkfifo pipe.dtab
    answers 3 '' "$fewest" check pipe.dtab
    complains 'not a regular file'
    answers 0 'dice: intact
flip: intact' "$fewest" check dice flip
}

@test "check --deep -j: the proof is the same in any number of threads" {
    for threads in 1 2 5 64; do
        "$fewest" check --deep -j "$threads" game flip >out
        sed 's/ in [0-9.]* s$//' out >proved
        answers 0 'game: intact; proved the distances of all 181440 states
flip: intact; proved the distances of all 4096 states' cat proved
    done
    answers 2 '' "$fewest" check -j 0 game
    grep -q -- "--threads: expected a number from 1 to 64, got '0'" stderr
}

@test "check --deep that runs out of memory fails with status 4 and finds no damage" {
    ! grep -q -e __asan_init -e __tsan_init "$fewest" || skip 'an instrumented program needs all addresses'
    answers 4 '' sh -c 'ulimit -v 30000 && exec "$1" check --deep cubic' - "$fewest"
    complains 'cubic: not enough memory to check 4133430 full states'
}

@test "threads of a batch make one solver, not each its own" {
    ! grep -q -e __asan_init -e __tsan_init "$fewest" || skip 'an instrumented program needs all addresses'
    for i in $(seq 200); do echo '1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15'; done >in
    answers 0 "$(yes 1 | head -n 200)" sh -c 'ulimit -s 512 && ulimit -d 120000 && exec "$1" batch -j 64 fifteen in' - "$fewest"
}

@test "tables are found by option, environment, beside the program, and by path; never by the name of a file" {
    mkdir a b
    cp "$game" a/game.dtab
    sed 's/^Name game/Name other/' "$SOURCE/tables/puzzles/game.puzzle" >other.puzzle
    "$gen" --name other -o b/game.dtab other.puzzle # another puzzle under this name
    answers 0 1 "$fewest" steps --tables a game 312456789
    FEWEST_TABLES=a answers 0 1 "$fewest" steps game 312456789
    answers 0 1 "$fewest" steps a/game.dtab 312456789
    answers 0 1 "$fewest" steps b/game.dtab 312456789
    answers 3 '' "$fewest" steps --tables b game 312456789
    complains 'b/game.dtab: this file holds the table of other, not of game'
    FEWEST_TABLES=b answers 3 '' "$fewest" steps game 312456789
    answers 3 '' "$fewest" steps nothing 123456789
    complains 'no table nothing.dtab in'
    answers 3 '' "$fewest" steps ../game 123456789
}

@test "usage: whatever is not understood is status 2 and says where help is" {
    for arguments in '' nonsense 'steps' 'steps game' 'steps game a b c' '--nonsense' 'steps --deep game 123456789' \
        'stats game game' 'check' 'list x' 'judge' 'judge nonsense' '--tables'; do
        # shellcheck disable=SC2086 # words
        ends 2 "$fewest" $arguments
        [ ! -s out ]
        [ -s stderr ]
    done
    says() { # MESSAGE WORD…
        answers 2 '' "$fewest" "${@:2}"
        [ "$(head -1 stderr)" = "fewest: $1" ]
    }
    says 'no command: expected `fewest COMMAND ...`'
    says "unknown command 'game'; \`fewest --help\` lists the commands" game 123456789
    says 'too few operands: expected `fewest steps PUZZLE START [TARGET]`' steps game
    says 'too few operands: expected `fewest judge PROBLEM [FILE]`; `fewest judge --list` lists the problems' judge
    says 'too many operands: expected `fewest list`' list x
    says 'too many operands: expected `fewest stats PUZZLE`' stats game 1 2 3
    says 'too many operands: expected `fewest steps PUZZLE START [TARGET]`; put a state with spaces in quotes' \
        steps game 1 2 3 4
    says 'too many operands: expected `fewest steps PUZZLE START [TARGET]`; --moves replaces START' \
        steps game --moves R1 123456789 123456789
    says 'too many operands: expected `fewest rank PUZZLE STATE`; --moves replaces STATE' rank game 1 --moves R1
    says '--from STATE needs --moves MOVES' steps game --from 123456789 123456789
    says '`fewest steps` does not take --deep' steps --deep game 123456789
    says '`fewest list` does not take --from' list --from 123456789
    says '--svg needs an argument' stats game --svg
    says '-t needs an argument' stats game -t
    says "unknown option '--sgv'; did you mean '--svg'?" stats game --sgv
    says "unknown option '--prity=4'; did you mean '--parity'?" batch game --prity=4
    says "unknown option '--colour' (put -- before an argument that begins with -)" stats game --colour
    says '--tsv takes no argument' stats game --tsv=1
    says "--seed: expected a number from 0 to 2^64-1, got 'x'" sample game --seed x
    says '`@` needs the name of a file: @FILE' steps game @
    says 'use only one of --bars, --tsv, --json and --svg' stats game --json --tsv
    says '--symmetry counts from the solved state; use it without --root' stats --symmetry --root 123456789 game
    says '--symmetry counts all states; use it without --matching' stats --symmetry --matching '123******' game
    says '--svg draws no classes; use it without --symmetry' stats --symmetry --svg x game
    says '`fewest check` does not take --symmetry' check --symmetry game
    says 'use either --json or --show, not both' path game --json --show 123456789
    says 'use only one of --path, --all (--within), --parity and --how-many' batch --path --parity game
}

@test "output that can't be written is status 4" {
    [ -c /dev/full ] || skip
    local status=0
    "$fewest" steps game 123456789 >/dev/full 2>stderr || status=$?
    [ "$status" -eq 4 ]
    yes 123456789 | head -100000 >cases
    mkdir tables
    cp "$BUILD/tables/game.dtab" tables
    ln -s nowhere tables/zero.dtab # `list` no longer comes to this one
    export FEWEST_TABLES=tables
    for command in 'batch game cases' 'batch -j 2 game cases' 'export game' 'sample game -n 9999' 'list'; do
        status=0
        # shellcheck disable=SC2086 # words
        "$fewest" $command >/dev/full 2>stderr || status=$?
        [ "$status" -eq 4 ]
        complains "fewest: can't write the output: No space left on device"
    done
}

@test "a message is one line of printable characters, whatever was typed" {
    local odd=$'a\nb\e[31m'
    answers 2 '' "$fewest" "$odd"
    ! grep -q $'\e' stderr || return 1
    [ "$(wc -l <stderr)" -eq 2 ]
    answers 4 '' "$fewest" batch game "$odd"
    complains 'a\x0Ab\x1B[31m: No such file'
    answers 3 '' "$fewest" steps "$odd" 123456789
    complains 'a\x0Ab\x1B[31m.dtab'
    answers 3 '' "$fewest" steps --tables "$odd" nothing 123456789
    complains 'a\x0Ab\x1B[31m'
    cp "$game" "$odd.dtab"
    answers 0 'a\x0Ab\x1B[31m.dtab: intact' "$fewest" check "$odd.dtab"
}

# cut_short THREADS LINES: a batch whose table is cut short before 3,000 paths, which take 72 KB, and
# a query that reads another part of the table. At least so many paths must come.
cut_short() {
    local status=0 path='C1 C2 R1 C1 R2 C3 R1 R3'
    cp "$game" game.dtab
    coproc "$fewest" batch -j "$1" --path ./game.dtab 2>stderr
    local pid=$COPROC_PID
    exec 9<&"${COPROC[0]}"
    printf '875294361\n' >&"${COPROC[1]}"
    read -r -t 10 line <&9
    [ "$line" = "$path" ] || return 1
    : >game.dtab
    cat <&9 >out &
    local reader=$!
    { yes 875294361 | head -n 3000 && echo '123456789 8*95372**'; } >states
    trap '' PIPE # it may have ended before it has read all
    cat states >&"${COPROC[1]}" || true
    wait "$pid" || status=$?
    wait "$reader"
    [ "$status" -eq 3 ] || return 1
    [ "$(wc -l <out)" -ge "$2" ] || return 1
    [ "$(tail -c 1 out)" = '' ] || return 1 # the last line ends
    ! grep -vxF "$path" out || return 1
    complains "fewest: the file of a table was cut short while it was open, or can't be read; generate the table again with fewest-gen"
}

@test "if its open table is cut short, fewest ends with status 3, and has printed whole lines" {
    cut_short 1 1300
}

@test "so does fewest with several threads" {
    cut_short 4 0
}

@test "random bytes that are written into an open table give an error or an answer, never a crash" {
    command -v python3 >/dev/null || skip
    local puzzle threads status
    for puzzle in game loopover44 fifteen; do
        [ -e "$BUILD/tables/$puzzle.dtab" ] || continue
        "$fewest" sample "$puzzle" --random-moves 12 --count 3000 --seed 1 >states
        for threads in 1 4; do
            cp "$BUILD/tables/$puzzle.dtab" open.dtab
            python3 - <<'END' &
import os, random, time
random.seed(2)
size = os.path.getsize("open.dtab")
end = time.time() + 1
with open("open.dtab", "r+b", buffering=0) as table:
    while time.time() < end:
        table.seek(random.randrange(size))
        table.write(random.randbytes(64))
END
            for _ in 1 2 3 4; do
                status=0
                timeout 60 "$fewest" batch -j "$threads" --path --limit 14 ./open.dtab states >out 2>stderr || status=$?
                [ "$status" -le 3 ] || return 1
            done
            wait
        done
    done
}

@test "version, and help in which every example runs and prints what it says" {
    [ "$("$fewest" --version)" = "fewest $VERSION" ]
    [ "$("$gen" --version)" = "fewest-gen $VERSION" ]
    PATH=$BUILD/query:$PATH
    local count=0 line command expected status
    "$fewest" --help >help
    for command in $(sed -n '/^Usage:/,/^$/s/^  \([a-z]*\) .*/\1/p' help); do
        "$fewest" "$command" --help
        echo
    done >>help
    "$gen" --help | awk 'length > 100' | cmp - /dev/null
    awk 'length > 100' help | cmp - /dev/null
    sed -n '/^Examples:/,/^$/s/^  //p' help >examples
    while IFS= read -r line; do
        command=${line%%  *} expected=
        [[ $command != 'fewest page'* ]] || [ -e "$BUILD/query/page/fewest.wasm" ] || continue # not built
        [[ $line != *'  # '* ]] || expected=${line##*  # }
        status=0
        bash -c "$command" >out 2>stderr || status=$?
        if [ ! -s out ] && [[ $command != *' > '* ]] || [ "$status" -gt 1 ]; then
            echo "$command"
            return 1
        fi
        [[ $expected == '' || $expected == *' '* ]] || [ "$(cat out)" = "$expected" ]
        count=$((count + 1))
    done <examples
    [ "$count" -ge 25 ]
}

@test "stats --root counts from a start, or from a blank's cell" {
    answers 0 "36	2" sh -c '"$1" stats cubic --tsv | tail -1' - "$fewest"
    answers 0 "37	1" sh -c '"$1" stats cubic --root 2 --tsv | tail -1' - "$fewest"
    answers 0 "37	1" sh -c '"$1" stats cubic --root WEWWWWWWW --tsv | tail -1' - "$fewest"
    answers 0 "30	148" sh -c '"$1" stats eight --root 5 --tsv | tail -1' - "$fewest"
    answers 2 "" "$fewest" stats cubic --root RRRRERRRR
    complains "cubic answers only from a START where every cube has W on top"
    for cell in 0 10 99999999; do
        answers 2 "" "$fewest" stats cubic --root "$cell"
        complains "--root: START: expected a state, or a cell from 1 to 9 for the blank, got '$cell'"
    done
    answers 2 "" "$fewest" stats game --root 10
    complains "START: cell 2: expected a number from 1 to 9, got '0'"
    answers 2 "" "$fewest" steps cubic --root 1 WWWWEWWWW
    grep -qx 'fewest: `fewest steps` does not take --root' stderr
}

@test "a start that rolling cubes have no answer from is an error in its place" {
    answers 2 "$(printf '13\nerror\n0')" sh -c '
        printf "WWWWWWWWE WBWBRERBR\nRWWWWWWWE WBWBRERBR\nWWWWEWWWW\n" | "$1" batch cubic' - "$fewest"
    complains "stdin:2: cubic "
}

@test "stats --symmetry counts classes, or says why it can't" {
    answers 0 $'6\t89497\t1260\t703\n7\t54741\t785\t457\n8\t2475\t43\t37' \
        sh -c '"$1" stats --symmetry -j2 --tsv game | tail -3' - "$fewest"
    answers 0 $'symmetries  72\nclasses     2584\nor inverse  1495' sh -c '"$1" stats game --symmetry | tail -3' - "$fewest"
    "$gen" -o skewb.dtab "$SOURCE/tests/data/skewb.tws"
    "$fewest" stats --symmetry skewb.dtab >all & # in one thread for each processor
    local most=0 now
    while now=$(find "/proc/$!/task" -mindepth 1 -maxdepth 1 2>/dev/null | wc -l) && [ "$now" -gt 0 ]; do
        most=$((now > most ? now : most))
    done
    wait $!
    [ "$most" -eq "$(getconf _NPROCESSORS_ONLN)" ] || [ "$most" -eq 64 ]
    for threads in 1 2 3; do
        "$fewest" stats --symmetry -j "$threads" skewb.dtab | cmp - all
    done
    answers 0 $'symmetries  2\nclasses     90792' sh -c '"$1" stats eight --symmetry | tail -2' - "$fewest"
    "$fewest" stats --symmetry --json dice | grep -q '"symmetries": 8, "classes": \[1, 1, 2, 3, 1\], "or_inverse": \[1, 1, 2, 3, 1\]}'
    answers 0 $'22\t5\t5' sh -c '"$1" stats --symmetry --tsv magic | tail -1' - "$fewest" # no inverses
    ! "$fewest" stats --symmetry --json eight | grep -q or_inverse || return 1
    answers 2 '' "$fewest" stats --symmetry flip
    complains 'flip has several goals; classes of states need one solved state'
    answers 2 '' "$fewest" stats --symmetry cubic
    complains "cubic has rolling cubes; classes of their states can't be counted"
    { printf 'Name wide\nSet X 200 2\nSolved\nX\n'; seq -s ' ' 200; printf 'End\nMove A\nX\n'; seq -s ' ' 2 200 | tr '\n' ' '; printf '1\n1'; printf ' 0%.0s' $(seq 199); printf '\nEnd\n'; } >wide.tws
    "$gen" wide.tws
    answers 2 '' "$fewest" stats --symmetry wide.dtab
    complains 'wide has more than 256 orientations of its pieces, too many to count classes of states'
    { printf 'Name pairs\nSet X 18 1\nSolved\nX\n1 2%s\nEnd\n' "$(printf ' 1 2%.0s' $(seq 8))"; for i in $(seq 1 2 17); do printf 'Move M%s\nX\n(%s %s)\nEnd\n' "$i" "$i" $((i + 1)); done; } >pairs.tws
    "$gen" pairs.tws
    answers 2 '' "$fewest" stats --symmetry pairs.dtab
    complains 'pairs has more than 65536 symmetries, too many to count classes of states'
    answers 2 '' "$fewest" stats --symmetry fifteen
    complains 'fifteen is solved by a search: its table holds no distances, which this needs'
}

@test "fifteen: steps, path, parity, and what is not searched" {
    local solved="1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"
    answers 0 52 "$fewest" steps fifteen "15 14 1 6 9 11 4 12 0 10 7 3 13 8 5 2"
    answers 0 "" "$fewest" path fifteen "$solved"
    answers 1 unreachable "$fewest" path fifteen "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0"
    answers 1 "unreachable (the permutation of the cells is odd, and the blank is an even number of moves from its target)" \
        "$fewest" parity fifteen "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0"
    answers 2 "" "$fewest" steps fifteen "$solved" "1 2 3 4 5 0 6 7 8 9 10 11 12 13 14 15"
    complains "fifteen is solved by a search, which needs the blank of TARGET in one of these cells: 1, 4, 13, 16"
    answers 2 "" "$fewest" steps fifteen "$solved" "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 *"
    complains "fifteen is solved by a search, which does not support wildcards"
    answers 2 "" "$fewest" stats fifteen
    complains "fifteen is solved by a search: its table holds no distances, which this needs"
    "$fewest" list | grep -q '^fifteen  *solved by search '
}

# korf_cases: prints Korf's boards, with the goal that has the blank first.
korf_cases() {
    awk '!/^#/ { $1 = $2 = ""; print $0, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15" }' "$SOURCE/tests/data/korf100.txt"
}

@test "batch -j: the answers of many threads come in order, errors in their place" {
    korf_cases | sed '3s/.*/nonsense/; 70s/ 0$/ */' >cases
    awk '!/^#/ { print $2 }' "$SOURCE/tests/data/korf100.txt" | sed '3s/.*/error/' >expected
    for threads in 1 2 5; do
        ends 2 "$fewest" batch fifteen -j "$threads" cases
        cmp out expected
        complains "cases:3: START: cell 1: expected a number from 0 to 15, got 'nonsense'"
    done
    answers 2 "" "$fewest" batch fifteen -j 0 cases
    grep -q -- "--threads: expected a number from 1 to 64, got '0'" stderr
}

@test "batch -j: a search answers each empty line with an error" {
    goal='1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0'
    printf '\n%s\n\n%s\n\n' "$goal" "$goal" >cases
    for threads in 1 2; do
        ends 2 "$fewest" batch fifteen -j "$threads" cases
        printf 'error\n0\nerror\n0\nerror\n' | cmp - out
        [ "$(sed 's/^fewest: \(cases:.: got 0 cells\);.*/\1/' stderr | tr '\n' ' ')" = 'cases:1: got 0 cells cases:3: got 0 cells cases:5: got 0 cells ' ]
    done
}

@test "batch -j: a table answers as with one thread, whatever the lines are" {
    "$fewest" sample game --count 20000 --seed 3 >some
    paste -d ' ' some <(sed 's/[24]/*/g' some) >good
    {
        cat good
        printf 'nonsense\n12345678\n123456789 1123*****\n\n \n1234\0006789\n12345678*\r\n'
        sed 's/$/\r/' good
        head -c 70000 /dev/zero | tr '\0' 1
        echo
        cat good
        head -c 300000 /dev/zero | tr '\0' ' '
        printf '\n123456789\n'
        cat good
        printf '123456789 987654321'
    } >cases
    ends 2 "$fewest" batch game cases
    mv out expected
    mv stderr messages
    [ "$(wc -l <expected)" -eq $(($(wc -l <cases) + 1)) ]
    [ "$(grep -c error expected)" -eq 9 ]
    for threads in 2 3 16; do
        for input in cases -; do
            ends 2 "$fewest" batch game -j "$threads" "$input" <cases
            cmp out expected
            sed 's/^fewest: stdin:/fewest: cases:/' stderr | cmp - messages
        done
    done
    for end in '' '\n'; do
        { cat some; head -c 70000 /dev/zero | tr '\0' 1; printf "$end"; } >cases
        ends 2 "$fewest" batch game cases
        mv out expected
        mv stderr messages
        ends 2 "$fewest" batch game -j 2 cases
        cmp out expected
        cmp stderr messages
    done
    # In a pipe, whole lines come in parts.
    (while IFS= read -r line; do printf '%s' "${line:0:5}"; printf '%s\n' "${line:5}"; done) <some |
        "$fewest" batch game -j 2 >out
    "$fewest" batch game some | cmp - out
}

@test "no answer waits for a slow line after it" {
    # No board of the 15-puzzle is farther than the second.
    printf '%s\n' '1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15' \
        '0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1' >boards
    # A search between two states takes much longer than a look-up.
    printf '%s\n' 'Set A 24 1' Solved A "$(yes 1 | head -11 | tr '\n' ' ') $(yes 2 | head -13 | tr '\n' ' ')" \
        End 'Move r' A "$(seq 2 24 | tr '\n' ' ') 1" End 'Move s' A "2 1 $(seq 3 24 | tr '\n' ' ')" End >beads.tws
    "$gen" -q beads.tws
    "$fewest" sample beads.dtab -n 2 --seed 1 | tr '\n' ' ' >pair
    (cut -d ' ' -f 1-24 pair; for _ in $(seq 1000); do cat pair; echo; done) >beads
    for command in 'batch fifteen boards' 'batch -j 2 fifteen boards' 'judge fifteen boards' 'judge -j 2 fifteen boards' \
        'batch beads.dtab beads' 'batch -j 2 beads.dtab beads'; do
        # shellcheck disable=SC2086 # words
        "$fewest" $command >out &
        local pid=$!
        timeout 20 sh -c 'until [ "$(wc -l <out)" -gt 0 ]; do sleep 0.1; done'
        kill -KILL "$pid" # it is still at work
        wait "$pid" || true
    done
}

@test "Ctrl-C names the line that a batch was at" {
    printf '%s\n' '1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15' \
        '0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1' >boards
    for threads in 1 2; do
        env --default-signal "$fewest" batch -j $threads fifteen boards >out 2>stderr &
        local pid=$!
        timeout 20 sh -c 'until [ "$(wc -l <out)" -gt 0 ]; do sleep 0.1; done'
        interrupt "$pid"
        grep -q '^fewest: boards:2: at least [0-9]* moves; stopped$' stderr
    done
}

@test "on a terminal, --moves with a TARGET says which is which" {
    script -qec "$fewest steps game --moves R1 312456789" /dev/null >out
    printf '%s\r\n' '(--moves makes START, so 312456789 is the TARGET)' 0 | cmp - out
    answers 0 0 "$fewest" steps game --moves R1 312456789
}

@test "batch -j answers before its input ends" {
    "$fewest" sample game --count 3000 --seed 5 >cases
    mkfifo pipe
    "$fewest" batch -j 2 game <pipe >out &
    exec 7>pipe
    cat cases >&7
    timeout 20 sh -c 'until [ "$(wc -l <out)" -eq 3000 ]; do sleep 0.1; done'
    exec 7>&-
    wait $!
    # The first board takes some time. Then half a line is there.
    "$fewest" batch -j 2 fifteen <pipe >out &
    exec 7>pipe
    korf_cases | head -n 1 >&7
    sleep 0.02
    printf '1 2 3 4 5' >&7
    timeout 20 sh -c 'until [ "$(wc -l <out)" -eq 1 ]; do sleep 0.1; done'
    printf ' 6 7 8 9 10 11 12 13 14 15 0' >&7
    exec 7>&-
    wait $!
    printf '57\n0\n' | cmp - out
}

@test "batch -j ends at a damaged or truncated table before its input ends" {
    "$fewest" sample game --count 3000 --seed 5 >cases
    cp "$BUILD/tables/game.dtab" damaged.dtab
    printf 'damage' | dd of=damaged.dtab bs=1 seek=30000 conv=notrunc status=none
    mkfifo pipe
    for table in damaged truncated; do
        local status=0
        cp "$BUILD/tables/game.dtab" truncated.dtab
        timeout 20 "$fewest" batch -j 2 "$table.dtab" <pipe >out 2>stderr &
        exec 7>pipe
        sleep 0.3 # until the table is open
        : >truncated.dtab
        cat cases >&7 || true # the batch may have ended
        wait $! || status=$?
        exec 7>&-
        [ "$status" -eq 3 ]
        grep -q '^fewest: \(damaged.dtab: the block at byte [0-9]* is damaged\|the file of a table was cut short\)' stderr
        "$fewest" batch game cases | head -n "$(wc -l <out)" | cmp - out
    done
}

@test "judge -j: the same answers and messages as with one thread" {
    for problem in uestc485 hdu1043 hdu3567 aizu0121 hdu1430 hdu5012 uva1604 poj1753 poj2965 fifteen; do
        for _ in $(seq 40); do cat "$SOURCE/tests/data/$problem.in"; done >cases
        for last in '' 9 nonsense '1 2 3'; do
            local alone=0 status=0
            { cat cases; echo "$last"; } | "$fewest" judge "$problem" >expected 2>messages || alone=$?
            { cat cases; echo "$last"; } | "$fewest" judge "$problem" -j 3 >out 2>stderr || status=$?
            [ "$status" -eq "$alone" ]
            cmp out expected
            cmp stderr messages
        done
    done
}

@test "Ctrl-C stops a search, and what was answered is kept" {
    mkfifo pipe
    env --default-signal "$fewest" batch fifteen <pipe >out 2>stderr &
    local pid=$! status=0
    exec 7>pipe
    { korf_cases | head -2; } >&7
    for _ in $(seq 300); do
        [ "$(wc -l <out)" -eq 2 ] && break
        sleep 0.1
    done
    echo "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1" >&7 # takes seconds
    sleep 0.3
    kill -INT "$pid"
    wait "$pid" || status=$?
    exec 7>&-
    [ "$status" -eq 130 ]
    [ "$(cat out)" = "$(printf '57\n55')" ]
    complains "moves; stopped"
}

@test "--moves makes START of the solved state, and path leads back" {
    "$gen" -o 2x2x2.dtab "$SOURCE/tests/data/2x2x2-new.tws"
    answers 0 3 "$fewest" steps 2x2x2.dtab --moves "R U R'"
    answers 0 "R U' R'" "$fewest" path 2x2x2.dtab --moves "R U R'"
    answers 0 "reachable (in 3 moves)" "$fewest" parity 2x2x2.dtab --moves "R U R'"
    answers 0 0 "$fewest" steps 2x2x2.dtab --moves ''
    answers 2 '' "$fewest" steps 2x2x2.dtab --moves "R Z"
    complains "unknown move 'Z'; the moves of 2x2x2 are"
    answers 0 1 "$fewest" steps game --moves 'R1'
    answers 0 1 "$fewest" steps game --moves 'R1' 123456789
    # A corner turned in place: the table has no number for this state.
    answers 1 'unreachable (modulo 3, the orientations of CORNERS add up to 1 in START and to 0 in TARGET, but every move keeps their sum)' \
        "$fewest" parity 2x2x2.dtab "1 2 3 4 5 6 7 1 0 0 0 0 0 0"
}

@test "--limit gives up beyond a number of moves, with a table and with a search" {
    "$gen" -o full.dtab "$SOURCE/tests/data/2x2x2.tws"
    "$gen" --database 'CORNERS 1 2 3 4' -o searched.dtab "$SOURCE/tests/data/2x2x2.tws"
    for table in full.dtab searched.dtab; do
        answers 0 3 "$fewest" steps --limit 3 $table --moves "R U R'"
        answers 2 '' "$fewest" steps --limit 2 $table --moves "R U R'"
        complains 'fewest: at least 3 moves'
        answers 2 '' "$fewest" path --limit 2 $table --moves "R U R'"
        "$fewest" show $table --moves "R U R'" | tail -1 >cases
        "$fewest" show $table --moves "R" | tail -1 >>cases
        answers 0 $'>2\n1' "$fewest" batch --limit 2 $table cases
        answers 0 $'>2\n1' "$fewest" batch --limit 2 -j 2 $table cases
        for limit in 0 -1 many; do
            answers 2 '' "$fewest" steps --limit $limit $table --moves R
        done
    done
}

@test "a search answers for any puzzle with databases, from the shell" {
    "$gen" -o searched.dtab --database 'CORNERS 1 2 3' --database 'CORNERS 4 5' "$SOURCE/tests/data/2x2x2.tws"
    answers 0 "R U' R'" "$fewest" path searched.dtab --moves "R U R'"
    answers 0 "reachable (the moves connect START and TARGET)" "$fewest" parity searched.dtab --moves "R U R'"
    answers 1 unreachable "$fewest" steps searched.dtab "1 2 3 4 5 6 7 1 0 0 0 0 0 0"
    complains 'modulo 3, the orientations of CORNERS add up to 1 in START and to 0 in TARGET, but every move keeps their sum'
    answers 2 '' "$fewest" stats searched.dtab
    complains 'is solved by a search'
    "$fewest" sample --seed 1 --count 3 searched.dtab >states
    [ "$(wc -l <states)" -eq 3 ]
    proves searched.dtab
    answers 2 '' "$gen" --track 'CORNERS 1' --track 'CORNERS 2' "$SOURCE/tests/data/2x2x2.tws"
    grep -q 'fewest-gen: --track appears twice' stderr
    answers 2 '' "$gen" --track 'CORNERS 1' --database 'CORNERS 2' "$SOURCE/tests/data/2x2x2.tws"
    grep -q 'fewest-gen: --track and --database exclude each other' stderr
    answers 2 '' "$gen" --database 'CORNERS 1' --database 'CORNERS 9' -o x.dtab "$SOURCE/tests/data/2x2x2.tws"
    complains 'fewest-gen: --database: set CORNERS has no piece 9 in `Solved`'
    answers 2 '' "$gen" --memory 1K --database 'CORNERS 1 2 3' -o x.dtab "$SOURCE/tests/data/2x2x2.tws"
    complains 'but --memory allows only'
}

@test "--cache bounds what is kept, and changes no answer" {
    "$gen" -o 2x2x2.dtab "$SOURCE/tests/data/2x2x2.tws"
    answers 0 3 "$fewest" steps --cache 64K 2x2x2.dtab --moves "R U R'"
    answers 0 "R U' R'" "$fewest" path --cache 1 2x2x2.dtab --moves "R U R'"
    [ "$("$fewest" stats --cache 64K --tsv 2x2x2.dtab | tail -1)" = "$(printf '11\t2644')" ]
    answers 2 '' "$fewest" steps --cache 0 2x2x2.dtab --moves R
    grep -q -- "--cache: expected a size above 0 such as 300M or 1.5G, got '0'" stderr
    yes '2 1 3 4 5 6 7 0 0 0 0 0 0 0' | head -100 >cases
    "$fewest" batch --cache 0.5K 2x2x2.dtab cases >bounded
    "$fewest" batch 2x2x2.dtab cases >free
    cmp bounded free
}

# coupled_block KEYWORD ROW: prints a block that has the same pieces in the sets X and Y.
coupled_block() {
    printf '%s\nX\n%s\nY\n%s\nEnd\n' "$1" "$2" "$2"
}

@test "a puzzle of 60 states has more than 2^64 arrangements: only these have no numbers" {
    {
        printf 'Name coupled\nSet X 16 1\nSet Y 16 1\nSolved\nEnd\n'
        coupled_block 'Move A' "2 3 1 4 5 $(seq -s ' ' 6 16)"
        coupled_block 'Move B' "1 2 4 5 3 $(seq -s ' ' 6 16)"
    } >coupled.puzzle
    "$gen" coupled.puzzle
    proves ./coupled.dtab
    [ "$("$fewest" show ./coupled.dtab | head -1)" = '# states 60' ]
    "$fewest" list -t . | grep -Eq '^coupled +60 states '
    "$fewest" stats ./coupled.dtab | grep -qx 'states      60'
    [ "$("$fewest" stats --tsv ./coupled.dtab | awk '{ n += $2 } END { print n }')" -eq 60 ]
    answers 0 2 "$fewest" steps ./coupled.dtab --moves 'A B'
    answers 0 "B' A'" "$fewest" path ./coupled.dtab --moves 'A B'
    # All 60 states are drawn, and no others.
    "$fewest" sample ./coupled.dtab -n 1000 --seed 1 >drawn
    [ "$(sort -u drawn | wc -l)" -eq 60 ]
    ! "$fewest" batch ./coupled.dtab drawn | grep unreachable || return 1
    "$fewest" sample ./coupled.dtab -n 50 --distance 2 --seed 1 >drawn
    [ "$("$fewest" batch ./coupled.dtab drawn | sort -u)" = 2 ]
    local why='coupled has more than 2^64 arrangements, too many to number them'
    answers 2 '' "$fewest" rank ./coupled.dtab --moves A
    complains "$why"
    answers 2 '' "$fewest" rank ./coupled.dtab @drawn
    complains "$why"
    answers 2 '' "$fewest" unrank ./coupled.dtab 0
    complains "$why"
    answers 2 '' "$fewest" export ./coupled.dtab
    complains "$why"
}

@test "stats of a puzzle with several goals looks at its states only" {
    {
        printf 'Name goals\nSet X 8 1\nSet Y 8 1\nSolved\nEnd\n'
        coupled_block Goal '2 3 1 4 5 6 7 8'
        coupled_block 'Move A' '2 3 1 4 5 6 7 8'
        coupled_block 'Move B' '1 3 4 5 6 7 8 2'
    } >goals.puzzle
    "$gen" goals.puzzle # 8!/2 states among 8! × 8! arrangements
    "$fewest" list -t . | grep -Eq '^goals +20160 states .* largest distance '
    "$fewest" stats --json ./goals.dtab >out
    grep -q '"states": 20160, "reachable": 20160, ' out
    grep -q '"counts": \[2, ' out
}

@test "states are those that can be reached: in every count, on every kind of board" {
    local rows counts
    for rows in 'Slide 1 4:4' 'Slide 2 3:360' 'Roll 1 4:4' 'Roll 2 2:28' 'Roll 2 3:1458' 'Roll 3 2:1458' \
        'Roll 2 4:17496' 'Slide 2 3\nGoal\nTILES\n2 1 3 4 5 0\nEnd:720' \
        'Slide 1 3\nGoal\nTILES\n2 1 0\nEnd\nGoal\nTILES\n1 0 2\nEnd:6'; do
        printf 'Name board\n%b\n' "${rows%%:*}" >board.puzzle
        counts=${rows#*:}
        "$gen" --dry-run board.puzzle | grep -qx "states      $counts"
        "$gen" --force board.puzzle
        [ "$("$fewest" show ./board.dtab | head -1)" = "# states $counts" ]
        "$fewest" stats ./board.dtab | grep -qx "states      ${counts%% *}"
        "$fewest" list -t . | grep -Eq "^board +${counts%% *} states "
        [ "$("$fewest" export ./board.dtab | tr -d '\377' | wc -c)" -eq "${counts%% *}" ]
        [ "${counts%% *}" -gt 100 ] || [ "$("$fewest" sample ./board.dtab -n 2000 --seed 1 | sort -u | wc -l)" -eq "${counts%% *}" ]
    done
}

@test "list: of many states and several goals the largest distance is not looked for" {
    {
        printf 'Name goals\nSet D 22 2\nSolved\nEnd\n'
        for goal in 0 1; do
            printf 'Goal\nD\n%s\n%s\nEnd\n' "$(seq -s ' ' 22)" "$(yes "$goal" | head -22 | tr '\n' ' ')"
        done
        for move in $(seq 22); do
            printf 'Move M%s\nD\n%s\n%s\nEnd\n' "$move" "$(seq -s ' ' 22)" \
                "$(for i in $(seq 22); do printf '%d ' $((i == move)); done)"
        done
    } >goals.puzzle
    mkdir tables
    "$gen" -o tables/goals.dtab goals.puzzle
    "$fewest" list -t tables | grep -Eq '^goals +4194304 states +[0-9]+ bytes +tables/goals.dtab$'
    answers 0 11 "$fewest" steps -t tables goals 1111111111100000000000
    answers 0 '1' "$fewest" steps -t tables goals 0000000000100000000000
}

@test "damage in a block names the file" {
    cp "$game" game.dtab
    printf 'x' | dd of=game.dtab bs=1 seek=$(($(stat -c %s game.dtab) - 3)) conv=notrunc status=none
    local status=0
    "$fewest" export ./game.dtab >out 2>stderr || status=$?
    "$fewest" batch ./game.dtab - <<<'123456789 98765432*' >out 2>>stderr || true
    answers 1 '' "$fewest" check game.dtab
    complains 'game.dtab: the block at byte'
    ! grep -q 'game.dtab.*game.dtab' stderr || return 1
    : >stderr
    for pattern in '987654321' '9*8*7*6*5' '*2*4*6*8*' '1*******9' '*********' '98*******' '12******3' '***456***'; do
        "$fewest" steps ./game.dtab 123456789 "$pattern" >out 2>>stderr || true
    done
    "$fewest" stats ./game.dtab >out 2>>stderr || true
    [ ! -s stderr ] || ! grep -v '^fewest: ./game.dtab: the block at byte' stderr
}

@test "a NUL byte is no blank" {
    printf '1234567\0008\n12345678\0\n123456780\n' >cases
    answers 2 $'error\nerror\n0' "$fewest" batch eight cases
    printf 'WWWWWWWWE WWWWWWWW\0\n' >cases
    answers 2 error "$fewest" batch cubic cases
    printf '1 2 3 4 5 6 7 8 \0\n' >in
    answers 2 '' "$fewest" judge poj1077 in
    complains "in:1: case 1: the board: cell 9: expected a number from 0 to 8, got '\\x00'"
    printf '1\n12345678\0 1234567\0008\n' >in
    answers 2 '' "$fewest" judge hdu3567 in
}

@test "judge: how long a word may be does not depend on where the reads fall" {
    local zeros
    for zeros in 65535 65536; do
        { head -c "$zeros" /dev/zero | tr '\0' 0; echo '1 2 3 4 5 6 7 8 x'; } >in
        { head -c 70000 /dev/zero | tr '\0' ' '; cat in; } >shifted
        { head -c 131071 /dev/zero | tr '\0' ' '; cat in; } >far
        for file in in shifted far; do
            if [ "$zeros" -eq 65535 ]; then # with the 1, the word has 65536 bytes
                answers 0 '' "$fewest" judge poj1077 "$file"
                answers 0 '' sh -c 'cat "$2" | "$1" judge poj1077' - "$fewest" "$file"
            else
                answers 2 '' "$fewest" judge poj1077 "$file"
                complains "$file:1: case 1: this word is longer than 65536 bytes"
                answers 2 '' sh -c 'cat "$2" | "$1" judge poj1077' - "$fewest" "$file"
            fi
        done
    done
}

@test "a batch or a judge that waits for input is ended by Ctrl-C" {
    mkfifo pipe
    for command in 'batch fifteen' 'batch -j 2 fifteen' 'judge fifteen' 'batch game'; do
        # shellcheck disable=SC2086 # words
        env --default-signal "$fewest" $command <pipe >out 2>stderr &
        local pid=$! status=0
        exec 7>pipe
        sleep 0.3
        kill -INT "$pid"
        for _ in $(seq 100); do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
        ! kill -KILL "$pid" 2>/dev/null || return 1
        wait "$pid" || status=$?
        exec 7>&-
        [ "$status" -eq 130 ]
        [ ! -s stderr ]
    done
}

@test "any START and TARGET: with pieces that look alike, a search answers if there are few states" {
    local i start target steps
    "$gen" --track '1 2 3' -o tracked.dtab "$SOURCE/tables/puzzles/game.puzzle"
    "$fewest" sample tracked.dtab -n 12 --seed 3 >states
    mapfile -t states <states
    for ((i = 0; i + 1 < ${#states[@]}; i++)); do
        start=${states[i]} target=${states[i + 1]}
        steps=$("$fewest" steps tracked.dtab "$start" "$target")
        # All moves can be undone, so the way back is as long; and the path leads there.
        [ "$("$fewest" steps tracked.dtab "$target" "$start")" -eq "$steps" ]
        "$fewest" path tracked.dtab "$start" "$target" >path
        [ "$(wc -w <path)" -eq "$steps" ]
        [ "$("$fewest" rank tracked.dtab --from "$start" --moves @path)" -eq "$("$fewest" rank tracked.dtab "$target")" ]
        [ "$("$fewest" parity tracked.dtab "$start" "$target")" = "reachable (in $steps move$([ "$steps" -eq 1 ] || echo s))" ]
    done
    answers 0 '' "$fewest" path tracked.dtab 412356789 412356789
    answers 0 $'1\n0' "$fewest" batch tracked.dtab - <<<$'412356789 124356789\n412356789 4*2******'
    answers 2 '' "$fewest" steps --limit 2 tracked.dtab 312456789 132456789
    complains 'at least 3 moves'
    # A table of more states, and arrangements without numbers.
    "$gen" --track '1 2 3 4 5 6 7' -o large.dtab "$SOURCE/tables/puzzles/loopover44.puzzle"
    answers 2 '' "$fewest" path large.dtab --moves R1 '1 2 3 4 5 6 8 7 9 9 9 9 9 9 9 9'
    complains 'neither START nor TARGET is the solved state, and a search from START to TARGET would go through up to 57657600 states; the limit is 10000000'
    answers 0 "R1'" "$fewest" path large.dtab --moves R1
    printf 'Name oneway\nSet X 6 1\nSet Y 4 1\nPowers none\nSolved\nX\n1 1 2 3 4 5\nEnd\n' >oneway.puzzle
    printf 'Move A\nX\n(1 2 3 4)\nY\n(1 2 3)\nEnd\nMove B\nX\n(1 2)(3 4)\nY\n(1 2 3 4)\nEnd\n' >>oneway.puzzle
    "$gen" -o oneway.dtab oneway.puzzle
    # Moves that can't be undone: from the solved state, and between others.
    scrambles_make_states oneway.dtab 10
    answers 0 B "$fewest" path oneway.dtab --moves A "$("$fewest" show oneway.dtab --moves 'A B' | tail -1)"
    answers 2 '' "$fewest" steps oneway.dtab 1123541234 1123542341
    complains "TARGET is not the solved state, no moves connect START with the solved state, and some moves can't be undone"
    answers 1 unreachable "$fewest" steps oneway.dtab 1123451234 1123541234
    complains 'no moves lead from START to TARGET'
    # Two sets in step have few states, but many arrangements.
    {
        printf 'Name many\nSet X 9 1\nSet Y 9 1\nSolved\nX\n1 1 2 3 4 5 6 7 8\nEnd\n'
        coupled_block 'Move A' '2 3 1 4 5 6 7 8 9'
    } >many.puzzle
    "$gen" -o many.dtab many.puzzle
    answers 2 '' "$fewest" steps many.dtab '112345687 123456789' '121345687 231456789'
    complains 'would go through up to 65840947200 arrangements; the limit is 10000000'
}

@test "on a terminal, a long search shows how much of it is done" {
    command -v script >/dev/null || skip
    echo "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1" >hard # 80 moves
    script -qec "'$fewest' steps -j2 fifteen @hard --time 3" /dev/null | tr '\r' '\n' >shown || true
    grep -Eq '^searching for [0-9]+ moves(, [0-9]+ % done)?, [0-9]+\.[0-9] million nodes a second(, about [0-9]+ s left)? *$' shown
    grep -Eq 'about [0-9]+ (s|min|h) left' shown
    grep -Eq '^fewest: at least [0-9]+ moves; stopped after 3 s$' shown
    "$fewest" steps fifteen @hard --time 2 2>shown || [ $? -eq 2 ]
    ! grep -q searching shown
}
