# Faults of fewest-gen, such as a signal, a full disk or too little memory. After each, the table is
# the whole old one or the whole new one, no other file is left, and the exit status says what
# happened.
load ../../tools/cli.bash

# make_old: puts an old table in place. Its puzzle has a move less, so that it differs from the new
# table.
make_old() {
    sed '/^Move C3/,/^End/d' "$SOURCE/tables/puzzles/game.puzzle" >old.puzzle
    "$gen" --name game -o old.dtab old.puzzle
    cp old.dtab game.dtab
}

# is_old_or_new: prints whether the table is the old or the new one. Fails if it is neither.
is_old_or_new() {
    if cmp -s game.dtab old.dtab; then
        echo old
    elif cmp -s game.dtab "$game"; then
        echo new
    else
        echo 'neither the old table nor the new one'
        return 1
    fi
}

# nothing_else: fails if there is a file that the test did not make.
nothing_else() {
    [ -z "$(ls -A | grep -v -x -e game.dtab -e old.dtab -e old.puzzle -e stderr -e out)" ] || { ls -A; return 1; }
}

# moment SEED MOST: prints a random time of at most MOST seconds.
moment() {
    awk -v seed="$1" -v most="$2" 'BEGIN { srand(seed); printf "%.3f", rand() * most }'
}

@test "killed at twenty random moments, the table is the old one or the new one" {
    make_old
    local seen=
    for try in $(seq 20); do
        cp old.dtab game.dtab
        "$gen" -j 2 --force -o game.dtab "$SOURCE/tables/puzzles/game.puzzle" 2>/dev/null &
        sleep "$(moment "$try" 0.1)"
        kill -KILL $! 2>/dev/null || true
        wait $! || true
        seen+=" $(is_old_or_new)" || return 1
        rm -f .fewest-gen.* # only SIGKILL may leave one, if the system has no unnamed files
        nothing_else
    done
    [[ $seen == *old* ]]
    cp old.dtab game.dtab
    "$gen" --force -o game.dtab "$SOURCE/tables/puzzles/game.puzzle"
    [ "$(is_old_or_new)" = new ]
}

@test "interrupted, it says so with its status, 128 and the signal, and leaves nothing" {
    make_old
    for signal in INT:130 TERM:143 HUP:129; do
        local interrupted=
        for try in 1 2 3 4 5 6; do
            cp old.dtab game.dtab
            env --default-signal "$gen" --force -o game.dtab "$SOURCE/tables/puzzles/game.puzzle" 2>/dev/null &
            sleep "$(moment "$try" 0.1)"
            kill -"${signal%:*}" $! 2>/dev/null || true
            local status=0
            wait $! || status=$?
            [ "$status" -eq "${signal#*:}" ] || [ "$status" -eq 0 ]
            [ "$status" -eq 0 ] || interrupted=yes
            [ "$status" -ne 0 ] || [ "$(is_old_or_new)" = new ]
            is_old_or_new
            nothing_else
        done
        [ -n "$interrupted" ]
    done
}

@test "a full disk is status 4, and the old table stays" {
    mkdir disk
    # The disk is mounted in a new name space. If that is not allowed, the test is skipped.
    unshare -rm sh -c 'mount -t tmpfs -o size=200k none disk' 2>/dev/null || skip 'nothing may be mounted here'
    make_old
    unshare -rm sh -c '
        mount -t tmpfs -o size=200k none disk && echo "the old one" >disk/game.dtab || exit 99
        "$1" --force -o disk/game.dtab "$2" 2>stderr
        echo $? >out
        ls -A disk >>out
        cat disk/game.dtab >>out
        "$1" --checkpoint disk/saved --force -o game.dtab "$2" 2>>stderr
        echo $? >>out
        ls -A disk >>out' - "$gen" "$SOURCE/tables/puzzles/game.puzzle"
    [ "$(head -3 out)" = $'4\ngame.dtab\nthe old one' ]
    grep -q 'disk/game.dtab: .*No space left' stderr
    grep -Eq '^fewest-gen: warning: making the table of game needs up to [0-9]+ KiB of disk, but only 196 KiB is free in .*/disk; -o FILE can name another folder$' stderr
    rmdir disk
    is_old_or_new
}

