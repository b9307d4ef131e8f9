fewest-gen --output eight.dtab "$SOURCE/tables/puzzles/eight.puzzle"
fewest-gen --output flip.dtab "$SOURCE/tables/puzzles/flip.puzzle"
fewest-gen --output identical.dtab "$SOURCE/tests/data/identical.tws"
fewest-gen --output held.dtab "$SOURCE/tests/data/2x2x2-held.tws"
for table in eight flip identical; do
    fewest stats $table.dtab --rotations
done
fewest stats held.dtab --rotations --cache 64K
fewest stats eight.dtab --rotations --root 5
fewest stats eight.dtab --rotations --matching '1********'
fewest stats eight.dtab --rotations --svg x
