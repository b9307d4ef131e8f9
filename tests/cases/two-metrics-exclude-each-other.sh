fewest-gen --quarter-turns --listed-moves "$SOURCE/tables/puzzles/game.puzzle"
