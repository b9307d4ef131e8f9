# `Track` and `*` in `Solved` mean the same. The blank is 0, x, X or _, and `.` is another tile.
printf 'Name row\nSlide 4 4\nTrack 1-4\n' >row.puzzle
printf 'Name star\nSlide 4 4\nSolved\nTILES\n1 2 3 4\n* * * *\n* * * *\n* * * 0\nEnd\n' >star.puzzle
for name in row star; do
    fewest-gen "$name.puzzle" 2>messages
    fewest stats --tsv "$name.dtab" | tail -1
    fewest path "$name.dtab" '. . . . . . x . . . . . 4 3 2 1'
    fewest path "$name.dtab" '5 6 7 8 9 10 _ 11 12 13 14 15 4 3 2 1'
done
fewest show row.dtab --moves 'u3 l3' | tail -9
fewest check --deep row.dtab | sed 's, in .*,,'
fewest-gen --track '1-4 | 5-8 |' --dry-run row.puzzle
printf 'Slide 4 4\n' >plain.puzzle
fewest-gen --track '1-4 | 13-15 |' --dry-run plain.puzzle | head -2
fewest-gen plain.puzzle
# 25 cells fit if few tiles are told apart.
printf 'Slide 5 5\n' >large.puzzle
fewest-gen --track '1 2 3' -o large.dtab large.puzzle 2>messages
fewest stats --tsv large.dtab | tail -1
fewest-gen large.puzzle
fewest-gen --database '1 2 3' large.puzzle
