#!/usr/bin/env bash
# Files and surroundings that are out to do harm: one sentence, no hang, no crash.
#
#   hostile.sh KARMAN MAKE_HOSTILE FOLDER PLUGIN_FOLDER
set -u
karman=$1 make_hostile=$2 folder=$3 plugins=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0
mkfifo fifo
head -c 100 /dev/zero >short

complain() {
    echo "FAILED: $*: $(tail -n 3 said.txt)"
    failures=$((failures + 1))
}

# refuses CODE TEXT COMMAND...
refuses() {
    local code=$1 text=$2 got
    shift 2
    timeout 60 "$@" >said.txt 2>&1
    got=$?
    [ "$got" -eq "$code" ] || complain "$*: exit code $got"
    grep -qF -- "$text" said.txt || complain "$*: nothing is said of '$text'"
}

# Where values lie.
while read -r kind text; do
    "$make_hostile" "$kind" "$kind.h5" || exit 1
    refuses 1 "$text" "$karman" render "$kind.h5" --field p -o out.png
    refuses 1 "$text" "$karman" info "$kind.h5"
done <<TEXT
link-pipe       fifo' is a pipe
link-circle     lead in a circle
virtual-pipe    fifo' is a pipe
virtual-circle  in a circle
virtual-self    in a circle
raw-pipe        takes values from 'fifo': a pipe
raw-short       takes values from 'short': it ends before its data do
raw-grid        takes values from 'fifo': a pipe
huge            bytes of coordinates, but 0 were written
huge-chunk      bytes of coordinates, but 500 were written
TEXT
"$make_hostile" huge-axes huge-axes.h5 || exit 1
text="1e+12 vertices, too many for 1 rank"
refuses 1 "$text" "$karman" info huge-axes.h5
refuses 1 "$text" "$karman" render huge-axes.h5 -o out.png
refuses 1 "$text" "$karman" convert huge-axes.h5 out.h5

# Others than steps and fields among them.
"$make_hostile" groups groups.h5 || exit 1
for text in "'self' in '/flow': it is no number" "'up' in '/flow/0/b': it is a group" \
    "'gone' in '/flow/0/b': it leads to nothing" "fields    1"; do
    refuses 0 "$text" "$karman" info groups.h5
done
[ ! -e out.png ] || complain "a picture"

# Code that a file asks for.
"$make_hostile" filter filter.h5 || exit 1
export HDF5_PLUGIN_PATH=$plugins
refuses 1 "KARMAN_HDF5_PLUGINS=1" "$karman" render filter.h5 --field p -o out.png
[ ! -e loaded ] || complain "a plugin is loaded"
KARMAN_HDF5_PLUGINS=1 refuses 0 "" "$karman" render filter.h5 --field p -o out.png
[ -e loaded ] || complain "no plugin is loaded"

# Configs.
{ printf 'a: ' && head -c 300000 /dev/zero | tr '\0' '['; } >deep.yaml
refuses 2 "nested too deeply" "$karman" render deep.yaml
for name in b c d e f g h i; do echo "$name: &$name [*${prev:-b}, *${prev:-b}]"; prev=$name; done >alias.yaml
refuses 2 "aliases (*name) are not supported" "$karman" render alias.yaml

# Limits of the process.
picture=("$karman" render sound.h5 --field p --set image.width=64 --set image.height=48)
"$make_hostile" sound sound.h5
(ulimit -s 256 && refuses 2 "ulimit -s 8192" "${picture[@]}" && [ "$failures" -eq 0 ]) || failures=$((failures + 1))
refuses 2 "at most 4096 threads" env OMP_NUM_THREADS=100000 "${picture[@]}"
refuses 2 "OMP_STACKSIZE=100k" env OMP_STACKSIZE=100k "${picture[@]}"

# Its reader ends at once.
{ timeout 60 "${picture[@]}" -o read.png; echo "$?" >code; } 2>said.txt | true
[ "$(cat code)" = 0 ] && [ -e read.png ] || complain "a reader that ended: exit code $(cat code)"

# A crash ends the program, and no handler of the network's library runs.
mkfifo said
("${picture[@]}" --set image.width=4000 --set image.height=4000 -o crash.png >said 2>said.txt; echo "$?" >code) &
read -r _ <said
kill -SEGV "$(pgrep -P $!)"
wait $!
[ "$(cat code)" = 139 ] && ! grep -q backtrace said.txt || complain "a crash: exit code $(cat code)"

# A conversion without shared memory; the network's library is not asked for any.
if unshare -m mount -t tmpfs -o size=4k tmpfs /dev/shm 2>/dev/null; then
    refuses 0 "" env -u UCX_TLS unshare -m sh -c 'mount -t tmpfs -o size=4k tmpfs /dev/shm && "$0" convert sound.h5 converted.h5' "$karman"
else
    echo "skipped: a small /dev/shm (this needs the right to mount a tmpfs)"
fi
[ "$failures" -eq 0 ]
