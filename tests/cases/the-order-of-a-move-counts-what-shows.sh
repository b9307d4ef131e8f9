# R has order 8 on A and 24 in all. Only A shows, so R2 is printed, not R10.
cat >rings.puzzle <<END
Name rings
Set A 8 1
Set B 3 1
Solved
A
1 2 3 4 5 6 7 8
B
1 2 3
End
Move R
A
(1 2 3 4 5 6 7 8)
B
(1 2 3)
End
Track A
END
fewest-gen rings.puzzle
fewest path rings.dtab --moves R6
# So it is if B shows nothing because its pieces look alike.
sed '/^Track/d; s/^1 2 3$/1 1 1/' rings.puzzle >alike.puzzle
fewest-gen --name alike alike.puzzle
fewest path alike.dtab --moves R6
# A move that shows nothing is one move.
sed 's/ 4 5 6 7 8$//; s/^1 2 3$/1 1 1/; s/^Set A 8/Set A 3/; s/ 4 5 6 7 8)/)/' alike.puzzle >nothing.puzzle
fewest-gen --name nothing nothing.puzzle
fewest stats --tsv nothing.dtab
fewest check --deep nothing.dtab | cut -d ' ' -f 1-7
