# UVA 10181 begins with the number of cases. A byte order mark is skipped.
board='1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15'
printf '2\n%s\n%s\n' "$board" "$board" | fewest judge fifteen
printf '\357\273\277%s\n' "$board" | fewest judge fifteen
printf '\357\273\2771\n1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9\n' | fewest judge uestc485
printf '3\n%s\n%s\n' "$board" "$board" | fewest judge fifteen
