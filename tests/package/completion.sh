#!/usr/bin/env bash
# Shells complete commands, options, files and the keys of --set.
#
#   completion.sh SHELL COMPLETION_FOLDER KARMAN
set -u
shell=$1 scripts=$2
PATH=$(dirname "$3"):$PATH # the scripts call karman
command -v "$shell" >/dev/null || { echo "skipped: $shell is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
touch "$folder/wake.yaml" "$folder/wake.h5" "$folder/wake.txt"
mkdir "$folder/wakes"
cd "$folder" || exit 1
failures=0

# Words as bash splits a line, with '=' as a word of its own; the last one is completed.
complete_bash() {
    bash -c 'source "$1"
        shift
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        "$(complete -p karman | sed "s/.*-F \([^ ]*\).*/\1/")"
        printf "%s\n" "${COMPREPLY[@]}"' completion "$scripts/karman" "$@"
}

complete_fish() {
    HOME=$folder fish --no-config -c "source '$scripts/karman.fish'; complete -C '$*'" | cut -f1
}

# completes WANTED UNWANTED WORD...: the last word becomes each of WANTED, and none of UNWANTED.
completes() {
    local wanted=$1 unwanted=$2 found word
    shift 2
    found=$("complete_$shell" "$@")
    for word in $wanted; do
        grep -qxF -- "$word" <<<"$found" || {
            echo "FAILED: '$*' lacks $word:" $found
            failures=$((failures + 1))
        }
    done
    for word in $unwanted; do
        ! grep -qxF -- "$word" <<<"$found" || {
            echo "FAILED: '$*' has $word:" $found
            failures=$((failures + 1))
        }
    done
}

case $shell in
    bash)
        completes "render" "info" karman ren
        completes "render compare --version" "wake.yaml" karman ""
        completes "--set --threads --resume --help" "--ranks" karman render --
        completes "wake.yaml wakes" "wake.txt render" karman render w
        completes "wake.yaml wake.h5" "wake.txt" karman info wake
        completes "camera.position= camera.fov=" "image.width=" karman render --set camera.
        completes "camera.fov=" "image.width=" karman render --set = camera.f
        completes "camera.fov=" "image.width=" karman compare -s camera.f
        completes "layers.3.volume.field=" "layers.0.volume.field=" karman render --set layers.3.volume.f
        completes "" "camera.fov= wake.yaml" karman render --threads ""
        completes "wake.txt wakes" "render" karman steer run replay w
        completes "wakes" "wake.yaml" karman compare --out w
        completes "radix-k" "tree" karman schedule rad
        completes "broadcast" "scatter" karman collectives broad
        completes "status halt" "" karman steer run ""
        completes "bash zsh fish" "" karman completion ""
        completes "karman" "combustor" karman example k
        ;;
    fish)
        completes "render" "info" karman ren
        completes "--set --threads" "--ranks" karman render --
        completes "wake.yaml" "" karman render w
        completes "camera.position= camera.fov=" "image.width=" karman render --set camera.
        completes "radix-k" "tree" karman schedule rad
        completes "broadcast" "scatter" karman collectives broad
        completes "--set=camera.fov=" "--set=image.width=" karman render --set=camera.f
        ;;
    zsh)
        # Completion in zsh needs a terminal, so this test only reads the script.
        zsh -n "$scripts/_karman" || failures=1
        zsh -f -c "fpath=('$scripts' \$fpath); autoload -U compinit; compinit -u -D
            [[ \$_comps[karman] == _karman ]]" || {
            echo "FAILED: zsh does not find _karman"
            failures=1
        }
        ;;
esac
echo "$failures failures"
[ "$failures" -eq 0 ]
