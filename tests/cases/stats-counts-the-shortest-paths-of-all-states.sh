fewest stats --how-many magic | tail -8
fewest stats --how-many --tsv game
fewest stats --how-many --json --symmetry fridge | sed 's/.*"classes"/"classes"/'
# The state with the most paths has as many as `path` counts.
fewest path --how-many game 132/798/465
# With several goals, the paths to all that are nearest count.
fewest stats --how-many flip | tail -2
fewest path --how-many flip bbbw/bbbb/bbwb/wbbw
# The number of threads does not matter.
fewest stats --how-many -j 1 eight >one
fewest stats --how-many -j 3 eight | cmp - one
# All sums agree with those of `batch`.
fewest sample seven --all >states
fewest batch seven states >steps
fewest batch seven --how-many states | paste steps - |
    awk '{ sum[$1] += $2; n[$1]++; if ($2 > most[$1]) most[$1] = $2 }
         END { for (d = 0; d in n; d++) printf "%d\t%d\t%.6f\t%d\n", d, n[d], sum[d] / n[d], most[d] }' >expected
fewest stats --how-many --tsv seven | awk -F '\t' '{ printf "%d\t%d\t%.6f\t%d\n", $1, $2, $3, $4 }' | diff expected -
fewest stats --how-many --root 5 eight
fewest stats --how-many --rotations game
fewest stats --how-many cubic | tail -2
fewest stats --how-many fifteen
