cat >beads.puzzle <<END
Name beads
Set A 4 3
Set B 2 1
Solved
A
1 2 3 4
B
1 2
End
Move turn
A
(1 2 3 4)
1 0 0 2
B
(1 2)
End
END
fewest-gen --track 'A 2' beads.puzzle
fewest rank beads.dtab '1 2 3 4 0 0 0 0'
fewest rank beads.dtab '4 2 1 3 1 0 2 2'
fewest unrank beads.dtab "$(fewest rank beads.dtab '4 2 1 3 1 0 2 2')"
