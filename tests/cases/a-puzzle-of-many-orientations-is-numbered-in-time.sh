# Without a bound of its order, the proof of this group takes all the work that a definition may do.
cat >turned.puzzle <<'END'
Name turned
Set X 24 90
Solved
X
1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
End
Powers none
Move M0
X
14 21 20 11 24 17 15 23 8 4 22 18 1 13 10 2 19 3 12 16 5 7 6 9
65 0 37 86 0 0 0 0 0 77 0 60 33 71 0 0 67 78 66 0 62 0 23 0
End
Move M1
X
21 5 1 6 14 23 8 22 2 15 16 11 20 10 24 18 9 7 19 17 12 4 3 13
61 0 8 0 48 0 0 40 25 43 37 0 0 32 76 72 8 7 54 18 0 0 29 30
End
Database X 1 2
Database X 3 4
Database X 5 6
Database X 7 8
Database X 9 10
Database X 11 12
Database X 13 14
Database X 15 16
END
fewest-gen --dry-run turned.puzzle
