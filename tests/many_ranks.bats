# Slow tests of fewest-gen as several ranks under Open MPI, for scripts/check.
load ranks

LOOPOVER=(--name half --track 1-8)

# reference: makes the table of half of Loopover, 518,918,400 states, with one process.
reference() {
    half=$SOURCE/tables/puzzles/loopover44.puzzle
    table=$BATS_FILE_TMPDIR/half.dtab
    [ -e "$table" ] || "$gen" "${LOOPOVER[@]}" -o "$table" "$half"
}

# in_background N OPTION…: starts ranks, and waits until the search has begun layer 8.
in_background() {
    ranks "$@" -v --log log &
    until grep -q 'layer 7:' log 2>/dev/null; do sleep 0.1; done
}

@test "tables have the same bytes from one to four ranks of one and two threads" {
    local puzzles=$SOURCE/tables/puzzles data=$SOURCE/tests/data
    agree '1 2 3 4' '1 2' "$puzzles"/{game,eight,cubic,magic,dice,flip,fifteen}.puzzle \
        "$data"/{lights55,2x2x2,skewb,bandaged,gates,topspin,pyraminx}.tws
}

@test "a search with two bits a state has the same bytes from two and three ranks" {
    reference
    for n in 2 3; do
        ranks "$n" "${LOOPOVER[@]}" -o half.dtab "$half"
        cmp half.dtab "$table"
        rm half.dtab
    done
}

@test "a rank that dies ends the job with one message and no table" {
    reference
    for which in newest oldest; do
        rm -f log
        in_background 2 "${LOOPOVER[@]}" -o half.dtab "$half"
        pkill "--$which" -KILL fewest-gen-mpi
        local status=0
        wait $! || status=$?
        [ "$status" -ne 0 ]
        complains 'of 2 died; no table was made'
        [ "$(ls -A)" = "$(printf 'all\nlog\nstderr')" ]
    done
}

@test "a stopped job goes on from its checkpoints, with the same number of ranks" {
    reference
    export OMPI_MCA_odls_base_sigkill_timeout=4 # seconds, for a slow disk
    in_background 2 "${LOOPOVER[@]}" -o half.dtab --checkpoint saved "$half"
    pkill -INT mpirun
    local status=0
    wait $! || status=$?
    [ "$status" -ne 0 ]
    complains 'to go on from the checkpoints, run the same command again'
    [ -e saved.0 ] && [ -e saved.1 ] && [ ! -e half.dtab ]
    for n in 1 3; do
        status=0
        ranks "$n" "${LOOPOVER[@]}" -o half.dtab --checkpoint saved "$half" || status=$?
        [ "$status" -eq 3 ]
        complains 'this checkpoint was saved by 2 ranks; run the command under `mpirun -n 2`'
    done
    mkdir kept
    cp saved.* kept
    ranks 2 "${LOOPOVER[@]}" -o half.dtab --checkpoint saved -v "$half"
    ! grep -q 'layer 3:' all || return 1
    cmp half.dtab "$table"
    [ ! -e saved.0 ] && [ ! -e saved.1 ]
    # A job can end between the saves of two ranks. Then one has an older checkpoint, or none.
    rm half.dtab
    cp kept/saved.1 .
    ranks 2 "${LOOPOVER[@]}" -o half.dtab --checkpoint saved -v "$half"
    grep -q 'layer 3:' all
    cmp half.dtab "$table"
}
