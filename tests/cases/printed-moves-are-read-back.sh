# Moves called 1, 2, 3: `13` could be move 1, three times. Square-1 has moves such as (1,0).
printf '%s\n' 'Set LAMP 3 2' Solved LAMP '1 2 3' '0 0 0' End 'Move 1' LAMP '1 2 3' '1 1 0' End \
    'Move 2' LAMP '1 2 3' '1 1 1' End 'Move 3' LAMP '1 2 3' '0 1 1' End >lamps.tws
fewest-gen lamps.tws 2>messages
fewest path lamps.dtab 101
fewest steps lamps.dtab --from 101 --moves '1 3'
fewest steps lamps.dtab --from 101 --moves 13
printf '%s\n' 'Set A 4 1' Solved A '1 2 3 4' End 'Move (1,0)' A '2 3 4 1' End 'Move /' A '2 1 3 4' End >square.tws
fewest-gen square.tws 2>messages
fewest path square.dtab 3124
fewest steps square.dtab --from 3124 --moves "$(fewest path square.dtab 3124)"
fewest steps square.dtab --moves '(1,0)/ [/: (1,0)2] // groups and comments'
fewest-gen --dry-run --generators '(1,0)2 /' square.tws | head -2
