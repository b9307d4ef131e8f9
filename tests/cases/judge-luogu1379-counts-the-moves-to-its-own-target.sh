# The sample of Luogu. A board that can't be solved gets -1, though the problem has none.
echo 283104765 | fewest judge luogu1379
echo 2 8 3 1 0 4 7 6 5 | fewest judge luogu1379
echo 123804765 | fewest judge luogu1379
echo 213804765 | fewest judge luogu1379
echo 283104766 | fewest judge luogu1379
echo 28310476 | fewest judge luogu1379
fewest judge luogu1379 </dev/null
