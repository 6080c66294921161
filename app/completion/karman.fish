# Completion of karman's command line in fish: `karman --complete` knows the words.
function __karman_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    test (count $current) -eq 1; or set current ''
    for line in (command $words[1] --complete $words[2..-1] $current 2>/dev/null)
        switch $line
            case :keys
            case :folders
                __fish_complete_directories $current
            case :files
                __fish_complete_path $current
            case ':files *'
                for extension in (string split ' ' $line)[2..-1]
                    __fish_complete_suffix .$extension
                end
            case '*'
                echo $line
        end
    end
end
complete -c karman -f -a '(__karman_complete)'
