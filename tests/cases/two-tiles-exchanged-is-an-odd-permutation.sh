fewest steps game 123456789 123456798
fewest parity game 123456789 123456798
fewest parity game 123456789 '2*3456789'
