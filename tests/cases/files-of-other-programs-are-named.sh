# GAP, JSON without orbits, a dictionary of Python, and the CSV of a contest with such dictionaries.
printf '%s\n' '# two triangles that share a point' 'M_A:=(1,2,3);' 'M_B:=(3,4,5);' 'Gen:=[' 'M_A,M_B' '];' >two.gap
echo '{"f0": [1, 2, 0, 3, 4], "r0": [0, 1, 3, 4, 2]}' >two.json
echo '[[1, 2, 0, 3, 4], [0, 1, 3, 4, 2]]' >list.json
echo "{'f0': [1, 2, 0, 3, 4], 'r0': [0, 1, 3, 4, 2]}" >two.py
printf 'puzzle_type,allowed_moves\r\ntwo,"%s"\r\n' "$(cat two.py)" >two.csv
for file in two.gap two.json list.json two.py two.csv; do
    fewest-gen --dry-run $file
done
fewest-gen --dry-run --goal two.json two.json
# What the messages say is right.
printf '%s\n' 'Set POINT 5 1' Solved End 'Move A' POINT '(1,2,3)' End 'Move B' POINT '(3,4,5)' End >gap.tws
printf '%s\n' 'Set POINT 5 1' Solved End 'MoveTransformation f0' POINT '1 2 0 3 4' End \
    'MoveTransformation r0' POINT '0 1 3 4 2' End >lists.tws
for file in gap.tws lists.tws; do
    fewest-gen --dry-run $file | sed -n 2p
done
# A definition with a fault is none of these.
printf 'Name a:=b;\nSet POINT 5\n' >bad.tws
fewest-gen --dry-run bad.tws
printf '\r\n# b\r\n\r\nM_A:=(1,2,3);\r\nM_B:=(3,4,5);\r\n' >crlf.gap
fewest-gen crlf.gap
