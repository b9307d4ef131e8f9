printf 'Name broken\nSet TILE 3 1\nSolved\nTILE\n1 2 3\n' > broken.puzzle
fewest-gen broken.puzzle
