# Alike pieces are called 9; states are typed without gaps. Other lines use the numbers of `Solved`.
printf '%s\n' 'Name Two Rings' 'Set A 5 1' Solved A '1 4 9 9 9' End \
    'Move a' A '2 3 4 5 1' End 'Move b' A '2 1 3 4 5' End >two.tws
fewest-gen two.tws 2>messages && ls *.dtab
fewest stats --tsv Two_Rings.dtab
fewest steps Two_Rings.dtab 33321
fewest-gen --dry-run --track 9 two.tws | head -2
fewest-gen --dry-run --track 3 two.tws
# `--name` wins over a name that can't be used.
sed "s/^Name .*/Name $(printf 'x%.0s' $(seq 70))/" two.tws >long.tws
fewest-gen --dry-run --name short long.tws | head -1
