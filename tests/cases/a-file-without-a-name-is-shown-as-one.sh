fewest batch game @
fewest judge poj1077 ''
