# shellcheck shell=bash
# Completes fewest, fewest-gen and fewest-import in bash. Reads the commands, the options and their arguments from
# `fewest --help` and `fewest COMMAND --help`, so that it never differs from the programs.

# _fewest_offer WORDS: offers the WORDS that begin with $word.
_fewest_offer() {
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$1" -- "$word")
}

# _fewest_offer_files PATTERN…: offers files, or folders if no file matches.
_fewest_offer_files() {
    local pattern
    for pattern in "$@"; do
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -X "!$pattern" -- "$word")
    done
    [ ${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -d -- "$word")
    compopt -o filenames 2>/dev/null # fails outside a completion
}

# Offers the files that @FILE may name.
_fewest_offer_operand_files() {
    local i
    word=${word#@}
    _fewest_offer_files '*'
    compopt +o filenames 2>/dev/null # or a backslash would come before the @
    for i in "${!COMPREPLY[@]}"; do
        local slash=''
        [ ! -d "${COMPREPLY[i]}" ] || { slash=/ && compopt -o nospace 2>/dev/null; }
        printf -v "COMPREPLY[i]" '@%q%s' "${COMPREPLY[i]}" "$slash"
    done
}

_fewest() {
    local word=$2 help line commands command='' kind='' of_option='' i words=("$1") operands=() form=() ask=("$1")
    local -A takes=() # option: the kind of its argument, or nothing
    COMPREPLY=()
    for line in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do # bash splits --tables=DIR into three words and @FILE into two
        if [[ ${words[-1]} == @ ]]; then
            words[-1]=@$line
        elif [[ $line != = ]]; then
            words+=("$line")
        fi
    done
    [[ ${words[-1]} != @ ]] || unset 'words[-1]' # $word holds the @
    [[ $word != = ]] || word=''

    help=$("$1" --help 2>/dev/null) || return
    commands=" $(sed -n '/^Usage:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$help" | tr '\n' ' ')"
    for line in "${words[@]:1}"; do
        if [[ -z $command && $commands == *" $line "* ]]; then
            command=$line help=$("$1" "$line" --help 2>/dev/null)
        fi
    done
    while IFS= read -r line; do
        if [[ $line =~ ^' '+((-.), )?(--[a-z-]+)(' '([A-Z]+))?' ' ]]; then
            for i in "${BASH_REMATCH[3]}" ${BASH_REMATCH[2]}; do
                takes[$i]=${takes[$i]:-${BASH_REMATCH[5]}} # the same option may have no argument, too
            done
        elif [[ $line == Usage:* ]]; then # PROGRAM, COMMAND or [OPTION...], operands
            read -ra form <<<"$line"
            form=("${form[@]:3}")
        fi
    done <<<"$help"
    for ((i = 1; i < ${#words[@]}; i++)); do
        line=${words[i]}
        if [[ $line == -* && -n ${takes[$line]-} ]]; then
            i=$((i + 1))
            [ "$i" -lt "${#words[@]}" ] || of_option=${takes[$line]}
            [ "${takes[$line]}" != DIR ] || ask+=("$line" "${words[i]-}") # the folder of the tables
        elif [[ $line != -* && $line != "$command" ]]; then
            operands+=("$line")
        fi
    done

    if [[ -z $of_option && $word == -* ]]; then
        _fewest_offer "${!takes[*]}"
    elif [[ -z $of_option && -z $command && $commands != ' ' ]]; then
        _fewest_offer "$commands"
    else
        [[ ${form[0]-} == *... ]] && kind=${form[0]} || kind=${form[${#operands[@]}]-}
        kind=${kind//[].[]/} kind=${of_option:-${kind%%|*}} # [FILE] becomes FILE, TABLE... TABLE, PUZZLE|GRID PUZZLE
    fi
    case $kind:$of_option:$word in
        START::@* | TARGET::@* | NUMBER::@* | FILE::@* | STATE:*:@* | MOVES:*:@*) _fewest_offer_operand_files ;;
        PUZZLE:* | TABLE:* | NAME:*)
            _fewest_offer "$("${ask[@]}" list 2>/dev/null | cut -d ' ' -f 1)"
            _fewest_offer_files '*.dtab'
            ;;
        PROBLEM:*) _fewest_offer "$("${ask[@]}" judge --list 2>/dev/null | cut -c 1-20)" ;; # the first 20 columns hold the names
        DEFINITION:*) _fewest_offer_files '*.puzzle' '*.tws' '*.json' '*.gap' '*.csv' '*.def' ;;
        DIR:*) _fewest_offer_files ;;
        FILE:*) _fewest_offer_files '*' ;;
    esac
}

complete -F _fewest fewest fewest-gen fewest-import
