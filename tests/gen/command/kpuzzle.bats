# KPuzzle definitions and target patterns, given to `fewest-gen`.
load ../../tools/cli.bash

setup_file() {
    [ "$KPUZZLE" = true ] || return 0 # every test is skipped
    # The ivy cube by hand: four moves, without rotations.
    cat >"$BATS_FILE_TMPDIR/hand.puzzle" <<'END'
Name hand
Set CORNERS 4 3
Set CENTERS 6 1
Solved
CORNERS
1 2 3 4
CENTERS
1 2 3 4 5 6
End
MoveTransformation R
CORNERS
0 1 2 3
1 0 0 0
CENTERS
4 1 0 3 2 5
End
MoveTransformation B
CORNERS
0 1 2 3
0 1 0 0
CENTERS
5 1 2 0 4 3
End
MoveTransformation D
CORNERS
0 1 2 3
0 0 1 0
CENTERS
0 5 1 3 4 2
End
MoveTransformation L
CORNERS
0 1 2 3
0 0 0 1
CENTERS
0 4 2 1 3 5
End
END
}

ivy() {
    "$gen" "$@" "$SOURCE/tests/data/ivy.kpuzzle.json"
}

@test "a KPuzzle definition gives the table of the same puzzle by hand" {
    ivy
    "$gen" "$BATS_FILE_TMPDIR/hand.puzzle"
    "$fewest" stats --tsv ./hand.dtab >by_hand
    answers 0 "$(cat by_hand)" "$fewest" stats --tsv ./ivy.dtab
    answers 0 $'0\t1\n1\t8\n2\t48\n3\t288\n4\t1640\n5\t7582\n6\t15262\n7\t4221\n8\t110' cat by_hand
    proves ./ivy.dtab
    # Negative control: with one derived move less, the distances differ.
    sed '/"B":/d; s/"L": "\[Rv: D\]",/"L": "[Rv: D]",/' "$SOURCE/tests/data/ivy.kpuzzle.json" >fewer.json
    "$gen" -o fewer.dtab fewer.json
    ! "$fewest" stats --tsv ./fewer.dtab | cmp -s - by_hand || return 1
}

@test "moves have their KPuzzle names, derived moves and second names, too" {
    ivy
    answers 0 "B" "$fewest" path ./ivy.dtab --moves "Rv' y2 Right' y2 Rv"
    answers 0 "1" "$fewest" steps ./ivy.dtab --moves "z2 R z2'"
    answers 0 "0" "$fewest" steps ./ivy.dtab --moves "z2 Rv' y2 Rv"
    [ "$("$fewest" show ./ivy.dtab | grep -c '^Move')" -eq 8 ]
}

@test "--dry-run counts the states of a KPuzzle definition, and -v is silent about rotations" {
    answers 0 'states      29160' bash -c "'$gen' --dry-run '$SOURCE/tests/data/ivy.kpuzzle.json' | sed -n 2p"
    "$gen" -v "$SOURCE/tests/data/ivy.kpuzzle.json" 2>told
    ! grep rotation told || return 1
}

@test "--goal makes a target pattern the solved state" {
    cat >faces.json <<'END'
{"CORNERS": {"pieces": [0, 0, 0, 0], "orientation": [0, 0, 0, 0], "orientationMod": [1, 1, 1, 1]},
 "CENTERS": {"pieces": [5, 5, 2, 2, 5, 5], "orientation": [0, 0, 0, 0, 0, 0]}}
END
    ivy --goal faces.json -o faces.dtab
    # The same by hand: corners that look alike, and two of the six centres.
    sed '/^1 2 3 4$/a? ? ? ?' "$BATS_FILE_TMPDIR/hand.puzzle" |
        sed 's/^1 2 3 4$/1 1 1 1/; s/^1 2 3 4 5 6$/2 2 1 1 2 2/' >hand.puzzle
    "$gen" hand.puzzle
    "$fewest" stats --tsv ./hand.dtab >by_hand
    answers 0 "$(cat by_hand)" "$fewest" stats --tsv ./faces.dtab
    [ "$(awk '{ all += $2 } END { print all }' by_hand)" -eq 15 ]
    proves ./faces.dtab
}

