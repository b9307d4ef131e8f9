# Look-alikes, orientations that do not count, two goals, and a set that only turns.
cat >mixed.puzzle <<'END2'
Set A 3 2
Set B 2 3
Solved
A
1 2 2
? 0 0
B
1 2
? 0
End
Goal
A
2 2 1
0 0 ?
B
1 2
? 2
End
Move M
A
2 3 1
1 0 0
B
1 2
1 2
End
END2
fewest-gen -l mixed.puzzle
fewest show --json ./mixed.dtab
cat >gate.puzzle <<'END2'
Set BEAD 3 1
Solved
BEAD
1 2 3
End
Illegal BEAD 1 2 3
Illegal BEAD 3 1
Move M
BEAD
2 3 1
End
END2
fewest-gen gate.puzzle
fewest show --json ./gate.dtab
printf 'Name pair\nSlide 1 3\n' >pair.puzzle
fewest-gen pair.puzzle
fewest show --json ./pair.dtab
fewest show --json cubic
fewest show --json game 123456789
