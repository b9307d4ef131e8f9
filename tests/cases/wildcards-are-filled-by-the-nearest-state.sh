# Two states match the target, and the distance to the nearer one is printed.
fewest steps game 123456789 '3*2456789'
fewest path game 123456789 '3*2456789'
