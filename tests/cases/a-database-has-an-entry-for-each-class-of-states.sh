# The two pairs of tiles have 16 x 15 / 2 x 14 x 13 / 2 = 10,920 states, and symmetries of the board that
# keep the pairs. Moves take the last three tiles to all of their 3,360 places.
set -- --database '1 11 | 3 9' --database '1 2 6'
fewest-gen --dry-run "$@" "$SOURCE/tables/puzzles/loopover44.puzzle" | grep '^entries '
fewest-gen -o loopover.dtab "$@" "$SOURCE/tables/puzzles/loopover44.puzzle"
fewest steps loopover.dtab --moves 'R1 C2 R3'
fewest check --deep loopover.dtab | sed 's/ in .*//'
