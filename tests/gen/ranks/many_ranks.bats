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
    while kill -0 $! 2>/dev/null && ! grep -q 'layer 7:' log 2>/dev/null; do sleep 0.1; done
}

@test "tables have the same bytes from one to four ranks of one and two threads" {
    local puzzles=$SOURCE/tables/puzzles data=$SOURCE/tests/data
    agree '1 2 3 4' '1 2' "$puzzles"/{game,eight,cubic,magic,dice,flip,fifteen}.puzzle \
        "$data"/{lights55,2x2x2,skewb,bandaged,gates,topspin,pyraminx}.tws
}

@test "a large search has the same bytes from two and three ranks" {
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
        pkill "--$which" -r RS -KILL fewest-gen-mpi # not a zombie of the job before
        local status=0
        wait $! || status=$?
        [ "$status" -ne 0 ]
        [ "$(grep -c 'mpirun noticed that process rank .* exited on signal 9 (Killed)' all)" -eq 1 ]
        [ "$(ls -A)" = "$(printf 'all\nlog\nstderr')" ]
    done
}

@test "a stopped job goes on from its checkpoints, with the same number of ranks" {
    reference
    in_background 2 "${LOOPOVER[@]}" -o half.dtab --checkpoint saved "$half"
    pkill -INT mpirun
    local status=0
    wait $! || status=$?
    [ "$status" -ne 0 ]
    complains 'to go on from the checkpoints, run the same command again'
    [ -e saved ] && [ -e saved.1 ] && [ ! -e half.dtab ]
    for n in 1 3; do
        status=0
        ranks "$n" "${LOOPOVER[@]}" -o half.dtab --checkpoint saved "$half" || status=$?
        [ "$status" -eq 3 ]
        complains 'this checkpoint was saved by 2 ranks; run the command under `mpirun -n 2`'
        [ "$(echo saved*)" = 'saved saved.1' ]
    done
    mkdir kept
    cp saved saved.1 kept
    ranks 2 "${LOOPOVER[@]}" -o half.dtab --checkpoint saved -v "$half"
    ! grep -q 'layer 3:' all || return 1
    grep -q 'MiB sent, waited up to [0-9.]* s for rank [01]' all
    cmp half.dtab "$table"
    [ ! -e saved ] && [ ! -e saved.1 ]
    # A job can end while the ranks write a layer. Then one has fewer layers than the other, or none.
    rm half.dtab
    head -c 2000000 kept/saved >saved
    cp kept/saved.1 .
    ranks 2 "${LOOPOVER[@]}" -o half.dtab --checkpoint saved -v "$half"
    grep ' layer ' all | head -1 | grep -q 'layer [2-6]: .* from the checkpoint'
    cmp half.dtab "$table"
    rm half.dtab
    cp kept/saved.1 .
    ranks 2 "${LOOPOVER[@]}" -o half.dtab --checkpoint saved -v "$half"
    grep -q 'layer 0:' all
    cmp half.dtab "$table"
}

@test "ranks that are killed again and again end with the same table" {
    printf 'Name ring\nSet X 11 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 7 8 9 10 11 1\nEnd\nMove B\nX\n3 1 2 4 5 6 7 8 9 10 11\nEnd\n' >ring.puzzle
    "$gen" -o whole.dtab --name ring ring.puzzle
    local kills=0
    for try in $(seq 20); do
        ranks 3 -o ring.dtab --checkpoint saved ring.puzzle &
        sleep "0.$((RANDOM % 900 + 100))"
        pkill -r RS -KILL fewest-gen-mpi && kills=$((kills + 1))
        wait $! || true
        [ ! -e ring.dtab ] || { cmp ring.dtab whole.dtab && rm ring.dtab; }
    done
    [ "$kills" -gt 5 ]
    ranks 3 -o ring.dtab --checkpoint saved ring.puzzle
    cmp ring.dtab whole.dtab
}
