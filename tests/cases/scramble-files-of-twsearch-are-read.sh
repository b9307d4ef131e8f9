# `ScrambleAlg` has moves, `Scramble` has cells. Each is one case; comments get no answer.
cat >two.scr <<'SCR'
# two scrambles
ScrambleAlg first # by moves
   (R U)2 R'
   U2
End

Scramble second
CORNER
2 1 3 4 5 6 7 8
0 0 0 0 0 0 0 0
End
Scramble third
CORNER
1 2 3 4 5 6
End
SCR
fewest-gen "$SOURCE/tests/data/2x2x2-held.tws" 2>messages || cat messages
fewest batch *.dtab --moves two.scr
printf 'Scramble a\nEDGE\n1 2\nEnd\n' | fewest steps *.dtab --moves -
head -5 two.scr | fewest steps *.dtab --moves -
fewest steps *.dtab --moves "(R U)2 R' U2"
fewest steps *.dtab --moves @two.scr
printf '# comment\n1. R U\n2. R // another\n\n' | fewest batch *.dtab --moves
printf '%s\n' '# R is once' '1. R' '2. U' | fewest steps *.dtab --moves -
printf 'ScrambleAlg\nEnd\n' | fewest steps *.dtab --moves -
printf 'ScrambleAlg a R End\nScrambleAlg b R U End # two\n' | fewest batch *.dtab --moves
printf 'ScrambleAlg End R End\nScrambleAlg c\nR U End # two\n' | fewest batch *.dtab --moves
echo '{"CORNERS": {}}' | fewest steps *.dtab -
