# The pieces look alike, so the table counts distances to the solved state. Moves have no inverse.
printf '%s\n' 'Name oneway' 'Set A 5 1' 'Powers none' Solved A '1 1 2 2 3' End \
    'Move M' A '5 3 4 2 1' End 'Move N' A '4 2 3 1 5' End >oneway.puzzle
fewest-gen oneway.puzzle
fewest stats --tsv oneway.dtab
fewest stats --tsv --root 11223 oneway.dtab
