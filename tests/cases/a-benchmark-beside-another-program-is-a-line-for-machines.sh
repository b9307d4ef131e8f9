# The line of `scripts/bench --tsv peer` goes to stdout, not to a file.
eval "$(sed -n '/^side_by_side()/,/^}/p' "$SOURCE/scripts/bench")"
form='%s\t%.3f\t%.3f\t%.4f\n'
side_by_side skewb 1.5 10 2 20
side_by_side 2x2x2 1.5 10 0 20
ls
