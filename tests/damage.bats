# How the commands handle the damaged and forged tables that damage.c makes. DAMAGE_EACH is the
# number of tables of each class, and every command gets each of them. Without it there is one table
# of each class, and the commands take turns.
load tools/cli.bash

COMMANDS=(steps path batch stats check)

# run_on COMMAND TABLE: keeps the output in `out` and `err`, and the exit status in $status.
run_on() {
    local arguments=("$1" "$2")
    case $1 in
        steps | path) arguments+=("$(head -1 cases)") ;;
        batch) arguments+=(cases) ;;
    esac
    status=0
    timeout 60 "$fewest" "${arguments[@]}" >out 2>err || status=$?
}

# is_right COMMAND KIND: is the result the intact table's answer, or a proper error? A forged table
# may give another answer. The intact table's answer is in `COMMAND.out` and `COMMAND.status`.
is_right() {
    if [ "$1 $status" = 'check 1' ]; then
        [ ! -s out ] && [ -s err ] && ! grep -qv '^fewest: ' err
    elif [ "$status" -eq 3 ] && [ "$1" != check ]; then
        [ ! -s out ] || [ "$1" = batch ] || return 1
        [ "$2" = forged ] || cmp -s out <(head -n "$(wc -l <out)" "$1.out") || return 1
        [ "$(wc -l <err)" -eq 1 ] && grep -q '^fewest: .' err
    elif [ "$2" = forged ]; then
        [ "$status" -le 2 ]
    else
        [ "$1" != check ] && [ "$status" = "$(cat "$1.status")" ] && cmp -s out "$1.out"
    fi
}

# try_table TABLE: runs the commands on damaged copies of a table. Stops at the first wrong result
# and prints it.
try_table() {
    local file command turn=0
    if [ "${1##*/}" = fifteen.dtab ]; then # random boards would take long
        printf '%s\n' '1 2 3 4 5 6 7 8 9 10 0 12 13 14 11 15' '1 2 3 4 5 6 7 8 9 10 15 11 13 14 0 12' >cases
    else
        "$fewest" sample -n 4 --seed 1 "$1" >cases
    fi
    for command in "${COMMANDS[@]}"; do
        run_on "$command" "$1"
        mv out "$command.out"
        echo "$status" >"$command.status"
    done
    rm -f damaged-*.dtab forged-*.dtab
    "$BUILD/tests/damage" --write "${DAMAGE_EACH:-1}" . "$1" 2>seed
    for file in damaged-*.dtab forged-*.dtab; do
        for command in "${COMMANDS[@]}"; do
            [ -n "${DAMAGE_EACH:-}" ] || [ "$command" = "${COMMANDS[turn % 5]}" ] || continue
            run_on "$command" "./$file"
            is_right "$command" "${file%%-*}" && continue
            echo "$command $1, $file, $(cat seed): status $status"
            cat out err
            return 1
        done
        turn=$((turn + 1))
    done
}

@test "from a damaged table a command answers rightly, or with one line and its status; a forged one may lie" {
    for table in "$BUILD"/tables/*.dtab; do
        try_table "$table"
    done
}

@test "its judge notices a wrong answer, a wrong status, a silent or a long refusal, a crash and a blind check" {
    printf '1\n2\n' >steps.out
    cp steps.out batch.out
    echo 0 | tee steps.status batch.status >check.status
    judged() { # STATUS OUT ERR COMMAND KIND
        status=$1
        printf "$2" >out
        printf "$3" >err
        is_right "$4" "$5"
    }
    judged 0 '1\n2\n' '' steps damaged
    judged 3 '' 'fewest: x\n' steps damaged
    judged 3 '1\n' 'fewest: x\n' batch damaged
    judged 1 '' 'fewest: x\nfewest: y\n' check damaged
    judged 0 '3\n' '' steps forged
    ! judged 0 '3\n' '' steps damaged || return 1
    ! judged 1 '1\n2\n' '' steps damaged || return 1
    ! judged 3 '2\n' 'fewest: x\n' batch damaged || return 1
    ! judged 3 '1\n' 'fewest: x\n' steps damaged || return 1
    ! judged 3 '' '' steps damaged || return 1
    ! judged 3 '' 'fewest: x\nfewest: y\n' steps forged || return 1
    ! judged 3 '' 'sh: not found\n' steps forged || return 1
    ! judged 4 '' 'fewest: memory\n' steps forged || return 1
    ! judged 139 '' '' steps forged || return 1
    ! judged 124 '' '' steps forged || return 1
    ! judged 0 'intact\n' '' check damaged || return 1
}
