# `Track 1` leaves out the orientations of the pieces 2 to 4, so `Solved` may give any of them.
printf '%s\n' 'Name turned' 'Set C 4 3' 'Solved' C '1 2 3 4' '0 1 2 0' End \
    'Move A' C '2 3 4 1' '1 1 1 0' End 'Track 1' >turned.puzzle
fewest-gen turned.puzzle
fewest steps turned.dtab --moves A '1 2 2 2 0 0 0 0'
fewest steps turned.dtab --moves A '1 2 2 2 0 1 2 0'
