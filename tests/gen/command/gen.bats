# The `fewest-gen` command: it makes whole tables from definitions, or none.
load ../../tools/cli.bash

@test "the shipped table is what the definition makes, on any number of threads" {
    for threads in 1 2 5; do
        answers 0 '' "$gen" -j "$threads" --name game -o "g$threads.dtab" "$SOURCE/tables/puzzles/game.puzzle"
        [ ! -s stderr ]
        cmp "g$threads.dtab" "$game"
    done
}

@test "without -o the table is NAME.dtab in the current folder" {
    answers 0 '' "$gen" "$SOURCE/tables/puzzles/game.puzzle"
    cmp game.dtab "$game"
    [ "$(ls -A | grep -vc stderr)" -eq 1 ]
}

# await_layer LAYER: waits until the generator has found this layer. Its progress goes to the file
# `told`, which must not exist before the generator starts.
await_layer() {
    for _ in $(seq 600); do
        ! grep -qs "layer $1:" told || return 0
        sleep 0.05
    done
    return 1
}

@test "-v prints a line for each layer, and what was made" {
    answers 0 '' "$gen" -v "$SOURCE/tables/puzzles/game.puzzle"
    [ "$(wc -l <stderr)" -eq 11 ]
    [ "$(tail -1 stderr)" = "game.dtab: table written; try \`fewest stats game.dtab\`" ]
    "$gen" -v "$SOURCE/tables/puzzles/eight.puzzle" 2>eight
    grep -q 'eight.puzzle: root 2 of 3, layer 31: 2 states, total 181440 (100.0 %), [0-9]* states/s, [0-9.]* s$' eight
    [ "$(tail -1 eight)" = "eight.dtab: table written; try \`fewest stats eight.dtab\`" ]
    "$gen" -v -o 'a b.dtab' "$SOURCE/tables/puzzles/magic.puzzle" 2>odd
    [ "$(tail -1 odd)" = 'a b.dtab: table written' ]
    "$gen" -v -o other "$SOURCE/tables/puzzles/magic.puzzle" 2>odd
    [ "$(tail -1 odd)" = 'other: table written' ]
    grep -Eq 'game.puzzle: 181440 states; the search needs [0-9]+ [KM]iB of memory, and at most [0-9]+ KiB of disk$' stderr
    grep -q 'game.puzzle: layer 0: 1 state, ' stderr
    grep -q 'game.puzzle: layer 5: 28674 states, total 34727 (19.1 %), [0-9]* states/s, [0-9.]* s$' stderr
}

@test "--log appends the lines of progress to a file, and nothing to stderr" {
    answers 0 '' "$gen" --log log "$SOURCE/tables/puzzles/game.puzzle"
    [ ! -s stderr ]
    [ "$(wc -l <log)" -eq 11 ]
    [ "$(grep -c 'game.puzzle: layer [0-9]*: [0-9]* states*, total [0-9]* ([0-9.]* %), [0-9]* states/s, [0-9.]* s$' log)" -eq 9 ]
    [ "$(grep -c 'layer 8: 2475 states, total 181440 (100.0 %)' log)" -eq 1 ]
    answers 0 '' "$gen" -v --log=log "$SOURCE/tables/puzzles/game.puzzle"
    [ "$(wc -l <log)" -eq 22 ]
    cmp <(tail -11 log) stderr
    # The error that ends a run is there, too.
    env --default-signal "$gen" -j 1 --log log -o fifteen.dtab "$SOURCE/tables/puzzles/fifteen.puzzle" 2>/dev/null &
    for _ in $(seq 600); do
        ! grep -q 'fifteen.puzzle: .*layer 5:' log || break
        sleep 0.05
    done
    kill -INT $!
    wait $! || true
    tail -1 log | grep -q '^stopped while searching layer [0-9]*; no table was made$'
    # A dry run has no progress.
    "$gen" --dry-run --log other "$SOURCE/tables/puzzles/game.puzzle"
    [ ! -e other ]
}

@test "a log that can't be written, or that would damage another file, is refused" {
    cp "$SOURCE/tables/puzzles/game.puzzle" own.puzzle
    cp "$game" game.dtab
    for log in "own.puzzle definition" "game.dtab table" "./game.dtab table" "saved checkpoint"; do
        answers 2 '' "$gen" --log "${log% *}" --checkpoint saved own.puzzle
        complains "${log% *}: the log and the ${log#* } can't be one file; use another name for --log"
    done
    cmp own.puzzle "$SOURCE/tables/puzzles/game.puzzle"
    cmp game.dtab "$game"
    answers 2 '' "$gen" --log new.dtab -o new.dtab own.puzzle
    complains 'new.dtab: the log and the table'
    answers 4 '' "$gen" --log nowhere/log own.puzzle
    complains "nowhere/log: can't write this log: No such file or directory"
    answers 2 '' "$gen" --suggest --log log own.puzzle
    grep -q -- '--suggest and --log exclude each other' stderr
    answers 2 '' "$gen" own.puzzle --log
    [ ! -e log ]
    # A disk that is full ends the log, but not the run.
    [ ! -w /dev/full ] || answers 0 '' "$gen" --log /dev/full -o full.dtab own.puzzle
    [ ! -w /dev/full ] || complains "warning: /dev/full: can't write this log any more, but the run continues: No space left on device"
}

@test "a puzzle with one move removed is another puzzle: nothing is compiled in" {
    sed '/^Move C3/,/^End/d' "$SOURCE/tables/puzzles/game.puzzle" >game.puzzle
    answers 0 '' "$gen" game.puzzle
    "$fewest" stats --tsv ./game.dtab >fewer
    "$fewest" stats --tsv "$game" >all
    ! cmp -s fewer all || return 1
    proves ./game.dtab
}

@test "quarter turns are another metric, and stand in the table" {
    printf 'Name ring\nSet X 5 1\nSolved\nEnd\nMove R\nX\n2 3 4 5 1\nEnd\n' >ring.puzzle
    "$gen" ring.puzzle
    answers 0 $'0\t1\n1\t4' "$fewest" stats --tsv ./ring.dtab
    "$gen" --quarter-turns ring.puzzle
    answers 0 $'0\t1\n1\t2\n2\t2' "$fewest" stats --tsv ./ring.dtab
    answers 0 "R R" "$fewest" path ./ring.dtab 45123
}

@test "a malformed definition is named with its file and line, and leaves nothing behind" {
    printf 'Name x\nSet X 3 1\nSolved\nX\n1 2 2 2\nEnd\n' >bad.puzzle
    answers 2 '' "$gen" bad.puzzle
    complains 'bad.puzzle: line 5: expected 3 numbers, one for each piece of set X, got 4'
    answers 4 '' "$gen" missing.puzzle
    complains "missing.puzzle: can't read this definition: No such file"
    answers 4 '' "$gen" .
    complains ".: can't read this definition: Is a directory"
    head -c 2000000 /dev/zero >zeros.puzzle
    answers 2 '' "$gen" zeros.puzzle
    [ "$(ls -A)" = "$(printf 'bad.puzzle\nstderr\nzeros.puzzle')" ]
}

