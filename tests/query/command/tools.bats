# Output for other programs (numbers, samples, JSON) and for people (boards, bars, plots).
load ../../tools/cli.bash

json() {
    python3 -c "import json, sys; $1" || return 1
}

@test "export: a byte a state in the order of their numbers, 255 where it can't be reached" {
    "$fewest" export game >distances.u8
    [ "$(wc -c <distances.u8)" -eq 362880 ]
    [ "$(tr -d '\377' <distances.u8 | wc -c)" -eq 181440 ]
    "$fewest" export flip >flip.u8
    [ "$(wc -c <flip.u8)" -eq 65536 ]
    for threads in 1 3; do
        "$fewest" export -j "$threads" flip | cmp - flip.u8
    done
    [ "$(tr -d '\377' <flip.u8 | wc -c)" -eq 4096 ]
    # Compare with the answer of `steps` for the state of each number.
    for number in 0 1 2 719 5040 181440 362879; do
        local byte state
        byte=$(od -An -tu1 -j "$number" -N 1 distances.u8 | tr -d ' ')
        state=$("$fewest" unrank game "$number")
        [ "$("$fewest" rank game "$state")" -eq "$number" ]
        local steps
        steps=$("$fewest" steps game "$state") || [ "$byte" -eq 255 ]
        [ "$byte" -eq 255 ] || [ "$byte" -eq "$steps" ]
    done
    for puzzle in seven dice slide222 fridge cubic; do # compare with the counts of `stats`
        "$fewest" export "$puzzle" | od -An -v -tu1 -w1 | sort -n | uniq -c |
            awk '$2 != 255 { print $2 "\t" $1 }' >counted
        "$fewest" stats --tsv "$puzzle" | cmp - counted
    done
    answers 2 '' "$fewest" export fifteen
    complains 'fifteen is solved by a search: its table holds no distances, which this needs'
    local status=0
    "$fewest" export game >/dev/full 2>stderr || status=$?
    [ "$status" -eq 4 ]
}

@test "rank and unrank: the first and the last number, and what is none" {
    answers 0 0 "$fewest" rank game 123456789
    answers 0 362879 "$fewest" rank game 987654321
    answers 0 0 "$fewest" rank game --moves ''
    answers 2 '' "$fewest" unrank game 362880
    complains 'the arrangements of game are numbered 0 to 362879'
    for bad in x -1 '' 18446744073709551616; do
        answers 2 '' "$fewest" unrank game "$bad"
    done
    answers 2 '' "$fewest" rank game '12345678*'
    complains 'cell 9 is a wildcard; only TARGET may have wildcards (the solved state of game is 123/456/789)'
}

@test "rank, unrank and show take a file of states or numbers, a line each" {
    seq 0 719 | "$fewest" unrank dice - >states
    [ "$(sort -u states | wc -l)" -eq 720 ]
    [ "$(sed -n 8p states)" = "$("$fewest" unrank dice 7)" ]
    "$fewest" rank dice @states | cmp - <(seq 0 719)
    "$fewest" rank dice - <states | cmp - <(seq 0 719)
    answers 2 "$(printf '123/456/798\nerror\n123/456/789')" sh -c 'printf "1\r\n5x\n0" | "$1" unrank game -' - "$fewest"
    complains "stdin:2: NUMBER: expected a number from 0 to 362879, got '5x'"
    answers 2 "$(printf 'error\n1')" sh -c 'printf "1\0\n123456798\n" | "$1" rank game -' - "$fewest"
    answers 2 "$(printf '123/456/789\nerror')" sh -c 'printf " 0 \n1 2\n" | "$1" unrank game -' - "$fewest"
    answers 4 '' "$fewest" rank game @nosuch
    complains 'nosuch: No such file or directory'
    sed -n 8,9p states | "$fewest" show dice - >shown
    { "$fewest" show dice "$(sed -n 8p states)" && "$fewest" show dice "$(sed -n 9p states)"; } | cmp - shown
}

