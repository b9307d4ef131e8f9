echo '+1 1' | fewest judge uva1604
: | fewest judge uva1604
