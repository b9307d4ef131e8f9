# OEIS A046164 also has 10 paths of 30 moves.
fewest path --all eight 87654321x
fewest path --how-many eight 87654321x
fewest path --all -n 2 eight 87654321x
fewest path --all --json eight 12345x786
fewest path --how-many --json eight 87654321x
fewest path --how-many fridge ++++++++++++++++
# Two sequences are two paths: every order of the moves counts.
fewest path --all game --moves 'R1 C2'
fewest path --all game --moves 'R1 R2 R3'
fewest path --how-many game 123456789 '*5*******'
fewest path --all game 123456789 '*5*******'
# Up to two moves more: no state comes twice, and the first target ends a path.
fewest path --within 2 eight 1234x5786
fewest path --within 2 --json -n 1 eight 12345x786
fewest path --all eight 12345678x
fewest path --all eight 12345687x
fewest path --how-many eight 12345687x
fewest path --how-many --json eight 12345687x
fewest path --all --json eight 12345687x
printf '87654321x\n12345678x\nx\n12345687x\n' | fewest batch eight --how-many
fewest path --how-many --all eight 87654321x
fewest path -n 2 eight 87654321x
fewest path --all --show eight 87654321x
fewest path --all -n 0 eight 87654321x
fewest path --within 256 eight 87654321x
fewest path --all cubic RWWWEWWWR
fewest path --all --limit 5 eight 87654321x
fewest batch eight --how-many --path
# Options may stand before the command. A limit leaves out longer paths.
fewest --all -n 1 path eight 87654321x
fewest -n 0 path --all eight 87654321x
fewest path --within 4 eight 1234x5786 | wc -l
fewest path --within 4 --limit 3 eight 1234x5786
# Rolling cubes: START shows white tops, so it is known how its cubes lie.
fewest path --all cubic WWWWEWWWW WWWWEWWRW
fewest path --how-many cubic WWWWEWWWW RRRBEBRRR
fewest path --within 2 cubic WWWWEWWWW RRRBEBRRR >within
wc -l <within
sort -u within | cmp - within && awk '{print length($0)}' within | sort | uniq -c
fewest path --within 4 --json -n 2 cubic WWWWWWWWE 'RRR******'
printf 'WWWWWWWWE\nWWWWWWWWE RRRRRRRRE\nRWWWWWWWE\n' | fewest batch --how-many cubic
