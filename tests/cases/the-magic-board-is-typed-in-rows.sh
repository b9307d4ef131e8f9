# The puzzle is typed in reading order. The judge's problem gives the same boards clockwise.
fewest path magic 1234/8765 1724/8635
fewest path magic 1234/8765 8275/1364
echo '12345678 17245368 12345678 82754631' | fewest judge hdu1430
