# shellcheck shell=bash
# Completes fewest and fewest-gen in bash. The commands, the options and what each takes are read from --help, so that
# this can't lag behind the programs.

# _fewest_offer WORDS: those that the word at hand begins.
_fewest_offer() {
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$1" -- "$word")
}

# _fewest_offer_files PATTERN…: files, and where there are none, folders that may hold them.
_fewest_offer_files() {
    local pattern
    for pattern in "$@"; do
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -X "!$pattern" -- "$word")
    done
    if [ ${#COMPREPLY[@]} -eq 0 ]; then
        mapfile -t COMPREPLY < <(compgen -d -- "$word")
    fi
    compopt -o filenames 2>/dev/null # refused outside a completion
}

# _fewest_offer_kind KIND COMMAND…: things of a kind, as --help calls it; the command tells what there is.
_fewest_offer_kind() {
    local kind=${1//[].[]/} # of [FILE], TABLE...
    shift
    case ${kind%%|*} in
        PUZZLE | TABLE)
            _fewest_offer "$("$@" list 2>/dev/null | cut -d ' ' -f 1)"
            _fewest_offer_files '*.dtab'
            ;;
        NAME) _fewest_offer "$("$@" list 2>/dev/null | cut -d ' ' -f 1)" ;;
        TOPIC) _fewest_offer "$("$@" help 2>/dev/null | sed -n 's/.* tells of one of: //p')" ;;
        PROBLEM) _fewest_offer "$("$@" judge --list 2>/dev/null | cut -c 1-20)" ;; # two names, some have
        DEFINITION) _fewest_offer_files '*.puzzle' '*.tws' ;;
        DIR) _fewest_offer_files ;;
        FILE) _fewest_offer_files '*' ;;
    esac
}

_fewest() {
    local word=$2 help line option form count i piece of_option kind='' words=() operands=() ask=("$1")
    local -A takes=() only=() # of an option: what it takes; the commands that have it, where not all do
    local shape='^ +((-.), )?(--[a-z-]+)( ([A-Z]+))?  +(([a-z, ]+):)?'
    COMPREPLY=()
    help=$("$1" --help 2>/dev/null) || return
    while IFS= read -r line; do
        if [[ $line =~ $shape ]]; then
            for option in "${BASH_REMATCH[3]}" ${BASH_REMATCH[2]}; do
                takes[$option]=${BASH_REMATCH[5]}
                only[$option]=${BASH_REMATCH[7]}
            done
        fi
    done < <(sed -n '/^Options:/,/^$/p' <<<"$help")

    for piece in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do # --tables=DIR comes in three words, @FILE in two
        count=${#words[@]}
        if [[ $count -gt 0 && ${words[count - 1]} == @ ]]; then
            words[count - 1]=@$piece
        elif [ "$piece" != = ]; then
            words+=("$piece")
        fi
    done
    count=${#words[@]}
    if [[ $count -gt 0 && ${words[count - 1]} == @ ]]; then # and $word has its @
        words=("${words[@]:0:count-1}")
    fi
    [ "$word" != = ] || word=''
    for ((i = 0; i < ${#words[@]}; i++)); do
        option=${words[i]}
        if [[ -n ${takes[$option]-} ]]; then
            i=$((i + 1))
            [ "$i" -lt "${#words[@]}" ] || kind=${takes[$option]}
            [ "${takes[$option]}" != DIR ] || ask+=("$option" "${words[i]-}") # where tables are
        elif [[ $option != -* ]]; then
            operands+=("$option")
        fi
    done
    count=${#operands[@]}
    of_option=$kind

    if [[ -z $kind && $word == -* ]]; then
        for option in "${!takes[@]}"; do
            if [[ $count -eq 0 || -z ${only[$option]} || ", ${only[$option]}," == *", ${operands[0]},"* ]]; then
                _fewest_offer "$option"
            fi
        done
    elif [ -z "$kind" ]; then
        while read -ra form; do # a command and its operands, or operands alone
            if [[ ${form[0]} == [[:upper:]]* || ($count -gt 0 && ${form[0]} == "${operands[0]}") ]]; then
                kind=${form[count]-}
                [[ $count -lt 2 || ${form[1]} != *... ]] || kind=${form[1]}
            elif [ "$count" -eq 0 ]; then
                _fewest_offer "${form[0]}"
            fi
        done < <(sed -n '/^Usage:/,/^$/s/^  [^ ]* \([[-][^ ]* \)*//p' <<<"$help")
    fi
    if [[ $word == @* && $of_option =~ ^(STATE)?$ && ${kind//[].[]/} =~ ^(START|TARGET|STATE|INDEX|FILE)$ ]]; then
        word=${word#@}
        _fewest_offer_files '*'
        compopt +o filenames 2>/dev/null # or a backslash would come before the @
        for ((i = 0; i < ${#COMPREPLY[@]}; i++)); do
            [ ! -d "${COMPREPLY[i]}" ] || compopt -o nospace 2>/dev/null
            printf -v piece '@%q%s' "${COMPREPLY[i]}" "$([ ! -d "${COMPREPLY[i]}" ] || echo /)"
            COMPREPLY[i]=$piece
        done
        return
    fi
    _fewest_offer_kind "$kind" "${ask[@]}"
}

complete -F _fewest fewest fewest-gen
