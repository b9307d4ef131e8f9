# The complete first case is answered. The message names the line where the input ends.
fewest judge aizu0121 <<END
0 1 2 3 4 5 6 7
1 0 2 3
END
