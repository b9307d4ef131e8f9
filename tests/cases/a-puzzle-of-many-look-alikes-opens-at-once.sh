# The moves keep pairs of opposite beads together, so the states are listed. That took seconds for
# each command.
cat >ring.tws <<EOF
Set A 36 1
Solved
A
1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2
End
Move t
A
(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36)
End
Move s
A
(1 19)
End
EOF
fewest-gen ring.tws
fewest steps ring.dtab --moves s
fewest steps ring.dtab --moves 't s t2 s'
fewest stats ring.dtab | tail -4 | head -3
