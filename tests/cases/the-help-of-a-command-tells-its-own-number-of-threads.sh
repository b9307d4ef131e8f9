for command in steps path batch judge stats check export; do
    echo "$command $(fewest $command --help | grep threads)"
done
fewest -j 1 check dice
