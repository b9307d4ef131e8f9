# A slip in a block costs its own answer, and no other.
printf 'C1\n\nScramble a\nTILES\n1 2 3 4 5 6 7 8 9\nScramble b // two\n// comment\nTILES\n2 3 1 4 5 6 7 8 9 # three\nEnd\nC1\n' |
    fewest batch game --moves
printf 'Scramble a TILES 1 2 3 4 5 6 7 8 9 End\nScrambleAlg b\nR1\nEnd of it\nR1\n' | fewest batch game --moves
printf 'Scramble a\nEnd\n' | fewest steps eight --moves -
printf '# \v?\nCPOS' | fewest steps dice --moves -
printf 'Scramble a\n%s' "$(yes '# comment' | head -9999)" | fewest batch game --moves
{ echo ScrambleAlg a; yes R1 | head -4000 | tr '\n' ' '; echo; echo End; } | fewest batch game --moves
{ echo ScrambleAlg a; yes 'R1 ' | head -30000; echo End; } | fewest batch game --moves | sort | uniq -c

# Orientations that a block leaves out are 0, also where those of Solved are not.
cat >turned.tws <<'TWS'
Set B 3 2
Solved
B
1 2 3
1 0 1
End
Move t
B
(1 2 3)
1 1 0
End
TWS
fewest-gen turned.tws 2>messages || cat messages
printf 'Scramble a\nB\n2 3 1\nEnd\nScramble b\nB\n2 3 1\n0 0 0\nEnd\nScramble c\nEnd\n' | fewest batch turned.dtab --moves
fewest batch turned.dtab <<'STATES'
231000
STATES

# Look-alikes of two orbits begin with two orientations, which have no cells.
cat >orbits.tws <<'TWS'
Set S 6 2
Solved
S
2 1 2 1 2 2
0 1 1 0 0 1
End
Move X
S
(1 4 5)
End
Move Y
S
(2 3 6)
End
TWS
fewest-gen orbits.tws 2>messages || cat messages
printf 'Scramble a\nS\n1 2 1 2 2 2\n0 1 1 0 0 1\nEnd\n' | fewest batch orbits.dtab --moves
fewest steps orbits.dtab 121222

# With Track, a block has the pieces of the definition.
printf 'Set BEAD 3 1\nSolved\nEnd\nMove t\nBEAD\n2 3 1\nEnd\nTrack 2 3\n' >tracked.tws
fewest-gen tracked.tws 2>messages || cat messages
printf 'Scramble a\nBEAD\n3 1 2\nEnd\n' | fewest show tracked.dtab --moves - | tail -1
printf 'Scramble a\nBEAD\n(1 2 3)\nEnd\n' | fewest show tracked.dtab --moves -
