grep -v ^Database "$SOURCE/tables/puzzles/cube.puzzle" >corners.puzzle
costs() {
    fewest-gen --count --dry-run -j 1 --track CORNERS "$@" corners.puzzle | sed '/^memory/s/[0-9].*/N/; s/roughly [0-9.]*/roughly N/'
}
costs
costs --rotations
costs --no-symmetry
# What has no count.
fewest-gen --count --dry-run "$SOURCE/tables/puzzles/cubic.puzzle"
fewest-gen --count "$SOURCE/tables/puzzles/flip.puzzle"
fewest-gen --count "$SOURCE/tables/puzzles/fifteen.puzzle"
