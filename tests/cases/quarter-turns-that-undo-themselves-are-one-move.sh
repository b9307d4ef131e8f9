# Pieces of B look alike, so no state shows what R does. S turns pieces whose orientations do not
# count while it exchanges them. V does nothing at all: it counts with -l alone.
cat >q.tws <<EOF
Set A 3 1
Set B 3 1
Set C 2 3
Solved
A
1 2 3
B
1 1 1
C
1 2
? ?
End
Move R
B
2 3 1
End
Move S
C
2 1
1 0
End
Move U
A
2 1 3
End
Move V
End
Move W
A
2 3 1
End
EOF
for metric in '' -q -l; do
    fewest-gen $metric -f -o q.dtab q.tws
    fewest stats --tsv q.dtab | xargs
    fewest path q.dtab --moves none
done
# So is the inverse of such a move. Its name has no prime.
sed '/^Move [RSV]/,/^End/d' q.tws >u.tws
fewest-gen -q --generators "(U W U W2 U W)'" -f -o u.dtab u.tws
fewest path u.dtab --moves none
# A generator is named as the power of its move that it is: W2 of order 3 is W'.
for metric in '' -q -l; do
    fewest-gen $metric --generators 'U W2' -f -o u.dtab u.tws
    fewest path u.dtab --moves none
done
