# With one orientation, `?` and 0 are the same.
cat >ring.puzzle <<'END'
Set A 3 1
Solved
A
1 2 3
? ? ?
End
Move M
A
2 3 1
End
Goal
A
2 3 1
? ? 0
End
END
fewest-gen ring.puzzle -o ring.dtab
fewest stats ring.dtab
