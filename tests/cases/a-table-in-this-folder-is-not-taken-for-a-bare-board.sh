sed 's/^Name eight/Name 3x3/' "$SOURCE/tables/puzzles/eight.puzzle" >board.puzzle
fewest-gen board.puzzle
fewest stats 3x3 2>&1 | sed 's/ in .*; / in ...; /'
fewest steps ./3x3.dtab 123456708
fewest stats 4x4
