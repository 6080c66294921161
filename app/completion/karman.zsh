#compdef karman
# Completion of karman's command line in zsh: `karman --complete` knows the words.
_karman() {
    local line
    local -a candidates suffix
    for line in "${(@f)$(command ${words[1]} --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        case $line in
            :keys) suffix=(-S '') ;;
            :folders) _files -/ ;;
            :files) _files ;;
            :files*) _files -g "*.(${${line#:files }// /|})" ;;
            *$'\t'*) candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
            ?*) candidates+=("${line//:/\\:}") ;;
        esac
    done
    _describe -o karman candidates $suffix
}
if [[ $funcstack[1] == _karman ]]; then _karman "$@"; else compdef _karman karman; fi
