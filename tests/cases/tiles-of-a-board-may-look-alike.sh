# Two tiles that look alike, three colours with a gap in their numbers, two goals, and a line.
board() { # NAME SLIDE CELLS [CELLS]: a board with a solved state and perhaps a goal
    printf 'Name %s\nSlide %s\nSolved\nTILES\n%s\nEnd\n' "$1" "$2" "$3" >"$1.puzzle"
    [ -z "$4" ] || printf 'Goal\nTILES\n%s\nEnd\n' "$4" >>"$1.puzzle"
    fewest-gen --force "$1.puzzle" 2>messages || cat messages
}
board twins '2 3' '1 2 2 3 4 0'
fewest stats --tsv twins.dtab | tail -1
fewest path twins.dtab 423120
fewest path twins.dtab 122340 423120
fewest steps twins.dtab 423120 142230
fewest steps twins.dtab 423120 '*22**0'
fewest stats --symmetry twins.dtab | tail -2
fewest check --deep twins.dtab | sed 's, in .*,,'
board gap '2 3' '1 1 1 4 4 0'
fewest show gap.dtab --moves lu
fewest path gap.dtab 221110
board near '2 3' '1 1 1 2 2 0' '2 2 1 1 1 0'
fewest stats --tsv near.dtab | tail -1
fewest-gen --count near.puzzle | tail -3
board line '1 4' '1 1 2 0'
fewest parity line.dtab 1012
fewest parity line.dtab 2110
fewest parity gap.dtab 211120
board wrong '1 4' '1 1 2 0' '1 2 1 0'
board blanks '2 2' '1 0 2 0'
board blankless '2 2' '1 2 2 1'
printf 'Database 1 2 3\n' | cat twins.puzzle - >searched.puzzle
fewest-gen searched.puzzle
