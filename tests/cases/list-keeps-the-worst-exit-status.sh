# A file that can't be opened (status 4) comes before one that is no table (status 3).
mkdir folder
ln -s nowhere folder/a.dtab
echo not a table >folder/b.dtab
fewest list --tables folder >table-list
