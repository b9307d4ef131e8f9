cat >board <<'BOARD'
# This puzzle is solvable.
3
1 2 3 # a row
4 5 6
7 0 8
BOARD
fewest steps eight @board
fewest path eight - <board
fewest parity 3x3 @board
fewest show eight @board
fewest rank eight - <board
printf '# first\n123456708 # one move\n\n  # last\n123456078\n' | fewest batch eight
printf '# first\n123456708 # one move\n' | fewest batch --parity 3x3
printf '# two states\n123456708\n123456780\n' | fewest rank eight -
printf '# a number\n0 # of a state\n' | fewest unrank game -
# If no line is a state, they are one together.
printf '# 7 appears twice\n1 2 3\n4 5 6\n7 0 7\n' | fewest rank eight -
# Where # is a letter, it begins no comment.
cat >lamps.puzzle <<'DEFINITION'
Name lamps
Set LAMP 3 2
Letters LAMP . #
Solved
End
Move left
LAMP
1 2 3
1 1 0
End
DEFINITION
fewest-gen lamps.puzzle
printf '# # .\n##. # off\n' | fewest batch lamps.dtab
