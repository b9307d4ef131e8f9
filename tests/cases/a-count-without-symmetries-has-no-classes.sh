# The moves have no inverses, so the reflection of the ring is no symmetry.
cat >ring.puzzle <<END
Name ring
Set X 5 1
Solved
X
1 2 3 4 5
End
Move a
X
(1 2)
End
Move b
X
(1 2 3 4 5)
End
Powers none
END
fewest-gen --count ring.puzzle
fewest-gen --count --tsv --verify ring.puzzle
fewest-gen --count --json ring.puzzle
# The farthest state is the one from which the way is long.
fewest-gen ring.puzzle
fewest steps ring.dtab "$(fewest-gen --count ring.puzzle | sed -n 's/^farthest *//p')"
