cat >board <<'BOARD'
3
 1  2  3
 4  5  6
 0  7  8
BOARD
fewest steps eight @board
fewest path eight - <board
fewest show eight - <board
fewest rank eight @board
fewest parity 3x3 @board
printf '4 4\n 1  2  3  4\n 5  6  7  8\n 9 10 11 12\n13 14  0 15\n' | fewest steps fifteen -
printf '2 2 2\n12 34\n56 07\n' | fewest steps slide222 -
# The size also stands before START and TARGET.
{ cat board && printf '1 2 3\n4 5 6\n7 * 8\n'; } | fewest steps eight -
# Only the size itself is one: of 2 rows and 4 columns, it is not 4 2.
printf '2 4\n0123\n4567\n' | fewest steps seven -
printf '4 2\n0123\n4567\n' | fewest steps seven -
# If the cells fit, no line is the size.
printf '3\n1 2\n0 4 5\n6 7 8\n' | fewest show eight -
# A line of a batch is a query.
fewest batch eight board