@test "usage" {
    for arguments in '' 'a b' '-j 0 x' '-j 65 x' '-j 1x x' '-j x' '--nonsense' '-o'; do
        # shellcheck disable=SC2086 # words
        ends 2 "$gen" $arguments
        [ -s stderr ]
    done
}

@test "a table that can't be written is status 4, and the old one stays" {
    mkdir folder
    answers 4 '' "$gen" -o folder "$SOURCE/tables/puzzles/game.puzzle"
    complains "folder: can't replace a folder; use the name of a file"
    answers 4 '' "$gen" -o missing/game.dtab "$SOURCE/tables/puzzles/game.puzzle"
    complains "missing/game.dtab: can't make a file in its folder: No such file"
    answers 4 '' "$gen" -o /dev/null "$SOURCE/tables/puzzles/game.puzzle"
    complains "/dev/null: can't replace a device"
    [ -c /dev/null ]
    printf 'the old one' >game.dtab
    local status=0
    (ulimit -f 8 && exec "$gen" --force -o game.dtab "$SOURCE/tables/puzzles/game.puzzle") 2>stderr || status=$?
    [ "$status" -eq 4 ]
    [ "$(cat game.dtab)" = 'the old one' ]
    [ "$(ls -A | wc -l)" -eq 3 ]
}

@test "a link to a table stays a link, and a table is as readable as any new file" {
    umask 022
    mkdir real
    printf old >real/game.dtab
    ln -s real/game.dtab link.dtab
    "$gen" --force --name game -o link.dtab "$SOURCE/tables/puzzles/game.puzzle"
    [ -L link.dtab ]
    cmp real/game.dtab "$game"
    [ "$(stat -c %a real/game.dtab)" = 644 ]
    printf old >private.dtab
    chmod 600 private.dtab
    "$gen" --force -o private.dtab "$SOURCE/tables/puzzles/game.puzzle"
    [ "$(stat -c %a private.dtab)" = 644 ]
    ln -s nothing dangling.dtab
    answers 4 '' "$gen" -o dangling.dtab "$SOURCE/tables/puzzles/game.puzzle"
    complains 'dangling.dtab: this link leads to no file; remove it or use another name'
    [ -L dangling.dtab ]
}

