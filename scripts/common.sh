# Functions that the scripts share. Do not run this file. Each script begins with:
#     . "$(dirname "$0")/common.sh"
# This stops the script at the first failure, goes to the project's root, and defines the functions
# below. If the script's first argument is --help, it prints the script's head, and ends.
set -eu
cd "$(dirname "$0")/.."
build=build

# The head is the comment at the top of the script, after the line #!.
case ${1-} in
    -h | --help)
        sed -n '1d; /^#/!q; s/^# \{0,1\}//p' "scripts/${0##*/}"
        exit 0
        ;;
esac

say() {
    printf '%s\n' "$*"
}

fail() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# Prints a command, then runs it.
run() {
    say "+ $*"
    "$@"
}

# missing_packages COMMAND:PACKAGE … /PATH:PACKAGE … MODULE@PACKAGE …: prints the Debian packages of
# the commands, files and pkg-config modules that are missing.
missing_packages() {
    for need in "$@"; do
        case $need in
            /*) [ -e "${need%%:*}" ] || printf '%s ' "${need#*:}" ;;
            *@*) pkg-config --exists "${need%%@*}" 2>/dev/null || printf '%s ' "${need#*@}" ;;
            *) command -v "${need%%:*}" >/dev/null 2>&1 || printf '%s ' "${need#*:}" ;;
        esac
    done
}

# need COMMAND:PACKAGE … MODULE@PACKAGE …: installs the missing packages, or fails and names them.
need() {
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        fail "please install what Debian calls: $missing"
    elif [ "$(id -u)" -eq 0 ]; then
        sudo=
    elif command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        sudo=sudo
    else
        fail "this needs root or sudo: apt-get install -y --no-install-recommends $missing"
    fi
    # shellcheck disable=SC2086 # the packages are words
    {
        run $sudo env DEBIAN_FRONTEND=noninteractive apt-get update -q
        run $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
    }
    missing=$(missing_packages "$@")
    [ -z "$missing" ] || fail "still missing after the installation: $missing"
}

CORE='cc:gcc ninja:ninja-build meson:meson pkg-config:pkgconf zlib@zlib1g-dev libxxhash@libxxhash-dev musl-gcc:musl-tools
    bzip2:bzip2 clang:clang wasm-ld:lld /usr/include/wasm32-wasi:wasi-libc /usr/lib/clang/14/lib/wasi:libclang-rt-14-dev-wasm32'
TESTS='criterion@libcriterion-dev bats:bats parallel:parallel scdoc:scdoc mandoc:mandoc mpirun:openmpi-bin mpicc:libopenmpi-dev
    pytest-3:python3-pytest /usr/lib/python3/dist-packages/numpy:python3-numpy /usr/lib/python3/dist-packages/matplotlib:python3-matplotlib
    chromium:chromium chromedriver:chromium-driver /usr/lib/python3/dist-packages/selenium:python3-selenium npm:npm'

# links_statically: are the static libraries there that `fewest` needs?
links_statically() {
    echo 'int main(void) { return 0; }' | ${CC:-cc} -static -x c - -x none -lz -o /dev/null 2>/dev/null
}

# build_project OPTION…: sets up the build folder once, and builds the project with its tables.
# `fewest` is static if possible, because it starts faster then.
build_project() {
    scripts/sources >/dev/null || say 'The sources of zlib are not there: no page is built.'
    if [ ! -e "$build/build.ninja" ]; then
        if links_statically; then
            set -- -Dstatic_fewest=true "$@"
        fi
        run meson setup "$build" "$@"
    elif [ $# -gt 0 ]; then
        run meson configure "$build" "$@"
    fi
    run ninja -C "$build"
}
