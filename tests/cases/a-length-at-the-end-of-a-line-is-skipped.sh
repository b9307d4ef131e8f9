# Solvers print how many moves they found, in some metric; * is an optimal solution.
for length in '(2f)' '(2)' '(2f*)' '(2q*, 2f*)' '(2 moves)' '(2 HTM) // found' '( 2s )' '(2h)#'; do
    fewest steps game --moves "R1 C1$length"
done
printf '1. R1 C1 (2f*)\n2. (R2 C2 (2q)\n)2 (4f)\n' | fewest steps game --moves -
printf 'R1 C1 (2f)\r\n(0f)\nR1 (1f) C1\n' | fewest batch game --moves
# Anything else is moves: another text in the parentheses, or a length that something follows.
for moves in 'R1 (2f)2' 'R1 (2f) C1' '(R1 (2f))' 'R1 (2x)' 'R1 (2F)' 'R1 (1,0)' 'R1 (f)' 'R1 (2f' 'R1 (R4)' 'R1 (12345)'; do
    fewest steps game --moves "$moves" || true
done
# A length that can be read as moves is moves.
printf '%s\n' 'Set LAMP 3 2' Solved LAMP '1 2 3' '0 0 0' End 'Move 21' LAMP '1 2 3' '1 1 0' End \
    'Move 2f' LAMP '1 2 3' '1 1 1' End 'Move 3' LAMP '1 2 3' '0 1 1' End >lamps.tws
fewest-gen lamps.tws 2>messages
for moves in '21 3 (21)' '21 3 (2f)' '21 3 (33)' '21 3 (2)' '21 3 (2 moves)' '21 3 (3 moves)'; do
    fewest steps lamps.dtab --moves "$moves"
done
# In a block of a scramble file, lines end where they end in the file.
printf 'ScrambleAlg a\n1. R1 (1f) // one\n2. C1 (1f)\nEnd\n' >block.scr
fewest steps game --moves @block.scr
fewest batch game --moves block.scr
