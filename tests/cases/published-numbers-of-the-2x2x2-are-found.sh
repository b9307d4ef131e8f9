# The numbers stand in tables/NUMBERS.md, too.
cube=$SOURCE/tables/numbers/cube222.puzzle
for options in '' -q -l; do
    for positions in '' --rotations; do
        # shellcheck disable=SC2086 # no option or one
        fewest-gen --count --tsv $options $positions "$cube" >counts
        echo "options: $options $positions"
        cut -f 2 counts | xargs
        cut -f 3 counts | xargs
    done
done
