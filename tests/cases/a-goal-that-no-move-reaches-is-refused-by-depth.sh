# 24 pieces that differ, and 24 that look alike: too many states to number. The goal exchanges them.
unlike=$(seq -s ' ' 1 24)
alike=$(yes 25 | head -24 | tr '\n' ' ')
cat >halves.puzzle <<END
Name halves
Set A 48 1
Solved
A
$unlike $alike
End
Goal
A
$alike $unlike
End
Move x
A
$(seq -s ' ' 2 24) 1 $(seq -s ' ' 26 48) 25
End
Move y
A
2 1 $(seq -s ' ' 3 48)
End
END
fewest-gen --depth 3 halves.puzzle
