# In the quarter-turn metric, a2 is one move if it is a generator. Its power a3 is the inverse of a.
cat >ring.puzzle <<END
Name ring
Set A 5 1
Solved
A
1 2 3 4 5
End
Move a
A
(1 2 3 4)
End
Move b
A
(1 2 3 4 5)
End
MoveAlias half a2
END
metric() {
    echo "$@"
    fewest-gen --dry-run "$@" | grep ^metric
}
metric -q ring.puzzle
metric -q --generators 'a2 b' ring.puzzle
metric -q --generators 'a3 half b2 (a.b)' ring.puzzle
metric --generators 'a2 b' ring.puzzle
metric --listed-moves --generators 'a2 b' ring.puzzle
# A listed power counts as one move, too.
printf 'MoveSequence a2 a a\n' >>ring.puzzle
metric -q ring.puzzle
# A puzzle that is too large for a table has the lines, too.
grep -v ^Database "$SOURCE/tables/puzzles/cube.puzzle" >cube.puzzle
metric -q --generators 'U R2 F2 L D B' cube.puzzle 2>error