@test "--goal is refused where it does not fit" {
    answers 2 '' "$gen" --goal faces.json "$BATS_FILE_TMPDIR/hand.puzzle"
    complains 'hand.puzzle: --goal needs a KPuzzle definition (JSON); in this file, change the `Solved` block instead'
    answers 4 '' ivy --goal none.json
    complains "none.json: can't read this target pattern: No such file or directory"
    echo '{"CORNERS": {"pieces": [0, 1, 2, 4]}}' >bad.json
    answers 2 '' ivy --goal bad.json
    complains 'fewest-gen: bad.json: CORNERS.pieces[3]: expected a number from 0 to 3, got 4'
    echo '{"CORNERS": {"pieces": [0, 1, 2, 3], "orientation": [0, 0, 0, 0]}}' >bad.json
    answers 2 '' ivy --goal bad.json
    complains 'bad.json: CENTERS: expected an object with `pieces` and `orientation`, got nothing'
    cp bad.json goal.json
    echo '{"CORNERS": {"pieces": [0, 1, 2, 3], "orientation": [0, 0, 0, 0]}, "CENTERS": {"pieces": [0, 0, 0, 0, 0, 1], "orientation": [0, 0, 0, 0, 0, 0]}}' >goal.json
    answers 2 '' ivy --goal goal.json -o goal.json
    complains 'goal.json: the table would replace the goal; use another name for --output'
    grep -q pieces goal.json
}

@test "errors name the file and the JSON path" {
    sed 's/\[4, 1, 0, 3, 2, 5\]/[4, 1, 0, 3, 2, 4]/' "$SOURCE/tests/data/ivy.kpuzzle.json" >twice.json
    answers 2 '' "$gen" twice.json
    complains 'fewest-gen: twice.json: moves.R.CENTERS.permutation: piece 4 appears twice; expected each of 0 to 5 once'
    sed 's/\[Rv: D\]/[Rv: Q]/' "$SOURCE/tests/data/ivy.kpuzzle.json" >unknown.json
    answers 2 '' "$gen" unknown.json
    complains "fewest-gen: unknown.json: derivedMoves.L: no move, rotation, alias or sequence is called 'Q'"
    answers 2 '' "$gen" --database 'CENTERS 7' unknown.json
    complains "fewest-gen: unknown.json: derivedMoves.L: no move, rotation, alias or sequence is called 'Q'"
    answers 2 '' "$gen" --track 'CENTERS 7' "$SOURCE/tests/data/ivy.kpuzzle.json"
    complains 'fewest-gen: --track: '
    head -c 300 "$SOURCE/tests/data/ivy.kpuzzle.json" >cut.json
    answers 2 '' "$gen" cut.json
    complains 'fewest-gen: cut.json: line '
    [ ! -e ivy.dtab ]
}

@test "options work with a KPuzzle definition: metrics, --track, --database and --suggest" {
    ivy --quarter-turns -o quarter.dtab # moves of order 3: the same moves
    answers 0 $'8\t110' bash -c "'$fewest' stats --tsv ./quarter.dtab | tail -1"
    ivy --track 'CENTERS 1 2' -o track.dtab
    answers 0 '1' "$fewest" steps ./track.dtab --moves R
    # A definition that is too large: the message keeps the goal.
    sed 's/"numPieces": 6, "numOrientations": 4/"numPieces": 6, "numOrientations": 127/; s/\[1, 1, 1, 1, 1, 1\]/[0, 0, 0, 0, 0, 0]/
        s/2, 5\], "orientationDelta": \[0, 0, 0, 0, 0, 0\]/2, 5], "orientationDelta": [1, 0, 0, 0, 0, 0]/' \
        "$SOURCE/tests/data/ivy.kpuzzle.json" >large.json
    echo '{"CORNERS": {"pieces": [0, 1, 2, 3], "orientation": [0, 0, 0, 0]}, "CENTERS": {"pieces": [0, 1, 2, 3, 4, 5], "orientation": [0, 0, 0, 0, 0, 1]}}' >'a goal.json'
    answers 2 '' "$gen" --goal 'a goal.json' large.json
    complains "\`fewest-gen --suggest --memory 1G --goal 'a goal.json' large.json\`"
    ivy --database 'CENTERS 1 2 3' --database 'CORNERS 1 2' -o database.dtab
    answers 0 '2' "$fewest" steps ./database.dtab --moves 'R B'
}
