# z commutes with both moves. It counts unless a line declares it.
cat >two.puzzle <<END
Name two
Set P 6 1
Solved
P
1 2 3 4 5 6
End
Rotation x
Move A
P
(1 2)
End
Move B
P
(4 5)
End
Move x
P
(1 4)(2 5)
End
Move z
P
(3 6)
End
END
fewest-gen --dry-run two.puzzle | sed -n '1,2p; /^rotations/p'
echo 'Rotation z' >>two.puzzle
fewest-gen two.puzzle
fewest-gen --dry-run two.puzzle | sed -n '1,2p; /^rotations/p'
fewest steps two.dtab --moves 'z A z x B x'
# Sequences need not be taken to moves: x takes this one to B z.
echo 'MoveSequence one A z' >>two.puzzle
fewest-gen --dry-run two.puzzle | sed -n '1,2p; /^rotations/p'
# A rotation must take each other Move to a move.
sed 's/(1 4)(2 5)/(1 3)/' two.puzzle >wrong.puzzle
fewest-gen wrong.puzzle
