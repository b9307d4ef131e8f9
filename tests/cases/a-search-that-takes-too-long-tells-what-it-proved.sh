# It takes seconds: 80 moves. The number that is proved depends on the machine.
echo '0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1' >hard
fewest steps --time 0.01 fifteen @hard 2>&1 | sed 's/at least [4-8][0-9] /at least N /'
fewest path --time 0.01 --json fifteen @hard 2>&1 | sed 's/\(at.least\(": \| \)\)[4-8][0-9]/\1N/'
printf '1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15\n' | cat - hard | fewest batch --time 0.01 fifteen | sed 's/>[3-7][0-9]$/>N/'
fewest batch --time 0.01 --json fifteen hard | sed 's/\(at_least": \)[4-8][0-9]/\1N/'
fewest steps --limit 3 --json game 819273546
fewest steps --time 0 game 123456789
fewest steps --time 1m game 123456789
