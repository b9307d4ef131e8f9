# A MoveSequence is read like --moves: groups, conjugates and commutators.
cat >ring.puzzle <<END
Name ring
Set P 4 1
Solved
P
1 2 3 4
End
Move A
P
2 3 4 1
End
Move B
P
2 1 3 4
End
MoveSequence C [A, B]
MoveSequence D [A: B]2'
MoveSequence E (A B)2'
END
fewest-gen -q ring.puzzle
fewest show ring.dtab --moves C | tail -1
fewest show ring.dtab --moves "A B A' B'" | tail -1
fewest show ring.dtab --moves E | tail -1
fewest show ring.dtab --moves "B' A' B' A'" | tail -1
sed 's/\[A, B\]/[A, B/' ring.puzzle >open.puzzle
fewest-gen open.puzzle
sed 's/(A B)2/(A Q)2/' ring.puzzle >unknown.puzzle
fewest-gen unknown.puzzle
