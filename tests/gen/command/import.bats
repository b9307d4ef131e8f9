# Files of other programs, given to `fewest-gen`, which runs `fewest-import`.
load ../../tools/cli.bash

setup_file() {
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
    needs_import
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
    needs_import
    answers 2 '' "$gen" --goal faces.json "$BATS_FILE_TMPDIR/hand.puzzle"
    complains 'hand.puzzle: --goal needs a file that fewest-import translates, such as a KPuzzle; in this file, change the `Solved` block instead'
    answers 4 '' ivy --goal none.json
    complains "fewest-gen: none.json: No such file or directory"
    echo '{"CORNERS": {"pieces": [0, 1, 2, -4]}}' >bad.json
    answers 2 '' ivy --goal bad.json
    complains 'fewest-gen: bad.json: CORNERS.pieces[3]: expected a number from 0 to 2147483647, got -4'
    echo '{"CORNERS": {"pieces": [0, 1, 2, 3], "orientation": [0, 0, 0, 0]}, "CENTERS": {"pieces": [0, 0, 0, 0, 0, 1], "orientation": [0, 0, 0, 0, 0, 0]}}' >goal.json
    answers 2 '' ivy --goal goal.json -o goal.json
    complains 'goal.json: the table would replace the goal; use another name for --output'
    grep -q pieces goal.json
}

@test "labels of a target pattern only say which pieces look alike" {
    needs_import
    cat >trio.json <<'END'
{"name": "trio", "orbits": [{"orbitName": "A", "numPieces": 4, "numOrientations": 1}],
 "defaultPattern": {"A": {"pieces": [0, 1, 2, 3], "orientation": [0, 0, 0, 0]}},
 "moves": {"R": {"A": {"permutation": [1, 2, 0, 3], "orientationDelta": [0, 0, 0, 0]}},
           "S": {"A": {"permutation": [0, 1, 3, 2], "orientationDelta": [0, 0, 0, 0]}}}}
END
    echo '{"A": {"pieces": [4, 4, 6, 7], "orientation": [0, 0, 0, 0]}}' >goal.json
    answers 0 'states      12' bash -c "'$gen' --dry-run --goal goal.json trio.json | sed -n 2p"
}

@test "errors name the file and the JSON path" {
    needs_import
    sed 's/\[4, 1, 0, 3, 2, 5\]/[4, 1, 0, 3, 2, 4]/' "$SOURCE/tests/data/ivy.kpuzzle.json" >twice.json
    answers 2 '' "$gen" twice.json
    complains 'fewest-gen: twice.json: moves.R.CENTERS.permutation: piece 4 appears twice; expected each of 0 to 5 once'
    sed 's/\[Rv: D\]/[Rv: Q]/' "$SOURCE/tests/data/ivy.kpuzzle.json" >unknown.json
    for option in '' "--database=CENTERS 7"; do
        answers 2 '' "$gen" ${option:+"$option"} unknown.json
        complains "fewest-gen: unknown.json: as fewest-import writes it: line 39: no move, rotation, alias or sequence is called 'Q'"
    done
    answers 2 '' "$gen" --track 'CENTERS 7' "$SOURCE/tests/data/ivy.kpuzzle.json"
    complains 'fewest-gen: --track: '
    head -c 300 "$SOURCE/tests/data/ivy.kpuzzle.json" >cut.json
    answers 2 '' "$gen" cut.json
    complains 'fewest-gen: cut.json: line '
    [ ! -e ivy.dtab ]
}

@test "GAP, permutations in JSON and in Python, and CSV make tables" {
    needs_import
    printf '%s\n' '# two triangles that share a point' 'M_A:=(1,2,3);' 'M_B:=(3,4,5);' >two.gap
    echo '{"f0": [1, 2, 0, 3, 4], "r0": [0, 1, 3, 4, 2]}' >two.json
    echo "{'f0': [1, 2, 0, 3, 4], 'r0': [0, 1, 3, 4, 2]}" >two.py
    printf 'puzzle_type,allowed_moves\r\ntwo,"%s"\r\n' "$(cat two.py)" >two.csv
    for file in two.gap two.json two.py two.csv; do
        "$gen" -o "$file.dtab" "$file"
        answers 0 60 bash -c "'$fewest' stats --tsv './$file.dtab' | awk '{ all += \$2 } END { print all }'"
        proves "./$file.dtab"
    done
    answers 0 "A'" "$fewest" path ./two.gap.dtab 31245
    answers 0 -f0 "$fewest" path ./two.csv.dtab --moves f0
    echo '0;1;2;3;3' >alike
    "$gen" --dry-run --goal alike two.json | grep -q '^states      60$'
    answers 2 '' "$gen" --goal two.json two.json
    complains 'fewest-gen: two.json: expected 5 labels, got '
}

@test "without fewest-import, a file of another program is named, with what to install" {
    local ways='which fewest-import translates; it is not on the PATH: install the Python package (python3-fewest, or `pip install .` in the sources)'
    PATH=/usr/bin:/bin
    ! command -v fewest-import || skip 'it is installed'
    echo 'M:=(1,2);' >a.gap
    answers 2 '' "$gen" a.gap
    complains "fewest-gen: a.gap: this is a GAP file, $ways"
    answers 2 '' "$gen" "$SOURCE/tests/data/ivy.kpuzzle.json"
    complains "ivy.kpuzzle.json: this is JSON, $ways"
}

@test "if fewest-import fails in its own way, the message has its last line" {
    mkdir bin
    printf '#!/bin/sh\necho "Traceback" >&2\necho "ImportError: no numpy" >&2\nexit 1\n' >bin/fewest-import
    chmod +x bin/fewest-import
    echo 'M:=(1,2);' >a.gap
    PATH=$PWD/bin:$PATH answers 4 '' "$gen" a.gap
    complains 'fewest-gen: fewest-import failed: ImportError: no numpy'
    printf '#!/bin/sh\nexec yes Name\n' >bin/fewest-import
    PATH=$PWD/bin:$PATH answers 4 '' timeout 20 "$gen" a.gap
    complains 'fewest-gen: fewest-import failed: '
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
