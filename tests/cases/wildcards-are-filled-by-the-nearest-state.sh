# Two states match the target; the nearer one counts.
fewest steps game 123456789 '3*2456789'
fewest path game 123456789 '3*2456789'