@test "a search whose layers can't fit on the disk is refused before it begins" {
    mkdir disk
    unshare -rm sh -c 'mount -t tmpfs -o size=2m none disk' 2>/dev/null || skip 'nothing may be mounted here'
    printf 'Name ring\nSet X 11 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 7 8 9 10 11 1\nEnd\nMove B\nX\n3 1 2 4 5 6 7 8 9 10 11\nEnd\n' >ring.puzzle
    answers 4 '' unshare -rm sh -c 'mount -t tmpfs -o size=2m none disk && "$1" --log log -o disk/ring.dtab ring.puzzle' - "$gen"
    complains 'fewest-gen: making the table of ring needs at least 2436 KiB of disk, but only 2048 KiB is free in '
    complains '/disk; -o FILE can name another folder'
    ! grep layer log || return 1
}

@test "a disk too full for the layers of a large search is status 4, and the old table stays" {
    # 11 pieces, 20 million states: the search writes its layers to the disk, 20 MB.
    printf 'Name ring\nSet X 11 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 7 8 9 10 11 1\nEnd\nMove B\nX\n3 1 2 4 5 6 7 8 9 10 11\nEnd\n' >old.puzzle
    echo 'the old one' >ring.dtab
    for option in '' '--checkpoint saved'; do
        local status=0
        # shellcheck disable=SC2086 # words
        (ulimit -f 4096 && exec "$gen" $option --force -o ring.dtab old.puzzle) 2>stderr || status=$?
        [ "$status" -eq 4 ]
        tail -1 stderr | grep -Eq "^fewest-gen: .*: can't write layer [0-9]+( to a temporary file in this folder)?: File too large; the search needs up to 21 MiB, and the disk has [0-9]+ [KMG]iB left; make room, "
        [ "$(cat ring.dtab)" = 'the old one' ]
        [ -z "$(ls -A | grep -vx -e 'old.puzzle' -e 'ring.dtab' -e stderr -e saved)" ]
    done
}

@test "a folder that may not be written to is status 4" {
    local folder as=
    folder=$(mktemp -d "${TMPDIR:-/tmp}/folder.XXXXXX") # other users can reach this folder
    echo 'the old one' >"$folder/game.dtab"
    chmod 555 "$folder"
    chmod 644 "$folder/game.dtab"
    if [ "$(id -u)" -eq 0 ]; then # root may write to any folder
        as='setpriv --reuid=65534 --regid=65534 --clear-groups'
    fi
    # shellcheck disable=SC2086 # words
    $as test -x "$gen" -a -r "$SOURCE/tables/puzzles/game.puzzle" -a -r "$folder" || { rm -r "$folder"; skip 'nobody else may come here'; }
    local status=0
    # shellcheck disable=SC2086 # words
    $as "$gen" --force -o "$folder/game.dtab" "$SOURCE/tables/puzzles/game.puzzle" >out 2>stderr || status=$?
    local left
    left="$(ls -A "$folder") $(cat "$folder/game.dtab")"
    rm -r "$folder"
    [ "$status" -eq 4 ]
    grep -q "$folder/game.dtab: can't make a file in its folder: Permission denied" stderr
    [ "$left" = 'game.dtab the old one' ]
}

@test "two generators at once on one file: one of the two tables, whole" {
    make_old
    for try in 1 2 3 4 5 6; do
        "$gen" --force -o game.dtab "$SOURCE/tables/puzzles/game.puzzle" &
        local first=$!
        "$gen" --force -o game.dtab old.puzzle
        wait "$first"
        is_old_or_new
        nothing_else
    done
}

@test "a temporary file that a killed generator of the same number has left is in nobody's way" {
    make_old
    sh -c 'touch ".fewest-gen.$$.0" ".fewest-gen.$$.1" && exec "$@"' - "$gen" --force -o game.dtab "$SOURCE/tables/puzzles/game.puzzle"
    [ "$(is_old_or_new)" = new ]
    rm .fewest-gen.*.0 .fewest-gen.*.1
    nothing_else
}

