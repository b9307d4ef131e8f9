# `Letters` name the pieces of `Solved`, also if `Track` or `Database` makes some of them alike. A
# `Board` draws a state of the puzzle, not one of a pattern database.
cat >alike.puzzle <<'END'
Set X 3 1
Solved
X
1 1 2
End
Letters X a b
Move M
X
2 3 1
End
END
fewest-gen alike.puzzle --track 'X 1' -o alike.dtab
fewest path alike.dtab aba
fewest path alike.dtab aca || true
cat >two.puzzle <<'END'
Set A 3 1
Set B 3 1
Solved
A
1 2 3
B
1 2 3
End
Board 2 3
Move M
A
2 3 1
B
2 1 3
End
Database A
Database B
END
fewest-gen two.puzzle -o two.dtab
fewest path two.dtab 231213
fewest show two.dtab 231213