@test "sample: lines for batch, of a distance if asked, the same for a seed" {
    "$fewest" sample game -n 1000 --distance 8 --seed 1 >cases
    [ "$(wc -l <cases)" -eq 1000 ]
    answers 0 8 sh -c '"$1" batch game cases | uniq' - "$fewest"
    [ "$(sort -u cases | wc -l)" -gt 500 ] # of 2475 states
    "$fewest" sample game -n 1000 --distance 8 --seed 1 | cmp - cases
    ! "$fewest" sample game -n 1000 --distance 8 --seed 2 | cmp -s - cases || return 1
    # More samples than states: each of the twelve comes about as often as the others.
    "$fewest" sample game -n 1200 --distance 1 --seed 3 | sort | uniq -c >often
    [ "$(wc -l <often)" -eq 12 ]
    awk '$1 < 60 || $1 > 140 { exit 1 }' often
    for puzzle in eight flip cubic dice; do
        "$fewest" sample "$puzzle" -n 50 --seed 1 >cases
        [ "$("$fewest" batch "$puzzle" cases | grep -cx '[0-9]*')" -eq 50 ]
    done
    "$fewest" sample fifteen -n 3 --seed 1 >cases
    [ "$("$fewest" batch --parity fifteen cases | grep -c '^reachable')" -eq 3 ]
    answers 0 '' "$fewest" sample game -n 0
    answers 2 '' "$fewest" sample game --distance 9
    grep -q -- '--distance: no state of game is at distance 9; the largest distance is 8' stderr
    answers 2 '' "$fewest" sample game -n x
    answers 2 '' "$fewest" sample fifteen --distance 3
}

@test "sample --random-moves makes states of any puzzle without a search, and --moves prints the moves" {
    # Its pattern database is so small that no search ends.
    { grep -v '^Database' "$SOURCE/tables/puzzles/cube.puzzle"; echo 'Database CORNERS 1 2'; } >cube.puzzle
    "$gen" cube.puzzle
    for puzzle in ./cube.dtab game eight flip magic fifteen; do
        "$fewest" sample "$puzzle" --random-moves 30 -n 20 --seed 5 >states
        "$fewest" sample "$puzzle" --random-moves 30 -n 20 --seed 5 --moves >moves
        [ "$(sort -u states | wc -l)" -gt 10 ]
        while read -r state && read -r moves <&3; do
            cmp <("$fewest" show "$puzzle" "$state") <("$fewest" show "$puzzle" --moves "$moves")
        done <states 3<moves
    done
    # No two moves in a row turn the same face, in any metric, or bring a blank back.
    "$gen" --quarter-turns cube.puzzle -o quarter.dtab
    for puzzle in ./cube.dtab ./quarter.dtab; do
        "$fewest" sample "$puzzle" --random-moves 100 -n 20 --seed 5 --moves >moves
        [ "$(awk 'NF == 100 { for (i = 2; i <= NF; i++) if (substr($i, 1, 1) == substr($(i - 1), 1, 1)) exit; n++ } END { print n }' moves)" -eq 20 ]
    done
    "$fewest" sample eight --random-moves 1000 --seed 5 --moves >moves
    ! grep -Eq 'ud|du|lr|rl' moves || return 1
    grep -q uu moves
    # Rolling cubes; and a board on which each way ends.
    for puzzle in cubic dice; do
        "$fewest" sample "$puzzle" --random-moves 6 -n 20 --seed 5 | "$fewest" batch "$puzzle" | grep -vx '[0-6]' >longer || true
        [ ! -s longer ]
    done
    printf 'Name line\nSlide 1 3\n' >line.puzzle
    "$gen" line.puzzle
    answers 0 llrrllrr "$fewest" sample ./line.dtab --random-moves 8 --moves
    answers 2 '' "$fewest" sample game --random-moves 3 --all
    grep -q -- '--random-moves makes states by moves; use it without --all, --distance and --matching' stderr
    answers 2 '' "$fewest" sample game --random-moves 1001
    grep -q -- "--random-moves: expected a number from 1 to 1000, got '1001'" stderr
}

@test "sample --moves tells after two seconds that its search can take hours, and what needs none" {
    { grep -v '^Database' "$SOURCE/tables/puzzles/cube.puzzle"; echo 'Database CORNERS 1 2'; } >cube.puzzle
    "$gen" cube.puzzle
    local status=0
    timeout --foreground --signal INT 6 "$fewest" sample ./cube.dtab --moves >out 2>stderr || status=$?
    [ ! -s out ]
    [ "$(grep -c 'can take hours; `--random-moves 30 --moves` needs no search' stderr)" -eq 1 ]
    grep -q 'at least [0-9]* moves; stopped$' stderr
    "$fewest" sample fifteen --moves -n 3 --seed 1 >out 2>stderr
    [ ! -s stderr ]
}

