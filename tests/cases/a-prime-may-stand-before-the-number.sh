# F'2 is two turns of F'. All kinds of primes will do.
fewest path game --moves "R1'2"
fewest steps game --moves "R1’2 R1′1"
fewest path game --moves "(R1 C1)'2"
fewest path game --moves "(R1 C1)2'"
fewest show eight --moves "l'1 U'1 d'0 (u d)'2" --from 123405678
# One prime is enough, and it stands in one place.
fewest path game --moves "R1'2'" || true
# A number after the prime that is a move, too: R'2 may be R' 2.
printf '%s\n' 'Set A 4 1' Solved A '1 2 3 4' End 'Move R' A '2 3 4 1' End 'Move 2' A '2 1 3 4' End >two.tws
fewest-gen two.tws 2>messages
fewest path two.dtab --moves "R'2" || true
fewest path two.dtab --moves "(R')2"
fewest path two.dtab --moves "R' 2"
# A definition reads it, too.
printf '%s\n' 'Set A 5 1' Solved A '1 2 3 4 5' End 'Move R' A '2 3 4 5 1' End 'Move U' A '2 1 3 4 5' End \
    "MoveSequence S R'2 U" "MoveAlias T R'2" "Generators S T (R.U)'2" >words.tws
fewest-gen --listed-moves words.tws 2>messages || cat messages
fewest steps words.dtab --moves "R' R' U T' R R (R U)2 (R.U)'2"
sed '$d' words.tws >fewer.tws
fewest-gen -o fewer.dtab --generators "R2 (R U)'2" fewer.tws 2>messages || cat messages
fewest steps fewer.dtab --moves "(R U)2'"

