printf 'R1\n\nC1\n' | fewest batch game --moves
