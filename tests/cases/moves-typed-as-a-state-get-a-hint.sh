# The first mistake of every cuber: moves in place of a state.
fewest path game "R1 C2"
fewest show game "R1 C2"
fewest steps game x
