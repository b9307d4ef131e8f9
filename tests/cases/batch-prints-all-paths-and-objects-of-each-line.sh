printf '87654321x\n# a comment\n12345678x\nx\n12345687x\n12345x786 1234x5786\n' >lines
# Each path comes after the number of its query's line. The third line is solved: its path is empty.
fewest batch eight --all -n 2 lines
fewest batch eight --within 2 --limit 3 lines
fewest batch eight --json lines
fewest batch eight --json --path lines
fewest batch eight --json --all -n 1 lines
fewest batch eight --json --how-many lines
fewest batch eight --json --parity lines
fewest batch 3x3 --json --parity lines
fewest batch eight --json --limit 3 lines
printf 'd d\n\n# solved\nu' | fewest batch eight --json --moves
fewest batch eight -n 2 lines
fewest batch eight --all -n 0 lines
fewest batch eight --within 2 --path lines
# In any number of threads, the numbers of lines are right.
fewest sample game -n 20000 --seed 1 >many
fewest batch game many | awk '{print "{\"line\": " NR ", \"steps\": " $1 "}"}' >expected
for threads in 1 4; do
    fewest batch game -j $threads --json many | cmp - expected
done
fewest batch game -j 4 --all -n 1 many | cut -f 2 >first
fewest batch game --path many | cmp - first
