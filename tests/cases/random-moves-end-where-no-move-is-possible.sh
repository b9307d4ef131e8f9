cat >stuck.puzzle <<'END'
Set A 3 1
Solved
A
1 2 3
End
Move M
A
2 3 1
End
Illegal A 1 2 3
END
fewest-gen stuck.puzzle -o stuck.dtab
fewest sample stuck.dtab --random-moves 3
