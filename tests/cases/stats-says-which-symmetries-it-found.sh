# The symmetries are those of the moves. If there is only one move, no symmetry changes it.
fewest-gen --output game.dtab "$SOURCE/tables/puzzles/game.puzzle"
fewest-gen --output eight.dtab "$SOURCE/tables/puzzles/eight.puzzle"
printf 'Name one\nSet X 2 1\nSolved\nX\n1 2\nEnd\nMove A\nX\n(1 2)\nEnd\n' >one.puzzle
fewest-gen one.puzzle
for table in game eight one; do
    fewest stats $table.dtab --symmetry | sed -n '/^found/,$p'
done
