# Only x moves the centers. They have cells if x is a generator, but not if a sequence undoes it.
cat >centers.puzzle <<END
Name centers
Set CENTER 3 1
Set EDGE 3 2
Solved
CENTER
1 2 3
EDGE
1 2 3
0 0 0
End
Move U
EDGE
(1 2)
1 0 0
End
Move F
EDGE
(1 3)
1 0 0
End
Rotation x
Move x
CENTER
(1 2)
EDGE
(2 3)
End
END
for generators in U 'U x' '(x U)' '(x U x)'; do
    fewest-gen --force --generators "$generators" centers.puzzle
    fewest show centers.dtab --moves U | tail -n 1
done
