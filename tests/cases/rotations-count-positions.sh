# The corners of the 2x2x2, with all six faces.
grep -v ^Database "$SOURCE/tables/puzzles/cube.puzzle" >corners.puzzle
fewest-gen --count --rotations --track CORNERS corners.puzzle
fewest-gen --count --rotations --json --track CORNERS corners.puzzle | cut -d, -f 2-7
# A puzzle without rotations: each state is a position.
fewest-gen --count --rotations "$SOURCE/tables/puzzles/seven.puzzle" | tail -5
# Pieces that look alike: which state is a turn of another one is not known.
fewest-gen --count --rotations "$SOURCE/tests/data/identical.tws"