@test "sample --distance reads the table once for a few states, however rare" {
    "$gen" -o ring.dtab "$SOURCE/tests/data/topspin.tws"
    last=$("$fewest" stats --tsv ring.dtab | tail -1 | cut -f 1)
    for distance in 1 $((last - 1)) "$last"; do
        "$fewest" sample ring.dtab --distance "$distance" -n 30 --seed 5 >cases
        answers 0 "$distance" sh -c '"$1" batch ring.dtab cases | sort -u' - "$fewest"
        # In a table with a small cache, the same states are drawn.
        "$fewest" sample ring.dtab --cache 64K --distance "$distance" -n 30 --seed 5 | cmp - cases
    done
    # Several goals: an entry of the table is not the distance.
    "$fewest" sample flip --distance 5 -n 30 --seed 5 >cases
    answers 0 5 sh -c '"$1" batch flip cases | sort -u' - "$fewest"
}

# matches_as_filtered PUZZLE STATE: compares the commands that take --matching with a filter of all
# states. Each cell of the puzzle is one character.
matches_as_filtered() {
    local separators=' ,/' pattern=${2//\*/.}
    "$fewest" sample "$1" --all | tr -d "$separators" | grep -x "$pattern" | sort >expected
    "$fewest" sample "$1" --all --matching "$2" | tr -d "$separators" | sort | cmp - expected
    "$fewest" stats "$1" --tsv --matching "$2" | awk '$2 > 0' >counts
    "$fewest" batch "$1" expected | sort -n | uniq -c | awk '{ print $2 "\t" $1 }' | cmp - counts
    "$fewest" sample "$1" -n 50 --seed 3 --matching "$2" | tr -d "$separators" >drawn
    [ "$(wc -l <drawn)" -eq 50 ]
    sort -u drawn | comm -23 - expected | cmp - /dev/null
}

@test "stats, sample and export --matching take the states that match, as a filter of all states would" {
    matches_as_filtered game '123******'
    matches_as_filtered game '***5*****'
    matches_as_filtered eight '1*3*5*7**'
    matches_as_filtered eight '****0*678'
    matches_as_filtered seven '01******'
    matches_as_filtered magic '12**5***'
    matches_as_filtered flip 'bbbb********wwww'
    # Each entry is the distance to the nearest goal.
    printf '%s\n' 'Name beads' 'Set X 8 1' Solved X '1 1 1 1 2 2 2 3' End Goal X '3 2 2 2 1 1 1 1' End \
        'Move A' X '2 3 4 5 6 7 8 1' End 'Move B' X '2 1 3 4 5 6 7 8' End >beads.puzzle
    "$gen" beads.puzzle
    matches_as_filtered ./beads.dtab '1*2*****'
    matches_as_filtered ./beads.dtab '*****1**'
    # The distances of rolling cubes are those from the solved state.
    "$fewest" stats dice --tsv --matching '1*****' >counts
    "$fewest" sample dice --all --matching '1*****' | sed 's/^[^ ]* //' >found
    "$fewest" sample dice --all | sed 's/^[^ ]* //' | grep '^1' | sort | cmp - <(sort found)
    [ "$("$fewest" stats cubic --tsv --matching 'E********' | awk '{ n += $2 } END { print n }')" -eq 6561 ]
    [ "$("$fewest" sample cubic --all --matching 'E********' | sort -u | wc -l)" -eq 6561 ]
    # A byte for each arrangement, in the order of their numbers.
    for number in $(seq 0 719); do
        printf '%s ' "$number"
        "$fewest" unrank dice "$number"
    done | awk '$2 ~ /^1.*5$/ { print $1 + 1 }' >numbers
    "$fewest" export dice | od -An -v -tu1 -w1 | awk 'NR == FNR { take[$1] = 1; next } FNR in take' numbers - >expected
    [ "$(wc -l <expected)" -eq 24 ]
    "$fewest" export dice --matching '1****5' | od -An -v -tu1 -w1 | cmp - expected
    # --root and --matching
    "$fewest" stats eight --tsv --root 123456x78 --matching '12345678x' | awk '$2 > 0' >counts
    [ "$(cat counts)" = "$(printf '2\t1')" ]
}

@test "stages: the states that match a stage of a puzzle with pieces that look alike" {
    # The corners 1 to 3 are solved; then the pair of 4 and 5 follows.
    "$gen" -t '1-5' -o pair.dtab "$SOURCE/tests/data/2x2x2.tws"
    stage='123****000****'
    matches_as_filtered ./pair.dtab "$stage"
    [ "$(wc -l <expected)" -eq 108 ]
    matches_as_filtered ./pair.dtab '*****45*****11'
    "$fewest" sample pair.dtab --matching "$stage" --distance 9 --all >antipodes
    answers 0 9 sh -c '"$1" batch pair.dtab antipodes | uniq' - "$fewest"
    "$fewest" stats pair.dtab --tsv --matching "$stage" >counts
    [ "$(tail -1 counts)" = "$(printf '9\t%s' "$(wc -l <antipodes)")" ]
    printf '%s\n' "$stage" >stage
    "$fewest" stats pair.dtab --tsv --matching @stage | cmp - counts
}

@test "sample --all prints every state at a distance once, or moves that make it" {
    "$fewest" sample game --distance 8 --all | sort -u >antipodes
    [ "$(wc -l <antipodes)" -eq 2475 ]
    answers 0 8 sh -c '"$1" batch game antipodes | uniq' - "$fewest"
    "$fewest" sample game --distance 8 --all --moves | "$fewest" batch game --moves | uniq | grep -qx 8
    [ "$("$fewest" sample flip --distance 5 --all | wc -l)" -eq "$("$fewest" stats flip --tsv | sed -n 's/^5\t//p')" ]
    [ "$("$fewest" sample flip --all | sort -u | wc -l)" -eq "$("$fewest" stats flip --tsv | awk '{ n += $2 } END { print n }')" ]
    answers 2 '' "$fewest" sample game --all --distance 9
    answers 2 '' "$fewest" sample game --all -n 3
    grep -q 'use --all without --count and --seed' stderr
    answers 2 '' "$fewest" sample game --all --seed 3
    answers 2 '' "$fewest" sample fifteen --all
    complains 'fifteen is solved by a search: its table holds no distances, which this needs'
}

@test "--matching: what is wrong with STATE, and what can't match, is said" {
    for command in stats sample; do
        answers 2 '' "$fewest" $command game --matching '123456798'
        complains '--matching: no state of game that can be reached matches'
    done
    for command in stats sample 'export'; do
        answers 2 '' sh -c '"$1" "$2" game --matching "12345678n" | cat; exit 2' - "$fewest" "$command"
        complains "--matching: cell 9: expected a number from 1 to 9 or '*', got 'n'"
        answers 2 '' sh -c '"$1" "$2" game --matching "1*" | cat; exit 2' - "$fewest" "$command"
        complains '--matching has 2 cells; game needs 9'
        answers 2 '' sh -c '"$1" "$2" game --matching "11*******" | cat; exit 2' - "$fewest" "$command"
        answers 2 '' sh -c '"$1" "$2" fifteen --matching "1 * * * * * * * * * * * * * * *" | cat; exit 2' - "$fewest" "$command"
        complains 'fifteen is solved by a search'
        answers 2 '' sh -c '"$1" "$2" game --matching @nosuch | cat; exit 2' - "$fewest" "$command"
        complains 'nosuch: No such file or directory'
    done
    answers 2 '' "$fewest" sample game --matching '123******' --distance 9
    grep -q -- '--distance: no state of game that matches is at distance 9; the largest distance is 8' stderr
}

# shown_until_interrupted COMMAND…: runs a long command of `fewest` on a terminal, and ends it by
# Ctrl-C. Keeps in `shown` what the terminal shows.
shown_until_interrupted() {
    rm -f pid shown # the loop below must not find what the last command showed
    # shellcheck disable=SC2016 # sh expands it
    printf 'echo $$ >pid; exec env --default-signal "%s" %s\n' "$fewest" "$*" >run
    script -qec "sh run" /dev/null </dev/null >shown &
    local running=$!
    for _ in $(seq 300); do
        ! grep -qs '% \.\.\.' shown || break
        sleep 0.1
    done
    kill -INT "$(cat pid)"
    ! wait "$running" || return 1
}

@test "long work on all states is shown on a terminal, and Ctrl-C ends it" {
    command -v script >/dev/null || skip
    "$gen" -o 2x2x2.dtab "$SOURCE/tests/data/2x2x2.tws"
    shown_until_interrupted "sample game -n 1000000000 >/dev/null"
    grep -Eq 'printing states: [0-9]+ % \.\.\. about [0-9]+ (s|min) left' shown
    grep -q 'fewest: stopped while printing states' shown
    shown_until_interrupted "check --deep fifteen fifteen"
    grep -q 'rule [0-9]* of section [^ ]*: [0-9]* % \.\.\. ' shown
    [ "$(grep -c 'fewest: fifteen: stopped after [0-9]* % of rule [0-9]* of section' shown)" -eq 1 ]
    shown_until_interrupted "export 2x2x2.dtab >out"
    grep -q 'the arrangements: [0-9]* % \.\.\. ' shown
    # Not a terminal: nothing is shown.
    answers 0 '' sh -c '"$1" sample game -n 2000000 >/dev/null' - "$fewest"
    [ ! -s stderr ]
}

@test "JSON: one object, which other programs can read" {
    command -v python3 >/dev/null || skip
    "$fewest" steps --json game 123456789 '8*95372**' |
        json 'd = json.load(sys.stdin); assert d == dict(puzzle="game", start="123/456/789", target="8*9/537/2**", steps=7), d'
    "$fewest" path --json game 312456789 |
        json 'd = json.load(sys.stdin); assert d["moves"] == ["R1\x27"] and d["steps"] == 1 and d["target"] is None, d'
    { "$fewest" path --json game 123456798 || true; } |
        json 'd = json.load(sys.stdin); assert d["moves"] is None and d["steps"] is None, d'
    { "$fewest" parity --json game 123456798 || true; } |
        json 'd = json.load(sys.stdin); assert d["reachable"] is False and "odd" in d["reason"], d'
    "$fewest" stats --json game |
        json 'd = json.load(sys.stdin); assert sum(d["counts"]) == d["states"] == d["reachable"] == 181440 and d["largest"] == 8, d'
    answers 0 8 sh -c '"$1" steps game 123456789 "$2"' - "$fewest" \
        "$("$fewest" stats --json game | json 'print(json.load(sys.stdin)["farthest"])')"
    answers 2 '' "$fewest" parity --json 4x4 0
    printf 'Name odd\nSet A 2 2\nLetters A " \\\nSolved\nEnd\nMove "\\\nA\n1 2\n1 0\nEnd\n' >odd.puzzle
    "$gen" odd.puzzle
    "$fewest" path --json ./odd.dtab '\"' |
        json 'd = json.load(sys.stdin); assert d["moves"] == ["\"\\"], d'
}

@test "show draws boards, in the lines of the environment's character set" {
    answers 0 '+---+---+---+
| 1 | 2 | 3 |
+---+---+---+
| 4 | 5 | 6 |
+---+---+---+
| 7 | 8 | 9 |
+---+---+---+' env LC_ALL=C "$fewest" show game 123456789
    LC_ALL=C.UTF-8 "$fewest" show fifteen '15 14 1 6 9 11 4 12 0 10 7 3 13 8 5 2' >out
    [ "$(head -2 out)" = '┌────┬────┬────┬────┐
│ 15 │ 14 │  1 │  6 │' ]
    [ "$(wc -l <out)" -eq 9 ]
    [ "$(LC_ALL=C "$fewest" show slide222 12345670 | grep -c '^$')" -eq 1 ] # two layers
    answers 0 '    +---+
    | 6 |
+---+---+---+---+
| 3 | 2 | 4 | 1 |
+---+---+---+---+
    | 5 |
    +---+' env LC_ALL=C "$fewest" show dice 213456
    answers 0 '    ┌───┐
    │ 6 │
┌───┼───┼───┬───┐
│ 3 │ 1 │ 4 │ 2 │
└───┼───┼───┴───┘
    │ 5 │
    └───┘' env LC_ALL=C.UTF-8 "$fewest" show dice --moves ''
    answers 0 '+---+---+---+---+
| 1 | 7 | 2 | 4 |
+---+---+---+---+
| 8 | 6 | 3 | 5 |
+---+---+---+---+' env LC_ALL=C "$fewest" show magic --moves C
    answers 0 1724/8635 "$fewest" unrank magic "$("$fewest" rank magic --moves C)"
    answers 0 213456 "$fewest" unrank dice "$("$fewest" rank dice 213456)" # typed in the order of the slots
    # A board with holes: apart, at the ends of lines, and with a corner in common.
    printf 'Name holes\nSet X 5 1\nSet Y 12 1\nBoard 3 7 1 . 2 . . 3 . . 4 . . 6 . 5 7 8 9 . 10 11 12\nSolved\nX\n5 4 3 2 1\nEnd\n' >holes.puzzle
    printf 'Move A\nX\n(1 2)\nEnd\nMove B\nX\n(1 2 3 4 5)\nY\n(1 2 3 4 5 6 7)\nEnd\n' >>holes.puzzle
    sed -i 's/^Set Y 12 1/Set Y 7 1/' holes.puzzle
    "$gen" -o holes.dtab holes.puzzle
    answers 0 '┌───┐   ┌───┐       ┌───┐
│ 5 │   │ 4 │       │ 3 │
└───┼───┼───┘   ┌───┼───┼───┐
    │ 2 │       │ 1 │   │ 1 │
┌───┼───┼───┐   ├───┼───┼───┤
│ 2 │ 3 │ 4 │   │ 5 │ 6 │ 7 │
└───┴───┴───┘   └───┴───┴───┘' env LC_ALL=C.UTF-8 "$fewest" show holes.dtab --moves ''
    answers 0 "$(LC_ALL=C "$fewest" show eight 12345x786)
d
$(LC_ALL=C "$fewest" show eight 12345678x)" env LC_ALL=C "$fewest" path --show eight 12345x786
    # The start tells how every cube lies, so each board of a path is known.
    answers 0 'W W E|W W W|W W W|l|W E B|W W W|W W W|d|W R B|W E W|W W W|' sh -c \
        'LC_ALL=C "$1" path --show cubic WWEWWWWWW WRBWEWWWW | grep -v "^+" | tr -d "|" | sed "s/^ *//; s/ *$//; s/   */ /g" | tr "\n" "|"' - "$fewest"
    # Without a board, show names the sets. Its last line is the state as it is typed.
    "$gen" -o 2x2x2.dtab "$SOURCE/tests/data/2x2x2.tws"
    answers 0 'CORNERS pieces: 2 5 3 1 6 4 7
CORNERS orientations: 2 1 0 1 2 0 0

25316472101200' "$fewest" show 2x2x2.dtab '2 5 3 1 6 4 7 2 1 0 1 2 0 0'
    printf 'Name three\nSet A 3 1\nSet LAMP 2 2\nSet FIXED 3 1\nSet B 2 1\nLetters B x y\nSolved\nEnd\n' >three.puzzle
    printf 'Move M\nA\n(1 2)\nLAMP\n1 2\n1 0\nEnd\nMove N\nA\n(2 3)\nB\n(1 2)\nEnd\n' >>three.puzzle
    "$gen" -o three.dtab three.puzzle
    answers 0 'A pieces: 2 1 3
LAMP orientations: 1 0
B pieces: x y

21310xy' "$fewest" show three.dtab --moves M
    printf 'Name one\nSet A 3 1\nSolved\nEnd\nMove M\nA\n(1 2 3)\nEnd\n' >one.puzzle
    "$gen" -o one.dtab one.puzzle
    answers 0 312 "$fewest" show one.dtab --moves M # there is nothing to tell apart
    answers 1 unreachable "$fewest" path --show game 123456798
    answers 2 '' "$fewest" show game 1
    # Without a state it prints the number of states, as a comment, and the definition.
    [ "$("$fewest" show game | head -1)" = '# states 181440' ]
    "$fewest" show game | tail -n +2 | cmp - "$SOURCE/tables/puzzles/game.puzzle"
}

@test "stats: bars in a terminal, as wide as it is, in colour if it is wanted" {
    "$fewest" stats game >plain
    ! grep -q '#' plain || return 1
    COLUMNS=60 LC_ALL=C "$fewest" stats --bars game >bars
    [ "$(awk '{ if (length > most) most = length } END { print most }' bars)" -eq 59 ]
    grep -Eq '^ +6 +89497 +49\.3259 %  #{25}$' bars
    sed -E 's/  #*$//' bars | cmp - plain
    ! grep -q $'\e' bars || return 1
    command -v script >/dev/null || skip
    LC_ALL=C.UTF-8 script -qec "'$fewest' stats game" /dev/null </dev/null >seen
    grep -q $'\e\\[34m' seen
    grep -q '█' seen
    NO_COLOR=1 LC_ALL=C.UTF-8 script -qec "'$fewest' stats game" /dev/null </dev/null >seen
    ! grep -q $'\e' seen || return 1
}

@test "stats --svg writes a plot that stands by itself" {
    "$fewest" stats game --svg game.svg
    "$fewest" stats game --svg - | cmp - game.svg
    [ "$(grep -c '<rect' game.svg)" -eq 9 ]
    grep -q '<title>6: 89497</title>' game.svg
    grep -q 'prefers-color-scheme:dark' game.svg
    ! grep -q 'href\|url(\|@import' game.svg || return 1
    command -v python3 >/dev/null || skip
    python3 -c 'import sys, xml.etree.ElementTree as e; e.parse("game.svg")'
    answers 4 '' "$fewest" stats game --svg missing/game.svg
    "$fewest" stats game --svg - --log >log.svg
    python3 -c 'import sys, xml.etree.ElementTree as e; e.parse("log.svg")'
    grep -q 'logarithmic scale' log.svg
    ! grep -q 'logarithmic scale' game.svg || return 1
    answers 2 '' "$fewest" stats game --log
    [ "$(head -1 stderr)" = 'fewest: --log needs --svg FILE' ]
}

@test "stats --svg leaves no part of a plot on a full disk" {
    mkdir disk
    unshare -rm sh -c 'mount -t tmpfs -o size=4k none disk' 2>/dev/null || skip 'nothing may be mounted here'
    answers 4 other unshare -rm sh -c 'mount -t tmpfs -o size=4k none disk && echo full >disk/other || exit 99
        "$1" stats game --svg disk/game.svg; status=$?; ls -A disk; exit "$status"' - "$fewest"
    complains 'fewest: disk/game.svg: No space left on device'
    answers 4 '' "$fewest" stats game --svg /dev/full
    [ -c /dev/full ]
}

@test "what is misspelt is guessed, and what is missing is named with what to do" {
    answers 2 '' "$fewest" stpes game 123456789
    grep -q "unknown command 'stpes'; did you mean 'steps'?" stderr
    answers 3 '' "$fewest" steps gmae 123456789
    complains "did you mean 'game'?"
    answers 3 '' "$fewest" batch gane
    complains "did you mean 'game'?"
    answers 2 '' "$fewest" judge uestc48
    grep -q "did you mean 'uestc485'?" stderr
    answers 3 '' "$fewest" steps zzzzzz 123456789
    complains '`fewest list` lists the tables, fewest-gen makes new ones'
    cp "$game" mine.dtab
    answers 3 '' "$fewest" steps mine 123456789
    complains 'to use the file in this folder, type ./mine.dtab'
    answers 0 0 "$fewest" steps ./mine.dtab 123456789
    answers 3 '' "$fewest" steps game.dtab 123456789
    complains 'to look for the table in all folders, type game'
    cp "$SOURCE/tables/puzzles/game.puzzle" .
    answers 3 '' "$fewest" steps game.puzzle 123456789
    complains 'game.puzzle is a definition: `fewest-gen game.puzzle` makes its table'
    answers 3 '' "$fewest" check .
    complains '. is a folder: --tables DIR looks for tables in a folder'
    cp "$game" any
    answers 3 '' "$fewest" steps any 123456789
    complains 'type ./any'
    answers 0 0 "$fewest" steps ./any 123456789
    answers 2 '' "$fewest" steps game 12345678
    complains '(the solved state of game is 123/456/789)'
}

@test "a batch in pieces, put together, is the batch in one" {
    "$fewest" sample game -n 2000 --seed 5 >cases
    "$fewest" batch game cases >whole
    split -l 300 cases piece.
    for piece in piece.*; do
        "$fewest" batch game <"$piece"
    done | cmp - whole
    command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q GNU || skip
    parallel --will-cite --pipe -N 100 -k -j 4 "$fewest" batch game <cases | cmp - whole
}

@test "batch --moves answers a scramble a line, as steps --moves does" {
    printf 'R1\nR1 C2 R1\n\nR1,C2\r\nR1 Z\nC2 C2 C1' >scrambles
    answers 2 $'1\n3\n0\n2\nerror\n2' "$fewest" batch game --moves scrambles
    complains "scrambles:5: unknown move 'Z'; the moves of game are"
    answers 2 $'R1\'\nR1\' C2\' R1\'\n\nC2\' R1\'\nerror\nC1\' C2' "$fewest" batch --moves --path game - <scrambles
    answers 0 'reachable (in 1 move)' \
        "$fewest" batch -m --parity game - <<<R1
    answers 0 $'2\n3' "$fewest" batch --moves fifteen -j 2 - <<<$'ul\nuul'
    answers 2 error "$fewest" batch --moves cubic - <<<d
    complains "stdin:1: moves can't be applied to rolling cubes"
    answers 2 '' "$fewest" batch 3x3 --parity --moves
    grep -q 'a bare board such as 3x3 takes no --moves' stderr
    answers 2 '' "$fewest" batch game --from 123456789
    grep -q '`fewest batch` does not take --from' stderr
}

@test "--moves - and --moves @FILE read one scramble, and name the line of a bad move" {
    printf 'R1 C2\n\nR1\n' >scramble
    answers 0 3 "$fewest" steps game --moves @scramble
    answers 0 "R1' C2' R1'" "$fewest" path game --moves - <scramble
    answers 0 "$("$fewest" rank game --moves 'R1 C2 R1')" "$fewest" rank game --moves @scramble
    echo 312456789 >start
    answers 0 "$("$fewest" steps game --from 312456789 --moves 'R1 C2 R1')" \
        "$fewest" steps game --from @start --moves - <scramble
    for bad in 1 2 3 4 5; do
        for line in 1 2 3 4 5; do
            [ "$line" -eq "$bad" ] && echo 'C1 Q C1' || echo 'R1 C2'
        done >scramble
        answers 2 '' "$fewest" steps game --moves @scramble
        complains "fewest: scramble:$bad: --moves: unknown move 'Q'"
        answers 2 '' "$fewest" show game --moves - <scramble
        complains "fewest: stdin:$bad: --moves: unknown move 'Q'"
    done
    answers 2 '' "$fewest" steps game --moves - --from - <scramble
    grep -q '`-` can be used only once' stderr
    answers 2 '' "$fewest" steps game --moves - - <scramble
    grep -q '`-` can be used only once' stderr
    answers 4 '' "$fewest" steps game --moves @missing
    complains 'missing: No such file'
    answers 2 '' "$fewest" steps game --moves
    grep -q -- '--moves needs an argument' stderr
}

# count_moves MOVES: names of one letter stand without spaces.
count_moves() {
    [[ $1 == *[[:space:][:digit:]\']* ]] && wc -w <<<"$1" || printf '%s\n' "${#1}"
}

@test "sample, rank and unrank print shortest moves that make a state, for a table and for a search" {
    local i puzzle moves state
    "$gen" --track '1 2 3' -o tracked.dtab "$SOURCE/tables/puzzles/game.puzzle"
    "$gen" -o searched.dtab --database 'CORNERS 1 2 3' --database 'CORNERS 4 5' "$SOURCE/tests/data/2x2x2.tws"
    for puzzle in game eight seven flip fridge dice magic slide222 tracked.dtab; do
        scrambles_make_states $puzzle 10
        # No shorter sequence makes the state.
        while read -r moves && read -r state <&3; do
            [ "$("$fewest" steps $puzzle --moves '' -- "$state")" -eq "$(count_moves "$moves")" ]
        done < <("$fewest" sample $puzzle -n 5 --seed 9 --moves) 3< <("$fewest" sample $puzzle -n 5 --seed 9)
    done
    for puzzle in fifteen searched.dtab; do # nothing numbers their arrangements, or has no need to
        "$fewest" sample $puzzle -n 3 --seed 2 >states
        "$fewest" sample $puzzle -n 3 --seed 2 --moves >scrambles
        "$fewest" batch $puzzle states | cmp - <("$fewest" batch $puzzle --moves scrambles)
        while read -r state && read -r moves <&3; do
            [ "$("$fewest" rank $puzzle "$state")" -eq "$("$fewest" rank $puzzle --moves "$moves")" ]
        done <states 3<scrambles
    done
    # The blank of a rolling board goes to another cell: the moves of a path.
    answers 0 "$("$fewest" path cubic WWWWEWWWW RRBBWEBBR)" "$fewest" rank cubic RRBBWEBBR --moves
    answers 1 unreachable "$fewest" rank game 123456798 --moves
    answers 0 "R1'" "$fewest" rank game --moves 'R1 R1' --moves
    answers 0 unreachable "$fewest" rank game - --moves <<<123456798
    answers 2 '' "$fewest" sample game --moves R1
    grep -q 'too many operands' stderr
    answers 2 '' "$fewest" rank game 12345679 --moves
    complains 'STATE has 8 cells; game needs 9'
}

@test "large numbers are those of Python, up to the digits of 4096! times 127^4096" {
    command -v python3 >/dev/null || skip
    python3 - >operations <<'END'
import random
random.seed(1)
factors = []
for n in range(1, 4097):
    print("*", n)
    print("*", 127)
    factors += [n, 127]
    if n % 3 == 0:
        print("/", factors.pop(random.randrange(len(factors))))
for n in (1, 10, 999999999, 1000000000, 4294967295):
    print("*", n)
    print("/", n)
END
    "$BUILD/tests/large_tool" <operations >ours
    python3 - >right <<'END'
import sys
getattr(sys, "set_int_max_str_digits", lambda digits: None)(0)
number = 1
for line in open("operations"):
    operator, operand = line.split()
    number = number * int(operand) if operator == "*" else number // int(operand)
    print(number)
END
    cmp ours right
    printf '* 4294967295\n%.0s' $(seq 2500) | "$BUILD/tests/large_tool" >ours # too many digits
    [ -n "$(sed -n 2400p ours)" ]
    [ -z "$(tail -n 1 ours)" ]
}
