# Pieces 5 look alike. The orientation of piece 9 does not count, so the goal may have `?`. No move
# turns a piece of the set FIX, so each takes its orientation along, in the goal too.
printf '%s\n' 'Name gaps' 'Set X 3 2' 'Set FIX 3 2' Solved X '5 5 9' '0 0 ?' FIX '1 2 3' '1 0 0' End \
    Goal X '9 5 5' '? 1 1' FIX '2 3 1' '0 0 1' End \
    'Move A' X '2 3 1' '1 0 0' FIX '2 3 1' End 'Move B' X '2 1 3' End >gaps.puzzle
fewest-gen gaps.puzzle
fewest check --deep gaps.dtab | sed 's/ in .*//'
fewest stats --tsv gaps.dtab
fewest steps gaps.dtab '2 1 1  0 1 1  2 3 1'
fewest steps gaps.dtab '2 1 1  0 1 1  2 3 1' '1 1 2  0 0 0  1 2 3'
# A goal that moves do not connect with `Solved` is refused, and so is one with other pieces.
sed 's/^9 5 5$/9 9 5/' gaps.puzzle >other.puzzle
fewest-gen other.puzzle
sed '/^Goal/,/^End/ s/^2 3 1$/2 1 3/; s/^0 0 1$/0 1 0/' gaps.puzzle >other.puzzle
fewest-gen other.puzzle
