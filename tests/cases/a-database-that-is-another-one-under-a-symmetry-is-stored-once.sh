# A shift takes the first row to the third. The fourth line repeats the first in another order, and
# the last one has no image.
set -- --database '1 2' --database '9 10' --database '1 2 6' --database '2 1' --database '1 6'
fewest-gen --dry-run "$@" "$SOURCE/tables/puzzles/loopover44.puzzle" | grep -E '^(entries|shared) '
fewest-gen -o loopover.dtab "$@" "$SOURCE/tables/puzzles/loopover44.puzzle"
fewest show loopover.dtab | grep '^# database'
fewest check --deep loopover.dtab | sed 's/ in .*//'
