# x takes A to (1 2 4), which is no move. Without it, there would be 3 states.
cat >neither.puzzle <<END
Name neither
Set P 6 1
Solved
P
1 2 3 4 5 6
End
Move A
P
(1 2 3)
End
Move x
P
(3 4)
End
END
# Fv takes each move to itself.
sed 's/^Name.*/Name commutes/; s/^Move x/Move Fv/; s/(3 4)/(5 6)/' neither.puzzle >commutes.puzzle
# All moves have names of rotations.
sed 's/^Move A/Move y/' neither.puzzle >names.puzzle
# x takes A to B, and so does the sequence y. x counts if it has another name, or if it is a generator.
cat >swaps.puzzle <<END
Name swaps
Set P 6 1
Solved
P
1 2 3 4 5 6
End
Move A
P
(1 2)
End
Move B
P
(4 5)
End
MoveSequence y A x A
Move x
P
(1 4)(2 5)(3 6)
End
END
sed 's/^Move x/Move swap/; s/A x A/A swap A/' swaps.puzzle >renamed.puzzle
# x takes A to its inverse, so it takes a move to another.
sed 's/^Name.*/Name inverts/; s/(3 4)/(1 2)/' neither.puzzle >inverts.puzzle
for puzzle in neither commutes names swaps renamed inverts; do
    fewest-gen --dry-run $puzzle.puzzle | sed -n '1,2p; /^rotations/p'
done
fewest-gen --dry-run --generators 'A B x' swaps.puzzle | sed -n '1,2p; /^rotations/p'
fewest-gen -o named.dtab --generators 'A B x' swaps.puzzle
fewest path named.dtab 456123
fewest-gen swaps.puzzle
fewest path swaps.dtab --moves 'x A x'
