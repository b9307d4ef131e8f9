# `ScrambleAlg` has moves, `Scramble` and `CPOS` have cells. Each is one case; comments get no answer.
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
printf 'ScrambleAlg\nR\n' | fewest steps *.dtab --moves -
printf 'ScrambleAlg a\nR\n' | fewest steps *.dtab --moves -
printf 'ScrambleAlg a\n R\nEnd # one\nR U\nScrambleAlg End\n\nR2\n# two\nU\nEnd\n' | fewest batch *.dtab --moves
printf '%s\n' 'ScrambleState a' CORNER '1 0 2 3 4 5 6 7' End 'StartState b' CORNER '0 1 2 3 4 5 6 8' End |
    fewest batch *.dtab --moves
printf '%s\n' 'Scramble a' CORNER '2 1 3 4 5 6 7 8' '3 0 0 0 0 0 0 0' End 'CPOS 3069CFIL' 'CPOS 036' 'CPOS z069CFIL' \
    'Scramble b' CORNER '2 2 3 4 5 6 7 8' End 'Scramble c' End 'Scramble d' CORNER '2 1 3 4 5 6 7 8' |
    fewest batch *.dtab --moves
echo '{"CORNERS": {}}' | fewest steps *.dtab -
awk 'BEGIN { # a ring of 64 beads, whose numbers have two digits in CPOS
    print "Set BEAD 64 1\nSolved\nBEAD"; for (i = 1; i <= 64; i++) printf "%d ", i
    print "\nEnd\nMove t\nBEAD"; for (i = 1; i <= 64; i++) printf "%d ", i % 64 + 1
    print "\nEnd" }' >ring.tws
fewest-gen ring.tws 2>messages || cat messages
awk 'BEGIN { # each bead comes from three slots further on
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    for (i = 3; i < 67; i++) { n = i % 64; state = state int(n / 62) substr(digits, n % 62 + 1, 1) }
    print "CPOS " state }' | fewest path ring.dtab --moves -
