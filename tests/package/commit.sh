#!/usr/bin/env bash
# --version prints the commit of the source, whenever it is built.
#
#   commit.sh CMAKE SOURCE_FOLDER
set -eu
cmake=$1 source=$2
command -v git >/dev/null || { echo "skipped: git is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_CEILING_DIRECTORIES=$folder
git_in() { git -C "$folder" -c user.name=nobody -c user.email=nobody@example.org "$@"; }

# expect TEXT: commit.c contains TEXT; it is rewritten only if it did not before.
expect() {
    "$cmake" -DSOURCE="$folder" -DTEMPLATE="$source/app/version/commit.c.in" \
        -DOUTPUT="$folder/commit.c" -P "$source/app/version/commit.cmake"
    grep -qF "return \"$1\";" "$folder/commit.c" || {
        echo "FAILED: expected '$1', found: $(grep return "$folder/commit.c")"
        exit 1
    }
}

expect unknown
git_in init -q
echo commit.c >"$folder/.gitignore"
echo one >"$folder/file"
git_in add -A
git_in commit -qm one
expect "$(git_in rev-parse --short=12 HEAD)"
touch -d 2000-01-01 "$folder/commit.c"
expect "$(git_in rev-parse --short=12 HEAD)"
[ "$(date -r "$folder/commit.c" +%Y)" = 2000 ] || { echo "FAILED: commit.c is written anew"; exit 1; }
echo two >"$folder/file"
expect "$(git_in rev-parse --short=12 HEAD), changed"
git_in commit -qam two
git_in tag v1
expect "$(git_in rev-parse --short=12 HEAD)"
