# What the shells complete. The completions read --help; here they are held to the manual page and to the programs.
load cli.bash

# completed WORD…: what bash would make of the last word, in order. It hands over @FILE in two words, and whole as $2.
completed() {
    bash -c '. "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) before=${COMP_WORDS[COMP_CWORD - 1]} word=${!#}
        [ "$before" != @ ] || word=@$word
        _fewest "$1" "$word" "$before"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$SOURCE/scripts/completions/fewest.bash" "$@" | sort | xargs
}

# options_of PROGRAM: of the manual page, long and short.
options_of() {
    sed -n '/^# OPTIONS/,/^# /s/^\(\*-.*\)/\1/p' "$SOURCE"/*/"${1##*/}.1.scd" | grep -o '\*-[a-zA-Z-]*\*' | tr -d '*' | sort
}

@test "bash completes every option and no other" {
    for program in "$fewest" "$gen"; do
        options_of "$program" >options
        [ "$(wc -l <options)" -gt 10 ]
        [ "$(completed "$program" -)" = "$(xargs <options)" ]
    done
}

@test "bash completes of each command the options that it takes" {
    for command in $(completed "$fewest" ''); do
        for option in $(options_of "$fewest"); do
            "$fewest" "$command" "$option" 1 </dev/null >out 2>stderr || true
            grep -q ' does not take --' stderr || printf '%s\n' "$option"
        done >taken
        [ "$(completed "$fewest" "$command" -)" = "$(xargs <taken)" ]
    done
}

@test "bash completes commands, puzzles, problems and files" {
    mkdir here
    touch here/{a.dtab,b.puzzle,c.tws,d.txt}
    answers 0 'batch check export help judge list parity path rank sample show stats steps unrank' completed "$fewest" ''
    answers 0 'stats steps' completed "$fewest" st
    answers 0 "$("$fewest" list | cut -d ' ' -f 1 | sort | xargs)" completed "$fewest" steps ''
    answers 0 game completed "$fewest" path --cache 1M g
    answers 0 game completed "$fewest" parity ga
    answers 0 'fifteen flip fridge' completed "$fewest" batch --with f
    answers 0 "$("$fewest" judge --list | cut -c 1-20 | xargs -n 1 | sort | xargs)" completed "$fewest" judge ''
    answers 0 cdoj485 completed "$fewest" judge cd
    answers 0 hdu1430 completed "$fewest" judge hdu14
    answers 0 wildcards completed "$fewest" help wild
    [ "$(completed "$fewest" help '' | wc -w)" -gt 20 ]
    answers 0 'here/a.dtab here/b.puzzle here/c.tws here/d.txt' completed "$fewest" judge hdu1430 here/
    answers 0 here/a.dtab completed "$fewest" check game here/
    answers 0 'here/b.puzzle here/c.tws' completed "$gen" -v here/
    answers 0 here completed "$gen" he
    answers 0 here completed "$fewest" --tables he
    answers 0 here completed "$fewest" --tables = he
    answers 0 here completed "$fewest" list --tables = he
    answers 0 '' completed "$fewest" steps game ''
    answers 0 '@here/a.dtab @here/b.puzzle @here/c.tws @here/d.txt' completed "$fewest" steps game @ here/
    answers 0 @here/ completed "$fewest" show game @ he
    [[ " $(completed "$fewest" show game @) " == *' @here/ '* ]]
    answers 0 '@here/a.dtab' completed "$fewest" steps game @ here/d.txt @ here/a
    answers 0 '' completed "$fewest" steps @ he # not a puzzle
    answers 0 '' completed "$fewest" stats game --svg @ he
    answers 0 @here/ completed "$fewest" show game --from @ he
    answers 0 --json completed "$fewest" steps game @ here/d.txt --js
    answers 0 '' completed "$fewest" list ''
    cp "$game" here/game.dtab
    sed 's/^Name .*/Name mine/' "$SOURCE/tests/corpus/definition/lamps" >mine.puzzle
    "$gen" -o here/mine.dtab mine.puzzle
    answers 0 mine completed "$fewest" --tables here steps mi
    answers 0 mine completed "$fewest" --tables = here steps mi
    answers 0 "$("$fewest" list | cut -d ' ' -f 1 | sort | xargs)" completed "$fewest" batch --with =
}

@test "zsh completes every option and the operands of a command" {
    command -v zsh >/dev/null || skip
    zsh -n "$SOURCE/scripts/completions/_fewest"
    # What the completion tells zsh, of which it needs no more than these two functions.
    specs() {
        zsh -f -o extendedglob -c '_call_program() { shift; "$@" }; _arguments() { print -rl -- "$@" }
            words=("${@[2,-1]}"); . "$1"' zsh "$SOURCE/scripts/completions/_fewest" "$@"
    }
    for program in "$fewest" "$gen"; do
        specs "$program" '' | grep -o '^-[a-zA-Z]*\[\|^--[a-z-]*\[' | tr -d '[' | sort >offered
        options_of "$program" | cmp - offered
    done
    [ "$(specs "$fewest" judge '' | grep '^[0-9*]' | xargs)" = '1:command:->command 2:PROBLEM: _fewest_kind PROBLEM operand 3:FILE: _fewest_kind FILE operand' ]
    [ "$(specs "$fewest" check '' | grep -c '^\*:TABLE: ')" -eq 1 ]
    [ "$(specs "$fewest" help '' | grep -c '^2:TOPIC: _fewest_kind TOPIC')" -eq 1 ]
    [ "$(specs "$gen" '' | grep -c '^1:DEFINITION: ')" -eq 1 ]
    [ "$(specs "$fewest" check '' | grep -c -e '^--tsv' -e '^--deep')" -eq 1 ]
}
