# Tests of fewest-gen as several ranks under Open MPI. scripts/check runs many_ranks.bats too.
load ranks

@test "a table has the same bytes from two ranks as from one process" {
    # The ring has three goals: each rank begins with its own.
    printf '%s\n' 'Set X 12 1' Solved X '1 1 1 1 1 1 2 2 2 2 2 2' End Goal X '2 2 2 2 2 2 1 1 1 1 1 1' End \
        Goal X '1 2 1 2 1 2 1 2 1 2 1 2' End 'Move A' X "$(seq -s ' ' 2 12) 1" End 'Move B' X "2 1 $(seq -s ' ' 3 12)" End >ring.puzzle
    agree '2 3' 1 "$SOURCE/tables/puzzles/game.puzzle" "$SOURCE/tables/puzzles/magic.puzzle" \
        "$SOURCE/tests/data/gates.tws" ring.puzzle
}

@test "one, two and three ranks count the same" {
    grep -v ^Database "$SOURCE/tables/puzzles/cube.puzzle" >corners.puzzle
    local options
    for options in '' --rotations --no-symmetry '--verify --rotations'; do
        # shellcheck disable=SC2086 # words
        "$gen" --count --json --track CORNERS --generators 'U R F' $options corners.puzzle >one
        for n in 1 2 3; do
            # shellcheck disable=SC2086 # words
            ranks "$n" --count --json --track CORNERS --generators 'U R F' $options corners.puzzle >many
            cmp one many
        done
    done
}

@test "a killed count of ranks goes on from its checkpoints, to the same counts" {
    # 20 million states: without symmetries, the search takes long enough to be killed.
    printf '%s\n' 'Set X 11 1' Solved End 'Move A' X "$(seq -s ' ' 2 11) 1" End 'Move B' X "3 1 2 $(seq -s ' ' 4 11)" End >ring.puzzle
    "$gen" --count --json --no-symmetry ring.puzzle >one
    local kills=0
    for _ in 1 2 3; do
        rm -f log
        ranks 2 --count --json --no-symmetry --checkpoint saved --log log ring.puzzle >many &
        # A run goes on from the last layer that all ranks have saved: any new layer is enough.
        while kill -0 $! 2>/dev/null && ! grep -qs ': layer [5-9]\|: layer [1-9][0-9]' log; do sleep 0.02; done
        ! pkill -KILL -P "$(pgrep -P $!)" fewest-gen || kills=$((kills + 1)) # children of mpirun
        wait $! || true
    done
    [ "$kills" -gt 0 ]
    ranks 2 --count --json --no-symmetry --checkpoint saved ring.puzzle >many
    cmp one many
    [ ! -e saved ] && [ ! -e saved.1 ]
}

@test "without mpirun, a program with MPI is a single process" {
    "$BUILD/gen/fewest-gen-mpi" -o game.dtab "$SOURCE/tables/puzzles/game.puzzle"
    cmp game.dtab "$game"
}

@test "a mistake is reported once, by all ranks together" {
    local status=0
    ranks 3 --threads 0 "$SOURCE/tables/puzzles/game.puzzle" || status=$?
    [ "$status" -eq 2 ]
    complains "--threads: expected a number from 1 to 64, got '0'"
    printf 'Name a\nSet X 2 1\nSolved\nEnd\nMove A\nX\n2 2\nEnd\n' >bad.puzzle
    status=0
    ranks 2 bad.puzzle || status=$?
    [ "$status" -eq 2 ]
    complains 'bad.puzzle: line 7'
    [ ! -e a.dtab ]
}

@test "ranks with different definitions stop at the start" {
    cp "$SOURCE/tables/puzzles/seven.puzzle" a.puzzle
    printf 'Name seven\nSlide 4 2\n' >b.puzzle
    local status=0
    mpirun -n 1 "$BUILD/gen/fewest-gen-mpi" a.puzzle : -n 1 "$BUILD/gen/fewest-gen-mpi" b.puzzle 2>all || status=$?
    [ "$status" -eq 2 ]
    grep '^fewest-gen: ' all >stderr
    complains 'rank 1: not the same definition or options as on rank 0; use the same program, files and options on all machines'
    [ ! -e seven.dtab ]
    status=0
    mpirun -n 1 "$BUILD/gen/fewest-gen-mpi" a.puzzle : -n 1 "$BUILD/gen/fewest-gen-mpi" --bad a.puzzle 2>all || status=$?
    [ "$status" -eq 2 ]
    grep '^fewest-gen: ' all >stderr
    complains 'rank 1: not the same version or command line as on rank 0'
}

@test "a disk that is full for one rank, or for the first, is an error of all" {
    local status=0
    steady_mpirun -n 1 "$BUILD/gen/fewest-gen-mpi" -o x.dtab "$SOURCE/tests/data/2x2x2.tws" : \
        -n 1 sh -c "ulimit -f 20; exec \"$BUILD/gen/fewest-gen-mpi\" -o x.dtab \"$SOURCE/tests/data/2x2x2.tws\"" 2>all ||
        status=$?
    ended_with 4
    grep '^fewest-gen: ' all >stderr
    complains "rank 1: "
    complains "can't write"
    status=0
    steady_mpirun -n 3 sh -c "ulimit -f 378; exec \"$BUILD/gen/fewest-gen-mpi\" -o x.dtab \"$SOURCE/tests/data/2x2x2.tws\"" 2>all ||
        status=$?
    ended_with 4
    grep '^fewest-gen: ' all >stderr
    complains "can't write"
    [ "$(ls)" = "$(printf 'all\nstderr')" ]
}

@test "--ranks plans for many processes, and refuses what is not a number of them" {
    "$gen" --dry-run --ranks 16 -j 1 --track 1-8 "$SOURCE/tables/puzzles/loopover44.puzzle" >plan
    grep -Eq '^memory +[0-9]+ MiB for a rank$' plan
    grep -Eq '^sent +at most [0-9]+ MiB in a layer, by all ranks$' plan
    grep -Eq '^time .* on 1 thread in each of 16 ranks$' plan
    for wrong in 0 -1 two 1.5 ''; do
        answers 2 '' "$gen" --dry-run --ranks "$wrong" "$SOURCE/tables/puzzles/game.puzzle"
        grep -qF -- "--ranks: expected a number from 1 to 1000000, got '$wrong'" stderr
    done
    answers 2 '' "$gen" --ranks 2 "$SOURCE/tables/puzzles/game.puzzle"
    grep -q -- '--ranks needs --dry-run' stderr
}
