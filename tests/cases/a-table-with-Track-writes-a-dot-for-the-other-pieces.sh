fewest-gen --track 'CORNERS 1-2' -o two.dtab "$SOURCE/tests/data/2x2x2.tws"
fewest show two.dtab --moves 'U R'
state=$(fewest show two.dtab --moves 'U R' | tail -1)
fewest steps two.dtab "$state"
fewest path --json two.dtab "$state"
fewest unrank two.dtab "$(fewest rank two.dtab "$state")"
fewest stats two.dtab | grep farthest
fewest sample two.dtab --all --distance 1 | fewest batch two.dtab | uniq -c
fewest stats --tsv --matching '*1.....*******' two.dtab
# The number of any other piece is read as before.
fewest rank two.dtab '7 1 2 3 4 5 6 0 1 2 0 1 2 0'
fewest rank two.dtab '. 1 2 . . . . 0 1 2 0 0 0 0'
fewest steps two.dtab '. 1 . . . . . 0 0 0 0 0 0 0'
fewest steps two.dtab '. 1 2 . . . x 0 0 0 0 0 0 0'
# A puzzle with a letter `.` has numbers, as it always had.
printf '%s\n' 'Name dots' 'Set A 3 1' 'Set B 2 2' 'Letters B . +' Solved End \
    'Move a' A '2 3 1' B '1 2' '1 0' End 'Track A 1 B' >dots.puzzle
fewest-gen dots.puzzle
fewest unrank dots.dtab 0
fewest steps dots.dtab 312..