@test "the file of the table names the puzzle, and fewest finds it by that name" {
    mkdir mine
    answers 0 '' "$gen" -o mine/eins.dtab "$SOURCE/tests/data/topspin.tws"
    answers 0 0 "$fewest" steps --tables mine eins 123456789
    # A generic name, or none, gives way to that of the definition's file.
    sed 's/^Name .*/ \tName  PuzzleGeometryPuzzle /' "$SOURCE/tests/data/topspin.tws" >spin.9.tws
    sed '/^Name/d' "$SOURCE/tests/data/topspin.tws" >nameless
    answers 0 '' "$gen" spin.9.tws
    answers 0 '' "$gen" --track 1-3 nameless
    answers 0 0 "$fewest" steps --tables . spin.9 123456789
    answers 0 0 "$fewest" steps --tables . nameless 123456789
    # The name in the definition stays if it says something, or if the file's can be no name.
    answers 0 '' "$gen" "$SOURCE/tests/data/topspin.tws"
    answers 0 '' "$gen" -o 'no name.dtab' "$SOURCE/tests/data/topspin.tws"
    cmp topspin.dtab 'no name.dtab'
    cp nameless 'no name.tws'
    answers 0 '' "$gen" 'no name.tws'
    answers 0 0 "$fewest" steps --tables . Unnamed 123456789
    # Behind a byte order mark, too.
    printf '\xEF\xBB\xBF' | cat - <(sed /^#/d "$SOURCE/tests/data/topspin.tws") >marked.tws
    answers 0 '' "$gen" -o marked.dtab marked.tws
    answers 0 0 "$fewest" steps --tables . marked 123456789
    # The definition in the table has the name in its own place, and else at its end.
    "$fewest" show mine/eins.dtab | grep -qx 'Name eins'
    "$fewest" show spin.9.dtab | grep -q $'^ \tName  spin.9 $'
    [ "$("$fewest" show nameless.dtab | tail -2)" = $'Track 1-3\nName nameless' ]
}

@test "--name names the puzzle, before -o and the definition do" {
    answers 0 '' "$gen" --name zwei "$SOURCE/tests/data/topspin.tws"
    answers 0 0 "$fewest" steps --tables . zwei 123456789
    answers 0 '' "$gen" --name zwei -o drei.dtab "$SOURCE/tests/data/topspin.tws"
    cmp zwei.dtab drei.dtab
    answers 3 '' "$fewest" steps --tables . drei 123456789
    "$gen" --dry-run --name vier "$SOURCE/tables/puzzles/eight.puzzle" | grep -qx 'puzzle      vier'
    for name in '' 'a b' $'\xe9' "$(printf '%064d' 0)"; do
        answers 2 '' "$gen" --name "$name" "$SOURCE/tests/data/topspin.tws"
        grep -q -- '--name: expected 1 to 63 printable ASCII characters without a space, got ' stderr
    done
    answers 2 '' "$gen" --name a/b "$SOURCE/tests/data/topspin.tws"
    complains "the puzzle's name, a/b, can't be the name of a file; use -o FILE"
    # A wrong definition keeps its line numbers, even if it gets a name.
    printf 'Set X 3 1\nSolved\nX\n1 2 2\n' >bad.puzzle
    answers 2 '' "$gen" --name bad bad.puzzle
    complains 'bad.puzzle: line 2: this block has no `End` before the text ends'
    printf 'Set Name 3 1\nSolved\nName\n1 2 3\nEnd\nMove A\nName\n2 1 3\nEnd\n' >set.puzzle
    answers 0 '' "$gen" --name set set.puzzle # a set may be called Name
    answers 0 1 "$fewest" steps set.dtab 213
}

@test "another puzzle's table, or a file that is no table, is replaced with --force only" {
    "$gen" -o x.dtab "$SOURCE/tests/data/topspin.tws"
    cp x.dtab old
    local other=', x, with other sets; use another name, or --force to replace it'
    answers 2 '' "$gen" -o x.dtab "$SOURCE/tests/data/skewb.tws"
    complains "x.dtab: this is the table of another puzzle$other"
    answers 2 '' "$gen" -o x.dtab "$SOURCE/tables/puzzles/eight.puzzle"
    complains "x.dtab: this is the table of another puzzle$other"
    sed '/^Move L/,/^End/d' "$SOURCE/tests/data/topspin.tws" >fewer.tws
    answers 2 '' "$gen" -o x.dtab fewer.tws
    complains "this is the table of another puzzle, x, with other moves; use another name, or --force to replace it"
    sed 's/^1 2 3 4 5 6 7 8 9$/2 1 3 4 5 6 7 8 9/' "$SOURCE/tests/data/topspin.tws" >exchanged.tws
    answers 2 '' "$gen" -o x.dtab exchanged.tws
    complains "this is the table of another puzzle, x, with another solved state; use another name, or --force to replace it"
    cmp x.dtab old
    # The same puzzle may be counted otherwise, or with some pieces or moves only.
    for option in -q -l '-t 1-3' '-g T' '-g L -t 1' '-d 1-3' '--name other'; do
        # shellcheck disable=SC2086 # words
        answers 0 '' "$gen" $option -o x.dtab "$SOURCE/tests/data/topspin.tws"
    done
    answers 0 '' "$gen" --force -o x.dtab "$SOURCE/tests/data/skewb.tws"
    # A file that is no table. An empty one holds nothing.
    printf 'notes' >notes
    answers 2 '' "$gen" -o notes "$SOURCE/tests/data/topspin.tws"
    complains 'notes: this file is not a table; use another name, or --force to replace it'
    [ "$(cat notes)" = notes ]
    answers 0 '' "$gen" -f -o notes "$SOURCE/tests/data/topspin.tws"
    : >empty
    answers 0 '' "$gen" -o empty "$SOURCE/tests/data/topspin.tws"
    # A damaged table is of use to nobody: fewest says that it should be made again.
    head -c 300 x.dtab >damaged.dtab
    answers 0 '' "$gen" -o damaged.dtab "$SOURCE/tests/data/topspin.tws"
}

@test "a table that is there already, byte for byte, stays and gets a new time" {
    "$gen" -o game.dtab "$SOURCE/tables/puzzles/game.puzzle"
    touch -d 2001-01-01 game.dtab
    ln game.dtab same
    "$gen" -v -o game.dtab "$SOURCE/tables/puzzles/game.puzzle" 2>stderr
    [ "$(tail -1 stderr)" = 'game.dtab: already holds this table; try `fewest stats game.dtab`' ]
    [ game.dtab -ef same ]
    [ "$(stat -c %Y game.dtab)" -gt "$(date -d 2001-01-02 +%s)" ]
}

# ---- Large spaces ----

@test "--track keeps some pieces distinct, and the table answers to its solved state" {
    answers 0 '' "$gen" --track '1 2 3' -o tracked.dtab "$SOURCE/tables/puzzles/loopover44.puzzle"
    answers 0 $'0\t1\n1\t12\n2\t108\n3\t600\n4\t1629\n5\t992\n6\t18' "$fewest" stats --tsv ./tracked.dtab
    answers 0 0 "$fewest" steps ./tracked.dtab '1 2 3 16 15 14 13 12 11 10 9 8 7 6 5 4'
    answers 0 1 "$fewest" steps ./tracked.dtab '4 1 2 3 5 6 7 8 9 10 11 12 13 14 15 16'
    answers 0 1 "$fewest" steps ./tracked.dtab '1 2 3 4 4 4 4 4 4 4 4 4 4 4 4 4' '4 1 2 3 4 4 4 4 4 4 4 4 4 4 4 4'
    # Between other states, a search answers.
    answers 0 2 "$fewest" steps ./tracked.dtab '4 1 2 3 5 6 7 8 9 10 11 12 13 14 15 16' '4 4 1 2 3 6 7 8 9 10 11 12 13 14 15 16'
    proves ./tracked.dtab
    "$gen" --quarter-turns --track '1 2 3 4' -o quarter.dtab "$SOURCE/tables/puzzles/loopover44.puzzle"
    [ "$("$fewest" stats --tsv ./quarter.dtab | tr '\n\t' '  ')" = '0 1 1 10 2 77 3 480 4 2326 5 8088 6 17486 7 13060 8 2103 9 45 10 4 ' ]
    answers 2 '' "$gen" --track '1 1' "$SOURCE/tables/puzzles/loopover44.puzzle"
    complains '--track: piece 1 of set TILES appears twice in `Track`'
}

@test "--track takes ranges, whole sets, and places or orientations alone" {
    answers 0 '' "$gen" --track '1-3' -o range.dtab "$SOURCE/tables/puzzles/loopover44.puzzle"
    answers 0 $'0\t1\n1\t12\n2\t108\n3\t600\n4\t1629\n5\t992\n6\t18' "$fewest" stats --tsv ./range.dtab
    while IFS=: read -r pieces states; do
        answers 0 "states      $states" sh -c '"$1" --dry-run --track "$2" "$3" | grep states' - \
            "$gen" "$pieces" "$SOURCE/tests/data/2x2x2.tws"
    done <<'END'
CORNERS:3674160
place:5040
CORNERS orientation:729
CORNERS orientation 1-3:945
place 1-2 orientation 6-7:3780
END
    print_cube >cube.puzzle
    answers 0 'states      88179840' sh -c '"$1" --dry-run --track CORNERS cube.puzzle | grep states' - "$gen"
    answers 0 'states      2048' sh -c '"$1" --dry-run --track "EDGES orientation" cube.puzzle | grep states' - "$gen"
    answers 0 'states      25981560' sh -c '"$1" --dry-run --track "EDGES place 9-12 CORNERS orientation" cube.puzzle | grep states' - "$gen"
    answers 2 '' "$gen" --track 'CORNERS orientation EDGES orientation 1-3 turned' cube.puzzle
    complains "--track: no set is called 'turned'; expected a set, a piece, a range such as 1-4, \`place\` or \`orientation\`"
}

@test "a puzzle that is too large with --track is refused with its number of states" {
    print_cube >cube.puzzle
    answers 2 '' "$gen" --track 'CORNERS EDGES' cube.puzzle
    complains 'cube has 43252003274489856000 states, too many for a table (at most 1099511627776); name fewer pieces in `Track`'
    answers 2 '' "$gen" --memory 500M --track 'CORNERS EDGES 1' cube.puzzle
    complains ' of memory, but --memory allows only 500 MiB; name fewer pieces in `Track`'
}

@test "--generators uses only some moves, and the table says so" {
    answers 0 '' "$gen" --generators 'U F' -o two.dtab "$SOURCE/tests/data/2x2x2.tws"
    answers 0 29160 sh -c '"$1" stats --tsv ./two.dtab | awk "{ n += \$2 } END { print n }"' - "$fewest"
    answers 0 'Generators U F' sh -c '"$1" show ./two.dtab | tail -1' - "$fewest"
    proves ./two.dtab
    # All moves may be typed, but only the generators take a state home.
    answers 0 "F U'" "$fewest" path ./two.dtab --moves "U F'"
    answers 1 unreachable "$fewest" steps ./two.dtab --moves R
    # A sequence counts as one move, and keeps its name in paths.
    for metric in '' -q -l; do
        # shellcheck disable=SC2086 # a word or none
        "$gen" $metric -g "U ( R  U R' ) (F2 U)'" -o sequence.dtab "$SOURCE/tests/data/2x2x2.tws"
        answers 0 "Generators U (R.U.R') (F2.U)'" sh -c '"$1" show ./sequence.dtab | tail -1' - "$fewest"
        answers 0 "(R.U.R') (F2.U)'" "$fewest" path ./sequence.dtab --moves "F2 U R U' R'"
        answers 0 2 "$fewest" steps ./sequence.dtab --moves "F2 U (R.U.R')'"
    done
}

@test "--generators works with --track, --database and --dry-run" {
    "$gen" --dry-run -g 'U F' -t 1-3 "$SOURCE/tests/data/2x2x2.tws" | grep -qx 'states      3240'
    "$gen" -g "U (R F' R')" -o all.dtab "$SOURCE/tests/data/2x2x2.tws"
    "$gen" -g "U (R F' R')" -d orientation -d place -o searched.dtab "$SOURCE/tests/data/2x2x2.tws"
    proves ./searched.dtab
    "$fewest" sample --count 30 --seed 3 ./all.dtab >states
    "$fewest" batch ./all.dtab states >expected
    "$fewest" batch ./searched.dtab states >found
    cmp expected found
    answers 0 "(R.F'.R')'" "$fewest" path ./searched.dtab --moves "R F' R'"
    print_cube >cube.puzzle
    "$gen" --dry-run -g 'U R' cube.puzzle | grep -qx 'states      73483200'
    answers 2 '' "$gen" -g 'U R' -m 1K cube.puzzle
    complains "\`fewest-gen --suggest --memory 1K --generators 'U R' cube.puzzle\` proposes pattern databases"
    "$gen" --suggest -g 'U R' -m 10M cube.puzzle | grep -q '^Database EDGES '
}

@test "a wrong generator is refused with the names that there are" {
    answers 2 '' "$gen" -g 'U X' "$SOURCE/tests/data/2x2x2-new.tws"
    complains "fewest-gen: --generators: no move, rotation, alias or sequence is called 'X'; there are: U R F Top"
    answers 2 '' "$gen" -g 'U (R U X)' "$SOURCE/tests/data/2x2x2.tws"
    complains "fewest-gen: --generators: no move, rotation, alias or sequence is called 'X'; there are: U R F"
    answers 2 '' "$gen" -g 'U (R U' "$SOURCE/tests/data/2x2x2.tws"
    complains "--generators: expected a sequence such as (R.U.R'), with dots between its moves, got '(R.U'"
    answers 2 '' "$gen" -g '' "$SOURCE/tests/data/2x2x2.tws"
    complains '--generators: expected `Generators MOVE MOVE ...`'
    answers 2 '' "$gen" -g 'U U4' "$SOURCE/tests/data/2x2x2.tws"
    complains "--generators: 'U4' changes nothing, so it can't be a generator"
    answers 2 '' "$gen" -g u "$SOURCE/tables/puzzles/eight.puzzle"
    complains "--generators: \`Generators\` can't be used with \`Slide\` (line 3), which has its moves already"
    answers 2 '' "$gen" -g $'U\nMove' "$SOURCE/tests/data/2x2x2.tws"
    complains '--generators: expected the moves on one line, got a line break'
    answers 2 '' "$gen" -g U -g R "$SOURCE/tests/data/2x2x2.tws"
    grep -q -- '--generators appears twice; name all moves in one' stderr
}

@test "--dry-run prints states, memory, disk and time, and makes nothing" {
    "$gen" --dry-run -j 2 "$SOURCE/tests/data/2x2x2.tws" >out
    grep -qx 'puzzle      2x2x2' out
    grep -qx 'states      3674160' out
    ! grep -q '^entries' out || return 1
    grep -Eqx 'memory      [0-9]+ (KiB|MiB)' out
    grep -Eqx 'disk        at most [0-9]+ (KiB|MiB)' out
    grep -Eqx 'time        roughly [0-9.]+ s on 2 threads' out
    # From a minute on, there are two units.
    "$gen" --dry-run --ranks 1 -j 1 --track '1-9' "$SOURCE/tables/puzzles/loopover44.puzzle" | grep -Eqx 'time        roughly [0-9]+ min [0-9]+ s on 1 thread'
    "$gen" --dry-run --ranks 1 -j 1 --track '1-11' "$SOURCE/tables/puzzles/loopover44.puzzle" | grep -Eqx 'time        roughly [0-9]+ h [0-9]+ min on 1 thread'
    [ "$("$gen" --dry-run "$SOURCE/tables/puzzles/eight.puzzle" | sed -n 2,3p)" = \
        $'states      181440\nentries     544320 from 3 roots' ]
    for board in 'Slide 1 2' 'Slide 2 2' 'Roll 1 2' 'Slide 2 3' 'Slide 2 2\nDatabase 1\nDatabase 2 3' \
        "$(cat "$SOURCE/tables/puzzles/fifteen.puzzle")"; do
        printf "Name small\n%b\n" "${board/Name fifteen/}" >small.puzzle
        "$gen" --dry-run small.puzzle | grep -q '^time  *roughly '
    done
    rm small.puzzle
    "$gen" --dry-run --track '1 2 3 4 5 6 7 8' "$SOURCE/tables/puzzles/loopover44.puzzle" | grep -qx 'states      518918400'
    [ "$("$gen" --dry-run "$SOURCE/tables/puzzles/fifteen.puzzle" | sed -n 2,3p)" = \
        $'states      10461394944000\nentries     11534880 in 3 pattern databases' ]
    [ "$(ls -A)" = "$(printf 'out\nstderr')" ] || [ "$(ls -A)" = out ]
}

@test "--dry-run counts the states of boards of up to 15 cells, and 16 need Database" {
    # If the machine has too little memory, the run fails after it has printed the costs.
    while read -r rows columns states; do
        printf 'Name board\nSlide %s %s\n' "$rows" "$columns" >board.puzzle
        ("$gen" --dry-run board.puzzle 2>stderr || grep -q 'needs [0-9]* GiB of memory, but only' stderr) >out
        grep -qx "states      $states" out
    done <<<$'1 13 13\n2 7 43589145600\n7 2 43589145600\n3 5 653837184000\n5 3 653837184000'
    answers 2 '' "$gen" --memory 4G -o board.dtab board.puzzle
    complains ' GiB of memory, but --memory allows only 4096 MiB'
    for size in '4 4' '2 8' '2 2 4'; do
        printf 'Name board\nSlide %s\n' "$size" >board.puzzle
        answers 2 $'puzzle      board\nstates      10461394944000' "$gen" --dry-run board.puzzle
        complains 'board has 10461394944000 states, too many for a table (at most 1099511627776); name a few tiles in `Track`; `fewest-gen --suggest --memory 1G board.puzzle` proposes pattern databases'
    done
    [ ! -e board.dtab ]
}

# print_cube: prints the definition of the 3x3x3 cube without its pattern databases.
print_cube() {
    sed '/^Database/d' "$SOURCE/tables/puzzles/cube.puzzle"
}

@test "--dry-run counts states beyond any table" {
    print_cube >cube.puzzle
    answers 2 $'puzzle      cube\nstates      43252003274489856000\nrotations   x y z' "$gen" --dry-run cube.puzzle
    complains 'cube has 43252003274489856000 states, too many for a table'
    # Pieces that look alike: twelve in threes, and six with four.
    for pieces in '1 1 1 1 2 2 2 2 3 3 3 3:34650' '1 1 1 1 1 1 2 3 4 4 5 5:166320'; do
        printf 'Name ring\nSet X 12 1\nSolved\nX\n%s\nEnd\nMove A\nX\n2 3 4 5 6 7 8 9 10 11 12 1\nEnd\nMove B\nX\n2 1 3 4 5 6 7 8 9 10 11 12\nEnd\n' \
            "${pieces%%:*}" >ring.puzzle
        "$gen" --dry-run ring.puzzle | grep -qx "states      ${pieces#*:}"
    done
    # The goal has two tiles exchanged, which no moves do: both goals have 9!/2 states.
    printf 'Name two\nSlide 3 3\nGoal\nTILES\n2 1 3 4 5 6 7 8 0\nEnd\n' >two.puzzle
    "$gen" --dry-run two.puzzle | grep -qx 'states      362880'
}

# ring_of_goals COUNT: prints a ring of 80 beads, of which one differs. The bead's first COUNT + 1
# slots are goals.
ring_of_goals() {
    printf '%s\n' 'Name ring' 'Set X 80 1' 'Powers none'
    for slot in $(seq 0 "$1"); do
        [ "$slot" -eq 0 ] && echo Solved || echo Goal
        printf '%s\n' X "$(seq -s ' ' 0 79 | awk -v RS='[ \n]' -v slot="$slot" '{ printf "%d ", $1 == slot ? 2 : 1 }')" End
    done
    printf '%s\n' 'Move A' X "$(seq -s ' ' 2 80) 1" End
}

@test "there are at most 64 goals, all of which count" {
    ring_of_goals 64 >ring.puzzle
    "$gen" ring.puzzle
    "$fewest" stats --tsv ./ring.dtab >counts
    [ "$(head -2 counts)" = $'0\t65\n1\t1' ]
    [ "$(tail -1 counts)" = $'15\t1' ]
    "$fewest" check --deep ./ring.dtab | grep -q 'proved the distances of all 80 states'
    ring_of_goals 65 >ring.puzzle
    answers 2 '' "$gen" --force ring.puzzle
    complains "ring.puzzle: line $((4 + 65 * 4)): too many goals: at most 64 \`Goal\` blocks"
}

@test "a group that would take too much memory or time to number is refused" {
    { printf 'Name coupled\n'
        printf 'Set S%d 254 1\n' $(seq 16)
        printf 'Solved\nEnd\nPowers none\nMove A\n'
        for set in $(seq 16); do printf 'S%d\n%s 1\n' "$set" "$(seq -s ' ' 2 254)"; done
        printf 'End\nMove B\n'
        for set in $(seq 16); do printf 'S%d\n2 1 %s\n' "$set" "$(seq -s ' ' 3 254)"; done
        printf 'End\n'; } >coupled.puzzle
    run "$gen" --dry-run coupled.puzzle
    [ "$status" -eq 2 ]
    [[ "${lines[1]}" == 'states      at least '* ]]
    [[ "${lines[2]}" == *'the states of coupled would take too long to number'* ]]
    # A search may answer.
    "$gen" -o searched.dtab --database 'S1 1' coupled.puzzle
    answers 0 1 "$fewest" steps ./searched.dtab --moves A253
    "$fewest" show ./searched.dtab | grep -q '^# states at least '
}

# Prints a puzzle of 17 sets of 7 pieces. Each set has a cycle and a swap, and the swap also makes
# a move of the set X. The arguments are X's line, its row in `Solved` or nothing, and its rows in
# the swaps.
print_seventeen() {
    printf 'Name seventeen\n'
    printf 'Set S%d 7 1\n' $(seq 17)
    printf "%s\nSolved\n%bEnd\nPowers none\n" "$1" "$2"
    for set in $(seq 17); do
        printf 'Move A%d\nS%d\n2 3 4 5 6 7 1\nEnd\n' "$set" "$set"
        printf "Move B%d\nS%d\n2 1 3 4 5 6 7\n%bEnd\n" "$set" "$set" "$3"
    done
}

@test "--dry-run tells how many states 4096 pieces in 256 sets have at least" {
    { printf 'Name large\n'
        printf 'Set S%d 254 1\n' $(seq 15)
        printf 'Set S16 46 1\n'
        printf 'Set S%d 1 1\n' $(seq 17 256)
        printf 'Solved\nEnd\nPowers none\n'
        for set in $(seq 16); do
            local most=254
            [ "$set" -lt 16 ] || most=46
            printf 'Move A%d\nS%d\n%s 1\nEnd\n' "$set" "$set" "$(seq -s ' ' 2 $most)"
            printf 'Move B%d\nS%d\n2 1 %s\nEnd\n' "$set" "$set" "$(seq -s ' ' 3 $most)"
        done; } >large.puzzle
    # There are 254!^15 × 46!, a number of 7590 digits.
    local least
    least=$("$gen" --dry-run large.puzzle 2>stderr | sed -n 's/^states      at least //p')
    [ "${#least}" -gt 100 ]
    [ "${#least}" -lt 7590 ]
}

@test "--dry-run counts the states if the parities of 17 sets can differ" {
    print_seventeen 'Set X 1 1' '' '' >free.puzzle
    "$gen" --dry-run free.puzzle 2>stderr | grep -q '^states      873613063456630473357234383544107750641788518400000000000000000$' # 7!^17
    # A lamp tells in how many sets the pieces are odd, and another move switches a second lamp.
    { print_seventeen 'Set X 2 2' '' 'X\n1 2\n1 0\n'; printf 'Move C\nX\n1 2\n0 1\nEnd\n'; } >lamps.puzzle
    "$gen" --dry-run lamps.puzzle 2>stderr | grep -q '^states      1747226126913260946714468767088215501283577036800000000000000000$' # 7!^17 × 2
    # Two blocks of pieces that look alike tell it, and another move turns the pieces in a block.
    { print_seventeen 'Set X 6 1' 'X\n1 1 2 3 3 3\n' 'X\n4 5 6 1 2 3\n'; printf 'Move C\nX\n2 3 1 4 5 6\nEnd\n'; } >alike.puzzle
    "$gen" --dry-run alike.puzzle 2>stderr | grep -q '^states      2620839190369891420071703150632323251925365555200000000000000000$' # 7!^17 × 3
}

@test "what takes more than --memory is refused before it begins" {
    answers 2 '' "$gen" -j 2 --memory 5M "$SOURCE/tests/data/2x2x2.tws"
    grep -Eq '^fewest-gen: making the table of 2x2x2 needs [0-9]+ KiB of memory, but --memory allows only 5120 KiB' stderr
    answers 2 '' "$gen" --memory 0 "$SOURCE/tests/data/2x2x2.tws"
    answers 2 '' "$gen" --memory 5X "$SOURCE/tests/data/2x2x2.tws"
    for size in 5MX 5XB 5iB 5MiBx B M -5M 99999999999T 1.5 .5G 1..5G 1.5e3G 0.0G; do
        answers 2 '' "$gen" --memory "$size" "$SOURCE/tests/data/2x2x2.tws"
    done
    for size in 5120K 5120kB 5MiB 5242880 5120.0K 0.0048828125G; do
        answers 2 '' "$gen" --memory "$size" "$SOURCE/tests/data/2x2x2.tws"
        complains '--memory allows only 5120 KiB'
    done
    answers 0 '' "$gen" --memory 100M -o 2x2x2.dtab "$SOURCE/tests/data/2x2x2.tws"
    ! grep -q __asan_init "$gen" || return 0 # an instrumented program needs the whole address space
    local status=0
    (ulimit -v 40000 && exec "$gen" --track '1 2 3 4 5 6 7 8' "$SOURCE/tables/puzzles/loopover44.puzzle") 2>stderr || status=$?
    [ "$status" -eq 4 ]
    grep -Eq 'of memory, but only [0-9]+ [A-Za-z]+ is available; name fewer pieces in `Track`$' stderr
}

@test "a search that is killed goes on from its checkpoint, to the same bytes" {
    # 11 pieces, 20 million states: the search takes long enough to be killed.
    printf 'Name ring\nSet X 11 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 7 8 9 10 11 1\nEnd\nMove B\nX\n3 1 2 4 5 6 7 8 9 10 11\nEnd\n' >ring.puzzle
    "$gen" --name ring -o whole.dtab ring.puzzle
    for signal in KILL INT TERM; do
        "$gen" --checkpoint saved -o ring.dtab ring.puzzle 2>/dev/null &
        for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            [ -e saved ] && break
            sleep 0.05
        done
        kill -"$signal" $! 2>/dev/null || true
        wait $! || true
        [ -e saved ] || [ -e ring.dtab ]
        # If the system has no unnamed files, SIGKILL leaves a temporary file.
        [ "$signal" != KILL ] || rm -f .fewest-gen.*
        [ -z "$(ls -A | grep -v -e '^ring' -e '^whole' -e '^saved$' -e '^stderr$')" ]
    done
    "$gen" --checkpoint saved -o ring.dtab ring.puzzle
    cmp whole.dtab ring.dtab
    [ ! -e saved ]
}

@test "a count that is killed or stopped goes on from its checkpoint, to the same counts" {
    # 20 million states, which the search without symmetries needs some time for.
    printf 'Name ring\nSet X 11 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 7 8 9 10 11 1\nEnd\nMove B\nX\n3 1 2 4 5 6 7 8 9 10 11\nEnd\n' >ring.puzzle
    local options stop
    for options in --no-symmetry ''; do
        # shellcheck disable=SC2086 # one word or none
        "$gen" --count --json $options ring.puzzle >whole
        for stop in '6 KILL' '12 INT'; do # a layer, and the signal that ends the run after it
            rm -f told
            # shellcheck disable=SC2086
            env --default-signal "$gen" --count --json $options -v -j 1 --checkpoint saved ring.puzzle >counts 2>told &
            await_layer "${stop% *}"
            kill -"${stop#* }" $! 2>/dev/null || true
            wait $! || true
            [ -e saved ] || cmp counts whole
        done
        # shellcheck disable=SC2086
        "$gen" --count --json $options --checkpoint saved ring.puzzle >counts
        cmp counts whole
        [ ! -e saved ]
    done
}

@test "a stopped count says so, and its checkpoint belongs to no other search" {
    printf 'Name ring\nSet X 11 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 7 8 9 10 11 1\nEnd\nMove B\nX\n3 1 2 4 5 6 7 8 9 10 11\nEnd\n' >ring.puzzle
    env --default-signal "$gen" --count --no-symmetry -v -j 1 --checkpoint saved ring.puzzle 2>told &
    local pid=$!
    await_layer 5
    interrupt "$pid"
    grep -q "fewest-gen: stopped while searching layer [0-9]*; to go on from the checkpoint saved, run \`$gen --count --no-symmetry -v -j 1 --checkpoint saved ring.puzzle\`$" told
    for options in '--count' '-o ring.dtab'; do
        # shellcheck disable=SC2086 # words
        answers 3 '' "$gen" $options --checkpoint saved ring.puzzle
        complains 'saved: this checkpoint belongs to another definition, metric or version of fewest-gen; remove it or use'
    done
}

@test "the message after Ctrl-C has the command that goes on from the checkpoint" {
    # 11 pieces, 20 million states: the search takes long enough to be interrupted.
    printf 'Set X 11 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 7 8 9 10 11 1\nEnd\nMove B\nX\n3 1 2 4 5 6 7 8 9 10 11\nEnd\n' >"a ring's.puzzle"
    local saved command
    for saved in "$(printf '%0200d' 0)" 'saved here'; do
        rm -f told
        env --default-signal "$gen" -v -j 1 -g "A' B" --checkpoint "$saved" -o ring.dtab "a ring's.puzzle" 2>told &
        local pid=$!
        await_layer 5
        interrupt "$pid"
        [ -e "$saved" ]
        tail -1 told >>stopped
    done
    head -1 stopped | grep -q '; to go on from the checkpoint 00*, run the same command again$' # it is too long
    command=$(sed -n 's/.*; to go on from the checkpoint saved here, run `\(.*\)`$/\1/p' stopped)
    eval "$command" 2>told
    ! grep -q 'layer 3:' told || return 1
    # The states of the first layer were found by the run before.
    grep ' layer ' told | head -1 | grep -q '%), from the checkpoint, [0-9.]* s'
    [ "$(grep -c 'from the checkpoint' told)" -eq 1 ]
    ! grep ' layer ' told | sed 1d | grep -v ' states/s, ' || return 1
    grep -q 'ring.dtab: table written' told
    [ ! -e 'saved here' ]
    # Without a checkpoint, there is nothing to go on from.
    rm -f told
    env --default-signal "$gen" -v -j 1 --force -o ring.dtab "a ring's.puzzle" 2>told &
    await_layer 5
    kill -INT $!
    wait || true
    tail -1 told | grep -q 'stopped while searching layer [0-9]*; no table was made$'
}

@test "a checkpoint of something else, or a damaged one, is refused" {
    printf 'not a checkpoint' >saved
    answers 3 '' "$gen" --checkpoint saved -o game.dtab "$SOURCE/tables/puzzles/game.puzzle"
    complains 'saved: this file is not a checkpoint; use another name for --checkpoint'
    head -c 100000 /dev/zero >saved
    answers 3 '' "$gen" --checkpoint saved -o game.dtab "$SOURCE/tables/puzzles/game.puzzle"
    complains 'saved: this file is not a checkpoint; use another name for --checkpoint'
    answers 2 '' "$gen" --checkpoint saved "$SOURCE/tables/puzzles/fifteen.puzzle"
    complains "fifteen has pattern databases, whose searches can't be saved; leave out --checkpoint"
    answers 4 '' "$gen" --checkpoint nowhere/saved -o game.dtab "$SOURCE/tables/puzzles/game.puzzle"
    rm saved
    answers 2 '' "$gen" --checkpoint ./game.dtab -o game.dtab "$SOURCE/tables/puzzles/game.puzzle"
    complains "game.dtab: the table and the checkpoint can't be one file; use another name for --checkpoint"
    mkdir real
    ln -s real/saved link
    answers 4 '' "$gen" --checkpoint link -o game.dtab "$SOURCE/tables/puzzles/game.puzzle"
    complains 'link: this link leads to no file; remove it or use another name'
    [ ! -e game.dtab ]
}

@test "the checkpoint of another search is neither replaced nor taken away, whoever comes first" {
    # 11 pieces, 20 million states: the search takes long enough to be interrupted.
    printf 'Name ring\nSet X 11 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 7 8 9 10 11 1\nEnd\nMove B\nX\n3 1 2 4 5 6 7 8 9 10 11\nEnd\n' >ring.puzzle
    "$gen" --checkpoint shared -o game.dtab "$SOURCE/tables/puzzles/magic.puzzle"
    [ ! -e shared ]
    env --default-signal "$gen" -v -j 1 --checkpoint shared -o ring.dtab ring.puzzle 2>told &
    local pid=$!
    await_layer 5
    interrupt "$pid"
    grep -q "stopped while searching layer [0-9]*; no table was made; to go on from the checkpoint shared, run \`$gen -v -j 1 --checkpoint shared -o ring.dtab ring.puzzle\`$" told
    cp shared kept
    answers 3 '' "$gen" --checkpoint shared -o game.dtab "$SOURCE/tables/puzzles/magic.puzzle"
    complains 'shared: this checkpoint belongs to another definition, metric or version of fewest-gen; remove it or use'
    # A checkpoint with a changed byte, then one that ends in the middle of a layer.
    printf x | dd of=shared bs=1 seek=$(($(wc -c <kept) * 3 / 4)) conv=notrunc status=none
    cmp shared kept && return 1
    "$gen" -j 1 --checkpoint shared -o ring.dtab ring.puzzle 2>stderr
    grep -Eq '^fewest-gen: warning: .*/shared: layer [0-9]+ of this checkpoint is damaged; it is searched again, and so are the layers after it$' stderr
    "$gen" --name ring -o whole.dtab ring.puzzle
    cmp ring.dtab whole.dtab
    rm ring.dtab
    head -c $(($(wc -c <kept) * 3 / 4)) kept >shared
    "$gen" --checkpoint shared -o ring.dtab ring.puzzle 2>stderr
    [ ! -s stderr ]
    cmp ring.dtab whole.dtab
    [ ! -e shared ]
    # Two searches want one checkpoint. Then another checkpoint takes its name.
    rm -f told
    "$gen" -v -q -j 1 --checkpoint shared -o quarter.dtab ring.puzzle 2>told &
    pid=$!
    await_layer 5
    answers 3 '' "$gen" -q --checkpoint shared -o quarter2.dtab ring.puzzle
    complains 'shared: another fewest-gen uses this checkpoint; use another name for --checkpoint'
    cp kept shared.new
    mv shared.new shared
    wait "$pid"
    cmp shared kept
}

@test "a name that can be no table's is refused before the work begins" {
    for name in '' new/ game.puzzle/; do
        answers 4 '' "$gen" -o "$name" "$SOURCE/tables/puzzles/game.puzzle"
        complains "'$name' is not the name of a file"
    done
    answers 4 '' "$gen" -o "$(printf '%0300d' 0)" "$SOURCE/tables/puzzles/game.puzzle"
    complains "can't use this name: File name too long"
    cp "$SOURCE/tables/puzzles/game.puzzle" own.puzzle
    answers 2 '' "$gen" -o own.puzzle own.puzzle
    complains 'own.puzzle: the table would replace the definition; use another name for --output'
    cmp own.puzzle "$SOURCE/tables/puzzles/game.puzzle"
}

@test "a line of Track that is too long to be read whole is refused" {
    { printf 'Name long\nSet LAMP 3 2\nSolved\nEnd\nTrack'
        for word in $(seq 4223); do printf ' LAMP 1'; done
        printf ' LAMP 1 LAMP 2 LAMP 3\nMove m\nLAMP\n1 2 3\n1 1 0\nEnd\n'; } >long.puzzle
    answers 2 '' "$gen" long.puzzle
    complains 'long.puzzle: line 5: too many words after `Track`: at most 8448'
}

@test "pattern databases can be interrupted before they are written" {
    env --default-signal "$gen" -v -j 1 -o fifteen.dtab "$SOURCE/tables/puzzles/fifteen.puzzle" 2>told &
    local pid=$!
    await_layer 5
    interrupt "$pid"
    grep -q 'fifteen.puzzle: pattern database 1 of 3, layer 5: 300 states, total [0-9]* (0.0 %), ' told
    grep -q 'fewest-gen: stopped while searching layer [0-9]*; no table was made' told
    [ ! -e fifteen.dtab ]
}

@test "with the standard streams closed nothing is written where it should not be" {
    "$gen" -v -o game.dtab "$SOURCE/tables/puzzles/game.puzzle" 2>&-
    cmp game.dtab "$game"
    "$gen" -v --name game -o other.dtab "$SOURCE/tables/puzzles/game.puzzle" <&- >&- 2>&-
    cmp other.dtab "$game"
}

@test "progress is printed in printable characters, whatever the file is called" {
    cp "$SOURCE/tables/puzzles/flip.puzzle" $'odd\e[31m.puzzle'
    "$gen" -v $'odd\e[31m.puzzle' 2>stderr
    ! grep -q $'\e' stderr || return 1
    grep -q 'odd\\x1B\[31m.puzzle: layer 3' stderr
}

@test "a word of the language that is not supported is refused by name, with file and line" {
    { cat "$SOURCE/tests/data/2x2x2.tws"; printf '\nSwizzleSet A B\n'; } >swizzle.tws
    answers 2 '' "$gen" swizzle.tws
    complains "swizzle.tws: line $(wc -l <swizzle.tws): \`SwizzleSet\` is not supported"
}

@test "with illegal states, a dry run prints a bound, and the table counts the states" {
    answers 0 'states      at most 103680' \
        sh -c '"$1" --dry-run "$2" | grep states' - "$gen" "$SOURCE/tests/data/gates.tws"
    "$gen" "$SOURCE/tests/data/gates.tws"
    answers 0 '# states 31680' sh -c '"$1" show ./gates.dtab | head -n 1' - "$fewest"
    [ "$("$fewest" sample --count 20 ./gates.dtab | "$fewest" batch ./gates.dtab | grep -c '^[0-9]')" = 20 ]
    [ "$("$fewest" export ./gates.dtab | tr -d '\377' | wc -c)" = 31680 ]
    answers 1 "unreachable (START is illegal: slot 1 of BEADS can't hold piece 5)" \
        "$fewest" parity ./gates.dtab 5234161230100
}

@test "with illegal states, a puzzle is too large if it is without Illegal" {
    printf '%s\n' 'Name wide' 'Set X 20 1' Solved End 'Illegal X 1 2' 'Move A' X "2 1 $(seq -s ' ' 3 20)" End >wide.tws
    answers 0 'states      at most 2' sh -c '"$1" --dry-run wide.tws | grep states' - "$gen"
    printf '%s\n' 'Move B' X "$(seq -s ' ' 2 20) 1" End >>wide.tws
    answers 2 'puzzle      wide
states      at most 2432902008176640000' "$gen" --dry-run wide.tws
    complains 'wide.tws: wide has 2432902008176640000 legal and illegal states, too many for a table'
    complains 'proposes pattern databases for a search'
    answers 0 'states      at most 2432902008176640000
entries     20 in 1 pattern databases' \
        sh -c '"$1" --dry-run --database 2 wide.tws | sed -n 2,3p' - "$gen"
}

@test "a puzzle with illegal states and pattern databases is solved by a search" {
    "$gen" -o searched.dtab --database 'SLICE 7 1' "$SOURCE/tests/data/bandaged.tws"
    "$gen" -o full.dtab "$SOURCE/tests/data/bandaged.tws"
    "$fewest" sample --count 20 --seed 1 ./full.dtab >states
    [ "$("$fewest" batch ./searched.dtab states)" = "$("$fewest" batch ./full.dtab states)" ]
    answers 0 '# states at most 40320' sh -c '"$1" show ./searched.dtab | head -n 1' - "$fewest"
    answers 0 'reachable (in 1 move)' "$fewest" parity ./searched.dtab --moves U2
    answers 1 "unreachable (START is illegal: slot 1 of SLICE can't hold piece 7)" \
        "$fewest" parity ./searched.dtab 751267340
    answers 0 './searched.dtab: intact' "$fewest" check ./searched.dtab
    answers 2 '' "$fewest" sample ./searched.dtab
    complains 'only a search tells which can be reached'
    answers 2 '' "$fewest" stats ./searched.dtab
    complains 'searched is solved by a search'
}

@test "listed moves only, and files of either line end" {
    "$gen" --listed-moves -o listed.dtab "$SOURCE/tests/data/pyraminx.tws"
    "$gen" -o all.dtab "$SOURCE/tests/data/pyraminx.tws"
    [ "$("$fewest" stats --tsv ./all.dtab | sed -n 2p)" = "$(printf '1\t8')" ]
    [ "$("$fewest" stats --tsv ./listed.dtab | sed -n 2p)" = "$(printf '1\t4')" ]
    sed 's/$/\r/' "$SOURCE/tests/data/pyraminx.tws" >crlf.tws
    "$gen" -o crlf.dtab crlf.tws
    [ "$("$fewest" stats --tsv ./crlf.dtab)" = "$("$fewest" stats --tsv ./all.dtab)" ]
}

@test "a space of 239,500,800 states: the 3x4 slide, in a quarter of a gigabyte" {
    printf 'Name slide34\nSlide 3 4\n' >slide34.puzzle
    "$gen" --memory 256M -o slide34.dtab slide34.puzzle
    answers 0 $'53\t18' sh -c "'$fewest' stats --tsv ./slide34.dtab | tail -1"
    [ "$("$fewest" stats --tsv ./slide34.dtab | awk '{ n += $2 } END { print n }')" = 239500800 ]
    answers 0 53 "$fewest" steps ./slide34.dtab "$("$fewest" stats ./slide34.dtab | sed -n 's/^farthest *//p')"
    answers 0 2 "$fewest" steps ./slide34.dtab '1 2 3 4 5 6 0 7 9 10 11 8'
    answers 0 3 "$fewest" steps ./slide34.dtab '1 2 3 4 5 6 7 8 9 10 11 0' '1 2 3 4 5 0 6 7 9 10 11 8'
    answers 2 '' "$fewest" steps ./slide34.dtab '1 2 3 4 5 6 0 7 9 10 11 8' '1 2 3 4 5 0 6 7 9 10 11 8'
    complains 'the table of slide34 needs the blank of START, or of a TARGET without wildcards, in one of these cells: 1, 4, 9, 12'
    answers 0 rd "$fewest" path --cache 64K ./slide34.dtab '1 2 3 4 5 6 0 7 9 10 11 8'
    # Paths to wildcard targets. The table does not answer from every board on the way. Here only
    # one filling is reachable.
    local start='2 3 1 4 5 6 7 8 9 10 11 0'
    answers 0 luuldrdllurulddrrr "$fewest" path ./slide34.dtab "$start" '1 2 3 4 5 6 7 8 9 10 11 0'
    answers 0 luuldrdllurulddrrr "$fewest" path ./slide34.dtab "$start" '1 2 3 4 5 6 7 8 9 * * 0'
    start='0 11 9 10 6 7 8 4 5 3 2 1'
    for target in '1 2 3 4 5 6 7 8 * * * *' '* * * * 5 6 7 8 9 10 11 0'; do
        local path end
        path=$("$fewest" path ./slide34.dtab "$start" "$target")
        answers 0 "${#path}" "$fewest" steps ./slide34.dtab "$start" "$target"
        end=$("$fewest" rank ./slide34.dtab --from "$start" --moves "$path" | "$fewest" unrank ./slide34.dtab -)
        [[ ${end//\// } == ${target// \* \* \* \*/}* || ${end//\// } == *${target//\* \* \* \* /} ]]
    done
}

@test "likely mistakes get a message of their own: a rotation, an error in --track, a table" {
    printf 'Name w\nSet P 4 1\nSolved\nP\n1 2 3 4\nEnd\nMove x\nP\n3 4 1 2\nEnd\nMove A\nP\n1 2 4 3\nEnd\nMove B\nP\n2 1 3 4\nEnd\n' >w.puzzle
    "$gen" --log log w.puzzle 2>stderr
    complains 'fewest-gen: the move x is taken for a rotation of the whole puzzle, so it does not count; if that is right, add the line `Rotation x`; if not, rename it, or list the moves that count in `Generators` (--generators)'
    grep -q 'the move x is taken for a rotation' log
    answers 2 '' "$gen" --track '1 9' w.puzzle
    complains 'fewest-gen: --track: set P has no piece 9 in `Solved`'
    answers 2 '' "$gen" w.dtab
    complains 'w.dtab: this is a table, not a definition; `fewest show` prints the definition in a table'
    answers 2 '' "$gen" --track 1-5 w.puzzle
    complains 'fewest-gen: --track: set P has no piece 5 in `Solved`'
    grep -v 'End' w.puzzle >noend.puzzle
    answers 2 '' "$gen" --track '1 2' noend.puzzle
    complains 'fewest-gen: noend.puzzle: line 3: this block has no `End` before line 6'
    "$gen" -v -n "$SOURCE/tests/data/2x2x2-new.tws" 2>stderr
    ! grep -q rotation stderr || return 1 # an alias is none
    answers 3 '' "$fewest" steps w.puzzle 1234
    complains '; w.puzzle is a definition: `fewest-gen w.puzzle` makes its table'
    mkdir folder
    answers 3 '' "$fewest" steps folder 1234
    complains '; folder is a folder: --tables DIR looks for tables in a folder'
}
