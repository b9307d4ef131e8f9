# Slot 3 begins with another orientation, and stays. So a state shows no orientations.
cat >stays.tws <<EOF
Set A 4 2
Solved
A
9 9 9 9
0 0 1 0
End
Move M
A
2 4 3 1
End
EOF
fewest-gen stays.tws && fewest steps stays.dtab 1111
# Slot 2 is one of those that exchange pieces: a state shows where the turned piece is.
sed 's/0 0 1 0/0 1 0 0/' stays.tws >goes.tws
fewest-gen goes.tws && fewest path goes.dtab 11110001
# A goal has the orientations that the solved state has in each orbit.
sed 's/9 9 9 9/8 9 9 9/' stays.tws >one.tws
printf 'Goal\nA\n9 8 9 9\n0 0 1 0\nEnd\n' | cat one.tws - >goal.tws
fewest-gen goal.tws && fewest stats --tsv goal.dtab
printf 'Goal\nA\n9 8 9 9\n0 0 0 0\nEnd\n' | cat one.tws - >turned.tws
fewest-gen turned.tws
# A search for orientations gives each piece that of its orbit.
fewest-gen --database 'A 8 orientation 9' one.tws
fewest path one.dtab 2221