@test "where the system has no files without a name, the same holds" {
    ! grep -q -e __asan_init -e __tsan_init "$gen" || skip 'an instrumented program wants to be loaded first'
    cat >"$BATS_FILE_TMPDIR/open.c" <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
    va_end(arguments);
    if ((flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return openat(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
END
    $CC -shared -fPIC -o "$BATS_FILE_TMPDIR/open.so" "$BATS_FILE_TMPDIR/open.c" || skip 'no shared library can be made'
    make_old
    export LD_PRELOAD=$BATS_FILE_TMPDIR/open.so
    # The table and its checkpoint are in one folder. A killed generator with the same process
    # number has left its file there.
    sh -c 'touch ".fewest-gen.$$.0" && exec "$@"' - "$gen" --checkpoint saved --force -o game.dtab \
        "$SOURCE/tables/puzzles/game.puzzle" 2>stderr
    [ ! -s stderr ]
    [ "$(is_old_or_new)" = new ]
    rm .fewest-gen.*.0
    nothing_else
    cp old.dtab game.dtab
    local status=0
    (ulimit -f 8 && exec "$gen" --force -o game.dtab "$SOURCE/tables/puzzles/game.puzzle") 2>stderr || status=$?
    [ "$status" -eq 4 ]
    [ "$(is_old_or_new)" = old ]
    nothing_else
    printf 'Name ring\nSet X 11 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 7 8 9 10 11 1\nEnd\nMove B\nX\n3 1 2 4 5 6 7 8 9 10 11\nEnd\n' >old.puzzle
    status=0
    env --default-signal timeout --foreground -s INT --preserve-status 0.3 "$gen" -j 1 --checkpoint out --force -o game.dtab old.puzzle 2>stderr || status=$?
    [ "$status" -eq 130 ]
    [ -s out ]
    [ "$(is_old_or_new)" = old ]
    nothing_else
}

# survives_each_allocation TABLE OPTION...: makes TABLE with these arguments, and then again while
# one allocation after another fails. Prints how many of these runs made no table.
survives_each_allocation() {
    local table=$1 failed=0 number status
    shift
    "$gen" -j 1 -o "$table.expected" --name "${table%.dtab}" "$@"
    MADE=made LD_PRELOAD=$BATS_FILE_TMPDIR/malloc.so "$gen" -j 1 -o "$table" "$@"
    for number in $(seq "$(cat made)"); do
        rm -f "$table"
        status=0
        FAIL=$number LD_PRELOAD=$BATS_FILE_TMPDIR/malloc.so "$gen" -j 1 -o "$table" "$@" 2>stderr || status=$?
        case $status in
            0) cmp "$table" "$table.expected" || return 1 ;;
            4) [ ! -e "$table" ] && grep -q -e 'not enough memory' -e 'Cannot allocate memory' stderr && failed=$((failed + 1)) ;;
            *) echo "allocation $number: status $status"; cat stderr; return 1 ;;
        esac
    done
    echo "$failed"
}

# make_failing_malloc: makes a library in which allocation $FAIL fails.
make_failing_malloc() {
    ! grep -q -e __asan_init -e __tsan_init -e __gcov_exit "$gen" || skip 'an instrumented program has its own allocator'
    cat >"$BATS_FILE_TMPDIR/malloc.c" <<'END'
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static long made;

// Does this allocation fail? It is the one whose number is $FAIL.
static int fails(void)
{
    const char *number = getenv("FAIL");
    errno = ENOMEM;
    return ++made == (number ? atol(number) : 0);
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}

// Writes the number of allocations to the file $MADE.
__attribute__((destructor)) static void tell(void)
{
    long count = made;
    FILE *file = getenv("MADE") ? fopen(getenv("MADE"), "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", count);
        fclose(file);
    }
}
END
    $CC -shared -fPIC -o "$BATS_FILE_TMPDIR/malloc.so" "$BATS_FILE_TMPDIR/malloc.c" || skip 'no shared library can be made'
}

@test "if any one allocation fails, it is status 4 without a table, or the same table" {
    make_failing_malloc
    printf 'Name ring\nSet X 7 1\nSolved\nEnd\nMove A\nX\n2 3 4 5 6 7 1\nEnd\nMove B\nX\n2 1 3 4 5 6 7\nEnd\n' >ring.puzzle
    [ "$(survives_each_allocation ring.dtab ring.puzzle)" -gt 30 ]
}

