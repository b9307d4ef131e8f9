fewest page ./nowhere.dtab
fewest page -o page.html ./nowhere.dtab
ls
