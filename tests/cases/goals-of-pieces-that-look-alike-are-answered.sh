# The table counts distances to the nearest of two goals. Two searches that meet answer for any
# TARGET, be it one of the goals.
printf '%s\n' 'Name ring' 'Set BEAD 6 1' Solved BEAD '1 1 1 2 2 2' End Goal BEAD '2 2 2 1 1 1' End \
    'Move turn' BEAD '2 3 4 5 6 1' End 'Move swap' BEAD '2 1 3 4 5 6' End >ring.puzzle
fewest-gen ring.puzzle
fewest stats --tsv ring.dtab
fewest path ring.dtab 212112
fewest path ring.dtab 222111 111222
fewest path ring.dtab 121212 222111
fewest path ring.dtab 111222 '2*2*1*'
fewest rank ring.dtab 222111 --moves
fewest stats --root 111222 ring.dtab
