# Functions for the tests of several ranks under Open MPI.
load ../../tools/cli

setup_file() {
    command -v mpirun >/dev/null && [ -x "$BUILD/gen/fewest-gen-mpi" ] || skip 'Open MPI is not installed'
    # Root may run MPI, and there may be more ranks than processors. Ranks may use all processors.
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
    # What sanitizers find in MPI at its end is not ours.
    export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
}

# steady_mpirun ARGUMENT…: runs mpirun, and once more if mpirun itself crashes. Open MPI 4.1 did so
# when several ranks ended at once, about once in a hundred runs.
steady_mpirun() {
    local status=0
    mpirun "$@" || status=$?
    [ "$status" -lt 128 ] || { status=0; mpirun "$@" || status=$?; }
    return "$status"
}

# ended_with EXPECTED: is `status` the expected one? If not, shows it, and what mpirun printed.
ended_with() {
    [ "$status" -eq "$1" ] || { echo "status $status, expected $1"; cat all; return 1; }
}

# ranks N OPTION…: runs fewest-gen with N ranks. Keeps our messages in `stderr`, without mpirun's.
ranks() {
    local count=$1 status=0
    shift
    mpirun -n "$count" "$BUILD/gen/fewest-gen-mpi" "$@" 2>all || status=$?
    grep '^fewest-gen: ' all >stderr || true
    return "$status"
}

# agree COUNTS THREADS DEFINITION…: makes the tables of definitions with each number of ranks and
# threads, and fails unless the bytes are those of one process.
agree() {
    local counts=$1 threads=$2 definition name n j
    shift 2
    for definition; do
        name=$(basename "$definition")
        "$gen" --force --name "$name" -o one.dtab "$definition"
        for n in $counts; do
            for j in $threads; do
                ranks "$n" -j "$j" --force --name "$name" -o many.dtab "$definition" ||
                    { echo "$definition with $n ranks of $j threads"; cat all; return 1; }
                cmp one.dtab many.dtab
            done
        done
    done
}
