fewest steps game --moves "R1’ C2′ R1´ C3‘"
fewest steps game --moves "(R1 C1)3 // a group"
fewest steps game --moves "[R1, C1] [R1: C1]"
fewest steps game --moves "R1C2'"
fewest steps eight --moves "u2 l'"
fewest steps eight --moves "d2"
fewest steps eight --moves ULDR
fewest steps fifteen --moves "$(echo '15 14 1 6 9 11 4 12 0 10 7 3 13 8 5 2' | fewest judge fifteen)" \
    --from '15 14 1 6 9 11 4 12 0 10 7 3 13 8 5 2'
fewest steps fifteen --moves X
