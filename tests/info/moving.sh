#!/usr/bin/env bash
# A grid that moves: each picture is that of a file with this step alone, on any number of ranks.
#
#   moving.sh KARMAN SAME_PICTURES SCRIPT FOLDER PYTHON MPIEXEC…
set -u
karman=$1 same=$2 script=$3 folder=$4 python=$5
shift 5
mpiexec=("$@")
rm -rf "$folder"
mkdir -p "$folder"
"$python" -c 'import h5py' 2>/dev/null || python=/usr/bin/python3
"$python" "$script" "$folder" || exit $?
cd "$folder" || exit 1
failures=0 cases=0

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# config NAME FILE [PARTITION]: all that stands on a grid, in one picture.
config() {
    cat >"$1.yaml" <<TEXT
data: {file: $2}
image: {width: 72, height: 48, samples: 1}
camera: {position: [36, -3, 9], look_at: [38, 7, 0.5], up: [0, 0, 1], fov: 60}
clip: [{point: [0, 0, 0.9], normal: [0, 0, -1]}]
partition: ${3:-object}
layers:
  - volume: {field: density, range: [0, 1], opacity: [[0, 0], [1, 0.8]], unit_length: 0.3}
  - isosurface: {field: density, values: [0.5], color: [1, 0.5, 0]}
  - outline: {color: [1, 1, 1]}
  - contour: {field: vorticity_magnitude, block: Bar, k: 0, range: [0, 1]}
  - particles: {mode: stream, style: lines,
      seeds: [{block: Bar, line: [[3, 2, 2], [3, 11, 6]], count: 4}]}
annotations: {scalar_bar: true}
output: {frames: $1-%d.png}
TEXT
}

# draws NAME RANKS [KEY=VALUE…]
draws() {
    local name=$1 ranks=$2
    shift 2
    cases=$((cases + 1))
    timeout 60 "${mpiexec[@]}" -n "$ranks" "$karman" render "$name.yaml" --quiet "$@" >said.txt 2>&1 ||
        complain "$name on $ranks ranks: $(cat said.txt)"
    [ ! -s said.txt ] || complain "$name on $ranks ranks says: $(cat said.txt)"
}

# matches NAME: the picture of each step is that of the step alone.
matches() {
    local name=$1 step
    for step in 0 1 2 3; do
        "$same" "alone-$step.png" "$name-$step.png" 1 >said.txt 2>&1 || complain "$name, step $step: $(cat said.txt)"
    done
    rm -f "$name"-?.png
}

for step in 0 1 2 3; do
    config alone "at_$step.h5"
    draws alone 1
    config single "at_$step.cgns"
    draws single 1
done
matches single
for pair in '0 1' '1 2' '2 3'; do
    read -r a b <<<"$pair"
    "$same" "alone-$a.png" "alone-$b.png" 1 >said.txt 2>&1 && complain "steps $a and $b look alike"
done

# values NAME COMMAND…: runs one command on 1 and 3 ranks, and keeps what it prints.
values() {
    local name=$1
    shift
    cases=$((cases + 1))
    for ranks in 3 1; do
        timeout 60 "${mpiexec[@]}" -n $ranks "$karman" "$@" >"$name-$ranks.txt" 2>said.txt || complain "$*: $(cat said.txt)"
    done
    cmp -s "$name-1.txt" "$name-3.txt" || complain "$* differs on 3 ranks"
}

# Probes at all steps have the rows of the files with one step each: places in space, and vertices, which move.
for where in '--at 39.6,4,0.5 --at 40.8,0.2,0.5' '--vertices Bar:4,2:9,3'; do
    values all probe moving.cgns $where --steps all --fields density,vorticity_magnitude
    for step in 0 1 2 3; do
        values "step-$step" probe "at_$step.cgns" $where --fields density,vorticity_magnitude
    done
    { cat step-0-1.txt; tail -qn +2 step-[123]-1.txt; } | cut -d, -f3- >wanted.txt
    cut -d, -f3- all-1.txt | cmp -s - wanted.txt || complain "probe $where: $(cat all-1.txt) not $(cat wanted.txt)"
done
values line line moving.cgns --from 40,-1,0.5 --to 41,3,0.5 -n 20 --steps all --fields density
[ "$(wc -l <line-1.txt)" = 81 ] || complain "a line at four steps has $(wc -l <line-1.txt) rows"

# Means are those of vertices: the mean of a vertex is that of its values.
for ranks in 1 3; do
    timeout 60 "${mpiexec[@]}" -n $ranks "$karman" mean moving.cgns -o mean-$ranks.h5 --fields density,x >said.txt 2>&1 ||
        complain "means on $ranks ranks: $(cat said.txt)"
    grep -qF 'means are those of vertices' said.txt || complain "nothing says that the grid moves: $(cat said.txt)"
done
cmp -s mean-1.h5 mean-3.h5 || complain "means differ on 3 ranks"
values at probe mean-1.h5 --vertices Bar:4,2:9,3 --fields density,max_density,x
values rows probe moving.cgns --vertices Bar:4,2:9,3 --steps all --fields density,x
"$python" - <<'CHECK' || complain "means at vertices that move"
import csv
rows, means = (list(csv.DictReader(open(name))) for name in ("rows-1.txt", "at-1.txt"))
for mean in means:
    same = [row for row in rows if all(row[c] == mean[c] for c in "ijk")]
    for field in ("density", "x"):
        wanted = sum(float(row[field]) for row in same) / 4
        assert len(same) == 4 and abs(float(mean[field]) - wanted) < 1e-6 * abs(wanted) + 1e-7, (mean, wanted)
    assert abs(float(mean["max_density"]) - max(float(row["density"]) for row in same)) < 1e-6
