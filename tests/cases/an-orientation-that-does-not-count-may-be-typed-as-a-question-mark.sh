printf '%s\n' 'Set A 3 2' Solved A '1 2 3' '? 0 0' End 'Move a' A '2 3 1' '0 1 1' End 'Move b' A '2 1 3' End >q.tws
fewest-gen q.tws 2>messages
fewest steps q.dtab "2 1 3 0 ? 0"
fewest steps q.dtab "2 1 3 ? 0 0"
