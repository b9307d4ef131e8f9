printf '%s\r' '# a comment' 'Name cr' 'Set A 3 1' Solved A '1 2 3' End 'Move a' A '2 3 1' End >cr.tws
fewest-gen --dry-run cr.tws | head -2
