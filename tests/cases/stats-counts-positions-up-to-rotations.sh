# Four pieces in a square, and exchanges of neighbours: the turns and mirrors of the square are
# states that moves reach, and all take moves to moves. The second definition declares a turn, so its
# mirrors are no rotations. With the sequence, the turn takes some move to none.
cat >square.puzzle <<END
Name square
Set X 4 1
Solved
X
1 2 3 4
End
Move A
X
(1 2)
End
Move B
X
(2 3)
End
Move C
X
(3 4)
End
Move D
X
(4 1)
End
END
fewest-gen square.puzzle
fewest stats square.dtab --rotations
fewest stats square.dtab --rotations --symmetry --bars
fewest stats square.dtab --rotations --tsv
fewest stats square.dtab --rotations --tsv --symmetry
fewest stats square.dtab --rotations --json
fewest stats square.dtab --rotations --json --symmetry
fewest-gen --count --rotations square.puzzle
sed 's/square/declared/' square.puzzle >declared.puzzle
printf 'MoveSequence S A B\nMove z\nX\n(1 2 3 4)\nEnd\nRotation z\n' >>declared.puzzle
fewest-gen declared.puzzle
fewest stats declared.dtab --rotations --symmetry
fewest-gen --count --rotations declared.puzzle
