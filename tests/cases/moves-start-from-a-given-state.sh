fewest path game --from 312456789 --moves "R1 C2"
