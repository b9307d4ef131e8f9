# The completions of bash and zsh. They read --help. These tests compare them with what the programs
# take.
load ../../tools/cli.bash

# completed WORD…: prints what bash would complete the last word to, sorted. Bash passes @FILE as
# two words in COMP_WORDS, but whole as $2.
completed() {
    bash -c '. "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) before=${COMP_WORDS[COMP_CWORD - 1]} word=${!#}
        [ "$before" != @ ] || word=@$word
        _fewest "$1" "$word" "$before"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$SOURCE/scripts/completions/fewest.bash" "$@" | sort | xargs
}

# options_in FILE: prints the options that the help texts in FILE list, long and short.
options_in() {
    sed -n 's/^  *\(-[a-zA-Z],\)\{0,1\} *\(--[a-z-]*\) .*/\1 \2/p' "$1" | tr -s ' ,' '\n' | grep . | sort -u
}

# specs WORD…: prints what the completion tells zsh to complete, one specification a line. The
# completion needs only these two functions of zsh.
specs() {
    zsh -f -o extendedglob -c '_call_program() { shift; "$@" }; _arguments() { print -rl -- "$@" }
        words=("${@[2,-1]}"); . "$1"' zsh "$SOURCE/scripts/completions/_fewest" "$@"
}

zsh_options() {
    specs "$@" | grep -o '^-[a-zA-Z]*\[\|^--[a-z-]*\[' | tr -d '[' | sort | xargs
}

@test "bash and zsh complete the options that a command takes, and no other" {
    local commands
    commands=$(completed "$fewest" '')
    [ "$commands" = 'batch check export help judge list page parity path rank sample show stats steps unrank' ]
    for command in $commands; do
        "$fewest" "$command" --help
    done >help
    options_in help >options
    [ "$(wc -l <options)" -gt 20 ]
    for command in $commands; do
        while read -r option; do
            "$fewest" "$command" "$option" 1 </dev/null >out 2>stderr || true
            grep -q ' does not take --' stderr || printf '%s\n' "$option"
        done <options >taken
        [ "$(completed "$fewest" "$command" -)" = "$(xargs <taken)" ]
        ! command -v zsh >/dev/null || [ "$(zsh_options "$fewest" "$command" '')" = "$(xargs <taken)" ]
    done
    [ "$(completed "$fewest" -)" = '--help --tables --version -V -h -t' ]
    "$gen" --help >help
    [ "$(options_in help | wc -l)" -gt 20 ]
    [ "$(completed "$gen" -)" = "$(options_in help | xargs)" ]
    "$import" --help >help
    [ "$(completed "$import" -)" = "$(options_in help | xargs)" ]
}

@test "bash completes commands, puzzles, problems and files" {
    mkdir here
    touch here/{a.dtab,b.puzzle,c.tws,d.txt,e.kpuzzle.json}
    answers 0 'stats steps' completed "$fewest" st
    answers 0 "$("$fewest" list | cut -d ' ' -f 1 | sort | xargs)" completed "$fewest" steps ''
    answers 0 game completed "$fewest" path --cache 1M g
    answers 0 game completed "$fewest" parity ga
    answers 0 'fifteen flip fridge' completed "$fewest" judge --table f
    answers 0 "$("$fewest" judge --list | cut -c 1-20 | xargs -n 1 | sort | xargs)" completed "$fewest" judge ''
    answers 0 cdoj485 completed "$fewest" judge cd
    answers 0 'here/a.dtab here/b.puzzle here/c.tws here/d.txt here/e.kpuzzle.json' completed "$fewest" judge hdu1430 here/
    answers 0 here/a.dtab completed "$fewest" check game here/
    answers 0 'here/b.puzzle here/c.tws here/e.kpuzzle.json' completed "$gen" -v here/
    answers 0 here completed "$gen" he
    answers 0 here completed "$fewest" --tables he
    answers 0 here completed "$fewest" list --tables = he
    answers 0 '' completed "$fewest" steps game ''
    answers 0 '' completed "$fewest" list ''
    cp "$game" here/game.dtab
    sed 's/^Name .*/Name mine/' "$SOURCE/tests/corpus/definition/lamps" >mine.puzzle
    "$gen" -o here/mine.dtab mine.puzzle
    answers 0 mine completed "$fewest" --tables here steps mi
    answers 0 mine completed "$fewest" --tables = here steps mi
    answers 0 game completed "$fewest" judge --table = ga
}

@test "bash completes @FILE where a state, a number or an input is expected" {
    mkdir here
    touch here/{a,b}
    answers 0 '@here/a @here/b' completed "$fewest" steps game @ here/
    answers 0 @here/ completed "$fewest" show game @ he
    [[ " $(completed "$fewest" show game @) " == *' @here/ '* ]]
    answers 0 @here/a completed "$fewest" steps game @ here/b @ here/a
    answers 0 @here/ completed "$fewest" show game --from @ he
    answers 0 @here/ completed "$fewest" rank game --moves @ he
    answers 0 '' completed "$fewest" sample game --moves @ he # these have no argument
    answers 0 @here/ completed "$fewest" unrank game @ he
    answers 0 @here/ completed "$fewest" batch game @ he
    answers 0 '' completed "$fewest" steps @ he # @FILE can't name the puzzle
    answers 0 '' completed "$fewest" stats game --svg @ he
    answers 0 --json completed "$fewest" steps game @ here/a --js
}

@test "zsh completes the operands of a command" {
    command -v zsh >/dev/null || skip
    zsh -n "$SOURCE/scripts/completions/_fewest"
    [ "$(specs "$fewest" judge '' | grep '^[0-9*]' | xargs)" = '1:command:->command 2:PROBLEM: _fewest_kind PROBLEM operand 3:FILE: _fewest_kind FILE operand' ]
    [ "$(specs "$fewest" check '' | grep -c '^\*:TABLE: ')" -eq 1 ]
    [ "$(specs "$gen" '' | grep -c '^1:DEFINITION: ')" -eq 1 ]
    [ "$(zsh_options "$fewest" '')" = '--help --tables --version -V -h -t' ]
    "$gen" --help >help
    [ "$(zsh_options "$gen" '')" = "$(options_in help | xargs)" ]
}
