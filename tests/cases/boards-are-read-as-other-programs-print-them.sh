# Brackets, parentheses, braces and semicolons separate cells. They need no partner.
fewest steps eight '[[1,2,3],[4,5,6],[7,0,8]]'
fewest steps eight '(1, 2, 3, 4, 5, 6, 7, 0, 8)' '((1, 2, 3), (4, 5, 6), (7, 8, *))'
fewest steps fifteen '{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 0, 15}};'
fewest parity 3x3 '1,2,3;4,5,6;7,.,8]'
printf '%s\n' '1,2,3;4,5,6;7,0,8' '[123][456][.78] [123][456][78.]' | fewest batch eight
fewest steps eight '[[1,2,3],[4,5,9],[7,0,8]]' || true
fewest steps eight '[[1,2,3],[4,5,6],[7,0]]' || true
# An object of JSON is no board.
fewest steps eight '{"CORNERS": [1, 2]}' || true
# The input of a judge has no such signs.
printf '1 2 3 4 5 6 7 [0 8\n' | fewest judge poj1077