@test "if any one allocation fails, a batch of threads is whole, or status 4" {
    make_failing_malloc
    MADE=made LD_PRELOAD=$BATS_FILE_TMPDIR/malloc.so "$fewest" batch game -j 2 <<<'312456789'
    [ -e made ] || skip 'a static program loads no library'
    "$fewest" sample game --count 20000 --seed 4 >cases
    "$fewest" batch game -j 2 cases >expected
    local failed=0 number status
    for number in $(seq 1 120); do
        status=0
        FAIL=$number LD_PRELOAD=$BATS_FILE_TMPDIR/malloc.so "$fewest" batch game -j 2 cases >out 2>stderr || status=$?
        case $status in
            0) cmp out expected || return 1 ;;
            4) grep -q 'not enough memory' stderr && failed=$((failed + 1)) ;;
            *) echo "allocation $number: status $status"; cat stderr; return 1 ;;
        esac
    done
    [ "$failed" -gt 20 ]
}

@test "without memory it is status 4 or done, whatever the limit, and the old table stays" {
    ! grep -q -e __asan_init -e __tsan_init "$gen" || skip 'an instrumented program needs all addresses'
    make_old
    local failed=0 done=0
    for limit in 3000 4000 5000 6000 7000 8000 9000 10000 12000 14000 17000 20000 30000 40000 80000 160000; do
        cp old.dtab game.dtab
        local status=0
        (ulimit -v "$limit" && exec "$gen" -j 2 --force -o game.dtab "$SOURCE/tables/puzzles/game.puzzle") 2>stderr || status=$?
        case $status in
            0) [ "$(is_old_or_new)" = new ] && done=$((done + 1)) ;;
            4) [ "$(is_old_or_new)" = old ] && [ -s stderr ] && failed=$((failed + 1)) ;;
            127) [ "$(is_old_or_new)" = old ] ;; # too little memory to start the program
            *) echo "status $status with $limit KiB"; cat stderr; return 1 ;;
        esac
        nothing_else
    done
    [ "$failed" -gt 0 ]
    [ "$done" -gt 0 ]
}

@test "a table that is put in place while it is read: the batch goes on with the old one" {
    make_old
    coproc "$fewest" batch ./game.dtab
    local pid=$COPROC_PID
    local cases=(312456789 123456789 "987654321 ***5*****" 912345678)
    printf '%s\n' "${cases[@]}" | "$fewest" batch old.dtab >expected
    local number=0 line
    for case in "${cases[@]}"; do
        printf '%s\n' "$case" >&"${COPROC[1]}"
        read -r -t 10 line <&"${COPROC[0]}"
        number=$((number + 1))
        [ "$line" = "$(sed -n "${number}p" expected)" ]
        "$gen" --force -o game.dtab "$SOURCE/tables/puzzles/game.puzzle"
    done
    [ "$(is_old_or_new)" = new ]
    eval "exec ${COPROC[1]}>&-"
    wait "$pid"
}

@test "batch -j answers where no thread can start" {
    ! grep -q -e __asan_init -e __tsan_init "$fewest" || skip 'an instrumented program wants to be loaded first'
    cat >create.c <<'END'
#include <errno.h>
#include <unistd.h>

int pthread_create(void *thread, const void *attributes, void *(*run)(void *), void *argument);
int pthread_create(void *thread, const void *attributes, void *(*run)(void *), void *argument)
{
    (void)thread, (void)attributes, (void)run, (void)argument;
    static const char TEXT[] = "no thread\n";
    return write(STDERR_FILENO, TEXT, sizeof TEXT - 1) > 0 ? EAGAIN : ENOMEM;
}
END
    $CC -shared -fPIC -o create.so create.c || skip 'no shared library can be made'
    LD_PRELOAD=$PWD/create.so "$fewest" batch game -j 3 <<<'312456789' >out 2>stderr
    grep -q 'no thread' stderr || skip 'a static program loads no library'
    [ "$(cat out)" = 1 ]
}
