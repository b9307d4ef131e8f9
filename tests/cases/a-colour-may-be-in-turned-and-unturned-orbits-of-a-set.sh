# Moves exchange slots 1 and 2, and turn the piece in slot 3. Piece 2 is in both orbits.
cat >last.tws <<EOF
Set B 3 2
Solved
B
1 2 2
End
Move U
B
2 1 3
End
Move V
B
1 2 3
0 0 1
End
EOF
# The same puzzle from right to left.
cat >first.tws <<EOF
Set B 3 2
Solved
B
2 2 1
End
Move U
B
1 3 2
End
Move V
B
1 2 3
1 0 0
End
EOF
for puzzle in last first; do
    fewest-gen $puzzle.tws
    fewest stats --symmetry --tsv $puzzle.dtab
    fewest-gen --database B -o searched.dtab -f $puzzle.tws
    for moves in V U 'V U'; do
        fewest path searched.dtab --moves "$moves"
    done
done
