# A group hides nothing: the error is that of the same moves outside of groups.
fewest path game --moves "R4 C1"
fewest path game --moves "(R4 C1)"
fewest path game --moves "[R1, C1 [R2: (C9 R1)2']]"
fewest path game --moves "(R1 (C1 (R2 Q’)))3"
fewest path eight --moves "(u x)"
fewest path cubic --moves "(q)"
printf 'R1 C1\n(R1\n C1 R4\n C2)2\n' >two.txt
fewest path game --moves @two.txt
printf '(R1 C1)\n(R4 C1)2\n[R1, (x)]\n' | fewest batch game --moves
printf 'ScrambleAlg a\nR1\n(R2 R4)2\nEnd\n' | fewest steps game --moves -
