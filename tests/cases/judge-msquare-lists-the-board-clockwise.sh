# The sample of USACO: the target, clockwise. The solved board gets an empty path. `path` reads rows.
echo 2 6 8 4 5 7 3 1 | fewest judge msquare
fewest path magic 1234/8765 2684/1375
echo 12345678 | fewest judge Luogu2730
echo 2 6 8 4 5 7 3 3 | fewest judge msquare
echo 2684573 | fewest judge msquare
printf '2 6 8 4\n5 7 9 1\n' | fewest judge msquare
printf '2 6 8 4\n5 7 3' | fewest judge msquare
