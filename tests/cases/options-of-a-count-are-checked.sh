game=$SOURCE/tables/puzzles/game.puzzle
try() {
    fewest-gen "$@" "$game" 2>&1 | head -1
}
try --count --output game.dtab
try --count --force
try --count --database '1 2 3'
try --count --suggest
try --rotations
try --verify
try --no-symmetry
try --json
try --tsv
try --count --json --tsv
try --count --json --dry-run
try --count --tsv --dry-run
try --depth 3 --verify
try --depth 3 --rotations
try --depth 3 --checkpoint saved
try --depth 3 --dry-run
ls
