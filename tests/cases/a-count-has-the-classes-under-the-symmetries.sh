fewest-gen --count "$SOURCE/tables/puzzles/game.puzzle"
fewest-gen --count --tsv "$SOURCE/tables/puzzles/game.puzzle"
fewest-gen --count --json "$SOURCE/tables/puzzles/game.puzzle"
# Without symmetries: the same states, but no classes.
fewest-gen --count --tsv --no-symmetry --verify "$SOURCE/tables/puzzles/game.puzzle"
