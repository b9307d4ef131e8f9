echo '2 3 4 1 5 x 7 6 8' | fewest judge POJ1077
