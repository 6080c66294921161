#!/usr/bin/env bash
# Several nodes on one machine. Each is a network namespace with an IPC namespace, and has several
# ranks: these share memory, and send to the other nodes over TCP. All the namespaces live inside one
# that the script enters first. Nothing of the machine's own network changes, and they end with it.
#
#   namespaces.sh KARMAN TEST_COMPOSITE SAME_PICTURES DATA FOLDER YIELD MPIEXEC
set -u
if [ "${1-}" != --inside ]; then
    user=()
    [ "$(id -u)" -eq 0 ] || user=(--user --map-root-user)
    for tool in ip nsenter unshare; do
        command -v "$tool" >/dev/null || { echo "skipped: there is no '$tool'"; exit 77; }
    done
    if ! "${@: -1}" --version 2>/dev/null | grep -q HYDRA; then
        echo "skipped: the launcher is not hydra, which can take nsenter for ssh"
        exit 77
    fi
    if ! unshare "${user[@]}" --net --mount -- sh -c 'mount -t tmpfs none /run && mkdir /run/netns &&
        ip link add bridge type bridge && ip netns add n1 && ip link add v1 type veth peer name eth0 netns n1'; then
        echo "skipped: this machine lets nobody make network namespaces"
        exit 77
    fi
    exec unshare "${user[@]}" --net --mount -- "$0" --inside "$@"
fi
shift
karman=$1 test_composite=$2 same_pictures=$3 data=$4 folder=$5 yield=$6 mpiexec=$7
nodes=3
failures=0
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1

# ---- Nodes 1 to 3, at 198.18.0.1 to 3, a range that is kept for tests ----------------------------

mount -t tmpfs none /run && mkdir /run/netns || exit 1
ip link set lo up
ip link add bridge type bridge && ip link set bridge up && ip addr add 198.18.0.254/24 dev bridge || exit 1
for ((node = 1; node <= nodes; node++)); do
    ip netns add "n$node" && ip link add "v$node" type veth peer name eth0 netns "n$node" &&
        ip link set "v$node" master bridge up && ip -n "n$node" link set lo up &&
        ip -n "n$node" addr add "198.18.0.$node/24" dev eth0 && ip -n "n$node" link set eth0 up || exit 1
done
# The launcher starts a proxy on each node by this, instead of ssh.
cat >enter <<'TEXT'
#!/usr/bin/env bash
while [ "${1#-}" != "$1" ]; do shift; done
node=${1##*.}
shift
exec nsenter --net="/run/netns/n$node" unshare --ipc /bin/sh -c "$*"
TEXT
chmod +x enter

# on HOSTS RANKS COMMAND...: runs it on nodes, such as "1:3 2:1" for three ranks and one. Ranks go
# around the nodes if these have fewer.
on() {
    local hosts= ranks=$2 node
    for node in $1; do
        hosts=$hosts${hosts:+,}198.18.0.$node
    done
    shift 2
    timeout -k 5 "${NAMESPACES_TIMEOUT:-60}" "$mpiexec" -launcher ssh -launcher-exec "$PWD/enter" \
        -iface bridge -hosts "$hosts" -n "$ranks" -genv UCX_TLS posix,tcp,self \
        -genv UCX_NET_DEVICES eth0,lo -genv LD_PRELOAD "$yield" "$@" >said.txt 2>&1 </dev/null
}

fail() {
    echo "FAILED: $*: $(tail -c 1000 said.txt)"
    failures=$((failures + 1))
}

# ---- Compositing: the serial picture -------------------------------------------------------------

on "1:2 2:2" 4 "$test_composite" nodes || fail "compositing on 2 nodes: exit code $?"
on "1:3 2:2" 5 "$test_composite" nodes || fail "compositing on ragged nodes: exit code $?"

# ---- Rendering: the picture of one rank ----------------------------------------------------------

cat >config.yaml <<TEXT
data: {file: $data, steps: 0}
image: {width: 160, height: 120, samples: 1}
camera: {position: [9, -9, 7], look_at: [3, 0, 2], up: [0, 0, 1], fov: 60}
layers:
  - outline: {}
  - volume: {field: pressure, range: [-1, 1], colors: viridis, opacity: [[0, 0.2], [1, 0.5]]}
output: {frames: picture.png}
TEXT
"$karman" render config.yaml --set output.frames=one.png --threads 1 >said.txt 2>&1 || fail "one rank"

# renders NODES HOSTS RANKS NAME [OPTION...]: the picture of one rank, and so many nodes in the first line.
renders() {
    local count=$1 hosts=$2 ranks=$3 name=$4
    shift 4
    on "$hosts" "$ranks" "$karman" render config.yaml --threads 1 --set "output.frames=$name.png" "$@" ||
        { fail "$name: exit code $?"; return; }
    head -1 said.txt | grep -q " on $count nodes;" || fail "$name: expected $count nodes in the first line"
    "$same_pictures" one.png "$name.png" >said.txt 2>&1 || fail "$name: differs from one rank"
}

renders 2 "1:2 2:2" 4 even
renders 2 "1:2 2:2" 4 even-again
cmp even.png even-again.png >said.txt 2>&1 || fail "the same command gave other bytes"
renders 2 "1:3 2:1" 4 ragged --set composite.algorithm=radix-k --set composite.by_nodes=true
renders 3 "1:2 2:2 3:1" 5 three --set composite.algorithm=tree --set composite.by_nodes=true
renders 2 "1:1 2:1" 4 dealt
renders 2 "1:2 2:2" 4 rectangles --set partition=screen

echo "8 runs on nodes, $failures failures"
[ "$failures" -eq 0 ]
