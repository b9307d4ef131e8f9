# The numbers of the 3x3 board are published (Oleg Tarakanov), those of the 4x4 board are the first
# ones of OEIS A389728.
printf 'Name eight\nSlide 3 3 multi\n' >eight.puzzle
fewest-gen eight.puzzle 2>messages
fewest stats --tsv eight.dtab | cut -f 2 | xargs
fewest path eight.dtab 147208365
fewest show eight.dtab --moves "l2 u" | tail -6
fewest show eight.dtab --moves "l l u" | head -3
fewest steps eight.dtab --moves "l2' r2"
fewest steps eight.dtab --moves 'l3'
fewest path eight.dtab 012345678 '*****0**1'
fewest path eight.dtab 120453786 '123456***'
fewest check --deep eight.dtab | sed 's, in .*,,'
printf 'Name fifteen\nSlide 4 4 multi\n' >fifteen.puzzle
fewest-gen --count --depth 9 --tsv fifteen.puzzle | cut -f 2 | xargs
fewest-gen --database 1-8 --database 9-15 fifteen.puzzle
fewest-gen --suggest fifteen.puzzle
printf 'Name line\nSlide 1 12 multi\n' >line.puzzle
fewest-gen line.puzzle 2>messages
fewest show line.dtab --moves l11 | tail -2 | head -1
fewest steps line.dtab --moves L1
for target in '1 2 3 4 5 6 7 8 9 10 0 11' '0 1 2 3 4 5 6 7 8 9 10 11'; do
    fewest path line.dtab '1 2 3 4 5 6 7 8 9 10 11 0' "$target"
done
