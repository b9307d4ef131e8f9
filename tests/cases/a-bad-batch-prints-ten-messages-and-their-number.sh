# Every bad line still answers `error`.
(seq 1 9; echo 123456789; seq 1 9) | fewest batch game 2>messages
cat messages
