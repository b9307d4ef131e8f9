# The blank is typed as in a state.
printf 'Slide 2 3\nSolved\nTILES\n1 2 3\n4 5 x\nEnd\nGoal\nTILES\n_ 1 2 3 4 5\n0 0 0 0 0 0\nEnd\n' >a.puzzle
fewest-gen a.puzzle 2>messages
fewest steps a.dtab "1 2 3 4 x 5"
fewest steps a.dtab "1 x 2 3 4 5"
printf 'Slide 2 3\nSolved\nTILES\n1 2 3\n4 x\nEnd\n' >b.puzzle
fewest-gen b.puzzle