CHECK

for partition in object screen; do
    config moving moving.cgns $partition
    config series flow_%d.h5 $partition
    for ranks in 1 2 3 5; do
        draws moving $ranks
        matches moving
    done
    draws series 3
    matches series
done
draws moving 2 --set 'partition={kind: object, balance: cost}'
matches moving
draws moving 1 --set 'data.steps=[1, 3, 2]'
"$same" alone-3.png moving-3.png 1 >said.txt 2>&1 || complain "steps 1 and 3: $(cat said.txt)"

# --resume goes on in the middle.
config moving moving.cgns
draws moving 2
rm moving-2.png
draws moving 2 --resume
matches moving

# --follow: each file that appears is drawn with its own grid.
for kind in cgns h5; do
    config followed run
    rm -rf run followed-*.png
    mkdir run
    cp "at_0.$kind" run
    cases=$((cases + 1))
    timeout 60 "${mpiexec[@]}" -n 2 "$karman" render followed.yaml --follow run --until 20 --quiet >said.txt 2>&1 &
    follower=$!
    for step in 0 1 2 3; do
        until [ -e followed-$step.png ] || ! kill -0 $follower 2>/dev/null; do sleep 0.05; done
        [ $step -eq 3 ] || { cp "at_$((step + 1)).$kind" run/part && mv run/part "run/at_$((step + 1)).$kind"; }
    done
    touch run/stop
    wait $follower || complain "--follow of $kind: $(cat said.txt)"
    matches followed
done

# says FILE FRAGMENT: what info prints.
says() {
    cases=$((cases + 1))
    timeout 60 "$karman" info "$1" --ranges=none >said.txt 2>&1 || complain "info $1: $(cat said.txt)"
    grep -qF -- "$2" said.txt || complain "info $1: no '$2' in: $(cat said.txt)"
}

says moving.cgns 'the grid moves: 3 grids'
says 'flow_%d.h5' 'moves: each file has its own'
config rest flow_%d.h5
says rest.yaml 'moves: each file has its own'
sed -i 's/flow_%d.h5/flow_%d.h5, grid: {moves: false}/' rest.yaml
says rest.yaml 'that of flow_0.h5'

# refuses COMMAND FRAGMENT…: one line on three ranks.
refuses() {
    local command=$1 fragment
    shift
    cases=$((cases + 1))
    # shellcheck disable=SC2086 # the command has several words
    timeout 60 "${mpiexec[@]}" -n 3 "$karman" $command >said.txt 2>&1 && complain "$command: it works"
    [ "$(grep -c . said.txt)" -eq 1 ] || complain "$command: one line wanted: $(cat said.txt)"
    for fragment in "$@"; do
        grep -qF -- "$fragment" said.txt || complain "$command: no '$fragment' in: $(cat said.txt)"
    done
}

# Particles of a flow that is linear in time have the same places in a grid that moves.
paths() {
    cat >"$1.yaml" <<TEXT
data: {file: paths_$2_%d.h5}
image: {width: 96, height: 60, samples: 1}
camera: {position: [2, -6, 3], look_at: [2, 0, 0], up: [0, 0, 1], fov: 50}
layers:
  - particles: {mode: $3, seeds: [{line: [[0, 0, -0.3], [0, 0.6, 0.3]], count: 4}], style: spheres, radius: 0.6}
output: {frames: $1-%d.png}
TEXT
    [ "$3" = streak ] || sed -i 's/mode: path/mode: path, trail: 0/' "$1.yaml"
}

for mode in path streak; do
    paths resting rest $mode
    draws resting 1
    for ranks in 1 3; do
        paths carried move $mode
        draws carried $ranks
        for step in 0 1 2 3 4; do
            "$same" resting-$step.png carried-$step.png 1 >said.txt 2>&1 ||
                complain "$mode on $ranks ranks, step $step: $(cat said.txt)"
        done
    done
done

# --follow carries them, too.
rm -rf run carried-*.png
mkdir run
cp paths_move_0.h5 run/at_0.h5
sed -i 's/paths_move_%d.h5/run/' carried.yaml
cases=$((cases + 1))
timeout 60 "${mpiexec[@]}" -n 2 "$karman" render carried.yaml --follow run --until 20 --quiet >said.txt 2>&1 &
follower=$!
for step in 0 1 2 3 4; do
    until [ -e carried-$step.png ] || ! kill -0 $follower 2>/dev/null; do sleep 0.05; done
    [ $step -eq 4 ] || { cp "paths_move_$((step + 1)).h5" run/part && mv run/part "run/at_$((step + 1)).h5"; }
done
touch run/stop
wait $follower || complain "--follow of particles: $(cat said.txt)"
for step in 0 1 2 3 4; do
    "$same" resting-$step.png carried-$step.png 1 >said.txt 2>&1 || complain "followed, step $step: $(cat said.txt)"
done

refuses 'render lost.cgns --quiet' "zone 'Bar'" "no grid 'Coordinates8'"
cases=$((cases + 1))
timeout 60 "${mpiexec[@]}" -n 2 "$karman" convert moving.cgns out.h5 >said.txt 2>&1 || complain "convert: $(cat said.txt)"
for partition in object screen; do
    config out out.h5 $partition
    draws out 3
    matches out
done
timeout 60 "${mpiexec[@]}" -n 2 "$karman" convert moving.cgns out.h5 --force --steps 2,3 >said.txt 2>&1 ||
    complain "convert: $(cat said.txt)"
draws out 1
for step in 2 3; do
    "$same" alone-$step.png out-$step.png 1 >said.txt 2>&1 || complain "converted step $step: $(cat said.txt)"
done

echo "$cases cases, $failures failures"
[ "$failures" -eq 0 ]
