fewest show magic | sed -n '/^# fewest/,/^#$/p'
fewest show --help | grep 'show magic'
fewest path --help | grep 'path magic'
fewest path magic 1724/8635
fewest judge --help | tail -3
