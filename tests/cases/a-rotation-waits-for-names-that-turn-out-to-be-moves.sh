# z takes R to y, which is no rotation: it takes no move to another. So R and y are moves, which z
# exchanges.
cat >waits.puzzle <<END
Name waits
Set P 4 1
Solved
P
1 2 3 4
End
Move R
P
(1 2)
End
Move y
P
(3 4)
End
Move z
P
(1 3)(2 4)
End
END
# z takes F to its inverse and y to (1 3)(4 5), which is not listed. But y is a rotation, too.
cat >both.puzzle <<END
Name both
Set P 5 1
Solved
P
1 2 3 4 5
End
Move F
P
(1 2 3 4 5)
End
Move y
P
(1 4)(2 3)
End
Move z
P
(1 5)(2 4)
End
END
for puzzle in waits both; do
    fewest-gen --dry-run $puzzle.puzzle 2>&- | sed -n '1,2p; /^rotations/p'
done
