# Completion of karman's command line in bash: `karman --complete` knows the words.
_karman() {
    local line cur=${COMP_WORDS[COMP_CWORD]} extension
    [[ $cur == = ]] && cur= # bash takes --option=value for three words
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            :keys) compopt -o nospace 2>/dev/null ;;
            :folders | :files*)
                compopt -o filenames 2>/dev/null
                [[ $line != :files ]] || mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur")
                for extension in ${line#:*s}; do
                    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -X "!*.$extension" -- "$cur")
                done
                [[ $line == :files ]] || mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$cur")
                ;;
            *) COMPREPLY+=("${line%%$'\t'*}") ;;
        esac
    done < <("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _karman karman
