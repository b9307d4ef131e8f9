# Four beads in a ring. Two groups of two, one group, and a group beside a bead that is told apart.
cat >ring.puzzle <<END
Name ring
Set X 4 2
Solved
X
1 2 3 4
End
Move T
X
2 3 4 1
1 0 0 0
End
Move S
X
2 1 3 4
End
END
for pieces in '1 2 | 3 4' 'place 1 3 |' '1 | 2 3'; do
    fewest-gen --force --track "$pieces" -o ring.dtab ring.puzzle
    fewest show ring.dtab --moves 'T S' | tail -1
    fewest stats --tsv ring.dtab
done
fewest steps ring.dtab '3 1 . 2 0 0 0 0'
fewest-gen --track 'orientation 1 | 2' ring.puzzle
fewest-gen --database '1 2 | 3 4' -o two.dtab ring.puzzle
fewest steps two.dtab --moves 'T S T S T'
fewest-gen --count --track '1 2 | 3 4' ring.puzzle
