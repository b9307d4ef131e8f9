fewest-gen --quarter-turns --listed-moves "$SOURCE/tables/game.puzzle"
